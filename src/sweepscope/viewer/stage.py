"""What all panels share: the server, the scene, its bodies on the page, the lock of the scene, the history."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ..scene import Scene
from .answer import AnswerView
from .bodies import Bodies
from .history import History
from .serving import Server


class PageStage:
    """A scene on a server. A thread holds `lock` while it asks, or changes the scene.

    size: diagonal of what is looked at when the page opens [length]; marks, gizmos and steps of fields are sized by it.
    """

    def __init__(self, server: Server, scene: Scene, size: float) -> None:
        self.server = server
        self.scene = scene
        self.size = size
        self.lock = threading.RLock()
        self.history = History()
        self.bodies = Bodies(server, scene, size)
        self.view = AnswerView(server, size)
        self.changed: list[Callable[[], None]] = []
        """What panels do after the scene has changed; called under the lock."""
        self.closing: list[Callable[[], None]] = []
        """What panels do when the page closes."""

    def update(self) -> None:
        """Draw what has changed in the scene, remove the marks of old answers, and answer again."""
        with self.lock, self.server.atomic():
            self.clear_marks()
            self.bodies.update()
            for each in self.changed:
                each()

    def clear_marks(self) -> None:
        """Remove the marks of an answer: contact, ghosts, paths, lit bodies."""
        self.view.contact(None, None)
        self.view.hide_motion()
        self.bodies.light(())


def from_client(event: Any) -> bool:
    """Return whether a visitor caused this event, and not the program, which sets values too."""
    return event.client_id is not None
