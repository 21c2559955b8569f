"""Scopes: what is seen through a box of rays, as pictures of depth and of who is there."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import checks
from .errors import InvalidQuery
from .motion import unit
from .results import Sighting
from .threads import WORKERS, spread

if TYPE_CHECKING:
    from .scene import Body, Scene

MOST_PIXELS = 1 << 26
MOST_BODIES = 1 << 21
_FACES_WORTH_A_THREAD = 20_000
_SHARES = 4  # per thread: a late one takes fewer
_KEPT_PIXELS = 1 << 20  # larger images are not kept
_LEAST_STEP = 1e-3  # radians
_SMALLEST = 1e-40  # size of a view [length]
_PARALLEL = 1e-6  # sine of the angle to `up` below which it says nothing


@dataclass(frozen=True, init=False, slots=True)
class View:
    """A box to look through with parallel rays: from `eye` along `toward`, `width` x `height` across and `depth` deep.

    eye [length], shape (3,), world: the middle of the near side. toward: a direction, of any length but zero. up: what is up in
    the picture, by default +z, or +y if that is where the view goes.
    """

    eye: tuple[float, float, float]
    toward: tuple[float, float, float]
    width: float
    height: float
    depth: float
    up: tuple[float, float, float]
    frame: NDArray[np.float64] = field(repr=False, compare=False)
    """Unit vectors right, down and ahead, as rows: shape (3, 3), world."""

    def __init__(
        self,
        eye: ArrayLike,
        toward: ArrayLike,
        width: float,
        height: float,
        depth: float,
        *,
        up: ArrayLike | None = None,
    ) -> None:
        set_field = object.__setattr__
        set_field(self, "eye", checks.vector(eye, "View.eye", InvalidQuery))
        for name, value in (("width", width), ("height", height), ("depth", depth)):
            size = checks.length(value, f"View.{name}", InvalidQuery)
            if size == 0.0:
                raise InvalidQuery(f"View.{name} is 0; a view volume must have a size")
            if size < _SMALLEST:
                raise InvalidQuery(f"View.{name} is {size:g}; accepted: from {_SMALLEST:g}")
            set_field(self, name, size)
        ahead = unit(*_direction(toward, "View.toward"))
        upward = _up(ahead) if up is None else unit(*_direction(up, "View.up"))
        right = np.cross(ahead, upward)
        sine = float(np.linalg.norm(right))
        if sine < _PARALLEL:
            raise InvalidQuery(f"View.up {checks.shown(up)} is along the view; give another")
        right = right / sine
        set_field(self, "toward", ahead)
        set_field(self, "up", upward)
        set_field(self, "frame", checks.fixed(np.array((right, np.cross(ahead, right), ahead))))

    def turned(self, axis: ArrayLike, angle: float) -> View:
        """Return the view turned about an axis through the eye by `angle` [radians], right-handed."""
        about = np.array(unit(*_direction(axis, "axis")))
        turn = checks.number(angle, "angle", InvalidQuery)
        if not math.isfinite(turn):
            raise InvalidQuery(f"angle is {turn}; it must be finite")
        cosine, sine = math.cos(turn), math.sin(turn)

        def turned(vector: NDArray[np.float64]) -> NDArray[np.float64]:
            along = about * (about @ vector)
            return along + cosine * (vector - along) + sine * np.cross(about, vector)

        toward, up = turned(self.frame[2]), turned(-self.frame[1])
        return View(self.eye, toward, self.width, self.height, self.depth, up=up)

    @classmethod
    def _of(cls, eye: NDArray[np.float64], frame: NDArray[np.float64], width: float, height: float, depth: float) -> View:
        """Return the view with a frame that is known to be one."""
        view = object.__new__(cls)
        for name, value in (("width", width), ("height", height), ("depth", depth), ("frame", checks.fixed(frame))):
            object.__setattr__(view, name, value)
        object.__setattr__(view, "eye", tuple(eye.tolist()))
        object.__setattr__(view, "toward", tuple(frame[2].tolist()))
        object.__setattr__(view, "up", tuple((-frame[1]).tolist()))
        return view

    def at(self, column: ArrayLike, row: ArrayLike, depth: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """Return places in the world [length], shape (..., 3): centres of pixels of a picture of `shape`, at a depth."""
        across = (np.asarray(column) + 0.5) * (self.width / shape[1]) - 0.5 * self.width
        down = (np.asarray(row) + 0.5) * (self.height / shape[0]) - 0.5 * self.height
        inside = np.stack(np.broadcast_arrays(across, down, np.asarray(depth, np.float64)), axis=-1)
        return np.array(self.eye) + inside @ self.frame

    def _corners(self) -> NDArray[np.float64]:
        """Return the corners of the view volume [length], shape (8, 3), world."""
        inside = [
            (0.5 * x * self.width, 0.5 * y * self.height, z * self.depth) for x in (-1, 1) for y in (-1, 1) for z in (0, 1)
        ]
        return np.array(self.eye) + np.array(inside) @ self.frame

    def _row(self) -> NDArray[np.float64]:
        """Return the view as kernels take it."""
        corner = (-0.5 * self.width, -0.5 * self.height, 0.0)
        return np.array(
            (*self.eye, 0.0, 0.0, 0.0, *self.frame.ravel(), *corner, self.width, self.height, self.depth, 0.0, 0.0, 0.0)
        )


@dataclass(frozen=True, slots=True, eq=False)
class AngularView:
    """A ring to look around: circles about an axis, `rho` from it and `height` along it, and `depth` of turning.

    Pictures through it have the radius along their rows, column 0 being the least, and the height down their columns, row 0
    being the greatest.
    """

    about: tuple[float, float, float]
    """A point of the axis [length], world: heights count from there."""
    axis: tuple[float, float, float]
    """Unit; the turn is right-handed about it."""
    zero: tuple[float, float, float]
    """Unit, square to the axis: where angles count from."""
    rho: tuple[float, float]
    """Least and greatest distance from the axis [length]."""
    height: tuple[float, float]
    """Least and greatest height along the axis [length]."""
    depth: float
    """How far round it looks [radians]."""

    def at(self, column: ArrayLike, row: ArrayLike, angle: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """Return places in the world [length], shape (..., 3): centres of pixels of a picture of `shape`, at an angle."""
        rho = self.rho[0] + (np.asarray(column) + 0.5) * ((self.rho[1] - self.rho[0]) / shape[1])
        height = self.height[1] - (np.asarray(row) + 0.5) * ((self.height[1] - self.height[0]) / shape[0])
        turn = np.asarray(angle, np.float64)
        places = np.stack(np.broadcast_arrays(rho * np.cos(turn), rho * np.sin(turn), height), axis=-1)
        return np.array(self.about) + places @ np.array((self.zero, np.cross(self.axis, self.zero), self.axis))


def look(scene: Scene, view: View, *, pixels: tuple[int, int] | int, bounding: bool, ignore: Iterable[Body]) -> Sighting:
    """Answer `Scene.look`."""
    from .kernels import scope as kernel

    if not isinstance(view, View):
        raise InvalidQuery(f"view: expected a View, got {checks.shown(view)}")
    columns, rows = checked_pixels(pixels)
    count = checked_count(scene)
    hidden = np.zeros(count, np.uint8)
    for body in scene._check_all(ignore, "ignore"):
        hidden[body._row] = 1
    if scene._volumes:
        from .surface import make_reached, refresh

        refresh(scene)
        make_reached(scene, view._corners(), 0.0)
    row = view._row()
    arrays = (
        scene._arena.geometry,
        scene._ints,
        scene._poses,
        scene._boxes,
        count,
        hidden,
        row,
        checks.flag(bounding, "bounding"),
    )
    workers = _threads_for(scene)
    shares = 1 if workers == 1 else _SHARES * workers

    def draw(todo: Iterator[int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        near, spots = borrow_room(rows, columns)
        near.fill(0.0)
        kernel.wipe(spots)
        for share in todo:
            kernel.picture(*arrays, share, shares, near, spots)
        return near, spots

    parts = spread(draw, shares, workers)
    for other in parts[1:]:
        kernel.join(parts[0][1], other[1])
    depth, ids, faces, counts, nearest = kernel.settle(scene._arena.geometry, scene._ints, count, view.depth, parts[0][1])
    for room in parts:
        return_room(room)
    found = np.flatnonzero(counts)
    found = found[np.argsort(nearest[found], kind="stable")]
    bodies = tuple(scene._rows[k] for k in found)
    return Sighting(view, bodies, nearest[found], counts[found], depth, ids, faces)


def search(
    scene: Scene, body: Body | str, view: View, *, axis: ArrayLike, step: float | None, pixels: tuple[int, int] | int
) -> Sighting | None:
    """Answer `Scene.search`."""
    target = scene[body] if isinstance(body, str) else scene._check(body, "body")
    if not isinstance(view, View):
        raise InvalidQuery(f"view: expected a View, got {checks.shown(view)}")
    if step is None:
        # At the far end one view then begins where the one before ended.
        angle = 2.0 * math.atan2(0.5 * min(view.width, view.height), view.depth)
        if angle < _LEAST_STEP:
            raise InvalidQuery(f"view: is so narrow that once round takes {2.0 * math.pi / angle:.3g} looks; give a step")
    else:
        angle = checks.number(step, "step", InvalidQuery)
        if not _LEAST_STEP <= abs(angle) <= 2.0 * math.pi:
            raise InvalidQuery(f"step is {angle}; accepted: {_LEAST_STEP:g} to 2 pi radians, either way")
    for k in range(math.ceil(2.0 * math.pi / abs(angle) - 1e-9)):
        seen = look(scene, view.turned(axis, k * angle), pixels=pixels, bounding=False, ignore=())
        if target in seen:
            return seen
    return None


def checked_pixels(value: Any) -> tuple[int, int]:
    """Return value as (columns, rows), both at least 1. One number stands for both."""
    pair = (value, value) if isinstance(value, (int, np.integer)) else value
    whole = isinstance(pair, (tuple, list)) or (isinstance(pair, np.ndarray) and pair.ndim == 1)
    if not whole or len(pair) != 2 or any(isinstance(n, bool) or not isinstance(n, (int, np.integer)) for n in pair):
        raise InvalidQuery(f"pixels: expected two whole numbers, columns and rows, got {checks.shown(value)}")
    columns, rows = int(pair[0]), int(pair[1])
    if columns < 1 or rows < 1 or columns * rows > MOST_PIXELS:
        raise InvalidQuery(f"pixels is {(columns, rows)}; accepted: from 1 each, up to {MOST_PIXELS:,} in all")
    return columns, rows


def checked_count(scene: Scene) -> int:
    """Return how many bodies a scene has room for, which is as many as a picture can tell apart at most."""
    count = len(scene._rows)
    if count > MOST_BODIES:
        raise InvalidQuery(f"scene: has {count:,} bodies; a picture tells {MOST_BODIES:,} apart at most")
    return count


_rooms: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []


def borrow_room(rows: int, columns: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return images to draw into, holding anything: near (rows, columns), and spots (rows, columns, 2).

    They are kept from picture to picture: memory that is new to a process costs more than drawing into it.
    """
    try:
        room = _rooms.pop()
    except IndexError:  # none left, or another thread was faster
        room = None
    if room is None or room[0].shape != (rows, columns):
        room = np.empty((rows, columns)), np.empty((rows, columns, 2))
    return room


def return_room(room: tuple[NDArray[np.float64], NDArray[np.float64]]) -> None:
    """Give back images that are no longer read."""
    if len(_rooms) < 2 * WORKERS and room[0].size <= _KEPT_PIXELS:
        _rooms.append(room)


def _threads_for(scene: Scene) -> int:
    """Return in how many shares to draw a scene: one, unless there is much to draw."""
    from .kernels import layout

    shapes = scene._ints[: len(scene._rows), layout.SHAPE]
    faces = int(scene._arena.geometry.shape_ints[shapes, layout.FACES].sum()) if len(shapes) else 0
    return max(1, min(WORKERS, faces // _FACES_WORTH_A_THREAD))


def _direction(value: ArrayLike, name: str) -> tuple[float, float, float]:
    vector = checks.vector(value, name, InvalidQuery)
    if vector == (0.0, 0.0, 0.0):
        raise InvalidQuery(f"{name} is zero; a direction must have a length")
    return vector


def _up(ahead: tuple[float, float, float]) -> tuple[float, float, float]:
    return (0.0, 0.0, 1.0) if math.hypot(ahead[0], ahead[1]) > _PARALLEL else (0.0, 1.0, 0.0)
