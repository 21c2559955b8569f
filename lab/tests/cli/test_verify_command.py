"""`sweepscope verify`, `fuzz` and `bench`: one line of JSON on the output; tables that fit a screen of 80 columns."""

import json

import pytest
from rich.console import Console
from sweepscope_lab.bench.rows import Row
from sweepscope_lab.cli.bench import table_of_times
from sweepscope_lab.cli.fuzz import run_fuzz
from sweepscope_lab.cli.report import Report
from sweepscope_lab.cli.verify import PROOFS, run_verify
from sweepscope_lab.verify.partings import PartingTally

CASES = {
    "fans": (32, "spheres"),
    "volumes": (2, "shared"),
    "robots": (1, "joint"),
    "touching": (2, "tips"),
    "contact": (2, "normals"),
    "walk": (20, None),
}


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


def answer(capsys):
    """The one line of the output, read, and the text on the error stream."""
    said = capsys.readouterr()
    assert said.out.count("\n") == 1
    return json.loads(said.out), said.err


@pytest.mark.slow
@pytest.mark.parametrize("proof", PROOFS)
def test_proofs_print_counts_as_json_and_tables_that_fit(proof, capsys):
    cases, question = CASES.get(proof, (2, None))
    code = run_verify(proof, cases, 3, question, None, True)
    said, shown = answer(capsys)
    assert said["proof"] == proof
    assert said["cases"] == cases
    assert said["seed"] == 3
    assert said["wrong"] == 0 == code
    assert sum(row.get("cases", row.get("frames", row.get("files", 0))) for row in said["rows"]) >= cases
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_without_json_tables_are_on_the_output(capsys):
    assert run_verify("translate", 2, 0, None, None, False) == 0
    said = capsys.readouterr()
    assert "2 pairs against exact rational arithmetic" in said.out
    assert "exact arithmetic" in said.err  # the progress
    assert "100%" not in said.out


def test_fuzz_prints_json(tmp_path, capsys):
    assert run_fuzz("obj", 0.0, 0, tmp_path, True) == 0
    said, _ = answer(capsys)
    assert said["wrong"] == 0
    assert [row["kind"] for row in said["rows"]] == ["obj"]


def test_a_number_that_json_does_not_know_is_null(capsys):
    report = Report(as_json=True)
    report.count([PartingTally("kind", 1, 2, 3, 4, 5, 6, 7, 8)], origin="real")
    report.print_json(worst=float("inf"), rates=(0.5, float("nan")))
    said, _ = answer(capsys)
    assert said["worst"] is None
    assert said["rates"] == [0.5, None]
    assert said["rows"][0]["origin"] == "real"
    assert said["rows"][0]["pressing_free"] == 8


def test_the_table_of_a_benchmark_fits():
    rows = [
        Row("50,244 on 50,244 triangles, ground just changed", 12.3e-6, "2,000 x", {"rapier3d": 0.98, "python-fcl": None}),
        Row("any pose, 64^3 on 64^3, sparse: the worst of 100", 0.2, "at most 2 bits a voxel", {"python-fcl": 1.5}),
    ]
    console = Console(width=80, highlight=False)
    with console.capture() as captured:
        console.print(table_of_times("a title", rows))
    shown = captured.get()
    assert "…" not in shown
    assert "980.00 ms, 79,674.8 x" in shown
    assert max(map(len, shown.splitlines())) <= 80
