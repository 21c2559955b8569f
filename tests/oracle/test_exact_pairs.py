"""Against rational arithmetic: none missed, none late, error under 1e-9 of the size. `sweepscope verify` does 10,000."""

import pytest
from sweepscope_lab.reference.translate_cases import KINDS, make
from sweepscope_lab.verify.sweeps import judge

# Least share of hits, so that a kind cannot go empty without being noticed.
HIT_SHARE = {"touching_end": 0.05, "still": 0.1}
CASES = 24


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_kind(kind):
    verdicts = [judge(make(kind, seed)) for seed in range(CASES)]
    bad = [(seed, v) for seed, v in enumerate(verdicts) if not v.fine]
    assert not bad, f"seeds {[seed for seed, _ in bad]}: {bad[0][1]}"
    share = sum(v.true_time is not None for v in verdicts) / CASES
    assert share >= HIT_SHARE.get(kind.__name__, 0.25)
