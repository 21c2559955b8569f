"""Pictures of readings, of radars or of images as data, and of looks: depths with scales, and the body in each pixel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..results import ImageReading, LookResult, RadarReading
from ..world.body import Body
from .camera import checked_size
from .canvas import Canvas, fit_text
from .captions import LINE, Name, fit_heading, fit_names, fit_words
from .palette import BODIES, Ink, Rgb, depth_colors
from .picture import Picture, checked_path, to_picture

_Array = NDArray[np.float64]

_EDGE = 14  # pixels around the panels
_SCALE = 74  # width of a color bar with its numbers [pixels]
_EQUAL = 1e-9  # relative difference: closer depths are equal
_ARM = 6.0  # half the size of a cross [pixels]
_ROWS = 10  # lines of a legend
_TWO_LINES = 200  # rows from which a title may have two lines
_NOTES = 0.35  # largest height of the notes, relative to the sheet


class PictureSheet:
    """A sheet with panels side by side, a title above and lines below."""

    def __init__(self, size: Any, dark: Any, panels: int, title: Sequence[str], notes: Sequence[str]) -> None:
        """Write title and notes. title: parts of a sentence; those that are a Name may be shortened."""
        columns, rows = checked_size(size)
        self.ink = Ink(checks.flag(dark, "dark"))
        self.canvas = Canvas(np.empty((rows, columns, 3), np.float32))
        self.canvas.image[:] = self.ink.paper
        self._width = (columns - 2 * _EDGE) / panels
        width = columns - 2 * _EDGE
        headings, large = fit_heading(title, width, columns >= 640, 2 if rows >= _TWO_LINES else 1)
        self.top = _EDGE + (28 if large else LINE * len(headings)) + LINE
        lines = self._wrap_notes(notes, width, max(len(notes), int(_NOTES * rows) // LINE))
        self.bottom = rows - _EDGE - LINE * len(lines)
        for k, line in enumerate(headings):
            self.canvas.text(_EDGE, _EDGE - 6 + k * LINE, line, self.ink.text, large=large)
        for k, line in enumerate(lines):
            self.canvas.text(_EDGE, self.bottom + 6 + k * LINE, line, self.ink.faint)

    @staticmethod
    def _wrap_notes(notes: Sequence[str], width: float, most: int) -> list[str]:
        """Return the lines of notes. If there is no room for all lines, each note gets one line, cut off at the end."""
        lines = [line for note in notes for line in fit_words([note], width, most)]
        return lines if len(lines) <= most else [fit_text(note, width) for note in notes]

    def panel_left(self, panel: int) -> float:
        """Return the left side of a panel [pixels]."""
        return _EDGE + panel * self._width

    def draw_image(
        self, panel: int, title: str, colors: NDArray[np.floating[Any]], seen: NDArray[np.bool_]
    ) -> tuple[float, float, float]:
        """Draw an image, colors (rows, columns, 3) where seen. Return left, top and size of one pixel of it [pixels]."""
        rows, columns = seen.shape
        wide, high = self._width - _SCALE - 10, max(self.bottom - self.top, 1)
        scale = min(wide / columns, high / rows)
        if scale >= 3.0:
            scale = float(int(scale))  # all pixels are equally large
        left, top = round(self.panel_left(panel)), round(self.top)
        height, width = max(1, int(scale * rows)), max(1, int(scale * columns))
        row = np.minimum((np.arange(height) / scale).astype(int), rows - 1)
        column = np.minimum((np.arange(width) / scale).astype(int), columns - 1)
        self.canvas.text(left, top - LINE - 2, fit_text(title, self._width - 8), self.ink.text)
        area = self.canvas.image[top : top + height, left : left + width]
        shown = np.where(seen[..., None], colors, 0.93 * self.ink.paper + 0.07 * self.ink.faint)
        area[:] = shown[row][:, column][: area.shape[0], : area.shape[1]]
        for corner, size in (
            ((left - 1, top - 1), (width + 2, 1)),
            ((left - 1, top + height), (width + 2, 1)),
            ((left - 1, top), (1, height)),
            ((left + width, top), (1, height)),
        ):
            self.canvas.fill(*corner, *size, self.ink.faint, 0.5)
        return left, top, scale

    def draw_depths(self, panel: int, title: str, values: _Array, unit: str) -> tuple[float, float, float]:
        """Draw depths, NaN where no body is, with a scale."""
        seen = np.isfinite(values)
        low, high = (float(values[seen].min()), float(values[seen].max())) if seen.any() else (0.0, 1.0)
        if high - low <= _EQUAL * max(abs(low), abs(high)):
            high = low  # a difference by rounding is not shown
        shares = (np.where(seen, values, low) - low) / (high - low if high > low else 1.0)
        place = self.draw_image(panel, title, depth_colors(shares), seen)
        left, top, scale = place
        if not seen.any():
            middle = left + 0.5 * scale * values.shape[1], top + 0.5 * scale * values.shape[0] - 9
            self.canvas.text(*middle, "nothing", self.ink.faint, align=0.5)
            return place
        bar_left, bar_height = left + scale * values.shape[1] + 10, scale * values.shape[0]
        bar = depth_colors(np.linspace(0.0, 1.0, max(2, int(bar_height))))
        rows = self.canvas.image[int(top) : int(top) + len(bar), int(bar_left) : int(bar_left) + 10]
        rows[:] = bar[: len(rows), None]
        numbers = (0.0, 0.5, 1.0) if bar_height >= 3 * LINE else (0.0, 1.0)  # as many as there is room for
        for share in numbers if high > low else (0.0,):
            number = f"{low + share * (high - low):.4g}"
            self.canvas.text(
                bar_left + 14, top + share * bar_height - (0.0, 8.0, 16.0)[round(2 * share)], number, self.ink.text
            )
        self.canvas.text(bar_left, top - LINE - 2, f"[{unit}]", self.ink.faint)
        return place

    def draw_bodies(self, panel: int, ids: NDArray[np.int32], bodies: Iterable[Body]) -> tuple[float, float, float]:
        """Draw the body of each pixel in a flat color, with a legend."""
        found = {body.id: (body.name, _code(k)) for k, body in enumerate(bodies)}
        colors = np.ones((*ids.shape, 3), np.float32)
        for number, (_, color) in found.items():
            colors[ids == number] = color
        place = self.draw_image(panel, "visible bodies", colors, ids >= 0)
        left, top, scale = place
        side = left + scale * ids.shape[1] + 10
        width = self.panel_left(panel + 1) - 4 - (side + 14)
        room = max(1, int((self.bottom - top) // LINE))
        count = len(found) if len(found) <= min(_ROWS, room) else min(_ROWS, room) - 1
        entries = list(found.values())[:count]
        names = fit_names([name for name, _ in entries], width, room - (len(found) > count))
        row = 0
        for (_, color), lines in zip(entries, names, strict=True):
            self.canvas.fill(side, top + row * LINE + 3, 10, 10, color)
            for line in lines:
                self.canvas.text(side + 14, top + row * LINE, line, self.ink.text)
                row += 1
        if len(found) > count:
            self.canvas.text(side, top + row * LINE, f"{len(found) - count} more", self.ink.faint)
        return place

    def mark_pixels(self, place: tuple[float, float, float], pixels: NDArray[np.int64], color: Rgb) -> None:
        """Fill pixels, shape (k, 2), of a panel."""
        left, top, scale = place
        size = max(4.0, scale)
        for row, column in pixels.tolist():
            middle = left + (column + 0.5) * scale, top + (row + 0.5) * scale
            self.canvas.fill(middle[0] - 0.5 * size, middle[1] - 0.5 * size, size, size, color)

    def mark_place(self, place: _Array) -> None:
        """Draw a cross at a place of the sheet, shape (2,) [pixels]; none if it is NaN."""
        for color, width in ((self.ink.paper, 4.0), (self.ink.text, 1.5)):
            for arm in ((_ARM, 0.0), (0.0, _ARM)):
                self.canvas.line(place - arm, place + arm, color, width)


def _code(number: int) -> Rgb:
    """Return a flat color for each number: the palette, then darker rounds of it."""
    again, k = divmod(number, len(BODIES))
    return BODIES[k] * np.float32(0.72**again)


def _join_names(bodies: Sequence[Body]) -> list[str]:
    """Return the first three names of bodies and the number of others, as parts of a sentence."""
    names = [Name(body.name) for body in bodies[:3]]
    more = [f"{len(bodies) - 3} more"] if len(bodies) > 3 else []
    return [part for name in (*names, *more) for part in (" and ", name)][1:] or ["no body"]


def title_of(reading: RadarReading) -> list[str]:
    """Return who meets whom, as parts of a sentence. A whole robot has its own name, not those of its bodies."""
    movers = reading.movers
    robots = [Name(robot.name) for robot in movers[0].scene.robots.values() if set(robot.bodies) == set(movers)]
    title = robots or _join_names(movers)
    several = len(movers) > 1 and not robots
    unit = "radians" if reading.motion.turns else "length"
    if reading.hit:
        return [
            *title,
            " meet " if several else " meets ",
            *_join_names(reading.obstacles),
            f" after {reading.travel:.5g} [{unit}]",
        ]
    return [*title, f" free for {reading.motion.length:.5g} [{unit}]"]


def _rim(pixels: NDArray[np.int64], shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Return those of the pixels (k, 2) that are at the edge of the picture or have a neighbor that is not one of them."""
    inside = np.zeros((shape[0] + 2, shape[1] + 2), np.bool_)
    inside[pixels[:, 0] + 1, pixels[:, 1] + 1] = True
    inner = inside[:-2, 1:-1] & inside[2:, 1:-1] & inside[1:-1, :-2] & inside[1:-1, 2:]
    return np.argwhere(inside[1:-1, 1:-1] & ~inner)


def picture_of_reading(reading: RadarReading, path: Any, *, size: Any, dark: Any) -> Picture:
    """Draw `RadarReading.picture`."""
    if path is not None:
        checked_path(path, ".png")
    turns = reading.motion.turns
    ahead_of = "ahead of it" if reading.method == "published" else "ahead of its leading surface"
    notes = [
        f"R: from the mover's rear to the first surface {ahead_of}, which body in flat colors on the right.  "
        f"M: from the far end of the view to the mover.  d = {reading.view.depth:.5g}: depth of the view.",
        _gap_words(reading) + ("  Across: distance from the axis; upwards: height along it." if turns else ""),
    ]
    sheet = PictureSheet(size, dark, 4, title_of(reading), notes)
    shown = reading.ids >= 0
    _draw_scopes(sheet, reading, shown, shown, "radians" if turns else "length")
    scene = reading.movers[0].scene
    known = {body.id: body for body in scene}
    sheet.draw_bodies(3, reading.ids, [known[number] for number in np.unique(reading.ids).tolist() if number in known])
    return to_picture(sheet.canvas.image, path)


def picture_of_images(reading: ImageReading, path: Any, *, size: Any, dark: Any) -> Picture:
    """Draw `ImageReading.picture`."""
    if path is not None:
        checked_path(path, ".png")
    notes = [
        "R: from the near side to the first surface but the mover's; cross: center of the contact.  "
        f"M: from the far side to the mover.  d = {reading.depth:.5g}: depth of the view.",
        _gap_words(reading),
    ]
    known = shown = reading.range < reading.depth
    if reading.method == "sampled" and reading.hidden:
        known = shown & (reading.range >= reading.lead - reading.resolution - _EQUAL * reading.depth)
        hidden = checks.amount(reading.hidden, "pixel")
        notes.append(f"{hidden} left out of L: R ends behind the leading surface, so the gap is not known.")
    sheet = PictureSheet(size, dark, 3, [title_of_images(reading)], notes)
    left, top, scale = _draw_scopes(sheet, reading, shown, known, "length")
    rows, columns = reading.range.shape
    sheet.mark_place((left, top) + scale * (reading.center[:2] / reading.pixel_size + (0.5 * columns, 0.5 * rows)))
    return to_picture(sheet.canvas.image, path)


def title_of_images(reading: ImageReading) -> str:
    """Return how far the mover may go, and the ids of what it meets."""
    if not reading.hit:
        return f"free for {reading.distance:.5g} [length]"
    met = f" with id {', '.join(map(str, reading.obstacles))}" if reading.obstacles else ""
    return f"contact{met} after {reading.travel:.5g} [length]"


def _gap_words(reading: RadarReading | ImageReading) -> str:
    """Return what L is, and what is red in it."""
    marked = "Red: pixels in contact."
    if reading.method == "published":
        # All pixels that the motion reaches are in contact.
        marked = "Below 0: behind the front, counted as 0.  Red: rim of the pixels that the motion reaches."
    return f"L = R + M - d, {reading.method}: the gap; the smallest is the free travel.  {marked}"


def _draw_scopes(
    sheet: PictureSheet,
    reading: RadarReading | ImageReading,
    shown: NDArray[np.bool_],
    known: NDArray[np.bool_],
    unit: str,
) -> tuple[float, float, float]:
    """Draw R where it shows something, M, and L where it is known, with the pixels in contact; return the place of R."""
    published = reading.method == "published"
    gaps = reading.lookat
    place = sheet.draw_depths(0, "R, range", np.where(shown, reading.range, np.nan), unit)
    sheet.draw_depths(1, "M, mask", np.where(np.isnan(gaps), np.nan, reading.mask), unit)
    last = sheet.draw_depths(2, "L, gap", gaps if published else np.where(known, gaps, np.nan), unit)
    # As published only the rim of the pixels in contact is marked, so that the gaps stay visible.
    sheet.mark_pixels(last, _rim(reading.pixels, shown.shape) if published else reading.pixels, sheet.ink.red)
    return place


def picture_of_sighting(sighting: LookResult, path: Any, *, size: Any, dark: Any) -> Picture:
    """Draw `LookResult.picture`."""
    if path is not None:
        checked_path(path, ".png")
    title = f"{len(sighting.bodies)} seen" + (f", the nearest at {sighting.nearest:.5g}" if sighting else "")
    sheet = PictureSheet(size, dark, 2, [title], [])
    sheet.draw_depths(0, "depth", np.where(sighting.ids < 0, np.nan, sighting.depth), "length")
    sheet.draw_bodies(1, sighting.ids, sighting.bodies)
    return to_picture(sheet.canvas.image, path)
