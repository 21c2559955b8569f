"""Results of sweeps, slides and predictions: what was met, when and where."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from ..immutable import Frozen
from ..renderers import PageOptions, Pictured, PictureOptions, renderer_for
from .numbers import plain, shown

if TYPE_CHECKING:
    from os import PathLike

    from ..motion import Motion, Translate
    from ..viewer.page import Page
    from ..world.body import Body
    from ..world.snapshot import Snapshot
    from .gradient import HitGradient
    from .sweep_all import SweepAllResult


@dataclass(frozen=True, slots=True)
class Feature(Frozen):
    """The part of a body that touches: a vertex, an edge or a face of its shape; of a volume, of one voxel.

    kind "none" (face -1, no vertices) means that one body lies wholly inside the other, so no surfaces touch. For a volume,
    `voxel` is then the voxel that holds the hit's point.
    """

    kind: Literal["vertex", "edge", "face", "none"]
    vertices: tuple[int, ...] = ()
    """Indices into the shape's vertices: one, two or three; empty for a volume."""
    face: int = -1
    """Index of the face that has the feature; -1 for a volume."""
    voxel: tuple[int, int, int] | None = None
    """Indices (i, j, k) of the voxel; None if the shape is not a volume."""

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, which `json.dumps` takes: kind, and vertices with face, or voxel."""
        if self.voxel is not None:
            return {"kind": self.kind, "voxel": list(map(int, self.voxel))}
        return {"kind": self.kind, "vertices": list(map(int, self.vertices)), "face": int(self.face)}


class Later(Frozen):
    """A slot for what is computed lazily: most callers read only `time`."""

    __slots__ = ("_later",)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Hit(Later, Pictured):
    """First contact of a sweep.

    Its `picture` shows the mover at its start, a ghost of it at the contact, the paths of its points, the contact and its
    normal, in the scene as it was when the hit was found. The movers may have moved since; if anything else has changed, it
    raises.
    """

    _drawn_as = "hit"

    time: float
    """Fraction of the motion, 0 .. 1; never later than the true contact."""
    travel: float
    """Travel of the mover up to contact: [length] for a translation, [radians] for a turn."""
    obstacle: Body
    """The body that was hit."""
    mover: Body
    """The mover that hit it."""
    point: NDArray[np.float64]
    """Contact point on the obstacle: shape (3,) [length], world. If one is wholly inside: a point of the inner body."""
    normal: NDArray[np.float64]
    """Unit, from the obstacle towards the mover: shape (3,), world. NaN if one is wholly inside."""
    features: tuple[Feature, Feature]
    """The touching feature of the mover, and that of the obstacle."""
    overlapping: bool
    """True if the two overlap at the start, by more than the tolerance."""
    motion: Motion | None
    """The motion that was swept: a Translate if a given turn does not turn. None if several joints of a robot move, and on
    later legs of a slide, which do not start where the mover is."""
    movers: tuple[Body, ...]
    """All bodies that move, `mover` among them."""
    pose: NDArray[np.float64]
    """Pose of `mover` at the contact: shape (4, 4), world. `body.pose = hit.pose` moves it there."""
    _snapshot: Snapshot = field(repr=False)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Compute point, normal, features and pose. Python calls this only for attributes that are not set yet."""
            if name == "pose":
                start = self._snapshot.poses[self.movers.index(self.mover)]
                object.__setattr__(self, name, self.motion.at(self.time) @ start)
            elif name in ("point", "normal", "features"):
                make, found = self._later
                for each, value in zip(("point", "normal", "features"), make(*found), strict=True):
                    object.__setattr__(self, each, value)
            else:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            return getattr(self, name)

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, which `json.dumps` takes: bodies by name, arrays as lists.

        normal and features are None if one body is wholly inside the other, travel if several joints move.
        """
        inside = self.features[0].kind == "none"
        return {
            "time": float(self.time),
            "travel": None if math.isnan(self.travel) else float(self.travel),
            "obstacle": self.obstacle.name,
            "mover": self.mover.name,
            "overlapping": bool(self.overlapping),
            "pose": plain(self.pose),
            "point": plain(self.point),
            "normal": plain(self.normal),
            "features": None if inside else [feature.as_dict() for feature in self.features],
        }

    def gradient(self) -> HitGradient:
        """Return the derivatives of `time` with respect to the poses of mover and obstacle, and to the motion.

        See docs/gradient.md. The movers may have moved since the hit was found; if anything else in the scene has changed, it
        raises.
        """
        return _gradient_of()(self)

    def animate(
        self,
        path: str | PathLike[str],
        *,
        frames: int = 48,
        seconds: float = 3.0,
        size: tuple[int, int] = (480, 360),
        **options: Unpack[PictureOptions],
    ) -> None:
        """Write an animated GIF of the motion up to the contact. Arguments: as in `Scene.animate`."""
        renderer_for("animate_hit")(self, path, frames=frames, seconds=seconds, size=size, **options)

    def show(self, **options: Unpack[PageOptions]) -> Page:
        """Show the hit, and the way to it, on a page in the browser; return the page at once. options: docs/viewer.md."""
        return renderer_for("page")(self, **options)

    def __repr__(self) -> str:
        how = "overlaps" if self.overlapping else "meets"
        where, side = shown(self.point), shown(self.normal)
        touching = " on ".join(feature.kind for feature in self.features)
        time = f"time {self.time:.4g}"
        when = f"at {time}" if math.isnan(self.travel) else f"after {self.travel:.6g} ({time})"
        return (
            f"<{type(self).__name__}: {self.mover.name!r} {how} {self.obstacle.name!r} {when}, {touching}, "
            f"at {where}, normal {side}>"
        )


@cache
def _gradient_of() -> Callable[[Hit], HitGradient]:
    """Return the function that makes gradients, imported once, with its kernel."""
    from .differentiate import gradient_of

    return gradient_of


_new_hit: Any = Hit.__new__
# Setters of the slots: a frozen class has no others, and by name they take longer.
_set_time, _set_travel, _set_obstacle, _set_mover, _set_overlapping, _set_motion, _set_movers, _set_snapshot, _set_later = (
    getattr(Hit, name).__set__
    for name in ("time", "travel", "obstacle", "mover", "overlapping", "motion", "movers", "_snapshot", "_later")
)


def hit_of(
    time: float,
    travel: float,
    obstacle: Body,
    mover: Body,
    overlapping: bool,
    motion: Motion,
    movers: tuple[Body, ...],
    snapshot: Snapshot,
    later: tuple[Callable[..., Any], tuple[Any, ...]],
) -> Hit:
    """Return a hit whose point, normal, features and pose are computed when they are first read.

    later: a function that returns the first three, and its arguments.
    """
    hit = _new_hit(Hit)
    _set_time(hit, time)
    _set_travel(hit, travel)
    _set_obstacle(hit, obstacle)
    _set_mover(hit, mover)
    _set_overlapping(hit, overlapping)
    _set_motion(hit, motion)
    _set_movers(hit, movers)
    _set_snapshot(hit, snapshot)
    _set_later(hit, later)
    return hit


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LinkHit(Hit):
    """First contact of a robot that moves one joint or several."""

    link: str
    """The link that hit something: `mover` belongs to it."""
    obstacle_link: str | None
    """The link of the same robot that was hit; None if the obstacle is another body."""
    positions: dict[str, float]
    """Positions of the swept joints at contact: `robot.positions = hit.positions` puts the robot there."""
    start: dict[str, float]
    """Positions of all joints that are not fixed, at the start."""
    bound: float
    """Largest position error of the links [length]; 0 if one joint moves them, which is exact."""

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data: that of a Hit, with links, positions and bound."""
        links = {"link": self.link, "obstacle_link": self.obstacle_link}
        positions = {name: float(value) for name, value in self.positions.items()}
        return {**Hit.as_dict(self), **links, "positions": positions, "bound": float(self.bound)}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SlideResult(Frozen, Pictured):
    """Result of `Scene.slide`: the path of a mover that goes on along what it meets.

    Its `picture` shows the mover at its start, ghosts of it at the ends of the legs, and every contact.
    """

    _drawn_as = "slide"

    legs: tuple[Translate, ...]
    """The straight parts of the path, in order. Leg k ends at hits[k]; the last one ends free if there is no such hit."""
    hits: tuple[Hit, ...]
    """What was met, in order; `time` and `travel` are those of the motion that was tried from the leg's start."""
    moved: Translate
    """From the start to the end of the path, `pushed` included: `slide.moved.at() @ body.pose` is where the body ends."""
    stopped: bool
    """True if something ended the slide early: a corner, a wall met head-on, an overlap, or no more legs."""
    movers: tuple[Body, ...]
    """All bodies that move."""
    pushed: Translate | None
    """With `push_out=True`: how it was moved out of an overlap before the first leg; None if it was not."""
    _snapshot: Snapshot = field(repr=False)

    @property
    def travel(self) -> float:
        """Length of the path: the sum of the legs [length]. `pushed` does not count."""
        return math.fsum(leg.length for leg in self.legs)

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, which `json.dumps` takes."""
        return {
            "legs": [list(leg.vector) for leg in self.legs],
            "hits": [hit.as_dict() for hit in self.hits],
            "moved": list(self.moved.vector),
            "pushed": None if self.pushed is None else list(self.pushed.vector),
            "travel": self.travel,
            "stopped": self.stopped,
        }

    def __repr__(self) -> str:
        names = " and ".join(dict.fromkeys(repr(hit.obstacle.name) for hit in self.hits))
        met = f", meets {names}" if names else ""
        legs = "1 leg" if len(self.legs) == 1 else f"{len(self.legs)} legs"
        out = "" if self.pushed is None else f"pushed out by {self.pushed.length:.6g}, "
        return f"<SlideResult: {out}{legs}, {self.travel:.6g}{met}{', stopped' if self.stopped else ''}>"


def snapshot_of(result: Hit | SlideResult | SweepAllResult) -> Snapshot:
    """Return the state of the scene in which a result was found."""
    return result._snapshot  # noqa: SLF001  (the only access to it, for code that draws results)


@dataclass(frozen=True, slots=True, eq=False)
class PairContact(Frozen):
    """First contact of two bodies, at least one of which moves: a result of `Scene.predict`."""

    time: float
    """Time of contact from now [time], in the unit of the motions; 0 is now. Never later than the true contact."""
    first: Body
    """The body that was added to the scene first."""
    second: Body
    point: NDArray[np.float64]
    """Contact point on the second: shape (3,) [length], world, at that time. If nested: a point of the inner body."""
    normal: NDArray[np.float64]
    """Unit, from the second towards the first: shape (3,), world, at that time. NaN if nested."""
    overlapping: bool
    """True if the two overlap now, by more than the tolerance; False at time 0 means that they touch."""

    @property
    def bodies(self) -> tuple[Body, Body]:
        """Both bodies."""
        return self.first, self.second

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, which `json.dumps` takes: bodies by name, arrays as lists. normal is None if nested."""
        return {
            "time": float(self.time),
            "first": self.first.name,
            "second": self.second.name,
            "overlapping": bool(self.overlapping),
            "point": plain(self.point),
            "normal": plain(self.normal),
        }

    def __repr__(self) -> str:
        how = "overlap now" if self.overlapping else "touch now" if self.time == 0.0 else f"meet at time {self.time:.6g}"
        return f"<PairContact: {self.first.name!r} and {self.second.name!r} {how}>"


def plain_hit(hit: Hit | None, motion: Motion) -> dict[str, Any]:
    """Return the answer of a sweep as plain data, for JSON: missing values are None."""
    found = {"time": None, "travel": motion.length} if hit is None else hit.as_dict()
    return {"hit": hit is not None, **found, "unit": "radians" if motion.turns else "length"}


def plain_link_hit(hit: LinkHit | None) -> dict[str, Any]:
    """Return the answer of a robot's sweep as plain data, for JSON."""
    return {"hit": False} if hit is None else {"hit": True, **hit.as_dict()}
