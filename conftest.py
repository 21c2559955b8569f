"""What all tests share."""

import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

_BEGAN = pytest.StashKey[float]()


@pytest.fixture
def rng(request):
    """A generator seeded by the test's own name: the same every time, another for every test."""
    return np.random.default_rng([ord(c) for c in request.node.nodeid])


def pytest_addoption(parser):
    parser.addoption(
        "--warmed",
        action="store_true",
        help="all kernels were compiled before ('sweepscope warm'): fail if a test needs one that was not",
    )


def pytest_report_header():
    missing = [name for name in ("viser", "playwright") if find_spec(name) is None]
    return f"viewer: NOT TESTED here, {' and '.join(missing)} missing; 'make view-test' tests it" if missing else None


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
