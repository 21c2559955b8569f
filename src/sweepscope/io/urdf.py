"""Read a robot from a URDF file through yourdfpy: all of it is checked before the scene changes."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidGeometry, InvalidQuery, InvalidRobot, SweepscopeError
from ..robot import Joint, Robot
from ..scene import Scene
from ..shapes import Box, Mesh, Shape, Sphere
from .urdf_meshes import Meshes
from .urdf_text import checked_urdf, read_description

COLUMNS = 64
"""Sides of the prism that stands for a cylinder."""
ROUND = 1.0 / math.cos(math.pi / COLUMNS)
"""The prism encloses the cylinder, so that nothing is missed; its edges are this many radii from the axis, 0.12 % outside."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A link that is to be added."""

    name: str
    pieces: list[tuple[Shape, NDArray[np.float64]]]
    parent: str | None
    joint: Joint | None


def read_robot(
    path: str | PathLike[str],
    scene: Scene | None,
    pose: ArrayLike | None,
    *,
    name: str | None,
    geometry: str,
    packages: Mapping[str, str | PathLike[str]] | None,
    roots: Sequence[str | PathLike[str]],
) -> Robot:
    """Answer `Robot.load`."""
    checks.choice(geometry, "geometry", ("collision", "visual"))
    file = checked_urdf(path)
    meshes = Meshes(file, packages, roots)
    try:
        described = read_description(file, geometry)
        parts = _plan(described, geometry, meshes)
        if name is None and not described.name:
            raise InvalidRobot("<robot> has no name, which the URDF standard demands; or give one: name=...")
    except InvalidRobot as error:
        raise InvalidRobot(f"{file}: {error}") from error.__cause__
    robot = Robot(scene, pose, name=described.name if name is None else name)
    _check_names(robot, parts, file)
    before = set(robot.scene.bodies)
    try:
        for part in parts:
            robot.add(part.name, part.pieces, parent=part.parent, joint=part.joint)
    except BaseException as error:
        # A link may be too far away, memory run out, or the user interrupt: the scene is then as it was.
        for body in set(robot.scene.bodies) - before:
            body._holder = ""
            robot.scene.remove(body)
        if isinstance(error, SweepscopeError):
            raise type(error)(f"{file}: {error}") from None
        raise
    return robot


def _plan(robot: Any, geometry: str, meshes: Meshes) -> list[_Part]:
    """Return the links in an order in which what they hang on and what their joints follow is there before them."""
    carrying = _tree(robot)
    joints = {joint.name: _joint(joint) for joint in robot.joints}
    _check_mimics(joints)
    parts = []
    for link in _ordered(robot, carrying):
        pieces = []
        for each in link.collisions if geometry == "collision" else link.visuals:
            try:
                pieces.append((_shape(each.geometry, meshes), np.eye(4) if each.origin is None else each.origin))
            except SweepscopeError as error:
                raise InvalidRobot(f"link {link.name!r}: {error}") from error.__cause__
        above = carrying.get(link.name)
        parts.append(_Part(link.name, pieces, above and above.parent, above and joints[above.name]))
    return parts


def _tree(robot: Any) -> dict[str, Any]:
    """Return by name of link the joint that carries it, if links and joints form one tree."""
    links, joints = [link.name for link in robot.links], [joint.name for joint in robot.joints]
    if not links:
        raise InvalidRobot("holds no <link>")
    for what, names in (("link", links), ("joint", joints)):
        twice, count = Counter(names).most_common(1)[0] if names else ("", 1)
        if count > 1:
            raise InvalidRobot(f"two {what}s are called {twice!r}; names are unique within a robot")
    known = set(links)
    carrying: dict[str, Any] = {}
    for joint in robot.joints:
        for end, link in (("parent", joint.parent), ("child", joint.child)):
            if link not in known:
                raise InvalidRobot(f"joint {joint.name!r}: its {end} {link!r} is not a link; there is {checks.listed(links)}")
        if joint.child in carrying:
            first = carrying[joint.child].name
            raise InvalidRobot(f"link {joint.child!r} has two parents, by joints {first!r} and {joint.name!r}; accepted: one")
        carrying[joint.child] = joint
    roots = [link for link in links if link not in carrying]
    if len(roots) > 1:
        raise InvalidRobot(f"has {len(roots)} roots, links without a parent: {checks.listed(roots)}; a robot is one tree")
    above = {link: joint.parent for link, joint in carrying.items()}
    circle = _circle(above)
    if circle:
        raise InvalidRobot(
            f"links hang on each other in a circle: {' -> '.join(map(repr, circle))}"
            + ("" if roots else "; there is no root, a link without a parent")
        )
    return carrying


def _circle(above: Mapping[str, str]) -> list[str]:
    """Return names that lead back to the first when each is followed to the one above it; empty if none do."""
    sound: set[str] = set()
    for start in above:
        way: dict[str, None] = {}
        here = start
        while here in above and here not in sound and here not in way:
            way[here] = None
            here = above[here]
        if here in way:
            names = list(way)
            return [*names[names.index(here) :], here]
        sound.update(way)
    return []


def _joint(given: Any) -> Joint:
    """Return a joint of a file as ours."""
    if given.type == "fixed":
        return Joint.fixed(given.name, given.origin)
    follows = None if given.mimic is None else (given.mimic.joint, given.mimic.multiplier, given.mimic.offset)
    axis = tuple(given.axis.tolist())
    if given.type == "prismatic":
        return Joint.prismatic(given.name, axis, given.origin, (given.limit.lower, given.limit.upper), follows=follows)
    limits = None if given.type == "continuous" else (given.limit.lower, given.limit.upper)
    return Joint.revolute(given.name, axis, given.origin, limits, follows=follows)


def _check_mimics(joints: Mapping[str, Joint]) -> None:
    """Refuse joints that follow what does not move, or each other."""
    leaders = {joint.name: joint.follows[0] for joint in joints.values() if joint.follows is not None}
    for name, leader in leaders.items():
        if leader not in joints:
            raise InvalidRobot(f"joint {name!r} mimics {leader!r}, which is not a joint; there is {checks.listed(joints)}")
        if joints[leader].kind == "fixed":
            raise InvalidRobot(f"joint {name!r} mimics {leader!r}, which is fixed")
    circle = _circle(leaders)
    if circle:
        raise InvalidRobot(f"joints mimic each other in a circle: {' -> '.join(map(repr, circle))}")


def _ordered(robot: Any, carrying: Mapping[str, Any]) -> list[Any]:
    """Return links in the order of the file as far as each comes after its parent, and after the link of its leader."""
    carried = {joint.name: joint.child for joint in robot.joints}
    waits: dict[str, set[str]] = {link.name: set() for link in robot.links}
    for link, joint in carrying.items():
        waits[link].add(joint.parent)
        if joint.mimic is not None:
            waits[link].add(carried[joint.mimic.joint])
    behind: dict[str, list[str]] = {link: [] for link in waits}
    for link, others in waits.items():
        for other in others:
            behind[other].append(link)
    ready = deque(link for link, others in waits.items() if not others)
    order = []
    while ready:
        link = ready.popleft()
        order.append(link)
        for other in behind[link]:
            waits[other].discard(link)
            if not waits[other]:
                ready.append(other)
    if len(order) < len(waits):
        stuck = next(joint for link, joint in carrying.items() if waits[link] and joint.mimic is not None)
        raise InvalidRobot(f"joint {stuck.name!r} mimics {stuck.mimic.joint!r}, which hangs below it; that is not read")
    links = {link.name: link for link in robot.links}
    return [links[name] for name in order]


def _shape(geometry: Any, meshes: Meshes) -> Shape:
    """Return the shape of a <geometry>, in its own frame [length]."""
    if geometry.box is not None:
        return Box(geometry.box.size)
    if geometry.sphere is not None:
        return Sphere(geometry.sphere.radius)
    if geometry.cylinder is not None:
        for what in ("radius", "length"):
            checks.length(getattr(geometry.cylinder, what), f"cylinder: {what}", InvalidGeometry)
        return Mesh.cylinder(geometry.cylinder.radius * ROUND, geometry.cylinder.length, COLUMNS)
    scale = (1.0,) if geometry.mesh.scale is None else np.atleast_1d(geometry.mesh.scale).tolist()
    return meshes.get(geometry.mesh.filename, tuple(scale) * (3 // len(scale)))


def _check_names(robot: Robot, parts: list[_Part], file: Path) -> None:
    """See that the names that `Robot.add` gives to bodies are free."""
    taken = {body.name for body in robot.scene.bodies}
    ours: set[str] = set()
    for part in parts:
        for name in robot._body_names(part.name, len(part.pieces)):
            if name in taken:
                raise InvalidQuery(f"{file}: a body {name!r} is there already; give the robot another name: name=...")
            if name in ours:
                raise InvalidRobot(f"{file}: two links have a body {name!r}: one by its name, one by its number; rename one")
            ours.add(name)
