"""One probe of a radar: size the view, draw what is needed, read it, word the answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidQuery
from .kernels import radar as kernel
from .kernels import scope, sweep
from .kernels.contact import contact
from .kernels.layout import GROUP, IGNORES, POSITION, POSITION_REST
from .kernels.tolerances import EPS, TOUCH_AWAY, TOUCH_SIZE
from .motion import Translate, frame_of, unit
from .results import Reading
from .scope import View, borrow_room, checked_count, return_room
from .shapes import Volume
from .surface import PAST, make_reached, make_whole, normal_at, refresh
from .sweep import check_tolerance, skips_of

if TYPE_CHECKING:
    from .radar import Radar
    from .scene import Body, Scene

SAME = 1e-12  # directions and poses that differ by less are the same, rounded
CONTACT = 1e-6  # gaps that differ by less than this share of the mover's size are one contact
THIN = 1e-6  # a view is at least this share of the mover's size wide
SEAM = 1e-9  # a bounding view is this much wider than the mover, so that its rim lies inside


@dataclass(slots=True)
class Mask:
    """A mask scope and for what it holds."""

    toward: NDArray[np.float64]
    """Direction of view in the first mover's own frame, shape (3,)."""
    apart: NDArray[np.float64]
    """Poses of the other movers as seen from the first, shape (k, 4, 4)."""
    changes: tuple[int, ...]
    frame: NDArray[np.float64]
    """Rows right, down, ahead, in the first mover's frame, shape (3, 3)."""
    box: NDArray[np.float64]
    """Low and high corner of the movers in that frame, shape (6,)."""
    diagonal: float
    """Of that box."""
    corner: tuple[float, float]
    size: tuple[float, float]
    lead: NDArray[np.float64]
    """Depth of the leading surface, from the movers' rear."""
    back: NDArray[np.float64]
    """How far back they reach; of bounding radars only."""
    drawn: bool = False
    first_step: bool = False
    """Drawn at the preset size; the next probe reads the true size off it."""

    @property
    def length(self) -> float:
        """Of the movers along the view."""
        return float(self.box[5] - self.box[2])


@dataclass(slots=True)
class Job:
    """A probe on its way: what is to be drawn, and room for it; then what was drawn."""

    radar: Radar
    motion: Translate
    ignore: tuple[Body, ...]
    mask: Mask
    rows: NDArray[np.int64]
    unmoved: NDArray[np.uint8]
    unseen: NDArray[np.uint8]
    view: NDArray[np.float64]
    seen: View
    touch: float
    rim: float
    ranges: NDArray[np.float64]
    ids: NDArray[np.int32]
    faces: NDArray[np.int32]
    status: int = kernel.NOTHING
    drawings: int = 0
    nested: bool = False


def probe(radar: Radar, motion: Translate, ignore: tuple[Body, ...]) -> Reading:
    """Answer `Radar.probe`, its arguments checked."""
    job = prepare(radar, motion, ignore)
    draw(job)
    return told(job)


def prepare(radar: Radar, motion: Translate, ignore: tuple[Body, ...]) -> Job:
    """Size the view of a probe, and see what is to be drawn."""
    scene, movers = radar._scene, radar._movers
    count = checked_count(scene)
    rows = np.array([mover._row for mover in movers])
    unmoved = np.ones(count, np.uint8)
    unmoved[rows] = 0
    unseen = unseen_by(scene, movers, rows, ignore)
    if scene._volumes:
        refresh(scene)
        make_whole(scene, movers)
    check_tolerance(scene, rows)
    mask = _mask_for(radar, motion, rows)
    first = scene._poses[rows[0]]
    frame = mask.frame @ first[:9].reshape(3, 3).T
    box = mask.box
    touch = touch_of(radar, mask.diagonal, first)
    depth = motion.length + mask.length
    view = np.empty(scope.VIEW)
    view[scope.ORIGIN : scope.FRAME] = first[POSITION : POSITION_REST + 3]
    view[scope.FRAME : scope.LEFT] = frame.ravel()
    view[scope.LEFT :] = (*mask.corner, box[2], *mask.size, depth, -touch, 0.0, 0.0)
    corner = np.array((mask.corner[0] + 0.5 * mask.size[0], mask.corner[1] + 0.5 * mask.size[1], box[2]))
    seen = View._of(view[0:3] + (view[3:6] + corner @ frame), frame, *mask.size, depth)
    if scene._volumes:
        make_reached(scene, seen._corners(), PAST * touch, movers)
    columns, lines = radar._pixels
    rim = 0.0
    if radar._bounding:
        rim = min(2.0 * touch + SEAM * max(mask.size), 0.25 * min(mask.size[0] / columns, mask.size[1] / lines))
    return Job(
        radar=radar,
        motion=motion,
        ignore=ignore,
        mask=mask,
        rows=rows,
        unmoved=unmoved,
        unseen=unseen,
        view=view,
        seen=seen,
        touch=touch,
        rim=rim,
        ranges=np.empty((lines, columns)),
        ids=np.empty((lines, columns), np.int32),
        faces=np.empty((lines, columns), np.int32),
    )


def draw(job: Job) -> None:
    """Draw a probe's pictures: the kernel and next to nothing else, so that several threads do not wait for each other."""
    scene, mask, radar = job.radar._scene, job.mask, job.radar
    room = near, spots = borrow_room(*job.ids.shape)
    while True:
        job.status, shape, job.drawings, job.nested = kernel.probe(
            scene._arena.geometry, scene._ints, scene._poses, scene._boxes, len(job.unseen), job.rows, job.unmoved, job.unseen,
            job.view, job.motion.length, mask.length, mask.drawn, radar._bounding, job.touch, job.rim, mask.lead, mask.back,
            near, spots, job.ranges, job.ids, job.faces,
        )  # fmt: skip
        if job.status != kernel.ASK:
            break
        scene._arena.find_parts(shape)
    return_room(room)


def told(job: Job) -> Reading:
    """Read a probe's pictures."""
    radar, motion, ignore, mask, rows, touch = job.radar, job.motion, job.ignore, job.mask, job.rows, job.touch
    scene, movers, seen, status, drawings, nested = radar._scene, radar._movers, job.seen, job.status, job.drawings, job.nested
    ranges, ids, faces = job.ranges, job.ids, job.faces
    lines, columns = ids.shape
    if status == kernel.BLIND:
        raise InvalidQuery(
            f"body: {movers[0].name!r} covers no pixel's centre of {columns} x {lines} from this direction; "
            "accepted: more pixels, or a radar with bounding=True"
        )
    mask.drawn = mask.drawn or status != kernel.NOTHING
    overlapping = status == kernel.OVERLAP
    limit, slack = motion.length + touch, CONTACT * mask.diagonal
    least, pixels = np.inf, np.empty((0, 2), np.int64)
    if status != kernel.NOTHING:
        least, pixels = kernel.contacts(ranges, mask.lead, ids, -1.0, limit, slack)
    if least <= touch and not overlapping and not radar._bounding:
        # A picture cannot tell resting from pressing; the sweep can.
        exact = scene.sweep(movers, motion, ignore=ignore)
        if exact is None or exact.travel > touch:
            least, pixels = kernel.contacts(ranges, mask.lead, ids, touch, limit, slack)
    hit = least < np.inf
    held = None
    if not overlapping and (nested or radar._bounding):
        held = _holder(scene, movers, rows, ignore, touch)
    bodies: tuple[Body, ...] = ()
    centre = np.full(3, np.nan)
    normal = np.full(3, np.nan)
    if held is not None:
        hit, overlapping, least = True, True, 0.0
        pixels = pixels[:0]
        bodies, centre = (held[0],), held[1]
    elif hit:
        bodies, centre, normal = _met(scene, seen, ranges, mask.lead, ids, faces, pixels)
    travel = min(least, motion.length) if hit else motion.length
    return Reading(
        travel=travel,
        time=travel / motion.length,
        hit=hit,
        overlapping=overlapping,
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
        _lead=None if status == kernel.NOTHING else mask.lead,
        _scene=scene,
        _ignore=ignore,
    )


def touch_of(radar: Radar, diagonal: float, pose: NDArray[np.float64]) -> float:
    """Return how near surfaces touch [length]. pose: the first mover's, as kernels take it."""
    touch = TOUCH_SIZE * diagonal
    if radar._scene._tolerance >= 0.0:
        # A bound leaves out what reaches less far than `touch`: a coarse tolerance must not make it forgiving.
        touch = min(touch, radar._scene._tolerance) if radar._bounding else radar._scene._tolerance
    return max(touch, TOUCH_AWAY * EPS * max(map(abs, pose[POSITION : POSITION + 3].tolist())))


def _met(
    scene: Scene,
    seen: View,
    ranges: NDArray[np.float64],
    lead: NDArray[np.float64],
    ids: NDArray[np.int32],
    faces: NDArray[np.int32],
    pixels: NDArray[np.int64],
) -> tuple[tuple[Body, ...], NDArray[np.float64], NDArray[np.float64]]:
    """Return who is met, most pixels first, and centre and normal of the contact in the world."""
    lines, columns = ids.shape
    across = (seen.width / columns, seen.height / lines)
    (column, line, deep), local = contact(ranges, lead, ids, pixels, across)
    centre = seen.at(column, line, deep, ids.shape)
    normal = np.array(local) @ seen.frame
    met, counts = np.unique(ids[pixels[:, 0], pixels[:, 1]], return_counts=True)
    bodies = tuple(scene._bodies[int(k)] for k in met[np.argsort(-counts, kind="stable")])
    if np.isnan(normal).any():
        line, column = pixels[len(pixels) // 2]
        normal = face_normal(scene._bodies[int(ids[line, column])], int(faces[line, column]), centre, seen.frame[2])
    return bodies, centre, normal


def face_normal(body: Body, face: int, point: NDArray[np.float64], ahead: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the unit normal of a face at a point [length], world, towards where one looks from; straight back if none."""
    if isinstance(body._shape, Volume):
        return normal_at(body, face, point, ahead)
    a, b, c = body.vertices[body._shape.faces[face]] @ body.pose[:3, :3].T + body.pose[:3, 3]
    if body._shape.radius > 0.0:
        # From the nearest point of the segment, or of the point, that is thickened.
        size_sq = float((b - a) @ (b - a))
        share = min(max(float((point - a) @ (b - a)) / size_sq, 0.0), 1.0) if size_sq > 0.0 else 0.0
        normal = point - (a + share * (b - a))
    else:
        normal = np.cross(b - a, c - a)
    size = float(np.linalg.norm(normal))
    if size == 0.0:
        return -ahead
    return normal / (size if normal @ ahead < 0.0 else -size)


def unseen_by(scene: Scene, movers: tuple[Body, ...], rows: NDArray[np.int64], ignore: tuple[Body, ...]) -> NDArray[np.uint8]:
    """Return 1 for every body that the range scope leaves out: the movers, and what all of them pass through."""
    ints = scene._ints[: len(scene._rows)]
    unseen = np.zeros(len(ints), np.uint8)
    if any(scene._apart):
        unseen[:] = 1
        for row, mover in zip(rows, movers, strict=True):
            passed = ((ints[row, IGNORES] >> ints[:, GROUP]) & 1).astype(np.uint8)
            for other in scene._passed.get(mover._id, ()):
                passed[scene._bodies[other]._row] = 1
            unseen &= passed
    elif scene._passed:
        common = set.intersection(*(scene._passed.get(mover._id, set()) for mover in movers))
        for other in common:
            unseen[scene._bodies[other]._row] = 1
    unseen[rows] = 1
    for body in ignore:
        unseen[body._row] = 1
    return unseen


def _mask_for(radar: Radar, motion: Translate, rows: NDArray[np.int64]) -> Mask:
    """Return the radar's mask if it still holds, else a new one, sized and not yet drawn."""
    scene, movers, mask = radar._scene, radar._movers, radar._mask
    turn = movers[0].pose[:3, :3]
    toward = motion.frame[6:9] @ turn
    changes = tuple(body._changes for body in movers)
    apart = poses_apart(movers)
    if (
        mask is not None
        and mask.changes == changes
        and np.abs(mask.toward - toward).max() <= SAME
        and same_places(mask.apart, apart, mask.diagonal)
    ):
        if mask.first_step and mask.drawn:
            radar._mask = _second_step(mask)
        return radar._mask  # type: ignore[return-value]
    frame = frame_of(*unit(*toward.tolist())).reshape(3, 3)
    box = np.array(kernel.extents(scene._arena.geometry, scene._ints, scene._poses, rows, (frame @ turn.T).ravel()))
    if not box[0] <= box[3]:
        raise InvalidQuery(f"body: {movers[0].name!r} has no faces; there is nothing that could meet anything")
    diagonal = float(np.linalg.norm(box[3:] - box[:3]))
    thin = max(THIN * diagonal, THIN * THIN * motion.length)
    width, height = float(box[3] - box[0]), float(box[4] - box[1])
    if radar._max_size is not None:
        if max(width, height) > radar._max_size:
            raise InvalidQuery(
                f"max_size is {radar._max_size:g}, but the body measures {max(width, height):.6g} across the motion"
            )
        width = height = radar._max_size
    elif radar._bounding:
        width, height = (1.0 + SEAM) * width + thin * SEAM, (1.0 + SEAM) * height + thin * SEAM
    width, height = max(width, thin), max(height, thin)
    columns, lines = radar._pixels
    middle = 0.5 * (box[:2] + box[3:5])
    radar._mask = Mask(
        toward=toward,
        apart=apart,
        changes=changes,
        frame=frame,
        box=box,
        diagonal=diagonal,
        corner=(float(middle[0]) - 0.5 * width, float(middle[1]) - 0.5 * height),
        size=(width, height),
        lead=np.empty((lines, columns)),
        back=np.empty((lines, columns) if radar._bounding else (1, 1)),
        first_step=radar._max_size is not None,
    )
    return radar._mask


def same_places(before: NDArray[np.float64], apart: NDArray[np.float64], diagonal: float) -> bool:
    """True if several movers stand to each other as they did before, but for rounding; poses as of `poses_apart`."""
    if len(apart) == 0:
        return True
    off = np.abs(before - apart)
    return bool(off[:, :3, :3].max() <= SAME and off[:, :3, 3].max() <= SAME * diagonal)


def _second_step(mask: Mask) -> Mask:
    """Size a view by the pixels that the mover covers in one of the preset size, with one pixel to spare all round."""
    lines, columns = mask.lead.shape
    covered = np.isfinite(mask.lead)
    corner, size = [], []
    for axis, count in ((0, columns), (1, lines)):
        held = np.flatnonzero(covered.any(axis=axis))
        pixel = mask.size[axis] / count
        low = max(float(held[0]) - 0.5, 0.0)
        high = min(float(held[-1]) + 1.5, float(count))
        corner.append(mask.corner[axis] + low * pixel)
        size.append((high - low) * pixel)
    # Readings hold on to the old one.
    lead = np.empty_like(mask.lead)
    return replace(mask, lead=lead, corner=(corner[0], corner[1]), size=(size[0], size[1]), drawn=False, first_step=False)


def poses_apart(movers: tuple[Body, ...]) -> NDArray[np.float64]:
    """Return the poses of all movers but the first, as seen from it, shape (k, 4, 4)."""
    if len(movers) == 1:
        return np.empty((0, 4, 4))
    turn, place = movers[0].pose[:3, :3], movers[0].pose[:3, 3]
    apart = np.stack([body.pose for body in movers[1:]])
    apart[:, :3, 3] -= place
    apart[:, :3] = turn.T @ apart[:, :3]
    return apart


def _holder(
    scene: Scene, movers: tuple[Body, ...], rows: NDArray[np.int64], ignore: tuple[Body, ...], touch: float
) -> tuple[Body, NDArray[np.float64]] | None:
    """Return the closed body that a mover is wholly inside of, and a point there; pictures do not show it."""
    skips = skips_of(scene, list(movers), ignore)
    while True:
        status, inner, outer, place = sweep.within(
            scene._arena.geometry, scene._ints, scene._poses, scene._boxes, len(scene._rows), rows, skips, touch
        )
        if status == sweep.OVERLAP:
            return scene._rows[outer], np.array(place)
        if status != sweep.ASK:
            return None
        scene._arena.find_parts(inner)
