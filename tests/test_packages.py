"""What the packages declare: versions, dependencies, addresses, the recipe for conda, the tag of a wheel."""

import importlib.util
import re
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest
import typer
import yaml
from packaging import tags
from packaging.requirements import Requirement

import sweepscope
from sweepscope.cli import main
from sweepscope.kernels import _cache, _jit

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LABORATORY = tomllib.loads((ROOT / "lab" / "pyproject.toml").read_text())["project"]
RECIPE = yaml.safe_load((ROOT / "packaging" / "recipe.yaml").read_text())
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text())


def load(path):
    """A file of Python that belongs to no package."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def requirements(texts):
    """Accepted versions by name."""
    return {each.name: each.specifier for each in map(Requirement, texts)}


def test_all_versions_agree():
    version = sweepscope.__version__
    assert LABORATORY["version"] == version
    assert RECIPE["context"]["version"] == version
    assert str(CITATION["version"]) == version
    newest = re.search(r"(?m)^## (\S+)", (ROOT / "CHANGELOG.md").read_text())
    assert newest[1] == version


def test_the_oldest_numba_that_is_accepted_is_one_that_is_tested():
    accepted = requirements(PROJECT["dependencies"])["numba"]
    assert str(accepted) == f">={_jit.TESTED[0]}"


def test_pythons_are_declared_once_and_in_order():
    listed = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert listed == [f"3.{minor}" for minor in range(11, 11 + len(listed))]
    assert PROJECT["requires-python"] == f">={listed[0]}" == LABORATORY["requires-python"]
    assert RECIPE["context"]["python_min"] == listed[0]


def test_the_recipe_needs_what_the_wheel_needs():
    run = [re.sub(r"^(\S+) ", r"\1", each) for each in RECIPE["requirements"]["run"] if not each.startswith("python ")]
    assert requirements(run) == requirements(PROJECT["dependencies"])
    host = [each.split()[0] for each in RECIPE["requirements"]["host"]]
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    assert sorted(host) == sorted(["pip", "python", *build])
    assert RECIPE["build"]["noarch"] == "python"
    assert RECIPE["build"]["python"]["entry_points"] == [f"{name} = {target}" for name, target in PROJECT["scripts"].items()]
    assert RECIPE["about"]["license"] == PROJECT["license"] == CITATION["license"]
    assert RECIPE["about"]["homepage"] == PROJECT["urls"]["Homepage"]


def test_the_library_does_not_ask_for_matplotlib():
    assert not [each for extra in PROJECT["optional-dependencies"].values() for each in extra if "matplotlib" in each]
    assert "matplotlib" in requirements(LABORATORY["dependencies"])


@pytest.mark.parametrize(
    ("platforms", "expected"),
    [
        (["manylinux_2_36_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64", "linux_x86_64"], "manylinux_2_17_x86_64"),
        (["manylinux_2_36_aarch64", "manylinux_2_17_aarch64", "linux_aarch64"], "manylinux_2_17_aarch64"),
        (["musllinux_1_2_x86_64", "musllinux_1_1_x86_64"], "musllinux_1_2_x86_64"),
        (list(tags.mac_platforms((14, 0), "arm64")), "macosx_11_0_arm64"),
        (list(tags.mac_platforms((13, 0), "x86_64")), "macosx_11_0_x86_64"),
        (["win_amd64"], "win_amd64"),
        (["win_arm64"], "win_arm64"),
    ],
)
def test_the_tag_of_a_wheel_is_the_platforms(platforms, expected):
    wheel_tag = load(ROOT / "hatch_build.py").wheel_tag
    assert wheel_tag(tags.Tag("cp313", "cp313", platforms[0]), platforms) == f"cp313-cp313-{expected}"
    assert wheel_tag(tags.Tag("cp314", "cp314t", platforms[0]), platforms) == f"cp314-cp314t-{expected}"


@pytest.mark.parametrize(
    ("triple", "level"),
    [
        ("x86_64-unknown-linux-gnu", "x86-64-v3"),
        ("x86_64-apple-darwin23.0.0", "x86-64-v3"),
        ("x86_64-pc-windows-msvc", "x86-64-v3"),
        ("aarch64-unknown-linux-gnu", "generic"),
        ("aarch64-pc-windows-msvc", "generic"),
        ("arm64-apple-darwin23.0.0", "apple-m1"),
        ("riscv64-unknown-linux-gnu", ""),
        ("powerpc64le-unknown-linux-gnu", ""),
    ],
)
def test_the_level_of_cpu_is_the_platforms(triple, level):
    found, needs = _cache.level_for(triple)
    assert found == level
    assert ("avx2" in needs) == triple.startswith("x86_64")


@pytest.fixture
def without_laboratory(monkeypatch):
    """The command line as it is where the laboratory is not installed."""
    group = typer.main.get_command(main.commands())
    for name in main.LABORATORY:
        del group.commands[name]
    monkeypatch.setattr(main, "commands", lambda: group)


@pytest.mark.parametrize("name", main.LABORATORY)
def test_a_command_of_the_laboratory_says_how_to_get_it(name, without_laboratory, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["sweepscope", name, "translate", "--cases", "3"])
    with pytest.raises(SystemExit) as end:
        main.run()
    assert end.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(
        f"sweepscope: {name!r} is a command of the laboratory, which is not installed: pip install sweepscope-lab"
    )


def test_an_unknown_command_is_still_unknown(without_laboratory, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["sweepscope", "verifi"])
    with pytest.raises(SystemExit) as end:
        main.run()
    assert end.value.code == 2
    assert "No such command 'verifi'" in capsys.readouterr().err


def test_the_commands_of_the_laboratory_are_known():
    (point,) = entry_points(group=main.COMMANDS)
    app = typer.Typer()
    point.load()(app)
    assert sorted(typer.main.get_command(app).commands) == sorted(main.LABORATORY)
