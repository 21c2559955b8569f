"""Laws of `push_out`: where it ends nothing overlaps, and no exit along a normal of a face is shorter."""

import copy
import math

import numpy as np
import pytest
from sweepscope_lab.reference.vectors import random_rotation

import sweepscope as ss
from sweepscope.shapes.base import with_vertices

NOW = ss.Translate((0, 0, 0))


def leave(scene, mover, **options):
    """Push out, go there, and see that nothing overlaps and that it does not hang in the air."""
    out = scene.push_out(mover, **options)
    assert out is not None
    bodies = mover if isinstance(mover, list) else [mover]
    start = [body.pose for body in bodies]
    scene.move(bodies, [out.motion.at() @ pose for pose in start])
    assert scene.sweep(mover, NOW, **options) is None
    if out.depth > 0.0:
        back = scene.sweep(mover, ss.Translate([-x for x in out.motion.vector]), **options)
        assert back is not None
        assert back.travel < 1e-7
    scene.move(bodies, start)
    return out


def l_shape():
    """A closed L of two boxes in one mesh, 2 x 2 x 1, with its inner edge at the origin."""
    outline = np.array([(-1, -1), (1, -1), (1, 0), (0, 0), (0, 1), (-1, 1)], float)
    low, high = (np.column_stack((outline, np.full(6, z))) for z in (-0.5, 0.5))
    caps = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    faces = [face[::-1] for face in caps] + [tuple(v + 6 for v in face) for face in caps]
    for k in range(6):
        j = (k + 1) % 6
        faces += [(k, j, j + 6), (k, j + 6, k + 6)]
    return ss.Mesh(np.concatenate((low, high)), faces, solid=True)


def lathe(profile, columns=16):
    """A ring: a closed profile (radius, z) turned about z."""
    angle = np.linspace(0.0, 2.0 * math.pi, columns, endpoint=False)
    rows = [(r * math.cos(a), r * math.sin(a), z) for a in angle for r, z in profile]
    count, faces = len(profile), []
    for i in range(columns):
        for j in range(count):
            a, b = i * count + j, i * count + (j + 1) % count
            c, d = (a + count) % len(rows), (i + 1) % columns * count + (j + 1) % count
            faces += [(a, c, b), (b, c, d)]
    return ss.Mesh(rows, faces, solid=True)


def torus():
    turn = np.linspace(0.0, 2.0 * math.pi, 8, endpoint=False)
    return lathe([(1.0 + 0.3 * math.cos(t), 0.3 * math.sin(t)) for t in turn])


def bowl():
    """A thick pot with its bottom: two profiles, outside and inside."""
    outer, inner = ss.Mesh.cylinder(1.0, 1.0, sections=12), ss.Mesh.cylinder(0.8, 0.8, sections=12)
    inside = inner.vertices + (0.0, 0.0, 0.2)
    rim = 24  # the poles of both caps at the top are left out: the rims are joined
    keep = [face for face in outer.faces.tolist() if rim not in face]
    hole = [[v + 26 for v in face[::-1]] for face in inner.faces.tolist() if rim not in face]
    ring = []
    for k in range(12):
        j = (k + 1) % 12
        ring += [(k, j, k + 26), (j, j + 26, k + 26)]
    return ss.Mesh(np.concatenate((outer.vertices, inside)), keep + hole + ring, solid=True)


def terrain():
    x, y = np.meshgrid(np.linspace(-2, 2, 14), np.linspace(-2, 2, 14), indexing="ij")
    return ss.Mesh.terrain(0.3 * np.sin(2 * x) * np.cos(1.5 * y), 0.3)


def world_normals(body):
    corners = (body.vertices @ body.pose[:3, :3].T + body.pose[:3, 3])[body.shape.faces]
    crossed = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.linalg.norm(crossed, axis=1)
    low, high = corners.min(axis=1), corners.max(axis=1)
    return crossed[size > 0] / size[size > 0, None], low[size > 0], high[size > 0]


def exit_along(scene, mover, normal, far=20.0):
    """How far it must go along a direction, by a sweep from far away."""
    start = mover.pose
    mover.pose = ss.Translate(far * normal).at() @ start
    hit = scene.sweep(mover, ss.Translate(-far * normal))
    mover.pose = start
    return math.inf if hit is None or hit.overlapping else far - hit.travel


OBSTACLES = {"L": l_shape, "bowl": bowl, "torus": torus, "terrain": terrain}
MOVERS = {
    "box": lambda: ss.Box((0.5, 0.3, 0.7)),
    "ball": lambda: ss.Sphere(0.35),
    "capsule": lambda: ss.Capsule.from_segment((0, 0, -0.3), (0, 0, 0.4), radius=0.2),
    "L": lambda: with_vertices(l_shape(), 0.4 * l_shape().vertices),
    "cloud": lambda: ss.PointCloud([(0, 0, 0), (0.3, 0, 0), (0, 0.3, 0.1)], 0.1),
}


@pytest.mark.parametrize("mover", MOVERS)
@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_out_of_what_is_not_convex(rng, mover, obstacle):
    deep = 0
    for _ in range(6):
        scene = ss.Scene()
        other = scene.add(OBSTACLES[obstacle](), name="other")
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = random_rotation(rng), rng.uniform(-0.9, 0.9, 3) * (1, 1, 0.4)
        body = scene.add(MOVERS[mover](), pose)
        if scene.sweep(body, NOW) is None:
            assert scene.push_out(body).depth == 0.0
            continue
        deep += 1
        out = leave(scene, body)
        assert not out.exact
        assert out.obstacles == (other,)
        low, high = body.bounds
        normals, lows, highs = world_normals(other)
        near = ((lows <= high) & (highs >= low)).all(axis=1)
        for normal in normals[near]:
            for sign in (1.0, -1.0):
                assert out.depth <= exit_along(scene, body, sign * normal) + 1e-8
    assert deep >= 2


def test_no_shorter_way_is_found_by_chance(rng):
    """Of many directions none leads out of a cup of boxes much sooner."""
    scene = ss.Scene()
    for size, place in (((2, 2, 0.2), (0, 0, 0)), ((0.2, 2, 1), (0.9, 0, 0.5)), ((2, 0.2, 1), (0, 0.9, 0.5))):
        scene.add(ss.Box(size), place)
    deep = 0
    for _ in range(10):
        body = scene.add(ss.Box(rng.uniform(0.2, 0.5, 3)), rng.uniform((0.5, 0.5, 0.0), (0.9, 0.9, 0.4)))
        if scene.sweep(body, NOW) is not None:
            deep += 1
            out = leave(scene, body)
            directions = rng.normal(size=(300, 3))
            directions /= np.linalg.norm(directions, axis=1)[:, None]
            assert min(exit_along(scene, body, each) for each in directions) > 0.99 * out.depth
        scene.remove(body)
    assert deep > 6


@pytest.mark.slow
def test_many_random_scenes(rng):
    """Several bodies of all kinds in a heap: wherever it ends, nothing overlaps."""
    deep = 0
    kinds = [*MOVERS.values(), *OBSTACLES.values(), lambda: ss.Volume(np.ones((3, 2, 4)), 0.3)]
    for _ in range(40):
        scene = ss.Scene()
        for _ in range(rng.integers(1, 5)):
            pose = np.eye(4)
            pose[:3, :3], pose[:3, 3] = random_rotation(rng), rng.uniform(-0.7, 0.7, 3)
            scene.add(kinds[rng.integers(len(kinds))](), pose)
        bodies = list(scene.bodies)
        mover = bodies[0] if len(bodies) < 3 else bodies[:2]
        margin = float(rng.choice((0.0, 0.0, 0.1)))
        out = leave(scene, mover, margin=margin)
        deep += out.depth > 0.0
    assert deep > 20


def test_it_is_the_same_every_time(rng):
    scene = ss.Scene()
    scene.add(torus())
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = random_rotation(rng), (1.0, 0.1, 0.1)
    scene.add(ss.Box((0.5, 0.4, 0.3)), pose, name="mover")
    first = scene.push_out(scene["mover"])
    other = copy.copy(scene)
    assert first.motion == scene.push_out(scene["mover"]).motion == other.push_out(other["mover"]).motion


def test_a_rigid_motion_of_all_changes_nothing(rng):
    """Of convex bodies: the length is the same, and the motion turns with them."""
    for _ in range(30):
        turn = random_rotation(rng)
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = random_rotation(rng), rng.uniform(-0.4, 0.4, 3)
        found = []
        for frame in (np.eye(3), turn):
            scene = ss.Scene()
            place = np.eye(4)
            place[:3, :3] = frame
            scene.add(ss.Box((1.0, 1.3, 0.8)), place)
            found.append(leave(scene, scene.add(ss.Box((0.6, 0.7, 0.9)), place @ pose)))
        assert found[0].depth == pytest.approx(found[1].depth, abs=1e-8)
        assert found[0].depth > 0.0
