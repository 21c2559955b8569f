"""The benchmark of plans without its peers: files of results, the table, the order of samples."""

import json
import math

import pytest
from sweepscope_lab.bench.plans import METHODS, _in_turns, _shares, read_lines, summary


def result(seconds, hit=None, dense=None):
    found = {
        "seconds": seconds,
        "solved": True,
        "simplify seconds": 0.5,
        "length": 2.0,
        "hit": hit,
        "dense hit": dense,
        "seen": dense is not None,
    }
    return {**found, "raw length": 3.0}


def test_a_file_of_results_goes_on(tmp_path):
    """A line that was cut off when the run ended is planned again."""
    path = tmp_path / "plans.jsonl"
    assert read_lines(path) == []
    lines = [{"set": "box", "problem": k} for k in (1, 2)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"set": "bo', "utf-8")
    assert read_lines(path) == lines
    assert read_lines(path) == lines
    assert path.read_text("utf-8").endswith("}\n")


def test_the_table():
    unsolved = {"seconds": 10.0, "solved": False}
    lines = [
        {"set": "box", "problem": 1, "certain": result(1.0), "1 degree": result(2.0), "1 %": result(0.1, 1.5, 1.6)},
        {"set": "box", "problem": 2, "certain": result(3.0), "1 degree": unsolved, "1 %": result(0.3)},
        {"set": "box", "problem": 3, "free": "the goal is in contact"},
    ]
    rows = {row["method"]: row for row in summary(lines)}
    assert tuple(rows) == METHODS
    assert [rows[name]["problems"] for name in METHODS] == [2, 2, 2]
    assert [rows[name]["solved"] for name in METHODS] == [2, 1, 2]
    assert [rows[name]["in contact by robot.path"] for name in METHODS] == [0, 0, 1]
    assert [rows[name]["in contact at 0.02 degrees"] for name in METHODS] == [0, 0, 1]
    assert [rows[name]["contact seen by pinocchio"] for name in METHODS] == [0, 0, 1]
    assert rows["certain"]["median s"] == 2.0
    assert rows["1 degree"]["mean s"] == 6.0
    assert rows["certain"]["mean s with simplification"] == 2.5
    assert math.isnan(summary([])[0]["median s"])


@pytest.mark.parametrize("steps", [1, 2, 3, 10, 57])
def test_samples_come_once_the_end_first(steps):
    shares = _shares(steps)
    assert shares[0] == 1.0
    assert sorted(shares) == [k / steps for k in range(1, steps + 1)]
    assert steps < 3 or abs(shares[1] - 0.5) < 1.0 / steps


def test_sets_take_turns():
    problems = [{"set": name} for name in ("box", "box", "box", "cage", "cage")]
    assert [k for k, _ in _in_turns(problems)] == [0, 3, 1, 4, 2]
