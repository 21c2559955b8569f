"""See-through copies of bodies: where they will be, and where they pass on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..robot.robot import Robot
from ..shapes import Box, Mesh
from ..world.body import Body, entry_of
from .bodies import Node, display, stamp_of
from .colours import MOTION
from .display import Display, wxyz_of
from .serving import Server

_END, _PASSED = 0.45, 0.12  # opacities: where a body ends, and where it passes
_MOST_FACES = 20_000  # bodies with more in all are drawn where they end alone: browsers would slow down

Array = NDArray[np.float64]


class Ghosts:
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
            ghost.remove()
        shown = [display(body) for body in poses]
        many = sum(len(each.faces) for each in shown) > _MOST_FACES
        self._ghosts = [
            _Ghost(self._server, f"/answer/ghost {k}", each, 1 if many else len(places), _closed(body, each), self._size)
            for k, (each, (body, places)) in enumerate(zip(shown, poses.items(), strict=True))
        ]

    def hide(self) -> None:
        """Hide them; the next `show` of the same bodies is quick."""
        for ghost in self._ghosts:
            ghost.hide()


class _Ghost:
    """One body at several poses: instances of one mesh, or only the last if it is no mesh."""

    def __init__(self, server: Server, name: str, shown: Display, count: int, closed: bool, size: float) -> None:
        self._count = count
        self._single = None if shown.kind == "mesh" else Node(server, name, shown, MOTION, size, opacity=_END)
        self._handle = self._single.handle if self._single else _instances(server, name, shown, count, closed)

    def place(self, poses: Sequence[Array]) -> None:
        """Show it at its poses."""
        if self._single is not None:
            self._single.place(poses[-1])
        else:
            drawn = poses[-self._count :]
            self._handle.batched_positions = np.array([pose[:3, 3] for pose in drawn], np.float32)
            self._handle.batched_wxyzs = np.array([wxyz_of(pose) for pose in drawn], np.float32)
        self._handle.visible = True

    def hide(self) -> None:
        """Hide it."""
        self._handle.visible = False

    def remove(self) -> None:
        """Take it off the page."""
        self._handle.remove()


def _instances(server: Server, name: str, shown: Display, count: int, closed: bool) -> Any:
    """Return a node of instances, to be placed."""
    return server.scene.add_batched_meshes_simple(
        name,
        shown.vertices,
        shown.faces,
        np.tile((1.0, 0.0, 0.0, 0.0), (count, 1)),
        np.zeros((count, 3)),
        batched_colors=MOTION,
        batched_opacities=np.array([_PASSED] * (count - 1) + [_END]),
        opacity=1.0,
        flat_shading=not shown.round,
        side="front" if closed else "double",  # of a see-through surface both sides are drawn one after the other
        cast_shadow=False,
        receive_shadow=False,
        lod="off",
    )


def _closed(body: Body, shown: Display) -> bool:
    """Return whether a surface is seen from its outside alone."""
    shape = entry_of(body).shape
    return shown.round or isinstance(shape, Box) or (isinstance(shape, Mesh) and shape.closed)


def poses_at(robot: Robot, values: Mapping[str, float]) -> dict[Body, Sequence[Array]]:
    """Return where bodies of a robot would be at other values of joints, as `Ghosts.show` takes it; of bodies that would move.

    The robot goes there and back: hold the lock.
    """
    before, here = {name: robot[name] for name in robot.moving}, {body: body.pose for body in robot.bodies}
    robot.values = values
    there = {body: body.pose for body in robot.bodies}
    robot.values = before
    return {body: [pose] for body, pose in there.items() if not np.array_equal(pose, here[body])}
