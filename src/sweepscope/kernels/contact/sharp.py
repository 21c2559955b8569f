"""Exact first contact of two faces that move straight: the swept separating axis test.

Seen from the mover, the obstacle's points minus the mover's form a convex body, and the origin travels through it on a line.
Each axis gives the interval of travel in which the two shadows overlap; the intersection of all intervals is the contact. The
axes of faces are both normals and the nine products of edges. The edges' normals across the motion and in the plane are added
for faces that are coplanar, seen edge-on, or shrunk to segments and points.

*Any* axis gives a true bound. A badly conditioned one costs tightness, never a hit: shadows are widened by `slack` (the
rounding of the coordinates), and every entry is at or before the true one. `thick` widens further, by a radius: the result is
then a lower bound of the first contact, and its resting verdict stays exact.

After Boyse (1979) for the feature pairs and Ericson (2005), 5.5.8, for moving axes. Slack and resting verdicts are ours.
"""

import math

from .._jit import inline, step
from ..base.closest import corner, cross
from ..tolerances import OVERLAP_DEPTH

INF = math.inf
AXES = 32
OBSTACLE_NORMAL = 6
MOVER_NORMAL = 7
SPANNED_END = 17  # from 8 on: across an edge of each
ROUND_AXES = 9  # more for thick faces


@inline
def _shadow(a, b, c, face):
    p = a * face[0] + b * face[1] + c * face[2]
    q = a * face[3] + b * face[4] + c * face[5]
    r = a * face[6] + b * face[7] + c * face[8]
    return min(p, min(q, r)), max(p, max(q, r))


@inline
def clip(state, a, b, c, excuses, mover, obstacle, thick, slack, touch, travel):
    """Cut the contact interval in `state` by one axis (a, b, c). excuses: whether the axis may also show that the faces rest.

    state: (entry, leave, resting, shallow, time of normal, normal 3), as `stretch` returns them. touch: the contact tolerance.
    """
    entry, leave, resting, shallow, when, nu, nv, nw = state
    size = math.sqrt(a * a + b * b + c * c)
    if size == 0.0:
        return state
    m0, m1 = _shadow(a, b, c, mover)
    o0, o1 = _shadow(a, b, c, obstacle)
    wide = slack * (abs(a) + abs(b) + abs(c))
    closing = o0 - m1
    opening = m0 - o1
    side = -1.0
    if c < 0.0:
        closing, opening = opening, closing
        side = 1.0
    if thick > 0.0:
        radius = thick * size
        closing -= radius
        opening -= radius
    speed = abs(c)
    if speed > 0.0:
        start = (closing - wide) / speed
        end = (wide - opening) / speed
    elif closing > wide or opening > wide:
        start = INF
        end = -INF
    else:
        start = -INF
        end = INF
    near = touch * size
    deepest = -OVERLAP_DEPTH * near
    if max(closing, opening) >= deepest:
        shallow = True
    if excuses and (opening >= deepest or (closing <= near and closing - speed * travel >= deepest)):
        resting = True
    entry = max(entry, start)
    leave = min(leave, end)
    # Of axes that bind at the same moment the first one gives the normal.
    if start > when + touch:
        when = start
        nu = side * a
        nv = side * b
        nw = side * c
    return entry, leave, resting, shallow, when, nu, nv, nw


@inline
def _edge(face, k):
    if k == 0:
        return face[3] - face[0], face[4] - face[1], face[5] - face[2]
    if k == 1:
        return face[6] - face[3], face[7] - face[4], face[8] - face[5]
    return face[0] - face[6], face[1] - face[7], face[2] - face[8]


@inline
def axis_of(mover, obstacle, plane, k):
    """Return axis k of AXES. plane: a normal, for the axes that lie in a plane."""
    if k < 6:  # an edge's normal across the motion: the shadows on the (u, v) plane. Most pairs end here.
        e = _edge(obstacle, k) if k < 3 else _edge(mover, k - 3)
        return -e[1], e[0], 0.0
    if k == OBSTACLE_NORMAL:
        return cross(_edge(obstacle, 0), _edge(obstacle, 1))
    if k == MOVER_NORMAL:
        return cross(_edge(mover, 0), _edge(mover, 1))
    if k < SPANNED_END:
        return cross(_edge(mover, (k - 8) // 3), _edge(obstacle, (k - 8) % 3))
    if k < 23:  # in a plane: decides between coplanar features
        e = _edge(obstacle, k - 17) if k < 20 else _edge(mover, k - 20)
        return cross(plane, e)
    if k < 29:  # in the plane of an edge and the motion: decides between parallel edges
        e = _edge(obstacle, k - 23) if k < 26 else _edge(mover, k - 26)
        return cross((e[1], -e[0], 0.0), e)
    if k == 29:
        return 1.0, 0.0, 0.0
    if k == 30:
        return 0.0, 1.0, 0.0
    if k == 31:
        return 0.0, 0.0, 1.0
    # From corner to corner across the motion: only rounded edges need them.
    p = corner(obstacle, (k - AXES) // 3)
    q = corner(mover, (k - AXES) % 3)
    return p[0] - q[0], p[1] - q[1], 0.0


@inline
def plane_of(mover, obstacle):
    """Return a normal of the obstacle; if it has no area, of the mover; if neither has, of two edges."""
    n = axis_of(mover, obstacle, (0.0, 0.0, 0.0), OBSTACLE_NORMAL)
    if n[0] == 0.0 and n[1] == 0.0 and n[2] == 0.0:
        n = axis_of(mover, obstacle, n, MOVER_NORMAL)
    if n[0] == 0.0 and n[1] == 0.0 and n[2] == 0.0:
        n = cross(_edge(mover, 0), _edge(obstacle, 0))
    return n


@inline
def _runs_along(face, k, touch):
    """True if an edge from corner k of the face runs along the motion."""
    p = corner(face, k)
    for i in range(3):
        q = corner(face, i)
        if abs(p[0] - q[0]) <= touch and abs(p[1] - q[1]) <= touch and abs(p[2] - q[2]) > touch:
            return True
    return False


@inline
def _excuses(k, mover, obstacle, touch):
    """True if faces slide along each other when axis k separates them through the travel.

    Faces slide on an axis of a face or of two edges: a flat side of one, seen from the other. An axis that only separates
    shadows means a graze: the faces pass and touch for a moment, which is contact. On a round side, faces slide along an
    edge.
    """
    if k < OBSTACLE_NORMAL:
        return False
    if k < 23:
        return True
    if k < AXES:
        return False
    return _runs_along(obstacle, (k - AXES) // 3, touch) or _runs_along(mover, (k - AXES) % 3, touch)


@step
def stretch(mover, obstacle, thick, slack, touch, travel, limit):
    """Return the contact interval of two faces and its kind.

    (entry, leave): the travel between which they are in contact; entry is inf if there is no contact before `limit`.
    resting: some axis separates them, up to `touch`, through the whole travel. shallow: some axis does so at the start.
    normal 3: of the axis that binds at entry, towards the mover.
    """
    state = (-INF, INF, False, False, -INF, 0.0, 0.0, -1.0)
    plane = (0.0, 0.0, 0.0)
    for k in range(AXES + ROUND_AXES if thick > 0.0 else AXES):
        if k == SPANNED_END:
            plane = plane_of(mover, obstacle)
        a, b, c = axis_of(mover, obstacle, plane, k)
        state = clip(state, a, b, c, _excuses(k, mover, obstacle, touch), mover, obstacle, thick, slack, touch, travel)
        if state[0] > state[1] or state[0] >= limit or state[1] < 0.0:
            return INF, -INF, False, False, (0.0, 0.0, 0.0)
    entry, leave, resting, shallow, _, nu, nv, nw = state
    return entry, leave, resting, shallow, (nu, nv, nw)


@inline
def first_entry(mover, obstacle, slack, limit):
    """Return the entry of `stretch` alone, for faces without a radius: inf if there is no contact before `limit`."""
    plane = (0.0, 0.0, 0.0)
    for k in range(6):  # across the motion, where most pairs end
        a, b, _ = axis_of(mover, obstacle, plane, k)
        m0, m1 = _shadow(a, b, 0.0, mover)
        o0, o1 = _shadow(a, b, 0.0, obstacle)
        wide = slack * (abs(a) + abs(b))
        if o0 - m1 > wide or m0 - o1 > wide:
            return INF
    state = (-INF, INF, False, False, -INF, 0.0, 0.0, -1.0)
    for k in range(OBSTACLE_NORMAL, AXES):
        if k == SPANNED_END:
            plane = plane_of(mover, obstacle)
        a, b, c = axis_of(mover, obstacle, plane, k)
        state = clip(state, a, b, c, False, mover, obstacle, 0.0, slack, 0.0, 0.0)
        if state[0] > state[1] or state[0] >= limit or state[1] < 0.0:
            return INF
    return state[0]


@step
def parting(mover, obstacle, touch):
    """Return (axis 3, gap): the unit axis along which two touching faces overlap least, from the obstacle to the mover.

    gap: their distance along it; negative: the depth of the overlap.
    """
    plane = plane_of(mover, obstacle)
    best = -INF
    normal = (0.0, 0.0, -1.0)
    for k in range(OBSTACLE_NORMAL, 23):
        a, b, c = axis_of(mover, obstacle, plane, k)
        length = math.sqrt(a * a + b * b + c * c)
        if length == 0.0:
            continue
        m0, m1 = _shadow(a, b, c, mover)
        o0, o1 = _shadow(a, b, c, obstacle)
        above = (m0 - o1) / length
        below = (o0 - m1) / length
        # Of equals the first is used: the obstacle's own normal. If both are flat, the mover is taken to be in front of it.
        if max(above, below) > best + touch:
            best = max(above, below)
            turned = below > above
            if min(above, below) >= -touch:
                turned = k == MOVER_NORMAL
            side = -length if turned else length
            normal = (a / side, b / side, c / side)
    return normal[0], normal[1], normal[2], best
