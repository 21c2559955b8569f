"""`sweepscope bench`: sweepscope and its peers in one run."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from sweepscope.cli.exits import FREE
from sweepscope.errors import InvalidQuery

from ..bench.rows import Row, check_peers

_TITLES = {
    "translate": "straight sweeps: time a query, and how many times as long the peer takes",
    "turn": "turning sweeps: time a query, and how many times as long the peer takes",
    "scopes": "scopes and radars: time a picture or a frame, and how many times as long the peer takes",
    "cuda": "sweeps on an NVIDIA card: time a row in one call, and how many times as long all cores take",
    "contacts": "contacts: time a question, and how many times as long the peer takes",
    "fans": "predictions: time with fans as broad phase, and how many times as long boxes alone take",
    "robots": "joints of a robot: time a motion, and how many times as long the peer takes",
    "files": "files: time to read one, and how many times as long the peer takes",
    "rays": "rays: time of all, and how many times as long the peer takes",
    "large": "large shapes: time of the first use",
    "distance": "distances: time a question, and how many times as long the peer takes",
    "many": "many rows in one call: time a row, and how many times as long the peer takes",
    "memory": "many rows into a memory map: time a row, and memory",
    "motions": "motions of all joints: time a question, and how many times as long pinocchio takes",
    "way": "everything on the way, and gradients: time a query, and how many times as long loops of sweeps take",
    "overlaps": "overlaps: time a question, and how many times as long the peer takes",
    "signed": "signed distance of points: time a table of points, and how many times as long the peer takes",
    "volumes": "volumes: time a question, an edit or a frame, and how many times as long the peer takes",
}


def run_bench(what: str, repeats: int, as_json: bool, only: str | None = None, problems: Path | None = None) -> int:
    """Measure and print a table of times and ratios, or JSON. only, problems: of motions."""
    if what not in _TITLES:
        raise InvalidQuery(f"bench: there is no {what!r}; accepted: {', '.join(_TITLES)}")
    given = {name: value for name, value in (("only", only), ("problems", problems)) if value is not None}
    if given and what != "motions":
        raise InvalidQuery(f"--{next(iter(given))}: {what} does not take it; accepted for motions")
    check_peers(what)
    measure = import_module(f"..bench.{what}", __package__).measure
    rows: list[Row] = measure(repeats, Console(highlight=False, stderr=True).print, **given)
    if as_json:
        print(json.dumps([row.plain() for row in rows]))  # noqa: T201
        return FREE
    console = Console(highlight=False)
    console.print(table_of_times(_TITLES[what], rows))
    for row in rows:
        if row.note:
            console.print(f"{row.work}: {row.note}")
    return FREE


def table_of_times(title: str, rows: list[Row]) -> Table:
    """Return a table of times, each peer's with the ratio. What was done is broken into lines where the screen is narrow."""
    peers = list(dict.fromkeys(name for row in rows for name in row.peers))
    table = Table(title=title, box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("work", overflow="fold")
    for name in ("sweepscope", *peers):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("must reach", justify="right")
    for row in rows:
        table.add_row(row.work, _time(row.ours), *(_compared(row.peers.get(name), row.ours) for name in peers), row.bar)
    return table


def _compared(seconds: float | None, ours: float) -> str:
    return "-" if seconds is None else f"{_time(seconds)}, {seconds / ours:,.1f} x"


def _time(seconds: float) -> str:
    return f"{1e6 * seconds:.1f} us" if seconds < 1e-3 else f"{1e3 * seconds:.2f} ms"
