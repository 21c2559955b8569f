"""Fans as broad phase: which of a thousand turning blades will meet, with boxes of the whole sweep alone and with fans.

Answers are compared first, pair by pair. Then we count the pairs that need an exact test, and time the whole call.
"""

from __future__ import annotations

from collections.abc import Callable

from sweepscope import PairContact, SweepscopeError
from sweepscope.queries.predict import Effort, predict_with_stats
from sweepscope.scene import store_of

from ..scenes.spinning import spinning_blades
from .rows import Row, best

_BLADES = 1000
_SIDE = 30.0
_HORIZONS = (10.0, 30.0, 100.0)  # frames
_FASTEST = 0.1  # radians a frame
_CLOSE = 1e-9  # largest accepted difference [relative]


def _check_equal(with_fans: list[PairContact], boxes_alone: list[PairContact]) -> None:
    """Raise if two predictions differ."""
    times = {(meeting.first.id, meeting.second.id): meeting.time for meeting in boxes_alone}
    for meeting in with_fans:
        other = times.pop((meeting.first.id, meeting.second.id), None)
        if other is None or abs(other - meeting.time) > _CLOSE * max(1.0, other):
            raise SweepscopeError(f"{meeting!r} with fans, {other} frames with boxes alone")
    if times:
        raise SweepscopeError(f"fans miss {len(times)} meetings that boxes alone find")


def _note(meetings: list[PairContact], effort: Effort) -> str:
    ratio = effort.after_boxes / max(1, effort.tested)
    return (
        f"{effort.after_boxes:,} pairs after boxes, {effort.tested:,} after fans: {ratio:.1f} x fewer exact tests; "
        f"{len(meetings):,} of them meet; the same answers"
    )


def measure(repeats: int, say: Callable[[str], object]) -> list[Row]:
    """Run everything and return the rows; `say` gets a line of text as work proceeds."""
    rows = []
    for horizon in _HORIZONS:
        say(f"{_BLADES:,} blades, {horizon:g} frames ...")
        scene, motions = spinning_blades(_BLADES, side=_SIDE, fastest=_FASTEST)
        meetings, effort = predict_with_stats(store_of(scene), motions, horizon)
        plain, _ = predict_with_stats(store_of(scene), motions, horizon, fans=False)
        _check_equal(meetings, plain)
        with_fans = best(lambda: predict_with_stats(store_of(scene), motions, horizon), 5 * repeats)  # noqa: B023
        without = best(lambda: predict_with_stats(store_of(scene), motions, horizon, fans=False), 5 * repeats)  # noqa: B023
        work = f"{_BLADES:,} spinning boxes, {horizon:g} frames of at most {_FASTEST:g} radians"
        rows.append(Row(work, with_fans, "3 x fewer tests, 1 x", {"boxes alone": without}, _note(meetings, effort)))
    return rows
