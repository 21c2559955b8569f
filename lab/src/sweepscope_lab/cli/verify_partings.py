"""`sweepscope verify partings`: bodies that a sweep has brought together can part and slide, and not press."""

from __future__ import annotations

from pathlib import Path

from rich.progress import track

from sweepscope.cli.exits import FREE, HIT

from ..scenes.real_meshes import load_meshes
from ..verify.partings import generated_parts, judge_parting, part_from, tally_partings
from .report import Report
from .tables import open_table

_SHOWN = 30
_MESHES, _MOST_FACES = 80, 20_000


def run_verify_partings(cases: int, seed: int, folder: Path | None, report: Report) -> int:
    """Judge pairs of meshes, from a folder or generated, and print a row for each kind; return 1 if one is wrong.

    Case k has the seed `seed` + k: `--cases 1 --seed S` runs again the one that has seed S.
    """
    console = report.console
    if folder is None:
        origin, parts = "generated", generated_parts()
    else:
        origin, parts = "real", [part_from(mesh) for mesh in load_meshes(folder, _MESHES, _MOST_FACES)]
    seeds = track(range(seed, seed + cases), description="partings", console=report.progress)
    verdicts = [judge_parting(each, parts, origin) for each in seeds]
    names = ("kind", "pairs", "met", "motions", "free", "skip", "held", "false", "press")
    table = open_table(f"partings of {origin} meshes, seed {seed}", *names)
    rows = tally_partings(verdicts)
    report.count(rows)
    for row in rows:
        numbers = (row.cases, row.met, row.asked, row.freed, row.skipped, row.held_back, row.false_hits, row.pressing_free)
        table.add_row(row.kind.removeprefix(f"{origin}, "), *(f"{number:,}" for number in numbers))
    console.print(table)
    found = [
        f"{each.kind}, seed {each.seed}, {name}: {text}"
        for each in verdicts
        for name, texts in (
            ("way back held", each.held_back),
            ("false hit", each.false_hits),
            ("pressing free", each.pressing_free),
        )
        for text in texts
    ]
    for line in found[:_SHOWN]:
        console.print(line, markup=False)
    report.wrong = len(found)
    console.print("held: ways back that are held; false: false hits; press: pressing motions that are free")
    console.print(f"wrong: {len(found):,}")
    return HIT if found else FREE
