"""One probe of a radar along a turn: the same pictures as in probe.py, drawn on circles about the axis."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidQuery
from .kernels import annulus as kernel
from .kernels import axle
from .kernels.circles import LIST, RANGE, SPOT, TURN
from .kernels.contact import contact
from .kernels.layout import POSITION, POSITION_REST
from .kernels.radar import contacts
from .motion import Rotate, Translate, frame_of, unit
from .probe import CONTACT, SAME, SEAM, THIN, face_normal, poses_apart, same_places, touch_of, unseen_by
from .results import Reading
from .scope import AngularView, checked_count
from .surface import PAST, corners_of, make_reached, make_whole, refresh
from .sweep import check_tolerance

if TYPE_CHECKING:
    from .radar import Radar
    from .scene import Body, Scene

_STILL = Translate((0.0, 0.0, 0.0))
_SMALLEST = 1e-40  # size of a view [length]
_CROSSINGS = 6  # of the mover with a circle: room for so many at first
_ARCS = 24  # the same for a cell's
_ROW = 1e-3  # pixels in contact that are this much longer than wide lie in a row


@dataclass(slots=True)
class Sheaf:
    """Where the movers' surfaces cross the circles of a view, and for what it holds."""

    axis: NDArray[np.float64]
    """In the first mover's own frame, shape (3,), unit."""
    about: NDArray[np.float64]
    """A point of the axis in that frame [length], shape (3,)."""
    apart: NDArray[np.float64]
    """Poses of the other movers as seen from the first, shape (k, 4, 4)."""
    changes: tuple[int, ...]
    frame: NDArray[np.float64]
    """Rows x, y, and z along the axis, in the first mover's frame, shape (3, 3)."""
    diagonal: float
    """Of the movers [length]."""
    rho: tuple[float, float]
    height: tuple[float, float]
    """Least and greatest distance from the axis, and height along it [length]."""
    seam: float
    """Where the circle is cut open: the middle of the widest gap between the movers; counted from x [radians]."""
    rear: float
    """Where the movers begin, counted from there."""
    extent: float
    """How much of the circle they take."""
    spans: NDArray[np.int64] | None = None
    """Where each pixel's crossings begin and end among `arcs`, shape (pixels + 1, 2); None before they are drawn."""
    arcs: NDArray[np.float64] | None = None
    """Angles from the seam, shape (n, 2), sorted within a pixel: of crossings, or the two ends of arcs if bounding."""


def probe_turn(radar: Radar, motion: Rotate, ignore: tuple[Body, ...]) -> Reading:
    """Answer `Radar.probe` for a turn, its arguments checked."""
    scene, movers, bounding = radar._scene, radar._movers, radar._bounding
    count = checked_count(scene)
    rows = np.array([mover._row for mover in movers])
    unseen = unseen_by(scene, movers, rows, ignore)
    if scene._volumes:
        refresh(scene)
        make_whole(scene, movers)
    check_tolerance(scene, rows)
    # Circles come back to where they began, so pictures cannot tell of a start inside something.
    start = scene.sweep(movers, _STILL, ignore=ignore)
    overlap = start if start is not None and start.overlapping else None
    sheaf, view = _sheaf_for(radar, motion, rows)
    if scene._volumes:
        make_reached(scene, _ring(sheaf, motion), PAST * float(view[kernel.GRID + 6]), movers)
    columns, lines = radar._pixels
    arrays = (scene._arena.geometry, scene._ints, scene._poses)
    spots = np.empty((lines * columns, SPOT))
    drawings = 1
    if sheaf.spans is None:
        unmoved = np.ones(count, np.uint8)
        unmoved[rows] = 0
        mask = (*arrays, scene._boxes, count, unmoved, view, columns, lines, bounding)
        spans = np.zeros((lines * columns + 1, 2), np.int64)
        listed = np.empty(((_ARCS if bounding else _CROSSINGS) * lines * columns, 3))
        kernel.draw(*mask, LIST, spans, listed, spots)
        if spans[-1, 0] > len(listed):
            # More than there was room for; now it is known how many.
            listed = np.empty((spans[-1, 0], 3))
            spans[-1, 0] = 0
            kernel.draw(*mask, LIST, spans, listed, spots)
        arcs = kernel.gather(spans, listed)
        if kernel.line_up(spans, arcs, bounding) == 0 and not _fills(scene, rows, view, columns, lines):
            raise InvalidQuery(
                f"body: {movers[0].name!r} covers no pixel's centre of {columns} x {lines} about this axis; "
                "accepted: more pixels, or a radar with bounding=True"
            )
        sheaf.spans, sheaf.arcs = spans, arcs
        drawings = 2
    lists = (sheaf.spans, sheaf.arcs, spots)
    kernel.blank(spots)
    kernel.draw(*arrays, scene._boxes, count, unseen, view, columns, lines, bounding, RANGE, *lists)
    # After one turn everything comes again.
    angle = min(motion.length, TURN)
    depth = angle + sheaf.extent
    touch = float(view[kernel.GRID + 6]) / sheaf.rho[1]
    ranges, lead = np.empty((lines, columns)), np.empty((lines, columns))
    ids, faces = np.empty((lines, columns), np.int32), np.empty((lines, columns), np.int32)
    images = (ranges, lead, ids, faces)
    pictures = (arrays[0], arrays[1], *lists, sheaf.rear, depth, bounding)
    touching = kernel.settle(*pictures, False, *images)
    if touching > 0 and overlap is None:
        # A picture cannot tell pressing from resting, nor the mover's front from its back; the sweep can.
        exact = scene.sweep(movers, motion, ignore=ignore)
        if exact is not None and exact.travel <= touch:
            kernel.settle(*pictures, True, *images)
    least, pixels = contacts(ranges, lead, ids, -1.0, angle + touch, CONTACT * sheaf.diagonal / sheaf.rho[1])
    frame = view[kernel.FRAME : kernel.GRID].reshape(3, 3)
    zero = math.cos(sheaf.seam + sheaf.rear) * frame[0] + math.sin(sheaf.seam + sheaf.rear) * frame[1]
    seen = AngularView(
        about=motion.about,
        axis=(float(frame[2, 0]), float(frame[2, 1]), float(frame[2, 2])),
        zero=(float(zero[0]), float(zero[1]), float(zero[2])),
        rho=sheaf.rho,
        height=sheaf.height,
        depth=depth,
    )
    hit = least < np.inf
    bodies: tuple[Body, ...] = ()
    centre, normal = np.full(3, np.nan), np.full(3, np.nan)
    if overlap is not None:
        hit, least = True, 0.0
        pixels = pixels[:0]
        bodies, centre, normal = (overlap.body,), overlap.point, overlap.normal
    elif hit:
        bodies, centre, normal = _met(scene, seen, images, pixels)
    travel = min(least, motion.length) if hit else motion.length
    return Reading(
        travel=travel,
        time=travel / motion.length,
        hit=hit,
        overlapping=overlap is not None,
        bodies=bodies,
        centre=centre,
        normal=normal,
        range=ranges,
        ids=ids,
        faces=faces,
        pixels=pixels,
        drawings=drawings,
        view=seen,
        movers=movers,
        motion=motion,
        _lead=lead,
        _scene=scene,
        _ignore=ignore,
    )


def _sheaf_for(radar: Radar, motion: Rotate, rows: NDArray[np.int64]) -> tuple[Sheaf, NDArray[np.float64]]:
    """Return the radar's sheaf if it still holds, else a new one, sized and not yet drawn; and the view as kernels take it."""
    scene, movers, sheaf = radar._scene, radar._movers, radar._sheaf
    first = scene._poses[rows[0]]
    turn = first[:9].reshape(3, 3)
    axis = motion.orbit[:3] @ turn
    offset = (np.array(motion.about) - first[POSITION : POSITION + 3]) - first[POSITION_REST : POSITION_REST + 3]
    about = offset @ turn
    changes = tuple(body._changes for body in movers)
    apart = poses_apart(movers)
    view = np.zeros(kernel.VIEW)
    view[kernel.ABOUT : kernel.FRAME] = motion.about
    columns, lines = radar._pixels
    if (
        sheaf is None
        or sheaf.changes != changes
        or np.abs(sheaf.axis - axis).max() > SAME
        or np.abs(sheaf.about - about).max() > SAME * (sheaf.diagonal + sheaf.rho[1])
        or not same_places(sheaf.apart, apart, sheaf.diagonal)
    ):
        frame = frame_of(*unit(*axis.tolist())).reshape(3, 3)
        view[kernel.FRAME : kernel.GRID] = (frame @ turn.T).ravel()
        near, far, low, high, seam, rear, extent = axle.reach(scene._arena.geometry, scene._ints, scene._poses, rows, view)
        if not near <= far:
            raise InvalidQuery(f"body: {movers[0].name!r} has no faces; there is nothing that could meet anything")
        boxes = scene._boxes[:, rows]
        diagonal = float(np.linalg.norm(boxes[3:].max(axis=1) - boxes[:3].min(axis=1)))
        thin = max(THIN * diagonal, THIN * THIN * far, _SMALLEST)
        spare = SEAM if radar._bounding else 0.0
        rho, height = _widened(near, far, spare, thin), _widened(low, high, spare, thin)
        # Nothing is nearer to the axis than the axis.
        rho = (max(rho[0], 0.0), rho[1])
        sheaf = Sheaf(axis, about, apart, changes, frame, diagonal, rho, height, seam, rear, extent)
        radar._sheaf = sheaf
    view[kernel.FRAME : kernel.GRID] = (sheaf.frame @ turn.T).ravel()
    across = (sheaf.rho[1] - sheaf.rho[0]) / columns
    down = (sheaf.height[1] - sheaf.height[0]) / lines
    touch = touch_of(radar, sheaf.diagonal, first)
    view[kernel.GRID : kernel.RIM] = (sheaf.rho[0], across, sheaf.height[1], down, sheaf.seam, sheaf.rear, touch)
    if radar._bounding:
        size = max(sheaf.rho[1] - sheaf.rho[0], sheaf.height[1] - sheaf.height[0])
        view[kernel.RIM] = min(2.0 * touch + SEAM * size, 0.25 * min(across, down))
    return sheaf, view


def _ring(sheaf: Sheaf, motion: Rotate) -> NDArray[np.float64]:
    """Return the corners of a world box [length], shape (8, 3), that holds all circles of a view."""
    axis = motion.orbit[:3]
    # How far a circle about the axis reaches along each coordinate.
    across = sheaf.rho[1] * np.sqrt(np.square(axis[[1, 2, 0]]) + np.square(axis[[2, 0, 1]]))
    ends = motion.about + np.outer(sheaf.height, axis)
    return corners_of(ends.min(axis=0) - across, ends.max(axis=0) + across)


def _widened(low: float, high: float, spare: float, thin: float) -> tuple[float, float]:
    """Return a range that is at least `thin` wide, and wider by a share of itself."""
    half = max(0.5 * (1.0 + spare) * (high - low) + spare * thin, 0.5 * thin)
    middle = 0.5 * (low + high)
    return middle - half, middle + half


def _fills(scene: Scene, rows: NDArray[np.int64], view: NDArray[np.float64], columns: int, lines: int) -> bool:
    """True if circles that cross no surface of a mover run inside it all the way round: a wheel on its axle."""
    while True:
        status, shape = axle.filled(scene._arena.geometry, scene._ints, scene._poses, rows, view, columns, lines)
        if status != axle.ASK:
            return bool(status)
        scene._arena.find_parts(shape)


def _met(
    scene: Scene,
    seen: AngularView,
    images: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int32], NDArray[np.int32]],
    pixels: NDArray[np.int64],
) -> tuple[tuple[Body, ...], NDArray[np.float64], NDArray[np.float64]]:
    """Return who is met, most pixels first, and centre and normal of the contact in the world.

    images: R, the leading surface, ids and faces.
    """
    ranges, lead, ids, faces = images
    met, counts = np.unique(ids[pixels[:, 0], pixels[:, 1]], return_counts=True)
    bodies = tuple(scene._bodies[int(k)] for k in met[np.argsort(-counts, kind="stable")])
    # Arms that meet something at the same time do so at different angles: the middle of those would be nowhere.
    around = ranges[pixels[:, 0], pixels[:, 1]]
    pixels = pixels[np.abs(around - around[len(around) // 2]) < 0.5 * math.pi]
    lines, columns = ids.shape
    across = ((seen.rho[1] - seen.rho[0]) / columns, (seen.height[1] - seen.height[0]) / lines)
    # As lengths on the circle through the pixels' middle, slopes are true there.
    rho = seen.rho[0] + (float(pixels[:, 1].mean()) + 0.5) * across[0]
    (column, line, deep), local = contact(ranges * rho, lead * rho, ids, pixels, across)
    angle = deep / rho
    centre = seen.at(column, line, angle, ids.shape)
    axis, zero = np.array(seen.axis), np.array(seen.zero)
    out = math.cos(angle) * zero + math.sin(angle) * np.cross(axis, zero)
    ahead = np.cross(axis, out)
    normal = local[0] * out - local[1] * axis + local[2] * ahead
    if len(pixels) > 2:
        # In the chart a flat contact is bent; in the world it is flat.
        places = seen.at(pixels[:, 1], pixels[:, 0], ranges[pixels[:, 0], pixels[:, 1]], ids.shape)
        _, sizes, ways = np.linalg.svd(places - places.mean(axis=0), full_matrices=False)
        if sizes[1] > _ROW * sizes[0]:
            normal = ways[2] if ways[2] @ ahead < 0.0 else -ways[2]
    if np.isnan(normal).any():
        line, column = pixels[len(pixels) // 2]
        normal = face_normal(scene._bodies[int(ids[line, column])], int(faces[line, column]), centre, ahead)
    return bodies, centre, normal
