"""Distances of hands from the target and from each other, by brute force. Shares no code with sweeps and pictures.

The depth of a link in a target comes from the ends of its middle line, and from its radius where that line crosses the surface.

Links are segments with a radius. They meet triangles with a radius (or points and segments, as triangles with equal corners).
The nearest points of a segment and a triangle are an end above the triangle's inside, or points on edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Robot

from ..reference.nearest import winding

_Array = NDArray[np.float64]
_TINY = np.finfo(float).tiny


@dataclass(frozen=True, slots=True, eq=False)
class LinkGap:
    """Distance of a body of a link from another body."""

    link: Body
    body: Body
    separation: float
    """Least distance of the surfaces [length]; below 0 they overlap by this much."""
    point: _Array
    """Nearest point on the surface of `body`, shape (3,), world."""
    normal: _Array
    """Unit vector from `body` towards the link, shape (3,), world."""


class Gaps:
    """Measures all links of hands against the target, against other hands, and against their own hand's other links."""

    def __init__(self, hands: Sequence[Robot], target: Sequence[Body]) -> None:
        self._links = [body for robot in hands for body in robot.bodies]
        self._target = list(target)
        rank = {body.id: k for k, body in enumerate(self._links)}
        own = [{rank[body.id] for body in link.bodies} for robot in hands for link in robot.links.values() for _ in link.bodies]
        passes = np.zeros((len(self._links), len(self._links)), bool)
        for k, others in enumerate(own):
            passes[k, list(others)] = True
        for robot in hands:
            for link in robot.links.values():
                if link.parent is not None:
                    for body in link.bodies:
                        passes[rank[body.id], [rank[each.id] for each in link.parent.bodies]] = True
        passes |= passes.T
        self._first, self._second = (~passes & np.triu(np.ones_like(passes), 1)).nonzero()
        self._radius = np.array([body.shape.radius for body in self._links])
        self._local = [body.vertices[[0, -1]] for body in self._links]
        self._faces = [body.shape.faces for body in self._target]
        self._part = np.concatenate([np.full(len(faces), k) for k, faces in enumerate(self._faces)])
        self._thick = np.array([body.shape.radius for body in self._target])
        self._hollow = [body.shape.solid is False or body.shape.radius > 0.0 for body in self._target]

    def near(self, reach: float) -> list[LinkGap]:
        """Return one gap for each pair of bodies nearer than `reach` [length], including overlaps."""
        ends = np.stack([p @ b.pose[:3, :3].T + b.pose[:3, 3] for b, p in zip(self._links, self._local, strict=True)])
        low, high = ends.min(axis=1) - self._radius[:, None], ends.max(axis=1) + self._radius[:, None]
        return self._between(ends, low, high, reach) + self._on_target(ends, low, high, reach)

    def _between(self, ends: _Array, low: _Array, high: _Array, reach: float) -> list[LinkGap]:
        """Measure links against links."""
        i, j = self._first, self._second
        met = ((low[i] <= high[j] + reach) & (low[j] <= high[i] + reach)).all(axis=1)
        i, j = i[met], j[met]
        if not len(i):
            return []
        here, there = nearest_segments(ends[i], ends[j])
        gaps = []
        size, normal = _unit(here - there)
        apart = size - self._radius[i] - self._radius[j]
        for k in np.flatnonzero(apart < reach):
            point = there[k] + self._radius[j[k]] * normal[k]
            gaps.append(LinkGap(self._links[i[k]], self._links[j[k]], float(apart[k]), point, normal[k]))
        return gaps

    def _on_target(self, ends: _Array, low: _Array, high: _Array, reach: float) -> list[LinkGap]:
        """Measure links against the target."""
        faces = np.concatenate(
            [b.vertices[f] @ b.pose[:3, :3].T + b.pose[:3, 3] for b, f in zip(self._target, self._faces, strict=True)]
        )
        thick = self._thick[self._part]
        face_low, face_high = faces.min(axis=1) - thick[:, None], faces.max(axis=1) + thick[:, None]
        met = (low[:, None] <= face_high + reach) & (high[:, None] >= face_low - reach)
        i, j = met.all(axis=2).nonzero()
        gaps = []
        if len(i):
            here, there = nearest_on_triangles(ends[i], faces[j])
            size, normal = _unit(here - there)
            apart = size - self._radius[i] - thick[j]
            order = np.lexsort((apart, self._part[j], i))
            i, j, apart, there, normal = i[order], j[order], apart[order], there[order], normal[order]
            first = np.ones(len(i), bool)
            first[1:] = (np.diff(i) != 0) | (np.diff(self._part[j]) != 0)
            for k in np.flatnonzero(first & (apart < reach)):
                body = self._target[self._part[j[k]]]
                gaps.append(LinkGap(self._links[i[k]], body, float(apart[k]), there[k] + thick[j[k]] * normal[k], normal[k]))
        deepest: dict[tuple[int, int], LinkGap] = {}
        for gap in (*gaps, *self._inside(ends, low, high, faces)):
            pair = gap.link.id, gap.body.id
            if pair not in deepest or gap.separation < deepest[pair].separation:
                deepest[pair] = gap
        return list(deepest.values())

    def _inside(self, ends: _Array, low: _Array, high: _Array, faces: _Array) -> list[LinkGap]:
        """Return the links whose middle line has an end inside a part, with the depth of that end."""
        gaps = []
        for n, body in enumerate(self._target):
            if self._hollow[n]:
                continue
            mine = faces[self._part == n]
            box = mine.min(axis=(0, 1)), mine.max(axis=(0, 1))
            for k in np.flatnonzero(((low <= box[1]) & (high >= box[0])).all(axis=1)):
                for end in ends[k]:
                    if ((end < box[0]) | (end > box[1])).any() or abs(winding(end[None], mine)[0]) < 0.5:
                        continue
                    point = np.repeat(end[None, None], 2, axis=1)
                    _, there = nearest_on_triangles(np.repeat(point, len(mine), axis=0), mine)
                    size, normal = _unit(there - end)
                    best = int(np.argmin(size))
                    gaps.append(LinkGap(self._links[k], body, -float(size[best] + self._radius[k]), there[best], normal[best]))
        return gaps


def nearest_segments(a: _Array, b: _Array) -> tuple[_Array, _Array]:
    """Return the nearest points, shape (n, 3) each, of segments a and b, shape (n, 2, 3)."""
    p, q = a[:, 0], b[:, 0]
    d, e, r = a[:, 1] - p, b[:, 1] - q, p - q
    dd, ee, de, dr, er = _dot(d, d), _dot(e, e), _dot(d, e), _dot(d, r), _dot(e, r)
    square = dd * ee - de * de
    skew = square > 1e-14 * dd * ee
    s = np.where(skew, np.clip((de * er - dr * ee) / np.where(skew, square, 1.0), 0.0, 1.0), 0.0)
    t = np.where(ee > 0.0, np.clip((de * s + er) / np.where(ee > 0.0, ee, 1.0), 0.0, 1.0), 0.0)
    s = np.where(dd > 0.0, np.clip((de * t - dr) / np.where(dd > 0.0, dd, 1.0), 0.0, 1.0), 0.0)
    return p + s[:, None] * d, q + t[:, None] * e


def nearest_on_triangles(segments: _Array, faces: _Array) -> tuple[_Array, _Array]:
    """Return the nearest points, shape (n, 3) each, of segments (n, 2, 3) and triangles (n, 3, 3); equal where they cross."""
    best_here, best_there = nearest_segments(segments, faces[:, :2])
    best = _dot(best_here - best_there, best_here - best_there)

    def take(here: _Array, there: _Array, square: _Array) -> None:
        nonlocal best
        better = square < best
        best_here[better], best_there[better] = here[better], there[better]
        best = np.where(better, square, best)

    for edge in ((1, 2), (2, 0)):
        here, there = nearest_segments(segments, faces[:, edge])
        take(here, there, _dot(here - there, here - there))
    a = faces[:, 0]
    u, v = faces[:, 1] - a, faces[:, 2] - a
    n = np.cross(u, v)
    n_sq = _dot(n, n)
    flat = n_sq > 0.0
    safe = np.where(flat, n_sq, 1.0)
    heights = [_dot(segments[:, k] - a, n) / safe for k in (0, 1)]
    differ = (heights[0] > 0.0) != (heights[1] > 0.0)
    step = heights[0] - heights[1]
    share = np.where(differ, heights[0] / np.where(differ, step, 1.0), 0.0)
    through = segments[:, 0] + share[:, None] * (segments[:, 1] - segments[:, 0])
    for place, counts in ((segments[:, 0], flat), (segments[:, 1], flat), (through, flat & differ)):
        r = place - a
        s, t = _dot(np.cross(r, v), n) / safe, _dot(np.cross(u, r), n) / safe
        over = counts & (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0)
        foot = a + s[:, None] * u + t[:, None] * v
        take(place, foot, np.where(over, _dot(place - foot, place - foot), np.inf))
    return best_here, best_there


def _dot(a: _Array, b: _Array) -> _Array:
    return np.einsum("...k,...k->...", a, b)


def _unit(v: _Array) -> tuple[_Array, _Array]:
    """Return lengths and directions of rows."""
    size = np.sqrt(_dot(v, v))
    return size, v / np.maximum(size, _TINY)[:, None]
