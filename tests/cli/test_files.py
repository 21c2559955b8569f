"""Files on the command line: one body for each part."""

import json

import pytest
import trimesh
from typer.testing import CliRunner

import sweepscope as ss
from sweepscope.cli.files import add_files, load
from sweepscope.cli.main import app
from sweepscope.cli.sweep import run_sweep


@pytest.fixture
def room(tmp_path):
    """A floor with a post, in one file; and a ball."""
    scene = trimesh.Scene()
    scene.add_geometry(trimesh.creation.box((10, 10, 0.2)), "floor", "floor")
    post = trimesh.transformations.translation_matrix((2, 0, 1))
    scene.add_geometry(trimesh.creation.cylinder(0.2, 2), "post", "post", transform=post)
    scene.export(tmp_path / "room.glb")
    trimesh.creation.icosphere(radius=0.5).export(tmp_path / "ball.stl")
    return tmp_path


def test_a_body_for_each_part(room):
    scene = ss.Scene()
    add_files(scene, [room / "room.glb", room / "ball.stl", room / "room.glb", room / "ball.stl"])
    glb, ball = room / "room.glb", room / "ball.stl"
    assert [body.name for body in scene] == [
        *(f"{glb}: floor", f"{glb}: post", f"{ball}"),
        *(f"{glb}: floor (2)", f"{glb}: post (2)", f"{ball} (2)"),
    ]


@pytest.mark.parametrize(("start", "part"), [((0, 0, 3), "floor"), ((2, 0, 5), "post")])
def test_a_sweep_names_the_part(room, capsys, start, part):
    move = ss.Translate((0, 0, -5))
    assert run_sweep(room / "ball.stl", [room / "room.glb"], move, start, 0.0, "free", None, True) == 1
    assert json.loads(capsys.readouterr().out)["obstacle"] == f"{room / 'room.glb'}: {part}"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--move", "0", "0", "x"), "Invalid value for '--move': Z is 'x'; accepted: 3 numbers"),
        (("--move", "0", "0", "1", "--margin", "wide"), "Invalid value for '--margin': 'wide' is not a"),
        (("--move", "0", "0", "1", "--at", "1e", "2", "3"), "Invalid value for '--at': X is '1e'; accepted: 3 numbers"),
    ],
)
def test_an_error_names_what_is_not_a_number(room, options, message):
    done = CliRunner().invoke(app, ["sweep", str(room / "ball.stl"), str(room / "room.glb"), *options])
    assert done.exit_code == 2
    assert message in done.output


def test_other_formats_say_how_to_convert(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, advice in {
        "part.step": "FreeCAD .*, CadQuery, or gmsh part.step -2 -o part.stl",
        "part.IGS": "gmsh part.IGS -2 -o part.stl",
        "part.fbx": r"Blender \(File > Export, \.glb\)",
    }.items():
        (tmp_path / name).write_bytes(b"x")
        for read in (load, ss.Mesh.load, ss.Scene().add_file, ss.io.file_info):
            with pytest.raises(ss.errors.InvalidGeometry, match=f"{name}: accepted endings are .*{advice}"):
                read(tmp_path / name)
