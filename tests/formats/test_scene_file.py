"""Scenes in files: all that they hold comes back, to the bit; a file is written whole; nothing that is wrong gets in."""

import contextlib
import copy
import io
import json
import math
import os
import zipfile

import numpy as np
import pytest
from sweepscope_lab.reference.travel_cases import build
from sweepscope_lab.reference.turn_cases import random_pose
from sweepscope_lab.verify.travel import bits_of

import sweepscope as ss
from sweepscope.formats import arrays as files
from sweepscope.scene import store_of
from sweepscope.shapes.base import with_vertices

DOWN = ss.Translate((0, 0, -10))
UPRIGHT = np.eye(4)

SHAPES = {
    "box": ss.Box((1, 2, 0)),
    "sphere": ss.Sphere(0.1),
    "point": ss.Sphere(0),
    "capsule": ss.Capsule.from_segment((0, 0, 1e-3), (1 / 3, 0, 1), radius=0.3),
    "cloud": ss.PointCloud([(0, 0, 0.1), (1, -0.0, 0)], 0.25),
    "no points": ss.PointCloud(np.zeros((0, 3))),
    "mesh": ss.Mesh.sphere(1 / 3),
    "room": ss.Mesh.box((3, 3, 3), solid=False),
    "solid mesh": ss.Mesh.box((1, 1, 1), solid=True),
    "segments": ss.Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 1e3)], [(0, 1, 0), (2, 2, 2), (0, 1, 2)]),
    "far mesh": ss.Mesh(ss.Mesh.sphere(1).vertices + 1e6, ss.Mesh.sphere(1).faces),
    "no faces": ss.Mesh(np.eye(3), np.zeros((0, 3), int)),
    "fan": ss.fan.Fan.enclosing(ss.Box((1, 1, 1)), (2, 0.1, 0), axis=(1, 2, 3), angle=1.0, about=(0, 1, 0)),
    "whole fan": ss.fan.Fan((0, 0, 0), (1, 1, 1), mid=(1, -1, 0), half_angle=math.pi, inner=0.5, outer=1.0, half_thickness=0.1),
    "volume": ss.Volume(np.arange(60).reshape(3, 4, 5) / 7, (0.1, 0.2, 0.3), origin=(1, 2, 3), threshold=4.5),
    "booleans": ss.Volume(np.arange(210).reshape(3, 1, 70) % 3 == 0, threshold=0.5),
    "bytes": ss.Volume(np.arange(60, dtype=np.uint8).reshape(3, 4, 5), 0.1, threshold=-1.5),
    "halves": ss.Volume(np.arange(60, dtype=">f2").reshape(3, 4, 5), 0.1, threshold=7),
    "bits": ss.Volume(np.arange(560).reshape(2, 4, 70) % 7, 0.1, threshold=4, keep_alpha=False),
    "at or over": ss.Volume(np.arange(60, dtype=np.uint8).reshape(3, 4, 5), 0.1, threshold=9, inclusive=True),
    "bits at or over": ss.Volume(np.arange(560).reshape(2, 4, 70) % 7, threshold=4, inclusive=True, keep_alpha=False),
    "no voxels": ss.Volume(np.zeros((3, 0, 5)), 0.1),
}


def saved(scene, path):
    scene.save(path / "scene.npz")
    return ss.Scene.load(path / "scene.npz")


# what comes back


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape(tmp_path, name):
    shape = SHAPES[name]
    scene = ss.Scene()
    scene.add(shape, (1, 2, 3), name=name)
    back = saved(scene, tmp_path)[name].shape
    assert type(back) is type(shape)
    for what in ("vertices", "faces", "bounds", "radius", "solid"):
        assert bits_of(getattr(back, what)) == bits_of(getattr(shape, what)), what
    if isinstance(shape, ss.fan.Fan):
        for what in ("center", "axis", "mid", "half_angle", "inner", "outer", "half_thickness"):
            assert bits_of(getattr(back, what)) == bits_of(getattr(shape, what)), what
    if isinstance(shape, ss.Volume):
        for what in ("resolution", "spacing", "origin", "threshold", "inclusive", "occupied", "lines", "planes"):
            assert bits_of(getattr(back, what)) == bits_of(getattr(shape, what)), what
        if "bits" in name:
            with pytest.raises(ss.errors.InvalidGeometry, match="not stored"):
                _ = back.alpha
        else:
            assert bits_of(back.alpha) == bits_of(shape.alpha)
        if back.resolution[1]:
            back[...] = 1
            assert back.count == (shape.threshold < 1) * math.prod(shape.resolution)


def test_bodies_groups_and_what_ignores_what(tmp_path):
    scene = ss.Scene(tolerance=1e-7)
    for k, group in enumerate(("", "red", "blue", "red")):
        scene.add(ss.Sphere(0.1), (k, 0, 0), group=group, name=f"{group} {k}\u2603\ud800\n")
    gone = scene.add(ss.Sphere(1))
    scene.remove(gone)
    a, b, c, d = scene
    scene.ignore_groups("red", "blue")
    scene.ignore_groups("red", "red")
    scene.ignore(a, b)
    scene.ignore(a, d)
    scene.unignore(a, d)
    scene.ignore(c, d)
    back = saved(scene, tmp_path)
    assert [(each.id, each.name, each.group) for each in back] == [(each.id, each.name, each.group) for each in scene]
    assert back.tolerance == 1e-7
    # A removed body's id is not used again.
    assert back.add(ss.Box((1, 1, 1))).id == scene.add(ss.Box((1, 1, 1))).id == 5
    assert store_of(back).packed().ids == store_of(scene).packed().ids
    assert store_of(back).filters.packed() == store_of(scene).filters.packed()
    assert back.add(ss.Box((1, 1, 1)), group="green").group == "green"
    along = ss.Translate((9, 0, 0))
    for k in range(4):
        assert bits_of(back.sweep(back[k], along)) == bits_of(scene.sweep(scene[k], along))
    assert back.robots == {}


def test_poses_and_deformed_vertices_to_the_bit(tmp_path, rng):
    scene = ss.Scene()
    ball, cloud = ss.Mesh.sphere(0.3), ss.PointCloud(rng.normal(size=(20, 3)))
    one, other, third = scene.add(ball), scene.add(ball), scene.add(cloud)
    for body in scene:
        body.pose = random_pose(rng, rng.normal(size=3))
    one.vertices = one.vertices * 1.1
    third.vertices = third.vertices - 0.0
    back = saved(scene, tmp_path)
    for mine, theirs in zip(scene, back, strict=True):
        assert bits_of((theirs.pose, theirs.vertices, theirs.bounds)) == bits_of((mine.pose, mine.vertices, mine.bounds))
    assert bits_of(back[0].vertices) != bits_of(back[1].vertices)
    assert other.shape is ball


def test_what_is_shared_stays_shared(tmp_path):
    scene = ss.Scene()
    rock, fog = ss.Mesh.sphere(1), ss.Volume(np.ones((4, 4, 4)))
    for k in range(50):
        scene.add(rock, (3 * k, 0, 0))
        scene.add(fog, (3 * k, 9, 0))
    scene.add(ss.Mesh.sphere(1), (0, 0, 9))
    back = saved(scene, tmp_path)
    assert len({id(body.shape) for body in back}) == 3
    assert (tmp_path / "scene.npz").stat().st_size < 120_000
    back[1].shape[...] = 0
    assert back[99].shape.empty


@pytest.mark.parametrize("seed", [1, 3, 4, 8])
def test_answers_to_the_bit(tmp_path, seed):
    """More of them, with robots and a history: `sweepscope verify travel`, and tests/test_travel.py."""
    scene = build(seed).scene
    back = saved(scene, tmp_path)
    view = ss.View(scene.bodies[0].pose[:3, 3] + 4, (-1, -1, -1), width=6, height=6, depth=12)
    for one, other in zip(scene, back, strict=True):
        for motion in (
            DOWN,
            ss.Rotate((1, 2, 3), 2.0, about=one.pose[:3, 3] + 1),
            ss.Screw((0, 1, 0), 1.0, slide=2.0, about=(1, 1, 1)),
        ):
            assert bits_of(back.sweep(other, motion)) == bits_of(scene.sweep(one, motion))
    for bounding in (False, True):
        assert bits_of(back.look(view, 16, bounding=bounding)) == bits_of(scene.look(view, 16, bounding=bounding))
    motions = {scene.bodies[0]: DOWN, scene.bodies[1]: ss.Translate((3, 3, 0))}
    there = {back[body.id]: motion for body, motion in motions.items()}
    assert bits_of(back.predict(there, 3)) == bits_of(scene.predict(motions, 3))
    mine, theirs = ([body.shape for body in each if isinstance(body.shape, ss.Volume)] for each in (scene, back))
    if len(mine) > 1:
        assert bits_of(ss.overlap(theirs[0], theirs[1])) == bits_of(ss.overlap(mine[0], mine[1]))


def surface_of(scene):
    """The index box of the only volume that has a surface, or will get it first."""
    ((_, _, box),) = store_of(scene).surfaces.packed()
    return box


def test_surfaces_of_volumes_are_made_when_they_are_needed(tmp_path):
    scene = ss.Scene()
    scene.add(ss.Volume(np.ones((64, 64, 64), bool), 0.1), name="block")
    ball = scene.add(ss.Sphere(0.1), (3, 3, 9))
    scene.sweep(ball, DOWN)
    box = surface_of(scene)
    back = saved(scene, tmp_path)
    entry = store_of(back).entries[0]
    assert box == surface_of(back)
    assert store_of(back).arena.faces(entry.shape_row) == 0
    assert bits_of(back.sweep(back[1], DOWN)) == bits_of(scene.sweep(ball, DOWN))
    assert surface_of(back) == box
    assert store_of(back).arena.faces(entry.shape_row) == store_of(scene).arena.faces(0)
    # It stays in a second file, and is forgotten with an edit.
    again = saved(saved(scene, tmp_path), tmp_path)
    assert surface_of(again) == box
    assert surface_of(copy.copy(again)) == box
    again["block"].shape[0] = False
    assert surface_of(saved(again, tmp_path)) is None
    assert again.sweep(again[1], DOWN) is not None


def test_which_of_equal_contacts_is_found_depends_on_surfaces(tmp_path, rng):
    """A box that lands flat on voxels touches many at once: the answer is that of the scene that was asked before."""
    differ = 0
    for k in range(12):
        asked, fresh = ss.Scene(), ss.Scene()
        ground = ss.Volume(rng.random((24, 24, 4)) < 0.7, 0.25, origin=(-3, -3, -1))
        for scene in (asked, fresh):
            scene.add(ground.copy())
            scene.add(ss.Box((1, 1, 1)), (0.5 * (k % 3), 0.3, 3))
        asked.look(ss.View((0, 0, 9), (0, 0, -1), width=9, height=9, depth=20), 4)
        back = saved(asked, tmp_path)
        first = bits_of(asked.sweep(asked[1], DOWN))
        assert bits_of(back.sweep(back[1], DOWN)) == first
        differ += bits_of(fresh.sweep(fresh[1], DOWN)) != first
    assert differ > 3


# robots


def arm(scene, name="arm"):
    robot = ss.Robot(scene, (0.1, 0.2, 0.3), name=name)
    robot.add("base", [ss.Box((1, 1, 0.2)), (ss.Sphere(0.3), (0, 0, 0.2))])
    robot.add("frame", parent="base", joint=ss.Joint.fixed("mount", origin=(0, 0, 0.5)))
    robot.add(
        "upper",
        ss.Capsule.from_segment((0, 0, 0), (0, 0, 1), radius=0.1),
        parent="frame",
        joint=ss.Joint.revolute("shoulder", (1, 2, 3)),
    )
    slide = ss.Joint.prismatic("slide", (0, 1, 1), origin=(0, 0, 1.2), limits=(0, 2), mimic=("shoulder", 0.5, 0.25))
    robot.add("hand", ss.Mesh.box((0.2, 0.2, 0.2)), parent="upper", joint=slide)
    robot.add("finger", ss.Sphere(0.05), parent="hand", joint=ss.Joint.revolute("curl", limits=(-1, 2.5)))
    robot.positions = {"shoulder": 1 / 3, "curl": -0.7}
    return robot


def said(robot):
    joints = [(joint.name, joint.kind, joint.axis, joint.origin, joint.limits, joint.mimic) for joint in robot.joints.values()]
    links = [(link.name, link.parent and link.parent.name, link.pose, link.bodies) for link in robot.links.values()]
    return bits_of([robot.name, robot.pose, robot.positions, joints, links, robot.overlaps()])


def test_robots_come_back_by_name(tmp_path):
    scene = ss.Scene()
    scene.add(ss.Box((9, 9, 0.1)), (0, 0, -2), name="floor")
    one, _ = arm(scene), arm(scene, "other")
    one.ignore("hand", "base")
    one.unignore("hand", "upper")
    tool = scene.add(ss.Sphere(0.1), one.links["hand"].pose, name="tool")
    one.attach(tool, "hand")
    one.positions = {"shoulder": 0.4}
    back = saved(scene, tmp_path)
    assert list(back.robots) == ["arm", "other"]
    for robot, mine in zip(back.robots.values(), scene.robots.values(), strict=True):
        assert type(robot) is ss.Robot
        assert robot.scene is back
        assert said(robot) == said(mine)
        for target in ({"shoulder": -0.2}, {"curl": 2.0}, {"shoulder": 2.0, "curl": 0.0}):
            assert bits_of(robot.sweep(target)) == bits_of(mine.sweep(target))
    there = back.robots["arm"]
    with pytest.raises(ss.errors.InvalidPose, match="a part of robot 'arm'"):
        back["tool"].pose = (0, 0, 0)
    for robot in (one, there):
        robot.positions = {"shoulder": 0.1}
        robot.detach(robot.scene["tool"])
    assert said(there) == said(one)
    assert store_of(back).filters.packed() == store_of(scene).filters.packed()
    there.remove()
    assert list(back.robots) == ["other"]


def test_a_scene_knows_its_robots():
    scene = ss.Scene()
    robot = ss.Robot(scene, name="arm")
    assert scene.robots == {}
    robot.add("base")
    assert scene.robots == {"arm": robot}
    scene.robots.clear()
    assert scene.robots == {"arm": robot}
    with pytest.raises(ss.errors.InvalidQuery, match="the scene has a robot 'arm' already"):
        ss.Robot(scene, name="arm").add("other link")
    assert len(scene) == 0
    ss.Robot(scene, name="arm").remove()
    assert scene.robots == {"arm": robot}
    twin = copy.deepcopy(robot)
    assert twin.scene.robots == {"arm": twin}
    robot.remove()
    assert scene.robots == {}
    robot.add("base")
    assert scene.robots == {"arm": robot}


# the file


def test_the_same_scene_gives_the_same_bytes(tmp_path):
    scene = build(3).scene
    scene.save(tmp_path / "a.npz")
    scene.save(str(tmp_path / "b.npz"))
    ss.Scene.load(tmp_path / "a.npz").save(tmp_path / "c.npz")
    one, other, third = ((tmp_path / f"{name}.npz").read_bytes() for name in "abc")
    assert one == other == third


def test_numpy_alone_can_read_it(tmp_path):
    scene = ss.Scene()
    scene.add(ss.Mesh.box((1, 1, 1)), (1, 2, 3), name="crate")
    scene.add(SHAPES["bits"], name="fog")
    scene.save(tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz", allow_pickle=False) as file:
        said = json.loads(file["scene.json"])
        crate, fog = said["shapes"]
        np.testing.assert_array_equal(file[crate["vertices"]], scene["crate"].vertices)
        np.testing.assert_array_equal(file["poses"][0], scene["crate"].pose)
        bits = np.unpackbits(file[fog["bits"]].view(np.uint8), axis=2, bitorder="little")
        np.testing.assert_array_equal(bits[:, :, : fog["resolution"][2]], scene["fog"].shape.occupied)
    assert (said["format"], said["version"]) == ("sweepscope scene", 3)
    with pytest.raises(ss.errors.InvalidGeometry, match=r"a\.npz: is a scene; Scene\.load reads it"):
        ss.Volume.load(tmp_path / "a.npz")


def test_a_file_by_others_may_leave_out_what_is_usual(tmp_path):
    said = {
        "format": "sweepscope scene",
        "version": 3,
        "shapes": [{"kind": "sphere", "radius": 1}],
        "poses": "where",
        "note": {},
    }
    said["bodies"] = [{"name": "a", "shape": 0}, {"name": "b", "shape": 0}]
    poses = np.tile(np.eye(4, dtype=np.float32), (2, 1, 1))
    poses[1, 0, 3] = 3
    (tmp_path / "a.npz").write_bytes(npz(said, where=poses))
    scene = ss.Scene.load(tmp_path / "a.npz")
    assert scene.sweep(scene["a"], ss.Translate((9, 0, 0))).travel == pytest.approx(1.0)


def test_a_subclass_is_loaded_as_one(tmp_path):
    class Room(ss.Scene):
        pass

    ss.Scene().save(tmp_path / "a.npz")
    assert type(Room.load(tmp_path / "a.npz")) is Room


# writing


@pytest.fixture
def kept(tmp_path):
    """A scene, and a file that an error must not change."""
    scene = ss.Scene()
    scene.add(ss.Mesh.sphere(1))
    scene.save(tmp_path / "a.npz")
    before = (tmp_path / "a.npz").read_bytes()
    yield scene
    assert (tmp_path / "a.npz").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.npz"]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt(), MemoryError()])
def test_a_write_that_fails_changes_nothing(kept, tmp_path, monkeypatch, error):
    def fail(*arguments, **options):
        raise error

    monkeypatch.setattr(files.np.lib.format, "write_array", fail)
    with pytest.raises(ss.errors.InaccessibleFile if isinstance(error, OSError) else type(error)) as caught:
        kept.save(tmp_path / "a.npz")
    if isinstance(error, OSError):
        assert "cannot be written: No space left on device" in str(caught.value)


@pytest.mark.parametrize("name", ["fsync", "replace"])
def test_it_gets_its_name_last(kept, tmp_path, monkeypatch, name):
    def fail(*arguments):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os if name == "fsync" else files.Path, name, fail)
    with pytest.raises(ss.errors.InaccessibleFile, match="cannot be written: Input/output error"):
        kept.save(tmp_path / "a.npz")


def test_what_cannot_be_saved(kept, tmp_path):
    class Lens(ss.Sphere):
        pass

    crooked = ss.Mesh(
        np.repeat(ss.Mesh.box((1, 1, 1)).vertices[ss.Mesh.box((1, 1, 1)).faces.ravel()], 1, axis=0),
        np.arange(36).reshape(-1, 3),
        solid=True,
    )
    moved = crooked.vertices.copy()
    moved[0] += 1
    for shape, message in (
        (Lens(1), "body 'odd': <Lens: .* cannot be saved; accepted: Box, Sphere, Capsule, PointCloud, Mesh, Fan, Volume"),
        (
            with_vertices(ss.Box((1, 1, 1)), np.zeros((8, 3))),
            "body 'odd': <Box: .* has other vertices than a Box; make it a Mesh",
        ),
        (with_vertices(crooked, moved), "body 'odd': <Mesh: .* is solid=True, but open"),
    ):
        body = kept.add(shape, name="odd")
        with pytest.raises(ss.errors.InvalidGeometry, match=message):
            kept.save(tmp_path / "a.npz")
        kept.remove(body)


@pytest.mark.parametrize(
    ("path", "error", "message"),
    [
        ("a.npy", ss.errors.InvalidGeometry, "accepted ending is .npz"),
        ("nowhere/a.npz", ss.errors.MissingFile, "cannot be written: there is no folder"),
        ("a" * 300 + ".npz", ss.errors.InaccessibleFile, "cannot be written"),
        (7, ss.errors.InvalidType, "path: expected a str or a Path, got 7"),
        ("a\0.npz", ss.errors.InaccessibleFile, "cannot be written"),
    ],
)
def test_bad_paths(kept, tmp_path, path, error, message):
    with pytest.raises(error, match=message):
        kept.save(tmp_path / path if isinstance(path, str) else path)


def test_a_long_name_and_a_file_that_is_there(tmp_path):
    scene = ss.Scene()
    name = "a" * 250 + ".npz"
    (tmp_path / name).write_bytes(b"old")
    scene.save(tmp_path / name)
    assert len(ss.Scene.load(tmp_path / name)) == 0
    assert (tmp_path / name).stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


# reading what is wrong


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def npz(said, packed=zipfile.ZIP_STORED, **arrays):
    """The bytes of a scene's file: what it says, and arrays or the bytes of members."""
    text = {} if said is None else {"scene.json": said if isinstance(said, (bytes, str)) else json.dumps(said)}
    members = {f"{name}.npy": each if isinstance(each, bytes) else npy(each) for name, each in arrays.items()}
    return zipped(text | members, packed)


def zipped(members, packed):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", packed) as box:
        for name, content in members.items():
            box.writestr(name, content)
    return stream.getvalue()


def content_of(path):
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files if name != "scene.json"}
        return json.loads(file["scene.json"]), arrays


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What the file of a scene with everything in it says, and its arrays."""
    path = tmp_path_factory.mktemp("whole") / "a.npz"
    scene = ss.Scene()
    small = SHAPES | {"mesh": ss.Mesh.sphere(1 / 3, rows=4, sections=5)}
    for name in ("box", "mesh", "cloud", "volume", "bits", "fan", "capsule"):
        scene.add(small[name], (0, 0, len(scene)), name=name, group="red" if name == "box" else "")
    scene.add(ss.Sphere(1), group="blue")
    scene["mesh"].vertices = 2 * scene["mesh"].vertices
    scene.ignore_groups("red", "blue")
    scene.ignore(scene[0], scene[1])
    scene.remove(scene.add(ss.Sphere(1)))
    robot = arm(scene)
    robot.attach(scene["capsule"], "hand")
    scene.look(ss.View((0, 0, 9), (0, 0, -1), width=9, height=9, depth=20), 4)
    scene.save(path)
    return content_of(path)


def put(place, value):
    """Return a change: `value` at a place like ("bodies", 0, "name"); `...` takes it away."""

    def change(said, arrays):
        at = said
        for key in place[:-1]:
            at = at[key]
        if value is ...:
            del at[place[-1]]
        else:
            at[place[-1]] = value(at[place[-1]]) if callable(value) else value

    return change


def swap(name, value):
    """Return a change of an array."""

    def change(said, arrays):
        arrays[name] = value(arrays[name]) if callable(value) else value
        if value is ...:
            del arrays[name]

    return change


def with_nan(array):
    array = array.copy()
    array[-1, -1] = np.nan
    return array


LINK = ("robots", 0, "links", 2)
JOINT = (*LINK, "joint")
WRONG = {
    "identity": (put(("identity",), 3), r"identity: expected an object, got 3"),
    "no tokens": (put(("identity", "scenes"), []), r"identity\.scenes: has 0 tokens; expected 1 to 15"),
    "many tokens": (put(("identity", "scenes"), ["00" * 16] * 16), r"identity\.scenes: has 16 tokens; expected 1 to 15"),
    "token": (put(("identity", "scenes", 0), "xyz"), r"identity\.scenes\[0\] is 'xyz'; expected 32 hexadecimal digits"),
    "token of a number": (put(("identity", "scenes", 0), 7), r"identity\.scenes\[0\] is 7"),
    "keys of nobody": (put(("identity", "bodies"), "none"), r"identity\.bodies is 'none'; expected the name of an array"),
    "keys of others": (put(("identity", "bodies"), "ignored"), r"has shape \(1, 2\); expected \("),
    "no format": (put(("format",), ...), "is not a scene: scene.json does not say format 'sweepscope scene'"),
    "other format": (put(("format",), "glTF"), "is not a scene"),
    "newer": (put(("version",), 4), "is a scene in version 4 of the format; this sweepscope reads version 3: use a newer sweepscope"),
    "older": (put(("version",), 1), "is a scene in version 1 of the format; this sweepscope reads version 3: save the scene again"),
    "no version": (put(("version",), ...), "version is None; expected a whole number"),
    "version text": (put(("version",), "1"), "version is '1'; expected a whole number"),
    "version true": (put(("version",), True), "version is True; expected a whole number"),
    "tolerance": (put(("tolerance",), -1), "tolerance is -1"),
    "tolerance text": (put(("tolerance",), "small"), "tolerance: expected a number, got 'small'"),
    "bodies": (put(("bodies",), {}), "bodies: expected a list, got {}"),
    "a body": (put(("bodies", 1), 7), r"bodies\[1\]: expected an object, got 7"),
    "no name": (put(("bodies", 1, "name"), ...), r"bodies\[1\]\.name is missing"),
    "name of a number": (put(("bodies", 1, "name"), 3), r"bodies\[1\]\.name: expected a str, got 3"),
    "two of a name": (put(("bodies", 3, "name"), "mesh"), r"bodies\[3\] and bodies\[1\] are both called 'mesh'"),
    "shape beyond": (put(("bodies", 1, "shape"), 99), r"bodies\[1\]\.shape is 99; expected a whole number from 0 to"),
    "shape before": (put(("bodies", 1, "shape"), -1), r"bodies\[1\]\.shape is -1"),
    "shape half": (put(("bodies", 1, "shape"), 0.5), r"bodies\[1\]\.shape is 0\.5"),
    "no group": (put(("bodies", 0, "group"), "green"), r"bodies\[0\]\.group is 'green'; expected a name from groups"),
    "unhashable group": (put(("bodies", 0, "group"), []), r"bodies\[0\]\.group is \[\]"),
    "two groups": (put(("groups",), ["red", "red"]), r"groups\[1\] is 'red'; expected a new name"),
    "63 groups": (put(("groups",), [f"{k}" for k in range(63)]), "groups: has 63; a scene has at most 62"),
    "ignored group": (put(("ignored_groups",), [["red", "none"]]), r"ignored_groups\[0\] is \['red', 'none'\]; expected two"),
    "ignored three": (put(("ignored_groups",), [["red", "red", "red"]]), r"ignored_groups\[0\] is"),
    "no poses": (put(("poses",), ...), "poses is missing"),
    "poses elsewhere": (put(("poses",), "places"), "poses is 'places'; expected the name of an array in the file"),
    "poses by number": (put(("poses",), 3), "poses is 3; expected the name of an array"),
    "poses not there": (swap("poses", ...), "poses is 'poses'; expected the name of an array in the file"),
    "few poses": (swap("poses", lambda a: a[1:]), r"its array poses has shape .*; expected \(13, 4, 4\)"),
    "poses of a text": (swap("poses", lambda a: a.astype(str)), "its array poses has dtype <U32"),
    "whole poses": (swap("poses", lambda a: a.astype(int)), "its array poses has dtype int64; expected real numbers"),
    "sheared": (swap("poses", lambda a: a * 1.5), "body 'box': pose: the last row"),
    "mirrored": (swap("poses", lambda a: a * np.diag((1.0, -1, 1, 1))), "body 'box': pose: its 3x3 part mirrors"),
    "pose of nan": (swap("poses", lambda a: a * np.nan), r"body 'box': pose\[0, 0\] is nan"),
    "ignored bodies": (swap("ignored", lambda a: a + 99), r"ignored: names body \d+ of 13"),
    "ignored before": (swap("ignored", lambda a: a - 99), "ignored: names body"),
    "ignored real": (swap("ignored", lambda a: a.astype(float)), "its array ignored has dtype float64; expected whole numbers"),
    "unknown kind": (put(("shapes", 0, "kind"), "teapot"), r"a\.npz: shapes\[0\]\.kind is 'teapot'; accepted: 'box', 'sphere'"),
    "no kind": (put(("shapes", 0, "kind"), ...), r"shapes\[0\]\.kind is missing"),
    "negative box": (put(("shapes", 0, "size"), [1, -1, 1]), r"shapes\[0\]: Box\.size\[1\] is -1"),
    "box of a text": (put(("shapes", 0, "size"), "big"), r"Box\.size: expected three numbers, got 'big'"),
    "box of booleans": (put(("shapes", 0, "size"), [True, True, True]), r"Box\.size\[0\]: expected a number"),
    "large box": (put(("shapes", 0, "size"), [10**4000, 1, 1]), r"Box\.size\[0\] is"),
    "vertices": (swap("shape_1_vertices", with_nan), r"shapes\[1\]: vertices\[\d+, 2\] is nan"),
    "vertices of two": (swap("shape_1_vertices", lambda a: a[:, :2]), r"its array shape_1_vertices has shape \(\d+, 2\); expected \(n, 3\)"),
    "faces": (swap("shape_1_faces", lambda a: a + 9999), r"shapes\[1\]: face 0 uses vertex"),
    "faces before": (swap("shape_1_faces", lambda a: a - 9999), r"shapes\[1\]: face 0 uses vertex"),
    "real faces": (swap("shape_1_faces", lambda a: a * 1.0), "dtype float64; expected whole numbers"),
    "solid": (put(("shapes", 1, "solid"), "yes"), r"shapes\[1\]: solid is 'yes'"),
    "cloud": (put(("shapes", 2, "radius"), None), r"shapes\[2\]\.radius is missing"),
    "deformed box": (put(("bodies", 0, "vertices"), "body_1_vertices"), r"bodies\[0\]\.vertices: a Box has none of its own"),
    "deformed few": (swap("body_1_vertices", lambda a: a[1:]), r"bodies\[1\]\.vertices: got \d+ for a shape of \d+"),
    "deformed nan": (swap("body_1_vertices", with_nan), r"bodies\[1\]\.vertices\[\d+, 2\] is nan"),
    "no alpha": (put(("shapes", 3, "alpha"), ...), r"shapes\[3\]\.alpha is missing"),
    "flat alpha": (swap("shape_3_alpha", lambda a: a[0]), r"its array shape_3_alpha has shape \(4, 5\); expected \(nx, ny, nz\)"),
    "alpha of nan": (swap("shape_3_alpha", lambda a: a * np.nan), r"shapes\[3\]: alpha\[0, 0, 0\] is nan"),
    "spacing": (put(("shapes", 3, "spacing"), [0, 1, 1]), r"shapes\[3\]: spacing\[0\] is 0"),
    "threshold": (put(("shapes", 3, "threshold"), "low"), r"shapes\[3\]: threshold: expected a number"),
    "inclusive": (put(("shapes", 3, "inclusive"), "yes"), r"shapes\[3\]: inclusive is 'yes'; accepted: True, False"),
    "surface of a box": (put(("shapes", 0, "surface"), [0, 0, 0, 1, 1, 1]), r"shapes\[0\]\.surface is .*; expected the six numbers"),
    "surface of five": (put(("shapes", 3, "surface"), [0, 0, 0, 1, 1]), r"shapes\[3\]\.surface is .*; expected the six numbers"),
    "surface beyond": (put(("shapes", 3, "surface"), [0, 0, 0, 1, 1, 99]), r"shapes\[3\]\.surface\[5\] is 99; .* from 0 to 5"),
    "bits beyond": (swap("shape_4_bits", lambda a: ~a), "bits: some are set beyond the 70 voxels"),
    "bits of two": (put(("shapes", 4, "resolution"), [2, 4]), "resolution: expected three whole numbers"),
    "bits of another": (put(("shapes", 4, "resolution"), [2, 4, 300]), r"bits: expected shape \(2, 4, 5\)"),
    "bits of many": (put(("shapes", 4, "resolution"), [2, 4, 10**30]), "resolution is 1000"),
    "fan": (put(("shapes", 5, "mid"), [1, 2, 3]), r"shapes\[5\]: Fan\.mid: .* is not perpendicular"),
    "fan without": (put(("shapes", 5, "outer"), ...), r"shapes\[5\]\.outer is missing"),
    "few ids": (put(("history", "ids"), lambda a: a[1:]), "history: expected an id for each of 13 bodies, in rising order"),
    "two ids": (put(("history", "ids"), lambda a: [a[0], *a[:-1]]), "history.ids: has a number twice"),
    "ids from now on": (put(("history", "next_id"), 3), r"history\.ids\[3\] is 3; expected a whole number from 0 to 2"),
    "huge id": (put(("history", "next_id"), 2**63), r"history\.next_id is"),
    "ids in another order": (put(("history", "ids"), lambda a: a[::-1]), "in rising order"),
    "robots": (put(("robots",), 3), "robots: expected a list, got 3"),
    "robot without a name": (put(("robots", 0, "name"), ""), r"robots\[0\]\.name: expected a name, got ''"),
    "two robots": (put(("robots",), lambda a: a * 2), "robot 'arm': there are two of this name"),
    "robot without links": (put(("robots", 0, "links"), []), "robot 'arm': has no links"),
    "robot's pose": (put(("robots", 0, "pose"), [[1, 2], [3]]), r"robot 'arm': robots\[0\]\.pose: expected a 4x4 or 3x4 matrix"),
    "robot moved": (put(("robots", 0, "pose"), UPRIGHT.tolist()), "robot 'arm': body 'arm/base' is not where link 'base' puts it"),
    "two links": (put((*LINK, "name"), "base"), "robot 'arm': link 'base' exists already"),
    "parent": (put((*LINK, "parent"), "nobody"), "parent: no link 'nobody'"),
    "no joint": (put((*LINK, "joint"), None), "link 'upper': give its parent"),
    "kind of joint": (put((*JOINT, "kind"), "ball"), "joint 'shoulder': kind is 'ball'; accepted: 'revolute', 'prismatic', 'fixed'"),
    "axis": (put((*JOINT, "axis"), [0, 0, 0]), "joint 'shoulder': axis is 0 0 0"),
    "axis of two": (put((*JOINT, "axis"), [0, 1]), "joint 'shoulder': axis: expected three numbers"),
    "limits": (put((*JOINT, "limits"), [2, 1]), "joint 'shoulder': limits are 2 to 1"),
    "one limit": (put((*JOINT, "limits"), [2]), "limits: expected the lowest and the highest value"),
    "value": (put((*JOINT, "value"), "far"), r"joint\.value: expected a number, got 'far'"),
    "no value": (put((*JOINT, "value"), ...), r"joint\.value is missing"),
    "value beyond": (put(("robots", 0, "links", 4, "joint", "value"), 9), "position of joint 'curl' is 9; accepted: -1 to 2.5"),
    "follower": (put(("robots", 0, "links", 3, "joint", "value"), 0.1), "position of joint 'slide' is 0.1, but it follows 'shoulder'"),
    "follows nobody": (put(("robots", 0, "links", 3, "joint", "mimic"), ["x", 1, 1]), "joint 'slide' follows 'x', which is unknown"),
    "body beyond": (put((*LINK, "bodies", 0, "body"), 99), r"bodies\[0\]\.body is 99"),
    "body twice": (put((*LINK, "bodies"), lambda a: a * 2), "body 'arm/upper' is already a part of robot 'arm'"),
    "a volume in a hand": (put((*LINK, "bodies", 0, "body"), 3), "body 'volume' is a Volume"),
    "attached or not": (put((*LINK, "bodies", 0, "attached"), "yes"), r"bodies\[0\]\.attached is 'yes'; accepted: True, False"),
    "joined links": (put(("robots", 0, "joined_links"), "all"), r"robots\[0\]\.joined_links: expected a list, got 'all'"),
    "one link": (put(("robots", 0, "ignored_links"), [["base"]]), r"ignored_links\[0\] is \['base'\]; expected the names of two links"),
    "unknown link": (put(("robots", 0, "ignored_links"), [["base", "x"]]), "expected the names of two links"),
    "link with itself": (put(("robots", 0, "joined_links"), [["base", "base"]]), "expected the names of two links"),
    "link of lists": (put(("robots", 0, "ignored_links"), [[[], []]]), "expected the names of two links"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_wrong_content(tmp_path, whole, case):
    said, arrays = copy.deepcopy(whole)
    change, message = WRONG[case]
    change(said, arrays)
    (tmp_path / "a.npz").write_bytes(npz(said, **arrays))
    with pytest.raises(ss.errors.InvalidGeometry, match=message) as caught:
        ss.Scene.load(tmp_path / "a.npz")
    text = str(caught.value)
    assert text.count(f"{tmp_path / 'a.npz'}: ") == 1
    assert "\n" not in text


def test_the_unchanged_content_is_fine(tmp_path, whole):
    said, arrays = whole
    for packed in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        (tmp_path / "a.npz").write_bytes(npz(said, packed, **arrays))
        scene = ss.Scene.load(tmp_path / "a.npz")
        scene.save(tmp_path / "b.npz")
        again, others = content_of(tmp_path / "b.npz")
        assert again == said
        assert bits_of(others) == bits_of(arrays)


EMPTY = {"format": "sweepscope scene", "version": 3, "poses": "poses"}
NO_POSES = np.zeros((0, 4, 4))
BROKEN = {
    "missing": (None, "no such file"),
    "nothing": (b"", "is empty"),
    "a text": (b"hello", "cannot be read as NPZ: File is not a zip file"),
    "pointer": (b"version https://git-lfs.github.com/spec/v1\n", "Git LFS pointer, not the scene itself"),
    "a volume": (npz(None, alpha=np.ones((2, 2, 2))), "is not a scene: it holds no scene.json"),
    "not JSON": (npz("{"), "scene.json is not valid JSON: Expecting"),
    "not UTF-8": (npz(b'{"format": "\xff"}'), "scene.json is not valid JSON"),
    "a list": (npz("[]"), "is not a scene"),
    "nan": (npz('{"format": "sweepscope scene", "version": 3, "tolerance": NaN}'), "not valid JSON: NaN is not a number"),
    "infinite": (npz('{"format": "sweepscope scene", "version": 3, "tolerance": 1e999, "poses": "poses"}', poses=NO_POSES), "tolerance is inf"),
    "digits": (npz('{"format": "sweepscope scene", "version": ' + "1" * 5000 + "}"), "not valid JSON"),
    "deep": (npz("[" * 100_000 + "]" * 100_000), "scene.json is nested too deep"),
    "deep objects": (npz('{"a":' * 100_000 + "1" + "}" * 100_000), "scene.json is nested too deep"),
    "objects": (npz(EMPTY, poses=b""), "cannot be read as NPZ"),
    "cut off": (npz(EMPTY, poses=npy(np.ones((0, 4, 4)))[:60]), "cannot be read as NPZ"),
    "long array": (npz({**EMPTY, "bodies": [{"name": "a", "shape": 0}], "shapes": [{"kind": "sphere", "radius": 1}]}, poses=npy(UPRIGHT[None])[:-8]), "its array poses is cut off: its header promises 128 bytes, it has 120"),
    "half a file": (npz(EMPTY, poses=NO_POSES)[:200], "cannot be read as NPZ"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files(tmp_path, case):
    content, message = BROKEN[case]
    path = tmp_path / "a.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ss.errors.MissingFile if content is None else ss.errors.InvalidGeometry, match=message) as caught:
        ss.Scene.load(path)
    assert str(caught.value).count(str(path)) == 1


def test_pickles_are_not_read(tmp_path):
    class Evil:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "made"),)

    stream = io.BytesIO()
    np.save(stream, np.array([Evil()], object), allow_pickle=True)
    (tmp_path / "a.npz").write_bytes(npz(EMPTY, poses=stream.getvalue()))
    with pytest.raises(ss.errors.InvalidGeometry, match="its array poses holds Python objects"):
        ss.Scene.load(tmp_path / "a.npz")
    assert not (tmp_path / "made").exists()


def test_two_members_of_one_name(tmp_path):
    content = npz(EMPTY, poses=NO_POSES, other=NO_POSES).replace(b"other.npy", b"poses.npy")
    (tmp_path / "a.npz").write_bytes(content)
    with pytest.raises(ss.errors.InvalidGeometry, match=r"holds 'poses\.npy' twice"):
        ss.Scene.load(tmp_path / "a.npz")


def test_what_unfolds_too_far_is_refused_before_it_does(tmp_path):
    shapes = [{"kind": "volume", "alpha": "fog", "spacing": [1, 1, 1], "origin": [0, 0, 0], "threshold": 0}]
    fog = np.zeros((64, 128, 128))
    (tmp_path / "a.npz").write_bytes(npz({**EMPTY, "shapes": shapes}, zipfile.ZIP_DEFLATED, poses=NO_POSES, fog=fog))
    small = ss.io.Limits(max_decoded_bytes=1 << 20)
    with pytest.raises(
        ss.errors.InvalidGeometry, match=r"its array fog would decode to .* to allow it: limits=Limits\(max_decoded_bytes=\d+\)"
    ):
        ss.Scene.load(tmp_path / "a.npz", limits=small)
    assert len(ss.Scene.load(tmp_path / "a.npz")) == 0
    # One array many times, and a text of many small lists.
    (tmp_path / "a.npz").write_bytes(npz({**EMPTY, "shapes": 99 * shapes}, zipfile.ZIP_DEFLATED, poses=NO_POSES, fog=fog))
    with pytest.raises(ss.errors.InvalidGeometry, match="its array fog would decode to"):
        ss.Scene.load(tmp_path / "a.npz")
    (tmp_path / "a.npz").write_bytes(npz('{"a": [' + "[]," * 10**5 + "[]]}", zipfile.ZIP_DEFLATED))
    with pytest.raises(ss.errors.InvalidGeometry, match=r"its member scene\.json would decode to"):
        ss.Scene.load(tmp_path / "a.npz", limits=small)
    with pytest.raises(ss.errors.InvalidGeometry, match=r"has \d+ bytes; accepted: up to 10"):
        ss.Scene.load(tmp_path / "a.npz", limits=ss.io.Limits(max_file_bytes=10))
    with pytest.raises(ss.errors.InvalidType, match="limits: expected Limits"):
        ss.Scene.load(tmp_path / "a.npz", limits=7)


def test_a_pipe_and_a_folder(tmp_path):
    os.mkfifo(tmp_path / "a.npz")
    (tmp_path / "b.npz").mkdir()
    for name in ("a.npz", "b.npz"):
        with pytest.raises(ss.errors.InaccessibleFile, match="not a file"):
            ss.Scene.load(tmp_path / name)


# anything


def mutated(rng, said, arrays):
    """A file with a fault: in a value of its text, in an array, in a byte of a member, in a byte of the zip."""
    said, arrays = copy.deepcopy((said, arrays))
    kind = rng.integers(4)
    if kind == 0:
        change_value(rng, said)
    elif kind == 1:
        change_array(rng, arrays)
    members = {"scene.json": json.dumps(said).encode()} | {f"{name}.npy": npy(array) for name, array in arrays.items()}
    if kind == 2:
        name = list(members)[int(rng.integers(len(members)))]
        # Among the first bytes is the header of an array.
        members[name] = damaged(rng, members[name], 100 if rng.random() < 0.5 else len(members[name]))
    content = zipped(members, int(rng.choice((0, 8, 12, 14), p=(0.5, 0.4, 0.05, 0.05))))
    return damaged(rng, content, len(content)) if kind == 3 else content


def change_value(rng, said):
    """Change or delete a value somewhere in a text."""
    at = said
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        key = keys[int(rng.integers(len(keys)))]
        if not isinstance(at[key], (dict, list)) or not at[key] or rng.random() < 0.1:
            break
        at = at[key]
    values = (None, True, -1, 0, 1, 7, 0.5, 1e999, 10**40, "", "base", "poses", [], {}, [1, 2, 3], [[]])
    if rng.random() < 0.2:
        del at[key]
    else:
        at[key] = values[int(rng.integers(len(values)))]


def change_array(rng, arrays):
    """Give an array another shape, dtype or values."""
    name = list(arrays)[int(rng.integers(len(arrays)))]
    one = arrays[name]
    ways = (one[:-1], one[..., :-1], -one.astype(float), one.astype(">f4"), one > 0, one * np.nan, one.T, one[:0])
    arrays[name] = ways[int(rng.integers(len(ways)))]


def damaged(rng, content, reach):
    """Bytes with flipped bits among the first ones; sometimes cut off."""
    content = bytearray(content)
    for _ in range(int(rng.integers(1, 4))):
        content[int(rng.integers(min(reach, len(content))))] ^= 1 << int(rng.integers(8))
    if rng.random() < 0.1:
        del content[int(rng.integers(len(content))) :]
    return bytes(content)


@pytest.mark.slow
def test_mutants(tmp_path, whole, rng):
    """1,500 files with a fault: each is refused by an error of ours, in one line, or is a scene that answers."""
    path = tmp_path / "mutant.npz"
    refused, answered = [], 0
    for _ in range(1500):
        path.write_bytes(mutated(rng, *whole))
        try:
            back = ss.Scene.load(path)
        except ss.errors.InvalidGeometry as error:
            refused.append(str(error))
            continue
        if len(back):
            answered += 1
            with contextlib.suppress(ss.SweepscopeError):  # a tolerance may be larger than the mover
                back.sweep(back.bodies[0], DOWN)
    assert not any("\n" in text or not text.startswith(str(path)) for text in refused)
    assert len(refused) > 700
    assert answered > 100


def test_a_link_stays_a_link_and_a_pipe_a_pipe(tmp_path):
    scene = ss.Scene()
    scene.add(ss.Sphere(1.0))
    (tmp_path / "link.npz").symlink_to(tmp_path / "there.npz")
    scene.save(tmp_path / "link.npz")
    assert (tmp_path / "link.npz").is_symlink()
    assert len(ss.Scene.load(tmp_path / "there.npz")) == 1
    os.mkfifo(tmp_path / "pipe.npz")
    with pytest.raises(ss.errors.InaccessibleFile, match=r"pipe\.npz.*not a file"):
        scene.save(tmp_path / "pipe.npz")
    with pytest.raises(ss.errors.MissingFile, match="there is no folder"):
        scene.save(tmp_path / "none" / "a.npz")
