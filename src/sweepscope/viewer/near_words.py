"""Distances, overlaps, contacts, rays and everything on the way as text, in HTML: see `words`.

chip: returns a body's name in HTML, after a square of its color: `Bodies.chip`.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Sequence

from ..motion import Motion
from ..results import ContactPatch, Contacts, PairDistance, RayHits, SweepAllResult
from ..scene import Scene
from ..world.body import Body
from .colors import CONTACT, MOTION
from .words import MOST, amount, numbers, table

Chip = Callable[[Body], str]


def length(value: float) -> str:
    """Return a length as a text."""
    return f"{value:.5g}"


def relation(pair: PairDistance) -> str:
    """Return how the first body of a pair is to the second, as a text."""
    if pair.kind == "inside":
        return "inside" if pair.inner == pair.first else "contains"
    return {"crossing": "crosses", "duplicate": "coincides with", "touching": "touches"}.get(
        pair.kind, f"{length(pair.distance)} from"
    )


def nearest_answer(pairs: Sequence[PairDistance], limit: float, chip: Chip) -> str:
    """Return which bodies are nearest to the first body of each pair, and where the nearest is."""
    if not pairs:
        return table("nearest bodies", MOTION, [("", f"none within {length(limit)}")])
    rows = [(length(pair.distance) if pair.kind == "apart" else relation(pair), chip(pair.second)) for pair in pairs]
    nearest = pairs[0]
    if nearest.features[0].kind != "none":
        points = (nearest.first_point,) if nearest.kind == "crossing" else (nearest.first_point, nearest.second_point)
        rows.append(("points", "<br>".join(numbers(point) for point in points)))
        rows.append(("", " to ".join(feature.kind for feature in nearest.features)))
    return table("nearest bodies", MOTION if nearest.kind == "apart" else CONTACT, rows)


def contacts_answer(contacts: Contacts, margin: float, chip: Chip) -> str:
    """Return where a body touches others, patch by patch."""
    if not contacts:
        return table("contacts", MOTION, [("", f"none within {length(margin)}" if margin else "none")])
    rows = [(_gap(patch), f"{chip(patch.other)}, {len(patch)} at {numbers(patch.points[0])}") for patch in contacts.patches]
    points = f"{len(contacts)} contact{'s' if len(contacts) > 1 else ''}"
    return table(points, CONTACT, _shortened(rows))


def _gap(patch: ContactPatch) -> str:
    if math.isnan(patch.gap):
        return "overlaps"
    return f"{length(-patch.gap)} deep" if patch.overlapping else f"gap {length(patch.gap)}"


def overlaps_answer(pairs: Sequence[PairDistance], limit: float, chip: Chip) -> str:
    """Return which bodies overlap or are near each other, pair by pair."""
    count = sum(pair.overlapping for pair in pairs)
    title = f"{count} {'pair overlaps' if count == 1 else 'pairs overlap'}"
    if len(pairs) > count:
        title += f", {len(pairs) - count} near"
    rows = [(str(k + 1), f"{chip(pair.first)} {relation(pair)} {chip(pair.second)}") for k, pair in enumerate(pairs)]
    if not pairs:
        rows = [("", f"no two bodies overlap, touch or are within {length(limit)}")]
    return table(title, CONTACT if count else MOTION, _shortened(rows))


def ray_answer(crossings: RayHits, scene: Scene, chip: Chip) -> str:
    """Return what a ray meets: the first face in detail, then where it meets others."""
    if not len(crossings):
        return table("ray", MOTION, [("", "it meets nothing")])
    first = crossings[0]
    rows = [
        ("meets", chip(scene[int(first.body)])),
        ("distance", length(float(first.distance))),
        ("point", numbers(first.point)),
        ("normal", numbers(first.normal)),
        ("voxel" if math.isnan(first.barycentric[0]) else "face", str(int(first.face))),
    ]
    places = zip(map(length, crossings.distance.tolist()), crossings.body.tolist(), strict=True)
    later = [(far, chip(scene[body])) for far, body in dict.fromkeys(places)][1:]  # faces that meet in an edge: once
    return table("ray", CONTACT, rows) + (table("goes on to", MOTION, _shortened(later)) if later else "")


def passages_answer(found: SweepAllResult, motion: Motion, chip: Chip) -> str:
    """Return which bodies are met on the way, and when each is left."""
    rows = []
    for passage in found:
        start = "start" if passage.hit.overlapping else amount(motion, passage.hit.time)
        end = f"until {amount(motion, passage.left_time)}" if math.isfinite(passage.left_time) else "not left"
        rows.append((html.escape(start), f"{chip(passage.obstacle)} <span>{end}</span>"))
    count = len(found)
    title = f"{count} {'body' if count == 1 else 'bodies'} on the way"
    return table(title, CONTACT if count else MOTION, _shortened(rows))


def _shortened(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the first rows of a list, and how many there are more."""
    return rows if len(rows) <= MOST else [*rows[:MOST], ("", f"and {len(rows) - MOST} more")]
