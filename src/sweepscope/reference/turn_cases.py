"""Turns and screws to try a sweep on: all pairs of shapes, and arrangements that break others.

Each kind is a function of a random generator that returns (mover, its pose, obstacle, its pose, motion). Obstacles are put in
the way on purpose, at a start that is free more often than not; `make` gives some of them a margin.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..motion import Rotate, Screw
from ..scenes import ring
from ..shapes import Box, Capsule, Mesh, PointCloud, Shape, Sphere
from .turning import Path, Question, gap_at

Array = NDArray[np.float64]
Rng = np.random.Generator
Made = tuple[Shape, Array, Shape, Array, "Rotate | Screw"]

_TETRAHEDRON = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))


@dataclass(frozen=True, slots=True)
class TurnCase:
    """One question."""

    kind: str
    seed: int
    mover: Shape
    mover_pose: Array
    obstacle: Shape
    obstacle_pose: Array
    motion: Rotate | Screw
    margin: float = 0.0
    floor: bool = False
    """True if the mover also stands on a floor below it, square to the axis, which is no obstacle (resting="free")."""
    question: Question = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "question", ask(self.mover, self.mover_pose, self.obstacle, self.obstacle_pose, self.motion, self.margin)
        )


def ask(mover: Shape, start: Array, obstacle: Shape, place: Array, motion: Rotate | Screw, margin: float = 0.0) -> Question:
    """Return what the reference is asked; places are counted from the obstacle's, so that being far away costs no digits."""
    origin = place[:3, 3]
    first, second = (
        (shape.vertices @ pose[:3, :3].T + (pose[:3, 3] - origin))[shape.faces]
        for shape, pose in ((mover, start), (obstacle, place))
    )
    thick = mover.radius + obstacle.radius + margin
    return Question(first, second, thick, Path.of(motion, origin), closed(mover), closed(obstacle))


def closed(shape: Shape) -> bool:
    """True if a shape has an inside: a mesh, not a mere surface, whose every edge joins an even number of triangles."""
    if shape.solid is False:
        return False
    faces = np.unique(shape.vertices, axis=0, return_inverse=True)[1].reshape(-1)[shape.faces]
    faces = faces[[len(set(face)) == 3 for face in faces.tolist()]]
    if not len(faces):
        return False
    edges = np.sort(np.concatenate((faces[:, :2], faces[:, 1:], faces[:, ::2])), axis=1)
    return bool((np.unique(edges, axis=0, return_counts=True)[1] % 2 == 0).all())


def _direction(rng: Rng) -> Array:
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def random_pose(rng: Rng, place: Array) -> Array:
    """Return a pose at a place (3,), turned at random."""
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    pose = np.eye(4)
    pose[:3, :3] = q * np.linalg.det(q)
    pose[:3, 3] = place
    return pose


def _at(*place: float) -> Array:
    pose = np.eye(4)
    pose[:3, 3] = place
    return pose


def _angle(rng: Rng) -> float:
    """Return an angle up to two turns either way, spread evenly or over decades."""
    size = 10.0 ** rng.uniform(-3.0, 1.0) if rng.random() < 0.4 else rng.uniform(0.0, 4.0 * math.pi)
    return float(min(size, 4.0 * math.pi) * rng.choice((-1.0, 1.0)))


def hook(rng: Rng) -> Mesh:
    """Return a U of three bars, 36 faces."""
    wide, high, thin = rng.uniform(0.8, 1.5), rng.uniform(0.6, 1.5), rng.uniform(0.05, 0.25)
    bars = [
        Mesh.box((wide, thin, thin)).vertices,
        Mesh.box((thin, high, thin)).vertices + (0.5 * wide, 0.5 * high, 0.0),
        Mesh.box((thin, high, thin)).vertices + (-0.5 * wide, 0.5 * high, 0.0),
    ]
    faces = Mesh.box((1.0, 1.0, 1.0)).faces
    return Mesh(np.concatenate(bars), np.concatenate([faces + 8 * k for k in range(3)]))


def small_mesh(rng: Rng) -> Mesh:
    """Return a mesh of 4 to 80 faces, about 2 across."""
    kind = rng.integers(6)
    if kind == 0:
        return Mesh(rng.normal(size=(4, 3)), _TETRAHEDRON)
    if kind == 1:
        ball = Mesh.sphere(1.0, int(rng.integers(4, 7)), int(rng.integers(4, 9)))
        return Mesh(ball.vertices * rng.uniform(0.3, 1.2, 3) + 0.05 * rng.normal(size=ball.vertices.shape), ball.faces)
    if kind == 2:
        return ring(rng.uniform(0.4, 0.8), rng.uniform(0.9, 1.2), rng.uniform(0.1, 0.8), columns=int(rng.integers(4, 9)))
    if kind == 3:
        return hook(rng)
    if kind == 4:
        return soup(rng, int(rng.integers(4, 16)))
    return Mesh.box(rng.uniform(0.3, 1.5, 3))


def soup(rng: Rng, count: int) -> Mesh:
    """Return so many triangles anywhere."""
    corners = rng.normal(size=(count, 1, 3)) * 0.7 + rng.normal(size=(count, 3, 3)) * 0.4
    return Mesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))


SHAPES: dict[str, Callable[[Rng], Shape]] = {
    "mesh": small_mesh,
    "box": lambda rng: Box(rng.uniform(0.2, 2.0, 3)),
    "sphere": lambda rng: Sphere(rng.uniform(0.1, 1.0)),
    "capsule": lambda rng: Capsule(rng.normal(size=3), rng.normal(size=3), 10.0 ** rng.uniform(-3.0, 0.0)),
    "cloud": lambda rng: PointCloud(rng.normal(size=(int(rng.integers(1, 25)), 3)), rng.choice((0.0, rng.uniform(0.0, 0.3)))),
}


def _some(rng: Rng) -> Shape:
    return SHAPES[str(rng.choice(list(SHAPES)))](rng)


def put_in_the_way(
    rng: Rng, mover: Shape, start: Array, obstacle: Shape, motion: Rotate | Screw, height: float | None = None
) -> Array:
    """Return a pose for the obstacle where the mover comes by, free of it at the start if that is easily had.

    height: z [length] of one that stays upright.
    """
    place = start
    for _ in range(6):
        corner = start[:3, :3] @ mover.vertices[rng.integers(len(mover.vertices))] + start[:3, 3]
        target = Path.of(motion, np.zeros(3)).carry(corner[:, None], rng.uniform(0.1, 1.1))[:, 0]
        extent = float(np.linalg.norm(np.diff(obstacle.bounds, axis=0)))
        target = target + rng.normal(size=3) * 0.2 * (extent if height is None else 1.0)
        place = random_pose(rng, target)
        if height is not None:
            place = Rotate((0.0, 0.0, 1.0), rng.uniform(0.0, math.pi)).at()
            place[:3, 3] = (target[0], target[1], height)
        question = ask(mover, start, obstacle, place, motion)
        gap = gap_at(question, 0.0)
        # A gap that the motion cannot close is closed by hand: moving along the shortest way shortens it by just as much.
        wish = question.path.fastest(question.mover) * rng.uniform(0.02, 0.5)
        if gap.room > wish:
            place[:3, 3] -= gap.direction * (gap.room - wish)
        if gap.room > 0.0:
            break
    return place


def _finish(rng: Rng, mover: Shape, start: Array, obstacle: Shape, motion: Rotate | Screw) -> Made:
    return mover, start, obstacle, put_in_the_way(rng, mover, start, obstacle, motion), motion


def any_pair(rng: Rng) -> Made:
    """Any two shapes, any axis."""
    motion = Rotate(rng.normal(size=3), _angle(rng), rng.normal(size=3) * 3.0)
    return _finish(rng, _some(rng), random_pose(rng, rng.normal(size=3) * 2.0), _some(rng), motion)


def meshes(rng: Rng) -> Made:
    """Two meshes."""
    motion = Rotate(rng.normal(size=3), _angle(rng), rng.normal(size=3) * 3.0)
    return _finish(rng, small_mesh(rng), random_pose(rng, rng.normal(size=3) * 2.0), small_mesh(rng), motion)


def scales(rng: Rng) -> Made:
    """A mover and an obstacle whose sizes differ by up to a thousand, the whole from a millionth to a million."""
    whole, part = 10.0 ** rng.uniform(-6.0, 6.0), 10.0 ** rng.uniform(-1.5, 1.5)
    shapes = []
    for k in (whole, whole * part):
        mesh = small_mesh(rng)
        shapes.append(Mesh(mesh.vertices * k, mesh.faces))
    motion = Rotate(rng.normal(size=3), _angle(rng), rng.normal(size=3) * 3.0 * whole)
    return _finish(rng, shapes[0], random_pose(rng, rng.normal(size=3) * 2.0 * whole), shapes[1], motion)


def two_arms(rng: Rng) -> Made:
    """A bar turned about its middle: either arm may be first."""
    bar = Box((rng.uniform(3.0, 8.0), rng.uniform(0.05, 0.5), rng.uniform(0.05, 0.5)))
    motion = Rotate((0.0, 0.0, 1.0), _angle(rng))
    return _finish(rng, bar, np.eye(4), _some(rng), motion)


def on_axis(rng: Rng) -> Made:
    """A body through which the axis goes: along an edge, a face's middle, a corner, or anywhere."""
    size = rng.uniform(0.3, 1.5, 3)
    corner = 0.5 * size * rng.integers(-1, 2, 3)
    axis = np.eye(3)[rng.integers(3)] if rng.random() < 0.7 else rng.normal(size=3)
    mover = Box(size) if rng.random() < 0.7 else Capsule(-axis, axis, rng.uniform(0.05, 0.5))
    return _finish(rng, mover, np.eye(4), _some(rng), Rotate(axis, _angle(rng), corner))


def ring_round(rng: Rng) -> Made:
    """A ring round the axis, off its middle, with something small in its hole."""
    inner = rng.uniform(0.8, 1.5)
    mover = ring(inner, inner + rng.uniform(0.1, 0.6), rng.uniform(0.1, 0.6), columns=8)
    about = np.array((*rng.uniform(-0.5, 0.5, 2), 0.0))
    peg = Capsule((0.0, 0.0, -2.0), (0.0, 0.0, 2.0), rng.uniform(0.02, 0.15)) if rng.random() < 0.5 else Box((0.2, 0.2, 2.0))
    place = _at(*(about[:2] + rng.uniform(-0.5, 0.5, 2)), 0.0)
    axis = np.array((*rng.normal(size=2) * rng.choice((0.0, 0.2)), 1.0))
    return mover, np.eye(4), peg, place, Rotate(axis, _angle(rng), about)


def hooks(rng: Rng) -> Made:
    """A hook that turns round a bar."""
    mover = hook(rng)
    bar = Capsule((0.0, 0.0, -2.0), (0.0, 0.0, 2.0), rng.uniform(0.02, 0.1)) if rng.random() < 0.5 else Box((0.1, 0.1, 3.0))
    place = random_pose(rng, np.zeros(3)) if rng.random() < 0.3 else np.eye(4)
    place[:3, 3] = (*rng.uniform((-0.3, 0.2), (0.3, 0.8)), 0.0)
    motion = Rotate((*rng.normal(size=2) * 0.1, 1.0), _angle(rng), (*rng.uniform(-2.0, 2.0, 2), 0.0))
    return mover, np.eye(4), bar, place, motion


def standing(rng: Rng) -> Made:
    """A box that turns on its floor, and a post. The floor is put in by whoever asks."""
    mover = Box(rng.uniform(0.4, 2.0, 3))
    motion = Rotate((0.0, 0.0, 1.0), _angle(rng), (*rng.normal(size=2), 0.0))
    start = _at(*rng.normal(size=2), 0.5 * float(mover.bounds[1, 2] - mover.bounds[0, 2]))
    post = Box((rng.uniform(0.1, 0.5), rng.uniform(0.1, 0.5), 6.0))
    return mover, start, post, put_in_the_way(rng, mover, start, post, motion, height=3.0), motion


def plates(rng: Rng) -> Made:
    """Plates a thousandth to a millionth as thick as they are wide, edge on or flat."""

    def plate() -> Box:
        size = rng.uniform(0.5, 2.0, 3)
        size[rng.integers(3)] = 10.0 ** rng.uniform(-6.0, -3.0)
        return Box(size)

    motion = Rotate(np.eye(3)[rng.integers(3)], _angle(rng), rng.normal(size=3) * 2.0)
    return _finish(rng, plate(), np.eye(4), plate(), motion)


def small_angles(rng: Rng) -> Made:
    """Turns from a hundredth down to a billionth of a radian."""
    angle = 10.0 ** rng.uniform(-9.0, -2.0) * rng.choice((-1.0, 1.0))
    motion = Rotate(rng.normal(size=3), angle, rng.normal(size=3) * 3.0)
    return _finish(rng, _some(rng), random_pose(rng, rng.normal(size=3) * 2.0), _some(rng), motion)


def many_turns(rng: Rng) -> Made:
    """One to two turns, past bodies that are near the way or in it."""
    angle = rng.uniform(2.0, 4.0) * math.pi * rng.choice((-1.0, 1.0))
    motion = Rotate(rng.normal(size=3), angle, rng.normal(size=3) * 2.0)
    mover, obstacle = _some(rng), _some(rng)
    start = random_pose(rng, rng.normal(size=3) * 2.0)
    if rng.random() < 0.6:
        return _finish(rng, mover, start, obstacle, motion)
    far = random_pose(rng, np.array(motion.about) + _direction(rng) * rng.uniform(1.0, 4.0))
    return mover, start, obstacle, far, motion


def far_axis(rng: Rng) -> Made:
    """An axis ten to a million sizes away, and an angle to match: nearly straight ways."""
    away = 10.0 ** rng.uniform(1.0, 6.0)
    axis = _direction(rng)
    motion = Rotate(axis, rng.choice((-1.0, 1.0)) * rng.uniform(1.0, 5.0) / away, np.cross(axis, _direction(rng)) * away)
    return _finish(rng, _some(rng), random_pose(rng, rng.normal(size=3) * 2.0), _some(rng), motion)


def far_away(rng: Rng) -> Made:
    """Everything a hundred thousand sizes from the origin."""
    mover, start, obstacle, place, motion = any_pair(rng)
    shift = _direction(rng) * 1e5
    for pose in (start, place):
        pose[:3, 3] += shift
    return mover, start, obstacle, place, Rotate(motion.axis, motion.angle, np.array(motion.about) + shift)


def lattice(rng: Rng) -> Made:
    """Boxes at whole places, turned by eighths of a turn: parallel edges, coplanar faces, contact at the very end."""
    sizes = rng.integers(1, 4, (2, 3)).astype(float)
    around, along = rng.permutation(3)[:2]
    start = rng.integers(-1, 2, 3).astype(np.float64) * 0.5
    start[along] += rng.integers(2, 6)
    angle = float(rng.choice((-1, 1)) * rng.integers(1, 9)) * 0.25 * math.pi
    motion = Rotate(np.eye(3)[around], angle, rng.integers(-1, 2, 3).astype(float))
    met = Path.of(motion, np.zeros(3)).carry(start[:, None], rng.uniform(0.3, 1.0))[:, 0]
    place = np.round(2.0 * met + rng.integers(-1, 2, 3)) * 0.5
    return Box(sizes[0]), _at(*start), Box(sizes[1]), _at(*place), motion


def rooms(rng: Rng) -> Made:
    """A body in a room, whose walls it may reach."""
    walls = Mesh.box(rng.uniform(4.0, 8.0, 3))
    room = Mesh(walls.vertices, walls.faces, solid=False)
    motion = Rotate(rng.normal(size=3), _angle(rng), rng.normal(size=3) * 2.0)
    return _some(rng), random_pose(rng, rng.normal(size=3) * 0.5), room, np.eye(4), motion


def within(rng: Rng) -> Made:
    """Bodies that overlap at the start, or are wholly inside each other."""
    outer = [Box((3.0, 3.0, 3.0)), Sphere(2.0), Mesh.sphere(2.0, 6, 6), ring(0.5, 2.0, 1.0, columns=8)][rng.integers(4)]
    inner = SHAPES[str(rng.choice(list(SHAPES)))](rng)
    if isinstance(inner, Mesh) and rng.random() < 0.5:
        inner = Mesh(inner.vertices * 0.2, inner.faces)
    poses = np.eye(4), random_pose(rng, rng.normal(size=3) * 0.6)
    motion = Rotate(rng.normal(size=3), _angle(rng), rng.normal(size=3))
    if rng.random() < 0.5:
        return outer, poses[0], inner, poses[1], motion
    return inner, poses[1], outer, poses[0], motion


def needles(rng: Rng) -> Made:
    """Triangles a thousandth to a millionth as wide as they are long, and segments."""

    def needle() -> Shape:
        a, b = rng.normal(size=(2, 3))
        if rng.random() < 0.3:
            return Capsule(a, b, 0.0)
        third = a + rng.uniform() * (b - a) + rng.normal(size=3) * 10.0 ** rng.uniform(-6.0, -3.0)
        return Mesh(np.array((a, b, third)), [(0, 1, 2)])

    motion = Rotate(rng.normal(size=3), _angle(rng), rng.normal(size=3) * 2.0)
    return _finish(rng, needle(), np.eye(4), needle(), motion)


def clouds(rng: Rng) -> Made:
    """Points against faces, and faces against points."""
    points = PointCloud(rng.normal(size=(int(rng.integers(5, 60)), 3)) * 0.7)
    mesh = small_mesh(rng)
    motion = Rotate(rng.normal(size=3), _angle(rng), rng.normal(size=3) * 3.0)
    first, second = (points, mesh) if rng.random() < 0.5 else (mesh, points)
    return _finish(rng, first, random_pose(rng, rng.normal(size=3) * 2.0), second, motion)


def between(rng: Rng) -> Made:
    """From one pose to another."""
    mover, obstacle = _few(rng), _few(rng)
    start, end = (random_pose(rng, rng.normal(size=3) * 3.0) for _ in range(2))
    return _finish(rng, mover, start, obstacle, Screw.between(start, end))


def nearby(rng: Rng) -> Made:
    """From one pose to one that is hardly turned: 1e-12 to 1e-3 radians."""
    start = random_pose(rng, rng.normal(size=3))
    turn = Rotate(rng.normal(size=3), 10.0 ** rng.uniform(-12.0, -3.0), start[:3, 3]).at()
    end = turn @ start
    end[:3, 3] += rng.normal(size=3) * 3.0
    return _finish(rng, _some(rng), start, _some(rng), Screw.between(start, end))


def screws(rng: Rng) -> Made:
    """Any shapes, any pitch."""
    slide = 10.0 ** rng.uniform(-2.0, 1.0) * rng.choice((-1.0, 1.0))
    motion = Screw(rng.normal(size=3), _angle(rng), slide, rng.normal(size=3) * 3.0)
    return _finish(rng, _some(rng), random_pose(rng, rng.normal(size=3) * 2.0), _some(rng), motion)


def threads(rng: Rng) -> Made:
    """Several turns of a hook, a ring or a bar along the axis, and a wall or a peg further on."""
    mover = (hook(rng), ring(0.8, 1.2, 0.3, columns=6), Box((3.0, 0.3, 0.3)))[rng.integers(3)]
    turns = rng.uniform(1.0, 4.0) * 2.0 * math.pi * rng.choice((-1.0, 1.0))
    motion = Screw((0.0, 0.0, 1.0), turns, rng.uniform(1.0, 6.0), (*rng.normal(size=2) * 0.5, 0.0))
    wall = Box((rng.uniform(0.2, 4.0), rng.uniform(0.2, 4.0), rng.uniform(0.1, 1.0)))
    place = random_pose(rng, np.array((*rng.normal(size=2) * 0.7, rng.uniform(1.0, 5.0))))
    return mover, np.eye(4), wall, place, motion


def no_angle(rng: Rng) -> Made:
    """Screws that do not turn at all, or by next to nothing about an axis that is near."""
    angle = 0.0 if rng.random() < 0.5 else 10.0 ** rng.uniform(-15.0, -3.0) * rng.choice((-1.0, 1.0))
    motion = Screw(rng.normal(size=3), angle, rng.uniform(1.0, 5.0) * rng.choice((-1.0, 1.0)), rng.normal(size=3))
    return _finish(rng, _some(rng), random_pose(rng, rng.normal(size=3) * 2.0), _some(rng), motion)


def no_slide(rng: Rng) -> Made:
    """Screws that do not slide at all, or by next to nothing."""
    slide = 0.0 if rng.random() < 0.5 else 10.0 ** rng.uniform(-15.0, -3.0) * rng.choice((-1.0, 1.0))
    motion = Screw(rng.normal(size=3), _angle(rng), slide, rng.normal(size=3) * 3.0)
    return _finish(rng, _some(rng), random_pose(rng, rng.normal(size=3) * 2.0), _some(rng), motion)


def _few(rng: Rng) -> Shape:
    """Return a shape of at most 12 faces, for checks that take thousands of steps."""
    kind = rng.integers(3)
    if kind == 0:
        return Mesh(rng.normal(size=(4, 3)), _TETRAHEDRON)
    return SHAPES["box" if kind == 1 else "capsule"](rng)


TURNS: tuple[Callable[[Rng], Made], ...] = (
    any_pair, meshes, scales, two_arms, on_axis, ring_round, hooks, standing, plates, small_angles,
    many_turns, far_axis, far_away, lattice, rooms, within, needles, clouds,
)  # fmt: skip
SCREWS: tuple[Callable[[Rng], Made], ...] = (between, nearby, screws, threads, no_angle, no_slide)
_WITHOUT_MARGIN = (standing, lattice)


def make(kind: Callable[[Rng], Made], seed: int) -> TurnCase:
    """Return the case of a kind and a seed: always the same one. A quarter of them keep a margin."""
    rng = np.random.default_rng([len(kind.__name__), *kind.__name__.encode(), seed])
    mover, start, obstacle, place, motion = kind(rng)
    margin = 0.0
    if kind not in _WITHOUT_MARGIN and rng.random() < 0.25:
        extent = float(np.linalg.norm(np.diff(mover.bounds, axis=0)))
        margin = extent * float(10.0 ** rng.uniform(-4.0, -0.7))
    return TurnCase(kind.__name__, seed, mover, start, obstacle, place, motion, margin, kind is standing)
