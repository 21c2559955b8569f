"""Two or more kernels at once: they hold no lock, so plain threads will do, and Ctrl-C keeps working."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

WORKERS = min(8, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)

_pool: ThreadPoolExecutor | None = None


def spread(work: Callable[[Iterator[int]], Any], shares: int, workers: int) -> list[Any]:
    """Let up to `workers` threads, the caller's own among them, do 0 .. shares - 1; return what work(shares) returned to each.

    Every thread takes the next share when it is done with one, so a thread that wakes up late takes fewer.
    """
    global _pool
    todo = iter(range(shares))
    if workers <= 1:
        return [work(todo)]
    if _pool is None:
        _pool = ThreadPoolExecutor(max(1, WORKERS - 1), thread_name_prefix="sweepscope")
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=_forget)
    others = [_pool.submit(work, todo) for _ in range(workers - 1)]
    first = work(todo)
    return [first, *(other.result() for other in others)]


def _forget() -> None:
    """A forked process has the pool but not its threads."""
    global _pool
    _pool = None
