"""Looks through a camera: a ray for each pixel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidQuery
from ..kernels.ray import rows as kernel
from ..results import LookResult
from ..results.scopes import seen_in
from ..threads import run_rows
from .cast import Shapes, Target, target_of
from .rows import answer_with_scratch
from .view import checked_pixels

if TYPE_CHECKING:
    from ..world.store import Store
    from .camera import PinholeCamera


def look_through(
    store: Store, camera: PinholeCamera, pixels: tuple[int, int] | int | None, bounding: bool, hidden: list[int]
) -> LookResult:
    """Answer `Scene.look` for a camera."""
    if bounding:
        raise InvalidQuery("bounding: a PinholeCamera sees along the center of each pixel; bounding looks need a View")
    if pixels is not None and checked_pixels(pixels) != camera.pixels:
        raise InvalidQuery(f"pixels is {pixels}, but the camera has {camera.pixels}; leave it out")
    if store.surfaces.refresh():
        store.surfaces.make_reached(_region(store, camera), 0.0)
    depth, ids, faces = _draw(store, target_of(store, hidden), camera)
    numbers, nearest, counts = seen_in(ids, depth)
    bodies = tuple([store.entries[number].body for number in numbers.tolist()])
    return LookResult(camera, bodies, nearest, counts, depth, ids, faces)


def _draw(
    store: Store, target: Target, camera: PinholeCamera
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32]]:
    """Return images of depth, of body ids and of faces, shape (rows, columns)."""
    columns, rows = camera.pixels
    depth, ids, faces = np.empty(rows * columns), np.empty(rows * columns, np.int32), np.empty(rows * columns, np.int32)
    row = np.array((*camera.eye, *camera.rays.ravel(), camera.depth))

    def work(first: int, last: int) -> None:
        shapes = Shapes(store)

        def answer(done: int, scratch: NDArray[np.float64]) -> int:
            begin = first + done
            while True:
                begin, need = kernel.look(
                    shapes.table, shapes.groups, *target.world[1:], *target.hierarchy, target.hidden, row, columns, begin, last,
                    scratch, depth, ids, faces,
                )  # fmt: skip
                if need < 0:
                    return begin - first
                shapes.make(need)

        answer_with_scratch(answer, last - first)

    run_rows(work, rows * columns)
    return depth.reshape(rows, columns), ids.reshape(rows, columns), faces.reshape(rows, columns)


def _region(store: Store, camera: PinholeCamera) -> NDArray[np.float64]:
    """Return the corners of the pyramid that a camera sees, as far as any volume, shape (5, 3), world."""
    low, high = store.world().box_of([entry.row for entry in store.surfaces.users])
    if not low[0] <= high[0]:
        return camera.eye[None]  # all volumes are empty
    far = float(np.linalg.norm(np.maximum(np.abs(low - camera.eye), np.abs(high - camera.eye))))
    columns, rows = camera.pixels
    corners = camera.at((0, columns - 1, 0, columns - 1), (0, 0, rows - 1, rows - 1), (min(far, camera.depth),) * 4, ())
    return np.concatenate((camera.eye[None], corners))
