"""The tree of a robot: its links and joints, their poses and bodies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidPose, InvalidRobot, InvalidType, NotFound
from ..immutable import Frozen
from ..scene import Scene, store_of
from ..world.body import entry_of
from ..world.store import rows_of
from .joint import Joint, checked_name, pose_at

if TYPE_CHECKING:
    from ..world.body import Body, Entry
    from ..world.store import Store

Pose = NDArray[np.float64]


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
        "_nearest",
        "attached",
        "ignored",
        "joints",
        "links",
        "name",
        "pieces",
        "poses",
        "removed",
        "root",
        "store",
        "values",
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
        self.removed = False
        """True if the robot was removed from its scene, and no link was added since."""
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
        return _tree, (*known, links, self.ignored_links(), twice, self.removed)

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
        if joint.name in self.joints:
            raise InvalidRobot(f"joint {joint.name!r} exists already; names are unique within a robot")
        if joint.mimic is not None and joint.mimic[0] not in self.values:
            known = checks.listed(self.values)
            raise InvalidRobot(f"joint {joint.name!r} follows {joint.mimic[0]!r}, which is unknown or fixed; it has {known}")
        return name, self.links[parent]

    def add(self, link: Link, pieces: Iterable[tuple[Entry, Pose]], pose: Pose, value: float) -> None:
        """Add a link whose bodies are in the scene; value: of its joint."""
        self.removed = False
        self.links[link.name] = link
        self.poses[link] = pose
        self.pieces[link] = ()
        for entry, local in pieces:
            self.carry(link, entry, local)
        if link.joint is not None:
            self.joints[link.joint.name] = link
            if link.joint.kind != "fixed":
                self.values[link.joint.name] = value

    def check_present(self) -> None:
        """Raise NotFound if the robot was removed: without links, every query would find nothing."""
        if self.removed:
            raise NotFound(f"robot {self.name!r} was removed from its scene; `add` gives it links again")

    def register(self, robot: Any) -> None:
        """Make a robot known to its scene, or tell the scene that its bodies or ignored links have changed."""
        self.store.robots[self.name] = robot
        self.store.filters.set_robot(self.name, self.ignored_rows)

    def unregister(self) -> None:
        """Remove the robot from its scene's robots."""
        self.store.robots.pop(self.name, None)
        self.store.filters.set_robot(self.name, None)

    def carry(self, link: Link, entry: Entry, local: Pose, *, attached: bool = False) -> None:
        """Give a link a body; local: its pose in the link's frame."""
        self.pieces[link] = (*self.pieces[link], (entry, local))
        entry.holder = self.name
        if attached:
            self.attached[entry] = link

    def drop(self, entry: Entry) -> None:
        """Detach an attached body."""
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
        places = {link: k for k, link in enumerate(self.links.values())}
        pairs = sorted((sorted(places[link] for link in pair), flag) for pair, flag in self.ignored.items())
        names = list(self.links)
        return [(names[a], names[b], flag) for (a, b), flag in pairs]

    def entries(self, links: Iterable[Link]) -> list[Entry]:
        """Return the bodies of some links."""
        return [entry for link in links for entry, _ in self.pieces[link]]

    def link_of(self, entry: Entry) -> Link | None:
        """Return the link that a body belongs to; None if it is not the robot's."""
        return next((link for link in self.links.values() if any(own is entry for own, _ in self.pieces[link])), None)

    def body_pose(self, entry: Entry, link: Link, values: Mapping[str, float]) -> Pose:
        """Return where a body of a link is at some joint values, world."""
        chain: list[Link] = []
        here = link
        while here.parent is not None:
            chain.append(here)
            here = here.parent
        pose = self.poses[here]
        for each in reversed(chain):
            pose = moved_pose(each, pose, _value(each, values))
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
        poses: dict[Link, Pose] = {}
        for link in links:
            pose = root
            if link.parent is not None:
                pose = moved_pose(link, poses.get(link.parent, self.poses[link.parent]), _value(link, values))
            if not max(map(abs, pose[:3, 3].tolist())) <= checks.LARGEST:
                raise InvalidPose(f"link {link.name!r} would be at {pose[:3, 3]}; accepted: up to {checks.LARGEST:g}")
            poses[link] = pose
        return poses, {entry: pose @ local for link, pose in poses.items() for entry, local in self.pieces[link]}

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
) -> LinkTree:
    """Return a copied or unpickled tree; twice: its pairs of bodies that the user ignores too."""
    tree = LinkTree(store_of(scene), root, name)
    for called, parent, joint, pose, pieces in links:
        link = Link(tree, called, None if parent is None else tree.links[parent], joint)
        tree.add(link, (), pose, 0.0)
        for body, local, attached in pieces:
            tree.carry(link, entry_of(body), local, attached=attached)
    tree.values, tree.removed = dict(values), removed
    tree.ignored = {frozenset((tree.links[a], tree.links[b])): flag for a, b, flag in ignored}
    # A copied scene has no robots, so that their pairs were the user's: take them back.
    users = {frozenset(map(entry_of, pair)) for pair in twice}
    for a, b in tree.ignored_pairs():
        tree.store.filters.set_pair(a.row, b.row, frozenset((a, b)) in users)
    if links:
        tree.store.filters.set_robot(name, tree.ignored_rows)  # a copied link has a tree, but no robot
    return tree


def _link(tree: LinkTree, name: str) -> Link:
    """Return a copied or unpickled link."""
    return tree.links[name]


def moved_pose(link: Link, parent: Pose, value: float) -> Pose:
    """Return the pose of a link whose parent is at a pose and whose joint has a value."""
    assert link.joint is not None
    return parent @ pose_at(link.joint, value)


def _value(link: Link, values: Mapping[str, float]) -> float:
    """Return the value of a link's joint; a fixed joint has none and stays at 0."""
    return 0.0 if link.joint is None else values.get(link.joint.name, 0.0)
