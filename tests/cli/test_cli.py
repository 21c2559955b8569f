"""The command line, run in this process; a few tests need a process of their own."""

import json
import re
import sys

import numpy as np
import pytest
import trimesh

import sweepscope as ss


@pytest.fixture
def files(tmp_path):
    ball = trimesh.creation.icosphere(subdivisions=2, radius=0.5)
    ball.apply_translation((0, 0, 3))
    floor = trimesh.creation.box((10, 10, 0.2))
    for ending in ("stl", "obj", "ply", "glb", "off"):
        ball.export(tmp_path / f"ball.{ending}")
        floor.export(tmp_path / f"floor.{ending}")
    return tmp_path


@pytest.mark.parametrize("ending", ["stl", "obj", "ply", "glb", "off"])
def test_json_hit(files, ending, run):
    done = run("sweep", files / f"ball.{ending}", files / f"floor.{ending}", "--move", 0, 0, -5, "--json", check=1)
    answer = json.loads(done.stdout)
    assert answer["hit"] is True
    assert answer["travel"] == pytest.approx(2.4, abs=1e-6)
    assert answer["time"] == pytest.approx(0.48, abs=1e-6)
    assert answer["obstacle"].endswith(f"floor.{ending}")
    np.testing.assert_allclose(answer["normal"], (0, 0, 1), atol=1e-9)
    assert {feature["kind"] for feature in answer["features"]} <= {"vertex", "edge", "face"}


def test_free_and_table(files, run):
    done = run("sweep", files / "ball.stl", files / "floor.stl", "--move", 0, 0, 5, "--json", check=0)
    assert json.loads(done.stdout) == {"hit": False, "time": None, "travel": 5.0, "unit": "length"}
    assert "free" in run("sweep", files / "ball.stl", files / "floor.stl", "--move", 0, 0, 5, check=0).stdout
    shown = run("sweep", files / "ball.stl", files / "floor.stl", "--move", 0, 0, -5, "--margin", 0.4, check=1).stdout
    assert re.search(r"travel\s+(2|1\.99999\d*) of 5", shown)
    assert "floor.stl" in re.sub(r"\s", "", shown)  # long paths are folded


def test_start_and_inside(files, run):
    done = run("sweep", files / "ball.stl", files / "floor.stl", "--move", 0, 0, -1, "--at", 0, 0, -3, "--json", check=1)
    assert json.loads(done.stdout)["overlapping"] is True
    box = trimesh.creation.box((100, 100, 100))
    box.export(files / "room.stl")
    done = run("sweep", files / "ball.stl", files / "room.stl", "--move", 0, 0, -1, "--json", check=1)
    answer = json.loads(done.stdout)
    assert answer["overlapping"] is True
    assert answer["normal"] is None
    shown = run("sweep", files / "ball.stl", files / "room.stl", "--move", 0, 0, -1, check=1).stdout
    assert "one is inside the other" in shown
    assert re.search(r"way out +.* long", shown)


BAD = {
    "missing": ("nowhere.stl", None, "no such file"),
    "folder": (".", None, "not a file"),
    "ending": ("a.txt", b"hello", "accepted endings"),
    "empty": ("a.stl", b"", "is empty"),
    "lfs": ("a.stl", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "Git LFS pointer"),
    "no facets": ("a.stl", b"solid nothing\nendsolid nothing\n", "an ASCII STL without facets"),
    "no facets, no end": ("a.stl", b"solid " + b"n" * 100, "the file ends inside of a solid"),
    "short binary": ("a.stl", b"x" * 40, "at least 84 bytes"),
    "promises too much": ("a.stl", b"\0" * 80 + (10**6).to_bytes(4, "little"), "promises 1000000 triangles"),
    "solid but binary": ("a.stl", b"solid " + b"\0" * 74 + (5).to_bytes(4, "little") + b"\0" * 20, "promises 5 triangles"),
    "nonsense ply": ("a.ply", b"ply\nformat ascii 1.0\nelement vertex -5\nend_header\n", "a.ply"),
    "nonsense glb": ("a.glb", b"glTF" + b"\xff" * 60, "is glTF 4294967295; accepted: glTF 2"),
    "points only": ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\n", "a.obj"),
    "nan vertex": ("a.obj", b"v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", r"a.obj: line 1: 'nan' is not a number"),
    "index out of range": ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "a.obj"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_file_is_exit_code_2(files, case, run):
    name, content, message = BAD[case]
    path = files / name
    if content is not None:
        path.write_bytes(content)
    for arguments in ((path, files / "floor.stl"), (files / "ball.stl", path)):
        done = run("sweep", *arguments, "--move", 0, 0, -5, check=2)
        assert re.search(message, done.stderr), done.stderr
        assert "Traceback" not in done.stderr
        assert done.stdout == ""


GOOD = {
    "texture coordinates": ("a.obj", b"vt 0 0\nv 0 0 0\nv 9 0 0\nv 0 9 0\nf 1/1/1 2/1/1 3/1/1\n"),
    "umlaut": ("a.obj", "# Ger\u00e4t\nv 0 0 0\nv 9 0 0\nv 0 9 0\nf 1 2 3\n".encode("latin-1")),
    "negative indices": ("a.obj", b"v 0 0 0\nv 9 0 0\nv 0 9 0\nf -3 -2 -1\n"),
    "ply with s, t": (
        "a.ply",
        b"ply\nformat ascii 1.0\ncomment \xe4\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
        b"property float s\nproperty float t\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
        b"0 0 0 0 0\n9 0 0 0 0\n0 9 0 0 0\n3 0 1 2\n",
    ),
    "markup in its name": ("[red]a[", b""),
}


@pytest.mark.parametrize("case", GOOD)
def test_good_file(files, case, run):
    name, content = GOOD[case]
    path = files / name
    if not content:
        path = files / f"{name}.stl"
        content = (files / "floor.stl").read_bytes()
    path.write_bytes(content)
    done = run("sweep", files / "ball.stl", path, "--at", 1, 1, 0, "--move", 0, 0, -5, check=1)
    assert name[:5] in re.sub(r"\s", "", done.stdout)


def test_gltf_that_would_lose_its_mesh_is_refused(files, run):
    tree = json.loads(trimesh.exchange.gltf.export_gltf(trimesh.Scene(trimesh.creation.box()))["model.gltf"])
    for change, message in (
        ({"extensionsRequired": ["KHR_draco_mesh_compression"]}, "KHR_draco_mesh_compression"),
        ({"meshes": [{"primitives": [{"mode": 6, "attributes": {}}]}]}, "1 primitive without positions"),
    ):
        (files / "a.gltf").write_text(json.dumps(tree | change))
        done = run("sweep", files / "ball.stl", files / "a.gltf", "--move", 0, 0, -5, check=2)
        assert message in done.stderr


def test_bad_options_are_exit_code_2(files, run):
    both = (files / "ball.stl", files / "floor.stl")
    for options in (
        ("--move", "nan", 0, 0),
        ("--move", 0, 0),
        ("--move", 0, 0, 1, "--margin", -1),
        ("--move", 0, 0, 1, "--resting", "maybe"),
        ("--move", 0, 0, 1, "--at", 0, 0, "inf"),
        ("--move", "a", 0, 1),
        (),
    ):
        done = run("sweep", *both, *options, check=2)
        assert "Traceback" not in done.stderr
    assert run("nonsense").returncode == 2
    assert run("bench", "nonsense").returncode == 2


def test_help_version_and_demo(run):
    assert "sweep" in run("--help", check=0).stdout
    assert run("--version", check=0).stdout.startswith("sweepscope ")
    answers = json.loads(run("demo", "--json", check=0).stdout)
    assert {answer["hit"] for answer in answers} == {True, False}
    assert "ball falls on a floor" in {answer["scene"] for answer in answers}
    shown = run("demo", check=0).stdout
    for word in ("ball falls on a floor", "nothing", "hills", "Try next"):
        assert word in shown


@pytest.mark.slow
def test_verify(run):
    shown = run("verify", "--cases", 36, check=0).stdout
    assert "missed 0, late 0" in shown


def test_look(files, run):
    view = ("--eye", 0, 0, 9, "--toward", 0, 0, -1, "--size", 4, 4, 20)
    done = run("look", files / "ball.stl", files / "floor.stl", *view, "--json", check=1)
    answer = json.loads(done.stdout)
    assert answer["seen"] is True
    assert answer["nearest"] == pytest.approx(5.5, abs=0.02)
    assert [body["body"].split("/")[-1] for body in answer["bodies"]] == ["ball.stl", "floor.stl"]
    assert sum(body["pixels"] for body in answer["bodies"]) == 64 * 64
    shown = run("look", files / "ball.stl", *view, "--picture", files / "seen.png", check=1)
    assert "distance" in shown.stdout
    assert (files / "seen.png").read_bytes()[:4] == b"\x89PNG"
    away = run("look", files / "ball.stl", "--eye", 0, 0, 9, "--toward", 0, 0, 1, "--size", 4, 4, 20, check=0)
    assert "nothing within 20" in away.stdout


@pytest.mark.slow
def test_sweeps_are_drawn(files, run):
    drawn = ("--picture", files / "hit.png", "--gif", files / "hit.gif")
    shown = run("sweep", files / "ball.stl", files / "floor.stl", "--move", 0, 0, -5, *drawn, check=1)
    assert "hit.png" in shown.stdout
    assert (files / "hit.png").read_bytes()[:4] == b"\x89PNG"
    assert (files / "hit.gif").read_bytes()[:4] == b"GIF8"
    run("sweep", files / "ball.stl", files / "floor.stl", "--move", 0, 0, 5, "--picture", files / "free.png", check=0)
    assert (files / "free.png").read_bytes()[:4] == b"\x89PNG"
    bad = run("sweep", files / "ball.stl", files / "floor.stl", "--move", 0, 0, 5, "--gif", "free.png", check=2)
    assert "--gif is free.png; accepted: a name that ends in .gif" in bad.stderr


def test_probe(files, run):
    done = run("probe", files / "ball.stl", files / "floor.stl", "--move", 0, 0, -5, "--json", check=1)
    answer = json.loads(done.stdout)
    assert answer["travel"] == pytest.approx(2.4, abs=0.01)
    assert answer["exact"]["travel"] == pytest.approx(2.4, abs=1e-6)
    assert answer["travel"] >= answer["exact"]["travel"]
    assert answer["drawings"] == 2
    bound = run("probe", files / "ball.stl", files / "floor.stl", "--move", 0, 0, -5, "--json", "--method", "bounding", check=1)
    assert json.loads(bound.stdout)["travel"] <= answer["exact"]["travel"]
    shown = run("probe", files / "ball.stl", files / "floor.stl", "--move", 0, 0, 5, "--picture", files / "p.png", check=0)
    assert "free" in shown.stdout
    assert (files / "p.png").read_bytes()[:4] == b"\x89PNG"


def test_probe_as_published(files, run):
    straight = ("probe", files / "ball.stl", files / "floor.stl", "--method", "published", "--move", 0, 0, -5)
    answer = json.loads(run(*straight, "--json", check=1).stdout)
    assert answer["method"] == "published"
    assert answer["travel"] == pytest.approx(2.4, abs=0.01)
    shown = run(*straight, "--picture", files / "p.png", check=1)
    assert "published" in shown.stdout
    assert (files / "p.png").read_bytes()[:4] == b"\x89PNG"
    turn = ("probe", files / "ball.stl", files / "floor.stl", "--method", "published", "--axis", 0, 1, 0, "--angle", 20)
    assert "method 'published' takes a Translate" in run(*turn, check=2).stderr
    assert "sampled" in run(*straight[:4], "--method", "exact", "--move", 0, 0, -5, check=2).stderr.replace("\n", "")


def test_probe_a_turn(files, run):
    """The ball, 3 above the floor, swings down about an axle at its height."""
    turn = ("probe", files / "ball.stl", files / "floor.stl", "--axis", 0, 1, 0, "--angle", 120, "--about", -2.5, 0, 3)
    answer = json.loads(run(*turn, "--json", check=1).stdout)
    assert answer["unit"] == "radians"
    assert 0.0 < answer["exact"]["travel"] <= answer["travel"] < 2.1
    bound = json.loads(run(*turn, "--json", "--method", "bounding", check=1).stdout)
    assert bound["travel"] <= answer["exact"]["travel"]
    shown = run(*turn, "--picture", files / "t.png", check=1)
    assert " deg" in shown.stdout
    assert (files / "t.png").read_bytes()[:4] == b"\x89PNG"


def test_movers_are_oriented_at_the_start(files, run):
    """A bar along x, 2 long and 0.2 wide, whose origin is at its end: turned about y by 90 degrees it hangs down."""
    bar = trimesh.creation.box((2, 0.2, 0.2))
    bar.apply_translation((1, 0, 0))
    bar.export(files / "bar.stl")
    both = (files / "bar.stl", files / "floor.stl", "--move", 0, 0, -5, "--at", 0, 0, 4, "--json")
    for command in (("sweep",), ("slide",), ("probe", "--pixels", 50, 50)):
        found = []
        for orient in ((), ("--orient", 0, 1, 0, 90), ("--orient", 0, -3, 0, 90)):
            plain = json.loads(run(command[0], *both, *command[1:], *orient, check=1).stdout)
            found.append(plain["travel"])
        assert found == pytest.approx([3.8, 1.9, 3.9], abs=1e-6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("probe", "ball.stl", "floor.stl", "--move", 0, 0, 0), "length zero"),
        (("probe", "ball.stl", "floor.stl"), "no motion; accepted: --move X Y Z, or --axis"),
        (("probe", "ball.stl", "floor.stl", "--axis", 0, 0, 1), "--axis; accepted"),
        (("probe", "ball.stl", "floor.stl", "--axis", 0, 0, 0, "--angle", 5), "Rotate.axis is 0 0 0"),
        (("probe", "ball.stl", "floor.stl", "--axis", 0, 0, 1, "--angle", 0), "length zero"),
        (("probe", "ball.stl", "floor.stl", "--move", 0, 0, 1, "--pixels", 0, 5), "pixels is (0, 5)"),
        (("probe", "ball.stl", "floor.stl", "--move", 0, 0, 1, "--picture", "picture.jpg"), "ends in .png"),
        (("probe", "ball.stl", "floor.stl", "--move", 0, 0, 1, "--picture", "nowhere/p.png"), "no folder"),
        (("look", "ball.stl", "--eye", 0, 0, 0, "--toward", 0, 0, 0, "--size", 1, 1, 1), "View.toward is 0 0 0"),
        (("look", "ball.stl", "--eye", 0, 0, 0, "--toward", 0, 0, 1, "--size", 1, 0, 1), "View.height is 0"),
        (("look", "no.stl", "--eye", 0, 0, 0, "--toward", 0, 0, 1, "--size", 1, 1, 1), "no.stl"),
        (("simulate", "rain"), "accepted: bounce"),
        (("simulate", "bounce", "--with", "eyes"), "'radar', 'sweep'"),
        (("simulate", "bounce", "--frames", 0), "frames is 0"),
        (("papers", "cloud"), "accepted: radar"),
        (("bench", "everything"), "accepted: translate, turn, scopes"),
    ],
)
def test_bad_questions_to_the_new_commands(files, arguments, message, run):
    given = [files / word if str(word).endswith((".stl", ".png", ".jpg")) else word for word in arguments]
    done = run(*given, check=2)
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_simulate(files, run):
    done = run("simulate", "bounce", "--frames", 3, "--moving", 2, "--json", check=0)
    summary = json.loads(done.stdout)["summary"]
    assert summary["frames"] == 3
    assert summary["energy_drift"] < 1e-12


def test_a_missing_peer_is_named_before_anything_runs(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "fcl", None)  # as if it were not installed
    done = run("bench", "robots", check=2)
    assert done.stdout == ""
    assert done.stderr == "sweepscope: bench robots compares with fcl, which cannot be imported: pip install python-fcl\n"


def test_a_scene_file_among_the_obstacles(files, run):
    scene = ss.Scene()
    scene.add(ss.Box((9, 9, 0.2)), name="floor")
    scene.add(ss.Sphere(0.1), (5, 0, 0), name="pebble")
    scene.save(files / "room.npz")
    done = run("sweep", files / "ball.stl", files / "room.npz", files / "room.npz", "--move", 0, 0, -5, "--json", check=1)
    assert json.loads(done.stdout)["travel"] == pytest.approx(2.4)
    assert json.loads(done.stdout)["obstacle"].startswith(f"{files / 'room.npz'}: floor")
    assert (
        "is a scene; Scene.load reads it"
        in run("sweep", files / "room.npz", files / "ball.stl", "--move", 0, 0, 1, check=2).stderr
    )
