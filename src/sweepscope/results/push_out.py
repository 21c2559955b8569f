"""Result of `Scene.push_out`: a way out of an overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..immutable import Frozen

if TYPE_CHECKING:
    from ..motion import Translate
    from ..world.body import Body


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PushOutResult(Frozen):
    """A straight motion after which a mover overlaps nothing: `body.pose = out.motion.at() @ body.pose`.

    True if the mover overlaps something at the start.
    """

    motion: Translate
    """From the start to a place where it touches or is free; its length is 0 if nothing overlaps at the start."""
    exact: bool
    """True if no shorter motion leads out, to the tolerance; False if there may be one: `depth` is then an upper bound."""
    obstacles: tuple[Body, ...]
    """The bodies that it overlaps at the start; empty if there are none."""
    movers: tuple[Body, ...]
    """All bodies that move."""

    @property
    def depth(self) -> float:
        """Length of the motion [length]."""
        return self.motion.length

    def __bool__(self) -> bool:
        return bool(self.obstacles)

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, which `json.dumps` takes: bodies by name."""
        return {
            "motion": list(self.motion.vector),
            "depth": self.depth,
            "exact": self.exact,
            "obstacles": [body.name for body in self.obstacles],
        }

    def __repr__(self) -> str:
        if not self.obstacles:
            return "<PushOutResult: overlaps nothing>"
        names = " and ".join(repr(body.name) for body in self.obstacles)
        return f"<PushOutResult: {'' if self.exact else 'at most '}{self.depth:.6g}, out of {names}>"
