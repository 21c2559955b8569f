"""`sweepscope sweep` with --motions, --poses and --path."""

import json
import re
import signal
import sys
from pathlib import Path

import numpy as np
import pytest
import trimesh

import sweepscope as ss
from sweepscope.cli import sweep_rows


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A cube of 1 on the origin, a post of 1 at x = 3, a wall at x = 6."""
    monkeypatch.chdir(tmp_path)
    trimesh.creation.box((1, 1, 1)).export("cube.stl")
    trimesh.creation.box((1, 1, 1)).apply_translation((3, 0, 0)).export("post.stl")
    trimesh.creation.box((1, 9, 9)).apply_translation((6, 0, 0)).export("wall.stl")
    return tmp_path


@pytest.fixture
def sweep(files, run):
    return lambda *words, check=None: run("sweep", "cube.stl", "post.stl", "wall.stl", *words, check=check)


def scene_of():
    scene = ss.Scene()
    cube = scene.add(ss.Mesh.load("cube.stl"), name="cube.stl")
    for name in ("post.stl", "wall.stl"):
        scene.add(ss.Mesh.load(name), name=name)
    return scene, cube


VECTORS = np.array([(0, 0, 9), (9, 0, 0), (9, 8, 0), (0, 0, -9), (0, 2, 0)], float)


def test_motions_are_answered_and_written(sweep):
    np.save("moves.npy", VECTORS)
    shown = sweep("--motions", "moves.npy", "--out", "hits.npz", check=1).stdout
    assert "2 of 5 motions hit" in shown
    assert re.search(r"1 +1 +post\.stl", shown)
    assert re.search(r"2 +6\.6897\d* .* wall\.stl", shown)
    assert "answers: hits.npz" in shown
    scene, cube = scene_of()
    expected = scene.sweep_many(cube, VECTORS)
    found = ss.Hits.load("hits.npz")
    assert found.table.tobytes() == expected.table.tobytes()
    assert found.names == expected.names
    plain = json.loads(sweep("--motions", "moves.npy", "--json", check=1).stdout)
    counts = {name: plain[name] for name in ("hit", "motions", "hits", "overlapping", "out")}
    assert counts == {"hit": True, "motions": 5, "hits": 2, "overlapping": 0, "out": None}
    assert plain["obstacles"] == [
        {"obstacle": "post.stl", "hits": 1, "first": 1},
        {"obstacle": "wall.stl", "hits": 1, "first": 2},
    ]
    single = json.loads(sweep("--move", 9, 0, 0, "--json", check=1).stdout)
    assert plain["first_hits"][0] == {"motion": 1, **single}


def test_every_kind_of_file_and_the_usual_options(sweep):
    np.save("moves.npy", VECTORS[1:2])
    for words, travel in (((), 2), (("--at", 1, 0, 0), 1), (("--margin", 0.5), 1.5), (("--orient", 0, 0, 1, 90), 2)):
        (hit,) = json.loads(sweep("--motions", "moves.npy", *words, "--json", "--threads", 1, check=1).stdout)["first_hits"]
        assert hit["travel"] == pytest.approx(travel)
    Path("moves.csv").write_text("x,y,z\n0,0,9\n9,0,0\n")
    assert json.loads(sweep("--motions", "moves.csv", "--json", check=1).stdout)["first_hits"][0]["motion"] == 1
    scene, cube = scene_of()
    angles = np.linspace(0, 3, 7)
    arrays = {"axis": (0, 0, 1), "angle": angles, "about": (0, 3, 0)}
    start = np.tile(np.eye(4), (3, 1, 1))
    end = start.copy()
    end[:, 0, 3] = (1, 2, 5)
    for given, motions in (
        ({"vectors": VECTORS}, VECTORS),
        (arrays, ss.Motions.rotate((0, 0, 1), angles, about=(0, 3, 0))),
        ({**arrays, "slide": 1.0}, ss.Motions.screw((0, 0, 1), angles, slide=1.0, about=(0, 3, 0))),
        ({"poses_0": start, "poses_1": end}, ss.Motions.between(start, end)),
    ):
        np.savez("moves.npz", **given)
        sweep("--motions", "moves.npz", "--out", "hits.npz", check=1)
        assert ss.Hits.load("hits.npz").table.tobytes() == scene.sweep_many(cube, motions).table.tobytes()
    starts = np.array([(0, 0, 0), (0, 3, 0), (3.4, 3, 0)])
    np.save("starts.npy", starts)
    sweep("--move", 9, 0, 0, "--poses", "starts.npy", "--out", "hits.npz", check=1)
    np.testing.assert_allclose(ss.Hits.load("hits.npz").travel, (2, 5, 1.6))
    sweep("--axis", 0, 0, 1, "--angle", -90, "--poses", "starts.npy", check=1)
    np.save("moves.npy", VECTORS[:3])
    sweep("--motions", "moves.npy", "--poses", "starts.npy", "--out", "hits.npz", check=1)
    assert ss.Hits.load("hits.npz").table.tobytes() == scene.sweep_many(cube, VECTORS[:3], starts).table.tobytes()


def test_free_and_no_motions(sweep):
    np.save("moves.npy", VECTORS[[0, 3]])
    assert sweep("--motions", "moves.npy", check=0).stdout == "free: none of 2 motions hits anything\n"
    np.save("moves.npy", np.empty((0, 3)))
    assert sweep("--motions", "moves.npy", "--out", "hits.npz", check=0).stdout == "free: 0 motions\nanswers: hits.npz\n"
    assert len(ss.Hits.load("hits.npz")) == 0
    assert json.loads(sweep("--motions", "moves.npy", "--json", check=0).stdout)["first_hits"] == []


PATH = np.array([(0, 0, 0), (0, 3, 0), (4, 3, 0), (4, 3, 3), (9, 3, 3), (9, 0, 0)], float)


def test_a_path_stops_at_its_first_hit(sweep):
    np.save("path.npy", PATH)
    plain = json.loads(sweep("--path", "path.npy", "--json", check=1).stdout)
    assert plain["segment"] == 3
    assert plain["segments"] == 5
    assert plain["obstacle"] == "wall.stl"
    assert plain["travel"] == pytest.approx(1)
    assert plain["time"] == pytest.approx(0.2)
    assert plain["path_travel"] == pytest.approx(3 + 4 + 3 + 1)
    assert plain["path_length"] == pytest.approx(3 + 4 + 3 + 5 + np.sqrt(18))
    assert [row[3] for row in plain["pose"][:3]] == pytest.approx([5, 3, 3])
    shown = sweep("--path", "path.npy", check=1).stdout
    assert re.search(r"hits +wall\.stl", shown)
    assert "3, from point 3 to point 4; the path has 5 segments" in shown
    assert re.search(r"travel +11 of 19\.24264\d* along the path", shown)
    assert re.search(r"mover at +5 +3 +3\b", shown)
    np.save("path.npy", PATH[:4])
    assert sweep("--path", "path.npy", check=0).stdout == "free: hits nothing on 3 segments, 10 long\n"
    plain = json.loads(sweep("--path", "path.npy", "--json", check=0).stdout)
    assert plain == {"hit": False, "time": None, "segment": None, "segments": 3, "path_travel": 10.0, "path_length": 10.0}


def test_all_segments_of_a_path(sweep):
    np.savetxt("path.csv", PATH, delimiter=",")
    shown = sweep("--path", "path.csv", "--all", "--out", "hits.npz", check=1).stdout
    assert "1 of 5 segments hit\n" in shown
    assert re.search(r"segment +travel +along path +point *\n3 +1 +11 +5\.5  \S+  \S+ *\n", shown)  # one obstacle is named once
    scene, cube = scene_of()
    expected = scene.sweep_many(cube, np.diff(PATH, axis=0), PATH[:-1])
    assert ss.Hits.load("hits.npz").table.tobytes() == expected.table.tobytes()
    (hit,) = json.loads(sweep("--path", "path.csv", "--all", "--json", check=1).stdout)["first_hits"]
    assert hit["segment"] == 3
    assert hit["path_travel"] == pytest.approx(11)


def test_a_path_of_poses(sweep):
    """The cube goes around a circle of radius 3 about the post, and turns; a quarter is 1.5 pi long."""
    angles = np.linspace(np.pi, 2.2 * np.pi, 13)
    poses = np.array([ss.Pose.from_axis_angle((3 + 3 * np.cos(a), 3 * np.sin(a), 0), (0, 0, 1), angle=a) for a in angles])
    np.save("path.npy", poses)
    plain = json.loads(sweep("--path", "path.npy", "--json", check=1).stdout)
    assert plain["obstacle"] == "wall.stl"
    assert plain["unit"] == "radians"
    assert plain["path_length"] == pytest.approx(3 * 1.2 * np.pi)
    assert plain["path_travel"] == pytest.approx(3 * (plain["segment"] * 0.1 * np.pi + plain["travel"]))
    scene, cube = scene_of()
    cube.pose = poses[plain["segment"]]
    hit = scene.sweep(cube, ss.Screw.between(*poses[plain["segment"] :][:2]))
    assert plain["point"] == hit.point.tolist()
    assert "--orient, but path.npy holds poses" in sweep("--path", "path.npy", "--orient", 0, 0, 1, 5, check=2).stderr
    np.save("path.npy", poses[:, :3])  # the last row is not needed
    assert json.loads(sweep("--path", "path.npy", "--json", check=1).stdout) == plain


def test_a_long_path_is_swept_in_blocks(sweep, monkeypatch):
    steps = np.zeros((3000, 3))
    steps[:, 0] = np.linspace(0, 2.5, 3000)
    np.save("path.npy", steps)
    seen = []
    whole = ss.Scene.sweep_many
    monkeypatch.setattr(ss.Scene, "sweep_many", lambda *given, **more: seen.append(len(given[2])) or whole(*given, **more))
    plain = json.loads(sweep("--path", "path.npy", "--json", check=1).stdout)
    assert seen == [256, 512, 1024, 1207]
    assert plain["path_travel"] == pytest.approx(2)
    steps[:, 0] *= 0.7
    np.save("path.npy", steps)
    assert sweep("--path", "path.npy", check=0).stdout.startswith("free: hits nothing on 2999 segments, 1.75")
    turned = sweep("--path", "path.npy", "--orient", 0, 0, 1, 45, "--margin", 0.1, "--json", check=1).stdout
    assert json.loads(turned)["path_travel"] == pytest.approx(2.5 - np.sqrt(0.5) - 0.1)


@pytest.mark.slow
def test_the_first_hit_of_a_path_is_drawn(sweep, files):
    np.save("path.npy", PATH)
    assert "picture: hit.png" in sweep("--path", "path.npy", "--picture", "hit.png", check=1).stdout
    first = (files / "hit.png").read_bytes()
    sweep("--path", "path.npy", "--all", "--picture", "hit.png", check=1)
    assert (files / "hit.png").read_bytes() == first
    scene, cube = scene_of()
    cube.pose = PATH[3]
    assert scene.sweep(cube, ss.Translate(PATH[4] - PATH[3])).picture().png() == first
    np.save("path.npy", PATH[:2])
    sweep("--path", "path.npy", "--picture", "hit.png", check=0)
    assert (files / "hit.png").read_bytes() != first


def test_the_bar_is_on_the_error_stream_of_a_terminal_alone(sweep, monkeypatch):
    np.save("moves.npy", VECTORS)
    np.save("path.npy", PATH)
    every = (("--motions", "moves.npy"), ("--path", "path.npy"), ("--path", "path.npy", "--all"))
    for words in every:
        assert sweep(*words, check=1).stderr == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    for words in every:
        assert sweep(*words, "--json", check=1).stderr == ""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    done = sweep(*every[0], check=1)
    assert "sweeping" in done.stderr
    assert "5/5" in done.stderr
    assert "sweeping" not in done.stdout


@pytest.fixture
def interruptible():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_leaves_the_file_as_it_was(sweep, files, monkeypatch):
    np.save("moves.npy", VECTORS)
    (files / "hits.npz").write_bytes(b"before")
    monkeypatch.setattr(ss.Scene, "sweep_many", lambda *_, **__: signal.raise_signal(signal.SIGINT))
    assert sweep("--motions", "moves.npy", "--out", "hits.npz", check=130).stdout == ""
    assert (files / "hits.npz").read_bytes() == b"before"
    monkeypatch.undo()
    monkeypatch.chdir(files)
    sweep("--motions", "moves.npy", "--out", "hits.npz", check=1)
    assert len(ss.Hits.load("hits.npz")) == 5
    assert not [path for path in files.iterdir() if path.suffix == ".part"]


NAN = VECTORS.copy()
NAN[3, 1] = np.nan
SHEARED = np.tile(np.eye(4), (5, 1, 1))
SHEARED[2, 0, 1] = 0.5
CONTENT = {
    "good.npy": VECTORS,
    "two.npy": VECTORS[:, :2],
    "nan.npy": NAN,
    "four.npy": VECTORS[:4],
    "one.npy": VECTORS[:1],
    "sheared.npy": SHEARED,
    "poses.npy": np.tile(np.eye(4), (5, 1, 1)),
    "objects.npy": np.array([[0, 0, None]], object),
    "zero.npz": {"axis": VECTORS * 0, "angle": 1.0},
    "lone.npz": {"axis": (0, 0, 1)},
    "uneven.npz": {"axis": VECTORS, "angle": (1.0, 2.0)},
    "between.npz": {"poses_0": np.eye(4), "poses_1": SHEARED[:2]},
}
BAD = {
    "two kinds of motion": (
        ("--motions", "good.npy", "--move", 0, 0, 1),
        "given: --motions and --move; they exclude each other",
    ),
    "motions and a path": (("--motions", "good.npy", "--path", "good.npy"), "given: --motions and --path"),
    "a path and a turn": (("--path", "good.npy", "--axis", 0, 0, 1, "--angle", 9), "given: --path and --axis and --angle"),
    "poses without motion": (("--poses", "good.npy"), "given: no motion; accepted: --move X Y Z"),
    "poses and a place": (("--motions", "good.npy", "--poses", "good.npy", "--at", 0, 0, 1), "given: --poses and --at"),
    "a path and a place": (("--path", "good.npy", "--at", 0, 0, 1), "given: --path and --at"),
    "a path and poses": (("--path", "good.npy", "--poses", "good.npy"), "given: --path and --poses"),
    "a picture of many": (("--motions", "good.npy", "--picture", "a.png"), "given: --motions and --picture"),
    "an animation": (("--path", "good.npy", "--gif", "a.gif"), "given: --path and --gif"),
    "a page": (("--path", "good.npy", "--view"), "given: --path and --view"),
    "all without a path": (("--motions", "good.npy", "--all"), "given: --all; accepted only with --path"),
    "all of one motion": (("--move", 0, 0, 1, "--all"), "given: --all; accepted only with --path"),
    "a file of one hit": (("--path", "good.npy", "--out", "a.npz"), "--out; accepted only with --motions or --poses or --all"),
    "threads for one": (
        ("--move", 0, 0, 1, "--threads", 2),
        "given: --threads; accepted only with --motions or --poses or --path",
    ),
    "no threads": (("--motions", "good.npy", "--threads", 0), "--threads is 0; accepted: a whole number from 1"),
    "a missing folder": (("--motions", "good.npy", "--out", "no/a.npz"), "--out: there is no folder no"),
    "another ending": (("--motions", "good.npy", "--out", "a.npy"), "--out is a.npy; accepted: a name that ends in .npz"),
    "no file": (("--motions", "no.npy"), "no.npy: no such file"),
    "another file": (("--motions", "cube.stl"), "cube.stl: accepted endings are .npy, .csv, .npz"),
    "an empty file": (("--motions", "empty.npy"), "empty.npy: is empty"),
    "a text": (("--motions", "text.npy"), "text.npy: cannot be read as NPY"),
    "objects": (("--motions", "objects.npy"), "objects.npy: its array holds Python objects; save numbers or booleans"),
    "two columns": (("--motions", "two.npy"), "two.npy: its array has shape (5, 2); expected (n, 3)"),
    "poses as motions": (("--motions", "poses.npy"), "poses.npy: its array has shape (5, 4, 4); expected (n, 3)"),
    "two columns of poses": (
        ("--motions", "good.npy", "--poses", "two.npy"),
        "two.npy: its array has shape (5, 2); expected (n, 3) or (n, 3, 4) or (n, 4, 4)",
    ),
    "nan in a row": (("--motions", "nan.npy"), "nan.npy[3, 1] is nan; it must be finite"),
    "nan in a path": (("--path", "nan.npy"), "nan.npy[3]"),
    "nan in a text": (("--path", "nan.csv"), "nan.csv: line 2: 'nan' is not a number"),
    "a sheared pose": (("--path", "sheared.npy"), "sheared.npy[2]"),
    "fewer poses": (
        ("--motions", "good.npy", "--poses", "four.npy"),
        "good.npy has 5 rows, four.npy has 4; expected as many",
    ),
    "a path of one point": (("--path", "one.npy"), "one.npy: holds 1 point; a path has at least two"),
    "an axis of zero": (("--motions", "zero.npz"), "zero.npz: Motions.rotate: axis[0] is 0 0 0"),
    "an axis alone": (
        ("--motions", "lone.npz"),
        "lone.npz: holds arrays 'axis'; accepted: vectors; axis, angle [about, slide]",
    ),
    "uneven arrays": (("--motions", "uneven.npz"), "uneven.npz: leading shapes do not fit together: axis (5,), angle (2,)"),
    "a start twice": (("--motions", "between.npz", "--at", 0, 0, 1), "--at or --orient, but between.npz holds poses_0"),
    "poses twice": (("--motions", "between.npz", "--poses", "poses.npy"), "--poses, but between.npz holds poses_0"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_exit_code_2(sweep, files, case):
    for name, content in CONTENT.items():
        if isinstance(content, dict):
            np.savez(name, **content)
        else:
            np.save(name, content, allow_pickle=True)
    (files / "empty.npy").touch()
    (files / "text.npy").write_text("0 0 1\n0 0 2\n")
    (files / "nan.csv").write_text("0,0,1\n0,nan,2\n")
    words, message = BAD[case]
    before = sorted(files.iterdir())
    done = sweep(*words, check=2)
    assert done.stdout == ""
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    error = json.loads(sweep(*words, "--json", check=2).stdout)["error"]
    assert message in error["message"]
    assert sorted(files.iterdir()) == before


def test_too_many_answers_for_the_memory(sweep, monkeypatch):
    np.save("moves.npy", VECTORS)
    require = sweep_rows.checks.require_memory
    monkeypatch.setattr(sweep_rows.checks, "require_memory", lambda size, *more: require(size << 50, *more))
    assert "5 answers: needs" in sweep("--motions", "moves.npy", check=2).stderr


def test_volumes_are_swept_too(files, run):
    ss.Volume(np.ones((4, 4, 4)), 0.25).save("block.npz")
    np.save("path.npy", PATH)
    plain = json.loads(run("sweep", "block.npz", "wall.stl", "--path", "path.npy", "--json", check=1).stdout)
    assert plain["segment"] == 3
    assert plain["features"][0]["voxel"][0] == 3
