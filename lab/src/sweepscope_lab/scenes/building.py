"""A building for clash tests: walls, slabs, columns, pipes, ducts and fittings, most flush or clear, some in each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sweepscope import Box, Mesh, Scene, Shape

_FLOOR = 3.2  # height of a storey [m]
_BAY = 5.0
_SLAB = 0.25
_WALL = 0.2


def pipe(radius: float, length: float, sections: int) -> Mesh:
    """Return a pipe along x with a wall of a tenth of its radius: closed, with a bore."""
    turn = 2.0 * np.pi * np.arange(sections) / sections
    ring = np.column_stack((np.cos(turn), np.sin(turn)))
    points = [
        np.column_stack((np.full(sections, x), r * ring)) for r in (radius, 0.9 * radius) for x in (-0.5 * length, 0.5 * length)
    ]
    i = np.arange(sections)
    j = (i + 1) % sections
    a, b, c, d = (k * sections for k in range(4))
    quads = np.concatenate(
        [
            np.column_stack(each)
            for each in (
                (a + i, b + i, b + j, a + j), (c + j, d + j, d + i, c + i), (a + i, a + j, c + j, c + i),
                (b + j, b + i, d + i, d + j),
            )
        ]
    )  # fmt: skip
    return Mesh(np.concatenate(points), np.concatenate((quads[:, :3], quads[:, [0, 2, 3]])))


def building(storeys: int = 14, bays: int = 10, seed: int = 0) -> Scene:
    """Return a building: 14 storeys of 10 x 10 bays have about 7,000 bodies of 12 to 512 triangles, in groups by trade."""
    rng = np.random.default_rng(seed)
    scene = Scene()
    side = bays * _BAY
    wall, cross = Box((_BAY - _WALL, _WALL, _FLOOR - _SLAB)), Box((_WALL, _BAY - _WALL, _FLOOR - _SLAB))
    socket = Box((0.1, 0.1, 0.1))
    column = Box((_WALL, _WALL, _FLOOR - _SLAB))
    slab = Box((_BAY, _BAY, _SLAB))
    ducts = [pipe(0.25, 2.0 * _BAY, 16), Mesh.box((2.0 * _BAY, 0.5, 0.3))]
    pipes = [pipe(radius, length, sections) for radius, length, sections in ((0.03, 4.5, 8), (0.05, 9.0, 12), (0.08, 4.0, 64))]
    fittings = [Mesh.sphere(0.12, rows=12, sections=22), Mesh.cylinder(0.1, 0.3, sections=24)]
    placed: dict[str, list[tuple[Shape, NDArray[np.float64]]]] = {"structure": [], "services": [], "fittings": []}
    for storey in range(storeys):
        z = storey * _FLOOR
        middle = z + 0.5 * (_FLOOR - _SLAB)
        for i in range(bays):
            for j in range(bays):
                x, y = (i + 0.5) * _BAY, (j + 0.5) * _BAY
                placed["structure"].append((slab, _at(x, y, z - 0.5 * _SLAB)))
                placed["structure"].append((column, _at(x - 0.5 * _BAY, y - 0.5 * _BAY, middle)))
                if rng.random() < 0.5:
                    placed["structure"].append((wall, _at(x, y - 0.5 * _BAY, middle)))
                    if rng.random() < 0.1:
                        placed["fittings"].append((socket, _at(x, y - 0.5 * _BAY, middle)))
                if rng.random() < 0.5:
                    placed["structure"].append((cross, _at(x - 0.5 * _BAY, y, middle)))
        for _ in range(bays * bays):
            shape = pipes[rng.integers(0, len(pipes))] if rng.random() < 0.8 else ducts[rng.integers(0, len(ducts))]
            x, y = rng.uniform(0.5, side - 0.5, 2)
            place = _at(x, y, z + _FLOOR - _SLAB - rng.uniform(0.2, 0.9))
            place[:3, :3] = _quarter(int(rng.integers(0, 2))) if rng.random() < 0.9 else _upright()
            placed["services"].append((shape, place))
            if rng.random() < 0.02:  # modeled twice
                placed["services"].append((shape, place))
        for _ in range(bays * bays):
            shape = fittings[rng.integers(0, len(fittings))]
            x, y = rng.uniform(0.5, side - 0.5, 2)
            placed["fittings"].append((shape, _at(x, y, z + rng.uniform(0.2, 2.5))))
    for group, bodies in placed.items():
        names = [f"{group} {k}" for k in range(len(bodies))]
        scene.add_many([shape for shape, _ in bodies], np.array([pose for _, pose in bodies]), names=names, group=group)
    return scene


def _at(x: float, y: float, z: float) -> NDArray[np.float64]:
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def _quarter(turns: int) -> NDArray[np.float64]:
    """Return the rotation by quarter turns about z."""
    c, s = ((1.0, 0.0), (0.0, 1.0))[turns]
    return np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))


def _upright() -> NDArray[np.float64]:
    """Return the rotation of x to z."""
    return np.array(((0.0, 0.0, -1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)))
