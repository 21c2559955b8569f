"""Sweeps of joints against static checks after 10,000 steps; the checks against closed forms and against checking every step."""

import math
from dataclasses import replace

import numpy as np
import pytest
from sweepscope_lab.reference.brute_force import face_distance
from sweepscope_lab.reference.nearest import soup_distance
from sweepscope_lab.reference.robot_cases import make
from sweepscope_lab.reference.robots import (
    STEPS,
    JointSpec,
    LinkPiece,
    RobotQuestion,
    contact_time,
    first_contact,
    placed,
    poses,
    room_at,
    speed,
    static_check,
    values_at,
)
from sweepscope_lab.verify.robots import ask, build, judge, tally_robots, wording

import sweepscope as ss

CASES = 15


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 2 * CASES, CASES))
@pytest.mark.parametrize("question", ["joint", "several"])
def test_cases(question, first):
    verdicts = [judge(make(question, seed)) for seed in range(first, first + CASES)]
    assert [wording(verdict) for verdict in verdicts if verdict.wrong] == []
    row = tally_robots(question, verdicts)
    assert 0.25 <= row.hits / row.cases <= 0.85
    assert row.own >= 1
    assert row.grazes <= 1


# The twin itself.


Z = np.array((0.0, 0.0, 1.0))


def _at(*place):
    pose = np.eye(4)
    pose[:3, 3] = place
    return pose


def _ball(link, radius, *place):
    return LinkPiece(link, np.tile(place, (1, 3, 1)).astype(float), radius, False)


ROOT = JointSpec(-1, "fixed", Z, np.eye(4))
ARM = (ROOT, JointSpec(0, "revolute", Z, np.eye(4)), JointSpec(1, "revolute", Z, _at(2, 0, 0)))


def test_a_ball_on_an_arm_meets_a_ball():
    pieces = _ball(1, 0.4, 3, 0, 0), _ball(-1, 0.6, 0, 3, 0)
    question = RobotQuestion(ARM[:2], np.zeros(2), np.array((0.0, 2.0)), pieces, ((0, 1),), 0.0)
    true = (0.5 * math.pi - 2.0 * math.asin(1.0 / 6.0)) / 2.0
    walk, found = static_check(question), first_contact(question)
    assert walk.step == math.ceil(true * STEPS)
    assert found.time == pytest.approx(true, abs=1e-10)
    assert found.time <= true
    assert found.step == walk.step
    assert not found.overlapping


def test_two_joints_undo_each_other():
    """The second link keeps its direction: its ball goes round on a circle that is shifted."""
    pieces = _ball(2, 0.1, 0, 5, 0), _ball(-1, 0.1, 0, 7, 0)
    question = RobotQuestion(ARM, np.zeros(3), np.array((0.0, 1.9, -1.9)), pieces, ((0, 1),), 0.0)
    # Its center is at (2 cos a, 5 + 2 sin a): from the other's by 2 sqrt(2 - 2 sin a), which is to be 0.2.
    assert first_contact(question).time * 1.9 == pytest.approx(math.asin(1.0 - 0.1**2 / 2.0), abs=1e-9)


def test_a_slide_on_a_turn():
    links = (ROOT, JointSpec(0, "revolute", Z, np.eye(4)), JointSpec(1, "prismatic", np.array((1.0, 0.0, 0.0)), np.eye(4)))
    pieces = (
        _ball(2, 0.0, 0, 0, 0),
        LinkPiece(-1, np.array([((-9.0, 1.0, -9.0), (9.0, 1.0, -9.0), (0.0, 1.0, 9.0))]), 0.0, False),
    )
    question = RobotQuestion(links, np.zeros(3), np.array((0.0, 1.0, 2.0)), pieces, ((0, 1),), 0.0)
    found = first_contact(question).time
    assert 2.0 * found * math.sin(found) == pytest.approx(1.0, abs=1e-9)


def test_a_contact_between_two_steps_is_found():
    """A point goes through a sheet: no static check sees it."""
    pieces = (
        _ball(1, 0.0, 3, 0, 0),
        LinkPiece(-1, np.array([((1.0, 2.0, -1.0), (3.0, 1.0, -1.0), (2.0, 1.5, 4.0))]), 0.0, False),
    )
    question = RobotQuestion(ARM[:2], np.zeros(2), np.array((0.0, 1.0)), pieces, ((0, 1),), 0.0)
    walk, found = static_check(question), first_contact(question)
    assert walk.step is None
    assert len(walk.doubtful) >= 1
    assert found.step is None
    x, y = 3.0 * math.cos(found.time), 3.0 * math.sin(found.time)
    assert x + 2.0 * y == pytest.approx(5.0, abs=1e-9)


def test_inside_counts_at_the_start():
    box = ss.Mesh.box((4, 4, 4))
    pieces = _ball(1, 0.1, 0.5, 0, 0), LinkPiece(-1, box.vertices[box.faces], 0.0, True)
    question = RobotQuestion(ARM[:2], np.zeros(2), np.array((0.0, 1.0)), pieces, ((0, 1),), 0.0)
    assert first_contact(question).overlapping
    assert first_contact(replace(question, pieces=(pieces[0], pieces[1]._replace(solid=False)))) is None


@pytest.mark.slow
def test_leaving_steps_out_changes_nothing():
    """The same as all steps, one by one, by another distance."""
    met, steps = 0, 30
    for seed in range(40):
        question = make(("joint", "several")[seed % 2], seed).to_question()
        if not 0 < sum(len(question.pieces[a].faces) * len(question.pieces[b].faces) for a, b in question.pairs) < 300:
            continue
        walk = static_check(question, steps)
        first = None
        for step in range(1, steps + 1):
            where = poses(question.links, values_at(question, step / steps))
            for a, b in question.pairs:
                one, two = placed(question, a, where), placed(question, b, where)
                i, j = (x.ravel() for x in np.indices((len(one), len(two))))
                thick = question.pieces[a].radius + question.pieces[b].radius + question.margin
                if first is None and face_distance(one[i], two[j]).min() <= thick:
                    first = step
            if first is not None:
                break
        if walk.step != 0:
            assert walk.step == first, seed
            met += first is not None
    assert met >= 4


@pytest.mark.slow
def test_nothing_moves_faster_than_told(rng):
    """What pairs of pieces are skipped by: their distance changes no faster."""
    for seed in range(10):
        question = make("several", seed).to_question()
        for pair in range(len(question.pairs)):
            first, last = sorted(rng.uniform(0.0, 1.0, 2))
            here, there = (
                soup_distance(
                    *(placed(question, k, poses(question.links, values_at(question, t))) for k in question.pairs[pair])
                )[0]
                for t in (first, last)
            )
            assert abs(there - here) <= speed(question, pair) * (last - first) * (1.0 + 1e-9) + 1e-12


def test_halving_finds_the_first_of_two_contacts():
    pieces = _ball(1, 0.1, 3, 0, 0), LinkPiece(-1, np.array([((0.0, 3.0, 0.0),) * 3, ((2.0, 2.2, 0.0),) * 3]), 0.1, False)
    question = RobotQuestion(ARM[:2], np.zeros(2), np.array((0.0, 3.0)), pieces, ((0, 1),), 0.0)
    found = contact_time(question, 0, 0.0, 1.0)
    assert room_at(question, 0, found)[0] == pytest.approx(0.0, abs=1e-9)
    assert found * 3.0 < math.atan2(2.2, 2.0)


# A judge that passes everything would be of no use.


def test_wrong_answers_are_found():
    hits = free = 0
    for seed in range(24):
        case = make("joint", seed)
        robot, _ = build(case)
        hit = ask(case, robot)
        if hit is None:
            free += 1
            continue
        if hit.time < 1e-2:
            continue
        hits += 1
        joint = next(iter(hit.positions))
        start, change = robot[joint], (hit.positions[joint] - robot[joint]) / hit.time

        def told(time, hit=hit, joint=joint, start=start, change=change):
            return replace(hit, time=time, positions={joint: start + time * change})

        assert judge(case, lambda case, robot: None).wrong
        sooner, later = told(0.97 * hit.time), told(min(1.0, hit.time + 3e-4))
        assert "early" in judge(case, lambda case, robot, sooner=sooner: sooner).wrong
        if later.time > hit.time + 2e-4:
            assert "late" in judge(case, lambda case, robot, later=later: later).wrong
        other = replace(hit, positions={joint: hit.positions[joint] + 1e-3})
        assert "values" in judge(case, lambda case, robot, other=other: other).wrong
    assert hits >= 6
    assert free >= 6
