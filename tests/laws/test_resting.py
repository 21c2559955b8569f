"""Resting contact slides and lifts; pressing is a hit; overlap says so."""

import numpy as np
import pytest

import sweepscope as ss

SLIDES = [(3.0, 0.0, 0.0), (0.0, -2.0, 0.0), (1.0, 1.0, 0.0), (0.3, -0.7, 0.0)]
LIFTS = [(0.0, 0.0, 2.0), (1.0, 0.0, 1e-3), (0.5, 0.5, 0.5)]
PRESSES = [(0.0, 0.0, -1.0), (1.0, 0.0, -1e-3), (-0.5, 0.2, -3.0)]

RESTING = {
    "box": (ss.Box((1.0, 1.0, 1.0)), 0.5),
    "mesh": (ss.Mesh.box((1.0, 1.0, 1.0)), 0.5),
    "sphere": (ss.Sphere(0.5), 0.5),
    "capsule": (ss.Capsule.from_segment((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), radius=0.3), 0.3),
    "standing capsule": (ss.Capsule.from_segment((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), radius=0.3), 0.3),
    "cloud": (ss.PointCloud(np.random.default_rng(0).uniform(-1.0, 1.0, (50, 3)) * (1.0, 1.0, 0.0), 0.1), 0.1),
    "cylinder": (ss.Mesh.cylinder(0.5, 1.0), 0.5),
    "point": (ss.PointCloud([(0.1, 0.2, 0.0)]), 0.0),
    "segment": (ss.Capsule.from_segment((0.0, 0.0, 0.0), (1.0, 0.3, 0.0), radius=0.0), 0.0),
    "sheet": (ss.Mesh.terrain(np.zeros((3, 3)), 0.3), 0.0),
}

FLOORS = {
    "box": [(ss.Box((20.0, 20.0, 1.0)), (0.0, 0.0, -0.5))],
    "tiles": [(ss.Box((1.0, 1.0, 1.0)), (x + 0.25, y + 0.25, -0.5)) for x in range(-5, 6) for y in range(-5, 6)],
    "terrain": [(ss.Mesh.terrain(np.zeros((30, 30)), 0.7), (0.0, 0.0, 0.0))],
    "one triangle": [(ss.Mesh([(-20, -20, 0), (20, -20, 0), (0, 40, 0)], [(0, 1, 2)]), (0.0, 0.0, 0.0))],
}


def _world(thing, floor, turn=None, shift=(0.0, 0.0, 0.0)):
    """Return a scene of a thing on a floor, the whole of it turned and shifted."""
    whole = np.eye(4)
    if turn is not None:
        whole[:3, :3] = turn
    whole[:3, 3] = shift
    scene = ss.Scene()
    shape, height = RESTING[thing]
    for piece, place in FLOORS[floor]:
        pose = np.eye(4)
        pose[:3, 3] = place
        scene.add(piece, whole @ pose)
    pose = np.eye(4)
    pose[2, 3] = height
    return scene, scene.add(shape, whole @ pose), whole[:3, :3]


def _turn(angle, axis):
    axis = np.asarray(axis) / np.linalg.norm(axis)
    k = np.cross(np.eye(3), axis)
    return np.eye(3) - np.sin(angle) * k + (1.0 - np.cos(angle)) * k @ k


TURNS = {"level": None, "inclined": _turn(0.4, (1.0, 0.3, 0.0)), "any way": _turn(2.1, (1.0, -2.0, 0.5))}


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("floor", FLOORS)
@pytest.mark.parametrize("thing", RESTING)
def test_slides_lifts_and_is_stopped(thing, floor, turn):
    scene, body, whole = _world(thing, floor, TURNS[turn])
    for vector in SLIDES + LIFTS:
        hit = scene.sweep(body, ss.Translate(whole @ vector))
        assert hit is None, f"{vector}: {hit}"
    for vector in PRESSES:
        hit = scene.sweep(body, ss.Translate(whole @ vector))
        assert hit is not None
        assert hit.time == 0.0
        assert not hit.overlapping
        if floor != "tiles":  # where the sides of tiles below the floor are touched too
            np.testing.assert_allclose(hit.normal, whole @ (0.0, 0.0, 1.0), atol=1e-7)
    for vector in SLIDES:
        hit = scene.sweep(body, ss.Translate(whole @ vector), resting="hit")
        assert hit is not None
        assert hit.time == 0.0
        assert not hit.overlapping


@pytest.mark.parametrize("thing", RESTING)
def test_rests_after_being_moved_to_its_hit(thing):
    """What a sweep says, a user does: go there, then slide on."""
    scene, body, _ = _world(thing, "terrain")
    height = body.pose[2, 3]
    for start in (3.1234567, 0.777, 123.456):
        body.pose = (0.1, 0.2, height + start)
        hit = scene.sweep(body, ss.Translate((0.3, 0.1, -200.0)))
        assert hit is not None
        pose = body.pose.copy()
        pose[:3, 3] += hit.time * np.array((0.3, 0.1, -200.0))
        body.pose = pose
        assert scene.sweep(body, ss.Translate((2.0, 1.0, 0.0))) is None
        assert scene.sweep(body, ss.Translate((0.0, 0.0, 1.0))) is None
        pressed = scene.sweep(body, ss.Translate((0.0, 0.0, -1.0)))
        assert pressed is not None
        assert pressed.travel < 1e-9
        assert not pressed.overlapping


def test_slides_along_a_wall_into_a_corner():
    scene = ss.Scene()
    scene.add(ss.Box((10.0, 10.0, 1.0)), (0.0, 0.0, -0.5), name="floor")
    scene.add(ss.Box((1.0, 10.0, 3.0)), (1.0, 0.0, 1.5), name="wall")
    scene.add(ss.Box((10.0, 1.0, 3.0)), (0.0, 4.0, 1.5), name="end")
    box = scene.add(ss.Box((1.0, 1.0, 1.0)), (0.0, 0.0, 0.5))
    hit = scene.sweep(box, ss.Translate((0.0, 5.0, 0.0)))
    assert hit is not None
    assert hit.obstacle.name == "end"
    assert hit.travel == pytest.approx(3.0, abs=1e-9)
    hit = scene.sweep(box, ss.Translate((0.1, 5.0, 0.0)))
    assert hit is not None
    assert (hit.obstacle.name, hit.time) == ("wall", 0.0)
    np.testing.assert_allclose(hit.normal, (-1.0, 0.0, 0.0), atol=1e-12)


def test_sphere_slides_along_a_rail_of_segments():
    scene = ss.Scene()
    for k in range(10):
        scene.add(ss.Capsule.from_segment((float(k), 0.0, 0.0), (k + 1.0, 0.0, 0.0), radius=0.1))
    ball = scene.add(ss.Sphere(0.4), (1.5, 0.3, 0.4))
    assert scene.sweep(ball, ss.Translate((6.0, 0.0, 0.0))) is None
    hit = scene.sweep(ball, ss.Translate((6.0, -0.03, -0.04)))
    assert hit is not None
    assert hit.time == 0.0


@pytest.mark.parametrize("size", [1e-6, 0.1, 1.0, 3.0, 1e6])
@pytest.mark.parametrize("make", [ss.Box, ss.Mesh.box])
def test_stacked_boxes_of_the_same_size(make, size):
    scene = ss.Scene()
    scene.add(make((size, size, size)))
    box = scene.add(make((size, size, size)), (0.0, 0.0, size))
    assert scene.sweep(box, ss.Translate((0.0, 0.0, size))) is None
    assert scene.sweep(box, ss.Translate((size, 0.0, 0.0))) is None
    hit = scene.sweep(box, ss.Translate((0.0, 0.0, -size)))
    assert hit is not None
    assert (hit.time, hit.overlapping) == (0.0, False)
    hit = scene.sweep(box, ss.Translate((0.0, 0.0, 0.0)), resting="hit")
    assert hit is not None
    assert not hit.overlapping


def test_tolerance_makes_a_coarse_contact_rest():
    for tolerance, overlapping in ((None, True), (1e-6, False)):
        scene = ss.Scene(tolerance)
        scene.add(ss.Box((10.0, 10.0, 1.0)), (0.0, 0.0, -0.5))
        box = scene.add(ss.Box((1.0, 1.0, 1.0)), (0.0, 0.0, 0.5 - 3e-7))  # as float32 data would be
        hit = scene.sweep(box, ss.Translate((1.0, 0.0, 0.0)))
        assert (hit is not None) == overlapping
        if hit is not None:
            assert hit.overlapping


def test_slow_approach_is_not_rest():
    """A slope of a millionth over a long way is an approach, and is stopped where it meets the step."""
    scene = ss.Scene()
    scene.add(ss.Box((1000.0, 10.0, 1.0)), (0.0, 0.0, -0.5))
    box = scene.add(ss.Box((1.0, 1.0, 1.0)), (-400.0, 0.0, 0.5 + 1e-4))
    hit = scene.sweep(box, ss.Translate((800.0, 0.0, -8e-4)))
    assert hit is not None
    assert hit.travel == pytest.approx(100.0, abs=1e-3)


@pytest.mark.parametrize("depth", [1e-12, 1e-9, 3e-9])
@pytest.mark.parametrize(
    "shape",
    [ss.Sphere(0.0), ss.PointCloud([(0, 0, 0), (3, 0, 0)]), ss.Capsule.from_segment((0, -0.3, 0), (0, 0.3, 0), radius=0.0)],
)
def test_what_touches_from_the_inside_and_sinks_in_is_hit(shape, depth):
    scene = ss.Scene()
    box = scene.add(ss.Box((2, 2, 2)))
    scene.add(shape, (1.0 - depth, 0.2, 0.1))
    for motion in (ss.Translate((0.1, 0, 0)), ss.Translate((0.01, 0.1, 0)), ss.Rotate((0, 0, 1), 0.1, about=(1, 5, 0))):
        hit = scene.sweep(box, motion)
        assert hit is not None, motion
        assert hit.time == 0.0
        assert not hit.overlapping
    assert scene.sweep(box, ss.Translate((0, 0.1, 0))) is None
    assert scene.sweep(box, ss.Translate((0, 0, 0))) is None
    assert scene.sweep(box, ss.Translate((0, 0, 0)), resting="hit") is not None
