"""`sweepscope verify translate`, `turn` and `screw`: the long proof of sweeps."""

from __future__ import annotations

from rich.progress import track

from sweepscope.cli.exits import FREE, HIT

from ..verify.sweeps import ERROR_LIMIT, judge_all, tally
from ..verify.turns import GAP_LIMIT, MOTIONS, judge_turns, tally_turns
from .report import Report
from .tables import open_table

_SHOWN = 20


def run_verify_sweeps(cases: int, seed: int, motion: str, report: Report) -> int:
    """Judge cases, print a row for each kind; return 1 if anything is wrong."""
    console = report.console
    if motion in MOTIONS:
        return _turns(cases, seed, motion, report)
    verdicts = list(track(judge_all(cases, seed), description="exact arithmetic", total=cases, console=report.progress))
    columns = ("kind", "pairs", "hits", "missed", "late", "false", "gap", "error")
    table = open_table(f"{cases} pairs against exact rational arithmetic, seeds from {seed}", *columns)
    rows = tally(verdicts)
    report.count(rows)
    for row in rows:
        counts = (row.cases, row.hits, row.missed, row.late, row.false_hits)
        table.add_row(row.kind, *map(str, counts), f"{row.worst_false_gap:.1e}", f"{row.worst_error:.1e}")
    console.print(table)
    missed = sum(verdict.missed for verdict in verdicts)
    late = sum(verdict.late for verdict in verdicts)
    off = sum(max(verdict.error, verdict.false_gap) >= ERROR_LIMIT for verdict in verdicts)
    console.print(f"missed {missed}, late {late}, off by {ERROR_LIMIT:g} of the size or more: {off}")
    report.wrong = sum(not verdict.fine for verdict in verdicts)
    return HIT if report.wrong else FREE


def _turns(cases: int, seed: int, motion: str, report: Report) -> int:
    console = report.console
    work = judge_turns(cases, seed, MOTIONS[motion])
    verdicts = list(track(work, description="separating planes", total=cases, console=report.progress))
    columns = ("kind", "pairs", "hits", "at 0", "missed", "late", "early", "other", "graze", "gap")
    table = open_table(f"{cases} {motion}s proved by planes that separate faces, seeds from {seed}", *columns)
    rows = tally_turns(verdicts)
    report.count(rows)
    for row in rows:
        counts = (row.cases, row.hits, row.at_start, row.missed, row.late, row.early, row.other, row.grazes)
        table.add_row(row.kind, *map(str, counts), f"{row.worst_gap:.1e}")
    console.print(table)
    bad = [verdict for verdict in verdicts if verdict.wrong]
    report.wrong = len(bad)
    for verdict in bad[:_SHOWN]:
        console.print(f"{verdict.case.kind}, seed {verdict.case.seed}: {', '.join(verdict.wrong)}; answered {verdict.time}")
    missed, late = sum(verdict.missed for verdict in verdicts), sum(verdict.late for verdict in verdicts)
    early = sum(verdict.gap > GAP_LIMIT for verdict in verdicts)
    console.print(
        f"missed {missed}, late {late}, early by more than {GAP_LIMIT:g} of the size: {early}, wrong in all: {len(bad)}"
    )
    return HIT if bad else FREE
