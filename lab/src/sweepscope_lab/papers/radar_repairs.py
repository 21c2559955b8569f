"""What are our repairs of the radar worth? Step by step from the paper's letter to our methods, against the exact sweep.

Each step adds one repair to those before it. "published" and the last two are methods of the library; the other steps are put
together here from their pictures and rules. The first differs from the second only in the normal: the paper takes "any three"
of the colliding pixels, and our reading of that, those with the least gaps, is the kindest that we know.

Movers are convex, concave or thin, obstacles are balls or boxes, ahead of the mover, beside it and in its notches. Nothing
overlaps at the start: the paper does not speak of that.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Box, Hit, Mesh, Scene, Shape, Sphere, Translate, View
from sweepscope.errors import InvalidQuery
from sweepscope.kernels.picture.contact_area import contact
from sweepscope.radar import Radar, RadarReading
from sweepscope.radar.three_pixels import normal_of
from sweepscope.results.images import METHODS

from ..scenes.targets import star
from .radar import Say

STEPS = ("any three pixels", "published", "R from the front", "pixels at the minimum", "sampled", "bounding")
"""The paper's letter with three pixels at random; with the three closest; with R drawn from the leading surface on; with only
the pixels at the least gap in contact; with the normal fitted, which is our sampled radar; with bounds instead of samples."""

MOVERS = {"box": "convex", "ball": "convex", "star": "concave", "L": "concave", "plate": "thin", "rod": "thin"}
"""Kinds of movers by name."""
OBSTACLES = ("balls", "boxes")
PIXELS = 50

FRONTS = ("ball", "mesh of a ball", "box at any pose", "L that moves along its leg")
"""Movers for alarms without a body. The end of the leg is a flat front, square to the motion."""
SIZES = (24, 25, 50, 51)
"""Pixels along a side for these: 25 and 50 are the paper's."""

_COUNT = 6  # obstacles of a case
_EARLY = 1e-6  # of the mover's size: a travel shorter than the exact one by more is early
_Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RepairOutcome:
    """One step on one case. Lengths are fractions of the mover's size; NaN where the sweep or the radar is free."""

    mover: str
    obstacles: str
    step: str
    exact: bool
    """The exact sweep hits."""
    hit: bool
    travel: float
    """Travel read less the exact one."""
    normal: float
    """Angle between the normal read and the exact one [degrees]; NaN also where none is read."""
    center: float
    """Distance of the center read from the exact point on the obstacle."""
    nobody: bool
    """An alarm that names no body: L = D where R shows nothing."""
    first: float
    """Time of a probe that draws its mask [s]; NaN for a step that is no method of the library."""
    kept: float
    """Time of a probe that has its mask [s]; NaN likewise."""


@dataclass(frozen=True, slots=True)
class Worth:
    """Outcomes of one step over a group of cases."""

    group: str
    step: str
    cases: int
    hits: int
    """How many the exact sweep hits."""
    alarms: int
    """False alarms: hits read where the exact sweep is free."""
    nobody: int
    """How many of these name no body."""
    missed: int
    early: int
    """Hits read earlier than they are."""
    travel: float
    """Median size of the error of the travel."""
    mean: float
    """Its mean."""
    normal: float
    """Median error of the normal [degrees]."""
    p90: float
    """Its 90th percentile."""
    none: int
    """Hits without a normal."""
    center: float
    """Median distance of the center."""
    first: float
    kept: float
    """Median times [s]."""


@dataclass(frozen=True, slots=True)
class AlarmCount:
    """False alarms of the paper's method, over the cases of a mover that the exact sweep finds free."""

    mover: str
    pixels: int
    """Along a side."""
    cases: int
    free: int
    alarms: int
    nobody: int
    """How many of these name no body: L = D, at a pixel where R shows nothing."""


def measure_repairs(say: Say, each: int, *, seed: int = 0) -> list[RepairOutcome]:
    """Run every step on `each` cases of every mover among every kind of obstacles."""
    found = []
    for mover in MOVERS:
        for kind in OBSTACLES:
            say(f"repairs: {mover} among {kind} ...")
            for k in range(each):
                rng = np.random.default_rng((seed, list(MOVERS).index(mover), OBSTACLES.index(kind), k))
                found += _outcomes(mover, kind, *_case(mover, kind, rng))
    return found


def measure_alarms(say: Say, each: int, *, seed: int = 0) -> list[AlarmCount]:
    """Count false alarms of `method="published"` for `each` cases of every mover among balls, at every number of pixels."""
    rows = []
    for mover in FRONTS:
        say(f"alarms without a body: {mover} ...")
        readings: dict[int, list[RadarReading]] = {size: [] for size in SIZES}
        for k in range(each):
            scene, body, motion = _front_case(mover, np.random.default_rng((seed, FRONTS.index(mover), k)))
            if scene.sweep(body, motion) is None:
                for size in SIZES:
                    readings[size].append(Radar(scene, body, pixels=size, method="published").probe(motion))
        for size, mine in readings.items():
            hits = [reading for reading in mine if reading.hit]
            nobody = sum(not reading.obstacles for reading in hits)
            rows.append(AlarmCount(mover, size, each, len(mine), len(hits), nobody))
    return rows


def _front_case(mover: str, rng: np.random.Generator) -> tuple[Scene, Body, Translate]:
    """Return a mover of `FRONTS` at a random pose among six balls, and its motion."""
    radius = rng.uniform(0.5, 1.0)
    if mover == FRONTS[0]:
        shape = Sphere(radius)
    elif mover == FRONTS[1]:
        shape = Mesh.sphere(radius, rows=13, sections=12)
    else:
        shape = Box(rng.uniform(0.5, 1.5, 3)) if mover == FRONTS[2] else shape_of("L", rng)
    scene = Scene()
    body = scene.add(shape, _pose(rng, np.zeros(3)), name=mover)
    toward = rng.normal(size=3)
    toward = -body.pose[:3, 2] if mover == FRONTS[3] else toward / np.linalg.norm(toward)
    return _among(scene, body, toward, "balls", rng)


def shape_of(mover: str, rng: np.random.Generator) -> Shape:
    """Return a mover, about 2 across [length]."""
    a, b, c = rng.uniform(0.5, 1.5, 3).tolist()
    if mover == "box":
        return Box((a, b, c))
    if mover == "ball":
        return Mesh.sphere(0.5 + 0.5 * a, rows=13, sections=12)
    if mover == "star":
        shape = star().parts[0][1]
        assert isinstance(shape, Mesh)
        return Mesh(0.01 * shape.vertices, shape.faces)
    if mover == "L":
        upright, arm = Mesh.box((0.4, 0.4, 2.0)), Mesh.box((0.8 + a, 0.4, 0.4))
        moved = arm.vertices + (0.2 + 0.5 * a, 0.0, 0.8)
        faces = np.concatenate((upright.faces, arm.faces + len(upright.vertices)))
        return Mesh(np.concatenate((upright.vertices, moved)), faces)
    return Box((1.0 + a, 1.0 + b, 0.02)) if mover == "plate" else Box((0.04, 0.04, 1.0 + a))


def _case(mover: str, kind: str, rng: np.random.Generator) -> tuple[Scene, Body, Translate]:
    """Return a mover at a random pose among six obstacles that it does not overlap, and its motion."""
    scene = Scene()
    body = scene.add(shape_of(mover, rng), _pose(rng, np.zeros(3)), name=mover)
    toward = rng.normal(size=3)
    toward /= np.linalg.norm(toward)
    return _among(scene, body, toward, kind, rng)


def _among(scene: Scene, body: Body, toward: _Array, kind: str, rng: np.random.Generator) -> tuple[Scene, Body, Translate]:
    """Add six obstacles, and return the motion along a unit direction too."""
    distance = rng.uniform(0.3, 3.0)
    while len(scene) <= _COUNT:
        size = rng.uniform(0.15, 0.6)
        shape = Sphere(size) if kind == "balls" else Box(2.0 * size * rng.uniform(0.3, 1.0, 3))
        other = scene.add(shape, _pose(rng, rng.uniform(-1.0, distance + 1.0) * toward + 1.2 * rng.normal(size=3)))
        if scene.sweep(body, Translate((0.0, 0.0, 0.0)), resting="hit") is not None:
            scene.remove(other)
    return scene, body, Translate(distance * toward)


def _pose(rng: np.random.Generator, place: _Array) -> _Array:
    pose = np.eye(4)
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    pose[:3, :3] = turn if np.linalg.det(turn) > 0.0 else -turn
    pose[:3, 3] = place
    return pose


def _outcomes(mover: str, kind: str, scene: Scene, body: Body, motion: Translate) -> list[RepairOutcome]:
    """Return the outcomes of all steps on a case."""
    exact = scene.sweep(body, motion)
    size = float((body.shape.bounds[1] - body.shape.bounds[0]).max())
    readings: dict[str, RadarReading | None] = {}
    times = {}
    for method in METHODS:
        radar = Radar(scene, body, pixels=PIXELS, method=method)
        start = time.perf_counter()
        readings[method] = _read(radar, motion)
        first = time.perf_counter() - start
        start = time.perf_counter()
        _read(radar, motion)
        times[method] = first, time.perf_counter() - start
    sampled, published = readings["sampled"], readings["published"]
    rules: dict[str, tuple[_Array, _Array]] = {}
    if published is not None and published.hit:
        gaps = _gaps(published)
        order = np.where(np.isfinite(gaps), np.random.default_rng(0).random(gaps.shape), np.inf)
        rules[STEPS[0]] = _by_the_paper(published, order if len(published.pixels) > 2 else gaps, published.pixels)
    if sampled is not None and sampled.hit:
        gaps = _gaps(sampled)
        reached = np.argwhere(gaps < motion.length)
        for step, pixels in zip(STEPS[2:4], (reached, sampled.pixels), strict=True):
            rules[step] = _by_the_paper(sampled, gaps, pixels)
    readings |= {STEPS[0]: published, STEPS[2]: sampled, STEPS[3]: sampled}
    found = []
    for step in STEPS:
        reading = readings[step]
        hit = reading is not None and reading.hit
        travel = normal = center = math.nan
        if exact is not None and reading is not None and reading.hit:
            at, toward = rules.get(step, (reading.center, reading.normal))
            travel = (reading.travel - exact.travel) / size
            normal = _angle(toward, exact)
            center = float(np.linalg.norm(at - exact.point)) / size
        nobody = reading is not None and reading.hit and not reading.obstacles
        spent = times.get(step, (math.nan, math.nan))
        found.append(RepairOutcome(mover, kind, step, exact is not None, hit, travel, normal, center, nobody, *spent))
    return found


def _read(radar: Radar, motion: Translate) -> RadarReading | None:
    """Return a reading; None if the mover covers no pixel's center, which our sampled radar refuses to read."""
    try:
        return radar.probe(motion)
    except InvalidQuery:
        return None


def _gaps(reading: RadarReading) -> _Array:
    """Return L, infinite beside the mover and where nothing is seen."""
    return np.where(reading.ids >= 0, np.nan_to_num(reading.lookat, nan=np.inf), np.inf)


def _by_the_paper(reading: RadarReading, gaps: _Array, pixels: NDArray[np.int64]) -> tuple[_Array, _Array]:
    """Return center and normal of some pixels by section 3.2, three of them by the least `gaps`."""
    assert isinstance(reading.view, View)
    if reading.overlapping or reading.lead is None or len(pixels) == 0:
        return reading.center, reading.normal
    view, shape = reading.view, reading.ids.shape
    across = (view.width / shape[1], view.height / shape[0])
    (column, row, deep), _ = contact(reading.range, reading.lead, reading.ids, pixels, across)
    return view.at(column, row, deep, shape), normal_of(reading.range, gaps, pixels, across) @ view.frame


def _angle(normal: _Array, exact: Hit) -> float:
    """Return the angle between two normals [degrees]; NaN if one is not known."""
    return math.degrees(math.acos(min(max(float(normal @ exact.normal), -1.0), 1.0))) if np.isfinite(normal).all() else math.nan


GROUPS: dict[str, Callable[[RepairOutcome], bool]] = {
    "all": lambda _: True,
    "convex": lambda one: MOVERS[one.mover] == "convex",
    "concave": lambda one: MOVERS[one.mover] == "concave",
    "thin": lambda one: MOVERS[one.mover] == "thin",
    "star and L among balls": lambda one: MOVERS[one.mover] == "concave" and one.obstacles == "balls",
}
"""Cases that are summed up together."""


def sum_up(outcomes: Sequence[RepairOutcome]) -> list[Worth]:
    """Return a row for each group and step."""
    rows = []
    for group, belongs in GROUPS.items():
        for step in STEPS:
            mine = [one for one in outcomes if one.step == step and belongs(one)]
            both = [one for one in mine if one.exact and one.hit]
            travel = np.abs([one.travel for one in both])
            normal = np.array([one.normal for one in both])
            known = normal[np.isfinite(normal)]
            false = [one for one in mine if one.hit and not one.exact]
            rows.append(
                Worth(
                    group=group,
                    step=step,
                    cases=len(mine),
                    hits=sum(one.exact for one in mine),
                    alarms=len(false),
                    nobody=sum(one.nobody for one in false),
                    missed=sum(one.exact and not one.hit for one in mine),
                    early=sum(one.travel < -_EARLY for one in both),
                    travel=_of(np.median, travel),
                    mean=_of(np.mean, travel),
                    normal=_of(np.median, known),
                    p90=_of(lambda values: np.percentile(values, 90.0), known),
                    none=len(normal) - len(known),
                    center=_of(np.nanmedian, np.array([one.center for one in both])),
                    first=_of(np.median, np.array([one.first for one in mine])),
                    kept=_of(np.median, np.array([one.kept for one in mine])),
                )
            )
    return rows


def _of(rule: Callable[[_Array], Any], values: _Array) -> float:
    """Return a number of some values; NaN if there are none."""
    return float(rule(values)) if len(values) and np.isfinite(values).any() else math.nan
