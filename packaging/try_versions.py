"""Runs tests with the oldest and the newest packages that pyproject.toml accepts, on every Python present.

python packaging/try_versions.py [NAME ...]     # or: make test-versions; NAME: oldest, 3.11, ..., numba-0.67, plain
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from environments import FOLDER, PROJECT, ROOT, SUPPORTED, find_pythons, installed, make_environment

NOT_NEEDED = re.compile(r"sweepscope|ruff|pyright|import-linter")
EXTRAS = PROJECT["optional-dependencies"]
TOOLS = [*(each for each in EXTRAS["dev"] if not NOT_NEEDED.match(each)), "matplotlib"]
NEWEST = [*PROJECT["dependencies"], *EXTRAS["pictures"]]
OLDEST = [*(re.sub(r">=([\d.]+)$", r"==\1", each) for each in NEWEST), "click<8.3"]  # of the time of that typer

TESTS = [
    *(
        "tests/bridges",
        "tests/drawing",
        "tests/io",
        "tests/kernels",
        "tests/laws",
        "tests/queries",
        "tests/radar",
        "tests/robot",
    ),
    *(
        "tests/shapes",
        "tests/world",
        "tests/oracle/test_exact_pairs.py",
        "tests/oracle/test_turns.py",
        "tests/oracle/test_scopes.py",
    ),
    *(
        "tests/test_bad_inputs.py",
        "tests/test_import.py",
        "tests/test_motion.py",
        "tests/test_packages.py",
        "tests/test_pose.py",
    ),
    *("tests/test_results.py", "tests/test_threads.py", "tests/test_travel.py", "tests/cli"),
]
PLAIN_TESTS = ["tests/laws", "tests/world"]
"""With a Numba that has no compile policy: compiling takes longer, so these are fewer."""


class Plan(NamedTuple):
    """An environment: a version of Python, what is installed, what is tested."""

    python: str
    packages: list[str]
    tests: list[str] = TESTS
    kinds: tuple[str, ...] = ()
    """Kinds of question that are compiled first; all if empty."""


def main() -> None:
    """Test each environment that is asked for; all if none is. Exit with 1 if tests fail in one."""
    pythons = find_pythons()
    plans = make_plans(list(pythons))
    names = sys.argv[1:] or list(plans)
    unknown = [name for name in names if name not in plans]
    if unknown:
        sys.exit(f"no environment {unknown[0]!r}; accepted: {', '.join(plans)}")
    failed = [name for name in names if not passes(pythons[plans[name].python], name, plans[name])]
    sys.exit(f"FAILED: {', '.join(failed)}" if failed else 0)


def make_plans(pythons: list[str]) -> dict[str, Plan]:
    """Return all environments by name."""
    if pythons[:1] != SUPPORTED[:1]:
        sys.exit(f"the oldest Python of pyproject.toml, {SUPPORTED[0]}, is not present")
    source = (ROOT / "src/sweepscope/kernels/_jit.py").read_text(encoding="utf-8")
    tested = re.findall(r"\d+\.\d+", source.partition("\nTESTED = ")[2].partition("\n")[0])
    return {
        "oldest": Plan(pythons[0], OLDEST),
        **{version: Plan(version, NEWEST) for version in pythons},
        **{f"numba-{numba}": Plan(pythons[0], [*NEWEST, f"numba=={numba}.*"]) for numba in tested[1:-1]},
        "plain": Plan(pythons[0], [*_without_numba(NEWEST), f"numba<{tested[0]}"], PLAIN_TESTS, ("sweeps", "turns")),
    }


def _without_numba(packages: list[str]) -> list[str]:
    return [each for each in packages if not each.startswith("numba")]


def passes(python: Path, name: str, plan: Plan) -> bool:
    """Make an environment and return whether its tests pass."""
    made = make_environment(python, f"versions-{name}", *plan.packages, *TOOLS)
    pip = [made, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*pip, "--editable", ROOT, "--editable", ROOT / "lab"], check=True)
    versions = installed(made, "numba", "numpy", "typer", "rich", "pillow")
    print(f"{name}: {versions}", flush=True)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment["SWEEPSCOPE_CACHE"] = str(FOLDER / "versions-cache")
    commands = (["sweepscope", "warm", *plan.kinds], ["pytest", "-q", *plan.tests])
    passed = all(
        subprocess.run([made, "-m", *each], cwd=ROOT, env=environment, check=False).returncode == 0 for each in commands
    )
    print(f"{name}: {'passed' if passed else 'FAILED'} ({versions})", flush=True)
    return passed


if __name__ == "__main__":
    main()
