"""Errors: exit codes, JSON, Ctrl-C."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import trimesh

import sweepscope.cli.sweep


@pytest.fixture
def files(tmp_path):
    trimesh.creation.box((1, 1, 1)).export(tmp_path / "cube.stl")
    trimesh.creation.box((10, 10, 0.2)).export(tmp_path / "floor.stl")
    return tmp_path / "cube.stl", tmp_path / "floor.stl"


BAD = {
    "an empty file": (("empty.stl", "--move", 0, 0, 1), "InvalidGeometry", "empty.stl: is empty"),
    "no motion": ((), "InvalidMotion", "given: no motion; accepted: --move X Y Z"),
    "not a number": (("--move", 0, 0, "x"), "UsageError", "Invalid value for '--move': Z is 'x'; accepted: 3 numbers, X Y Z"),
    "two numbers": (
        ("--at", 0, 0, "--move", 0, 0, 1),
        "UsageError",
        "Invalid value for '--at': given: 0 0; accepted: 3 numbers, X Y Z",
    ),
    "an unknown option": (("--mve", 0), "UsageError", "No such option: --mve"),
    "an unknown choice": (("--move", 0, 0, 1, "--resting", "maybe"), "UsageError", "'maybe'"),
    "no axis": (("--move", 0, 0, 1, "--orient", 0, 0, 0, 90), "InvalidPose", "--orient axis is 0 0 0"),
    "no angle": (("--move", 0, 0, 1, "--orient", 0, 0, 1, "nan"), "InvalidPose", "--orient angle is nan"),
}


@pytest.mark.parametrize("case", BAD)
def test_with_json_an_error_is_one_object_on_the_output(files, run, case, monkeypatch):
    words, kind, message = BAD[case]
    monkeypatch.chdir(files[0].parent)
    Path("empty.stl").touch()
    done = run("sweep", *files, *words, "--json", check=2)
    (line,) = done.stdout.splitlines()
    error = json.loads(line)["error"]
    assert list(error) == ["type", "message"]
    assert error["type"] == kind
    assert message in error["message"]
    assert done.stderr == ""
    plain = run("sweep", *files, *words, check=2)
    assert plain.stdout == ""
    assert message in plain.stderr


def test_the_wrong_number_of_an_option_is_named_however_it_is_written(files, run):
    assert "'--move': X is 'a'" in run("sweep", *files, "--move=a", 0, 1, check=2).stderr
    assert "'--orient': DEGREES is 'right'" in run("sweep", *files, "--orient", 0, 0, 1, "right", check=2).stderr
    assert "'--pixels': ROWS is 'x'" in run("probe", *files, "--move", 0, 0, 1, "--pixels", 5, "x", check=2).stderr
    run("sweep", *files, "--move=0", 0, 1, "--at", 0, 0, 3, check=0)


def test_unknown_commands_and_no_command(run):
    assert "No such command 'swoop'" in json.loads(run("swoop", "--json", check=2).stdout)["error"]["message"]
    assert "No such command 'swoop'" in run("swoop", check=2).stderr
    assert "Collision queries:" in run(check=2).stderr


def test_an_error_in_the_program_is_exit_code_3(files, run, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("of no use")

    monkeypatch.setattr(sweepscope.cli.sweep, "run_sweep", broken)
    done = run("sweep", *files, "--move", 0, 0, -1, "--json", check=3)
    assert json.loads(done.stdout) == {"error": {"type": "ZeroDivisionError", "message": "of no use"}}
    assert "Traceback" in done.stderr
    done = run("sweep", *files, "--move", 0, 0, -1, check=3)
    assert done.stdout == ""
    assert "ZeroDivisionError: of no use" in done.stderr


@pytest.fixture
def interruptible():
    """Ctrl-C as in a terminal: a shell starts processes in the background with SIGINT ignored, and tests inherit that."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_is_exit_code_130(files, run, monkeypatch):
    monkeypatch.setattr(sweepscope.cli.sweep, "run_sweep", lambda *_: signal.raise_signal(signal.SIGINT))
    assert run("sweep", *files, "--move", 0, 0, -1, "--json", check=130).stdout == ""


def process(*words):
    command = [sys.executable, "-m", "sweepscope", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.slow
def test_exit_codes_of_a_process(files):
    cube, floor = files
    down, up = ("--at", 0, 0, 3, "--move", 0, 0, -3), ("--at", 0, 0, 3, "--move", 0, 0, 3)
    assert process("sweep", cube, floor, *up).returncode == 0
    hit = process("sweep", cube, floor, *down, "--json")
    assert hit.returncode == 1
    assert json.loads(hit.stdout)["hit"] is True
    bad = process("sweep", cube, floor, "--json")
    assert bad.returncode == 2
    assert json.loads(bad.stdout)["error"]["type"] == "InvalidMotion"


@pytest.mark.slow
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(("does", "code"), [("signal.raise_signal(signal.SIGINT)", 130), ("1 / 0", 3)])
def test_a_process_that_is_interrupted_or_broken(files, does, code):
    """Not exit code 1, which means a hit."""
    broken = f"import signal, sweepscope.cli.sweep as s, sweepscope.cli.main as m; s.run_sweep = lambda *_: {does}; m.run()"
    command = [sys.executable, "-c", broken, "sweep", *map(str, files), "--move", "0", "0", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == code, done.stderr
    assert ("Traceback" in done.stderr) is (code == 3)
    assert done.stdout == ""
