"""Options that belong to the --body before them, such as --velocity of `sweepscope predict`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import typer

from .numbers import NumbersCommand, numbers_of

OF_A_BODY = ("at", "orient", "velocity", "spin", "about")


class BodiesCommand(NumbersCommand):
    """Assigns each option of `OF_A_BODY` to the last --body before it: its texts are "INDEX:X,Y,Z"."""

    def join_numbers(self, ctx: Any, args: Sequence[str]) -> list[str]:
        """Return the words of the command line, with the index of a body in the texts of its options."""
        words = super().join_numbers(ctx, args)
        options = {name for each in self.params for name in each.opts if each.name in OF_A_BODY}
        count = 0
        given: set[tuple[int, str]] = set()
        for k, word in enumerate(words):
            count += word == "--body" or word.startswith("--body=")
            if word in options:
                if count == 0:
                    raise typer.BadParameter("give it after the --body to which it belongs", ctx, param_hint=f"'{word}'")
                if (count, word) in given:
                    raise typer.BadParameter(f"given twice for body {count}", ctx, param_hint=f"'{word}'")
                given.add((count, word))
                words[k + 1] = f"{count - 1}:{words[k + 1]}"
        return words


def numbers_by_body(texts: list[str] | None) -> dict[int, Any]:
    """Return the numbers of an option by index of the body."""
    return {int(index): numbers_of(text) for index, _, text in (each.partition(":") for each in texts or [])}
