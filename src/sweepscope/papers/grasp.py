"""The first paper's application (Yamachi & Shindo 2002, Figs 9-16), run again: hands that grasp, by radars and by exact turns.

Fig. 16: five hands on one target, detections of every frame and what they took. Fig. 14: one hand on many targets. Beyond the
paper: how far from the exact angle a joint ends that bends by the paper's rule, at several pixel counts.

The same settings give the same run, so a run is made several times and every frame has its fastest and its slowest time. A
frame's time is that of its detections and motions; what is measured beside them (how deep, how far apart) is not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from ..errors import SweepscopeError
from ..scenes.targets import TARGETS
from ..simulate.grasp import Grasp, Outcome, Settings
from ..simulate.steady import steady

Say = Callable[[str], object]

METHODS = ("radar", "exact")
HANDS = 5
PIXELS = 50
PUBLISHED_RADARS = 52
"""Most radars at work in a frame of the paper."""
PUBLISHED_SECONDS = 0.203
"""Its worst frame, on the best machine of 2002."""
GOAL = 0.016
"""What the worst frame with as many detections must not take [s]."""
COUNTS = (25, 50, 100, 200)
"""Pixels along a side, at which radars are held against exact turns."""
STARTS = {
    "same": "the same start: one exact turn from where the joint began to bend",
    "run": "whole runs: each with its own approach, and all joints before",
}
"""What a joint that bends by radar is held against."""


@dataclass(frozen=True, slots=True)
class Frame:
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
    """Its time in the fastest of the rounds."""
    slowest: float
    """Its time in the slowest."""


@dataclass(frozen=True, slots=True)
class Target:
    """One target of Fig. 14, by one method."""

    target: str
    method: str
    pixels: int
    finished: bool
    """False if frames ran out before every joint had ended."""
    frames: int
    detections: int
    most: int
    """Detections in a frame, at most."""
    contacts: int
    apart: float
    """Widest separation of these, as a share of the hand's size."""
    on_target: int
    """Joints that ended because something they move met the target."""
    on_link: int
    """Those that ended on a link, own or of another hand."""
    at_limit: int
    depth: float
    """Deepest penetration of any frame, as a share of the hand's size."""
    mean: float
    """Time of a frame [s]."""
    slowest: float
    """That of the worst frame, in the fastest of the rounds [s]."""


@dataclass(frozen=True, slots=True)
class Error:
    """One joint: where it ends by radar, and exactly [radians]."""

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
    """How many end within a pixel's angle."""
    early: int
    """How many end more than that early."""
    late: int
    median: float
    p95: float
    worst: float
    pixel: float
    """A pixel's angle, median."""
    worst_in_pixels: float


def called(row: Frame) -> str:
    """Return a method in words."""
    return f"radars of {row.pixels} x {row.pixels} pixels" if row.method == "radar" else "exact turns"


# ---- the measurements


def finish(settings: Settings) -> tuple[Grasp, Outcome]:
    """Run to the end."""
    grasp = Grasp(settings)
    with steady():
        while not grasp.ended:
            grasp.step()
    return grasp, grasp.outcome()


def measure_frames(
    say: Say, target: str = "star", hands: int = HANDS, pixels: int = PIXELS, rounds: int = 5, frames: int = 600
) -> list[Frame]:
    """Run Fig. 16: several hands on one target at once, by both methods."""
    rows = []
    for method in METHODS:
        settings = Settings(target, hands, method, pixels, frames=frames)
        say(f"Fig. 16: {hands} hands on a {target}, {method} ...")
        outcomes = [finish(settings)[1] for _ in range(rounds)]
        _same(outcomes, f"{hands} hands on a {target}, {method}")
        for records in zip(*(outcome.frames for outcome in outcomes), strict=True):
            one, times = records[0], [record.seconds for record in records]
            depth = one.penetration / outcomes[0].hand_size
            counts = (one.detections, one.contacts)
            rows.append(
                Frame(target, hands, method, pixels, one.frame, one.phases, *counts, depth, min(times), max(times)),
            )
    return rows


def measure_targets(
    say: Say, targets: Sequence[str] | None = None, pixels: int = PIXELS, rounds: int = 2, frames: int = 600
) -> list[Target]:
    """Run Fig. 14: one hand on every target, by both methods."""
    rows = []
    for target in TARGETS if targets is None else targets:
        say(f"Fig. 14: {target} ...")
        for method in METHODS:
            settings = Settings(target, 1, method, pixels, frames=frames)
            runs = [finish(settings) for _ in range(rounds)]
            outcomes = [outcome for _, outcome in runs]
            _same(outcomes, f"{target}, {method}")
            rows.append(_target(runs[0][0], outcomes))
    return rows


def _target(grasp: Grasp, outcomes: Sequence[Outcome]) -> Target:
    one, size = outcomes[0], outcomes[0].hand_size
    settings = grasp.settings
    ends = Counter(end for each in one.ends for end in each.values())
    times = np.array([[record.seconds for record in outcome.frames] for outcome in outcomes]).min(axis=0)
    detections = [record.detections for record in one.frames]
    return Target(
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


def _same(outcomes: Sequence[Outcome], what: str) -> None:
    """Refuse rounds that went different ways: their times would be of different work."""
    if any(outcome.joints != outcomes[0].joints or len(outcome.frames) != len(outcomes[0].frames) for outcome in outcomes):
        raise SweepscopeError(f"{what}: the same settings gave different runs")


def measure_errors(
    say: Say, targets: Sequence[str] | None = None, counts: Sequence[int] = COUNTS, frames: int = 600
) -> list[Error]:
    """Run one hand on every target that keeps its shape, and compare where each joint ends by radar and exactly.

    Of a joint that bends in several rounds the first one counts: it goes farthest.
    """
    rows = []
    for target in TARGETS if targets is None else targets:
        if TARGETS[target]().changes is not None:
            continue
        say(f"radar against exact: {target} ...")
        for pixels in counts:
            # What a hand sees decides how it faces the target: both look through as many pixels.
            exact = finish(Settings(target, pixels=pixels, frames=frames))[1].joints[0]
            grasp, outcome = finish(Settings(target, method="radar", pixels=pixels, frames=frames))
            joints, ends = outcome.joints[0], outcome.ends[0]
            for joint, stop in {stop.joint: stop for stop in reversed(grasp.stops)}.items():
                head = (target, pixels, joint)
                rows.append(Error("same", *head, stop.exact, stop.value, stop.pixel, stop.why))
                rows.append(Error("run", *head, exact[joint], joints[joint], stop.pixel, ends[joint]))
    return rows


# ---- what comes of it


def spreads(rows: Sequence[Error]) -> list[Spread]:
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
    """Return the power of the pixel's size that the median error falls by; NaN of one pixel count only."""
    mine = [row for row in rows if row.start == start and row.median > 0.0]
    if len(mine) < 2:
        return float("nan")
    return float(-np.polyfit(np.log([row.pixels for row in mine]), np.log([row.median for row in mine]), 1)[0])


def plain(row: Frame | Target | Error | Spread) -> dict[str, object]:
    """Return a row as plain data: times in milliseconds, angles in degrees."""
    told = asdict(row)
    for name in ("seconds", "slowest", "mean"):
        if name in told:
            told[f"{name} [ms]"] = 1e3 * told.pop(name)
    for name in ("exact", "radar", "pixel", "median", "p95", "worst"):
        if name in told:
            told[f"{name} [degrees]"] = float(np.degrees(told.pop(name)))
    if isinstance(row, Frame):
        told["phases"] = " ".join(row.phases)
    if isinstance(row, Error):
        told |= {"error [degrees]": float(np.degrees(row.error)), "error [pixels]": row.in_pixels}
    return told
