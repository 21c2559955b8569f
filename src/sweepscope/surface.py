"""Surfaces of volumes: which of their voxels a query can reach, and the triangles of those.

A volume in a scene has no faces until somebody asks. Then only what the question can reach is given a surface: the voxels of
an index box, taken as a solid of its own; where the box cuts the volume is out of reach. A surface is kept until its volume
changes; asked for more than it covers, it is made anew, larger.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .arena import Box, Layout, centre_of
from .errors import InvalidGeometry
from .kernels import blocks, parts
from .kernels import surface as kernel
from .kernels.tolerances import TOUCH_SIZE
from .motion import Motion, Translate, Turn
from .shapes import Volume

if TYPE_CHECKING:
    from .scene import Body, Scene

MOST_FACES = 50_000_000
_BRICK = kernel.BRICK
_LEAST = 1e-9  # of a length: more than rounding does
PAST = 512.0  # kernels look this many tolerances past a contact
_EMPTY: Box = ((math.inf, math.inf, math.inf), (-math.inf, -math.inf, -math.inf))

Range = tuple[int, int, int, int, int, int]  # an index box: lowest of each axis, and one past the highest


@dataclass(slots=True)
class Skin(Layout):
    """The layout of a volume's surface, or of a piece of it."""

    vertices: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 3)), repr=False)

    @property
    def parts(self) -> tuple[NDArray[np.int32], NDArray[np.int32], int]:
        """As of Layout. The surface of cubes is closed, and every edge is run through as often one way as the other."""
        if self._parts is None:
            numbers, firsts = kernel.weld(self.vertices.view(np.uint64))
            part, count = parts.parts(numbers[kernel.spread(self.corners, self.starts)].astype(np.int64), len(firsts))
            starts = np.zeros(count + 1, np.int32)
            starts[1:] = np.cumsum(np.bincount(part, minlength=count))
            self._parts = starts, np.argsort(part, kind="stable").astype(np.int32), 1
        return self._parts


_Planes = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


@dataclass(slots=True)
class Kept:
    """A volume of a scene: who uses it, and how much of it has a surface."""

    volume: Volume
    row: int
    """In the arena."""
    version: int
    """The volume's, for which all that follows holds."""
    extent: Range
    """Of its occupied voxels."""
    planes: _Planes
    """Where the planes between voxels lie [length], local."""
    bodies: list[Body] = field(default_factory=list)
    covered: Range | None = None
    """Where it has a surface; None: nowhere."""


def bare(volume: Volume) -> Skin:
    """Return the layout of a volume that has no surface yet."""
    # Measured from the grid, not from what is occupied now: bodies stay where they are, to the last digit, through any change.
    corner = volume.origin
    far = [o + n * s for o, n, s in zip(corner, volume.resolution, volume.spacing, strict=True)]
    none = np.zeros((0, 3), np.uint8), np.zeros(2, np.int32), np.empty((0, 3))
    return _skin(volume, centre_of(corner, (far[0], far[1], far[2])), np.zeros(0, np.int32), *none)


def _skin(
    volume: Volume,
    centre: NDArray[np.float64],
    voxels: NDArray[np.int32],
    corners: NDArray[np.uint8],
    starts: NDArray[np.int32],
    vertices: NDArray[np.float64],
) -> Skin:
    offsets = blocks.level_offsets(len(voxels))
    levels = int(np.argmax(offsets == offsets[-1]))
    listed = np.arange(len(vertices), dtype=np.int32)
    low, high = (tuple(row) for row in volume.bounds.tolist())
    box = _EMPTY if volume.empty else (low, high)
    return Skin(voxels, listed, starts, corners, offsets, levels, None, volume, box=box, centre=centre, vertices=vertices)


def _planes(volume: Volume) -> _Planes:
    places = zip(volume.origin, volume.resolution, volume.spacing, strict=True)
    x, y, z = (o + np.arange(n + 1, dtype=np.float64) * s for o, n, s in places)
    return x, y, z


def _made(volume: Volume, planes: _Planes, centre: NDArray[np.float64], choices: Iterable[Range]) -> tuple[Range, Skin]:
    """Return the surface in the first of these index boxes that has not too many faces."""
    total = 0
    for wanted in choices:
        box = np.array(wanted, np.int64)
        total, counts = kernel.count(volume._bits, box)
        if 2 * total <= MOST_FACES:
            made = kernel.build(volume._bits, box, total, counts, volume.resolution[2], *planes)
            return wanted, _skin(volume, centre, *made)
    raise InvalidGeometry(
        f"{volume!r}: the surface within reach has {2 * total:,} triangles; accepted: {MOST_FACES:,} at most. "
        "Ask for a shorter motion, or use fewer voxels"
    )


def surface_of(volume: Volume) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Return the surface of all occupied voxels as a mesh: vertices (n, 3) [length], local; faces (m, 3), looking out."""
    _, skin = _made(volume, _planes(volume), np.zeros(3), (_extent(volume),))
    numbers, firsts = kernel.weld(skin.vertices.view(np.uint64))
    return skin.vertices[firsts], numbers[kernel.spread(skin.corners, skin.starts)]


def enter(scene: Scene, body: Body) -> None:
    """Let a scene know of a body that is a volume."""
    volume = body._shape
    assert isinstance(volume, Volume)
    kept = scene._volumes.get(body._stored)
    if kept is None:
        # Of no version yet: its row may have been there before, with the volume as it was then.
        kept = Kept(volume, body._stored, -1, _extent(volume), _planes(volume))
        scene._volumes[body._stored] = kept
    kept.bodies.append(body)


def leave(scene: Scene, body: Body) -> None:
    """Let a scene forget a body that is a volume, before its row is given back."""
    kept = scene._volumes[body._stored]
    kept.bodies.remove(body)
    if not kept.bodies:
        del scene._volumes[body._stored]


def refresh(scene: Scene) -> None:
    """Bring the boxes of bodies up to date with volumes that have changed. Surfaces that no longer hold are dropped."""
    for kept in scene._volumes.values():
        if kept.version != kept.volume.version:
            with scene._arena.lock:
                if kept.version == kept.volume.version:
                    continue  # another thread was faster
                scene._arena.strip(kept.row, bare(kept.volume))
                kept.covered, kept.extent = None, _extent(kept.volume)
                for body in kept.bodies:
                    body._changes += 1
                    scene._place(body)
                kept.version = kept.volume.version


def make_whole(scene: Scene, bodies: Collection[Body] | None = None) -> None:
    """Give bodies, by default all, their whole surface if they are volumes. `refresh` comes first, here and below."""
    for kept in scene._volumes.values():
        if bodies is None or any(body in bodies for body in kept.bodies):
            _cover(scene, kept, kept.extent)


def make_reached(scene: Scene, corners: NDArray[np.float64], wide: float, movers: Collection[Body] = ()) -> None:
    """Give volumes the surface that lies within `wide` of a convex space [length], world; movers, their whole surface.

    corners: of that space, shape (n, 3). wide need not count a voxel's width nor rounding.
    """
    for kept in scene._volumes.values():
        if kept.covered == kept.extent:
            continue
        asked: Range | None = None
        for body in kept.bodies:
            if body in movers:
                asked = kept.extent
                break
            more = kernel.reached(corners, wide, body._pose, kept.volume.origin, kept.volume.spacing, kept.extent)
            if more[0] < more[3]:
                asked = more if asked is None else _union(asked, more)
        if asked is not None:
            _cover(scene, kept, asked)


def make_swept(scene: Scene, movers: list[Body], motion: Motion, margin: float) -> None:
    """Give volumes the surface that movers can reach within a motion; movers, their whole surface."""
    boxes = scene._boxes[:, [mover._row for mover in movers]]
    low, high = boxes[:3].min(axis=1), boxes[3:].max(axis=1)
    if not low[0] <= high[0]:
        return  # nothing moves
    touch = max(scene._tolerance, TOUCH_SIZE * (float(np.linalg.norm(high - low)) + margin))
    make_reached(scene, corners_of(*swept(motion, low, high)), margin + PAST * touch, movers)


def swept(
    motion: Motion, low: NDArray[np.float64], high: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return a world box that holds a world box, low and high corner (3,), on its way."""
    if isinstance(motion, Translate):
        return low + np.minimum(motion.vector, 0.0), high + np.maximum(motion.vector, 0.0)
    assert isinstance(motion, Turn)
    axis = motion.orbit[:3]
    slide = motion.orbit[10] * axis
    along = np.minimum(slide, 0.0), np.maximum(slide, 0.0)
    if not motion.turns:
        return low + along[0], high + along[1]
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    radius = float(np.linalg.norm(half))
    lever = middle - motion.orbit[6:9] + motion.orbit[3:6]
    lever -= (lever @ axis) * axis
    far = float(np.linalg.norm(lever)) + radius
    # How far a circle about the axis reaches along each coordinate.
    across = np.sqrt(np.square(axis[[1, 2, 0]]) + np.square(axis[[2, 0, 1]]))
    off = 2.0 * far * math.sin(0.5 * min(abs(motion.angle), math.pi)) * across
    # Never further from where it was than that, nor from the axis than it is; an axis far away is not known to the last digit.
    ring = (1.0 + _LEAST) * far * across + (radius + _LEAST * far) * np.abs(axis)
    hub = middle - lever
    return np.maximum(low - off, hub - ring) + along[0], np.minimum(high + off, hub + ring) + along[1]


def corners_of(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the corners of a box, shape (8, 3)."""
    return np.where(_CHOICE, high, low)


_NEAR = 1e-6 * np.array([[1 - 2 * ((n >> r) & 1) for r in range(3)] for n in range(8)])  # to all sides of a corner [voxels]
_CHOICE = np.array([[(n >> r) & 1 for r in range(3)] for n in range(8)], np.bool_)


def voxel_of(volume: Volume, number: int) -> tuple[int, int, int]:
    """Return the indices of a voxel that is known by its number in C order."""
    _, ny, nz = volume.resolution
    return number // (ny * nz), number // nz % ny, number % nz


def holding(volume: Volume, point: NDArray[np.float64]) -> tuple[int, int, int] | None:
    """Return the occupied voxel that holds a point [length], local, or one that it lies on; None if there is none."""
    place = (point - volume.origin) / volume.spacing
    for near in (0.0, *_NEAR):
        i, j, k = np.floor(place + near).astype(np.int64).tolist()
        nx, ny, nz = volume.resolution
        if 0 <= i < nx and 0 <= j < ny and 0 <= k < nz and (int(volume._bits[i, j, k >> 6]) >> (k & 63)) & 1:
            return i, j, k
    return None


def normal_at(body: Body, number: int, point: NDArray[np.float64], ahead: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the unit normal, world, of that side of a voxel on which a point lies that is seen looking ahead."""
    volume = body._shape
    assert isinstance(volume, Volume)
    turn = body.pose[:3, :3]
    local = (point - body.pose[:3, 3]) @ turn
    low = volume.origin + np.array(voxel_of(volume, number)) * volume.spacing
    look = ahead @ turn
    # Of the three sides that can be seen, the one whose plane is nearest.
    planes = np.where(look > 0.0, low, low + volume.spacing)
    side = int(np.argmin(np.where(look == 0.0, np.inf, np.abs(local - planes) / volume.spacing)))
    return -math.copysign(1.0, look[side]) * turn[:, side]


def _extent(volume: Volume) -> Range:
    i0, j0, k0, i1, j1, k1 = volume.extent.ravel().tolist()
    return i0, j0, k0, i1, j1, k1


def _union(one: Range, other: Range) -> Range:
    low = (min(one[r], other[r]) for r in range(3))
    high = (max(one[r], other[r]) for r in range(3, 6))
    return (*low, *high)  # type: ignore[return-value]


def _cover(scene: Scene, kept: Kept, asked: Range) -> None:
    """See to it that the surface covers an index box."""
    if asked[0] >= asked[3] or (kept.covered is not None and _union(kept.covered, asked) == kept.covered):
        return
    with scene._arena.lock:
        choices = (asked,)
        if kept.covered is not None:
            both = _union(kept.covered, asked)
            if both == kept.covered:
                return  # another thread was faster
            choices = (_wider(both, kept.extent), asked)
        covered, skin = _made(kept.volume, kept.planes, scene._arena.centre(kept.row), choices)
        scene._arena.replace(kept.row, skin, skin.vertices)
        kept.covered = covered  # last: from now on other threads go by it


def _wider(box: Range, limits: Range) -> Range:
    """Return an index box grown by half of itself all round, within limits: who asks for more will do so again."""
    spare = [max(2 * _BRICK, (box[3 + r] - box[r]) // 2 // _BRICK * _BRICK) for r in range(3)]
    low = (max(box[r] - spare[r], limits[r]) for r in range(3))
    high = (min(box[3 + r] + spare[r], limits[3 + r]) for r in range(3))
    return (*low, *high)  # type: ignore[return-value]
