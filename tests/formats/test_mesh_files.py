"""Mesh files of every format: random valid ones against slow readers, and what is said about those that are not."""

import os
import struct

import numpy as np
import pytest
import trimesh
from sweepscope_lab.verify.files import TWINS, judge_file

import sweepscope as ss
from sweepscope.formats.file_reader import FileReader
from sweepscope.formats.meshes import ENDINGS, read_content, read_mesh


@pytest.mark.slow
@pytest.mark.parametrize("kind", TWINS)
def test_random_files_are_read_as_the_slow_reader_reads_them(tmp_path, kind):
    verdicts = [judge_file(kind, seed, tmp_path) for seed in range(400)]
    assert [each for each in verdicts if each.wrong] == []
    assert sum(each.triangles for each in verdicts) > 1000


@pytest.mark.filterwarnings("ignore:Setting the shape on a NumPy array:DeprecationWarning")  # by pycollada, from NumPy 2.5 on
@pytest.mark.parametrize("ending", [".stl", ".ply", ".obj", ".off", ".glb", ".dae"])
def test_what_trimesh_writes(tmp_path, ending):
    ball = trimesh.creation.icosphere(2)
    file = tmp_path / f"ball{ending}"
    ball.export(file)
    mesh = ss.Mesh.load(file)
    assert mesh.closed
    assert len(mesh.faces) == 320
    assert np.allclose(
        np.sort(mesh.vertices[mesh.faces].mean(axis=1), axis=0), np.sort(ball.triangles_center, axis=0), atol=1e-6
    )
    assert np.allclose(ss.Mesh.load(file, scale=1000.0).bounds, 1000.0 * np.asarray(mesh.bounds))


def binary_stl(corners, head=b""):
    rows = b"".join(b"\0" * 12 + np.asarray(each, "<f4").tobytes() + b"\0\0" for each in corners)
    return head.ljust(80, b"\0") + struct.pack("<I", len(corners)) + rows


def ply(*lines, body=b""):
    return "\n".join(("ply", *lines, "end_header", "")).encode() + body


ASCII = ("format ascii 1.0", "element vertex 3", "property float x", "property float y", "property float z")
FACE = ("element face 1", "property list uchar int vertex_indices")
THREE = b"0 0 0\n1 0 0\n0 1 0\n"
BINARY = ("format binary_little_endian 1.0", *ASCII[1:])
PLACES = np.array(((0, 0, 0), (1, 0, 0), (0, 1, 0)), "<f4").tobytes()
FACET = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n"

BAD = {
    "obj: index 0": ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", r"line 4: '0' is not a corner"),
    "obj: index too large": ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", r"line 4: '4' is not a vertex"),
    "obj: too far back": ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf -1 -2 -4\n", r"line 4: '-4' is not a vertex"),
    "obj: huge index": ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 18446744073709551617\n", r"is not a corner"),
    "obj: two indices in one": ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3-2\n", r"'3-2' is not a corner"),
    "obj: two corners": ("a.obj", b"v 0 0 0\nv 1 0 0\nf 1 2\n", r"line 3: a face has fewer than 3 corners"),
    "obj: two numbers": ("a.obj", b"v 0 0\n", r"line 1: a vertex has 3 numbers"),
    "obj: not a number": ("a.obj", b"v 0 0 nan\n", r"line 1: 'nan' is not a number"),
    "obj: weighted": ("a.obj", b"v 0 0 0 2\nf 1 1 1\n", r"weight other than 1"),
    "obj: free form": ("a.obj", b"v 0 0 0\nsurf 0 1 0 1\nf 1 1 1", r"line 2: 'surf' is not supported"),
    "obj: unknown": ("a.obj", b"v 0 0 0\nface 1 1 1", r"line 2: 'face' is not a statement of OBJ"),
    "obj: points only": ("a.obj", b"v 0 0 0\np 1\n", r"holds no triangles; it holds '?1 points"),
    "obj: crossing": ("a.obj", b"v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 4", r"polygon 0, of 4 corners, crosses itself"),
    "obj: infinite": ("a.obj", b"v 0 0 1e999\nv 1 0 0\nv 0 1 0\nf 1 2 3", r"a\.obj: vertices\[0, 2\] is inf"),
    "off: cut short": ("a.off", b"OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", r"declares 3 vertices and 2 faces.*has 4 lines"),
    "off: more": ("a.off", b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 2\n", r"has 5 lines"),
    "off: no header": ("a.off", b"3 1 0\n0 0 0\n", r"does not begin with 'OFF'"),
    "off: no counts": ("a.off", b"OFF\n", r"numbers of vertices, faces and edges"),
    "off: negative": ("a.off", b"OFF\n-3 1 0\n", r"numbers of vertices, faces and edges"),
    "off: infinite": ("a.off", b"OFF\n1e999 1 0\n", r"numbers of vertices, faces and edges"),
    "off: index": ("a.off", b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", r"face 0 uses vertex 3; the file has 3"),
    "off: half an index": ("a.off", b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 .5\n", r"face 0 uses vertex 0.5"),
    "off: few corners": ("a.off", b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n", r"face 0 declares 2 corners"),
    "off: short face": ("a.off", b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n4 0 1 2\n", r"face 0 declares 4 corners and has 3 numbers"),
    "off: short vertex": ("a.off", b"OFF\n3 1 0\n0 0\n1 0 0\n0 1 0\n3 0 1 2\n", r"vertex 0 has 2 numbers"),
    "off: four numbers": ("a.off", b"4OFF\n3 1 0\n", r"is '4OFF'; accepted: texts with three coordinates"),
    "off: binary": ("a.off", b"OFF BINARY\n\0\0", r"accepted: texts with three coordinates"),
    "off: a word": ("a.off", b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 x 0\n3 0 1 2\n", r"line 5: 'x' is not a number"),
    "ply: cut short": ("a.ply", ply(*ASCII, *FACE, body=THREE), r"face 0 of 1: the file ends before it"),
    "ply: vertices cut short": (
        "a.ply",
        ply(*ASCII, *FACE, body=b"0 0 0\n1 0 0\n3 0 1 2\n"),
        r"vertex 2 of 3: it is not a line",
    ),
    "ply: more": ("a.ply", ply(*ASCII, *FACE, body=THREE + b"3 0 1 2\n7\n"), r"1 number more than its header declares"),
    "ply: extra on a line": (
        "a.ply",
        ply(*ASCII, *FACE, body=THREE + b"3 0 1 2 9\n"),
        r"face 0 of 1: it is not a line of its own",
    ),
    "ply: index": ("a.ply", ply(*ASCII, *FACE, body=THREE + b"3 0 1 3\n"), r"face 0 uses vertex 3 of 3"),
    "ply: negative index": ("a.ply", ply(*ASCII, *FACE, body=THREE + b"3 0 1 -1\n"), r"face 0 uses vertex -1 of 3"),
    "ply: half an index": ("a.ply", ply(*ASCII, *FACE, body=THREE + b"3 0 1 0.5\n"), r"face 0 of 1: an index is not a whole"),
    "ply: two corners": ("a.ply", ply(*ASCII, *FACE, body=THREE + b"2 0 1\n"), r"face 0 has 2 corners"),
    "ply: binary cut": ("a.ply", ply(*BINARY, *FACE, body=PLACES + b"\3\0\0\0\0"), r"face 0 of 1: the file ends before it"),
    "ply: binary vertices cut": ("a.ply", ply(*BINARY, *FACE, body=PLACES[:-1]), r"vertex 2 of 3: the file ends before it"),
    "ply: binary more": ("a.ply", ply(*BINARY, *FACE, body=PLACES + struct.pack("<B3iB", 3, 0, 1, 2, 7)), r"1 byte more"),
    "ply: huge count": (
        "a.ply",
        ply(BINARY[0], "element vertex 999999999999999", *BINARY[2:], *FACE),
        r"vertex 0 of 9+: the file ends",
    ),
    "ply: huge faces": (
        "a.ply",
        ply(*BINARY, "element face 99999999999", FACE[1], body=PLACES),
        r"face 0 of 9+: the file ends",
    ),
    "ply: negative count": ("a.ply", ply(ASCII[0], "element vertex -3"), r"has a line 'element vertex -3'"),
    "ply: twice": ("a.ply", ply(*ASCII, "element vertex 2"), r"declares the element 'vertex' twice"),
    "ply: no format": ("a.ply", ply(*ASCII[1:], *FACE), r"no line 'format'"),
    "ply: unknown format": ("a.ply", ply("format binary 2.0"), r"has a line 'format binary 2.0'"),
    "ply: no end": ("a.ply", b"ply\nformat ascii 1.0\n", r"no line 'end_header'"),
    "ply: not at all": ("a.ply", b"plymouth", r"does not begin with a line 'ply'"),
    "ply: no vertices": ("a.ply", ply(ASCII[0], *FACE, body=b"3 0 1 2\n"), r"declares no vertices"),
    "ply: no z": ("a.ply", ply(*ASCII[:-1], *FACE, body=b""), r"its vertices have no x, y and z"),
    "ply: no list": (
        "a.ply",
        ply(*ASCII, "element face 1", "property int vertex_indices", body=THREE),
        r"has no list of whole numbers",
    ),
    "ply: points only": ("a.ply", ply(*ASCII, body=THREE), r"holds no triangles"),
    "ply: negative list": (
        "a.ply",
        ply(*BINARY, "element face 1", "property list char int vertex_indices", body=PLACES + b"\xff"),
        r"face 0 of 1: a list has no whole number of items",
    ),
    "stl: too short": ("a.stl", b"abc", r"at least 84 bytes, this has 3"),
    "stl: size of a count below 0": ("a.stl", b"x" * 34, r"at least 84 bytes, this has 34"),
    "stl: promise": ("a.stl", binary_stl(np.zeros((2, 3, 3)))[:-1], r"promises 2 triangles \(184 bytes\), it has 183"),
    "stl: none": ("a.stl", b"\0" * 84, r"holds no triangles"),
    "stl: text without facets": ("a.stl", b"solid a\nendsolid a\n", r"an ASCII STL without facets"),
    "stl: text cut": ("a.stl", FACET[:-30].encode(), r"may be cut off|is not expected here"),
    "stl: no end": ("a.stl", FACET.replace("endsolid a\n", "").encode(), r"line 9: the file ends inside of a solid"),
    "stl: four corners": (
        "a.stl",
        FACET.replace("endloop", "vertex 1 1 1\nendloop").encode(),
        r"line 7: 'vertex' is not expected",
    ),
    "stl: a word": ("a.stl", FACET.replace("vertex 1 0 0", "vertex 1 O 0").encode(), r"line 5: 'O' is not a number"),
    "stl: nan": ("a.stl", binary_stl([np.zeros((3, 3)), np.full((3, 3), np.nan)]), r"a\.stl: vertices\[3, 0\] is nan"),
    "lfs": ("a.stl", b"version https://git-lfs.github.com/spec/v1\noid", r"is a Git LFS pointer"),
    "empty": ("a.obj", b"", r"is empty"),
    "ending": ("a.step", b"x", r"accepted endings are "),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_said(tmp_path, name):
    file, content, message = BAD[name]
    (tmp_path / file).write_bytes(content)
    with pytest.raises(ss.errors.InvalidGeometry, match=message) as caught:
        ss.Mesh.load(tmp_path / file)
    text = str(caught.value)
    assert file in text
    assert "\n" not in text
    assert len(text) < 800


def test_relative_indices_count_from_the_vertices_so_far(tmp_path):
    file = tmp_path / "a.obj"
    file.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 5\nv 1 0 5\nv 0 1 5\nf -3 -2 -1\n")
    assert read_mesh(file)[1].tolist() == [[0, 1, 2], [3, 4, 5]]


def test_a_concave_polygon_covers_itself_and_nothing_else(tmp_path):
    file = tmp_path / "a.obj"
    file.write_text("v 0 0 0\nv 4 2 0\nv 0 4 0\nv 1 2 0\nf 1 2 3 4\n")
    scene = ss.Scene()
    scene.add(ss.Mesh.load(file))
    ball = scene.add(ss.Sphere(0.05), (0.5, 2.0, 1.0))
    assert scene.sweep(ball, ss.Translate((0, 0, -2))) is None  # a fan would cover its notch
    ball.pose = (1.5, 2.0, 1.0)
    assert scene.sweep(ball, ss.Translate((0, 0, -2))) is not None


def test_what_is_left_out_is_said(tmp_path):
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2\nl 2 3\np 1\nf 1 2 3\n")
    assert read_content(tmp_path / "a.obj", FileReader()).left_out == ["2 lines", "1 points"]
    edges = ("element edge 2", "property int vertex1", "property int vertex2")
    (tmp_path / "a.ply").write_bytes(ply(*ASCII, *FACE, *edges, body=THREE + b"3 0 1 2\n0 1\n1 2\n"))
    assert read_content(tmp_path / "a.ply", FileReader()).left_out == ["2 of edge"]


def test_strips_without_corners(tmp_path):
    strips = ("element tristrips 3", "property list int int vertex_indices")
    for rows, faces in ((b"0\n0\n0\n", 0), (b"0\n4 0 1 2 -1\n0\n", 1), (b"1 -1\n0\n5 -1 0 1 2 0\n", 2)):
        (tmp_path / "a.ply").write_bytes(ply(*ASCII, *FACE, *strips, body=THREE + b"3 0 1 2\n" + rows))
        assert len(read_mesh(tmp_path / "a.ply")[1]) == 1 + faces


def test_old_line_ends(tmp_path):
    (tmp_path / "a.obj").write_bytes(b"v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r")
    assert len(read_mesh(tmp_path / "a.obj")[1]) == 1


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_pipe_is_no_file(tmp_path, ending):
    os.mkfifo(tmp_path / f"a{ending}")
    with pytest.raises(ss.errors.InaccessibleFile, match="not a file"):
        ss.Mesh.load(tmp_path / f"a{ending}")


def test_limits(tmp_path):
    file = tmp_path / "a.stl"
    file.write_bytes(binary_stl(np.ones((100, 3, 3))))
    with pytest.raises(
        ss.errors.InvalidGeometry, match=r"has 5,084 bytes; accepted: up to 1,000; .*Limits\(max_file_bytes=5084\)"
    ):
        ss.Mesh.load(file, limits=ss.io.Limits(max_file_bytes=1000))
    assert len(ss.Mesh.load(file, limits=ss.io.Limits(max_file_bytes=5084)).faces) == 100
    for value in (0, -1, 1.5, True, "1"):
        error = ss.errors.InvalidGeometry if value in (0, -1) else ss.errors.InvalidType
        with pytest.raises(error, match=r"limits: max_file_bytes is .*; accepted: a whole number from 1"):
            ss.io.Limits(max_file_bytes=value)
    with pytest.raises(ss.errors.InvalidType, match=r"limits: expected Limits\(\.\.\.\), got 5"):
        ss.Mesh.load(file, limits=5)


def test_a_sparse_file_of_ten_gigabytes(tmp_path):
    file = tmp_path / "a.glb"
    with file.open("wb") as stream:
        stream.truncate(10 << 30)
    with pytest.raises(ss.errors.InvalidGeometry, match=r"10,737,418,240 bytes; accepted: up to 2,147,483,648"):
        ss.Mesh.load(file)


@pytest.mark.parametrize(
    ("path", "error"),
    [
        (None, ss.errors.InvalidType),
        (5, ss.errors.InvalidType),
        (b"a.stl", ss.errors.InvalidType),
        ("a\0.stl", ss.errors.InaccessibleFile),
        ("x" * 5000 + ".stl", ss.errors.InaccessibleFile),
        (".", ss.errors.InaccessibleFile),
        ("no\nsuch.stl", ss.errors.MissingFile),
    ],
)
def test_paths(path, error):
    with pytest.raises(error) as caught:
        ss.Mesh.load(path)
    assert "\n" not in str(caught.value)
