"""The page: made from saved parts alone, so the same parts always give the same page. All text is escaped."""

from __future__ import annotations

import base64
import struct
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from .result import BookPicture, BookTable, Chapter, numbers
from .store import Saved
from .style import CSS

_WIDE = 1300  # pixels: pictures narrower than this are not stretched over the whole page
_BEYOND = "beyond the paper"


def page(chapters: Sequence[Chapter], saved: Mapping[str, Saved], size: str) -> str:
    """Return the whole book as HTML. saved: parts by name."""
    first = next(iter(saved.values()))
    body = [
        "<h1>Four papers, run again</h1>",
        _p(
            "The tables and figures of the four papers behind sweepscope, run again: published results and ours side by side, "
            "what differs, and why. Times are of the machine at the end of this page; what is the paper's and what is ours "
            "is said "
            "at each table and figure."
        ),
        f'<p class="soft">sweepscope {_t(first.key["facts"]["sweepscope"])}, size: {_t(size)}. {_t(_SIZES[size])}</p>',
        _contents(chapters, saved),
        *(_chapter(one, saved) for one in chapters),
        _colophon(chapters, saved, size),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Four papers, run again by sweepscope</title>\n<style>{CSS}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(body)
        + "\n</main>\n</body>\n</html>\n"
    )


_SIZES = {
    "tiny": "This is a trial of the page: figures show only that everything works.",
    "quick": "Fewer cases and repeats than in full: means scatter more.",
    "full": "The sizes that single commands use.",
}


def _t(text: object) -> str:
    return escape(str(text))


def _p(text: str) -> str:
    return f"<p>{_t(text)}</p>"


def _id(part: str, kind: str, index: int) -> str:
    return f"{part}-{kind}-{index + 1}"


# ---- contents


def _contents(chapters: Sequence[Chapter], saved: Mapping[str, Saved]) -> str:
    items = []
    for chapter in chapters:
        entries = []
        for part in chapter.parts:
            result = saved[part.name].result
            lines = [(_id(part.name, "table", k), one.of, one.title) for k, one in enumerate(result.sheets)]
            lines += [(_id(part.name, "figure", k), one.of, one.shows) for k, one in enumerate(result.pictures)]
            entries += [_entry(chapter.name, name, of, text) for name, of, text in lines]
        items.append(
            f'<li><a href="#{_t(chapter.name)}"><strong>{_t(chapter.title)}</strong></a><ul>{"".join(entries)}</ul></li>'
        )
    end = '<li><a href="#made-with"><strong>Made with</strong></a></li>'
    return f'<nav aria-label="contents"><h2>Contents</h2><ol>{"".join(items)}{end}</ol></nav>'


def _entry(chapter: str, name: str, of: tuple[str, ...], text: str) -> str:
    """Return a line of the contents; data-holds lists the paper's tables and figures that it shows."""
    kind = "figure" if "-figure-" in name else "table"
    holds = ";".join(f"{chapter} {one}" for one in of)
    start = numbers(of)
    label = f'<span class="number">{_t(start)}</span> ' if of and not text.startswith(start) else ""
    return f'<li data-holds="{_t(holds)}"><a href="#{_t(name)}">{label}{_t(text)}</a> <span class="soft">({kind})</span></li>'


# ---- chapters


def _chapter(chapter: Chapter, saved: Mapping[str, Saved]) -> str:
    parts = [f'<h2 id="{_t(chapter.name)}">{_t(chapter.title)}</h2>', f'<p class="source">{_t(chapter.source)}</p>']
    for part in chapter.parts:
        one = saved[part.name]
        parts.append(f'<h3 id="{_t(part.name)}">{_t(part.title)}</h3>')
        parts += [_figure(one, k, picture) for k, picture in enumerate(one.result.pictures)]
        parts += [_sheet(part.name, k, sheet) for k, sheet in enumerate(one.result.sheets)]
    if chapter.drawings:
        sheet = BookTable(
            "Figures that explain and hold no result",
            ("figure", "what it shows", "explained here in"),
            chapter.drawings,
        )
        parts += ["<h3>Drawings</h3>", _box(sheet, "words")]
    return "\n".join(parts)


def _sheet(part: str, index: int, sheet: BookTable) -> str:
    notes = f'<ul class="notes">{"".join(f"<li>{_t(note.strip())}</li>" for note in sheet.notes)}</ul>' if sheet.notes else ""
    rows = (("belongs to", numbers(sheet.of) if sheet.of else _BEYOND), ("what differs", sheet.differs))
    name = _id(part, "table", index)
    return f'<section class="sheet" id="{_t(name)}">{_box(sheet)}{notes}{_terms(rows)}</section>'


def _box(sheet: BookTable, kind: str | None = None) -> str:
    """Return a table in a box that scrolls sideways."""
    words = kind or ("words" if any(len(cell) > 40 for row in sheet.rows for cell in row[1:]) else "")
    head = "".join(f'<th scope="col">{_t(name)}</th>' for name in sheet.columns)
    rows = []
    for k, row in enumerate(sheet.rows):
        mark = ' class="ends"' if k in sheet.ends else ""
        cells = "".join(f"<td>{_t(cell)}</td>" for cell in row[1:])
        rows.append(f'<tr{mark}><th scope="row">{_t(row[0])}</th>{cells}</tr>')
    return (
        f'<div class="box" tabindex="0" role="region" aria-label="{_t(sheet.title)}"><table class="{words}">'
        f"<caption>{_t(sheet.title)}</caption><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _figure(saved: Saved, index: int, picture: BookPicture) -> str:
    content = (saved.folder / picture.file).read_bytes()
    width, height = struct.unpack(">II", content[16:24])  # a PNG file begins with its size
    name = _id(saved.folder.name, "figure", index)
    of = numbers(picture.of) if picture.of else _BEYOND
    terms = (("published", picture.published), ("ours", picture.ours), ("what differs", picture.differs))
    narrow = ' class="narrow"' if width < _WIDE else ""
    return (
        f'<figure id="{_t(name)}"><img{narrow} alt="{_t(picture.shows)}" width="{width}" height="{height}" '
        f'src="data:image/png;base64,{base64.b64encode(content).decode()}">'
        f"<figcaption><b>{_t(of[0].upper() + of[1:])}</b>: {_t(picture.shows)}.{_terms(terms)}</figcaption></figure>"
    )


def _terms(rows: Sequence[tuple[str, str]]) -> str:
    given = "".join(f"<dt>{_t(name)}</dt><dd>{_t(text)}</dd>" for name, text in rows if text)
    return f'<dl class="compare">{given}</dl>' if given else ""


# ---- the end


def _colophon(chapters: Sequence[Chapter], saved: Mapping[str, Saved], size: str) -> str:
    every = [(chapter, part, saved[part.name]) for chapter in chapters for part in chapter.parts]
    machine: dict[str, Any] = every[0][2].key["facts"]
    facts = BookTable("Machine and versions", ("what", "value"), tuple((name, str(value)) for name, value in machine.items()))
    total, work = (sum(getattr(one, name) for _, _, one in every) for name in ("seconds", "work"))
    parts = BookTable(
        f"Parts, {size}: {total:.0f} s in all, {work:.0f} s of work",
        ("part", "seconds", "work", "ended (UTC)", "settings"),
        tuple(
            (part.name, f"{one.seconds:.1f}", f"{one.work:.1f}", one.ended, _settings(one.key["settings"]))
            for _, part, one in every
        ),
    )
    return (
        '<h2 id="made-with">Made with</h2>'
        + _box(facts, "words")
        + _box(parts, "words")
        + _p("A part that is saved with the same settings, machine, versions and code is not run again; its times are kept.")
        + _p(
            "Work is counted over all cores. Where it is less than the seconds that passed, the machine was busy with other "
            "things, and times of that part are too long."
        )
    )


def _settings(settings: Mapping[str, Any]) -> str:
    return "; ".join(f"{name} {_setting(value)}" for name, value in settings.items())


def _setting(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_setting(one) for one in value)
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_setting(one)}" for key, one in value.items())
    return f"{value:.4g}" if isinstance(value, float) else str(value)
