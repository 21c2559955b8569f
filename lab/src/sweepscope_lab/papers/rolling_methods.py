"""The methods that read a turn of a rolling body: straight radars of many kinds, one angular radar, the exact sweep."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import Rotate
from sweepscope.radar import Radar

from ..simulate.foresight import SMALL, read_ahead, turn_and_back, turn_until
from ..simulate.roll import Roll
from ..simulate.straight_radars import PLACEMENTS, RULES, StraightRadars

STEP, LIMIT = 0.02, 0.01
"""Step and detection limit in steps [radians]. The paper has no numbers; halving both took a fifth off the errors at most."""
RIM = 0.02
"""Share of the size: straight radars read nothing nearer to the axis. The paper has no such rim."""
WAYS = {"look": "one look", "steps": "in steps", "back": "turned back"}
"""One look at the whole turn; a look at each small step until contact is within the detection limit, as in the paper; steps of
`SMALL`, turned back where they overlap."""

Read = Callable[[Rotate], tuple[float, NDArray[np.float64]]]


@dataclass(frozen=True, slots=True)
class StraightMethod:
    """How straight radars read a turn."""

    rule: str
    way: str
    """One of WAYS."""
    radars: int = 2
    placement: str = "around"
    behind: str = "skip"
    rim: float = RIM
    """[sizes]"""


TWO_RADARS: dict[str, StraightMethod] = {
    **{f"{rule}, in steps": StraightMethod(rule, "steps") for rule in ("row", "subtended")},
    "literal": StraightMethod("row", "steps", behind="hit", rim=0.0),
    **{rule: StraightMethod(rule, "look") for rule in RULES},
}
"""Two radars: in the paper's small steps, with the paper's S < D and without a rim too, and by each rule in one look."""
RADARS = (2, 3, 4, 6)
"""How many straight radars are compared."""
MORE_RADARS: dict[str, StraightMethod] = {
    f"{count} {placement}, {words}": StraightMethod("subtended", way, count, placement)
    for way, words in WAYS.items()
    for placement in PLACEMENTS
    for count in RADARS
}
"""The paper's open problem: several numbers and placements."""
METHODS = (*TWO_RADARS, "angular", "exact")
"""Two radars, one angular radar, and the exact sweep, which is the truth of all."""
NAMES = {
    "row, in steps": "two radars, row, in steps",
    "subtended, in steps": "two radars, subtended, in steps",
    "literal": "two radars, literal",
    **{rule: f"two radars, {rule}, one look" for rule in RULES},
    "angular": "angular radar",
    "exact": "exact sweep",
}
"""Those in words."""


def reader(roll: Roll, method: str, pixels: int, rim: float | None = None) -> Read:
    """Return a function that reads a turn: angle to contact, NaN if it sees none, and the contact point.

    rim [sizes]: straight radars read nothing nearer to the axis; None: as the method has it.
    """
    nothing = math.nan, np.full(3, np.nan)
    if method == "exact":

        def exact(motion: Rotate) -> tuple[float, NDArray[np.float64]]:
            hit = roll.scene.sweep(roll.body, motion)
            return nothing if hit is None else (hit.travel, hit.point)

        return exact
    if method == "angular":

        def angular(motion: Rotate) -> tuple[float, NDArray[np.float64]]:
            found = read_ahead(Radar(roll.scene, roll.body, pixels=pixels), motion)
            return nothing if found is None else found[:2]

        return angular
    how = {**TWO_RADARS, **MORE_RADARS}[method]
    radars = StraightRadars(
        roll.scene,
        roll.body,
        pixels,
        count=how.radars,
        placement=how.placement,
        rule=how.rule,
        rim=(how.rim if rim is None else rim) * roll.size,
        behind="overlap" if how.way == "back" else how.behind,
    )

    def looked(motion: Rotate) -> tuple[float, NDArray[np.float64]]:
        reading = radars.probe(motion)
        return (reading.angle, reading.point) if reading.hit else nothing

    def walked(motion: Rotate) -> tuple[float, NDArray[np.float64]]:
        turned, reading, _ = turn_until(radars, motion, LIMIT, STEP)
        return nothing if reading is None else (turned + reading.angle, reading.point)

    def returned(motion: Rotate) -> tuple[float, NDArray[np.float64]]:
        turned, reading, _ = turn_and_back(radars, motion, LIMIT, SMALL)
        return nothing if reading is None else (turned, reading.point)

    return {"look": looked, "steps": walked, "back": returned}[how.way]
