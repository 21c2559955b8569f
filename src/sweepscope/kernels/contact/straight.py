"""Two faces that move straight: whether and when they meet, and whether their bodies confirm it.

`confirm` tests the faces alone. `judge` tests the bodies for what the faces do not show: whether contact at the start, or while
faces slide, is harmless, and whether a face that touches at the start is inside the other body.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import cold, inline, step
from ..base.closest import closest, dot
from ..base.inside import one_buried
from ..charts.orbit import highest, lowest
from ..charts.slots import BODY, REACH, SHAPE, SLACK, THICK
from ..charts.straight import PLACE, carry_face, carry_place, direction_to_local
from ..tolerances import CLEARLY_ABOVE, MOST_SUPPORTS, TOUCH_ROUNDING
from .planes import TRIED, below, hold
from .sharp import OBSTACLE_NORMAL, SPANNED_END, axis_of, stretch
from .smaller import smaller_faces
from .thick import advance
from .verdicts import CROSSING, HELD, UNKNOWN

INF = math.inf

_MISS = 0
_MEET = 1
_CROSS = 2


@step
def confirm(mover, mover_rank, obstacle, obstacle_rank, thick, slack, touch, travel, limit, resting_hits):
    """Judge two faces: return (verdict, travel, normal 3, resting).

    verdict: _MISS; _MEET at a travel before `limit`; _CROSS now. resting: an axis separates them through the travel, so the
    contact may be harmless.
    """
    none = (0.0, 0.0, 0.0)
    entry, _, resting, shallow, normal = stretch(mover, obstacle, thick, slack, touch, travel, limit)
    if entry == INF:
        return _MISS, INF, none, False
    if thick <= touch:
        if entry <= 0.0 and not shallow:
            return _CROSS, 0.0, normal, False
        return _MEET, max(entry, 0.0), normal, resting
    # Faces with a radius have an inside of their own: if an axis separates them, they are apart.
    if resting and not resting_hits:
        return _MISS, INF, none, False
    if entry <= 0.0:
        gap_sq, p, q, _, _ = closest(mover, mover_rank, obstacle, obstacle_rank)
        gap = math.sqrt(gap_sq)
        if gap < thick - touch:
            return _CROSS, 0.0, normal, False
        if gap <= thick + slack:
            return _MEET, 0.0, ((p[0] - q[0]) / gap, (p[1] - q[1]) / gap, (p[2] - q[2]) / gap), False
    t, nu, nv, nw = advance(mover, mover_rank, obstacle, obstacle_rank, thick, slack, max(entry, 0.0), limit)
    return _MISS if t == INF else _MEET, t, (nu, nv, nw), False


@step
def _above(geometry, s, slots, k, up, height, touch):
    """True if all of shape s, placed by slot k, is above the plane, up to `touch`, and clearly reaches beyond it."""
    x, y, z = direction_to_local(slots, k, up)
    height -= up[0] * slots[k, 9] + up[1] * slots[k, 10] + up[2] * slots[k, 11]
    first = geometry.shape_ints[s, at.VERTEX]
    top = -INF
    for v in range(first, first + geometry.shape_ints[s, at.VERTICES]):
        h = x * geometry.vertices[v, 0] + y * geometry.vertices[v, 1] + z * geometry.vertices[v, 2]
        if h < height - touch:
            return False
        top = max(top, h)
    return top > height + CLEARLY_ABOVE * touch


@cold
def _supported(geometry, slots, a, s, mover, obstacle, touch, travel, planes, row):
    """True if the whole mover stays above a plane between two touching faces. The plane is then stored."""
    planes[row, TRIED] += 1.0
    if planes[row, TRIED] > MOST_SUPPORTS:
        return False
    for k in range(OBSTACLE_NORMAL, SPANNED_END):
        n = axis_of(mover, obstacle, (0.0, 0.0, 0.0), k)
        size = math.sqrt(dot(n, n))
        for side in range(2 if size > 0.0 else 0):
            size = -size if side == 1 else size
            up = (n[0] / size, n[1] / size, n[2] / size)
            height = highest(up, obstacle)
            if (
                lowest(up, mover) >= height - touch
                and up[2] * travel >= -touch
                and _above(geometry, s, slots, a, up, height, touch)
            ):
                hold(planes, row, up, height + touch)
                return True
    return False


@cold
def _settle(
    geometry, body_ints, poses, slots, pair, shapes, bodies, faces, ranks, numbers, t, thick, touch, slack, travel,
    resting_hits, moves, rows, planes, row,
):  # fmt: skip
    """Return t if contact at t of faces that touch at the start or slide counts; else inf, CROSSING, UNKNOWN or HELD."""
    one, two = faces
    if thick > touch:
        # Faces with a radius are made smaller by a smaller radius.
        least = thick - touch - 2.0 * slack
        return t if resting_hits or advance(one, ranks[0], two, ranks[1], least, slack, 0.0, travel)[0] < INF else INF
    # A mover that stays above a plane as a whole cannot meet what lies below it.
    if not resting_hits and _supported(geometry, slots, pair[0], shapes[0], one, two, touch, travel, planes, row):
        return HELD
    ints = geometry.shape_ints
    if ints[shapes[0], at.PART] < 0 or ints[shapes[1], at.PART] < 0:
        return UNKNOWN
    if not resting_hits:
        places = np.empty((2, PLACE))
        carry_place((), t, slots, pair[0], places, 0)
        carry_place((), 0.0, slots, pair[1], places, 1)
        there = carry_face((), t, one)
        less = smaller_faces(geometry, slots, pair, places, shapes, numbers, faces, there, ranks, moves, rows, touch, slack)
        # Of what lands at the very end, it counts that it would sink in.
        if stretch(less[0], less[1], 0.0, slack, touch, travel, travel if t <= touch else INF)[0] == INF:
            return INF
    if t == 0.0 and one_buried(geometry, body_ints, poses, bodies, numbers, touch):
        return CROSSING
    return t


@inline
def judge(
    geometry,
    body_ints,
    poses,
    slots,
    slot_ints,
    pair,
    faces,
    ranks,
    numbers,
    touch,
    best,
    limit,
    resting_hits,
    moves,
    rows,
    planes,
    chart_params,
    patches,
):
    """Judge two faces in the chart: return (travel, normal) of contact before `best`; or inf, CROSSING, UNKNOWN or HELD.

    pair: the slots of mover and obstacle. faces, ranks, numbers (in block order): of each side. moves, rows: see
    `smaller.smaller_faces`. planes: see `planes`. limit, chart_params, patches: for motions that turn.
    """
    a, b = pair
    one, two = faces
    none = (0.0, 0.0, 0.0)
    row = a * len(slot_ints) + b
    if below(two, planes, row):
        return INF, none
    shapes = (slot_ints[a, SHAPE], slot_ints[b, SHAPE])
    thick = slots[a, THICK] + slots[b, THICK]
    slack = slots[a, SLACK] + slots[b, SLACK]
    touch = max(touch, TOUCH_ROUNDING * slack)
    travel = slots[b, REACH]
    verdict, t, normal, resting = confirm(one, ranks[0], two, ranks[1], thick, slack, touch, travel, best, resting_hits)
    if verdict == _MISS:
        return INF, none
    if verdict == _CROSS:
        return CROSSING, normal
    if t > touch and not resting:
        return t, normal
    bodies = (slot_ints[a, BODY], slot_ints[b, BODY])
    t = _settle(
        geometry, body_ints, poses, slots, pair, shapes, bodies, faces, ranks, numbers, t, thick, touch, slack, travel,
        resting_hits, moves, rows, planes, row,
    )  # fmt: skip
    return t, normal


@inline
def place(
    geometry, slots, chart_params, t, a, mover_shape, mover, mover_rank, b, obstacle_shape, obstacle, obstacle_rank, thick,
    touch, normal,
):  # fmt: skip
    """Return (gap squared, point on the mover, on the obstacle, feature of each, normal 3) of two faces in contact."""
    gap_sq, p, q, f, g = closest(mover, mover_rank, obstacle, obstacle_rank)
    return gap_sq, p, q, f, g, normal
