"""Options that take several numbers, such as --move X Y Z."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

import typer

from .help import PlainCommand


class NumbersCommand(PlainCommand):
    """Checks the numbers of options such as --move X Y Z, and names the wrong one.

    Such an option has a metavar of several words, one for each number. If it may be repeated, its type is list[str], and each
    of its texts is "X,Y,Z": typer repeats only options of one word. `numbers_of` reads such a text.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Check and join the numbers before typer sees them."""
        return super().parse_args(ctx, self.join_numbers(ctx, args))

    def join_numbers(self, ctx: Any, args: Sequence[str]) -> list[str]:
        """Return the words of the command line; the numbers of a repeated option are one word."""
        options: dict[str, Any] = {
            name: each for each in self.params for name in each.opts if len((each.metavar or "").split()) > 1
        }
        words: list[str] = []
        rest = list(args)
        while rest:
            word = rest.pop(0)
            if word == "--":
                return [*words, word, *rest]
            name, mark, value = word.partition("=")
            option = options.get(name)
            if option is None:
                words.append(word)
                continue
            if mark:
                rest.insert(0, value)
            numbers = list(takewhile(lambda each: not each.startswith("--"), rest[: len((option.metavar or "").split())]))
            del rest[: len(numbers)]
            _check(ctx, option, numbers)
            words += [name, ",".join(numbers)] if option.multiple else [name, *numbers]
        return words


def numbers_of(text: str) -> tuple[float, ...]:
    """Return the numbers of a repeated option; `NumbersCommand` has checked them."""
    return tuple(map(float, text.split(",")))


def _check(ctx: Any, option: Any, given: list[str]) -> None:
    """Raise if the numbers of an option are too few, or not numbers."""
    names, hint = option.metavar.split(), f"'{option.opts[0]}'"
    accepted = f"accepted: {len(names)} numbers, {' '.join(names)}"
    for name, text in zip(names, given, strict=False):
        try:
            float(text)
        except ValueError:
            raise typer.BadParameter(f"{name} is {text!r}; {accepted}", ctx, param_hint=hint) from None
    if len(given) < len(names):
        raise typer.BadParameter(f"given: {' '.join(given) or 'nothing'}; {accepted}", ctx, param_hint=hint)
