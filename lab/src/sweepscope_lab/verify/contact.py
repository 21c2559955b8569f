"""The law of contact: a free motion goes no deeper than one tolerance, and from there every motion that separates is free.

Each question is a module of its own. None of their oracles shares code with the kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from . import contact_depth, contact_edges, contact_normals, contact_prefix, contact_split, contact_swap
from .contact_verdicts import ContactTally, ContactVerdict


@dataclass(frozen=True, slots=True)
class ContactQuestion:
    """How to judge a case of a question, and what is counted."""

    title: str
    judge: Callable[[int], ContactVerdict]
    counts: tuple[str, ...]
    wrongs: tuple[str, ...]
    worst: str
    """What the worst figure is, or empty."""
    poor: Callable[[ContactTally], Sequence[str]]
    """Says of the row of all cases what came up too seldom for the cases to prove much."""


QUESTIONS: dict[str, ContactQuestion] = {
    "depth": ContactQuestion(
        "depth of free motions",
        contact_depth.judge_depth,
        contact_depth.COUNTS,
        contact_depth.WRONGS,
        "deepest",
        contact_depth.poor_depth,
    ),
    "normals": ContactQuestion(
        "normals of flush contacts",
        contact_normals.judge_normals,
        contact_normals.COUNTS,
        contact_normals.WRONGS,
        "overlap",
        contact_normals.poor_normals,
    ),
    "edges": ContactQuestion(
        "slides along edges and ridges",
        contact_edges.judge_edges,
        contact_edges.COUNTS,
        contact_edges.WRONGS,
        "",
        contact_edges.poor_edges,
    ),
    "swap": ContactQuestion(
        "which of two bodies moves",
        contact_swap.judge_swap,
        contact_swap.COUNTS,
        contact_swap.WRONGS,
        "difference",
        contact_swap.poor_swap,
    ),
    "prefix": ContactQuestion(
        "prefixes of motions",
        contact_prefix.judge_prefix,
        contact_prefix.COUNTS,
        contact_prefix.WRONGS,
        "difference",
        contact_prefix.poor_prefix,
    ),
    "split": ContactQuestion(
        "motions cut in two",
        contact_split.judge_split,
        contact_split.COUNTS,
        contact_split.WRONGS,
        "difference",
        contact_prefix.poor_prefix,
    ),
}


def judge_contact(question: str, seed: int) -> ContactVerdict:
    """Build the case of a seed, ask the library, and judge its answers."""
    return QUESTIONS[question].judge(seed)
