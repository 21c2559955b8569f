"""Prediction: which moving bodies will meet, and when. Check the arguments, call the kernels, make the results."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidQuery, InvalidType
from ..kernels import layout as at
from ..kernels.predict import motions as of
from ..kernels.predict import pair, reach
from ..kernels.statuses import FREE, OVERLAP, SHALLOW
from ..kernels.tolerances import contact_tolerance
from ..motion import Motion, Translate, Turn, orbit_of
from ..results import PairContact
from ..world.hierarchy import NO_HIERARCHY
from .rows import answer_one

if TYPE_CHECKING:
    from ..world.body import Body
    from ..world.store import Store

_NO_SKIPS = np.empty((0, 2), np.int64)
_STILL = Translate((0.0, 0.0, 0.0))


@dataclass(frozen=True, slots=True)
class Effort:
    """Cost of a prediction: number of pairs whose swept boxes meet, and of pairs that were tested exactly after the fans."""

    after_boxes: int
    tested: int


def predict(
    store: Store, motions: Mapping[Body, Motion], horizon: float, *, margin: float = 0.0, ignore: Iterable[Body] = ()
) -> list[PairContact]:
    """Answer `Scene.predict`."""
    return predict_with_stats(store, motions, horizon, margin=margin, ignore=ignore)[0]


def predict_with_stats(
    store: Store,
    motions: Mapping[Body, Motion],
    horizon: float,
    *,
    margin: float = 0.0,
    ignore: Iterable[Body] = (),
    fans: bool = True,
) -> tuple[list[PairContact], Effort]:
    """Return the meetings and the cost. fans: use fans to reject pairs before the exact test; the result is the same."""
    movers, steps = _steps(store, motions)
    until = checks.number(horizon, "horizon", InvalidQuery)
    if not 0.0 < until <= checks.LARGEST:
        raise InvalidQuery(f"horizon is {until}; accepted: a time above 0, at most {checks.LARGEST:g}")
    gap = checks.length(margin, "margin", InvalidQuery)
    left_out = np.zeros(len(store.rows), np.bool_)
    left_out[store.check_ignored(ignore)] = True
    store.surfaces.refresh()
    store.surfaces.make_whole()
    if store.tolerance > 0.0:
        for row in movers:
            store.check_tolerance(row[None])
    if not len(movers):
        return [], Effort(0, 0)
    world = store.world()
    ints, rows, moving = reach.gather(*world, movers, steps, left_out, until, gap + max(store.tolerance, 0.0))
    touch = _touch(store.tolerance, rows, gap)
    pairs = _in_order(store, ints[:, of.BODY], reach.pairs_in_reach(world.bodies, ints, rows, moving, gap + touch))
    times, points, normals, touches, tested, may_be_nested = pair.meet(
        world.geometry, ints, rows, pairs, until, gap, store.tolerance, fans
    )
    found = []
    for k in np.flatnonzero((times < math.inf) | may_be_nested):
        both = ints[pairs[k], of.BODY]
        meeting = None
        if times[k] == 0.0 or may_be_nested[k]:
            meeting = _at_start(store, both, gap, float(touches[k]))
        if meeting is None and times[k] < math.inf:
            meeting = _meeting(store, both, min(float(times[k]), until), points[k], normals[k], overlapping=False)
        if meeting is not None:
            found.append(meeting)
    found.sort(key=lambda meeting: (meeting.time, meeting.first.id, meeting.second.id))
    return found, Effort(len(pairs), int(tested.sum()))


def _steps(store: Store, motions: Any) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the rows of the moving bodies, shape (m,), and the motion of each in one unit of time, shape (m, 13)."""
    if not isinstance(motions, Mapping):
        raise InvalidType(
            f"motions: expected a mapping of bodies to motions, such as {{body: Rotate(...)}}, got {checks.shown(motions)}"
        )
    movers = np.empty(len(motions), np.int64)
    steps = np.zeros((len(motions), 13))
    for k, (body, motion) in enumerate(motions.items()):
        movers[k] = store.check(body, f"motions, body {k}").row
        if isinstance(motion, Turn):
            orbit = orbit_of(motion)
            steps[k, :9] = orbit[:9]
            steps[k, 9] = orbit[9] if motion.turns else 0.0
            steps[k, 10:] = orbit[10] * orbit[:3]
        elif isinstance(motion, Translate):
            steps[k, 2] = 1.0
            steps[k, 10:] = motion.vector
        else:
            raise InvalidType(f"motions[{body.name!r}]: expected a Rotate, Screw or Translate, got {checks.shown(motion)}")
    return movers, steps


def _touch(tolerance: float, rows: NDArray[np.float64], margin: float) -> float:
    """Return the tolerance [length] that covers all bodies in reach: from the largest size and the farthest place."""
    if not len(rows):
        return 0.0
    away = float(np.abs(rows[:, of.PLACE : of.PLACE + 3]).max())
    return contact_tolerance(tolerance, float(rows[:, of.SIZE].max()) + margin, away)


def _in_order(store: Store, bodies: NDArray[np.int64], pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the pairs that do not ignore each other; in each, the body that was added first comes first."""
    pairs = pairs[store.filters.without_pairs(bodies[pairs[:, 0]], bodies[pairs[:, 1]], len(store.rows))]
    ids = np.array([-1 if entry is None else entry.id for entry in store.rows])[bodies]
    swapped = ids[pairs[:, 0]] > ids[pairs[:, 1]]
    return np.where(swapped[:, None], pairs[:, ::-1], pairs)


def _at_start(store: Store, rows: NDArray[np.int64], margin: float, touch: float) -> PairContact | None:
    """Return the meeting of two bodies that overlap or touch now; None if they are apart."""
    first = np.array((0,))
    answer, _ = answer_one(store.arena, store.world().only(rows), NO_HIERARCHY, first, _STILL, margin, True, _NO_SKIPS, touch)
    status = answer[at.STATUS]
    if status in (FREE, SHALLOW):
        return None
    return _meeting(store, rows, 0.0, answer[at.POINT : at.NORMAL], answer[at.NORMAL :], overlapping=status == OVERLAP)


def _meeting(
    store: Store, rows: NDArray[np.int64], frames: float, point: Any, normal: Any, *, overlapping: bool
) -> PairContact:
    first, second = (store.entry(row).body for row in rows)
    return PairContact(frames, first, second, np.array(point), np.array(normal), overlapping)
