"""Every example runs, and says something. A recipe says what its page says."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
RECIPES = sorted((ROOT / "examples/recipes").glob("*.py"))


def output_of(path):
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path):
    assert output_of(path)


@pytest.mark.slow
@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_recipe(path):
    page = (ROOT / "docs/recipes.md").read_text("utf-8")
    link = f"[examples/recipes/{path.name}](../examples/recipes/{path.name})"
    assert page.count(link) == 1
    said = page.partition(link)[2].partition("```text\n")[2].partition("```")[0]
    assert output_of(path) == said


def test_there_are_examples():
    assert len(EXAMPLES) >= 4
    assert len(RECIPES) >= 7
