"""Undo and redo of what visitors change: poses, joints, voxels, the mover."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from typing import Any

_MOST_CHANGES = 100
_MOST_BYTES = 1 << 28  # of all changes together
_TOGETHER = 1.0  # changes of one thing that follow each other faster than this are undone together [seconds]


class Change:
    """A change of one value.

    name: what was done, as a noun: "move of tool". key: the thing that changed; None: never merged with another change.
    apply: sets the value.
    """

    def __init__(self, name: str, key: Hashable, apply: Callable[[Any], None], before: Any, after: Any) -> None:
        self.name = name
        self.key = key
        self._apply = apply
        self.before = before
        self.after = after
        self.size = 0
        """Memory that it takes [bytes]; 0 if it is small."""

    def merge(self, newer: Change) -> None:
        """Take in a later change of the same thing."""
        self.after = newer.after

    def undo(self) -> None:
        """Set the value from before."""
        self._apply(self.before)

    def redo(self) -> None:
        """Set the value from after."""
        self._apply(self.after)


class History:
    """The changes that can be undone and redone. Not thread-safe: hold the lock of the page."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._done: list[Change] = []
        self._undone: list[Change] = []
        self._last = 0.0

    def add(self, change: Change) -> None:
        """Record a change that was just made. What was undone before can no longer be redone."""
        now, last = self._clock(), self._done[-1] if self._done else None
        follows = last is not None and not self._undone and now - self._last < _TOGETHER
        if last is not None and follows and change.key is not None and last.key == change.key:
            last.merge(change)
        else:
            self._done.append(change)
        self._undone.clear()
        self._last = now
        while len(self._done) > _MOST_CHANGES or (len(self._done) > 1 and sum(each.size for each in self._done) > _MOST_BYTES):
            del self._done[0]

    def undo(self) -> str | None:
        """Undo the last change; return its name, None if there is nothing to undo."""
        if not self._done:
            return None
        change = self._done.pop()
        change.undo()
        self._undone.append(change)
        return change.name

    def redo(self) -> str | None:
        """Make the change again that was undone last; return its name, None if there is nothing to redo."""
        if not self._undone:
            return None
        change = self._undone.pop()
        change.redo()
        self._done.append(change)
        return change.name
