"""Read links and joints from the text of a URDF file; every element and number that counts is checked."""

from __future__ import annotations

import logging
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidRobot
from ..formats.file_reader import Limits
from ..formats.robot_xml import attribute, name_of, numbers, only, root_of
from ..formats.xml import Element
from .joint import Joint

_log = logging.getLogger("sweepscope")

KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
ACCEPTED = ", ".join(KINDS)
_SIZES: dict[str, dict[str, int]] = {
    "box": {"size": 3},
    "cylinder": {"radius": 1, "length": 1},
    "sphere": {"radius": 1},
    "capsule": {"radius": 1, "length": 1},
    "mesh": {},
}


class ShapeText(NamedTuple):
    """A shape of a link."""

    kind: str
    """Tag of its element: "box", "mesh", ..."""
    sizes: dict[str, list[float]]
    """Numbers of its attributes [length]."""
    file: str
    """Name of the mesh's file, as it is written."""
    at: NDArray[np.float64]
    """Pose in the link's frame, shape (4, 4)."""


class LinkText(NamedTuple):
    """A link."""

    name: str
    shapes: list[ShapeText]


class JointText(NamedTuple):
    """A joint, and the names of the links that it connects."""

    joint: Joint
    parent: str
    child: str


class RobotText(NamedTuple):
    """What a file says."""

    name: str
    links: list[LinkText]
    joints: list[JointText]


def read_text(content: bytes, limits: Limits, geometry: str) -> RobotText:
    """Return what a file says of its links, with their "collision" or "visual" geometry, and joints."""
    root = root_of(content, limits, ".urdf")
    links = root.findall("link")
    if not any(link.find(geometry) is not None for link in links):
        geometry = _other(links, geometry)
    return RobotText(root.get("name", ""), [_link(each, geometry) for each in links], list(map(_joint, root.findall("joint"))))


def _other(links: list[Element], geometry: str) -> str:
    """Return the kind of shapes to take if a file has none of the asked kind: a robot without bodies would hit nothing."""
    other = "visual" if geometry == "collision" else "collision"
    count = sum(link.find(other) is not None for link in links)
    if count:
        _log.warning("no link has <%s>; the <%s> shapes of %s are taken", geometry, other, checks.amount(count, "link"))
        return other
    return geometry


def _link(element: Element, geometry: str) -> LinkText:
    name = name_of(element)
    return LinkText(name, [_shape(each, f"line {each.line}: link {name!r}") for each in element.findall(geometry)])


def _shape(element: Element, where: str) -> ShapeText:
    body = only(element, "geometry", where)
    inside = [] if body is None else list(body)
    if len(inside) != 1 or inside[0].tag not in _SIZES:
        found = ", ".join(f"<{each.tag}>" for each in inside) or "nothing"
        raise InvalidRobot(f"{where}: <geometry> holds {found}; expected one of {', '.join(f'<{tag}>' for tag in _SIZES)}")
    shape = inside[0]
    sizes = {name: numbers(shape, name, (count,), where) for name, count in _SIZES[shape.tag].items()}
    file = ""
    if shape.tag == "mesh":
        file = attribute(shape, "filename", where)
        if shape.get("scale") is not None:
            sizes["scale"] = numbers(shape, "scale", (1, 3), where)
    return ShapeText(shape.tag, sizes, file, _origin(element, where))


def _joint(element: Element) -> JointText:
    name, kind = name_of(element), element.get("type")
    where = f"line {element.line}: joint {name!r}"
    if kind not in KINDS:
        raise InvalidRobot(f"{where}: type is {checks.shown(kind)}; accepted: {ACCEPTED}")
    ends = []
    for end in ("parent", "child"):
        link = only(element, end, where)
        if link is None:
            raise InvalidRobot(f"{where}: has no <{end} link=...>")
        ends.append(attribute(link, "link", where))
    at = _origin(element, where)
    if kind == "fixed":
        return JointText(Joint.fixed(name, origin=at), *ends)
    mimic = _mimic(element, where)
    if kind in ("floating", "planar") and mimic is not None:
        raise InvalidRobot(f"{where}: is {kind} and mimics {mimic[0]!r}; accepted: revolute and prismatic joints")
    if kind == "floating":
        return JointText(Joint.floating(name, origin=at), *ends)
    axis = only(element, "axis", where)
    direction = [1.0, 0.0, 0.0] if axis is None or axis.get("xyz") is None else numbers(axis, "xyz", (3,), where)
    if kind == "planar":
        return JointText(Joint.planar(name, direction, origin=at), *ends)
    limits = _limits(element, kind, where)
    make = Joint.prismatic if kind == "prismatic" else Joint.revolute
    return JointText(make(name, direction, origin=at, limits=limits, mimic=mimic), *ends)


def _limits(joint: Element, kind: str, where: str) -> tuple[float, float] | None:
    limit = only(joint, "limit", where)
    if kind == "continuous":
        return None
    if limit is None:
        raise InvalidRobot(f"{where}: has no <limit>, which the URDF standard requires for a {kind} joint")
    # By the standard a missing limit is 0.
    low, high = (0.0 if limit.get(end) is None else numbers(limit, end, (1,), where, True)[0] for end in ("lower", "upper"))
    if low > high or low == math.inf or high == -math.inf:
        raise InvalidRobot(f"{where}: limits are {low:g} to {high:g}; the first must not be above the second")
    return low, high


def _mimic(joint: Element, where: str) -> tuple[str, float, float] | None:
    mimic = only(joint, "mimic", where)
    if mimic is None:
        return None
    terms = (("multiplier", 1.0), ("offset", 0.0))
    factor, offset = (rest if mimic.get(each) is None else numbers(mimic, each, (1,), where)[0] for each, rest in terms)
    return attribute(mimic, "joint", where), factor, offset


def _origin(element: Element, where: str) -> NDArray[np.float64]:
    """Return the pose of an <origin>: roll about x, then pitch about y, then yaw about z, then xyz; axes stay fixed."""
    matrix = np.eye(4)
    origin = only(element, "origin", where)
    if origin is not None and origin.get("rpy") is not None:
        roll, pitch, yaw = numbers(origin, "rpy", (3,), where)
        (cr, sr), (cp, sp), (cy, sy) = ((math.cos(angle), math.sin(angle)) for angle in (roll, pitch, yaw))
        matrix[:3, :3] = (
            (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
            (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
            (-sp, cp * sr, cp * cr),
        )
    if origin is not None and origin.get("xyz") is not None:
        matrix[:3, 3] = numbers(origin, "xyz", (3,), where)
    return matrix
