"""Hands moved by radars, 17 for each, as many as in the paper: the whole hand, the four fingers, fifteen phalanges.

The paper counts 17 (Fig. 12) and does not list them; these are ours.

All queries of a frame see one moment, so two moving parts could meet unseen. Of parts nearer to each other than their moves,
only one moves in a frame; they take turns.

A finger's first and third part cannot meet within the limits of its joints, so their radars ignore each other: when the root
turns, both turn with it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sweepscope import Body, Link, Translate, View
from sweepscope.radar import RadarReading, RadarSet

from ..scenes.hand import FINGERS, FOUR
from .grasp_arm import Arm
from .grasp_measure import nearest_segments
from .grasp_moves import FARTHEST, LEAST, Driver, Finger, Hand, Stop
from .grasp_search import look_ahead

RADARS = 17
"""Radars of one hand: one over all of it until first touch, then those of its fingers."""
RULES = ("pixels", "closest")
"""How a picture gives an angle: "pixels" is our rule, "closest" the paper's; see `grasp_arm`."""
_FINGERS = RADARS - 1
_SHARE = 0.8  # our rule: share of the read angle that is turned: a reading along a tangent is not exactly a turn
_ENDED = 0.01  # a joint with less than this share of a pixel's angle left has ended
_FINER = 4  # times more pixels at the end of an approach
_SHORT = 1.0, 0.05  # pixels that an approach stops short, with few pixels and with many
_BACK = 0.0, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0
_SHALLOW = 0.05, 0.2, 0.7  # [length]

_Arms = list[tuple[int, Arm]]  # with the index of the radar


@dataclass(slots=True, eq=False)
class _Move:
    """One move in a frame: of a finger's joint, of four joints, or of a whole hand."""

    owner: Hand | Finger
    links: Sequence[Link]
    by: float
    """[radians] or [length]."""
    most: float
    """Farthest that any of its points moves [length]."""


class RadarDriver(Driver):
    """Moves hands by radar readings, all of one moment."""

    def __init__(
        self, step: float, pace: float, target: Sequence[Body], hands: Sequence[Hand], pixels: int, rule: str = "pixels"
    ) -> None:
        super().__init__(step, pace, target)
        self._pixels = pixels
        self._literal = rule == "closest"
        self._alone = len(hands) == 1
        self._frame = -1
        bodies: list[Sequence[Body]] = []
        for hand in hands:
            bodies.append([body for link in hand.four for body in link.bodies])
            bodies += [link.bodies for finger in hand.fingers for link in finger.links]
            for finger in hand.fingers:
                hand.robot.ignore(finger.joints[0], finger.joints[2])
        self._radars = RadarSet(hands[0].robot.scene, bodies, pixels=pixels)
        parts = [body for hand in hands for body in hand.robot.bodies]
        self._rank = {body.id: k for k, body in enumerate(parts)}
        self._ends = np.stack([body.vertices[[0, -1]] for body in parts])
        self._radius = np.array([body.shape.radius for body in parts])
        sizes = [
            np.ptp(part.vertices, axis=0).max() + 2.0 * part.shape.radius for link in hands[0].four for part in link.bodies
        ]
        self.reach = float(max(sizes)) / pixels
        self._arms: dict[tuple[int, str], tuple[tuple[float, ...], _Arms]] = {}

    def go(self, approaching: list[Hand], bending: list[Hand], fingers: list[Finger]) -> list[Hand]:
        """Make one frame's moves; return the hands that have finished approaching, or bending four fingers."""
        self._frame += 1
        motions: list[Translate | None] = [None] * len(self._radars)
        parts = [self._arms_of(each) for each in (*bending, *fingers)]
        for k, arm in (each for arms in parts for each in arms):
            motions[k] = arm.motion
        self.queries += len(motions) - motions.count(None)
        ahead = [self._ahead(hand) for hand in approaching]
        read = self._radars.probe(motions)
        self.readings += [reading for reading in read if reading is not None]
        finished: list[Hand] = []
        moves: list[_Move] = []
        for hand, reading in zip(approaching, ahead, strict=True):
            moves += self._approach(hand, reading, finished)
        for each, arms in zip((*bending, *fingers), parts, strict=True):
            found = [(arm, reading) for k, arm in arms if (reading := read[k]) is not None]
            free, pixel, met, arm = by_closest(found) if self._literal else _by_pixels(found)
            reach = max(arm.reach for _, arm in arms)
            if isinstance(each, Finger):
                moves += self._finger(each, free, pixel, met, arm, reach)
            else:
                moves += self._four(each, free, pixel, reach, finished)
        for move in self._one_at_a_time(moves):
            self._make(move)
        return finished

    def _ahead(self, hand: Hand) -> RadarReading:
        """Look ahead of a whole hand by its radar."""
        assert hand.radar is not None
        self.queries += 1
        fine = hand.radar.pixels[0] > self._pixels
        reading = hand.radar.probe(Translate(2.0 * self.pace * hand.ahead) if fine else look_ahead(hand))
        self.readings.append(reading)
        return reading

    def _approach(self, hand: Hand, reading: RadarReading, finished: list[Hand]) -> list[_Move]:
        """Move a hand as far as it can go ahead; near the end it looks with more pixels."""
        assert isinstance(reading.view, View)
        radar = hand.radar
        assert radar is not None
        fine = radar.pixels[0] > self._pixels
        free = math.inf
        if reading.hit:
            free = reading.travel - _SHORT[fine] * max(reading.view.width, reading.view.height) / radar.pixels[0]
        if free < self.pace and not fine:
            radar.pixels = _FINER * self._pixels
            self._ahead(hand)  # sizes the view anew: the next reading has its hand's size
        elif free < self.pace or hand.gone > FARTHEST:
            finished.append(hand)
        by = min(free, self.pace)
        return [_Move(hand, tuple(hand.robot.links.values()), by, by)] if by > 0.0 else []

    def _four(self, hand: Hand, free: float, pixel: float, reach: float, finished: list[Hand]) -> list[_Move]:
        """Bend the four fingers; by our rule the last pixel is left to the phalanges' own radars."""
        left = hand.fingers[1].limits[0] - hand.robot[hand.fingers[1].joints[0]]
        by = min(free if self._literal else _SHARE * (free - pixel), self.step, left)
        if (free <= self.step if self._literal else by < 0.5 * pixel) or by == left:
            finished.append(hand)
        return [_Move(hand, hand.four, by, by * reach)] if by > LEAST else []

    def _finger(self, finger: Finger, free: float, pixel: float, met: int, arm: Arm, reach: float) -> list[_Move]:
        """Turn a finger's joint; end it if it is hardly free."""
        left = finger.limits[finger.at] - finger.robot[finger.joint]
        if left < LEAST:
            self._note(finger, "limit", pixel)
            self.end(finger, "limit")
            return []
        if free < _ENDED * pixel:
            self._note(finger, self.why(met), pixel)
            self.end(finger, self.why(met), (arm.links[0].bodies[0].id, met))
            return []
        by = min(free if self._literal or free > self.step else _SHARE * free, self.step, left)
        return [_Move(finger, finger.links[finger.at :], by, by * reach)]

    def _make(self, move: _Move) -> None:
        """Make a move and record it."""
        owner = move.owner
        if isinstance(owner, Finger):
            value = owner.robot[owner.joint] + move.by
            owner.robot.positions = {owner.joint: min(value, owner.limits[owner.at])}
        elif owner.phase == "four":
            value = min(owner.robot["index 1"] + move.by, owner.fingers[1].limits[0])
            owner.robot.positions = {f"{finger} 1": value for finger in FOUR}
        else:
            owner.robot.pose = Translate(move.by * owner.ahead).at() @ owner.robot.pose
            owner.gone += move.by
        self.moved_links(move.links)

    def _one_at_a_time(self, moves: list[_Move]) -> list[_Move]:
        """Return the moves that can be made together: of any two that might meet only one, by turns."""
        if len(moves) < 2:
            return moves
        bodies = [body for move in moves for link in move.links for body in link.bodies]
        rank = [self._rank[body.id] for body in bodies]
        unit = np.repeat(np.arange(len(moves)), [sum(len(link.bodies) for link in move.links) for move in moves])
        poses = np.array([body.pose for body in bodies])
        ends = np.einsum("nij,nkj->nki", poses[:, :3, :3], self._ends[rank]) + poses[:, None, :3, 3]
        thick = self._radius[rank] + np.array([move.most for move in moves])[unit]
        low, high = ends.min(axis=1) - thick[:, None], ends.max(axis=1) + thick[:, None]
        i, j = ((unit[:, None] < unit) & ((low[:, None] <= high) & (high[:, None] >= low)).all(axis=2)).nonzero()
        here, there = nearest_segments(ends[i], ends[j])
        meet = np.einsum("ij,ij->i", here - there, here - there) <= (thick[i] + thick[j]) ** 2
        apart = np.zeros((len(moves), len(moves)), bool)
        apart[unit[i[meet]], unit[j[meet]]] = True
        apart |= apart.T
        chosen: list[int] = []
        for n in range(len(moves)):
            k = (n + self._frame) % len(moves)
            if not apart[k, chosen].any():
                chosen.append(k)
        return [moves[k] for k in chosen]

    def _arms_of(self, each: Hand | Finger) -> _Arms:
        """Return the radars of the parts that turn; computed again after joints farther out have moved."""
        if isinstance(each, Hand):
            key, outer = (each.number, "four"), ()
        else:
            key, outer = (each.hand, each.joint), tuple(each.robot[joint] for joint in each.joints[each.at + 1 :])
        known = self._arms.get(key)
        if known is None or known[0] != outer:
            if isinstance(each, Hand):
                arms = [(_FINGERS * each.number, Arm.of(each.robot, "index 1", each.four, self.step))]
            else:
                first = _FINGERS * each.hand + 1 + 3 * FINGERS.index(each.name)
                arms = [(first + k, Arm.of(each.robot, each.joint, (each.links[k],), self.step)) for k in range(each.at, 3)]
            known = self._arms[key] = outer, arms
        return known[1]

    def _note(self, finger: Finger, why: str, pixel: float) -> None:
        """Record where a joint stopped, and where an exact sweep from the same start stops. It does not affect the moves."""
        begin = time.perf_counter()
        value = finger.robot[finger.joint]
        exact = exact_stop(finger, pixel, self._alone)
        self.stops.append(Stop(self._frame, finger.hand, finger.joint, why, value, exact, pixel))
        self.measuring_seconds += time.perf_counter() - begin


def by_closest(read: Sequence[tuple[Arm, RadarReading]]) -> tuple[float, float, int, Arm]:
    """Return how far a joint can turn by the paper's rule, a pixel's angle there [radians], what is met, and by which part.

    Of all parts that turn, the one with the closest point counts.
    """
    found = [(*arm.closest(reading), arm) for arm, reading in read]
    free, away, pixel, met, arm = min(found, key=lambda one: one[0])
    away = max(away, 1e-9 * arm.reach)  # a point on the axis itself
    return math.atan2(free, away), pixel / away, met, arm


def _by_pixels(read: Sequence[tuple[Arm, RadarReading]]) -> tuple[float, float, int, Arm]:
    """Return the same by our rule: the least angle of all pixels that count."""
    return min(((*arm.bend(reading), arm) for arm, reading in read), key=lambda one: one[0])


def exact_stop(finger: Finger, pixel: float, alone: bool) -> float:
    """Return where an exact sweep stops the current joint [radians]; the joint does not move.

    If the hand is alone, the sweep starts where the joint's motion began. If other hands have moved since, or if that start is
    inside something (a radar errs by a share of a pixel), it starts where the radar stopped, or a few pixels' angles, `pixel`
    [radians], before; as a last resort, overlaps up to `_SHALLOW` count as touching.
    """
    robot, joint, scene = finger.robot, finger.joint, finger.robot.scene
    value, most, kept = robot[joint], finger.limits[finger.at], scene.tolerance
    starts = [(finger.start, kept)] if alone else []
    starts += [(max(value - pixels * pixel, finger.start), kept) for pixels in _BACK] + [(value, deep) for deep in _SHALLOW]
    try:
        for start, tolerance in starts:
            robot[joint], scene.tolerance = start, tolerance
            hit = robot.sweep(joint, most)
            if hit is None or not hit.overlapping:
                return most if hit is None else hit.positions[joint]
    finally:
        robot[joint], scene.tolerance = value, kept
    return value
