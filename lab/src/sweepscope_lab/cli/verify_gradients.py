"""`sweepscope verify gradients`: derivatives of the time of contact, against differences of sweeps."""

from __future__ import annotations

from rich.progress import track

from sweepscope.cli.exits import FREE, HIT

from ..verify.gradients import judge_gradient, tally_gradients
from .report import Report
from .tables import open_table

_SHOWN = 30


def run_verify_gradients(cases: int, seed: int, report: Report) -> int:
    """Compare gradients of random contacts, and print a row for each kind; return 1 if one is wrong.

    Case k has the seed `seed` + k: `--cases 1 --seed S` runs again the one that has seed S. In every fifth faces and edges are
    often parallel.
    """
    console = report.console
    seeds = track(range(seed, seed + cases), description="gradients", console=report.progress)
    verdicts = [judge_gradient(each, aligned=each % 5 == 0) for each in seeds]
    rows = tally_gradients(verdicts)
    report.count(rows)
    table = open_table(f"gradients of hits, seed {seed}", "kind", "cases", "hits", "same", "changed", "none", "error", "wrong")
    for row in rows:
        numbers = (row.cases, row.hits, row.compared, row.changed, row.not_smooth)
        table.add_row(row.kind, *(f"{number:,}" for number in numbers), f"{row.worst:.1e}", f"{row.wrong:,}")
    console.print(table)
    wrong = [each for each in verdicts if each.wrong]
    for each in wrong[:_SHOWN]:
        console.print(f"{each.kind}, seed {each.seed}: {'; '.join(each.wrong)}", markup=False)
    report.wrong = len(wrong)
    console.print("same: compared with differences; changed: other features touch within the steps; none: without a gradient")
    worst = max((row.worst for row in rows), default=0.0)
    console.print(f"compared: {sum(row.compared for row in rows):,}, largest relative error {worst:.1e}, wrong: {len(wrong):,}")
    return HIT if wrong else FREE
