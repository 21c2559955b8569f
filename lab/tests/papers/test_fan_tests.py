"""The pictures of the thesis' tests: what they show is what the tests say."""

import numpy as np
import pytest
from sweepscope_lab.compared import PublishedFan
from sweepscope_lab.papers import fan_tests
from sweepscope_lab.papers.panels import prism

from sweepscope import Capsule
from sweepscope.fan import Fan


@pytest.mark.slow
def test_every_figure_is_drawn(tmp_path):
    drawn = fan_tests.draw_all(tmp_path)
    assert [name for one in drawn for name in one.figures] == [*(f"Fig. 2.{k}" for k in range(12, 23)), "Fig. 4.1"]
    for one in drawn:
        data = (tmp_path / one.file).read_bytes()
        assert data[:4] == b"\x89PNG"
        assert len(data) > 10_000
    assert [one.found for one in drawn[1:5]] == ["free, hit"] * 3 + ["free, hit, a hit that is none"]


def test_the_last_capsule_is_called_a_hit_and_is_none():
    for (start, end, radius), (says, true) in zip(
        fan_tests.CAPSULES, ((False, False), (True, True), (True, False)), strict=True
    ):
        assert PublishedFan(fan_tests.FAN).hits_capsules((start,), (end,), radius).tolist() == [says]
        assert fan_tests.FAN.hits_capsules(start, end, radius) is true


def test_the_false_hit_is_deep_enough_to_be_seen():
    start, end, radius = fan_tests.CAPSULES[2]
    ax, ay, bx, by, wide = PublishedFan(fan_tests.FAN).capsules_of_plane((start,), (end,), radius)[0]
    assert fan_tests.FAN.hits_capsules_2d((ax, ay), (bx, by), wide - 0.2)
    assert not fan_tests.FAN.hits_capsules(start, end, radius + 0.2)


def test_the_capsule_of_the_plane_encloses_what_the_slab_leaves(rng):
    start, end, radius = fan_tests.CAPSULES[2]
    ax, ay, bx, by, wide = PublishedFan(fan_tests.FAN).capsules_of_plane((start,), (end,), radius)[0]
    t = rng.uniform(0.0, 1.0, (20_000, 1))
    out = rng.normal(size=(20_000, 3))
    places = np.array(start) + t * (np.array(end) - start) + radius * out / np.linalg.norm(out, axis=1)[:, None]
    left = places[np.abs(places[:, 2]) <= fan_tests.FAN.half_thickness]
    assert len(left) > 1_000
    flat = Capsule.from_segment((ax, ay, 0.0), (bx, by, 0.0), radius=wide)
    a, v = flat.vertices[0, :2], flat.vertices[1, :2] - flat.vertices[0, :2]
    s = np.clip((left[:, :2] - a) @ v / (v @ v), 0.0, 1.0)
    assert (np.linalg.norm(left[:, :2] - a - s[:, None] * v, axis=1) <= wide + 1e-9).all()


def test_a_prism_is_closed():
    solid = prism(fan_tests.stadium((0.0, 0.0), (2.0, 1.0), 0.5), -1.0, 1.0)
    assert solid.closed
    assert not Fan.flat((5.0, 0.0), (1.0, 0.0), half_angle=1.0, inner=0.0, outer=1.0).hits_mesh(solid)
