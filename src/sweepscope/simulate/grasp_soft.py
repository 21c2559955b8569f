"""A target that deforms while it is held.

From the first touch on it wants to be another shape in every frame, and goes there in small steps. A finger that the next
shape would press into yields first: it opens, exactly, until that shape just touches it. What cannot yield, a palm or a
finger that is held open by others, the target gives way to: it stays as it is there. If that does not help it holds still in
that frame. Fingers close again wherever it has drawn back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..motion import Translate
from ..scene import Body
from ..scenes.targets import SOFT_FRAMES
from .grasp_moves import Course, Finger, Mover

_Array = NDArray[np.float64]
_Shapes = dict[str, _Array]

_QUICKEST = 2.5  # how far a vertex goes in a frame at most [length]
_YIELDS = tuple(math.radians(angle) for angle in (2.0, 6.0, 15.0))  # how far a joint may open in a frame
_AROUND = 30.0  # vertices nearer than this to what cannot yield stay where they are [length]
_STILL = Translate((0.0, 0.0, 0.0))


class Soft:
    """Changes a target's shape as far as hands let it."""

    def __init__(self, changes: Callable[[int], _Shapes], target: Sequence[Body]) -> None:
        self._changes = changes
        self._target = {body.name: body for body in target}
        self._frame = 0

    @property
    def rests(self) -> bool:
        """True if it changes no more."""
        return self._frame == SOFT_FRAMES

    def step(self, courses: Sequence[Course], mover: Mover) -> None:
        """Make one frame's change, as far as hands let it."""
        if self.rests:
            return
        self._frame += 1
        now = {name: self._target[name].vertices.copy() for name in self._target}
        ways = {name: _at_most(wish - now[name], _QUICKEST) for name, wish in self._changes(self._frame).items()}
        values = [course.robot.values for course in courses]
        for _ in range(2):
            firm = self._change(now, {name: now[name] + way for name, way in ways.items()}, courses, mover)
            if not firm:
                mover.moved(self._target.values())
                return
            # Others may have yielded already; they go back to where they were.
            self._put(now)
            for course, kept in zip(courses, values, strict=True):
                course.robot.values = kept
            for name, way in ways.items():
                way[self._near(self._target[name], firm)] = 0.0

    def _change(self, now: _Shapes, wish: _Shapes, courses: Sequence[Course], mover: Mover) -> list[Body]:
        """Take another shape, fingers yielding to it; return the bodies that it overlaps nevertheless."""
        self._put(wish)
        firm: list[Body] = []
        for course in courses:
            if not self._overlaps(course.robot.bodies, mover):
                continue
            palm = course.robot.links["palm"].bodies
            if self._overlaps(palm, mover):
                firm += palm
            for finger in course.fingers:
                bodies = [body for link in finger.links for body in link.bodies]
                if self._overlaps(bodies, mover) and not self._yields(finger, bodies, now, wish, mover):
                    firm += bodies
        return firm

    def _yields(self, finger: Finger, bodies: Sequence[Body], now: _Shapes, wish: _Shapes, mover: Mover) -> bool:
        """Open one joint of a finger until the new shape just touches it; True if that is possible."""
        robot = finger.robot
        outermost = max(k for k in range(3) if k == 0 or self._overlaps(finger.links[k].bodies, mover))
        for k in range(outermost, -1, -1):
            joint = finger.joints[k]
            value = robot[joint]
            for angle in _YIELDS:
                least = max(value - angle, robot.joints[joint].limits[0])
                self._put(now)
                hit = robot.sweep(joint, least) if least < value else None
                opened = least if hit is None else hit.values[joint]
                self._put(wish)
                robot[joint] = opened
                mover.asked += 2
                if not self._overlaps(bodies, mover):
                    back = robot.sweep(joint, value) if opened < value else None
                    robot[joint] = value if back is None else back.values[joint]
                    finger.ends.pop(k, None)
                    mover.moved_links(finger.links[k:])
                    return True
                robot[joint] = value
        return False

    def _overlaps(self, bodies: Sequence[Body], mover: Mover) -> bool:
        """True if the target overlaps one of these."""
        scene = bodies[0].scene
        mover.asked += 1
        others = [each for each in scene.bodies if each.name not in self._target and each not in bodies]
        hit = scene.sweep(list(bodies), _STILL, ignore=others)
        return hit is not None and hit.overlapping

    def _put(self, shapes: _Shapes) -> None:
        for name, vertices in shapes.items():
            self._target[name].vertices = vertices

    def _near(self, part: Body, bodies: Sequence[Body]) -> NDArray[np.bool_]:
        """Return which vertices of a part are near one of these bodies of links, shape (n,)."""
        near = np.zeros(len(part.vertices), bool)
        places = part.vertices @ part.pose[:3, :3].T + part.pose[:3, 3]
        for body in bodies:
            a, b = body.vertices[[0, -1]] @ body.pose[:3, :3].T + body.pose[:3, 3]
            share = np.clip((places - a) @ (b - a) / ((b - a) @ (b - a)), 0.0, 1.0)
            near |= np.linalg.norm(places - a - share[:, None] * (b - a), axis=1) < body.shape.radius + _AROUND
        return near


def _at_most(ways: _Array, longest: float) -> _Array:
    """Return ways, shape (n, 3), none of them longer than `longest` [length]."""
    size = np.linalg.norm(ways, axis=1)
    return ways * np.minimum(1.0, longest / np.maximum(size, longest))[:, None]
