"""Swings seen by a tracker (the thesis' 4.4): how well the fitted motion foretells when a bat meets a ball.

A bat makes a random screw at constant rates. Its last poses, with noise, are fitted. The bat is swept along the fitted motion
and along the true one, towards a ball that the true one meets.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import Box, Pose, Scene, Screw, Sphere, fit_motion
from sweepscope.fan import Swing
from sweepscope.results import MotionFit

Array = NDArray[np.float64]

BAT = (0.9, 0.07, 0.07)
BALL = 0.037
"""Radius of the ball [m]."""
FRAME = 1.0 / 90.0
"""Between two poses [s], as headsets track."""
HORIZON = 0.25
"""How far ahead the bat is swept [s]."""
NOISES = ((0.0001, 0.05), (0.0003, 0.15), (0.001, 0.5), (0.003, 1.5))
"""Standard deviations of positions [m] and of rotation vectors [degrees], each coordinate."""
FRAMES = (2, 3, 4, 6, 8, 16)
_AHEAD = (0.02, 0.12)  # of the contact, after the last pose [s]
_RATES = (5.0, 25.0)  # [radians / s]
_SLIDES = (-0.5, 0.5)  # [m / s]
_ARMS = (0.3, 0.8)  # from the axis to the middle of the bat [m]


@dataclass(frozen=True, slots=True)
class TrackedSwing:
    """A swing at constant rates, and a ball that it meets."""

    screw: Screw
    """In one second, world."""
    last: Array
    """Pose of the bat at the last frame, time 0: shape (4, 4)."""
    ball: Array
    """Its center, shape (3,) [m]."""
    contact: float
    """When the true motion meets it [s]."""

    def pose_at(self, time: float) -> Array:
        """Return the true pose at a time [s], which may be negative."""
        motion = Screw(self.screw.axis, self.screw.angle * time, slide=self.screw.slide * time, about=self.screw.about)
        return motion.at() @ self.last


def draw_swing(rng: np.random.Generator) -> TrackedSwing:
    """Return a random swing whose bat meets the ball after the last frame, with its side or its end."""
    while True:
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        out = np.cross(axis, rng.normal(size=3))
        out /= np.linalg.norm(out)
        about = rng.uniform(-1.0, 1.0, 3)
        screw = Screw(axis, rng.uniform(*_RATES), slide=rng.uniform(*_SLIDES), about=about)
        # The bat points away from the axis, give or take half a radian.
        frame = np.stack((out, np.cross(axis, out), axis), axis=1)
        last = Pose.from_rotation(about + rng.uniform(*_ARMS) * out, frame)
        last = last @ Pose.from_rotation_vector((0.0, 0.0, 0.0), rng.uniform(-0.5, 0.5, 3))
        swing = TrackedSwing(screw, last, np.zeros(3), 0.0)
        # A ball near the bat's front as it will be.
        there = np.array((rng.uniform(-0.4, 0.45), 0.072, rng.uniform(-0.05, 0.05), 1.0))
        ball = (swing.pose_at(rng.uniform(*_AHEAD)) @ there)[:3]
        contact = contact_time(screw, last, ball, 1.0)[0]
        if _AHEAD[0] <= contact <= _AHEAD[1]:
            return TrackedSwing(screw, last, ball, contact)


def contact_time(motion: Screw, start: Array, ball: Array, duration: float) -> tuple[float, Array, Array]:
    """Return when a bat at `start` meets the ball [s], NaN for never, and the contact's point and normal."""
    scene = Scene()
    bat = scene.add(Box(BAT), start)
    scene.add(Sphere(BALL), ball)
    hit = scene.sweep(bat, motion, resting="hit")
    if hit is None or hit.overlapping:
        return (math.nan if hit is None else 0.0), np.full(3, np.nan), np.full(3, np.nan)
    return duration * hit.time, hit.point, hit.normal


def track(swing: TrackedSwing, count: int, noise: tuple[float, float], rng: np.random.Generator) -> tuple[Array, Array]:
    """Return noisy poses of the last `count` frames, (n, 4, 4), and their times (n,), the last 0. noise: metres, degrees."""
    times = FRAME * np.arange(1.0 - count, 1.0)
    poses = np.array([swing.pose_at(time) for time in times])
    for pose in poses:
        turn = Pose.from_rotation_vector((0.0, 0.0, 0.0), math.radians(noise[1]) * rng.normal(size=3))
        pose[:3, :3] = turn[:3, :3] @ pose[:3, :3]
        pose[:3, 3] += noise[0] * rng.normal(size=3)
    return poses, times


@dataclass(frozen=True, slots=True)
class Foretold:
    """What fits foretold of n swings, shape (n,) each."""

    frames: int
    noise: tuple[float, float]
    """Of positions [m] and rotations [degrees]."""
    errors: Array
    """Contact time by `Scene.sweep` less the true one [s]; NaN where no contact was foretold."""
    stated: Array
    """Its stated standard deviation, with the noise given [s]."""
    estimated_errors: Array
    """As `errors`, of fits that estimate the noise."""
    estimated: Array
    """As `stated`, with the noise estimated from the residuals; NaN if there are too few frames."""
    swings: Array
    """As `errors`, by a `Swing`: the fitted rotation without its slide."""
    places: Array
    """Distance of the bat's tip from its true place at the true time of contact [m]."""

    @property
    def missed(self) -> int:
        """Number of swings for which no contact was foretold."""
        return int(np.isnan(self.errors).sum())

    @property
    def median(self) -> float:
        """Median size of the error [s]; a contact that was not foretold is worse than any error."""
        return float(np.median(_sizes(self.errors)))

    @property
    def worst_of_20(self) -> float:
        """What 95 of 100 errors do not exceed [s]."""
        return float(np.quantile(_sizes(self.errors), 0.95, method="higher"))

    @property
    def swing_median(self) -> float:
        """As `median`, by a `Swing`."""
        return float(np.median(_sizes(self.swings)))

    @property
    def stated_median(self) -> float:
        """Median of `stated` [s]; NaN if no contact was foretold."""
        known = self.stated[~np.isnan(self.stated)]
        return float(np.median(known)) if len(known) else math.nan

    def coverage(self, sigmas: float, *, estimated: bool = False) -> float:
        """Return the share of foretold contacts whose error is at most so many stated standard deviations; NaN if none is."""
        stated = self.estimated if estimated else self.stated
        errors = self.estimated_errors if estimated else self.errors
        known = ~np.isnan(errors) & ~np.isnan(stated)
        return float((np.abs(errors[known]) <= sigmas * stated[known]).mean()) if known.any() else math.nan


def _sizes(errors: Array) -> Array:
    return np.where(np.isnan(errors), np.inf, np.abs(errors))


def measure(
    swings: int,
    *,
    frames: Sequence[int] = FRAMES,
    noises: Sequence[tuple[float, float]] = NOISES,
    seed: int = 0,
    advance: Callable[[int], None] = lambda _: None,
) -> list[Foretold]:
    """Fit and foretell random swings, the same ones for every number of frames and every noise."""
    rng = np.random.default_rng(seed)
    drawn = [draw_swing(rng) for _ in range(swings)]
    found = []
    for noise in noises:
        for count in frames:
            rng = np.random.default_rng((seed, count, round(1e6 * noise[0])))  # a row does not depend on the others
            rows = [_foretell(swing, count, noise, rng) for swing in drawn]
            found.append(Foretold(count, noise, *np.array(rows).T))
            advance(swings)
    return found


def _foretell(swing: TrackedSwing, count: int, noise: tuple[float, float], rng: np.random.Generator) -> tuple[float, ...]:
    """Return a row of `Foretold`'s arrays."""
    poses, times = track(swing, count, noise, rng)
    fit = fit_motion(poses, times, noise=(noise[0], math.radians(noise[1])))
    other = fit_motion(poses, times)
    error, stated = _contact_error(fit, swing)
    tip = np.array((0.5 * BAT[0], 0.0, 0.0, 1.0))
    place = np.linalg.norm((fit.pose_at(swing.contact) - swing.pose_at(swing.contact)) @ tip)
    turn = fit.rotation(HORIZON)
    swung = Swing(Box(BAT), fit.pose, axis=turn.axis, angle=turn.angle, about=turn.about)
    by_swing = HORIZON * float(swung.sphere_times(swing.ball, BALL)) - swing.contact
    return (error, stated, *_contact_error(other, swing), by_swing, float(place))


def _contact_error(fit: MotionFit, swing: TrackedSwing) -> tuple[float, float]:
    """Return the error of the foretold contact time, and its stated standard deviation [s]."""
    when, point, normal = contact_time(fit.motion(HORIZON), fit.pose, swing.ball, HORIZON)
    known = not np.isnan(point).any()
    return when - swing.contact, fit.contact_time_std(when, point=point, normal=normal) if known else math.nan


@dataclass(frozen=True, slots=True)
class ShownSwing:
    """One swing for a figure: how far the bat's tip is from its place at the true contact, over time."""

    times: Array
    """Shape (n,) [s]; the last tracked pose is at 0."""
    true: Array
    """Distance on the true path, shape (n,) [m]."""
    fitted: Array
    spread: Array
    """Standard deviation of the fitted place along the motion, shape (n,) [m]."""
    tracked_times: Array
    tracked: Array
    """Of the noisy poses."""
    tracked_off: Array
    """The same, less the true distance."""
    noise: tuple[float, float]
    contact: float
    foretold: float
    stated: float


def shown_swing(seed: int = 3, count: int = 8, noise: tuple[float, float] = NOISES[2]) -> ShownSwing:
    """Return one of the swings, its fit and what it foretells."""
    rng = np.random.default_rng(seed)
    swing = draw_swing(rng)
    poses, clock = track(swing, count, noise, rng)
    fit = fit_motion(poses, clock, noise=(noise[0], math.radians(noise[1])))
    tip = np.array((0.5 * BAT[0], 0.0, 0.0, 1.0))
    goal = swing.pose_at(swing.contact) @ tip
    ahead = (swing.pose_at(swing.contact + 1e-4) @ tip - goal)[:3]
    ahead /= np.linalg.norm(ahead)
    times = np.linspace(clock[0], swing.contact + 0.03, 120)

    def along(pose: Array) -> float:
        return float(((pose @ tip) - goal)[:3] @ ahead)

    spread = [math.sqrt(ahead @ fit.point_covariance((fit.pose_at(time) @ tip)[:3], time) @ ahead) for time in times]
    error, stated = _contact_error(fit, swing)
    return ShownSwing(
        times,
        np.array([along(swing.pose_at(time)) for time in times]),
        np.array([along(fit.pose_at(time)) for time in times]),
        np.array(spread),
        clock,
        np.array([along(pose) for pose in poses]),
        np.array([along(pose) - along(swing.pose_at(time)) for pose, time in zip(poses, clock, strict=True)]),
        noise,
        swing.contact,
        swing.contact + error,
        stated,
    )
