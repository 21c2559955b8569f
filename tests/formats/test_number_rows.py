"""Rows of numbers: .npy as a memory map, .npz, .csv."""

import os

import numpy as np
import pytest

from sweepscope.errors import InaccessibleFile, InvalidGeometry, MissingFile
from sweepscope.formats.number_rows import read_named_rows, read_rows

POINTS = ((3,),)
POSES = (3,), (4, 4)


@pytest.mark.parametrize("dtype", ["f8", ">f4", "i2", "u1"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_are_maps_of_their_files(tmp_path, rng, dtype, order):
    for shape in ((5, 3), (2, 4, 4)):
        given = np.asarray(rng.integers(0, 200, shape), dtype, order)
        np.save(tmp_path / "a.npy", given)
        rows = read_rows(tmp_path / "a.npy", POSES, "poses")
        assert isinstance(rows, np.memmap)
        assert rows.filename == (tmp_path / "a.npy").resolve()
        assert rows.dtype == given.dtype
        np.testing.assert_array_equal(rows, given)
        assert not rows.flags.writeable
    np.save(tmp_path / "a.npy", np.asarray(np.empty((0, 3)), dtype, order))
    assert read_rows(tmp_path / "a.npy", POSES, "poses").shape == (0, 3)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("1,2,3\n4,5,6\n", [(1, 2, 3), (4, 5, 6)]),
        ("x, y, z\r\n1, 2, 3\r\n\r\n-4e1, .5, 6\r\n", [(1, 2, 3), (-40, 0.5, 6)]),
        ("\ufeff1,2,3", [(1, 2, 3)]),
        ("1 2 3\n", [(1, 2, 3)]),
        ('"x","y","z"\n', []),
    ],
)
def test_tables_of_text(tmp_path, text, rows):
    (tmp_path / "a.csv").write_bytes(text.encode())
    found = read_rows(tmp_path / "a.csv", POINTS, "motions")
    np.testing.assert_array_equal(found, np.array(rows).reshape(-1, 3))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,2,3\n4,nan,6\n", "line 2: 'nan' is not a number"),
        ("nan,2,3\n", "line 1: 'nan' is not a number"),
        ("x,y,z\n1,2,3\n\n4,,6\n", "line 4 has 2 numbers; expected three"),
        ("1,2,3,4\n", "line 1 has 4 numbers; expected three"),
        ("x,y,z\n1,2,3\nx,y,z\n", "line 3: 'x' is not a number"),
        ("", "is empty"),
    ],
)
def test_bad_tables_of_text(tmp_path, text, message):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(InvalidGeometry, match=rf"a\.csv: {message}"):
        read_rows(tmp_path / "a.csv", POINTS, "motions")


def test_bad_arrays(tmp_path):
    file = tmp_path / "a.npy"
    for given, message in (
        (np.zeros((5, 2)), r"its array has shape \(5, 2\); expected \(n, 3\)$"),
        (np.zeros(3), r"its array has shape \(3,\); expected \(n, 3\)$"),
        (np.zeros(()), r"its array has shape \(\); expected \(n, 3\)$"),
        (np.zeros((1, 3), bool), "its array has dtype bool; expected numbers"),
        (np.zeros((1, 3), complex), "its array has dtype complex128"),
    ):
        np.save(file, given)
        with pytest.raises(InvalidGeometry, match=message):
            read_rows(file, POINTS, "motions")
    np.save(file, np.array([[1, 2, None]], object), allow_pickle=True)
    with pytest.raises(InvalidGeometry, match="holds Python objects; save numbers"):
        read_rows(file, POINTS, "motions")
    np.save(file, np.zeros((5, 3)))
    for content, message in (
        (b"", "is empty"),
        (b"1 2 3\n4 5 6\n", "cannot be read as NPY"),
        (b"\x93NUMPY", "cannot be read as NPY"),
        (file.read_bytes()[:-1], "is cut off: its header promises 120 bytes, it has 119"),
        (b"version https://git-lfs.github.com/spec/v1\n", "is a Git LFS pointer, not the motions itself"),
    ):
        file.write_bytes(content)
        with pytest.raises(InvalidGeometry, match=message):
            read_rows(file, POINTS, "motions")


def test_what_is_not_a_file_of_rows(tmp_path):
    with pytest.raises(MissingFile, match=r"a\.npy: no such file"):
        read_rows(tmp_path / "a.npy", POINTS, "motions")
    (tmp_path / "a.txt").write_text("1 2 3")
    with pytest.raises(InvalidGeometry, match=r"accepted endings are \.npy, \.csv, \.npz$"):
        read_rows(tmp_path / "a.txt", POINTS, "motions", ".npz")
    (tmp_path / "b.npy").mkdir()
    with pytest.raises(InaccessibleFile, match="is a folder, not a file"):
        read_rows(tmp_path / "b.npy", POINTS, "motions")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "c.npy")
        with pytest.raises(InaccessibleFile, match="not a file"):
            read_rows(tmp_path / "c.npy", POINTS, "motions")


def test_arrays_by_name(tmp_path):
    shapes = {"axis": (3,), "angle": ()}
    np.savez(tmp_path / "a.npz", axis=(0, 0, 1), angle=[1.0, 2.0])
    found = read_named_rows(tmp_path / "a.npz", shapes, "motions")
    assert {name: array.shape for name, array in found.items()} == {"axis": (3,), "angle": (2,)}
    np.savez(tmp_path / "a.npz", axis=(0, 0, 1), angel=[1.0])
    with pytest.raises(InvalidGeometry, match=r"a\.npz: holds 'angel\.npy'; accepted: arrays axis, angle"):
        read_named_rows(tmp_path / "a.npz", shapes, "motions")
    np.savez(tmp_path / "a.npz", axis=[(0, 0)])
    with pytest.raises(InvalidGeometry, match=r"its array axis has shape \(1, 2\); expected \(n, 3\)"):
        read_named_rows(tmp_path / "a.npz", shapes, "motions")
