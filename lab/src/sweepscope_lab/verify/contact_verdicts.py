"""Verdicts on the law of contact, and their sums. Each question has its own counts and its own kinds of wrong answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .tallies import tally


@dataclass(slots=True)
class ContactVerdict:
    """What one case of a question counted, and what is wrong."""

    seed: int
    kind: str
    """The bodies, in words."""
    groups: tuple[str, ...]
    """Rows of the table in which it is counted, besides that of all cases."""
    counts: dict[str, int]
    """By the names of the question, such as "motions" and "free"."""
    worst: float = 0.0
    """The figure that the question watches, such as the greatest depth [tolerances]."""
    wrongs: list[tuple[str, str]] = field(default_factory=list)
    """What is wrong, by the names of the question, and the rest in words."""


@dataclass(slots=True)
class ContactTally:
    """Sums over the cases of a group."""

    kind: str
    cases: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    worst: float = 0.0
    wrongs: dict[str, int] = field(default_factory=dict)

    def add(self, verdict: ContactVerdict) -> None:
        """Count a verdict."""
        self.cases += 1
        self.worst = max(self.worst, verdict.worst)
        for name, count in verdict.counts.items():
            self.counts[name] = self.counts.get(name, 0) + count
        for what, _ in verdict.wrongs:
            self.wrongs[what] = self.wrongs.get(what, 0) + 1


def tally_contact(verdicts: Iterable[ContactVerdict]) -> list[ContactTally]:
    """Return a row for all verdicts, then one for each group, by name."""
    rows = tally(ContactTally, [(kind, verdict) for verdict in verdicts for kind in ("all", *verdict.groups)])
    return [rows[0], *sorted(rows[1:], key=lambda row: row.kind)]
