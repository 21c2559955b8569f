"""Results of `Scene.sweep_all`: everything that a mover meets on its way, and when it is past it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

from .. import checks
from ..errors import InvalidIndex
from ..immutable import Frozen
from ..renderers import Pictured

if TYPE_CHECKING:
    from ..motion import Motion
    from ..world.body import Body
    from ..world.snapshot import Snapshot
    from .hits import Hit


@dataclass(frozen=True, slots=True, eq=False)
class Passage(Frozen):
    """How a motion meets one body, as if no other body existed: an item of `Scene.sweep_all`.

    Between `hit.time` and `left_time` the mover may leave the body and come back.
    """

    hit: Hit
    """The first contact."""
    left_time: float
    """Fraction of the motion after which the mover does not touch the body any more, `hit.time` .. 1; never earlier than the
    true last contact. Infinite if they touch or overlap at the end of the motion."""
    left_travel: float
    """Travel of the mover up to there: [length] for a translation, [radians] for a turn; infinite as above."""

    @property
    def obstacle(self) -> Body:
        """The body that is met."""
        return self.hit.obstacle

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, which `json.dumps` takes: that of the hit, and when the body is left, None if it is not."""
        left = {"left_time": self.left_time, "left_travel": self.left_travel}
        return {**self.hit.as_dict(), **{name: value if math.isfinite(value) else None for name, value in left.items()}}

    def __repr__(self) -> str:
        how = "overlaps" if self.hit.overlapping else "meets"
        when = "at the start" if self.hit.overlapping else f"after {self.hit.travel:.6g}"
        left = f"leaves it after {self.left_travel:.6g}" if math.isfinite(self.left_travel) else "does not leave it"
        return f"<Passage: {self.hit.mover.name!r} {how} {self.obstacle.name!r} {when}, {left}>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SweepAllResult(Frozen, Pictured):
    """Result of `Scene.sweep_all`: the passages, soonest first. It is false if the motion meets nothing.

    Its length, index and iteration are those of `passages`. Its `picture` shows the mover at its start, ghosts of it at each
    contact and at the end of the motion, and the contacts.
    """

    _drawn_as = "sweep_all"

    passages: tuple[Passage, ...]
    """One for each body that is met, by the time of contact; the first is that of the hit of `Scene.sweep`."""
    motion: Motion
    """The motion that was swept: a Translate if a given turn does not turn."""
    movers: tuple[Body, ...]
    """All bodies that move."""
    _snapshot: Snapshot = field(repr=False)

    @property
    def obstacles(self) -> tuple[Body, ...]:
        """The bodies that are met, soonest first."""
        return tuple(passage.obstacle for passage in self.passages)

    @property
    def hits(self) -> tuple[Hit, ...]:
        """The first contact with each of them."""
        return tuple(passage.hit for passage in self.passages)

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, which `json.dumps` takes."""
        return {"passages": [passage.as_dict() for passage in self.passages]}

    def __len__(self) -> int:
        return len(self.passages)

    def __iter__(self) -> Iterator[Passage]:
        return iter(self.passages)

    @overload
    def __getitem__(self, key: int) -> Passage: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Passage, ...]: ...

    def __getitem__(self, key: Any) -> Any:
        try:
            return self.passages[key]
        except IndexError:
            raise InvalidIndex(f"index {key} is out of range for {checks.amount(len(self), 'body', 'bodies')}") from None

    def __repr__(self) -> str:
        names = ", ".join(repr(body.name) for body in self.obstacles[:4])
        more = f" and {len(self) - 4} more" if len(self) > 4 else ""
        return f"<SweepAllResult: {names}{more}>" if names else "<SweepAllResult: nothing is met>"
