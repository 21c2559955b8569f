"""Bodies that all move at constant speed: where they are at a time, and how fast their points move.

A motion is a turn about an axis at a constant rate, a drift at constant velocity, or both: rotations, screws, translations and
rest are one row of numbers. The axis is given by the lever from it to the body's own origin, so a far axis costs no digits.
Places are relative to the first body of a pair at time 0. Time is in frames.
"""

import math

from .._jit import inline
from ..base.closest import cross, minus
from ..charts.orbit import turned

# motions
AXIS = 0  # 3 columns, unit
LEVER = 3  # 3 columns: from the axis to the body's origin at time 0, square to the axis
RATE = 6  # [radians / frame], not negative
DRIFT = 7  # 3 columns [length / frame]
TURN = 10  # 9 columns, rows of the rotation at time 0
PLACE = 19  # 3 columns: of the body's origin at time 0, world
REST = 22  # 3 columns: rounding error of the place
THICK = 25  # radius
SIZE = 26  # diagonal of its box at time 0, radius included
FAR = 27  # greatest distance of its points from the axis; 0 if it does not turn
FAN = 28  # 16 columns: see `reach`
SLACK = 44  # rounding of its fan's coordinates
LOW = 45  # 3 columns: box of the whole sweep, world
HIGH = 48
MOTION_REALS = 51

# ints
BODY = 0
SHAPE = 1
MOTION_INTS = 2


@inline
def triple(array, k, c):
    """Return three columns of a row."""
    return array[k, c], array[k, c + 1], array[k, c + 2]


@inline
def along(a, t, d):
    """Return a + t d."""
    return a[0] + t * d[0], a[1] + t * d[1], a[2] + t * d[2]


@inline
def length(a):
    """Return the length of a triple."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@inline
def turned_by(axis, s, r, v):
    """Return v turned about the axis, (s, r) = turned(angle)."""
    one = cross(axis, v)
    two = cross(axis, one)
    return v[0] + s * one[0] + r * two[0], v[1] + s * one[1] + r * two[1], v[2] + s * one[2] + r * two[2]


@inline
def motion_of(motions, k):
    """Return the motion of body k: (axis, rate, drift)."""
    return triple(motions, k, AXIS), motions[k, RATE], triple(motions, k, DRIFT)


@inline
def stand_at(motions, k, origin, t):
    """Return the pose of body k at time t: its three axes, its place relative to row `origin`, its lever."""
    x = (motions[k, TURN], motions[k, TURN + 3], motions[k, TURN + 6])
    y = (motions[k, TURN + 1], motions[k, TURN + 4], motions[k, TURN + 7])
    z = (motions[k, TURN + 2], motions[k, TURN + 5], motions[k, TURN + 8])
    # Positions are subtracted first, so that no digits are lost.
    p = minus(triple(motions, k, PLACE), triple(motions, origin, PLACE))
    p = along(p, 1.0, minus(triple(motions, k, REST), triple(motions, origin, REST)))
    lever = triple(motions, k, LEVER)
    rate = motions[k, RATE]
    p = along(p, t, triple(motions, k, DRIFT))
    if rate == 0.0 or t == 0.0:
        return x, y, z, p, lever
    axis = triple(motions, k, AXIS)
    s, r = turned(rate * t)
    one = cross(axis, lever)
    two = cross(axis, one)
    moved = (s * one[0] + r * two[0], s * one[1] + r * two[1], s * one[2] + r * two[2])
    return (
        turned_by(axis, s, r, x),
        turned_by(axis, s, r, y),
        turned_by(axis, s, r, z),
        along(p, 1.0, moved),
        along(lever, 1.0, moved),
    )


@inline
def to_world(stand, x, y, z):
    """Return the place of a point of the body."""
    a, b, c, p, _ = stand
    return (
        p[0] + a[0] * x + b[0] * y + c[0] * z,
        p[1] + a[1] * x + b[1] * y + c[1] * z,
        p[2] + a[2] * x + b[2] * y + c[2] * z,
    )


@inline
def direction_rate(motion, v):
    """Return the rate of change of a direction that turns with the body."""
    axis, rate, _ = motion
    c = cross(axis, v)
    return rate * c[0], rate * c[1], rate * c[2]


@inline
def speed_at(motion, stand, x):
    """Return the velocity of a point at x that moves with the body."""
    v = direction_rate(motion, along(minus(x, stand[3]), 1.0, stand[4]))
    return along(v, 1.0, motion[2])


@inline
def radius_at(motion, stand, x):
    """Return the distance of x from the body's axis."""
    return length(cross(motion[0], along(minus(x, stand[3]), 1.0, stand[4])))


@inline
def beside(axis, n):
    """Return the length of n's part across the axis."""
    return length(cross(axis, n))


@inline
def unit(a):
    """Return a with length 1; zeros if it has no length."""
    size = length(a)
    if size == 0.0:
        return 0.0, 0.0, 0.0
    return a[0] / size, a[1] / size, a[2] / size
