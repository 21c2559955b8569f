"""Prediction: which moving bodies will meet, in how many frames. Check the question, ask the kernels, word the answer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import checks
from .errors import InvalidMotion, InvalidQuery
from .kernels import reach, spin
from .kernels import sweep as straight
from .kernels.tolerances import TOUCH_SIZE
from .motion import Motion, Translate, Turn
from .results import Meeting
from .sweep import check_tolerance

if TYPE_CHECKING:
    from .scene import Body, Scene

_NO_SKIPS = np.empty((0, 2), np.int64)
_DOWN = np.array((1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
_BODY = 0  # column of the rows that `reach.gather` returns


@dataclass(frozen=True, slots=True)
class Effort:
    """What a prediction took: pairs whose boxes of the whole sweep meet, and those that fans left to be tested exactly."""

    boxed: int
    tested: int


def predict(
    scene: Scene, spins: Mapping[Body, Motion], horizon: float, *, margin: float = 0.0, ignore: Iterable[Body] = ()
) -> list[Meeting]:
    """Answer `Scene.predict`."""
    return foresee(scene, spins, horizon, margin=margin, ignore=ignore)[0]


def foresee(
    scene: Scene,
    spins: Mapping[Body, Motion],
    horizon: float,
    *,
    margin: float = 0.0,
    ignore: Iterable[Body] = (),
    fans: bool = True,
) -> tuple[list[Meeting], Effort]:
    """Return the meetings and what they took. fans: ask fans which pairs are worth an exact test; the answer is the same."""
    movers, ways = _ways(scene, spins)
    frames = checks.number(horizon, "horizon", InvalidQuery)
    if not 0.0 < frames <= checks.LARGEST:
        raise InvalidQuery(f"horizon is {frames}; accepted: a number of frames above 0, at most {checks.LARGEST:g}")
    gap = checks.length(margin, "margin", InvalidQuery)
    left_out = np.zeros(len(scene._rows), np.bool_)
    left_out[[body._row for body in scene._check_all(ignore, "ignore")]] = True
    if scene._volumes:
        from .surface import make_whole, refresh

        refresh(scene)
        make_whole(scene)
    if scene._tolerance > 0.0:
        for row in movers:
            check_tolerance(scene, row[None])
    if not len(movers):
        return [], Effort(0, 0)
    geometry = scene._arena.geometry
    wide = gap + max(scene._tolerance, 0.0)
    ints, rows, moving = reach.gather(
        geometry, scene._ints, scene._poses, scene._boxes, len(scene._rows), movers, ways, left_out, frames, wide
    )
    touch = scene._tolerance if scene._tolerance >= 0.0 else TOUCH_SIZE * (_largest(rows) + gap)
    pairs = _heeded(scene, ints, reach.pairs_in_reach(scene._ints, ints, rows, moving, gap + touch))
    times, points, normals, touches, asked, boxed = spin.meet(geometry, ints, rows, pairs, frames, gap, scene._tolerance, fans)
    found = []
    for k in np.flatnonzero((times < math.inf) | boxed):
        first, second = (ints[row, _BODY] for row in pairs[k])
        meeting = None
        if times[k] == 0.0 or boxed[k]:
            meeting = _at_start(scene, first, second, gap, float(touches[k]))
        if meeting is None and times[k] < math.inf:
            frame = min(float(times[k]), frames)
            meeting = Meeting(
                frames=frame,
                first=_body(scene, first),
                second=_body(scene, second),
                point=points[k].copy(),
                normal=normals[k].copy(),
                overlapping=False,
            )
        if meeting is not None:
            found.append(meeting)
    found.sort(key=lambda meeting: (meeting.frames, meeting.first.id, meeting.second.id))
    return found, Effort(len(pairs), int(asked.sum()))


def _ways(scene: Scene, spins: Any) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the rows of the moving bodies, shape (m,), and how each moves in a frame, shape (m, 13)."""
    if not isinstance(spins, Mapping):
        raise InvalidQuery(
            f"spins: expected a mapping of bodies to motions, such as {{body: Rotate(...)}}, got {checks.shown(spins)}"
        )
    movers = np.empty(len(spins), np.int64)
    ways = np.zeros((len(spins), 13))
    for k, (body, motion) in enumerate(spins.items()):
        movers[k] = scene._check(body, f"spins, body {k}")._row
        if isinstance(motion, Turn):
            orbit = motion.orbit
            ways[k, :9] = orbit[:9]
            ways[k, 9] = orbit[9] if motion.turns else 0.0
            ways[k, 10:] = orbit[10] * orbit[:3]
        elif isinstance(motion, Translate):
            ways[k, 2] = 1.0
            ways[k, 10:] = motion.vector
        else:
            raise InvalidMotion(
                f"spins[{body.name!r}]: expected a frame's motion, a Rotate, Screw or Translate, got {checks.shown(motion)}"
            )
    return movers, ways


def _largest(rows: NDArray[np.float64]) -> float:
    from .kernels.spins import SIZE

    return float(rows[:, SIZE].max()) if len(rows) else 0.0


def _heeded(scene: Scene, ints: NDArray[np.int64], pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the pairs without those of bodies that ignore each other; the one added first comes first."""
    bodies = ints[:, _BODY]
    ids = np.array([-1 if body is None else body._id for body in scene._rows])
    if scene._passed:
        count = scene._next
        known = np.array([a * count + b for a, passed in scene._passed.items() for b in passed], np.int64)
        pairs = pairs[~np.isin(ids[bodies[pairs[:, 0]]] * count + ids[bodies[pairs[:, 1]]], known)]
    turned = ids[bodies[pairs[:, 0]]] > ids[bodies[pairs[:, 1]]]
    return np.where(turned[:, None], pairs[:, ::-1], pairs)


def _at_start(scene: Scene, first: int, second: int, margin: float, touch: float) -> Meeting | None:
    """Return the meeting of two bodies that overlap or touch already; None if they do neither."""
    rows = np.array((first, second))
    two = (scene._ints[rows], scene._poses[rows], np.ascontiguousarray(scene._boxes[:, rows]), 2, np.array((0,)), _NO_SKIPS)
    while True:
        status, _, shape, _, _, point, normal, nested, near = straight.sweep(
            scene._arena.geometry, *two, _DOWN, 0.0, margin, touch, True
        )
        if status != straight.ASK:
            break
        scene._arena.find_parts(shape)
    while nested:
        status_inside, shape, _, place = straight.within(scene._arena.geometry, *two, near)
        if status_inside == straight.OVERLAP:
            return _meeting(scene, first, second, place, (math.nan,) * 3, True)
        if status_inside != straight.ASK:
            break
        scene._arena.find_parts(shape)
    if status == straight.FREE:
        return None
    return _meeting(scene, first, second, point, normal, status == straight.OVERLAP)


def _meeting(scene: Scene, first: int, second: int, point: Any, normal: Any, overlapping: bool) -> Meeting:
    """Word the answer that two bodies are in contact already."""
    return Meeting(0.0, _body(scene, first), _body(scene, second), np.array(point), np.array(normal), overlapping)


def _body(scene: Scene, row: int) -> Body:
    body = scene._rows[row]
    assert body is not None
    return body
