"""Captions and legends: what fits is written in full, and of what does not fit names are shortened first."""

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.drawing.canvas import letters, text_width
from sweepscope.drawing.captions import Name, caption_height, fit_heading, fit_names, fit_words
from sweepscope.drawing.scopes import PictureSheet, title_of

LONG = "fixture_of_the_left_spindle_housing_v12.stl"


@pytest.mark.parametrize("large", [False, True])
def test_the_width_of_a_text_is_that_of_its_letters(large):
    for text in ("", "sweep", "Größe \N{SNOWMAN}"):
        assert text_width(text, large) == letters(text, large).shape[1]


def test_a_sentence_that_fits_is_not_changed():
    words = [Name("tool"), " meets ", Name("floor"), " after 2.4"]
    assert fit_words(words, text_width("tool meets floor after 2.4")) == ["tool meets floor after 2.4"]


def test_a_sentence_is_broken_at_spaces_before_anything_is_left_out():
    words = [Name("tool"), " meets ", Name(LONG), " after 2.4"]
    lines = fit_words(words, 300, lines=3)
    assert " ".join(lines) == f"tool meets {LONG} after 2.4"
    assert all(text_width(line) <= 300 for line in lines)


def test_long_names_are_shortened_and_the_answer_stays():
    words = [Name("tool"), " meets ", Name(LONG), " and ", Name("post"), " after 2.4"]
    (line,) = fit_words(words, 300)
    assert text_width(line) <= 300
    assert line.startswith("tool meets fixture")
    assert line.endswith(".stl and post after 2.4")
    assert "..." in line
    (cut,) = fit_words(words, 60)  # no room for anything: the end is cut off
    assert text_width(cut) <= 60


def test_a_file_is_named_without_its_folders_and_a_link_with_its_robot():
    assert Name(f"/data/parts/{LONG}") == LONG
    assert Name(r"C:\parts\tool.stl") == "tool.stl"
    assert Name("robot/upper") == "robot/upper"


def test_a_heading_gets_small_letters_before_it_is_cut():
    text = "a heading of many words"
    assert fit_heading([text], text_width(text, True), True, 1) == ([text], True)
    assert fit_heading([text], text_width(text), True, 1) == ([text], False)


def test_names_of_a_legend_use_all_lines():
    lines = fit_names([LONG, "right", "mid"], 80, 10)
    assert ["".join(each) for each in lines] == [LONG, "right", "mid"]
    assert all(text_width(line) <= 80 for each in lines for line in each)
    tight = fit_names([LONG, LONG, "right"], 80, 4)
    assert sum(map(len, tight)) <= 4
    assert tight[2] == ["right"]
    assert "".join(tight[0]).endswith("stl")


def test_a_caption_is_never_more_than_a_quarter_of_the_picture():
    words = [Name("tool"), " meets ", Name(LONG), " after 2.4"]
    for size in ((16, 16), (160, 120), (320, 240), (800, 600), (1600, 100)):
        assert caption_height(words, size) <= 0.25 * size[1]
    assert caption_height(words, (320, 240)) > caption_height(["short"], (320, 240))


def inked(picture, rows, columns):
    """Return which columns of a part of a picture hold letters."""
    part = picture.pixels[rows, columns].astype(int).sum(axis=-1)
    return (part < 450).any(axis=0)


def test_a_legend_uses_the_room_beside_it():
    scene = ss.Scene()
    scene.add(ss.Box((6, 6, 0.2)), name=LONG)
    seen = scene.look(ss.View((0, 0, 9), (0, 0, -1), width=6, height=6, depth=20), 60)
    picture = seen.picture(size=(900, 130))
    # The image is small: 57 pixels. The name begins beside it and is written in full.
    found = np.flatnonzero(inked(picture, slice(60, 80), slice(530, 900)))
    assert np.ptp(found) > 0.95 * text_width(LONG)


def test_notes_of_a_sheet_are_broken_into_lines_where_there_is_room():
    note = "a note of many words that is wider than the sheet and has to be broken into two lines"
    sheet = PictureSheet((480, 300), False, 2, ["title"], [note])
    assert sheet.bottom == 300 - 14 - 2 * 18
    flat = PictureSheet((480, 60), False, 2, ["title"], [note])
    assert flat.bottom == 60 - 14 - 18


def test_all_obstacles_of_a_reading_are_named():
    """A long name must not push the others out of the title."""
    scene = ss.Scene()
    scene.add(ss.Box((3, 3, 0.2)), (0, -1.6, 0), name=LONG * 3)
    scene.add(ss.Box((3, 3, 0.2)), (0, 1.6, 0), name="right")
    die = scene.add(ss.Box((1, 1, 1)), (0, 0, 3), name="die")
    reading = ss.radar.Radar(scene, die, pixels=40).probe(ss.Translate((0, 0, -5)))
    assert len(reading.obstacles) == 2
    picture = reading.picture(size=(640, 140))
    # One line of title: the last letters, of the unit, are there.
    end = letters("[length]") > 0.5
    title = picture.pixels[8 : 8 + end.shape[0]].astype(int).sum(axis=-1) < 300
    assert any((title[:, k : k + end.shape[1]] == end).mean() > 0.93 for k in range(300, 640 - end.shape[1]))


def test_the_title_of_a_reading_names_a_whole_robot_and_not_its_bodies():
    scene = ss.Scene()
    hand = ss.Robot(scene, name="hand")
    hand.add("palm", ss.Box((1, 1, 0.2)))
    for k in range(4):
        joint = ss.Joint.revolute(f"knuckle {k}", (1, 0, 0), origin=(0, 0.2 * k, 0), limits=(-1, 1))
        hand.add(f"finger {k}", ss.Box((0.1, 0.1, 1)), parent="palm", joint=joint)
    scene.add(ss.Box((9, 9, 1)), (0, 0, -4), name="floor")
    down = ss.Translate((0, 0, -9))

    def title(movers, motion=down):
        return "".join(title_of(ss.radar.Radar(scene, movers, pixels=31).probe(motion)))

    assert title(hand.bodies) == "hand meets floor after 3 [length]"
    assert title(hand.bodies, ss.Translate((0, 0, 2))) == "hand free for 2 [length]"
    assert title(hand.bodies[1:]) == "hand/finger 0 and hand/finger 1 and hand/finger 2 and 1 more meet floor after 3 [length]"
    assert title(hand.bodies[0]) == "hand/palm meets floor after 3.4 [length]"
