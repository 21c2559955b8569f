"""fit_motion: the constant screw that tracked poses follow, by least squares, with its uncertainty."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import checks, leading
from .errors import InvalidPose, InvalidQuery
from .motion import NO_TURN, turns_between
from .motions import axis_angles
from .pose_rows import PoseRows
from .results.motion_fit import ANGULAR, POSITION, ROTATION, VELOCITY, MotionFit
from .twists import Array, jacobian_derivatives, rotations, rotations_and_jacobians

UNKNOWNS = 12
"""Position, orientation, and the rates of both."""
_ALL = np.arange(UNKNOWNS)
_TRANSLATION = np.r_[POSITION, VELOCITY]
"""The unknowns of positions without orientations."""
ENOUGH = 4
"""From so many poses on, the noise is estimated: with three, positions can be met exactly, whatever their noise."""
ENOUGH_POSITIONS = 3
"""The same for positions without orientations."""

_CLEAR = math.radians(170.0)
"""A turn between two poses that is farther from the expected one [radians] could be one in the other direction."""
_REACH = 4.0
"""A gap in time that is longer than this many times all shorter ones is predicted by them only if their turn is certain."""
_CERTAIN = 8.0
"""Standard deviations: a prediction that is off by more is taken as impossible, also if few gaps show how exact it is."""
_MOST_STEPS = 60
_MOST_HALVINGS = 10
_STEADY = 1e-4
"""Estimates of the noise that change by a smaller share, and sums of squares that grow by one, count as the same."""
_LIGHT = 1e6
"""Noise of positions [extents], beside which rotations alone, of noise 1, determine how the body turns."""
_CONTRAST = 1e6
"""Largest ratio of the weights of rotations and positions, for positions in units of their extent."""
_ROUNDING = 4.0 * float(np.finfo(float).eps)


@dataclass(frozen=True, slots=True)
class _Tracked:
    """What is fitted: positions (n, 3) from the last one, rotations (n, 3, 3), times (n,) from the last one in spans, <= 0."""

    places: Array
    turns: Array
    times: Array
    extent: float
    """Largest distance of a position from the last one [length]; 1 if all are the same, or nearly."""
    finest: Array
    """What rounding does to positions [length] and rotations [radians], shape (2,)."""
    free: NDArray[np.int64]
    """Which unknowns are fitted; the others stay 0."""

    @property
    def shows_noise(self) -> bool:
        """Whether there are enough poses to estimate the noise."""
        return len(self.times) >= (ENOUGH if len(self.free) == UNKNOWNS else ENOUGH_POSITIONS)


@dataclass(frozen=True, slots=True)
class _State:
    """A motion: position, orientation (3, 3), and their rates per span, at the last time; and what it leaves over."""

    place: Array
    turn: Array
    rates: Array
    """Velocity and angular velocity, shape (6,)."""
    turned: Array
    """Rotations since the last time, shape (n, 3, 3)."""
    moved: Array
    """What the velocity is multiplied by, to how far the origin has moved since, shape (n, 3, 3)."""
    off: Array
    """Residuals of positions (n, 3) and of rotations (n, 3), as one array (2, n, 3)."""

    def cost(self, noise: Array) -> float:
        """Return the sum of squares, in units of the noise (2,)."""
        return float(((self.off / noise[:, None, None]) ** 2).sum())


def fit_motion(poses: ArrayLike, times: ArrayLike, *, noise: ArrayLike | None = None) -> MotionFit:
    """Return the screw at constant rates that a body follows, from tracked poses, by least squares on positions and rotations.

    poses: shape (n, 4, 4), (n, 3, 4) or (n, 3), or what has `as_matrix`, at least two. times: shape (n,), increasing, in any
    unit; gaps may differ. noise: standard deviations of each coordinate of the positions [length] and of the rotation vectors
    [radians], two numbers; without it they are estimated, from four poses or more. Between two poses the body turns by less
    than half a turn, or about as fast as in the shorter gaps. If these contradict the former and are not exact enough for the
    latter, it raises.
    """
    rows = PoseRows(poses, "poses")
    if len(rows.shape) != 1:
        raise InvalidPose(f"poses: expected shape (n, 4, 4), (n, 3, 4) or (n, 3), got one pose or leading shape {rows.shape}")
    count = len(rows)
    if count < 2:
        raise InvalidQuery(f"poses: got {checks.amount(count, 'pose')}; a fit needs at least 2")
    clock = _checked_times(times, count)
    given = _checked_noise(noise)
    matrices = rows.take(slice(None))
    origin, span = matrices[-1, :3, 3].copy(), float(clock[-1] - clock[0])
    places = matrices[:, :3, 3] - origin
    extent = float(np.linalg.norm(places, axis=1).max())
    extent = extent if extent > checks.NARROWEST else 1.0
    free = _TRANSLATION if rows.only_positions else _ALL
    finest = _ROUNDING * np.array((max(float(np.abs(matrices[:, :3, 3]).max()), extent), 1.0))
    tracked = _Tracked(places, matrices[:, :3, :3], (clock - clock[-1]) / span, extent, finest, free)
    turn = _whole_turn(matrices, clock, None if given is None else float(given[1]))
    start = _evaluated(tracked, np.zeros(3), matrices[-1, :3, :3], np.concatenate((np.zeros(3), turn)))
    if given is not None:
        state, covariance = _solved(tracked, start, _contrasted(given, tracked))
    else:
        state, covariance, given = _solved_with_noise(tracked, start)
    return _result(tracked, state, covariance, given, origin, float(clock[-1]), span)


def _checked_times(times: ArrayLike, count: int) -> NDArray[np.float64]:
    given = checks.array(times, "times", "an array of numbers of shape (n,)", InvalidQuery)
    if given.shape != (count,):
        raise InvalidQuery(
            f"times: expected one for each of {checks.amount(count, 'pose')}, shape ({count},), got {given.shape}"
        )
    clock = given.astype(np.float64)
    leading.refuse_not_finite(clock, (count,), "times", InvalidQuery)
    late = np.flatnonzero(~(np.diff(clock) > 0.0))
    if len(late):
        k = int(late[0])
        raise InvalidQuery(f"times[{k + 1}] is {clock[k + 1]}, after {clock[k]}; times must increase")
    return clock


def _checked_noise(noise: ArrayLike | None) -> Array | None:
    if noise is None:
        return None
    given = checks.array(noise, "noise", "two numbers, of positions [length] and of rotations [radians]", InvalidQuery)
    if given.shape != (2,):
        raise InvalidQuery(f"noise: expected two numbers, of positions [length] and of rotations [radians], got {given.shape}")
    return np.array([checks.length(value, f"noise[{k}]", InvalidQuery) for k, value in enumerate(given)])


def _whole_turn(matrices: Array, clock: Array, noise: float | None) -> Array:
    """Return the rotation vector of the whole motion, shape (3,), more than half a turn if need be.

    A rotation is known up to full turns. Gaps are added from the shortest to the longest, each with the full turns that come
    nearest to the rate of those before: so a pose may be missing where the body turns fast. noise: of rotations [radians],
    None if it is not known.
    """
    between = turns_between(matrices[:-1], matrices[1:])
    axis, angle = axis_angles(between)
    vectors = angle[:, None] * axis  # at most half a turn each, until full turns are added
    gaps = np.diff(clock)
    order = np.argsort(gaps, kind="stable")
    total, known = np.zeros(3), 0.0
    for n, k in enumerate(order.tolist()):
        expected = total * (gaps[k] / known) if n else total
        near = float(np.linalg.norm(vectors[k] - expected)) <= math.pi
        if not near and gaps[k] > _REACH * known:
            doubt = _doubt(vectors[order[:n]], gaps[order[:n]], order[:n], noise)
            if float(np.linalg.norm(total - vectors[k] * (known / gaps[k]))) <= _CERTAIN * doubt < math.inf:
                near, expected = True, np.zeros(3)  # the shorter gaps may show nothing but noise
            elif not _CERTAIN * doubt * gaps[k] <= _CLEAR * known:
                raise InvalidQuery(
                    f"poses[{k}] and poses[{k + 1}] are {gaps[k]:.4g} apart in time, in which the rate of the shorter gaps "
                    f"makes about {float(np.linalg.norm(expected)) / math.tau:.1f} turns: how many is not clear. Give poses "
                    "between them" + (", or the noise of the tracker" if noise is None else "")
                )
        off_axis, off = axis_angles(between[k, None] @ rotations(-expected[None]))
        if off[0] > _CLEAR:
            raise InvalidQuery(
                f"poses[{k}] and poses[{k + 1}]: the turn between them, {math.degrees(angle[k]):.1f} degrees, is "
                f"{math.degrees(off[0]):.1f} degrees from the expected one ("
                + ("none, before shorter gaps show a rate" if not expected.any() else "by the rate of the shorter gaps")
                + f"), so it could be one the other way round; accepted: up to {math.degrees(_CLEAR):.0f}. Give poses that are "
                "closer in time"
            )
        if not near:
            vectors[k] = expected + off[0] * off_axis[0]
        total = total + vectors[k]
        known += float(gaps[k])
    return total


def _doubt(vectors: Array, gaps: Array, order: NDArray[np.int64], noise: float | None) -> float:
    """Return the standard deviation of the sum of some turns, (n, 3), along their axis [radians]; infinite if it is not known.

    order: which gaps they are. In a run of gaps the noise of the poses between them cancels. noise: of a pose; None: the gaps
    show it by how much their rates differ.
    """
    runs = 1 + int((np.diff(np.sort(order)) > 1).sum())
    if noise is None and len(gaps) < 2:
        return math.inf
    if noise is None:
        off = vectors - gaps[:, None] * (vectors.sum(axis=0) / gaps.sum())
        noise = math.sqrt(float((off**2).sum()) / (2.0 * 3.0 * (len(gaps) - 1)))
    return math.sqrt(2.0 * runs) * max(noise, _ROUNDING)


def _evaluated(tracked: _Tracked, place: Array, turn: Array, rates: Array) -> _State:
    """Return a motion with its residuals."""
    turned, jacobians = rotations_and_jacobians(tracked.times[:, None] * rates[3:])
    moved = tracked.times[:, None, None] * jacobians
    axis, angle = axis_angles(tracked.turns @ np.swapaxes(turned @ turn, 1, 2))
    off = np.stack((tracked.places - place - moved @ rates[:3], angle[:, None] * axis))
    return _State(place, turn, rates, turned, moved, off)


def _derivatives(tracked: _Tracked, state: _State) -> Array:
    """Return the derivatives of positions and of rotations with respect to the unknowns, shape (2, n, 3, UNKNOWNS)."""
    times = tracked.times[:, None, None]
    vectors = tracked.times[:, None] * state.rates[3:]
    found = np.zeros((2, len(tracked.times), 3, UNKNOWNS))
    found[0, ..., POSITION] = np.eye(3)
    found[0, ..., VELOCITY] = state.moved
    found[0, ..., ANGULAR] = times * times * jacobian_derivatives(vectors, state.rates[:3])
    found[1, ..., ROTATION] = state.turned
    found[1, ..., ANGULAR] = state.moved
    return found


def _contrasted(noise: Array, tracked: _Tracked) -> Array:
    """Return noise as weights take it: not below rounding, and the two of similar size."""
    raised = np.maximum(noise, tracked.finest)
    lengths = np.array((tracked.extent, 1.0))
    return np.maximum(raised, lengths * float((raised / lengths).max()) / _CONTRAST)


@dataclass(frozen=True, slots=True)
class _Step:
    """A step of Gauss and Newton."""

    state: _State
    """After the step."""
    size: float
    """Before it was shortened, in standard deviations of the unknowns."""
    root: Array
    """A square root of the covariance of the unknowns, shape (UNKNOWNS, k) for k fitted ones."""
    placed: float
    """How many unknowns the positions determine; rotations determine the others."""


def _stepped(tracked: _Tracked, state: _State, noise: Array) -> _Step:
    """Take a step; halve it until the sum of squares does not grow."""
    derivatives = _derivatives(tracked, state)[..., tracked.free]
    scaled = (derivatives / noise[:, None, None, None]).reshape(-1, len(tracked.free))
    sizes = np.linalg.norm(scaled, axis=0)
    directions, triangle = np.linalg.qr(scaled / sizes)
    wanted = directions.T @ (state.off / noise[:, None, None]).reshape(-1)
    root = np.zeros((UNKNOWNS, len(tracked.free)))
    root[tracked.free] = np.linalg.inv(triangle) / sizes[:, None]
    whole = root @ wanted
    most, share = state.cost(noise) * (1.0 + _STEADY), 1.0
    while True:
        step = share * whole
        turn = rotations(step[None, ROTATION])[0] @ state.turn
        rates = state.rates + np.concatenate((step[VELOCITY], step[ANGULAR]))
        moved = _evaluated(tracked, state.place + step[POSITION], turn, rates)
        if moved.cost(noise) <= most or share < 0.5**_MOST_HALVINGS:
            break
        share *= 0.5
    placed = float((directions[: 3 * len(tracked.times)] ** 2).sum())
    return _Step(moved, float(np.linalg.norm(wanted)), root, placed)


def _solved(tracked: _Tracked, state: _State, noise: Array) -> tuple[_State, Array]:
    """Return the motion of least squares, and the covariance of its unknowns, for weights by a noise."""
    rounding = math.sqrt(state.off.size) * float((tracked.finest / noise).max())
    step = _stepped(tracked, state, noise)
    for _ in range(_MOST_STEPS):
        if step.size <= rounding:
            break
        step = _stepped(tracked, step.state, noise)
    return step.state, step.root @ step.root.T


def _solved_with_noise(tracked: _Tracked, state: _State) -> tuple[_State, Array, Array]:
    """As `_solved`, with the noise that the residuals show, shape (2,); NaN if there are too few poses.

    Helmert's variance components: each sum of squares is divided by the number of its observations less the unknowns that
    they determine.
    """
    observed = 3.0 * len(tracked.times)
    state, _ = _solved(tracked, state, np.array((_LIGHT * tracked.extent, 1.0)))
    first = max(observed - len(_TRANSLATION), 1.0)  # positions have as many unknowns of their own as rotations have
    noise = _contrasted(np.sqrt((state.off**2).sum(axis=(1, 2)) / first), tracked)
    if not tracked.shows_noise:
        state, covariance = _solved(tracked, state, noise)
        return state, np.full_like(covariance, np.nan), np.full(2, np.nan)
    for _ in range(_MOST_STEPS):
        step = _stepped(tracked, state, noise)
        state, last = step.state, noise
        frees = np.array((observed - step.placed, observed - len(tracked.free) + step.placed))
        noise = _contrasted(np.sqrt((state.off**2).sum(axis=(1, 2)) / frees), tracked)
        if (np.abs(noise - last) <= _STEADY * last).all():
            break
    state, covariance = _solved(tracked, state, noise)
    return state, covariance, noise if len(tracked.free) == UNKNOWNS else np.array((noise[0], np.nan))


def _result(
    tracked: _Tracked, state: _State, covariance: Array, noise: Array, origin: Array, time: float, span: float
) -> MotionFit:
    """Return a motion per span as one per unit of time, in the world."""
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = state.turn, origin + state.place
    with np.errstate(over="ignore"):
        rates = state.rates / span
    if not float(np.abs(rates).max()) <= checks.LARGEST:
        raise InvalidQuery(
            f"times: {len(tracked.times)} poses in {span:g} move too fast; rates must be at most {checks.LARGEST:g}"
        )
    if np.linalg.norm(state.rates[3:]) <= NO_TURN:
        rates[3:] = 0.0
    units = np.ones(UNKNOWNS)
    units[VELOCITY] = units[ANGULAR] = 1.0 / span
    return MotionFit(
        time=time,
        pose=pose,
        velocity=rates[:3],
        angular_velocity=rates[3:],
        covariance=covariance * units * units[:, None],
        noise=noise,
        position_residuals=state.off[0],
        rotation_residuals=state.off[1],
    )
