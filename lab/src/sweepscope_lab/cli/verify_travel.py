"""`sweepscope verify travel`: copies, pickles and saved scenes answer as the original, to the bit."""

from __future__ import annotations

from rich.progress import track

from sweepscope.cli.exits import FREE, HIT

from ..verify.tallies import outside
from ..verify.travel import RATE, judge, tally_travel
from .report import Report
from .tables import open_table
from .verify_rates import poor_rate

_SHOWN = 20


def run_verify_travel(cases: int, seed: int, report: Report) -> int:
    """Judge cases and print a row for each way; return 1 if a bit differs or the cases prove little."""
    console = report.console
    seeds = track(range(cases), description="scenes and robots", console=report.progress)
    verdicts = [verdict for number in seeds for verdict in judge(seed * 1_000_000 + number)]
    table = open_table(
        f"{cases:,} scenes sent by copy, pickle and file, seed {seed}", "way", "cases", "answers", "sweeps", "hits", "wrong"
    )
    rows = tally_travel(verdicts)
    report.count(rows)
    for row in rows:
        table.add_row(row.way, *(f"{n:,}" for n in (row.cases, row.questions, row.sweeps, row.hits, row.wrong)))
    console.print(table)
    wrong = [verdict for verdict in verdicts if verdict.wrong]
    report.wrong = len(wrong)
    for verdict in wrong[:_SHOWN]:
        console.print(f"{verdict.way}, seed {verdict.seed}: {', '.join(verdict.wrong)}", markup=False)
    console.print(f"cases with an answer that differs in a bit: {len(wrong)}")
    hits, sweeps = sum(row.hits for row in rows), sum(row.sweeps for row in rows)
    poor = outside(hits / sweeps, sweeps, RATE)
    if poor:
        console.print(poor_rate("sweeps", hits, sweeps, RATE), style="bold")
    return HIT if wrong or poor else FREE
