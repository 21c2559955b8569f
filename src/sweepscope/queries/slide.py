"""Slides: go to contact, then on along what was hit, leg by leg, as characters in games do.

Each leg is an exact sweep of its own, so no leg passes through anything. What a leg would press into the surfaces at its start
is taken off: what remains is the part of the motion nearest to it that presses into none of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidMotion, InvalidQuery
from ..motion import Translate
from ..results import Hit, SlideResult
from ..world.snapshot import Snapshot
from ..world.store import rows_of
from ..world.surfaces import corners_of
from .push_out import way_out
from .sweep import surfaces_meet

if TYPE_CHECKING:
    from ..world.body import Body, Entry
    from ..world.store import Store
    from ..world.world import World

Vector = tuple[float, float, float]

_NONE: Vector = (0.0, 0.0, 0.0)
_AGAINST = 1e-12  # a share of the motion: what presses into a surface by less goes along it
_LEAST = 1e-12  # a share of the motion: a shorter rest does not count
_PARALLEL_SQ = 1e-16  # square of the sine of an angle below which two planes have no crease
_MOST_LEGS = 1000


def slide(
    store: Store,
    mover: Body | Sequence[Body],
    vector: ArrayLike,
    *,
    margin: float,
    legs: int,
    ignore: Iterable[Body],
    push_out: bool,
) -> SlideResult:
    """Answer `Scene.slide`."""
    movers = store.check_movers(mover)
    rest = checks.vector(vector, "vector", InvalidMotion)
    gap = checks.length(margin, "margin", InvalidQuery)
    most = checks.whole(legs, "legs", InvalidQuery, 1, _MOST_LEGS)
    leave = checks.flag(push_out, "push_out")
    rows = rows_of(movers)
    ignored_pairs = store.filters.ignored_pairs(rows, store.check_ignored(ignore))
    store.check_tolerance(rows)
    out = way_out(store, movers, gap, ignored_pairs) if leave else None
    pushed = out.motion if out is not None and out.obstacles else None
    return _slide(store, movers, rows, rest, gap, most, ignored_pairs, pushed)


def along(step: Vector, normals: Sequence[Vector]) -> Vector:
    """Return the vector nearest to a step that goes against none of the normals.

    It is the step itself, or lies in a plane, or along the crease of two; in a corner of three it is zero.
    """
    most = _AGAINST * math.hypot(*step)
    best, least = _NONE, math.inf
    for each in _candidates(step, normals):
        off = math.dist(each, step)
        if off < least and all(_dot(each, n) >= -most for n in normals):
            best, least = each, off
    return best


def _slide(
    store: Store,
    movers: list[Entry],
    rows: NDArray[np.int64],
    rest: Vector,
    margin: float,
    most: int,
    ignored_pairs: NDArray[np.int64],
    pushed: Translate | None,
) -> SlideResult:
    length = math.hypot(*rest)
    near = _prepare(store, movers, rows, length + (0.0 if pushed is None else pushed.length), margin)
    start, placed = store.world(), [mover.pose for mover in movers]
    done, legs, hits = np.zeros(3), list[Translate](), list[Hit]()
    world = start
    if pushed is not None:
        done += pushed.vector
        world = _moved(start, movers, placed, done)
    wanted, normals = rest, list[Vector]()  # what was left on arrival at this place, and the surfaces met here
    while True:
        motion = Translate(rest)
        hit = surfaces_meet(store, world, rows, motion, margin, False, ignored_pairs)
        share = 1.0 if hit is None else hit.time
        leg = Translate([share * x for x in rest])
        moved = bool(done.any())
        legs.append(leg)
        done += leg.vector
        stopped = share < 1.0
        if hit is None:
            break
        if moved:
            k = next(k for k, mover in enumerate(movers) if mover.body is hit.mover)
            hit = replace(hit, motion=None, pose=Translate(done).at() @ placed[k])
        hits.append(hit)
        normal = hit.normal.tolist()
        if not stopped or hit.overlapping or math.isnan(normal[0]):
            break
        if leg.length > near:
            wanted, normals = ((1.0 - share) * rest[0], (1.0 - share) * rest[1], (1.0 - share) * rest[2]), []
        normals.append((normal[0], normal[1], normal[2]))
        rest = along(wanted, normals)
        if len(legs) == most or math.hypot(*rest) <= _LEAST * length:
            break
        world = _moved(start, movers, placed, done)
    bodies = tuple(mover.body for mover in movers)
    return SlideResult(tuple(legs), tuple(hits), Translate(done), stopped, bodies, pushed, Snapshot(store, movers))


def _moved(start: World, movers: list[Entry], placed: list[NDArray[np.float64]], done: NDArray[np.float64]) -> World:
    """Return the world with movers, given with their poses, moved by a vector."""
    return start.moved({mover.row: Translate(done).at() @ pose for mover, pose in zip(movers, placed, strict=True)})


def _prepare(store: Store, movers: list[Entry], rows: NDArray[np.int64], length: float, margin: float) -> float:
    """Give volumes the surface that a slide can reach. Return how far a leg has to go to leave its place [length]."""
    volumes = store.surfaces.refresh()
    low, high = store.world().box_of(rows)
    if not low[0] <= high[0]:
        return 0.0  # nothing moves
    near = store.world().tolerance_of(rows, store.tolerance, margin)
    if volumes:
        store.surfaces.make_reached(corners_of(low, high), length + margin + 2.0 * near, movers)
    return near


def _candidates(step: Vector, normals: Sequence[Vector]) -> Iterator[Vector]:
    """Yield a step, its part in each plane, and its part along each crease."""
    yield step
    for n in normals:
        s = _dot(step, n)
        yield step[0] - s * n[0], step[1] - s * n[1], step[2] - s * n[2]
    for k, n in enumerate(normals):
        for m in normals[:k]:
            x, y, z = n[1] * m[2] - n[2] * m[1], n[2] * m[0] - n[0] * m[2], n[0] * m[1] - n[1] * m[0]
            square = x * x + y * y + z * z
            if square > _PARALLEL_SQ:
                s = (step[0] * x + step[1] * y + step[2] * z) / square
                yield s * x, s * y, s * z


def _dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
