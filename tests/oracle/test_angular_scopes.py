"""Pictures of turns against circle casts in long double, pixel by pixel; and travels against closed forms and fine stepping."""

import math

import numpy as np
import pytest
from sweepscope_lab.reference import circles
from sweepscope_lab.scenes import bumpy_ball, hook, ring

import sweepscope as ss

SHAPES = {
    "ball": lambda rng: bumpy_ball(7, 7, rng.uniform(0.3, 0.9), seed=int(rng.integers(1000))),
    "box": lambda rng: ss.Mesh.box(rng.uniform(0.2, 1.2, 3)),
    "needle": lambda rng: ss.Mesh.box((0.05, 0.05, 1.6)),
    "slab": lambda rng: ss.Mesh.box((1.4, 1.1, 0.02)),
    "hook": lambda rng: hook(0.6, 0.8, 0.3),
    "ring": lambda rng: ring(0.5, 0.8, 0.3, columns=12),
    "triangle": lambda rng: ss.Mesh(rng.normal(size=(3, 3)) * 0.7, [(0, 1, 2)]),
    "sphere": lambda rng: ss.Sphere(rng.uniform(0.2, 0.7)),
    "capsule": lambda rng: ss.Capsule.from_segment(
        rng.normal(size=3) * 0.5, rng.normal(size=3) * 0.5, radius=rng.uniform(0.05, 0.4)
    ),
    "cloud": lambda rng: ss.PointCloud(rng.normal(size=(6, 3)) * 0.5, 0.15),
}
THIN = ("needle", "slab", "triangle")


def _pose(rng, place):
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    pose = np.eye(4)
    pose[:3, :3] = turn * np.sign(np.linalg.det(turn))
    pose[:3, 3] = place
    return pose


def _question(rng, mover_kind, obstacle_kind):
    """Two bodies that share orbits about a random axis, a third of a turn or more apart."""
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    about = rng.normal(size=3) * rng.choice((1.0, 30.0))
    frame = np.linalg.svd(axis[None])[2]
    out, side = frame[1], np.cross(axis, frame[1])
    scene = ss.Scene()
    far, apart = rng.uniform(1.8, 3.0), rng.uniform(2.2, 4.0)
    places = about + far * out, about + far * (math.cos(apart) * out + math.sin(apart) * side) + axis * rng.uniform(-0.3, 0.3)
    mover = scene.add(SHAPES[mover_kind](rng), _pose(rng, places[0]))
    obstacle = scene.add(SHAPES[obstacle_kind](rng), _pose(rng, places[1]))
    return scene, mover, obstacle, ss.Rotate(axis, float(rng.choice((-1, 1))) * rng.uniform(3.5, 9.0), about=about)


def _circles(view, shape):
    row, column = np.indices(shape)
    across = np.longdouble(view.rho[1] - view.rho[0]) / shape[1]
    down = np.longdouble(view.height[1] - view.height[0]) / shape[0]
    rho = view.rho[0] + (column.ravel() + np.longdouble(0.5)) * across
    height = view.height[1] - (row.ravel() + np.longdouble(0.5)) * down
    return circles.Circles.of(view.about, view.axis, view.zero, rho, height)


def _crossings(body, around):
    """Return the angles (n, k) of a body's crossings and how sure they are (n,)."""
    pose = body.pose.astype(np.longdouble)
    places = body.vertices.astype(np.longdouble) @ pose[:3, :3].T + pose[:3, 3]
    if isinstance(body.shape, ss.Mesh):
        return circles.crossings(places[body.shape.faces], around)
    sure = np.full(len(around.radii), np.inf)
    if isinstance(body.shape, ss.Capsule):
        return circles.rod(places[0], places[1], body.shape.radius, around), sure
    return np.concatenate([circles.ball(place, body.shape.radius, around) for place in places], axis=1), sure


@pytest.mark.slow
@pytest.mark.parametrize("obstacle_kind", list(SHAPES))
def test_every_pixel_is_its_circle_cast(rng, obstacle_kind):
    met = seen = 0
    for mover_kind in SHAPES:
        scene, mover, obstacle, motion = _question(rng, mover_kind, obstacle_kind)
        try:
            reading = ss.radar.Radar(scene, mover, pixels=(13, 11)).probe(motion)
        except ss.errors.InvalidQuery:
            assert mover_kind in THIN
            continue
        around = _circles(reading.view, reading.range.shape)
        own, own_sure = _crossings(mover, around)
        other, other_sure = _crossings(obstacle, around)
        gap = circles.least_gap(own, other).reshape(reading.range.shape)
        covered = np.isfinite(own).any(axis=1).reshape(gap.shape)
        # Circles that graze an edge or a surface within rounding may be taken either way.
        sure = (np.minimum(own_sure, other_sure) > 1e-9).reshape(gap.shape)
        assert sure.mean() > 0.95
        lookat = np.where(reading.ids < 0, np.inf, reading.lookat)
        both = sure & covered & np.isfinite(gap) & np.isfinite(lookat)
        grazing = 1 if obstacle_kind == "capsule" or mover_kind == "capsule" else 0  # too short a crossing for the twin
        assert (np.isnan(reading.lookat) != ~covered)[sure].sum() <= grazing
        differ = np.abs(lookat[both] - gap[both].astype(float)) > 1e-8
        assert differ.sum() <= grazing
        depth = reading.view.depth
        assert reading.lookat[both] == pytest.approx((reading.range + reading.mask - depth)[both], abs=1e-12)
        seen += both.sum()
        least = float(gap[covered].min(initial=np.inf))
        if sure.all() and not differ.any():
            assert reading.hit is (least <= min(motion.length, 2.0 * math.pi))
            if reading.hit:
                assert reading.travel == pytest.approx(least, abs=1e-9)
                assert reading.obstacles == (obstacle,)
                assert reading.points.shape == (len(reading.pixels), 3)
                met += 1
    assert seen > 40
    assert met >= 2


def test_spheres_meet_when_their_centers_are_a_diameter_apart():
    """Sampled from above, bounding from below; error of the sampled one falls with the square of the pixel."""
    scene = ss.Scene()
    ball = scene.add(ss.Sphere(0.5), (2, 0, 0.1))
    scene.add(ss.Sphere(0.7), (0, 2.3, -0.2))
    motion = ss.Rotate((0, 0, 1), 4.0)
    # |a - b| = 1.2 with a at radius 2, b at radius 2.3 and 0.3 lower.
    apart = math.acos((2.0**2 + 2.3**2 + 0.3**2 - 1.2**2) / (2 * 2.0 * 2.3))
    exact = math.pi / 2 - apart
    errors = []
    for pixels in (25, 51, 101, 201):
        travel = ss.radar.Radar(scene, ball, pixels=pixels).probe(motion).travel
        bound = ss.radar.Radar(scene, ball, pixels=pixels, method="bounding").probe(motion).travel
        assert bound <= exact + 1e-12
        assert travel >= exact - 1e-12
        errors.append((travel - exact, exact - bound))
    assert errors[-1][0] < 2e-4
    assert errors[-1][1] < 0.2 * errors[0][1]


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_box_swings_into_a_box(way):
    """The bar's inner end, at x = 1, y = 0.1, meets the wall's face."""
    scene = ss.Scene()
    bar = scene.add(ss.Box((1, 0.2, 0.4)), (1.5, 0, 0))
    wall = scene.add(ss.Box((0.2, 2, 2)), (0, 1.5 * way, 0))
    inner = math.hypot(1.0, 0.1)
    exact = math.pi / 2 - math.asin(0.1 / inner) * 2
    motion = ss.Rotate((0, 0, 1), 3.0 * way)
    errors = []
    for pixels in (10, 40, 160, 640):
        reading = ss.radar.Radar(scene, bar, pixels=(pixels, 8)).probe(motion)
        bound = ss.radar.Radar(scene, bar, pixels=(pixels, 8), method="bounding").probe(motion)
        assert bound.travel <= exact + 1e-12 <= reading.travel + 2e-12
        assert reading.obstacle is bound.obstacle is wall
        errors.append((reading.travel - exact, exact - bound.travel))
    assert errors[-1][0] < 0.1 * errors[0][0] < 0.01
    assert errors[-1][1] < 1e-3


def _apart(a, b):
    """True if no surface of a crosses one of b, asked of the exact overlap test."""
    return a.scene.sweep(a, ss.Translate((0, 0, 0))) is None


@pytest.mark.slow
@pytest.mark.parametrize("mover_kind", list(SHAPES))
def test_bounding_and_sampled_travel_bracket_the_truth(rng, mover_kind):
    """The truth is bracketed itself: free at every small step up to `before`, overlapping at one after it."""
    met = 0
    for obstacle_kind in SHAPES:
        scene, mover, obstacle, motion = _question(rng, mover_kind, obstacle_kind)
        bound = ss.radar.Radar(scene, mover, pixels=21, method="bounding").probe(motion)
        try:
            sample = ss.radar.Radar(scene, mover, pixels=21).probe(motion).travel
        except ss.errors.InvalidQuery:
            sample = motion.length
        assert bound.travel <= sample + 1e-12
        start = mover.pose.copy()
        last = min(motion.length, 2 * math.pi)
        first_overlap = None
        for angle in np.arange(0.0, last, 0.02):
            mover.pose = motion.at(angle / motion.length) @ start
            if not _apart(mover, obstacle):
                first_overlap = angle
                break
        if first_overlap is not None:
            met += 1
            assert bound.hit
            assert bound.travel <= first_overlap + 1e-9
            # The sampled one is too long by less than a pixel's worth, unless it missed what is thin.
            if mover_kind not in THIN and obstacle_kind not in (*THIN, "capsule"):
                assert sample >= first_overlap - 0.02 - 1e-9
    assert met >= 4
