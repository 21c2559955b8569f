"""What a query answers. Frames and units are in docs/conventions.md."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .motion import Rotate, Translate
    from .scene import Body, Scene
    from .scope import AngularView, View


@dataclass(frozen=True, slots=True)
class Feature:
    """The part of a body that touches: a vertex, an edge or a face of its shape.

    kind "none" (face -1, no vertices) stands where there is no contact to speak of: one body wholly inside the other.
    """

    kind: Literal["vertex", "edge", "face", "none"]
    vertices: tuple[int, ...]
    """Indices into the shape's vertices: one, two or three."""
    face: int
    """Index of the face that it was found on."""


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
    """Index of its face, shape (rows, columns); -1 where nothing is."""

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
    """Index of its face; -1 where nothing is."""
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
