"""`sweepscope simulate grasp`, tables, JSON, files, bad arguments, Ctrl-C."""

import csv
import json
import math
import signal

import numpy as np
import pytest
from sweepscope_lab.cli import grasp as cli
from sweepscope_lab.scenes.hand import FINGERS, SIZE
from sweepscope_lab.scenes.targets import TARGETS
from sweepscope_lab.simulate.grasp import Grasp, GraspSettings

from sweepscope.errors import InaccessibleFile, InvalidQuery, MissingFile

JOINTS = {f"{finger} {k}" for finger in FINGERS for k in (1, 2, 3)}
KEYS = ["settings", "contacts", "joints", "ends", "finished", "held", "max_penetration", "hand_size", "frames"]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["exact", "radar"])
def test_json_is_the_whole_outcome(method, capsys):
    settings = GraspSettings("box", method=method, step=6.0)
    assert cli.run_grasp(settings, None, None, None, True) == 0
    answer = json.loads(capsys.readouterr().out)
    assert list(answer) == KEYS
    assert answer["settings"] == {
        "target": "box", "hands": 1, "method": method, "pixels": 50, "step": 6.0, "frames": 600, "seed": 0,
        "hand": "round", "rule": "pixels",
    }  # fmt: skip
    assert set(answer["joints"]) == set(answer["ends"]) == JOINTS
    assert all(-1e-9 <= angle <= math.radians(120.0) for angle in answer["joints"].values())
    assert set(answer["ends"].values()) <= {"contact", "link", "limit"}
    assert answer["hand_size"] == SIZE
    assert len(answer["contacts"]) > 3
    names = {name for name, _, _ in TARGETS["box"]().parts}
    for contact in answer["contacts"]:
        assert list(contact) == ["hand", "link", "body", "point", "normal", "separation"]
        assert contact["hand"] == 1
        assert contact["link"] in JOINTS | {"palm"}
        assert contact["body"] in names or contact["body"].startswith("hand 1/")
        assert np.linalg.norm(contact["normal"]) == pytest.approx(1.0)
        if method == "exact":
            assert abs(contact["separation"]) < 1e-6
    assert [frame["frame"] for frame in answer["frames"]] == list(range(len(answer["frames"])))
    for frame in answer["frames"]:
        assert list(frame) == ["frame", "phases", "detections", "ms", "contacts", "penetration"]
        assert frame["ms"] > 0.0
        assert frame["detections"] >= 0
    assert sum(frame["detections"] for frame in answer["frames"]) > 50
    assert answer["max_penetration"] == max(frame["penetration"] for frame in answer["frames"])
    if method == "exact":
        assert answer["max_penetration"] < 1e-6 * SIZE


@pytest.mark.slow
def test_joints_of_several_hands_are_named_as_their_bodies_are(capsys):
    assert cli.run_grasp(GraspSettings(hands=2, step=10.0), None, None, None, True) == 0
    answer = json.loads(capsys.readouterr().out)
    both = {f"hand {k}/{joint}" for k in (1, 2) for joint in JOINTS}
    assert set(answer["joints"]) == set(answer["ends"]) == both
    assert {contact["hand"] for contact in answer["contacts"]} == {1, 2}
    assert all(len(frame["phases"]) == 2 for frame in answer["frames"])


@pytest.mark.slow
def test_tables_tell_contacts_joints_and_what_was_measured(capsys):
    assert cli.run_grasp(GraspSettings(step=10.0), None, None, None, False) == 0
    shown = capsys.readouterr().out
    for words in ("what touches at the end", "separation", "joints: degrees", "thumb", "little", "deepest penetration"):
        assert words in shown
    assert "index 3" in shown
    assert "hand's size, 400" in shown


@pytest.mark.slow
def test_every_target_has_a_line(capsys):
    assert cli.run_all(GraspSettings(step=20.0), None, None, None, False) == 0
    shown = capsys.readouterr().out
    for name in TARGETS:
        assert f"\n {name} " in shown


@pytest.mark.slow
def test_every_target_as_json(capsys):
    # Few frames: what counts here is that all are there.
    assert cli.run_all(GraspSettings(frames=3), None, None, None, True) == 0
    out, err = capsys.readouterr()
    answer = json.loads(out)
    assert list(answer) == list(TARGETS)
    for name, one in answer.items():
        assert list(one) == KEYS
        assert one["settings"]["target"] == name
        assert len(one["frames"]) == 3
    assert err.count("not done after 3 frames") == len(TARGETS)


def test_files_are_of_one_run(tmp_path):
    for option, files in (
        ("--csv", (tmp_path / "a.csv", None, None)),
        ("--picture", (None, tmp_path / "a.png", None)),
        ("--contact-map", (None, None, tmp_path / "a.png")),
    ):
        with pytest.raises(InvalidQuery, match=f"{option} is .*give one target"):
            cli.run_all(GraspSettings(), *files, False)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_frames_and_pictures_are_written(tmp_path, capsys):
    table, strip, contacts = (tmp_path / name for name in ("frames.csv", "strip.png", "contacts.png"))
    assert cli.run_grasp(GraspSettings("mug", step=10.0), table, strip, contacts, True) == 0
    frames = json.loads(capsys.readouterr().out)["frames"]
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["frame", "phases", "detections", "ms", "contacts", "penetration"]
    assert len(rows) == len(frames)
    for row, frame in zip(rows, frames, strict=True):
        assert row["phases"].split(" ") == frame["phases"]
        assert int(row["detections"]) == frame["detections"]
        assert float(row["ms"]) == pytest.approx(frame["ms"], abs=1e-4)
        assert float(row["penetration"]) == frame["penetration"]
    for picture in (strip, contacts):
        assert picture.read_bytes().startswith(b"\x89PNG")
        assert picture.stat().st_size > 10_000


def test_files_that_cannot_be_written_are_refused_before_any_work(tmp_path):
    nowhere = tmp_path / "no folder"
    for files, says in (
        ((nowhere / "a.csv", None, None), "--csv: there is no folder"),
        ((None, nowhere / "a.png", None), "--picture: there is no folder"),
        ((None, None, nowhere / "a.png"), "--contact-map: there is no folder"),
        ((None, tmp_path / "a.gif", None), r"--picture is .*ends in \.png"),
        ((None, None, tmp_path / "a"), r"--contact-map is .*ends in \.png"),
    ):
        with pytest.raises(MissingFile if "folder" in says else InvalidQuery, match=says):
            cli.run_grasp(GraspSettings(), *files, False)
    with pytest.raises(InaccessibleFile, match=r"--csv: .* cannot be written"):
        cli.run_grasp(GraspSettings(frames=1), tmp_path, None, None, False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--target", "ghost"], "target is 'ghost'; accepted: 'box', 'ball'"),
        (["--method", "guess"], "accepted: 'exact', 'radar'"),
        (["--hands", "0"], "hands is 0"),
        (["--hands", "6"], "from 1 to 5"),
        (["--pixels", "0"], "pixels is 0"),
        (["--step", "nan"], "step is nan"),
        (["--frames", "0"], "frames is 0"),
        (["--seed", "-1"], "seed is -1"),
        (["--target", "all", "--csv", "x.csv"], "--csv is x.csv"),
    ],
)
def test_bad_arguments_are_one_line(run, arguments, says):
    done = run("simulate", "grasp", *arguments, check=2)
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert says in done.stderr


@pytest.mark.slow
def test_command_line(tmp_path, run):
    options = ["--target", "cone", "--hands", 2, "--method", "radar", "--pixels", 20, "--step", 5, "--frames", 4, "--seed", 3]
    files = ["--csv", tmp_path / "a.csv", "--picture", tmp_path / "b.png", "--contact-map", tmp_path / "c.png"]
    answer = json.loads(run("simulate", "grasp", *options, *files, "--json", check=0).stdout)
    assert answer["settings"] == {
        "target": "cone", "hands": 2, "method": "radar", "pixels": 20, "step": 5.0, "frames": 4, "seed": 3,
        "hand": "round", "rule": "pixels",
    }  # fmt: skip
    assert len(answer["frames"]) == 4
    assert {path.name for path in tmp_path.iterdir()} == {"a.csv", "b.png", "c.png"}


@pytest.mark.slow
def test_interrupting_tells_what_there_is(capsys, monkeypatch, tmp_path):
    step = Grasp.step

    def interrupted(self):
        if len(self.records) == 3:
            signal.raise_signal(signal.SIGINT)
        return step(self)

    monkeypatch.setattr(Grasp, "step", interrupted)
    assert cli.run_grasp(GraspSettings(frames=50), tmp_path / "frames.csv", None, None, True) == 0
    out, err = capsys.readouterr()
    assert len(json.loads(out)["frames"]) == 4
    assert "stopped after 4 of at most 50 frames" in err
    assert len((tmp_path / "frames.csv").read_text().splitlines()) == 5
    assert cli.run_all(GraspSettings(frames=50), None, None, None, True) == 0
    assert list(json.loads(capsys.readouterr().out)) == [next(iter(TARGETS))]
