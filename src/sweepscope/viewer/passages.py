"""Everything on the way of the question's motion: the list of what is met, and the mover at each contact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..motion import Motion
from ..results import Hit, SweepAllResult
from ..world.body import Body
from . import near_words
from .stage import PageStage, from_client

_ALL = "(all)"


class Passages:
    """Two controls of the question: whether the mover passes through everything, and at which contact it is shown.

    ask: asks the question again.
    """

    def __init__(self, stage: PageStage, ask: Callable[[], None]) -> None:
        self._stage = stage
        self.found: SweepAllResult | None = None
        """All contacts of the last answer; None if only the first was asked for."""
        gui = stage.server.gui
        hint = "All bodies that are met, as if the mover passed through them, and when each is left"
        self._on = gui.add_checkbox("pass through", False, hint=hint)
        self._which = gui.add_dropdown("show at", (_ALL,), visible=False, hint="The mover at the contact with this body")
        for control in (self._on, self._which):
            control.on_update(lambda event: ask() if from_client(event) else None)

    def sweep(self, movers: Sequence[Body], motion: Motion, options: dict[str, Any]) -> Hit | None:
        """Return the first contact, and keep all others if a visitor wants them. Raises as `scene.sweep` does."""
        if not self._on.value:
            return self._stage.scene.sweep(movers, motion, **options)
        self.found = found = self._stage.scene.sweep_all(movers, motion, **options)
        names = (_ALL, *(body.name for body in found.obstacles))
        if names != self._which.options:
            kept = self._which.value if self._which.value in names else _ALL
            self._which.options = names
            self._which.value = kept
        return found[0].hit if found else None

    def forget(self) -> None:
        """Keep nothing of the last answer."""
        self.found = None
        self._which.visible = self._on.value

    def shown(self, hit: Hit | None) -> tuple[Hit | None, float, tuple[Body, ...]]:
        """Return the contact to mark, the time up to which the motion is drawn, 0 .. 1, and the bodies to light.

        hit: the first contact.
        """
        if self.found is None:
            return hit, 1.0 if hit is None else hit.time, () if hit is None else (hit.obstacle,)
        for passage in self.found:
            if passage.obstacle.name == self._which.value:
                return passage.hit, passage.hit.time, (passage.obstacle,)
        return hit, 1.0, self.found.obstacles

    def words(self, motion: Motion) -> str:
        """Return the list of what is met, in HTML; empty if it is not wanted."""
        return "" if self.found is None else near_words.passages_answer(self.found, motion, self._stage.bodies.chip)
