"""The table of two rules of bending."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..papers.grasp_rules import RULE_NAMES, RuleResult
from .result import BookTable
from .texts import ms

_RULES = (
    "The paper bends by the arctangent of the closest point's distance to the target over its distance from the axis. It does "
    "not say where its radars look, when a joint has ended, or how exact the angles are: those are ours, and the same for both "
    "rules."
)


def rules_sheet(rows: Sequence[RuleResult]) -> BookTable:
    """Return grasps that hold, joints that overshoot, errors and times by rule."""
    lines, ends = [], []
    for k, row in enumerate(rows):
        what = f"{row.targets} targets, {row.hand} hand" if row.targets > 1 else f"{row.hand} hand on the paper's block"
        found = (f"{row.overshot} of {row.joints}", str(row.late), str(row.early)) if row.joints else ("", "", "")
        angles = (math.degrees(angle) for angle in (row.median, row.p95, row.worst))
        lines.append(
            (
                *(what, RULE_NAMES[row.rule], f"{row.held} of {row.targets}", *found),
                *("" if math.isnan(angle) else f"{angle:.3f}" for angle in angles),
                *(f"{row.depth:.1e}", str(row.frames), ms(row.mean), ms(row.slowest)),
            )
        )
        if k + 1 == len(rows) or rows[k + 1].hand != row.hand:
            ends.append(k)
    return BookTable(
        f"two rules of bending: one hand, radars of {rows[0].pixels} x {rows[0].pixels} pixels; errors in degrees",
        (
            *("what", "rule", "hold", "overshoot", "late", "early"),
            *("median", "95 %", "worst", "deepest", "frames", "mean ms", "worst ms"),
        ),
        tuple(lines),
        ends=tuple(ends),
        notes=(
            "hold: grasps with two links or more on the target; overshoot: joints that end more than 0.01 degrees beyond an "
            "exact turn from the same start; late, early: by more than a pixel's angle",
            "median, 95 %, worst: size of the error; deepest: penetration in any frame, as a share of the hand's size",
        ),
        differs=_RULES,
    )
