"""The card: numba-cuda compiles for it, CuPy keeps arrays on it. Both are imported when the first question is asked there."""

from __future__ import annotations

import threading
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np

from ..errors import GraphicsFailed, MissingPackage

_lock = threading.Lock()
_known: SimpleNamespace | None = None

_INSTALL = 'pip install "sweepscope[cuda]"'


def card() -> SimpleNamespace:
    """Return the libraries of the card: `arrays` (CuPy) and `cuda` (numba.cuda). Raise if there is no card."""
    global _known
    with _lock:
        if _known is None:
            _known = _open()
        return _known


def _open() -> SimpleNamespace:
    # numba-cuda 0.30 asks NumPy for a function that NumPy 2.5 has no more.
    namespace: Any = np
    if not hasattr(namespace, "row_stack"):
        namespace.row_stack = np.vstack
    try:
        from numba import cuda
    except ImportError as reason:
        raise MissingPackage(f'device "cuda" needs numba-cuda: {_INSTALL}', name="numba_cuda") from reason
    try:
        import cupy  # pyright: ignore[reportMissingImports]
        import numba_cuda  # noqa: F401  # pyright: ignore[reportMissingImports]  (Numba itself has an older numba.cuda)
    except ImportError as reason:
        raise MissingPackage(f'device "cuda" needs numba-cuda and CuPy: {_INSTALL}', name=reason.name or "cupy") from reason
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except Exception as reason:
        raise GraphicsFailed(
            f'device "cuda" cannot be used here: CUDA found no NVIDIA card ({_first_line(reason)})'
        ) from reason
    if count == 0 or not cuda.is_available():
        raise GraphicsFailed('device "cuda" cannot be used here: CUDA found no NVIDIA card')
    return SimpleNamespace(arrays=cupy, cuda=cuda)


def launch(kernel: Any, rows: int, *arguments: Any) -> None:
    """Start a kernel with a thread for each row, behind what CuPy's current stream has been given before."""
    from .kernels import THREADS

    stream = card().arrays.cuda.get_current_stream().ptr
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numba-cuda warns of every call with few rows
        ready = kernel[-(-rows // THREADS), THREADS, card().cuda.external_stream(stream) if stream else 0]
    ready(*arguments)


def _first_line(reason: BaseException) -> str:
    return (str(reason).strip() or type(reason).__name__).splitlines()[0]
