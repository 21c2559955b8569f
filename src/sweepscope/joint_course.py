"""Several joints of a robot that move at once: paths that are no screws, followed by screws, certain to within a bound."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .kernels.bodies import put_body
from .motion import Rotate, Screw, Translate, inverse
from .results import Hit, LinkHit
from .surface import corners_of, make_reached, refresh
from .sweep import Places, check_tolerance, skips_of, surfaces_meet

if TYPE_CHECKING:
    from .robot import Link, Robot
    from .scene import Body

FINE = 1e-4  # of the robot's size: how near to the truth links are followed unless told otherwise
_FINEST = 1e-12  # nothing is known better than this share of the robot's size
_TURN = 0.5  # most that joints together turn in a step [radians], for which _CHORD holds
_CHORD = 1.0105  # an arc of at most that angle is at most this many times as long as its chord
_MOMENTS = 64  # how many poses are kept
_NOWHERE = np.repeat((np.inf, -np.inf), 3)[:, None]
_Poses = dict[int, NDArray[np.float64]]  # of links that move, by number


@dataclass(slots=True, eq=False)
class _Part:
    """Links between which no joint moves: what hangs on one that does."""

    link: Link
    """That hangs on it."""
    chain: tuple[Link, ...]
    """Links above, itself included, that hang on joints that move; root first."""
    pieces: list[tuple[Body, Link, NDArray[np.float64]]]
    """Bodies, the links that they belong to, and their poses in the link's frame."""
    middle: NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))
    """Of a ball round it, in the link's frame [length]."""
    radius: float = 0.0

    @property
    def rows(self) -> list[int]:
        """Of its bodies."""
        return [body._row for body, _, _ in self.pieces]


@dataclass(slots=True, eq=False)
class _Test:
    """A part on its way past what stands still beside it: the world, or another part that moves too."""

    part: _Part
    beside: _Part | None
    """What is taken to stand still; None: the world."""
    chain: tuple[Link, ...]
    """Links on those joints that move the one against the other, from what stands still outwards."""
    movers: list[Body]
    rows: NDArray[np.int64]
    skips: Any
    hidden: list[int]
    """Rows of what is none of its business."""
    begin: float = 0.0
    """Up to when it is known to be free."""
    step: float = 1.0
    """How long the next step may be."""
    near: dict[int, float] = field(default_factory=dict)
    """Rows of what has been nearer than a bound ever since the motion began: not asked to stay away further than it is."""


class Course:
    """Several joints that move at constant speed and arrive together."""

    def __init__(
        self,
        robot: Robot,
        targets: Mapping[str, float],
        changes: dict[str, float],
        gap: float,
        closed: bool,
        passed: tuple[Body, ...],
        within: float | None,
    ) -> None:
        self.robot, self.scene, self.targets, self.changes = robot, robot.scene, targets, changes
        self.gap, self.closed = gap, closed
        refresh(self.scene)
        parts = _parts(robot, changes)
        moving = [row for part in parts for row in part.rows]
        self.still = hiding(self.scene._boxes, moving)[:, : len(self.scene._rows)]
        self.tests = self._tests(parts, passed)
        size = 2.0 * ball_round(self.scene._boxes, rows_of(robot.bodies))[3] if self.tests else 0.0
        self.within = max(FINE * size if within is None else within, _FINEST * size)
        for part in parts:
            check_tolerance(self.scene, part.rows)
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
        # The one that is known least far goes on, so that nothing is followed beyond the first contact.
        while rest and (test := min(rest, key=lambda test: test.begin)).begin < until:
            hit = self._follow(test, until)
            if hit is not None:
                best, until = hit, hit.time
                rest.remove(test)
        if best is not None and best.time == 0.0 and not best.overlapping:
            return self._overlapping() or best
        return best

    def _overlapping(self) -> LinkHit | None:
        """Return an overlap that is there at the start: it goes before what only touches."""
        for test in self.tests:
            if not self._clear(test, 0.0, self.gap + self.within):
                hit = self._ask(test, 0.0, 0.0, 0.0)
                if hit is not None and hit.overlapping:
                    return self._told(test, hit, 0.0, 0.0, 0.0)
        return None

    def _tests(self, parts: list[_Part], passed: tuple[Body, ...]) -> list[_Test]:
        """Return all that may meet: every part and the world, every two parts."""
        world = set(range(len(self.scene._rows)))
        moving = {row for part in parts for row in part.rows}
        tests = []
        for k, part in enumerate(parts):
            movers = [body for body, _, _ in part.pieces]
            skips = skips_of(self.scene, movers, passed)
            for beside in (None, *parts[:k]):
                chain = part.chain if beside is None else _between(beside.chain, part.chain)
                others = moving if beside is None else world - set(beside.rows)
                hidden = sorted(others - set(part.rows))
                tests.append(_Test(part, beside, chain, movers, rows_of(movers), skips, hidden))
        return tests

    def _exact(self, test: _Test, until: float) -> LinkHit | None:
        """Return the first contact of what one joint moves."""
        if self._clear(test, 0.0, self._reckon(test, 0.0, until)[1] + self.gap + self.within):
            return None
        hit = self._ask(test, 0.0, until, 0.0)
        return None if hit is None else self._told(test, hit, 0.0, until, 0.0)

    def _follow(self, test: _Test, until: float) -> LinkHit | None:
        """Go on by one step with what several joints move; return the first contact if it is in this step.

        Steps are as long as their bound allows: up to a contact with that much to spare the way is free; from there on the
        steps are shorter, down to where the bound is as small as it should be.
        """
        begin, end = test.begin, min(test.begin + test.step, until)
        bound, way = self._reckon(test, begin, end)
        free = 0.0
        if self._clear(test, begin, way + self.gap + self.within):
            free = 1.0
            test.near.clear()
        elif 2.0 * bound <= self.within or 0.5 * (begin + end) in (begin, end):
            hit, near = self._careful(test, begin, end, bound)
            if hit is not None and not near:
                return self._told(test, hit, begin, end, 2.0 * bound)
            if hit is not None:
                # Found without a bound to spare, it may be late: it is told at the beginning, once that is near enough.
                ahead = hit.time * way
                if ahead + 2.0 * bound <= self.within or 0.5 * (begin + end) in (begin, end):
                    return self._told(test, replace(hit, time=0.0), begin, end, ahead + 2.0 * bound)
                test.step = 0.5 * max(hit.time, 0.5) * (end - begin)
                return None
            free = 1.0
        elif math.isfinite(bound):
            hit = self._ask(test, begin, end, bound)
            free = 1.0 if hit is None else hit.time
            if free > 0.0:
                test.near.clear()
        test.begin = end if free == 1.0 else begin + free * (end - begin)
        test.step = (end - begin) * (2.0 if free == 1.0 else 0.5 if free > 0.0 else 0.25)
        return None

    def _careful(self, test: _Test, begin: float, end: float, bound: float) -> tuple[Hit | None, bool]:
        """Return the first contact of one test in a step that is short enough, and whether it was found without the bound.

        What has been nearer than the bound since the motion began cannot be asked to stay further away: a hand that holds
        something could not let go. It is asked without.
        """
        # Known to be near by a longer step, a shorter one with its smaller bound cannot tell that it is not.
        near = [row for row, by in test.near.items() if by > bound]
        while True:
            hit = self._ask(test, begin, end, bound, near)
            if hit is None or hit.time > 0.0:
                break
            row = hit.body._row
            if begin > 0.0 and row not in test.near:
                hit = replace(hit, overlapping=False)
                break
            near.append(row)
        test.near = {row: max(bound, test.near.get(row, 0.0)) for row in near}
        if near:
            world = set(range(len(self.scene._rows)))
            sooner = self._ask(test, begin, end, 0.0, sorted(world - set(near) - set(test.rows.tolist())))
            if sooner is not None and (hit is None or sooner.time <= hit.time):
                return sooner, True
        return hit, False

    def _ask(self, test: _Test, begin: float, end: float, bound: float, more: Iterable[int] = ()) -> Hit | None:
        """Sweep a part from one moment to another, staying a bound away; more: rows to hide besides."""
        motion = self._motion(test, begin, end)
        if isinstance(motion, Screw) and not motion.turns:
            motion = Translate([motion.slide * x for x in motion.axis])
        places = self._places(test, begin, [*test.hidden, *more])
        return surfaces_meet(self.scene, places, test.movers, test.rows, motion, self.gap + bound, self.closed, test.skips)

    def _motion(self, test: _Test, begin: float, end: float) -> Rotate | Translate | Screw:
        """Return how a part moves, seen from what it is held against: exactly if one joint moves it, else the screw."""
        if len(test.chain) == 1:
            (link,) = test.chain
            assert link._joint is not None
            return link._joint.motion(self._pose(link, begin), (end - begin) * self._change(link))
        here, there = (self._pose(test.part.link, when) for when in (begin, end))
        if test.beside is not None:
            before, after = (self._pose(test.beside.link, when) for when in (begin, end))
            there = before @ inverse(after) @ there
        return Screw._from(here, there)

    def _reckon(self, test: _Test, begin: float, end: float) -> tuple[float, float]:
        """Return how far any point of a part may be from where the screw has it, infinite for too long a step; how far it goes.

        Two curves that agree at both ends are at most 1/8 of their greatest difference in acceleration apart, time running from
        0 to 1. A point r_k from joint k's axis is accelerated by at most the sum over all pairs of joints of the product of
        their changes and the r of the outer one; on a screw, by its angle squared times the distance from its axis.
        """
        x, y, z, radius = self._extent(test.part, begin)
        share = end - begin
        turned = share * sum(abs(self._change(link)) for link in test.chain if _turns(link))
        inner, way, drift, twist = turned, 0.0, 0.0, 0.0
        for link in reversed(test.chain):
            change = share * abs(self._change(link))
            if not _turns(link):
                way += change
                drift += change
                twist += 2.0 * change * inner
                continue
            pose = self._pose(link, begin)
            (ax, ay, az), (px, py, pz) = (pose[:3, :3] @ link._joint.axis).tolist(), pose[:3, 3].tolist()  # type: ignore[union-attr]
            dx, dy, dz = x - px, y - py, z - pz
            # The farthest from the axis that the part's points get: what is further out may move them meanwhile.
            far = math.hypot(ay * dz - az * dy, az * dx - ax * dz, ax * dy - ay * dx) + radius + way
            inner -= change
            way += min(change, 2.0) * far
            drift += change * far
            twist += change * far * (change + 2.0 * inner)
        if len(test.chain) == 1:
            return 0.0, way
        return (math.inf if turned > _TURN else (twist + _CHORD * turned * drift) / 8.0), way

    def _clear(self, test: _Test, begin: float, wide: float) -> bool:
        """True if a part is further than `wide` [length] from what it might meet, by balls and boxes round them."""
        *one, radius = self._extent(test.part, begin)
        if test.beside is not None:
            *other, size = self._extent(test.beside, begin)
            return math.dist(one, other) > radius + size + wide
        middle = np.array(one)[:, None]
        off = np.maximum(np.maximum(self.still[:3] - middle, middle - self.still[3:]), 0.0)
        return not (np.square(off).sum(axis=0) <= (radius + wide) ** 2).any()

    def _change(self, link: Link) -> float:
        """Return by how much the joint that a link hangs on changes in the whole motion."""
        assert link._joint is not None
        return self.changes[link._joint.name]

    def _pose(self, link: Link, time: float) -> NDArray[np.float64]:
        """Return where a link is at a moment."""
        if time not in self.known:
            if len(self.known) > _MOMENTS:
                self.known.clear()
            self.known[time] = {}
        return self._posed(link, time, self.known[time])

    def _posed(self, link: Link, time: float, known: _Poses) -> NDArray[np.float64]:
        above: list[Link] = []
        here: Link | None = link
        while here is not None and here._number not in known:
            above.append(here)
            here = here._parent
        for each in reversed(above):
            joint = each._joint
            if each._parent is None or joint is None:
                known[each._number] = each._pose
            else:
                value = self.robot._values.get(joint.name, 0.0) + time * self.changes.get(joint.name, 0.0)
                known[each._number] = known[each._parent._number] @ joint.moved(value)
        return known[link._number]

    def _places(self, test: _Test, time: float, hidden: list[int]) -> Places:
        """Return where the parts of a test, and all that stands, are at a moment, some rows being hidden."""
        scene, arena = self.scene, self.scene._arena
        poses, boxes, moved = scene._poses.copy(), hiding(scene._boxes, hidden), {}
        for body, link, local in (*test.part.pieces, *(test.beside.pieces if test.beside is not None else ())):
            if body._row not in hidden:
                moved[body._row] = pose = self._pose(link, time) @ local
                put_body(poses, boxes, body._row, arena.reals, body._stored, pose, arena.centre(body._stored))
        return Places(poses, boxes, moved)

    def _extent(self, part: _Part, time: float) -> tuple[float, float, float, float]:
        """Return middle and radius of a ball round a part at a moment."""
        pose = self._pose(part.link, time)
        x, y, z = (pose[:3, :3] @ part.middle + pose[:3, 3]).tolist()
        return x, y, z, part.radius

    def _give_surfaces(self) -> None:
        """Give volumes the surface that any part can reach."""
        for test in self.tests:
            if self.scene._volumes and test.beside is None:
                *middle, radius = self._extent(test.part, 0.0)
                wide = radius + self._reckon(test, 0.0, 1.0)[1]
                corners = corners_of(np.array(middle) - wide, np.array(middle) + wide)
                make_reached(self.scene, corners, self.gap + self.within)

    def _told(self, test: _Test, hit: Hit, begin: float, end: float, bound: float) -> LinkHit:
        """Word a contact found between two moments."""
        time = begin + hit.time * (end - begin)
        if test.beside is not None:
            # It was found as if the other stood still.
            before, after = (self._pose(test.beside.link, when) for when in (begin, time))
            carried = after @ inverse(before)
            point, normal = carried[:3, :3] @ hit.point + carried[:3, 3], carried[:3, :3] @ hit.normal
            hit = replace(hit, point=point, normal=normal)
        return link_hit(self.robot, hit, self.targets, self.changes, time, bound)


def _parts(robot: Robot, changes: Mapping[str, float]) -> list[_Part]:
    """Return the parts that move, parents first, but for those that are frames only."""
    scene, chains = robot.scene, chains_of(robot, changes)
    parts: dict[int, _Part] = {}
    for link in robot._links.values():
        chain = chains[link._number]
        if chain:
            part = parts.setdefault(chain[-1]._number, _Part(chain[-1], chain, []))
            for body, local in zip(link._bodies, link._local, strict=True):
                # What has no faces has no box, and meets nothing.
                if scene._boxes[0, body._row] <= scene._boxes[3, body._row]:
                    part.pieces.append((body, link, local))
    for part in parts.values():
        if part.pieces:
            *middle, part.radius = ball_round(scene._boxes, np.array(part.rows))
            part.middle = (np.array(middle) - part.link._pose[:3, 3]) @ part.link._pose[:3, :3]
    return [part for part in parts.values() if part.pieces]


def chains_of(robot: Robot, changes: Mapping[str, float]) -> dict[int, tuple[Link, ...]]:
    """Return of every link, by number, the links above it, itself included, that hang on joints that change; root first."""
    chains: dict[int, tuple[Link, ...]] = {}
    for link in robot._links.values():
        above = () if link._parent is None else chains[link._parent._number]
        changed = link._joint is not None and link._joint.name in changes
        chains[link._number] = (*above, link) if changed else above
    return chains


def _between(one: tuple[Link, ...], other: tuple[Link, ...]) -> tuple[Link, ...]:
    """Return the links that move a part against another: out of the one's chain, then into the other's."""
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] is other[shared]:
        shared += 1
    return (*reversed(one[shared:]), *other[shared:])


def _turns(link: Link) -> bool:
    return link._joint is not None and link._joint.kind == "revolute"


def rows_of(bodies: Iterable[Body]) -> NDArray[np.int64]:
    """Return the rows of bodies in their scene."""
    return np.array([body._row for body in bodies], np.int64)


def ball_round(boxes: NDArray[np.float64], rows: NDArray[np.int64]) -> tuple[float, float, float, float]:
    """Return middle and radius of a ball round the world boxes of some rows."""
    held = boxes[:, rows]
    low, high = held[:3].min(axis=1).tolist(), held[3:].max(axis=1).tolist()
    x, y, z = (0.5 * (a + b) for a, b in zip(low, high, strict=True))
    return x, y, z, 0.5 * math.dist(low, high)


def hiding(boxes: NDArray[np.float64], rows: list[int]) -> NDArray[np.float64]:
    """Return world boxes with those of some rows empty: kernels pass over them."""
    hidden = boxes.copy()
    hidden[:, rows] = _NOWHERE
    return hidden


def link_hit(
    robot: Robot, hit: Hit, targets: Iterable[str], changes: Mapping[str, float], time: float, bound: float
) -> LinkHit:
    """Say of a hit which links it is about, and where the joints are."""
    moved, met = robot.link_of(hit.mover), robot.link_of(hit.body)
    assert moved is not None
    told = {each.name: getattr(hit, each.name) for each in fields(Hit)}
    told["time"] = time
    told["travel"] = time * sum(map(abs, changes.values())) if len(changes) < 2 else math.nan
    values = {name: robot._values[name] + time * changes.get(name, 0.0) for name in targets}
    return LinkHit(**told, link=moved.name, other=None if met is None else met.name, values=values, bound=bound)
