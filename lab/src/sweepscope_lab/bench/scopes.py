"""Pictures, compared with Embree on the same mesh and rays, through Open3D and through trimesh; and the cost of radars.

Open3D calls Embree directly, and builds and casts on all cores. trimesh (embreex) builds on all cores and casts on one. We draw
a large picture on all cores. Depths are compared first: Embree computes in float32 and must agree to 1e-4 of the scene.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Box, Mesh, Scene, SweepscopeError, Translate, View
from sweepscope.radar import Radar, RadarSet

from ..scenes import hills
from ..scenes.radar import bouncers
from .rows import Row, best, best_in_turns, peer

_PIXELS = 200
_OURS = "sweepscope"


def _rays(view: View) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return origins and directions of the rays through the centers of pixels, shape (n, 3) each."""
    row, column = np.indices((_PIXELS, _PIXELS))
    origins = view.at(column, row, 0.0, row.shape).reshape(-1, 3)
    return origins, np.tile(view.frame[2], (len(origins), 1))


class _Trimesh:
    """Parallel rays of a view, cast by Embree through trimesh and embreex."""

    name = "Embree, trimesh"

    def __init__(self, view: View) -> None:
        peer("embreex")
        self._ray = peer("trimesh.ray.ray_pyembree")
        self._mesh = peer("trimesh").Trimesh
        self._rays = _rays(view)

    def convert(self, vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> Any:
        """Return a mesh as `build` takes it; not timed."""
        return vertices, faces

    def build(self, mesh: Any) -> Any:
        """Return a new tree."""
        intersector = self._ray.RayMeshIntersector(self._mesh(*mesh, process=False), scale_to_box=False)
        return intersector._scene  # noqa: SLF001  (Embree's tree has no public name)

    def cast(self, tree: Any) -> NDArray[np.float32]:
        """Return the depth of every ray."""
        return tree.run(*self._rays, query="DISTANCE")


class _Open3D:
    """Parallel rays of a view, cast by Embree through Open3D."""

    name = "Embree, Open3D"

    def __init__(self, view: View) -> None:
        open3d = peer("open3d")
        self._scene = open3d.t.geometry.RaycastingScene
        self._tensor = open3d.core.Tensor
        self._rays = self._tensor(np.concatenate(_rays(view), axis=1).astype(np.float32))

    def convert(self, vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> Any:
        """Return a mesh as `build` takes it; not timed."""
        return self._tensor(vertices.astype(np.float32)), self._tensor(faces.astype(np.uint32))

    def build(self, mesh: Any) -> Any:
        """Return a new scene: it has no update. Its tree is built with the first cast."""
        scene = self._scene()
        scene.add_triangles(*mesh)
        return scene

    def cast(self, scene: Any) -> NDArray[np.float32]:
        """Return the depth of every ray."""
        return scene.cast_rays(self._rays)["t_hit"].numpy()


def _difference(view: View, depth: NDArray[np.float64], theirs: NDArray[np.float32], name: str) -> float:
    """Return the largest difference of depths, as a fraction of the view's depth; raise if they disagree."""
    seen = depth < view.depth
    if np.count_nonzero(seen != (theirs < view.depth)) > 1e-3 * len(depth):
        raise SweepscopeError(f"{name} and sweepscope see different pixels")
    off = float(np.abs(depth - theirs)[seen & (theirs < view.depth)].max()) / view.depth
    if off > 1e-4:
        raise SweepscopeError(f"{name} and sweepscope differ by {off:.1e} of the scene")
    return off


def _rebuild(rival: _Open3D | _Trimesh, meshes: list[Any]) -> None:
    """Build a tree of each mesh and cast the rays."""
    for mesh in meshes:
        rival.cast(rival.build(mesh))


def _picture_rows(repeats: int) -> list[Row]:
    ground = hills(225)
    view = View((0.0, 0.0, 100.0), (0.0, 0.0, -1.0), width=200.0, height=200.0, depth=200.0, up=(0.0, 1.0, 0.0))
    scene = Scene()
    land = scene.add(ground)
    moved = [ground.vertices + np.array((0.0, 0.0, 0.01 * k)) for k in range(4)]
    depth = scene.look(view, _PIXELS).depth.ravel()

    def change() -> None:
        for vertices in moved:
            land.vertices = vertices
            scene.look(view, _PIXELS)

    off = 0.0
    still: dict[str, Callable[[], object]] = {_OURS: lambda: scene.look(view, _PIXELS)}
    changing: dict[str, Callable[[], object]] = {_OURS: change}
    for rival in (_Open3D(view), _Trimesh(view)):
        tree = rival.build(rival.convert(ground.vertices, ground.faces))
        off = max(off, _difference(view, depth, rival.cast(tree), rival.name))
        still[rival.name] = partial(rival.cast, tree)
        changing[rival.name] = partial(_rebuild, rival, [rival.convert(vertices, ground.faces) for vertices in moved])
    cast = best_in_turns(still, max(repeats, 10))
    built = {name: taken / len(moved) for name, taken in best_in_turns(changing, repeats).items()}
    unchanged, changed = cast.pop(_OURS), built.pop(_OURS)
    note = f"{len(depth):,} depths equal to Embree's to {off:.0e} of the scene (it is float32)"
    name = f"{len(ground.faces):,} triangles, {_PIXELS} x {_PIXELS}"
    return [
        Row(f"{name}, unchanged; Embree casts", unchanged, "Open3D 2 x", cast, note),
        Row(f"{name}, just changed; Embree builds and casts", changed, "Open3D 20 x, trimesh 50 x", built),
        Row(f"{name}, just changed; Embree casts alone", changed, "trimesh 3 x", cast),
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
    faces = (ball.faces + len(ball.vertices) * np.arange(len(balls), dtype=np.int32)[:, None, None]).reshape(-1, 3)

    def deform() -> None:
        for vertices in frames:
            scene.deform(balls, vertices)

    def change() -> None:
        for vertices in frames:
            scene.deform(balls, vertices)
            scene.look(view, _PIXELS)

    off = 0.0
    changing: dict[str, Callable[[], object]] = {_OURS: change}
    for rival in (_Open3D(view), _Trimesh(view)):
        meshes = [rival.convert((vertices + places[:, None, :]).reshape(-1, 3), faces) for vertices in frames]
        for vertices, mesh in zip(frames, meshes, strict=True):
            scene.deform(balls, vertices)
            depth = scene.look(view, _PIXELS).depth.ravel()
            off = max(off, _difference(view, depth, rival.cast(rival.build(mesh)), rival.name))
        changing[rival.name] = partial(_rebuild, rival, meshes)
    built = {name: taken / len(frames) for name, taken in best_in_turns(changing, repeats).items()}
    changed = built.pop(_OURS)
    alone = best(deform, max(repeats, 20)) / len(frames)
    note = f"depths equal to Embree's to {off:.0e} of the scene; new vertices take {1e3 * alone:.2f} ms"
    name = f"{len(balls)} meshes x {len(ball.faces)}, {_PIXELS} x {_PIXELS}, all changed in bulk"
    return [Row(f"{name}; Embree builds and casts", changed, "Open3D 20 x, trimesh 50 x", built, note)]


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
