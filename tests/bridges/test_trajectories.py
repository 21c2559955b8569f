"""Trajectories of toppra and Ruckig become the same motion as piecewise polynomials."""

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.robot.trajectory import polynomials_of

pytestmark = pytest.mark.bridges
RNG = np.random.default_rng(31)
WAYPOINTS = RNG.uniform(-1, 1, (6, 7))
PLACES = np.linspace(0.0, 1.0, 6)
PATHS = ("SplineInterpolator", "UnivariateSplineInterpolator", "SimplePath", "PolynomialPath")


def assert_same(given, evaluate, dof):
    """The polynomials of an object have the values of `evaluate` everywhere, to 1e-12 of the largest."""
    found = polynomials_of(given, dof)
    times = np.concatenate((RNG.uniform(found.breaks[0], found.breaks[-1], 500), found.breaks[:-1]))
    expected = np.reshape(evaluate(times), (len(times), dof))
    np.testing.assert_allclose(found.at(times), expected, rtol=0, atol=1e-12 * max(1.0, np.abs(expected).max()))
    return found


def toppra_path(kind):
    import toppra
    from toppra.interpolator import PolynomialPath, UnivariateSplineInterpolator
    from toppra.simplepath import SimplePath

    if kind == "PolynomialPath":
        return PolynomialPath(np.random.default_rng(7).normal(size=(7, 4)), 0.2, 1.2)
    kinds = {"SplineInterpolator": toppra.SplineInterpolator, "SimplePath": SimplePath}
    return kinds.get(kind, UnivariateSplineInterpolator)(PLACES, WAYPOINTS)


def toppra_trajectory(path, parametrizer, points):
    from toppra import algorithm, constraint

    limits = [
        constraint.JointVelocityConstraint(np.tile((-1.0, 1.0), (7, 1))),
        constraint.JointAccelerationConstraint(np.tile((-2.0, 2.0), (7, 1))),
    ]
    grid = points and np.linspace(*path.path_interval, points)
    solver = algorithm.TOPPRA(limits, path, gridpoints=grid, parametrizer=parametrizer, solver_wrapper="seidel")
    return solver.compute_trajectory()


@pytest.mark.parametrize("kind", PATHS)
def test_paths_of_toppra(kind):
    path = toppra_path(kind)
    found = assert_same(path, path, 7)
    np.testing.assert_allclose(found.breaks[[0, -1]], path.path_interval)


@pytest.mark.parametrize("points", [None, 12, 33])  # 33: the path changes its polynomial between grid points
@pytest.mark.parametrize("parametrizer", ["ParametrizeSpline", "ParametrizeConstAccel"])
@pytest.mark.parametrize("kind", PATHS)
def test_trajectories_of_toppra(kind, parametrizer, points):
    given = toppra_trajectory(toppra_path(kind), parametrizer, points)
    found = assert_same(given, given, 7)
    assert found.coefficients.shape[1] == (4 if parametrizer == "ParametrizeSpline" else 7)
    np.testing.assert_allclose(found.breaks[[0, -1]], given.path_interval, rtol=1e-15)


def test_toppra_without_polynomials():
    import toppra
    from toppra.interpolator import AbstractGeometricPath
    from toppra.parametrizer import ParametrizeConstAccel

    class Circle(AbstractGeometricPath):
        dof, path_interval = 2, np.array((0.0, 1.0))

        def __call__(self, s, order=0):
            return np.stack((np.cos(s), np.sin(s)), axis=-1)

    with pytest.raises(
        ss.errors.InvalidType, match="a toppra Circle gives no access to its polynomials; accepted of toppra: Para"
    ):
        polynomials_of(Circle(), 2)
    moving = ParametrizeConstAccel(Circle(), np.linspace(0, 1, 5), np.ones(5))
    with pytest.raises(ss.errors.InvalidType, match="path: a toppra Circle gives no access"):
        polynomials_of(moving, 2)
    with pytest.raises(ss.errors.InvalidQuery, match="has a single waypoint"):
        polynomials_of(toppra.SplineInterpolator([0.0], WAYPOINTS[:1]), 7)
    path = toppra_path("SplineInterpolator")
    with np.errstate(divide="ignore", invalid="ignore"):
        still = ParametrizeConstAccel(path, np.linspace(0, 1, 5), np.array((0.0, 1.0, 0.0, 0.0, 0.0)))
    with pytest.raises(ss.errors.InvalidQuery, match="times that are not finite"):
        polynomials_of(still, 7)
    changed = ParametrizeConstAccel(path, np.linspace(0, 1, 5), np.ones(5))
    changed._us = changed._us + 1e-3
    changed._eval_params = ParametrizeConstAccel(path, np.linspace(0, 1, 5), np.ones(5))._eval_params
    with pytest.raises(ss.errors.InvalidQuery, match="cannot be converted exactly"):
        polynomials_of(changed, 7)


def ruckig_trajectory(dof, seed, **options):
    import ruckig

    rng = np.random.default_rng(seed)
    given = ruckig.InputParameter(dof)
    given.current_position, given.target_position = rng.uniform(-1, 1, (2, dof)).tolist()
    given.current_velocity = rng.uniform(-0.9, 0.9, dof).tolist()
    given.current_acceleration = rng.uniform(-3, 3, dof).tolist()  # beyond the limit: Ruckig brakes first
    given.target_velocity = rng.uniform(-0.3, 0.3, dof).tolist()
    given.max_velocity, given.max_acceleration, given.max_jerk = [1.0] * dof, [2.0] * dof, [4.0] * dof
    for name, value in options.items():
        setattr(given, name, value)
    trajectory = ruckig.Trajectory(dof)
    ruckig.Ruckig(dof).calculate(given, trajectory)
    return trajectory


def positions(trajectory):
    return lambda times: np.array([np.ravel(trajectory.at_time(float(t))[0]) for t in times])


@pytest.mark.parametrize("synchronization", ["Time", "Phase", "No"])
@pytest.mark.parametrize("dof", [1, 3, 7])
def test_trajectories_of_ruckig(dof, synchronization):
    import ruckig

    braked = 0
    for seed in range(10):
        given = ruckig_trajectory(dof, seed, synchronization=getattr(ruckig.Synchronization, synchronization))
        found = assert_same(given, positions(given), dof)
        assert (found.breaks[0], found.breaks[-1]) == (0, given.duration)
        braked += any(each.brake.duration > 0 for each in given.profiles[0])
    assert braked > 1


def test_velocity_control_and_disabled_joints_of_ruckig():
    import ruckig

    given = ruckig_trajectory(3, 5, control_interface=ruckig.ControlInterface.Velocity)
    assert_same(given, positions(given), 3)
    drift = {"current_velocity": [0.1, 0.2, 0.1], "current_acceleration": [0.0, 0.1, 0.0]}
    given = ruckig_trajectory(3, 5, enabled=[True, False, True], **drift)
    found = assert_same(given, positions(given), 3)
    assert found.end[1] != found.start[1]


def test_ruckig_that_is_not_ready():
    import ruckig

    with pytest.raises(ss.errors.InvalidQuery, match=r"takes no time; call Ruckig.calculate\(input, trajectory\) first"):
        polynomials_of(ruckig.Trajectory(3), 3)
    with pytest.raises(ss.errors.InvalidType, match=r"got a ruckig OutputParameter; give its .trajectory"):
        polynomials_of(ruckig.OutputParameter(3), 3)
    with pytest.raises(ss.errors.InvalidType, match=r"got a ruckig Ruckig; accepted: ruckig.Trajectory"):
        polynomials_of(ruckig.Ruckig(3), 3)
    with pytest.raises(ss.errors.InvalidQuery, match="trajectory: has 3 joints; accepted: 2"):
        polynomials_of(ruckig_trajectory(3, 1), 2)
