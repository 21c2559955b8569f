"""The first paper's experiments on cost (Yamachi & Shindo 2002, sections 4.2 and 4.3).

Each function takes `say`, called with a line of text as work proceeds, and returns plain rows. Times are in seconds, the best
of several runs, after one that is not counted. Fig. 7 uses one thread; Fig. 8 uses `RadarSet`, so all cores. Every drawing
reuses its image: new memory would cost more than the drawing itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Scene, Translate, View
from sweepscope.errors import InvalidQuery
from sweepscope.kernels.layout import VERTEX, VERTICES
from sweepscope.kernels.picture import radar as kernel
from sweepscope.kernels.picture import view as scope
from sweepscope.kernels.picture.contact_area import contact
from sweepscope.kernels.picture.paint import Images
from sweepscope.kernels.tolerances import TOUCH_SIZE
from sweepscope.queries.look import view_row
from sweepscope.queries.rows import ready_world
from sweepscope.radar import RadarReading, RadarSet
from sweepscope.results.images import Method
from sweepscope.results.scopes import Backend
from sweepscope.scene import store_of
from sweepscope.world.body import entry_of
from sweepscope.world.world import World

from ..bench.rows import best
from ..kernels import shade
from ..scenes.radar import POLYGONS, SEATS, SENSOR, SIDE, TOWARD, Bouncers, Crowd, bouncers, crowd

Say = Callable[[str], object]

SIDES = (2000.0, 1000.0, 500.0, 200.0, 100.0)
PIXELS = (200, 100, 50, 25)
NORMAL_PIXELS = (640, 480)
"""Columns and rows of a normal drawing: our assumption. The paper gives the times of its normal drawings, not their size."""
RADARS = (10, 20, 30, 40, 50)
RADAR_PIXELS = (50, 100)

_BACKGROUND = (0.08, 0.09, 0.12)
_PALETTE = np.array([(0.92, 0.45, 0.25), (0.30, 0.62, 0.90), (0.45, 0.80, 0.42), (0.95, 0.80, 0.30), (0.70, 0.50, 0.88)])


@dataclass(frozen=True, slots=True)
class Cost:
    """One bar of Fig. 7 [s]: the mean of six directions of view."""

    polygons: int
    side: float
    """Side of the cubic target area [length]."""
    pixels: int
    """Columns, and the same number of image rows."""
    range: float
    """Drawing R: everything but the sensor."""
    mask: float
    """Drawing M: the sensor alone, from the far end."""
    analysis: float
    """L, its minimum, the pixels in contact, their center and normal; see `_analysis`."""
    normal: float
    """A normal drawing of the whole scene at 640 x 480, a size that we assume."""

    @property
    def share(self) -> float:
        """(R + M) / N."""
        return (self.range + self.mask) / self.normal


@dataclass(frozen=True, slots=True)
class RadarFrame:
    """One point of Fig. 8."""

    radars: int
    pixels: int
    seconds: float
    """Time to read all radars once: detection alone; the mean over the frames."""
    hits: int
    """How many readings predicted contact, over all frames."""
    normal: float
    """Time of a normal drawing of the scene [s]: what a frame costs besides."""

    @property
    def frame(self) -> float:
        """Time of a whole frame [s], detection and normal drawing: so we read the paper's figure."""
        return self.seconds + self.normal


@dataclass(frozen=True, slots=True)
class Fit:
    """A straight line fitted to the points of Fig. 8 with the same pixels."""

    pixels: int
    start: float
    """Time at 0 radars [s]."""
    each: float
    """Per radar [s]."""
    residual: float
    """The largest distance of a point from the line, as a share of the largest time."""
    exponent: float
    """Time grows as radars^exponent: 1 is linear, less is better."""


# ---- Fig. 7


@dataclass(frozen=True, slots=True)
class PaintedScope:
    """Normals and materials, which a normal drawing needs besides the geometry. Made once per scene, as in any renderer."""

    scene: Scene
    normals: NDArray[np.float64]
    kinds: NDArray[np.uint8]
    colors: NDArray[np.float64]
    texture: NDArray[np.uint8]
    light: NDArray[np.float64]

    def draw(self, view: View, canvas: shade.ShadeCanvas) -> NDArray[np.uint8]:
        """Draw into a canvas and return its picture, shape (rows, columns, 3)."""
        look = (self.normals, self.kinds, self.colors, self.texture, self.light, _BACKGROUND)
        shade.shaded(*_arrays(self.scene), view_row(view), *look, canvas)
        return canvas.picture


def vertex_normals(scene: Scene) -> NDArray[np.float64]:
    """Return unit normals at the vertices of all bodies, in the order of the scene's arena, shape (n, 3)."""
    geometry = store_of(scene).arena.geometry
    normals = np.zeros_like(geometry.vertices)
    for body in scene:
        first, size = geometry.shape_ints[entry_of(body).shape_row, (VERTEX, VERTICES)]
        shade.vertex_normals(geometry.vertices[first : first + size], body.shape.faces, normals[first : first + size])
    return normals


def painted(world: Crowd) -> PaintedScope:
    """Return a crowd with materials: textured, transparent and opaque balls 2:1:1; sensor and rest are opaque."""
    paint = painted_plain(world.scene)
    for k, ball in enumerate(world.balls):
        paint.kinds[entry_of(ball).row] = (shade.TEXTURED, shade.TRANSPARENT, shade.TEXTURED, shade.OPAQUE)[k % 4]
    return paint


def painted_plain(scene: Scene) -> PaintedScope:
    """Return a scene whose bodies are all opaque, each in one color."""
    count = len(store_of(scene).rows)
    kinds = np.full(count, shade.OPAQUE, np.uint8)
    colors = np.empty((count, 3))
    for body in scene:
        colors[entry_of(body).row] = _PALETTE[body.id % len(_PALETTE)]
    row, column = np.indices((64, 64)) // 8
    chequered = (np.where((row + column) % 2, 1.0, 0.45)[:, :, None] * (255.0, 250.0, 235.0)).astype(np.uint8)
    light = np.array((-0.45, -0.6, 0.66))
    return PaintedScope(scene, vertex_normals(scene), kinds, colors, chequered, light / np.linalg.norm(light))


def normal_view() -> View:
    """Return a view of the whole cube that fits a picture of 640 x 480."""
    return View(
        (0.0, -0.5 * SIDE, 0.0), (0.0, 1.0, 0.0), width=SIDE * NORMAL_PIXELS[0] / NORMAL_PIXELS[1], height=SIDE, depth=SIDE
    )


class Areas(TypedDict, total=False):
    """What Fig. 7 is measured on: all of the paper's by default."""

    polygons: Sequence[int]
    sides: Sequence[float]
    pixels: Sequence[int]
    seats: int
    """How many of SEATS."""


def measure_costs(say: Say, repeats: int = 30, **areas: Unpack[Areas]) -> list[Cost]:
    """Run Fig. 7: the cost of R, M, the analysis and a normal drawing.

    The paper does not give the place of the sensor. Here it is at the middle of each side of the cube in turn and looks
    inwards, so the largest target area holds the whole scene: the most expensive place.
    """
    canvas = shade.canvas(NORMAL_PIXELS[1], NORMAL_PIXELS[0])

    def works(world: Crowd) -> Works:
        paint, view = painted(world), normal_view()
        return lambda: paint.draw(view, canvas), lambda seat, side, n: _drawings(world, seat, side, n, repeats)

    return [Cost(*area, *times, normal=normal) for area, times, normal in over_areas(say, "Fig. 7", works, repeats, **areas)]


Works = tuple[Callable[[], object], Callable[[int, float, int], tuple[float, ...]]]
"""Draws a scene normally, and returns the times of a detection for a seat, a side and a number of pixels [s]."""


def over_areas(
    say: Say,
    title: str,
    works: Callable[[Crowd], Works],
    repeats: int,
    *,
    polygons: Sequence[int] = POLYGONS,
    sides: Sequence[float] = SIDES,
    pixels: Sequence[int] = PIXELS,
    seats: int = len(SEATS),
) -> Iterator[tuple[tuple[int, float, int], list[float], float]]:
    """Yield polygons, side and pixels, the times of a detection, means over the seats, and that of a normal drawing [s]."""
    for count in polygons:
        say(f"{title}: {count:,} polygons ...")
        draw, detect = works(crowd(count))
        normal, times = math.inf, {}
        for side in sides:
            # Repeated for each side, so that a busy moment of the machine does not affect all runs.
            normal = min(normal, best(draw, repeats))
            for n in pixels:
                times[count, side, n] = np.array([detect(seat, side, n) for seat in range(seats)]).mean(axis=0).tolist()
        yield from ((area, found, normal) for area, found in times.items())


def _arrays(scene: Scene) -> World:
    return store_of(scene).world()


def _drawings(world: Crowd, seat: int, side: float, pixels: int, repeats: int) -> tuple[float, float, float]:
    """Return the times of R, M and the analysis [s] with the sensor at a seat."""
    (view, unseen), (back, others) = drawings_of_seat(world, seat, side)
    images = _images(np.zeros((pixels, pixels)))
    ranges = best(lambda: _draw(world.scene, unseen, view, images), repeats)
    masks = best(lambda: _draw(world.scene, others, back, images), repeats)
    return ranges, masks, _analysis(world, seat, view, side, pixels, repeats)


def drawings_of_seat(
    world: Crowd, seat: int, side: float
) -> tuple[tuple[NDArray[np.float64], NDArray[np.uint8]], tuple[NDArray[np.float64], NDArray[np.uint8]]]:
    """Move the sensor to a seat; return the view of R and what it leaves out, body rows, and the same of M."""
    world.sensor.pose = SEATS[seat]
    view, back = views_of_seat(seat, side)
    unseen = np.zeros(len(store_of(world.scene).rows), np.uint8)
    unseen[entry_of(world.sensor).row] = 1
    return (view, unseen), (back, 1 - unseen)


def views_of_seat(seat: int, side: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the views of R and of M, as kernels take them, for a cubic target area with the sensor at its rear."""
    toward = TOWARD[seat]
    view = view_row(View(SEATS[seat] - SENSOR * toward, toward, width=side, height=side, depth=side))
    return view, from_far_end(view)


def from_far_end(view: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the view of M for a view of R. Only the depth axis is reversed, not the columns: this is the paper's mirroring."""
    back, ahead = view.copy(), view[scope.FRAME + 6 : scope.FRAME + 9]
    back[scope.ORIGIN : scope.ORIGIN + 3] += view[scope.SIZE + 2] * ahead
    back[scope.FRAME + 6 : scope.FRAME + 9] = -ahead
    return back


def _images(near: NDArray[np.float64]) -> Images:
    """Return empty images for a scope that begins at depths `near`."""
    return Images(near, np.empty((*near.shape, 2)), np.empty((1, 1)))


def _draw(scene: Scene, hidden: NDArray[np.uint8], view: NDArray[np.float64], images: Images) -> None:
    """Clear a scope and draw into it, on one thread."""
    scope.wipe(images.fragments)
    scope.picture(*_arrays(scene), hidden, view, False, 0, 1, images.near, images.fragments)


def _analysis(world: Crowd, seat: int, view: NDArray[np.float64], side: float, pixels: int, repeats: int) -> float:
    """Return the time to analyse the pictures [s].

    The radar's kernel draws and reads in one call. So it runs with the mask known and all bodies hidden except the ball ahead,
    which leaves one small drawing. The time of that drawing is subtracted; the time for contact center and normal is added.
    """
    scene, sensor = world.scene, world.sensor
    unseen = np.ones(len(store_of(scene).rows), np.uint8)
    unseen[entry_of(world.balls[seat]).row] = 0
    unmoved = np.ones_like(unseen)
    unmoved[entry_of(sensor).row] = 0
    movers = np.array([entry_of(sensor).row])
    shape = (pixels, pixels)
    lead, back, near = np.empty(shape), np.empty(shape), np.empty(shape)
    fragments, depth = np.empty((*shape, 2)), np.empty(shape)
    ids, faces = np.empty(shape, np.int32), np.empty(shape, np.int32)
    length = 2.0 * SENSOR
    touch = TOUCH_SIZE * length

    def read(known: bool) -> tuple[Any, ...]:
        return kernel.probe(
            *_arrays(scene), movers, unmoved, unseen, view, side - length, length, known, False, touch, 0.0, lead, back, near,
            fragments, depth, ids, faces,
        )  # fmt: skip

    ready_world(store_of(scene), movers)
    read(False)
    least, touched = kernel.contacts(depth, lead, ids, -1.0, side - length, 1e-6 * length)
    if not least < math.inf:
        raise InvalidQuery(f"no contact ahead of seat {seat} in a target area of side {side:g} at {pixels} pixels")
    images = _images(near)
    reading = best(lambda: read(True), repeats)
    drawing = best(lambda: _draw(scene, unseen, view, images), repeats)
    across = (side / pixels, side / pixels)

    def where() -> None:
        kernel.contacts(depth, lead, ids, -1.0, side - length, 1e-6 * length)
        contact(depth, lead, ids, touched, across)

    return max(reading - drawing, 0.0) + best(where, repeats)


# ---- Fig. 8


def measure_frames(
    say: Say,
    frames: int = 20,
    repeats: int = 3,
    *,
    radars: Iterable[int] = RADARS,
    pixels: Sequence[int] = RADAR_PIXELS,
    normal: Callable[[Bouncers, int], float] | None = None,
    method: Method = "sampled",
    backend: Backend = "cpu",
) -> list[RadarFrame]:
    """Run Fig. 8: balls that bounce in a room, the first few with a radar each; masks are drawn again in every frame.

    normal(world, repeats) returns the time of a normal drawing [s]; None: `measure_normal`.
    """
    rows = []
    drawing = (normal or measure_normal)(bouncers(), 3 * repeats)
    for n in pixels:
        for count in radars:
            say(f"Fig. 8{' on OpenGL' if backend == 'gl' else ''}: {count} radars of {n} x {n} pixels ...")
            world = bouncers()
            found = RadarSet(world.scene, world.balls[:count], pixels=n, method=method, backend=backend)
            done = bounce(world, found, frames, repeats)
            rows.append(RadarFrame(count, n, done.seconds, done.hits, drawing))
    return rows


def measure_normal(world: Bouncers, repeats: int) -> float:
    """Return the time of a normal drawing of Fig. 8's scene [s]: 640 x 480, opaque, seen from just inside the room's wall."""
    return time_normal(world.scene, room_view(world), repeats)


def room_view(world: Bouncers) -> View:
    """Return a view of the room from just inside its wall, that fits a picture of 640 x 480."""
    side = float(np.ptp(world.room.bounds[:, 0]))
    wide = side * NORMAL_PIXELS[0] / NORMAL_PIXELS[1]
    return View((0.0, -0.4999 * side, 0.0), (0.0, 1.0, 0.0), width=wide, height=side, depth=side)


def time_normal(scene: Scene, view: View, repeats: int) -> float:
    """Return the time of a normal drawing of a scene [s]: 640 x 480, all bodies opaque, on one core."""
    paint, canvas = painted_plain(scene), shade.canvas(NORMAL_PIXELS[1], NORMAL_PIXELS[0])
    return best(lambda: paint.draw(view, canvas), repeats)


class Bouncing(NamedTuple):
    """What balls with radars did."""

    seconds: float
    """Mean time to read all radars once [s]."""
    hits: int
    """How many readings predicted contact."""


def bounce(world: Bouncers, radars: RadarSet, frames: int, repeats: int) -> Bouncing:
    """Let the first balls of a room bounce, each by its radar; every frame draws all masks again."""
    balls, velocities = world.balls[: len(radars)], world.velocities[: len(radars)].copy()
    pixels = radars.pixels
    seconds, hits = 0.0, 0
    for _ in range(frames):
        # All move at once: each looks two frames ahead and moves by half of its free travel.
        motions = [Translate(2.0 * velocity) for velocity in velocities]

        def read(motions: list[Translate] = motions) -> list[RadarReading]:
            for radar in radars.radars:
                radar.pixels = pixels  # forgets the mask
            return radars.probe(motions)

        seconds += best(read, repeats)
        for k, (ball, reading) in enumerate(zip(balls, read(), strict=True)):
            hits += reading.hit
            velocities[k] = _move_on(ball, velocities[k], reading)
    return Bouncing(seconds / frames, hits)


def _move_on(ball: Body, velocity: NDArray[np.float64], reading: RadarReading) -> NDArray[np.float64]:
    """Move a ball and return its velocity, mirrored if it met something."""
    pose = ball.pose.copy()
    pose[:3, 3] += velocity * reading.time
    ball.pose = pose
    if np.isnan(reading.normal).any():  # no hit, or wholly inside another body
        return -velocity if reading.hit else velocity
    return velocity - 2.0 * min(float(velocity @ reading.normal), 0.0) * reading.normal


def fit_frames(frames: Sequence[RadarFrame]) -> list[Fit]:
    """Fit a straight line to the times of detection alone, for each resolution."""
    fits = []
    for pixels in sorted({frame.pixels for frame in frames}):
        count = np.array([frame.radars for frame in frames if frame.pixels == pixels], np.float64)
        seconds = np.array([frame.seconds for frame in frames if frame.pixels == pixels])
        each, start = np.polyfit(count, seconds, 1)
        off = float(np.abs(start + each * count - seconds).max() / seconds.max())
        exponent = float(np.polyfit(np.log(count), np.log(seconds), 1)[0])
        fits.append(Fit(pixels, float(start), float(each), off, exponent))
    return fits
