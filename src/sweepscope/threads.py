"""Run kernels on several threads. Kernels release Python's lock, so plain threads work, and so does Ctrl-C."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

WORKERS = min(8, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)

_pool: ThreadPoolExecutor | None = None


def spread(work: Callable[[Iterator[int]], Any], shares: int, workers: int) -> list[Any]:
    """Do shares 0 .. shares - 1 on up to `workers` threads, the caller's included; return the result of `work` for each thread.

    `work` gets an iterator of shares. A thread takes the next share when it is free, so a late thread takes fewer.
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
    """Drop the pool: a forked process has the pool but not its threads."""
    global _pool
    _pool = None
