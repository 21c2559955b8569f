"""Height of a body above the ground, from both surfaces seen from above. Shares no code with the sweep.

The vertical distance of two triangle meshes is linear wherever neither changes its triangle. So its least value is at a vertex
of the body, at a vertex of the ground, or where edges of both cross, seen from above.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sweepscope import Mesh

_FLAT = 1e-14  # share of a triangle's or a crossing's extent: seen edge-on from above


class Clearance:
    """Measures a body's mesh above ground with one height at each place."""

    def __init__(self, body: Mesh, ground: Mesh) -> None:
        self._local = body.vertices
        self._faces, self._edges = body.faces, edges_of(body)
        self._ground = ground.vertices
        self._ground_faces, self._ground_edges = ground.faces, edges_of(ground)
        corners = self._ground[self._ground_faces][:, :, :2]
        self._face_low, self._face_high = corners.min(axis=1), corners.max(axis=1)
        ends = self._ground[self._ground_edges][:, :, :2]
        self._edge_low, self._edge_high = ends.min(axis=1), ends.max(axis=1)

    def of(self, pose: NDArray[np.float64]) -> float:
        """Return the least vertical distance [length] of the body at a pose, shape (4, 4), from the ground.

        Below zero a part is under the ground, by at most this much square to the surface; infinity beside the ground.
        """
        places = self._local @ pose[:3, :3].T + pose[:3, 3]
        low, high = places[:, :2].min(axis=0), places[:, :2].max(axis=0)
        faces = self._ground_faces[_meet(self._face_low, self._face_high, low, high)]
        edges = self._ground_edges[_meet(self._edge_low, self._edge_high, low, high)]
        corners = np.unique(faces)
        over = _above(places, self._ground[faces])
        under = -_above(self._ground[corners], places[self._faces])
        across = _crossing(places[self._edges], self._ground[edges])
        least = [part.min() for part in (over, under, across) if part.size]
        return float(min(least)) if least else np.inf


def edges_of(mesh: Mesh) -> NDArray[np.int32]:
    """Return the edges of a mesh, each once, shape (k, 2)."""
    sides = np.sort(mesh.faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    return np.unique(sides, axis=0)


def _meet(lows: NDArray[np.float64], highs: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]):
    """Return which boxes meet the box low..high, shape (k,)."""
    return ((lows <= high) & (highs >= low)).all(axis=1)


def _above(points: NDArray[np.float64], triangles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return heights of points (n, 3) above the triangles (m, 3, 3) that are above or below them, in one row."""
    a, u, v = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    twice = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    size = (np.abs(u[:, :2]).max(axis=1, initial=0.0) + np.abs(v[:, :2]).max(axis=1, initial=0.0)) ** 2
    kept = np.abs(twice) > _FLAT * size
    a, u, v, twice = a[kept], u[kept], v[kept], twice[kept]
    x, y = points[:, None, 0] - a[:, 0], points[:, None, 1] - a[:, 1]
    s = (x * v[:, 1] - y * v[:, 0]) / twice
    t = (y * u[:, 0] - x * u[:, 1]) / twice
    height = points[:, None, 2] - (a[:, 2] + s * u[:, 2] + t * v[:, 2])
    return height[(s >= 0.0) & (t >= 0.0) & (s + t <= 1.0)]


def _crossing(upper: NDArray[np.float64], lower: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return heights of segments (n, 2, 3) above segments (m, 2, 3) where they cross, seen from above, in one row."""
    a, u = upper[:, None, 0], (upper[:, 1] - upper[:, 0])[:, None]
    b, v = lower[None, :, 0], (lower[:, 1] - lower[:, 0])[None]
    turn = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
    w = b[..., :2] - a[..., :2]
    with np.errstate(divide="ignore", invalid="ignore"):
        s = (w[..., 0] * v[..., 1] - w[..., 1] * v[..., 0]) / turn
        t = (w[..., 0] * u[..., 1] - w[..., 1] * u[..., 0]) / turn
        crossed = (s >= 0.0) & (s <= 1.0) & (t >= 0.0) & (t <= 1.0)
        height = a[..., 2] + s * u[..., 2] - (b[..., 2] + t * v[..., 2])
    return height[crossed & np.isfinite(height)]
