"""Figures in PNG files. matplotlib is imported only when a figure is drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sweepscope.cli.pictures import check_png
from sweepscope.errors import InaccessibleFile, MissingPackage


def need_matplotlib() -> None:
    """Raise if matplotlib is missing. Call it before the work."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise MissingPackage("figures need matplotlib: pip install matplotlib", name="matplotlib") from None


def check_figure(path: Path | None, option: str = "--picture") -> None:
    """Raise, before the work, if a figure cannot be written."""
    check_png(path, option)
    if path is not None:
        need_matplotlib()


def figure(rows: int, columns: int, size: tuple[float, float]) -> tuple[Any, Any]:
    """Return a figure and its panels, shape (rows, columns); size in inches."""
    need_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    drawn = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(drawn)
    return drawn, drawn.subplots(rows, columns, squeeze=False)


def gridded(rows: int, columns: int, size: tuple[float, float]) -> tuple[Any, Any]:
    """As `figure`, with a light grid, for curves and bars."""
    drawn, panels = figure(rows, columns, size)
    for panel in panels.ravel():
        panel.spines[["top", "right"]].set_visible(False)
        panel.grid(axis="y", color="#dddddd", linewidth=0.6)
        panel.set_axisbelow(True)
    return drawn, panels


def save_picture(drawn: Any, path: Path) -> None:
    """Write a figure to the PNG file of --picture."""
    try:
        drawn.savefig(path, dpi=110)
    except OSError as error:
        raise InaccessibleFile(f"--picture: {path} cannot be written: {error.strerror}") from None
