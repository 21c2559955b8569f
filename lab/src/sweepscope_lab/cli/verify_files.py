"""`sweepscope verify files`: random valid files against slow readers."""

from __future__ import annotations

import tempfile
from pathlib import Path

from rich.progress import track

from sweepscope import checks
from sweepscope.cli.exits import FREE, HIT

from ..verify.files import TWINS, judge_file, tally_files
from .report import Report
from .tables import open_table

_SHOWN = 20


def run_verify_files(cases: int, seed: int, question: str | None, report: Report) -> int:
    """Judge files of each format, or of the one asked for, and print a row for each; return 1 if one is read wrongly."""
    kinds = tuple(TWINS) if question is None else (checks.choice(question, "--question", tuple(TWINS)),)
    console = report.console
    verdicts = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            seeds = track(range(cases), description=f"{kind:5}", console=report.progress)
            verdicts += [judge_file(kind, seed * 1_000_000 + number, Path(folder)) for number in seeds]
    table = open_table(f"random valid files, seed {seed}, against slow readers", "format", "files", "triangles", "wrong")
    rows = tally_files(verdicts)
    report.count(rows)
    for row in rows:
        table.add_row(row.kind, f"{row.files:,}", f"{row.triangles:,}", f"{row.wrong:,}")
    console.print(table)
    wrong = [verdict for verdict in verdicts if verdict.wrong]
    report.wrong = len(wrong)
    for verdict in wrong[:_SHOWN]:
        console.print(f"{verdict.kind}, seed {verdict.seed}: {verdict.wrong}", markup=False)
    console.print(f"files that are read wrongly: {len(wrong)}")
    return HIT if wrong else FREE
