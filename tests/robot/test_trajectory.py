"""Trajectories: every accepted object becomes the same motion as piecewise polynomials; invalid ones raise."""

import copy
import math
import pickle
from dataclasses import FrozenInstanceError
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import interpolate

import sweepscope as ss
from sweepscope.robot.polynomials import JUMP, composed, shifted
from sweepscope.robot.trajectory import polynomials_of, waypoint_polynomials

RNG = np.random.default_rng(31)
TIMES = np.cumsum(RNG.uniform(0.1, 1.0, 8)) - 2.0
POSITIONS = RNG.uniform(-3, 3, (8, 7))


def assert_same(given, evaluate, dof=7, scale=1.0):
    """The polynomials of an object have the values of `evaluate` everywhere, to 1e-12 of the largest."""
    found = polynomials_of(given, dof)
    breaks, coefficients = found
    assert coefficients.dtype == breaks.dtype == np.float64
    assert coefficients.flags.c_contiguous
    assert coefficients.flags.writeable
    assert breaks.flags.writeable
    assert breaks.shape == (len(coefficients) + 1,)
    assert (np.diff(breaks) > 0).all()
    times = np.concatenate((RNG.uniform(breaks[0], breaks[-1], 300), breaks[1:-1]))
    expected = np.reshape(evaluate(times), (len(times), dof))
    tolerance = 1e-12 * max(np.abs(expected).max(), scale)
    np.testing.assert_allclose(found.at(times), expected, rtol=0, atol=tolerance)
    np.testing.assert_allclose(found.start, np.ravel(evaluate(breaks[:1])), rtol=0, atol=tolerance)
    np.testing.assert_allclose(found.end, np.ravel(evaluate(breaks[-1:])), rtol=0, atol=tolerance)
    return found


@pytest.mark.parametrize("kind", ["CubicSpline", "PchipInterpolator", "Akima1DInterpolator"])
def test_interpolators_of_scipy(kind):
    make = getattr(interpolate, kind)
    spline = make(TIMES, POSITIONS)
    found = assert_same(spline, spline)
    assert found.coefficients.shape == (7, 4, 7)
    np.testing.assert_array_equal(found.breaks, TIMES)
    along_another_axis = make(TIMES, POSITIONS.T.copy(), axis=1)
    np.testing.assert_array_equal(polynomials_of(along_another_axis, 7).coefficients, found.coefficients)


def test_hermite_periodic_and_a_line():
    hermite = interpolate.CubicHermiteSpline(TIMES, POSITIONS, RNG.normal(size=(8, 7)))
    assert_same(hermite, hermite)
    closed = POSITIONS.copy()
    closed[-1] = closed[0]
    periodic = interpolate.CubicSpline(TIMES, closed, bc_type="periodic")
    found = assert_same(interpolate.PPoly(periodic.c, periodic.x, extrapolate=False), periodic)
    np.testing.assert_array_equal(polynomials_of(periodic, 7).breaks, found.breaks)
    line = interpolate.CubicSpline((0.0, 2.0), ((0.0, 1.0), (1.0, 0.0)))
    assert assert_same(line, line, 2).coefficients.shape[1] <= 4


@pytest.mark.parametrize("degree", [1, 2, 3, 5, 7])
def test_b_splines_through_points(degree):
    spline = interpolate.make_interp_spline(TIMES, POSITIONS, k=degree)
    assert_same(spline, spline, scale=np.abs(spline.c).max())


@pytest.mark.parametrize("degree", [1, 2, 3, 5, 6, 9, 17, 32])
def test_b_splines_with_multiple_knots(degree):
    inner = np.sort(np.concatenate((RNG.uniform(0, 5, 6), [2.5] * degree)))  # at 2.5 only the position is continuous
    knots = np.concatenate((RNG.uniform(-1, 0, degree), [0.0], inner, [5.0], RNG.uniform(5, 6, degree)))
    spline = interpolate.BSpline(np.sort(knots), RNG.normal(size=(len(knots) - degree - 1, 3)), degree)
    found = assert_same(spline, spline, 3)
    assert (found.breaks[0], found.breaks[-1]) == (0, 5)
    if degree <= 5:
        np.testing.assert_array_equal(found.breaks, np.unique((0, *inner, 5)))


def test_a_b_spline_of_one_joint_and_a_periodic_one():
    spline = interpolate.make_interp_spline(TIMES, POSITIONS[:, 0])
    assert_same(spline, spline, 1)
    closed = np.concatenate((POSITIONS, POSITIONS[:1]))
    periodic = interpolate.make_interp_spline(np.arange(9.0), closed, bc_type="periodic")
    found = assert_same(periodic, periodic)
    assert (found.breaks[0], found.breaks[-1]) == (0, 8)


@pytest.mark.parametrize("degree", [1, 3, 5, 6, 8, 13, 32])
def test_bernstein_polynomials(degree):
    points = RNG.normal(size=(degree + 1, 3, 4))
    points[0, 1:] = points[-1, :-1]
    given = interpolate.BPoly(points, (-1.0, 0.0, 2.0, 2.5))
    found = assert_same(given, given, 4)
    assert len(found.coefficients) == (3 if degree <= 5 else 3 * math.ceil(degree / 4))
    ours = ss.Trajectory.from_bezier(points.swapaxes(0, 1), (-1.0, 0.0, 2.0, 2.5))
    np.testing.assert_array_equal(ours.coefficients, found.coefficients)


def test_pieces_without_duration_are_left_out():
    spline = interpolate.CubicSpline((0.0, 1.0, 2.0), POSITIONS[:3])
    coefficients = np.insert(spline.c, 1, 99.0, axis=1)
    found = polynomials_of(interpolate.PPoly(coefficients, (0.0, 1.0, 1.0, 2.0)), 7)
    np.testing.assert_array_equal(found.breaks, (0, 1, 2))
    np.testing.assert_array_equal(found.coefficients, polynomials_of(spline, 7).coefficients)


def test_times_far_from_zero():
    seconds = 1.7e9 + np.arange(8.0)
    for given in (interpolate.CubicSpline(seconds, POSITIONS), interpolate.make_interp_spline(seconds, POSITIONS, k=3)):
        assert_same(given, given)
    rows = ss.Trajectory.from_waypoints(POSITIONS[:1], (3, 5))
    np.testing.assert_array_equal(rows.q(4.5), POSITIONS[0])


def test_the_objects_stay_as_they_are():
    spline = interpolate.CubicSpline(TIMES, POSITIONS)
    before = spline.c.copy()
    found = polynomials_of(spline, 7)
    found.coefficients[:] = 0
    found.breaks[:] = 0
    np.testing.assert_array_equal(spline.c, before)
    ours = ss.Trajectory.from_object(spline)
    polynomials_of(ours, 7).coefficients[:] = 0
    np.testing.assert_array_equal(ours.q(TIMES[0]), POSITIONS[0])


def test_a_trajectory_of_coefficients():
    ours = ss.Trajectory([[[0, 1], [1, 0], [1, 0]], [[2, 1], [0, 1], [0, 0]]])
    assert (ours.dof, ours.degree, ours.duration) == (2, 2, 2)
    np.testing.assert_array_equal(ours.breaks, (0, 1, 2))
    np.testing.assert_array_equal(ours.start, (0, 1))
    np.testing.assert_array_equal(ours.end, (2, 2))
    np.testing.assert_array_equal(ours.q(0.5), (0.75, 1))
    np.testing.assert_array_equal(ours.q([[0, 1], [1.5, 2]]), [[(0, 1), (2, 1)], [(2, 1.5), (2, 2)]])
    assert repr(ours) == "<Trajectory: 2 joints, 2 pieces of degree 2, time 0 to 2>"
    assert ss.Trajectory.from_object(ours) is ours
    still = ss.Trajectory([[[1.0]]], (3, 4))
    assert (still.degree, still.q(3.5)) == (1, 1)


def test_a_trajectory_does_not_change_and_travels():
    coefficients = np.zeros((1, 2, 3))
    ours = ss.Trajectory(coefficients)
    coefficients[:] = 1
    assert not ours.coefficients.any()
    with pytest.raises(FrozenInstanceError):
        ours.breaks = (0, 1)
    with pytest.raises(ValueError, match="read-only"):
        ours.coefficients[0] = 1
    assert copy.deepcopy(ours) is ours
    other = pickle.loads(pickle.dumps(ours))
    np.testing.assert_array_equal(other.coefficients, ours.coefficients)
    assert not other.breaks.flags.writeable


def test_waypoints():
    found = waypoint_polynomials(POSITIONS)
    np.testing.assert_array_equal(found.breaks, np.arange(8))
    assert found.coefficients.shape == (7, 2, 7)
    np.testing.assert_array_equal(found.start, POSITIONS[0])
    np.testing.assert_allclose(found.ends(), POSITIONS[1:], rtol=0, atol=1e-15)
    still = waypoint_polynomials([(1, 2, 3)])
    np.testing.assert_array_equal(still.breaks, (0, 1))
    np.testing.assert_array_equal(still.coefficients, [[(1, 2, 3), (0, 0, 0)]])
    timed = ss.Trajectory.from_waypoints(POSITIONS, TIMES)
    straight = interpolate.make_interp_spline(TIMES, POSITIONS, k=1)
    assert_same(timed, straight)
    np.testing.assert_array_equal(ss.Trajectory.from_waypoints(POSITIONS).breaks, np.arange(8))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (np.zeros(7), r"waypoints: expected one row .* got \(7,\); a single waypoint: \[q\]"),
        (np.zeros((0, 7)), r"got \(0, 7\)"),
        ([], r"got \(0,\)"),
        (np.zeros((2, 2, 7)), r"got \(2, 2, 7\)"),
        ([(0, 1), (0, math.nan)], r"waypoints\[1, 1\] is nan"),
        ([(0, 1), (0,)], "waypoints: expected one row"),
    ],
)
def test_invalid_waypoints(wrong, message):
    with pytest.raises(ss.errors.InvalidQuery, match=message):
        waypoint_polynomials(wrong)


def test_waypoints_of_a_wrong_type():
    for wrong in (None, ss.Trajectory([[[0.0]]]), interpolate.CubicSpline(TIMES, POSITIONS), "ab"):
        with pytest.raises(ss.errors.InvalidType, match=r"waypoints: expected one row .* robot.follow takes trajectories"):
            waypoint_polynomials(wrong)
    with pytest.raises(ss.errors.InvalidType, match="dtype complex"):
        waypoint_polynomials([(1j, 0), (0, 0)])


def spoilt(**changes):
    """A PPoly of 8 breaks and 7 joints, with numbers set after it was made: (index, value)."""
    spline = interpolate.CubicSpline(TIMES, POSITIONS)
    for name, (index, value) in changes.items():
        getattr(spline, name)[index] = value
    return spline


class BSpline:
    """A spline with the attributes of scipy's."""

    def __init__(self, t, c, k):
        self.t, self.c, self.k = t, c, k


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: interpolate.CubicSpline(TIMES, POSITIONS[:, :6]), r"way: has 6 joints; accepted: 7, one for each of"),
        (lambda: interpolate.CubicSpline(TIMES, POSITIONS[:, 0]), r"way: has 1 joint; accepted: 7"),
        (lambda: ss.Trajectory([[[0.0]]]), r"way: has 1 joint; accepted: 7"),
        (
            lambda: interpolate.CubicSpline(TIMES, np.zeros((8, 7, 1))),
            r"way.c: one position has shape \(7, 1\); accepted: \(dof,\)",
        ),
        (lambda: spoilt(c=((1, 2, 3), math.nan)), r"way.c\[1, 2, 3\] is nan; it must be finite"),
        (lambda: spoilt(x=(3, math.inf)), r"way.x\[3\] is inf"),
        (
            lambda: interpolate.PPoly(np.zeros((2, 2, 7)), (2.0, 1.0, 0.0)),
            "way: time decreases from 2 to 1 in piece 0; it must",
        ),
        (
            lambda: interpolate.BPoly(np.zeros((2, 2, 7)), (2.0, 1.0, 0.0)),
            "way: time decreases from 2 to 1 in piece 0; it must",
        ),
        (
            lambda: interpolate.PPoly(np.zeros((2, 1, 7)), (1.0, 1.0)),
            "way: has no piece that takes time; accepted: one or more",
        ),
        (lambda: interpolate.PPoly(np.zeros((34, 1, 7)), (0.0, 1.0)), "way: has degree 33; accepted: at most 32"),
        (lambda: interpolate.BPoly(np.zeros((1100, 1, 7)), (0.0, 1.0)), "way: has degree 1099; accepted: at most 32"),
        (lambda: BSpline(np.arange(80.0), np.zeros((40, 7)), 39), "way: has degree 39; accepted: at most 32"),
        (
            lambda: interpolate.PPoly(np.full((9, 1, 7), 1e45), (0.0, 1e40)),
            "way: positions of joint 0 from time 0 to 1e.40 are not",
        ),
        (
            lambda: interpolate.BSpline((0, 0, 1, 2, 2), [(0.0,) * 7, (1.0,) * 7, (2.0,) * 7, (3.0,) * 7], 0),
            "way: jumps at time 1",
        ),
    ],
)
def test_invalid_trajectories(make, message):
    with pytest.raises(ss.errors.InvalidQuery, match=message):
        polynomials_of(make(), 7, "way")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (None, r"way: expected a Trajectory, scipy's PPoly .* got None, which toppra returns"),
        (POSITIONS, r"got a ndarray; waypoints: robot.path\(...\), control points: Trajectory.from_bezier"),
        ([(0, 1)], "got a list; waypoints"),
        ("file.csv", "got a str"),
        (lambda t: t, "got a function"),
        (interpolate.PPoly(np.zeros((2, 1, 7), complex), (0, 1)), "way.c: expected an array of numbers, got dtype complex128"),
    ],
)
def test_trajectories_of_a_wrong_type(wrong, message):
    with pytest.raises(ss.errors.InvalidType, match=message):
        polynomials_of(wrong, 7, "way")


def test_a_jump_names_time_joint_and_positions():
    coefficients = np.zeros((3, 2, 4))
    coefficients[:2, 1, 2] = 0.25
    coefficients[1, 0, 2] = 0.25
    coefficients[2, 0, 2] = 0.75
    with pytest.raises(
        ss.errors.InvalidQuery,
        match=r"Trajectory: jumps at time 7: joint 2 is at 0.5 before and at 0.75 after; accepted: continuous positions",
    ):
        ss.Trajectory(coefficients, (5, 6, 7, 8))
    coefficients[2, 0, 2] = 0.5 + 0.5 * JUMP
    ss.Trajectory(coefficients, (5, 6, 7, 8))
    coefficients[:, 0, 1] = 1e6
    coefficients[2, 0, 1] += 0.5e6 * JUMP
    ss.Trajectory(coefficients, (5, 6, 7, 8))
    coefficients[2, 0, 2] = 0.5 + 2 * JUMP
    with pytest.raises(ss.errors.InvalidQuery, match="jumps at time 7"):
        ss.Trajectory(coefficients, (5, 6, 7, 8))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: ss.Trajectory(np.zeros((2, 3))),
            r"coefficients: expected shape \(pieces, degree \+ 1, dof\), .* got \(2, 3\); a single piece",
        ),
        (lambda: ss.Trajectory(np.zeros((0, 2, 3))), r"none of them 0, got \(0, 2, 3\)"),
        (lambda: ss.Trajectory(np.zeros((1, 40, 3))), "coefficients: has degree 39"),
        (lambda: ss.Trajectory([[[math.inf]]]), r"coefficients\[0, 0, 0\] is inf"),
        (lambda: ss.Trajectory([[[0.0]]], (0, 1, 2)), r"breaks: expected shape \(2,\) for 1 piece, got \(3,\)"),
        (lambda: ss.Trajectory(np.zeros((2, 1, 1)), (0, 1, 1)), r"breaks\[2\] is 1 after 1; times must increase"),
        (lambda: ss.Trajectory(np.zeros((2, 1, 1)), (0, math.nan, 1)), r"breaks\[1\] is nan"),
        (lambda: ss.Trajectory.from_bezier(np.zeros((2, 3))), r"points: expected shape"),
        (lambda: ss.Trajectory.from_bezier(np.zeros((1, 99, 3))), "points: has degree 98"),
        (lambda: ss.Trajectory.from_waypoints(np.zeros((3, 2)), (0, 1)), r"times: expected shape \(3,\) for 2 pieces"),
        (lambda: ss.Trajectory.from_waypoints(np.zeros((3, 2)), (0, 2, 1)), r"times\[2\] is 1 after 2; times must increase"),
        (lambda: ss.Trajectory([[[0.0]]]).q(2), r"times is 2; accepted: 0 to 1"),
        (lambda: ss.Trajectory([[[0.0]]]).q([0, math.nan]), r"times\[1\] is nan; accepted: 0 to 1"),
    ],
)
def test_invalid_values(make, message):
    with pytest.raises(ss.errors.InvalidQuery, match=message):
        make()


def test_values_of_a_wrong_type():
    for make in (lambda: ss.Trajectory("ab"), lambda: ss.Trajectory([[[0.0]]], "ab"), lambda: ss.Trajectory([[[0.0]]]).q("a")):
        with pytest.raises(ss.errors.InvalidType):
            make()


def test_shifted_and_composed():
    coefficients = RNG.normal(size=(5, 6, 2))
    by, speeds, accelerations = RNG.normal(size=(3, 5))
    times = RNG.uniform(-1, 1, 20)
    for k in range(5):
        for j in range(2):
            plain = np.polynomial.Polynomial(coefficients[k, :, j])
            later = np.polynomial.Polynomial(shifted(coefficients, by)[k, :, j])
            np.testing.assert_allclose(later(times), plain(times + by[k]), rtol=0, atol=1e-12)
            along = np.polynomial.Polynomial(composed(coefficients, speeds, accelerations)[k, :, j])
            way = speeds[k] * times + 0.5 * accelerations[k] * times**2
            np.testing.assert_allclose(along(times), plain(way), rtol=0, atol=1e-12)


# Ruckig without the package: the attributes of its Trajectory. tests/bridges/test_trajectories.py uses the real one.


class RuckigTrajectory(SimpleNamespace):
    """Sections of profiles; each profile: position, speed and (duration, jerk) of its steps."""

    __module__ = "ruckig"

    def at_time(self, time):
        section = int(np.searchsorted(self.intermediate_durations[:-1], time, side="right"))
        since = time - (self.intermediate_durations[section - 1] if section else 0.0)
        return [[_profile_at(each, since) for each in self.profiles[section]]]


def _profile_at(profile, since):
    if profile.brake.duration > 0.0:
        if since < profile.brake.duration:
            k = 0 if since < profile.brake.t[0] else 1
            since -= k * profile.brake.t[0]
            return _moved(profile.brake.p[k], profile.brake.v[k], profile.brake.a[k], profile.brake.j[k], since)
        since -= profile.brake.duration
    for k in range(7):
        if since < profile.t[k]:
            return _moved(profile.p[k], profile.v[k], profile.a[k], profile.j[k], since)
        since -= profile.t[k]
    return _moved(profile.p[7], profile.v[7], profile.a[7], 0.0, since)


def _moved(p, v, a, j, t):
    return p + v * t + a * t**2 / 2 + j * t**3 / 6


def _states(state, steps):
    """Positions, speeds and accelerations at the start of each step of (duration, jerk), and at the end."""
    rows = [state]
    for t, j in steps:
        p, v, a = rows[-1]
        rows.append((_moved(p, v, a, j, t), v + a * t + j * t**2 / 2, a + j * t))
    return [list(column) for column in zip(*rows, strict=True)]


def _profile(state, steps, brake=()):
    bp, bv, ba = _states(state, brake)
    p, v, a = _states((bp[-1], bv[-1], ba[-1]), steps)
    slots = [*brake, *[(0.0, 0.0)] * (2 - len(brake))]
    t, j = ([each[k] for each in slots] for k in (0, 1))
    held = SimpleNamespace(duration=sum(t), t=t, j=j, p=[*bp, bp[-1]][:2], v=[*bv, bv[-1]][:2], a=[*ba, ba[-1]][:2])
    profile = SimpleNamespace(brake=held, t=[s[0] for s in steps], j=[s[1] for s in steps], p=p, v=v, a=a)
    return profile, (p[-1], v[-1], a[-1])


def test_sections_of_ruckig():
    lengths, rng = (2.0, 1.5), np.random.default_rng(5)
    sections, states = [], [tuple(rng.normal(size=3)) for _ in range(3)]
    for number, length in enumerate(lengths):
        section = []
        for j in range(3):
            brake = [(0.1, 1.0), (0.2, -2.0)] if number == 0 and j == 1 else []
            shares = rng.dirichlet(np.ones(7)) * (length - sum(t for t, _ in brake))
            profile, states[j] = _profile(states[j], list(zip(shares, rng.normal(size=7), strict=True)), brake)
            section.append(profile)
        sections.append(section)
    given = RuckigTrajectory(profiles=sections, duration=3.5, intermediate_durations=[2.0, 3.5], degrees_of_freedom=3)
    found = assert_same(given, lambda times: np.array([given.at_time(t)[0] for t in times]), 3)
    assert found.coefficients.shape == (3 * 14 + 2 - 2 * 2, 4, 3)
    assert (found.breaks[0], found.breaks[-1]) == (0, 3.5)
    given.at_time = lambda time: [[0.0, 0.0, 0.0]]
    with pytest.raises(ss.errors.InvalidQuery, match="cannot be converted exactly"):
        polynomials_of(given, 3)
