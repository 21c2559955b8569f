"""The radar round an axis: range, mask and gap on circles, who is met, where; starts, wraps, and what is refused."""

import math

import numpy as np
import pytest

import sweepscope as ss

TURN = 2.0 * math.pi
HAND = ss.Box((1, 0.1, 0.4))
POST = ss.Box((1, 0.1, 1))


def _at(angle, radius=0.0, height=0.0, offset=(0.0, 0.0)):
    """A pose at an angle about z, turned with it."""
    pose = np.eye(4)
    pose[:2, :2] = ((math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle)))
    pose[:3, 3] = pose[:3, :3] @ (radius + offset[0], offset[1], height)
    return pose


def _clock(*angles, hand=HAND, post=POST):
    """A hand at angle 0, radius 1 to 2, and posts at others."""
    scene = ss.Scene()
    mover = scene.add(hand, _at(0.0, 1.5), name="hand")
    return scene, mover, [scene.add(post, _at(angle, 1.5), name=f"post {angle}") for angle in angles]


def _free(angle):
    """How far the hand may go to a post of the same width: where both are nearest to the axis, at x = 1, y = 0.05."""
    return angle - 2.0 * math.asin(0.05 / math.hypot(1.0, 0.05))


def test_pictures_and_their_law():
    scene, hand, (post,) = _clock(1.5)
    reading = ss.radar.Radar(scene, hand, pixels=(60, 40)).probe(ss.Rotate((0, 0, 1), 2.0))
    assert reading
    assert reading.obstacle is post
    assert reading.travel == pytest.approx(_free(1.5), abs=2e-3)
    assert reading.time == reading.travel / 2.0
    view, d = reading.view, reading.view.depth
    assert isinstance(view, ss.radar.AngularView)
    extent = 2.0 * math.asin(0.05 / math.hypot(1.0, 0.05))
    assert d == pytest.approx(2.0 + extent)
    assert view.rho == pytest.approx((1.0, math.hypot(2.0, 0.05)))
    assert view.height == pytest.approx((-0.2, 0.2))
    assert reading.range.shape == reading.mask.shape == reading.lookat.shape == (40, 60)
    there = ~np.isnan(reading.lookat)
    assert there.mean() > 0.95
    assert np.array_equal(reading.mask == d, ~there)
    assert reading.lookat[there] == pytest.approx((reading.range + reading.mask - d)[there], abs=1e-12)
    assert np.nanmin(reading.lookat) == reading.travel
    # Taken back to the world the mask lies on the hand's leading face, the range on the post's near one.
    row, column = np.nonzero(there)
    front = view.at(column, row, (d - reading.mask)[there], reading.mask.shape)
    assert front[:, 1] == pytest.approx(0.05)
    faced = view.at(column, row, reading.range[there], reading.range.shape) @ _at(1.5)[:3, :3]
    assert faced[:, 1] == pytest.approx(-0.05)
    # Row 0 is the greatest height, column 0 the least radius.
    assert view.at(0, 0, 0.3, (40, 60))[2] > view.at(0, 39, 0.3, (40, 60))[2]
    assert np.linalg.norm(view.at(0, 0, 0.3, (40, 60))[:2]) < np.linalg.norm(view.at(59, 0, 0.3, (40, 60))[:2])


def test_contact_has_a_center_and_a_normal():
    scene, hand, (post,) = _clock(1.5)
    reading = ss.radar.Radar(scene, hand, pixels=(61, 41)).probe(ss.Rotate((0, 0, 1), 2.0))
    face = _at(1.5)
    assert reading.center == pytest.approx(face[:3, :3] @ (1.0, -0.05, 0.0), abs=0.02)
    assert reading.normal == pytest.approx(-face[:3, 1], abs=0.02)
    assert (reading.points @ face[:3, 1]) == pytest.approx(-0.05)
    assert set(reading.faces[reading.pixels[:, 0], reading.pixels[:, 1]]) <= set(range(12))
    flush = scene.add(ss.Box((1, 0.1, 0.4)), _at(-0.7, 1.5, offset=(0.0, -0.05)), name="flush")
    post.pose = _at(1.5, 1.5, offset=(0.0, 0.05))
    # Leading face and post's face both in planes through the axis: the whole area meets at once.
    reading = ss.radar.Radar(scene, flush, pixels=(40, 20)).probe(ss.Rotate((0, 0, 1), 4.0), ignore=[hand])
    assert reading.travel == pytest.approx(2.2, abs=1e-9)
    assert len(reading.pixels) > 700
    assert reading.normal == pytest.approx(-face[:3, 1], abs=1e-9)
    assert reading.center == pytest.approx(face[:3, :3] @ (1.5, 0.0, 0.0), abs=0.05)


@pytest.mark.parametrize("method", ["sampled", "bounding"])
def test_either_way_round_and_over_the_full_turn(method):
    scene, hand, (post,) = _clock(2.0)
    radar = ss.radar.Radar(scene, hand, pixels=(80, 10), method=method)
    for angle, expected in (
        (3.0, _free(2.0)),
        (-5.0, _free(TURN - 2.0)),
        (4 * math.pi, _free(2.0)),
        (-4 * math.pi, _free(TURN - 2.0)),
    ):
        reading = radar.probe(ss.Rotate((0, 0, 1), angle))
        assert reading.travel == pytest.approx(expected, abs=2e-3)
        assert reading.travel >= expected - 1e-9 or method == "bounding"
        assert reading.travel <= expected + 1e-9 or method == "sampled"
        assert reading.time == pytest.approx(expected / abs(angle), abs=2e-3)
        assert reading.obstacle is post
        assert reading.view.depth <= 2 * TURN
    assert not radar.probe(ss.Rotate((0, 0, 1), 1.5))
    assert not radar.probe(ss.Rotate((0, 0, 1), -4.0))
    assert not radar.probe(ss.Rotate((0, 0, 1), 9.0), ignore=[post])


@pytest.mark.parametrize("method", ["sampled", "bounding"])
def test_of_two_arms_the_one_that_hits_first_tells(method):
    """Opposite arms: the post is half a turn nearer to one than to the other, and behind the first."""
    for post_at, expected in ((2.0, 2.0), (4.0, 4.0 - math.pi), (6.0, 6.0 - math.pi), (3.3, 3.3 - math.pi)):
        scene, hand, (post,) = _clock(post_at)
        other = scene.add(ss.Box((1, 0.1, 0.4)), _at(math.pi, 1.5), name="other")
        reading = ss.radar.Radar(scene, [hand, other], pixels=(80, 10), method=method).probe(ss.Rotate((0, 0, 1), 6.0))
        assert reading.travel == pytest.approx(_free(expected), abs=2e-3)
        assert reading.obstacle is post
        assert np.linalg.norm(reading.center[:2] - _at(post_at, 1.0)[:2, 3]) < 0.2
        propeller = ss.Mesh.box((4, 0.1, 0.4))
        scene.remove(other)
        hand.shape = propeller  # one piece, across the axis
        hand.pose = (0, 0, 0)
        reading = ss.radar.Radar(scene, hand, pixels=(160, 10), method=method).probe(ss.Rotate((0, 0, 1), 6.0))
        assert reading.travel == pytest.approx(_free(expected), abs=5e-3)
        assert reading.view.depth == pytest.approx(6.0 + TURN)


def test_several_posts_are_told_apart():
    scene, hand, posts = _clock(1.0, 2.0, 4.5)
    assert ss.radar.Radar(scene, hand, pixels=30).probe(ss.Rotate((0, 0, 1), 6.0)).obstacle is posts[0]
    assert ss.radar.Radar(scene, hand, pixels=30).probe(ss.Rotate((0, 0, 1), -6.0)).obstacle is posts[2]
    low = scene.add(ss.Box((1, 0.1, 0.1)), _at(0.5, 1.5, height=-0.15), name="low")
    reading = ss.radar.Radar(scene, hand, pixels=32).probe(ss.Rotate((0, 0, 1), 6.0))
    assert reading.obstacle is low
    ids = reading.ids[:, 16]
    assert (ids[:20] == posts[0].id).all()  # row 0 is up
    assert (ids[25:] == low.id).all()
    assert reading.pixels[:, 0].min() >= 24


@pytest.mark.parametrize("method", ["sampled", "bounding"])
def test_a_wheel_on_its_axle_turns_freely(method):
    scene = ss.Scene()
    scene.add(ss.Box((1, 1, 1)), (3, 0, 0))
    for shape in (
        ss.Sphere(1.0),
        ss.Mesh.cylinder(1.0, 0.5, sections=64),
        ss.Capsule.from_segment((0, 0, -1), (0, 0, 1), radius=0.5),
    ):
        wheel = scene.add(shape)
        reading = ss.radar.Radar(scene, wheel, pixels=20, method=method).probe(ss.Rotate((0, 0, 1), 9.0))
        assert not reading
        assert reading.travel == 9.0
        scene.remove(wheel)


def test_a_square_on_its_axle_turns_its_corners_into_a_wall():
    scene = ss.Scene()
    scene.add(ss.Box((1, 9, 9)), (1.8, 0, 0), name="wall")  # its face at 1.3, the corners reach 1.414
    block = scene.add(ss.Box((2, 2, 1)))
    exact = math.pi / 4 - math.acos(1.3 / math.sqrt(2.0))
    motion = ss.Rotate((0, 0, 1), 3.0)
    reading = ss.radar.Radar(scene, block, pixels=(800, 4)).probe(motion)
    assert exact - 1e-9 <= reading.travel <= exact + 0.01
    assert ss.radar.Radar(scene, block, pixels=(100, 4), method="bounding").probe(motion).travel <= exact


@pytest.mark.parametrize("method", ["sampled", "bounding"])
def test_overlap_at_the_start(method):
    for obstacle, place in (
        (ss.Box((9, 9, 9)), (0, 0, 0)),
        (ss.Sphere(0.3), (1.5, 0.1, 0)),
        (ss.Box((0.2, 0.02, 0.1)), (1.5, 0, 0)),
    ):
        scene, hand, _ = _clock()
        around = scene.add(obstacle, place)
        for angle in (0.1, -7.0):
            reading = ss.radar.Radar(scene, hand, pixels=30, method=method).probe(ss.Rotate((0, 0, 1), angle))
            assert reading.hit
            assert reading.overlapping
            assert reading.travel == reading.time == 0.0
            assert reading.obstacle is around
            assert np.isfinite(reading.center).all()
    room, hand, _ = _clock()
    room.add(ss.Mesh.box((9, 9, 9), solid=False))
    assert not ss.radar.Radar(room, hand, pixels=30, method=method).probe(ss.Rotate((0, 0, 1), 7.0))


def test_touching_at_the_start_presses_ahead_and_leaves_behind():
    """Both faces lie in one plane through the axis, so that they touch all over."""
    scene = ss.Scene()
    hand = scene.add(ss.Box((1, 0.1, 0.4)), _at(0.0, 1.5, offset=(0.0, -0.05)))
    post = scene.add(ss.Box((1, 0.1, 1.0)), _at(0.0, 1.5, offset=(0.0, 0.05)))
    ahead = ss.radar.Radar(scene, hand, pixels=30).probe(ss.Rotate((0, 0, 1), 3.0))
    assert ahead.hit
    assert not ahead.overlapping
    assert ahead.travel == 0.0
    assert ahead.obstacle is post
    assert ahead.normal == pytest.approx((0, -1, 0), abs=1e-6)
    assert (ahead.lookat[ahead.pixels[:, 0], ahead.pixels[:, 1]] == 0.0).all()
    assert not ss.radar.Radar(scene, hand, pixels=30).probe(ss.Rotate((0, 0, 1), -3.0))
    back = ss.radar.Radar(scene, hand, pixels=30).probe(
        ss.Rotate((0, 0, 1), -7.0)
    )  # nearly once round, to the post's other side
    assert back.travel == pytest.approx(TURN - 4.0 * math.asin(0.1 / 2.0 / math.hypot(1.0, 0.05)), abs=0.02)
    floor = scene.add(ss.Box((9, 9, 1)), (0, 0, -0.7))
    scene.remove(post)
    assert not ss.radar.Radar(scene, hand, pixels=30).probe(ss.Rotate((0, 0, 1), 3.0))  # it slides on what it stands on
    assert not ss.radar.Radar(scene, hand, pixels=30, method="bounding").probe(ss.Rotate((0, 0, 1), 3.0))
    tipped = ss.radar.Radar(scene, hand, pixels=30).probe(
        ss.Rotate((0, 1, 0), 0.5)
    )  # its inner end lifts, its outer end presses
    assert tipped.travel <= 1e-6 or tipped.obstacle is floor


def test_confirm_asks_the_sweep_the_same():
    scene, hand, (post,) = _clock(1.5)
    reading = ss.radar.Radar(scene, hand, pixels=100).probe(ss.Rotate((0, 0, 1), 2.0))
    exact = reading.confirm()
    assert exact.obstacle is post
    assert exact.travel == pytest.approx(_free(1.5), abs=1e-9)
    assert reading.travel >= exact.travel - 1e-9


def test_a_mask_is_drawn_again_only_when_it_must_be():
    scene, hand, (post,) = _clock(1.5)
    radar = ss.radar.Radar(scene, hand, pixels=(50, 10))
    motion = ss.Rotate((0, 0, 1), 2.0)
    first = radar.probe(motion)
    assert first.drawings == 2
    assert radar.probe(motion).drawings == 1
    post.pose = _at(1.9, 1.5)
    moved = radar.probe(motion)
    assert moved.drawings == 1
    assert moved.travel == pytest.approx(first.travel + 0.4)
    hand.pose = _at(0.3, 1.5)  # turned about the axis: seen from the hand nothing is new
    turned = radar.probe(motion)
    assert turned.drawings == 1
    assert turned.travel == pytest.approx(first.travel + 0.1)
    assert turned.center == pytest.approx(moved.center, abs=1e-9)
    assert radar.probe(ss.Rotate((0, 0, 1), -2.0)).drawings == 2
    assert radar.probe(ss.Rotate((0, 0, 1), 2.0, about=(0.1, 0, 0))).drawings == 2
    radar.pixels = 20
    assert radar.probe(ss.Rotate((0, 0, 1), 2.0, about=(0.1, 0, 0))).drawings == 2
    hand.shape = ss.Box((1, 0.2, 0.4))
    assert radar.probe(ss.Rotate((0, 0, 1), 2.0, about=(0.1, 0, 0))).drawings == 2


def test_any_axis_gives_the_same(rng):
    """Rigid invariance, and axes far from the origin."""
    scene, hand, (post,) = _clock(1.5, hand=ss.Mesh.sphere(0.4, rows=9, sections=8))
    plain = ss.radar.Radar(scene, hand, pixels=(23, 19)).probe(ss.Rotate((0, 0, 1), 2.0))
    start = hand.pose.copy(), post.pose.copy()
    for shift in (0.0, 1.0, 1e5):
        move = np.eye(4)
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        move[:3, :3] = turn * np.sign(np.linalg.det(turn))
        move[:3, 3] = rng.normal(size=3) * shift
        hand.pose, post.pose = move @ start[0], move @ start[1]
        reading = ss.radar.Radar(scene, hand, pixels=(23, 19)).probe(ss.Rotate(move[:3, 2], 2.0, about=move[:3, 3]))
        assert reading.travel == pytest.approx(plain.travel, abs=1e-9)
        assert reading.lookat == pytest.approx(plain.lookat, abs=1e-8, nan_ok=True)
        assert reading.center == pytest.approx(move[:3, :3] @ plain.center + move[:3, 3], abs=1e-6)
        assert reading.normal == pytest.approx(move[:3, :3] @ plain.normal, abs=1e-5)


def test_filters_and_sets_hold_for_turns():
    scene, hand, (post,) = _clock(1.5)
    other = scene.add(ss.Box((1, 0.1, 0.4)), _at(3.0, 1.5))
    motions = [ss.Rotate((0, 0, 1), 2.0), ss.Translate((0, 3, 0))]
    together = ss.radar.RadarSet(scene, [hand, other], pixels=30).probe(motions)
    assert together[0].travel == ss.radar.Radar(scene, hand, pixels=30).probe(motions[0]).travel
    assert together[1].travel == ss.radar.Radar(scene, other, pixels=30).probe(motions[1]).travel
    scene.ignore(hand, post)
    assert not ss.radar.Radar(scene, hand, pixels=30).probe(motions[0])


def test_a_deformed_body_shows_as_it_is_now():
    scene = ss.Scene()
    hand = scene.add(ss.Mesh.box((1, 0.1, 0.4)), _at(0.0, 1.5))
    post = scene.add(ss.Mesh.box((1, 0.1, 1)), _at(1.5, 1.5))
    radar = ss.radar.Radar(scene, hand, pixels=(200, 5))
    motion = ss.Rotate((0, 0, 1), 2.0)
    thin, tall = hand.vertices, post.vertices
    for _ in range(3):
        for thick in (1.0, 2.0):
            hand.vertices = thin * (1, thick, 1)
            post.vertices = tall * (1, thick, 1)
            inner = 2.0 * math.asin(0.05 * thick / math.hypot(1.0, 0.05 * thick))
            assert radar.probe(motion).travel == pytest.approx(1.5 - inner, abs=2e-3)
            assert radar.probe(motion).travel == pytest.approx(1.5 - inner, abs=2e-3)


def test_what_is_refused():
    scene, hand, _ = _clock(1.5)
    radar = ss.radar.Radar(scene, hand, pixels=20)
    with pytest.raises(ss.errors.InvalidMotion, match=r"is a Screw; a radar takes a Translate or a Rotate \(Scene.sweep"):
        radar.probe(ss.Screw((0, 0, 1), 1.0, slide=0.5))
    with pytest.raises(ss.errors.InvalidMotion, match="length zero"):
        radar.probe(ss.Rotate((0, 0, 1), 0.0))
    with pytest.raises(ss.errors.InvalidType, match="expected a Translate or a Rotate, got"):
        radar.probe("round")
    with pytest.raises(ss.errors.InvalidQuery, match="max_size is 5; it is for a Translate"):
        ss.radar.Radar(scene, hand, pixels=20, max_size=5.0).probe(ss.Rotate((0, 0, 1), 1.0))
    thin = scene.add(ss.PointCloud([(1.0, 0, 0), (1.7, 0, 0.3)]))
    with pytest.raises(ss.errors.InvalidQuery, match="covers no pixel's center of 20 x 20 about this axis"):
        ss.radar.Radar(scene, thin, pixels=20).probe(ss.Rotate((0, 0, 1), 1.0))
    assert ss.radar.Radar(scene, thin, pixels=20, method="bounding").probe(ss.Rotate((0, 0, 1), 2.0), ignore=[hand]).hit
    nothing = scene.add(ss.PointCloud(np.empty((0, 3))))
    with pytest.raises(ss.errors.InvalidQuery, match="has no faces"):
        ss.radar.Radar(scene, nothing, pixels=20).probe(ss.Rotate((0, 0, 1), 1.0))
