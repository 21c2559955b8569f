"""Many sweeps and overlaps in one call: time of a row, and of a loop over the peer's casts of the same motions.

Answers are compared before anything is timed: with the peer, which computes in float32, and to the bit with single calls on a
sample of the rows. The peer gets all that can be made before its loop: vectors, one start, one object of options.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Mesh, PointCloud, Rotate, Scene, Shape, Sphere, SweepscopeError, Translate
from sweepscope.results.many import Hits
from sweepscope.threads import CORES

from ..reference.nearest import winding
from ..scenes import hills, scattered_balls
from .rows import Row, best, best_of_rounds, check_rows, check_travels, directions, fcl_model, peer, rapier_mesh, rapier_world
from .translate import balls_in_space
from .turn import Trial, make_trials

_CASTS = 2_000  # of the peer's loop
_SAMPLE = 200  # rows compared with single calls
_GRIPS = 50  # overlaps checked by slow means
_CLOSE = 1e-5  # turns are checked this far before and after the contact [radians]
_SIDE = 20.0  # of the cube that 50 balls are in
_PACE = 0.25  # a frame's motion of each body
_PITCH, _RADIUS, _SMALL = 2.0, 0.3, 0.2  # of many balls: how far apart, how large, and the mover
_FAR = 6.2  # its motion goes at most so far along each axis: about 20 balls are in reach

Array = NDArray[np.float64]


class _RapierLoop:
    """A Python loop over rapier3d's casts of one shape from the origin, by vectors of one length."""

    def __init__(self, rapier: Any, shape: Any, colliders: list[Any], vectors: Array, length: float) -> None:
        self._shape, self._world = shape, rapier_world(rapier, colliders)
        self._at = rapier.Isometry3.from_translation(0.0, 0.0, 0.0)
        self._options = rapier.ShapeCastOptions()
        self._options.max_time_of_impact = length
        self._directions = [rapier.Vec3(*vector) for vector in (vectors / length).tolist()]

    def casts(self) -> list[Any]:
        cast, at, shape, options = self._world.query_pipeline.cast_shape, self._at, self._shape, self._options
        return [cast(at, direction, shape, options) for direction in self._directions]

    def travels(self) -> Array:
        """Return the free travel of each, inf if nothing is hit."""
        return np.array([found[1].time_of_impact if found else np.inf for found in self.casts()])


def _free_travels(hits: Hits) -> Array:
    """Return the free travel of each row, inf if nothing is hit."""
    return np.where(hits.free, np.inf, hits.travel)


def _in_words(threads: int) -> str:
    return {1: "one thread", 2: "two threads"}.get(threads, f"{threads} threads")


def _sample(count: int) -> list[int]:
    return np.unique(np.linspace(0, count - 1, min(count, _SAMPLE)).astype(int)).tolist()


def translations_checked(scene: Scene, mover: Body, vectors: Array) -> Hits:
    """Return the hits of many translations; raise unless a sample has the bits of single sweeps."""
    hits = scene.sweep_many(mover, vectors)
    check_rows(hits, _sample(len(vectors)), lambda row: scene.sweep(mover, Translate(vectors[row])))
    return hits


def _ball_row(
    rapier: Any, name: str, bar: str, mover: Shape, obstacle: Shape, places: Array, vectors: Array, repeats: int
) -> Row:
    """Return the row of translations from the origin through copies of an obstacle, all balls or all meshes."""
    scene = Scene()
    scene.add_many(obstacle, places)
    body = scene.add(mover)
    length = float(np.linalg.norm(vectors[0]))
    loop = _RapierLoop(
        rapier,
        _rapier_shape(rapier, mover),
        [_rapier_collider(rapier, obstacle, place) for place in places],
        vectors[:_CASTS],
        length,
    )
    hits = translations_checked(scene, body, vectors)
    note = check_travels(_free_travels(hits)[:_CASTS], loop.travels(), 2.0 * float(np.abs(places).max()))
    times = best_of_rounds(
        {
            "ours": lambda: scene.sweep_many(body, vectors, threads=2),
            "one thread": lambda: scene.sweep_many(body, vectors, threads=1),
            "rapier3d": loop.casts,
        },
        repeats,
    )
    note += f"; one thread {1e6 * times['one thread'] / len(vectors):.2f} us"
    return Row(
        f"{len(vectors):,} {name}, two threads",
        times["ours"] / len(vectors),
        bar,
        {"rapier3d": times["rapier3d"] / min(_CASTS, len(vectors))},
        note,
    )


def _rapier_shape(rapier: Any, shape: Shape) -> Any:
    if isinstance(shape, Sphere):
        return rapier.SharedShape.ball(shape.radius)
    return rapier_mesh(rapier.SharedShape.trimesh, shape.vertices, shape.faces)


def _rapier_collider(rapier: Any, shape: Shape, place: Array) -> Any:
    if isinstance(shape, Sphere):
        return rapier.Collider.ball(shape.radius).translation(rapier.Vec3(*place)).build()
    return rapier_mesh(rapier.Collider.trimesh, shape.vertices + place, shape.faces)


def translation_rows(rapier: Any, repeats: int, count: int = 100_000) -> list[Row]:
    """Return the rows of translations."""
    places = scattered_balls(50, _SIDE, 2.5, near=2.2)
    vectors = directions(count, 0.5 * _SIDE)
    balls = Sphere(0.5), Sphere(1.0)
    meshes = Mesh.sphere(0.5, rows=9, sections=8), Mesh.sphere(1.0, rows=9, sections=8)
    small, large, wide = balls_in_space()
    far = directions(max(1, count // 10), 800.0)
    return [
        _ball_row(rapier, "translations of a ball among 50 balls", "2 us; 10 x", *balls, places, vectors, repeats),
        _ball_row(rapier, "of a ball of 128 triangles among 50 such", "15 x", *meshes, places, vectors, repeats),
        _ball_row(rapier, "of 1,250 triangles through 194 bodies x 512", "15 x", large, small, wide, far, repeats),
    ]


def turn_rows(fcl: Any, repeats: int, count: int = 10_000, detail: tuple[int, int] = (26, 25)) -> list[Row]:
    """Return the rows of turns: half a turn each, from many starts. fcl: None for no check by static tests."""
    trial = make_trials(*detail)[0]
    poses, turn = turn_starts(count), Rotate((0.0, 0.0, 1.0), math.pi)
    scene, body = trial.scene, trial.body
    hits = scene.sweep_many(body, turn, poses)

    def single(row: int) -> Any:
        body.pose = poses[row]
        return scene.sweep(body, turn)

    check_rows(hits, _sample(count), single)
    note = f"{np.count_nonzero(~hits.free)} of {count} hit"
    if fcl is not None:
        note += f"; {_check_turns(fcl, trial, turn, poses, hits)}"
    threads = [1, 2] + ([CORES] if CORES > 2 else [])
    works = {n: lambda n=n: scene.sweep_many(body, turn, poses, threads=n) for n in threads}
    times = best_of_rounds({str(n): work for n, work in works.items()}, repeats)
    name = f"{count:,} turns, {len(trial.mover.faces):,} on {len(trial.obstacle.faces):,} triangles"
    rows = [Row(f"{name}, one thread", times["1"] / count, "", note=note)]
    for n in threads[1:]:
        speedup = f"{times['1'] / times[str(n)]:.2f} x one thread"
        bar = "1.8 x one thread" if n == 2 else "10 x one thread with 16"
        rows.append(Row(f"{name}, {_in_words(n)}", times[str(n)] / count, bar, note=speedup))
    return rows


def turn_starts(count: int) -> Array:
    """Return starts of the blade of `bench turn`: turned back by up to half a radian, up, down and aside by up to 2."""
    rng = np.random.default_rng(2)
    back = -rng.uniform(0.0, 0.5, count)
    poses = np.zeros((count, 4, 4))
    poses[:, 0, 0], poses[:, 0, 1], poses[:, 1, 0], poses[:, 1, 1] = np.cos(back), -np.sin(back), np.sin(back), np.cos(back)
    poses[:, 2, 2] = poses[:, 3, 3] = 1.0
    poses[:, 2, 3] = rng.uniform(-2.0, 2.0, count)
    aside = rng.uniform(-2.0, 2.0, count)
    poses[:, 0, 3], poses[:, 1, 3] = aside * np.cos(back), aside * np.sin(back)
    return poses


def _check_turns(fcl: Any, trial: Trial, turn: Rotate, poses: Array, hits: Hits) -> str:
    """Raise unless static tests find meshes of a sample apart just before the contact, and touching just after."""
    models = fcl_model(fcl, trial.mover), fcl_model(fcl, trial.obstacle)
    place = fcl.Transform(trial.place)
    sample = [row for row in _sample(len(poses)) if not hits.free[row]]
    for row in sample:
        for after in (-_CLOSE, _CLOSE):
            pose = turn.at((float(hits.travel[row]) + after) / turn.length) @ poses[row]
            moved = fcl.CollisionObject(models[0], fcl.Transform(pose[:3, :3], pose[:3, 3]))
            still = fcl.CollisionObject(models[1], place)
            touching = fcl.collide(moved, still, fcl.CollisionRequest(), fcl.CollisionResult()) > 0
            if touching != (after > 0.0):
                raise SweepscopeError(f"turn {row}: python-fcl finds touching {touching} at {after:g} radians from the contact")
    return f"{len(sample)} confirmed by python-fcl's static test {_CLOSE:g} radians before and after"


def gripper() -> Mesh:
    """Return a palm and two fingers, three closed surfaces that do not touch, about 1,000 triangles, 0.2 wide."""
    palm = Mesh.capsule(0.03, 0.14, rows=7, sections=12)
    finger = Mesh.capsule(0.015, 0.1, rows=7, sections=12)
    lying = palm.vertices[:, [2, 1, 0]] * (1.0, 1.0, -1.0)
    lying = lying - 0.5 * (lying.min(axis=0) + lying.max(axis=0))
    upright = finger.vertices - 0.5 * (finger.vertices.min(axis=0) + finger.vertices.max(axis=0))
    length = float(np.ptp(upright[:, 2]))
    parts = [(lying, palm.faces)]
    parts += [(upright + (x, 0.0, -0.035 - 0.5 * length), finger.faces) for x in (-0.05, 0.05)]
    firsts = np.cumsum([0] + [len(vertices) for vertices, _ in parts])
    faces = [faces + first for (_, faces), first in zip(parts, firsts, strict=False)]
    return Mesh(np.concatenate([vertices for vertices, _ in parts]), np.concatenate(faces))


def cloud_points(count: int) -> Array:
    """Return points of a surface like one that a depth camera sees: hills, 2 x 2 wide, with noise."""
    rng = np.random.default_rng(4)
    ground = hills(100)
    low = 0.01 * ground.vertices
    points = low[rng.integers(0, len(low), count)]
    return points + rng.normal(scale=(0.01, 0.01, 0.002), size=(count, 3))


def grip_poses(points: Array, count: int) -> Array:
    """Return poses of a gripper near points: fingers towards them, leaning and turned at random."""
    rng = np.random.default_rng(5)
    down, angle, lean = points[rng.integers(0, len(points), count)], *rng.uniform(-math.pi, math.pi, (2, count))
    lean = 0.2 * lean
    c, s, cl, sl = np.cos(angle), np.sin(angle), np.cos(lean), np.sin(lean)
    zero, one = np.zeros(count), np.ones(count)
    turned = np.stack((c, -s, zero, s, c, zero, zero, zero, one), axis=1).reshape(-1, 3, 3)
    leaning = np.stack((one, zero, zero, zero, cl, -sl, zero, sl, cl), axis=1).reshape(-1, 3, 3)
    poses = np.zeros((count, 4, 4))
    poses[:, :3, :3] = turned @ leaning
    poses[:, :3, 3] = down + np.array((0.0, 0.0, 1.0)) * rng.uniform(0.1, 0.4, (count, 1))
    poses[:, 3, 3] = 1.0
    return poses


def grip_rows(fcl: Any, repeats: int, count: int = 100_000, size: int = 50_000) -> list[Row]:
    """Return the rows of a gripper at many poses against a cloud. fcl: None for no check by it."""
    mesh, points = gripper(), cloud_points(size)
    poses = grip_poses(points, count)
    rows: list[Row] = []
    for radius in (0.0, 0.005):
        scene = Scene()
        scene.add(PointCloud(points, radius))
        body = scene.add(mesh)
        found = scene.overlap_many(body, poses)
        sample = _sample(count)
        for row in sample:
            body.pose = poses[row]
            hit = scene.sweep(body, Translate((0.0, 0.0, 0.0)))
            if found[row] != (hit is not None and hit.overlapping):
                raise SweepscopeError(f"pose {row} of many overlaps {found[row]}, the single sweep finds {hit}")
        note = f"{np.count_nonzero(found)} of {count} overlap"
        if fcl is not None:
            few = sample[:: len(sample) // _GRIPS or 1]
            note += f"; {_Grip(fcl, mesh, points).check(poses[few], radius, found[few])}"
        ours = best(lambda scene=scene, body=body: scene.overlap_many(body, poses, threads=2), repeats)
        name = f"{count:,} poses of {len(mesh.faces):,} triangles against {size:,} points of radius {radius:g}, two threads"
        rows.append(Row(name, ours / count, "50 us (5 s)", note=f"{ours:.2f} s in all; {note}"))
    return rows


class _Grip:
    """An independent answer whether a gripper overlaps points: python-fcl's balls on its surface, winding numbers inside."""

    def __init__(self, fcl: Any, mesh: Mesh, points: Array) -> None:
        self._fcl, self._model, self._points = fcl, fcl_model(fcl, mesh), points
        self._faces = mesh.vertices[mesh.faces]
        self._low, self._high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)

    def overlaps(self, pose: Array, radius: float) -> bool:
        local = (self._points - pose[:3, 3]) @ pose[:3, :3]
        local = local[((local > self._low - radius) & (local < self._high + radius)).all(axis=1)]
        return (radius > 0.0 and self._touching(local, radius)) or bool((winding(local, self._faces) > 0.5).any())

    def _touching(self, local: Array, radius: float) -> bool:
        mesh = self._fcl.CollisionObject(self._model, self._fcl.Transform())
        ball = self._fcl.Sphere(radius)
        for point in local:
            other = self._fcl.CollisionObject(ball, self._fcl.Transform(point))
            if self._fcl.collide(mesh, other, self._fcl.CollisionRequest(), self._fcl.CollisionResult()):
                return True
        return False

    def check(self, poses: Array, radius: float, found: NDArray[np.bool_]) -> str:
        """Raise if an answer is wrong also with a radius of a ten thousandth more and less."""
        close = 0
        for pose, answer in zip(poses, found.tolist(), strict=True):
            if self.overlaps(pose, radius) != answer:
                if self.overlaps(pose, 0.9999 * radius) == self.overlaps(pose, 1.0001 * radius):
                    raise SweepscopeError(
                        f"a gripper among points of radius {radius:g}: {answer}, python-fcl finds {not answer}"
                    )
                close += 1
        return f"{len(poses) - close} of {len(poses)} confirmed by python-fcl and winding numbers, {close} too close to call"


def frame_row(rapier: Any, shape: Shape, what: str, repeats: int, side: int = 10) -> Row:
    """Return the row of a frame: side^3 bodies get new poses, and each is swept by a motion of its own.

    rapier: None for no comparison.
    """
    places = grid_places(side, 1.4, 0.15)  # balls of radius 0.5 stay apart
    count = len(places)
    shifts = 0.05 * directions(count, 1.0, seed=8)
    vectors = directions(count, _PACE, seed=7)
    scene = Scene()
    bodies = scene.add_many(shape, places)
    movers = np.array(bodies, object)
    at = [places + shifts, places]

    def ours() -> Hits:
        at.reverse()
        scene.move(bodies, at[0])
        return scene.sweep_many(movers, vectors, threads=2)

    hits = ours()
    check_rows(hits, _sample(count), lambda row: scene.sweep(bodies[row], Translate(vectors[row])))
    name = f"a frame: {count:,} {what} moved, and a sweep of each, two threads"
    if rapier is None:
        return Row(name, best(ours, repeats), "8 ms", note=f"{np.count_nonzero(~hits.free)} of {count} hit")
    cast = _RapierFrame(rapier, shape, at[0], vectors / _PACE)
    note = check_travels(_free_travels(hits), cast.travels(at[0]), float(np.ptp(places)))
    theirs = [places + shifts, places]

    def others() -> list[Any]:
        theirs.reverse()
        return cast.frame(theirs[0])

    times = best_of_rounds({"ours": ours, "rapier3d": others}, 5 * repeats)
    return Row(name, times["ours"], "8 ms", {"rapier3d": times["rapier3d"]}, note)


class _RapierFrame:
    """A frame of rapier3d: colliders get new places, and each is cast among the others."""

    def __init__(self, rapier: Any, shape: Shape, places: Array, directions: Array) -> None:
        self._rapier, self._world, self._shape = rapier, rapier.PhysicsWorld(), _rapier_shape(rapier, shape)
        make = rapier.Collider.ball(shape.radius) if isinstance(shape, Sphere) else None
        handles = []
        for place in places.tolist():
            builder = make or rapier_mesh(rapier.Collider.trimesh, shape.vertices, shape.faces)
            handles.append(self._world.add_collider(builder.translation(rapier.Vec3(*place)).build()))
        self._others = [rapier.QueryFilter().exclude_collider(handle) for handle in handles]
        self._colliders = [self._world.colliders.get(handle) for handle in handles]
        self._directions = [rapier.Vec3(*direction) for direction in directions.tolist()]
        self._options = rapier.ShapeCastOptions()
        self._options.max_time_of_impact = _PACE
        self._world.detect_collisions()

    def frame(self, places: Array) -> list[Any]:
        vector, isometry = self._rapier.Vec3, self._rapier.Isometry3.from_translation
        rows = places.tolist()
        for collider, place in zip(self._colliders, rows, strict=True):
            collider.translation = vector(*place)
        self._world.update_query_pipeline()
        cast, shape, options = self._world.query_pipeline.cast_shape, self._shape, self._options
        each = zip(rows, self._directions, self._others, strict=True)
        return [cast(isometry(*place), direction, shape, options, others) for place, direction, others in each]

    def travels(self, places: Array) -> Array:
        """Return the free travel of each, inf if nothing is hit."""
        return np.array([found[1].time_of_impact if found else np.inf for found in self.frame(places)])


def grid_places(side: int, pitch: float, off: float) -> Array:
    """Return side^3 places about the origin, at least pitch - 2 off apart.

    The places of a smaller even side are among those of a larger one.
    """
    half = side // 2
    cells = np.stack(np.meshgrid(*3 * [np.arange(-half, side - half)], indexing="ij"), axis=-1).reshape(-1, 3)
    # How far a place is off the middle of its cell depends on the cell alone.
    mixed = (
        np.sin(cells @ np.array(((12.9898, 39.346, 73.156), (78.233, 11.135, 52.235), (37.719, 83.155, 9.151)))) * 43758.5453
    )
    return pitch * (cells + 0.5) + off * (2.0 * (mixed - np.floor(mixed)) - 1.0)


def crowd_rows(repeats: int, sides: tuple[int, int] = (10, 100), count: int = 100_000) -> list[Row]:
    """Return the rows of few and many bodies, as many of them in reach of a motion."""
    rng = np.random.default_rng(6)
    vectors = rng.choice((-1.0, 1.0), (count, 3)) * rng.uniform(0.6 * _FAR, _FAR, (count, 3))
    few, many = (f"{side**3:,}" for side in sides)
    scenes: dict[str, tuple[Scene, Body]] = {}
    reached = 0.0
    for name, side in ((few, sides[0]), (many, sides[1])):
        scene, places = Scene(), grid_places(side, _PITCH, 0.4)
        scene.add_many(Sphere(_RADIUS), places)
        scenes[name] = scene, scene.add(Sphere(_SMALL))
        reached = _in_reach(places, vectors[:1000])
    answers = [translations_checked(scene, body, vectors) for scene, body in scenes.values()]
    if not np.array_equal(_free_travels(answers[0]), _free_travels(answers[1])):
        raise SweepscopeError("motions among few and among many bodies are not stopped at the same places")
    note = f"{reached:.0f} balls in the box of a motion; {np.count_nonzero(~answers[0].free)} of {count} hit"
    # Corners of cells are free of balls. Motions end inside: those among many begin anywhere, those among few in the middle.
    ends = {few: 1, many: sides[1] // 2 - 3}
    starts = {name: _PITCH * rng.integers(-end, end, (count, 3)) for name, end in ends.items()}
    singles = [Translate(vector) for vector in vectors[:_CASTS]]
    works: dict[str, Callable[[], object]] = {}
    for name, (scene, body) in scenes.items():
        works[f"one {name}"] = lambda scene=scene, body=body: [scene.sweep(body, motion) for motion in singles]
        works[f"rows {name}"] = lambda scene=scene, body=body: scene.sweep_many(body, vectors, threads=2)
        works[f"begun {name}"] = lambda scene=scene, body=body, at=starts[name]: scene.sweep_many(body, vectors, at, threads=2)
    times = best_of_rounds(works, repeats)
    kinds = {
        "one": ("single sweeps", "the same", len(singles), "2 x the time"),
        "rows": (f"{count:,} rows, two threads,", "the same", count, "2 x the time"),
        "begun": (f"{count:,} rows with starts, two threads,", "the same, starts all over,", count, ""),
    }
    rows: list[Row] = []
    for kind, (base, other, queries, bar) in kinds.items():
        before, after = times[f"{kind} {few}"] / queries, times[f"{kind} {many}"] / queries
        rows.append(Row(f"{base} among {few} balls", before, "", note=note))
        rows.append(Row(f"{other} among {many}", after, bar, note=f"{after / before:.2f} x the time of {few}"))
    return rows


def _in_reach(places: Array, vectors: Array) -> float:
    """Return how many balls, on average, have a box that meets the box of a motion from the origin."""
    around = _RADIUS + _SMALL
    low, high = np.minimum(vectors, 0.0) - around, np.maximum(vectors, 0.0) + around
    near = places[np.abs(places).max(axis=1) < _FAR + around]
    return float(np.mean([((near > a) & (near < b)).all(axis=1).sum() for a, b in zip(low, high, strict=True)]))


def measure(repeats: int, say: Callable[[str], object]) -> list[Row]:
    """Run everything and return the rows; `say` gets a line of text as work proceeds."""
    rapier = peer("rapier3d")
    say("translations ...")
    rows = translation_rows(rapier, repeats)
    say("turns ...")
    rows += turn_rows(peer("fcl"), repeats)
    say("a gripper and a cloud ...")
    rows += grip_rows(peer("fcl"), repeats)
    say("frames ...")
    rows.append(frame_row(rapier, Sphere(0.5), "balls", repeats))
    rows.append(frame_row(rapier, Mesh.sphere(0.5, rows=9, sections=8), "balls of 128 triangles", repeats))
    say("a million bodies ...")
    return rows + crowd_rows(repeats)
