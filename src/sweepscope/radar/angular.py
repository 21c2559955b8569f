"""One probe of a radar along a turn: the steps of straight.py, drawn on circles about the axis."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidQuery
from ..kernels.charts.cylinder import ABOUT, FRAME, TURN
from ..kernels.picture import annulus as kernel
from ..kernels.picture import around
from ..kernels.picture.circles import FRAGMENT, LIST, RANGE
from ..kernels.picture.contact_area import contact
from ..motion import Rotate, orbit_of
from ..queries.rows import ready_world
from ..queries.sweep import contact_now, first_contact
from ..queries.view import AngularView
from ..world.surfaces import PAST, corners_of
from .images import CONTACT, least_gap
from .masks import AxisMask, Masks
from .reading import Pictures, PixelContact, make_reading
from .setup import Setup

if TYPE_CHECKING:
    from ..results import Hit, RadarReading
    from ..world.body import Body

_CROSSINGS = 6  # initial space per pixel, for crossings of the mover with a circle
_ARCS = 24  # initial space per pixel if bounding
_ROW = 1e-3  # pixels in contact whose width is below this fraction of their length lie in a row


@dataclass(slots=True)
class AngularJob:
    """A probe in progress: its view and options, and its pictures."""

    setup: Setup
    motion: Rotate
    ignored: tuple[Body, ...]
    mask: AxisMask
    overlap: Hit | None
    """Overlap of the movers at the start."""
    unseen: NDArray[np.uint8]
    """1 for bodies that the range picture leaves out."""
    ignored_pairs: NDArray[np.int64]
    row: NDArray[np.float64]
    """The view, as kernels take it."""
    touch: float
    """Distance below which surfaces touch [length]."""
    fragments: NDArray[np.float64]
    """What each circle hits."""
    pictures: Pictures
    drawings: int = 1
    blind: bool = False


def prepare(setup: Setup, masks: Masks, motion: Rotate, ignored: tuple[Body, ...]) -> AngularJob:
    """Size the view of a probe, and collect what to draw."""
    store, movers, rows = setup.store, setup.movers, setup.rows
    passed = setup.update(ignored)
    ignored_pairs = store.filters.ignored_pairs(rows, passed)
    # Circles end where they begin, so pictures cannot show an overlap at the start.
    start = contact_now(store, list(movers), 0.0, False, ignored_pairs)
    mask = masks.about_axis(setup, motion)
    touch = setup.touch(mask.diagonal)
    if store.surfaces:
        store.surfaces.make_reached(_ring(mask, motion), PAST * touch, movers)
    world = store.world()
    columns, lines = setup.pixels
    return AngularJob(
        setup=setup,
        motion=motion,
        ignored=ignored,
        mask=mask,
        overlap=start if start is not None and start.overlapping else None,
        unseen=store.filters.hidden(world.bodies[: world.rows], rows, passed),
        ignored_pairs=ignored_pairs,
        row=_view_row(setup, mask, motion, touch),
        touch=touch,
        fragments=np.empty((lines * columns, FRAGMENT)),
        pictures=Pictures.empty(setup),
    )


def draw(job: AngularJob) -> None:
    """Draw a probe's pictures: the mask if it is new, then the range."""
    setup, mask = job.setup, job.mask
    if mask.spans is None:
        _draw_mask(job)
        job.drawings += 1
    if job.blind:
        return
    kernel.blank(job.fragments)
    kernel.draw(
        *setup.store.world(), job.unseen, job.row, *setup.pixels, setup.bounding, RANGE, mask.spans, mask.arcs, job.fragments
    )


def read(job: AngularJob) -> RadarReading:
    """Read a probe's pictures."""
    setup, mask, pictures, motion = job.setup, job.mask, job.pictures, job.motion
    columns, lines = setup.pixels
    if job.blind:
        raise InvalidQuery(
            f"mover: {setup.movers[0].name!r} covers no pixel's center of {columns} x {lines} about this axis; "
            "accepted: more pixels, or method='bounding'"
        )
    # After one full turn everything repeats.
    angle = min(motion.length, TURN)
    depth = angle + mask.extent
    lead = _resolve_touching(job, depth)
    touch, slack = job.touch / mask.rho[1], CONTACT * mask.diagonal / mask.rho[1]
    images = pictures.ranges, lead, pictures.ids
    least, pixels = least_gap(*images, distance=angle, touch=touch, slack=slack, method=setup.method)
    view = _view(job, depth)
    found = None
    if job.overlap is not None:
        hit, pixels = job.overlap, pixels[:0]
        found = PixelContact(0.0, (hit.obstacle,), hit.point, hit.normal, overlapping=True)
    elif least < np.inf:
        found = _contact(job, view, lead, least, pixels)
    return make_reading(setup, motion, job.ignored, pictures, lead, view, job.drawings, found, pixels)


def _view_row(setup: Setup, mask: AxisMask, motion: Rotate, touch: float) -> NDArray[np.float64]:
    """Return the view as kernels take it."""
    columns, lines = setup.pixels
    turn = setup.store.world().poses[setup.rows[0], :9].reshape(3, 3)
    wide, tall = mask.rho[1] - mask.rho[0], mask.height[1] - mask.height[0]
    row = np.zeros(kernel.VIEW)
    row[ABOUT:FRAME] = motion.about
    row[FRAME : kernel.GRID] = (mask.frame @ turn.T).ravel()
    row[kernel.GRID : kernel.RIM] = (
        mask.rho[0], wide / columns, mask.height[1], tall / lines, mask.seam, mask.rear, touch,
    )  # fmt: skip
    row[kernel.RIM] = setup.rim(touch, (wide, tall), (wide / columns, tall / lines))
    return row


def _draw_mask(job: AngularJob) -> None:
    """Compute where the movers cross the circles of the view."""
    setup, mask = job.setup, job.mask
    columns, lines = setup.pixels
    world = setup.store.world()
    unmoved = np.ones(world.rows, np.uint8)
    unmoved[setup.rows] = 0
    picture = (*world, unmoved, job.row, columns, lines, setup.bounding, LIST)
    spans = np.zeros((lines * columns + 1, 2), np.int64)
    listed = np.empty(((_ARCS if setup.bounding else _CROSSINGS) * lines * columns, 3))
    kernel.draw(*picture, spans, listed, job.fragments)
    if spans[-1, 0] > len(listed):
        # They did not fit; now their number is known.
        listed = np.empty((spans[-1, 0], 3))
        spans[-1, 0] = 0
        kernel.draw(*picture, spans, listed, job.fragments)
    arcs = kernel.gather(spans, listed)
    job.blind = kernel.line_up(spans, arcs, setup.bounding) == 0 and not _fills(job)
    if not job.blind:
        mask.spans, mask.arcs = spans, arcs


def _fills(job: AngularJob) -> bool:
    """True if a circle lies wholly inside a mover and crosses no surface of it: a wheel on its axle."""
    store = job.setup.store
    rows = job.setup.rows
    return bool(around.filled(*ready_world(store, rows), rows, job.row, *job.setup.pixels))


def _resolve_touching(job: AngularJob, depth: float) -> NDArray[np.float64]:
    """Fill the pictures; return that of the leading surface."""
    setup, mask, pictures = job.setup, job.mask, job.pictures
    world = setup.store.world()
    lead = np.empty(pictures.ranges.shape)
    images = (pictures.ranges, lead, pictures.ids, pictures.faces)
    drawn = (world.geometry, world.bodies, mask.spans, mask.arcs, job.fragments, mask.rear, depth, setup.bounding)
    touching = kernel.finish_picture(*drawn, False, *images)
    if touching > 0 and job.overlap is None:
        # A picture cannot distinguish pressing from resting, nor the mover's front from its back; the sweep can.
        exact = first_contact(setup.store, list(setup.movers), job.motion, 0.0, False, job.ignored_pairs)
        if exact is not None and exact.travel <= job.touch / mask.rho[1]:
            kernel.finish_picture(*drawn, True, *images)
    return lead


def _view(job: AngularJob, depth: float) -> AngularView:
    """Return the view of the pictures."""
    mask = job.mask
    frame = job.row[FRAME : kernel.GRID].reshape(3, 3)
    zero = math.cos(mask.seam + mask.rear) * frame[0] + math.sin(mask.seam + mask.rear) * frame[1]
    return AngularView(
        about=job.motion.about,
        axis=(float(frame[2, 0]), float(frame[2, 1]), float(frame[2, 2])),
        zero=(float(zero[0]), float(zero[1]), float(zero[2])),
        rho=mask.rho,
        height=mask.height,
        depth=depth,
    )


def _ring(mask: AxisMask, motion: Rotate) -> NDArray[np.float64]:
    """Return the corners of a world box [length], shape (8, 3), that encloses all circles of a view."""
    axis = orbit_of(motion)[:3]
    # Extent of the largest circle along each coordinate.
    across = mask.rho[1] * np.sqrt(np.square(axis[[1, 2, 0]]) + np.square(axis[[2, 0, 1]]))
    ends = motion.about + np.outer(mask.height, axis)
    return corners_of(ends.min(axis=0) - across, ends.max(axis=0) + across)


def _contact(
    job: AngularJob, seen: AngularView, lead: NDArray[np.float64], travel: float, pixels: NDArray[np.int64]
) -> PixelContact:
    """Return the contact at some pixels: obstacles, center and normal, world."""
    pictures = job.pictures
    ranges, ids = pictures.ranges, pictures.ids
    obstacles = pictures.bodies_at(job.setup, pixels)
    # Several arms may hit at once at different angles; the middle of those angles is not a contact. Use one arm.
    around = ranges[pixels[:, 0], pixels[:, 1]]
    pixels = pixels[np.abs(around - around[len(around) // 2]) < 0.5 * math.pi]
    lines, columns = ids.shape
    across = ((seen.rho[1] - seen.rho[0]) / columns, (seen.height[1] - seen.height[0]) / lines)
    # As lengths on the circle through the middle pixel, slopes are right there.
    rho = seen.rho[0] + (float(pixels[:, 1].mean()) + 0.5) * across[0]
    (column, line, deep), local = contact(ranges * rho, lead * rho, ids, pixels, across)
    angle = deep / rho
    center = seen.at(column, line, angle, ids.shape)
    axis, zero = np.array(seen.axis), np.array(seen.zero)
    out = math.cos(angle) * zero + math.sin(angle) * np.cross(axis, zero)
    ahead = np.cross(axis, out)
    normal = local[0] * out - local[1] * axis + local[2] * ahead
    if len(pixels) > 2:
        # A flat contact is curved in the chart, flat in the world.
        places = seen.at(pixels[:, 1], pixels[:, 0], ranges[pixels[:, 0], pixels[:, 1]], ids.shape)
        _, sizes, directions = np.linalg.svd(places - places.mean(axis=0), full_matrices=False)
        if sizes[1] > _ROW * sizes[0]:
            normal = directions[2] if directions[2] @ ahead < 0.0 else -directions[2]
    if np.isnan(normal).any():
        normal = pictures.normal_at(job.setup, pixels[len(pixels) // 2], center, ahead)
    return PixelContact(travel, obstacles, center, normal)
