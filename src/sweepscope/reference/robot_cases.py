"""Robots to try sweeps of joints on: trees of all kinds of joints and shapes, obstacles in their way, and where to go."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..shapes import Box, Capsule, Mesh, PointCloud, Shape, Sphere
from .robots import Hanging, Piece, Question, between, overlaps, placed, poses, room_at, soup_distance, speed, values_at
from .turn_cases import closed, random_pose, small_mesh

Array = NDArray[np.float64]
Rng = np.random.Generator

QUESTIONS = ("joint", "several")
"""One joint, which is answered exactly; several at once, or one that others follow."""


@dataclass(slots=True)
class Plan:
    """A link, and the joint that it hangs on."""

    name: str
    parent: int
    kind: str
    axis: Array
    at: Array
    limits: tuple[float, float] | None = None
    follows: tuple[int, float, float] | None = None
    """(link of the leading joint, factor, offset)."""
    shapes: list[tuple[Shape, Array]] = field(default_factory=list)
    """With poses on the link."""


@dataclass(slots=True)
class RobotCase:
    """One question."""

    question: str
    seed: int
    base: Array
    """Pose of the root, world, shape (4, 4)."""
    links: list[Plan]
    values: Array
    """Of all links' joints at the start, 0 of fixed ones: [radians] or [length]."""
    targets: dict[int, float]
    """By link, where its joint is asked to go."""
    obstacles: list[tuple[Shape, Array]] = field(default_factory=list)
    """With poses, world."""
    passing: set[tuple[int, int]] = field(default_factory=set)
    """Pairs of links, the lower first, that pass through each other, besides those that a joint joins."""
    heeded: set[tuple[int, int]] = field(default_factory=set)
    """Pairs of links that a joint joins, and that are in each other's way all the same."""
    margin: float = 0.0
    resting: str = "hit"
    within: float | None = None
    """How near to the truth several joints are to be followed [length]; None: as the library chooses."""

    @property
    def hangings(self) -> tuple[Hanging, ...]:
        """The links as the reference has them."""
        return tuple(Hanging(link.parent, link.kind, link.axis, link.at) for link in self.links)

    @property
    def end(self) -> Array:
        """Values of all links' joints at the end, shape (n,)."""
        values = self.values.copy()
        for link, value in self.targets.items():
            values[link] = value
        return led(self.links, values)

    @property
    def names(self) -> list[tuple[str, int]]:
        """Of every piece of `asked`: (name of its link, or of the obstacle; which of its shapes)."""
        return [(name, number) for name, number, _ in self._pieces()]

    def asked(self) -> Question:
        """Return what the reference is asked; pairs that do not move against each other are left out."""
        pieces = tuple(piece for _, _, piece in self._pieces())
        still = Question(self.hangings, self.values, self.end, pieces, (), self.margin)
        joined = {(above, k) for k in range(1, len(self.links)) if (above := self._bodied(k)) >= 0} - self.heeded
        pairs = []
        for a, one in enumerate(pieces):
            for b in range(a + 1, len(pieces)):
                links = tuple(sorted((one.link, pieces[b].link)))
                if links[0] != links[1] and links not in self.passing | joined and any(between(still, a, b)):
                    pairs.append((a, b))
        return Question(self.hangings, self.values, self.end, pieces, tuple(pairs), self.margin)

    def _bodied(self, link: int) -> int:
        """Return the nearest link above that has shapes; -1 if there is none."""
        above = self.links[link].parent
        while above >= 0 and not self.links[above].shapes:
            above = self.links[above].parent
        return above

    def _pieces(self) -> list[tuple[str, int, Piece]]:
        found = [
            (link.name, n, _piece(k, shape, pose))
            for k, link in enumerate(self.links)
            for n, (shape, pose) in enumerate(link.shapes)
        ]
        back = np.linalg.inv(self.base)
        found += [(f"obstacle {n}", 0, _piece(-1, shape, back @ pose)) for n, (shape, pose) in enumerate(self.obstacles)]
        return [(name, n, piece) for name, n, piece in found if len(piece.faces)]


def _piece(link: int, shape: Shape, pose: Array) -> Piece:
    corners = (shape.vertices @ pose[:3, :3].T + pose[:3, 3])[shape.faces]
    return Piece(link, corners, shape.radius, closed(shape))


def led(links: list[Plan], values: Array) -> Array:
    """Return values with those of joints that follow brought in line."""
    values = values.copy()
    for k, link in enumerate(links):
        if link.follows is not None:
            leader, factor, offset = link.follows
            values[k] = factor * values[leader] + offset
    return values


def _along(rng: Rng, way: Array, scale: float) -> tuple[Shape, Array]:
    """Return a shape, about half a unit thick, that reaches from the origin along a way (3,), and its pose."""
    length = float(np.linalg.norm(way))
    pose = np.eye(4)
    z = way / length
    x = np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))])
    x /= np.linalg.norm(x)
    pose[:3, :3] = np.stack((x, np.cross(z, x), z), axis=1)
    pose[:3, 3] = 0.5 * way
    thin = scale * rng.uniform(0.05, 0.35)
    match rng.integers(7):
        case 0 | 1:
            return Box((thin, scale * rng.uniform(0.05, 0.35), length * rng.uniform(0.6, 1.1))), pose
        case 2 | 3:
            return Capsule((0.0, 0.0, 0.0), way, rng.choice((0.0, 0.5, 0.5, 0.5)) * thin), np.eye(4)
        case 4:
            pose[:3, 3] = way * rng.uniform(0.3, 1.0)
            return Sphere(thin), pose
        case 5:
            mesh = small_mesh(rng)
            wide = np.ptp(mesh.vertices, axis=0)
            stretch = np.array((2.0 * thin, 2.0 * thin, length)) / wide
            return Mesh(mesh.vertices * stretch, mesh.faces), pose
        case _:
            spread = rng.uniform(-0.5, 0.5, (int(rng.integers(1, 20)), 3)) * (thin, thin, length)
            return PointCloud(spread, rng.choice((0.0, 0.3)) * thin), pose


def _obstacle(rng: Rng, scale: float) -> Shape:
    size = scale * 10.0 ** rng.uniform(-1.0, 0.2)
    match rng.integers(6):
        case 0:
            return Box(rng.uniform(0.2, 1.0, 3) * size)
        case 1:
            return Sphere(0.5 * size)
        case 2:
            return Capsule(rng.normal(size=3) * size, rng.normal(size=3) * size, 0.2 * size)
        case 3:
            return PointCloud(rng.normal(size=(int(rng.integers(1, 30)), 3)) * size, rng.choice((0.0, 0.1)) * size)
        case _:
            mesh = small_mesh(rng)
            return Mesh(mesh.vertices * size * 0.5, mesh.faces)


def _tree(rng: Rng, scale: float) -> list[Plan]:
    """Return links of a robot whose links are about a unit long, with two to eight joints that move."""
    joints = int(rng.integers(2, 9))
    ways = [scale * rng.uniform(0.4, 1.2) * _direction(rng)]
    links = [Plan("link 0", -1, "fixed", np.array((0.0, 0.0, 1.0)), np.eye(4))]
    moving: list[int] = []
    while len(moving) < joints:
        number = len(links)
        parent = number - 1 if rng.random() < 0.65 else int(rng.integers(number))
        kind = str(rng.choice(("revolute", "prismatic", "fixed"), p=(0.65, 0.22, 0.13)))
        at = random_pose(rng, ways[parent]) if rng.random() < 0.7 else np.eye(4)
        at[:3, 3] = ways[parent] * rng.choice((1.0, 1.0, 0.6)) + scale * rng.normal(size=3) * rng.choice((0.0, 0.1))
        axis = _direction(rng) if rng.random() < 0.6 else np.eye(3)[rng.integers(3)] * rng.choice((-1.0, 1.0))
        link = Plan(f"link {number}", parent, kind, axis, at)
        if kind != "fixed":
            unit = scale if kind == "prismatic" else 1.0
            leaders = [k for k in moving if links[k].kind == kind]
            if leaders and rng.random() < 0.12:
                link.follows = (int(rng.choice(leaders)), float(rng.uniform(-1.5, 1.5)), float(unit * rng.uniform(-0.2, 0.2)))
            elif rng.random() < 0.8:
                link.limits = (float(-unit * rng.uniform(0.1, 2.5)), float(unit * rng.uniform(0.1, 2.5)))
            moving.append(number)
        ways.append(scale * rng.uniform(0.3, 1.2) * _direction(rng))
        links.append(link)
    for link, way in zip(links, ways, strict=True):
        many = int(rng.choice((0, 1, 2, 3), p=(0.12, 0.68, 0.14, 0.06)))
        link.shapes = [_along(rng, way if n == 0 else 0.6 * scale * _direction(rng), scale) for n in range(many)]
        if rng.random() < 0.01:
            link.shapes.append((Mesh(np.zeros((3, 3)), np.zeros((0, 3), int)), np.eye(4)))
    return links


def _direction(rng: Rng) -> Array:
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def _value(rng: Rng, link: Plan, scale: float) -> float:
    unit = scale if link.kind == "prismatic" else 1.0
    low, high = (-2.0 * unit, 2.0 * unit) if link.limits is None else link.limits
    if link.limits is not None and rng.random() < 0.1:
        return float(rng.choice(link.limits))
    far = 3.5 if link.limits is None and link.kind == "revolute" and rng.random() < 0.2 else 1.0
    return float(rng.uniform(low, high) * far)


def _below(links: list[Plan], top: int) -> set[int]:
    found = {top}
    for k, link in enumerate(links):
        if link.parent in found:
            found.add(k)
    return found


def _wanted(rng: Rng, links: list[Plan], scale: float, question: str) -> dict[int, float]:
    """Return which joints are asked to go where; empty if there is none to ask."""
    leaders = {link.follows[0] for link in links if link.follows is not None}
    free = [k for k, link in enumerate(links) if link.kind != "fixed" and link.follows is None]
    some = [k for k in free if any(links[n].shapes for n in _below(links, k))]
    if question == "joint":
        some = [k for k in some if k not in leaders]
        return {k: _value(rng, links[k], scale) for k in rng.choice(some, 1).tolist()} if some else {}
    if len(some) < 2 or rng.random() < 0.1:
        some = [k for k in some if k in leaders]
        return {k: _value(rng, links[k], scale) for k in some[:1]}
    many = int(rng.integers(2, len(some) + 1))
    return {k: _value(rng, links[k], scale) for k in sorted(rng.choice(some, many, replace=False).tolist())}


def make(question: str, seed: int) -> RobotCase:
    """Return the case of a seed."""
    rng = np.random.default_rng((seed, QUESTIONS.index(question)))
    scale = 10.0 ** rng.uniform(-3.0, 3.0) if rng.random() < 0.2 else 1.0
    base = random_pose(rng, scale * rng.normal(size=3) * rng.choice((1.0, 1.0, 1.0, 1000.0)))
    while True:
        links = _tree(rng, scale)
        targets = _wanted(rng, links, scale, question)
        if targets:
            break
    drawn = [0.0 if link.kind == "fixed" else _value(rng, link, scale) for link in links]
    for link in targets:
        while drawn[link] == targets[link]:  # both at a limit: that is another question
            drawn[link] = _value(rng, links[link], scale)
    values = led(links, np.array(drawn))
    case = RobotCase(question, seed, base, links, values, targets)
    _heed(rng, case)
    _let_pass(rng, case)
    case.margin = float(scale * 10.0 ** rng.uniform(-3.0, -1.0)) if rng.random() < 0.15 else 0.0
    case.resting = str(rng.choice(("hit", "free")))
    for _ in range(int(rng.integers(0, 5 if question == "joint" else 3))):
        _put_in_the_way(rng, case, scale)
    if case.obstacles and rng.random() < 0.2:
        _bring_near(rng, case, scale)
    if question == "several" and rng.random() < 0.3:
        case.within = float(scale * 10.0 ** rng.uniform(-5.0, -1.0))
    return case


def _heed(rng: Rng, case: RobotCase) -> None:
    """Let few links that a joint joins be in each other's way."""
    for k in range(1, len(case.links)):
        above = case._bodied(k)
        if above >= 0 and case.links[k].shapes and rng.random() < 0.1:
            case.heeded.add((above, k))


def _let_pass(rng: Rng, case: RobotCase) -> None:
    """Let links that overlap at the start, or are very near, pass through each other; not quite always."""
    asked = case.asked()
    near = Question(asked.links, asked.start, asked.end, asked.pieces, asked.pairs, 1e-6 * _extent(asked))
    some: set[tuple[int, int]] = set()
    for pair, (a, b) in enumerate(near.pairs):
        if overlaps(near, pair):
            low, high = sorted((near.pieces[a].link, near.pieces[b].link))
            some.add((low, high))
    for pair in sorted(some):
        if rng.random() < 0.985:
            case.passing.add(pair)
            case.heeded.discard(pair)


def _extent(question: Question) -> float:
    corners = np.concatenate([piece.faces.reshape(-1, 3) for piece in question.pieces])
    return float(np.linalg.norm(np.ptp(corners, axis=0)))


def _put_in_the_way(rng: Rng, case: RobotCase, scale: float) -> None:
    """Add an obstacle where something that moves comes by, free of the robot at the start if that is easily had."""
    asked = case.asked()
    moved = set().union(*(_below(case.links, k) for k in range(len(case.links)) if case.values[k] != case.end[k]))
    movers = [k for k, piece in enumerate(asked.pieces) if piece.link in moved]
    if not movers:
        return
    for _ in range(8):
        shape = _obstacle(rng, scale)
        piece = int(rng.choice(movers))
        where = poses(asked.links, values_at(asked, rng.uniform(0.1, 1.4)), case.base)
        corners = placed(asked, piece, where).reshape(-1, 3)
        spread = 0.5 * math.dist(*shape.bounds) * rng.uniform(0.0, 1.5) * _direction(rng)
        pose = random_pose(rng, corners[rng.integers(len(corners))] + spread)
        case.obstacles.append((shape, pose))
        again = case.asked()
        added = [n for n, pair in enumerate(again.pairs) if len(again.pieces) - 1 in pair]
        if not any(overlaps(again, n) for n in added) or rng.random() < 0.01:
            return
        case.obstacles.pop()


def _bring_near(rng: Rng, case: RobotCase, scale: float) -> None:
    """Push an obstacle up to a link, so that the motion begins with hardly any room between them, if it is free there."""
    asked = case.asked()
    number = int(rng.integers(len(case.obstacles)))
    piece = case.names.index((f"obstacle {number}", 0))
    pairs = [n for n, pair in enumerate(asked.pairs) if piece in pair]
    if not pairs:
        return
    where = poses(asked.links, asked.start)
    pair = int(rng.choice(pairs))
    room, _ = room_at(asked, pair, 0.0)
    _, _, way = soup_distance(*(placed(asked, k, where) for k in asked.pairs[pair]))
    shape, pose = case.obstacles[number]
    pushed = pose.copy()
    pushed[:3, 3] -= case.base[:3, :3] @ way * (room - scale * 10.0 ** rng.uniform(-8.0, -2.0))
    case.obstacles[number] = shape, pushed
    again = case.asked()
    if any(overlaps(again, n) or _lingers(again, n, 1e-3 * scale) for n in pairs):
        case.obstacles[number] = shape, pose


def _lingers(question: Question, pair: int, near: float) -> bool:
    """True if two that are near each other hardly move where they are near: a static check cannot leave out any step."""
    soon = 3e-3
    room, later = (room_at(question, pair, t)[0] for t in (0.0, soon))
    return room < near and abs(later - room) < 0.03 * soon * speed(question, pair)
