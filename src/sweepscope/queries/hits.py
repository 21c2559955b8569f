"""Hits: makes the result of a sweep from what a kernel found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.layout import VERTEX, Geometry
from ..results.hits import Feature, Hit, hit_of
from ..shapes.voxel_surface import holding, voxel_of
from ..world.body import entry_of
from ..world.snapshot import Snapshot

if TYPE_CHECKING:
    from ..motion import Motion
    from ..world.body import Body, Entry
    from ..world.store import Store

NO_FEATURE = Feature("none")


def make_hit(
    mover: Entry,
    obstacle: Entry,
    travel: float,
    length: float,
    point: Sequence[float] | NDArray[np.float64],
    normal: Sequence[float] | NDArray[np.float64],
    features: tuple[Feature, Feature],
    motion: Motion,
    movers: tuple[Body, ...],
    *,
    overlapping: bool,
) -> Hit:
    """Return the hit at `travel` of a motion of `length`; point and normal: world, three numbers each."""
    time = travel / length if travel > 0.0 else 0.0
    entries = [entry_of(body) for body in movers]
    snapshot = Snapshot(mover.home(), entries)
    pose = motion.at(time) @ mover.pose
    found = np.array(point), np.array(normal), features
    return Hit(time, travel, obstacle.body, mover.body, *found, overlapping, motion, movers, pose, snapshot)


def nested_hit(
    mover: Entry, obstacle: Entry, point: Sequence[float], motion: Motion, movers: tuple[Body, ...], *, overlapping: bool
) -> Hit:
    """Return the hit at the start of two bodies, one of which lies wholly inside the other."""
    features = nested_feature(mover, point), nested_feature(obstacle, point)
    none = (np.nan, np.nan, np.nan)
    return make_hit(mover, obstacle, 0.0, 0.0, point, none, features, motion, movers, overlapping=overlapping)


def surface_hit(
    store: Store,
    mover: Entry,
    obstacle: Entry,
    travel: float,
    length: float,
    point: Sequence[float],
    normal: Sequence[float],
    found: Sequence[float],
    overlapping: bool,
    motion: Motion,
    movers: tuple[Body, ...],
    geometry: Geometry,
) -> Hit:
    """Return the hit of two surfaces.

    found: face, feature code and vertices of the mover, then those of the obstacle. geometry: the shapes that it was found in;
    meanwhile another thread may have given a volume a new surface.
    """
    if mover.volume is None and obstacle.volume is None:
        # All is numbers that no later change of the scene touches: the rest of the hit can wait.
        time = travel / length if travel > 0.0 else 0.0
        later = _details, (point, normal, found)
        snapshot = Snapshot(store, [mover] if len(movers) == 1 else [entry_of(body) for body in movers])
        return hit_of(time, travel, obstacle.body, mover.body, overlapping, motion, movers, snapshot, later)
    own, other = feature_of(found[:5]), feature_of(found[5:])
    features = voxel_feature(geometry, mover, own), voxel_feature(geometry, obstacle, other)
    return make_hit(mover, obstacle, travel, length, point, normal, features, motion, movers, overlapping=overlapping)


def _details(point: Any, normal: Any, found: Sequence[float]) -> tuple[Any, Any, tuple[Feature, Feature]]:
    """Return point, normal and features of a hit, from the numbers of `surface_hit`."""
    return np.array(point), np.array(normal), (feature_of(found[:5]), feature_of(found[5:]))


def feature_of(found: Sequence[float]) -> Feature:
    """Return a feature from a kernel's face, code and vertices. Code: 0..2 a vertex, 3..5 an edge, 6 the face."""
    face, code, *corners = map(int, found)
    vertices = tuple(corners)
    if code < 3:
        return Feature("vertex", (vertices[code],), face)
    if code < 6:
        return Feature("edge", (vertices[code - 3], vertices[(code - 2) % 3]), face)
    return Feature("face", vertices, face)


def voxel_feature(geometry: Geometry, entry: Entry, feature: Feature) -> Feature:
    """Return a feature of a body; of a volume, that of its voxel."""
    volume = entry.volume
    if volume is None:
        return feature
    # Faces of a volume have the index of their voxel.
    kind = feature.kind
    if kind == "edge":
        # A side of a voxel is two triangles; the edge between them is not an edge of the cube.
        first = geometry.shape_ints[entry.shape_row, VERTEX]
        ends = geometry.vertices[[first + k for k in feature.vertices]]
        kind = "edge" if np.count_nonzero(ends[0] != ends[1]) == 1 else "face"
    return Feature(kind, voxel=voxel_of(volume, feature.face))


def nested_feature(entry: Entry, point: Sequence[float] | NDArray[np.float64]) -> Feature:
    """Return the feature of a nested body: of a volume, the voxel that holds the point."""
    volume = entry.volume
    if volume is None:
        return NO_FEATURE
    return Feature("none", voxel=holding(volume, (np.array(point) - entry.pose[:3, 3]) @ entry.pose[:3, :3]))
