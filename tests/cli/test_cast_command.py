"""`sweepscope cast`."""

import json

import numpy as np
import pytest

import sweepscope as ss


@pytest.fixture
def files(tmp_path):
    ss.Mesh.sphere(0.5, rows=40, sections=40).to_trimesh().export(tmp_path / "ball.stl")
    ss.Volume(np.ones((4, 4, 4), bool), spacing=0.5).save(tmp_path / "block.npz")
    return tmp_path


def test_a_ray(files, run):
    ray = ("--from", 0.01, 0.02, 3, "--toward", 0, 0, -2)
    answer = json.loads(run("cast", files / "ball.stl", *ray, "--json", check=1).stdout)
    (hit,) = answer["hits"]
    assert answer["hit"] is True
    assert hit["distance"] == pytest.approx(2.5, abs=0.01)
    assert hit["body"].endswith("ball.stl")
    assert hit["normal"][2] > 0.9
    shown = run("cast", files / "ball.stl", *ray, check=1).stdout
    for word in ("body", "distance", "normal", "2.50"):
        assert word in shown
    every = json.loads(run("cast", files / "ball.stl", *ray, "--all", "--json", check=1).stdout)
    assert [hit["distance"] for hit in every["hits"]] == pytest.approx([2.5, 3.5], abs=0.01)


def test_a_ball_and_a_volume(files, run):
    done = run("cast", files / "block.npz", "--from", -3, 2.1, 1, "--toward", 1, 0, 0, "--radius", 0.2, "--json", check=1)
    (hit,) = json.loads(done.stdout)["hits"]
    assert hit["distance"] == pytest.approx(3.0 - np.sqrt(0.04 - 0.01))
    assert hit["barycentric"] == [None, None, None]


def test_nothing(files, run):
    ray = ("--from", 0, 0, 3, "--toward", 0, 0, -1, "--length", 1.5)
    assert "nothing is hit" in run("cast", files / "ball.stl", *ray, check=0).stdout
    assert json.loads(run("cast", files / "ball.stl", *ray, "--json", check=0).stdout) == {"hit": False, "hits": []}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--from", 0, 0, 3, "--toward", 0, 0, 0), "is 0 0 0; it must have a direction"),
        (("--from", 0, 0, 3, "--toward", 0, 0, 1, "--radius", -1), "radius is -1.0"),
        (("--from", 0, 0, 3, "--toward", 0, 0, 1, "--length", "nan"), "length is nan"),
        (("--from", 0, 0, "--toward", 0, 0, 1), "accepted: 3 numbers"),
        (("--toward", 0, 0, 1), "--from"),
    ],
)
def test_bad_options(files, run, options, message):
    assert message in run("cast", files / "ball.stl", *options, check=2).stderr
