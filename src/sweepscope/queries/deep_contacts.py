"""Contacts of two bodies that overlap, or that touch at one place without a normal of its own.

Contacts within the margin show how bodies overlap if closing them leads out of the overlap. Bodies that are deeper in each
other have no such contacts: the shortest way out that is found (`push_out`) is then the normal, and contacts are where the
body touches at its end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..kernels import layout as at
from ..kernels.statuses import FREE, OVERLAP
from ..kernels.tolerances import CONTACT_PATCH
from ..motion import Translate
from ..results.hits import Feature
from ..world.hierarchy import NO_HIERARCHY
from .contact_rows import PairContacts, answer_pairs, contacts_of
from .hits import feature_of, voxel_feature
from .push_out import way_out
from .rows import answer_one, make_ready

if TYPE_CHECKING:
    from ..world.body import Entry
    from ..world.store import Store
    from ..world.world import World

Floats = NDArray[np.float64]

_ROUNDS = 64  # in which gaps are closed, one after another
_CLOSED = 1e-6  # share of the deepest gap that may be left
_NEARBY = 1e-2  # share of the way out within which the other body is looked for at its end, if it does not touch there
_NO_CONTACTS = -np.inf  # margin: only whether bodies overlap is asked
_STILL = Translate((0.0, 0.0, 0.0))
_NO_PAIRS = np.empty((0, 2), np.int64)
_NO_FEATURES = Feature("none"), Feature("none")


def overlap_contacts(
    store: Store, world: World, both: tuple[Entry, Entry], pair: NDArray[np.int64], found: PairContacts
) -> PairContacts:
    """Return the contacts of a pair that overlaps. pair: body rows. found: contacts within the margin."""
    if _show_overlap(store, world, pair, found):
        return found
    if store.surfaces:
        store.surfaces.make_whole(both)
        world = make_ready(store, pair.tolist())
    others = [row for row, entry in enumerate(store.rows) if entry is not None and row not in pair]
    out = way_out(store, [both[0]], 0.0, np.array([(-1, row) for row in others], np.int64).reshape(-1, 2))
    if out is None or not out:
        return touch_contact(store, world, both, pair)
    vector = np.array(out.motion.vector)
    normal = vector / np.linalg.norm(vector)
    there = _moved(world, pair, vector)
    for share in (_CLOSED, _NEARBY):
        answers, known = answer_pairs(store, there, pair[None], share * out.depth)
        if known[0, at.PAIR_CONTACTS]:
            break
    else:
        return touch_contact(store, world, both, pair)
    found = contacts_of(there, both, answers[0, : known[0, at.PAIR_CONTACTS]])
    chosen = np.flatnonzero(found.normal @ normal >= CONTACT_PATCH)
    chosen = chosen[found.patch[chosen] == found.patch[chosen[0]]] if len(chosen) else np.zeros(1, np.int64)
    features = [found.features[k] for k in chosen.tolist()]
    points, other_points = found.point[chosen], found.other_point[chosen]
    points = points - vector
    gaps = (points - other_points) @ normal
    other_points = points - gaps[:, None] * normal
    return PairContacts(np.zeros(len(gaps), np.int64), gaps, points, other_points, np.tile(normal, (len(gaps), 1)), features)


def _show_overlap(store: Store, world: World, pair: NDArray[np.int64], found: PairContacts) -> bool:
    """Return whether a motion that closes all negative gaps leads out of the overlap."""
    if not (found.gap < 0.0).any():
        return False
    vector = np.zeros(3)
    most = -_CLOSED * float(found.gap.min())
    for _ in range(_ROUNDS):
        left = np.minimum(found.gap, 0.0) + found.normal @ vector
        worst = int(left.argmin())
        if left[worst] >= -most:
            break
        vector -= left[worst] * found.normal[worst]
    _, known = answer_pairs(store, _moved(world, pair, vector * (1.0 + _CLOSED)), pair[None], _NO_CONTACTS)
    return bool(known[0, at.PAIR_STATUS] != OVERLAP)


def _moved(world: World, pair: NDArray[np.int64], vector: Floats) -> World:
    """Return the world with the first body of a pair moved by a vector [length]."""
    row = int(pair[0])
    return world.moved({row: Translate(vector).at() @ world.pose(row)})


def touch_contact(store: Store, world: World, both: tuple[Entry, Entry], pair: NDArray[np.int64]) -> PairContacts:
    """Return the one contact of two bodies that touch, as the sweep reports it; NaN if no normal is known."""
    found, _ = answer_one(
        store.arena, world.only(pair), NO_HIERARCHY, np.array([0]), _STILL, 0.0, True, _NO_PAIRS, store.tolerance
    )  # fmt: skip
    point = np.array(found[at.POINT : at.POINT + 3])[None]
    normal = np.array(found[at.NORMAL : at.NORMAL + 3])[None]
    features = _NO_FEATURES
    if found[at.FEATURES] >= 0.0:
        own, other = feature_of(found[at.FEATURES : at.FEATURES + 5]), feature_of(found[at.FEATURES + 5 : at.FEATURES + 10])
        features = voxel_feature(world.geometry, both[0], own), voxel_feature(world.geometry, both[1], other)
    known = found[at.STATUS] not in (FREE, OVERLAP) and np.isfinite(normal).all()
    gap = np.zeros(1) if known else np.full(1, np.nan)
    return PairContacts(
        np.zeros(1, np.int64), gap, point, point.copy(), normal if known else np.full((1, 3), np.nan), [features]
    )
