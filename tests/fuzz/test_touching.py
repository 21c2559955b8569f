"""The short version of `sweepscope verify touching`: bodies that touch at the start, and how their motions begin."""

import pytest
from sweepscope_lab.verify.touching import QUESTIONS, judge_touching
from sweepscope_lab.verify.touching_verdicts import tally_touching

CASES = {"lattice": 420, "lattice_turns": 280, "tips": 280, "gaps": 200}


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS)
def test_bodies_that_touch(question):
    verdicts = [judge_touching(question, seed) for seed in range(CASES[question])]
    total, *kinds = tally_touching(verdicts)
    assert total.touching == total.cases
    assert total.parts > 0.25 * total.cases
    assert total.presses > 0.4 * total.cases
    assert total.skipped < 0.05 * total.cases
    assert all(row.parts >= 5 and row.presses >= 5 for row in kinds), kinds
    wrong = [verdict for verdict in verdicts if verdict.wrong]
    assert not wrong, f"{len(wrong)} wrong:\n" + "\n".join(
        f"{v.kind}, seed {v.seed}, {v.wrong}: {v.summary}" for v in wrong[:10]
    )
