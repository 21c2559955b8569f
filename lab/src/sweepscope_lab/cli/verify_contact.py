"""`sweepscope verify contact`: free motions go no deeper than one tolerance; motions that separate are free."""

from __future__ import annotations

from rich.progress import track

from sweepscope import checks
from sweepscope.cli.exits import FREE, HIT

from ..verify.contact import QUESTIONS, ContactQuestion, judge_contact
from ..verify.contact_verdicts import ContactTally, ContactVerdict, tally_contact
from .report import Report
from .tables import open_table

_SHOWN = 5
"""Wrong answers printed of each kind."""


def run_verify_contact(cases: int, seed: int, question: str | None, report: Report) -> int:
    """Judge cases of each question, or of the one asked for, and print its tables; return 1 if an answer is wrong.

    Case k has the seed `seed` * 1,000,000 + k.
    """
    asked = tuple(QUESTIONS) if question is None else (checks.choice(question, "--question", tuple(QUESTIONS)),)
    wrong = 0
    for name in asked:
        numbers = track(range(cases), description=f"{name:7}", console=report.progress)
        verdicts = [judge_contact(name, seed * 1_000_000 + number) for number in numbers]
        rows = tally_contact(verdicts)
        report.count(rows, question=name)
        wrong += sum(rows[0].wrongs.values())
        _print_tables(name, QUESTIONS[name], rows, seed, report)
        _print_wrongs(verdicts, report)
    report.wrong = wrong
    report.console.print(f"wrong answers: {wrong:,}; one alone: judge_contact(question, seed) in verify/contact.py")
    return HIT if wrong else FREE


def _print_tables(name: str, question: ContactQuestion, rows: list[ContactTally], seed: int, report: Report) -> None:
    table = open_table(f"{name}: {question.title}, seed {seed}", "kind", "cases", *question.counts)
    faults = open_table(f"{name}: wrong answers", "kind", *question.wrongs, *((question.worst,) if question.worst else ()))
    for row in rows:
        counts = (row.cases, *(row.counts.get(each, 0) for each in question.counts))
        table.add_row(row.kind, *(f"{count:,}" for count in counts))
        found = [f"{row.wrongs.get(each, 0):,}" for each in question.wrongs]
        faults.add_row(row.kind, *found, *((f"{row.worst:.3g}",) if question.worst else ()))
    report.console.print(table)
    report.console.print(faults)
    for line in question.poor(rows[0]):
        report.console.print(f"{name}: {line}: these cases prove little", markup=False, soft_wrap=True)


def _print_wrongs(verdicts: list[ContactVerdict], report: Report) -> None:
    shown: dict[str, int] = {}
    for verdict in verdicts:
        for what, text in verdict.wrongs:
            shown[what] = shown.get(what, 0) + 1
            if shown[what] <= _SHOWN:
                report.console.print(f"{what}, seed {verdict.seed}, {verdict.kind}: {text}", markup=False, soft_wrap=True)
