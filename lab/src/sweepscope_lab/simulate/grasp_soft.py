"""A target that deforms while hands hold it.

From the first touch on, each frame has another target shape, reached in small steps. A finger that the next shape would enter
yields first: it opens, exactly, until the shape just touches it. Near a palm, or a finger that others hold open, the target
stays as it is. If that is not enough, the target does not change in that frame. Fingers close again where it has shrunk.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body

from ..scenes.targets import SOFT_FRAMES
from .grasp_moves import Driver, Finger, Hand

_Array = NDArray[np.float64]
_Shapes = dict[str, _Array]

_QUICKEST = 2.5  # farthest that a vertex moves in a frame [length]
_YIELDS = tuple(math.radians(angle) for angle in (2.0, 6.0, 15.0))  # how far a joint can open in a frame
_AROUND = 30.0  # vertices nearer than this to what cannot yield stay in place [length]


class Soft:
    """Changes a target's shape as far as hands allow."""

    def __init__(self, changes: Callable[[int], _Shapes], target: Sequence[Body]) -> None:
        self._changes = changes
        self._target = {body.name: body for body in target}
        self._frame = 0

    @property
    def rests(self) -> bool:
        """True if it no longer changes."""
        return self._frame == SOFT_FRAMES

    def step(self, hands: Sequence[Hand], driver: Driver) -> None:
        """Make one frame's change, as far as hands allow."""
        if self.rests:
            return
        self._frame += 1
        now = {name: self._target[name].vertices.copy() for name in self._target}
        steps = {name: _at_most(wish - now[name], _QUICKEST) for name, wish in self._changes(self._frame).items()}
        values = [hand.robot.positions for hand in hands]
        for _ in range(2):
            firm = self._change(now, {name: now[name] + step for name, step in steps.items()}, hands, driver)
            if not firm:
                driver.moved(self._target.values())
                return
            # Some fingers may have yielded already; they move back.
            self._put(now)
            for hand, kept in zip(hands, values, strict=True):
                hand.robot.positions = kept
            for name, step in steps.items():
                step[self._near(self._target[name], firm)] = 0.0

    def _change(self, now: _Shapes, wish: _Shapes, hands: Sequence[Hand], driver: Driver) -> list[Body]:
        """Take another shape while fingers yield to it; return the bodies that it still overlaps."""
        self._put(wish)
        firm: list[Body] = []
        for hand in hands:
            if not self._overlaps(hand.robot.bodies, driver):
                continue
            palm = hand.robot.links["palm"].bodies
            if self._overlaps(palm, driver):
                firm += palm
            for finger in hand.fingers:
                bodies = [body for link in finger.links for body in link.bodies]
                if self._overlaps(bodies, driver) and not self._yields(finger, bodies, now, wish, driver):
                    firm += bodies
        return firm

    def _yields(self, finger: Finger, bodies: Sequence[Body], now: _Shapes, wish: _Shapes, driver: Driver) -> bool:
        """Open one joint of a finger until the new shape just touches it; True if that is possible."""
        robot = finger.robot
        outermost = max(k for k in range(3) if k == 0 or self._overlaps(finger.links[k].bodies, driver))
        for k in range(outermost, -1, -1):
            joint = finger.joints[k]
            value = robot[joint]
            for angle in _YIELDS:
                least = max(value - angle, robot.joints[joint].limits[0])
                self._put(now)
                hit = robot.sweep(joint, least) if least < value else None
                opened = least if hit is None else hit.positions[joint]
                self._put(wish)
                robot[joint] = opened
                driver.queries += 2
                if not self._overlaps(bodies, driver):
                    back = robot.sweep(joint, value) if opened < value else None
                    robot[joint] = value if back is None else back.positions[joint]
                    finger.ends.pop(k, None)
                    driver.moved_links(finger.links[k:])
                    return True
                robot[joint] = value
        return False

    def _overlaps(self, bodies: Sequence[Body], driver: Driver) -> bool:
        """True if the target overlaps one of these bodies."""
        driver.queries += 1
        return bool(bodies[0].scene.overlaps(list(bodies), list(self._target.values())))

    def _put(self, shapes: _Shapes) -> None:
        for name, vertices in shapes.items():
            self._target[name].vertices = vertices

    def _near(self, part: Body, bodies: Sequence[Body]) -> NDArray[np.bool_]:
        """Return which vertices of a part are near one of these link bodies, shape (n,)."""
        near = np.zeros(len(part.vertices), bool)
        places = part.vertices @ part.pose[:3, :3].T + part.pose[:3, 3]
        for body in bodies:
            a, b = body.vertices[[0, -1]] @ body.pose[:3, :3].T + body.pose[:3, 3]
            share = np.clip((places - a) @ (b - a) / ((b - a) @ (b - a)), 0.0, 1.0)
            near |= np.linalg.norm(places - a - share[:, None] * (b - a), axis=1) < body.shape.radius + _AROUND
        return near


def _at_most(steps: _Array, longest: float) -> _Array:
    """Return vectors, shape (n, 3), shortened to at most `longest` [length]."""
    size = np.linalg.norm(steps, axis=1)
    return steps * np.minimum(1.0, longest / np.maximum(size, longest))[:, None]
