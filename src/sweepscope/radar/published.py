"""One probe of a radar exactly as published (Yamachi & Shindo 2002, sections 3.1 and 3.2), to compare with.

R is drawn from the mover's rear, M is the mover alone, L = R + M - d where M < d, and there is a collision if min(L) <= D.
This has the paper's faults. What lies behind the leading surface, beside the mover or in a notch, has L < 0: a false alarm, and
it hides what is ahead. What is thinner than a pixel is missed, and so is a mover that covers no pixel's center, or has no
length along the motion: M = d then. Where R shows nothing, L = M; ahead of a flat front that is D, a collision with no body.

What the paper leaves open is marked "our reading" below; docs/lab/papers_radar.md has the list.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..kernels.picture import view as kernel
from ..kernels.picture.contact_area import contact
from ..kernels.statuses import HIT
from ..queries.look import acquire_buffers, release_buffers
from ..queries.view import View
from ..results import RadarReading
from .reading import Pictures, PixelContact, make_reading
from .straight import StraightJob, prepare

__all__ = ["draw", "prepare", "read"]  # the steps of a probe; views and options are those of straight.py

_Floats = NDArray[np.float64]
_Pixels = NDArray[np.int64]


def draw(job: StraightJob) -> None:
    """Draw R, and M if R shows anything and the mask is not known."""
    store, mask, view = job.setup.store, job.mask, job.view
    world = store.world()
    buffers = near, fragments = acquire_buffers(*job.pictures.ids.shape)
    row = job.row.copy()
    row[kernel.BEGIN] = 0.0
    near.fill(0.0)
    kernel.wipe(fragments)
    kernel.picture(*world, job.unseen, row, False, 0, 1, near, fragments)
    job.pictures = Pictures(*kernel.finish_picture(world.geometry, world.bodies, world.rows, view.depth, fragments)[:3])
    job.drawings = 1
    if (job.pictures.ids >= 0).any():
        job.status = HIT
        if not mask.drawn:
            _draw_mask(job, row, near, fragments)
            job.drawings = 2
    release_buffers(buffers)


def _draw_mask(job: StraightJob, row: _Floats, near: _Floats, fragments: _Floats) -> None:
    """Draw M and keep it as the depth of the leading surface, which holds for every D."""
    mask = job.mask
    # From the mover's front: the paper's far end is D further. Only the depth axis is reversed: the picture is mirrored.
    row[kernel.FRAME + 6 : kernel.FRAME + 9] *= -1.0
    row[kernel.LEFT + 2] = -(row[kernel.LEFT + 2] + mask.length)
    row[kernel.SIZE + 2] = mask.length + job.touch
    # A flat front is at depth 0, up to rounding.
    row[kernel.BEGIN] = -job.touch
    near.fill(-job.touch)
    kernel.wipe(fragments)
    kernel.picture(*job.setup.store.world(), job.unmoved, row, False, 0, 1, near, fragments)
    lead = mask.length - fragments[:, :, 0]
    # M = d, up to rounding, is the paper's mark of a pixel without mover, also where the mover's rear is.
    mask.lead[:] = np.where(lead > job.touch, lead, -np.inf)
    mask.drawn = True


def read(job: StraightJob) -> RadarReading:
    """Read a probe's pictures."""
    setup, mask, pictures, motion = job.setup, job.mask, job.pictures, job.motion
    nothing = np.empty((0, 2), np.int64)
    if job.status != HIT:
        return make_reading(setup, motion, job.ignored, pictures, None, job.view, job.drawings, None, nothing)
    gaps = pictures.ranges - mask.lead  # L, infinite where it is eliminated
    least = float(gaps.min())
    found, pixels = None, nothing
    if least <= motion.length:
        # Which pixels collide is said in the later paper alone: those with S < D.
        pixels = np.argwhere((gaps < motion.length) & (pictures.ids >= 0))
        found = _contact(job, max(least, 0.0), gaps, pixels)
    return make_reading(setup, motion, job.ignored, pictures, mask.lead, job.view, job.drawings, found, pixels)


def _contact(job: StraightJob, travel: float, gaps: _Floats, pixels: _Pixels) -> PixelContact:
    """Return the contact at some pixels by section 3.2; center and normal are NaN if there are none."""
    pictures, view = job.pictures, job.view
    if len(pixels) == 0:
        return PixelContact(travel, (), np.full(3, np.nan), np.full(3, np.nan))
    center = center_of(pictures.ranges, job.mask.lead, pictures.ids, pixels, view)
    normal = normal_of(pictures.ranges, np.where(pictures.ids >= 0, gaps, np.inf), pixels, view)
    return PixelContact(travel, pictures.bodies_at(job.setup, pixels), center, normal)


def center_of(ranges: _Floats, lead: _Floats, ids: NDArray[np.int32], pixels: _Pixels, view: View) -> _Floats:
    """Return the center [length], world, of colliding pixels (k, 2), sorted: the centroid of their convex hull.

    Two, or all in a line: the middle of the ends. One: that point. Its depth follows the corners of the hull (our reading).
    """
    rows, columns = ids.shape
    (column, row, deep), _ = contact(ranges, lead, ids, pixels, (view.width / columns, view.height / rows))
    return view.at(column, row, deep, ids.shape)


def normal_of(ranges: _Floats, gaps: _Floats, pixels: _Pixels, view: View) -> _Floats:
    """Return the unit normal, world, towards the mover, of the plane through three points of R.

    gaps: L, infinite where a pixel does not count. "Any three" of the colliding pixels (k, 2) are those with the least L that
    are not in a line (our reading). Where there are not so many, the closest of the eight around each are added, by L again.
    NaN if these are too few as well.
    """
    three = _three(gaps, pixels)
    if len(three) < 3:
        three = _three(gaps, _around(gaps, pixels), three)
    if len(three) < 3:
        return np.full(3, np.nan)
    rows, columns = ranges.shape
    i, j = np.array(three).T
    points = np.column_stack((j * (view.width / columns), i * (view.height / rows), ranges[i, j]))
    normal = np.cross(points[1] - points[0], points[2] - points[0])
    normal /= -np.copysign(np.linalg.norm(normal), normal[2])
    return normal @ view.frame


def _three(gaps: _Floats, pool: _Pixels, have: list[_Pixels] | None = None) -> list[_Pixels]:
    """Return the pixels `have`, at most two, and those of the pool (k, 2) with the least gaps up to three not in a line."""
    chosen = list(have or ())
    values = gaps[pool[:, 0], pool[:, 1]]
    while len(chosen) < 3 and len(pool):
        if len(chosen) == 2:
            one, two = chosen
            turn = (two[0] - one[0]) * (pool[:, 1] - one[1]) - (two[1] - one[1]) * (pool[:, 0] - one[0])
            values = np.where(turn == 0, np.inf, values)
        best = int(values.argmin())
        if not values[best] < np.inf:
            break
        chosen.append(pool[best])
        values[best] = np.inf
    return chosen


def _around(gaps: _Floats, pixels: _Pixels) -> _Pixels:
    """Return the pixels that count among the eight around each of `pixels`, without these, sorted."""
    near = np.zeros((gaps.shape[0] + 2, gaps.shape[1] + 2), np.bool_)
    for i in range(3):
        for j in range(3):
            near[pixels[:, 0] + i, pixels[:, 1] + j] = True
    near = near[1:-1, 1:-1]
    near[pixels[:, 0], pixels[:, 1]] = False
    return np.argwhere(near & np.isfinite(gaps))
