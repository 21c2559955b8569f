"""What every comparison shares: a line of the table, and how a time is taken."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from importlib import import_module
from typing import Any

from ..errors import SweepscopeError
from ..shapes import Mesh


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; seconds a query."""

    work: str
    ours: float
    bar: str
    peers: dict[str, float | None] = field(default_factory=dict)
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


def peer(name: str) -> Any:
    """Import a peer, which only benchmarks need."""
    try:
        return import_module(name)
    except ImportError:
        raise SweepscopeError(f"bench needs {name}: pip install 'sweepscope[bench]'") from None


def fcl_model(fcl: Any, mesh: Mesh) -> Any:
    """Return a mesh as python-fcl takes it."""
    model = fcl.BVHModel()
    model.beginModel(len(mesh.vertices), len(mesh.faces))
    model.addSubModel(mesh.vertices, mesh.faces)
    model.endModel()
    return model
