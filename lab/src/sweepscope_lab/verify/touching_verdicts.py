"""Verdicts on bodies that touch at the start, and their sums."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sweepscope import Hit

from .tallies import tally

PARTS, PRESSES, SKIPPED = "parts", "presses", "skipped"
WRONG_FREE, FALSE_HIT, LATE = "wrong free", "false hit", "late"
WRONGS = (WRONG_FREE, FALSE_HIT, LATE)
AT_START = 1e-6
"""Travel [length of the case, about 1; radians] up to which a hit is one at the start: rounding delays it by less."""


@dataclass(frozen=True, slots=True)
class TouchingVerdict:
    """A case, the truth, and what is wrong with the answer."""

    question: str
    kind: str
    seed: int
    touching: bool
    """At the start, within the tolerance."""
    truth: str
    """"parts" (or slides), "presses", or "skipped": too near to call."""
    wrong: str
    """"wrong free", "false hit", "late", or empty."""
    summary: str
    """The case and the answer, in words."""


def describe(hit: Hit | None) -> str:
    """Return an answer in words."""
    if hit is None:
        return "free"
    return f"hit after {hit.travel:.3g}, {' on '.join(feature.kind for feature in hit.features)}"


@dataclass(slots=True)
class TouchingTally:
    """Sums over the cases of a kind."""

    kind: str
    cases: int = 0
    touching: int = 0
    parts: int = 0
    presses: int = 0
    skipped: int = 0
    wrongs: dict[str, int] = field(default_factory=lambda: dict.fromkeys(WRONGS, 0))

    def add(self, verdict: TouchingVerdict) -> None:
        """Count a verdict."""
        self.cases += 1
        self.touching += verdict.touching
        self.parts += verdict.truth == PARTS
        self.presses += verdict.truth == PRESSES
        self.skipped += verdict.truth == SKIPPED
        if verdict.wrong:
            self.wrongs[verdict.wrong] += 1


def tally_touching(verdicts: Iterable[TouchingVerdict]) -> list[TouchingTally]:
    """Return a row for all verdicts, and one for each kind."""
    entries = [(kind, verdict) for verdict in verdicts for kind in ("all", verdict.kind)]
    return tally(TouchingTally, entries)
