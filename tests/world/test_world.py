"""The seams: a world of arrays, filters, and asking again."""

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.kernels import layout
from sweepscope.kernels.statuses import FREE, OVERLAP
from sweepscope.kernels.sweep.nested import nested
from sweepscope.kernels.tolerances import EPS, TOUCH_AWAY, TOUCH_SIZE, contact_tolerance
from sweepscope.motion import Rotate
from sweepscope.queries.rows import ready_world
from sweepscope.scene import store_of
from sweepscope.world.body import entry_of
from sweepscope.world.filters import Filters, may_meet


def crowded(rng, count=20):
    """A scene of boxes at random poses, far from their own origins too."""
    scene = ss.Scene()
    for _ in range(count):
        corner = rng.normal(size=3) * rng.choice((0.0, 100.0))
        mesh = ss.Mesh(ss.Mesh.box(rng.uniform(0.5, 2.0, 3)).vertices + corner, ss.Mesh.box((1, 1, 1)).faces)
        pose = Rotate(rng.normal(size=3), rng.uniform(-3, 3)).at()
        pose[:3, 3] = rng.uniform(-5, 5, 3)
        scene.add(mesh, pose)
    return scene


def same(one, other):
    """True if two worlds have the same bodies in the same places."""
    n = one.rows
    return np.array_equal(one.poses[:n], other.poses[:n]) and np.array_equal(one.boxes[:, :n], other.boxes[:, :n])


def test_a_world_knows_the_poses_it_was_given(rng):
    scene = crowded(rng)
    world = store_of(scene).world()
    for body in scene:
        np.testing.assert_allclose(world.pose(entry_of(body).row), body.pose, atol=1e-12)


def test_moved_is_what_moving_does(rng):
    scene = crowded(rng)
    store = store_of(scene)
    before = store.world()
    kept = before.poses.copy(), before.boxes.copy()
    some = list(scene)[::3]
    poses = {entry_of(body).row: Rotate((1, 2, 3), 0.5).at() @ body.pose for body in some}
    moved = before.moved(poses)
    np.testing.assert_array_equal(before.poses, kept[0])
    np.testing.assert_array_equal(before.boxes, kept[1])
    assert not same(moved, before)
    for body in some:
        body.pose = poses[entry_of(body).row]
    assert same(moved, store.world())


def test_what_is_hidden_meets_nothing_and_shows_again_when_moved(rng):
    scene = ss.Scene()
    ball, wall = scene.add(ss.Sphere(0.5)), scene.add(ss.Box((1, 1, 1)), (0, 0, 1.2))
    store = store_of(scene)
    rows = np.array([entry_of(ball).row])
    ignored_pairs = np.empty((0, 2), np.int64)

    def overlap(world):
        from sweepscope.queries.sweep import surfaces_meet_now

        return surfaces_meet_now(store, world, rows, 0.0, False, ignored_pairs)

    world = store.world()
    assert overlap(world) is None
    near = world.moved({entry_of(wall).row: np.eye(4)})
    assert overlap(near).obstacle is wall
    hidden = near.hiding([entry_of(wall).row])
    assert overlap(hidden) is None
    assert overlap(hidden.moved({entry_of(wall).row: np.eye(4)})).obstacle is wall


def test_only_keeps_the_order(rng):
    scene = crowded(rng, 6)
    world = store_of(scene).world()
    few = world.only(np.array((4, 1)))
    assert few.rows == 2
    np.testing.assert_array_equal(few.bodies[:, layout.ID], (4, 1))
    np.testing.assert_array_equal(few.pose(0), world.pose(4))


def test_shapes_near_a_mover_are_made_ready_and_no_others():
    scene = ss.Scene()
    small, large, away = scene.add_many([ss.Mesh.sphere(0.2), ss.Mesh.sphere(2.0), ss.Mesh.sphere(0.3)])
    away.pose = (9, 0, 0)
    store = store_of(scene)
    rows, ignored_pairs = np.array([entry_of(small).row]), np.empty((0, 2), np.int64)
    status, mover, obstacle, _ = nested(*ready_world(store, rows), rows, ignored_pairs, 1e-9)
    assert (status, mover, obstacle) == (OVERLAP, entry_of(small).row, entry_of(large).row)
    assert store.arena.pending == {entry_of(away).shape_row}
    small.pose = (5, 0, 0)
    assert nested(*ready_world(store, rows), rows, ignored_pairs, 1e-9)[0] == FREE


def test_shapes_of_removed_bodies_are_not_made_ready():
    scene = ss.Scene()
    gone, mover, _ = scene.add_many(
        [ss.Mesh.box((1, 1, 1)), ss.Sphere(0.1), ss.Mesh.sphere(0.3)], [(9, 0, 0), (0, 0, 0), (50, 0, 0)]
    )
    scene.remove(gone)
    for _ in range(40):  # after some questions, shapes that are not reached are made ready all the same
        assert scene.sweep(mover, ss.Translate((0, 0, 1))) is None
    assert not store_of(scene).arena.pending


def test_filters_agree_with_each_other(rng):
    """What sweeps skip, what pictures hide and what predictions leave out are one rule."""
    met = 0
    for _ in range(60):
        filters, count = Filters(), 12
        names = ["", "a", "b", "c"]
        groups = [filters.group(names[k]) for k in rng.integers(0, 4, count)]
        for _ in range(int(rng.integers(0, 4))):
            filters.set_groups(*(names[1 + k] for k in rng.integers(0, 3, 2)), ignored=bool(rng.random() < 0.8)) if {
                1, 2, 3,
            } <= set(groups) else None  # fmt: skip
        pairs = {tuple(sorted(rng.choice(count, 2, replace=False).tolist())) for _ in range(int(rng.integers(0, 10)))}
        for a, b in pairs:
            filters.set_pair(a, b, True)
        bodies = np.zeros((count, layout.BODY_INTS), np.int64)
        bodies[:, layout.GROUP] = groups
        bodies[:, layout.IGNORES] = [filters.mask(group) for group in groups]
        rows = rng.choice(count, int(rng.integers(1, 3)), replace=False)
        movers = rows.tolist()
        ignored = rng.choice(count, int(rng.integers(0, 3)), replace=False).tolist()
        ignored_pairs = filters.ignored_pairs(rows, ignored)
        hidden = filters.hidden(bodies, rows, ignored)
        for other in set(range(count)) - set(movers):
            free = [not may_meet(bodies, mover, other, ignored_pairs) for mover in movers]
            truth = [
                other in ignored
                or tuple(sorted((mover, other))) in pairs
                or bool((filters.mask(groups[mover]) >> groups[other]) & 1)
                for mover in movers
            ]
            assert free == truth
            assert hidden[other] == all(truth)
            met += not all(truth)
            for mover in movers:
                alone = filters.without_pairs(np.array([mover]), np.array([other]), count)
                assert alone[0] == (tuple(sorted((mover, other))) not in pairs)
        assert hidden[movers].all()
    assert met > 200


def test_a_body_that_is_removed_leaves_no_filter_behind():
    scene = ss.Scene()
    floor, ball = scene.add(ss.Box((4, 4, 1))), scene.add(ss.Sphere(0.5), (0, 0, 3))
    scene.ignore(floor, ball)
    assert scene.sweep(ball, ss.Translate((0, 0, -5))) is None
    scene.remove(floor)
    scene.add(ss.Box((4, 4, 1)))  # in the row of the one that is gone
    assert scene.sweep(ball, ss.Translate((0, 0, -5))).travel == pytest.approx(2.0)


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e6])
def test_one_contact_tolerance(size):
    assert contact_tolerance(-1.0, size, 0.0) == TOUCH_SIZE * size
    assert contact_tolerance(0.01, size, 0.0) == 0.01
    far = 1e10 * size
    assert contact_tolerance(-1.0, size, far) == TOUCH_AWAY * EPS * far
    assert contact_tolerance(0.0, size, far) == TOUCH_AWAY * EPS * far
