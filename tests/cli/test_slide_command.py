"""`sweepscope slide`: the answers are those of `Scene.slide`."""

import json
import re

import pytest
import trimesh

import sweepscope as ss


@pytest.fixture
def room(tmp_path):
    """A ball of radius 0.5 about the origin; a floor whose top is at z = -1; a wall whose face is at x = 2."""
    trimesh.creation.icosphere(subdivisions=2, radius=0.5).export(tmp_path / "ball.stl")
    trimesh.creation.box((20, 20, 1)).apply_translation((0, 0, -1.5)).export(tmp_path / "floor.stl")
    trimesh.creation.box((1, 20, 20)).apply_translation((2.5, 0, 0)).export(tmp_path / "wall.stl")
    return tmp_path


def files(room):
    return room / "ball.stl", room / "floor.stl", room / "wall.stl"


def test_json_is_the_result_of_the_library(room, run):
    plain = json.loads(run("slide", *files(room), "--move", 4, 1, -2, "--json", check=1).stdout)
    scene = ss.Scene()
    ball, floor, wall = (scene.add(ss.Mesh.load(path), name=str(path)) for path in files(room))
    slide = scene.slide(ball, (4, 1, -2))
    assert [hit.obstacle for hit in slide.hits] == [floor, wall]
    assert plain == {"hit": True, **slide.as_dict(), "unit": "length"}
    assert plain["moved"] == pytest.approx((1.5, 1, -0.5), abs=1e-6)


def test_what_is_printed(room, run):
    shown = run("slide", *files(room), "--move", 4, 1, -2, check=1).stdout
    flat = re.sub(r"\s+", "", shown)  # long paths are folded
    assert "floor.stl" in flat
    assert "wall.stl" in flat
    assert re.search(r"(?m)^3 +\S+ .*nothing *$", shown)
    assert re.search(r"moved by +1\.5 +1 +-0\.5", shown)
    assert "stopped" not in shown
    head_on = run("slide", *files(room), "--move", 4, 0, 0, check=1).stdout
    assert "stopped   before the end of the motion" in head_on
    assert "free: hits nothing within 1" in run("slide", *files(room), "--move", 0, 1, 0, check=0).stdout


def test_options(room, run):
    """--margin, --legs, --at, --push-out: each changes the answer as the argument of the library does."""
    into_the_wall = ("slide", *files(room), "--move", 4, 0, 0, "--json")
    assert json.loads(run(*into_the_wall, "--margin", 0.1, check=1).stdout)["moved"][0] == pytest.approx(1.4, abs=1e-6)
    one_leg = json.loads(run("slide", *files(room), "--move", 4, 1, 0, "--legs", 1, "--json", check=1).stdout)
    assert len(one_leg["legs"]) == 1
    assert one_leg["stopped"] is True
    inside = ("slide", *files(room), "--move", 0, 1, 0, "--at", 1.7, 0, 0, "--json")
    stuck = json.loads(run(*inside, check=1).stdout)
    assert (stuck["travel"], stuck["stopped"], stuck["pushed"]) == (0.0, True, None)
    pushed = json.loads(run(*inside, "--push-out", check=0).stdout)
    assert pushed["pushed"] == pytest.approx((-0.2, 0, 0), abs=1e-6)
    assert pushed["travel"] == pytest.approx(1.0)
    assert "pushed out" in run(*inside[:-1], "--push-out", check=0).stdout


@pytest.mark.slow
def test_picture(room, run):
    assert "slide.png" in run("slide", *files(room), "--move", 4, 1, -2, "--picture", room / "slide.png", check=1).stdout
    assert (room / "slide.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "Missing option '--move'"),
        (("--move", 0, 0, "nan"), "vector[2] is nan"),
        (("--move", 0, 0, 1, "--legs", 0), "legs is 0"),
        (("--move", 0, 0, 1, "--margin", -1), "margin is -1"),
        (("--move", 0, 0, 1, "--picture", "slide.gif"), "ends in .png"),
    ],
)
def test_bad_questions(room, run, options, message):
    assert message in run("slide", *files(room), *options, check=2).stderr
