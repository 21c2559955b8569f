"""The help of the command line: commands in groups, plain names of values, and examples. Needs only typer."""

from __future__ import annotations

import re
from typing import Any

from typer import BadParameter
from typer.core import TyperCommand, TyperGroup

QUERIES = "Collision queries"
VIEWING = "Viewing and files"
EXPERIMENTS = "Simulations and papers"
VERIFICATION = "Verification and benchmarks"
SETUP = "Setup"
OTHER = "Other"
GROUPS = (QUERIES, VIEWING, EXPERIMENTS, VERIFICATION, SETUP, OTHER)
"""Titles in the order of the help. Commands without a group are listed below the last."""
_TYPE = re.compile(
    r" (?:<(?:list\[)?([\w|]+)\]?(?: range)?>|(FLOAT|INTEGER|PATH|TEXT)(?: RANGE)?)$"
)  # as versions of typer write it
_WORDS = {"float": "NUMBER", "int": "NUMBER", "integer": "NUMBER", "path": "FILE", "str": "TEXT", "text": "TEXT"}
_AS_WRITTEN = "\b\n"  # the help formatter does not wrap the lines of a paragraph that begins so


class Grouped(TyperGroup):
    """Lists commands below the title of their group, which is their `rich_help_panel`."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command. An error about a number names what was given instead of it: `--move 0 0 x`."""
        try:
            return super().invoke(ctx)
        except BadParameter as error:
            details = getattr(error.__cause__, "errors", list)()  # of pydantic, which newer versions of typer use
            kinds = {"float_parsing": "a number", "int_parsing": "a whole number"}
            if details and details[0]["type"] in kinds:
                error.message = f"{details[0]['input']!r} is not {kinds[details[0]['type']]}"
            option: Any = error.param
            if option is not None and option.envvar is None:
                option.show_envvar = False  # else click before 8.3 adds "(env var: 'None')" to its name
            raise

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each group that has commands; their summaries begin in one column."""
        shown = {name: command for name, command in self.commands.items() if not command.hidden}
        width = max(map(len, shown), default=0)
        for group in GROUPS:
            own = [(name, command) for name, command in shown.items() if _group_of(command) == group]
            if own:
                with formatter.section(group):
                    limit = formatter.width - width - 4
                    formatter.write_dl([(f"{name:{width}}", command.get_short_help_str(limit)) for name, command in own])


class PlainCommand(TyperCommand):
    """A command whose help has NUMBER and FILE instead of names of Python types."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments by name, then the options, each with the name of its value."""
        rows: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for each in self.get_params(ctx):
            record: Any = each.get_help_record(ctx)
            if record is not None:
                argument = each.param_type_name == "argument"
                rows[each.param_type_name].append((_TYPE.sub("" if argument else _word, record[0]), record[1]))
        for title, kind in (("Arguments", "argument"), ("Options", "option")):
            if rows[kind]:
                with formatter.section(title):
                    formatter.write_dl(rows[kind])


def _word(found: re.Match[str]) -> str:
    """Return the name of a value instead of the name of its type."""
    name = found[1] or found[2]
    return f" {_WORDS.get(name.lower(), name)}"


def _group_of(command: Any) -> str:
    group = getattr(command, "rich_help_panel", None)
    return group if group in GROUPS else OTHER


def examples(*lines: str) -> str:
    """Return the end of a command's help: commands that a reader can type, without the leading word `sweepscope`."""
    return f"{_AS_WRITTEN}Examples:\n" + "\n".join(f"  sweepscope {line}" for line in lines)
