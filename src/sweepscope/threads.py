"""Runs kernels on several threads. Kernels release Python's lock, so plain threads work, and so does Ctrl-C."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
WORKERS = min(8, CORES)
"""Threads for one picture or one edit: more would wait for each other."""

_SLICE = 0.02  # seconds that a run of rows takes, about: progress and Ctrl-C come between runs
_FIRST = 32  # rows of the first run of each thread
_SPARE = 4  # runs for each thread at least, so that all end together

Progress = Callable[[int, int], object]
"""Called with the number of rows that are done, and of all."""

_pool: ThreadPoolExecutor | None = None
_size = 0  # threads of the pool


def spread(work: Callable[[Iterator[int]], Any], shares: int, workers: int) -> list[Any]:
    """Do shares 0 .. shares - 1 on up to `workers` threads, the caller's included; return the result of `work` for each thread.

    `work` gets an iterator of shares. A thread takes the next share when it is free, so a late thread takes fewer, and one that
    has not begun when all are taken takes none: work may spread work of its own, and threads may wait for each other's locks.
    """
    todo = iter(range(shares))
    if workers <= 1:
        return [work(todo)]
    pool = _pool_of(workers - 1)
    others = [pool.submit(work, todo) for _ in range(workers - 1)]
    try:
        first = work(todo)
    except BaseException:
        wait([other for other in others if not other.cancel()])
        raise
    return [first, *(other.result() for other in others if not other.cancel())]


def _pool_of(workers: int) -> ThreadPoolExecutor:
    """Return the pool, with at least so many threads."""
    global _pool, _size
    if _pool is None or workers > _size:
        if _pool is None and hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=_forget)
        _size = max(CORES - 1, workers)
        _pool = ThreadPoolExecutor(_size, thread_name_prefix="sweepscope")
    return _pool


def spread_range(work: Callable[[int, int], Any], count: int, size: int) -> None:
    """Call work(begin, end) for every run of `size` of the numbers 0 .. count - 1, on all cores.

    Runs do not depend on the number of threads, so results do not either.
    """

    def each(todo: Iterator[int]) -> None:
        for share in todo:
            work(share * size, min(count, share * size + size))

    shares = -(-count // size)
    spread(each, shares, min(WORKERS, shares))


def run_rows(
    work: Callable[[int, int], object],
    count: int,
    threads: int | None = None,
    progress: Progress | None = None,
    size: int | None = None,
) -> None:
    """Call work(begin, end) for runs of the rows 0 .. count - 1, on up to `threads` threads, by default all cores.

    Rows are independent of each other, so results do not depend on the runs. size: rows of a run; by default runs grow until
    one takes about _SLICE seconds. If a run raises, or Ctrl-C is pressed, no further one begins. progress is called by the
    calling thread.
    """
    lock = threading.Lock()
    workers = max(1, min(threads or CORES, -(-count // (size or _FIRST))))
    begun = done = 0
    stopped = False

    def take(wanted: int) -> tuple[int, int]:
        nonlocal begun
        with lock:
            first = begun
            if size is None:
                wanted = min(wanted, max(_FIRST, (count - first) // (_SPARE * workers)))
            begun = first if stopped else min(count, first + wanted)
            return first, begun

    def each(_: Iterator[int]) -> None:
        nonlocal done, stopped
        mine = threading.current_thread() is caller
        wanted = size or _FIRST
        try:
            while True:
                first, last = take(wanted)
                if first == last:
                    return
                start = time.perf_counter()
                work(first, last)
                took = time.perf_counter() - start
                with lock:
                    done += last - first
                if size is None:
                    wanted = max(1, min(2 * wanted, int((last - first) * _SLICE / max(took, 1e-9))))
                if progress is not None and mine:
                    progress(done, count)
        except BaseException:
            stopped = True
            raise

    caller = threading.current_thread()
    spread(each, workers, workers)
    if progress is not None and count:
        progress(count, count)


def _forget() -> None:
    """Drop the pool: a forked process has the pool but not its threads."""
    global _pool
    _pool = None
