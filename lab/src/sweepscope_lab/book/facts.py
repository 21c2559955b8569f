"""What a book was made with: machine, versions, commit."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import sweepscope


def facts() -> dict[str, str]:
    """Return what the page says about machine and software, by name."""
    return {
        "processor": processor(),
        "cores": str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        **{name: _version(name) for name in ("numpy", "numba", "matplotlib")},
        "sweepscope": sweepscope.__version__,
        "commit": commit(),
        "code": code(),
    }


def processor() -> str:
    """Return the name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine() or "unknown"


def commit() -> str:
    """Return the commit of the sources, with a word if they have changed since; "unknown" if they are in no repository."""
    here = Path(__file__)
    try:
        # An installed package may lie in the folder of another project's repository, which says nothing about it.
        _git(here.parent, "ls-files", "--error-unmatch", here.name)
        name = _git(here.parent, "rev-parse", "HEAD")
        changed = _git(here.parent, "status", "--porcelain", "--", *map(str, _packages()))
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return f"{name} with changes" if changed else name


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True, timeout=20.0)
    return done.stdout.strip()


def code() -> str:
    """Return a short hash of all sources of library and laboratory: it changes with any of them, committed or not."""
    total = hashlib.sha256()
    for package in _packages():
        for path in sorted(package.rglob("*.py")):
            total.update(path.relative_to(package).as_posix().encode())
            total.update(path.read_bytes())
    return total.hexdigest()[:12]


def _packages() -> tuple[Path, Path]:
    return Path(str(sweepscope.__file__)).parent, Path(__file__).parents[1]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"
