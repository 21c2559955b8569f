"""Files of pictures: checked before the work, named after it."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.markup import escape

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


def show_files(picture: Path | None, gif: Path | None) -> None:
    """Print the names of files that were drawn."""
    console = Console(highlight=False, soft_wrap=True)
    for name, path in (("picture", picture), ("animation", gif)):
        if path is not None:
            console.print(f"{name}: {escape(str(path))}")
