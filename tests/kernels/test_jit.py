"""The compile policy, and what is done with a Numba that it is not made for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import sweepscope
from sweepscope.kernels import _jit

pytestmark = pytest.mark.slow  # each test starts processes

# A question whose one kernel compiles in a second or two.
SWING = """
import sweepscope as ss
print(ss.fan.Swing(ss.Box((2, 0.2, 0.3)), (1, 0, 0), axis=(0, 0, 1), angle=1.0).times((0.9, 0.5, 0.0)).hex())
from sweepscope.kernels._jit import FOLDER, IS_TESTED
print(IS_TESTED, sum(len(kernel.stats.cache_misses) for kernel in FOLDER.kernels))
"""
UNKNOWN = {
    "newer": ("import numba; numba.__version__ = '0.99.0'", "0.99.0"),
    "older": ("import numba; numba.__version__ = '0.61.2'", "0.61.2"),
    "internals moved": (
        "import numba; numba.__version__ = '0.68.77'; import numba.core.codegen as codegen; del codegen.JITCodeLibrary",
        "0.68.77",
    ),
}


def ask(code, cache):
    """Start a fresh process with a cache folder of its own; return what it prints, and its errors."""
    environment = {**os.environ, "SWEEPSCOPE_CACHE": str(cache), "PYTHONPATH": str(Path(sweepscope.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), done.stderr.splitlines()


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    """What is answered with the policy."""
    (answer, state), lines = ask(SWING, tmp_path_factory.mktemp("cache"))
    assert state == "True 1"
    assert "policy" not in "".join(lines)
    return answer


@pytest.mark.parametrize("how", UNKNOWN)
def test_with_an_unknown_numba_answers_are_the_same_one_line_warns_and_kernels_are_kept(how, known, tmp_path):
    before, version = UNKNOWN[how]
    for state in ("False 1", "False 0"):  # compiled once
        (answer, found), (line,) = ask(f"{before}\n{SWING}", tmp_path)
        assert (answer, found) == (known, state)
        tested = f"(tested: {_jit.TESTED[0]} to {_jit.TESTED[-1]})"
        assert line.startswith(
            f"sweepscope has no compile policy for Numba {version} {tested}: kernels are compiled by plain njit"
        )


def test_warm_works_with_an_unknown_numba(tmp_path):
    unknown = UNKNOWN["newer"][0]
    (tmp_path / "sitecustomize.py").write_text(unknown)  # for the processes that warm starts
    path = f"{tmp_path}{os.pathsep}{Path(sweepscope.__file__).parents[1]}"
    environment = {**os.environ, "SWEEPSCOPE_CACHE": str(tmp_path / "cache"), "PYTHONPATH": path}
    for code in ("from sweepscope.warm import warm; warm(['swings'])", SWING):
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert done.stdout.splitlines()[1] == "False 0"  # found, though in a process that compiles for its own CPU
