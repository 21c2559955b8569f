"""Parts that all benchmarks share: a line of the table, timing, and the peers."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Hit, Mesh, SweepscopeError
from sweepscope.results.many import Hits

_TURNS = 10


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; times are seconds per query."""

    work: str
    ours: float
    bar: str
    peers: Mapping[str, float | None] = field(default_factory=dict)
    note: str = ""

    def plain(self) -> dict[str, Any]:
        """Return the row and its ratios as plain data."""
        ratios = {name: None if taken is None else taken / self.ours for name, taken in self.peers.items()}
        return {**asdict(self), "ratios": ratios}


def best(work: Callable[[], object], repeats: int) -> float:
    """Return the shortest of several runs [s], after one that is not counted."""
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def best_in_turns(works: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Return the shortest run of each work [s]. They run in turns, so that other load on the machine affects all of them."""
    times = dict.fromkeys(works, math.inf)
    for _ in range(_TURNS):
        for name, work in works.items():
            times[name] = min(times[name], best(work, repeats))
    return times


def best_of_rounds(works: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the shortest run of each work [s]: for work of a second, each runs once a round, after one that is not counted."""
    times = dict.fromkeys(works, math.inf)
    for work in works.values():
        work()
    for _ in range(rounds):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            times[name] = min(times[name], time.perf_counter() - start)
    return times


def directions(count: int, length: float, seed: int = 0) -> NDArray[np.float64]:
    """Return vectors of a length in random directions, shape (count, 3)."""
    vectors = np.random.default_rng(seed).normal(size=(count, 3))
    return length * vectors / np.linalg.norm(vectors, axis=1)[:, None]


def check_travels(ours: NDArray[np.float64], peer: NDArray[np.float64], size: float) -> str:
    """Raise if free travels, inf if nothing is hit, differ from rapier3d's by more than float32 explains; return a note."""
    both = np.isfinite(ours) & np.isfinite(peer)
    apart = int((np.isfinite(ours) != np.isfinite(peer)).sum())
    if apart:
        raise SweepscopeError(f"rapier3d and sweepscope disagree whether there is a hit in {apart} cases")
    off = float(np.abs(ours[both] - peer[both]).max()) / size if both.any() else 0.0
    if off > 1e-4:
        raise SweepscopeError(f"rapier3d and sweepscope differ by {off:.1e} of the scene")
    return f"{both.sum()} of {len(ours)} hit; equal to rapier3d's to {off:.0e} of the scene (it is float32)"


def check_rows(hits: Hits, rows: Iterable[int], single: Callable[[int], Hit | None]) -> None:
    """Raise unless these rows have the bits of single calls. hits: of shape (n,)."""
    for row in rows:
        one, many = single(row), hits[row]
        if (one is None) != (many is None) or _bits(one) != _bits(many):
            raise SweepscopeError(f"row {row} of many sweeps is {many}, the single sweep is {one}")


def _bits(hit: Hit | None) -> tuple[Any, ...]:
    """Return all fields of a hit, arrays as bytes: NaN equals NaN."""
    if hit is None:
        return ()
    arrays = np.asarray(hit.point).tobytes(), np.asarray(hit.normal).tobytes()
    return hit.time, hit.travel, hit.obstacle.id, hit.mover.id, hit.overlapping, hit.features, arrays


PEERS: dict[str, tuple[str, ...]] = {
    "translate": ("rapier3d", "fcl"),
    "turn": ("rapier3d", "fcl"),
    "scopes": ("open3d", "embreex"),
    "robots": ("fcl",),
    "volumes": ("rapier3d",),
    "files": ("trimesh",),
    "rays": ("trimesh", "embreex", "open3d"),
    "contacts": ("coal",),
    "many": ("rapier3d", "fcl"),
    "distance": ("coal",),
    "overlaps": ("coal",),
    "signed": ("open3d",),
    "motions": ("pinocchio", "coal", "scipy"),
}
"""The libraries that a benchmark compares with."""
_PACKAGES = {"fcl": "python-fcl", "pinocchio": "pin"}  # what pip calls a library, where that differs


def check_peers(what: str) -> None:
    """Raise if a benchmark needs a library that cannot be imported: before minutes are spent on the others."""
    missing: list[str] = []
    for name in PEERS.get(what, ()):
        try:
            peer(name)
        except ModuleNotFoundError:
            missing.append(name)
        except ImportError as problem:  # it needs a library of the system
            raise SweepscopeError(f"bench {what} compares with {name}, which cannot be imported: {problem}") from problem
    if missing:
        install = " ".join(_PACKAGES.get(name, name) for name in missing)
        raise SweepscopeError(
            f"bench {what} compares with {' and '.join(missing)}, which cannot be imported: pip install {install}"
        )


def peer(name: str) -> Any:
    """Return a library to compare with; `check_peers` has found it."""
    return import_module(name)


def fcl_model(fcl: Any, mesh: Mesh) -> Any:
    """Return a mesh as a python-fcl model."""
    model = fcl.BVHModel()
    model.beginModel(len(mesh.vertices), len(mesh.faces))
    model.addSubModel(mesh.vertices, mesh.faces)
    model.endModel()
    return model


def coal_model(coal: Any, mesh: Mesh) -> Any:
    """Return a mesh as a coal model with its tree of boxes, ready for queries."""
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(mesh.faces), len(mesh.vertices))
    model.addVertices(np.asfortranarray(mesh.vertices))
    model.addTriangles(np.asfortranarray(mesh.faces.astype(np.int32)))
    model.endModel()
    return model


def rapier_mesh(make: Any, vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> Any:
    """Return what a rapier3d function makes of a mesh; rapier3d computes in float32."""
    return make(vertices.astype(np.float32), faces.astype(np.uint32))


def rapier_world(rapier: Any, colliders: Iterable[Any]) -> Any:
    """Return a rapier3d world of colliders that is ready for queries."""
    world = rapier.PhysicsWorld()
    for collider in colliders:
        world.add_collider(collider)
    world.detect_collisions()
    world.update_query_pipeline()
    return world
