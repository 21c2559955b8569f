"""Balls in a room: energy and containment are kept, with both instruments."""

import json
import math
import signal

import numpy as np
import pytest
from sweepscope_lab.cli import bounce as cli
from sweepscope_lab.simulate.bounce import INSTRUMENTS, Bounce, BounceSettings, run

from sweepscope import Translate
from sweepscope.errors import InvalidQuery

ROOM = 16.0
SMALLEST_WAY = 0.95
ROUNDING = 1e-12


def mirrored(place, velocity, seconds, reach):
    """Where a point is that bounces about in a box of half widths `reach`, and how often it met a wall."""
    gone = place + velocity * seconds + reach
    laps = np.floor(gone / (2.0 * reach))
    folded = gone - 2.0 * reach * laps
    return np.where(laps % 2 == 0, folded, 2.0 * reach - folded) - reach, int(np.abs(laps).sum())


@pytest.mark.slow
@pytest.mark.parametrize("instrument", INSTRUMENTS)
@pytest.mark.parametrize("settings", [{}, {"moving": 20}, {"moving": 50, "pixels": 20, "seed": 7}])
def test_energy_and_containment_are_kept(instrument, settings):
    summary = run(150, BounceSettings(instrument=instrument, **settings))
    assert summary.frames == 150
    assert summary.walls > 20
    assert summary.hits > 20
    assert summary.energy_drift < 1e-9
    assert summary.deepest < ROUNDING
    assert summary.farthest_out < ROUNDING
    assert summary.least_way > SMALLEST_WAY
    assert summary.probes_per_frame < 1.2 * settings.get("moving", 50)


@pytest.mark.slow
@pytest.mark.parametrize("instrument", INSTRUMENTS)
def test_no_two_balls_overlap_by_the_exact_sweep(instrument):
    bounce = Bounce(BounceSettings(instrument=instrument))
    for frame in range(60):
        bounce.step()
        if frame % 15 == 14:
            for ball in bounce.balls:
                hit = bounce.scene.sweep(
                    ball, Translate((0.0, 0.0, 0.0)), ignore=set(bounce.scene) - {*bounce.balls, bounce.room}
                )
                assert hit is None or not hit.overlapping


@pytest.mark.slow
@pytest.mark.parametrize("instrument", INSTRUMENTS)
def test_the_same_settings_give_the_same_run(instrument):
    first, second = Bounce(BounceSettings(instrument=instrument)), Bounce(BounceSettings(instrument=instrument))
    other = Bounce(BounceSettings(instrument=instrument, seed=1))
    for bounce in (first, second, other):
        for _ in range(40):
            bounce.step()
    np.testing.assert_array_equal(first.places, second.places)
    np.testing.assert_array_equal(first.velocities, second.velocities)
    assert not np.array_equal(first.places, other.places)


@pytest.mark.slow
@pytest.mark.parametrize("instrument", INSTRUMENTS)
def test_what_does_not_move_stays(instrument):
    bounce = Bounce(BounceSettings(moving=10, instrument=instrument))
    places = bounce.places
    for _ in range(200):
        bounce.step()
    np.testing.assert_array_equal(bounce.places[10:], places[10:])
    assert not bounce.velocities[10:].any()
    assert np.abs(bounce.places[:10] - places[:10]).max() > 1.0
    for body, place in zip(bounce.balls, bounce.places, strict=True):
        np.testing.assert_array_equal(body.pose[:3, 3], place)


@pytest.mark.slow
def test_one_ball_alone_goes_as_mirrors_say():
    for seed in range(5):
        bounce = Bounce(BounceSettings(balls=1, moving=1, instrument="sweep", seed=seed))
        place, velocity = bounce.places[0], bounce.velocities[0]
        reach = ROOM / 2.0 - bounce.balls[0].shape.vertices.max(axis=0)
        for _ in range(600):
            bounce.step()
        expected, walls = mirrored(place, velocity, 10.0, reach)
        np.testing.assert_allclose(bounce.places[0], expected, atol=1e-9)
        assert bounce.summary().walls == walls


@pytest.mark.slow
def test_one_ball_alone_with_a_radar_turns_round_within_two_pixels_of_the_wall():
    walls = 0
    for seed in range(5):
        bounce = Bounce(BounceSettings(balls=1, moving=1, seed=seed, pixels=50))
        velocity = bounce.velocities[0]
        reach = ROOM / 2.0 - bounce.balls[0].shape.vertices.max(axis=0)
        for _ in range(600):
            before, place = bounce.velocities[0], bounce.places[0]
            bounce.step()
            turned = bounce.velocities[0] * before < 0.0
            np.testing.assert_allclose(np.abs(bounce.velocities[0]), np.abs(velocity), rtol=1e-12)
            farthest = np.maximum(np.abs(place), np.abs(bounce.places[0])) + np.abs(velocity) / 60.0
            assert (farthest > reach - 2.0 * 2.0 / 50)[turned].all()
        walls += bounce.summary().walls
        assert bounce.summary().way == pytest.approx(1.0)
    assert walls > 10


@pytest.mark.slow
@pytest.mark.parametrize("instrument", INSTRUMENTS)
def test_a_ball_that_crosses_the_room_many_times_a_frame_never_tunnels(instrument):
    settings = BounceSettings(moving=1, instrument=instrument, speed=6000.0)
    bounce = Bounce(settings)
    assert math.hypot(*bounce.velocities[0]) * settings.dt > 3.0 * ROOM
    for _ in range(20):
        bounce.step()
    summary = bounce.summary()
    assert summary.walls + summary.hits > 100
    assert summary.energy_drift < 1e-9
    assert summary.deepest < ROUNDING
    assert summary.farthest_out < ROUNDING


@pytest.mark.slow
@pytest.mark.parametrize("instrument", INSTRUMENTS)
def test_long_steps_of_all_balls_keep_them_apart(instrument):
    summary = run(6, BounceSettings(instrument=instrument, dt=1.0))
    assert summary.hits > 100
    assert summary.deepest < ROUNDING
    assert summary.farthest_out < ROUNDING
    assert summary.energy_drift < 1e-9


def test_a_shell_that_pokes_through_a_wall_is_moved_back():
    bounce = Bounce(BounceSettings(balls=1, moving=1, pixels=20))
    reach = ROOM / 2.0 - 1.0
    # Leaves the wall at a grazing angle, from so near that the shell sticks out and sees the wall from behind.
    bounce._places[0] = (0.0, 0.0, reach - 0.01)
    bounce.balls[0].pose = bounce._shells[0].pose = bounce._places[0]
    bounce._velocities[0] = (6.0, 0.3, -0.5)
    for _ in range(20):
        bounce.step()
    assert bounce.velocities[0].tolist() == [6.0, 0.3, -0.5]
    assert bounce.summary().walls == 0
    # Its own way, and the half pixel by which it was moved back.
    assert bounce.places[0, 2] == pytest.approx(reach - 0.01 - 0.5 * 20.0 / 60.0 - 0.05)


def test_the_measure_sees_overlap_and_escape():
    bounce = Bounce(BounceSettings(balls=2, moving=1, instrument="sweep"))
    bounce._places[:] = ((0.0, 0.0, 0.0), (0.0, 0.0, 6.0))
    bounce._move(0, (0.0, 0.0, 12.0), 1.0)  # as if nothing were in the way
    bounce._measure()
    summary = bounce.summary()
    assert summary.deepest == pytest.approx(2.0 * 0.9254, abs=0.1)
    assert summary.farthest_out == pytest.approx(5.0)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"moving": 51}, "moving is 51; accepted: a whole number from 1 to 50"),
        ({"moving": 0}, "moving is 0"),
        ({"moving": 3, "balls": 2}, "from 1 to 2"),
        ({"instrument": "eye"}, "accepted: 'radar', 'sweep'"),
        ({"pixels": 0}, "pixels is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 0.5}, "seed is 0.5"),
        ({"dt": 0.0}, "dt is 0"),
        ({"speed": math.inf}, "speed is inf"),
    ],
)
def test_wrong_settings_are_named(wrong, says):
    with pytest.raises(InvalidQuery, match=says):
        BounceSettings(**wrong)


@pytest.mark.parametrize("frames", [0, -1, 1.5, True, None])
def test_wrong_frames_are_named(frames):
    with pytest.raises(InvalidQuery, match="frames is"):
        run(frames)


def test_command_prints_a_table_and_json(capsys):
    assert cli.run_bounce(3, 4, "sweep", 50, 0, False) == 0
    shown = capsys.readouterr().out
    assert "contacts with walls" in shown
    assert "in radii" in shown
    assert cli.run_bounce(3, 4, "radar", 20, 1, True) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["settings"]["pixels"] == 20
    assert answer["summary"]["frames"] == 3


def test_command_refuses_no_frames():
    with pytest.raises(InvalidQuery, match="frames is 0"):
        cli.run_bounce(0, 4, "sweep", 50, 0, False)


def test_interrupting_the_command_tells_what_was_measured(capsys, monkeypatch):
    before = signal.getsignal(signal.SIGINT)
    step = Bounce.step

    def interrupted(self):
        if self.summary().frames == 3:
            signal.raise_signal(signal.SIGINT)
        step(self)

    monkeypatch.setattr(Bounce, "step", interrupted)
    assert cli.run_bounce(100, 4, "sweep", 50, 0, True) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["summary"]["frames"] == 4
    assert "stopped after 4 of 100 frames" in err
    assert signal.getsignal(signal.SIGINT) is before
