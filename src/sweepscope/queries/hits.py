"""Hits: makes the result of a sweep from what a kernel found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..results import Feature, Hit
from ..shapes.voxel_surface import holding, voxel_of

if TYPE_CHECKING:
    from ..world.body import Entry
    from ..world.store import Store

_NO_FEATURE = Feature("none")


def make_hit(
    mover: Entry,
    obstacle: Entry,
    travel: float,
    length: float,
    point: Sequence[float] | NDArray[np.float64],
    normal: Sequence[float] | NDArray[np.float64],
    features: tuple[Feature, Feature],
    *,
    overlapping: bool,
) -> Hit:
    """Return the hit at `travel` of a motion of `length`; point and normal: world, three numbers each."""
    time = travel / length if travel > 0.0 else 0.0
    return Hit(time, travel, obstacle.body, mover.body, np.array(point), np.array(normal), features, overlapping)


def nested_hit(mover: Entry, obstacle: Entry, point: Sequence[float], *, overlapping: bool) -> Hit:
    """Return the hit at the start of two bodies, one of which lies wholly inside the other."""
    features = _nested_feature(mover, point), _nested_feature(obstacle, point)
    return make_hit(mover, obstacle, 0.0, 0.0, point, (np.nan, np.nan, np.nan), features, overlapping=overlapping)


def features_of(store: Store, mover: Entry, obstacle: Entry, found: tuple[Any, ...]) -> tuple[Feature, Feature]:
    """Return the touching features; found: face, feature code and vertices of the mover, then those of the obstacle."""
    return _feature(store, mover, *found[:3]), _feature(store, obstacle, *found[3:])


def _feature(store: Store, entry: Entry, face: int, code: int, vertices: tuple[int, int, int]) -> Feature:
    """Return the feature of a kernel's code: 0..2 a vertex, 3..5 an edge, 6 the face."""
    if code < 3:
        feature = Feature("vertex", (vertices[code],), face)
    elif code < 6:
        feature = Feature("edge", (vertices[code - 3], vertices[(code - 2) % 3]), face)
    else:
        feature = Feature("face", vertices, face)
    volume = entry.volume
    if volume is None:
        return feature
    # Faces of a volume have the index of their voxel.
    kind = feature.kind
    if kind == "edge":
        # A side of a voxel is two triangles; the edge between them is not an edge of the cube.
        ends = store.arena.vertices(entry.shape_row, feature.vertices)
        kind = "edge" if np.count_nonzero(ends[0] != ends[1]) == 1 else "face"
    return Feature(kind, voxel=voxel_of(volume, face))


def _nested_feature(entry: Entry, point: Sequence[float]) -> Feature:
    """Return the feature of a nested body: of a volume, the voxel that holds the point."""
    volume = entry.volume
    if volume is None:
        return _NO_FEATURE
    return Feature("none", voxel=holding(volume, (np.array(point) - entry.pose[:3, 3]) @ entry.pose[:3, :3]))
