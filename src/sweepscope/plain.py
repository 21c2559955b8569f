"""Answers of sweeps as plain data, for JSON: missing values are None."""

from __future__ import annotations

from typing import Any

from .motion import Motion
from .results import Hit, LinkHit


def plain_hit(hit: Hit | None, motion: Motion) -> dict[str, Any]:
    """Return the answer of a sweep."""
    found = {"time": None, "travel": motion.length} if hit is None else hit.as_dict()
    return {"hit": hit is not None, **found, "unit": "radians" if motion.turns else "length"}


def plain_link_hit(hit: LinkHit | None) -> dict[str, Any]:
    """Return the answer of a robot's sweep."""
    return {"hit": False} if hit is None else {"hit": True, **hit.as_dict()}
