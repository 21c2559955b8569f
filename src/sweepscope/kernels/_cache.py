"""Where compiled kernels are kept: in the package itself if it was shipped with them, and in a cache folder of the user.

Both are found by content: a hash of the kernel sources, of Numba and of Python. A copy of the package elsewhere finds what was
compiled here, and an edit in any kernel source starts afresh (Numba's own cache notices neither).

A kernel is compiled for this CPU, or for a level that many CPUs have (`sweepscope warm` does that), so that it can be shipped.
One process compiles a kernel; others that need it meanwhile wait for it.
"""

import contextlib
import hashlib
import json
import logging
import os
import platform
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding as llvm
from numba import config

try:
    import fcntl
except ImportError:  # not on Windows: there, processes that start at once may compile the same kernel
    fcntl = None

_log = logging.getLogger("sweepscope")

SHIPPED = os.path.join(os.path.dirname(__file__), "compiled")
"""Folder of the kernels that came with the package; a checkout has none."""
_LABEL = "about.json"

_KEPT = 8  # folders of other versions; the least used are removed
_SILENT = 1.0  # seconds; longer compilations are announced

_PYTHON = f"{sys.implementation.name} {sys.version_info[0]}.{sys.version_info[1]}{getattr(sys, 'abiflags', '')}"


def digest(folder: str) -> str:
    """Return a hash of every kernel source below a folder."""
    digest = hashlib.sha256()
    for source in sorted(Path(folder).rglob("*.py")):
        digest.update(source.relative_to(folder).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()


def short_hash(*texts: str) -> str:
    """Return a hash of texts that is short enough for a folder's name."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


SOURCES = short_hash(digest(os.path.dirname(__file__)))
"""Identifies the sources of the library's kernels."""

KERNELS = short_hash(numba.__version__, _PYTHON, SOURCES)
"""Identifies the library's compiled kernels: their sources, Numba and Python."""


def level_for(triple: str) -> tuple[str, tuple[str, ...]]:
    """Return the level of CPU that kernels are shipped for on a platform, and the features that it needs.

    triple: LLVM's name of the platform. The level is LLVM's name too; empty if nothing is shipped for the platform.
    """
    architecture = triple.partition("-")[0]
    if architecture == "x86_64":  # every desktop and server CPU since 2015 (Haswell, Zen)
        return "x86-64-v3", ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
    if architecture in ("aarch64", "arm64"):  # every one, with NEON and FMA
        return "apple-m1" if "-apple-" in triple else "generic", ()
    return "", ()


_TRIPLE = llvm.get_process_triple()
_FEATURES = llvm.get_host_cpu_features()

LEVEL, _LEVEL_NEEDS = level_for(_TRIPLE)
"""The level of CPU that kernels are shipped for."""

HAS_LEVEL = bool(LEVEL) and all(_FEATURES.get(name, False) for name in _LEVEL_NEEDS)
"""Whether this CPU has it."""

_OWN_CPU = short_hash(_TRIPLE, llvm.get_host_cpu_name(), _FEATURES.flatten())


def _compiles_for() -> str:
    """Return what this process compiles for: the level, or a hash that identifies its own CPU."""
    return LEVEL if LEVEL == config.CPU_NAME else _OWN_CPU  # type: ignore[attr-defined]


def label() -> dict[str, str]:
    """Return what shipped kernels must be compiled from and for to be usable here."""
    system = f"{platform.system()} {_TRIPLE.partition('-')[0]}"
    return {"kernels": SOURCES, "Numba": numba.__version__, "Python": _PYTHON, "system": system, "CPU": LEVEL}


def write_shipment(into: str) -> None:
    """Copy what was compiled for the level into an empty folder, with a label: the folder that a wheel carries."""
    folder = os.path.join(cache_root(), KERNELS, LEVEL)
    os.makedirs(into)
    for name in os.listdir(folder):
        if name.endswith((".nbi", ".nbc", ".ready")):
            shutil.copyfile(os.path.join(folder, name), os.path.join(into, name))
    with open(os.path.join(into, _LABEL), "w", encoding="utf-8") as file:
        json.dump(label(), file)


def _misfit(folder: str) -> str | None:
    """Return why the kernels shipped in a folder cannot be used here; empty if they can, None if there are none."""
    try:
        with open(os.path.join(folder, _LABEL), encoding="utf-8") as file:
            theirs = json.load(file)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as problem:
        return f"they cannot be read ({problem})"
    for what, here in label().items():
        there = theirs.get(what)
        if there != here:
            return "they are of other sources" if what == "kernels" else f"they are for {what} {there}, this is {here}"
    return "" if HAS_LEVEL else f"they need a CPU of level {LEVEL}"


def cache_root() -> str:
    """Return the folder that holds the cache folders of all versions."""
    return os.environ.get("SWEEPSCOPE_CACHE") or os.path.join(os.path.expanduser("~"), ".cache", "sweepscope")


class Folder:
    """Compiled kernels of one version: `find` gives the files of a kernel, in the order in which they are asked.

    name: identifies their sources. shipped: a folder that came with the package; empty if none.
    """

    def __init__(self, name: str, shipped: str = "") -> None:
        misfit = _misfit(shipped) if shipped else None
        self._complaint = (
            f"the compiled kernels in this sweepscope are not used: {misfit}; they are compiled again, once" if misfit else ""
        )
        self._shipped = shipped if misfit == "" else ""
        self._name = name
        self._path: str | None = None
        self.kernels: list[Any] = []
        """What is kept here, as Numba knows it."""

    @property
    def path(self) -> str:
        """Folder of this version in the cache; made when it is first needed."""
        if self._path is None:
            self._path = _open_folder(self._name)
        return self._path

    def complain(self) -> None:
        """Say once why kernels must be compiled although some came with the package."""
        if self._complaint:
            _log.warning(self._complaint)
            self._complaint = ""

    def reading(self) -> Iterator[str]:
        """Yield the folders in which a compiled kernel may be found; the cache is not touched if the first has it."""
        if self._shipped:
            yield self._shipped
        for cpu in dict.fromkeys((LEVEL if HAS_LEVEL else _OWN_CPU, _compiles_for())):
            yield os.path.join(self.path, cpu)

    def is_ready(self, kind: str) -> bool:
        """Return whether the kernels of a kind of question were compiled before."""
        return any(os.path.exists(os.path.join(folder, f"{kind}.ready")) for folder in self.reading())

    def mark_ready(self, kind: str) -> None:
        """Remember that the kernels of a kind of question are compiled."""
        with contextlib.suppress(OSError), open(os.path.join(self.writing(), f"{kind}.ready"), "w"):
            pass

    def writing(self) -> str:
        """Return the folder in which this process keeps what it compiles."""
        return os.path.join(self.path, _compiles_for())


def _open_folder(name: str) -> str:
    root = cache_root()
    folder = os.path.join(root, name)
    try:
        new = not os.path.isdir(folder)
        os.makedirs(os.path.join(folder, _compiles_for()), exist_ok=True)
        if os.access(folder, os.W_OK):
            os.utime(folder)
            if new:
                _remove_old(root, folder)
            return folder
    except OSError:
        pass
    _log.warning("%s cannot be written: kernels are compiled anew in every process; set SWEEPSCOPE_CACHE", root)
    return tempfile.mkdtemp(prefix="sweepscope-")


def _remove_old(root: str, current: str) -> None:
    """Remove folders of other versions, the least recently used first, until few are left."""
    hexadecimal = set("0123456789abcdef")
    with contextlib.suppress(OSError):  # another process may be doing the same
        others = [e.path for e in os.scandir(root) if e.is_dir() and len(e.name) == 16 and set(e.name) <= hexadecimal]
        others = sorted((path for path in others if path != current), key=lambda path: os.stat(path).st_mtime)
        for path in others[: max(0, len(others) - _KEPT)]:
            shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def locked(path: str) -> Iterator[None]:
    """Keep other processes out. The lock ends with the process, whatever becomes of it."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # some network drives have no locks
            file = stack.enter_context(open(path, "w"))
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def announced(text: str) -> Iterator[None]:
    """Log a text if what follows takes long."""
    timer = threading.Timer(_SILENT, _log.warning, (text,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
