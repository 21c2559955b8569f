"""Questions of fans: the form they take, laws that hold between them, and what is refused."""

import math

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.kernels.fan import many

FAN = ss.fan.Fan((0, 0, 0), (0, 0, 1), mid=(1, 0, 0), half_angle=0.8, inner=1.0, outer=3.0, half_thickness=0.5)
FLAT = ss.fan.Fan.flat((0, 0), (1, 0), half_angle=0.8, inner=1.0, outer=3.0)


def test_one_thing_or_many():
    assert FAN.contains((2, 0, 0)) is True
    assert FAN.contains([(2, 0, 0), (0.5, 0, 0)]).tolist() == [True, False]
    assert FAN.contains((2, 0)) is True
    assert FAN.contains(np.zeros((0, 3))).shape == (0,)
    assert FAN.hits_spheres((0, 0, 0), 1.0)
    assert FAN.hits_spheres([(0, 0, 0), (9, 0, 0)], 1.0).tolist() == [True, False]
    assert FAN.hits_spheres([(0, 0, 0), (9, 0, 0)], [0.9, 6.5]).tolist() == [False, True]
    assert FAN.hits_capsules((0, -5, 0), (0, 5, 0), 0.0) is False
    assert FAN.hits_capsules((2, -5, 0), (2, 5, 0), 0.0) is True
    assert FLAT.hits_circles((0, 0), 1.0)
    assert FLAT.hits_rectangles((0, 0), (1.9, 0.1), 0.0) is False
    assert FLAT.hits_rectangles([(0, 0), (2, 0)], (1.9, 0.1), 0.0).tolist() == [False, True]
    assert FLAT.hits_capsules_2d([(0, 0)], [(0, 5)], [0.5]).tolist() == [False]
    assert FAN.hits_boxes((1, 1, 1), np.eye(4)) is False
    assert FAN.hits_boxes((1, 1, 1), [(0, 0, 0), (2, 0, 0)]).tolist() == [False, True]
    assert FAN.hits_convex([(0, -1, 0), (4, -1, 0), (2, 3, 1)])
    assert FAN.hits_convex([np.eye(3), np.eye(3) + 9]).tolist() == [True, False]
    assert FAN.hits_fans(FAN)
    assert FAN.hits_fans([FAN, ss.fan.Fan.flat((9, 9), (1, 0), half_angle=1, inner=0, outer=1)]).tolist() == [True, False]
    assert FAN.hits_mesh(ss.Mesh.sphere(1.0), (2, 0, 0))


def test_a_fan_inside_a_closed_mesh_is_hit_and_inside_a_room_is_not():
    assert FAN.hits_mesh(ss.Box((20, 20, 20)))
    assert not FAN.hits_mesh(ss.Mesh.box((20, 20, 20), solid=False))
    assert not FAN.hits_mesh(ss.Mesh.box((0.5, 0.5, 9)))


def test_edges_belong_to_the_fan():
    rim = [(3, 0, 0.5), (1, 0, -0.5), (2 * math.cos(0.8), 2 * math.sin(0.8), 0), (math.cos(0.8), -math.sin(0.8), 0.5)]
    assert FAN.contains(rim).all()
    assert not FAN.contains(np.array(rim) + (1e-9, 0, 0))[0]
    assert ss.fan.Fan((0, 0, 0), (0, 0, 1), mid=(1, 0, 0), half_angle=0.3, inner=0.0, outer=1.0, half_thickness=0.0).contains(
        (0, 0, 0)
    )
    assert not ss.fan.Fan(
        (0, 0, 0), (0, 0, 1), mid=(1, 0, 0), half_angle=0.0, inner=0.0, outer=1.0, half_thickness=0.0
    ).contains((-0.5, 0, 0))


def test_the_ray_of_a_fan_without_angle_ends_at_the_center():
    ray = ss.fan.Fan.flat((0, 0), (1, 0), half_angle=0.0, inner=1.0, outer=2.0)
    assert ray.hits_rectangles([(1.5, 0), (-1.5, 0)], (0.5, 0.5), 0.2).tolist() == [True, False]
    assert ray.hits_capsules_2d([(1.5, -1), (-1.5, -1)], [(1.5, 1), (-1.5, 1)], 0.0).tolist() == [True, False]
    assert ray.hits_circles([(-1.5, 0), (0, 0)], [0.4, 1.0]).tolist() == [False, True]


def random_fan(rng, spread=1.0):
    axis = rng.normal(size=3)
    outer = rng.uniform(0.5, 2.0)
    inner = rng.choice([0.0, rng.uniform(0.0, outer)])
    angle = rng.choice([rng.uniform(0.0, math.pi), math.pi])
    return ss.fan.Fan(
        spread * rng.normal(size=3),
        axis,
        mid=np.cross(axis, rng.normal(size=3)),
        half_angle=angle,
        inner=inner,
        outer=outer,
        half_thickness=rng.uniform(0, 0.5),
    )


def moved(fan, pose):
    turn = pose[:3, :3]
    center = turn @ fan.center + pose[:3, 3]
    return ss.fan.Fan(
        center,
        turn @ fan.axis,
        mid=turn @ fan.mid,
        half_angle=fan.half_angle,
        inner=fan.inner,
        outer=fan.outer,
        half_thickness=fan.half_thickness,
    )


def test_answers_move_with_everything(rng):
    hits = 0
    for _ in range(60):
        fan, other = random_fan(rng), random_fan(rng, 2.0)
        pose = ss.Rotate(rng.normal(size=3), 2.0).at()
        pose[:3, 3] = 5.0 * rng.normal(size=3)
        p, q, radii = 2.0 * rng.normal(size=(50, 3)), 2.0 * rng.normal(size=(50, 3)), rng.uniform(0.0, 0.5, 50)
        there = moved(fan, pose)
        p_there, q_there = (x @ pose[:3, :3].T + pose[:3, 3] for x in (p, q))
        answers = fan.hits_capsules(p, q, radii)
        assert (answers == there.hits_capsules(p_there, q_there, radii)).all()
        assert (fan.hits_spheres(p, radii) == there.hits_spheres(p_there, radii)).all()
        assert fan.hits_fans(other) == there.hits_fans(moved(other, pose)) == other.hits_fans(fan)
        hits += answers.sum()
    assert 300 < hits < 2700


def test_a_larger_thing_hits_where_a_smaller_one_does(rng):
    for _ in range(40):
        fan = random_fan(rng)
        p, q, radii = 2.0 * rng.normal(size=(100, 3)), 2.0 * rng.normal(size=(100, 3)), rng.uniform(0.0, 0.5, 100)
        ends = fan.hits_spheres(p, radii) | fan.hits_spheres(q, radii)
        middle = fan.hits_spheres(0.5 * (p + q), radii)
        capsules = fan.hits_capsules(p, q, radii)
        assert (capsules | ~(ends | middle)).all()
        assert (fan.hits_capsules(p, q, radii + 0.1) | ~capsules).all()
        assert (capsules == fan.hits_capsules(q, p, radii)).all()


def test_a_box_is_its_mesh_and_its_hull(rng):
    hits = 0
    for _ in range(150):
        fan = random_fan(rng)
        pose = ss.Rotate(rng.normal(size=3), rng.uniform(0, 6)).at()
        pose[:3, 3] = fan.center + 0.8 * rng.normal(size=3)
        size = rng.uniform(0.0, 2.0, 3)
        box = ss.Box(size)
        hull = box.vertices @ pose[:3, :3].T + pose[:3, 3]
        hit = fan.hits_boxes(size, pose)
        assert hit == fan.hits_mesh(box, pose) == fan.hits_convex(hull)
        hits += hit
    assert 30 < hits < 120


def test_threads_answer_as_one_does(rng):
    points = rng.uniform(-4, 4, (100_000, 3))
    whole = FAN.contains(points)
    assert 500 < whole.sum() < 20_000
    assert (whole == np.concatenate([FAN.contains(part) for part in np.array_split(points, 20)])).all()


ASKED = [
    (
        lambda: FAN.contains((1, 2, 3, 4)),
        ss.errors.InvalidQuery,
        r"points: expected shape \(3,\) or \(n, 3\), or \(2,\) or \(n, 2\) in the xy plane, got \(4,\)",
    ),
    (lambda: FAN.contains("here"), ss.errors.InvalidType, "points: expected"),
    (lambda: FAN.contains([(0, 0, 0), (0, math.nan, 0)]), ss.errors.InvalidQuery, r"points\[1, 1\] is nan"),
    (lambda: FAN.contains([(0, 0, 0), (0, math.inf, 0)]), ss.errors.InvalidQuery, r"points\[1, 1\] is inf"),
    (
        lambda: FAN.hits_spheres([(0, 0, 0)], [-1.0]),
        ss.errors.InvalidQuery,
        r"radii\[0\] is -1.0; it must be finite and not negative",
    ),
    (
        lambda: FAN.hits_spheres([(0, 0, 0)], [1.0, 2.0]),
        ss.errors.InvalidQuery,
        r"radii: expected one number, or 1, got shape \(2,\)",
    ),
    (lambda: FAN.hits_spheres([(0, 0, 0)], math.nan), ss.errors.InvalidQuery, r"radii\[0\] is nan"),
    (lambda: FAN.hits_capsules([(0, 0, 0)], np.zeros((2, 3)), 1.0), ss.errors.InvalidQuery, "p1: got 2 for 1 p0"),
    (lambda: FAN.hits_boxes((1, -1, 1), None), ss.SweepscopeError, r"sizes\[0, 1\] is -1"),
    (lambda: FAN.hits_boxes(np.ones((2, 3)), np.zeros((3, 3))), ss.errors.InvalidQuery, "poses: got 3 for 2 sizes"),
    (lambda: FAN.hits_boxes((1, 1, 1), np.ones((4, 4))), ss.errors.InvalidPose, r"poses\[0\]"),
    (lambda: FAN.hits_convex([[0, 0, math.nan]]), ss.errors.InvalidQuery, r"points\[0, 2\] is nan"),
    (lambda: FAN.hits_convex(3), ss.errors.InvalidType, r"points: expected shape \(k, 3\)"),
    (lambda: FAN.hits_fans([FAN, 3]), ss.errors.InvalidType, r"others\[1\]: expected a Fan, got 3"),
    (lambda: FAN.hits_fans(3), ss.errors.InvalidType, "others: expected a Fan"),
    (lambda: FAN.hits_mesh(ss.Sphere(1.0)), ss.errors.InvalidType, "hits_spheres and hits_capsules for round shapes"),
    (lambda: FLAT.hits_rectangles((0, 0), (1, -1), 0.0), ss.errors.InvalidQuery, r"sizes\[0, 1\] is -1"),
    (lambda: FLAT.hits_rectangles((0, 0), (1, 1), math.inf), ss.errors.InvalidQuery, r"angles\[0\] is inf"),
    (lambda: FLAT.hits_circles((0, 0, 0), 1.0), ss.errors.InvalidQuery, r"centers: expected shape \(2,\) or \(n, 2\)"),
    (
        lambda: ss.fan.Fan((0, 0, 0), (0, 1, 1), mid=(1, 0, 0), half_angle=1, inner=0, outer=1, half_thickness=1).hits_circles(
            (0, 0), 1.0
        ),
        ss.errors.InvalidQuery,
        "tests in the xy plane need an axis along z",
    ),
]


@pytest.mark.parametrize(("ask", "error", "says"), ASKED, ids=[says for _, _, says in ASKED])
def test_a_bad_question_is_refused(ask, error, says):
    with pytest.raises(error, match=says):
        ask()


def test_nothing_asked_nothing_answered():
    assert FAN.hits_boxes(np.ones((0, 3)), np.zeros((0, 3))).shape == (0,)
    assert FAN.hits_spheres(np.zeros((0, 3)), 1.0).shape == (0,)
    assert FAN.hits_fans([]).shape == (0,)
    assert FAN.hits_mesh(ss.Mesh(np.zeros((0, 3)), np.zeros((0, 3), int))) is False


def test_one_place_with_several_radii():
    assert FAN.hits_spheres((0, 0, 0), [0.5, 1.0, 2.0]).tolist() == [False, True, True]
    assert FLAT.hits_circles((0, 0), [0.5]).tolist() == [False]


def test_rows_of_any_layout():
    pose = np.eye(4)
    pose[:3, 3] = (2, 0, 0)
    assert FAN.contains(pose[:3, 3])
    assert FAN.hits_spheres(np.zeros((6, 6))[::2, ::2], np.ones(6)[::2]).all()


def test_a_closed_mesh_holds_a_fan_however_its_faces_are_wound(rng):
    box = ss.Mesh.box((4, 4, 4))
    small = ss.fan.Fan((0.1, 0.2, 0.3), (0, 0, 1), mid=(1, 0, 0), half_angle=1.0, inner=0.1, outer=0.3, half_thickness=0.05)
    away = ss.fan.Fan((0.1, 0.2, 3.3), (0, 0, 1), mid=(1, 0, 0), half_angle=1.0, inner=0.1, outer=0.3, half_thickness=0.05)
    for _ in range(20):
        faces = box.faces.copy()
        flipped = rng.random(len(faces)) < 0.5
        faces[flipped] = faces[flipped][:, ::-1]
        mesh = ss.Mesh(box.vertices, faces)
        assert mesh.closed
        assert small.hits_mesh(mesh)
        assert not away.hits_mesh(mesh)


def test_a_read_only_array_compiles_nothing_more():
    points = np.array([(2.0, 0.0, 0.0), (0.5, 0.0, 0.0)])
    radii = np.array([0.1, 0.1])
    expected = FAN.contains(points).tolist(), FAN.hits_spheres(points, radii).tolist()
    known = [len(kernel.signatures) for kernel in (many.points, many.spheres)]
    points.setflags(write=False)
    radii.setflags(write=False)
    assert (FAN.contains(points).tolist(), FAN.hits_spheres(points, radii).tolist()) == expected
    assert [len(kernel.signatures) for kernel in (many.points, many.spheres)] == known
