"""Functions that are called faster than they run."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable


class Latest:
    """Runs a function on the thread that calls. Calls that come while it runs are answered together, by one more run.

    So a slider that sends a hundred values gets the answer to the last one, and no queue grows.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._busy = threading.Lock()
        self._wanted = threading.Event()

    def __call__(self) -> None:
        """Run it, or leave it to the thread that runs it now."""
        self._wanted.set()
        # A call between the last check and the release finds the lock taken: so check again after the release.
        while self._wanted.is_set() and self._busy.acquire(blocking=False):
            try:
                while self._wanted.is_set():
                    self._wanted.clear()
                    self._work()
            finally:
                self._busy.release()


class Later:
    """As `Latest`, on a thread of its own: the caller does not wait."""

    def __init__(self, work: Callable[[], None], name: str) -> None:
        self._work = work
        self._wanted = threading.Event()
        self._ended = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def __call__(self) -> None:
        """Run it soon."""
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
