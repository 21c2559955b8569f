"""First contact of a turning, sliding soup with a still one, proved by planes that keep faces apart.

Conservative advancement (Mirtich 1996); every pair of faces has its own time. At that time a direction separates the pair. A
plane square to the direction stands still, or moves with the mover, until a corner may cross it. Along a unit direction n a
turning point moves as f(x) <= f + f' x + r w^2 x^2 / 2, where r is its distance from the axis times the sine between n and
the axis, and w the angle of the whole motion. The pair is free until then; that is the step. When only rounding is left, the
pair touches. What follows decides: contact (the faces enter each other) or graze (they separate again).
The kernels share no code with this; the motion is computed from axis, angle, slide and about.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .nearest import CHUNK, balls, corner_inside, near_pairs, nearest
from .vectors import cross, dot

Array = NDArray[np.float64]

SLACK = 1e-11
"""Distance that counts as touching [share of the size]: a proof gets this near to contact."""
DEEP = 1e-10
"""Thick faces nearer than their radii by this much are in contact [share of the size]."""
STAYS = 1e-3
"""Faces that touch while the mover moves by this much are in contact; a graze ends sooner [share of the size]."""
TOUCHING = 1e-9
"""Things inside each other by less than this only touch [share of the mover's diagonal]."""
_MOST_STEPS = 4000
_LEAST = 1e-300


class ScrewLike(Protocol):
    """The parameters of a screw: unit axis, angle [radians], slide along it [length], a point on it."""

    @property
    def axis(self) -> tuple[float, float, float]: ...  # noqa: D102
    @property
    def angle(self) -> float: ...  # noqa: D102
    @property
    def slide(self) -> float: ...  # noqa: D102
    @property
    def about(self) -> tuple[float, float, float]: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Path:
    """A screw motion relative to `origin`; t is a share of it."""

    axis: Array
    angle: float
    slide: float
    about: Array

    @classmethod
    def of(cls, motion: ScrewLike, origin: Array) -> Path:
        """Return the path of a motion for points relative to origin (3,)."""
        return cls(np.array(motion.axis), motion.angle, motion.slide, np.array(motion.about) - origin)

    def arm(self, places: Array) -> Array:
        """Return a x (p - about) for points, xyz first: square to axis and arm, as long as the arm."""
        shape = (3,) + (1,) * (places.ndim - 1)
        axis = np.broadcast_to(self.axis.reshape(shape), places.shape)
        return cross(axis, places - self.about.reshape(shape))

    def carry(self, places: Array, t: Array | float) -> Array:
        """Return points (3, ..., k) at shares t (k,). The displacement is added, so that a far axis loses no digits."""
        shape = (3,) + (1,) * (places.ndim - 1)
        axis = np.broadcast_to(self.axis.reshape(shape), places.shape)
        across = self.arm(places)
        turn = t * self.angle
        return places + np.sin(turn) * across + 2.0 * np.sin(0.5 * turn) ** 2 * cross(axis, across) + t * self.slide * axis

    def speed(self, places: Array, n: Array) -> Array:
        """Return the speeds of points (3, ..., k) along unit directions of the same shape [length per motion]."""
        along = n[0] * self.axis[0] + n[1] * self.axis[1] + n[2] * self.axis[2]
        return self.angle * dot(self.arm(places), n) + self.slide * along

    def bend(self, places: Array, n: Array) -> Array:
        """Return the largest second derivative along n in the whole motion [length per motion squared]."""
        along = n[0] * self.axis[0] + n[1] * self.axis[1] + n[2] * self.axis[2]
        arm = self.arm(places)
        return self.angle**2 * np.sqrt(dot(arm, arm)) * np.sqrt(np.maximum(1.0 - along * along, 0.0))

    def fastest(self, faces: Array) -> float:
        """Return the speed of the fastest corner of faces (n, 3, 3) [length per motion]."""
        arm = self.arm(faces.reshape(-1, 3).T)
        return float(np.hypot(self.angle * np.sqrt(dot(arm, arm).max()), self.slide))


@dataclass(frozen=True, slots=True)
class ScrewQuestion:
    """Two soups at the start of a motion, relative to one origin."""

    mover: Array
    """Faces, shape (n, 3, 3) [length]."""
    obstacle: Array
    """Faces, shape (m, 3, 3) [length]."""
    thick: float
    """Both radii and the margin [length]: faces at this distance are in contact."""
    path: Path
    mover_solid: bool
    obstacle_solid: bool

    @property
    def size(self) -> float:
        """The larger diagonal of the two, with thickness [length]; gaps are shares of it."""
        return max(float(np.linalg.norm(np.ptp(x.reshape(-1, 3), axis=0))) for x in (self.mover, self.obstacle)) + self.thick

    @property
    def reach(self) -> float:
        """Largest coordinate, arm and slide [length]; rounding is a share of it."""
        corners = np.concatenate((self.mover, self.obstacle)).reshape(-1, 3)
        arms = self.path.arm(self.mover.reshape(-1, 3).T)
        turned = min(1.0, abs(self.path.angle)) * float(np.abs(arms).max())
        return float(np.abs(corners).max()) + turned + abs(self.path.slide)

    @property
    def slack(self) -> float:
        """Distance that counts as touching [length]."""
        return SLACK * self.size + 1e-15 * self.reach


@dataclass(frozen=True, slots=True)
class ProvedFree:
    """How far a motion is proved free."""

    time: float
    """Share of the motion up to which the mover is proved free."""
    contact: bool
    """True if the mover then enters the obstacle; False if it reached the end."""
    grazes: int
    """Number of pairs that came within rounding before, and separated again."""
    undecided: int
    """Number of pairs without an answer; 0 in a proof."""


def _pairs(faces: Array, index: NDArray[np.int64]) -> Array:
    """Return chosen faces as (3 xyz, 3 corners, k)."""
    return np.ascontiguousarray(faces[index].transpose(2, 1, 0))


@dataclass(frozen=True, slots=True)
class SoupGap:
    """Distance and direction of two soups at one time."""

    room: float
    """Least distance less the thickness [length]."""
    direction: Array
    """Unit, from the mover to the obstacle where they are nearest, shape (3,)."""
    crossing: bool
    """True if faces go through each other."""


def gap_at(question: ScrewQuestion, t: float) -> SoupGap:
    """Return the gap at a share of the motion."""
    (center, radius), obstacle_balls = balls(question.mover), balls(question.obstacle)
    i, j = near_pairs((question.path.carry(center.T, t).T, radius), obstacle_balls)
    least, direction, crossing = np.inf, np.zeros(3), False
    for start in range(0, len(i), CHUNK):
        k = slice(start, start + CHUNK)
        mover = question.path.carry(_pairs(question.mover, i[k]), t)
        distance, directions, through = nearest(mover.transpose(1, 0, 2), _pairs(question.obstacle, j[k]).transpose(1, 0, 2))
        best = int(np.argmin(distance))
        crossing = crossing or bool(through.any())
        if distance[best] < least:
            least, direction = float(distance[best]), directions[:, best]
    return SoupGap(least - question.thick, direction, crossing)


def encloses(question: ScrewQuestion) -> bool:
    """True if a corner of one is inside the other, a closed solid, at the start, by more than touching."""
    places = question.mover.reshape(-1, 3)
    touching = 2.0 * TOUCHING * float(np.linalg.norm(places.max(axis=0) - places.min(axis=0)))
    for solid, faces, other in (
        (question.obstacle_solid, question.obstacle, question.mover),
        (question.mover_solid, question.mover, question.obstacle),
    ):
        if not solid:
            continue
        if corner_inside(other.reshape(-1, 3), faces, touching):
            return True
    return False


def _time_to_close(room: Array, rate: Array, bend: Array) -> Array:
    """Return the least x with rate x + bend x^2 / 2 = room; inf if there is none. room > 0."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        root = np.sqrt(rate * rate + 2.0 * bend * room)
        x = np.where(rate > 0.0, 2.0 * room / (rate + root), (root - rate) / bend)
    return np.where(np.isnan(x), np.inf, x)


def _time_apart(path: Path, n: Array, mover: Array, obstacle: Array, thick: Array | float, slack: float) -> tuple[Array, Array]:
    """Return the room between faces along n (3, k), and how long a plane square to n keeps them apart [share of the motion].

    mover, obstacle: (3 xyz, c corners, k).
    """
    on_mover = np.broadcast_to(n[:, None], mover.shape)
    on_obstacle = np.broadcast_to(n[:, None], obstacle.shape)
    m, o = dot(mover, on_mover), dot(obstacle, on_obstacle)
    top, low = m.max(axis=0), o.min(axis=0) - thick
    room = low - top
    keep = np.maximum(room - 0.5 * slack, _LEAST) - room  # reserve that a corner may use beyond its own distance
    still = _time_to_close(low - m + keep, path.speed(mover, on_mover), path.bend(mover, on_mover)).min(axis=0)
    carried = _time_to_close(o - thick - top + keep, path.speed(obstacle, on_obstacle), path.bend(obstacle, on_obstacle)).min(
        axis=0
    )
    return room, np.maximum(still, carried)


def first_contact(question: ScrewQuestion, until: float = 1.0) -> ProvedFree:
    """Return how far the mover is proved free, up to `until` (a share of the motion), and whether contact follows."""
    path, slack, thick = question.path, question.slack, question.thick
    (mover_center, mover_radius), (obstacle_center, obstacle_radius) = balls(question.mover), balls(question.obstacle)
    i, j = (x.ravel() for x in np.indices((len(question.mover), len(question.obstacle))))
    t = np.zeros(len(i))
    end, contact, grazes = until, False, 0
    for _ in range(_MOST_STEPS):
        active = t < end
        if not active.any():
            return ProvedFree(min(until, end), contact, grazes, 0)
        i, j, t = i[active], j[active], t[active]
        # Far pairs are tested as two balls.
        centers = path.carry(mover_center[i].T, t), obstacle_center[j].T
        reach = mover_radius[i] + obstacle_radius[j]
        apart = centers[1] - centers[0]
        far = np.sqrt(dot(apart, apart))
        is_far = far - reach - thick > 0.5 * reach + 0.02 * question.size
        if is_far.any():
            n = apart[:, is_far] / far[is_far]
            _, step = _time_apart(
                path, n, centers[0][:, None, is_far], centers[1][:, None, is_far], reach[is_far] + thick, slack
            )
            t[is_far] += step
        near = np.flatnonzero(~is_far)
        for start in range(0, len(near), CHUNK):
            k = near[start : start + CHUNK]
            mover = path.carry(_pairs(question.mover, i[k]), t[k])
            obstacle = _pairs(question.obstacle, j[k])
            _, n, crossing = nearest(mover.transpose(1, 0, 2), obstacle.transpose(1, 0, 2))
            room, step = _time_apart(path, n, mover, obstacle, thick, slack)
            stuck = crossing | (room <= slack)
            t[k] += np.where(stuck, 0.0, step)
            for p in np.flatnonzero(stuck):
                q = k[p]
                if t[q] >= end:
                    continue
                touches, on = _enters(question, int(i[q]), int(j[q]), float(t[q]), n[:, p], end)
                if touches:
                    end, contact = float(t[q]), True
                else:
                    grazes += 1
                    t[q] = on
    return ProvedFree(float(min(t.min(), end)), contact, grazes, int((t < end).sum()))


def _enters(question: ScrewQuestion, i: int, j: int, t: float, n: Array, end: float) -> tuple[bool, float]:
    """Return whether a pair that touches at t enters each other before `end`; if not, when it has separated again."""
    path, slack = question.path, question.slack
    fastest = max(path.fastest(question.mover[i : i + 1]), path.fastest(question.obstacle[j : j + 1]))
    if fastest == 0.0:
        times = np.array((t,))
    else:
        times = t + 0.5 * slack / fastest * 2.0 ** np.arange(0.0, 80.0)
        times = np.append(times[times < end], end)
    count = len(times)
    mover = path.carry(np.repeat(_pairs(question.mover, np.array((i,))), count, axis=2), times)
    obstacle = np.repeat(_pairs(question.obstacle, np.array((j,))), count, axis=2)
    distance, directions, crossing = nearest(mover.transpose(1, 0, 2), obstacle.transpose(1, 0, 2))
    room, _ = _time_apart(path, directions, mover, obstacle, question.thick, slack)
    deep = crossing | (distance - question.thick < -DEEP * question.size)
    for k in range(count):
        if deep[k]:
            return True, t
        if room[k] > 4.0 * slack:
            # Too thin for a visible crossing: is it on the other side now?
            return (question.thick == 0.0 and float(directions[:, k] @ n) < 0.0), float(times[k])
    return fastest * (end - t) >= STAYS * question.size or fastest == 0.0, end


def first_step(question: ScrewQuestion, steps: int, until: float = 1.0) -> float:
    """Return the first of steps + 1 equally spaced times, up to `until`, at which the two touch or cross; inf if none.

    No proof: a static test after every step. Faces whose balls are apart are skipped.
    """
    centers, radii = zip(*(balls(faces) for faces in (question.mover, question.obstacle)), strict=True)
    i, j = (x.ravel() for x in np.indices((len(question.mover), len(question.obstacle))))
    rows = max(1, CHUNK * 4 // len(i))
    for first in range(0, steps + 1, rows):
        times = np.arange(first, min(first + rows, steps + 1)) / steps
        times = times[times <= until]
        if not len(times):
            break
        at = np.repeat(times, len(centers[0]))
        moved = question.path.carry(np.tile(centers[0].T, len(times)), at).reshape(3, len(times), -1)
        apart = moved[:, :, i] - centers[1].T[:, None, j]
        row, pair = np.nonzero(dot(apart, apart) <= (radii[0][i] + radii[1][j] + question.thick) ** 2)
        if not len(row):
            continue
        mover = question.path.carry(_pairs(question.mover, i[pair]), times[row])
        distance, _, _ = nearest(mover.transpose(1, 0, 2), _pairs(question.obstacle, j[pair]).transpose(1, 0, 2))
        touching = distance <= question.thick
        if touching.any():
            return float(times[row[touching].min()])
    return np.inf
