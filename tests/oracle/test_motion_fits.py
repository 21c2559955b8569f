"""fit_motion against a slow twin: matrix exponentials, difference quotients, damped steps."""

import numpy as np
import pytest
from scipy.optimize import least_squares
from sweepscope_lab.reference.screw_fit import fit_screw

import sweepscope as ss

NOISE = (0.002, 0.02)


def tracked(rng, count):
    """Noisy poses of a random screw at random times."""
    times = np.cumsum(rng.uniform(0.005, 0.02, count))
    screw = ss.Screw(rng.normal(size=3), rng.uniform(0.2, 15.0), slide=rng.normal(), about=rng.normal(size=3))
    start = ss.Pose.from_rotation_vector(rng.normal(size=3), rng.normal(size=3))
    poses = np.array([screw.at(each) @ start for each in times])
    for pose in poses:
        pose[:3, 3] += NOISE[0] * rng.normal(size=3)
        pose[:3, :3] = ss.Pose.from_rotation_vector((0, 0, 0), NOISE[1] * rng.normal(size=3))[:3, :3] @ pose[:3, :3]
    return poses, times


@pytest.mark.slow
def test_the_least_squares_are_those_of_the_slow_twin(rng):
    for count in (2, 3, 5, 9):
        for _ in range(3):
            poses, times = tracked(rng, count)
            fit = ss.fit_motion(poses, times, noise=NOISE)
            guess = (poses[-1, :3, 3] - poses[-2, :3, 3]) / (times[-1] - times[-2]), np.zeros(3)
            slow = fit_screw(poses, times, NOISE, guess)
            off = np.concatenate((fit.position_residuals / NOISE[0], fit.rotation_residuals / NOISE[1]))
            assert (off**2).sum() == pytest.approx(slow.cost, rel=1e-9, abs=1e-12)
            assert fit.pose == pytest.approx(slow.pose, abs=1e-7)
            assert fit.velocity == pytest.approx(slow.velocity, abs=1e-5)
            assert fit.angular_velocity == pytest.approx(slow.angular_velocity, abs=1e-5)
            # Derivatives of rotation residuals are taken as if these were small.
            spread = np.sqrt(np.diag(slow.covariance))
            assert fit.covariance / np.outer(spread, spread) == pytest.approx(
                slow.covariance / np.outer(spread, spread), abs=0.05
            )


@pytest.mark.slow
def test_scipy_finds_no_smaller_sum_of_squares(rng):
    poses, times = tracked(rng, 8)
    fit = ss.fit_motion(poses, times, noise=NOISE)

    def residuals(change):
        twist = np.concatenate((fit.velocity + change[6:9], fit.angular_velocity + change[9:]))
        off = []
        for measured, time in zip(poses, times - times[-1], strict=True):
            turn = ss.Pose.from_rotation_vector((0, 0, 0), change[3:6])[:3, :3] @ fit.pose[:3, :3]
            vector = time * twist[3:]
            # The way of the origin, summed up in small steps of time.
            steps = (np.arange(400) + 0.5) / 400 * time
            ways = [ss.Pose.from_rotation_vector((0, 0, 0), step * twist[3:])[:3, :3] @ twist[:3] for step in steps]
            place = fit.pose[:3, 3] + change[:3] + time * np.mean(ways, axis=0)
            there = ss.Pose.from_rotation_vector((0, 0, 0), vector)[:3, :3] @ turn
            between = ss.Screw.between(
                ss.Pose.from_rotation((0, 0, 0), there), ss.Pose.from_rotation((0, 0, 0), measured[:3, :3])
            )
            off += [(measured[:3, 3] - place) / NOISE[0], between.angle * np.array(between.axis) / NOISE[1]]
        return np.concatenate(off)

    zero = np.zeros(12)
    best = least_squares(residuals, zero, x_scale=np.sqrt(np.diag(fit.covariance)), max_nfev=4)
    assert best.cost == pytest.approx(0.5 * (residuals(zero) ** 2).sum(), rel=1e-6)
    assert np.abs(best.x / np.sqrt(np.diag(fit.covariance))).max() < 1e-3
