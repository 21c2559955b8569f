"""Exact sweeps: check the arguments, call the kernels, make the result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidQuery, InvalidType
from ..kernels.statuses import FREE, OVERLAP, SHALLOW
from ..kernels.sweep import straight
from ..kernels.sweep.nested import nested
from ..motion import Motion, Translate, Turn, orbit_of
from ..world.store import rows_of
from ..world.world import World, call_kernel
from .grid_sweep import sweep_on_grids
from .hits import nested_hit, surface_hit

if TYPE_CHECKING:
    from ..results import Hit
    from ..world.body import Body, Entry
    from ..world.store import Store

_STILL = Translate((0.0, 0.0, 0.0))
_RESTING = ("free", "hit")


def sweep(
    store: Store,
    mover: Body | Sequence[Body],
    motion: Motion,
    *,
    margin: float,
    resting: str,
    ignore: Iterable[Body],
) -> Hit | None:
    """Answer `Scene.sweep`."""
    movers = store.check_movers(mover)
    swept = motion if type(motion) is Translate else _swept(motion)
    gap = checks.length(margin, "margin", InvalidQuery)
    resting_hits = checks.choice(resting, "resting", _RESTING) == "hit"
    ignored_pairs = store.filters.ignored_pairs(rows_of(movers), store.check_ignored(ignore))
    return first_contact(store, movers, swept, gap, resting_hits, ignored_pairs)


def first_contact(
    store: Store,
    movers: list[Entry],
    motion: Translate | Turn,
    margin: float,
    resting_hits: bool,
    ignored_pairs: NDArray[np.int64],
) -> Hit | None:
    """Answer a sweep with checked arguments, volumes included. A Rotate or Screw must turn: see `as_swept`."""
    volumes = store.surfaces.refresh()
    rows = rows_of(movers)
    store.check_tolerance(rows)
    if not volumes:
        return surfaces_meet(store, store.world(), rows, motion, margin, resting_hits, ignored_pairs)
    # Volumes on one grid are swept by their voxels, all other bodies by the surfaces in reach.
    first = None
    if any(mover.volume is not None for mover in movers):
        first, ignored_pairs, more = sweep_on_grids(store, movers, motion, margin, resting_hits, ignored_pairs)
        if not more:
            return first
    store.surfaces.make_swept(movers, motion, margin)
    hit = surfaces_meet(store, store.world(), rows, motion, margin, resting_hits, ignored_pairs)
    if first is None or (hit is not None and (hit.travel, first.overlapping) < (first.travel, hit.overlapping)):
        return hit
    return first


def contact_now(
    store: Store, movers: list[Entry], margin: float, resting_hits: bool, ignored_pairs: NDArray[np.int64]
) -> Hit | None:
    """Return a contact of movers at their current poses: an overlap, or a touch if resting counts. None if free."""
    return first_contact(store, movers, _STILL, margin, resting_hits, ignored_pairs)


def surfaces_meet(
    store: Store,
    world: World,
    rows: NDArray[np.int64],
    motion: Translate | Turn,
    margin: float,
    resting_hits: bool,
    ignored_pairs: NDArray[np.int64],
) -> Hit | None:
    """Return the first contact of surfaces, or the hit of nested bodies, in a world. rows: body rows of the movers."""
    kernel, path, length = _kernel_of(motion)
    status, mover, obstacle, travel, features, point, normal, may_be_nested, touch = call_kernel(
        store.arena, kernel, world, rows, ignored_pairs, path, length, margin, store.tolerance, resting_hits
    )
    if may_be_nested:
        how, inner, outer, place = call_kernel(store.arena, nested, world, rows, ignored_pairs, touch)
        inside = how == OVERLAP
        if how == SHALLOW and margin == 0.0 and (status == FREE or travel > 0.0):
            free = 1.0 if status == FREE else min(travel / length, 1.0)
            inside = resting_hits or _sinks(store, world, rows, motion, ignored_pairs, touch, free)
        if inside:
            first, second = store.entry(inner), store.entry(outer)
            return nested_hit(first, second, place, motion, _bodies(store, rows), overlapping=how == OVERLAP)
    if status == FREE:
        return None
    first, second = store.entry(mover), store.entry(obstacle)
    movers = (first.body,) if len(rows) == 1 else _bodies(store, rows)
    found = point, normal, features, status == OVERLAP
    return surface_hit(store, first, second, min(travel, length), length, *found, motion, movers)


def _bodies(store: Store, rows: NDArray[np.int64]) -> tuple[Body, ...]:
    """Return the bodies in some rows."""
    return tuple([store.entry(row).body for row in rows.tolist()])


def surfaces_meet_now(
    store: Store, world: World, rows: NDArray[np.int64], margin: float, resting_hits: bool, ignored_pairs: NDArray[np.int64]
) -> Hit | None:
    """As `surfaces_meet`, without a motion."""
    return surfaces_meet(store, world, rows, _STILL, margin, resting_hits, ignored_pairs)


def as_swept(motion: Translate | Turn) -> Translate | Turn:
    """Return the motion to sweep: a Rotate or Screw that does not turn becomes a Translate."""
    if isinstance(motion, Translate) or motion.turns:
        return motion
    return Translate([motion.slide * x for x in motion.axis])


def _swept(motion: Any) -> Translate | Turn:
    if not isinstance(motion, (Translate, Turn)):
        raise InvalidType(f"motion: expected a Translate, Rotate or Screw, got {checks.shown(motion)}")
    return as_swept(motion)


def _kernel_of(motion: Translate | Turn) -> tuple[Any, Any, float]:
    """Return the kernel for a motion, its direction or orbit, and its length."""
    if isinstance(motion, Translate):
        return straight.sweep, motion.direction, motion.length
    from ..kernels.sweep import about_axis

    return about_axis.sweep, orbit_of(motion), abs(motion.angle)


def _sinks(
    store: Store,
    world: World,
    rows: NDArray[np.int64],
    motion: Motion,
    ignored_pairs: NDArray[np.int64],
    touch: float,
    free: float,
) -> bool:
    """True if a mover that touches from the inside at the start goes deeper before time `free`, until which no surfaces meet.

    A point inside a solid by less than the tolerance crosses no surface when it goes deeper.
    """
    for time in (0.5 * free, 0.999 * free):
        there = world.moved({int(row): motion.at(time) @ world.pose(row) for row in rows})
        if call_kernel(store.arena, nested, there, rows, ignored_pairs, touch)[0] == OVERLAP:
            return True
    return False
