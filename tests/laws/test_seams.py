"""What falls on the seam of two faces only grazes each of them, and is stopped all the same."""

import numpy as np
import pytest

import sweepscope as ss

FLOORS = {
    "open": ss.Mesh.terrain(np.zeros((5, 5)), 1.0),
    "solid": ss.Mesh(ss.Mesh.box((4, 4, 1)).vertices - np.array((0, 0, 0.5)), ss.Mesh.box((4, 4, 1)).faces),
    "ridge": ss.Mesh([(-2, -2, -1), (-2, 2, -1), (0, -2, 0), (0, 2, 0), (2, -2, -1), (2, 2, -1)], [(0, 2, 3), (0, 3, 1), (2, 4, 5), (2, 5, 3)]),
    "valley": ss.Mesh([(-2, -2, 1), (-2, 2, 1), (0, -2, 0), (0, 2, 0), (2, -2, 1), (2, 2, 1)], [(0, 2, 3), (0, 3, 1), (2, 4, 5), (2, 5, 3)]),
    "solid valley": ss.Mesh([(-2, -2, 1), (-2, 2, 1), (0, -2, 0), (0, 2, 0), (2, -2, 1), (2, 2, 1), (-2, -2, -1), (-2, 2, -1), (2, -2, -1), (2, 2, -1)], [(0, 2, 3), (0, 3, 1), (2, 4, 5), (2, 5, 3), (6, 7, 9), (6, 9, 8), (0, 1, 7), (0, 7, 6), (4, 8, 9), (4, 9, 5), (0, 6, 2), (6, 8, 2), (8, 4, 2), (1, 3, 7), (7, 3, 9), (9, 3, 5)], solid=True),
    "solid ridge": ss.Mesh([(-2, -2, -1), (-2, 2, -1), (0, -2, 0), (0, 2, 0), (2, -2, -1), (2, 2, -1)], [(0, 2, 3), (0, 3, 1), (2, 4, 5), (2, 5, 3), (0, 1, 5), (0, 5, 4), (0, 4, 2), (1, 3, 5)], solid=True),
}  # fmt: skip

POINTED = {
    "point": ss.PointCloud([(0, 0, 0)]),
    "segment along": ss.Capsule.from_segment((0, -0.5, 0), (0, 0.5, 0), radius=0),
    "segment down": ss.Capsule.from_segment((0, 0, 0), (0, 0, 1), radius=0),
    "blade along": ss.Mesh([(0, -0.5, 0), (0, 0.5, 0), (0, 0.5, 1), (0, -0.5, 1)], [(0, 1, 2), (0, 2, 3)]),
    "blade, point down": ss.Mesh([(0, 0, 0), (0, 0.5, 1), (0, -0.5, 1)], [(0, 1, 2)]),
    "wedge": ss.Mesh([(0, -0.5, 0), (0, 0.5, 0), (0.2, 0.5, 1), (0.2, -0.5, 1), (-0.2, 0.5, 1), (-0.2, -0.5, 1)], [(0, 1, 2), (0, 2, 3), (1, 0, 5), (1, 5, 4)]),
    "needle": ss.Mesh([(0, 0, 0), (0.1, 0, 1), (-0.1, 0.1, 1), (0, -0.1, 1)], [(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)]),
}  # fmt: skip


@pytest.mark.parametrize("place", [(0.0, 0.0), (0.0, 1.0), (0.5, 0.5), (0.0, 0.25), (1.0, 0.0), (0.3, 0.4)])
@pytest.mark.parametrize("thing", POINTED)
@pytest.mark.parametrize("floor", ["open", "solid"])
def test_falls_on_a_seam(floor, thing, place):
    scene = ss.Scene()
    scene.add(FLOORS[floor])
    body = scene.add(POINTED[thing], (*place, 1.0))
    for vector in ((0, 0, -3), (0.0, 0.0, -1.0)):
        for resting in ("free", "hit"):
            hit = scene.sweep(body, ss.Translate(vector), resting=resting)
            assert hit is not None
            assert hit.travel == pytest.approx(1.0, abs=1e-9)
            assert not hit.overlapping
    # And once it lies there, it is held, and may slide along the floor or lift off.
    body.pose = (*place, 0.0)
    pressed = scene.sweep(body, ss.Translate((0, 0, -1)))
    assert pressed is not None
    assert (pressed.time, pressed.overlapping) == (0.0, False)
    assert scene.sweep(body, ss.Translate((0, 0, 1))) is None
    for vector in ((0.4, 0, 0), (0, 0.4, 0), (-0.3, 0.3, 0), (0.3, 0.3, 0)):
        assert scene.sweep(body, ss.Translate(vector)) is None


@pytest.mark.parametrize(
    "thing", ["point", "segment along", "segment down", "blade along", "blade, point down", "wedge", "needle"]
)
@pytest.mark.parametrize("floor", ["ridge", "valley", "solid ridge", "solid valley"])
def test_falls_on_a_ridge_or_into_a_valley(floor, thing):
    scene = ss.Scene()
    scene.add(FLOORS[floor])
    body = scene.add(POINTED[thing], (0.0, 0.3, 1.5))
    hit = scene.sweep(body, ss.Translate((0, 0, -3)))
    assert hit is not None
    assert hit.travel == pytest.approx(1.5, abs=1e-9)
    body.pose = (0.0, 0.3, 0.0)
    assert scene.sweep(body, ss.Translate((0, 0, 1))) is None
    assert scene.sweep(body, ss.Translate((0, 0.5, 0))) is None  # along it
    hit = scene.sweep(body, ss.Translate((0, 0, -1)))
    assert hit is not None
    assert hit.time == 0.0


def test_ridge_of_the_mover_meets_a_blade_head_on():
    """The mover's two faces each only graze the blade."""
    wedge = ss.Mesh([(0, -1, 0), (0, 1, 0), (1, 0, 0.5), (1, 0, -0.5)], [(0, 1, 2), (1, 0, 3)])
    blade = ss.Mesh([(0, -1, 0), (0, 1, 0), (-2, 0, 0)], [(0, 1, 2)])
    scene = ss.Scene()
    scene.add(blade)
    mover = scene.add(wedge, (1.0, 0.0, 0.0))
    hit = scene.sweep(mover, ss.Translate((-3, 0, 0)))
    assert hit is not None
    assert hit.travel == pytest.approx(1.0, abs=1e-9)


def test_edge_of_a_box_falls_on_the_edge_of_another(rng):
    """Aligned edges: a box on its edge over a ridge, both exactly in one plane."""
    turn = np.eye(4)
    turn[:3, :3] = [(np.sqrt(0.5), 0, np.sqrt(0.5)), (0, 1, 0), (-np.sqrt(0.5), 0, np.sqrt(0.5))]
    scene = ss.Scene()
    scene.add(ss.Box((1, 1, 1)), turn)
    high = turn.copy()
    high[2, 3] = 3.0
    box = scene.add(ss.Box((1, 1, 1)), high)
    hit = scene.sweep(box, ss.Translate((0, 0, -3)))
    assert hit is not None
    assert hit.travel == pytest.approx(3.0 - np.sqrt(2.0), abs=1e-9)
