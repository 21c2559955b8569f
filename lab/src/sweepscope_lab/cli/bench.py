"""`sweepscope bench`: sweepscope and its peers in one run."""

from __future__ import annotations

import json
from importlib import import_module

from rich.console import Console
from rich.table import Table

from sweepscope import InvalidQuery
from sweepscope.cli.exits import FREE

from ..bench.rows import Row, check_peers

_WIDE = 130  # least width of the table, also in a file or a pipe
_TITLES = {
    "translate": "straight sweeps: time a query, and how many times as long the peer takes",
    "turn": "turning sweeps: time a query, and how many times as long the peer takes",
    "scopes": "scopes and radars: time a picture or a frame, and how many times as long the peer takes",
    "fans": "predictions: time with fans as broad phase, and how many times as long boxes alone take",
    "robots": "joints of a robot: time a motion, and how many times as long the peer takes",
    "files": "files: time to read one, and how many times as long the peer takes",
    "large": "large shapes: time of the first use",
    "volumes": "volumes: time a question, an edit or a frame, and how many times as long the peer takes",
}


def run_bench(what: str, repeats: int, as_json: bool) -> int:
    """Measure and print a table of times and ratios, or JSON."""
    if what not in _TITLES:
        raise InvalidQuery(f"bench: there is no {what!r}; accepted: {', '.join(_TITLES)}")
    check_peers(what)
    measure = import_module(f"..bench.{what}", __package__).measure
    # Standard output gets only JSON; progress goes to the error stream.
    console = Console(highlight=False, width=max(_WIDE, Console().width), stderr=as_json)
    rows: list[Row] = measure(repeats, console.print)
    if as_json:
        print(json.dumps([row.plain() for row in rows], indent=1))  # noqa: T201
        return FREE
    peers = list(dict.fromkeys(name for row in rows for name in row.peers))
    table = Table(title=_TITLES[what])
    for name in ("work", "sweepscope", *peers, *(f"x {name}" for name in peers), "must reach"):
        table.add_column(name, justify="left" if name == "work" else "right")
    for row in rows:
        times = [row.peers.get(name) for name in peers]
        ratios = ["-" if taken is None else f"{taken / row.ours:.1f}" for taken in times]
        table.add_row(row.work, _time(row.ours), *map(_time, times), *ratios, row.bar)
    console.print(table)
    for row in rows:
        if row.note:
            console.print(f"{row.work}: {row.note}")
    return FREE


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    return f"{1e6 * seconds:.1f} us" if seconds < 1e-3 else f"{1e3 * seconds:.2f} ms"
