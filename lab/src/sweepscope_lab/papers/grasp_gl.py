"""Fig. 16 of the first paper on OpenGL: what the radars of several hands draw in each frame, and a normal drawing.

The hands grasp by radars that the processor draws. In each frame, R and M of every radar at work are drawn again on OpenGL, as
`gl_drawing` says: both of each, so no mask is kept. The card's own rasterizer takes triangles, so there the capsules of the
hands are meshes; `backend="gl"` draws capsules as they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import Capsule, Mesh, Scene, Shape, View
from sweepscope.gl.draw import Picture
from sweepscope.motion import frame_of, unit
from sweepscope.queries.look import view_row
from sweepscope.radar import RadarReading
from sweepscope.scene import store_of
from sweepscope.world.body import entry_of
from sweepscope.world.store import rows_of

from ..bench.rows import best
from ..kernels import shade
from ..simulate.grasp import Grasp, GraspSettings
from .gl_drawing import GlTimes, PlainDrawing, time_drawings, whole_picture
from .grasp import HANDS, PIXELS, PUBLISHED_RADARS, whole_view
from .radar import PaintedScope, Say, from_far_end, painted_plain

GROUPS = (1, 6, 21, 41, PUBLISHED_RADARS)
"""Least numbers of radars in a frame by which frames are grouped."""

_ROWS, _SECTIONS = 4, 12  # of a capsule's round ends, and around it: 192 triangles. The paper does not give its hands' polygons


@dataclass(frozen=True, slots=True)
class GlGraspFrame(GlTimes):
    """One frame of Fig. 16; times of R and M are those of all its radars."""

    target: str
    hands: int
    frame: int
    radars: int
    """Radars at work in it."""
    polygons: int
    """Triangles of hands and target, as plain drawings have them."""

    @property
    def each(self) -> float:
        """(R + M) / N of one radar, by the card's own rasterizer: the mean of the frame."""
        return self.share / self.radars

    @property
    def exact_each(self) -> float:
        """The same, R and M as `backend="gl"` draws them."""
        return self.exact_share / self.radars

    @property
    def whole(self) -> float:
        """R, M and N [s], by the card's own rasterizer."""
        return self.range + self.mask + self.normal


class GlStage:
    """The bodies of a grasp in two scenes: as they are, and as triangles. Bodies of all three have the same order."""

    def __init__(self, grasp: Grasp) -> None:
        self._grasp = grasp
        self._rows = np.array([entry_of(body).row for body in grasp.scene])
        self.exact, triangles = Scene(), Scene()
        for body in grasp.scene:
            self.exact.add(body.shape, body.pose)
            triangles.add(triangles_of(body.shape), body.pose)
        self.paint: PaintedScope = painted_plain(triangles)
        # The paper does not say what its hands and targets are made of. Here the target has a texture.
        target = {body.id for body in grasp.target}
        for body, twin in zip(grasp.scene, triangles, strict=True):
            if body.id in target:
                self.paint.kinds[entry_of(twin).row] = shade.TEXTURED
        self.plain = PlainDrawing(self.paint)

    @property
    def polygons(self) -> int:
        """Triangles of all bodies."""
        return sum(len(body.shape.faces) for body in self.paint.scene)

    def place(self, poses: Sequence[NDArray[np.float64]]) -> None:
        """Move the bodies of both scenes."""
        for scene in (self.exact, self.paint.scene):
            scene.move(list(scene), np.stack(poses))

    def pictures(self, reading: RadarReading) -> tuple[Picture, Picture]:
        """Return R and M of a reading as published: R from the rear of its movers, M from the far end."""
        assert isinstance(reading.view, View)
        store = store_of(self._grasp.scene)
        world = store.world()
        movers = rows_of([entry_of(body) for body in reading.movers])
        unseen = store.filters.hidden(world.bodies[: world.rows], movers, [])
        unmoved = np.ones_like(unseen)
        unmoved[movers] = 0
        rows, columns = reading.range.shape
        view = view_row(reading.view)
        return (
            Picture(view, (columns, rows), unseen[self._rows]),
            Picture(from_far_end(view), (columns, rows), unmoved[self._rows]),
        )

    def times(self, readings: Sequence[RadarReading], repeats: int) -> tuple[float, float, float, float, float]:
        """Return the times of R and of M of all readings, plain and ours, and of a normal drawing [s]."""
        ranges, masks = zip(*map(self.pictures, readings), strict=True)
        whole = whole_picture(self.paint, whole_view(self.paint.scene))
        normal = best(lambda: self.plain.normal(whole), repeats)
        return *time_drawings(self.plain, self.exact, ranges, masks, repeats), normal


def triangles_of(shape: Shape) -> Shape:
    """Return a shape as triangles: a capsule as the mesh about its segment, anything else as it is."""
    if not isinstance(shape, Capsule):
        return shape
    first, last = shape.vertices
    span = last - first
    mesh = Mesh.capsule(shape.radius, math.sqrt(span @ span), rows=_ROWS, sections=_SECTIONS)
    frame = np.array(frame_of(*unit(*span.tolist()))).reshape(3, 3)
    return Mesh(mesh.vertices @ frame + 0.5 * (first + last), mesh.faces)


def measure_gl_frames(
    say: Say,
    target: str = "star",
    hands: int = HANDS,
    pixels: int = PIXELS,
    repeats: int = 3,
    *,
    every: int = 1,
    frames: int = 600,
) -> list[GlGraspFrame]:
    """Run Fig. 16 on OpenGL: several hands on one target. every: frames in which radars work are timed one in so many."""
    say(f"Fig. 16 on OpenGL: {hands} hands on a {target} ...")
    grasp = Grasp(GraspSettings(target, hands, "radar", pixels, frames=frames))
    stage = GlStage(grasp)
    rows, seen = [], 0
    while not grasp.ended:
        poses = [body.pose for body in grasp.scene]
        frame = grasp.step().frame
        if not grasp.readings:
            continue
        if seen % every == 0:
            stage.place(poses)
            times = stage.times(grasp.readings, repeats)
            rows.append(GlGraspFrame(*times, target, hands, frame, len(grasp.readings), stage.polygons))
        seen += 1
    return rows


def growth(rows: Sequence[GlGraspFrame]) -> float:
    """Return the power of the number of radars that R + M, plain, grows with, over frames in which fingers close; NaN if few.

    In frames with fewer radars most of them look over a whole hand.
    """
    mine = [row for row in rows if group_of(row) > GROUPS[0]]
    radars = np.log([row.radars for row in mine])
    if len(np.unique(radars)) < 2:
        return math.nan
    return float(np.polyfit(radars, np.log([row.range + row.mask for row in mine]), 1)[0])


def group_of(row: GlGraspFrame) -> int:
    """Return the group of a frame, one of GROUPS."""
    return max(least for least in GROUPS if least <= row.radars)
