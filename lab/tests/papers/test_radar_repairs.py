"""The table of repairs: each step on the same cases, against the exact sweep."""

import math

import numpy as np
import pytest
from sweepscope_lab.book.radar_repairs import measure_repairs
from sweepscope_lab.book.result import Watch
from sweepscope_lab.papers import radar_repairs
from sweepscope_lab.papers.radar_repairs import FRONTS, GROUPS, MOVERS, OBSTACLES, SIZES, STEPS, RepairOutcome

pytestmark = pytest.mark.slow


def quiet(_line):
    pass


@pytest.fixture(scope="module")
def outcomes():
    return radar_repairs.measure_repairs(quiet, 25)


@pytest.fixture(scope="module")
def rows(outcomes):
    return {(row.group, row.step): row for row in radar_repairs.sum_up(outcomes)}


def test_every_step_sees_every_case(outcomes, rows):
    assert len(outcomes) == len(MOVERS) * len(OBSTACLES) * 25 * len(STEPS)
    assert set(rows) == {(group, step) for group in GROUPS for step in STEPS}
    assert rows["all", "published"].cases == sum(rows[kind, "published"].cases for kind in ("convex", "concave", "thin"))
    for group in GROUPS:
        assert len({(rows[group, step].cases, rows[group, step].hits) for step in STEPS}) == 1
        # Cases of both kinds, or there would be nothing to be wrong about.
        assert 0.2 < rows[group, "published"].hits / rows[group, "published"].cases < 0.8


def test_the_letter_of_the_paper_is_wrong_and_ours_is_not(rows):
    published, front, sampled, bounding = (
        rows["all", step] for step in ("published", "R from the front", "sampled", "bounding")
    )
    assert published.alarms > 10
    assert published.early > 10
    for row in (front, sampled):
        assert (row.alarms, row.early) == (0, 0)
    assert bounding.missed == 0
    assert bounding.early == bounding.hits
    assert rows["concave", "published"].early > rows["convex", "published"].early


def test_what_each_repair_mends(rows):
    chance, published, front, minimum, sampled = (rows["all", step] for step in STEPS[:5])
    assert chance.normal > 2.0 * published.normal
    assert front.normal < published.normal
    assert sampled.normal < 0.8 * minimum.normal
    assert minimum.center < 0.2 * front.center
    assert sampled.none == 0 < published.none
    assert sampled.center == minimum.center
    assert math.isnan(front.first)
    assert sampled.first > 0.0


def test_alarms_without_a_body_come_from_flat_fronts_and_from_balls_at_odd_sizes():
    rows = {(row.mover, row.pixels): row for row in radar_repairs.measure_alarms(quiet, 60)}
    ball, mesh, box, leg = FRONTS
    for size in SIZES:
        assert 15 < rows[ball, size].free < 45
        assert rows[mesh, size].nobody == rows[box, size].nobody == 0
        assert rows[leg, size].nobody > 0
        assert (rows[ball, size].nobody > 0) == (size % 2 == 1)
        assert rows[ball, size].nobody <= rows[ball, size].alarms <= rows[ball, size].free


def test_sums_are_of_what_is_given():
    def one(step, exact, hit, travel, normal, *, nobody=False):
        return RepairOutcome("L", "balls", step, exact, hit, travel, normal, 0.1, nobody, 1.0, 0.5)

    nan = math.nan
    given = [
        one("published", True, True, -0.5, 10.0),
        one("published", True, True, 0.1, nan),
        one("published", True, False, nan, nan),
        one("published", False, True, nan, nan, nobody=True),
        one("published", False, False, nan, nan),
    ]
    (row,) = [row for row in radar_repairs.sum_up(given) if (row.group, row.step) == ("concave", "published")]
    assert (row.cases, row.hits, row.alarms, row.nobody, row.missed, row.early, row.none) == (5, 3, 1, 1, 1, 1, 1)
    assert row.travel == pytest.approx(0.3)
    assert row.normal == 10.0
    assert (row.first, row.kept) == (1.0, 0.5)
    (empty,) = [row for row in radar_repairs.sum_up(given) if (row.group, row.step) == ("thin", "published")]
    assert empty.cases == 0
    assert np.isnan(empty.travel)


def test_the_part_of_the_book(tmp_path):
    result = measure_repairs(tmp_path, Watch(), each=2)
    rules, steps, alarms = result.sheets
    assert [row[0] for row in rules.rows][:3] == ["where R begins", "pixels in contact", "normal"]
    assert len(steps.rows) == len(GROUPS) * len(STEPS)
    assert len(alarms.rows) == len(FRONTS) * len(SIZES)
    for name in ("repairs.png", "false_alarm.png"):
        assert (tmp_path / name).read_bytes()[:4] == b"\x89PNG"
    assert len((tmp_path / "repairs_cases.csv").read_text().splitlines()) == 1 + 2 * len(MOVERS) * len(OBSTACLES) * len(STEPS)
