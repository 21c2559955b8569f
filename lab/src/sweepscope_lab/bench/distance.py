"""Distances of two meshes, compared with coal: the same meshes and poses, one process and thread. Answers are checked first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Box, Mesh, Scene, Sphere, SweepscopeError

from ..reference.vectors import random_rotation
from ..scenes import bumpy_ball
from .rows import Row, best, coal_model, peer

_POSES = 60
_ERROR = 1e-9  # of the size


class _CoalPair:
    """Two meshes as coal's models."""

    def __init__(self, coal: Any, first: Any, second: Mesh) -> None:
        """first: a mesh as coal's model."""
        self._coal = coal
        self._models = first, coal_model(coal, second)
        self._request = coal.DistanceRequest(True)
        self._home = coal.Transform3s()

    def place(self, pose: NDArray[np.float64]) -> Any:
        """Return a pose of the first mesh."""
        return self._coal.Transform3s(np.ascontiguousarray(pose[:3, :3]), np.ascontiguousarray(pose[:3, 3]))

    def distance(self, place: Any) -> float:
        """Return the distance; 0 if they overlap."""
        result = self._coal.DistanceResult()
        self._coal.distance(self._models[0], place, self._models[1], self._home, self._request, result)
        return max(0.0, result.min_distance)


def _poses(rng: np.random.Generator, near: float) -> NDArray[np.float64]:
    """Return poses at least `near` from the origin, and sometimes much farther, shape (n, 4, 4)."""
    poses = np.tile(np.eye(4), (_POSES, 1, 1))
    for pose in poses:
        away = rng.normal(size=3)
        pose[:3, :3] = random_rotation(rng)
        pose[:3, 3] = away * ((near + rng.exponential(0.25 * near)) / np.linalg.norm(away))
    return poses


def _rows(coal: Any, rows: int, columns: int, repeats: int) -> list[Row]:
    first, second = (bumpy_ball(rows, columns, 1.0, seed) for seed in (3, 4))
    rng = np.random.default_rng(2)
    poses = _poses(rng, 2.6)
    scene = Scene()
    mover, other = scene.add(first), scene.add(second)
    model = coal_model(coal, first)
    rival = _CoalPair(coal, model, second)
    places = [rival.place(pose) for pose in poses]
    ours, theirs, off = [], [], 0.0
    for pose, place in zip(poses, places, strict=True):
        mover.pose = pose
        found = scene.distance(mover, other)
        off = max(off, abs(found.distance - rival.distance(place)))
        ours.append(best(lambda: scene.distance(mover, other), 2 * repeats))
        theirs.append(best(lambda place=place: rival.distance(place), 2 * repeats))
    if off > _ERROR * 2.0:
        raise SweepscopeError(f"coal and sweepscope differ by {off:.1e}")
    many = best(lambda: scene.distance_many(mover, poses, other, threads=1), repeats) / len(poses)
    name = f"distance, {len(first.faces):,} triangles each"
    note = f"medians of {_POSES} poses, equal to {off:.0e}; means {_us(ours)} and {_us(theirs)} us; as rows {1e6 * many:.0f} us"
    result = [Row(f"{name}, nothing changed", float(np.median(ours)), "4 x", {"coal": float(np.median(theirs))}, note)]
    changed = [second.vertices + 0.001 * k for k in range(4)]
    mover.pose = poses[0]

    def ours_changed() -> None:
        for vertices in changed:
            other.vertices = vertices
            scene.distance(mover, other)

    def theirs_changed() -> None:
        for vertices in changed:
            _CoalPair(coal, model, Mesh(vertices, second.faces)).distance(places[0])

    ours_each, theirs_each = (best(work, repeats) / len(changed) for work in (ours_changed, theirs_changed))
    return [*result, Row(f"{name}, one just changed", ours_each, "50 x", {"coal": theirs_each})]


def _us(times: list[float]) -> str:
    return f"{1e6 * float(np.mean(times)):.0f}"


def _small_row(coal: Any, repeats: int) -> Row:
    scene = Scene()
    scene.add(Box((10.0, 10.0, 0.2)))
    ball = scene.add(Sphere(0.5), (0.0, 0.0, 3.0))
    floor = next(iter(scene))
    runs = 1000
    shapes, places = (coal.Box(10.0, 10.0, 0.2), coal.Sphere(0.5)), (coal.Transform3s(), coal.Transform3s())
    places[1].setTranslation(np.array((0.0, 0.0, 3.0)))
    request = coal.DistanceRequest(True)

    def ours() -> None:
        for _ in range(runs):
            scene.distance(ball, floor)

    def theirs() -> None:
        for _ in range(runs):
            coal.distance(shapes[0], places[0], shapes[1], places[1], request, coal.DistanceResult())

    return Row(
        "one call: ball, floor", best(ours, repeats) / runs, "", {"coal": best(theirs, repeats) / runs}, "our call is Python"
    )


def measure(repeats: int, say: Callable[[str], object]) -> list[Row]:
    """Run everything and return the rows; `say` gets a line of text as work proceeds."""
    coal = peer("coal")
    result = []
    for rows, columns in ((72, 71), (160, 159)):
        say(f"{2 * columns * (rows - 1):,} triangles each ...")
        result += _rows(coal, rows, columns, repeats)
    return [*result, _small_row(coal, repeats)]
