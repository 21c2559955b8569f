"""A few contacts instead of many places: patches of places with similar normals, and at most four contacts of each.

The nearest place that is left begins a patch: all places with a similar normal belong to it. Forces along one normal depend
only on where they act across it, so four places that are far apart stand for all between them. The first is the nearest, the
second the farthest from it, the third the farthest from their line, the fourth widens the triangle most. Places in a line
leave two, and places in one spot leave one.

Of places that are equal in this, to CONTACT_EQUAL, the deeper one is taken, then the one that is foremost along a fixed
direction. So the choice depends neither on the order of faces nor on rounding, unless both are equal. Source: reduction of
manifolds as in Bullet and Jolt.
"""

import math

from .. import layout as at
from .._jit import inline, step
from ..base.closest import cross, dot
from ..base.faces import vertex_of
from ..tolerances import CONTACT_EQUAL, CONTACT_PATCH, CONTACT_WIDENS
from .places import FIRST, GAP, NORMAL, OTHER, OWN, SECOND, STATE

INF = math.inf

_FREE = 0.0  # states of a place
_MINE = 1.0  # in the patch that is made
_USED = 2.0

_AIM = (0.5376, 0.3087, 0.7846)  # no body is likely to be square to it


@inline
def _normal(found, k):
    return found[k, NORMAL], found[k, NORMAL + 1], found[k, NORMAL + 2]


@inline
def _spot(found, k):
    """Return twice the middle of the points of a place."""
    a, b = FIRST, SECOND
    return found[k, a] + found[k, b], found[k, a + 1] + found[k, b + 1], found[k, a + 2] + found[k, b + 2]


@inline
def _from_spot(found, k, i):
    """Return the vector from the middle of place k to that of place i."""
    a, b = _spot(found, k), _spot(found, i)
    return 0.5 * (b[0] - a[0]), 0.5 * (b[1] - a[1]), 0.5 * (b[2] - a[2])


@inline
def _foremost(found, i, best, merge):
    """True if place i is before another one along the fixed direction; in one spot, if its normal is."""
    a = dot(_from_spot(found, best, i), _AIM)
    if abs(a) > merge:
        return a > 0.0
    return dot(_normal(found, i), _AIM) > dot(_normal(found, best), _AIM)


@inline
def _better(found, i, value, best, best_value, touch, merge):
    """True if place i, which widens a patch by `value`, is better than the best so far."""
    equal = CONTACT_EQUAL * max(abs(value), abs(best_value))
    if abs(value - best_value) > equal:
        return value > best_value
    if abs(found[i, GAP] - found[best, GAP]) > touch:
        return found[i, GAP] < found[best, GAP]
    return _foremost(found, i, best, merge)


@inline
def _nearest_free(found, count, touch, merge):
    """Return the nearest place that is in no patch; -1 if there is none."""
    least = INF
    for i in range(count):
        if found[i, STATE] == _FREE:
            least = min(least, found[i, GAP])
    best = -1
    for i in range(count):
        if found[i, STATE] == _FREE and found[i, GAP] <= least + touch and (best < 0 or _foremost(found, i, best, merge)):
            best = i
    return best


@inline
def _widening(found, normal, chosen, number, i):
    """Return by how much place i widens a patch of some chosen places [length]; it is negative inside of them."""
    x = _from_spot(found, chosen[0], i)
    if number == 1:
        up = dot(x, normal)
        return math.sqrt(max(0.0, dot(x, x) - up * up))
    side = _from_spot(found, chosen[0], chosen[1])
    length = math.sqrt(dot(side, side))
    across = cross(normal, side)
    if number == 2:
        return abs(dot(x, across)) / length
    # The side of the triangle beyond which it is, and how far.
    turn = 1.0 if dot(_from_spot(found, chosen[0], chosen[2]), across) > 0.0 else -1.0
    most = -INF
    for k in range(3):
        a, b = chosen[k], chosen[(k + 1) % 3]
        side = _from_spot(found, a, b)
        far = -turn * dot(_from_spot(found, a, i), cross(normal, side)) / length
        most = max(most, far)
    return most


@inline
def _choose(found, count, seed, touch, merge):
    """Return (places, how many) of the patch that begins with `seed`; its places are marked."""
    normal = _normal(found, seed)
    chosen = (seed, seed, seed, seed)
    number = 1
    least = merge
    for _ in range(at.PATCH_CONTACTS - 1):
        best = -1
        best_value = 0.0
        for i in range(count):
            if found[i, STATE] == _MINE:
                value = _widening(found, normal, chosen, number, i)
                if best < 0 or _better(found, i, value, best, best_value, touch, merge):
                    best, best_value = i, value
        if best < 0 or best_value <= least:
            break
        if number == 1:
            chosen = (seed, best, seed, seed)
            least = max(merge, CONTACT_WIDENS * best_value)
        elif number == 2:
            chosen = (chosen[0], chosen[1], best, seed)
        else:
            chosen = (chosen[0], chosen[1], chosen[2], best)
        number += 1
    return chosen, number


@inline
def _write(geometry, shapes, found, k, patch, answer):
    """Write a place as a contact: its points on the rounded faces, relative to the first body."""
    a, b = geometry.shape_reals[shapes[0], at.RADIUS], geometry.shape_reals[shapes[1], at.RADIUS]
    answer[at.CONTACT_PATCH] = patch
    answer[at.CONTACT_GAP] = found[k, GAP] - (a + b)
    for c in range(3):
        answer[at.CONTACT_POINT + c] = found[k, FIRST + c] - a * found[k, NORMAL + c]
        answer[at.CONTACT_OTHER_POINT + c] = found[k, SECOND + c] + b * found[k, NORMAL + c]
        answer[at.CONTACT_NORMAL + c] = found[k, NORMAL + c]
    for side in range(2):
        s, column = shapes[side], at.CONTACT_FEATURES + 5 * side
        i = int(found[k, OTHER if side else OWN])
        answer[column] = geometry.face_ids[geometry.shape_ints[s, at.FACE] + i]
        answer[column + 1] = found[k, (OTHER if side else OWN) + 1]
        for c in range(3):
            answer[column + 2 + c] = vertex_of(geometry, s, i, c)


@step
def reduce(geometry, shapes, found, count, touch, merge, answers):
    """Write the contacts that stand for some places. Return how many there are.

    merge [length]: places that are nearer than this are one.
    """
    for i in range(count):
        found[i, STATE] = _FREE
    contacts = 0
    for patch in range(at.MOST_PATCHES):
        seed = _nearest_free(found, count, touch, merge)
        if seed < 0:
            break
        normal = _normal(found, seed)
        for i in range(count):
            if found[i, STATE] == _FREE and dot(_normal(found, i), normal) >= CONTACT_PATCH:
                found[i, STATE] = _MINE
        chosen, number = _choose(found, count, seed, touch, merge)
        for k in range(number):
            _write(geometry, shapes, found, chosen[k], patch, answers[contacts])
            contacts += 1
        for i in range(count):
            if found[i, STATE] == _MINE:
                found[i, STATE] = _USED
    return contacts
