"""The panel of a robot: a slider for each joint, which stops where the exact sweep says."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, Any

from ..errors import SweepscopeError
from ..results import LinkHit
from ..robot.ends import ends
from ..robot.robot import Robot
from ..world.body import entry_of
from . import words
from .bodies import Node, label_of
from .colours import BODIES, CONTACT
from .display import display_of
from .latest import Latest
from .stage import Stage, from_client

if TYPE_CHECKING:
    from ..robot.joint import Joint

_STEPS = 1000  # of a slider


class RobotPanel:
    """Moves the joints of a robot, and tells their free travel.

    visual: the same robot with its visual shapes, in a scene of its own; it is drawn where the robot is.
    """

    def __init__(self, stage: Stage, robot: Robot, visual: Robot | None, sweep_all: bool) -> None:
        self._stage = stage
        self._robot = robot
        self._visual = visual
        self._looks: dict[int, Node] = {}
        gui = stage.server.gui
        self._stops = gui.add_checkbox("stop at contact", True, hint="Off: joints pass through everything")
        if visual is not None:
            self._looks = {
                body.id: Node(
                    stage.server,
                    f"/visual/{label_of(body)}",
                    display_of(entry_of(body).shape, body.vertices),
                    BODIES[-1],
                    stage.bodies.size,
                )
                for body in visual.bodies
            }
            self._show_visual = gui.add_checkbox("visual shapes", True)
            self._show_collision = gui.add_checkbox("collision shapes", False, hint="The shapes that answers are about")
            for control in (self._show_visual, self._show_collision):
                control.on_update(self._on_shapes)
        every = gui.add_button("Sweep all joints", hint="How far can each joint go, alone?")
        self._sliders: dict[str, Any] = {}
        self._travels: dict[str, Any] = {}
        for name in robot.moving:
            low, high = self._range(robot.joints[name])
            step = (high - low) / _STEPS or 1e-3
            slider = gui.add_slider(name, low, high, step, min(max(robot[name], low), high), hint=_unit(robot.joints[name]))
            slider.on_update(self._mover(name))
            self._sliders[name] = slider
            self._travels[name] = gui.add_html("", visible=False)
        self._words = gui.add_html("")
        every.on_click(lambda _: self.sweep_all())
        stage.changed.append(self._refresh)
        self._refresh()
        self._shapes()
        if sweep_all:
            self.sweep_all()

    def _range(self, joint: Joint) -> tuple[float, float]:
        """Return the ends of a slider; a joint that slides without end gets the size of the scene."""
        far = 2.0 * self._stage.bodies.size
        low, high = ends(self._robot, joint)
        return max(low, -far) if math.isinf(low) else low, min(high, far) if math.isinf(high) else high

    def _mover(self, name: str) -> Any:
        """Return what a slider's joint does when it is moved."""
        work = Latest(lambda: self._move(name))

        def moved(event: Any) -> None:
            if from_client(event):
                work()

        return moved

    def _move(self, name: str) -> None:
        """Move a joint to its slider, or to the contact on the way; then the slider is there too."""
        robot, slider = self._robot, self._sliders[name]
        with self._stage.lock, self._stage.server.atomic():
            to = float(slider.value)
            try:
                hit = robot.sweep(name, to) if self._stops.value else None
                value = to if hit is None else hit.values[name]
                robot[name] = value
            except SweepscopeError as error:
                self._words.content = words.problem(str(error))
                slider.value = robot[name]
                return
            slider.value = value
            self._stage.update()
            self._show(name, value, hit)

    def _show(self, name: str, value: float, hit: LinkHit | None) -> None:
        self._words.content = words.joint_answer(hit, name, value)
        self._stage.view.contact(None if hit is None else hit.point, None if hit is None else hit.normal)
        self._stage.bodies.light(() if hit is None else (hit.mover, hit.obstacle))

    def _refresh(self) -> None:
        """The robot may have moved."""
        for name, slider in self._sliders.items():
            value = self._robot[name]
            if slider.value != value and slider.min <= value <= slider.max:
                slider.value = value
        if self._visual is not None:
            self._visual.values = {name: self._robot[name] for name in self._robot.moving}
            self._visual.pose = self._robot.pose
            for body in self._visual.bodies:
                self._looks[body.id].place(body.pose)

    def _on_shapes(self, event: Any) -> None:
        if from_client(event):
            self._shapes()

    def _shapes(self) -> None:
        """Show the chosen shapes."""
        if self._visual is None:
            return
        with self._stage.lock:
            for look in self._looks.values():
                look.handle.visible = self._show_visual.value
            self._stage.bodies.hide(() if self._show_collision.value else self._robot.bodies)

    def sweep_all(self) -> None:
        """Write the free travel of each joint beside its slider."""
        with self._stage.lock:
            for name, shown in self._travels.items():
                shown.content = self._travel(name)
                shown.visible = True

    def _travel(self, name: str) -> str:
        """Return how far a joint can go, alone, from its value now."""
        robot = self._robot
        parts = []
        for to in self._range(robot.joints[name]):
            hit = robot.sweep(name, to) if to != robot[name] else None
            value = to if hit is None else hit.values[name]
            if hit is None:
                parts.append(f"{value:.4g} (limit)")
                continue
            other = hit.obstacle.name if hit.obstacle_link is None else f"its own {hit.obstacle_link}"
            colour = "#{:02x}{:02x}{:02x}".format(*CONTACT)
            parts.append(f'<b style="color:{colour}">{value:.4g}</b> ({html.escape(hit.link)} meets {html.escape(other)})')
        return f'<div style="font-size:.72rem;padding:0 .7em .4em">free from {parts[0]} to {parts[1]}</div>'


def _unit(joint: Joint) -> str:
    return "[radians]" if joint.kind == "revolute" else "[length]"
