"""Importing is light: nothing heavy until a scene is made."""

import subprocess
import sys

import pytest

HEAVY = ("numba", "llvmlite", "trimesh", "scipy", "typer", "rich", "matplotlib", "viser", "websockets", "PIL")


@pytest.mark.slow
def test_import_pulls_in_nothing_heavy():
    code = f"import sweepscope, sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
def test_help_pulls_in_no_numba():
    code = (
        "import sys\nfrom sweepscope.cli.main import app\n"
        "try: app(['--help'])\nexcept SystemExit: pass\n"
        "print([name for name in ('numba', 'numpy', 'trimesh') if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "numba" not in done.stderr
    assert "trimesh" not in done.stderr
