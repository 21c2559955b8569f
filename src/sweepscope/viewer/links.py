"""What is drawn of a robot: its collision shapes, its visual shapes, and the ghost of where it was asked to go."""

from __future__ import annotations

from collections.abc import Mapping

from ..robot.robot import Robot
from ..world.body import Body
from .bodies import Node, display_of_body, label_of
from .colors import BODIES
from .ghosts import poses_at
from .stage import PageStage


class Links:
    """The links of a robot on the page.

    visual: the same robot with its visual shapes, in a scene of its own; it is drawn where the robot is. None: there are none.
    """

    def __init__(self, stage: PageStage, robot: Robot, visual: Robot | None) -> None:
        self._stage = stage
        self._robot = robot
        self._visual = visual
        self._looks = {} if visual is None else {body: _look(stage, body) for body in visual.bodies}
        self._visual_shown = visual is not None
        for name, link in {} if visual is None else visual.links.items():
            if name in robot.links:
                stage.bodies.dress(robot.links[name].bodies, [self._looks[body] for body in link.bodies])

    def choose(self, *, visual: bool, collision: bool) -> None:
        """Show the visual shapes, the collision shapes, or both."""
        self._visual_shown = visual
        for look in self._looks.values():
            look.handle.visible = visual
        self._stage.bodies.hide(self._robot.bodies, not collision)

    def follow(self) -> None:
        """Put the visual shapes where the robot is."""
        if self._visual is not None:
            self._visual.positions = {name: self._robot[name] for name in self._robot.actuated_joints}
            self._visual.pose = self._robot.pose
            for body, look in self._looks.items():
                look.place(body.pose)

    def show_ghost(self, values: Mapping[str, float]) -> None:
        """Show where the links would be at other values of joints: in the shapes that are shown."""
        shown = self._visual if self._visual is not None and self._visual_shown else self._robot
        self._stage.view.ghosts.show(poses_at(shown, values))


def _look(stage: PageStage, body: Body) -> Node:
    return Node(stage.server, f"/visual/{label_of(body.name)}", display_of_body(body), BODIES[-1], stage.bodies.size)
