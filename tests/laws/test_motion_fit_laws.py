"""Laws of fit_motion: rigid invariance, shifts and scales, reversal, more poses, and uncertainties that hold."""

import itertools

import numpy as np
import pytest

import sweepscope as ss

NOISE = (0.001, 0.01)
BASE = ss.Pose.from_rotation_vector((0.4, -0.3, 0.2), (0.5, 0.1, -0.7))
SWING = ss.Screw((0.3, -0.2, 1.0), 9.0, slide=0.4, about=(-0.3, 0.2, 0.5))
"""In one second."""


def turned(vector):
    return ss.Pose.from_rotation_vector((0.0, 0.0, 0.0), vector)[:3, :3]


def noisy(rng, times, noise=NOISE):
    """Tracked poses of the swing at times from 0 to 1."""
    poses = np.array([SWING.at(time) @ BASE for time in times])
    for pose in poses:
        pose[:3, 3] += noise[0] * rng.normal(size=3)
        pose[:3, :3] = turned(noise[1] * rng.normal(size=3)) @ pose[:3, :3]
    return poses


def blocks(matrix):
    """A rotation for each of position, rotation, velocity and angular velocity."""
    return np.kron(np.eye(4), matrix)


@pytest.fixture
def times(rng):
    return np.sort(rng.uniform(0.0, 0.3, 9))


@pytest.mark.parametrize("noise", [None, NOISE])
def test_moving_all_poses_moves_the_screw(rng, times, noise):
    poses = noisy(rng, times)
    moved = ss.Pose.from_rotation_vector(rng.normal(size=3), rng.normal(size=3))
    fit, other = ss.fit_motion(poses, times, noise=noise), ss.fit_motion(moved @ poses, times, noise=noise)
    turn = moved[:3, :3]
    assert other.pose == pytest.approx(moved @ fit.pose, abs=1e-9)
    assert other.velocity == pytest.approx(turn @ fit.velocity, abs=1e-8)
    assert other.angular_velocity == pytest.approx(turn @ fit.angular_velocity, abs=1e-8)
    assert other.about == pytest.approx(turn @ fit.about + moved[:3, 3], abs=1e-8)
    assert other.position_residuals == pytest.approx(fit.position_residuals @ turn.T, abs=1e-9)
    sizes = np.sqrt(np.diag(other.covariance))
    expected = blocks(turn) @ fit.covariance @ blocks(turn).T
    assert other.covariance / np.outer(sizes, sizes) == pytest.approx(expected / np.outer(sizes, sizes), abs=1e-4)


@pytest.mark.parametrize("noise", [None, NOISE])
def test_another_clock_changes_the_rates_alone(rng, times, noise):
    poses = noisy(rng, times)
    fit, other = ss.fit_motion(poses, times, noise=noise), ss.fit_motion(poses, 1000.0 * times - 7.0, noise=noise)
    assert other.time == pytest.approx(1000.0 * fit.time - 7.0)
    assert other.pose == pytest.approx(fit.pose, abs=1e-12)
    assert 1000.0 * other.velocity == pytest.approx(fit.velocity, abs=1e-9)
    assert 1000.0 * other.rate == pytest.approx(fit.rate, abs=1e-9)
    assert 1000.0 * other.rate_std == pytest.approx(fit.rate_std, rel=1e-6)
    later = fit.time + 0.1
    assert other.point_covariance((1, 1, 1), 1000.0 * later - 7.0) == pytest.approx(
        fit.point_covariance((1, 1, 1), later), rel=1e-6
    )
    assert other.motion(100.0).at() == pytest.approx(fit.motion(0.1).at(), abs=1e-10)


def test_other_units_of_length_change_lengths_alone(rng, times):
    poses = noisy(rng, times)
    larger = poses.copy()
    larger[:, :3, 3] *= 1000.0
    fit, other = ss.fit_motion(poses, times), ss.fit_motion(larger, times)
    assert other.velocity == pytest.approx(1000.0 * fit.velocity, rel=1e-6, abs=1e-6)
    assert other.angular_velocity == pytest.approx(fit.angular_velocity, abs=1e-8)
    assert other.noise == pytest.approx(fit.noise * (1000.0, 1.0), rel=1e-3)


def test_backwards_is_the_same_motion(rng, times):
    poses = noisy(rng, times)
    fit, back = ss.fit_motion(poses, times, noise=NOISE), ss.fit_motion(poses[::-1], -times[::-1], noise=NOISE)
    assert back.angular_velocity == pytest.approx(-fit.angular_velocity, abs=1e-8)
    assert back.slide_rate == pytest.approx(fit.slide_rate, abs=1e-8)
    for time in (0.0, 0.1, 0.5):
        assert back.pose_at(-time) == pytest.approx(fit.pose_at(time), abs=1e-9)
        covariance = fit.point_covariance((1.0, 0.5, 0.2), time)
        assert back.point_covariance((1.0, 0.5, 0.2), -time) == pytest.approx(covariance, rel=1e-4, abs=1e-9)


def test_fitting_fitted_poses_changes_nothing(rng, times):
    fit = ss.fit_motion(noisy(rng, times), times, noise=NOISE)
    again = ss.fit_motion([fit.pose_at(time) for time in times], times, noise=NOISE)
    assert again.pose == pytest.approx(fit.pose, abs=1e-12)
    assert again.velocity == pytest.approx(fit.velocity, abs=1e-11)
    assert again.angular_velocity == pytest.approx(fit.angular_velocity, abs=1e-11)
    assert np.abs(again.position_residuals).max() < 1e-12
    assert np.abs(again.rotation_residuals).max() < 1e-12


def test_poses_at_times_are_those_of_the_motion(rng, times):
    fit = ss.fit_motion(noisy(rng, times), times)
    for ahead in (0.05, 0.3, 2.0):
        assert fit.pose_at(fit.time + ahead) == pytest.approx(fit.motion(ahead).at() @ fit.pose, abs=1e-11)


def errors_ahead(rng, count, noise, ahead=0.1, runs=150):
    """Errors of a predicted point, in its first coordinates, and their stated standard deviations."""
    point, found = np.array((0.6, 0.2, 0.1, 1.0)), []
    for _ in range(runs):
        times = 0.3 + np.arange(count) / 90.0
        fit = ss.fit_motion(noisy(rng, times), times, noise=noise)
        there = (fit.pose_at(fit.time + ahead) @ point)[:3]
        truth = (SWING.at(fit.time + ahead) @ BASE @ point)[:3]
        found.append((there - truth, fit.point_covariance(there, fit.time + ahead)))
    return np.array([each[0] for each in found]), np.array([each[1] for each in found])


@pytest.mark.slow
def test_more_poses_give_smaller_errors():
    sizes = []
    for count in (2, 4, 8, 16):
        off, _ = errors_ahead(np.random.default_rng(5), count, NOISE)
        sizes.append(np.sqrt((off**2).sum(axis=1).mean()))
    assert all(after < 0.8 * before for before, after in itertools.pairwise(sizes)), sizes


@pytest.mark.slow
def test_given_noise_gives_uncertainties_that_hold():
    """The squared error in units of the stated covariance has mean 3, with a standard error of sqrt(6 / runs)."""
    for count in (3, 6, 12):
        off, spread = errors_ahead(np.random.default_rng(count), count, NOISE)
        squares = np.einsum("ni,nij,nj->n", off, np.linalg.inv(spread), off)
        assert squares.mean() == pytest.approx(3.0, abs=4.0 * np.sqrt(6.0 / len(squares)))


@pytest.mark.slow
def test_estimated_noise_gives_uncertainties_that_hold():
    """Few poses estimate noise poorly: then squares scatter more, as Student's t does. One standard deviation holds two thirds."""
    for count, least in ((4, 0.55), (8, 0.6), (16, 0.6)):
        off, spread = errors_ahead(np.random.default_rng(count), count, None)
        along = off[:, 0] / np.sqrt(spread[:, 0, 0])
        assert least < (np.abs(along) < 1.0).mean() < 0.78
        assert (np.abs(along) < 2.0).mean() > 0.87


def shares(rng, motion, noise, runs=300):
    """Shares within one and two stated standard deviations, from four poses: of rate, slide and a component of the axis, and
    of components of the angular velocity."""
    times, found = np.linspace(0.0, 1.0, 4), []
    for _ in range(runs):
        poses = np.array([motion.at(time) @ BASE for time in times])
        for pose in poses:
            pose[:3, 3] += NOISE[0] * rng.normal(size=3)
            pose[:3, :3] = turned(NOISE[1] * rng.normal(size=3)) @ pose[:3, :3]
        fit = ss.fit_motion(poses, times, noise=noise)
        axis = np.array(motion.axis)
        side = np.cross(axis, (1.0, 0.0, 0.0))
        found.append(
            (
                (fit.rate - motion.angle) / fit.rate_std,
                (fit.slide_rate - motion.slide) / fit.slide_rate_std,
                side @ (fit.axis - axis) / np.sqrt(side @ fit.axis_covariance @ side),
                *(fit.angular_velocity - motion.angle * axis) / np.sqrt(np.diag(fit.covariance)[9:]),
            )
        )
    sizes = np.abs(found)
    return (sizes < 1.0).mean(axis=0), (sizes < 2.0).mean(axis=0)


@pytest.mark.slow
def test_four_poses_show_a_little_too_little_noise(rng):
    """The shares that the page states: 60 to 67 % and 88 to 93 %, give or take four standard errors of 300 runs."""
    one, two = shares(rng, ss.Screw((0.3, -0.2, 1.0), 3.0, slide=0.3, about=(0.5, 0.2, 0.0)), None)
    assert (one[:3] > 0.49).all()
    assert (one[:3] < 0.78).all()
    assert (two[:3] > 0.8).all()


@pytest.mark.slow
def test_a_rate_of_zero_is_not_of_first_order_but_its_components_are(rng):
    one, two = shares(rng, ss.Screw((0.0, 0.0, 1.0), 1e-9, slide=0.3), NOISE)
    assert 0.1 < one[0] < 0.3  # of a vector of three components: the share of its length
    assert 0.63 < two[0] < 0.84
    # Three components in each run.
    assert one[3:].mean() == pytest.approx(0.683, abs=4.0 * np.sqrt(0.683 * 0.317 / 900))
    assert two[3:].mean() == pytest.approx(0.954, abs=4.0 * np.sqrt(0.954 * 0.046 / 900))


def test_covariances_of_axis_rate_slide_and_place_are_those_of_the_unknowns(rng, times):
    """Difference quotients of each number along the covariance's own directions."""
    fit = ss.fit_motion(noisy(rng, times), times, noise=NOISE)
    values, vectors = np.linalg.eigh(fit.covariance)
    slopes = []
    for value, vector in zip(values, vectors.T, strict=True):
        sides = []
        for sign in (1.0, -1.0):
            change = 1e-6 * sign * vector
            pose = fit.pose.copy()
            pose[:3, 3] += change[:3]
            rates = fit.velocity + change[6:9], fit.angular_velocity + change[9:]
            size = np.linalg.norm(rates[1])
            axis = rates[1] / size
            about = pose[:3, 3] + np.cross(axis, rates[0]) / size
            sides.append(np.array((*axis, *about, size, axis @ rates[0])))
        slopes.append(np.sqrt(max(value, 0.0)) * (sides[0] - sides[1]) / 2e-6)
    covariance = np.array(slopes).T @ np.array(slopes)
    across = np.eye(3) - np.outer(fit.axis, fit.axis)
    assert fit.axis_covariance == pytest.approx(covariance[:3, :3], rel=1e-4, abs=1e-12)
    assert fit.about_covariance == pytest.approx(across @ covariance[3:6, 3:6] @ across, rel=1e-3, abs=1e-10)
    assert fit.rate_std == pytest.approx(np.sqrt(covariance[6, 6]), rel=1e-5)
    assert fit.slide_rate_std == pytest.approx(np.sqrt(covariance[7, 7]), rel=1e-5)
