"""The hierarchy of a scene follows every change of its bodies."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numba import njit

import sweepscope as ss
from sweepscope.kernels.base import hierarchy as kernels
from sweepscope.scene import store_of
from sweepscope.world.hierarchy import FEWEST, NO_HIERARCHY


@njit
def near(nodes, ints, boxes, bodies, low, high, found):
    return kernels.near_bodies(nodes, ints, boxes, bodies, (low[0], low[1], low[2], high[0], high[1], high[2]), found)


def check(scene, rng, questions=6):
    """Compare with a test of every box; return how many candidates there were."""
    store = store_of(scene)
    store.surfaces.refresh()
    world, hierarchy = store.world(), store.hierarchy()
    assert (hierarchy.ints[kernels.LEVELS] > 0) == (world.rows >= FEWEST)
    found = np.empty(world.rows, np.int64)
    total = 0
    for _ in range(questions):
        low = rng.uniform(-1, 21, 3)
        high = low + rng.uniform(0, 8)
        boxes = world.boxes[:, : world.rows]
        expected = (boxes[:3] <= high[:, None]).all(axis=0) & (boxes[3:] >= low[:, None]).all(axis=0)
        count = near(*hierarchy, world.boxes, world.rows, low, high, found)
        np.testing.assert_array_equal(found[:count], np.flatnonzero(expected))
        total += count
    return total


def many(rng, count=700):
    """A scene of small boxes, some of them on a floor, a few volumes and a robot."""
    scene = ss.Scene()
    scene.add(ss.Box((100, 100, 1)))
    scene.add_many(ss.Mesh.box((0.5, 0.4, 0.3)), rng.uniform(0, 20, (count, 3)))
    for _ in range(3):
        scene.add(ss.Volume(np.zeros((4, 4, 4), bool), 0.5), rng.uniform(0, 20, 3))
    arm = ss.Robot(scene, name="arm")
    arm.add("base", ss.Box((0.2, 0.2, 1.0)))
    joint = ss.Joint.revolute("shoulder", (0, 0, 1), origin=(10, 10, 10))
    arm.add("upper", ss.Box((4.0, 0.2, 0.2)), parent="base", joint=joint)
    return scene, arm


def free(scene):
    """The bodies that do not belong to the robot, volumes or the floor."""
    return [body for body in scene if type(body.shape) is ss.Mesh]


def pick(scene, rng):
    bodies = free(scene)
    return bodies[rng.integers(len(bodies))]


def add(scene, arm, rng):
    scene.add(ss.Sphere(0.5), rng.uniform(0, 20, 3))


def add_several(scene, arm, rng):
    scene.add_many(ss.Mesh.box((0.5, 0.4, 0.3)), rng.uniform(0, 20, (rng.integers(300), 3)))


def move_one(scene, arm, rng):
    pick(scene, rng).pose = rng.uniform(0, 20, 3)


def move_some(scene, arm, rng):
    bodies = free(scene)[:: rng.integers(1, 9)]
    scene.move(bodies, rng.uniform(0, 20, (len(bodies), 3)))


def remove(scene, arm, rng):
    for body in free(scene)[::9]:
        scene.remove(body)


def deform(scene, arm, rng):
    body = pick(scene, rng)
    body.vertices = body.vertices + rng.normal(size=3)


def deform_some(scene, arm, rng):
    bodies = free(scene)[::40]
    scene.deform(bodies, [body.vertices * 1.1 for body in bodies])


def reshape(scene, arm, rng):
    pick(scene, rng).shape = ss.Mesh.box(rng.uniform(0.1, 3.0, 3))


def edit(scene, arm, rng):
    volumes = [body.shape for body in scene if type(body.shape) is ss.Volume]
    volumes[rng.integers(len(volumes))][rng.integers(4)] = rng.random() < 0.7


def turn(scene, arm, rng):
    arm.q = rng.uniform(-3, 3, 1)


CHANGES = [add, add_several, move_one, move_some, remove, deform, deform_some, reshape, edit, turn]


def test_it_follows_every_change(rng):
    scene, arm = many(rng)
    total = check(scene, rng)
    done = set()
    for _ in range(150):
        for change in rng.choice(CHANGES, rng.integers(1, 4)):
            change(scene, arm, rng)
            done.add(change)
        total += check(scene, rng)
    assert done == set(CHANGES)
    assert total > 5000


def test_it_follows_each_single_change(rng):
    for change in CHANGES:
        scene, arm = many(rng)
        check(scene, rng)
        for _ in range(8):
            change(scene, arm, rng)
            check(scene, rng, 20)


def test_rows_that_are_numbered_anew(rng):
    scene, arm = many(rng, 2000)
    check(scene, rng)
    before = store_of(scene).world().rows
    for body in free(scene)[::2] + free(scene)[1::4]:
        scene.remove(body)
    check(scene, rng)
    add(scene, arm, rng)
    assert store_of(scene).world().rows < before
    assert check(scene, rng, 20) > 0


def test_copies_and_pickles_have_their_own(rng):
    scene, _ = many(rng)
    check(scene, rng)
    kept = store_of(scene).hierarchy().nodes.copy()
    for other in (copy.deepcopy(scene), pickle.loads(pickle.dumps(scene))):
        assert check(other, rng) > 0
        scene_bodies = list(other)
        scene_bodies[5].pose = (1.0, 2.0, 3.0)
        check(other, rng)
    np.testing.assert_array_equal(store_of(scene).hierarchy().nodes, kept)


def test_without_changes_it_is_the_same_and_single_changes_keep_it(rng):
    scene, _ = many(rng)
    store = store_of(scene)
    first = store.hierarchy()
    assert store.hierarchy() is first
    pick(scene, rng).pose = (1.0, 2.0, 3.0)
    assert store.hierarchy() is first
    assert not store._changed


def test_few_bodies_have_none(rng):
    scene = ss.Scene()
    scene.add_many(ss.Sphere(0.1), rng.uniform(0, 20, (FEWEST - 1, 3)))
    assert store_of(scene).hierarchy() is NO_HIERARCHY
    scene.add(ss.Sphere(0.1))
    assert store_of(scene).hierarchy().ints[kernels.LEVELS] > 0


def test_threads_that_ask_at_once_get_one(rng):
    scene, arm = many(rng, 3000)
    store = store_of(scene)
    with ThreadPoolExecutor(4) as pool:
        for _ in range(20):
            move_some(scene, arm, rng)
            answers = list(pool.map(lambda _: store.hierarchy(), range(8)))
            assert all(answer is answers[0] for answer in answers)
            check(scene, rng, 2)
