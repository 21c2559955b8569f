"""What all tests share."""

import sys

import numpy as np
import pytest


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


def _compiled_here():
    """The library's kernels that this process had to compile, with the argument types: Numba's own count."""
    jit = sys.modules.get("sweepscope.kernels._jit")
    if jit is None:
        return []
    return [
        f"{kernel.__module__}.{kernel.__name__}{types}" for kernel in jit.FOLDER.kernels for types in kernel.stats.cache_misses
    ]


def pytest_sessionfinish(session):
    if not session.config.option.warmed:
        return
    output = getattr(session.config, "workeroutput", None)
    if output is not None:  # a worker of pytest-xdist reports to its controller
        output["compiled"] = _compiled_here()
        return
    missing = sorted(set(_compiled_here() + _from_workers))
    if missing:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        print("\n\n'sweepscope warm' does not compile these kernels, which tests need (see sweepscope/warm.py):")
        print(*missing, sep="\n")


_from_workers = []


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    _from_workers.extend(getattr(node, "workeroutput", {}).get("compiled", []))
