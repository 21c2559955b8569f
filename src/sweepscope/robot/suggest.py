"""Find pairs of links that need not be tested: adjacent, overlapping at the start, always or never, as MoveIt's assistant does.

A pair that overlaps at the start or in nearly all samples is an error of the model, not of a motion.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidQuery
from ..motion import inverse
from ..queries.overlap_in_scene import overlaps_at
from ..results.ignores import IgnoredPair, IgnoresResult
from ..world.store import rows_of
from .tree import Link, LinkTree

_ALWAYS = 0.95  # a pair that overlaps in a larger part of the samples does always
_NO_PAIRS = np.empty((0, 2), np.int64)


def suggest_ignores(tree: LinkTree, samples: int, seed: int) -> IgnoresResult:
    """Answer `Robot.suggest_ignores`."""
    samples = checks.whole(samples, "samples", InvalidQuery, 1)
    rng = np.random.default_rng(checks.whole(seed, "seed", InvalidQuery, 0))
    pairs = list(combinations([link for link in tree.links.values() if tree.own(link)], 2))
    adjacent = [_adjacent(tree, *pair) for pair in pairs]
    tested = [pair for pair, near in zip(pairs, adjacent, strict=True) if not near]
    ranges = [_range(tree, name) for name in tree.actuated()]
    start = np.array([[min(max(0.0, low), high) for low, high in ranges]])
    low, high = np.array(ranges).reshape(-1, 2).T
    random = low + rng.random((samples, len(ranges))) * (high - low)
    found = overlapping_pairs(tree, np.concatenate((start, random)), tested)
    share = found[1:].mean(axis=0)
    reasons = np.select([found[0], share > _ALWAYS, share == 0.0], ["Default", "Always", "Never"], "")
    of_tested = iter(reasons.tolist())
    named = [
        IgnoredPair(a.name, b.name, "Adjacent" if near else next(of_tested))
        for (a, b), near in zip(pairs, adjacent, strict=True)
    ]
    return IgnoresResult(tree, tuple(pair for pair in named if pair.reason), samples)


def overlapping_pairs(
    tree: LinkTree, configurations: NDArray[np.float64], pairs: Sequence[tuple[Link, Link]]
) -> NDArray[np.bool_]:
    """Return which pairs of links overlap in each configuration, shape (n, pairs), whether they are ignored or not.

    configurations: checked values of `LinkTree.actuated`, shape (n, dof). Bodies that are attached to links do not count.
    """
    store = tree.store
    store.surfaces.refresh()
    chain = tree.chain()
    poses = chain.poses(configurations, tree.root)
    links = {link: poses[:, chain.links[link]] for pair in pairs for link in pair}
    found = np.empty((len(configurations), len(pairs)), np.bool_)
    for k, (a, b) in enumerate(pairs):
        # Where the first body of a is if b stays where it is now.
        stands = tree.poses[b] @ _inverses(links[b]) @ links[a] @ inverse(tree.poses[a]) @ tree.own(a)[0].pose
        rows, targets = rows_of(tree.own(a)), rows_of(tree.own(b))
        store.check_tolerance(rows)
        found[:, k] = overlaps_at(store, store.world(), rows, stands, targets, _NO_PAIRS)[:, 0] >= 0
    return found


def _inverses(poses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the inverses of poses, shape (n, 4, 4)."""
    back = np.zeros_like(poses)
    back[:, :3, :3] = poses[:, :3, :3].transpose(0, 2, 1)
    back[:, :3, 3] = -np.einsum("nij,nj->ni", back[:, :3, :3], poses[:, :3, 3])
    back[:, 3, 3] = 1.0
    return back


def _adjacent(tree: LinkTree, a: Link, b: Link) -> bool:
    """True if a joint connects two links that have bodies, or several joints with only frames between."""
    return tree.nearest_with_shape(a.parent) is b or tree.nearest_with_shape(b.parent) is a


def _range(tree: LinkTree, name: str) -> tuple[float, float]:
    """Return the values of a joint to draw from: its limits; without limits half a turn, or the robot's size, to both sides."""
    low, high = tree.reach(name)
    wide = math.pi if tree.joint(name).kind == "revolute" else _size(tree)
    low = min(-wide, high - wide) if math.isinf(low) else low
    return low, max(wide, low + wide) if math.isinf(high) else high


def _size(tree: LinkTree) -> float:
    """Return the diagonal of the box around all bodies of the robot [length]."""
    entries = [entry for link in tree.links.values() for entry in tree.own(link)]
    low, high = tree.store.world().box_of(rows_of(entries))
    return float(np.linalg.norm(high - low)) if entries else 0.0
