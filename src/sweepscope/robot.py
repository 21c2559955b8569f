"""Robots: links that hang on joints, in a scene, and the questions asked of their joints."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import checks
from .errors import InvalidGeometry, InvalidPose, InvalidQuery, InvalidRobot
from .joint import Joint, checked_name
from .motion import Rotate, Translate, inverse
from .scene import Body, Scene
from .shapes import Shape, Volume

if TYPE_CHECKING:
    from .results import LinkHit

_Shapes = Shape | Sequence[Shape | tuple[Shape, ArrayLike]] | None


class Link:
    """A rigid part of a robot: its bodies share one pose. Made by `Robot.add`."""

    __slots__ = ("_bodies", "_joint", "_local", "_name", "_number", "_parent", "_pose")

    def __init__(self, number: int, name: str, parent: Link | None, joint: Joint | None) -> None:
        self._number = number
        self._name = name
        self._parent = parent
        self._joint = joint
        self._bodies: tuple[Body, ...] = ()
        self._local: tuple[NDArray[np.float64], ...] = ()  # poses of the bodies in the link's frame
        self._pose = np.eye(4)

    @property
    def name(self) -> str:
        """Unique within its robot."""
        return self._name

    @property
    def parent(self) -> Link | None:
        """What it hangs on; None of the root."""
        return self._parent

    @property
    def joint(self) -> Joint | None:
        """On which joint; None of the root."""
        return self._joint

    @property
    def bodies(self) -> tuple[Body, ...]:
        """Its shapes in the scene; empty for a link that is a frame and no more."""
        return self._bodies

    @property
    def pose(self) -> NDArray[np.float64]:
        """Link to world, shape (4, 4), read-only: the robot's joints and pose say where it is."""
        return checks.fixed(self._pose)

    def __repr__(self) -> str:
        hangs = "" if self._parent is None or self._joint is None else f" on {self._parent.name!r} by {self._joint.name!r}"
        return f"<Link {self._name!r}{hangs}: {len(self._bodies)} bodies>"


class Robot:
    """Links and joints that form a tree, in a scene, where everything else is in their way, and they in its.

    scene: by default one of its own, `robot.scene`. pose: of the root link, 4x4 or a position. name: bodies are called
    "name/link". Links that a joint joins may overlap: they pass through each other, see `ignore` and `heed`.
    """

    __slots__ = ("_carried", "_joints", "_links", "_name", "_pose", "_scene", "_values")

    def __init__(self, scene: Scene | None = None, pose: ArrayLike | None = None, *, name: str = "robot") -> None:
        if scene is not None and not isinstance(scene, Scene):
            raise InvalidQuery(f"scene: expected a Scene, got {checks.shown(scene)}")
        self._name = checked_name(name, "robot")
        self._pose = checks.pose(pose)
        self._scene = Scene() if scene is None else scene
        self._links: dict[str, Link] = {}
        self._joints: dict[str, Link] = {}  # by name of joint, the link that it carries
        self._values: dict[str, float] = {}  # of joints that move, those that follow included
        self._carried: dict[Body, tuple[Link, list[Body]]] = {}  # what is attached, to which link, passing through what

    @classmethod
    def load(
        cls,
        path: str | PathLike[str],
        scene: Scene | None = None,
        pose: ArrayLike | None = None,
        *,
        name: str | None = None,
        geometry: str = "collision",
        packages: Mapping[str, str | PathLike[str]] | None = None,
        roots: Sequence[str | PathLike[str]] = (),
    ) -> Robot:
        """Read a URDF file; needs the extra `urdf`.

        geometry: what links are made of, "collision" or "visual". packages: folders that package://NAME/... stands for; by
        default the folders above the file are searched. roots: folders outside the file's own, and those of its packages,
        that meshes may be read from.
        """
        from .io.urdf import read_robot

        return read_robot(path, scene, pose, name=name, geometry=geometry, packages=packages, roots=roots)

    def add(self, name: str, shape: _Shapes = None, *, parent: str | None = None, joint: Joint | None = None) -> Link:
        """Add a link and return it. The first is the root; every other hangs on one that is there, by a joint.

        shape: one, several in a list, or pairs (shape, pose in the link's frame); None for a link that is a frame and no more.
        """
        checked_name(name, "link")
        if name in self._links:
            raise InvalidRobot(f"link {name!r} is there already; names are unique within a robot")
        pieces = _pieces(shape, name)
        above = self._hanging(name, parent, joint)
        link = Link(len(self._links), name, above, joint)
        link._local = tuple(pose for _, pose in pieces)
        names = self._body_names(name, len(pieces))
        for each in names:
            if each in self._scene._names:
                raise InvalidQuery(f"name: {each!r} is taken in the scene; give the robot another name")
        value = 0.0 if joint is None else self._start(joint)
        link._pose = self._pose if above is None or joint is None else above._pose @ joint.moved(value)
        places = [checks.pose(link._pose @ pose, f"link {name!r}: pose of shape {k}") for k, (_, pose) in enumerate(pieces)]
        link._bodies = tuple(
            self._scene.add(each, place, name=called) for (each, _), place, called in zip(pieces, places, names, strict=True)
        )
        for body in link._bodies:
            body._holder = self._name
        self._links[name] = link
        if joint is not None:
            self._joints[joint.name] = link
            if joint.kind != "fixed":
                self._values[joint.name] = value
        while above is not None and not above._bodies:
            above = above._parent
        if above is not None:
            self._pass(link, above, True)
        return link

    @property
    def name(self) -> str:
        """Of the robot."""
        return self._name

    @property
    def scene(self) -> Scene:
        """Where it is."""
        return self._scene

    @property
    def links(self) -> dict[str, Link]:
        """Links by name, parents first."""
        return dict(self._links)

    @property
    def joints(self) -> dict[str, Joint]:
        """Joints by name, parents first, those that do not move included."""
        return {name: link._joint for name, link in self._joints.items() if link._joint is not None}

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The bodies of all links: `scene.sweep(robot.bodies, motion)` moves the robot as a whole."""
        return tuple(body for link in self._links.values() for body in link._bodies)

    @property
    def pose(self) -> NDArray[np.float64]:
        """Of the root link, shape (4, 4), world, read-only. Assign a 4x4 matrix, or three numbers for a position."""
        return checks.fixed(self._pose)

    @pose.setter
    def pose(self, value: ArrayLike) -> None:
        if value is None:
            raise InvalidQuery("pose: expected a 4x4 matrix or three numbers, got None")
        self._put(self._links.values(), self._values, checks.pose(value))

    @property
    def values(self) -> dict[str, float]:
        """Value of every joint that moves: [radians] of a revolute, [length] of a prismatic one.

        Assign a mapping to put joints there without asking what is in the way: those that it does not name stay, but for
        those that follow.
        """
        return dict(self._values)

    @values.setter
    def values(self, value: Mapping[str, float]) -> None:
        self._set(self._targets(value))

    def __getitem__(self, joint: str) -> float:
        """Return the value of a joint."""
        return self._values[self._moving(joint)]

    def __setitem__(self, joint: str, value: float) -> None:
        """Put a joint at a value without asking what is in the way."""
        self.values = {joint: value}

    def link_of(self, body: Body) -> Link | None:
        """Return the link that a body belongs to; None if it is not the robot's."""
        return next((link for link in self._links.values() if body in link._bodies), None)

    def below(self, joint: str) -> tuple[Link, ...]:
        """Return the links that a joint moves: the one that it carries, and all that hang on it."""
        top = self._joints[self._known(joint)]
        moved = {top._number}
        for link in self._links.values():
            if link._parent is not None and link._parent._number in moved:
                moved.add(link._number)
        return tuple(link for link in self._links.values() if link._number in moved)

    def motion(self, joint: str, to: float) -> Rotate | Translate:
        """Return the motion, world, that takes a joint from where it is to a value."""
        link = self._joints[self._moving(joint)]
        assert link._joint is not None
        return link._joint.motion(link._pose, checks.number(to, "to", InvalidQuery) - self._values[joint])

    def sweep(
        self,
        joint: str | Mapping[str, float],
        to: float | None = None,
        *,
        margin: float = 0.0,
        resting: str = "free",
        ignore: Iterable[Body] = (),
        within: float | None = None,
    ) -> LinkHit | None:
        """Move a joint to a value, or several at once, and return the first contact; None when free. The robot stays put.

        What a joint moves is everything that hangs on it; in its way are the scene and the rest of the robot. One joint, that
        no other follows, is answered exactly. Several, {name: value, ...}, move at constant speed and arrive together; links
        that more than one moves are followed in steps that stay within `within` [length] of the truth, by default 1e-4 of the
        robot's size: what comes nearer than that is a hit. Of none, {}, it is told whether the robot overlaps anything now.

        margin, resting, ignore: as in `Scene.sweep`.
        """
        from .joint_sweep import sweep

        if isinstance(joint, str):
            if to is None:
                raise InvalidQuery(f"to: expected a value for joint {joint!r}, got None")
            joint = {joint: to}
        elif to is not None:
            raise InvalidQuery("to: is for one joint; of several, give {name: value, ...} and nothing else")
        return sweep(self, self._targets(joint), margin=margin, resting=resting, ignore=ignore, within=within)

    def ignore(self, a: str, b: str) -> None:
        """Let two links pass through each other."""
        self._pass(self._link(a), self._link(b), True)

    def heed(self, a: str, b: str) -> None:
        """Undo `ignore`, also between two links that a joint joins."""
        self._pass(self._link(a), self._link(b), False)

    def overlaps(self) -> list[tuple[str, str]]:
        """Return the pairs of its own links that overlap as they are now.

        Those that pass through each other do not count, nor those that no joint can move against each other.
        """
        from .joint_sweep import overlapping_links

        return overlapping_links(self)

    def attach(self, body: Body, link: str) -> None:
        """Let a link carry a body of the scene from now on, as it is now: something that was grasped, a tool.

        It is then one of the link's bodies: it moves along, meets what is in its way, and passes through that link.
        """
        self._scene._check(body, "body")
        holder = self._link(link)
        if body._holder:
            raise InvalidQuery(f"body {body.name!r} is a part of robot {body._holder!r} already")
        if isinstance(body._shape, Volume):
            raise InvalidQuery(f"body {body.name!r} is a Volume, which no link can carry")
        passed = self._scene._passed.get(body._id, set())
        new = [own for own in holder._bodies if own._id not in passed]
        for own in new:
            self._scene.ignore(own, body)
        holder._bodies, holder._local = (*holder._bodies, body), (*holder._local, inverse(holder._pose) @ body._pose)
        self._carried[body], body._holder = (holder, new), self._name

    def detach(self, body: Body) -> None:
        """Let go of a body that was attached: it stays where it is, and meets that link again."""
        if body not in self._carried:
            raise InvalidQuery(f"body: {checks.shown(body)} is not attached to robot {self._name!r}")
        holder, new = self._carried.pop(body)
        k = holder._bodies.index(body)
        holder._bodies, holder._local = _without(holder._bodies, k), _without(holder._local, k)
        body._holder = ""
        for own in new:
            self._scene.heed(own, body)

    def remove(self) -> None:
        """Take the robot out of its scene; what is attached stays."""
        for body in list(self._carried):
            self.detach(body)
        for body in self.bodies:
            body._holder = ""
            self._scene.remove(body)
        self._links, self._joints, self._values = {}, {}, {}

    def __repr__(self) -> str:
        return f"<Robot {self._name!r}: {len(self._links)} links, {len(self._values)} moving joints>"

    def _hanging(self, name: str, parent: Any, joint: Any) -> Link | None:
        """Check what a new link is to hang on."""
        if not self._links:
            if parent is not None or joint is not None:
                raise InvalidRobot(f"link {name!r} is the first: it is the root, and has no parent and no joint")
            return None
        if parent is None or joint is None:
            raise InvalidRobot(f"link {name!r}: give its parent, one of {checks.listed(self._links)}, and a joint")
        if not isinstance(joint, Joint):
            raise InvalidRobot(f"link {name!r}: joint: expected a Joint, got {checks.shown(joint)}")
        if not isinstance(parent, str) or parent not in self._links:
            raise InvalidRobot(
                f"link {name!r}: there is no link {checks.shown(parent)} yet; there is {checks.listed(self._links)}"
            )
        if joint.name in self._joints:
            raise InvalidRobot(f"joint {joint.name!r} is there already; names are unique within a robot")
        if joint.follows is not None and joint.follows[0] not in self._values:
            known = checks.listed(self._values)
            raise InvalidRobot(f"joint {joint.name!r} follows {joint.follows[0]!r}, which is not there yet; there is {known}")
        return self._links[parent]

    def _start(self, joint: Joint) -> float:
        """Return the value that a new joint has: 0, the limit that is nearest to 0, or what it is by the one it follows."""
        if joint.follows is None:
            return min(max(0.0, joint.limits[0]), joint.limits[1])
        leader, factor, offset = joint.follows
        value = factor * self._values[leader] + offset
        kept = joint.within(value)
        if kept is None:
            low, high = joint.limits
            raise InvalidRobot(
                f"joint {joint.name!r} starts at {value:.9g}, as it follows {leader!r}; accepted: {low:.9g} to {high:.9g}"
            )
        return kept

    def _body_names(self, link: str, count: int) -> list[str]:
        """Return what the bodies of a link are called."""
        return [f"{self._name}/{link}" + (f" {k}" if k else "") for k in range(count)]

    def _link(self, name: Any) -> Link:
        if not isinstance(name, str) or name not in self._links:
            raise InvalidQuery(f"no link {checks.shown(name)} in robot {self._name!r}; it has {checks.listed(self._links)}")
        return self._links[name]

    def _known(self, joint: Any) -> str:
        if not isinstance(joint, str) or joint not in self._joints:
            raise InvalidQuery(f"no joint {checks.shown(joint)} in robot {self._name!r}; it has {checks.listed(self._joints)}")
        return joint

    def _moving(self, joint: Any) -> str:
        if self._known(joint) not in self._values:
            raise InvalidQuery(f"joint {joint!r} is fixed; those that move are {checks.listed(self._values)}")
        return joint

    def _targets(self, values: Any) -> dict[str, float]:
        """Check values that are asked for, and return them, with those of joints that follow."""
        if not isinstance(values, Mapping):
            raise InvalidQuery(f"joints: expected a name, or names with values, got {checks.shown(values)}")
        given = {
            name: checks.number(value, f"value of joint {self._moving(name)!r}", InvalidQuery) for name, value in values.items()
        }
        asked: dict[str, float] = {}
        for name in self._values:
            joint = self._joints[name]._joint
            assert joint is not None
            if joint.follows is None:
                if name in given:
                    asked[name] = self._allowed(joint, given[name])
                continue
            leader, factor, offset = joint.follows
            value = factor * asked.get(leader, self._values[leader]) + offset
            if name in given and not abs(given[name] - value) <= joint.slack(abs(value) + abs(offset)):
                raise InvalidQuery(
                    f"value of joint {name!r} is {given[name]:.9g}, but it follows {leader!r}, by which it is at {value:.9g}"
                )
            if leader not in asked and name in given:
                asked[name] = self._values[name]
            if leader in asked:
                asked[name] = self._allowed(joint, value, f", where {leader!r} at {asked[leader]:.9g} takes it")
        return asked

    def _allowed(self, joint: Joint, value: float, why: str = "") -> float:
        """Return a value that is within the limits, or the limit itself if it is beyond by rounding."""
        if not math.isfinite(value) or abs(value) > checks.LARGEST:
            raise InvalidQuery(f"value of joint {joint.name!r} is {value}; it must be finite")
        kept = joint.within(value)
        if kept is None:
            low, high = joint.limits
            raise InvalidQuery(f"value of joint {joint.name!r} is {value:.9g}{why}; accepted: {low:.9g} to {high:.9g}")
        return kept

    def _set(self, targets: Mapping[str, float]) -> None:
        """Put joints at values that were checked."""
        moved: set[int] = set()
        for link in self._links.values():
            below = link._parent is not None and link._parent._number in moved
            if below or (link._joint is not None and link._joint.name in targets):
                moved.add(link._number)
        self._put((link for link in self._links.values() if link._number in moved), {**self._values, **targets}, self._pose)

    def _put(self, links: Iterable[Link], values: dict[str, float], root: NDArray[np.float64]) -> None:
        """Put links, parents first, where values of joints and the root's pose have them; nothing changes if one is too far."""
        poses: dict[Link, NDArray[np.float64]] = {}
        for link in links:
            pose, joint = root, link._joint
            if link._parent is not None and joint is not None:
                pose = poses.get(link._parent, link._parent._pose) @ joint.moved(values.get(joint.name, 0.0))
            if not max(map(abs, pose[:3, 3].tolist())) <= checks.LARGEST:
                raise InvalidPose(f"link {link.name!r} would be at {pose[:3, 3]}; accepted: up to {checks.LARGEST:g}")
            poses[link] = pose
        self._values, self._pose = values, root
        for link, pose in poses.items():
            link._pose = pose
            for body, local in zip(link._bodies, link._local, strict=True):
                body._pose = checks.fixed(pose @ local)
                self._scene._place(body)

    def _pass(self, a: Link, b: Link, ignored: bool) -> None:
        if a is b:
            raise InvalidQuery(f"links: {a.name!r} is given twice; a link does not meet itself")
        change = self._scene.ignore if ignored else self._scene.heed
        for one in a._bodies:
            for other in b._bodies:
                change(one, other)


def _without(items: tuple[Any, ...], k: int) -> tuple[Any, ...]:
    return (*items[:k], *items[k + 1 :])


def _pieces(shape: Any, name: str) -> list[tuple[Shape, NDArray[np.float64]]]:
    """Return shapes with their poses in the link's frame."""
    if shape is None:
        return []
    if isinstance(shape, Shape) or _is_pair(shape):
        shape = [shape]
    if not isinstance(shape, (list, tuple)):
        hint = "; Mesh.of(...) makes a Mesh of it" if hasattr(shape, "faces") else ""
        raise InvalidGeometry(f"link {name!r}: expected a shape or several, got {checks.shown(shape)}{hint}")
    pieces = []
    for k, each in enumerate(shape):
        pair = each if _is_pair(each) else (each, None)
        if not isinstance(pair[0], Shape) or isinstance(pair[0], Volume):
            kinds = "a Mesh, Box, Sphere, Capsule, PointCloud or Fan, or (shape, pose)"
            raise InvalidGeometry(f"link {name!r}: shape {k}: expected {kinds}, got {checks.shown(each)}")
        pieces.append((pair[0], checks.pose(pair[1], f"link {name!r}: pose of shape {k}")))
    return pieces


def _is_pair(value: Any) -> bool:
    """True if a value is (shape, pose), and not two things to be shapes."""
    if not isinstance(value, tuple) or len(value) != 2 or not isinstance(value[0], Shape):
        return False
    return not isinstance(value[1], Shape) and not _is_pair(value[1])
