"""The thesis' speed experiment (Yamamoto 2023, 3.3 and 3.4): times of fans, bounding volumes and speculative CCD.

What is timed, and on which shapes: `fan_speed_works`. All works use the same random shapes in the same minutes, so ratios are
fair. New shapes are drawn every REPEATS_A_DRAW repetitions.

Tables 3.4 to 3.6 have two readings, since the thesis does not say how often a volume is built: *once*, one volume for all
spheres; *each*, a rotation and its volume for each sphere.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope.kernels.fan import many as fan_many

from ..kernels import compared_segments, compared_sweeps, compared_swung, compared_wide, fan_pairs, fan_published_many
from ..kernels import compared_volumes as volumes
from .fan_speed_works import TESTS, VARIANTS_OF_TESTS, Work, works
from .parts import Parts, digest

REPEATS_A_DRAW = 25
_TIMED = (compared_segments, compared_sweeps, compared_swung, compared_wide, volumes, fan_many, fan_pairs, fan_published_many)

PUBLISHED: dict[tuple[str, str], tuple[float, float, float]] = {
    ("3.2", "circle-circle"): (9.26, 3.21, 64.96),
    ("3.2", "capsule-capsule"): (55.24, 26.13, 238.98),
    ("3.2", "AABB"): (5.00, 2.71, 18.00),
    ("3.2", "OBB"): (36.42, 11.44, 149.74),
    ("3.2", "fan-circle"): (41.03, 4.70, 92.60),
    ("3.2", "fan-rectangle"): (294.10, 200.97, 538.34),
    ("3.2", "fan-capsule"): (50.54, 15.02, 109.07),
    ("3.3", "sphere-sphere"): (10.43, 2.88, 66.47),
    ("3.3", "capsule-capsule"): (48.80, 24.03, 133.68),
    ("3.3", "AABB"): (5.91, 2.72, 24.75),
    ("3.3", "OBB"): (35.81, 16.00, 104.63),
    ("3.3", "fan-point"): (1.71, 1.01, 3.70),
    ("3.3", "fan-sphere"): (24.69, 3.64, 81.99),
    ("3.3", "fan-capsule"): (90.97, 49.77, 135.87),
    ("3.4", "S-CCD"): (13.25, 3.77, 48.12),
    ("3.4", "fan"): (112.02, 69.23, 193.11),
    ("3.5", "S-CCD"): (183.81, 163.19, 286.69),
    ("3.5", "fan"): (22.02, 18.80, 41.47),
    ("3.6", "S-CCD"): (199.95, 164.40, 276.81),
    ("3.6", "fan"): (119.45, 95.87, 239.62),
}
"""Mean, best and worst [ms] of 100,000 tests in C# on an i9-10900K."""

BASES = {
    "3.2": ("circle-circle", "capsule-capsule", "OBB"),
    "3.3": ("sphere-sphere", "capsule-capsule", "OBB"),
    "3.4": ("S-CCD",),
    "3.5": ("S-CCD",),
    "3.6": ("S-CCD",),
}
"""Tests that ratios refer to, by table; S-CCD: by the box A1, the literal text."""

READINGS = {"3.2": ("pairs",), "3.3": ("pairs",), "3.4": ("once", "each"), "3.5": ("once", "each"), "3.6": ("once", "each")}
"""Readings that the published figures are compared with, by table. 3.3 says that both shapes of a test are random."""

Floats = NDArray[np.float64]

_VARIANTS = {method for method, _ in VARIANTS_OF_TESTS.values()}
_FANS = {"3.2": ("fan-circle", "fan-rectangle", "fan-capsule"), "3.3": ("fan-point", "fan-sphere", "fan-capsule")}
_VOLUMES = {
    "3.2": ("circle-circle", "capsule-capsule", "AABB", "OBB"),
    "3.3": ("sphere-sphere", "capsule-capsule", "AABB", "OBB"),
}


@dataclass(frozen=True, slots=True)
class Times:
    """A line of Tables 3.2 to 3.6 [s]."""

    table: str
    reading: str
    name: str
    method: str
    hits: float
    """Share of tests that hit; NaN if nothing was tested."""
    seconds: Floats
    """Each repetition, shape (n,)."""

    @property
    def mean(self) -> float:
        """Return the mean time [s]."""
        return float(self.seconds.mean())

    @property
    def best(self) -> float:
        """Return the shortest time [s]."""
        return float(self.seconds.min())

    @property
    def worst(self) -> float:
        """Return the longest time [s]."""
        return float(self.seconds.max())

    @property
    def published(self) -> tuple[float, float, float] | None:
        """Return the published mean, best and worst [ms]; None where the thesis has none."""
        if self.method in _VARIANTS:
            return None
        return PUBLISHED.get((self.table, self.name)) if self.reading in READINGS[self.table] else None


def settings(tests: int = TESTS) -> dict[str, object]:
    """Return the settings that parts of one run share."""
    return {"tests": tests, "code": digest(*_TIMED)}


def count_works() -> int:
    """Return the number of measurements."""
    return len(works(0, 10))


def measure(parts: Parts, repeats: int, tests: int = TESTS, *, advance: Callable[[int], None] = lambda _: None) -> list[Times]:
    """Time everything `repeats` times; saved parts are not run again. advance(k) is called when k more times are measured."""
    seconds, hits = [], []
    for number in range(-(-repeats // REPEATS_A_DRAW)):
        size = min(REPEATS_A_DRAW, repeats - number * REPEATS_A_DRAW)
        saved = parts.read(number)
        if saved is None or saved["seconds"].shape[1] < size:
            done = works(number, tests)
            saved = {"seconds": _timed(done, size, advance), "hits": np.array([_share(work) for work in done])}
            parts.write(number, saved)
        else:
            advance(size * len(saved["seconds"]))
        seconds.append(saved["seconds"][:, :size])
        hits.append(saved["hits"])
    every, shares = np.concatenate(seconds, axis=1), np.mean(hits, axis=0)
    return [
        Times(work.table, work.reading, work.name, work.method, float(share), row)
        for work, share, row in zip(works(0, 10), shares, every, strict=True)
    ]


def _timed(done: list[Work], repeats: int, advance: Callable[[int], None]) -> Floats:
    """Return the times of all works [s], shape (works, repeats); advance(k) is called when k more are done.

    A work is repeated without a break, after one run that is not counted: so its data is in the caches. With works in turn,
    those that share arrays would look faster than others.
    """
    seconds = np.empty((len(done), repeats))
    for row, work in enumerate(done):
        work.run()
        for k in range(repeats):
            start = time.perf_counter()
            work.run()
            seconds[row, k] = time.perf_counter() - start
        advance(repeats)
    return seconds


def _share(work: Work) -> float:
    return math.nan if work.out is None else float(work.out.mean())


def ratios(rows: list[Times], row: Times, form: str = "textbook") -> dict[str, float]:
    """Return a row's mean time over those of the volumes of its table and reading; form: which one, where there are two."""
    reading = row.reading.split(",")[0]
    mine = [one for one in rows if (one.table, one.reading) == (row.table, reading)]
    means = {one.name: one.mean for one in mine if one.method in ("", "A1", form)}
    return {base: row.mean / means[base] for base in BASES.get(row.table, ()) if base in means}


@dataclass(frozen=True, slots=True)
class Order:
    """Which of two is faster, a fan or a volume, by one of Tables 3.2 to 3.6."""

    table: str
    reading: str
    fan: str
    """As the thesis calls it, and its method: published or exact."""
    volume: str
    """The same: its form, or the box of S-CCD."""
    published: float
    """The fan's mean time over that of the volume in the thesis."""
    ends: tuple[float, float]
    """The same of the best times and of the worst."""
    ratio: float
    """That of the means here."""

    @property
    def holds(self) -> bool:
        """Return whether the thesis' order is found here."""
        return (self.ratio < 1.0) == (self.published < 1.0)

    @property
    def consistent(self) -> bool:
        """Return whether the thesis' mean, best and worst times have one order."""
        return len({share < 1.0 for share in (self.published, *self.ends)}) == 1


def orders(rows: list[Times]) -> list[Order]:
    """Return how fans compare with volumes in Tables 3.2 and 3.3, and with S-CCD in both readings of Tables 3.4 to 3.6."""
    found = []
    for table, readings in READINGS.items():
        fans, volumes = _FANS.get(table, ("fan",)), _VOLUMES.get(table, ("S-CCD",))
        for reading in readings:
            mine = [row for row in rows if (row.table, row.reading) == (table, reading)]
            found += [
                _order(fan, volume)
                for fan in mine
                for volume in mine
                if fan.name in fans and fan.method not in _VARIANTS and volume.name in volumes
            ]
    return found


def _order(fan: Times, volume: Times) -> Order:
    """Return the order of two lines of one table."""
    mean, best, worst = (
        a / b for a, b in zip(PUBLISHED[fan.table, fan.name], PUBLISHED[volume.table, volume.name], strict=True)
    )
    first, second = (", ".join(word for word in (row.name, row.method) if word) for row in (fan, volume))
    return Order(fan.table, fan.reading, first, second, mean, (best, worst), fan.mean / volume.mean)
