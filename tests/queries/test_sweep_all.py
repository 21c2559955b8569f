"""`Scene.sweep_all`: each body as if it were alone, soonest first, and when it is left."""

from __future__ import annotations

import json
import math
import threading

import numpy as np
import pytest
from sweepscope_lab.reference.sweep_all import sweep_all_slow
from sweepscope_lab.reference.vectors import random_direction, random_rotation
from sweepscope_lab.scenes.touching import pose_of
from sweepscope_lab.verify.partings import generated_parts

from sweepscope import (
    Body,
    Box,
    Capsule,
    Hit,
    Joint,
    Mesh,
    Motion,
    PointCloud,
    Robot,
    Rotate,
    Scene,
    Screw,
    Shape,
    Sphere,
    Translate,
    Volume,
)
from sweepscope.errors import InvalidIndex, InvalidQuery, InvalidType, NotFound

_STILL = Translate((0, 0, 0))


def _same(one: Hit, other: Hit) -> None:
    """Two hits have the same bits."""
    assert (one.time, one.travel, one.overlapping) == (other.time, other.travel, other.overlapping)
    assert one.obstacle is other.obstacle
    assert one.mover is other.mover
    assert one.features == other.features
    for name in ("point", "normal", "pose"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name


def _shape(rng: np.random.Generator) -> Shape:
    kind = int(rng.integers(6))
    if kind == 0:
        return Sphere(float(rng.uniform(0.1, 0.5)))
    if kind == 1:
        return Capsule.from_segment((0, 0, -0.4), (0, 0, 0.4), radius=0.2)
    parts = generated_parts()
    return parts[int(rng.integers(len(parts)))].mesh


def _scene(rng: np.random.Generator, count: int = 8) -> tuple[Scene, list[Body], Motion]:
    """Return bodies in a row, one or two movers before them, and a motion past or through them."""
    scene = Scene()
    for _ in range(count):
        place = np.array((rng.uniform(0.0, 6.0), rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0)))
        scene.add(_shape(rng), pose_of(random_rotation(rng), place))
    movers = [
        scene.add(_shape(rng), pose_of(random_rotation(rng), np.array((-1.0 - k, 0.0, 0.0)))) for k in range(rng.integers(1, 3))
    ]
    kind = int(rng.integers(3))
    if kind == 0:
        return scene, movers, Translate((float(rng.uniform(4.0, 9.0)), *rng.normal(size=2).tolist()))
    about = np.array((2.5, 0.0, 0.0)) + rng.normal(size=3)
    if kind == 1:
        return scene, movers, Rotate(random_direction(rng), float(rng.choice((-1, 1)) * rng.uniform(2.0, 7.0)), about=about)
    return scene, movers, Screw((1.0, 0.2, 0.0), float(rng.uniform(-4.0, 4.0)), slide=7.0, about=(0.0, 0.5, 0.0))


def test_each_is_the_sweep_against_that_body_alone() -> None:
    met = left = overlapping = 0
    for seed in range(120):
        rng = np.random.default_rng((seed, 1))
        scene, movers, motion = _scene(rng)
        margin = 0.0 if seed % 3 else 0.05
        resting = "hit" if seed % 5 == 0 else "free"
        found = scene.sweep_all(movers, motion, margin=margin, resting=resting)
        slow = {each.hit.obstacle: each for each in sweep_all_slow(movers, motion, margin=margin, resting=resting)}
        assert set(found.obstacles) == set(slow)
        for passage in found:
            _same(passage.hit, slow[passage.obstacle].hit)
            assert passage.left_travel == pytest.approx(slow[passage.obstacle].left_travel, abs=1e-12)
            assert passage.left_travel >= passage.hit.travel
            assert passage.left_time == pytest.approx(passage.left_travel / motion.length)
            met += 1
            left += passage.left_time < math.inf
            overlapping += passage.hit.overlapping
    assert met > 250
    assert 100 < left < met
    assert overlapping > 5


def test_the_first_is_the_hit_of_sweep() -> None:
    hits = ties = 0
    for seed in range(150):
        rng = np.random.default_rng((seed, 2))
        scene, movers, motion = _scene(rng, 5)
        if seed % 3 == 0:  # several bodies are met at once, or overlap at the start
            twin = scene.bodies[int(rng.integers(5))]
            scene.add(twin.shape, twin.pose)
        if seed % 4 == 0:
            movers[0].pose = scene.bodies[0].pose
        hit = scene.sweep(movers, motion)
        found = scene.sweep_all(movers, motion)
        travels = [passage.hit.travel for passage in found]
        assert travels == sorted(travels)
        assert bool(found) == (hit is not None)
        if hit is not None:
            hits += 1
            ties += len(found) > 1 and travels[0] == travels[1]
            first = found[0].hit
            assert (first.travel, first.obstacle, first.overlapping) == (hit.travel, hit.obstacle, hit.overlapping)
    assert hits > 80
    assert ties > 8


def test_after_it_is_left_the_way_is_clear() -> None:
    left = 0
    for seed in range(80):
        rng = np.random.default_rng((seed, 3))
        scene, movers, motion = _scene(rng, 4)
        starts = [body.pose for body in movers]
        for passage in scene.sweep_all(movers, motion):
            others = [body for body in scene.bodies if body is not passage.obstacle and body not in movers]
            if passage.left_time == math.inf:
                moment = 1.0
            else:
                left += 1
                moment = passage.left_time
                for body, start in zip(movers, starts, strict=True):
                    body.pose = motion.at(min(moment + 1e-6, 1.0)) @ start
                rest = 1.0 - min(moment + 1e-6, 1.0)
                assert scene.sweep(movers, _part(motion, rest), ignore=others) is None
            # A little before, they touch or overlap, unless they only graze.
            for body, start in zip(movers, starts, strict=True):
                body.pose = motion.at(max(moment - 1e-6, 0.0)) @ start
            near = scene.sweep(movers, _STILL, margin=1e-4, ignore=others)
            assert near is not None
        for body, start in zip(movers, starts, strict=True):
            body.pose = start
    assert left > 60


def _part(motion: Motion, share: float) -> Motion:
    if isinstance(motion, Translate):
        return Translate([share * x for x in motion.vector])
    if isinstance(motion, Rotate):
        return Rotate(motion.axis, share * motion.angle, about=motion.about)
    assert isinstance(motion, Screw)
    return Screw(motion.axis, share * motion.angle, slide=share * motion.slide, about=motion.about)


def test_walls_are_met_and_left_in_order() -> None:
    scene = Scene()
    for k in range(3):
        scene.add(Box((0.2, 2, 2)), (2.0 * k + 1.0, 0, 0), name=f"wall {k}")
    ball = scene.add(Sphere(0.5))
    found = scene.sweep_all(ball, Translate((5.0, 0, 0)))
    assert [passage.obstacle.name for passage in found] == ["wall 0", "wall 1", "wall 2"]
    assert [passage.hit.travel for passage in found] == pytest.approx([0.4, 2.4, 4.4])
    assert [passage.left_travel for passage in found] == pytest.approx([1.6, 3.6, math.inf])
    assert [passage.left_time for passage in found] == pytest.approx([0.32, 0.72, math.inf])
    assert found.hits == tuple(passage.hit for passage in found)
    assert found[1:] == found.passages[1:]
    assert repr(found) == "<SweepAllResult: 'wall 0', 'wall 1', 'wall 2'>"
    assert repr(found[2]) == "<Passage: 'sphere 3' meets 'wall 2' after 4.4, does not leave it>"
    plain = json.loads(json.dumps(found.as_dict()))
    assert [each["left_travel"] for each in plain["passages"]] == pytest.approx([1.6, 3.6, None])
    with_margin = scene.sweep_all(ball, Translate((5.0, 0, 0)), margin=0.1)
    assert [passage.hit.travel for passage in with_margin] == pytest.approx([0.3, 2.3, 4.3])
    assert [passage.left_travel for passage in with_margin][:2] == pytest.approx([1.7, 3.7])
    assert not scene.sweep_all(ball, Translate((0, 0, 5)))
    assert repr(scene.sweep_all(ball, Translate((0, 0, 5)))) == "<SweepAllResult: nothing is met>"
    assert len(scene.sweep_all(ball, Translate((5.0, 0, 0)), ignore=[scene["wall 1"]])) == 2


def test_it_may_leave_and_come_back() -> None:
    scene = Scene()
    scene.add(Mesh.box((0.2, 0.2, 4)), (1, 0, 0), name="post")
    ball = scene.add(Sphere(0.1), (0, -1, 0))
    turn = Rotate((0, 0, 1), 2.0 * math.pi + 2.0, about=(0, 0, 0))  # it meets the post twice
    passage = scene.sweep_all(ball, turn)[0]
    assert passage.hit.travel < math.pi / 2
    assert math.pi / 2 + 2.0 * math.pi < passage.left_travel < turn.length


@pytest.mark.parametrize(
    ("height", "down", "resting", "left"),
    [
        (1.0, -0.5, "free", math.inf),  # it comes to rest at the end
        (1.0, -0.5, "hit", math.inf),
        (1.0, -0.7, "free", math.inf),  # it ends inside
        (0.5, 0.5, "hit", 0.0),  # it rests at the start, and leaves at once
        (0.4, 0.5, "free", 0.1),  # it overlaps at the start
    ],
)
def test_start_and_end_in_contact(height: float, down: float, resting: str, left: float) -> None:
    scene = Scene()
    scene.add(Box((4, 4, 1)), (0, 0, -0.5), name="floor")
    box = scene.add(Box((1, 1, 1)), (0, 0, height))
    found = scene.sweep_all(box, Translate((0, 0, down)), resting=resting)  # type: ignore[arg-type]
    assert [passage.left_travel for passage in found] == pytest.approx([left], abs=1e-9)


def test_resting_without_approach_is_not_met() -> None:
    scene = Scene()
    scene.add(Box((4, 4, 1)), (0, 0, -0.5), name="floor")
    box = scene.add(Box((1, 1, 1)), (0, 0, 0.5))
    assert not scene.sweep_all(box, Translate((0.5, 0, 0)))
    found = scene.sweep_all(box, Translate((0.5, 0, 0)), resting="hit")
    assert [passage.left_time for passage in found] == [math.inf]
    found = scene.sweep_all(box, Translate((9, 0, 0)), resting="hit")
    assert [passage.left_travel for passage in found] == pytest.approx([2.5])


def test_no_motion_reports_all_overlaps() -> None:
    scene = Scene()
    for k in range(3):
        scene.add(Sphere(0.5), (0.3 * k, 0, 0))
    scene.add(Box((3, 3, 3)), name="around")
    ball = scene.add(Sphere(0.2))
    found = scene.sweep_all(ball, _STILL)
    assert {passage.obstacle.name for passage in found} == {"sphere 0", "sphere 1", "sphere 2", "around"}
    assert all(passage.hit.overlapping and passage.left_time == math.inf for passage in found)


def test_volumes_are_met_as_by_single_sweeps() -> None:
    met = 0
    for seed in range(12):
        rng = np.random.default_rng((seed, 4))
        scene = Scene()
        bits = rng.random((4, 4, 4)) < 0.5
        for k in range(4):
            place = np.array((1.5 * k + 2.0, rng.integers(-1, 2), 0.0))
            pose = pose_of(random_rotation(rng) if k % 2 else np.eye(3), place)
            scene.add(Volume(bits, spacing=0.25) if k != 3 else Mesh.sphere(0.5), pose)
        mover = scene.add(Volume(rng.random((3, 3, 3)) < 0.7, spacing=0.25) if seed % 2 else Mesh.cylinder(0.3, 1.0))
        motion = Translate((8.0, 0.0, 0.0)) if seed % 3 else Rotate((0, 0, 1), 1.0, about=(3.0, 4.0, 0.0))
        found = scene.sweep_all(mover, motion)
        slow = {each.hit.obstacle: each for each in sweep_all_slow([mover], motion)}
        assert set(found.obstacles) == set(slow)
        for passage in found:
            met += 1
            other = slow[passage.obstacle]
            assert passage.hit.travel == pytest.approx(other.hit.travel, abs=1e-12)
            assert passage.hit.features == other.hit.features
            assert passage.left_travel == pytest.approx(other.left_travel, abs=1e-9)
        # The scene is as it was.
        assert np.array_equal(mover.pose, np.eye(4))
    assert met > 12


def test_many_bodies_and_changes() -> None:
    scene = Scene()
    grid = np.stack(np.meshgrid(*[np.arange(10.0)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    bodies = scene.add_many(Sphere(0.2), grid)
    ball = scene.add(Sphere(0.3), (-1.0, 4.0, 4.0))
    motion = Translate((12.0, 0, 0))
    assert [passage.obstacle for passage in scene.sweep_all(ball, motion)] == [bodies[k] for k in range(44, 1000, 100)]
    scene.remove(bodies[144])
    bodies[245].pose = (0.5, 4.0, 4.0)
    names = [passage.obstacle.id for passage in scene.sweep_all(ball, motion)]
    assert names == [bodies[k].id for k in (44, 245, 244, 344, 444, 544, 644, 744, 844, 944)]
    big = scene.add(Mesh.sphere(3.0, rows=20, sections=20), (-4.0, 4.5, 4.5))
    found = scene.sweep_all(big, Translate((20.0, 0, 0)))
    slow = sweep_all_slow([big], Translate((20.0, 0, 0)))
    assert len(found) == len(slow) > 300
    assert sorted(passage.hit.travel for passage in found) == sorted(each.hit.travel for each in slow)


def test_bodies_that_ignore_each_other_are_passed() -> None:
    scene = Scene()
    a, b, c, d = (scene.add(Box((0.2, 2, 2)), (k + 1.0, 0, 0), group="doors" if k == 3 else "") for k in range(4))
    ball = scene.add(Sphere(0.3), group="ghosts")
    scene.ignore(ball, b)
    scene.ignore_groups("ghosts", "doors")
    assert scene.sweep_all(ball, Translate((9, 0, 0))).obstacles == (a, c)
    scene.unignore(ball, b)
    assert scene.sweep_all(ball, Translate((9, 0, 0)), ignore=[c]).obstacles == (a, b)
    assert d not in scene.sweep_all(ball, Translate((9, 0, 0))).obstacles


def test_a_deformed_mesh_is_met_where_it_is_now() -> None:
    scene = Scene()
    wall = scene.add(Mesh.box((0.2, 2, 2)), (2, 0, 0))
    ball = scene.add(Sphere(0.3))
    wall.vertices = wall.vertices + (1.0, 0, 0)
    assert scene.sweep_all(ball, Translate((9, 0, 0)))[0].hit.travel == pytest.approx(2.6)


def test_threads_get_the_same_answers() -> None:
    scene, movers, motion = _scene(np.random.default_rng(7))
    expected = [(each.obstacle, each.hit.travel, each.left_travel) for each in scene.sweep_all(movers, motion)]
    found: list[object] = []

    def work() -> None:
        for _ in range(20):
            found.append([(each.obstacle, each.hit.travel, each.left_travel) for each in scene.sweep_all(movers, motion)])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 80


def test_a_robot_link_is_an_obstacle_as_any_other() -> None:
    scene = Scene()
    ball = scene.add(Sphere(0.3))
    robot = Robot(scene, (2, 0, 0))
    robot.add("base", Box((0.2, 2, 2)))
    arm = robot.add("arm", Box((0.2, 2, 2)), parent="base", joint=Joint.prismatic("out", (1, 0, 0), origin=(1, 0, 0)))
    assert [passage.obstacle.name for passage in scene.sweep_all(ball, Translate((9, 0, 0)))] == ["robot/base", "robot/arm"]
    assert not scene.sweep_all(arm.bodies, Translate((-2, 0, 0)), ignore=[ball])  # links that a joint connects


def test_bad_inputs() -> None:
    scene = Scene()
    ball = scene.add(Sphere(0.3))
    other = Scene().add(Sphere(0.3))
    with pytest.raises(InvalidType, match="motion: expected a Translate, Rotate or Screw, got"):
        scene.sweep_all(ball, (1, 0, 0))  # type: ignore[arg-type]
    with pytest.raises(InvalidQuery, match="margin is -1"):
        scene.sweep_all(ball, _STILL, margin=-1.0)
    with pytest.raises(InvalidQuery, match="resting"):
        scene.sweep_all(ball, _STILL, resting="maybe")  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        scene.sweep_all(other, _STILL)
    with pytest.raises(InvalidType):
        scene.sweep_all("ball", _STILL)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        scene.sweep_all(ball, _STILL, ignore=[other])


def test_a_mover_without_faces_meets_nothing_and_has_a_picture():
    scene = Scene()
    scene.add(Box((1, 1, 1)), (3, 0, 0))
    empty = scene.add(PointCloud(np.empty((0, 3))))
    found = scene.sweep_all(empty, Translate((1, 0, 0)))
    assert not found
    assert found.picture(size=(120, 90)).pixels.shape == (90, 120, 3)
    with pytest.raises(InvalidIndex, match="index 7 is out of range for 0 bodies"):
        found[7]
