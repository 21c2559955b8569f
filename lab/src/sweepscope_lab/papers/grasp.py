"""The first paper's application (Yamachi & Shindo 2002, Figs 9-16), run again: hands that grasp, by radars and by exact turns.

Fig. 16: five hands on one target, detections of every frame and their time. Fig. 14: one hand on many targets. Beyond the
paper: the error of the angle at which a joint ends when it bends by radars, at several pixel counts.

The same settings give the same run. So each run is repeated, and every frame has a fastest and a slowest time. A frame's time
is that of its detections and motions; the checks of depth and separation are not timed. A normal drawing, which the paper's
frames have presumably in them, is timed apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from sweepscope import Scene, SweepscopeError, View

from ..scenes.targets import TARGETS
from ..simulate.gc_pauses import without_gc_pauses
from ..simulate.grasp import Grasp, GraspOutcome, GraspSettings
from .radar import time_normal

Say = Callable[[str], object]

METHODS = ("radar", "exact")
HANDS = 5
PIXELS = 50
PUBLISHED_RADARS = 52
"""Most radars at work in a frame of the paper."""
PUBLISHED_SECONDS = 0.203
"""Its worst frame, on the best machine of 2002."""
GOAL = 0.016
"""Limit for the worst frame with that many detections [s]."""
COUNTS = (25, 50, 100, 200)
"""Pixels along a side at which radars are compared with exact turns."""
TARGETS_HELD = tuple(name for name in TARGETS if name != "block")
"""Targets of Fig. 14 and of the comparisons: all but the block, which no hand can close round."""
STARTS = {
    "same": "the same start: one exact turn from where the joint began to bend",
    "run": "whole runs: each has its own approach and its own earlier joints",
}
"""What a joint that bends by radar is compared with."""


@dataclass(frozen=True, slots=True)
class GraspFrame:
    """One frame of Fig. 16."""

    target: str
    hands: int
    method: str
    pixels: int
    frame: int
    phases: tuple[str, ...]
    detections: int
    contacts: int
    depth: float
    """Deepest penetration as a share of the hand's size."""
    seconds: float
    """Its time in the fastest round."""
    slowest: float
    """Its time in the slowest round."""


@dataclass(frozen=True, slots=True)
class TargetResult:
    """One target of Fig. 14, by one method."""

    target: str
    method: str
    pixels: int
    finished: bool
    """False if frames ran out before every joint had ended."""
    frames: int
    detections: int
    most: int
    """Most detections in a frame."""
    contacts: int
    apart: float
    """Widest separation of the contacts, as a share of the hand's size."""
    on_target: int
    """Joints that stopped because a link they move met the target."""
    on_link: int
    """Joints that stopped at a link, of this hand or another."""
    at_limit: int
    depth: float
    """Deepest penetration of any frame, as a share of the hand's size."""
    mean: float
    """Mean time of a frame [s]."""
    slowest: float
    """Time of the worst frame, each frame in its fastest round [s]."""


@dataclass(frozen=True, slots=True)
class JointError:
    """One joint: its final angle by radar and by the exact turn [radians]."""

    start: str
    target: str
    pixels: int
    joint: str
    exact: float
    radar: float
    pixel: float
    """A pixel's angle: its size over the lever arm [radians]."""
    end: str
    """Why it stopped, by radar: "contact", "link" or "limit"."""

    @property
    def error(self) -> float:
        """Radar less exact [radians]; below 0 it stopped early."""
        return self.radar - self.exact

    @property
    def in_pixels(self) -> float:
        """The same in pixels' angles."""
        return self.error / self.pixel


@dataclass(frozen=True, slots=True)
class Spread:
    """Errors at one pixel count. Angles are sizes [radians]."""

    start: str
    pixels: int
    joints: int
    within: int
    """Joints that end within a pixel's angle of exact."""
    early: int
    """Joints that end earlier than that."""
    late: int
    median: float
    p95: float
    worst: float
    pixel: float
    """Median of a pixel's angle."""
    worst_in_pixels: float


def method_name(row: GraspFrame) -> str:
    """Return the method of a row in words."""
    return f"radars of {row.pixels} x {row.pixels} pixels" if row.method == "radar" else "exact turns"


# ---- the measurements


def finish(settings: GraspSettings) -> tuple[Grasp, GraspOutcome]:
    """Run a grasp to its end."""
    grasp = Grasp(settings)
    with without_gc_pauses():
        while not grasp.ended:
            grasp.step()
    return grasp, grasp.outcome()


def measure_frames(
    say: Say, target: str = "star", hands: int = HANDS, pixels: int = PIXELS, rounds: int = 5, frames: int = 600
) -> list[GraspFrame]:
    """Run Fig. 16: several hands on one target at once, by both methods."""
    rows = []
    for method in METHODS:
        settings = GraspSettings(target, hands, method, pixels, frames=frames)
        say(f"Fig. 16: {hands} hands on a {target}, {method} ...")
        outcomes = [finish(settings)[1] for _ in range(rounds)]
        check_equal(outcomes, f"{hands} hands on a {target}, {method}")
        for records in zip(*(outcome.frames for outcome in outcomes), strict=True):
            one, times = records[0], [record.seconds for record in records]
            depth = one.penetration / outcomes[0].hand_size
            counts = (one.detections, one.contacts)
            rows.append(
                GraspFrame(target, hands, method, pixels, one.frame, one.phases, *counts, depth, min(times), max(times)),
            )
    return rows


def measure_normal(scene: Scene, repeats: int = 10) -> float:
    """Return the time of a normal drawing of hands and target [s], seen whole and level, at 640 x 480 on one core."""
    return time_normal(scene, whole_view(scene), repeats)


def whole_view(scene: Scene) -> View:
    """Return a level view of all bodies that fits a picture of 640 x 480."""
    bounds = np.array([body.bounds for body in scene])
    low, high = bounds[:, 0].min(axis=0), bounds[:, 1].max(axis=0)
    wide, deep, tall = (high - low).tolist()
    tall = max(tall, 0.75 * wide)
    eye = (0.5 * (low[0] + high[0]), low[1] - 0.01 * deep, 0.5 * (low[2] + high[2]))
    return View(eye, (0.0, 1.0, 0.0), width=tall / 0.75, height=tall, depth=1.02 * deep)


def measure_targets(
    say: Say, targets: Sequence[str] | None = None, pixels: int = PIXELS, rounds: int = 2, frames: int = 600
) -> list[TargetResult]:
    """Run Fig. 14: one hand on every target, by both methods."""
    rows = []
    for target in TARGETS_HELD if targets is None else targets:
        say(f"Fig. 14: {target} ...")
        for method in METHODS:
            settings = GraspSettings(target, 1, method, pixels, frames=frames)
            runs = [finish(settings) for _ in range(rounds)]
            outcomes = [outcome for _, outcome in runs]
            check_equal(outcomes, f"{target}, {method}")
            rows.append(_target(runs[0][0], outcomes))
    return rows


def _target(grasp: Grasp, outcomes: Sequence[GraspOutcome]) -> TargetResult:
    one, size = outcomes[0], outcomes[0].hand_size
    settings = grasp.settings
    ends = Counter(end for each in one.ends for end in each.values())
    times = np.array([[record.seconds for record in outcome.frames] for outcome in outcomes]).min(axis=0)
    detections = [record.detections for record in one.frames]
    return TargetResult(
        target=settings.target,
        method=settings.method,
        pixels=settings.pixels,
        finished=all(phase == "done" for phase in grasp.phases),
        frames=len(one.frames),
        detections=sum(detections),
        most=max(detections),
        contacts=len(one.contacts),
        apart=max((abs(contact.separation) for contact in one.contacts), default=0.0) / size,
        on_target=ends["contact"],
        on_link=ends["link"],
        at_limit=ends["limit"],
        depth=one.max_penetration / size,
        mean=float(times.mean()),
        slowest=float(times.max()),
    )


def check_equal(outcomes: Sequence[GraspOutcome], what: str) -> None:
    """Raise if rounds differ: their times would measure different work."""
    if any(outcome.joints != outcomes[0].joints or len(outcome.frames) != len(outcomes[0].frames) for outcome in outcomes):
        raise SweepscopeError(f"{what}: the same settings gave different runs")


def measure_errors(
    say: Say, targets: Sequence[str] | None = None, counts: Sequence[int] = COUNTS, frames: int = 600
) -> list[JointError]:
    """Run one hand on every target that keeps its shape, and compare where each joint ends by radar and exactly.

    If a joint bends in several rounds, the first one counts: it goes farthest.
    """
    rows = []
    for target in TARGETS_HELD if targets is None else targets:
        if TARGETS[target]().changes is not None:
            continue
        say(f"radar against exact: {target} ...")
        for pixels in counts:
            # The view decides how a hand faces the target, so both methods use the same pixels.
            exact = finish(GraspSettings(target, pixels=pixels, frames=frames))[1].joints[0]
            grasp, outcome = finish(GraspSettings(target, method="radar", pixels=pixels, frames=frames))
            joints, ends = outcome.joints[0], outcome.ends[0]
            for joint, stop in {stop.joint: stop for stop in reversed(grasp.stops)}.items():
                head = (target, pixels, joint)
                rows.append(JointError("same", *head, stop.exact, stop.value, stop.pixel, stop.why))
                rows.append(JointError("run", *head, exact[joint], joints[joint], stop.pixel, ends[joint]))
    return rows


# ---- results


def spreads(rows: Sequence[JointError]) -> list[Spread]:
    """Return the errors' spread by start and pixel count."""
    found = []
    for start, pixels in dict.fromkeys((row.start, row.pixels) for row in rows):
        mine = [row for row in rows if (row.start, row.pixels) == (start, pixels)]
        sizes = np.abs([row.error for row in mine])
        shares = np.array([row.in_pixels for row in mine])
        found.append(
            Spread(
                *(start, pixels, len(mine)),
                within=int(np.count_nonzero(np.abs(shares) <= 1.0)),
                early=int(np.count_nonzero(shares < -1.0)),
                late=int(np.count_nonzero(shares > 1.0)),
                median=float(np.median(sizes)),
                p95=float(np.percentile(sizes, 95.0)),
                worst=float(sizes.max()),
                pixel=float(np.median([row.pixel for row in mine])),
                worst_in_pixels=float(np.abs(shares).max()),
            )
        )
    return sorted(found, key=lambda row: (list(STARTS).index(row.start), row.pixels))


def order(rows: Sequence[Spread], start: str) -> float:
    """Return the power of the pixel size by which the median error falls; NaN with only one pixel count."""
    mine = [row for row in rows if row.start == start and row.median > 0.0]
    if len(mine) < 2:
        return float("nan")
    return float(-np.polyfit(np.log([row.pixels for row in mine]), np.log([row.median for row in mine]), 1)[0])


def plain(row: GraspFrame | TargetResult | JointError | Spread) -> dict[str, object]:
    """Return a row as plain data: times in milliseconds, angles in degrees."""
    data = asdict(row)
    for name in ("seconds", "slowest", "mean"):
        if name in data:
            data[f"{name} [ms]"] = 1e3 * data.pop(name)
    for name in ("exact", "radar", "pixel", "median", "p95", "worst"):
        if name in data:
            data[f"{name} [degrees]"] = float(np.degrees(data.pop(name)))
    if isinstance(row, GraspFrame):
        data["phases"] = " ".join(row.phases)
    if isinstance(row, JointError):
        data |= {"error [degrees]": float(np.degrees(row.error)), "error [pixels]": row.in_pixels}
    return data
