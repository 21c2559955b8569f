"""What a query answers. Frames and units are in docs/conventions.md."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidQuery

if TYPE_CHECKING:
    from .motion import Rotate, Translate
    from .scene import Body, Scene
    from .scope import AngularView, View
    from .shapes import Volume


@dataclass(frozen=True, slots=True)
class Feature:
    """The part of a body that touches: a vertex, an edge or a face of its shape, or of one voxel of a volume.

    kind "none" (face -1, no vertices) stands where there is no contact to speak of: one body wholly inside the other. Of a
    volume it says in which voxel the hit's point lies.
    """

    kind: Literal["vertex", "edge", "face", "none"]
    vertices: tuple[int, ...] = ()
    """Indices into the shape's vertices: one, two or three; none of a volume."""
    face: int = -1
    """Index of the face that it was found on; -1 of a volume."""
    voxel: tuple[int, int, int] | None = None
    """Indices (i, j, k) of the voxel, of a volume; None of all else."""


@dataclass(frozen=True, slots=True, eq=False)
class Hit:
    """First contact of a sweep."""

    time: float
    """Share of the motion, 0 .. 1; never later than the truth."""
    travel: float
    """How far the mover went, along the motion: [length] of a translation, [radians] of a turn."""
    body: Body
    """What was hit."""
    mover: Body
    """Which of the movers hit it."""
    point: NDArray[np.float64]
    """Where, on the body that was hit: shape (3,) [length], world. Wholly inside: a point of the inner body."""
    normal: NDArray[np.float64]
    """Unit, from the body that was hit towards the mover: shape (3,), world. NaN when wholly inside."""
    features: tuple[Feature, Feature]
    """What touches: of the mover, of the body that was hit."""
    overlapping: bool
    """True if the two overlapped already at the start, by more than the tolerance."""


@dataclass(frozen=True, slots=True, eq=False)
class LinkHit(Hit):
    """First contact of a robot's joint, or of several."""

    link: str
    """Which link hit something: the one that `mover` belongs to."""
    other: str | None
    """The link of the same robot that was hit; None if it was something else."""
    values: dict[str, float]
    """Of the joints that were asked for, at contact: `robot.values = hit.values` goes there."""
    bound: float
    """How far from the truth the links may have been [length]: 0 where one joint moves them, which is exact."""


@dataclass(frozen=True, slots=True, eq=False)
class Meeting:
    """First contact of two bodies of which at least one moves: what `Scene.predict` foresees."""

    frames: float
    """When, in frames from now: 0 is now; never later than the truth."""
    first: Body
    """Of the two, the one that was added to the scene first."""
    second: Body
    point: NDArray[np.float64]
    """Where, on the second: shape (3,) [length], world, at that time. Wholly inside: a point of the inner body."""
    normal: NDArray[np.float64]
    """Unit, from the second towards the first: shape (3,), world, at that time. NaN when wholly inside."""
    overlapping: bool
    """True if the two overlap already now, by more than the tolerance; False at 0 frames means that they touch."""

    @property
    def frame(self) -> int:
        """In which frame it happens: 1 is the one that begins now, 0 means that they are in contact already."""
        return math.ceil(self.frames)

    @property
    def bodies(self) -> tuple[Body, Body]:
        """The two that meet."""
        return self.first, self.second

    def __repr__(self) -> str:
        how = "overlap now" if self.overlapping else "touch now" if self.frames == 0.0 else f"meet in {self.frames:.6g} frames"
        return f"<Meeting: {self.first.name!r} and {self.second.name!r} {how}>"


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """What a look saw. True if it saw anything."""

    view: View
    bodies: tuple[Body, ...]
    """Those that are seen, nearest first."""
    distances: NDArray[np.float64]
    """Of each, how far its nearest pixel is from the near side of the view [length], shape (bodies,)."""
    counts: NDArray[np.int64]
    """Of each, how many pixels show it, shape (bodies,)."""
    depth: NDArray[np.float64]
    """How far each pixel sees [length], shape (rows, columns); the view's depth where nothing is. Row 0 is the top."""
    ids: NDArray[np.int32]
    """Id of the body that each pixel sees, shape (rows, columns); -1 where nothing is."""
    faces: NDArray[np.int32]
    """Index of its face, shape (rows, columns); -1 where nothing is. Of a volume: the number of the voxel, in C order."""

    def __bool__(self) -> bool:
        return bool(self.bodies)

    def __repr__(self) -> str:
        rows, columns = self.depth.shape
        seen = ", ".join(f"{body.name!r} at {far:.6g}" for body, far in zip(self.bodies, self.distances, strict=True))
        return f"<Sighting, {columns} x {rows} pixels: {seen or 'nothing'}>"

    def __contains__(self, body: Any) -> bool:
        """True if a body, or one of that name, is seen."""
        return any(body is each or body == each.name for each in self.bodies)

    @property
    def nearest(self) -> float:
        """Distance of the nearest thing [length]; the view's depth if there is none: the paper's min(R)."""
        return float(self.distances[0]) if self.bodies else self.view.depth

    @property
    def points(self) -> NDArray[np.float64]:
        """Where each pixel's ray ends [length], shape (rows, columns, 3), world; NaN where nothing is."""
        row, column = np.indices(self.depth.shape)
        return self.view.at(column, row, np.where(self.ids < 0, np.nan, self.depth), self.depth.shape)


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What a radar read: pictures, and what follows from them. True if there will be contact.

    All pictures have shape (rows, columns); `view` says where their pixels lie. d is the view's depth: the motion's length and
    the mover's along it. Of a translation depths are [length]; of a turn [radians], along circles about the axis, and counted
    up to one turn: after it everything comes again.
    """

    travel: float
    """Free travel, [length] or [radians]: the least gap, or the whole motion if there is no contact."""
    time: float
    """The same as a share of the motion, 0 .. 1."""
    hit: bool
    """True if there is contact within the motion."""
    overlapping: bool
    """True if the mover's leading surface is inside something at the start."""
    bodies: tuple[Body, ...]
    """What is met, that with most pixels in contact first; several if several are met at once."""
    centre: NDArray[np.float64]
    """Middle of the contact [length], shape (3,), world, on what is met; wholly inside: a point of the inner body."""
    normal: NDArray[np.float64]
    """Unit, from what is met towards the mover, shape (3,), world; NaN without contact, and when wholly inside."""
    range: NDArray[np.float64]
    """R: how far from the mover's rear the first thing is that lies ahead of its leading surface; d where nothing is."""
    ids: NDArray[np.int32]
    """Id of the body seen in `range`; -1 where nothing is."""
    faces: NDArray[np.int32]
    """Index of its face; -1 where nothing is. Of a volume: the number of the voxel, in C order."""
    pixels: NDArray[np.int64]
    """Pixels in contact, shape (k, 2): row, column."""
    drawings: int
    """How many scopes were drawn: a mask that still holds is not drawn again."""
    view: View | AngularView
    """Through which `range` was seen, from the mover's rear: an AngularView of a turn."""
    movers: tuple[Body, ...]
    motion: Translate | Rotate
    _lead: NDArray[np.float64] | None = field(repr=False)
    _scene: Scene = field(repr=False)
    _ignore: tuple[Body, ...] = field(repr=False)

    def __bool__(self) -> bool:
        return self.hit

    def __repr__(self) -> str:
        rows, columns = self.range.shape
        met = " and ".join(repr(body.name) for body in self.bodies)
        found = f"meets {met} after {self.travel:.6g}" if self.hit else "free"
        return f"<Reading, {columns} x {rows} pixels: {found} of {self.motion.length:.6g}>"

    @property
    def mask(self) -> NDArray[np.float64]:
        """M: how far from the view's far end the mover is; d beside it. All NaN if it was not drawn, nothing being ahead."""
        if self._lead is None:
            return np.full(self.range.shape, np.nan)
        return np.where(np.isinf(self._lead), self.view.depth, self.view.depth - self._lead)

    @property
    def lookat(self) -> NDArray[np.float64]:
        """L = R + M - d: the gap of every pixel, not below 0; NaN beside the mover, and everywhere if M was not drawn."""
        if self._lead is None:
            return np.full(self.range.shape, np.nan)
        return np.where(np.isinf(self._lead), np.nan, np.maximum(self.range - self._lead, 0.0))

    @property
    def body(self) -> Body | None:
        """What is met first; None without contact."""
        return self.bodies[0] if self.bodies else None

    @property
    def points(self) -> NDArray[np.float64]:
        """Where the pixels in contact lie on what is met [length], shape (k, 3), world."""
        row, column = self.pixels[:, 0], self.pixels[:, 1]
        return self.view.at(column, row, self.range[row, column], self.range.shape)

    def confirm(self) -> Hit | None:
        """Return the exact answer to the same question, of the scene as it is now: `Scene.sweep`."""
        return self._scene.sweep(self.movers, self.motion, ignore=self._ignore)


class Overlap(ABC):
    """Whether two volumes overlap: true or false. The rest is worked out when it is first read.

    Voxels and coordinates are those of the first volume, and in its frame. All of it is about the volumes as they were when
    asked: once one has changed, what was not read before is refused.
    """

    __slots__ = ("_culls", "_found", "_known", "_versions", "_volumes")

    def _keep(self, a: Volume, b: Volume, culls: int, found: bool) -> None:
        self._volumes = (a, b)
        self._versions = (a._version, b._version)
        self._culls = culls
        self._found = found
        self._known: tuple[NDArray[np.int64], NDArray[np.float64]] | None = None

    @abstractmethod
    def _find(self, places: NDArray[np.int64]) -> tuple[int, NDArray[np.float64]]:
        """Write as many voxels as there is room for; return how many there are, and the slope that the normal follows."""

    @abstractmethod
    def _left(self, culls: int) -> int:
        """Return how many voxels of the first these culls leave."""

    @abstractmethod
    def _towards(self) -> NDArray[np.float64]:
        """Return the way from the middle of the second's box to that of the first's."""

    def __bool__(self) -> bool:
        return self._found

    @property
    def voxels(self) -> NDArray[np.int64]:
        """Indices into the first volume, shape (n, 3), in the order of its memory, read-only."""
        return self._details()[0]

    @property
    def count(self) -> int:
        """How many voxels of the first overlap."""
        return len(self.voxels)

    @property
    def region(self) -> NDArray[np.int64]:
        """Lowest index and one past the highest of these voxels, shape (2, 3); zeros if there is none."""
        if not self.count:
            return np.zeros((2, 3), np.int64)
        return np.stack((self.voxels.min(axis=0), self.voxels.max(axis=0) + 1))

    @property
    def centre(self) -> NDArray[np.float64]:
        """Mean of the centres of these voxels [length], shape (3,); NaN if there is none."""
        if not self.count:
            return np.full(3, np.nan)
        first = self._volumes[0]
        return first.origin + (self.voxels.mean(axis=0) + 0.5) * first.spacing

    @property
    def normal(self) -> NDArray[np.float64]:
        """Unit, from the second towards the first, shape (3,), read-only: the way to part them; NaN if they do not overlap.

        It follows how the two thin out where they overlap; where that says nothing, from middle to middle of their boxes, or
        else across the least extent of the region.
        """
        return self._details()[1]

    @property
    def removed(self) -> dict[str, int]:
        """How many voxels of the first each cull took away, one after the other: "box", "planes", "lines" as were used."""
        names = ("box", "planes", "lines")
        counts, left, used = {}, math.prod(self._volumes[0].resolution), 0
        self._check()
        for n, name in enumerate(names):
            if self._culls >> n & 1:
                used |= 1 << n
                rest = self._left(used)
                counts[name], left = left - rest, rest
        return counts

    @property
    def tested(self) -> int:
        """How many voxels of the first the culls left to be tested, if none is found."""
        return math.prod(self._volumes[0].resolution) - sum(self.removed.values())

    def _check(self) -> None:
        for name, volume, version in zip("ab", self._volumes, self._versions, strict=True):
            if volume._version != version:
                raise InvalidQuery(f"overlap: volume {name} has changed since it was asked; ask again")

    def _details(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        if self._known is None:
            self._check()
            count, slope = self._find(np.empty((0, 3), np.int64)) if self._found else (0, np.zeros(3))
            places = np.empty((count, 3), np.int64)
            if count:
                self._find(places)
            places.setflags(write=False)
            a = self._volumes[0]
            towards = (slope, count / min(a.spacing)), (self._towards(), float(np.ptp(a.bounds, axis=0).max()))
            normal = _unit(towards, places) if count else np.full(3, np.nan)
            normal.setflags(write=False)
            self._known = places, normal
        return self._known

    def __repr__(self) -> str:
        if self._known is None:
            return f"<Overlap: {self._found}>"
        return f"<Overlap: {self._found}, {len(self._known[0])} voxels>"


def _unit(towards: Iterable[tuple[NDArray[np.float64], float]], voxels: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the first of these directions that is one, beside its measure; else the one across the least extent."""
    for way, measure in towards:
        size = float(np.linalg.norm(way))
        if size > 1e-9 * measure:
            return way / size
    thin = np.zeros(3)
    thin[np.argmin(np.ptp(voxels, axis=0))] = 1.0
    return thin
