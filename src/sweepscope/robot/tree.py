"""The tree of a robot: its links and joints, their poses and bodies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidPose, InvalidRobot, InvalidType, NotFound
from ..immutable import Frozen
from ..scene import Scene, store_of
from ..world.body import entry_of
from ..world.store import rows_of
from .joint import Joint, checked_name, row_of

if TYPE_CHECKING:
    from ..world.body import Body, Entry
    from ..world.store import Store
    from .chain import Chain
    from .model import Model

Pose = NDArray[np.float64]
_Value = TypeVar("_Value", bool, str)


class NamedState(NamedTuple):
    """Positions of some joints, from an SRDF file."""

    name: str
    group: str
    positions: dict[str, float]
    """By name of the joint; of actuated joints only."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Link(Frozen):
    """A rigid part of a robot: its bodies share one pose. Made by `Robot.add`."""

    _tree: LinkTree
    name: str
    """Unique within its robot."""
    parent: Link | None
    """The link that it is attached to; None for the root."""
    joint: Joint | None
    """The joint between the two; None for the root."""

    @property
    def bodies(self) -> tuple[Body, ...]:
        """Its bodies in the scene; empty for a link that is only a frame."""
        return tuple(entry.body for entry, _ in self._tree.pieces[self])

    @property
    def pose(self) -> Pose:
        """Link to world, shape (4, 4), read-only; it follows from the robot's joints and pose."""
        return checks.fixed(self._tree.poses[self])

    def __reduce__(self) -> tuple[Any, ...]:
        if self._tree.links.get(self.name) is not self:
            raise InvalidRobot(f"link {self.name!r} was removed with its robot {self._tree.name!r}; it cannot be copied")
        return _link, (self._tree, self.name)

    def __repr__(self) -> str:
        joined = "" if self.parent is None or self.joint is None else f" on {self.parent.name!r} by {self.joint.name!r}"
        return f"<Link {self.name!r}{joined}: {checks.amount(len(self.bodies), 'body', 'bodies')}>"


class LinkTree:
    """All data of a robot. `Robot` is the public interface; sweeps of joints use the tree."""

    __slots__ = (
        "_chain",
        "_nearest",
        "attached",
        "groups",
        "ignored",
        "joints",
        "links",
        "model",
        "name",
        "pieces",
        "poses",
        "reasons",
        "removed",
        "root",
        "states",
        "store",
        "values",
        "version",
    )

    def __init__(self, store: Store, root: Pose, name: str) -> None:
        self.store = store
        self.root = root
        """Pose of the root link, world."""
        self.name = name
        self.links: dict[str, Link] = {}
        """By name, parents first."""
        self.joints: dict[str, Link] = {}
        """The link that each joint carries, by name of the joint."""
        self.values: dict[str, float] = {}
        """Values of joints that move, followers included."""
        self.poses: dict[Link, Pose] = {}
        self.pieces: dict[Link, tuple[tuple[Entry, Pose], ...]] = {}
        """Bodies of each link, with their poses in its frame; attached ones too."""
        self.attached: dict[Entry, Link] = {}
        """Attached bodies, and the links that carry them."""
        self.ignored: dict[frozenset[Link], bool] = {}
        """Pairs of links that pass through each other; True: with the bodies attached to them."""
        self.reasons: dict[frozenset[Link], str] = {}
        """Why pairs in `ignored` are there, as SRDF files say it; of some of them."""
        self.groups: dict[str, tuple[str, ...]] = {}
        """Names of actuated joints, by name of the group."""
        self.states: list[NamedState] = []
        self.removed = False
        """True if the robot was removed from its scene, and no link was added since."""
        self.version = 0
        """Number of changes of links and bodies so far."""
        self.model: Model | None = None
        """Its arrays, as kernels take them; None: not made yet."""
        self._chain: tuple[int, Chain] | None = None
        self._nearest: dict[Link, Link | None] = {}  # answers of `nearest_with_shape`; bodies of a link's own never change

    def __reduce__(self) -> tuple[Any, ...]:
        links = [
            (
                link.name,
                None if link.parent is None else link.parent.name,
                link.joint,
                self.poses[link],
                [(entry.body, local, entry in self.attached) for entry, local in self.pieces[link]],
            )
            for link in self.links.values()
        ]
        user = self.store.filters.has_pair
        twice = [(a.body, b.body) for a, b in self.ignored_pairs() if user(a.row, b.row)]
        # The scene first: bodies are references, and find it in the same pickle.
        known = self.store.scene, self.root, self.name, self.values
        semantics = self.reason_links(), self.groups, self.states
        return _tree, (*known, links, self.ignored_links(), twice, self.removed, *semantics)

    def check_link(self, name: Any, parent: Any, joint: Any) -> tuple[str, Link | None]:
        """Return the checked name of a new link, and its parent."""
        name = checked_name(name, "link")
        if name in self.links:
            raise InvalidRobot(f"link {name!r} exists already; names are unique within a robot")
        if not self.links:
            if parent is not None or joint is not None:
                raise InvalidRobot(f"link {name!r} is the first, so it is the root: give no parent and no joint")
            return name, None
        if parent is None or joint is None:
            raise InvalidRobot(f"link {name!r}: give its parent, one of {checks.listed(self.links)}, and a joint")
        if not isinstance(joint, Joint):
            raise InvalidType(f"link {name!r}: joint: expected a Joint, got {checks.shown(joint)}")
        if checks.text(parent, f"link {name!r}: parent") not in self.links:
            raise NotFound(f"link {name!r}: parent: no link {checks.shown(parent)}; the robot has {checks.listed(self.links)}")
        row = [step.name for step in row_of(joint)]
        for step in (joint.name, *row):
            if step in self.joints:
                raise InvalidRobot(f"joint {step!r} exists already; names are unique within a robot")
        for frame in row[:-1]:
            if frame in self.links or frame == name:
                raise InvalidRobot(f"joint {joint.name!r}: its frame {frame!r} is a link already; rename one")
        if joint.mimic is not None and joint.mimic[0] not in self.values:
            known = checks.listed(self.values)
            raise InvalidRobot(f"joint {joint.name!r} follows {joint.mimic[0]!r}, which is unknown or fixed; it has {known}")
        return name, self.links[parent]

    def add(self, link: Link, value: float) -> Pose:
        """Add a link without bodies, and return its pose, world; value: of its joint."""
        self.removed = False
        self.version += 1
        self.links[link.name] = link
        self.pieces[link] = ()
        if link.joint is not None:
            self.joints[link.joint.name] = link
            if link.joint.kind != "fixed":
                self.values[link.joint.name] = value
        self.poses[link] = pose = self.poses_of_links(self.values, self.root)[-1]
        return pose

    def discard(self, link: Link) -> None:
        """Remove the link that was added last, which has no bodies."""
        self.version += 1
        del self.links[link.name], self.pieces[link], self.poses[link]
        if link.joint is not None:
            del self.joints[link.joint.name]
            self.values.pop(link.joint.name, None)

    def check_present(self) -> None:
        """Raise NotFound if the robot was removed: without links, every query would find nothing."""
        if self.removed:
            raise NotFound(f"robot {self.name!r} was removed from its scene; `add` gives it links again")

    def register(self, robot: Any) -> None:
        """Make a robot known to its scene, or tell the scene that its bodies or ignored links have changed."""
        self.store.robots[self.name] = robot
        self.refilter()

    def unregister(self) -> None:
        """Remove the robot from its scene's robots."""
        self.store.robots.pop(self.name, None)
        self.store.filters.set_robot(self.name, None)

    def actuated(self) -> tuple[str, ...]:
        """Return the names of the joints that are neither fixed nor mimic another, parents first."""
        return tuple(name for name in self.values if self.joint(name).mimic is None)

    def joint(self, name: str) -> Joint:
        """Return a joint."""
        joint = self.joints[name].joint
        assert joint is not None
        return joint

    def with_followers(self, values: Mapping[str, float]) -> dict[str, float]:
        """Return values of all joints that move, from those of actuated joints."""
        found: dict[str, float] = {}
        for name in self.values:  # leaders come before their followers
            mimic = self.joint(name).mimic
            found[name] = values[name] if mimic is None else mimic[1] * found[mimic[0]] + mimic[2]
        return found

    def reach(self, name: str) -> tuple[float, float]:
        """Return the lowest and highest value of a joint that its limits and those of its followers allow."""
        low, high = self.joint(name).limits
        # The value of a follower, direct or indirect, is factor * value + offset.
        terms = {name: (1.0, 0.0)}
        for each in (link.joint for link in self.joints.values()):
            if each is None or each.mimic is None or each.mimic[0] not in terms:
                continue
            (factor, offset), (_, times, plus) = terms[each.mimic[0]], each.mimic
            factor, offset = terms[each.name] = times * factor, times * offset + plus
            if factor != 0.0:
                bounds = sorted((limit - offset) / factor for limit in each.limits)
                low, high = max(low, bounds[0]), min(high, bounds[1])
        return low, high

    def carry(self, link: Link, entry: Entry, local: Pose, *, attached: bool = False) -> None:
        """Give a link a body; local: its pose in the link's frame."""
        self.version += 1
        self.pieces[link] = (*self.pieces[link], (entry, local))
        entry.holder = self.name
        if attached:
            self.attached[entry] = link

    def drop(self, entry: Entry) -> None:
        """Detach an attached body."""
        self.version += 1
        link = self.attached.pop(entry)
        self.pieces[link] = tuple(piece for piece in self.pieces[link] if piece[0] is not entry)
        entry.holder = ""

    def own(self, link: Link) -> list[Entry]:
        """Return the bodies of a link without those attached to it."""
        return [entry for entry, _ in self.pieces[link] if entry not in self.attached]

    def nearest_with_shape(self, link: Link | None) -> Link | None:
        """Return the first link that has bodies of its own: this one, its parent, and so on; None if there is none."""
        frames = []
        while link is not None and link not in self._nearest and not self.own(link):
            frames.append(link)
            link = link.parent
        found = None if link is None else self._nearest.get(link, link)
        self._nearest |= dict.fromkeys(frames, found)
        return found

    def ignored_pairs(self) -> Iterator[tuple[Entry, Entry]]:
        """Yield the pairs of bodies that pass through each other: what is attached now, and the links that are ignored now."""
        for pair, with_attached in self.ignored.items():
            one, other = ([entry for entry, _ in self.pieces[link]] if with_attached else self.own(link) for link in pair)
            yield from product(one, other)
        for entry, link in self.attached.items():
            yield from ((entry, other) for other, _ in self.pieces[link] if other is not entry)

    def ignored_rows(self) -> Iterator[tuple[int, int]]:
        """Yield the body rows of `ignored_pairs`, for the scene's filters."""
        return ((a.row, b.row) for a, b in self.ignored_pairs())

    def ignored_links(self) -> list[tuple[str, str, bool]]:
        """Return the names of the links in `ignored`, and its values; in the order of links."""
        return self._in_order(self.ignored)

    def reason_links(self) -> list[tuple[str, str, str]]:
        """Return the names of the links in `reasons`, and its values; in the order of links."""
        return self._in_order(self.reasons)

    def _in_order(self, pairs: Mapping[frozenset[Link], _Value]) -> list[tuple[str, str, _Value]]:
        places = {link: k for k, link in enumerate(self.links.values())}
        ordered = sorted((sorted(places[link] for link in pair), value) for pair, value in pairs.items())
        names = list(self.links)
        return [(names[a], names[b], value) for (a, b), value in ordered]

    def disable(self, pairs: Iterable[tuple[str, str, str]]) -> None:
        """Let links pass through each other, without the bodies attached to them. Each pair: two names and a reason, or ""."""
        named = [(frozenset((self.links[a], self.links[b])), reason) for a, b, reason in pairs]
        for pair, reason in named:
            self.ignored.setdefault(pair, False)
            if reason:
                self.reasons[pair] = reason
        self.refilter()

    def enable(self, pairs: Iterable[frozenset[Link]]) -> None:
        """Let links hit each other."""
        for pair in pairs:
            self.ignored.pop(pair, None)
            self.reasons.pop(pair, None)
        self.refilter()

    def refilter(self) -> None:
        """Tell the scene that bodies or ignored links have changed."""
        self.store.filters.set_robot(self.name, self.ignored_rows)

    def entries(self, links: Iterable[Link]) -> list[Entry]:
        """Return the bodies of some links."""
        return [entry for link in links for entry, _ in self.pieces[link]]

    def link_of(self, entry: Entry) -> Link | None:
        """Return the link that a body belongs to; None if it is not the robot's."""
        return next((link for link in self.links.values() if any(own is entry for own, _ in self.pieces[link])), None)

    def chain(self) -> Chain:
        """Return the joints as rows of arrays."""
        from .chain import Chain  # not before it is needed: importing kernels takes a second

        if self._chain is None or self._chain[0] != self.version:
            self._chain = self.version, Chain(self)
        return self._chain[1]

    def poses_of_links(self, values: Mapping[str, float], root: Pose) -> NDArray[np.float64]:
        """Return the poses of all links, shape (links, 4, 4), world, at joint values and a pose of the root."""
        chain = self.chain()
        row = np.array([[values[name] if name in values else self.values[name] for name in chain.columns]])
        return chain.poses(row, root)[0]

    def body_pose(self, entry: Entry, link: Link, values: Mapping[str, float]) -> Pose:
        """Return where a body of a link is at some joint values, world."""
        pose = self.poses_of_links(values, self.root)[self.chain().links[link]]
        return pose @ next(local for own, local in self.pieces[link] if own is entry)

    def descendants(self, tops: Iterable[Link]) -> Iterator[Link]:
        """Yield some links and all links attached to them, directly or indirectly; parents first."""
        moved = set(tops)
        for link in self.links.values():
            if link.parent in moved:
                moved.add(link)
            if link in moved:
                yield link

    def chains(self, changes: Mapping[str, float]) -> dict[Link, tuple[Link, ...]]:
        """Return, for every link, the links from the root to it whose joints change."""
        chains: dict[Link, tuple[Link, ...]] = {}
        for link in self.links.values():
            above = () if link.parent is None else chains[link.parent]
            changed = link.joint is not None and link.joint.name in changes
            chains[link] = (*above, link) if changed else above
        return chains

    def poses_at(
        self, links: Iterable[Link], values: Mapping[str, float], root: Pose
    ) -> tuple[dict[Link, Pose], dict[Entry, Pose]]:
        """Return the poses of links, parents first, and of their bodies at joint values and a pose of the root, world."""
        found, chain = self.poses_of_links(values, root), self.chain()
        poses = {link: found[chain.links[link]] for link in links}
        if not (np.abs(found[:, :3, 3]) <= checks.LARGEST).all():
            for link, pose in poses.items():
                if not np.abs(pose[:3, 3]).max() <= checks.LARGEST:
                    raise InvalidPose(f"link {link.name!r} would be at {pose[:3, 3]}; accepted: up to {checks.LARGEST:g}")
        placed = found[chain.holders] @ chain.offsets
        if len(poses) == len(found):
            return poses, dict(zip(chain.entries, placed, strict=True))
        moved = np.zeros(len(found), bool)
        moved[[chain.links[link] for link in poses]] = True
        return poses, {chain.entries[k]: placed[k] for k in np.flatnonzero(moved[chain.holders]).tolist()}

    def put(self, links: Iterable[Link], values: dict[str, float], root: Pose) -> None:
        """Move links, parents first, to the poses that joint values and the root's pose give. If it raises, nothing changes."""
        poses, placed = self.poses_at(links, values, root)
        self.values, self.root = values, root
        self.poses |= poses
        if placed:
            entries = list(placed)
            self.store.put_many(entries, rows_of(entries), np.array(list(placed.values())))


def _tree(
    scene: Scene,
    root: Pose,
    name: str,
    values: dict[str, float],
    links: list[tuple[Any, ...]],
    ignored: list[tuple[str, str, bool]],
    twice: list[tuple[Body, Body]],
    removed: bool,
    reasons: list[tuple[str, str, str]],
    groups: dict[str, tuple[str, ...]],
    states: list[NamedState],
) -> LinkTree:
    """Return a copied or unpickled tree; twice: its pairs of bodies that the user ignores too."""
    tree = LinkTree(store_of(scene), root, name)
    for called, parent, joint, pose, pieces in links:
        link = Link(tree, called, None if parent is None else tree.links[parent], joint)
        tree.add(link, values.get("" if joint is None else joint.name, 0.0))
        tree.poses[link] = pose
        for body, local, attached in pieces:
            tree.carry(link, entry_of(body), local, attached=attached)
    tree.values, tree.removed = dict(values), removed
    tree.ignored = {frozenset((tree.links[a], tree.links[b])): flag for a, b, flag in ignored}
    tree.reasons = {frozenset((tree.links[a], tree.links[b])): reason for a, b, reason in reasons}
    tree.groups, tree.states = dict(groups), list(states)
    # A copied scene has no robots, so that their pairs were the user's: take them back.
    users = {frozenset(map(entry_of, pair)) for pair in twice}
    for a, b in tree.ignored_pairs():
        tree.store.filters.set_pair(a.row, b.row, frozenset((a, b)) in users)
    if links:
        tree.refilter()  # a copied link has a tree, but no robot
    return tree


def _link(tree: LinkTree, name: str) -> Link:
    """Return a copied or unpickled link."""
    return tree.links[name]
