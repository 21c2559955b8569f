"""Work that is asked for faster than it is done."""

from __future__ import annotations

import threading
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
