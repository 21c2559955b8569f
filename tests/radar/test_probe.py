"""The radar: range, mask and gap, who is met, where, and how many scopes it took."""

import math

import numpy as np
import pytest
from sweepscope_lab.scenes import hook

import sweepscope as ss


def _floor_and(shape, height=3.0):
    scene = ss.Scene()
    floor = scene.add(ss.Box((10, 10, 0.2)), name="floor")
    return scene, floor, scene.add(shape, (0, 0, height), name="mover")


def _turn(axis, angle):
    axis = np.array(axis, float) / np.linalg.norm(axis)
    k = np.array(((0, -axis[2], axis[1]), (axis[2], 0, -axis[0]), (-axis[1], axis[0], 0)))
    pose = np.eye(4)
    pose[:3, :3] = np.eye(3) + math.sin(angle) * k + (1.0 - math.cos(angle)) * (k @ k)
    return pose


def test_a_ball_above_a_floor():
    scene, floor, ball = _floor_and(ss.Sphere(0.5))
    reading = ss.radar.Radar(scene, ball, pixels=(101, 101)).probe(ss.Translate((0, 0, -5)))
    assert reading
    assert reading.hit
    assert reading.travel == pytest.approx(2.4, abs=1e-12)  # the middle pixel sees the lowest point
    assert reading.time == pytest.approx(0.48)
    assert reading.obstacle is floor
    assert reading.obstacles == (floor,)
    assert reading.center == pytest.approx((0, 0, 0.1))
    assert reading.normal == pytest.approx((0, 0, 1))
    assert reading.points == pytest.approx(np.array([(0, 0, 0.1)]))
    assert reading.drawings == 2
    assert reading.confirm().travel == pytest.approx(2.4)


def test_range_mask_and_lookat_are_the_papers():
    scene, _, ball = _floor_and(ss.Mesh.sphere(0.5, rows=13, sections=12))
    reading = ss.radar.Radar(scene, ball, pixels=(60, 40)).probe(ss.Translate((0.5, 0.2, -5)))
    d = reading.view.depth
    assert reading.range.shape == reading.mask.shape == reading.lookat.shape == (40, 60)
    beside = reading.mask == d
    assert 0.1 < beside.mean() < 0.4
    assert np.array_equal(np.isnan(reading.lookat), beside)
    there = ~beside
    assert reading.lookat[there] == pytest.approx((reading.range + reading.mask - d)[there], abs=1e-12)
    assert (reading.range <= d).all()
    assert np.nanmin(reading.lookat) == reading.travel
    # Each pixel of the mask, taken back to the world from the far end, lies on the ball.
    row, column = np.nonzero(there)
    places = reading.view.at(column, row, d - reading.mask[there], reading.mask.shape)
    assert (np.linalg.norm(places - (0, 0, 3), axis=1) <= 0.5 + 1e-12).all()
    assert (np.linalg.norm(places - (0, 0, 3), axis=1) >= 0.45).all()


def test_the_mask_is_mirrored_so_that_its_pixels_match():
    """An L from behind: what stands before its arm is met, what stands before its gap is not."""
    for gap_side, meets in ((1.0, True), (-1.0, False)):
        scene = ss.Scene()
        body = scene.add(ss.Box((0.5, 0.5, 3.0)))
        arm = scene.add(ss.Box((0.5, 2.0, 0.5)), (0, 1.25, 1.25))
        scene.add(ss.Box((0.2, 0.2, 0.2)), (5, 1.5 * gap_side, 1.25))
        reading = ss.radar.Radar(scene, [body, arm], pixels=80).probe(ss.Translate((9, 0, 0)))
        assert reading.hit is meets
        assert (scene.sweep([body, arm], ss.Translate((9, 0, 0))) is not None) is meets


def test_one_drawing_when_nothing_is_ahead():
    scene, _, ball = _floor_and(ss.Mesh.sphere(0.5))
    reading = ss.radar.Radar(scene, ball).probe(ss.Translate((0, 0, 5)))
    assert not reading
    assert reading.drawings == 1
    assert reading.travel == 5.0
    assert reading.time == 1.0
    assert reading.obstacle is None
    assert np.isnan(reading.mask).all()
    assert (reading.range == reading.view.depth).all()
    assert np.isnan(reading.center).all()
    assert reading.points.shape == (0, 3)
    assert reading.confirm() is None


def test_a_mask_is_drawn_again_only_when_it_must_be():
    scene, floor, ball = _floor_and(ss.Mesh.sphere(0.5))
    radar = ss.radar.Radar(scene, ball, pixels=40)
    down = ss.Translate((0, 0, -5))
    assert radar.probe(down).drawings == 2
    assert radar.probe(down).drawings == 1
    assert radar.probe(ss.Translate((0, 0, -2.5))).drawings == 1  # another distance
    ball.pose = (1, 1, 4)
    moved = radar.probe(down)
    assert moved.drawings == 1
    assert moved.travel == pytest.approx(3.4, abs=1e-3)
    floor.pose = (0, 0, -1)
    assert radar.probe(down).drawings == 1
    assert radar.probe(ss.Translate((1, 0, -5))).drawings == 2  # another direction
    assert radar.probe(ss.Translate((1, 0, -5))).drawings == 1
    ball.vertices = ball.vertices * 0.9  # another shape
    assert radar.probe(ss.Translate((1, 0, -5))).drawings == 2
    ball.pose = _turn((1, 2, 3), 0.3) + np.array(((0, 0, 0, 1), (0, 0, 0, 1), (0, 0, 0, 4), (0, 0, 0, 0)))
    assert radar.probe(ss.Translate((1, 0, -5))).drawings == 2  # turned
    radar.pixels = 50
    assert radar.probe(ss.Translate((1, 0, -5))).drawings == 2  # another precision
    ball.shape = ss.Box((1, 1, 1))
    assert radar.probe(ss.Translate((1, 0, -5))).drawings == 2
    assert radar.probe(ss.Translate((1, 0, -5))).drawings == 1


def test_a_mask_turns_with_body_and_direction():
    """What counts is the direction as seen from the body."""
    room = ss.Mesh.box((20, 20, 20), solid=False)
    scene = ss.Scene()
    scene.add(room)
    body = scene.add(ss.Mesh.cylinder(0.3, 1.0))
    radar = ss.radar.Radar(scene, body)
    first = radar.probe(ss.Translate((12, 0, 0)))
    assert first.drawings == 2
    for angle in (0.3, 1.1, 2.0):
        turn = _turn((0, 0, 1), angle)
        body.pose = turn
        reading = radar.probe(ss.Translate(turn[:3, 0] * 20))
        assert reading.drawings == 1
        assert reading.travel == pytest.approx(reading.confirm().travel, abs=0.05)


def test_what_is_behind_the_leading_surface_is_no_contact_and_hides_nothing():
    """Two plates that move as one, a block between them: it is behind the leading surface of every pixel that shows it."""
    scene = ss.Scene()
    plates = [scene.add(ss.Box((0.2, 2, 2)), (x, 0, 0)) for x in (-2, 2)]
    block = scene.add(ss.Box((0.5, 1, 1)), name="block")
    wall = scene.add(ss.Box((0.2, 4, 4)), (6, 0, 0), name="wall")
    motion = ss.Translate((9, 0, 0))
    reading = ss.radar.Radar(scene, plates, pixels=40).probe(motion)
    assert reading.obstacle is wall
    assert reading.travel == pytest.approx(3.8)
    assert (reading.ids != block.id).all()
    # The rear plate does meet the block: the sweep says so, and a bounding radar does not promise otherwise.
    assert reading.confirm().obstacle is block
    assert ss.radar.Radar(scene, plates, pixels=40, method="bounding").probe(motion).travel <= reading.confirm().travel
    # Beside the mover's rear, outside its outline or behind it, nothing counts.
    block.pose = (-3.0, 0, 0)
    assert ss.radar.Radar(scene, plates, pixels=40).probe(motion).obstacle is wall
    assert ss.radar.Radar(scene, plates, pixels=40, method="bounding").probe(motion).obstacle is wall


def test_a_hook_does_not_take_what_is_in_its_mouth_for_an_obstacle():
    scene = ss.Scene()
    mover = scene.add(hook(), name="hook")
    scene.add(ss.Capsule.from_segment((0.7, 0, -2), (0.7, 0, 2), radius=0.1), name="bar")
    wall = scene.add(ss.Box((4, 0.5, 4)), (0, -4, 0), name="wall")
    reading = ss.radar.Radar(scene, mover, pixels=101).probe(ss.Translate((0, -6, 0)))
    exact = scene.sweep(mover, ss.Translate((0, -6, 0)), ignore=[scene["bar"]])
    assert exact.obstacle is wall
    assert reading.obstacle is wall
    assert reading.travel == pytest.approx(exact.travel, abs=0.02)


def test_contact_by_three_or_more_pixels_is_the_center_of_their_hull():
    scene, floor, box = _floor_and(ss.Box((2, 1, 1)))
    box.pose = (0.3, -0.2, 3)
    reading = ss.radar.Radar(scene, box, pixels=(40, 20)).probe(ss.Translate((0, 0, -5)))
    assert len(reading.pixels) == 800
    assert reading.center == pytest.approx((0.3, -0.2, 0.1))
    assert reading.normal == pytest.approx((0, 0, 1))
    assert reading.points[:, 2] == pytest.approx(0.1)
    # Half over the edge of a table: the hull is that of the pixels over it.
    floor.pose = (5.3, 0, 0)
    reading = ss.radar.Radar(scene, box, pixels=(40, 20)).probe(ss.Translate((0, 0, -5)))
    assert reading.center == pytest.approx((0.8, -0.2, 0.1), abs=0.03)


def test_contact_on_a_slope_has_the_slopes_normal():
    scene = ss.Scene()
    slope = _turn((0, 1, 0), 0.4)
    scene.add(ss.Box((10, 10, 0.2)), slope)
    same = slope.copy()
    same[:3, 3] = (0, 0, 3)
    box = scene.add(ss.Box((1, 1, 1)), same)
    reading = ss.radar.Radar(scene, box, pixels=50).probe(ss.Translate((0, 0, -5)))
    assert len(reading.pixels) > 100
    assert reading.normal == pytest.approx(slope[:3, 2], abs=1e-9)
    assert reading.travel == pytest.approx(reading.confirm().travel, abs=1e-9)


def test_contact_by_one_pixel_takes_its_normal_from_around():
    scene = ss.Scene()
    scene.add(ss.Sphere(1.0), name="other")
    ball = scene.add(ss.Sphere(1.0), (0.6, -0.3, 4))
    reading = ss.radar.Radar(scene, ball, pixels=151).probe(ss.Translate((0, 0, -4)))
    exact = reading.confirm()
    assert len(reading.pixels) < 3
    assert reading.normal @ exact.normal > 1.0 - 1e-4
    assert np.linalg.norm(reading.center - exact.point) < 0.02


def test_a_corner_on_a_face_has_the_faces_normal():
    """From both sides: the corner may be the mover's or the obstacle's."""
    tip = _turn((1, -1, 0), math.atan(math.sqrt(2.0)))
    for corner_moves in (True, False):
        scene = ss.Scene()
        plate, cube = ss.Box((6, 6, 0.2)), ss.Box((1, 1, 1))
        pose = tip.copy()
        pose[:3, 3] = (0.1, 0.2, 3 if corner_moves else -3)
        dice = scene.add(cube, pose)
        slab = scene.add(plate)
        mover, vector = (dice, (0, 0, -5)) if corner_moves else (slab, (0, 0, -5))
        reading = ss.radar.Radar(scene, mover, pixels=201).probe(ss.Translate(vector))
        assert reading.hit
        assert reading.normal == pytest.approx((0, 0, 1), abs=0.05)


def test_several_are_told_apart():
    scene = ss.Scene()
    posts = [scene.add(ss.Box((0.5, 0.5, 2)), (x, 0, 0), name=f"post {x}") for x in (-2, 0, 2)]
    scene.add(ss.Box((0.5, 0.5, 1)), (1, 0, 0), name="short")
    beam = scene.add(ss.Box((6, 0.3, 0.3)), (0.5, 0, 4))
    reading = ss.radar.Radar(scene, beam, pixels=(240, 12)).probe(ss.Translate((0, 0, -6)))
    assert set(reading.obstacles) == set(posts)
    assert set(np.unique(reading.ids)) >= {post.id for post in posts}
    owners = reading.ids[reading.pixels[:, 0], reading.pixels[:, 1]]
    assert set(owners) == {post.id for post in posts}
    for post in posts:
        of_it = reading.points[owners == post.id]
        assert of_it[:, 0].mean() == pytest.approx(post.pose[0, 3], abs=0.02)


def test_the_leading_surface_inside_a_solid_is_overlap():
    scene, floor, box = _floor_and(ss.Box((1, 1, 1)), height=0.45)
    reading = ss.radar.Radar(scene, box).probe(ss.Translate((0, 0, -5)))
    assert reading.overlapping
    assert reading.travel == 0.0
    assert reading.obstacle is floor
    box.pose = (0, 0, 0.6)  # resting: touching is contact when pressed down, but no overlap
    resting = ss.radar.Radar(scene, box).probe(ss.Translate((0, 0, -5)))
    assert resting.hit
    assert not resting.overlapping
    assert resting.travel == 0.0
    assert not ss.radar.Radar(scene, box).probe(ss.Translate((5, 0, 0)))  # and it slides
    assert not ss.radar.Radar(scene, box).probe(ss.Translate((0, 0, 5)))  # and lifts


@pytest.mark.parametrize("inside_out", [False, True])
def test_a_mesh_turned_inside_out_is_met_where_it_is(inside_out):
    shape = ss.Mesh.sphere(1.0)
    faces = shape.faces[:, ::-1] if inside_out else shape.faces
    scene = ss.Scene()
    scene.add(ss.Mesh(shape.vertices, faces), (5, 0, 0))
    ball = scene.add(ss.Sphere(0.5))
    reading = ss.radar.Radar(scene, ball, pixels=101).probe(ss.Translate((9, 0, 0)))
    assert not reading.overlapping
    assert reading.travel == pytest.approx(3.5, abs=0.02)


@pytest.mark.parametrize("solid", [True, False])
def test_wholly_inside(solid):
    """Nothing to see, but a solid holds it; a room does not."""
    scene = ss.Scene()
    block = scene.add(ss.Mesh.box((10, 10, 10), solid=solid))
    ball = scene.add(ss.Sphere(0.5))
    reading = ss.radar.Radar(scene, ball).probe(ss.Translate((1, 0, 0)))
    assert reading.hit is solid
    assert reading.overlapping is solid
    assert reading.obstacle is (block if solid else None)
    assert reading.travel == (0.0 if solid else 1.0)
    wall = ss.radar.Radar(scene, ball, pixels=51).probe(ss.Translate((9, 0, 0)))
    assert wall.travel == pytest.approx(0.0 if solid else 4.5)


def test_two_step_sizing():
    """The paper's: a mask at the preset size, the true size read off it, a mask of that size, then kept."""
    scene, floor, box = _floor_and(ss.Box((1, 0.5, 0.5)))
    radar = ss.radar.Radar(scene, box, pixels=100, max_size=5.0)
    down = ss.Translate((0, 0, -5))
    first, second, third = radar.probe(down), radar.probe(down), radar.probe(down)
    assert (first.view.width, first.view.height) == (5.0, 5.0)
    assert [reading.drawings for reading in (first, second, third)] == [2, 2, 1]
    assert sorted((second.view.width, second.view.height)) == pytest.approx([0.5, 1.0], abs=0.15)
    assert min(second.view.width, second.view.height) >= 0.5
    assert max(second.view.width, second.view.height) >= 1.0
    for reading in (first, second, third):
        assert reading.travel == pytest.approx(2.65)
        assert reading.obstacle is floor
    box.pose = _turn((1, 0, 0), 0.1) + np.array([[0] * 4, [0] * 4, [0, 0, 0, 3], [0] * 4])
    assert radar.probe(down).view.width == 5.0  # starts anew
    with pytest.raises(ss.errors.InvalidQuery, match=r"max_size is 0\.4"):
        ss.radar.Radar(scene, box, max_size=0.4).probe(down)


def test_the_preset_size_may_change_between_probes():
    scene, floor, box = _floor_and(ss.Box((1, 0.5, 0.5)))
    down = ss.Translate((0, 0, -5))
    radar = ss.radar.Radar(scene, box, pixels=100)
    assert radar.max_size is None
    fitted = radar.probe(down)
    radar.max_size = 5.0
    assert radar.max_size == 5.0
    first, second, third = radar.probe(down), radar.probe(down), radar.probe(down)
    assert (first.view.width, first.view.height) == (5.0, 5.0)
    assert [reading.drawings for reading in (first, second, third)] == [2, 2, 1]
    # The size is read off the mask: a pixel is 0.05 wide, half of one is added on each side.
    assert sorted((second.view.width, second.view.height)) == pytest.approx([0.55, 1.05], abs=0.051)
    radar.max_size = 2.0  # anew, from the other preset
    again = radar.probe(down)
    assert (again.view.width, again.drawings) == (2.0, 2)
    assert max(radar.probe(down).view.width, radar.probe(down).view.height) == pytest.approx(1.02, abs=0.021)
    radar.max_size = None
    last = radar.probe(down)
    assert (last.view.width, last.view.height) == (fitted.view.width, fitted.view.height)
    for reading in (first, second, third, again, last):
        assert reading.travel == pytest.approx(2.65)
        assert reading.obstacle is floor
    for wrong in (0.0, -1.0, math.inf, math.nan, "wide", True):
        error = ss.errors.InvalidQuery if isinstance(wrong, float) else ss.errors.InvalidType
        with pytest.raises(error, match="max_size"):
            radar.max_size = wrong
        assert radar.max_size is None
    radar.max_size = 0.4
    with pytest.raises(ss.errors.InvalidQuery, match=r"max_size is 0\.4"):
        radar.probe(down)


def test_the_preset_size_of_all_radars_of_a_set():
    scene, _, box = _floor_and(ss.Box((1, 0.5, 0.5)))
    other = scene.add(ss.Sphere(0.3), (3, 0, 3))
    radars = ss.radar.RadarSet(scene, [box, other], pixels=40, max_size=3.0)
    motions = [ss.Translate((0, 0, -5))] * 2
    assert [reading.view.width for reading in radars.probe(motions)] == [3.0, 3.0]
    radars.max_size = 4.0
    assert radars.max_size == 4.0
    assert [reading.view.width for reading in radars.probe(motions)] == [4.0, 4.0]
    with pytest.raises(ss.errors.InvalidQuery, match="max_size"):
        radars.max_size = 0.0
    assert [radar.max_size for radar in radars.radars] == [4.0, 4.0]
    radars.max_size = None
    assert [reading.view.width for reading in radars.probe(motions)] != [4.0, 4.0]


def test_direct_sizing_fits_at_once(rng):
    scene = ss.Scene()
    scene.add(ss.Mesh.box((90, 90, 90), solid=False))
    for _ in range(10):
        turn = _turn(rng.normal(size=3), rng.uniform(0, 3))
        body = scene.add(ss.Mesh.cylinder(0.4, 2.0), turn)
        motion = ss.Translate(rng.normal(size=3) * 100)
        reading = ss.radar.Radar(scene, body, pixels=64).probe(motion)
        frame = reading.view.frame
        spread = body.vertices @ turn[:3, :3].T @ frame.T
        assert (reading.view.width, reading.view.height) == pytest.approx(tuple(np.ptp(spread, axis=0)[:2]))
        assert reading.view.depth == pytest.approx(motion.length + np.ptp(spread[:, 2]))
        scene.remove(body)


def test_filters_hold_for_radars():
    scene, floor, ball = _floor_and(ss.Sphere(0.5))
    down = ss.Translate((0, 0, -5))
    radar = ss.radar.Radar(scene, ball)
    assert radar.probe(down)
    assert not radar.probe(down, ignore=[floor])
    scene.ignore(ball, floor)
    assert not radar.probe(down)
    scene.unignore(ball, floor)
    assert radar.probe(down)
    other = ss.Scene()
    other.add(ss.Box((10, 10, 0.2)), group="ground")
    ghost = other.add(ss.Sphere(0.5), (0, 0, 3), group="ghosts")
    other.ignore_groups("ground", "ghosts")
    assert not ss.radar.Radar(other, ghost).probe(down)


def test_a_set_reads_what_single_radars_read(rng):
    scene = ss.Scene()
    scene.add(ss.Mesh.box((20, 20, 20), solid=False))
    balls = [scene.add(ss.Mesh.sphere(0.5, rows=9, sections=8), place) for place in rng.uniform(-9, 9, (30, 3))]
    motions = [ss.Translate(vector) for vector in rng.normal(size=(30, 3)) * 8]
    together = ss.radar.RadarSet(scene, balls, pixels=40).probe(motions)
    assert sum(reading.hit for reading in together) > 5
    for ball, motion, reading in zip(balls, motions, together, strict=True):
        alone = ss.radar.Radar(scene, ball, pixels=40).probe(motion)
        assert alone.travel == reading.travel
        assert alone.obstacles == reading.obstacles
        assert np.array_equal(alone.lookat, reading.lookat, equal_nan=True)
    assert ss.radar.RadarSet(scene, [], pixels=40).probe([]) == []


def test_contact_at_the_very_end_counts():
    scene, _, box = _floor_and(ss.Box((1, 1, 1)))
    exactly = ss.radar.Radar(scene, box).probe(ss.Translate((0, 0, -2.4)))
    assert exactly.hit
    assert exactly.time == pytest.approx(1.0)
    assert not ss.radar.Radar(scene, box).probe(ss.Translate((0, 0, -2.39)))


def test_far_from_the_origin_nothing_is_lost():
    travels = []
    for away in (0.0, 1e6, -3e8):
        scene, floor, ball = _floor_and(ss.Mesh.sphere(0.5))
        floor.pose = (away, away, 0)
        ball.pose = (away, away, 3)
        travels.append(ss.radar.Radar(scene, ball, pixels=60).probe(ss.Translate((0.3, 0, -5))).travel)
    assert travels == pytest.approx([travels[0]] * 3, abs=1e-6)


def test_a_flat_wall_has_its_own_normal_however_flat_the_mover():
    """At the mover's outline only one of two flat surfaces goes on; rounding must not choose between them."""
    for shift in (0.0, 1e-9):
        scene = ss.Scene()
        scene.add(ss.Mesh([(-8, -20, -20), (-8, 20, -20), (-8, 0, 30)], [(0, 1, 2)]))
        ball = scene.add(ss.Mesh.sphere(1.06, rows=9, sections=8), (-6.84962 + shift, -4.53468, 2.09294))
        reading = ss.radar.Radar(scene, ball, pixels=50).probe(ss.Translate((-0.1229, -0.3255, 0.12844)))
        assert reading.normal == pytest.approx((1, 0, 0), abs=1e-9)


def test_a_single_pixel_takes_the_normal_of_its_face():
    """With nothing around to fit a plane to, the face that is seen has the say."""
    scene = ss.Scene()
    slope = _turn((0, 1, 0), 0.5)
    scene.add(ss.Box((10, 10, 0.2)), slope)
    needle = scene.add(ss.Box((1e-3, 1e-3, 1)), (0, 0, 3))
    reading = ss.radar.Radar(scene, needle, pixels=1).probe(ss.Translate((0, 0, -5)))
    assert reading.normal == pytest.approx(slope[:3, 2])
