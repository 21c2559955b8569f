"""Sweeps of a robot's joints: one joint exactly; several at once in steps with a proven error bound."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidQuery
from ..queries.overlap_in_scene import overlaps_at
from ..queries.rows import NO_STANDS
from ..queries.sweep import as_swept, contact_now, first_contact, surfaces_meet_now
from ..world.store import rows_of
from .joint import motion_of
from .path import FINE, JointPathSweep, link_hit, sphere_around
from .tree import Link, LinkTree

if TYPE_CHECKING:
    from ..results import Hit, LinkHit
    from ..world.body import Body


def sweep(
    tree: LinkTree, targets: Mapping[str, float], *, margin: float, resting: str, ignore: Iterable[Body], accuracy: float | None
) -> LinkHit | None:
    """Answer `Robot.sweep`; targets: checked values of the joints to move, followers included."""
    store = tree.store
    gap = checks.length(margin, "margin", InvalidQuery)
    resting_hits = checks.choice(resting, "resting", ("free", "hit")) == "hit"
    if accuracy is not None and checks.length(accuracy, "accuracy", InvalidQuery) == 0.0:
        raise InvalidQuery("accuracy is 0; several joints are swept in steps, which are not exact: give a length above 0")
    ignored = store.check_ignored(ignore)
    changes = {name: to - tree.values[name] for name, to in targets.items() if to != tree.values[name]}
    if len(changes) > 1:
        return JointPathSweep(tree, targets, changes, gap, resting_hits, ignored, accuracy).first()
    links = tree.descendants([tree.joints[name] for name in changes or targets]) if targets else tree.links.values()
    movers = tree.entries(links)
    ignored_pairs = store.filters.ignored_pairs(rows_of(movers), ignored)
    hit = None
    if movers and not changes:
        hit = contact_now(store, movers, gap, resting_hits, ignored_pairs)
    for name, change in changes.items() if movers else ():
        link = tree.joints[name]
        assert link.joint is not None
        motion = as_swept(motion_of(link.joint, tree.poses[link], change))
        hit = first_contact(store, movers, motion, gap, resting_hits, ignored_pairs)
    if hit is None and not changes:
        # Links that several joints move may be in contact with each other.
        hit = next(_own_contacts(tree, targets or tree.values, gap, resting_hits, ignored), None)
    return None if hit is None else link_hit(tree, hit, targets, changes, hit.time, 0.0)


def overlapping_links(tree: LinkTree) -> list[tuple[str, str]]:
    """Answer `Robot.overlaps`."""
    store = tree.store
    return [
        (other.name, link.name)
        for link, other, rows, others, ignored_pairs in _own_pairs(tree, tree.values, 0.0, [])
        if overlaps_at(store, store.world(), rows, NO_STANDS, others, ignored_pairs)[0, 0] >= 0
    ]


def _own_contacts(
    tree: LinkTree, joints: Mapping[str, float], margin: float, resting_hits: bool, ignored: list[int]
) -> Iterator[Hit]:
    """Yield a contact for each pair of links that are in contact now and that these joints can move relative to each other."""
    store = tree.store
    for _, _, rows, others, ignored_pairs in _own_pairs(tree, joints, margin, ignored):
        world = store.world()
        two = world.hiding(sorted({*range(world.rows)} - {*rows.tolist(), *others.tolist()}))
        hit = surfaces_meet_now(store, two, rows, margin, resting_hits, ignored_pairs)
        if hit is not None:
            yield hit


def _own_pairs(
    tree: LinkTree, joints: Mapping[str, float], margin: float, ignored: list[int]
) -> Iterator[tuple[Link, Link, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
    """Yield pairs of links that are near each other, and that these joints can move relative to each other.

    After the links: body rows of both, and the ignored pairs of the first.
    """
    store, links = tree.store, [link for link in tree.links.values() if tree.pieces[link]]
    store.surfaces.refresh()
    chains = tree.chains(joints)
    world = store.world()
    rows = [rows_of(tree.entries([link])) for link in links]
    spheres = [sphere_around(world, each) for each in rows]
    for k, link in enumerate(links):
        ignored_pairs = store.filters.ignored_pairs(rows[k], ignored)
        store.check_tolerance(rows[k])
        for n in range(k):
            *middle, radius = spheres[n]
            *here, size = spheres[k]
            near = math.dist(here, middle) <= (1.0 + FINE) * (size + radius) + margin
            if near and chains[link] != chains[links[n]]:
                yield link, links[n], rows[k], rows[n], ignored_pairs
