"""What a proof or a fuzz prints: tables for people, or one line of JSON for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import numpy as np
from rich.console import Console


class Report:
    """Where a proof prints, and what it has counted.

    Tables go to the output; with `as_json` to the error stream, because the output gets one line of JSON. `progress` is the
    error stream always.
    """

    def __init__(self, as_json: bool = False) -> None:
        self.console = Console(highlight=False, stderr=as_json)
        self.progress = Console(highlight=False, stderr=True)
        self.wrong = 0
        """Wrong answers."""
        self._as_json = as_json
        self._rows: list[dict[str, Any]] = []

    def count(self, rows: Iterable[Any], **names: str) -> None:
        """Keep tallies (dataclasses) for the JSON; `names` say which question they belong to."""
        self._rows += [{**names, **asdict(row)} for row in rows]

    def print_json(self, **settings: Any) -> None:
        """Print settings, wrong answers and tallies in one line, if JSON was asked for."""
        if self._as_json:
            print(json.dumps(_plain({**settings, "wrong": self.wrong, "rows": self._rows})))  # noqa: T201


def _plain(value: Any) -> Any:
    """Return a value as JSON knows it; null for numbers that are not finite."""
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
