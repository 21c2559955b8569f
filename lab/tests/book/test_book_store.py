"""Saved parts: complete or absent, and used only for the settings, machine and code that they were made with."""

import json

import pytest
from sweepscope_lab.book.facts import facts
from sweepscope_lab.book.result import BookPart, BookPicture, BookTable, Result, Watch
from sweepscope_lab.book.store import find, key_of, make, write_text

FACTS = {"commit": "abc", "numpy": "2.0"}
SIZES = {"tiny": {"cases": (1, 2), "by size": {"16": 2}}, "full": {"cases": (1, 2, 3), "by size": {}}}


def counted(folder, watch, **settings):
    (folder / "a.png").write_bytes(b"picture")
    (folder / "a.csv").write_text("1")
    return Result((BookTable("t", ("x",), tuple((str(k),) for k in settings["cases"])),), (BookPicture("a.png", "shows"),))


def broken(folder, watch, **settings):
    (folder / "half.png").write_bytes(b"half")
    raise KeyboardInterrupt


PART = BookPart("one", "One", counted, SIZES)


@pytest.fixture
def key():
    return key_of(PART.settings("tiny"), FACTS)


def test_a_saved_part_comes_back_equal(tmp_path, key):
    assert find(PART, tmp_path, key) is None
    made = make(PART, tmp_path, key, Watch())
    assert find(PART, tmp_path, key) == made
    assert made.result.sheets[0].rows == (("1",), ("2",))
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_another_key_is_another_part(tmp_path, key):
    make(PART, tmp_path, key, Watch())
    assert find(PART, tmp_path, key_of(PART.settings("full"), FACTS)) is None
    assert find(PART, tmp_path, key_of(PART.settings("tiny"), {**FACTS, "commit": "def"})) is None
    other = key_of(PART.settings("full"), FACTS)
    make(PART, tmp_path, other, Watch())
    assert find(PART, tmp_path, key) is None
    assert find(PART, tmp_path, other) is not None


def test_what_an_interrupted_part_leaves_is_not_used(tmp_path, key):
    with pytest.raises(KeyboardInterrupt):
        make(BookPart("one", "One", broken, SIZES), tmp_path, key, Watch())
    assert find(PART, tmp_path, key) is None
    made = make(PART, tmp_path, key, Watch())
    assert not (made.folder / "half.png").exists()


def test_a_part_that_lacked_only_its_name_is_used(tmp_path, key):
    made = make(PART, tmp_path, key, Watch())
    made.folder.rename(tmp_path / "one.unfinished")
    assert find(PART, tmp_path, key) == made


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"key": 1}'])
def test_a_damaged_result_is_no_result(tmp_path, key, content):
    made = make(PART, tmp_path, key, Watch())
    (made.folder / "result.json").write_text(content)
    assert find(PART, tmp_path, key) is None


def test_a_part_without_its_picture_is_no_part(tmp_path, key):
    made = make(PART, tmp_path, key, Watch())
    (made.folder / "a.png").unlink()
    assert find(PART, tmp_path, key) is None


def test_text_is_written_whole(tmp_path):
    write_text(tmp_path / "page.html", "old")
    write_text(tmp_path / "page.html", "new")
    assert (tmp_path / "page.html").read_text() == "new"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.slow
def test_facts_are_text_that_json_keeps():
    found = facts()
    assert json.loads(json.dumps(found)) == found
    assert {"processor", "cores", "Python", "numpy", "numba", "sweepscope", "commit", "code"} <= set(found)
    assert all(isinstance(value, str) and value for value in found.values())
