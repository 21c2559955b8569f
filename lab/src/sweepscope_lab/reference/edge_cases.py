"""Round bodies, and boxes with a margin, that touch an edge or a ridge and slide along it, also beyond its end.

The edge is along x through the origin, and the obstacle is below both of its faces there. A unit vector n lies between the
normals of these faces, so that no point of the obstacle is higher along n than the edge. The mover is r higher along n, and its
motion is square to n: its distance from the obstacle never is less than r.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .contact_cases import pose_of, quarter_turn
from .contact_shapes import ContactBody, Rng, box_body, upside_down, wedge
from .convex_depth import Floats, Whole, part_of_mesh, round_part
from .vectors import random_rotation, rotation

MOVERS = ("ball", "capsule", "box with a margin", "point", "segment")
OBSTACLES = ("box", "roof", "open roof", "tiled roof", "sheet")
_ACROSS = np.array((1.0, 0.0, 0.0))


@dataclass(frozen=True, slots=True)
class EdgeCase:
    """A mover on an edge, and a motion along the edge."""

    seed: int
    kind: str
    obstacle_name: str
    mover: ContactBody
    obstacle: ContactBody
    pose: Floats
    """Of both (4, 4), world."""
    normal: Floats
    """The vector n (3,), world."""
    down: Floats
    """Unit vector (3,), world, that leads into the obstacle from the edge, between its faces."""
    vector: Floats
    """The motion (3,), world."""
    margin: float
    tolerance: float | None
    depth: float
    """By which the mover is nearer than r [length]; below the tolerance."""
    lattice: bool


def touches_within(case: EdgeCase, inset: float) -> bool:
    """Return whether the mover touches the edge at the start, at least `inset` away from the ends of the edge."""
    n = case.pose[:3, :3].T @ case.normal
    heights = case.mover.vertices @ n
    lowest = case.mover.vertices[heights <= heights.min() + 1e-9, 0]
    end = case.obstacle.vertices[:, 0].max() - inset
    return bool(lowest.min() <= end and lowest.max() >= -end)


def edge_case(seed: int) -> EdgeCase:
    """Return the case of a seed."""
    rng = np.random.default_rng((seed, 31))
    kind = MOVERS[seed % len(MOVERS)]
    name = OBSTACLES[seed // len(MOVERS) % len(OBSTACLES)]
    lattice = bool(rng.random() < 0.5)
    length = float(rng.integers(1, 9)) if lattice else float(rng.uniform(0.5, 4.0))
    obstacle, first, last = _obstacle(name, length, lattice, rng)
    n = _between(first, last, lattice, rng)
    radius = (
        0.0
        if kind in ("point", "segment")
        else (5.0 if lattice else 1.0) * float(rng.choice((0.25, 1.0, rng.uniform(0.1, 1.0))))
    )
    size = 2.0 * radius if kind in ("ball", "capsule") else 1.0
    tolerance = None if rng.random() < 0.6 else size * float(rng.choice((1e-3, 1e-5)))
    depth = 0.0 if tolerance is None or rng.random() < 0.5 else float(rng.uniform(0.0, 0.9)) * tolerance
    if radius == 0.0 and name in ("sheet", "open roof"):
        depth = 0.0  # below a surface, a point is not in it
    begin = float(rng.choice((-0.5, 0.0, 0.25, rng.uniform(-0.6, 0.6)))) * length
    nearest = np.array((begin, 0.0, 0.0)) + (radius - depth) * n
    mover = _mover(kind, nearest, n, radius, lattice, rng)
    along = _ACROSS * float(rng.choice((-1.0, 1.0))) * length * float(rng.choice((0.125, 1.0, 3.0, rng.uniform(0.1, 4.0))))
    if rng.random() < 0.3:
        along = along + np.cross(n, _ACROSS) * float(rng.choice((-1.0, 1.0))) * length * rng.uniform(0.0, 1.0)
    pose = pose_of(random_rotation(rng), rng.uniform(-3.0, 3.0, 3))
    if lattice:
        pose = pose_of(quarter_turn(rng), rng.integers(-3, 4, 3).astype(np.float64))
    turn = pose[:3, :3]
    down = -(first + last) / np.linalg.norm(first + last)
    margin = radius if kind == "box with a margin" else 0.0
    return EdgeCase(
        seed, kind, name, mover, obstacle, pose, turn @ n, turn @ down, turn @ along, margin, tolerance, depth, lattice
    )


def _obstacle(name: str, length: float, lattice: bool, rng: Rng) -> tuple[ContactBody, Floats, Floats]:
    """Return an obstacle with an edge along x at the origin, and the unit normals (3,) of its two faces there."""
    x = 0.5 * length
    if name == "box":
        deep = 0.5 * rng.integers(2, 9, 2) if lattice else rng.uniform(0.5, 3.0, 2)
        body = box_body("box", np.array((-x, -deep[0], -deep[1])), np.array((x, 0.0, 0.0)))
        return body, np.array((0.0, 1.0, 0.0)), np.array((0.0, 0.0, 1.0))
    if name == "sheet":  # its border, from beside: n may be anything on that side
        wide = float(rng.uniform(0.5, 2.0))
        vertices = np.array(((-x, -wide, 0.0), (x, -wide, 0.0), (x, 0.0, 0.0), (-x, 0.0, 0.0)))
        faces = np.array(((0, 1, 2), (0, 2, 3)))
        return (
            ContactBody("sheet", vertices, faces, (part_of_mesh(vertices, faces),)),
            np.array((0.0, 1.0, 0.0)),
            np.array((0.0, 0.0, 1.0)),
        )
    angle = math.radians(45.0 if lattice else float(rng.uniform(15.0, 80.0)))
    normals = np.array((0.0, -math.cos(angle), math.sin(angle))), np.array((0.0, math.cos(angle), math.sin(angle)))
    high = 1.0 if lattice else float(rng.uniform(0.5, 2.0))
    if name == "roof":
        return upside_down(wedge("roof", math.degrees(angle), length, high)), *normals
    wide = high if lattice else high * math.tan(angle)
    cuts = np.linspace(-x, x, int(rng.integers(2, 6))) if name == "tiled roof" else np.array((-x, x))
    vertices, faces = _roof(cuts, wide, high, closed=name == "tiled roof")
    return ContactBody(name, vertices, faces, ()), *normals


def _roof(cuts: Floats, wide: float, high: float, closed: bool) -> tuple[Floats, Whole]:
    """Return two slopes that meet in a ridge along x, which is cut into segments; closed: with a bottom and gables."""
    count = len(cuts)
    rows = [
        np.column_stack((cuts, np.full(count, y), np.full(count, z))) for y, z in ((-wide, -high), (0.0, 0.0), (wide, -high))
    ]
    faces = []
    for low in (0, count) if not closed else (0, count, 2 * count):
        above = (low + count) % (3 * count)
        for k in range(count - 1):
            faces += [(low + k, low + k + 1, above + k + 1), (low + k, above + k + 1, above + k)]
    if closed:
        faces += [(0, count, 2 * count), (count - 1, 3 * count - 1, 2 * count - 1)]
    return np.concatenate(rows), np.array(faces)


def _between(first: Floats, last: Floats, lattice: bool, rng: Rng) -> Floats:
    """Return a unit vector between two: of a triangle 3-4-5 on the lattice, if it is between them."""
    if lattice:
        found = [np.array((0.0, *each)) / 5.0 for each in ((3.0, 4.0), (4.0, 3.0), (-3.0, 4.0), (0.0, 5.0), (5.0, 0.0))]
        inner = [n for n in found if np.cross(first, n) @ np.cross(n, last) >= 0.0 and n @ (first + last) > 0.0]
        return inner[rng.integers(len(inner))]
    share = float(rng.uniform(0.0, 1.0))
    n = (1.0 - share) * first + share * last
    return n / np.linalg.norm(n)


def _mover(kind: str, nearest: Floats, n: Floats, radius: float, lattice: bool, rng: Rng) -> ContactBody:
    """Return a mover whose core touches the plane square to n at `nearest` from above."""
    none = np.zeros((0, 3), np.int64)
    if kind in ("ball", "point"):
        core = nearest[None]
    elif kind in ("capsule", "segment"):
        away = rng.normal(size=3) if not lattice else rng.integers(-2, 3, 3).astype(np.float64)
        draw = rng.random()
        if draw < 0.4 or not away.any():
            away = _ACROSS * rng.choice((-1.0, 1.0))
        elif draw < 0.7:
            away = n
        away = away if away @ n >= 0.0 else -away
        core = np.array((nearest, nearest + away * float(rng.choice((0.5, 1.0)))))
    else:
        widths = 0.5 * rng.integers(1, 7, 3).astype(np.float64) if lattice else rng.uniform(0.3, 2.0, 3)
        # An upright box, or one that is turned: its lowest corner along n is at `nearest`.
        turn = np.eye(3) if lattice or rng.random() < 0.3 else rotation(_ACROSS, float(rng.uniform(0.0, 6.3)))
        body = box_body("box", np.zeros(3), widths, as_box=False)
        places = body.vertices @ turn.T
        lowest = places[(places @ n).argmin()]
        vertices = places - lowest + nearest
        return ContactBody("box", vertices, body.faces, (part_of_mesh(vertices, body.faces),))
    return ContactBody(kind, core, none, (round_part(core, radius),), radius)
