"""Looks that the card draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..kernels.picture import view as kernel
from .draw import Picture, draw_on_card, resolution_of

if TYPE_CHECKING:
    from ..world.store import Store
    from ..world.world import Rows, World

Images = tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32], NDArray[np.int64], NDArray[np.float64]]


def look_on_card(
    store: Store,
    world: World,
    corners: NDArray[np.float64],
    row: NDArray[np.float64],
    pixels: tuple[int, int],
    *,
    bounding: bool,
    hidden: Rows,
) -> tuple[Images, float]:
    """Return the images that `queries.look.look_at` returns, drawn by the card, and their resolution [length].

    corners: of the view, shape (8, 3) [length], world. row: the view as kernels take it.
    """
    if store.surfaces:
        store.surfaces.make_reached(corners, 0.0, world=world)
        world = world._replace(geometry=store.arena.geometry)
    if store.padded:
        world = world._replace(geometry=store.without_padding(world.geometry))
    skipped = np.zeros(world.rows, np.uint8)
    skipped[np.asarray(hidden, np.int64)] = 1
    depth = float(row[kernel.SIZE + 2])
    resolution = resolution_of(0.0, depth)
    fragments = draw_on_card(store, world, [Picture(row, pixels, skipped, bounding)])[0]
    if bounding:
        fragments[..., 0] = np.maximum(fragments[..., 0] - resolution, 0.0)
    return kernel.finish_picture(world.geometry, world.bodies, world.rows, depth, fragments), resolution
