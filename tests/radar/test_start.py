"""Starts that pictures do not show by themselves: inside, around, touching, resting."""

import numpy as np
import pytest

import sweepscope as ss

BALL = ss.Sphere(0.5)


def _inside_out(mesh):
    return ss.Mesh(mesh.vertices, mesh.faces[:, ::-1])


INSIDE = {
    "box in box": (ss.Box((1, 1, 1)), ss.Box((4, 4, 4)), (0, 0, 0)),
    "ball in box": (BALL, ss.Box((4, 4, 4)), (0, 0, 0)),
    "ball in ball": (BALL, ss.Sphere(3.0), (0, 0, 0)),
    "box in ball": (ss.Box((1, 1, 1)), ss.Sphere(3.0), (0, 0, 0)),
    "ball in capsule": (BALL, ss.Capsule.from_segment((-3, 0, 0), (3, 0, 0), radius=2.0), (0, 0, 0)),
    "ball in mesh ball": (BALL, ss.Mesh.sphere(3.0), (0, 0, 0)),
    "box in a box turned inside out": (ss.Box((1, 1, 1)), _inside_out(ss.Mesh.box((4, 4, 4))), (0, 0, 0)),
    "nose in a box": (ss.Box((1, 1, 1)), ss.Box((2, 2, 2)), (1.3, 0, 0)),
    "nose in a large box": (ss.Box((1, 1, 1)), ss.Box((1000, 1000, 1000)), (500.2, 0, 0)),
    "nose in a large ball": (ss.Box((1, 1, 1)), ss.Sphere(500.0), (500.2, 0, 0)),
    "half in, sideways": (ss.Box((1, 1, 2)), ss.Box((1000, 1000, 1000)), (0, 0, 500)),
}


@pytest.mark.parametrize("case", INSIDE)
@pytest.mark.parametrize("length", [0.1, 1.0, 9.0])
@pytest.mark.parametrize("method", ["sampled", "bounding"])
def test_a_start_inside_a_solid_is_overlap_whatever_the_motion(case, length, method):
    mover, obstacle, place = INSIDE[case]
    scene = ss.Scene()
    body = scene.add(mover)
    around = scene.add(obstacle, place)
    motion = ss.Translate((length, 0, 0))
    radar = ss.radar.Radar(scene, body, pixels=40, method=method)
    for _ in range(3):
        reading = radar.probe(motion)
        assert reading.hit
        assert reading.travel == 0.0
        assert reading.obstacle is around
        assert method == "bounding" or reading.overlapping
    assert reading.confirm().overlapping


@pytest.mark.parametrize("method", ["sampled", "bounding"])
def test_turned_within_a_narrow_box(method):
    """Its world box sticks out of the other's, but it does not."""
    scene = ss.Scene()
    scene.add(ss.Box((1, 4, 1)))
    half = np.sqrt(0.5)
    pose = np.array([(half, -half, 0, 0), (half, half, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)])
    flat = ss.Mesh.box((2.4, 0.1, 0.2))
    turned = ss.Mesh(flat.vertices @ pose[:3, :3].T, flat.faces)
    body = scene.add(turned, pose)
    reading = ss.radar.Radar(scene, body, pixels=20, method=method).probe(ss.Translate((0, 0, 0.2)))
    assert reading.travel == 0.0
    assert reading.overlapping


def test_inside_a_solid_with_something_in_it_ahead():
    for method in ("sampled", "bounding"):
        scene = ss.Scene()
        scene.add(ss.Box((10, 10, 10)), (0, 0, -5))
        scene.add(ss.Box((3, 3, 1)), (0, 0, -4))
        body = scene.add(ss.Box((1, 1, 2)))
        assert ss.radar.Radar(scene, body, pixels=40, method=method).probe(ss.Translate((0, 0, -20))).travel == 0.0


@pytest.mark.parametrize("method", ["sampled", "bounding"])
def test_something_wholly_inside_the_mover(method):
    scene = ss.Scene()
    scene.add(ss.Sphere(0.2))
    body = scene.add(ss.Box((2, 2, 2)))
    reading = ss.radar.Radar(scene, body, pixels=40, method=method).probe(ss.Translate((0, 0, -20)))
    assert reading.travel == 0.0
    assert reading.hit


def test_parts_of_a_body_are_judged_one_by_one():
    """Three cubes inside out ahead, one that the leading surface is in: whichever comes first in the picture."""
    cube = ss.Mesh.box((1, 1, 1))
    v, f, g = cube.vertices, cube.faces, cube.faces[:, ::-1]
    for shift in ((1, -1), (-1, -1), (1, 1), (-1, 1)):
        places = [place for place in ((-1, -1), (1, 1), (-1, 1), (1, -1)) if place != shift]
        vertices = np.vstack([v + (*place, -5) for place in places] + [v + (*shift, -0.25)])
        scene = ss.Scene()
        scene.add(ss.Mesh(vertices, np.vstack([g, g + 8, g + 16, f + 24])))
        body = scene.add(ss.Box((4, 4, 0.5)))
        reading = ss.radar.Radar(scene, body, pixels=40).probe(ss.Translate((0, 0, -10)))
        assert reading.overlapping
        assert reading.travel == 0.0


@pytest.mark.parametrize("pixels", [29, 30, 31, 100])
def test_leaving_a_flush_neighbor_is_free(pixels):
    """Pixels may lie exactly on the outline where two boxes touch: the sweep judges resting contact."""
    scene = ss.Scene()
    body = scene.add(ss.Box((2, 1, 1)))
    scene.add(ss.Box((1, 2, 1)), (1.5, 0, 0))
    motion = ss.Translate((-2, 2, -2))
    assert scene.sweep(body, motion) is None
    assert not ss.radar.Radar(scene, body, pixels=pixels).probe(motion)


@pytest.mark.parametrize("thickness", [0.0, 1.0])
@pytest.mark.parametrize("method", ["sampled", "bounding"])
def test_what_rests_on_a_floor_lifts_and_slides(thickness, method):
    scene = ss.Scene()
    scene.add(ss.Box((10, 10, 1)), (0, 0, -0.5))
    wall = scene.add(ss.Box((1, 10, 4)), (4.5, 0, 1), name="wall")
    body = scene.add(ss.Box((1, 1, thickness)), (0, 0, 0.5 * thickness))
    if thickness > 0.0 or method == "sampled":  # of a sheet, a bound cannot tell its front from its back
        assert not ss.radar.Radar(scene, body, pixels=40, method=method).probe(ss.Translate((0, 0, 3)))
    assert ss.radar.Radar(scene, body, pixels=40, method=method).probe(ss.Translate((0, 0, -3))).travel == 0.0
    if thickness > 0.0:
        along = ss.radar.Radar(scene, body, pixels=40, method=method).probe(ss.Translate((9, 0, 0)))
        assert along.obstacle is wall
        assert along.travel == pytest.approx(3.5, abs=1e-6)
        assert along.travel <= along.confirm().travel + 1e-9 or method == "sampled"


def test_a_mover_that_does_not_show_is_an_error_also_when_nothing_is_seen():
    scene = ss.Scene()
    points = scene.add(ss.PointCloud([(0, -0.5, -0.5), (0, 0.5, 0.5)]))
    scene.add(ss.Sphere(0.004), (2, 0.5, 0.5))
    with pytest.raises(ss.errors.InvalidQuery, match="covers no pixel's center"):
        ss.radar.Radar(scene, points, pixels=10).probe(ss.Translate((5, 0, 0)))
    box = scene.add(ss.Box((1, 1, 1)), (0, 5, 0))
    with pytest.raises(ss.errors.InvalidQuery, match="covers no pixel's center"):
        ss.radar.Radar(scene, box, max_size=1e9).probe(ss.Translate((0, 5, 0)))


def test_bounds_hold_for_views_far_smaller_than_what_they_see():
    scene = ss.Scene()
    scene.add(ss.Box((1e6, 1e6, 1)), (0, 0, -1))
    point = scene.add(ss.PointCloud([(0.0, 0.0, 0.0)]))
    assert ss.radar.Radar(scene, point, pixels=101, method="bounding").probe(ss.Translate((0, 0, -1))).travel == pytest.approx(
        0.5, abs=1e-6
    )
    near = scene.look(ss.View((0, 0, 5), (0, 0, -1), width=1e-20, height=1e-20, depth=9), 5, bounding=True)
    assert (near.ids >= 0).all()


@pytest.mark.parametrize("scale", [1e-20, 1e-13, 1.0, 1e12])
def test_movers_that_part_are_drawn_anew_at_any_scale(scale):
    for method in ("sampled", "bounding"):
        scene = ss.Scene()
        shape = ss.Box((scale, scale, scale))
        a, b = scene.add(shape), scene.add(shape, (2 * scale, 0, 0))
        scene.add(shape, (6 * scale, 0, -3 * scale))
        radar = ss.radar.Radar(scene, [a, b], pixels=21, method=method)
        motion = ss.Translate((0, 0, -5 * scale))
        assert not radar.probe(motion)
        b.pose = (6 * scale, 0, 0)
        assert radar.probe(motion).travel == pytest.approx(2 * scale)


def test_a_kept_mask_heeds_a_new_tolerance_and_a_new_place():
    scene = ss.Scene()
    floor = scene.add(ss.Box((10, 10, 1)), (0, 0, -1))
    box = scene.add(ss.Box((1, 1, 1)))
    radar = ss.radar.Radar(scene, box, pixels=20)
    down = ss.Translate((0, 0, -1))
    assert radar.probe(down).travel == 0.0
    far = 1e9
    floor.pose = (far, far, far - 1)
    box.pose = (far, far, np.nextafter(far, 0))
    assert radar.probe(down).travel == 0.0
    floor.pose, box.pose = (0, 0, -1), (0, 0, -0.005)
    scene.tolerance = 0.01
    assert radar.probe(down).travel == 0.0
    scene.tolerance = 0.5
    with pytest.raises(ss.errors.InvalidQuery, match=r"tolerance is 0\.5"):
        radar.probe(down)


@pytest.mark.parametrize("tolerance", [None, 0.0, 1e-6, 0.01])
def test_a_coarse_tolerance_does_not_make_a_bound_forgiving(tolerance):
    """A needle thinner than the tolerance still meets a ball that is as thin; a card, what lies within the tolerance of it."""
    scene = ss.Scene(tolerance)
    needle = scene.add(ss.Capsule.from_segment((0, 0, 0), (0, 0, 1), radius=1e-4))
    scene.add(ss.Sphere(1e-4), (0, 0, -2))
    motion = ss.Translate((0, 0, -5))
    bound = ss.radar.Radar(scene, needle, pixels=20, method="bounding").probe(motion)
    assert bound.hit
    assert bound.travel <= scene.sweep(needle, motion).travel + 1e-9
    card = scene.add(ss.Box((1, 1, 0.005)), (9, 0, 0))
    fin = scene.add(ss.Box((0.02, 1, 1)), (9, 0, 0.5))
    scene.add(ss.Box((0.5, 0.5, 0.003)), (9.2, 0, 0.005))
    up = ss.Translate((0, 0, 1))
    pair = ss.radar.Radar(scene, [card, fin], pixels=3, method="bounding").probe(up)
    assert pair.travel <= scene.sweep([card, fin], up).travel + 1e-9
