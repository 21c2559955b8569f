"""Distances of points: check the arguments, call the kernel, make the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks, leading
from ..errors import InvalidGeometry, InvalidQuery
from ..kernels import layout as at
from ..results.points import PointDistances
from ..shapes.topology import topology_of
from ..threads import Progress, run_rows
from ..world.hierarchy import NO_HIERARCHY
from ..world.store import rows_of
from .closed import why_open
from .many import check_run
from .order import near_first
from .rows import make_ready

if TYPE_CHECKING:
    from ..world.body import Body, Entry
    from ..world.store import Store

_EXPECTED = "points of shape (..., 3)"
_FEW = 8  # points that are answered in the order in which they are given


def signed_distance(
    store: Store,
    points: ArrayLike,
    bodies: Body | Sequence[Body] | None,
    *,
    signed: bool,
    radius: ArrayLike,
    threads: int | None,
    progress: Progress | None,
) -> PointDistances:
    """Answer `Scene.signed_distance`, or without signs `Scene.surface_distance`."""
    given = checks.array(points, "points", _EXPECTED, InvalidQuery)
    if given.shape[-1:] != (3,):
        raise InvalidQuery(f"points: expected {_EXPECTED}, got {given.shape}")
    shape = given.shape[:-1]
    rows = np.array(given, np.float64, order="C").reshape(-1, 3)  # a copy: kernels are compiled for writable arrays
    leading.refuse_not_finite(rows, shape, "points", InvalidQuery)
    radii = _radii(radius, shape)
    entries = list(store.entries.values()) if bodies is None else store.check_movers(bodies, "bodies")
    check_run(threads, progress)
    if signed:
        for entry in entries:
            _check_closed(entry)
    answers = _answer(store, entries, bodies is None, rows, signed, threads, progress)
    undecided = np.flatnonzero(np.isnan(answers[:, at.POINT_DISTANCE]))
    if len(undecided):
        raise InvalidQuery(
            f"points{leading.place(int(undecided[0]), shape)}: every ray from it passes too near to an edge to count crossings"
        )
    distance = answers[:, at.POINT_DISTANCE].reshape(shape) - radii
    known = answers[:, at.POINT_BODY] >= 0
    ids = np.full(len(answers), -1, np.int64)
    ids[known] = store.world().bodies[answers[known, at.POINT_BODY].astype(np.int64), at.ID]
    feature = answers[:, at.POINT_FEATURE].astype(np.int8)
    return PointDistances(
        np.asarray(distance if signed else np.maximum(distance, 0.0)),
        answers[:, at.POINT_NEAREST : at.POINT_NEAREST + 3].reshape(*shape, 3),
        answers[:, at.POINT_NORMAL : at.POINT_NORMAL + 3].reshape(*shape, 3),
        ids.reshape(shape),
        answers[:, at.POINT_FACE].astype(np.int32).reshape(shape),
        np.where(known, 1 + (feature >= 3) + (feature >= 6), -1).astype(np.int8).reshape(shape),
    )


def _radii(radius: ArrayLike, shape: leading.Shape) -> Any:
    """Return radii that broadcast to the leading shape of the points."""
    if isinstance(radius, (int, float)):
        return checks.length(radius, "radius", InvalidQuery)
    given = np.asarray(checks.array(radius, "radius", "a number, or an array of shape (...)", InvalidQuery), np.float64)
    if leading.common({"points": shape, "radius": given.shape}) != shape:
        raise InvalidQuery(f"radius: expected a number, or an array of shape {shape} as the points, got shape {given.shape}")
    leading.refuse_not_finite(given.reshape(-1), given.shape, "radius", InvalidQuery)
    below = np.flatnonzero(given.reshape(-1) < 0.0)
    if len(below):
        row = int(below[0])
        raise InvalidQuery(f"radius{leading.place(row, given.shape)} is {given.reshape(-1)[row]}; it must not be negative")
    return given


def _check_closed(entry: Entry) -> None:
    """Raise if a body has triangles, but no inside."""
    shape = entry.shape
    if entry.volume is not None:
        return
    hint = "leave it out by bodies=[...], or use scene.surface_distance"
    if topology_of(shape).closed:
        if shape.solid is False:
            raise InvalidGeometry(f"body {entry.name!r} has no inside: it was made with solid=False; {hint}")
    elif (shape.faces[:, 1] != shape.faces[:, 2]).any():
        raise InvalidGeometry(f"body {entry.name!r} has no inside: {why_open(shape)}; {hint}")


def _answer(
    store: Store,
    entries: list[Entry],
    all_bodies: bool,
    points: NDArray[np.float64],
    signed: bool,
    threads: int | None,
    progress: Progress | None,
) -> NDArray[np.float64]:
    """Return the answers of points, shape (n, POINT_ANSWER)."""
    from ..kernels.near import points as kernel

    if store.surfaces.refresh():
        store.surfaces.make_whole(entries)
    targets = rows_of(entries) if entries else np.empty(0, np.int64)
    world = make_ready(store, targets.tolist())
    shapes = np.unique(world.bodies[targets, at.SHAPE])
    geometry, groups = store.arena.grouped(shapes.tolist())
    table = store.arena.table_of(geometry)
    answers = np.empty((len(points), at.POINT_ANSWER))
    hierarchy = store.hierarchy() if all_bodies else NO_HIERARCHY
    order = np.arange(len(points)) if len(points) <= _FEW else near_first(points)

    def work(first: int, last: int) -> None:
        kernel.answer(
            table, groups, world.bodies, world.poses, world.boxes, *hierarchy, targets, points, order, first, last, signed,
            answers,
        )  # fmt: skip

    run_rows(work, len(points), threads, progress)
    return answers
