"""A ray through the faces of one shape: groups of faces nearest first, eight at once (`base.groups`).

What a ray meets is tested in one order of groups, whichever other rays there are, so answers do not depend on them. Boxes are
widened by more than the test of a face rounds, in all coordinates: what that test meets is never skipped.

The walk is made for a `visit`, which tests the faces of a leaf.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from .. import layout as at
from .._jit import inline, step
from .._memory import local
from ..base.blocks import FAN, LEAF
from ..base.faces import rank_of
from ..base.hierarchy import lowest
from ..base.lanes import entry_lanes
from ..layout import MOST_LEVELS
from ..tolerances import GRAIN
from .thick import meet_thick
from .thin import meet_triangle, shear_of

INF = math.inf

Array = np.ndarray[Any, Any]
Triple = tuple[float, float, float]

_MOST_WAITING = FAN * (MOST_LEVELS + 1)
_LOG_LEAVES = 3  # BLOCK / LEAF leaves in a block

_keys = local(np.float64, _MOST_WAITING)
_places = local(np.int64, _MOST_WAITING, 2)
_entries = local(np.float64, FAN)


class Ray(NamedTuple):
    """A ray, or a ball that moves along it, in the frame of one shape."""

    origin: Triple
    direction: Triple
    """Unit."""
    radius: float
    """[length] Of the ball, and of the shape."""
    turned: Triple
    """The origin in the order of the axes."""
    axes: tuple[int, int, int]
    shear: Triple


class Found(NamedTuple):
    """The nearest face so far."""

    distance: float
    """[length] Farther faces do not count."""
    face: Any
    """In block order; -1: none."""
    weights: Triple
    """Of its corners; unknown if the ray has a radius."""


@inline
def inverse_of(d):
    """Return 1 / d for each coordinate."""
    return 1.0 / d[0], 1.0 / d[1], 1.0 / d[2]


@inline
def box_ray(origin, inverse, wide):
    """Return a ray as `entry_lanes` takes it, for boxes that are widened by `wide` on all sides."""
    a = math.copysign(wide, inverse[0])
    b = math.copysign(wide, inverse[1])
    c = math.copysign(wide, inverse[2])
    x, y, z = origin
    return x + a, y + b, z + c, x - a, y - b, z - c, inverse[0], inverse[1], inverse[2]


@inline
def box_rows(inverse, stride):
    """Return where the sides are at which a ray enters boxes, and those at which it leaves them, as `entry_lanes` takes it."""
    x = 3 * stride if inverse[0] < 0.0 else 0
    y = 3 * stride if inverse[1] < 0.0 else 0
    z = 3 * stride if inverse[2] < 0.0 else 0
    top = 3 * stride
    return x, stride + y, 2 * stride + z, top - x, top + stride - y, top + 2 * stride - z


@inline
def ray_of(origin, direction, radius):
    """Return a ray in the frame of a shape."""
    axes, shear = shear_of(direction)
    return Ray(origin, direction, radius, (origin[axes[0]], origin[axes[1]], origin[axes[2]]), axes, shear)


@inline
def _reach(reals, s):
    """Return the greatest coordinate of a shape, relative to its center."""
    far = 0.0
    for r in range(3):
        far = max(far, max(abs(reals[s, at.BOX_LOW + r]), abs(reals[s, at.BOX_HIGH + r])))
    return far


@inline
def meet_face(geometry, s, ray, first, row):
    """Return (whether a ray meets a face, how far away, the weights of its corners).

    first: of the vertices that its block lists. row: of its corners.
    """
    corners, listed, vertices = geometry.corners, geometry.block_vertices, geometry.vertices
    v0 = geometry.shape_ints[s, at.VERTEX]
    # Numba tests whether a signed index is negative.
    row = np.uint64(row)
    a = np.uint64(v0 + listed[np.uint64(first + corners[row, 0])])
    b = np.uint64(v0 + listed[np.uint64(first + corners[row, 1])])
    c = np.uint64(v0 + listed[np.uint64(first + corners[row, 2])])
    if ray.radius == 0.0:
        met, t, u, v, w = meet_triangle(vertices, a, b, c, ray.turned, ray.axes, ray.shear)
        return met and t >= 0.0, t, (u, v, w)
    face = (
        vertices[a, 0], vertices[a, 1], vertices[a, 2],
        vertices[b, 0], vertices[b, 1], vertices[b, 2],
        vertices[c, 0], vertices[c, 1], vertices[c, 2],
    )  # fmt: skip
    t = meet_thick(face, rank_of(corners, row), ray.origin, ray.direction, ray.radius)
    return t < INF, t, (0.0, 0.0, 0.0)


@inline
def _visit_first(geometry, s, ray, first, begin, end, found, log):
    """Return the nearest of what is found and of the faces in rows begin .. end. Of equals it is that with the least number."""
    best, face, weights = found
    f0 = geometry.shape_ints[s, at.FACE]
    ids = geometry.face_ids
    for row in range(begin, end):
        met, t, corners = meet_face(geometry, s, ray, first, row)
        if met and (t < best or (t == best and (face < 0 or ids[row] < ids[f0 + face]))):
            best, face, weights = t, row - f0, corners
    return Found(best, face, weights)


@inline
def _visit_all(geometry, s, ray, first, begin, end, found, log):
    """Append all faces in rows begin .. end that a ray meets to the log; found.face: how many there are, less 1."""
    count = found.face + 1
    f0 = geometry.shape_ints[s, at.FACE]
    for row in range(begin, end):
        met, t, weights = meet_face(geometry, s, ray, first, row)
        if met and t <= found.distance:
            if count < len(log):
                log[count, 0] = t
                log[count, 2] = row - f0
                for k in range(3):
                    log[count, 3 + k] = weights[k]
            count += 1
    return Found(found.distance, count - 1, found.weights)


def _walker(visit: Any) -> Any:
    """Return the walk of a ray through the faces of shape s."""

    @step
    def walk(geometry, groups, s, ray, found, log):
        ints, starts = geometry.shape_ints, geometry.starts
        if ints[s, at.FACES] == 0:
            return found
        n0, l0, s0 = ints[s, at.NODE], ints[s, at.LISTED], ints[s, at.START]
        f0 = ints[s, at.FACE]
        f1 = f0 + ints[s, at.FACES]
        far = max(abs(ray.origin[0]), max(abs(ray.origin[1]), abs(ray.origin[2])))
        wide = ray.radius + GRAIN * (far + _reach(geometry.shape_reals, s) + ray.radius)
        inverse = inverse_of(ray.direction)
        lanes, rows = box_ray(ray.origin, inverse, wide), box_rows(inverse, FAN)
        keys, places, entries = _keys(), _places(), _entries()
        keys[0] = 0.0
        places[0, 0] = ints[s, at.LEVELS] - 1
        places[0, 1] = 0
        n = 1
        while n > 0:
            n -= 1
            level, k = places[n, 0], places[n, 1]
            if keys[n] > found.distance:
                continue
            if level < 0:
                begin = f0 + LEAF * k
                first = l0 + starts[s0 + (k >> _LOG_LEAVES)]
                found = visit(geometry, s, ray, first, begin, min(f1, begin + LEAF), found, log)
                continue
            row = n0 + ints[s, at.OFFSET + level] + k
            mask = entry_lanes(groups, row * (6 * FAN), rows, lanes, found.distance, entries)
            base = n
            while mask:
                lane = lowest(mask)
                mask &= mask - np.uint64(1)
                key = entries[lane]
                i = n
                while i > base and keys[i - 1] < key:  # the nearest is opened first
                    keys[i] = keys[i - 1]
                    places[i, 0] = places[i - 1, 0]
                    places[i, 1] = places[i - 1, 1]
                    i -= 1
                keys[i] = key
                places[i, 0] = level - 1
                places[i, 1] = FAN * k + lane
                n += 1
        return found

    return walk


walk_to_first = _walker(_visit_first)
"""Return the nearest face of shape s that a ray meets, nearer than what is found."""

walk_to_all = _walker(_visit_all)
"""Append all faces of shape s that a ray meets to the log; return how many it has then, less 1, as a face."""
