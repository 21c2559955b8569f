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

from sweepscope import Mesh, SweepscopeError

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


PEERS: dict[str, tuple[str, ...]] = {
    "translate": ("rapier3d", "fcl"),
    "turn": ("rapier3d", "fcl"),
    "scopes": ("open3d", "embreex"),
    "robots": ("fcl",),
    "volumes": ("rapier3d",),
    "files": ("trimesh",),
}
"""The libraries that a benchmark compares with."""
_PACKAGES = {"fcl": "python-fcl"}  # what pip calls a library, where that differs


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
