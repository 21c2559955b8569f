"""Answers as text, in HTML. Names come from files, so they are escaped."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from pprint import pformat
from typing import Any

from ..motion import Motion, Rotate, Screw, Translate
from ..results import Hit, LinkHit, OverlapResult, PairContact, RadarReading
from ..world.body import Body, entry_of
from .colors import CONTACT, MOTION, Rgb, body_color, hexadecimal

MOST = 30
"""Rows of a list."""


def numbers(values: Iterable[float], digits: int = 4) -> str:
    """Return numbers as a text."""
    return " ".join(f"{value:.{digits}g}" if abs(value) > 1e-12 else "0" for value in values)


def amount(motion: Motion, share: float) -> str:
    """Return the size of a share of a motion, as a text."""
    size = share * motion.length
    return f"{math.degrees(size):.6g}\N{DEGREE SIGN}" if motion.turns else f"{size:.6g}"


def chip(body: Body, *, lit: bool = False, mover: bool = False) -> str:
    """Return a body's name after a square of the color that it is drawn in: see `body_color`."""
    square = f'<span style="color:{hexadecimal(body_color(body.id, lit=lit, mover=mover))}">\N{BLACK SQUARE}</span>'
    return f"{square} <span>{html.escape(body.name)}</span>"


def table(title: str, color: Rgb, rows: Sequence[tuple[str, str]]) -> str:
    """Return a title and a table of two columns. The title is a text; cells are HTML."""
    cells = "".join(
        f'<tr><td style="padding-right:.8em;opacity:.7;vertical-align:top">{html.escape(name)}</td>'
        f'<td style="overflow-wrap:anywhere">{value}</td></tr>'
        for name, value in rows
    )
    head = (
        f'<div style="border-left:4px solid {hexadecimal(color)};padding-left:.5em;font-weight:600">{html.escape(title)}</div>'
    )
    return f'<div style="font-size:.8rem;padding:.4em .5em">{head}<table style="margin-top:.3em">{cells}</table></div>'


def problem(text: str) -> str:
    """Return why there is no answer."""
    return table("no answer", CONTACT, [("", html.escape(text))])


def answer(hit: Hit | None, motion: Motion) -> str:
    """Return the answer of a sweep."""
    if hit is None:
        return table("free", MOTION, [("travel", f"the whole motion, {amount(motion, 1.0)}")])
    inside = hit.features[0].kind == "none"
    rows = [("hits", chip(hit.obstacle, lit=True))]
    if len(hit.movers) > 1:
        rows += [("mover", chip(hit.mover, mover=True)), ("", f"one of {len(hit.movers)} that move")]
    if hit.overlapping:
        rows.append(("", "one is inside the other" if inside else "they overlap at the start"))
    rows += [("travel", f"{amount(motion, hit.time)} of {amount(motion, 1.0)}"), ("time", f"{hit.time:.6g}")]
    return table("hit", CONTACT, rows + _where(hit))


def path_answer(hit: LinkHit) -> str:
    """Return where several joints that move at once stop."""
    rows = [("link", html.escape(contact_pair(hit))), ("time", f"{hit.time:.6g}")]
    rows += [(name, f"{value:.6g}") for name, value in hit.positions.items()]
    return table("stopped by contact", CONTACT, rows + _where(hit))


def _where(hit: Hit) -> list[tuple[str, str]]:
    rows = [("point", numbers(hit.point))]
    if hit.features[0].kind != "none":
        rows += [("normal", numbers(hit.normal)), ("touching", " on ".join(feature.kind for feature in hit.features))]
    return rows


def contact_pair(hit: LinkHit) -> str:
    """Return which link of a robot meets what, as a text."""
    other = hit.obstacle.name if hit.obstacle_link is None else f"its own {hit.obstacle_link}"
    return f"{hit.link} {'overlaps' if hit.overlapping else 'meets'} {other}"


def joint_answer(hit: LinkHit | None, joint: str, value: float) -> str:
    """Return what a joint did."""
    moved = [("joint", html.escape(joint)), ("value", f"{value:.6g}")]
    if hit is None:
        return table("free", MOTION, moved)
    return table("stopped by contact", CONTACT, [*moved, ("link", html.escape(contact_pair(hit))), *_where(hit)])


def reading_answer(reading: RadarReading) -> str:
    """Return what a radar read."""
    motion = reading.motion
    if not reading.hit:
        return table("radar: free", MOTION, [("travel", amount(motion, 1.0))])
    names = ", ".join(chip(body, lit=True) for body in reading.obstacles) or "no body"
    return table("radar: contact", CONTACT, [("meets", names), ("travel", amount(motion, reading.time))])


def overlap_answer(found: OverlapResult, names: tuple[str, str]) -> str:
    """Return what two volumes share."""
    title = f"{names[0]} and {names[1]}"
    if not found:
        return table("free", MOTION, [("volumes", html.escape(title))])
    low, high = found.region.tolist()
    span = ", ".join(f"{i}..{j - 1}" for i, j in zip(low, high, strict=True))
    rows = [("volumes", html.escape(title)), ("voxels", f"{found.count:,} of the first"), ("region", span)]
    return table("overlap", CONTACT, [*rows, ("center", numbers(found.center)), ("normal", numbers(found.normal))])


def meetings_answer(meetings: Sequence[PairContact], time: float) -> str:
    """Return who meets whom, soonest first. time: from now, where the bodies are drawn."""
    lit = {body for meeting in meetings if meeting.time <= time for body in meeting.bodies}
    rows = [
        (
            f"{meeting.time:.4g}",
            f"{chip(meeting.first, lit=meeting.first in lit)} {'overlaps' if meeting.overlapping else 'meets'} "
            f"{chip(meeting.second, lit=meeting.second in lit)}",
        )
        for meeting in meetings[:MOST]
    ]
    if len(meetings) > MOST:
        rows.append(("", f"and {len(meetings) - MOST} more"))
    return table(f"{len(meetings)} contacts, by time from now", CONTACT if meetings else MOTION, rows)


def code(text: str) -> str:
    """Return lines of code, with a button that copies them."""
    copy = "navigator.clipboard.writeText(this.previousElementSibling.textContent);this.textContent='Copied'"
    return (
        f'<pre style="font-size:.75rem;overflow-x:auto;padding:.6em;border:1px solid #8884">{html.escape(text)}</pre>'
        f'<button onclick="{copy}" style="padding:.2em .8em">Copy</button>'
    )


def python(movers: Sequence[Body], motion: Motion, margin: float, resting: str, *, everything: bool = False) -> str:
    """Return the lines of Python that ask this question. Numbers are exact, so the answer is the same to the bit.

    everything: whether it asks for everything on the way.
    """
    made = {
        Translate: lambda m: f"ss.Translate({_exact(m.vector)})",
        Rotate: lambda m: f"ss.Rotate({_exact(m.axis)}, {m.angle!r}, about={_exact(m.about)})",
        Screw: lambda m: f"ss.Screw({_exact(m.axis)}, {m.angle!r}, slide={m.slide!r}, about={_exact(m.about)})",
    }[type(motion)](motion)
    options = (f", margin={margin!r}" if margin else "") + (f", resting={resting!r}" if resting != "free" else "")
    name, call = ("found", "sweep_all") if everything else ("hit", "sweep")
    bodies = ", ".join(f"scene[{mover.name!r}]" for mover in movers)
    poses = "".join(
        f"scene[{mover.name!r}].pose = {pformat(mover.pose.tolist(), width=100)}\n"
        for mover in movers
        if not entry_of(mover).holder  # links are where their joints put them
    )
    return (
        "import sweepscope as ss\n\n"
        "# scene: the scene on the page\n"
        f"{poses}"
        f"motion = {made}\n"
        f"{name} = scene.{call}({bodies if len(movers) == 1 else f'[{bodies}]'}, motion{options})\n"
        f"print({name})\n"
    )


def _exact(values: Any) -> str:
    return repr(tuple(float(value) for value in values))
