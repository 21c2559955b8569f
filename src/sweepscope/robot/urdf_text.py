"""Check a URDF file element by element, so that yourdfpy reads only known elements and valid numbers."""

from __future__ import annotations

import logging
import math
import re
from io import BytesIO
from pathlib import Path
from typing import Any

from .. import checks
from ..errors import InvalidRobot, SweepscopeError
from ..io.meshes import checked_file
from ..io.xml import lxml_etree, read_xml

MOST_BYTES = 16 << 20
KINDS = ("revolute", "continuous", "prismatic", "fixed")
ACCEPTED = ", ".join(KINDS)
_SIZES = {"box": {"size": (3,)}, "cylinder": {"radius": (1,), "length": (1,)}, "sphere": {"radius": (1,)}, "mesh": {}}
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf|infinity|nan)", re.IGNORECASE | re.ASCII)
_XACRO = "is a xacro file; convert it first: xacro FILE.xacro > FILE.urdf"


def checked_urdf(path: Any) -> Path:
    """Return the path of a URDF file, or raise if it cannot be read or is empty."""
    if str(path).lower().endswith(".xacro"):
        raise InvalidRobot(f"{path}: {_XACRO}")
    try:
        return checked_file(path, (".urdf", ".xml"), "robot")[0]
    except SweepscopeError as error:
        raise InvalidRobot(str(error)) from None


def read_description(file: Path, geometry: str) -> Any:
    """Return yourdfpy's `Robot` of a file: links with their "collision" or "visual" geometry, and joints."""
    etree = lxml_etree()
    import yourdfpy

    clean = _cleaned(read_xml(file, MOST_BYTES), geometry)
    log = logging.getLogger("yourdfpy.urdf")
    before = log.disabled
    log.disabled = True
    try:
        return yourdfpy.URDF.load(BytesIO(etree.tostring(clean)), build_scene_graph=False, load_meshes=False).robot
    except Exception as error:  # its parser may raise anything
        raise InvalidRobot(f"cannot be read: {error}") from error
    finally:
        log.disabled = before


def _cleaned(root: Any, geometry: str) -> Any:
    """Return a tree of the needed elements only, with every number checked."""
    etree = lxml_etree()
    home = etree.QName(root).namespace
    for element in root.iter():
        name = etree.QName(element)
        if name.namespace is not None and "xacro" in name.namespace:
            raise InvalidRobot(f"line {element.sourceline}: has <xacro:{name.localname}>: it {_XACRO}")
        if name.namespace == home:
            element.tag = name.localname
    if root.tag != "robot":
        raise InvalidRobot(f"line {root.sourceline}: is a <{root.tag}>; expected a <robot>")
    links = root.findall("link")
    _check_shapes(links, geometry)
    clean = etree.Element("robot", name=root.get("name", ""))
    for each in links:
        where = _named(each)
        link = etree.SubElement(clean, "link", name=each.get("name"))
        for shape in each.findall(geometry):
            _copy_shape(shape, etree.SubElement(link, geometry), f"line {shape.sourceline}: {where}")
    for each in root.findall("joint"):
        _copy_joint(each, clean)
    return clean


def _check_shapes(links: list[Any], geometry: str) -> None:
    """Raise if a file has shapes of the other kind only: the robot would have no bodies."""
    other = "visual" if geometry == "collision" else "collision"
    if not any(link.find(geometry) is not None for link in links):
        count = sum(link.find(other) is not None for link in links)
        if count:
            raise InvalidRobot(
                f"no link has <{geometry}>, but {count} have <{other}>; use them with geometry={other!r}, "
                f"on the command line --geometry {other}"
            )


def _copy_shape(given: Any, made: Any, where: str) -> None:
    etree = lxml_etree()
    _copy_origin(given, made, where)
    body = _only(given, "geometry", where)
    inside = [] if body is None else [each for each in body if isinstance(each.tag, str)]
    if len(inside) != 1 or inside[0].tag not in _SIZES:
        found = ", ".join(f"<{each.tag}>" for each in inside) or "nothing"
        raise InvalidRobot(f"{where}: <geometry> holds {found}; expected one of {', '.join(f'<{tag}>' for tag in _SIZES)}")
    shape = inside[0]
    copy = etree.SubElement(etree.SubElement(made, "geometry"), shape.tag)
    for attribute, counts in _SIZES[shape.tag].items():
        copy.set(attribute, _numbers(shape, attribute, counts, where))
    if shape.tag == "mesh":
        copy.set("filename", _attribute(shape, "filename", where))
        if shape.get("scale") is not None:
            copy.set("scale", _numbers(shape, "scale", (1, 3), where))


def _copy_joint(given: Any, clean: Any) -> None:
    etree = lxml_etree()
    where = f"line {given.sourceline}: {_named(given)}"
    kind = given.get("type")
    if kind not in KINDS:
        raise InvalidRobot(f"{where}: type is {checks.shown(kind)}; accepted: {ACCEPTED}")
    made = etree.SubElement(clean, "joint", name=given.get("name"), type=kind)
    for end in ("parent", "child"):
        element = _only(given, end, where)
        if element is None:
            raise InvalidRobot(f"{where}: has no <{end} link=...>")
        etree.SubElement(made, end, link=_attribute(element, "link", where))
    _copy_origin(given, made, where)
    if kind == "fixed":
        return
    axis = _only(given, "axis", where)
    if axis is not None and axis.get("xyz") is not None:
        etree.SubElement(made, "axis", xyz=_numbers(axis, "xyz", (3,), where))
    limit = _only(given, "limit", where)
    if kind != "continuous":
        if limit is None:
            raise InvalidRobot(f"{where}: has no <limit>, which the URDF standard requires for a {kind} joint")
        # By the standard a missing limit is 0.
        ends = {end: "0" if limit.get(end) is None else _numbers(limit, end, (1,), where, True) for end in ("lower", "upper")}
        low, high = float(ends["lower"]), float(ends["upper"])
        if low > high or low == math.inf or high == -math.inf:
            raise InvalidRobot(f"{where}: limits are {low:g} to {high:g}; the first must not be above the second")
        etree.SubElement(made, "limit", ends)
    mimic = _only(given, "mimic", where)
    if mimic is not None:
        terms = {each: _numbers(mimic, each, (1,), where) for each in ("multiplier", "offset") if mimic.get(each) is not None}
        etree.SubElement(made, "mimic", {"joint": _attribute(mimic, "joint", where), **terms})


def _copy_origin(given: Any, made: Any, where: str) -> None:
    etree = lxml_etree()
    origin = _only(given, "origin", where)
    if origin is not None:
        terms = {each: _numbers(origin, each, (3,), where) for each in ("xyz", "rpy") if origin.get(each) is not None}
        etree.SubElement(made, "origin", terms)


def _named(element: Any) -> str:
    if not element.get("name"):
        raise InvalidRobot(f"line {element.sourceline}: a <{element.tag}> has no name")
    return f"{element.tag} {element.get('name')!r}"


def _only(element: Any, tag: str, where: str) -> Any:
    """Return the child with this tag; None if there is none."""
    found = element.findall(tag)
    if len(found) > 1:
        raise InvalidRobot(f"{where}: has {len(found)} <{tag}>; accepted: one")
    return found[0] if found else None


def _attribute(element: Any, name: str, where: str) -> str:
    value = element.get(name)
    if not value:
        raise InvalidRobot(f"{where}: <{element.tag}> has no {name}")
    return value


def _numbers(element: Any, name: str, counts: tuple[int, ...], where: str, endless: bool = False) -> str:
    """Return the text of an attribute after a check; counts: accepted numbers of values; endless: whether inf is accepted."""
    what = f"{where}: <{element.tag} {name}=...>"
    text = element.get(name)
    if text is None:
        raise InvalidRobot(f"{what}: is missing")
    words = text.split()
    if len(words) not in counts or not all(map(_NUMBER.fullmatch, words)):
        wanted = " or ".join("a number" if count == 1 else f"{count} numbers with spaces between" for count in counts)
        raise InvalidRobot(f"{what}: expected {wanted}, got {checks.shown(text)}")
    for word in words:
        value = float(word)
        if math.isnan(value) or (abs(value) > checks.LARGEST and not (endless and math.isinf(value))):
            raise InvalidRobot(
                f"{what}: is {checks.shown(text)}; numbers must be finite and at most {checks.LARGEST:g} in size"
            )
    return text
