"""`sweepscope verify cuda`: sweeps on an NVIDIA card against the same sweeps on the processor."""

from __future__ import annotations

from rich.progress import track

from sweepscope.cli.exits import FREE, HIT

from ..verify.cuda import KINDS, moved_scene, tally_card
from .report import Report
from .tables import open_table

_ROWS = 10_000  # of a scene


def run_verify_cuda(cases: int, seed: int, report: Report) -> int:
    """Ask `cases` sweeps of each kind on both devices, and print a row for each kind; return 1 if any is wrong."""
    console = report.console
    scenes, rows = max(1, cases // _ROWS), min(cases, _ROWS)
    tallies = [tally_card(kind, scenes, rows, seed) for kind in track(KINDS, description="cuda", console=report.progress)]
    tallies.append(moved_scene(seed))
    report.count(tallies)
    names = ("sweeps", "rows", "hits", "missed", "early", "late", "overlaps", "other, as early", "other, later", "difference")
    table = open_table(f"an NVIDIA card against the processor, seed {seed}", *names)
    for tally in tallies:
        numbers = (
            tally.rows, tally.hits, tally.missed, tally.early, tally.late, tally.overlaps, tally.others, tally.wrong_bodies,
        )  # fmt: skip
        table.add_row(tally.kind, *(f"{number:,}" for number in numbers), f"{tally.difference:.1e}")
    console.print(table)
    report.wrong = sum(tally.wrong for tally in tallies)
    console.print(
        "missed: free on the card alone; early: a hit there alone; late: later than 1e-12 of the scene's size; overlaps: only "
        "one overlaps at the start; other: another body is named, met as early or later; difference of travels: of that size."
    )
    console.print(f"wrong: {report.wrong:,}")
    return HIT if report.wrong else FREE
