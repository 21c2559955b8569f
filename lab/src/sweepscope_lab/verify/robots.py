"""Compare sweeps of a robot's joints with static checks after every small step, and count wrong answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from sweepscope import Body, Joint, LinkHit, Robot, Scene, SweepscopeError

from ..reference.robot_cases import RobotCase, make
from ..reference.robots import STEPS, FirstContact, RobotQuestion, encloses, first_contact, placed, poses, room_at, size, speed

GAP_LIMIT = 1e-8
"""Largest gap at the reported contact of one joint [share of the pieces' size]; for several, beyond the bound."""
DEEP = 1e-9
"""Pieces nearer than contact by this much, or crossing, are certainly in contact [share of the pieces' size]."""
VALUE_ERROR = 1e-12
"""Largest error of the values at the contact, as a share of the joints' values and travel."""
RATES = {"joint": (0.3, 0.7), "several": (0.3, 0.8)}
"""Accepted share of hits; cases that hit less or more often prove little."""
_LADDER = 60  # times tested between a contact and a later answer

Asker = Callable[[RobotCase, Robot], "LinkHit | None"]


@dataclass(frozen=True, slots=True)
class RobotVerdict:
    """A case, its answer, and what is wrong with it."""

    case: RobotCase
    time: float | None
    """The answer: share of the motion, None for free."""
    truth: FirstContact | None
    """The reference's answer."""
    gap: float
    """Distance of the named pair at the reported contact, beyond contact and bound [share of the size]."""
    early: float
    """How much earlier than the truth the answer is [share of the motion]; 0 if one of the two is free."""
    graze: bool
    """The two come within rounding and no nearer: both answers are accepted."""
    begun: bool
    """Several joints only: nearer than the bound from the start, and no deeper than the bound; both answers are accepted."""
    wrong: tuple[str, ...]
    """Each fault in words."""


def build(case: RobotCase, scene: Scene | None = None) -> tuple[Robot, list[Body]]:
    """Return the robot of a case at its start, and the obstacles."""
    scene = Scene() if scene is None else scene
    robot = Robot(scene, case.base)
    for link in case.links:
        joint, parent = None, None
        if link.parent >= 0:
            parent, name = case.links[link.parent].name, joint_name(case, case.links.index(link))
            if link.kind == "fixed":
                joint = Joint.fixed(name, origin=link.at)
            else:
                mimic = None
                if link.follows is not None:
                    mimic = (joint_name(case, link.follows[0]), *link.follows[1:])
                kind = Joint.revolute if link.kind == "revolute" else Joint.prismatic
                joint = kind(name, link.axis, origin=link.at, limits=link.limits, mimic=mimic)
        robot.add(link.name, link.shapes or None, parent=parent, joint=joint)
    for a, b in case.ignored:
        robot.ignore(case.links[a].name, case.links[b].name)
    for a, b in case.not_ignored:
        robot.unignore(case.links[a].name, case.links[b].name)
    moving = [k for k, link in enumerate(case.links) if link.kind != "fixed" and link.follows is None]
    robot.positions = {joint_name(case, k): float(case.values[k]) for k in moving}
    things = [scene.add(shape, pose, name=f"obstacle {n}") for n, (shape, pose) in enumerate(case.obstacles)]
    return robot, things


def joint_name(case: RobotCase, link: int) -> str:
    """Return the name of the joint that carries a link."""
    return f"joint of {case.links[link].name}"


def ask(case: RobotCase, robot: Robot) -> LinkHit | None:
    """Sweep the robot as the case asks."""
    targets = {joint_name(case, link): value for link, value in case.targets.items()}
    if case.question == "joint":
        ((joint, to),) = targets.items()
        return robot.sweep(joint, to=to, margin=case.margin, resting=case.resting)
    return robot.sweep(targets, margin=case.margin, resting=case.resting, accuracy=case.accuracy)


def judge(case: RobotCase, asker: Asker = ask) -> RobotVerdict:
    """Sweep a case and compare the answer with the reference."""
    robot, _ = build(case)
    hit = asker(case, robot)
    question = case.to_question()
    truth = first_contact(question)
    if hit is None:
        graze = truth is not None and _grazes(question, truth)
        begun = truth is not None and _near_from_start(case, question, truth, 1.0)
        wrong = () if truth is None or graze or begun else ("missed",)
        return RobotVerdict(case, None, truth, 0.0, 0.0, graze, begun, wrong)
    pair = _named_pair(case, question, hit)
    if pair is None:
        return RobotVerdict(case, hit.time, truth, 0.0, 0.0, False, False, ("named no pair that may meet",))
    wrong, scale = [], size(question, pair)
    room, crossing = room_at(question, pair, hit.time)
    inside = hit.time == 0.0 and encloses(question, pair)
    gap = 0.0 if crossing or inside else max(room - hit.bound, 0.0) / scale
    if gap > GAP_LIMIT:
        wrong.append("named a pair that is apart" if truth is not None and truth.time <= hit.time else "early")
    if truth is not None:
        wrong += _time_faults(case, question, hit, truth)
    elif hit.overlapping:
        wrong.append("overlapping")
    if hit.bound > (0.0 if case.question == "joint" else np.inf if case.accuracy is None else case.accuracy):
        wrong.append("bound")
    wrong += _value_faults(case, robot, hit)
    graze = truth is None and case.question == "joint" and gap <= GAP_LIMIT
    early = 0.0 if truth is None else max(truth.time - hit.time, 0.0)
    return RobotVerdict(case, hit.time, truth, gap, early, graze, False, tuple(wrong))


def _time_faults(case: RobotCase, question: RobotQuestion, hit: LinkHit, truth: FirstContact) -> list[str]:
    """Return what is wrong with the time of a hit."""
    wrong = []
    if hit.overlapping is not truth.overlapping and truth.time == 0.0:
        wrong.append("overlapping")
    if hit.overlapping and (hit.time > 0.0 or truth.time > 0.0):
        wrong.append("overlapping later")
    if _late(question, truth, hit.time):
        wrong.append("late")
    # To the step, in spite of rounding: the simplest check of all.
    if case.question == "joint" and truth.step is not None and hit.time > truth.step / STEPS:
        wrong.append("after the step that shows it")
    return wrong


def _late(question: RobotQuestion, truth: FirstContact, time: float) -> bool:
    """True if the two are certainly in contact before a time."""
    rate = speed(question, truth.pair)
    until = time - 2.0 * GAP_LIMIT * size(question, truth.pair) / rate
    if until <= truth.time:
        return False
    # A pair too thin for a visible crossing has had enough time.
    return until - truth.time > 1e-4 or _deep(question, truth, until)


def _deep(question: RobotQuestion, truth: FirstContact, until: float) -> bool:
    """True if the two enter each other between their first touch and a time."""
    limit = -DEEP * size(question, truth.pair)
    for share in np.geomspace(1e-9, 1.0, _LADDER):
        room, crossing = room_at(question, truth.pair, truth.time + share * (until - truth.time))
        if crossing or room < limit:
            return True
    return False


def _near_from_start(case: RobotCase, question: RobotQuestion, truth: FirstContact, time: float) -> bool:
    """True if the two are nearer than the bound of several joints up to contact, and no deeper than it until a time."""
    if case.question != "several" or truth.overlapping:
        return False
    bound = case.accuracy
    if bound is None:
        # The library's default: a share of the robot's bounding box, world.
        corners = [placed(question, k, poses(question.links, question.start, case.base)) for k in range(len(question.pieces))]
        own = [each.reshape(-1, 3) for each, piece in zip(corners, question.pieces, strict=True) if piece.link >= 0]
        thick = max(piece.radius for piece in question.pieces if piece.link >= 0)
        bound = 1e-4 * (float(np.linalg.norm(np.ptp(np.concatenate(own), axis=0))) + 4.0 * thick)
    before = (room_at(question, truth.pair, t)[0] for t in np.linspace(0.0, truth.time, 20))
    if any(room > 2.0 * bound for room in before):
        return False
    for t in np.linspace(truth.time, time, _LADDER):
        room, crossing = room_at(question, truth.pair, t)
        # The depth of crossing faces is unknown; it is at most what they moved since they touched.
        if room < -bound or (crossing and (t - truth.time) * speed(question, truth.pair) > bound):
            return False
    return True


def _grazes(question: RobotQuestion, truth: FirstContact) -> bool:
    """True if the two touch and separate again without entering each other."""
    if truth.time == 0.0 and truth.overlapping:
        return False
    rate, scale = speed(question, truth.pair), size(question, truth.pair)
    until = min(1.0, truth.time + 1e-3 * scale / rate)
    after, _ = room_at(question, truth.pair, until)
    return not _deep(question, truth, until) and after > 0.0 and not _thin(question, truth.pair)


def _thin(question: RobotQuestion, pair: int) -> bool:
    """True if no crossing can be seen: one of the two is points, without thickness."""
    kinds = [question.pieces[k] for k in question.pairs[pair]]
    flat = any((piece.faces == piece.faces[:, :1]).all() for piece in kinds)
    return flat and sum(piece.radius for piece in kinds) + question.margin == 0.0


def _named_pair(case: RobotCase, question: RobotQuestion, hit: LinkHit) -> int | None:
    """Return the pair that a hit names; None if it must not meet, or if link, other link and bodies disagree."""
    names = {name: k for k, name in enumerate(case.names)}
    mover = names.get(_case_name(hit.mover, hit.link))
    other = names.get((hit.obstacle.name, 0) if hit.obstacle_link is None else _case_name(hit.obstacle, hit.obstacle_link))
    if mover is None or other is None:
        return None
    pair = (min(mover, other), max(mover, other))
    return question.pairs.index(pair) if pair in question.pairs else None


def _case_name(body: Body, link: str) -> tuple[str, int]:
    """Return (link, index of the shape) of a body; bodies are named "robot/link", "robot/link 1" ..."""
    rest = body.name.removeprefix(f"robot/{link}")
    return link, int(rest or 0)


def _value_faults(case: RobotCase, robot: Robot, hit: LinkHit) -> list[str]:
    """Return what is wrong with the reported values; moves the robot there."""
    wrong = []
    true = (1.0 - hit.time) * case.values + hit.time * case.end
    moved = {joint_name(case, k): float(true[k]) for k in range(len(case.links)) if case.values[k] != case.end[k]}
    wide = float(np.abs(case.end - case.values).max()) + float(np.abs(case.values).max())
    asked = {joint_name(case, k) for k in case.targets}
    if not asked & set(moved) <= set(hit.positions):
        wrong.append("values of other joints")
    if any(abs(value - moved.get(name, value)) > VALUE_ERROR * wide for name, value in hit.positions.items()):
        wrong.append("values")
    try:
        robot.positions = hit.positions
    except SweepscopeError as error:
        return [*wrong, f"values rejected: {error}"]
    now = robot.positions
    if any(abs(now[name] - value) > VALUE_ERROR * wide for name, value in moved.items()):
        wrong.append("values give another pose")
    return wrong


def judge_robots(question: str, count: int, seed: int = 0) -> Iterator[RobotVerdict]:
    """Judge `count` cases of a question."""
    for number in range(count):
        yield judge(make(question, seed * 1_000_000 + number))


def wording(verdict: RobotVerdict) -> str:
    """Return a wrong case in one line."""
    case, truth = verdict.case, verdict.truth
    answer = "free" if verdict.time is None else f"{verdict.time:.9g}"
    true = "free" if truth is None else f"{truth.time:.9g}"
    return f"{case.question}, seed {case.seed}: {', '.join(verdict.wrong)}; answered {answer}, it is {true}"


@dataclass(slots=True)
class RobotTally:
    """Counts for cases of one question."""

    kind: str
    cases: int = 0
    hits: int = 0
    """By the reference."""
    at_start: int = 0
    own: int = 0
    """Hits between links."""
    fleeting: int = 0
    """Hits that a static check of 10,000 steps misses."""
    near: int = 0
    """Hits of near misses: accepted within the bound of several joints."""
    grazes: int = 0
    begun: int = 0
    """Late or missing answers that are accepted: nearer than the bound from the start, and no deeper than the bound."""
    missed: int = 0
    late: int = 0
    wrong: int = 0
    worst_gap: float = 0.0
    worst_early: float = 0.0


def tally_robots(kind: str, verdicts: Iterable[RobotVerdict]) -> RobotTally:
    """Add verdicts up."""
    row = RobotTally(kind)
    for verdict in verdicts:
        truth = verdict.truth
        row.cases += 1
        row.grazes += verdict.graze
        row.begun += verdict.begun
        row.missed += "missed" in verdict.wrong
        row.late += "late" in verdict.wrong
        row.wrong += bool(verdict.wrong)
        row.near += truth is None and verdict.time is not None
        row.worst_gap = max(row.worst_gap, verdict.gap)
        row.worst_early = max(row.worst_early, verdict.early)
        if truth is not None:
            asked = verdict.case.to_question()
            row.hits += 1
            row.at_start += truth.time == 0.0
            row.fleeting += truth.step is None
            row.own += min(asked.pieces[k].link for k in asked.pairs[truth.pair]) >= 0
    return row
