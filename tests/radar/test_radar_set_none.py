"""A RadarSet of which only some look."""

import numpy as np
import pytest

from sweepscope import Scene, Sphere, Translate
from sweepscope.errors import InvalidQuery, InvalidType
from sweepscope.radar import RadarSet


def three_and_a_wall():
    scene = Scene()
    balls = [scene.add(Sphere(1.0), (0.0, 5.0 * k, 0.0)) for k in range(3)]
    scene.add(Sphere(20.0), (30.0, 5.0, 0.0), name="wall")
    return scene, balls


def test_none_leaves_a_radar_out():
    scene, balls = three_and_a_wall()
    radars = RadarSet(scene, balls, pixels=40)
    ahead = Translate((20.0, 0.0, 0.0))
    every = radars.probe([ahead] * 3)
    some = radars.probe([ahead, None, ahead])
    assert some[1] is None
    for k in (0, 2):
        reading = some[k]
        assert reading is not None
        assert reading.movers == (balls[k],)
        assert reading.travel == every[k].travel
        assert np.array_equal(reading.range, every[k].range)


def test_none_of_them():
    scene, balls = three_and_a_wall()
    assert RadarSet(scene, balls, pixels=40).probe([None, None, None]) == [None, None, None]


def test_bad_motions_are_named_by_their_place():
    scene, balls = three_and_a_wall()
    radars = RadarSet(scene, balls, pixels=40)
    with pytest.raises(InvalidType, match=r"motions\[2\]"):
        radars.probe([None, None, 3])  # type: ignore[list-item]
    with pytest.raises(InvalidQuery, match="expected 3, one for each mover, got 2"):
        radars.probe([None, Translate((1.0, 0.0, 0.0))])
