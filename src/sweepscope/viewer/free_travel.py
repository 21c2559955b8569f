"""How far a joint can go, alone, in both directions; drawn as a bar."""

from __future__ import annotations

import html
from typing import NamedTuple

from ..results import LinkHit
from ..robot.robot import Robot
from . import words
from .colors import CONTACT, MOTION, hexadecimal

_HIGH = 12  # of a bar [pixels]
_POST = 4  # width of a contact, outside of free travel [pixels]
_BESIDE = "-.2em 3.9em .1em 7.5em"  # margins that put a bar below the track of viser's slider


class Travel(NamedTuple):
    """The free travel of a joint, in its unit."""

    value: float
    """Where the joint is."""
    ends: tuple[float, float]
    """Its range."""
    hits: tuple[LinkHit | None, LinkHit | None]
    """What stops it below and above; None: the end of its range."""
    free: tuple[float, float]
    """From where to where it can go."""


def free_travel(robot: Robot, joint: str, low: float, high: float) -> Travel:
    """Return how far a joint can go, alone, from its value now, within a range."""
    now = robot[joint]
    ends = min(low, now), max(high, now)
    below, above = (robot.sweep(joint, end) for end in ends)
    free = [end if hit is None else hit.positions[joint] for end, hit in zip(ends, (below, above), strict=True)]
    return Travel(now, ends, (below, above), (free[0], free[1]))


def bar(travel: Travel) -> str:
    """Return a bar as HTML: the range gray, free travel blue, contacts as vermilion posts, a line where the joint is."""
    low, high = travel.ends
    span = high - low or 1.0
    value, start, end = (f"{100.0 * (place - low) / span:.3f}%" for place in (travel.value, *travel.free))
    wide = f"{100.0 * (travel.free[1] - travel.free[0]) / span:.3f}%"
    posts = "".join(
        _at(place, f'<rect x="{beside}" width="{_POST}" height="{_HIGH}" fill="{hexadecimal(CONTACT)}"/>')
        for place, beside, hit in zip((start, end), (-_POST, 0), travel.hits, strict=True)
        if hit is not None
    )
    here = _at(value, f'<path d="M0 0v{_HIGH}" stroke="currentColor" stroke-width="2"/>')
    drawn = (
        f'<rect y="4" width="100%" height="{_HIGH - 8}" fill="currentColor" opacity=".25"/>'
        f'<rect x="{start}" y="3" width="{wide}" height="{_HIGH - 6}" fill="{hexadecimal(MOTION)}"/>'
        f"{posts}{here}"
    )
    ends = "".join(_end(place, hit) for place, hit in zip(travel.free, travel.hits, strict=True))
    svg = f'<svg width="100%" height="{_HIGH}" overflow="visible" role="img" aria-label="free travel" style="display:block">'
    return (
        f'<div style="padding:0 var(--mantine-spacing-xs) .6em"><div style="margin:{_BESIDE}">{svg}{drawn}</svg></div>'
        f'<div style="display:flex;justify-content:space-between;gap:1em;font-size:.7rem">{ends}</div></div>'
    )


def _at(place: str, drawn: str) -> str:
    """Return something drawn at a place along a bar."""
    return f'<svg x="{place}" overflow="visible">{drawn}</svg>'


def _end(place: float, hit: LinkHit | None) -> str:
    """Return one end of free travel as a text."""
    if hit is None:
        return f"<span>{words.numbers([place])} limit</span>"
    pair = html.escape(words.contact_pair(hit))
    cut = "overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-weight:600"
    return f'<span style="{cut}" title="{pair}">{words.numbers([place])} {pair}</span>'
