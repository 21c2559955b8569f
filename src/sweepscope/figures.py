"""Figures that are drawn into files. matplotlib is imported only when one is drawn."""

from __future__ import annotations

from typing import Any

from .errors import SweepscopeError


def need_matplotlib() -> None:
    """Raise if no figure could be drawn: better before the work than after it."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise SweepscopeError("pictures need matplotlib: pip install 'sweepscope[papers]'") from None


def figure(rows: int, columns: int, size: tuple[float, float]) -> tuple[Any, Any]:
    """Return a figure that draws into memory, and its panels, shape (rows, columns); size in inches."""
    need_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    drawn = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(drawn)
    return drawn, drawn.subplots(rows, columns, squeeze=False)


def gridded(rows: int, columns: int, size: tuple[float, float]) -> tuple[Any, Any]:
    """Return such a figure with a light grid, for curves and bars."""
    drawn, panels = figure(rows, columns, size)
    for panel in panels.ravel():
        panel.spines[["top", "right"]].set_visible(False)
        panel.grid(axis="y", color="#dddddd", linewidth=0.6)
        panel.set_axisbelow(True)
    return drawn, panels
