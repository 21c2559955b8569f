"""The thesis' speed experiment in the book: Tables 3.2 to 3.6, Figs. 3.10 to 3.14, in both readings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from ..papers import fan_plots, fan_speed
from ..papers.fan_speed import Times
from ..papers.parts import Parts
from .result import BookPicture, BookTable, Result, Watch, compared, ratio
from .texts import write_rows

_FIGURES = {"3.2": "3.10", "3.3": "3.11", "3.4": "3.12", "3.5": "3.13", "3.6": "3.14"}
_TITLES = {
    "3.2": "in the plane",
    "3.3": "in space",
    "3.4": "a rotation against spheres, test only",
    "3.5": "building the volume only",
    "3.6": "building and testing",
}
_BUILT = ("3.4", "3.5", "3.6")
_SAME, _OTHER = "the same order", "THE OTHER ORDER"
_SPEED = (
    "The thesis ran C# on an i9-10900K, 100,000 tests of objects in a loop; here kernels run over arrays on one thread. So "
    "ratios within a table say more than times. Shapes are ours, drawn so that a third to a half hit."
)
_BUILDS = (
    "The thesis does not say how often a volume is built for 100,000 spheres: once, or a rotation and a volume for each sphere "
    "(22 ms for one fan would be much). So there are both readings. S-CCD: the box A1, the literal text, from corners; D1, "
    "inferred, differs in a few operations. A1 by extents is the same box from a center and half sizes. "
    "One volume alone is one call of a kernel: half a microsecond, whatever it builds."
)


def measure_speed(folder: Path, watch: Watch, *, repeats: int, tests: int) -> Result:
    """Run Tables 3.2 to 3.6 and Figs. 3.10 to 3.14; what is saved of an earlier run in the folder is used."""
    watch.begin(repeats * fan_speed.count_works())
    name = "fan_speed_parts" if tests == fan_speed.TESTS else f"fan_speed_parts_{tests}"
    rows = fan_speed.measure(Parts(folder / name, fan_speed.settings(tests)), repeats, tests, advance=watch.advance)
    for table, figure in _FIGURES.items():
        mine = [row for row in rows if row.table == table]
        write_rows(folder / f"fan_table_{table.replace('.', '_')}.csv", [_plain(rows, row) for row in mine])
        fan_plots.plot_times(mine, folder / _file(figure), f"Fig. {figure}: {_TITLES[table]}")
    sheets = [_times(table, rows, tests) for table in _TITLES]
    sheets += [_volume_orders(rows, tests), _orders(rows), _speeds(rows, tests)]
    return Result(tuple(sheets), tuple(_time_picture(table, rows, tests) for table in _TITLES))


def _file(figure: str) -> str:
    return f"fan_fig_{figure.replace('.', '_')}.png"


def _time_picture(table: str, rows: Sequence[Times], tests: int) -> BookPicture:
    known = [row for row in rows if row.table == table and row.published and ("fan" in row.name or row.method == "A1")]
    published = {row.name: row.published[0] for row in known if row.published}
    ours = (f"{row.name} ({row.method}, {row.reading}) {1e3 * row.mean:.3g}" for row in known)
    return BookPicture(
        _file(_FIGURES[table]),
        f"times of Table {table}, {_TITLES[table]}, as box plots",
        (f"Fig. {_FIGURES[table]}",),
        f"mean ms of 100,000: {', '.join(f'{name} {value:.2f}' for name, value in published.items())}",
        f"mean ms of {tests:,}: {', '.join(ours)}",
        _differs(table),
    )


def _differs(table: str) -> str:
    return _SPEED if table in ("3.2", "3.3") else f"{_SPEED} {_BUILDS}"


def _plain(rows: Sequence[Times], row: Times) -> dict[str, object]:
    """Return a line as plain data, times in milliseconds."""
    published = row.published or (math.nan,) * 3
    names = ("mean", "best", "worst")
    return {
        "reading": row.reading,
        "name": row.name,
        "method": row.method,
        "hits": row.hits,
        "repeats": len(row.seconds),
        **{f"{name} [ms]": 1e3 * getattr(row, name) for name in names},
        **{f"published {name} [ms]": value for name, value in zip(names, published, strict=True)},
        **{f"/ {base}": value for base, value in fan_speed.ratios(list(rows), row).items()},
        **{f"/ {base}, wide": value for base, value in fan_speed.ratios(list(rows), row, "wide").items()},
    }


def _times(table: str, rows: Sequence[Times], tests: int) -> BookTable:
    mine = [row for row in rows if row.table == table]
    bases = fan_speed.BASES.get(table, ())
    lines, ends = [], []
    for reading in dict.fromkeys(row.reading for row in mine):
        lines += [_line(rows, row) for row in mine if row.reading == reading]
        ends.append(len(lines) - 1)
    notes = []
    if "OBB" in bases:
        notes.append(
            "ratios refer to capsules and OBBs as in textbooks, published ratios in brackets; to those without branches:"
        )
        for row in mine:
            if row.method == "exact":
                wide = fan_speed.ratios(list(rows), row, "wide")
                texts = (f"/ {base} {value:.2f}" for base, value in wide.items() if base in ("capsule-capsule", "OBB"))
                notes.append(f"  {row.name}, {row.reading}: {', '.join(texts)}")
    return BookTable(
        f"Table {table}, {_TITLES[table]}: ms of {tests:,}, {len(mine[0].seconds):,} repetitions",
        ("test", "reading", "hits", "mean", "best", "worst", "published mean", *(f"/ {base}" for base in bases)),
        tuple(lines),
        (f"Table {table}",),
        tuple(ends),
        tuple(notes),
        _differs(table),
    )


def _line(rows: Sequence[Times], row: Times) -> tuple[str, ...]:
    """Return the cells of a line; published ratios in brackets."""
    published = f"{row.published[0]:.2f}" if row.published else ""
    old = _published_ratios(row)
    ratios = (
        f"{value:.2f} ({old[base]:.2f})" if base in old else f"{value:.2f}"
        for base, value in fan_speed.ratios(list(rows), row).items()
    )
    name = f"{row.name}, {row.method}" if row.method else row.name
    hits = "" if math.isnan(row.hits) else f"{100.0 * row.hits:.0f} %"
    return (name, row.reading, hits, *(f"{1e3 * value:.3g}" for value in (row.mean, row.best, row.worst)), published, *ratios)


def _published_ratios(row: Times) -> dict[str, float]:
    """Return the published ratios of the means, by volume."""
    if row.published is None:
        return {}
    return {base: row.published[0] / fan_speed.PUBLISHED[row.table, base][0] for base in fan_speed.BASES.get(row.table, ())}


def _speeds(rows: Sequence[Times], tests: int) -> BookTable:
    """Return the published means and ours, for as many tests."""
    scale = fan_speed.TESTS / tests
    lines = []
    for row in rows:
        if row.published is not None:
            name = ", ".join(word for word in (f"Table {row.table}: {row.name}", row.method, row.reading) if word)
            ours = 1e3 * row.mean * scale
            lines.append((name, f"{row.published[0]:.2f}", f"{ours:.3g}", ratio(row.published[0], ours)))
    tables = tuple(f"Table {table}" for table in _TITLES)
    scaled = "" if tests == fan_speed.TESTS else f" Ours are means of {tests:,} tests, scaled to 100,000."
    return compared("Tables 3.2 to 3.6, published and ours: mean ms of 100,000", tables, lines, _SPEED + scaled)


def _volume_orders(rows: Sequence[Times], tests: int) -> BookTable:
    """Return which is faster, a fan or a bounding volume, in Tables 3.2 and 3.3 and here, with the reasons of differences."""
    lines, ends = [], []
    for table in ("3.2", "3.3"):
        for one in fan_speed.orders([row for row in rows if row.table == table]):
            published = f"{one.published:.2f} ({one.ends[0]:.2f}, {one.ends[1]:.2f})"
            same = _SAME if one.holds else _OTHER
            lines.append((f"Table {table}: {one.fan} / {one.volume}", published, f"{one.ratio:.2f}", same))
        ends.append(len(lines) - 1)
    return BookTable(
        "Tables 3.2 and 3.3: a fan's time over that of a bounding volume, both shapes of each test random",
        ("what", "published: means (best, worst)", "ours: means", "which is faster"),
        tuple(lines),
        ("Table 3.2", "Table 3.3"),
        tuple(ends[:-1]),
        tuple(_reasons(rows, tests)),
        _SPEED,
    )


def _reasons(rows: Sequence[Times], tests: int) -> list[str]:
    """Return why orders of Table 3.2 differ, in measured times of one test [ns]."""
    mine = {(row.name, row.method): row for row in rows if (row.table, row.reading) == ("3.2", "pairs")}
    each = {key: f"{1e9 * row.mean / tests:.3g} ns" for key, row in mine.items()}
    by_ranges = 100.0 * mine["fan-capsule", "ranges alone"].hits
    fan, volume = fan_speed.PUBLISHED["3.2", "fan-capsule"], fan_speed.PUBLISHED["3.2", "capsule-capsule"]
    mixed = [one for one in fan_speed.orders(list(rows)) if one.table in ("3.2", "3.3") and not one.consistent]
    pairs = dict.fromkeys(f"{one.fan.split(',')[0]} / {one.volume.split(',')[0]} (Table {one.table})" for one in mixed)
    return [
        f"fan-capsule in the plane: ranges of t decide {by_ranges:.0f} % of the tests and take "
        f"{each['fan-capsule', 'ranges alone']} of {each['fan-capsule', 'published']}; all others need two distances of "
        f"segments (2.9.5), where capsule-capsule needs one: {each['capsule-capsule', '2.9.5']} by 2.9.5, "
        f"{each['capsule-capsule', 'textbook']} as in textbooks",
        f"in the thesis even the cheapest fan-capsule ({fan[1]:.2f} ms) takes less than the cheapest capsule-capsule "
        f"({volume[1]:.2f} ms): its distance of segments must cost more than its ranges do. Its code is not published",
        f"the thesis' own means have another order than its best or its worst times: {', '.join(pairs)}",
        f"fan-circle, published, takes {each['fan-circle', 'published']} in a loop without branches, an OBB "
        f"{each['OBB', 'textbook']} with branches and {each['OBB', 'wide']} without",
        f"fan-rectangle as printed, where 2.9.2 limits s, {each['fan-rectangle', 'published']}; without crossings beyond sides "
        f"{each['fan-rectangle', 'rejecting']}; ours {each['fan-rectangle', 'exact']}. The answers are the same",
    ]


def _orders(rows: Sequence[Times]) -> BookTable:
    """Return which is faster, the fan or S-CCD, in the thesis and in both readings here."""
    lines, ends = [], []
    found = fan_speed.orders([row for row in rows if row.table in _BUILT])
    for k, one in enumerate(found):
        what = f"Table {one.table}: {one.fan} / {one.volume}"
        lines.append((what, one.reading, f"{one.published:.2f}", f"{one.ratio:.2f}", _SAME if one.holds else _OTHER))
        if k + 1 < len(found) and (found[k + 1].table, found[k + 1].reading) != (one.table, one.reading):
            ends.append(k)
    return BookTable(
        "Tables 3.4 to 3.6: the fan's time over that of S-CCD",
        ("what", "volumes built", "published", "ours", "which is faster"),
        tuple(lines),
        tuple(f"Table {table}" for table in _BUILT),
        tuple(ends),
        (f"the thesis concludes that the fan is faster in total. By its own tests: {_conclusion(rows)}",),
        f"{_SPEED} {_BUILDS}",
    )


def _conclusion(rows: Sequence[Times]) -> str:
    """Return in words whether the fan is faster in total, in both readings."""
    texts = []
    for reading, words in (("each", "a volume built for each sphere"), ("once", "one volume built for all")):
        mine = {(row.name, row.method): row.mean for row in rows if (row.table, row.reading) == ("3.6", reading)}
        fan, box = mine["fan", "published"], mine["S-CCD", "A1"]
        texts.append(
            f"{words}, fan {1e3 * fan:.3g} ms, S-CCD A1 {1e3 * box:.3g} ms: {'holds' if fan < box else 'does not hold'}"
        )
    return "; ".join(texts)
