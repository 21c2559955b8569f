"""Sweeps of a robot's joints: one joint exactly, several at once as one row of `ask.motions`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..kernels.robot import layout as at
from ..kernels.statuses import FREE, OVERLAP
from ..queries.hits import NO_FEATURE, feature_of, voxel_feature
from ..queries.overlap_in_scene import overlaps_at
from ..queries.rows import NO_STANDS
from ..queries.sweep import STILL, as_swept, contact_now, first_contact, surfaces_meet, surfaces_meet_now
from ..results import LinkHit
from ..world.body import entry_of
from ..world.snapshot import Snapshot
from ..world.store import rows_of
from .ask import FINE, Options, motions, options
from .joint import motion_of
from .model import model_of
from .tree import Link, LinkTree

if TYPE_CHECKING:
    from ..motion import Motion
    from ..results import Feature, Hit
    from ..world.body import Body, Entry
    from ..world.world import World

_NO_PAIRS = np.empty((0, 2), np.int64)


def sweep(
    tree: LinkTree, targets: Mapping[str, float], *, margin: float, resting: str, ignore: Iterable[Body], accuracy: float | None
) -> LinkHit | None:
    """Answer `Robot.sweep`; targets: checked values of the joints to move, followers included."""
    store = tree.store
    asked = options(tree, margin, accuracy, ignore, resting)
    gap, resting_hits, ignored = asked.margin, asked.resting_hits, asked.ignored
    changes = {name: to - tree.values[name] for name, to in targets.items() if to != tree.values[name]}
    if len(changes) > 1:
        return _several(tree, targets, changes, asked)
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
    return None if hit is None else _exact(tree, hit, targets, changes)


def _several(tree: LinkTree, targets: Mapping[str, float], changes: Mapping[str, float], asked: Options) -> LinkHit | None:
    """Return the first contact of several joints that move at once."""
    store, model = tree.store, model_of(tree)
    moving = tree.entries(tree.descendants([tree.joints[name] for name in changes]))
    if moving:
        store.check_tolerance(rows_of(moving))
    names = model.chain.columns
    coefficients = np.array([[tree.values[name] for name in names], [changes.get(name, 0.0) for name in names]])
    (answer,) = motions(model, coefficients, 1, 1, asked, first=True, whole=False)
    if answer[at.STATUS] == FREE:
        return None
    time, overlapping = float(answer[at.TIME]), bool(answer[at.STATUS] == OVERLAP)
    pair = store.entry(int(answer[at.ONE_BODY])), store.entry(int(answer[at.OTHER_BODY]))
    there = {name: value + time * changes.get(name, 0.0) for name, value in tree.values.items()}
    point, normal, features = _contact(tree, pair, answer, there, asked)
    # It was found for a part of the robot: no motion is that of all movers.
    movers = tuple(entry.body for entry in moving)
    return _link_hit(
        tree, pair, (point, normal, features), overlapping, None, movers, targets, changes, time, float(answer[at.GAP])
    )


def _contact(
    tree: LinkTree,
    pair: tuple[Entry, Entry],
    answer: NDArray[np.float64],
    values: Mapping[str, float],
    asked: Options,
) -> tuple[NDArray[np.float64], NDArray[np.float64], tuple[Feature, Feature]]:
    """Return point, normal and features of an answer; values: of joints at the contact."""
    store, (mover, obstacle) = tree.store, pair
    normal = answer[at.NORMAL : at.NORMAL + 3].copy()
    if np.isnan(normal).any():
        # The two overlap, or touch: the sweep tells how.
        links = ((entry, tree.link_of(entry)) for entry in pair)
        places = {entry.row: tree.body_pose(entry, link, values) for entry, link in links if link is not None}
        world = store.world().moved(places)
        hit = surfaces_meet(store, world, mover.rows, STILL, asked.margin, True, _NO_PAIRS, obstacle.row)
        if hit is not None:
            return hit.point, hit.normal, hit.features
    found, geometry = answer[at.FEATURES : at.POINT], store.arena.geometry
    features = tuple(
        voxel_feature(geometry, entry, feature_of(found[5 * k : 5 * k + 5].tolist())) if found[0] >= 0 else NO_FEATURE
        for k, entry in enumerate(pair)
    )
    return answer[at.POINT : at.NORMAL].copy(), normal, (features[0], features[1])


def _exact(tree: LinkTree, hit: Hit, targets: Mapping[str, float], changes: Mapping[str, float]) -> LinkHit:
    """Return the hit of links for a hit of bodies that one joint moves."""
    pair, found = (entry_of(hit.mover), entry_of(hit.obstacle)), (hit.point, hit.normal, hit.features)
    return _link_hit(tree, pair, found, hit.overlapping, hit.motion, hit.movers, targets, changes, hit.time, 0.0)


def _link_hit(
    tree: LinkTree,
    pair: tuple[Entry, Entry],
    found: tuple[NDArray[np.float64], NDArray[np.float64], tuple[Feature, Feature]],
    overlapping: bool,
    motion: Motion | None,
    movers: tuple[Body, ...],
    targets: Iterable[str],
    changes: Mapping[str, float],
    time: float,
    bound: float,
) -> LinkHit:
    """Return a hit. pair: mover and obstacle. found: point, normal and features."""
    moving, other = (tree.link_of(entry) for entry in pair)
    assert moving is not None
    values = {name: tree.values[name] + time * changes.get(name, 0.0) for name in targets}
    return LinkHit(
        time,
        time * sum(map(abs, changes.values())) if len(changes) < 2 else math.nan,
        pair[1].body,
        pair[0].body,
        *found,
        overlapping,
        motion,
        movers,
        tree.body_pose(pair[0], moving, {**tree.values, **values}),
        Snapshot(tree.store, [entry_of(body) for body in movers]),
        moving.name,
        None if other is None else other.name,
        values,
        dict(tree.values),
        bound,
    )


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
    spheres = [_sphere_around(world, each) for each in rows]
    for k, link in enumerate(links):
        ignored_pairs = store.filters.ignored_pairs(rows[k], ignored)
        store.check_tolerance(rows[k])
        for n in range(k):
            *middle, radius = spheres[n]
            *here, size = spheres[k]
            near = math.dist(here, middle) <= (1.0 + FINE) * (size + radius) + margin
            if near and chains[link] != chains[links[n]]:
                yield link, links[n], rows[k], rows[n], ignored_pairs


def _sphere_around(world: World, rows: NDArray[np.int64]) -> tuple[float, float, float, float]:
    """Return center and radius of a sphere around the boxes of some bodies."""
    low, high = (corner.tolist() for corner in world.box_of(rows))
    x, y, z = (0.5 * (a + b) for a, b in zip(low, high, strict=True))
    return x, y, z, 0.5 * math.dist(low, high)
