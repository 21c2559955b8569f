"""What is in the wheel, who adds commands, and where thresholds are."""

import ast
import io
import re
import subprocess
import sys
import tokenize
import zipfile
from importlib.metadata import entry_points
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def built(folder, where):
    """The names of the modules and data in the wheel of a project."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(where)]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (wheel,) = where.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        return [name for name in packed.namelist() if name.endswith((".py", ".npz"))]


@pytest.mark.slow
def test_a_users_wheel_holds_the_library_alone(tmp_path):
    names = built(ROOT, tmp_path)
    assert len(names) > 80
    assert all(name.startswith("sweepscope/") for name in names)
    laboratory = {"papers", "book", "simulate", "compared", "bench", "verify", "reference", "scenes"}
    assert not laboratory & {part for name in names for part in Path(name).with_suffix("").parts}
    assert "sweepscope/kernels/sweep/sweeper.py" in names
    assert "sweepscope/drawing/glyphs.npz" in names


@pytest.mark.slow
def test_the_laboratory_is_a_wheel_of_its_own(tmp_path):
    names = built(ROOT / "lab", tmp_path)
    assert all(name.startswith("sweepscope_lab/") for name in names)


@pytest.mark.slow
def test_the_library_alone_imports_nothing_of_the_laboratory():
    code = "import sweepscope.cli.main, sys; print([name for name in sys.modules if name.startswith('sweepscope_lab')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_laboratorys_commands_join_by_an_entry_point():
    assert [point.value for point in entry_points(group="sweepscope.commands")] == ["sweepscope_lab.cli.commands:register"]


def test_thresholds_of_kernels_are_in_one_file():
    kernels = ROOT / "src/sweepscope/kernels"
    small = re.compile(r"\d(?:\.\d*)?e-\d")
    found = [
        f"{path.name}: {token.string}"
        for path in sorted(kernels.rglob("*.py"))
        if path.name != "tolerances.py"
        for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline)
        if token.type == tokenize.NUMBER and small.match(token.string)
    ]
    assert found == []


def test_a_column_of_the_arrays_has_one_meaning():
    """Names of columns are assigned once: the second of two would silently replace the first."""
    tree = ast.parse((ROOT / "src/sweepscope/kernels/layout.py").read_text("utf-8"))
    names = [
        target.id
        for line in tree.body
        if isinstance(line, ast.Assign)
        for target in line.targets
        if isinstance(target, ast.Name)
    ]
    assert len(names) > 100
    assert [name for name in set(names) if names.count(name) > 1] == []
