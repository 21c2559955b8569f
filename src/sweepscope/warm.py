"""Compile all kernels now, on all cores, so that nobody waits for them later.

Every kind of question is asked once, about a small scene; the kernels that it needs are compiled and kept (`QUESTIONS`).
Kernels are compiled for a level of CPU where this CPU has it: what is compiled here can be shipped (`kernels._cache`).
"""

from __future__ import annotations

import contextlib
import copy
import os
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from . import checks, threads
from .fan.fan import Fan
from .fan.swing import Swing
from .formats.file_reader import FileReader
from .formats.meshes import read_content
from .motion import Rotate, Screw, Translate
from .queries.camera import PinholeCamera
from .queries.overlap import overlap
from .queries.overlap_many import overlap_many
from .queries.view import View
from .radar import on_card, straight
from .radar.masks import Masks
from .radar.radar import Radar, RadarSet
from .radar.setup import Setup
from .results.images import METHODS
from .robot.joint import Joint
from .robot.robot import Robot
from .scene import Scene, store_of
from .shapes import Box, Capsule, Mesh, PointCloud, Shape, Sphere, Volume
from .world.hierarchy import FEWEST

QUESTIONS: dict[str, Callable[[], None]] = {}
"""One function for each kind of question, by name.

Neighbors share steps, which a process compiles once; what takes longest is at both ends, where processes begin.
"""

_FALL = Translate((0.0, 0.0, -5.0))
_TURN = Rotate((0.0, 1.0, 0.0), 2.0, about=(0.0, 0.0, 1.5))


def _question(function: Callable[[], None]) -> Callable[[], None]:
    QUESTIONS[function.__name__.strip("_").replace("_", " ")] = function
    return function


def _table(*shapes: Shape) -> Scene:
    """Return a scene with a floor, and above it the shapes, one above the other."""
    scene = Scene()
    scene.add(Box((10.0, 10.0, 0.2)), name="floor")
    for k, shape in enumerate(shapes):
        scene.add(shape, (0.0, 0.0, 1.5 + 2.0 * k), name=f"mover {k}")
    return scene


@_question
def _turns() -> None:
    scene = _table(Mesh.cylinder(0.2, 1.0), Sphere(0.3), Sphere(0.05))
    for resting in ("free", "hit"):
        scene.sweep(scene["mover 0"], _TURN, resting=resting)
    scene.sweep([scene["mover 0"], scene["mover 1"]], Screw((0.0, 0.0, 1.0), 1.0, slide=-4.0), ignore=[scene["floor"]])
    scene.sweep_all(scene["mover 0"], _TURN)
    for name in ("mover 2", "mover 1"):  # one is inside the other, then they overlap
        scene[name].pose = scene["mover 0"].pose
        scene.sweep(scene[name], _TURN)


@_question
def _sweeps() -> None:
    scene = _table(Mesh.cylinder(0.2, 1.0), Sphere(0.3), Sphere(0.05))
    scene.add(Mesh.sphere(0.2, rows=150, sections=150), (4.0, 0.0, 1.0))  # large enough for more than one thread
    for resting in ("free", "hit"):
        scene.sweep(scene["mover 0"], _FALL, resting=resting, margin=0.01)
    scene.sweep([scene["mover 0"], scene["mover 1"]], _FALL, ignore=[scene["floor"]])
    for name in ("mover 2", "mover 1"):  # one is inside the other, then they overlap
        scene[name].pose = scene["mover 0"].pose
        scene.sweep(scene[name], _FALL)
    scene.overlap_many(scene["floor"], np.zeros((2, 3)))
    for rows in (1, 2):  # columns of a table with one row are another type of array
        scene.sweep_many(scene["floor"], np.ones((rows, 3)), np.zeros((rows, 3)))
    scene["mover 1"].pose = (0.0, 0.0, 3.0)
    scene.sweep_all(scene["mover 1"], _FALL)[0].hit.gradient()


@_question
def _clashes() -> None:
    scene = _table(Mesh.cylinder(0.2, 1.0), Sphere(0.3))
    scene["mover 1"].pose = scene["mover 0"].pose
    assert len(scene.overlaps()) < len(scene.overlaps(limit=5.0))
    assert overlap(Box((1.0, 1.0, 1.0)), Sphere(0.3))


@_question
def _rays() -> None:
    scene = _table(Mesh.cylinder(0.2, 1.0), Sphere(0.3))
    for radius in (0.0, 0.1):
        scene.cast((0.0, 0.0, 9.0), (0.0, 0.0, -1.0), radius=radius)
    scene.cast_all((0.0, 0.0, 9.0), (0.0, 0.0, -1.0))
    scene.look(PinholeCamera.looking_at((0.0, 0.0, 9.0), (0.0, 0.0, 0.0), fov=0.5, pixels=8))


@_question
def _contacts() -> None:
    scene = _table(Mesh.cylinder(0.2, 1.0), Sphere(0.3))
    body = scene["mover 0"]
    for height in (0.6, 0.3):  # at rest, and deep
        body.pose = (0.0, 0.0, height)
        assert scene.contacts(body, margin=0.01)


@_question
def _many_bodies() -> None:
    scene = Scene()
    bodies = scene.add_many(Sphere(0.3), np.arange(3.0 * FEWEST).reshape(-1, 3))
    for place in (1.0, 2.0):  # built, then changed
        bodies[0].pose = (place, 0.0, 0.0)
        store_of(scene).hierarchy()


@_question
def _angular_probes() -> None:
    scene = _table(Mesh.cylinder(0.2, 1.0), Capsule.from_segment((0.0, 0.0, 0.0), (0.0, 0.0, 0.5), radius=0.1), Sphere(0.2))
    for method in ("sampled", "bounding"):
        for name in ("mover 0", "mover 1", "mover 2"):
            radar = Radar(scene, scene[name], pixels=(16, 16), method=method)
            for _ in range(2):
                radar.probe(Rotate((0.0, 1.0, 0.0), 2.0, about=(2.0, 0.0, 1.0)))
    Radar(scene, scene["mover 2"], pixels=16).probe(Rotate((0.0, 0.0, 1.0), 1.0))  # a wheel on its axle


@_question
def _predictions() -> None:
    scene = _table(Mesh.cylinder(0.2, 1.0), Sphere(0.3), Box((0.5, 0.5, 0.5)))
    spin = Rotate((0.0, 0.0, 1.0), 0.1)
    scene.predict({scene["mover 0"]: _FALL, scene["mover 1"]: spin, scene["mover 2"]: spin}, horizon=60.0, margin=0.01)
    scene["mover 1"].pose = scene["mover 0"].pose
    scene.predict({scene["mover 1"]: spin, scene["mover 0"]: Screw((0.0, 1.0, 0.0), 0.1, slide=0.1)}, horizon=10.0)


@_question
def _robots() -> None:
    scene = Scene()
    scene.add(Box((2.0, 2.0, 0.1)), (0.0, 0.0, -0.05), name="table")
    arm = Robot(scene, name="arm")
    arm.add("base", Mesh.cylinder(0.08, 0.2))
    shoulder = Joint.revolute("shoulder", (0, 1, 0), origin=(0, 0, 0.15), limits=(-2, 2))
    arm.add("upper", Capsule.from_segment((0, 0, 0.05), (0, 0, 0.4), radius=0.04), parent="base", joint=shoulder)
    elbow = Joint.revolute("elbow", (0, 1, 0), origin=(0, 0, 0.45), limits=(0, 2.5))
    arm.add("lower", Mesh.cylinder(0.03, 0.3), parent="upper", joint=elbow)
    arm.overlaps()
    arm.sweep("shoulder", to=2.0)
    arm.sweep({"shoulder": 1.2, "elbow": 1.2})
    arm.free(((0.0, 0.5), (1.0, 0.5)))
    arm.edges((0.0, 0.5), (1.2, 1.2))
    arm.path(((0.0, 0.5), (1.2, 1.2), (0.0, 0.5)))
    arm.clearance(np.zeros((2, 2)))
    arm.near_pairs(limit=0.1)


@_question
def _changes() -> None:
    points = np.random.default_rng(0).random((50, 3))
    scene = _table(Mesh.cylinder(0.2, 1.0), Mesh.cylinder(0.2, 1.0), PointCloud(points, 0.01))
    bodies = [scene["mover 0"], scene["mover 1"]]
    frozen = bodies[0].vertices
    for vertices in (frozen, 1.1 * frozen):  # read-only and not
        bodies[0].vertices = vertices
        scene.deform(bodies, [vertices, vertices])
        scene.deform(bodies, np.array((vertices, vertices)))
    scene["mover 2"].vertices = 2.0 * points
    scene["mover 2"].shape = Sphere(0.2)
    scene.move(bodies, np.zeros((2, 3)))
    scene.move(bodies, np.array((np.eye(4), np.eye(4))))
    scene.add_many(Box((1.0, 1.0, 1.0)), np.zeros((2, 3)))
    scene.add(Mesh(1.0 * np.eye(4)[:, :3], [(0, 1, 2)]), name="one vertex unused")
    assert bodies[0].bounds[0, 0] < bodies[0].bounds[1, 0]
    assert len(copy.copy(scene)) == len(scene)


@_question
def _files() -> None:
    square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0.12345678901234567890\nf 1 2 3 4\n"
    corners = "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
    head = "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
    head += "element face 1\nproperty list uchar int vertex_indices\n"
    face = np.array((3,), "<u1").tobytes() + np.arange(3, dtype="<i4").tobytes()
    files = {
        "a.obj": square.encode(),
        "a.off": b"OFF 3 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
        "a.stl": f"solid\nfacet normal 0 0 1\nouter loop\n{corners}endloop\nendfacet\nendsolid\n".encode(),
        "a.ply": f"ply\nformat ascii 1.0\n{head}end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n".encode(),
        "b.ply": f"ply\nformat binary_little_endian 1.0\n{head}end_header\n".encode() + np.eye(3, dtype="<f4").tobytes() + face,
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            (Path(folder) / name).write_bytes(content)
            read_content(Path(folder) / name, FileReader())


@_question
def _large_meshes() -> None:
    ball = Mesh.sphere(1.0, rows=400, sections=400)
    soup = Mesh(ball.vertices[ball.faces].reshape(-1, 3), np.arange(3 * len(ball.faces)).reshape(-1, 3))
    for shape in (ball, soup):
        scene = _table(shape, Sphere(0.1))
        scene["mover 1"].pose = scene["mover 0"].pose
        scene.sweep(scene["mover 1"], Translate((0.1, 0.0, 0.0)))


@_question
def _volumes() -> None:
    ball = np.linalg.norm(np.indices((12, 12, 12)) - 5.5, axis=0) < 5.0
    for dtype in (np.bool_, np.uint8, np.int16, np.uint16, np.float32, np.float64):
        for order in ("C", "F"):
            volume = Volume(np.asarray(ball, dtype, order=order), (0.1, 0.2, 0.1), threshold=0.0)
        volume[2:4] = 0
        volume[3, 3, 3] = 1
        volume[[1, 2], [3, 4], [5, 6]] = 1
        volume[ball] = 1
        assert volume.copy().count
        volume.threshold = 0.5
    assert all(map(len, (volume.bounds, volume.vertices, volume.faces, volume.planes, volume.lines)))
    assert volume.picture(transparent=True, size=(16, 16)).pixels.any()
    Volume.from_mesh(Mesh.sphere(1.0), 0.2)
    Volume.from_mesh(Mesh.sphere(1.0), 0.2, keep_alpha=False)


@_question
def _swings() -> None:
    points = np.array(((0.5, 0.5, 0.0), (9.0, 9.0, 9.0)))
    for axis in ((0.0, 0.0, 1.0), (1.0, 2.0, 3.0)):
        swing = Swing(Box((2.0, 0.2, 0.3)), (1.0, 0.0, 0.0), axis=axis, angle=1.0)
        swing.times(points)
        swing.sphere_times(points, 0.1)
        if swing.upright:
            swing.capsule_times(points, points + (0.0, 0.0, 1.0), 0.1)


@_question
def _overlaps() -> None:
    ball = np.linalg.norm(np.indices((12, 12, 12)) - 5.5, axis=0) < 5.0
    first, second = Volume(ball, 0.1), Volume(ball, 0.1)
    turned = Rotate((1.0, 2.0, 3.0), 0.5).at(1.0)
    for pose, sense in (((0.3, 0.0, 0.0), "centers"), (turned, "centers"), (turned, "cubes"), ((0.33, 0.1, 0.0), "cubes")):
        found = overlap(first, second, pose, sense=sense)
        assert found.count
        assert found.removed
        assert overlap_many(first, second, [pose], sense=sense).all()


@_question
def _volumes_in_scenes() -> None:
    ball = np.linalg.norm(np.indices((12, 12, 12)) - 5.5, axis=0) < 5.0
    scene = Scene()
    low = scene.add(Volume(ball, 0.1), name="low")
    beside = scene.add(Volume(ball, 0.1), (0.0, 3.0, 0.0), name="beside")
    high = scene.add(Volume(ball.astype(np.float32), 0.1), (0.0, 0.0, 3.0), name="high")
    scene.add(Volume(ball, 0.13), (3.0, 0.0, 0.0), name="coarse")
    for motion in (
        Translate((0.0, 0.0, -5.0)),
        Translate((0.3, 0.1, -5.0)),
        Translate((3.0, 0.0, -3.0)),
        Translate((5.0, 0.0, 0.0)),
        _TURN,
    ):
        for resting in ("free", "hit"):
            scene.sweep(high, motion, resting=resting)
    scene.sweep(beside, Translate((0.0, -5.0, 0.0)))
    bool(overlap(low, high))
    volume = low.shape
    assert isinstance(volume, Volume)
    volume[3:5, 3:5, 3:5] = False
    scene.sweep(high, _FALL)
    high.pose = (0.0, 0.0, 0.5)
    scene.sweep(high, _FALL)


@_question
def _distances() -> None:
    scene = _table(Mesh.cylinder(0.2, 1.0), Sphere(0.3))
    scene.distance(scene["mover 0"], scene["mover 1"])
    scene.nearest(scene["mover 0"], k=2)
    scene.distance_many(scene["mover 0"], np.zeros((2, 3)))


@_question
def _points() -> None:
    scene = _table(Mesh.cylinder(0.2, 1.0), Sphere(0.3))
    scene.signed_distance(np.zeros((2, 3)))
    scene.depth_along(scene["mover 0"], scene["mover 1"], (0.0, 0.0, 1.0))


@_question
def _fans() -> None:
    fan = Fan.from_swing(Box((2.0, 0.2, 0.3)), (1.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0), angle=1.0)
    points = np.array(((0.5, 0.5, 0.0), (9.0, 9.0, 9.0)))
    fan.contains(points)
    fan.hits_circles(points[:, :2], 0.1)
    fan.hits_rectangles(points[:, :2], points[:, :2] + 1.0, 0.3)
    fan.hits_capsules_2d(points[:, :2], points[:, :2] + 1.0, 0.1)
    fan.hits_spheres(points, 0.1)
    fan.hits_capsules(points, points + 1.0, 0.1)
    fan.hits_boxes((1.0, 1.0, 1.0), points)
    fan.hits_convex(points)
    fan.hits_fans([fan, fan])
    for mesh in (Mesh.box((9.0, 9.0, 9.0)), Mesh.sphere(1.0)):
        fan.hits_mesh(mesh)
        Fan.enclosing(mesh, (1.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0), angle=1.0)


@_question
def _looks() -> None:
    scene = _table(
        Mesh.sphere(0.5, rows=150, sections=150),
        Sphere(0.3),
        Capsule.from_segment((0.0, 0.0, 0.0), (0.0, 0.0, 0.5), radius=0.1),
    )
    view = View((0.0, 0.0, 9.0), (0.0, 0.0, -1.0), width=8.0, height=8.0, depth=20.0)
    for bounding in (False, True):
        scene.look(view, 16, bounding=bounding)
        scene.look_many([view, view], 16, bounding=bounding)
    scene.look(view, (400, 400))
    scene.look(view, 16, ignore=[scene["floor"]])
    scene.add(Volume(np.ones((9, 9, 9), np.bool_), 0.1), (2.0, 0.0, 2.0))
    scene.look(view, 16)
    scene.search(
        scene["floor"], View((0.0, 0.0, 9.0), (1.0, 0.0, 0.0), width=8.0, height=8.0, depth=20.0), 16, axis=(0.0, 1.0, 0.0)
    )


@_question
def _probes() -> None:
    scene = _table(Mesh.cylinder(0.2, 1.0), Sphere(0.3))
    for method in METHODS:
        radars = RadarSet(scene, [scene["mover 0"], scene["mover 1"]], pixels=16, method=method)
        for _ in range(2):
            radars.probe([_FALL, _FALL])
        radars.probe([_FALL, None], ignore=[scene["floor"]])
    # What a card has drawn is finished by kernels of its own.
    store = store_of(scene)
    setup = Setup(store, tuple(store.check_movers(scene["mover 0"])), (16, 16), "sampled", None)
    job = straight.prepare(setup, Masks(), _FALL, ())
    on_card.starts_near(job, store.world())
    on_card.finish(job, store.world(), np.full((16, 16, 2), -1.0))


def warm(kinds: Iterable[str] | None = None, *, on_ready: Callable[[str], None] | None = None) -> None:
    """Compile kernels now, on all cores. All of them take a minute or two the first time, and seconds after that.

    kinds: names in `QUESTIONS`; None for all. on_ready: called with a name when the kernels of that kind are ready.
    """
    from .kernels._jit import FOLDER

    wanted = list(QUESTIONS) if kinds is None else [checks.choice(kind, "kind", tuple(QUESTIONS)) for kind in kinds]
    todo, lock = deque(), threading.Lock()
    for kind in dict.fromkeys(wanted):
        if not FOLDER.is_ready(kind):
            todo.append(kind)
        elif on_ready is not None:
            on_ready(kind)

    def work(take: Callable[[], str]) -> None:
        with contextlib.suppress(BrokenPipeError, IndexError), _start_worker() as worker:
            assert worker.stdin is not None
            assert worker.stdout is not None
            while True:
                kind = take()  # raises IndexError when nothing is left
                print(kind, file=worker.stdin, flush=True)
                if worker.stdout.readline().strip() != kind:
                    return  # it died, and has said why
                if on_ready is not None:
                    with lock:
                        on_ready(kind)

    crew = [
        threading.Thread(target=work, args=(todo.pop if k % 2 else todo.popleft,), daemon=True)
        for k in range(min(threads.WORKERS, len(todo)))
    ]
    for each in crew:
        each.start()
    for each in crew:
        each.join()
    missing = [kind for kind in wanted if not FOLDER.is_ready(kind)]
    if missing:
        raise RuntimeError(f"kernels could not be compiled or kept: {', '.join(missing)}")


_WORKER = (
    "import logging; logging.getLogger('sweepscope').setLevel('ERROR')\n"  # before kernels are imported, which may warn
    "from sweepscope import warm; warm._answer()"
)


def _start_worker() -> subprocess.Popen[str]:
    """Return a process that asks the questions whose names it reads, and answers with the name.

    It imports from where this process does: the sources need not be installed, as when a wheel is built.
    """
    code = f"import sys; sys.path[:] = {sys.path!r}\n{_WORKER}"
    return subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=_environment()
    )


def _environment() -> dict[str, str]:
    from .kernels._cache import HAS_LEVEL, LEVEL
    from .kernels._jit import IS_TESTED

    level = {"NUMBA_CPU_NAME": LEVEL, "NUMBA_CPU_FEATURES": ""} if HAS_LEVEL and IS_TESTED else {}
    return {**os.environ, **level}


def _answer() -> None:
    import gc

    from .kernels._jit import FOLDER

    gc.disable()  # the compiler makes many objects and hardly any cycles; the process is short-lived
    for line in sys.stdin:
        kind = line.strip()
        QUESTIONS[kind]()
        FOLDER.mark_ready(kind)
        print(kind, flush=True)  # noqa: T201  (the answer to the process that started this one)
