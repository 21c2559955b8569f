"""Robots from URDF files: they stand where the standard says, are made of what the file says, and their joints sweep."""

import math

import numpy as np
import pytest
import trimesh
from urdf_arms import ARM, write_arm, write_hand
from urdf_poses import link_poses

from sweepscope import Box, Capsule, Mesh, Robot, Rotate, Scene, Sphere, SweepscopeError, Translate
from sweepscope.errors import InvalidRobot
from sweepscope.formats.file_reader import Limits
from sweepscope.robot.urdf import COLUMNS

PLACED = np.array([[0.0, -1.0, 0.0, 3.0], [1.0, 0.0, 0.0, -2.0], [0.0, 0.0, 1.0, 0.5], [0.0, 0.0, 0.0, 1.0]])


def random_values(robot, rng):
    """Values within the limits of all joints that lead."""
    values = {}
    for name, joint in robot.joints.items():
        if joint.kind != "fixed" and joint.mimic is None:
            low, high = np.clip(joint.limits, -10.0, 10.0)
            values[name] = rng.uniform(low, high)
    return values


@pytest.mark.slow
@pytest.mark.parametrize("write", [write_arm, write_hand])
def test_stands_where_the_standard_says(write, tmp_path, rng):
    path = write(tmp_path)
    robot = Robot.load(path, pose=PLACED, geometry="collision" if write is write_arm else "visual")
    for _ in range(50):
        values = random_values(robot, rng)
        robot.positions = values
        poses = link_poses(path, values)
        assert set(poses) == set(robot.links)
        for name, link in robot.links.items():
            np.testing.assert_allclose(link.pose, PLACED @ poses[name], rtol=0.0, atol=1e-12)


def test_what_the_file_says(tmp_path):
    robot = Robot.load(write_arm(tmp_path))
    assert robot.name == "arm"
    assert next(iter(robot.links)) == "base"
    assert set(robot.links) == {"base", "turret", "upper", "fore", "wrist", "rod", "tool", "left", "right"}
    kinds = {name: (joint.kind, joint.limits) for name, joint in robot.joints.items()}
    assert kinds == {
        "pan": ("revolute", (-math.inf, math.inf)),
        "shoulder": ("revolute", (-2.2, 2.2)),
        "elbow": ("revolute", (-2.5, 2.5)),
        "roll": ("revolute", (-3.0, 3.0)),
        "slide": ("prismatic", (0.02, 0.2)),
        "flange": ("fixed", (0.0, 0.0)),
        "left finger": ("prismatic", (0.0, 0.04)),
        "right finger": ("prismatic", (-0.001, 0.06)),
    }
    assert robot.joints["roll"].axis == (1.0, 0.0, 0.0)
    assert robot.joints["shoulder"].axis == (0.0, 1.0, 0.0)
    assert robot.joints["right finger"].mimic == ("left finger", 1.25, 0.005)
    assert (robot["slide"], robot["left finger"], robot["right finger"]) == (0.02, 0.0, 0.005)
    robot["left finger"] = 0.02
    assert robot["right finger"] == pytest.approx(0.03, abs=1e-15)
    assert robot.links["tool"].bodies == ()
    shapes = {name: [type(body.shape) for body in link.bodies] for name, link in robot.links.items()}
    assert shapes["base"] == [Box, Mesh]
    assert shapes["turret"] == [Sphere]
    assert robot.links["turret"].bodies[0].shape.radius == 0.06
    np.testing.assert_allclose(robot.links["base"].bodies[1].pose[:3, 3], (0, 0, 0.15))
    assert [body.name for body in robot.links["base"].bodies] == ["arm/base", "arm/base 1"]


def test_visuals_by_choice(tmp_path):
    robot = Robot.load(write_arm(tmp_path), geometry="visual", name="other")
    assert [(body.name, type(body.shape)) for body in robot.bodies] == [("other/base", Sphere)]


def test_meshes_are_read_once_and_mirrored_by_negative_scale(tmp_path):
    robot = Robot.load(write_arm(tmp_path))
    upper, fore = (robot.links[name].bodies[0].shape for name in ("upper", "fore"))
    np.testing.assert_allclose(fore.vertices, upper.vertices * (0.75, 0.75, -0.75))
    for shape, volume in ((upper, 1.0), (fore, 0.75**3)):
        assert shape.closed
        read = trimesh.Trimesh(shape.vertices, shape.faces, process=True)
        assert read.volume == pytest.approx(volume * upper_volume(tmp_path), rel=1e-6)
    hand = Robot.load(write_hand(tmp_path / "hand"), geometry="visual")
    parts = [link.bodies[0].shape for name, link in hand.links.items() if name != "palm"]
    assert len(parts) == 6
    assert all(part is parts[0] for part in parts)


def upper_volume(folder):
    return trimesh.load_mesh(folder / "arm_pack" / "meshes" / "beam.stl").volume


def test_a_cylinder_is_enclosed(tmp_path):
    """No face of the prism is nearer to the middle than the cylinder, and no corner further out than is told."""
    shape = Robot.load(write_arm(tmp_path)).links["rod"].bodies[0].shape
    a, b, c = (shape.vertices[shape.faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    far = (normals * a).sum(axis=1)
    sides = np.abs(normals[:, 2]) < 1e-9
    assert (sides.sum(), (~sides).sum()) == (2 * COLUMNS, 2 * COLUMNS)
    np.testing.assert_allclose(far[~sides], 0.05, rtol=1e-15)
    np.testing.assert_allclose(far[sides], 0.015, rtol=1e-14)
    assert np.hypot(*shape.vertices[:, :2].T).max() < 0.015 * 1.00121


@pytest.mark.parametrize("write", [write_arm, write_hand])
def test_every_joint_sweeps(write, tmp_path):
    """To both ends, in an empty scene and among posts: what is told is where a static look finds contact, and not before."""
    scene = Scene()
    robot = Robot.load(write(tmp_path), scene, geometry="collision" if write is write_arm else "visual")
    for k in range(6):
        post = 1.0471975511965976 * (k + 0.3)
        scene.add(Box((0.05, 0.05, 3.0)), (0.62 * math.cos(post), 0.62 * math.sin(post), 0.4), name=f"post {k}")
    assert robot.overlaps() == []
    hits = swept = 0
    for name, joint in robot.joints.items():
        if joint.kind == "fixed" or joint.mimic is not None:
            continue
        for to in np.clip(joint.limits, -6.2, 6.2):
            if to == robot[name]:
                continue
            hit = robot.sweep(name, float(to))
            swept += 1
            if hit is None or name == "left finger":  # which leads another: not one motion
                continue
            hits += 1
            assert hit.bound == 0.0
            assert hit.link in {link.name for link in robot.descendants(name)}
            assert hit.mover in robot.links[hit.link].bodies
            assert set(hit.positions) == {name}
            if hit.time == 0.0:
                continue
            motion = robot.motion(name, float(to))
            part = (
                Translate(motion.vector * 0.0)
                if isinstance(motion, Translate)
                else Rotate(motion.axis, 0.0, about=motion.about)
            )
            movers = [body for link in robot.descendants(name) for body in link.bodies]
            before = robot[name]
            for share, touches in ((1.0 - 1e-6, False), (1.0 + 1e-6, True)):
                robot[name] = min(max(before + hit.time * share * (to - before), joint.limits[0]), joint.limits[1])
                assert (scene.sweep(movers, part) is not None) is touches
            robot[name] = before
    assert swept == (10 if write is write_arm else 6)
    assert hits >= 3


def test_a_leader_takes_its_follower_along(tmp_path):
    """Only the follower's way is barred: 0.02 before it, so that the leader stops at 0.02 / 1.25."""
    scene = Scene()
    robot = Robot.load(write_arm(tmp_path), scene)
    finger = robot.links["right"]
    bar = finger.pose @ np.array([[1, 0, 0, 0], [0, 1, 0, 0.015 + 0.02 + 0.005], [0, 0, 1, 0.03], [0, 0, 0, 1.0]])
    scene.add(Box((0.2, 0.01, 0.01)), bar, name="bar")
    hit = robot.sweep("left finger", 0.04)
    assert (hit.link, hit.obstacle.name) == ("right", "bar")
    assert hit.positions["left finger"] == pytest.approx(0.016, abs=2.0 * hit.bound + 1e-12)
    assert hit.positions["right finger"] == pytest.approx(0.025, abs=2.0 * hit.bound + 1e-12)


def test_a_chain_of_mimics_and_leaders_further_down(tmp_path):
    """A follows B follows C, told in that order, C's link hanging on another branch; all are there, and move together."""
    names = {"a": ("root", "b", "2", "0.5"), "b": ("root", "c", "-1", "0"), "c": ("x", None, None, None), "x": ("root",)}
    path = tmp_path / "chain.urdf"
    path.write_text(
        '<robot name="chain"><link name="a"/><link name="b"/><link name="c"/><link name="x"/><link name="root"/>'
        + "".join(
            f'<joint name="{name}" type="continuous"><parent link="{told[0]}"/><child link="{name}"/>'
            + (f'<mimic joint="{told[1]}" multiplier="{told[2]}" offset="{told[3]}"/>' if len(told) > 1 and told[1] else "")
            + "</joint>"
            for name, told in names.items()
        )
        + "</robot>"
    )
    robot = Robot.load(path)
    robot["c"] = 0.75
    assert robot.positions == {"a": -1.0, "b": -0.75, "c": 0.75, "x": 0.0}
    assert next(iter(robot.links)) == "root"


def test_packages_by_name_beside_and_above(tmp_path):
    """A package is a folder above of that name, one beside those with a package.xml, or the one that was named."""
    home = tmp_path / "work" / "describes" / "urdf"
    home.mkdir(parents=True)
    other = tmp_path / "work" / "parts"
    other.mkdir()
    trimesh.creation.box((1, 1, 1)).export(tmp_path / "work" / "describes" / "a..b.stl")
    trimesh.creation.box((2, 2, 2)).export(other / "big cube.stl")
    text = (
        '<robot name="r"><link name="l"><collision><geometry><mesh filename="package://describes/a..b.stl"/></geometry></collision>'
        '<collision><geometry><mesh filename="package://parts/big%20cube.stl"/></geometry></collision></link></robot>'
    )
    (home / "r.urdf").write_text(text)
    with pytest.raises(FileNotFoundError, match=r"no folder 'parts' among the 4 above .* packages=\{'parts': FOLDER\}"):
        Robot.load(home / "r.urdf")
    named = Robot.load(home / "r.urdf", packages={"parts": other})
    assert [np.ptp(body.vertices, axis=0).tolist() for body in named.bodies] == [[1.0] * 3, [2.0] * 3]
    (other / "package.xml").write_text("<package/>")
    assert len(Robot.load(home / "r.urdf").bodies) == 2


def test_roots_allow_what_is_outside(tmp_path):
    home, away = tmp_path / "home", tmp_path / "away"
    home.mkdir()
    away.mkdir()
    trimesh.creation.box((1, 1, 1)).export(away / "cube.stl")
    (home / "link.stl").symlink_to(away / "cube.stl")
    for name in ("../away/cube.stl", str(away / "cube.stl"), f"file://{away}/cube.stl", "link.stl", "%2e%2e/away/cube.stl"):
        (home / "r.urdf").write_text(
            f'<robot name="r"><link name="l"><collision><geometry><mesh filename="{name}"/></geometry></collision></link></robot>'
        )
        with pytest.raises(ValueError, match=r"link 'l': mesh .* to allow it, name its folder: roots="):
            Robot.load(home / "r.urdf")
        assert len(Robot.load(home / "r.urdf", roots=[away]).bodies) == 1


LOAD_DAE = (
    '<robot name="r"><link name="l"><collision><geometry><mesh filename="box.dae"/></geometry></collision></link></robot>'
)
WEDGE = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>ASSET</asset>
<library_cameras><camera id="camera"><optics/></camera></library_cameras>
<library_geometries><geometry id="g"><mesh>
  <source id="s"><float_array id="a" count="12">0 0 0 1 0 0 0 2 0 0 0 3</float_array><technique_common>
    <accessor source="#a" count="4" stride="3"><param name="X"/><param name="Y"/><param name="Z"/></accessor></technique_common></source>
  <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
  <triangles count="4" material="none"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 1 2 3 2 0 3</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="scene">
  <node><lookat>9 9 9 0 0 0 0 0 1</lookat><instance_camera url="#camera"/></node>
  <node>PLACE<instance_geometry url="#g"><bind_material/></instance_geometry></node>
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene></COLLADA>"""


def load_wedge(folder, asset="", place="", **options):
    (folder / "r.urdf").write_text(LOAD_DAE)
    (folder / "box.dae").write_text(WEDGE.replace("ASSET", asset).replace("PLACE", place))
    return Robot.load(folder / "r.urdf", **options).bodies[0]


def test_collada_units_and_places(tmp_path):
    """Its unit is applied, its nodes place things, cameras and missing materials do not matter."""
    for told, size in (('<unit name="any" meter="0.01"/>', 0.01), ("", 1.0)):
        for place, corner in (("", (0, 0, 0)), ("<translate>4 5 6</translate>", (4, 5, 6))):
            body = load_wedge(tmp_path, told, place)
            assert body.shape.closed
            np.testing.assert_allclose(np.ptp(body.vertices, axis=0), np.array((1, 2, 3)) * size)
            np.testing.assert_allclose(body.vertices.min(axis=0), np.array(corner) * size, atol=1e-12)


def test_collada_axes(tmp_path):
    """As in RViz the axis that is up does not count; it does if asked for. Turning is no mirroring."""
    for k, (axis, sizes) in enumerate((("X", [2, 3, 1]), ("Y", [1, 3, 2]), ("Z", [1, 2, 3]))):
        asset = f"<up_axis>{axis}_UP</up_axis>"
        assert np.ptp(load_wedge(tmp_path, asset).vertices, axis=0).tolist() == [1, 2, 3]
        vertices = load_wedge(tmp_path, asset, turn_dae=True).vertices
        assert np.ptp(vertices, axis=0).tolist() == sizes
        assert vertices[1 + k].tolist() == [0, 0, 1 + k]
        assert np.linalg.det(vertices[1:] - vertices[0]) == pytest.approx(6.0)
    with pytest.raises(SweepscopeError, match="turn_dae is 'Y'; accepted: True, False"):
        load_wedge(tmp_path, turn_dae="Y")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('url="#g"', 'url="#nowhere"', r"link 'l': .*box.dae: line \d+: <instance_geometry>: url is '#nowhere', but no <geometry>"),
        ('url="#g"', 'url="other.dae#g"', "url is 'other.dae#g'; accepted: #ID of a <geometry> in the same file"),
        ("ASSET", '<unit meter="0"/>', "its unit is '0' meters; it must be finite and above 0"),
        ("ASSET", '<unit meter="1e50"/>', r"box.dae: vertices\[1, 0\] is 1e\+50|coordinates must be"),
        ('<instance_geometry url="#g"><bind_material/></instance_geometry>', "", "box.dae: holds no triangles"),
        ("<p>0 2 1", "<p>77 2 1", "index 77 in <p>; accepted: 0 to 3"),
    ],
)  # fmt: skip
def test_collada_that_is_broken(tmp_path, old, new, message):
    """Nothing is left out in silence: what is not there cannot be hit."""
    assert old in WEDGE
    (tmp_path / "r.urdf").write_text(LOAD_DAE)
    text = WEDGE.replace(old, new).replace("ASSET", "").replace("PLACE", "<scale>10 1 1</scale>")
    (tmp_path / "box.dae").write_text(text)
    with pytest.raises(SweepscopeError, match=message):
        Robot.load(tmp_path / "r.urdf")


def test_collada_with_a_long_text(tmp_path):
    """Parsers with a limit of 10 MB a text refuse what real robots come with."""
    (tmp_path / "r.urdf").write_text(LOAD_DAE)
    long = WEDGE.replace('count="12">', 'count="2500012">' + "0.5 " * 2_500_000).replace(
        'source="#a"', 'source="#a" offset="2500000"'
    )
    (tmp_path / "box.dae").write_text(long.replace("ASSET", "").replace("PLACE", ""))
    assert len(long) > 10_000_000
    (body,) = Robot.load(tmp_path / "r.urdf").bodies
    assert np.ptp(body.vertices, axis=0).tolist() == [1, 2, 3]
    with pytest.raises(
        InvalidRobot, match=r"box\.dae: has [\d,]+ bytes; accepted: up to 10,000,000; to allow it: limits=Limits"
    ):
        Robot.load(tmp_path / "r.urdf", limits=Limits(max_file_bytes=10_000_000))


def test_packages_with_three_slashes(tmp_path):
    """package:///NAME/PATH, as some files have it, is package://NAME/PATH."""
    home = tmp_path / "pack" / "urdf"
    home.mkdir(parents=True)
    (home / "r.urdf").write_text(LOAD_DAE.replace("box.dae", "package:///pack/meshes/box.dae"))
    (tmp_path / "pack" / "meshes").mkdir()
    (tmp_path / "pack" / "meshes" / "box.dae").write_text(WEDGE.replace("ASSET", "").replace("PLACE", ""))
    assert len(Robot.load(home / "r.urdf").bodies) == 1
    (home / "r.urdf").write_text(LOAD_DAE.replace("box.dae", "package:///"))
    with pytest.raises(InvalidRobot, match="mesh 'package:///': expected package://NAME/PATH"):
        Robot.load(home / "r.urdf")


def test_capsules(tmp_path):
    """Along z, centered; the length is that between the centers of its round ends."""
    capsule = '<origin xyz="1 0 0"/><geometry><capsule radius="0.25" length="3"/></geometry>'
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="l"><collision>{capsule}</collision></link></robot>')
    (body,) = Robot.load(tmp_path / "r.urdf").bodies
    assert isinstance(body.shape, Capsule)
    assert body.shape.radius == 0.25
    assert body.pose[:3, 3].tolist() == [1, 0, 0]
    assert body.shape.vertices.tolist() == [[0, 0, -1.5], [0, 0, 1.5]]


def test_encodings_namespaces_and_endings(tmp_path):
    """Latin letters, a byte order mark and a default namespace are read as what they are."""
    latin = ARM.replace('<?xml version="1.0"?>', '<?xml version="1.0" encoding="ISO-8859-1"?>').replace("tool", "Werkst\xfcck")
    marked = "\ufeff" + ARM.replace("<robot ", '<robot xmlns="http://www.ros.org" ')
    path = write_arm(tmp_path).with_name("other.xml")
    path.write_bytes(latin.encode("latin-1"))
    assert "Werkst\xfcck" in Robot.load(path).links
    path.write_bytes(marked.encode())
    assert len(Robot.load(path).bodies) == 9


def test_meshes_beside_the_file_in_its_own_package(tmp_path):
    """The usual layout: pack/urdf/robot.urdf, pack/meshes/part.stl; what makes it one is pack/package.xml."""
    pack = tmp_path / "pack"
    for folder in ("urdf", "meshes"):
        (pack / folder).mkdir(parents=True)
    trimesh.creation.box((1, 1, 1)).export(pack / "meshes" / "part.stl")
    trimesh.Scene(trimesh.creation.box((1, 1, 1))).export(pack / "meshes" / "part.gltf")
    path = pack / "urdf" / "robot.urdf"
    for name in ("part.stl", "part.gltf"):
        mesh = f'<collision><geometry><mesh filename="../meshes/{name}"/></geometry></collision>'
        path.write_text(f'<robot name="r"><link name="a">{mesh}</link></robot>')
        (pack / "package.xml").unlink(missing_ok=True)
        with pytest.raises(InvalidRobot, match="outside of the file's folder"):
            Robot.load(path)
        (pack / "package.xml").write_text("<package/>")
        (body,) = Robot.load(path).bodies
        assert len(body.shape.faces) == 12


@pytest.mark.parametrize(("asked", "there"), [("collision", "visual"), ("visual", "collision")])
def test_shapes_of_the_other_kind_are_better_than_none(tmp_path, caplog, asked, there):
    file = tmp_path / "a.urdf"
    file.write_text(
        f'<robot name="r"><link name="l"><{there}><geometry><box size="1 1 1"/></geometry></{there}></link></robot>'
    )
    robot = Robot.load(file, geometry=asked)
    assert len(robot.links["l"].bodies) == 1
    assert f"no link has <{asked}>; the <{there}> shapes of 1 link are taken" in caplog.text
