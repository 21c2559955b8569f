"""`sweepscope distance`."""

import json

import pytest

import sweepscope as ss
from sweepscope.cli.exits import BAD_INPUT, FREE, HIT


@pytest.fixture
def files(tmp_path):
    def write(name, mesh, place):
        rows = [f"v {x} {y} {z}" for x, y, z in mesh.vertices + place]
        rows += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in mesh.faces]
        (tmp_path / name).write_text("\n".join(rows))
        return tmp_path / name

    box = ss.Mesh.box((1, 1, 1))
    return [write("a.obj", box, (0, 0, 0)), write("b.obj", box, (3, 0, 0)), write("c.obj", box, (0, 5, 0))]


def test_table(files, run, tmp_path):
    done = run("distance", *files, "--count", 2, "--picture", tmp_path / "near.png", check=FREE)
    assert "2 from" in done.stdout
    assert "4 from" in done.stdout
    assert (tmp_path / "near.png").stat().st_size > 1000


def test_json(files, run):
    done = run("distance", *files, "--count", 9, "--limit", 3, "--json", check=FREE)
    (pair,) = json.loads(done.stdout)
    assert pair["distance"] == pytest.approx(2.0)
    assert pair["second"].endswith("b.obj")


def test_touching_is_exit_code_1(files, run):
    assert "touches" in run("distance", *files, "--at", 2, 0, 0, check=HIT).stdout
    assert "crosses" in run("distance", *files, "--at", 2.5, 0, 0, check=HIT).stdout
    assert "no body within 0.5" in run("distance", *files, "--limit", 0.5, check=FREE).stdout


@pytest.mark.parametrize(("option", "value"), [("--limit", -1), ("--limit", "nan"), ("--count", 0)])
def test_bad_options(files, run, option, value):
    assert option in run("distance", *files, option, value, check=BAD_INPUT).stderr
