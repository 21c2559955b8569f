"""The order of a shape's faces, and its blocks: large shapes on all cores, with the same result as on one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..kernels.base import blocks
from ..threads import WORKERS, spread, spread_range

_ALONE = 1 << 15  # faces that one thread orders
_FACES = 1 << 16  # measured by a thread at a time
_BLOCKS = 1 << 11  # cut by a thread at a time


def ordered(vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the numbers of the faces in block order, shape (m,)."""
    # Large arrays are made by numpy, here and below: it asks for large pages, which are touched and found faster.
    count = len(faces)
    centers, order = np.empty((count, 3)), np.empty(count, np.int32)
    spread_range(lambda begin, end: blocks.measure(vertices, faces, centers, order, begin, end), count, _FACES)
    runs = [(0, count)]
    # Threads halve runs level by level, until there are many for each thread.
    while len(runs) < 16 * WORKERS and max(hi - lo for lo, hi in runs) > _ALONE:
        runs = _halved_once(centers, order, runs)

    def halve(todo: Iterator[int]) -> None:
        for share in todo:
            blocks.halve(centers, order, *runs[share])

    spread(halve, len(runs), min(WORKERS, len(runs)))
    return order


def _halved_once(centers: NDArray[np.float64], order: NDArray[np.int32], runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Halve each run that is not for one thread; return all runs, in their order."""
    halves = [[run] for run in runs]
    long = [share for share, (lo, hi) in enumerate(runs) if hi - lo > _ALONE]

    def split(todo: Iterator[int]) -> None:
        for k in todo:
            lo, hi = runs[long[k]]
            middle = blocks.split(centers, order, lo, hi)
            halves[long[k]] = [(lo, middle), (middle, hi)]

    spread(split, len(long), min(WORKERS, len(long)))
    return [run for pair in halves for run in pair]


def cut(
    faces: NDArray[np.int32], order: NDArray[np.int32], vertices: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8], NDArray[np.bool_]]:
    """Cut ordered faces into blocks; vertices: how many there are.

    Return (vertices of each block (k,), where those of each block begin (b + 1,), corners of each face as indices into its
    block's vertices (m, 3), which vertices are used (n,)).
    """
    count = -(-len(faces) // blocks.BLOCK)
    starts, corners, used = np.zeros(count + 1, np.int32), np.empty((len(faces), 3), np.uint8), np.zeros(vertices, np.bool_)
    pieces = {0: np.empty(0, np.int32)}

    def cut_some(begin: int, end: int) -> None:
        buffer = np.empty(3 * blocks.BLOCK * (end - begin), np.int32)
        pieces[begin] = buffer[: blocks.cut(faces, order, begin, end, buffer, starts, corners, used)].copy()

    spread_range(cut_some, count, _BLOCKS)
    total = 0
    for begin in sorted(pieces):
        starts[begin + 1 : begin + 1 + _BLOCKS] += total
        total += len(pieces[begin])
    return np.concatenate([pieces[begin] for begin in sorted(pieces)]), starts, corners, used
