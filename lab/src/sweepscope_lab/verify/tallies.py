"""What the tallies of all proofs share: rows by kind, and the share of hits that a proof needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

ENOUGH = 100
"""A share of fewer cases says little."""


class _Row(Protocol):
    @property
    def add(self) -> Callable[..., None]: ...


class _Verdict(Protocol):
    @property
    def case(self) -> Any: ...


AnyRow = TypeVar("AnyRow", bound=_Row)
AnyVerdict = TypeVar("AnyVerdict", bound=_Verdict)


def tally(row: Callable[[str], AnyRow], entries: Iterable[tuple[Any, ...]]) -> list[AnyRow]:
    """Return a row for each kind, "all" first. entries: a kind, then what the row's `add` takes."""
    rows = {"all": row("all")}
    for kind, *judged in entries:
        rows.setdefault(kind, row(kind)).add(*judged)
    return list(rows.values())


def by_kind(verdicts: Iterable[AnyVerdict]) -> dict[str, list[AnyVerdict]]:
    """Return verdicts by the kind of their case."""
    table: dict[str, list[AnyVerdict]] = {}
    for verdict in verdicts:
        table.setdefault(verdict.case.kind, []).append(verdict)
    return table


def outside(share: float, cases: int, accepted: tuple[float, float]) -> bool:
    """True if a share of enough cases is outside the accepted range: the cases then prove little."""
    return cases >= ENOUGH and not accepted[0] <= share <= accepted[1]
