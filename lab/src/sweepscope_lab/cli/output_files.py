"""Files that commands write: checks before the work, errors as messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sweepscope.errors import InaccessibleFile, MissingFile


def check_csv(path: Path | None) -> None:
    """Raise if the folder of a CSV file does not exist."""
    if path is not None and not path.parent.is_dir():
        raise MissingFile(f"--csv: there is no folder {path.parent}")


def save_figure(drawn: Any, path: Path, option: str = "--picture") -> None:
    """Write a figure as PNG."""
    try:
        drawn.savefig(path, dpi=110)
    except OSError as error:
        raise InaccessibleFile(f"{option}: {path} cannot be written: {error.strerror}") from None
