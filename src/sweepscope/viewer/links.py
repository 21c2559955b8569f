"""The links of a robot on the page: its collision shapes, its visual shapes, and a ghost at the position that was asked for."""

from __future__ import annotations

from collections.abc import Mapping

from ..robot.robot import Robot
from ..world.body import Body
from .bodies import BY_VISITOR, Node, display_of_body, label_of
from .colors import BODIES
from .ghosts import moved_poses
from .stage import PageStage


class Links:
    """The links of a robot on the page.

    visual: the same robot with its visual shapes, in a scene of its own; it is drawn where the robot is. None: only
    the collision shapes.
    """

    def __init__(self, stage: PageStage, robot: Robot, visual: Robot | None) -> None:
        self._stage = stage
        self._robot = robot
        self._visual = visual
        self._looks: dict[Body, Node] = {}
        self._link_of: dict[Body, str] = {}
        self._visual_shown = visual is not None
        for name, link in {} if visual is None else visual.links.items():
            for body in link.bodies:
                self._looks[body] = self._look(body, name)
                self._link_of[body] = name
            if name in robot.links:
                stage.bodies.dress(robot.links[name].bodies, [self._looks[body] for body in link.bodies])
        stage.bodies.hiding.append(self._show_looks)

    def choose(self, *, visual: bool, collision: bool) -> None:
        """Show the visual shapes, the collision shapes, or both."""
        self._visual_shown = visual
        self._stage.bodies.hide(self._robot.bodies, not collision, f"shapes of {self._robot.name}")

    def _show_looks(self) -> None:
        """Show the visual shapes of links that are not hidden."""
        hidden = self._stage.bodies.hidden(BY_VISITOR)
        for body, look in self._looks.items():
            link = self._robot.links.get(self._link_of[body])
            look.handle.visible = self._visual_shown and not (link and hidden & {each.id for each in link.bodies})

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
        self._stage.view.ghosts.show(moved_poses(shown, values))

    def _look(self, body: Body, link: str) -> Node:
        """Return the node of a visual shape; a click on it is a click on the link."""
        stage = self._stage

        def clicked() -> None:
            for each in self._robot.links[link].bodies[:1] if link in self._robot.links else ():
                stage.bodies.click(each)

        name = f"/visual/{label_of(body.name)}"
        return Node(stage.server, name, display_of_body(body), BODIES[-1], stage.size, on_click=clicked)
