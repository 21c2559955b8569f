"""The exact swept box against a slow twin that shares no code with it, against `Scene.sweep`, and against what is known."""

import math

import numpy as np
import pytest
from sweepscope_lab.reference.swing import Rods, SwungBox, gaps, nearest
from sweepscope_lab.reference.swing_cases import KINDS, THINGS, make
from sweepscope_lab.verify.swings import ask, judge_swing, swing_of, verify_against_sweeps, verify_swing

from sweepscope import Box, Capsule, Rotate, Scene
from sweepscope.errors import InvalidMotion, InvalidPose, InvalidQuery, InvalidType
from sweepscope.fan import Swing


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_nothing_is_late_early_or_missed(kind):
    hits = asked = 0
    for thing in THINGS:
        for seed in range(3):
            case = make(kind, thing, 500, seed)
            times = ask(swing_of(case.box), case)
            if times is None:
                continue
            judged = judge_swing(case.box, case.rods, times)
            bad = judged.early | judged.late | judged.undecided
            assert not bad.any(), f"{thing}, seed {seed}, {np.flatnonzero(bad)[:5]}"
            assert judged.gap.max() < 1e-12
            hits += int((~np.isnan(times)).sum())
            asked += len(times)
    assert asked >= 3000
    assert 0.2 * asked < hits < 0.8 * asked


@pytest.mark.slow
def test_tallies():
    tallies = list(verify_swing(1000, seed=77))
    assert [tally.thing for tally in tallies] == list(THINGS)
    for tally in tallies:
        assert tally.cases == 1000
        assert tally.wrong == 0
        assert tally.hits > 250
        assert tally.grazes < 50


@pytest.mark.slow
def test_sweeps_agree():
    for tally in verify_against_sweeps(250, seed=4):
        assert tally.wrong == 0, tally
        assert tally.equal >= 0.95 * tally.cases, tally
        assert tally.hits > 50


def _dense(box, rods, steps):
    """First of many small steps at which there is contact, as a share of the turn; NaN if at none."""
    found = np.full(len(rods), np.nan)
    for k in range(steps, -1, -1):
        touching = gaps(box, rods, np.full(len(rods), k / steps * abs(box.angle))) <= 0.0
        found[touching] = k / steps
    return found


@pytest.mark.slow
def test_dense_steps_agree(rng):
    """The twin's walk is not trusted here: only distances are."""
    steps = 500
    for upright in (True, False):
        turn = np.eye(3) if upright else Rotate(rng.normal(size=3), 1.0).at()[:3, :3]
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = turn, (1.0, 0.3, 0.1)
        box = SwungBox(np.array((0.6, 0.2, 0.3)), pose, np.array((0.0, 0.0, 1.0)), 2.5, np.array((0.1, 0.0, 0.0)))
        places = rng.uniform(-2.0, 2.0, (2000, 3)) * (1.0, 1.0, 0.5)
        radii = rng.uniform(0.05, 0.5, 2000)
        times = swing_of(box).sphere_times(places, radii)
        stepped = _dense(box, Rods(places, places, radii), steps)
        seen = ~np.isnan(stepped)
        assert 300 < seen.sum() < 1900
        assert (times[seen] <= stepped[seen]).all()
        # What lasts less than a step may be stepped over; what is seen may not begin a step earlier than it does.
        long = seen & (stepped - times > 1.001 / steps)
        assert long.sum() < 0.02 * seen.sum()


def test_nearest_point_of_a_segment(rng):
    half = np.array((0.5, 0.3, 0.2))
    p0, p1 = rng.normal(size=(2, 500, 3))
    p1[:100] = p0[:100] + (1.0, 0.0, 0.0)
    share = nearest(half, p0, p1)

    def distance(t):
        places = p0 + t[:, None] * (p1 - p0)
        return np.linalg.norm(places - np.clip(places, -half, half), axis=1)

    best = np.min([distance(np.full(500, t)) for t in np.linspace(0.0, 1.0, 501)], axis=0)
    assert (distance(share) <= best + 1e-12).all()
    assert 20 < (best == 0.0).sum() < 480


BAT = (Box((2.0, 0.5, 1.0)), (2.0, 0.0, 0.0), (0.0, 0.0, 1.0))


def test_what_is_known():
    swing = Swing(*BAT[:2], axis=BAT[2], angle=math.pi)
    # The bat reaches from 1 to 3; its front side, 0.25 ahead, meets a point at 2 when asin(0.25 / 2) is left.
    assert swing.times((0.0, 2.0, 0.0)) == pytest.approx((math.pi / 2 - math.asin(0.125)) / math.pi, abs=1e-14)
    assert swing.times((2.0, 0.0, 0.0)) == 0.0
    assert swing.times((2.0, 0.25, 0.5)) == 0.0  # on an edge
    assert math.isnan(swing.times((0.0, 2.0, 0.51)))
    assert math.isnan(swing.times((0.0, 0.9, 0.0)))
    assert math.isnan(swing.times((0.0, -2.0, 0.0)))
    # A corner's circle goes on beyond the sides.
    assert swing.contains((0.0, math.hypot(3.0, 0.25), 0.0)) is True
    assert swing.contains((0.0, math.hypot(3.0, 0.25) + 1e-9, 0.0)) is False
    # A ball on the way, and one that touches from above: its middle counts.
    assert swing.sphere_times((0.0, 2.0, 0.0), 0.25) == pytest.approx((math.pi / 2 - math.asin(0.25)) / math.pi, abs=1e-14)
    assert swing.sphere_times((0.0, 2.0, 0.8), 0.3) == pytest.approx(swing.times((0.0, 2.0, 0.0)), abs=1e-6)
    assert math.isnan(swing.sphere_times((0.0, 2.0, 0.8), 0.3 - 1e-9))
    # A rod across the way is met by its side, before its ends.
    level = swing.capsule_times((-1.0, 3.1, 0.0), (1.0, 3.1, 0.0), 0.2)
    assert level == pytest.approx((math.asin(2.9 / math.hypot(3.0, 0.25)) - math.atan2(0.25, 3.0)) / math.pi, abs=1e-13)
    assert swing.capsule_times((0.0, 2.0, 5.0), (0.0, 2.0, 0.75), 0.25) == pytest.approx(swing.times((0.0, 2.0, 0.0)), abs=1e-6)


def test_back_and_round_and_round(rng):
    points = rng.uniform(-3.5, 3.5, (2000, 3)) * (1.0, 1.0, 0.2)
    there, back = (
        Swing(*BAT[:2], axis=BAT[2], angle=2.0).times(points),
        Swing(*BAT[:2], axis=BAT[2], angle=-2.0).times(points * (1.0, -1.0, 1.0)),
    )
    np.testing.assert_allclose(there, back, atol=1e-14)
    once, often = (
        Swing(*BAT[:2], axis=BAT[2], angle=2.0 * math.pi).times(points),
        Swing(*BAT[:2], axis=BAT[2], angle=20.0 * math.pi).times(points),
    )
    np.testing.assert_allclose(once, 10.0 * often, atol=1e-13)
    assert 0.3 < np.isnan(once).mean() < 0.9
    # What an hour's turn sweeps is swept in two halves.
    halves = Swing(*BAT[:2], axis=BAT[2], angle=1.0).contains(points) | Swing(
        BAT[0], Rotate((0, 0, 1), 1.0).at() @ Swing(*BAT[:2], axis=BAT[2], angle=1.0).pose, axis=BAT[2], angle=1.0
    ).contains(points)
    np.testing.assert_array_equal(halves, Swing(*BAT[:2], axis=BAT[2], angle=2.0).contains(points))
    still = Swing(*BAT[:2], axis=BAT[2], angle=0.0).times(points)
    assert set(np.unique(still[~np.isnan(still)])) == {0.0}


def test_spheres_in_nearly_the_same_pose(rng):
    """Closed form and certain steps meet where the one ends and the other begins."""
    centers, radii = rng.uniform(-3.5, 3.5, (2000, 3)) * (1.0, 1.0, 0.4), rng.uniform(0.0, 1.0, 2000)
    swing = Swing(*BAT[:2], axis=BAT[2], angle=4.0)
    pose = Rotate((1.0, 0.0, 0.0), 1e-9).at()
    pose[:3, 3] = BAT[1]
    leaning = Swing(BAT[0], pose, axis=BAT[2], angle=4.0)
    assert swing.upright
    assert not leaning.upright
    a, b = swing.sphere_times(centers, radii), leaning.sphere_times(centers, radii)
    same = np.abs(a - b) < 1e-7
    assert (same | (np.isnan(a) & np.isnan(b))).mean() > 0.999
    assert same.sum() > 600


def test_one_and_many():
    swing = Swing(*BAT[:2], axis=BAT[2], angle=1.0)
    assert isinstance(swing.times((2.0, 0.0, 0.0)), float)
    assert isinstance(swing.contains([2.0, 0.0, 0.0]), bool)
    assert swing.times(np.zeros((0, 3))).shape == (0,)
    assert swing.times([(2, 0, 0)]).tolist() == [0.0]
    assert swing.hits_spheres((0.0, -2.5, 0.0), (0.1, 3.0)).tolist() == [False, True]
    assert swing.hits_spheres([(2.0, 0.0, 0.0), (9.0, 0.0, 0.0)], 0.5).tolist() == [True, False]
    assert swing.hits_capsules((2.0, 0.0, -1.0), [(2.0, 0.0, 1.0), (2.0, 0.0, -1.0)], 0.0).tolist() == [True, False]
    assert swing.hits_capsules((2.0, 0.0, -1.0), (2.0, 0.0, 1.0), 0.0) is True
    assert repr(swing) == "<Swing: box 2 x 0.5 x 1, 57.2958 degrees about (0.0, 0.0, 1.0)>"
    assert swing.motion == Rotate((0.0, 0.0, 1.0), 1.0)


def test_what_has_no_closed_form_is_left_to_the_sweep():
    swing = Swing(*BAT[:2], axis=BAT[2], angle=1.0)
    with pytest.raises(InvalidQuery, match=r"capsule 1 leans 45 degrees.*Scene\.sweep"):
        swing.capsule_times(np.zeros((2, 3)), [(0.0, 0.0, 1.0), (0.0, 1.0, 1.0)], 0.1)
    pose = Rotate((1.0, 0.0, 0.0), 0.3).at()
    with pytest.raises(InvalidQuery, match=r"no edge of the box.*Scene\.sweep"):
        Swing(BAT[0], pose, axis=BAT[2], angle=1.0).capsule_times((0, 0, 0), (0, 0, 1), 0.1)
    scene = Scene()
    body = scene.add(swing.box, swing.pose)
    scene.add(Capsule.from_segment((1.0, 1.2, -0.5), (1.2, 2.0, 0.9), radius=0.1))
    assert scene.sweep(body, swing.motion) is not None


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("box", (0, 0, 0), (0, 0, 1), 1.0), InvalidType, "Swing.box: expected a Box"),
        ((BAT[0], (0, 0), (0, 0, 1), 1.0), InvalidPose, "Swing.pose: expected shape"),
        ((BAT[0], np.diag((2.0, 1.0, 1.0, 1.0)), (0, 0, 1), 1.0), InvalidPose, "not a rotation"),
        ((BAT[0], (0, 0, 0), (0, 0, 0), 1.0), InvalidMotion, "Swing.axis is 0 0 0"),
        ((BAT[0], (0, 0, 0), (0, 0, 1), math.nan), InvalidMotion, "Swing.angle is nan"),
        ((BAT[0], (0, 0, 0), (0, 0, 1), "1"), InvalidType, "Swing.angle: expected a number"),
        ((BAT[0], (0, 0, 0), (0, 0, 1), 1.0, (0, math.inf, 0)), InvalidMotion, r"Swing.about\[1\] is inf"),
    ],
)
def test_bad_swings(arguments, error, message):
    with pytest.raises(error, match=message):
        Swing(*arguments[:2], **dict(zip(("axis", "angle", "about"), arguments[2:], strict=False)))


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda s: s.times((0.0, 1.0)), r"points: expected shape \(3,\) or \(n, 3\), got \(2,\)"),
        (lambda s: s.times(np.zeros((2, 2))), r"points: expected shape \(3,\) or \(n, 3\), got \(2, 2\)"),
        (lambda s: s.times([(0.0, 0.0, 0.0), (0.0, math.nan, 0.0)]), r"points\[1, 1\] is nan"),
        (lambda s: s.times((0.0, math.nan, 0.0)), r"points\[1\] is nan"),
        (lambda s: s.times("here"), "points: expected an array"),
        (lambda s: s.contains(None), "points: expected an array"),
        (lambda s: s.sphere_times(np.zeros((3, 3)), (1.0, -1.0, 1.0)), r"radii\[1\] is -1.0; it must be finite, not negative"),
        (lambda s: s.sphere_times(np.zeros((3, 3)), (1.0, 1.0, math.nan)), r"radii\[2\] is nan"),
        (lambda s: s.sphere_times(np.zeros((3, 3)), (1.0, 1.0)), "radii: expected one number, or 3, got shape"),
        (lambda s: s.sphere_times((0.0, 0.0, 0.0), -1.0), "radii is -1.0"),
        (lambda s: s.sphere_times((0.0, 0.0, 0.0), ((1.0,),)), r"radii: expected one number, or 1, got shape \(1, 1\)"),
        (lambda s: s.sphere_times((0.0, 0.0, 0.0), True), "radii: expected one number"),
        (lambda s: s.capsule_times(np.zeros((3, 3)), np.zeros((2, 3)), 1.0), "p1: got 2 for 3 p0; give one for each"),
        (lambda s: s.hits_capsules((0.0, 0.0, 0.0), (0.0, 0.0, math.inf), 1.0), r"p1\[2\] is inf"),
    ],
)
def test_bad_questions(ask, message):
    with pytest.raises((InvalidQuery, InvalidType), match=message):
        ask(Swing(*BAT[:2], axis=BAT[2], angle=1.0))


def test_far_and_large_and_small(rng):
    """Shares do not depend on the unit of length, nor on where the origin is."""
    points, radii = rng.uniform(-3.5, 3.5, (500, 3)), rng.uniform(0.0, 0.5, 500)
    plain = Swing(*BAT[:2], axis=BAT[2], angle=3.0).sphere_times(points, radii)
    for scale in (1e-40, 1e-3, 1e40):
        swing = Swing(Box(scale * np.array((2.0, 0.5, 1.0))), scale * np.array(BAT[1]), axis=BAT[2], angle=3.0)
        np.testing.assert_allclose(swing.sphere_times(scale * points, scale * radii), plain, atol=1e-12)
    away = np.array((1000.0, -2000.0, 500.0))
    swing = Swing(BAT[0], BAT[1] + away, axis=BAT[2], angle=3.0, about=away)
    near = swing.sphere_times(points + away, radii)
    assert ((np.abs(near - plain) < 1e-9) | (np.isnan(near) & np.isnan(plain))).mean() > 0.99
