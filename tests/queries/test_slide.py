"""Slides go to contact and on along it: never through anything, by the tangential length, along creases, to a stop in corners."""

import math
import pickle

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.queries.slide import along

NAN = float("nan")


@pytest.fixture
def room():
    """A floor at z = 0, a wall whose face is at x = 5, another at y = 5; a ball of radius 0.5 that stands at the origin."""
    scene = ss.Scene()
    scene.add(ss.Box((20, 20, 1)), (0, 0, -0.5), name="floor")
    scene.add(ss.Box((1, 20, 4)), (5.5, 0, 2), name="wall")
    scene.add(ss.Box((20, 1, 4)), (0, 5.5, 2), name="side")
    scene.add(ss.Sphere(0.5), (0, 0, 0.5), name="ball")
    return scene


def check_legs(scene, mover, slide, **asked):
    """Every leg is free by a sweep of its own from where the one before ended, and the legs add up to what is said."""
    bodies = mover if isinstance(mover, list) else [mover]
    starts = [body.pose.copy() for body in bodies]
    for leg in slide.legs:
        hit = scene.sweep(mover, leg, **asked)
        assert hit is None or hit.travel >= leg.length - 1e-9
        for body in bodies:
            body.pose = leg.at() @ body.pose
    for body, start in zip(bodies, starts, strict=True):
        assert np.allclose(body.pose, slide.moved.at() @ start, atol=1e-12)
        body.pose = start
    assert len(slide.legs) - len(slide.hits) in (0, 1)
    assert slide.travel == pytest.approx(sum(leg.length for leg in slide.legs))


def test_free(room):
    slide = room.slide(room["ball"], (3, 1, 0))
    assert (slide.legs, slide.hits, slide.stopped) == ((ss.Translate((3, 1, 0)),), (), False)
    assert slide.moved.vector == (3, 1, 0)


@pytest.mark.parametrize("angle", [1.0, 30.0, 45.0, 80.0, 89.9])
def test_along_a_wall_by_the_tangential_length(room, angle):
    across, tangent = 10 * math.sin(math.radians(angle)), 10 * math.cos(math.radians(angle))
    room.remove(room["side"])
    room["ball"].pose = (4, -4, 0.5)
    slide = room.slide(room["ball"], (across, tangent, 0))
    met = across > 0.5
    assert np.allclose(slide.moved.vector, (min(across, 0.5), tangent, 0), atol=1e-9)
    assert [hit.obstacle.name for hit in slide.hits] == ["wall"] * met
    assert not slide.stopped
    check_legs(room, room["ball"], slide)


def test_pressed_on_the_floor_it_goes_along_it_and_along_the_crease(room):
    slide = room.slide(room["ball"], (8, 3, -1))
    assert np.allclose(slide.moved.vector, (4.5, 3, 0), atol=1e-9)
    assert [hit.obstacle.name for hit in slide.hits][:2] == ["floor", "wall"]
    assert not slide.stopped
    check_legs(room, room["ball"], slide)


def test_a_corner_of_three_stops_it(room):
    slide = room.slide(room["ball"], (8, 9, -1))
    assert np.allclose(slide.moved.vector, (4.5, 4.5, 0), atol=1e-9)
    assert slide.stopped
    assert {hit.obstacle.name for hit in slide.hits} == {"floor", "wall", "side"}
    check_legs(room, room["ball"], slide)


def test_head_on_it_stops(room):
    slide = room.slide(room["ball"], (8, 0, 0))
    assert (len(slide.legs), slide.stopped) == (1, True)
    assert slide.travel == pytest.approx(4.5)


@pytest.mark.parametrize("turn", [0.0, 0.3, 1.1])
@pytest.mark.parametrize("half", [0.2, 0.5, 0.78])
def test_in_a_groove_it_goes_along_the_crease(turn, half):
    """Two walls, each `half` from the middle plane: an acute groove. From an obtuse one it would go up the other side."""
    scene, frame = ss.Scene(), ss.Rotate((1, 2, 3), turn).at()
    for side in (-1, 1):
        normal = np.array((0, side * math.cos(half), math.sin(half)))
        lean = ss.Rotate((1, 0, 0), math.atan2(-normal[1], normal[2])).at()
        lean[:3, 3] = -0.5 * normal
        scene.add(ss.Box((40, 40, 1)), frame @ lean)
    start = frame.copy()
    start[:3, 3] = frame[:3, :3] @ (0, 0, 3)
    ball = scene.add(ss.Sphere(0.1), start)
    slide = scene.slide(ball, frame[:3, :3] @ (4, 0.3, -9))
    local = frame[:3, :3].T @ slide.moved.vector
    assert local[0] == pytest.approx(4, abs=1e-6)
    assert local[1] == pytest.approx(0, abs=1e-6)
    assert local[2] == pytest.approx(0.1 / math.sin(half) - 3, abs=1e-6)
    check_legs(scene, ball, slide)


def stairs(scene, count, rise, run):
    for k in range(count):
        scene.add(ss.Box((20, 4, rise)), (10 + k * run, 0, (k + 0.5) * rise), name=f"step {k}")


def test_a_ball_climbs_low_stairs_and_a_box_does_not():
    scene = ss.Scene()
    scene.add(ss.Box((100, 100, 1)), (0, 0, -0.5), name="floor")
    stairs(scene, 3, 0.1, 1.0)
    ball = scene.add(ss.Sphere(0.5), (-2, 0, 0.5))
    slide = scene.slide(ball, (6, 0, 0), legs=100)
    assert slide.moved.vector[2] > 0.25
    check_legs(scene, ball, slide)
    scene.remove(ball)
    box = scene.add(ss.Box((1, 1, 1)), (-2, 0, 0.5))
    slide = scene.slide(box, (6, 0, 0))
    assert slide.moved.vector[0] == pytest.approx(1.5)
    assert (slide.stopped, slide.hits[0].obstacle.name) == (True, "step 0")


def test_down_the_stairs_frame_by_frame_every_step_is_trodden_on():
    scene = ss.Scene()
    scene.add(ss.Box((100, 100, 1)), (0, 0, -0.5), name="floor")
    stairs(scene, 4, 0.3, 1.0)
    man = scene.add(ss.Capsule.from_segment((0, 0, 0.3), (0, 0, 1.5), radius=0.3), (5, 0, 1.2))
    met = []
    for _ in range(80):
        slide = scene.slide(man, (-0.1, 0, -0.2))
        check_legs(scene, man, slide)
        met += [hit.obstacle.name for hit in slide.hits]
        man.pose = slide.moved.at() @ man.pose
    assert list(dict.fromkeys(met)) == ["step 3", "step 2", "step 1", "step 0", "floor"]
    assert man.pose[2, 3] == pytest.approx(0, abs=1e-9)


def test_random_walks_among_boxes_pass_through_nothing(rng):
    scene = ss.Scene()
    for _ in range(60):
        turn = ss.Rotate(rng.normal(size=3), rng.uniform(0, 3)).at()
        turn[:3, 3] = rng.uniform(-6, 6, 3)
        scene.add(ss.Box(rng.uniform(0.5, 3, 3)), turn)
    mover = [scene.add(ss.Sphere(0.2)), scene.add(ss.Capsule.from_segment((0, 0, 0), (0.3, 0.2, 0.1), radius=0.1))]
    hits = legs = 0
    for _ in range(200):
        place = rng.uniform(-6, 6, 3)
        for body in mover:
            body.pose = place
        slide = scene.slide(mover, rng.normal(size=3) * 5)
        if slide.hits and slide.hits[0].overlapping:
            assert (slide.travel, slide.stopped) == (0.0, True)
            continue
        check_legs(scene, mover, slide)
        hits, legs = hits + len(slide.hits), legs + len(slide.legs)
    assert hits > 60
    assert legs > 80


def test_margin_keeps_its_distance(room):
    ball = room["ball"]
    slide = room.slide(ball, (8, 9, 0), margin=0.1, ignore=[room["floor"]])
    assert np.allclose(slide.moved.vector, (4.4, 4.4, 0), atol=1e-9)
    check_legs(room, ball, slide, margin=0.1, ignore=[room["floor"]])
    slide = room.slide(ball, (8, 9, 0), margin=0.1)  # nearer to the floor than that from the start
    assert (slide.travel, slide.stopped, slide.hits[0].overlapping) == (0.0, True, True)


def test_along_voxels():
    volume = ss.Volume(np.ones((4, 40, 20), bool), 0.25, origin=(3, -5, -2))
    scene = ss.Scene()
    scene.add(volume, name="voxels")
    ball = scene.add(ss.Sphere(0.5))
    slide = scene.slide(ball, (6, 3, 1))
    assert np.allclose(slide.moved.vector, (2.5, 3, 1), atol=1e-9)
    assert slide.hits[0].features[1].voxel is not None


def test_a_volume_slides_along_a_volume():
    scene = ss.Scene()
    scene.add(ss.Volume(np.ones((40, 40, 2), bool), 0.5, origin=(-10, -10, -1)), name="ground")
    block = scene.add(ss.Volume(np.ones((2, 2, 2), bool), 0.5), name="block")
    slide = scene.slide(block, (2.3, 1, -1))
    assert np.allclose(slide.moved.vector, (2.3, 1, 0), atol=1e-9)


def test_legs_bound_it(room):
    slide = room.slide(room["ball"], (8, 3, -1), legs=1)
    assert (len(slide.legs), slide.travel, slide.stopped) == (1, 0.0, True)
    slide = room.slide(room["ball"], (8, 3, -1), legs=2)
    assert (len(slide.legs), slide.stopped) == (2, True)


def test_inside_of_something_it_stays(room):
    room["ball"].pose = (5.5, 0, 2)
    slide = room.slide(room["ball"], (1, 0, 0))
    assert (slide.travel, slide.stopped) == (0.0, True)
    assert slide.hits[0].overlapping


def test_no_motion(room):
    slide = room.slide(room["ball"], (0, 0, 0))
    assert (slide.travel, slide.hits, slide.stopped) == (0.0, (), False)


def test_the_scene_does_not_change(room):
    before = [body.pose for body in room]
    room.slide(room["ball"], (8, 3, -1))
    assert all(np.array_equal(body.pose, pose) for body, pose in zip(room, before, strict=True))


def test_it_prints_and_travels(room):
    slide = room.slide(room["ball"], (8, 9, 0))
    assert repr(slide) == "<SlideResult: 2 legs, 6.5208, meets 'side' and 'wall', stopped>"
    assert repr(room.slide(room["ball"], (1, 0, 0))) == "<SlideResult: 1 leg, 1>"
    there = pickle.loads(pickle.dumps(slide))
    assert (there.legs, there.moved, there.hits[0].obstacle) == (slide.legs, slide.moved, room["side"])


BAD = {
    "NaN": ({"vector": (0, NAN, 0)}, ss.errors.InvalidMotion, r"vector\[1\] is nan"),
    "two numbers": ({"vector": (1, 2)}, ss.errors.InvalidMotion, "vector: expected three numbers"),
    "a motion": ({"vector": ss.Translate((1, 0, 0))}, ss.errors.InvalidType, "vector: expected three numbers"),
    "margin": ({"margin": -1}, ss.errors.InvalidQuery, "margin is -1"),
    "no legs": ({"legs": 0}, ss.errors.InvalidQuery, "legs is 0; accepted: a whole number from 1 to 1000"),
    "half a leg": ({"legs": 1.5}, ss.errors.InvalidType, r"legs is 1\.5; accepted: a whole number"),
    "true legs": ({"legs": True}, ss.errors.InvalidType, "legs is True; accepted: a whole number"),
    "ignore": ({"ignore": ["wall"]}, ss.errors.InvalidType, r"ignore\[0\]"),
    "mover": ({"mover": "ball"}, ss.errors.InvalidType, "mover"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(room, case):
    given, error, message = BAD[case]
    asked = {"mover": room["ball"], "vector": (1, 0, 0), **given}
    with pytest.raises(error, match=message):
        room.slide(**asked)


def test_a_step_goes_against_no_normal():
    x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    assert along((1.0, 2.0, 3.0), [z]) == (1.0, 2.0, 3.0)
    assert along((1.0, 2.0, -3.0), [z]) == (1.0, 2.0, 0.0)
    assert along((1.0, -2.0, -3.0), [z, y]) == (1.0, 0.0, 0.0)
    assert along((-1.0, -2.0, -3.0), [z, y, x]) == (0.0, 0.0, 0.0)
    assert along((1.0, 2.0, -3.0), [y, z]) == (1.0, 2.0, 0.0)


def test_a_step_along_random_normals_is_the_nearest(rng):
    """No vector of many tried ones that goes against none of the normals is nearer to the step."""
    moved = 0
    for _ in range(200):
        normals = rng.normal(size=(rng.integers(1, 4), 3))
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        step = rng.normal(size=3)
        found = np.array(along(tuple(step), [tuple(n) for n in normals]))
        assert (normals @ found >= -1e-9).all()
        tried = found + rng.normal(size=(500, 3)) * rng.uniform(0, 1, (500, 1)) ** 3
        tried = tried[(tried @ normals.T >= 0).all(axis=1)]
        assert (np.linalg.norm(tried - step, axis=1) >= np.linalg.norm(found - step) - 1e-9).all()
        moved += bool(np.linalg.norm(found) > 0.1)
    assert moved > 100


def test_a_slide_as_plain_data():
    scene = ss.Scene()
    scene.add(ss.Box((1, 9, 9)), (5, 0, 0), name="wall")
    body = scene.add(ss.Box((1, 1, 1)))
    told = scene.slide(body, (9, 2, 0)).as_dict()
    assert told["moved"] == pytest.approx([4.0, 2.0, 0.0])
    assert [hit["obstacle"] for hit in told["hits"]] == ["wall"]
    assert repr(scene.slide(body, (1, 0, 0))) == "<SlideResult: 1 leg, 1>"
