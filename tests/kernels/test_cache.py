"""Where compiled kernels are kept: found by content, compiled once, announced, cleared away."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest
from sweepscope_lab.kernels import _jit as lab_jit

import sweepscope
from sweepscope.kernels import _cache, _jit

SOURCE = Path(sweepscope.__file__).parent
# A question whose one kernel compiles in a second or two.
SWING = """
import sweepscope as ss
print(ss.fan.Swing(ss.Box((2, 0.2, 0.3)), (1, 0, 0), axis=(0, 0, 1), angle=1.0).times((0.9, 0.5, 0.0)))
from sweepscope.kernels._jit import FOLDER
print(sum(len(kernel.stats.cache_misses) for kernel in FOLDER.kernels))
"""


def run(code, cache, package=SOURCE.parent):
    """Start a fresh process with a cache folder of its own."""
    environment = {**os.environ, "SWEEPSCOPE_CACHE": str(cache), "PYTHONPATH": str(package)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", code], env=environment, cwd=cache.parent, **pipes)


def answer(process):
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out.split()


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A folder of kernels in an empty cache."""
    monkeypatch.setenv("SWEEPSCOPE_CACHE", str(tmp_path / "cache"))
    return _cache.Folder("0123456789abcdef")


def twice(x):
    return 2.0 * x


def test_a_change_in_any_subfolder_starts_afresh(tmp_path):
    room = tmp_path / "room"
    room.mkdir()
    (tmp_path / "a.py").write_text("A = 1")
    (room / "b.py").write_text("B = 1")
    before = _cache.digest(str(tmp_path))
    assert _cache.digest(str(tmp_path)) == before
    (room / "b.py").write_text("B = 2")
    changed = _cache.digest(str(tmp_path))
    assert changed != before
    (room / "b.py").rename(room / "c.py")
    assert _cache.digest(str(tmp_path)) not in (before, changed)


def test_the_librarys_cache_does_not_know_the_laboratory():
    assert lab_jit.FOLDER.path != _jit.FOLDER.path
    assert _jit.FOLDER.path.endswith(_cache.KERNELS)


@pytest.mark.slow
def test_ten_processes_at_once_compile_each_kernel_once_and_a_copy_elsewhere_finds_it(tmp_path):
    cache = tmp_path / "cache"
    answers = [answer(each) for each in [run(SWING, cache) for _ in range(10)]]
    assert len({time for time, _ in answers}) == 1
    assert sum(int(compiled) for _, compiled in answers) == 1
    shutil.copytree(SOURCE, tmp_path / "elsewhere" / "sweepscope", ignore=shutil.ignore_patterns("__pycache__"))
    assert answer(run(SWING, cache, tmp_path / "elsewhere")) == [answers[0][0], "0"]


def test_a_long_compilation_is_announced_and_only_the_first_time(own, monkeypatch, caplog):
    monkeypatch.setattr(_cache, "_SILENT", 0.0)
    assert _jit.kernels_in(own)(twice)(3.0) == 6.0
    (told,) = [record.message for record in caplog.records if "compiling" in record.message]
    assert "twice, once: kept in" in told
    assert own.writing() in told
    caplog.clear()
    again = _jit.kernels_in(own)(twice)
    assert again(3.0) == 6.0
    assert not again.stats.cache_misses
    assert not caplog.records


def test_a_short_compilation_is_silent(own, caplog):
    _jit.kernels_in(own)(twice)(3.0)
    assert not caplog.records


def test_a_damaged_file_is_compiled_again(own, caplog):
    _jit.kernels_in(own)(twice)(3.0)
    for file in Path(own.writing()).glob("*.nbc"):
        file.write_bytes(b"damaged")
    again = _jit.kernels_in(own)(twice)
    assert again(3.0) == 6.0
    assert again.stats.cache_misses
    assert "cannot be read" in caplog.text
    assert not _jit.kernels_in(own)(twice).stats.cache_misses


def test_a_compilation_that_fails_leaves_no_lock(own):
    def wrong(x):
        return x + "one"

    with pytest.raises(numba.errors.TypingError):
        _jit.kernels_in(own)(wrong)(3.0)
    (lock,) = Path(own.writing()).glob("*.lock")
    fcntl = pytest.importorskip("fcntl")
    with lock.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_cache_that_cannot_be_written_is_said_and_works(tmp_path, monkeypatch, caplog):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SWEEPSCOPE_CACHE", str(tmp_path / "file"))
    assert _jit.kernels_in(_cache.Folder("0123456789abcdef"))(twice)(3.0) == 6.0
    assert "cannot be written" in caplog.text


def test_folders_of_old_versions_are_cleared_away(tmp_path, monkeypatch):
    monkeypatch.setenv("SWEEPSCOPE_CACHE", str(tmp_path))
    for k in range(20):
        folder = tmp_path / f"{k:016x}"
        folder.mkdir()
        os.utime(folder, (1000 + k, 1000 + k))
    (tmp_path / "somebody else's").mkdir()
    assert _cache.Folder("f" * 16).path == str(tmp_path / ("f" * 16))
    kept = {path.name for path in tmp_path.iterdir()}
    assert kept == {"f" * 16, "somebody else's", *(f"{k:016x}" for k in range(12, 20))}


def shipment(folder, **changes):
    folder.mkdir()
    (folder / "about.json").write_text(json.dumps({**_cache.label(), **changes}))
    return str(folder)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"Numba": "0.1.2"}, f"they are for Numba 0.1.2, this is {numba.__version__}"),
        ({"Python": "cpython 2.7"}, "they are for Python cpython 2.7, this is "),
        ({"kernels": "other"}, "they are of other sources"),
        ({"system": "Plan 9"}, "they are for system Plan 9, this is "),
    ],
)
def test_shipped_kernels_that_do_not_fit_are_not_used_and_one_line_says_why(own, tmp_path, caplog, changes, reason):
    folder = _cache.Folder("0123456789abcdef", shipment(tmp_path / "shipped", **changes))
    assert str(tmp_path / "shipped") not in folder.reading()
    assert not caplog.records  # nothing is compiled yet
    assert _jit.kernels_in(folder)(twice)(3.0) == 6.0
    (line,) = [record.message for record in caplog.records]
    assert line.startswith(f"the compiled kernels in this sweepscope are not used: {reason}")
    assert line.endswith("; they are compiled again, once")


def test_shipped_kernels_need_their_level_of_cpu(own, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(_cache, "HAS_LEVEL", False)
    folder = _cache.Folder("0123456789abcdef", shipment(tmp_path / "shipped"))
    _jit.kernels_in(folder)(twice)(3.0)
    assert f"they need a CPU of level {_cache.LEVEL}" in caplog.text


def test_shipped_kernels_that_fit_are_asked_first(own, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(_cache, "HAS_LEVEL", True)
    folder = _cache.Folder("0123456789abcdef", shipment(tmp_path / "shipped"))
    assert next(iter(folder.reading())) == str(tmp_path / "shipped")
    assert not (tmp_path / "cache").exists()
