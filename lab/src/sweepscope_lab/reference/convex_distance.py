"""Distance of two convex bodies, for many pairs at once: a plane that separates them, or a point that they share.

The search needs the bodies' farthest points only. It looks for the point of their difference nearest to the origin (Gilbert,
Johnson and Keerthi 1988) and tries every subset of a simplex. The search itself proves nothing; its result does: a lower bound
of the distance, from the plane square to a direction, and a point of the first body that is near the second.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .vectors import Array, cross, dot

Bools = NDArray[np.bool_]
Places = NDArray[np.intp]
Farthest = Callable[[Array, Places], tuple[Array, Array]]
"""Takes directions (3, k) and pairs. Returns the first body's least far points along them, the second's farthest, (3, k)."""

_ROUNDS = 80
_PAIRS = ((0, 1), (0, 2), (1, 2))


@dataclass(frozen=True, slots=True)
class PairBounds:
    """What is known about n pairs."""

    low: Array
    """Proven lower bound of the distance [length], (n,); -inf if nothing is proven."""
    distance: Array
    """Distance of the two points found, (n,), except for rounding."""
    point: Array
    """The first body's point, (3, n); not set where the distance is inf: the pair was proven apart before a point was found."""
    depth: Array
    """Proven: the two are separated by a shift of at least this much, (n,); 0 if nothing more is known."""


def bound_distances(farthest: Farthest, start: Array, reach: Array, tolerance: Array, scale: Array) -> PairBounds:
    """Return bounds of the distance of n pairs; start: any directions (3, n) from the second body to the first.

    Work on a pair ends when its distance is proven above reach + tolerance, or found below reach - tolerance.
    """
    with np.errstate(all="ignore"):  # nearly flat simplices may overflow; they are then rejected
        return _bound_distances(farthest, start, reach, tolerance, scale)


def _bound_distances(farthest: Farthest, start: Array, reach: Array, tolerance: Array, scale: Array) -> PairBounds:
    kind, count = start.dtype, start.shape[1]
    noise = 16.0 * np.finfo(kind).eps * scale
    low = np.full(count, -np.inf, kind)
    distance = np.full(count, np.inf, kind)
    point = np.zeros((3, count), kind)
    depth = np.zeros(count, kind)
    at = np.arange(count)
    v = np.where(dot(start, start) > 0.0, start, np.array((1.0, 0.0, 0.0), kind)[:, None])
    corners = np.zeros((3, 3, count), kind)  # simplex corner, coordinate, pair
    firsts = np.zeros((3, 3, count), kind)
    used = np.zeros((3, count), bool)
    for _ in range(_ROUNDS):
        if not len(at):
            break
        first, second = farthest(v, at)
        w = first - second
        long = np.sqrt(dot(v, v))
        bound = dot(v, w) / long
        low[at] = np.maximum(low[at], bound)
        done = low[at] > reach[at] + tolerance[at]
        done |= distance[at] - low[at] <= np.maximum(0.01 * tolerance[at], noise[at])
        done |= distance[at] <= np.maximum(reach[at] - tolerance[at], noise[at])
        best, weights, holds_origin = _nearest(w, corners, used)
        square = dot(best, best)
        better = ~done & (np.sqrt(square) < distance[at])
        put = at[better]
        distance[put] = np.sqrt(square[better])
        everyone = np.concatenate((first[None], firsts))
        point[:, put] = np.sum(weights[:, None] * everyone, axis=0)[:, better]
        inside = better & holds_origin
        if inside.any():
            depth[at[inside]] = _depth(w[:, inside], corners[:, :, inside])
        # Of four points one has no weight, or the origin is inside.
        stay = better & ~holds_origin & (square > 0.0)
        if not stay.any():
            break
        at, weights, v = at[stay], weights[:, stay], best[:, stay]
        order = np.argsort(-weights, axis=0, kind="stable")[:3]
        corners = np.take_along_axis(np.concatenate((w[None], corners))[:, :, stay], order[:, None], axis=0)
        firsts = np.take_along_axis(everyone[:, :, stay], order[:, None], axis=0)
        used = np.take_along_axis(weights, order, axis=0) > 0.0
    return PairBounds(low, distance, point, depth)


def _nearest(w: Array, corners: Array, used: Bools) -> tuple[Array, Array, Bools]:
    """Return points (3, k) of the hulls of w and used corners nearest to the origin, weights (4, k), whether it is inside."""
    kind, tiny = w.dtype, np.finfo(w.dtype).tiny
    edges = np.where(used[:, None], corners - w, 0.0)
    k = w.shape[1]
    weights = np.zeros((4, k), kind)
    weights[0] = 1.0
    best = w.copy()
    least = dot(w, w)
    for i in range(3):
        t = np.clip(-dot(w, edges[i]) / np.maximum(dot(edges[i], edges[i]), tiny), 0.0, 1.0)
        _keep(w + t * edges[i], ((i, t),), used[i], best, least, weights)
    for i, j in _PAIRS:
        normal = cross(edges[i], edges[j])
        area = dot(normal, normal)
        fine = used[i] & used[j] & (area > 0.0)
        area = np.maximum(area, tiny)
        # The plane's nearest point lies along its normal. This keeps its digits where the sides are nearly parallel.
        foot = normal * (dot(normal, w) / area)
        across = foot - w
        s = dot(cross(across, edges[j]), normal) / area
        t = dot(cross(edges[i], across), normal) / area
        fine &= (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0)
        _keep(foot, ((i, s), (j, t)), fine, best, least, weights)
    sides = [cross(edges[1], edges[2]), cross(edges[2], edges[0]), cross(edges[0], edges[1])]
    volume = dot(edges[0], sides[0])
    fine = used.all(axis=0) & (volume != 0.0)
    volume = np.where(volume == 0.0, 1.0, volume)
    x = [-dot(w, side) / volume for side in sides]
    fine &= (x[0] >= 0.0) & (x[1] >= 0.0) & (x[2] >= 0.0) & (x[0] + x[1] + x[2] <= 1.0)
    place = w + x[0] * edges[0] + x[1] * edges[1] + x[2] * edges[2]
    before = least.copy()
    _keep(place, tuple(enumerate(x)), fine, best, least, weights)
    return best, weights, fine & (least < before)


def _keep(place: Array, parts: tuple[tuple[int, Array], ...], fine: Bools, best: Array, least: Array, weights: Array) -> None:
    """Replace the best points where these are nearer."""
    square = dot(place, place)
    take = fine & (square < least)
    if not take.any():
        return
    least[take] = square[take]
    best[:, take] = place[:, take]
    weights[:, take] = 0.0
    rest = np.ones_like(square[take])
    for i, part_of in parts:
        weights[i + 1, take] = part_of[take]
        rest = rest - part_of[take]
    weights[0, take] = np.maximum(rest, 0.0)


def _depth(w: Array, corners: Array) -> Array:
    """Return the distance of the origin from the faces of tetrahedra that contain it, (k,)."""
    everyone = np.concatenate((w[None], corners))
    depth = np.full(w.shape[1], np.inf, w.dtype)
    for i in range(4):
        a, b, c = (everyone[j] for j in range(4) if j != i)
        normal = cross(b - a, c - a)
        long = np.sqrt(dot(normal, normal))
        height = np.abs(dot(normal, a)) / np.maximum(long, np.finfo(w.dtype).tiny)
        depth = np.minimum(depth, np.where(long > 0.0, height, 0.0))
    return depth
