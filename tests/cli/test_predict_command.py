"""`sweepscope predict`: options belong to the --body before them; the answers are those of `Scene.predict`."""

import json
import math
import re

import numpy as np
import pytest
import trimesh

import sweepscope as ss
from sweepscope.drawing.predictions import picture_of_prediction


@pytest.fixture
def parts(tmp_path, monkeypatch):
    """A cube of side 1 and a bar 4 long along x, both about the origin; a floor whose top is at z = -5."""
    trimesh.creation.box((1, 1, 1)).export(tmp_path / "cube.stl")
    trimesh.creation.box((4, 0.2, 0.2)).export(tmp_path / "bar.stl")
    trimesh.creation.box((20, 20, 1)).apply_translation((0, 0, -5.5)).export(tmp_path / "floor.stl")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def predict(run, *words, check):
    return json.loads(run("predict", *words, "--json", check=check).stdout)


@pytest.mark.parametrize("order", [("--at", "--velocity"), ("--velocity", "--at")])
def test_each_option_belongs_to_the_body_before_it(parts, run, order):
    """Two cubes, 9 apart, approach each other with speeds 1 and 3: the gap of 8 is closed after 2."""
    left = {"--at": (0, 0, 0), "--velocity": (1, 0, 0)}
    right = {"--at": (9, 0, 0), "--velocity": (-3, 0, 0)}
    words = ["--horizon", 5]
    for options in (left, right):
        words += ["--body", "cube.stl"]
        for name in order:
            words += [name, *options[name]]
    plain = predict(run, *words, check=1)
    (contact,) = plain["contacts"]
    assert plain["hit"] is True
    assert (contact["first"], contact["second"]) == ("cube.stl", "cube.stl (2)")
    assert contact["time"] == pytest.approx(2.0)
    assert contact["normal"] == pytest.approx((-1, 0, 0))
    assert predict(run, *words[2:], "--horizon", 1.9, check=0) == {"hit": False, "horizon": 1.9, "contacts": []}


def test_bodies_that_stand_still(parts, run):
    """A cube falls on a file of the scene, and on a --body without a motion that is in its way."""
    fall = ("--body", "cube.stl", "--velocity", 0, 0, -1, "--horizon", 9)
    (floor,) = predict(run, "floor.stl", *fall, check=1)["contacts"]
    assert floor["second"] == "floor.stl"
    assert floor["time"] == pytest.approx(4.5)
    soonest, later = predict(run, "floor.stl", *fall, "--body", "bar.stl", "--at", 0, 0, -2, check=1)["contacts"]
    assert soonest["second"] == "bar.stl"
    assert soonest["time"] == pytest.approx(1.4, abs=1e-6)
    assert later["second"] == "floor.stl"
    (near,) = predict(run, "floor.stl", *fall, "--margin", 0.5, check=1)["contacts"]
    assert near["time"] == pytest.approx(4.0)


def test_spin_and_orientation(parts, run):
    """A bar that spins about z meets a cube beside it; turned by 90 degrees about x first it does the same."""
    spinning = ("--body", "bar.stl", "--spin", 0, 0, 1, 30, "--horizon", 3, "--body", "cube.stl", "--at", 0, 2, 0)
    scene = ss.Scene()
    bar = scene.add(ss.Mesh.load("bar.stl"))
    scene.add(ss.Mesh.load("cube.stl"), (0, 2, 0))
    (contact,) = scene.predict({bar: ss.Rotate((0, 0, 1), math.radians(30))}, 3)
    assert predict(run, *spinning, check=1)["contacts"][0]["time"] == contact.time
    assert predict(run, *spinning[:2], "--orient", 1, 0, 0, 90, *spinning[2:], check=1)["contacts"][0]["time"] == pytest.approx(
        contact.time
    )
    # Upright it turns about its own axis, and meets nothing.
    predict(run, *spinning[:2], "--orient", 0, 1, 0, 90, *spinning[2:], check=0)
    # About an axis 10 away, 30 degrees a unit of time carry it away from the cube.
    predict(run, *spinning[:7], "--about", 0, -10, 0, *spinning[7:], check=0)


@pytest.mark.slow
def test_what_is_printed_and_drawn(parts, run):
    fall = ("predict", "floor.stl", "--body", "cube.stl", "--velocity", 0, 0, -1, "--horizon")
    shown = run(*fall, 9, "--picture", "meet.png", check=1).stdout
    assert re.search(r"4\.5 +cube\.stl +floor\.stl", shown)
    assert "meet.png" in shown
    at_contact = (parts / "meet.png").read_bytes()
    assert "free: no two bodies meet within 2" in run(*fall, 2, "--picture", "meet.png", check=0).stdout
    now = (parts / "meet.png").read_bytes()
    assert at_contact[:4] == now[:4] == b"\x89PNG"
    assert at_contact != now
    scene = ss.Scene()
    cube = scene.add(ss.Mesh.load("cube.stl"), name="cube.stl")
    scene.add(ss.Mesh.load("floor.stl"), name="floor.stl")
    contacts = scene.predict({cube: ss.Translate((0, 0, -1))}, 9)
    assert now == picture_of_prediction(scene, [], 2, None).png()
    cube.pose = np.array((0, 0, -4.5))
    assert at_contact == picture_of_prediction(scene, contacts, 9, None).png()
    overlap = run("predict", "--body", "cube.stl", "--velocity", 1, 0, 0, "--body", "bar.stl", "--horizon", 1, check=1).stdout
    assert re.search(r"overlap +cube\.stl +bar\.stl", overlap)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--horizon", 1), "no --body is given"),
        (("--body", "cube.stl", "--velocity", 1, 0, 0), "Missing option '--horizon'"),
        (("--horizon", 0, "--body", "cube.stl", "--velocity", 1, 0, 0), "horizon is 0"),
        (("--horizon", 1, "--velocity", 1, 0, 0, "--body", "cube.stl"), "'--velocity': give it after the --body"),
        (("--horizon", 1, "--body", "cube.stl", "--at", 1, 0, 0, "--at", 2, 0, 0), "'--at': given twice for body 1"),
        (("--horizon", 1, "--body", "cube.stl", "--velocity", 1, "y", 0), "'--velocity': Y is 'y'; accepted: 3 numbers, X Y Z"),
        (("--horizon", 1, "--body", "cube.stl", "--velocity", 1, 0), "'--velocity': given: 1 0; accepted: 3 numbers"),
        (
            ("--horizon", 1, "--body", "cube.stl", "--velocity", 1, 0, 0, "--spin", 0, 0, 1, 90),
            "body 1: given: --velocity and --spin; accepted: one of them",
        ),
        (("--horizon", 1, "--body", "cube.stl", "--about", 1, 0, 0), "body 1: given: --about without --spin"),
        (("--horizon", 1, "--body", "cube.stl", "--spin", 0, 0, 0, 90), "Rotate.axis is 0 0 0"),
        (("--horizon", 1, "--body", "cube.stl", "--body", "cube.stl", "--at", 0, "inf", 0), "body 2: --at[1] is inf"),
        (("--horizon", 1, "--body", "nowhere.stl"), "nowhere.stl: no such file"),
    ],
)
def test_bad_questions(parts, run, words, message):
    assert message in run("predict", *words, check=2).stderr
    plain = json.loads(run("predict", *words, "--json", check=2).stdout)
    assert message in plain["error"]["message"]
