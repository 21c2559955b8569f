"""Faces that touch at the start: what their bodies, being solid, make of it.

Two faces in one plane separate whichever way they leave it, yet one way their bodies move apart and the other way into each
other. Which, only the bodies know: a point of the touching region, a little further on, is inside or it is not.
"""

from . import layout as at
from ._jit import inline, step
from .closest import corner
from .inside import INSIDE, OUTSIDE, inside

_STEPS = (16.0, 256.0)  # how far to look past the plane, in units of the tolerance


@inline
def _to_local(slots, k, u, v, w):
    """Carry a chart point into the body of slot k; the placement's matrix is a rotation."""
    u -= slots[k, 9]
    v -= slots[k, 10]
    w -= slots[k, 11]
    x = slots[k, 0] * u + slots[k, 3] * v + slots[k, 6] * w
    y = slots[k, 1] * u + slots[k, 4] * v + slots[k, 7] * w
    z = slots[k, 2] * u + slots[k, 5] * v + slots[k, 8] * w
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
    """Return (found, u, v, w): a point amid what two faces in one plane across `axis` share."""
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
def presses(geometry, slots, a, mover_shape, b, obstacle_shape, mover, obstacle, axis, lead, slack, touch):
    """Say whether faces in one plane across `axis`, which points against the motion, move into each other's bodies.

    Where neither body is closed, the side on which the mover is decides; where even that is lost in rounding, the obstacle's face
    does: its front is where things are expected to be.
    """
    solid_m = geometry.shape_ints[mover_shape, at.SOLID] != 0
    solid_o = geometry.shape_ints[obstacle_shape, at.SOLID] != 0
    if solid_m or solid_o:
        found, u, v, w = common_point(mover, obstacle, axis)
        if not found:
            return False
        sure = True
        for steps in _STEPS:
            far = steps * touch
            sure = True
            if solid_o:
                x, y, z = _to_local(slots, b, u - far * axis[0], v - far * axis[1], w - far * axis[2])
                verdict = inside(geometry, obstacle_shape, x, y, z, touch)
                if verdict == INSIDE:
                    return True
                sure = verdict == OUTSIDE
            if solid_m:
                x, y, z = _to_local(slots, a, u + far * axis[0], v + far * axis[1], w + far * axis[2])
                verdict = inside(geometry, mover_shape, x, y, z, touch)
                if verdict == INSIDE:
                    return True
                sure = sure and verdict == OUTSIDE
            if sure:
                return False
        return True
    wide = 3.0 * slack
    if lead > wide:
        return True
    if lead < -wide:
        return False
    p = corner(obstacle, 0)
    q = corner(obstacle, 1)
    r = corner(obstacle, 2)
    e = (q[0] - p[0], q[1] - p[1], q[2] - p[2])
    f = (r[0] - p[0], r[1] - p[1], r[2] - p[2])
    n = (e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0])
    return n[0] * axis[0] + n[1] * axis[1] + n[2] * axis[2] >= 0.0
