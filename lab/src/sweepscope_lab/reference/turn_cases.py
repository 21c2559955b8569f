"""Turns and screws that test a sweep: all pairs of shapes, and arrangements that break other methods.

Each kind is a function of a random generator. It returns (mover, its pose, obstacle, its pose, motion). Obstacles are in the
mover's path on purpose; most starts are free. `make` gives some cases a margin.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sweepscope import Box, Capsule, Mesh, PointCloud, Rotate, Screw, Shape, Sphere

from ..scenes import ring
from .contact_about_axis import Path, ScrewQuestion, gap_at
from .vectors import random_direction

Array = NDArray[np.float64]
Rng = np.random.Generator
CaseParts = tuple[Shape, Array, Shape, Array, "Rotate | Screw"]

_TETRAHEDRON = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))


@dataclass(frozen=True, slots=True)
class TurnCase:
    """One sweep by a turn or a screw."""

    kind: str
    seed: int
    mover: Shape
    mover_pose: Array
    obstacle: Shape
    obstacle_pose: Array
    motion: Rotate | Screw
    margin: float = 0.0
    floor: bool = False
    """True if the mover also stands on a floor below it, square to the axis, that does not stop it (resting="free")."""
    question: ScrewQuestion = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self,
            "question",
            question_of(self.mover, self.mover_pose, self.obstacle, self.obstacle_pose, self.motion, self.margin),
        )


def question_of(
    mover: Shape, start: Array, obstacle: Shape, place: Array, motion: Rotate | Screw, margin: float = 0.0
) -> ScrewQuestion:
    """Return the question for the reference, relative to the obstacle's place, so that far coordinates lose no digits."""
    origin = place[:3, 3]
    first, second = (
        (shape.vertices @ pose[:3, :3].T + (pose[:3, 3] - origin))[shape.faces]
        for shape, pose in ((mover, start), (obstacle, place))
    )
    thick = mover.radius + obstacle.radius + margin
    return ScrewQuestion(first, second, thick, Path.of(motion, origin), closed(mover), closed(obstacle))


def closed(shape: Shape) -> bool:
    """True if a shape has an inside: not an open surface, and every edge joins an even number of triangles."""
    if shape.solid is False:
        return False
    faces = np.unique(shape.vertices, axis=0, return_inverse=True)[1].reshape(-1)[shape.faces]
    faces = faces[[len(set(face)) == 3 for face in faces.tolist()]]
    if not len(faces):
        return False
    edges = np.sort(np.concatenate((faces[:, :2], faces[:, 1:], faces[:, ::2])), axis=1)
    return bool((np.unique(edges, axis=0, return_counts=True)[1] % 2 == 0).all())


def random_pose(rng: Rng, place: Array) -> Array:
    """Return a pose at a point (3,) with a random rotation."""
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
    """Return an angle up to two turns in either direction, spread evenly or over decades."""
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
        ball = Mesh.sphere(1.0, rows=int(rng.integers(4, 7)), sections=int(rng.integers(4, 9)))
        return Mesh(ball.vertices * rng.uniform(0.3, 1.2, 3) + 0.05 * rng.normal(size=ball.vertices.shape), ball.faces)
    if kind == 2:
        return ring(rng.uniform(0.4, 0.8), rng.uniform(0.9, 1.2), rng.uniform(0.1, 0.8), columns=int(rng.integers(4, 9)))
    if kind == 3:
        return hook(rng)
    if kind == 4:
        return soup(rng, int(rng.integers(4, 16)))
    return Mesh.box(rng.uniform(0.3, 1.5, 3))


def soup(rng: Rng, count: int) -> Mesh:
    """Return random triangles."""
    corners = rng.normal(size=(count, 1, 3)) * 0.7 + rng.normal(size=(count, 3, 3)) * 0.4
    return Mesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))


SHAPES: dict[str, Callable[[Rng], Shape]] = {
    "mesh": small_mesh,
    "box": lambda rng: Box(rng.uniform(0.2, 2.0, 3)),
    "sphere": lambda rng: Sphere(rng.uniform(0.1, 1.0)),
    "capsule": lambda rng: Capsule.from_segment(rng.normal(size=3), rng.normal(size=3), radius=10.0 ** rng.uniform(-3.0, 0.0)),
    "cloud": lambda rng: PointCloud(rng.normal(size=(int(rng.integers(1, 25)), 3)), rng.choice((0.0, rng.uniform(0.0, 0.3)))),
}


def _any_shape(rng: Rng) -> Shape:
    return SHAPES[str(rng.choice(list(SHAPES)))](rng)


def obstacle_pose(
    rng: Rng, mover: Shape, start: Array, obstacle: Shape, motion: Rotate | Screw, height: float | None = None
) -> Array:
    """Return a pose for the obstacle in the mover's path, free of the mover at the start if that is easy.

    height: z [length] of an obstacle that stays upright.
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
        question = question_of(mover, start, obstacle, place, motion)
        gap = gap_at(question, 0.0)
        # If the motion cannot close the gap, move the obstacle along the shortest line; the gap shrinks by the same length.
        wish = question.path.fastest(question.mover) * rng.uniform(0.02, 0.5)
        if gap.room > wish:
            place[:3, 3] -= gap.direction * (gap.room - wish)
        if gap.room > 0.0:
            break
    return place


def _with_obstacle(rng: Rng, mover: Shape, start: Array, obstacle: Shape, motion: Rotate | Screw) -> CaseParts:
    return mover, start, obstacle, obstacle_pose(rng, mover, start, obstacle, motion), motion


def any_pair(rng: Rng) -> CaseParts:
    """Any two shapes, any axis."""
    motion = Rotate(rng.normal(size=3), _angle(rng), about=rng.normal(size=3) * 3.0)
    return _with_obstacle(rng, _any_shape(rng), random_pose(rng, rng.normal(size=3) * 2.0), _any_shape(rng), motion)


def meshes(rng: Rng) -> CaseParts:
    """Two meshes."""
    motion = Rotate(rng.normal(size=3), _angle(rng), about=rng.normal(size=3) * 3.0)
    return _with_obstacle(rng, small_mesh(rng), random_pose(rng, rng.normal(size=3) * 2.0), small_mesh(rng), motion)


def scales(rng: Rng) -> CaseParts:
    """A mover and an obstacle whose sizes differ by up to a thousand; all together from a millionth to a million."""
    whole, part = 10.0 ** rng.uniform(-6.0, 6.0), 10.0 ** rng.uniform(-1.5, 1.5)
    shapes = []
    for k in (whole, whole * part):
        mesh = small_mesh(rng)
        shapes.append(Mesh(mesh.vertices * k, mesh.faces))
    motion = Rotate(rng.normal(size=3), _angle(rng), about=rng.normal(size=3) * 3.0 * whole)
    return _with_obstacle(rng, shapes[0], random_pose(rng, rng.normal(size=3) * 2.0 * whole), shapes[1], motion)


def two_arms(rng: Rng) -> CaseParts:
    """A bar that turns about its middle: either arm may hit first."""
    bar = Box((rng.uniform(3.0, 8.0), rng.uniform(0.05, 0.5), rng.uniform(0.05, 0.5)))
    motion = Rotate((0.0, 0.0, 1.0), _angle(rng))
    return _with_obstacle(rng, bar, np.eye(4), _any_shape(rng), motion)


def on_axis(rng: Rng) -> CaseParts:
    """A mover that contains the axis: along an edge, through a face's middle, a corner, or anywhere."""
    size = rng.uniform(0.3, 1.5, 3)
    corner = 0.5 * size * rng.integers(-1, 2, 3)
    axis = np.eye(3)[rng.integers(3)] if rng.random() < 0.7 else rng.normal(size=3)
    mover = Box(size) if rng.random() < 0.7 else Capsule.from_segment(-axis, axis, radius=rng.uniform(0.05, 0.5))
    return _with_obstacle(rng, mover, np.eye(4), _any_shape(rng), Rotate(axis, _angle(rng), about=corner))


def ring_round(rng: Rng) -> CaseParts:
    """A ring around the axis, off its middle, with something small in its hole."""
    inner = rng.uniform(0.8, 1.5)
    mover = ring(inner, inner + rng.uniform(0.1, 0.6), rng.uniform(0.1, 0.6), columns=8)
    about = np.array((*rng.uniform(-0.5, 0.5, 2), 0.0))
    peg = (
        Capsule.from_segment((0.0, 0.0, -2.0), (0.0, 0.0, 2.0), radius=rng.uniform(0.02, 0.15))
        if rng.random() < 0.5
        else Box((0.2, 0.2, 2.0))
    )
    place = _at(*(about[:2] + rng.uniform(-0.5, 0.5, 2)), 0.0)
    axis = np.array((*rng.normal(size=2) * rng.choice((0.0, 0.2)), 1.0))
    return mover, np.eye(4), peg, place, Rotate(axis, _angle(rng), about=about)


def hooks(rng: Rng) -> CaseParts:
    """A hook that turns around a bar."""
    mover = hook(rng)
    bar = (
        Capsule.from_segment((0.0, 0.0, -2.0), (0.0, 0.0, 2.0), radius=rng.uniform(0.02, 0.1))
        if rng.random() < 0.5
        else Box((0.1, 0.1, 3.0))
    )
    place = random_pose(rng, np.zeros(3)) if rng.random() < 0.3 else np.eye(4)
    place[:3, 3] = (*rng.uniform((-0.3, 0.2), (0.3, 0.8)), 0.0)
    motion = Rotate((*rng.normal(size=2) * 0.1, 1.0), _angle(rng), about=(*rng.uniform(-2.0, 2.0, 2), 0.0))
    return mover, np.eye(4), bar, place, motion


def standing(rng: Rng) -> CaseParts:
    """A box that turns on its floor, and a post. The caller adds the floor."""
    mover = Box(rng.uniform(0.4, 2.0, 3))
    motion = Rotate((0.0, 0.0, 1.0), _angle(rng), about=(*rng.normal(size=2), 0.0))
    start = _at(*rng.normal(size=2), 0.5 * float(mover.bounds[1, 2] - mover.bounds[0, 2]))
    post = Box((rng.uniform(0.1, 0.5), rng.uniform(0.1, 0.5), 6.0))
    return mover, start, post, obstacle_pose(rng, mover, start, post, motion, height=3.0), motion


def plates(rng: Rng) -> CaseParts:
    """Plates a thousandth to a millionth as thick as they are wide, edge on or flat."""

    def plate() -> Box:
        size = rng.uniform(0.5, 2.0, 3)
        size[rng.integers(3)] = 10.0 ** rng.uniform(-6.0, -3.0)
        return Box(size)

    motion = Rotate(np.eye(3)[rng.integers(3)], _angle(rng), about=rng.normal(size=3) * 2.0)
    return _with_obstacle(rng, plate(), np.eye(4), plate(), motion)


def small_angles(rng: Rng) -> CaseParts:
    """Turns from a hundredth down to a billionth of a radian."""
    angle = 10.0 ** rng.uniform(-9.0, -2.0) * rng.choice((-1.0, 1.0))
    motion = Rotate(rng.normal(size=3), angle, about=rng.normal(size=3) * 3.0)
    return _with_obstacle(rng, _any_shape(rng), random_pose(rng, rng.normal(size=3) * 2.0), _any_shape(rng), motion)


def many_turns(rng: Rng) -> CaseParts:
    """One to two turns, with obstacles in the path or near it."""
    angle = rng.uniform(2.0, 4.0) * math.pi * rng.choice((-1.0, 1.0))
    motion = Rotate(rng.normal(size=3), angle, about=rng.normal(size=3) * 2.0)
    mover, obstacle = _any_shape(rng), _any_shape(rng)
    start = random_pose(rng, rng.normal(size=3) * 2.0)
    if rng.random() < 0.6:
        return _with_obstacle(rng, mover, start, obstacle, motion)
    far = random_pose(rng, np.array(motion.about) + random_direction(rng) * rng.uniform(1.0, 4.0))
    return mover, start, obstacle, far, motion


def far_axis(rng: Rng) -> CaseParts:
    """An axis ten to a million sizes away, and a small angle: nearly straight paths."""
    away = 10.0 ** rng.uniform(1.0, 6.0)
    axis = random_direction(rng)
    motion = Rotate(
        axis, rng.choice((-1.0, 1.0)) * rng.uniform(1.0, 5.0) / away, about=np.cross(axis, random_direction(rng)) * away
    )
    return _with_obstacle(rng, _any_shape(rng), random_pose(rng, rng.normal(size=3) * 2.0), _any_shape(rng), motion)


def far_away(rng: Rng) -> CaseParts:
    """Everything a hundred thousand sizes from the origin."""
    mover, start, obstacle, place, motion = any_pair(rng)
    shift = random_direction(rng) * 1e5
    for pose in (start, place):
        pose[:3, 3] += shift
    return mover, start, obstacle, place, Rotate(motion.axis, motion.angle, about=np.array(motion.about) + shift)


def lattice(rng: Rng) -> CaseParts:
    """Boxes at whole coordinates, turned by eighths of a turn: parallel edges, coplanar faces, contact at the very end."""
    sizes = rng.integers(1, 4, (2, 3)).astype(float)
    around, along = rng.permutation(3)[:2]
    start = rng.integers(-1, 2, 3).astype(np.float64) * 0.5
    start[along] += rng.integers(2, 6)
    angle = float(rng.choice((-1, 1)) * rng.integers(1, 9)) * 0.25 * math.pi
    motion = Rotate(np.eye(3)[around], angle, about=rng.integers(-1, 2, 3).astype(float))
    met = Path.of(motion, np.zeros(3)).carry(start[:, None], rng.uniform(0.3, 1.0))[:, 0]
    place = np.round(2.0 * met + rng.integers(-1, 2, 3)) * 0.5
    return Box(sizes[0]), _at(*start), Box(sizes[1]), _at(*place), motion


def rooms(rng: Rng) -> CaseParts:
    """A body in a room; it may reach the walls."""
    walls = Mesh.box(rng.uniform(4.0, 8.0, 3))
    room = Mesh(walls.vertices, walls.faces, solid=False)
    motion = Rotate(rng.normal(size=3), _angle(rng), about=rng.normal(size=3) * 2.0)
    return _any_shape(rng), random_pose(rng, rng.normal(size=3) * 0.5), room, np.eye(4), motion


def within(rng: Rng) -> CaseParts:
    """Bodies that overlap at the start, or one wholly inside the other."""
    outer = [Box((3.0, 3.0, 3.0)), Sphere(2.0), Mesh.sphere(2.0, rows=6, sections=6), ring(0.5, 2.0, 1.0, columns=8)][
        rng.integers(4)
    ]
    inner = SHAPES[str(rng.choice(list(SHAPES)))](rng)
    if isinstance(inner, Mesh) and rng.random() < 0.5:
        inner = Mesh(inner.vertices * 0.2, inner.faces)
    poses = np.eye(4), random_pose(rng, rng.normal(size=3) * 0.6)
    motion = Rotate(rng.normal(size=3), _angle(rng), about=rng.normal(size=3))
    if rng.random() < 0.5:
        return outer, poses[0], inner, poses[1], motion
    return inner, poses[1], outer, poses[0], motion


def needles(rng: Rng) -> CaseParts:
    """Triangles a thousandth to a millionth as wide as they are long, and segments."""

    def needle() -> Shape:
        a, b = rng.normal(size=(2, 3))
        if rng.random() < 0.3:
            return Capsule.from_segment(a, b, radius=0.0)
        third = a + rng.uniform() * (b - a) + rng.normal(size=3) * 10.0 ** rng.uniform(-6.0, -3.0)
        return Mesh(np.array((a, b, third)), [(0, 1, 2)])

    motion = Rotate(rng.normal(size=3), _angle(rng), about=rng.normal(size=3) * 2.0)
    return _with_obstacle(rng, needle(), np.eye(4), needle(), motion)


def clouds(rng: Rng) -> CaseParts:
    """Points against faces, and faces against points."""
    points = PointCloud(rng.normal(size=(int(rng.integers(5, 60)), 3)) * 0.7)
    mesh = small_mesh(rng)
    motion = Rotate(rng.normal(size=3), _angle(rng), about=rng.normal(size=3) * 3.0)
    first, second = (points, mesh) if rng.random() < 0.5 else (mesh, points)
    return _with_obstacle(rng, first, random_pose(rng, rng.normal(size=3) * 2.0), second, motion)


def between(rng: Rng) -> CaseParts:
    """From one pose to another."""
    mover, obstacle = _few_faces(rng), _few_faces(rng)
    start, end = (random_pose(rng, rng.normal(size=3) * 3.0) for _ in range(2))
    return _with_obstacle(rng, mover, start, obstacle, Screw.between(start, end))


def nearby(rng: Rng) -> CaseParts:
    """From one pose to another with a tiny turn: 1e-12 to 1e-3 radians."""
    start = random_pose(rng, rng.normal(size=3))
    turn = Rotate(rng.normal(size=3), 10.0 ** rng.uniform(-12.0, -3.0), about=start[:3, 3]).at()
    end = turn @ start
    end[:3, 3] += rng.normal(size=3) * 3.0
    return _with_obstacle(rng, _any_shape(rng), start, _any_shape(rng), Screw.between(start, end))


def screws(rng: Rng) -> CaseParts:
    """Any shapes, any pitch."""
    slide = 10.0 ** rng.uniform(-2.0, 1.0) * rng.choice((-1.0, 1.0))
    motion = Screw(rng.normal(size=3), _angle(rng), slide=slide, about=rng.normal(size=3) * 3.0)
    return _with_obstacle(rng, _any_shape(rng), random_pose(rng, rng.normal(size=3) * 2.0), _any_shape(rng), motion)


def threads(rng: Rng) -> CaseParts:
    """Several turns of a hook, a ring or a bar along the axis, towards a wall."""
    mover = (hook(rng), ring(0.8, 1.2, 0.3, columns=6), Box((3.0, 0.3, 0.3)))[rng.integers(3)]
    turns = rng.uniform(1.0, 4.0) * 2.0 * math.pi * rng.choice((-1.0, 1.0))
    motion = Screw((0.0, 0.0, 1.0), turns, slide=rng.uniform(1.0, 6.0), about=(*rng.normal(size=2) * 0.5, 0.0))
    wall = Box((rng.uniform(0.2, 4.0), rng.uniform(0.2, 4.0), rng.uniform(0.1, 1.0)))
    place = random_pose(rng, np.array((*rng.normal(size=2) * 0.7, rng.uniform(1.0, 5.0))))
    return mover, np.eye(4), wall, place, motion


def no_angle(rng: Rng) -> CaseParts:
    """Screws without a turn, or with a tiny turn about a near axis."""
    angle = 0.0 if rng.random() < 0.5 else 10.0 ** rng.uniform(-15.0, -3.0) * rng.choice((-1.0, 1.0))
    motion = Screw(rng.normal(size=3), angle, slide=rng.uniform(1.0, 5.0) * rng.choice((-1.0, 1.0)), about=rng.normal(size=3))
    return _with_obstacle(rng, _any_shape(rng), random_pose(rng, rng.normal(size=3) * 2.0), _any_shape(rng), motion)


def no_slide(rng: Rng) -> CaseParts:
    """Screws without a slide, or with a tiny one."""
    slide = 0.0 if rng.random() < 0.5 else 10.0 ** rng.uniform(-15.0, -3.0) * rng.choice((-1.0, 1.0))
    motion = Screw(rng.normal(size=3), _angle(rng), slide=slide, about=rng.normal(size=3) * 3.0)
    return _with_obstacle(rng, _any_shape(rng), random_pose(rng, rng.normal(size=3) * 2.0), _any_shape(rng), motion)


def _few_faces(rng: Rng) -> Shape:
    """Return a shape of at most 12 faces, for checks that take thousands of steps."""
    kind = rng.integers(3)
    if kind == 0:
        return Mesh(rng.normal(size=(4, 3)), _TETRAHEDRON)
    return SHAPES["box" if kind == 1 else "capsule"](rng)


TURNS: tuple[Callable[[Rng], CaseParts], ...] = (
    any_pair, meshes, scales, two_arms, on_axis, ring_round, hooks, standing, plates, small_angles,
    many_turns, far_axis, far_away, lattice, rooms, within, needles, clouds,
)  # fmt: skip
SCREWS: tuple[Callable[[Rng], CaseParts], ...] = (between, nearby, screws, threads, no_angle, no_slide)
_WITHOUT_MARGIN = (standing, lattice)


def make(kind: Callable[[Rng], CaseParts], seed: int) -> TurnCase:
    """Return the case of a kind and a seed; the same arguments give the same case. A quarter of the cases have a margin."""
    rng = np.random.default_rng([len(kind.__name__), *kind.__name__.encode(), seed])
    mover, start, obstacle, place, motion = kind(rng)
    margin = 0.0
    if kind not in _WITHOUT_MARGIN and rng.random() < 0.25:
        extent = float(np.linalg.norm(np.diff(mover.bounds, axis=0)))
        margin = extent * float(10.0 ** rng.uniform(-4.0, -0.7))
    return TurnCase(kind.__name__, seed, mover, start, obstacle, place, motion, margin, kind is standing)
