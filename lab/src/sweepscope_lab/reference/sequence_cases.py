"""Random sequences of changes of a scene, with a plain model of what the scene then holds.

Everything is on a lattice for the most part: equal shapes that overlap, share edges or touch, so that many contacts are equal
and only the order of bodies decides between them.
"""

from __future__ import annotations

import copy
import itertools
import math
import pickle
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sweepscope import Box, Capsule, Joint, Mesh, PointCloud, Robot, Scene, Shape, Sphere
from sweepscope.shapes.given import can_deform

from .travel_cases import saved
from .turn_cases import random_pose, small_mesh

Array = NDArray[np.float64]
Rng = np.random.Generator
Pair = frozenset[str]

GROUPS = ("", "", "red", "blue")
LINKS = ("base", "upper", "frame", "hand")
FEWEST, MOST = 6, 16
"""Bodies that the robot does not hold: a sequence keeps their number in this range."""
_LATTICE = np.array((0.5, 0.5, 1.0))  # steps along the axes
_ROOM = np.array((9, 9, 3))  # half width of a scene, in these steps
_CUBE = [
    np.array(turn)
    for order in itertools.permutations(np.eye(3))
    for signs in itertools.product((-1.0, 1.0), repeat=3)
    if np.linalg.det(turn := np.array(order) * signs) > 0.0
]
"""The 24 rotations of a cube, exact."""
_PLAIN: tuple[Callable[[], Shape], ...] = (
    lambda: Box((1, 1, 1)),
    lambda: Box((1, 2, 1)),
    lambda: Mesh.box((1, 1, 1)),
    lambda: Mesh.box((2, 1, 1)),
    lambda: Mesh.box((3, 3, 0.5)),
    lambda: Sphere(0.5),
    lambda: Capsule.from_segment((0, 0, -0.5), (0, 0, 0.5), radius=0.5),
    lambda: PointCloud(list(itertools.product((-0.5, 0.5), repeat=3)), radius=0.25),
)


@dataclass(slots=True)
class ModelBody:
    """What a body is to be."""

    shape: Shape
    pose: Array
    """Where it was put; robots move their own bodies and those attached to them."""
    group: str = ""
    vertices: Array | None = None
    """If it was deformed."""
    link: str = ""
    """Of the robot; empty if it is free."""
    attached: bool = False


@dataclass(slots=True)
class Model:
    """What a scene is to hold, in plain values."""

    bodies: dict[str, ModelBody] = field(default_factory=dict)
    """By name, in the order in which they were added."""
    ignored: set[Pair] = field(default_factory=set)
    """Pairs of bodies that the user ignores."""
    ignored_groups: set[Pair] = field(default_factory=set)
    joined: set[Pair] = field(default_factory=set)
    """Links whose own bodies pass through each other."""
    ignored_links: set[Pair] = field(default_factory=set)
    """Links that pass through each other with what is attached to them."""
    values: dict[str, float] = field(default_factory=dict)
    """Of joints."""

    def pairs(self) -> set[Pair]:
        """Return all pairs of bodies that pass through each other, from the definition; groups do not count."""
        held = {name: body for name, body in self.bodies.items() if body.link}
        return self.ignored | {
            frozenset((one, other)) for one, other in itertools.combinations(held, 2) if self._pass(held[one], held[other])
        }

    def _pass(self, one: ModelBody, other: ModelBody) -> bool:
        links = frozenset((one.link, other.link))
        if len(links) == 1:
            return one.attached or other.attached
        return links in self.ignored_links or (links in self.joined and not one.attached and not other.attached)


def arm(scene: Scene, pose: Array) -> Robot:
    """Add a robot of four links to a scene: one without a shape, one with two."""
    robot, limits = Robot(scene, pose, name="arm"), (-2.0, 2.0)
    turn = Joint.revolute("turn", (0, 0, 1), origin=(0, 0, 0.75), limits=limits)
    lift = Joint.prismatic("lift", (0, 0, 1), origin=(0, 0, 0.5), limits=limits)
    bend = Joint.revolute("bend", (0, 1, 0), limits=limits)
    robot.add("base", Box((1, 1, 0.5)))
    robot.add("upper", Mesh.box((0.5, 0.5, 1)), parent="base", joint=turn)
    robot.add("frame", parent="upper", joint=lift)
    robot.add("hand", [Box((1, 0.5, 0.5)), (Sphere(0.25), (0.5, 0, 0))], parent="frame", joint=bend)
    return robot


class Sequence:
    """A scene with a robot, changed step by step, and its model."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng((seed, 31))
        self.scene = Scene(None if self.rng.random() < 0.7 else 1e-8)
        self.model = Model()
        self.counts: Counter[str] = Counter()
        """Steps by kind."""
        self._shared = [make() for make in _PLAIN]
        self._number = 0
        self._make_robot()
        while len(self._free()) < FEWEST:
            self.add()

    def step(self) -> None:
        """Change one thing."""
        while True:
            kind = _CHOICES[int(self.rng.integers(len(_CHOICES)))]
            if _STEPS[kind][0](self):
                self.counts[kind] += 1
                return

    def _free(self) -> list[str]:
        """Return the bodies that the robot does not hold."""
        return [name for name, body in self.model.bodies.items() if not body.link]

    def _pick(self, names: list[str]) -> str:
        return names[int(self.rng.integers(len(names)))]

    def _coin(self, share: float = 0.5) -> bool:
        return bool(self.rng.random() < share)

    def _shape(self) -> Shape:
        """Return a shape: shared by other bodies, equal to others, or of its own."""
        if self._coin(0.1):
            return small_mesh(self.rng)
        k = int(self.rng.integers(len(_PLAIN)))
        return self._shared[k] if self._coin(0.6) else _PLAIN[k]()

    def _pose(self) -> Array:
        """Return a pose: where another body is or beside it, on the lattice, or anywhere."""
        free = self._free()
        if free and self._coin(0.5):
            pose = self.model.bodies[self._pick(free)].pose.copy()
            pose[int(self.rng.integers(3)), 3] += self.rng.choice((-1.0, 0.0, 0.5, 1.0))
            return pose
        place = _LATTICE * self.rng.integers(-_ROOM, _ROOM, endpoint=True).astype(np.float64)
        if self._coin(0.1):
            return random_pose(self.rng, place)
        pose = np.eye(4)
        pose[:3, 3] = place
        if self._coin(0.2):
            pose[:3, :3] = _CUBE[int(self.rng.integers(len(_CUBE)))]
        return pose

    def _vertices(self, shape: Shape) -> Array:
        if self._coin(0.2):
            return shape.vertices * self.rng.uniform(0.8, 1.2, shape.vertices.shape)
        return shape.vertices * self.rng.choice((0.5, 1.0, 2.0), 3) + 0.5 * self.rng.integers(-1, 2, 3)

    def _make_robot(self) -> None:
        """Add the robot."""
        self.robot = arm(self.scene, self._pose())
        for link in self.robot.links.values():
            for body in link.bodies:
                self.model.bodies[body.name] = ModelBody(body.shape, body.pose, link=link.name)
        self.model.joined = {frozenset(("base", "upper")), frozenset(("upper", "hand"))}
        self.model.ignored_links = set()
        self.model.values = dict(self.robot.positions)

    def _new(self, shape: Shape, pose: Array, group: str) -> str:
        name = f"b{self._number}"
        self._number += 1
        self.model.bodies[name] = ModelBody(shape, pose, group)
        return name

    # The kinds of steps. Each returns False if it cannot be done now; nothing has changed then.

    def add(self) -> bool:
        """Add a body, or several at once; some are twins of others."""
        many = int(self.rng.integers(2, 4)) if self._coin(0.2) else 1
        if len(self._free()) + many > MOST:
            return False
        group = str(self.rng.choice(GROUPS))
        shapes, poses = [self._shape() for _ in range(many)], [self._pose() for _ in range(many)]
        if self._free() and self._coin(0.4):  # a twin of another body
            twin = self.model.bodies[self._pick(self._free())]
            shapes[0], poses[0] = twin.shape, twin.pose.copy()
        names = [self._new(shape, pose, group) for shape, pose in zip(shapes, poses, strict=True)]
        if many > 1:
            self.scene.add_many(shapes, poses, names=names, group=group)
        else:
            self.scene.add(shapes[0], poses[0], name=names[0], group=group)
        return True

    def remove(self) -> bool:
        """Remove a body; its row is used again."""
        names = self._free()
        if len(names) <= FEWEST:
            return False
        name = self._pick(names)
        self.scene.remove(self.scene[name])
        del self.model.bodies[name]
        self.model.ignored = {pair for pair in self.model.ignored if name not in pair}
        return True

    def move(self) -> bool:
        """Move a body, or several at once."""
        names = [self._pick(self._free())]
        if self._coin(0.2):
            names = [name for name in self._free() if self._coin()]
        poses = [self._pose() for _ in names]
        if len(names) == 1:
            self.scene[names[0]].pose = poses[0]
        else:
            self.scene.move([self.scene[name] for name in names], poses)
        for name, pose in zip(names, poses, strict=True):
            self.model.bodies[name].pose = pose
        return bool(names)

    def deform(self) -> bool:
        """Give a body new vertices, or all that can deform."""
        live = [name for name, body in self.model.bodies.items() if can_deform(body.shape)]
        if not live:
            return False
        names = [self._pick(live)] if self._coin(0.7) else live
        vertices = [self._vertices(self.model.bodies[name].shape) for name in names]
        if len(names) == 1:
            self.scene[names[0]].vertices = vertices[0]
        else:
            self.scene.deform([self.scene[name] for name in names], vertices)
        for name, places in zip(names, vertices, strict=True):
            self.model.bodies[name].vertices = places
        return True

    def change_shape(self) -> bool:
        """Give a body another shape."""
        name = self._pick(list(self.model.bodies))
        body = self.model.bodies[name]
        body.shape, body.vertices = self._shape(), None
        self.scene[name].shape = body.shape
        return True

    def _two(self) -> tuple[str, str]:
        """Return two bodies: any, or a pair that the user or the robot ignores."""
        pairs = sorted(map(sorted, self.model.pairs()))
        if not pairs or self._coin(0.4):
            pairs = list(itertools.combinations(self.model.bodies, 2))
        one, other = pairs[int(self.rng.integers(len(pairs)))]
        return one, other

    def ignore(self) -> bool:
        """Ignore a pair of bodies."""
        one, other = self._two()
        self.scene.ignore(self.scene[one], self.scene[other])
        self.model.ignored.add(frozenset((one, other)))
        return True

    def unignore(self) -> bool:
        """Undo that; pairs of the robot do not change."""
        one, other = self._two()
        self.scene.unignore(self.scene[one], self.scene[other])
        self.model.ignored.discard(frozenset((one, other)))
        return True

    def ignore_groups(self) -> bool:
        """Ignore a pair of groups, or undo it."""
        pair = ("red", str(self.rng.choice(("red", "blue"))))
        if not set(pair) <= {body.group for body in self.model.bodies.values()}:
            return False
        if self._coin():
            self.scene.ignore_groups(*pair)
            self.model.ignored_groups.add(frozenset(pair))
        else:
            self.scene.unignore_groups(*pair)
            self.model.ignored_groups.discard(frozenset(pair))
        return True

    def attach(self) -> bool:
        """Attach a body to a link."""
        names = self._free()
        if len(names) <= FEWEST:
            return False
        name, link = self._pick(names), self._pick(list(LINKS))
        self.robot.attach(self.scene[name], link)
        self.model.bodies[name].link, self.model.bodies[name].attached = link, True
        return True

    def detach(self) -> bool:
        """Detach a body."""
        names = [name for name, body in self.model.bodies.items() if body.attached]
        if not names:
            return False
        name = self._pick(names)
        self.robot.detach(self.scene[name])
        body = self.model.bodies[name]
        body.link, body.attached, body.pose = "", False, self.scene[name].pose
        return True

    def move_joint(self) -> bool:
        """Move a joint."""
        joint = self._pick(list(self.model.values))
        value = float(self.rng.choice((-2.0, -0.5, 0.0, 0.5, 0.5 * math.pi, self.rng.uniform(-2, 2))))
        self.model.values[joint] = self.robot[joint] = value
        return True

    def place_robot(self) -> bool:
        """Move the robot."""
        self.robot.pose = self._pose()
        return True

    def ignore_links(self) -> bool:
        """Ignore a pair of links, or undo it."""
        one, other = self.rng.choice(LINKS, 2, replace=False).tolist()
        pair = frozenset((one, other))
        if self._coin():
            self.robot.ignore(one, other)
            self.model.ignored_links.add(pair)
        else:
            self.robot.unignore(one, other)
            self.model.ignored_links.discard(pair)
        self.model.joined.discard(pair)
        return True

    def new_robot(self) -> bool:
        """Remove the robot, which detaches bodies, and add another."""
        for name, body in self.model.bodies.items():
            if body.attached:
                body.link, body.attached, body.pose = "", False, self.scene[name].pose
        gone = {name for name, body in self.model.bodies.items() if body.link}
        self.robot.remove()
        for name in gone:
            del self.model.bodies[name]
        self.model.ignored = {pair for pair in self.model.ignored if not pair & gone}
        if len(self._free()) < MOST:
            self.add()
        self._make_robot()
        return True

    def copied(self) -> bool:
        """Go on with a copy."""
        self.robot = copy.copy(self.robot)
        self.scene = self.robot.scene
        return True

    def pickled(self) -> bool:
        """Go on with an unpickled scene and robot."""
        self.scene, self.robot = pickle.loads(pickle.dumps((self.scene, self.robot), int(self.rng.integers(2, 6))))
        return True

    def save_and_load(self) -> bool:
        """Go on with a scene that was saved and loaded."""
        self.scene = saved(self.scene)
        self.robot = self.scene.robots["arm"]
        return True


_STEPS: dict[str, tuple[Callable[[Sequence], bool], int]] = {
    "add": (Sequence.add, 30),
    "remove": (Sequence.remove, 30),
    "move": (Sequence.move, 30),
    "deform": (Sequence.deform, 15),
    "change shape": (Sequence.change_shape, 10),
    "ignore": (Sequence.ignore, 8),
    "unignore": (Sequence.unignore, 8),
    "groups": (Sequence.ignore_groups, 3),
    "attach": (Sequence.attach, 12),
    "detach": (Sequence.detach, 10),
    "move joint": (Sequence.move_joint, 12),
    "move robot": (Sequence.place_robot, 3),
    "links": (Sequence.ignore_links, 6),
    "new robot": (Sequence.new_robot, 2),
    "copy": (Sequence.copied, 2),
    "pickle": (Sequence.pickled, 2),
    "save": (Sequence.save_and_load, 2),
}
"""Kinds of steps: what it does, and how often it is chosen."""
_CHOICES = [kind for kind, (_, weight) in _STEPS.items() for _ in range(weight)]
KINDS = tuple(_STEPS)
