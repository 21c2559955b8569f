"""Configurations and motions of a robot in one call: against the scene at many moments, and laws between the calls."""

import numpy as np
import pytest

import sweepscope as ss
from sweepscope import Joint
from sweepscope.errors import InvalidQuery, InvalidType, NotFound

SAMPLES = 400


def scene_of(seed, others=30):
    """Return a random robot of five joints among random obstacles, and its generator."""
    rng = np.random.default_rng(seed)
    robot = ss.Robot(name="arm")
    robot.add("base", ss.Box((0.3, 0.3, 0.1)))
    shapes = (
        lambda: (ss.Capsule.from_segment((0, 0, 0.1), (0, 0, 0.4), radius=0.05), (0, 0, 0)),
        lambda: (ss.Box((0.1, 0.08, 0.4)), (0, 0, 0.25)),
        lambda: (ss.Mesh.cylinder(0.06, 0.35), (0, 0, 0.25)),
    )
    above = "base"
    for k in range(5):
        axis = rng.normal(size=3)
        name, origin = f"link {k}", (0, 0, 0.1 if k == 0 else 0.45)
        kind = Joint.prismatic if k == 3 else Joint.revolute
        limits = (-0.1, 0.2) if k == 3 else (-2.0, 2.0)
        joint = kind(f"j{k}", axis, origin=origin, limits=limits)
        robot.add(name, [shapes[rng.integers(3)]()], parent=above, joint=joint)
        above = name
    for k in range(others):
        place = rng.uniform(-1.0, 1.0, 3)
        if np.linalg.norm(place[:2]) > 0.35:
            robot.scene.add(ss.Box(tuple(rng.uniform(0.05, 0.3, 3))), tuple(place), name=f"box {k}")
    return robot, rng


def configurations(robot, rng, count):
    joints = [robot.joints[name] for name in robot.actuated_joints]
    low, high = np.array([joint.limits for joint in joints]).T
    return low + (high - low) * rng.random((count, len(joints)))


def overlaps_now(robot):
    """Return whether the robot overlaps anything where it is, by another way: pairs of bodies."""
    scene, own = robot.scene, {body: robot.link_of(body).name for body in robot.bodies}
    if any(scene.overlaps([body], [each for each in scene.bodies if each not in own]) for body in own):
        return True
    return bool(robot.overlaps())


def free_pairs(robot, rng, count):
    found = configurations(robot, rng, 12 * count)
    found = found[robot.free(found)]
    assert len(found) >= 2
    chosen = rng.integers(len(found), size=(count, 2))
    return found[chosen[:, 0]], found[chosen[:, 1]]


def test_free_is_what_the_scene_says():
    seen = []
    for seed in range(6):
        robot, rng = scene_of(seed)
        for q in configurations(robot, rng, 12):
            free = robot.free(q)
            robot.q = q
            assert free is not overlaps_now(robot)
            seen.append(free)
    assert 0.1 < np.mean(seen) < 0.9


def test_motions_are_what_many_samples_say():
    hits = 0
    for seed in range(12):
        robot, rng = scene_of(seed)
        starts, goals = free_pairs(robot, rng, 8)
        goals = starts + rng.choice((0.1, 0.4, 1.0), size=(8, 1)) * (goals - starts)
        edges, found = robot.edges(starts, goals), robot.sweep_many(starts, goals)
        assert (edges == found.free).all()
        share = np.linspace(0.0, 1.0, SAMPLES)[:, None, None]
        way = robot.free((1.0 - share) * starts + share * goals)
        sampled = np.where(way.all(axis=0), np.inf, np.argmin(way, axis=0) / (SAMPLES - 1))
        assert not (edges & np.isfinite(sampled)).any()
        assert (found.time <= np.minimum(sampled, 1.0) + 1e-12).all()
        hits += int((~edges).sum())
        for k in np.flatnonzero(~edges):
            # The named pair is as near as the bound says.
            robot.q = found.q[k]
            pair = robot.scene.distance(robot.scene[int(found.mover[k])], robot.scene[int(found.obstacle[k])])
            assert pair.distance <= found.bound[k] + 1e-9
            np.testing.assert_allclose(found.q[k], (1.0 - found.time[k]) * starts[k] + found.time[k] * goals[k], atol=1e-12)
            robot.q = starts[k]
            one = robot.sweep(goals[k])
            assert one is not None
            assert one.time == pytest.approx(found.time[k], abs=1e-9)
            assert one.obstacle.id == found.obstacle[k]
    assert 15 <= hits <= 80


def test_calls_agree_in_any_shape_and_on_any_threads():
    robot, rng = scene_of(3)
    starts, goals = free_pairs(robot, rng, 12)
    many = robot.sweep_many(starts.reshape(3, 4, -1), goals.reshape(3, 4, -1), threads=2)
    one = robot.sweep_many(starts, goals, threads=1)
    assert many.shape == (3, 4)
    assert many.time.reshape(-1).tobytes() == one.time.tobytes()
    assert many[1].time.tobytes() == one[4:8].time.tobytes()
    assert robot.edges(starts[0], goals).shape == (12,)
    assert [robot.edges(a, b) for a, b in zip(starts, goals, strict=True)] == robot.edges(starts, goals).tolist()
    assert isinstance(robot.free(starts[0]), bool)
    assert robot.free(np.empty((0, 5))).shape == (0,)
    assert not robot.sweep_many(np.empty((0, 5)), goals[0])
    assert {name: pose.shape for name, pose in robot.poses(starts).items()}["link 2"] == (12, 4, 4)


def test_poses_are_those_of_the_links():
    robot, rng = scene_of(5)
    robot.pose = (0.3, -0.2, 0.1)
    rows = configurations(robot, rng, 3)
    found = robot.poses(rows)
    for k, q in enumerate(rows):
        robot.q = q
        for name, link in robot.links.items():
            np.testing.assert_allclose(found[name][k], link.pose, atol=1e-12)
            np.testing.assert_allclose(robot.poses()[name], link.pose, atol=1e-12)


def test_paths_stop_where_their_first_blocked_motion_does():
    stopped = 0
    for seed in range(8):
        robot, rng = scene_of(seed)
        way = np.concatenate(free_pairs(robot, rng, 2))
        hit = robot.path(way)
        found = robot.sweep_many(way[:-1], way[1:])
        blocked = np.flatnonzero(~found.free)
        assert (hit is None) == (not len(blocked))
        if hit is not None:
            k = blocked[0]
            assert hit.time == pytest.approx(k + found.time[k], abs=1e-8)
            np.testing.assert_allclose(hit.q, found.q[k], atol=1e-7)
            assert hit.obstacle.id == found.obstacle[k]
            assert hit.as_dict()["link"] == found.links[found.link[k]]
            stopped += 1
    assert 2 <= stopped <= 7


def test_trajectories_are_what_many_samples_say():
    stopped = 0
    for seed in range(10):
        robot, rng = scene_of(seed)
        first, last = free_pairs(robot, rng, 2)
        points = np.stack((first[0], 0.5 * (first[0] + last[0]), 0.5 * (first[1] + last[0]), last[0]))
        trajectory = ss.Trajectory.from_bezier(np.stack((points, points[::-1])), (1.0, 3.0, 3.5))
        hit = robot.follow(trajectory)
        times = np.linspace(1.0, 3.5, SAMPLES)
        way = robot.free(trajectory.q(times))
        if hit is None:
            assert way.all()
            continue
        stopped += 1
        assert 1.0 <= hit.time <= (3.5 if way.all() else times[np.argmin(way)]) + 1e-12
        np.testing.assert_allclose(hit.q, trajectory.q(hit.time), atol=1e-12)
        robot.q = hit.q
        assert robot.scene.distance(hit.mover, hit.obstacle).distance <= hit.bound + 1e-9
    assert 3 <= stopped <= 9


MOTIONS = (
    lambda rng: ss.Translate(rng.normal(size=3)),
    lambda rng: ss.Rotate(rng.normal(size=3), 2.0, about=rng.normal(size=3) * 0.3),
    lambda rng: ss.Screw(rng.normal(size=3), -1.5, slide=0.5, about=rng.normal(size=3) * 0.3),
)


def test_obstacles_may_move_at_the_same_time():
    hits = 0
    for seed in range(45):
        robot, rng = scene_of(seed, others=10)
        starts, goals = (each[0] for each in free_pairs(robot, rng, 1))
        ball = robot.scene.add(ss.Mesh.sphere(0.1), tuple(rng.uniform(0.6, 1.0, 3)), name="ball")
        motion = MOTIONS[seed % 3](rng)
        if not robot.free(starts):
            continue
        found, edge = robot.sweep_many(starts, goals, others={ball: motion}), robot.edges(starts, goals, others={ball: motion})
        assert edge == bool(found.free)
        path = robot.path([starts, 0.5 * (starts + goals), goals], others={ball: motion})
        assert (path is None) == edge
        pose, shares = ball.pose, np.linspace(0.0, 1.0, 60)
        for share in shares[shares < found.time - 1e-6]:
            ball.pose = motion.at(share) @ pose
            assert robot.free((1.0 - share) * starts + share * goals)
        if not edge:
            assert path.time == pytest.approx(2.0 * found.time, abs=1e-7)
            assert "arm" in robot.scene[int(found.mover)].name
            share = float(found.time)
            ball.pose = motion.at(share) @ pose
            robot.q = found.q
            near = robot.scene.distance(robot.scene[int(found.mover)], robot.scene[int(found.obstacle)])
            assert near.distance <= found.bound + 1e-9
            hits += 1
    assert 4 <= hits <= 40


def test_the_base_may_move_at_the_same_time():
    hits = 0
    for seed in range(12):
        robot, rng = scene_of(seed)
        start = np.eye(4)
        start[2, 3] = 3.0
        robot.pose = start
        a, b = (each[0] for each in free_pairs(robot, rng, 1))
        end = ss.Rotate(rng.normal(size=3), 1.0).at(1.0)
        end[:3, 3] = rng.normal(size=3)
        found = robot.sweep_many(a, b, base=end)
        assert robot.edges(a, b, base=end) == bool(found.free)
        motion = ss.Screw.between(start, end)
        for share in np.linspace(0.0, 1.0, 60):
            if share < found.time - 1e-6:
                robot.pose = motion.at(share) @ start
                assert robot.free((1.0 - share) * a + share * b)
        if not found.free:
            robot.pose = motion.at(float(found.time)) @ start
            robot.q = found.q
            near = robot.scene.distance(robot.scene[int(found.mover)], robot.scene[int(found.obstacle)])
            assert near.distance <= found.bound + 1e-9
            hits += 1
    assert 2 <= hits <= 11


def gantry(shape):
    """Return a robot that slides along x and along z at once, with one shape."""
    robot = ss.Robot(name="gantry")
    robot.add("base")
    robot.add("bridge", parent="base", joint=Joint.prismatic("x", (1, 0, 0)))
    robot.add("tool", shape, parent="bridge", joint=Joint.prismatic("z", (0, 0, 1)))
    return robot


SHEET = ss.Mesh([(-9, -9, 0), (9, -9, 0), (9, 9, 0), (-9, 9, 0)], [(0, 1, 2), (0, 2, 3)])


@pytest.mark.parametrize("shape", [ss.Box((0.2, 0.2, 0.2)), ss.PointCloud([(0.0, 0.0, -0.1), (0.0, 0.1, 0.3)]), ss.Sphere(0.1)])
def test_what_starts_close_to_a_sheet_does_not_pass_through_it(shape):
    """A point without radius never overlaps a sheet: only its motion shows that it passes through."""
    robot = gantry(shape)
    robot.scene.add(SHEET, name="sheet")
    on_no_side = isinstance(shape, ss.PointCloud)  # a point in the plane of the sheet leaves it on both sides
    for gap in (1e-8 if on_no_side else 0.0, 1e-7, 3e-6):
        start = np.array((0.0, 0.1 + gap))
        for accuracy in (None, 1e-4, 1e-6):
            assert robot.edges(start, start + (0.3, 0.2), accuracy=accuracy)
            assert robot.edges(start, start + (0.3, 0.0), accuracy=accuracy)
            assert not robot.edges(start, start + (0.3, -0.2), accuracy=accuracy)
            hit = robot.sweep_many(start, start + (0.3, -0.3), accuracy=accuracy)
            assert hit.time <= gap / 0.3 + 1e-4
    assert not robot.edges((0.0, 0.5), (0.3, -0.5))


def test_sliding_in_contact_ends_where_something_stands():
    """A box slides over a floor that it touches, over fine faces, into a curb lower than the accuracy is long."""
    for faces in (1, 40):
        x = np.linspace(-1.0, 3.0, faces + 1)
        corners = np.array([(a, b, 0.0) for a in x for b in (-1.0, 1.0)])
        floor = ss.Mesh(
            corners, [f for k in range(faces) for f in ((2 * k, 2 * k + 2, 2 * k + 1), (2 * k + 1, 2 * k + 2, 2 * k + 3))]
        )
        robot = gantry(ss.Box((0.2, 0.2, 0.2)))
        robot.scene.add(floor, name="floor")
        start, goal = np.array((0.0, 0.1)), np.array((2.0, 0.1 + 1e-12))
        assert robot.edges(start, goal)
        curb = robot.scene.add(ss.Box((0.1, 2.0, 0.02)), (1.0, 0.0, 0.01), name="curb")
        hit = robot.sweep_many(start, goal)
        assert robot.scene[int(hit.obstacle)] is curb
        assert hit.time == pytest.approx((0.95 - 0.1) / 2.0, abs=1e-9)


def test_hits_are_as_near_as_the_exact_sweep_of_one_joint():
    """Edges against edges too, where the direction from one to the other is inexact."""
    compared = 0
    for seed in range(40):
        robot, rng = scene_of(seed)
        (start,), (goal,) = free_pairs(robot, rng, 1)
        goal = np.where(np.arange(5) == rng.integers(3), goal, start)
        robot.q = start
        one = robot.sweep(goal)
        many = robot.sweep_many(start, goal)
        assert (one is None) == bool(many.free)
        if one is not None:
            assert one.time - 1e-9 <= many.time <= one.time + 1e-12
            assert many.bound <= 1e-9
            compared += 1
    assert compared >= 10


def test_a_robot_that_stands_still_is_tested_whole():
    scene = ss.Scene()
    robot = ss.Robot(scene, name="stand")
    robot.add("foot", ss.Box((0.2, 0.2, 0.2)))
    robot.add("arm", ss.Box((0.1, 0.1, 0.1)), parent="foot", joint=Joint.prismatic("y", (0, 1, 0), origin=(0, 0, 1)))
    table = scene.add(ss.Box((1, 1, 1)), pose=(0, 0, -0.6), name="table")
    for call in (lambda **options: robot.path([[0.0], [1.0]], **options), lambda **options: robot.path([[0.0]], **options)):
        assert call() is None
        hit = call(resting="hit")
        assert (hit.time, hit.obstacle, hit.link, hit.overlapping) == (0.0, table, "foot", False)
    table.pose = (0, 0, -0.55)
    assert robot.sweep_many([[0.0], [0.0]], [[0.0], [1.0]]).free.tolist() == [False, True]  # the foot does not move
    assert robot.sweep({}).obstacle is table


def test_ignored_bodies_margin_and_changes_of_the_scene():
    robot, rng = scene_of(1)
    q = configurations(robot, rng, 400)
    alone = robot.free(q, ignore=[body for body in robot.scene.bodies if body.name.startswith("box")])
    among = robot.free(q)
    assert (alone >= among).all()
    assert (alone > among).any()
    assert (robot.free(q, margin=0.05) <= among).all()
    box = next(body for body in robot.scene.bodies if body.name.startswith("box"))
    before = robot.free(q)
    box.pose = (0.0, 0.0, 50.0)
    assert (robot.free(q) > before).any()
    robot.scene.remove(box)
    robot.scene.add(ss.Box((9, 9, 9)), name="ceiling")
    assert not robot.free(q).any()
    robot.scene.remove(robot.scene["ceiling"])
    before = robot.free(q)
    part = robot.scene.add(ss.Sphere(0.2), robot.links["link 4"].pose[:3, 3])
    robot.attach(part, "link 4")
    assert (robot.free(q) <= before).all()
    robot.detach(part)
    robot.scene.remove(part)
    assert (robot.free(q) == before).all()


def test_bad_input():
    robot, rng = scene_of(0)
    q = configurations(robot, rng, 2)
    with pytest.raises(InvalidQuery, match=r"q: got shape \(4,\); accepted: shape \(\.\.\., 5\)"):
        robot.free([0.0] * 4)
    with pytest.raises(InvalidQuery, match=r"goals\[1\]: position of joint 'j2' is 9; accepted: -2 to 2"):
        robot.edges(q, [q[0], [0, 0, 9, 0, 0]])
    for call in (robot.free, robot.clearance, robot.poses, lambda rows: robot.edges(q[0], rows)):
        with pytest.raises(InvalidQuery, match=r"expected an array of shape \(\.\.\., 5\) of numbers"):
            call([q[0].tolist(), [1.0]])
    with pytest.raises(InvalidQuery, match="must be finite"):
        robot.free([0, 0, np.nan, 0, 0])
    with pytest.raises(InvalidQuery, match="equal leading shapes"):
        robot.sweep_many(np.zeros((3, 5)), np.zeros((2, 5)))
    with pytest.raises(InvalidQuery, match="accuracy is 0"):
        robot.edges(q[0], q[1], accuracy=0.0)
    with pytest.raises(InvalidType, match="others"):
        robot.edges(q[0], q[1], others=[robot.bodies[0]])
    with pytest.raises(InvalidQuery, match="part of the robot"):
        robot.edges(q[0], q[1], others={robot.bodies[0]: ss.Translate((1, 0, 0))})
    with pytest.raises(InvalidType, match="Translate"):
        robot.edges(q[0], q[1], others={robot.scene.add(ss.Sphere(1.0), (9, 9, 9)): (1, 0, 0)})
    with pytest.raises(InvalidQuery, match="accepted: -2 to 2"):
        robot.follow(ss.Trajectory.from_bezier(np.array([[[0.0] * 5, [9.0, 0, 0, 0, 0], [0.0] * 5]])))
    robot.remove()
    for call in (lambda: robot.free(q), lambda: robot.edges(q[0], q[1]), lambda: robot.path(q), lambda: robot.poses(q)):
        with pytest.raises(NotFound, match="removed"):
            call()
