"""Work on several threads: every share is done once, also by work that spreads work of its own."""

import threading

import pytest

from sweepscope import threads


@pytest.mark.parametrize(("count", "size"), [(0, 5), (1, 5), (5, 5), (11, 5), (1000, 7)])
def test_runs_cover_the_range_once(count, size):
    runs = []
    threads.spread_range(lambda begin, end: runs.append((begin, end)), count, size)
    assert sorted(runs) == [(k, min(count, k + size)) for k in range(0, count, size)]


def test_work_may_spread_work():
    done = []

    def inner(todo):
        for share in todo:
            done.append(share)

    def outer(todo):
        for _ in todo:
            threads.spread(inner, 10, 4)

    threads.spread(outer, 8, 4)
    assert sorted(done) == sorted(8 * list(range(10)))


def test_a_caller_that_holds_a_lock_does_not_wait_for_those_who_want_it():
    # All threads of the pool wait for the lock; the caller, who has it, spreads work and must not wait for them.
    lock = threading.Lock()
    asked = threading.Semaphore(0)
    done = []

    def wait(todo):
        for _ in todo:
            asked.release()
            with lock:
                pass

    with lock:
        waiting = threading.Thread(target=threads.spread, args=(wait, 2 * threads.WORKERS, threads.WORKERS))
        waiting.start()
        for _ in range(threads.WORKERS):
            asked.acquire()
        threads.spread_range(lambda begin, end: done.append(begin), 6, 1)
    waiting.join()
    assert sorted(done) == list(range(6))


def test_an_error_of_any_thread_is_raised():
    def fail(begin, end):
        raise ZeroDivisionError(begin)

    with pytest.raises(ZeroDivisionError):
        threads.spread_range(fail, 100, 1)


@pytest.mark.parametrize("threads_used", [1, 2, 8, None])
@pytest.mark.parametrize(("count", "size"), [(0, None), (1, None), (1000, None), (1000, 7), (1000, 10_000)])
def test_every_row_is_done_once(threads_used, count, size):
    runs, calls = [], []
    threads.run_rows(lambda lo, hi: runs.append((lo, hi)), count, threads_used, lambda *given: calls.append(given), size)
    assert sorted(row for lo, hi in runs for row in range(lo, hi)) == list(range(count))
    assert all(lo < hi for lo, hi in runs)
    if size is not None:
        assert max(hi - lo for lo, hi in runs) <= size
    assert calls == sorted(calls)
    assert calls[-1:] == ([(count, count)] if count else [])


def test_no_run_begins_after_an_error():
    done = []

    def work(lo, hi):
        done.append(lo)
        if lo >= 50:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        threads.run_rows(work, 100_000, 2, size=10)
    assert len(done) < 1000


def test_an_interrupt_in_progress_ends_the_rows():
    done = []

    def stop(some, _):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        threads.run_rows(lambda lo, hi: done.append(lo), 1_000_000, 2, stop, size=1)
    assert len(done) < 1_000_000
