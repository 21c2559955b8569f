"""Pictures of hits, readings, sightings and overlaps; animations."""

import copy
import math
import pickle

import numpy as np
import PIL.Image
import pytest

import sweepscope as ss
from sweepscope.drawing.animation import animate
from sweepscope.drawing.hits import HitPlayback, camera_of, frame_of, words_of
from sweepscope.drawing.scopes import title_of_images
from sweepscope.drawing.stage import PictureStage

SIZE = (320, 240)


@pytest.fixture
def drop():
    scene = ss.Scene()
    scene.add(ss.Box((4, 4, 0.2)), name="floor")
    tool = scene.add(ss.Box((0.4, 0.4, 1.0)), (0, 0, 3), name="tool")
    return scene, tool


def marks(picture):
    """Pixels in the red of marks."""
    return np.argwhere(np.abs(picture.pixels.astype(int) - (0xD8, 0x35, 0x2A)).max(axis=-1) < 12)


def options(**more):
    usual = {"eye": None, "target": None, "up": None, "size": SIZE, "colors": None, "dark": False, "ignore": ()}
    return usual | more


def test_a_hit_knows_its_motion_and_its_movers(drop):
    scene, tool = drop
    down = ss.Translate((0, 0, -5))
    hit = scene.sweep(tool, down)
    assert hit.motion is down
    assert hit.movers == (tool,)
    other = scene.add(ss.Box((1, 1, 1)), (8, 0, 3))
    assert set(scene.sweep([tool, other], down).movers) == {tool, other}
    for twin in (copy.copy(hit), pickle.loads(pickle.dumps(hit))):
        assert twin.movers == (tool,)
        assert twin.motion == down
    still = ss.Screw((0, 0, 1), 0.0, slide=-5.0)
    assert scene.sweep(tool, still).motion == down


def test_volumes_on_a_grid_know_it_too():
    scene = ss.Scene()
    scene.add(ss.Volume(np.ones((4, 4, 4))), name="ground")
    mover = scene.add(ss.Volume(np.ones((2, 2, 2))), (0, 0, 8))
    hit = scene.sweep(mover, ss.Translate((0, 0, -9)))
    assert hit.travel == pytest.approx(4.0)
    assert hit.movers == (mover,)
    assert hit.motion == ss.Translate((0, 0, -9))


@pytest.mark.slow
def test_the_mark_is_at_the_contact(drop):
    scene, tool = drop
    hit = scene.sweep(tool, ss.Translate((0, 0, -5)))
    picture = hit.picture(size=SIZE)
    camera = camera_of(PictureStage(scene, None, **options()), frame_of(HitPlayback(hit)), words_of(hit))
    place = camera.project(hit.point)
    assert (place > 0).all()
    assert (place < SIZE).all()
    column, row = place.astype(int)
    near = marks(picture) - (row, column)
    assert (np.abs(near).max(axis=1) <= 2).sum() >= 9  # a disc
    # The arrow goes up from there, along the normal.
    assert near[:, 0].min() < -15
    assert near[:, 0].max() < 10
    assert np.abs(near[:, 1]).max() < 15


def test_start_and_contact_are_in_the_frame(drop):
    scene, tool = drop
    scene.add(ss.Box((500, 500, 1)), (0, 0, -20), name="far below")
    for motion in (ss.Translate((0, 0, -5)), ss.Rotate((0, 1, 0), 3.0, about=(-1.5, 0, 2))):
        hit = scene.sweep(tool, motion)
        camera = camera_of(PictureStage(scene, None, **options()), frame_of(HitPlayback(hit)), words_of(hit))
        for pose in (tool.pose, motion.at(hit.time) @ tool.pose):
            places = camera.project(tool.vertices @ pose[:3, :3].T + pose[:3, 3])
            assert (places >= 0).all()
            assert (places <= SIZE).all()


def test_the_ghost_is_where_it_touches(drop):
    scene, tool = drop
    hit = scene.sweep(tool, ss.Translate((0, 0, -5)))
    middle = (hit.motion.at(hit.time) @ tool.pose)[:3, 3]
    camera = camera_of(PictureStage(scene, None, **options()), frame_of(HitPlayback(hit)), words_of(hit))
    column, row = camera.project(middle + (0.0, 0.0, 0.3)).astype(int)
    ghosted = hit.picture(size=SIZE).pixels[row, column - 4].astype(int)
    assert ghosted[2] > ghosted[0] + 15  # bluish, where the bare floor is sand


@pytest.mark.parametrize("dark", [False, True])
def test_words_say_who_meets_whom(drop, dark):
    scene, tool = drop
    hit = scene.sweep(tool, ss.Translate((0, 0, -5)))
    assert "".join(words_of(hit)) == "tool meets floor after 2.4"
    turned = scene.sweep(tool, ss.Rotate((0, 1, 0), 3.0, about=(-1.5, 0, 2)))
    assert words_of(turned)[-1].endswith(
        f"after {math.degrees(turned.travel):.4g}\N{DEGREE SIGN} ({turned.travel:.5g} radians)"
    )
    inside = scene.sweep(tool, ss.Translate((0, 0, -5)), margin=4.0)
    assert inside.picture(size=SIZE, dark=dark).pixels.shape == (240, 320, 3)


def arm():
    scene = ss.Scene()
    scene.add(ss.Box((0.5, 2, 2)), (1.6, 0, 0), name="wall")
    robot = ss.Robot(scene)
    robot.add("base", ss.Box((0.2, 0.2, 0.2)))
    robot.add(
        "upper",
        ss.Capsule.from_segment((0, 0, 0), (0, 0, 1), radius=0.1),
        parent="base",
        joint=ss.Joint.revolute("one", (0, 1, 0)),
    )
    elbow = ss.Joint.revolute("two", (0, 1, 0), origin=(0, 0, 1))
    robot.add("fore", ss.Capsule.from_segment((0, 0, 0), (0, 0, 1), radius=0.08), parent="upper", joint=elbow)
    return robot


@pytest.mark.slow
def test_a_robots_hits_are_drawn_for_one_joint_and_for_several():
    robot = arm()
    before = robot.positions
    one = robot.sweep("one", to=1.5)
    assert one.motion is not None
    assert {body.name for body in one.movers} == {"robot/upper", "robot/fore"}
    several = robot.sweep({"one": 1.0, "two": 0.8})
    assert several.motion is None
    assert {body.name for body in several.movers} == {"robot/upper", "robot/fore"}
    for hit in (one, several):
        picture = hit.picture(size=SIZE)
        assert len(marks(picture)) > 20
    assert robot.positions == before
    # Times are those of the hit, wherever the robot is now.
    playback = HitPlayback(several)
    start = [body.pose for body in playback.movers]
    robot.positions = several.positions
    np.testing.assert_allclose(playback.poses(0.0), start)
    np.testing.assert_allclose(playback.poses(1.0), [body.pose for body in playback.movers])
    assert "at one " in "".join(words_of(several))


def test_positions_of_joints_have_units():
    hit = arm().sweep({"one": 1.0, "two": 0.8})
    one, two = (hit.positions[name] for name in ("one", "two"))
    assert "".join(words_of(hit)).endswith(f" at one {one:.4g} rad, two {two:.4g} rad")
    scene = ss.Scene()
    scene.add(ss.Box((1, 1, 1)), (0, 0, 5), name="lid")
    lift = ss.Robot(scene)
    lift.add("base", ss.Box((1, 1, 1)))
    lift.add("car", ss.Box((1, 1, 1)), parent="base", joint=ss.Joint.prismatic("hoist", axis=(0, 0, 1)))
    assert "".join(words_of(lift.sweep("hoist", to=9))) == "car meets lid at hoist 4 [length]"


def test_the_whole_robot_is_in_the_frame():
    robot = arm()
    hit = robot.sweep({"one": 1.0, "two": 0.8})
    camera = camera_of(PictureStage(robot.scene, None, **options()), frame_of(HitPlayback(hit)), words_of(hit))
    for body in robot.bodies:
        low, high = camera.project(body.bounds)
        assert (np.minimum(low, high) >= 0.0).all()
        assert (np.maximum(low, high) <= SIZE).all()


def test_a_solid_around_the_mover_is_glass():
    scene = ss.Scene()
    scene.add(ss.Box((4, 4, 4)), name="block")
    ball = scene.add(ss.Sphere(0.5), name="ball")
    pixels = scene.sweep(ball, ss.Translate((1, 0, 0))).picture(size=SIZE).pixels.astype(int)
    assert ((pixels[..., 2] - pixels[..., 0]) > 20).sum() > 500  # the blue of the mover, through the block


@pytest.mark.slow
@pytest.mark.parametrize(
    "shape", [ss.Sphere(0.5), ss.Capsule.from_segment((0, 0, -0.3), (0, 0, 0.3), radius=0.3), ss.Box((1, 1, 1))]
)
def test_rooms_around_the_mover_are_glass(shape, tmp_path):
    scene = ss.Scene()
    for size in (4.0, 6.0):  # a room in a hall: what is hit, and what is not
        box = ss.Box((size, size, size))
        scene.add(ss.Mesh(box.vertices, box.faces, solid=False), name=f"room {size:g}")
    mover = scene.add(shape, name="mover")
    hit = scene.sweep(mover, ss.Translate((5, 0, 0)))
    hit.animate(tmp_path / "room.gif", frames=2, size=SIZE)
    with PIL.Image.open(tmp_path / "room.gif") as film:
        first = np.asarray(film.convert("RGB"))
    for pixels in (hit.picture(size=SIZE).pixels, scene.slide(mover, (5, 1, 0)).picture(size=SIZE).pixels, first):
        middle = pixels.astype(int)
        assert ((middle[..., 2] - middle[..., 0]) > 15).sum() > 200  # the blue of the mover


def test_what_a_published_radar_decided_on_is_seen():
    scene = ss.Scene()
    movers = [scene.add(ss.Box((1, 1, 1)), (0, 0, 3)), scene.add(ss.Box((1, 1, 0.2)), (1.5, 0, 3.4))]
    scene.add(ss.Box((0.3, 0.3, 0.3)), (1.5, 0, 2.75))
    reading = ss.radar.Radar(scene, movers, method="published").probe(ss.Translate((0, 0, -0.2)))
    assert reading.hit
    assert len(marks(reading.picture())) > 20 or not len(reading.pixels)


@pytest.mark.slow
def test_a_slide_shows_every_contact_and_where_it_ends(tmp_path):
    scene = ss.Scene()
    scene.add(ss.Box((10, 10, 0.2)), (0, 0, -0.1), name="floor")
    scene.add(ss.Box((0.3, 6, 2)), (2, 0, 1), name="wall")
    scene.add(ss.Box((4, 0.3, 2)), (0.5, 3, 1), name="end")
    walker = scene.add(ss.Capsule.from_segment((0, 0, -0.4), (0, 0, 0.4), radius=0.4), (-1, -2, 0.8), name="walker")
    slide = scene.slide(walker, (6, 9, 0))
    assert slide.movers == (walker,)
    assert len(marks(slide.picture(tmp_path / "slide.png", size=SIZE))) > 60
    assert slide.hits[0].picture(size=SIZE).pixels.shape == (240, 320, 3)
    # The second leg starts where the mover is not.
    assert slide.hits[1].motion is None
    with pytest.raises(ss.errors.InvalidQuery, match="later leg of a slide"):
        slide.hits[1].picture()
    free = scene.slide(walker, (0.1, 0, 0))
    assert len(marks(free.picture(size=SIZE))) == 0


@pytest.mark.slow
def test_a_robot_moves_in_a_gif_free_or_up_to_the_contact(tmp_path):
    robot = arm()
    before = robot.positions
    for k, (values, told) in enumerate((({"one": -1.0, "two": -0.5}, False), ({"one": 1.0, "two": 0.8}, True))):
        robot.animate(values, tmp_path / f"{k}.gif", frames=4, size=(160, 120))
        with PIL.Image.open(tmp_path / f"{k}.gif") as film:
            assert film.n_frames == 4
            film.seek(3)
            last = np.asarray(film.convert("RGB")).astype(int)
        assert (np.abs(last - (0xD8, 0x35, 0x2A)).max(axis=-1) < 40).any() == told
    assert robot.positions == before
    with pytest.raises(ss.errors.NotFound, match="no joint 'three'"):
        robot.animate({"three": 1.0}, tmp_path / "x.gif")


def test_scopes_and_what_is_seen(drop):
    scene, tool = drop
    reading = ss.radar.Radar(scene, tool, pixels=40).probe(ss.Translate((0, 0, -5)))
    picture = reading.picture()
    assert picture.pixels.shape == (370, 1280, 3)
    assert len(marks(picture)) >= 40 * 40  # the whole sole is in contact
    assert ss.radar.Radar(scene, tool, pixels=40).probe(ss.Translate((0, 0, 5))).picture().pixels.min() < 120  # letters
    seen = scene.look(ss.View((0, 0, 9), (0, 0, -1), width=6, height=6, depth=20), 60)
    pixels = seen.picture(dark=True).pixels
    assert pixels.shape == (460, 960, 3)
    # Both bodies have a color of their own in the second half.
    for color in ((0x3F, 0x8F, 0xCA), (0xE8, 0xA3, 0x3D)):
        assert (np.abs(pixels[:, 480:].astype(int) - color).max(axis=-1) < 3).sum() > 100


def test_a_published_reading_shows_its_gaps_and_who_is_seen(drop):
    """All of the sole is in contact as published: only its rim is red, so that the gaps are seen."""
    scene, tool = drop
    reading = ss.radar.Radar(scene, tool, pixels=40, method="published").probe(ss.Translate((0, 0, -5)))
    assert len(reading.pixels) == 40 * 40
    picture = reading.picture()
    assert len(marks(picture)) < 0.5 * len(
        marks(ss.radar.Radar(scene, tool, pixels=40).probe(ss.Translate((0, 0, -5))).picture())
    )
    assert len(marks(picture)) >= 4 * 39


def depth_images():
    """A plate above a step, 9 pixels of 30; and a pixel that lies behind its leading surface."""
    mask, ahead = np.full((6, 8), 10.0), np.full((6, 8), 10.0)
    mask[1:5, 1:7] = 8.0
    ahead[2:5, 3:6] = 4.5
    ahead[1, 1] = 1.0
    return ahead, mask


@pytest.mark.parametrize("method", ["sampled", "bounding", "published"])
def test_a_reading_of_images_shows_its_pixels_and_their_center(method, tmp_path):
    ahead, mask = depth_images()
    reading = ss.radar.read_images(ahead, mask, depth=10.0, distance=4.0, pixel_size=0.5, method=method)
    picture = reading.picture(tmp_path / "reading.png")
    with PIL.Image.open(tmp_path / "reading.png") as saved:
        assert np.array_equal(np.asarray(saved), picture.pixels)
    # In L, at whole pixels: the nine of the step for samples, the hidden one counts otherwise.
    red = marks(picture)
    assert (red[:, 1] > 700).all()
    side = round(math.sqrt(len(red) / {"sampled": 9, "bounding": 1, "published": 9}[method]))
    assert 25 <= side <= 40
    if method == "sampled":
        assert len(red) == 9 * side**2
        middle = red.mean(axis=0) + 0.5
        corner = middle - (3.5 * side, 4.5 * side)
        # The cross in R is at the same place, in a panel of the same size.
        cross = np.argwhere(picture.pixels[60:330, 15:280].astype(int).sum(axis=-1) < 200) + (60.5, 15.5)
        assert len(cross) > 10
        assert cross.mean(axis=0)[0] == pytest.approx(middle[0], abs=1.0)
        assert cross.mean(axis=0)[1] - 14.0 == pytest.approx(middle[1] - corner[1], abs=1.5)
    assert reading._repr_png_()[:4] == b"\x89PNG"


def test_what_images_do_not_show_is_left_out_of_the_gap():
    ahead, mask = depth_images()
    view = {"depth": 10.0, "distance": 2.0, "pixel_size": 0.5}
    reading = ss.radar.read_images(ahead, mask, **view)
    assert (reading.hit, reading.hidden) == (False, 1)
    assert title_of_images(reading) == "free for 2 [length]"
    ahead[1, 1] = 10.0
    whole = ss.radar.read_images(ahead, mask, **view)
    pictures = [each.picture() for each in (reading, whole)]
    assert all(len(marks(picture)) == 0 for picture in pictures)
    # R shows the pixel, M and L are the same.
    changed = (pictures[0].pixels != pictures[1].pixels).any(axis=-1)
    assert changed[60:250, :350].any()
    assert not changed[60:250, 350:].any()


def test_a_reading_of_images_names_ids():
    ahead, mask = depth_images()
    ids = np.where(ahead < 10.0, 7, -1)
    ids[2:5, 3] = 5
    reading = ss.radar.read_images(ahead, mask, depth=10.0, distance=4.0, pixel_size=0.5, ids=ids)
    assert title_of_images(reading) == "contact with id 7, 5 after 2.5 [length]"


@pytest.mark.slow
def test_every_body_has_a_flat_color_of_its_own():
    """More bodies than the palette has colors: still as many colors as bodies, besides those of paper, frame and text."""
    scene = ss.Scene()
    for k in range(12):
        scene.add(ss.Box((0.8, 0.8, 0.8)), (k, 0, 0), name=f"box {k}")
    seen = scene.look(ss.View((5.5, 0, 9), (0, 0, -1), width=12, height=12, depth=20), 120)
    assert len(seen.bodies) == 12
    pixels = seen.picture(size=(1280, 600)).pixels[:, 640:]
    colors, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_counts=True)
    vivid = colors[(counts > 300) & (np.ptp(colors.astype(int), axis=1) > 30)]
    assert len(vivid) == 12


def test_what_overlaps_is_red():
    block = ss.Volume(np.ones((8, 8, 8)))
    found = ss.overlap(block, block, (4, 0, 0))
    np.testing.assert_allclose(found.pose[:3, 3], (4, 0, 0))
    pixels = found.picture(size=SIZE).pixels.astype(int)
    assert ((pixels[..., 0] > 120) & (pixels[..., 0] > 1.6 * pixels[..., 2])).sum() > 500
    turned = np.eye(4)
    turned[:3, :3] = ss.Rotate((0, 0, 1), 0.3).at()[:3, :3]
    np.testing.assert_allclose(ss.overlap(block, block, turned).pose, turned)
    apart = ss.overlap(block, block, (20, 0, 0))
    assert not apart
    assert apart.picture(size=SIZE, names=("a", "b")).pixels.shape == (240, 320, 3)
    with pytest.raises(ss.errors.InvalidQuery, match="holds no volumes"):
        copy.copy(found).picture()


@pytest.mark.slow
def test_notebooks_get_a_picture_or_nothing(drop):
    scene, tool = drop
    hit = scene.sweep(tool, ss.Translate((0, 0, -5)))
    reading = ss.radar.Radar(scene, tool, pixels=20).probe(ss.Translate((0, 0, -5)))
    seen = scene.look(ss.View((0, 0, 9), (0, 0, -1), width=6, height=6, depth=20), 20)
    block = ss.Volume(np.ones((4, 4, 4)))
    for thing in (scene, hit, reading, seen, ss.overlap(block, block)):
        assert thing._repr_png_()[:8] == b"\x89PNG\r\n\x1a\n"
    scene.remove(tool)
    assert hit._repr_png_() is None
    assert copy.copy(ss.overlap(block, block))._repr_png_() is None


@pytest.mark.slow
def test_a_motion_becomes_a_gif(drop, tmp_path):
    scene, tool = drop
    before = tool.pose.copy()
    scene.animate(tool, ss.Translate((0, 0, -5)), tmp_path / "a.gif", frames=5, seconds=1.0, size=(96, 72))
    with PIL.Image.open(tmp_path / "a.gif") as film:
        assert film.n_frames == 5
        assert film.size == (96, 72)
        assert film.info["duration"] == 200
        first = np.asarray(film.convert("RGB")).astype(int)
        film.seek(4)
        last = np.asarray(film.convert("RGB")).astype(int)
    assert (np.abs(first - last).sum(axis=-1) > 60).sum() > 100
    np.testing.assert_array_equal(tool.pose, before)
    hit = scene.sweep(tool, ss.Translate((0, 0, -5)))
    hit.animate(tmp_path / "b.gif", frames=3, size=(96, 72))
    scene.animate(tool, ss.Translate((0, 0, 2)), tmp_path / "c.gif", frames=2, size=(96, 72))
    arm().sweep({"one": 1.0, "two": 0.8}).animate(tmp_path / "d.gif", frames=3, size=(96, 72))
    for name, count in (("b", 3), ("c", 2), ("d", 3)):
        with PIL.Image.open(tmp_path / f"{name}.gif") as film:
            assert film.n_frames == count


def test_bad_animations_say_what_is_accepted(drop, tmp_path):
    scene, tool = drop
    with pytest.raises(ss.errors.InvalidQuery, match=r"ends in \.gif"):
        scene.animate(tool, ss.Translate((0, 0, -5)), tmp_path / "a.png")
    with pytest.raises(ss.errors.InvalidQuery, match="frames is 0"):
        scene.animate(tool, ss.Translate((0, 0, -5)), tmp_path / "a.gif", frames=0)
    with pytest.raises(ss.errors.InvalidQuery, match="at least one"):
        animate([], tmp_path / "a.gif")
    pictures = [ss.Scene().picture(size=size) for size in ((16, 16), (16, 20))]
    with pytest.raises(ss.errors.InvalidQuery, match=r"frames\[1\]"):
        animate(pictures, tmp_path / "a.gif")


def test_everything_on_the_way_is_drawn(tmp_path):
    scene = ss.Scene()
    for k in range(3):
        scene.add(ss.Box((0.2, 2, 2)), (2 * k + 1, 0, 0), name=f"plate {k}")
    ball = scene.add(ss.Sphere(0.5), name="ball")
    way = scene.sweep_all(ball, ss.Translate((5, 0, 0)))
    assert len(marks(way.picture(tmp_path / "way.png", size=SIZE))) > 90
    assert (tmp_path / "way.png").exists()
    free = scene.sweep_all(ball, ss.Translate((0, 0, 5)))
    assert len(marks(free.picture(size=SIZE))) == 0
    scene["plate 1"].pose = (3, 5, 0)
    with pytest.raises(ss.errors.InvalidQuery, match="the scene has changed since this result was found"):
        way.picture(size=SIZE)
