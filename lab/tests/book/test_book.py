"""The whole book at tiny sizes: killed after its first part, interrupted in its second, then run to its end."""

import base64
import io
import json
import re
import signal
import subprocess
import sys
from html.parser import HTMLParser
from types import SimpleNamespace

import matplotlib.image
import pytest
from sweepscope_lab.book.contents import CHAPTERS
from sweepscope_lab.book.result import Result, Watch
from sweepscope_lab.cli.papers import run_papers, size_of

from sweepscope.errors import InaccessibleFile, InvalidQuery

pytestmark = pytest.mark.slow

CODE = """
import sys
from pathlib import Path
from sweepscope_lab.cli.papers import run_papers
sys.exit(run_papers("all", Path(sys.argv[1]), "tiny"))
"""
# All tables and figures of the papers that hold a result.
HELD = {
    *("radar Table 1", "radar Fig. 7", "radar Fig. 8"),
    *(f"grasp Fig. {k}" for k in range(9, 17)),
    *(f"rolling Fig. {k}" for k in (5, 6, 7)),
    *("volume Table 1", "volume Fig. 1", "volume Fig. 2", "volume Fig. 8", "volume Fig. 9"),
    *(f"fan Table 3.{k}" for k in range(1, 7)),
    *(f"fan Fig. 2.{k}" for k in range(1, 23)),
    *(f"fan Fig. 3.{k}" for k in range(1, 15)),
    "fan Fig. 4.1",
}
# Figures that only explain.
DRAWN = {"radar": 6, "rolling": 4}
PARTS = sum(len(chapter.parts) for chapter in CHAPTERS.values())


def started(folder):
    return subprocess.Popen(
        [sys.executable, "-c", CODE, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def stopped_at(folder, line, number):
    """Run the book until it prints a line, send it a signal; return all that it printed, and its exit code."""
    with started(folder) as process:
        said = []
        for each in process.stdout:
            said.append(each)
            if each.startswith(line):
                process.send_signal(number)
                break
        said.append(process.stdout.read())
        return "".join(said), process.wait()


def contents_of(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book")
    killed = stopped_at(folder, "radar-costs: done", signal.SIGKILL)
    first = contents_of(folder / "parts" / "radar-costs")
    page_too_early = (folder / "papers.html").exists()
    pressed = stopped_at(folder, "Fig. 8:", signal.SIGINT)
    with started(folder) as process:
        said, errors = process.communicate()
    return SimpleNamespace(
        folder=folder,
        killed=killed,
        first=first,
        page_too_early=page_too_early,
        pressed=pressed,
        said=said,
        errors=errors,
        code=process.returncode,
        page=(folder / "papers.html").read_text("utf-8"),
    )


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def tags(book):
    parser = Tags()
    parser.feed(book.page)
    return parser.tags


def test_an_interrupted_book_goes_on(book):
    assert book.killed[1] == -signal.SIGKILL
    assert not book.page_too_early
    said, code = book.pressed
    assert code == 130
    assert "radar-costs: done before" in said
    assert f"interrupted after 1 of {PARTS} parts; the same command goes on from there" in said
    assert book.code == 0, book.errors
    assert "radar-costs: done before" in book.said
    assert "radar-frames: done, " in book.said
    # What was done before the interruption is as it was, times and all, and nothing is left over.
    assert contents_of(book.folder / "parts" / "radar-costs") == book.first
    assert "result.json" in book.first
    assert not list(book.folder.rglob("*.unfinished"))


def test_a_finished_book_is_the_same_when_asked_again(book):
    with started(book.folder) as process:
        said, _ = process.communicate()
    assert said.count("done before") == sum(len(chapter.parts) for chapter in CHAPTERS.values())
    assert (book.folder / "papers.html").read_text("utf-8") == book.page


@pytest.mark.parametrize("name", ["radar-accuracy", "rolling-sequence", "fan-accuracy"])
def test_parts_without_times_are_as_if_never_interrupted(book, tmp_path, name):
    part = next(part for chapter in CHAPTERS.values() for part in chapter.parts if part.name == name)
    direct = part.run(tmp_path, Watch(), **part.settings("tiny"))
    saved = Result.from_plain(json.loads((book.folder / "parts" / name / "result.json").read_text()))
    assert saved == direct


def test_every_table_and_figure_is_in_the_contents(tags, book):
    held = {one for _, attrs in tags for one in attrs.get("data-holds", "").split(";") if one}
    assert held == HELD
    links = [attrs["href"] for tag, attrs in tags if tag == "a"]
    ids = [attrs["id"] for _, attrs in tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert all(link.removeprefix("#") in ids for link in links)
    for chapter, count in DRAWN.items():
        assert [number for number, _, _ in CHAPTERS[chapter].drawings] == [f"Fig. {k}" for k in range(1, count + 1)]
    for text in ("Made with", "numba", "commit", "published / ours", "what differs"):
        assert text in book.page


def test_all_pictures_are_in_the_page_and_decode(tags, book):
    pictures = [attrs for tag, attrs in tags if tag == "img"]
    files = list((book.folder / "parts").rglob("*.png"))
    assert len(pictures) == len(files) >= 24
    for attrs in pictures:
        kind, _, data = attrs["src"].partition(",")
        assert kind == "data:image/png;base64"
        shape = matplotlib.image.imread(io.BytesIO(base64.b64decode(data, validate=True))).shape
        assert shape[:2] == (int(attrs["height"]), int(attrs["width"]))
        assert attrs["alt"]


def test_every_figure_says_what_is_published_and_what_is_ours(book):
    captions = re.findall(r"<figcaption>.*?</figcaption>", book.page, re.DOTALL)
    assert len(captions) >= 24
    for caption in captions:
        assert "<dt>published</dt>" in caption
        assert "<dt>ours</dt>" in caption


def test_nothing_is_loaded_from_elsewhere(tags, book):
    assert {tag for tag, _ in tags}.isdisjoint({"script", "link", "iframe", "object"})
    for _, attrs in tags:
        for name in ("src", "href", "srcset", "style"):
            assert attrs.get(name, "#").startswith(("#", "data:image/png"))
    text = re.sub(r"data:image/png;base64,[A-Za-z0-9+/=]*", "", book.page)
    assert not re.search(r"https?:|url\(|@import", text)


def test_tables_scroll_in_boxes_of_their_own(tags, book):
    tables = sum(tag == "table" for tag, _ in tags)
    assert tables >= 24
    assert book.page.count('<div class="box" tabindex="0"') == tables
    assert "prefers-color-scheme: dark" in book.page


def test_bad_folders_and_sizes_are_one_line(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(InaccessibleFile, match="cannot be made a folder"):
        run_papers("all", blocked, "tiny")
    with pytest.raises(InaccessibleFile, match=r"cannot be (written|made)"):
        run_papers("all", tmp_path.__class__("/proc/self/fdinfo"), "tiny")
    with pytest.raises(InvalidQuery, match="--quick and --full: choose one"):
        size_of(True, True, False)
    with pytest.raises(InvalidQuery, match="accepted: fan"):
        run_papers("all", tmp_path, "published")
    assert size_of(False, False, False) == "full"
