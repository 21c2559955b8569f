"""What an answer looks like: ghosts on the way to the contact, paths, the point and its normal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..motion import Motion, frame_of, unit
from ..shapes import Mesh
from ..world.body import Body
from .colors import CONTACT, MOTION
from .display import wxyz_of
from .ghosts import GhostLayer
from .serving import Server

_GHOSTS = 5  # between start and contact
_STEPS = 24  # of each orbit
_LINE = 2.0  # thickness [pixels]
_BALL = 0.006  # radius of the contact, as a share of what is looked at
ARROW = 0.08
"""Length of normals, as such a share."""
_COLUMNS = 12  # of the arrow and of the ball

Array = NDArray[np.float64]


class AnswerView:
    """The marks of one answer on the page. size: diagonal of what is looked at [length]."""

    def __init__(self, server: Server, size: float) -> None:
        scene = server.scene
        self.ghosts = GhostLayer(server, size)
        # Flat facets on both sides, as those of most bodies: browsers compile a program for each kind of material.
        looks = {"color": CONTACT, "flat_shading": True, "side": "double", "cast_shadow": False, "visible": False}
        ball = Mesh.sphere(_BALL, rows=_COLUMNS, sections=_COLUMNS)
        self._point = scene.add_mesh_simple("/answer/point", ball.vertices, ball.faces, **looks)
        self._normal = scene.add_mesh_simple("/answer/normal", *arrow(ARROW), **looks)
        self._orbits = scene.add_line_segments(
            "/answer/orbits", np.zeros((8 * _STEPS, 2, 3)), MOTION, thickness=_LINE, thickness_units="screen", visible=False
        )
        self.resize(size)

    def resize(self, size: float) -> None:
        """Draw the contact for another size of what is looked at [length]."""
        self._point.scale = self._normal.scale = size

    def contact(self, point: Array | None, normal: Array | None) -> None:
        """Mark where surfaces touch; None: they do not. A normal that is not known, NaN, is left out."""
        known = normal is not None and bool(np.isfinite(normal).all())
        if point is not None:
            self._point.position = point
            self._normal.position = point
        if known and normal is not None:
            self._normal.wxyz = wxyz_of(along(normal))
        self._point.visible = point is not None
        self._normal.visible = point is not None and known

    def motion(self, movers: Sequence[Body], motion: Motion, time: float) -> None:
        """Draw the way of movers up to a time, 0 .. 1, and their ghosts there."""
        steps = [motion.at(share) for share in np.linspace(0.0, time, _GHOSTS + 2)[1:].tolist()]
        self.ghosts.show({mover: [step @ mover.pose for step in steps] for mover in movers})
        self._orbits.points = _orbits(movers, motion, time)
        self._orbits.visible = True

    def hide_motion(self) -> None:
        """Hide ghosts and paths."""
        self.ghosts.hide()
        self._orbits.visible = False


def along(normal: Array) -> Array:
    """Return a pose at the origin, shape (4, 4), that turns the z axis to a direction."""
    pose = np.eye(4)
    pose[:3, :3] = frame_of(*unit(*map(float, normal))).reshape(3, 3).T
    return pose


def arrow(length: float) -> tuple[Array, NDArray[np.int32]]:
    """Return vertices and faces of an arrow from the origin along z."""
    angles = np.linspace(0.0, 2.0 * np.pi, _COLUMNS, endpoint=False)
    ring = np.stack((np.cos(angles), np.sin(angles), np.zeros(_COLUMNS)), axis=1)
    shaft, neck, tip = 0.04 * length, 0.1 * length, np.array((0.0, 0.0, length))
    up = np.array((0.0, 0.0, 0.75 * length))
    vertices = np.concatenate((shaft * ring, shaft * ring + up, neck * ring + up, tip[None]))
    here, after = np.arange(_COLUMNS), np.roll(np.arange(_COLUMNS), -1)
    faces = [
        np.stack(corners, axis=1)
        for low in (0, _COLUMNS)
        for corners in (
            (low + here, low + after, low + _COLUMNS + here),
            (low + after, low + _COLUMNS + after, low + _COLUMNS + here),
        )
    ]
    head = np.stack((2 * _COLUMNS + here, 2 * _COLUMNS + after, np.full(_COLUMNS, 3 * _COLUMNS)), axis=1)
    return vertices, np.concatenate((*faces, head)).astype(np.int32)


def _orbits(movers: Sequence[Body], motion: Motion, time: float) -> NDArray[np.float32]:
    """Return the paths of the corners of the box around movers up to a time, as segments, shape (8 steps, 2, 3), world."""
    boxes = np.array([mover.bounds for mover in movers])
    low, high = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
    corners = np.array([np.where((i, j, k), high, low) for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    paths = np.array([corners @ at[:3, :3].T + at[:3, 3] for at in map(motion.at, np.linspace(0.0, time, _STEPS + 1).tolist())])
    return np.stack((paths[:-1], paths[1:]), axis=2).reshape(-1, 2, 3).astype(np.float32)
