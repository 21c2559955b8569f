"""Pictures of the second paper's experiments: poses and axes of a roll, times of frames, errors of the two radars."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sweepscope.cli.figures import figure, gridded

from ..scenes.rolling import BODIES
from ..simulate.roll import Event, Roll
from ..simulate.two_radars import RULES
from .drawing import DOTS, LINE_COLOURS, oblique_frame

if TYPE_CHECKING:
    from .rolling import FrameTime, TurnError

_GREY = "#777777"
_MOST_POSES = 14  # of one picture
_ELEVATION, _AZIMUTH = 0.5, 0.35  # of the eye [radians]
_AROUND = 1.1  # sizes of ground that are drawn around the poses


def plot_sequence(roll: Roll, path: Path) -> None:
    """Draw Fig. 7: poses of the run in which the body went farthest without a new start; the axis of each turn in red."""
    events = _longest(roll.events)
    shown = [events[k] for k in np.unique(np.linspace(0, len(events) - 1, min(len(events), _MOST_POSES)).astype(int))]
    drawn, panels = figure(1, 1, (10.0, 6.0))
    panel = panels[0, 0]
    frame = oblique_frame(_ELEVATION, _AZIMUTH)
    places = np.array([event.pose[:3, 3] for event in events])
    _ground(panel, roll, frame, places)
    for k, event in enumerate(shown):
        _body(panel, roll, frame, event, k / max(len(shown) - 1, 1))
    for event in events:
        if event.kind == "turn":
            ends = (event.about + np.outer((-0.35, 0.35), roll.size * event.axis)) @ frame.T
            panel.plot(ends[:, 0], ends[:, 1], "-", color="#c8201a", linewidth=0.9, zorder=9)
            at = frame @ event.about
            panel.plot(at[0], at[1], ".", color="#c8201a", markersize=4, zorder=9)
    track = places @ frame.T
    panel.plot(track[:, 0], track[:, 1], "-", color="#222222", linewidth=0.8, zorder=10)
    panel.set_aspect("equal")
    panel.set_axis_off()
    turns = sum(event.kind == "turn" for event in events)
    panel.set_title(
        f"{roll.settings.body}: its longest run, {turns} turns; axes red, path of the centre of mass black", fontsize=11
    )
    drawn.savefig(path, dpi=DOTS)


def _longest(events: Sequence[Event]) -> list[Event]:
    """Return the events between two starts where the body went farthest, without the first pose, which is in the air."""
    starts = [k for k, event in enumerate(events) if event.kind == "start"] + [len(events)]
    runs = [list(events[a + 1 : b]) or list(events[a:b]) for a, b in itertools.pairwise(starts)]
    return max(runs, key=lambda run: float(np.linalg.norm(run[-1].pose[:2, 3] - run[0].pose[:2, 3])))


def _ground(panel: Any, roll: Roll, frame: NDArray[np.float64], places: NDArray[np.float64]) -> None:
    """Draw the ground around places, far triangles first."""
    mesh = roll.ground.shape
    triangles = mesh.vertices[mesh.faces]
    middle = triangles.mean(axis=1)
    low, high = (edge[:2] for edge in (places.min(axis=0), places.max(axis=0)))
    around = _AROUND * roll.size
    # By squares: triangle k and k + n / 2 of a terrain are the halves of one; single triangles would leave a sawtooth.
    squares = np.tile(middle[:, :2].reshape(2, -1, 2).mean(axis=0), (2, 1))
    near = ((squares > low - around) & (squares < high + around)).all(axis=1)
    _triangles(panel, triangles[near], frame, (0.80, 0.84, 0.76), 1.0, 1.0, "#b5bdae")


def _body(panel: Any, roll: Roll, frame: NDArray[np.float64], event: Event, share: float) -> None:
    """Draw the body at an event's pose, from blue to orange as the run goes on."""
    mesh = roll.body.shape
    places = mesh.vertices @ event.pose[:3, :3].T + event.pose[:3, 3]
    colour = (1.0 - share) * np.array((0.25, 0.50, 0.80)) + share * np.array((0.92, 0.55, 0.25))
    _triangles(panel, places[mesh.faces], frame, tuple(colour), 0.8, 2.0 + share, "none")


def _triangles(
    panel: Any,
    triangles: NDArray[np.float64],
    frame: NDArray[np.float64],
    colour: tuple[float, ...],
    alpha: float,
    order: float,
    rim: str,
) -> None:
    """Draw the triangles (m, 3, 3) that face the eye, shaded, far ones first."""
    from matplotlib.collections import PolyCollection

    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    seen = normals @ frame[2] > 0.0
    flat = triangles[seen] @ frame.T
    light = 0.55 + 0.45 * np.clip(normals[seen] @ (np.array((-0.4, -0.3, 0.85)) / 0.986), 0.0, 1.0)
    far_first = np.argsort(flat[:, :, 2].mean(axis=1))
    faces = np.clip(light[far_first, None] * np.array(colour), 0.0, 1.0)
    shown = PolyCollection(
        list(flat[far_first, :, :2]), facecolors=faces, edgecolors=rim, linewidths=0.3, alpha=alpha, zorder=order
    )
    panel.add_collection(shown)
    panel.autoscale_view()


def plot_bodies(path: Path) -> None:
    """Draw Fig. 5: the bodies that roll."""
    columns = 3
    drawn, panels = figure(-(-len(BODIES) // columns), columns, (3.2 * columns, 2.7 * -(-len(BODIES) // columns)))
    frame = oblique_frame(_ELEVATION, _AZIMUTH)
    for panel, (name, make) in zip(panels.ravel(), BODIES.items(), strict=True):
        mesh = make()
        _triangles(panel, mesh.vertices[mesh.faces], frame, (0.45, 0.63, 0.85), 1.0, 1.0, "#5b6b80")
        panel.set_title(f"{name}, {len(mesh.faces):,} triangles", fontsize=10)
        panel.set_aspect("equal")
        panel.margins(0.08)
        panel.set_axis_off()
    drawn.savefig(path, dpi=DOTS)


def plot_frame_times(rows: Sequence[FrameTime], path: Path) -> None:
    """Draw Fig. 6: time of each frame of a roll, drawing alone and drawing with detection; a panel for each body."""
    bodies = list(dict.fromkeys(row.body for row in rows))
    columns = min(3, len(bodies))
    drawn, panels = gridded(-(-len(bodies) // columns), columns, (4.4 * columns, 3.2 * -(-len(bodies) // columns)))
    for panel, body in zip(panels.ravel(), bodies, strict=False):
        mine = [row for row in rows if row.body == body]
        frames = [row.frame for row in mine]
        draw = 1e3 * np.array([row.draw for row in mine])
        panel.plot(frames, draw, "-", color=_GREY, label="drawing alone")
        panel.plot(
            frames, draw + 1e3 * np.array([row.radars for row in mine]), "-", color=LINE_COLOURS[1], label="with two radars"
        )
        panel.plot(
            frames, draw + 1e3 * np.array([row.sweep for row in mine]), "-", color=LINE_COLOURS[0], label="with the exact sweep"
        )
        panel.xaxis.get_major_locator().set_params(integer=True)
        panel.set_title(f"{body}, {mine[0].polygons:,} triangles", fontsize=10)
        panel.set_ylim(bottom=0.0)
    for panel in panels.ravel()[len(bodies) :]:
        panel.set_visible(False)
    handles, labels = panels[0, 0].get_legend_handles_labels()
    drawn.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False)
    drawn.supxlabel("frame", fontsize=10)
    drawn.supylabel("time of a frame [ms]", fontsize=10)
    drawn.savefig(path, dpi=DOTS)


def plot_errors(rows: Sequence[TurnError], path: Path) -> None:
    """Draw the two radars' error, mean size in degrees: by angle, by distance from the axis, by resolution.

    Solid: the published rule; dotted: the subtended angle.
    """
    from .rolling import ANGLES, LEVERS, mean_error

    drawn, panels = gridded(1, 3, (14.5, 4.4))
    pixels = sorted({row.pixels for row in rows})
    angles = [angle for angle in ANGLES if any(row.angle == angle for row in rows)]
    bands = list(itertools.pairwise(LEVERS))
    for rule, style in zip(RULES, ("o-", ":"), strict=True):
        ruled = [row for row in rows if row.rule == rule]
        for count, colour in zip(pixels, LINE_COLOURS, strict=False):
            mine = [row for row in ruled if row.pixels == count]
            label = f"{count} pixels" if rule == RULES[0] else None
            by_angle = [mean_error(row for row in mine if row.angle == angle) for angle in angles]
            panels[0, 0].loglog(np.degrees(angles), by_angle, style, color=colour, markersize=4, label=label)
            by_lever = [mean_error(row for row in mine if low <= row.lever < high) for low, high in bands]
            panels[0, 1].semilogy([0.5 * (low + high) for low, high in bands], by_lever, style, color=colour, markersize=4)
        for angle, colour in zip(angles, LINE_COLOURS, strict=False):
            mine = [row for row in ruled if row.angle == angle]
            label = f"{np.degrees(angle):.3g} degrees" if rule == RULES[0] else None
            by_pixels = [mean_error(row for row in mine if row.pixels == count) for count in pixels]
            panels[0, 2].loglog(pixels, by_pixels, style, color=colour, markersize=4, label=label)
    panels[0, 0].set_xlabel("exact angle to contact [degrees]")
    panels[0, 1].set_xlabel("contact's distance from the axis [sizes]")
    panels[0, 2].set_xlabel("pixels along each side")
    panels[0, 2].set_xticks(pixels, [str(count) for count in pixels])
    panels[0, 2].minorticks_off()
    panels[0, 0].set_ylabel("mean size of the error [degrees]")
    panels[0, 0].plot([], [], ":", color=_GREY, label="subtended rule")
    panels[0, 0].legend(frameon=False, fontsize=8)
    panels[0, 2].legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    drawn.savefig(path, dpi=DOTS)
