"""Exact sweeps: check the question, ask the kernel, word the answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import checks
from .errors import InvalidMotion, InvalidQuery
from .grid_sweep import first_hit
from .kernels import sweep as straight
from .kernels.bodies import put_body
from .motion import Motion, Translate, Turn
from .results import Feature, Hit
from .shapes import Volume
from .surface import holding, make_swept, refresh, voxel_of

if TYPE_CHECKING:
    from .scene import Body, Scene

_NO_SKIPS = np.empty((0, 2), np.int64)
_NO_FEATURE = Feature("none")
_EVERY_MOVER = -1
_COARSEST = 100.0


class Places(NamedTuple):
    """Where bodies are while a question is asked, which need not be where the scene has them."""

    poses: NDArray[np.float64]
    """As kernels take them."""
    boxes: NDArray[np.float64]
    """World boxes, shape (6, rows); that of a body that is not to be met is empty."""
    moved: Mapping[int, NDArray[np.float64]] = {}
    """Poses, shape (4, 4), of bodies that are elsewhere than in the scene, by their row."""


def sweep(
    scene: Scene,
    body: Body | Sequence[Body],
    motion: Motion,
    *,
    margin: float,
    resting: str,
    ignore: Iterable[Body],
) -> Hit | None:
    """Answer `Scene.sweep`."""
    movers = scene._check_movers(body)
    way = _way(motion)
    gap = checks.length(margin, "margin", InvalidQuery)
    closed = checks.choice(resting, "resting", ("free", "hit")) == "hit"
    skips = skips_of(scene, movers, ignore)
    rows = np.array([mover._row for mover in movers])
    if scene._volumes:
        return _with_volumes(scene, movers, rows, way, gap, closed, skips)
    check_tolerance(scene, rows)
    return surfaces_meet(scene, _now(scene), movers, rows, way, gap, closed, skips)


def _with_volumes(
    scene: Scene, movers: list[Body], rows: NDArray[np.int64], way: Translate | Turn, gap: float, closed: bool, skips: Any
) -> Hit | None:
    """Sweep in a scene with volumes: those on one grid are asked by their voxels, all else by the surfaces in reach."""
    refresh(scene)
    check_tolerance(scene, rows)
    first = None
    if any(isinstance(mover._shape, Volume) for mover in movers):
        first, skips, more = first_hit(scene, movers, way, gap, closed, skips)
        if not more:
            return first
    make_swept(scene, movers, way, gap)
    hit = surfaces_meet(scene, _now(scene), movers, rows, way, gap, closed, skips)
    if first is None or (hit is not None and (hit.travel, first.overlapping) < (first.travel, hit.overlapping)):
        return hit
    return first


def _now(scene: Scene) -> Places:
    return Places(scene._poses, scene._boxes)


def surfaces_meet(
    scene: Scene,
    places: Places,
    movers: list[Body],
    rows: NDArray[np.int64],
    motion: Translate | Turn,
    gap: float,
    closed: bool,
    skips: Any,
) -> Hit | None:
    """Return the first contact of surfaces, or of what is inside what."""
    kernel, course, length = _course(motion)
    arrays = (scene._ints, places.poses, places.boxes, len(scene._rows), rows, skips)
    while True:
        status, travel, mover, obstacle, features, point, normal, boxed, touch = kernel(
            scene._arena.geometry, *arrays, course, length, gap, scene._tolerance, closed
        )
        if status != straight.ASK:
            break
        scene._arena.find_parts(mover)
    if boxed:
        how, held = _held(scene, arrays, touch)
        if how == straight.OVERLAP:
            return _within(scene, *held, overlapping=True)
        if how == straight.SHALLOW and gap == 0.0 and (status == straight.FREE or travel > 0.0):
            free = 1.0 if status == straight.FREE else min(travel / length, 1.0)
            if closed or _sinks(scene, places, movers, motion, arrays, touch, free):
                return _within(scene, *held, overlapping=False)
    if status == straight.FREE:
        return None
    distance = min(travel, length)
    touching = _feature(*features[:3]), _feature(*features[3:])
    hitting, met = _body(scene, mover), _body(scene, obstacle)
    if scene._volumes:
        touching = _of_voxel(scene, hitting, touching[0]), _of_voxel(scene, met, touching[1])
    return Hit(
        time=distance / length if distance > 0.0 else 0.0,
        travel=distance,
        body=met,
        mover=hitting,
        point=np.array(point),
        normal=np.array(normal),
        features=touching,
        overlapping=status == straight.OVERLAP,
    )


def _way(motion: Any) -> Translate | Turn:
    """Return a motion as it is swept: one that only slides, or does nothing at all, is a translation."""
    if isinstance(motion, Translate):
        return motion
    if not isinstance(motion, Turn):
        raise InvalidMotion(f"motion: expected a Translate, Rotate or Screw, got {checks.shown(motion)}")
    return motion if motion.turns else Translate([motion.slide * x for x in motion.axis])


def _course(motion: Translate | Turn) -> tuple[Any, NDArray[np.float64], float]:
    """Return the kernel of a motion, what it needs to know of it, and how far it goes."""
    if isinstance(motion, Translate):
        return straight.sweep, motion.frame, motion.length
    from .kernels.turn import turn

    return turn, motion.orbit, abs(motion.angle)


_Held = tuple[int, int, tuple[float, float, float]]  # rows of mover and obstacle, and where one is inside the other


def _held(scene: Scene, arrays: tuple[Any, ...], touch: float) -> tuple[int, _Held]:
    """Return whether a body is inside another, with bodies as in the arrays: OVERLAP, SHALLOW or FREE; and who in whom."""
    while True:
        how, *who = straight.within(scene._arena.geometry, *arrays, touch)
        if how != straight.ASK:
            return how, (who[0], who[1], who[2])
        scene._arena.find_parts(who[0])


def _sinks(
    scene: Scene,
    places: Places,
    movers: list[Body],
    motion: Motion,
    arrays: tuple[Any, ...],
    touch: float,
    free: float,
) -> bool:
    """True if what touches from the inside at the start goes deeper before `free`, up to which no surfaces meet.

    A point just inside a solid, by less than the tolerance, crosses no surface on its way in.
    """
    ints, poses, boxes, count, rows, skips = arrays
    for share in (0.5 * free, 0.999 * free):
        poses, boxes = poses.copy(), boxes.copy()
        for mover in movers:
            there = motion.at(share) @ places.moved.get(mover._row, mover._pose)
            centre = scene._arena.centre(mover._stored)
            put_body(poses, boxes, mover._row, scene._arena.reals, mover._stored, there, centre)
        if _held(scene, (ints, poses, boxes, count, rows, skips), touch)[0] == straight.OVERLAP:
            return True
    return False


def _within(scene: Scene, mover: int, obstacle: int, point: tuple[float, float, float], *, overlapping: bool) -> Hit:
    """Word the answer that one body is wholly inside the other."""
    met, moved, place = _body(scene, obstacle), _body(scene, mover), np.array(point)
    return Hit(
        time=0.0,
        travel=0.0,
        body=met,
        mover=moved,
        point=place,
        normal=np.full(3, np.nan),
        features=(_around(moved, place), _around(met, place)),
        overlapping=overlapping,
    )


def _body(scene: Scene, row: int) -> Body:
    body = scene._rows[row]
    assert body is not None
    return body


def check_tolerance(scene: Scene, rows: Any) -> None:
    """Refuse a tolerance that is no longer small beside the movers: everything would be touching."""
    if scene._tolerance <= 0.0:
        return
    boxes = scene._boxes[:, rows]
    size = float(np.linalg.norm(boxes[3:].max(axis=1) - boxes[:3].min(axis=1)))
    if 0.0 < size < _COARSEST * scene._tolerance:
        raise InvalidQuery(
            f"tolerance is {scene._tolerance:g}, but the mover measures {size:.3g}; accepted: up to 1/{_COARSEST:.0f} of that"
        )


def skips_of(scene: Scene, movers: list[Body], ignore: Iterable[Body]) -> Any:
    """Return pairs (mover row or -1 for all, row to pass through), shape (k, 2)."""
    pairs = [(_EVERY_MOVER, each._row) for each in scene._check_all(ignore, "ignore")]
    if scene._passed:
        for mover in movers:
            pairs += [(mover._row, scene._bodies[other]._row) for other in scene._passed.get(mover._id, ())]
    return np.array(pairs, np.int64) if pairs else _NO_SKIPS


def _feature(face: int, code: int, vertices: tuple[int, int, int]) -> Feature:
    """Word a kernel's feature code: 0..2 a vertex, 3..5 an edge, 6 the face."""
    if code < 3:
        return Feature("vertex", (vertices[code],), face)
    if code < 6:
        return Feature("edge", (vertices[code - 3], vertices[(code - 2) % 3]), face)
    return Feature("face", vertices, face)


def _of_voxel(scene: Scene, body: Body, feature: Feature) -> Feature:
    """Return a feature of a volume as one of its voxel, which kernels know for the face; others as they are."""
    if not isinstance(body._shape, Volume):
        return feature
    kind = feature.kind
    if kind == "edge":
        # A side of a voxel is two triangles: the edge between them is none of the cube's.
        ends = scene._arena.vertices(body._stored, feature.vertices)
        kind = "edge" if np.count_nonzero(ends[0] != ends[1]) == 1 else "face"
    return Feature(kind, voxel=voxel_of(body._shape, feature.face))


def _around(body: Body, point: NDArray[np.float64]) -> Feature:
    """Return what there is to say of a body that holds a point, or of which it is one: of a volume, in which voxel it lies."""
    if not isinstance(body._shape, Volume):
        return _NO_FEATURE
    return Feature("none", voxel=holding(body._shape, (point - body._pose[:3, 3]) @ body._pose[:3, :3]))
