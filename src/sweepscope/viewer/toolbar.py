"""The buttons above all tabs: undo, redo, and a camera that shows what is asked about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .stage import PageStage

_UNDO, _REDO, _FIT = "Undo", "Redo", "Fit view"


class Toolbar:
    """Undo, Redo and Fit view, as buttons and as keys: Ctrl+Z, Ctrl+Shift+Z and F.

    fit: moves the camera of the visitor that is given.
    """

    def __init__(self, stage: PageStage, fit: Callable[[Any], None]) -> None:
        self._stage = stage
        gui = stage.server.gui
        work: dict[str, Callable[[Any], None]] = {_UNDO: self._undo, _REDO: self._redo, _FIT: fit}
        buttons = gui.add_button_group("edit", tuple(work), hint="Ctrl+Z, Ctrl+Shift+Z, F")
        buttons.on_click(lambda event: work[event.target.value](event.client))
        for name, key, modifier in ((_UNDO, "Z", "cmd/ctrl"), (_REDO, "Z", "cmd/ctrl+shift"), (_FIT, "F", None)):
            command = gui.add_command(name, hotkey=key, modifier=modifier)
            command.on_trigger(lambda event, work=work[name]: work(event.client))

    def _undo(self, client: Any) -> None:
        self._step(client, self._stage.history.undo, "Undone")

    def _redo(self, client: Any) -> None:
        self._step(client, self._stage.history.redo, "Redone")

    def _step(self, client: Any, step: Callable[[], str | None], done: str) -> None:
        """Go one step through the history, and tell the visitor which."""
        with self._stage.lock:
            name = step()
            if name is not None:
                self._stage.update()
        if client is not None:
            title = f"Nothing to be {done.lower()}" if name is None else f"{done}: {name}"
            client.add_notification(title, "", auto_close_seconds=3.0)
