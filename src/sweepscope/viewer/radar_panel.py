"""The panel of a radar: what the same question looks like in pictures."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import SweepscopeError
from ..radar.radar import Radar
from ..results import Method, RadarReading
from ..results.scopes import METHODS
from . import colors, words
from .latest import Later
from .question import Question
from .stage import PageStage, from_client

_WIDTH = 320  # of the pictures on the page [pixels]
_PIXELS = 50  # columns and rows, unless others are asked for
_LABELS = {
    "lookat": "gap L = R + M - d; near is yellow",
    "range": "range R: first surface ahead of the mover",
    "mask": "mask M: the mover, from the far end",
    "ids": "which body is ahead",
}


class RadarPanel:
    """Shows range, mask, gaps and ids of the question's movers and motion.

    pixels: columns and rows of pictures that are drawn from the start; None: when somebody switches it on.
    """

    def __init__(self, stage: PageStage, question: Question, pixels: int | None, method: Method) -> None:
        self._stage = stage
        self._question = question
        self._images: dict[str, Any] = {}
        gui = stage.server.gui
        self._on = gui.add_checkbox("on", pixels is not None, hint="Draw pictures after every answer")
        columns = max(10, pixels or _PIXELS)
        self._pixels = gui.add_slider("pixels", 10, max(200, columns), 1, columns, hint="Columns and rows")
        hint = "Gaps at the centers of pixels; the smallest in each pixel: never misses; or as the paper of 2002 reads them"
        self._method = gui.add_dropdown("method", METHODS, initial_value=method, hint=hint)
        self._words = gui.add_html("")
        self._folder = gui.add_folder("pictures", visible=False)
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
            self._words.content = words.table("off", colors.MOTION, [("", "switched on, it draws pictures after every answer")])
            return
        with self._stage.lock:
            movers = self._question.movers
            if not movers:
                self._words.content = words.problem("choose a mover")
                return
            try:
                radar = Radar(self._stage.scene, movers, pixels=self._pixels.value, method=self._method.value)
                reading = radar.probe(self._question.motion())
            except SweepscopeError as error:
                self._words.content = words.problem(str(error))
                return
        self._draw(reading)

    def _draw(self, reading: RadarReading) -> None:
        ahead, beside = reading.ids >= 0, np.isnan(reading.lookat)
        pictures = {
            "lookat": colors.depths(reading.lookat, ~beside & ahead, _WIDTH),
            "range": colors.depths(reading.range, ahead, _WIDTH),
            "mask": colors.depths(reading.mask, ~beside, _WIDTH),
            "ids": colors.names(reading.ids, (body.id for body in reading.obstacles), _WIDTH),
        }
        with self._stage.server.atomic():
            if not self._images:
                # Not before: most pages never show them, and the first picture to be encoded takes a tenth of a second.
                with self._folder:
                    self._images = {
                        name: self._stage.server.gui.add_image(picture, label=_LABELS[name], format="png")
                        for name, picture in pictures.items()
                    }
                self._folder.visible = True
            else:
                for name, picture in pictures.items():
                    self._images[name].image = picture
            self._words.content = words.reading_answer(reading)
