"""Answers about distances, overlaps, contacts, rays and ways as text, without a browser."""

import html
import re

import pytest

import sweepscope as ss
from sweepscope.viewer import near_words


def chip(body):
    return html.escape(body.name)


def text(content):
    return re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", content)).strip()


@pytest.fixture
def scene():
    scene = ss.Scene()
    scene.add(ss.Box((2, 2, 2)), name="<b>room</b>")
    scene.add(ss.Box((1, 1, 1)), name="core")
    scene.add(ss.Box((2, 2, 2)), pose=(1.5, 0, 0), name="cut")
    scene.add(ss.Box((2, 2, 2)), pose=(1.5, 0, 0), name="copy")
    scene.add(ss.Box((1, 1, 1)), pose=(3, 0, 0), name="beside")
    scene.add(ss.Box((1, 1, 1)), pose=(5, 0, 0), name="apart")
    return scene


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("core", "<b>room</b>", "inside"),
        ("<b>room</b>", "core", "contains"),
        ("<b>room</b>", "cut", "crosses"),
        ("cut", "copy", "coincides with"),
        ("cut", "beside", "touches"),
        ("beside", "apart", "1 from"),
    ],
)
def test_relations(scene, first, second, expected):
    assert near_words.relation(scene.distance(scene[first], scene[second])) == expected


def test_nearest(scene):
    pairs = scene.nearest(scene["apart"], k=2)
    found = text(near_words.nearest_answer(pairs, 9.0, chip))
    assert found.startswith("nearest bodies 1 beside 2 ")
    assert "4.5" in found
    assert text(near_words.nearest_answer([], 0.5, chip)) == "nearest bodies none within 0.5"


def test_overlaps_are_shortened(scene):
    found = near_words.overlaps_answer(scene.overlaps(limit=1.0), 1.0, chip)
    assert "&lt;b&gt;room&lt;/b&gt;" in found
    assert "<b>room" not in found
    assert "beside 1 from apart" in text(found)
    few = scene.overlaps(scene["core"], scene["<b>room</b>"])
    assert text(near_words.overlaps_answer(few, 0.0, chip)).startswith("1 pair overlaps 1 ")
    many = text(near_words.overlaps_answer(few * 40, 0.0, chip))
    assert many.startswith("40 pairs overlap")
    assert many.endswith("and 10 more")


def test_contacts(scene):
    assert "gap 1 " in text(near_words.contacts_answer(scene.contacts(scene["apart"], margin=1.0), 1.0, chip))
    assert text(near_words.contacts_answer(scene.contacts(scene["apart"]), 0.0, chip)) == "contacts none"
    deep = text(near_words.contacts_answer(scene.contacts(scene["core"], ignore=[scene["cut"], scene["copy"]]), 0.0, chip))
    assert " deep " in deep or "overlaps" in deep


def test_rays(scene):
    rays = scene.cast_all((9, 0.1, 0.2), (-1, 0, 0))
    found = text(near_words.ray_answer(rays.crossings, scene, chip))
    assert found.startswith("ray meets apart distance 3.5 point 5.5 0.1 0.2 normal 1 0 0 face ")
    assert "goes on to 4.5 apart 5.5 beside" in found
    missed = scene.cast_all((9, 9, 9), (1, 0, 0))
    assert text(near_words.ray_answer(missed.crossings, scene, chip)) == "ray it meets nothing"


def test_passages(scene):
    motion = ss.Translate((-4.5, 0, 0))
    found = scene.sweep_all(scene["apart"], motion)
    assert found[0].obstacle.name == "beside"
    said = text(near_words.passages_answer(found, motion, chip))
    assert said.startswith("5 bodies on the way 1 beside until 3 ")
    assert "not left" in said
    start = scene.sweep_all(scene["core"], ss.Translate((0, 0, 4)))
    assert "start &lt;b&gt;room&lt;/b&gt; until 1.5" in text(near_words.passages_answer(start, ss.Translate((0, 0, 4)), chip))
