"""Random pairs: the sampled travel is the ray cast's, never short of the exact one; the bounding travel is never beyond it."""

import numpy as np
import pytest
from sweepscope_lab.reference import rays
from sweepscope_lab.scenes import bumpy_ball, hook, ring

import sweepscope as ss

SHAPES = {
    "ball": lambda rng: bumpy_ball(7, 7, rng.uniform(0.3, 1.0), seed=int(rng.integers(1000))),
    "box": lambda rng: ss.Mesh.box(rng.uniform(0.1, 1.5, 3)),
    "needle": lambda rng: ss.Mesh.box((0.02, 0.03, 2.0)),
    "slab": lambda rng: ss.Mesh.box((2.0, 1.5, 0.01)),
    "hook": lambda rng: hook(0.6, 0.8, 0.3),
    "ring": lambda rng: ring(0.5, 0.8, 0.3, columns=12),
    "triangle": lambda rng: ss.Mesh(rng.normal(size=(3, 3)), [(0, 1, 2)]),
    "sphere": lambda rng: ss.Sphere(rng.uniform(0.2, 0.8)),
    "capsule": lambda rng: ss.Capsule.from_segment(
        rng.normal(size=3) * 0.5, rng.normal(size=3) * 0.5, radius=rng.uniform(0.05, 0.4)
    ),
    "cloud": lambda rng: ss.PointCloud(rng.normal(size=(6, 3)) * 0.5, 0.1),
    "points": lambda rng: ss.PointCloud(rng.normal(size=(6, 3)) * 0.5),
}


def _pose(rng, place):
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    pose = np.eye(4)
    pose[:3, :3] = turn * np.sign(np.linalg.det(turn))
    pose[:3, 3] = place
    return pose


def _question(rng, mover_kind, obstacle_kind):
    """Two bodies 3.5 apart, and a motion that aims roughly at the other."""
    scene = ss.Scene()
    away = rng.normal(size=3)
    away *= 3.5 / np.linalg.norm(away)
    obstacle = scene.add(SHAPES[obstacle_kind](rng), _pose(rng, away))
    mover = scene.add(SHAPES[mover_kind](rng), _pose(rng, np.zeros(3)))
    return scene, mover, obstacle, ss.Translate((away + rng.normal(size=3) * 0.3) * 1.5)


def _spans(body, origins, toward):
    """Return where rays cross a body, (n, k)."""
    places = body.vertices @ body.pose[:3, :3].T + body.pose[:3, 3]
    if isinstance(body.shape, ss.Mesh):
        return rays.crossings(places[body.shape.faces], origins, toward)[0]
    if isinstance(body.shape, ss.Capsule):
        return rays.rod(places[0], places[1], body.shape.radius, origins, toward)
    return np.concatenate([rays.ball(place, body.shape.radius, origins, toward) for place in places], axis=1)


@pytest.mark.slow
@pytest.mark.parametrize("obstacle_kind", [kind for kind in SHAPES if kind != "points"])
def test_sampled_travel_is_that_of_ray_casts(rng, obstacle_kind):
    met = 0
    for mover_kind in SHAPES:
        if mover_kind in ("points", "triangle"):
            continue
        scene, mover, obstacle, motion = _question(rng, mover_kind, obstacle_kind)
        try:
            reading = ss.radar.Radar(scene, mover, pixels=(23, 19)).probe(motion)
        except ss.errors.InvalidQuery:
            # So thin that no ray meets it; any other kind of mover is met by some.
            if mover_kind in ("needle", "slab", "cloud"):
                continue
            raise
        view = reading.view
        row, column = np.indices(reading.range.shape)
        origins = view.at(column, row, 0.0, reading.range.shape).reshape(-1, 3)
        own = _spans(mover, origins, view.frame[2])
        lead = np.where(np.isnan(own), -np.inf, own).max(axis=1)
        covered = np.isfinite(lead)
        first = rays.first(_spans(obstacle, origins, view.frame[2]), np.where(covered, lead, np.inf), view.depth)
        gap = float((first - lead)[covered].min())
        assert reading.hit is (gap <= motion.length)
        if reading.hit:
            met += 1
            assert reading.travel == pytest.approx(gap, abs=1e-9)
            assert reading.obstacle is obstacle
    assert met >= 1


@pytest.mark.parametrize("mover_kind", list(SHAPES))
def test_sampled_and_bounding_travel_bracket_the_exact_one(rng, mover_kind):
    met = missed = 0
    for obstacle_kind in SHAPES:
        for _ in range(2):
            scene, mover, _, motion = _question(rng, mover_kind, obstacle_kind)
            exact = scene.sweep(mover, motion)
            travel = motion.length if exact is None else exact.travel
            bound = ss.radar.Radar(scene, mover, pixels=31, method="bounding").probe(motion)
            assert bound.travel <= travel + 1e-9
            if exact is not None:
                met += 1
                assert bound.hit
            try:
                sample = ss.radar.Radar(scene, mover, pixels=31).probe(motion)
            except ss.errors.InvalidQuery:
                missed += 1
                continue
            assert sample.travel >= travel - 1e-8
            missed += exact is not None and not sample.hit
    assert met >= 4
    assert missed <= 2 * len(SHAPES)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "order"), [("smooth", 1.6), ("corner", 0.8)])
def test_travel_converges_with_the_pixels(rng, kind, order):
    """Smooth on smooth: with the square of the pixel's size. Corner on face: with its size."""
    pixels = np.array((16, 32, 64, 128, 256))
    errors = np.zeros(len(pixels))
    for _ in range(12):
        scene = ss.Scene()
        place = rng.normal(size=3)
        place *= 4.0 / np.linalg.norm(place)
        if kind == "smooth":
            scene.add(ss.Sphere(1.0), place)
            mover = scene.add(ss.Sphere(0.7))
        else:
            scene.add(ss.Box((8, 8, 0.5)), (0, 0, -4))
            mover = scene.add(ss.Box((1, 1, 1)), _pose(rng, np.zeros(3)))
            place = np.array((*rng.normal(size=2), -4.0))
        motion = ss.Translate(place + rng.normal(size=3) * 0.1)
        exact = scene.sweep(mover, motion).travel
        for k, count in enumerate(pixels):
            travel = ss.radar.Radar(scene, mover, pixels=int(count)).probe(motion).travel
            bound = ss.radar.Radar(scene, mover, pixels=int(count), method="bounding").probe(motion).travel
            assert bound - 1e-9 <= exact <= travel + 1e-9
            errors[k] += travel - exact
    slope = -np.polyfit(np.log(pixels), np.log(errors), 1)[0]
    assert slope > order
