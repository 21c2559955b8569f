"""Turns and screws against a proof by planes; the proof against closed forms, static tests and answers that are wrong."""

import math

import numpy as np
import pytest
from sweepscope_lab.reference.brute_force import face_distance
from sweepscope_lab.reference.contact_about_axis import Path, encloses, first_contact, first_step, gap_at
from sweepscope_lab.reference.nearest import nearest, winding
from sweepscope_lab.reference.turn_cases import SCREWS, TURNS, make, meshes, no_angle, question_of
from sweepscope_lab.verify.turns import Answer, answer, judge_turn

import sweepscope as ss

# Least share of hits, so that a kind cannot go empty without being noticed.
HIT_SHARE = {"two_arms": 0.15, "ring_round": 0.1}
CASES = 16


@pytest.mark.slow
@pytest.mark.parametrize("kind", TURNS + SCREWS, ids=lambda kind: kind.__name__)
def test_kind(kind):
    verdicts = [judge_turn(make(kind, seed)) for seed in range(CASES)]
    bad = [(v.case.seed, *v.wrong, v.time, v.gap) for v in verdicts if v.wrong]
    assert not bad
    assert sum(v.time is not None for v in verdicts) / CASES >= HIT_SHARE.get(kind.__name__, 0.25)
    assert sum(v.graze for v in verdicts) / CASES <= 0.25


# The proof itself.


def _pose(*place):
    pose = np.eye(4)
    pose[:3, 3] = place
    return pose


def test_a_ball_turns_into_a_ball():
    motion = ss.Rotate((0, 0, 1), 2.0)
    question = question_of(ss.Sphere(0.4), _pose(3, 0, 0), ss.Sphere(0.6), _pose(0, 3, 0), motion)
    found = first_contact(question)
    assert found.contact
    assert found.time * 2.0 == pytest.approx(0.5 * math.pi - 2.0 * math.asin(1.0 / 6.0), abs=1e-10)


def test_a_corner_turns_into_a_wall():
    """The corner (4, 0.1) is at height 3 where asin(3 / r) = angle + atan(0.1 / 4)."""
    question = question_of(ss.Box((8, 0.2, 0.2)), np.eye(4), ss.Box((9, 1, 9)), _pose(0, 3.5, 0), ss.Rotate((0, 0, 1), math.pi))
    found = first_contact(question)
    true = math.asin(3.0 / math.hypot(4.0, 0.1)) - math.atan2(0.1, 4.0)
    assert found.contact
    assert found.time * math.pi == pytest.approx(true, abs=1e-10)
    assert found.time * math.pi <= true


@pytest.mark.parametrize("gap", [1e-3, 1e-6, 1e-9, 0.0, -1e-9, -1e-6, -1e-3])
def test_balls_that_pass_closely(gap):
    question = question_of(ss.Sphere(0.4), _pose(3, 0, 0), ss.Sphere(0.6), _pose(0, 3, 1 + gap), ss.Rotate((0, 0, 1), 2.0))
    found = first_contact(question)
    assert found.contact is (gap < 0.0)
    assert found.undecided == 0
    assert (found.grazes > 0) == (gap == 0.0)


def test_a_thread_meets_its_wall():
    """A screw's slide is what counts for a flat obstacle square to it."""
    motion = ss.Screw((0, 0, 1), -20.0, slide=5.0, about=(0.3, 0.2, 0.0))
    question = question_of(ss.Box((1, 1, 1)), np.eye(4), ss.Box((20, 20, 1)), _pose(0, 0, 4), motion)
    assert first_contact(question).time * 5.0 == pytest.approx(3.0, abs=1e-9)


def test_distances_and_directions(rng):
    a, b = rng.normal(size=(2, 4000, 3, 3))
    b += rng.normal(size=(4000, 1, 3))
    a[:500, 2], b[200:700, 2] = a[:500, 1], b[200:700, 1]
    a[:100, 1:], b[650:700, 1:] = a[:100, :1], b[650:700, :1]
    distance, way, crossing = nearest(a.transpose(1, 2, 0), b.transpose(1, 2, 0))
    np.testing.assert_allclose(distance, face_distance(a, b), atol=1e-12)
    room = np.einsum("kij,jk->ki", b, way).min(axis=1) - np.einsum("kij,jk->ki", a, way).max(axis=1)
    np.testing.assert_allclose(room[~crossing], distance[~crossing], atol=1e-9)
    assert 0.05 < crossing.mean() < 0.5


def test_inside():
    ball = ss.Mesh.sphere(1.0, rows=9, sections=8)
    points = np.array(((0.0, 0.0, 0.0), (0.7, 0.1, 0.2), (2.0, 0.0, 0.0), (0.0, 0.0, -1.5)))
    np.testing.assert_allclose(winding(points, ball.vertices[ball.faces]), (1, 1, 0, 0), atol=1e-12)
    inside = question_of(ss.Sphere(0.1), _pose(0.2, 0, 0), ss.Box((1, 1, 1)), np.eye(4), ss.Rotate((0, 0, 1), 1.0))
    assert encloses(inside)


@pytest.mark.parametrize("kind", SCREWS + TURNS[:4], ids=lambda kind: kind.__name__)
def test_its_motion_is_that_of_at(kind, rng):
    """Worked out from axis, angle, slide and about on the one side, by `at` on the other."""
    for seed in range(20):
        case = make(kind, seed)
        points = rng.normal(size=(3, 5))
        size = np.abs(points).max() + case.question.path.fastest(case.question.mover)
        for share in (0.0, 0.3, 1.0):
            mine = Path.of(case.motion, np.zeros(3)).carry(points, share)
            pose = case.motion.at(share)
            # A far axis costs `at` digits that grow with its distance: the matrix has to hold it.
            far = np.finfo(float).eps * np.abs(case.motion.about).max() * min(abs(case.motion.angle), 1.0)
            np.testing.assert_allclose(mine, pose[:3, :3] @ points + pose[:3, 3:], atol=1e-13 * size + 16.0 * far)


@pytest.mark.slow
def test_it_agrees_with_small_steps():
    met = 0
    for seed in range(12):
        case = make(meshes, seed)
        found = first_contact(case.question)
        end = 1.0 if not found.contact else found.time + 2e-3
        walked = first_step(case.question, 1000, end)
        if found.contact and found.time > 0.0:
            met += 1
            assert found.time <= walked
            assert walked <= found.time + 2e-3 or walked == np.inf
        elif not found.contact:
            assert walked == np.inf
    assert met >= 4


@pytest.mark.slow
def test_straight_sweeps_pass_the_same_proof():
    """Translations are answered by kernels that exact arithmetic has proved: the proof by planes has to agree with it."""
    judged = hits = 0
    for seed in range(120):
        case = make(no_angle, seed)
        if case.motion.angle != 0.0:
            continue
        verdict = judge_turn(case, lambda case: answer(case, ss.Translate(case.motion.slide * np.array(case.motion.axis))))
        assert not set(verdict.wrong) - {"unequal"}, (seed, verdict)
        judged += 1
        hits += verdict.time is not None
    assert judged >= 40
    assert hits >= 15


def _truth(case):
    found = first_contact(case.question)
    start = gap_at(case.question, 0.0)
    if encloses(case.question) or start.crossing or start.room < -1e-8 * case.question.size:
        return Answer(0.0, True)
    return Answer(found.time, False) if found.contact else None


@pytest.mark.slow
def test_wrong_answers_are_found():
    """A judge that passes everything would be of no use."""
    free = hits = 0
    for seed in range(24):
        case = make(meshes, seed)
        true = _truth(case)
        assert not judge_turn(case, _truth).wrong
        if true is None:
            free += 1
            assert "early" in judge_turn(case, lambda case: Answer(0.5, False)).wrong
            assert "flag" in judge_turn(case, lambda case: Answer(0.0, True)).wrong
        elif true.overlapping:
            assert "missed" in judge_turn(case, lambda case: None).wrong
            assert "flag" in judge_turn(case, lambda case: Answer(0.0, False)).wrong
        elif true.time > 0.0:
            hits += 1
            fast = case.question.size / case.question.path.fastest(case.question.mover)
            later, sooner = (min(1.0, true.time + 1e-4 * fast), max(0.0, true.time - 1e-3 * fast))
            assert "missed" in judge_turn(case, lambda case: None).wrong
            assert "late" in judge_turn(case, lambda case, later=later: Answer(later, False)).wrong
            assert "early" in judge_turn(case, lambda case, sooner=sooner: Answer(sooner, False)).wrong
    assert free >= 3
    assert hits >= 6
