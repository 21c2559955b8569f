"""A hand moved by exact sweeps, one move after the other: nothing is ever entered."""

from __future__ import annotations

from ..motion import Translate
from ..scenes.hand import FOUR
from .grasp_moves import FARTHEST, LEAST, Course, Finger, Mover


class Exact(Mover):
    """Moves hands as far as sweeps say that they are free."""

    def go(self, approaching: list[Course], bending: list[Course], fingers: list[Finger]) -> list[Course]:
        """Make one frame's moves; return the hands that are through with approaching, or with bending four fingers."""
        through = [course for course in approaching if self._approach(course)]
        through += [course for course in bending if self._four(course)]
        for finger in fingers:
            self._close(finger)
        return through

    def _approach(self, course: Course) -> bool:
        """Go ahead by one frame's way; True if something was touched."""
        robot = course.robot
        motion = Translate(self.pace * course.ahead)
        hit = robot.scene.sweep(robot.bodies, motion)
        self.asked += 1
        robot.pose = motion.at(1.0 if hit is None else hit.time) @ robot.pose
        self.moved(robot.bodies)
        course.gone += self.pace
        return hit is not None or course.gone > FARTHEST

    def _four(self, course: Course) -> bool:
        """Bend the four fingers together; True if something was touched or the limit is reached."""
        robot = course.robot
        joints = [f"{finger} 1" for finger in FOUR]
        now, most = robot[joints[0]], robot.joints[joints[0]].limits[1]
        to = min(now + self.step, most)
        hit = robot.scene.sweep([body for link in course.four for body in link.bodies], robot.motion(joints[0], to))
        self.asked += 1
        robot.values = dict.fromkeys(joints, to if hit is None else now + hit.time * (to - now))
        self.moved_links(course.four)
        return hit is not None or to == most

    def _close(self, finger: Finger) -> None:
        """Let a finger close by one move of the joint whose turn it is."""
        robot, joint = finger.robot, finger.joint
        now, most = robot[joint], finger.limits[finger.at]
        to = min(now + self.step, most)
        if to - now < LEAST:
            self.end(finger, "limit")
            return
        hit = robot.sweep(joint, to)
        self.asked += 1
        value = to if hit is None else hit.values[joint]
        if value - now > LEAST:
            robot[joint] = value
            self.moved_links(finger.links[finger.at :])
        if hit is not None:
            self.end(finger, self.why(hit.body.id), (hit.mover.id, hit.body.id))
        elif to == most:
            self.end(finger, "limit")
