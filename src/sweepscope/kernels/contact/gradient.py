"""How the time of a contact changes with the poses of both bodies and with the motion.

At the contact the gap g of the two bodies is 0. A change dp of a parameter changes the gap by (dg/dp) dp, and the time t by
what restores it: dt/dp = -(dg/dp) / (dg/dt), the implicit function theorem. The gap changes only by the velocity of the two
nearest points along the normal n (Danskin 1966), so features need not be differentiated: if a point x of the mover moves by v,
dg = n . v; if a point of the obstacle does, dg = -n . v. All points on the line along n through the contact give the same.

Poses change by a twist in world axes: a translation, and a rotation about the body's own origin, multiplied from the left. A
motion T(t) carries the mover, so a change of its start is first carried back: the normal is then m = R(t)^T n. A turn by phi
about a unit axis a changes with it by the rotation sin(phi) da + (1 - cos(phi)) a x da, for da perpendicular to a.

Degenerate: a grazing motion (dg/dt is 0); contact at the start; and features that do not have one normal, or more than one
place. What is flat at the contact decides about them: the dimension of what the faces around the place have in the plane across
the normal, 0 a point, 1 an edge, 2 a face. Without a radius, one body must have a point and the other a face around it, or both
an edge, not parallel. With a radius, the nearest points must be single: no direction is flat on both bodies.

Error: rounding of normal and point, a few units of EPS times the coordinates relative to the distances that matter, divided by
the sine of the angle between the motion and the surface. Contacts at other places at the same time are not looked for.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import inline, kernel, step
from .._memory import local
from ..base.bodies import touch_of
from ..base.closest import corner, cross, dot, minus
from ..base.faces import local_face
from ..base.geometry import geometry_at
from ..base.inside import faces_near
from ..tolerances import AROUND_CONTACT, GAP_AROUND, LEAST_ANGLE

# What the first column of an answer says: SMOOTH, or why there is no gradient.
SMOOTH = 0
OVERLAPPING = 1
AT_START = 2
GRAZING = 3
CORNER = 4
PARALLEL = 5

_FACES = 256  # around a place; more are not looked at

_some_faces = local(np.int64, _FACES)
_three_directions = local(np.float64, 3, 3)


@inline
def _three(row, column):
    return row[column], row[column + 1], row[column + 2]


@inline
def _scaled(t, a):
    return t * a[0], t * a[1], t * a[2]


@inline
def _plus(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inline
def _size(a):
    return math.sqrt(dot(a, a))


@inline
def _unturned(row, column, d):
    """Return a direction of the world in the frame of the pose (3, 4) in some columns."""
    c = column
    return (
        row[c] * d[0] + row[c + 4] * d[1] + row[c + 8] * d[2],
        row[c + 1] * d[0] + row[c + 5] * d[1] + row[c + 9] * d[2],
        row[c + 2] * d[0] + row[c + 6] * d[1] + row[c + 10] * d[2],
    )


@inline
def _turned(row, column, d):
    """Return a direction of that frame in the world."""
    c = column
    return (
        row[c] * d[0] + row[c + 1] * d[1] + row[c + 2] * d[2],
        row[c + 4] * d[0] + row[c + 5] * d[1] + row[c + 6] * d[2],
        row[c + 8] * d[0] + row[c + 9] * d[1] + row[c + 10] * d[2],
    )


@inline
def _turned_by(turn, d):
    """Return a turned direction. turn: unit axis 3, sine of the angle, 1 - cosine."""
    axis, sine, rest = turn
    c = cross(axis, d)
    return _plus(d, _plus(_scaled(sine, c), _scaled(rest, cross(axis, c))))


@inline
def _place_of(row, column):
    """Return the origin of a pose."""
    return row[column + 3], row[column + 7], row[column + 11]


@step
def _angle(directions, count, spread):
    """Return the angle that a flat face takes up around a point on it. directions: of its corners that are not there."""
    if count < 2:
        return 0.0
    largest = 0.0
    for i in range(count):
        for j in range(i):
            a, b = _three(directions[i], 0), _three(directions[j], 0)
            largest = max(largest, math.atan2(_size(cross(a, b)), dot(a, b)))
    if count == 2:
        return largest
    return math.pi if largest >= math.pi - 2.0 * spread else 2.0 * math.pi


@step
def _flat_around(geometry, s, p, n, wide):
    """Return what shape s has in the plane across n through the local point p, of its faces within `wide` of p.

    (dimension or -1 if there are no faces, direction of an edge 3, angle around p that is taken up by flat faces).
    """
    faces = _some_faces()
    directions = _three_directions()
    count = faces_near(geometry, s, p, wide, faces)
    dimension = 0 if count > 0 else -1
    along = (0.0, 0.0, 0.0)
    around = 0.0
    for i in range(count):
        face = local_face(geometry, s, faces[i])
        known = 0
        spread = 0.0
        flat = True
        for k in range(3):
            d = minus(corner(face, k), p)
            size = _size(d)
            if size <= wide:
                continue
            d = _scaled(1.0 / size, d)
            if abs(dot(n, d)) > LEAST_ANGLE:
                flat = False
                continue
            if dimension == 0:
                dimension = 1
                along = d
            elif dimension == 1 and _size(cross(d, along)) > LEAST_ANGLE:
                dimension = 2
            directions[known, 0], directions[known, 1], directions[known, 2] = d
            spread += wide / size
            known += 1
        if flat:
            around += _angle(directions, known, spread)
    return dimension, along, around


@step
def _judge(geometry, contact, tolerance, turn, normal, back, lever):
    """Return SMOOTH if the two bodies touch at one place with one normal; else CORNER or PARALLEL.

    turn: up to the contact. normal: there; back: the same, carried back to the start. lever: the contact point there, from the
    mover's origin.
    """
    reals = geometry.shape_reals
    a, b = int(contact[at.HIT_CONTACT_SHAPES]), int(contact[at.HIT_CONTACT_SHAPES + 1])
    x = _three(contact, at.HIT_CONTACT_POINT)
    own = 0.0
    for r in range(3):
        side = reals[a, at.BOX_HIGH + r] - reals[a, at.BOX_LOW + r] + 2.0 * reals[a, at.RADIUS]
        own += side * side
    size = math.sqrt(own)
    touch = touch_of(tolerance, size, size + max(abs(x[0]), max(abs(x[1]), abs(x[2]))))  # more than the rounding of places
    wide = AROUND_CONTACT * touch
    # The nearest points of both, in their own frames. That of the mover is as high above the contact as its feature.
    v = int(contact[at.HIT_CONTACT_VERTEX])
    place = _three(contact, at.HIT_CONTACT_PLACE)
    center = _three(reals[a], at.CENTER)
    if v >= 0:
        place = _plus(_three(geometry.vertices[geometry.shape_ints[a, at.VERTEX] + v], 0), center)
    height = dot(back, minus(_turned(contact, at.HIT_CONTACT_START, place), lever))
    radius = reals[b, at.RADIUS]
    p = minus(_unturned(contact, at.HIT_CONTACT_START, _plus(lever, _scaled(height, back))), center)
    q = minus(minus(x, _scaled(radius, normal)), _place_of(contact, at.HIT_CONTACT_OTHER))
    q = minus(_unturned(contact, at.HIT_CONTACT_OTHER, q), _three(reals[b], at.CENTER))
    n = _unturned(contact, at.HIT_CONTACT_OTHER, normal)
    one, e, around_one = _flat_around(geometry, a, p, _unturned(contact, at.HIT_CONTACT_START, back), wide)
    two, f, around_two = _flat_around(geometry, b, q, n, wide)
    if one < 0 or two < 0:
        return PARALLEL
    e = _turned_by(turn, _turned(contact, at.HIT_CONTACT_START, e))
    f = _turned(contact, at.HIT_CONTACT_OTHER, f)
    crossed = one == 1 and two == 1 and _size(cross(e, f)) > LEAST_ANGLE
    if height + radius > 2.0 * touch:
        return SMOOTH if one == 0 or two == 0 or crossed else PARALLEL
    if one + two < 2:
        return CORNER
    whole = 2.0 * math.pi - GAP_AROUND
    if (one == 0 and around_two < whole) or (two == 0 and around_one < whole):
        return CORNER
    return SMOOTH if one == 0 or two == 0 or crossed else PARALLEL


@inline
def _write(out, column, factor, d):
    out[column], out[column + 1], out[column + 2] = _scaled(factor, d)


@step
def _differentiate(geometry, contact, tolerance, out):
    """Write the gradient of one contact; columns that the motion does not have stay as they are."""
    n = _three(contact, at.HIT_CONTACT_NORMAL)
    x = _three(contact, at.HIT_CONTACT_POINT)
    time = contact[at.HIT_CONTACT_TIME]
    sign = contact[at.HIT_CONTACT_TURN]
    out[at.GRADIENT_STATUS] = OVERLAPPING if contact[at.HIT_CONTACT_OVERLAP] != 0.0 else AT_START
    if contact[at.HIT_CONTACT_OVERLAP] != 0.0 or time == 0.0 or math.isnan(n[0]):
        return
    vector = _three(contact, at.HIT_CONTACT_MOTION)
    axis = _scaled(sign, vector)
    start = _place_of(contact, at.HIT_CONTACT_START)
    angle = 0.0
    slide = 0.0
    arm = (0.0, 0.0, 0.0)  # from the axis to the contact point, without the slide
    lever = (0.0, 0.0, 0.0)  # from the mover's origin to the contact point, both at the start
    if sign == 0.0:
        velocity = vector
        lever = minus(minus(x, start), _scaled(time, vector))
        turn = (arm, 0.0, 0.0)
    else:
        angle = sign * contact[at.HIT_CONTACT_MOTION + 9]
        slide = sign * contact[at.HIT_CONTACT_MOTION + 10]
        about = _three(contact, at.HIT_CONTACT_MOTION + 6)
        offset = _three(contact, at.HIT_CONTACT_MOTION + 3)
        arm = minus(_plus(minus(x, about), offset), _scaled(time * slide, axis))
        velocity = _plus(_scaled(angle, cross(axis, arm)), _scaled(slide, axis))
        half = math.sin(0.5 * time * angle)
        turn = (axis, math.sin(time * angle), 2.0 * half * half)
        lever = _plus(_turned_by((axis, -turn[1], turn[2]), arm), minus(minus(about, start), offset))
    back = _turned_by((turn[0], -turn[1], turn[2]), n)
    rate = dot(n, velocity)
    if not -rate > LEAST_ANGLE * _size(velocity):
        out[at.GRADIENT_STATUS] = GRAZING
        return
    status = _judge(geometry, contact, tolerance, turn, n, back, lever)
    out[at.GRADIENT_STATUS] = status
    if status != SMOOTH:
        return
    per = -1.0 / rate
    _write(out, at.GRADIENT_MOVER, per, back)
    _write(out, at.GRADIENT_MOVER + 3, per, cross(lever, back))
    _write(out, at.GRADIENT_OBSTACLE, -per, n)
    _write(out, at.GRADIENT_OBSTACLE + 3, -per, cross(minus(x, _place_of(contact, at.HIT_CONTACT_OTHER)), n))
    if sign == 0.0:
        _write(out, at.GRADIENT_VECTOR, per * time, n)
        return
    u = cross(arm, n)
    along = _plus(_plus(_scaled(turn[1], u), _scaled(turn[2], cross(u, axis))), _scaled(time * slide, n))
    _write(out, at.GRADIENT_AXIS, per, minus(along, _scaled(dot(along, axis), axis)))
    out[at.GRADIENT_ANGLE] = per * time * dot(n, cross(axis, arm))
    out[at.GRADIENT_SLIDE] = per * time * dot(n, axis)
    c = cross(axis, n)
    _write(out, at.GRADIENT_ABOUT, per, minus(_scaled(turn[1], c), _scaled(turn[2], cross(axis, c))))


@kernel
def gradients(table, contacts, tolerance, out):
    """Write the gradient of each contact, NaN for what it does not have. table: of all shapes, see `base.geometry`."""
    geometry = geometry_at(table)
    for row in range(len(contacts)):
        for c in range(at.GRADIENT):
            out[row, c] = np.nan
        _differentiate(geometry, contacts[row], tolerance, out[row])
