"""SRDF files: what MoveIt adds to a URDF file. Pairs of links that ignore each other, groups of joints, named states.

End effectors and all other elements are not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from .. import checks
from .file_reader import FileReader, Limits
from .file_writer import new_file
from .robot_xml import attribute, name_of, numbers, read_file, root_of
from .xml import Element

ENDING = ".srdf"
_MEMBERS = {"chain": ("base_link", "tip_link"), "link": ("name",), "joint": ("name",), "group": ("name",)}


class Named(NamedTuple):
    """A name, and the line where it is."""

    name: str
    line: int


class PairText(NamedTuple):
    """Two links."""

    links: tuple[Named, Named]
    reason: str
    """Empty if there is none."""


class GroupText(NamedTuple):
    """A group of joints."""

    name: Named
    members: list[tuple[str, list[Named]]]
    """Tags and names: "chain" with two links, "link", "joint" or "group" with one name."""


class StateText(NamedTuple):
    """A named state."""

    name: str
    group: str
    positions: list[tuple[Named, list[float]]]
    """Joints and their values; only joints with several degrees of freedom have several."""


class SrdfText(NamedTuple):
    """What a file says."""

    path: Path
    robot: str
    """Name of the robot; empty if there is none."""
    defaults: list[Named]
    """Links that ignore all others, except for pairs in `enabled`."""
    enabled: list[PairText]
    disabled: list[PairText]
    groups: list[GroupText]
    states: list[StateText]
    passive: list[Named]
    """Joints without a motor."""
    virtual: list[tuple[Named, str]]
    """Joints between the root link and the world, and their types."""


def read_srdf(path: str | PathLike[str], limits: Limits | None) -> SrdfText:
    """Return what a file says. Names are not compared with those of a robot."""
    reader = FileReader(limits)
    file, content = read_file(path, reader, ENDING)
    with checks.prefixed(str(file)):
        root = root_of(content, reader.limits, ENDING)
        return SrdfText(
            file,
            root.get("name", ""),
            [_named(each, "link") for each in root.findall("disable_default_collisions")],
            [_pair(each) for each in root.findall("enable_collisions")],
            [_pair(each) for each in root.findall("disable_collisions")],
            [_group(each) for each in root.findall("group")],
            [_state(each) for each in root.findall("group_state")],
            [_named(each, "name") for each in root.findall("passive_joint")],
            [(_named(each, "name"), each.get("type", "")) for each in root.findall("virtual_joint")],
        )


def write_srdf(
    path: str | PathLike[str],
    robot: str,
    groups: Mapping[str, Sequence[str]],
    states: Iterable[tuple[str, str, Mapping[str, float]]],
    pairs: Iterable[tuple[str, str, str]],
) -> None:
    """Write a file. states: names, groups, positions by joint. pairs: two links that ignore each other, and a reason, or ""."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<robot name={quoteattr(robot)}>"]
    for name, joints in groups.items():
        lines.append(f"  <group name={quoteattr(name)}>")
        lines += [*(f"    <joint name={quoteattr(each)}/>" for each in joints), "  </group>"]
    for name, group, positions in states:
        of_group = f" group={quoteattr(group)}" if group else ""
        lines.append(f"  <group_state name={quoteattr(name)}{of_group}>")
        lines += [f'    <joint name={quoteattr(joint)} value="{value!r}"/>' for joint, value in positions.items()]
        lines.append("  </group_state>")
    for a, b, reason in pairs:
        why = f" reason={quoteattr(reason)}" if reason else ""
        lines.append(f"  <disable_collisions link1={quoteattr(a)} link2={quoteattr(b)}{why}/>")
    with new_file(path, ENDING) as stream:
        stream.write("\n".join([*lines, "</robot>", ""]).encode())


def _named(element: Element, name: str) -> Named:
    return Named(attribute(element, name, f"line {element.line}"), element.line)


def _pair(element: Element) -> PairText:
    return PairText((_named(element, "link1"), _named(element, "link2")), element.get("reason", ""))


def _group(element: Element) -> GroupText:
    return GroupText(Named(name_of(element), element.line), list(_members(element)))


def _members(group: Element) -> Iterator[tuple[str, list[Named]]]:
    for each in group:
        if each.tag in _MEMBERS:
            yield each.tag, [_named(each, name) for name in _MEMBERS[each.tag]]


def _state(element: Element) -> StateText:
    positions = [
        (_named(each, "name"), numbers(each, "value", (), f"line {each.line}: joint {each.get('name')!r}"))
        for each in element.findall("joint")
    ]
    return StateText(name_of(element), element.get("group", ""), positions)
