"""Painting: round things look round, sharp edges stay sharp, letters and lines are where they should be."""

import numpy as np

from sweepscope import Box, Capsule, Mesh, Scene, Sphere, Volume
from sweepscope.drawing.arrangement import arrange
from sweepscope.drawing.camera import camera_along
from sweepscope.drawing.canvas import Canvas, fit_text, letters
from sweepscope.drawing.paint import paint
from sweepscope.drawing.palette import depth_colors, rgb

GRAY = np.array((0.5, 0.6, 0.7), np.float32)


def camera(ahead, height, pixels):
    return camera_along(ahead, None, (pixels, pixels)).around(np.array(((-0.5, 0, -0.5), (0.5, 0, 0.5))) * height, 0.0)


def test_round_bodies_are_shaded_as_round_ones():
    scene = Scene()
    bodies = [scene.add(shape, (x, 0.0, 0.0)) for shape, x in ((Sphere(30.0), -80.0), (Mesh.sphere(30.0), 0.0))]
    bodies.append(scene.add(Capsule.from_segment((0, 0, -30), (0, 0, 30), radius=20.0), (80.0, 0.0, 0.0)))
    picture = paint(arrange(scene), camera((0, 1, 0), 240.0, 240), {body.id: GRAY for body in bodies}).image
    assert picture.shape == (240, 240, 3)
    # A sphere and a fine mesh of it look alike, pixel by pixel: the mesh is shaded smoothly.
    ball, mesh = picture[90:150, 10:70], picture[90:150, 90:150]
    inside = np.hypot(*(np.indices((60, 60)) - 29.5)) < 26.0
    assert float(np.abs(ball - mesh)[inside].mean()) < 0.02
    # No steps within a round body: neighbors differ little.
    assert float(np.abs(np.diff(ball, axis=1))[inside[:, 1:] & inside[:, :-1]].max()) < 0.08
    assert float(np.abs(np.diff(picture[105:135, 188:212], axis=1)).max()) < 0.15


def test_vertices_that_no_face_has_change_nothing():
    ball = Mesh.sphere(30.0)
    spare = np.random.default_rng(1).normal(size=(500, 3))
    images = []
    for shape in (ball, Mesh(np.concatenate((spare, ball.vertices)), ball.faces + 500)):
        scene = Scene()
        body = scene.add(shape)
        images.append(paint(arrange(scene), camera((0, 1, 0), 80.0, 80), {body.id: GRAY}).image)
    np.testing.assert_allclose(images[0], images[1], atol=1e-5)


def test_a_box_has_flat_sides():
    scene = Scene()
    box = scene.add(Box((40.0, 40.0, 40.0)))
    painted = paint(arrange(scene), camera((0, 1, -1), 150.0, 150), {box.id: GRAY}, shadows=False)
    whole = painted.cover == 1.0
    assert whole.sum() > 1000
    assert len(np.unique(np.round(painted.image[whole], 2), axis=0)) < 0.1 * whole.sum()


def test_depth_is_that_of_the_nearest_surface():
    scene = Scene()
    scene.add(Sphere(1.0))
    painted = paint(arrange(scene), camera((0, 1, 0), 4.0, 81), {})
    assert abs(painted.depth[40, 40] + 1.0) < 1e-3
    assert painted.depth[2, 2] == np.inf
    assert painted.cover[2, 2] == 0.0


def test_voxels_are_lit_from_above():
    scene = Scene()
    body = scene.add(Volume((((np.indices((20, 20, 20)) - 9.5) ** 2).sum(axis=0) < 90), 0.1))
    seen = camera_along((0, 1, 0), None, (100, 100)).around(np.array(((0.0, 0.0, 0.0), (2.0, 2.0, 2.0))))
    image = paint(arrange(scene), seen, {body.id: GRAY}).image.sum(axis=-1)
    assert image[22:30, 45:55].mean() > 1.2 * image[70:78, 45:55].mean()


def test_letters_and_lines():
    wide = letters("sweep")
    assert wide.shape[0] == letters("x").shape[0]
    assert wide.shape[1] > 4 * letters("i").shape[1]
    assert wide.max() > 0.9
    assert np.array_equal(letters("\N{SNOWMAN}"), letters("?"))
    for name in ("Größe", "Łódź", "\N{GREEK SMALL LETTER OMEGA}", "\N{CYRILLIC CAPITAL LETTER ZHE}"):
        assert not any(np.array_equal(letters(sign), letters("?")) for sign in name)
    assert fit_text("a long line of words", 60).endswith("...")
    assert letters(fit_text("a long line of words", 60)).shape[1] <= 60
    image = np.zeros((40, 60, 3), np.float32)
    canvas = Canvas(image)
    canvas.line((10, 20), (50, 20), np.ones(3, np.float32), 2.0)
    assert image[20, 30, 0] > 0.9
    assert image[10, 30, 0] == 0.0
    canvas.disc((-5, -5), 3.0, np.ones(3, np.float32))  # outside: nothing happens
    canvas.text(55, 35, "beyond", np.ones(3, np.float32))
    canvas.path(np.array(((-1e9, 5.0), (1e9, 5.0))), np.ones(3, np.float32))
    assert image[5, 30, 0] > 0.5
    assert image[0, 0, 0] == 0.0


def test_near_depths_are_light():
    near, far = depth_colors(np.array((0.0, 1.0)))
    assert near.sum() > 2 * far.sum()
    np.testing.assert_allclose(rgb("#ff8000"), (1.0, 128 / 255, 0.0), atol=1e-6)
