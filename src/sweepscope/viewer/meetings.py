"""The panel of a prediction: who meets whom, and a slider of time that moves the bodies there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..motion import Motion, Rotate, Screw, Translate
from ..world.body import Body
from . import words
from .latest import Latest
from .stage import Stage, from_client

_NOW = "now"


class Meetings:
    """Shows `scene.predict`."""

    def __init__(self, stage: Stage, motions: Mapping[Body, Motion], horizon: float, margin: float) -> None:
        self._stage = stage
        with stage.lock:
            self.found = stage.scene.predict(motions, horizon, margin=margin)
            self._starts = {body: body.pose for body in motions}
        self._motions = dict(motions)
        gui = stage.server.gui
        self._time = gui.add_slider("frames from now", 0.0, float(horizon), float(horizon) / 1000.0, 0.0)
        titles = (_NOW, *(f"{k + 1}: {m.first.name}, {m.second.name}" for k, m in enumerate(self.found)))
        self._which = gui.add_dropdown("go to", titles)
        gui.add_html(words.meetings_answer(self.found))
        self._show = Latest(self._draw)
        self._time.on_update(lambda event: self._show() if from_client(event) else None)
        self._which.on_update(self._on_choice)

    def _on_choice(self, event: Any) -> None:
        if from_client(event):
            title = self._which.value
            self._time.value = 0.0 if title == _NOW else self.found[int(title.partition(":")[0]) - 1].frames
            self._show()

    def _draw(self) -> None:
        frames = self._time.value
        reached = [meeting for meeting in self.found if meeting.frames <= frames]
        with self._stage.lock, self._stage.server.atomic():
            for body, motion in self._motions.items():
                self._stage.bodies.place(body, motion_in(motion, frames) @ self._starts[body])
            self._stage.bodies.light(body for meeting in reached for body in meeting.bodies)
            last = reached[-1] if reached else None
            self._stage.view.hide_motion()
            self._stage.view.contact(None if last is None else last.point, None if last is None else last.normal)


def motion_in(motion: Motion, frames: float) -> Any:
    """Return the transform, shape (4, 4), of a motion that goes on at constant speed for so many frames."""
    if isinstance(motion, Translate):
        x, y, z = motion.vector
        return Translate((frames * x, frames * y, frames * z)).at()
    if isinstance(motion, Rotate):
        return Rotate(motion.axis, frames * motion.angle, motion.about).at()
    assert isinstance(motion, Screw)
    return Screw(motion.axis, frames * motion.angle, frames * motion.slide, motion.about).at()
