"""Parts of a book on disk: each is complete or does not exist, so an interrupted book goes on where it was.

A part is made in a folder of its own, `NAME.unfinished`, which gets its name when everything is in it. Its result holds a key:
settings of the part, machine, versions, commit, code. A part with the same key is not run again.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .result import BookPart, Result, Watch

_RESULT = "result.json"


@dataclass(frozen=True, slots=True)
class Saved:
    """A part that is done."""

    folder: Path
    result: Result
    key: dict[str, Any]
    seconds: float
    """How long it took."""
    work: float
    """Seconds of work of all cores; where this is less than `seconds`, the machine was busy with other things."""
    ended: str
    """When it was done, UTC: "2026-01-31 12:00"."""


def key_of(settings: Mapping[str, Any], facts: Mapping[str, str]) -> dict[str, Any]:
    """Return what a saved part must have been made with, as JSON gives it back."""
    return json.loads(json.dumps({"settings": settings, "facts": facts}))


def find(part: BookPart, parts: Path, key: Mapping[str, Any]) -> Saved | None:
    """Return a part that was made with this key; None if there is none."""
    unfinished = parts / f"{part.name}.unfinished"
    if _read(unfinished, key) is not None:  # interrupted after its last file, before it got its name
        _rename(unfinished, parts / part.name)
    return _read(parts / part.name, key)


def make(part: BookPart, parts: Path, key: Mapping[str, Any], watch: Watch) -> Saved:
    """Run a part, save and return it; one with another key is replaced."""
    unfinished = parts / f"{part.name}.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    start, work = time.perf_counter(), time.process_time()
    result = part.run(unfinished, watch, **key["settings"])
    data = {
        "key": key,
        "seconds": time.perf_counter() - start,
        "work": time.process_time() - work,
        "ended": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
        **result.plain(),
    }
    write_text(unfinished / _RESULT, json.dumps(data, indent=1))
    _rename(unfinished, parts / part.name)
    saved = _read(parts / part.name, key)
    assert saved is not None, part.name
    return saved


def write_text(path: Path, text: str) -> None:
    """Write a file; it is complete or as it was before."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    unfinished.write_text(text, "utf-8")
    unfinished.replace(path)


def _rename(unfinished: Path, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    unfinished.rename(folder)


def _read(folder: Path, key: Mapping[str, Any]) -> Saved | None:
    """Return what a folder holds; None if it is not there, not complete, or has another key."""
    try:
        data = json.loads((folder / _RESULT).read_text("utf-8"))
        if data["key"] != key:
            return None
        seconds, work = float(data["seconds"]), float(data["work"])
        saved = Saved(folder, Result.from_plain(data), data["key"], seconds, work, str(data["ended"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return saved if all((folder / picture.file).is_file() for picture in saved.result.pictures) else None
