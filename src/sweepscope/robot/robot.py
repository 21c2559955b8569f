"""Robots: links and joints in a scene, and sweeps of their joints."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidGeometry, InvalidQuery, InvalidRobot, InvalidType, NotFound, SweepscopeError
from ..foreign import as_numpy
from ..motion import Rotate, Translate, inverse
from ..renderers import PageOptions, Pictured, PictureOptions, renderer_for
from ..scene import Scene, store_of
from ..shapes import Shape, Volume
from ..shapes.given import ShapeLike, is_shape, shape_of
from ..world.body import Body, entry_of
from .joint import Joint, checked_name, clamped, motion_of, rounding_of
from .tree import Link, LinkTree, moved_pose

if TYPE_CHECKING:
    from ..formats.file_reader import Limits
    from ..results import LinkHit
    from ..viewer.page import Page

_Shapes = ShapeLike | Sequence[ShapeLike | tuple[ShapeLike, checks.PoseLike]] | None


class Robot(Pictured):
    """A tree of links and joints in a scene. Its links can hit the scene's bodies and each other.

    scene: by default a new one, `robot.scene`. pose: of the root link, 4x4 or a position. name: bodies are called "name/link".
    Links that a joint connects pass through each other: see `ignore` and `unignore`.

    A copy or a pickle of a robot holds its scene too, with all that is in it: docs/travel.md. Its `picture` shows it with what
    is around it, framed by its links.
    """

    __slots__ = ("_scene", "_tree")

    _drawn_as = "robot"

    def __init__(self, scene: Scene | None = None, pose: checks.PoseLike | None = None, *, name: str = "robot") -> None:
        self._scene = Scene() if scene is None else scene
        self._tree = LinkTree(store_of(self._scene), checks.pose(pose), checked_name(name, "robot"))

    @classmethod
    def load(
        cls,
        path: str | PathLike[str],
        scene: Scene | None = None,
        *,
        pose: checks.PoseLike | None = None,
        name: str | None = None,
        geometry: str = "collision",
        packages: Mapping[str, str | PathLike[str]] | None = None,
        roots: Sequence[str | PathLike[str]] = (),
        limits: Limits | None = None,
        turn_dae: bool = False,
    ) -> Robot:
        """Read a URDF file.

        geometry: which shapes links get, "collision" or "visual". packages: folders for package://NAME/...; by default the
        folders above the file are searched. roots: other folders from which meshes may be read, besides the file's own and
        those of its packages. limits: what the file and its meshes together may take. turn_dae: whether .dae meshes are turned
        so that the axis that they call up becomes z; RViz and MoveIt do not turn them.
        """
        from .urdf import read_urdf

        described, parts = read_urdf(path, geometry, packages, roots, limits, turn_dae)
        if name is None and not described:
            raise InvalidRobot(f"{path}: <robot> has no name, which the URDF standard requires; give one: name=...")
        robot = cls(scene, pose, name=described if name is None else name)
        robot._check_body_names(path, [(part.name, len(part.pieces)) for part in parts])
        before = set(robot.scene.bodies)
        try:
            for part in parts:
                robot.add(part.name, part.pieces, parent=part.parent, joint=part.joint)
        except BaseException as error:
            # A link may be too far away, memory may run out, the user may interrupt: restore the scene.
            for body in set(robot.scene.bodies) - before:
                entry_of(body).home().remove(entry_of(body))
            robot._tree.unregister()
            if isinstance(error, SweepscopeError):
                raise type(error)(f"{path}: {error}") from None
            raise
        return robot

    def add(self, name: str, shape: _Shapes = None, *, parent: str | None = None, joint: Joint | None = None) -> Link:
        """Add a link and return it. The first is the root; a joint attaches every other to a parent link.

        shape: one, several in a list, or pairs (shape, pose in the link's frame); None for a link that is only a frame.
        """
        tree = self._tree
        pieces = _pieces(shape, name)  # first: conversions of other libraries may run code that changes the robot
        name, above = tree.check_link(name, parent, joint)
        names = self._body_names(name, len(pieces))
        for each in names:
            if each in tree.store.names:
                raise InvalidQuery(f"name: {each!r} is taken in the scene; give the robot another name")
        if tree.store.robots.get(self.name, self) is not self:
            raise InvalidQuery(f"name: the scene has a robot {self.name!r} already; give the robot another name")
        link = Link(tree, name, above, joint)
        value = 0.0 if joint is None else self._start(joint)
        pose = tree.root if above is None or joint is None else moved_pose(link, tree.poses[above], value)
        places = [checks.pose(pose @ local, f"link {name!r}: pose of shape {k}") for k, (_, local) in enumerate(pieces)]
        added = [
            (tree.store.add(each, place, called, ""), local)
            for (each, local), place, called in zip(pieces, places, names, strict=True)
        ]
        tree.add(link, added, pose, value)
        neighbor = tree.nearest_with_shape(above) if added else None
        if neighbor is not None:
            tree.ignored[frozenset((link, neighbor))] = False
        tree.register(self)
        return link

    @property
    def name(self) -> str:
        """Name of the robot, unique within its scene."""
        return self._tree.name

    @property
    def scene(self) -> Scene:
        """The scene."""
        return self._scene

    @property
    def links(self) -> dict[str, Link]:
        """Links by name, parents first."""
        return dict(self._tree.links)

    @property
    def joints(self) -> dict[str, Joint]:
        """Joints by name, parents first, fixed ones included."""
        return {name: link.joint for name, link in self._tree.joints.items() if link.joint is not None}

    @property
    def actuated_joints(self) -> tuple[str, ...]:
        """Names of the joints that can be moved, parents first: neither fixed nor mimicking another joint."""
        return tuple(name for name in self._tree.values if self._joint(name).mimic is None)

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The bodies of all links: `scene.sweep(robot.bodies, motion)` moves the robot as a whole."""
        return tuple(entry.body for entry in self._tree.entries(self._tree.links.values()))

    @property
    def pose(self) -> NDArray[np.float64]:
        """Pose of the root link, shape (4, 4), world, read-only. Assign what `Body.pose` takes."""
        return checks.fixed(self._tree.root)

    @pose.setter
    def pose(self, value: checks.PoseLike) -> None:
        root = checks.given_pose(value)  # first: the conversion may run code that removes the robot
        self._tree.put(self._tree.links.values(), self._tree.values, root)

    @property
    def q(self) -> NDArray[np.float64]:
        """The configuration: positions of `actuated_joints` in that order, shape (n,), a copy.

        Assign a configuration to set it without a collision test.
        """
        return np.array([self._tree.values[name] for name in self.actuated_joints])

    @q.setter
    def q(self, value: ArrayLike) -> None:
        self._set_positions(self._named(value, "q"))

    @property
    def positions(self) -> dict[str, float]:
        """Position of every joint that is not fixed, by name: [radians] if revolute, [length] if prismatic.

        Assign a mapping to set positions without a collision test. Other joints keep theirs, except those that mimic others.
        """
        return dict(self._tree.values)

    @positions.setter
    def positions(self, value: Mapping[str, float]) -> None:
        if not isinstance(value, Mapping):
            raise InvalidType(f"positions: expected {{joint: position, ...}}, got {checks.shown(value)}; robot.q takes numbers")
        self._set_positions(self._named(value))

    def _set_positions(self, named: dict[str, tuple[Any, str]]) -> None:
        targets = self._targets(named)
        tree = self._tree
        tree.put(tree.descendants([tree.joints[name] for name in targets]), {**tree.values, **targets}, tree.root)

    def __getitem__(self, joint: str) -> float:
        """Return the value of a joint."""
        return self._tree.values[self._moving(joint)]

    def __setitem__(self, joint: str, value: float) -> None:
        """Set the value of a joint without a collision test."""
        self.positions = {self._moving(joint): value}

    def link_of(self, body: Body) -> Link | None:
        """Return the link of a body; None if the body does not belong to the robot."""
        return self._tree.link_of(entry_of(body)) if isinstance(body, Body) else None

    def descendants(self, joint: str) -> tuple[Link, ...]:
        """Return the links attached to a joint: all that it moves."""
        return tuple(self._tree.descendants([self._tree.joints[self._known(joint)]]))

    def motion(self, joint: str, to: float) -> Rotate | Translate:
        """Return the motion, world, that changes a joint from its current value to `to`."""
        link = self._tree.joints[self._moving(joint)]
        assert link.joint is not None
        change = checks.number(to, "to", InvalidQuery) - self._tree.values[joint]
        return motion_of(link.joint, self._tree.poses[link], change)

    def sweep(
        self,
        joint: str | Mapping[str, float] | ArrayLike,
        to: float | None = None,
        *,
        margin: float = 0.0,
        resting: Literal["free", "hit"] = "free",
        ignore: Iterable[Body] = (),
        accuracy: float | None = None,
    ) -> LinkHit | None:
        """Return the first contact when one joint, or several, move to a value; None if free. The robot does not change.

        A joint moves all links attached to it; obstacles are the scene and the rest of the robot. One joint that no other
        mimics is exact. Several joints, {name: position, ...} or a configuration as in `robot.q`, move at constant speed and
        arrive together. Links that several joints move are swept in steps with an error of at most `accuracy` [length], by
        default 1e-4 of the robot's size; bodies nearer than that are hit. With no joints, {}, reports whether the
        robot overlaps anything now.

        margin, resting, ignore: as in `Scene.sweep`.
        """
        from .sweep import sweep

        if isinstance(joint, str):
            if to is None:
                raise InvalidQuery(f"to: expected a value for joint {checks.shown(joint)}, got None")
            joint = {joint: to}
        elif to is not None:
            raise InvalidQuery("to: is for one joint; for several, give {name: value, ...} without `to`")
        targets = self._targets(self._named(joint))
        return sweep(self._tree, targets, margin=margin, resting=resting, ignore=ignore, accuracy=accuracy)

    def animate(
        self,
        to: Mapping[str, float] | ArrayLike,
        path: str | PathLike[str],
        *,
        frames: int = 48,
        seconds: float = 3.0,
        size: tuple[int, int] = (480, 360),
        stop_at_contact: bool = True,
        **options: Unpack[PictureOptions],
    ) -> None:
        """Write an animated GIF of joints that move, all at once, to positions as in `sweep`. The robot does not change.

        Other arguments: as in `Scene.animate`.
        """
        self._tree.check_present()
        pace = {"frames": frames, "seconds": seconds, "stop_at_contact": stop_at_contact}
        renderer_for("animate_robot")(self, to, path, size=size, **pace, **options)

    def ignore(self, a: str, b: str) -> None:
        """Let two links pass through each other, with the bodies attached to them, now or later."""
        self._tree.ignored[self._pair(a, b)] = True
        self._tree.register(self)

    def unignore(self, a: str, b: str) -> None:
        """Undo `ignore`, also for two links that a joint connects. Pairs that `Scene.ignore` was given stay ignored."""
        self._tree.ignored.pop(self._pair(a, b), None)
        self._tree.register(self)

    def overlaps(self) -> list[tuple[str, str]]:
        """Return the pairs of its own links that overlap now.

        It leaves out pairs that ignore each other, and pairs that no joint can move relative to each other.
        """
        from .sweep import overlapping_links

        self._tree.check_present()
        return overlapping_links(self._tree)

    def attach(self, body: Body, link: str) -> None:
        """Attach a body of the scene to a link at its current pose: a grasped object, a tool.

        It becomes one of the link's bodies: it moves with the link, and passes through the link, what is attached to it, and
        the links that `ignore` was given for it. It can hit all other bodies, also the links that a joint connects with it.
        """
        tree = self._tree
        entry = tree.store.check(body, "body")
        holder = self._link(link)
        if entry.holder:
            raise InvalidQuery(f"body {entry.name!r} is already a part of robot {entry.holder!r}")
        if entry.volume is not None:
            raise InvalidQuery(f"body {entry.name!r} is a Volume; a link can carry every other shape")
        tree.carry(holder, entry, inverse(tree.poses[holder]) @ entry.pose, attached=True)
        tree.register(self)

    def detach(self, body: Body) -> None:
        """Detach an attached body: it stays where it is, and can hit the robot again. What `Scene.ignore` was given stays."""
        entry = self._tree.store.check(body, "body")
        if entry not in self._tree.attached:
            raise NotFound(f"body: {checks.shown(body)} is not attached to robot {self.name!r}")
        self._tree.drop(entry)
        self._tree.register(self)

    def remove(self) -> None:
        """Remove the robot from its scene; attached bodies stay. Queries of the robot raise NotFound until it gets a link."""
        tree = self._tree
        for entry in list(tree.attached):
            tree.drop(entry)
        for entry in tree.entries(tree.links.values()):
            entry.holder = ""
            tree.store.remove(entry)
        tree.links, tree.joints, tree.values, tree.ignored = {}, {}, {}, {}
        tree.removed = True
        if tree.store.robots.get(self.name) is self:
            tree.unregister()

    def show(self, **options: Unpack[PageOptions]) -> Page:
        """Show the robot in its scene on a page in the browser, with a slider for each joint, and return the page at once.

        options: docs/viewer.md.
        """
        self._tree.check_present()
        return renderer_for("page")(self, **options)

    def __copy__(self) -> Robot:
        return deepcopy(self)

    def __reduce__(self) -> tuple[Any, ...]:
        # With what a subclass keeps.
        return robot_of, (type(self), self._tree), getattr(self, "__dict__", None)

    def __repr__(self) -> str:
        links, joints = checks.amount(len(self._tree.links), "link"), checks.amount(len(self.actuated_joints), "actuated joint")
        return f"<Robot {self.name!r}: {'removed' if self._tree.removed else f'{links}, {joints}'}>"

    def _start(self, joint: Joint) -> float:
        """Return the value of a new joint: 0, or the limit nearest to 0; a follower's value follows from its leader."""
        if joint.mimic is None:
            return min(max(0.0, joint.limits[0]), joint.limits[1])
        leader, factor, offset = joint.mimic
        value = factor * self._tree.values[leader] + offset
        allowed = clamped(joint, value)
        if allowed is None:
            low, high = joint.limits
            raise InvalidRobot(
                f"joint {joint.name!r} starts at {value:.9g}, as it follows {leader!r}; accepted: {low:.9g} to {high:.9g}"
            )
        return allowed

    def _body_names(self, link: str, count: int) -> list[str]:
        """Return the names of a link's bodies."""
        return [f"{self.name}/{link}" + (f" {k}" if k else "") for k in range(count)]

    def _check_body_names(self, path: Any, links: list[tuple[str, int]]) -> None:
        """Raise if a name that `add` will give to a body is taken; links: names and numbers of shapes."""
        ours: set[str] = set()
        for link, count in links:
            for name in self._body_names(link, count):
                if name in self._tree.store.names:
                    raise InvalidQuery(f"{path}: a body {name!r} exists already; give the robot another name: name=...")
                if name in ours:
                    raise InvalidRobot(
                        f"{path}: two links would have a body {name!r}: one from its name, one from its number; rename one"
                    )
                ours.add(name)
        if self.name in self._tree.store.robots:
            raise InvalidQuery(f"{path}: a robot {self.name!r} exists already; give the robot another name: name=...")

    def _link(self, name: Any) -> Link:
        self._tree.check_present()
        if checks.text(name, "link") not in self._tree.links:
            raise NotFound(f"no link {checks.shown(name)} in robot {self.name!r}; it has {checks.listed(self._tree.links)}")
        return self._tree.links[name]

    def _known(self, joint: Any) -> str:
        self._tree.check_present()
        if checks.text(joint, "joint") not in self._tree.joints:
            raise NotFound(f"no joint {checks.shown(joint)} in robot {self.name!r}; it has {checks.listed(self._tree.joints)}")
        return str(joint)

    def _moving(self, joint: Any) -> str:
        name = self._known(joint)
        if name not in self._tree.values:
            raise InvalidQuery(f"joint {name!r} is fixed; joints that move: {checks.listed(self._tree.values)}")
        return name

    def _joint(self, name: str) -> Joint:
        joint = self._tree.joints[name].joint
        assert joint is not None
        return joint

    def _named(self, values: Any, what: str = "joint") -> dict[str, tuple[Any, str]]:
        """Return positions by names of joints, and what to call each of them in a message."""
        self._tree.check_present()
        if isinstance(values, Mapping):
            return {name: (value, f"position of joint {self._moving(name)!r}") for name, value in values.items()}
        names = self.actuated_joints
        accepted = f"one configuration, {checks.amount(len(names), 'number')} for {checks.listed(names)}"
        if not hasattr(values, "to_dict"):  # a pandas Series has names of its own, which may not be in our order
            values = as_numpy(values, what, InvalidQuery)
        if not isinstance(values, (list, tuple, np.ndarray)) or (isinstance(values, np.ndarray) and values.ndim == 0):
            raise InvalidType(f"{what}: expected {{name: position, ...}} or {accepted}, got {checks.shown(values)}")
        if isinstance(values, np.ndarray) and values.ndim > 1:
            raise InvalidQuery(f"{what}: got shape {values.shape}; accepted: {accepted}; sweep from waypoint to waypoint")
        if len(values) != len(names):
            raise InvalidQuery(f"{what}: got {checks.amount(len(values), 'number')}; accepted: {accepted}")
        return {name: (values[k], f"{what}[{k}], of joint {name!r}") for k, name in enumerate(names)}

    def _targets(self, named: dict[str, tuple[Any, str]]) -> dict[str, float]:
        """Return checked target positions, with those of joints that mimic others."""
        given = {name: checks.number(value, what, InvalidQuery) for name, (value, what) in named.items()}
        targets: dict[str, float] = {}
        for name in self._tree.values:
            joint = self._joint(name)
            if joint.mimic is None:
                if name in given:
                    targets[name] = self._allowed(joint, given[name], named[name][1])
                continue
            leader, factor, offset = joint.mimic
            value = factor * targets.get(leader, self._tree.values[leader]) + offset
            if name in given and not abs(given[name] - value) <= rounding_of(joint, abs(value) + abs(offset)):
                raise InvalidQuery(
                    f"{named[name][1]} is {given[name]:.9g}, but it follows {leader!r}, which puts it at {value:.9g}"
                )
            if leader not in targets and name in given:
                targets[name] = self._tree.values[name]
            if leader in targets:
                why = f", as {leader!r} is at {targets[leader]:.9g}"
                targets[name] = self._allowed(joint, value, f"position of joint {name!r}", why)
        return targets

    def _allowed(self, joint: Joint, value: float, what: str, why: str = "") -> float:
        """Return a value clamped to the limits if it is beyond them by rounding only; else raise."""
        if not math.isfinite(value) or abs(value) > checks.LARGEST:
            raise InvalidQuery(f"{what} is {value}; it must be finite, at most {checks.LARGEST:g}")
        allowed = clamped(joint, value)
        if allowed is None:
            low, high = joint.limits
            raise InvalidQuery(f"{what} is {value:.9g}{why}; accepted: {low:.9g} to {high:.9g}")
        return allowed

    def _pair(self, a: Any, b: Any) -> frozenset[Link]:
        """Return two different links, given by name."""
        pair = frozenset((self._link(a), self._link(b)))
        if len(pair) < 2:
            raise InvalidQuery(f"links: {checks.shown(a)} is given twice; accepted: two different links")
        return pair


def robot_of(kind: type[Robot], tree: LinkTree) -> Robot:
    """Return a copied, unpickled or loaded robot."""
    robot = kind.__new__(kind)
    robot._scene, robot._tree = tree.store.scene, tree  # noqa: SLF001  (a constructor)
    if tree.links:
        tree.register(robot)
    return robot


def tree_of(robot: Robot) -> LinkTree:
    """Return the tree of a robot."""
    return robot._tree  # noqa: SLF001  (the only access from a robot to its tree)


def positions_at(robot: Robot, values: Mapping[str, float] | ArrayLike) -> dict[str, float]:
    """Return the positions of all joints that are not fixed, some of them at other values, as `Robot.sweep` takes them."""
    return {**robot._tree.values, **robot._targets(robot._named(values))}  # noqa: SLF001


def poses_at(robot: Robot, values: Mapping[str, float]) -> dict[Body, NDArray[np.float64]]:
    """Return the poses, shape (4, 4), world, of all bodies of a robot if joints had other values. The robot does not move."""
    tree, there = tree_of(robot), positions_at(robot, values)
    # Poses that do not change are not computed: those of attached bodies would change by rounding.
    moved = tree.descendants([tree.joints[name] for name, value in there.items() if value != tree.values[name]])
    _, placed = tree.poses_at(moved, there, tree.root)
    return {body: body.pose for body in robot.bodies} | {entry.body: pose for entry, pose in placed.items()}


def _pieces(shape: Any, name: Any) -> list[tuple[Shape, NDArray[np.float64]]]:
    """Return shapes with their poses in the link's frame."""
    if shape is None:
        return []
    if not isinstance(shape, (list, tuple)) or _is_pair(shape):
        shape = [shape]
    pieces = []
    for k, each in enumerate(shape):
        pair = each if _is_pair(each) else (each, None)
        if isinstance(pair[0], Volume):
            kinds = "a Mesh, Box, Sphere, Capsule, PointCloud or Fan, or (shape, pose)"
            raise InvalidGeometry(f"link {name!r}: shape {k}: expected {kinds}, got {checks.shown(each)}")
        pieces.append(
            (shape_of(pair[0], f"link {name!r}: shape {k}"), checks.pose(pair[1], f"link {name!r}: pose of shape {k}"))
        )
    return pieces


def _is_pair(value: Any) -> bool:
    """True if a value is (shape, pose), not two shapes."""
    if not isinstance(value, tuple) or len(value) != 2 or not is_shape(value[0]):
        return False
    return not is_shape(value[1]) and not _is_pair(value[1])
