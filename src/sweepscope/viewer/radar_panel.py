"""The panel of a radar: what the same question looks like in pictures."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import SweepscopeError
from ..radar.radar import Radar
from ..results import METHODS, Reading
from . import colours, words
from .latest import Later
from .question import Asked, Question
from .stage import Stage, from_client

_WIDTH = 320  # of the pictures on the page [pixels]
_BLANK = np.full((1, 1, 3), 235, np.uint8)


class RadarPanel:
    """Shows range, mask, gaps and ids of the question's mover and motion."""

    def __init__(self, stage: Stage, question: Question, asked: Asked) -> None:
        self._stage = stage
        self._question = question
        gui = stage.server.gui
        self._on = gui.add_checkbox("on", True, hint="Draw pictures after every answer")
        self._pixels = gui.add_slider("pixels", 10, max(200, asked.pixels), 1, max(10, asked.pixels), hint="Columns and rows")
        hint = "Gaps at the centres of pixels; the smallest in each pixel: never misses; or as the paper of 2002 reads them"
        self._method = gui.add_dropdown("method", METHODS, initial_value=asked.method, hint=hint)
        self._words = gui.add_html("")
        blank = np.broadcast_to(_BLANK, (_WIDTH // 2, _WIDTH, 3)).copy()
        self._images = {
            name: gui.add_image(blank, label=label, format="png")
            for name, label in (
                ("lookat", "gap L = R + M - d; near is yellow"),
                ("range", "range R: first surface ahead of the mover"),
                ("mask", "mask M: the mover, from the far end"),
                ("ids", "which body is ahead"),
            )
        }
        self.look = Later(self._work, "sweepscope radar")
        stage.closing.append(self.look.close)
        for control in (self._on, self._pixels, self._method):
            control.on_update(self._on_change)
        question.answered.append(self.look)
        self.look()

    def _on_change(self, event: Any) -> None:
        if from_client(event):
            self.look()

    def _work(self) -> None:
        if not self._on.value:
            return
        with self._stage.lock:
            mover = self._question.mover
            if mover is None:
                self._words.content = words.problem("choose a mover")
                return
            try:
                radar = Radar(self._stage.scene, mover, self._pixels.value, method=self._method.value)
                reading = radar.probe(self._question.motion())
            except SweepscopeError as error:
                self._words.content = words.problem(str(error))
                return
        self._draw(reading)

    def _draw(self, reading: Reading) -> None:
        ahead, beside = reading.ids >= 0, np.isnan(reading.lookat)
        with self._stage.server.atomic():
            self._images["range"].image = colours.depths(reading.range, ahead, _WIDTH)
            self._images["mask"].image = colours.depths(reading.mask, ~beside, _WIDTH)
            self._images["lookat"].image = colours.depths(reading.lookat, ~beside & ahead, _WIDTH)
            self._images["ids"].image = colours.names(reading.ids, _WIDTH)
            self._words.content = words.reading_answer(reading)
