"""What all tests share."""

import multiprocessing.process
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

_BEGAN = pytest.StashKey[float]()


@pytest.fixture
def rng(request):
    """A generator seeded by the test's own name: the same every time, another for every test."""
    return np.random.default_rng([ord(c) for c in request.node.nodeid])


class Done(NamedTuple):
    """Result of a command, with the names of subprocess.CompletedProcess."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def run(capsys):
    """Runs a command of `sweepscope` in this process: run("sweep", "a.stl", "b.stl", "--move", 0, 0, -5, check=1)."""
    from sweepscope.cli.main import main

    def run(*arguments, check=None):
        code = main([str(each) for each in arguments])
        done = Done(code, *capsys.readouterr())
        assert check is None or code == check, done.stderr + done.stdout
        return done

    return run


@pytest.fixture(autouse=True)
def _processes_are_slow(request, monkeypatch):
    """A test that starts a process must have the marker slow: `make test-fast` runs the others."""
    if request.node.get_closest_marker("slow") is not None:
        return

    def refuse(*_, **__):
        pytest.fail("this test starts a process; give it the marker slow")

    monkeypatch.setattr(subprocess.Popen, "__init__", refuse)
    monkeypatch.setattr(multiprocessing.process.BaseProcess, "start", refuse)


def pytest_addoption(parser):
    parser.addoption(
        "--warmed",
        action="store_true",
        help="all kernels were compiled before ('sweepscope warm'): fail if a test needs one that was not",
    )


def pytest_report_header(config):
    lines = []
    missing = [name for name in ("viser", "playwright") if find_spec(name) is None]
    if missing:
        lines.append(f"viewer: NOT TESTED here, {' and '.join(missing)} missing; 'make view-test' tests it")
    if "not bridges" in config.option.markexpr:
        lines.append(
            "bridges to torch, jax, pandas, open3d, pyvista, python-fcl, toppra, ruckig, Dask, OMPL: NOT TESTED here; "
            "'make test-bridges' tests them"
        )
    if "not gl" in config.option.markexpr:
        lines.append("pictures that OpenGL draws: NOT TESTED here; 'make gl-test' tests them")
    if "not cuda" in config.option.markexpr:
        lines.append("rows that an NVIDIA card answers: NOT TESTED here; 'make cuda-test' tests them where there is a card")
    if "not slow" in config.option.markexpr:
        lines.append("slow tests: NOT RUN here; 'make test' runs them")
    return lines


def pytest_collection_modifyitems(items):
    for item in items:
        if "browser" in item.fixturenames:
            item.add_marker(pytest.mark.slow)


def pytest_sessionstart(session):
    session.config.stash[_BEGAN] = time.time()


def pytest_sessionfinish(session):
    config = session.config
    if not config.option.warmed or hasattr(config, "workerinput"):  # a worker of pytest-xdist leaves it to its controller
        return
    missing = list(_compiled_since(config.stash[_BEGAN]))
    if missing:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        print("\n\n'sweepscope warm' does not compile these kernels, which tests need (see sweepscope/warm.py):")
        print(*missing, sep="\n")


def _compiled_since(began):
    """The library's kernels that were compiled since then, by whatever process, with their argument types."""
    from numba.core.caching import IndexDataCacheFile

    from sweepscope.kernels import _cache, _jit

    folder = Path(_jit.FOLDER.writing())
    fresh = {file.name for file in folder.glob("*.nbc") if file.stat().st_mtime > began}
    for title in sorted({name.rsplit(".", 2)[0] for name in fresh}):
        index = IndexDataCacheFile(str(folder), title, _cache.KERNELS)._load_index()
        yield from (f"{title}{types}" for types, name in index.items() if name in fresh)
