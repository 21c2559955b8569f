"""`sweepscope warm`: kernels of some kinds of question are compiled now, and need not be later."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sweepscope.errors import InvalidQuery
from sweepscope.kernels import _cache, _jit
from sweepscope.warm import _start_worker, warm


def run_process(*arguments, cache):
    command = [sys.executable, "-m", "sweepscope", *arguments]
    return subprocess.run(
        command, env={**os.environ, "SWEEPSCOPE_CACHE": str(cache)}, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_what_is_warm_is_not_compiled_again(tmp_path):
    first = run_process("warm", "swings", cache=tmp_path)
    assert first.returncode == 0, first.stderr
    assert first.stdout.startswith("1 kind of question is ready")
    compiled = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbc")}
    assert len(compiled) >= 4
    second = run_process("warm", "swings", "--json", cache=tmp_path)
    assert second.returncode == 0, second.stderr
    summary = json.loads(second.stdout)
    assert summary["kinds"] == ["swings"]
    assert summary["seconds"] > 0
    assert Path(summary["folder"]).is_relative_to(tmp_path)
    assert "compiling" in second.stderr
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbc")} == compiled


def test_an_unknown_kind_is_bad_input(run):
    done = run("warm", "swims", check=2)
    assert "kind is 'swims'" in done.stderr
    assert "turns" in done.stderr
    with pytest.raises(InvalidQuery, match="swims"):
        warm(["swims"])


@pytest.mark.slow
def test_a_kind_that_fails_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(_jit, "FOLDER", _cache.Folder("0123456789abcdef"))
    monkeypatch.setenv("SWEEPSCOPE_CACHE", str(tmp_path))
    monkeypatch.setattr("sweepscope.warm.sys.executable", "/bin/false")  # the process that should compile ends at once
    with pytest.raises(RuntimeError, match="could not be compiled or kept: swings"):
        warm(["swings"])


@pytest.mark.slow
def test_workers_import_from_where_this_process_does(tmp_path, monkeypatch):
    """A wheel is built from sources that are not installed."""
    (tmp_path / "only_here.py").write_text("print('found')")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("sweepscope.warm._WORKER", "import only_here")
    with _start_worker() as worker:
        assert worker.communicate()[0] == "found\n"
