"""Environments for every Python that sweepscope supports and that this machine has: on PATH, or installed by pyenv."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build"
"""Where environments are made; git ignores it."""

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SUPPORTED = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
"""Versions of Python in pyproject.toml, the oldest first."""


def find_pythons() -> dict[str, Path]:
    """Return the Pythons that are present, by version, the oldest first."""
    found = {version: next(filter(_works, _candidates(version)), None) for version in SUPPORTED}
    for version, python in found.items():
        print(f"Python {version}: {python or 'not found; not used'}")
    return {version: python for version, python in found.items() if python is not None}


def _candidates(version: str) -> Iterator[Path]:
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    yield from sorted(pyenv.glob(f"{version}.*/bin/python"), reverse=True)
    for folder in os.get_exec_path():
        found = shutil.which(f"python{version}", path=folder)
        if found:
            yield Path(found)


def _works(python: Path) -> bool:
    """Return whether it runs and can make environments: pyenv leaves files on PATH that do neither."""
    return subprocess.run([python, "-c", "import ensurepip, venv"], capture_output=True, check=False).returncode == 0


def make_environment(python: Path, name: str, *requirements: str) -> Path:
    """Make an empty environment and install packages into it; return its Python."""
    folder = FOLDER / name
    subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
    made = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run([made, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements], check=True)
    return made


def installed(python: Path, *names: str) -> str:
    """Return the versions of Python and of some packages in an environment, as a text."""
    code = (
        "import platform, sys\n"
        "from importlib.metadata import version\n"
        "print('Python', platform.python_version(), *(f'{name} {version(name)}' for name in sys.argv[1:]))"
    )
    return subprocess.run([python, "-c", code, *names], capture_output=True, text=True, check=True).stdout.strip()
