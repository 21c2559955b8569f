"""The stamp of a scene changes with everything that a graphics card keeps of it."""

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.cuda.scene import stamp_of
from sweepscope.queries.rows import make_ready
from sweepscope.scene import store_of


@pytest.fixture
def scene():
    scene = ss.Scene()
    scene.add(ss.Mesh.sphere(0.5), name="ball", group="movers")
    for k in range(4):
        scene.add(ss.Mesh.box((1, 1, 1)), (3.0 * k + 3, 0, 0), name=f"box {k}", group="others")
    return scene


def stamp(scene):
    store = store_of(scene)
    return stamp_of(store, make_ready(store, [body.id for body in scene.bodies]))


def stretch(scene):
    scene["box 2"].vertices = np.asarray(scene["box 2"].shape.vertices) * 2.0


BODIES = {
    "move": lambda scene: setattr(scene["box 1"], "pose", (0, 5, 0)),
    "move many": lambda scene: scene.move([scene["box 1"], scene["box 2"]], [(0, 5, 0), (0, 9, 0)]),
    "ignore groups": lambda scene: scene.ignore_groups("movers", "others"),
    "ignore a pair": lambda scene: scene.ignore(scene["ball"], scene["box 0"]),
}
SHAPES = {
    "add a known shape": lambda scene: scene.add(scene["box 0"].shape, (0, 0, 9)),
    "add a new shape": lambda scene: scene.add(ss.Sphere(2.0), (0, 0, 9)),
    "remove": lambda scene: scene.remove(scene["box 3"]),
    "deform": stretch,
    "another shape": lambda scene: setattr(scene["box 3"], "shape", ss.Sphere(1.0)),
}


def test_it_stays_while_nothing_changes(scene):
    first = stamp(scene)
    scene.sweep_many(scene["ball"], [(20.0, 0, 0)])
    assert stamp(scene) == first


@pytest.mark.parametrize("change", BODIES)
def test_it_changes_with_bodies(scene, change):
    first = stamp(scene)
    BODIES[change](scene)
    assert stamp(scene)[:2] == first[:2]  # shapes stay on the card
    assert stamp(scene) != first


@pytest.mark.parametrize("change", SHAPES)
def test_it_changes_with_shapes(scene, change):
    first = stamp(scene)
    SHAPES[change](scene)
    assert stamp(scene)[:2] != first[:2]


def test_ignoring_and_no_longer_ignoring_are_two_changes(scene):
    first = stamp(scene)
    scene.ignore_groups("movers", "others")
    second = stamp(scene)
    scene.unignore_groups("movers", "others")
    assert len({str(each) for each in (first, second, stamp(scene))}) == 3
