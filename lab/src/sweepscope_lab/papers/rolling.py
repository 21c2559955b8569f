"""The second paper's experiments (Yamachi & Shindo, about 2003): bodies that roll, and two radars that read a turn.

The paper shows times per frame (Fig. 6) and poses and axes (Fig. 7) and judges motion by eye. We add the error of the angle
that its two radars read, and a number for each of its five problems.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Box, Mesh, Rotate, Scene, Translate, View
from sweepscope.scene import store_of

from ..bench.rows import best
from ..kernels import shade
from ..scenes.rolling import BODIES
from ..simulate.roll import SIDE, Event, Roll, Settings
from ..simulate.two_radars import RULES, TurnReading, TwoRadars
from .radar import NORMAL_PIXELS, Painted, Say, vertex_normals

PIXELS = (25, 50, 100, 200, 400)
ANGLES = tuple(math.radians(angle) for angle in (1.0, 2.0, 5.0, 10.0, 20.0, 40.0))
"""Exact angles to contact at which radars are read [radians]."""
LEVERS = (0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 1.0)
"""Limits of bands of the contact's distance from the axis [sizes]."""

_FRAME_PIXELS = 100
_AHEAD = 3.0  # a radar looks this many times as far as the contact
_RIM = 0.02  # of the size: radars read nothing nearer to the axis
_WIDE_RIM = 0.08  # of the size: rolling by radars needs it
_ELSEWHERE = 0.1  # of the size: a contact this far off would give another axis
_GROUNDS = 4
_LEAN = math.radians(45.0)  # of the bar in `shelf`


@dataclass(frozen=True, slots=True)
class FrameTime:
    """One frame of Fig. 6 [s]: a step of a roll."""

    body: str
    polygons: int
    """Triangles of body and ground."""
    frame: int
    draw: float
    """A normal drawing at 640 x 480."""
    radars: float
    """Both radars at 100 x 100 pixels."""
    sweep: float
    """The exact sweep of the same turn."""


@dataclass(frozen=True, slots=True)
class TurnError:
    """One turn read by two radars, and its exact sweep."""

    body: str
    case: int
    pixels: int
    rule: str
    """How the radars compute a pixel's angle, see `TwoRadars`."""
    angle: float
    """Approximate angle to contact [radians]: one of ANGLES."""
    exact: float
    """Angle to contact by the sweep [radians]."""
    read: float
    """Angle to contact by the radars [radians]; NaN: they saw no contact within three times the angle."""
    lever: float
    """Distance of the exact contact from the axis [sizes]."""
    lean: float
    """Angle between the contact's arm and the radars' up [radians], 0 to pi / 2: 0 is at right angles to the view."""
    off: float
    """Distance between the radars' contact and the exact one [sizes]; NaN if they saw none."""

    @property
    def error(self) -> float:
        """Read - exact [radians]; NaN if the radars saw no contact."""
        return self.read - self.exact


@dataclass(frozen=True, slots=True)
class Problem:
    """One of the paper's five problems with rotation, in two numbers of the same kind."""

    number: int
    what: str
    mild: float
    """In a case where it should be small."""
    hard: float
    """In a case where it should be large."""
    unit: str


# ---- Fig. 6


def measure_frame_times(
    say: Say, frames: int = 40, repeats: int = 5, *, bodies: Iterable[str] = tuple(BODIES)
) -> list[FrameTime]:
    """Time the frames of a roll of each body: drawing, detection by radars, detection by the sweep."""
    rows = []
    view = _view()
    for name in bodies:
        say(f"Fig. 6: {name} ...")
        roll = Roll(Settings(body=name, roughness=0.3, slope=0.6))
        radars = TwoRadars(roll.scene, roll.body, _FRAME_PIXELS, rim=_RIM * roll.size)
        paint, canvas = _painted(roll.scene), shade.canvas(*NORMAL_PIXELS[::-1])
        polygons = sum(len(body.shape.faces) for body in roll.scene)
        turns = _turns(roll, frames)
        for frame, (before, event) in enumerate(turns):
            roll.body.pose = before
            whole = Rotate(event.axis, event.amount, event.about)
            part = Rotate(event.axis, min(event.amount, 0.1), event.about)
            draw = best(lambda paint=paint, canvas=canvas: paint.draw(view, canvas), repeats)
            read = best(lambda radars=radars, part=part: radars.probe(part), repeats)
            swept = best(lambda roll=roll, whole=whole: roll.scene.sweep(roll.body, whole), repeats)
            rows.append(FrameTime(name, polygons, frame, draw, read, swept))
    return rows


def _view() -> View:
    """Return a view of the whole ground from above and one side, for a picture of 640 x 480."""
    toward = np.array((0.3, 0.75, -0.6))
    across = 1.1 * SIDE
    return View(-1.5 * SIDE * toward, toward, across * NORMAL_PIXELS[0] / NORMAL_PIXELS[1], across, 3.0 * SIDE)


def _painted(scene: Scene) -> Painted:
    """Return a scene with an opaque material on all bodies."""
    count = len(store_of(scene).rows)
    kinds, colours = np.full(count, shade.OPAQUE, np.uint8), np.full((count, 3), 0.7)
    return Painted(scene, vertex_normals(scene), kinds, colours, np.full((64, 64, 3), 255, np.uint8), np.array((0.0, 0.0, 1.0)))


def _turns(roll: Roll, count: int) -> list[tuple[NDArray[np.float64], Event]]:
    """Roll until there were `count` turns; return each with the pose before it."""
    found = []
    while len(found) < count:
        before = roll.body.pose
        event = roll.step()
        if event.kind == "turn":
            found.append((before, event))
    return found


# ---- the two radars' error


def measure_errors(
    say: Say,
    cases: int = 40,
    *,
    pixels: Sequence[int] = PIXELS,
    angles: Sequence[float] = ANGLES,
    bodies: Iterable[str] = tuple(BODIES),
    rim: float = _RIM,
    sink: float = 0.0,
) -> list[TurnError]:
    """Compare two radars with the exact sweep, on turns of rolling bodies, at several angles before contact.

    cases: turns that end in contact, of each body. rim [sizes]: radars read nothing nearer to the axis. sink [sizes]: the
    body is so much lower when the radars look; the sweep uses its true place.
    """
    rows = []
    for name in bodies:
        say(f"errors: {name} ...")
        for ground in range(_GROUNDS):
            roll = Roll(Settings(body=name, seed=ground, roughness=(0.3, 0.6)[ground % 2], slope=0.6))
            radars = [
                TwoRadars(roll.scene, roll.body, count, rule=rule, rim=rim * roll.size) for rule in RULES for count in pixels
            ]
            for k, (before, event) in enumerate(_turns(roll, -(-cases // _GROUNDS))):
                for angle in angles:
                    if event.amount > angle:
                        start = Rotate(event.axis, event.amount - angle, event.about).at() @ before
                        rows += _read(roll, radars, event, start, angle, ground * 1000 + k, sink)
    return rows


def _read(
    roll: Roll,
    radars: Sequence[TwoRadars],
    event: Event,
    start: NDArray[np.float64],
    angle: float,
    case: int,
    sink: float,
) -> list[TurnError]:
    """Read a turn from `start`, about `angle` before contact, with each pair of radars and with the sweep."""
    after = roll.body.pose
    roll.body.pose = start
    motion = Rotate(event.axis, min(_AHEAD * angle, 1.4), event.about)
    hit = roll.scene.sweep(roll.body, motion)
    rows = []
    if hit is not None and hit.travel > 0.5 * angle:
        # From the place of contact back to where that part of the body is now.
        now = motion.at(hit.time)[:3, :3].T @ (hit.point - event.about)
        arm = now - event.axis * (event.axis @ now)
        up = start[:3, 3] - event.about
        up -= event.axis * (event.axis @ up)
        cosine = abs(arm @ up) / (np.linalg.norm(arm) * np.linalg.norm(up))
        lean = math.acos(min(float(cosine), 1.0))
        lever = float(np.linalg.norm(arm)) / roll.size
        roll.body.pose = Translate((0.0, 0.0, -sink * roll.size)).at() @ start
        for pair in radars:
            reading = pair.probe(motion)
            read = reading.angle if reading.hit else math.nan
            off = float(np.linalg.norm(reading.point - hit.point)) / roll.size
            rows.append(
                TurnError(roll.settings.body, case, pair.pixels[0], pair.rule, angle, hit.travel, read, lever, lean, off)
            )
    roll.body.pose = after
    return rows


def mean_error(rows: Iterable[TurnError]) -> float:
    """Return the mean size of the errors [degrees]; NaN if the radars saw no contact."""
    errors = np.array([abs(row.error) for row in rows])
    errors = errors[np.isfinite(errors)]
    return math.degrees(errors.mean()) if len(errors) else math.nan


def missed_share(rows: Iterable[TurnError]) -> float:
    """Return the share of contacts that the radars did not see; NaN if there are none."""
    missed = [math.isnan(row.read) for row in rows]
    return float(np.mean(missed)) if missed else math.nan


def elsewhere_share(rows: Iterable[TurnError]) -> float:
    """Return the share of readings with a contact so far from the exact one that the next axis would be wrong."""
    off = [row.off > _ELSEWHERE for row in rows if not math.isnan(row.off)]
    return float(np.mean(off)) if off else math.nan


# ---- the five problems


def measure_problems(say: Say, rows: Sequence[TurnError], cases: int = 12) -> list[Problem]:
    """Measure each of the five problems: from the errors in `rows`, and from scenes made for it."""
    say("the five problems ...")
    counts = [row.pixels for row in rows]
    published = [row for row in rows if (row.pixels, row.rule) == (max(counts), "arm")]
    # The first problem exists only in the published rule; the other rule shows the rest without it.
    fine, rough = (
        [row for row in rows if (row.pixels, row.rule) == (count, "subtended")] for count in (max(counts), min(counts))
    )
    least, most = min(row.angle for row in rows), max(row.angle for row in rows)
    leans = np.quantile([row.lean for row in published], (0.25, 0.75))
    levers = np.quantile([row.lever for row in rough], (0.25, 0.75))
    # Rolling by radars puts a body up to half a pixel too low or too high.
    error = 0.5 / _FRAME_PIXELS
    some = {"pixels": (_FRAME_PIXELS,), "angles": (ANGLES[3],), "sink": error}
    rimmed, bare = (measure_errors(_quiet, cases, rim=rim, **some) for rim in (_WIDE_RIM, 0.0))
    seen, unseen = edge_on(False), edge_on(True)
    return [
        Problem(
            1,
            "no single direction of view: mean error, contact's arm across the view / along it, published rule",
            mean_error(row for row in published if row.lean <= leans[0]),
            mean_error(row for row in published if row.lean >= leans[1]),
            "degrees",
        ),
        Problem(
            2,
            "the axis touches the ground: readings below half the angle, half a pixel too low, with a rim / without",
            _too_short(rimmed),
            _too_short(bare),
            "share",
        ),
        Problem(
            3,
            f"near the axis: mean error, contacts far from it / near it, {min(counts)} pixels",
            mean_error(row for row in rough if row.lever >= levers[1]),
            mean_error(row for row in rough if row.lever <= levers[0]),
            "degrees",
        ),
        Problem(
            4,
            f"the angle grows: mean error, {math.degrees(least):.0f} / {math.degrees(most):.0f} degrees before contact",
            mean_error(row for row in fine if row.angle == least),
            mean_error(row for row in fine if row.angle == most),
            "degrees",
        ),
        Problem(
            5,
            "faces along the view: contacts missed, a shelf seen from above / edge-on",
            float(not seen.hit),
            float(not unseen.hit),
            "share",
        ),
    ]


def edge_on(along: bool) -> TurnReading:
    """Read a bar that turns down on a shelf; it lies along the view or across it. The exact sweep finds both."""
    scene, bar = shelf(along)
    return TwoRadars(scene, bar, _FRAME_PIXELS).probe(Rotate((0.0, 1.0, 0.0), 1.0, (0.0, 0.0, 0.0)))


def shelf(along: bool) -> tuple[Scene, Body]:
    """Return a scene with a bar that leans out from the y axis by 45 degrees, and a shelf of no thickness ahead of it.

    The radars look along (1, 0, -1). along: the shelf lies in that direction, so they see only its edge.
    """
    scene = Scene()
    c, s = math.cos(_LEAN), math.sin(_LEAN)
    out, ahead, across = np.array((s, 0.0, c)), np.array((c, 0.0, -s)), np.array((0.0, 0.2, 0.0))
    pose = np.eye(4)
    pose[:3] = np.stack((ahead, (0.0, 1.0, 0.0), out, out), axis=1)
    bar = scene.add(Box((0.2, 0.6, 2.0)), pose, name="bar")
    middle = 1.6 * out + 0.8 * ahead
    half = 0.3 * (ahead if along else out)
    corners = [middle - half - across, middle + half - across, middle + half + across, middle - half + across]
    scene.add(Mesh(corners, ((0, 1, 2), (0, 2, 3))), name="shelf")
    return scene, bar


def _too_short(rows: Sequence[TurnError]) -> float:
    return float(np.mean([row.read < 0.5 * row.exact for row in rows])) if rows else math.nan


def _quiet(_line: str) -> None:
    """Say nothing."""
