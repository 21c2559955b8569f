"""Contacts of pairs of bodies as the kernel finds them: arrays with a row for each contact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidQuery
from ..kernels import layout as at
from ..results.hits import Feature
from .hits import feature_of, voxel_feature
from .rows import answer_with_scratch

if TYPE_CHECKING:
    from ..world.body import Entry
    from ..world.store import Store
    from ..world.world import World

Floats = NDArray[np.float64]

_MOST_SCRATCH = 1 << 25  # float64 numbers for the contacts of a pair: 256 MiB, some million pairs of faces


@dataclass(slots=True)
class PairContacts:
    """Contacts of one pair of bodies: arrays with a row for each."""

    patch: NDArray[np.int64]
    gap: Floats
    point: Floats
    other_point: Floats
    normal: Floats
    features: list[tuple[Feature, Feature]]


def answer_pairs(store: Store, world: World, pairs: NDArray[np.int64], margin: float) -> tuple[Floats, NDArray[np.int64]]:
    """Return the contacts of pairs of body rows, and what is known of each pair: columns of `layout`."""
    from ..kernels.near import contacts as kernel

    answers = np.empty((len(pairs), at.MOST_CONTACTS, at.CONTACT))
    known = np.empty((len(pairs), at.PAIR_ROW), np.int64)
    table = store.arena.table_of(world.geometry)

    def answer(done: int, scratch: Floats) -> int:
        if len(scratch) > _MOST_SCRATCH:
            a, b = (store.entry(row).name for row in pairs[done].tolist())
            raise InvalidQuery(
                f"margin is {margin:g}: too many faces of {a!r} and {b!r} are nearer to each other than this; "
                "give a smaller margin, or one of the two in ignore"
            )
        return kernel.answer(
            table,
            world.bodies,
            world.poses,
            world.boxes,
            pairs,
            store.tolerance,
            margin,
            done,
            len(pairs),
            scratch,
            answers,
            known,
        )

    if len(pairs):
        answer_with_scratch(answer, len(pairs))
    return answers, known


def contacts_of(world: World, both: tuple[Entry, Entry], some: Floats) -> PairContacts:
    """Return what a kernel has found of a pair."""
    pose = world.poses[both[0].row]
    rest, place = pose[at.POSITION_REST : at.POSITION_REST + 3], pose[at.POSITION : at.POSITION + 3]
    some = some + 0.0  # no -0.0
    point, other = (some[:, column : column + 3] + rest + place for column in (at.CONTACT_POINT, at.CONTACT_OTHER_POINT))
    features = []
    for found in some[:, at.CONTACT_FEATURES :].tolist():
        own, its = feature_of(found[:5]), feature_of(found[5:])
        features.append((voxel_feature(world.geometry, both[0], own), voxel_feature(world.geometry, both[1], its)))
    normal = some[:, at.CONTACT_NORMAL : at.CONTACT_NORMAL + 3]
    return PairContacts(some[:, at.CONTACT_PATCH].astype(np.int64), some[:, at.CONTACT_GAP], point, other, normal, features)
