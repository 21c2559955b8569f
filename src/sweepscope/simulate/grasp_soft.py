"""A target that deforms while it is held.

In every frame it proposes a new shape. A finger that this would press into yields first: it opens, exactly, until the new
shape just touches it. If it cannot, or if a palm is in the way, the target holds still in that frame. Then fingers close again.
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

_YIELDS = tuple(math.radians(angle) for angle in (2.0, 6.0, 15.0))  # how far a joint may open in a frame
_PATIENCE = 30  # frames in a row that a target holds still before it gives up changing
_STILL = Translate((0.0, 0.0, 0.0))


class Soft:
    """Changes a target's shape as far as hands let it."""

    def __init__(self, changes: Callable[[int], dict[str, _Array]], target: Sequence[Body]) -> None:
        self._changes = changes
        self._target = {body.name: body for body in target}
        self._frame = 0
        self._held = 0

    @property
    def rests(self) -> bool:
        """True if it changes no more."""
        return self._frame == SOFT_FRAMES or self._held == _PATIENCE

    def step(self, courses: Sequence[Course], mover: Mover) -> None:
        """Make one frame's change, if hands let it."""
        if self.rests:
            return
        shapes = self._changes(self._frame + 1)
        before = {name: self._target[name].vertices.copy() for name in shapes}
        values = [course.robot.values for course in courses]
        self._put(shapes)
        for finger, part in self._pressed(courses, mover):
            if finger is None or not self._yields(finger, part, before, shapes, mover):
                # It may be that others have yielded already; they go back to where they were.
                self._put(before)
                for course, kept in zip(courses, values, strict=True):
                    course.robot.values = kept
                self._held += 1
                return
        self._frame, self._held = self._frame + 1, 0
        mover.moved(self._target.values())

    def _put(self, shapes: dict[str, _Array]) -> None:
        for name, vertices in shapes.items():
            self._target[name].vertices = vertices

    def _pressed(self, courses: Sequence[Course], mover: Mover) -> list[tuple[Finger | None, int]]:
        """Return the fingers that the target overlaps, None for a palm, each with its outermost part, 0 .. 2, that it does."""
        found: list[tuple[Finger | None, int]] = []
        for course in courses:
            if not self._overlaps(course.robot.bodies, mover):
                continue
            if self._overlaps(course.robot.links["palm"].bodies, mover):
                found.append((None, 0))
            for finger in course.fingers:
                parts = [k for k in range(3) if self._overlaps(finger.links[k].bodies, mover)]
                if parts:
                    found.append((finger, parts[-1]))
        return found

    def _overlaps(self, bodies: Sequence[Body], mover: Mover) -> bool:
        """True if the target overlaps one of these."""
        scene = bodies[0].scene
        mover.asked += 1
        others = [each for each in scene.bodies if each.name not in self._target and each not in bodies]
        hit = scene.sweep(list(bodies), _STILL, ignore=others)
        return hit is not None and hit.overlapping

    def _yields(self, finger: Finger, part: int, before: dict[str, _Array], shapes: dict[str, _Array], mover: Mover) -> bool:
        """Open one joint of a finger until the new shape just touches it; True if that is possible."""
        robot = finger.robot
        bodies = [body for link in finger.links for body in link.bodies]
        if not self._overlaps(bodies, mover):
            return True  # another finger has made room
        for k in range(part, -1, -1):
            joint = finger.joints[k]
            now = robot[joint]
            for angle in _YIELDS:
                least = max(now - angle, robot.joints[joint].limits[0])
                self._put(before)
                hit = robot.sweep(joint, least) if least < now else None
                opened = least if hit is None else hit.values[joint]
                self._put(shapes)
                robot[joint] = opened
                mover.asked += 1
                if not self._overlaps(bodies, mover):
                    back = robot.sweep(joint, now) if opened < now else None
                    mover.asked += 1
                    robot[joint] = now if back is None else back.values[joint]
                    finger.ends.pop(k, None)
                    mover.moved_links(finger.links[k:])
                    return True
                robot[joint] = now
        return False
