"""The demo's scenes give their known answers."""

import math

import pytest

from sweepscope.scenes import WORLDS


@pytest.mark.parametrize("build", WORLDS, ids=lambda build: build.__name__)
def test_world(build):
    world = build()
    hit = world.scene.sweep(world.mover, world.motion)
    if world.travel is None:
        assert hit is None
        return
    assert hit is not None
    assert hit.body.name == world.hits
    assert not hit.overlapping
    if not math.isnan(world.travel):
        assert hit.travel == pytest.approx(world.travel, abs=1e-9)
        assert hit.travel <= world.travel
