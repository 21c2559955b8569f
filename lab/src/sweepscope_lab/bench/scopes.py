"""Pictures, compared with Embree (embreex, through trimesh) on the same mesh and rays; and the cost of radars.

Depths are compared first: Embree computes in float32 and must agree to 1e-4 of the scene. It builds
its tree on all cores and casts on one; we draw a large picture on two threads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Box, Mesh, Scene, SweepscopeError, Translate, View
from sweepscope.radar import Radar, RadarSet

from ..scenes import hills
from ..scenes.radar import bouncers
from .rows import Row, best, peer

_PIXELS = 200


class _Embree:
    """Parallel rays of a view, cast by Embree."""

    def __init__(self, view: View) -> None:
        peer("embreex")
        self._ray = peer("trimesh.ray.ray_pyembree")
        self._mesh = peer("trimesh").Trimesh
        row, column = np.indices((_PIXELS, _PIXELS))
        self._origins = view.at(column, row, 0.0, row.shape).reshape(-1, 3)
        self._toward = np.tile(view.frame[2], (len(self._origins), 1))

    def build(self, vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> Any:
        """Return a new tree."""
        intersector = self._ray.RayMeshIntersector(self._mesh(vertices, faces, process=False), scale_to_box=False)
        return intersector._scene  # noqa: SLF001  (Embree's tree has no public name)

    def cast(self, tree: Any) -> NDArray[np.float32]:
        """Return the depth of every ray."""
        return tree.run(self._origins, self._toward, query="DISTANCE")


def _picture_rows(repeats: int) -> list[Row]:
    ground = hills(225)
    view = View((0.0, 0.0, 100.0), (0.0, 0.0, -1.0), width=200.0, height=200.0, depth=200.0, up=(0.0, 1.0, 0.0))
    scene = Scene()
    land = scene.add(ground)
    rival = _Embree(view)
    tree = rival.build(ground.vertices, ground.faces)
    depth = scene.look(view, _PIXELS).depth.ravel()
    theirs = rival.cast(tree)
    off = float(np.abs(depth - theirs).max()) / 200.0
    if off > 1e-4:
        raise SweepscopeError(f"Embree and sweepscope differ by {off:.1e} of the scene")
    note = f"{len(depth):,} depths equal to Embree's to {off:.0e} of the scene (it is float32)"
    moved = [ground.vertices + np.array((0.0, 0.0, 0.01 * k)) for k in range(4)]

    def ours_changed() -> None:
        for vertices in moved:
            land.vertices = vertices
            scene.look(view, _PIXELS)

    def theirs_changed() -> None:
        for vertices in moved:
            rival.cast(rival.build(vertices, ground.faces))

    rounds = max(repeats, 10)
    changed = best(ours_changed, rounds) / len(moved)
    built = best(theirs_changed, repeats) / len(moved)
    cast = best(lambda: rival.cast(tree), rounds)
    still = best(lambda: scene.look(view, _PIXELS), rounds)
    name = f"{len(ground.faces):,} triangles, {_PIXELS} x {_PIXELS}"
    return [
        Row(f"{name}, just changed; Embree builds and casts", changed, "50 x", {"Embree": built}, note),
        Row(f"{name}, just changed; Embree casts alone", changed, "3 x", {"Embree": cast}),
        Row(f"{name}, unchanged; Embree casts alone", still, "", {"Embree": cast}),
    ]


def _many_rows(repeats: int) -> list[Row]:
    """Many small meshes that all change: new vertices in bulk, then a picture. Embree has them as one mesh."""
    ball = Mesh.sphere(0.5, rows=17, sections=16)
    column, line = (axis.ravel() for axis in np.meshgrid(np.arange(15), np.arange(13)))
    places = np.column_stack((1.25 * column - 8.75, 1.25 * line - 7.5, np.zeros(len(line))))
    view = View((0.0, 0.0, 10.0), (0.0, 0.0, -1.0), width=20.0, height=20.0, depth=20.0, up=(0.0, 1.0, 0.0))
    scene = Scene()
    balls = scene.add_many(ball, places)
    rng = np.random.default_rng(7)
    # Four frames: every ball is stretched along each axis by a factor of its own.
    frames = [ball.vertices * rng.uniform(0.8, 1.2, (len(balls), 1, 3)) for _ in range(4)]
    joined = [(vertices + places[:, None, :]).reshape(-1, 3) for vertices in frames]
    faces = (ball.faces + len(ball.vertices) * np.arange(len(balls), dtype=np.int32)[:, None, None]).reshape(-1, 3)
    rival = _Embree(view)
    off = 0.0
    for vertices, together in zip(frames, joined, strict=True):
        scene.deform(balls, vertices)
        depth = scene.look(view, _PIXELS).depth.ravel()
        theirs = rival.cast(rival.build(together, faces))
        seen = (depth < view.depth) & (theirs < view.depth)
        if np.count_nonzero((depth < view.depth) != (theirs < view.depth)) > 1e-3 * len(depth):
            raise SweepscopeError("Embree and sweepscope see different pixels")
        off = max(off, float(np.abs(depth - theirs)[seen].max()) / view.depth)
    if off > 1e-4:
        raise SweepscopeError(f"Embree and sweepscope differ by {off:.1e} of the scene")

    def ours_changed() -> None:
        for vertices in frames:
            scene.deform(balls, vertices)
            scene.look(view, _PIXELS)

    def ours_deformed() -> None:
        for vertices in frames:
            scene.deform(balls, vertices)

    def theirs_changed() -> None:
        for together in joined:
            rival.cast(rival.build(together, faces))

    rounds = max(repeats, 20)
    changed = best(ours_changed, rounds) / len(frames)
    built = best(theirs_changed, repeats) / len(frames)
    note = (
        f"depths equal to Embree's to {off:.0e} of the scene; new vertices take {best(ours_deformed, rounds) / 4 * 1e3:.2f} ms"
    )
    name = f"{len(balls)} meshes x {len(ball.faces)}, {_PIXELS} x {_PIXELS}, all changed in bulk"
    return [Row(f"{name}; Embree builds and casts", changed, "50 x", {"Embree": built}, note)]


def _moved_row(repeats: int) -> Row:
    scene = Scene()
    rng = np.random.default_rng(7)
    boxes = scene.add_many(Box((1.0, 1.0, 1.0)), rng.uniform(-50.0, 50.0, (1000, 3)))
    poses = np.tile(np.eye(4), (len(boxes), 1, 1))
    poses[:, :3, 3] = rng.uniform(-50.0, 50.0, (1000, 3))
    return Row("1,000 bodies moved in bulk", best(lambda: scene.move(boxes, poses), max(repeats, 50)), "0.3 ms")


def _radar_rows(repeats: int) -> list[Row]:
    world = bouncers()
    scene, balls = world.scene, world.balls
    motions = [Translate(5.0 * velocity) for velocity in world.velocities]
    rows = []
    for count in (10, 50):
        radars = RadarSet(scene, balls[:count], pixels=50)

        def frame(radars: RadarSet = radars, count: int = count) -> None:
            for radar in radars.radars:
                radar.pixels = 50  # forgets the mask
            radars.probe(motions[:count])

        taken = best(frame, max(repeats, 10))
        hits = sum(reading.hit for reading in radars.probe(motions[:count]))
        note = f"{hits} of {count} meet something; no mask is reused"
        rows.append(Row(f"{count} radars, 50 x 50, 6,406 polygons", taken, "16 ms" if count == 50 else "", note=note))
    few, many = rows[0].ours / 10.0, rows[1].ours / 50.0
    rows.append(Row("one of 50 radars", many, "", note=f"{many / few:.2f} x the time of one of 10: linear is 1"))
    reused = RadarSet(scene, balls, pixels=50)
    rows.append(Row("50 radars, 50 x 50, masks reused", best(lambda: reused.probe(motions), max(repeats, 10)), ""))
    return rows


def _small_row(repeats: int) -> Row:
    scene = Scene()
    scene.add(Mesh.box((10.0, 10.0, 0.2)))
    ball = scene.add(Mesh.sphere(0.5, rows=9, sections=8), (0.0, 0.0, 3.0))
    radar = Radar(scene, ball, pixels=50)
    motion = Translate((0.0, 0.0, -5.0))

    def work() -> None:
        for _ in range(200):
            radar.probe(motion)

    return Row("one probe, 50 x 50: ball, floor, mask reused", best(work, repeats) / 200, "")


def measure(repeats: int, say: Callable[[str], object]) -> list[Row]:
    """Run everything and return the rows; `say` gets a line of text as work proceeds."""
    say("pictures ...")
    rows = _picture_rows(repeats)
    say("many bodies ...")
    rows += _many_rows(repeats)
    rows.append(_moved_row(repeats))
    say("radars ...")
    rows += _radar_rows(repeats)
    rows.append(_small_row(repeats))
    return rows
