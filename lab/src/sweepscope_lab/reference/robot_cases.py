"""Robots that test sweeps of joints: trees of all kinds of joints and shapes, obstacles in their path, and targets."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sweepscope import Box, Capsule, Mesh, PointCloud, Shape, Sphere

from .nearest import soup_distance
from .robots import JointSpec, LinkPiece, RobotQuestion, moving_joints, overlaps, placed, poses, room_at, speed, values_at
from .turn_cases import closed, random_pose, small_mesh
from .vectors import random_direction

Array = NDArray[np.float64]
Rng = np.random.Generator

QUESTIONS = ("joint", "several")
"""One joint: its answer is exact. Several at once, or one that other joints follow."""


@dataclass(slots=True)
class LinkPlan:
    """A link and the joint that carries it."""

    name: str
    parent: int
    kind: str
    axis: Array
    at: Array
    limits: tuple[float, float] | None = None
    follows: tuple[int, float, float] | None = None
    """(link of the leading joint, factor, offset)."""
    shapes: list[tuple[Shape, Array]] = field(default_factory=list)
    """Shapes with their poses on the link."""


@dataclass(slots=True)
class RobotCase:
    """One sweep of joints."""

    question: str
    seed: int
    base: Array
    """Pose of the root, world, shape (4, 4)."""
    links: list[LinkPlan]
    values: Array
    """Joint values of all links at the start, 0 for fixed joints: [radians] or [length]."""
    targets: dict[int, float]
    """Target value of the joint of each link."""
    obstacles: list[tuple[Shape, Array]] = field(default_factory=list)
    """Shapes with their poses, world."""
    ignored: set[tuple[int, int]] = field(default_factory=set)
    """Pairs of links, the lower index first, that ignore each other; pairs with a common joint do so anyway."""
    not_ignored: set[tuple[int, int]] = field(default_factory=set)
    """Pairs of links with a common joint that can collide with each other."""
    margin: float = 0.0
    resting: Literal["free", "hit"] = "hit"
    accuracy: float | None = None
    """Accepted error for several joints [length]; None: the library's default."""

    @property
    def joint_specs(self) -> tuple[JointSpec, ...]:
        """The links as the reference takes them."""
        return tuple(JointSpec(link.parent, link.kind, link.axis, link.at) for link in self.links)

    @property
    def end(self) -> Array:
        """Values of all links' joints at the end, shape (n,)."""
        values = self.values.copy()
        for link, value in self.targets.items():
            values[link] = value
        return with_followers(self.links, values)

    @property
    def names(self) -> list[tuple[str, int]]:
        """Of every piece of the question: (name of its link or obstacle, index of its shape)."""
        return [(name, number) for name, number, _ in self._pieces()]

    def to_question(self) -> RobotQuestion:
        """Return the question for the reference, without pairs that do not move against each other."""
        pieces = tuple(piece for _, _, piece in self._pieces())
        still = RobotQuestion(self.joint_specs, self.values, self.end, pieces, (), self.margin)
        joined = {
            (above, k) for k in range(1, len(self.links)) if (above := self.parent_with_shapes(k)) >= 0
        } - self.not_ignored
        pairs = []
        for a, one in enumerate(pieces):
            for b in range(a + 1, len(pieces)):
                links = tuple(sorted((one.link, pieces[b].link)))
                if links[0] != links[1] and links not in self.ignored | joined and any(moving_joints(still, a, b)):
                    pairs.append((a, b))
        return RobotQuestion(self.joint_specs, self.values, self.end, pieces, tuple(pairs), self.margin)

    def parent_with_shapes(self, link: int) -> int:
        """Return the nearest link above with shapes; -1 if there is none."""
        above = self.links[link].parent
        while above >= 0 and not self.links[above].shapes:
            above = self.links[above].parent
        return above

    def _pieces(self) -> list[tuple[str, int, LinkPiece]]:
        found = [
            (link.name, n, _piece(k, shape, pose))
            for k, link in enumerate(self.links)
            for n, (shape, pose) in enumerate(link.shapes)
        ]
        back = np.linalg.inv(self.base)
        found += [(f"obstacle {n}", 0, _piece(-1, shape, back @ pose)) for n, (shape, pose) in enumerate(self.obstacles)]
        return [(name, n, piece) for name, n, piece in found if len(piece.faces)]


def _piece(link: int, shape: Shape, pose: Array) -> LinkPiece:
    corners = (shape.vertices @ pose[:3, :3].T + pose[:3, 3])[shape.faces]
    return LinkPiece(link, corners, shape.radius, closed(shape))


def with_followers(links: list[LinkPlan], values: Array) -> Array:
    """Return joint values in which followers agree with the joints that they follow."""
    values = values.copy()
    for k, link in enumerate(links):
        if link.follows is not None:
            leader, factor, offset = link.follows
            values[k] = factor * values[leader] + offset
    return values


def _along(rng: Rng, offset: Array, scale: float) -> tuple[Shape, Array]:
    """Return a shape from the origin along an offset (3,), up to a third of a unit thick, and its pose."""
    length = float(np.linalg.norm(offset))
    pose = np.eye(4)
    z = offset / length
    x = np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))])
    x /= np.linalg.norm(x)
    pose[:3, :3] = np.stack((x, np.cross(z, x), z), axis=1)
    pose[:3, 3] = 0.5 * offset
    thin = scale * rng.uniform(0.05, 0.35)
    match rng.integers(7):
        case 0 | 1:
            return Box((thin, scale * rng.uniform(0.05, 0.35), length * rng.uniform(0.6, 1.1))), pose
        case 2 | 3:
            return Capsule.from_segment((0.0, 0.0, 0.0), offset, radius=rng.choice((0.0, 0.5, 0.5, 0.5)) * thin), np.eye(4)
        case 4:
            pose[:3, 3] = offset * rng.uniform(0.3, 1.0)
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
            return Capsule.from_segment(rng.normal(size=3) * size, rng.normal(size=3) * size, radius=0.2 * size)
        case 3:
            return PointCloud(rng.normal(size=(int(rng.integers(1, 30)), 3)) * size, rng.choice((0.0, 0.1)) * size)
        case _:
            mesh = small_mesh(rng)
            return Mesh(mesh.vertices * size * 0.5, mesh.faces)


def _tree(rng: Rng, scale: float) -> list[LinkPlan]:
    """Return the links of a robot, each about a unit long, with two to eight joints that move."""
    joints = int(rng.integers(2, 9))
    offsets = [scale * rng.uniform(0.4, 1.2) * random_direction(rng)]
    links = [LinkPlan("link 0", -1, "fixed", np.array((0.0, 0.0, 1.0)), np.eye(4))]
    moving: list[int] = []
    while len(moving) < joints:
        number = len(links)
        parent = number - 1 if rng.random() < 0.65 else int(rng.integers(number))
        kind = str(rng.choice(("revolute", "prismatic", "fixed"), p=(0.65, 0.22, 0.13)))
        at = random_pose(rng, offsets[parent]) if rng.random() < 0.7 else np.eye(4)
        at[:3, 3] = offsets[parent] * rng.choice((1.0, 1.0, 0.6)) + scale * rng.normal(size=3) * rng.choice((0.0, 0.1))
        axis = random_direction(rng) if rng.random() < 0.6 else np.eye(3)[rng.integers(3)] * rng.choice((-1.0, 1.0))
        link = LinkPlan(f"link {number}", parent, kind, axis, at)
        if kind != "fixed":
            unit = scale if kind == "prismatic" else 1.0
            leaders = [k for k in moving if links[k].kind == kind]
            if leaders and rng.random() < 0.12:
                link.follows = (int(rng.choice(leaders)), float(rng.uniform(-1.5, 1.5)), float(unit * rng.uniform(-0.2, 0.2)))
            elif rng.random() < 0.8:
                link.limits = (float(-unit * rng.uniform(0.1, 2.5)), float(unit * rng.uniform(0.1, 2.5)))
            moving.append(number)
        offsets.append(scale * rng.uniform(0.3, 1.2) * random_direction(rng))
        links.append(link)
    for link, offset in zip(links, offsets, strict=True):
        many = int(rng.choice((0, 1, 2, 3), p=(0.12, 0.68, 0.14, 0.06)))
        link.shapes = [_along(rng, offset if n == 0 else 0.6 * scale * random_direction(rng), scale) for n in range(many)]
        if rng.random() < 0.01:
            link.shapes.append((Mesh(np.zeros((3, 3)), np.zeros((0, 3), int)), np.eye(4)))
    return links


def _value(rng: Rng, link: LinkPlan, scale: float) -> float:
    unit = scale if link.kind == "prismatic" else 1.0
    low, high = (-2.0 * unit, 2.0 * unit) if link.limits is None else link.limits
    if link.limits is not None and rng.random() < 0.1:
        return float(rng.choice(link.limits))
    far = 3.5 if link.limits is None and link.kind == "revolute" and rng.random() < 0.2 else 1.0
    return float(rng.uniform(low, high) * far)


def _below(links: list[LinkPlan], top: int) -> set[int]:
    found = {top}
    for k, link in enumerate(links):
        if link.parent in found:
            found.add(k)
    return found


def _targets(rng: Rng, links: list[LinkPlan], scale: float, question: str) -> dict[int, float]:
    """Return target values by link; empty if no joint qualifies."""
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
        targets = _targets(rng, links, scale, question)
        if targets:
            break
    drawn = [0.0 if link.kind == "fixed" else _value(rng, link, scale) for link in links]
    for link in targets:
        while drawn[link] == targets[link]:  # both at the same limit: no motion
            drawn[link] = _value(rng, links[link], scale)
    values = with_followers(links, np.array(drawn))
    case = RobotCase(question, seed, base, links, values, targets)
    _unignore_some(rng, case)
    _ignore_overlapping(rng, case)
    case.margin = float(scale * 10.0 ** rng.uniform(-3.0, -1.0)) if rng.random() < 0.15 else 0.0
    case.resting = "hit" if rng.choice(("hit", "free")) == "hit" else "free"
    for _ in range(int(rng.integers(0, 5 if question == "joint" else 3))):
        _add_obstacle(rng, case, scale)
    if case.obstacles and rng.random() < 0.2:
        _push_near(rng, case, scale)
    if question == "several" and rng.random() < 0.3:
        case.accuracy = float(scale * 10.0 ** rng.uniform(-5.0, -1.0))
    return case


def _unignore_some(rng: Rng, case: RobotCase) -> None:
    """Let a few pairs of links with a common joint collide."""
    for k in range(1, len(case.links)):
        above = case.parent_with_shapes(k)
        if above >= 0 and case.links[k].shapes and rng.random() < 0.1:
            case.not_ignored.add((above, k))


def _ignore_overlapping(rng: Rng, case: RobotCase) -> None:
    """Ignore most pairs of links that overlap at the start or are very near."""
    asked = case.to_question()
    near = RobotQuestion(asked.links, asked.start, asked.end, asked.pieces, asked.pairs, 1e-6 * _extent(asked))
    some: set[tuple[int, int]] = set()
    for pair, (a, b) in enumerate(near.pairs):
        if overlaps(near, pair):
            low, high = sorted((near.pieces[a].link, near.pieces[b].link))
            some.add((low, high))
    for pair in sorted(some):
        if rng.random() < 0.985:
            case.ignored.add(pair)
            case.not_ignored.discard(pair)


def _extent(question: RobotQuestion) -> float:
    corners = np.concatenate([piece.faces.reshape(-1, 3) for piece in question.pieces])
    return float(np.linalg.norm(np.ptp(corners, axis=0)))


def _add_obstacle(rng: Rng, case: RobotCase, scale: float) -> None:
    """Add an obstacle in the path of a moving piece, free of the robot at the start if that is easy."""
    asked = case.to_question()
    moved = set().union(*(_below(case.links, k) for k in range(len(case.links)) if case.values[k] != case.end[k]))
    movers = [k for k, piece in enumerate(asked.pieces) if piece.link in moved]
    if not movers:
        return
    for _ in range(8):
        shape = _obstacle(rng, scale)
        piece = int(rng.choice(movers))
        where = poses(asked.links, values_at(asked, rng.uniform(0.1, 1.4)), case.base)
        corners = placed(asked, piece, where).reshape(-1, 3)
        spread = 0.5 * math.dist(*shape.bounds) * rng.uniform(0.0, 1.5) * random_direction(rng)
        pose = random_pose(rng, corners[rng.integers(len(corners))] + spread)
        case.obstacles.append((shape, pose))
        again = case.to_question()
        added = [n for n, pair in enumerate(again.pairs) if len(again.pieces) - 1 in pair]
        if not any(overlaps(again, n) for n in added) or rng.random() < 0.01:
            return
        case.obstacles.pop()


def _push_near(rng: Rng, case: RobotCase, scale: float) -> None:
    """Push an obstacle close to a link, so that the motion starts almost in contact; undo it if they overlap."""
    asked = case.to_question()
    number = int(rng.integers(len(case.obstacles)))
    piece = case.names.index((f"obstacle {number}", 0))
    pairs = [n for n, pair in enumerate(asked.pairs) if piece in pair]
    if not pairs:
        return
    where = poses(asked.links, asked.start)
    pair = int(rng.choice(pairs))
    room, _ = room_at(asked, pair, 0.0)
    _, _, offset = soup_distance(*(placed(asked, k, where) for k in asked.pairs[pair]))
    shape, pose = case.obstacles[number]
    pushed = pose.copy()
    pushed[:3, 3] -= case.base[:3, :3] @ offset * (room - scale * 10.0 ** rng.uniform(-8.0, -2.0))
    case.obstacles[number] = shape, pushed
    again = case.to_question()
    if any(overlaps(again, n) or _stays_near(again, n, 1e-3 * scale) for n in pairs):
        case.obstacles[number] = shape, pose


def _stays_near(question: RobotQuestion, pair: int, near: float) -> bool:
    """True if two near pieces hardly move against each other at first: a static check then skips no steps."""
    soon = 3e-3
    room, later = (room_at(question, pair, t)[0] for t in (0.0, soon))
    return room < near and abs(later - room) < 0.03 * soon * speed(question, pair)
