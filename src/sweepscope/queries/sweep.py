"""Exact sweeps: check the arguments, call the kernels, make the result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidQuery, InvalidType
from ..kernels import layout as at
from ..kernels.statuses import FREE, OVERLAP
from ..motion import Motion, Translate, Turn
from ..world.store import rows_of
from ..world.world import World
from .grid_sweep import sweep_on_grids
from .hits import nested_hit, surface_hit
from .rows import answer_one

if TYPE_CHECKING:
    from ..kernels.layout import Geometry
    from ..results import Hit
    from ..world.body import Body, Entry
    from ..world.store import Store

STILL = Translate((0.0, 0.0, 0.0))
RESTING = ("free", "hit")


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
    swept = motion if type(motion) is Translate else checked_motion(motion)
    gap = checks.length(margin, "margin", InvalidQuery)
    resting_hits = checks.choice(resting, "resting", RESTING) == "hit"
    ignored_pairs = store.filters.ignored_pairs(rows_of(movers), store.check_ignored(ignore))
    return first_contact(store, movers, swept, gap, resting_hits, ignored_pairs)


def first_contact(
    store: Store,
    movers: list[Entry],
    motion: Translate | Turn,
    margin: float,
    resting_hits: bool,
    ignored_pairs: NDArray[np.int64],
    only: int = -1,
) -> Hit | None:
    """Answer a sweep with checked arguments, volumes included. A Rotate or Screw must turn: see `as_swept`.

    only: the body row of the only obstacle that counts; -1: all count.
    """
    volumes = store.surfaces.refresh()
    rows = rows_of(movers)
    store.check_tolerance(rows)
    if not volumes:
        return surfaces_meet(store, store.world(), rows, motion, margin, resting_hits, ignored_pairs, only)
    # Volumes on one grid are swept by their voxels, all other bodies by the surfaces in reach.
    first = None
    if any(mover.volume is not None for mover in movers):
        first, ignored_pairs, more = sweep_on_grids(store, movers, motion, margin, resting_hits, ignored_pairs, only=only)
        if not more:
            return first
    store.surfaces.make_swept(movers, motion, margin)
    hit = surfaces_meet(store, store.world(), rows, motion, margin, resting_hits, ignored_pairs, only)
    if first is None or (hit is not None and (hit.travel, first.overlapping) < (first.travel, hit.overlapping)):
        return hit
    return first


def contact_now(
    store: Store, movers: list[Entry], margin: float, resting_hits: bool, ignored_pairs: NDArray[np.int64]
) -> Hit | None:
    """Return a contact of movers at their current poses: an overlap, or a touch if resting counts. None if free."""
    return first_contact(store, movers, STILL, margin, resting_hits, ignored_pairs)


def contact_in(
    store: Store,
    world: World,
    movers: list[Entry],
    motion: Translate,
    margin: float,
    ignored_pairs: NDArray[np.int64],
) -> Hit | None:
    """Return the first contact in a world in which the movers may be elsewhere, as a sweep of the scene would.

    Volumes have the surface that is needed.
    """
    first = None
    if any(mover.volume is not None for mover in movers):
        first, ignored_pairs, more = sweep_on_grids(store, movers, motion, margin, False, ignored_pairs, world)
        if not more:
            return first
    hit = surfaces_meet(store, world, rows_of(movers), motion, margin, False, ignored_pairs)
    return hit if first is None or (hit is not None and hit.travel < first.travel) else first


def surfaces_meet(
    store: Store,
    world: World,
    rows: NDArray[np.int64],
    motion: Translate | Turn,
    margin: float,
    resting_hits: bool,
    ignored_pairs: NDArray[np.int64],
    only: int = -1,
) -> Hit | None:
    """Return the first contact of surfaces, or the hit of nested bodies, in a world. rows: body rows of the movers.

    only: as in `first_contact`.
    """
    hierarchy = store.hierarchy_of(world)
    found = answer_one(
        store.arena, world, hierarchy, rows, motion, margin, resting_hits, ignored_pairs, store.tolerance, only
    )  # fmt: skip
    return hit_of_row(store, *found, rows, motion)


def hit_of_row(
    store: Store, answer: Sequence[float], geometry: Geometry, rows: NDArray[np.int64], motion: Translate | Turn
) -> Hit | None:
    """Return the hit of an answered row; None if it is free. geometry: the shapes that the row speaks of."""
    status = answer[at.STATUS]
    if status == FREE:
        return None
    first, second = store.rows[int(answer[at.HIT_MOVER])], store.rows[int(answer[at.HIT_OBSTACLE])]
    assert first is not None and second is not None  # noqa: PT018  (one check: this runs for every hit)
    movers = (first.body,) if len(rows) == 1 else _bodies(store, rows)
    point = answer[at.POINT : at.NORMAL]
    if answer[at.FEATURES] < 0:
        return nested_hit(first, second, point, motion, movers, overlapping=status == OVERLAP)
    found = answer[at.HIT_TRAVEL], motion.length, point, answer[at.NORMAL :], answer[at.FEATURES : at.HIT_TRAVEL]
    return surface_hit(store, first, second, *found, status == OVERLAP, motion, movers, geometry)


def _bodies(store: Store, rows: NDArray[np.int64]) -> tuple[Body, ...]:
    """Return the bodies in some rows."""
    return tuple([store.entry(row).body for row in rows.tolist()])


def surfaces_meet_now(
    store: Store, world: World, rows: NDArray[np.int64], margin: float, resting_hits: bool, ignored_pairs: NDArray[np.int64]
) -> Hit | None:
    """As `surfaces_meet`, without a motion."""
    return surfaces_meet(store, world, rows, STILL, margin, resting_hits, ignored_pairs)


def as_swept(motion: Translate | Turn) -> Translate | Turn:
    """Return the motion to sweep: a Rotate or Screw that does not turn becomes a Translate."""
    if isinstance(motion, Translate) or motion.turns:
        return motion
    return Translate([motion.slide * x for x in motion.axis])


def checked_motion(motion: Any) -> Translate | Turn:
    """Return the motion to sweep, of a user's argument."""
    if not isinstance(motion, (Translate, Turn)):
        raise InvalidType(f"motion: expected a Translate, Rotate or Screw, got {checks.shown(motion)}")
    return as_swept(motion)
