"""`sweepscope verify fans`: the long proof of the fans' questions."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from sweepscope import InvalidQuery
from sweepscope.cli.exits import FREE, HIT

from ..reference.fan import CLEAR
from ..reference.fan_cases import QUESTIONS
from ..verify.fans import FanTally, JudgedFans, judge_fans, tally_fans, wording
from .tables import open_table

_SHOWN = 10
_WIDE = 130  # least width of the table, also in a file or a pipe
_COLUMNS = ("kind", "cases", "hits", "graze", "open", "missed", "false", "deepest", "widest", "published", "literal")


def run_verify_fans(cases: int, seed: int, question: str | None) -> int:
    """Judge cases of one question, or of each, and print a row for each kind; return 1 if anything is wrong."""
    if question is not None and question not in QUESTIONS:
        raise InvalidQuery(f"question is {question!r}; accepted: {', '.join(QUESTIONS)}")
    console = Console(highlight=False, width=max(_WIDE, Console().width))
    asked = tuple(QUESTIONS) if question is None else (question,)
    sums: list[tuple[str, FanTally]] = []
    for name in asked:
        rows, bad = _judge(console, name, cases, seed)
        sums.append((name, rows[0]))
        if question is not None:
            console.print(
                _table(f"{name}: against a reference that proves its answers, seed {seed}", [(r.kind, r) for r in rows])
            )
        for line in bad:
            console.print(line)
    if question is None:
        console.print(_table(f"questions of fans against a reference that proves its answers, seed {seed}", sums))
    wrong = sum(row.missed + row.false_hits for _, row in sums)
    console.print(f"wrong by {CLEAR:g} of the size or more: {wrong}; published and literal: missed / false hits")
    return HIT if wrong else FREE


def _judge(console: Console, question: str, cases: int, seed: int) -> tuple[list[FanTally], list[str]]:
    bad: list[str] = []
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task(question, total=cases)

        def watched() -> Iterator[JudgedFans]:
            for judged in judge_fans(question, cases, seed):
                bad.extend(wording(judged, int(k)) for k in judged.wrong.nonzero()[0][: _SHOWN - len(bad)])
                yield judged
                progress.advance(task, len(judged.hit))

        return tally_fans(watched()), bad


def _table(title: str, rows: list[tuple[str, FanTally]]) -> Table:
    table = open_table(title, *_COLUMNS)
    for name, row in rows:
        counts = (row.cases, row.hits, row.grazing, row.undecided, row.missed, row.false_hits)
        worst = (f"{row.deepest_miss:.0e}", f"{row.widest_gap:.0e}")
        published = f"{row.published_missed} / {row.published_false}" if row.has_published else "-"
        literal = f"{row.literal_missed} / {row.literal_false}" if row.has_literal else "-"
        table.add_row(name, *map(str, counts), *worst, published, literal)
    return table
