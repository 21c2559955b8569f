"""One frame of two changing volumes, by the published methods and by the library: first checked, then timed.

Before each timing, the index is set back to the previous frame and alpha is written again, as it is just after a change: so
caches hold what they would hold in use. A frame is timed once per round, and a round has many frames, so that the processor's
branch prediction cannot learn a single one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import SweepscopeError, Volume, overlap

from ..kernels import lines_published as published

Bytes = NDArray[np.uint8]

_THRESHOLD = 0
_PLANES, _ALL = ("box", "planes"), ("box", "planes", "lines")


@dataclass(frozen=True, slots=True)
class Costs:
    """Times of a frame [s] and the share of the first volume's voxels that each cull removed; or means over frames."""

    changed: float
    """Voxels whose occupancy changed, of both volumes."""
    planes_upkeep: float
    planes_test: float
    lines_upkeep: float
    lines_test: float
    edit_voxels: float
    """The library: assignment to the listed voxels of both volumes."""
    edit_region: float
    """The library: assignment to the region where alpha changed; finding the changes is timed too."""
    overlap_planes: float
    """The library: `overlap` with box and planes."""
    overlap_lines: float
    """The library: `overlap` with all three."""
    box: float
    planes: float
    lines: float
    tested: float
    """Share that is left to test."""

    @property
    def by_planes(self) -> float:
        """Time of a frame by box and planes [s]."""
        return self.planes_upkeep + self.planes_test

    @property
    def by_lines(self) -> float:
        """Time of a frame by box, planes and lines [s]."""
        return self.lines_upkeep + self.lines_test

    @property
    def after_planes(self) -> float:
        """Share of the voxels that box and planes leave."""
        return self.lines + self.tested

    @property
    def ratio(self) -> float:
        """How many times faster a frame is with lines."""
        return self.by_planes / self.by_lines

    @property
    def test_ratio(self) -> float:
        """The same for the test alone."""
        return self.planes_test / self.lines_test

    @property
    def library_ratio(self) -> float:
        """How many times faster the library's test is with lines."""
        return self.overlap_planes / self.overlap_lines


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A frame of a story, and the one before it."""

    frame: int
    before: tuple[Bytes, Bytes]
    after: tuple[Bytes, Bytes]
    offset: NDArray[np.int64]
    """Of the second among the first's voxels, shape (3,)."""


@dataclass(frozen=True, slots=True)
class _Indexed:
    """Alpha of a volume, flat, and the published index over it."""

    alpha: Bytes
    n: int
    counts: NDArray[np.int64]
    spans: NDArray[np.int16]

    @property
    def shape(self) -> tuple[int, int, int]:
        return (self.n, self.n, self.n)


@dataclass(frozen=True, slots=True)
class _Change:
    """The change of a volume from one frame to the next."""

    voxels: NDArray[np.int32]
    """Voxels whose occupancy changed, shape (m, 3)."""
    entered: int
    """So many of them, the first ones, are newly occupied; the others are newly free."""
    region: tuple[slice, slice, slice]
    """Where alpha changed."""


def indexed(alpha: Bytes) -> _Indexed:
    """Return a copy of a cube of alpha with a new index."""
    n = len(alpha)
    found = _Indexed(alpha.flatten(), n, np.empty(3 * n + 6, np.int64), np.empty((n * n, 2), np.int16))
    published.index(found.alpha, found.shape, _THRESHOLD, found.counts, found.spans)
    return found


def change(old: Bytes, new: Bytes) -> _Change:
    """Return the change between two frames."""
    none = np.empty((0, 3), np.int32)
    entered, left, box = published.changes(old.ravel(), new.ravel(), old.shape, _THRESHOLD, none, none)
    voxels = np.empty((entered + left, 3), np.int32)
    published.changes(old.ravel(), new.ravel(), old.shape, _THRESHOLD, voxels[:entered], voxels[entered:])
    return _Change(voxels, entered, (slice(box[0], box[3]), slice(box[1], box[4]), slice(box[2], box[5])))


def shared(a: Bytes, b: Bytes, offset: Sequence[int]) -> bool:
    """Return whether a voxel is occupied in both, by NumPy; b's voxel (0, 0, 0) is at voxel `offset` of a."""
    spans = [(max(0, d), min(m, n + d)) for m, n, d in zip(a.shape, b.shape, offset, strict=True)]
    if any(low >= high for low, high in spans):
        return False
    mine = a[tuple(slice(low, high) for low, high in spans)] > _THRESHOLD
    mine &= b[tuple(slice(low - d, high - d) for (low, high), d in zip(spans, offset, strict=True))] > _THRESHOLD
    return bool(mine.any())


class Pair:
    """Two volumes and their change of one frame, by the published methods and by the library."""

    def __init__(self, given: Step) -> None:
        before, after = self._before, self._after = given.before, given.after
        x, y, z = given.offset.tolist()
        self._offset = (x, y, z)
        self._changes = [change(old, new) for old, new in zip(before, after, strict=True)]
        self._starts = [indexed(alpha) for alpha in before]
        self._volumes = [indexed(alpha) for alpha in before]
        places = [tuple(found.voxels.T.astype(np.int64)) for found in self._changes]
        self._edits = [(where, new[where]) for where, new in zip(places, after, strict=True)]
        self._library = [Volume(alpha, threshold=_THRESHOLD) for alpha in before]
        self._live = np.empty((3, len(after[0]) + 1), np.int64)
        self._shares: list[float] = []
        self._boxes: list[NDArray[np.int64]] = []

    @property
    def shares(self) -> list[float]:
        """Shares of the first volume's voxels that box, planes and lines remove, and what is left. Call `checked` before."""
        return self._shares

    def _write(self) -> None:
        """Write alpha of this frame, and set the index back to the previous frame."""
        for volume, start, alpha in zip(self._volumes, self._starts, self._after, strict=True):
            volume.counts[:] = start.counts
            volume.spans[:] = start.spans
            volume.alpha[:] = alpha.ravel()

    def _update_planes(self) -> None:
        a, b = self._volumes
        p, q = self._changes
        published.keep_planes(p.voxels, p.entered, a.shape, a.counts, q.voxels, q.entered, b.shape, b.counts)

    def _update_lines(self) -> None:
        a, b = self._volumes
        p, q = self._changes
        published.keep_lines(
            a.alpha, p.voxels, p.entered, a.shape, a.counts, a.spans,
            b.alpha, q.voxels, q.entered, b.shape, b.counts, b.spans, _THRESHOLD,
        )  # fmt: skip

    def _meet_planes(self) -> bool:
        a, b = self._volumes
        return published.meet_planes(
            a.alpha, a.shape, a.counts, b.alpha, b.shape, b.counts, self._offset, _THRESHOLD, self._live
        )

    def _meet_box(self) -> bool:
        a, b = self._volumes
        return published.meet_planes(
            a.alpha, a.shape, self._boxes[0], b.alpha, b.shape, self._boxes[1], self._offset, _THRESHOLD, self._live
        )

    def _meet_lines(self) -> bool:
        a, b = self._volumes
        return published.meet_lines(
            a.alpha, a.shape, a.counts, a.spans, b.alpha, b.shape, b.counts, b.spans, self._offset, _THRESHOLD, self._live
        )

    def _edit_region(self, alphas: tuple[Bytes, Bytes]) -> None:
        for volume, found, alpha in zip(self._library, self._changes, alphas, strict=True):
            volume[found.region] = alpha[found.region]

    def _edit_voxels(self) -> None:
        for volume, (places, values) in zip(self._library, self._edits, strict=True):
            volume[places] = values

    def _overlap(self, culls: tuple[str, ...]) -> bool:
        a, b = self._library
        return bool(overlap(a, b, self._offset, culls=culls))

    def _removed(self) -> tuple[int, int, int, int]:
        a, b = self._volumes
        return published.removed(a.shape, a.counts, a.spans, b.shape, b.counts, b.spans, self._offset, self._live)

    def checked(self, what: str) -> bool:
        """Return whether the two touch; raise if methods disagree or an updated index differs from a new one."""
        self._write()
        self._update_planes()
        planes = self._meet_planes()
        self._write()
        self._update_lines()
        lines = self._meet_lines()
        self._edit_region(self._before)
        self._edit_voxels()
        voxels = self._overlap(_ALL)
        self._edit_region(self._after)
        answers = {
            "NumPy": shared(*self._after, self._offset),
            "planes": planes,
            "lines": lines,
            "library, voxels": voxels,
            "library, planes": self._overlap(_PLANES),
            "library": self._overlap(_ALL),
        }
        if len(set(answers.values())) > 1:
            raise SweepscopeError(f"{what}: answers differ: {answers}")
        for volume, alpha in zip(self._volumes, self._after, strict=True):
            fresh = indexed(alpha)
            if not (np.array_equal(volume.counts, fresh.counts) and np.array_equal(volume.spans, fresh.spans)):
                raise SweepscopeError(f"{what}: the updated index differs from a new one")
        a, b = self._library
        hit, culled = overlap(a, b, self._offset), self._removed()
        if (*hit.removed.values(), hit.tested) != culled:
            raise SweepscopeError(f"{what}: the library removes {hit.removed}, the published culls {culled}")
        self._shares = [count / self._after[0].size for count in culled]
        self._boxes = [_without_planes(volume.counts) for volume in self._volumes]
        if self._meet_box() != answers["NumPy"]:
            raise SweepscopeError(f"{what}: the answer by the box alone differs from NumPy's")
        return answers["NumPy"]

    def timed(self, lines_first: bool) -> list[float]:
        """Return every time, taken once [s], in the order of `Costs`. Call `checked` before.

        lines_first: which method runs first; alternate it, because the first one finds other data in the caches.
        """
        found = {}
        for lines in (lines_first, not lines_first):
            self._write()
            upkeep, test = (self._update_lines, self._meet_lines) if lines else (self._update_planes, self._meet_planes)
            found[lines] = [_seconds(upkeep), _seconds(test)]
        self._edit_region(self._before)
        edits = [_seconds(self._edit_voxels)]
        self._edit_region(self._before)
        edits.append(_seconds(lambda: self._edit_region(self._after)))
        for lines in (lines_first, not lines_first):
            culls = _ALL if lines else _PLANES
            found[lines].append(_seconds(lambda culls=culls: self._overlap(culls)))
        return [*found[False][:2], *found[True][:2], *edits, found[False][2], found[True][2]]

    def timed_culls(self, box_first: bool) -> list[float]:
        """Return the time of the test by box, by box and planes, and by all three [s]. Call `checked` before.

        box_first: whether they run in this order; alternate it. Each runs once before it is timed: otherwise the first would
        bring alpha into the caches for the others.
        """
        tests = (self._meet_box, self._meet_planes, self._meet_lines)
        found = []
        for test in tests if box_first else tests[::-1]:
            test()
            found.append(_seconds(test))
        return found if box_first else found[::-1]

    def costs(self, seconds: Sequence[float]) -> Costs:
        """Return the frame's costs from its times. Call `checked` before."""
        return Costs(sum(len(found.voxels) for found in self._changes), *seconds, *self._shares)


def _without_planes(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the index of a volume as if each plane of its box had a voxel: then planes remove nothing."""
    filled = counts.copy()
    filled[:-6] = 1
    return filled


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
