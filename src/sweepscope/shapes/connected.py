"""What is connected: vertices in the same place, the parts of a surface, and whether it is closed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..kernels.base import edges, parts, weld
from ..threads import WORKERS, spread, spread_range

Parts = tuple[NDArray[np.int32], NDArray[np.int32], int]
"""(start of each part (p + 1,), faces by part in block order (m,), closed or not as in kernels.layout.SOLID)."""

_SHARE = 32 * weld.RUN  # vertices that a thread welds at a time
_IN_BUCKET = 2048  # vertices, about
_MOST_BITS = 12


def welded(points: NDArray[np.float64], listed: NDArray[np.int32]) -> tuple[NDArray[np.int32], int]:
    """Return a label for each listed vertex, equal for vertices in the same place, and how many there are.

    points (n, 3). Labels are numbered by first appearance in the list.
    """
    points = np.ascontiguousarray(points)
    places = points.view(np.uint64)
    count = len(listed)
    bits = min(_MOST_BITS, max(1, (count // _IN_BUCKET).bit_length()))
    shift = np.uint64(64 - bits)
    shares = -(-count // _SHARE)
    labels, firsts, hashes = np.empty(count, np.int32), np.empty(count, np.int32), np.empty(count, np.uint64)
    counts, different = np.zeros((shares, 1 << bits), np.int64), np.zeros(shares, np.int64)

    def weld_runs(todo: Iterator[int]) -> None:
        table = np.empty(weld.RUN_TABLE, np.int32)
        for share in todo:
            begin, end = share * _SHARE, min(count, share * _SHARE + _SHARE)
            different[share] = weld.weld_runs(
                points, places, listed, begin, end, shift, labels, firsts, hashes, counts[share], table
            )

    spread(weld_runs, shares, min(WORKERS, shares))
    begins = np.zeros((1 << bits) + 1, np.int64)
    np.cumsum(counts.sum(axis=0), out=begins[1:])
    slots = begins[:-1] + np.cumsum(counts, axis=0) - counts
    items, tags = np.empty(begins[-1], np.int32), np.empty(begins[-1], np.uint32)

    def fill(todo: Iterator[int]) -> None:
        for share in todo:
            begin = share * _SHARE
            weld.fill_buckets(hashes, begin, begin + different[share], shift, slots[share], items, tags)

    spread(fill, shares, min(WORKERS, shares))
    same = np.empty(count, np.int32)
    capacity = 16 << int(np.diff(begins).max()).bit_length()

    def weld_buckets(todo: Iterator[int]) -> None:
        table = np.empty(capacity, np.int32)
        for bucket in todo:
            lo, hi = begins[bucket], begins[bucket + 1]
            if not weld.weld_bucket(points, firsts, items, tags, lo, hi, same, table):
                _weld_by_sorting(points, firsts, items[lo:hi], same)

    spread(weld_buckets, 1 << bits, min(WORKERS, shares))
    found = 0
    for share in range(shares):
        found = weld.number(same, share * _SHARE, share * _SHARE + different[share], found)
    spread_range(lambda begin, end: weld.relabel(labels, begin, end, same), count, _SHARE)
    return labels, found


def _weld_by_sorting(
    points: NDArray[np.float64], firsts: NDArray[np.int32], items: NDArray[np.int32], same: NDArray[np.int32]
) -> None:
    """Do what `weld.weld_bucket` does, for places that were made to have one hash. Adding 0.0 makes -0.0 equal to 0.0."""
    places = (points[firsts[items]] + 0.0).view([("", np.float64)] * 3).ravel()
    _, first, which = np.unique(places, return_index=True, return_inverse=True)
    same[items] = items[first[which]]


def connected(
    labels: NDArray[np.int32], count: int, starts: NDArray[np.int32], corners: NDArray[np.uint8], closed: int | None = None
) -> Parts:
    """Return the parts of faces in block order whose corners are labels[starts[block] + corners[face]]; count: of labels.

    closed: whether they are closed, if that is known.
    """
    part = np.empty(len(corners), np.int32)

    def find_parts() -> int:
        return parts.parts(labels, starts, corners, np.empty(count, np.int32), np.empty(count, np.int32), part)

    def find_closed() -> int:
        if closed is not None:
            return closed
        firsts = np.zeros(count, np.int32)
        others = np.empty(edges.count_edges(labels, starts, corners, firsts), np.int32)
        return edges.closedness(labels, starts, corners, firsts, others, np.zeros(count, np.int32))

    found = [0, 0]

    def find(todo: Iterator[int]) -> None:
        for share in todo:
            found[share] = (find_closed, find_parts)[share]()

    spread(find, 2, min(WORKERS, 2))
    begins, members = np.empty(found[1] + 1, np.int32), np.empty(len(corners), np.int32)
    parts.by_part(part, begins, members)
    return begins, members, found[0]
