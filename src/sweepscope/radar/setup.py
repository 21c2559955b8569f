"""Setup of a radar: its movers and options."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.layout import POSITION
from ..kernels.tolerances import TOUCH_SIZE, contact_tolerance
from ..queries.look import check_count
from ..scene import Scene, store_of
from ..world.body import Body, Entry, entry_of
from ..world.store import rows_of

if TYPE_CHECKING:
    from ..results import Method
    from ..results.scopes import Backend
    from ..world.store import Store

SEAM = 1e-9  # a bounding view is wider than the mover by this fraction, so that its outline lies inside


@dataclass(frozen=True)
class Setup:
    """A radar's checked options."""

    store: Store
    movers: tuple[Entry, ...]
    pixels: tuple[int, int]
    """Columns and rows."""
    method: Method
    max_size: float | None
    backend: Backend = "cpu"

    @property
    def bounding(self) -> bool:
        """True if pixels hold bounds of the gaps in them, not samples."""
        return self.method == "bounding"

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """Body rows of the movers."""
        return rows_of(self.movers)

    def __reduce__(self) -> tuple[Any, ...]:
        # The scene first: bodies are references, and find it in the same pickle.
        movers = tuple(mover.body for mover in self.movers)
        return _setup, (self.store.scene, movers, self.pixels, self.method, self.max_size, self.backend)

    def update(self, ignored: Iterable[Body]) -> list[int]:
        """Check the scene and bring its volumes up to date before a probe; return the body rows that it ignores."""
        check_count(len(self.store.rows))
        rows = self.store.check_ignored(ignored)
        self.store.check_drawn(rows)
        if self.store.surfaces.refresh():
            self.store.surfaces.make_whole(self.movers)
        self.store.check_tolerance(self.rows)
        return rows

    def touch(self, diagonal: float) -> float:
        """Return the distance below which surfaces touch [length]; diagonal: of the movers' box."""
        tolerance = self.store.tolerance
        if self.bounding and tolerance >= 0.0:
            # A bounding view leaves out what is thinner than this: a coarse tolerance must not hide obstacles.
            tolerance = min(tolerance, TOUCH_SIZE * diagonal)
        x, y, z = self.store.world().poses[self.movers[0].row, POSITION : POSITION + 3].tolist()
        return contact_tolerance(tolerance, diagonal, max(abs(x), abs(y), abs(z)))

    def rim(self, touch: float, sizes: tuple[float, float], pixel: tuple[float, float]) -> float:
        """Return how far a body must reach into the sides of a view to count [length]; 0 unless bounding."""
        return min(2.0 * touch + SEAM * max(sizes), 0.25 * min(pixel)) if self.bounding else 0.0


def _setup(
    scene: Scene,
    movers: tuple[Body, ...],
    pixels: tuple[int, int],
    method: Method,
    max_size: float | None,
    backend: Backend,
) -> Setup:
    """Return a copied or unpickled setup."""
    return Setup(store_of(scene), tuple(map(entry_of, movers)), pixels, method, max_size, backend)
