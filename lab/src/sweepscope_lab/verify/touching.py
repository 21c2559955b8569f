"""Bodies that touch at the start: they must be free when they part or slide, and a hit at 0 when they press."""

from __future__ import annotations

from collections.abc import Callable

from .touching_gaps import judge_gap
from .touching_lattice import judge_lattice, judge_lattice_turn
from .touching_tips import judge_tip
from .touching_verdicts import TouchingVerdict

QUESTIONS: dict[str, Callable[[int], TouchingVerdict]] = {
    "lattice": judge_lattice,
    "lattice_turns": judge_lattice_turn,
    "tips": judge_tip,
    "gaps": judge_gap,
}


def judge_touching(question: str, seed: int) -> TouchingVerdict:
    """Build the case of a seed, ask the library, and compare."""
    return QUESTIONS[question](seed)
