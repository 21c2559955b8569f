"""`sweepscope verify robots`: sweeps of joints against static checks after every small step."""

from __future__ import annotations

from rich.progress import track

from sweepscope.cli.exits import FREE, HIT
from sweepscope.errors import InvalidQuery

from ..reference.robot_cases import QUESTIONS
from ..reference.robots import STEPS
from ..verify.robots import GAP_LIMIT, RATES, judge_robots, tally_robots, wording
from ..verify.tallies import outside
from .report import Report
from .tables import open_table
from .verify_rates import poor_rate

_SHOWN = 20
_COLUMNS = ("question", "cases", "hits", "rate", "at 0", "own", "missed", "late", "wrong", "gap", "early")
_ACCEPTED = ("question", "fleeting", "near", "begun", "graze")


def run_verify_robots(cases: int, seed: int, question: str | None, report: Report) -> int:
    """Judge cases of each question, or of one; return 1 if anything is wrong or the cases prove little."""
    if question is not None and question not in QUESTIONS:
        raise InvalidQuery(f"question is {question!r}; accepted: {', '.join(QUESTIONS)}")
    console = report.console
    table = open_table(f"sweeps of joints against {STEPS:,} static steps, seed {seed}", *_COLUMNS)
    accepted = open_table("accepted answers", *_ACCEPTED)
    wrong, poor = 0, []
    for name in QUESTIONS if question is None else (question,):
        verdicts = list(track(judge_robots(name, cases, seed), description=name, total=cases, console=report.progress))
        row = tally_robots(name, verdicts)
        report.count([row])
        counts = (row.at_start, row.own, row.missed, row.late, row.wrong)
        rate = row.hits / row.cases
        worst = (f"{row.worst_gap:.0e}", f"{row.worst_early:.0e}")
        table.add_row(name, f"{row.cases:,}", f"{row.hits:,}", f"{rate:.0%}", *(f"{n:,}" for n in counts), *worst)
        accepted.add_row(name, *(f"{n:,}" for n in (row.fleeting, row.near, row.begun, row.grazes)))
        wrong += row.wrong
        if outside(rate, row.cases, RATES[name]):
            poor.append(poor_rate(name, row.hits, row.cases, RATES[name]))
        for verdict in [verdict for verdict in verdicts if verdict.wrong][:_SHOWN]:
            console.print(wording(verdict), markup=False)
    report.wrong = wrong
    console.print(table)
    console.print(accepted)
    console.print(
        "own: between links; fleeting: over before the next static step; near: a hit reported for a miss within the bound;\n"
        "begun: nearer than the bound at the start, and no deeper than it: hit and free are both right;\n"
        f"gap [share of the size] beyond the bound, accepted up to {GAP_LIMIT:g}; early [share of the motion]. Wrong: {wrong}",
        markup=False,
    )
    for line in poor:
        console.print(line, style="bold")
    return HIT if wrong or poor else FREE
