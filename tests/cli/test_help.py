"""The help of the command line: groups, examples that can be typed, lines that fit a screen of 80 columns; completion."""

import os
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from sweepscope.cli.help import OTHER, SETUP, Grouped, examples
from sweepscope.cli.main import commands

GROUPS = {
    "Collision queries": {
        "sweep",
        "distance",
        "slide",
        "predict",
        "probe",
        "look",
        "cast",
        "overlaps",
        "overlap",
        "plan",
        "robot",
        "swing",
    },
    "Viewing and files": {"view", "info", "demo"},
    "Simulations and papers": {"simulate", "papers"},
    "Verification and benchmarks": {"verify", "fuzz", "bench"},
    "Setup": {"warm"},
}
WITHOUT_ANSWER = {"view", "simulate"}


def all_commands():
    """Every command by its words, the root and groups too."""
    todo = [((), typer.main.get_command(commands()))]
    found = {}
    while todo:
        words, command = todo.pop()
        found[words] = command
        todo += [((*words, name), each) for name, each in getattr(command, "commands", {}).items()]
    return found


COMMANDS = all_commands()
EXAMPLES = [
    (words, line.strip())
    for words, command in COMMANDS.items()
    for line in (command.epilog or "").splitlines()
    if line.strip().startswith("sweepscope ")
]


@cache
def help_of(words):
    return CliRunner(env={"COLUMNS": "80", "TERMINAL_WIDTH": None}).invoke(commands(), [*words, "--help"]).stdout


def test_commands_are_listed_in_groups():
    shown = help_of(())
    sections = re.findall(r"(?m)^(\w[\w ]*):\n((?:  \S.*\n)+)", shown)
    listed = {title: {line.split()[0] for line in lines.splitlines()} for title, lines in sections}
    del listed["Options"]
    assert listed == GROUPS
    assert list(listed) == list(GROUPS)
    assert shown.splitlines()[-1].startswith("  Examples: ")


@pytest.mark.parametrize("words", [(), ("simulate",)], ids=["sweepscope", "simulate"])
def test_summaries_are_not_cut(words):
    names = COMMANDS[words].commands
    found = re.findall(rf"(?m)^  ({'|'.join(names)}) +(\S.*)$", help_of(words))
    assert {name for name, _ in found} == set(names)
    assert [summary for _, summary in found if not summary.endswith(".") or summary.endswith("...")] == []


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words) or "sweepscope")
def test_help_fits_80_columns_and_is_plain(words):
    shown = help_of(words)
    assert shown.startswith("Usage: ")
    assert [line for line in shown.splitlines() if len(line) > 80] == []
    assert "\x1b" not in shown


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words) or "sweepscope")
def test_help_has_no_names_of_types(words):
    """NUMBER and FILE, not <float> or <list[Path]>, whatever this version of typer writes."""
    lines = help_of(words).partition("Arguments:" if "Arguments:" in help_of(words) else "Options:")[2].splitlines()
    names = [line.split("  ")[1] for line in lines if re.match(r"  [\w\[-]", line)]
    assert names
    assert [name for name in names if re.search(r"[<>]|\b(float|int|str|list|Path|FLOAT|INTEGER|PATH)\b", name)] == []


def test_values_of_options_have_plain_names():
    for words, shown in (
        (("sweep",), ("  mover  ", "  scene...  ", "  --margin NUMBER  ", "  --picture FILE  ", "  --angle DEGREES  ")),
        (("robot",), ("  --joint NAME  ", "  --to VALUE  ", "  --geometry collision|visual  ", "  --with FILE  ")),
        (("predict",), ("  --body FILE  ", "  --at X Y Z  ")),
        (("papers",), ("  --out FOLDER  ",)),
        (("simulate", "bounce"), ("  --frames NUMBER  ", "  --gif FILE  ")),
    ):
        assert [each for each in shown if each.lower() not in help_of(words).lower()] == []
    assert "[kinds]..." in help_of(("warm",)).lower().splitlines()[0]


def test_every_command_has_examples():
    assert {words for words, _ in EXAMPLES} == set(COMMANDS) - {()}
    for words, line in EXAMPLES:
        assert f"\n    {line}\n" in help_of(words)


@pytest.mark.parametrize(("words", "line"), EXAMPLES, ids=[line for _, line in EXAMPLES])
def test_examples_parse(words, line):
    given = shlex.split(line)[1:]
    assert tuple(given[: len(words)]) == words
    command, rest = COMMANDS[words], given[len(words) :]
    if words == ("simulate",):
        words, command, rest = tuple(given[:2]), COMMANDS[tuple(given[:2])], given[2:]
    command.make_context(" ".join(words), rest)  # raises for what it does not know or cannot convert


def test_a_wrong_example_would_not_parse():
    for wrong in ("tool.stl room.obj --mov 0 0 -5", "tool.stl room.obj --move 0 0", "tool.stl", "a b --margin wide"):
        with pytest.raises(Exception, match=r"(?i)no such option|3 numbers|missing|not a valid|a valid number"):
            COMMANDS["sweep",].make_context("sweep", shlex.split(wrong))


def test_json_wherever_there_is_an_answer():
    without = {words for words, command in COMMANDS.items() if not any("--json" in each.opts for each in command.params)}
    assert without == {(), *((name,) for name in WITHOUT_ANSWER)}


def test_the_page_has_every_command_in_one_table():
    page = (Path(__file__).parents[2] / "docs/command_line.md").read_text("utf-8")
    listed = re.findall(r"(?m)^\| `(\w+)` \|", page)
    assert sorted(listed) == sorted(set().union(*GROUPS.values()))


def test_orientation_is_the_same_option_everywhere():
    """A command that places a mover orients it too, by the same four numbers."""
    placing = {words: {name: each for each in command.params for name in each.opts} for words, command in COMMANDS.items()}
    placing = {words: options for words, options in placing.items() if "--at" in options}
    assert {words for (words,) in placing} == {"sweep", "distance", "slide", "predict", "probe", "overlap", "swing"}
    assert {options["--orient"].metavar for options in placing.values()} == {"X Y Z DEGREES"}


def test_a_command_without_a_group_is_listed_last():
    app = typer.Typer(cls=Grouped, rich_markup_mode=None)
    for name, group in (("other", None), ("warm", SETUP), ("odd", "Elsewhere")):
        app.command(name, rich_help_panel=group, epilog=examples(name))(lambda: None)
    shown = CliRunner().invoke(app, ["--help"]).stdout
    assert shown.index(f"{SETUP}:") < shown.index(f"{OTHER}:") < shown.index("other") < shown.index("odd")


@pytest.mark.slow
def test_a_shell_completes_commands():
    code = "import sys; sys.argv = ['sweepscope']; import sweepscope.cli.main as m; m.run()"
    asked = {"_SWEEPSCOPE_COMPLETE": "complete_bash", "COMP_WORDS": "sweepscope s", "COMP_CWORD": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **asked}, capture_output=True, text=True, check=False
    )
    assert sorted(done.stdout.split()) == ["simulate", "slide", "sweep", "swing"]
    assert done.returncode == 0
