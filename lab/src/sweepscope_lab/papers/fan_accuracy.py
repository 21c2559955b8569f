"""The thesis' accuracy experiment (Yamamoto 2023, 3.1 and 3.2): how well fans and boxes fit the space of a swing.

A box swings about the origin. Each lattice point is inside or outside of the truth, the fan and the box of speculative CCD.
Truth is the box at 100 poses, as in the thesis, and also the whole sweep. Shares are means over rotations.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import threads

from ..compared.speculative import VARIANTS
from ..kernels import compared_swung
from ..kernels import lattice as lattice_kernels
from ..kernels.compared_swung import ANGLE, SWING, WIDTHS, speculative_boxes
from ..kernels.lattice import ENCLOSING, FAN, POSES, STATES, SWEPT, count_swings
from .parts import Parts, digest

CHUNK = 500
"""Rotations that are drawn, counted and saved together."""
LATTICE = 100
"""Lattice points along each axis, 1 apart, about the origin."""
TOLERANCE = 1e-9
"""In every comparison [length, radians]."""
ANGLE_BINS, SHAPE_BINS = 36, 20
MEASURES = ("accuracy", "excess", "missed")
GROUPS: tuple[str, ...] = ("A", "B", "C", "D", "E", "F", "G")

_BITS = {"fan": FAN, "enclosing fan": ENCLOSING, "exact": SWEPT}
METHODS = ("fan", *VARIANTS, "enclosing fan", "exact")
TRUTHS = {"100 poses": POSES, "sweep": SWEPT}

PAIRED = "D1"
"""The box of S-CCD that a rotation of the fan is paired with: the one that fits the thesis' figures."""
PUBLISHED = {"fan": (67.68, 1.25, 31.07), "D1": (4.27, 93.90, 1.83)}
"""Table 3.1 [percent]. Its S-CCD is compared with D1, which fits it; the thesis does not say which box it used."""
_SPREAD = {"fan": (24.2, 8.9, 24.1), "D1": (3.5, 7.5, 5.3)}  # standard deviations over rotations [percent]
_PUBLISHED_ROTATIONS = 100_000
_ROUNDED = 0.005  # rounding of the published figures [percent]

SHOWN = ((0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 20.0, 1.8, 23.0, 19.0, math.radians(349.0)),)
"""The swing whose groups are drawn: one of the few with points in all seven."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of lattice points by what they are in. Row i belongs to swing i."""

    swings: NDArray[np.float64]
    """Shape (n, 11), see `kernels.compared_swung`."""
    held: NDArray[np.int64]
    """Points by state, shape (n, 16), see `kernels.lattice`."""
    boxed: NDArray[np.int64]
    """Points by state in each box of speculative CCD, shape (n, 4, 16), in the order of VARIANTS."""
    totals: NDArray[np.int64]
    """Points in each box, whatever their state, shape (n, 4)."""

    def of(self, method: str) -> NDArray[np.int64]:
        """Return how many points are in a method's volume, shape (n,)."""
        if method in VARIANTS:
            return self.totals[:, VARIANTS.index(method)]
        return _with(self.held, _BITS[method])

    def both(self, method: str, bits: int) -> NDArray[np.int64]:
        """Return how many points of a method's volume also have these bits, shape (n,)."""
        if method in VARIANTS:
            return _with(self.boxed[:, VARIANTS.index(method)], bits)
        return _with(self.held, _BITS[method] | bits)

    def missed(self, method: str, truth: str) -> int:
        """Return how many points of the truth a method misses, in all rotations."""
        bits = TRUTHS[truth]
        return int((_with(self.held, bits) - self.both(method, bits)).sum())

    def groups(self, variant: str) -> NDArray[np.int64]:
        """Return n1..n7, shape (n, 7): points by whether they are in truth (100 poses), a box of speculative CCD, the fan."""
        box = self.boxed[:, VARIANTS.index(variant)]
        truth, fan, met = _with(self.held, POSES), _with(self.held, FAN), _with(self.held, POSES | FAN)
        boxed = self.of(variant)
        truth_box, fan_box, all_three = _with(box, POSES), _with(box, FAN), _with(box, POSES | FAN)
        return np.stack(
            (
                truth - met - truth_box + all_three,
                boxed - truth_box - fan_box + all_three,
                fan - met - fan_box + all_three,
                truth_box - all_three,
                met - all_three,
                fan_box - all_three,
                all_three,
            ),
            axis=1,
        )

    def union(self, method: str, truth: str) -> NDArray[np.int64]:
        """Return how many points are in the truth or in a method's volume, shape (n,): a denominator of (3.1) to (3.6)."""
        bits = TRUTHS[truth]
        return _with(self.held, bits) + self.of(method) - self.both(method, bits)

    def shares(self, method: str, truth: str) -> NDArray[np.float64]:
        """Return accuracy, excess and missed [percent] of each rotation, shape (n, 3); NaN for rotations that are left out.

        As 3.1 says, a rotation is left out if either denominator is 0: that of the fan (3.2), or that of S-CCD (3.1). A box of
        S-CCD has its own denominator, other methods that of PAIRED and their own.
        """
        bits = TRUTHS[truth]
        true, mine, met = _with(self.held, bits), self.of(method), self.both(method, bits)
        union = self.union(method, truth).astype(np.float64)
        needed = ("fan",) if method in VARIANTS else ("fan", PAIRED)
        left_out = (union == 0.0) | np.any([self.union(other, truth) == 0 for other in needed], axis=0)
        union[left_out] = np.nan
        return 100.0 * np.stack((met, mine - met, true - met), axis=1) / union[:, None]


@dataclass(frozen=True, slots=True)
class Share:
    """A line of Table 3.1: one method against one truth [percent]."""

    method: str
    truth: str
    rotations: int
    """Rotations that count: no denominator is 0."""
    accuracy: float
    accuracy_error: float
    """Standard error of the mean."""
    excess: float
    excess_error: float
    missed: float
    missed_error: float
    missed_points: int
    """Points of the truth that the method misses, in all rotations."""


@dataclass(frozen=True, slots=True)
class Band:
    """A mean and the published one [percent]."""

    method: str
    measure: str
    published: float
    mean: float
    band: float
    """Accepted difference: three standard deviations of both means, and the rounding of the published one."""

    @property
    def inside(self) -> bool:
        """Return whether the two means agree."""
        return abs(self.mean - self.published) <= self.band


@dataclass(frozen=True, slots=True)
class Bin:
    """A point of Fig. 3.8 or 3.9: mean accuracy [percent] of the rotations in a bin, against one truth."""

    low: float
    high: float
    rotations: int
    accuracy: dict[str, float]
    """By method; NaN if the bin is empty."""


def _with(states: NDArray[np.int64], bits: int) -> NDArray[np.int64]:
    """Return how many points have all these bits, shape (n,)."""
    return states[:, [k for k in range(STATES) if k & bits == bits]].sum(axis=1)


# ---- the experiment


def draw(chunk: int, seed: int = 0, size: int = CHUNK, *, random_start: bool = False) -> NDArray[np.float64]:
    """Return the first `size` swings of a chunk, shape (size, 11): the same for every run with this seed.

    Axis uniform on the sphere; angle uniform in 0..2 pi, distance in 12.5..25, widths in 0..25. Start direction: axis x
    (0, 0, 1), normalized, which fits the published figures; or random, at right angles to the axis.
    """
    rng = np.random.default_rng((seed, chunk))
    swings = np.empty((CHUNK, SWING))
    axis = rng.normal(size=(CHUNK, 3))
    axis /= np.linalg.norm(axis, axis=1)[:, None]
    swings[:, :3] = axis
    swings[:, 6] = rng.uniform(12.5, 25.0, CHUNK)
    swings[:, WIDTHS : WIDTHS + 3] = rng.uniform(0.0, 25.0, (CHUNK, 3))
    swings[:, ANGLE] = rng.uniform(0.0, 2.0 * math.pi, CHUNK)
    out = np.cross(axis, rng.normal(size=(CHUNK, 3)) if random_start else (0.0, 0.0, 1.0))
    swings[:, 3:6] = out / np.linalg.norm(out, axis=1)[:, None]
    return swings[:size]


def count(
    swings: NDArray[np.float64], poses: int = 100, *, start: bool = False, advance: Callable[[int], None] = lambda _: None
) -> Counts:
    """Count the lattice's points for swings (n, 11), on all cores; advance(k) is called when k more are done.

    poses: of the truth, at k angle / poses, k = 1..poses; start: include k = 0.
    """
    size = len(swings)
    boxes, box = np.empty((size, len(VARIANTS), 6)), np.empty((size, 6))
    for kind in range(len(VARIANTS)):
        speculative_boxes(swings, kind, box)
        boxes[:, kind] = box
    held = np.zeros((size, STATES), np.int64)
    boxed = np.zeros((size, len(VARIANTS), STATES), np.int64)
    totals = np.zeros((size, len(VARIANTS)), np.int64)
    share = 10

    def work(todo: object) -> None:
        for k in todo:  # type: ignore[attr-defined]
            first, last = k * share, min((k + 1) * share, size)
            count_swings(swings, first, last, boxes, LATTICE, poses, int(not start), TOLERANCE, held, boxed, totals)
            advance(last - first)

    threads.spread(work, -(-size // share), threads.WORKERS)
    return Counts(swings, held, boxed, totals)


def settings(seed: int = 0, *, random_start: bool = False) -> dict[str, object]:
    """Return the settings that parts of one run share. The number of rotations is not one of them: a run can be extended."""
    return {
        "rotations a part": CHUNK,
        "lattice": LATTICE,
        "poses": 100,
        "seed": seed,
        "random start": random_start,
        "code": digest(compared_swung, lattice_kernels),
    }


def measure(
    parts: Parts, rotations: int, seed: int = 0, *, random_start: bool = False, advance: Callable[[int], None] = lambda _: None
) -> Counts:
    """Return the counts of the first `rotations` rotations: read from `parts` if saved there, else counted and saved."""
    chunks = []
    for chunk in range(-(-rotations // CHUNK)):
        size = min(CHUNK, rotations - chunk * CHUNK)
        swings = draw(chunk, seed, size, random_start=random_start)
        saved = parts.read(chunk)
        if saved is not None and len(saved["held"]) >= size:
            chunks.append(Counts(swings, *(saved[name][:size] for name in ("held", "boxed", "totals"))))
            advance(size)
            continue
        chunks.append(count(swings, advance=advance))
        parts.write(chunk, {name: getattr(chunks[-1], name) for name in ("held", "boxed", "totals")})
    return Counts(*(np.concatenate([getattr(one, name) for one in chunks]) for name in ("swings", "held", "boxed", "totals")))


# ---- its tables


def table(counts: Counts) -> list[Share]:
    """Return Table 3.1, for every method against both truths."""
    rows = []
    for truth in TRUTHS:
        for method in METHODS:
            shares = counts.shares(method, truth)
            shares = shares[np.isfinite(shares[:, 0])]
            means = shares.mean(axis=0)
            errors = shares.std(axis=0, ddof=1) / math.sqrt(len(shares))
            columns = {}
            for measure, mean, error in zip(MEASURES, means, errors, strict=True):
                columns |= {measure: float(mean), f"{measure}_error": float(error)}
            rows.append(Share(method, truth, len(shares), **columns, missed_points=counts.missed(method, truth)))
    return rows


def bands(rows: list[Share]) -> list[Band]:
    """Return each published mean with ours."""
    found = []
    for row in rows:
        if row.truth == "100 poses" and row.method in PUBLISHED:
            for measure, published, spread in zip(MEASURES, PUBLISHED[row.method], _SPREAD[row.method], strict=True):
                band = 3.0 * spread * math.sqrt(1.0 / row.rotations + 1.0 / _PUBLISHED_ROTATIONS) + _ROUNDED
                found.append(Band(row.method, measure, published, getattr(row, measure), band))
    return found


def by_angle(counts: Counts, truth: str = "100 poses") -> list[Bin]:
    """Return Fig. 3.8: accuracy by rotation angle, 36 bins [degrees]."""
    angles = np.degrees(counts.swings[:, ANGLE])
    edges = np.linspace(0.0, 360.0, ANGLE_BINS + 1)
    return _bins(counts, truth, edges, np.clip((angles / 360.0 * ANGLE_BINS).astype(int), 0, ANGLE_BINS - 1))


def by_shape(counts: Counts, truth: str = "100 poses") -> list[Bin]:
    """Return Fig. 3.9: accuracy by W_y - W_x, 20 bins of equal count [length]."""
    longer = counts.swings[:, WIDTHS + 1] - counts.swings[:, WIDTHS]
    edges = np.quantile(longer, np.linspace(0.0, 1.0, SHAPE_BINS + 1))
    ranks = np.argsort(np.argsort(longer, kind="stable"), kind="stable")
    return _bins(counts, truth, edges, ranks * SHAPE_BINS // len(longer))


def not_above(bins: list[Bin], variant: str) -> list[Bin]:
    """Return the bins in which the fan is not above a box of S-CCD; the thesis says that there are none."""
    return [one for one in bins if not one.accuracy["fan"] > one.accuracy[variant]]


def _bins(counts: Counts, truth: str, edges: NDArray[np.float64], which: NDArray[np.int64]) -> list[Bin]:
    """Return the mean accuracy of every method in each bin."""
    accuracy = {method: counts.shares(method, truth)[:, 0] for method in METHODS}
    rows = []
    for k in range(len(edges) - 1):
        mine = which == k
        means = {}
        for method, values in accuracy.items():
            finite = values[mine & np.isfinite(values)]
            means[method] = float(finite.mean()) if len(finite) else math.nan
        rows.append(Bin(float(edges[k]), float(edges[k + 1]), int(mine.sum()), means))
    return rows


def lattice() -> NDArray[np.float64]:
    """Return the lattice's points [length], shape (10^6, 3)."""
    line = np.arange(LATTICE, dtype=np.float64) - 0.5 * (LATTICE - 1)
    return np.stack(np.meshgrid(line, line, line, indexing="ij"), axis=-1).reshape(-1, 3)


def grouped(swing: NDArray[np.float64], variant: str = "D1") -> dict[str, NDArray[np.float64]]:
    """Return the lattice's points of one swing (1, 11) by group A..G (Figs. 3.1 to 3.7), each shape (k, 3)."""
    points = lattice()
    state = np.zeros(len(points), np.uint8)
    lattice_kernels.states(swing, points, 100, 1, TOLERANCE, state)
    box = np.empty((1, 6))
    speculative_boxes(swing, VARIANTS.index(variant), box)
    boxed = ((points >= box[0, :3] - TOLERANCE) & (points <= box[0, 3:] + TOLERANCE)).all(axis=1)
    truth, fan = (state & POSES) != 0, (state & FAN) != 0
    wanted = {"A": (1, 0, 0), "B": (0, 1, 0), "C": (0, 0, 1), "D": (1, 1, 0), "E": (1, 0, 1), "F": (0, 1, 1), "G": (1, 1, 1)}
    return {name: points[(truth == t) & (boxed == s) & (fan == f)] for name, (t, s, f) in wanted.items()}
