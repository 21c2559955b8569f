"""Builds a wheel with compiled kernels for every Python present, and times its first answer in an empty environment.

python packaging/build_wheels.py [3.11 3.12 ...]     # or: make wheels
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from environments import FOLDER, PROJECT, ROOT, find_pythons, installed, make_environment

QUESTION = """
import sweepscope as ss
scene = ss.Scene()
scene.add(ss.Box((10, 10, 0.2)), name="floor")
tool = scene.add(ss.Box((0.4, 0.4, 1.0)), pose=(0, 0, 3), name="tool")
print(f"{scene.sweep(tool, ss.Translate((0, 0, -5))).travel:.3f}")
"""


def main() -> None:
    """Build and try a wheel for each version of Python that is asked for; all if none is."""
    pythons = find_pythons()
    for version in sys.argv[1:] or pythons:
        if version not in pythons:
            sys.exit(f"Python {version} is not present; present: {', '.join(pythons)}")
        try_wheel(build_wheel(pythons[version], version), pythons[version], version)


def build_wheel(python: Path, version: str) -> Path:
    """Build a wheel into dist/; return it."""
    builder = make_environment(python, f"wheel-{version}", "hatchling", "packaging", *PROJECT["dependencies"])
    out = FOLDER / f"dist-{version}"
    subprocess.run(
        [builder, "-m", "hatchling", "build", "-t", "wheel", "-d", out],
        cwd=ROOT,
        env={**os.environ, "SWEEPSCOPE_COMPILED": "1"},
        check=True,
    )
    (made,) = out.glob("*.whl")
    (ROOT / "dist").mkdir(exist_ok=True)
    return made.replace(ROOT / "dist" / made.name)


def try_wheel(wheel: Path, python: Path, version: str) -> None:
    """Install a wheel into an empty environment; time its first answer, and check that nothing is compiled for it."""
    user = make_environment(python, f"try-{version}", str(wheel))
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    times = []
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "cache"
        environment["SWEEPSCOPE_CACHE"] = str(cache)
        for _ in range(3):
            began = time.perf_counter()
            command = [user, "-c", QUESTION]
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
            times.append(time.perf_counter() - began)
            if (done.stdout, done.stderr) != ("2.400\n", "") or cache.exists():
                sys.exit(f"{wheel.name}: wrong answer, or kernels were compiled:\n{done.stdout}{done.stderr}")
    size = wheel.stat().st_size / 1e6
    print(
        f"{wheel.name}: {size:.1f} MB, first answer after {min(times):.2f} s ({installed(user, 'numba', 'numpy')})", flush=True
    )


if __name__ == "__main__":
    main()
