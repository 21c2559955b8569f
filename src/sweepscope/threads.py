"""Two or more kernels at once: they hold no lock, so plain threads will do, and Ctrl-C keeps working."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

WORKERS = min(8, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)

_pool: ThreadPoolExecutor | None = None


def together(work: Callable[[Any], Any], shares: Sequence[Any]) -> list[Any]:
    """Return [work(share) for share in shares], done at once; the caller's own thread does the first."""
    global _pool
    if len(shares) == 1:
        return [work(shares[0])]
    if _pool is None:
        _pool = ThreadPoolExecutor(max(1, WORKERS - 1), thread_name_prefix="sweepscope")
        os.register_at_fork(after_in_child=_forget)
    others = [_pool.submit(work, share) for share in shares[1:]]
    first = work(shares[0])
    return [first, *(other.result() for other in others)]


def _forget() -> None:
    """A forked process has the pool but not its threads."""
    global _pool
    _pool = None
