"""Sweeps of a volume along a grid axis against volumes on the same grid: read from the bits, without a surface."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.layout import WORLD_HIGH, WORLD_LOW
from ..kernels.tolerances import EPS, ROUNDING, TOUCH_ROUNDING
from ..kernels.voxel import grid_sweep as kernel
from ..motion import Motion, Translate
from ..results import Feature, Hit
from ..shapes import Volume
from ..shapes.voxel_index import index_of
from ..world.filters import may_meet
from ..world.surfaces import swept
from .hits import make_hit

if TYPE_CHECKING:
    from ..world.body import Body, Entry
    from ..world.store import Store
    from ..world.world import World

_SAME = 1e-12  # directions that differ by less are equal, rounded
_FINE = 0.25  # the tolerance must be below this fraction of a voxel
_DRIFT = 1e-3  # a motion that leaves an axis by less than this fraction of the tolerance is along it

_Voxel = tuple[int, int, int]


@dataclass(slots=True)
class _GridPair:
    """A mover and an obstacle on one grid. Coordinates are in the obstacle's frame, from the corner of its voxel (0, 0, 0)."""

    mover: Entry
    obstacle: Entry
    offset: NDArray[np.float64]
    """Corner of the mover's voxel (0, 0, 0) [length]."""
    spacing: NDArray[np.float64]
    touch: float
    slack: float
    """Largest rounding error of a position [length]."""
    direction: NDArray[np.float64]
    """Of the motion, unit."""
    axis: int
    """Grid axis of the motion; -1 if it is not along one."""
    motion: Motion
    movers: tuple[Body, ...]
    """All bodies that move, the mover among them."""


def sweep_on_grids(
    store: Store,
    movers: list[Entry],
    motion: Motion,
    margin: float,
    resting_hits: bool,
    ignored_pairs: NDArray[np.int64],
    moved: World | None = None,
    only: int = -1,
) -> tuple[Hit | None, NDArray[np.int64], bool]:
    """Sweep volumes against volumes on the same grid.

    Return (first contact or None, skips plus the pairs that are decided, whether other bodies are in reach). A motion that is
    not along a grid axis and does not begin in contact is tested for overlap at the start only.

    moved: a world in which the movers are elsewhere; by default they are at their poses. only: the body row of the only
    obstacle that counts; -1: all count.
    """
    world = store.world() if moved is None else moved
    rows = [mover.row for mover in movers]
    low, high = world.box_of(rows)
    if not low[0] <= high[0]:
        return None, ignored_pairs, False
    away = float(np.abs(0.5 * (low + high)).max())
    touch = world.tolerance_of(rows, store.tolerance, margin)
    far_low, far_high = swept(motion, low, high)
    wide = margin + touch + ROUNDING * EPS * (away + float(np.abs(far_high - far_low).max()))
    boxes = world.boxes[:, : world.rows]
    near = np.all(boxes[WORLD_LOW : WORLD_LOW + 3] <= (far_high + wide)[:, None], axis=0)
    near &= np.all(boxes[WORLD_HIGH : WORLD_HIGH + 3] >= (far_low - wide)[:, None], axis=0)
    near[rows] = False
    if only >= 0:
        near[:only] = near[only + 1 :] = False
    left = len(movers) * int(near.sum())
    moving = tuple(mover.body for mover in movers)
    best: Hit | None = None
    done: list[tuple[int, int]] = []
    others = [entry for entry in store.surfaces.users if near[entry.row]]
    for mover in movers:
        for obstacle in others if mover.volume is not None else ():
            pair = None
            if may_meet(world.bodies, mover.row, obstacle.row, ignored_pairs):
                pair = _on_one_grid(mover, world.pose(mover.row), obstacle, motion, touch, moving)
            if pair is None:
                continue
            decided, hit = _sweep_pair(pair, motion, margin, resting_hits)
            if decided:
                done.append((mover.row, obstacle.row))
            if hit is not None and (best is None or (hit.travel, best.overlapping) < (best.travel, hit.overlapping)):
                best = hit
    if done:
        ignored_pairs = np.concatenate((ignored_pairs, np.array(done, np.int64)))
    if best is not None and best.overlapping:
        return best, ignored_pairs, False
    return best, ignored_pairs, left > len(done)


def _volume(entry: Entry) -> Volume:
    assert entry.volume is not None
    return entry.volume


def share_voxels(one: Entry, pose: NDArray[np.float64], other: Entry, touch: float) -> bool | None:
    """Return whether two volumes on one grid overlap; None if they are not on one grid. pose: of the first."""
    found = _offset(one, pose, other, touch)
    if found is None:
        return None
    offset, spacing, touch, _ = found
    whole, across = _on_grid(offset / spacing, touch / spacing)
    return bool(kernel.shared(*_grids(one, other), whole, whole + across)[0])


def _offset(
    one: Entry, pose: NDArray[np.float64], other: Entry, touch: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], float, float] | None:
    """Return where the first of two volumes on one grid is, else None: (offset, spacing, touch, slack) of a `_GridPair`."""
    a, b = _volume(one), _volume(other)
    turn = other.pose[:3, :3]
    apart = turn.T @ pose[:3, :3]
    tilt = float(np.abs(apart - np.eye(3)).max())
    if tilt > _SAME:
        return None
    spacing = np.array(b.spacing)
    reach = np.abs([volume.origin for volume in (a, b)]) + np.array([a.resolution, b.resolution]) * spacing
    moved = (pose[:3, 3] - other.pose[:3, 3]) @ turn
    offset = moved + (apart @ a.origin - b.origin)
    uneven = float((np.abs(spacing - a.spacing) * a.resolution).max())
    slack = 2.0 * ROUNDING * EPS * float(np.abs(moved).max() + reach.max()) + 3.0 * tilt * float(reach.max()) + uneven
    touch = max(touch, TOUCH_ROUNDING * slack)
    if uneven > _DRIFT * touch or touch > _FINE * float(spacing.min()):
        return None
    return offset, spacing, touch, slack


def _on_one_grid(
    mover: Entry, pose: NDArray[np.float64], obstacle: Entry, motion: Motion, touch: float, movers: tuple[Body, ...]
) -> _GridPair | None:
    """Return two volumes as a pair if they have the same orientation and voxel size, else None. pose: of the mover."""
    found = _offset(mover, pose, obstacle, touch)
    if found is None:
        return None
    offset, spacing, touch, slack = found
    turn = obstacle.pose[:3, :3]
    direction, axis = np.zeros(3), -1
    if isinstance(motion, Translate):
        direction = np.array(motion.direction) @ turn
        axis = int(np.argmax(np.abs(direction)))
        off = float(np.abs(np.delete(direction, axis)).max())
        if off > _SAME or off * motion.length > _DRIFT * touch:
            axis = -1
    return _GridPair(mover, obstacle, offset, spacing, touch, slack, direction, axis, motion, movers)


def _sweep_pair(pair: _GridPair, motion: Motion, margin: float, resting_hits: bool) -> tuple[bool, Hit | None]:
    """Return whether a pair is decided, and its first contact."""
    places, near = pair.offset / pair.spacing, pair.touch / pair.spacing
    whole, across = _on_grid(places, near)
    grids = _grids(pair.mover, pair.obstacle)
    found, a, b = kernel.shared(*grids, whole, whole + across)
    if found:
        return True, _hit(pair, (a, b), 0.0, motion.length, overlapping=True)
    if not isinstance(motion, Translate) or margin > 0.0:
        return False, None
    touching = True
    if resting_hits or pair.axis < 0:
        touching, a, b = kernel.shared(*grids, whole - (1 - across), whole + 1)
        if touching and resting_hits:
            return True, _hit(pair, (a, b), 0.0, motion.length, overlapping=False)
    if motion.length == 0.0:
        return True, None
    if pair.axis >= 0:
        return True, _along(pair, motion.length, resting_hits)
    # Off the axes surfaces are faster; but they cannot decide faces in one plane that touch edge to edge.
    return touching, _oblique(pair, motion.length, places, near) if touching else None


def _on_grid(places: NDArray[np.float64], near: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the whole part of grid coordinates, and 1 where there is a fraction: the voxel then covers two grid cells."""
    whole = np.floor(places + near)
    return whole.astype(np.int64), (places - whole > near).astype(np.int64)


def _grids(one: Entry, two: Entry) -> tuple[Any, ...]:
    """Return two volumes as kernels take them: bits, spans and box of each."""
    a, b = index_of(_volume(one)), index_of(_volume(two))
    return a.bits, a.spans, a.box, b.bits, b.spans, b.box


def _along(pair: _GridPair, length: float, resting_hits: bool) -> Hit | None:
    """Return the first contact along a grid axis. The volumes do not overlap, nor touch if resting counts as a hit."""
    axis = pair.axis
    one, two, offset = pair.mover, pair.obstacle, pair.offset
    back = pair.direction[axis] < 0.0
    if back:
        # The same as the obstacle moving forward.
        one, two, offset = two, one, -offset
    first, across = _on_grid(offset / pair.spacing, pair.touch / pair.spacing)
    last = first + across
    step, place = float(pair.spacing[axis]), float(offset[axis])
    base = int(last[axis]) + 1
    if resting_hits:
        first, last = first - (1 - across), first + 1
    # The gap is (base + n - 1) * step - place; contact at the end of the motion counts.
    most = _volume(one).resolution[axis] + _volume(two).resolution[axis]
    limit = int(min((length + pair.slack + place) / step - base + 2.0, most + abs(base) + 2.0))
    if limit < 1:
        return None
    grids = _grids(one, two)
    if axis == 2:
        n, a, b = kernel.ahead_z(*grids, first, last, base, limit)
    else:
        n, a, b = kernel.ahead_xy(grids[0], grids[2], grids[3], grids[5], axis, first, last, base, limit)
    if n < 0:
        return None
    travel = min(max((base + n - 1) * step - place - pair.slack, 0.0), length)
    return _hit(pair, (b, a) if back else (a, b), travel, length, overlapping=False)


def _oblique(pair: _GridPair, length: float, places: NDArray[np.float64], near: NDArray[np.float64]) -> Hit | None:
    """Return the first contact in any direction of volumes that touch and do not overlap.

    All pairs of voxels at the same grid offset meet at once. So only the moments matter at which the mover's grid coordinate
    passes a whole number along an axis: from then on it can hit voxels one step further.
    """
    grids = _grids(pair.mover, pair.obstacle)
    speed = np.where(np.abs(pair.direction) * length > pair.touch, pair.direction / pair.spacing, 0.0)
    ahead = np.sign(speed).astype(np.int64)
    low, high = grids[5][:3] - grids[2][3:] + 1, grids[5][3:] - 1 - grids[2][:3]  # obstacle's indices minus the mover's
    events = [(0.0, -1, 0)]
    for axis in np.flatnonzero(speed):
        start = np.round(places[axis]) if abs(places[axis] - np.round(places[axis])) <= near[axis] else np.nan
        planes = np.arange(low[axis], high[axis] + 1) - ahead[axis]
        travels = (planes - places[axis]) / speed[axis]
        for plane, travel in zip(planes.tolist(), travels.tolist(), strict=True):
            if plane != start and 0.0 < travel <= length + pair.slack:
                events.append((travel, int(axis), plane + int(ahead[axis])))
    for travel, axis, entered in sorted(events):
        whole, across = _on_grid(places + travel * speed, near)
        # Voxels that only touch count if the motion approaches them.
        first = whole - ((across == 0) & (ahead < 0))
        last = whole + across + ((across == 0) & (ahead > 0))
        if axis >= 0:
            first[axis] = last[axis] = entered
        if ((ahead > 0) & (first > high)).any() or ((ahead < 0) & (last < low)).any():
            return None  # past it
        found, a, b = kernel.shared(*grids, first, last)
        if found:
            # Prefer voxels that meet with whole sides to those that meet with edges.
            for side in np.argsort(-np.abs(pair.direction)) if axis < 0 else (axis,):
                low, high = whole.copy(), whole + across
                low[side] = high[side] = entered if axis >= 0 else whole[side] + ahead[side]
                flat, *voxels = kernel.shared(*grids, low, high)
                if flat and ahead[side] != 0 and (axis >= 0 or across[side] == 0):
                    a, b = voxels
                    break
            return _hit(pair, (a, b), min(max(travel - pair.slack, 0.0), length), length, overlapping=False)
    return None


def _hit(pair: _GridPair, voxels: tuple[_Voxel, _Voxel], travel: float, length: float, *, overlapping: bool) -> Hit:
    """Return the hit of two voxels, of the mover and of the obstacle, that meet after `travel`."""
    low = pair.offset + np.array(voxels[0]) * pair.spacing + travel * pair.direction
    base = np.array(voxels[1]) * pair.spacing
    begin, end = np.maximum(low, base), np.minimum(low, base) + pair.spacing
    deep = end - begin
    # The axis with the least overlap; of several, the one closest to the motion.
    side = int(np.argmin(deep))
    if not overlapping:
        side = int(np.argmax(np.where(deep <= deep[side] + pair.touch, np.abs(pair.direction), -1.0)))
    sign = math.copysign(1.0, low[side] - base[side])
    place = 0.5 * (begin + end)
    if not overlapping:
        place[side] = base[side] + (pair.spacing[side] if sign > 0.0 else 0.0)
    pose = pair.obstacle.pose
    kind: Any = ("face", "face", "edge", "vertex")[int((deep <= pair.touch).sum())]
    return make_hit(
        pair.mover,
        pair.obstacle,
        travel,
        length,
        pose[:3, :3] @ (place + _volume(pair.obstacle).origin) + pose[:3, 3],
        sign * pose[:3, side],
        (Feature(kind, voxel=voxels[0]), Feature(kind, voxel=voxels[1])),
        pair.motion,
        pair.movers,
        overlapping=overlapping,
    )
