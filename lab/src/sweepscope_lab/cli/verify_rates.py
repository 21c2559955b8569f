"""The message for cases that hit too seldom or too often to prove much."""

from __future__ import annotations


def poor_rate(name: str, some: int, cases: int, accepted: tuple[float, float]) -> str:
    """Return the message for a rate of hits outside of `accepted`."""
    low, high = accepted
    return f"{name}: a rate of {some / cases:.0%} is not within {low:.0%} to {high:.0%}: these cases prove little"
