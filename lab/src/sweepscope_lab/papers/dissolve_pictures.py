"""Pictures of two changing volumes: a strip of frames, and contact and time of each frame."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sweepscope import Volume, overlap
from sweepscope.drawing import Picture
from sweepscope.drawing.canvas import Canvas
from sweepscope.drawing.palette import RED, Ink, Rgb, rgb
from sweepscope.drawing.picture import to_picture
from sweepscope.results import OverlapResult

from ..simulate.dissolve import Dissolve, DissolveRecord, DissolveSettings
from .timelines import Timeline
from .volume_pictures import camera_of, paint_pair, titled

_PANELS, _COLUMNS = 8, 4
_WIDE, _HIGH = 330, 300  # of a panel [pixels]
_EDGE, _HEAD = 14, 44
_CHART = 120  # height of a timeline
_COLORS = {"melting": ("#4a90d0", "#cfc8bf"), "dripping": ("#2f9c98", "#ec9b3c"), "shuffling": ("#7a6fc0", "#d9b23c")}
_NAMES = {"melting": ("ball", "fog"), "dripping": ("first blob", "second blob"), "shuffling": ("first stack", "second stack")}
_TIMES = (
    ("edits", rgb("#3b6ea8"), "edit_seconds"),
    ("overlap: yes or no", rgb("#c07a1e"), "overlap_seconds"),
    ("count, region, center, normal", RED, "detail_seconds"),
)


@dataclass(frozen=True, slots=True, eq=False)
class _DissolveShot:
    """One frame: which voxels are occupied."""

    record: DissolveRecord
    first: Volume
    second: Volume
    pose: NDArray[np.float64]

    def found(self, sense: str) -> OverlapResult:
        """Return what the two share."""
        return overlap(self.first, self.second, self.pose, sense=sense)


def colors_of(story: str) -> tuple[Rgb, Rgb]:
    """Return the colors of a story's volumes."""
    first, second = _COLORS[story]
    return rgb(first), rgb(second)


class DissolveFilm:
    """Keeps frames, and draws them all from one place at the end."""

    def __init__(self, settings: DissolveSettings) -> None:
        self._settings = settings
        self._shots: list[_DissolveShot] = []

    def see(self, dissolve: Dissolve, record: DissolveRecord) -> None:
        """Keep a frame."""
        self._shots.append(_shot(dissolve, record))

    def pictures(self, size: tuple[int, int] = (480, 360)) -> list[Picture]:
        """Return all frames as pictures."""
        pairs = [shot.found(self._settings.sense) for shot in self._shots]
        camera, colors = camera_of(pairs, size), colors_of(self._settings.story)
        return [to_picture(paint_pair(found, camera, colors)) for found in pairs]


def _shot(dissolve: Dissolve, record: DissolveRecord) -> _DissolveShot:
    first, second = (Volume(volume.occupied, keep_alpha=False) for volume in (dissolve.first, dissolve.second))
    return _DissolveShot(record, first, second, dissolve.pose)


class DissolveStrip:
    """Keeps the frames to show: of each quarter of the story the first, and then the one with most contact."""

    def __init__(self, settings: DissolveSettings) -> None:
        self.settings = settings
        self._shots: dict[int, _DissolveShot] = {}

    def see(self, dissolve: Dissolve, record: DissolveRecord) -> None:
        """Keep a frame if it must be shown."""
        quarters = _PANELS // 2
        panel = 2 * (quarters * record.frame // self.settings.frames)
        if panel in self._shots:
            panel += 1
        kept = self._shots.get(panel)
        # Without contact, the last frame of a quarter is shown.
        if kept is None or record.count > kept.record.count or (record.count == kept.record.count == 0):
            self._shots[panel] = _shot(dissolve, record)

    def save(self, path: Path, records: Sequence[DissolveRecord]) -> None:
        """Write the strip, and below it contact and time of every frame."""
        shots = [self._shots[panel] for panel in sorted(self._shots)]
        pairs = [shot.found(self.settings.sense) for shot in shots]
        camera, colors = camera_of(pairs, (_WIDE, _HIGH)), colors_of(self.settings.story)
        panels = [
            titled(paint_pair(found, camera, colors), _words(shot.record)) for shot, found in zip(shots, pairs, strict=True)
        ]
        high, wide = panels[0].shape[:2]
        rows = -(-len(panels) // _COLUMNS)
        below = _HEAD + rows * (high + _EDGE)
        ink = Ink(dark=False)
        size = (below + 2 * (_CHART + 44) + 30, _COLUMNS * (wide + _EDGE) + _EDGE, 3)
        image = np.broadcast_to(ink.paper, size).astype(np.float32)
        for k, panel in enumerate(panels):
            top, left = _HEAD + k // _COLUMNS * (high + _EDGE), _EDGE + k % _COLUMNS * (wide + _EDGE)
            image[top : top + high, left : left + wide] = panel
        canvas = Canvas(image)
        first, second = _NAMES[self.settings.story]
        title = (
            f"{self.settings.story}: {first} and {second}, {self.settings.size}^3 voxels each; red: contact, arrow: its normal"
        )
        canvas.text(_EDGE, 10, title, ink.text, large=True)
        self._timelines(canvas, below, shots, records)
        to_picture(image, path)

    def _timelines(self, canvas: Canvas, top: float, shots: list[_DissolveShot], records: Sequence[DissolveRecord]) -> None:
        left, wide = 80.0, canvas.image.shape[1] - 80.0 - 2 * _EDGE
        most = max(1, *(record.count for record in records))
        found = Timeline(canvas, (left, top + 30, wide, _CHART), len(records), 0.0, most)
        later = records[1:] or records
        times = {
            name: [1e6 * getattr(record, field) or math.nan for record in later] for name, _, field in _TIMES
        }  # microseconds; no details without contact
        known = [value for values in times.values() for value in values if math.isfinite(value)]
        low, high = 10.0 ** math.floor(math.log10(min(known))), 10.0 ** math.ceil(math.log10(max(known)))
        took = Timeline(
            canvas,
            (left, top + 30 + _CHART + 44, wide, _CHART),
            len(records),
            low,
            10.0 * low if high <= low else high,
            log=True,
        )
        for shot in shots:
            found.mark(shot.record.frame)
            took.mark(shot.record.frame)
            took.number(shot.record.frame)
        found.label("voxels in contact; upright lines: frames shown above")
        found.bars([float(record.count) for record in records], RED)
        place = took.label("microseconds:")
        for name, color, _ in _TIMES:
            took.line([record.frame for record in later], times[name], color)
            place = took.label(name, color, place)


def _words(record: DissolveRecord) -> str:
    return f"frame {record.frame}: {f'{record.count} voxels in contact' if record.colliding else 'apart'}"
