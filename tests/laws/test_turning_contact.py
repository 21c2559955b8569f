"""Things that touch while they turn: pivots, landings, sliding; what presses is a hit, what lifts or slides is not."""

import math

import numpy as np
import pytest

from sweepscope import Box, Capsule, Mesh, PointCloud, Rotate, Scene, Screw, Sphere

TIGHT = 1e-7


def on_floor(shape, height):
    scene = Scene()
    floor = scene.add(Mesh.box((10, 10, 1)), (0, 0, -0.5), name="floor")
    return scene, floor, scene.add(shape, (0, 0, height), name="mover")


@pytest.fixture(params=[Box, Mesh.box], ids=["box", "mesh"])
def cube(request):
    return on_floor(request.param((1, 1, 1)), 0.5)


@pytest.mark.parametrize(("degrees", "lands"), [(60, False), (89.999, False), (90, True), (120, True), (720, True)])
def test_a_cube_tips_about_its_edge_until_the_next_side_lands(cube, degrees, lands):
    scene, floor, body = cube
    hit = scene.sweep(body, Rotate((0, 1, 0), math.radians(degrees), about=(0.5, 0, 0)))
    if not lands:
        assert hit is None
        return
    assert hit.obstacle is floor
    assert math.pi / 2 - TIGHT < hit.travel <= math.pi / 2
    np.testing.assert_allclose(hit.point[[0, 2]], (1.5, 0.0), atol=1e-6)
    np.testing.assert_allclose(hit.normal, (0, 0, 1), atol=1e-9)
    assert not hit.overlapping


def test_tipping_the_wrong_way_presses_at_once(cube):
    scene, _, body = cube
    hit = scene.sweep(body, Rotate((0, 1, 0), -0.2, about=(0.5, 0, 0)))
    assert hit.travel == 0.0
    assert not hit.overlapping
    np.testing.assert_allclose(hit.normal, (0, 0, 1), atol=1e-9)


@pytest.mark.parametrize("about", [(0, 0, 0), (3, 0, 0), (0.5, 0.5, 0)])
def test_a_cube_spins_on_its_floor(cube, about):
    scene, _, body = cube
    assert scene.sweep(body, Rotate((0, 0, 1), 4 * math.pi, about=about)) is None
    assert scene.sweep(body, Rotate((0, 0, 1), 4 * math.pi, about=about), resting="hit").travel == 0.0


def test_turning_about_the_middle_of_the_bottom_presses(cube):
    scene, _, body = cube
    assert scene.sweep(body, Rotate((0, 1, 0), 0.5, about=(0, 0, 0))).travel == 0.0


def test_a_cube_tips_about_a_corner_both_ways(cube):
    scene, _, body = cube
    assert scene.sweep(body, Rotate((1, -1, 0), 0.5, about=(0.5, 0.5, 0))).travel == 0.0
    hit = scene.sweep(body, Rotate((1, -1, 0), -2.2, about=(0.5, 0.5, 0)))
    assert math.pi / 2 - TIGHT < hit.travel <= math.pi / 2


def test_tipping_over_the_edge_of_a_table_ends_at_its_side():
    scene = Scene()
    scene.add(Mesh.box((10, 10, 1)), (0, 0, -0.5))
    body = scene.add(Mesh.box((1, 1, 1)), (4.5, 0, 0.5))
    hit = scene.sweep(body, Rotate((0, 1, 0), 1.5 * math.pi, about=(5, 0, 0)))
    assert math.pi - TIGHT < hit.travel <= math.pi
    np.testing.assert_allclose(hit.normal, (1, 0, 0), atol=1e-5)
    body.pose = (4.9, 0, 0.5)  # its middle stands on the edge
    hit = scene.sweep(body, Rotate((0, 1, 0), 1.5 * math.pi, about=(5, 0, 0)))
    assert math.pi / 2 - TIGHT < hit.travel <= math.pi / 2


def test_a_wedge_pivots_where_its_edge_crosses_another():
    # Two edges that cross: neither the one plane nor the other stands still, only the one that both edges span.
    ridge = Mesh([(-3, -1, -1), (3, -1, -1), (-3, 1, -1), (3, 1, -1), (-3, 0, 0), (3, 0, 0)],
                 [(0, 2, 1), (1, 2, 3), (0, 1, 4), (1, 5, 4), (2, 4, 3), (3, 4, 5), (0, 4, 2), (1, 3, 5)])  # fmt: skip
    scene = Scene()
    scene.add(ridge)
    turned = np.array(((0, 1, 0, 0), (1, 0, 0, 0), (0, 0, -1, 0), (0, 0, 0, 1)), float)
    body = scene.add(ridge, turned)
    assert scene.sweep(body, Rotate((0, 0, 1), 0.7, about=(0, 0, 0))) is None
    assert scene.sweep(body, Rotate((0, 0, 1), -0.7, about=(0, 0, 0))) is None
    # Tilted about the lower edge, the upper wedge lands on nothing before it has gone far; pushed through it, it presses.
    assert scene.sweep(body, Rotate((1, 0, 0), 0.5, about=(0, 0, 0))) is None
    assert scene.sweep(body, Rotate((1, 0, 0), 0.5, about=(0, 1, 0))).travel == 0.0
    lifted = scene.sweep(body, Rotate((1, 0, 0), -0.5, about=(0, 1, 0)))
    assert lifted is None or lifted.travel > 1e-3


def test_balls_and_capsules_on_a_floor():
    scene, floor, ball = on_floor(Sphere(0.5), 0.5)
    assert scene.sweep(ball, Rotate((0, 0, 1), 9.0)) is None
    assert scene.sweep(ball, Rotate((1, 0, 0), 9.0, about=(0, 0, 0.5))) is None
    assert scene.sweep(ball, Rotate((0, 0, 1), 9.0, about=(2, 0, 0))) is None
    assert scene.sweep(ball, Rotate((0, 1, 0), 5.0, about=(-2, 0, 0.5))).travel == 0.0
    hit = scene.sweep(ball, Rotate((0, -1, 0), 5.0, about=(-2, 0, 0.5)))
    assert math.pi - 1e-6 < hit.travel <= math.pi
    scene.remove(ball)
    pin = scene.add(Capsule.from_segment((0, 0, 0), (0, 0, 1), radius=0.2), (2, 2, 0.2))
    hit = scene.sweep(pin, Rotate((0, 1, 0), 2.0, about=(2, 2, 0.2)))
    assert hit.obstacle is floor
    assert math.pi / 2 - TIGHT < hit.travel <= math.pi / 2
    np.testing.assert_allclose(hit.point, (3, 2, 0), atol=1e-6)


def test_a_ball_rolls_round_another():
    scene = Scene()
    scene.add(Sphere(0.5), (1, 0, 0))
    ball = scene.add(Sphere(0.5))
    assert scene.sweep(ball, Rotate((0, 1, 0), 6.0, about=(1, 0, 0))) is None
    assert scene.sweep(ball, Rotate((0, 1, 0), 6.0, about=(-1, 0, 0))) is None


def test_two_arms_report_the_first_arms_hit():
    scene = Scene()
    bar = scene.add(Mesh.box((8, 0.2, 0.2)))
    scene.add(Sphere(0.1), (3 * math.cos(2.0), 3 * math.sin(2.0), 0), name="late")
    scene.add(Sphere(0.1), (3 * math.cos(math.pi + 0.5), 3 * math.sin(math.pi + 0.5), 0), name="soon")
    hit = scene.sweep(bar, Rotate((0, 0, 1), 2 * math.pi))
    assert hit.obstacle.name == "soon"
    assert abs(hit.travel - (0.5 - math.asin(0.2 / 3))) < 1e-9
    assert scene.sweep(bar, Rotate((0, 0, 1), 4 * math.pi)).travel == hit.travel
    assert scene.sweep(bar, Rotate((0, 0, -1), 4 * math.pi)).obstacle.name == "late"


def test_a_start_overlap_is_found_although_angles_wrap():
    for angle in np.linspace(0, 2 * math.pi, 13):
        scene = Scene()
        turned = Rotate((0, 0, 1), float(angle)).at()
        bar = scene.add(Mesh.box((4, 0.3, 0.3)), turned @ np.array(((1, 0, 0, 3), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1.0))))
        scene.add(Box((1, 1, 1)), turned[:3, :3] @ (4, 0.5, 0))
        hit = scene.sweep(bar, Rotate((0, 0, 1), 0.5))
        assert hit.overlapping
        assert hit.time == 0.0
        inner = scene.add(Sphere(0.05), turned[:3, :3] @ (3, 0, 0))
        assert scene.sweep(inner, Rotate((1, 0, 0), 0.5), ignore=[scene["box 1"]]).overlapping


def test_what_the_turn_does_not_reach_is_free():
    scene = Scene()
    bar = scene.add(Mesh.box((4, 0.2, 0.2)), (3, 0, 0))
    scene.add(Sphere(0.5), (0, 0, 0))  # inside the ring
    scene.add(Sphere(0.5), (0, 6.1, 0))  # outside
    scene.add(Sphere(0.5), (0, 3, 0.7))  # above
    assert scene.sweep(bar, Rotate((0, 0, 1), 7.0)) is None
    assert scene.sweep(bar, Rotate((0, 0, 1), 7.0), margin=0.2) is not None


def test_clouds_and_margins_turn():
    scene = Scene()
    cloud = scene.add(PointCloud([(2, 0, 0), (3, 0, 0)], radius=0.1))
    scene.add(Mesh.box((0.2, 0.2, 0.2)), (0, 3, 0))
    hit = scene.sweep(cloud, Rotate((0, 0, 1), 3.0))
    # The ball of radius 0.1 on a circle of radius 3 meets the box's face x = 0.1 at height y = sqrt(9 - 0.04).
    assert abs(hit.travel - math.acos(0.2 / 3)) < 1e-9
    assert hit.features[0].vertices == (1,)
    near = scene.sweep(cloud, Rotate((0, 0, 1), 3.0), margin=0.05)
    assert abs(near.travel - math.acos(0.25 / 3)) < 1e-9


def test_a_bolt_unscrews_and_a_straight_pull_does_not():
    # A pin with a tooth in a slot that winds: only the screw gets it out.
    scene = Scene()
    tooth = scene.add(Mesh.box((0.4, 0.1, 0.1)), (1, 0, 0))
    for k in range(40):
        angle = 0.1 * k
        center = np.array((math.cos(angle), math.sin(angle), 0.2 * angle))
        pose = Rotate((0, 0, 1), angle).at()
        for side in (-1, 1):
            pose[:3, 3] = center + (0, 0, side * 0.2)
            scene.add(Mesh.box((0.3, 0.16, 0.1)), pose)
    assert scene.sweep(tooth, Screw((0, 0, 1), 3.9, slide=0.2 * 3.9)) is None
    assert scene.sweep(tooth, Rotate((0, 0, 1), 3.9)) is not None
    assert scene.sweep(tooth, Screw((0, 0, 1), 3.9, slide=-0.2 * 3.9)) is not None


def test_a_flush_landing_tells_where_it_lands_and_which_way_is_up(rng):
    for _ in range(60):
        size = rng.uniform(0.2, 3, 3)
        edge = rng.uniform(-3, 3)
        scene = Scene()
        scene.add(Box((20, 20, 0.2)), (0, 0, -0.1))
        body = scene.add(Box(size), (edge - size[0] / 2, 0, size[2] / 2))
        hit = scene.sweep(body, Rotate((0, 1, 0), 2.5, about=(edge, 0, 0)))
        assert math.pi / 2 - TIGHT < hit.travel <= math.pi / 2
        np.testing.assert_allclose(hit.normal, (0, 0, 1), atol=1e-6)
        # In the landed side, away from the pivot: at its far edge, or where a seam of the floor crosses it.
        assert edge + 1e-3 < hit.point[0] <= edge + size[2] + 1e-9


def test_a_door_that_closes_flush_names_the_wall(rng):
    for _ in range(60):
        width, hinge = rng.uniform(0.3, 2), rng.uniform(-1, 1)
        scene = Scene()
        scene.add(Mesh.box((4, 1, 2)), (hinge + 2.0, -0.5, 0), name="wall")  # its face is y = 0, its corner the hinge
        door = scene.add(Mesh.box((width, 0.1, 1.5)), (hinge + width / 2, 0.05, 0))
        open_door = Rotate((0, 0, 1), 1.2, about=(hinge, 0, 0))
        assert scene.sweep(door, open_door) is None
        door.pose = open_door.at() @ door.pose
        hit = scene.sweep(door, Rotate((0, 0, 1), -1.5, about=(hinge, 0, 0)))
        assert 1.2 - TIGHT < hit.travel <= 1.2 + 1e-12
        np.testing.assert_allclose(hit.normal, (0, 1, 0), atol=1e-6)
        assert hit.point[0] > hinge + 1e-3


def _sheet(a, b, faces=((0, 1, 2), (0, 2, 3))):
    return Mesh([(a, 0, 0), (b, 0, 0), (b, 0, 1), (a, 0, 1)], faces)


def _sweep(mover, obstacle, motion, at=(0, 0, 0), other=(0, 0, 0), **options):
    scene = Scene()
    body = scene.add(mover, at)
    scene.add(obstacle, other)
    return scene.sweep(body, motion, **options)


@pytest.mark.parametrize("lean", [1e-6, 1e-8, 1e-9])
def test_an_axis_that_leans_a_little_still_reaches_what_it_leans_to(lean):
    """The swept box lost 1 - k * k to rounding: bodies were left out that a lean of 1e-8 brings a mover into."""
    arm = 1000.0
    into = 1.0 + lean * arm  # half a turn about (1, lean, 0) moves it by twice that along x
    hit = _sweep(Mesh.box((1, 1, 1)), Mesh.box((1, 3, 3)), Rotate((1, lean, 0), math.pi), at=(0, arm, 0), other=(into, -arm, 0))
    assert hit is not None


@pytest.mark.parametrize(
    "mover",
    [_sheet(1, 2), PointCloud([(1.5, 0, 0.3)]), Capsule.from_segment((1.5, 0, 0.3), (1.7, 0, 0.3), radius=0), Mesh([(1, 0, 0), (2, 0, 0), (1, 0, 1)], [(0, 1, 2)])],
    ids=["sheet", "point", "segment", "triangle"],
)  # fmt: skip
@pytest.mark.parametrize("turned", [((0, 1, 2), (0, 2, 3)), ((2, 1, 0), (3, 2, 0))])
def test_what_comes_round_to_the_plane_that_it_began_in_lands(mover, turned):
    """Being in a face's plane at the start is not having slid along it: it was away meanwhile."""
    hit = _sweep(mover, _sheet(-2, -1, turned), Rotate((0, 0, 1), 3.5))
    assert math.pi - TIGHT < hit.travel <= math.pi


def test_a_sheet_comes_back_to_the_sheet_that_it_lay_on():
    back = ((2, 1, 0), (3, 2, 0))
    hit = _sweep(_sheet(1, 2, back), _sheet(1, 2, back), Screw((0, 0, 1), 6 * math.pi, slide=0.006 * math.pi))
    assert 2 * math.pi - TIGHT < hit.travel <= 2 * math.pi


def test_landing_flush_at_the_very_end_with_the_axis_in_the_plane():
    hit = _sweep(Mesh.box((1, 1, 1)), Mesh.box((1, 1, 1)), Rotate((0, 0, 1), -math.pi), (1.5, 0.5, 0.5), (-1.5, 0.5, 0.5))
    assert hit is not None
    assert hit.time > 1 - TIGHT


def test_round_things_slide_over_edges_and_seams():
    """Just before an edge is below a ball's middle, the direction between them leans; that is not landing on the side."""
    floor = Mesh.box((4, 4, 1))
    assert _sweep(Sphere(0.3), floor, Rotate((0, 0, 1), 1.0, about=(3, 0, 0)), (1.7, 0, 0.3), (0, 0, -0.5)) is None
    assert (
        _sweep(
            Mesh.box((0.2, 0.2, 0.2)), floor, Rotate((0, 0, 1), 3.0, about=(3, 0, 0)), (1.7, 0, 0.2), (0, 0, -0.5), margin=0.1
        )
        is None
    )
    for angle in (0.0, 1e-14, 1e-12, 1e-6, 1e-2, 3.0):
        assert _sweep(Sphere(1), Mesh.box((1, 4, 4)), Screw((0, 0, 1), angle, slide=5), other=(1.5, 0, 0)) is None
    scene = Scene()
    ball = scene.add(Sphere(0.3), (0.2, 0, 0.3))
    for x in range(3):
        for y in range(-1, 2):
            scene.add(Mesh.box((1, 1, 1)), (x, y, -0.5))
    assert scene.sweep(ball, Rotate((0, 0, 1), 0.5, about=(0, 3, 0))) is None


@pytest.mark.parametrize("arm", [1e6, 1e9, 1e12, 1e14, 1e15])
def test_an_axis_far_away_is_never_free_for_want_of_digits(arm):
    """Where rounding is no longer small beside the bodies nothing rests: early, not missed."""
    hit = _sweep(Mesh.box((1, 1, 1)), Mesh.box((1, 1, 1)), Rotate((0, 0, 1), 10 / arm, about=(-arm, 0, 0)), other=(0, 5, 0))
    assert hit.time <= 0.4 + 1e-9


def test_the_normal_of_a_point_on_a_seam_is_the_faces():
    hit = _sweep(PointCloud([(0, 0, 0)]), Mesh.box((1, 1, 1)), Screw((0, 0, 1), 3.0, slide=0.5), other=(0, 0, 0.9))
    np.testing.assert_allclose(hit.normal, (0, 0, -1), atol=1e-9)
