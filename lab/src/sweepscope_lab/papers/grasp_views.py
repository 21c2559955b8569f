"""The views of a hand that searches and approaches, at the paper's sizes (Yamachi & Shindo 2002, Figs. 9 to 11).

The paper's numbers: a wide view of 2000 x 2000 x 8000, a target of 300 x 500 x 800, a hand of 400 x 400 x 30, and a view of the
approach of 440 x 440 x 1000. With 50 x 50 pixels, one of 2000 is 40 wide: the hand's size read off the mask and one pixel are
the 440.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Scene, Translate, View
from sweepscope.drawing.arrangement import arrange
from sweepscope.drawing.camera import Camera, camera_along
from sweepscope.drawing.canvas import Canvas
from sweepscope.drawing.paint import paint
from sweepscope.drawing.palette import BODIES, Ink, Rgb
from sweepscope.drawing.picture import to_picture
from sweepscope.drawing.scopes import PictureSheet
from sweepscope.radar import RadarReading
from sweepscope.results import LookResult

from ..scenes.hand import thickness_of
from ..scenes.targets import TARGETS
from ..simulate.grasp_moves import Hand
from ..simulate.grasp_search import AIMS, WIDE, face, look, look_ahead, place_hands, size_view, turn_further, view_ahead

PIXELS = 50
_LEFT = 900.0  # from the hand to the target when its view is sized [length]
_MOST = 20  # looks of a search


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """What a hand sees on its way, at the paper's sizes."""

    scene: Scene
    target: Body
    hand: Hand
    wide: View
    """The view that found the target."""
    seen: LookResult
    """What it showed."""
    preset: RadarReading
    """Of the approach's radar in its first step, at the preset size."""
    sized: RadarReading
    """In its second, at the size read off the mask."""


def views(target: str = "block", form: str = "flat", seed: int = 0, pixels: int = PIXELS) -> Views:
    """Let a hand find a target, face it and go near, then size the view of its approach."""
    scene = Scene()
    ((name, shape, pose),) = TARGETS[target]().parts
    body = scene.add(shape, pose, name=name)
    hand = Hand(0, place_hands(scene, 1, seed, form)[0], AIMS[1])
    for _ in range(_MOST):
        place = look(hand, (body,), pixels, WIDE)
        if place is None:
            turn_further(hand)
            continue
        face(hand, place)
        hand.facing += 1
        if hand.facing == 2:
            break
    wide = view_ahead(hand, WIDE)
    seen = scene.look(wide, pixels, ignore=hand.robot.bodies)
    hit = scene.sweep(hand.robot.bodies, Translate(WIDE[2] * hand.ahead))
    assert hit is not None
    if hit.travel > _LEFT:
        hand.robot.pose = Translate((hit.travel - _LEFT) * hand.ahead).at() @ hand.robot.pose
    sized = size_view(hand, pixels)
    assert hand.radar is not None
    preset = type(hand.radar)(scene, hand.robot.bodies, pixels=pixels, max_size=WIDE[0]).probe(look_ahead(hand))
    return Views(scene, body, hand, wide, seen, preset, sized)


def sizes(found: Views) -> dict[str, tuple[float, float, float]]:
    """Return widths, heights and depths by name [length]: wide, target, hand, preset, sized."""
    low, high = found.target.bounds
    width, depth, height = (high - low).tolist()
    area = [reading.view for reading in (found.preset, found.sized)]
    return {
        "wide": (found.wide.width, found.wide.height, found.wide.depth),
        "target": (width, height, depth),
        "hand": (*_spread(found.hand), thickness_of(found.hand.robot)),
        **{
            name: (view.width, view.height, view.depth)
            for name, view in zip(("preset", "sized"), area, strict=True)
            if isinstance(view, View)
        },
    }


def _spread(hand: Hand) -> tuple[float, float]:
    """Return how wide and how long a hand is as it is now [length]."""
    pose = hand.robot.pose
    ends = []
    for body in hand.robot.bodies:
        places = (body.vertices @ body.pose[:3, :3].T + body.pose[:3, 3] - pose[:3, 3]) @ pose[:3, :2]
        ends += [places.min(axis=0) - body.shape.radius, places.max(axis=0) + body.shape.radius]
    wide, long = np.ptp(np.array(ends), axis=0).tolist()
    return wide, long


def draw_wide(found: Views, path: Path) -> None:
    """Draw the view volume of the search round hand and target (Fig. 9), and what it shows below."""
    columns, rows, title = 1100, 430, 40
    corners = found.wide.corners()
    camera = camera_along(found.wide.frame[0] * 0.9 + found.wide.frame[2] * 0.45 + (0.0, 0.0, -0.35), None, (columns, rows))
    camera = camera.around(corners, 0.04)
    colors = {body.id: BODIES[1] for body in found.hand.robot.bodies} | {found.target.id: BODIES[0]}
    painted = paint(arrange(found.scene), camera, colors, floor=float(corners[:, 2].min()))
    ink = Ink(dark=False)
    draw_box(Canvas(painted.image), camera, corners, ink.red)
    head = np.broadcast_to(ink.paper, (title, columns, 3)).astype(np.float32)
    words = {name: " x ".join(f"{size:g}" for size in three) for name, three in sizes(found).items()}
    text = f"view of the search {words['wide']}, target {words['target']} (blue), hand {words['hand']} (orange)"
    Canvas(head).text(14, 8, text, ink.text, large=True)
    below = found.seen.picture(size=(columns, 330)).pixels.astype(np.float32) / np.float32(255.0)
    to_picture(np.concatenate((head, painted.image, below)), path)


def draw_box(canvas: Canvas, camera: Camera, corners: NDArray[np.float64], color: Rgb) -> None:
    """Draw the edges of a box of eight corners: the bits of a corner's number say on which side of the box it is."""
    flat = camera.project(corners)
    for a, b in combinations(range(8), 2):
        if (a ^ b).bit_count() == 1:
            canvas.line(flat[a], flat[b], color, 1.6, 0.8)


def draw_masks(found: Views, path: Path) -> None:
    """Draw the mask at the preset size with the rows and columns that the hand covers, and at the size read off (Fig. 10)."""
    lead = found.preset.lead
    assert lead is not None
    preset, sized = (sizes(found)[name] for name in ("preset", "sized"))
    pixel = preset[0] / lead.shape[1]
    covered = np.isfinite(lead)
    rows, columns = (np.flatnonzero(covered.any(axis=axis)) for axis in (1, 0))
    counts = f"{len(columns)} x {len(rows)} of {lead.shape[1]} x {lead.shape[0]} pixels"
    wide, high = (len(each) * pixel for each in (columns, rows))
    notes = [
        f"Left: the mask in a view of the preset size, a pixel is {pixel:g} wide; the hand covers {counts}: "
        f"{wide:g} x {high:g}.",
        f"Right: that and one pixel, {sized[0]:g} x {sized[1]:g}; the view is {sized[2]:g} deep.",
    ]
    sheet = PictureSheet((1100, 520), False, 2, ["the hand's size, read off its mask"], notes)
    place = sheet.draw_depths(0, f"M, preset view {preset[0]:g} x {preset[1]:g}", _mask(found.preset), "length")
    left, top, scale = place
    box = left + scale * columns[0], top + scale * rows[0], left + scale * (columns[-1] + 1), top + scale * (rows[-1] + 1)
    outline = np.array(((box[0], box[1]), (box[2], box[1]), (box[2], box[3]), (box[0], box[3]), (box[0], box[1])))
    sheet.canvas.path(outline, sheet.ink.red, 2.0)
    sheet.draw_depths(1, f"M, view {sized[0]:g} x {sized[1]:g}", _mask(found.sized), "length")
    to_picture(sheet.canvas.image, path)


def _mask(reading: RadarReading) -> NDArray[np.float64]:
    return np.where(np.isnan(reading.lookat), np.nan, reading.mask)


def draw_scopes(found: Views, path: Path) -> None:
    """Draw mask, range, gaps and who is seen of the approach (Fig. 11)."""
    found.sized.picture(path)
