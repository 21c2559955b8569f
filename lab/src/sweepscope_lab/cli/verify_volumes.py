"""`sweepscope verify volumes`: overlaps of volumes, and their index after edits, against slow references."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.progress import Progress

from sweepscope.cli.exits import FREE, HIT
from sweepscope.errors import InvalidQuery

from ..reference.volume import CLOSE
from ..reference.volume_cases import QUESTIONS
from ..verify.tallies import outside
from ..verify.volumes import (
    CHANGED,
    RATES,
    EditTally,
    JudgedEdit,
    JudgedOverlap,
    OverlapTally,
    judge_edits,
    judge_overlaps,
    tally_edits,
    tally_overlaps,
    wording,
)
from .report import Report
from .tables import open_table
from .verify_rates import poor_rate

_SHOWN = 10
_FEWER = 20  # smaller cases per case of 64^3
_EDITS = 10  # per case


def run_verify_volumes(cases: int, seed: int, question: str | None, report: Report) -> int:
    """Judge cases of each question, or of one, and edits; return 1 if anything is wrong or the cases prove little."""
    if question is not None and question not in (*QUESTIONS, "edits"):
        raise InvalidQuery(f"question is {question!r}; accepted: {', '.join(QUESTIONS)}, edits")
    console = report.console
    table = open_table(
        "overlaps against a slow reference", "question", "cases", "hits", "rate", "voxels", "close", "open", "wrong"
    )
    wrong, poor = 0, []
    for name in QUESTIONS if question is None else (question,) if question in QUESTIONS else ():
        many = max(1, cases // _FEWER) if name == "large" and question is None else cases
        rows, bad = _overlaps(report.progress, name, many, seed)
        report.count(rows, question=name)
        for row in rows:
            counts = (row.voxels, row.open_voxels, row.undecided, row.wrong)
            title = f"[bold]{name}" if row.kind == "all" else f"  {row.kind}"
            table.add_row(title, f"{row.cases:,}", f"{row.hits:,}", f"{row.hits / row.cases:.0%}", *(f"{n:,}" for n in counts))
        wrong += rows[0].wrong
        poor += _poor(name, rows[0].hits, rows[0].cases, RATES[name])
        for line in bad:
            console.print(line, markup=False)
    if table.row_count:
        console.print(table)
    if question in (None, "edits"):
        table = open_table("edits against a new index", "question", "edits", "changed", "rate", "wrong")
        rows, bad = _edits(report.progress, cases * (_EDITS if question is None else 1), seed)
        report.count(rows, question="edits")
        for row in rows:
            title = "[bold]edits" if row.kind == "all" else f"  {row.kind}"
            table.add_row(title, f"{row.edits:,}", f"{row.changed:,}", f"{row.changed / row.edits:.0%}", f"{row.wrong:,}")
        wrong += rows[0].wrong
        poor += _poor("edits", rows[0].changed, rows[0].edits, CHANGED)
        for line in bad:
            console.print(line, markup=False)
        console.print(table)
    report.wrong = wrong
    console.print(f"wrong: {wrong}; close: voxels within {CLOSE:g} of a face or of a touch: hit and free are both right")
    for line in poor:
        console.print(line, style="bold")
    return HIT if wrong or poor else FREE


def _poor(name: str, some: int, cases: int, accepted: tuple[float, float]) -> list[str]:
    return [poor_rate(name, some, cases, accepted)] if outside(some / cases, cases, accepted) else []


def _overlaps(console: Console, question: str, cases: int, seed: int) -> tuple[list[OverlapTally], list[str]]:
    bad: list[str] = []
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task(question, total=cases)

        def watched() -> Iterator[JudgedOverlap]:
            for judged in judge_overlaps(question, cases, seed):
                if judged.faults and len(bad) < _SHOWN:
                    bad.append(wording(judged))
                yield judged
                progress.advance(task)

        return tally_overlaps(watched()), bad


def _edits(console: Console, count: int, seed: int) -> tuple[list[EditTally], list[str]]:
    bad: list[str] = []
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("edits", total=count)

        def watched() -> Iterator[JudgedEdit]:
            for judged in judge_edits(count, seed):
                if judged.faults and len(bad) < _SHOWN:
                    bad.append(f"edit {judged.number}, {judged.edit.kind} of {judged.shape}: {', '.join(judged.faults)} wrong")
                yield judged
                progress.advance(task)

        return tally_edits(watched()), bad
