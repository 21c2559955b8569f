"""Robots in the file of a scene: as plain values, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .. import checks
from ..errors import InvalidPose, InvalidQuery, InvalidRobot, SweepscopeError
from ..saved.fields import Fields
from ..saved.robots import Registration, register
from ..world.body import Entry
from ..world.store import Store
from .joint import Joint, checked_name, exact_joint, rounding_of
from .robot import Robot, robot_of, tree_of
from .tree import Link, LinkTree, NamedState

_APART = 1e-9  # a body may be this far from where its link puts it, relative to the largest coordinate of the robot: rounding


def describe(robot: Robot, places: Mapping[int, int]) -> dict[str, Any]:
    """Return a robot as plain values; places: of bodies in the file, by id."""
    tree = tree_of(robot)
    return {
        "name": tree.name,
        "pose": tree.root.tolist(),
        "links": [_link_to_dict(tree, link, places) for link in tree.links.values()],
        "joined_links": [(a, b) for a, b, with_attached in tree.ignored_links() if not with_attached],
        "ignored_links": [(a, b) for a, b, with_attached in tree.ignored_links() if with_attached],
        **{key: value for key, value in _semantics_to_dict(tree).items() if value},
    }


def _semantics_to_dict(tree: LinkTree) -> dict[str, Any]:
    return {
        "ignore_reasons": tree.reason_links(),
        "joint_groups": [{"name": name, "joints": joints} for name, joints in tree.groups.items()],
        "states": [each._asdict() for each in tree.states],
    }


def _link_to_dict(tree: LinkTree, link: Link, places: Mapping[int, int]) -> dict[str, Any]:
    return {
        "name": link.name,
        "parent": None if link.parent is None else link.parent.name,
        "joint": None if link.joint is None else _joint_to_dict(link.joint, tree.values.get(link.joint.name)),
        "bodies": [
            {"body": places[entry.id], "pose": local.tolist(), **({"attached": True} if entry in tree.attached else {})}
            for entry, local in tree.pieces[link]
        ],
    }


def _joint_to_dict(joint: Joint, value: float | None) -> dict[str, Any]:
    return {
        "name": joint.name,
        "kind": joint.kind,
        "axis": joint.axis,
        "pose": joint.origin.tolist(),
        "limits": [limit if math.isfinite(limit) else None for limit in joint.limits],
        "mimic": joint.mimic,
        "value": value,
    }


def restore(store: Store, fields: Fields, entries: Sequence[Entry]) -> None:
    """Make a robot of bodies that are in the store, in the order of the file."""
    name = checked_name(fields.value("name"), f"{fields.where}.name")
    try:
        if name in store.robots:
            raise InvalidRobot("there are two of this name; names of robots are unique")
        tree = LinkTree(store, fields.pose("pose"), name)
        links = fields.objects("links")
        for each in links:
            _add_link(tree, each)
        if not tree.links:
            raise InvalidRobot("has no links")
        largest = max(float(np.abs(pose[:3, 3]).max()) for pose in tree.poses.values())
        for link, each in zip(tree.links.values(), links, strict=True):
            for piece in each.objects("bodies"):
                _carry(tree, link, _free(entries[piece.whole("body", len(entries))]), piece, largest)
        for key, with_attached in (("joined_links", False), ("ignored_links", True)):
            tree.ignored |= dict.fromkeys(_pairs(tree, fields, key), with_attached)
        _restore_semantics(tree, fields)
        robot_of(Robot, tree)
    except SweepscopeError as error:
        raise InvalidRobot(f"robot {name!r}: {error}") from None


def _add_link(tree: LinkTree, fields: Fields) -> None:
    """Add a link, without its bodies."""
    joint = _joint_from_dict(Fields(fields.value("joint"), fields.place("joint"))) if "joint" in fields else None
    name, above = tree.check_link(fields.text("name"), fields.value("parent", None), joint)
    link = Link(tree, name, above, joint)
    value = 0.0 if joint is None else _value(tree, joint, Fields(fields.value("joint"), fields.place("joint")))
    pose = tree.add(link, value)
    if not np.abs(pose[:3, 3]).max() <= checks.LARGEST:
        raise InvalidPose(f"link {name!r} would be at {pose[:3, 3]}; accepted: up to {checks.LARGEST:g}")


def _joint_from_dict(fields: Fields) -> Joint:
    kind = fields.text("kind")
    limits = fields.items("limits")
    if len(limits) != 2:
        raise InvalidRobot(f"{fields.place('limits')}: expected the lowest and the highest value, or null")
    low, high = (limit if limit is not None else end for limit, end in zip(limits, (-math.inf, math.inf), strict=True))
    axis, at = fields.value("axis"), fields.pose("pose")
    return exact_joint(fields.text("name"), kind, axis, at, (low, high), fields.value("mimic", None))


def _value(tree: LinkTree, joint: Joint, fields: Fields) -> float:
    """Return the checked value of a joint; 0 if it is fixed."""
    if joint.kind == "fixed":
        return 0.0
    value = checks.number(fields.value("value"), fields.place("value"), InvalidQuery)
    low, high = joint.limits
    if not (low <= value <= high and abs(value) <= checks.LARGEST):
        raise InvalidQuery(f"position of joint {joint.name!r} is {value:.9g}; accepted: {low:.9g} to {high:.9g}")
    if joint.mimic is not None:
        leader, factor, offset = joint.mimic
        due = factor * tree.values[leader] + offset
        if not abs(value - due) <= rounding_of(joint, abs(due) + abs(offset)):
            raise InvalidQuery(
                f"position of joint {joint.name!r} is {value:.9g}, but it follows {leader!r}, which puts it at {due:.9g}"
            )
    return value


def _free(entry: Entry) -> Entry:
    """Return a body that a link may have, and no other link has."""
    if entry.holder:
        raise InvalidQuery(f"body {entry.name!r} is already a part of robot {entry.holder!r}")
    if entry.volume is not None:
        raise InvalidQuery(f"body {entry.name!r} is a Volume; a link can carry every other shape")
    return entry


def _carry(tree: LinkTree, link: Link, entry: Entry, fields: Fields, largest: float) -> None:
    """Give a link a body; raise if it is not where the link puts it: it would jump when a joint moves.

    largest: coordinate of a link [length], world.
    """
    local = fields.pose("pose")
    off = np.abs(tree.poses[link] @ local - entry.pose)
    far = max(largest, float(np.abs(local[:3, 3]).max()))
    if not (off[:3, :3].max() <= _APART and off[:3, 3].max() <= _APART * far):
        raise InvalidPose(f"body {entry.name!r} is not where link {link.name!r} puts it, but {off.max():.3g} away")
    tree.carry(link, entry, local, attached=checks.flag(fields.value("attached", False), fields.place("attached")))


def _pairs(tree: LinkTree, fields: Fields, key: str) -> list[frozenset[Link]]:
    """Return pairs of links, given by name."""
    pairs = []
    for k, pair in enumerate(fields.items(key)):
        known = isinstance(pair, list) and len(pair) == 2 and all(isinstance(name, str) for name in pair)
        if not known or pair[0] == pair[1] or not all(name in tree.links for name in pair):
            raise InvalidRobot(f"{fields.place(key)}[{k}] is {checks.shown(pair)}; expected the names of two links")
        pairs.append(frozenset(tree.links[name] for name in pair))
    return pairs


def _restore_semantics(tree: LinkTree, fields: Fields) -> None:
    """Restore what an SRDF file said."""
    for k, each in enumerate(fields.items("ignore_reasons")):
        place = f"{fields.place('ignore_reasons')}[{k}]"
        if not isinstance(each, list) or len(each) != 3 or not all(isinstance(text, str) for text in each):
            raise InvalidRobot(f"{place} is {checks.shown(each)}; expected the names of two links, and a reason")
        pair = frozenset(tree.links[name] for name in each[:2] if name in tree.links)
        if pair not in tree.ignored:
            raise InvalidRobot(f"{place} is {checks.shown(each)}; these links do not ignore each other")
        tree.reasons[pair] = each[2]
    known = set(tree.actuated())
    for group in fields.objects("joint_groups"):
        joints = group.items("joints")
        for joint in joints:
            _check_actuated(known, joint, group.place("joints"))
        tree.groups[group.text("name")] = tuple(joints)
    for state in fields.objects("states"):
        values = Fields(state.value("positions"), state.place("positions"))
        positions = {}
        for joint in state.value("positions"):
            _check_actuated(known, joint, state.place("positions"))
            positions[joint] = checks.number(values.value(joint), values.place(joint), InvalidQuery)
            low, high = tree.reach(joint)
            if not (low <= positions[joint] <= high and abs(positions[joint]) <= checks.LARGEST):
                raise InvalidQuery(f"{values.place(joint)} is {positions[joint]:.9g}; accepted: {low:.9g} to {high:.9g}")
        tree.states.append(NamedState(state.text("name"), state.text("group"), positions))


def _check_actuated(known: set[str], joint: Any, place: str) -> None:
    if not isinstance(joint, str) or joint not in known:
        raise InvalidRobot(f"{place}: {checks.shown(joint)} is not a joint that can be moved")


register(Registration(describe, restore))
