"""The drawings of the thesis' definitions: what they show is computed, and is what the text says."""

import math

import numpy as np
import pytest
from sweepscope_lab.compared import PublishedFan
from sweepscope_lab.papers import fan_definitions as drawings
from sweepscope_lab.papers.fan_tests import FAN, seen_in_slab, stadium

from sweepscope.fan import Fan


@pytest.mark.slow
def test_every_figure_is_drawn(tmp_path):
    drawn = drawings.draw_all(tmp_path)
    assert [name for one in drawn for name in one.figures] == [f"Fig. 2.{k}" for k in range(1, 12)]
    for one in drawn:
        data = (tmp_path / one.file).read_bytes()
        assert data[:4] == b"\x89PNG"
        assert len(data) > 10_000


def test_both_kinds_of_fan_are_drawn():
    fans = []
    for widths, distance, angle in (drawings.TOUCHING, drawings.SWUNG):
        box, pose = drawings.swung(widths, distance)
        fans.append(Fan.from_swing(box, pose, axis=(0.0, 0.0, 1.0), angle=angle))
    cake, baumkuchen = fans
    assert cake.inner == 0.0
    assert baumkuchen.inner > 1.0


def test_the_balls_are_outside_and_inside_of_the_slab():
    (_, out, radius), (_, inside, _) = drawings.BALLS
    h = FAN.half_thickness
    assert h < out < h + radius
    assert inside < h
    # (2.12): the circle that the slab's upper side cuts out of the ball.
    assert drawings.widest_cut(out, radius, h) == pytest.approx(math.sqrt(radius**2 - (out - h) ** 2))
    assert drawings.widest_cut(inside, radius, h) == radius


def test_the_three_cases_of_the_discriminants():
    near, far = drawings.RING[0] - drawings.CAPSULE_RADIUS, drawings.RING[1] + drawings.CAPSULE_RADIUS
    counts = []
    for start, end in drawings.LINES:
        s, e = np.array(start), np.array(end)
        found = drawings.ranges_in_ring(s, e, near, far)
        counts.append(len(found))
        for t in np.linspace(-0.5, 1.5, 401):
            rho = np.linalg.norm(s + t * (e - s))
            if min(abs(rho - near), abs(rho - far)) > 1e-6:
                assert (near < rho < far) == any(a < t < b for a, b in found)
    assert counts == [0, 2, 1]


def test_the_capsule_beside_the_angle_hits_though_its_segment_is_outside():
    start, end, radius = drawings.BESIDE
    share = np.linspace(0.0, 1.0, 200)[:, None]
    places = np.array(start) + share * (np.array(end) - np.array(start))
    assert (np.abs(np.arctan2(places[:, 1], places[:, 0])) > FAN.half_angle).all()
    assert PublishedFan(FAN).hits_capsules_2d((start,), (end,), radius).tolist() == [True]
    assert FAN.hits_capsules_2d(start, end, radius)


@pytest.mark.slow
def test_the_outline_is_what_the_slab_leaves_and_the_capsule_of_the_plane_encloses_it(rng):
    h = FAN.half_thickness
    enclosed = 0
    for _ in range(30):
        start, end, radius = rng.uniform(-3.0, 3.0, 3), rng.uniform(-3.0, 3.0, 3), float(rng.uniform(0.5, 1.5))
        ax, ay, bx, by, wide = PublishedFan(FAN).capsules_of_plane((start,), (end,), radius)[0]
        if wide < 0.0:
            continue
        outline = seen_in_slab(start, end, radius, h)
        # Each point of the outline is the place of a point that is in the capsule and in the slab, up to the steps of the drawing.
        heights = np.linspace(-h, h, 200)
        column = np.concatenate((np.repeat(outline, 200, axis=0), np.tile(heights, len(outline))[:, None]), axis=1)
        along = end - start
        t = np.clip((column - start) @ along / (along @ along), 0.0, 1.0)[:, None]
        apart = np.linalg.norm(column - start - t * along, axis=1).reshape(len(outline), 200).min(axis=1)
        assert np.abs(apart - radius).max() < 0.05
        p, q = np.array((ax, ay)), np.array((bx, by))
        way = q - p
        t = np.clip((outline - p) @ way / max(way @ way, 1e-300), 0.0, 1.0)[:, None]
        assert np.linalg.norm(outline - p - t * way, axis=1).max() < wide + 1e-9
        enclosed += 1
    assert enclosed > 10


def test_w_is_the_way_along_the_plane_while_the_line_falls_by_a_radius():
    s, e = np.array(drawings.SLANTED[0]), np.array(drawings.SLANTED[1])
    w = drawings.shift_of(s, e, drawings.SLANTED[2])
    v = e - s
    t = drawings.SLANTED[2] / -v[2]
    assert w == pytest.approx(np.hypot(*(t * v)[:2]))


def test_outlines_are_closed_the_same_way():
    for outline in (drawings.sector_outline(0.7, 2.0, 6.0), stadium((0.0, 0.0), (1.0, 1.0), 0.5)):
        x, y = outline.T
        assert np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) > 0.0
