"""Pictures of a grasp as PNG files: key moments, the time of every frame, and the contacts at the end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Robot, Scene, Shape, Translate
from sweepscope.drawing import Picture
from sweepscope.drawing.arrangement import arrange
from sweepscope.drawing.camera import Camera, camera_along
from sweepscope.drawing.canvas import Canvas
from sweepscope.drawing.paint import PaintedImage, paint
from sweepscope.drawing.palette import Ink
from sweepscope.drawing.picture import to_picture
from sweepscope.drawing.stage import points_of
from sweepscope.errors import InvalidQuery

from ..scenes.hand import FINGERS, make_hand
from ..simulate.grasp import Grasp, GraspContact, GraspOutcome, GraspRecord, GraspSettings
from .figures import figure, save_picture

_Array = NDArray[np.float64]
_Floats = NDArray[np.floating]

_ROOM = 0.035  # margin of a picture of bodies, as a share of it
_PIXELS = 480  # along each side of a picture of bodies
_INK, _RED, _BLUE, _BROWN = "#2b3440", "#e0261c", "#3b6ea8", "#c2571a"
_TARGET = np.array((0.93, 0.66, 0.30), np.float32)
_HANDS = np.array(
    ((0.62, 0.72, 0.84), (0.60, 0.78, 0.68), (0.76, 0.68, 0.86), (0.86, 0.72, 0.66), (0.66, 0.77, 0.79)), np.float32
)
_TOUCHING = np.array((0.93, 0.42, 0.33), np.float32)  # links in contact with the target
_OTHER = np.array((0.75, 0.75, 0.73), np.float32)
_NEAR = 1.0  # [length]: links nearer to the target are drawn as touching
_MOMENTS = ("search", "approach", "first touch", "four fingers", "each finger", "end")
_ENDS = {"contact": _RED, "link": _BLUE, "limit": "#7b8794"}


@dataclass(frozen=True, slots=True, eq=False)
class _GraspShot:
    """A frame: poses and shapes at that time."""

    record: GraspRecord
    poses: _Array
    """Poses of all bodies, in the order of the scene, shape (n, 4, 4)."""
    shapes: tuple[Shape, ...]
    """Shapes of the target's bodies, which may change."""


def _shot(grasp: Grasp, record: GraspRecord) -> _GraspShot:
    poses = np.array([body.pose for body in grasp.scene.bodies])
    return _GraspShot(record, poses, tuple(body.shape for body in grasp.target))


class GraspStrip:
    """Keeps poses and shapes of every frame and draws the key moments."""

    def __init__(self, settings: GraspSettings, pixels: int = _PIXELS) -> None:
        """Set the pixels along each side of a picture."""
        self.settings = settings
        self.pixels = pixels
        self._shots: list[_GraspShot] = []

    def see(self, grasp: Grasp, record: GraspRecord) -> None:
        """Keep a frame."""
        self._shots.append(_shot(grasp, record))

    def save(self, path: Path, grasp: Grasp) -> None:
        """Write the moments, and below them detections and time of each frame (the paper's Fig. 16)."""
        moments = self._moments()
        drawn, panels = figure(1, 1, (13.5, 12.6))
        panels[0, 0].remove()
        drawn.get_layout_engine().set(h_pad=0.08)
        grid = drawn.add_gridspec(3, 3, height_ratios=(4.3, 4.3, 2.9))
        camera = _camera(grasp, self._shots[-1], (self.pixels, self.pixels))
        copies = [_Copy(grasp, shot) for _, shot in moments]
        places = [points_of(copy.bodies) for copy in copies]
        cameras = [camera.around(points, _ROOM) for points in places]
        # Moments with about the same extent as the end have the same scale.
        near = [each.height < 1.7 * cameras[-1].height for each in cameras]
        shared = camera.around(np.concatenate([each for each, is_near in zip(places, near, strict=True) if is_near]), _ROOM)
        for k, ((name, shot), copy) in enumerate(zip(moments, copies, strict=True)):
            panel = drawn.add_subplot(grid[k // 3, k % 3])
            _show(panel, _painted(copy, shared if near[k] else cameras[k]))
            _frame(panel)
            panel.set_title(f"{name}: frame {shot.record.frame}", fontsize=11, color=_INK)
        _timeline(drawn.add_subplot(grid[2, :]), moments, grasp.records)
        hands = "1 hand" if self.settings.hands == 1 else f"{self.settings.hands} hands"
        touching = f"red: links within {_NEAR:g} of the target, with their contact normals"
        drawn.suptitle(f"{hands}, target {self.settings.target}, method {self.settings.method}; {touching}", color=_INK)
        save_picture(drawn, path)

    def film(self, grasp: Grasp, size: tuple[int, int] = (480, 360), most: int = 90) -> list[Picture]:
        """Return pictures of the hands on their last way to the target and closing, at most so many, from one place."""
        if not self._shots:
            raise InvalidQuery("a film needs at least one frame: see() was never called")
        last = _Copy(grasp, self._shots[-1])
        places = points_of(last.bodies)
        camera = _camera(grasp, self._shots[-1], size).around(places, 0.14)
        floor = float(places[:, 2].min()) - 4.0
        first = next((k for k, shot in enumerate(self._shots) if self._within(grasp, shot, camera)), len(self._shots) - 1)
        chosen = np.unique(np.linspace(first, len(self._shots) - 1, most).round().astype(int)).tolist()
        return [to_picture(_painted(_Copy(grasp, self._shots[k]), camera, floor)) for k in chosen]

    def _within(self, grasp: Grasp, shot: _GraspShot, camera: Camera) -> bool:
        """Return whether a hand that has found the target is in the camera's window."""
        bodies = grasp.scene.bodies
        for hand, phase in zip(grasp.hands, shot.record.phases, strict=True):
            right, up, _ = camera.to_view(shot.poses[bodies.index(hand.links["palm"].bodies[0]), :3, 3])
            if phase != "search" and abs(right) < 0.5 * camera.width and abs(up) < 0.5 * camera.height:
                return True
        return False

    def _moments(self) -> list[tuple[str, _GraspShot]]:
        """Return the frames to show with their names, in order."""
        if not self._shots:
            raise InvalidQuery("a picture needs at least one frame: see() was never called")
        found: dict[str, int] = {}
        touched = [k for k, shot in enumerate(self._shots) if set(shot.record.phases) & {"four", "fingers", "done"}]
        # For every phase, of the frames with most hands in it: the first of searching, the middle of approaching ...
        for name, phase, share in (("search", "search", 0.0), ("approach", "approach", 0.5), ("four fingers", "four", 1.0)):
            frames = self._busiest(phase)
            if frames:
                found[name] = frames[round(share * (len(frames) - 1))]
        if touched:
            found["first touch"] = touched[0]
        fingers = self._busiest("fingers")
        if fingers:
            found["each finger"] = fingers[len(fingers) // 2]
        found["end"] = len(self._shots) - 1
        return [(name, self._shots[found[name]]) for name in _MOMENTS if name in found]

    def _busiest(self, phase: str) -> list[int]:
        counts = [shot.record.phases.count(phase) for shot in self._shots]
        most = max(counts)
        return [k for k, count in enumerate(counts) if count == most] if most else []


def contact_map(path: Path, grasp: Grasp, outcome: GraspOutcome, pixels: int = _PIXELS) -> None:
    """Write for every hand its contacts, drawn on the open hand, and the angle of each joint and why it stopped."""
    pairs = min(len(grasp.hands), 2)  # of panels, side by side
    rows = -(-len(grasp.hands) // pairs)
    drawn, panels = figure(rows, 2 * pairs, (11.5 * pairs, 5.4 * rows + 0.5))
    for panel in panels.ravel()[2 * len(grasp.hands) :]:
        panel.remove()
    for number, hand in enumerate(grasp.hands):
        plan, angles = panels.reshape(-1, 2)[number]
        mine = [contact for contact in outcome.contacts if contact.hand == number]
        _plan(plan, hand, mine, number, pixels, grasp.settings.hand)
        plan.set_title(f"{hand.name}: {len(mine)} contacts", fontsize=11, color=_INK)
        _angles(angles, hand, outcome.joints[number], outcome.ends[number])
    deepest = f"deepest penetration {outcome.max_penetration:.2g}, hand {outcome.hand_size:g} wide"
    drawn.suptitle(f"target {grasp.settings.target}, method {grasp.settings.method}; {deepest}", color=_INK)
    save_picture(drawn, path)


def picture_of(grasp: Grasp, pixels: int = _PIXELS) -> Picture:
    """Return a picture of a grasp as it is now; it must have made a step."""
    shot = _shot(grasp, grasp.records[-1])
    copy = _Copy(grasp, shot)
    return to_picture(_painted(copy, _camera(grasp, shot, (pixels, pixels)).around(points_of(copy.bodies), _ROOM)))


def gallery(path: Path, grasps: Sequence[Grasp], pixels: int = _PIXELS) -> None:
    """Write grasps as they are now, side by side (the paper's Fig. 14); each must have made a step."""
    columns = min(4, len(grasps))
    rows = -(-len(grasps) // columns)
    drawn, panels = figure(rows, columns, (4.0 * columns, 4.3 * rows))
    for panel in panels.ravel()[len(grasps) :]:
        panel.remove()
    for panel, grasp in zip(panels.ravel(), grasps, strict=False):
        _show(panel, picture_of(grasp, pixels).pixels / np.float32(255.0))
        _frame(panel)
        panel.set_title(f"{grasp.settings.target}: frame {grasp.records[-1].frame}", fontsize=11, color=_INK)
    save_picture(drawn, path)


class _Copy:
    """A copy of the scene at a frame; the original moves on."""

    def __init__(self, grasp: Grasp, shot: _GraspShot) -> None:
        self.scene = Scene()
        shapes = {body.id: shape for body, shape in zip(grasp.target, shot.shapes, strict=True)}
        hands = {body.id: k for k, hand in enumerate(grasp.hands) for body in hand.bodies}
        links = {body.id: link.name for hand in grasp.hands for link in hand.links.values() for body in link.bodies}
        self.target: list[Body] = []
        self.links: dict[tuple[int, str], list[Body]] = {}
        self.colors: dict[int, NDArray[np.float32]] = {}
        for body, pose in zip(grasp.scene.bodies, shot.poses, strict=True):
            mine = self.scene.add(shapes.get(body.id, body.shape), pose, name=body.name)
            self.colors[mine.id] = _OTHER
            if body.id in shapes:
                self.target.append(mine)
                self.colors[mine.id] = _TARGET
            elif body.id in hands:
                self.links.setdefault((hands[body.id], links[body.id]), []).append(mine)
                self.colors[mine.id] = _HANDS[hands[body.id] % len(_HANDS)]

    @property
    def bodies(self) -> list[Body]:
        """The hands and the target."""
        return [*self.target, *(body for bodies in self.links.values() for body in bodies)]

    def touching(self) -> list[tuple[_Array, _Array]]:
        """Color the bodies that touch the target and return the contacts: points and normals, world."""
        rest = [body for bodies in self.links.values() for body in bodies]
        found = []
        for bodies in self.links.values():
            for body in bodies:
                others = [other for other in rest if other is not body]
                hit = self.scene.sweep(body, Translate((0.0, 0.0, 0.0)), margin=_NEAR, resting="hit", ignore=others)
                if hit is not None and hit.obstacle in self.target:
                    self.colors[body.id] = _TOUCHING
                    if np.isfinite(hit.normal).all():
                        found.append((hit.point, hit.normal))
        return found


def _camera(grasp: Grasp, shot: _GraspShot, size: tuple[int, int]) -> Camera:
    """Return a camera that looks at one hand from in front of its palm, from the side and above; at several from higher up."""
    if len(grasp.hands) != 1:
        return camera_along((0.35, 0.6, -0.85), None, size)
    palm = grasp.hands[0].links["palm"].bodies[0]
    across, along, normal = shot.poses[grasp.scene.bodies.index(palm), :3, :3].T
    # To the side: along the fingers or across them, the more horizontal one.
    aside = along if abs(along[2]) < abs(across[2]) else across
    ahead = -0.72 * aside - 0.7 * normal
    ahead[2] = 0.0
    return camera_along(ahead / np.linalg.norm(ahead) - (0.0, 0.0, 0.5), None, size)


def _painted(copy: _Copy, camera: Camera, floor: float | None = None) -> _Floats:
    """Return an image of hands and target; links that touch it are red, with their contact normals."""
    marks = copy.touching()
    low = min(float(body.bounds[0, 2]) for body in copy.bodies)
    painted = paint(arrange(copy.scene), camera, copy.colors, floor=low - 4.0 if floor is None else floor)
    canvas, ink = Canvas(painted.image), Ink(dark=False)
    scale = camera.size[1] / _PIXELS
    for point, normal in marks:
        start, tip = camera.project(np.array((point, point + 0.11 * camera.height * normal)))
        if _visible(painted, camera, point):
            canvas.arrow(start, tip, ink.text, 1.8 * scale)
            canvas.disc(start, 3.4 * scale, ink.text)
            canvas.disc(start, 2.2 * scale, np.ones(3, np.float32))
        else:
            canvas.line(start, tip, ink.text, 1.2 * scale, 0.25)
    return painted.image


def _show(panel: Any, image: _Floats) -> None:
    """Show an image; places on the panel are its pixels."""
    rows, columns, _ = image.shape
    panel.imshow(np.clip(image, 0.0, 1.0), extent=(0, columns, rows, 0), interpolation="bilinear")
    panel.set_xlim(0, columns)
    panel.set_ylim(rows, 0)


def _visible(painted: PaintedImage, camera: Camera, point: _Array) -> bool:
    """Return whether a contact is visible, or near a visible surface."""
    column, row = (int(x) for x in camera.project(point))
    near = slice(max(row - 2, 0), row + 3), slice(max(column - 2, 0), column + 3)
    return bool((painted.depth[near] > camera.to_view(point)[2] - 2.0).any())


def _frame(panel: Any) -> None:
    panel.set_xticks([])
    panel.set_yticks([])
    for spine in panel.spines.values():
        spine.set_color("#c9ced6")


def _timeline(panel: Any, moments: Sequence[tuple[str, _GraspShot]], records: Sequence[GraspRecord]) -> None:
    frames = [record.frame for record in records]
    panel.bar(frames, [record.detections for record in records], width=1.0, color="#9db4cf", label="detections")
    panel.set_ylabel("detections in the frame", color="#5b7ca6")
    panel.set_xlabel("frame; dotted: shown above")
    panel.set_xlim(frames[0] - 2.5, max(frames[-1], frames[0] + 1) + 0.8)
    took = panel.twinx()
    times = 1e3 * np.array([record.seconds for record in records])
    # The scale ignores a few very slow frames, which would flatten all others.
    high = 1.25 * min(float(times.max()), 4.0 * float(np.percentile(times, 95)))
    took.plot(frames, times, color=_BROWN, linewidth=1.3)
    took.set_ylim(0.0, high)
    beyond = times > high
    if beyond.any():
        text = f"frames beyond the scale: {beyond.sum()}, up to {times.max():.0f} ms"
        took.set_title(text, fontsize=9, color=_BROWN, loc="right")
    took.set_ylabel("milliseconds", color=_BROWN)
    for side in (panel, took):
        side.spines["top"].set_visible(False)
    for name, shot in moments:
        panel.axvline(shot.record.frame, color=_INK, linewidth=0.9, linestyle=":")
        at = shot.record.frame, 0.98
        label = {
            "xycoords": ("data", "axes fraction"),
            "textcoords": "offset points",
            "rotation": 90,
            "va": "top",
            "ha": "right",
        }
        panel.annotate(name, at, (-1, 0), fontsize=8, color=_INK, **label)


def _plan(panel: Any, hand: Robot, contacts: Sequence[GraspContact], number: int, pixels: int, form: str) -> None:
    """Draw the open hand of this form, seen from in front of its palm, with marks at the contacts on its links."""
    open_hand = make_hand(form=form)
    colors = {}
    for link in open_hand.links.values():
        hue = np.array(_HANDS[number % len(_HANDS)])
        if any(contact.link == link.name and "/" not in contact.body for contact in contacts):
            hue = 0.25 * hue + 0.75 * np.array(_TOUCHING)
        colors.update((body.id, hue.astype(np.float32)) for body in link.bodies)
    camera = camera_along((0.0, 0.0, -1.0), (0.0, 1.0, 0.0), (pixels, pixels)).around(points_of(open_hand.bodies), _ROOM)
    lowest = min(float(body.bounds[0, 2]) for body in open_hand.bodies)
    _show(panel, paint(arrange(open_hand.scene), camera, colors, floor=lowest - 12.0).image)
    used = set()
    for contact in contacts:
        # From the link's final pose to its pose in the open hand.
        carried = open_hand.links[contact.link].pose @ np.linalg.inv(hand.links[contact.link].pose)
        at = carried[:3, :3] @ contact.point + carried[:3, 3]
        behind = float(carried[2, :3] @ contact.normal) > 0.0  # pushed towards +z, the grasping direction
        what = "on a link" if "/" in contact.body else "on the target"
        kind, color = ("D", _BLUE) if "/" in contact.body else ("o", _RED)
        label = f"{what}, from behind" if behind else what
        face, edge = ("none", color) if behind else (color, "white")
        panel.plot(
            *camera.project(at),
            kind,
            color=face,
            markeredgecolor=edge,
            markersize=8,
            label=None if label in used else label,
            linestyle="",
        )
        used.add(label)
    if used:
        panel.legend(fontsize=9, loc="upper left", frameon=False)
    _frame(panel)


def _angles(panel: Any, hand: Robot, values: dict[str, float], ends: dict[str, str]) -> None:
    """Draw each joint's angle, its limit, and why it stopped."""
    row = 0.0
    ticks = []
    for finger in FINGERS:
        for k in (1, 2, 3):
            joint = f"{finger} {k}"
            full, angle = math.degrees(hand.joints[joint].limits[1]), math.degrees(values[joint])
            why = ends.get(joint, "still moving")
            color = _ENDS.get(why, _INK)
            panel.barh(row, full, height=0.8, color="#e9edf2")
            panel.barh(row, angle, height=0.8, color=color, alpha=0.75)
            panel.text(full + 3.0, row, f"{angle:5.1f}\N{DEGREE SIGN}  {why}", va="center", fontsize=9, color=color)
            ticks.append((row, joint))
            row += 1.0
        row += 0.5
    panel.set_yticks([place for place, _ in ticks], [joint for _, joint in ticks], fontsize=9)
    panel.invert_yaxis()
    panel.set_xlim(0.0, 160.0)
    panel.set_xlabel("angle [degrees]; gray: up to its limit", fontsize=9)
    panel.tick_params(axis="y", length=0)
    panel.spines[["top", "right", "left"]].set_visible(False)
