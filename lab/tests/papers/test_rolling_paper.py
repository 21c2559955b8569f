"""The second paper's experiments, cut short: what must hold of them whatever the machine."""

import csv
import json
import math

import pytest
from sweepscope_lab.cli.papers import run_papers
from sweepscope_lab.papers import rolling

from sweepscope import Rotate


def quiet(_line):
    pass


@pytest.fixture(scope="module")
def errors():
    return rolling.measure_errors(
        quiet, 8, pixels=(25, 200), angles=tuple(map(math.radians, (2.0, 20.0))), bodies=("cube", "dodecahedron")
    )


def mean(errors, **wanted):
    return rolling.mean_error(row for row in errors if all(getattr(row, key) == value for key, value in wanted.items()))


def test_readings_are_of_contacts_that_there_are(errors):
    assert len(errors) > 40
    for row in errors:
        assert row.exact == pytest.approx(row.angle, rel=0.01)
        assert 0.0 < row.lever < 2.0
        assert 0.0 <= row.lean <= math.pi / 2.0
    assert rolling.missed_share(errors) < 0.5


def test_error_grows_with_the_angle(errors):
    for rule in rolling.RULES:
        assert mean(errors, pixels=200, rule=rule, angle=math.radians(2.0)) < mean(
            errors, pixels=200, rule=rule, angle=math.radians(20.0)
        )


def test_the_subtended_angle_is_nearer_than_the_published_one(errors):
    assert mean(errors, pixels=200, rule="subtended") < mean(errors, pixels=200, rule="arm")


def test_more_pixels_help_the_rule_that_is_right(errors):
    assert mean(errors, pixels=200, rule="subtended", angle=math.radians(2.0)) < mean(
        errors, pixels=25, rule="subtended", angle=math.radians(2.0)
    )


def test_a_shelf_seen_edge_on_is_missed_and_the_sweep_finds_it():
    for along in (False, True):
        scene, bar = rolling.shelf(along)
        hit = scene.sweep(bar, Rotate((0.0, 1.0, 0.0), 1.0))
        assert hit is not None
        assert hit.obstacle is scene["shelf"]
        assert 0.1 < hit.travel < 0.6
        assert rolling.edge_on(along).hit is not along


def test_nothing_read_is_no_error():
    assert math.isnan(rolling.mean_error([]))
    assert math.isnan(rolling.missed_share([]))
    assert math.isnan(rolling.elsewhere_share([]))


def test_run_papers_writes_tables_and_figures(tmp_path, capsys):
    assert run_papers("rolling", tmp_path / "new", "tiny", as_json=True) == 0
    said = capsys.readouterr()
    assert "Fig. 6" in said.err
    assert "the five problems" in said.err
    assert said.out.count("\n") == 1
    answer = json.loads(said.out)
    assert answer["paper"] == "rolling"
    assert any(table["title"].startswith("the five problems") and len(table["rows"]) == 5 for table in answer["tables"])
    assert "rolling_fig6.png" in answer["pictures"]
    for name, least in (("fig6", 6), ("fig7", 21), ("errors", 20), ("problems", 5)):
        with (tmp_path / "new" / f"rolling_{name}.csv").open() as file:
            rows = list(csv.DictReader(file))
        assert len(rows) >= least
        if name != "problems":
            picture = (tmp_path / "new" / f"rolling_{name}.png").read_bytes()
            assert picture[:8] == b"\x89PNG\r\n\x1a\n"
            assert len(picture) > 10_000
