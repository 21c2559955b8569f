"""Signed distance of two convex parts: positive is a gap, negative is the depth of the overlap, measured as true depth.

The true depth is the length of the shortest translation that ends the overlap. For two convex polytopes it is the least overlap
of their shadows over the facet normals of the Minkowski difference: normals of faces of either, and cross products of an edge
of one with an edge of the other. The shadow on any other axis overlaps at least as far, so extra axes change nothing.

Parts may be flat (a sheet), segments or points, and may have a radius (balls, capsules). For a radius the distance of the cores
is needed, so axes from vertex to vertex and from vertex to edge are added.

Error: about 1e-15 of the coordinates. Cross products of nearly parallel edges are made perpendicular to one edge again, so
they keep the depth accurate down to an angle of 1e-13 between the edges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

_PARALLEL = 1e-13
"""Sine of the angle of two edges below which they span no facet."""
_SAME = 1e-9
"""Unit vectors that differ by less are one direction. Shapes of the cases have no faces that differ so little."""


@dataclass(frozen=True, slots=True)
class ConvexPart:
    """A convex polytope, of any dimension, thickened by a radius."""

    vertices: Floats
    """Shape (n, 3) [length], in the frame of the body."""
    normals: Floats
    """Unit normals of its faces, each direction once, without sign: shape (f, 3)."""
    edges: Whole
    """Vertices of its edges, shape (e, 2)."""
    directions: Floats
    """Unit directions of its edges, each once, without sign: shape (d, 3)."""
    radius: float = 0.0


def part_of_mesh(vertices: Floats, faces: Whole) -> ConvexPart:
    """Return the convex solid within a closed mesh, or the flat polygon that triangles of one plane fill."""
    corners = vertices[faces]
    normals = _units(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    sides: dict[tuple[int, int], list[int]] = {}
    for k, face in enumerate(faces.tolist()):
        for i in range(3):
            a, b = face[i], face[(i + 1) % 3]
            sides.setdefault((min(a, b), max(a, b)), []).append(k)
    sharp = [
        side
        for side, on in sides.items()
        if len(on) == 1
        or np.linalg.norm(np.cross(normals[on[0]], normals[on[1]])) > _SAME
        or normals[on[0]] @ normals[on[1]] < 0.0
    ]
    used, numbers = np.unique(np.array(sharp), return_inverse=True)
    return _part(vertices[used], normals, numbers.reshape(-1, 2))


def round_part(core: Floats, radius: float) -> ConvexPart:
    """Return a ball, whose core is a point (1, 3), or a capsule, whose core are the ends of a segment (2, 3)."""
    edges = np.array([(0, 1)]) if len(core) == 2 else np.zeros((0, 2), np.int64)
    return _part(core, np.zeros((0, 3)), edges, radius)


def _part(vertices: Floats, normals: Floats, edges: Whole, radius: float = 0.0) -> ConvexPart:
    along = _units(vertices[edges[:, 1]] - vertices[edges[:, 0]])
    return ConvexPart(vertices, _different(normals), edges, _different(along), radius)


@dataclass(frozen=True, slots=True)
class Axes:
    """All axes on which a mover may be separated from an obstacle, in the frame of the obstacle."""

    axes: Floats
    """Unit vectors from the obstacle towards the mover, shape (a, 3)."""
    gaps: Floats
    """Gap of the shadows on each [length]; negative: overlap. Shape (a,)."""


def separating_axes(mover: ConvexPart, obstacle: ConvexPart, pose: Floats) -> Axes:
    """Return all candidate axes, in both signs, of parts without a radius. pose (4, 4): from the mover to the obstacle."""
    axes, below, above, fine = _shadows(mover, obstacle, pose[None])
    keep = fine[0]
    return Axes(np.concatenate((axes[0][keep], -axes[0][keep])), np.concatenate((above[0][keep], below[0][keep])))


def signed_distances(mover: ConvexPart, obstacle: ConvexPart, poses: Floats) -> tuple[Floats, Floats]:
    """Return signed distances (k,) [length] of the mover at poses (k, 4, 4), and unit axes (k, 3) from obstacle to mover.

    Poses are from the frame of the mover to that of the obstacle, and so are the axes. A negative distance is minus the depth,
    and its axis is the shortest way out. A positive one is the distance if a part has a radius, otherwise a lower bound.
    """
    axes, below, above, fine = _shadows(mover, obstacle, poses)
    gaps = np.where(fine, np.maximum(below, above), -np.inf)
    best = gaps.argmax(axis=1)
    rows = np.arange(len(poses))
    sign = np.where(above[rows, best] >= below[rows, best], 1.0, -1.0)
    return gaps[rows, best] - mover.radius - obstacle.radius, sign[:, None] * axes[rows, best]


def _shadows(mover: ConvexPart, obstacle: ConvexPart, poses: Floats) -> tuple[Floats, Floats, Floats, NDArray[np.bool_]]:
    """Return axes (k, a, 3), gaps with the mover below and above the obstacle (k, a), and which axes are proper (k, a)."""
    count, turns = len(poses), poses[:, :3, :3].transpose(0, 2, 1)
    # Subtract a vertex first: parts that are near each other lose no digits.
    origin = obstacle.vertices[0]
    own, other = mover.vertices @ turns + (poses[:, None, :3, 3] - origin), obstacle.vertices - origin
    first, second = mover.directions @ turns, obstacle.directions
    crossed, skew = _crossed(first, second)
    fixed = np.broadcast_to(obstacle.normals, (count, *obstacle.normals.shape))
    found = [mover.normals @ turns, fixed, crossed]
    if mover.radius + obstacle.radius > 0.0:
        found += _between(mover, obstacle, own, other)
    axes = np.concatenate(found, axis=1)
    fine = np.ones(axes.shape[:2], bool)
    begin = found[0].shape[1] + fixed.shape[1]
    fine[:, begin : begin + crossed.shape[1]] = skew
    fine &= (axes * axes).sum(axis=2) > 0.5
    across = axes.transpose(0, 2, 1)
    mine, theirs = own @ across, other @ across
    return axes, theirs.min(axis=1) - mine.max(axis=1), mine.min(axis=1) - theirs.max(axis=1), fine


def _crossed(first: Floats, second: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Return unit cross products (k, a * b, 3) of directions (k, a, 3) and (b, 3), and which are not of parallel ones."""
    a = np.broadcast_to(first[:, :, None], (*first.shape[:2], len(second), 3)).reshape(len(first), -1, 3)
    b = np.broadcast_to(second, (*first.shape[:2], len(second), 3)).reshape(len(first), -1, 3)
    normal = np.cross(a, b)
    size = np.linalg.norm(normal, axis=2, keepdims=True)
    skew = size[..., 0] > _PARALLEL
    normal = normal / np.where(size > _PARALLEL, size, 1.0)
    # What rounding leaves along the edges would be multiplied by their length.
    for _ in range(2):
        normal = normal - a * (a * normal).sum(axis=2, keepdims=True)
        normal /= np.maximum(np.linalg.norm(normal, axis=2, keepdims=True), 0.5)
    return normal, skew


def _between(mover: ConvexPart, obstacle: ConvexPart, own: Floats, other: Floats) -> list[Floats]:
    """Return unit axes from vertices to vertices and, square to the edges, from vertices to edges; 0 where there is none."""
    count = len(own)
    arms = own[:, :, None] - other[None, None]
    found = [arms.reshape(count, -1, 3)]
    if len(obstacle.edges):
        begin, along = other[obstacle.edges[:, 0]], _units(other[obstacle.edges[:, 1]] - other[obstacle.edges[:, 0]])
        arm = own[:, :, None] - begin
        found.append((arm - along * (arm * along).sum(axis=3, keepdims=True)).reshape(count, -1, 3))
    if len(mover.edges):
        begin, along = own[:, mover.edges[:, 0]], _units(own[:, mover.edges[:, 1]] - own[:, mover.edges[:, 0]])
        arm = begin[:, :, None] - other
        found.append((arm - along[:, :, None] * (arm * along[:, :, None]).sum(axis=3, keepdims=True)).reshape(count, -1, 3))
    return [_units(each) for each in found]


def _units(vectors: Floats) -> Floats:
    size = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.where(size > 0.0, vectors / np.where(size > 0.0, size, 1.0), 0.0)


def _different(units: Floats) -> Floats:
    """Return each direction once, whatever its sign."""
    kept: list[Floats] = []
    for each in units:
        if not any(min(np.abs(each - other).max(), np.abs(each + other).max()) < _SAME for other in kept):
            kept.append(each)
    return np.array(kept).reshape(-1, 3)
