"""Sweeps of a robot's joints: one exactly; several at once in steps that are certain to within a bound."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from . import checks
from .errors import InvalidQuery
from .joint_course import FINE, Course, ball_round, chains_of, hiding, link_hit, rows_of
from .motion import Translate
from .results import Hit, LinkHit
from .surface import refresh
from .sweep import Places, check_tolerance, skips_of, surfaces_meet

if TYPE_CHECKING:
    from .robot import Robot
    from .scene import Body

_REST = Translate((0.0, 0.0, 0.0))


def sweep(
    robot: Robot, targets: Mapping[str, float], *, margin: float, resting: str, ignore: Iterable[Body], within: float | None
) -> LinkHit | None:
    """Answer `Robot.sweep`; targets: values, checked, of the joints that are asked for and of those that follow."""
    scene = robot.scene
    gap = checks.length(margin, "margin", InvalidQuery)
    closed = checks.choice(resting, "resting", ("free", "hit")) == "hit"
    if within is not None and checks.length(within, "within", InvalidQuery) == 0.0:
        raise InvalidQuery("within is 0; several joints are followed in steps, which are not exact: give a length")
    passed = tuple(scene._check_all(ignore, "ignore"))
    changes = {name: to - robot._values[name] for name, to in targets.items() if to != robot._values[name]}
    if len(changes) > 1:
        return Course(robot, targets, changes, gap, closed, passed, within).first()
    links = {link.name: link for name in changes or targets for link in robot.below(name)} if targets else robot.links
    movers = [body for link in links.values() for body in link.bodies]
    motion = _REST
    for name in changes:
        motion = robot.motion(name, targets[name])
    hit = scene.sweep(movers, motion, margin=margin, resting=resting, ignore=passed) if movers else None
    if hit is None and not changes:
        # As they stand, what hangs on several joints may be in its own way.
        hit = next(_own_contacts(robot, targets or robot._values, gap, closed, passed), None)
    return None if hit is None else link_hit(robot, hit, targets, changes, hit.time, 0.0)


def overlapping_links(robot: Robot) -> list[tuple[str, str]]:
    """Answer `Robot.overlaps`."""
    found = (
        link_hit(robot, hit, {}, {}, 0.0, 0.0) for hit in _own_contacts(robot, robot._values, 0.0, False, ()) if hit.overlapping
    )
    return [(hit.other or "", hit.link) for hit in found]


def _own_contacts(
    robot: Robot, joints: Mapping[str, float], gap: float, closed: bool, passed: tuple[Body, ...]
) -> Iterator[Hit]:
    """Yield a contact of every two links that some joints can move against each other, and that touch as they stand."""
    scene, links = robot.scene, [link for link in robot.links.values() if link.bodies]
    refresh(scene)
    chains = chains_of(robot, joints)
    world = set(range(len(scene._rows)))
    balls = [ball_round(scene._boxes, rows_of(link.bodies)) for link in links]
    for k, link in enumerate(links):
        rows, skips = rows_of(link.bodies), skips_of(scene, list(link.bodies), passed)
        check_tolerance(scene, rows)
        for other, (*middle, radius) in zip(links[:k], balls, strict=False):
            *here, size = balls[k]
            near = math.dist(here, middle) <= (1.0 + FINE) * (size + radius) + gap
            if near and chains[link._number] != chains[other._number]:
                hidden = sorted(world - {*rows.tolist(), *rows_of(other.bodies).tolist()})
                places = Places(scene._poses, hiding(scene._boxes, hidden))
                hit = surfaces_meet(scene, places, list(link.bodies), rows, _REST, gap, closed, skips)
                if hit is not None:
                    yield hit
