"""Fans as broad phase: which of a thousand spinning blades will meet, by boxes of the whole sweep alone and with fans.

Answers are compared first, pair by pair. What differs is how many pairs take an exact test, and the time of the whole.
"""

from __future__ import annotations

from collections.abc import Callable

from ..errors import SweepscopeError
from ..predict import Effort, foresee
from ..results import Meeting
from ..scenes.spinning import spinning_blades
from .rows import Row, best

_BLADES = 1000
_SIDE = 30.0
_HORIZONS = (10.0, 30.0, 100.0)  # frames
_FASTEST = 0.1  # radians a frame
_CLOSE = 1e-9  # how well both must agree [frames]


def _same(one: list[Meeting], two: list[Meeting]) -> None:
    """Raise if two predictions differ."""
    times = {(meeting.first.id, meeting.second.id): meeting.frames for meeting in two}
    for meeting in one:
        other = times.pop((meeting.first.id, meeting.second.id), None)
        if other is None or abs(other - meeting.frames) > _CLOSE * max(1.0, other):
            raise SweepscopeError(f"{meeting!r} with fans, {other} frames with boxes alone")
    if times:
        raise SweepscopeError(f"{len(times)} meetings with boxes alone that fans do not find")


def _note(meetings: list[Meeting], effort: Effort) -> str:
    ratio = effort.boxed / max(1, effort.tested)
    return (
        f"{effort.boxed:,} pairs after boxes, {effort.tested:,} after fans: {ratio:.1f} x fewer exact tests; "
        f"{len(meetings):,} of them meet; the same answers"
    )


def measure(repeats: int, say: Callable[[str], object]) -> list[Row]:
    """Run everything and return the rows, saying what is going on."""
    rows = []
    for horizon in _HORIZONS:
        say(f"{_BLADES:,} blades, {horizon:g} frames ...")
        scene, spins = spinning_blades(_BLADES, side=_SIDE, fastest=_FASTEST)
        meetings, effort = foresee(scene, spins, horizon)
        plain, _ = foresee(scene, spins, horizon, fans=False)
        _same(meetings, plain)
        with_fans = best(lambda: foresee(scene, spins, horizon), 5 * repeats)  # noqa: B023
        without = best(lambda: foresee(scene, spins, horizon, fans=False), 5 * repeats)  # noqa: B023
        work = f"{_BLADES:,} spinning boxes, {horizon:g} frames of at most {_FASTEST:g} radians"
        rows.append(Row(work, with_fans, "3 x fewer tests, 1 x", {"boxes alone": without}, _note(meetings, effort)))
    return rows
