"""Numbers as text, and rows as CSV files."""

from __future__ import annotations

import csv
import math
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any


def ms(seconds: float) -> str:
    """Return a time in milliseconds, three digits."""
    return f"{1e3 * seconds:.3g}"


def us(seconds: float) -> str:
    """Return a time in microseconds."""
    return f"{1e6 * seconds:,.1f}" if seconds < 1e-3 else f"{1e6 * seconds:,.0f}"


def share(value: float) -> str:
    """Return a share in percent; "-" if it is unknown."""
    return "-" if math.isnan(value) else f"{100.0 * value:.0f} %"


def percents(shares: Collection[float]) -> str:
    """Return the least and the largest of some shares in percent, one digit behind the point."""
    return f"{100.0 * min(shares):.1f} % to {100.0 * max(shares):.1f} %"


def number(value: float) -> str:
    """Return a number, three digits; "-" if it is unknown."""
    return "-" if math.isnan(value) else f"{value:.3g}"


def write_rows(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Write rows as CSV, with the keys of the first as header."""
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
