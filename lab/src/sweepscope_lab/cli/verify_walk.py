"""`sweepscope verify walk`: bodies that walk by sweeps are never inside anything, and never held without a reason."""

from __future__ import annotations

import time
from pathlib import Path

from rich.progress import track

from sweepscope.cli.exits import FREE, HIT

from ..scenes.real_meshes import load_meshes
from ..verify.walk import FRAMES, judge_walk, tally_walks
from .report import Report
from .tables import open_table

_SHOWN = 30
_MESHES, _MOST_FACES = 40, 4_000


def run_verify_walk(frames: int, seed: int, folder: Path | None, report: Report) -> int:
    """Walk for so many frames, in runs of their own worlds, and print a row for each body and world; return 1 if one is wrong.

    Run k has the seed `seed` + k: `--cases 2000 --seed S` runs again the one that has seed S.
    """
    console = report.console
    meshes = [] if folder is None else load_meshes(folder, _MESHES, _MOST_FACES)
    judge_walk(seed, 1)  # compiles, or loads, the kernels
    runs = [min(FRAMES, frames - begin) for begin in range(0, frames, FRAMES)]
    began = time.perf_counter()
    walked = track(enumerate(runs), total=len(runs), description="walks", console=report.progress)
    verdicts = [judge_walk(seed + k, length, meshes) for k, length in walked]
    seconds = time.perf_counter() - began
    names = ("body, world", "frames", "hits", "tunnelled", "frozen", "held", "unclear")
    table = open_table(f"walks, seed {seed}", *names)
    rows = tally_walks(verdicts)
    report.count(rows)
    for row in rows:
        numbers = (row.frames, row.hits, row.tunnelled, row.frozen, row.held, row.unclear)
        table.add_row(f"{row.body}, {row.world}", *(f"{number:,}" for number in numbers))
    console.print(table)
    wrong = [each for each in verdicts if each.tunnelled or each.frozen or each.held]
    for each in wrong[:_SHOWN]:
        held = [f"frame {frame} towards {direction}" for frame, direction in each.held[:2]]
        text = f"{each.body}, {each.world}, seed {each.seed}: tunnelled {each.tunnelled}, frozen {each.frozen[:5]}, held {held}"
        console.print(text, markup=False)
    done = sum(each.frames for each in verdicts)
    console.print(f"{done:,} frames, {done / seconds:,.0f} a second")
    for name in ("tunnelled", "frozen", "held"):
        found = sum(len(getattr(each, name)) for each in verdicts)
        report.wrong += found
        console.print(f"{name}: {found:,}")
    return HIT if wrong else FREE
