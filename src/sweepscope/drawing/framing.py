"""Framing: chooses the bodies that a picture shows in full, and finds floors, walls and distant bodies.

A floor of 1000 x 1000 must not make a box of 1 on it a dot. Bodies that are much larger than all others together, and flat or
around them, are the backdrop: they fill the background. Bodies farther away than 12 times the size of the nearer ones are not
framed. All other bodies are the subject of the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..world.surfaces import corners_of

if TYPE_CHECKING:
    from ..world.body import Body
    from .arrangement import Placed

_Array = NDArray[np.float64]

_FLAT = 0.12  # thickness, relative to the second largest extent
_LARGER = 1.7  # size of a flat backdrop, relative to the box of all other bodies
_AROUND = 6.0  # the same for a body around the others that is not flat
_FAR = 12.0  # distance, relative to the size of the nearer bodies
_FAR_PAIR = 100.0  # the same if only one body is nearer
_NEARBY = 0.25  # part of a backdrop in the frame, relative to the size of the framed bodies
_MOST = 2000  # vertices: of a body with more, the box is framed
_NEARLY = 0.25  # a flat body of this size, relative to the others, is drawn gray

_ROUND = np.stack(np.meshgrid((-1.0, 0.0, 1.0), (-1.0, 0.0, 1.0), (-1.0, 0.0, 1.0)), axis=-1).reshape(27, 3)
_ROUND *= 1.08 / np.maximum(np.linalg.norm(_ROUND, axis=1), 1.0)[:, None]  # 26 points closely around a ball of radius 1


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """The bodies that a picture of a scene shows in full."""

    points: _Array
    """Points to frame [length], shape (n, 3), world."""
    backdrop: frozenset[int]
    """Ids of floors and walls."""


def outline_points(body: Body | Placed) -> _Array:
    """Return points around a body, shape (n, 3), world: its vertices, or the corners of its box."""
    shape, pose = body.shape, body.pose
    vertices = shape.vertices if not hasattr(shape, "resolution") else np.empty((0, 3))
    if not 0 < len(vertices) <= _MOST:
        return corners_of(*body.bounds)
    used = vertices[np.unique(shape.faces)] if len(shape.faces) else vertices[:0]
    points = used @ pose[:3, :3].T + pose[:3, 3]
    if shape.radius > 0.0:
        points = (points[:, None] + shape.radius * _ROUND).reshape(-1, 3)
    return points


def subject_of(bodies: Sequence[Body | Placed]) -> Subject:
    """Return the subject of a picture of bodies."""
    there = [body for body in bodies if np.isfinite(body.bounds).all()]
    if not there:
        return Subject(np.empty((0, 3)), frozenset())
    boxes = np.array([body.bounds for body in there])
    backdrop = _backdrop(boxes)
    main = _without_far(boxes, np.flatnonzero(~backdrop))
    points = [outline_points(there[k]) for k in main]
    inner = boxes[main]
    low, high = inner[:, 0].min(axis=0), inner[:, 1].max(axis=0)
    room = _NEARBY * float((high - low).max())
    for k in np.flatnonzero(backdrop):
        cut = np.clip(boxes[k], low - room, high + room)
        # A wall far from the framed bodies is not in the frame.
        if (boxes[k, 0] <= high + room).all() and (boxes[k, 1] >= low - room).all():
            points.append(corners_of(cut[0], cut[1]))
    gray = backdrop | _gray(boxes)
    return Subject(np.concatenate(points), frozenset(there[k].id for k in np.flatnonzero(gray)))


def _extents(boxes: _Array) -> _Array:
    """Return the extents of boxes, the smallest first, shape (n, 3)."""
    return np.sort(boxes[:, 1] - boxes[:, 0], axis=1)


def _flat(boxes: _Array) -> NDArray[np.bool_]:
    extents = _extents(boxes)
    return extents[:, 0] <= _FLAT * extents[:, 1]


def _backdrop(boxes: _Array) -> NDArray[np.bool_]:
    """Return which boxes are floors, walls or rooms: much larger than all smaller bodies together, and flat or around them."""
    sizes = np.linalg.norm(boxes[:, 1] - boxes[:, 0], axis=1)
    flat, found = _flat(boxes), np.zeros(len(boxes), bool)
    order = np.argsort(sizes, kind="stable")
    for n, k in enumerate(order):
        rest = order[:n][~found[order[:n]]]
        # At least half of the rest is framed, so it is at least as large as the median body.
        if not len(rest) or sizes[k] <= min(_LARGER, _AROUND) * sizes[rest[(len(rest) - 1) // 2]]:
            continue
        rest = _without_far(boxes, rest)
        low, high = boxes[rest, 0].min(axis=0), boxes[rest, 1].max(axis=0)
        size = float(np.linalg.norm(high - low))
        middle = 0.5 * (low + high)
        around = bool((boxes[k, 0] <= middle).all() and (boxes[k, 1] >= middle).all())
        found[k] = (flat[k] and sizes[k] > _LARGER * size) or (around and sizes[k] > _AROUND * size)
    return found


def _gray(boxes: _Array) -> NDArray[np.bool_]:
    """Return which boxes are drawn gray: flat, and not much smaller than the others."""
    flat = _flat(boxes)
    if flat.all():
        return np.zeros(len(boxes), bool)
    rest = boxes[~flat]
    size = float(np.linalg.norm(rest[:, 1].max(axis=0) - rest[:, 0].min(axis=0)))
    return flat & (_extents(boxes)[:, 1] > _NEARLY * size)


def _without_far(boxes: _Array, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return those of the chosen boxes that are not far away from the rest."""
    mine = boxes[chosen]
    centers = 0.5 * (mine[:, 0] + mine[:, 1])
    off = np.linalg.norm(centers - np.median(centers, axis=0), axis=1)
    sizes = np.linalg.norm(mine[:, 1] - mine[:, 0], axis=1)
    # The body nearest to the median; of two, the larger, whichever was added first.
    center = centers[np.argmax(np.where(off <= off.min() * (1.0 + 1e-9), sizes, -1.0))]
    near = np.linalg.norm(np.maximum(np.maximum(mine[:, 0] - center, center - mine[:, 1]), 0.0), axis=1)
    far = np.linalg.norm(np.maximum(np.abs(mine[:, 0] - center), np.abs(mine[:, 1] - center)), axis=1)
    order = np.argsort(near, kind="stable")
    reach = float(far[order[0]])
    for n, k in enumerate(order):
        # At least half of the bodies is framed.
        if 2 * n >= len(order) and near[k] > (_FAR if n > 1 else _FAR_PAIR) * reach:
            return chosen[np.sort(order[:n])]
        reach = max(reach, float(far[k]))
    return chosen
