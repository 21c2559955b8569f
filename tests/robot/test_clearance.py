"""Clearance of robots against distances of bodies pair by pair, its gradient against differences, and laws."""

import math
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from sweepscope_lab.scenes.urdf_robots import body_pairs
from urdf_arms import write_arm

import sweepscope as ss
from sweepscope.errors import InvalidIndex, InvalidQuery, InvalidType, NotFound
from sweepscope.results import Clearances, PairDistance

EQUAL = 1e-12
STEP = 1e-6


def random_shape(rng):
    kind = rng.integers(4)
    if kind == 0:
        return ss.Box(rng.uniform(0.04, 0.2, 3))
    if kind == 1:
        return ss.Mesh.cylinder(rng.uniform(0.03, 0.08), rng.uniform(0.1, 0.3))
    if kind == 2:
        return ss.Capsule.from_segment((0, 0, 0), (0, 0, rng.uniform(0.1, 0.3)), radius=rng.uniform(0.02, 0.05))
    return ss.Mesh.sphere(rng.uniform(0.04, 0.09), rows=12, sections=16)


def odd_shape(rng):
    """Return points with a radius, an open square, or a soup with needles."""
    kind = rng.integers(3)
    if kind == 0:
        return ss.PointCloud(rng.uniform(-0.1, 0.1, (int(rng.integers(1, 80)), 3)), rng.uniform(0, 0.03))
    if kind == 1:
        return ss.Mesh([(-0.1, -0.1, 0), (0.1, -0.1, 0), (0.1, 0.1, 0), (-0.1, 0.1, 0)], [(0, 1, 2), (0, 2, 3)])
    corners = rng.uniform(-0.08, 0.08, (60, 3))
    corners[::3] = corners[1::3] + (corners[::3] - corners[1::3]) * rng.choice([1, 1e-6], (20, 1))
    return ss.Mesh(corners, np.arange(60).reshape(-1, 3))


def random_pose(rng, spread):
    pose = ss.Rotate(rng.normal(size=3), rng.uniform(0, 3)).at(1.0)
    pose[:3, 3] = rng.uniform(-spread, spread, 3)
    return pose


def random_arm(seed, obstacles=6, shape=random_shape):
    """Return an arm of two chains, with a slide and a joint that mimics another, among obstacles."""
    rng = np.random.default_rng(seed)
    scene = ss.Scene()
    arm = ss.Robot(scene, pose=random_pose(rng, 0.1), name="arm")
    arm.add("base", ss.Box((0.1, 0.1, 0.1)))
    parents = ["base"]
    for k in range(7):
        parent = parents[int(rng.integers(max(0, len(parents) - 2), len(parents)))]
        origin = random_pose(rng, 0.05)
        origin[:3, 3] += origin[:3, 2] * 0.15
        axis, name = rng.normal(size=3), f"joint {k}"
        if k == 3:
            joint = ss.Joint.prismatic(name, axis, origin=origin, limits=(-0.2, 0.2))
        elif k == 5:
            joint = ss.Joint.revolute(name, axis, origin=origin, limits=(-9, 9), mimic=("joint 4", -1.5, 0.1))
        else:
            joint = ss.Joint.revolute(name, axis, origin=origin, limits=(-3, 3))
        pieces = [] if k == 2 else [(shape(rng), random_pose(rng, 0.05)) for _ in range(1 + k % 2)]
        arm.add(f"link {k}", pieces or None, parent=parent, joint=joint)
        parents.append(f"link {k}")
    for k in range(obstacles):
        place = random_pose(rng, 0.0)
        way = rng.normal(size=3)
        place[:3, 3] = way / np.linalg.norm(way) * rng.uniform(0.4, 0.9)
        scene.add(shape(rng), place, name=f"obstacle {k}")
    return arm


def obstacles_of(robot):
    return [body for body in robot.scene.bodies if robot.link_of(body) is None]


def random_q(robot, rng, *shape):
    low, high = np.array([robot.joints[name].limits for name in robot.actuated_joints]).T
    return rng.uniform(low, high, (*shape, len(low)))


def pair_distances(robot, q):
    """Return the distance of each pair of bodies that counts, by their names, and which overlap."""
    robot.q = q
    found = {}
    for pair in body_pairs(robot, obstacles_of(robot)):
        one, other = (robot.scene[name] for name in pair)
        found[pair] = robot.scene.distance(one, other)
    return found


@pytest.mark.parametrize("shape", [random_shape, odd_shape])
@pytest.mark.parametrize("seed", range(8))
def test_least_distance_is_that_of_all_pairs(seed, shape):
    arm = random_arm(seed, shape=shape)
    scene = arm.scene
    qs = random_q(arm, np.random.default_rng(seed), 12)
    found = arm.clearance(qs)
    for q, row in zip(qs, (found[k] for k in range(len(qs))), strict=True):
        pairs = pair_distances(arm, q)
        overlapping = {pair for pair, each in pairs.items() if each.overlapping}
        here = frozenset((scene[int(row.mover)].name, scene[int(row.obstacle)].name))
        assert bool(row.overlapping) == bool(overlapping)
        if overlapping:
            assert here in overlapping
            assert float(row) == 0.0
            assert np.isnan(row.jacobian).all()
            continue
        least = min(each.distance for each in pairs.values())
        assert abs(float(row) - least) < EQUAL
        assert abs(pairs[here].distance - least) < EQUAL
        assert abs(np.linalg.norm(row.point - row.obstacle_point) - least) < EQUAL
        assert np.abs(row.point - row.obstacle_point - least * row.normal).max() < EQUAL
        mover, obstacle = scene[int(row.mover)], scene[int(row.obstacle)]
        assert abs(scene.surface_distance(row.point, mover).distance) < 1e-9
        assert (row.names[mover.id], row.names[obstacle.id]) == (mover.name, obstacle.name)
        assert arm.link_of(mover).name == row.links[int(row.link)]
        link = arm.link_of(obstacle)
        assert row.obstacle_link == (-1 if link is None else row.links.index(link.name))


def test_the_random_arms_hit_and_miss():
    found = [random_arm(seed).clearance(random_q(random_arm(seed), np.random.default_rng(seed), 12)) for seed in range(8)]
    overlapping = np.concatenate([each.overlapping for each in found])
    own = np.concatenate([each.obstacle_link >= 0 for each in found])
    assert 0.2 < overlapping.mean() < 0.8
    assert 0.1 < own[~overlapping].mean() < 0.9


@pytest.mark.parametrize("seed", range(6))
def test_gradient_is_that_of_differences(seed):
    arm = random_arm(seed)
    qs = random_q(arm, np.random.default_rng(seed + 100), 40) * 0.99
    steps = STEP * np.eye(qs.shape[1])
    here = arm.clearance(qs)
    free = ~here.overlapping
    forward = (arm.clearance(qs[:, None] + steps).distance - here.distance[:, None]) / STEP
    backward = (here.distance[:, None] - arm.clearance(qs[:, None] - steps).distance) / STEP
    smooth = free & (np.abs(forward - backward).max(axis=1) < 1e-4)
    assert smooth.sum() > 0.8 * free.sum() > 0
    assert np.abs(0.5 * (forward + backward) - here.jacobian)[smooth].max() < 1e-5


@pytest.mark.parametrize("seed", range(4))
def test_it_overlaps_where_it_is_not_free(seed):
    arm = random_arm(seed)
    qs = random_q(arm, np.random.default_rng(seed), 200)
    found = arm.clearance(qs)
    assert (found.overlapping == ~arm.free(qs)).all()
    assert ((found.distance > 0) == ~found.overlapping).all()


def test_urdf_arm(tmp_path):
    arm = ss.Robot.load(write_arm(tmp_path), name="arm")
    arm.scene.add(ss.Mesh.sphere(0.2), (0.5, 0.3, 0.6), name="ball")
    rng = np.random.default_rng(5)
    low, high = np.array([arm.joints[name].limits for name in arm.actuated_joints]).T
    qs = rng.uniform(np.maximum(low, -2), np.minimum(high, 2), (20, len(low)))
    found = arm.clearance(qs)
    assert not found.overlapping.all()
    for q, distance, overlapping in zip(qs, found.distance, found.overlapping, strict=True):
        pairs = pair_distances(arm, q).values()
        assert overlapping == any(each.overlapping for each in pairs)
        assert abs(distance - min(each.distance for each in pairs)) < EQUAL


def test_without_a_configuration_it_is_where_the_robot_is():
    arm = random_arm(1)
    arm.q = random_q(arm, np.random.default_rng(0))
    one, other = arm.clearance(), arm.clearance(arm.q)
    assert one.shape == ()
    assert float(one) == float(other) == one.distance
    assert (one.jacobian == other.jacobian).all()
    assert one.jacobian.shape == (len(arm.actuated_joints),)


def test_leading_shapes_threads_and_single_calls_have_the_same_bits():
    arm = random_arm(2)
    qs = random_q(arm, np.random.default_rng(3), 40, 5)
    found = arm.clearance(qs, threads=1)
    assert found.shape == (40, 5)
    assert found.point.shape == (40, 5, 3)
    assert found.jacobian.shape == qs.shape
    assert len(found) == 40
    for name, values in arm.clearance(qs.reshape(-1, qs.shape[-1]), threads=2).to_dict().items():
        assert np.array_equal(values, getattr(found, name).reshape(values.shape), equal_nan=True), name
    for name, values in arm.clearance(qs[7, 3]).to_dict().items():
        assert np.array_equal(values, getattr(found[7, 3], name), equal_nan=True), name
    assert found[3:5].shape == (2, 5)
    assert arm.clearance(qs[:0]).shape == (0, 5)
    assert not arm.clearance(qs[:0])
    calls = []
    arm.clearance(qs, progress=lambda done, count: calls.append((done, count)))
    assert calls[-1] == (200, 200)


def test_limit():
    arm = random_arm(4)
    qs = random_q(arm, np.random.default_rng(3), 100)
    found = arm.clearance(qs)
    limit = float(np.median(found.distance[~found.overlapping]))
    near = arm.clearance(qs, limit=limit)
    kept = found.distance <= limit
    assert 0 < kept.sum() < 100
    assert (near.distance[kept] == found.distance[kept]).all()
    assert np.isinf(near.distance[~kept]).all()
    assert (near.mover[~kept] == -1).all()
    assert (near.obstacle_link[~kept] == -1).all()
    assert np.isnan(near.jacobian[~kept]).all()
    far = found[int(np.argmax(found.distance))]
    q = qs[int(np.argmax(found.distance))]
    assert arm.clearance(q, limit=float(far))
    assert not arm.clearance(q, limit=0.999 * float(far))
    assert arm.near_pairs(q, limit=0.999 * float(far)) == []


@pytest.mark.parametrize("seed", range(3))
def test_moving_everything_changes_nothing(seed):
    arm = random_arm(seed)
    qs = random_q(arm, np.random.default_rng(3), 60)
    before = arm.clearance(qs)
    motion = random_pose(np.random.default_rng(9), 2.0)
    for body in obstacles_of(arm):
        body.pose = motion @ body.pose
    arm.pose = motion @ arm.pose
    after = arm.clearance(qs)
    assert (after.overlapping == before.overlapping).all()
    assert np.abs(after.distance - before.distance).max() < 1e-11
    free = ~before.overlapping
    assert np.abs(after.point - before.point @ motion[:3, :3].T - motion[:3, 3])[free].max() < 1e-6
    assert np.abs(after.jacobian - before.jacobian)[free].max() < 1e-6


@pytest.mark.parametrize("seed", range(4))
def test_near_pairs_are_all_pairs_within_the_limit(seed):
    arm = random_arm(seed)
    limit = 0.3
    for q in random_q(arm, np.random.default_rng(seed), 6):
        found = arm.near_pairs(q, limit=limit)
        expected = {pair: each for pair, each in pair_distances(arm, q).items() if each.distance <= limit}
        assert {frozenset((pair.first.name, pair.second.name)) for pair in found} == set(expected)
        assert [float(pair) for pair in found] == sorted(float(pair) for pair in found)
        for pair in found:
            each = expected[frozenset((pair.first.name, pair.second.name))]
            assert arm.link_of(pair.first) is not None
            assert abs(pair.distance - each.distance) < EQUAL
            assert pair.overlapping == each.overlapping
            if pair.kind == "apart":
                assert abs(np.linalg.norm(pair.first_point - pair.second_point) - pair.distance) < EQUAL
        assert float(arm.clearance(q)) == (float(found[0]) if found else float(arm.clearance(q)))


def test_near_pairs_grow_with_need():
    arm = random_arm(3, obstacles=40)
    assert len(arm.near_pairs(limit=math.inf)) > 300
    assert all(isinstance(pair, PairDistance) for pair in arm.near_pairs(limit=math.inf))


@pytest.mark.parametrize("own", [True, False])
def test_many_obstacles(own):
    rng = np.random.default_rng(0)
    arm = random_arm(6, obstacles=0)
    if not own:  # nothing but the world is near
        for one in arm.links:
            for other in arm.links:
                if one != other:
                    arm.ignore(one, other)
    places = rng.uniform(-2, 2, (3000, 3))
    bodies = arm.scene.add_many(ss.Box((0.03, 0.03, 0.03)), places[np.linalg.norm(places, axis=1) > 0.9])
    qs = random_q(arm, rng, 5)
    found = arm.clearance(qs)
    for q, distance in zip(qs, found.distance, strict=True):
        arm.q = q
        movers = [body for name, link in arm.links.items() if name != "base" for body in link.bodies]
        least = arm.scene.distance(movers, bodies).distance
        if own:
            least = min(least, *(each.distance for pair, each in pair_distances_of_links(arm).items()))
        assert abs(distance - least) < EQUAL


def pair_distances_of_links(arm):
    return {pair: arm.scene.distance(*(arm.scene[name] for name in pair)) for pair in body_pairs(arm, [])}


def arm_of_one_joint(scene=None):
    """Return an arm of one joint at the origin: a bar along x from 0.5 to 1.5 that turns about z."""
    arm = ss.Robot(scene, name="arm")
    arm.add("base", ss.Box((0.2, 0.2, 0.2)))
    joint = ss.Joint.revolute("turn", (0, 0, 1), limits=(-3, 3))
    arm.add("bar", (ss.Box((1.0, 0.1, 0.1)), (1.0, 0, 0)), parent="base", joint=joint)
    return arm


def test_a_known_distance_and_gradient():
    arm = arm_of_one_joint()
    arm.scene.add(ss.Box((0.2, 0.2, 0.2)), (1.2, 0.75, 0), name="post")
    found = arm.clearance([0.0])
    assert float(found) == pytest.approx(0.6, abs=1e-12)
    assert found.normal.round(9).tolist() == [0, -1, 0]
    # The nearest points are two parallel faces: the gradient is that of one pair of points on them.
    assert -1.3 <= found.jacobian[0] <= -1.1
    turned = arm.clearance([0.1])
    assert turned.jacobian[0] < -1.1
    assert repr(found) == "<Clearances: 'arm/bar' and 'post' are 0.6 apart>"


def test_pairs_that_no_joint_moves_do_not_count():
    arm = arm_of_one_joint()
    arm.scene.add(ss.Box((9, 9, 0.1)), (0, 0, -0.15), name="table")
    assert float(arm.clearance()) == pytest.approx(0.05)
    assert [pair.first.name for pair in arm.near_pairs(limit=1)] == ["arm/bar"]


def test_inside_an_obstacle():
    arm = arm_of_one_joint()
    arm.scene.add(ss.Box((9, 9, 9)), name="block")
    found = arm.clearance()
    assert found.overlapping
    assert float(found) == 0.0
    assert np.isnan(found.normal).all()
    assert np.isnan(found.jacobian).all()
    assert np.isfinite(found.point).all()
    (pair,) = arm.near_pairs(limit=0)
    assert (pair.kind, pair.inner.name) == ("inside", "arm/bar")
    assert "overlap" in repr(found)


def test_touching_is_not_overlapping():
    arm = arm_of_one_joint()
    arm.scene.add(ss.Box((1, 1, 1)), (1.0, 0.55, 0), name="block")
    found = arm.clearance()
    assert not found.overlapping
    assert float(found) < 1e-9
    assert arm.near_pairs(limit=0.01)[0].kind == "touching"


def test_volumes_and_changes():
    arm = arm_of_one_joint()
    volume = ss.Volume(np.ones((4, 4, 4), bool), 0.1)
    block = arm.scene.add(volume, (1.0, 1.0, 0.0), name="block")
    before = float(arm.clearance())
    assert before == pytest.approx(arm.scene.distance(arm.scene["arm/bar"], block).distance)
    volume[:, :2] = False
    assert float(arm.clearance()) == pytest.approx(before + 0.2)
    block.pose = (1.0, 1.5, 0.0)
    assert float(arm.clearance()) == pytest.approx(before + 0.7)
    arm.scene.remove(block)
    assert float(arm.clearance()) == math.inf


def test_what_is_attached_counts_and_what_is_ignored_does_not():
    arm = arm_of_one_joint()
    post = arm.scene.add(ss.Box((0.2, 0.2, 0.2)), (1.2, 0.75, 0), name="post")
    tool = arm.scene.add(ss.Box((0.1, 0.2, 0.1)), (1.2, 0.15, 0), name="tool")
    arm.attach(tool, "bar")
    found = arm.clearance()
    assert float(found) == pytest.approx(0.4)
    assert arm.scene[int(found.mover)].name == "tool"
    assert found.links[int(found.link)] == "bar"
    assert arm.scene[int(arm.clearance(ignore=[tool]).mover)].name == "arm/bar"
    assert float(arm.clearance(ignore=[post])) == pytest.approx(arm.scene.distance(tool, arm.scene["arm/base"]).distance)
    arm.scene.ignore(tool, post)
    assert arm.scene[int(arm.clearance().mover)].name == "arm/bar"


def test_nothing_is_near():
    arm = arm_of_one_joint()
    found = arm.clearance(np.zeros((3, 1)))
    assert not found
    assert np.isinf(found.distance).all()
    assert arm.near_pairs(limit=math.inf) == []
    assert repr(arm.clearance()) == "<Clearances: nothing within the limit>"


def test_results_are_frozen():
    found = random_arm(0).clearance()
    assert isinstance(found, Clearances)
    with pytest.raises(FrozenInstanceError):
        found.distance = 1
    with pytest.raises(TypeError, match="len"):
        len(found)
    many = random_arm(0).clearance(np.zeros((2, 6)))
    with pytest.raises(TypeError, match=r"shape \(2,\)"):
        float(many)
    with pytest.raises(InvalidIndex):
        many[2]
    assert "shape (2,)" in repr(many)


@pytest.mark.parametrize("call", ["clearance", "near_pairs"])
def test_bad_input(call):
    arm = random_arm(0)

    def ask(*args, **options):
        return getattr(arm, call)(*args, **({"limit": 1.0} | options))

    for limit in (-1.0, math.nan):
        with pytest.raises(InvalidQuery, match="limit"):
            ask(limit=limit)
    with pytest.raises(InvalidType, match="limit"):
        ask(limit="far")
    with pytest.raises(InvalidQuery, match=r"shape \(3,\)"):
        ask(np.zeros(3))
    with pytest.raises(InvalidQuery, match="joint 0"):
        ask(np.full(6, 9.0))
    with pytest.raises(InvalidQuery, match="nan"):
        ask(np.full(6, math.nan))
    with pytest.raises(InvalidType):
        ask(ignore=["arm/base"])
    arm.remove()
    with pytest.raises(NotFound, match="removed"):
        ask()


def test_bad_options():
    arm = random_arm(0)
    with pytest.raises(InvalidQuery, match="threads"):
        arm.clearance(threads=0)
    with pytest.raises(InvalidType, match="progress"):
        arm.clearance(progress=3)
    with pytest.raises(InvalidQuery, match="one configuration"):
        arm.near_pairs(np.zeros((2, 6)), limit=1.0)
