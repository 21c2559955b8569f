"""What an answer looks like: a ghost at contact, the trail of the mover, the point and its normal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..motion import Motion
from ..world.body import Body, entry_of
from .bodies import Node, stamp_of
from .colours import CONTACT, GHOST
from .display import display_of, wxyz_of
from .serving import Server

_GHOSTS = 5  # of a trail, between start and contact
_MOST_FACES = 20_000  # a mover with more has no ghosts on its trail: browsers would slow down
_STEPS = 24  # of each orbit
_LINE = 2.0  # thickness [pixels]
_ARROW = 0.08  # share of the scene: length of a normal

Array = NDArray[np.float64]


class AnswerView:
    """The marks of one answer on the page."""

    def __init__(self, server: Server, size: float) -> None:
        self._server = server
        self._size = size
        scene = server.scene
        self._point = scene.add_icosphere("/answer/point", radius=0.006 * size, color=CONTACT, visible=False)
        self._normal = scene.add_arrows(
            "/answer/normal",
            np.array([[(0.0, 0.0, 0.0), (0.0, 0.0, _ARROW * size)]]),
            CONTACT,
            shaft_radius=0.003 * size,
            head_radius=0.008 * size,
            head_length=0.02 * size,
            visible=False,
        )
        self._ghost: Node | None = None
        self._trail: Any = None
        self._orbits: Any = None
        self._stamp: tuple[Any, ...] = ()

    def contact(self, point: Array | None, normal: Array | None) -> None:
        """Mark where surfaces touch; None: they do not. A normal that is not known, NaN, is left out."""
        known = normal is not None and bool(np.isfinite(normal).all())
        if point is not None:
            self._point.position = point
            self._normal.position = point
        if known and normal is not None:
            self._normal.points = np.array([[(0.0, 0.0, 0.0), _ARROW * self._size * normal]], np.float32)
        self._point.visible = point is not None
        self._normal.visible = point is not None and known

    def motion(self, mover: Body, motion: Motion, time: float) -> None:
        """Draw a mover's way up to a time, 0 .. 1, and its ghost there."""
        start = mover.pose
        poses = [motion.at(share * time) @ start for share in np.linspace(0.0, 1.0, _GHOSTS + 2)]
        self._make(mover, poses)
        if self._ghost is not None:
            self._ghost.place(poses[-1])
            self._ghost.handle.visible = True
        if self._trail is not None:
            self._trail.batched_positions = _places(poses[1:-1])
            self._trail.batched_wxyzs = _turns(poses[1:-1])
            self._trail.visible = True
        if self._orbits is not None:
            self._orbits.points = _orbits(mover, motion, time)
            self._orbits.visible = True

    def _make(self, mover: Body, poses: Sequence[Array]) -> None:
        """Make the nodes of a mover, if it is another one, or has another shape, than before."""
        stamp = (mover.id, *stamp_of(mover))
        if stamp == self._stamp:
            return
        self.clear()
        self._stamp = stamp
        shown = display_of(entry_of(mover).shape, mover.vertices)
        self._ghost = Node(self._server, "/answer/ghost", shown, GHOST, self._size, opacity=0.45)
        if shown.kind == "mesh" and len(shown.faces) <= _MOST_FACES:
            self._trail = self._server.scene.add_batched_meshes_simple(
                "/answer/trail",
                shown.vertices,
                shown.faces,
                _turns(poses[1:-1]),
                _places(poses[1:-1]),
                batched_colors=GHOST,
                opacity=0.12,
                flat_shading=not shown.round,
                side="double",
                cast_shadow=False,
                receive_shadow=False,
                lod="off",
            )
        self._orbits = self._server.scene.add_line_segments(
            "/answer/orbits", np.zeros((8 * _STEPS, 2, 3)), GHOST, thickness=_LINE, thickness_units="screen"
        )

    def hide_motion(self) -> None:
        """Hide ghost and trail."""
        for handle in (self._ghost and self._ghost.handle, self._trail, self._orbits):
            if handle is not None:
                handle.visible = False

    def clear(self) -> None:
        """Take ghost and trail off the page."""
        for handle in (self._ghost, self._trail, self._orbits):
            if handle is not None:
                handle.remove()
        self._ghost = self._trail = self._orbits = None
        self._stamp = ()


def _places(poses: Sequence[Array]) -> NDArray[np.float32]:
    return np.array([pose[:3, 3] for pose in poses], np.float32)


def _turns(poses: Sequence[Array]) -> NDArray[np.float32]:
    return np.array([wxyz_of(pose) for pose in poses], np.float32)


def _orbits(mover: Body, motion: Motion, time: float) -> NDArray[np.float32]:
    """Return the paths of the corners of the mover's box up to a time, as segments, shape (8 steps, 2, 3), world."""
    box = mover.bounds
    corners = np.array([(box[i, 0], box[j, 1], box[k, 2]) for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    paths = np.array([corners @ at[:3, :3].T + at[:3, 3] for at in map(motion.at, np.linspace(0.0, time, _STEPS + 1).tolist())])
    return np.stack((paths[:-1], paths[1:]), axis=2).reshape(-1, 2, 3).astype(np.float32)
