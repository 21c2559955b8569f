"""The panel of overlaps: all pairs of bodies that overlap or are too near to each other, as a list to go through."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ..errors import SweepscopeError
from ..results import PairDistance
from . import near_words, words
from .camera import aim, points_of_bodies, size_of
from .colors import MOTION
from .latest import Later
from .marks import Marks
from .question import Question
from .stage import PageStage, from_client

_NONE = "(none)"
_MOST = 1000  # pairs in the list of a browser
_WHY = "overlaps"


class OverlapPanel:
    """Lists what `scene.overlaps` finds, after each change of the scene. A choice lights a pair, and the camera goes there."""

    def __init__(self, stage: PageStage, question: Question) -> None:
        self._stage = stage
        self._question = question
        self._marks = Marks(stage.server, "/overlap")
        self._pairs: dict[str, PairDistance] = {}
        gui = stage.server.gui
        step = float(f"{1e-3 * stage.size:.1g}")
        self._on = gui.add_checkbox("on", False, hint="Look for overlaps of all bodies after each change")
        about = "Also pairs that are not farther apart than this; 0: pairs that touch [length]"
        self._limit = gui.add_number("limit", 0.0, min=0.0, step=step, hint=about)
        self._which = gui.add_dropdown("go to", (_NONE,))
        self._words = gui.add_html("")
        self.look = Later(self._work, "sweepscope overlaps")
        stage.closing.append(self.look.close)
        for control in (self._on, self._limit):
            control.on_update(lambda event: question.ask() if from_client(event) else None)  # it calls `look`
        self._which.on_update(self._on_choice)
        question.answered.append(self.look)
        self.look()

    def _work(self) -> None:
        with self._stage.lock, self._stage.server.atomic():
            self._pairs, failed = {}, None
            if self._on.value:
                try:
                    found = self._stage.scene.overlaps(limit=self._limit.value)
                except SweepscopeError as error:
                    found, failed = [], str(error)
                found.sort(key=lambda pair: (not pair.overlapping, pair.distance))
                self._pairs = {f"{k + 1}: {pair.first.name}, {pair.second.name}": pair for k, pair in enumerate(found)}
            self._words.content = self._text() if failed is None else words.problem(failed)
            options = (_NONE, *itertools.islice(self._pairs, _MOST))
            if options != self._which.options:
                self._which.options = options
            self._which.value = _NONE
            self._show(None)

    def _text(self) -> str:
        if not self._on.value:
            return words.table("off", MOTION, [("", "switch it on to look for overlaps after each change")])
        return near_words.overlaps_answer(tuple(self._pairs.values()), self._limit.value, self._stage.bodies.chip)

    def _on_choice(self, event: Any) -> None:
        if not from_client(event):
            return
        with self._stage.lock, self._stage.server.atomic():
            pair = self._pairs.get(self._which.value)
            if pair is None or not all(body in self._stage.scene for body in pair.bodies):
                self._question.ask()  # its marks come back, and the list is made anew
                return
            self._show(pair)
            if event.client is not None:
                camera = event.client.camera
                aim(camera, points_of_bodies(pair.bodies), camera.fov, camera.aspect)

    def _show(self, pair: PairDistance | None) -> None:
        """Light both bodies of a pair, see-through, instead of the marks of the question; None: of no pair."""
        stage = self._stage
        stage.bodies.fade(() if pair is None else pair.bodies, _WHY)
        if pair is None:
            self._marks.hide()
            return
        stage.clear_marks()
        stage.bodies.light(pair.bodies)
        self._words.content = self._text()
        if np.isfinite(pair.first_point).all():
            self._marks.between(pair, size_of(points_of_bodies(pair.bodies)))
