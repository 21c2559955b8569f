"""The panel that saves: pictures, the question as Python, the answer as JSON, the scene as HTML. All are downloads."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..results.hits import plain_hit
from . import words
from .bodies import BY_VISITOR
from .question import Question
from .stage import PageStage
from .theme import Theme

_WIDEST = 1600  # most pixels along a side of a picture


class SavePanel:
    """Buttons that download what is on the page. Nothing is written on the machine that serves."""

    def __init__(self, stage: PageStage, question: Question, theme: Theme) -> None:
        self._stage = stage
        self._question = question
        self._theme = theme
        gui = stage.server.gui
        for label, hint, work in (
            ("Picture", "The answer, seen from where you are, as a PNG file", self._picture),
            ("Animation", "The motion up to the contact, as a GIF file", self._animation),
            ("Copy as Python", "The lines that ask this question", self._python),
            ("Answer as JSON", "The answer as plain data", self._json),
            ("Page as HTML", "The scene in a file that needs no server", self._html),
        ):
            gui.add_button(label, hint=hint).on_click(work)

    def _picture(self, event: Any) -> None:
        client = event.client
        if client is None:
            return
        with self._stage.lock:
            hit, bodies = self._question.hit, self._stage.bodies.hidden(BY_VISITOR)
            needed = () if hit is None else (*hit.movers, hit.obstacle)
            ignore = [body for body in self._stage.scene.bodies if body.id in bodies and body not in needed]
            picture = (hit or self._stage.scene).picture(size=self._size(client), ignore=ignore, **self._looks(client))
        client.send_file_download("sweepscope.png", picture.png(), save_immediately=True)

    def _animation(self, event: Any) -> None:
        client, movers = event.client, self._question.movers
        if client is None or not movers or self._question.problem is not None:
            return
        with TemporaryDirectory() as folder, self._stage.lock:
            path = Path(folder) / "sweepscope.gif"
            self._stage.scene.animate(movers, self._question.motion(), path, **self._looks(client))
            content = path.read_bytes()
        client.send_file_download("sweepscope.gif", content, save_immediately=True)

    def _looks(self, client: Any) -> dict[str, Any]:
        """Return what a visitor sees, as options of pictures: camera, light or dark."""
        camera = client.camera
        view = {"eye": camera.position, "target": camera.look_at, "up": camera.up_direction}
        return {**view, "dark": self._theme.dark_for(client)}

    @staticmethod
    def _size(client: Any) -> tuple[int, int]:
        """Return the size of a picture as wide as the visitor's window, within reason."""
        wide, high = client.camera.image_width, client.camera.image_height
        share = min(1.0, _WIDEST / max(wide, high, 1))
        return max(1, round(share * wide)), max(1, round(share * high))

    def _python(self, event: Any) -> None:
        client = event.client
        if client is None:
            return
        with self._stage.lock:
            movers, problem = self._question.movers, self._question.problem
            if not movers or problem is not None:
                text = f"# {problem}"
            else:
                everything = self._question.everything is not None
                text = words.python(movers, self._question.motion(), **self._question.options(), everything=everything)
        with client.gui.add_modal("This question in Python") as modal:
            client.gui.add_html(words.code(text))
            client.gui.add_button("Close").on_click(lambda _: modal.close())

    def _json(self, event: Any) -> None:
        if event.client is None:
            return
        with self._stage.lock:
            if self._question.problem is not None:
                plain: dict[str, Any] = {"problem": self._question.problem}
            elif self._question.everything is not None:
                plain = self._question.everything.as_dict()
            else:
                plain = plain_hit(self._question.hit, self._question.motion())
        event.client.send_file_download("sweepscope.json", json.dumps(plain, indent=2).encode(), save_immediately=True)

    def _html(self, event: Any) -> None:
        if event.client is not None:
            event.client.send_file_download("sweepscope.html", self.page().encode(), save_immediately=True)

    def page(self) -> str:
        """Return the scene as a page that needs no server: it can be viewed, but answers no questions."""
        with self._stage.lock:
            return self._stage.server.get_scene_serializer().as_html(dark_mode=self._theme.dark_for(None))
