"""Work that is asked for faster than it is done."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable


class Latest:
    """Does a piece of work again and again on threads that call it; calls that come while it runs are done together, once more.

    So a slider that sends a hundred values gets the answer to the last one, and no queue grows.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._busy = threading.Lock()
        self._wanted = threading.Event()

    def __call__(self) -> None:
        """Do the work, or leave it to the thread that is at it."""
        self._wanted.set()
        # Who comes between the last look and the release finds the lock taken: so look again after the release.
        while self._wanted.is_set() and self._busy.acquire(blocking=False):
            try:
                while self._wanted.is_set():
                    self._wanted.clear()
                    self._work()
            finally:
                self._busy.release()


class Later:
    """As `Latest`, on a thread of its own: who calls does not wait."""

    def __init__(self, work: Callable[[], None], name: str) -> None:
        self._work = work
        self._wanted = threading.Event()
        self._ended = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def __call__(self) -> None:
        """Have the work done, soon."""
        self._wanted.set()

    def close(self) -> None:
        """End the thread."""
        self._ended = True
        self._wanted.set()
        self._thread.join()

    def _run(self) -> None:
        while self._wanted.wait() and not self._ended:
            self._wanted.clear()
            try:
                self._work()
            except Exception:
                traceback.print_exc()  # the next call has another chance
