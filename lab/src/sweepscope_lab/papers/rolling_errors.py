"""How far off is the angle to contact that pictures read on rolling bodies? Straight radars, an angular radar, the exact sweep.

Bodies roll by exact sweeps. Each turn that ends in contact is wound back by some angle; there every method reads the same turn.
A method may miss the contact, so errors are means over the contacts that it saw, and the share that it missed belongs to them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import Rotate, Translate

from ..scenes.rolling import BODIES, ground_kind
from ..simulate.roll import Event, Roll, RollSettings
from ..simulate.straight_radars import RULES
from .radar import Say
from .rolling_methods import METHODS, Read, reader

PIXELS = (25, 50, 100, 200, 400)
ANGLES = tuple(math.radians(angle) for angle in (1.0, 2.0, 5.0, 10.0, 20.0, 40.0))
"""Exact angles to contact at which radars are read [radians]."""
TOUCHING = 0.02
"""Share of the size: a place that is farther from the body than this where it lands is no contact (two pixels of 100)."""

_AHEAD = 3.0  # a radar looks this many times as far as the contact
_FARTHEST = 1.4  # radians: two radars look no farther


@dataclass(frozen=True, slots=True)
class TurnError:
    """One turn read by one method, and its exact sweep."""

    body: str
    ground: int
    turn: int
    """Number of the turn on its ground."""
    pixels: int
    """Columns and rows; 0 for the exact sweep."""
    method: str
    """Its name in `rolling_methods`."""
    angle: float
    """Approximate angle to contact [radians]: one of ANGLES."""
    exact: float
    """Angle to contact by the sweep [radians]."""
    read: float
    """Angle to contact by the method [radians]; NaN: it saw no contact within three times the angle."""
    lever: float
    """Distance of the exact contact from the axis [sizes]."""
    lean: float
    """Angle between the contact's arm and the two radars' up [radians], 0 to pi / 2: 0 is at right angles to their view."""
    off: float
    """Distance between the read contact and the exact one [sizes]; NaN if none was read."""
    apart: float
    """Distance of the read contact from the body where the body truly lands [sizes]; NaN if none was read."""
    seconds: float
    """Time of the reading [s]; of a radar with its mask drawn anew."""

    @property
    def error(self) -> float:
        """Read - exact [radians]; NaN if no contact was read."""
        return self.read - self.exact

    @property
    def contact(self) -> tuple[str, int, int, float]:
        """Key of the contact: equal for all methods that read it."""
        return self.body, self.ground, self.turn, self.angle


def measure_errors(
    say: Say,
    turns: int = 10,
    *,
    methods: Sequence[str] = RULES,
    pixels: Sequence[int] = PIXELS,
    angles: Sequence[float] = ANGLES,
    bodies: Iterable[str] = tuple(BODIES),
    grounds: Sequence[int] = range(4),
    kind: Callable[[int], tuple[float, float]] = lambda ground: ((0.3, 0.6)[ground % 2], 0.6),
    rim: float | None = None,
    sink: float = 0.0,
) -> list[TurnError]:
    """Compare methods with the exact sweep, on turns of rolling bodies, at several angles before contact.

    turns: on each ground, of each body. kind: roughness and slope of a ground. rim [sizes]: straight radars read nothing
    nearer to the axis; None: as their method has it. sink [sizes]: the body is so much lower when a method looks; the truth is
    of its true place.
    """
    rows = []
    for name in bodies:
        say(f"errors: {name} ...")
        for ground in grounds:
            roughness, slope = kind(ground)
            roll = Roll(RollSettings(body=name, seed=ground, roughness=roughness, slope=slope))
            readers = [
                (method, count, reader(roll, method, count, rim))
                for method in methods
                for count in (pixels if method != "exact" else (0,))
            ]
            for k, (before, event) in enumerate(turns_of(roll, turns)):
                for angle in angles:
                    if event.amount > angle:
                        start = Rotate(event.axis, event.amount - angle, about=event.about).at() @ before
                        rows += _read(roll, readers, event, start, angle, (ground, k), sink)
    return rows


def measure_on_all_grounds(
    say: Say, turns: int, *, grounds: int, angles: Sequence[float], methods: Sequence[str] = METHODS
) -> list[TurnError]:
    """Compare methods at 100 pixels, for all bodies on grounds of all kinds, flat to rough and level to 45 degrees."""
    return measure_errors(say, turns, methods=methods, pixels=(100,), angles=angles, grounds=range(grounds), kind=ground_kind)


def turns_of(roll: Roll, count: int) -> list[tuple[NDArray[np.float64], Event]]:
    """Roll until there were `count` turns; return each with the pose before it."""
    found = []
    while len(found) < count:
        before = roll.body.pose
        event = roll.step()
        if event.kind == "turn":
            found.append((before, event))
    return found


def _read(
    roll: Roll,
    readers: Sequence[tuple[str, int, Read]],
    event: Event,
    start: NDArray[np.float64],
    angle: float,
    case: tuple[int, int],
    sink: float,
) -> list[TurnError]:
    """Read a turn from `start`, about `angle` before contact, with each method and with the sweep."""
    after = roll.body.pose
    roll.body.pose = start
    motion = Rotate(event.axis, min(_AHEAD * angle, _FARTHEST), about=event.about)
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
        landed = motion.at(hit.time) @ start
        mesh = roll.body.shape
        triangles = (mesh.vertices @ landed[:3, :3].T + landed[:3, 3])[mesh.faces]
        roll.body.pose = Translate((0.0, 0.0, -sink * roll.size)).at() @ start
        for method, pixels, read in readers:
            begin = time.perf_counter()
            found, point = read(motion)
            seconds = time.perf_counter() - begin
            if not found <= motion.length:
                found, point = math.nan, np.full(3, np.nan)
            off = float(np.linalg.norm(point - hit.point)) / roll.size
            apart = distance_to(triangles, point) / roll.size
            rows.append(
                TurnError(roll.settings.body, *case, pixels, method, angle, hit.travel, found, lever, lean, off, apart, seconds)
            )
    roll.body.pose = after
    return rows


def distance_to(triangles: NDArray[np.float64], point: NDArray[np.float64]) -> float:
    """Return the distance of a point (3,) from the nearest of triangles (m, 3, 3) [length]; NaN for a point that is NaN."""
    if np.isnan(point).any():
        return math.nan
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    height = ((point - triangles[:, 0]) * normals).sum(axis=1)
    above = np.ones(len(triangles), bool)
    nearest = math.inf
    for k in range(3):
        a, along = triangles[:, k], triangles[:, (k + 1) % 3] - triangles[:, k]
        away = point - a
        above &= (np.cross(along, away) * normals).sum(axis=1) >= 0.0
        share = np.clip((away * along).sum(axis=1) / (along * along).sum(axis=1), 0.0, 1.0)
        nearest = min(nearest, float(np.linalg.norm(away - share[:, None] * along, axis=1).min()))
    return min(nearest, float(np.abs(height[above]).min(initial=math.inf)))


# ---- what is said of rows


def mean_error(rows: Iterable[TurnError]) -> float:
    """Return the mean size of the errors [degrees] over the contacts that were seen; NaN if none was."""
    errors = np.array([abs(row.error) for row in rows])
    errors = errors[np.isfinite(errors)]
    return math.degrees(errors.mean()) if len(errors) else math.nan


def worst_error(rows: Iterable[TurnError]) -> float:
    """Return the largest size of an error [degrees] over the contacts that were seen; NaN if none was."""
    return math.degrees(max((abs(row.error) for row in rows if not math.isnan(row.read)), default=math.nan))


def missed_share(rows: Iterable[TurnError]) -> float:
    """Return the share of contacts that were not seen; NaN if there are none."""
    missed = [math.isnan(row.read) for row in rows]
    return float(np.mean(missed)) if missed else math.nan


def early_share(rows: Iterable[TurnError]) -> float:
    """Return the share of contacts that were read at less than half of the exact angle; NaN if there are none."""
    early = [row.read < 0.5 * row.exact for row in rows]
    return float(np.mean(early)) if early else math.nan


def wrong_axis_share(rows: Iterable[TurnError]) -> float:
    """Return the share of contacts after which the next axis would be wrong; NaN if there are none.

    It is wrong if the contact was missed, and if it was read where the body does not touch when it lands.
    """
    wrong = [not row.apart <= TOUCHING for row in rows]
    return float(np.mean(wrong)) if wrong else math.nan


def seen_by_all(rows: Sequence[TurnError]) -> list[TurnError]:
    """Return the rows of contacts that every method saw: there means are of the same contacts."""
    missed = {row.contact for row in rows if math.isnan(row.read)}
    return [row for row in rows if row.contact not in missed]
