"""The panel of distances: the bodies that are nearest to the mover, and its contacts. It answers while the mover is dragged."""

from __future__ import annotations

import numpy as np

from ..errors import SweepscopeError
from ..results import Contacts, PairDistance
from ..world.body import Body
from . import near_words, words
from .bodies import bounds_of
from .camera import size_of
from .colors import MOTION
from .latest import Later
from .marks import ARROW, Marks
from .question import Question
from .stage import PageStage, from_client

_MOST = 5  # nearest bodies that are listed
_WHY = "contacts"


class NearPanel:
    """Shows what is nearest to the question's movers, and where they touch other bodies."""

    def __init__(self, stage: PageStage, question: Question) -> None:
        self._stage = stage
        self._question = question
        self._near = Marks(stage.server, "/near")
        self._touching = Marks(stage.server, "/contacts")
        gui = stage.server.gui
        # A number that is large enough for all bodies, for now.
        limit = float(f"{2.0 * size_of(bounds_of(stage.scene)):.1g}")
        self._nearest = gui.add_checkbox("nearest", False, hint=f"The {_MOST} bodies that are nearest to the mover")
        self._limit = gui.add_number(
            "limit", limit, min=0.0, step=0.01 * limit, hint="Only bodies within this distance [length]"
        )
        self._contacts = gui.add_checkbox("contacts", False, hint="Where the mover touches others, with normals")
        about = "Also places that are this near to each other [length]"
        self._margin = gui.add_number("margin", 0.0, min=0.0, step=float(f"{1e-3 * stage.size:.1g}"), hint=about)
        self._words = gui.add_html("")
        self.look = Later(self._work, "sweepscope near")
        stage.closing.append(self.look.close)
        for control in (self._nearest, self._limit, self._contacts, self._margin):
            control.on_update(lambda event: self.look() if from_client(event) else None)
        question.answered.append(self.look)
        self.look()

    def _work(self) -> None:
        with self._stage.lock, self._stage.server.atomic():
            movers, chip = self._question.movers, self._stage.bodies.chip
            pairs: list[PairDistance] = []
            contacts = None
            texts = []
            try:
                if self._nearest.value and movers:
                    pairs = self._stage.scene.nearest(movers, limit=self._limit.value, k=_MOST)
                    texts.append(near_words.nearest_answer(pairs, self._limit.value, chip))
                if self._contacts.value and movers:
                    contacts = self._stage.scene.contacts(movers, margin=self._margin.value)
                    texts.append(near_words.contacts_answer(contacts, self._margin.value, chip))
            except SweepscopeError as error:
                texts.append(words.problem(str(error)))
            if not (self._nearest.value or self._contacts.value):
                texts = [words.table("off", MOTION, [("", "switch on what to show of the mover")])]
            elif not movers:
                texts = [words.problem("choose a mover, or click a body")]
            self._words.content = "".join(texts)
            self._draw(movers, pairs, contacts)

    def _draw(self, movers: tuple[Body, ...], pairs: list[PairDistance], contacts: Contacts | None) -> None:
        """Mark the nearest points and the contacts; movers with normals inside are see-through."""
        size = self._question.size
        if pairs and np.isfinite(pairs[0].first_point).all():
            self._near.between(pairs[0], size)
        else:
            self._near.hide()
        if contacts:
            known = np.isfinite(contacts.normal).all(axis=1)
            self._touching.draw(contacts.other_point, size, arrows=(contacts.other_point[known], contacts.normal[known]))
        else:
            self._touching.hide()
        inside = contacts is not None and not (contacts.gap >= ARROW * size).all()  # NaN: it overlaps
        self._stage.bodies.fade(movers if inside else (), _WHY)
