"""Targets to grasp: closed meshes about the origin, 150 to 300 across [length], to fit the hand in `scenes.hand`.

`block` alone is larger: it has the size of the paper's target (Radar 2002, Fig. 9).

They stand upright, z is up. All are computed, and the same every time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sweepscope import Mesh, Shape

_Array = NDArray[np.float64]
_Part = tuple[tuple[float, float, float], tuple[float, float, float], float]  # ends and radius of a capsule

SOFT_FRAMES = 120
"""For how many frames the soft target changes; then it keeps its last shape."""

_BALL = 95.0  # radius of the ball, and of the soft one


@dataclass(frozen=True, slots=True, eq=False)
class GraspTarget:
    """A target to grasp."""

    name: str
    parts: tuple[tuple[str, Shape, _Array], ...]
    """(name, shape, pose 4x4) of its bodies; names are unique."""
    changes: Callable[[int], dict[str, _Array]] | None = None
    """For a soft target: frames since first touch -> new vertices, local, by name of the part. None if it is rigid.

    Frame 0 is the part's own shape; no vertex moves more than 2 [length] from one frame to the next.
    """


def box() -> GraspTarget:
    """Return a box, its sides cut into small triangles."""
    return _one("box", _cut_box((150.0, 130.0, 200.0)))


def block() -> GraspTarget:
    """Return a box of the size that the paper gives for its target: 300 wide (x), 500 high (z), 800 deep (y)."""
    return _one("block", _cut_box((300.0, 800.0, 500.0)))


def ball() -> GraspTarget:
    """Return a ball of small triangles."""
    directions, faces = _directions()
    return _one("ball", Mesh(_BALL * directions, faces))


def cylinder() -> GraspTarget:
    """Return an upright cylinder."""
    return _one(
        "cylinder", _revolved([(0.0, -125.0), (72.0, -125.0), (72.0, -40.0), (72.0, 40.0), (72.0, 125.0), (0.0, 125.0)])
    )


def cone() -> GraspTarget:
    """Return a cone, its tip up."""
    side = [(115.0 * (1.0 - t), -110.0 + 230.0 * t) for t in np.linspace(0.0, 1.0, 9)]
    return _one("cone", _revolved([(0.0, -110.0), *side]))


def torus() -> GraspTarget:
    """Return a ring that stands upright, about the y axis."""
    angle = np.linspace(0.0, 2.0 * math.pi, 40, endpoint=False)
    path = np.stack((98.0 * np.cos(angle), np.zeros(40), 98.0 * np.sin(angle)), axis=1)
    return _one("torus", _tube(path, (0.0, 1.0, 0.0), 38.0, 16))


def mug() -> GraspTarget:
    """Return a mug, open at the top, and its handle, whose ends are in the mug's wall."""
    profile = [(0.0, -95.0), (72.0, -95.0), (78.0, -89.0), (80.0, -30.0), (80.0, 30.0), (80.0, 89.0), (76.0, 95.0)]
    profile += [(70.0, 95.0), (66.0, 89.0), (66.0, 20.0), (66.0, -70.0), (60.0, -78.0), (0.0, -78.0)]
    angle = np.linspace(-0.5 * math.pi, 0.5 * math.pi, 15)
    bow = np.stack((88.0 + 52.0 * np.cos(angle), np.zeros(15), 55.0 * np.sin(angle)), axis=1)
    ends = np.array(((73.0, 0.0, -55.0), (73.0, 0.0, 55.0)))
    handle = _tube(np.concatenate((ends[:1], bow, ends[1:])), (0.0, 1.0, 0.0), 13.0, 12, closed=False)
    return _several("mug", (("mug", _revolved(profile, 36)), ("mug handle", handle)))


def blob() -> GraspTarget:
    """Return a hare of clay: body, head, two ears, a tail and two feet, merged."""
    # Ends and radius of each part, a capsule.
    parts = [
        ((0.0, 8.0, -62.0), (0.0, -8.0, -28.0), 64.0),
        ((0.0, -28.0, 42.0), (0.0, -40.0, 46.0), 44.0),
        ((18.0, -18.0, 80.0), (34.0, -4.0, 138.0), 15.0),
        ((-18.0, -18.0, 80.0), (-34.0, -4.0, 138.0), 15.0),
        ((0.0, 78.0, -76.0), (0.0, 82.0, -72.0), 20.0),
        ((36.0, -30.0, -108.0), (40.0, -52.0, -110.0), 24.0),
        ((-36.0, -30.0, -108.0), (-40.0, -52.0, -110.0), 24.0),
    ]
    return _one("blob", _molded(parts, 15.0))


def chain() -> GraspTarget:
    """Return three links of a chain, upright; each passes through the next and touches none."""
    straight, bend, wire = 22.0, 33.0, 14.0
    half = np.linspace(0.0, math.pi, 13)
    top = np.stack((bend * np.cos(half), np.zeros(13), straight + bend * np.sin(half)), axis=1)
    shape = _tube(np.concatenate((top, top * (-1.0, 1.0, -1.0))), (0.0, 1.0, 0.0), wire, 12)
    pitch = 2.0 * (straight + bend - wire) - 4.0
    quarter_turn = np.array(((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
    parts = []
    for k in range(3):
        pose = np.eye(4)
        pose[:3, :3] = quarter_turn if k % 2 else np.eye(3)
        pose[2, 3] = (k - 1) * pitch
        parts.append((f"chain {k + 1}", shape, pose))
    return GraspTarget("chain", tuple(parts))


def bottle() -> GraspTarget:
    """Return a bottle with its neck up, closed."""
    shoulder = [(24.0 + 38.0 * (0.5 + 0.5 * math.cos(t)), 30.0 + 17.0 * t) for t in np.linspace(0.0, math.pi, 9)]
    profile = [(0.0, -140.0), (52.0, -140.0), (60.0, -134.0), (62.0, -124.0), (62.0, -50.0), *shoulder]
    return _one("bottle", _revolved([*profile, (24.0, 120.0), (29.0, 124.0), (29.0, 138.0), (24.0, 142.0), (0.0, 142.0)], 30))


def star() -> GraspTarget:
    """Return a body with six rounded arms, along x, y and z."""
    directions, faces = _directions()
    arms = (directions**8).sum(axis=1)
    return _one("star", Mesh((62.0 + 68.0 * arms)[:, None] * directions, faces))


def soft() -> GraspTarget:
    """Return a ball that swells, sways and leans while it is held, and ends in another shape."""
    directions, faces = _directions()

    def changes(frame: int) -> dict[str, _Array]:
        return {"soft": _softened(directions, frame)}

    return GraspTarget("soft", (("soft", Mesh(_softened(directions, 0), faces), np.eye(4)),), changes)


TARGETS: dict[str, Callable[[], GraspTarget]] = {
    make.__name__: make for make in (box, ball, cylinder, cone, torus, mug, blob, chain, bottle, star, soft, block)
}
"""Builders of the targets, by name."""


def _cut_box(sizes: tuple[float, float, float]) -> Mesh:
    """Return a box of these widths about the origin; each side has 32 triangles."""
    cells = 4
    corner = np.array([(u, v) for u in range(cells + 1) for v in range(cells + 1)]) / (0.5 * cells) - 1.0
    quads = [(i * (cells + 1) + j, (i + 1) * (cells + 1) + j) for i in range(cells) for j in range(cells)]
    flat = np.array([face for a, b in quads for face in ((a, b, b + 1), (a, b + 1, a + 1))])
    vertices, faces = [], []
    for axis in range(3):
        for side in (-1.0, 1.0):
            points = np.empty((len(corner), 3))
            points[:, axis] = side
            points[:, (axis + 1) % 3], points[:, (axis + 2) % 3] = corner.T
            faces.append((flat if side > 0.0 else flat[:, ::-1]) + len(corner) * len(vertices))
            vertices.append(points)
    return _merged(np.concatenate(vertices) * (0.5 * np.array(sizes)), np.concatenate(faces))


def _one(name: str, shape: Shape) -> GraspTarget:
    return _several(name, ((name, shape),))


def _several(name: str, parts: tuple[tuple[str, Shape], ...]) -> GraspTarget:
    return GraspTarget(name, tuple((part, shape, np.eye(4)) for part, shape in parts))


def _merged(vertices: _Array, faces: NDArray[np.int64]) -> Mesh:
    """Return the mesh with equal vertices merged."""
    places, index = np.unique(vertices, axis=0, return_inverse=True)
    return Mesh(places, index.ravel()[faces])


def _directions() -> tuple[_Array, NDArray[np.int64]]:
    """Return 642 unit vectors and 1280 faces: an icosahedron with its faces cut in four, three times."""
    gold = 0.5 * (1.0 + math.sqrt(5.0))
    flat = np.array(((-1.0, gold, 0.0), (1.0, gold, 0.0), (-1.0, -gold, 0.0), (1.0, -gold, 0.0)))
    vertices = np.concatenate((flat, np.roll(flat, 1, axis=1), np.roll(flat, 2, axis=1)))
    faces = np.array(
        ((0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6), (7, 1, 8))
        + ((3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1))
    )
    for _ in range(3):
        sides = np.sort(faces[:, ((0, 1), (1, 2), (2, 0))].reshape(-1, 2), axis=1)
        edges, edge_of = np.unique(sides, axis=0, return_inverse=True)
        a, b, c = faces.T
        ab, bc, ca = len(vertices) + edge_of.reshape(-1, 3).T
        vertices = np.concatenate((vertices, vertices[edges].mean(axis=1)))
        vertices /= np.linalg.norm(vertices, axis=1)[:, None]
        quarters = (a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)
        faces = np.concatenate([np.stack(corners, axis=1) for corners in quarters])
    return vertices, faces


def _revolved(profile: list[tuple[float, float]], columns: int = 32) -> Mesh:
    """Return the solid of revolution about z of a profile of (distance from the axis, height) that starts and ends on z.

    The outside is to the right of the profile's direction.
    """
    angle = np.linspace(0.0, 2.0 * math.pi, columns, endpoint=False)
    circle = np.stack((np.cos(angle), np.sin(angle)), axis=1)
    inner = profile[1:-1]
    rings = [np.column_stack((rho * circle, np.full(columns, z))) for rho, z in inner]
    vertices = np.concatenate((*rings, [(0.0, 0.0, profile[0][1]), (0.0, 0.0, profile[-1][1])]))
    here = np.arange(columns)
    there = (here + 1) % columns
    first, last = len(vertices) - 2, len(vertices) - 1
    faces = [np.stack((np.full(columns, first), there, here), axis=1)]
    for k in range(len(inner) - 1):
        low, high = k * columns, (k + 1) * columns
        faces.append(np.stack((low + here, low + there, high + there), axis=1))
        faces.append(np.stack((low + here, high + there, high + here), axis=1))
    top = (len(inner) - 1) * columns
    faces.append(np.stack((top + here, top + there, np.full(columns, last)), axis=1))
    return Mesh(vertices, np.concatenate(faces))


def _tube(path: _Array, across: ArrayLike, radius: float, columns: int, *, closed: bool = True) -> Mesh:
    """Return a round tube along a path in a plane; across: the plane's normal. Open tubes have flat ends."""
    side = np.array(across, float)
    if closed:
        along = np.roll(path, -1, axis=0) - np.roll(path, 1, axis=0)
    else:
        along = np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1)[:, None]
    out = np.cross(along, side)
    angle = np.linspace(0.0, 2.0 * math.pi, columns, endpoint=False)
    rings = path[:, None] + radius * (np.cos(angle)[:, None] * out[:, None] + np.sin(angle)[:, None] * side)
    count = len(path)
    vertices = rings.reshape(-1, 3)
    here = np.arange(columns)
    there = (here + 1) % columns
    faces = []
    for k in range(count if closed else count - 1):
        low, high = k * columns, (k + 1) % count * columns
        faces.append(np.stack((low + here, high + there, low + there), axis=1))
        faces.append(np.stack((low + here, high + here, high + there), axis=1))
    if not closed:
        vertices = np.concatenate((vertices, path[[0, -1]]))
        last = (count - 1) * columns
        faces.append(np.stack((np.full(columns, len(vertices) - 2), here, there), axis=1))
        faces.append(np.stack((np.full(columns, len(vertices) - 1), last + there, last + here), axis=1))
    return Mesh(vertices, np.concatenate(faces))


def _molded(parts: list[_Part], cell: float) -> Mesh:
    """Return the surface of merged capsules, with one vertex in every grid cell that it crosses.

    (Surface nets, after Gibson 1998.) cell: width of a cell [length].
    """
    sides = np.arange(-14, 15, dtype=np.float64) * cell
    nodes = np.stack(np.meshgrid(sides, sides, sides, indexing="ij"), axis=-1)
    inside = (_level(nodes.reshape(-1, 3), parts)[0] > 0.0).reshape(nodes.shape[:3])
    corners = [inside[i : i - 1 or None, j : j - 1 or None, k : k - 1 or None] for i, j, k in np.ndindex(2, 2, 2)]
    crossed = np.any(corners, axis=0) & ~np.all(corners, axis=0)
    number = np.full(crossed.shape, -1)
    number[crossed] = np.arange(crossed.sum())
    quads = []
    for axis in range(3):
        # Four cells are around every edge of the grid that crosses the surface.
        solid, cells = np.moveaxis(inside, axis, 0), np.moveaxis(number, axis, 0)
        i, j, k = np.nonzero(solid[:-1] != solid[1:])
        around = np.stack((cells[i, j - 1, k - 1], cells[i, j, k - 1], cells[i, j, k], cells[i, j - 1, k]), axis=1)
        # Moving axis 1 to the front leaves a left-handed order.
        flipped = solid[i, j, k] == (axis == 1)
        around[flipped] = around[flipped, ::-1]
        quads.append(around)
    quad = np.concatenate(quads)
    vertices = nodes[:-1, :-1, :-1][crossed] + 0.5 * cell
    mine = np.concatenate((quad, quad)).ravel()
    others = np.concatenate((np.roll(quad, 1, axis=1), np.roll(quad, -1, axis=1))).ravel()
    count = np.bincount(mine)[:, None]
    for _ in range(6):
        # Spread evenly, then back onto the surface.
        means = np.zeros(vertices.shape)
        np.add.at(means, mine, vertices[others])
        vertices = 0.5 * vertices + 0.5 * means / count
        for _ in range(3):
            level, out = _level(vertices, parts)
            vertices = vertices + level[:, None] * out
    return Mesh(vertices, np.concatenate((quad[:, (0, 1, 2)], quad[:, (0, 2, 3)])))


def _level(points: _Array, parts: list[_Part]) -> tuple[_Array, _Array]:
    """Return the approximate depth of points inside [length], shape (n,), and the unit direction outwards, shape (n, 3)."""
    total, slope = np.zeros(len(points)), np.zeros(points.shape)
    for start, end, radius in parts:
        a, axis = np.array(start), np.subtract(end, start)
        from_axis = points - a - np.clip((points - a) @ axis / (axis @ axis), 0.0, 1.0)[:, None] * axis
        far = np.maximum(np.linalg.norm(from_axis, axis=1), 1e-9)
        weight = np.exp((radius - far) / 8.0)
        total += weight
        slope += (weight / far)[:, None] * from_axis
    return 8.0 * np.log(total), slope / np.maximum(np.linalg.norm(slope, axis=1), 1e-9)[:, None]


def _softened(directions: _Array, frame: int) -> _Array:
    """Return the soft ball's vertices: each stays on its ray from the origin, so the mesh never folds."""
    time = min(max(frame / SOFT_FRAMES, 0.0), 1.0)
    settled = time * time * (3.0 - 2.0 * time)
    sway = math.sin(math.pi * time) ** 2
    x, y, z = directions.T
    reach = 1.0 + settled * (0.10 * (1.5 * z * z - 0.5) + 0.05 * (x * x - y * y))
    reach += sway * (0.07 * math.sin(5.0 * math.pi * time) * (x * x - y * y) + 0.05 * math.sin(7.0 * math.pi * time) * x * z)
    reach += sway * 0.04 * math.cos(6.0 * math.pi * time) * z
    return (_BALL * reach)[:, None] * directions
