"""A tracked bat and a tracked ball: where they are going, when they meet, and how sure that is."""

import math

import numpy as np

import sweepscope as ss

rng = np.random.default_rng(4)
NOISE = (0.001, math.radians(0.5))  # of each coordinate of a position [m] and of a rotation [radians]

# The truth: a bat turns about the batter, 15 radians per second, and rises a little; a ball comes at 30 m/s.
grip = np.array((0.55, 0.0, 1.0))
rate, rise = 15.0, 0.4
ball_start, ball_velocity = np.array((-0.95, -5.96, 1.08)), np.array((1.0, 30.0, 0.0))


def bat_pose(time: float) -> np.ndarray:
    """Return the true pose of the bat."""
    return ss.Screw((0, 0, 1), rate * time, slide=rise * time).at() @ ss.Pose.from_object(grip)


def seen(pose: np.ndarray) -> np.ndarray:
    """Return a pose as the tracker sees it."""
    off = ss.Pose.from_rotation_vector((0, 0, 0), NOISE[1] * rng.normal(size=3))
    noisy = pose.copy()
    noisy[:3, :3] = off[:3, :3] @ pose[:3, :3]
    noisy[:3, 3] += NOISE[0] * rng.normal(size=3)
    return noisy


def sweep_until_contact(bat: np.ndarray, ball: np.ndarray, motions: tuple[ss.Motion, ss.Motion]) -> ss.PairContact:
    """Return the contact of a bat and a ball that make motions in one second."""
    scene = ss.Scene()
    first = scene.add(ss.Box((0.9, 0.07, 0.07)), bat, name="bat")
    second = scene.add(ss.Sphere(0.037), ball, name="ball")
    (contact,) = scene.predict({first: motions[0], second: motions[1]}, horizon=0.3)
    return contact


for count in (4, 7, 13):
    # The last frames of the tracker, 90 per second. One of them was lost.
    times = np.delete(np.arange(1 - count, 1), 1) / 90.0 + 0.1
    bat = ss.fit_motion([seen(bat_pose(time)) for time in times], times, noise=NOISE)
    places = ball_start + np.outer(times, ball_velocity) + NOISE[0] * rng.normal(size=(len(times), 3))
    ball = ss.fit_motion(places, times, noise=(NOISE[0], 0.0))  # positions alone: a translation

    contact = sweep_until_contact(bat.pose, ball.pose, (bat.motion(1.0), ball.motion(1.0)))
    when = bat.time + contact.time
    std = bat.contact_time_std(when, point=contact.point, normal=contact.normal, other=ball)
    truth = sweep_until_contact(
        bat_pose(bat.time),
        ss.Pose.from_object(ball_start + bat.time * ball_velocity),
        (ss.Screw((0, 0, 1), rate, slide=rise), ss.Translate(ball_velocity)),
    )
    print(f"{len(times)} poses: the bat turns at {bat.rate:.2f} +- {bat.rate_std:.2f} radians per second")
    print(f"  contact in {1e3 * contact.time:.2f} +- {1e3 * std:.2f} ms, truly in {1e3 * truth.time:.2f} ms")

# Where will the tip of the bat be? An ellipsoid, twice its standard deviations long each way.
tip = bat.pose_at(when) @ (0.45, 0.0, 0.0, 1.0)
sizes = np.sqrt(np.linalg.eigvalsh(bat.point_covariance(tip[:3], when)))
print(f"tip at contact: {tip[:3].round(3)}, standard deviations {(1e3 * sizes).round(1)} mm")

# A Swing takes the rotation without its slide: all points of a cloud at once.
turn = bat.rotation(0.2)
swing = ss.fan.Swing(ss.Box((0.9, 0.07, 0.07)), bat.pose, axis=turn.axis, angle=turn.angle, about=turn.about)
points = rng.uniform((-1, -1, 0.9), (1, 1, 1.1), (10_000, 3))
print(f"{np.sum(swing.contains(points))} of {len(points)} points are in its way in the next 0.2 s")
print(f"the slide that is left out: {1e3 * 0.2 * bat.slide_rate:.0f} mm")
