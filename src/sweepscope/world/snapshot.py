"""Snapshot: the state of a scene when a result was found. A picture of the result needs it, since scenes change."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidQuery
from ..kernels.layout import Geometry
from .body import entry_of
from .world import body_kernels

if TYPE_CHECKING:
    from ..shapes import Volume
    from .body import Body, Entry
    from .store import Store


class FoundContact(NamedTuple):
    """A mover and an obstacle that met, as kernels take them."""

    geometry: Geometry
    """All shapes; it must be kept while the table is used."""
    table: NDArray[np.int64]
    """Of its arrays: see `kernels.base.geometry`."""
    tolerance: float
    shapes: tuple[int, int]
    """Their rows in the arena."""
    start: NDArray[np.float64]
    """Pose of the mover at the start, shape (4, 4), world."""
    other: NDArray[np.float64]
    """Pose of the obstacle."""
    volume: Volume | None
    """The mover's shape, if it is a volume."""


class Snapshot:
    """Poses of the movers, and what tells whether anything else in the scene has changed since.

    It is made for every hit, so it holds references and numbers only. A pickle holds a digest of the scene instead: a copy of
    the scene in another process has the same.
    """

    __slots__ = ("_digest", "_entries", "_revision", "_store", "_versions", "_volumes", "poses")

    def __init__(self, store: Store, movers: Sequence[Entry]) -> None:
        one = len(movers) == 1
        self.poses: tuple[NDArray[np.float64], ...] = (movers[0].pose,) if one else store.poses_of(movers)
        """Poses of the movers, shape (4, 4) each, world."""
        self._store: Store | None = store
        self._entries = movers
        self._revision = store.revision
        self._versions: tuple[int, ...] = (movers[0].version,) if one else tuple([mover.version for mover in movers])
        self._volumes = store.volume_versions() if store.surfaces.records else ()
        self._digest = b""

    def of(self, which: Sequence[int], poses: Sequence[NDArray[np.float64]]) -> Snapshot:
        """Return it for some of its movers, at other poses. In a pickle it is for all movers, or cannot be compared."""
        one = Snapshot.__new__(Snapshot)
        for name in self.__slots__:
            setattr(one, name, getattr(self, name))
        one.poses = tuple(poses)
        if len(which) < len(self._entries):
            changed = [self._entries[k] for k in which], b"changed" if self._digest else b""
            one._entries, one._digest = changed  # noqa: SLF001  (a constructor)
            one._versions = tuple([self._versions[k] for k in which])  # noqa: SLF001
        return one

    def change(self) -> str | None:
        """Return what has changed in the scene, besides the poses of the movers; None if nothing has."""
        store = self._store
        if self._digest:
            if store is not None and self._digest == _digest(store, self._entries):
                return None
            return "this process has another state of it"
        assert store is not None
        if store.revision != self._revision:
            if store.removed > self._revision:
                return "a body was removed"
            moved = set(map(id, self._entries))
            for entry in store.entries.values():
                if entry.revision > self._revision and id(entry) not in moved:
                    return f"{entry} was added, moved or changed"
        for entry, version in zip(self._entries, self._versions, strict=True):
            if entry.version != version:
                return f"the shape of {entry} has changed"
        if self._volumes and self._volumes != store.volume_versions():
            return "a volume was edited"
        return None

    def contact_of(self, mover: Body, obstacle: Body) -> FoundContact:
        """Return a mover where it was, and an obstacle, as kernels take them. Raise if anything but the movers has changed."""
        one, two = entry_of(mover), entry_of(obstacle)
        store, _ = one.home(), two.home()  # raises if one was removed
        change = self.change()
        if change is not None:
            raise InvalidQuery(
                f"the scene has changed since this hit was found: {change}; ask for its gradient before that, or sweep again"
            )
        arena = store.arena
        shapes = one.shape_row, two.shape_row
        if arena.pending and arena.pending.intersection(shapes):  # a copy of the scene in which it was found
            with arena.lock:
                body_kernels().refit_bodies(*store.world().only(np.array((one.row, two.row))))
        geometry = arena.geometry
        start = self.poses[self._entries.index(one)]
        return FoundContact(geometry, arena.table_of(geometry), store.tolerance, shapes, start, two.pose, one.volume)

    def moved(self) -> bool:
        """True if a mover is not where it was."""
        return any(not np.array_equal(entry.pose, pose) for entry, pose in zip(self._entries, self.poses, strict=True))

    def __reduce__(self) -> tuple[Any, ...]:
        digest = self._digest
        if not digest:
            assert self._store is not None
            digest = b"changed" if self.change() else _digest(self._store, self._entries)
        return _restored, ([entry.body for entry in self._entries], self.poses, digest)


def _restored(bodies: list[Any], poses: tuple[NDArray[np.float64], ...], digest: bytes) -> Snapshot:
    """Return a pickled snapshot. Its bodies may have come without a scene; then nothing can be drawn."""
    snapshot = Snapshot.__new__(Snapshot)
    snapshot.poses = poses
    snapshot._entries = [entry_of(body) for body in bodies]  # noqa: SLF001  (a constructor)
    snapshot._store = snapshot._entries[0].store  # noqa: SLF001
    snapshot._digest = digest  # noqa: SLF001
    snapshot._revision, snapshot._versions, snapshot._volumes = 0, (0,) * len(bodies), ()  # noqa: SLF001
    return snapshot


def _digest(store: Store, movers: Sequence[Entry]) -> bytes:
    """Return a number for all bodies but the poses of the movers: equal in copies of a scene."""
    moved = {entry.id for entry in movers}
    total = hashlib.blake2b(digest_size=16)
    for entry in store.entries.values():
        volume = entry.volume.version if entry.volume is not None else 0
        total.update(np.array((entry.id, entry.version, volume), np.int64).tobytes())
        if entry.id not in moved:
            total.update(np.ascontiguousarray(entry.pose).tobytes())
    return total.digest()
