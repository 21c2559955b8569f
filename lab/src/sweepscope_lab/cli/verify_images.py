"""`sweepscope verify images`: readings of depth images from several renderers, against exact sweeps and each other."""

from __future__ import annotations

from rich.progress import track

from sweepscope.cli.exits import FREE, HIT

from ..verify.images import judge_images, tally_images
from .report import Report
from .tables import open_table

_SHOWN = 30


def run_verify_images(cases: int, seed: int, report: Report) -> int:
    """Read random scenes from images of every source, and print a row for each; return 1 if a reading is wrong.

    Case k has the seed `seed` + k: `--cases 1 --seed S` runs again the one that has seed S.
    """
    console = report.console
    seeds = track(range(seed, seed + cases), description="images", console=report.progress)
    verdicts = [each for one in seeds for each in judge_images(one)]
    rows = tally_images(verdicts)
    report.count(rows)
    names = ("images", "method", "hits", "same", "missed", "early", "hidden", "wrong")
    table = open_table(f"{cases:,} scenes, seed {seed}", *names)
    for row in rows:
        numbers = (row.exact, row.same, row.missed, row.alarms, row.hidden, row.wrong)
        table.add_row(row.source, row.method, *(f"{number:,}" for number in numbers))
    console.print(table)
    wrong = [each for each in verdicts if each.wrong]
    for each in wrong[:_SHOWN]:
        console.print(f"{each.source}, {each.method}, seed {each.seed}: {'; '.join(each.wrong)}", markup=False)
    report.wrong = len(wrong)
    console.print(
        "plain: another renderer, from the mover's front or rear, and its depths in few bits; hits: of the exact sweep; same: "
        "readings that hit exactly if it does; early: hits where it is free; hidden: readings with something behind the "
        "leading surface. Wrong: bounds that are too long, samples that are too short, and samples of one view that differ."
    )
    console.print(f"wrong: {len(wrong):,}")
    return HIT if wrong else FREE
