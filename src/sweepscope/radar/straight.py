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
from ..kernels.picture.contact_area import contact
from ..kernels.statuses import BLIND, NOTHING, OVERLAP
from ..kernels.sweep.nested import nested
from ..motion import Translate
from ..queries.look import acquire_buffers, release_buffers
from ..queries.rows import ready_world
from ..queries.sweep import first_contact
from ..queries.view import View, view_of_frame
from ..world.surfaces import PAST
from .masks import Masks, StraightMask
from .reading import CONTACT, Pictures, PixelContact, make_reading
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
    job.status, job.drawings, job.nested = kernel.probe(
        *world, job.setup.rows, job.unmoved, job.unseen, job.row, job.motion.length,
        mask.length, mask.drawn, job.setup.bounding, job.touch, job.rim, mask.lead, mask.back, near, fragments, pictures.ranges,
        pictures.ids, pictures.faces,
    )  # fmt: skip
    release_buffers(buffers)


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
    least, pixels = _least_gap(job)
    overlapping = job.status == OVERLAP
    found = None
    if not overlapping and (job.nested or setup.bounding):
        found = _nested_contact(job)
    if found is not None:
        pixels = pixels[:0]
    elif least < np.inf:
        found = _contact(job, least, pixels)
        found.overlapping = overlapping
    lead = None if job.status == NOTHING else mask.lead
    return make_reading(setup, motion, job.ignored, pictures, lead, job.view, job.drawings, found, pixels)


def _least_gap(job: StraightJob) -> tuple[float, NDArray[np.int64]]:
    """Return the smallest gap [length] within the motion, infinite if free, and the pixels that have it."""
    if job.status == NOTHING:
        return np.inf, np.empty((0, 2), np.int64)
    setup, mask, pictures = job.setup, job.mask, job.pictures
    limit, slack = job.motion.length + job.touch, CONTACT * mask.diagonal
    images = pictures.ranges, mask.lead, pictures.ids
    least, pixels = kernel.contacts(*images, -1.0, limit, slack)
    if least <= job.touch and job.status != OVERLAP and not setup.bounding:
        # A picture cannot distinguish resting from pressing; the sweep can.
        exact = first_contact(setup.store, list(setup.movers), job.motion, 0.0, False, job.ignored_pairs)
        if exact is None or exact.travel > job.touch:
            least, pixels = kernel.contacts(*images, job.touch, limit, slack)
    return least, pixels


def _contact(job: StraightJob, travel: float, pixels: NDArray[np.int64]) -> PixelContact:
    """Return the contact at some pixels: obstacles, center and normal, world."""
    pictures, view = job.pictures, job.view
    lines, columns = pictures.ids.shape
    across = (view.width / columns, view.height / lines)
    (column, line, deep), local = contact(pictures.ranges, job.mask.lead, pictures.ids, pixels, across)
    center = view.at(column, line, deep, pictures.ids.shape)
    normal = np.array(local) @ view.frame
    if np.isnan(normal).any():
        normal = pictures.normal_at(job.setup, pixels[len(pixels) // 2], center, view.frame[2])
    return PixelContact(travel, pictures.bodies_at(job.setup, pixels), center, normal)


def _nested_contact(job: StraightJob) -> PixelContact | None:
    """Return the contact of nested bodies, one wholly inside the other: pictures do not show it."""
    store = job.setup.store
    rows = job.setup.rows
    status, _, outer, place = nested(*ready_world(store, rows), rows, job.ignored_pairs, job.touch)
    if status != OVERLAP:
        return None
    return PixelContact(0.0, (store.entry(outer).body,), np.array(place), np.full(3, np.nan), overlapping=True)
