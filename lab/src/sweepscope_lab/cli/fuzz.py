"""`sweepscope fuzz`: spoil files of every format and load them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from sweepscope import checks
from sweepscope.cli.exits import FREE, HIT
from sweepscope.threads import WORKERS

from ..verify.fuzz import KINDS, FuzzVerdict, fuzz
from .tables import open_table

_SHOWN = 20


def run_fuzz(kind: str | None, minutes: float, seed: int, keep: Path) -> int:
    """Run cases for some minutes and print a row for each format; return 1 if there was a fault."""
    kinds = KINDS if kind is None else (checks.choice(kind, "--format", KINDS),)
    console = Console(highlight=False)
    with Progress(console=console) as progress:
        bar = progress.add_task("files", total=None)

        def told(verdict: FuzzVerdict) -> None:
            progress.update(bar, advance=1, description=f"{progress.tasks[0].completed:,.0f} files")
            if verdict.fault:
                progress.console.print(f"{verdict.kind}, seed {verdict.seed}: {verdict.fault}", markup=False)

        verdicts = fuzz(kinds, seed, minutes, WORKERS, keep, told)
    table = open_table(
        f"{len(verdicts):,} spoiled files, seed {seed}", "format", "files", "loaded", "refused", "faults", "slowest"
    )
    for each in kinds:
        own = [verdict for verdict in verdicts if verdict.kind == each]
        faults = sum(bool(verdict.fault) for verdict in own)
        loaded = sum(verdict.loaded for verdict in own)
        slowest = max((verdict.seconds for verdict in own), default=0.0)
        table.add_row(each, *(f"{n:,}" for n in (len(own), loaded, len(own) - loaded, faults)), f"{1000 * slowest:.0f} ms")
    console.print(table)
    faults = Counter(verdict.fault for verdict in verdicts if verdict.fault)
    for fault, count in faults.most_common(_SHOWN):
        console.print(f"{count} x {fault}", markup=False)
    if faults:
        console.print(f"their files are kept in {keep}")
    return HIT if faults else FREE
