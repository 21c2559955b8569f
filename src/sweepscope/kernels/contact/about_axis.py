"""Two faces, one of which turns: whether and when they meet, and whether their bodies confirm it.

`advance` makes certain steps until the faces touch. Contact at the start, or of faces that slide, is harmless for a while: see
`pressing`.
"""

import math

from .. import layout as at
from .._jit import cold, inline, step
from ..base.closest import closest, corner, dot
from ..base.faces import local_face
from ..base.inside import one_buried
from ..charts import orbit
from ..charts.helix import window
from ..charts.orbit import carry_face, carry_place, highest, leap, lowest, rate_of, speed_of, step_on, turn_back, turned
from ..charts.slots import SLACK, THICK
from ..charts.straight import face_to_chart, to_chart
from ..tolerances import (
    CLEARLY_ABOVE,
    HAS_LEFT,
    MOST_SUPPORTS,
    OVERLAP_DEPTH,
    PARTING_DEPTH,
    TOUCH_ROUNDING,
    TURN_DEPTH,
    TURN_STEPS,
    WAY_LATER,
)
from .case import poses_of, two_poses
from .landing import placer, two_places
from .planes import TRIED, below, hold
from .pressing import harmless_until, has_slid, too_deep
from .sharp import parting
from .verdicts import CROSSING, HELD
from .way_out import next_faces, normal_of, some_faces, way_out

INF = math.inf


@step
def advance(chart_params, mover, mover_rank, obstacle, obstacle_rank, thick, slack, patches, limit):
    """Return (travel, normal 3) of the first contact; infinite if there is none before `limit`."""
    mine, i, theirs, j = patches
    normal = (0.0, -1.0, 0.0)
    begin, end = window(mine, i, theirs, j, chart_params, 0.0)
    t = max(begin, 0.0)
    if t < limit:
        t += leap(chart_params, carry_face(chart_params, t, mover), obstacle, -(thick + 0.5 * slack))
    for _ in range(TURN_STEPS):
        if t > end:
            begin, end = window(mine, i, theirs, j, chart_params, t)
            t = max(begin, t)
        # An overlap at the start is reported even if another pair presses there.
        if t >= limit and t > 0.0:
            return INF, normal
        gap, far, nx, ny, nz = step_on(
            chart_params, carry_face(chart_params, t, mover), mover_rank, obstacle, obstacle_rank, thick, slack
        )
        # So near, the direction is rounding; the previous one is better.
        if gap > thick + slack or thick > slack:
            normal = (nx, ny, nz)
        if gap <= thick + slack:
            break
        t += far
    return t, normal


@inline
def _lowest_height(chart_params, n, p, limit):
    """Return the least height in direction n that a point reaches within `limit`, or a little less."""
    far = chart_params[0] + p[0]
    a = n[1] * far - n[0] * p[1]
    b = n[0] * far + n[1] * p[1]
    s, r = turned(limit)
    least = min(0.0, a * s - b * r)
    bottom = math.atan2(a, b) + math.pi
    if limit >= (bottom if bottom >= 0.0 else bottom + 2.0 * math.pi):
        least = min(least, -math.sqrt(a * a + b * b) - b)
    return dot(n, p) + least + min(0.0, n[2] * chart_params[1] * limit)


@inline
def _lowest_above(chart_params, up, floor, p, touch, limit):
    """Return the least height of a point that stays above a plane, up to `touch`, and does not land on it; else -inf."""
    least = _lowest_height(chart_params, up, p, limit)
    room = touch if dot(up, p) > floor + HAS_LEFT * touch else -touch
    return least if least >= floor + room else -INF


@inline
def _upwards(mover, obstacle):
    """Return the normal of the obstacle's face, towards the mover."""
    up = normal_of(obstacle)
    return up if lowest(up, mover) >= lowest(up, obstacle) else (-up[0], -up[1], -up[2])


@step
def _above(chart_params, mover, obstacle, thick, touch, limit):
    """True if the mover's face stays above the plane of the obstacle's, both with a radius."""
    up = _upwards(mover, obstacle)
    floor = highest(up, obstacle) + thick
    for k in range(3):
        if dot(up, up) == 0.0 or _lowest_above(chart_params, up, floor, corner(mover, k), touch, limit) == -INF:
            return False
    return True


@step
def _bottom(case, two, up, height, touch):
    """Return how low the whole mover comes above a plane, at most its height; -inf if it comes through it or lands on it."""
    geometry, s = case.geometry, two.shapes[0]
    first = geometry.shape_ints[s, at.VERTEX]
    top = -INF
    bottom = height
    for v in range(first, first + geometry.shape_ints[s, at.VERTICES]):
        x, y, z = geometry.vertices[v, 0], geometry.vertices[v, 1], geometry.vertices[v, 2]
        p = to_chart(case.slots, two.slots[0], x, y, z)
        bottom = min(bottom, _lowest_above(case.chart_params, up, height, p, touch, case.limit))
        if bottom == -INF:
            return -INF
        top = max(top, dot(up, p))
    return bottom if top > height + CLEARLY_ABOVE * touch else -INF


@cold
def _supported(case, two, touch):
    """True if the whole mover stays above the plane of a face of the obstacle, up to `touch`. The plane is then stored."""
    planes, row = case.planes, two.pair
    mover, obstacle = two.faces
    planes[row, TRIED] += 1.0
    if planes[row, TRIED] > MOST_SUPPORTS:
        return False
    n = normal_of(obstacle)
    for side in range(2 if dot(n, n) > 0.0 else 0):
        up = n if side == 0 else (-n[0], -n[1], -n[2])
        height = highest(up, obstacle)
        if lowest(up, mover) < height - touch:
            continue
        bottom = _bottom(case, two, up, height, touch)
        if bottom > -INF:
            hold(planes, row, up, bottom + touch)
            return True
    return False


@inline
def _sinks(chart_params, up, face, touch, slack, limit):
    """True if a corner of a face that is lowest, up to `touch`, goes further down within `limit`."""
    bottom = lowest(up, face)
    for k in range(3):
        p = corner(face, k)
        if dot(up, p) <= bottom + touch and _lowest_height(chart_params, up, p, limit) < dot(up, p) - slack:
            return True
    return False


@cold
def _clear_around(case, two, up, back, deepest, touch, slack, best):
    """Return until when each of two faces clears the other's continuation too (`next_faces`)."""
    until = INF
    found = some_faces()
    for side in range(2):
        for i in range(next_faces(case, two, side, up, False, touch, found)):
            face = face_to_chart(case.slots, two.slots[side], local_face(case.geometry, two.shapes[side], found[i]))
            faces = (face if side == 0 else two.faces[0], face if side == 1 else two.faces[1])
            end = min(best, until)
            until = min(until, too_deep(case.chart_params, faces, up, back, two.ranks, deepest, touch, slack, end, case.limit))
    return until


@cold
def _resolve_resting(case, two, t, thick, touch, slack, best):
    """Return when contact at t of faces that touch at the start or slide counts; or inf, CROSSING or HELD."""
    slots, chart_params, limit, ranks = case.slots, case.chart_params, case.limit, two.ranks
    mover, obstacle = two.faces
    has_radius = thick > touch
    if has_radius and not case.resting_hits and _above(chart_params, mover, obstacle, thick, touch, limit):
        return INF
    # A mover that stays above a plane as a whole cannot meet what lies below it.
    if not (has_radius or case.resting_hits) and _supported(case, two, touch):
        return HELD
    # Once a hit at the start is known, it only remains to be seen whether they overlap.
    if not case.resting_hits and best > 0.0:
        up = (0.0, 0.0, 0.0)
        back = up
        less = two.faces
        sinks = True
        if not has_radius:
            places = two_places()
            carry_place(chart_params, 0.0, slots, two.slots[1], places, 1)
            speed = speed_of(chart_params, mover)
            for tried in range(0 if t > 0.0 and speed > 0.0 else 1, 2):
                # Faces that begin to slide over each other lie side by side at first. A little later the way out is across
                # them, and across the motion.
                when = t + WAY_LATER * touch / speed if tried == 0 else t
                carry_place(chart_params, when, slots, two.slots[0], places, 0)
                there = carry_face(chart_params, when, mover)
                depth = TURN_DEPTH * touch + 2.0 * slack
                up, less_one, less_two, _ = way_out(case, two, places, there, depth, touch, slack)
                less = (less_one, less_two)
                s, r = turned(when)
                back = turn_back(s, r, up[0], up[1], up[2])
                sinks = _sinks(chart_params, up, there, touch, slack, limit - t)
                rate = rate_of(chart_params, up, closest(there, ranks[0], obstacle, ranks[1])[1])
                if dot(up, up) > 0.0 and WAY_LATER * abs(rate) <= speed:
                    break
        radius = thick if has_radius else 0.0
        deepest = (TURN_DEPTH if sinks else PARTING_DEPTH) * touch + 2.0 * slack
        until = harmless_until(chart_params, two.faces, less, up, back, ranks, radius, deepest, touch, slack, best, limit)
        if until == INF and sinks and not has_radius:
            until = _clear_around(case, two, up, back, deepest, touch, slack, best)
        t = max(t, until)
        if t == INF:
            return INF
    if t == 0.0 and not has_radius:
        poses = two_poses()
        poses_of(case, two.pair, poses)
        if one_buried(case.geometry, two.shapes, poses, two.numbers, OVERLAP_DEPTH * touch):
            return CROSSING
    return t


@inline
def face_contact(case, two, best, patches):
    """Judge two faces in the frame, as in `straight` for straight motion. patches: (array, row) of each side."""
    a, b = two.slots
    faces, ranks, chart_params = two.faces, two.ranks, case.chart_params
    none = (0.0, 0.0, 0.0)
    if below(faces[1], case.planes, two.pair):
        return INF, none
    thick = case.slots[a, THICK] + case.slots[b, THICK]
    slack = case.slots[a, SLACK] + case.slots[b, SLACK]
    touch = max(case.touch, TOUCH_ROUNDING * slack)
    t, normal = advance(chart_params, faces[0], ranks[0], faces[1], ranks[1], thick, slack, patches, best)
    if t == INF:
        return INF, none
    there = carry_face(chart_params, t, faces[0])
    if thick > touch:
        gap_sq, p, q, _, _ = closest(there, ranks[0], faces[1], ranks[1])
        if gap_sq > 0.0:
            gap = math.sqrt(gap_sq)
            normal = ((p[0] - q[0]) / gap, (p[1] - q[1]) / gap, (p[2] - q[2]) / gap)
        if t == 0.0 and gap_sq < (thick - OVERLAP_DEPTH * touch) ** 2:
            return CROSSING, normal
    elif t == 0.0:
        depth = parting(there, faces[1], touch)[3]
        if -INF < depth < -OVERLAP_DEPTH * touch:
            return CROSSING, normal
    if t > 0.0 and (case.resting_hits or not has_slid(chart_params, t, faces, ranks, faces, thick, touch)):
        return t, normal
    return _resolve_resting(case, two, t, thick, touch, slack, best), normal


@inline
def plain_contact(case, two, best, patches):
    """As `face_contact`, of faces alone: return (travel, normal, decides): whether the bodies around need not be looked at."""
    a, b = two.slots
    faces, ranks, chart_params = two.faces, two.ranks, case.chart_params
    thick = case.slots[a, THICK] + case.slots[b, THICK]
    slack = case.slots[a, SLACK] + case.slots[b, SLACK]
    touch = max(case.touch, TOUCH_ROUNDING * slack)
    t, normal = advance(chart_params, faces[0], ranks[0], faces[1], ranks[1], thick, slack, patches, best)
    if t == INF:
        return INF, normal, True
    if t == 0.0:
        return t, normal, False
    if thick > touch:
        gap_sq, p, q, _, _ = closest(carry_face(chart_params, t, faces[0]), ranks[0], faces[1], ranks[1])
        if gap_sq > 0.0:
            gap = math.sqrt(gap_sq)
            normal = ((p[0] - q[0]) / gap, (p[1] - q[1]) / gap, (p[2] - q[2]) / gap)
    return t, normal, case.resting_hits or not has_slid(chart_params, t, faces, ranks, faces, thick, touch)


@inline
def plain_verdict(case, two, t, normal):
    """Return (normal, decides) of the first contact that `plain_contact` found: as that said."""
    return normal, True


place = placer(orbit)
