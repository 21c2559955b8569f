"""The panel of a prediction: which bodies meet, and a slider of time that moves the bodies on the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..motion import Motion, Rotate, Screw, Translate
from ..results import PairContact
from ..world.body import Body
from . import words
from .latest import Latest
from .stage import PageStage, from_client

_NOW = "now"


class Meetings:
    """Shows the result of `scene.predict`."""

    def __init__(self, stage: PageStage) -> None:
        self._stage = stage
        self._found: list[PairContact] = []
        self._starts: dict[Body, Any] = {}
        self._motions: dict[Body, Motion] = {}
        gui = stage.server.gui
        self._time = gui.add_slider("time from now", 0.0, 1.0, 0.001, 0.0)
        self._which = gui.add_dropdown("go to", (_NOW,))
        self._words = gui.add_html("")
        self._show = Latest(self._draw)
        self._time.on_update(lambda event: self._show() if from_client(event) else None)
        self._which.on_update(self._on_choice)

    def load(self, motions: Mapping[Body, Motion], horizon: float, found: list[PairContact]) -> None:
        """Show what `scene.predict` found; bodies that the last prediction had moved go back."""
        with self._stage.lock, self._stage.server.atomic():
            self._stage.bodies.update()
            self._found, self._motions = found, dict(motions)
            self._starts = {body: body.pose for body in motions}
            self._time.max, self._time.step, self._time.value = float(horizon), float(horizon) / 1000.0, 0.0
            self._which.options = (_NOW, *(f"{k + 1}: {m.first.name}, {m.second.name}" for k, m in enumerate(found)))
            self._which.value = _NOW
        self._show()

    def _on_choice(self, event: Any) -> None:
        if from_client(event):
            title = self._which.value
            self._time.value = 0.0 if title == _NOW else self._found[int(title.partition(":")[0]) - 1].time
            self._show()

    def _draw(self) -> None:
        time = self._time.value
        reached = [meeting for meeting in self._found if meeting.time <= time]
        with self._stage.lock, self._stage.server.atomic():
            for body, motion in self._motions.items():
                self._stage.bodies.place(body, motion_in(motion, time) @ self._starts[body])
            self._stage.bodies.mark_movers(())
            self._stage.bodies.light(body for meeting in reached for body in meeting.bodies)
            last = reached[-1] if reached else None
            self._stage.view.hide_motion()
            self._stage.view.contact(None if last is None else last.point, None if last is None else last.normal)
            self._words.content = words.meetings_answer(self._found, time)


def motion_in(motion: Motion, time: float) -> Any:
    """Return the transform, shape (4, 4), of a motion that goes on at constant speed for a time."""
    if isinstance(motion, Translate):
        x, y, z = motion.vector
        return Translate((time * x, time * y, time * z)).at()
    if isinstance(motion, Rotate):
        return Rotate(motion.axis, time * motion.angle, about=motion.about).at()
    assert isinstance(motion, Screw)
    return Screw(motion.axis, time * motion.angle, slide=time * motion.slide, about=motion.about).at()
