"""Arguments of calls that answer many rows: threads, progress, arrays for the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidQuery, InvalidType
from ..threads import Progress
from ..world.world import body_kernels

if TYPE_CHECKING:
    from ..world.store import Store


def check_run(threads: int | None, progress: Progress | None) -> None:
    """Check the options of a call that answers many rows."""
    if threads is not None:
        checks.whole(threads, "threads", InvalidQuery, 1)
    if progress is not None and not callable(progress):
        raise InvalidType(f"progress: expected a function of two numbers, done and all, got {checks.shown(progress)}")


def refit(store: Store) -> None:
    """Bring the boxes of all shapes up to date, so that rows only read them."""
    with store.arena.lock:
        body_kernels().refit_bodies(*store.world())


def answers_in(out: Any, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return `out` if answers, true or false, can be written into it; a new array if it is None."""
    if out is None:
        return np.zeros(shape, np.bool_)
    if not isinstance(out, np.ndarray):
        raise InvalidType(f"out: expected an array of dtype bool, got {checks.shown(out)}")
    if out.dtype != np.bool_:
        raise InvalidType(f"out: expected an array of dtype bool, got dtype {out.dtype}")
    if out.shape != shape or not out.flags.writeable or not out.flags.c_contiguous:
        raise InvalidQuery(
            f"out: expected a writable array of dtype bool, shape {shape}, in C order, got dtype {out.dtype}, shape {out.shape}"
        )
    return out
