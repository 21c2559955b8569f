"""State of hands and fingers, and what the two methods of moving them share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Link, Robot
from sweepscope.radar import Radar, RadarReading

from ..scenes.hand import FINGERS, FOUR

FARTHEST = 3000.0
"""An approach that has met nothing by then [length] has missed."""
LEAST = 1e-9
"""A joint that can turn by less [radians] is not free."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A joint that a radar stopped, and the answer of an exact sweep from the same start."""

    frame: int
    hand: int
    joint: str
    why: str
    """What ended it: "contact", "link" or "limit"."""
    value: float
    """Where it stopped [radians]."""
    exact: float
    """Where an exact sweep stops [radians]."""
    pixel: float
    """A pixel's angle [radians]: its size in the view of the part that hit, over the lever arm of the contact."""


@dataclass(frozen=True, slots=True)
class End:
    """Why a joint rests."""

    why: str
    when: int
    """Number of motions before it."""
    bodies: tuple[int, ...]
    """Ids of the bodies in contact: after one of them has moved, the joint may be free again."""


@dataclass(slots=True, eq=False)
class Finger:
    """State of a finger: which joint moves, and why the others rest."""

    hand: int
    robot: Robot
    name: str
    at: int = 0
    """The joint that moves now, root to tip; 3 when all rest."""
    start: float = 0.0
    """Value of that joint when its turn began [radians]."""
    ends: dict[int, End] = field(default_factory=dict)
    joints: tuple[str, ...] = ()
    limits: tuple[float, ...] = ()
    """How far each joint closes [radians]."""
    links: tuple[Link, ...] = ()
    """Its three parts."""

    def __post_init__(self) -> None:
        self.joints = tuple(f"{self.name} {k}" for k in (1, 2, 3))
        self.limits = tuple(self.robot.joints[joint].limits[1] for joint in self.joints)
        self.links = tuple(self.robot.links[joint] for joint in self.joints)

    @property
    def joint(self) -> str:
        """The joint that moves now."""
        return self.joints[self.at]


@dataclass(slots=True, eq=False)
class Hand:
    """State of a hand."""

    number: int
    robot: Robot
    hold: float
    """Position along the hand of the point that it aims with [length]."""
    phase: str = "search"
    facing: int = 0
    """Number of turns to face the target."""
    gone: float = 0.0
    """How far it went ahead [length]."""
    radar: Radar | None = None
    """Radar of the whole hand, from its mask to first touch."""
    fingers: tuple[Finger, ...] = ()
    four: tuple[Link, ...] = ()
    """The parts of the four fingers that bend together."""

    def __post_init__(self) -> None:
        self.fingers = tuple(Finger(self.number, self.robot, name) for name in FINGERS)
        self.four = tuple(link for finger in self.fingers if finger.name in FOUR for link in finger.links)

    @property
    def ahead(self) -> NDArray[np.float64]:
        """Unit direction of the palm, shape (3,), world."""
        return self.robot.pose[:3, 2]

    @property
    def eye(self) -> NDArray[np.float64]:
        """Point that the hand aims with, shape (3,), world."""
        return self.robot.pose[:3, 3] + self.hold * self.robot.pose[:3, 1]

    @property
    def resting(self) -> bool:
        """True if all its fingers rest."""
        return all(finger.at == 3 for finger in self.fingers)


class Driver(ABC):
    """Moves hands, and records when each body last moved: a joint is tried again after what stopped it has moved."""

    def __init__(self, step: float, pace: float, target: Sequence[Body]) -> None:
        self.step, self.pace = step, pace
        self.target = frozenset(body.id for body in target)
        self.queries = 0
        """Number of queries in this frame."""
        self.measuring_seconds = 0.0
        """Time of measuring in this frame [s]."""
        self.reach = 1e-6
        """A smaller distance is contact [length]."""
        self.stops: list[Stop] = []
        """With radars: joints that stopped, each with the answer of the exact method."""
        self.readings: list[RadarReading] = []
        """With radars: what they read in this frame, before its moves."""
        self._clock = 0
        self._last: dict[int, int] = {}

    @abstractmethod
    def go(self, approaching: list[Hand], bending: list[Hand], fingers: list[Finger]) -> list[Hand]:
        """Make one frame's moves; return the hands that have finished approaching, or bending four fingers."""

    def moved(self, bodies: Iterable[Body]) -> None:
        """Record that bodies have moved."""
        self._clock += 1
        for body in bodies:
            self._last[body.id] = self._clock

    def moved_links(self, links: Iterable[Link]) -> None:
        """Record that links have moved."""
        self.moved(body for link in links for body in link.bodies)

    def end(self, finger: Finger, why: str, bodies: tuple[int, ...] = ()) -> None:
        """Let the current joint rest, and continue with the next one outward that may be free."""
        finger.ends[finger.at] = End(why, self._clock, bodies)
        self._begin(finger, (*range(finger.at + 1, 3), *range(finger.at)))

    def wake(self, finger: Finger) -> None:
        """Let a resting finger continue if one of its joints may be free again."""
        if finger.at == 3:
            self._begin(finger, range(3))

    def why(self, met: int) -> str:
        """Return "contact" or "link" for being stopped by the body of this id."""
        return "contact" if met in self.target else "link"

    def _begin(self, finger: Finger, order: Iterable[int]) -> None:
        finger.at = next((k for k in order if self._may_be_free(finger.ends.get(k))), 3)
        if finger.at < 3:
            finger.start = finger.robot[finger.joint]

    def _may_be_free(self, end: End | None) -> bool:
        return end is None or any(self._last.get(body, 0) > end.when for body in end.bodies)
