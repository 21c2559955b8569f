"""Two faces that move straight: whether and when they meet, and whether their bodies confirm it.

`confirm` tests the faces alone. `judge` tests the bodies for what the faces do not show: whether contact at the start, or while
faces slide, is harmless, and whether a face that touches at the start is inside the other body.
"""

import math

from .. import layout as at
from .._jit import cold, inline, step
from ..base.closest import closest, dot
from ..base.faces import local_face
from ..base.inside import one_buried
from ..charts import straight as chart
from ..charts.orbit import highest, lowest
from ..charts.slots import REACH, SLACK, THICK
from ..charts.straight import carry_face, carry_place, direction_to_local, face_to_chart, to_local
from ..tolerances import (
    CLEARLY_ABOVE,
    FREE_DEPTH,
    LEVEL,
    MOST_SUPPORTS,
    OVERLAP_DEPTH,
    PARTING_DEPTH,
    PRESSES,
    SINKS_A_LITTLE,
    SURELY_SINKS,
    TOUCH_ROUNDING,
    WAY_DOUBT,
    WAY_LATER,
)
from .case import poses_of, two_poses
from .landing import placer, rises, two_places
from .planes import TRIED, below, hold
from .sharp import OBSTACLE_NORMAL, SPANNED_END, axis_of, first_entry, stretch
from .thick import advance
from .verdicts import CROSSING, HELD
from .way_out import lifted, next_faces, some_faces, way_out

INF = math.inf

_MISS = 0
_MEET = 1
CROSS = 2  # faces overlap at the start, deeper than the tolerance


@step
def confirm(mover, mover_rank, obstacle, obstacle_rank, thick, slack, touch, travel, limit, resting_hits):
    """Judge two faces: return (verdict, travel, normal 3, resting).

    verdict: _MISS; _MEET at a travel before `limit`; CROSS now. resting: an axis separates them through the travel, so the
    contact may be harmless.
    """
    none = (0.0, 0.0, 0.0)
    entry, _, resting, shallow, normal = stretch(mover, obstacle, thick, slack, touch, travel, limit)
    if entry == INF:
        return _MISS, INF, none, False
    if thick <= touch:
        if entry <= 0.0 and not shallow:
            return CROSS, 0.0, normal, False
        return _MEET, max(entry, 0.0), normal, resting
    # Faces with a radius have an inside of their own: if an axis separates them, they are apart.
    if resting and not resting_hits:
        return _MISS, INF, none, False
    if entry <= 0.0:
        gap_sq, p, q, _, _ = closest(mover, mover_rank, obstacle, obstacle_rank)
        gap = math.sqrt(gap_sq)
        if gap < thick - OVERLAP_DEPTH * touch:
            return CROSS, 0.0, normal, False
        if gap <= thick + slack:
            return _MEET, 0.0, ((p[0] - q[0]) / gap, (p[1] - q[1]) / gap, (p[2] - q[2]) / gap), False
    t, nu, nv, nw = advance(mover, mover_rank, obstacle, obstacle_rank, thick, slack, max(entry, 0.0), limit)
    return _MISS if t == INF else _MEET, t, (nu, nv, nw), False


@step
def _bottom(geometry, s, slots, k, up, least, touch):
    """Return the least height of shape s, placed by slot k; -inf if it is below `least` or nowhere clearly above it."""
    x, y, z = direction_to_local(slots, k, up)
    away = up[0] * slots[k, 9] + up[1] * slots[k, 10] + up[2] * slots[k, 11]
    first = geometry.shape_ints[s, at.VERTEX]
    top = -INF
    bottom = INF
    for v in range(first, first + geometry.shape_ints[s, at.VERTICES]):
        h = x * geometry.vertices[v, 0] + y * geometry.vertices[v, 1] + z * geometry.vertices[v, 2] + away
        if h < least:
            return -INF
        bottom = min(bottom, h)
        top = max(top, h)
    return bottom if top > least + CLEARLY_ABOVE * touch else -INF


@cold
def _supported(case, two, touch, slack, travel):
    """True if the whole mover stays above a plane between two touching faces, up to `touch`. The plane is then stored.

    No face below the stored plane can be met deeper than `touch`. If the mover comes through the plane at all, the obstacle
    must be below it around the contact, or it is the plane of its own face: planes through the seam of two faces would excuse
    each of them alone.
    """
    geometry, slots, planes, row = case.geometry, case.slots, case.planes, two.pair
    mover, obstacle = two.faces
    planes[row, TRIED] += 1.0
    if planes[row, TRIED] > MOST_SUPPORTS:
        return False
    for k in range(OBSTACLE_NORMAL, SPANNED_END):
        n = axis_of(mover, obstacle, (0.0, 0.0, 0.0), k)
        size = math.sqrt(dot(n, n))
        for side in range(2 if size > 0.0 else 0):
            size = -size if side == 1 else size
            up = (n[0] / size, n[1] / size, n[2] / size)
            sinks = max(-up[2] * travel, 0.0)
            least = highest(up, obstacle) - touch + sinks
            if sinks > touch or lowest(up, mover) < least:
                continue
            bottom = _bottom(geometry, two.shapes[0], slots, two.slots[0], up, least, touch)
            if bottom == -INF:
                continue
            room = touch
            if k != OBSTACLE_NORMAL:
                if bottom - sinks >= highest(up, obstacle) - 2.0 * slack:
                    room = 2.0 * slack
                else:
                    q = to_local(slots, two.slots[1], closest(mover, two.ranks[0], obstacle, two.ranks[1])[2])
                    if rises(geometry, two.shapes[1], q, direction_to_local(slots, two.slots[1], up), touch):
                        continue
            hold(planes, row, up, bottom - sinks + room)
            return True
    return False


@cold
def _clear_around(case, two, up, every, far, wide, touch, travel, limit):
    """True if, moved apart along the way out, each of two faces also clears the other's continuation (`next_faces`)."""
    found = some_faces()
    for side in range(2):
        for i in range(next_faces(case, two, side, up, every, touch, found)):
            face = face_to_chart(case.slots, two.slots[side], local_face(case.geometry, two.shapes[side], found[i]))
            mover = face if side == 0 else two.faces[0]
            obstacle = face if side == 1 else two.faces[1]
            if stretch(lifted(mover, far, up), obstacle, 0.0, wide, touch, travel, limit)[0] < INF:
                return False
    return True


@cold
def _resolve_resting(case, two, t, normal, thick, touch, slack, travel):
    """Return (travel, normal) of contact at t, of faces that touch at the start or slide, if it counts.

    Instead of a travel: inf if it is harmless, since the bodies are nowhere deeper than the tolerance; CROSSING or HELD.
    """
    slots = case.slots
    ranks = two.ranks
    mover, obstacle = two.faces
    # Contact at the very end counts if it would become deeper.
    limit = travel if t <= OVERLAP_DEPTH * touch else INF
    if thick > touch:
        # A distance from a straight path is convex: if it grows, it grows for good.
        least = thick - FREE_DEPTH * touch - 2.0 * slack
        end = travel if t <= OVERLAP_DEPTH * touch else 2.0 * travel
        rests = not case.resting_hits and (
            (t == 0.0 and normal[2] > LEVEL) or advance(mover, ranks[0], obstacle, ranks[1], least, slack, 0.0, end)[0] == INF
        )
        return (INF if rests else t), normal
    # A mover that stays above a plane as a whole cannot meet what lies below it.
    if not case.resting_hits and _supported(case, two, touch, slack, travel):
        return HELD, normal
    if not case.resting_hits:
        wide = slack + WAY_DOUBT * touch
        places = two_places()
        carry_place((), 0.0, slots, two.slots[1], places, 1)
        for later in (0.0, WAY_LATER * touch):
            # Faces that begin to slide over each other lie side by side at first. A little later the way out is across them.
            carry_place((), t + later, slots, two.slots[0], places, 0)
            there = carry_face((), t + later, mover)
            far = FREE_DEPTH * touch + 2.0 * wide
            up, less_one, less_two, stays = way_out(case, two, places, there, far, touch, slack)
            if dot(up, up) == 0.0 or (later > 0.0 and abs(up[2]) * later > touch):
                continue
            if later == 0.0 and t == 0.0:
                normal = up
            # Smaller bodies show whether they part, along whatever there is around; how deep they go shows along the way out.
            # Where a corner cannot move, all that is around is tested instead.
            meets = stretch(less_one, less_two, 0.0, slack, touch, travel, limit)[0] < INF
            sinks = -up[2] * travel > slack
            if not sinks:
                far = PARTING_DEPTH * touch + 2.0 * wide
            if not sinks and meets:
                _, less_one, less_two, _ = way_out(case, two, places, there, far, touch, slack)
                meets = stretch(less_one, less_two, 0.0, slack, touch, travel, limit)[0] < INF
            if meets and not stays:
                break
            if stretch(lifted(mover, far, up), obstacle, 0.0, wide, touch, travel, limit)[0] < INF:
                continue
            # A motion that presses, and is as short as the tolerance, must clear all that is around: on a corner, faces have
            # many ways out.
            every = meets or (up[2] < -PRESSES and -up[2] * travel <= SINKS_A_LITTLE * touch)
            if (sinks or meets) and not _clear_around(case, two, up, every, far, wide, touch, travel, limit):
                continue
            return INF, normal
    if t == 0.0:
        poses = two_poses()
        poses_of(case, two.pair, poses)
        if one_buried(case.geometry, two.shapes, poses, two.numbers, OVERLAP_DEPTH * touch):
            return CROSSING, normal
    return t, normal


@inline
def face_contact(case, two, best, patches):
    """Judge two faces in the chart: return (travel, normal) of contact before `best`; or inf, CROSSING or HELD.

    patches: for motions that turn.
    """
    a, b = two.slots
    none = (0.0, 0.0, 0.0)
    if below(two.faces[1], case.planes, two.pair):
        return INF, none
    thick = case.slots[a, THICK] + case.slots[b, THICK]
    slack = case.slots[a, SLACK] + case.slots[b, SLACK]
    touch = max(case.touch, TOUCH_ROUNDING * slack)
    travel = case.slots[b, REACH]
    verdict, t, normal, resting = confirm(
        two.faces[0], two.ranks[0], two.faces[1], two.ranks[1], thick, slack, touch, travel, best, case.resting_hits
    )
    if verdict == _MISS:
        return INF, none
    if verdict == CROSS:
        return CROSSING, normal
    # A face with a radius that meets another head-on sinks in. One that only grazes it may slide along an edge.
    grazes = thick > touch and thick * normal[2] * normal[2] <= SURELY_SINKS * touch
    if t > OVERLAP_DEPTH * touch and not resting and not grazes:
        return t, normal
    return _resolve_resting(case, two, t, normal, thick, touch, slack, travel)


@inline
def plain_contact(case, two, best, patches):
    """As `face_contact`, of faces alone: return (travel, normal, decides).

    decides: whether the bodies around need not be looked at. `plain_verdict` judges the first contact of all.
    """
    a, b = two.slots
    thick = case.slots[a, THICK] + case.slots[b, THICK]
    slack = case.slots[a, SLACK] + case.slots[b, SLACK]
    touch = max(case.touch, TOUCH_ROUNDING * slack)
    if thick <= touch:
        # What rests comes no later than its entry: if that is the first of all, `plain_verdict` finds it resting.
        none = (0.0, 0.0, 0.0)
        t = first_entry(two.faces[0], two.faces[1], slack, best) if thick == 0.0 else -1.0
        return t, none, t > OVERLAP_DEPTH * touch
    return _plain_confirmed(case, two, thick, slack, touch, best)


@inline
def _plain_confirmed(case, two, thick, slack, touch, best):
    faces, ranks = two.faces, two.ranks
    verdict, t, normal, resting = confirm(
        faces[0], ranks[0], faces[1], ranks[1], thick, slack, touch, case.slots[two.slots[1], REACH], best, case.resting_hits
    )
    if verdict == _MISS:
        return INF, normal, True
    grazes = thick > touch and thick * normal[2] * normal[2] <= SURELY_SINKS * touch
    return t, normal, verdict == _MEET and t > OVERLAP_DEPTH * touch and not resting and not grazes


@inline
def plain_verdict(case, two, t, normal):
    """Return (normal, decides) of the first contact that `plain_contact` found."""
    a, b = two.slots
    thick = case.slots[a, THICK] + case.slots[b, THICK]
    slack = case.slots[a, SLACK] + case.slots[b, SLACK]
    touch = max(case.touch, TOUCH_ROUNDING * slack)
    if thick > touch:
        return normal, True
    _, normal, decides = _plain_confirmed(case, two, thick, slack, touch, INF)
    return normal, decides


place = placer(chart)
