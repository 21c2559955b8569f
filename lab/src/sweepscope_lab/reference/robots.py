"""Robots by brute force: poses of links, and a static check after every small step of a motion of joints.

A robot is a list of (parent, kind, axis, at). If two pieces are d apart and come nearer by at most v in a step, they are free
for the next d / v steps; skipping those gives the same answer as testing all. Where two steps do not prove what happens
between them, halving does, down to rounding.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .nearest import balls, corner_inside, soup_distance

Array = NDArray[np.float64]

STEPS = 10_000
"""Steps of the static check."""
SLACK = 1e-11
"""Room that counts as touching [share of the size]."""
TOUCHING = 1e-9
"""Things inside each other by less than this only touch [share of the size]."""
_MOST_HALVINGS = 20_000


class JointSpec(NamedTuple):
    """The joint between a link and its parent."""

    parent: int
    """Index of an earlier link; -1 for the root."""
    kind: str
    """revolute, prismatic or fixed."""
    axis: Array
    """Unit vector in the link's own frame, shape (3,)."""
    at: Array
    """Pose of that frame on the parent at value 0, shape (4, 4)."""


class LinkPiece(NamedTuple):
    """A body: faces of a link, or of an obstacle."""

    link: int
    """Index of the link; -1 for an obstacle."""
    faces: Array
    """Shape (n, 3, 3) [length], in the link's frame; for an obstacle, in the root's frame."""
    radius: float
    """Thickness round the faces [length]."""
    solid: bool
    """True if it is closed: it has an inside."""


@dataclass(frozen=True, slots=True)
class RobotQuestion:
    """A motion of joints, in the frame of the root; distances are the same as in the world."""

    links: tuple[JointSpec, ...]
    start: Array
    """Joint values of all links, 0 for fixed joints, shape (n,): [radians] or [length]."""
    end: Array
    pieces: tuple[LinkPiece, ...]
    pairs: tuple[tuple[int, int], ...]
    """Pairs of pieces that must not meet, by index."""
    margin: float
    """A smaller distance counts as contact [length]."""


class StaticCheck(NamedTuple):
    """Result of a static check."""

    step: int | None
    """First step in contact, 0 at the start; None if there is none. The step before is free."""
    pairs: tuple[int, ...]
    """Pairs in contact at that step, by index into `RobotQuestion.pairs`."""
    doubtful: tuple[tuple[int, int], ...]
    """(pair, step): the two may have met and separated again between that step and the next."""


class FirstContact(NamedTuple):
    """First contact, exact to rounding."""

    time: float
    """Share of the motion; before it, the motion is proved free."""
    pair: int
    """Index into `RobotQuestion.pairs`."""
    overlapping: bool
    """True if the two overlap at the start, by more than touching."""
    step: int | None
    """The step of the static check that shows the contact; None if it ends before the next step."""


def rotation_matrix(axis: Array, angle: float) -> Array:
    """Return the rotation about a unit axis, shape (3, 3), from its quaternion."""
    w, half = math.cos(0.5 * angle), math.sin(0.5 * angle)
    x, y, z = (half * float(each) for each in axis)
    return np.array(
        (
            (w * w + x * x - y * y - z * z, 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
            (2.0 * (x * y + w * z), w * w - x * x + y * y - z * z, 2.0 * (y * z - w * x)),
            (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), w * w - x * x - y * y + z * z),
        )
    )


def poses(links: Sequence[JointSpec], values: Array, base: Array | None = None) -> list[Array]:
    """Return the pose of every link, shape (4, 4), in the frame of `base`; by default in the root's frame."""
    found: list[Array] = []
    for link, value in zip(links, values, strict=True):
        if link.parent < 0:
            found.append(np.eye(4) if base is None else np.asarray(base, float))
            continue
        above = found[link.parent]
        pose = np.eye(4)
        pose[:3, :3] = above[:3, :3] @ link.at[:3, :3]
        pose[:3, 3] = above[:3, :3] @ link.at[:3, 3] + above[:3, 3]
        if link.kind == "prismatic":
            pose[:3, 3] += pose[:3, :3] @ (value * link.axis)
        elif link.kind == "revolute":
            pose[:3, :3] = pose[:3, :3] @ rotation_matrix(link.axis, value)
        found.append(pose)
    return found


def values_at(question: RobotQuestion, t: float) -> Array:
    """Return the joint values at a share of the motion."""
    return (1.0 - t) * question.start + t * question.end


def chain(links: Sequence[JointSpec], link: int) -> list[int]:
    """Return a link and all links above it, without the root; nothing for an obstacle."""
    found = []
    while link >= 0 and links[link].parent >= 0:
        found.append(link)
        link = links[link].parent
    return found


def moving_joints(question: RobotQuestion, a: int, b: int) -> tuple[list[int], list[int]]:
    """Return the links whose joints move two pieces against each other: above the one and not above the other."""
    one, two = (chain(question.links, question.pieces[k].link) for k in (a, b))
    moving = question.start != question.end
    return [k for k in one if k not in two and moving[k]], [k for k in two if k not in one and moving[k]]


def size(question: RobotQuestion, pair: int) -> float:
    """Return the larger extent of two pieces [length]; gaps are shares of it."""
    pieces = [question.pieces[k] for k in question.pairs[pair]]
    extents = [float(np.linalg.norm(np.ptp(p.faces.reshape(-1, 3), axis=0))) + 2.0 * p.radius for p in pieces]
    return max(max(extents), 1e-300)


def speed(question: RobotQuestion, pair: int) -> float:
    """Return the highest speed at which two pieces approach each other [length per motion]."""
    a, b = question.pairs[pair]
    return sum(_rate(question, k, movers) for k, movers in zip((a, b), moving_joints(question, a, b), strict=True))


def _rate(question: RobotQuestion, piece: int, joints: list[int]) -> float:
    """Return the highest speed of a piece if only these joints move, in order from the piece up."""
    links = question.links
    rate, carried = 0.0, question.pieces[piece].link
    points = question.pieces[piece].faces.reshape(-1, 3)
    reach = 0.0  # largest distance of the piece from `points`, which stand for the joint below
    for joint in joints:
        change = abs(question.end[joint] - question.start[joint])
        # Everything between two moving joints is rigid: bring the points into this joint's frame.
        points = _carried(question, points, carried, joint)
        if links[joint].kind == "revolute":
            arms = np.linalg.norm(np.cross(points, links[joint].axis), axis=1).max()
            rate += change * (float(arms) + reach)
            reach += float(np.linalg.norm(points, axis=1).max())
            points = np.zeros((1, 3))
        else:
            rate += change
            ends = [values * links[joint].axis for values in (question.start[joint], question.end[joint])]
            points = np.concatenate([points + end for end in ends])
        # From here on the points belong to the joint's value 0; for a prismatic joint both ends of its travel are included.
        above = links[joint].at
        points, carried = points @ above[:3, :3].T + above[:3, 3], links[joint].parent
    return rate


def _carried(question: RobotQuestion, points: Array, link: int, until: int) -> Array:
    """Return points of a link's frame in the frame of a link above, across joints that do not move."""
    while link != until:
        joint, value = question.links[link], question.start[link]
        if joint.kind == "revolute":
            points = points @ rotation_matrix(joint.axis, value).T
        elif joint.kind == "prismatic":
            points = points + value * joint.axis
        points, link = points @ joint.at[:3, :3].T + joint.at[:3, 3], joint.parent
    return points


def placed(question: RobotQuestion, piece: int, where: Sequence[Array]) -> Array:
    """Return the faces of a piece, shape (n, 3, 3), with links at these poses."""
    link, faces = question.pieces[piece].link, question.pieces[piece].faces
    return faces if link < 0 else faces @ where[link][:3, :3].T + where[link][:3, 3]


def thickness(question: RobotQuestion, pair: int) -> float:
    """Return the distance of faces that counts as contact [length]: radii and margin."""
    return sum(question.pieces[k].radius for k in question.pairs[pair]) + question.margin


def room_at(question: RobotQuestion, pair: int, t: float) -> tuple[float, bool]:
    """Return the distance of two pieces beyond contact [length], and whether their faces cross."""
    where = poses(question.links, values_at(question, t))
    least, crossing, _ = soup_distance(*(placed(question, k, where) for k in question.pairs[pair]))
    return least - thickness(question, pair), crossing


def encloses(question: RobotQuestion, pair: int, t: float = 0.0) -> bool:
    """True if a corner of one piece is inside the other, a solid, by more than touching."""
    a, b = question.pairs[pair]
    solids = [(holder, held) for holder, held in ((a, b), (b, a)) if question.pieces[holder].solid]
    if not solids:
        return False
    where = poses(question.links, values_at(question, t))
    touching = TOUCHING * size(question, pair)
    for holder, held in solids:
        if corner_inside(placed(question, held, where).reshape(-1, 3), placed(question, holder, where), touching):
            return True
    return False


def overlaps(question: RobotQuestion, pair: int) -> bool:
    """True if two pieces overlap at the start, or are nearer than the margin, by more than touching."""
    where = poses(question.links, question.start)
    (one, wide), (two, reach) = (balls(placed(question, k, where).reshape(1, -1, 3)) for k in question.pairs[pair])
    if float(np.linalg.norm(one - two)) > float(wide[0] + reach[0]) + thickness(question, pair):
        return False
    room, crossing = room_at(question, pair, 0.0)
    return crossing or room < -TOUCHING * size(question, pair) or encloses(question, pair)


def static_check(question: RobotQuestion, steps: int = STEPS) -> StaticCheck:
    """Test all pairs after each of `steps` equal steps; skip steps that are proved free. Insides count at the start only."""
    rates = [speed(question, pair) / steps for pair in range(len(question.pairs))]
    spheres = [balls(piece.faces.reshape(1, -1, 3)) for piece in question.pieces]
    cores = [thickness(question, pair) for pair in range(len(question.pairs))]
    waiting = [(0, pair) for pair in range(len(question.pairs))]  # (step, pair): proved free up to there
    before: dict[int, float] = {}  # by pair that was tested one step ago: its distance then
    doubtful: list[tuple[int, int]] = []
    met: list[int] = []
    at, where = -1, poses(question.links, question.start)
    while waiting:
        step, pair = heapq.heappop(waiting)
        if step > steps or (met and step > at):
            break
        if step != at:
            at, where = step, poses(question.links, values_at(question, step / steps))
        a, b = question.pairs[pair]
        one, two = (_placed_ball(question, k, spheres[k], where) for k in (a, b))
        far = float(np.linalg.norm(one[0] - two[0])) - one[1] - two[1] - cores[pair]
        if far > 0.3 * (one[1] + two[1]):
            room, contact = far, False
        else:
            least, crossing, _ = soup_distance(placed(question, a, where), placed(question, b, where))
            room = least - cores[pair]
            contact = crossing or room <= 0.0 or (step == 0 and encloses(question, pair))
        if pair in before and before.pop(pair) + max(room, 0.0) <= rates[pair]:
            doubtful.append((pair, step - 1))
        if contact:
            met.append(pair)
            continue
        free = math.floor(room / rates[pair]) if rates[pair] > 0.0 else steps + 1
        if free < 1:
            before[pair] = room
        # Rounding must not prove the last of these steps.
        heapq.heappush(waiting, (step + max(1, min(free - 1, steps + 1)), pair))
    return StaticCheck(at if met else None, tuple(met), tuple(doubtful))


def _placed_ball(question: RobotQuestion, piece: int, ball: tuple[Array, Array], where: Sequence[Array]) -> tuple[Array, float]:
    link = question.pieces[piece].link
    center = ball[0][0] if link < 0 else where[link][:3, :3] @ ball[0][0] + where[link][:3, 3]
    return center, float(ball[1][0])


def first_contact(question: RobotQuestion, steps: int = STEPS) -> FirstContact | None:
    """Return the first contact of a motion: the static check, then halving where it is not certain."""
    walk = static_check(question, steps)
    if walk.step == 0:
        deep = [pair for pair in walk.pairs if overlaps(question, pair)]
        return FirstContact(0.0, (deep or list(walk.pairs))[0], bool(deep), 0)
    doubts = {(pair, step) for pair, step in walk.doubtful}
    if walk.step is not None:
        doubts |= {(pair, walk.step - 1) for pair in walk.pairs}
    best: FirstContact | None = None
    for pair, step in sorted(doubts, key=lambda doubt: doubt[1]):
        until = (step + 1) / steps if best is None else min(best.time, (step + 1) / steps)
        if until <= step / steps:
            break
        time = contact_time(question, pair, step / steps, until)
        if time is not None:
            shown = walk.step if walk.step is not None and step == walk.step - 1 else None
            best = FirstContact(float(time), pair, False, shown)
    return best


def contact_time(question: RobotQuestion, pair: int, start: float, end: float) -> float | None:
    """Return when two pieces first touch between two shares of the motion, exact to rounding; None if they do not."""
    rate, slack = speed(question, pair), SLACK * size(question, pair)
    waiting = [(start, end)]
    for _ in range(_MOST_HALVINGS):
        if not waiting:
            return None
        low, high = waiting.pop()
        room = room_at(question, pair, low)[0]
        if room <= slack:
            return low
        low += room / rate
        if low > high:
            continue
        high -= max(room_at(question, pair, high)[0], 0.0) / rate
        if low > high:
            continue
        if (high - low) * rate <= slack:
            return low
        middle = 0.5 * (low + high)
        waiting += [(middle, high), (low, middle)]
    raise ArithmeticError(f"pair {question.pairs[pair]} is near for too long: no contact time after {_MOST_HALVINGS} halvings")
