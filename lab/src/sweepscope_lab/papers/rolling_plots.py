"""Pictures of the second paper's experiments: poses and axes of a roll, bodies, times of frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..scenes.rolling import BODIES, ground_near
from ..simulate.roll import Event, Roll, longest_run
from .drawing import DOTS, LINE_COLORS, oblique_frame
from .figures import figure, gridded

if TYPE_CHECKING:
    from .rolling import FrameTime

_GRAY = "#777777"
_MOST_POSES = 14  # of one picture
_ELEVATION, _AZIMUTH = 0.5, 0.35  # of the eye [radians]
_AROUND = 1.1  # sizes of ground that are drawn around the poses


def plot_sequence(roll: Roll, path: Path) -> None:
    """Draw Fig. 7: poses of the run in which the body went farthest without a new start; the axis of each turn in red."""
    events = longest_run(roll.events)
    drawn, panels = figure(1, 1, (10.0, 6.0))
    _sequence(panels[0, 0], roll, events)
    turns = sum(event.kind == "turn" for event in events)
    panels[0, 0].set_title(
        f"{roll.settings.body}: its longest run, {turns} turns; axes red, path of the center of mass black", fontsize=11
    )
    drawn.savefig(path, dpi=DOTS)


def plot_sequences(rolls: Mapping[str, Roll], path: Path) -> None:
    """Draw Fig. 7 for several rolls of one body from one start, by name: poses and axes of each one's first run."""
    drawn, panels = figure(-(-len(rolls) // 2), 2, (13.0, 4.4 * -(-len(rolls) // 2)))
    runs = {name: _first(roll.events) for name, roll in rolls.items()}
    places = np.array([event.pose[:3, 3] for events in runs.values() for event in events])
    for panel, (name, roll) in zip(panels.ravel(), rolls.items(), strict=True):
        events = runs[name]
        _sequence(panel, roll, events, places)
        turns = sum(event.kind == "turn" for event in events)
        panel.set_title(f"{name}: {turns} turns, then {_ENDS[events[-1].kind]}", fontsize=12)
    drawn.supxlabel("axes red; path of the center of mass black; the same start and ground", fontsize=11)
    drawn.savefig(path, dpi=DOTS)


_ENDS = {"turn": "on its way", "drop": "on its way", "start": "on its way", "rest": "at rest", "left": "gone", "stuck": "stuck"}


def _sequence(panel: Any, roll: Roll, events: Sequence[Event], around: NDArray[np.float64] | None = None) -> None:
    """Draw poses and axes of a run into a panel. around: places whose ground is drawn, (n, 3), by default the run's."""
    shown = [events[k] for k in np.unique(np.linspace(0, len(events) - 1, min(len(events), _MOST_POSES)).astype(int))]
    frame = oblique_frame(_ELEVATION, _AZIMUTH)
    places = np.array([event.pose[:3, 3] for event in events])
    _ground(panel, roll, frame, places if around is None else around)
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


def _first(events: Sequence[Event]) -> list[Event]:
    """Return the events after the first start, up to the next one, without the first pose, which is in the air."""
    ends = (k for k, event in enumerate(events) if k > 0 and event.kind == "start")
    return list(events[1 : next(ends, len(events))])


def _ground(panel: Any, roll: Roll, frame: NDArray[np.float64], places: NDArray[np.float64]) -> None:
    """Draw the ground around places, far triangles first."""
    mesh = roll.ground.shape
    triangles = mesh.vertices[mesh.faces]
    near = ground_near(mesh, places, _AROUND * roll.size)
    _triangles(panel, triangles[near], frame, (0.80, 0.84, 0.76), 1.0, 1.0, "#b5bdae")


def _body(panel: Any, roll: Roll, frame: NDArray[np.float64], event: Event, share: float) -> None:
    """Draw the body at an event's pose, from blue to orange as the run goes on."""
    mesh = roll.body.shape
    places = mesh.vertices @ event.pose[:3, :3].T + event.pose[:3, 3]
    color = (1.0 - share) * np.array((0.25, 0.50, 0.80)) + share * np.array((0.92, 0.55, 0.25))
    _triangles(panel, places[mesh.faces], frame, tuple(color), 0.8, 2.0 + share, "none")


def _triangles(
    panel: Any,
    triangles: NDArray[np.float64],
    frame: NDArray[np.float64],
    color: tuple[float, ...],
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
    faces = np.clip(light[far_first, None] * np.array(color), 0.0, 1.0)
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
        panel.plot(frames, draw, "-", color=_GRAY, label="drawing alone")
        panel.plot(
            frames, draw + 1e3 * np.array([row.radars for row in mine]), "-", color=LINE_COLORS[1], label="with two radars"
        )
        panel.plot(
            frames,
            draw + 1e3 * np.array([row.angular for row in mine]),
            "--",
            color=LINE_COLORS[2],
            label="with an angular radar",
        )
        panel.plot(
            frames, draw + 1e3 * np.array([row.sweep for row in mine]), "-", color=LINE_COLORS[0], label="with the exact sweep"
        )
        panel.xaxis.get_major_locator().set_params(integer=True)
        panel.set_title(f"{body}, {mine[0].polygons:,} triangles", fontsize=10)
        panel.set_ylim(bottom=0.0)
    for panel in panels.ravel()[len(bodies) :]:
        panel.set_visible(False)
    handles, labels = panels[0, 0].get_legend_handles_labels()
    drawn.legend(handles, labels, loc="outside upper center", ncols=4, frameon=False)
    drawn.supxlabel("frame", fontsize=10)
    drawn.supylabel("time of a frame [ms]", fontsize=10)
    drawn.savefig(path, dpi=DOTS)
