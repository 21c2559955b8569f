"""Frames without pauses of the garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_gc_pauses() -> Iterator[None]:
    """Exclude all objects that exist now from garbage collection: otherwise a frame may pause for 10 ms or more."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
