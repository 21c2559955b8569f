"""`sweepscope sweep` with files of motions, poses or a tool path: many sweeps in one call."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from .. import checks
from ..drawing.picture import checked_path
from ..errors import InvalidQuery
from ..leading import BLOCK
from ..motion import Motion
from ..results.hits import Hit, plain_hit
from ..results.many import Hits
from ..scene import Scene
from ..threads import Progress
from .exits import FREE, HIT
from .files import add_files, load
from .motion import amount
from .motion_files import ToolPath, motions_in, poses_in
from .pictures import check_png, show_files
from .sweep import add_contact, add_obstacle
from .tables import columns, facts, numbers

_MOST = 10  # hits and obstacles that are listed
_FIRST = 256  # segments of the first call along a path
_ONE_MOTION = ("--move", "--axis", "--angle", "--about", "--slide")
_EXCLUDED = (
    ("--each", ("--motions", "--poses", "--path", "--gif", "--view")),
    ("--motions", (*_ONE_MOTION, "--path", "--picture", "--gif", "--view")),
    ("--path", (*_ONE_MOTION, "--poses", "--at", "--gif", "--view")),
    ("--poses", ("--at", "--orient", "--picture", "--gif", "--view")),
)
_NEEDED = (
    ("--all", ("--path",)),
    ("--out", ("--motions", "--poses", "--all")),
    ("--threads", ("--motions", "--poses", "--path")),
)


@dataclass(frozen=True)
class RowOptions:
    """Options of `sweep` for many rows."""

    motions: Path | None
    poses: Path | None
    path: Path | None
    every: bool
    out: Path | None
    threads: int | None

    def check(self, others: Mapping[str, object]) -> bool:
        """Return whether many rows are swept; raise if options contradict each other. others: by name, None if not given."""
        named = {"--motions": self.motions, "--poses": self.poses, "--path": self.path, "--all": self.every or None}
        named |= {"--out": self.out, "--threads": self.threads, **others}
        given = [name for name, value in named.items() if value is not None]
        for name, excluded in _EXCLUDED:
            both = [each for each in excluded if name in given and each in given]
            if both:
                raise InvalidQuery(f"given: {name} and {' and '.join(both)}; they exclude each other")
        for name, needed in _NEEDED:
            if name in given and not set(needed) & set(given):
                raise InvalidQuery(f"given: {name}; accepted only with {' or '.join(needed)}")
        return not {"--motions", "--poses", "--path"}.isdisjoint(given)


def run_sweep_rows(
    mover: Path,
    others: list[Path],
    motion: Motion | None,
    start: NDArray[np.float64],
    oriented: bool,
    rows: RowOptions,
    margin: float,
    resting: Literal["free", "hit"],
    tolerance: float | None,
    as_json: bool,
    spacing: float | None,
    threshold: float | None,
    picture: Path | None,
) -> int:
    """Load, sweep all rows, write, draw, print; return the exit code. motion: of all rows, if no file has motions."""
    check_png(picture)
    if rows.out is not None:
        checked_path(rows.out, ".npz", "--out")
    if rows.threads is not None:
        checks.whole(rows.threads, "--threads", InvalidQuery, 1)
    path = None if rows.path is None else ToolPath(rows.path, start if oriented else None)
    asked: Any = motion
    poses = None if rows.poses is None else poses_in(rows.poses)
    if rows.motions is not None:
        asked, starts = motions_in(rows.motions)
        if starts is not None and (poses is not None or not np.array_equal(start, np.eye(4))):
            given = "--poses" if poses is not None else "--at or --orient"
            raise InvalidQuery(f"given: {given}, but {rows.motions} holds poses_0, where motions start; accepted: one of them")
        if poses is not None and len(poses) != len(asked):
            raise InvalidQuery(
                f"{rows.motions} has {checks.amount(len(asked), 'row')}, {rows.poses} has {len(poses)}; expected as many"
            )
        poses = starts if poses is None else poses
    scene = Scene(tolerance)
    body = scene.add(load(mover, spacing, threshold), start, name=str(mover))
    add_files(scene, others, spacing, threshold)
    sweep_rows = partial(scene.sweep_many, body, margin=margin, resting=resting, threads=rows.threads)
    if path is not None and not rows.every:
        with _bar(as_json) as progress:
            found = _first_hit(sweep_rows, path, progress)
        _draw(scene, None if found is None else found[1], picture)
        _answer_first(path, found, as_json)
    else:
        if path is not None:
            asked, poses = path.part(0, path.segments)
        count = max(1 if motion is not None else len(asked), 0 if poses is None else len(poses))
        checks.require_memory(count * Hits.dtype.itemsize, checks.amount(count, "answer"), InvalidQuery)
        with _bar(as_json) as progress:
            found = sweep_rows(asked, poses, progress=progress)
        if rows.out is not None:
            found.save(rows.out)
        if picture is not None:
            _draw(scene, found[int(np.argmin(found.free))], picture)
        _answer_all(found, path, rows.out, as_json)
    if not as_json:
        show_files(picture, None)
    return HIT if found else FREE


@contextmanager
def _bar(as_json: bool) -> Iterator[Progress | None]:
    """Show a bar on the error stream if that is a terminal; yield what moves it."""
    if as_json or not sys.stderr.isatty():
        yield None
        return
    columns = TextColumn("sweeping"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _first_hit(sweep_rows: Any, path: ToolPath, progress: Progress | None) -> tuple[int, Hit] | None:
    """Return the first segment that hits, and its hit; segments are swept in blocks, which grow."""
    first, size = 0, _FIRST
    while first < path.segments:
        last = min(path.segments, first + size)
        hits = sweep_rows(*path.part(first, last))
        if hits:
            row = int(np.argmin(hits.free))
            return first + row, hits[row]
        if progress is not None:
            progress(last, path.segments)
        first, size = last, min(2 * size, BLOCK)
    return None


def _draw(scene: Scene, hit: Hit | None, picture: Path | None) -> None:
    if picture is not None:
        scene.picture(picture) if hit is None else hit.picture(picture)


def _motion(hit: Hit) -> Motion:
    assert hit.motion is not None  # of a sweep
    return hit.motion


def _answer_first(path: ToolPath, found: tuple[int, Hit] | None, as_json: bool) -> None:
    """Print the first hit along a path."""
    lengths = path.lengths()
    total = travel = float(lengths.sum())
    plain: dict[str, Any] = {"hit": False, "time": None}
    segment = hit = None
    if found is not None:
        segment, hit = found
        travel = float(lengths[:segment].sum() + hit.time * lengths[segment])
        plain = plain_hit(hit, _motion(hit))
    if as_json:
        along = {"segment": segment, "segments": path.segments, "path_travel": travel, "path_length": total}
        print(json.dumps({**plain, **along}))  # noqa: T201
        return
    console = Console(highlight=False, soft_wrap=True)
    segments = checks.amount(path.segments, "segment")
    if segment is None or hit is None:
        console.print(f"free: hits nothing on {segments}, {total:.9g} long", style="green")
        return
    table = facts()
    add_obstacle(table, hit)
    table.add_row("segment", f"{segment}, from point {segment} to point {segment + 1}; the path has {segments}")
    table.add_row("travel", f"{travel:.9g} of {total:.9g} along the path")
    table.add_row("time", f"{hit.time:.9g} of the segment")
    table.add_row("mover at", numbers(hit.pose[:3, 3]))
    add_contact(table, hit)
    console.print(table)


def _answer_all(hits: Hits, path: ToolPath | None, out: Path | None, as_json: bool) -> None:
    """Print how many rows hit, what they hit, and the first of them."""
    word = "motion" if path is None else "segment"
    rows = np.flatnonzero(~hits.free)
    ids, firsts, counts = np.unique(hits.obstacle[rows], return_index=True, return_counts=True)
    order = np.argsort(-counts, kind="stable").tolist()
    obstacles = [(hits.names[int(ids[k])], int(counts[k]), int(rows[firsts[k]])) for k in order]
    overlapping = int(hits.overlapping.sum())
    listed = [(row, hit) for row in rows[:_MOST].tolist() if (hit := hits[row]) is not None]
    along: dict[int, float] = {}
    if path is not None:
        lengths = path.lengths()
        before = np.cumsum(lengths) - lengths
        along = {row: float(before[row] + hit.time * lengths[row]) for row, hit in listed}
    if as_json:
        found = [
            {word: row, **plain_hit(hit, _motion(hit)), **({"path_travel": along[row]} if along else {})} for row, hit in listed
        ]
        by_obstacle = [{"obstacle": name, "hits": count, "first": row} for name, count, row in obstacles]
        summary = {"hit": bool(hits), f"{word}s": len(hits), "hits": len(rows), "overlapping": overlapping}
        file = None if out is None else str(out)
        print(json.dumps({**summary, "obstacles": by_obstacle, "first_hits": found, "out": file}))  # noqa: T201
        return
    console = Console(highlight=False, soft_wrap=True)
    total = checks.amount(len(hits), word)
    if hits:
        more = f"; {overlapping} overlap at the start" if overlapping else ""
        console.print(f"{len(rows)} of {total} hit{more}", style="red")
        shown = [(f"{count}", f"{row}", escape(name)) for name, count, row in obstacles[:_MOST]]
        console.print("", columns(("hits", f"first {word}", "obstacle"), shown), sep="\n")
        if len(obstacles) > _MOST:
            console.print(f"and {checks.amount(len(obstacles) - _MOST, 'more obstacle')}")
        titles = word, "travel", *(["along path"] if along else []), "point", *(["obstacle"] if len(obstacles) > 1 else [])
        shown = []
        for row, hit in listed:
            travel = amount(_motion(hit), hit.time, 6), *([f"{along[row]:.6g}"] if along else [])
            shown.append((f"{row}", *travel, numbers(hit.point), escape(hit.obstacle.name))[: len(titles)])
        console.print("", columns(titles, shown), sep="\n")
        if len(rows) > _MOST:
            console.print(f"and {checks.amount(len(rows) - _MOST, f'more {word}')}")
    else:
        console.print(f"free: none of {total} hits anything" if len(hits) else f"free: {total}", style="green")
    if out is not None:
        console.print(f"answers: {escape(str(out))}")
