"""`sweepscope verify touching`: bodies that touch at the start are free when they part or slide, and hit when they press."""

from __future__ import annotations

from rich.progress import track

from sweepscope import checks
from sweepscope.cli.exits import FREE, HIT

from ..verify.touching import QUESTIONS, judge_touching
from ..verify.touching_verdicts import WRONGS, tally_touching
from .report import Report
from .tables import open_table

_SHOWN = 5
"""Wrong answers printed of each kind."""
_COLUMNS = ("kind", "cases", "touch", "part", "press", "skip", *WRONGS)


def run_verify_touching(cases: int, seed: int, question: str | None, report: Report) -> int:
    """Judge cases of each question, or of the one asked for, and print a table for each; return 1 if an answer is wrong."""
    asked = tuple(QUESTIONS) if question is None else (checks.choice(question, "--question", tuple(QUESTIONS)),)
    console = report.console
    wrong = 0
    for name in asked:
        numbers = track(range(cases), description=f"{name:13}", console=report.progress)
        verdicts = [judge_touching(name, seed * 1_000_000 + number) for number in numbers]
        table = open_table(f"{name}: bodies that touch at the start, seed {seed}", *_COLUMNS)
        rows = tally_touching(verdicts)
        report.count(rows, question=name)
        for row in rows:
            counts = (row.cases, row.touching, row.parts, row.presses, row.skipped, *row.wrongs.values())
            table.add_row(row.kind, *(f"{count:,}" for count in counts))
        console.print(table)
        found = [verdict for verdict in verdicts if verdict.wrong]
        for kind in dict.fromkeys(verdict.kind for verdict in found):
            for verdict in [each for each in found if each.kind == kind][:_SHOWN]:
                console.print(f"{kind}, seed {verdict.seed}, {verdict.wrong}: {verdict.summary}", markup=False, soft_wrap=True)
        wrong += len(found)
    report.wrong = wrong
    console.print(f"wrong answers: {wrong:,}; one alone: sweepscope_lab.verify.touching.judge_touching(question, seed)")
    return HIT if wrong else FREE
