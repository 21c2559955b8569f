"""Contact while a face turns: whether it has only slid, and until when it is harmless.

It ends where a feature lands that was clear, or where the faces meet although they are moved apart by the tolerance along the
way out (see `way_out`): then the bodies press.
"""

import math

from .._jit import cold, inline, step
from ..base.closest import closest, corner, cross, dot, minus
from ..charts.orbit import (
    across,
    carry_back,
    carry_face,
    highest,
    lowest,
    radius,
    rate_of,
    riding,
    spanned,
    speed_of,
    standing,
    step_on,
    turn_back,
    turned,
)
from ..tolerances import (
    HAS_LEFT,
    HAS_SLID,
    LEAD_BACK,
    LEAST_DIVISOR,
    LEAST_SMALLER,
    MEET_STEPS,
    MOST_SMALLER,
    NO_PROGRESS,
    OVERLAP_DEPTH,
    SLOWEST_LEAD,
    SMALLER_STEP,
)
from .sharp import OBSTACLE_NORMAL, SPANNED_END, axis_of, parting, plane_of
from .way_out import lifted, normal_of

INF = math.inf

_FEATURES = 15  # pairs of features of two faces: a corner of each with the other face, and edges


@cold
def _apart(chart_params, mover, mover_rank, obstacle, obstacle_rank, room):
    """Return how long planes along faces and edges keep two faces apart that nearly touch. room: as in `orbit.standing`."""
    far = 0.0
    plane = plane_of(mover, obstacle)
    for k in range(OBSTACLE_NORMAL, SPANNED_END + 6):
        n = axis_of(mover, obstacle, plane, k)
        size = math.sqrt(dot(n, n))
        for side in range(2 if size > 0.0 else 0):
            size = -size if side == 1 else size
            up = (n[0] / size, n[1] / size, n[2] / size)
            if lowest(up, mover) - highest(up, obstacle) + room > 0.0:
                far = max(far, standing(chart_params, up, mover, obstacle, room))
                far = max(far, riding(chart_params, up, mover, obstacle, room))
    gap_sq, p, q, f, g = closest(mover, mover_rank, obstacle, obstacle_rank)
    if 3 <= f < 6 and 3 <= g < 6 and gap_sq > 0.0:
        gap = math.sqrt(gap_sq)
        up = ((p[0] - q[0]) / gap, (p[1] - q[1]) / gap, (p[2] - q[2]) / gap)
        far = max(far, spanned(chart_params, up, p, q, mover, mover_rank, f - 3, obstacle, obstacle_rank, g - 3, room))
    return far


@cold
def _meet(chart_params, mover, mover_rank, obstacle, obstacle_rank, thick, slack, limit):
    """Return the travel of the first contact of two faces that may be moved or parts of faces, so that no patches bound it."""
    speed = speed_of(chart_params, mover)
    t = 0.0
    for _ in range(MEET_STEPS):
        there = carry_face(chart_params, t, mover)
        gap, far, _, _, _ = step_on(chart_params, there, mover_rank, obstacle, obstacle_rank, thick, slack)
        if gap <= thick + slack:
            return t
        if far * speed <= NO_PROGRESS * (gap - thick):
            far = max(far, _apart(chart_params, there, mover_rank, obstacle, obstacle_rank, -(thick + 0.5 * slack)))
        t += far
        if t >= limit:
            return INF
    return t


@inline
def _feature(face, rank, code):
    """Return (feature, its rank) of a face: its corner 0 .. 2, its edge 3 .. 5, or itself, 6. Rank 0: there is none."""
    if code == 6:
        return face, rank
    a = corner(face, code % 3)
    b = corner(face, (code + 1) % 3) if code >= 3 else a
    there = rank == 3 or code < rank or (code == 3 and rank == 2)
    return (a[0], a[1], a[2], b[0], b[1], b[2], b[0], b[1], b[2]), ((1 if code < 3 else 2) if there else 0)


@step
def _features(k, faces, ranks):
    """Return pair k of _FEATURES, and its ranks."""
    f = 6
    g = 6
    if k < 3:
        f = k
    elif k < 6:
        g = k - 3
    else:
        f = 3 + (k - 6) // 3
        g = 3 + (k - 6) % 3
    one, one_rank = _feature(faces[0], ranks[0], f)
    two, two_rank = _feature(faces[1], ranks[1], g)
    return (one, two), (one_rank, two_rank)


@inline
def _gap(features, ranks):
    return math.sqrt(closest(features[0], ranks[0], features[1], ranks[1])[0])


@inline
def _stays(chart_params, n, p, t, touch):
    """True if a point that turns on from p stays in a plane across n for a travel of t."""
    return abs(rate_of(chart_params, n, p)) * t + 0.5 * across(n) * radius(chart_params, p) * t * t <= HAS_SLID * touch


@step
def _square(chart_params, mover, mover_rank, obstacle, obstacle_rank):
    """Return the unit direction between two faces made square to the motion, and to the edge if one touches.

    Where a round body slides over an edge, the direction between them leans a little until it is above the edge.
    """
    _, p, q, f, g = closest(mover, mover_rank, obstacle, obstacle_rank)
    v = (-p[1], chart_params[0] + p[0], chart_params[1])
    n = minus(p, q)
    share = dot(v, n) / max(dot(v, v), LEAST_DIVISOR)
    up = (n[0] - share * v[0], n[1] - share * v[1], n[2] - share * v[2])
    if 3 <= g < 6:
        up = cross(minus(corner(obstacle, (g - 2) % 3), corner(obstacle, g - 3)), v)
    elif 3 <= f < 6:
        up = cross(minus(corner(mover, (f - 2) % 3), corner(mover, f - 3)), v)
    size = math.sqrt(dot(up, up))
    if size == 0.0:
        return 0.0, 0.0, 0.0
    return up[0] / size, up[1] / size, up[2] / size


@cold
def has_slid(chart_params, t, features, ranks, faces, thick, touch):
    """True if the contact of two features at t is not a landing: they have slid along a plane from the start.

    The plane is that of one of the faces, or lies across the axis, or across the direction between faces with a radius.
    """
    if speed_of(chart_params, faces[0]) * t <= OVERLAP_DEPTH * touch:
        return True
    _, p, q, _, _ = closest(carry_face(chart_params, t, features[0]), ranks[0], features[1], ranks[1])
    there = carry_face(chart_params, t, faces[0])
    obstacle = faces[1]
    s, r = turned(t)
    before = carry_back(chart_params, t, s, r, p[0], p[1], p[2])
    for k in range(4):
        n = normal_of(obstacle)
        if k == 1:
            n = normal_of(there)
        elif k == 2:
            n = (0.0, 0.0, 1.0)
        elif k == 3:
            if thick <= touch:
                continue
            n = _square(chart_params, there, ranks[0], obstacle, ranks[1])
        if n[0] == 0.0 and n[1] == 0.0 and n[2] == 0.0:
            continue
        gap = max(lowest(n, there) - highest(n, obstacle), lowest(n, obstacle) - highest(n, there))
        if gap < thick - OVERLAP_DEPTH * touch:
            continue
        if _stays(chart_params, n, before, t, touch):
            return True
        if _stays(chart_params, turn_back(s, r, n[0], n[1], n[2]), q, t, touch):
            return True
    return False


@inline
def _between(share, face, less):
    """Return a face on its way, by a share, to another."""
    return (
        face[0] + share * (less[0] - face[0]),
        face[1] + share * (less[1] - face[1]),
        face[2] + share * (less[2] - face[2]),
        face[3] + share * (less[3] - face[3]),
        face[4] + share * (less[4] - face[4]),
        face[5] + share * (less[5] - face[5]),
        face[6] + share * (less[6] - face[6]),
        face[7] + share * (less[7] - face[7]),
        face[8] + share * (less[8] - face[8]),
    )


@step
def _meet_between(chart_params, share, faces, less, ranks, thick, thick_less, slack, limit):
    """Return when two faces meet whose bodies are apart, or smaller, only by a share."""
    mover = _between(share, faces[0], less[0])
    obstacle = _between(share, faces[1], less[1])
    radii = thick + share * (thick_less - thick)
    return min(limit, _meet(chart_params, mover, ranks[0], obstacle, ranks[1], radii, slack, limit))


@step
def _pressing(chart_params, faces, less, ranks, thick, thick_less, touch, slack, meeting, best):
    """Return the travel from which on two faces press, or a little less; infinite if they do not before `best`.

    less, thick_less: the faces and radii of smaller bodies, or of bodies that are moved apart; meeting: when those meet. The
    less they are moved, the earlier they meet: the meetings lead back to where the bodies themselves begin to press. They are
    moved as little as rounding and the overlap at the start allow, and as long as the meetings come closer to each other;
    else an earlier one is another contact, which is harmless.
    """
    if meeting == INF:
        return INF
    overlap = thick - _gap(faces, ranks) if thick > touch else -parting(faces[0], faces[1], touch)[3]
    least = LEAST_SMALLER * slack + 2.0 * max(overlap, 0.0)
    share = 1.0
    before = INF
    jump = INF
    for level in range(MOST_SMALLER):
        if level > 1 and share * touch <= SMALLER_STEP * least:
            break
        share /= SMALLER_STEP
        earlier = _meet_between(chart_params, share, faces, less, ranks, thick, thick_less, slack, meeting)
        if meeting - earlier > jump:
            break
        before = jump
        jump = meeting - earlier
        meeting = earlier
    if meeting >= best:
        return INF
    # Depth grows as some power of the travel: each step back to it is shorter than the one before by the same factor.
    shrinks = max(before / max(jump, LEAST_DIVISOR), SLOWEST_LEAD) if before < INF else SLOWEST_LEAD
    return max(meeting - LEAD_BACK * jump / (shrinks - 1.0), 0.0)


@cold
def too_deep(chart_params, faces, up, back, ranks, far, touch, slack, best, limit):
    """Return the travel from which on two faces press because they go deeper than `far` along the way out.

    The way out stands still (up) if it belongs to a face of the obstacle, and turns with the mover (back) if it belongs to one
    of its faces. Where both may be, or neither, each takes half of it.
    """
    apart = faces
    latest = -INF
    for k in range(3):
        moved = (lifted(faces[0], 0.5 * k * far, back), lifted(faces[1], (0.5 * k - 1.0) * far, up))
        meeting = _meet(chart_params, moved[0], ranks[0], moved[1], ranks[1], 0.0, slack, limit)
        if meeting == INF:
            return INF
        if meeting > latest:
            latest = meeting
            apart = moved
    return _pressing(chart_params, faces, apart, ranks, 0.0, 0.0, touch, slack, latest, best)


@cold
def harmless_until(chart_params, faces, less, up, back, ranks, thick, deepest, touch, slack, best, limit):
    """Return the travel until which contact of two faces is harmless; infinite if it is until `best`.

    less: the faces of smaller bodies. up, back: the way out, see `too_deep`; deepest [length]: how far they may go into each
    other along it. thick: the radius, or 0: faces with a radius have a smaller one when they are smaller, and no way out.
    limit: of the motion; what presses before `best` may sink in deeply enough only later.
    """
    end = best
    thick_less = thick - deepest if thick > 0.0 else 0.0
    meeting = _meet(chart_params, less[0], ranks[0], less[1], ranks[1], thick_less, slack, limit)
    best = min(best, _pressing(chart_params, faces, less, ranks, thick, thick_less, touch, slack, meeting, best))
    if thick == 0.0 and meeting == INF:
        best = min(best, too_deep(chart_params, faces, up, back, ranks, deepest, touch, slack, best, limit))
    for k in range(_FEATURES):
        features, feature_ranks = _features(k, faces, ranks)
        if min(feature_ranks[0], feature_ranks[1]) == 0 or _gap(features, feature_ranks) <= thick + HAS_LEFT * touch:
            continue
        t = _meet(chart_params, features[0], feature_ranks[0], features[1], feature_ranks[1], thick, slack, best)
        if t < best and not has_slid(chart_params, t, features, feature_ranks, faces, thick, touch):
            best = t
    return INF if best >= end else best
