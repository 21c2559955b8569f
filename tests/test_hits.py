"""Hits: a table of answers; its rows, files and names."""

import io
import json
import zipfile

import numpy as np
import pytest

import sweepscope as ss

FIELDS = ("time", "travel", "obstacle", "mover", "point", "normal", "faces", "vertices", "voxels", "kinds", "overlapping")


@pytest.fixture
def scene():
    scene = ss.Scene()
    scene.add(ss.Mesh.box((4, 4, 1)), name="floor")
    scene.add(ss.Sphere(0.5), (0, 0, 3), name="ball")
    return scene


@pytest.fixture
def hits(scene):
    vectors = [(0, 0, -5), (0, 0, 5), (1, 0, -5), (9, 0, 0), (0, 0, -2), (0, 1, -1)]
    return scene.sweep_many(scene["ball"], np.reshape(vectors, (2, 3, 3)))


def test_fields(scene, hits):
    assert hits.shape == (2, 3)
    assert len(hits) == 2
    assert hits.free.tolist() == [[False, True, False], [True, False, True]]
    assert repr(hits) == "<Hits: 3 of 6 motions hit, shape (2, 3)>"
    assert hits.names == {0: "floor", 1: "ball"}
    assert tuple(hits.to_dict()) == FIELDS == ss.Hits.dtype.names
    for name, array in hits.to_dict().items():
        view = getattr(hits, name)
        np.testing.assert_array_equal(array, view)
        assert array.flags.c_contiguous
        assert not np.shares_memory(array, hits.table)
        assert np.shares_memory(view, hits.table)
    assert hits.travel[0, 0] == pytest.approx(2.0)
    assert hits.travel[0, 1] == 5.0
    assert scene[int(hits.obstacle[0, 0])].name == "floor"
    assert hits.kinds[0, 0].tolist() == [1, 2]


def test_rows_slices_and_masks(hits):
    assert isinstance(hits[0, 0], ss.Hit)
    assert hits[0, 1] is None
    assert hits[-1, -2].travel == hits[1, 1].travel == pytest.approx(2.0)
    column = hits[:, 0]
    assert column.shape == (2,)
    assert column[0].travel == pytest.approx(2.0)
    assert column[1] is None
    met = hits[~hits.free]
    assert met.shape == (3,)
    assert [hit.motion for hit in met] == [hits[0, 0].motion, hits[0, 2].motion, hits[1, 1].motion]
    assert met[::-1][0].motion == hits[1, 1].motion
    assert [row.shape for row in hits] == [(3,), (3,)]
    assert met[[2, 0]][0].motion == hits[1, 1].motion
    assert hits[0][2].motion == hits[0, 2].motion
    with pytest.raises(IndexError):
        hits[2, 0]
    with pytest.raises(IndexError):
        met[3]


def test_they_are_true_if_there_is_a_hit(hits):
    assert hits
    assert not hits[hits.free]
    assert not hits[:0]


def test_a_single_row_has_no_length(scene):
    hits = scene.sweep_many(scene["ball"], ss.Translate((0, 0, -5)))
    assert hits[()].obstacle is scene["floor"]
    with pytest.raises(TypeError, match="no len"):
        len(hits)


def test_files(hits, tmp_path):
    hits.save(tmp_path / "hits.npz")
    with np.load(tmp_path / "hits.npz") as plain:
        for name in FIELDS:
            np.testing.assert_array_equal(plain[name], getattr(hits, name))
        assert json.loads(plain["hits.json"])["names"] == {"0": "floor", "1": "ball"}
    back = ss.Hits.load(tmp_path / "hits.npz")
    assert back.table.tobytes() == hits.table.tobytes()
    assert back.names == hits.names
    assert back[0, 1] is None
    assert back[0].travel[0] == hits.travel[0, 0]
    with pytest.raises(ss.errors.NotFound, match="loaded without their scene"):
        back[0, 0]
    empty = hits[:0]
    empty.save(tmp_path / "empty.npz")
    assert ss.Hits.load(tmp_path / "empty.npz").shape == (0, 3)


def changed(path, name, content):
    """Write a file of hits again, with one member changed; None: without it."""
    with zipfile.ZipFile(path) as box:
        members = {each: box.read(each) for each in box.namelist()}
    if isinstance(content, np.ndarray):
        stream = io.BytesIO()
        np.save(stream, content)
        content = stream.getvalue()
    members[name] = content
    with zipfile.ZipFile(path, "w") as box:
        for each, data in members.items():
            if data is not None:
                box.writestr(each, data)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("time.npy", None, r"does not hold hits: it has no time\.npy"),
        ("hits.json", None, r"does not hold hits: it has no hits\.json"),
        ("hits.json", b"{}", "does not say format"),
        ("hits.json", b"[1", "does not say format"),
        ("hits.json", b'{"format": "sweepscope hits", "version": 9, "names": {}}', "does not say format"),
        ("hits.json", b'{"format": "sweepscope hits", "version": 1, "names": {"a": "b"}}', "does not say format"),
        ("time.npy", np.zeros((2, 3), np.float32), "time has dtype float32; expected float64"),
        ("point.npy", np.zeros((2, 3, 2)), r"point has shape \(2, 3, 2\); expected \(\.\.\., 3\)"),
        ("point.npy", np.zeros(()), r"point has shape \(\)"),
        ("travel.npy", np.zeros((2, 4)), r"leading shape"),
        ("mover.npy", b"nonsense", "cannot be read as NPZ"),
    ],
)
def test_bad_files(hits, tmp_path, name, content, message):
    path = tmp_path / "hits.npz"
    hits.save(path)
    changed(path, name, content)
    with pytest.raises(ss.errors.InvalidGeometry, match=message):
        ss.Hits.load(path)


def test_bad_names(hits, tmp_path):
    with pytest.raises(ss.errors.InvalidGeometry, match=r"accepted ending is \.npz"):
        hits.save(tmp_path / "hits.npy")
    with pytest.raises(FileNotFoundError):
        ss.Hits.load(tmp_path / "nope.npz")


def test_arrays_cannot_be_written_and_indices_are_checked():
    scene = ss.Scene()
    scene.add(ss.Box((9, 9, 1)), (0, 0, -2))
    hits = scene.sweep_many(scene.add(ss.Sphere(0.5)), [(0, 0, -3), (0, 0, 3)])
    for name in FIELDS:
        assert not getattr(hits, name).flags.writeable
    for key in (2, -3, (0, 0), [5], "a", np.ones(3, bool)):
        with pytest.raises(ss.errors.InvalidIndex):
            hits[key]


def test_subnormal_vectors_give_no_warnings():
    scene = ss.Scene()
    ball = scene.add(ss.Sphere(0.5))
    vectors = 1e-310 * np.random.default_rng(0).normal(size=(50, 3))  # warnings are errors in the tests
    assert scene.sweep_many(ball, vectors).free.all()
