"""Masks: a radar's pictures of its movers, reused while they are valid."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidQuery
from ..kernels.charts.cylinder import ABOUT, FRAME
from ..kernels.layout import POSITION, POSITION_REST
from ..kernels.picture import annulus, around, radar
from ..motion import Rotate, Translate, frame_of, orbit_of, unit
from .setup import SEAM, Setup

if TYPE_CHECKING:
    from ..world.body import Entry

_SAME = 1e-12  # directions and poses that differ by less are equal, rounded
_THIN = 1e-6  # a view is at least this fraction of the mover's size wide
_SMALLEST = 1e-40  # size of a view [length]


@dataclass(slots=True)
class StraightMask:
    """A mask picture, and the state for which it is valid."""

    toward: NDArray[np.float64]
    """Direction of view in the first mover's own frame, shape (3,)."""
    apart: NDArray[np.float64]
    """Poses of the other movers in the first mover's frame, shape (k, 4, 4)."""
    versions: tuple[int, ...]
    """Versions of the movers' geometry."""
    frame: NDArray[np.float64]
    """Rows right, down, ahead, in the first mover's frame, shape (3, 3)."""
    box: NDArray[np.float64]
    """Low and high corner of the movers in that frame, shape (6,)."""
    diagonal: float
    """Diagonal of that box [length]."""
    corner: tuple[float, float]
    size: tuple[float, float]
    lead: NDArray[np.float64]
    """Depth of the leading surface, from the movers' rear."""
    back: NDArray[np.float64]
    """Depth of the rear surface; for bounding radars only."""
    drawn: bool = False
    first_step: bool = False
    """Of the preset size; the next probe reads the true size from it."""

    @property
    def length(self) -> float:
        """Length of the movers along the view."""
        return float(self.box[5] - self.box[2])


@dataclass(slots=True)
class AxisMask:
    """Crossings of the movers' surfaces with the circles of a view, and the state for which they are valid."""

    axis: NDArray[np.float64]
    """Unit, in the first mover's own frame, shape (3,)."""
    about: NDArray[np.float64]
    """A point on the axis in that frame [length], shape (3,)."""
    apart: NDArray[np.float64]
    """Poses of the other movers in the first mover's frame, shape (k, 4, 4)."""
    versions: tuple[int, ...]
    """Versions of the movers' geometry."""
    frame: NDArray[np.float64]
    """Rows x, y, and z along the axis, in the first mover's frame, shape (3, 3)."""
    diagonal: float
    """Diagonal of the movers' box [length]."""
    rho: tuple[float, float]
    height: tuple[float, float]
    """Least and greatest distance from the axis, and height along it [length]."""
    seam: float
    """Angle at which the circle is cut: the middle of the widest gap between the movers, from x [radians]."""
    rear: float
    """Angle from the seam at which the movers begin [radians]."""
    extent: float
    """Angle that the movers cover [radians]."""
    spans: NDArray[np.int64] | None = None
    """Begin and end of each pixel's crossings in `arcs`, shape (pixels + 1, 2); None before they are drawn."""
    arcs: NDArray[np.float64] | None = None
    """Angles from the seam, shape (n, 2), sorted in each pixel: of crossings; if bounding, both ends of arcs."""


class Masks:
    """The masks of one radar: the latest for translations, and the latest for turns."""

    __slots__ = ("_about_axis", "_straight")

    def __init__(self) -> None:
        self._straight: StraightMask | None = None
        self._about_axis: AxisMask | None = None

    def straight(self, setup: Setup, motion: Translate) -> StraightMask:
        """Return the mask for a translation if it is still valid, else a new one, sized and not drawn yet."""
        mask = self._straight
        turn = setup.movers[0].pose[:3, :3]
        toward = np.array(motion.direction) @ turn
        versions, apart = _state(setup)
        changed = (
            mask is None
            or mask.versions != versions
            or np.abs(mask.toward - toward).max() > _SAME
            or not _same_places(mask.apart, apart, mask.diagonal)
        )
        if mask is not None and mask.first_step and mask.drawn and np.isfinite(mask.lead).any():
            # As the listing of 3.3: the size is read from the mask that is there, also if something has changed since.
            corner, size = _covered(mask)
            if changed:
                self._straight = _sized(setup, motion, toward, apart, versions, size)
            else:
                # Earlier readings still use the old array.
                lead = np.empty_like(mask.lead)
                self._straight = replace(mask, lead=lead, corner=corner, size=size, drawn=False, first_step=False)
        elif changed:
            self._straight = _sized(setup, motion, toward, apart, versions)
        assert self._straight is not None
        return self._straight

    def about_axis(self, setup: Setup, motion: Rotate) -> AxisMask:
        """Return the mask for a turn if it is still valid, else a new one, sized and not drawn yet."""
        mask = self._about_axis
        first = setup.store.world().poses[setup.rows[0]]
        turn = first[:9].reshape(3, 3)
        axis = orbit_of(motion)[:3] @ turn
        offset = (np.array(motion.about) - first[POSITION : POSITION + 3]) - first[POSITION_REST : POSITION_REST + 3]
        about = offset @ turn
        versions, apart = _state(setup)
        if (
            mask is None
            or mask.versions != versions
            or np.abs(mask.axis - axis).max() > _SAME
            or np.abs(mask.about - about).max() > _SAME * (mask.diagonal + mask.rho[1])
            or not _same_places(mask.apart, apart, mask.diagonal)
        ):
            mask = self._about_axis = _sized_about(setup, motion, axis, about, apart, versions)
        return mask


def _state(setup: Setup) -> tuple[tuple[int, ...], NDArray[np.float64]]:
    """Return what a mask depends on besides the motion: versions of the movers' geometry, and their relative poses."""
    return tuple(mover.version for mover in setup.movers), _poses_apart(setup.movers)


def _sized(
    setup: Setup,
    motion: Translate,
    toward: NDArray[np.float64],
    apart: NDArray[np.float64],
    versions: tuple[int, ...],
    size: tuple[float, float] | None = None,
) -> StraightMask:
    """Return a mask for a direction in the first mover's frame. size: width and height read from the mask before."""
    turn = setup.movers[0].pose[:3, :3]
    frame = frame_of(*unit(*toward.tolist())).reshape(3, 3)
    box = np.array(radar.extents(*setup.store.world(), setup.rows, (frame @ turn.T).ravel()))
    if not box[0] <= box[3]:
        raise _no_faces(setup)
    diagonal = float(np.linalg.norm(box[3:] - box[:3]))
    thin = max(_THIN * diagonal, _THIN * _THIN * motion.length)
    width, height = float(box[3] - box[0]), float(box[4] - box[1])
    # The paper takes this size as it is. A mover that has outgrown it would be cut off: then the preset size is better.
    resized = size is not None and (setup.method == "published" or (width <= size[0] and height <= size[1]))
    if size is not None and resized:
        width, height = size
    elif setup.max_size is not None:
        if max(width, height) > setup.max_size:
            raise InvalidQuery(
                f"max_size is {setup.max_size:g}, but the mover measures {max(width, height):.6g} across the motion"
            )
        width = height = setup.max_size
    elif setup.bounding:
        width, height = (1.0 + SEAM) * width + thin * SEAM, (1.0 + SEAM) * height + thin * SEAM
    width, height = max(width, thin), max(height, thin)
    columns, lines = setup.pixels
    middle = 0.5 * (box[:2] + box[3:5])
    return StraightMask(
        toward=toward,
        apart=apart,
        versions=versions,
        frame=frame,
        box=box,
        diagonal=diagonal,
        corner=(float(middle[0]) - 0.5 * width, float(middle[1]) - 0.5 * height),
        size=(width, height),
        lead=np.empty((lines, columns)),
        back=np.empty((lines, columns) if setup.bounding else (1, 1)),
        first_step=setup.max_size is not None and not resized,
    )


def _covered(mask: StraightMask) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return corner and size of the pixels that the mover covers, plus half a pixel on each side."""
    lines, columns = mask.lead.shape
    covered = np.isfinite(mask.lead)
    corner, size = [], []
    for axis, count in ((0, columns), (1, lines)):
        used = np.flatnonzero(covered.any(axis=axis))
        pixel = mask.size[axis] / count
        low = max(float(used[0]) - 0.5, 0.0)
        high = min(float(used[-1]) + 1.5, float(count))
        corner.append(mask.corner[axis] + low * pixel)
        size.append((high - low) * pixel)
    return (corner[0], corner[1]), (size[0], size[1])


def _sized_about(
    setup: Setup,
    motion: Rotate,
    axis: NDArray[np.float64],
    about: NDArray[np.float64],
    apart: NDArray[np.float64],
    versions: tuple[int, ...],
) -> AxisMask:
    """Return a mask for an axis in the first mover's frame."""
    world = setup.store.world()
    turn = world.poses[setup.rows[0], :9].reshape(3, 3)
    frame = frame_of(*unit(*axis.tolist())).reshape(3, 3)
    view = np.zeros(annulus.VIEW)
    view[ABOUT:FRAME] = motion.about
    view[FRAME : annulus.GRID] = (frame @ turn.T).ravel()
    near, far, low, high, seam, rear, extent = around.reach(*world, setup.rows, view)
    if not near <= far:
        raise _no_faces(setup)
    corners = world.box_of(setup.rows)
    diagonal = float(np.linalg.norm(corners[1] - corners[0]))
    thin = max(_THIN * diagonal, _THIN * _THIN * far, _SMALLEST)
    spare = SEAM if setup.bounding else 0.0
    rho, height = _widened(near, far, spare, thin), _widened(low, high, spare, thin)
    # A distance from the axis is at least 0.
    rho = (max(rho[0], 0.0), rho[1])
    return AxisMask(axis, about, apart, versions, frame, diagonal, rho, height, seam, rear, extent)


def _no_faces(setup: Setup) -> InvalidQuery:
    return InvalidQuery(f"mover: {setup.movers[0].name!r} has no faces, so it cannot hit anything")


def _same_places(before: NDArray[np.float64], apart: NDArray[np.float64], diagonal: float) -> bool:
    """True if the relative poses of several movers, from `_poses_apart`, are unchanged up to rounding."""
    if len(apart) == 0:
        return True
    off = np.abs(before - apart)
    return bool(off[:, :3, :3].max() <= _SAME and off[:, :3, 3].max() <= _SAME * diagonal)


def _widened(low: float, high: float, spare: float, thin: float) -> tuple[float, float]:
    """Return a range widened by the fraction `spare`, at least `thin` wide."""
    half = max(0.5 * (1.0 + spare) * (high - low) + spare * thin, 0.5 * thin)
    middle = 0.5 * (low + high)
    return middle - half, middle + half


def _poses_apart(movers: tuple[Entry, ...]) -> NDArray[np.float64]:
    """Return the poses of all movers but the first, in the first mover's frame, shape (k, 4, 4)."""
    if len(movers) == 1:
        return np.empty((0, 4, 4))
    turn, place = movers[0].pose[:3, :3], movers[0].pose[:3, 3]
    apart = np.stack([mover.pose for mover in movers[1:]])
    apart[:, :3, 3] -= place
    apart[:, :3] = turn.T @ apart[:, :3]
    return apart
