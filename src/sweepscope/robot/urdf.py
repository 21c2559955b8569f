"""Read a robot from a URDF file. The whole file is checked, and every mesh read, before a robot is made."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry, InvalidRobot
from ..formats.file_reader import FileReader, Limits
from ..formats.robot_xml import read_file
from ..shapes import Box, Capsule, Mesh, Shape, Sphere
from .joint import Joint, row_of
from .urdf_meshes import Meshes
from .urdf_text import JointText, LinkText, RobotText, ShapeText, read_text

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
    limits: Limits | None,
    turn_dae: bool,
) -> tuple[str, list[LinkPart]]:
    """Return the name of the robot in a URDF file, and its links in the order in which to add them."""
    checks.choice(geometry, "geometry", ("collision", "visual"))
    reader = FileReader(limits)
    file, content = read_file(path, reader, ".urdf")
    meshes = Meshes(file, packages, roots, reader, checks.flag(turn_dae, "turn_dae"))
    with checks.prefixed(str(file)):
        described = read_text(content, reader.limits, geometry)
        return described.name, _plan(described, meshes)


def _plan(robot: RobotText, meshes: Meshes) -> list[LinkPart]:
    """Return the links in the order in which to add them: after their parents and after the leaders of their joints."""
    carrying = _tree(robot)
    _check_mimics({joint.name: joint for each in robot.joints for joint in row_of(each.joint)})
    parts = []
    for link in _ordered(robot, carrying):
        with checks.prefixed(f"link {link.name!r}"):
            try:
                pieces = [(_shape(each, meshes), each.at) for each in link.shapes]
            except InvalidGeometry as error:
                raise InvalidRobot(str(error)) from error.__cause__
        above = carrying.get(link.name)
        parts.append(LinkPart(link.name, pieces, above and above.parent, above and above.joint))
    return parts


def _tree(robot: RobotText) -> dict[str, JointText]:
    """Return the joint that carries each link, by name of the link; raise unless links and joints form one tree."""
    links = [link.name for link in robot.links]
    if not links:
        raise InvalidRobot("holds no <link>")
    rows = [[joint.name for joint in row_of(each.joint)] for each in robot.joints]
    frames = [name for row in rows for name in row[:-1]]
    joints = [name for each, row in zip(robot.joints, rows, strict=True) for name in {each.joint.name, *row}]
    for what, names in (("link", links + frames), ("joint", joints)):
        name, count = Counter(names).most_common(1)[0] if names else ("", 1)
        if count > 1:
            raise InvalidRobot(f"{count} {what}s are called {name!r}; names are unique within a robot")
    known = set(links)
    carrying: dict[str, JointText] = {}
    for each in robot.joints:
        name = each.joint.name
        for end, link in (("parent", each.parent), ("child", each.child)):
            if link not in known:
                raise InvalidRobot(f"joint {name!r}: its {end} {link!r} is not a link; links: {checks.listed(links)}")
        if each.child in carrying:
            first = carrying[each.child].joint.name
            raise InvalidRobot(f"link {each.child!r} has two parents, by joints {first!r} and {name!r}; accepted: one")
        carrying[each.child] = each
    roots = [link for link in links if link not in carrying]
    if len(roots) > 1:
        raise InvalidRobot(f"has {len(roots)} roots, links without a parent: {checks.listed(roots)}; a robot is one tree")
    circle = _circle({link: each.parent for link, each in carrying.items()})
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


def _check_mimics(joints: Mapping[str, Joint]) -> None:
    """Raise if a joint follows a fixed or unknown joint, or joints follow each other in a circle."""
    leaders = {joint.name: joint.mimic[0] for joint in joints.values() if joint.mimic is not None}
    for name, leader in leaders.items():
        if leader not in joints:
            raise InvalidRobot(f"joint {name!r} mimics {leader!r}, which is not a joint; joints: {checks.listed(joints)}")
        if joints[leader].kind == "fixed":
            raise InvalidRobot(f"joint {name!r} mimics {leader!r}, which is fixed")
    circle = _circle(leaders)
    if circle:
        raise InvalidRobot(f"joints mimic each other in a circle: {' -> '.join(map(repr, circle))}")


def _ordered(robot: RobotText, carrying: Mapping[str, JointText]) -> list[LinkText]:
    """Return links in the order of the file, except that each comes after its parent and after its leader's link."""
    carried = {joint.name: each.child for each in robot.joints for joint in row_of(each.joint)}
    waits: dict[str, set[str]] = {link.name: set() for link in robot.links}
    for link, each in carrying.items():
        waits[link].add(each.parent)
        if each.joint.mimic is not None:
            waits[link].add(carried[each.joint.mimic[0]])
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
        name, leader = next(
            (each.joint.name, each.joint.mimic[0]) for link, each in carrying.items() if waits[link] and each.joint.mimic
        )
        raise InvalidRobot(f"joint {name!r} mimics {leader!r}, attached below it; this is not supported")
    links = {link.name: link for link in robot.links}
    return [links[name] for name in order]


def _shape(given: ShapeText, meshes: Meshes) -> Shape:
    """Return a shape, in its own frame [length]."""
    sizes = given.sizes
    if given.kind == "box":
        return Box(sizes["size"])
    if given.kind == "mesh":
        scale = sizes.get("scale", [1.0])
        return meshes.get(given.file, tuple(scale) * (3 // len(scale)))
    (radius,) = sizes["radius"]
    if given.kind == "sphere":
        return Sphere(radius)
    (length,) = sizes["length"]
    for what, size in (("radius", radius), ("length", length)):
        checks.length(size, f"{given.kind}: {what}", InvalidGeometry)
    if given.kind == "capsule":
        # Its length is that of the cylinder between the two half spheres.
        return Capsule.from_segment((0.0, 0.0, -0.5 * length), (0.0, 0.0, 0.5 * length), radius=radius)
    return Mesh.cylinder(radius * ROUND, length, sections=COLUMNS)
