"""Results of queries. Frames and units are in docs/conventions.md."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidQuery
from .shown import Drawable, way

if TYPE_CHECKING:
    from os import PathLike

    from numpy.typing import ArrayLike

    from .drawing.palette import Colours
    from .drawing.picture import Picture
    from .motion import Motion, Rotate, Translate
    from .queries.view import AngularView, View
    from .shapes import Volume
    from .viewer.page import Page
    from .world.body import Body


@dataclass(frozen=True, slots=True)
class Feature:
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


class _Later:
    """A slot for what is made when it is first asked for: most who ask when something is hit do not ask where."""

    __slots__ = ("_later",)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Hit(_Later, Drawable):
    """First contact of a sweep."""

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
    """The motion that was swept: a Translate if a given turn does not turn. None if several joints of a robot move."""
    movers: tuple[Body, ...]
    """All bodies that move, `mover` among them."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Make point, normal and features. Python calls this only for what the hit does not hold yet."""
            if name not in ("point", "normal", "features"):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            make, found = self._later
            for each, value in zip(("point", "normal", "features"), make(*found), strict=True):
                object.__setattr__(self, each, value)
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
            "point": _plain(self.point),
            "normal": _plain(self.normal),
            "features": None if inside else [feature.as_dict() for feature in self.features],
        }

    def picture(
        self,
        path: str | PathLike[str] | None = None,
        *,
        eye: ArrayLike | None = None,
        target: ArrayLike | None = None,
        up: ArrayLike | None = None,
        size: tuple[int, int] = (800, 600),
        colours: Colours | None = None,
        dark: bool = False,
        ignore: Iterable[Body] = (),
    ) -> Picture:
        """Draw the mover at its start, a ghost of it at the contact, the paths of its points, the contact and its normal.

        It draws the scene as it is now: ask before you move the mover. Arguments: as in `Scene.picture`. See docs/pictures.md.
        """
        options = {"eye": eye, "target": target, "up": up, "size": size, "colours": colours, "dark": dark, "ignore": ignore}
        return way("hit")(self, path, **options)

    def animate(
        self,
        path: str | PathLike[str],
        *,
        frames: int = 48,
        seconds: float = 3.0,
        size: tuple[int, int] = (480, 360),
        eye: ArrayLike | None = None,
        target: ArrayLike | None = None,
        up: ArrayLike | None = None,
        colours: Colours | None = None,
        dark: bool = False,
        ignore: Iterable[Body] = (),
    ) -> None:
        """Write an animated GIF of the motion up to the contact. Arguments: as in `Scene.animate`."""
        options = {"eye": eye, "target": target, "up": up, "size": size, "colours": colours, "dark": dark, "ignore": ignore}
        way("animate_hit")(self, path, frames=frames, seconds=seconds, **options)

    def show(self, **options: Any) -> Page:
        """Show the hit, and the way to it, on a page in the browser; return the page at once. options: as for `Page`."""
        return way("page")(self, **options)

    def __repr__(self) -> str:
        how = "overlaps" if self.overlapping else "meets"
        where, side = _shown(self.point), _shown(self.normal)
        touching = " on ".join(feature.kind for feature in self.features)
        time = f"time {self.time:.4g}"
        when = f"at {time}" if math.isnan(self.travel) else f"after {self.travel:.6g} ({time})"
        return (
            f"<{type(self).__name__}: {self.mover.name!r} {how} {self.obstacle.name!r} {when}, {touching}, "
            f"at {where}, normal {side}>"
        )


_new_hit: Any = Hit.__new__
# Setters of the slots: a frozen class has no others, and by name they take longer.
_set_time, _set_travel, _set_obstacle, _set_mover, _set_overlapping, _set_motion, _set_movers, _set_later = (
    getattr(Hit, name).__set__ for name in ("time", "travel", "obstacle", "mover", "overlapping", "motion", "movers", "_later")
)


def hit_of(
    time: float,
    travel: float,
    obstacle: Body,
    mover: Body,
    overlapping: bool,
    motion: Motion,
    movers: tuple[Body, ...],
    later: tuple[Callable[..., Any], tuple[Any, ...]],
) -> Hit:
    """Return a hit whose point, normal and features are made when they are first asked for.

    later: a function that returns these three, and its arguments.
    """
    hit = _new_hit(Hit)
    _set_time(hit, time)
    _set_travel(hit, travel)
    _set_obstacle(hit, obstacle)
    _set_mover(hit, mover)
    _set_overlapping(hit, overlapping)
    _set_motion(hit, motion)
    _set_movers(hit, movers)
    _set_later(hit, later)
    return hit


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LinkHit(Hit):
    """First contact of a robot that moves one joint or several."""

    link: str
    """The link that hit something: `mover` belongs to it."""
    obstacle_link: str | None
    """The link of the same robot that was hit; None if the obstacle is another body."""
    values: dict[str, float]
    """Values of the swept joints at contact: `robot.values = hit.values` puts the robot there."""
    bound: float
    """Largest position error of the links [length]; 0 if one joint moves them, which is exact."""

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data: that of a Hit, with links, values and bound."""
        links = {"link": self.link, "obstacle_link": self.obstacle_link}
        values = {name: float(value) for name, value in self.values.items()}
        return {**Hit.as_dict(self), **links, "values": values, "bound": float(self.bound)}


@dataclass(frozen=True, slots=True, eq=False)
class Slide:
    """Result of `Scene.slide`: the path of a mover that goes on along what it meets."""

    legs: tuple[Translate, ...]
    """The straight parts of the path, in order. Leg k ends at hits[k]; the last one ends free if there is no such hit."""
    hits: tuple[Hit, ...]
    """What was met, in order; `time` and `travel` are those of the motion that was tried from the leg's start."""
    moved: Translate
    """From the start to the end of the path: `slide.moved.at() @ body.pose` is where the body ends."""
    stopped: bool
    """True if something ended the slide early: a corner, a wall met head-on, an overlap, or no more legs."""

    @property
    def travel(self) -> float:
        """Length of the path: the sum of the legs [length]."""
        return math.fsum(leg.length for leg in self.legs)

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, which `json.dumps` takes."""
        return {
            "legs": [list(leg.vector) for leg in self.legs],
            "hits": [hit.as_dict() for hit in self.hits],
            "moved": list(self.moved.vector),
            "travel": self.travel,
            "stopped": self.stopped,
        }

    def __repr__(self) -> str:
        names = " and ".join(dict.fromkeys(repr(hit.obstacle.name) for hit in self.hits))
        met = f", meets {names}" if names else ""
        legs = "1 leg" if len(self.legs) == 1 else f"{len(self.legs)} legs"
        return f"<Slide: {legs}, {self.travel:.6g}{met}{', stopped' if self.stopped else ''}>"


@dataclass(frozen=True, slots=True, eq=False)
class Meeting:
    """First contact of two bodies, at least one of which moves: a result of `Scene.predict`."""

    frames: float
    """Time of contact in frames from now, 0 is now; never later than the true contact."""
    first: Body
    """The body that was added to the scene first."""
    second: Body
    point: NDArray[np.float64]
    """Contact point on the second: shape (3,) [length], world, at that time. If nested: a point of the inner body."""
    normal: NDArray[np.float64]
    """Unit, from the second towards the first: shape (3,), world, at that time. NaN if nested."""
    overlapping: bool
    """True if the two overlap now, by more than the tolerance; False at 0 frames means that they touch."""

    @property
    def frame(self) -> int:
        """Number of the frame of contact: 1 is the frame that begins now, 0 means in contact already."""
        return math.ceil(self.frames)

    @property
    def bodies(self) -> tuple[Body, Body]:
        """Both bodies."""
        return self.first, self.second

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, which `json.dumps` takes: bodies by name, arrays as lists. normal is None if nested."""
        return {
            "frames": float(self.frames),
            "frame": self.frame,
            "first": self.first.name,
            "second": self.second.name,
            "overlapping": bool(self.overlapping),
            "point": _plain(self.point),
            "normal": _plain(self.normal),
        }

    def __repr__(self) -> str:
        how = "overlap now" if self.overlapping else "touch now" if self.frames == 0.0 else f"meet in {self.frames:.6g} frames"
        return f"<Meeting: {self.first.name!r} and {self.second.name!r} {how}>"


@dataclass(frozen=True, slots=True, eq=False)
class Sighting(Drawable):
    """Result of a look. True if it saw a body."""

    view: View
    bodies: tuple[Body, ...]
    """Visible bodies, nearest first."""
    distances: NDArray[np.float64]
    """Distance of each body's nearest pixel from the near side of the view [length], shape (bodies,)."""
    counts: NDArray[np.int64]
    """Number of pixels that show each body, shape (bodies,)."""
    depth: NDArray[np.float64]
    """Depth at each pixel [length], shape (rows, columns); the view's depth where nothing is. Row 0 is the top."""
    ids: NDArray[np.int32]
    """Id of the body at each pixel, shape (rows, columns); -1 where nothing is."""
    faces: NDArray[np.int32]
    """Index of its face, shape (rows, columns); -1 where nothing is. For a volume: index of the voxel, in C order."""

    small = (760, 380)

    def picture(
        self, path: str | PathLike[str] | None = None, *, size: tuple[int, int] = (960, 460), dark: bool = False
    ) -> Picture:
        """Draw the depth of every pixel, with a scale, and which body it shows. Save it if a path is given."""
        return way("sighting")(self, path, size=size, dark=dark)

    def __bool__(self) -> bool:
        return bool(self.bodies)

    def __repr__(self) -> str:
        rows, columns = self.depth.shape
        seen = ", ".join(f"{body.name!r} at {far:.6g}" for body, far in zip(self.bodies, self.distances, strict=True))
        return f"<Sighting, {columns} x {rows} pixels: {seen or 'nothing'}>"

    def as_dict(self) -> dict[str, Any]:
        """Return its numbers as plain data, which `json.dumps` takes: each body's name, distance and pixels; no pictures."""
        bodies = zip(self.bodies, self.distances.tolist(), self.counts.tolist(), strict=True)
        return {
            "seen": bool(self),
            "nearest": float(self.nearest),
            "bodies": [{"body": body.name, "distance": far, "pixels": count} for body, far, count in bodies],
        }

    def __contains__(self, body: Any) -> bool:
        """True if a body, given as Body or by name, is visible."""
        return any(body is each or body == each.name for each in self.bodies)

    @property
    def nearest(self) -> float:
        """Distance of the nearest body [length]; the view's depth if nothing is visible. The paper's min(R)."""
        return float(self.distances[0]) if self.bodies else self.view.depth

    @property
    def points(self) -> NDArray[np.float64]:
        """End point of each pixel's ray [length], shape (rows, columns, 3), world; NaN where nothing is."""
        row, column = np.indices(self.depth.shape)
        return self.view.at(column, row, np.where(self.ids < 0, np.nan, self.depth), self.depth.shape)


@dataclass(frozen=True, slots=True, eq=False)
class Reading(Drawable):
    """Result of a radar probe: pictures, and the contact derived from them. True if there will be contact.

    All pictures have shape (rows, columns); `view` gives the places of their pixels. d is the view's depth: the length of the
    motion plus that of the mover along it. Depths of a translation are [length]; depths of a turn are [radians], along circles
    about the axis, up to one full turn.
    """

    travel: float
    """Free travel, [length] or [radians]: the smallest gap, or the whole motion if there is no contact."""
    time: float
    """Free travel as a fraction of the motion, 0 .. 1."""
    hit: bool
    """True if there is contact within the motion."""
    overlapping: bool
    """True if the mover's leading surface is inside something at the start."""
    obstacles: tuple[Body, ...]
    """Bodies in contact, the one with most pixels first; several if they are hit at once."""
    centre: NDArray[np.float64]
    """Middle of the contact on the obstacle [length], shape (3,), world; if nested: a point of the inner body."""
    normal: NDArray[np.float64]
    """Unit, from the obstacle towards the mover, shape (3,), world; NaN without contact, and if nested."""
    range: NDArray[np.float64]
    """R: distance from the mover's rear to the first surface ahead of its leading surface; d where nothing is."""
    ids: NDArray[np.int32]
    """Id of the body in `range`; -1 where nothing is."""
    faces: NDArray[np.int32]
    """Index of its face; -1 where nothing is. For a volume: index of the voxel, in C order."""
    pixels: NDArray[np.int64]
    """Pixels in contact, shape (k, 2): row, column."""
    drawings: int
    """Number of pictures drawn: a mask that is still valid is not drawn again."""
    view: View | AngularView
    """View of `range`, from the mover's rear; an AngularView for a turn."""
    movers: tuple[Body, ...]
    motion: Translate | Rotate
    lead: NDArray[np.float64] | None
    """Distance from the mover's rear to its leading surface, infinite beside the mover; None if not drawn."""
    _ignore: tuple[Body, ...] = field(repr=False)

    small = (1000, 310)

    def picture(
        self, path: str | PathLike[str] | None = None, *, size: tuple[int, int] = (1280, 370), dark: bool = False
    ) -> Picture:
        """Draw R, M, L with a scale, the pixels in contact, and which body each pixel shows. Save it if a path is given."""
        return way("reading")(self, path, size=size, dark=dark)

    def __bool__(self) -> bool:
        return self.hit

    def __repr__(self) -> str:
        rows, columns = self.range.shape
        names = " and ".join(repr(body.name) for body in self.obstacles)
        found = f"meets {names} after {self.travel:.6g}" if self.hit else "free"
        return f"<Reading, {columns} x {rows} pixels: {found} of {self.motion.length:.6g}>"

    @property
    def mask(self) -> NDArray[np.float64]:
        """M: distance from the view's far end to the mover; d beside it. All NaN if not drawn because nothing is ahead."""
        if self.lead is None:
            return np.full(self.range.shape, np.nan)
        return np.where(np.isinf(self.lead), self.view.depth, self.view.depth - self.lead)

    @property
    def lookat(self) -> NDArray[np.float64]:
        """L = R + M - d: the gap at every pixel, at least 0; NaN beside the mover, and everywhere if M was not drawn."""
        if self.lead is None:
            return np.full(self.range.shape, np.nan)
        return np.where(np.isinf(self.lead), np.nan, np.maximum(self.range - self.lead, 0.0))

    @property
    def obstacle(self) -> Body | None:
        """First of `obstacles`; None without contact."""
        return self.obstacles[0] if self.obstacles else None

    @property
    def points(self) -> NDArray[np.float64]:
        """Points of the obstacles at the pixels in contact [length], shape (k, 3), world."""
        row, column = self.pixels[:, 0], self.pixels[:, 1]
        return self.view.at(column, row, self.range[row, column], self.range.shape)

    def as_dict(self) -> dict[str, Any]:
        """Return its numbers as plain data, which `json.dumps` takes; no pictures. time is None without contact."""
        return {
            "hit": bool(self.hit),
            "travel": float(self.travel),
            "unit": "radians" if self.motion.turns else "length",
            "time": float(self.time) if self.hit else None,
            "overlapping": bool(self.overlapping),
            "obstacles": [body.name for body in self.obstacles],
            "centre": _plain(self.centre),
            "normal": _plain(self.normal),
            "drawings": int(self.drawings),
        }

    def confirm(self) -> Hit | None:
        """Return the exact result for the same motion, `Scene.sweep`, in the scene of the movers as it is now."""
        return self.movers[0].scene.sweep(self.movers, self.motion, ignore=self._ignore)


class _Grid(NamedTuple):
    """What an overlap keeps of a volume when it is copied or pickled."""

    origin: tuple[float, float, float]
    spacing: tuple[float, float, float]
    resolution: tuple[int, int, int]
    version: int


class Overlap(Drawable, ABC):
    """Result of an overlap test of two volumes: true or false. Details are computed when they are first read.

    Voxels are those of the first volume; coordinates are in its frame. If a volume changes after the test, details that were
    not read before raise InvalidQuery. A copy or a pickle holds all details, and not the volumes.
    """

    __slots__ = ("_culls", "_found", "_known", "_lefts", "_versions", "_volumes")

    _volumes: tuple[Volume, Volume]  # two _Grid once copied
    _versions: tuple[int, int]
    _culls: int
    _found: bool
    _known: tuple[NDArray[np.int64], NDArray[np.float64]] | None
    _lefts: dict[int, int]

    def _set(self, a: Volume, b: Volume, culls: int, found: bool) -> None:
        self._volumes = (a, b)
        self._versions = (a.version, b.version)
        self._culls = culls
        self._found = found
        self._known = None
        self._lefts = {}  # by culls, how many voxels of the first volume they leave, as far as known

    @abstractmethod
    def _find(self, places: NDArray[np.int64]) -> tuple[int, NDArray[np.float64]]:
        """Fill `places` with shared voxels, as many as fit; return their total number, and the slope for the normal."""

    @abstractmethod
    def _left(self, culls: int) -> int:
        """Return how many voxels of the first volume these culls leave."""

    @abstractmethod
    def _towards(self) -> NDArray[np.float64]:
        """Return the vector from the middle of the second volume's box to that of the first's [length]."""

    @property
    @abstractmethod
    def pose(self) -> NDArray[np.float64]:
        """Pose of the second volume in the frame of the first, shape (4, 4). A copy or a pickle has none and raises."""

    @property
    def volumes(self) -> tuple[Volume, Volume]:
        """The two volumes. A copy or a pickle has none and raises InvalidQuery."""
        return self._volumes

    def picture(
        self,
        path: str | PathLike[str] | None = None,
        *,
        eye: ArrayLike | None = None,
        target: ArrayLike | None = None,
        up: ArrayLike | None = None,
        size: tuple[int, int] = (800, 600),
        dark: bool = False,
        names: tuple[str, str] = ("first", "second"),
    ) -> Picture:
        """Draw both volumes as glass and the voxels that overlap in red, in the frame of the first.

        names: what the legend calls the volumes. Other arguments: as in `Scene.picture`.
        """
        return way("overlap")(self, path, eye=eye, target=target, up=up, size=size, dark=dark, names=names)

    def __reduce__(self) -> tuple[Any, ...]:
        if self._versions == tuple(volume.version for volume in self._volumes):
            self._details()
            _ = self.removed
        grids = tuple(_Grid(each.origin, each.spacing, each.resolution, each.version) for each in self._volumes)
        return _copied, (grids, self._versions, self._culls, self._found, self._known, self._lefts)

    def __bool__(self) -> bool:
        return self._found

    @property
    def voxels(self) -> NDArray[np.int64]:
        """Indices into the first volume, shape (n, 3), in the order of its memory, read-only."""
        return self._details()[0]

    @property
    def count(self) -> int:
        """Number of voxels of the first volume that overlap."""
        return len(self.voxels)

    @property
    def region(self) -> NDArray[np.int64]:
        """Lowest index and one past the highest of these voxels, shape (2, 3); zeros without overlap."""
        if not self.count:
            return np.zeros((2, 3), np.int64)
        return np.stack((self.voxels.min(axis=0), self.voxels.max(axis=0) + 1))

    @property
    def centre(self) -> NDArray[np.float64]:
        """Mean of the centres of these voxels [length], shape (3,); NaN without overlap."""
        if not self.count:
            return np.full(3, np.nan)
        first = self._volumes[0]
        return first.origin + (self.voxels.mean(axis=0) + 0.5) * first.spacing

    @property
    def normal(self) -> NDArray[np.float64]:
        """Unit, from the second towards the first, shape (3,), read-only: the direction to separate them; NaN without overlap.

        It is the gradient of occupancy where they overlap. If that is zero, it points from the middle of the second's box to
        that of the first's; if that is zero too, along the shortest side of the region.
        """
        return self._details()[1]

    @property
    def removed(self) -> dict[str, int]:
        """Number of voxels of the first volume that each cull removed, in order: "box", "planes", "lines", if used."""
        counts, left, used = {}, math.prod(self._volumes[0].resolution), 0
        for n, name in enumerate(("box", "planes", "lines")):
            if self._culls >> n & 1:
                used |= 1 << n
                if used not in self._lefts:
                    self._check()
                    self._lefts[used] = self._left(used)
                counts[name], left = left - self._lefts[used], self._lefts[used]
        return counts

    @property
    def tested(self) -> int:
        """Number of voxels of the first volume that are left to test after the culls."""
        return math.prod(self._volumes[0].resolution) - sum(self.removed.values())

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, which `json.dumps` takes: how many voxels overlap and where, and what the culls removed.

        region, centre and normal are None without overlap.
        """
        return {
            "overlap": bool(self),
            "count": self.count,
            "region": self.region.tolist() if self else None,
            "centre": _plain(self.centre),
            "normal": _plain(self.normal),
            "voxels": math.prod(map(int, self._volumes[0].resolution)),
            "removed": {name: int(count) for name, count in self.removed.items()},
            "tested": int(self.tested),
        }

    def _check(self) -> None:
        for name, volume, version in zip("ab", self._volumes, self._versions, strict=True):
            if volume.version != version:
                raise InvalidQuery(f"overlap: volume {name} has changed since the test; call overlap again")

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


class _Copied(Overlap):
    """A copied or unpickled overlap. What it does not know it cannot find: `_check` has said so before that is asked."""

    __slots__ = ()

    @property
    def pose(self) -> NDArray[np.float64]:
        """Raises: the volumes stayed behind."""
        raise InvalidQuery("overlap: a copy holds no volumes, so it has no pose")

    @property
    def volumes(self) -> tuple[Volume, Volume]:
        """Raises: the volumes stayed behind."""
        raise InvalidQuery("overlap: a copy holds no volumes; call overlap again")

    def _find(self, places: NDArray[np.int64]) -> tuple[int, NDArray[np.float64]]:
        raise AssertionError

    def _left(self, culls: int) -> int:
        raise AssertionError

    def _towards(self) -> NDArray[np.float64]:
        raise AssertionError


def _copied(grids: Any, versions: Any, culls: int, found: bool, known: Any, lefts: dict[int, int]) -> Overlap:
    """Return a copied or unpickled overlap."""
    overlap = _Copied()
    overlap._volumes, overlap._versions, overlap._culls, overlap._found = grids, versions, culls, found  # noqa: SLF001
    for array in known or ():
        array.setflags(write=False)
    overlap._known, overlap._lefts = known, lefts  # noqa: SLF001  (a constructor)
    return overlap


def _plain(numbers: NDArray[np.float64]) -> list[float] | None:
    """Return an array as a list; None if it is not available."""
    return None if np.isnan(numbers).any() else numbers.tolist()


def _shown(vector: NDArray[np.float64]) -> str:
    """Return three numbers as a text, four digits each; values below 1e-9 of the largest are 0."""
    least = 1e-9 * float(np.abs(vector).max())
    return " ".join("0" if abs(x) <= least else f"{x:.4g}" for x in vector.tolist())


def _unit(towards: Iterable[tuple[NDArray[np.float64], float]], voxels: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the first of these vectors that is long enough beside its scale, as a unit vector; else the shortest side."""
    for direction, scale in towards:
        size = float(np.linalg.norm(direction))
        if size > 1e-9 * scale:
            return direction / size
    thin = np.zeros(3)
    thin[np.argmin(np.ptp(voxels, axis=0))] = 1.0
    return thin
