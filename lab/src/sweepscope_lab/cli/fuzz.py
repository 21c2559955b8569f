"""`sweepscope fuzz`: spoil files of every format and load them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.progress import Progress

from sweepscope import checks
from sweepscope.cli.exits import FREE, HIT
from sweepscope.threads import WORKERS

from ..verify.fuzz import KINDS, FuzzVerdict, fuzz
from .report import Report
from .tables import open_table

_SHOWN = 20


@dataclass(frozen=True, slots=True)
class _Tally:
    """Counts for files of one format."""

    kind: str
    files: int
    loaded: int
    refused: int
    faults: int
    slowest: float
    """[s]"""


def run_fuzz(kind: str | None, minutes: float, seed: int, keep: Path, as_json: bool) -> int:
    """Run cases for some minutes and print a row for each format, or JSON; return 1 if there was a fault."""
    kinds = KINDS if kind is None else (checks.choice(kind, "--format", KINDS),)
    report = Report(as_json)
    console = report.console
    with Progress(console=report.progress) as progress:
        bar = progress.add_task("files", total=None)

        def show_verdict(verdict: FuzzVerdict) -> None:
            progress.update(bar, advance=1, description=f"{progress.tasks[0].completed:,.0f} files")
            if verdict.fault:
                progress.console.print(f"{verdict.kind}, seed {verdict.seed}: {verdict.fault}", markup=False)

        verdicts = fuzz(kinds, seed, minutes, WORKERS, keep, show_verdict)
    table = open_table(
        f"{len(verdicts):,} spoiled files, seed {seed}", "format", "files", "loaded", "refused", "faults", "slowest"
    )
    rows = [_tally(each, [verdict for verdict in verdicts if verdict.kind == each]) for each in kinds]
    for row in rows:
        counts = (row.files, row.loaded, row.refused, row.faults)
        table.add_row(row.kind, *(f"{n:,}" for n in counts), f"{1000 * row.slowest:.0f} ms")
    console.print(table)
    faults = Counter(verdict.fault for verdict in verdicts if verdict.fault)
    for fault, count in faults.most_common(_SHOWN):
        console.print(f"{count} x {fault}", markup=False)
    if faults:
        console.print(f"their files are kept in {keep}")
    report.count(rows)
    report.wrong = faults.total()
    report.print_json(minutes=minutes, seed=seed, keep=str(keep))
    return HIT if faults else FREE


def _tally(kind: str, verdicts: Sequence[FuzzVerdict]) -> _Tally:
    """Return the counts of one format."""
    loaded, faults = sum(verdict.loaded for verdict in verdicts), sum(bool(verdict.fault) for verdict in verdicts)
    slowest = max((verdict.seconds for verdict in verdicts), default=0.0)
    return _Tally(kind, len(verdicts), loaded, len(verdicts) - loaded, faults, slowest)
