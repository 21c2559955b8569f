import numpy as np
import pytest

import sweepscope as ss
from sweepscope.scene import store_of

DOWN = ss.Translate((0, 0, -10))


def _drop(scene, body, **options):
    hit = scene.sweep(body, DOWN, **options)
    return None if hit is None else hit.obstacle.name


@pytest.fixture
def stack():
    """A ball over three shelves."""
    scene = ss.Scene()
    for k in range(3):
        scene.add(ss.Box((1, 1, 0.1)), (0, 0, float(k)), name=f"shelf {k}", group="shelves" if k else "ground")
    scene.add(ss.Sphere(0.1), (0, 0, 5), name="ball", group="balls")
    return scene


def test_ids_are_stable_and_never_reused(stack):
    ids = [body.id for body in stack]
    assert ids == [0, 1, 2, 3]
    stack.remove(stack["shelf 2"])
    new = stack.add(ss.Sphere(1))
    assert new.id == 4
    assert [body.id for body in stack.bodies] == [0, 1, 3, 4]
    assert stack[3].name == "ball"
    assert len(stack) == 4


def test_names_are_unique_and_found(stack):
    assert stack["ball"].shape.radius == 0.1
    with pytest.raises(ss.errors.InvalidQuery, match="taken"):
        stack.add(ss.Sphere(1), name="ball")
    with pytest.raises(ss.errors.NotFound, match="no body 'cat' in this scene; it has 'shelf 0'"):
        stack["cat"]
    assert stack["ball"] in stack
    assert stack["ball"] not in ss.Scene()


def test_remove_ignore_and_filters(stack):
    ball = stack["ball"]
    assert _drop(stack, ball) == "shelf 2"
    assert _drop(stack, ball, ignore=[stack["shelf 2"]]) == "shelf 1"
    stack.ignore(ball, stack["shelf 2"])
    assert _drop(stack, ball) == "shelf 1"
    assert stack.sweep(stack["shelf 2"], ss.Translate((0, 0, 9))) is None  # either way round
    stack.ignore_groups("balls", "shelves")
    assert _drop(stack, ball) == "shelf 0"
    stack.unignore_groups("balls", "shelves")
    assert _drop(stack, ball) == "shelf 1"
    stack.unignore(ball, stack["shelf 2"])
    assert _drop(stack, ball) == "shelf 2"
    late = stack.add(ss.Box((1, 1, 0.1)), (0, 0, 4), name="late", group="shelves")
    stack.ignore_groups("balls", "shelves")
    assert _drop(stack, ball) == "shelf 0"
    stack.remove(late)
    stack.remove(stack["shelf 0"])
    assert _drop(stack, ball) is None
    with pytest.raises(ss.errors.NotFound, match="no group 'cats'"):
        stack.ignore_groups("balls", "cats")
    with pytest.raises(ss.errors.InvalidType, match="b: expected a Body of this scene, got 'shelves'"):
        stack.ignore(ball, "shelves")


def test_ignoring_one_mover_does_not_blind_the_other(stack):
    ball = stack["ball"]
    other = stack.add(ss.Sphere(0.1), (0, 0.3, 5), name="other")
    stack.ignore(ball, stack["shelf 2"])
    hit = stack.sweep([ball, other], DOWN)
    assert hit is not None
    assert (hit.mover.name, hit.obstacle.name) == ("other", "shelf 2")


def test_moving_a_body_changes_the_answer_and_nothing_else(stack):
    ball = stack["ball"]
    ball.pose = (5, 0, 5)
    assert _drop(stack, ball) is None
    np.testing.assert_array_equal(ball.pose[:3, 3], (5, 0, 5))
    with pytest.raises(ValueError, match="read-only"):
        ball.pose[0, 3] = 0.0
    with pytest.raises(ValueError, match="read-only"):
        ball.vertices[0, 0] = 1.0
    stack["shelf 1"].pose = (5, 0, 1)
    assert _drop(stack, ball) == "shelf 1"
    np.testing.assert_allclose(stack["shelf 1"].bounds, [(4.5, -0.5, 0.95), (5.5, 0.5, 1.05)])


def test_bodies_share_a_shape_until_one_deforms():
    scene = ss.Scene()
    sheet = ss.Mesh.terrain(np.zeros((5, 5)), 1.0)
    left, right = scene.add(sheet, (-10, 0, 0)), scene.add(sheet, (10, 0, 0))
    ball = scene.add(ss.Sphere(0.5))
    for place in (-10, 10):
        ball.pose = (place, 0, 3)
        hit = scene.sweep(ball, DOWN)
        assert hit is not None
        assert hit.travel == pytest.approx(2.5, abs=1e-12)
    right.vertices = right.vertices + np.array((0, 0, 1.0))
    np.testing.assert_array_equal(left.vertices, sheet.vertices)
    for place, travel in ((-10, 2.5), (10, 1.5)):
        ball.pose = (place, 0, 3)
        hit = scene.sweep(ball, DOWN)
        assert hit is not None
        assert hit.travel == pytest.approx(travel, abs=1e-12)


def test_faces_may_change_too():
    scene = ss.Scene()
    thing = scene.add(ss.Mesh.box((2, 2, 2)))
    ball = scene.add(ss.Sphere(0.5), (0, 0, 5))
    thing.vertices = thing.vertices * 2.0
    first = scene.sweep(ball, DOWN)
    thing.shape = ss.Mesh.sphere(1.0, rows=30, sections=30)
    second = scene.sweep(ball, DOWN)
    thing.shape = ss.Sphere(3.0)
    third = scene.sweep(ball, DOWN)
    assert first is not None
    assert second is not None
    assert third is not None
    assert [round(hit.travel, 9) for hit in (first, second, third)] == [2.5, 3.5, 1.5]


@pytest.mark.slow
def test_space_is_reclaimed(rng):
    """Thousands of shapes come and go; the answers stay right and the arrays stay small."""
    scene = ss.Scene()
    keeper = scene.add(ss.Mesh.sphere(1.0, rows=20, sections=20), name="keeper")
    deformed = scene.add(ss.Mesh.sphere(1.0, rows=20, sections=20), (5, 0, 0), name="deformed")
    deformed.vertices = deformed.vertices * 1.5
    ball = scene.add(ss.Sphere(0.5), (0, 0, 5))
    for _ in range(300):
        scene.remove(scene.add(ss.Mesh.sphere(rng.uniform(1, 2), rows=20, sections=20), (50, 0, 0)))
        keeper.shape = ss.Mesh.sphere(1.0, rows=20, sections=20)
    for place, travel in ((0, 3.5), (5, 3.0)):
        ball.pose = (place, 0, 5)
        hit = scene.sweep(ball, DOWN)
        assert hit is not None
        assert hit.travel == pytest.approx(travel, abs=1e-12)
    assert len(store_of(scene).arena.geometry.vertices) < 40_000
    assert len(store_of(scene).rows) < 50


def test_rows_of_removed_bodies_are_given_up_in_order():
    """Pairs, poses and handles stay with their bodies when rows are numbered anew."""
    scene = ss.Scene()
    kept = [scene.add(ss.Sphere(0.25), (k, 0, 0), name=f"kept {k}") for k in range(3)]
    for k in range(200):
        scene.remove(scene.add(ss.Sphere(0.25), (0, 9, k)))
        if k % 40 == 0:
            kept.append(scene.add(ss.Sphere(0.25), (len(kept), 0, 0), name=f"kept {len(kept)}"))
    scene.ignore(kept[0], kept[1])
    robot = ss.Robot(scene)
    robot.add("base", ss.Box((0.1, 0.1, 0.1)))
    robot.pose = (0, 0, 5)
    robot.add("arm", ss.Box((0.1, 0.1, 0.1)), parent="base", joint=ss.Joint.revolute("turn", (0, 0, 1)))
    before = store_of(scene).world()
    for k in range(200):
        scene.remove(scene.add(ss.Sphere(0.25), (0, 9, k)))
    assert store_of(scene).world().poses is not before.poses
    rows = [store_of(scene).names[body.name].row for body in scene]
    assert rows == sorted(rows)
    for k, body in enumerate(kept):
        assert body.pose[:3, 3].tolist() == [k, 0, 0]
    hit = scene.sweep(kept[0], ss.Translate((5, 0, 0)))
    assert hit is not None
    assert hit.obstacle is kept[2]
    assert scene.sweep(robot.links["arm"].bodies[0], ss.Translate((0, 0, 0))) is None


def test_many_scenes_at_once():
    scenes = [ss.Scene() for _ in range(5)]
    mesh = ss.Mesh.box((1, 1, 1))
    balls = []
    for k, scene in enumerate(scenes):
        scene.add(mesh, (0, 0, -float(k)))
        balls.append(scene.add(ss.Sphere(0.5), (0, 0, 3)))
    for k, (scene, ball) in enumerate(zip(scenes, balls, strict=True)):
        hit = scene.sweep(ball, DOWN)
        assert hit is not None
        assert hit.travel == pytest.approx(2.0 + k, abs=1e-12)


def test_queries_from_threads_agree():
    from concurrent.futures import ThreadPoolExecutor

    from sweepscope_lab.scenes import bumpy_ball, hills

    scene = ss.Scene()
    scene.add(hills(61))
    ball = scene.add(bumpy_ball(20, 20), (0, 0, 60))
    motions = [ss.Translate((x, y, -100)) for x in range(-40, 41, 20) for y in range(-40, 41, 20)]
    alone = [scene.sweep(ball, motion) for motion in motions]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda motion: scene.sweep(ball, motion), motions))
    for one, other in zip(alone, together, strict=True):
        assert one is not None
        assert other is not None
        assert one.travel == other.travel


def test_a_body_may_start_anywhere_in_the_list(rng):
    """Rows are reused after removal; nothing of the old body may linger."""
    scene = ss.Scene()
    walls = [scene.add(ss.Box((1, 1, 1)), (3.0 * k, 0, 0)) for k in range(20)]
    ball = scene.add(ss.Sphere(0.2), (-3, 0, 0))
    scene.ignore(ball, walls[0])
    scene.remove(walls[0])
    again = scene.add(ss.Box((1, 1, 1)), (0, 0, 0), name="again")
    hit = scene.sweep(ball, ss.Translate((100, 0, 0)))
    assert hit is not None
    assert hit.obstacle is again


def test_the_shape_has_the_vertices_that_the_body_has_now():
    scene = ss.Scene()
    mesh = ss.Mesh.box((1, 0.1, 0.1))
    body = scene.add(mesh, (1, 0, 0))
    assert body.shape is mesh
    scene.add(ss.Sphere(0.1), (0, 3, 0))
    body.vertices = body.vertices * [4, 1, 1]
    assert (body.shape.vertices == body.vertices).all()
    assert (body.shape.faces == mesh.faces).all()
    assert isinstance(body.shape, ss.Mesh)
    assert body.shape.closed
    assert ss.fan.Fan.enclosing(body.shape, body.pose, axis=(0, 0, 1), angle=2.0).hits_spheres((0, 3, 0), 0.1)
    again = ss.Scene().add(body.shape, body.pose)
    np.testing.assert_allclose(again.bounds, body.bounds)
    cloud = scene.add(ss.PointCloud(np.zeros((2, 3)), 0.5))
    cloud.vertices = np.ones((2, 3))
    assert cloud.shape.radius == 0.5
    assert (cloud.shape.bounds == [[0.5] * 3, [1.5] * 3]).all()
