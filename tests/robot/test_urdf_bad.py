"""URDF files that are wrong: one clear message each, and the scene stays as it was."""

import json
import re
import struct

import pytest
import trimesh
from urdf_arms import ARM, write_arm

from sweepscope import Box, Robot, Scene, SweepscopeError
from sweepscope.errors import InaccessibleFile, InvalidQuery, InvalidRobot, InvalidType, MissingFile
from sweepscope.formats.file_reader import Limits

LINKS = '<link name="a"/><link name="b"/>'

AWAY = {
    "asset": {"version": "2.0"},
    "buffers": [{"uri": "../secret.bin", "byteLength": 36}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "nodes": [{"mesh": 0}],
}


def joint(name="j", kind="revolute", parent="a", child="b", inside='<limit lower="-1" upper="1"/>'):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def robot(inside):
    return f'<?xml version="1.0"?>\n<robot name="r">\n{inside}\n</robot>'


def mesh(name, scale=""):
    return shape(f'<mesh filename="{name}" {scale}/>')


def shape(inside, kind="collision"):
    return f'<link name="a"><{kind}><geometry>{inside}</geometry></{kind}></link>'


def mimic(leader, terms=""):
    return f'<limit lower="-1" upper="1"/><mimic joint="{leader}" {terms}/>'


def refused(tmp_path, text, message, **options):
    path = tmp_path / "r.urdf"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    scene = Scene()
    scene.add(Box((1, 1, 1)), name="r/there")
    with pytest.raises(SweepscopeError, match=re.escape(message)) as caught:
        Robot.load(path, scene, **options)
    assert [body.name for body in scene] == ["r/there"]
    assert scene.add(Box((1, 1, 1))).id == 1
    assert len(str(caught.value)) < 1000
    return caught


TEXTS = {
    "not closed": ("<robot name='r'>\n<link name='a'>\n</robot>", "line 3: not well-formed XML: mismatched tag"),
    "text": ("hello", "line 1: not well-formed XML"),
    "cut": (ARM[:600], "not well-formed XML"),
    "doctype": ('<!DOCTYPE robot [<!ENTITY a "b">]><robot name="&a;"/>', "line 1: holds a <!DOCTYPE"),
    "entity": ('<robot name="r">\n<!ENTITY a "b">\n</robot>', "line 2: not well-formed XML"),
    "unknown entity": ('<robot name="&a;"/>', "not well-formed XML: undefined entity"),
    "utf-16": ('<?xml version="1.0" encoding="utf-16"?><robot name="r"/>'.encode("utf-16"), "save it as UTF-8"),
    "utf-7": (b'<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE x><robot name="r"/>', "save it as UTF-8"),
    "not utf-8": (b'<robot name="\xff"/>', "byte 13 is 0xff"),
    "deep": ("<robot name='r'>" + "<a>" * 100 + "</a>" * 100 + "</robot>", "nested more than 64 deep"),
    "many": ("<robot name='r'>" + "<a/>" * 200_000 + "</robot>", "more than 200000 elements"),
    "other root": ("<sdf/>", "is a <sdf>; expected a <robot>"),
    "xacro": (
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n<xacro:macro name="m"/></robot>',
        "line 2: has <xacro:macro>: it is a xacro file; convert it first: xacro FILE.xacro > FILE.urdf",
    ),
    "no name": ("<robot><link name='a'/></robot>", "<robot> has no name"),
    "no links": (robot(""), "holds no <link>"),
    "link without a name": (robot("<link/>"), "line 3: a <link> has no name"),
    "joint without a name": (robot(LINKS + '<joint type="fixed"/>'), "line 3: a <joint> has no name"),
    "unknown type": (
        robot(LINKS + joint(kind="ball")),
        "joint 'j': type is 'ball'; accepted: revolute, continuous, prismatic, fixed, floating, planar",
    ),
    "planar follower": (
        robot('<link name="a"/><link name="b"/><link name="c"/>' + joint() + joint("p", "planar", "b", "c", mimic("j"))),
        "joint 'p': is planar and mimics 'j'; accepted: revolute and prismatic joints",
    ),
    "planar leader": (
        robot('<link name="a"/><link name="b"/><link name="c"/>' + joint("p", "planar") + joint("j", "revolute", "b", "c", mimic("p"))),
        "joint 'j' mimics 'p', which is not a joint; joints: 'p/x', 'p/y', 'p/turn', 'j'",
    ),
    "planar axis": (robot(LINKS + joint("p", "planar", inside='<axis xyz="0 0 0"/>')), "joint 'p': axis is 0 0 0"),
    "frame taken": (
        robot(LINKS + '<link name="p/x"/>' + joint("p", "planar") + joint("j", "fixed", "b", "p/x")),
        "2 links are called 'p/x'; names are unique within a robot",
    ),
    "step taken": (
        robot('<link name="a"/><link name="b"/><link name="c"/>' + joint("p", "floating") + joint("p/yaw", "fixed", "b", "c")),
        "2 joints are called 'p/yaw'",
    ),
    "floating twice": (
        robot('<link name="a"/><link name="b"/><link name="c"/>' + joint("p", "floating") + joint("p", "fixed", "b", "c")),
        "2 joints are called 'p'",
    ),
    "no type": (robot(LINKS + '<joint name="j"/>'), "joint 'j': type is None"),
    "no parent": (robot(LINKS + '<joint name="j" type="fixed"><child link="b"/></joint>'), "joint 'j': has no <parent link=...>"),
    "no child": (robot(LINKS + '<joint name="j" type="fixed"><parent link="b"/></joint>'), "joint 'j': has no <child link=...>"),
    "nameless parent": (robot(LINKS + joint(parent="")), "joint 'j': <parent> has no link"),
    "no limit": (
        robot(LINKS + joint(inside="")),
        "line 3: joint 'j': has no <limit>, which the URDF standard requires for a revolute joint",
    ),
    "no limit, sliding": (robot(LINKS + joint(kind="prismatic", inside="")), "requires for a prismatic joint"),
    "two limits": (robot(LINKS + joint(inside='<limit upper="1"/><limit upper="2"/>')), "joint 'j': has 2 <limit>; accepted: one"),
    "limits the wrong way": (
        robot(LINKS + joint(inside='<limit lower="1" upper="-1"/>')),
        "joint 'j': limits are 1 to -1; the first must not be above the second",
    ),
    "limit above 0 only from below": (robot(LINKS + joint(inside='<limit lower="1"/>')), "joint 'j': limits are 1 to 0"),
    "endless the wrong way": (robot(LINKS + joint(inside='<limit lower="inf" upper="inf"/>')), "limits are inf to inf"),
    "limit nan": (robot(LINKS + joint(inside='<limit lower="nan" upper="1"/>')), "joint 'j': <limit lower=...>: is 'nan'; numbers must be finite"),
    "limit no number": (
        robot(LINKS + joint(inside='<limit lower="-pi" upper="1"/>')),
        "joint 'j': <limit lower=...>: expected a number, got '-pi'",
    ),
    "limit underscored": (robot(LINKS + joint(inside='<limit upper="1_0"/>')), "expected a number, got '1_0'"),
    "xacro number": (robot(LINKS + joint(inside='<limit upper="${pi}"/>')), "expected a number, got '${pi}'"),
    "axis 0": (robot(LINKS + joint(inside='<axis xyz="0 0 0"/><limit/>')), "joint 'j': axis is 0 0 0"),
    "axis of two": (
        robot(LINKS + joint(inside='<axis xyz="0 1"/><limit/>')),
        "joint 'j': <axis xyz=...>: expected 3 numbers with spaces between, got '0 1'",
    ),
    "axis with commas": (robot(LINKS + joint(inside='<axis xyz="0,1,0"/><limit/>')), "with spaces between, got '0,1,0'"),
    "axis nan": (robot(LINKS + joint(inside='<axis xyz="0 nan 0"/><limit/>')), "joint 'j': <axis xyz=...>: is '0 nan 0'"),
    "origin of one": (robot(LINKS + joint(inside='<origin xyz="1"/><limit/>')), "<origin xyz=...>: expected 3 numbers"),
    "origin too far": (robot(LINKS + joint(inside='<origin xyz="1e60 0 0"/><limit/>')), "at most 1e+50 in size"),
    "turned endlessly": (robot(LINKS + joint(inside='<origin rpy="inf 0 0"/><limit/>')), "<origin rpy=...>: is 'inf 0 0'"),
    "two of a link": (robot('<link name="a"/><link name="a"/>'), "2 links are called 'a'"),
    "two of a joint": (robot(LINKS + '<link name="c"/>' + joint() + joint(child="c")), "2 joints are called 'j'"),
    "unknown parent": (robot(LINKS + joint(parent="c")), "joint 'j': its parent 'c' is not a link; links: 'a', 'b'"),
    "unknown child": (robot(LINKS + joint(child="c")), "joint 'j': its child 'c' is not a link; links: 'a', 'b'"),
    "two parents": (
        robot(LINKS + '<link name="c"/>' + joint() + joint(name="k", parent="c")),
        "link 'b' has two parents, by joints 'j' and 'k'; accepted: one",
    ),
    "two roots": (robot(LINKS), "has 2 roots, links without a parent: 'a', 'b'; a robot is one tree"),
    "circle": (
        robot(LINKS + joint() + joint(name="k", parent="b", child="a")),
        "links are attached in a circle: 'b' -> 'a' -> 'b'; there is no root",
    ),
    "circle beside a root": (
        robot(LINKS + '<link name="c"/>' + joint() + joint(name="k", parent="b", child="a")),
        "links are attached in a circle: 'b' -> 'a' -> 'b'",
    ),
    "on itself": (robot(LINKS + joint(child="a")), "in a circle: 'a' -> 'a'"),
    "mimics nothing": (robot(LINKS + joint(inside=mimic("z"))), "joint 'j' mimics 'z', which is not a joint; joints: 'j'"),
    "mimics nobody": (robot(LINKS + joint(inside="<limit/><mimic/>")), "joint 'j': <mimic> has no joint"),
    "mimics itself": (robot(LINKS + joint(inside=mimic("j"))), "joints mimic each other in a circle: 'j' -> 'j'"),
    "mimics in a circle": (
        robot(LINKS + '<link name="c"/>' + joint(inside=mimic("k")) + joint("k", child="c", inside=mimic("j"))),
        "joints mimic each other in a circle: 'j' -> 'k' -> 'j'",
    ),
    "mimics what is fixed": (
        robot(LINKS + '<link name="c"/>' + joint(inside=mimic("k")) + joint("k", "fixed", child="c")),
        "joint 'j' mimics 'k', which is fixed",
    ),
    "mimics what it carries": (
        robot(LINKS + '<link name="c"/>' + joint(inside=mimic("k")) + joint("k", parent="b", child="c")),
        "joint 'j' mimics 'k', attached below it",
    ),
    "mimics beyond its limits": (
        robot(LINKS + '<link name="c"/>' + joint() + joint("k", child="c", inside=mimic("j", 'offset="3"'))),
        "joint 'k' starts at 3, as it follows 'j'; accepted: -1 to 1",
    ),
    "mimics by nan": (robot(LINKS + joint(inside=mimic("j", 'multiplier="nan"'))), "<mimic multiplier=...>: is 'nan'"),
    "no geometry": (robot('<link name="a"><collision/></link>'), "line 3: link 'a': <geometry> holds nothing; expected one of <box>"),
    "empty geometry": (robot(shape("")), "link 'a': <geometry> holds nothing"),
    "two geometries": (robot(shape('<box size="1 1 1"/><sphere radius="1"/>')), "<geometry> holds <box>, <sphere>; expected one"),
    "unknown geometry": (robot(shape('<cone radius="1"/>')), "holds <cone>; expected one of <box>, <cylinder>, <sphere>, <capsule>, <mesh>"),
    "box of two": (robot(shape('<box size="1 1"/>')), "link 'a': <box size=...>: expected 3 numbers"),
    "box inside out": (robot(shape('<box size="1 -1 1"/>')), "link 'a': Box.size[1] is -1.0; widths must not be negative"),
    "sphere of nothing": (robot(shape("<sphere/>")), "link 'a': <sphere radius=...>: is missing"),
    "sphere below 0": (robot(shape('<sphere radius="-1"/>')), "link 'a': Sphere.radius is -1.0"),
    "cylinder below 0": (robot(shape('<cylinder radius="1" length="-1"/>')), "link 'a': cylinder: length is -1.0"),
    "capsule of nothing": (robot(shape('<capsule radius="1"/>')), "link 'a': <capsule length=...>: is missing"),
    "capsule below 0": (robot(shape('<capsule radius="1" length="-1"/>')), "link 'a': capsule: length is -1.0"),
    "cylinder nan": (robot(shape('<cylinder radius="nan" length="1"/>')), "link 'a': <cylinder radius=...>: is 'nan'"),
    "mesh of nothing": (robot(mesh("")), "link 'a': <mesh> has no filename"),
    "mesh missing": (robot(mesh("meshes/none.stl")), "link 'a': mesh 'meshes/none.stl': no such file; tried "),
    "mesh is a folder": (robot(mesh("folder.stl")), "link 'a': mesh 'folder.stl': not a file; tried "),
    "mesh of no kind": (robot(mesh("text.txt")), "text.txt: accepted endings are .dae, .glb, .gltf, .obj, .off, .ply, .stl"),
    "mesh broken": (robot(mesh("cut.stl")), "cut.stl: its header promises 1000 triangles"),
    "mesh of lfs": (robot(mesh("lfs.obj")), "lfs.obj: is a Git LFS pointer"),
    "mesh empty": (robot(mesh("empty.stl")), "empty.stl: is empty"),
    "scale 0": (robot(mesh("cube.stl", 'scale="1 0 1"')), "link 'a': mesh 'cube.stl': scale is 1 0 1; it must not be 0"),
    "scale of two": (robot(mesh("cube.stl", 'scale="1 2"')), "expected a number or 3 numbers with spaces between, got '1 2'"),
    "scale too large": (robot(mesh("cube.stl", 'scale="1e50 1e50 1e50"')), "mesh 'cube.stl', scaled: "),
    "from the web": (robot(mesh("https://example.org/a.stl")), "mesh 'https://example.org/a.stl': https: is not supported; accepted: a path"),
    "of a model": (robot(mesh("model://a/b.stl")), "model: is not supported"),
    "absolute": (robot(mesh("/etc/secret.stl")), "mesh '/etc/secret.stl' is /etc/secret.stl, an absolute path; to allow it, name its folder: roots=['/etc']"),
    "file": (robot(mesh("file:///etc/secret.stl")), "an absolute path; to allow it, name its folder: roots=['/etc']"),
    "file of a host": (robot(mesh("file://etc/secret.stl")), "file: is not supported; accepted: a path relative to the file"),
    "dots": (robot(mesh("../secret.stl")), "secret.stl, outside of the file's folder and its packages; to allow it, name its folder: roots=["),
    "dots, written otherwise": (robot(mesh("%2e%2e/secret.stl")), "outside of the file's folder"),
    "dots in a package": (robot(mesh("package://here/../../../secret.stl")), "outside of the file's folder"),
    "a link to elsewhere": (robot(mesh("away.stl")), "outside of the file's folder"),
    "no package": (robot(mesh("package://nowhere/a.stl")), "no folder 'nowhere' among the 4 above"),
    "package of dots": (robot(mesh("package://../a.stl")), "expected package://NAME/PATH"),
    "package alone": (robot(mesh("package://here")), "expected package://NAME/PATH"),
    "zero byte": (robot(mesh("package://here/%00.stl")), "not a file name"),
    "dae with entities": (robot(mesh("entity.dae")), "entity.dae: line 1: holds a <!DOCTYPE"),
    "dae that is a zip": (robot(mesh("zip.dae")), "zip.dae: "),
    "dae of skins": (robot(mesh("skins.dae")), "skins.dae: line 1: <instance_controller>: bends a mesh by a skin"),
    "dae of nothing": (robot(mesh("nothing.dae")), "nothing.dae: holds no triangles"),
    "gltf from elsewhere": (robot(mesh("away.gltf")), "away.gltf: names '../secret.bin', outside of its folder"),
}  # fmt: skip


@pytest.fixture
def home(tmp_path):
    """A folder with meshes good and bad; what lies above it is not to be read."""
    home = tmp_path / "here"
    (home / "folder.stl").mkdir(parents=True)
    cube = trimesh.creation.box((3, 3, 3))
    cube.export(tmp_path / "secret.stl")
    cube.export(home / "cube.stl")
    (home / "away.stl").symlink_to(tmp_path / "secret.stl")
    (home / "text.txt").write_text("hello")
    (home / "empty.stl").write_bytes(b"")
    (home / "cut.stl").write_bytes(b"\1" * 80 + struct.pack("<I", 1000))
    (home / "lfs.obj").write_text("version https://git-lfs.github.com/spec/v1\n")
    (home / "entity.dae").write_text('<!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]><COLLADA>&x;</COLLADA>')
    (home / "zip.dae").write_bytes(b"PK\3\4\0\0")
    (home / "skins.dae").write_text(
        '<COLLADA><library_visual_scenes><visual_scene><node><instance_controller url="#c"/></node></visual_scene></library_visual_scenes></COLLADA>'
    )
    (home / "nothing.dae").write_text("<COLLADA/>")
    (home / "away.gltf").write_text(json.dumps(AWAY))
    return home


@pytest.mark.slow
@pytest.mark.parametrize("case", TEXTS)
def test_refused(home, case):
    text, message = TEXTS[case]
    caught = refused(home, text, message)
    errors = {"mesh missing": MissingFile, "no package": MissingFile, "mesh is a folder": InaccessibleFile}
    assert type(caught.value) is errors.get(case, InvalidRobot)
    assert str(caught.value).startswith(str(home / "r.urdf"))


def test_the_same_files_are_fine_without_the_fault(home):
    """The cases above differ from a good file by their fault alone."""
    for text in (
        robot(LINKS + joint()),
        robot(mesh("cube.stl")),
        robot(mesh("folder.stl/../cube.stl")),
        robot(mesh("package://here/cube.stl")),
    ):
        (home / "r.urdf").write_text(text)
        assert len(Robot.load(home / "r.urdf").links) >= 1


def test_files(tmp_path):
    for name, message in (
        ("none.urdf", "no such file"),
        ("r.urdf.xacro", "is a xacro file; convert it first"),
        ("r.txt", "accepted endings are .urdf, .xml"),
        ("empty.urdf", "is empty"),
        ("folder.urdf", "is a folder, not a file"),
        ("lfs.urdf", "is a Git LFS pointer, not the robot itself"),
        ("large.urdf", "has 1,001 bytes; accepted: up to 1,000; to allow it: limits=Limits(max_file_bytes=1001)"),
    ):
        path = tmp_path / name
        if name == "folder.urdf":
            path.mkdir()
        elif name == "lfs.urdf":
            path.write_text("version https://git-lfs.github.com/spec/v1\n")
        elif name == "large.urdf":
            path.write_bytes(b" " * 1001)
        elif name != "none.urdf":
            path.write_text("" if name == "empty.urdf" else "x")
        error = {"none.urdf": MissingFile, "folder.urdf": InaccessibleFile}.get(name, InvalidRobot)
        with pytest.raises(error, match=re.escape(f"{path}: {message}")):
            Robot.load(path, limits=Limits(max_file_bytes=1000))
    with pytest.raises(InvalidType, match="path: expected a str or a Path, got 3"):
        Robot.load(3)


@pytest.mark.parametrize("ending", ["stl", "dae"])
def test_a_huge_mesh_is_not_read(home, ending):
    with (home / f"huge.{ending}").open("wb") as stream:
        stream.truncate(Limits().max_file_bytes + 1)
    refused(home, robot(mesh(f"huge.{ending}")), f"huge.{ending}: has 2,147,483,649 bytes; accepted: up to 2,147,483,648")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"geometry": "both"}, "geometry is 'both'; accepted: 'collision', 'visual'"),
        ({"geometry": None}, "geometry is None"),
        ({"packages": ["a"]}, "packages: expected {name: folder, ...}, got ['a']"),
        ({"packages": {"a": "/nowhere"}}, "packages['a']: expected a folder, got '/nowhere'"),
        ({"packages": {"a": 3}}, "packages['a']: expected a str or a Path, got 3"),
        ({"roots": "/tmp"}, "roots: expected a list of folders, got '/tmp'"),
        ({"roots": ["/nowhere"]}, "roots[0]: expected a folder, got '/nowhere'"),
        ({"limits": 3}, "limits: expected Limits(...), got 3"),
        ({"turn_dae": 1}, "turn_dae is 1; accepted: True, False"),
        ({"name": ""}, "robot: expected a name, got ''"),
        ({"pose": [[1]]}, "pose: expected shape (4, 4), (3, 4) or (3,)"),
    ],
)
def test_options(tmp_path, options, message):
    refused(tmp_path, robot(shape('<box size="1 1 1"/>')), message, **options)


def test_names_that_are_taken(tmp_path):
    """Of the last link of the arm only: nothing of it has been added when that is found."""
    path = write_arm(tmp_path)
    scene = Scene()
    scene.add(Box((1, 1, 1)), name="arm/right")
    with pytest.raises(InvalidQuery, match="a body 'arm/right' exists already; give the robot another name"):
        Robot.load(path, scene)
    assert len(scene) == 1
    assert Robot.load(path, scene, name="second").name == "second"
    assert len(scene) == 10
    with pytest.raises(InvalidType, match="scene: expected a Scene, got 3"):
        Robot.load(path, 3)


def test_links_whose_bodies_share_a_name(tmp_path):
    box = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
    text = robot(f'<link name="a">{box}{box}</link><link name="a 1">{box}</link>' + joint(child="a 1"))
    refused(tmp_path, text, "two links would have a body 'r/a 1'")


@pytest.mark.slow
def test_any_damage(tmp_path, rng):
    """Cut, doubled, swapped or overwritten anywhere: a robot, or one of our errors; both happen."""
    path = write_arm(tmp_path)
    words = [
        "",
        "nan",
        "-1",
        "0 0 0",
        "../",
        "base",
        "left finger",
        "<link/>",
        "&",
        "<!DOCTYPE",
        "1e400",
        "</robot>",
        "\0",
        "x",
    ]
    loaded, told = 0, []
    for _ in range(400):
        text = ARM
        for _ in range(rng.integers(1, 3)):
            if rng.random() < 0.7:
                # The value of an attribute, or a name.
                spans = [found.span(1) for found in re.finditer('"([^"]*)"', text)]
                begin, end = spans[rng.integers(len(spans))]
                other = spans[rng.integers(len(spans))]
                new = text[other[0] : other[1]] if rng.random() < 0.5 else str(rng.choice(words))
            else:
                begin = int(rng.integers(len(text)))
                end = begin + int(rng.integers(0, 40))
                new = str(rng.choice(words)) if rng.random() < 0.5 else text[begin:end] * 2
            text = text[:begin] + new + text[end:]
        path.write_bytes(text.encode())
        scene = Scene()
        try:
            made = Robot.load(path, scene)
        except SweepscopeError as error:
            told.append(str(error))
            assert len(scene) == 0
        else:
            loaded += 1
            assert len(scene) == len(made.bodies)
    assert loaded > 25
    assert len(told) > 150
    assert all(text.startswith(str(path)) for text in told)
