"""The second paper's experiments (Yamachi & Shindo, about 2003): bodies that roll, and radars that read a turn.

The paper shows times per frame (Fig. 6) and poses and axes (Fig. 7) and judges motion by eye. We add a number for each of its
five problems; errors of the angles that are read are in rolling_errors.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sweepscope import Body, Box, Mesh, Rotate, Scene, View
from sweepscope.radar import Radar, RadarReading
from sweepscope.scene import store_of

from ..bench.rows import best
from ..kernels import shade
from ..scenes.rolling import BODIES, ground_kind
from ..simulate.roll import SIDE, Roll, RollSettings, run
from ..simulate.straight_radars import StraightRadars, TurnReading
from .radar import NORMAL_PIXELS, PaintedScope, Say, vertex_normals
from .rolling_errors import ANGLES, TurnError, early_share, mean_error, measure_errors, turns_of
from .rolling_methods import LIMIT, RIM

_FRAME_PIXELS = 100
_WIDE_RIM = 0.08  # of the size: rolling by radars needs it
_LEAN = math.radians(45.0)  # of the bar in `shelf`

_Four = tuple[float, float, float, float]


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
    """Both radars at 100 x 100 pixels, the next 0.1 radians."""
    angular: float
    """An angular radar at 100 x 100 pixels, the whole turn; its mask drawn anew."""
    sweep: float
    """The exact sweep of the same turn."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One of the paper's five problems with rotation, in two numbers of the same kind, for two radars and an angular one.

    Errors are means over the contacts that were seen.
    """

    number: int
    what: str
    mild: float
    """In a case where it should be small."""
    hard: float
    """In a case where it should be large."""
    angular_mild: float
    """The same, by an angular radar."""
    angular_hard: float
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
        roll = Roll(RollSettings(body=name, roughness=0.3, slope=0.6))
        radars = StraightRadars(roll.scene, roll.body, _FRAME_PIXELS, rim=RIM * roll.size)
        paint, canvas = _painted(roll.scene), shade.canvas(*NORMAL_PIXELS[::-1])
        polygons = sum(len(body.shape.faces) for body in roll.scene)
        turns = turns_of(roll, frames)
        for frame, (before, event) in enumerate(turns):
            roll.body.pose = before
            whole = Rotate(event.axis, event.amount, about=event.about)
            part = Rotate(event.axis, min(event.amount, 0.1), about=event.about)
            draw = best(lambda paint=paint, canvas=canvas: paint.draw(view, canvas), repeats)
            read = best(lambda radars=radars, part=part: radars.probe(part), repeats)
            circles = best(
                lambda roll=roll, whole=whole: Radar(roll.scene, roll.body, pixels=_FRAME_PIXELS).probe(whole), repeats
            )
            swept = best(lambda roll=roll, whole=whole: roll.scene.sweep(roll.body, whole), repeats)
            rows.append(FrameTime(name, polygons, frame, draw, read, circles, swept))
    return rows


def _view() -> View:
    """Return a view of the whole ground from above and one side, for a picture of 640 x 480."""
    toward = np.array((0.3, 0.75, -0.6))
    across = 1.1 * SIDE
    return View(
        -1.5 * SIDE * toward, toward, width=across * NORMAL_PIXELS[0] / NORMAL_PIXELS[1], height=across, depth=3.0 * SIDE
    )


def _painted(scene: Scene) -> PaintedScope:
    """Return a scene with an opaque material on all bodies."""
    count = len(store_of(scene).rows)
    kinds, colors = np.full(count, shade.OPAQUE, np.uint8), np.full((count, 3), 0.7)
    return PaintedScope(
        scene, vertex_normals(scene), kinds, colors, np.full((64, 64, 3), 255, np.uint8), np.array((0.0, 0.0, 1.0))
    )


# ---- rolling by each instrument

PICTURE_ENDS: dict[str, Any] = {"instrument": "straight", "rule": "row", "limit": LIMIT, "ends": "picture"}
"""The paper's steps with our rim, kept contacts and sampled drops, and without what is behind the leading surface."""
LITERAL: dict[str, Any] = {**PICTURE_ENDS, "behind": "hit", "rim": 0.0, "old_contacts": "forget", "drops": "published"}
"""The paper's procedure: two radars, small turns until a detection limit, both ends of the next axis from the collision's
picture; S < D behind the leading surface too, no rim, no contact but those of the collision, drops by the first paper's radar.
How an angle follows from L, and the turn about a single place, are ours: the paper does not say."""
VARIANTS: dict[str, dict[str, Any]] = {
    "exact sweep": {"instrument": "sweep"},
    "angular radar": {"instrument": "angular"},
    "two radars": {"instrument": "straight", "rule": "arm"},
    "two radars, in steps": {**PICTURE_ENDS, "ends": "support"},
    "two radars, ends from the picture": PICTURE_ENDS,
    "two radars, literal": LITERAL,
    "two radars by shape, turned back": {
        "instrument": "straight",
        "rule": "subtended",
        "limit": LIMIT,
        "placement": "shape",
        "turn_back": True,
    },
}
"""What bodies roll by. In steps: with the detection limit. Ends from the picture: and both ends of the next axis from the
collision, where it has two. Literal: without our rim, kept contacts, sampled drops and what we leave out behind the surface."""


REPAIRS: dict[str, dict[str, Any]] = {
    "literal": LITERAL,
    "without what is behind": {**LITERAL, "behind": "skip"},
    "and a rim": {**PICTURE_ENDS, "old_contacts": "forget", "drops": "published"},
    "and kept contacts": {**PICTURE_ENDS, "drops": "published"},
    "and sampled drops": PICTURE_ENDS,
}
"""From the paper's procedure to ours with ends from the picture, one change after another."""


@dataclass(frozen=True, slots=True)
class RollRow:
    """A body that rolled on many grounds by one instrument. Lengths are shares of its size."""

    body: str
    by: str
    """One of VARIANTS or REPAIRS."""
    steps: int
    turns: int
    rests: int
    stuck: int
    way: float
    """Mean path on a ground."""
    deepest: float
    """Deepest below any ground."""
    mean_deepest: float
    """Mean over the grounds of the deepest on each."""
    highest: float
    """Widest gap at contact."""
    seconds: float
    """Time of a step [s]."""


def measure_rolls(
    say: Say,
    steps: int,
    *,
    grounds: int,
    bodies: Iterable[str] = tuple(BODIES),
    variants: Mapping[str, dict[str, Any]] = VARIANTS,
) -> list[RollRow]:
    """Roll each body `steps` on each of so many grounds, by each of the variants."""
    rows = []
    for body in bodies:
        say(f"rolling: {body} ...")
        for by, how in variants.items():
            found = []
            for ground in range(grounds):
                roughness, slope = ground_kind(ground)
                found.append(run(steps, RollSettings(body=body, seed=ground, roughness=roughness, slope=slope, **how)))
            rows.append(
                RollRow(
                    body=body,
                    by=by,
                    steps=sum(each.steps for each in found),
                    turns=sum(each.turns for each in found),
                    rests=sum(each.rests for each in found),
                    stuck=sum(each.stuck for each in found),
                    way=float(np.mean([each.way for each in found])),
                    deepest=max(each.deepest for each in found),
                    mean_deepest=float(np.mean([each.deepest for each in found])),
                    highest=max(each.highest for each in found),
                    seconds=float(np.mean([each.seconds_per_step for each in found])),
                )
            )
    return rows


# ---- the five problems


def measure_problems(say: Say, rows: Sequence[TurnError], turns: int = 3) -> list[Problem]:
    """Measure each of the five problems: from the errors in `rows`, and from scenes made for it. turns: on each ground."""
    say("the five problems ...")
    counts = [row.pixels for row in rows]
    fine, rough = max(counts), min(counts)
    least, most = min(row.angle for row in rows), max(row.angle for row in rows)
    leans = np.quantile([row.lean for row in rows if row.pixels == fine], (0.25, 0.75))
    levers = np.quantile([row.lever for row in rows if row.pixels == rough], (0.25, 0.75))
    # Rolling by radars puts a body up to half a pixel too low or too high.
    sunk: dict[str, Any] = {"pixels": (_FRAME_PIXELS,), "angles": (ANGLES[3],), "sink": 0.5 / _FRAME_PIXELS}
    rimmed = measure_errors(_quiet, turns, methods=("arm",), rim=_WIDE_RIM, **sunk)
    bare = measure_errors(_quiet, turns, methods=("arm", "angular"), rim=0.0, **sunk)
    in_place = measure_errors(_quiet, turns, methods=("angular",), pixels=sunk["pixels"], angles=sunk["angles"])

    def errors(pixels: int, two: str, mild: Callable[[TurnError], bool], hard: Callable[[TurnError], bool]) -> _Four:
        found = []
        for method in (two, "angular"):
            mine = [row for row in rows if (row.pixels, row.method) == (pixels, method)]
            found += [mean_error(filter(mild, mine)), mean_error(filter(hard, mine))]
        return found[0], found[1], found[2], found[3]

    views = [float(not read(along)) for read in (edge_on, edge_on_circles) for along in (False, True)]
    return [
        # The first problem is in the arctangents of L; the subtended angle shows the rest without it.
        Problem(
            1,
            f"no single direction of view: mean error, contact's arm across the view / along it, arm rule, {fine} pixels",
            *errors(fine, "arm", lambda row: row.lean <= leans[0], lambda row: row.lean >= leans[1]),
            "degrees",
        ),
        Problem(
            2,
            "the axis touches the ground: readings below half the angle, half a pixel too low, with a rim / without; "
            "angular radar without a rim: in place / too low",
            early_share(rimmed),
            early_share([row for row in bare if row.method == "arm"]),
            early_share(in_place),
            early_share([row for row in bare if row.method == "angular"]),
            "share",
        ),
        Problem(
            3,
            f"near the axis: mean error, contacts far from it / near it, subtended angle, {rough} pixels",
            *errors(rough, "subtended", lambda row: row.lever >= levers[1], lambda row: row.lever <= levers[0]),
            "degrees",
        ),
        Problem(
            4,
            f"the angle grows: mean error, {math.degrees(least):.0f} / {math.degrees(most):.0f} degrees before contact, "
            f"subtended angle, {fine} pixels",
            *errors(fine, "subtended", lambda row: row.angle == least, lambda row: row.angle == most),
            "degrees",
        ),
        Problem(
            5,
            "faces along the view: contacts missed, a shelf seen from above / edge-on",
            views[0],
            views[1],
            views[2],
            views[3],
            "share",
        ),
    ]


def edge_on(along: bool) -> TurnReading:
    """Read a bar that turns down on a shelf; it lies along the view or across it. The exact sweep finds both."""
    scene, bar = shelf(along)
    return StraightRadars(scene, bar, _FRAME_PIXELS).probe(Rotate((0.0, 1.0, 0.0), 1.0, about=(0.0, 0.0, 0.0)))


def edge_on_circles(along: bool) -> RadarReading:
    """Read the same bar and shelf with an angular radar."""
    scene, bar = shelf(along)
    return Radar(scene, bar, pixels=_FRAME_PIXELS).probe(Rotate((0.0, 1.0, 0.0), 1.0, about=(0.0, 0.0, 0.0)))


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


def _quiet(_line: str) -> None:
    """Say nothing."""
