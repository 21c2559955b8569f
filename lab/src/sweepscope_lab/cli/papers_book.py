"""`sweepscope papers all`: every paper on one page, which goes on where it was interrupted."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sweepscope.cli.exits import FREE
from sweepscope.errors import InaccessibleFile

from ..book.contents import CHAPTERS
from ..book.facts import facts
from ..book.page import page
from ..book.store import find, key_of, make, write_text
from ..papers.figures import need_matplotlib
from .papers_progress import Bars
from .tables import console_of

PAGE = "papers.html"
_INTERRUPTED = 130  # as a shell says it
_WIDTH = 120


def run_book(out: Path, size: str, as_json: bool) -> int:
    """Run all parts that are not saved in `out`, then write the page."""
    need_matplotlib()
    console = console_of(_WIDTH, stderr=as_json)
    known = facts()
    todo = [(chapter, part) for chapter in CHAPTERS.values() for part in chapter.parts]
    saved = {}
    try:
        with _interruptible(), Bars(console, len(todo)) as bars:
            for chapter, part in todo:
                key = key_of(part.settings(size), known)
                before = find(part, out / "parts", key)
                bars.start(f"{chapter.name}, {part.title.lower()}")
                saved[part.name] = before or make(part, out / "parts", key, bars)
                took = f"{saved[part.name].seconds:.1f} s"
                bars.finish(f"{part.name}: {'done before' if before else 'done'}, {took}")
            write_text(out / PAGE, page(list(CHAPTERS.values()), saved, size))
    except _Interrupted:
        console.print(f"interrupted after {len(saved)} of {len(todo)} parts; the same command goes on from there")
        return _INTERRUPTED
    except OSError as error:
        raise InaccessibleFile(f"out: {str(out)!r} cannot be written: {error.strerror or error}") from None
    console.print(f"written: {out / PAGE}", markup=False)
    if as_json:
        parts = [{"name": name, "seconds": part.seconds} for name, part in saved.items()]
        print(json.dumps({"page": str(out / PAGE), "size": size, "parts": parts}))  # noqa: T201
    return FREE


class _Interrupted(Exception):
    """Ctrl-C was pressed."""


@contextmanager
def _interruptible() -> Iterator[None]:
    """Raise _Interrupted where Ctrl-C is pressed, even within a kernel, where Python makes a SystemError of it."""
    pressed = False

    def note(*_: object) -> None:
        nonlocal pressed
        pressed = True
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    except (KeyboardInterrupt, SystemError):
        if not pressed:
            raise
        raise _Interrupted from None
    finally:
        signal.signal(signal.SIGINT, before)
