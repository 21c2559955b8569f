"""Pictures of two changing volumes as PNG files: a strip of frames seen from the front, and contact and time of each frame."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import overlap
from sweepscope.cli.figures import figure

from ..simulate.dissolve import Dissolve, Record, Settings
from .output_files import save_figure

_Array = NDArray[np.float64]

_PANELS = 8
_ACROSS = 110  # most samples along a grid's side; a picture needs no more
_INK, _PAPER, _RED = "#2b3440", "#f7f8fa", "#e0261c"
_COLOURS = {"melting": ((0.24, 0.52, 0.80), (0.80, 0.77, 0.74)), "dripping": ((0.13, 0.56, 0.55), (0.93, 0.58, 0.20))}
_NAMES = {"melting": ("ball", "fog"), "dripping": ("first blob", "second blob")}
_LIGHT = np.array((-0.45, -0.65, 0.62))  # direction to the light: left, front, above


@dataclass(frozen=True, slots=True, eq=False)
class _Shot:
    """One frame, seen along +y."""

    record: Record
    low: tuple[int, int]
    """Column and image row of its first pixel, from the first volume's corner."""
    pixels: _Array
    """Colours and opacity, premultiplied, shape (columns, rows, 4)."""
    touching: NDArray[np.bool_]
    """Pixels with contact behind them, shape (columns, rows)."""


class Strip:
    """Keeps the frames to show: of each quarter of the story the first, and then the one with most contact."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._step = max(1.0, settings.size / _ACROSS)  # voxels from sample to sample
        self._shots: dict[int, _Shot] = {}

    def see(self, dissolve: Dissolve, record: Record) -> None:
        """Keep a frame if it must be shown."""
        quarters = _PANELS // 2
        panel = 2 * (quarters * record.frame // self.settings.frames)
        if panel in self._shots:
            panel += 1
        kept = self._shots.get(panel)
        # Without contact, the last frame of a quarter is shown.
        if kept is None or record.count > kept.record.count or (record.count == kept.record.count == 0):
            self._shots[panel] = self._shoot(dissolve, record)

    def save(self, path: Path, records: Sequence[Record]) -> None:
        """Write the strip, and below it contact and time of every frame."""
        shots = [self._shots[panel] for panel in sorted(self._shots)]
        low = np.min([shot.low for shot in shots], axis=0) - 3
        high = np.max([np.add(shot.low, shot.touching.shape) for shot in shots], axis=0) + 3
        columns = _PANELS // 2
        wide = 14.0
        tall = wide / columns * (high[1] - low[1]) / (high[0] - low[0])
        drawn, panels = figure(1, 1, (wide, 2.0 * (tall + 0.3) + 4.2))
        panels[0, 0].remove()
        drawn.get_layout_engine().set(h_pad=0.06)
        grid = drawn.add_gridspec(4, columns, height_ratios=(tall, tall, 1.8, 1.8))
        for k, shot in enumerate(shots):
            self._draw(drawn.add_subplot(grid[k // columns, k % columns]), shot, low, high)
        found = drawn.add_subplot(grid[2, :])
        took = drawn.add_subplot(grid[3, :], sharex=found)
        self._timelines(found, took, shots, records)
        size = self.settings.size
        first, second = _NAMES[self.settings.story]
        drawn.suptitle(f"{self.settings.story}: {first} and {second}, {size}^3 voxels each; red: contact, arrow: its normal")
        save_figure(drawn, path)

    def _shoot(self, dissolve: Dissolve, record: Record) -> _Shot:
        """Return a picture of both volumes along y: transparent, blended front to back."""
        step = self._step
        every = np.concatenate((_corners(dissolve.first.extent, np.eye(4)), _corners(dissolve.second.extent, dissolve.pose)))
        low = np.floor(every.min(axis=0) / step).astype(int) - 1
        high = np.ceil(every.max(axis=0) / step).astype(int) + 1
        axes = [step * (np.arange(a, b) + 0.5) for a, b in zip(low, high, strict=True)]
        first = _sampled(dissolve.first.alpha, axes, np.eye(4))
        second = _sampled(dissolve.second.alpha, axes, np.array(np.linalg.inv(dissolve.pose), float))
        colours = _COLOURS[self.settings.story]
        lit = [_lit(alpha, colour) for alpha, colour in zip((first, second), colours, strict=True)]
        # A quarter of a grid is nearly opaque, at any resolution.
        density = 12.0 * step / self.settings.size
        shape = (len(axes[0]), len(axes[2]))
        pixels = np.zeros((*shape, 4))
        for y in range(len(axes[1])):
            for alpha, shades in zip((first, second), lit, strict=True):
                opacity = 1.0 - np.exp(-density * alpha[:, y])
                share = opacity * (1.0 - pixels[..., 3])
                pixels[..., :3] += share[..., None] * shades[:, y]
                pixels[..., 3] += share
        touching = np.zeros(shape, bool)
        if record.colliding:
            found = overlap(dissolve.first, dissolve.second, dissolve.pose, sense=self.settings.sense).voxels
            spots = np.floor((found + 0.5) / step).astype(int) - low
            touching[spots[:, 0], spots[:, 2]] = True
        return _Shot(record, (int(low[0]), int(low[2])), pixels, touching)

    def _draw(self, panel: Any, shot: _Shot, low: NDArray[np.int64], high: NDArray[np.int64]) -> None:
        from matplotlib.colors import to_rgb

        picture = np.empty((*(high - low), 3))
        picture[:] = to_rgb(_PAPER)
        at = np.subtract(shot.low, low)
        window = picture[at[0] : at[0] + shot.touching.shape[0], at[1] : at[1] + shot.touching.shape[1]]
        window *= 1.0 - shot.pixels[..., 3:]
        window += shot.pixels[..., :3]
        window[shot.touching] = 0.25 * window[shot.touching] + 0.75 * np.array(to_rgb(_RED))
        edges = self._step * np.array((low[0], high[0], low[1], high[1]))
        panel.imshow(picture.transpose(1, 0, 2).clip(0.0, 1.0), origin="lower", extent=edges, interpolation="bilinear")
        record = shot.record
        if record.colliding:
            self._arrow(panel, record)
        found = f"{record.count} voxels in contact" if record.colliding else "apart"
        panel.set_title(f"frame {record.frame}: {found}", fontsize=9, color=_RED if record.colliding else _INK)
        panel.set_xticks([])
        panel.set_yticks([])
        for spine in panel.spines.values():
            spine.set_color("#c9ced6")

    def _arrow(self, panel: Any, record: Record) -> None:
        """Draw the normal from the contact's centre, projected to the front."""
        x, _, z = record.centre
        far = 0.2 * self.settings.size
        tip = (x + far * record.normal[0], z + far * record.normal[2])
        look = {"arrowstyle": "-|>", "color": _INK, "linewidth": 1.6, "mutation_scale": 11, "shrinkA": 0, "shrinkB": 0}
        panel.annotate("", tip, (x, z), arrowprops=look)
        panel.plot(x, z, "o", color=_INK, markersize=3)

    def _timelines(self, found: Any, took: Any, shots: list[_Shot], records: Sequence[Record]) -> None:
        frames = [record.frame for record in records]
        for panel in (found, took):
            panel.spines[["top", "right"]].set_visible(False)
            panel.grid(axis="y", color="#dddddd", linewidth=0.6)
            panel.set_axisbelow(True)
            for shot in shots:
                panel.axvline(shot.record.frame, color="#c9ced6", linewidth=0.8, linestyle=":", zorder=0)
        found.bar(frames, [record.count for record in records], width=0.9, color=_RED)
        found.set_ylabel("voxels in contact")
        found.tick_params(labelbottom=False)
        found.set_xlim(-0.6, max(frames[-1], 1) + 0.6)
        later = records[1:] or records
        for name, colour, times in (
            ("edits", "#3b6ea8", [record.edit_seconds for record in later]),
            ("overlap: yes or no", "#c07a1e", [record.overlap_seconds for record in later]),
            ("count, region, centre, normal", _RED, [record.detail_seconds or math.nan for record in later]),
        ):
            took.plot([record.frame for record in later], 1e6 * np.array(times), ".-", color=colour, linewidth=1.0, label=name)
        took.set_yscale("log")
        took.set_ylabel("microseconds")
        took.set_xlabel("frame; dotted: shown above")
        took.legend(fontsize=8, ncols=3, loc="upper left", bbox_to_anchor=(0.0, 1.16), frameon=False, borderaxespad=0.0)


def _corners(extent: NDArray[np.int64], pose: _Array) -> _Array:
    """Return the eight corners of a box of voxels, in the first's frame, shape (8, 3)."""
    corners = np.stack(np.meshgrid(*extent.T.astype(float), indexing="ij"), axis=-1).reshape(-1, 3)
    return corners @ pose[:3, :3].T + pose[:3, 3]


def _sampled(alpha: NDArray[np.float32], axes: list[_Array], pose: _Array) -> _Array:
    """Return alpha at a lattice of places; pose: from the first's frame into the volume's own."""
    spots = [np.zeros(1)] * 3
    for axis in range(3):
        # Each axis of the volume is a sum over the lattice's axes; this needs no list of all places.
        x, y, z = (pose[axis, k] * axes[k] for k in range(3))
        spots[axis] = np.floor(x[:, None, None] + y[:, None] + z + pose[axis, 3] + 1e-9)
    inside = np.ones(spots[0].shape, bool)
    for spot, length in zip(spots, alpha.shape, strict=True):
        inside &= (spot >= 0) & (spot < length)
    found = np.zeros(inside.shape)
    i, j, k = (spot[inside].astype(int) for spot in spots)
    found[inside] = alpha[i, j, k]
    return found


def _lit(alpha: _Array, colour: tuple[float, float, float]) -> _Array:
    """Return the colour of every place; surfaces that face the light are lighter."""
    smooth = alpha
    for axis in range(3):  # without this, steps of voxels show as stripes
        smooth = 0.5 * smooth + 0.25 * (np.roll(smooth, 1, axis) + np.roll(smooth, -1, axis))
    slopes = np.stack([np.gradient(smooth, axis=axis) for axis in range(3)], axis=-1)
    steep = np.linalg.norm(slopes, axis=-1)
    facing = -(slopes @ (_LIGHT / np.linalg.norm(_LIGHT))) / np.maximum(steep, 1e-9)
    shade = np.where(steep > 1e-6, 0.72 + 0.38 * facing, 0.72)
    return np.clip(shade[..., None] * np.array(colour) + 0.10 * np.maximum(facing, 0.0)[..., None], 0.0, 1.0)
