"""What the thesis' speed experiment times (Yamamoto 2023, 3.3): fans against shapes, bounding volumes, speculative CCD.

Each work is 100,000 tests in one call of a kernel, on one thread, with answers written to an array. Tables 3.2 and 3.3 have two
readings: *pairs*, both shapes of each test random and the fan in its own frame, as in the thesis; *one*, one fan or volume
against all: of 20, the one whose share of hits is nearest to a third. Capsules and rectangles have two forms: as in
textbooks, with branches, and without branches ("wide"), which is several times faster in a loop over many. Capsules of the
plane have a third: by the thesis' own distance of segments, 2.9.5. Two variants explain times: rectangles without the crossings
that 2.9.2 limits ("rejecting"), and what capsules cost before 2.9.5 is needed ("ranges alone").

Fans are those of the thesis' rotations, in their own frames. Shapes that are tested against a fan have centers uniform in a box
of 50 x 50 x 25 about the fan's center, those against their own kind in a cube of side 25. Radii of circles and spheres are
uniform in 0..12.5, of capsules in 0..6.25; lengths of capsules and widths of boxes in 0..25; directions uniform. The thesis
does not say how its shapes are drawn: these are ours.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sweepscope import Box
from sweepscope.checks import LARGEST
from sweepscope.fan import Fan
from sweepscope.fan.fan import numbers_of
from sweepscope.kernels.fan import many as fan_many

from ..compared.speculative import VARIANTS
from ..kernels import compared_segments, compared_sweeps, compared_swung, compared_wide, fan_pairs, fan_published_many
from ..kernels import compared_volumes as volumes
from .fan_accuracy import CHUNK, draw

TESTS = 100_000
EXTENTS = "A1, by extents"
"""The box A1 from a center and half sizes, not from corners: a faster way to the same box."""

_FORMS = {"textbook": volumes, "wide": compared_wide, "2.9.5": compared_segments}
_METHODS = {"published": fan_published_many, "exact": fan_pairs}  # of fans, with their kernels for pairs
VARIANTS_OF_TESTS = {
    "fan-rectangle": ("rejecting", fan_published_many.pairs_rectangles_rejecting),
    "fan-capsule": ("ranges alone", fan_published_many.pairs_capsules_2d_by_ranges),
}
"""Of tests in the plane: what else is timed, in pairs; the thesis has no figures for it."""
_TESTED = ("A1", "D1")  # boxes whose test is timed: the literal text, and what fits the thesis' accuracy
_ROOM, _FAN_ROOM = (25.0, 25.0, 25.0), (50.0, 50.0, 25.0)  # boxes of random centers
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
    """published or exact for a fan, or one of VARIANTS_OF_TESTS; the variant for speculative CCD; textbook, wide (without
    branches) or 2.9.5 for a volume that has several forms; else empty."""
    run: Callable[[], object]
    out: NDArray[np.bool_] | None
    """Array of the answers; None if there are none."""


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


def _centers(rng: np.random.Generator, tests: int, size: int, room: tuple[float, ...]) -> Floats:
    return (rng.random((tests, size)) - 0.5) * room[:size]


def _balls(rng: np.random.Generator, tests: int, size: int, room: tuple[float, ...]) -> tuple[Floats, Floats]:
    return _centers(rng, tests, size, room), rng.uniform(0.0, _RADIUS, tests)


def _capsules(rng: np.random.Generator, tests: int, size: int, room: tuple[float, ...]) -> tuple[Floats, Floats, Floats]:
    middle = _centers(rng, tests, size, room)
    half = 0.5 * _unit(rng, tests, size) * rng.uniform(0.0, _WIDTH, tests)[:, None]
    return middle - half, middle + half, rng.uniform(0.0, _THIN, tests)


def _aabbs(rng: np.random.Generator, tests: int, size: int, room: tuple[float, ...]) -> tuple[Floats, Floats]:
    middle = _centers(rng, tests, size, room)
    half = rng.uniform(0.0, 0.5 * _WIDTH, (tests, size))
    return middle - half, middle + half


def _rectangles(rng: np.random.Generator, tests: int, room: tuple[float, ...]) -> tuple[Floats, Floats, Floats]:
    middle = _centers(rng, tests, 2, room)
    return middle, rng.uniform(0.0, _WIDTH, (tests, 2)), _unit(rng, tests, 2)


def _boxes(rng: np.random.Generator, tests: int, room: tuple[float, ...]) -> tuple[Floats, Floats]:
    """Return full widths (tests, 3) and poses (tests, 4, 4), uniformly turned."""
    a, b, c, d = _unit(rng, tests, 4).T  # a quaternion
    poses = np.zeros((tests, 4, 4))
    poses[:, 0, 0], poses[:, 0, 1], poses[:, 0, 2] = 1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)
    poses[:, 1, 0], poses[:, 1, 1], poses[:, 1, 2] = 2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)
    poses[:, 2, 0], poses[:, 2, 1], poses[:, 2, 2] = 2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)
    poses[:, :3, 3] = _centers(rng, tests, 3, room)
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
        tried, answers = min(_TRIED, tests), np.zeros(tests, np.bool_)
        some = (*lifted, 0, tried, LARGEST, answers)
        picks = [(_numbers(fans[:, k]),) for k in range(min(_PICKS, tests))]
        exact = getattr(fan_many, one_kernel)
        pick = _nearest_to_a_third(picks, lambda p, f=exact, s=some: f(*p, *s), answers[:tried])
        for method, module in _METHODS.items():
            out, alone = np.zeros(tests, np.bool_), np.zeros(tests, np.bool_)
            pairs = getattr(module, pairs_kernel)
            found.append(Work(table, "pairs", name, method, lambda f=pairs, a=(fans, *arrays, out): f(*a), out))
            one = getattr(fan_published_many, one_kernel) if method == "published" else exact
            every = (*pick, *lifted, alone) if method == "published" else (*pick, *lifted, 0, tests, LARGEST, alone)
            found.append(Work(table, "one", name, method, lambda f=one, a=every: f(*a), alone))
    return found


def _numbers(fan: Floats) -> Floats:
    """Return a fan (cos, sin, r, R, h) in its own frame as a row for kernels."""
    half_angle = math.atan2(fan[1], fan[0])
    return numbers_of(
        Fan(
            (0.0, 0.0, 0.0),
            (0.0, 0.0, 1.0),
            mid=(1.0, 0.0, 0.0),
            half_angle=half_angle,
            inner=fan[2],
            outer=fan[3],
            half_thickness=fan[4],
        )
    )


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
    centers, sizes, directions = _rectangles(rng, tests, _FAN_ROOM)
    cos, sin = np.ascontiguousarray(directions.T)
    shapes: _Shapes = {
        "fan-circle": ("pairs_circles", circles, "spheres", (_lift(circles[0]), circles[1])),
        "fan-rectangle": ("pairs_rectangles", (centers, sizes, directions), "rectangles", (centers, sizes, cos, sin)),
        "fan-capsule": ("pairs_capsules_2d", rods, "capsules", (_lift(rods[0]), _lift(rods[1]), rods[2])),
    }
    variants = []
    for name, (method, kernel) in VARIANTS_OF_TESTS.items():
        out = np.zeros(tests, np.bool_)
        variants.append(Work("3.2", "pairs", name, method, partial(kernel, flat, *shapes[name][1], out), out))
    return [*_volumes("3.2", tests, both), *_fans("3.2", tests, flat, shapes), *variants]


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
    """Return Tables 3.4 to 3.6: spheres against volumes; building them; both. One volume for all spheres, or one for each."""
    centers, radii = _balls(rng, tests, 3, _FAN_ROOM)
    return sorted([*_once(centers, radii, swings[:1]), *_each(centers, radii, swings)], key=lambda work: work.table)


def _once(centers: Floats, radii: Floats, swing: Floats) -> list[Work]:
    """Return Tables 3.4 to 3.6 for one volume against all spheres."""
    found, tests = [], len(radii)
    for kind, variant in enumerate(VARIANTS):
        bounds, out = np.empty((1, 6)), np.zeros(tests, np.bool_)
        build = partial(compared_swung.speculative_boxes, swing, kind, bounds)
        build()
        run = partial(compared_sweeps.spheres_on_box, bounds[0, :3], bounds[0, 3:], centers, radii, 0.0, out)
        found.append(Work("3.5", "once", "S-CCD", variant, build, None))
        if variant in _TESTED:
            found.append(Work("3.4", "once", "S-CCD", variant, run, out))
            found.append(Work("3.6", "once", "S-CCD", variant, _after(build, run), out))
    frames, fans, numbers = np.empty((1, 9)), np.empty((5, 1)), np.zeros(16)
    build = partial(compared_swung.fans_of_swings, swing, frames, fans)

    def build_row() -> None:
        build()
        numbers[3:12], numbers[12], numbers[13:] = frames[0], 0.5 * swing[0, compared_swung.ANGLE], fans[2:, 0]

    build_row()
    found.append(Work("3.5", "once", "fan", "published", build, None))
    row = numbers.view()
    row.setflags(write=False)  # as a Fan's: the kernel is compiled for it
    asked = (row, centers, radii)
    for method in _METHODS:
        out = np.zeros(tests, np.bool_)
        old, new = partial(fan_published_many.spheres, *asked, out), partial(fan_many.spheres, *asked, 0, tests, LARGEST, out)
        run = old if method == "published" else new
        found.append(Work("3.4", "once", "fan", method, run, out))
        found.append(Work("3.6", "once", "fan", method, _after(build_row, run), out))
    box, pose, axis, angle = _swing_of(swing[0])
    build = partial(Fan.from_swing, box, pose, axis=axis, angle=angle)
    fan = build()
    found.append(Work("3.4", "once, all cores", "fan", "exact", lambda: fan.hits_spheres(centers, radii), None))
    found.append(Work("3.6", "once, all cores", "fan", "exact", lambda: build().hits_spheres(centers, radii), None))
    return found


def _each(centers: Floats, radii: Floats, swings: Floats) -> list[Work]:
    """Return Tables 3.4 to 3.6 for a rotation and a volume for each sphere."""
    found, tests = [], len(radii)
    for kind, variant in (*enumerate(VARIANTS), (-1, EXTENTS)):
        boxes, out = np.empty((tests, 6)), np.zeros(tests, np.bool_)
        build = (
            partial(compared_swung.speculative_boxes_by_extents, swings, boxes)
            if variant == EXTENTS
            else partial(compared_swung.speculative_boxes, swings, kind, boxes)
        )
        build()
        run = partial(compared_swung.spheres_on_boxes, boxes, centers, radii, out)
        found.append(Work("3.5", "each", "S-CCD", variant, build, None))
        if variant in _TESTED:
            found.append(Work("3.4", "each", "S-CCD", variant, run, out))
        if variant in (*_TESTED, EXTENTS):
            found.append(Work("3.6", "each", "S-CCD", variant, _after(build, run), out))
    frames, fans, seen = np.empty((tests, 9)), np.empty((5, tests)), np.empty((tests, 3))
    build = partial(compared_swung.fans_of_swings, swings, frames, fans)
    build()
    found.append(Work("3.5", "each", "fan", "published", build, None))
    for method, module in _METHODS.items():
        out = np.zeros(tests, np.bool_)
        seek = partial(compared_swung.into_frames, frames, centers, seen)
        run = _after(seek, partial(module.pairs_spheres, fans, seen, radii, out))
        found.append(Work("3.4", "each", "fan", method, run, out))
        found.append(Work("3.6", "each", "fan", method, _after(build, run), out))
    return found


def _after(first: Callable[[], object], second: Callable[[], object]) -> Callable[[], object]:
    """Return a function that does the one, then the other."""

    def both() -> None:
        first()
        second()

    return both


def _swing_of(swing: Floats) -> tuple[Box, Floats, Floats, float]:
    """Return box, pose, axis and angle of a swing (11,)."""
    axis, out = swing[:3], swing[3:6]
    pose = np.eye(4)
    pose[:3, :3] = np.column_stack((np.cross(out, axis), out, axis))
    pose[:3, 3] = swing[6] * out
    return Box(swing[7:10]), pose, axis, float(swing[10])
