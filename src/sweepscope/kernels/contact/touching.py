"""Faces that touch: decides contact of the bodies from contact of two faces.

A single face has edges that its mesh does not have: a point on the seam of two triangles only grazes each of them, and two
faces in one plane separate in either direction. A pair that may be excused as sliding or lifting is therefore tested twice:
`slides` tests the other faces around the contact, `presses` tests what is inside the bodies.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import inline, step
from ..base.closest import closest, corner
from ..base.inside import LEVEL, ON, OUTSIDE, RISING, UNSURE, faces_at, inside
from ..charts.straight import carry_face
from ..tolerances import LOOK_PAST, SIDE_UNKNOWN
from .sharp import AXES, MOVER_NORMAL, OBSTACLE_NORMAL, axis_of, excuses, plane_of, rests


@inline
def to_local(slots, k, u, v, w):
    """Return a chart point in the frame of the body of slot k. The placement's matrix is a rotation."""
    u -= slots[k, 9]
    v -= slots[k, 10]
    w -= slots[k, 11]
    x = slots[k, 0] * u + slots[k, 3] * v + slots[k, 6] * w
    y = slots[k, 1] * u + slots[k, 4] * v + slots[k, 7] * w
    z = slots[k, 2] * u + slots[k, 5] * v + slots[k, 8] * w
    return x, y, z


@inline
def to_local_direction(slots, k, a):
    x = slots[k, 0] * a[0] + slots[k, 3] * a[1] + slots[k, 6] * a[2]
    y = slots[k, 1] * a[0] + slots[k, 4] * a[1] + slots[k, 7] * a[2]
    z = slots[k, 2] * a[0] + slots[k, 5] * a[1] + slots[k, 8] * a[2]
    return x, y, z


@inline
def _flattened(p, axis):
    """Drop the coordinate along which the axis is longest."""
    if abs(axis[0]) >= abs(axis[1]) and abs(axis[0]) >= abs(axis[2]):
        return p[1], p[2]
    if abs(axis[1]) >= abs(axis[2]):
        return p[0], p[2]
    return p[0], p[1]


@inline
def _side(a, b, p):
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


@inline
def _covers(face, axis, p):
    """True if p, seen along the axis, lies on the face, which may be a segment or a point."""
    a = _flattened(corner(face, 0), axis)
    b = _flattened(corner(face, 1), axis)
    c = _flattened(corner(face, 2), axis)
    r = _side(a, b, p)
    s = _side(b, c, p)
    t = _side(c, a, p)
    return (r >= 0.0 and s >= 0.0 and t >= 0.0) or (r <= 0.0 and s <= 0.0 and t <= 0.0)


@step
def common_point(mover, obstacle, axis):
    """Return (found, u, v, w): a point in the middle of what two faces in one plane across `axis` share."""
    u = 0.0
    v = 0.0
    w = 0.0
    n = 0
    for side in range(2):
        face = mover if side == 0 else obstacle
        other = obstacle if side == 0 else mover
        for k in range(3):
            p = corner(face, k)
            if _covers(other, axis, _flattened(p, axis)):
                u += p[0]
                v += p[1]
                w += p[2]
                n += 1
    for i in range(3):
        p = corner(mover, i)
        q = corner(mover, (i + 1) % 3)
        a = _flattened(p, axis)
        b = _flattened(q, axis)
        for j in range(3):
            c = _flattened(corner(obstacle, j), axis)
            d = _flattened(corner(obstacle, (j + 1) % 3), axis)
            r = _side(c, d, a)
            s = _side(c, d, b)
            if r * s < 0.0 and _side(a, b, c) * _side(a, b, d) < 0.0:
                t = r / (r - s)
                u += p[0] + t * (q[0] - p[0])
                v += p[1] + t * (q[1] - p[1])
                w += p[2] + t * (q[2] - p[2])
                n += 1
    if n == 0:
        return False, 0.0, 0.0, 0.0
    return True, u / n, v / n, w / n


@step
def _inside_past(geometry, slots, k, s, p, axis, side, touch):
    """Return whether a point a little to one side of a plane is inside shape s of slot k; OUTSIDE if s is not closed."""
    if geometry.shape_ints[s, at.SOLID] == 0:
        return OUTSIDE
    verdict = UNSURE
    for steps in LOOK_PAST:
        far = side * steps * touch
        x, y, z = to_local(slots, k, p[0] + far * axis[0], p[1] + far * axis[1], p[2] + far * axis[2])
        verdict = inside(geometry, s, x, y, z, touch)
        if verdict < ON:
            break
    return verdict


@inline
def _face_normal(face):
    p = corner(face, 0)
    q = corner(face, 1)
    r = corner(face, 2)
    e = (q[0] - p[0], q[1] - p[1], q[2] - p[2])
    f = (r[0] - p[0], r[1] - p[1], r[2] - p[2])
    return e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]


@inline
def _faces_away(face, rank, up):
    """True if the face has a front and `up` is behind it."""
    n = _face_normal(face)
    return rank == 3 and n[0] * up[0] + n[1] * up[1] + n[2] * up[2] < 0.0


@inline
def presses(geometry, slots, a, mover_shape, b, obstacle_shape, mover, obstacle, axis, lead, slack, touch):
    """Return whether faces in one plane across `axis`, which points against the motion, move into each other's bodies.

    If neither body is closed, the side of the mover decides. If rounding hides the side, the obstacle's face decides: the
    mover is taken to be in front of it.
    """
    found, u, v, w = common_point(mover, obstacle, axis)
    if not found:
        return False
    front = _inside_past(geometry, slots, a, mover_shape, (u, v, w), axis, 1.0, touch)
    ahead = _inside_past(geometry, slots, b, obstacle_shape, (u, v, w), axis, -1.0, touch)
    if front != OUTSIDE or ahead != OUTSIDE:
        return True
    # Not into each other. If one is solid on the other side, they separate. If neither is, both are sheets here, even if
    # they are solid elsewhere.
    behind = _inside_past(geometry, slots, a, mover_shape, (u, v, w), axis, -1.0, touch)
    back = _inside_past(geometry, slots, b, obstacle_shape, (u, v, w), axis, 1.0, touch)
    if behind != OUTSIDE or back != OUTSIDE:
        return False
    wide = SIDE_UNKNOWN * slack
    if lead > wide:
        return True
    if lead < -wide:
        return False
    return not _faces_away(obstacle, 3, axis)


@step
def above(geometry, s, slots, k, up, height, touch):
    """True if all of shape s, placed by slot k, is above the plane, up to `touch`, and clearly reaches beyond it."""
    x, y, z = to_local_direction(slots, k, up)
    height -= up[0] * slots[k, 9] + up[1] * slots[k, 10] + up[2] * slots[k, 11]
    first = geometry.shape_ints[s, at.VERTEX]
    top = -np.inf
    for v in range(first, first + geometry.shape_ints[s, at.VERTICES]):
        h = x * geometry.vertices[v, 0] + y * geometry.vertices[v, 1] + z * geometry.vertices[v, 2]
        if h < height - touch:
            return False
        top = max(top, h)
    return top > height + LOOK_PAST[0] * touch


@inline
def _aside(p, slots, b, face, own, touch):
    """Return p moved a little into its own face if the plane of that face is tested (own), else p.

    On an edge, a wall may be too near.
    """
    if not own:
        return p
    u = (face[0] + face[3] + face[6]) / 3.0
    v = (face[1] + face[4] + face[7]) / 3.0
    w = (face[2] + face[5] + face[8]) / 3.0
    x, y, z = to_local(slots, b, u, v, w)
    x -= p[0]
    y -= p[1]
    z -= p[2]
    size = math.sqrt(x * x + y * y + z * z)
    if size == 0.0:
        return p
    far = min(0.5, LOOK_PAST[1] * touch / size)
    return p[0] + far * x, p[1] + far * y, p[2] + far * z


@inline
def _is_inside(geometry, s, p, up, touch):
    """True if the point a little above p is, or may be, inside the closed shape s."""
    far = LOOK_PAST[0] * touch
    verdict = inside(geometry, s, p[0] + far * up[0], p[1] + far * up[1], p[2] + far * up[2], touch)
    return verdict != OUTSIDE and verdict != ON


@step
def agrees(
    geometry, slots, a, mover_shape, mover, mine, up_m, b, obstacle_shape, obstacle, obstacle_rank, theirs, up, up_o, k, touch
):
    """Return whether the bodies around a contact agree: the mover is above the plane of axis k there, the obstacle below.

    mine, up_m: the contact and the plane's direction in the mover; theirs, up_o: in the obstacle; up: in the chart's frame.
    mover, obstacle: the faces in the frame, at the start. The plane of an obstacle's face excuses a mover that is on one side
    of it around the contact, and the plane of a mover's face such an obstacle. Any other plane must have each body on its
    side.
    """
    solid_m = geometry.shape_ints[mover_shape, at.SOLID] != 0
    solid_o = geometry.shape_ints[obstacle_shape, at.SOLID] != 0
    down_m = (-up_m[0], -up_m[1], -up_m[2])
    mover_above = not faces_at(geometry, mover_shape, mine, down_m, touch, RISING)
    obstacle_below = not faces_at(geometry, obstacle_shape, theirs, up_o, touch, RISING)
    if not mover_above:
        own = k == MOVER_NORMAL or faces_at(geometry, mover_shape, mine, up_m, touch, LEVEL)
        if not (obstacle_below and own):
            return False
    if not obstacle_below and k != OBSTACLE_NORMAL and not faces_at(geometry, obstacle_shape, theirs, up_o, touch, LEVEL):
        return False
    # By its faces the mover is above. It is not if the point above is inside the obstacle, or the one below inside the mover.
    if solid_o and _is_inside(
        geometry, obstacle_shape, _aside(theirs, slots, b, obstacle, k == OBSTACLE_NORMAL, touch), up_o, touch
    ):
        return False
    if solid_m and _is_inside(geometry, mover_shape, _aside(mine, slots, a, mover, k == MOVER_NORMAL, touch), down_m, touch):
        return False
    # A mover that is too thin to have sides rests only on the face of a sheet, and in front of it.
    if not solid_o and mover_above and not faces_at(geometry, mover_shape, mine, up_m, touch, RISING):
        return k == OBSTACLE_NORMAL and not _faces_away(obstacle, obstacle_rank, up)
    return solid_m or obstacle_rank == 3 or k == MOVER_NORMAL


@step
def slides(
    geometry, slots, a, mover_shape, mover, mover_rank, b, obstacle_shape, obstacle, obstacle_rank, entry, touch, travel
):
    """Return (excused, up, height): whether faces that an axis separates through the travel slide, and the plane on which.

    The faces around them must agree.
    """
    t = max(entry, 0.0)
    there = carry_face((), t, mover)
    _, p, q, _, _ = closest(there, mover_rank, obstacle, obstacle_rank)
    mine = to_local(slots, a, p[0], p[1], p[2] - t)
    theirs = to_local(slots, b, q[0], q[1], q[2])
    plane = plane_of(mover, obstacle)
    for k in range(AXES):
        if not excuses(k, mover, obstacle, touch):
            continue
        axis = axis_of(mover, obstacle, plane, k)
        above, below = rests(axis[0], axis[1], axis[2], mover, obstacle, touch, travel)
        for side in range(2):
            if not (above if side == 0 else below):
                continue
            up = axis if side == 0 else (-axis[0], -axis[1], -axis[2])
            size = math.sqrt(up[0] * up[0] + up[1] * up[1] + up[2] * up[2])
            up = (up[0] / size, up[1] / size, up[2] / size)
            up_m = to_local_direction(slots, a, up)
            up_o = to_local_direction(slots, b, up)
            if not agrees(
                geometry, slots, a, mover_shape, mover, mine, up_m, b, obstacle_shape, obstacle, obstacle_rank, theirs, up,
                up_o, k, touch,
            ):  # fmt: skip
                continue
            height = up[0] * q[0] + up[1] * q[1] + up[2] * q[2]
            return True, up, height
    return False, (0.0, 0.0, 0.0), 0.0
