"""Rows of the arena: bodies of one shape share its faces, and have vertices of their own when these change."""

import numpy as np

import sweepscope as ss
from sweepscope.kernels import layout
from sweepscope.scene import store_of
from sweepscope.shapes.base import with_vertices
from sweepscope.world.body import entry_of

_FACES = [layout.FACE, layout.FACES, layout.LISTED, layout.START, layout.PART, layout.PARTS, layout.MEMBER, layout.SOLID]


def _row(body):
    return store_of(body.scene).arena.geometry.shape_ints[entry_of(body).shape_row]


def _used(scene):
    """How many faces the arena has room for."""
    return len(store_of(scene).arena.geometry.corners)


def _scene(count):
    scene = ss.Scene()
    shape = ss.Mesh.sphere(1.0)
    bodies = [scene.add(shape, (10.0 * k, 0.0, 0.0)) for k in range(count)]
    return scene, shape, bodies


def _hit(scene, mover, body):
    """Where a small ball inside a body meets it: at once, since it is solid."""
    mover.pose = body.pose
    return scene.sweep(mover, ss.Translate((0.0, 0.0, 5.0)))


def test_a_body_that_is_alone_keeps_its_row():
    scene, shape, (body,) = _scene(1)
    before, faces = entry_of(body).shape_row, _used(scene)
    body.vertices = 2.0 * shape.vertices
    assert entry_of(body).shape_row == before
    assert _used(scene) == faces
    assert np.array_equal(body.vertices, 2.0 * shape.vertices)
    # The shape itself is as it was: another body of it is another row, with the same faces.
    other = scene.add(shape, (10.0, 0.0, 0.0))
    assert entry_of(other).shape_row != before
    assert _used(scene) == faces
    assert np.array_equal(_row(other)[_FACES], _row(body)[_FACES])
    np.testing.assert_allclose(other.bounds - (10.0, 0.0, 0.0), 0.5 * body.bounds, atol=1e-14)


def test_changed_bodies_share_faces_and_parts():
    scene, shape, bodies = _scene(4)
    faces = _used(scene)
    for k, body in enumerate(bodies[1:], 2):
        body.vertices = k * shape.vertices
    assert _used(scene) == faces
    assert len({entry_of(body).shape_row for body in bodies}) == 4
    assert len({int(_row(body)[layout.VERTEX]) for body in bodies}) == 4
    assert len({int(_row(body)[layout.NODE]) for body in bodies}) == 4
    mover = scene.add(ss.Sphere(0.1))
    assert _row(bodies[0])[layout.PART] == -1
    for body in bodies[2:]:
        hit = _hit(scene, mover, body)
        assert hit is not None
        assert hit.obstacle is body
    # One question for the parts of one row answers for all.
    for body in bodies:
        assert _row(body)[layout.PART] >= 0
        assert np.array_equal(_row(body)[_FACES], _row(bodies[0])[_FACES])


def test_random_changes_answer_as_a_fresh_scene(rng):
    shapes = [
        ss.Mesh.sphere(1.0, rows=12, sections=11),
        ss.Mesh.box((1.0, 1.5, 2.0)),
        ss.PointCloud(rng.normal(size=(50, 3)), 0.1),
    ]
    scene = ss.Scene()
    mover = scene.add(ss.Sphere(0.2))
    bodies, places = [], {}
    hits = changes = 0
    for step in range(150):
        kind = rng.integers(4)
        if kind == 0 or len(bodies) < 3:
            shape = shapes[rng.integers(3)]
            body = scene.add(shape, rng.uniform(-4.0, 4.0, 3))
            bodies.append(body)
            places[body.id] = shape.vertices, shape
        elif kind == 1 and len(bodies) > 6:
            body = bodies.pop(rng.integers(len(bodies)))
            scene.remove(body)
            del places[body.id]
        elif kind == 2:
            body = bodies[rng.integers(len(bodies))]
            shape = shapes[rng.integers(3)]
            body.shape = shape
            places[body.id] = shape.vertices, shape
        else:
            body = bodies[rng.integers(len(bodies))]
            shape = places[body.id][1]
            moved = shape.vertices * rng.uniform(0.5, 1.5, 3)
            body.vertices = moved
            places[body.id] = moved, shape
            changes += 1
        if step % 5:
            continue
        fresh = ss.Scene()
        ball = fresh.add(ss.Sphere(0.2))
        for each in bodies:
            assert np.array_equal(each.vertices, places[each.id][0])
            vertices, shape = places[each.id]
            fresh.add(with_vertices(shape, vertices.copy()), each.pose, name=str(each.id))
        for _ in range(3):
            start, vector = rng.uniform(-5.0, 5.0, 3), rng.normal(size=3) * 12.0
            mover.pose = ball.pose = start
            mine, other = scene.sweep(mover, ss.Translate(vector)), fresh.sweep(ball, ss.Translate(vector))
            assert (mine is None) == (other is None)
            if mine is not None:
                hits += 1
                assert abs(mine.travel - other.travel) < 1e-9
                if mine.travel > 0.0:
                    assert str(mine.obstacle.id) == other.obstacle.name
    assert hits > 20
    assert changes > 20
