"""`sweepscope verify motions` without pinocchio: another robot's static tests stand for it."""

import math

import numpy as np
import pytest
from sweepscope_lab.scenes.arm import arm_among_balls
from sweepscope_lab.scenes.urdf_robots import body_pairs
from sweepscope_lab.verify.motions import FREE, RATE, MotionAnswer, Motions, MotionTally, wording

STEP = math.radians(1.0)


class Peer:
    """A copy of the robot, asked at one configuration after the other."""

    def __init__(self, robot):
        self.robot = robot
        self.obstacles = [body for body in robot.scene.bodies if robot.link_of(body) is None]

    def pairs(self):
        return body_pairs(self.robot, self.obstacles)

    def hits(self, q):
        return np.array([self._overlaps(each) for each in q])

    def _overlaps(self, q):
        self.robot.q = q
        return self.robot.sweep({}) is not None

    def first_hit(self, start, end, steps, until=1.0):
        shares = np.arange(steps + 1) / steps
        shares = shares[shares <= until]
        found = self.hits(start + shares[:, None] * (end - start))
        return float(shares[found.argmax()]) if found.any() else math.nan

    def distance(self, q):
        self.robot.q = q
        scene = self.robot.scene
        return min((scene.distance(scene[a], scene[b]).distance, frozenset((a, b))) for a, b in self.pairs())

    def distance_of(self, q, one, other):
        self.robot.q = q
        scene = self.robot.scene
        return scene.distance(scene[one], scene[other]).distance


@pytest.fixture
def motions():
    return Motions(arm_among_balls(20, columns=6), Peer(arm_among_balls(20, columns=6)))


@pytest.fixture
def swept(motions):
    """A motion that hits, and its answer."""
    rng = np.random.default_rng(3)
    while True:
        start, end = (q for q in motions.random(rng, 2))
        if motions.theirs.hits(start[None])[0]:
            continue
        motions.robot.q = start
        hit = motions.robot.sweep(end)
        if hit is not None and 0.1 < hit.time < 0.8:
            return start, end, MotionAnswer(hit.time, hit.bound, frozenset((hit.mover.name, hit.obstacle.name)))


def test_a_true_answer_is_right(motions, swept):
    verdict = motions.judge("far", *swept, False, STEP)
    assert verdict.wrong == ()
    assert verdict.gap == 0.0
    assert math.isnan(verdict.first)


def test_wrong_answers_are_found(motions, swept):
    start, end, answer = swept
    steps = math.ceil(float(motions.width(end - start)) / STEP)
    first = motions.theirs.first_hit(start, end, steps)
    assert first >= answer.time

    def wrong(time=answer.time, pair=answer.pair, proved=False, free=False):
        given = FREE if free else MotionAnswer(time, answer.bound, pair)
        return motions.judge("far", start, end, given, proved, STEP).wrong

    assert wrong() == ()
    assert wrong(free=True) == ("missed",)
    assert "late" in wrong(time=first + 2.0 / steps)
    assert "named a pair that is apart" in wrong(time=0.9 * answer.time)
    assert "missed by edges" in wrong(proved=True)
    assert "missed by edges" in wrong(proved=True, free=True)
    assert wrong(pair=frozenset(("arm/base", "arm/link 1"))) == ("named a pair that may not meet",)
    assert "time" in wrong(time=-0.1)


def test_a_wrong_case_is_worded_with_all_that_repeats_it(motions, swept):
    verdict = motions.judge("far", swept[0], swept[1], FREE, False, STEP)
    text = wording(verdict)
    assert text.startswith("arm, far: missed; answered free")
    assert str(swept[1].tolist()) in text
    tally = MotionTally("arm")
    tally.add(verdict)
    tally.add(motions.judge("far", *swept, False, STEP))
    assert (tally.cases, tally.hits, tally.missed, tally.late, tally.wrong) == (2, 1, 1, 0, 1)
    assert 0.0 < tally.worst_bound < 1e-3


def test_bisection_ends_close_to_contact(motions):
    rng = np.random.default_rng(0)
    free, hits = motions.free_and_not(rng, 10)
    count = min(len(free), len(hits))
    close, others = motions.close_to_contact(free[:count], hits[:count])
    assert not motions.theirs.hits(close).any()
    assert motions.theirs.hits(others).all()
    assert motions.width(others - close).max() <= math.radians(2.0)


@pytest.mark.slow
def test_random_motions_are_within_limits_and_hit_often_enough(motions):
    kinds, starts, ends = motions.cases(np.random.default_rng(1), 60)
    low, high = motions.limits.T
    assert ((low <= ends) & (ends <= high)).all()
    assert not motions.theirs.hits(starts).any()
    assert (motions.width(ends - starts) > 0.0).all()
    assert kinds.count("near") > 30
    verdicts = [
        motions.judge(kind, a, b, answer, False, STEP)
        for kind, a, b, answer in zip(kinds, starts, ends, motions.answers(starts, ends), strict=True)
    ]
    assert not any(verdict.wrong for verdict in verdicts)
    rate = np.mean([not math.isnan(verdict.answer.time) for verdict in verdicts])
    assert RATE[0] <= rate <= RATE[1]
