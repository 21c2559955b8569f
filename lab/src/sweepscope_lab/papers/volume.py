"""The third paper's experiment (Hirai, Yamamoto & Takai 1999, Table 1), and beyond: larger volumes, the effect of each cull.

Two volumes change in every frame. We compare the paper's baseline (box and planes) and its method (box, planes and lines), both
voxel by voxel on alpha. The cost of a frame is the update of both indices and the test. Both methods get the same list of
voxels whose occupancy changed. Writing alpha and finding the changes are the same work for both, and are not timed. The call
from Python is timed.

The paper does not describe its data. But its baseline took 1.05 and 0.31 ms at 400 MHz, some tens of thousands of voxels: its
two objects must have been close, with boxes that overlap by a large part of the grid while the objects are apart. Our stories
are made like this. The gain by lines depends on it, and on how much changes: where boxes leave little to test, lines cost more
than they save. `Mean.extra` and `Mean.saved` give the break-even point.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ..scenes.changing import STORIES, Story
from .volume_frames import Bytes, Costs, Pair, Step

Say = Callable[[str], object]

DATA = {1: "melting", 2: "dripping"}
"""Which story stands for which data set of the paper; the choice is ours."""
PLATES = 3
"""A pair that is not the paper's: stacks of plates, whose planes are empty between plates. Its gains were not adjusted."""
PAIRS = {**DATA, PLATES: "shuffling"}
"""The story of each pair."""
PUBLISHED = {1: (1.05, 0.35, 3.0), 2: (0.31, 0.16, 1.9)}
"""Mean time of a frame [ms] by planes and by lines, and their ratio: 64^3, Pentium II at 400 MHz."""

SIDE = 64
FRAMES = 300
"""Frames of a whole story: five seconds at 60 frames a second. Sampling does not change the time between frames."""
SAMPLED = {128: 60, 256: 24, 512: 10}
"""How many frames are measured beyond Table 1, by size."""
PARTS = ("all", "apart", "touching")
METHODS = ("by_planes", "by_lines", "edit_voxels", "edit_region", "overlap_planes", "overlap_lines")
"""Fields of `Costs` whose growth with size is fitted."""

_MOST_PAIRS, _MOST_VOXELS = 20, 2**25  # of frames timed in turn; voxels of one volume in all of them


@dataclass(frozen=True, slots=True)
class VolumeFrame:
    """One frame of a story."""

    data: int
    n: int
    """Voxels along each axis."""
    frame: int
    touching: bool
    costs: Costs


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean over a story's frames: all, those with contact, or those without."""

    data: int
    n: int
    part: str
    frames: int
    costs: Costs

    @property
    def extra(self) -> float:
        """Extra cost of lines per changed voxel [s]; NaN if nothing changed."""
        costs = self.costs
        return (costs.lines_upkeep - costs.planes_upkeep) / costs.changed if costs.changed else math.nan

    @property
    def saved(self) -> float:
        """Time that lines save per voxel that box and planes leave [s]; NaN if they leave none."""
        left = self.n**3 * self.costs.after_planes
        return (self.costs.planes_test - self.costs.lines_test) / left if left else math.nan

    @property
    def published(self) -> float:
        """The published ratio; NaN where the paper has none."""
        if self.n != SIDE or self.part != "all" or self.data not in PUBLISHED:
            return math.nan
        return PUBLISHED[self.data][2]


# ---- stories


def steps(story: Story, frames: Sequence[int]) -> Iterator[Step]:
    """Yield these frames of a story, each 1 or later."""
    last, before = -1, None
    for k in frames:
        if before is None or last != k - 1:
            before = bytes_at(story, k - 1)[0]
        after, offset = bytes_at(story, k)
        yield Step(k, before, after, offset)
        last, before = k, after


def bytes_at(story: Story, k: int) -> tuple[tuple[Bytes, Bytes], NDArray[np.int64]]:
    """Return alpha of both volumes in frame k as bytes, and the offset. Alpha above 0 stays above 0."""
    frame = story.at(k / FRAMES)
    for alpha in (frame.first, frame.second):
        np.ceil(np.multiply(alpha, 255.0, out=alpha), out=alpha)
    return (frame.first.astype(np.uint8), frame.second.astype(np.uint8)), frame.pose


def story_of(data: int, n: int) -> Story:
    """Return the story of a pair at n^3."""
    return STORIES[PAIRS[data]](n, 0)


def spread(count: int) -> list[int]:
    """Return `count` frames of a story, evenly spaced, without the first, which has no frame before it."""
    return sorted({1 + int((FRAMES - 1) * (k + 0.5) / count) for k in range(count)})


# ---- the measurements


def measure(say: Say, data: int, n: int, frames: Sequence[int], rounds: int = 10) -> list[VolumeFrame]:
    """Run these frames of a data set at n^3: each is checked, then timed in several rounds; the shortest counts."""
    name = PAIRS[data]
    say(f"data {data}, {name}: {len(frames)} frames at {n}^3 ...")
    rows = []
    remaining = steps(story_of(data, n), frames)
    while some := list(islice(remaining, max(1, min(_MOST_PAIRS, _MOST_VOXELS // n**3)))):
        pairs = [Pair(one) for one in some]
        touching = [pair.checked(f"{name} at {n}^3, frame {one.frame}") for one, pair in zip(some, pairs, strict=True)]
        times = np.min([[pair.timed(k % 2 == 0) for pair in pairs] for k in range(rounds + 1)][1:], axis=0)
        rows += [
            VolumeFrame(data, n, one.frame, meet, pair.costs(seconds))
            for one, meet, pair, seconds in zip(some, touching, pairs, times.tolist(), strict=True)
        ]
    return rows


def measure_table(say: Say, sampled: int = FRAMES - 1, rounds: int = 10) -> list[VolumeFrame]:
    """Run Table 1: both data sets at 64^3."""
    return [frame for data in DATA for frame in measure(say, data, SIDE, spread(sampled), rounds)]


def measure_sizes(say: Say, sampled: Mapping[int, int] = SAMPLED, rounds: int = 4) -> list[VolumeFrame]:
    """Run both data sets at several sizes."""
    return [frame for data in DATA for n, count in sampled.items() for frame in measure(say, data, n, spread(count), rounds)]


@dataclass(frozen=True, slots=True)
class CullTimes:
    """What each cull saves of the test of one pair at 64^3: means over frames, those without contact apart."""

    data: int
    part: str
    frames: int
    seconds: tuple[float, float, float]
    """Of the test alone by box, by box and planes, by all three [s]."""
    shares: tuple[float, float, float, float]
    """Of the first volume's voxels: removed by box, by planes, by lines; left."""


def measure_culls(say: Say, sampled: int = FRAMES - 1, rounds: int = 10, n: int = SIDE) -> list[CullTimes]:
    """Time the test of each pair by one, two and three culls, voxel by voxel; indices are up to date."""
    found = []
    for data, name in PAIRS.items():
        say(f"culls, {name}: {sampled} frames at {n}^3 ...")
        pairs, touching = [], []
        for one in steps(story_of(data, n), spread(sampled)):
            pairs.append(Pair(one))
            touching.append(pairs[-1].checked(f"{name} at {n}^3, frame {one.frame}"))
        seconds = np.min([[pair.timed_culls(k % 2 == 0) for pair in pairs] for k in range(rounds + 1)][1:], axis=0)
        shares, met = np.array([pair.shares for pair in pairs]), np.array(touching)
        for part, chosen in (("all", np.ones(len(met), bool)), ("apart", ~met), ("touching", met)):
            if chosen.any():
                means = seconds[chosen].mean(axis=0).tolist(), shares[chosen].mean(axis=0).tolist()
                found.append(CullTimes(data, part, int(chosen.sum()), tuple(means[0]), tuple(means[1])))
    return found


# ---- results


def means(rows: Sequence[VolumeFrame]) -> list[Mean]:
    """Return the means by data set, size and part; parts without frames are left out."""
    found = []
    for data, n in dict.fromkeys((row.data, row.n) for row in rows):
        mine = [row for row in rows if (row.data, row.n) == (data, n)]
        for part in PARTS:
            some = [row.costs for row in mine if part == "all" or row.touching == (part == "touching")]
            if some:
                found.append(Mean(data, n, part, len(some), _mean(some)))
    return found


def _mean(rows: Sequence[Costs]) -> Costs:
    return Costs(*(sum(getattr(row, field.name) for row in rows) / len(rows) for field in fields(Costs)))


def exponents(rows: Sequence[Mean]) -> dict[tuple[int, str], float]:
    """Return by data set and method the power of n by which times grow, fitted over all sizes; NaN with only one size."""
    found = {}
    for data in dict.fromkeys(row.data for row in rows):
        mine = [row for row in rows if row.data == data and row.part == "all"]
        for method in METHODS:
            seconds = [getattr(row.costs, method) for row in mine]
            several = len({row.n for row in mine}) > 1
            found[data, method] = (
                float(np.polyfit(np.log([row.n for row in mine]), np.log(seconds), 1)[0]) if several else math.nan
            )
    return found


def plain(row: VolumeFrame | Mean) -> dict[str, object]:
    """Return a row as plain data, times in milliseconds."""
    costs = asdict(row.costs)
    shares = ("changed", "box", "planes", "lines", "tested")
    head = {"data": row.data, "name": PAIRS[row.data], "n": row.n}
    if isinstance(row, VolumeFrame):
        head |= {"frame": row.frame, "touching": row.touching}
    else:
        head |= {"part": row.part, "frames": row.frames}
    return {
        **head,
        **{
            name if name in shares else f"{name} [ms]": value if name in shares else 1e3 * value
            for name, value in costs.items()
        },
        "ratio": row.costs.ratio,
    }
