"""Bodies that roll, and uneven ground (Yamachi & Shindo, about 2003)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sweepscope import Mesh, Shape, checks
from sweepscope.errors import InvalidGeometry

from .bodies import bumpy_ball

_GOLDEN = 0.5 * (1.0 + math.sqrt(5.0))
_WAVES = 9
STEEPEST = 2.0
"""Largest mean slope, and largest roughness, of `uneven_ground`: above it the ground would have cliffs."""


def center_of_mass(mesh: Mesh) -> NDArray[np.float64]:
    """Return the center of mass [length], shape (3,), local, of a closed mesh with uniform density."""
    a, b, c = (mesh.vertices[mesh.faces[:, corner]] for corner in range(3))
    volumes = np.einsum("ij,ij->i", a, np.cross(b, c))
    return volumes @ (a + b + c) / (4.0 * volumes.sum())


def _centered(mesh: Mesh) -> Mesh:
    """Return the mesh with its center of mass at the origin."""
    return Mesh(mesh.vertices - center_of_mass(mesh), mesh.faces)


def cube() -> Mesh:
    """Return a cube of side 1."""
    return Mesh.box((1.0, 1.0, 1.0))


def long_box() -> Mesh:
    """Return a beam: 2 x 0.7 x 0.5."""
    return Mesh.box((2.0, 0.7, 0.5))


def l_shape() -> Mesh:
    """Return an L of two arms, 1.4 and 1.2 long and 0.5 thick: not convex, center of mass near its inner corner."""
    outline = ((0.0, 0.0), (1.4, 0.0), (1.4, 0.5), (0.5, 0.5), (0.5, 1.2), (0.0, 1.2))
    return _centered(_prism(outline, (0.25, 0.25), 0.6))


def dodecahedron() -> Mesh:
    """Return a regular dodecahedron that fits a ball of radius 0.8."""
    vertices, pentagons = _pentagons()
    return Mesh(0.8 * vertices, [(five[0], five[k], five[k + 1]) for five in pentagons for k in range(1, 4)])


def star() -> Mesh:
    """Return a dodecahedron with a spike on every face, tips at 1 from the center: twelve points, with notches between."""
    vertices, pentagons = _pentagons()
    middles = np.array([vertices[list(five)].mean(axis=0) for five in pentagons])
    tips = middles / np.linalg.norm(middles, axis=1)[:, None]
    first = len(vertices)
    faces = [(five[k], five[(k + 1) % 5], first + tip) for tip, five in enumerate(pentagons) for k in range(5)]
    return Mesh(np.concatenate((0.5 * vertices, tips)), faces)


def bumpy() -> Mesh:
    """Return a ball of mean radius 0.8 with dents and bumps: 192 triangles."""
    return _centered(bumpy_ball(9, 12, 0.8))


BODIES: dict[str, Callable[[], Mesh]] = {
    "cube": cube,
    "long box": long_box,
    "L-shape": l_shape,
    "star": star,
    "dodecahedron": dodecahedron,
    "bumpy ball": bumpy,
}
"""Builders of the bodies that roll, by name. Each is a closed mesh about 2 across with its center of mass at the origin."""


GROUNDS = 20
"""Kinds of ground: five roughnesses times four slopes."""
_ROUGHNESS = (0.0, 0.1, 0.3, 0.6, 1.0)
_SLOPES = (0.0, 0.3, 0.6, 1.0)


def ground_kind(k: int) -> tuple[float, float]:
    """Return roughness and slope of the k-th kind of ground; they repeat after GROUNDS."""
    return _ROUGHNESS[k % len(_ROUGHNESS)], _SLOPES[k // len(_ROUGHNESS) % len(_SLOPES)]


def uneven_ground(seed: int = 0, *, roughness: float = 0.3, slope: float = 0.0, side: float = 40.0, cells: int = 64) -> Mesh:
    """Return an open surface over a centered square of `side` [length]: cells x cells squares of two triangles, facing up.

    roughness: 0 is flat; 1 has waves and facets about as steep as 45 degrees. slope: mean fall towards +x, 1 is 45 degrees.
    """
    for value, name in ((roughness, "roughness"), (slope, "slope")):
        if checks.length(value, name, InvalidGeometry) > STEEPEST:
            raise InvalidGeometry(f"{name} is {value}; accepted: 0 to {STEEPEST:g}")
    if checks.length(side, "side", InvalidGeometry) == 0.0:
        raise InvalidGeometry("side is 0; accepted: greater than 0")
    rng = np.random.default_rng(seed)
    spacing = side / cells
    x = spacing * (np.arange(cells + 1) - 0.5 * cells)
    # Wave lengths from a little over one body to ten bodies: it rolls over the short ones and down the long ones.
    angle, length = rng.uniform(0.0, 2.0 * math.pi, _WAVES), np.geomspace(2.5, 20.0, _WAVES)
    phase = rng.uniform(0.0, 2.0 * math.pi, _WAVES)
    heights = np.zeros((cells + 1, cells + 1))
    for a, wave, b in zip(angle, length, phase, strict=True):
        k = 2.0 * math.pi / wave
        heights += np.sin(k * (math.cos(a) * x[:, None] + math.sin(a) * x[None, :]) + b) / k
    heights *= roughness / math.sqrt(0.5 * _WAVES)
    heights += 0.2 * roughness * spacing * rng.normal(size=heights.shape)
    return Mesh.terrain(heights - slope * x[:, None], spacing)


def ground_near(ground: Shape, places: NDArray[np.float64], around: float) -> NDArray[np.bool_]:
    """Return which faces of an uneven ground are above or below the box of places (n, 3), widened by `around` [length].

    By whole squares: single triangles would leave a sawtooth.
    """
    # Triangles k and k + m / 2 of a terrain are the halves of one square.
    middle = ground.vertices[ground.faces].mean(axis=1)[:, :2].reshape(2, -1, 2).mean(axis=0)
    low, high = places[:, :2].min(axis=0) - around, places[:, :2].max(axis=0) + around
    return np.tile(((middle > low) & (middle < high)).all(axis=1), 2)


def _prism(outline: ArrayLike, middle: tuple[float, float], depth: float) -> Mesh:
    """Return the prism over a polygon (k, 2), counter-clockwise and star-shaped as seen from `middle`."""
    flat = np.array((*np.asarray(outline, np.float64), middle))
    k = len(flat) - 1
    low, high = np.full((k + 1, 1), -0.5 * depth), np.full((k + 1, 1), 0.5 * depth)
    faces = []
    for here in range(k):
        there, top = (here + 1) % k, k + 1
        faces += [(k, there, here), (top + k, top + here, top + there)]
        faces += [(here, there, top + there), (here, top + there, top + here)]
    return Mesh(np.concatenate((np.hstack((flat, low)), np.hstack((flat, high)))), faces)


def _pentagons() -> tuple[NDArray[np.float64], list[tuple[int, ...]]]:
    """Return a dodecahedron's unit vertices (20, 3) and its faces as five indices each, counter-clockwise from outside."""
    short, far = 1.0 / _GOLDEN, _GOLDEN
    corners = list(itertools.product((-1.0, 1.0), repeat=3))
    middles = []
    for s, t in itertools.product((-1.0, 1.0), repeat=2):
        corners += [(0.0, s * short, t * far), (s * short, t * far, 0.0), (t * far, 0.0, s * short)]
        # A dodecahedron's faces point towards an icosahedron's vertices.
        middles += [(0.0, s * far, t), (s * far, t, 0.0), (t, 0.0, s * far)]
    vertices = np.array(corners) / math.sqrt(3.0)
    faces = []
    for middle in np.array(middles):
        five = np.argsort(vertices @ middle)[-5:]
        right = np.cross(middle, vertices[five[0]])
        up = np.cross(middle, right) / np.linalg.norm(middle)
        turn = np.arctan2(vertices[five] @ up, vertices[five] @ right)
        faces.append(tuple(five[np.argsort(turn)].tolist()))
    return vertices, faces
