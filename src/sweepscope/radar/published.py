"""One probe of a radar exactly as published (Yamachi & Shindo 2002, sections 3.1 and 3.2), to compare with.

R is drawn from the mover's rear, M is the mover alone, L = R + M - d where M < d, and there is a collision if min(L) <= D.
This has the paper's faults. What lies behind the leading surface, beside the mover or in a notch, has L < 0: a false alarm,
and it hides what is ahead. What is thinner than a pixel is missed, and so is a mover that covers no pixel's center, or has no
length along the motion: M = d then. Where R shows nothing, L = M; at the foremost place of the mover that is D, a collision
with no body.

What the paper leaves open is marked "our reading" below; docs/lab/papers_radar.md has the list.
"""

from __future__ import annotations

import numpy as np

from ..kernels.picture import view as kernel
from ..kernels.statuses import HIT
from ..queries.look import acquire_buffers, release_buffers
from ..results import RadarReading
from .reading import Pictures, make_reading
from .straight import StraightJob, draw_mask, prepare, read_pictures, world_contact

__all__ = ["draw", "prepare", "read"]  # the steps of a probe; views and options are those of straight.py


def draw(job: StraightJob) -> None:
    """Draw R, and M if it is not known and R shows anything, or the next view is sized by it."""
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
    if not mask.drawn and (job.status == HIT or mask.first_step):
        draw_mask(job, near, fragments)
        # M = d, up to rounding, is the paper's mark of a pixel without mover, also where the mover's rear is.
        mask.lead[:] = np.where(mask.lead > job.touch, mask.lead, -np.inf)
        mask.drawn = True
        job.drawings = 2
    release_buffers(buffers)


def read(job: StraightJob) -> RadarReading:
    """Read a probe's pictures."""
    setup, mask, pictures, motion = job.setup, job.mask, job.pictures, job.motion
    nothing = np.empty((0, 2), np.int64)
    if job.status != HIT:
        lead = mask.lead if mask.first_step else None
        return make_reading(setup, motion, job.ignored, pictures, lead, job.view, job.drawings, None, nothing)
    seen = read_pictures(job)
    found = world_contact(job, seen) if seen.travel < np.inf else None
    return make_reading(setup, motion, job.ignored, pictures, mask.lead, job.view, job.drawings, found, seen.pixels)
