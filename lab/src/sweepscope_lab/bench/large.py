"""Large shapes: what the first use of millions of triangles, points or voxels costs. Nobody is compared with.

Each time is of a fresh shape: order of faces, parts and index are worked out once and then kept. Answers are checked first,
on a torus whose distances are known.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Mesh, PointCloud, Scene, Sphere, SweepscopeError, Translate, Volume

from .rows import Row

_STEPS = 1582  # quads around the torus, either way
_RING, _TUBE, _BALL = 10.0, 4.0, 0.1
_POINTS = 1_000_000
_VOXELS = 512
_INSIDE = (_RING, 0.0, 0.0)
_UP = Translate((0.0, 0.0, 3.0 * _TUBE))

Arrays = tuple[NDArray[np.float64], NDArray[np.int64]]


def torus(steps: int) -> Arrays:
    """Return vertices and faces of a torus about z: 2 steps^2 triangles."""
    angle = np.linspace(0.0, 2.0 * math.pi, steps, endpoint=False)
    around, across = (grid.ravel() for grid in np.meshgrid(angle, angle, indexing="ij"))
    out = _RING + _TUBE * np.cos(across)
    vertices = np.stack((out * np.cos(around), out * np.sin(around), _TUBE * np.sin(across)), axis=1)
    here = np.arange(steps)
    there = (here + 1) % steps
    a, b = (here[:, None] * steps + here).ravel(), (there[:, None] * steps + here).ravel()
    c, d = (there[:, None] * steps + there).ravel(), (here[:, None] * steps + there).ravel()
    return vertices, np.concatenate((np.stack((a, b, c), axis=1), np.stack((a, c, d), axis=1)))


def _scene(arrays: Arrays, solid: bool | None = None) -> tuple[Scene, Any, Any]:
    """Return a scene of a torus and a ball inside its tube, the ball, the torus."""
    scene = Scene()
    ball = scene.add(Sphere(_BALL), _INSIDE)
    return scene, ball, scene.add(Mesh(*arrays, solid=solid))


def _check(arrays: Arrays) -> None:
    """Raise unless a ball inside is stopped at once, by the tube if that is a room, and a ball in the hole by nothing."""
    scene, ball, _ = _scene(arrays)
    hit = scene.sweep(ball, _UP)
    if hit is None or hit.travel != 0.0:
        raise SweepscopeError(f"a ball inside the torus: {hit}")
    ball.pose = (0.0, 0.0, 0.0)
    if scene.sweep(ball, _UP) is not None:
        raise SweepscopeError("a ball in the hole of the torus is stopped")
    for scale in (1.0, 1.01):
        room, inside, tube = _scene(arrays, solid=False)
        tube.vertices = scale * arrays[0]
        inside.pose = (scale * _RING, 0.0, 0.0)
        hit = room.sweep(inside, _UP)
        if hit is None or abs(hit.travel - (scale * _TUBE - _BALL)) > 1e-4:
            raise SweepscopeError(f"a ball in a tube of {scale * _TUBE}: {hit}")


def _shortest(prepare: Callable[[], Callable[[], object]], repeats: int) -> float:
    """Return the shortest time [s] of work that is prepared anew each time."""
    times = []
    for _ in range(repeats):
        work = prepare()
        start = time.perf_counter()
        kept = work()
        times.append(time.perf_counter() - start)
        del kept
    return min(times)


def _mesh_rows(name: str, arrays: Arrays, bars: tuple[str, str, str], repeats: int) -> list[Row]:
    moved = 1.01 * arrays[0]

    def adding() -> Callable[[], object]:
        scene = Scene()
        return lambda: scene.add(Mesh(*arrays))

    def starting() -> Callable[[], object]:
        scene, ball, _ = _scene(arrays)
        return lambda: scene.sweep(ball, _UP)

    def changing() -> Callable[[], object]:
        _, _, body = _scene(arrays)
        return lambda: setattr(body, "vertices", moved)

    return [
        Row(f"{name}: made and added", _shortest(adding, repeats), bars[0]),
        Row(f"{name}: the first sweep, from inside", _shortest(starting, repeats), bars[1]),
        Row(f"{name}: its first new vertices", _shortest(changing, repeats), bars[2]),
    ]


def measure(repeats: int, say: Callable[[str], None]) -> list[Row]:
    """Return the rows of the table; say: reports progress."""
    small = torus(100)
    _check(small)
    vertices, faces = torus(_STEPS)
    _check((vertices, faces))
    say(f"a ball in a torus of {len(faces):,} triangles meets what it should")
    rows = _mesh_rows(f"{len(faces):,} triangles", (vertices, faces), ("1.2 s", "2.5 s", "100 ms"), repeats)
    soup = vertices[faces].reshape(-1, 3), np.arange(3 * len(faces)).reshape(-1, 3)
    rows += _mesh_rows("the same, every vertex repeated", soup, ("", "2.5 s", ""), repeats)
    rng = np.random.default_rng(0)
    points = rng.normal(size=(_POINTS, 3))
    alpha = rng.random((_VOXELS,) * 3, dtype=np.float32) - np.float32(0.5)
    if Volume(alpha).count != np.count_nonzero(alpha > 0.0):
        raise SweepscopeError("the voxels above the threshold are miscounted")
    rows += [
        Row(
            f"{_POINTS:,} points: made and added", _shortest(lambda: lambda: Scene().add(PointCloud(points, 0.01)), repeats), ""
        ),
        Row(f"{_VOXELS}^3 opacities, float32: Volume(alpha)", _shortest(lambda: lambda: Volume(alpha), repeats), ""),
    ]
    return rows
