"""See-through copies of bodies: where they will be, and where they pass on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..robot.robot import Robot, poses_at
from ..shapes import Box, Mesh
from ..world.body import Body, entry_of
from .bodies import Node, display_of_body, stamp_of
from .colors import MOTION
from .display import Display
from .instances import Instances
from .serving import Server

_END, _PASSED = 0.6, 0.15  # opacities: where a body ends, and where it passes
_MOST_FACES = 20_000  # bodies with more in all are drawn only where they end: browsers would slow down

Array = NDArray[np.float64]


class GhostLayer:
    """The ghosts of one answer."""

    def __init__(self, server: Server, size: float) -> None:
        self._server = server
        self._size = size
        self._ghosts: list[_Ghost] = []
        self._stamp: tuple[Any, ...] = ()

    def show(self, poses: Mapping[Body, Sequence[Array]]) -> None:
        """Draw bodies, each at its poses, world, as many for each. The last pose is where it ends; others are fainter."""
        stamp = tuple((body, len(places), *stamp_of(body)) for body, places in poses.items())
        if stamp != self._stamp:
            self._make(poses)
            self._stamp = stamp
        for ghost, places in zip(self._ghosts, poses.values(), strict=True):
            ghost.place(places)

    def _make(self, poses: Mapping[Body, Sequence[Array]]) -> None:
        """Make the nodes of other bodies, or of other shapes, than before."""
        for ghost in self._ghosts:
            ghost.handle.remove()
        shown = {body: display_of_body(body) for body in poses}
        many = sum(len(each.faces) for each in shown.values()) > _MOST_FACES
        self._ghosts = [
            _Ghost(self._server, f"/answer/ghost {k}", body, shown[body], places[-1:] if many else places, self._size)
            for k, (body, places) in enumerate(poses.items())
        ]

    def hide(self) -> None:
        """Hide them; the next `show` of the same bodies is quick."""
        for ghost in self._ghosts:
            ghost.handle.visible = False


class _Ghost:
    """One body at several poses; points and lines only at the last."""

    def __init__(self, server: Server, name: str, body: Body, shown: Display, poses: Sequence[Array], size: float) -> None:
        self._count = len(poses)
        opacities = [_PASSED] * (len(poses) - 1) + [_END]
        self._drawn = (
            Instances(server, name, shown, poses, MOTION, opacities, closed=_closed(body, shown))
            if shown.kind == "mesh"
            else Node(server, name, shown, MOTION, size, opacity=_END)
        )
        self.handle = self._drawn.handle

    def place(self, poses: Sequence[Array]) -> None:
        """Show it at its poses."""
        if isinstance(self._drawn, Instances):
            self._drawn.place(poses[-self._count :])
        else:
            self._drawn.place(poses[-1])
        self.handle.visible = True


def _closed(body: Body, shown: Display) -> bool:
    """Return whether a surface is seen from its outside only."""
    shape = entry_of(body).shape
    return shown.round or isinstance(shape, Box) or (isinstance(shape, Mesh) and shape.closed)


def moved_poses(robot: Robot, values: Mapping[str, float]) -> dict[Body, Sequence[Array]]:
    """Return where bodies of a robot would be at other values of joints, as `GhostLayer.show` takes it; of those that move."""
    return {body: [pose] for body, pose in poses_at(robot, values).items() if not np.array_equal(pose, body.pose)}
