"""`sweepscope swing`."""

import json
import math

import pytest
import trimesh
from sweepscope_lab.cli.swing_answers import ask
from sweepscope_lab.scenes.swinging import bat_and_ball, shield, sword, sword_and_shield

from sweepscope import Capsule, Scene, Translate

BAT = ("--box", 0.9, 0.07, 0.07, "--at", 0.55, 0, 0, "--axis", 0, 0, 1, "--angle", 110)


@pytest.fixture
def swing(run):
    """Runs the command."""
    return lambda *arguments, check: run("swing", *arguments, check=check)


@pytest.mark.slow
def test_examples_and_their_picture(tmp_path, swing):
    shown = swing("--picture", tmp_path / "swings.png", check=0).stdout
    for word in ("bat and balls", "sword and shield", "PhysX", "beside the", "missed", "wrong: fan 3 missed"):
        assert word in " ".join(shown.split())
    assert (tmp_path / "swings.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.slow
def test_balls_points_and_capsules(swing):
    """A ball ahead of the bat; a point out of reach; a rod that stands in the way."""
    targets = (
        "--ball",
        0.4,
        0.7,
        0,
        0.037,
        "--ball",
        0.9,
        -0.07,
        0,
        0.037,
        "--point",
        0.9,
        0.9,
        0,
        "--capsule",
        0,
        0.5,
        -1,
        0,
        0.5,
        1,
        0.01,
    )
    answer = json.loads(swing(*BAT, *targets, "--json", check=1).stdout)
    assert answer["hit"] is True
    rows = {row["target"]: row for row in answer["targets"]}
    assert list(rows) == ["point 1", "ball 1", "ball 2", "capsule 1"]
    assert rows["point 1"] == {
        "target": "point 1",
        "hit": False,
        "time": None,
        "radians": None,
        "point": None,
        "methods": {
            "fan": False,
            "enclosing": False,
            "A1": True,
            "A2": True,
            "D1": True,
            "physx": True,
            "straight": False,
            "SSV": False,
        },
    }
    assert rows["ball 2"]["time"] == 0.0
    assert rows["ball 2"]["methods"]["fan"] is False
    assert rows["ball 2"]["methods"]["enclosing"] is True
    # The bat's front is 0.035 ahead of its middle, the rod 0.01 thick, 0.5 from the axis.
    assert rows["capsule 1"]["radians"] == pytest.approx(math.pi / 2 - math.asin(0.045 / 0.5), abs=1e-9)
    assert rows["ball 1"]["radians"] == pytest.approx(math.radians(110.0) * rows["ball 1"]["time"], abs=1e-9)
    free = swing(*BAT, "--point", 0.9, 0.9, 0, check=0).stdout
    assert "free" in free
    assert "wrong: A1 0 missed, 1 false" in free


@pytest.mark.slow
def test_meshes(tmp_path, swing):
    for name, mesh in (("sword", sword()), ("shield", shield())):
        trimesh.Trimesh(mesh.vertices, mesh.faces, process=False).export(tmp_path / f"{name}.stl")
    sword_swing = ("--mesh", tmp_path / "sword.stl", "--axis", 0, 0, 1, "--angle", 170, "--about", -0.1, 0, 0)
    answer = json.loads(swing(*sword_swing, tmp_path / "shield.stl", "--json", check=1).stdout)
    assert answer["targets"][0]["hit"] is True  # the shield lies about the grip
    sword_swing = (*sword_swing, "--at", 0.5, 0, 0, "--orient", 0, 1, 0, 20, "--picture", tmp_path / "swing.png")
    shown = swing(*sword_swing, "--ball", -0.334, 1.33, -0.27, 0.05, check=1).stdout
    assert "replace a mesh by the box around it" in shown
    assert "no published fan" in shown
    assert (tmp_path / "swing.png").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--ball", 0, 1, 0, 0.1), "neither --box nor --mesh"),
        (("--box", 1, 1, 1, "--mesh", "a.stl", "--ball", 0, 1, 0, 0.1), "--box and --mesh"),
        (BAT, "no targets given"),
        (BAT[:-2] + ("--ball", 0, 1, 0, 0.1), "no --angle"),
        (("--box", 1, 1, 1, "--point", 0, 0, 0), "no --axis and --angle"),
        ((*BAT, "--axis", 0, 0, 0, "--point", 0, 0, 0), "Rotate.axis is 0 0 0"),
        ((*BAT, "--ball", 0, 1, 0, -1), "Sphere.radius is -1"),
        ((*BAT, "--ball", 0, 1, 0), "given: 0 1 0; accepted: 4 numbers, X Y Z RADIUS"),
        ((*BAT, "--point", "a", "b", "c"), "X is 'a'; accepted: 3 numbers, X Y Z"),
        ((*BAT, "--point", "nan", 0, 0), "--point[0, 3] is nan"),
        ((*BAT, "--capsule", 0, 1, 0, 1), "accepted: 7 numbers"),
        ((*BAT, "nowhere.stl"), "nowhere.stl"),
        ((*BAT, "--box", -1, 1, 1, "--point", 0, 0, 0), "Box.size[0] is -1"),
        ((*BAT, "--at", "inf", 1, 1, "--point", 0, 0, 0), "--at[0] is inf"),
        ((*BAT, "--point", 0, 0, 0, "--picture", "swing.jpg"), "--picture is swing.jpg"),
        ((*BAT, "--point", 0, 0, 0, "--picture", "nowhere/swing.png"), "no folder nowhere"),
    ],
)
def test_bad_questions(swing, arguments, message):
    done = swing(*arguments, check=2)
    assert message in done.stderr
    assert done.stdout == ""


def test_bad_questions_are_one_line_and_exit_code_2(swing):
    assert len(swing(*BAT, "nowhere.stl", check=2).stderr.splitlines()) == 1
    assert "Usage" in swing("--bat", check=2).stderr


def test_the_enclosing_fan_misses_nothing_in_the_examples():
    for case in (bat_and_ball(), sword_and_shield()):
        rows = ask(case)
        assert {row.time is None for row in rows} == {True, False}
        for row in rows:
            assert row.methods["enclosing"] or row.time is None
            assert row.methods["A2"] or row.time is None
    scene = Scene()
    for mesh in (sword(), shield()):
        assert mesh.closed
        assert scene.add(mesh).shape.dropped == 0


def test_straight_sweeps_are_those_of_the_scene():
    """What the bat meets when it moves straight to its end, and what a sphere around it meets."""
    case = bat_and_ball()
    rows = ask(case)
    end = case.motion.at() @ case.pose
    for row in rows:
        scene = Scene()
        scene.add(row.target.shape, row.target.pose)
        bat = scene.add(case.mover, case.pose)
        straight = scene.sweep(bat, Translate(end[:3, 3] - case.pose[:3, 3]), resting="hit")
        assert row.methods["straight"] is (straight is not None)
        around = Capsule.from_segment(case.pose[:3, 3], end[:3, 3], radius=math.sqrt(0.9**2 + 2 * 0.07**2) / 2.0)
        scene.remove(bat)
        assert row.methods["SSV"] is (scene.sweep(scene.add(around), Translate((0, 0, 0)), resting="hit") is not None)
    for name in ("straight", "SSV"):
        assert {row.methods[name] for row in rows} == {True, False}


@pytest.mark.slow
def test_a_picture_of_more_than_a_turn_and_of_a_turned_box(tmp_path, swing):
    out = tmp_path / "picture.png"
    box = ("--box", "0.9", "0.07", "0.07", "--at", "0.55", "0", "0", "--axis", "0", "0", "1", "--ball", -0.4, 0.7, 0, 0.037)
    for more in (("--angle", "400"), ("--angle", "110", "--orient", "0", "1", "0", "30")):
        swing(*box, *more, "--picture", out, check=int("400" in more))
        assert out.stat().st_size > 10_000
        out.unlink()
