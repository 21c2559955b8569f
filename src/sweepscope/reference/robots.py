"""Robots, slowly and obviously: where links are, and a static check after every small step of a motion of joints.

A robot is a list of (parent, kind, axis, at). Two pieces whose distance is d, and of which no point comes nearer to the other
by more than v in a step, are free for the next d / v steps: leaving those out gives the same answer as testing all. Where
two steps do not prove what lies between them, halving does, down to rounding.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .dense import face_distance
from .nearest import nearest, winding

Array = NDArray[np.float64]

STEPS = 10_000
"""Of the static check."""
SLACK = 1e-11
"""Room that counts as touching [share of the size]."""
TOUCHING = 1e-9
"""Shallower than this, things inside each other only touch [share of the size]."""
_CHUNK = 4096  # pairs of faces at once, so that arrays stay in the cache
_MOST_HALVINGS = 20_000


class Hanging(NamedTuple):
    """How a link hangs on another."""

    parent: int
    """Index of an earlier link; -1 of the root, which nothing carries."""
    kind: str
    """revolute, prismatic or fixed."""
    axis: Array
    """Unit, in the link's own frame, shape (3,)."""
    at: Array
    """Where that frame is at value 0, on the parent, shape (4, 4)."""


class Piece(NamedTuple):
    """A body: faces that a link carries, or that stand."""

    link: int
    """Index of the link; -1 if it stands."""
    faces: Array
    """Shape (n, 3, 3) [length], in the link's frame, or in the root's."""
    radius: float
    """How far the faces are thickened [length]."""
    solid: bool
    """True if it is closed and has an inside."""


@dataclass(frozen=True, slots=True)
class Question:
    """A motion of joints; everything is in the frame of the root, where distances are what they are in the world."""

    links: tuple[Hanging, ...]
    start: Array
    """Values of all links' joints, 0 of fixed ones, shape (n,): [radians] or [length]."""
    end: Array
    pieces: tuple[Piece, ...]
    pairs: tuple[tuple[int, int], ...]
    """Which pieces must not meet, by index."""
    margin: float
    """Nearer than that is contact [length]."""


class Walk(NamedTuple):
    """What a static check came to."""

    step: int | None
    """First step in contact, 0 at the start; None if there is none. The one before is free."""
    pairs: tuple[int, ...]
    """Which pairs are in contact at that step, by index into `Question.pairs`."""
    doubtful: tuple[tuple[int, int], ...]
    """(pair, step): two may have met, and parted again, between that step and the next."""


class Contact(NamedTuple):
    """First contact, worked out to rounding."""

    time: float
    """Share of the motion; up to it all is proved free."""
    pair: int
    """Index into `Question.pairs`."""
    overlapping: bool
    """True if they overlap at the start already, by more than touching."""
    step: int | None
    """The step of the static check that shows it; None if it is over before the next step."""


def turned(axis: Array, angle: float) -> Array:
    """Return a turn about a unit axis, shape (3, 3): the matrix of its quaternion."""
    w, half = math.cos(0.5 * angle), math.sin(0.5 * angle)
    x, y, z = (half * float(each) for each in axis)
    return np.array(
        (
            (w * w + x * x - y * y - z * z, 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
            (2.0 * (x * y + w * z), w * w - x * x + y * y - z * z, 2.0 * (y * z - w * x)),
            (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), w * w - x * x - y * y + z * z),
        )
    )


def poses(links: Sequence[Hanging], values: Array, base: Array | None = None) -> list[Array]:
    """Return the pose of every link, shape (4, 4), in the frame that base is in; by default in the root's own."""
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
            pose[:3, :3] = pose[:3, :3] @ turned(link.axis, value)
        found.append(pose)
    return found


def values_at(question: Question, t: float) -> Array:
    """Return the values of all joints at a share of the motion."""
    return (1.0 - t) * question.start + t * question.end


def chain(links: Sequence[Hanging], link: int) -> list[int]:
    """Return a link and all above it, but for the root; nothing for what stands."""
    found = []
    while link >= 0 and links[link].parent >= 0:
        found.append(link)
        link = links[link].parent
    return found


def between(question: Question, a: int, b: int) -> tuple[list[int], list[int]]:
    """Return the links whose joints move two pieces against each other: those above one and not above the other."""
    one, two = (chain(question.links, question.pieces[k].link) for k in (a, b))
    moving = question.start != question.end
    return [k for k in one if k not in two and moving[k]], [k for k in two if k not in one and moving[k]]


def size(question: Question, pair: int) -> float:
    """Return the larger extent of two pieces [length]: what gaps are measured against."""
    pieces = [question.pieces[k] for k in question.pairs[pair]]
    extents = [float(np.linalg.norm(np.ptp(p.faces.reshape(-1, 3), axis=0))) + 2.0 * p.radius for p in pieces]
    return max(max(extents), 1e-300)


def speed(question: Question, pair: int) -> float:
    """Return how fast two pieces come nearer to each other, at most [length per motion]."""
    a, b = question.pairs[pair]
    return sum(_rate(question, k, movers) for k, movers in zip((a, b), between(question, a, b), strict=True))


def _rate(question: Question, piece: int, joints: list[int]) -> float:
    """Return how fast a piece moves if these joints, from the piece up, are all that does."""
    links = question.links
    rate, carried = 0.0, question.pieces[piece].link
    points = question.pieces[piece].faces.reshape(-1, 3)
    reach = 0.0  # how far the piece may get from points, which stand for where what is below hangs
    for joint in joints:
        change = abs(question.end[joint] - question.start[joint])
        # What lies between two joints that move is rigid: carry the points up to this joint's own frame.
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
        # From here on points are given at the joint's value 0; a slide has both of its ends among them.
        above = links[joint].at
        points, carried = points @ above[:3, :3].T + above[:3, 3], links[joint].parent
    return rate


def _carried(question: Question, points: Array, link: int, until: int) -> Array:
    """Return points of a link's frame in that of a link above, over joints that stand still."""
    while link != until:
        hangs, value = question.links[link], question.start[link]
        if hangs.kind == "revolute":
            points = points @ turned(hangs.axis, value).T
        elif hangs.kind == "prismatic":
            points = points + value * hangs.axis
        points, link = points @ hangs.at[:3, :3].T + hangs.at[:3, 3], hangs.parent
    return points


def placed(question: Question, piece: int, where: Sequence[Array]) -> Array:
    """Return the faces of a piece, shape (n, 3, 3), with links at these poses."""
    link, faces = question.pieces[piece].link, question.pieces[piece].faces
    return faces if link < 0 else faces @ where[link][:3, :3].T + where[link][:3, 3]


def thickness(question: Question, pair: int) -> float:
    """Return the distance of faces that is contact [length]: radii and margin."""
    return sum(question.pieces[k].radius for k in question.pairs[pair]) + question.margin


def room_at(question: Question, pair: int, t: float) -> tuple[float, bool]:
    """Return the distance of two pieces less what is contact [length], and whether their faces cross."""
    where = poses(question.links, values_at(question, t))
    least, crossing, _ = soup_distance(*(placed(question, k, where) for k in question.pairs[pair]))
    return least - thickness(question, pair), crossing


def soup_distance(one: Array, two: Array) -> tuple[float, bool, Array]:
    """Return the least distance of faces (n, 3, 3) and (m, 3, 3), by trying all that may be it; whether any cross; which way.

    The way is a unit vector (3,) from the one to the other where they are nearest.
    """
    (centre, radius), (other, reach) = _balls(one), _balls(two)
    far = np.linalg.norm(centre[:, None] - other[None], axis=2)
    around = radius[:, None] + reach[None]
    # Rounding must not drop the pair that sets the limit.
    i, j = np.nonzero(far - around <= (far + around).min() * (1.0 + 1e-12))
    least, crossing, way = math.inf, False, np.zeros(3)
    for first in range(0, len(i), _CHUNK):
        a, b = one[i[first : first + _CHUNK]], two[j[first : first + _CHUNK]]
        distance, ways, through = nearest(a.transpose(1, 2, 0), b.transpose(1, 2, 0))
        crossing = crossing or bool(through.any())
        best = int(np.argmin(distance))
        if distance[best] < least:
            least, way = float(distance[best]), ways[:, best]
    return least, crossing, way


def _balls(faces: Array) -> tuple[Array, Array]:
    centre = faces.mean(axis=1)
    return centre, np.linalg.norm(faces - centre[:, None], axis=2).max(axis=1)


def encloses(question: Question, pair: int, t: float = 0.0) -> bool:
    """True if a corner of one piece is inside the other, a solid, by more than touching."""
    a, b = question.pairs[pair]
    solids = [(holder, held) for holder, held in ((a, b), (b, a)) if question.pieces[holder].solid]
    if not solids:
        return False
    where = poses(question.links, values_at(question, t))
    touching = TOUCHING * size(question, pair)
    for holder, held in solids:
        faces, corners = placed(question, holder, where), placed(question, held, where).reshape(-1, 3)
        low, high = faces.reshape(-1, 3).min(axis=0), faces.reshape(-1, 3).max(axis=0)
        corners = np.unique(corners[((corners > low) & (corners < high)).all(axis=1)], axis=0)
        around = winding(corners, faces)
        # On the surface itself it is a fraction.
        for corner in corners[(np.abs(around - np.round(around)) < 1e-6) & (np.abs(around) > 0.5)]:
            if face_distance(np.broadcast_to(corner, faces.shape), faces).min() > touching:
                return True
    return False


def overlaps(question: Question, pair: int) -> bool:
    """True if two pieces overlap at the start, or are nearer than the margin, by more than touching."""
    where = poses(question.links, question.start)
    (one, wide), (two, reach) = (_balls(placed(question, k, where).reshape(1, -1, 3)) for k in question.pairs[pair])
    if float(np.linalg.norm(one - two)) > float(wide[0] + reach[0]) + thickness(question, pair):
        return False
    room, crossing = room_at(question, pair, 0.0)
    return crossing or room < -TOUCHING * size(question, pair) or encloses(question, pair)


def static_check(question: Question, steps: int = STEPS) -> Walk:
    """Test all pairs after every one of so many equal steps, leaving out what is proved free. Insides count at the start."""
    rates = [speed(question, pair) / steps for pair in range(len(question.pairs))]
    spheres = [_balls(piece.faces.reshape(1, -1, 3)) for piece in question.pieces]
    cores = [thickness(question, pair) for pair in range(len(question.pairs))]
    waiting = [(0, pair) for pair in range(len(question.pairs))]  # (step, pair): proved free up to there
    before: dict[int, float] = {}  # of a pair that was tested a step ago, its room then
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
        one, two = (_carried_ball(question, k, spheres[k], where) for k in (a, b))
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
        # Rounding must not prove the very last step.
        heapq.heappush(waiting, (step + max(1, min(free - 1, steps + 1)), pair))
    return Walk(at if met else None, tuple(met), tuple(doubtful))


def _carried_ball(question: Question, piece: int, ball: tuple[Array, Array], where: Sequence[Array]) -> tuple[Array, float]:
    link = question.pieces[piece].link
    centre = ball[0][0] if link < 0 else where[link][:3, :3] @ ball[0][0] + where[link][:3, 3]
    return centre, float(ball[1][0])


def first_contact(question: Question, steps: int = STEPS) -> Contact | None:
    """Return the first contact of a motion: the static check, and halving where it leaves a doubt."""
    walk = static_check(question, steps)
    if walk.step == 0:
        deep = [pair for pair in walk.pairs if overlaps(question, pair)]
        return Contact(0.0, (deep or list(walk.pairs))[0], bool(deep), 0)
    doubts = {(pair, step) for pair, step in walk.doubtful}
    if walk.step is not None:
        doubts |= {(pair, walk.step - 1) for pair in walk.pairs}
    best: Contact | None = None
    for pair, step in sorted(doubts, key=lambda doubt: doubt[1]):
        until = (step + 1) / steps if best is None else min(best.time, (step + 1) / steps)
        if until <= step / steps:
            break
        time = halve(question, pair, step / steps, until)
        if time is not None:
            shown = walk.step if walk.step is not None and step == walk.step - 1 else None
            best = Contact(float(time), pair, False, shown)
    return best


def halve(question: Question, pair: int, start: float, end: float) -> float | None:
    """Return when two pieces first touch, between two shares of the motion, to rounding; None if they do not."""
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
    raise ArithmeticError(f"pair {question.pairs[pair]} is too near for too long to tell when it touches")
