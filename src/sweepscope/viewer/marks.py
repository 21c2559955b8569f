"""Marks on the page beside those of the question: points, lines between them, arrows, a label."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..results import PairDistance
from .answer import ARROW, along, arrow
from .colors import CONTACT
from .display import Display
from .instances import Instances
from .serving import Server

_POINT = 0.014  # diameter of points, as a share of what is looked at
_LINE = 2.5  # thickness [pixels]

Array = NDArray[np.float64]


class Marks:
    """Points, lines and arrows in the color of contact. name: of their node. Made when first drawn, then changed in place."""

    def __init__(self, server: Server, name: str) -> None:
        self._server = server
        self._name = name
        self._handles: dict[str, Any] = {}
        self._arrows: Instances | None = None
        self._made: tuple[int, float] = (0, 0.0)

    def draw(
        self,
        points: Array,
        size: float,
        *,
        lines: Array | None = None,
        arrows: tuple[Array, Array] | None = None,
        label: str = "",
        above: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        """Draw these, and nothing else.

        points [length], shape (n, 3), world. lines: both ends of each, shape (n, 2, 3). arrows: where they begin and their
        directions, each of shape (n, 3). size: of what is looked at [length]. label: a text, above a place.
        """
        scene, name, wanted = self._server.scene, self._name, set()
        if len(points):
            wanted.add("points")
            if "points" not in self._handles:
                looks = {"point_shape": "circle", "precision": "float32"}
                self._handles["points"] = scene.add_point_cloud(f"{name}/points", np.zeros((1, 3)), CONTACT, **looks)
            self._handles["points"].points = points.astype(np.float32)
            self._handles["points"].point_size = _POINT * size
        if lines is not None:
            wanted.add("lines")
            if "lines" not in self._handles:
                looks = {"thickness": _LINE, "thickness_units": "screen"}
                self._handles["lines"] = scene.add_line_segments(f"{name}/lines", np.zeros((1, 2, 3)), CONTACT, **looks)
            self._handles["lines"].points = lines.astype(np.float32)
        if arrows is not None and len(arrows[0]):
            wanted.add("arrows")
            self._handles["arrows"] = self._place_arrows(*arrows, size)
        if label:
            wanted.add("label")
            if "label" not in self._handles:
                self._handles["label"] = scene.add_label(f"{name}/label", "", anchor="bottom-center")
            self._handles["label"].text, self._handles["label"].position = label, np.asarray(above)
        for kind, handle in self._handles.items():
            handle.visible = kind in wanted

    def _place_arrows(self, starts: Array, directions: Array, size: float) -> Any:
        """Put arrows where they belong; return their handle. Another number of them, or another size, is a new node."""
        poses = [along(direction) for direction in directions]
        for pose, start in zip(poses, starts, strict=True):
            pose[:3, 3] = start
        if self._arrows is None or self._made != (len(poses), size):
            shown = Display("mesh", *arrow(ARROW * size), 0.0, False)
            ones = [1.0] * len(poses)
            self._arrows = Instances(self._server, f"{self._name}/arrows", shown, poses, CONTACT, ones, closed=False)
            self._made = len(poses), size
        else:
            self._arrows.place(poses)
        return self._arrows.handle

    def between(self, pair: PairDistance, size: float) -> None:
        """Draw the nearest points of two bodies, the line between them and their distance; one point if they meet."""
        if pair.kind != "apart":
            self.draw(pair.first_point[None], size)
            return
        ends = np.stack((pair.first_point, pair.second_point))
        self.draw(ends, size, lines=ends[None], label=f"{pair.distance:.4g}", above=ends.mean(axis=0))

    def hide(self) -> None:
        """Hide them."""
        for handle in self._handles.values():
            handle.visible = False
