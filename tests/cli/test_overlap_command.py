"""`sweepscope overlap`, and volumes in the other commands, run in this process."""

import json

import numpy as np
import pytest
import trimesh

from sweepscope import Volume


@pytest.fixture
def files(tmp_path):
    """A block of 4^3 voxels in a grid of 8^3, 0.5 wide; the same as .npz; balls as meshes."""
    block = np.zeros((8, 8, 8), np.float32)
    block[2:6, 2:6, 2:6] = 0.75
    np.save(tmp_path / "block.npy", block)
    Volume(block, 0.5, origin=(-2.0, -2.0, -2.0), threshold=0.5).save(tmp_path / "block.npz")
    ball = trimesh.creation.icosphere(subdivisions=3, radius=1.0)
    ball.export(tmp_path / "ball.stl")
    ball.faces = ball.faces[1:]
    ball.export(tmp_path / "open.stl")
    return tmp_path


def test_whole_offsets(files, run):
    both = ("overlap", files / "block.npz", files / "block.npz")
    answer = json.loads(run(*both, "--at", 1, 0.5, -1.5, "--json", check=1).stdout)
    assert answer.pop("seconds") > 0.0
    removed = answer.pop("removed")
    assert list(removed) == ["box", "planes", "lines"]
    assert sum(removed.values()) + answer.pop("tested") == 512
    normal = answer.pop("normal")
    assert normal is None or np.linalg.norm(normal) == pytest.approx(1.0)
    assert answer == {
        "overlap": True,
        "sense": "centers",
        "count": 2 * 3 * 1,
        "region": [[4, 3, 2], [6, 6, 3]],
        "center": [0.5, 0.25, -0.75],
        "voxels": 512,
    }
    free = json.loads(run(*both, "--at", 2, 0, 0, "--json", check=0).stdout)
    assert free["overlap"] is False
    assert (free["count"], free["region"], free["center"], free["normal"]) == (0, None, None, None)
    shown = run(*both, "--at", 1, 0.5, -1.5, check=1).stdout
    for word in ("overlap", "6 of 64 occupied voxels", "4..5  3..5  2..2", "removed", "box", "planes", "lines", "time"):
        assert word in shown
    assert "free" in run(*both, "--at", 2, 0, 0, check=0).stdout


def test_turned_thresholds_and_meshes(files, run):
    """Turned by 45 degrees the block reaches further; over 0.8 nothing is occupied; meshes are filled.

    A file's own spacing stands, whatever --spacing is.
    """
    both = ("overlap", files / "block.npz", files / "block.npz")
    assert json.loads(run(*both, "--at", 1.8, 0, 0, "--json", check=0).stdout)["overlap"] is False
    turned = (*both, "--at", 1.8, 0, 0, "--orient", 0, 0, 1, 45, "--json")
    assert json.loads(run(*turned, check=1).stdout)["count"] == 8
    assert json.loads(run(*turned, "--sense", "cubes", check=1).stdout)["count"] > 8
    assert json.loads(run(*turned, "--threshold", 0.8, check=0).stdout)["count"] == 0
    balls = ("overlap", files / "ball.stl", files / "ball.stl", "--spacing", 0.1, "--json")
    filled = json.loads(run(*balls, check=1).stdout)
    assert filled["count"] * 0.1**3 == pytest.approx(4 / 3 * np.pi, rel=0.05)
    run(*balls, "--at", 2.1, 0, 0, check=0)
    mixed = ("overlap", files / "block.npz", files / "ball.stl", "--spacing", 0.1, "--json")
    assert json.loads(run(*mixed, check=1).stdout)["count"] == 32  # all but those at the edges


@pytest.mark.slow
def test_pictures(files, run):
    for orient, check in (((), 1), (("--orient", 1, 1, 0, 30), 1), (("--at", 5, 0, 0), 0)):
        out = files / "picture.png"
        run("overlap", files / "block.npz", files / "ball.stl", "--spacing", 0.25, *orient, "--picture", out, check=check)
        assert out.read_bytes()[:4] == b"\x89PNG"
        out.unlink()
    np.save(files / "none.npy", np.zeros((3, 3, 3)))
    run("overlap", files / "none.npy", files / "none.npy", "--picture", out, check=0)
    assert out.stat().st_size > 5000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("block.npy", "nowhere.npy"), "nowhere.npy: no such file"),
        (("block.npy", "nowhere.txt"), "nowhere.txt: no such file"),
        (("block.npy", "text.txt"), "text.txt: accepted endings are .dae, .glb, .gltf, .obj, .off, .ply, .stl, .npy, .npz"),
        (("block.npy", "ball.stl"), "ball.stl: is a mesh; give the width of its voxels with --spacing"),
        (("block.npy", "open.stl", "--spacing", 0.1), "open.stl: mesh: is open"),
        (("block.npy", "ball.stl", "--spacing", 0), "spacing is 0"),
        (("block.npy", "block.npy", "--sense", "balls"), "--sense is 'balls'; accepted: 'centers', 'cubes'"),
        (("block.npy", "block.npy", "--at", "nan", 0, 0), "--at[0] is nan"),
        (("block.npy", "block.npy", "--orient", 0, 0, 0, 30), "--orient axis is 0 0 0"),
        (("block.npy", "block.npy", "--threshold", "nan"), "threshold is nan"),
        (("block.npy", "block.npy", "--picture", "a.jpg"), "--picture is a.jpg"),
        (("block.npy", "block.npy", "--picture", "nowhere/a.png"), "no folder nowhere"),
        (("ball.stl", "ball.stl", "--spacing", 1e-5), "voxels; a volume has at most"),
    ],
)
def test_bad_questions(files, run, arguments, message):
    (files / "text.txt").write_text("hello")
    named = [files / word if isinstance(word, str) and word.endswith((".npy", ".stl", ".txt")) else word for word in arguments]
    done = run("overlap", *named, check=2)
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_bad_questions_are_one_line_and_exit_code_2(files, run):
    done = run("overlap", files / "block.npy", files / "nowhere.npy", check=2)
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Usage" in run("overlap", files / "block.npy", check=2).stderr


def test_sweeps_of_and_against_volumes(files, run):
    """The block of the .npz is 2 wide about the origin; the ball's radius is 1."""
    down = ("--at", 0, 0, 5, "--move", 0, 0, -4, "--json")
    answer = json.loads(run("sweep", files / "ball.stl", files / "block.npz", *down, check=1).stdout)
    assert answer["travel"] == pytest.approx(3.0, abs=1e-6)
    answer = json.loads(run("sweep", files / "block.npz", files / "block.npz", *down, check=1).stdout)
    assert answer["travel"] == pytest.approx(3.0, abs=1e-6)
    # The .npy says nothing of its spacing: from 2 to 6 voxels of 0.25 in its own frame.
    answer = json.loads(
        run("sweep", files / "ball.stl", files / "block.npy", "--spacing", 0.25, "--at", 1, 1, 5, *down[4:], check=1).stdout
    )
    assert answer["travel"] == pytest.approx(2.5, abs=1e-6)


def test_looking_at_and_probing_volumes(files, run):
    view = ("--eye", 0, 0, 5, "--toward", 0, 0, -1, "--size", 4, 4, 10, "--json")
    seen = json.loads(run("look", files / "block.npz", *view, check=1).stdout)
    assert seen["nearest"] == pytest.approx(4.0, abs=1e-9)
    probe = ("probe", files / "block.npz", files / "ball.stl", "--at", 0, 0, 5, "--move", 0, 0, -4, "--json")
    answer = json.loads(run(*probe, check=1).stdout)
    assert answer["exact"]["travel"] == pytest.approx(3.0, abs=1e-6)
