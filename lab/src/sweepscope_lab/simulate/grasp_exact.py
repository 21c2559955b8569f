"""Hands moved by exact sweeps, one move after the other: they never enter anything."""

from __future__ import annotations

from sweepscope import Translate

from ..scenes.hand import FOUR
from .grasp_moves import FARTHEST, LEAST, Driver, Finger, Hand


class SweepDriver(Driver):
    """Moves hands as far as sweeps are free."""

    def go(self, approaching: list[Hand], bending: list[Hand], fingers: list[Finger]) -> list[Hand]:
        """Make one frame's moves; return the hands that have finished approaching, or bending four fingers."""
        finished = [hand for hand in approaching if self._approach(hand)]
        finished += [hand for hand in bending if self._four(hand)]
        for finger in fingers:
            self._close(finger)
        return finished

    def _approach(self, hand: Hand) -> bool:
        """Go ahead by one frame's length; True if something was touched."""
        robot = hand.robot
        motion = Translate(self.pace * hand.ahead)
        hit = robot.scene.sweep(robot.bodies, motion)
        self.queries += 1
        robot.pose = motion.at(1.0 if hit is None else hit.time) @ robot.pose
        self.moved(robot.bodies)
        hand.gone += self.pace
        return hit is not None or hand.gone > FARTHEST

    def _four(self, hand: Hand) -> bool:
        """Bend the four fingers together; True if something was touched or the limit is reached."""
        robot = hand.robot
        joints = [f"{finger} 1" for finger in FOUR]
        now, most = robot[joints[0]], robot.joints[joints[0]].limits[1]
        to = min(now + self.step, most)
        hit = robot.scene.sweep([body for link in hand.four for body in link.bodies], robot.motion(joints[0], to))
        self.queries += 1
        robot.positions = dict.fromkeys(joints, to if hit is None else now + hit.time * (to - now))
        self.moved_links(hand.four)
        return hit is not None or to == most

    def _close(self, finger: Finger) -> None:
        """Close a finger by one move of its current joint."""
        robot, joint = finger.robot, finger.joint
        now, most = robot[joint], finger.limits[finger.at]
        to = min(now + self.step, most)
        if to - now < LEAST:
            self.end(finger, "limit")
            return
        hit = robot.sweep(joint, to)
        self.queries += 1
        value = to if hit is None else hit.positions[joint]
        if value - now > LEAST:
            robot[joint] = value
            self.moved_links(finger.links[finger.at :])
        if hit is not None:
            self.end(finger, self.why(hit.obstacle.id), (hit.mover.id, hit.obstacle.id))
        elif to == most:
            self.end(finger, "limit")
