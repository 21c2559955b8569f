"""`sweepscope papers`: the papers' experiments, run again, with the published results: one by one, or all on one page."""

from __future__ import annotations

import tempfile
from pathlib import Path

from sweepscope.errors import InaccessibleFile, InvalidQuery

PAPERS = ("radar", "grasp", "rolling", "volume", "fan", "films", "all")


def run_papers(what: str, out: Path, size: str = "full", as_json: bool = False) -> int:
    """Run a paper's experiments, print tables with the published results, write CSV files and figures into folder `out`.

    size: tiny, quick, full, or published, the number of cases of the thesis (fan). "all" runs everything and writes one page;
    "films" writes motions as GIF files.
    as_json: the tables as JSON on the output, the rest on the error stream; of "all", the page and its parts.
    """
    if what not in PAPERS:
        raise InvalidQuery(f"papers: there is no {what!r}; accepted: {', '.join(PAPERS)}")
    if size == "published" and what != "fan":
        raise InvalidQuery(f"published: {what} is run in full at most; accepted: fan")
    _make_folder(out)
    if what == "films":
        from .papers_films import run_films

        return run_films(out, size, as_json)
    if what == "all":
        from .papers_book import run_book

        return run_book(out, size, as_json)
    from .papers_chapter import run_chapter

    return run_chapter(what, out, size, as_json)


def size_of(quick: bool, full: bool, published: bool) -> str:
    """Return the size that options choose; full if none is given."""
    given = [name for name, value in (("quick", quick), ("full", full), ("published", published)) if value]
    if len(given) > 1:
        raise InvalidQuery(f"{' and '.join(f'--{name}' for name in given)}: choose one")
    return given[0] if given else "full"


def _make_folder(out: Path) -> None:
    """Make a folder, and see that it can be written before anything runs."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InaccessibleFile(f"out: {str(out)!r} cannot be made a folder: {error.strerror}") from None
    try:
        with tempfile.TemporaryFile(dir=out):
            pass
    except OSError as error:
        raise InaccessibleFile(f"out: folder {str(out)!r} cannot be written: {error.strerror}") from None
