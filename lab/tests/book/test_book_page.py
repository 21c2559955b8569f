"""The page: all that parts hold is on it, as text, and nothing is loaded from elsewhere."""

import pytest
from sweepscope_lab.book.page import page
from sweepscope_lab.book.result import BookPart, BookPicture, BookTable, Chapter, Result, Watch, numbers
from sweepscope_lab.book.store import Saved, find, key_of, make
from sweepscope_lab.papers.figures import figure

FACTS = {"processor": "<b>Abacus & Co</b>", "sweepscope": "1.0", "commit": "unknown"}
EVIL = '<script src="https://example.org/x.js"></script> & "quotes"'


def run(folder, watch, *, words):
    drawn, _ = figure(1, 1, (2.0, 1.0))
    drawn.savefig(folder / "one.png")
    watch.say("drawn")
    sheet = BookTable(words, ("what", words), (("a", words), ("b", "2")), ("Table 3.1",), (0,), (words,), words)
    return Result((sheet,), (BookPicture("one.png", words, ("Fig. 3.1", "Fig. 3.2"), words, words, words),))


@pytest.fixture
def part():
    return BookPart("one-part", EVIL, run, {"tiny": {"words": EVIL}, "full": {"words": "plain"}})


@pytest.mark.slow
def test_text_is_escaped(part, tmp_path):
    saved = make(part, tmp_path, key_of(part.settings("tiny"), FACTS), Watch())
    chapter = Chapter("one", EVIL, EVIL, (part,), (("Fig. 1", EVIL, EVIL),))
    text = page([chapter], {part.name: saved}, "tiny")
    assert "<script" not in text
    assert "<b>Abacus" not in text
    assert "&lt;script" in text
    assert "Abacus &amp; Co" in text
    assert "Fig. 3.1 to 3.2" in text
    assert text.count("data:image/png;base64,") == 1
    again = find(part, tmp_path, key_of(part.settings("tiny"), FACTS))
    assert isinstance(again, Saved)
    assert again == saved
    assert page([chapter], {part.name: again}, "tiny") == text


def test_numbers_that_follow_each_other_are_joined():
    assert numbers(("Fig. 7",)) == "Fig. 7"
    assert numbers(("Fig. 3.1", "Fig. 3.2", "Fig. 3.3")) == "Fig. 3.1 to 3.3"
    assert numbers(("Fig. 1", "Fig. 8", "Fig. 9", "Table 1")) == "Fig. 1, Fig. 8 to 9, Table 1"
    assert numbers(()) == ""
