"""`sweepscope sweep --each`."""

import json

import pytest

import sweepscope as ss


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A cube of 1 on the origin, plates at x = 2 and 4."""
    monkeypatch.chdir(tmp_path)
    for name, size, x in (("cube.obj", (1, 1, 1), 0), ("near.obj", (0.2, 4, 4), 2), ("far.obj", (0.2, 4, 4), 4)):
        mesh = ss.Mesh.box(size)
        lines = [f"v {a + x} {b} {c}" for a, b, c in mesh.vertices.tolist()]
        lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in mesh.faces.tolist()]
        (tmp_path / name).write_text("\n".join(lines))
    return tmp_path


def test_each_obstacle_is_listed(files, run):
    shown = run("sweep", "cube.obj", "far.obj", "near.obj", "--move", 4, 0, 0, "--each", check=1).stdout
    rows = [line.split() for line in shown.splitlines()]
    assert rows == [
        ["hit", "after", "left", "after", "obstacle"],
        ["1.4", "2.6", "near.obj"],
        ["3.4", "not", "before", "the", "end", "far.obj"],
    ]
    turned = run(
        "sweep", "cube.obj", "near.obj", "--axis", 0, 0, 1, "--angle", 90, "--about", 0, 2, 0, "--each", check=1
    ).stdout
    assert "36.8699 deg" in turned
    overlap = run("sweep", "cube.obj", "near.obj", "--at", 2, 0, 0, "--move", 4, 0, 0, "--each", check=1).stdout
    assert "overlaps at the start  0.6" in overlap
    assert "free: hits nothing within 4" in run("sweep", "cube.obj", "near.obj", "--move", 0, 0, 4, "--each", check=0).stdout


def test_each_as_json_and_as_a_picture(files, run):
    words = ("sweep", "cube.obj", "near.obj", "far.obj", "--move", 4, 0, 0, "--each")
    plain = json.loads(run(*words, "--json", "--picture", "way.png", check=1).stdout)
    assert (plain["hit"], plain["unit"]) == (True, "length")
    assert [each["obstacle"] for each in plain["passages"]] == ["near.obj", "far.obj"]
    assert plain["passages"][0]["left_travel"] == pytest.approx(2.6)
    assert plain["passages"][1]["left_travel"] is None
    assert (files / "way.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("other", [("--gif", "a.gif"), ("--view",)])
def test_each_excludes_what_shows_one_hit(files, run, other):
    failed = run("sweep", "cube.obj", "near.obj", "--move", 4, 0, 0, "--each", *other, check=2)
    assert f"given: --each and {other[0]}; they exclude each other" in failed.stderr
