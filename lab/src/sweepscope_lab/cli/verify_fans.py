"""`sweepscope verify fans`: the long proof of the fans' questions."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.progress import Progress

from sweepscope.cli.exits import FREE, HIT
from sweepscope.errors import InvalidQuery

from ..reference.fan import CLEAR
from ..reference.fan_cases import QUESTIONS
from ..verify.fans import FanTally, JudgedFans, judge_fans, tally_fans, wording
from .report import Report
from .tables import open_table

_SHOWN = 10
_COLUMNS = ("kind", "cases", "hits", "graze", "open", "missed", "false", "deepest", "widest")
_OTHERS = ("kind", "published: missed", "false", "literal: missed", "false")


def run_verify_fans(cases: int, seed: int, question: str | None, report: Report) -> int:
    """Judge cases of one question, or of each, and print a row for each kind; return 1 if anything is wrong."""
    if question is not None and question not in QUESTIONS:
        raise InvalidQuery(f"question is {question!r}; accepted: {', '.join(QUESTIONS)}")
    console = report.console
    asked = tuple(QUESTIONS) if question is None else (question,)
    sums: list[tuple[str, FanTally]] = []
    for name in asked:
        rows, bad = _judge(report.progress, name, cases, seed)
        report.count(rows, question=name)
        sums.append((name, rows[0]))
        if question is not None:
            _show(console, f"{name}: against a reference that proves its answers, seed {seed}", [(r.kind, r) for r in rows])
        for line in bad:
            console.print(line)
    if question is None:
        _show(console, f"questions of fans against a reference that proves its answers, seed {seed}", sums)
    report.wrong = wrong = sum(row.missed + row.false_hits for _, row in sums)
    console.print(f"wrong by {CLEAR:g} of the size or more: {wrong}")
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


def _show(console: Console, title: str, rows: list[tuple[str, FanTally]]) -> None:
    """Print what was found, and below it how the published tests and their literal reading do."""
    table, others = open_table(title, *_COLUMNS), open_table("the published tests: missed and false hits", *_OTHERS)
    for name, row in rows:
        counts = (row.cases, row.hits, row.grazing, row.undecided, row.missed, row.false_hits)
        table.add_row(name, *map(str, counts), f"{row.deepest_miss:.0e}", f"{row.widest_gap:.0e}")
        if row.has_published or row.has_literal:
            published = (row.published_missed, row.published_false) if row.has_published else ("-", "-")
            literal = (row.literal_missed, row.literal_false) if row.has_literal else ("-", "-")
            others.add_row(name, *map(str, published + literal))
    console.print(table)
    if others.row_count:
        console.print(others)
