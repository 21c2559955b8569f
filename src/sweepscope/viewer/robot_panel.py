"""The panel of a robot: a slider for each joint, which stops where the exact sweep says."""

from __future__ import annotations

import math
from typing import Any

from ..errors import SweepscopeError
from ..results import LinkHit
from ..robot.ends import ends
from ..robot.joint import Joint
from ..robot.robot import Robot
from . import words
from .free_travel import bar, free_travel
from .history import Change
from .latest import Later, Latest
from .links import Links
from .stage import PageStage, from_client

_STEPS = 1000  # of a slider


class RobotPanel:
    """Moves the joints of a robot, and shows their free travel.

    visual: the same robot with its visual shapes, in a scene of its own. sweep_all: whether to start with bars of free travel.
    """

    def __init__(self, stage: PageStage, robot: Robot, visual: Robot | None, sweep_all: bool) -> None:
        self._stage = stage
        self._robot = robot
        self._links = Links(stage, robot, visual)
        gui = stage.server.gui
        self._stops = gui.add_checkbox("stop at contact", True, hint="Off: joints pass through everything")
        self._visual = gui.add_checkbox("visual shapes", visual is not None, visible=visual is not None)
        about = "The shapes that are swept"
        self._collision = gui.add_checkbox("collision shapes", visual is None, hint=about, visible=visual is not None)
        self._every = gui.add_checkbox(
            "sweep all joints", sweep_all, hint="Show how far each joint can go, alone, after each move"
        )
        self._sliders: dict[str, Any] = {}
        self._bars: dict[str, Any] = {}
        for name in robot.actuated_joints:
            low, high = self._range(robot.joints[name])
            step = (high - low) / _STEPS or 1e-3
            slider = gui.add_slider(name, low, high, step, min(max(robot[name], low), high), hint=_unit(robot.joints[name]))
            slider.on_update(self._mover(name))
            self._sliders[name] = slider
            self._bars[name] = gui.add_html("", visible=False)
        self._start = robot.positions
        self._reset = gui.add_button("Reset joints", color="gray", hint="To the positions when the page was opened")
        self._reset.on_click(lambda _: self._reset_joints())
        self._words = gui.add_html("")
        self._measure = Later(self._draw_bars, "sweepscope free travel")
        stage.closing.append(self._measure.close)
        for control in (self._visual, self._collision):
            control.on_update(lambda event: self._choose() if from_client(event) else None)
        self._every.on_update(lambda event: self._measure() if from_client(event) else None)
        stage.changed.append(self._refresh)
        self._choose()
        self._refresh()

    def _range(self, joint: Joint) -> tuple[float, float]:
        """Return the ends of a slider; a joint that slides without limits gets twice the size of what is looked at."""
        far = 2.0 * self._stage.size
        low, high = ends(self._robot, joint)
        return max(low, -far) if math.isinf(low) else low, min(high, far) if math.isinf(high) else high

    def _mover(self, name: str) -> Any:
        """Return what a slider's joint does when it is moved."""
        work = Latest(lambda: self._move(name))
        return lambda event: work() if from_client(event) else None

    def _move(self, name: str) -> None:
        """Move a joint to its slider, or to the contact on the way; then the slider is there too."""
        robot, slider = self._robot, self._sliders[name]
        with self._stage.lock, self._stage.server.atomic():
            to, before = float(slider.value), robot.positions
            try:
                hit = robot.sweep(name, to) if self._stops.value else None
                robot[name] = to if hit is None else hit.positions[name]
            except SweepscopeError as error:
                self._words.content = words.problem(str(error))
                slider.value = robot[name]
                return
            slider.value = robot[name]
            self._record(f"move of {name}", (robot.name, name), before)
            self._stage.update()
            self._show(name, to, hit)

    def _reset_joints(self) -> None:
        """Put all joints where they were when the page was made."""
        with self._stage.lock, self._stage.server.atomic():
            before = self._robot.positions
            self._robot.positions = self._start
            self._record(f"reset of {self._robot.name}", None, before)
            self._stage.update()

    def _record(self, name: str, key: tuple[str, str] | None, before: dict[str, float]) -> None:
        """Have a change of joints undone on demand."""
        if self._robot.positions != before:
            self._stage.history.add(Change(name, key, self._set, before, self._robot.positions))

    def _set(self, positions: dict[str, float]) -> None:
        """Set joints; a robot that was removed stays as it is."""
        if self._stage.scene.robots.get(self._robot.name) is self._robot:
            self._robot.positions = positions

    def _show(self, name: str, to: float, hit: LinkHit | None) -> None:
        """Show what stopped a joint, and a ghost at the position that was asked for."""
        view = self._stage.view
        self._words.content = words.joint_answer(hit, name, self._robot[name])
        view.contact(None if hit is None else hit.point, None if hit is None else hit.normal)
        view.hide_motion()
        if hit is not None:
            self._links.show_ghost({name: to})
        self._stage.bodies.light(() if hit is None else (hit.mover, hit.obstacle))

    def _refresh(self) -> None:
        """Follow the robot. The words about its last move go: other bodies may have moved since."""
        self._words.content = ""
        for name, slider in self._sliders.items():
            value = self._robot[name]
            if slider.value != value and slider.min <= value <= slider.max:
                slider.value = value
        self._links.follow()
        self._measure()

    def _choose(self) -> None:
        """Show the chosen shapes."""
        with self._stage.lock:
            self._links.choose(visual=self._visual.value, collision=self._collision.value)

    def _draw_bars(self) -> None:
        """Draw the free travel of each joint below its slider. Joint by joint, so that a drag does not wait for all of them."""
        for name, shown in self._bars.items():
            if self._every.value:
                with self._stage.lock:
                    slider = self._sliders[name]
                    shown.content = bar(free_travel(self._robot, name, slider.min, slider.max))
            shown.visible = self._every.value


def _unit(joint: Joint) -> str:
    return "[radians]" if joint.kind == "revolute" else "[length]"
