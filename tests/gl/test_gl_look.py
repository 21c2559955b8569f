"""Pictures that OpenGL draws show what the library's own rasterizer shows: depth within the resolution, the same bodies."""

import numpy as np
import pytest
from sweepscope_lab.scenes import bumpy_ball

import sweepscope as ss
from sweepscope.gl.card import card
from sweepscope.gl.draw import resolution_of

pytestmark = pytest.mark.gl

PIXELS = (640, 480)


def pose(rng, spread):
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    turn *= np.linalg.det(turn)
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn, rng.uniform(-spread, spread, 3)
    return matrix


def heap(rng, shapes, count=40):
    scene = ss.Scene()
    for k in range(count):
        scene.add(shapes[k % len(shapes)], pose(rng, 3.0))
    return scene


def meshes(rng):
    return heap(rng, (ss.Box((1, 1.5, 0.7)), ss.Mesh.sphere(0.6), bumpy_ball(12, 16, 0.8)))


def round_shapes(rng):
    points = rng.normal(size=(300, 3))
    return heap(rng, (ss.Sphere(0.5), ss.Capsule(0.3, 1.0), ss.PointCloud(points, radius=0.05), ss.Box((1, 1, 0.2))))


def landscape(rng):
    scene = ss.Scene()
    scene.add(ss.Mesh.terrain(rng.random((60, 60)), 0.13))
    scene.add(ss.Sphere(1.0), (0, 0, 1.5))
    return scene


def volumes(rng):
    scene = ss.Scene()
    for _ in range(3):
        values = (rng.random((12, 12, 12)) < 0.05).astype(np.uint8)
        scene.add(ss.Volume(values, spacing=0.3, origin=(-1.8, -1.8, -1.8)), pose(rng, 1.5))
    return scene


def far_away(rng):
    scene = ss.Scene()
    for k in range(20):
        placed = pose(rng, 3.0)
        placed[:3, 3] += 1e6
        scene.add((ss.Mesh.cylinder(0.4, 1.5), ss.Capsule(0.2, 0.5))[k % 2], placed)
    return scene


SCENES = [meshes, round_shapes, landscape, volumes, far_away]


def same(ours, card):
    """Assert that the card saw the same, up to its resolution; return the share of pixels that show a body."""
    step = card.resolution
    assert 0.0 < step < 3e-7 * ours.view.depth
    assert np.abs(ours.depth - card.depth).max() <= step
    others = ours.ids != card.ids
    # Another body only where both are at the same depth, within the resolution.
    assert (np.abs(ours.depth - card.depth)[others] <= step).all()
    assert (ours.ids >= 0).tolist() == (card.ids >= 0).tolist()
    assert others.mean() < 1e-4
    assert (ours.faces != card.faces).mean() < 1e-3
    assert set(ours.bodies) == set(card.bodies)
    return (ours.ids >= 0).mean()


@pytest.mark.slow
@pytest.mark.parametrize("make", SCENES)
def test_the_card_shows_what_the_rasterizer_shows(make):
    rng = np.random.default_rng(5)
    scene = make(rng)
    middle = np.mean([body.pose[:3, 3] for body in scene], axis=0)
    toward = np.array((0.3, 0.4, -1.0))
    view = ss.View(middle - 8.0 * toward / np.linalg.norm(toward), toward, width=7.0, height=5.5, depth=16.0)
    assert same(scene.look(view, PIXELS), scene.look(view, PIXELS, backend="gl")) > 0.15


@pytest.mark.parametrize("make", SCENES)
def test_a_bounding_look_of_the_card_is_a_bound(make):
    rng = np.random.default_rng(6)
    scene = make(rng)
    middle = np.mean([body.pose[:3, 3] for body in scene], axis=0)
    view = ss.View(middle - (8, 0, 0), (1, 0, 0), width=7.0, height=5.5, depth=16.0)
    ours, card = (scene.look(view, (80, 60), bounding=True, backend=backend) for backend in ("cpu", "gl"))
    seen = ours.ids >= 0
    assert seen.mean() > 0.15
    assert (seen == (card.ids >= 0)).all()
    assert (card.depth[seen] <= ours.depth[seen]).all()
    assert (card.depth[seen] >= ours.depth[seen] - 2.0 * card.resolution).all()


def test_of_surfaces_closer_than_the_resolution_either_is_shown():
    depth = 16.0
    step = resolution_of(0.0, depth)
    view = ss.View((0, 0, 8), (0, 0, -1), width=1.0, height=1.0, depth=depth)
    told_apart = 0
    for k in range(1, 40):
        gap = 0.25 * k * step
        scene = ss.Scene()
        behind = scene.add(ss.Box((1, 1, 1)), (0, 0, -gap))
        before = scene.add(ss.Box((1, 1, 1)), name="before")
        seen = scene.look(view, 8, backend="gl")
        assert scene.look(view, 8).bodies == (before,)
        assert seen.nearest == pytest.approx(7.5, abs=step)
        if gap >= step:
            assert seen.bodies == (before,)
        told_apart += behind not in seen
    assert told_apart >= 36  # of 39: the resolution is no better than stated, and hardly worse


def test_edges_through_centers_of_pixels_leave_no_cracks():
    # Corners and edges at centers of pixels: neighbors get exactly opposite values there.
    scene = ss.Scene()
    corners = np.array([(x, y, 0.0) for x in range(9) for y in range(9)], np.float64)
    faces = [(9 * i + j, 9 * i + j + 1, 9 * i + j + 10) for i in range(8) for j in range(8)]
    faces += [(9 * i + j, 9 * i + j + 10, 9 * i + j + 9) for i in range(8) for j in range(8)]
    scene.add(ss.Mesh(corners, faces))
    view = ss.View((4.0, 4.0, 1.0), (0, 0, -1), width=9.0, height=9.0, depth=2.0)
    ours, card = scene.look(view, 9), scene.look(view, 9, backend="gl")
    assert (card.ids == 0).all()
    assert (ours.depth == card.depth).all()
    # A sheet seen edge-on, in line with the rays of a column.
    sheet = ss.Scene()
    sheet.add(ss.Mesh([(0, -1, 0), (0, 1, 0), (0, 0, 1)], [(0, 1, 2)]))
    above = ss.View((0.0, 0.0, 2.0), (0, 0, -1), width=3.0, height=3.0, depth=4.0)
    ours, card = sheet.look(above, 9), sheet.look(above, 9, backend="gl")
    assert (ours.ids >= 0).sum() > 0
    assert (ours.ids == card.ids).all()
    assert np.abs(ours.depth - card.depth).max() <= 1e-15


def test_only_what_has_changed_is_sent():
    scene = ss.Scene()
    ball = bumpy_ball(12, 16, 0.8)
    bodies = [scene.add(ball, (k, 0, 0)) for k in range(4)]
    view = ss.View((1.5, 0, 4), (0, 0, -1), width=6, height=3, depth=8)

    def sent():
        scene.look(view, 16, backend="gl")
        with card() as used:
            return used.vertices(scene._store).sent

    first = sent()
    assert first == len(ball.vertices) * 24 + len(ball.faces) * 12  # once for all four
    assert sent() == first
    bodies[1].pose = (1, 0.5, 0)
    assert sent() == first  # a matrix is no vertex
    before = scene.look(view, 64, backend="gl")
    bodies[2].vertices = 0.5 * ball.vertices
    after = scene.look(view, 64, backend="gl")
    deformed = sent()
    assert deformed <= first + 2 * len(ball.vertices) * 24  # its own vertices; those of the others too if the buffer grows
    assert (before.ids != after.ids).any()
    assert (after.ids == scene.look(view, 64).ids).all()
    bodies[2].vertices = 0.6 * ball.vertices
    assert sent() == deformed + len(ball.vertices) * 24  # no faces


def test_a_scene_that_changes():
    rng = np.random.default_rng(8)
    scene = meshes(rng)
    view = ss.View((0, 0, 8), (0, 0, -1), width=7.0, height=5.5, depth=16.0)
    for step in range(25):
        bodies = list(scene)
        body = bodies[rng.integers(len(bodies))]
        change = step % 5
        if change == 0:
            scene.remove(body)
        elif change == 1:
            scene.add(ss.Mesh.terrain(rng.random((int(rng.integers(3, 40)),) * 2), 0.1), pose(rng, 3.0))
        elif change == 2:
            body.shape = ss.Mesh.sphere(float(rng.uniform(0.2, 1.0)))
        elif change == 3:
            deformable = [each for each in bodies if isinstance(each.shape, ss.Mesh)]
            body = deformable[rng.integers(len(deformable))]
            body.vertices = body.vertices * rng.uniform(0.5, 1.2)
        else:
            body.pose = pose(rng, 3.0)
        hidden = [bodies[0]] if bodies[0] in list(scene) else []
        ours, card = (scene.look(view, (64, 48), ignore=hidden, backend=backend) for backend in ("cpu", "gl"))
        assert (ours.ids == card.ids).all(), step
        assert np.abs(ours.depth - card.depth).max() <= 1e-9


def test_a_volume_that_is_edited():
    scene = ss.Scene()
    volume = ss.Volume(np.zeros((8, 8, 8), np.uint8), spacing=1.0)
    volume[2:5, 2:5, 2:5] = 1
    scene.add(volume)
    view = ss.View((4, 4, 12), (0, 0, -1), width=9, height=9, depth=14)
    for index in ((3, 3, 7), (6, 6, 1)):
        volume[index] = 1
        ours, card = scene.look(view, 27), scene.look(view, 27, backend="gl")
        assert (ours.ids == card.ids).all()
        assert (ours.faces == card.faces).all()


def test_an_empty_scene_and_a_view_beside_all():
    scene = ss.Scene()
    view = ss.View((0, 0, 0), (0, 0, 1), width=1, height=1, depth=3)
    assert not scene.look(view, backend="gl")
    scene.add(ss.Sphere(1.0), (9, 0, 0))
    seen = scene.look(view, (5, 3), backend="gl")
    assert not seen
    assert (seen.depth == 3.0).all()
    assert (seen.ids == -1).all()
    assert (seen.faces == -1).all()
