"""Bodies that move at constant speed, all at once: where they are at a time, and how fast their points go.

A body's way is a turn about an axis at a constant rate, a drift at constant velocity, or both: rotations, screws, translations
and rest are one row of numbers. The axis is known by the lever from it to the body's own origin: a far one costs no digits.
Places are measured from the first body of a pair, where it is at time 0. Time is counted in frames.
"""

import math

from ._jit import inline
from .closest import cross, minus
from .orbit import turned

# rows, reals
AXIS = 0  # 3 columns, unit
LEVER = 3  # 3 columns: from the axis to the body's origin at time 0, square to the axis
RATE = 6  # [radians / frame], not negative
DRIFT = 7  # 3 columns [length / frame]
TURN = 10  # 9 columns, rows of the rotation at time 0
PLACE = 19  # 3 columns: of the body's origin at time 0, world
REST = 22  # 3 columns: what the place lost in rounding
THICK = 25  # radius
SIZE = 26  # diagonal of its box at time 0, radius included
FAR = 27  # greatest distance of its points from the axis; 0 if it does not turn
FAN = 28  # 16 columns: see `fans`
SLACK = 44  # rounding of its fan's coordinates
LOW = 45  # 3 columns: box of the whole sweep, world
HIGH = 48
SPIN_REALS = 51

# rows, whole numbers
BODY = 0
SHAPE = 1
SPIN_INTS = 2


@inline
def triple(rows, k, c):
    """Return three columns of a row."""
    return rows[k, c], rows[k, c + 1], rows[k, c + 2]


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
def way_of(spins, k):
    """Return how a body moves: (axis, rate, drift)."""
    return triple(spins, k, AXIS), spins[k, RATE], triple(spins, k, DRIFT)


@inline
def stand_at(spins, k, origin, t):
    """Return how body k stands at time t: its three axes, its place as seen from row `origin`, its lever."""
    x = (spins[k, TURN], spins[k, TURN + 3], spins[k, TURN + 6])
    y = (spins[k, TURN + 1], spins[k, TURN + 4], spins[k, TURN + 7])
    z = (spins[k, TURN + 2], spins[k, TURN + 5], spins[k, TURN + 8])
    # Positions are subtracted before anything can swamp them.
    p = minus(triple(spins, k, PLACE), triple(spins, origin, PLACE))
    p = along(p, 1.0, minus(triple(spins, k, REST), triple(spins, origin, REST)))
    lever = triple(spins, k, LEVER)
    rate = spins[k, RATE]
    p = along(p, t, triple(spins, k, DRIFT))
    if rate == 0.0 or t == 0.0:
        return x, y, z, p, lever
    axis = triple(spins, k, AXIS)
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
    """Return where a point of the body is."""
    a, b, c, p, _ = stand
    return (
        p[0] + a[0] * x + b[0] * y + c[0] * z,
        p[1] + a[1] * x + b[1] * y + c[1] * z,
        p[2] + a[2] * x + b[2] * y + c[2] * z,
    )


@inline
def spun(way, v):
    """Return how fast a direction that turns with the body changes."""
    axis, rate, _ = way
    c = cross(axis, v)
    return rate * c[0], rate * c[1], rate * c[2]


@inline
def speed_at(way, stand, x):
    """Return the velocity of what moves with the body and is at x."""
    v = spun(way, along(minus(x, stand[3]), 1.0, stand[4]))
    return along(v, 1.0, way[2])


@inline
def radius_at(way, stand, x):
    """Return how far x is from the body's axis."""
    return length(cross(way[0], along(minus(x, stand[3]), 1.0, stand[4])))


@inline
def beside(axis, n):
    """Return the length of n's part across the axis."""
    return length(cross(axis, n))


@inline
def unit(a):
    """Return a at length 1; zeros if it has none."""
    size = length(a)
    if size == 0.0:
        return 0.0, 0.0, 0.0
    return a[0] / size, a[1] / size, a[2] / size
