"""Elements of URDF and SRDF files: the root, names and numbers, checked."""

from __future__ import annotations

import math
import re
from os import PathLike
from pathlib import Path

from .. import checks
from ..errors import InvalidGeometry, InvalidRobot
from .file_reader import FileReader, Limits
from .xml import Element, read_xml

_XACRO = "is a xacro file; convert it first: xacro FILE.xacro > FILE"
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf|infinity|nan)", re.IGNORECASE | re.ASCII)


def read_file(path: str | PathLike[str], reader: FileReader, ending: str) -> tuple[Path, bytes]:
    """Return the path and the bytes of a file; ending: ".urdf" or ".srdf"; .xml is accepted too."""
    if str(path).lower().endswith(".xacro"):
        raise InvalidRobot(f"{path}: {_XACRO}{ending}")
    try:
        return reader.read(path, (ending, ".xml"), "robot")
    except InvalidGeometry as error:
        raise InvalidRobot(str(error)) from None


def root_of(content: bytes, limits: Limits, ending: str) -> Element:
    """Return the <robot> of a file; the message of an InvalidRobot gives the line, and does not name the file."""
    try:
        root = read_xml(content, limits)
    except InvalidGeometry as error:
        raise InvalidRobot(str(error)) from None
    for element in root.iter():
        space, mark, tag = element.tag.rpartition("}")
        if mark and "xacro" in space:
            raise InvalidRobot(f"line {element.line}: has <xacro:{tag}>: it {_XACRO}{ending}")
    if root.tag != "robot":
        raise InvalidRobot(f"line {root.line}: is a <{root.tag}>; expected a <robot>")
    return root


def name_of(element: Element) -> str:
    """Return the name of an element."""
    name = element.get("name")
    if not name:
        raise InvalidRobot(f"line {element.line}: a <{element.tag}> has no name")
    return name


def only(element: Element, tag: str, where: str) -> Element | None:
    """Return the child with this tag; None if there is none."""
    found = element.findall(tag)
    if len(found) > 1:
        raise InvalidRobot(f"{where}: has {len(found)} <{tag}>; accepted: one")
    return found[0] if found else None


def attribute(element: Element, name: str, where: str) -> str:
    """Return an attribute that must be there."""
    value = element.get(name)
    if not value:
        raise InvalidRobot(f"{where}: <{element.tag}> has no {name}")
    return value


def numbers(element: Element, name: str, counts: tuple[int, ...], where: str, endless: bool = False) -> list[float]:
    """Return the numbers of an attribute; counts: how many are accepted, none for any; endless: whether inf is accepted."""
    what = f"{where}: <{element.tag} {name}=...>"
    text = element.get(name)
    if text is None:
        raise InvalidRobot(f"{what}: is missing")
    words = text.split()
    if not words or (counts and len(words) not in counts) or not all(map(_NUMBER.fullmatch, words)):
        wanted = " or ".join("a number" if count == 1 else f"{count} numbers with spaces between" for count in counts or (1,))
        raise InvalidRobot(f"{what}: expected {wanted}, got {checks.shown(text)}")
    values = [float(word) for word in words]
    # "not <=" is also true of NaN.
    if not all(abs(value) <= checks.LARGEST or (endless and math.isinf(value)) for value in values):
        raise InvalidRobot(f"{what}: is {checks.shown(text)}; numbers must be finite and at most {checks.LARGEST:g} in size")
    return values
