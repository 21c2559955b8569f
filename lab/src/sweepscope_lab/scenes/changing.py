"""Pairs of volumes that change in every frame: a ball that melts over rising fog, blobs that exchange drops, stacks of plates.

All are sums of soft balls that merge where they are near (metaballs, after Wyvill 1986): each adds (1 - d^2 / R^2)^2 within
its reach R, and matter is where the sum is over a level. Alpha grows smoothly from exactly 0 at that surface to 1 inside, so
any threshold from 0 to below 1 gives a shape. A frame depends only on its time in the story: the story is the same at any
resolution and with any number of frames.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sweepscope.errors import InvalidQuery

_LEVEL = 0.25  # of the sum: the surface
_SOFT = 0.5  # of the sum: from the surface to alpha 1
_REACH = 1.0 / math.sqrt(1.0 - math.sqrt(_LEVEL))  # times a single ball's radius: beyond it the ball adds nothing

_Place = tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class StoryFrame:
    """Two volumes at one moment. A voxel is occupied where alpha > 0."""

    first: NDArray[np.float32]
    """Alpha, 0 to 1, shape (n, n, n)."""
    second: NDArray[np.float32]
    """The same for the other."""
    pose: NDArray[np.int64]
    """Where the second's voxel (0, 0, 0) is among the first's [voxels], shape (3,)."""


class Story(ABC):
    """A story of two volumes of n x n x n voxels each, a voxel 1 wide. Lengths are shares of the grid's width."""

    name: str

    def __init__(self, n: int, seed: int = 0) -> None:
        if n < 1:
            raise InvalidQuery(f"n is {n}; accepted: 1 or more voxels along each side")
        self.n = n
        self._rng = np.random.default_rng(seed)

    def frames(self, count: int) -> Iterator[StoryFrame]:
        """Yield the whole story in `count` frames, start and end included; each call starts from the beginning."""
        return (self.at(k / max(count - 1, 1)) for k in range(count))

    @abstractmethod
    def at(self, time: float) -> StoryFrame:
        """Return the frame at a time, 0 (start) to 1 (end)."""

    def _offset(self, x: float, y: float, z: float) -> NDArray[np.int64]:
        return np.floor(np.array((x, y, z)) * self.n + 0.5).astype(np.int64)


def melting(n: int, seed: int = 0) -> Story:
    """Return the first data set: a ball of ice melts and drips into warm fog, which rises and flows below it."""
    return _Melting(n, seed)


def dripping(n: int, seed: int = 0) -> Story:
    """Return the second data set: two blobs side by side wobble, throw drops to each other, and sometimes touch."""
    return _Dripping(n, seed)


def shuffling(n: int, seed: int = 0) -> Story:
    """Return two stacks of plates that slide into each other's gaps, out again, and sometimes touch.

    Between its plates a stack has planes without a voxel.
    """
    return _Shuffling(n, seed)


STORIES: dict[str, Callable[[int, int], Story]] = {"melting": melting, "dripping": dripping, "shuffling": shuffling}
"""Builders of the stories, by name."""


class _Matter:
    """A sum of soft balls on a grid of n x n x n voxels; places and radii are shares of its width."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._sum = np.zeros((n, n, n), np.float32)
        self._low, self._high = [n] * 3, [0] * 3

    def ball(self, center: _Place, radius: float, flat: float = 1.0, weight: float = 1.0) -> None:
        """Add a ball, `flat` times as high as wide; a negative weight makes a dent."""
        if radius <= 0.0 or weight == 0.0:
            return
        reach = _REACH * radius
        spans = [self._span(c - r, c + r) for c, r in zip(center, (reach, reach, reach * flat), strict=True)]
        if any(low >= high for low, high in spans):
            return
        x, y, z = (
            np.square((np.arange(low, high, dtype=np.float32) + np.float32(0.5)) / self._n - np.float32(c)) / np.float32(r * r)
            for (low, high), c, r in zip(spans, center, (reach, reach, reach * flat), strict=True)
        )
        part = 1.0 - (x[:, None, None] + y[:, None] + z)
        np.maximum(part, 0.0, out=part)
        part *= part
        part *= np.float32(weight)
        self._sum[tuple(slice(*span) for span in spans)] += part
        self._touched(spans)

    def layer(self, heights: NDArray[np.float32], depth: float) -> None:
        """Fill all below `heights`, shape (n, n); `depth`: thickness of the soft surface."""
        top = min(max(math.ceil((float(heights.max()) + _LEVEL * depth) * self._n), 0), self._n)
        z = (np.arange(top, dtype=np.float32) + np.float32(0.5)) / self._n
        part = ((heights / depth + _LEVEL)[..., None] - z / np.float32(depth)).astype(np.float32)
        self._sum[:, :, :top] += np.clip(part, 0.0, 1.0, out=part)
        self._touched([(0, self._n), (0, self._n), (0, top)])

    def alpha(self) -> NDArray[np.float32]:
        """Return alpha, 0 to 1; it overwrites the sum, so call it once."""
        part = self._sum[tuple(slice(low, high) for low, high in zip(self._low, self._high, strict=True))]
        part -= np.float32(_LEVEL)
        part /= np.float32(_SOFT)
        np.clip(part, 0.0, 1.0, out=part)
        return self._sum

    def _span(self, low: float, high: float) -> tuple[int, int]:
        return max(math.floor(low * self._n), 0), min(math.ceil(high * self._n), self._n)

    def _touched(self, spans: list[tuple[int, int]]) -> None:
        self._low = [min(a, low) for a, (low, _) in zip(self._low, spans, strict=True)]
        self._high = [max(b, high) for b, (_, high) in zip(self._high, spans, strict=True)]


def _eased(value: float) -> float:
    """Return 0 below 0, 1 above 1, and a smooth step between."""
    value = min(max(value, 0.0), 1.0)
    return value * value * (3.0 - 2.0 * value)


class _Melting(Story):
    """The ball is the first volume, the fog the second."""

    name = "melting"

    _DRIPS = 9
    _PLUMES = 6
    _PUFFS = 5  # in a plume
    _HEAPS = 26
    _SUNK = 0.08  # how much lower the fog's grid is than the ball's
    # (time, the fog's level below the ball, in the ball's grid): it rises twice, the second time for good.
    _TIDE = ((0.0, 0.0), (0.3, 0.07), (0.46, 0.28), (0.62, 0.07), (0.8, 0.17), (1.0, 0.37))

    def __init__(self, n: int, seed: int = 0) -> None:
        super().__init__(n, seed)
        rng = self._rng
        self._begins = 0.04 + 0.1 * (np.arange(self._DRIPS) + rng.uniform(-0.2, 0.2, self._DRIPS))
        self._sides = rng.uniform(0.0, 2.0 * math.pi, self._DRIPS)
        self._aside = rng.uniform(0.1, 0.6, self._DRIPS)  # distance of a drip from the middle, in the ball's radii
        self._pits = rng.normal(size=(10, 3))
        self._pits /= np.linalg.norm(self._pits, axis=1)[:, None]
        self._turns = (np.arange(self._PLUMES) + rng.uniform(-0.3, 0.3, self._PLUMES)) * (2.0 * math.pi / self._PLUMES)
        self._phases = rng.uniform(0.0, 2.0 * math.pi, (self._PLUMES, 3))
        self._heaps = rng.uniform((0.0, 0.26, 0.0), (2.0 * math.pi, 0.40, 2.0 * math.pi), (self._HEAPS, 3))
        self._waves = rng.uniform(0.0, 2.0 * math.pi, 5)

    def at(self, time: float) -> StoryFrame:
        drift = 2.0 * math.pi * time + self._waves[0]
        offset = self._offset(0.04 * math.sin(drift), 0.03 * math.sin(1.7 * drift), -self._SUNK + 0.02 * math.sin(2.6 * drift))
        return StoryFrame(self._ball(time), self._fog(time), offset)

    def _level(self, time: float) -> float:
        """Return the height of the fog below the ball, in the ball's grid."""
        for (begin, low), (end, high) in pairwise(self._TIDE):
            if time <= end:
                return low + (high - low) * _eased((time - begin) / (end - begin))
        return self._TIDE[-1][1]

    def _ball(self, time: float) -> NDArray[np.float32]:
        matter = _Matter(self.n)
        radius = 0.38 - 0.07 * time
        middle = (0.5, 0.5, 0.62 - 0.02 * time)
        matter.ball(middle, radius, 1.0 + 0.06 * math.sin(9.0 * time))
        for k, (x, y, z) in enumerate(self._pits):  # it melts unevenly
            far = radius * (1.1 - 0.1 * math.sin(5.0 * time + k))
            matter.ball((0.5 + far * x, 0.5 + far * y, middle[2] + far * z), 0.08, weight=-0.6 * _eased(1.6 * time))
        surface = self._level(time)
        for begin, side, aside in zip(self._begins, self._sides, self._aside, strict=True):
            age = (time - begin) / 0.1
            if not 0.0 < age < 2.5:
                continue
            root = middle[2] - radius * math.sqrt(1.0 - aside * aside)
            fallen = 0.03 * min(age, 1.0) + 0.9 * max(age - 1.0, 0.0) ** 2
            height = root - fallen
            # In the fog it dissolves within a tenth of the grid.
            size = 0.045 * _eased(age) * min(max(1.0 + (height - surface) / 0.1, 0.0), 1.0)
            place = (0.5 + radius * aside * math.cos(side), 0.5 + radius * aside * math.sin(side), height)
            matter.ball(place, size, 1.0 + min(fallen, 0.5))
        return matter.alpha()

    def _fog(self, time: float) -> NDArray[np.float32]:
        n = self.n
        matter = _Matter(n)
        line = ((np.arange(n) + 0.5) / n - 0.5).astype(np.float32)
        x, y = line[:, None], line[None, :]  # from its middle, which moves a little around the ball's
        a, b, c, d = self._waves[1:].astype(np.float32)
        flow = np.float32(6.0 * math.pi * time)
        ripples = np.sin(11.0 * x - flow + a) * np.sin(9.0 * y + b) + np.sin(17.0 * y + 7.0 * x - 1.3 * flow + c)
        ripples += 0.7 * np.sin(23.0 * x - 13.0 * y + 0.8 * flow + d)
        level = self._level(time) + self._SUNK
        far = np.hypot(x, y)
        heights = self._profile(far, level) + 0.012 * ripples
        matter.layer(heights.astype(np.float32), 0.12)
        middle = (0.5, 0.5)
        for turn, away, phase in self._heaps:  # heaps on the slopes
            angle = turn + 0.9 * time
            r = away + 0.02 * math.sin(12.0 * time + phase)
            up = float(self._profile(np.array(r), level)) + 0.02 * math.sin(15.0 * time + 2.0 * phase)
            matter.ball((middle[0] + r * math.cos(angle), middle[1] + r * math.sin(angle), up), 0.06 + 0.015 * math.sin(phase))
        for turn, phases in zip(self._turns, self._phases, strict=True):
            self._plume(matter, middle, turn + 0.9 * time, phases, level, time)
        return matter.alpha()

    @staticmethod
    def _profile(far: NDArray[np.float64], level: float) -> NDArray[np.float64]:
        """Return the fog's mean height at a distance from its middle: a hollow below the ball, a rim, a slope."""
        rim = 0.09 * np.exp(-np.square((far - 0.31) / 0.1))
        return (level + rim) * (1.0 - np.square(np.square(far / 0.47))) - 4.0 * np.maximum(far - 0.44, 0.0)

    def _plume(
        self, matter: _Matter, middle: tuple[float, float], turn: float, phases: NDArray[np.float64], level: float, time: float
    ) -> None:
        """Add a plume that rises from the rim, past the ball, and gets thinner."""
        p, q, r = phases
        top = max(0.98 - level, 0.1) * (0.85 + 0.15 * math.sin(9.0 * time + p))
        for k in range(self._PUFFS):
            share = (k + (2.0 * time + q) % 1.0) / self._PUFFS
            angle = turn + 0.35 * math.sin(5.0 * share + 4.0 * time + r)
            away = 0.455 + 0.02 * math.sin(6.0 * share - 4.0 * time + p)
            place = (middle[0] + away * math.cos(angle), middle[1] + away * math.sin(angle), level + share * top)
            matter.ball(place, 0.062 * (1.0 - share) ** 0.7)


class _Dripping(Story):
    """Each volume is a blob with lobes and an arm, and the drops that it threw and that have not arrived yet."""

    name = "dripping"

    _DROPS = 12
    _APART = 0.37  # mean distance of the two grids
    _LOBES = 5
    _MIDDLES = ((0.40, 0.5, 0.5), (0.60, 0.5, 0.5))

    def __init__(self, n: int, seed: int = 0) -> None:
        super().__init__(n, seed)
        rng = self._rng
        self._begins = 0.02 + 0.075 * (np.arange(self._DROPS) + rng.uniform(-0.25, 0.25, self._DROPS))
        self._throws = rng.uniform((-0.12, -0.1, 0.3), (0.12, 0.1, 0.4), (self._DROPS, 3))  # y of start, y of aim, height
        self._lobes = rng.uniform(0.0, 2.0 * math.pi, (2, self._LOBES, 3))
        self._sway = rng.uniform(0.0, 2.0 * math.pi, 3)

    def at(self, time: float) -> StoryFrame:
        sway = 2.0 * math.pi * time
        offset = self._offset(
            self._APART - 0.05 * math.sin(2.0 * sway + self._sway[0]),
            0.03 * math.sin(sway + self._sway[1]),
            0.03 * math.sin(1.5 * sway + self._sway[2]),
        )
        matters = (_Matter(self.n), _Matter(self.n))
        for side in (0, 1):
            self._blob(matters[side], side, time)
        for k in range(self._DROPS):
            self._drop(matters, k, time, offset / self.n)
        return StoryFrame(matters[0].alpha(), matters[1].alpha(), offset)

    def _size(self, side: int, time: float) -> float:
        """Return a blob's radius: a drop takes volume from one blob and gives it to the other."""
        taken = sum(_eased((time - begin) / 0.03) for begin in self._begins[side::2])
        given = sum(_eased((time - begin - 0.12) / 0.05) for begin in self._begins[1 - side :: 2])
        return (0.185**3 + (given - taken) * 5e-4) ** (1.0 / 3.0)

    def _blob(self, matter: _Matter, side: int, time: float) -> None:
        radius = self._size(side, time)
        x, y, z = self._MIDDLES[side]
        matter.ball((x, y, z), radius, 1.0 + 0.08 * math.sin(14.0 * time + side))
        for k, (p, q, r) in enumerate(self._lobes[side]):
            turn = 2.0 * math.pi * k / self._LOBES + 0.5 * math.sin(6.0 * time + p)
            far = radius * (0.95 + 0.15 * math.sin(10.0 * time + q))
            matter.ball((x + 0.3 * far * math.cos(r + 3.0 * time), y + far * math.cos(turn), z + far * math.sin(turn)), 0.07)
        # An arm bends over or below the other blob, so their boxes overlap while they are apart.
        toward = 1.0 if side == 0 else -1.0
        for k in range(9):
            along = k / 8.0
            up = 0.10 + 0.21 * math.sin(2.0 * along) + 0.03 * along * math.sin(9.0 * time + 2.0 * side)
            matter.ball((x + toward * (0.06 + 0.52 * along), y, z + toward * up), 0.075 - 0.03 * along, weight=0.6)

    def _drop(self, matters: tuple[_Matter, _Matter], k: int, time: float, shift: NDArray[np.float64]) -> None:
        """Add drop k at its place: to the volume that threw it until it arrives, then to the other, where it shrinks away."""
        age = (time - self._begins[k]) / 0.12
        if not 0.0 < age < 1.5:
            return
        side = k % 2
        across, aim, high = self._throws[k]
        start, end = np.array(self._MIDDLES[0]), np.array(self._MIDDLES[1]) + shift
        if side == 1:
            start, end = end, start
        flown = min(age, 1.0)
        place = start + (end - start) * flown + (0.0, across * (1.0 - flown) + aim * flown, 0.0)
        place[2] += (1.0 if side == 0 else -1.0) * 4.0 * high * flown * (1.0 - flown)
        size = 0.05 * _eased(4.0 * age) * (1.0 - _eased(2.0 * (age - 1.0)))
        owner = side if age < 1.0 else 1 - side
        x, y, z = (place - shift if owner == 1 else place).tolist()
        matters[owner].ball((x, y, z), size)


class _Shuffling(Story):
    """Each volume is a stack of plates of uneven outline that wobble; those of the second lie in the gaps of the first."""

    name = "shuffling"

    _PLATES = 6
    _LOBES = 4  # on the rim of a plate
    _THICK = 0.08  # of a plate, relative to its width
    _TILT = 0.012  # rise of a plate's rim, to and fro

    def __init__(self, n: int, seed: int = 0) -> None:
        super().__init__(n, seed)
        self._phases = self._rng.uniform(0.0, 2.0 * math.pi, (2, self._PLATES, self._LOBES, 2))
        self._sway = self._rng.uniform(0.0, 2.0 * math.pi, 3)

    def at(self, time: float) -> StoryFrame:
        turn = 2.0 * math.pi * time
        offset = self._offset(
            0.38 + 0.16 * math.cos(2.0 * turn + 0.5 * math.sin(self._sway[0])),
            0.05 * math.sin(turn + self._sway[1]),
            0.5 / self._PLATES + 0.04 * math.sin(3.0 * turn + self._sway[2]),
        )
        return StoryFrame(self._stack(0, time), self._stack(1, time), offset)

    def _stack(self, side: int, time: float) -> NDArray[np.float32]:
        matter = _Matter(self.n)
        for k in range(self._PLATES):
            height = (k + 0.3) / self._PLATES
            matter.ball((0.5, 0.5, height), 0.3, self._THICK)
            for lobe in range(self._LOBES):
                p, q = self._phases[side, k, lobe]
                angle = 2.0 * math.pi * (lobe + 0.5 * math.sin(3.0 * time + p)) / self._LOBES + time
                far = 0.24 + 0.04 * math.sin(11.0 * time + q)
                rise = self._TILT * math.sin(9.0 * time + p + q)
                place = (0.5 + far * math.cos(angle), 0.5 + far * math.sin(angle), height + rise)
                matter.ball(place, 0.13, 2.0 * self._THICK)
        return matter.alpha()
