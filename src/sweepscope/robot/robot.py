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
from ..motion import Rotate, Translate, Turn, inverse
from ..renderers import PageOptions, Pictured, PictureOptions, renderer_for
from ..scene import Scene, store_of
from ..shapes import Shape, Volume
from ..shapes.given import ShapeLike, is_shape, shape_of
from ..world.body import Body, entry_of
from .joint import Joint, checked_name, clamped, motion_of, rounding_of, row_of
from .srdf import add_srdf, save_srdf, states_by_key
from .tree import Link, LinkTree

if TYPE_CHECKING:
    from ..formats.file_reader import Limits
    from ..results import Clearances, IgnoresResult, LinkHit, LinkHits, PairDistance, TrajectoryHit
    from ..threads import Progress
    from ..viewer.page import Page
    from .trajectory import TrajectoryLike

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
        srdf: str | PathLike[str] | None = None,
        padding: float | Mapping[str, float] = 0.0,
        scale: float | Mapping[str, float] = 1.0,
    ) -> Robot:
        """Read a URDF file, and an SRDF file for it.

        geometry: which shapes links get, "collision" or "visual". packages: folders for package://NAME/...; by default the
        folders above the file are searched. roots: other folders from which meshes may be read, besides the file's own and
        those of its packages. limits: what the file and its meshes together may take. turn_dae: whether .dae meshes are turned
        so that the axis that they call up becomes z; RViz and MoveIt do not turn them.

        srdf: links in its disabled pairs ignore each other; it also gives `groups` and `states`. Links and joints in it that
        the robot does not have are skipped, with a warning. padding: radius that shapes are thickened by [length]. scale:
        factor for the size of shapes, each about its own center. Both: one number, or {link: number} for some links.
        """
        from ..formats.srdf import read_srdf
        from .padding import padded
        from .urdf import read_urdf

        described, parts = read_urdf(path, geometry, packages, roots, limits, turn_dae)
        parts = padded(parts, padding, scale)
        semantics = None if srdf is None else read_srdf(srdf, limits)
        if name is None and not described:
            raise InvalidRobot(f"{path}: <robot> has no name, which the URDF standard requires; give one: name=...")
        robot = cls(scene, pose, name=described if name is None else name)
        robot._check_body_names(path, [(part.name, len(part.pieces)) for part in parts])
        before = set(robot.scene.bodies)
        try:
            for part in parts:
                robot.add(part.name, part.pieces, parent=part.parent, joint=part.joint)
            if semantics is not None:
                add_srdf(robot._tree, described, semantics)
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
        A planar or floating joint becomes several joints in a row, with frames between: see `Joint.planar`, `Joint.floating`.
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
        row = [] if joint is None else row_of(joint)
        value = 0.0 if joint is None else self._start(joint)
        new: list[Link] = []
        pose = tree.root
        for called, each in [*((step.name, step) for step in row[:-1]), (name, row[-1] if row else None)]:
            new.append(Link(tree, called, above, each))
            pose = tree.add(new[-1], value if called == name else 0.0)
            above = new[-1]
        try:
            places = [checks.pose(pose @ local, f"link {name!r}: pose of shape {k}") for k, (_, local) in enumerate(pieces)]
        except SweepscopeError:
            for link in reversed(new):
                tree.discard(link)
            raise
        link = new[-1]
        added = [
            tree.store.add(each, place, called, "") for (each, _), place, called in zip(pieces, places, names, strict=True)
        ]
        for entry, (_, local) in zip(added, pieces, strict=True):
            tree.carry(link, entry, local)
        neighbor = tree.nearest_with_shape(link.parent) if pieces else None
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
        return self._tree.actuated()

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """Groups of an SRDF file: names of their joints that can be moved, in the order of `actuated_joints`."""
        return dict(self._tree.groups)

    @property
    def states(self) -> dict[str, dict[str, float]]:
        """Named states of an SRDF file: positions by joint, for `robot.positions = robot.states["home"]`.

        The key is the name; "group/name" if several groups have a state of that name.
        """
        return states_by_key(self._tree)

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
        targets = self._plain_targets(value)
        self._put(self._targets(self._named(value, "q")) if targets is None else targets)

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
        self._put(self._targets(self._named(value)))

    def _put(self, targets: dict[str, float]) -> None:
        """Set checked positions of joints, those that mimic others included."""
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
        arrive together. Free is then proved for the whole motion; bodies that come nearer than `accuracy` [length], by default
        1e-4 of the robot's size, are hit. With no joints, {}, reports whether the robot overlaps anything now.

        margin, resting, ignore: as in `Scene.sweep`.
        """
        from .sweep import sweep

        if isinstance(joint, str):
            if to is None:
                raise InvalidQuery(f"to: expected a value for joint {checks.shown(joint)}, got None")
            joint = {joint: to}
        elif to is not None:
            raise InvalidQuery("to: is for one joint; for several, give {name: value, ...} without `to`")
        targets = self._plain_targets(joint)
        if targets is None:
            targets = self._targets(self._named(joint))
        return sweep(self._tree, targets, margin=margin, resting=resting, ignore=ignore, accuracy=accuracy)

    def poses(self, q: ArrayLike | None = None) -> dict[str, NDArray[np.float64]]:
        """Return the poses of all links, world, by name: shape (..., 4, 4).

        q: configurations, shape (..., joints), in the order of `actuated_joints`; None: where the robot is. It does not move.
        """
        from .configurations import configurations

        tree = self._tree
        tree.check_present()
        given = self.q if q is None else configurations(tree.chain(), q, "q")
        found = tree.chain().poses(given.reshape(-1, given.shape[-1]), tree.root)
        found = found.reshape(*given.shape[:-1], *found.shape[1:])
        return {link.name: np.ascontiguousarray(found[..., k, :, :]) for link, k in tree.chain().links.items()}

    def free(
        self,
        q: ArrayLike,
        *,
        margin: float = 0.0,
        ignore: Iterable[Body] = (),
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> bool | NDArray[np.bool_]:
        """Return whether the robot would overlap nothing at configurations, shape (...). It does not move.

        q: shape (..., joints), in the order of `actuated_joints`. One configuration gives a bool, many an array. Tested are all
        links against the scene, and against each other if joints can move them relative to each other. What only touches is
        free. margin [length]: what is nearer counts as overlapping. threads: by default all cores. progress: called with the
        number of rows done, and of all.
        """
        from .ask import free

        return free(self._tree, q, margin, ignore, threads, progress)

    def edges(
        self,
        starts: ArrayLike,
        goals: ArrayLike,
        *,
        margin: float = 0.0,
        ignore: Iterable[Body] = (),
        accuracy: float | None = None,
        others: Mapping[Body, Translate | Turn] | None = None,
        base: checks.PoseLike | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> bool | NDArray[np.bool_]:
        """Return whether motions from configurations to others are free all the way, shape (...): proved, not sampled.

        starts, goals: shapes (..., joints) that fit each other. All joints move at constant speed and arrive together. One
        motion gives a bool, many an array. Bodies that come nearer than `accuracy` count as hit, see `sweep`. Links that stand
        still are tested too.

        others: obstacles that move over the same time, {body: motion, ...}; they are not tested against other obstacles. base:
        pose of the root link at the end; it moves there along a screw.
        """
        from .ask import edges

        return edges(self._tree, starts, goals, margin, ignore, accuracy, others, base, threads, progress)

    def sweep_many(
        self,
        starts: ArrayLike,
        goals: ArrayLike,
        *,
        margin: float = 0.0,
        resting: Literal["free", "hit"] = "free",
        ignore: Iterable[Body] = (),
        accuracy: float | None = None,
        others: Mapping[Body, Translate | Turn] | None = None,
        base: checks.PoseLike | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> LinkHits:
        """Return the first contacts of motions from configurations to others: `sweep` for many. The robot does not move.

        starts, goals: shapes (..., joints) that fit each other, in the order of `actuated_joints`. others, base: as in `edges`.
        """
        from .ask import sweep_many

        return sweep_many(self._tree, starts, goals, margin, resting, ignore, accuracy, others, base, threads, progress)

    def path(
        self,
        waypoints: ArrayLike,
        *,
        margin: float = 0.0,
        resting: Literal["free", "hit"] = "free",
        ignore: Iterable[Body] = (),
        accuracy: float | None = None,
        others: Mapping[Body, Translate | Turn] | None = None,
        base: checks.PoseLike | None = None,
    ) -> TrajectoryHit | None:
        """Return where a path of waypoints, shape (n, joints), is blocked first; None if it is free. The robot does not move.

        `hit.time` is the index of a waypoint plus the share of the way to the next. others, base: as in `edges`, over the whole
        path. Other arguments: as in `sweep`.
        """
        from .ask import path

        return path(self._tree, waypoints, margin, resting, ignore, accuracy, others, base)

    def follow(
        self,
        trajectory: TrajectoryLike,
        *,
        margin: float = 0.0,
        resting: Literal["free", "hit"] = "free",
        ignore: Iterable[Body] = (),
        accuracy: float | None = None,
        others: Mapping[Body, Translate | Turn] | None = None,
        base: checks.PoseLike | None = None,
    ) -> TrajectoryHit | None:
        """Return the first contact along a trajectory; None if it is free. The robot does not move.

        trajectory: a `Trajectory`, or an object of scipy, toppra or Ruckig, see docs/trajectories.md. Its joints are
        `actuated_joints`, and `hit.time` is in its own time. Between its points nothing is sampled: derivatives bound how far
        the links go. others, base: as in `edges`, over the whole trajectory. Other arguments: as in `sweep`.
        """
        from .ask import follow

        return follow(self._tree, trajectory, margin, resting, ignore, accuracy, others, base)

    def clearance(
        self,
        q: ArrayLike | None = None,
        *,
        limit: float = math.inf,
        ignore: Iterable[Body] = (),
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Clearances:
        """Return the least distance from anything at configurations, shape (..., dof), with its derivatives by the joints.

        q: None for where the robot is. Obstacles and its own links count, but not pairs that ignore each other, nor pairs that
        no joint moves relative to each other. limit [length]: what is farther away does not count. ignore: bodies that do not
        count. See docs/clearance.md.
        """
        from .clearance import clearance

        return clearance(self._tree, q, limit=limit, ignore=ignore, threads=threads, progress=progress)

    def near_pairs(self, q: ArrayLike | None = None, *, limit: float, ignore: Iterable[Body] = ()) -> list[PairDistance]:
        """Return all pairs of bodies within a distance [length] at one configuration, nearest first; `first` is the robot's.

        q: None for where the robot is. Which pairs count, and `ignore`: as in `clearance`.
        """
        from .clearance import near_pairs

        return near_pairs(self._tree, q, limit=limit, ignore=ignore)

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

        to: also a path as in `Robot.path`, shape (n, dof): it starts at the first waypoint, and the joints move at constant
        speed in joint space. Other arguments: as in `Scene.animate`.
        """
        self._tree.check_present()
        pace = {"frames": frames, "seconds": seconds, "stop_at_contact": stop_at_contact}
        kind = "animate_robot" if isinstance(to, Mapping) or np.ndim(to) < 2 else "animate_path"
        renderer_for(kind)(self, to, path, size=size, **pace, **options)

    def ignore(self, a: str, b: str) -> None:
        """Let two links pass through each other, with the bodies attached to them, now or later."""
        self._tree.ignored[self._pair(a, b)] = True
        self._tree.register(self)

    def unignore(self, a: str, b: str) -> None:
        """Undo `ignore`, also for two links that a joint connects. Pairs that `Scene.ignore` was given stay ignored."""
        self._tree.enable([self._pair(a, b)])

    def suggest_ignores(self, samples: int = 10_000, *, seed: int = 0) -> IgnoresResult:
        """Find pairs of links that need not be tested, as MoveIt's Setup Assistant does. The robot does not change.

        These are links that a joint connects, and links that overlap at the start, in more than 95 % of random configurations
        within the limits, or in none of them. `result.apply()` ignores them, `save_srdf` writes them to a file. The start is 0,
        or the limit nearest to 0. More samples find more pairs that can collide; none of them proves that a pair cannot.
        """
        from .suggest import suggest_ignores

        self._tree.check_present()
        return suggest_ignores(self._tree, samples, seed)

    def save_srdf(self, path: str | PathLike[str]) -> None:
        """Write an SRDF file: the pairs of links that ignore each other, with reasons, the groups and the states.

        Reasons are those of `suggest_ignores` or of the file that the pair comes from; "Adjacent" for links that a joint
        connects, "User" for pairs of `ignore`.
        """
        self._tree.check_present()
        save_srdf(self._tree, path)

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
        tree.reasons, tree.groups, tree.states = {}, {}, []
        tree.removed = True
        tree.version += 1
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

    def _plain_targets(self, values: Any) -> dict[str, float] | None:
        """Return the targets of a plain array of all actuated joints, within their limits; None: `_targets` decides."""
        if type(values) is not np.ndarray or values.dtype != np.float64 or values.ndim != 1 or self._tree.removed:
            return None
        chain = self._tree.chain()
        # NaN compares false.
        if len(values) != len(chain.low) or not ((values >= chain.low) & (values <= chain.high)).all():
            return None
        return self._tree.with_followers(dict(zip(chain.columns, values.tolist(), strict=True)))

    def _targets(self, named: dict[str, tuple[Any, str]]) -> dict[str, float]:
        """Return checked target positions, with those of joints that mimic others."""
        given = {name: checks.number(value, what, InvalidQuery) for name, (value, what) in named.items()}
        targets: dict[str, float] = {}
        for name in self._tree.values:
            joint = self._tree.joint(name)
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
