"""The one place that compiles kernels, so that one policy holds for all of them.

Numba's on-disk cache does not notice an edit in a file that a kernel merely calls. The cache folder is therefore
named by a hash of every kernel source: an edit anywhere in this folder starts a fresh cache.
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


def _cache_folder() -> str:
    """Return a writable folder named by the hash of all kernel sources and the Numba version."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    root = os.environ.get("SWEEPSCOPE_CACHE") or os.path.join(os.path.expanduser("~"), ".cache", "sweepscope")
    folder = os.path.join(root, digest.hexdigest()[:16])
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


_CACHE_FOLDER = _cache_folder()


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel that Python calls: float64, no fastmath, division as on the GPU, no GIL, cached on disk."""
    # Numba reads the folder when it decorates, so the setting is ours only for that moment.
    before = config.CACHE_DIR  # type: ignore[attr-defined]
    config.CACHE_DIR = _CACHE_FOLDER  # type: ignore[attr-defined]
    try:
        return numba.njit(error_model="numpy", nogil=True, cache=True)(function)
    finally:
        config.CACHE_DIR = before  # type: ignore[attr-defined]


# Functions that only kernels call need no door to Python and no cache of their own: that halves the compile time.
_STEP: dict[str, Any] = {"error_model": "numpy", "nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def _plain_types(dispatcher: Any) -> Any:
    """Let calls with a constant and with a variable share one compilation; Numba would make one for every constant."""
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
    """Compile a step that is called from one place as a part of that place: what is optimised there need not be before."""
    return numba.njit(**_STEP, inline="always")(function)
