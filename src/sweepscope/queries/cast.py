"""Rays: checks the arguments, calls the kernels on threads, makes the results."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidQuery
from ..kernels.ray import rows as kernel
from ..leading import common, place
from ..results.rays import RayCrossings, RayHits
from ..threads import Progress, run_rows
from ..world.surfaces import corners_of
from .many import check_run
from .rows import answer_with_scratch

if TYPE_CHECKING:
    from ..world.body import Body
    from ..world.hierarchy import Hierarchy
    from ..world.store import Store
    from ..world.world import World

_FEW = 64  # rays: threads do not pay
_CROSSINGS = 8  # for each ray: room that is made at first
_NO_HIDDEN = np.empty(0, np.bool_)

Fields = tuple[NDArray[Any], ...]


class Rays(NamedTuple):
    """Checked rays."""

    origins: NDArray[np.float64]
    """Shape (n, 3); one row if it is the same for all."""
    directions: NDArray[np.float64]
    shape: tuple[int, ...]
    """Leading shape."""
    length: float
    """[length]; may be infinite."""
    radius: float

    @property
    def total(self) -> int:
        """Number of rays."""
        return math.prod(self.shape)


class Target(NamedTuple):
    """What rays may meet."""

    world: World
    hierarchy: Hierarchy
    hidden: NDArray[np.bool_]
    """For each body row, whether it is left out; empty: none is."""


def cast(
    store: Store,
    origins: ArrayLike,
    directions: ArrayLike,
    *,
    length: float,
    radius: float,
    ignore: Iterable[Body],
    threads: int | None,
    progress: Progress | None,
) -> RayHits:
    """Answer `Scene.cast`."""
    rays = checked_rays(origins, directions, length, radius)
    hidden = store.check_ignored(ignore)
    check_run(threads, progress)
    target = reached(store, rays, hidden)
    found = first_hits(store, target, rays, threads, progress)
    return hits_of(store, [array.reshape(rays.shape + array.shape[1:]) for array in found])


def cast_all(
    store: Store,
    origins: ArrayLike,
    directions: ArrayLike,
    *,
    length: float,
    radius: float,
    ignore: Iterable[Body],
    threads: int | None,
    progress: Progress | None,
) -> RayCrossings:
    """Answer `Scene.cast_all`."""
    rays = checked_rays(origins, directions, length, radius)
    hidden = store.check_ignored(ignore)
    check_run(threads, progress)
    target = reached(store, rays, hidden)
    counts = np.zeros(rays.total, np.int64)
    parts: dict[int, NDArray[np.float64]] = {}

    def work(first: int, last: int) -> None:
        parts[first] = _all_crossings(store, target, rays, first, last, counts[first:last])

    _run(work, rays.total, threads, progress)
    table = np.concatenate([np.empty((0, kernel.COLUMNS)), *(parts[first] for first in sorted(parts))])
    row = np.repeat(np.arange(rays.total), counts)
    table = table[np.lexsort((table[:, kernel.FACE], table[:, kernel.BODY], table[:, kernel.DISTANCE], row))]
    body, face = (table[:, column].astype(np.int64) for column in (kernel.BODY, kernel.FACE))
    triples = (table[:, column : column + 3].copy() for column in (kernel.POINT, kernel.NORMAL, kernel.WEIGHTS))
    found = hits_of(store, [table[:, kernel.DISTANCE].copy(), body, face, *triples])
    return RayCrossings(found, np.concatenate(([0], np.cumsum(counts))), rays.shape)


def checked_rays(origins: ArrayLike, directions: ArrayLike, length: Any, radius: Any) -> Rays:
    """Return rays as kernels take them, or raise."""
    places, one = _vectors(origins, "origins")
    units, other = _vectors(directions, "directions")
    shape = one if one == other else common({"origins": one, "directions": other})
    far = math.inf if isinstance(length, float) and length == math.inf else checks.length(length, "length", InvalidQuery)
    wide = checks.length(radius, "radius", InvalidQuery)
    kind, row = kernel.first_bad(places, units, checks.LARGEST)
    if kind:
        _refuse(kind, row, places, units, one, other)
    return Rays(_spread(places, one, shape), _spread(units, other, shape), shape, far, wide)


def _vectors(given: ArrayLike, name: str) -> tuple[NDArray[np.float64], tuple[int, ...]]:
    """Return a copy of vectors, shape (n, 3), and their leading shape."""
    array = checks.array(given, name, "an array of shape (..., 3)", InvalidQuery)
    if array.ndim == 0 or array.shape[-1] != 3:
        raise InvalidQuery(f"{name}: expected shape (..., 3), got {array.shape}")
    return np.array(array, np.float64, order="C").reshape(-1, 3), array.shape[:-1]


def _refuse(
    kind: int, row: int, origins: NDArray[Any], directions: NDArray[Any], one: tuple[int, ...], other: tuple[int, ...]
) -> None:
    """Raise for the ray that `first_bad` found."""
    name, rows, shape = ("origins", origins, one) if kind == 1 else ("directions", directions, other)
    where, given = f"{name}{place(row, shape)}", checks.shown(rows[row])
    if kind == 3:
        raise InvalidQuery(f"{where} is 0 0 0; it must have a direction")
    raise InvalidQuery(f"{where} is {given}; its numbers must be finite and at most {checks.LARGEST:g} in size")


def _spread(rows: NDArray[np.float64], own: tuple[int, ...], shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return a row for each of a shape; one row alone stays one."""
    if own == shape or len(rows) == 1:
        return rows
    return np.ascontiguousarray(np.broadcast_to(rows.reshape(*own, 3), (*shape, 3))).reshape(-1, 3)


def reached(store: Store, rays: Rays, hidden: list[int]) -> Target:
    """Return what rays may meet; volumes get the surface within their reach."""
    if store.surfaces.refresh() and rays.total:
        store.surfaces.make_reached(_region(store, rays), rays.radius)
    return target_of(store, hidden)


def target_of(store: Store, hidden: list[int]) -> Target:
    """Return what rays may meet, but for some body rows. `store.surfaces` has what they can reach."""
    world = store.world()
    left_out = _NO_HIDDEN
    if hidden:
        left_out = np.zeros(world.rows, np.bool_)
        left_out[hidden] = True
    return Target(world, store.hierarchy(), left_out)


def _region(store: Store, rays: Rays) -> NDArray[np.float64]:
    """Return corners of a convex region with all that rays pass on their way to any volume, world, shape (n, 3)."""
    rows = [entry.row for entry in store.surfaces.users]
    low, high = store.world().box_of(rows)
    if not low[0] <= high[0]:
        return np.zeros((1, 3))  # all volumes are empty
    far = np.linalg.norm(np.maximum(np.abs(low - rays.origins), np.abs(high - rays.origins)), axis=1) + rays.radius
    size = np.abs(rays.directions).max(axis=1, keepdims=True)
    units = rays.directions / size
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    ends = rays.origins + np.minimum(far, rays.length)[:, None] * units
    if len(ends) == 1:
        return np.concatenate((rays.origins, ends))
    both = np.minimum(rays.origins.min(axis=0), ends.min(axis=0)), np.maximum(rays.origins.max(axis=0), ends.max(axis=0))
    return corners_of(*both)


def first_hits(
    store: Store, target: Target, rays: Rays, threads: int | None = None, progress: Progress | None = None
) -> Fields:
    """Return distance, body id, face, point, normal and weights of what each ray meets first."""
    n = rays.total
    found = np.empty(n), np.empty(n, np.int64), np.empty(n, np.int64), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))

    def work(first: int, last: int) -> None:
        origins, directions = _part(rays.origins, first, last), _part(rays.directions, first, last)
        fields = [field[first:last] for field in found]
        shapes = Shapes(store)

        def answer(done: int, scratch: NDArray[np.float64]) -> int:
            while True:
                done, need = kernel.cast(
                    shapes.table, shapes.groups, *target.world[1:], *target.hierarchy, target.hidden, origins, directions,
                    rays.length, rays.radius, done, last - first, scratch, *fields,
                )  # fmt: skip
                if need < 0:
                    return done
                shapes.make(need)

        answer_with_scratch(answer, last - first)

    _run(work, n, threads, progress)
    return found


def _all_crossings(
    store: Store, target: Target, rays: Rays, first: int, last: int, counts: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return all that rays first .. last - 1 meet, a row each: columns of the kernel."""
    origins, directions = _part(rays.origins, first, last), _part(rays.directions, first, last)
    crossings = np.empty((_CROSSINGS * (last - first), kernel.COLUMNS))
    used = 0
    shapes = Shapes(store)

    def answer(done: int, scratch: NDArray[np.float64]) -> int:
        nonlocal crossings, used
        while True:
            done, need, used = kernel.cast_all(
                shapes.table, shapes.groups, *target.world[1:], *target.hierarchy, target.hidden, origins, directions,
                rays.length, rays.radius, done, last - first, scratch, used, crossings, counts,
            )  # fmt: skip
            if need == kernel.FULL:
                crossings = np.concatenate((crossings, np.empty_like(crossings)))
            elif need < 0:
                return done
            else:
                shapes.make(need)

    answer_with_scratch(answer, last - first)
    return crossings[:used]


class Shapes:
    """All shapes of a scene with their groups, as kernels take them. It keeps the arrays alive."""

    __slots__ = ("_arena", "_geometry", "groups", "table")

    def __init__(self, store: Store) -> None:
        self._arena = store.arena
        self._take(())

    def make(self, shape: int) -> None:
        """Make the groups of a shape, given by its row."""
        self._take((shape,))

    def _take(self, shapes: tuple[int, ...]) -> None:
        self._geometry, self.groups = self._arena.grouped(shapes)
        self.table = self._arena.table_of(self._geometry)


def _part(rows: NDArray[np.float64], first: int, last: int) -> NDArray[np.float64]:
    """Return a part of rows; one row alone is for all."""
    return rows if len(rows) == 1 else rows[first:last]


def _run(work: Any, count: int, threads: int | None, progress: Progress | None) -> None:
    """Call work(first, last) for runs of all rows."""
    if count > _FEW or progress is not None:
        run_rows(work, count, threads, progress)
    elif count:
        work(0, count)


def hits_of(store: Store, found: list[NDArray[Any]]) -> RayHits:
    """Return the result with these fields; weights of volumes are removed."""
    if store.surfaces:
        volumes = np.isin(found[1], [entry.id for entry in store.surfaces.users])
        found[5][volumes] = np.nan
    return RayHits(*found)
