"""The panel of a ray: which bodies it meets. A click on the scene casts it from the camera."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import SweepscopeError
from . import near_words, words
from .bodies import BY_VISITOR, bounds_of
from .colors import MOTION
from .latest import Latest
from .marks import Marks
from .question import Question
from .stage import PageStage, from_client

_WHY = "ray"


class RayPanel:
    """Asks `scene.cast_all` for one ray. Bodies that a visitor has hidden are left out: a click meets what is seen."""

    def __init__(self, stage: PageStage, question: Question) -> None:
        self._stage = stage
        self._marks = Marks(stage.server, "/ray")
        gui = stage.server.gui
        low, high = bounds_of(stage.scene)
        middle, above = 0.5 * (low + high), float(high[2] + 0.1 * stage.size)
        step = float(f"{1e-3 * stage.size:.1g}")
        self._on = gui.add_checkbox("on", False, hint="A click on the scene casts a ray, and chooses no mover")
        self._origin = gui.add_vector3("from", (*middle[:2].tolist(), above), step=step, hint="Where the ray begins [length]")
        self._direction = gui.add_vector3("direction", (0.0, 0.0, -1.0), step=0.01, hint="Of any length above 0")
        self._radius = gui.add_number("radius", 0.0, min=0.0, step=step, hint="Of a ball that moves along the ray [length]")
        self._words = gui.add_html("")
        self._cast = Latest(self._work)
        for control in (self._origin, self._direction, self._radius):
            control.on_update(lambda event: self._cast() if from_client(event) else None)
        self._on.on_update(lambda event: self._switch() if from_client(event) else None)
        stage.server.scene.on_click()(self._on_click)
        question.answered.append(self._cast)
        self._cast()

    def _switch(self) -> None:
        self._stage.bodies.let_clicks_through(self._on.value, _WHY)
        self._cast()

    def _on_click(self, event: Any) -> None:
        if self._on.value:
            self._origin.value, self._direction.value = event.ray_origin, event.ray_direction
            self._cast()

    def _work(self) -> None:
        with self._stage.lock, self._stage.server.atomic():
            if not self._on.value:
                self._marks.hide()
                text = "switch it on and click on the scene: a ray goes from the camera to that place"
                self._words.content = words.table("off", MOTION, [("", text)])
                return
            scene, hidden = self._stage.scene, self._stage.bodies.hidden(BY_VISITOR)
            origin, direction = np.array(self._origin.value), np.array(self._direction.value)
            ignore = [body for body in scene.bodies if body.id in hidden]
            try:
                found = scene.cast_all(origin, direction, radius=self._radius.value, ignore=ignore).crossings
            except SweepscopeError as error:
                self._marks.hide()
                self._words.content = words.problem(str(error))
                return
            self._words.content = near_words.ray_answer(found, scene, self._stage.bodies.chip)
            self._draw(origin, direction, found.point, found.normal, found.distance)

    def _draw(self, origin: NDArray[np.float64], direction: NDArray[np.float64], points: Any, normals: Any, far: Any) -> None:
        """Mark the ray up to the last place that it meets, all these places, and the normal at the first."""
        size = self._stage.size
        length = float(far[-1]) if len(far) else 2.0 * size
        end = origin + length * direction / np.linalg.norm(direction)
        known = bool(len(points)) and bool(np.isfinite(normals[0]).all())
        arrows = (points[:1], normals[:1]) if known else None
        self._marks.draw(points, size, lines=np.array([(origin, end)]), arrows=arrows)
