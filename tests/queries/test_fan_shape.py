"""What a fan is: its frame, its facets, the fans of swings, and what is refused."""

import math

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.fan.fan import numbers_of


def turned(axis, angle):
    return ss.Rotate(axis, angle).at()


def random_pose(rng, spread=3.0):
    pose = turned(rng.normal(size=3), rng.uniform(0.0, 6.0))
    pose[:3, 3] = spread * rng.normal(size=3)
    return pose


def inside(fan, rng, count):
    """Return random points of a fan."""
    phi = rng.uniform(-fan.half_angle, fan.half_angle, count)
    rho = np.sqrt(rng.uniform(fan.inner**2, fan.outer**2, count))
    z = rng.uniform(-fan.half_thickness, fan.half_thickness, count)
    frame = numbers_of(fan)
    return (
        frame[:3] + np.outer(rho * np.cos(phi), frame[3:6]) + np.outer(rho * np.sin(phi), frame[6:9]) + np.outer(z, frame[9:12])
    )


@pytest.mark.parametrize("half_angle", [0.0, 0.4, math.pi / 2, 2.5, math.pi])
@pytest.mark.parametrize("inner", [0.0, 1.0, 2.0])
def test_facets_hold_the_fan_and_little_more(half_angle, inner, rng):
    fan = ss.fan.Fan(
        (1.0, 2.0, 3.0),
        (1.0, 1.0, 0.5),
        mid=(1.0, -1.0, 0.0),
        half_angle=half_angle,
        inner=inner,
        outer=2.0,
        half_thickness=0.3,
    )
    if half_angle > 0.0 or inner < 2.0:  # else it is a segment
        assert ss.Mesh(fan.vertices, fan.faces).closed
    body = ss.Scene().add(fan)
    scene = body.scene
    for point in inside(fan, rng, 20):
        ball = scene.add(ss.Sphere(0.0), point)
        assert scene.sweep(ball, ss.Translate((0, 0, 0)), resting="hit") is not None
        scene.remove(ball)
    assert np.all(np.linalg.norm(fan.vertices - fan.center, axis=1) <= math.hypot(2.0 * 1.0004, 0.3))
    assert fan.contains(inside(fan, rng, 200)).all()


def test_facets_face_outwards():
    fan = ss.fan.Fan((0, 0, 0), (0, 0, 1), mid=(1, 0, 0), half_angle=1.0, inner=0.5, outer=2.0, half_thickness=0.2)
    a, b, c = (fan.vertices[fan.faces[:, k]] for k in range(3))
    assert np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0 == pytest.approx(fan.volume, rel=1e-3)
    assert fan.volume == pytest.approx(1.5)


def test_a_fan_is_hit_like_any_body():
    scene = ss.Scene()
    sight = scene.add(
        ss.fan.Fan((0, 0, 0), (0, 0, 1), mid=(1, 0, 0), half_angle=0.6, inner=0.5, outer=2.0, half_thickness=0.2), name="sight"
    )
    ball = scene.add(ss.Sphere(0.1), (1.0, 0.0, 3.0))
    hit = scene.sweep(ball, ss.Translate((0, 0, -5)))
    assert hit is not None
    assert hit.obstacle is sight
    assert hit.travel == pytest.approx(2.7)
    assert scene.look(ss.View((1, 0, 3), (0, 0, -1), width=4, height=4, depth=6), ignore=[ball]).bodies == (sight,)
    with pytest.raises(ss.errors.InvalidGeometry, match="only a Mesh or a PointCloud can deform"):
        sight.vertices = sight.vertices


def test_the_published_fan_leaves_the_width_out():
    pose = np.eye(4)
    pose[:3, 3] = (0, 20, 0)
    fan = ss.fan.Fan.from_swing(ss.Box((4, 16, 8)), pose, axis=(0, 0, 1), angle=math.pi / 2)
    assert (fan.half_angle, fan.inner, fan.outer, fan.half_thickness) == (math.pi / 4, 12.0, 28.0, 4.0)
    np.testing.assert_allclose(fan.mid, (-math.sqrt(0.5), math.sqrt(0.5), 0), atol=1e-15)
    back = ss.fan.Fan.from_swing(ss.Box((4, 16, 8)), pose, axis=(0, 0, -1), angle=-math.pi / 2, about=(0, 0, 7))
    np.testing.assert_allclose(back.mid, fan.mid, atol=1e-15)
    np.testing.assert_allclose(back.center, (0, 0, 0), atol=1e-15)


def test_the_published_fan_takes_any_edge_along_the_axis():
    pose = np.eye(4)
    pose[:3, 3] = (0, 0, 20)
    fan = ss.fan.Fan.from_swing(ss.Box((4, 8, 16)), pose, axis=(1, 0, 0), angle=1.0)
    assert (fan.inner, fan.outer, fan.half_thickness) == (12.0, 28.0, 2.0)


@pytest.mark.parametrize(
    ("pose", "says"),
    [
        (np.eye(4), "through the box's center"),
        ((0, 5, 0), "axis is 5 from the box's center; accepted: at least 8"),
        ((12, 16, 0), "one edge of the box must be parallel to the axis"),
    ],
)
def test_the_published_fan_refuses_other_poses(pose, says):
    with pytest.raises(ss.errors.InvalidGeometry, match=says):
        ss.fan.Fan.from_swing(ss.Box((4, 16, 8)), pose, axis=(0, 0, 1), angle=1.0)


def test_the_published_fan_refuses_a_tilted_box():
    with pytest.raises(ss.errors.InvalidGeometry, match="one edge of the box must be parallel to the axis"):
        ss.fan.Fan.from_swing(ss.Box((4, 16, 8)), (0, 20, 0), axis=(0, 0.1, 1), angle=1.0)


def swept(shape, pose, turn, rng, count):
    """Return points of a shape's surface, or of the balls round it, at random moments of a turn."""
    corners = shape.vertices[shape.faces[rng.integers(len(shape.faces), size=count)]]
    share = rng.dirichlet((0.5, 0.5, 0.5), size=count)
    off = rng.normal(size=(count, 3))
    places = np.einsum("ij,ijk->ik", share, corners) + shape.radius * off / np.linalg.norm(off, axis=1)[:, None]
    moments = [turn.at(t) @ pose for t in rng.uniform(size=count)]
    return np.array([m[:3, :3] @ p + m[:3, 3] for m, p in zip(moments, places, strict=True)])


SHAPES = [
    ss.Box((1.0, 3.0, 0.5)),
    ss.Box((2.0, 2.0, 0.0)),
    ss.Sphere(0.7),
    ss.Capsule.from_segment((0, 0, -1), (0.5, 0, 2), radius=0.3),
    ss.PointCloud(np.random.default_rng(0).normal(size=(20, 3)), 0.1),
    ss.Mesh.cylinder(0.4, 3.0),
    ss.fan.Fan((0, 0, 0), (0, 0, 1), mid=(1, 0, 0), half_angle=1.0, inner=1.0, outer=2.0, half_thickness=0.2),
]


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: type(shape).__name__)
def test_the_enclosing_fan_misses_nothing(shape, rng):
    tight = 0
    for _ in range(40):
        pose = random_pose(rng, rng.choice([0.3, 3.0, 30.0]))
        axis, angle, about = rng.normal(size=3), rng.choice([0.0, 0.3, -2.0, 7.0]) * rng.uniform(), rng.normal(size=3)
        fan = ss.fan.Fan.enclosing(shape, pose, axis=axis, angle=angle, about=about)
        points = swept(shape, pose, ss.Rotate(axis, angle, about=about), rng, 200)
        assert fan.contains(points).all()
        tight += fan.half_angle < math.pi
    assert tight > 10


def test_the_enclosing_fan_is_the_chart_box_of_the_thesis_pose(rng):
    for _ in range(100):
        wx, wy, wz = rng.uniform(0.1, 25.0, 3)
        d = rng.uniform(wy / 2, 25.0)
        alpha = rng.uniform(0.0, 6.2)
        fan = ss.fan.Fan.enclosing(ss.Box((wx, wy, wz)), (0, d, 0), axis=(0, 0, 1), angle=alpha)
        theta = min(math.pi, alpha / 2 + math.atan2(wx / 2, d - wy / 2))
        wanted = (theta, d - wy / 2, math.hypot(d + wy / 2, wx / 2), wz / 2)
        assert (fan.half_angle, fan.inner, fan.outer, fan.half_thickness) == pytest.approx(wanted, abs=1e-12)


def test_a_box_that_touches_the_axis_takes_half_a_turn():
    touching = ss.fan.Fan.enclosing(ss.Box((24, 25, 5)), (0, 12.5, 0), axis=(0, 0, 1), angle=0.0)
    assert touching.half_angle == pytest.approx(math.pi / 2)
    corner = ss.fan.Fan.enclosing(ss.Box((2, 2, 2)), (1, 1, 0), axis=(0, 0, 1), angle=0.0)
    assert corner.half_angle == pytest.approx(math.pi / 4)
    holding = ss.fan.Fan.enclosing(ss.Box((2, 2, 2)), (0.9, 0.9, 0), axis=(0, 0, 1), angle=0.0)
    assert holding.half_angle == math.pi


BAD = [
    ({"half_angle": -0.1}, "half_angle is -0.1; accepted: 0 to pi"),
    ({"half_angle": 3.2}, "half_angle is 3.2; accepted: 0 to pi"),
    ({"half_angle": math.nan}, "half_angle is nan"),
    ({"half_angle": "wide"}, "half_angle: expected a number"),
    ({"inner": -1.0}, "inner is -1.0; it must be finite, not negative"),
    ({"outer": math.inf}, "outer is inf"),
    ({"inner": 3.0}, "inner is 3.0, more than Fan.outer, 2.0"),
    ({"half_thickness": math.nan}, "half_thickness is nan"),
    ({"axis": (0, 0, 0)}, "axis is 0 0 0; it must have a direction"),
    ({"mid": (0, 0, 0)}, "mid is 0 0 0"),
    ({"mid": (1, 0, 1)}, "not perpendicular to the axis"),
    ({"center": (0, 0)}, "center: expected three numbers"),
    ({"center": (0, math.nan, 0)}, r"center\[1\] is nan"),
]


@pytest.mark.parametrize(("change", "says"), BAD, ids=[says for _, says in BAD])
def test_a_bad_fan_is_refused(change, says):
    good = {"center": (0, 0, 0), "axis": (0, 0, 1), "mid": (1, 0, 0)}
    good |= {"half_angle": 1.0, "inner": 1.0, "outer": 2.0, "half_thickness": 0.5}
    ss.fan.Fan(**good)
    with pytest.raises(ss.errors.InvalidType if "wide" in change.values() else ss.errors.InvalidGeometry, match=says):
        ss.fan.Fan(**(good | change))


def test_bad_swings_are_refused():
    box = ss.Box((1, 1, 1))
    with pytest.raises(ss.errors.InvalidType, match=r"expected a Box, got .*Fan\.enclosing takes any shape"):
        ss.fan.Fan.from_swing(ss.Sphere(1.0), (0, 5, 0), axis=(0, 0, 1), angle=1.0)
    with pytest.raises(ss.errors.InvalidGeometry, match="sweeps nothing"):
        ss.fan.Fan.enclosing(ss.Mesh(np.zeros((0, 3)), np.zeros((0, 3), int)), None, axis=(0, 0, 1), angle=1.0)
    with pytest.raises(ss.errors.InvalidType, match="expected a Mesh, Box"):
        ss.fan.Fan.enclosing("box", None, axis=(0, 0, 1), angle=1.0)
    for swing in (ss.fan.Fan.from_swing, ss.fan.Fan.enclosing):
        with pytest.raises(ss.errors.InvalidMotion, match="axis is 0 0 0"):
            swing(box, (0, 5, 0), axis=(0, 0, 0), angle=1.0)
        with pytest.raises(ss.errors.InvalidMotion, match="angle is nan"):
            swing(box, (0, 5, 0), axis=(0, 0, 1), angle=math.nan)
        with pytest.raises(ss.errors.InvalidPose):
            swing(box, np.ones((4, 4)), axis=(0, 0, 1), angle=1.0)


def test_a_narrow_face_on_the_axis_keeps_its_corners():
    w = 9e-10
    mesh = ss.Mesh([(1, 0, 0), (-1, 0, 0), (math.cos(w), math.sin(w), 0)], [(0, 1, 2)])
    assert ss.fan.Fan.enclosing(mesh, None, axis=(0, 0, 1), angle=0.0).contains(mesh.vertices).all()


@pytest.mark.parametrize(
    "shape",
    [
        ss.Sphere(1.0),
        ss.Capsule.from_segment((0, 0, -1), (0, 0, 1), radius=1.0),
        ss.Capsule.from_segment((0, -1, 0), (0, 1, 0), radius=1.0),
    ],
)
def test_a_round_thing_that_touches_the_axis_takes_half_a_turn(shape):
    assert ss.fan.Fan.enclosing(shape, (1, 0, 0), axis=(0, 0, 1), angle=0.0).half_angle == pytest.approx(math.pi / 2)
    assert ss.fan.Fan.enclosing(shape, (0.999, 0, 0), axis=(0, 0, 1), angle=0.0).half_angle == math.pi


@pytest.mark.parametrize("off", [1e3, 1e6, 1e9])
def test_what_is_far_from_its_own_origin_is_held_too(off, rng):
    for _ in range(30):
        pose = random_pose(rng)
        local = rng.normal(size=(4, 3)) + off * rng.normal(size=3)
        pose[:3, 3] = 2.0 * rng.normal(size=3) - pose[:3, :3] @ local[0]
        mesh = ss.Mesh(local, [(0, 1, 2), (0, 1, 3)])
        fan = ss.fan.Fan.enclosing(mesh, pose, axis=rng.normal(size=3), angle=1.0)
        assert fan.contains(local @ pose[:3, :3].T + pose[:3, 3]).all()
        assert fan.hits_mesh(mesh, pose)


def test_pi_in_single_precision_is_a_full_ring():
    assert (
        ss.fan.Fan(
            (0, 0, 0), (0, 0, 1), mid=(1, 0, 0), half_angle=np.float32(math.pi), inner=0, outer=1, half_thickness=1
        ).half_angle
        == math.pi
    )
