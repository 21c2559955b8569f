"""Random rays into a mesh, compared with Embree: through trimesh (embreex, one thread) and through Open3D (two threads).

Embree computes in float32. Vertices and rays are rounded to float32 first, so all see the same mesh and the same rays. Answers
are compared first: a ray meets the same triangle, or another one at a distance that float32 does not tell apart. In trimesh,
`intersects_first` returns triangles alone; `intersects_location` also returns points, as `Scene.cast` does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Mesh, Scene, SweepscopeError
from sweepscope.results import RayHits

from ..scenes import bumpy_ball
from .rows import Row, best, best_of_rounds, peer

_RAYS = 100_000
_FLOAT32 = 1e-5  # Embree's distances are right up to this share of the scene
_UNLIKE = 1e-4  # share of rays that float32 may let pass an edge on the other side
_THREADS = 2


def rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return numbers rounded to float32, as float64."""
    return values.astype(np.float32).astype(np.float64)


def random_rays(count: int, seed: int = 0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return origins on a sphere of radius 3, and directions to somewhere near its center, shape (count, 3); float32 each."""
    rng = np.random.default_rng(seed)
    origins = rng.normal(size=(count, 3))
    origins *= 3.0 / np.linalg.norm(origins, axis=1)[:, None]
    directions = 0.6 * rng.normal(size=(count, 3)) - origins
    return rounded(origins), rounded(directions / np.linalg.norm(directions, axis=1)[:, None])


def check_hits(ours: RayHits, faces: NDArray[Any], distances: NDArray[np.float64], size: float) -> str:
    """Raise if rays of a peer meet other things than ours; return a note. faces: -1 where it meets nothing."""
    met, both = faces >= 0, (faces >= 0) & ours.hit
    off = float(np.abs(ours.distance[both] - distances[both]).max()) / size if both.any() else 0.0
    unlike = int((met != ours.hit).sum())
    elsewhere = int((ours.face[both] != faces[both]).sum())
    if unlike > _UNLIKE * len(faces):
        raise SweepscopeError(f"Embree and sweepscope disagree whether {unlike} of {len(faces)} rays meet anything")
    if off > _FLOAT32:
        raise SweepscopeError(f"distances of Embree and sweepscope differ by {off:.1e} of the scene")
    return (
        f"{both.sum():,} of {len(faces):,} hit; distances equal Embree's to {off:.0e} of the scene (it is float32); at "
        f"an edge it names the triangle beside ours in {elsewhere}; {unlike} pass the outline on the other side"
    )


class _Embree:
    """Embree through trimesh."""

    def __init__(self, mesh: Mesh) -> None:
        self._trimesh, self._ray = peer("trimesh"), peer("trimesh.ray.ray_pyembree")
        self._faces = mesh.faces
        self.build(mesh.vertices)

    def build(self, vertices: NDArray[np.float64]) -> None:
        """Build the tree of a mesh with new vertices."""
        mesh = self._trimesh.Trimesh(vertices, self._faces, process=False, validate=False)
        self._made = self._ray.RayMeshIntersector(mesh)

    def first(self, origins: NDArray[np.float64], directions: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the first triangle of each ray; -1: none."""
        return self._made.intersects_first(origins, directions)

    def locations(self, origins: NDArray[np.float64], directions: NDArray[np.float64]) -> Any:
        """Return points, rays and triangles of the first hits."""
        return self._made.intersects_location(origins, directions, multiple_hits=False)


class _Open3D:
    """Embree through Open3D."""

    def __init__(self, mesh: Mesh) -> None:
        open3d = peer("open3d")
        self._tensor = open3d.core.Tensor
        self._scene = open3d.t.geometry.RaycastingScene(nthreads=_THREADS)
        self._scene.add_triangles(self._tensor(mesh.vertices.astype(np.float32)), self._tensor(mesh.faces.astype(np.uint32)))

    def cast(self, rays: Any) -> Any:
        """Cast rays, shape (n, 6), on two threads."""
        return self._scene.cast_rays(rays, nthreads=_THREADS)

    def rays(self, origins: NDArray[np.float64], directions: NDArray[np.float64]) -> Any:
        """Return rays as Open3D takes them."""
        return self._tensor(np.hstack((origins, directions)).astype(np.float32))


def _changed_row(body: Body, embree: _Embree, count: int, repeats: int) -> Row:
    """Return how long rays into a mesh take that has just changed."""
    scene = body.scene
    origins, directions = random_rays(count, 1)
    before = body.vertices
    meshes = [rounded(before * (1.0 + 1e-3 * k)) for k in range(4)]

    def ours() -> None:
        for vertices in meshes:
            body.vertices = vertices
            scene.cast(origins, directions, threads=1)

    def theirs() -> None:
        for vertices in meshes:
            embree.build(vertices)
            embree.first(origins, directions)

    row = Row(
        f"{count:,} rays, mesh just changed",
        best(ours, repeats) / len(meshes),
        "20 x",
        {"Embree (trimesh), rebuilt": best(theirs, repeats) / len(meshes)},
    )
    body.vertices = before
    embree.build(before)
    return row


def measure(repeats: int, say: Callable[[str], object]) -> list[Row]:
    """Run everything and return the rows; `say` gets a line of text as work proceeds."""
    ball = bumpy_ball(225, 223, 1.0)
    mesh = Mesh(rounded(ball.vertices), ball.faces)
    scene = Scene()
    body = scene.add(mesh)
    origins, directions = random_rays(_RAYS)
    say(f"{_RAYS:,} rays into {len(mesh.faces):,} triangles ...")
    embree, other = _Embree(mesh), _Open3D(mesh)
    rays = other.rays(origins, directions)
    found = other.cast(rays)
    ids = found["primitive_ids"].numpy().astype(np.int64)
    ids[~np.isfinite(found["t_hit"].numpy())] = -1
    ours = scene.cast(origins, directions)
    note = check_hits(ours, ids, found["t_hit"].numpy().astype(np.float64), 3.0)
    check_hits(ours, embree.first(origins, directions), np.where(ids >= 0, ours.distance, np.inf), 3.0)
    times = best_of_rounds(
        {
            "one": lambda: scene.cast(origins, directions, threads=1),
            "two": lambda: scene.cast(origins, directions, threads=_THREADS),
            "first": lambda: embree.first(origins, directions),
            "locations": lambda: embree.locations(origins, directions),
            "open3d": lambda: other.cast(rays),
        },
        max(3, repeats),
    )
    name = f"{_RAYS:,} rays into {len(mesh.faces):,} triangles"
    rows = [
        Row(
            f"{name}, one thread",
            times["one"],
            "1 x",
            {"Embree (trimesh), points": times["locations"], "Embree (trimesh), triangles": times["first"]},
            f"{note}; {1e9 * times['one'] / _RAYS:.0f} ns a ray",
        ),
        Row(f"{name}, {_THREADS} threads", times["two"], "0.25 x", {"Embree (Open3D)": times["open3d"]}),
    ]
    say("changed meshes ...")
    rows += [_changed_row(body, embree, count, repeats) for count in (100, 10_000, _RAYS)]
    say("single rays ...")
    runs = 1000

    def singly() -> None:
        for _ in range(runs):
            scene.cast(origins[0], directions[0])

    rows.append(Row("one call, one ray", best(singly, repeats) / runs, "12 us"))
    return rows
