"""Plain sweeps, which graphics cards answer: on the processor they have the travel of the library's sweeps, to the bit."""

import numpy as np
import pytest
from sweepscope_lab.kernels import plain_sweeps
from sweepscope_lab.scenes import bumpy_ball

import sweepscope as ss
from sweepscope.kernels import layout as at
from sweepscope.kernels.base.blocks import BLOCK, LEAF
from sweepscope.kernels.statuses import FREE, HIT
from sweepscope.kernels.sweep import about_axis, straight
from sweepscope.motions import paths_of
from sweepscope.queries import rows
from sweepscope.scene import store_of

NO_PAIRS = np.empty((0, 2), np.int64)


def questions_of(motions, margin=0.0, resting=0.0):
    motions = ss.Motions(motions)
    paths, lengths, _ = paths_of(motions, np.arange(len(motions)))
    questions = np.zeros((len(motions), at.QUESTION))
    questions[:, : at.TRAVEL] = paths
    questions[:, at.TRAVEL], questions[:, at.MARGIN], questions[:, at.RESTING] = lengths, margin, resting
    questions[:, at.MOVERS], questions[:, at.STAND] = 1, -1
    return questions


def ask(scene, mover, motions, **options):
    """Return the answers of sweeps and of plain sweeps, and which rows the latter left undecided."""
    store = store_of(scene)
    questions = questions_of(motions, **options)
    turning = motions[0].turns
    kernels, plain = (about_axis, plain_sweeps.sweep_about_axis) if turning else (straight, plain_sweeps.sweep_straight)
    world = rows.make_ready(store, [body.id for body in scene.bodies])
    movers = np.array([mover.id])
    table = store.arena.table_of(world.geometry)
    nodes = len(world.geometry.nodes)
    points, leaves = np.zeros((3 * BLOCK * nodes, 3)), np.zeros((BLOCK // LEAF * nodes, 6))
    plain_sweeps.flatten_shapes(table, np.unique(world.bodies[: world.rows, at.SHAPE]), points, leaves)
    exact = np.empty((len(questions), at.ANSWER))
    found = np.full_like(exact, np.nan)
    undecided = np.zeros(len(questions), np.bool_)
    rows.answer_rows(store.arena, kernels, world, store.hierarchy(), movers, rows.NO_STANDS, NO_PAIRS, -1.0, questions, exact)
    plain(
        table, world.bodies, world.poses, world.boxes, world.rows, *store.hierarchy(), points, leaves, movers, rows.NO_STANDS,
        NO_PAIRS, -1.0, questions, found, undecided,
    )  # fmt: skip
    return exact, found, undecided


def turned(rng):
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    turn *= np.linalg.det(turn)
    return turn


def crowd(rng, mover, others, count=40, spread=8.0):
    scene = ss.Scene()
    first = scene.add(mover)
    for k in range(count):
        pose = np.eye(4)
        pose[:3, :3] = turned(rng)
        pose[:3, 3] = rng.normal(size=3)
        pose[:3, 3] *= rng.uniform(3.0, spread) / np.linalg.norm(pose[:3, 3])
        scene.add(others[k % len(others)], pose)
    return scene, first


def translations(rng, count, length):
    vectors = rng.normal(size=(count, 3))
    return [ss.Translate(vector) for vector in vectors / np.linalg.norm(vectors, axis=1)[:, None] * length]


def turns(rng, count):
    some = []
    for _ in range(count):
        slide = rng.choice((0.0, 1.5))
        axis, angle, about = rng.normal(size=3), rng.uniform(0.2, 6.0), rng.normal(size=3) * 4
        some.append(ss.Screw(axis, angle, slide=slide, about=about) if slide else ss.Rotate(axis, angle, about=about))
    return some


SHAPES = {
    "meshes": (ss.Mesh.sphere(0.8, rows=9, sections=8), (ss.Mesh.box((1, 1.5, 0.7)), ss.Mesh.sphere(0.6))),
    "large": (ss.Mesh.sphere(0.7, rows=40, sections=40), (bumpy_ball(60, 60, 1.0),)),
    "round": (ss.Capsule(0.3, 1.0), (ss.Sphere(0.5), ss.Box((1, 1, 0.2)), ss.Capsule(0.2, 2.0))),
    "points": (ss.PointCloud(np.random.default_rng(3).normal(size=(60, 3)) * 0.3, radius=0.05), (ss.Box((1, 1, 1)),)),
}


@pytest.mark.slow
@pytest.mark.parametrize("turning", [False, True], ids=["translations", "turns"])
@pytest.mark.parametrize("kind", SHAPES)
def test_travels_have_the_same_bits(rng, kind, turning):
    scene, mover = crowd(rng, *SHAPES[kind])
    motions = turns(rng, 200) if turning else translations(rng, 600, 12.0)
    exact, found, undecided = ask(scene, mover, motions, margin=0.1 if kind == "points" else 0.0)
    assert undecided.mean() < 0.1
    exact, found = exact[~undecided], found[~undecided]
    hits = exact[:, at.STATUS] == HIT
    assert 0.1 < hits.mean() < 0.98
    assert (exact[:, at.STATUS] == found[:, at.STATUS]).all()
    assert (exact[hits, at.HIT_TRAVEL] == found[hits, at.HIT_TRAVEL]).all()
    assert (exact[:, at.HIT_MOVER] == found[:, at.HIT_MOVER]).all()
    assert (exact[:, at.HIT_OBSTACLE] == found[:, at.HIT_OBSTACLE]).mean() > 0.999  # several may be met at once
    # Of faces that are met at once, the other walk may name another; the point is then the same, or is met at once too.
    same = (exact[:, at.FEATURES : at.HIT_TRAVEL] == found[:, at.FEATURES : at.HIT_TRAVEL]).all(axis=1)
    assert same[hits].mean() > 0.2
    assert (exact[hits & same][:, at.POINT :] == found[hits & same][:, at.POINT :]).all()


@pytest.mark.parametrize("resting", [0.0, 1.0])
def test_contact_at_the_start_is_left_undecided(rng, resting):
    scene = ss.Scene()
    box = scene.add(ss.Mesh.box((1, 1, 1)), (0, 0, 1.0))
    scene.add(ss.Mesh.box((20, 20, 1)))  # the box rests on it
    motions = [*translations(rng, 50, 5.0), ss.Translate((1, 0, 0)), ss.Translate((0, 0, -1)), ss.Translate((0, 0, 1))]
    exact, found, undecided = ask(scene, box, motions, resting=resting)
    assert (exact[~undecided, at.STATUS] == found[~undecided, at.STATUS]).all()
    assert undecided[:-1].all()


@pytest.mark.slow
@pytest.mark.parametrize("scale", [1e-40, 1e-30, 1e-3, 1e30, 1e40])
def test_bounds_in_float32_hold_at_every_scale(rng, scale):
    ball = ss.Mesh.sphere(0.7 * scale, rows=9, sections=8)
    scene = ss.Scene()
    mover = scene.add(ball)
    for place in rng.normal(size=(30, 3)) * 4:
        if np.linalg.norm(place) > 2:
            scene.add(ball, place * scale)
    exact, found, undecided = ask(scene, mover, [ss.Translate(v) for v in rng.normal(size=(300, 3)) * 4 * scale])
    assert undecided.mean() < 0.1
    exact, found = exact[~undecided], found[~undecided]
    hits = exact[:, at.STATUS] == HIT
    assert 0.1 < hits.mean() < 0.9
    assert (exact[:, at.STATUS] == found[:, at.STATUS]).all()
    assert (exact[hits, at.HIT_TRAVEL] == found[hits, at.HIT_TRAVEL]).all()


def test_bodies_inside_others_are_left_undecided(rng):
    scene = ss.Scene()
    ball = scene.add(ss.Mesh.sphere(0.5))
    room = scene.add(ss.Mesh.box((30, 30, 30)))
    exact, _, undecided = ask(scene, ball, translations(rng, 30, 5.0))
    assert undecided.all()  # inside a solid
    scene.remove(room)
    exact, found, undecided = ask(scene, ball, translations(rng, 30, 5.0))
    assert not undecided.any()
    assert (exact[:, at.STATUS] == FREE).all()
    assert (found[:, at.STATUS] == FREE).all()


def test_rows_with_many_obstacles_are_left_undecided(rng):
    scene = ss.Scene()
    mover = scene.add(ss.Sphere(0.5))
    scene.add_many(ss.Sphere(0.3), [(0.01 * k, 0, 5.0 + 0.1 * k) for k in range(100)])
    _, _, undecided = ask(scene, mover, [ss.Translate((0, 0, 30)), ss.Translate((0, 0, -30))])
    assert undecided.tolist() == [True, False]


def test_a_body_that_is_deformed_keeps_its_own_faces(rng):
    scene, mover = crowd(rng, ss.Sphere(0.4), (ss.Mesh.sphere(0.6),))
    other = scene.bodies[5]
    scene.deform([other], [other.shape.vertices * (1.0, 2.0, 0.5)])
    exact, found, undecided = ask(scene, mover, translations(rng, 600, 12.0))
    assert not undecided.any()
    hits = exact[:, at.STATUS] == HIT
    assert (exact[hits, at.HIT_OBSTACLE] == other.id).sum() > 3
    assert (exact[:, at.STATUS] == found[:, at.STATUS]).all()
    assert (exact[hits, at.HIT_TRAVEL] == found[hits, at.HIT_TRAVEL]).all()
