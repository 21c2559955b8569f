"""How far two convex bodies are apart, over many pairs at once: a plane that parts them, or a point that they share.

Bodies are asked for their farthest points only. The point of their difference that is nearest to the origin is sought (Gilbert,
Johnson and Keerthi 1988), every subset of a simplex being tried. How it is found proves nothing; what is returned does: a
distance that no pair of points can be below, by the plane square to a direction, and a point of the first that is near.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]
Bools = NDArray[np.bool_]
Places = NDArray[np.intp]
Farthest = Callable[[Array, Places], tuple[Array, Array]]
"""Given directions (3, k) and which pairs: the first's points least far along them, the second's farthest, (3, k) each."""

_ROUNDS = 80
_PAIRS = ((0, 1), (0, 2), (1, 2))


@dataclass(frozen=True, slots=True)
class Parted:
    """What is known of n pairs."""

    low: Array
    """Proven: they are at least this far apart [length], (n,); -inf where nothing is."""
    distance: Array
    """How far apart the two points found are, (n,), but for rounding."""
    point: Array
    """The first body's point, (3, n); none where the distance is inf: they were proven apart before one was looked for."""
    depth: Array
    """Proven: one must be moved by this much at least to part them, (n,); 0 where it is not known to be more."""


def dot(a: Array, b: Array) -> Array:
    """Return dot products over the first axis."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Array, b: Array) -> Array:
    """Return cross products over the first axis."""
    return np.stack((a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]))


def part(farthest: Farthest, start: Array, reach: Array, tolerance: Array, scale: Array) -> Parted:
    """Return bounds of the distance of n pairs; start: directions (3, n) from the second to the first, any.

    Work on a pair ends when it is proven to be farther apart than reach + tolerance, or found nearer than reach - tolerance.
    """
    with np.errstate(all="ignore"):  # what is nearly flat may overflow; it is then not taken
        return _part(farthest, start, reach, tolerance, scale)


def _part(farthest: Farthest, start: Array, reach: Array, tolerance: Array, scale: Array) -> Parted:
    kind, count = start.dtype, start.shape[1]
    noise = 16.0 * np.finfo(kind).eps * scale
    low = np.full(count, -np.inf, kind)
    distance = np.full(count, np.inf, kind)
    point = np.zeros((3, count), kind)
    depth = np.zeros(count, kind)
    at = np.arange(count)
    v = np.where(dot(start, start) > 0.0, start, np.array((1.0, 0.0, 0.0), kind)[:, None])
    corners = np.zeros((3, 3, count), kind)  # of the simplex: which, coordinate, pair
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
        best, weights, within = _nearest(w, corners, used)
        square = dot(best, best)
        better = ~done & (np.sqrt(square) < distance[at])
        put = at[better]
        distance[put] = np.sqrt(square[better])
        everyone = np.concatenate((first[None], firsts))
        point[:, put] = np.sum(weights[:, None] * everyone, axis=0)[:, better]
        inside = better & within
        if inside.any():
            depth[at[inside]] = _depth(w[:, inside], corners[:, :, inside])
        # Of four points one has no weight, or the origin is within.
        stay = better & ~within & (square > 0.0)
        if not stay.any():
            break
        at, weights, v = at[stay], weights[:, stay], best[:, stay]
        order = np.argsort(-weights, axis=0, kind="stable")[:3]
        corners = np.take_along_axis(np.concatenate((w[None], corners))[:, :, stay], order[:, None], axis=0)
        firsts = np.take_along_axis(everyone[:, :, stay], order[:, None], axis=0)
        used = np.take_along_axis(weights, order, axis=0) > 0.0
    return Parted(low, distance, point, depth)


def _nearest(w: Array, corners: Array, used: Bools) -> tuple[Array, Array, Bools]:
    """Return the points (3, k) nearest to the origin of hulls of w and the used corners, weights (4, k), if it is within."""
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
        # The foot of the plane lies along its normal, which keeps its digits where the sides are nearly parallel.
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
    """Take over places that are nearer."""
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
    """Return how far the origin is from the faces of tetrahedra that hold it, (k,)."""
    everyone = np.concatenate((w[None], corners))
    depth = np.full(w.shape[1], np.inf, w.dtype)
    for i in range(4):
        a, b, c = (everyone[j] for j in range(4) if j != i)
        normal = cross(b - a, c - a)
        long = np.sqrt(dot(normal, normal))
        height = np.abs(dot(normal, a)) / np.maximum(long, np.finfo(w.dtype).tiny)
        depth = np.minimum(depth, np.where(long > 0.0, height, 0.0))
    return depth
