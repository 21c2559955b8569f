"""What all panels share: the server, the scene, its bodies on the page, and the lock of the scene."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ..scene import Scene
from .answer import AnswerView
from .bodies import Bodies
from .serving import Server


class PageStage:
    """A scene on a server. A thread holds `lock` while it asks, or changes the scene."""

    def __init__(self, server: Server, scene: Scene) -> None:
        self.server = server
        self.scene = scene
        self.lock = threading.RLock()
        self.bodies = Bodies(server, scene)
        self.view = AnswerView(server, self.bodies.size)
        self.changed: list[Callable[[], None]] = []
        """What panels do after the scene has changed; called under the lock."""
        self.closing: list[Callable[[], None]] = []
        """What panels do when the page closes."""

    def update(self) -> None:
        """Draw what has changed in the scene, and answer again."""
        with self.lock:
            self.bodies.update()
            for each in self.changed:
                each()


def from_client(event: Any) -> bool:
    """Return whether a person caused this event, and not the program, which sets values too."""
    return event.client_id is not None
