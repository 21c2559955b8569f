"""Several joints of a robot that move at once: their paths are followed by short screws, with a proven error bound."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace

import numpy as np
from numpy.typing import NDArray

from ..motion import Rotate, Screw, Translate, inverse, screw_between
from ..queries.sweep import as_swept, surfaces_meet
from ..results import Hit, LinkHit
from ..world.body import Entry, entry_of
from ..world.snapshot import Snapshot
from ..world.store import rows_of
from ..world.surfaces import corners_of
from ..world.world import World
from .joint import motion_of
from .tree import Link, LinkTree, Pose, moved_pose

FINE = 1e-4  # default accuracy, as a fraction of the robot's size
_FINEST = 1e-12  # best possible accuracy, as a fraction of the robot's size
_TURN = 0.5  # largest turn of all joints together in a step [radians], for which _CHORD is valid
_CHORD = 1.0105  # an arc of at most that angle is at most this many times as long as its chord
_MOMENTS = 64  # number of times whose poses are stored
_Poses = dict[Link, Pose]  # of links that move


@dataclass(slots=True, eq=False)
class _LinkGroup:
    """Links with no moving joint between them: those that one moving joint carries, up to the next moving joint."""

    link: Link
    """The link that this joint carries."""
    chain: tuple[Link, ...]
    """This link and the links above whose joints move; root first."""
    pieces: list[tuple[Entry, Link, Pose]]
    """Bodies, their links, and their poses in the link's frame."""
    middle: NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))
    """Center of a bounding sphere, in the link's frame [length]."""
    radius: float = 0.0
    """Radius of that sphere [length]."""

    @property
    def rows(self) -> list[int]:
        """Rows of its bodies."""
        return [entry.row for entry, _, _ in self.pieces]


@dataclass(slots=True, eq=False)
class _Test:
    """A part that moves past the world, or relative to another moving part, which is treated as standing still."""

    part: _LinkGroup
    beside: _LinkGroup | None
    """The part that stands still; None: the world."""
    chain: tuple[Link, ...]
    """Links whose joints move one relative to the other, from the standing part outwards."""
    rows: NDArray[np.int64]
    """Rows of the part's bodies."""
    ignored_pairs: NDArray[np.int64]
    hidden: list[int]
    """Rows of bodies that this test ignores."""
    begin: float = 0.0
    """Time up to which it is known to be free."""
    step: float = 1.0
    """Largest length of the next step."""
    near: dict[int, float] = field(default_factory=dict)
    """Rows of bodies that have been nearer than a bound since the start, with that bound: they are tested without it."""


class JointPathSweep:
    """Several joints that move at constant speed and arrive together."""

    def __init__(
        self,
        tree: LinkTree,
        targets: Mapping[str, float],
        changes: dict[str, float],
        margin: float,
        resting_hits: bool,
        ignored: list[int],
        accuracy: float | None,
    ) -> None:
        self.tree, self.store, self.targets, self.changes = tree, tree.store, targets, changes
        self.margin, self.resting_hits = margin, resting_hits
        self.store.surfaces.refresh()
        world = self.store.world()
        parts = _parts(tree, world, changes)
        moving = [row for part in parts for row in part.rows]
        self.still = world.hiding(moving).boxes[:, : world.rows]
        self.tests = self._tests(parts, ignored)
        size = 2.0 * sphere_around(world, rows_of(tree.entries(tree.links.values())))[3] if self.tests else 0.0
        self.accuracy = max(FINE * size if accuracy is None else accuracy, _FINEST * size)
        for part in parts:
            self.store.check_tolerance(part.rows)
        self.known: dict[float, _Poses] = {}
        self._give_surfaces()

    def first(self) -> LinkHit | None:
        """Return the first contact."""
        best, until = None, 1.0
        for test in self.tests:
            hit = self._exact(test, until) if len(test.chain) == 1 else None
            if hit is not None and (best is None or hit.time < until):
                best, until = hit, hit.time
        rest = [test for test in self.tests if len(test.chain) > 1]
        # Advance the test with the earliest time, so that no test goes beyond the first contact.
        while rest and (test := min(rest, key=lambda test: test.begin)).begin < until:
            hit = self._follow(test, until)
            if hit is not None:
                best, until = hit, hit.time
                rest.remove(test)
        if best is not None and best.time == 0.0 and not best.overlapping:
            return self._overlapping() or best
        return best

    def _overlapping(self) -> LinkHit | None:
        """Return an overlap at the start; it has priority over contacts that only touch."""
        for test in self.tests:
            if not self._clear(test, 0.0, self.margin + self.accuracy):
                hit = self._sweep(test, 0.0, 0.0, 0.0)
                if hit is not None and hit.overlapping:
                    return self._link_hit(test, hit, 0.0, 0.0, 0.0)
        return None

    def _tests(self, parts: list[_LinkGroup], ignored: list[int]) -> list[_Test]:
        """Return all tests: each part with the world, and each pair of parts."""
        world = set(range(len(self.store.rows)))
        moving = {row for part in parts for row in part.rows}
        tests = []
        for k, part in enumerate(parts):
            ignored_pairs = self.store.filters.ignored_pairs(np.array(part.rows, np.int64), ignored)
            for beside in (None, *parts[:k]):
                chain = part.chain if beside is None else _between(beside.chain, part.chain)
                others = moving if beside is None else world - set(beside.rows)
                hidden = sorted(others - set(part.rows))
                tests.append(_Test(part, beside, chain, np.array(part.rows, np.int64), ignored_pairs, hidden))
        return tests

    def _exact(self, test: _Test, until: float) -> LinkHit | None:
        """Return the first contact of a part that one joint moves."""
        if self._clear(test, 0.0, self._bound(test, 0.0, until)[1] + self.margin + self.accuracy):
            return None
        hit = self._sweep(test, 0.0, until, 0.0)
        return None if hit is None else self._link_hit(test, hit, 0.0, until, 0.0)

    def _follow(self, test: _Test, until: float) -> LinkHit | None:
        """Do one step of a part that several joints move; return the first contact if it is in this step.

        A step is swept with its error bound as a margin: up to that contact the motion is free. From there steps get shorter,
        until twice the bound is within the accuracy.
        """
        begin, end = test.begin, min(test.begin + test.step, until)
        bound, path_length = self._bound(test, begin, end)
        free = 0.0
        if self._clear(test, begin, path_length + self.margin + self.accuracy):
            free = 1.0
            test.near.clear()
        elif 2.0 * bound <= self.accuracy or 0.5 * (begin + end) in (begin, end):
            hit, near = self._careful(test, begin, end, bound)
            if hit is not None and not near:
                return self._link_hit(test, hit, begin, end, 2.0 * bound)
            if hit is not None:
                # Found without the bound, it may be late: report the start of the step, once that is near enough.
                ahead = hit.time * path_length
                if ahead + 2.0 * bound <= self.accuracy or 0.5 * (begin + end) in (begin, end):
                    return self._link_hit(test, replace(hit, time=0.0), begin, end, ahead + 2.0 * bound)
                test.step = 0.5 * max(hit.time, 0.5) * (end - begin)
                return None
            free = 1.0
        elif math.isfinite(bound):
            hit = self._sweep(test, begin, end, bound)
            free = 1.0 if hit is None else hit.time
            if free > 0.0:
                test.near.clear()
        test.begin = end if free == 1.0 else begin + free * (end - begin)
        test.step = (end - begin) * (2.0 if free == 1.0 else 0.5 if free > 0.0 else 0.25)
        return None

    def _careful(self, test: _Test, begin: float, end: float, bound: float) -> tuple[Hit | None, bool]:
        """Return the first contact in a step that is short enough, and whether it was found without the bound.

        Bodies that have been nearer than the bound since the start are tested without it: otherwise a hand could not release
        what it holds.
        """
        # A body that was near in a longer step, with a larger bound, stays near.
        near = [row for row, by in test.near.items() if by > bound]
        while True:
            hit = self._sweep(test, begin, end, bound, near)
            if hit is None or hit.time > 0.0:
                break
            row = entry_of(hit.obstacle).row
            if begin > 0.0 and row not in test.near:
                hit = replace(hit, overlapping=False)
                break
            near.append(row)
        test.near = {row: max(bound, test.near.get(row, 0.0)) for row in near}
        if near:
            world = set(range(len(self.store.rows)))
            sooner = self._sweep(test, begin, end, 0.0, sorted(world - set(near) - set(test.rows.tolist())))
            if sooner is not None and (hit is None or sooner.time <= hit.time):
                return sooner, True
        return hit, False

    def _sweep(self, test: _Test, begin: float, end: float, bound: float, more: Iterable[int] = ()) -> Hit | None:
        """Sweep a part from one time to another with a bound as extra margin; more: other body rows to hide."""
        motion = as_swept(self._motion(test, begin, end))
        world = self._world(test, begin, [*test.hidden, *more])
        return surfaces_meet(self.store, world, test.rows, motion, self.margin + bound, self.resting_hits, test.ignored_pairs)

    def _motion(self, test: _Test, begin: float, end: float) -> Rotate | Translate | Screw:
        """Return the motion of a part relative to the standing one: exact if one joint moves it, else a screw."""
        if len(test.chain) == 1:
            (link,) = test.chain
            assert link.joint is not None
            return motion_of(link.joint, self._pose(link, begin), (end - begin) * self._change(link))
        here, there = (self._pose(test.part.link, when) for when in (begin, end))
        if test.beside is not None:
            before, after = (self._pose(test.beside.link, when) for when in (begin, end))
            there = before @ inverse(after) @ there
        return screw_between(here, there)

    def _bound(self, test: _Test, begin: float, end: float) -> tuple[float, float]:
        """Return the largest distance of a part's points from the screw, infinite for too long a step, and their path length.

        Two curves with equal ends, over times 0 to 1, differ by at most 1/8 of the largest difference of their accelerations.
        The acceleration of a point at distance r_k from the axis of joint k is at most the sum, over all pairs of joints, of
        the product of their changes and the r of the outer one. On a screw it is the angle squared times the distance from
        the axis.
        """
        x, y, z, radius = self._extent(test.part, begin)
        fraction = end - begin
        turned = fraction * sum(abs(self._change(link)) for link in test.chain if _turns(link))
        inner, path_length, drift, twist = turned, 0.0, 0.0, 0.0
        for link in reversed(test.chain):
            change = fraction * abs(self._change(link))
            if not _turns(link):
                path_length += change
                drift += change
                twist += 2.0 * change * inner
                continue
            pose = self._pose(link, begin)
            (ax, ay, az), (px, py, pz) = (pose[:3, :3] @ link.joint.axis).tolist(), pose[:3, 3].tolist()  # type: ignore[union-attr]
            dx, dy, dz = x - px, y - py, z - pz
            # Largest distance of the part's points from the axis, including their motion by the outer joints.
            far = math.hypot(ay * dz - az * dy, az * dx - ax * dz, ax * dy - ay * dx) + radius + path_length
            inner -= change
            path_length += min(change, 2.0) * far
            drift += change * far
            twist += change * far * (change + 2.0 * inner)
        if len(test.chain) == 1:
            return 0.0, path_length
        return (math.inf if turned > _TURN else (twist + _CHORD * turned * drift) / 8.0), path_length

    def _clear(self, test: _Test, begin: float, wide: float) -> bool:
        """True if a part is farther than `wide` [length] from all it might hit, by bounding spheres and boxes."""
        *one, radius = self._extent(test.part, begin)
        if test.beside is not None:
            *other, size = self._extent(test.beside, begin)
            return math.dist(one, other) > radius + size + wide
        middle = np.array(one)[:, None]
        off = np.maximum(np.maximum(self.still[:3] - middle, middle - self.still[3:]), 0.0)
        return not (np.square(off).sum(axis=0) <= (radius + wide) ** 2).any()

    def _change(self, link: Link) -> float:
        """Return the change of a link's joint value in the whole motion."""
        assert link.joint is not None
        return self.changes[link.joint.name]

    def _pose(self, link: Link, time: float) -> Pose:
        """Return the pose of a link at a time, world."""
        if time not in self.known:
            if len(self.known) > _MOMENTS:
                self.known.clear()
            self.known[time] = {}
        known = self.known[time]
        above: list[Link] = []
        here: Link | None = link
        while here is not None and here not in known:
            above.append(here)
            here = here.parent
        for each in reversed(above):
            if each.parent is None or each.joint is None:
                known[each] = self.tree.poses[each]
            else:
                name = each.joint.name
                value = self.tree.values.get(name, 0.0) + time * self.changes.get(name, 0.0)
                known[each] = moved_pose(each, known[each.parent], value)
        return known[link]

    def _world(self, test: _Test, time: float, hidden: list[int]) -> World:
        """Return the world with the parts of a test at their poses at a time, without hidden body rows."""
        pieces = (*test.part.pieces, *(test.beside.pieces if test.beside is not None else ()))
        away = {entry.row: self._pose(link, time) @ local for entry, link, local in pieces if entry.row not in hidden}
        return self.store.world().moved(away, hidden)

    def _extent(self, part: _LinkGroup, time: float) -> tuple[float, float, float, float]:
        """Return center and radius of the bounding sphere of a part at a time."""
        pose = self._pose(part.link, time)
        x, y, z = (pose[:3, :3] @ part.middle + pose[:3, 3]).tolist()
        return x, y, z, part.radius

    def _give_surfaces(self) -> None:
        """Give volumes the surface that any part can reach."""
        for test in self.tests:
            if self.store.surfaces and test.beside is None:
                *middle, radius = self._extent(test.part, 0.0)
                wide = radius + self._bound(test, 0.0, 1.0)[1]
                corners = corners_of(np.array(middle) - wide, np.array(middle) + wide)
                self.store.surfaces.make_reached(corners, self.margin + self.accuracy)

    def _link_hit(self, test: _Test, hit: Hit, begin: float, end: float, bound: float) -> LinkHit:
        """Return the hit for a contact found between two times."""
        time = begin + hit.time * (end - begin)
        if test.beside is not None:
            # It was found with the other part standing still.
            before, after = (self._pose(test.beside.link, when) for when in (begin, time))
            carried = after @ inverse(before)
            point, normal = carried[:3, :3] @ hit.point + carried[:3, 3], carried[:3, :3] @ hit.normal
            hit = replace(hit, point=point, normal=normal)
        return link_hit(self.tree, hit, self.targets, self.changes, time, bound)


def _parts(tree: LinkTree, world: World, changes: Mapping[str, float]) -> list[_LinkGroup]:
    """Return the moving parts that have bodies, parents first."""
    parts: dict[Link, _LinkGroup] = {}
    for link, chain in tree.chains(changes).items():
        if chain:
            part = parts.setdefault(chain[-1], _LinkGroup(chain[-1], chain, []))
            for entry, local in tree.pieces[link]:
                # A body without faces has no box, and hits nothing.
                if world.boxes[0, entry.row] <= world.boxes[3, entry.row]:
                    part.pieces.append((entry, link, local))
    for part in parts.values():
        if part.pieces:
            *middle, part.radius = sphere_around(world, np.array(part.rows))
            pose = tree.poses[part.link]
            part.middle = (np.array(middle) - pose[:3, 3]) @ pose[:3, :3]
    return [part for part in parts.values() if part.pieces]


def _between(one: tuple[Link, ...], other: tuple[Link, ...]) -> tuple[Link, ...]:
    """Return the links that move one part relative to another: up the first chain, then down the second."""
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] is other[shared]:
        shared += 1
    return (*reversed(one[shared:]), *other[shared:])


def _turns(link: Link) -> bool:
    return link.joint is not None and link.joint.kind == "revolute"


def sphere_around(world: World, rows: NDArray[np.int64]) -> tuple[float, float, float, float]:
    """Return center and radius of a sphere around the boxes of some bodies."""
    low, high = (corner.tolist() for corner in world.box_of(rows))
    x, y, z = (0.5 * (a + b) for a, b in zip(low, high, strict=True))
    return x, y, z, 0.5 * math.dist(low, high)


def link_hit(
    tree: LinkTree, hit: Hit, targets: Iterable[str], changes: Mapping[str, float], time: float, bound: float
) -> LinkHit:
    """Return the hit of links for a hit of bodies, with the joint values at that time."""
    moving, obstacle = (tree.link_of(entry_of(body)) for body in (hit.mover, hit.obstacle))
    assert moving is not None
    same = {each.name: getattr(hit, each.name) for each in fields(Hit)}
    same["time"] = time
    same["travel"] = time * sum(map(abs, changes.values())) if len(changes) < 2 else math.nan
    if len(changes) > 1:
        # It was found in a step, of a part of the robot.
        moved = tree.descendants([tree.joints[name] for name in changes])
        same |= {"motion": None, "movers": tuple(entry.body for entry in tree.entries(moved))}
    values = {name: tree.values[name] + time * changes.get(name, 0.0) for name in targets}
    same["pose"] = tree.body_pose(entry_of(hit.mover), moving, {**tree.values, **values})
    same["_snapshot"] = Snapshot(tree.store, [entry_of(body) for body in same["movers"]])
    return LinkHit(
        **same,
        link=moving.name,
        obstacle_link=obstacle and obstacle.name,
        positions=values,
        start=dict(tree.values),
        bound=bound,
    )
