"""A roll in a CSV file."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from .roll import Event


def write_events(path: Path, events: Sequence[Event]) -> None:
    """Write a run's events as CSV: kind, amount, pose (12 numbers, row by row), axis, a point on it, contacts."""
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        pose = [f"{name}{k}" for name in ("r0", "r1", "r2") for k in range(3)]
        axis = [f"{name}_{k}" for name in ("axis", "about") for k in "xyz"]
        out.writerow(["step", "kind", "amount", "x", "y", "z", *pose, *axis, "contacts"])
        for step, event in enumerate(events):
            contacts = "; ".join(" ".join(f"{x:.9g}" for x in point) for point in event.contacts)
            numbers = (*event.pose[:3, 3], *event.pose[:3, :3].ravel(), *event.axis, *event.about)
            out.writerow([step, event.kind, repr(event.amount), *(repr(float(x)) for x in numbers), contacts])
