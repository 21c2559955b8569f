"""`sweepscope verify motions`: motions of all joints of real robots against pinocchio at every tenth of a degree."""

from __future__ import annotations

from rich.progress import track

from sweepscope.cli.exits import FREE, HIT
from sweepscope.errors import InvalidQuery

from ..bench.rows import check_peers
from ..scenes.urdf_robots import ROBOTS
from ..verify.motions import RATE, MotionTally, judge_motions, wording
from ..verify.tallies import outside
from .report import Report
from .tables import open_table
from .verify_rates import poor_rate

_SHOWN = 20
_COLUMNS = ("robot", "cases", "hits", "rate", "own", "begun", "missed", "late", "wrong", "gap", "bound")


def run_verify_motions(cases: int, seed: int, robot: str | None, report: Report) -> int:
    """Judge motions of each robot, or of one; return 1 if anything is wrong or the cases prove little."""
    if robot is not None and robot not in ROBOTS:
        raise InvalidQuery(f"--robot is {robot!r}; accepted: {', '.join(ROBOTS)}")
    check_peers("motions")
    console = report.console
    table = open_table(f"motions of all joints against pinocchio at 0.1 degrees, seed {seed}", *_COLUMNS)
    tallies, poor, shown = [], [], 0
    for name in ROBOTS if robot is None else (robot,):
        tally = MotionTally(name)
        tallies.append(tally)
        for verdict in track(judge_motions(name, cases, seed), description=name, total=cases, console=report.progress):
            tally.add(verdict)
            if verdict.wrong and shown < _SHOWN:
                shown += 1
                console.print(wording(verdict), markup=False, soft_wrap=True)
        rate = tally.hits / tally.cases
        counts = (tally.own, tally.begun, tally.missed, tally.late, tally.wrong)
        worst = (f"{tally.worst_gap:.0e}", f"{tally.worst_bound:.0e}")
        table.add_row(name, f"{tally.cases:,}", f"{tally.hits:,}", f"{rate:.0%}", *(f"{n:,}" for n in counts), *worst)
        if outside(rate, tally.cases, RATE):
            poor.append(poor_rate(name, tally.hits, tally.cases, RATE))
    report.count(tallies)
    report.wrong = sum(tally.wrong for tally in tallies)
    console.print(table)
    console.print(
        "own: between links; begun: nearer than the bound at the start, where hit and free are both right;\n"
        f"gap: of a named pair beyond its bound; bound: the largest [length]. Wrong: {report.wrong}",
        markup=False,
    )
    for line in poor:
        console.print(line, style="bold")
    return HIT if report.wrong or poor else FREE
