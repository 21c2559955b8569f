"""Changes of many bodies at once: all that is given is checked first, then one kernel call writes it. Errors name the index."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry, InvalidQuery
from ..foreign import as_numpy
from ..kernels import layout
from ..shapes.given import can_deform, is_shape, shape_of
from .body import Body, Entry, entries_of, held
from .store import check_count, check_live, sound_points
from .world import body_kernels

if TYPE_CHECKING:
    from .store import Store


def add_many(store: Store, shapes: Any, poses: Any, names: Any, group: str) -> list[Body]:
    """Answer `Scene.add_many`."""
    if is_shape(shapes):
        shapes = shape_of(shapes, "shapes")
        poses = checks.items(poses, "poses", "a pose for each body")
        chosen = [shapes] * len(poses)
    else:
        given = checks.items(shapes, "shapes", "shapes, or one for all poses")
        chosen = [shape_of(shape, f"shapes[{k}]") for k, shape in enumerate(given)]
    matrices = _rigid(np.eye(4) if poses is None else poses, len(chosen))
    labels = [None] * len(chosen) if names is None else _names(store, names, len(chosen))
    number = store.check_group(group)
    entries = [store.enter(*each, group, number) for each in zip(chosen, matrices, labels, strict=True)]
    store.put_many(entries, np.array([entry.row for entry in entries], np.int64), matrices)
    return [entry.body for entry in entries]


def move(store: Store, bodies: Iterable[Body], poses: Any) -> None:
    """Answer `Scene.move`."""
    entries, rows = _movable(store, bodies)
    matrices = _rigid(poses, len(entries))
    if type(poses) is not np.ndarray:  # other conversions may run code that removes or attaches a body
        _movable(store, [entry.body for entry in entries])
    store.put_many(entries, rows, matrices)


def deform(store: Store, bodies: Iterable[Body], vertices: Any) -> None:
    """Answer `Scene.deform`."""
    entries, rows = _live(store, bodies)
    world = store.world()
    counts = world.geometry.shape_ints[world.bodies[rows, layout.SHAPE], layout.VERTICES]
    plain = type(vertices) is np.ndarray and vertices.dtype == np.float64
    vertices = as_numpy(vertices, "vertices", InvalidGeometry)
    several = isinstance(vertices, np.ndarray) and vertices.ndim > 0
    given = vertices if several else checks.items(vertices, "vertices", "an array for each body")
    if len(given) != len(entries):
        raise InvalidGeometry(f"vertices: got {len(given)} for {len(entries)} bodies; give an array of shape (n, 3) for each")
    if entries:
        joined = _joined(given, counts, entries)
        if not plain:  # other conversions may run code that removes or changes a body
            _live(store, [entry.body for entry in entries])
            for k, entry in enumerate(entries):
                check_count(entry, int(counts[k]), f"vertices[{k}]")
        store.put_vertices(entries, rows, joined)


def _movable(store: Store, bodies: Any) -> tuple[list[Entry], NDArray[np.int64]]:
    """Return as `_chosen`; raise if a body belongs to a robot."""
    entries, rows = _chosen(store, bodies)
    holders = [entry.holder for entry in entries]
    if any(holders):
        k = next(k for k, holder in enumerate(holders) if holder)
        raise held(entries[k], f"bodies[{k}]")
    return entries, rows


def _live(store: Store, bodies: Any) -> tuple[list[Entry], NDArray[np.int64]]:
    """Return as `_chosen`; raise if a body cannot deform."""
    entries, rows = _chosen(store, bodies)
    for k, entry in enumerate(entries):
        if not can_deform(entry.shape):
            check_live(entry, f"bodies[{k}]: ")
    return entries, rows


def _chosen(store: Store, bodies: Any) -> tuple[list[Entry], NDArray[np.int64]]:
    """Return the entries and the body rows of different bodies of a scene."""
    given = checks.items(bodies, "bodies", "bodies of this scene")
    entries = entries_of(given, store)
    if entries is None:
        entries = [store.check(each, f"bodies[{k}]") for k, each in enumerate(given)]
    rows = [entry.row for entry in entries]
    if len(set(rows)) < len(rows):
        first = {}
        for k, row in enumerate(rows):
            if first.setdefault(row, k) != k:
                raise InvalidQuery(f"bodies[{k}]: {entries[k]} is bodies[{first[row]}] already; give each body once")
    return entries, np.array(rows, np.int64)


def _rigid(poses: Any, count: int) -> NDArray[np.float64]:
    """Return checked poses, shape (count, 4, 4), fresh."""
    matrices = checks.loose_poses(poses, count)
    bad = body_kernels().first_not_rigid(matrices, checks.LARGEST)
    if bad >= 0:
        for k in range(bad, count):
            matrices[k] = checks.pose(matrices[k], f"poses[{k}]")  # raises at once, and says what is wrong
    return matrices


def _names(store: Store, names: Any, count: int) -> list[str]:
    """Return checked names of new bodies."""
    given = checks.items(names, "names", "a str for each body")
    if len(given) != count:
        raise InvalidQuery(f"names: got {len(given)} for {count} bodies; give one for each")
    first: dict[str, int] = {}
    for k, name in enumerate(given):
        if first.setdefault(store.check_name(name, f"names[{k}]"), k) != k:
            raise InvalidQuery(
                f"names[{k}]: {checks.shown(name)} is names[{first[name]}] already; names are unique within a scene"
            )
    return list(map(str, given))


def _joined(given: Any, counts: NDArray[np.int64], entries: list[Entry]) -> NDArray[np.float64]:
    """Return the vertices of all bodies one after another, shape (n, 3), checked. counts: how many each body has."""
    joined = _plain(given, counts)
    if joined is None or body_kernels().unsound(joined, checks.LARGEST) >= 0:
        parts = [sound_points(each, f"vertices[{k}]") for k, each in enumerate(given)]
        for k, part in enumerate(parts):
            check_count(entries[k], len(part), f"vertices[{k}]")
        joined = np.concatenate(parts)
    return joined


def _plain(given: Any, counts: NDArray[np.int64]) -> NDArray[np.float64] | None:
    """Return vertices in one of the common forms, one after another: the short path. None: not known to be fine."""
    if type(given) is np.ndarray:
        if given.dtype != np.float64 or given.ndim != 3 or given.shape[2] != 3 or (counts != given.shape[1]).any():
            return None
        return np.ascontiguousarray(given).reshape(-1, 3)
    for each in given:
        if type(each) is not np.ndarray or each.dtype != np.float64 or each.ndim != 2 or each.shape[1] != 3:
            return None
    return np.concatenate(given) if list(map(len, given)) == counts.tolist() else None
