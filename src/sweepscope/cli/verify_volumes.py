"""`sweepscope verify --volumes`: overlaps of volumes, and their index after edits, against slow twins."""

from __future__ import annotations

from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from ..errors import InvalidQuery
from ..reference.volume import CLOSE
from ..reference.volume_cases import QUESTIONS
from ..verify_volumes import (
    CHANGED,
    RATES,
    EditTally,
    Judged,
    JudgedEdit,
    OverlapTally,
    judge_edits,
    judge_overlaps,
    outside,
    tally_edits,
    tally_overlaps,
    wording,
)
from .main import FREE, HIT

_SHOWN = 10
_FEWER = 20  # one of 64^3 is judged for so many smaller ones
_EDITS = 10  # for each case


def run_verify_volumes(cases: int, seed: int, question: str | None = None) -> int:
    """Judge so many cases of each question, or of one, and edits; return 1 if anything is wrong or proves little."""
    if question is not None and question not in (*QUESTIONS, "edits"):
        raise InvalidQuery(f"question is {question!r}; accepted: {', '.join(QUESTIONS)}, edits")
    console = Console(highlight=False)
    table = _table("overlaps against a slow twin", "cases", "hits", "rate", "voxels", "too close", "undecided", "wrong")
    wrong, poor = 0, []
    for name in QUESTIONS if question is None else (question,) if question in QUESTIONS else ():
        many = max(1, cases // _FEWER) if name == "large" and question is None else cases
        rows, bad = _overlaps(console, name, many, seed)
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
        table = _table("edits against an index built afresh", "edits", "changed", "rate", "wrong")
        rows, bad = _edits(console, cases * (_EDITS if question is None else 1), seed)
        for row in rows:
            title = "[bold]edits" if row.kind == "all" else f"  {row.kind}"
            table.add_row(title, f"{row.edits:,}", f"{row.changed:,}", f"{row.changed / row.edits:.0%}", f"{row.wrong:,}")
        wrong += rows[0].wrong
        poor += _poor("edits", rows[0].changed, rows[0].edits, CHANGED)
        for line in bad:
            console.print(line, markup=False)
        console.print(table)
    console.print(f"wrong: {wrong}; too close: voxels within {CLOSE:g} of a face or of a touch, which may be called either")
    for line in poor:
        console.print(line, style="bold")
    return HIT if wrong or poor else FREE


def _poor(name: str, some: int, cases: int, accepted: tuple[float, float]) -> list[str]:
    if not outside(some / cases, cases, accepted):
        return []
    return [
        f"{name}: a rate of {some / cases:.0%} is not within {accepted[0]:.0%} to {accepted[1]:.0%}: these cases prove little"
    ]


def _overlaps(console: Console, question: str, cases: int, seed: int) -> tuple[list[OverlapTally], list[str]]:
    bad: list[str] = []
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task(question, total=cases)

        def watched() -> Iterator[Judged]:
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


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("question")
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    return table
