"""`sweepscope verify --robots`: sweeps of joints against static checks after every small step."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table

from ..errors import InvalidQuery
from ..reference.robot_cases import QUESTIONS
from ..reference.robots import STEPS
from ..verify_robots import GAP_LIMIT, RATES, judge_robots, outside, tally_robots, wording
from .main import FREE, HIT

_SHOWN = 20
_WIDE = 130  # columns of the table, in a file or a pipe too
_COLUMNS = (
    "cases",
    "hits",
    "rate",
    "at 0",
    "own",
    "fleeting",
    "near",
    "begun",
    "graze",
    "missed",
    "late",
    "wrong",
    "gap",
    "early",
)


def run_verify_robots(cases: int, seed: int, question: str | None = None) -> int:
    """Judge so many cases of each question, or of one; return 1 if anything is wrong or proves little."""
    if question is not None and question not in QUESTIONS:
        raise InvalidQuery(f"question is {question!r}; accepted: {', '.join(QUESTIONS)}")
    console = Console(highlight=False, width=max(_WIDE, Console().width))
    table = Table(title=f"sweeps of joints against {STEPS:,} static steps, seed {seed}", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("question")
    for name in _COLUMNS:
        table.add_column(name, justify="right", no_wrap=True)
    wrong, poor = 0, []
    for name in QUESTIONS if question is None else (question,):
        verdicts = list(track(judge_robots(name, cases, seed), description=name, total=cases, console=console))
        row = tally_robots(name, verdicts)
        counts = (row.at_start, row.own, row.fleeting, row.near, row.begun, row.grazes, row.missed, row.late, row.wrong)
        rate = row.hits / row.cases
        worst = (f"{row.worst_gap:.0e}", f"{row.worst_early:.0e}")
        table.add_row(name, f"{row.cases:,}", f"{row.hits:,}", f"{rate:.0%}", *(f"{n:,}" for n in counts), *worst)
        wrong += row.wrong
        if outside(rate, row.cases, RATES[name]):
            low, high = RATES[name]
            poor.append(f"{name}: a rate of {rate:.0%} is not within {low:.0%} to {high:.0%}: these cases prove little")
        for verdict in [verdict for verdict in verdicts if verdict.wrong][:_SHOWN]:
            console.print(wording(verdict), markup=False)
    console.print(table)
    console.print(
        "own: between links; fleeting: over before the next static step; near: told of a miss that is within the bound;\n"
        "begun: nearer than the bound from the beginning, and touching no deeper than it, which may be called either;\n"
        f"gap [share of the size] beyond the bound, accepted up to {GAP_LIMIT:g}; early [share of the motion]. Wrong: {wrong}",
        markup=False,
    )
    for line in poor:
        console.print(line, style="bold")
    return HIT if wrong or poor else FREE
