"""Random solids with whole-number corners: each as convex pieces, and as one closed mesh of its outer surface."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .pieces import SurfacePiece, box_piece, convex_piece, hull

Cell = tuple[int, int, int]
_SIDES = [(axis, side) for axis in range(3) for side in (0, 1)]


@dataclass(frozen=True, slots=True)
class Solid:
    """A union of convex pieces. vertices (n, 3) and faces (m, 3): its outer surface, face normals outwards."""

    pieces: list[SurfacePiece]
    vertices: NDArray[np.int64]
    faces: NDArray[np.int64]

    def shifted(self, offset: ArrayLike) -> Solid:
        """Return the solid moved by whole numbers."""
        return Solid([piece.shifted(offset) for piece in self.pieces], self.vertices + np.asarray(offset), self.faces)

    def mapped(self, matrix: NDArray[np.int64]) -> Solid:
        """Return the image under a whole matrix (3, 3) that is not singular."""
        faces = self.faces if np.linalg.det(matrix) > 0.0 else self.faces[:, ::-1]
        return Solid([piece.mapped(matrix) for piece in self.pieces], self.vertices @ matrix.T, faces)


def hull_solid(points: ArrayLike) -> Solid:
    """Return the hull of points as a solid of one piece."""
    corners, facets = hull(points)
    faces = []
    for normal, on in facets:
        first = (corners[on] - corners[on].mean(axis=0))[0]
        second = np.cross(normal, first)
        arms = corners[on] - corners[on].mean(axis=0)
        ring = [on[k] for k in np.argsort(np.arctan2(arms @ second / np.linalg.norm(normal), arms @ first))]
        faces += [(ring[0], ring[k], ring[k + 1]) for k in range(1, len(ring) - 1)]
    return Solid([convex_piece(points)], corners, np.array(faces))


def boxes_solid(boxes: Sequence[tuple[ArrayLike, ArrayLike]], fine: bool, rng: np.random.Generator) -> Solid:
    """Return the union of boxes (low, high) that do not overlap. fine: cut faces at all whole numbers, else at the boxes."""
    ends = np.array(boxes, np.int64)
    cuts = [np.arange(low, high + 1) if fine else np.unique(ends[:, :, k]) for k, (low, high) in enumerate(_span(ends))]
    cells = set()
    for low, high in ends:
        begin, end = ([int(np.searchsorted(cuts[k], x[k])) for k in range(3)] for x in (low, high))
        cells |= set(product(*(range(begin[k], end[k]) for k in range(3))))
    vertices, faces = _surface(cells, rng)
    places = np.stack([cuts[k][vertices[:, k]] for k in range(3)], axis=1)
    return Solid([box_piece(low, high) for low, high in ends], places, faces)


def _span(ends: NDArray[np.int64]) -> list[tuple[int, int]]:
    return [(int(ends[:, 0, k].min()), int(ends[:, 1, k].max())) for k in range(3)]


def _surface(cells: set[Cell], rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return corners (n, 3) and faces (m, 3) of the squares between a cell and none; each square has a random diagonal."""
    numbers: dict[Cell, int] = {}
    faces = []
    for cell in sorted(cells):
        for axis, side in _SIDES:
            beside = tuple(x + (2 * side - 1) * (k == axis) for k, x in enumerate(cell))
            if beside in cells:
                continue
            ring = []
            for v, w in ((0, 0), (1, 0), (1, 1), (0, 1)) if side else ((0, 0), (0, 1), (1, 1), (1, 0)):
                step = [0, 0, 0]
                step[axis], step[(axis + 1) % 3], step[(axis + 2) % 3] = side, v, w
                corner = (cell[0] + step[0], cell[1] + step[1], cell[2] + step[2])
                ring.append(numbers.setdefault(corner, len(numbers)))
            a, b, c, d = ring[1:] + ring[:1] if rng.random() < 0.5 else ring
            faces += [(a, b, c), (a, c, d)]
    return np.array(list(numbers)), np.array(faces)


def prism(polygon: NDArray[np.int64], side: ArrayLike) -> Solid:
    """Return the prism over a simple polygon (n, 2), counterclockwise at z = 0, pushed by `side`, whose z is positive."""
    low = np.column_stack((polygon, np.zeros(len(polygon), np.int64)))
    count, triangles = len(low), _ears(polygon)
    vertices = np.concatenate((low, low + np.asarray(side)))
    faces = [(c, b, a) for a, b, c in triangles] + [(a + count, b + count, c + count) for a, b, c in triangles]
    for i in range(count):
        j = (i + 1) % count
        faces += [(i, j, j + count), (i, j + count, i + count)]
    pieces = [convex_piece(vertices[[a, b, c, a + count, b + count, c + count]]) for a, b, c in triangles]
    return Solid(pieces, vertices, np.array(faces))


def _cross(a: NDArray[np.int64], b: NDArray[np.int64], c: NDArray[np.int64]) -> int:
    return int((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def _ears(polygon: NDArray[np.int64]) -> list[tuple[int, int, int]]:
    """Cut a counterclockwise polygon into triangles."""
    left, found = list(range(len(polygon))), []
    while len(left) > 2:
        for k in range(len(left)):
            a, b, c = left[k - 1], left[k], left[(k + 1) % len(left)]
            rest = [polygon[i] for i in left if i not in (a, b, c)]
            corners = [polygon[i] for i in (a, b, c, a)]
            if _cross(*corners[:3]) > 0 and not any(
                all(_cross(corners[m], corners[m + 1], point) >= 0 for m in range(3)) for point in rest
            ):
                found.append((a, b, c))
                left.remove(b)
                break
        else:
            raise ValueError("the polygon has no ear")
    return found


def fan_solid(top: int, bottom: int, ring: NDArray[np.int64]) -> Solid:
    """Return the solid between two apexes at x = y = 0 and a ring (n, 3) about them: tips, saddles and spikes."""
    count = len(ring)
    vertices = np.concatenate((((0, 0, top), (0, 0, bottom)), ring))
    sides = [(2 + i, 2 + (i + 1) % count) for i in range(count)]
    faces = [face for i, j in sides for face in ((0, i, j), (1, j, i))]
    return Solid([convex_piece(vertices[[0, 1, i, j]]) for i, j in sides], vertices, np.array(faces))


def random_box(rng: np.random.Generator) -> Solid:
    """Return a box of sides 1 to 4."""
    return boxes_solid([((0, 0, 0), rng.integers(1, 5, 3))], bool(rng.random() < 0.3), rng)


def random_hull(rng: np.random.Generator) -> Solid:
    """Return a tetrahedron, a pyramid, a wedge, or the hull of a few points."""
    a, b, c = rng.integers(1, 4, 3).tolist()
    shapes: list[ArrayLike] = [
        ((0, 0, 0), (a, 0, 0), (0, b, 0), (0, 0, c)),
        ((0, 0, 0), (2 * a, 0, 0), (0, 2 * b, 0), (2 * a, 2 * b, 0), (a, b, c)),
        ((0, 0, 0), (a, 0, 0), (0, b, 0), (a, b, 0), (0, 0, c), (a, 0, c)),
        ((a, 0, 0), (-a, 0, 0), (0, b, 0), (0, -b, 0), (0, 0, c), (0, 0, -c)),
        rng.integers(-2, 3, (int(rng.integers(5, 9)), 3)),
    ]
    try:
        return _turned_about(hull_solid(shapes[rng.integers(len(shapes))]), rng)
    except ValueError:
        return random_hull(rng)


def random_shape(rng: np.random.Generator) -> Solid:
    """Return an L, a U, a T, stairs, a cross, a plate with a hole, or a few cells that may hang together by an edge."""
    a, b, h = rng.integers(1, 3, 3).tolist()
    w = 2 + a
    shapes: list[list[tuple[Cell, Cell]]] = [
        [((0, 0, 0), (w, b, h)), ((0, b, 0), (1, b + 2, h))],
        [((0, 0, 0), (w, b, h)), ((0, b, 0), (1, b + 2, h)), ((w - 1, b, 0), (w, b + 2, h))],
        [((0, 0, 0), (w, b, h)), ((1, b, 0), (w - 1, b + 2, h))],
        [((0, 0, k), (w - k, h, k + 1)) for k in range(min(w, 3))],
        [((0, 1, 0), (3, 2, h)), ((1, 0, 0), (2, 1, h)), ((1, 2, 0), (2, 3, h))],
        [((0, 0, 0), (3, 1, h)), ((0, 2, 0), (3, 3, h)), ((0, 1, 0), (1, 2, h)), ((2, 1, 0), (3, 2, h))],
        [(cell, (cell[0] + 1, cell[1] + 1, cell[2] + 1)) for cell in sorted(grown(rng, int(rng.integers(2, 6)), loose=True))],
    ]
    return _turned_about(boxes_solid(shapes[rng.integers(len(shapes))], bool(rng.random() < 0.5), rng), rng)


def random_prism(rng: np.random.Generator) -> Solid:
    """Return a prism, upright or oblique, over a polygon that is star-shaped about 0."""
    ring = _ring(rng, int(rng.integers(3, 7)))
    return _turned_about(prism(ring, (*rng.integers(-1, 2, 2), int(rng.integers(1, 4)))), rng)


def random_fan(rng: np.random.Generator) -> Solid:
    """Return a solid between two apexes and a ring with random heights."""
    ring = _ring(rng, int(rng.integers(3, 6)))
    heights = rng.integers(-2, 3, len(ring))
    return _turned_about(fan_solid(0, -int(rng.integers(1, 4)), np.column_stack((ring, heights))), rng)


def grown(rng: np.random.Generator, count: int, taken: Iterable[Cell] = (), loose: bool = False) -> set[Cell]:
    """Return cells that grow from one, none of them `taken`; the first is at 0 or beside those taken. loose: by edges too."""
    used = set(taken)
    cells: set[Cell] = set()
    steps = [s for s in product((-1, 0, 1), repeat=3) if 0 < sum(map(abs, s)) <= (2 if loose else 1)]
    while len(cells) < count:
        near = sorted(cells or used)
        x, y, z = near[rng.integers(len(near))] if near else (0, 0, 0)
        dx, dy, dz = steps[rng.integers(len(steps))] if near else (0, 0, 0)
        if (x + dx, y + dy, z + dz) not in used:
            cells.add((x + dx, y + dy, z + dz))
    return cells


def _ring(rng: np.random.Generator, count: int) -> NDArray[np.int64]:
    """Return a simple polygon of whole numbers, counterclockwise about 0, each side less than half a turn."""
    while True:
        points = np.unique(rng.integers(-3, 4, (count, 2)), axis=0)
        points = points[points.any(axis=1)]
        ring = points[np.argsort(np.arctan2(points[:, 1], points[:, 0]))]
        following = np.roll(ring, -1, axis=0)
        if len(ring) >= 3 and (ring[:, 0] * following[:, 1] - ring[:, 1] * following[:, 0] > 0).all():
            return ring


def _turned_about(solid: Solid, rng: np.random.Generator) -> Solid:
    """Return the solid with its coordinates in a random order, some mirrored."""
    orders = list(permutations(range(3)))
    matrix = np.eye(3, dtype=np.int64)[list(orders[rng.integers(6)])] * rng.choice((-1, 1), 3)
    return solid.mapped(matrix)


SOLIDS: dict[str, Callable[[np.random.Generator], Solid]] = {
    "boxes": random_box,
    "hulls": random_hull,
    "shapes": random_shape,
    "prisms": random_prism,
    "fans": random_fan,
}


def volume_of(solid: Solid) -> float:
    """Return the volume within the mesh; positive if normals point outwards."""
    a, b, c = (solid.vertices[solid.faces[:, k]] for k in range(3))
    return math.fsum((a * np.cross(b, c)).sum(axis=1).tolist()) / 6.0
