"""Readings: made from a radar's pictures, of a translation or a turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..motion import Rotate, Translate
from ..results import RadarReading
from ..shapes.voxel_surface import side_normal
from .setup import Setup

if TYPE_CHECKING:
    from ..queries.view import AngularView, View
    from ..world.body import Body, Entry

_NOWHERE = np.full(3, np.nan)


@dataclass(slots=True)
class Pictures:
    """The pictures of one probe, shape (rows, columns)."""

    ranges: NDArray[np.float64]
    """R: distance from the mover's rear to the first surface ahead."""
    ids: NDArray[np.int32]
    """Ids of the bodies there; -1 where nothing is."""
    faces: NDArray[np.int32]
    resolution: float = 0.0
    """How far the card's depths may let the travel be off [length]."""

    @classmethod
    def empty(cls, setup: Setup) -> Pictures:
        """Return uninitialized pictures."""
        shape = setup.pixels[::-1]
        return cls(np.empty(shape), np.empty(shape, np.int32), np.empty(shape, np.int32))

    def bodies_at(self, setup: Setup, pixels: NDArray[np.int64]) -> tuple[Body, ...]:
        """Return the bodies at some pixels (k, 2), the one with most pixels first."""
        ids = self.ids[pixels[:, 0], pixels[:, 1]]
        entries = setup.store.entries
        if (ids == ids[0]).all():  # nearly always, and np.unique is slow
            return (entries[int(ids[0])].body,)
        found, counts = np.unique(ids, return_counts=True)
        return tuple(entries[int(k)].body for k in found[np.argsort(-counts, kind="stable")])

    def normal_at(
        self, setup: Setup, pixel: NDArray[np.int64], point: NDArray[np.float64], ahead: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the normal, at a point, of the face at a pixel."""
        row, column = pixel
        return _face_normal(setup.store.entries[int(self.ids[row, column])], int(self.faces[row, column]), point, ahead)


@dataclass(slots=True)
class PixelContact:
    """A contact: travel, obstacles, center and normal."""

    travel: float
    obstacles: tuple[Body, ...]
    center: NDArray[np.float64]
    normal: NDArray[np.float64]
    overlapping: bool = False


def make_reading(
    setup: Setup,
    motion: Translate | Rotate,
    ignored: tuple[Body, ...],
    pictures: Pictures,
    lead: NDArray[np.float64] | None,
    view: View | AngularView,
    drawings: int,
    contact: PixelContact | None,
    pixels: NDArray[np.int64],
) -> RadarReading:
    """Return the reading; contact: None if the motion is free."""
    travel = motion.length if contact is None else min(contact.travel, motion.length)
    return RadarReading(
        travel=travel,
        time=travel / motion.length,
        hit=contact is not None,
        overlapping=contact is not None and contact.overlapping,
        obstacles=() if contact is None else contact.obstacles,
        center=_NOWHERE.copy() if contact is None else contact.center,
        normal=_NOWHERE.copy() if contact is None else contact.normal,
        range=pictures.ranges,
        ids=pictures.ids,
        faces=pictures.faces,
        pixels=pixels,
        drawings=drawings,
        view=view,
        movers=tuple(mover.body for mover in setup.movers),
        motion=motion,
        lead=lead,
        method=setup.method,
        resolution=pictures.resolution,
        _ignore=ignored,
    )


def _face_normal(entry: Entry, face: int, point: NDArray[np.float64], ahead: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the unit normal of a face at a point [length], world, towards the viewer; opposite to `ahead` if undefined."""
    if entry.volume is not None:
        return side_normal(entry.volume, entry.pose, face, point, ahead)
    a, b, c = entry.body.vertices[entry.shape.faces[face]] @ entry.pose[:3, :3].T + entry.pose[:3, 3]
    if entry.shape.radius > 0.0:
        # From the nearest point of the thickened segment or point.
        size_sq = float((b - a) @ (b - a))
        fraction = min(max(float((point - a) @ (b - a)) / size_sq, 0.0), 1.0) if size_sq > 0.0 else 0.0
        normal = point - (a + fraction * (b - a))
    else:
        normal = np.cross(b - a, c - a)
    size = float(np.linalg.norm(normal))
    if size == 0.0:
        return -ahead
    return normal / (size if normal @ ahead < 0.0 else -size)
