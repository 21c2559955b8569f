"""Frames that take the time they need, and no pause between."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def steady() -> Iterator[None]:
    """Keep Python's collector of garbage from looking through all that is there already, which takes 10 to 20 ms, in a frame."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
