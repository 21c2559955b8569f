"""Contact that was once judged wrongly: motions that added up, sharp tips, edges, flush normals, swapped bodies, reused rows."""

import math
from pathlib import Path

import numpy as np
import pytest

import sweepscope as ss

DATA = Path(__file__).parent / "data"
FLOOR = ss.Box((4, 4, 1)), (0, 0, -0.5)


def standing_box(tolerance=None):
    scene = ss.Scene(tolerance)
    scene.add(*FLOOR)
    return scene, scene.add(ss.Box((1, 1, 1)), (0, 0, 0.5))


def tip(half_angle):
    """A three-sided needle of length 1 that stands on its tip, at the origin. half_angle [degrees]."""
    w = math.tan(math.radians(half_angle))
    return ss.Mesh(
        [[0, 0, 0], [w, 0, 1], [-w / 2, w * 0.866, 1], [-w / 2, -w * 0.866, 1]], [[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]]
    )


@pytest.mark.parametrize(("tolerance", "step"), [(1e-3, 0.9e-3), (None, 0.9e-9)])
def test_motions_shorter_than_the_tolerance_do_not_add_up(tolerance, step):
    scene, box = standing_box(tolerance)
    down = ss.Translate((0, 0, -step))
    assert scene.sweep(box, down) is None
    box.pose = down.at() @ box.pose
    for _ in range(3):
        hit = scene.sweep(box, down)
        assert hit is not None
        assert (hit.travel, hit.overlapping) == (0.0, False)
        assert hit.normal.tolist() == pytest.approx([0, 0, 1], abs=1e-9)
    assert scene.sweep(box, ss.Translate((0, 0, 1))) is None
    assert scene.sweep(box, ss.Translate((1, 0, 0))) is None
    assert not scene.slide(box, (0, 0, 1)).stopped


def test_a_slide_that_presses_on_does_not_sink():
    scene, box = standing_box()
    for _ in range(20):
        slide = scene.slide(box, (1e-10, 0, -1.5e-9))
        box.pose = slide.moved.at() @ box.pose
        assert box.pose[2, 3] > 0.5 - 1.01e-9 * math.sqrt(3)
    assert scene.sweep(box, ss.Translate((0, 0, 1))) is None


@pytest.mark.parametrize("half_angle", [0.05, 0.3, 1, 5, 10, 30, 60])
@pytest.mark.parametrize("place", [(0, 0), (0.3, 0.1)], ids=["seam", "face"])
@pytest.mark.parametrize("floor", ["solid", "sheet"])
def test_a_sharp_tip_goes_no_deeper_than_a_blunt_one(half_angle, place, floor):
    scene = ss.Scene(tolerance=1e-3)
    if floor == "solid":
        scene.add(*FLOOR)
    else:
        scene.add(ss.Mesh([[-2, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0]], [[0, 1, 2], [0, 2, 3]]))
    needle = scene.add(tip(half_angle), (*place, 0))
    assert scene.sweep(needle, ss.Translate((0, 0, -0.9e-3))) is None
    for depth in (1.02e-3, 2e-3, 5.8e-3, 0.18):
        hit = scene.sweep(needle, ss.Translate((0, 0, -depth)))
        assert hit is not None
        assert hit.travel == 0.0
    needle.pose = (*place, -0.9e-3)
    assert scene.sweep(needle, ss.Translate((0, 0, 0.5))) is None
    assert scene.sweep(needle, ss.Translate((0.1, 0.2, 0))) is None


@pytest.mark.parametrize("tolerance", [None, 1e-3])
def test_round_things_slide_along_an_edge_and_beyond_its_end(tolerance):
    scene = ss.Scene(tolerance)
    scene.add(ss.Box((8, 8, 8)))
    ball = scene.add(ss.Sphere(5), (7, 8, -3))  # 3-4-5: it touches the edge x = y = 4
    assert scene.sweep(ball, ss.Translate((0, 0, 30))) is None
    assert scene.sweep(ball, ss.Translate((-0.6, -0.8, 0))).travel == 0.0
    scene.remove(ball)
    box = scene.add(ss.Box((4, 4, 4)), (9, 10, 1))
    assert scene.sweep(box, ss.Translate((0, 0, 30)), margin=5) is None


def test_equal_cubes_that_meet_flush_have_the_normal_of_their_faces():
    scene = ss.Scene()
    scene.add(ss.Box((1, 1, 1)))
    box = scene.add(ss.Box((1, 1, 1)), (3, 0, 0))
    assert scene.sweep(box, ss.Translate((-5, 0, 0))).normal.tolist() == pytest.approx([1, 0, 0], abs=1e-12)


def test_a_slide_goes_on_along_a_step():
    with np.load(DATA / "slide_stop.npz") as data:
        scene = ss.Scene()
        scene.add(ss.Box(data["floor_size"]), data["floor_at"], name="floor")
        scene.add(ss.Box(data["box_size"]), data["box_at"], name="step")
        body = scene.add(ss.Mesh(data["V"], data["F"]), data["start"])
        slide = scene.slide(body, data["vector"], legs=50)
    assert not slide.stopped


def test_swapping_mover_and_obstacle_gives_the_same():
    """A face of a polycube lies against the border of a triangle; at one of its corners only edges of cubes meet."""
    with np.load(DATA / "polycube.npz") as data:
        shape = ss.Mesh(data["V"] + np.array([-11.0, 30, -14]), data["F"])
    scene = ss.Scene()
    solid = scene.add(shape)
    triangle = scene.add(ss.Mesh([[0, 0, 0], [33, 33, 0], [0, 33, 0]], [[0, 1, 2]]))
    there, back = scene.sweep(solid, ss.Translate((0, 36, 36))), scene.sweep(triangle, ss.Translate((0, -36, -36)))
    assert there.travel == pytest.approx(back.travel, rel=1e-9) == pytest.approx(3 * math.sqrt(2), rel=1e-9)


def test_what_was_removed_before_does_not_decide_between_obstacles():
    def ask(detour):
        scene = ss.Scene()
        mover = scene.add(ss.Box((1, 1, 1)), name="mover")
        other = scene.add(ss.Sphere(1), (9, 9, 9)) if detour else None
        scene.add(ss.Sphere(1), (0.2, 0, 0), name="first")
        if other is not None:
            scene.remove(other)
        scene.add(ss.Sphere(1), (-0.2, 0, 0), name="second")
        return [scene.sweep(mover, motion).obstacle.name for motion in (ss.Translate((1, 0, 0)), ss.Rotate((0, 0, 1), 1))]

    assert ask(False) == ask(True)


def test_the_default_tolerance_does_not_depend_on_how_the_mover_is_turned():
    """Pressed in as deep as it may while it lies flat, a box is not stuck once it is turned about its own axis."""
    scene = ss.Scene()
    scene.add(*FLOOR)
    box = scene.add(ss.Box((1, 0.1, 0.1)), (0, 0, 0.05))
    step = ss.Translate((0, 0, -0.99e-9))
    assert scene.sweep(box, step) is None
    box.pose = step.at() @ box.pose
    for angle in np.linspace(0, math.pi, 13):
        turned = ss.Rotate((0, 0, 1), angle)
        assert scene.sweep(box, turned) is None
        box.pose = turned.at() @ box.pose
        assert scene.sweep(box, ss.Translate((0, 0, 1))) is None


@pytest.mark.parametrize("offset", [0.0, 1e-10, 1e-9, -1e-9, 3e-9, 1e-8, 1e-7])
def test_a_ball_beside_a_seam_is_on_the_floor(offset):
    """Rounding puts its nearest point on the seam. A long motion that goes down by a hair must not sink in."""
    scene = ss.Scene()
    scene.add(ss.Box((12, 12, 1)), (0, 0, -0.5))
    touch = 1e-9 * 0.6 * math.sqrt(3)
    ball = scene.add(ss.Sphere(0.3), (4, 4 + offset, 0.3 - 0.99 * touch))
    for down in (0.5, 2, 8):
        hit = scene.sweep(ball, ss.Translate((-8, 0, -down * touch)))
        assert hit is not None
        assert hit.travel == 0.0
    assert scene.sweep(ball, ss.Translate((-8, 0, 0))) is None
    assert scene.sweep(ball, ss.Translate((-8, 0, 1e-9))) is None
    for _ in range(20):
        slide = scene.slide(ball, (-0.1, -0.06, -0.01))
        ball.pose = slide.moved.at() @ ball.pose
        assert 0.3 - ball.pose[2, 3] < 1.01 * touch
        assert slide.travel > 0.1
