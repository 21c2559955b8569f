"""fit_motion: noise-free motions are found to rounding, in every degenerate case; bad input is named; its motions can be used."""

import copy
import json
import math
import pickle

import numpy as np
import pytest
from scipy.spatial.transform import RigidTransform, Rotation

import sweepscope as ss
from sweepscope.errors import InvalidMotion, InvalidPose, InvalidQuery, InvalidType

NAN = float("nan")
START = ss.Pose.from_rotation_vector((1.0, 2.0, -0.5), (0.3, -0.2, 0.9))
MOTIONS = {
    "screw": ss.Screw((1, 2, 3), 2.0, slide=0.7, about=(0.3, -0.2, 0.5)),
    "rotation": ss.Rotate((0, 1, 0), -1.3, about=(4, 0, 1)),
    "spin": ss.Rotate((1, 1, 0), 2.5, about=(1, 2, -0.5)),
    "translation": ss.Translate((1, -2, 0.5)),
    "still": ss.Translate((0, 0, 0)),
    "hardly turning": ss.Screw((0, 1, 1), 1e-9, slide=3.0),
    "far axis": ss.Rotate((0, 0, 1), 1e-3, about=(1e3, 0, 0)),
}
"""In one unit of time."""


def path(motion, times):
    return np.array([motion.at(time) @ START for time in times])


@pytest.mark.parametrize("count", [2, 3, 4, 5, 30])
@pytest.mark.parametrize("noise", [None, (1e-3, 1e-2), (0.0, 0.0)])
@pytest.mark.parametrize("name", MOTIONS)
def test_a_motion_without_noise_is_found_to_rounding(rng, name, count, noise):
    motion = MOTIONS[name]
    times = np.r_[0.0, np.sort(rng.random(count - 2)), 1.0]
    fit = ss.fit_motion(path(motion, times), 5.0 + times, noise=noise)
    assert fit.time == 6.0
    assert fit.pose == pytest.approx(motion.at() @ START, abs=1e-12)
    assert fit.pose_at(5.0) == pytest.approx(START, abs=1e-12)
    assert np.abs(fit.position_residuals).max() < 1e-12
    assert np.abs(fit.rotation_residuals).max() < 1e-12
    ahead = motion.at() @ motion.at() @ START
    assert fit.motion(1.0).at() @ fit.pose == pytest.approx(ahead, abs=1e-11)
    if motion.turns and name not in ("hardly turning", "far axis"):
        screw = motion if motion.angle > 0.0 else ss.Screw(-np.array(motion.axis), -motion.angle, slide=0.0, about=motion.about)
        assert fit.rate == pytest.approx(screw.angle, abs=1e-12)
        assert fit.axis == pytest.approx(screw.axis, abs=1e-12)
        assert fit.slide_rate == pytest.approx(screw.slide, abs=1e-12)
        off = fit.about - screw.about
        assert off - (off @ fit.axis) * fit.axis == pytest.approx(np.zeros(3), abs=1e-12)
        assert (fit.about - fit.pose[:3, 3]) @ fit.axis == pytest.approx(0.0, abs=1e-12)
    if not motion.turns:
        assert fit.rate < 1e-14
        assert fit.velocity == pytest.approx(motion.vector, abs=1e-13)


def test_several_turns_are_counted():
    motion = ss.Screw((1, 0, 2), 20.0, slide=-1.0, about=(0.1, 0, 0))
    times = np.linspace(0.0, 1.0, 9)  # 143 degrees between poses
    fit = ss.fit_motion(path(motion, times), times)
    assert fit.rate == pytest.approx(20.0, abs=1e-12)
    assert fit.slide_rate == pytest.approx(-1.0, abs=1e-12)


@pytest.mark.parametrize("rate", [2.5, -2.5])
def test_poses_may_be_missing_where_the_body_turns_fast(rate):
    times = [0.0, 1.0, 2.0, 4.0, 5.0, 9.0]  # gaps of 143, 286 and 573 degrees
    fit = ss.fit_motion(spun(rate, times), times)
    assert fit.angular_velocity == pytest.approx((0, 0, rate), abs=1e-12)


def spun(rate, times):
    return np.array([ss.Rotate((0, 0, 1), rate * time, about=(1, 0, 0)).at() @ START for time in times])


def test_a_long_gap_is_not_predicted_from_a_short_one(rng):
    """Noise of a gap of a ten-thousandth would predict many turns in the others."""
    times = np.array([0.0, 1e-4, 1.0, 2.0])
    poses = spun(0.5, times)
    poses[1, :3, :3] = ss.Pose.from_rotation_vector((0, 0, 0), (0.01, 0.02, 0.03))[:3, :3] @ poses[1, :3, :3]
    assert ss.fit_motion(poses, times, noise=(0.001, 0.01)).rate == pytest.approx(0.5, abs=0.05)


def noisy_spun(rng, rate, times, noise):
    poses = spun(rate, times)
    for pose in poses:
        pose[:3, :3] = ss.Pose.from_rotation_vector((0, 0, 0), noise * rng.normal(size=3))[:3, :3] @ pose[:3, :3]
    return poses


def test_turns_in_a_long_gap_are_counted_by_the_rate_of_the_shorter_ones():
    times = [0, 1, 2, 3, 30, 31]
    assert ss.fit_motion(spun(1.7, times), times).angular_velocity == pytest.approx((0, 0, 1.7), abs=1e-12)
    assert ss.fit_motion(spun(-1.7, [0, 1, 30]), [0, 1, 30], noise=(0.01, 0.005)).rate == pytest.approx(1.7, abs=1e-12)


def test_a_long_gap_that_the_shorter_ones_contradict_is_an_error():
    for times, noise, turns in (
        ([0, 1, 30], None, "7.8"),  # one gap does not show how exact it is
        ([0, 1, 2, 3, 300], (0.01, 0.01), "80.4"),
        ([0, 1, 2, 3, 30], (0.01, 0.1), "7.3"),
    ):
        last = len(times) - 2
        message = (
            rf"poses\[{last}\] and poses\[{last + 1}\] are .* apart in time, .* about {turns} turns: how many is not clear"
        )
        with pytest.raises(InvalidQuery, match=message):
            ss.fit_motion(spun(1.7, times), times, noise=noise)


def test_a_whole_turn_between_two_poses_has_no_axis_of_its_own(rng):
    """What is left of a whole turn is noise, so its axis says nothing."""
    times, rate = [0, 1, 2, 5, 6], math.tau / 3.0
    for _ in range(20):
        fit = ss.fit_motion(noisy_spun(rng, rate, times, 0.01), times)
        assert fit.angular_velocity == pytest.approx((0, 0, rate), abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("given", [True, False])
def test_no_number_of_turns_is_wrong_without_an_error(rng, given):
    """Random gaps, from a unit to 60, at up to 2.8 radians in a unit: a rate is right, or the fit raises."""
    found = 0
    for _ in range(300):
        noise = 10.0 ** rng.uniform(-4, -2)
        gaps = np.r_[1.0, 1.0, np.where(rng.random(4) < 0.5, 1.0, rng.uniform(1.0, 60.0, 4))]
        times = np.r_[0.0, np.cumsum(rng.permutation(gaps))]
        rate = rng.uniform(-2.8, 2.8)
        try:
            fit = ss.fit_motion(noisy_spun(rng, rate, times, noise), times, noise=(0.001, noise) if given else None)
        except InvalidQuery as error:
            assert "how many is not clear" in str(error) or "other way round" in str(error)  # noqa: PT017
            continue
        found += 1
        assert fit.angular_velocity == pytest.approx((0, 0, rate), abs=8.0 * noise)
    assert found > 200


def test_a_turn_near_half_a_turn_is_ambiguous():
    times = np.arange(4.0)
    assert ss.fit_motion(spun(math.radians(169.0), times), times).rate == pytest.approx(math.radians(169.0))
    for degrees in (171.0, 180.0, 189.0):
        with pytest.raises(
            InvalidQuery,
            match=r"poses\[0\] and poses\[1\]: the turn between them, 1\d\d\.0 degrees, is 1\d\d\.0 degrees from the .* the other way round",
        ):
            ss.fit_motion(spun(math.radians(degrees), times), times)


def test_positions_alone_are_a_translation(rng):
    times = np.arange(5) / 90.0
    places = np.outer(times, (3.0, 0.0, 1.0)) + 0.001 * rng.normal(size=(5, 3))
    fit = ss.fit_motion(places, times)
    slope, start = np.polyfit(times, places, 1)
    assert fit.velocity == pytest.approx(slope)
    assert fit.pose[:3, 3] == pytest.approx(start + slope * times[-1])
    assert fit.rate == 0.0
    assert math.isnan(fit.rate_std)
    along = fit.velocity / fit.slide_rate
    assert fit.slide_rate == pytest.approx(np.linalg.norm(slope))
    assert fit.slide_rate_std == pytest.approx(math.sqrt(along @ fit.covariance[6:9, 6:9] @ along))
    assert fit.slide_rate_std == pytest.approx(fit.noise[0] / math.sqrt(((times - times.mean()) ** 2).sum()))
    assert np.isnan(fit.about).all()
    assert fit.noise[0] == pytest.approx(np.sqrt((fit.position_residuals**2).sum() / (15 - 6)))
    assert math.isnan(fit.noise[1])
    assert not np.isnan(fit.covariance).any()
    assert not fit.covariance[3:6].any()
    with pytest.raises(InvalidMotion, match=r"rotation: the body does not turn in 0\.5"):
        fit.rotation(0.5)


def test_few_poses_show_no_noise():
    times = np.arange(4.0)
    poses = path(MOTIONS["screw"], times / 4.0)
    for count, known in ((2, False), (3, False), (4, True)):
        fit = ss.fit_motion(poses[:count], times[:count])
        for value in (fit.covariance, fit.noise, fit.point_covariance((0, 0, 0), 9.0), fit.rate_std, fit.axis_covariance):
            assert np.isnan(value).any() != known
        std = fit.contact_time_std(9.0, point=(0, 0, 0), normal=(1, 0, 0))
        assert math.isnan(std) != known


def test_all_that_is_taken_as_poses():
    times = np.arange(4.0)
    poses = path(MOTIONS["screw"], times / 4.0)
    fit = ss.fit_motion(poses, times)
    for given in (
        list(poses),
        poses[:, :3],
        poses.tolist(),
        RigidTransform.from_matrix(poses),
        np.asfortranarray(poses),
    ):
        assert ss.fit_motion(given, list(times)).velocity == pytest.approx(fit.velocity, abs=1e-12)
    rotations = ss.fit_motion(Rotation.from_matrix(poses[:, :3, :3]), times)
    assert rotations.angular_velocity == pytest.approx(fit.angular_velocity)
    assert rotations.velocity == pytest.approx(np.zeros(3), abs=1e-12)


STILL = np.tile(np.eye(4), (3, 1, 1))


def changed(index, value):
    poses = STILL.copy()
    poses[index] = value
    return poses


BAD = {
    "one pose": (STILL[:1], [0.0], InvalidQuery, r"poses: got 1 pose; a fit needs at least 2"),
    "no poses": ([], [], InvalidQuery, r"poses: got 0 poses"),
    "not a list": (np.eye(4), [0.0], InvalidPose, r"got one pose or leading shape \(\)"),
    "two leading axes": (STILL[None], [0.0] * 3, InvalidPose, r"leading shape \(1, 3\)"),
    "None": (None, [0.0] * 3, InvalidType, "poses: expected poses of shape"),
    "NaN in a pose": (changed((1, 0, 3), NAN), [0, 1, 2], InvalidPose, r"poses\[1\]\[0, 3\] is nan"),
    "scaled": (changed((2, 0, 0), 2.0), [0, 1, 2], InvalidPose, r"poses\[2\]: its 3x3 part is not a rotation"),
    "mirrored": (changed((2, 0, 0), -1.0), [0, 1, 2], InvalidPose, r"poses\[2\]: its 3x3 part mirrors"),
    "too few times": (STILL, [0, 1], InvalidQuery, r"times: expected one for each of 3 poses, shape \(3,\), got \(2,\)"),
    "a single time": (STILL, 0.1, InvalidQuery, r"times: expected one for each of 3 poses"),
    "texts as times": (STILL, ["a", "b", "c"], InvalidType, "times: expected"),
    "NaN time": (STILL, [0, NAN, 2], InvalidQuery, r"times\[1\] is nan"),
    "equal times": (STILL, [0, 1, 1], InvalidQuery, r"times\[2\] is 1\.0, after 1\.0; times must increase"),
    "falling times": (STILL, [0, 2, 1], InvalidQuery, r"times\[2\] is 1\.0, after 2\.0"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_poses_and_times(case):
    poses, times, kind, message = BAD[case]
    with pytest.raises(kind, match=message):
        ss.fit_motion(poses, times)


@pytest.mark.parametrize(
    ("noise", "kind", "message"),
    [
        (0.1, InvalidQuery, r"noise: expected two numbers, of positions \[length\] and of rotations \[radians\], got \(\)"),
        ((0.1, 0.1, 0.1), InvalidQuery, r"got \(3,\)"),
        ((0.1, -1.0), InvalidQuery, r"noise\[1\] is -1\.0; it must be finite, not negative"),
        ((NAN, 1.0), InvalidQuery, r"noise\[0\] is nan"),
        ("ab", InvalidType, "noise: expected"),
    ],
)
def test_bad_noise(noise, kind, message):
    with pytest.raises(kind, match=message):
        ss.fit_motion(STILL, range(3), noise=noise)


def test_too_fast_is_an_error():
    with pytest.raises(InvalidQuery, match="times: 2 poses in 1e-300 move too fast"):
        ss.fit_motion([(0, 0, 0), (1, 0, 0)], [0.0, 1e-300])


def test_extreme_sizes_are_fitted(rng):
    for size in (1e-30, 1e-6, 1e6, 1e40):
        places = size * np.outer(np.arange(4.0), (1, 2, 3))
        assert ss.fit_motion(places, range(4)).velocity == pytest.approx(size * np.array((1, 2, 3)), rel=1e-9)
        poses = path(MOTIONS["screw"], np.arange(4) / 3)
        poses[:, :3, 3] *= size
        fit = ss.fit_motion(poses, range(4))
        assert fit.rate == pytest.approx(2.0 / 3.0, rel=1e-9)
        assert fit.slide_rate == pytest.approx(size * 0.7 / 3.0, rel=1e-9)


@pytest.fixture
def fit(rng):
    times = np.arange(6) / 90.0
    poses = path(MOTIONS["screw"], times)
    poses[:, :3, 3] += 0.001 * rng.normal(size=(6, 3))
    return ss.fit_motion(poses, times)


@pytest.mark.parametrize(
    ("ask", "kind", "message"),
    [
        (lambda fit: fit.motion(0.0), InvalidQuery, "duration is 0.0; accepted: a time above 0"),
        (lambda fit: fit.motion(-1.0), InvalidQuery, "duration is -1.0; accepted: a time above 0"),
        (lambda fit: fit.motion("long"), InvalidType, "duration: expected a number"),
        (lambda fit: fit.pose_at(NAN), InvalidQuery, "time is nan; it must be finite"),
        (lambda fit: fit.point_covariance((1, 2), 0.0), InvalidQuery, "point: expected three numbers"),
        (lambda fit: fit.contact_time_std(0.1, point=(0, 0, 0), normal=(0, 0, 0)), InvalidQuery, "normal is 0 0 0"),
        (
            lambda fit: fit.contact_time_std(0.1, point=(0, 0, 0), normal=(0, 0, 1), other=3),
            InvalidType,
            "expected a MotionFit",
        ),
    ],
)
def test_bad_questions_to_a_fit(fit, ask, kind, message):
    with pytest.raises(kind, match=message):
        ask(fit)


def test_a_fit_is_plain_data_and_does_not_change(fit):
    data = json.loads(json.dumps(fit.as_dict()))
    assert data["pose"] == fit.pose.tolist()
    assert np.shape(data["covariance"]) == (12, 12)
    for other in (copy.copy(fit), pickle.loads(pickle.dumps(fit))):
        assert other.as_dict() == fit.as_dict()
    with pytest.raises(AttributeError, match="cannot assign to field 'time'"):
        fit.time = 3.0
    for other in (fit, copy.deepcopy(fit), pickle.loads(pickle.dumps(fit))):
        for name, value in fit.as_dict().items():
            if name != "time":
                with pytest.raises(ValueError, match="read-only"):
                    getattr(other, name)[...] = 99.0
                assert getattr(other, name).tolist() == value
    assert repr(fit).startswith("<MotionFit: ")
    assert "from 6 poses" in repr(fit)


def test_given_arrays_are_copied():
    times, poses = np.arange(3.0), path(MOTIONS["screw"], np.arange(3) / 3)
    fit = ss.fit_motion(poses, times)
    before = fit.as_dict()
    poses[:], times[:] = 0.0, 0.0
    assert fit.as_dict() == before


def test_sweep_predict_and_swing_take_the_motion(rng):
    """A turning bat and a ball: three ways to the same time of contact, and its standard deviation by each."""
    swing = ss.Rotate((0, 0, 1), 20.0)
    times = np.arange(8) / 90.0
    poses = np.array([swing.at(time) @ ss.Pose.from_object((0.55, 0, 0)) for time in times])
    fit = ss.fit_motion(poses, times, noise=(0.001, 0.01))
    bat, scene = ss.Box((0.9, 0.07, 0.07)), ss.Scene()
    angle = math.radians(150.0)
    center = (0.8 * math.cos(angle), 0.8 * math.sin(angle), 0.0)
    body, ball = scene.add(bat, fit.pose), scene.add(ss.Sphere(0.037), center)
    hit = scene.sweep(body, fit.motion(0.3))
    (contact,) = scene.predict({body: fit.motion(1.0)}, horizon=0.3)
    assert contact.time == pytest.approx(0.3 * hit.time, abs=1e-9)
    turn = fit.rotation(0.3)
    swung = ss.fan.Swing(bat, fit.pose, axis=turn.axis, angle=turn.angle, about=turn.about)
    assert swung.sphere_times(center, 0.037) == pytest.approx(hit.time, abs=1e-9)
    # Exactly: at that time the bat's front is at the ball.
    assert 20.0 * (fit.time + contact.time) == pytest.approx(angle - math.asin((0.035 + 0.037) / 0.8), abs=1e-6)
    at = fit.time + contact.time
    std = fit.contact_time_std(at, point=hit.point, normal=hit.normal)
    assert std == pytest.approx(fit.contact_time_std(at, point=contact.point, normal=contact.normal), rel=1e-6)
    assert ball.name == hit.obstacle.name
    # The front face turns: the standard deviation is that of the place of its plane, over its speed.
    front = np.cross((0, 0, 1), hit.point) * 20.0
    assert std == pytest.approx(
        math.sqrt(hit.normal @ fit.point_covariance(hit.point, at) @ hit.normal) / abs(hit.normal @ front), rel=1e-3
    )
    # A ball that comes at the bat adds its own noise, and its speed.
    balls = ss.fit_motion(np.array(center) - np.outer(times - at, front), times, noise=(0.001, 0.0))
    both = fit.contact_time_std(at, point=hit.point, normal=hit.normal, other=balls)
    added = hit.normal @ (fit.point_covariance(hit.point, at) + balls.point_covariance(hit.point, at)) @ hit.normal
    assert both == pytest.approx(math.sqrt(added) / (2.0 * abs(hit.normal @ front)), rel=1e-6)


def test_the_time_of_contact_has_the_gradient_of_the_hit(rng):
    """The standard deviation through `Hit.gradient`: the pose at the start alone uncertain."""
    times = np.arange(8) / 90.0
    poses = path(ss.Screw((0, 0, 1), 12.0, slide=0.5, about=(0.5, 2, 0)), times)
    poses[:, :3, 3] += 0.001 * rng.normal(size=(8, 3))
    fit = ss.fit_motion(poses, times, noise=(0.001, 0.01))
    scene = ss.Scene()
    body = scene.add(ss.Sphere(0.05), fit.pose)
    scene.add(ss.Sphere(0.2), fit.pose_at(fit.time + 0.1)[:3, 3] + (0.05, 0.1, 0.03))
    hit = scene.sweep(body, fit.motion(0.2))
    gradient = 0.2 * hit.gradient().mover
    expected = math.sqrt(gradient @ fit.covariance[:6, :6] @ gradient)
    # A fit whose screw is exact: where the origin is elsewhere it has another velocity.
    effects = np.zeros((12, 6))
    effects[:6] = np.eye(6)
    effects[6:9, :3] = np.cross(fit.angular_velocity, np.eye(3)).T
    numbers = {name: getattr(fit, name) for name in fit.__dataclass_fields__}
    exact = ss.results.MotionFit(**{**numbers, "covariance": effects @ fit.covariance[:6, :6] @ effects.T})
    assert exact.contact_time_std(fit.time + 0.2 * hit.time, point=hit.point, normal=hit.normal) == pytest.approx(
        expected, rel=1e-6
    )


def test_a_graze_has_no_certain_time(fit):
    normal = np.cross(fit.velocity, (0.0, 0.0, 1.0))
    exact = ss.fit_motion([(0, 0, 0), (1, 0, 0)], [0, 1], noise=(0.1, 0.1))
    assert exact.contact_time_std(1.0, point=(1, 0, 0), normal=(0, 1, 0)) == math.inf
    assert fit.contact_time_std(fit.time, point=fit.pose[:3, 3], normal=normal) > 1.0
