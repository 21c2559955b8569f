"""Straight radars that read a turn, against the steps of the paper's text (reference/rolling_steps.py) and against exact sweeps."""

import math

import numpy as np
import pytest
from sweepscope_lab.reference.rolling_steps import paper_radar, paper_steps
from sweepscope_lab.scenes.rolling import BODIES
from sweepscope_lab.simulate.foresight import SMALL, turn_and_back, turn_until
from sweepscope_lab.simulate.roll import Roll, RollSettings
from sweepscope_lab.simulate.straight_radars import PLACEMENTS, RULES, SectorReading, StraightRadars

from sweepscope import Box, Capsule, Mesh, Rotate, Scene, Translate, View
from sweepscope.errors import InvalidMotion, InvalidQuery, InvalidType


def world_triangles(body):
    return (body.vertices @ body.pose[:3, :3].T + body.pose[:3, 3])[body.shape.faces]


@pytest.fixture(scope="module")
def tipping():
    """A roll of a body that is about to turn, and that turn."""

    def make(name):
        roll = Roll(RollSettings(body=name, seed=1, roughness=0.6))
        before = roll.body.pose
        while (event := roll.step()).kind != "turn" or event.amount < 0.25:
            before = roll.body.pose
        roll.body.pose = Rotate(event.axis, event.amount - 0.15, about=event.about).at() @ before
        return roll, Rotate(event.axis, 0.3, about=event.about)

    return make


@pytest.mark.slow
@pytest.mark.parametrize("behind", ["skip", "hit"])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", ["cube", "star"])
def test_a_pixel_allows_what_the_papers_text_allows(tipping, name, rule, behind):
    roll, motion = tipping(name)
    rim = 0.05 * roll.size
    reading = StraightRadars(roll.scene, roll.body, (9, 8), rule=rule, rim=rim, behind=behind).probe(motion)
    body, ground = world_triangles(roll.body), world_triangles(roll.ground)
    about, center = np.array(motion.about), roll.body.pose[:3, 3]
    compared = 0
    for k, sector in enumerate(reading.sectors):
        twin = paper_radar(
            body, ground, np.array(motion.axis), about, center, k == 1, 0.3, (9, 8), rule=rule, behind=behind, rim=rim
        )
        assert (sector is None) == (twin is None)
        if twin is not None:
            np.testing.assert_allclose(sector.allowed, twin.allowed, rtol=0.0, atol=1e-12)
            np.testing.assert_allclose(sector.angle, twin.angle)
            compared += np.isfinite(twin.allowed).sum()
    assert compared > 5


def test_what_is_behind_the_leading_surface_collides_in_the_paper_only():
    """A post with a foot that reaches back; a rod stands over the foot, behind the post, which turns away from it."""
    scene = Scene()
    parts = [Mesh.box((0.2, 1.0, 1.0)).vertices + (0.0, 0.0, 0.5), Mesh.box((0.8, 1.0, 0.2)).vertices - (0.5, 0.0, -0.1)]
    faces = Mesh.box((1.0, 1.0, 1.0)).faces
    post = scene.add(Mesh(np.concatenate(parts), np.concatenate((faces, faces + 8))), name="post")
    scene.add(Box((0.1, 3.0, 0.1)), (-0.5, 0.0, 0.8), name="rod")
    motion = Rotate((0.0, 1.0, 0.0), 0.1)
    assert scene.sweep(post, motion) is None
    skip, hit = (
        StraightRadars(scene, post, 40, behind=behind, center=(0.0, 0.0, 0.5)).probe(motion) for behind in ("skip", "hit")
    )
    assert not skip
    assert hit.angle == 0.0
    assert hit.point[2] == pytest.approx(0.8, abs=0.06)


def random_case(seed):
    """A random solid that has dropped on random terrain, and how it tips from there: scene, body, ground, motion."""
    rng = np.random.default_rng((32, seed))
    mesh = BODIES[("cube", "long box", "L-shape", "star", "dodecahedron")[seed % 5]]()
    pose = np.eye(4)
    pose[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    pose[:3, :3] *= np.linalg.det(pose[:3, :3])
    heights = rng.normal(scale=rng.choice((0.1, 0.4)), size=(7, 7))
    ground = Mesh.terrain(heights, 0.7)
    pose[:3, 3] = (*rng.uniform(-0.3, 0.3, 2), heights.max() + 1.2)
    scene = Scene()
    land, body = scene.add(ground, name="ground"), scene.add(mesh, pose, name="body")
    hit = scene.sweep(body, Translate((0.0, 0.0, -9.0)))
    pose[2, 3] -= hit.travel - 0.001
    body.pose = pose
    arm = pose[:3, 3] - hit.point
    axis = np.array((-arm[1], arm[0], rng.uniform(-0.1, 0.1)))
    return scene, body, land, Rotate(axis, 0.5, about=hit.point)


@pytest.mark.slow
@pytest.mark.parametrize("limit", [0.005, 0.02, 0.08])
def test_steps_end_where_those_of_the_papers_text_end(limit):
    found = free = pairs = at_once = 0
    for seed in range(40):
        scene, body, ground, motion = random_case(seed)
        # The paper's own procedure, and every fourth time ours of the same.
        behind, rim = ("skip", 0.05) if seed % 4 == 3 else ("hit", 0.0)
        rule = RULES[seed % 8 // 4 * 2]
        radars = StraightRadars(scene, body, (8, 7), rule=rule, rim=rim, behind=behind)
        before = body.pose
        turned, reading, looks = turn_until(radars, motion, limit, 0.1)
        np.testing.assert_array_equal(body.pose, before)
        twin = paper_steps(
            world_triangles(body),
            world_triangles(ground),
            np.array(motion.axis),
            np.array(motion.about),
            before[:3, 3],
            angle=0.5,
            limit=limit,
            step=0.1,
            pixels=(8, 7),
            rule=rule,
            behind=behind,
            rim=rim,
        )
        assert turned == pytest.approx(twin.turned, abs=1e-9), seed
        assert looks == twin.looks, seed
        assert (-1 if reading is None else reading.radar) == twin.detected, seed
        if reading is None:
            free += 1
            continue
        found, at_once = found + 1, at_once + (turned == 0.0)
        assert reading.angle <= limit
        sector = reading.sectors[reading.radar]
        np.testing.assert_allclose(sector.allowed, twin.radar.allowed, rtol=0.0, atol=1e-9)
        collisions = twin.radar.collisions(limit)
        assert [tuple(pixel) for pixel in sector.collisions(limit).tolist()] == collisions
        places = sector.places(sector.collisions(limit))
        np.testing.assert_allclose(places, [twin.radar.places[pixel] for pixel in collisions], atol=1e-9)
        ends = [tuple(end) for end in sector.axis_ends(limit).tolist()]
        assert set(ends) <= set(collisions)
        assert len(ends) == len(twin.radar.ends(limit))
        if len(ends) == 2:
            pairs += 1
            # Several pairs may be equally far apart.
            assert twin.radar.apart(*ends) == pytest.approx(twin.radar.apart(*twin.radar.ends(limit)), rel=1e-12)
    assert found > 15
    assert free > 2
    assert free + at_once < 36
    assert pairs > 3


@pytest.mark.slow
def test_a_turn_without_collision_is_free_in_both():
    free = 0
    for seed in range(10):
        scene, body, ground, motion = random_case(seed)
        body.pose = Translate((0.0, 0.0, 5.0)).at() @ body.pose
        radars = StraightRadars(scene, body, (8, 7), rule="row", rim=0.0, behind="hit")
        twin = paper_steps(
            world_triangles(body),
            world_triangles(ground),
            np.array(motion.axis),
            np.array(motion.about),
            body.pose[:3, 3],
            angle=0.5,
            limit=0.02,
            step=0.1,
            pixels=(8, 7),
        )
        assert turn_until(radars, motion, 0.02, 0.1) == (motion.length, None, twin.looks)
        assert (twin.turned, twin.detected, twin.radar) == (0.5, -1, None)
        free += 1
    assert free == 10


def test_without_a_limit_a_turn_ends_at_what_is_read():
    scene = Scene()
    bar = scene.add(Box((0.2, 1.0, 2.0)), (0.0, 0.0, 1.0), name="bar")
    scene.add(Box((1.0, 4.0, 0.2)), (1.5, 0.0, 0.9), name="wall")
    radars = StraightRadars(scene, bar, 100)
    turned, reading, looks = turn_until(radars, Rotate((0.0, 1.0, 0.0), 1.2), None)
    assert reading.hit
    assert looks == round(turned / SMALL) + 1
    assert 0.6 < turned + reading.angle < 0.8
    back = turn_until(radars, Rotate((0.0, 1.0, 0.0), -1.2), None)
    assert back[:2] == (pytest.approx(1.2), None)


@pytest.mark.parametrize("seed", range(20))
def test_both_ends_are_the_collisions_farthest_apart(seed):
    rng = np.random.default_rng(seed)
    rows, columns = rng.integers(1, 12, 2)
    width, height = rng.uniform(0.5, 2.0, 2)
    allowed = rng.uniform(0.0, 1.0, (rows, columns))
    allowed[rng.uniform(size=allowed.shape) < 0.3] = np.nan
    limit = (0.02, 0.2, 0.7)[seed % 3]
    view = View((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), width=width, height=height, depth=1.0)
    ids = np.zeros(allowed.shape, np.int32)
    sector = SectorReading(view, allowed, allowed, allowed, allowed, ids, ids)
    collisions = [(i, j) for i in range(rows) for j in range(columns) if allowed[i, j] <= limit]
    assert sector.collisions(limit).tolist() == [list(each) for each in collisions]
    ends = sector.axis_ends(limit)
    if len(collisions) < 2:
        assert ends.tolist() == [list(each) for each in collisions]
        return

    def apart(p, q):
        return math.hypot((p[0] - q[0]) * height / rows, (p[1] - q[1]) * width / columns)

    farthest = max(apart(p, q) for p in collisions for q in collisions)
    assert {tuple(end) for end in ends.tolist()} <= set(collisions)
    assert apart(*ends) == pytest.approx(farthest, rel=1e-12)


@pytest.fixture
def bar_and_wall():
    """A bar that stands on the y axis, and a beam ahead of it at x = 1, from z = 0.8 up to 1."""
    scene = Scene()
    bar = scene.add(Box((0.2, 1.0, 2.0)), (0.0, 0.0, 1.0), name="bar")
    scene.add(Box((1.0, 4.0, 0.2)), (1.5, 0.0, 0.9), name="wall")
    return scene, bar


def test_two_radars_read_a_bar_that_turns_towards_a_wall(bar_and_wall):
    scene, bar = bar_and_wall
    # At its upper edge the beam is 0.9 ahead of the bar, whose front is 0.1 before the axis.
    for rule, angle in (
        ("row", math.atan(0.9)),
        ("subtended", 0.25 * math.pi - math.atan(0.1)),
        ("arm", math.atan(0.9 / math.hypot(1.0, 0.1))),
    ):
        reading = StraightRadars(scene, bar, 400, rule=rule).probe(Rotate((0.0, 1.0, 0.0), 1.2))
        assert reading
        assert reading.angle == pytest.approx(angle, abs=0.005)
    # The truth lies between: the front meets the edge at (1, 1).
    assert 0.25 * math.pi - math.atan(0.1) < 0.25 * math.pi - math.asin(0.1 / math.sqrt(2.0)) < reading.angle
    assert reading.body is scene["wall"]
    assert reading.radar == 0
    assert reading.point[0] == pytest.approx(1.0, abs=1e-9)
    assert reading.point[2] == pytest.approx(1.0, abs=0.02)
    np.testing.assert_allclose(reading.normal, (-1.0, 0.0, 0.0), atol=1e-12)
    away = StraightRadars(scene, bar, 200).probe(Rotate((0.0, 1.0, 0.0), -1.2))
    assert not away
    assert away.angle == pytest.approx(1.2)
    assert math.isnan(away.point[0])


def test_two_radars_test_only_above_the_axis(bar_and_wall):
    scene, bar = bar_and_wall
    bar.pose = (0.0, 0.0, 0.5)  # half of it is below the axis now
    reading = StraightRadars(scene, bar, 100).probe(Rotate((0.0, 1.0, 0.0), 0.4, about=(0.0, 0.0, 0.0)))
    first, second = reading.sectors
    assert first.view.height == pytest.approx(1.5)
    assert second.view.height == pytest.approx(0.5)
    np.testing.assert_allclose(first.view.toward, (1.0, 0.0, 0.0), atol=1e-12)
    np.testing.assert_allclose(second.view.toward, (-1.0, 0.0, 0.0), atol=1e-12)
    np.testing.assert_allclose(second.view.up, (0.0, 0.0, -1.0), atol=1e-12)
    both = np.isfinite(first.lookat)
    np.testing.assert_allclose(first.lookat[both], (first.range + first.mask - first.view.depth)[both], atol=1e-12)


def test_two_radars_refuse_what_they_cannot_read(bar_and_wall):
    scene, bar = bar_and_wall
    for pixels in (0, (5, 0), -3, 2.5):
        with pytest.raises(InvalidType if pixels == 2.5 else InvalidQuery, match="pixels"):
            StraightRadars(scene, bar, pixels)
    with pytest.raises(InvalidQuery, match="'row', 'arm', 'subtended'"):
        StraightRadars(scene, bar, rule="guess")
    with pytest.raises(InvalidQuery, match="'skip', 'hit', 'overlap'"):
        StraightRadars(scene, bar, behind="maybe")
    with pytest.raises(InvalidQuery, match="'around', 'shape'"):
        StraightRadars(scene, bar, placement="somewhere")
    for count in (1, 0, 2.5, True, 25):
        with pytest.raises(InvalidQuery, match=r"count is .*accepted: a whole number from 2 to 24"):
            StraightRadars(scene, bar, count=count)
    with pytest.raises(InvalidQuery, match="rim is -1"):
        StraightRadars(scene, bar, rim=-1.0)
    radars = StraightRadars(scene, bar)
    with pytest.raises(InvalidMotion, match="expected a Rotate"):
        radars.probe(Translate((1.0, 0.0, 0.0)))
    for angle in (0.0, 2.0, -3.0):
        with pytest.raises(InvalidMotion, match=r"accepted: -1\.414 to 1\.414 radians, not 0"):
            radars.probe(Rotate((0.0, 1.0, 0.0), angle))


# ---- more than two


@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize("count", [2, 3, 4, 6])
def test_parts_all_around_the_axis_are_read(count, placement):
    """A ring of needles around the axis, each with a wall ahead: all are read, each by the radar that looks along its motion."""
    scene = Scene()
    turns = (np.arange(12) + 0.4) * (math.pi / 6.0)
    at = [np.array((math.cos(turn), 0.0, -math.sin(turn))) for turn in turns]
    needle = Mesh.box((0.04, 1.0, 0.04))
    ring = np.concatenate([needle.vertices + 2.0 * place for place in at])
    faces = np.concatenate([needle.faces + 8 * k for k in range(12)])
    body = scene.add(Mesh(ring, faces), name="ring")
    motion = Rotate((0.0, 1.0, 0.0), 0.2)
    read = []
    for turn in turns:
        there = turn + 0.1
        wall = scene.add(
            Box((0.4, 3.0, 0.01)),
            Rotate((0.0, 1.0, 0.0), there).at() @ Translate((2.0, 0.0, 0.0)).at(),
        )
        exact = scene.sweep(body, motion).travel
        radars = StraightRadars(
            scene, body, (30, 200), count=count, placement=placement, rule="subtended", center=(0.0, 0.0, 1.0)
        )
        reading = radars.probe(motion)
        assert len(reading.sectors) == len(reading.angles) == count
        if reading.hit:
            read.append(reading.angle - exact)
        scene.remove(wall)
    # Some needles move along the view of the two radars, and some are hidden by others where sectors are wide.
    assert len(read) >= (12 if placement == "around" and count > 2 else 8)
    worst = np.abs(read).max()
    assert worst < {2: 0.12, 3: 0.05, 4: 0.03, 6: 0.02}[count]


def test_radars_by_shape_look_where_the_body_sweeps():
    """A bar that turns about its end: all radars look along its motion, none at the empty space behind the axis."""
    scene = Scene()
    bar = scene.add(Box((0.2, 1.0, 2.0)), (0.0, 0.0, 1.0), name="bar")
    scene.add(Box((9.0, 9.0, 0.2)), (0.0, 0.0, -3.0), name="floor")
    motion = Rotate((0.0, 1.0, 0.0), 0.5)
    for count in (2, 3, 4, 6):
        around, shape = (
            [
                sector.view.toward[0]
                for sector in StraightRadars(scene, bar, 20, count=count, placement=placement).probe(motion).sectors
                if sector is not None
            ]
            for placement in PLACEMENTS
        )
        assert len(shape) == count
        assert min(shape) > 0.8
        assert min(around) < 0.6


def test_a_body_without_faces_that_sweep_has_its_radars_around():
    scene = Scene()
    rod = scene.add(Capsule.from_segment((0.0, -0.5, 1.0), (0.0, 0.5, 1.0), radius=0.0), name="rod")
    scene.add(Box((1.0, 4.0, 0.2)), (1.5, 0.0, 0.9), name="wall")
    motion = Rotate((0.0, 1.0, 0.0), 0.3, about=(0.0, 0.0, 0.4))
    directions = [
        [
            sector.view.toward
            for sector in StraightRadars(scene, rod, 20, count=3, placement=placement).probe(motion).sectors
            if sector is not None
        ]
        for placement in PLACEMENTS
    ]
    assert directions[0] == directions[1]


# ---- turn, test, turn back


def test_a_bar_that_turned_into_a_wall_turns_back(bar_and_wall):
    scene, bar = bar_and_wall
    motion = Rotate((0.0, 1.0, 0.0), 1.2)
    exact = scene.sweep(bar, motion).travel
    radars = StraightRadars(scene, bar, 400, rule="subtended", behind="overlap")
    turned, reading, looks = turn_and_back(radars, motion, 0.002, 0.1)
    np.testing.assert_array_equal(bar.pose, Translate((0.0, 0.0, 1.0)).at())
    assert turned == pytest.approx(exact, abs=0.01)
    assert reading.body is scene["wall"]
    assert reading.angle < 0.0
    assert reading.point[0] == pytest.approx(1.0, abs=0.01)
    assert looks > exact / 0.1
    # The other way nothing is met.
    assert turn_and_back(radars, Rotate((0.0, 1.0, 0.0), -0.5), 0.002, 0.1) == (0.5, None, 5)


def test_what_was_behind_before_the_turn_is_no_overlap():
    """The rod is behind the post, over its foot: no turn brought it there."""
    scene = Scene()
    parts = [Mesh.box((0.2, 1.0, 1.0)).vertices + (0.0, 0.0, 0.5), Mesh.box((0.8, 1.0, 0.2)).vertices - (0.5, 0.0, -0.1)]
    faces = Mesh.box((1.0, 1.0, 1.0)).faces
    post = scene.add(Mesh(np.concatenate(parts), np.concatenate((faces, faces + 8))), name="post")
    scene.add(Box((0.1, 3.0, 0.1)), (-0.5, 0.0, 0.8), name="rod")
    radars = StraightRadars(scene, post, 40, behind="overlap", center=(0.0, 0.0, 0.5))
    assert not radars.probe(Rotate((0.0, 1.0, 0.0), 0.1))
    reading = radars.probe(Rotate((0.0, 1.0, 0.0), 1.0))
    assert reading.angle == pytest.approx(-math.atan(0.55 / 0.8), abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("placement", PLACEMENTS)
def test_turning_back_ends_at_contact(tipping, placement):
    errors = []
    for name in BODIES:
        roll, motion = tipping(name)
        exact = roll.scene.sweep(roll.body, motion).travel
        radars = StraightRadars(
            roll.scene, roll.body, 200, count=4, placement=placement, rule="subtended", rim=0.02 * roll.size, behind="overlap"
        )
        before = roll.body.pose
        turned = turn_and_back(radars, motion, 0.002)[0]
        np.testing.assert_array_equal(roll.body.pose, before)
        errors.append(abs(turned - exact))
    # Cube and long box land next to the axis: where a pixel is a large angle, and within the rim, where nothing is tested.
    assert sorted(errors)[3] < 0.005


@pytest.mark.slow
def test_more_radars_are_nearer_to_the_sweep(tipping):
    """Mean error of one look, 0.15 radians before contact: six radars are nearer than two, and radars by shape nearer than around."""
    errors = {}
    for placement in PLACEMENTS:
        for count in (2, 6):
            found = []
            for name in BODIES:
                roll, motion = tipping(name)
                exact = roll.scene.sweep(roll.body, motion).travel
                radars = StraightRadars(
                    roll.scene, roll.body, 100, count=count, placement=placement, rule="subtended", rim=0.02 * roll.size
                )
                found.append(min(abs(radars.probe(motion).angle - exact), 0.15))
            errors[placement, count] = np.mean(found)
    assert errors["around", 6] < errors["around", 2]
    assert errors["shape", 2] < errors["around", 2]
