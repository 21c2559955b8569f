"""`sweepscope papers volume`: the third paper's experiment, run again and extended."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from sweepscope.cli.exits import FREE
from sweepscope.cli.figures import need_matplotlib

from ..papers import volume, volume_plots
from ..papers.volume import DATA, PUBLISHED, SIDE, Mean, VolumeFrame
from .tables import QUICK_NOTE, console_of, table_of, write_rows

_QUICK_FRAMES, _QUICK_SIZES = 24, {16: 8, 32: 8}
_WIDTH = 160  # of tables in a file or a pipe
_SHARES = ("box", "planes", "lines", "tested")


def run_volume(out: Path, quick: bool) -> int:
    """Run the experiment, print tables, write CSV files and figures into the existing folder `out`."""
    need_matplotlib()
    console = console_of(_WIDTH)
    if quick:
        frames = volume.measure_table(console.print, _QUICK_FRAMES, 2)
        others = volume.measure_sizes(console.print, _QUICK_SIZES, 1)
    else:
        frames = volume.measure_table(console.print)
        others = volume.measure_sizes(console.print)
    table, sizes = volume.means(frames), sorted(volume.means([*frames, *others]), key=lambda row: (row.data, row.n))
    _write(out, frames, others, table, sizes)
    _show_table(console, table)
    _show_sizes(console, sizes)
    _show_culls(console, sizes)
    if quick:
        console.print(QUICK_NOTE)
    console.print(
        f"written to {out}: volume_table1, volume_sizes, volume_culls, volume_frames as csv and png, "
        "volume_worth and volume_fig2 as png"
    )
    return FREE


def _write(
    out: Path, frames: Sequence[VolumeFrame], others: Sequence[VolumeFrame], table: Sequence[Mean], sizes: Sequence[Mean]
) -> None:
    write_rows(out / "volume_frames.csv", [volume.plain(row) for row in (*frames, *others)])
    write_rows(out / "volume_table1.csv", [{**volume.plain(row), "published ratio": row.published} for row in table])
    whole = [row for row in sizes if row.part == "all"]
    write_rows(out / "volume_sizes.csv", [volume.plain(row) for row in whole])
    shares = [{key: volume.plain(row)[key] for key in ("data", "name", "n", "part", "frames", *_SHARES)} for row in sizes]
    write_rows(out / "volume_culls.csv", shares)
    volume_plots.plot_table(table, out / "volume_table1.png")
    volume_plots.plot_sizes(sizes, out / "volume_sizes.png")
    volume_plots.plot_culls(sizes, out / "volume_culls.png")
    volume_plots.plot_frames(frames, out / "volume_frames.png")
    volume_plots.plot_worth([*frames, *others], out / "volume_worth.png")
    scenes = []
    for data in DATA:
        # The frame in which lines leave most voxels shows where lines help and where they do not.
        most = max((row for row in frames if row.data == data), key=lambda row: row.costs.tested)
        alphas, offset = volume.bytes_at(volume.story_of(data, SIDE), most.frame)
        scenes.append((f"data {data}, {DATA[data]}, frame {most.frame}", alphas, offset))
    volume_plots.plot_lines(scenes, out / "volume_fig2.png")


def _show_table(console: Console, rows: Sequence[Mean]) -> None:
    table = table_of(
        f"Table 1: mean time of a frame in microseconds, {SIDE}^3, voxel by voxel; upkeep + test",
        *("data", "frames", "changed", "planes", "lines", "ratio", "of the test", "published", "published ratio"),
    )
    for row in rows:
        costs = row.costs
        planes, lines, ratio = PUBLISHED[row.data]
        published = (f"{planes:.2f}, {lines:.2f} ms", f"{ratio:.1f}") if row.part == "all" else ("", "")
        table.add_row(
            f"{row.data} {DATA[row.data]}, {row.part}",
            str(row.frames),
            f"{costs.changed:,.0f}",
            f"{_us(costs.planes_upkeep)} + {_us(costs.planes_test)} = {_us(costs.by_planes)}",
            f"{_us(costs.lines_upkeep)} + {_us(costs.lines_test)} = {_us(costs.by_lines)}",
            *(f"{costs.ratio:.2f}", f"{costs.test_ratio:.2f}", *published),
        )
    console.print(table)
    console.print("counted: upkeep of both indices from the list of changed voxels, and the test")
    console.print("not counted, because equal for both: writing alpha, and finding what changed")
    for row in rows:
        if row.part == "apart" and row.costs.changed:
            console.print(
                f"data {row.data}, apart: lines cost {1e9 * row.extra:.1f} ns more for each changed voxel and save "
                f"{1e9 * row.saved:.2f} ns for each that box and planes leave; there are "
                f"{SIDE**3 * row.costs.after_planes / row.costs.changed:.0f} of these to one that changed, "
                f"{row.extra / row.saved:.0f} would pay for it"
            )
    table = table_of(
        f"the library itself, {SIDE}^3, in microseconds",
        *(
            "data",
            "edit, changed voxels",
            "edit, whole region",
            "overlap, box + planes",
            "overlap, all three",
            "ratio of the test",
        ),
    )
    for row in rows:
        costs = row.costs
        times = map(_us, (costs.edit_voxels, costs.edit_region, costs.overlap_planes, costs.overlap_lines))
        table.add_row(f"{row.data} {DATA[row.data]}, {row.part}", *times, f"{costs.library_ratio:.2f}")
    console.print(table)
    console.print("an edit of the whole region writes alpha and finds what changed; the library's index always has lines")


def _show_sizes(console: Console, rows: Sequence[Mean]) -> None:
    table = table_of(
        "by size: mean time of a frame in microseconds",
        *("data", "n", "frames", "changed", "planes", "lines", "ratio", "of the test"),
        *("edit, voxels", "overlap, planes", "overlap, all", "ratio"),
    )
    powers = volume.exponents(rows)
    for data in DATA:
        for row in rows:
            if (row.data, row.part) != (data, "all"):
                continue
            costs = row.costs
            table.add_row(
                *(f"{data} {DATA[data]}", str(row.n), str(row.frames), f"{costs.changed:,.0f}"),
                *(_us(costs.by_planes), _us(costs.by_lines), f"{costs.ratio:.2f}", f"{costs.test_ratio:.1f}"),
                *(_us(costs.edit_voxels), _us(costs.overlap_planes), _us(costs.overlap_lines), f"{costs.library_ratio:.1f}"),
            )
        grown = {name: "" if math.isnan(power := powers[data, name]) else f"n^{power:.2f}" for name in volume.METHODS}
        table.add_row(
            *("grows as", "", "", "", grown["by_planes"], grown["by_lines"], "", ""),
            *(grown["edit_voxels"], grown["overlap_planes"], grown["overlap_lines"], ""),
            end_section=True,
        )
    console.print(table)


def _show_culls(console: Console, rows: Sequence[Mean]) -> None:
    table = table_of(
        "share of the first volume's voxels that each cull removes, mean over frames",
        *("data", "n", "box", "planes", "lines", "left", "lines, of what planes left"),
    )
    for row in rows:
        if row.part == "all":
            costs = row.costs
            shares = (f"{100.0 * getattr(costs, name):.3g} %" for name in _SHARES)
            taken = f"{100.0 * costs.lines / costs.after_planes:.2f} %" if costs.after_planes else ""
            table.add_row(f"{row.data} {DATA[row.data]}", str(row.n), *shares, taken)
    console.print(table)


def _us(seconds: float) -> str:
    return f"{1e6 * seconds:,.1f}" if seconds < 1e-3 else f"{1e6 * seconds:,.0f}"
