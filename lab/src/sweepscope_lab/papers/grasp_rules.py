"""Two rules of bending a joint by radars: the paper's (Yamachi & Shindo 2002, 4.4) and ours, beside exact turns.

Each joint that a radar stops is compared with an exact turn from the same start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from ..scenes.targets import TARGETS
from ..simulate.grasp import Grasp, GraspOutcome, GraspSettings
from .grasp import PIXELS, TARGETS_HELD, Say, check_equal, finish

OVERSHOT = np.radians(0.01)
"""A joint that ends farther than this beyond an exact turn [radians] has overshot."""


@dataclass(frozen=True, slots=True)
class RuleResult:
    """One hand on several targets by one way to bend joints: exact turns, or radars and a rule."""

    rule: str
    """"exact", or one of `RULES` of radars."""
    hand: str
    pixels: int
    targets: int
    held: int
    """Grasps that hold: two links or more touch the target."""
    finished: int
    joints: int
    """Stops of joints that are compared with an exact turn from the same start; 0 for exact turns."""
    overshot: int
    """Of those, joints that end beyond it by more than `OVERSHOT`."""
    late: int
    """Of those, joints that end beyond it by more than a pixel's angle."""
    early: int
    """Joints that end earlier by more than a pixel's angle."""
    median: float
    """Size of the error [radians]; NaN for exact turns."""
    p95: float
    worst: float
    depth: float
    """Deepest penetration of any frame, as a share of the hand's size."""
    frames: int
    mean: float
    """Mean time of a frame [s]."""
    slowest: float
    """Worst frame [s], each frame in its fastest round."""


RULE_NAMES = {
    "exact": "exact turns",
    "pixels": "radars, least angle of all pixels, 0.8 of it (ours)",
    "closest": "radars, angle at the closest point, all of it (4.4)",
}


def measure_rules(
    say: Say,
    targets: Sequence[str] | None = None,
    hand: str = "round",
    pixels: int = PIXELS,
    rounds: int = 2,
    frames: int = 600,
) -> list[RuleResult]:
    """Run one hand on targets that keep their shape, by exact turns and by both rules of radars."""
    names = [name for name in targets or TARGETS_HELD if TARGETS[name]().changes is None]
    rows = []
    for rule in RULE_NAMES:
        say(f"rules of bending: {rule} ...")
        method, known = ("exact", "pixels") if rule == "exact" else ("radar", rule)
        how = {name: GraspSettings(name, 1, method, pixels, frames=frames, hand=hand, rule=known) for name in names}
        runs = {name: [finish(settings) for _ in range(rounds)] for name, settings in how.items()}
        for name, mine in runs.items():
            check_equal([outcome for _, outcome in mine], f"{name}, {rule}")
        rows.append(_rule(rule, hand, pixels, list(runs.values())))
    return rows


def _rule(rule: str, hand: str, pixels: int, runs: Sequence[Sequence[tuple[Grasp, GraspOutcome]]]) -> RuleResult:
    firsts = [mine[0] for mine in runs]
    outcomes = [outcome for _, outcome in firsts]
    stops = [stop for grasp, _ in firsts for stop in grasp.stops]
    errors = np.array([stop.value - stop.exact for stop in stops])
    shares = errors / [stop.pixel for stop in stops]
    sizes = np.abs(errors) if stops else np.array([np.nan])
    times = np.concatenate(
        [np.array([[record.seconds for record in outcome.frames] for _, outcome in mine]).min(axis=0) for mine in runs]
    )
    return RuleResult(
        rule=rule,
        hand=hand,
        pixels=pixels,
        targets=len(runs),
        held=sum(all(outcome.held) for outcome in outcomes),
        finished=sum(outcome.finished for outcome in outcomes),
        joints=len(stops),
        overshot=int(np.count_nonzero(errors > OVERSHOT)),
        late=int(np.count_nonzero(shares > 1.0)),
        early=int(np.count_nonzero(shares < -1.0)),
        median=float(np.median(sizes)),
        p95=float(np.percentile(sizes, 95.0)),
        worst=float(sizes.max()),
        depth=max(outcome.max_penetration / outcome.hand_size for outcome in outcomes),
        frames=len(times),
        mean=float(times.mean()),
        slowest=float(times.max()),
    )


def plain(row: RuleResult) -> dict[str, object]:
    """Return a row as plain data: times in milliseconds, angles in degrees."""
    data = asdict(row)
    for name in ("slowest", "mean"):
        data[f"{name} [ms]"] = 1e3 * data.pop(name)
    for name in ("median", "p95", "worst"):
        data[f"{name} [degrees]"] = float(np.degrees(data.pop(name)))
    return data
