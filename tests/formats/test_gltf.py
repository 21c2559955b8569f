"""Files of glTF: the same triangles as a slow second reader finds, and for everything else an error that says what is wrong."""

import base64
import copy
import json
import os
import struct

import numpy as np
import pytest
from sweepscope_lab.reference.files.gltf import random_file, slow_parts, slow_read

from sweepscope.errors import InaccessibleFile, InvalidGeometry, MissingFile
from sweepscope.formats.file_reader import FileReader, Limits
from sweepscope.formats.gltf import read_gltf

CORNERS = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.1, 0.2, 3.0)]
POINTS = np.array(CORNERS, "<f4").tobytes()
INDICES = np.array([0, 1, 2, 0, 3, 1], "<u2").tobytes()
EXACT = np.array(CORNERS, "<f4").astype(float)
FACES = [(0, 1, 2), (0, 3, 1)]


def embedded(data):
    return {"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}


def example():
    """Four points and two triangles, of one mesh on one node."""
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": 48},
            {"buffer": 0, "byteOffset": 48, "byteLength": 12},
        ],
        "buffers": [embedded(POINTS + INDICES)],
    }


def changed(*changes):
    """The example with other values at some places; `...` deletes."""
    tree = example()
    for *path, last, value in changes:
        at = tree
        for key in path:
            at = at[key]
        if value is ...:
            del at[last]
        elif isinstance(at, list) and last == len(at):
            at.append(value)
        else:
            at[last] = value
    return tree


def glb(text, binary=None, *more):
    chunks = [(b"JSON", text), *([] if binary is None else [(b"BIN\0", binary)]), *more]
    body = b"".join(struct.pack("<I4s", len(data), kind) + data for kind, data in chunks)
    return b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body


def read(folder, content, name="a.gltf", limits=None):
    file = folder / name
    if not isinstance(content, bytes):
        content = json.dumps(content).encode()
    file.write_bytes(content)
    reader = FileReader(limits)
    return read_gltf(reader, *reader.read(file, (".gltf", ".glb"), "mesh"))


def refused(folder, content, match, error=InvalidGeometry, **options):
    with pytest.raises(error, match=match) as caught:
        read(folder, content, **options)
    message = str(caught.value)
    assert message.startswith(str(folder))
    assert "\n" not in message
    return message


# ------------------------------------------------------------------------------------------------------ against the twin


def compare(path):
    """Compare a file's parts with the twin's; return how many there are, and how many to the bit.

    Faces are the same. So are vertices, to the bit, where no quaternion is used: both readers convert, divide, multiply and add in
    the order that the specification writes. The twin turns axes by products of quaternions instead of the formula for the matrix;
    then vertices agree relative to the size of what was added up.
    """
    content = path.read_bytes()
    parts, others = read_gltf(FileReader(), path, content).parts, slow_parts(path)
    assert len(parts) == len(others)
    exact = b"otation" not in content and b"ROTATION" not in content
    for part, (vertices, faces, sizes) in zip(parts, others, strict=True):
        assert np.array_equal(part.faces, faces)
        assert part.vertices.shape == (len(vertices), 3)
        assert part.vertices.dtype == np.float64
        assert part.faces.dtype == np.int64
        assert part.vertices.flags.c_contiguous
        assert part.faces.flags.c_contiguous
        if exact:
            assert np.array_equal(part.vertices, vertices)
        else:
            assert (np.abs(part.vertices - vertices).max(axis=1) <= 1e-12 * np.array(sizes)).all()
    return len(parts), exact * len(parts)


@pytest.mark.slow
def test_random_files_as_the_twin_reads_them(tmp_path, rng):
    parts = exact = 0
    for k in range(300):
        folder = tmp_path / str(k)
        folder.mkdir()
        count, equal = compare(random_file(rng, folder))
        parts += count
        exact += equal
    assert parts > 900
    assert 300 < exact < parts


@pytest.mark.slow
def test_all_parts_together(tmp_path, rng):
    for _ in range(20):
        path = random_file(rng, tmp_path)
        vertices, faces = read_gltf(FileReader(), path, path.read_bytes()).merged()
        slow_vertices, slow_faces = slow_read(path)
        assert np.array_equal(faces, slow_faces)
        assert np.allclose(vertices, slow_vertices, rtol=1e-9, atol=1e-9 * np.abs(vertices).max())


@pytest.mark.slow
def test_mutants_are_read_or_refused(tmp_path, rng):
    """Flipped bytes and cut files: an InvalidGeometry or triangles, nothing else."""
    outcomes = {True: 0, False: 0}
    for k in range(100):
        folder = tmp_path / str(k)
        folder.mkdir()
        path = random_file(rng, folder)
        original = path.read_bytes()
        for _ in range(20):
            content = bytearray(original)
            for place in rng.integers(0, len(content), rng.integers(1, 4)):
                content[place] = rng.choice([rng.integers(0, 256), *b'0129-.eE[]{}",: '])
            if rng.random() < 0.1:
                content = content[: rng.integers(0, len(content))]
            elif rng.random() < 0.2 and content[:4] == b"glTF":
                content[8:12] = len(content).to_bytes(4, "little")
            try:
                read_gltf(FileReader(), path, bytes(content)).merged()
                outcomes[True] += 1
            except (InvalidGeometry, MissingFile):
                outcomes[False] += 1
    assert min(outcomes.values()) > 200


def leaves(value, path=()):
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield (*path, key)
            yield from leaves(each, (*path, key))


WRONG = (None, True, -1, 0, 7, 1 << 52, 10**30, 1.5, 1e300, "", "x", "2.0", [], [0], [[]], [None], {}, {"a": 0}, [1e308] * 16)


@pytest.mark.slow
def test_wrong_values_anywhere(tmp_path):
    """Every value of a file that uses all there is, replaced by each of many others, or deleted."""
    base = example()
    base["nodes"] = [
        {"mesh": 0, "children": [1], "matrix": np.eye(4).ravel().tolist(), "weights": [0.5], "name": "a"},
        {
            "mesh": 0,
            "translation": [1, 2, 3],
            "rotation": [0, 0, 0, 1],
            "scale": [1, 1, 1],
            "extensions": {
                "EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 0}},
                "KHR_node_visibility": {"visible": True},
            },
        },
    ]
    base["meshes"][0]["weights"] = [1]
    base["meshes"][0]["primitives"][0] |= {
        "targets": [{"POSITION": 2}],
        "mode": 5,
        "extensions": {"KHR_draco_mesh_compression": {}},
    }
    sparse = {"count": 1, "indices": {"bufferView": 1, "componentType": 5123}, "values": {"bufferView": 0, "byteOffset": 0}}
    base["accessors"].append({"componentType": 5126, "count": 4, "type": "VEC3", "normalized": False, "sparse": sparse})
    base |= {"extensionsRequired": ["KHR_mesh_quantization"], "extensionsUsed": [], "animations": []}
    base["bufferViews"][0]["byteStride"] = 12
    assert len(read(tmp_path, base).parts) == 5
    (tmp_path / "x").write_bytes(b"")
    read_or_refused = {True: 0, False: 0}
    for path in list(leaves(base)):
        for value in (*WRONG, ...):
            tree = copy.deepcopy(base)
            at = tree
            for key in path[:-1]:
                at = at[key]
            if value is ...:
                del at[path[-1]]
            else:
                at[path[-1]] = value
            try:
                read(tmp_path, tree)
                read_or_refused[True] += 1
            except (InvalidGeometry, MissingFile, InaccessibleFile):
                read_or_refused[False] += 1
    assert min(read_or_refused.values()) > 100


# --------------------------------------------------------------------------------------------------------- what is read


def test_a_small_file(tmp_path):
    content = read(tmp_path, example())
    (part,) = content.parts
    assert np.array_equal(part.vertices, EXACT)
    assert np.array_equal(part.faces, FACES)
    assert part.name == "node 0"
    assert (content.unit, content.up, content.left_out) == (1.0, "Y", [])


@pytest.mark.parametrize("padding", [0, 1, 2, 3])
@pytest.mark.parametrize("name", ["a.glb", "a.gltf"])
def test_a_binary_file(tmp_path, padding, name):
    text = json.dumps(changed(("buffers", 0, {"byteLength": 60}))).encode()
    content = read(tmp_path, glb(text, POINTS + INDICES + b"\0" * padding, (b"what", b"ever")), name)
    assert np.array_equal(content.parts[0].vertices, EXACT)
    assert np.array_equal(content.parts[0].faces, FACES)


def test_a_file_of_its_own_is_read_once(tmp_path, monkeypatch):
    (tmp_path / "a b.bin").write_bytes(POINTS + INDICES + b"more")
    asked = []
    plain = FileReader.read_named
    monkeypatch.setattr(FileReader, "read_named", lambda *args: asked.append(args[1]) or plain(*args))
    tree = changed(
        ("buffers", 0, {"byteLength": 60, "uri": "a%20b.bin"}),
        ("buffers", 1, {"byteLength": 60, "uri": "a%20b.bin"}),
        ("buffers", 2, {"byteLength": 60, "uri": "not there.bin"}),
        ("bufferViews", 1, "buffer", 1),
    )
    assert np.array_equal(read(tmp_path, tree).parts[0].vertices, EXACT)
    assert asked == ["a%20b.bin"]


def test_six_thousand_primitives(tmp_path, rng):
    points = rng.normal(size=(18000, 3)).astype("<f4")
    tree = changed(("buffers", 0, embedded(points.tobytes())), ("bufferViews", [{"buffer": 0, "byteLength": points.nbytes}]))
    tree["accessors"] = [
        {"bufferView": 0, "byteOffset": 36 * k, "componentType": 5126, "count": 3, "type": "VEC3"} for k in range(6000)
    ]
    tree["meshes"] = [{"primitives": [{"attributes": {"POSITION": k}} for k in range(6000)]}]
    (part,) = read(tmp_path, tree).parts
    assert np.array_equal(part.vertices, points)
    assert np.array_equal(part.faces, np.arange(18000).reshape(-1, 3))


def test_primitives_share_positions(tmp_path):
    primitive = {"attributes": {"POSITION": 0}, "indices": 1}
    (part,) = read(tmp_path, changed(("meshes", 0, "primitives", [primitive] * 3))).parts
    assert np.array_equal(part.vertices, EXACT)
    assert np.array_equal(part.faces, FACES * 3)


def test_one_list_of_positions_for_many_meshes(tmp_path, rng):
    """A mesh of one triangle does not take all positions of the file with it."""
    count = 2000
    points = rng.normal(size=(3 * count, 3)).astype("<f4")
    corners = rng.permutation(3 * count).astype("<u2")
    tree = changed(("buffers", 0, embedded(points.tobytes() + corners.tobytes())))
    tree["bufferViews"] = [
        {"buffer": 0, "byteLength": points.nbytes},
        {"buffer": 0, "byteLength": corners.nbytes, "byteOffset": points.nbytes},
    ]
    tree["accessors"] = [{"bufferView": 0, "componentType": 5126, "count": 3 * count, "type": "VEC3"}] + [
        {"bufferView": 1, "byteOffset": 6 * k, "componentType": 5123, "count": 3, "type": "SCALAR"} for k in range(count)
    ]
    tree["meshes"] = [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1 + k}]} for k in range(count)]
    tree["nodes"] = [{"mesh": k} for k in range(count)]
    tree["scenes"][0]["nodes"] = list(range(count))
    content = read(tmp_path, tree, limits=Limits(max_decoded_bytes=1 << 20))
    vertices, faces = content.merged()
    assert vertices.shape == (3 * count, 3)
    assert np.array_equal(vertices[faces], points[corners].reshape(-1, 3, 3))


@pytest.mark.parametrize("with_view", [False, True])
def test_sparse_positions(tmp_path, with_view):
    extra = np.array([1, 3], "u1").tobytes() + np.array([(5, 6, 7), (8, 9, 10)], "<f4").tobytes()
    tree = changed(
        ("buffers", 1, embedded(extra)),
        ("bufferViews", 2, {"buffer": 1, "byteLength": 2}),
        ("bufferViews", 3, {"buffer": 1, "byteOffset": 2, "byteLength": 24}),
    )
    tree["accessors"][0]["sparse"] = {
        "count": 2,
        "indices": {"bufferView": 2, "componentType": 5121},
        "values": {"bufferView": 3},
    }
    if not with_view:
        del tree["accessors"][0]["bufferView"]
    expected = EXACT.copy() if with_view else np.zeros((4, 3))
    expected[[1, 3]] = [(5, 6, 7), (8, 9, 10)]
    assert np.array_equal(read(tmp_path, tree).parts[0].vertices, expected)


@pytest.mark.parametrize(
    ("code", "dtype", "most"), [(5120, "<i1", 127), (5121, "<u1", 255), (5122, "<i2", 32767), (5123, "<u2", 65535)]
)
@pytest.mark.parametrize("normalized", [False, True])
def test_whole_numbers_without_the_extension_declared(tmp_path, code, dtype, most, normalized):
    low = np.iinfo(dtype).min
    values = np.array([(low, most, 0), (1, 2, 3), (most, low, 5), (7, 8, 9)], dtype)
    tree = changed(
        ("buffers", 1, embedded(values.tobytes())),
        ("bufferViews", 2, {"buffer": 1, "byteLength": values.nbytes}),
        ("accessors", 0, {"bufferView": 2, "componentType": code, "count": 4, "type": "VEC3", "normalized": normalized}),
    )
    expected = np.maximum(values / most, -1) if normalized else values
    assert np.array_equal(read(tmp_path, tree).parts[0].vertices, expected)


@pytest.mark.parametrize(
    ("mode", "faces"),
    [(4, [(0, 1, 2), (3, 2, 1)]), (5, [(0, 1, 2), (1, 3, 2), (3, 1, 2)]), (6, [(0, 1, 2), (0, 2, 3), (0, 3, 2), (0, 2, 1)])],
)
def test_lists_strips_and_fans(tmp_path, mode, faces):
    """The third triangle of the strip, 2 3 2, has no surface."""
    indices = np.array([0, 1, 2, 3, 2, 1], "<u2")
    tree = changed(("buffers", 0, embedded(POINTS + indices.tobytes())), ("meshes", 0, "primitives", 0, "mode", mode))
    (part,) = read(tmp_path, tree).parts
    assert np.array_equal(part.faces, faces)


def test_a_strip_that_leads_from_piece_to_piece(tmp_path):
    """Corners named twice join pieces far apart; nothing may collide with the way between them."""
    points = np.array([(x, y, 0) for x in (0, 1, 100, 101) for y in (0, 1)], "<f4")
    indices = np.array([0, 1, 2, 3, 3, 4, 4, 5, 6, 7], "u1")
    tree = changed(("buffers", 0, embedded(points.tobytes() + indices.tobytes())), ("meshes", 0, "primitives", 0, "mode", 5))
    tree["bufferViews"] = [{"buffer": 0, "byteLength": 96}, {"buffer": 0, "byteOffset": 96, "byteLength": 10}]
    tree["accessors"][0]["count"] = 8
    tree["accessors"][1] |= {"count": 10, "componentType": 5121}
    (part,) = read(tmp_path, tree).parts
    assert np.array_equal(part.faces, [(0, 1, 2), (1, 3, 2), (4, 5, 6), (5, 7, 6)])


def test_without_indices(tmp_path):
    tree = changed(("meshes", 0, "primitives", 0, "indices", ...), ("accessors", 0, "count", 3))
    (part,) = read(tmp_path, tree).parts
    assert np.array_equal(part.faces, [(0, 1, 2)])
    assert np.array_equal(part.vertices, EXACT[:3])


def test_points_and_lines_are_left_out(tmp_path):
    primitives = [{"attributes": {"POSITION": 0}, "mode": mode} for mode in (0, 1, 2, 3)]
    tree = example()
    tree["meshes"][0]["primitives"] += [*primitives, {"attributes": {}}]
    tree["animations"] = [{}, {}]
    assert read(tmp_path, tree).left_out == [
        "1 primitive of points",
        "3 primitives of lines",
        "1 primitive without positions",
        "2 animations",
    ]


def test_draco_with_other_data(tmp_path):
    primitive = ("meshes", 0, "primitives", 0, "extensions", {"KHR_draco_mesh_compression": {"bufferView": 9}})
    assert np.array_equal(read(tmp_path, changed(primitive)).parts[0].vertices, EXACT)
    refused(
        tmp_path, changed(primitive, ("accessors", 0, "bufferView", ...)), r"meshes\[0\].primitives\[0\].*KHR_draco.*without"
    )
    refused(tmp_path, changed(primitive, ("accessors", 1, "bufferView", ...)), "KHR_draco.*export it without")


# ------------------------------------------------------------------------------------------------------------- places


def test_an_identity_leaves_every_bit(tmp_path):
    points = np.array([(-0.0, 1e-45, 3e38), (0.1, -0.0, -0.0), (1, 2, 3), (4, 5, 6)], "<f4")
    for node in (
        {},
        {"matrix": np.eye(4).ravel().tolist()},
        {"rotation": [0, 0, 0, -7], "scale": [1, 1, 1], "translation": [0, -0.0, 0]},
    ):
        tree = changed(("buffers", 0, embedded(points.tobytes() + INDICES)), ("nodes", 0, {"mesh": 0, **node}))
        vertices = read(tmp_path, tree).parts[0].vertices
        assert np.array_equal(vertices.view(np.int64), points.astype(float).view(np.int64))


def test_quarter_turns_are_exact(tmp_path):
    half = 0.7071068  # as files hold it, in single precision
    tree = changed(("nodes", 0, {"mesh": 0, "rotation": [0, 0, half, half], "translation": [10, 0, 0]}))
    vertices = read(tmp_path, tree).parts[0].vertices
    assert np.array_equal(vertices, np.stack((10 - EXACT[:, 1], EXACT[:, 0], EXACT[:, 2]), axis=1))


def test_quaternions_of_any_length(tmp_path):
    for length in (1e-300, 1e-9, 1.0, 1e300):
        tree = changed(("nodes", 0, {"mesh": 0, "rotation": [0, length, 0, length]}))
        vertices = read(tmp_path, tree).parts[0].vertices
        assert np.array_equal(vertices, np.stack((EXACT[:, 2], EXACT[:, 1], -EXACT[:, 0]), axis=1))


def test_scale_then_turn_then_move_then_the_parents(tmp_path):
    tree = changed(
        ("nodes", 0, {"children": [1], "scale": [2, 2, 2], "translation": [0, 0, 5]}),
        ("nodes", 1, {"mesh": 0, "scale": [1, 3, 1], "rotation": [0, 0, 1, 1], "translation": [7, 0, 0], "name": "arm"}),
    )
    (part,) = read(tmp_path, tree).parts
    x, y, z = EXACT.T
    assert np.allclose(part.vertices, np.stack((2 * (7 - 3 * y), 2 * x, 2 * z + 5), axis=1), rtol=0, atol=1e-14)
    assert part.name == "arm"


@pytest.mark.parametrize(
    ("node", "flips"),
    [
        ({"scale": [-1, 1, 1]}, True),
        ({"scale": [-1, -2, 1]}, False),
        ({"scale": [-1e-200, 1e-200, 1e-200]}, True),
        ({"scale": [-1, 0, 1]}, False),
        ({"matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 5, 5, 5, 1]}, True),
        ({"matrix": [0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}, True),
        ({"matrix": [1e-200, 0, 0, 0, 0, 1e-200, 0, 0, 0, 0, -1e-200, 0, 0, 0, 0, 1]}, True),
        ({"matrix": [1, 1, 0, 0, 1, 1 + 2**-52, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1]}, True),
        ({"matrix": [1, 1, 0, 0, 1, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1]}, False),
    ],
)
def test_a_mirror_turns_faces_round(tmp_path, node, flips):
    (part,) = read(tmp_path, changed(("nodes", 0, {"mesh": 0, **node}))).parts
    assert np.array_equal(part.faces, [(a, c, b) for a, b, c in FACES] if flips else FACES)


def test_two_mirrors_are_none(tmp_path):
    tree = changed(("nodes", 0, {"children": [1], "scale": [-1, 1, 1]}), ("nodes", 1, {"mesh": 0, "scale": [1, -1, 1]}))
    assert np.array_equal(read(tmp_path, tree).parts[0].faces, FACES)


def test_names(tmp_path):
    tree = changed(
        ("nodes", [{"mesh": 0, "name": "a"}, {"mesh": 0}, {"mesh": 1}, {"mesh": 1, "name": "\ud800"}]),
        ("meshes", 1, copy.deepcopy(example()["meshes"][0])),
        ("meshes", 0, "name", "ü"),
        ("scenes", 0, "nodes", [0, 1, 2, 3]),
    )
    assert [part.name for part in read(tmp_path, tree).parts] == ["a", "ü", "node 2", "?"]


def test_scenes(tmp_path):
    nodes = [{"mesh": 0, "translation": [k, 0, 0], "name": str(k)} for k in range(4)]
    cases = [
        ({"scenes": [{"nodes": [1]}, {"nodes": [2, 0]}], "scene": 1}, "20", ["2 meshes that the scene does not show"]),
        ({"scenes": [{"nodes": [1, 2, 3]}, {"nodes": [0]}]}, "123", ["1 mesh that the scene does not show"]),
        ({"scenes": []}, "0123", []),
        ({}, "0123", []),
    ]
    for given, shown, left_out in cases:
        tree = changed(("scene", ...), ("scenes", ...), ("nodes", nodes)) | given
        content = read(tmp_path, tree)
        assert "".join(part.name for part in content.parts) == shown
        assert content.left_out == left_out
        assert [part.vertices[0, 0] for part in content.parts] == list(map(int, shown))


def test_hidden_nodes_hide_their_children(tmp_path):
    hidden = {"extensions": {"KHR_node_visibility": {"visible": False}}}
    tree = changed(
        ("nodes", [{"mesh": 0}, {**hidden, "children": [2], "mesh": 0}, {"mesh": 0}]),
        ("scenes", 0, "nodes", [0, 1]),
        ("extensionsRequired", ["KHR_node_visibility"]),
    )
    content = read(tmp_path, tree)
    assert len(content.parts) == 1
    assert content.left_out == ["2 hidden meshes"]


def test_instances_of_a_node(tmp_path):
    shifts = np.array([(1, 0, 0), (0, 5, 0)], "<f4").tobytes()
    turns = np.array([(0, 0, 32767, 32767), (0, 0, 0, 32767)], "<i2").tobytes()
    scales = np.array([(1, 1, 1), (-2, 1, 1)], "<f4").tobytes()
    extension = {"attributes": {"TRANSLATION": 2, "ROTATION": 3, "SCALE": 4, "_ID": 0}}
    tree = changed(("nodes", 0, {"mesh": 0, "translation": [0, 0, 9], "extensions": {"EXT_mesh_gpu_instancing": extension}}))
    for data, code, kind in ((shifts, 5126, "VEC3"), (turns, 5122, "VEC4"), (scales, 5126, "VEC3")):
        tree["buffers"].append(embedded(data))
        tree["bufferViews"].append({"buffer": len(tree["buffers"]) - 1, "byteLength": len(data)})
        more = {"bufferView": len(tree["bufferViews"]) - 1, "componentType": code, "count": 2, "type": kind}
        tree["accessors"].append(more | {"normalized": code == 5122})
    first, second = read(tmp_path, tree).parts
    x, y, z = EXACT.T
    assert np.allclose(first.vertices, np.stack((1 - y, x, z + 9), axis=1), rtol=0, atol=1e-15)
    assert np.array_equal(second.vertices, np.stack((-2 * x, y + 5, z + 9), axis=1))
    assert np.array_equal(first.faces, FACES)
    assert np.array_equal(second.faces, [(a, c, b) for a, b, c in FACES])


def test_morph_targets(tmp_path):
    deltas = np.array([(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)], "<f4")
    tree = changed(
        ("buffers", 1, embedded(deltas.tobytes())),
        ("bufferViews", 2, {"buffer": 1, "byteLength": 48}),
        ("accessors", 2, {"bufferView": 2, "componentType": 5126, "count": 4, "type": "VEC3"}),
        ("meshes", 0, "primitives", 0, "targets", [{"POSITION": 2}, {"NORMAL": 2}, {"POSITION": 0}]),
        ("meshes", 0, "weights", [0.5, 0.5, 0]),
        ("nodes", [{"mesh": 0}, {"mesh": 0, "weights": [0, 0, 0]}, {"mesh": 0, "weights": [0, 1, 2]}]),
        ("scenes", 0, "nodes", [0, 1, 2]),
    )
    own, none, other = (part.vertices for part in read(tmp_path, tree).parts)
    assert np.array_equal(own, EXACT + 0.5 * deltas)
    assert np.array_equal(none, EXACT)
    assert np.array_equal(other, EXACT + 2 * EXACT)


# --------------------------------------------------------------------------------------------------------- what is refused

NODE = "nodes", 0
PRIMITIVE = "meshes", 0, "primitives", 0
SPARSE = {"count": 1, "indices": {"bufferView": 1, "componentType": 5123}, "values": {"bufferView": 0}}
INSTANCES = "EXT_mesh_gpu_instancing"

FAULTS = {
    "no asset": ([("asset", ...)], "no asset.version"),
    "old version": ([("asset", "version", "1.0")], r"is glTF '1\.0'; accepted: version 2"),
    "number as version": ([("asset", "version", 2.0)], "asset: version is 2.0; expected a str"),
    "later version": ([("asset", "minVersion", "2.1")], "minVersion"),
    "compressed": ([("extensionsRequired", ["EXT_meshopt_compression"])], "requires 'EXT_meshopt.*export it without"),
    "required number": ([("extensionsRequired", [3])], "requires 3"),
    "scene": ([("scene", 1)], r"scene is 1; accepted: 0 to 0"),
    "true as index": ([(*NODE, "mesh", False)], r"nodes\[0\]: mesh is False; accepted: 0 to 0, as the file has 1 meshes"),
    "scene without scenes": ([("scenes", ...)], "scene is 0; accepted: none, as the file has no scenes"),
    "empty scene": ([("scenes", [{}])], "holds no triangles in its scene; left out: 1 mesh that the scene does not show"),
    "no nodes": ([("scenes", ...), ("scene", ...), ("nodes", ...)], "no triangles in its scene; left out: 1 mesh that"),
    "nothing": ([("meshes", 0, "primitives", [])], "holds no triangles in its scene$"),
    "only lines": ([(*PRIMITIVE, "mode", 1)], "holds no triangles in its scene; left out: 1 primitive of lines"),
    "twice in a scene": ([("scenes", 0, "nodes", [0, 0])], r"scenes\[0\]: nodes is \[0, 0\]; each may be listed once"),
    "own child": ([(*NODE, "children", [0])], r"scenes\[0\]: nodes\[0\] is 0, a child of nodes\[0\]"),
    "circle": ([("nodes", [{"children": [1]}, {"children": [0], "mesh": 0}])], "a child of"),
    "circle alone": (
        [("scenes", ...), ("scene", ...), ("nodes", [{"mesh": 0}, {"children": [2]}, {"children": [1]}])],
        r"nodes\[1\].*circle",
    ),
    "two parents": ([("nodes", [{"children": [2]}, {"children": [2]}, {}])], r"nodes\[1\]: its child nodes\[2\].*nodes\[0\]"),
    "twice a child": ([("nodes", [{"children": [1, 1]}, {}])], r"nodes\[0\]: its child nodes\[1\] is a child"),
    "child out of range": ([(*NODE, "children", [7])], r"nodes\[0\]: children\[0\] is 7; accepted: 0 to 0"),
    "skin": ([(*NODE, "skin", 0)], r"nodes\[0\]: is skinned.*export it with the skin applied"),
    "short matrix": ([(*NODE, "matrix", [1] * 15)], "matrix is .* expected 16 finite numbers"),
    "projection": ([(*NODE, "matrix", [1] * 16)], "last row .* expected 0 0 0 1"),
    "matrix and scale": ([(*NODE, "matrix", [0] * 15 + [1]), (*NODE, "scale", [1, 1, 1])], "has matrix and scale"),
    "huge number": ([(*NODE, "scale", [10**400, 1, 1])], "scale is .* expected 3 finite numbers"),
    "too large for a float": ([(*NODE, "scale", [1, 1, "LARGE"])], "scale is .* expected 3 finite numbers"),
    "no quaternion": ([(*NODE, "rotation", [0, 0, 0, 0])], r"nodes\[0\]: rotation is 0 0 0 0"),
    "overflow of nodes": (
        [("nodes", [{"scale": [1e200, 1, 1], "children": [1]}, {"mesh": 0, "scale": [1e200, 1, 1]}])],
        r"nodes\[1\]: its transform, with those of its parents, is not finite",
    ),
    "overflow of points": (
        [(*NODE, "scale", [1e308, 1e308, 1e308]), ("buffers", 0, embedded(np.full(12, 1e30, "<f4").tobytes() + INDICES))],
        r"nodes\[0\]: its transform takes vertices beyond finite numbers",
    ),
    "mode": ([(*PRIMITIVE, "mode", 7)], r"meshes\[0\].primitives\[0\]: mode is 7; accepted: 0 to 6"),
    "no list": ([("meshes", 0, "primitives", {})], r"meshes\[0\]: primitives is \{\}; expected a list"),
    "no object": ([("meshes", 0, 5)], r"meshes\[0\] is 5; expected an object"),
    "no primitives": ([("meshes", 0, {})], r"meshes\[0\]: has no primitives"),
    "no attributes": ([(*PRIMITIVE, {})], r"meshes\[0\].primitives\[0\]: has no attributes"),
    "corners": ([("accessors", 1, "count", 5)], r"meshes\[0\].primitives\[0\]: has 5 corners; triangles need three each"),
    "short strip": ([("accessors", 1, "count", 2), (*PRIMITIVE, "mode", 5)], "has 2 corners; .* at least 3"),
    "index": ([("accessors", 0, "count", 3)], r"primitives\[0\]: accessors\[1\]: index 4 is 3; accepted: below 3"),
    "restart": (
        [("accessors", 1, {"componentType": 5121, "count": 6, "type": "SCALAR", "bufferView": 2})]
        + [("buffers", 1, embedded(bytes([0, 1, 2, 0, 255, 1]))), ("bufferViews", 2, {"buffer": 1, "byteLength": 6})]
        + [("accessors", 0, {"componentType": 5126, "count": 300, "type": "VEC3"})],
        "index 4 is 255; accepted: below 255",
    ),
    "signed indices": (
        [("accessors", 1, "componentType", 5122)],
        "componentType is 5122; accepted for indices: 5121, 5123, 5125",
    ),
    "indices of three": ([("accessors", 1, "type", "VEC3")], r"accessors\[1\]: type is 'VEC3'; expected SCALAR"),
    "normalized indices": ([("accessors", 1, "normalized", True)], "holds indices and is normalized"),
    "indices with gaps": (
        [("bufferViews", 1, "byteStride", 4)],
        r"bufferViews\[1\]: byteStride is 4; accepted .*: 2, without gaps",
    ),
    "positions of one": ([("accessors", 0, "type", "SCALAR")], r"accessors\[0\]: type is 'SCALAR'; expected VEC3"),
    "component": ([("accessors", 0, "componentType", 5124)], "componentType is 5124; accepted: 5120"),
    "normalized 32 bits": ([("accessors", 0, "componentType", 5125), ("accessors", 0, "normalized", True)], "is normalized"),
    "negative count": ([("accessors", 0, "count", -1)], r"count is -1; expected a whole number from 0"),
    "count as text": ([("accessors", 0, "count", "4")], r"count is '4'; expected a whole number"),
    "count of many digits": ([("accessors", 0, "count", 10**4299)], r"count is 10+\.\.\.; expected a whole number"),
    "true as count": ([("accessors", 0, "count", True)], r"count is True; expected a whole number"),
    "no count": ([("accessors", 0, "count", ...)], "has no count"),
    "count beyond the view": ([("accessors", 0, "count", 5)], r"bufferViews\[0\]: has 48 bytes; 5 elements need 60"),
    "offset beyond the view": ([("accessors", 0, "byteOffset", 4)], "has 48 bytes; 4 elements need 52"),
    "stride": ([("bufferViews", 0, "byteStride", 8)], "byteStride is 8; accepted for these elements: from 12"),
    "stride beyond": ([("bufferViews", 0, "byteStride", 16)], "has 48 bytes; 4 elements need 60"),
    "view beyond": ([("bufferViews", 1, "byteOffset", 49)], r"bufferViews\[1\]: ends at byte 61 of buffers\[0\], which has 60"),
    "view without buffer": ([("bufferViews", 0, "buffer", ...)], "has no buffer"),
    "no such view": ([("accessors", 0, "bufferView", 2)], "bufferView is 2; accepted: 0 to 1"),
    "no such buffer": ([("bufferViews", 0, "buffer", 1)], "buffer is 1; accepted: 0 to 0"),
    "short buffer": (
        [("buffers", 0, "byteLength", 61)],
        r"buffers\[0\]: byteLength is 61, its data has 60 bytes: it is cut short",
    ),
    "no data": (
        [("buffers", 0, "uri", ...)],
        r"buffers\[0\]: has neither uri nor binary chunk, so there is no data; export it again",
    ),
    "compressed view": (
        [("buffers", 0, "uri", ...), ("bufferViews", 1, "extensions", {"EXT_meshopt_compression": {}})],
        "compressed by EXT_meshopt_compression: export it without",
    ),
    "stand-in": (
        [("buffers", 0, {"byteLength": 60, "extensions": {"EXT_meshopt_compression": {"fallback": True}}})],
        "compressed by EXT_meshopt_compression: export it without",
    ),
    "not base64": (
        [("buffers", 0, "uri", "data:application/octet-stream;base64,AAA")],
        r"buffers\[0\]: uri is not valid base64",
    ),
    "loose base64": ([("buffers", 0, "uri", "data:;base64,AA\nAA")], "uri is not valid base64"),
    "foreign base64": ([("buffers", 0, "uri", "data:;base64,ÄÄÄÄ")], "uri is not valid base64"),
    "plain data": ([("buffers", 0, "uri", "data:text/plain,abc")], r"uri is 'data:text/plain,abc'; accepted: data:.*base64"),
    "uri as number": ([("buffers", 0, "uri", 5)], "uri is 5; expected a str"),
    "not a name": ([("buffers", 0, "uri", "%00a.bin")], "'%00a.bin', which is not a file name"),
    "half a character": ([("buffers", 0, "uri", "\ud800.bin")], "which is not a file name"),
    "long name": ([("buffers", 0, "uri", "a/" * 100_000)], "which is not a file name"),
    "outside": ([("buffers", 0, "uri", "../x.bin")], "'../x.bin', outside of its folder"),
    "hidden outside": ([("buffers", 0, "uri", "%2e%2e/x.bin")], "outside of its folder"),
    "file url": ([("buffers", 0, "uri", "file:///etc/passwd")], "'file:///etc/passwd'; accepted: files by a relative path"),
    "network": ([("buffers", 0, "uri", "http://x/y")], "'http://x/y'; accepted: files by a relative path"),
    "no such file": ([("buffers", 0, "uri", "x.bin")], "x.bin: no such file"),
    "sparse count": ([("accessors", 0, "sparse", {**SPARSE, "count": 5})], "sparse: count is 5; accepted: up to 4"),
    "sparse without values": (
        [("accessors", 0, "sparse", {"count": 1, "indices": SPARSE["indices"]})],
        "lacks indices or values",
    ),
    "sparse order": (
        [("accessors", 0, "sparse", {**SPARSE, "count": 4})],
        "sparse.indices: index 3 is 0 after 2; they must increase",
    ),
    "sparse twice": (
        [("accessors", 0, "sparse", {**SPARSE, "count": 2})]
        + [("buffers", 0, embedded(POINTS + np.array([1, 1, 2, 0, 3, 1], "<u2").tobytes()))],
        "sparse.indices: index 1 is 1 after 1; they must increase",
    ),
    "sparse range": (
        [("accessors", 0, "sparse", {**SPARSE, "indices": {"bufferView": 1, "componentType": 5123, "byteOffset": 8}})]
        + [("accessors", 0, "count", 3), (*PRIMITIVE, "indices", ...)],
        r"sparse.indices: index 0 is 3; accepted: below 3",
    ),
    "sparse signed": (
        [("accessors", 0, "sparse", {**SPARSE, "indices": {"bufferView": 1, "componentType": 5122}})],
        "componentType is 5122; accepted for indices",
    ),
    "sparse without a view": ([("accessors", 0, "sparse", {**SPARSE, "values": {}})], "sparse.values: has no bufferView"),
    "weights": ([("meshes", 0, "weights", [1])], r"primitives\[0\]: has 0 targets for 1 weights"),
    "target's count": (
        [("meshes", 0, "weights", [1]), (*PRIMITIVE, "targets", [{"POSITION": 2}])]
        + [("accessors", 2, {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"})],
        "a target has 3 positions for 4 vertices",
    ),
    "target's size": (
        [("meshes", 0, "weights", [1e300]), (*PRIMITIVE, "targets", [{"POSITION": 0}])]
        + [("buffers", 0, embedded(np.full(12, 1e30, "<f4").tobytes() + INDICES))],
        "its weighted targets take vertices beyond finite numbers",
    ),
    "no instances": (
        [(*NODE, "extensions", {INSTANCES: {"attributes": {"_ID": 0}}})],
        "expected TRANSLATION, ROTATION or SCALE",
    ),
    "instances of two counts": (
        [(*NODE, "extensions", {INSTANCES: {"attributes": {"TRANSLATION": 0, "SCALE": 2}}})]
        + [("accessors", 2, {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"})],
        r"nodes\[0\].extensions.EXT_mesh_gpu_instancing: expected TRANSLATION, ROTATION or SCALE, all of one count",
    ),
    "instance without a turn": (
        [(*NODE, "extensions", {INSTANCES: {"attributes": {"ROTATION": 2}}})]
        + [("accessors", 2, {"componentType": 5126, "count": 3, "type": "VEC4"})],
        "ROTATION of instance 0 is 0 0 0 0",
    ),
    "overflow of instances": (
        [(*NODE, {"mesh": 0, "scale": [1e308] * 3, "extensions": {INSTANCES: {"attributes": {"SCALE": 0}}}})]
        + [("buffers", 0, embedded(np.full(12, 1e30, "<f4").tobytes() + INDICES))],
        "the transform of instance 0 is not finite",
    ),
    "visible": ([(*NODE, "extensions", {"KHR_node_visibility": {"visible": 1}})], "visible is 1; expected true or false"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults(tmp_path, fault):
    changes, match = FAULTS[fault]
    error = MissingFile if fault == "no such file" else InvalidGeometry
    refused(tmp_path, json.dumps(changed(*changes)).replace('"LARGE"', "1e999").encode(), match, error)


def test_numbers_that_are_not_finite_are_named(tmp_path):
    points = np.array(CORNERS, "<f4")
    points[2, 1] = np.nan
    refused(tmp_path, changed(("buffers", 0, embedded(points.tobytes() + INDICES))), r"accessors\[0\]: element 2 has nan at 1")
    used = np.array([3, 2, 1], "<u2").tobytes()
    tree = changed(("buffers", 0, embedded(points.tobytes() + used + used)), ("accessors", 1, "count", 3))
    refused(tmp_path, tree, r"accessors\[0\]: element 2 has nan at 1")


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (b"[" * 100_000, "nested too deep"),
        (b'{"a":' * 100_000, "nested too deep"),
        (b"{", "its JSON cannot be read: .*line 1"),
        (b"[]", r"its JSON is \[\]; expected an object"),
        (b"7", "its JSON is 7; expected an object"),
        (b'{"asset": {"version": "2.0"}, "scene": NaN}', "NaN is not a number of JSON"),
        (b'{"asset": -Infinity}', "-Infinity is not a number"),
        (b'{"scene": 1' + b"0" * 5000 + b"}", "its JSON cannot be read"),
        (b'{"asset": "\xff"}', "not valid UTF-8 text: byte 11 is 0xff"),
        (b'\xff\xfe{\0"\0', "not valid UTF-8"),
        (b'{"nodes":[' + b"{}," * 3_000_000 + b"{}]}", "its JSON would decode to"),
    ],
)
def test_json_that_cannot_be_read(tmp_path, text, match):
    refused(tmp_path, text, match)


def test_a_mark_of_order_and_keys_named_twice(tmp_path):
    text = b'\xef\xbb\xbf{"scene": 8, ' + json.dumps(example()).encode()[1:]
    assert len(read(tmp_path, text).parts) == 1


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda c: b"gltf" + c[4:], "does not begin as a .glb does"),
        (lambda c: c[:11], "does not begin as a .glb does"),
        (lambda c: c[:4] + b"\1" + c[5:], "is glTF 1; accepted: glTF 2"),
        (lambda c: c[:-1], "header promises .* it has"),
        (lambda c: c + b"\0", "header promises .* it has"),
        (lambda c: resized(c + b"\0\0\0"), "3 bytes follow its last chunk"),
        (lambda c: resized(c[:-1]), r"its chunk at byte \d+ has 60 bytes; 59 are left"),
        (lambda c: resized(c[:12]), "has no chunks"),
        (lambda c: c[:16] + b"BIN\0" + c[20:], r"its first chunk is b'BIN\\x00'; expected b'JSON'"),
        (lambda c: resized(c + c[12:]), "has two chunks b'JSON'"),
        (lambda c: resized(c + struct.pack("<I4s", 0, b"BIN\0")), "has two chunks b'BIN"),
        (lambda c: resized(c[:-68]), "neither uri nor binary chunk"),
        (lambda c: glb(c[20:-68], POINTS), r"buffers\[0\]: byteLength is 60, its data has 48 bytes"),
        (lambda c: glb(c[20:-68], POINTS + INDICES + b"1234"), "the binary chunk has 64 bytes; accepted: up to 3 more"),
    ],
)
def test_binary_files_that_are_wrong(tmp_path, change, match):
    content = glb(json.dumps(changed(("buffers", 0, {"byteLength": 60}))).encode(), POINTS + INDICES)
    assert len(read(tmp_path, content, "a.glb").parts) == 1
    refused(tmp_path, change(content), match, name="a.glb")


def resized(content):
    return content[:8] + struct.pack("<I", len(content)) + content[12:]


def test_a_stand_in_is_not_the_binary_chunk(tmp_path):
    stand_in = {"byteLength": 60, "extensions": {"EXT_meshopt_compression": {"fallback": True}}}
    text = json.dumps(changed(("buffers", 0, stand_in))).encode()
    refused(tmp_path, glb(text, bytes(60)), "compressed by EXT_meshopt_compression", name="a.glb")


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "a.bin")
    refused(tmp_path, changed(("buffers", 0, {"byteLength": 60, "uri": "a.bin"})), "a.bin: not a file", InaccessibleFile)


def test_a_folder_as_a_buffer(tmp_path):
    (tmp_path / "a.bin").mkdir()
    refused(
        tmp_path,
        changed(("buffers", 0, {"byteLength": 60, "uri": "a.bin"})),
        "a.bin: is a folder, not a file",
        InaccessibleFile,
    )


# ------------------------------------------------------------------------------------------------------------------ limits


@pytest.mark.parametrize("indices", [False, True])
def test_counts_without_data(tmp_path, indices):
    tree = changed(("accessors", 0, {"componentType": 5126, "count": 10**8 - 1, "type": "VEC3"}))
    if not indices:
        del tree["meshes"][0]["primitives"][0]["indices"]
    refused(tmp_path, tree, r"would decode to .*; to allow it: limits=Limits\(max_decoded_bytes=")


def test_indices_without_data(tmp_path):
    tree = changed(("accessors", 1, {"componentType": 5121, "count": 3 * 10**8, "type": "SCALAR"}))
    refused(tmp_path, tree, r"meshes\[0\], shown 1 x, would decode to")
    tree["accessors"][1]["count"] = 6
    assert np.array_equal(read(tmp_path, tree).parts[0].faces, np.zeros((2, 3)))


def test_the_largest_count(tmp_path):
    tree = changed(("accessors", 0, "count", 2**53), (*PRIMITIVE, "indices", ...), (*PRIMITIVE, "mode", 5))
    refused(tmp_path, tree, "would decode to")


def test_many_nodes_of_a_large_mesh(tmp_path):
    corners = np.zeros(150_000, "u1").tobytes()
    tree = changed(("buffers", 0, embedded(POINTS + corners)), ("nodes", [{"mesh": 0}] * 5000))
    tree["bufferViews"][1]["byteLength"] = 150_000
    tree["accessors"][1] |= {"count": 150_000, "componentType": 5121}
    tree["scenes"][0]["nodes"] = list(range(5000))
    refused(tmp_path, tree, r"meshes\[0\], shown 5,000 x, would decode to 6,00.*accepted: up to")


def test_many_targets(tmp_path):
    tree = changed(
        ("accessors", 0, {"componentType": 5126, "count": 30_000, "type": "VEC3"}),
        (*PRIMITIVE, {"attributes": {"POSITION": 0}, "targets": [{"POSITION": 0}] * 1000}),
        ("meshes", 0, "weights", [1] * 1000),
    )
    refused(tmp_path, tree, "would decode to")


def test_nodes_and_instances_are_counted(tmp_path):
    few = Limits(max_elements=10)
    nodes = {"nodes": [{"mesh": 0}] * 11, "scenes": [{"nodes": [0]}]}
    refused(
        tmp_path,
        example() | nodes,
        r"has 11 nodes.*accepted: up to 10; to allow it: limits=Limits\(max_elements=11\)",
        limits=few,
    )
    instances = {"mesh": 0, "extensions": {INSTANCES: {"attributes": {"TRANSLATION": 2}}}}
    tree = changed(("nodes", 0, instances), ("accessors", 2, {"componentType": 5126, "count": 11, "type": "VEC3"}))
    refused(tmp_path, tree, "has 11 instances", limits=few)
    tree["accessors"][2]["count"] = 10
    assert len(read(tmp_path, tree, limits=few).parts) == 10


def test_depth(tmp_path):
    def tree(depth):
        nodes = [{"children": [k + 1]} for k in range(depth - 1)] + [{"mesh": 0}]
        return changed(("nodes", nodes))

    assert len(read(tmp_path, tree(64)).parts) == 1
    refused(tmp_path, tree(65), r"nodes\[64\]: is nested 65 deep; accepted: up to 64")
    assert len(read(tmp_path, tree(5000), limits=Limits(max_depth=5000)).parts) == 1


def test_memory_that_is_not_there(tmp_path, monkeypatch):
    def fail(*_):
        raise MemoryError

    monkeypatch.setattr("sweepscope.formats.gltf._joined", fail)
    refused(tmp_path, example(), "does not fit into memory")


def test_parts_with_the_same_place_share_arrays(tmp_path):
    tree = changed(("nodes", [{"mesh": 0}, {"mesh": 0}]), ("scenes", 0, "nodes", [0, 1]))
    first, second = read(tmp_path, tree).parts
    assert first.vertices is second.vertices
