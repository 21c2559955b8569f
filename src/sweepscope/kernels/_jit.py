"""The one place that compiles kernels, so that one policy holds for all: float64, no fastmath, division as on the GPU, no GIL.

`kernel` is what Python calls; it is compiled whole, and kept (`_cache`). All else exists only inside kernels: it is typed and
translated once, then linked into each kernel that calls it. Its own machine code would never run, so none is made.

This needs internals of Numba (`_internals`). With a Numba that is not in `TESTED` everything is compiled by plain `njit`:
the results are the same, compilation takes longer.
"""

import logging
import os
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numba
from numba import config

from ._cache import KERNELS, SHIPPED, Folder, digest, short_hash

TESTED = ("0.66", "0.67", "0.68")
"""Versions of Numba whose internals are known."""

_POLICY: dict[str, Any] = {"error_model": "numpy", "nogil": True}


def _import_internals() -> ModuleType | None:
    """Return the module that uses Numba's internals; None, with one line of warning, if they are not known."""
    if ".".join(numba.__version__.split(".")[:2]) in TESTED:
        try:
            from . import _internals
        except ImportError:  # a build of Numba whose internals differ
            pass
        else:
            return _internals
    logging.getLogger("sweepscope").warning(
        "sweepscope has no compile policy for Numba %s (tested: %s to %s): "
        "kernels are compiled by plain njit, once, which takes longer",
        numba.__version__,
        TESTED[0],
        TESTED[-1],
    )
    return None


_internals = _import_internals()

IS_TESTED = _internals is not None
"""Whether the internals of this Numba are known."""


def kernels_in(folder: Folder) -> Callable[[Callable[..., Any]], Any]:
    """Return the decorator of kernels that Python calls and that are kept in a folder."""

    def compiled(function: Callable[..., Any]) -> Any:
        made = _compile_plain(function, folder) if _internals is None else _internals.compile_kept(function, folder, _POLICY)
        folder.kernels.append(made)
        return made

    return compiled


def _compile_plain(function: Callable[..., Any], folder: Folder) -> Any:
    """Return a function for which Numba's own cache is used, in a folder: its name changes with any kernel source."""
    settings: Any = config
    before, settings.CACHE_DIR = settings.CACHE_DIR, folder.path
    try:
        return numba.njit(cache=True, **_POLICY)(function)
    finally:
        settings.CACHE_DIR = before


def folder_beside(package: str) -> Folder:
    """Return the folder for kernels of another package, below the folder of its file `package`.

    It is named by their sources and by the library's, which they may call.
    """
    return Folder(short_hash(KERNELS, digest(os.path.dirname(package))))


FOLDER = Folder(KERNELS, SHIPPED)
"""Where the library's compiled kernels are kept."""

kernel = kernels_in(FOLDER)
"""Compiles a kernel of the library that Python calls."""


def _compile_step(function: Callable[..., Any], kind: str) -> Any:
    """Return a function that only kernels call; kind: the options in `_internals`."""
    if _internals is None:
        return numba.njit(**_POLICY)(function)
    return _internals.share_constants(numba.njit(**_POLICY, **getattr(_internals, kind))(function))


def step(function: Callable[..., Any]) -> Any:
    """Compile a function that only kernels call."""
    return _compile_step(function, "STEP")


def cold(function: Callable[..., Any]) -> Any:
    """Compile a step that is never inlined: one that is large and seldom needed. Its callers are optimized without it."""
    return _compile_step(function, "COLD")


def inline(function: Callable[..., Any]) -> Any:
    """Compile a step that is always inlined into its callers: a small one, or one that is called from one place."""
    return _compile_step(function, "INLINE")
