"""A character walks by sweeps: it is never inside anything, and never held where a smaller one is free."""

import pytest
from sweepscope_lab.simulate.walk_worlds import BODIES, WORLDS
from sweepscope_lab.verify.walk import judge_walk, names_of, tally_walks


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(len(BODIES) * len(WORLDS)), ids=lambda seed: ", ".join(names_of(seed)))
def test_a_body_walks(seed):
    run = judge_walk(seed, 1000)
    assert (run.tunnelled, run.frozen, run.held) == ([], [], [])
    assert run.frames == 1000
    assert run.hits > 200
    assert run.slides > 200
    assert run.turns > 20
    assert run.checks >= 15
    assert run.unclear <= 2


def test_runs_are_counted_by_body_and_world():
    (row,) = tally_walks([judge_walk(2, 40), judge_walk(22, 60)])
    assert (row.body, row.world, row.frames) == ("capsule", "terrain", 100)
