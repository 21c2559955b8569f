"""Read a robot from a URDF file with yourdfpy. The whole file is checked before a robot is made."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry, InvalidRobot, SweepscopeError
from ..shapes import Box, Mesh, Shape, Sphere
from .joint import Joint
from .urdf_meshes import Meshes
from .urdf_text import checked_urdf, read_description

COLUMNS = 64
"""Sides of the prism that replaces a cylinder."""
ROUND = 1.0 / math.cos(math.pi / COLUMNS)
"""Distance of the prism's edges from the axis, in radii: the prism encloses the cylinder, by up to 0.12 %."""


@dataclass(frozen=True, slots=True)
class LinkPart:
    """A link to add."""

    name: str
    pieces: list[tuple[Shape, NDArray[np.float64]]]
    parent: str | None
    joint: Joint | None


def read_urdf(
    path: str | PathLike[str],
    geometry: str,
    packages: Mapping[str, str | PathLike[str]] | None,
    roots: Sequence[str | PathLike[str]],
) -> tuple[str, list[LinkPart]]:
    """Return the name of the robot in a URDF file, and its links in the order in which to add them."""
    checks.choice(geometry, "geometry", ("collision", "visual"))
    file = checked_urdf(path)
    meshes = Meshes(file, packages, roots)
    try:
        described = read_description(file, geometry)
        return described.name, _plan(described, geometry, meshes)
    except InvalidRobot as error:
        raise InvalidRobot(f"{file}: {error}") from error.__cause__


def _plan(robot: Any, geometry: str, meshes: Meshes) -> list[LinkPart]:
    """Return the links in the order in which to add them: after their parents and after the leaders of their joints."""
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
        parts.append(LinkPart(link.name, pieces, above and above.parent, above and joints[above.name]))
    return parts


def _tree(robot: Any) -> dict[str, Any]:
    """Return the joint that carries each link, by name of the link; raise unless links and joints form one tree."""
    links, joints = [link.name for link in robot.links], [joint.name for joint in robot.joints]
    if not links:
        raise InvalidRobot("holds no <link>")
    for what, names in (("link", links), ("joint", joints)):
        name, count = Counter(names).most_common(1)[0] if names else ("", 1)
        if count > 1:
            raise InvalidRobot(f"{count} {what}s are called {name!r}; names are unique within a robot")
    known = set(links)
    carrying: dict[str, Any] = {}
    for joint in robot.joints:
        for end, link in (("parent", joint.parent), ("child", joint.child)):
            if link not in known:
                raise InvalidRobot(f"joint {joint.name!r}: its {end} {link!r} is not a link; links: {checks.listed(links)}")
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
            f"links are attached in a circle: {' -> '.join(map(repr, circle))}"
            + ("" if roots else "; there is no root, a link without a parent")
        )
    return carrying


def _circle(above: Mapping[str, str]) -> list[str]:
    """Return the names of a circle, each followed by the one above it, back to the first; empty if there is no circle."""
    checked: set[str] = set()
    for start in above:
        path: dict[str, None] = {}
        here = start
        while here in above and here not in checked and here not in path:
            path[here] = None
            here = above[here]
        if here in path:
            names = list(path)
            return [*names[names.index(here) :], here]
        checked.update(path)
    return []


def _joint(given: Any) -> Joint:
    """Return the Joint of a joint in a file."""
    if given.type == "fixed":
        return Joint.fixed(given.name, given.origin)
    follows = None if given.mimic is None else (given.mimic.joint, given.mimic.multiplier, given.mimic.offset)
    axis = tuple(given.axis.tolist())
    if given.type == "prismatic":
        return Joint.prismatic(given.name, axis, given.origin, (given.limit.lower, given.limit.upper), follows=follows)
    limits = None if given.type == "continuous" else (given.limit.lower, given.limit.upper)
    return Joint.revolute(given.name, axis, given.origin, limits, follows=follows)


def _check_mimics(joints: Mapping[str, Joint]) -> None:
    """Raise if a joint follows a fixed or unknown joint, or joints follow each other in a circle."""
    leaders = {joint.name: joint.follows[0] for joint in joints.values() if joint.follows is not None}
    for name, leader in leaders.items():
        if leader not in joints:
            raise InvalidRobot(f"joint {name!r} mimics {leader!r}, which is not a joint; joints: {checks.listed(joints)}")
        if joints[leader].kind == "fixed":
            raise InvalidRobot(f"joint {name!r} mimics {leader!r}, which is fixed")
    circle = _circle(leaders)
    if circle:
        raise InvalidRobot(f"joints mimic each other in a circle: {' -> '.join(map(repr, circle))}")


def _ordered(robot: Any, carrying: Mapping[str, Any]) -> list[Any]:
    """Return links in the order of the file, except that each comes after its parent and after its leader's link."""
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
        raise InvalidRobot(f"joint {stuck.name!r} mimics {stuck.mimic.joint!r}, attached below it; this is not supported")
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
