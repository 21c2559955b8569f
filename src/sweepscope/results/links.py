"""Results of questions about many motions of a robot, and about trajectories."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..immutable import Frozen
from ..leading import Row, Rows, numbers_at
from .numbers import plain, shown

if TYPE_CHECKING:
    from ..world.body import Body


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LinkHits(Frozen):
    """First contacts of many motions of a robot's joints, as arrays of any leading shape; the index of a row selects it.

    Where a motion is free, time is 1, ids and links are -1, and other numbers NaN; false if all are free.
    """

    time: NDArray[np.float64]
    """Share of the motion, 0 .. 1, shape (...); never later than the true contact. 1 if free."""
    q: NDArray[np.float64]
    """Configuration at that time, shape (..., joints), in the order of `actuated_joints`."""
    mover: NDArray[np.int64]
    """Id of the body of the robot that hit something, shape (...). `scene[id]` is the body."""
    obstacle: NDArray[np.int64]
    """Id of the body that was hit, shape (...)."""
    link: NDArray[np.int64]
    """Index in `links` of the link that hit something, shape (...)."""
    obstacle_link: NDArray[np.int64]
    """Index in `links` of the link of the same robot that was hit, shape (...); -1 if the obstacle is another body."""
    point: NDArray[np.float64]
    """Nearest point of the obstacle, shape (..., 3) [length], world."""
    normal: NDArray[np.float64]
    """Unit, from the obstacle towards the mover, shape (..., 3), world; NaN if they overlap."""
    bound: NDArray[np.float64]
    """The two are at most so far apart at that time, less the margin, shape (...) [length]."""
    overlapping: NDArray[np.bool_]
    """Whether the two overlap at the start, shape (...)."""
    links: tuple[str, ...]
    """Names of the robot's links."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Leading shape."""
        return self.time.shape

    @property
    def free(self) -> NDArray[np.bool_]:
        """Whether each motion is free, shape (...)."""
        return self.mover < 0

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return copies of the arrays by name."""
        return {field.name: np.array(getattr(self, field.name), order="C") for field in fields(self)[:-1]}

    def __bool__(self) -> bool:
        return not bool(self.free.all())

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("LinkHits of shape () have no len")
        return self.shape[0]

    def __getitem__(self, key: Row | Rows) -> LinkHits:
        numbers_at(key, self.shape)  # raises if it is not an index of rows
        rows = {field.name: np.asarray(getattr(self, field.name)[key]) for field in fields(self)[:-1]}
        return LinkHits(**rows, links=self.links)

    def __repr__(self) -> str:
        return f"<LinkHits: {int((~self.free).sum())} of {self.time.size} motions hit, shape {self.shape}>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TrajectoryHit(Frozen):
    """First contact of a robot that follows a trajectory, or a path of waypoints."""

    time: float
    """In the trajectory's own time; never later than the true contact. Of a path: the index of a waypoint, plus the share of
    the way to the next."""
    q: NDArray[np.float64]
    """Configuration at that time, shape (joints,): `robot.q = hit.q` puts the robot there."""
    link: str
    """The link that hit something."""
    obstacle_link: str | None
    """The link of the same robot that was hit; None if the obstacle is another body."""
    mover: Body
    """The body of the link that hit something."""
    obstacle: Body
    """The body that was hit."""
    point: NDArray[np.float64]
    """Nearest point of the obstacle, shape (3,) [length], world. If one is wholly inside: a point of the inner body."""
    normal: NDArray[np.float64]
    """Unit, from the obstacle towards the mover, shape (3,), world; NaN if they overlap."""
    overlapping: bool
    """True if the two overlap at the start, by more than the tolerance."""
    bound: float
    """The two are at most so far apart at that time, less the margin [length]."""

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, which `json.dumps` takes: bodies by name, arrays as lists; no normal if they overlap."""
        return {
            "time": float(self.time),
            "q": plain(self.q),
            "link": self.link,
            "obstacle_link": self.obstacle_link,
            "mover": self.mover.name,
            "obstacle": self.obstacle.name,
            "point": plain(self.point),
            "normal": plain(self.normal),
            "overlapping": bool(self.overlapping),
            "bound": float(self.bound),
        }

    def __repr__(self) -> str:
        how = "overlaps" if self.overlapping else "meets"
        return (
            f"<TrajectoryHit: {self.mover.name!r} {how} {self.obstacle.name!r} at time {self.time:.6g}, at {shown(self.point)}>"
        )
