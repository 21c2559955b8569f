"""Looks: draws what is visible through a view, as pictures of depth and of body ids."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidQuery, InvalidType
from ..kernels import layout
from ..kernels.picture import view as kernel
from ..results import LookResult
from ..results.scopes import BACKENDS, Backend
from ..threads import WORKERS, spread
from .camera import PinholeCamera
from .view import View, checked_pixels

if TYPE_CHECKING:
    from ..world.body import Body
    from ..world.store import Store
    from ..world.world import Rows, World

Images = tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32], NDArray[np.int64], NDArray[np.float64]]

_PIXELS = (64, 64)
MOST_BODIES = 1 << 21
_FACES_WORTH_A_THREAD = 20_000
_SHARES = 4  # per thread: a late thread takes fewer
_REUSED_PIXELS = 1 << 20  # larger images are not reused
_LEAST_STEP = 1e-3  # radians


def look(
    store: Store,
    view: View | PinholeCamera,
    *,
    pixels: tuple[int, int] | int | None,
    bounding: bool,
    ignore: Iterable[Body],
    backend: Backend = "cpu",
) -> LookResult:
    """Answer `Scene.look`."""
    checks.flag(bounding, "bounding")
    checks.choice(backend, "backend", BACKENDS)
    hidden = store.check_ignored(ignore)
    if isinstance(view, PinholeCamera):
        if backend == "gl":
            raise InvalidQuery('backend "gl" draws parallel rays: it takes a View, not a PinholeCamera')
        from .camera_look import look_through

        return look_through(store, view, pixels, bounding, hidden)
    check_view(view, accepted="a View or a PinholeCamera")
    size = checked_pixels(_PIXELS if pixels is None else pixels)
    check_count(len(store.rows))
    store.check_drawn(hidden)
    store.surfaces.refresh()
    world = store.world()
    resolution = 0.0
    if backend == "gl":
        from ..gl.look import look_on_card

        images, resolution = look_on_card(store, world, view.corners(), view_row(view), size, bounding=bounding, hidden=hidden)
    else:
        images = look_at(store, world, view, size, bounding=bounding, hidden=hidden)
    depth, ids, faces, counts, nearest = images
    found = np.flatnonzero(counts)
    found = found[np.lexsort((world.bodies[found, layout.ID], nearest[found]))]
    bodies = tuple([store.entry(k).body for k in found.tolist()])
    return LookResult(view, bodies, nearest[found], counts[found], depth, ids, faces, resolution)


def look_at(
    store: Store, world: World, view: View, pixels: tuple[int, int], *, bounding: bool = False, hidden: Rows = ()
) -> Images:
    """Look at bodies of a store where a world has them. Arguments are checked, and `store.surfaces` refreshed.

    Return images of depth, of ids as in the world and of faces, shape (rows, columns), and for each row of the world the number
    of its pixels and its least depth. pixels: columns and rows. hidden: rows of bodies that are left out. Triangles with a
    radius are drawn without it.
    """
    if store.surfaces:
        store.surfaces.make_reached(view.corners(), 0.0, world=world)
        world = world._replace(geometry=store.arena.geometry)
    if store.padded:
        world = world._replace(geometry=store.without_padding(world.geometry))
    columns, rows = pixels
    row = view_row(view)
    skipped = np.zeros(world.rows, np.uint8)
    skipped[np.asarray(hidden, np.int64)] = 1
    workers = _threads_for(world)
    shares = 1 if workers == 1 else _SHARES * workers

    def draw(todo: Iterator[int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        near, fragments = acquire_buffers(rows, columns)
        near.fill(0.0)
        kernel.wipe(fragments)
        for share in todo:
            kernel.picture(*world, skipped, row, bounding, share, shares, near, fragments)
        return near, fragments

    parts = spread(draw, shares, workers)
    for other in parts[1:]:
        kernel.join(parts[0][1], other[1])
    images = kernel.finish_picture(world.geometry, world.bodies, world.rows, view.depth, parts[0][1])
    for buffers in parts:
        release_buffers(buffers)
    return images


def search(
    store: Store, body: Body, view: View, *, axis: ArrayLike, step: float | None, pixels: tuple[int, int] | int
) -> LookResult | None:
    """Answer `Scene.search`."""
    target = store.check(body, "body").body
    check_view(view)
    if step is None:
        # At the far end each view then begins where the one before ends.
        angle = 2.0 * math.atan2(0.5 * min(view.width, view.height), view.depth)
        if angle < _LEAST_STEP:
            raise InvalidQuery(f"view: is so narrow that one turn takes {2.0 * math.pi / angle:.3g} looks; give a step")
    else:
        angle = checks.number(step, "step", InvalidQuery)
        if not _LEAST_STEP <= abs(angle) <= 2.0 * math.pi:
            raise InvalidQuery(f"step is {angle}; accepted: {_LEAST_STEP:g} to 2 pi radians, or the same negative")
    for k in range(math.ceil(2.0 * math.pi / abs(angle) - 1e-9)):
        seen = look(store, view.turned(axis, k * angle), pixels=pixels, bounding=False, ignore=())
        if target in seen:
            return seen
    return None


def check_view(view: View, name: str = "view", accepted: str = "a View") -> None:
    """Raise if a view is something else."""
    if not isinstance(view, View):
        raise InvalidType(f"{name}: expected {accepted}, got {checks.shown(view)}")


def check_count(bodies: int) -> None:
    """Raise if there are more bodies than a picture can distinguish."""
    if bodies > MOST_BODIES:
        raise InvalidQuery(f"scene: has {bodies:,} bodies; a picture can show at most {MOST_BODIES:,}")


def view_row(view: View) -> NDArray[np.float64]:
    """Return a view as kernels take it."""
    corner = (-0.5 * view.width, -0.5 * view.height, 0.0)
    sizes = (view.width, view.height, view.depth)
    return np.array((*view.eye, 0.0, 0.0, 0.0, *view.frame.ravel(), *corner, *sizes, 0.0, 0.0, 0.0))


_rooms: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []


def acquire_buffers(rows: int, columns: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return uninitialized images to draw into: near (rows, columns), and spots (rows, columns, 2).

    They are reused from picture to picture: new memory costs more time than drawing.
    """
    try:
        buffers = _rooms.pop()
    except IndexError:  # none left, or another thread was faster
        buffers = None
    if buffers is None or buffers[0].shape != (rows, columns):
        buffers = np.empty((rows, columns)), np.empty((rows, columns, 2))
    return buffers


def release_buffers(buffers: tuple[NDArray[np.float64], NDArray[np.float64]]) -> None:
    """Return images for reuse."""
    if len(_rooms) < 2 * WORKERS and buffers[0].size <= _REUSED_PIXELS:
        _rooms.append(buffers)


def _threads_for(world: World) -> int:
    """Return the number of threads to draw a world with: more than one only for many faces."""
    shapes = world.bodies[: world.rows, layout.SHAPE]
    faces = int(world.geometry.shape_ints[shapes, layout.FACES].sum()) if len(shapes) else 0
    return max(1, min(WORKERS, faces // _FACES_WORTH_A_THREAD))
