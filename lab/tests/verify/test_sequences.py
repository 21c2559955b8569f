"""The short version of `sweepscope verify sequences`."""

import pytest
from sweepscope_lab.reference.sequence_cases import KINDS
from sweepscope_lab.verify.sequences import (
    QUESTIONS,
    RATE,
    STEPS,
    SWEEPS,
    TIES,
    judge_sequence,
    tally_questions,
    tally_steps,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def verdicts():
    return [judge_sequence(seed) for seed in range(12)]


def test_a_scene_is_what_it_holds(verdicts):
    assert [(verdict.seed, *each) for verdict in verdicts for each in verdict.differences] == []


def test_the_questions_prove_something(verdicts):
    rows = {row.question: row for row in tally_questions(verdicts)}
    assert list(rows) == list(QUESTIONS)
    asked, hits, ties = (sum(getattr(rows[name], what) for name in SWEEPS) for what in ("cases", "hits", "ties"))
    assert RATE[0] <= hits / asked <= RATE[1]
    assert TIES[0] <= ties / asked <= TIES[1]


def test_all_kinds_of_steps_occur(verdicts):
    rows = tally_steps(verdicts)
    assert [row.step for row in rows] == list(KINDS)
    assert min(row.count for row in rows) > 0
    assert sum(row.count for row in rows) == len(verdicts) * STEPS
