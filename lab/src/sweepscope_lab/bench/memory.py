"""Ten million sweeps from one memory map into another: anonymous memory must not grow with their number. Linux only.

The process's anonymous memory is read while rows are answered; pages of memory maps, which the system can drop, do not count.
The first and the last rows are compared to the bit with single sweeps.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sweepscope import Hits, Motions, Scene, Sphere, Translate

from ..scenes import scattered_balls
from .rows import Row, check_rows, directions

_COUNTS = (1_000_000, 10_000_000)
_BLOCK = 100_000
_CHECKED = 100


def anonymous_memory() -> int:
    """Return the anonymous memory of this process [bytes]."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return 1024 * int(line.split()[1])
    raise OSError("/proc/self/status has no line RssAnon")


def peak_of(folder: Path, count: int) -> tuple[float, int]:
    """Sweep a ball `count` times among 50 balls; return the time [s] and the growth of anonymous memory at its peak [bytes]."""
    scene = Scene()
    scene.add_many(Sphere(1.0), scattered_balls(50, 20.0, 2.5, near=2.2))
    body = scene.add(Sphere(0.5))
    vectors = _vectors(folder / f"motions {count}.npy", count)
    out = np.lib.format.open_memmap(folder / f"hits {count}.npy", "w+", Hits.dtype, (count,))
    scene.sweep_many(body, vectors[:_BLOCK])  # kernels, threads and their scratch are there before memory is read
    before = peak = anonymous_memory()

    def progress(_done: int, _total: int) -> None:
        nonlocal peak
        peak = max(peak, anonymous_memory())

    start = time.perf_counter()
    hits = scene.sweep_many(body, Motions.translate(vectors), out=out, progress=progress)
    taken = time.perf_counter() - start
    peak = max(peak, anonymous_memory())
    ends = [*range(min(count, _CHECKED)), *range(max(0, count - _CHECKED), count)]
    check_rows(hits, ends, lambda row: scene.sweep(body, Translate(vectors[row])))
    return taken, peak - before


def _vectors(path: Path, count: int) -> NDArray[np.float64]:
    """Return a memory map of motions of one length, written block by block."""
    vectors = np.lib.format.open_memmap(path, "w+", np.float64, (count, 3))
    for first in range(0, count, _BLOCK):
        last = min(count, first + _BLOCK)
        vectors[first:last] = directions(last - first, 10.0, seed=first)
    vectors.flush()
    return np.lib.format.open_memmap(path, "r")


def rows_of(counts: Sequence[int]) -> list[Row]:
    """Return a row for each count; the folder of the maps is in the usual place for temporary files."""
    rows: list[Row] = []
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            taken, grown = peak_of(Path(folder), count)
        note = f"{taken:.1f} s in all; anonymous memory grows by {grown / 2**20:.1f} MiB at its peak"
        rows.append(Row(f"{count:,} sweeps into a memory map", taken / count, "flat memory", note=note))
    return rows


def measure(_repeats: int, say: Callable[[str], object]) -> list[Row]:
    """Run everything once and return the rows; `say` gets a line of text as work proceeds."""
    say(f"up to {_COUNTS[-1]:,} sweeps; 1.7 GB of temporary files ...")
    return rows_of(_COUNTS)
