"""Bodies for the law of contact, with the convex parts that they are made of; in float64, before they are put anywhere.

Movers point down: what is meant to touch (a tip, an edge, a face) is at the origin, and the body is above it. Obstacles point
up: their contact place is at the origin, and they are below it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np

from .convex_depth import ConvexPart, Floats, Whole, part_of_mesh, round_part
from .height_fields import HeightField, height_field
from .lattice_solids import Solid, boxes_solid, random_hull

Rng = np.random.Generator

ANGLES = (0.05, 0.3, 1.0, 10.0, 30.0, 60.0)
"""Half angles of needles, cones and blades [degrees]."""
_QUARTER = 2.0**-2
_BOX_FACES = np.array(
    (
        (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
        (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ContactBody:
    """A body as the library gets it, and its convex parts. All in the frame of the body."""

    name: str
    vertices: Floats
    """Shape (n, 3) [length]; of a ball its center, of a capsule the ends of its core."""
    faces: Whole
    """Triangles (m, 3); none for a ball and a capsule."""
    parts: tuple[ConvexPart, ...]
    radius: float = 0.0
    angle: float = 90.0
    """Half angle of its tip or edge [degrees]; 90 for one that is not pointed."""
    box: bool = False
    """It is given to the library as a Box, not as a Mesh."""
    field: HeightField | None = None
    """A body with a height field on top has no parts."""

    @property
    def closed(self) -> bool:
        """Return whether every edge has two faces."""
        sides = np.sort(self.faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
        return bool((np.unique(sides, axis=0, return_counts=True)[1] == 2).all())

    @property
    def edges(self) -> Whole:
        """Return its edges (e, 2), each once."""
        return np.unique(np.sort(self.faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)

    @property
    def size(self) -> float:
        """Return the diagonal of its box [length]."""
        return float(np.linalg.norm(np.ptp(self.vertices, axis=0) + 2.0 * self.radius))


def mesh_body(name: str, vertices: Floats, faces: Whole, angle: float = 90.0) -> ContactBody:
    """Return a convex body, or a flat sheet, of one part."""
    return ContactBody(name, vertices, faces, (part_of_mesh(vertices, faces),), angle=angle)


def box_body(name: str, low: Floats, high: Floats, as_box: bool = True) -> ContactBody:
    """Return a box between two corners."""
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    vertices = np.array(list(product((-1.0, 1.0), repeat=3))) * half + middle
    return ContactBody(name, vertices, _BOX_FACES, (part_of_mesh(vertices, _BOX_FACES),), box=as_box)


def solid_body(name: str, solid: Solid, scale: float) -> ContactBody:
    """Return a lattice solid, scaled. Its pieces are convex."""
    parts = tuple(hull_part(scale * piece.vertices.astype(np.float64)) for piece in solid.pieces)
    return ContactBody(name, scale * solid.vertices.astype(np.float64), solid.faces, parts)


def hull_part(points: Floats) -> ConvexPart:
    """Return the hull of a few points, all of them its corners, by trying all triples."""
    found = []
    for i in range(len(points)):
        for j in range(i + 1, len(points)):
            for k in range(j + 1, len(points)):
                normal = np.cross(points[j] - points[i], points[k] - points[i])
                heights = (points - points[i]) @ normal
                slack = 1e-12 * np.abs(heights).max(initial=1e-300)
                if np.abs(normal).max() > 0.0 and (heights <= slack).all():
                    found.append((i, j, k))
                elif np.abs(normal).max() > 0.0 and (heights >= -slack).all():
                    found.append((i, k, j))
    return _part_of_triples(points, np.array(found))


def _part_of_triples(points: Floats, triples: Whole) -> ConvexPart:
    """Return the part whose faces are all triangles of corners in one facet; an edge lies in facets of two normals."""
    corners = points[triples]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    facets: list[tuple[Floats, set[int]]] = []
    for normal, triple in zip(normals, triples.tolist(), strict=True):
        for other, on in facets:
            if normal @ other > 1.0 - 1e-12:
                on.update(triple)
                break
        else:
            facets.append((normal, set(triple)))
    faces = []
    for normal, on in facets:
        ring = sorted(on)
        arms = points[ring] - points[ring].mean(axis=0)
        turn = np.argsort(np.arctan2(arms @ np.cross(normal, arms[0]), arms @ arms[0]))
        ring = [ring[t] for t in turn]
        faces += [(ring[0], ring[t], ring[t + 1]) for t in range(1, len(ring) - 1)]
    return part_of_mesh(points, np.array(faces))


def spike(name: str, angle: float, sides: int, height: float) -> ContactBody:
    """Return a pyramid that stands on its tip. angle: between its axis and its edges [degrees]."""
    wide = height * math.tan(math.radians(angle))
    turns = 2.0 * math.pi * np.arange(sides) / sides
    ring = np.column_stack((wide * np.cos(turns), wide * np.sin(turns), np.full(sides, height)))
    faces = [(0, 1 + (k + 1) % sides, 1 + k) for k in range(sides)]
    faces += [(1, 1 + k, 2 + k) for k in range(1, sides - 1)]
    return mesh_body(name, np.concatenate((np.zeros((1, 3)), ring)), np.array(faces), angle)


def wedge(name: str, angle: float, length: float, height: float) -> ContactBody:
    """Return a blade that stands on its edge, which is along x. angle: half of that between its two faces [degrees]."""
    wide = height * math.tan(math.radians(angle))
    x = 0.5 * length
    vertices = np.array(
        ((-x, 0, 0), (x, 0, 0), (-x, -wide, height), (x, -wide, height), (-x, wide, height), (x, wide, height)), np.float64
    )
    faces = np.array(((0, 2, 4), (1, 5, 3), (0, 1, 3), (0, 3, 2), (0, 4, 5), (0, 5, 1), (2, 3, 5), (2, 5, 4)))
    return mesh_body(name, vertices, faces, angle)


def prism_body(name: str, sides: int, radius: float, height: float) -> ContactBody:
    """Return an upright prism over a regular polygon; its bottom is at z = 0."""
    turns = 2.0 * math.pi * np.arange(sides) / sides
    ring = np.column_stack((radius * np.cos(turns), radius * np.sin(turns), np.zeros(sides)))
    vertices = np.concatenate((ring, ring + (0.0, 0.0, height)))
    faces = [(0, k + 1, k) for k in range(1, sides - 1)] + [(sides, sides + k, sides + k + 1) for k in range(1, sides - 1)]
    for i in range(sides):
        j = (i + 1) % sides
        faces += [(i, j, j + sides), (i, j + sides, i + sides)]
    return mesh_body(name, vertices, np.array(faces))


def upside_down(body: ContactBody) -> ContactBody:
    """Return it turned by half a turn about x."""
    turn = np.array((1.0, -1.0, -1.0))
    parts = tuple(
        ConvexPart(part.vertices * turn, part.normals * turn, part.edges, part.directions * turn, part.radius)
        for part in body.parts
    )
    return ContactBody(body.name, body.vertices * turn, body.faces, parts, body.radius, body.angle, body.box)


def _angle(rng: Rng) -> float:
    return float(rng.choice(ANGLES))


def _box(rng: Rng) -> ContactBody:
    half = _QUARTER * rng.integers(1, 4, 3) if rng.random() < 0.5 else rng.uniform(0.15, 0.6, 3)
    return box_body("box", np.array((-half[0], -half[1], 0.0)), np.array((half[0], half[1], 2.0 * half[2])))


def _height(angle: float) -> float:
    return 0.25 if angle > 45.0 else 1.0


def _needle(rng: Rng) -> ContactBody:
    angle = _angle(rng)
    return spike("needle", angle, 3, _height(angle))


def _cone(rng: Rng) -> ContactBody:
    angle = _angle(rng)
    return spike("cone", angle, int(rng.integers(5, 11)), _height(angle))


def _blade(rng: Rng) -> ContactBody:
    angle = _angle(rng)
    return wedge("blade", angle, float(rng.choice((0.5, rng.uniform(0.2, 0.8)))), _height(angle))


def _tetrahedron(rng: Rng) -> ContactBody:
    corners = np.array(((0, 0, 0), (1, 0, 1), (0, 1, 1), (1, 1, 0)), np.float64) * rng.uniform(0.4, 0.8)
    corners += 0.1 * rng.normal(size=(4, 3)) * (rng.random() < 0.5)
    faces = np.array(((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)))
    return mesh_body("tetrahedron", corners - corners[corners[:, 2].argmin()], faces)


def _prism(rng: Rng) -> ContactBody:
    return prism_body("prism", int(rng.integers(3, 11)), float(rng.uniform(0.2, 0.6)), float(rng.uniform(0.2, 0.8)))


def _ball(rng: Rng) -> ContactBody:
    radius = float(rng.choice((_QUARTER, rng.uniform(0.1, 0.6))))
    center = np.array(((0.0, 0.0, radius),))
    return ContactBody("ball", center, np.zeros((0, 3), np.int64), (round_part(center, radius),), radius)


def _capsule(rng: Rng) -> ContactBody:
    radius, length = float(rng.choice((_QUARTER, rng.uniform(0.1, 0.4)))), float(rng.uniform(0.2, 0.8))
    lying = rng.random() < 0.5
    ends = np.array(((-0.5 * length, 0.0, radius), (0.5 * length, 0.0, radius)))
    if not lying:
        ends = np.array(((0.0, 0.0, radius), (0.0, 0.0, radius + length)))
    return ContactBody("capsule", ends, np.zeros((0, 3), np.int64), (round_part(ends, radius),), radius)


def _polyhedron(rng: Rng) -> ContactBody:
    return solid_body("polyhedron", random_hull(rng), _QUARTER)


def _l_shape(rng: Rng) -> ContactBody:
    a, b, h = rng.integers(1, 3, 3).tolist()
    boxes = [((0, 0, 0), (2 + a, h, b)), ((0, 0, b), (1, h, b + 2))]
    return solid_body("L", boxes_solid(boxes, bool(rng.random() < 0.5), rng), _QUARTER)


MOVERS: dict[str, Callable[[Rng], ContactBody]] = {
    "box": _box,
    "needle": _needle,
    "cone": _cone,
    "blade": _blade,
    "tetrahedron": _tetrahedron,
    "prism": _prism,
    "ball": _ball,
    "capsule": _capsule,
    "polyhedron": _polyhedron,
    "L": _l_shape,
}


def _floor(rng: Rng) -> ContactBody:
    return box_body("floor", np.array((-2.0, -2.0, -1.0)), np.array((2.0, 2.0, 0.0)), as_box=bool(rng.random() < 0.7))


def _cuts(rng: Rng) -> Floats:
    """Return where a side -2 .. 2 is cut: at 0, or near it, or also elsewhere."""
    inner = [float(rng.choice((0.0, 0.0, rng.uniform(-0.5, 0.5))))] + rng.uniform(-1.9, 1.9, int(rng.integers(0, 3))).tolist()
    return np.array(sorted({-2.0, 2.0, *inner}))


def _tiles(rng: Rng) -> tuple[Floats, Whole]:
    """Return a square -2 .. 2 of triangles at z = 0: a grid with random diagonals, or a fan about a point, often the origin."""
    if rng.random() < 0.4:
        count = int(rng.integers(3, 9))
        apex = np.zeros(2) if rng.random() < 0.7 else rng.uniform(-1.0, 1.0, 2)
        ring = [(-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-2.0, 2.0)]
        side = int(rng.integers(4))
        between = [np.array(ring[side]) + (np.array(ring[(side + 1) % 4]) - ring[side]) * k / count for k in range(1, count)]
        corners = [*ring[: side + 1], *between, *ring[side + 1 :], apex]
        last = len(corners) - 1
        faces = [(last, k, (k + 1) % last) for k in range(last)]
        return np.column_stack((np.array(corners), np.zeros(len(corners)))), np.array(faces)
    x, y = _cuts(rng), _cuts(rng)
    vertices = np.array([(a, b, 0.0) for a in x for b in y])
    faces = []
    for i in range(len(x) - 1):
        for j in range(len(y) - 1):
            a, b, c, d = i * len(y) + j, (i + 1) * len(y) + j, (i + 1) * len(y) + j + 1, i * len(y) + j + 1
            faces += [(a, b, c), (a, c, d)] if rng.random() < 0.5 else [(a, b, d), (b, c, d)]
    return vertices, np.array(faces)


def _tiled_floor(rng: Rng) -> ContactBody:
    top, faces = _tiles(rng)
    bottom = top - (0.0, 0.0, 1.0)
    count = len(top)
    sides = {(a, b) for face in faces.tolist() for a, b in zip(face, face[1:] + face[:1], strict=True)}
    rim = [(a, b) for a, b in sides if (b, a) not in sides]
    walls = [face for a, b in sorted(rim) for face in ((b, a, a + count), (b, a + count, b + count))]
    mesh = np.concatenate((faces, faces[:, ::-1] + count, np.array(walls)))
    whole = box_body("", np.array((-2.0, -2.0, -1.0)), np.array((2.0, 2.0, 0.0)))
    return ContactBody("tiled floor", np.concatenate((top, bottom)), mesh, whole.parts)


_RECTANGLE = np.array(((-2.0, -2.0, 0.0), (2.0, -2.0, 0.0), (2.0, 2.0, 0.0), (-2.0, 2.0, 0.0)))
_TWO_FACES = np.array(((0, 1, 2), (0, 2, 3)))


def _tiled_sheet(rng: Rng) -> ContactBody:
    vertices, faces = _tiles(rng)
    return ContactBody("tiled sheet", vertices, faces, (part_of_mesh(_RECTANGLE, _TWO_FACES),))


def _triangle(rng: Rng) -> ContactBody:
    """Return a triangle with the origin inside, on its border, or at a corner."""
    corners = np.array(((-2.0, -1.0, 0.0), (2.0, -1.0, 0.0), (0.0, 2.0, 0.0)))
    draw = rng.random()
    if draw < 0.2:
        corners -= corners[rng.integers(3)]
    elif draw < 0.4:
        corners -= (0.5, -1.0, 0.0)
    return mesh_body("triangle", corners, np.array(((0, 1, 2),)))


def _ridge(rng: Rng) -> ContactBody:
    angle = float(rng.choice((20.0, 45.0, rng.uniform(10.0, 85.0))))
    height = min(1.0, 2.0 / math.tan(math.radians(angle)))
    return upside_down(wedge("ridge", angle, 3.0, height))


def _open_ridge(rng: Rng) -> ContactBody:
    """Return two rectangles that meet in a ridge along x."""
    angle = math.radians(float(rng.choice((45.0, rng.uniform(20.0, 85.0)))))
    down, wide = -1.5 * math.cos(angle), 1.5 * math.sin(angle)
    vertices = np.array(
        ((-1.5, -wide, down), (1.5, -wide, down), (1.5, 0, 0), (-1.5, 0, 0), (1.5, wide, down), (-1.5, wide, down))
    )
    halves = np.array(((0, 1, 2), (0, 2, 3))), np.array(((3, 2, 4), (3, 4, 5)))
    parts = tuple(part_of_mesh(vertices, half) for half in halves)
    return ContactBody("open ridge", vertices, np.concatenate(halves), parts)


def _needle_up(rng: Rng) -> ContactBody:
    return upside_down(_needle(rng))


def _blade_up(rng: Rng) -> ContactBody:
    return upside_down(_blade(rng))


def _block(rng: Rng) -> ContactBody:
    """Return a box about as large as the movers; equal to a box that is the mover, see `contact_cases`."""
    half = _QUARTER * rng.integers(1, 4, 3)
    return box_body("block", np.array((-half[0], -half[1], -2.0 * half[2])), np.array((half[0], half[1], 0.0)))


_FIELD = np.linspace(-3.0, 3.0, 13)


def _field_body(name: str, field: HeightField, closed: bool) -> ContactBody:
    vertices, faces = field.closed() if closed else (field.vertices, field.faces)
    return ContactBody(name if closed else f"open {name}", vertices, faces, (), field=field)


def _terrain(rng: Rng) -> HeightField:
    """Return a rough surface with a corner at the origin."""
    heights = rng.uniform(0.0, 0.4, (13, 13)) if rng.random() < 0.5 else 0.125 * rng.integers(0, 4, (13, 13))
    return height_field(_FIELD, _FIELD, heights - heights[6, 6], rng)


def _saddle(rng: Rng) -> HeightField:
    """Return a surface that rises along x and falls along y, with flat faces that meet at the origin."""
    a, b = rng.choice((0.25, 0.5, 1.0, float(rng.uniform(0.05, 1.5))), 2)
    return height_field(_FIELD, _FIELD, a * np.abs(_FIELD)[:, None] - b * np.abs(_FIELD)[None, :], rng)


OBSTACLES: dict[str, Callable[[Rng], ContactBody]] = {
    "floor": _floor,
    "tiled floor": _tiled_floor,
    "triangle": _triangle,
    "tiled sheet": _tiled_sheet,
    "ridge": _ridge,
    "open ridge": _open_ridge,
    "needle": _needle_up,
    "blade": _blade_up,
    "block": _block,
    "terrain": lambda rng: _field_body("terrain", _terrain(rng), True),
    "open terrain": lambda rng: _field_body("terrain", _terrain(rng), False),
    "saddle": lambda rng: _field_body("saddle", _saddle(rng), True),
    "open saddle": lambda rng: _field_body("saddle", _saddle(rng), False),
}
