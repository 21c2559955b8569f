"""Frames that take the time they need, and no pause between."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def steady() -> Iterator[None]:
    """Keep the collector of garbage from looking, within a frame, through all that was there before: 10 ms and more."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
