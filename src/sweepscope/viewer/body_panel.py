"""The panel of bodies: a tree that hides and shows them, and facts about the one that was clicked."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from .. import checks
from ..robot.robot import Robot
from ..world.body import Body, entry_of
from . import words
from .bodies import BY_VISITOR
from .colors import MOTION
from .stage import PageStage, from_client

_ALL, _NONE = "all", "none"
_MOST = 50  # rows; scenes may have thousands of bodies


class BodyPanel:
    """A switch for each body; a branch for each robot, with a switch for each link.

    Hiding changes what is drawn, and nothing else: hidden bodies are still hit.
    """

    def __init__(self, stage: PageStage) -> None:
        self._stage = stage
        gui = stage.server.gui
        self._find = gui.add_text("find", "", hint="A part of the name of a body, a robot or a link")
        self._show = gui.add_button_group("show", (_ALL, _NONE), hint="Of the bodies that are found")
        self._words = gui.add_html("")
        self._folder = gui.add_folder(None)
        self._branches: dict[str, _Branch] = {}
        self._find.on_update(lambda event: self._locked_refresh() if from_client(event) else None)
        self._show.on_click(lambda event: self._switch(self._found_bodies(), event.target.value == _ALL))
        stage.changed.append(self._refresh)
        stage.bodies.clicked.append(self._tell)
        self._refresh()

    def _locked_refresh(self) -> None:
        with self._stage.lock, self._stage.server.atomic():
            self._refresh()

    def _found(self) -> dict[str, Sequence[tuple[str, Sequence[Body]]]]:
        """Return what matches the search: name and bodies of each body and link, by robot; "" for bodies of no robot."""
        scene, wanted = self._stage.scene, self._find.value.strip().casefold()
        free = [body for body in scene.bodies if not entry_of(body).holder]
        found: dict[str, Sequence[tuple[str, Sequence[Body]]]] = {
            "": [(body.name, (body,)) for body in free if wanted in body.name.casefold()]
        }
        for name, robot in scene.robots.items():
            links = [(link.name, link.bodies) for link in robot.links.values() if link.bodies]
            if wanted not in name.casefold():
                links = [(link, bodies) for link, bodies in links if wanted in link.casefold()]
            found[name] = links
        return found

    def _found_bodies(self) -> list[Body]:
        with self._stage.lock:
            return [body for rows in self._found().values() for _, bodies in rows for body in bodies]

    def _refresh(self) -> None:
        """Show a row for everything that is found, up to a limit."""
        found = self._found()
        hidden, left = self._stage.bodies.hidden(BY_VISITOR), _MOST
        for name, rows in found.items():
            if rows and name not in self._branches:
                self._branches[name] = _Branch(self._stage.server.gui, self._folder, name, self._switch)
        for name, branch in self._branches.items():
            shown = found.get(name, [])[: max(left, 0)]
            left -= len(shown)
            branch.show(shown, hidden)
        count, most = len(self._stage.scene), sum(map(len, found.values()))
        facts = [("hidden", str(len(hidden)))] if hidden else []
        if most > _MOST:
            facts.append(("", f"{most - _MOST} more: write a part of a name to find them"))
        self._words.content = words.table(checks.amount(count, "body", "bodies"), MOTION, facts)

    def _switch(self, bodies: Sequence[Body], shown: bool) -> None:
        with self._stage.lock, self._stage.server.atomic():
            self._stage.bodies.hide([body for body in bodies if body in self._stage.scene], not shown, BY_VISITOR)
            self._refresh()

    def _tell(self, body: Body) -> None:
        """Show facts about the body that was clicked."""
        with self._stage.lock, self._stage.server.atomic():
            if body not in self._stage.scene:
                return
            self._stage.bodies.show_name(body)
            self._refresh()
            self._words.content += words.table(body.name, MOTION, _facts(body, self._stage.scene.robots))


class _Row:
    """The switch of one body, or of one link."""

    def __init__(self, box: Any) -> None:
        self.box = box
        self.bodies: Sequence[Body] = ()


class _Branch:
    """The rows of a robot, in a folder; name "": of all other bodies, without one.

    Rows that are not needed are hidden, and used again: viser keeps a message of each one that is removed.
    """

    def __init__(self, gui: Any, parent: Any, name: str, switch: Callable[[Sequence[Body], bool], None]) -> None:
        self._gui = gui
        self._switch = switch
        self._rows: list[_Row] = []
        with parent:
            self._folder = gui.add_folder(name or None)

    def show(self, found: Sequence[tuple[str, Sequence[Body]]], hidden: AbstractSet[int]) -> None:
        """Show these names with their bodies. hidden: ids of bodies whose switch is off."""
        self._folder.visible = bool(found)
        while len(self._rows) < len(found):
            self._rows.append(self._row())
        for k, row in enumerate(self._rows):
            row.box.visible = k < len(found)
            if k < len(found):
                row.box.label, row.bodies = found[k]
                row.box.value = not all(body.id in hidden for body in row.bodies)

    def _row(self) -> _Row:
        with self._folder:
            row = _Row(self._gui.add_checkbox("", True))
        row.box.on_update(lambda event: self._switch(row.bodies, row.box.value) if from_client(event) else None)
        return row


def _facts(body: Body, robots: dict[str, Robot]) -> list[tuple[str, str]]:
    """Return what is known of a body, as rows of a table."""
    shape = entry_of(body).shape
    rows = [("shape", type(shape).__name__), ("position", words.numbers(body.pose[:3, 3]))]
    robot = robots.get(entry_of(body).holder)
    link = None if robot is None else robot.link_of(body)
    if robot is not None and link is not None:
        rows += [("robot", html.escape(robot.name)), ("link", html.escape(link.name))]
        if link.joint is not None:
            rows.append(("joint", html.escape(link.joint.name)))
    return rows
