"""Compare gradients of hits with differences of sweeps: each parameter a little more and a little less.

A gradient is a formula of point and normal; the differences use nothing but times of sweeps. Four of them give a difference
whose error is of fourth order. A case is skipped if the features that touch change within the steps: the time has no second
derivative there, so differences say little. Steps are shorter where the motion hardly approaches, since the time bends more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Capsule, Hit, Mesh, Motion, PointCloud, Rotate, Scene, Screw, Shape, Sphere, Translate
from sweepscope.results import Feature, HitGradient

from ..reference.vectors import random_direction, random_rotation
from ..scenes.touching import pose_of
from .partings import generated_parts

Array = NDArray[np.float64]
Rng = np.random.Generator

MOST_ERROR = 1e-6
"""Relative to the largest derivative."""
_STEP = 1e-5  # [length, radians, or none]; bodies are about 1 across
_LEAST_STEP = 1e-7
_STEPS = ((-2, 1.0), (-1, -8.0), (1, 8.0), (2, -1.0))  # of a central difference: how many steps, weight / 12


@dataclass(frozen=True, slots=True)
class GradientVerdict:
    """What was found about one contact."""

    kind: str
    seed: int
    reason: str
    """Of the gradient; "free" if nothing was hit, "changed" if other features touch within the steps."""
    error: float = 0.0
    """Largest difference, relative to the largest derivative."""
    wrong: list[str] = field(default_factory=list)


def judge_gradient(seed: int, aligned: bool = False) -> GradientVerdict:
    """Bring two random bodies together and compare the gradient. aligned: faces and edges are often parallel."""
    rng = np.random.default_rng((seed, 17))
    mover, obstacle = _shape(rng), _shape(rng)
    margin = 0.0 if rng.random() < 0.6 else float(10.0 ** rng.uniform(-3.0, -0.5))
    start = pose_of(_turn(rng, aligned), 2.5 * random_direction(rng))
    other = pose_of(_turn(rng, aligned), 0.2 * rng.normal(size=3))
    motion = _motion(rng, start, other)
    case = _Case(mover, obstacle, start, other, motion, margin)
    kind = f"{type(motion).__name__.lower()}, {_name(mover)} on {_name(obstacle)}{', margin' if margin else ''}"
    hit = case.hit()
    if hit is None:
        return GradientVerdict(kind, seed, "free")
    gradient = hit.gradient()
    if not gradient.smooth:
        wrong = ["it is not NaN"] if not _all_nan(gradient) else []
        return GradientVerdict(kind, seed, gradient.reason, wrong=wrong)
    step = _step(case, hit)
    known = _features(hit)
    names, given, found = [], [], []
    for name, value, changed in _changes(case, gradient):
        times = []
        for count, _ in _STEPS:
            near = changed(count * step).hit()
            if near is None or _features(near) != known:
                return GradientVerdict(kind, seed, "changed")
            times.append(near.time - hit.time)
        names.append(name)
        given.append(value)
        found.append(sum(weight * time for (_, weight), time in zip(_STEPS, times, strict=True)) / (12.0 * step))
    scale = max(map(abs, given))
    errors = np.abs(np.array(given) - found) / scale
    wrong = [
        f"{name}: {value:.9g}, by differences {other:.9g}"
        for name, value, other, error in zip(names, given, found, errors, strict=True)
        if not error <= MOST_ERROR
    ]
    return GradientVerdict(kind, seed, "", float(errors.max()), wrong)


@dataclass(frozen=True, slots=True, eq=False)
class _Case:
    """A sweep of one body against another."""

    mover: Shape
    obstacle: Shape
    start: Array
    other: Array
    motion: Motion
    margin: float

    def hit(self) -> Hit | None:
        """Return the hit."""
        scene = Scene()
        scene.add(self.obstacle, self.other)
        body: Body = scene.add(self.mover, self.start)
        return scene.sweep(body, self.motion, margin=self.margin)

    def with_motion(self, motion: Motion) -> _Case:
        """Return it with another motion."""
        return _Case(self.mover, self.obstacle, self.start, self.other, motion, self.margin)


def _changes(case: _Case, gradient: HitGradient) -> Iterator[tuple[str, float, Callable[[float], _Case]]]:
    """Yield, for each parameter, its name, the derivative, and a function that returns the case with it changed."""
    for k in range(6):
        yield (
            f"mover {k}",
            float(gradient.mover[k]),
            lambda h, k=k: _Case(case.mover, case.obstacle, _twisted(case.start, k, h), case.other, case.motion, case.margin),
        )
        yield (
            f"obstacle {k}",
            float(gradient.obstacle[k]),
            lambda h, k=k: _Case(case.mover, case.obstacle, case.start, _twisted(case.other, k, h), case.motion, case.margin),
        )
    motion = case.motion
    if isinstance(motion, Translate):
        for k in range(3):
            yield (
                f"vector {k}",
                float(gradient.vector[k]),
                lambda h, k=k: case.with_motion(Translate(_moved(motion.vector, k, h))),
            )
        return
    assert isinstance(motion, (Rotate, Screw))
    slides = isinstance(motion, Screw)

    def turn(axis: Array, angle: float, slide: float, about: Array) -> Motion:
        return Screw(axis, angle, slide=slide, about=about) if slides else Rotate(axis, angle, about=about)

    axis, angle, slide, about = np.array(motion.axis), motion.angle, motion.slide, np.array(motion.about)
    for k in range(3):
        yield (
            f"axis {k}",
            float(gradient.axis[k]),
            lambda h, k=k: case.with_motion(turn(_moved(axis, k, h), angle, slide, about)),
        )
        yield (
            f"about {k}",
            float(gradient.about[k]),
            lambda h, k=k: case.with_motion(turn(axis, angle, slide, _moved(about, k, h))),
        )
    yield "angle", gradient.angle, lambda h: case.with_motion(turn(axis, angle + h, slide, about))
    if slides:
        yield "slide", gradient.slide, lambda h: case.with_motion(turn(axis, angle, slide + h, about))


def _twisted(pose: Array, k: int, h: float) -> Array:
    """Return a pose that is moved along axis k, or for k of 3 to 5 turned about its own origin, in world axes."""
    unit = np.eye(3)[k % 3]
    changed = pose.copy()
    if k < 3:
        changed[:3, 3] += h * unit
    else:
        changed[:3, :3] = Rotate(unit, h).at()[:3, :3] @ pose[:3, :3]
    return changed


def _moved(vector: Iterable[float], k: int, h: float) -> Array:
    changed = np.array(tuple(vector))
    changed[k] += h
    return changed


def _step(case: _Case, hit: Hit) -> float:
    """Return how far parameters are changed: less where the motion hardly approaches."""
    before, after = (case.motion.at(time) for time in (max(hit.time - 1e-6, 0.0), hit.time))
    there = after @ np.linalg.inv(before)
    velocity = there[:3, :3] @ hit.point + there[:3, 3] - hit.point
    sine = abs(float(velocity @ hit.normal)) / float(np.linalg.norm(velocity))
    return max(_STEP * min(1.0, 4.0 * sine), _LEAST_STEP)


def _features(hit: Hit) -> tuple[tuple[str, tuple[int, ...]], ...]:
    def of(feature: Feature) -> tuple[str, tuple[int, ...]]:
        return feature.kind, tuple(sorted(feature.vertices))

    return tuple(map(of, hit.features))


def _all_nan(gradient: HitGradient) -> bool:
    arrays = gradient.mover, gradient.obstacle, gradient.vector, gradient.axis, gradient.about
    return bool(np.isnan(np.concatenate((*arrays, (gradient.angle, gradient.slide)))).all())


def _shape(rng: Rng) -> Shape:
    """Return a random shape about 1 across."""
    if rng.random() < 0.6:
        parts = generated_parts()
        return parts[int(rng.integers(len(parts)))].mesh
    kind = int(rng.integers(3))
    if kind == 0:
        return Sphere(float(rng.uniform(0.1, 0.6)))
    if kind == 1:
        return Capsule.from_segment((0.0, 0.0, -0.4), (0.1, 0.0, 0.4), radius=float(rng.uniform(0.05, 0.3)))
    return PointCloud(0.5 * rng.normal(size=(12, 3)), radius=float(rng.uniform(0.02, 0.1)))


def _name(shape: Shape) -> str:
    return "mesh" if isinstance(shape, Mesh) else "round"


def _turn(rng: Rng, aligned: bool) -> Array:
    return np.eye(3) if aligned and rng.random() < 0.8 else random_rotation(rng)


def _motion(rng: Rng, start: Array, end: Array) -> Motion:
    kind = int(rng.integers(3))
    if kind == 0:
        return Translate(1.3 * (end[:3, 3] + 0.2 * rng.normal(size=3) - start[:3, 3]))
    if kind == 1:
        way = end[:3, 3] - start[:3, 3]
        axis = np.cross(way, random_direction(rng))
        axis /= np.linalg.norm(axis)
        about = 0.5 * (start[:3, 3] + end[:3, 3]) + rng.uniform(0.0, 1.0) * np.cross(axis, way)
        return Rotate(axis, float(rng.choice((-1.0, 1.0)) * rng.uniform(1.0, 6.0)), about=about)
    screw = Screw.between(start, pose_of(random_rotation(rng), end[:3, 3] + 0.2 * rng.normal(size=3)))
    return Screw(screw.axis, screw.angle, slide=screw.slide, about=screw.about)


@dataclass(frozen=True, slots=True)
class GradientTally:
    """Sums over the contacts of a kind."""

    kind: str
    cases: int
    hits: int
    compared: int
    changed: int
    not_smooth: int
    worst: float
    wrong: int


def tally_gradients(verdicts: Iterable[GradientVerdict]) -> list[GradientTally]:
    """Return a row for each kind."""
    rows: dict[str, list[GradientVerdict]] = {}
    for each in verdicts:
        rows.setdefault(each.kind, []).append(each)
    return [
        GradientTally(
            kind,
            len(own),
            sum(each.reason != "free" for each in own),
            sum(each.reason == "" for each in own),
            sum(each.reason == "changed" for each in own),
            sum(each.reason not in ("", "free", "changed") for each in own),
            max(each.error for each in own),
            sum(bool(each.wrong) for each in own),
        )
        for kind, own in sorted(rows.items())
    ]
