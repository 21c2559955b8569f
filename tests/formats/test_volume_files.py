"""Volumes from files and into files."""

import io
import os
import re
import struct
import zipfile

import numpy as np
import pytest

from sweepscope import Volume
from sweepscope.errors import InaccessibleFile, InvalidGeometry, InvalidType, MissingFile, NotFound
from sweepscope.io import Limits


def same(one, other):
    assert other.resolution == one.resolution
    assert other.spacing == one.spacing
    assert other.origin == one.origin
    assert other.threshold == one.threshold
    assert other.count == one.count
    np.testing.assert_array_equal(other.occupied, one.occupied)
    np.testing.assert_array_equal(other.extent, one.extent)
    np.testing.assert_array_equal(other.lines, one.lines)


@pytest.mark.parametrize("dtype", ["?", "u1", "i2", "i8", "f2", "f4", "f8", ">f4", ">i8"])
def test_saved_and_loaded(tmp_path, rng, dtype):
    alpha = (10.0 * rng.random((5, 6, 70))).astype(dtype)
    volume = Volume(alpha, (0.1, 0.2, 0.3), origin=(1.0, -2.0, 3.0), threshold=0.0 if dtype == "?" else 4.0)
    volume.save(tmp_path / "a.npz")
    back = Volume.load(tmp_path / "a.npz")
    same(volume, back)
    np.testing.assert_array_equal(back.alpha, alpha)
    assert back.alpha.dtype == volume.alpha.dtype
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]


@pytest.mark.parametrize("shape", [(5, 6, 70), (4, 4, 64), (3, 0, 7), (3, 7, 0)])
def test_bits_alone(tmp_path, rng, shape):
    volume = Volume(rng.random(shape), 0.5, origin=(1.0, 2.0, 3.0), threshold=0.7, keep_alpha=False)
    volume.save(tmp_path / "a.npz")
    back = Volume.load(tmp_path / "a.npz", keep_alpha=False)
    same(volume, back)
    with pytest.raises(InvalidGeometry, match="not stored"):
        _ = back.alpha
    # Edits are held against the threshold that it was made with.
    if volume.count:
        volume[1:3, 1:3, 2:30] = 0.6
        back[1:3, 1:3, 2:30] = 0.6
        volume[0] = 0.8
        back[0] = 0.8
        same(volume, back)
    told = Volume.load(tmp_path / "a.npz", keep_alpha=True)
    np.testing.assert_array_equal(told.alpha, told.occupied)
    with pytest.raises(InvalidGeometry, match=r"threshold is 0\.5, but the file holds bits, no alpha"):
        Volume.load(tmp_path / "a.npz", threshold=0.5)
    with pytest.raises(InvalidGeometry, match="inclusive is False, but the file holds bits, no alpha"):
        Volume.load(tmp_path / "a.npz", inclusive=False)


@pytest.mark.parametrize("keep", [True, False])
def test_at_or_over_the_threshold_is_kept(tmp_path, rng, keep):
    alpha = rng.integers(0, 5, (3, 4, 70)).astype(np.uint8)
    volume = Volume(alpha, threshold=3, inclusive=True, keep_alpha=keep)
    volume.save(tmp_path / "a.npz")
    back = Volume.load(tmp_path / "a.npz")
    same(volume, back)
    assert back.inclusive
    assert back.count == (alpha >= 3).sum()
    for one in (volume, back):
        one[0] = 3
        one[1] = 2
    same(volume, back)
    assert back.count == 280 + (alpha[2] >= 3).sum()
    if keep:
        assert Volume.load(tmp_path / "a.npz", inclusive=False).count == (alpha > 3).sum()


def test_what_is_given_goes_before_what_the_file_says(tmp_path, rng):
    alpha = rng.random((3, 4, 5))
    Volume(alpha, 0.5, origin=(1.0, 2.0, 3.0), threshold=0.25).save(tmp_path / "a.npz")
    told = Volume.load(tmp_path / "a.npz", spacing=(1, 2, 3), origin=(0, 0, 0), threshold=0.75, keep_alpha=False)
    assert (told.spacing, told.origin, told.threshold) == ((1.0, 2.0, 3.0), (0.0, 0.0, 0.0), 0.75)
    assert told.count == (alpha > 0.75).sum()
    with pytest.raises(InvalidGeometry, match="not stored"):
        _ = told.alpha


@pytest.mark.parametrize("fortran", [False, True])
def test_plain_arrays(tmp_path, rng, fortran):
    alpha = rng.random((3, 4, 5)) - 0.5
    np.save(tmp_path / "a.npy", np.asfortranarray(alpha) if fortran else alpha)
    volume = Volume.load(tmp_path / "a.npy", spacing=0.1)
    same(Volume(alpha, 0.1), volume)
    np.testing.assert_array_equal(volume.alpha, alpha)
    same(Volume(alpha), Volume.load(str(tmp_path / "a.npy")))
    np.savez(tmp_path / "one.npz", density=alpha, spacing=0.25, note=alpha)
    with pytest.raises(InvalidGeometry, match="no array called 'alpha'; it has density, spacing, note: choose one: Volume"):
        Volume.load(tmp_path / "one.npz")
    same(Volume(alpha, 0.25), Volume.load(tmp_path / "one.npz", key="density"))
    np.savez_compressed(tmp_path / "only.npz", density=alpha, origin=(1.0, 2.0, 3.0), threshold=0.25)
    same(Volume(alpha, 1.0, origin=(1.0, 2.0, 3.0), threshold=0.25), Volume.load(tmp_path / "only.npz"))
    np.savez(tmp_path / "bits.npz", bits=alpha)
    same(Volume(alpha), Volume.load(tmp_path / "bits.npz"))


def test_a_saved_file_is_replaced_whole_or_not_at_all(tmp_path):
    volume = Volume(np.ones((2, 2, 2)))
    volume.save(tmp_path / "a.npz")
    volume[:] = 0
    volume.save(str(tmp_path / "a.npz"))
    assert Volume.load(tmp_path / "a.npz").empty
    for path, error, message in (
        (tmp_path / "a.npy", InvalidGeometry, "accepted ending is .npz"),
        (tmp_path / "nowhere" / "a.npz", MissingFile, "cannot be written"),
        (tmp_path / ("a" * 300 + ".npz"), InaccessibleFile, "cannot be written"),
        (7, InvalidType, "path: expected a str or a Path, got 7"),
    ):
        with pytest.raises(error, match=re.escape(message)):
            volume.save(path)
    (tmp_path / "b.npz").mkdir()
    with pytest.raises(InaccessibleFile, match="cannot be written"):
        volume.save(tmp_path / "b.npz")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.npz", "b.npz"]


def npy(array):
    """Return the bytes of a .npy file."""
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def promising(shape, descr="<f8"):
    """Return the header of a .npy file, and 192 bytes of numbers."""
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": descr, "fortran_order": False, "shape": shape})
    return stream.getvalue() + bytes(192)


def npz(**arrays):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as box:
        for name, content in arrays.items():
            box.writestr(f"{name}.npy", content if isinstance(content, bytes) else npy(np.asarray(content)))
    return stream.getvalue()


CUBE = np.ones((2, 3, 4))
FINE = npy(CUBE)
# A header of 10 MB, and one that promises 4 GiB of itself.
LONG = b"\x93NUMPY\x02\x00" + struct.pack("<I", 10**7) + b" " * 10**7
HUGE = b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**32 - 1) + b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3, 4)}"

BAD = {
    "missing": ("a.npy", None, "no such file"),
    "folder": (".", None, "not a file"),
    "ending": ("a.txt", FINE, r"accepted endings are \.npy, \.npz"),
    "empty": ("a.npy", b"", "is empty"),
    "lfs": ("a.npz", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "Git LFS pointer, not the volume itself"),
    "not npy": ("a.npy", b"hello, this is a text", "cannot be read as NPY"),
    "not npz": ("a.npz", b"hello, this is a text", "cannot be read as NPZ"),
    "npy called npz": ("a.npz", FINE, "cannot be read as NPZ"),
    "only the magic": ("a.npy", b"\x93NUMPY\x01\x00", "cannot be read as NPY"),
    "version 9": ("a.npy", b"\x93NUMPY\x09\x00" + FINE[8:], "cannot be read as NPY"),
    "half a header": ("a.npy", FINE[:40], "cannot be read as NPY"),
    "long header": ("a.npy", LONG, "its header has 10000000 bytes"),
    "endless header": ("a.npy", HUGE, "its header has 4294967295 bytes"),
    "cut off": ("a.npy", FINE[:-8], "its array is cut off: its header promises 192 bytes, it has 184"),
    "promises 100 GiB": ("a.npy", promising((2000, 3000, 2237)), r"2000 x 3000 x 2237 are 13,422,000,000 voxels; a volume has at most 2,147,483,647"),
    "promises 8 GiB": ("a.npy", promising((1000, 1000, 1000)), "promises 8000000000 bytes, it has 192|needs .* GiB"),
    "overflows": ("a.npy", promising((4294967296, 4294967296, 1)), "voxels; a volume has at most"),
    "negative shape": ("a.npy", promising((-2, 3, 4)), "its header says shape"),
    "two axes": ("a.npy", npy(np.ones((3, 4))), r"shape \(3, 4\); expected \(nx, ny, nz\)"),
    "a number": ("a.npy", npy(np.array(3.0)), r"shape \(\); expected \(nx, ny, nz\)"),
    "objects": ("a.npz", None, "holds Python objects"),
    "texts": ("a.npy", npy(np.full((2, 2, 2), "a")), "dtype <U1; accepted: booleans"),
    "complex": ("a.npy", npy(np.ones((2, 2, 2), complex)), "dtype complex128"),
    "fields": ("a.npy", npy(np.zeros((2, 2, 2), [("r", "f4"), ("g", "f4")])), "dtype .*; accepted: booleans"),
    "nan": ("a.npy", npy(np.full((2, 2, 2), np.nan)), r"a\.npy: alpha\[0, 0, 0\] is nan"),
    "no arrays": ("a.npz", npz(), "holds no arrays"),
    "alpha is a number": ("a.npz", npz(alpha=3.0, beta=CUBE), r"its array alpha has shape \(\)"),
    "zero spacing": ("a.npz", npz(alpha=CUBE, spacing=0.0), r"a\.npz: spacing is 0"),
    "four spacings": ("a.npz", npz(alpha=CUBE, spacing=np.ones(4)), r"a\.npz: spacing: expected three numbers"),
    "large spacing": ("a.npz", npz(alpha=CUBE, spacing=np.ones(1000)), "its array spacing has shape"),
    "spacing of texts": ("a.npz", npz(alpha=CUBE, spacing="a"), "its array spacing has dtype"),
    "true spacing": ("a.npz", npz(alpha=CUBE, spacing=True), r"a\.npz: its array 'spacing' has dtype bool"),
    "inclusive by 1": ("a.npz", npz(alpha=CUBE, inclusive=1), r"a\.npz: its array 'inclusive' has dtype int64"),
    "infinite origin": ("a.npz", npz(alpha=CUBE, origin=(np.inf, 0.0, 0.0)), r"a\.npz: origin\[0\] is inf"),
    "cut off inside": ("a.npz", npz(alpha=FINE[:-8]), "its array alpha is cut off"),
    "bits of another shape": ("a.npz", npz(bits=np.zeros((2, 2, 1), np.uint64), resolution=(2, 2, 65)), r"bits: expected shape \(2, 2, 2\)"),
    "bits beyond the end": ("a.npz", npz(bits=np.full((2, 2, 1), 2**40, np.uint64), resolution=(2, 2, 30)), "beyond the 30 voxels of a line"),
    "bits that are not words": ("a.npz", npz(bits=np.zeros((2, 2, 1)), resolution=(2, 2, 30)), "dtype float64; expected uint64"),
    "resolution of two": ("a.npz", npz(bits=np.zeros((2, 2, 1), np.uint64), resolution=(2, 30)), "resolution: expected three whole numbers"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_files(tmp_path, case):
    name, content, message = BAD[case]
    path = tmp_path / name
    if case == "objects":
        np.savez(path, alpha=np.full((2, 2, 2), None))
    elif content is not None:
        path.write_bytes(content)
    error = {"missing": MissingFile, "folder": InaccessibleFile}.get(case, InvalidGeometry)
    with pytest.raises(error, match=message):
        Volume.load(path)


def test_a_bomb_is_not_unpacked(tmp_path):
    """A small zip whose array unpacks to 16 GB of zeros is judged by its header and its listed size."""
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as box, box.open("alpha.npy", "w") as stream:
        stream.write(promising((9999, 9999, 160), "|u1"))
        stream.write(bytes(10**7))
    assert path.stat().st_size < 50_000
    with pytest.raises(InvalidGeometry, match="voxels; a volume has at most"):
        Volume.load(path)
    # One whose listed size is less than what comes out of it.
    good = bytearray(npz(alpha=npy(np.ones((8, 8, 8)))))
    listed = struct.pack("<I", len(npy(np.ones((8, 8, 8)))))
    path.write_bytes(bytes(good).replace(listed, struct.pack("<I", 700)))
    with pytest.raises(InvalidGeometry, match=r"cut off|cannot be read as NPZ"):
        Volume.load(path)


def test_a_damaged_zip(tmp_path, rng):
    """A flipped bit anywhere gives an error of ours, or the volume."""
    content = bytearray(npz(alpha=rng.random((3, 3, 3)), spacing=0.5))
    refused = 0
    for place in range(0, len(content), 3):
        damaged = bytearray(content)
        damaged[place] ^= 1 << int(rng.integers(8))
        (tmp_path / "a.npz").write_bytes(damaged)
        try:
            Volume.load(tmp_path / "a.npz")
        except InvalidGeometry:
            refused += 1
    assert refused > 100


def test_bad_arguments(tmp_path):
    np.savez(tmp_path / "a.npz", alpha=CUBE)
    np.save(tmp_path / "a.npy", CUBE)
    for path, arguments, message in (
        ("a.npy", {"key": "alpha"}, "key is 'alpha'; accepted"),
        ("a.npy", {"spacing": 0.0}, "spacing is 0"),
        ("a.npy", {"spacing": (1.0, -1.0, 1.0)}, "spacing[1] is -1"),
        ("a.npy", {"origin": (1.0, 2.0)}, "origin: expected three numbers"),
        ("a.npy", {"threshold": np.nan}, "threshold is nan"),
    ):
        with pytest.raises(InvalidGeometry, match=re.escape(message)):
            Volume.load(tmp_path / path, **arguments)
    with pytest.raises(NotFound, match="has no array 'beta'; it has alpha"):
        Volume.load(tmp_path / "a.npz", key="beta")
    with pytest.raises(InvalidType, match="key: expected a str, got 3"):
        Volume.load(tmp_path / "a.npz", key=3)
    with pytest.raises(InvalidType, match="spacing: expected a number, got 'fine'"):
        Volume.load(tmp_path / "a.npz", spacing="fine")
    with pytest.raises(InvalidType, match="keep_alpha is 'no'"):
        Volume.load(tmp_path / "a.npy", keep_alpha="no")
    for path in (7, None, b"a.npy"):
        with pytest.raises(InvalidType, match="path: expected a str or a Path"):
            Volume.load(path)
    with pytest.raises(InaccessibleFile, match="cannot be opened"):
        Volume.load("a\0.npy")


def test_a_header_without_an_end(tmp_path):
    file = tmp_path / "a.npy"
    np.save(file, np.ones((2, 2, 2)))
    file.write_bytes(file.read_bytes().replace(b"}", b" ", 1))
    with pytest.raises(InvalidGeometry, match=r"a\.npy: cannot be read as NPY"):
        Volume.load(file)
    file.write_bytes(file.read_bytes().replace(b"(2, 2, 2), ", b"(True,1,1)}"))
    with pytest.raises(InvalidGeometry, match=r"a\.npy: cannot be read as NPY"):
        Volume.load(file)


@pytest.mark.parametrize("name", ["a\0.npz", "\ud800.npz"])
def test_names_that_no_file_can_have(name):
    with pytest.raises(InaccessibleFile, match="cannot be written"):
        Volume(np.ones((2, 2, 2))).save(name)


def headed(text, version=1):
    """A .npy file with a header of any text."""
    head = text.encode() + b"\n"
    return b"\x93NUMPY" + bytes((version, 0)) + struct.pack("<H" if version == 1 else "<I", len(head)) + head + bytes(192)


@pytest.mark.parametrize(
    "text",
    [
        "if 1:\n    x\n  y",
        "(" * 9000,
        "{'descr': '<f8', 'fortran_order': False, 'shape': " + "(" * 4000 + ")" * 4000 + "}",
        "-" * 9000 + "1",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3, 4L, ), 'x': '}",
        "{'descr': [('a', [('b', [(" + "'c', " * 900 + "'<f8')])])], 'fortran_order': False, 'shape': (2,3,4)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3, 9" + "9" * 5000 + ")}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3, 1e3)}",
        "{'descr': 7, 'fortran_order': 0, 'shape': (2, 3, 4)}",
        "\0\ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
    ],
    ids=range(10),
)
@pytest.mark.parametrize("version", [1, 2, 3])
def test_headers_that_no_parser_likes(tmp_path, text, version):
    """The first ended in a raw IndentationError, others in RecursionError or MemoryError."""
    (tmp_path / "a.npy").write_bytes(headed(text, version))
    (tmp_path / "a.npz").write_bytes(npz(alpha=headed(text, version)))
    for name in ("a.npy", "a.npz"):
        with pytest.raises(InvalidGeometry, match=rf"{name}: cannot be read as NP[YZ]") as caught:
            Volume.load(tmp_path / name)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("packed", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_flipped_bits_in_what_is_packed(tmp_path, rng, packed):
    """LZMA ended in a raw LZMAError."""
    alpha = rng.random((4, 4, 40)).round(1)
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w", packed) as box:
        box.writestr("alpha.npy", npy(alpha))
    np.testing.assert_array_equal(Volume.load(path).alpha, alpha)
    content = path.read_bytes()
    refused = 0
    for place in range(30, len(content), 5):
        damaged = bytearray(content)
        damaged[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(damaged)
        try:
            Volume.load(path)
        except InvalidGeometry:
            refused += 1
    assert refused > 0.8 * len(range(30, len(content), 5))


@pytest.mark.parametrize("name", ["a.npy", "a.npz"])
def test_a_pipe_is_not_waited_for(tmp_path, name):
    os.mkfifo(tmp_path / name)
    with pytest.raises(InaccessibleFile, match=rf"{name}: not a file"):
        Volume.load(tmp_path / name)


def test_what_unpacks_to_gigabytes_needs_a_word(tmp_path):
    """A grid of 1024 x 1024 x 1000 floats packs into a few MB. Here less is packed: it is refused before that shows."""
    path = tmp_path / "a.npz"
    head = promising((1024, 1024, 1000), "<f4")
    content = npz(alpha=head)
    path.write_bytes(content.replace(struct.pack("<I", len(head)), struct.pack("<I", len(head) - 192 + 4_194_304_000)))
    with pytest.raises(
        InvalidGeometry,
        match=r"its array alpha would decode to 4,194,304,000 bytes; .*: limits=Limits\(max_decoded_bytes=4194304000\)"
        r"|Overlapped entries",  # newer versions of Python compare sizes with the file's themselves
    ):
        Volume.load(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as box:
        box.writestr("alpha.npy", npy(np.zeros((64, 64, 64))))
    with pytest.raises(
        InvalidGeometry, match=r"alpha would decode to 2,097,152 bytes; .* limits=Limits\(max_decoded_bytes=2097152\)"
    ):
        Volume.load(path, limits=Limits(max_decoded_bytes=1 << 20))
    assert Volume.load(path, limits=Limits(max_decoded_bytes=1 << 21)).resolution == (64, 64, 64)
    with pytest.raises(
        InvalidGeometry, match=r"has [\d,]+ bytes; accepted: up to 10; to allow it: limits=Limits\(max_file_bytes=\d+\)"
    ):
        Volume.load(path, limits=Limits(max_file_bytes=10))


@pytest.mark.parametrize("packed", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("change", [-100, 100, 2**30])
def test_listed_sizes_that_lie(tmp_path, packed, change):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", packed) as box:
        box.writestr("alpha.npy", FINE)
    size = struct.pack("<I", len(FINE))
    content = stream.getvalue()
    assert size in content
    (tmp_path / "a.npz").write_bytes(content.replace(size, struct.pack("<I", len(FINE) + change)))
    try:
        volume = Volume.load(tmp_path / "a.npz")
    except InvalidGeometry as error:
        assert re.search("cut off|cannot be read as NPZ", str(error))  # noqa: PT017
    else:
        # More is listed than there is, but all of the array is there.
        np.testing.assert_array_equal(volume.alpha, CUBE)
        assert change > 0


@pytest.mark.parametrize(
    "error", [NotImplementedError(), MemoryError(), RecursionError("deep"), struct.error("bad"), OverflowError()]
)
def test_whatever_reading_raises(tmp_path, monkeypatch, error):
    def fail(*arguments):
        raise error

    np.savez(tmp_path / "a.npz", alpha=CUBE)
    monkeypatch.setattr(zipfile.ZipFile, "open", fail)
    with pytest.raises(InvalidGeometry, match=r"a\.npz: (cannot be read as NPZ|does not fit into memory)"):
        Volume.load(tmp_path / "a.npz")
