"""Surfaces of volumes in a scene, made only where a query can reach.

A volume in a scene has no faces at first. A query gives a surface to the voxels of an index box that it can reach; the box is
treated as a solid, and its cut sides lie out of reach. A surface stays until its volume changes. If a query needs more than it
covers, a larger one replaces it.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..kernels.layout import BRICK
from ..motion import Motion, Translate, Turn, orbit_of
from ..shapes import Volume

if TYPE_CHECKING:
    from ..shapes.voxel_surface import Planes, Range
    from .body import Entry
    from .store import Store
    from .world import World

PAST = 512.0  # kernels search this many tolerances past a contact
_LEAST = 1e-9  # relative to a length: more than the rounding error
_CHOICE = np.array([[(n >> r) & 1 for r in range(3)] for n in range(8)], np.bool_)


@dataclass(slots=True)
class _Record:
    """A volume of a scene: the bodies that use it, and the part of it that has a surface."""

    volume: Volume
    shape_row: int
    """Row in the arena."""
    version: int
    """Version of the volume that this record describes."""
    extent: Range
    """Index box of the occupied voxels."""
    planes: Planes
    """Coordinates of the planes between voxels [length], local."""
    users: list[Entry] = field(default_factory=list)
    covered: Range | None = None
    """Index box that has a surface; None if there is none."""
    due: Range | None = None
    """Index box that gets a surface first, once any is needed: the scene that this is a copy of has one there."""


class Surfaces:
    """The volumes of a scene. True if there are any."""

    __slots__ = ("_store", "records")

    def __init__(self, store: Store) -> None:
        self._store = store
        self.records: dict[int, _Record] = {}
        """By row in the arena; empty if the scene has no volumes."""

    def __bool__(self) -> bool:
        return bool(self.records)

    @property
    def users(self) -> list[Entry]:
        """All bodies that are volumes."""
        return [entry for record in self.records.values() for entry in record.users]

    def enter(self, entry: Entry) -> None:
        """Register a body if it is a volume: volumes may change at any time."""
        volume = entry.volume
        if volume is None:
            return
        from ..shapes.voxel_surface import extent_of, planes_of

        record = self.records.get(entry.shape_row)
        if record is None:
            # Version -1: the arena may still have this row from an older state of the volume.
            record = _Record(volume, entry.shape_row, -1, extent_of(volume), planes_of(volume))
            self.records[entry.shape_row] = record
        record.users.append(entry)

    def leave(self, entry: Entry) -> None:
        """Unregister a body, before its row in the arena is released."""
        if entry.volume is None:
            return
        record = self.records[entry.shape_row]
        record.users.remove(entry)
        if not record.users:
            del self.records[entry.shape_row]

    def packed(self) -> list[tuple[list[int], int, Range | None]]:
        """Return, for each volume, the ids of its bodies, its version and the index box that has a surface."""
        return [
            ([entry.id for entry in record.users], record.version, record.covered or record.due)
            for record in self.records.values()
        ]

    def fill(self, packed: list[tuple[list[int], int, Range | None]]) -> None:
        """Take over what `packed` returned, once the bodies are there: the same surfaces, so the same answers to the bit.

        They are made when they are needed: a small file can ask for a large one.
        """
        for users, version, covered in packed:
            for number in users:
                self.enter(self._store.entries[number])
            record = self.records[self._store.entries[users[0]].shape_row]
            record.version = version
            if version == record.volume.version:
                record.due = covered

    def refresh(self) -> bool:
        """Update the boxes of bodies whose volumes have changed, and drop old surfaces. Return whether there are volumes."""
        if not self.records:
            return False
        from ..shapes.voxel_surface import extent_of, no_surface

        store = self._store
        for record in self.records.values():
            if record.version != record.volume.version:
                with store.arena.lock:
                    if record.version == record.volume.version:
                        continue  # another thread was faster
                    store.arena.strip(record.shape_row, no_surface(record.volume))
                    record.covered, record.due, record.extent = None, None, extent_of(record.volume)
                    for entry in record.users:
                        entry.version += 1
                        store.place(entry)
                    record.version = record.volume.version
        return True

    def make_whole(self, entries: Collection[Entry] | None = None) -> None:
        """Give bodies that are volumes, by default all, their whole surface. Call `refresh` first, here and below."""
        for record in self.records.values():
            if entries is None or any(entry in entries for entry in record.users):
                self._cover(record, record.extent)

    def make_reached(
        self, corners: NDArray[np.float64], wide: float, movers: Collection[Entry] = (), world: World | None = None
    ) -> None:
        """Give volumes the surface within `wide` [length] of a convex region, world; movers get their whole surface.

        corners: of the region, shape (n, 3). `wide` need not include a voxel's width or rounding errors. world: where the
        bodies are, by default at their poses.
        """
        from ..kernels.voxel.surface import reached

        for record in self.records.values():
            if record.covered == record.extent:
                continue
            if any(entry in movers for entry in record.users):
                self._cover(record, record.extent)
                continue
            needed: Range | None = None
            for pose in [entry.pose for entry in record.users] if world is None else world.poses_of(record.shape_row):
                more = reached(corners, wide, pose, record.volume.origin, record.volume.spacing, record.extent)
                if more[0] < more[3]:
                    needed = more if needed is None else _union(needed, more)
            if needed is not None:
                self._cover(record, needed)

    def make_swept(self, movers: list[Entry], motion: Motion, margin: float) -> None:
        """Give volumes the surface that movers can reach during a motion; movers get their whole surface."""
        world, rows = self._store.world(), [mover.row for mover in movers]
        low, high = world.box_of(rows)
        if not low[0] <= high[0]:
            return  # nothing moves
        touch = world.tolerance_of(rows, self._store.tolerance, margin)
        self.make_reached(corners_of(*swept(motion, low, high)), margin + PAST * touch, movers)

    def _cover(self, record: _Record, needed: Range) -> None:
        """Make the surface cover an index box."""
        if record.due is not None:
            with self._store.arena.lock:
                due, record.due = record.due, None
                if due is not None:  # else another thread was faster
                    self._cover(record, due)
        if needed[0] >= needed[3] or (record.covered is not None and _union(record.covered, needed) == record.covered):
            return
        from ..shapes.voxel_surface import make_surface

        arena = self._store.arena
        with arena.lock:
            choices = (needed,)
            if record.covered is not None:
                both = _union(record.covered, needed)
                if both == record.covered:
                    return  # another thread was faster
                choices = (_wider(both, record.extent), needed)
            covered, surface = make_surface(record.volume, record.planes, arena.center(record.shape_row), choices)
            arena.replace(record.shape_row, surface, surface.vertices)
            record.covered = covered  # last: from now on other threads rely on it


def swept(
    motion: Motion, low: NDArray[np.float64], high: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return a world box that encloses all that another one, low and high corner (3,), sweeps."""
    if isinstance(motion, Translate):
        return low + np.minimum(motion.vector, 0.0), high + np.maximum(motion.vector, 0.0)
    assert isinstance(motion, Turn)
    orbit = orbit_of(motion)
    axis = orbit[:3]
    slide = orbit[10] * axis
    along = np.minimum(slide, 0.0), np.maximum(slide, 0.0)
    if not motion.turns:
        return low + along[0], high + along[1]
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    radius = float(np.linalg.norm(half))
    lever = middle - orbit[6:9] + orbit[3:6]
    lever -= (lever @ axis) * axis
    far = float(np.linalg.norm(lever)) + radius
    # Extent of a unit circle about the axis along each coordinate.
    across = np.sqrt(np.square(axis[[1, 2, 0]]) + np.square(axis[[2, 0, 1]]))
    off = 2.0 * far * math.sin(0.5 * min(abs(motion.angle), math.pi)) * across
    # Two bounds: distance from the start, and distance from the axis, with rounding of an axis far away.
    ring = (1.0 + _LEAST) * far * across + (radius + _LEAST * far) * np.abs(axis)
    hub = middle - lever
    return np.maximum(low - off, hub - ring) + along[0], np.minimum(high + off, hub + ring) + along[1]


def corners_of(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the corners of a box, shape (8, 3)."""
    return np.where(_CHOICE, high, low)


def _union(one: Range, other: Range) -> Range:
    low = (min(one[r], other[r]) for r in range(3))
    high = (max(one[r], other[r]) for r in range(3, 6))
    return (*low, *high)  # type: ignore[return-value]


def _wider(box: Range, limits: Range) -> Range:
    """Return an index box grown by half its size on every side, within limits: later queries often need more."""
    spare = [max(2 * BRICK, (box[3 + r] - box[r]) // 2 // BRICK * BRICK) for r in range(3)]
    low = (max(box[r] - spare[r], limits[r]) for r in range(3))
    high = (min(box[3 + r] + spare[r], limits[3 + r]) for r in range(3))
    return (*low, *high)  # type: ignore[return-value]
