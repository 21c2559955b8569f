"""Straight sweeps, compared with rapier3d and python-fcl: the same meshes and motions, one process, one thread.

Answers are compared first. rapier3d computes in float32: it must agree to 1e-4 of the scene. python-fcl's continuous mesh
test misses hits: we count its errors and do not require that it agrees.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Box, Mesh, Scene, Sphere, Translate

from ..scenes import bumpy_ball, hills, scattered_balls
from .rows import Row, best, check_travels, directions, fcl_model, peer, rapier_mesh, rapier_world


class _RapierCast:
    """rapier3d's cast of a mesh through a world of meshes."""

    def __init__(self, rapier: Any, mover: Mesh, start: NDArray[np.float64]) -> None:
        self._rapier = rapier
        self._shape = rapier_mesh(rapier.SharedShape.trimesh, mover.vertices, mover.faces)
        self._at = rapier.Isometry3.from_translation(*start)

    def world(self, meshes: Sequence[tuple[NDArray[np.float64], NDArray[np.int32]]]) -> Any:
        """Build the world."""
        return rapier_world(self._rapier, (rapier_mesh(self._rapier.Collider.trimesh, *mesh) for mesh in meshes))

    def cast(self, world: Any, vector: NDArray[np.float64]) -> float:
        """Return the free travel, inf if nothing is hit."""
        length = float(np.linalg.norm(vector))
        options = self._rapier.ShapeCastOptions()
        options.max_time_of_impact = length
        found = world.query_pipeline.cast_shape(self._at, self._rapier.Vec3(*(vector / length)), self._shape, options)
        return found[1].time_of_impact if found else np.inf


def _ours(scene: Scene, body: Body, motions: Sequence[Translate]) -> NDArray[np.float64]:
    hits = [scene.sweep(body, motion) for motion in motions]
    return np.array([np.inf if hit is None else hit.travel for hit in hits])


class _Fcl:
    """python-fcl's continuous test of two meshes."""

    def __init__(self, fcl: Any, mover: Mesh, other: Mesh) -> None:
        self._fcl = fcl
        self._models = [fcl_model(fcl, mesh) for mesh in (mover, other)]
        self.shortest = np.inf

    def travel(self, start: NDArray[np.float64], vector: NDArray[np.float64]) -> float:
        """Return the free travel, inf if nothing is hit; `shortest` keeps the shortest time of a call [s]."""
        still = self._fcl.Transform()
        moving = self._fcl.CollisionObject(self._models[0], self._fcl.Transform(start))
        other = self._fcl.CollisionObject(self._models[1], still)
        request = self._fcl.ContinuousCollisionRequest(num_max_iterations=10, toc_err=1e-4)
        result = self._fcl.ContinuousCollisionResult()
        begin = time.perf_counter()
        share = self._fcl.continuousCollide(moving, self._fcl.Transform(start + vector), other, still, request, result)
        self.shortest = min(self.shortest, time.perf_counter() - begin)
        return float(share * np.linalg.norm(vector)) if share < 1.0 else np.inf


def _mesh_rows(peers: tuple[Any, Any], ball: Mesh, ground: Mesh, bar: str, changed_bar: str, repeats: int) -> list[Row]:
    rapier, fcl = peers
    start = np.array((0.0, 0.0, 60.0))
    rng = np.random.default_rng(1)
    down = np.column_stack((rng.uniform(-0.6, 0.6, (20, 2)), -np.ones(20)))
    vectors = 100.0 * down / np.linalg.norm(down, axis=1)[:, None]
    motions = [Translate(vector) for vector in vectors]
    scene = Scene()
    land = scene.add(ground)
    body = scene.add(ball, start)
    rival = _RapierCast(rapier, ball, start)
    world = rival.world([(ground.vertices, ground.faces)])
    answers = _ours(scene, body, motions)
    note = check_travels(answers, np.array([rival.cast(world, vector) for vector in vectors]), 200.0)
    third = _Fcl(fcl, ball, ground)
    by_fcl = np.array([third.travel(start, vector) for vector in vectors[:3]])
    wrong = int((~(np.abs(by_fcl - answers[:3]) < 1e-2)).sum())
    note += f"; python-fcl wrong on {wrong} of 3"
    ours = best(lambda: _ours(scene, body, motions), repeats) / len(motions)
    theirs = best(lambda: [rival.cast(world, vector) for vector in vectors], repeats) / len(motions)
    name = f"{len(ball.faces):,} on {len(ground.faces):,} triangles"
    result = [Row(f"{name}, nothing changed", ours, bar, {"rapier3d": theirs, "python-fcl": third.shortest}, note)]
    if changed_bar:
        moved = [ground.vertices + np.array((0.0, 0.0, 0.01 * k)) for k in range(4)]

        def ours_changed() -> None:
            for vertices in moved:
                land.vertices = vertices
                scene.sweep(body, motions[0])

        def theirs_changed() -> None:
            for vertices in moved:
                rival.cast(rival.world([(vertices, ground.faces)]), vectors[0])

        ours = best(ours_changed, repeats) / len(moved)
        theirs = best(theirs_changed, repeats) / len(moved)
        result.insert(0, Row(f"{name}, ground just changed", ours, changed_bar, {"rapier3d": theirs}))
    return result


def balls_in_space() -> tuple[Mesh, Mesh, NDArray[np.float64]]:
    """Return a body of 512 triangles, the mover of 1,250, and places of 194 such bodies around it, shape (194, 3)."""
    places = scattered_balls(194, 2000.0, 110.0)
    return Mesh.sphere(40.0, rows=17, sections=16), Mesh.sphere(60.0, rows=26, sections=25), places


def _body_rows(rapier: Any, repeats: int) -> list[Row]:
    small, ball, inner = balls_in_space()
    vectors = directions(60, 800.0)
    motions = [Translate(vector) for vector in vectors]
    # Ten times as many bodies at the same density. Those in the middle are the same, so motions meet the same ones.
    wide = 2000.0 * 10.0 ** (1.0 / 3.0)
    outer = scattered_balls(4000, wide, 0.0, seed=1)
    outer = outer[np.abs(outer).max(axis=1) > 1000.0][: 10 * len(inner) - len(inner)]
    times = []
    notes = []
    for places in (inner, np.concatenate((inner, outer))):
        scene = Scene()
        for place in places:
            scene.add(small, place)
        body = scene.add(ball)
        rival = _RapierCast(rapier, ball, np.zeros(3))
        world = rival.world([(small.vertices + place, small.faces) for place in places])
        notes.append(check_travels(_ours(scene, body, motions), np.array([rival.cast(world, v) for v in vectors]), 2000.0))
        ours = best(lambda scene=scene, body=body: _ours(scene, body, motions), repeats) / len(motions)
        theirs = best(lambda rival=rival, world=world: [rival.cast(world, v) for v in vectors], repeats) / len(motions)
        times.append((len(places), ours, theirs))
    (few, few_ours, few_theirs), (many, many_ours, many_theirs) = times
    return [
        Row(f"1,250 triangles through {few} bodies x 512", few_ours, "2 x", {"rapier3d": few_theirs}, notes[0]),
        Row(
            f"the same through {many} bodies",
            many_ours,
            "1.5 x the time",
            {"rapier3d": many_theirs},
            f"{many_ours / few_ours:.2f} x the time of {few} bodies; {notes[1]}",
        ),
    ]


def _small_row(repeats: int) -> Row:
    scene = Scene()
    scene.add(Box((10.0, 10.0, 0.2)))
    ball = scene.add(Sphere(0.5), (0.0, 0.0, 3.0))
    runs = 1000

    def work() -> None:
        for _ in range(runs):
            scene.sweep(ball, Translate((0.0, 0.0, -5.0)))

    return Row("one call: ball, floor", best(work, repeats) / runs, "12 us", note="the motion is built in each call")


def measure(repeats: int, say: Callable[[str], object]) -> list[Row]:
    """Run everything and return the rows; `say` gets a line of text as work proceeds."""
    rapier, fcl = peer("rapier3d"), peer("fcl")
    say("10,082 on 49,928 triangles ...")
    rows = _mesh_rows((rapier, fcl), bumpy_ball(72, 71), hills(159), "5 x", "40 x", repeats)
    say("50,244 on 100,352 triangles ...")
    rows += _mesh_rows((rapier, fcl), bumpy_ball(160, 158), hills(225), "6 x", "", repeats)
    say("bodies ...")
    rows += _body_rows(rapier, repeats)
    rows.append(_small_row(repeats))
    return rows
