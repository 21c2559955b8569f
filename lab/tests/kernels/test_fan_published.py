"""The thesis' tests against twins of its text, a few lines each, that share no code with them (Yamamoto 2023, 2.2 to 2.9)."""

import math

import numba
import numpy as np
import pytest
from sweepscope_lab.compared import PublishedFan
from sweepscope_lab.kernels import fan_published_many as many
from sweepscope_lab.kernels.fan_published import (
    in_rectangle,
    line_meets_circle,
    point_segment_sq,
    segment_segment_sq,
    segments_cross,
)
from sweepscope_lab.reference import fan_text
from sweepscope_lab.reference.fan_text import capsule, capsule_2d, circle, point, rectangle, segment_segment, sphere

from sweepscope import Rotate
from sweepscope.errors import InvalidQuery
from sweepscope.fan import Fan

CASES = 4_000


@pytest.fixture(scope="module")
def drawn():
    """Fans as columns (cos, sin, r, R, h) and as (theta, r, R, h), and a generator for what is tested."""
    rng = np.random.default_rng(11)
    theta, h = rng.uniform(0.05, 3.1, CASES), rng.uniform(0.2, 2.0, CASES)
    r = rng.choice((0.0, 1.0), CASES, p=(0.2, 0.8)) * rng.uniform(0.1, 2.0, CASES)
    far = r + rng.uniform(0.1, 2.0, CASES)
    return np.stack((np.cos(theta), np.sin(theta), r, far, h)), np.stack((theta, r, far, h), axis=1), rng


def same(kernel, twin, fans, *arrays):
    out = np.zeros(CASES, np.bool_)
    kernel(fans, *arrays, out)
    twins = np.array([twin(k) for k in range(CASES)], bool)
    assert np.flatnonzero(out != twins).tolist() == []
    assert 0.1 < out.mean() < 0.9


def test_points(drawn):
    fans, rows, rng = drawn
    places = rng.uniform(-2.5, 2.5, (CASES, 3)) * (1.0, 1.0, 0.5)
    same(many.pairs_points, lambda k: point(*rows[k], places[k]), fans, places)


def test_circles(drawn):
    fans, rows, rng = drawn
    places, radii = rng.uniform(-4.0, 4.0, (CASES, 2)), rng.uniform(0.0, 2.0, CASES)
    same(many.pairs_circles, lambda k: circle(*rows[k, :3], places[k], radii[k]), fans, places, radii)


def test_spheres(drawn):
    fans, rows, rng = drawn
    places, radii = rng.uniform(-4.0, 4.0, (CASES, 3)), rng.uniform(0.0, 3.0, CASES)
    same(many.pairs_spheres, lambda k: sphere(*rows[k], places[k], radii[k]), fans, places, radii)


@pytest.mark.slow
def test_rectangles(drawn):
    fans, rows, rng = drawn
    places, widths = rng.uniform(-4.0, 4.0, (CASES, 2)), rng.uniform(0.01, 4.0, (CASES, 2))
    angles = rng.uniform(0.0, 7.0, CASES)
    ways = np.stack((np.cos(angles), np.sin(angles)), axis=1)
    corners = np.array(((0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)))

    def twin(k):
        frame = np.array((ways[k], (-ways[k, 1], ways[k, 0])))
        return rectangle(*rows[k, :3], places[k] + (corners * widths[k]) @ frame)

    same(many.pairs_rectangles, twin, fans, places, widths, ways)
    out, rejecting = np.zeros(CASES, np.bool_), np.zeros(CASES, np.bool_)
    many.pairs_rectangles(fans, places, widths, ways, out)
    many.pairs_rectangles_rejecting(fans, places, widths, ways, rejecting)
    assert (out == rejecting).all()


@pytest.mark.slow
def test_capsules_of_the_plane(drawn):
    fans, rows, rng = drawn
    starts, ends, radii = rng.uniform(-4.0, 4.0, (CASES, 2)), rng.uniform(-4.0, 4.0, (CASES, 2)), rng.uniform(0.0, 1.0, CASES)
    same(many.pairs_capsules_2d, lambda k: capsule_2d(*rows[k, :3], starts[k], ends[k], radii[k]), fans, starts, ends, radii)


@pytest.mark.slow
def test_capsules(drawn):
    fans, rows, rng = drawn
    starts, ends, radii = rng.uniform(-4.0, 4.0, (CASES, 3)), rng.uniform(-4.0, 4.0, (CASES, 3)), rng.uniform(0.0, 2.0, CASES)
    same(many.pairs_capsules, lambda k: capsule(*rows[k], starts[k], ends[k], radii[k]), fans, starts, ends, radii)


# ---- the small parts of 2.9, each alone


@numba.njit
def written_crossing(e, f, g, h):
    return segments_cross(e, f, g, h)


@numba.njit
def written_places(e, vx, vy, radius):
    return line_meets_circle(e, vx, vy, radius)


@numba.njit
def written_inside(p, a, b, c, d):
    return in_rectangle(p, a, b, c, d)


@numba.njit
def written_distance(q, s, e):
    return point_segment_sq(q, s, e)


def pair(values):
    return float(values[0]), float(values[1])


@pytest.mark.slow
def test_crossings_of_segments():
    rng = np.random.default_rng(6)
    crossed = 0
    for _ in range(1_000):
        ends = rng.normal(size=(4, 2))
        there = fan_text.segments_cross(*ends)
        found, at = written_crossing(*map(pair, ends))
        assert found == (there is not None)
        if found:
            crossed += 1
            assert at == pytest.approx(pair(there), abs=1e-9)
    assert 100 < crossed < 500


@pytest.mark.slow
def test_crossings_of_a_segment_and_a_circle_are_limited_to_the_segment():
    rng = np.random.default_rng(7)
    met, limited = 0, 0
    for _ in range(1_000):
        e, f = rng.normal(size=(2, 2))
        radius = float(rng.uniform(0.0, 2.0))
        twins = fan_text.circle_crossings(e, f, radius)
        found, *places = written_places(pair(e), *pair(f - e), radius)
        assert found == (len(twins) > 0)
        if found:
            met += 1
            limited += any(not 0.0 <= s <= 1.0 for s in places)
            mine = sorted(pair(e + max(0.0, min(s, 1.0)) * (f - e)) for s in places)
            assert np.allclose(mine, sorted(map(pair, twins)), atol=1e-7)
    assert 300 < met < 950
    assert limited > 100


@pytest.mark.slow
def test_points_in_rectangles():
    rng = np.random.default_rng(8)
    inside = 0
    for _ in range(1_000):
        angle, (x, y), (a, b) = rng.uniform(0.0, 7.0), rng.normal(size=2), rng.uniform(0.1, 3.0, 2)
        frame = np.array(((math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))))
        corners = np.array(((a, b), (-a, b), (-a, -b), (a, -b))) @ frame + (x, y)
        corners = corners[:: rng.choice((1, -1))]  # in either sense
        p = rng.normal(size=2)
        found = written_inside(pair(p), *map(pair, corners))
        assert found == fan_text.in_rectangle(p, corners)
        local = frame @ (p - (x, y))
        assert found == bool((np.abs(local) <= (a, b)).all())
        inside += found
    assert 200 < inside < 800


@pytest.mark.slow
def test_distances_of_points_from_segments():
    rng = np.random.default_rng(9)
    for _ in range(500):
        q, s, e = rng.normal(size=(3, 2))
        assert math.sqrt(written_distance(pair(q), pair(s), pair(e))) == pytest.approx(
            fan_text.point_segment(q, s, e), abs=1e-9
        )
    assert written_distance((3.0, 4.0), (0.0, 0.0), (0.0, 0.0)) == 25.0  # a segment without length, which the text leaves open


@numba.njit
def written_segments(c, d, e, f):
    return segment_segment_sq(c, d, e, f)


@pytest.mark.slow
def test_distances_of_segments():
    rng = np.random.default_rng(5)
    for _ in range(500):
        c, d, e, f = rng.normal(size=(4, 2))
        apart = segment_segment(c, d, e, f)
        for asked in ((c, d, e, f), (e, f, c, d)):
            asked = tuple((float(x), float(y)) for x, y in asked)
            assert math.sqrt(written_segments(*asked)) == pytest.approx(apart, abs=1e-7)
    # What the text leaves open: parallel lines, points.
    ask = written_segments
    assert ask((0.0, 0.0), (2.0, 0.0), (5.0, 1.0), (3.0, 1.0)) == 2.0
    assert ask((0.0, 0.0), (2.0, 0.0), (1.0, 3.0), (1.0, 3.0)) == 9.0
    assert ask((1.0, 3.0), (1.0, 3.0), (0.0, 0.0), (2.0, 0.0)) == 9.0
    assert ask((1.0, 3.0), (1.0, 3.0), (1.0, 1.0), (1.0, 1.0)) == 4.0


def test_one_fan_is_asked_as_pairs_are(drawn):
    fans, rows, rng = drawn
    turn = Rotate((1.0, 2.0, -1.0), 0.8, about=(0.3, 0.2, 0.1)).at()
    starts, ends, radii = rng.uniform(-4.0, 4.0, (CASES, 3)), rng.uniform(-4.0, 4.0, (CASES, 3)), rng.uniform(0.0, 1.0, CASES)
    there = [places @ turn[:3, :3].T + turn[:3, 3] for places in (starts, ends)]
    for k in range(4):
        theta, r, far, h = rows[k]
        fan = PublishedFan(
            Fan(turn[:3, 3], turn[:3, 2], mid=turn[:3, 0], half_angle=theta, inner=r, outer=far, half_thickness=h)
        )
        column = np.repeat(fans[:, k : k + 1], CASES, axis=1)
        out = np.zeros(CASES, np.bool_)
        many.pairs_points(column, starts, out)
        assert (fan.contains(there[0]) == out).all()
        many.pairs_spheres(column, starts, radii, out)
        assert (fan.hits_spheres(there[0], radii) == out).all()
        many.pairs_capsules(column, starts, ends, radii, out)
        assert (fan.hits_capsules(*there, radii) == out).all()


def test_only_the_capsule_of_space_says_too_much(drawn):
    _, rows, rng = drawn
    false = 0
    for k in range(40):
        theta, r, far, h = rows[k]
        fan = Fan((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), mid=(1.0, 0.0, 0.0), half_angle=theta, inner=r, outer=far, half_thickness=h)
        old = PublishedFan(fan)
        p, q, radii = 2.0 * rng.normal(size=(200, 3)), 2.0 * rng.normal(size=(200, 3)), rng.uniform(0.0, 1.5, 200)
        assert (old.contains(p) == fan.contains(p)).all()
        assert (old.hits_circles(p[:, :2], radii) == fan.hits_circles(p[:, :2], radii)).all()
        assert (old.hits_spheres(p, radii) == fan.hits_spheres(p, radii)).all()
        assert (old.hits_capsules_2d(p[:, :2], q[:, :2], radii) == fan.hits_capsules_2d(p[:, :2], q[:, :2], radii)).all()
        boxes = (p[:, :2], np.abs(q[:, :2]) + 0.1, radii)
        assert (old.hits_rectangles(*boxes) == fan.hits_rectangles(*boxes)).all()
        exact, enclosed = fan.hits_capsules(p, q, radii), old.hits_capsules(p, q, radii)
        assert not (exact & ~enclosed).any()
        false += int((enclosed & ~exact).sum())
    assert 10 < false < 400


def test_a_wrong_shape_is_refused():
    fan = PublishedFan(Fan.flat((0.0, 0.0), (1.0, 0.0), half_angle=1.0, inner=0.0, outer=1.0))
    with pytest.raises(InvalidQuery, match=r"centers: expected shape \(3,\) or \(n, 3\)"):
        fan.hits_spheres(((1.0, 2.0),), 1.0)
    with pytest.raises(InvalidQuery, match="radii: expected one number, or 2"):
        fan.hits_spheres(np.zeros((2, 3)), np.ones(3))
