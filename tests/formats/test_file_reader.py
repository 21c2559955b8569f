"""The door: files that files name, and what they unfold to."""

import os

import pytest

from sweepscope import SweepscopeError
from sweepscope.errors import InaccessibleFile, InvalidGeometry, MissingFile
from sweepscope.formats.file_reader import FileReader
from sweepscope.io import Limits


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a b.bin").write_bytes(b"inside")
    (tmp_path / "out.bin").write_bytes(b"outside")
    (tmp_path / "in" / "link.bin").symlink_to(tmp_path / "out.bin")
    os.mkfifo(tmp_path / "in" / "pipe.bin")
    return tmp_path / "in"


def test_names_are_decoded(folder):
    assert FileReader().read_named("a%20b.bin", folder / "x.gltf") == b"inside"
    assert FileReader().read_named("../in/a b.bin", folder / "x.gltf") == b"inside"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("../out.bin", "outside of its folder"),
        ("%2e%2e/out.bin", "outside of its folder"),
        ("link.bin", "outside of its folder"),
        ("/etc/passwd", "outside of its folder"),
        ("file:///etc/passwd", "accepted: files by a relative path"),
        ("http://localhost/a.bin", "accepted: files by a relative path"),
        ("C:/a.bin", "accepted: files by a relative path"),
        ("%00a.bin", "not a file name"),
        ("pipe.bin", "not a file"),
        ("none.bin", "no such file"),
        (".", "not a file"),
        ("x" * 5000, "not a file name"),
    ],
)
def test_names_stay_inside(folder, name, message):
    error = {"none.bin": MissingFile, "pipe.bin": InaccessibleFile, ".": InaccessibleFile}.get(name, InvalidGeometry)
    with pytest.raises(error, match=message):
        FileReader().read_named(name, folder / "x.gltf")


def test_other_folders_may_be_allowed(folder):
    assert FileReader(folders=[folder.parent]).read_named("../out.bin", folder / "x.gltf") == b"outside"
    assert FileReader(folders=[folder.parent]).read_named("link.bin", folder / "x.gltf") == b"outside"


def test_what_files_unfold_to_is_counted(folder):
    reader = FileReader(Limits(max_decoded_bytes=1000))
    reader.unfold(600, "this")
    reader.unfold(400, "this")
    with pytest.raises(
        InvalidGeometry, match=r"that would decode to 1,001 bytes; accepted: up to 1,000; .*max_decoded_bytes=1001"
    ):
        reader.unfold(1, "that")
    (folder / "large.bin").write_bytes(b"x" * 100)
    reader = FileReader(Limits(max_decoded_bytes=1000))
    reader.read_named("large.bin", folder / "x.gltf")
    reader.unfold(3200, "a large file may unfold to more:")


def test_messages_are_one_line():
    assert str(SweepscopeError("a\nb\t c \udc80 \x1b[0m")) == r"a b c \udc80 \x1b[0m"
    long = str(SweepscopeError("begin " + "x" * 30_000 + " end"))
    assert len(long) < 800
    assert long.startswith("begin")
    assert long.endswith(" end")
