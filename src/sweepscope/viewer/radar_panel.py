"""The panel of a radar: pictures of the same question."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import SweepscopeError
from ..radar.radar import Radar
from ..results import Method, RadarReading
from ..results.images import METHODS
from . import colors, words
from .latest import Later
from .question import Question
from .stage import PageStage, from_client

_WIDTH = 320  # of the pictures on the page [pixels]
_PIXELS = (50, 50)  # columns and rows, unless others are asked for
_MOST = 500  # columns or rows that a visitor may ask for
_LABELS = {
    "lookat": "gap L = R + M - d; near is yellow",
    "range": "range R: first surface ahead of the mover",
    "mask": "mask M: the mover, from the far end",
    "ids": "which body is ahead",
}


class RadarPanel:
    """Shows range, mask, gaps and ids of the question's movers and motion.

    pixels: (columns, rows) of pictures that are drawn from the start; None: none are drawn until a visitor switches it on.
    """

    def __init__(self, stage: PageStage, question: Question, pixels: tuple[int, int] | None, method: Method) -> None:
        self._stage = stage
        self._question = question
        self._images: dict[str, Any] = {}
        gui = stage.server.gui
        self._on = gui.add_checkbox("on", pixels is not None, hint="Draw pictures after every answer")
        given = pixels or _PIXELS
        most = (max(_MOST, given[0]), max(_MOST, given[1]))
        self._pixels = gui.add_vector2("pixels", given, min=(1, 1), max=most, step=1.0, hint="Columns and rows")
        hint = "sampled: gaps at the centers of pixels; bounding: the smallest gap in each pixel, misses nothing"
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
            self._hide(words.table("off", colors.MOTION, [("", "switch it on to draw pictures after every answer")]))
            return
        with self._stage.lock:
            movers = self._question.movers
            if not movers:
                self._hide(words.problem("choose a mover"))
                return
            try:
                columns, rows = map(round, self._pixels.value)
                radar = Radar(self._stage.scene, movers, pixels=(columns, rows), method=self._method.value)
                reading = radar.probe(self._question.motion())
            except SweepscopeError as error:
                self._hide(words.problem(str(error)))
                return
        self._draw(reading)

    def _hide(self, why: str) -> None:
        """Hide the pictures, which answer another question, and say why."""
        with self._stage.server.atomic():
            self._folder.visible = False
            self._words.content = why

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
            else:
                for name, picture in pictures.items():
                    self._images[name].image = picture
            self._folder.visible = True
            self._words.content = words.reading_answer(reading)
