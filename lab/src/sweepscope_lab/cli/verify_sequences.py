"""`sweepscope verify sequences`: a scene that was changed answers as the same scene built anew, to the bit."""

from __future__ import annotations

from rich.progress import track

from sweepscope.cli.exits import FREE, HIT

from ..verify.sequences import RATE, STEPS, SWEEPS, TIES, judge_sequence, tally_questions, tally_steps
from ..verify.tallies import ENOUGH, outside
from .report import Report
from .tables import open_table
from .verify_rates import poor_rate

_SHOWN = 20


def run_verify_sequences(cases: int, seed: int, report: Report) -> int:
    """Judge sequences and print a row for each question and each kind of step; return 1 if a bit differs or they prove little.

    Sequence k has the seed `seed` + k: `--cases 1 --seed S` runs again the one that has seed S.
    """
    console = report.console
    seeds = track(range(seed, seed + cases), description="sequences", console=report.progress)
    verdicts = [judge_sequence(each) for each in seeds]
    rows, steps = tally_questions(verdicts), tally_steps(verdicts)
    report.count(rows)
    report.count(steps)
    table = open_table(f"{cases:,} sequences of {STEPS} steps, seed {seed}", "question", "answers", "hits", "ties", "wrong")
    for row in rows:
        table.add_row(row.question, *(f"{n:,}" for n in (row.cases, row.hits, row.ties, row.wrong)))
    console.print(table)
    console.print("steps: " + ", ".join(f"{row.step} {row.count:,}" for row in steps))
    found = [(verdict.seed, each) for verdict in verdicts for each in verdict.differences]
    report.wrong = len(found)
    for number, each in found[:_SHOWN]:
        console.print(f"seed {number}, step {each.steps}: {each.question}", markup=False)
    console.print(f"answers that differ in a bit: {len(found)}")
    poor = [f"no step was: {row.step}" for row in steps if cases >= ENOUGH and not row.count]
    sweeps = [row for row in rows if row.question in SWEEPS]
    asked, hits, ties = (sum(counts) for counts in zip(*((row.cases, row.hits, row.ties) for row in sweeps), strict=True))
    poor += [
        poor_rate(name, some, asked, accepted)
        for name, some, accepted in (("sweeps", hits, RATE), ("ties", ties, TIES))
        if outside(some / asked, asked, accepted)
    ]
    for line in poor:
        console.print(line, style="bold")
    return HIT if found or poor else FREE
