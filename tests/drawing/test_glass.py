"""What hides a contact or the movers is drawn as glass."""

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.drawing.glass import glass_of, movers_in_front
from sweepscope.drawing.hits import HitPlayback, camera_of, frame_of, words_of
from sweepscope.drawing.stage import PictureStage

SIZE = (320, 240)


def under_a_ceiling(width):
    scene = ss.Scene()
    scene.add(ss.Box((width, width, 0.2)), name="floor")
    scene.add(ss.Box((width, width, 0.2)), (0, 0, 4), name="ceiling")
    ball = scene.add(ss.Sphere(0.4), (0, 0, 0.5), name="ball")
    return scene.sweep(ball, ss.Translate((0.3, 0, 8)))


def under_a_sheet():
    scene = ss.Scene()
    corners = [(-3, -3, 0), (3, -3, 0), (3, 3, 0), (-3, 3, 0)]
    scene.add(ss.Mesh(corners, [(0, 1, 2), (0, 2, 3)], solid=False), (0, 0, 4), name="sheet")
    ball = scene.add(ss.Sphere(0.4), (0, 0, 0.5), name="ball")
    return scene.sweep(ball, ss.Translate((0.3, 0, 8)))


def walls():
    scene = ss.Scene()
    scene.add(ss.Box((3, 3, 0.1)), (0, 0, 0.05), name="bottom")
    for name, size, place in (
        ("left", (0.1, 3, 1.6), (-1.5, 0, 0.8)),
        ("right", (0.1, 3, 1.6), (1.5, 0, 0.8)),
        ("front", (3, 0.1, 1.6), (0, -1.5, 0.8)),
        ("back", (3, 0.1, 1.6), (0, 1.5, 0.8)),
    ):
        scene.add(ss.Box(size), place, name=name)
    return scene


def in_a_bin():
    scene = walls()
    return scene.sweep(scene.add(ss.Sphere(0.4), (0, -0.9, 3), name="ball"), ss.Translate((0, 0, -5)))


def at_a_wall_of_a_bin():
    scene = walls()
    return scene.sweep(scene.add(ss.Sphere(0.4), (0, 0, 0.6), name="ball"), ss.Translate((0, -5, 0)))


def setting(hit):
    stage = PictureStage(hit.mover.scene, None, size=SIZE)
    playback = HitPlayback(hit)
    return stage, playback, camera_of(stage, frame_of(playback), words_of(hit))


def glass(hit):
    stage, playback, camera = setting(hit)
    found = glass_of(stage, camera, playback.movers, playback.poses(0.0), [(hit.point, playback.poses(1.0))])
    return {body.name for body in found}


HIDDEN = {
    "ceiling": lambda: under_a_ceiling(6),
    "wide ceiling": lambda: under_a_ceiling(60),
    "sheet": under_a_sheet,
    "wall of a bin": at_a_wall_of_a_bin,
}


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("case", HIDDEN)
def test_a_hidden_contact_is_seen(case, dark):
    hit = HIDDEN[case]()
    _, _, camera = setting(hit)
    pixels = hit.picture(size=SIZE, dark=dark).pixels.astype(int)
    column, row = camera.project(hit.point).astype(int)
    red = (0xFF, 0x5B, 0x4D) if dark else (0xD8, 0x35, 0x2A)
    mark = pixels[row - 2 : row + 3, column - 2 : column + 3]
    assert np.abs(mark - red).max() < 12
    # The mover where it touches is blue, beside the mark and its arrow, not the color of what is in front of it.
    middle = hit.motion.at(hit.time) @ hit.mover.pose
    places = [camera.project(middle[:3, 3] + side * 0.25 * camera.frame[0]) for side in (-1, 1)]
    bluish = [pixels[int(y), int(x), 2] - pixels[int(y), int(x), 0] for x, y in places]
    assert max(bluish) > 20


@pytest.mark.parametrize("dark", [False, True])
def test_the_bottom_of_a_bin_is_seen_beside_the_contact(dark):
    """Ghosts shine through walls, so the color of the mover would not show whether the wall is glass; the bottom does."""
    hit = in_a_bin()
    _, _, camera = setting(hit)
    assert hit.obstacle.name == "bottom"
    left_out = hit.picture(size=SIZE, dark=dark, ignore=[hit.mover.scene["front"]]).pixels.astype(int)
    pixels = hit.picture(size=SIZE, dark=dark).pixels.astype(int)
    for side in (-0.6, 0.6):
        column, row = camera.project(hit.point + (side, 0, 0)).astype(int)
        assert _yellow(left_out[row, column]) > 20, "the place is on the bottom"
        assert _yellow(pixels[row, column]) > 8


def _yellow(pixel):
    """Return how much more red than blue it has: the obstacle has, gray walls and the blue mover have not."""
    return pixel[0] - pixel[2]


def behind_the_mover():
    """The box moves away from the camera, onto a post that it hides at its start."""
    scene = ss.Scene()
    scene.add(ss.Box((0.6, 0.6, 0.6)), (2, 3, -1.9), name="post")
    return scene.sweep(scene.add(ss.Box((1, 1, 1)), name="box"), ss.Translate((4, 6, -3.8)))


def below_the_mover():
    """The contact is at the start, on the far side of the mover."""
    scene = ss.Scene()
    scene.add(ss.Box((6, 6, 0.2)), (0, 0, -0.1), name="floor")
    return scene.sweep(scene.add(ss.Sphere(0.5), (0, 0, 0.4), name="ball"), ss.Translate((0, 0, -5)))


def hiding(hit):
    _, playback, camera = setting(hit)
    return {body.name for body in movers_in_front(camera, playback.movers, playback.poses(0.0), [hit.point])}


def test_a_mover_that_hides_the_contact_is_glass():
    assert hiding(behind_the_mover()) == {"box"}
    assert hiding(below_the_mover()) == {"ball"}
    for hit in (in_a_bin(), at_a_wall_of_a_bin(), under_a_ceiling(6)):
        assert not hiding(hit)


def test_only_the_mover_in_front_is_glass():
    scene = ss.Scene()
    scene.add(ss.Box((0.6, 0.6, 0.6)), (2, 3, -1.9), name="post")
    movers = [scene.add(ss.Box((1, 1, 1)), name="box"), scene.add(ss.Box((0.2, 0.2, 0.2)), (0, 0, 3), name="beside")]
    movers.append(scene.add(ss.Box((0.8, 0.8, 0.8)), (-2, -3, 1.9), name="in front of the box"))
    hit = scene.sweep(movers, ss.Translate((4, 6, -3.8)))
    assert hit.mover.name == "box"
    assert hiding(hit) == {"box", "in front of the box"}


@pytest.mark.parametrize("dark", [False, True])
def test_a_post_is_seen_through_the_mover(dark):
    hit = behind_the_mover()
    _, _, camera = setting(hit)
    check_post(hit.picture(size=SIZE, dark=dark), camera)


def test_a_mover_at_the_contact_is_as_opaque_as_a_ghost():
    hit = below_the_mover()
    _, _, camera = setting(hit)
    pixels = hit.picture(size=SIZE).pixels.astype(int)
    column, row = camera.project(hit.mover.pose[:3, 3] + (0, 0, 0.2)).astype(int)
    assert _yellow(pixels[row, column]) < -60


def test_a_post_is_seen_through_the_mover_of_a_slide():
    scene = behind_the_mover().mover.scene
    slide = scene.slide(scene["box"], (4, 6, -3.8))
    assert slide.hits
    options = {"size": SIZE, "eye": (-4, -6, 3.8), "target": (0, 0, 0)}
    check_post(slide.picture(**options), PictureStage(scene, None, **options).camera())


def check_post(picture, camera):
    """Parallel faces of the post and of the box in front of it have different colors: the post is seen."""
    pixels = picture.pixels.astype(int)
    for post, box in (((1.7, 3, -1.9), (-0.5, 0.4, -0.3)), ((2, 3, -1.6), (0.4, 0.4, 0.5))):
        (column, row), (other_column, other_row) = camera.project([post, box]).astype(int)
        assert _yellow(pixels[row, column]) - _yellow(pixels[other_row, other_column]) > 15


def test_only_what_hides_is_glass():
    assert glass(under_a_ceiling(6)) == {"ceiling"}
    assert glass(under_a_sheet()) == {"sheet"}
    assert glass(in_a_bin()) == {"front"}
    assert glass(at_a_wall_of_a_bin()) == {"front"}


def test_a_contact_in_sight_leaves_all_as_it_is():
    scene = walls()
    ball = scene.add(ss.Sphere(0.4), (0, 0.6, 3), name="ball")
    beside = scene.add(ss.Sphere(0.4), (-3, 0, 3), name="beside")
    scene.add(ss.Box((20, 20, 0.1)), (0, 0, -0.05), name="floor")
    for mover, motion, name in ((ball, (0, 1, -3), "back"), (beside, (0, 0, -5), "floor"), (beside, (3, 0, -5), "left")):
        hit = scene.sweep(mover, ss.Translate(motion))
        assert hit.obstacle.name == name
        assert not glass(hit)


def test_layers_in_front_of_each_other_are_all_glass():
    scene = ss.Scene()
    for k in range(5):
        scene.add(ss.Box((20, 20, 0.1)), (0, 0, 4 + k), name=f"ceiling {k}")
    ball = scene.add(ss.Sphere(0.4), name="ball")
    assert glass(scene.sweep(ball, ss.Translate((0, 0, 8)))) == {f"ceiling {k}" for k in range(5)}
    stage = PictureStage(scene, None, size=SIZE, ignore=[scene["ceiling 3"]])
    hit = scene.sweep(ball, ss.Translate((0, 0, 8)))
    playback = HitPlayback(hit)
    camera = camera_of(stage, frame_of(playback), words_of(hit))
    found = glass_of(stage, camera, playback.movers, playback.poses(0.0), [(hit.point, playback.poses(1.0))])
    assert scene["ceiling 3"] not in found


def test_a_slide_into_a_bin_shows_every_contact():
    scene = walls()
    ball = scene.add(ss.Sphere(0.4), (0, -0.6, 3), name="ball")
    slide = scene.slide(ball, (0.3, -0.9, -4))
    assert len(slide.hits) >= 2
    image = slide.picture(size=SIZE, eye=(-4, -6, 5), target=(0, 0, 0.8)).pixels.astype(int)
    stage = PictureStage(scene, None, size=SIZE, eye=(-4, -6, 5), target=(0, 0, 0.8))
    end = slide.moved.at() @ ball.pose
    column, row = stage.camera().project(end[:3, 3] + (0.25, 0, 0)).astype(int)
    assert image[row, column, 2] - image[row, column, 0] > 20
