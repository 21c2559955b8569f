"""Signed distance of 100,000 points from a closed mesh, compared with Open3D, which uses Embree on all cores.

First 10,000 signs are checked by exact winding numbers, and all distances against Open3D's, which are float32.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Mesh, Scene, SweepscopeError

from ..reference.point_distance import boxes_of, exact_winding
from ..scenes import bumpy_ball
from .rows import Row, best, best_of_rounds, peer

_POINTS = 100_000
_CHECKED = 10_000
_FLOAT32 = 1e-4  # of the size: error of Open3D's distances
_OURS = "sweepscope"
_PEER = "open3d"

_Array = NDArray[np.float64]


def measure(repeats: int, log: Callable[[str], None]) -> list[Row]:
    """Return the rows of the table."""
    mesh = bumpy_ball(251, 200)
    low, high = mesh.bounds
    points = np.random.default_rng(1).uniform(low - 0.1 * (high - low), high + 0.1 * (high - low), (_POINTS, 3))
    scene = Scene()
    body = scene.add(mesh)
    theirs = _Open3D(mesh.faces, points)
    log(f"{len(mesh.faces):,} triangles: checking {_CHECKED:,} signs")
    note = _check(scene, mesh, points, theirs.ask(theirs.build(mesh.vertices)))
    log("measuring")
    rounds = max(3, repeats)
    built = theirs.build(mesh.vertices)
    still = best_of_rounds({_OURS: lambda: scene.signed_distance(points), _PEER: lambda: theirs.ask(built)}, rounds)
    versions = [mesh.vertices, 1.001 * mesh.vertices]
    count = {_OURS: 0, _PEER: 0}

    def next_of(name: str) -> _Array:
        count[name] += 1
        return versions[count[name] % 2]

    def ours_changed() -> None:
        body.vertices = next_of(_OURS)
        scene.signed_distance(points[:1000])

    few = _Open3D(mesh.faces, points[:1000])
    changed = best_of_rounds({_OURS: ours_changed, _PEER: lambda: few.ask(few.build(next_of(_PEER)))}, rounds)
    near = scene.surface_distance(points).distance < 0.02 * float((high - low).max())
    close = best_of_rounds({_OURS: lambda: scene.signed_distance(points[near])}, rounds)
    single = best(lambda: [scene.signed_distance(point) for point in points[:200]], repeats) / 200
    size = f"{len(mesh.faces):,} triangles"
    return [
        Row(f"{_POINTS:,} points, {size}", still[_OURS], "3 x", {_PEER: still[_PEER]}, note),
        Row(f"1,000 points, {size}, just changed", changed[_OURS], "", {_PEER: changed[_PEER]}),
        Row(f"{int(near.sum()):,} points near the surface", close[_OURS], ""),
        Row(f"one point, {size}", single, ""),
    ]


class _Open3D:
    """The same points for Open3D, in float32."""

    def __init__(self, faces: NDArray[np.int32], points: _Array) -> None:
        open3d = peer(_PEER)
        self._scene, self._tensor = open3d.t.geometry.RaycastingScene, open3d.core.Tensor
        self._faces = self._tensor(faces.astype(np.uint32))
        self._points = self._tensor(points.astype(np.float32))

    def build(self, vertices: _Array) -> Any:
        """Return a scene; its tree is built with the first question."""
        scene = self._scene()
        scene.add_triangles(self._tensor(vertices.astype(np.float32)), self._faces)
        return scene

    def ask(self, scene: Any) -> NDArray[np.float32]:
        """Return the signed distances."""
        return scene.compute_signed_distance(self._points).numpy()


def _check(scene: Scene, mesh: Mesh, points: _Array, theirs: NDArray[np.float32]) -> str:
    """Raise if a sign or a distance is wrong; return a note."""
    found = scene.signed_distance(points)
    corners = mesh.vertices[mesh.faces]
    boxes, size = boxes_of(corners), float(np.ptp(mesh.vertices, axis=0).max())
    for k in range(_CHECKED):
        if found.inside[k] != (exact_winding(points[k], corners, boxes)[0] != 0):
            raise SweepscopeError(f"point {k} has the distance {found.distance[k]}, which has the wrong sign")
    off = float(np.abs(np.abs(found.distance) - np.abs(theirs)).max()) / size
    if off > _FLOAT32:
        raise SweepscopeError(f"Open3D and sweepscope differ by {off:.1e} of the size")
    wrong = int(((theirs < 0.0) != found.inside).sum())
    return (
        f"{_CHECKED:,} signs equal to exact winding numbers; distances equal to Open3D's to {off:.0e} of the size; "
        f"{wrong} signs of Open3D differ"
    )
