"""Pictures of predictions have a caption, and the first contact is marked."""

import numpy as np

import sweepscope as ss
from sweepscope.drawing.hits import camera_of
from sweepscope.drawing.predictions import picture_of_prediction, words_of
from sweepscope.drawing.stage import PictureStage

SIZE = (400, 300)


def balls(*places):
    scene = ss.Scene()
    return scene, [scene.add(ss.Sphere(0.5), place, name=f"ball {k}") for k, place in enumerate(places)]


def caption(contacts, horizon=9):
    return "".join(words_of(contacts, horizon))


def test_the_caption_names_the_first_pair_and_its_time():
    scene, (a, b, c) = balls((0, 0, 0), (4, 0, 0), (0, 9, 0))
    right, down = ss.Translate((1, 0, 0)), ss.Translate((0, -1, 0))
    assert caption(scene.predict({a: right}, 9)) == "ball 0 and ball 1 meet at time 3"
    assert caption(scene.predict({a: right, c: ss.Translate((1, -1, 0))}, 9)) == (
        "ball 0 and ball 1 meet at time 3, first of 2 pairs"
    )
    assert caption(scene.predict({a: right}, 2), 2) == "no two bodies meet within 2"
    b.pose = (0.5, 0, 0)
    assert caption(scene.predict({a: right}, 2)) == "ball 0 and ball 1 overlap now"
    b.pose = (1, 0, 0)
    assert caption(scene.predict({a: down}, 2)) == "ball 0 and ball 1 touch now"


def test_the_picture_has_a_caption_and_the_contact():
    scene, (a, _) = balls((0, 0, 0), (4, 0, 0))
    contacts = scene.predict({a: ss.Translate((1, 0, 0))}, 9)
    a.pose = (3, 0, 0)
    pixels = picture_of_prediction(scene, contacts, 9, None, SIZE).pixels.astype(int)
    stage = PictureStage(scene, None, size=SIZE)
    camera = camera_of(stage, stage.subject.points, words_of(contacts, 9))
    column, row = camera.project(contacts[0].point).astype(int)
    assert np.abs(pixels[row - 2 : row + 3, column - 2 : column + 3] - (0xD8, 0x35, 0x2A)).max() < 12
    below = pixels[-20:, 12:200]
    assert (below.max(axis=2) < 120).sum() > 100  # letters
    assert (below.min(axis=2) > 230).mean() > 0.5  # on paper
    free = picture_of_prediction(scene, [], 2, None, SIZE).pixels.astype(int)
    assert (free[-20:, 12:200].max(axis=2) < 120).sum() > 100
