"""The thesis' speed experiment (Yamamoto 2023, 3.3 and 3.4): fans against shapes, bounding volumes and speculative CCD.

We time 100,000 tests in one call of a kernel, on one thread, with answers written to an array. All tests use the same random
shapes in the same minutes, so ratios are fair. Tables 3.2 and 3.3 have two readings: *pairs*, both shapes of each test random
and the fan in its own frame, as in the thesis; *one*, one fan or volume against all: of 20, the one whose share of hits is
nearest to a third. Capsules and rectangles have two forms: as in textbooks, with branches, and without branches ("wide"), which
is several times faster in a loop over many.

New shapes are drawn every REPEATS_A_DRAW repetitions. Fans are those of the thesis' rotations, in their own frames. Shapes that
are tested against a fan have centres uniform in a box of 50 x 50 x 25 about the fan's centre, those against their own kind in a
cube of side 25. Radii of circles and spheres are uniform in 0..12.5, of capsules in 0..6.25; lengths of capsules and
widths of boxes in 0..25; directions uniform.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import Box, Fan
from sweepscope.checks import LARGEST
from sweepscope.kernels.fan import many as fan_many
from sweepscope.queries.fan import numbers_of

from ..kernels import compared_sweeps, compared_swung, compared_wide, fan_pairs
from ..kernels import compared_volumes as volumes
from .fan_accuracy import CHUNK, draw
from .parts import Parts, digest

TESTS = 100_000
REPEATS_A_DRAW = 25

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

BASES = {"3.2": ("circle-circle", "capsule-capsule", "OBB"), "3.3": ("sphere-sphere", "capsule-capsule", "OBB")}
"""Tests that ratios refer to, by table."""

READINGS = {"3.2": "pairs", "3.3": "pairs", "3.4": "once", "3.5": "each", "3.6": "each"}
"""The reading of the thesis, by table. 22 ms for one fan is not plausible, so it builds a volume for each sphere."""

_FORMS = {"textbook": volumes, "wide": compared_wide}
_ROOM, _FAN_ROOM = (25.0, 25.0, 25.0), (50.0, 50.0, 25.0)  # boxes of random centres
_PICKS, _TRIED = 20, 2_000  # candidates for *one*, and tests of each
_RADIUS, _THIN, _WIDTH = 12.5, 6.25, 25.0

Floats = NDArray[np.float64]
_Pairs = dict[str, tuple[str, tuple[Floats, ...], tuple[Floats, ...]]]  # kernel, arrays of one side, of the other
_Shapes = dict[str, tuple[str, tuple[Floats, ...], str, tuple[Floats, ...]]]  # kernel and arrays for pairs, for one fan


@dataclass(frozen=True, slots=True)
class Work:
    """A measurement: a function to time."""

    table: str
    reading: str
    """pairs or one; for Tables 3.4 to 3.6 how often a volume is built."""
    name: str
    """As the thesis calls it."""
    method: str
    """published or exact for a fan, the variant for speculative CCD, textbook or wide (without branches) for a volume that has
    both forms; else empty."""
    run: Callable[[], object]
    out: NDArray[np.bool_] | None
    """Array of the answers; None if there are none."""


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
        return PUBLISHED.get((self.table, self.name)) if self.reading == READINGS[self.table] else None


def settings(tests: int = TESTS) -> dict[str, object]:
    """Return the settings that parts of one run share."""
    return {"tests": tests, "code": digest(compared_sweeps, compared_swung, compared_wide, volumes, fan_many, fan_pairs)}


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
    mine = [one for one in rows if (one.table, one.reading) == (row.table, row.reading)]
    means = {one.name: one.mean for one in mine if one.method in ("", form)}
    return {base: row.mean / means[base] for base in BASES.get(row.table, ()) if base in means}


# ---- what is timed


def works(number: int, tests: int) -> list[Work]:
    """Return all measurements on one random draw of shapes, `tests` of each."""
    rng = np.random.default_rng((1, number))
    swings = np.concatenate([draw(number * 1000 + k, 1) for k in range(-(-tests // CHUNK))])[:tests]
    frames, fans = np.empty((tests, 9)), np.empty((5, tests))
    compared_swung.fans_of_swings(swings, frames, fans)
    return [*_flat(rng, tests, fans), *_solid(rng, tests, fans), *_rotations(rng, tests, swings)]


def _unit(rng: np.random.Generator, tests: int, size: int) -> Floats:
    """Return directions, shape (tests, size)."""
    vectors = rng.normal(size=(tests, size))
    return vectors / np.linalg.norm(vectors, axis=1)[:, None]


def _centres(rng: np.random.Generator, tests: int, size: int, room: tuple[float, ...]) -> Floats:
    return (rng.random((tests, size)) - 0.5) * room[:size]


def _balls(rng: np.random.Generator, tests: int, size: int, room: tuple[float, ...]) -> tuple[Floats, Floats]:
    return _centres(rng, tests, size, room), rng.uniform(0.0, _RADIUS, tests)


def _capsules(rng: np.random.Generator, tests: int, size: int, room: tuple[float, ...]) -> tuple[Floats, Floats, Floats]:
    middle = _centres(rng, tests, size, room)
    half = 0.5 * _unit(rng, tests, size) * rng.uniform(0.0, _WIDTH, tests)[:, None]
    return middle - half, middle + half, rng.uniform(0.0, _THIN, tests)


def _aabbs(rng: np.random.Generator, tests: int, size: int, room: tuple[float, ...]) -> tuple[Floats, Floats]:
    middle = _centres(rng, tests, size, room)
    half = rng.uniform(0.0, 0.5 * _WIDTH, (tests, size))
    return middle - half, middle + half


def _rectangles(rng: np.random.Generator, tests: int, room: tuple[float, ...]) -> tuple[Floats, Floats, Floats]:
    middle = _centres(rng, tests, 2, room)
    return middle, rng.uniform(0.0, _WIDTH, (tests, 2)), _unit(rng, tests, 2)


def _boxes(rng: np.random.Generator, tests: int, room: tuple[float, ...]) -> tuple[Floats, Floats]:
    """Return full widths (tests, 3) and poses (tests, 4, 4), uniformly turned."""
    a, b, c, d = _unit(rng, tests, 4).T  # a quaternion
    poses = np.zeros((tests, 4, 4))
    poses[:, 0, 0], poses[:, 0, 1], poses[:, 0, 2] = 1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)
    poses[:, 1, 0], poses[:, 1, 1], poses[:, 1, 2] = 2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)
    poses[:, 2, 0], poses[:, 2, 1], poses[:, 2, 2] = 2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)
    poses[:, :3, 3] = _centres(rng, tests, 3, room)
    poses[:, 3, 3] = 1.0
    return rng.uniform(0.0, _WIDTH, (tests, 3)), poses


def _volumes(table: str, tests: int, both: _Pairs) -> list[Work]:
    """Return bounding volumes against their own kind, in pairs and one against all."""
    found = []
    for name, (kernel, first, second) in both.items():
        # One with a middle share of hits: branch prediction would learn one that hits all or nothing.
        picks = [tuple(array[k : k + 1] for array in first) for k in range(min(_PICKS, tests))]
        some, answers = tuple(array[:_TRIED] for array in second), np.zeros(min(_TRIED, tests), np.bool_)
        alone = getattr(volumes, f"one_{kernel}")
        pick = _nearest_to_a_third(picks, lambda p, f=alone, s=some, o=answers: f(*p, *s, o), answers)
        forms = [(form, module) for form, module in _FORMS.items() if hasattr(module, f"one_{kernel}")]
        for form, module in forms:
            for reading, one in (("pairs", first), ("one", pick)):
                out = np.zeros(tests, np.bool_)
                run = getattr(module, f"{reading}_{kernel}")
                method = form if len(forms) > 1 else ""
                found.append(Work(table, reading, name, method, lambda f=run, a=(*one, *second, out): f(*a), out))
    return found


def _nearest_to_a_third(
    picks: list[tuple[Floats, ...]], run: Callable[[tuple[Floats, ...]], object], out: NDArray[np.bool_]
) -> tuple[Floats, ...]:
    """Return the pick whose share of hits is nearest to a third."""
    shares = []
    for pick in picks:
        run(pick)
        shares.append(abs(float(out.mean()) - 1.0 / 3.0))
    return picks[int(np.argmin(shares))]


def _fans(table: str, tests: int, fans: Floats, shapes: _Shapes) -> list[Work]:
    """Return fans against shapes, in pairs and one against all, by both methods."""
    found = []
    for name, (pairs_kernel, arrays, one_kernel, lifted) in shapes.items():
        pairs, one = getattr(fan_pairs, pairs_kernel), getattr(fan_many, one_kernel)
        tried, answers = min(_TRIED, tests), np.zeros(tests, np.bool_)
        some = (*lifted, False, 0, tried, LARGEST, answers)
        picks = [(_numbers(fans[:, k]),) for k in range(min(_PICKS, tests))]
        pick = _nearest_to_a_third(picks, lambda p, f=one, s=some: f(*p, *s), answers[:tried])
        for method in ("published", "exact"):
            old = method == "published"
            out, alone = np.zeros(tests, np.bool_), np.zeros(tests, np.bool_)
            found.append(Work(table, "pairs", name, method, lambda f=pairs, a=(fans, *arrays, old, out): f(*a), out))
            every = (*pick, *lifted, old, 0, tests, LARGEST, alone)
            found.append(Work(table, "one", name, method, lambda f=one, a=every: f(*a), alone))
    return found


def _numbers(fan: Floats) -> Floats:
    """Return a fan (cos, sin, r, R, h) in its own frame as a row for kernels."""
    half_angle = math.atan2(fan[1], fan[0])
    return numbers_of(Fan((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), half_angle, fan[2], fan[3], fan[4]))


def _lift(flat: Floats) -> Floats:
    """Return points of the plane as points in space, shape (n, 3)."""
    return np.column_stack((flat, np.zeros(len(flat))))


def _flat(rng: np.random.Generator, tests: int, fans: Floats) -> list[Work]:
    """Return Table 3.2."""
    both: _Pairs = {
        "circle-circle": ("circles", _balls(rng, tests, 2, _ROOM), _balls(rng, tests, 2, _ROOM)),
        "capsule-capsule": ("capsules_2d", _capsules(rng, tests, 2, _ROOM), _capsules(rng, tests, 2, _ROOM)),
        "AABB": ("aabbs_2d", _aabbs(rng, tests, 2, _ROOM), _aabbs(rng, tests, 2, _ROOM)),
        "OBB": ("obbs_2d", _rectangles(rng, tests, _ROOM), _rectangles(rng, tests, _ROOM)),
    }
    flat = fans.copy()
    flat[4] = 0.0
    circles, rods = _balls(rng, tests, 2, _FAN_ROOM), _capsules(rng, tests, 2, _FAN_ROOM)
    centres, sizes, directions = _rectangles(rng, tests, _FAN_ROOM)
    cos, sin = np.ascontiguousarray(directions.T)
    shapes: _Shapes = {
        "fan-circle": ("pairs_circles", circles, "spheres", (_lift(circles[0]), circles[1])),
        "fan-rectangle": ("pairs_rectangles", (centres, sizes, directions), "rectangles", (centres, sizes, cos, sin)),
        "fan-capsule": ("pairs_capsules_2d", rods, "capsules", (_lift(rods[0]), _lift(rods[1]), rods[2])),
    }
    return [*_volumes("3.2", tests, both), *_fans("3.2", tests, flat, shapes)]


def _solid(rng: np.random.Generator, tests: int, fans: Floats) -> list[Work]:
    """Return Table 3.3."""
    both: _Pairs = {
        "sphere-sphere": ("spheres", _balls(rng, tests, 3, _ROOM), _balls(rng, tests, 3, _ROOM)),
        "capsule-capsule": ("capsules", _capsules(rng, tests, 3, _ROOM), _capsules(rng, tests, 3, _ROOM)),
        "AABB": ("aabbs", _aabbs(rng, tests, 3, _ROOM), _aabbs(rng, tests, 3, _ROOM)),
        "OBB": ("obbs", _boxes(rng, tests, _ROOM), _boxes(rng, tests, _ROOM)),
    }
    points, spheres, rods = (
        _balls(rng, tests, 3, _FAN_ROOM)[:1],
        _balls(rng, tests, 3, _FAN_ROOM),
        _capsules(rng, tests, 3, _FAN_ROOM),
    )
    shapes: _Shapes = {
        "fan-point": ("pairs_points", points, "points", points),
        "fan-sphere": ("pairs_spheres", spheres, "spheres", spheres),
        "fan-capsule": ("pairs_capsules", rods, "capsules", rods),
    }
    return [*_volumes("3.3", tests, both), *_fans("3.3", tests, fans, shapes)]


def _rotations(rng: np.random.Generator, tests: int, swings: Floats) -> list[Work]:
    """Return Tables 3.4 to 3.6: one rotation against many spheres; building a volume; both, once or for every sphere."""
    centres, radii = _balls(rng, tests, 3, _FAN_ROOM)
    found = []
    box, pose, axis, angle = _swing_of(swings[0])
    fan = Fan.from_swing(box, pose, axis, angle)
    first = swings[:1]
    bounds, built = np.empty((1, 6)), np.empty((tests, 6))
    once, each = np.zeros(tests, np.bool_), np.zeros(tests, np.bool_)
    frames, fans, seen = np.empty((tests, 9)), np.empty((5, tests)), np.empty((tests, 3))
    compared_swung.speculative_boxes(first, compared_swung.A1, bounds)
    box_args = (bounds[0, :3], bounds[0, 3:], centres, radii, 0.0, once)

    def box_once() -> None:
        compared_swung.speculative_boxes(first, compared_swung.A1, bounds)
        compared_sweeps.spheres_on_box(*box_args)

    def box_each() -> None:
        compared_swung.speculative_boxes(swings, compared_swung.A1, built)
        compared_swung.spheres_on_boxes(built, centres, radii, each)

    def fan_each(old: bool, out: NDArray[np.bool_]) -> None:
        compared_swung.fans_of_swings(swings, frames, fans)
        compared_swung.into_frames(frames, centres, seen)
        fan_pairs.pairs_spheres(fans, seen, radii, old, out)

    found.append(Work("3.4", "once", "S-CCD", "A1", lambda: compared_sweeps.spheres_on_box(*box_args), once))
    for method in ("published", "exact"):
        old, answers = method == "published", np.zeros(tests, np.bool_)
        args = (numbers_of(fan), centres, radii, old, 0, tests, LARGEST, answers)
        found.append(Work("3.4", "once", "fan", method, lambda a=args: fan_many.spheres(*a), answers))
    found.append(Work("3.4", "once, all cores", "fan", "exact", lambda: fan.hits_spheres(centres, radii), None))
    for kind, variant in enumerate(("A1", "A2", "D1", "physx")):
        found.append(
            Work("3.5", "each", "S-CCD", variant, lambda k=kind: compared_swung.speculative_boxes(swings, k, built), None)
        )
    found.append(Work("3.5", "each", "fan", "", lambda: compared_swung.fans_of_swings(swings, frames, fans), None))
    found.append(Work("3.6", "once", "S-CCD", "A1", box_once, once))
    for method in ("published", "exact"):
        found.append(
            Work(
                *("3.6", "once, all cores", "fan", method),
                lambda m=method: Fan.from_swing(box, pose, axis, angle).hits_spheres(centres, radii, method=m),
                None,
            )
        )
    found.append(Work("3.6", "each", "S-CCD", "A1", box_each, each))
    for method in ("published", "exact"):
        old, answers = method == "published", np.zeros(tests, np.bool_)
        found.append(Work("3.6", "each", "fan", method, lambda o=old, a=answers: fan_each(o, a), answers))
    return found


def _swing_of(swing: Floats) -> tuple[Box, Floats, Floats, float]:
    """Return box, pose, axis and angle of a swing (11,)."""
    axis, out = swing[:3], swing[3:6]
    pose = np.eye(4)
    pose[:3, :3] = np.column_stack((np.cross(out, axis), out, axis))
    pose[:3, 3] = swing[6] * out
    return Box(swing[7:10]), pose, axis, float(swing[10])
