"""Depth of two bodies: how far one must move to be clear of the other.

Along a direction the way out is found backwards: the body is put beyond the other and swept in; what is left of the way at the
first contact is the depth. Without a direction the depth is that of convex bodies (`convex_axes`). Neither depends on how a
surface is divided into faces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InvalidQuery
from ..kernels.layout import IGNORES
from ..motion import Translate, unit
from ..results.depth import PairDepth
from .convex_axes import find_convex, ways_out
from .sweep import contact_in

if TYPE_CHECKING:
    from ..world.body import Body, Entry
    from ..world.store import Store
    from ..world.world import World

_BEYOND = 2.0  # tolerances beyond the other body, where the way back begins
_STILL = Translate((0.0, 0.0, 0.0))
_NO_PAIRS = np.empty((0, 2), np.int64)


class _Pair(NamedTuple):
    """Two bodies, and a world that has no others."""

    store: Store
    first: Entry
    second: Entry
    world: World
    touch: float
    """Contact tolerance [length]."""
    empty: bool
    """Whether one of the two has nothing to hit."""

    def first_contact(self, world: World, motion: Translate) -> tuple[float, bool] | None:
        """Return the travel [length] at which the first body meets the second, and whether they overlap at the start."""
        hit = contact_in(self.store, world, [self.first], motion, 0.0, _NO_PAIRS)
        return None if hit is None else (hit.travel, hit.overlapping)

    @property
    def overlaps(self) -> bool:
        found = self.first_contact(self.world, _STILL)
        return found is not None and found[1]


def depth(store: Store, a: Body, b: Body) -> PairDepth:
    """Answer `Scene.depth`."""
    pair = _pair(store, a, b)
    bodies = pair.first.body, pair.second.body
    none = PairDepth(0.0, np.full(3, np.nan), *bodies)
    if pair.empty:
        return none
    origin = pair.first.pose[:3, 3]
    convex = []
    for entry in pair.first, pair.second:
        found = find_convex(store, entry, origin)
        if isinstance(found, str):
            raise InvalidQuery(
                f"depth: body {entry.name!r} is not known to be convex: {found}. Only convex bodies have an exact least depth; "
                "scene.depth_along(a, b, direction) takes all, scene.push_out finds a short way out"
            )
        convex.append(found)
    ways = ways_out(convex[0], convex[1], 0.0)
    if ways is None:
        raise InvalidQuery(
            f"depth: bodies {bodies[0].name!r} and {bodies[1].name!r} have too many edges together: "
            f"{len(convex[0].edges):,} and {len(convex[1].edges):,}; give a direction: scene.depth_along(a, b, direction)"
        )
    axes, lengths = ways
    return PairDepth(float(lengths[0]), axes[0].copy(), *bodies) if lengths[0] > pair.touch else none


def depth_along(store: Store, a: Body, b: Body, direction: ArrayLike) -> PairDepth:
    """Answer `Scene.depth_along`."""
    pair = _pair(store, a, b)
    way = np.array(unit(*checks.direction(direction, "direction", InvalidQuery)))
    bodies = pair.first.body, pair.second.body
    if pair.empty or not pair.overlaps:
        return PairDepth(0.0, way, *bodies)
    low, high = pair.world.box_of(pair.first.rows)
    other_low, other_high = pair.world.box_of(pair.second.rows)
    top = np.maximum(way * other_low, way * other_high).sum()
    bottom = np.minimum(way * low, way * high).sum()
    length = float(top - bottom) + _BEYOND * pair.touch
    there = pair.world.moved({pair.first.row: Translate(length * way).at() @ pair.first.pose})
    found = pair.first_contact(there, Translate(-length * way))
    # A sweep along a surface may sink in by a tolerance or two.
    deep = _BEYOND * pair.touch if found is None else length - found[0]
    return PairDepth(max(deep, 0.0), way, *bodies)


def _pair(store: Store, a: Body, b: Body) -> _Pair:
    """Return two checked bodies."""
    first, second = store.check(a, "a"), store.check(b, "b")
    if first is second:
        raise InvalidQuery(f"b: body {second.name!r} is also a; expected different bodies")
    store.check_tolerance(first.rows)
    if store.surfaces.refresh():
        store.surfaces.make_whole([first, second])
    world = store.world()
    rows = [first.row, second.row]
    empty = bool((world.boxes[0, rows] > world.boxes[3, rows]).any())
    touch = 0.0 if empty else world.tolerance_of(first.rows, store.tolerance, 0.0)
    others = np.ones(world.rows, np.bool_)
    others[rows] = False
    bodies = world.bodies.copy()
    bodies[:, IGNORES] = 0  # bodies that ignore each other have a depth, too
    return _Pair(store, first, second, world._replace(bodies=bodies).hiding(np.flatnonzero(others)), touch, empty)
