"""Surfaces that are a function of x and y, and how deep convex bodies are in them.

Two bounds of the true depth of a body in such a surface, with the solid below it:

* at most the vertical one: how far the body must be lifted. It is found at the body's corners, at the surface's corners below
  its faces, and where edges cross, seen from above;
* at least the depth in any one of the prisms between a triangle and the bottom, because these are convex; at least the
  distance from a corner of the body that is below the surface to the surface; at least the distance of a corner of the surface
  that is inside the body to the planes of its faces.

They agree on level ground. On slopes the vertical bound is larger; then the body is moved out along the way that the lower
bound gives, and if it is out after that, the lower bound is the depth. In what remains the depth is unclear.

An open surface has no solid below it. The bounds hold for it too where the body is wider than a few depths, is above the
surface for the most part, and does not reach the border. Cases are made such that this is so, or left out.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from .convex_depth import ConvexPart, Floats, Whole, part_of_mesh, signed_distances

_SLACK = 1e-12
_PRISM_FACES = np.array(((0, 1, 2), (3, 5, 4), (0, 3, 4), (0, 4, 1), (1, 4, 5), (1, 5, 2), (2, 5, 3), (2, 3, 0)))


@dataclass(frozen=True, slots=True)
class HeightField:
    """Triangles over a rectangle of x and y, each corner at its height."""

    vertices: Floats
    """Shape (n, 3) [length]."""
    faces: Whole
    """Shape (m, 3), counterclockwise seen from above."""
    bottom: float
    """z of the bottom, well below."""
    steepest: float
    """Greatest slope: height over distance."""
    _parts: dict[tuple[int, bool], ConvexPart] = dataclasses.field(default_factory=dict)

    def sheet(self, k: int) -> ConvexPart:
        """Return triangle k."""
        return self._part(k, False)

    def prism(self, k: int) -> ConvexPart:
        """Return the prism between triangle k and the bottom."""
        return self._part(k, True)

    def _part(self, k: int, deep: bool) -> ConvexPart:
        if (k, deep) not in self._parts:
            corners, faces = self.vertices[self.faces[k]], np.array(((0, 1, 2),))
            if deep:
                corners = np.concatenate((corners, corners * (1.0, 1.0, 0.0) + (0.0, 0.0, self.bottom)))
                faces = _PRISM_FACES
            self._parts[k, deep] = part_of_mesh(corners, faces)
        return self._parts[k, deep]

    @property
    def triangles(self) -> Floats:
        """Return corners, shape (m, 3, 3)."""
        return self.vertices[self.faces]

    def near(self, low: Floats, high: Floats, above: float) -> Whole:
        """Return the triangles that meet a box, seen from above, and are at most `above` below it."""
        corners = self.triangles
        first, last = corners.min(axis=1), corners.max(axis=1)
        meets = (first[:, :2] <= high[:2]).all(axis=1) & (last[:, :2] >= low[:2]).all(axis=1)
        return np.nonzero(meets & (last[:, 2] >= low[2] - above))[0]

    def is_over(self, low: Floats, high: Floats) -> bool:
        """Return whether a box is within the border, seen from above."""
        first, last = self.vertices.min(axis=0), self.vertices.max(axis=0)
        return bool((first[:2] < low[:2]).all() and (high[:2] < last[:2]).all())

    def closed(self) -> tuple[Floats, Whole]:
        """Return vertices and faces of the solid between the surface and the bottom."""
        count = len(self.vertices)
        below = self.vertices * (1.0, 1.0, 0.0) + (0.0, 0.0, self.bottom)
        sides = {(a, b) for face in self.faces.tolist() for a, b in zip(face, face[1:] + face[:1], strict=True)}
        walls = [
            face for a, b in sorted(sides) if (b, a) not in sides for face in ((b, a, a + count), (b, a + count, b + count))
        ]
        return np.concatenate((self.vertices, below)), np.concatenate(
            (self.faces, self.faces[:, ::-1] + count, np.array(walls))
        )


def height_field(x: Floats, y: Floats, heights: Floats, rng: np.random.Generator) -> HeightField:
    """Return the field with heights (len(x), len(y)) on a grid; each of its cells has a random diagonal."""
    vertices = np.array([(a, b, heights[i, j]) for i, a in enumerate(x) for j, b in enumerate(y)])
    faces = []
    for i in range(len(x) - 1):
        for j in range(len(y) - 1):
            a, b, c, d = i * len(y) + j, (i + 1) * len(y) + j, (i + 1) * len(y) + j + 1, i * len(y) + j + 1
            faces += [(a, b, c), (a, c, d)] if rng.random() < 0.5 else [(a, b, d), (b, c, d)]
    corners = np.array(faces)
    bottom = float(np.floor(heights.min()) - 1.0)
    triangles = vertices[corners]
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    steepest = float((np.hypot(normals[:, 0], normals[:, 1]) / normals[:, 2]).max())
    return HeightField(vertices, corners, bottom, steepest)


def clearance(field: HeightField, vertices: Floats, faces: Whole, edges: Whole) -> tuple[float, Floats]:
    """Return how far a mesh is above the field: the least over all x and y, negative if it is below; inf if it is beside it.

    vertices (n, 3): in the frame of the field. Second result: the unit normal (3,), upwards, of the plane that touches there.
    """
    near = field.near(vertices.min(axis=0), vertices.max(axis=0), np.inf)
    triangles = field.triangles[near]
    if not len(near):
        return np.inf, np.array((0.0, 0.0, 1.0))
    used = np.unique(field.faces[near])
    sides = np.unique(np.sort(field.faces[near][:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    found = [
        _above(vertices, triangles, 1.0),
        _above(field.vertices[used], vertices[faces], -1.0),
        _crossing(vertices[edges], field.vertices[sides]),
    ]
    best = min(found, key=lambda each: each[0])
    normal = best[1] if best[1][2] >= 0.0 else -best[1]
    return best[0], normal / np.linalg.norm(normal)


def _above(points: Floats, triangles: Floats, sign: float) -> tuple[float, Floats]:
    """Return the least of `sign` times the height of points above triangles, seen from above, and the triangle's normal."""
    a, u, v = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    area = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    flat = np.abs(area) > _SLACK
    a, u, v, area = a[flat], u[flat], v[flat], area[flat]
    arm = points[:, None] - a
    s = (arm[..., 0] * v[:, 1] - arm[..., 1] * v[:, 0]) / area
    t = (u[:, 0] * arm[..., 1] - u[:, 1] * arm[..., 0]) / area
    heights = sign * (arm[..., 2] - s * u[:, 2] - t * v[:, 2])
    return _least(np.where((s >= -_SLACK) & (t >= -_SLACK) & (s + t <= 1.0 + _SLACK), heights, np.inf), np.cross(u, v))


def _crossing(edges: Floats, others: Floats) -> tuple[float, Floats]:
    """Return the least height of edges (n, 2, 3) above others (m, 2, 3) where they cross, seen from above, and the normal."""
    a, u = edges[:, None, 0], edges[:, None, 1] - edges[:, None, 0]
    b, v = others[None, :, 0], others[None, :, 1] - others[None, :, 0]
    area, arm = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0], b - a
    with np.errstate(all="ignore"):
        s = (arm[..., 0] * v[..., 1] - arm[..., 1] * v[..., 0]) / area
        t = (arm[..., 0] * u[..., 1] - arm[..., 1] * u[..., 0]) / area
        cross = (np.abs(area) > _SLACK) & (np.abs(s - 0.5) <= 0.5 + _SLACK) & (np.abs(t - 0.5) <= 0.5 + _SLACK)
        heights = np.where(cross, s * u[..., 2] - t * v[..., 2] - arm[..., 2], np.inf)
    return _least(heights, np.cross(u, v).reshape(-1, 3))


def _least(heights: Floats, normals: Floats) -> tuple[float, Floats]:
    if not heights.size:
        return np.inf, np.array((0.0, 0.0, 1.0))
    place = int(heights.argmin())
    return float(heights.flat[place]), normals[place % len(normals)]


def least_depth(field: HeightField, parts: tuple[ConvexPart, ...], pose: Floats) -> tuple[float, Floats]:
    """Return the lower bound of the depth of convex parts at a pose (4, 4), and the way out (3,) that belongs to it."""
    best, axis = 0.0, np.array((0.0, 0.0, 1.0))
    for part in parts:
        places = part.vertices @ pose[:3, :3].T + pose[:3, 3]
        low, high = places.min(axis=0), places.max(axis=0)
        found = [_sunk_corners(field, places, low, high), _pierced(field, part, places, pose, low, high)]
        for k in field.near(low, high, 0.0):
            distance, way = signed_distances(part, field.prism(int(k)), pose[None])
            found.append((-float(distance[0]), way[0]))
        depth, way = max(found, key=lambda each: each[0])
        if depth > best:
            best, axis = depth, way
    return best, axis


def _sunk_corners(field: HeightField, places: Floats, low: Floats, high: Floats) -> tuple[float, Floats]:
    """Return the greatest distance to the surface of corners (n, 3) below it, and the unit vector to it."""
    best, way = 0.0, np.array((0.0, 0.0, 1.0))
    triangles = field.triangles[field.near(low - 1.0, high + 1.0, np.inf)]
    for place in places:
        if place[2] > field.bottom and _above(place[None], triangles, 1.0)[0] < 0.0:
            arms = _nearest(place, triangles) - place
            sizes = np.linalg.norm(arms, axis=1)
            k = int(sizes.argmin())
            if sizes[k] > best:
                best, way = float(sizes[k]), arms[k] / sizes[k]
    return best, way


def _nearest(point: Floats, triangles: Floats) -> Floats:
    """Return the points (m, 3) of triangles (m, 3, 3) nearest to a point (3,)."""
    a, u, v = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    normal = np.cross(u, v)
    area = (normal * normal).sum(axis=1)
    arm = point - a
    s = (np.cross(arm, v) * normal).sum(axis=1) / area
    t = (np.cross(u, arm) * normal).sum(axis=1) / area
    foot = point - normal * ((arm * normal).sum(axis=1) / area)[:, None]
    best = np.where(((s >= 0.0) & (t >= 0.0) & (s + t <= 1.0))[:, None], foot, np.inf)
    least = np.where(np.isfinite(best[:, 0]), ((foot - point) ** 2).sum(axis=1), np.inf)
    for i in range(3):
        begin, along = triangles[:, i], triangles[:, (i + 1) % 3] - triangles[:, i]
        share = np.clip(((point - begin) * along).sum(axis=1) / (along * along).sum(axis=1), 0.0, 1.0)
        place = begin + share[:, None] * along
        square = ((place - point) ** 2).sum(axis=1)
        nearer = square < least
        best[nearer], least[nearer] = place[nearer], square[nearer]
    return best


def _pierced(
    field: HeightField, part: ConvexPart, places: Floats, pose: Floats, low: Floats, high: Floats
) -> tuple[float, Floats]:
    """Return how deep a corner of the surface is inside a convex part, at most, and the way out."""
    corners = field.vertices[((field.vertices >= low) & (field.vertices <= high)).all(axis=1)]
    axes = part.normals @ pose[:3, :3].T
    if not len(corners):
        return 0.0, np.array((0.0, 0.0, 1.0))
    origin = places[0]
    own, theirs = (places - origin) @ axes.T, (corners - origin) @ axes.T
    inside = np.concatenate((theirs - own.min(axis=0), own.max(axis=0) - theirs), axis=1)
    depths = inside.min(axis=1)
    k = int(depths.argmax())
    side = int(inside[k].argmin())
    # Near the lowest plane of the part, the part must move up.
    return max(float(depths[k]), 0.0), axes[side] if side < len(axes) else -axes[side - len(axes)]
