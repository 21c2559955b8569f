"""Contacts: check the arguments, call the kernels, make the result. Deep overlaps are in `deep_contacts`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidQuery
from ..kernels.statuses import OVERLAP
from ..results.contacts import ContactPatch, Contacts
from ..world.store import rows_of
from ..world.surfaces import PAST, corners_of
from .contact_rows import PairContacts, answer_pairs, contacts_of
from .deep_contacts import overlap_contacts, touch_contact
from .rows import ready_world

if TYPE_CHECKING:
    from ..world.body import Body, Entry
    from ..world.store import Store
    from ..world.world import World

_FEW = 64  # pairs of bodies that room is made for at first


def contacts(
    store: Store,
    body: Body | Sequence[Body],
    others: Body | Sequence[Body] | None,
    *,
    margin: float,
    ignore: Iterable[Body],
) -> Contacts:
    """Answer `Scene.contacts`."""
    movers = store.check_movers(body, "body")
    asked = None if others is None else store.check_movers(others, "others")
    for entry in asked or ():
        if entry in movers:
            raise InvalidQuery(f"others: body {entry.name!r} is also in body; expected different bodies")
    far = checks.length(margin, "margin", InvalidQuery)
    rows = rows_of(movers)
    ignored_pairs = store.filters.ignored_pairs(rows, store.check_ignored(ignore))
    store.check_tolerance(rows)
    if store.surfaces.refresh():
        touch = store.world().tolerance_of(rows, store.tolerance, far)
        store.surfaces.make_reached(corners_of(*store.world().box_of(rows)), far + PAST * touch, movers)
    world = ready_world(store, rows, far)
    pairs = _near_pairs(store, world, rows, ignored_pairs, far)
    if asked is not None:
        pairs = pairs[np.isin(pairs[:, 1], rows_of(asked))]
    answers, known = answer_pairs(store, world, pairs, far)
    patches = []
    for pair, some, (status, count) in zip(pairs, answers, known.tolist(), strict=True):
        if status < 0:
            continue
        both = store.entry(int(pair[0])), store.entry(int(pair[1]))
        found = contacts_of(world, both, some[:count])
        if status == OVERLAP:
            found = overlap_contacts(store, world, both, pair, found)
        elif count == 0:
            found = touch_contact(store, world, both, pair)
        patches += _patches(both, found, status == OVERLAP)
    patches.sort(key=_order)
    return _result(store, patches)


def _near_pairs(
    store: Store, world: World, rows: NDArray[np.int64], ignored: NDArray[np.int64], margin: float
) -> NDArray[np.int64]:
    """Return the pairs of body rows, a mover and another, whose boxes are within the margin, shape (n, 2)."""
    from ..kernels.near import contacts as kernel

    table, near = store.arena.table_of(world.geometry), np.empty(world.rows, np.int64)
    pairs, count = np.empty((0, 2), np.int64), _FEW
    while count > len(pairs):
        pairs = np.empty((count, 2), np.int64)
        count = kernel.near_pairs(
            table, world.bodies, world.boxes, world.rows, *store.hierarchy_of(world), rows, ignored, store.tolerance, margin,
            near, pairs,
        )  # fmt: skip
    return pairs[:count]


def _patches(both: tuple[Entry, Entry], found: PairContacts, overlapping: bool) -> list[ContactPatch]:
    """Return the patches of a pair."""
    patches = []
    for number in range(int(found.patch.max(initial=-1)) + 1):
        k = np.flatnonzero(found.patch == number)
        points, others, normals, gaps = found.point[k], found.other_point[k], found.normal[k], found.gap[k]
        features = tuple(found.features[each] for each in k.tolist())
        patches.append(ContactPatch(both[0].body, both[1].body, overlapping, points, others, normals, gaps, features))
    return patches


def _order(patch: ContactPatch) -> tuple[float, ...]:
    """Return by what patches are sorted: it does not depend on the order in which bodies were added."""
    gap = -np.inf if np.isnan(patch.gap) else patch.gap
    return gap, *patch.points[0].tolist(), *np.nan_to_num(patch.normal).tolist()


def _result(store: Store, patches: list[ContactPatch]) -> Contacts:
    """Return the result."""
    counts = [len(patch) for patch in patches]
    each = [(patch.body.id, patch.other.id, k, patch.overlapping) for k, patch in enumerate(patches)]
    body, other, number, overlapping = np.repeat(np.array(each, np.int64).reshape(-1, 4), counts, axis=0).T.copy()
    points, others, normals = (
        np.concatenate([np.empty((0, 3)), *(getattr(patch, name) for patch in patches)])
        for name in ("points", "other_points", "normals")
    )
    gaps = np.concatenate([np.empty(0), *(patch.gaps for patch in patches)])
    overlaps = overlapping.astype(np.bool_)
    return Contacts(tuple(patches), body, other, number, points, others, normals, gaps, overlaps, store.scene)
