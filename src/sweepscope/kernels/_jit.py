"""The one place that compiles kernels, so that one policy holds for all of them.

Numba's cache on disk does not notice an edit in a file that a kernel only calls. The name of the cache folder is therefore a
hash of every kernel source: an edit anywhere in this folder starts a fresh cache.
"""

import hashlib
import logging
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import config, types

_log = logging.getLogger("sweepscope")


def digest(folder: str) -> str:
    """Return a hash of every kernel source below a folder."""
    digest = hashlib.sha256()
    for source in sorted(Path(folder).rglob("*.py")):
        digest.update(source.relative_to(folder).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()


KERNELS = hashlib.sha256((numba.__version__ + digest(os.path.dirname(__file__))).encode()).hexdigest()[:16]
"""Identifies the library's kernels: a hash of their sources and the Numba version."""


def cache_folder(name: str) -> str:
    """Return a writable folder for compiled kernels of this name."""
    root = os.environ.get("SWEEPSCOPE_CACHE") or os.path.join(os.path.expanduser("~"), ".cache", "sweepscope")
    folder = os.path.join(root, name)
    try:
        os.makedirs(folder, exist_ok=True)
        if os.access(folder, os.W_OK):
            if not os.listdir(folder):
                _log.warning(
                    "compiling kernels, once: up to 30 s for each kind of question (sweeps, turns, pictures, ...); kept in %s",
                    folder,
                )
            return folder
    except OSError:
        pass
    _log.warning("%s cannot be written: kernels are compiled anew in every process; set SWEEPSCOPE_CACHE", root)
    return tempfile.mkdtemp(prefix="sweepscope-")


def kernels_in(folder: str) -> Callable[[Callable[..., Any]], Any]:
    """Return the decorator of kernels that Python calls and that are cached in a folder.

    It compiles: float64, no fastmath, division as on the GPU, no GIL.
    """

    def compiled(function: Callable[..., Any]) -> Any:
        # Numba reads the folder when it decorates. The setting is therefore changed only for that moment.
        before = config.CACHE_DIR  # type: ignore[attr-defined]
        config.CACHE_DIR = folder  # type: ignore[attr-defined]
        try:
            return numba.njit(error_model="numpy", nogil=True, cache=True)(function)
        finally:
            config.CACHE_DIR = before  # type: ignore[attr-defined]

    return compiled


def folder_beside(package: str) -> str:
    """Return the cache folder for kernels of another package, below the folder of its file `package`.

    It is named by their sources and by the library's, which they may call.
    """
    return cache_folder(hashlib.sha256((KERNELS + digest(os.path.dirname(package))).encode()).hexdigest()[:16])


FOLDER = cache_folder(KERNELS)
"""Where the library's compiled kernels are kept."""

kernel = kernels_in(FOLDER)
"""Compiles a kernel of the library that Python calls."""


# Functions that only kernels call need no wrapper for Python and no cache of their own. That halves the compile time.
_STEP: dict[str, Any] = {"error_model": "numpy", "nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def _plain_types(dispatcher: Any) -> Any:
    """Let calls with a constant and with a variable share one compilation. Numba would compile once for every constant."""
    resolve = dispatcher.get_call_template

    def resolve_plain(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return resolve(tuple(map(types.unliteral, args)), {name: types.unliteral(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = resolve_plain
    return dispatcher


def step(function: Callable[..., Any]) -> Any:
    """Compile a function that only kernels call."""
    return _plain_types(numba.njit(**_STEP)(function))


def inline(function: Callable[..., Any]) -> Any:
    """Compile a small step that is always inlined into its caller."""
    return _plain_types(numba.njit(**_STEP, forceinline=True)(function))


def once(function: Callable[..., Any]) -> Any:
    """Compile a step that is called from one place as a part of that place. It is then optimised there only."""
    return numba.njit(**_STEP, inline="always")(function)
