"""Results of looks and radars: pictures, and what was found in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ..immutable import Frozen
from ..renderers import Drawable, renderer_for
from .images import Method, gaps_of, mask_of
from .numbers import plain

if TYPE_CHECKING:
    from os import PathLike

    from ..drawing.picture import Picture
    from ..motion import Rotate, Translate
    from ..queries.camera import PinholeCamera
    from ..queries.view import AngularView, View
    from ..world.body import Body
    from .hits import Hit

Backend = Literal["cpu", "gl"]
"""What draws pictures: kernels, or the graphics card."""
BACKENDS: tuple[Backend, ...] = get_args(Backend)


@dataclass(frozen=True, slots=True, eq=False)
class LookResult(Frozen, Drawable):
    """Result of a look. True if it saw a body."""

    view: View | PinholeCamera
    bodies: tuple[Body, ...]
    """Visible bodies, nearest first; of equally near ones, the one added first."""
    distances: NDArray[np.float64]
    """Least depth of each body's pixels [length], shape (bodies,)."""
    counts: NDArray[np.int64]
    """Number of pixels that show each body, shape (bodies,)."""
    depth: NDArray[np.float64]
    """Depth at each pixel [length], shape (rows, columns); the view's depth where nothing is. Row 0 is the top. It is measured
    from the near side of a View, and from the eye of a camera along its z axis."""
    ids: NDArray[np.int32]
    """Id of the body at each pixel, shape (rows, columns); -1 where nothing is."""
    faces: NDArray[np.int32]
    """Index of its face, shape (rows, columns); -1 where nothing is. For a volume: index of the voxel, in C order."""
    resolution: float = 0.0
    """Of surfaces whose depths differ by less than this [length], either may be shown; 0: always the nearest, up to rounding of
    float64. Above 0 for backend "gl". Depths of a bounding look are lowered by it."""

    _small = (760, 380)

    def picture(
        self, path: str | PathLike[str] | None = None, *, size: tuple[int, int] = (960, 460), dark: bool = False
    ) -> Picture:
        """Draw the depth of every pixel, with a scale, and which body it shows. Save it if a path is given."""
        return renderer_for("sighting")(self, path, size=size, dark=dark)

    def __bool__(self) -> bool:
        return bool(self.bodies)

    def __repr__(self) -> str:
        rows, columns = self.depth.shape
        seen = ", ".join(f"{body.name!r} at {far:.6g}" for body, far in zip(self.bodies, self.distances, strict=True))
        return f"<LookResult, {columns} x {rows} pixels: {seen or 'nothing'}>"

    def as_dict(self) -> dict[str, Any]:
        """Return its numbers as plain data, which `json.dumps` takes: each body's name, distance and pixels; no pictures."""
        bodies = zip(self.bodies, self.distances.tolist(), self.counts.tolist(), strict=True)
        return {
            "seen": bool(self),
            "nearest": float(self.nearest),
            "bodies": [{"body": body.name, "distance": far, "pixels": count} for body, far, count in bodies],
        }

    def __contains__(self, body: object) -> bool:
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


def seen_in(
    ids: NDArray[np.int32], depth: NDArray[np.float64]
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int64]]:
    """Return the ids in a picture, nearest first, with the least depth of each and the number of its pixels."""
    shown = ids >= 0
    found, places, counts = np.unique(ids[shown], return_inverse=True, return_counts=True)
    nearest = np.full(len(found), np.inf)
    np.minimum.at(nearest, places, depth[shown])
    order = np.lexsort((found, nearest))
    return found[order], nearest[order], counts[order]


@dataclass(frozen=True, slots=True, eq=False)
class LookResults(Frozen):
    """Results of many looks: `results[k]` is the LookResult of view k. True if any of them saw a body."""

    views: tuple[View, ...]
    depth: NDArray[np.float64]
    """Depth at each pixel [length], shape (views, rows, columns); the view's depth where nothing is. Row 0 is the top."""
    ids: NDArray[np.int32]
    """Id of the body at each pixel, shape (views, rows, columns); -1 where nothing is."""
    faces: NDArray[np.int32]
    """Index of its face, shape (views, rows, columns); -1 where nothing is. For a volume: index of the voxel, in C order."""
    _bodies: dict[int, Body] = field(repr=False)
    """By id: the bodies that any of them saw."""

    def __len__(self) -> int:
        return len(self.views)

    def __bool__(self) -> bool:
        return bool(self._bodies)

    def __iter__(self) -> Iterator[LookResult]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, index: int) -> LookResult:
        depth, ids, faces = self.depth[index], self.ids[index], self.faces[index]
        numbers, nearest, counts = seen_in(ids, depth)
        bodies = tuple([self._bodies[number] for number in numbers.tolist()])
        return LookResult(self.views[index], bodies, nearest, counts, depth, ids, faces)

    def __repr__(self) -> str:
        _, rows, columns = self.depth.shape
        return f"<LookResults: {len(self)} of {columns} x {rows} pixels, {len(self._bodies)} bodies seen>"

    @property
    def bodies(self) -> tuple[Body, ...]:
        """Bodies that any of them saw, in the order in which they were added."""
        return tuple([self._bodies[number] for number in sorted(self._bodies)])

    @property
    def nearest(self) -> NDArray[np.float64]:
        """For each view, distance of the nearest body [length], shape (views,); the view's depth if nothing is visible."""
        return self.depth.min(axis=(1, 2))


@dataclass(frozen=True, slots=True, eq=False)
class RadarReading(Frozen, Drawable):
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
    """True if the mover's leading surface is inside something at the start; never for "published"."""
    obstacles: tuple[Body, ...]
    """Bodies at the pixels in contact, the one with most pixels first; several if they are hit at once."""
    center: NDArray[np.float64]
    """Middle of the contact on the obstacle [length], shape (3,), world; if nested: a point of the inner body."""
    normal: NDArray[np.float64]
    """Unit, from the obstacle towards the mover, shape (3,), world; NaN without contact, if nested, and for "published" where
    there are not three pixels to take it from."""
    range: NDArray[np.float64]
    """R: distance from the mover's rear to the first surface ahead of its leading surface; d where nothing is. For "published":
    to the first surface ahead of the rear."""
    ids: NDArray[np.int32]
    """Id of the body in `range`; -1 where nothing is."""
    faces: NDArray[np.int32]
    """Index of its face; -1 where nothing is. For a volume: index of the voxel, in C order."""
    pixels: NDArray[np.int64]
    """Pixels in contact, shape (k, 2): row, column. Those at the smallest gap; for "published" all that the motion reaches."""
    drawings: int
    """Number of pictures drawn: a mask that is still valid is not drawn again."""
    view: View | AngularView
    """View of `range`, from the mover's rear; an AngularView for a turn."""
    movers: tuple[Body, ...]
    motion: Translate | Rotate
    lead: NDArray[np.float64] | None
    """Distance from the mover's rear to its leading surface, infinite beside the mover; None if not drawn."""
    method: Method
    """How the radar read its pictures."""
    resolution: float
    """How far the depths may let `travel` be off [length]; 0: not beyond rounding of float64. Above 0 for backend "gl". It is
    subtracted from bounding readings."""
    _ignore: tuple[Body, ...] = field(repr=False)

    _small = (1000, 310)

    def picture(
        self, path: str | PathLike[str] | None = None, *, size: tuple[int, int] = (1280, 370), dark: bool = False
    ) -> Picture:
        """Draw R, M, L with a scale, the pixels in contact, and which body each pixel shows. Save it if a path is given."""
        return renderer_for("reading")(self, path, size=size, dark=dark)

    def __bool__(self) -> bool:
        return self.hit

    def __repr__(self) -> str:
        rows, columns = self.range.shape
        names = " and ".join(repr(body.name) for body in self.obstacles) or "no body"
        found = f"meets {names} after {self.travel:.6g}" if self.hit else "free"
        return f"<RadarReading, {columns} x {rows} pixels: {found} of {self.motion.length:.6g}>"

    @property
    def mask(self) -> NDArray[np.float64]:
        """M: distance from the view's far end to the mover; d beside it. All NaN if not drawn because nothing is ahead."""
        if self.lead is None:
            return np.full(self.range.shape, np.nan)
        return mask_of(self.lead, self.view.depth)

    @property
    def lookat(self) -> NDArray[np.float64]:
        """L = R + M - d: the gap at every pixel; NaN beside the mover, and everywhere if M was not drawn.

        At least 0; for "published" below 0 where something is behind the leading surface.
        """
        if self.lead is None:
            return np.full(self.range.shape, np.nan)
        return gaps_of(self.range, self.lead, self.method)

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
            "center": plain(self.center),
            "normal": plain(self.normal),
            "drawings": int(self.drawings),
            "method": self.method,
        }

    def confirm(self) -> Hit | None:
        """Return the exact result for the same motion, `Scene.sweep`, in the scene of the movers as it is now."""
        return self.movers[0].scene.sweep(self.movers, self.motion, ignore=self._ignore)


@dataclass(frozen=True, slots=True, eq=False)
class RadarReadings(Frozen):
    """Results of many probes of a radar: `readings[k]` is the RadarReading of motion k. True if any motion has contact.

    Arrays hold the fields of the readings, one row each.
    """

    travel: NDArray[np.float64]
    """Free travel, [length] or [radians], shape (n,)."""
    time: NDArray[np.float64]
    """Free travel as a fraction of the motion, shape (n,)."""
    hit: NDArray[np.bool_]
    """True where there is contact within the motion, shape (n,)."""
    overlapping: NDArray[np.bool_]
    """True where the mover's leading surface is inside something at the start, shape (n,)."""
    obstacle: NDArray[np.int64]
    """Id of the first of the obstacles, shape (n,); -1 without contact."""
    center: NDArray[np.float64]
    """Middle of the contact on the obstacle [length], shape (n, 3), world; NaN without contact."""
    normal: NDArray[np.float64]
    """Unit, from the obstacle towards the mover, shape (n, 3), world; NaN as in a RadarReading."""
    _readings: tuple[RadarReading, ...] = field(repr=False)

    def __len__(self) -> int:
        return len(self._readings)

    def __bool__(self) -> bool:
        return bool(self.hit.any())

    def __iter__(self) -> Iterator[RadarReading]:
        return iter(self._readings)

    def __getitem__(self, index: int) -> RadarReading:
        return self._readings[index]

    def __repr__(self) -> str:
        return f"<RadarReadings: {len(self)}, {int(self.hit.sum())} of them meet something>"


def radar_readings(readings: Sequence[RadarReading]) -> RadarReadings:
    """Return many readings as one result."""
    count = len(readings)
    return RadarReadings(
        travel=np.array([each.travel for each in readings], np.float64),
        time=np.array([each.time for each in readings], np.float64),
        hit=np.array([each.hit for each in readings], np.bool_),
        overlapping=np.array([each.overlapping for each in readings], np.bool_),
        obstacle=np.array([each.obstacles[0].id if each.obstacles else -1 for each in readings], np.int64),
        center=np.array([each.center for each in readings], np.float64).reshape(count, 3),
        normal=np.array([each.normal for each in readings], np.float64).reshape(count, 3),
        _readings=tuple(readings),
    )
