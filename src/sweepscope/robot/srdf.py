"""Give a robot what an SRDF file says of it. Names that the robot does not have are skipped, with a warning."""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from os import PathLike

from .. import checks
from ..errors import InvalidRobot
from ..formats.srdf import GroupText, Named, PairText, SrdfText, StateText, write_srdf
from .joint import rounding_of
from .tree import Link, LinkTree, NamedState

_log = logging.getLogger("sweepscope")

_STEPS = (("x", "y", "turn"), ("x", "y", "z", "yaw", "pitch", "roll"))  # of planar and floating joints


def add_srdf(tree: LinkTree, robot: str, text: SrdfText) -> None:
    """Give a robot the ignored pairs, groups and states of a file; robot: its name in the URDF file."""
    skipped = _Skipped(text)
    if text.robot and robot and text.robot != robot:
        _log.warning("%s: describes the robot %r, the URDF file %r", text.path, text.robot, robot)
    with checks.prefixed(str(text.path)):
        _add_pairs(tree, text, skipped)
        tree.groups = _groups(tree, text, skipped)
        seen: set[tuple[str, str]] = set()
        for state in text.states:
            if (state.name, state.group) in seen:
                _log.warning("%s: state %r of group %r is there twice; the first counts", text.path, state.name, state.group)
            else:
                _add_state(tree, state, f"{text.path}: state {state.name!r}", skipped)
            seen.add((state.name, state.group))
    for joint in text.passive:
        if not _parts(tree, joint.name):
            skipped.add("joint", joint)
    for joint, kind in text.virtual:
        if kind != "fixed":
            _log.warning(
                "%s: line %d: virtual_joint %r (%s) is not read: assign robot.pose, or give the URDF file a joint of this type",
                text.path, joint.line, joint.name, kind,
            )  # fmt: skip
    skipped.warn()


def save_srdf(tree: LinkTree, path: str | PathLike[str]) -> None:
    """Answer `Robot.save_srdf`."""
    reasons = {(a, b): reason for a, b, reason in tree.reason_links()}
    pairs = [(a, b, reasons.get((a, b), "User" if attached else "Adjacent")) for a, b, attached in tree.ignored_links()]
    write_srdf(path, tree.name, tree.groups, tree.states, pairs)


def states_by_key(tree: LinkTree) -> dict[str, dict[str, float]]:
    """Return the states of a robot: by name, or by "group/name" if several groups have a state of the name."""
    counts = Counter(state.name for state in tree.states)
    return {each.name if counts[each.name] == 1 else f"{each.group}/{each.name}": dict(each.positions) for each in tree.states}


class _Skipped:
    """Names in a file that the robot does not have."""

    def __init__(self, text: SrdfText) -> None:
        self._path = text.path
        self._virtual = {joint.name for joint, _ in text.virtual}
        self._names: dict[str, dict[str, int]] = {}

    def add(self, what: str, named: Named) -> None:
        """Note an unknown name; what: "link", "joint" or "group". Virtual joints are not unknown."""
        if what != "joint" or named.name not in self._virtual:
            self._names.setdefault(what, {}).setdefault(named.name, named.line)

    def warn(self) -> None:
        """Log one warning for each kind of names."""
        for what, lines in self._names.items():
            places = ", ".join(f"{name!r} (line {line})" for name, line in lines.items())
            _log.warning("%s: skipped %s that the robot does not have: %s", self._path, f"{what}s", places)


def _add_pairs(tree: LinkTree, text: SrdfText, skipped: _Skipped) -> None:
    """Ignore pairs of links as MoveIt does: those of whole links, then without enabled pairs, then disabled pairs."""
    known = [each.name for each in text.defaults if _known(tree, each, skipped)]
    tree.disable((name, other, "") for name in known for other in tree.links if other != name)
    enabled = [frozenset(tree.links[each.name] for each in pair.links) for pair in _pairs(tree, text.enabled, skipped)]
    tree.enable(enabled)
    disabled = list(_pairs(tree, text.disabled, skipped))
    tree.disable((pair.links[0].name, pair.links[1].name, pair.reason) for pair in disabled)


def _pairs(tree: LinkTree, pairs: Iterable[PairText], skipped: _Skipped) -> Iterator[PairText]:
    """Yield the pairs of two links of the robot."""
    for pair in pairs:
        known = [_known(tree, each, skipped) for each in pair.links]  # both: both may be unknown
        if all(known) and pair.links[0].name != pair.links[1].name:
            yield pair


def _known(tree: LinkTree, link: Named, skipped: _Skipped) -> bool:
    if link.name in tree.links:
        return True
    skipped.add("link", link)
    return False


def _groups(tree: LinkTree, text: SrdfText, skipped: _Skipped) -> dict[str, tuple[str, ...]]:
    """Return the actuated joints of each group, in the order of the robot. Of groups of one name the first counts."""
    texts: dict[str, GroupText] = {}
    for group in text.groups:
        texts.setdefault(group.name.name, group)
    found: dict[str, set[str]] = {}
    inside: dict[str, list[str]] = {}
    for name, group in texts.items():
        found[name], inside[name] = set(), []
        for kind, names in group.members:
            if kind != "group":
                found[name].update(_member_joints(tree, kind, names, skipped))
            elif names[0].name in texts:
                inside[name].append(names[0].name)
            else:
                skipped.add("group", names[0])
    for name in _inner_first(inside, {name: group.name.line for name, group in texts.items()}):
        found[name].update(*(found[other] for other in inside[name]))
    order = tree.actuated()
    return {name: tuple(joint for joint in order if joint in found[name]) for name in texts}


def _inner_first(inside: dict[str, list[str]], lines: dict[str, int]) -> list[str]:
    """Return the groups, each after those that it contains; raise if groups contain each other."""
    order: dict[str, None] = {}
    for top in inside:
        opened = {top: iter(inside[top])} if top not in order else {}
        while opened:  # without recursion: a file may nest them deeply
            name = next(reversed(opened))
            inner = next((each for each in opened[name] if each not in order), None)
            if inner is None:
                order[name] = None
                del opened[name]
            elif inner in opened:
                path = list(opened)
                circle = " -> ".join(map(repr, [*path[path.index(inner) :], inner]))
                raise InvalidRobot(f"line {lines[inner]}: groups contain each other: {circle}")
            else:
                opened[inner] = iter(inside[inner])
    return list(order)


def _member_joints(tree: LinkTree, kind: str, names: list[Named], skipped: _Skipped) -> list[str]:
    """Return the joints of a chain, of a link (the one that carries it), or of a joint's name."""
    if kind == "joint":
        parts = _parts(tree, names[0].name)
        if not parts:
            skipped.add("joint", names[0])
        return parts
    known = [_known(tree, each, skipped) for each in names]  # both of a chain: both may be unknown
    if not all(known):
        return []
    links = [tree.links[each.name] for each in names]
    if kind == "link":
        # The frames of a planar or floating joint belong to it.
        joint = links[0].joint
        return [] if joint is None else _parts(tree, joint.name.rpartition("/")[0]) or [joint.name]
    above = [_joints_above(link) for link in links]
    return [name for name in {**above[0], **above[1]} if (name in above[0]) != (name in above[1])]


def _joints_above(link: Link) -> dict[str, None]:
    """Return the joints from a link to the root."""
    names: dict[str, None] = {}
    here: Link | None = link
    while here is not None:
        if here.joint is not None:
            names[here.joint.name] = None
        here = here.parent
    return names


def _parts(tree: LinkTree, name: str) -> list[str]:
    """Return the robot's joints for a joint of a file: several for a planar or floating one, none if it is unknown."""
    if name in tree.joints:
        return [name]
    rows = ([f"{name}/{step}" for step in steps] for steps in _STEPS)
    return next((row for row in rows if all(joint in tree.joints for joint in row)), [])


def _add_state(tree: LinkTree, state: StateText, where: str, skipped: _Skipped) -> None:
    """Add a state: values of actuated joints, those beyond limits clamped, with a warning."""
    given: dict[str, float] = {}
    for joint, values in state.positions:
        parts = _parts(tree, joint.name)
        if not parts:
            skipped.add("joint", joint)
            continue
        if len(parts) == 6 and len(values) == 7:
            values = [*values[:3], *_angles(*values[3:])]
        if len(values) != len(parts):
            wanted = {1: "1", 3: "3: x y turn", 6: "7: x y z qx qy qz qw"}[len(parts)]
            raise InvalidRobot(
                f"line {joint.line}: joint {joint.name!r} has {checks.amount(len(values), 'value')}; accepted: {wanted}"
            )
        given |= zip(parts, values, strict=True)
    positions = {name: _within(tree, name, given[name], where) for name in tree.actuated() if name in given}
    if positions or not state.positions:
        tree.states.append(NamedState(state.name, state.group, positions))


def _within(tree: LinkTree, name: str, value: float, where: str) -> float:
    """Return a value clamped to the limits of a joint and its followers."""
    low, high = tree.reach(name)
    within = min(max(value, low), high)
    if abs(value - within) > rounding_of(tree.joint(name), value):
        _log.warning("%s: joint %r is %.9g, beyond %.9g to %.9g; it is %.9g here", where, name, value, low, high, within)
    return within


def _angles(x: float, y: float, z: float, w: float) -> tuple[float, float, float]:
    """Return yaw, pitch and roll of a quaternion, which need not be of length 1."""
    size = math.sqrt(x * x + y * y + z * z + w * w)
    if size == 0.0:
        return 0.0, 0.0, 0.0
    x, y, z, w = x / size, y / size, z / size, w / size
    pitch = math.asin(min(max(2.0 * (w * y - z * x), -1.0), 1.0))
    yaw = math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    return yaw, pitch, math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
