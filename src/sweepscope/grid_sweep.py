"""Sweeps of a volume along a grid axis against volumes on the same grid: straight from the bits, with no surface made."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .kernels import grid_sweep as kernel
from .kernels.layout import GROUP, IGNORES, WORLD_HIGH, WORLD_LOW
from .kernels.tolerances import EPS, ROUNDING, TOUCH_AWAY, TOUCH_ROUNDING, TOUCH_SIZE
from .motion import Motion, Translate
from .results import Feature, Hit
from .shapes import Volume
from .surface import swept

if TYPE_CHECKING:
    from .scene import Body, Scene

_SAME = 1e-12  # directions that differ by less are the same, rounded
_FINE = 0.25  # a tolerance of more than this share of a voxel leaves no grid to speak of
_DRIFT = 1e-3  # a motion that leaves its axis by less than this share of the tolerance is along it

_Voxel = tuple[int, int, int]


@dataclass(slots=True)
class _Pair:
    """A mover and an obstacle on one grid. Lengths are in the obstacle's frame, from the corner of its voxel (0, 0, 0)."""

    mover: Body
    obstacle: Body
    offset: NDArray[np.float64]
    """Where the corner of the mover's voxel (0, 0, 0) is [length]."""
    spacing: NDArray[np.float64]
    touch: float
    slack: float
    """How much rounding may have moved anything [length]."""
    way: NDArray[np.float64]
    """Direction of the motion, unit."""
    axis: int
    """The grid axis that the motion is along; -1 if it is along none."""


def first_hit(
    scene: Scene, movers: list[Body], motion: Motion, margin: float, closed: bool, skips: NDArray[np.int64]
) -> tuple[Hit | None, NDArray[np.int64], bool]:
    """Sweep volumes against those on their own grid.

    Return (first contact with them or None, the skips and the pairs that need no more asking, whether there is anything else in
    reach). Motions that are neither along the grid nor begin in touch are asked about overlap at the start only.
    """
    boxes = scene._boxes[:, [mover._row for mover in movers]]
    low, high = boxes[:3].min(axis=1), boxes[3:].max(axis=1)
    if not low[0] <= high[0]:
        return None, skips, False
    away = float(np.abs(0.5 * (low + high)).max())
    touch = scene._tolerance if scene._tolerance >= 0.0 else TOUCH_SIZE * (float(np.linalg.norm(high - low)) + margin)
    touch = max(touch, TOUCH_AWAY * EPS * away)
    far_low, far_high = swept(motion, low, high)
    wide = margin + touch + ROUNDING * EPS * (away + float(np.abs(far_high - far_low).max()))
    count = len(scene._rows)
    near = np.all(scene._boxes[WORLD_LOW : WORLD_LOW + 3, :count] <= (far_high + wide)[:, None], axis=0)
    near &= np.all(scene._boxes[WORLD_HIGH : WORLD_HIGH + 3, :count] >= (far_low - wide)[:, None], axis=0)
    for mover in movers:
        near[mover._row] = False
    left = len(movers) * int(near.sum())
    best: Hit | None = None
    done: list[tuple[int, int]] = []
    others = [body for kept in scene._volumes.values() for body in kept.bodies if near[body._row]]
    for mover in movers:
        for body in others if isinstance(mover._shape, Volume) else ():
            pair = _on_one_grid(mover, body, motion, touch) if _may_meet(scene, mover, body, skips) else None
            if pair is None:
                continue
            settled, hit = _ask(pair, motion, margin, closed)
            if settled:
                done.append((mover._row, body._row))
            if hit is not None and (best is None or (hit.travel, best.overlapping) < (best.travel, hit.overlapping)):
                best = hit
    if done:
        skips = np.concatenate((skips, np.array(done, np.int64)))
    if best is not None and best.overlapping:
        return best, skips, False
    return best, skips, left > len(done)


def _volume(body: Body) -> Volume:
    assert isinstance(body._shape, Volume)
    return body._shape


def _may_meet(scene: Scene, mover: Body, other: Body, skips: Any) -> bool:
    if (scene._ints[mover._row, IGNORES] >> scene._ints[other._row, GROUP]) & 1:
        return False
    return not any(row == other._row and first in (mover._row, -1) for first, row in skips.tolist())


def _on_one_grid(mover: Body, obstacle: Body, motion: Motion, touch: float) -> _Pair | None:
    """Return how two volumes lie to each other if neither is turned against the other and their voxels are of one size."""
    one, two = _volume(mover), _volume(obstacle)
    turn = obstacle._pose[:3, :3]
    apart = turn.T @ mover._pose[:3, :3]
    tilt = float(np.abs(apart - np.eye(3)).max())
    if tilt > _SAME:
        return None
    spacing = np.array(two.spacing)
    reach = np.abs([volume.origin for volume in (one, two)]) + np.array([one.resolution, two.resolution]) * spacing
    moved = (mover._pose[:3, 3] - obstacle._pose[:3, 3]) @ turn
    offset = moved + (apart @ one.origin - two.origin)
    uneven = float((np.abs(spacing - one.spacing) * one.resolution).max())
    slack = 2.0 * ROUNDING * EPS * float(np.abs(moved).max() + reach.max()) + 3.0 * tilt * float(reach.max()) + uneven
    touch = max(touch, TOUCH_ROUNDING * slack)
    if uneven > _DRIFT * touch or touch > _FINE * float(spacing.min()):
        return None
    way, axis = np.zeros(3), -1
    if isinstance(motion, Translate):
        way = motion.frame[6:9] @ turn
        axis = int(np.argmax(np.abs(way)))
        off = float(np.abs(np.delete(way, axis)).max())
        if off > _SAME or off * motion.length > _DRIFT * touch:
            axis = -1
    return _Pair(mover, obstacle, offset, spacing, touch, slack, way, axis)


def _ask(pair: _Pair, motion: Motion, margin: float, closed: bool) -> tuple[bool, Hit | None]:
    """Return whether that is all there is to say of a pair, and its first contact."""
    places, near = pair.offset / pair.spacing, pair.touch / pair.spacing
    whole, across = _on_grid(places, near)
    grids = _grids(pair.mover, pair.obstacle)
    found, a, b = kernel.shared(*grids, whole, whole + across)
    if found:
        return True, _word(pair, (a, b), 0.0, motion.length, overlapping=True)
    if not isinstance(motion, Translate) or margin > 0.0:
        return False, None
    touching = True
    if closed or pair.axis < 0:
        touching, a, b = kernel.shared(*grids, whole - (1 - across), whole + 1)
        if touching and closed:
            return True, _word(pair, (a, b), 0.0, motion.length, overlapping=False)
    if motion.length == 0.0:
        return True, None
    if pair.axis >= 0:
        return True, _along(pair, motion.length, closed)
    # Off the axes surfaces tell as well, and sooner; but not of faces that lie in each other, edge on edge.
    return touching, _askew(pair, motion.length, places, near) if touching else None


def _on_grid(places: NDArray[np.float64], near: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the whole part of places on a grid, and 1 where something is left: a voxel then lies across two of the grid's."""
    whole = np.floor(places + near)
    return whole.astype(np.int64), (places - whole > near).astype(np.int64)


def _grids(one: Body, two: Body) -> tuple[Any, ...]:
    """Return two volumes as kernels take them: bits, spans and box of each."""
    a, b = _volume(one), _volume(two)
    return a._bits, a._spans, a._counts[-7:-1], b._bits, b._spans, b._counts[-7:-1]


def _along(pair: _Pair, length: float, closed: bool) -> Hit | None:
    """Return first contact along a grid axis of volumes that do not overlap; nor touch, if that counts (closed)."""
    axis = pair.axis
    one, two, offset = pair.mover, pair.obstacle, pair.offset
    back = pair.way[axis] < 0.0
    if back:
        # As the other goes forth.
        one, two, offset = two, one, -offset
    first, across = _on_grid(offset / pair.spacing, pair.touch / pair.spacing)
    last = first + across
    step, place = float(pair.spacing[axis]), float(offset[axis])
    base = int(last[axis]) + 1
    if closed:
        first, last = first - (1 - across), first + 1
    # The gap is (base + n - 1) * step - place; contact at the very end counts.
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
    return _word(pair, (b, a) if back else (a, b), travel, length, overlapping=False)


def _askew(pair: _Pair, length: float, places: NDArray[np.float64], near: NDArray[np.float64]) -> Hit | None:
    """Return first contact along any straight way of volumes that touch and do not overlap.

    All pairs of voxels that lie equally far apart on the grid meet at once. So what counts is where the mover's place passes a
    whole number along some axis: voxels one further on are in its way from then on.
    """
    grids = _grids(pair.mover, pair.obstacle)
    speed = np.where(np.abs(pair.way) * length > pair.touch, pair.way / pair.spacing, 0.0)
    ahead = np.sign(speed).astype(np.int64)
    low, high = grids[5][:3] - grids[2][3:] + 1, grids[5][3:] - 1 - grids[2][:3]  # of the obstacle's indices less the mover's
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
        # Of what just touches, that counts towards which it goes.
        first = whole - ((across == 0) & (ahead < 0))
        last = whole + across + ((across == 0) & (ahead > 0))
        if axis >= 0:
            first[axis] = last[axis] = entered
        if ((ahead > 0) & (first > high)).any() or ((ahead < 0) & (last < low)).any():
            return None  # past it
        found, a, b = kernel.shared(*grids, first, last)
        if found:
            # Of those that meet, whole sides tell more than edges do.
            for side in np.argsort(-np.abs(pair.way)) if axis < 0 else (axis,):
                low, high = whole.copy(), whole + across
                low[side] = high[side] = entered if axis >= 0 else whole[side] + ahead[side]
                flat, *voxels = kernel.shared(*grids, low, high)
                if flat and ahead[side] != 0 and (axis >= 0 or across[side] == 0):
                    a, b = voxels
                    break
            return _word(pair, (a, b), min(max(travel - pair.slack, 0.0), length), length, overlapping=False)
    return None


def _word(pair: _Pair, voxels: tuple[_Voxel, _Voxel], travel: float, length: float, *, overlapping: bool) -> Hit:
    """Word the answer: voxels of the mover and of the obstacle that meet after a travel."""
    low = pair.offset + np.array(voxels[0]) * pair.spacing + travel * pair.way
    base = np.array(voxels[1]) * pair.spacing
    begin, end = np.maximum(low, base), np.minimum(low, base) + pair.spacing
    deep = end - begin
    # The side on which they overlap least; of several, the one that the motion is most against.
    side = int(np.argmin(deep))
    if not overlapping:
        side = int(np.argmax(np.where(deep <= deep[side] + pair.touch, np.abs(pair.way), -1.0)))
    sign = math.copysign(1.0, low[side] - base[side])
    place = 0.5 * (begin + end)
    if not overlapping:
        place[side] = base[side] + (pair.spacing[side] if sign > 0.0 else 0.0)
    pose = pair.obstacle._pose
    kind: Any = ("face", "face", "edge", "vertex")[int((deep <= pair.touch).sum())]
    return Hit(
        time=travel / length if travel > 0.0 else 0.0,
        travel=travel,
        body=pair.obstacle,
        mover=pair.mover,
        point=pose[:3, :3] @ (place + _volume(pair.obstacle).origin) + pose[:3, 3],
        normal=sign * pose[:3, side],
        features=(Feature(kind, voxel=voxels[0]), Feature(kind, voxel=voxels[1])),
        overlapping=overlapping,
    )
