"""One probe of a radar along a translation: size the view, draw the pictures, read them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidQuery
from ..kernels.layout import POSITION, POSITION_REST
from ..kernels.picture import radar as kernel
from ..kernels.picture import view as columns_of
from ..kernels.statuses import BLIND, NOTHING, OVERLAP
from ..kernels.sweep.nested import nested
from ..motion import Translate
from ..queries.look import acquire_buffers, release_buffers
from ..queries.rows import ready_world
from ..queries.sweep import first_contact
from ..queries.view import View, view_of_frame
from ..world.surfaces import PAST
from .images import CONTACT, ImageContact, contact_in
from .masks import Masks, StraightMask
from .reading import Pictures, PixelContact, make_reading
from .setup import Setup

if TYPE_CHECKING:
    from ..results import RadarReading
    from ..world.body import Body


@dataclass(slots=True)
class StraightJob:
    """A probe in progress: its view and options, and its pictures."""

    setup: Setup
    motion: Translate
    ignored: tuple[Body, ...]
    mask: StraightMask
    unmoved: NDArray[np.uint8]
    """1 for all bodies but the movers."""
    unseen: NDArray[np.uint8]
    """1 for bodies that the range picture leaves out."""
    ignored_pairs: NDArray[np.int64]
    row: NDArray[np.float64]
    """The view, as kernels take it."""
    view: View
    touch: float
    rim: float
    pictures: Pictures
    status: int = field(default=NOTHING)
    drawings: int = 0
    nested: bool = False


def prepare(setup: Setup, masks: Masks, motion: Translate, ignored: tuple[Body, ...]) -> StraightJob:
    """Size the view of a probe, and collect what to draw."""
    store, movers, rows = setup.store, setup.movers, setup.rows
    passed = setup.update(ignored)
    mask = masks.straight(setup, motion)
    world = store.world()
    unmoved = np.ones(world.rows, np.uint8)
    unmoved[rows] = 0
    first = world.poses[rows[0]]
    frame = mask.frame @ first[:9].reshape(3, 3).T
    touch = setup.touch(mask.diagonal)
    depth = motion.length + mask.length
    row = np.empty(columns_of.VIEW)
    row[columns_of.ORIGIN : columns_of.FRAME] = first[POSITION : POSITION_REST + 3]
    row[columns_of.FRAME : columns_of.LEFT] = frame.ravel()
    row[columns_of.LEFT :] = (*mask.corner, mask.box[2], *mask.size, depth, -touch, 0.0, 0.0)
    corner = np.array((mask.corner[0] + 0.5 * mask.size[0], mask.corner[1] + 0.5 * mask.size[1], mask.box[2]))
    view = view_of_frame(row[0:3] + (row[3:6] + corner @ frame), frame, *mask.size, depth)
    if store.surfaces:
        store.surfaces.make_reached(view.corners(), PAST * touch, movers)
    columns, lines = setup.pixels
    return StraightJob(
        setup=setup,
        motion=motion,
        ignored=ignored,
        mask=mask,
        unmoved=unmoved,
        unseen=store.filters.hidden(world.bodies[: world.rows], rows, passed),
        ignored_pairs=store.filters.ignored_pairs(rows, passed),
        row=row,
        view=view,
        touch=touch,
        rim=setup.rim(touch, mask.size, (mask.size[0] / columns, mask.size[1] / lines)),
        pictures=Pictures.empty(setup),
    )


def draw(job: StraightJob) -> None:
    """Draw a probe's pictures. Almost all of the time is in the kernel, so threads do not wait for each other."""
    store, mask, pictures = job.setup.store, job.mask, job.pictures
    buffers = near, fragments = acquire_buffers(*pictures.ids.shape)
    world = store.world() if job.setup.bounding else ready_world(store, job.setup.rows)
    if mask.first_step and not mask.drawn:
        # The size of the next view is read from it, also if nothing is ahead.
        draw_mask(job, near, fragments)
        mask.drawn = bool(np.isfinite(mask.lead).any())
        if not mask.drawn:
            job.status = BLIND
            release_buffers(buffers)
            return
        job.drawings = 1
    job.status, drawings, job.nested = kernel.probe(
        *world, job.setup.rows, job.unmoved, job.unseen, job.row, job.motion.length,
        mask.length, mask.drawn, job.setup.bounding, job.touch, job.rim, mask.lead, mask.back, near, fragments, pictures.ranges,
        pictures.ids, pictures.faces,
    )  # fmt: skip
    job.drawings += drawings
    release_buffers(buffers)


def draw_mask(job: StraightJob, near: NDArray[np.float64], fragments: NDArray[np.float64]) -> None:
    """Draw the movers alone, and keep the depth of their leading surface, which holds for every D. near, fragments: room."""
    mask, touch, bounding = job.mask, job.touch, job.setup.bounding
    if bounding:
        _draw_movers(job, job.row.copy(), near, fragments)
        mask.back[:] = fragments[:, :, 0]
    row = job.row.copy()
    # From the movers' front: the paper's far end is D further. Only the depth axis is reversed: the picture is mirrored.
    row[columns_of.FRAME + 6 : columns_of.FRAME + 9] *= -1.0
    # Bounds are cut off at depth 0, so they are drawn from a little further away.
    ahead = touch if bounding else 0.0
    row[columns_of.LEFT + 2] = -(row[columns_of.LEFT + 2] + mask.length + ahead)
    _draw_movers(job, row, near, fragments)
    mask.lead[:] = mask.length + ahead - fragments[:, :, 0]


def _draw_movers(job: StraightJob, row: NDArray[np.float64], near: NDArray[np.float64], fragments: NDArray[np.float64]) -> None:
    """Draw the movers through a view that is as deep as they are long. A flat front or rear is at depth 0, up to rounding."""
    row[columns_of.SIZE + 2] = job.mask.length + 2.0 * job.touch
    near.fill(-job.touch)
    columns_of.wipe(fragments)
    columns_of.picture(*job.setup.store.world(), job.unmoved, row, job.setup.bounding, 0, 1, near, fragments)


def read(job: StraightJob) -> RadarReading:
    """Read a probe's pictures."""
    setup, mask, pictures, motion = job.setup, job.mask, job.pictures, job.motion
    columns, lines = setup.pixels
    if job.status == BLIND:
        raise InvalidQuery(
            f"mover: {setup.movers[0].name!r} covers no pixel's center of {columns} x {lines} from this direction; "
            "accepted: more pixels, or method='bounding'"
        )
    mask.drawn = mask.drawn or job.status != NOTHING
    overlapping = job.status == OVERLAP
    found = None
    if not overlapping and (job.nested or setup.bounding):
        found = _nested_contact(job)
    pixels = np.empty((0, 2), np.int64)
    if found is None and job.status != NOTHING:
        seen = _contact_ahead(job)
        pixels = seen.pixels
        if seen.travel < np.inf:
            found = world_contact(job, seen)
            found.overlapping = overlapping
    lead = None if job.status == NOTHING else mask.lead
    return make_reading(setup, motion, job.ignored, pictures, lead, job.view, job.drawings, found, pixels)


def _contact_ahead(job: StraightJob) -> ImageContact:
    """Return the contact that the images show."""
    found = read_pictures(job)
    if found.travel <= job.touch and job.status != OVERLAP and not job.setup.bounding:
        # A picture cannot distinguish resting from pressing; the sweep can.
        exact = first_contact(job.setup.store, list(job.setup.movers), job.motion, 0.0, False, job.ignored_pairs)
        if exact is None or exact.travel > job.touch:
            return read_pictures(job, above=job.touch)
    return found


def read_pictures(job: StraightJob, *, above: float = -1.0) -> ImageContact:
    """Return the contact that a job's pictures show, without gaps up to `above`: see `contact_in`."""
    setup, pictures, view = job.setup, job.pictures, job.view
    columns, lines = setup.pixels
    across = (view.width / columns, view.height / lines)
    return contact_in(
        pictures.ranges,
        job.mask.lead,
        pictures.ids,
        across,
        distance=job.motion.length,
        touch=job.touch,
        slack=CONTACT * job.mask.diagonal,
        method=setup.method,
        above=above,
    )


def world_contact(job: StraightJob, seen: ImageContact) -> PixelContact:
    """Return a contact that the images show: obstacles, center and normal, world; no obstacles and NaN without pixels."""
    pictures, view, pixels = job.pictures, job.view, seen.pixels
    if len(pixels) == 0:
        return PixelContact(seen.travel, (), np.full(3, np.nan), np.full(3, np.nan))
    column, line, deep = seen.place
    center = view.at(column, line, deep, pictures.ids.shape)
    normal = np.array(seen.normal) @ view.frame
    if np.isnan(normal).any() and job.setup.method != "published":
        normal = pictures.normal_at(job.setup, pixels[len(pixels) // 2], center, view.frame[2])
    return PixelContact(seen.travel, pictures.bodies_at(job.setup, pixels), center, normal)


def _nested_contact(job: StraightJob) -> PixelContact | None:
    """Return the contact of nested bodies, one wholly inside the other: pictures do not show it."""
    store = job.setup.store
    rows = job.setup.rows
    status, _, outer, place = nested(*ready_world(store, rows), rows, job.ignored_pairs, job.touch)
    if status != OVERLAP:
        return None
    return PixelContact(0.0, (store.entry(outer).body,), np.array(place), np.full(3, np.nan), overlapping=True)
