"""Pairs of links that a robot should ignore."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ..errors import NotFound
from ..immutable import Frozen

if TYPE_CHECKING:
    from ..robot.tree import LinkTree


class IgnoredPair(NamedTuple):
    """Two links of a robot that need not be tested against each other."""

    a: str
    """Name of a link."""
    b: str
    """Name of another link, which comes after the first in `Robot.links`."""
    reason: str
    """"Adjacent": a joint connects them. "Default": they overlap at the start. "Always": in more than 95 % of the samples.
    "Never": in none."""


@dataclass(frozen=True, slots=True, eq=False)
class IgnoresResult(Frozen):
    """Pairs of links that `Robot.suggest_ignores` found, in the order of links. True if there are any.

    "Never" is an observation, not a proof: a pair that overlaps in one of a million configurations may be among them.
    """

    _tree: LinkTree = field(repr=False)
    pairs: tuple[IgnoredPair, ...]
    """The pairs."""
    samples: int
    """Number of configurations that were tested, besides the start."""

    def apply(self) -> None:
        """Let the robot ignore these pairs: its links, not bodies that are attached to them."""
        missing = [name for pair in self.pairs for name in pair[:2] if name not in self._tree.links]
        if missing:
            raise NotFound(f"no link {missing[0]!r} in robot {self._tree.name!r} any more: links were removed since")
        self._tree.disable(self.pairs)

    def __iter__(self) -> Iterator[IgnoredPair]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        counts = Counter(pair.reason for pair in self.pairs)
        return f"<IgnoresResult: {', '.join(f'{count} {reason}' for reason, count in counts.items()) or 'none'}>"
