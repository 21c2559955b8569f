"""Files of several parts: a body for each, with its name and pose; together they are what `Mesh.load` reads."""

import json

import numpy as np
import pytest

import sweepscope as ss

trimesh = pytest.importorskip("trimesh", reason="trimesh is not installed")
RNG = np.random.default_rng(11)

CUBES = """o low
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
{0}f 1 4 3 2
f 5 6 7 8
{1}f 1 2 6 5
f 2 3 7 6
{2}f 3 4 8 7
f 4 1 5 8
"""


def place(*offset):
    return ss.Pose.from_axis_angle(offset, RNG.normal(size=3), angle=1.0)


def gltf(folder, nodes, name="a.gltf"):
    """A file of nodes that show a tetrahedron (mesh 0) or a triangle (mesh 1)."""
    vertices = np.array([(0, 0, 0), (2, 0, 0), (0, 1, 0), (0, 0, 1)], "<f4")
    corners = np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)], "<u2")
    (folder / "a.bin").write_bytes(vertices.tobytes() + corners.tobytes())
    tree = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [k for k in range(len(nodes)) if not any(k in node.get("children", ()) for node in nodes)]}],
        "nodes": nodes,
        "meshes": [
            {"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]},
            {"primitives": [{"attributes": {"POSITION": 0}, "indices": 2}]},
        ],
        "buffers": [{"uri": "a.bin", "byteLength": 72}],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
            {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
        ],
    }
    (folder / name).write_text(json.dumps(tree))
    return folder / name


def placed(body):
    """Return the corners of a body's triangles in the world, shape (m, 3, 3)."""
    return (body.vertices @ body.pose[:3, :3].T + body.pose[:3, 3])[body.shape.faces]


def together(bodies):
    return np.concatenate([placed(body) for body in bodies])


def whole(path, pose=None, **options):
    """The same triangles as one body."""
    return placed(ss.Scene().add(ss.Mesh.load(path, **options), pose))


@pytest.fixture
def bench(tmp_path):
    """A plate with three bolts, of one geometry, as trimesh writes it."""
    given = trimesh.Scene()
    given.add_geometry(trimesh.creation.box((4, 4, 0.2)), "plate", "plate")
    given.add_geometry(trimesh.creation.cylinder(0.1, 1.0), "bolt", "bolt", transform=place(1, 0, 1))
    for k, where in enumerate([(0, 0, 1), (-1, 0, 1)]):
        given.graph.update(f"bolt {k}", matrix=place(*where), geometry="bolt")
    given.export(tmp_path / "bench.glb")
    return tmp_path / "bench.glb"


def test_a_body_for_each_node(bench):
    scene = ss.Scene()
    bodies = scene.add_file(bench)
    assert [body.name for body in bodies] == [body.name for body in scene]
    assert {body.name for body in bodies} == {"plate", "bolt", "bolt 0", "bolt 1"}
    assert [part.name for part in ss.io.file_info(bench).parts] == [body.name for body in bodies]
    assert scene["bolt"].shape is scene["bolt 0"].shape is scene["bolt 1"].shape
    assert scene["bolt"].pose[:3, 3] == pytest.approx((1, 0, 1))
    np.testing.assert_allclose(together(bodies), whole(bench), atol=1e-7)  # trimesh writes float32


def test_the_hit_names_the_part(bench):
    scene = ss.Scene()
    scene.add_file(bench, (0, 0, -3))
    ball = scene.add(ss.Sphere(0.05), (-1, 0, 5), name="ball")
    assert scene.sweep(ball, ss.Translate((0, 0, -9))).obstacle.name == "bolt 1"
    ball.pose = (1.9, 1.9, 5)
    assert scene.sweep(ball, ss.Translate((0, 0, -9))).obstacle.name == "plate"


def test_indices_of_a_part_count_from_0(tmp_path):
    """Of each part in the order of the file; `Mesh.load` counts through the whole file."""
    path = tmp_path / "shelf.obj"
    corners = [(0, 0, 0), (4, 0, 0), (4, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    path.write_text("".join(f"v {x} {y} {z}\n" for x, y, z in corners) + "o board\nf 1 2 3 4\no book\nf 5 6 7\nf 5 7 8\n")
    parts, whole_file = ss.Scene(), ss.Scene()
    parts.add(ss.Sphere(1), (50, 0, 0))
    bodies = parts.add_file(path)
    assert [body.id for body in bodies] == [1, 2]
    whole_file.add(ss.Mesh.load(path))
    np.testing.assert_array_equal(bodies[1].vertices, corners[4:])
    for offset, scene in ((0, parts), (4, whole_file)):
        tip = scene.add(ss.Sphere(0.01), (0.1, 0.9, 5))
        feature = scene.sweep(tip, ss.Translate((0, 0, -9))).features[1]
        assert feature.face == 1 + offset // 2, "the second triangle of the book; the board has two"
        assert feature.vertices == (offset, offset + 2, offset + 3)


def test_pose_scale_group_and_name(bench):
    scene = ss.Scene()
    pose = place(5, 6, 7)
    bodies = scene.add_file(bench, pose, name="bench", group="wood", scale=0.01)
    assert {body.name for body in bodies} == {"bench/plate", "bench/bolt", "bench/bolt 0", "bench/bolt 1"}
    assert {body.group for body in bodies} == {"wood"}
    assert scene["bench/bolt"].shape is scene["bench/bolt 1"].shape
    np.testing.assert_allclose(together(bodies), whole(bench, pose, scale=0.01), atol=1e-9)


def test_names_are_made_unique(bench, tmp_path):
    scene = ss.Scene()
    scene.add_file(bench)
    assert {body.name for body in scene.add_file(bench)} == {"plate (2)", "bolt (2)", "bolt 0 (2)", "bolt 1 (2)"}
    nodes = [{"mesh": 0, "name": name} for name in ("a", "a (2)", "a", "a")]
    assert [body.name for body in ss.Scene().add_file(gltf(tmp_path, nodes))] == ["a", "a (2)", "a (3)", "a (4)"]


def test_ten_thousand_equal_names(tmp_path):
    nodes = [{"mesh": 0, "name": "tree", "translation": [3 * k, 0, 0]} for k in range(10_000)]
    bodies = ss.Scene().add_file(gltf(tmp_path, nodes))
    assert (bodies[0].name, bodies[-1].name) == ("tree", "tree (10000)")
    assert len({id(body.shape) for body in bodies}) == 1


@pytest.mark.parametrize("kind", ["stl", "ply", "off"])
def test_other_formats_have_one_part(tmp_path, kind):
    trimesh.creation.box((1, 2, 3)).export(tmp_path / f"crate.{kind}")
    scene = ss.Scene()
    (body,) = scene.add_file(tmp_path / f"crate.{kind}", (1, 0, 0))
    (other,) = scene.add_file(tmp_path / f"crate.{kind}", name="box")
    assert (body.name, other.name) == ("crate", "box")
    np.testing.assert_array_equal(body.vertices, ss.Mesh.load(tmp_path / f"crate.{kind}").vertices)
    with pytest.raises(ss.errors.InvalidQuery, match="name: 'box' is taken"):
        scene.add_file(tmp_path / f"crate.{kind}", name="box")


@pytest.mark.parametrize(
    "node",
    [
        {"scale": [2, 1, 0.5], "rotation": [0.6, 0, 0, 0.8]},
        {"scale": [-1, 1, 1]},
        {"scale": [-2, -2, -2], "translation": [1, 2, 3]},
        {"matrix": [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 3, 2, 1, 1]},
        {"matrix": [0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]},
        {"scale": [1, 0, 1]},
        {"scale": [1e-30, 1e-30, 1e-30]},
    ],
)
def test_what_is_not_rigid_goes_into_the_vertices(tmp_path, node):
    path = gltf(tmp_path, [{"mesh": 0, **node}])
    (body,) = ss.Scene().add_file(path)
    expected = whole(path)
    np.testing.assert_allclose(placed(body), expected, rtol=1e-12, atol=1e-14 * np.abs(expected).max())
    assert body.shape.closed


def test_scaled_nodes_share_a_shape_whatever_their_turn(tmp_path):
    """A file in millimeters has one scale at its root; turned nodes below it are scaled alike."""
    turns = [{"mesh": 0, "rotation": (q / np.linalg.norm(q)).tolist(), "translation": [k, 0, 0]} for k, q in
             enumerate(RNG.normal(size=(20, 4)))]  # fmt: skip
    mirrored = [{"mesh": 0, "scale": [-1, -1, -1], "rotation": [0, 0, 0.6, 0.8]}, {"mesh": 0, "scale": [-1, -1, -1]}]
    nodes = [*turns, *mirrored, {"children": list(range(22)), "scale": [0.3, 0.3, 0.3]}]
    path = gltf(tmp_path, nodes)
    bodies = ss.Scene().add_file(path)
    assert len({id(body.shape) for body in bodies[:20]}) == 1
    assert bodies[20].shape is bodies[21].shape is not bodies[0].shape
    np.testing.assert_allclose(together(bodies), whole(path), atol=1e-12)


def obj(folder, *more, name="a.obj"):
    (folder / name).write_text(CUBES.format(*more))
    return folder / name


@pytest.mark.parametrize(
    ("more", "names", "triangles"),
    [
        (("", "", ""), ["low"], [12]),
        (("g top\n", "g side a\n", "g top\n"), ["top", "side a"], [8, 4]),
        (("g\n", "g side # the first\n", "g side#2\n"), ["low", "side", "side#2"], [4, 4, 4]),
        (("", "o high\n", "  o low\n"), ["low", "high"], [8, 4]),
        (("g x\n", "o high\n", "g y\n"), ["low", "high"], [4, 8]),
        (("g x\\\n\ty\n", "s off\nusemtl m\n", "g z"+" " * 300 + "\n"), ["x y", "z"], [8, 4]),
    ],
)  # fmt: skip
def test_objects_and_groups_of_obj(tmp_path, more, names, triangles):
    """Objects are parts; groups are, in a file that does not have several objects."""
    path = obj(tmp_path, *more)
    bodies = ss.Scene().add_file(path)
    assert [body.name for body in bodies] == names
    assert [len(body.shape.faces) for body in bodies] == triangles
    info = ss.io.file_info(path)
    assert [(part.name, part.triangles, part.vertices) for part in info.parts] == [
        (body.name, len(body.shape.faces), len(body.vertices)) for body in bodies
    ]
    np.testing.assert_array_equal(info.mesh.faces, ss.Mesh.load(path).faces)
    assert len(info.mesh.vertices) == 8, "read as one mesh, the file stays as it is"
    expected = {each.tobytes() for each in whole(path)}
    assert {each.tobytes() for each in together(bodies)} == expected
    assert len(together(bodies)) == 12 == len(expected)


def test_faces_before_the_first_group_and_without_any(tmp_path):
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\ng b\nf 3 2 1\n")
    (tmp_path / "b.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    assert [body.name for body in ss.Scene().add_file(tmp_path / "a.obj")] == ["part 0", "b"]
    assert [body.name for body in ss.Scene().add_file(tmp_path / "b.obj")] == ["b"]


DAE = """<COLLADA version="1.4.1"><library_geometries><geometry id="g"><mesh>
<source id="s"><float_array id="f" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common>
<accessor source="#f" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry>
</library_geometries><library_visual_scenes><visual_scene id="w">
<node name="left"><rotate>0 0 1 90</rotate><instance_geometry url="#g"/></node>
<node name="right"><translate>5 0 0</translate><instance_geometry url="#g"/>
<node name="small"><scale>0.5 0.5 0.5</scale><instance_geometry url="#g"/></node></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#w"/></scene></COLLADA>"""


def test_nodes_of_collada(tmp_path):
    (tmp_path / "a.dae").write_text(DAE)
    left, right, small = bodies = ss.Scene().add_file(tmp_path / "a.dae")
    assert [body.name for body in bodies] == ["left", "right", "small"]
    assert left.shape is right.shape is not small.shape
    np.testing.assert_allclose(right.pose[:3, 3], (5, 0, 0))
    np.testing.assert_allclose(together(bodies), whole(tmp_path / "a.dae"), atol=1e-15)


def test_only_the_part_that_was_hit_is_colored(bench):
    """In a picture of a hit, bodies that have no part in it are gray."""
    colored = []
    for add in (ss.Scene.add_file, lambda scene, path: scene.add(ss.Mesh.load(path))):
        scene = ss.Scene()
        add(scene, bench)
        ball = scene.add(ss.Sphere(0.2), (1, 0, 3), name="ball")
        hit = scene.sweep(ball, ss.Translate((0, 0, -9)))
        pixels = hit.picture(size=(320, 240), eye=(6, -6, 6), target=(0, 0, 0)).pixels.astype(int)
        colored.append(int((np.ptp(pixels, axis=-1) > 40).sum()))
    assert 0 < colored[0] < colored[1] / 2


def test_errors_change_nothing(bench, tmp_path):
    scene = ss.Scene()
    for match, given in {
        "scale is 0": {"scale": 0},
        "last row": {"pose": np.ones((4, 4))},
        "name: expected": {"name": 3},
        "group: expected": {"group": 3},
        r"Limits\(": {"limits": 3},
    }.items():
        with pytest.raises(ss.errors.SweepscopeError, match=match):
            scene.add_file(bench, **given)
    path = gltf(tmp_path, [{"mesh": 0, "name": "fine"}, {"mesh": 1, "name": "open"}])
    with pytest.raises(ss.errors.InvalidGeometry, match=r"a\.gltf: part 'open': solid is True, but the mesh is open"):
        scene.add_file(path, solid=True)
    path = gltf(tmp_path, [{"mesh": 0, "name": "far", "scale": [1e60, 1, 1]}])
    with pytest.raises(ss.errors.InvalidGeometry, match=r"part 'far': vertices.* is 2e\+60"):
        scene.add_file(path)
    (tmp_path / "a.npy").write_bytes(b"x")
    with pytest.raises(ss.errors.SweepscopeError, match=r"Volume\.load reads \.npy"):
        scene.add_file(tmp_path / "a.npy")
    assert len(scene) == 0


def test_rooms(tmp_path):
    """solid=False: bodies may move inside of closed parts."""
    trimesh.creation.box((4, 4, 4)).export(tmp_path / "room.stl")
    scene = ss.Scene()
    scene.add_file(tmp_path / "room.stl", solid=False)
    ball = scene.add(ss.Sphere(0.5))
    assert scene.sweep(ball, ss.Translate((0, 0, -5))).travel == pytest.approx(1.5)
