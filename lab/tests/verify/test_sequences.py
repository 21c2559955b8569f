"""The short version of `sweepscope verify sequences`."""

import pytest
from sweepscope_lab.reference.sequence_cases import KINDS, Sequence
from sweepscope_lab.verify.sequences import (
    QUESTIONS,
    RATE,
    STEPS,
    SWEEPS,
    TIES,
    judge_sequence,
    rebuilt,
    tally_questions,
    tally_steps,
)

import sweepscope as ss


@pytest.fixture(scope="module")
def verdicts():
    return [judge_sequence(seed) for seed in range(12)]


def test_a_scene_is_what_it_holds(verdicts):
    found = [(verdict.seed, *each) for verdict in verdicts for each in verdict.differences if not each.by_rows]
    assert found == []


@pytest.mark.xfail(reason="kernels walk bodies in the order of rows, which are used again", strict=True)
def test_rows_do_not_decide_between_equal_contacts(verdicts):
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


def test_the_same_rows():
    """Rows of removed bodies are used again: a scene built anew can have them too."""
    sequence = Sequence(5)
    for _ in range(60):
        sequence.step()
    names = list(sequence.model.bodies)
    scene = rebuilt(sequence, names, same_rows=True)
    first, second = (ss.scene.store_of(each).names for each in (sequence.scene, scene))
    assert (
        [first[name].row for name in names] == [second[name].row for name in names] != sorted(first[name].row for name in names)
    )
    assert [body.name for body in scene] == names
