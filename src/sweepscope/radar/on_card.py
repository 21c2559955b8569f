"""Draws the pictures of a probe along a translation on the graphics card. They are read like those that the kernels draw.

The card keeps the nearest surface up to the resolution of its Z-buffer. What it keeps may lie that much behind the nearest one,
so R may be too deep by it and the leading surface too shallow. Bounding pictures have it taken off on both sides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..gl.draw import Picture, draw_on_card, resolution_of
from ..kernels.picture import radar as kernel
from ..kernels.picture import view as columns_of
from ..kernels.statuses import BLIND, HIT, OVERLAP
from ..queries.rows import ready_world
from .straight import StraightJob

if TYPE_CHECKING:
    from ..world.world import World

_Floats = NDArray[np.float64]


def draw(job: StraightJob) -> None:
    """Draw R, and M if it is not known and R shows something or something is near. First the mask that sizes the next view."""
    setup, mask, pictures = job.setup, job.mask, job.pictures
    store, published = setup.store, setup.method == "published"
    world = store.world() if setup.bounding or published else ready_world(store, setup.rows)
    masks = resolution_of(-job.touch, mask.length + job.touch)
    pictures.resolution = masks + resolution_of(-job.touch, job.motion.length + mask.length + job.touch)
    if mask.first_step and not mask.drawn and not _draw_mask(job, world, masks):
        return
    fragments = _range(job, world, _floors(job, masks))
    if not mask.drawn and (starts_near(job, world) or (fragments[..., 1] >= 0.0).any()):
        if not _draw_mask(job, world, masks):
            return
        floors = _floors(job, masks)
        if floors is not None and (fragments[..., 0] < floors).any():
            fragments = _range(job, world, floors)
    finish(job, world, fragments)


def starts_near(job: StraightJob, world: World) -> bool:
    """True if a mover may start inside a body: then M is needed even if R shows nothing. As published, that is not tested."""
    published = job.setup.method == "published"
    return not published and kernel.starts_near(*world, job.setup.rows, job.unseen, job.touch)


def finish(job: StraightJob, world: World, fragments: _Floats) -> None:
    """Make the pictures of R, and decide what the probe found."""
    setup, mask, pictures = job.setup, job.mask, job.pictures
    published = setup.method == "published"
    lead = mask.lead if mask.drawn else np.full(mask.lead.shape, -np.inf)
    drawn = job.row, job.motion.length + mask.length, setup.bounding or published, job.touch, lead, fragments
    images = pictures.ranges, pictures.ids, pictures.faces
    overlap, job.nested = kernel.finish(*world, setup.rows, job.unseen, *drawn, *images)
    if mask.drawn and (not published or (pictures.ids >= 0).any()):
        job.status = OVERLAP if overlap else HIT


def _range(job: StraightJob, world: World, floors: _Floats | None) -> _Floats:
    """Draw R; return its fragments. floors: least depth that counts at each pixel; None: 0."""
    row = job.row.copy()
    if job.setup.method != "published":
        row[columns_of.SIZE + 2] += job.touch
        row[columns_of.FILLED] = 1.0
        row[columns_of.RIM] = job.rim
    picture = Picture(row, job.setup.pixels, job.unseen, job.setup.bounding, floors)
    (fragments,) = draw_on_card(job.setup.store, world, [picture])
    job.drawings += 1
    if job.setup.bounding:
        fragments[..., 0] = np.maximum(fragments[..., 0] - resolution_of(picture.least, row[columns_of.SIZE + 2]), 0.0)
    return fragments


def _draw_mask(job: StraightJob, world: World, resolution: float) -> bool:
    """Draw M and keep it as the depth of the leading surface; if bounding, also that of the rear.

    False if it shows no mover, which ends the probe, but not as published.
    """
    setup, mask, store = job.setup, job.mask, job.setup.store
    row = job.row.copy()
    row[columns_of.SIZE + 2] = mask.length + job.touch
    floors = np.full(mask.lead.shape, -job.touch)
    job.drawings += 1
    if setup.bounding:
        picture = Picture(row, setup.pixels, job.unmoved, True, floors)
        (rear,) = draw_on_card(store, world, [picture])
        (front,) = draw_on_card(store, world, [picture], farthest=True)
        mask.back[:] = rear[..., 0]
        mask.lead[:] = np.where(front[..., 1] >= 0.0, front[..., 0] + resolution, -np.inf)
    else:
        # From the mover's front. Only the depth axis is reversed, not the columns: that is the paper's mirroring.
        row[columns_of.FRAME + 6 : columns_of.FRAME + 9] *= -1.0
        row[columns_of.LEFT + 2] = -(row[columns_of.LEFT + 2] + mask.length)
        (fragments,) = draw_on_card(store, world, [Picture(row, setup.pixels, job.unmoved, False, floors)])
        lead = mask.length - fragments[..., 0]
        # Published: M = d, up to rounding, is the paper's mark of a pixel without mover, also where the mover's rear is.
        mask.lead[:] = np.where(lead > job.touch, lead, -np.inf) if setup.method == "published" else lead
    mask.drawn = setup.method == "published" or bool(np.isfinite(mask.lead).any())
    if not mask.drawn:
        job.status = BLIND
    return mask.drawn


def _floors(job: StraightJob, resolution: float) -> _Floats | None:
    """Return the least depth that counts in R at each pixel, as in the kernel: touching is contact. None: 0 at all pixels.

    What is behind the leading surface does not count, but would hide what is ahead. As published, all counts.
    """
    mask, touch = job.mask, job.touch
    if not mask.drawn or job.setup.method == "published":
        return None
    covered = np.isfinite(mask.lead)
    if job.setup.bounding:
        least = np.minimum(mask.back + touch, mask.lead - resolution - touch)
    else:
        least = mask.lead - touch
    return np.where(covered, least, 0.0)
