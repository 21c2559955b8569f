"""Where hands start, and how each finds the target: turn until it is seen, then face it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Robot, Rotate, Scene, Sphere, Translate, View
from sweepscope.radar import Radar, RadarReading, RadarSet

from ..scenes.hand import HOLD, make_hand, thickness_of
from .grasp_moves import Hand

WIDE = (2000.0, 2000.0, 8000.0)
"""Width, height and depth of the search view [length], as in the paper."""
AIMS = {1: HOLD, 2: HOLD, 3: 110.0, 4: 160.0, 5: 160.0}
"""By number of hands: position along the hand, +y, of the point that it aims with [length]."""
DEEP = 1000.0
"""Depth of the view of an approach [length], as in the paper: how far it looks ahead, and the hand's thickness."""
_TURN = math.radians(20.0)  # turn of a search in a frame
_NEAREST, _FARTHEST = 900.0, 1500.0  # distance of hands from the target at the start
_UP = np.array((0.0, 0.0, 1.0))

# By number of hands, where each comes from: angle round the vertical, above the horizon, and roll about its direction of
# approach [degrees]. Without roll the fingers are level and the thumb is on top, as one takes a glass. Many hands come from
# above and below by turns, fingers up and fingers down, and aim with their fingers instead of their palms: so all have room.
_FROM = {
    1: ((0, 0, 0),),
    2: ((0, 0, 0), (180, 0, 0)),
    3: ((0, 30, 90), (120, -30, -90), (240, 30, 90)),
    4: ((0, 30, 90), (90, -30, -90), (180, 30, 90), (270, -30, -90)),
    5: ((0, 30, 90), (72, -30, -90), (144, 30, 90), (216, -30, -90), (288, 30, 90)),
}


def place_hands(scene: Scene, count: int, seed: int, form: str = "round") -> tuple[Robot, ...]:
    """Add hands round the origin to a scene, in random directions, far enough apart to turn freely."""
    rng = np.random.default_rng(seed)
    begin = rng.uniform(0.0, 2.0 * math.pi)
    hands = []
    for k, (round_, above, roll) in enumerate(_FROM[count]):
        azimuth, height = begin + math.radians(round_), math.radians(above)
        far = rng.uniform(_NEAREST, _FARTHEST)
        away = rng.uniform(0.25, 1.75) * math.pi
        out = np.array((math.cos(azimuth) * math.cos(height), math.sin(azimuth) * math.cos(height), math.sin(height)))
        ahead = -out
        down = np.cross(np.cross(ahead, -_UP), ahead)
        down /= np.linalg.norm(down)
        pose = np.eye(4)
        pose[:3, :3] = np.column_stack((down, np.cross(ahead, down), ahead))
        pose = Rotate(_UP, away).at() @ Rotate(ahead, math.radians(roll)).at() @ pose
        pose[:3, 3] = far * out
        hands.append(make_hand(scene, pose, name=f"hand {k + 1}", form=form))
    return tuple(hands)


def view_ahead(hand: Hand, size: tuple[float, float, float]) -> View:
    """Return the view from a hand in its direction; size: width, height, depth [length]."""
    width, height, depth = size
    return View(hand.eye, hand.ahead, width=width, height=height, depth=depth)


def look(hand: Hand, target: tuple[Body, ...], pixels: int, view: tuple[float, float, float]) -> NDArray[np.float64] | None:
    """Look ahead from a hand; return the middle of the target's visible points, shape (3,), world, or None."""
    seen = hand.robot.scene.look(view_ahead(hand, view), pixels, ignore=hand.robot.bodies)
    mine = np.isin(seen.ids, [body.id for body in target])
    if not mine.any():
        return None
    return seen.points[mine].mean(axis=0)


def turn_further(hand: Hand) -> None:
    """Turn a hand that saw nothing, about the vertical through its position."""
    turn(hand, Rotate(_UP, _TURN, about=hand.robot.pose[:3, 3]))


def face(hand: Hand, place: NDArray[np.float64]) -> None:
    """Turn a hand towards a point of the world."""
    toward = place - hand.eye
    toward /= np.linalg.norm(toward)
    axis = np.cross(hand.ahead, toward)
    sine = float(np.linalg.norm(axis))
    if sine > 1e-12:
        turn(hand, Rotate(axis, math.atan2(sine, float(hand.ahead @ toward)), about=hand.eye))


def turn(hand: Hand, motion: Rotate) -> None:
    """Turn a whole hand as far as it is free."""
    hit = hand.robot.scene.sweep(hand.robot.bodies, motion)
    hand.robot.pose = motion.at(1.0 if hit is None else hit.time) @ hand.robot.pose


def look_ahead(hand: Hand) -> Translate:
    """Return the motion that an approach looks along: with the hand's thickness, the view is as deep as the paper's."""
    return Translate((DEEP - thickness_of(hand.robot)) * hand.ahead)


def size_view(hand: Hand, pixels: int) -> RadarReading:
    """Make the radar of an approach and size its view by the hand's mask; return its first reading at that size.

    The paper's two steps (3.3): draw the mask in a view of a preset size, then read the hand's size off it. The same radar
    serves until contact.
    """
    hand.radar = Radar(hand.robot.scene, hand.robot.bodies, pixels=pixels, max_size=WIDE[0])
    motion = look_ahead(hand)
    hand.radar.probe(motion)
    return hand.radar.probe(motion)


def warm_up(scene: Scene, target: tuple[Body, ...], hands: Sequence[Hand], pixels: int) -> None:
    """Ask a query of every kind once, so that no frame's time includes compiling or the tests for insides."""
    for part in target:
        place = part.pose[:3, :3] @ part.vertices[0] + part.pose[:3, 3]
        ball = scene.add(Sphere(1.0), place)
        for motion in (Translate((0.0, 0.0, 1.0)), Rotate((0.0, 0.0, 1.0), 0.1, about=place + 5.0)):
            scene.sweep(ball, motion)
        scene.overlaps(ball)
        RadarSet(scene, [ball] * 8, pixels=pixels).probe([Translate((0.0, 0.0, 1.0))] * 8)
        scene.remove(ball)
    for hand in hands:
        look(hand, target, pixels, WIDE)
        hand.robot.sweep("thumb 1", 0.01)
