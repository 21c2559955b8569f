"""The bodies on the page. `Bodies.update` draws what has changed in the scene."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..scene import Scene
from ..shapes import Shape, Volume
from ..world.body import Body, entry_of
from . import words
from .colors import BODIES, CONTACT, Rgb, body_color
from .display import Display, display_of, wxyz_of
from .serving import Server

_POINT = 0.004  # radius of points that have none, as a share of what is looked at
_FADED = 0.35  # opacity
BY_VISITOR = "visitor"
"""Why a body is hidden: a visitor has switched it off in the tree."""

Array = NDArray[np.float64]


def label_of(name: str) -> str:
    """Return a name in the tree of the page, where a slash would make one thing a part of another."""
    return name.replace("/", "\N{DIVISION SLASH}") or "body"


class Node:
    """A display on the page. on_click: called when a visitor clicks on it; viser reports clicks on meshes only."""

    def __init__(
        self,
        server: Server,
        name: str,
        shown: Display,
        color: Rgb,
        size: float,
        *,
        opacity: float | None = None,
        on_click: Callable[[], None] | None = None,
    ) -> None:
        self._api = server.scene
        self._name = name
        self._color = color
        self._size = size
        self._opacity = opacity
        self._faded = False
        self._on_click = on_click
        self._clickable = on_click is not None
        self._pose: Array | None = None
        self._shown = shown
        self.handle = self._add(shown)

    def _add(self, shown: Display) -> Any:
        thick = shown.radius or _POINT * self._size
        places = np.asarray(shown.vertices, np.float32)
        if shown.kind == "mesh":
            mesh = self._api.add_mesh_simple(
                self._name,
                places,
                shown.faces,
                color=self._color,
                flat_shading=not shown.round,
                side="double",
                opacity=_FADED if self._faded else self._opacity,
                cast_shadow=False,
                receive_shadow=False,
            )
            if self._clickable:
                mesh.on_click(self._clicked)
            return mesh
        if shown.kind == "lines":
            return self._api.add_line_segments(self._name, places[shown.faces], self._color, thickness=2.0 * thick)
        return self._api.add_point_cloud(
            self._name, places, self._color, point_size=2.0 * thick, point_shape="circle", precision="float32"
        )

    def _clicked(self, _: Any) -> None:
        if self._on_click is not None:
            self._on_click()

    def set_clickable(self, clickable: bool) -> None:
        """Take clicks, or let them through to what is behind or inside."""
        if self._on_click is not None and clickable != self._clickable:
            self._clickable = clickable
            if self._shown.kind == "mesh" and clickable:
                self.handle.on_click(self._clicked)
            elif self._shown.kind == "mesh":
                self.handle.remove_click_callback()

    def redraw(self, shown: Display) -> None:
        """Draw other vertices, or another shape, in the same place."""
        same = self._shown.kind == shown.kind == "mesh" and self._shown.round == shown.round
        if same and len(shown.faces) == len(self._shown.faces) and np.array_equal(shown.faces, self._shown.faces):
            self.handle.vertices = np.asarray(shown.vertices, np.float32)
        else:
            visible = self.handle.visible
            self.handle = self._add(shown)  # takes the place of the node of this name
            self.handle.visible = visible
            pose, self._pose = self._pose, None
            if pose is not None:
                self.place(pose)
        self._shown = shown

    def place(self, pose: Array) -> None:
        """Move it to a pose, shape (4, 4), world."""
        if self._pose is None or not np.array_equal(pose, self._pose):
            self._pose = pose
            self.handle.position = pose[:3, 3]
            self.handle.wxyz = wxyz_of(pose)

    @property
    def pose(self) -> Array:
        """Where it is drawn, shape (4, 4), world."""
        return np.eye(4) if self._pose is None else self._pose

    def paint(self, color: Rgb) -> None:
        """Give it a color."""
        if color != self._color:
            self._color = color
            if self._shown.kind == "mesh":
                self.handle.color = color
            else:
                self.handle.colors = np.array(color, np.uint8)

    def fade(self, faded: bool) -> None:
        """Draw a mesh see-through, or as before."""
        self._faded = faded
        if self._shown.kind == "mesh":
            self.handle.opacity = _FADED if faded else self._opacity

    def remove(self) -> None:
        """Take it off the page."""
        self.handle.remove()


class Bodies:
    """The bodies of a scene on the page. size: diagonal of what is looked at [length]."""

    def __init__(self, server: Server, scene: Scene, size: float) -> None:
        self._server = server
        self._scene = scene
        self._size = size
        self.clicked: list[Callable[[Body], None]] = []
        """Called with a body when a visitor clicks on it."""
        self.hiding: list[Callable[[], None]] = []
        """Called after bodies were hidden or shown."""
        self._nodes: dict[int, Node] = {}
        self._labels: dict[int, str] = {}
        self._stamps: dict[int, tuple[Any, ...]] = {}
        self._lit: frozenset[int] = frozenset()
        self._movers: frozenset[int] = frozenset()
        self._through: set[str] = set()
        self._faded: dict[str, frozenset[int]] = {}
        self._hidden: dict[str, set[int]] = {}
        self._dressed: list[tuple[frozenset[int], Sequence[Node]]] = []
        self._label = server.scene.add_label("/name", "", font_screen_scale=1.1, anchor="bottom-center", visible=False)
        self._named: int | None = None
        self._above = np.zeros(3)
        self.update()

    def update(self) -> None:
        """Draw what has changed in the scene."""
        bodies = {body.id: body for body in self._scene.bodies}
        for number in [number for number in self._nodes if number not in bodies]:
            self._nodes.pop(number).remove()
            del self._stamps[number], self._labels[number]
            for hidden in self._hidden.values():
                hidden.discard(number)
        if self._named not in bodies:
            self.hide_name()
        with self._server.atomic():
            for number, body in bodies.items():
                stamp = stamp_of(body)
                if number not in self._nodes:
                    self._nodes[number] = self._node(body)
                    self._set_clickable((number,))
                elif stamp != self._stamps[number]:
                    self._nodes[number].redraw(display_of_body(body))
                self._stamps[number] = stamp
                self.place(body, body.pose)

    def _node(self, body: Body) -> Node:
        label = label_of(body.name)
        if label in self._labels.values():
            label = f"{label} ({body.id})"
        self._labels[body.id] = label
        # A surface without an inside, such as a room, would hide what is in it.
        opacity = 0.3 if entry_of(body).shape.solid is False else None
        return Node(
            self._server,
            f"/bodies/{label}",
            display_of_body(body),
            body_color(body.id),
            self._size,
            opacity=opacity,
            on_click=lambda: self.click(body),
        )

    def click(self, body: Body) -> None:
        """Report a click on a body."""
        for each in self.clicked:
            each(body)

    def light(self, bodies: Iterable[Body]) -> None:
        """Paint these bodies in the color of contact, and all others in their own."""
        before, self._lit = self._lit, frozenset(body.id for body in bodies)
        self._paint(before ^ self._lit)

    def mark_movers(self, bodies: Iterable[Body]) -> None:
        """Paint these bodies as movers, and all others in their own color; the color of contact has priority."""
        before, self._movers = self._movers, frozenset(body.id for body in bodies)
        self._paint(before ^ self._movers)
        self._set_clickable(before ^ self._movers)

    def let_clicks_through(self, through: bool, why: str) -> None:
        """Have no body take clicks, such as for a gizmo inside one; or have all take them again, if nothing else hinders it."""
        (self._through.add if through else self._through.discard)(why)
        self._set_clickable(self._nodes)

    def fade(self, bodies: Iterable[Body], why: str) -> None:
        """Draw these bodies see-through, for the marks in them, and those that were for the same reason as before."""
        before = self._faded.get(why, frozenset())
        self._faded[why] = frozenset(body.id for body in bodies)
        for number in self._nodes.keys() & (before ^ self._faded[why]):
            self._nodes[number].fade(any(number in each for each in self._faded.values()))

    def chip(self, body: Body) -> str:
        """Return a body's name after a square of the color in which it is drawn now, in HTML."""
        return words.chip(body, lit=body.id in self._lit, mover=body.id in self._movers)

    def _set_clickable(self, numbers: Iterable[int]) -> None:
        """Have bodies take clicks; not the only mover, since the gizmo is inside it."""
        for number in self._nodes.keys() & set(numbers):
            self._nodes[number].set_clickable(not self._through and self._movers != {number})

    def _paint(self, numbers: Iterable[int]) -> None:
        for number in self._nodes.keys() & set(numbers):
            self._nodes[number].paint(body_color(number, lit=number in self._lit, mover=number in self._movers))
        for dressed, looks in self._dressed:
            for node in looks:
                node.paint(CONTACT if dressed & self._lit else BODIES[-1])

    def dress(self, bodies: Iterable[Body], looks: Sequence[Node]) -> None:
        """Light other nodes whenever one of these bodies is lit: the visual shapes of a link."""
        self._dressed.append((frozenset(body.id for body in bodies), looks))

    def hide(self, bodies: Iterable[Body], hidden: bool, why: str) -> None:
        """Hide these bodies, or show them again. A body is seen when nothing hides it. why: what hides them."""
        numbers = {body.id for body in bodies} & self._nodes.keys()
        known = self._hidden.setdefault(why, set())
        self._hidden[why] = known | numbers if hidden else known - numbers
        for number in numbers:
            self._nodes[number].handle.visible = not any(number in each for each in self._hidden.values())
        for each in self.hiding:
            each()

    def hidden(self, why: str) -> frozenset[int]:
        """Return the ids of bodies that are hidden for this reason."""
        return frozenset(self._hidden.get(why, ()))

    def show_name(self, body: Body) -> None:
        """Write the name of a body above it; a name that is there is hidden."""
        if self._named == body.id:
            self.hide_name()
            return
        low, high = body.bounds
        top = np.array((*(0.5 * (low + high))[:2], high[2]))
        self._named = body.id
        self._above = top - body.pose[:3, 3] if np.isfinite(top).all() else np.zeros(3)
        self._label.text = body.name
        self._label.position = self._nodes[body.id].pose[:3, 3] + self._above
        self._label.visible = True

    def hide_name(self) -> None:
        """Hide the name that is written above a body."""
        self._named = None
        self._label.visible = False

    def place(self, body: Body, pose: Array) -> None:
        """Draw a body at a pose; the scene does not change."""
        self._nodes[body.id].place(pose)
        if body.id == self._named:
            self._label.position = pose[:3, 3] + self._above

    def bend(self, body: Body, shape: Shape | Array) -> None:
        """Draw a body with other vertices, shape (n, 3), or as another shape; the scene does not change."""
        shown = display_of(shape) if isinstance(shape, Shape) else display_of(entry_of(body).shape, shape)
        self._nodes[body.id].redraw(shown)
        self._stamps[body.id] = ()  # the next update draws the body as it is


def bounds_of(scene: Scene) -> Array:
    """Return lowest and highest corner of all bodies [length], shape (2, 3), world; zeros if there is nothing."""
    boxes = np.array([body.bounds for body in scene.bodies if not body.shape.empty]).reshape(-1, 2, 3)
    boxes = boxes[np.isfinite(boxes).all(axis=(1, 2))]
    return np.stack((boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0))) if len(boxes) else np.zeros((2, 3))


def stamp_of(body: Body) -> tuple[Any, ...]:
    """Return what differs when a body's shape has changed."""
    entry = entry_of(body)
    if isinstance(entry.shape, Volume):
        return entry.shape_row, entry.shape.version
    return entry.shape_row, entry.version


def display_of_body(body: Body) -> Display:
    """Return what is drawn of a body, in its own frame."""
    return display_of(entry_of(body).shape, body.vertices)
