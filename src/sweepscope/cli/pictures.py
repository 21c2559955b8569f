"""Files of pictures: checks before the work."""

from __future__ import annotations

from pathlib import Path

from ..drawing.animation import need_pillow
from ..drawing.picture import checked_path


def check_png(path: Path | None, option: str = "--picture") -> None:
    """Raise, before the work, if a picture cannot be written."""
    if path is not None:
        checked_path(path, ".png", option)


def check_gif(path: Path | None, option: str = "--gif") -> None:
    """Raise, before the work, if an animation cannot be written."""
    if path is not None:
        checked_path(path, ".gif", option)
        need_pillow()
