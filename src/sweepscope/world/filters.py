"""Filters: which bodies pass through each other. Groups by name, pairs by body rows, and the bodies that one query ignores."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidQuery, NotFound
from ..kernels.layout import GROUP, IGNORES

MOST_GROUPS = 62
_EVERY_MOVER = -1
_NO_SKIPS = np.empty((0, 2), np.int64)
_NO_ROWS: frozenset[int] = frozenset()

Pairs = dict[int, set[int]]
"""For a body row, the rows that it passes through. A pair is there twice, from each of its rows."""


class Filters:
    """Which groups and which bodies of a scene ignore each other.

    The user ignores pairs (`Scene.ignore`), and so do robots. Neither changes the pairs of the other. The pairs of robots
    follow from their links and attached bodies: they are worked out when they are needed, and again after a robot has changed.
    """

    __slots__ = ("_groups", "_masks", "_of_robots", "_pairs", "_robots", "version")

    def __init__(self) -> None:
        self._groups: dict[str, int] = {"": 0}
        self._masks: list[int] = [0]  # for each group, the bits of the groups that it ignores
        self._pairs: Pairs = {}  # of the user
        self._of_robots: Pairs | None = {}  # None: to be worked out
        self._robots: dict[str, Callable[[], Iterable[tuple[int, int]]]] = {}  # by name: what returns the pairs of a robot
        self.version = 0
        """Number of changes so far."""

    def packed(self) -> tuple[dict[str, int], list[int], dict[int, list[int]], dict[int, list[int]]]:
        """Return all of it, for a copy of the scene: groups, masks, pairs of the user, pairs of robots."""
        return dict(self._groups), list(self._masks), _sorted(self._pairs), _sorted(self._robot_pairs())

    def fill(
        self, groups: dict[str, int], masks: list[int], pairs: dict[int, list[int]], of_robots: dict[int, list[int]]
    ) -> None:
        """Take over what `packed` returned. Pairs of robots become the user's, until their robots are copied too."""
        self.version += 1
        self._groups, self._masks = groups, masks
        for each in (pairs, of_robots):
            for row, passed in each.items():
                self._pairs.setdefault(row, set()).update(passed)

    def set_robot(self, name: str, pairs: Callable[[], Iterable[tuple[int, int]]] | None) -> None:
        """Set what returns the pairs of body rows of a robot, and work them out again; None: the robot is gone."""
        self.version += 1
        if pairs is None:
            self._robots.pop(name, None)
        else:
            self._robots[name] = pairs
        self._of_robots = None

    def _robot_pairs(self) -> Pairs:
        """Return the pairs of all robots."""
        known = self._of_robots
        if known is None:
            known = {}
            for pairs in self._robots.values():
                for a, b in pairs():
                    known.setdefault(a, set()).add(b)
                    known.setdefault(b, set()).add(a)
            self._of_robots = known
        return known

    def group(self, name: str) -> int:
        """Return the number of a group; a new name gets a new number."""
        if name not in self._groups:
            if len(self._groups) > MOST_GROUPS:
                raise InvalidQuery(f"group {name!r}: a scene has at most {MOST_GROUPS} groups")
            self._groups[name] = len(self._groups)
            self._masks.append(0)
        return self._groups[name]

    def mask(self, group: int) -> int:
        """Return the bits of the groups that a group ignores."""
        return self._masks[group]

    def set_groups(self, a: str, b: str, ignored: bool) -> None:
        """Set whether two groups ignore each other."""
        for name in (a, b):
            if not name or name not in self._groups:
                groups = checks.listed(group for group in self._groups if group)
                raise NotFound(f"no group {checks.shown(name)} in this scene; it has {groups}")
        self.version += 1
        i, j = self._groups[a], self._groups[b]
        for x, y in ((i, j), (j, i)):
            self._masks[x] = self._masks[x] | (1 << y) if ignored else self._masks[x] & ~(1 << y)

    def set_pair(self, a: int, b: int, ignored: bool) -> None:
        """Set whether the user ignores a pair of bodies, given by their rows."""
        self.version += 1
        for one, other in ((a, b), (b, a)):
            if ignored:
                self._pairs.setdefault(one, set()).add(other)
            else:
                self._pairs.get(one, set()).discard(other)

    def has_pair(self, a: int, b: int) -> bool:
        """True if the user ignores a pair of bodies; groups and robots do not count."""
        return b in self._pairs.get(a, ())

    def renumber(self, numbers: dict[int, int]) -> None:
        """Take over new numbers of all body rows that are in use."""
        self.version += 1
        self._pairs = {numbers[row]: {numbers[other] for other in passed} for row, passed in self._pairs.items() if passed}
        self._of_robots = None

    def forget(self, row: int) -> None:
        """Delete the pairs of a removed body."""
        self.version += 1
        for other in self._pairs.pop(row, ()):
            self._pairs[other].discard(row)
        if self._of_robots and row in self._of_robots:
            self._of_robots = None

    def ignored_pairs(self, movers: NDArray[np.int64], ignored: list[int]) -> NDArray[np.int64]:
        """Return what movers pass through, for sweep kernels: body rows (mover, or -1 for all; obstacle), shape (k, 2).

        Groups are not included: kernels read them from the bodies' columns.
        """
        of_robots = self._of_robots
        if of_robots is None:
            of_robots = self._robot_pairs()
        if not ignored and not self._pairs and not of_robots:
            return _NO_SKIPS
        pairs = [(_EVERY_MOVER, row) for row in ignored]
        for mover in movers.tolist():
            pairs += [(mover, row) for known in (self._pairs, of_robots) for row in known.get(mover, ())]
        return np.array(pairs, np.int64) if pairs else _NO_SKIPS

    def ignored_of_each(
        self, movers: NDArray[np.int64], ignored: list[int]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return `ignored_pairs` of each mover, one after another; where those of each begin; and how many they are."""
        if not ignored and not self._pairs and not self._robot_pairs():
            none = np.zeros(len(movers), np.int64)
            return _NO_SKIPS, none, none
        each = [self.ignored_pairs(movers[k : k + 1], ignored) for k in range(len(movers))]
        counts = np.array([len(pairs) for pairs in each], np.int64)
        return np.concatenate(each or [_NO_SKIPS]), np.cumsum(counts) - counts, counts

    def hidden(self, bodies: NDArray[np.int64], movers: NDArray[np.int64], ignored: list[int]) -> NDArray[np.uint8]:
        """Return 1 for each body that a picture leaves out: movers, ignored bodies, and bodies that all movers pass through.

        bodies: those of the World, body rows in use only.
        """
        hidden = np.zeros(len(bodies), np.uint8)
        if any(self._masks):
            hidden[:] = 1
            for mover in movers.tolist():
                passed = ((bodies[mover, IGNORES] >> bodies[:, GROUP]) & 1).astype(np.uint8)
                passed[list(self._passed(mover))] = 1
                hidden &= passed
        elif self._pairs or self._robot_pairs():
            hidden[list(frozenset.intersection(*map(self._passed, movers.tolist())))] = 1
        hidden[movers] = 1
        if ignored:
            hidden[ignored] = 1
        return hidden

    def without_pairs(self, first: NDArray[np.int64], second: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
        """Return which pairs of body rows, out of `count` rows, do not ignore each other; groups do not count."""
        if not self._pairs and not self._robot_pairs():
            return np.ones(len(first), np.bool_)
        both = (*self._pairs.items(), *self._robot_pairs().items())
        known = np.array([a * count + b for a, passed in both for b in passed], np.int64)
        return ~np.isin(first * count + second, known)

    def _passed(self, row: int) -> frozenset[int]:
        """Return the rows that a body passes through; groups do not count."""
        return _NO_ROWS.union(self._pairs.get(row, ()), self._robot_pairs().get(row, ()))


def _sorted(pairs: Pairs) -> dict[int, list[int]]:
    """Return pairs as plain values; rows without any are left out."""
    return {row: sorted(passed) for row, passed in pairs.items() if passed}


def may_meet(bodies: NDArray[np.int64], mover: int, obstacle: int, ignored_pairs: NDArray[np.int64]) -> bool:
    """True if neither groups nor `skips` let a mover pass through a body; the same rule as in kernels."""
    if (bodies[mover, IGNORES] >> bodies[obstacle, GROUP]) & 1:
        return False
    return not any(row == obstacle and first in (mover, _EVERY_MOVER) for first, row in ignored_pairs.tolist())
