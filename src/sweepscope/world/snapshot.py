"""Snapshot: the state of a scene when a result was found. A picture of the result needs it, since scenes change."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .body import Entry
    from .store import Store


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
    from .body import entry_of

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
