"""`sweepscope overlaps`: the pairs of `Scene.overlaps`, as a table and as JSON."""

import json

import pytest
import trimesh

import sweepscope as ss


@pytest.fixture
def parts(tmp_path, monkeypatch):
    """A slab of side 4 with its top at z = 0; a wall on it; a pipe through the wall; a box far away with one inside."""
    trimesh.creation.box((4, 4, 0.2)).apply_translation((0, 0, -0.1)).export(tmp_path / "slab.stl")
    trimesh.creation.box((2, 0.2, 2)).apply_translation((0, 0, 1)).export(tmp_path / "wall.stl")
    trimesh.creation.box((0.1, 2, 0.1)).apply_translation((0.5, 0, 1.5)).export(tmp_path / "pipe.stl")
    trimesh.creation.box((1, 1, 1)).apply_translation((9, 0, 0)).export(tmp_path / "outer.stl")
    trimesh.creation.box((0.5, 0.5, 0.5)).apply_translation((9, 0, 0)).export(tmp_path / "inner.stl")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_pairs_as_json(parts, run):
    told = json.loads(run("overlaps", "slab.stl", "wall.stl", "pipe.stl", "inner.stl", "outer.stl", "--json", check=1).stdout)
    assert (told["hit"], told["bodies"]) == (True, 5)
    rows = [(pair["first"], pair["second"], pair["kind"], pair["inner"]) for pair in told["pairs"]]
    assert rows == [("wall.stl", "pipe.stl", "crossing", None), ("inner.stl", "outer.stl", "inside", "inner.stl")]
    assert told["pairs"][0]["distance"] == 0.0


def test_touching_and_near(parts, run):
    told = json.loads(run("overlaps", "slab.stl", "wall.stl", "pipe.stl", "--limit", 1.5, "--json", check=1).stdout)
    kinds = [(pair["first"], pair["second"], pair["kind"]) for pair in told["pairs"]]
    assert kinds == [
        ("slab.stl", "wall.stl", "touching"),
        ("slab.stl", "pipe.stl", "apart"),
        ("wall.stl", "pipe.stl", "crossing"),
    ]
    assert told["pairs"][1]["distance"] == pytest.approx(1.45, abs=1e-6)


def test_a_table(parts, run):
    shown = run("overlaps", "slab.stl", "wall.stl", "inner.stl", "outer.stl", "--limit", 0, check=1).stdout
    assert "inner.stl (inside)" in shown
    assert "4 bodies: 1 inside, 1 touching" in shown
    assert "free: no two of 2 bodies overlap" in run("overlaps", "slab.stl", "wall.stl", check=0).stdout
    assert "are within 0.5 of each other" in run("overlaps", "slab.stl", "outer.stl", "--limit", 0.5, check=0).stdout


def test_a_scene_file(parts, run):
    scene = ss.Scene()
    scene.add(ss.Box((1, 1, 1)), name="one")
    scene.add(ss.Box((1, 1, 1)), name="two")
    scene.save("scene.npz")
    (pair,) = json.loads(run("overlaps", "scene.npz", "--json", check=1).stdout)["pairs"]
    assert (pair["first"], pair["second"], pair["kind"]) == ("scene.npz: one", "scene.npz: two", "duplicate")


def test_bad_input(parts, run):
    done = run("overlaps", "slab.stl", "--limit", -1, check=2)
    assert "limit" in done.stderr + done.stdout
    run("overlaps", "nothing.stl", check=2)
    run("overlaps", check=2)
