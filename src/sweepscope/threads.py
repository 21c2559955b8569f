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

    `work` gets an iterator of shares. A thread takes the next share when it is free, so a late thread takes fewer, and one that
    has not begun when all are taken takes none: work may spread work of its own, and threads may wait for each other's locks.
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
    return [first, *(other.result() for other in others if not other.cancel())]


def spread_range(work: Callable[[int, int], Any], count: int, size: int) -> None:
    """Call work(begin, end) for every run of `size` of the numbers 0 .. count - 1, on all cores.

    Runs do not depend on the number of threads, so results do not either.
    """

    def each(todo: Iterator[int]) -> None:
        for share in todo:
            work(share * size, min(count, share * size + size))

    shares = -(-count // size)
    spread(each, shares, min(WORKERS, shares))


def _forget() -> None:
    """Drop the pool: a forked process has the pool but not its threads."""
    global _pool
    _pool = None
