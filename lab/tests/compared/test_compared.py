"""What other methods answer, held against plain NumPy twins."""

import math

import numpy as np
import pytest
from sweepscope_lab.compared import VARIANTS, Speculative, StraightSweep, Substeps, SweptSphere
from sweepscope_lab.compared.volumes import aabbs_meet, capsules_meet, circles_meet, obbs_meet, rectangles_meet, spheres_meet
from sweepscope_lab.kernels import compared_swung
from sweepscope_lab.papers.fan_accuracy import draw
from sweepscope_lab.reference import box_poses as plain
from sweepscope_lab.reference.vectors import rotation

from sweepscope import Box, Rotate
from sweepscope.errors import InvalidGeometry, InvalidPose, InvalidQuery
from sweepscope.fan import Fan, Swing


def random_turn(rng):
    axis = rng.normal(size=3)
    return rotation(axis / np.linalg.norm(axis), rng.uniform(0.0, math.pi))


def random_case(rng):
    """A box in any pose about any axis."""
    pose = np.eye(4)
    pose[:3, :3] = random_turn(rng)
    pose[:3, 3] = rng.uniform(-1.5, 1.5, 3)
    axis = rng.normal(size=3)
    return Box(rng.uniform(0.2, 3.0, 3)), pose, axis, rng.uniform(-7.0, 7.0), rng.uniform(-1.0, 1.0, 3)


def thesis_case(rng, angle=None):
    """A box in the thesis' pose: a side along the axis, another towards it, in any order and sense."""
    turn = random_turn(rng)
    sides = rng.permutation(3)
    widths = rng.uniform(0.1, 3.0, 3)
    distance = 0.5 * widths[sides[1]] + rng.choice((0.0, rng.uniform(0.0, 3.0)), p=(0.2, 0.8))
    about = rng.uniform(-2.0, 2.0, 3)
    pose = np.eye(4)
    pose[:3, :3] = turn
    pose[:3, 3] = about + rng.choice((-1.0, 1.0)) * distance * turn[:, sides[1]] + rng.uniform(-2.0, 2.0) * turn[:, sides[0]]
    axis = turn[:, sides[0]] * rng.choice((-1.0, 1.0))
    return Box(widths), pose, axis, rng.uniform(-2.0 * math.pi, 2.0 * math.pi) if angle is None else angle, about


def parts_of(case):
    box, pose, axis, angle, about = case
    return box.bounds[1] - box.bounds[0], pose, axis / np.linalg.norm(axis), angle, np.array(about)


def points_about(rng, case, count):
    widths, pose, axis, _, about = parts_of(case)
    reach = np.linalg.norm(np.cross(axis, pose[:3, 3] - about)) + 0.5 * np.linalg.norm(widths)
    middle = about + axis * (axis @ (pose[:3, 3] - about))
    # As high as the box, so that many are met.
    high = 0.6 * widths @ np.abs(pose[:3, :3].T @ axis)
    points = rng.uniform(-1.1, 1.1, (count, 3)) * reach
    points -= np.outer(points @ axis, axis)
    return middle + points + np.outer(rng.uniform(-high, high, count), axis)


# ---- poses


@pytest.mark.parametrize("start", [False, True])
def test_substeps_are_the_loop_over_poses(rng, start):
    held = []
    for k in range(60):
        case = thesis_case(rng) if k % 2 else random_case(rng)
        count = int(rng.integers(1, 40))
        widths, pose, axis, angle, about = parts_of(case)
        angles = angle * np.arange(0 if start else 1, count + 1) / count
        poses = plain.poses_of(pose, axis, about, angles)
        points = points_about(rng, case, 300)
        radii = rng.uniform(0.0, 1.0, 300)
        steps = Substeps(*case, poses=count, start=start)
        truth = plain.in_poses(widths, poses, points)
        assert (steps.contains(points) == truth).all()
        assert (steps.hits_spheres(points, radii) == (plain.distance_to_poses(widths, poses, points) <= radii)).all()
        held.append(truth.mean())
    assert 0.05 < np.mean(held) < 0.5


@pytest.mark.slow
def test_points_on_borders_of_poses_count_as_the_loop_counts_them():
    # A lattice full of ties: points on sides, edges and corners of poses.
    line = np.arange(-6.0, 6.5, 0.5)
    points = np.stack(np.meshgrid(line, line, (0.0, 0.5, 1.0), indexing="ij"), axis=-1).reshape(-1, 3)
    hits = 0
    for widths in ((2.0, 3.0, 1.0), (0.0, 3.0, 1.0), (2.0, 0.0, 2.0), (8.0, 6.0, 2.0)):
        for distance in (3.0, 3.5, 4.0):
            for angle in (0.0, math.pi / 2.0, math.pi, 2.0 * math.pi, -1.5 * math.pi, 1e-3):
                for count in (1, 4, 100):
                    box, pose = Box(widths), np.eye(4)
                    pose[:3, 3] = (0.0, distance, 0.0)
                    angles = angle * np.arange(1, count + 1) / count
                    poses = plain.poses_of(pose, np.array((0.0, 0.0, 1.0)), np.zeros(3), angles)
                    truth = plain.in_poses(np.array(widths), poses, points, 1e-11)
                    found = Substeps(box, pose, (0.0, 0.0, 1.0), angle, poses=count).contains(points)
                    assert (found == truth).all()
                    hits += int(truth.sum())
    assert hits > 5_000


# ---- the exact swing


def turning(case):
    return dict(zip(("axis", "angle", "about"), case[2:], strict=True))


def test_the_swung_box_holds_what_many_poses_hold(rng):
    held = missed = 0
    for _ in range(40):
        case = thesis_case(rng)
        points = points_about(rng, case, 400)
        truth = Substeps(*case, poses=100_000, start=True).contains(points)
        swept = Swing(*case[:2], **turning(case)).contains(points)
        assert not (truth & ~swept).any()
        held += int(swept.sum())
        missed += int((swept & ~truth).sum())
    assert held > 2_000
    assert missed <= 2


def test_more_than_a_turn_is_a_turn(rng):
    case = thesis_case(rng, 9.0)
    points = points_about(rng, case, 500)
    whole = (*case[:3], 2.0 * math.pi, case[4])
    assert (Swing(*case[:2], **turning(case)).contains(points) == Swing(*whole[:2], **turning(whole)).contains(points)).all()


def test_touching_the_swing_is_a_hit():
    pose = np.eye(4)
    pose[:3, 3] = (0.0, 2.0, 0.0)
    swung = Swing(Box((2.0, 2.0, 2.0)), pose, axis=(0.0, 0.0, 1.0), angle=math.pi / 2.0)
    corner = math.hypot(3.0, 1.0)
    assert swung.contains((1.0, 3.0, 1.0)) is True
    assert swung.contains((-corner * math.sqrt(0.5), corner * math.sqrt(0.5), 0.0)) is True
    assert swung.contains((-3.0, -1.0, 0.0)) is True
    assert swung.contains((-3.0, -1.0 - 1e-6, 0.0)) is False
    assert swung.contains((0.0, 1.0 - 1e-6, 0.0)) is False


def test_the_enclosing_fan_is_tight(rng):
    for _ in range(20):
        case = thesis_case(rng, rng.uniform(0.0, 6.0))
        widths, pose, axis, angle, about = parts_of(case)
        arm = np.cross(axis, pose[:3, 3] - about)
        out = -np.cross(axis, arm) / np.linalg.norm(arm)
        fan = Fan.enclosing(*case[:2], **turning(case))
        theta, inner, outer, half = fan.half_angle, fan.inner, fan.outer, fan.half_thickness
        dense = []
        for axes, center in plain.poses_of(pose, axis, about, np.linspace(0.0, angle, 200)):
            dense.append(plain.corners_of(widths, axes, center))
        corners = np.concatenate(dense) - about
        height = corners @ axis
        flat = corners - np.outer(height, axis)
        rho = np.linalg.norm(flat, axis=1)
        turned = np.arctan2(flat @ np.cross(axis, out), flat @ out)
        off = np.abs((turned - 0.5 * angle + math.pi) % (2.0 * math.pi) - math.pi)
        assert rho.max() == pytest.approx(outer, rel=1e-9)
        assert rho.min() >= inner * (1.0 - 1e-9)
        assert np.ptp(height) == pytest.approx(2.0 * half)
        if theta < math.pi:
            assert off.max() == pytest.approx(theta, rel=1e-9)


# ---- boxes round the motion


@pytest.mark.slow
def test_speculative_boxes_are_what_their_names_say(rng):
    for k in range(60):
        case = thesis_case(rng) if k % 2 else random_case(rng)
        widths, pose, axis, angle, about = parts_of(case)
        ends = [plain.corners_of(widths, *place) for place in plain.poses_of(pose, axis, about, np.array((0.0, angle)))]
        low, high = np.concatenate(ends).min(axis=0), np.concatenate(ends).max(axis=0)
        boxes = {variant: Speculative(*case, variant=variant) for variant in VARIANTS}
        assert np.allclose((boxes["A1"].low, boxes["A1"].high), (low, high), atol=1e-12)
        assert np.allclose(
            (boxes["D1"].low, boxes["D1"].high), (low - (high - low) / 2.0, high + (high - low) / 2.0), atol=1e-12
        )
        dense = plain.poses_of(pose, axis, about, np.linspace(0.0, angle, 700))
        corners = np.concatenate([plain.corners_of(widths, *place) for place in dense])
        assert np.allclose((boxes["A2"].low, boxes["A2"].high), (corners.min(axis=0), corners.max(axis=0)), atol=1e-3)
        assert (boxes["A2"].low <= corners.min(axis=0) + 1e-12).all()
        assert (boxes["A2"].high >= corners.max(axis=0) - 1e-12).all()
        start = ends[0].min(axis=0), ends[0].max(axis=0)
        lever = np.linalg.norm(np.cross(axis, pose[:3, 3] - about))
        wider = abs(angle) * (lever + np.linalg.norm(0.5 * (start[1] - start[0])))
        assert np.allclose((boxes["physx"].low, boxes["physx"].high), (start[0] - wider, start[1] + wider), atol=1e-12)


def test_many_boxes_at_once_are_the_single_ones():
    swings = draw(7)[:50]
    out = np.empty((50, 6))
    for kind, variant in enumerate(VARIANTS):
        compared_swung.speculative_boxes(swings, kind, out)
        for swing, box in zip(swings, out, strict=True):
            axis, towards = swing[:3], swing[3:6]
            pose = np.eye(4)
            pose[:3, :3] = np.column_stack((np.cross(towards, axis), towards, axis))
            pose[:3, 3] = swing[6] * towards
            single = Speculative(Box(swing[7:10]), pose, axis, swing[10], variant=variant)
            assert np.allclose(box, (*single.low, *single.high), atol=1e-11)


def test_spheres_against_a_box_round_the_motion(rng):
    case = random_case(rng)
    points, radii = points_about(rng, case, 2_000) * 1.5, rng.uniform(0.0, 1.0, 2_000)
    box = Speculative(*case)
    beyond = np.linalg.norm(np.maximum(np.maximum(box.low - points, points - box.high), 0.0), axis=1)
    assert (box.hits_spheres(points, radii) == (beyond <= radii)).all()
    assert (box.contains(points) == (beyond == 0.0)).all()
    assert 0.05 < (beyond <= radii).mean() < 0.95
    assert (Speculative(*case, variant="A2").contains(points) >= Substeps(*case, poses=50).contains(points)).all()


# ---- sweeps that do not turn


@pytest.mark.slow
def test_swept_sphere_is_a_capsule(rng):
    hits = []
    for _ in range(20):
        case = random_case(rng)
        widths, _, _, angle, _ = parts_of(case)
        end = Rotate(case[2], angle, about=case[4]).at() @ case[1]
        p0, p1 = case[1][:3, 3], end[:3, 3]
        points, radii = p0 + rng.uniform(-1.0, 1.0, (300, 3)) * 4.0, rng.uniform(0.0, 2.0, 300)
        along = np.linspace(0.0, 1.0, 2_001)[:, None]
        path = p0 + along * (p1 - p0)
        gap = np.linalg.norm(points[:, None] - path[None], axis=2).min(axis=1) - 0.5 * np.linalg.norm(widths)
        answer = SweptSphere(*case).hits_spheres(points, radii)
        clear = np.abs(gap - radii) > 1e-4
        assert (answer == (gap <= radii))[clear].all()
        assert (SweptSphere(*case).contains(points) == (gap <= 0.0))[np.abs(gap) > 1e-4].all()
        hits.append(answer.mean())
    assert 0.1 < np.mean(hits) < 0.9


@pytest.mark.slow
def test_straight_sweep_is_a_box_at_many_places(rng):
    hits = []
    for k in range(20):
        case = random_case(rng)
        widths, pose, _, angle, _ = parts_of(case)
        if k == 0:
            case, angle = (*case[:3], 0.0, case[4]), 0.0
        end = Rotate(case[2], angle, about=case[4]).at() @ pose
        sweep = StraightSweep(*case)
        assert np.allclose(sweep.vector, end[:3, 3] - pose[:3, 3], atol=1e-12)
        points, radii = pose[:3, 3] + rng.uniform(-1.0, 1.0, (300, 3)) * 3.0, rng.uniform(0.0, 2.0, 300)
        places = [(pose[:3, :3], pose[:3, 3] + t * sweep.vector) for t in np.linspace(0.0, 1.0, 2_001)]
        gap = plain.distance_to_poses(widths, places, points)
        near = 3e-3 * np.linalg.norm(sweep.vector) + 1e-9
        answer = sweep.hits_spheres(points, radii)
        assert (answer == (gap <= radii))[np.abs(gap - radii) > near].all()
        held = sweep.contains(points)
        assert (held >= (gap == 0.0)).all()
        assert not held[gap > near].any()
        hits.append(answer.mean())
    assert 0.1 < np.mean(hits) < 0.9


# ---- bounding volumes


def both(test, first, second, truth, clear=None):
    """Pairs, and one against many."""
    answer = test(*first, *second)
    clear = np.ones(len(answer), bool) if clear is None else clear
    assert (answer == truth)[clear].all()
    assert 0.1 < truth.mean() < 0.9
    for k in range(3):
        one = tuple(array[k : k + 1] for array in first)
        repeated = tuple(np.repeat(array, len(answer), axis=0) for array in one)
        assert (test(*one, *second) == test(*repeated, *second)).all()


@pytest.mark.parametrize("size", [2, 3])
def test_balls_and_aligned_boxes(rng, size):
    first, second = ((rng.uniform(-2.0, 2.0, (500, size)), rng.uniform(0.0, 2.0, 500)) for _ in range(2))
    apart = np.linalg.norm(first[0] - second[0], axis=1)
    both(circles_meet if size == 2 else spheres_meet, first, second, apart <= first[1] + second[1])
    first, second = (
        (low, low + rng.uniform(0.0, 3.0, (500, size))) for low in (rng.uniform(-2.0, 1.0, (500, size)) for _ in range(2))
    )
    meet = (np.maximum(first[0], second[0]) <= np.minimum(first[1], second[1])).all(axis=1)
    both(aabbs_meet, first, second, meet)


def segment_distance(p0, p1, q0, q1):
    """By thirds: the distance from a point that moves along the one to the other segment is convex."""

    def gap(t):
        point = p0 + t[:, None] * (p1 - p0)
        way = q1 - q0
        square = np.maximum((way * way).sum(axis=1), 1e-300)
        s = np.clip(((point - q0) * way).sum(axis=1) / square, 0.0, 1.0)
        return np.linalg.norm(point - q0 - s[:, None] * way, axis=1)

    low, high = np.zeros(len(p0)), np.ones(len(p0))
    for _ in range(120):
        a, b = low + (high - low) / 3.0, high - (high - low) / 3.0
        less = gap(a) < gap(b)
        low, high = np.where(less, low, a), np.where(less, b, high)
    return np.minimum(gap(0.5 * (low + high)), np.minimum(gap(np.zeros(len(p0))), gap(np.ones(len(p0)))))


@pytest.mark.parametrize("size", [2, 3])
def test_capsules(rng, size):
    def some():
        p0 = rng.uniform(-2.0, 2.0, (800, size))
        way = rng.normal(size=(800, size)) * rng.choice((0.0, 1.0), (800, 1), p=(0.1, 0.9))
        return [p0, p0 + way, rng.uniform(0.0, 1.0, 800)]

    first, second = some(), some()
    second[1][::7] = second[0][::7] + 0.7 * (first[1] - first[0])[::7]  # parallel
    gap = segment_distance(*first[:2], *second[:2]) - first[2] - second[2]
    both(capsules_meet, first, second, gap <= 0.0, np.abs(gap) > 1e-6)


def separated(first, second, axes):
    """Whether corners (n, k, d) of two solids are apart along one of axes (n, m, d)."""
    a, b = first @ axes.transpose(0, 2, 1), second @ axes.transpose(0, 2, 1)
    gap = np.maximum(b.min(axis=1) - a.max(axis=1), a.min(axis=1) - b.max(axis=1))
    return gap.max(axis=1)


def test_rectangles(rng):
    def some():
        return [rng.uniform(-2.0, 2.0, (800, 2)), rng.uniform(0.0, 3.0, (800, 2)), rng.uniform(-4.0, 4.0, 800)]

    first, second = some(), some()
    second[2][::5] = first[2][::5]
    solids, axes = [], []
    for centers, sizes, angles in (first, second):
        side = np.stack((np.cos(angles), np.sin(angles)), axis=1)
        up = np.stack((-side[:, 1], side[:, 0]), axis=1)
        axes += [side, up]
        solids.append(
            np.stack(
                [centers + x * sizes[:, :1] * side + y * sizes[:, 1:] * up for x in (-0.5, 0.5) for y in (-0.5, 0.5)], axis=1
            )
        )
    gap = separated(*solids, np.stack(axes, axis=1))
    both(rectangles_meet, first, second, gap <= 0.0, np.abs(gap) > 1e-9)


def test_boxes(rng):
    def some():
        poses = np.tile(np.eye(4), (600, 1, 1))
        poses[:, :3, :3] = [random_turn(rng) for _ in range(600)]
        poses[:, :3, 3] = rng.uniform(-2.0, 2.0, (600, 3))
        return [rng.uniform(0.0, 3.0, (600, 3)), poses]

    first, second = some(), some()
    second[1][::5, :3, :3] = first[1][::5, :3, :3]  # parallel
    solids = [
        np.stack([plain.corners_of(widths, pose[:3, :3], pose[:3, 3]) for widths, pose in zip(*side, strict=True)])
        for side in (first, second)
    ]
    faces = [side[1][:, :3, :3].transpose(0, 2, 1) for side in (first, second)]
    edges = np.cross(faces[0][:, :, None], faces[1][:, None]).reshape(600, 9, 3)
    length = np.linalg.norm(edges, axis=2, keepdims=True)
    edges = np.where(length > 1e-6, edges / np.maximum(length, 1e-6), faces[0][:, :1])
    gap = separated(*solids, np.concatenate((*faces, edges), axis=1))
    both(obbs_meet, first, second, gap <= 0.0, np.abs(gap) > 1e-9)
    assert (gap[::5] > 0.0).any()
    assert (gap[::5] < 0.0).any()


def test_touching_boxes_meet():
    poses = np.tile(np.eye(4), (2, 1, 1))
    poses[1, 0, 3] = 2.0
    sizes = np.full((2, 3), 2.0)
    assert obbs_meet(sizes[:1], poses[:1], sizes, poses).tolist() == [True, True]
    poses[1, 0, 3] = 2.0 + 1e-9
    assert obbs_meet(sizes[:1], poses[:1], sizes, poses).tolist() == [True, False]


# ---- what is refused


def test_bad_input_is_refused():
    box, pose, axis = Box((1.0, 1.0, 1.0)), (0.0, 2.0, 0.0), (0.0, 0.0, 1.0)
    with pytest.raises(InvalidQuery, match=r"variant is 'A3'; accepted: 'A1', 'A2', 'D1', 'physx'"):
        Speculative(box, pose, axis, 1.0, variant="A3")
    with pytest.raises(InvalidGeometry, match="expected a Box"):
        SweptSphere(1.0, pose, axis, 1.0)
    for poses in (0, 1.5, True, "9"):
        with pytest.raises(InvalidQuery, match="poses is"):
            Substeps(box, pose, axis, 1.0, poses=poses)
    volume = Speculative(box, pose, axis, 1.0)
    with pytest.raises(InvalidQuery, match=r"points: expected shape \(n, 3\)"):
        volume.contains([(1.0, 2.0)])
    with pytest.raises(InvalidQuery, match=r"points\[1, 2\] is nan"):
        volume.contains([(1.0, 2.0, 3.0), (1.0, 2.0, math.nan)])
    with pytest.raises(InvalidQuery, match=r"radii\[1\] is -1.0"):
        volume.hits_spheres(np.zeros((2, 3)), (1.0, -1.0))
    with pytest.raises(InvalidQuery, match=r"radii: expected one number or shape \(2,\)"):
        volume.hits_spheres(np.zeros((2, 3)), (1.0, 1.0, 1.0))
    assert volume.hits_spheres((0.0, 2.0, 0.0), 0.0) is True
    assert volume.contains(np.zeros((0, 3))).shape == (0,)
    with pytest.raises(InvalidQuery, match=r"radii: expected 2 rows, as many as centers has, got 1"):
        spheres_meet(np.zeros((2, 3)), (1.0,), np.zeros((2, 3)), (1.0, 1.0))
    with pytest.raises(InvalidQuery, match="as many volumes on both sides, or one first; got 2 and 3"):
        circles_meet(np.zeros((2, 2)), np.ones(2), np.zeros((3, 2)), np.ones(3))
    with pytest.raises(InvalidQuery, match=r"high - low\[0, 1\] is -1.0"):
        aabbs_meet([(0.0, 1.0)], [(1.0, 0.0)], [(0.0, 0.0)], [(1.0, 1.0)])
    with pytest.raises(InvalidPose, match=r"poses\[0\]: its 3x3 part is not a rotation"):
        obbs_meet(np.ones((1, 3)), 2.0 * np.eye(4)[None] - np.diag((0, 0, 0, 1.0)), np.ones((1, 3)), np.eye(4)[None])


def test_a_box_tilted_evenly_has_poses_too():
    c = math.sqrt(0.5)
    pose = np.eye(4)
    pose[:3, :3] = [[c, 0, -c], [0, 1, 0], [c, 0, c]]
    pose[:3, 3] = (2, 0, 0)
    assert Substeps(Box((1.0, 0.2, 0.3)), pose, (0, 0, 1), 1.0).contains((2.0 * math.cos(0.5), 2.0 * math.sin(0.5), 0.0))
