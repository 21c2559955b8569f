"""The thesis' tests against twins of its text, a few lines each, that share no code with them (Yamamoto 2023, 2.2 to 2.9)."""

import itertools
import math

import numba
import numpy as np
import pytest
from sweepscope_lab.compared import PublishedFan
from sweepscope_lab.kernels import fan_published_many as many
from sweepscope_lab.kernels.fan_published import segment_segment_sq

from sweepscope import Rotate
from sweepscope.errors import InvalidQuery
from sweepscope.fan import Fan

CASES = 4_000


# ---- the text, with the errata of 2.4, 2.8, 2.15, 2.17, 2.30 and 2.34 corrected


def place(q, s, v):
    """(2.43)."""
    return (q - s) @ v / (v @ v)


def point_segment(q, s, e):
    """2.9.4."""
    v = e - s
    return np.linalg.norm(q - (s + max(0.0, min(place(q, s, v), 1.0)) * v))


def segment_segment(c, d, e, f):
    """2.9.5, (2.47) to (2.53) and the clamping that follows them."""
    vl, vm = d - c, f - e
    tm = (vm @ (e - c) * (vl @ vl) - vl @ (e - c) * (vl @ vm)) / ((vl @ vm) ** 2 - (vl @ vl) * (vm @ vm))
    tl = max(0.0, min(vl @ (e - c + tm * vm) / (vl @ vl), 1.0))
    tm = place(c + tl * vl, e, vm)
    if 0.0 <= tm <= 1.0:
        return np.linalg.norm(c + tl * vl - e - tm * vm)
    tm = max(0.0, min(tm, 1.0))
    tl = max(0.0, min(place(e + tm * vm, c, vl), 1.0))
    return np.linalg.norm(c + tl * vl - e - tm * vm)


def sides(theta, r, far):
    """(2.9), (2.10)."""
    g, h = np.array((math.cos(theta), math.sin(theta))), np.array((math.cos(theta), -math.sin(theta)))
    return (r * g, far * g), (r * h, far * h)


def in_angle(theta, p):
    """(2.6), (2.7)."""
    return p[0] / math.hypot(*p[:2]) >= math.cos(theta)


def point(theta, r, far, h, p):
    """2.2."""
    return abs(p[2]) <= h and r**2 <= p[0] ** 2 + p[1] ** 2 <= far**2 and in_angle(theta, p)


def circle(theta, r, far, p, rc):
    """2.4."""
    if in_angle(theta, p):
        return max(0.0, r - rc) ** 2 <= p @ p <= (far + rc) ** 2
    return min(point_segment(p, *side) for side in sides(theta, r, far)) <= rc


def widest(z, h, radius):
    """R_m of 2.5, (2.12)."""
    return radius if abs(z) <= h else math.sqrt(max(0.0, radius**2 - (abs(z) - h) ** 2))


def sphere(theta, r, far, h, p, rs):
    """2.5."""
    return abs(p[2]) <= h + rs and circle(theta, r, far, p[:2], widest(p[2], h, rs))


def capsule_2d(theta, r, far, s, e, rc):
    """2.6: the ends of all ranges of t are found, and a middle between each two is tested as it stands."""
    v = e - s
    if not v.any():
        return circle(theta, r, far, s, rc)
    ends = [0.0, 1.0]
    for radius in (far + rc, max(0.0, r - rc)):
        roots = np.roots((v @ v, 2.0 * s @ v, s @ s - radius**2))
        ends += [float(root.real) for root in roots if root.imag == 0.0]
    for side in (1.0, -1.0):
        g = np.array((math.cos(theta), side * math.sin(theta)))
        ends.append((s[1] * g[0] - s[0] * g[1]) / (v[0] * g[1] - v[1] * g[0]))  # (2.18), (2.19)
    ends = sorted(t for t in ends if 0.0 <= t <= 1.0)
    for a, b in itertools.pairwise(ends):
        p = s + 0.5 * (a + b) * v
        gz, hz = p[0] * math.sin(theta) - p[1] * math.cos(theta), -p[0] * math.sin(theta) - p[1] * math.cos(theta)
        within = (gz >= 0.0 and hz <= 0.0) if theta < math.pi / 2 else (gz >= 0.0 or hz <= 0.0)  # (2.20)
        if within and max(0.0, r - rc) ** 2 <= p @ p <= (far + rc) ** 2:  # (2.15)
            return True
    return min(segment_segment(s, e, *side) for side in sides(theta, r, far)) <= rc


def capsule(theta, r, far, h, s, e, rc):
    """2.7, (2.21) to (2.31)."""
    if s[2] < e[2]:
        s, e = e, s
    if s[2] + rc < -h or e[2] - rc > h:
        return False
    v = e - s
    flat = math.hypot(v[0], v[1])
    wide = rc if s[2] >= -h and e[2] <= h else max(widest(s[2], h, rc), widest(e[2], h, rc))  # (2.22)
    w = rc / -v[2] * flat  # (2.26)
    gz = h + w / math.sqrt(w**2 + rc**2) * rc  # (2.28), (2.29)
    first = s + (min(s[2], max(gz, e[2])) - s[2]) / v[2] * v  # (2.30)
    last = s + (max(e[2], min(-gz, s[2])) - s[2]) / v[2] * v
    j = first + (wide - widest(first[2], h, rc)) / flat * v  # (2.31)
    k = last - (wide - widest(last[2], h, rc)) / flat * v
    return capsule_2d(theta, r, far, j[:2], k[:2], wide)


def crossings(e, f, theta, r, far):
    """2.9.1 and 2.9.2: where a side of a rectangle crosses the fan's segments and circles."""
    for g, h in sides(theta, r, far):
        s, t = np.linalg.solve(np.column_stack((f - e, g - h)), g - e)  # (2.33)
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            yield e + s * (f - e)
    v = f - e
    for radius in (r, far):
        for s in np.roots((v @ v, 2.0 * v @ e, e @ e - radius**2)):  # (2.39)
            if s.imag == 0.0 and 0.0 <= s.real <= 1.0:
                yield e + s.real * v


def rectangle(theta, r, far, corners):
    """2.3; points on the border need a tolerance."""
    near = 1e-9
    for e, f in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        for p in crossings(e, f, theta, r, far):
            rho = math.hypot(*p)
            if r - near <= rho <= far + near and p[0] / rho >= math.cos(theta) - near:
                return True
    turns = []
    for e, f in zip(corners, np.roll(corners, -1, axis=0), strict=True):  # (2.40)
        out = np.array((0.5 * (r + far), 0.0)) - e
        turns.append((f - e)[0] * out[1] - (f - e)[1] * out[0])
    inside = min(turns) >= 0.0 or max(turns) <= 0.0
    return inside or point(theta, r, far, math.inf, np.array((*corners[0], 0.0)))


# ---- both


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
