"""Writes SVG: a light card that is readable on light and on dark pages, in colors that all eyes tell apart (Okabe and Ito)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

Point = tuple[float, float]

BLUE, SKY, ORANGE, GREEN, INK, GRAY, PALE = "#0072b2", "#56b4e9", "#d55e00", "#009e73", "#22272e", "#6b7280", "#d4d8de"
_FONT = 'font-family="system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif"'


class Card:
    """A drawing [pixels], y down."""

    def __init__(self, width: float, height: float) -> None:
        self._size = width, height
        self._parts: list[str] = []

    def line(self, points: Iterable[Point], color: str, width: float = 2.0, *, dash: str = "", arrow: bool = False) -> None:
        """Draw a line through points; an arrow ends in a head."""
        more = f' stroke-dasharray="{dash}"' if dash else ""
        more += f' marker-end="url(#head-{color[1:]})"' if arrow else ""
        self._parts.append(
            f'<polyline points="{_text(points)}" fill="none" stroke="{color}" stroke-width="{width:g}" '
            f'stroke-linecap="round" stroke-linejoin="round"{more}/>'
        )

    def area(self, points: Iterable[Point], color: str, *, opacity: float = 1.0, outline: str = "none", dash: str = "") -> None:
        """Fill a polygon."""
        self._parts.append(
            f'<polygon points="{_text(points)}" fill="{color}" fill-opacity="{opacity:g}" stroke="{outline}" '
            f'stroke-width="1.6" stroke-linejoin="round"' + (f' stroke-dasharray="{dash}"/>' if dash else "/>")
        )

    def dot(self, at: Point, radius: float, color: str, *, opacity: float = 1.0, outline: str = "none") -> None:
        """Fill a circle."""
        self._parts.append(
            f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius:g}" fill="{color}" fill-opacity="{opacity:g}" '
            f'stroke="{outline}" stroke-width="1.6"/>'
        )

    def text(
        self, at: Point, words: str, color: str = INK, *, size: float = 15, anchor: str = "middle", bold: bool = False
    ) -> None:
        """Write words; `at` is on their base line."""
        weight = ' font-weight="600"' if bold else ""
        self._parts.append(
            f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" {_FONT} font-size="{size:g}" fill="{color}" '
            f'text-anchor="{anchor}"{weight}>{words}</text>'
        )

    def save(self, path: Path) -> None:
        """Write the file."""
        width, height = self._size
        heads = "".join(
            f'<marker id="head-{c[1:]}" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="5.5" markerHeight="5.5" '
            f'orient="auto-start-reverse"><path d="M0 0 10 5 0 10 2.5 5z" fill="{c}"/></marker>'
            for c in (BLUE, SKY, ORANGE, GREEN, INK, GRAY)
        )
        path.write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}">'
            f'<defs>{heads}</defs><rect width="{width:g}" height="{height:g}" rx="10" fill="#fbfbf9"/>'
            + "\n".join(self._parts)
            + "</svg>\n",
            "utf-8",
        )


def _text(points: Iterable[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
