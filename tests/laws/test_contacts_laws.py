"""Laws of contacts: the same bodies as distances, swap, rigid invariance, and the same answer whatever came before."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import sweepscope as ss


def turned(place, axis=(0, 0, 1), angle=0.0):
    return ss.Pose.from_axis_angle(place, axis, angle=angle)


def heap(order):
    """A box on a table beside a wall, a capsule and a cylinder that lie there, a ball in the air."""
    parts = {
        "table": (ss.Box((4, 4, 1)), (0, 0, -0.5)),
        "box": (ss.Box((1, 1, 1)), (0.3, 0.2, 0.5)),
        "wall": (ss.Box((1, 4, 4)), (1.303, 0, 1)),
        "capsule": (ss.Capsule(0.2, 1.0), turned((-1, 0, 0.2), (0, 1, 0), np.pi / 2)),
        "cylinder": (ss.Mesh.cylinder(0.3, 1.0), turned((-1, 1, 0.3), (0, 1, 0), np.pi / 2)),
        "ball": (ss.Sphere(0.25), (0.3, 0.2, 1.252)),
    }
    scene = ss.Scene()
    for name in order:
        shape, pose = parts[name]
        scene.add(shape, pose, name=name)
    return scene


NAMES = ("table", "box", "wall", "capsule", "cylinder", "ball")


def rows_of(contacts):
    """Return all rows with the names of their bodies, to the bit."""
    return [
        (patch.other.name, *row)
        for patch in contacts
        for row in zip(
            patch.points.tolist(), patch.other_points.tolist(), patch.normals.tolist(), patch.gaps.tolist(), strict=True
        )
    ]


def test_the_number_of_contacts():
    scene = heap(NAMES)
    found = scene.contacts(scene["box"], margin=0.005)
    assert [(patch.other.name, len(patch)) for patch in found] == [("table", 4), ("ball", 1), ("wall", 4)]
    assert [len(patch) for patch in scene.contacts(scene["capsule"])] == [2]
    assert [len(patch) for patch in scene.contacts(scene["cylinder"])] == [2]
    assert not scene.contacts(scene["ball"])


def test_the_order_of_adding_does_not_matter():
    rng = np.random.default_rng(2)
    true = heap(NAMES)
    for _ in range(6):
        scene = heap(rng.permutation(NAMES).tolist())
        for name in NAMES:
            assert rows_of(scene.contacts(scene[name], margin=0.01)) == rows_of(true.contacts(true[name], margin=0.01))


def test_what_came_before_does_not_matter():
    scene = heap(NAMES)
    box = scene["box"]
    before = rows_of(scene.contacts(box, margin=0.01))
    home = box.pose
    scene.add_many(ss.Sphere(0.1), np.arange(3000.0).reshape(-1, 3) + 5.0)  # a hierarchy of bodies
    box.pose = (9, 9, 9)
    assert not scene.contacts(box)
    box.pose = home
    scene.remove(scene["cylinder"])
    assert rows_of(scene.contacts(box, margin=0.01)) == before
    with ThreadPoolExecutor(4) as pool:
        for rows in pool.map(lambda _: rows_of(scene.contacts(box, margin=0.01)), range(40)):
            assert rows == before


def test_the_bodies_are_those_within_the_margin():
    rng = np.random.default_rng(4)
    near = 0
    scene = ss.Scene()
    for k in range(40):
        shape = (ss.Box(rng.uniform(0.2, 0.6, 3)), ss.Sphere(0.25), ss.Capsule(0.1, 0.5), ss.Mesh.cylinder(0.2, 0.4))[k % 4]
        scene.add(shape, turned(rng.uniform(-1, 1, 3), rng.normal(size=3), rng.uniform(0, 7)))
    for body in scene:
        for margin in (0.0, 0.05, 0.2):
            within = scene.nearest(body, limit=margin, k=50)
            found = scene.contacts(body, margin=margin)
            assert {patch.other for patch in found} == {pair.second for pair in within}
            for pair in within:
                gaps = found.gap[found.other == pair.second.id]
                if not pair.overlapping:
                    assert gaps.min() == pytest.approx(pair.distance, abs=1e-8)
                    near += 1
                else:
                    assert gaps.min() < 0.0
    assert near > 60


def matched(one, two):
    """True if two sets of rows (n, k) are the same up to their order."""
    return len(one) == len(two) and all(np.abs(two - row).max(axis=1).min() < 1e-7 for row in one)


def test_swap():
    scene = heap(NAMES)
    pairs = 0
    for name in NAMES:
        for patch in scene.contacts(scene[name], margin=0.01):
            back = scene.contacts(patch.other, patch.body, margin=0.01)
            mine = np.column_stack((patch.points, patch.other_points, patch.normals, patch.gaps))
            theirs = np.column_stack((back.other_point, back.point, -back.normal, back.gap))
            assert matched(mine, theirs)
            pairs += 1
    assert pairs >= 10


def test_rigid_invariance():
    rng = np.random.default_rng(6)
    scene = heap(NAMES)
    here = {name: scene.contacts(scene[name], margin=0.01) for name in NAMES}
    poses = [body.pose for body in scene]
    for _ in range(5):
        move = turned(rng.uniform(-3, 3, 3), rng.normal(size=3), rng.uniform(0, 7))
        scene.move(scene.bodies, np.array([move @ pose for pose in poses]))
        for name, before in here.items():
            there = scene.contacts(scene[name], margin=0.01)
            assert [patch.other for patch in there] == [patch.other for patch in before] or name == "table"
            mine = np.column_stack((before.point @ move[:3, :3].T + move[:3, 3], before.normal @ move[:3, :3].T, before.gap))
            assert matched(mine, np.column_stack((there.point, there.normal, there.gap)))


def test_the_order_of_faces_does_not_matter():
    rng = np.random.default_rng(8)
    ball = ss.Mesh.sphere(0.5, rows=12, sections=12)
    lines = np.linspace(-2, 2, 15)
    x, y = np.meshgrid(lines, lines)
    vertices = np.column_stack((x.ravel(), y.ravel(), 0.1 * np.sin(3 * x.ravel()) * np.cos(2 * y.ravel())))
    index = np.arange(225).reshape(15, 15)
    corners = np.stack((index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]), axis=-1).reshape(-1, 4)
    faces = np.concatenate((corners[:, :3], corners[:, (0, 2, 3)]))
    sets = 0
    for place in rng.uniform(-0.7, 0.7, (10, 2)):
        answers = []
        for _ in range(3):
            scene = ss.Scene()
            scene.add(ss.Mesh(vertices, rng.permutation(faces)))
            body = scene.add(ball, (*place, 1.0))
            body.pose = scene.sweep(body, ss.Translate((0, 0, -2))).pose
            found = scene.contacts(body, margin=0.02)
            answers.append(np.column_stack((found.point, found.other_point, found.normal, found.gap)))
        assert matched(answers[0], answers[1])
        assert matched(answers[0], answers[2])
        sets += len(answers[0]) > 1
    assert sets > 2


def test_closing_the_gaps_leads_out():
    """A box that is deeper than the margin, or not: moved out by its deepest contact, it does not overlap."""
    scene = ss.Scene()
    scene.add(ss.Box((4, 4, 1)), (0, 0, -0.5))
    box = scene.add(ss.Box((1, 1, 1)))
    for depth in (1e-6, 0.004, 0.02, 0.3):
        box.pose = turned((0.2, 0.1, 0.5 - depth), (0, 0, 1), 0.3)
        patch = scene.contacts(box, margin=0.01).patches[0]
        assert patch.overlapping
        assert len(patch) == 4
        assert patch.gap == pytest.approx(-depth, rel=1e-6)
        box.pose = ss.Translate(-patch.gap * patch.normal).at() @ box.pose
        assert not scene.overlaps(box)
