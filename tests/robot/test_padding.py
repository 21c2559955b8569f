"""Links that are larger than the file says: thicker by a radius, scaled about the center of each shape."""

import copy
import math
import pickle

import numpy as np
import pytest
import trimesh

import sweepscope as ss
from sweepscope.errors import InvalidQuery, InvalidType, NotFound

PARTS = {
    "box": '<box size="1 2 3"/>',
    "ball": '<sphere radius="0.5"/>',
    "bar": '<capsule radius="0.5" length="2"/>',
    "tube": '<cylinder radius="0.5" length="2"/>',
    "wedge": '<mesh filename="wedge.stl"/>',
}


@pytest.fixture
def urdf(tmp_path):
    """Five links far from each other, on fixed joints along x, each with a shape 1 above its frame."""
    mesh = trimesh.creation.box((1, 1, 1))
    mesh.apply_translation((0, 3, 0))
    mesh.export(tmp_path / "wedge.stl")
    text = '<robot name="r"><link name="root"/>'
    for k, (name, shape) in enumerate(PARTS.items()):
        text += (
            f'<link name="{name}"><collision><origin xyz="0 0 1"/><geometry>{shape}</geometry></collision></link>'
            f'<joint name="{name}" type="fixed"><parent link="root"/><child link="{name}"/><origin xyz="{10 * k} 0 0"/></joint>'
        )
    path = tmp_path / "r.urdf"
    path.write_text(text + "</robot>")
    return path


def body(robot, name):
    (found,) = robot.links[name].bodies
    return found


def height(robot, name):
    """Of a link above its frame: where a falling point touches it."""
    at = body(robot, name).pose[:3, 3] + (0, 3 if name == "wedge" else 0, 0)
    rays = robot.scene.cast(at + (0, 0, 50), (0, 0, -1))
    return 50 - float(rays.distance) + 1.0


HEIGHTS = {"box": 1.5, "ball": 0.5, "bar": 1.5, "tube": 1.0, "wedge": 0.5}


def test_padding_thickens_by_a_radius(urdf):
    plain, robot = ss.Robot.load(urdf), ss.Robot.load(urdf, padding=0.25)
    for name, half in HEIGHTS.items():
        assert height(plain, name) == pytest.approx(1 + half, abs=1e-6)
        assert height(robot, name) == pytest.approx(1.25 + half, abs=1e-6)
        assert type(body(robot, name).shape) is type(body(plain, name).shape)
        assert body(robot, name).shape.radius == body(plain, name).shape.radius + 0.25


def test_a_padded_corner_is_round(urdf):
    robot = ss.Robot.load(urdf, padding={"box": 0.25})
    corner = np.array((0.5, 1.0, 2.5))
    ball = robot.scene.add(ss.Sphere(0.1), corner + (5, 5, 5), name="ball")
    hit = robot.scene.sweep(ball, ss.Translate((-10, -10, -10)))
    gap = np.linalg.norm((5 - 10 * hit.time) * np.ones(3))
    assert gap == pytest.approx(0.35, abs=1e-6)


def test_the_inside_of_a_padded_solid_is_hit(urdf):
    robot = ss.Robot.load(urdf, padding=0.1)
    for name in ("box", "tube", "wedge"):
        at = body(robot, name).pose[:3, 3] + (0, 3 if name == "wedge" else 0, 0)
        ball = robot.scene.add(ss.Sphere(0.01), at)
        assert robot.scene.sweep(ball, ss.Translate((0, 0, 0.001)), resting="hit").overlapping
        robot.scene.remove(ball)


def test_scale_is_about_the_center_of_each_shape(urdf):
    robot = ss.Robot.load(urdf, scale=2.0, padding={"ball": 0.25})
    for name, half in HEIGHTS.items():
        assert height(robot, name) == pytest.approx(1 + 2 * half + (0.25 if name == "ball" else 0), abs=1e-6)
        assert body(robot, name).pose[2, 3] == 1.0
    np.testing.assert_allclose(body(robot, "wedge").shape.vertices.mean(axis=0), (0, 3, 0), atol=1e-12)
    np.testing.assert_allclose(np.ptp(body(robot, "wedge").shape.vertices, axis=0), (2, 2, 2))


def test_by_link(urdf):
    robot = ss.Robot.load(urdf, scale={"box": 1.5}, padding={"box": 0.5, "wedge": 0.25})
    assert height(robot, "box") == pytest.approx(1 + 1.5 * 1.5 + 0.5)
    assert height(robot, "wedge") == pytest.approx(1.75)
    assert body(robot, "tube").shape.radius == 0.0
    assert math.isclose(height(robot, "tube"), 2.0)


def test_copies_pickles_and_scene_files_keep_the_radius(urdf):
    robot = ss.Robot.load(urdf, padding=0.25, scale=1.1)
    robot.scene.save(urdf.with_name("s.npz"))
    others = (copy.deepcopy(robot), pickle.loads(pickle.dumps(robot)), ss.Scene.load(urdf.with_name("s.npz")).robots["r"])
    for other in others:
        for name in PARTS:
            one, two = body(robot, name).shape, body(other, name).shape
            assert (type(one), one.radius) == (type(two), two.radius)
            assert one.vertices.tobytes() == two.vertices.tobytes()


def test_links_go_on_sharing_meshes(tmp_path):
    trimesh.creation.box((1, 1, 1)).export(tmp_path / "cube.stl")
    link = '<link name="{}"><collision><geometry><mesh filename="cube.stl"/></geometry></collision></link>'
    joint = '<joint name="{0}" type="fixed"><parent link="a"/><child link="{0}"/></joint>'
    text = "".join(map(link.format, "abc")) + "".join(map(joint.format, "bc"))
    (tmp_path / "r.urdf").write_text(f'<robot name="r">{text}</robot>')
    robot = ss.Robot.load(tmp_path / "r.urdf", padding={"a": 0.1, "b": 0.1})
    a, b, c = (body(robot, name).shape for name in "abc")
    assert a is b
    assert a is not c


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"padding": {"none": 0.1}}, NotFound, "padding: no link 'none'; the robot has 'root', 'box'"),
        ({"scale": {"none": 2.0}}, NotFound, "scale: no link 'none'"),
        ({"padding": -0.1}, InvalidQuery, "padding is -0.1; it must be finite, not negative"),
        ({"padding": {"box": math.nan}}, InvalidQuery, "padding of link 'box' is nan"),
        ({"padding": None}, InvalidType, "padding: expected a number, got None"),
        ({"scale": 0.0}, InvalidQuery, "scale of link 'root' is 0; it must be above 0"),
        ({"scale": {"box": "2"}}, InvalidType, "scale of link 'box': expected a number, got '2'"),
        ({"scale": 1e50}, ss.SweepscopeError, "coordinates must be finite"),
    ],
)
def test_wrong_arguments(urdf, options, error, message):
    scene = ss.Scene()
    with pytest.raises(error, match=message):
        ss.Robot.load(urdf, scene, **options)
    assert list(scene) == []


def test_views_and_radars_refuse_padding(urdf):
    """They would draw the edges alone: what they do not show might be hit."""
    robot = ss.Robot.load(urdf, padding={"box": 0.25, "ball": 0.25})
    scene, box = robot.scene, body(ss.Robot.load(urdf, name="other"), "box")
    view = ss.View((0, 0, 9), (0, 0, -1), width=4, height=4, depth=20)
    mover = scene.add(ss.Sphere(0.1), (0, 0, 9), name="mover")
    radar = ss.radar.Radar(scene, mover)
    down = ss.Translate((0, 0, -9))
    message = r"'r/box'.* has triangles with a radius \(padding\), which views and radars cannot draw"
    for question in (
        lambda **options: scene.look(view, **options),
        lambda **options: scene.look_many([view], **options),
        lambda **options: radar.probe(down, **options),
    ):
        with pytest.raises(InvalidQuery, match=message):
            question()
        question(ignore=[body(robot, "box")])
    assert box.shape.radius == 0.0
    camera = ss.PinholeCamera.looking_at((0.3, 0.2, 9), (0.3, 0.2, 0), fov=0.1, pixels=(3, 3), up=(0, 1, 0))
    assert scene.look(camera, ignore=[mover]).depth[1, 1] == pytest.approx(9 - 2.75)
    deformed = copy.deepcopy(scene)
    deformed.remove(deformed["r/box"])
    deformed.look(view)
    with pytest.raises(InvalidQuery, match=message):
        copy.deepcopy(scene).look(view)


def test_pictures_show_it_without_padding(urdf):
    plain, padded = ss.Robot.load(urdf), ss.Robot.load(urdf, padding={"box": 0.25})
    camera = {"eye": (5, -30, 20), "target": (20, 0, 0)}
    np.testing.assert_array_equal(np.asarray(plain.picture(**camera)), np.asarray(padded.picture(**camera)))


@pytest.mark.slow
def test_padding_is_as_a_margin(urdf, rng):
    """A sweep against links with padding stops where one against the links alone stops with that margin."""
    plain, padded = ss.Robot.load(urdf), ss.Robot.load(urdf, padding=0.25)
    names = list(PARTS)
    movers = [robot.scene.add(ss.Mesh.box((0.3, 0.2, 0.4)), name="mover") for robot in (plain, padded)]
    hits = 0
    for k in range(60):
        name = names[k % len(names)]
        middle = np.array((10.0 * (k % len(names)), 3 if name == "wedge" else 0, 1))
        at = middle + rng.uniform(-3, 3, 3)
        motion = ss.Translate(1.5 * (middle - at) + rng.uniform(-1, 1, 3))
        if k % 3:
            motion = ss.Rotate(np.cross(at - middle, rng.normal(size=3)), 4.0, about=0.5 * (at + middle))
        for mover in movers:
            mover.pose = at
        if padded.scene.overlaps([movers[1]]):
            continue
        one, two = plain.scene.sweep(movers[0], motion, margin=0.25), padded.scene.sweep(movers[1], motion)
        assert (one is None) == (two is None)
        if one is not None and two is not None:
            hits += 1
            assert one.time == pytest.approx(two.time, abs=1e-6)
            assert one.obstacle.name == two.obstacle.name
            ahead = padded.scene.predict({movers[1]: motion}, 1.0)
            assert ahead[0].time == pytest.approx(two.time, abs=1e-6)
    assert hits > 30
