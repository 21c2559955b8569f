"""Pictures of scenes show what is there: colors, places, shadows, outlines, and all that matters in the frame."""

import io

import numpy as np
import PIL.Image
import pytest

import sweepscope as ss
from sweepscope.drawing.camera import make_camera
from sweepscope.drawing.framing import subject_of
from sweepscope.drawing.sides import picture_of_sides

SIZE = (240, 180)
FRONT = {"eye": (0.0, -10.0, 0.0), "target": (0.0, 0.0, 0.0)}
RED, BLUE = "#ff0000", "#0000ff"


def reds(picture):
    pixels = picture.pixels.astype(int)
    return (pixels[..., 0] > 90) & (pixels[..., 0] > 2 * pixels[..., 1]) & (pixels[..., 0] > 2 * pixels[..., 2])


def blues(picture):
    pixels = picture.pixels.astype(int)
    return (pixels[..., 2] > 90) & (pixels[..., 2] > 2 * pixels[..., 0])


def test_a_red_box_is_left_of_a_blue_one():
    scene = ss.Scene()
    left = scene.add(ss.Box((1, 1, 1)), (-2, 0, 0))
    scene.add(ss.Box((1, 1, 1)), (2, 0, 0), name="right")
    picture = scene.picture(size=SIZE, colors={left: RED, "right": (0, 0, 1)}, **FRONT)
    assert picture.pixels.shape == (180, 240, 3)
    assert picture.pixels.dtype == np.uint8
    # The window is 8 high: a pixel is 8 / 180 wide.
    column, row = 120 - 2 * 180 / 8, 90
    found = np.argwhere(reds(picture))
    np.testing.assert_allclose(found.mean(axis=0), (row, column), atol=1.5)
    assert len(found) == pytest.approx((180 / 8) ** 2, rel=0.15)
    np.testing.assert_allclose(np.argwhere(blues(picture)).mean(axis=0), (row, 240 - column), atol=1.5)
    # Nothing is between them, so it is as light as the paper beside.
    assert picture.pixels[90, 120].min() > 220


def test_png_is_read_by_others(tmp_path):
    scene = ss.Scene()
    scene.add(ss.Sphere(1.0))
    picture = scene.picture(tmp_path / "a.png", size=SIZE)
    for source in (tmp_path / "a.png", io.BytesIO(picture._repr_png_())):
        with PIL.Image.open(source) as image:
            assert image.mode == "RGB"
            np.testing.assert_array_equal(np.asarray(image), picture.pixels)


def test_a_shadow_is_darker_than_the_lit_floor():
    scene = ss.Scene()
    scene.add(ss.Box((8, 8, 0.2)), (0, 0, -0.1), name="floor")
    gray = {"floor": "#c3c7cd"}
    lit = scene.picture(size=SIZE, eye=(0, -10, 10), target=(0, 0, 0), colors=gray).pixels.astype(int)
    scene.add(ss.Box((1, 1, 0.2)), (0, 0, 1.5), name="above")
    both = scene.picture(size=SIZE, eye=(0, -10, 10), target=(0, 0, 0), colors={**gray, "above": RED})
    darker = (lit.sum(axis=-1) - both.pixels.astype(int).sum(axis=-1) > 50) & ~reds(both)
    assert darker.sum() > 100
    assert np.nonzero(darker)[1].mean() > 120  # the light comes from the left


def test_outlines_are_dark_and_inside_is_not():
    scene = ss.Scene()
    scene.add(ss.Box((2, 2, 2)), name="box")
    pixels = scene.picture(size=SIZE, colors={"box": "#ffffff"}, **FRONT).pixels.astype(int)
    # The left side of the box is at 120 - 22.5.
    edge = pixels[90, 94:101].sum(axis=-1)
    assert edge.min() < 0.8 * pixels[90, 110].sum()
    assert np.ptp(pixels[80:100, 110:130].sum(axis=-1)) < 60


@pytest.mark.parametrize(
    "shape",
    [
        ss.Box((1, 1, 1)),
        ss.Mesh.sphere(0.6),
        ss.Sphere(0.6),
        ss.Capsule.from_segment((-0.5, 0, 0), (0.5, 0, 0), radius=0.3),
        ss.Capsule.from_segment((-0.5, 0, 0), (0.5, 0, 0), radius=0.0),
        ss.PointCloud(np.random.default_rng(0).uniform(-0.5, 0.5, (50, 3)), 0.1),
        ss.PointCloud(np.random.default_rng(0).uniform(-0.5, 0.5, (50, 3)), 0.0),
        ss.Volume(np.ones((4, 4, 4)), 0.25),
    ],
    ids=lambda shape: f"{type(shape).__name__} {shape.radius:g}",
)
def test_every_shape_is_seen(shape):
    scene = ss.Scene()
    body = scene.add(shape)
    picture = scene.picture(size=SIZE, colors={body: RED})
    assert reds(picture).sum() > 60
    outside = np.ones((180, 240), bool)
    outside[4:-4, 4:-4] = False
    assert not reds(picture)[outside].any()  # all of it is in the frame


def test_all_bodies_are_in_the_frame():
    rng = np.random.default_rng(3)
    scene = ss.Scene()
    for place in rng.uniform(-5, 5, (12, 3)):
        scene.add(ss.Box((0.5, 0.7, 0.9)), place)
    points = subject_of(scene.bodies).points
    camera = make_camera(None, None, None, SIZE, points)
    for body in scene:
        corners = body.vertices @ body.pose[:3, :3].T + body.pose[:3, 3]
        places = camera.project(corners)
        assert (places >= 0).all()
        assert (places <= SIZE).all()
    # And they fill it.
    everything = camera.project(points)
    assert (np.ptp(everything, axis=0) / SIZE).max() > 0.8


@pytest.mark.parametrize("floor", [20.0, 1000.0, 1e6])
def test_a_huge_floor_does_not_make_a_box_a_dot(floor):
    scene = ss.Scene()
    scene.add(ss.Box((floor, floor, 0.1)), (0, 0, -0.05), name="floor")
    scene.add(ss.Box((1, 1, 1)), (0, 0, 0.5), name="box")
    picture = scene.picture(size=SIZE, colors={"box": RED})
    assert reds(picture).sum() > 0.08 * 180 * 240


def test_what_is_far_away_is_left_out_of_the_frame():
    scene = ss.Scene()
    for x in (-1.0, 1.0):
        scene.add(ss.Box((1, 1, 1)), (x, 0, 0), name=f"box at {x}")
    scene.add(ss.Box((1, 1, 1)), (5000, 0, 0), name="lost")
    picture = scene.picture(size=SIZE, colors={"box at 1.0": RED})
    assert reds(picture).sum() > 0.04 * 180 * 240


def test_bodies_that_are_ignored_are_not_drawn():
    scene = ss.Scene()
    box = scene.add(ss.Box((1, 1, 1)))
    scene.add(ss.Box((1, 1, 1)), (2, 0, 0))
    assert reds(scene.picture(size=SIZE, colors={box: RED})).any()
    assert not reds(scene.picture(size=SIZE, colors={box: RED}, ignore=[box])).any()


def test_an_empty_scene_gives_an_empty_picture():
    picture = ss.Scene().picture(size=SIZE)
    assert picture.pixels.min() > 220
    dark = ss.Scene().picture(size=SIZE, dark=True)
    assert dark.pixels.max() < 80


def test_a_picture_changes_nothing_and_is_the_same_again():
    scene = ss.Scene()
    body = scene.add(ss.Mesh.cylinder(0.5, 1.0), (1, 2, 3))
    before = body.pose.copy()
    first = scene.picture(size=SIZE)
    assert first == scene.picture(size=SIZE)
    np.testing.assert_array_equal(body.pose, before)
    assert len(scene) == 1


def test_a_robot_is_framed():
    scene = ss.Scene()
    scene.add(ss.Box((1, 1, 1)), (8, 0, 0), name="far")
    robot = ss.Robot(scene)
    robot.add("base", ss.Box((0.4, 0.4, 0.4)))
    robot.add(
        "arm",
        ss.Capsule.from_segment((0, 0, 0), (0, 0, 1), radius=0.1),
        parent="base",
        joint=ss.Joint.revolute("turn", (0, 1, 0)),
    )
    colors = dict.fromkeys(robot.bodies, RED)
    assert reds(robot.picture(size=SIZE, colors=colors)).sum() > 3 * reds(scene.picture(size=SIZE, colors=colors)).sum()
    assert robot._repr_png_()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": (10, 10)}, "16 to 8192"),
        ({"size": 100}, "two whole numbers"),
        ({"eye": (0, 0, 0), "target": (0, 0, 0)}, "is the target"),
        ({"eye": (1, 2)}, "three numbers"),
        ({"eye": (0, 0, 5), "up": (0, 0, 1)}, "along the view"),
        ({"colors": {"nobody": RED}}, "no body 'nobody'"),
        ({"colors": {"box": "red"}}, "#rrggbb"),
        ({"colors": {"box": (2, 0, 0)}}, "0 to 1"),
        ({"colors": [RED]}, "a mapping"),
        ({"dark": 1}, "True, False"),
        ({"ignore": [3]}, "ignore"),
    ],
)
def test_bad_options_say_what_is_accepted(options, message):
    scene = ss.Scene()
    scene.add(ss.Box((1, 1, 1)), name="box")
    with pytest.raises(ss.SweepscopeError, match=message):
        scene.picture(**options)


def test_bad_files_say_what_is_accepted(tmp_path):
    with pytest.raises(ss.errors.InvalidQuery, match=r"ends in \.png"):
        ss.Scene().picture(tmp_path / "a.jpg")
    with pytest.raises(ss.errors.MissingFile, match="there is no folder"):
        ss.Scene().picture(tmp_path / "no" / "a.png")
    with pytest.raises(ss.errors.InvalidQuery, match="shape"):
        ss.drawing.Picture(np.zeros((3, 3), np.uint8))


def test_a_picture_never_changes():
    picture = ss.Scene().picture(size=SIZE)
    with pytest.raises(ValueError, match="read-only"):
        picture.pixels[0, 0] = 0


def test_what_is_far_away_does_not_empty_the_picture():
    for places in ((0.0, 1e6), (0.0, 3.0, 1e6, 1e6 + 3.0)):
        scene = ss.Scene()
        scene.add_many(ss.Box((1, 1, 1)), [(x, 0, 0) for x in places])
        pixels = scene.picture(size=(160, 120)).pixels
        blank = ss.Scene().picture(size=(160, 120)).pixels
        assert (pixels != blank).any(axis=2).mean() > 0.05


@pytest.mark.parametrize("turned", [False, True])
def test_of_two_bodies_both_are_seen_whichever_was_added_first(turned):
    things = [(ss.Box((1, 1, 1)), (0, 0, 0)), (ss.Sphere(0.1), (3, 0, 0))]
    scene = ss.Scene()
    bodies = [scene.add(shape, place) for shape, place in (reversed(things) if turned else things)]
    camera = make_camera(None, None, None, SIZE, subject_of(bodies).points)
    for body in bodies:
        assert (camera.project(body.bounds) >= 0.0).all()
        assert (camera.project(body.bounds) <= SIZE).all()


def test_a_scene_too_large_to_draw_says_so():
    scene = ss.Scene()
    scene.add(ss.Box((4e38, 4e38, 1e37)))
    with pytest.raises(ss.errors.InvalidQuery, match=r"accepted: up to 1e\+30"):
        scene.picture()


def test_a_lone_point_is_seen():
    scene = ss.Scene()
    scene.add(ss.PointCloud([(3.0, 4.0, 5.0)]))
    image = scene.picture(size=(160, 120)).pixels.astype(int)
    assert np.abs(image[55:65, 75:85] - image[20, 20]).max() > 60


@pytest.mark.slow
def test_files_from_three_sides(tmp_path):
    scene = ss.Scene()
    scene.add(ss.Box((4.0, 1.0, 1.0)))
    image = picture_of_sides([("long.stl", scene), ("nothing", ss.Scene())], tmp_path / "sides.png").pixels.astype(int)
    assert image.shape == (2 * 428, 3 * 380, 3)
    blue = image[..., 2] - image[..., 0] > 40
    front, right, above = blue[48:428, :380], blue[48:428, 380:760], blue[48:428, 760:]
    assert front.any(axis=0).sum() == pytest.approx(380 / 1.08, abs=3)
    assert right.any(axis=0).sum() == pytest.approx(95 / 1.08, abs=3)
    assert above.any(axis=1).sum() == pytest.approx(95 / 1.08, abs=3)
    assert not blue[428 + 48 :].any()
