"""`sweepscope info`, on meshes and volumes."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
import trimesh

import sweepscope as ss


@pytest.fixture
def info(run):
    """Runs the command and returns its output."""
    return lambda *words: run("info", *words, check=0).stdout


@pytest.fixture
def files(tmp_path):
    trimesh.creation.box((1, 2, 3)).export(tmp_path / "box.stl")
    sheet = "v 0 0 0\nv 4 0 0\nv 0 1 0\nv 9 9 9\nv 0 0 0\nl 1 2\nf 1 2 3\nf 5 2 3\nf 1 2 4\nf 1 1 2\nf 4 4 4\n"
    (tmp_path / "sheet.obj").write_text(sheet)
    ss.Volume(np.ones((2, 3, 4), np.bool_), 0.5).save(tmp_path / "block.npz")
    return tmp_path


def test_a_closed_box(files):
    found = ss.io.file_info(files / "box.stl")
    assert found.closed
    assert (found.format, found.pieces, found.open_edges, found.flat, found.repeated) == ("STL", 1, 0, 0, 0)
    assert np.allclose(found.size, (1, 2, 3))
    assert (found.unit, found.up, found.left_out) == (None, None, ())
    assert len(found.mesh.faces) == found.parts[0].triangles == 12


def test_an_open_sheet(files):
    found = ss.io.file_info(files / "sheet.obj")
    assert not found.closed
    # Of three faces one lies on another; the others have no area.
    assert (found.flat, found.repeated, found.left_out) == (2, 1, ("1 lines",))
    assert found.open_edges == 3


@pytest.mark.slow
def test_what_is_printed(files, info):
    shown = info(files / "box.stl", files / "block.npz", "--picture", files / "x.png")
    for text in ("12, 36 vertices", "closed; 1 piece", "1  2  3, from", "2 x 3 x 4 voxels, 24 of them solid", "x.png"):
        assert text in shown
    assert (files / "x.png").read_bytes()[:4] == b"\x89PNG"


def test_json(files, info):
    mesh, volume = json.loads(info(files / "sheet.obj", files / "block.npz", "--json"))
    assert mesh["left_out"] == ["1 lines"]
    assert mesh["flat"] == 2
    assert volume["solid"] == 24


def test_a_scene(files, info):
    scene = ss.Scene()
    scene.add(ss.Box((1, 1, 1)), name="wall", group="walls")
    scene.add(ss.Sphere(0.5), (3, 0, 0), name="ball")
    scene.save(files / "scene.npz")
    shown = info(files / "scene.npz", "--picture", files / "y.png")
    assert "2 bodies, 0 robots" in shown
    assert "wall (Box), ball (Sphere)" in shown
    assert (files / "y.png").stat().st_size > 1000
    (about,) = json.loads(info(files / "scene.npz", "--json"))
    assert about["bodies"][0] == {"name": "wall", "shape": "Box", "group": "walls"}


@pytest.mark.slow
def test_a_name_that_a_terminal_cannot_print_is_escaped(tmp_path):
    """In a process of its own: its error stream is ASCII."""
    file = tmp_path / "two\nlines \udcff.obj"
    file.write_bytes(b"f 1 2 3")
    done = subprocess.run(
        [sys.executable, "-m", "sweepscope", "info", str(file)],
        capture_output=True,
        timeout=300,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.decode("ascii").count("\n") == 1
    assert b"'1' is not a vertex of the file" in done.stderr
