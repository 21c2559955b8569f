"""The bodies on the page: each a node of its tree, brought up to date with the scene when asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..scene import Scene
from ..shapes import Shape, Volume
from ..world.body import Body, entry_of
from .colors import BODIES, CONTACT, Rgb, body_color
from .display import Display, display_of, wxyz_of
from .serving import Server

_POINT = 0.004  # share of the scene: radius of points that have none

Array = NDArray[np.float64]


def label_of(name: str) -> str:
    """Return a name in the tree of the page, where a slash would make one thing a part of another."""
    return name.replace("/", "\N{DIVISION SLASH}") or "body"


class Node:
    """A display on the page."""

    def __init__(
        self, server: Server, name: str, shown: Display, color: Rgb, size: float, *, opacity: float | None = None
    ) -> None:
        self._api = server.scene
        self._name = name
        self._color = color
        self._size = size
        self._opacity = opacity
        self._pose: Array | None = None
        self._shown = shown
        self.handle = self._add(shown)

    def _add(self, shown: Display) -> Any:
        thick = shown.radius or _POINT * self._size
        places = np.asarray(shown.vertices, np.float32)
        if shown.kind == "mesh":
            return self._api.add_mesh_simple(
                self._name,
                places,
                shown.faces,
                color=self._color,
                flat_shading=not shown.round,
                side="double",
                opacity=self._opacity,
                cast_shadow=False,
                receive_shadow=False,
            )
        if shown.kind == "lines":
            return self._api.add_line_segments(self._name, places[shown.faces], self._color, thickness=2.0 * thick)
        return self._api.add_point_cloud(
            self._name, places, self._color, point_size=2.0 * thick, point_shape="circle", precision="float32"
        )

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

    def paint(self, color: Rgb) -> None:
        """Give it a color."""
        if color != self._color:
            self._color = color
            if self._shown.kind == "mesh":
                self.handle.color = color
            else:
                self.handle.colors = np.array(color, np.uint8)

    def remove(self) -> None:
        """Take it off the page."""
        self.handle.remove()


class Bodies:
    """The bodies of a scene on the page."""

    def __init__(self, server: Server, scene: Scene) -> None:
        self._server = server
        self._scene = scene
        self.size = size_of(scene)
        """Diagonal of the scene when the page was made [length]."""
        self._nodes: dict[int, Node] = {}
        self._labels: dict[int, str] = {}
        self._stamps: dict[int, tuple[Any, ...]] = {}
        self._lit: frozenset[int] = frozenset()
        self._dressed: list[tuple[frozenset[int], Sequence[Node]]] = []
        self.update()

    def update(self) -> None:
        """Draw what has changed in the scene."""
        bodies = {body.id: body for body in self._scene.bodies}
        for number in [number for number in self._nodes if number not in bodies]:
            self._nodes.pop(number).remove()
            del self._stamps[number], self._labels[number]
        with self._server.atomic():
            for number, body in bodies.items():
                stamp = stamp_of(body)
                if number not in self._nodes:
                    self._nodes[number] = self._node(body)
                elif stamp != self._stamps[number]:
                    self._nodes[number].redraw(display_of_body(body))
                self._stamps[number] = stamp
                self._nodes[number].place(body.pose)

    def _node(self, body: Body) -> Node:
        label = label_of(body.name)
        if label in self._labels.values():
            label = f"{label} ({body.id})"
        self._labels[body.id] = label
        # A surface without an inside, such as a room, would hide what is in it.
        opacity = 0.3 if entry_of(body).shape.solid is False else None
        return Node(self._server, f"/bodies/{label}", display_of_body(body), body_color(body.id), self.size, opacity=opacity)

    def light(self, bodies: Iterable[Body]) -> None:
        """Paint these bodies in the color of contact, and all others in their own."""
        lit = frozenset(body.id for body in bodies)
        for number in (lit ^ self._lit) & self._nodes.keys():
            self._nodes[number].paint(body_color(number, lit=number in lit))
        for dressed, looks in self._dressed:
            for node in looks:
                node.paint(CONTACT if dressed & lit else BODIES[-1])
        self._lit = lit

    def dress(self, bodies: Iterable[Body], looks: Sequence[Node]) -> None:
        """Light other nodes whenever one of these bodies is lit: the visual shapes of a link."""
        self._dressed.append((frozenset(body.id for body in bodies), looks))

    def hide(self, bodies: Iterable[Body], hidden: bool) -> None:
        """Hide these bodies, or show them again."""
        for number in {body.id for body in bodies} & self._nodes.keys():
            self._nodes[number].handle.visible = not hidden

    def place(self, body: Body, pose: Array) -> None:
        """Draw a body at a pose; the scene does not change."""
        self._nodes[body.id].place(pose)

    def bend(self, body: Body, shape: Shape | Array) -> None:
        """Draw a body with other vertices, shape (n, 3), or as another shape; the scene does not change."""
        shown = display_of(shape) if isinstance(shape, Shape) else display_of(entry_of(body).shape, shape)
        self._nodes[body.id].redraw(shown)
        self._stamps[body.id] = ()  # the next update draws the body as it is


def size_of(scene: Scene) -> float:
    """Return the diagonal of a scene [length]; 1 if there is nothing in it."""
    box = bounds_of(scene)
    size = float(np.linalg.norm(box[1] - box[0]))
    return size if size > 0.0 else 1.0


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
