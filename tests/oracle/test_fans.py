"""The questions of fans against a reference that proves its answers; the reference against sampling and known gaps."""

import dataclasses
import math

import numpy as np
import pytest
from sweepscope_lab.cli.report import Report
from sweepscope_lab.cli.verify_fans import run_verify_fans
from sweepscope_lab.reference.fan import CLEAR, Fans, depths, distances, nearest, sphere_gaps
from sweepscope_lab.reference.fan_cases import QUESTIONS
from sweepscope_lab.reference.fan_pieces import fan_gaps, hull_gaps, mesh_gaps
from sweepscope_lab.verify.fans import LITERAL, PUBLISHED, judge, judge_fans, tally_fans

from sweepscope.errors import InvalidQuery
from sweepscope.fan import Fan
from sweepscope.fan.fan import numbers_of

CASES = 1920  # thirty fans: two of each kind


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS)
def test_nothing_wrong(question):
    rows = tally_fans(judge_fans(question, CASES))
    whole = rows[0]
    bad = [(row.kind, row.missed, row.false_hits) for row in rows if row.missed or row.false_hits]
    assert not bad
    assert whole.cases == CASES
    assert 0.3 < whole.hits / whole.cases < 0.75
    # Each kind of fan, and each feature, has hits and misses.
    assert [row.kind for row in rows if not 0.05 < row.hits / row.cases < 0.95] == []
    assert whole.grazing < 0.35 * whole.cases
    assert whole.undecided <= 0.005 * whole.cases
    # What is wrong by less than counts is wrong towards a hit, within rounding.
    assert whole.deepest_miss < 1e-13
    assert whole.widest_gap < 2e-12
    assert whole.has_published is (question in PUBLISHED)
    assert whole.published_missed == 0


@pytest.mark.slow
def test_the_published_capsule_says_too_much():
    whole = tally_fans(judge_fans("capsules", CASES))[0]
    assert whole.published_missed == 0
    assert 0.003 < whole.published_false / whole.cases < 0.03


@pytest.mark.parametrize("question", LITERAL)
def test_the_text_word_for_word_misses(question):
    """Without the errata circles are missed that are beside the angle, or larger than the hole; with them none is."""
    whole = tally_fans(judge_fans(question, CASES))[0]
    assert whole.published_missed == 0
    assert 0.05 < whole.literal_missed / whole.cases < 0.15


@pytest.mark.slow
@pytest.mark.parametrize("question", ["points", "rectangles", "boxes"])
def test_wrong_answers_are_found(question):
    judged = judge(question, 15, 7)
    turned = dataclasses.replace(judged, hit=~judged.hit)
    assert not judged.wrong.any()
    assert (turned.wrong | judged.grazing | judged.undecided).all()
    assert turned.wrong.mean() > 0.5
    row = tally_fans([turned])[0]
    assert row.missed > 50
    assert row.false_hits > 50
    assert row.deepest_miss > 0.01
    assert row.widest_gap > 0.01


def test_the_command(capsys):
    assert run_verify_fans(64, 0, "spheres", Report()) == 0
    shown = capsys.readouterr().out
    assert "at: outer rim" in shown
    assert "wrong by 1e-09 of the size or more: 0" in shown
    with pytest.raises(InvalidQuery, match="'cones'; accepted: points, circles"):
        run_verify_fans(64, 0, "cones", Report())


# The reference itself.


def _fans(rng, count, least=0.0):
    """Fans at random as the reference takes them."""
    made = []
    for _ in range(count):
        axis = rng.normal(size=3)
        mid = np.cross(axis, rng.normal(size=3))
        outer = rng.uniform(0.5, 1.5)
        inner = rng.choice((0.0, outer * rng.random(), outer))
        angle = rng.choice((0.0, math.pi / 2, math.pi, rng.uniform(0.0, math.pi)))
        made.append(
            numbers_of(
                Fan(
                    rng.normal(size=3),
                    axis,
                    mid=mid,
                    half_angle=max(angle, least),
                    inner=inner,
                    outer=outer,
                    half_thickness=rng.choice((0.0, rng.random())),
                )
            )
        )
    return Fans.of(np.array(made))


def _within(rng, fans, count):
    """Points (count, 3, n) of fans, in their frames: some of each on every bound."""
    n = len(fans.outer)
    share = rng.uniform(-0.25, 1.25, (3, count, n)).clip(0.0, 1.0)
    angle = (2.0 * share[0] - 1.0) * fans.half_angle
    radius = fans.inner + share[1] * (fans.outer - fans.inner)
    height = (2.0 * share[2] - 1.0) * fans.half_thickness
    return np.stack((radius * np.cos(angle), radius * np.sin(angle), height), axis=1)


def test_distance_of_a_point(rng):
    fans = _fans(rng, 300)
    points = rng.normal(size=(3, 300))
    away = distances(fans, points)
    near = nearest(fans, points)
    np.testing.assert_allclose(np.linalg.norm(points - near, axis=0), away, atol=1e-14)
    np.testing.assert_allclose(distances(fans, near), 0.0, atol=1e-15)
    sampled = np.linalg.norm(_within(rng, fans, 4_000) - points, axis=1).min(axis=0)
    assert (away <= sampled + 1e-14).all()
    assert (sampled - away).max() < 0.15
    assert (away == 0.0).sum() > 3


def test_a_ball_of_the_depth_is_within(rng):
    fans = _fans(rng, 300, least=0.3)
    points = _within(rng, fans, 1)[0]
    deep = depths(fans, points)
    ways = rng.normal(size=(500, 3, 300))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    for way in ways:
        np.testing.assert_allclose(distances(fans, points + deep * way), 0.0, atol=1e-14)
    assert (deep > 0.0).mean() > 0.05


@pytest.mark.slow
def test_hulls_hold_against_sampling(rng):
    fans = _fans(rng, 400)
    corners = fans.center + rng.normal(size=(3, 400)) + 0.5 * rng.normal(size=(5, 3, 400))
    found = hull_gaps(fans, corners, np.zeros(400), np.ones(400))
    sampled = np.full(400, np.inf)
    for _ in range(4000):
        weights = rng.exponential(size=(5, 400)) ** 2
        point = np.einsum("kn,kjn->jn", weights / weights.sum(axis=0), corners)
        sampled = np.minimum(sampled, distances(fans, fans.local(point)))
    apart, meet = found.low > CLEAR, found.high < -CLEAR
    assert (sampled[apart] >= found.low[apart] - 1e-13).all()
    assert (sampled[meet] < 0.1).all()
    assert (apart | meet).mean() > 0.95
    assert 0.1 < meet.mean() < 0.9


@pytest.mark.slow
def test_capsules_hold_against_sampling(rng):
    fans = _fans(rng, 400)
    ends = fans.center + 1.2 * rng.normal(size=(2, 3, 400))
    radii = 0.3 * rng.random(400)
    found = hull_gaps(fans, ends, radii, np.ones(400))
    along = np.linspace(0.0, 1.0, 4001)
    sampled = np.min([distances(fans, fans.local((1.0 - t) * ends[0] + t * ends[1])) for t in along], axis=0) - radii
    step = np.linalg.norm(ends[1] - ends[0], axis=0) / 8000.0
    assert (found.low <= sampled + 1e-13).all()
    clear = np.abs(sampled) > 2.0 * step
    np.testing.assert_array_equal(found.high[clear] < 0.0, sampled[clear] < 0.0)
    assert 0.1 < (sampled < 0.0).mean() < 0.9


@pytest.mark.slow
def test_fans_hold_against_sampling(rng):
    fans, others = _fans(rng, 200), _fans(rng, 200)
    others = dataclasses.replace(others, center=fans.center + 0.7 * rng.normal(size=(3, 200)))
    found, back = fan_gaps(fans, others, np.ones(200)), fan_gaps(others, fans, np.ones(200))
    sampled = np.min([distances(fans, fans.local(others.world(point))) for point in _within(rng, others, 4000)], axis=0)
    apart, meet = found.low > CLEAR, found.high < -CLEAR
    assert (sampled[apart] >= found.low[apart] - 1e-13).all()
    assert (sampled[meet] < 0.15).all()
    np.testing.assert_array_equal(back.low > CLEAR, apart)
    assert 0.1 < apart.mean() < 0.9


GAPS = (1e-3, 1e-6, 1e-8, 3e-9, -3e-9, -1e-8, -1e-6, -1e-3)
TURNS = (0.0, 0.4, 1.1)


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("inner", [0.0, 0.7])
def test_boxes_at_known_gaps(gap, inner):
    """A box before the outer arc, on the top, at a side; a needle through the hole that is as long as it is wide."""
    fan = numbers_of(Fan((0, 0, 0), (0, 0, 1), mid=(1, 0, 0), half_angle=1.2, inner=inner, outer=2.0, half_thickness=0.5))
    unit = np.array([(x, y, z) for x in (0, 1) for y in (-1, 1) for z in (-1, 1)], float)
    boxes = []
    for turn in TURNS:
        way, aside = np.array((math.cos(turn), math.sin(turn), 0.0)), np.array((-math.sin(turn), math.cos(turn), 0.0))
        up = np.array((0.0, 0.0, 1.0))
        boxes.append((2.0 + gap) * way + unit @ np.array((way, aside, 0.3 * up)))
        boxes.append(1.5 * way + (0.5 + gap) * up + unit @ np.array((up, 0.1 * aside, 0.2 * way)))
        side, edge = np.array((-math.sin(1.2), math.cos(1.2), 0.0)), np.array((math.cos(1.2), math.sin(1.2), 0.0))
        boxes.append((1.4 + 0.1 * turn) * edge + gap * side + unit @ np.array((side, up, 0.5 * edge)))
    if inner:
        half = inner - gap
        boxes.append(np.array([(half * x, 0.0, 0.4 * z) for x in (-1, 1) for z in (-1, 1)] * 2))
    corners = np.stack(boxes).transpose(1, 2, 0)
    count = corners.shape[2]
    fans = Fans.of(np.tile(fan, (count, 1)))
    found = hull_gaps(fans, corners, np.zeros(count), np.ones(count))
    if gap > 0.0:
        assert (found.low > CLEAR).all()
        assert (found.low <= gap * (1.0 + 1e-9) + 1e-14).all()
        assert (found.high >= gap * (1.0 - 1e-9) - 1e-14).all()
    else:
        assert (found.high <= 1e-14).all()
        assert (found.high >= gap * 1.01)[: 3 * len(TURNS)].all()
        assert (found.low == -np.inf).all()


@pytest.mark.parametrize("gap", [1e-3, 1e-8, -1e-8, -1e-3])
def test_rings_in_rings_at_known_gaps(gap):
    """One within the hole of the other all the way round: no pair of pieces is nearer than the rest."""
    first = Fans.of(
        numbers_of(Fan((0, 0, 0), (0, 0, 1), mid=(1, 0, 0), half_angle=math.pi, inner=1.0, outer=2.0, half_thickness=0.5))[None]
    )
    second = Fans.of(
        numbers_of(Fan((0, 0, 0.2), (0, 0, -1), mid=(0, 1, 0), half_angle=3.0, inner=0.2, outer=1.0 - gap, half_thickness=0.5))[
            None
        ]
    )
    found = fan_gaps(first, second, np.ones(1))
    if gap > 0.0:
        assert CLEAR < found.low[0] <= gap * (1.0 + 1e-7)
    else:
        assert found.high[0] <= 1e-14


def test_spheres_at_known_gaps():
    fan = Fans.of(
        np.tile(
            numbers_of(Fan((0, 0, 0), (0, 0, 1), mid=(1, 0, 0), half_angle=2.5, inner=1.0, outer=2.0, half_thickness=0.5)),
            (6, 1),
        )
    )
    centers = np.array([(3, 0, 0), (0, 0, 0), (0, 1.5, 1.5), (-1.5, 0, 0), (0, 5, 4.5), (1.5, 0, 0.1)], float).T
    radii = np.array((0.25, 0.25, 0.25, 0.0, 1.0, 0.1))
    found = sphere_gaps(fan, centers, radii)
    known = (0.75, 0.75, 0.75, 1.5 * math.sin(math.pi - 2.5), 4.0, -0.5)
    np.testing.assert_allclose(found.low, known, atol=1e-15)
    np.testing.assert_array_equal(found.low, found.high)


def test_a_fan_inside_a_closed_mesh():
    fan = Fan((0.1, 0, 0), (0, 0, 1), mid=(1, 0, 0), half_angle=1.0, inner=0.2, outer=0.5, half_thickness=0.1)
    box = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    faces = [
        (0, 1, 3),
        (0, 3, 2),
        (4, 6, 7),
        (4, 7, 5),
        (0, 4, 5),
        (0, 5, 1),
        (2, 3, 7),
        (2, 7, 6),
        (0, 2, 6),
        (0, 6, 4),
        (1, 5, 7),
        (1, 7, 3),
    ]
    corners = box[np.array(faces)].transpose(1, 2, 0)
    corners = np.concatenate((corners, corners, corners + 3.0), axis=2)
    of = np.repeat(np.arange(3), len(faces))
    found = mesh_gaps(Fans.of(np.tile(numbers_of(fan), (3, 1))), corners, of, np.array((True, False, True)), np.ones(3))
    # A lower bound of the depth is the distance that is proven; it is not worked out to the last digit.
    assert -0.4 - 1e-12 <= found.high[0] < -CLEAR
    assert CLEAR < found.low[1] <= 0.4
    assert found.low[2] > CLEAR
