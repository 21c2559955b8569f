"""A short run of the fuzzer: every kind of file, spoiled, in a watched process."""

import pytest
from sweepscope_lab.verify.fuzz import KINDS
from sweepscope_lab.verify.fuzz_case import run_case


@pytest.mark.slow
def test_spoiled_files_are_read_rightly_or_refused(tmp_path):
    loaded = 0
    for seed in range(60):
        for kind in KINDS:
            folder = tmp_path / f"{kind} {seed}"
            folder.mkdir()
            outcome = run_case(kind, seed, folder)
            assert not outcome["fault"], (kind, seed, outcome["fault"])
            loaded += outcome["loaded"]
    assert 20 < loaded < 300
