"""A slow second reader of glTF 2.0, and a generator of valid files that use all of it.

The reader is written from the specification with loops, struct and json, and shares no code with sweepscope.formats.gltf. It
trusts its file.
"""

import base64
import json
import math
import struct
from fractions import Fraction
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

CODES = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
DIVISORS = {5120: 127, 5121: 255, 5122: 32767, 5123: 65535}


# --------------------------------------------------------------------------------------------------------------- the reader


def slow_read(path):
    """Vertices and faces of a file, all parts together, as lists."""
    vertices, faces = [], []
    for part_vertices, part_faces, _ in slow_parts(path):
        faces += [tuple(corner + len(vertices) for corner in face) for face in part_faces]
        vertices += part_vertices
    return vertices, faces


def slow_parts(path):
    """For each part: vertices, faces, and for each vertex the size of the numbers that were added up to place it.

    Rounding errors are small relative to that size, not to the vertex itself, which may lie near the origin by cancellation.
    """
    file = _File(Path(path))
    tree = file.tree
    nodes = tree.get("nodes", [])
    if tree.get("scenes"):
        roots = tree["scenes"][tree.get("scene", 0)].get("nodes", [])
    else:
        children = {child for node in nodes for child in node.get("children", [])}
        roots = [k for k in range(len(nodes)) if k not in children]
    parts = []
    for root in roots:
        _visit(file, root, [_unit()], parts)
    return [part for part in parts if part[1]]


class _File:
    def __init__(self, path):
        self.path = path
        content = path.read_bytes()
        self.binary, text = b"", content
        if content[:4] == b"glTF":
            at = 12
            while at < len(content):
                size, kind = struct.unpack_from("<I4s", content, at)
                body = content[at + 8 : at + 8 + size]
                if kind == b"JSON":
                    text = body
                elif kind == b"BIN\0":
                    self.binary = body
                at += 8 + size
        self.tree = json.loads(text.decode("utf-8-sig"))

    def buffer(self, index):
        uri = self.tree["buffers"][index].get("uri")
        if uri is None:
            return self.binary
        if uri.startswith("data:"):
            return base64.b64decode(uri.split(",", 1)[1])
        return (self.path.parent / unquote(uri)).read_bytes()

    def take(self, holder, code, width, count):
        """Elements at the place that an accessor, or a half of a sparse one, names."""
        view = self.tree["bufferViews"][holder["bufferView"]]
        data = self.buffer(view["buffer"])
        layout = "<" + CODES[code] * width
        stride = view.get("byteStride") or struct.calcsize(layout)
        start = view.get("byteOffset", 0) + holder.get("byteOffset", 0)
        return [struct.unpack_from(layout, data, start + k * stride) for k in range(count)]

    def accessor(self, index):
        accessor = self.tree["accessors"][index]
        code, width, count = accessor["componentType"], WIDTHS[accessor["type"]], accessor["count"]
        if count == 0:
            return []
        if "bufferView" in accessor:
            rows = self.take(accessor, code, width, count)
        else:
            rows = [(0,) * width] * count
        if "sparse" in accessor:
            sparse = accessor["sparse"]
            places = self.take(sparse["indices"], sparse["indices"]["componentType"], 1, sparse["count"])
            for (place,), row in zip(places, self.take(sparse["values"], code, width, sparse["count"]), strict=True):
                rows[place] = row
        if accessor.get("normalized") and code in DIVISORS:
            rows = [tuple(max(value / DIVISORS[code], -1.0) for value in row) for row in rows]
        return rows


def _visit(file, index, chain, parts):
    node = file.tree["nodes"][index]
    if node.get("extensions", {}).get("KHR_node_visibility", {}).get("visible") is False:
        return
    chain = [*chain, _local(node)]
    if "mesh" in node:
        vertices, faces = _mesh(file, node)
        for last in _instances(file, node):
            parts.append(_placed(vertices, faces, [*chain, last]))
    for child in node.get("children", []):
        _visit(file, child, chain, parts)


def _mesh(file, node):
    mesh = file.tree["meshes"][node["mesh"]]
    weights = node.get("weights", mesh.get("weights", []))
    moved = any(weights)
    groups = {}
    for primitive in mesh["primitives"]:
        if primitive.get("mode", 4) < 4 or "POSITION" not in primitive["attributes"]:
            continue
        targets = tuple(target.get("POSITION") for target in primitive.get("targets", [])) if moved else ()
        groups.setdefault((primitive["attributes"]["POSITION"], targets), []).append(primitive)
    vertices, faces = [], []
    for (positions, targets), primitives in groups.items():
        points = [tuple(map(float, row)) for row in file.accessor(positions)]
        for weight, target in zip(weights, targets, strict=False):
            if weight and target is not None:
                delta = file.accessor(target)
                points = [tuple(a + weight * b for a, b in zip(*pair, strict=True)) for pair in zip(points, delta, strict=True)]
        declared, triangles = 0, []
        for primitive in primitives:
            corners = [row[0] for row in file.accessor(primitive["indices"])] if "indices" in primitive else range(len(points))
            count, some = _triangles(primitive.get("mode", 4), list(corners))
            declared += count
            triangles += some
        if len(points) > 3 * declared:
            used = sorted({corner for triangle in triangles for corner in triangle})
            new = {old: k for k, old in enumerate(used)}
            points = [points[old] for old in used]
            triangles = [tuple(new[corner] for corner in triangle) for triangle in triangles]
        faces += [tuple(corner + len(vertices) for corner in triangle) for triangle in triangles]
        vertices += points
    return vertices, faces


def _triangles(mode, corners):
    """How many triangles there are, and those that count."""
    if mode == 4:
        return len(corners) // 3, [tuple(corners[k : k + 3]) for k in range(0, len(corners), 3)]
    if mode == 6:
        return len(corners) - 2, [(corners[0], corners[k], corners[k + 1]) for k in range(1, len(corners) - 1)]
    found = []
    for k in range(len(corners) - 2):
        a, b, c = corners[k : k + 3]
        if len({a, b, c}) == 3:
            found.append((a, c, b) if k % 2 else (a, b, c))
    return len(corners) - 2, found


def _unit():
    return [[float(row == column) for column in range(4)] for row in range(4)], 1


def _local(node):
    """A node's matrix, and the sign of its determinant."""
    if "matrix" in node:
        matrix = [[float(node["matrix"][4 * column + row]) for column in range(4)] for row in range(4)]
        (a, b, c), (d, e, f), (g, h, i) = ([Fraction(value) for value in row[:3]] for row in matrix[:3])
        value = a * e * i + b * f * g + c * d * h - c * e * g - b * d * i - a * f * h
        return matrix, (value > 0) - (value < 0)
    return _composed(node.get("translation", (0, 0, 0)), node.get("rotation", (0, 0, 0, 1)), node.get("scale", (1, 1, 1)))


def _instances(file, node):
    extension = node.get("extensions", {}).get("EXT_mesh_gpu_instancing")
    if extension is None:
        return [_unit()]
    given = {key: file.accessor(index) for key, index in extension["attributes"].items() if not key.startswith("_")}
    count = len(next(iter(given.values())))
    rest = {"TRANSLATION": (0, 0, 0), "ROTATION": (0, 0, 0, 1), "SCALE": (1, 1, 1)}
    columns = [given.get(key, [rest[key]] * count) for key in rest]
    return [_composed(*parts) for parts in zip(*columns, strict=True)]


def _composed(shift, quaternion, scale):
    x, y, z, w = quaternion
    length = math.hypot(x, y, z, w)
    unit = (x / length, y / length, z / length, w / length)
    matrix = [[0.0, 0.0, 0.0, float(shift[row])] for row in range(3)] + [[0.0, 0.0, 0.0, 1.0]]
    sign = 1
    for column in range(3):
        axis = [float(column == row) for row in range(3)]
        turned = axis if unit[:3] == (0.0, 0.0, 0.0) else _turned(unit, axis)
        for row in range(3):
            matrix[row][column] = turned[row] * scale[column]
        sign *= (scale[column] > 0) - (scale[column] < 0)
    return matrix, sign


def _turned(unit, axis):
    """An axis turned by a unit quaternion q: q axis q*."""
    x, y, z, w = _times(_times(unit, (*axis, 0.0)), (-unit[0], -unit[1], -unit[2], unit[3]))
    assert abs(w) < 1e-9
    return x, y, z


def _times(p, q):
    a, b, c, d = p
    e, f, g, h = q
    return (
        d * e + a * h + b * g - c * f,
        d * f - a * g + b * h + c * e,
        d * g + a * f - b * e + c * h,
        d * h - a * e - b * f - c * g,
    )


def _product(a, b):
    columns = list(zip(*b, strict=True))
    return [[_dot(row, column) for column in columns] for row in a]


def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]  # from Python 3.12 on sum() rounds otherwise


def _sizes(a):
    return [[abs(value) for value in row] for row in a]


def _placed(vertices, faces, chain):
    whole, sign = chain[0]
    size = _sizes(whole)
    for matrix, its_sign in chain[1:]:
        whole, size, sign = _product(whole, matrix), _product(size, _sizes(matrix)), sign * its_sign
    placed = [_applied(whole, vertex) for vertex in vertices]
    sizes = [max(_applied(size, [abs(value) for value in vertex])) for vertex in vertices]
    if sign < 0:
        faces = [(a, c, b) for a, b, c in faces]
    return placed, faces, sizes


def _applied(matrix, vertex):
    return tuple(row[0] * vertex[0] + row[1] * vertex[1] + row[2] * vertex[2] + row[3] for row in matrix[:3])


# ------------------------------------------------------------------------------------------------------------ the generator


def random_file(rng, folder):
    """Write a valid file, with the files that it names, into a folder; return its path."""
    return _GltfWriter(rng, Path(folder)).write()


class _GltfWriter:
    def __init__(self, rng, folder):
        self.rng = rng
        self.folder = folder
        self.tree = {"asset": {"version": "2.0"}, "accessors": [], "bufferViews": [], "meshes": [], "nodes": []}
        self.elsewhere = False  # whether the first buffer has a file of its own
        self.buffers = [bytearray() for _ in range(rng.integers(1, 4))]
        self.turns = self.chance(0.5)  # without rotations, all arithmetic is defined to the bit

    def chance(self, share):
        return bool(self.rng.random() < share)

    def number(self, low, high):
        return int(self.rng.integers(low, high))

    def write(self):
        for _ in range(self.number(1, 4)):
            self.tree["meshes"].append(self.mesh(first=not self.tree["meshes"]))
        self.nodes()
        self.ornaments()
        binary = self.chance(0.5)
        path = self.folder / f"{self.number(0, 10**9)}.{'glb' if binary else 'gltf'}"
        self.tree["buffers"] = [self.buffer(k, data, binary) for k, data in enumerate(self.buffers)]
        text = json.dumps(self.tree, indent=2 if self.chance(0.2) else None, ensure_ascii=self.chance(0.5)).encode()
        if not binary:
            path.write_bytes((b"\xef\xbb\xbf" if self.chance(0.1) else b"") + text)
            return path
        chunks = [(b"JSON", text + b" " * (-len(text) % 4))]
        if not self.elsewhere:
            chunks.append((b"BIN\0", bytes(self.buffers[0]) + b"\0" * (-len(self.buffers[0]) % 4)))
        if self.chance(0.2):
            chunks.append((b"MORE", b"what is not known is skipped"))
        body = b"".join(struct.pack("<I4s", len(data), kind) + data for kind, data in chunks)
        path.write_bytes(b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body)
        return path

    def buffer(self, index, data, binary):
        if binary and index == 0 and self.chance(0.8):
            return {"byteLength": len(data)}
        stored: dict[str, Any] = {"byteLength": len(data)}
        extra = b"more" if self.chance(0.2) else b""
        if self.chance(0.5):
            kind = "gltf-buffer" if self.chance(0.5) else "octet-stream"
            stored["uri"] = f"data:application/{kind};base64," + base64.b64encode(data + extra).decode()
        else:
            name = f"{self.number(0, 10**9)} {'ü' if self.chance(0.3) else 'u'}{'%41' if self.chance(0.2) else ''}.bin"
            inside = f"in {index}" if self.chance(0.2) else "."
            (self.folder / inside).mkdir(exist_ok=True)
            (self.folder / inside / name).write_bytes(data + extra)
            stored["uri"] = quote(f"{inside}/{name}")
        if index == 0:
            self.elsewhere = True
        return stored

    # numbers

    def junk(self, size):
        return self.rng.bytes(size)

    def view(self, rows, layout, packed):
        """Store rows of numbers; return the keys that name their place."""
        size = struct.calcsize(layout)
        stride = size + (0 if packed or self.chance(0.6) else self.number(1, 20))
        lead = self.number(0, 9) if self.chance(0.4) else 0
        body = b"".join(struct.pack(layout, *row).ljust(stride, b"\xff") for row in rows)
        body = body[: len(body) - (stride - size)] if self.chance(0.5) else body
        which = self.number(0, len(self.buffers))
        buffer = self.buffers[which]
        buffer += self.junk(self.number(0, 9) if self.chance(0.4) else 0)
        view = {"buffer": which, "byteLength": lead + len(body)}
        if buffer or self.chance(0.3):
            view["byteOffset"] = len(buffer)
        buffer += self.junk(lead) + body
        if stride != size or (not packed and self.chance(0.2)):
            view["byteStride"] = stride
        self.tree["bufferViews"].append(view)
        keys = {"bufferView": len(self.tree["bufferViews"]) - 1}
        if lead or self.chance(0.3):
            keys["byteOffset"] = lead
        return keys

    def accessor(self, rows, code, kind, packed=False, **more):
        """Store numbers as an accessor, sparse at times; return its index."""
        layout = "<" + CODES[code] * WIDTHS[kind]
        accessor = {"componentType": code, "count": len(rows), "type": kind, **more}
        if self.chance(0.2) and rows:
            zero = (0,) * WIDTHS[kind]
            places = sorted(self.rng.choice(len(rows), self.number(1, len(rows) + 1), replace=False).tolist())
            if self.chance(0.5):
                places = sorted({*places, *(k for k, row in enumerate(rows) if tuple(row) != zero)})
            else:
                base = [
                    struct.unpack(layout, self.junk(struct.calcsize(layout))) if k in places else row
                    for k, row in enumerate(rows)
                ]
                accessor |= self.view(base, layout, packed)
            if places:
                index_code = [5121, 5123, 5125][self.number(0 if len(rows) < 255 else 1, 3)]
                indices = self.view([(place,) for place in places], "<" + CODES[index_code], True)
                accessor["sparse"] = {
                    "count": len(places),
                    "indices": {"componentType": index_code, **indices},
                    "values": self.view([rows[place] for place in places], layout, True),
                }
        else:
            accessor |= self.view(rows, layout, packed)
        self.tree["accessors"].append(accessor)
        return len(self.tree["accessors"]) - 1

    def points(self, count):
        code = [*CODES, 5126, 5126, 5126][self.number(0, len(CODES) + 3)]
        if code == 5126:
            rows = (self.rng.normal(size=(count, 3)) * 10.0 ** self.number(-3, 4)).tolist()
        else:
            bits = 8 * struct.calcsize(CODES[code])
            low, high = (0, 1 << bits) if CODES[code].isupper() else (-(1 << bits - 1), 1 << bits - 1)
            rows = self.rng.integers(low, high, (count, 3)).tolist()
        more = {"normalized": True} if code != 5125 and self.chance(0.5) else {"normalized": False} if self.chance(0.2) else {}
        return self.accessor(rows, code, "VEC3", **more)

    # meshes

    def mesh(self, first):
        targets = self.number(1, 4) if self.chance(0.3) else 0
        many = self.number(10, 30) if self.chance(0.03) else self.number(1, 5)
        primitives, shared, count = [], None, 0
        for _ in range(many):
            mode = 4 if first and not primitives else [4, 4, 4, 5, 5, 6, 6, self.number(0, 4)][self.number(0, 8)]
            if shared is None or self.chance(0.7):
                count = self.number(3, 30) if self.chance(0.95) else self.number(250, 300)
                count -= count % 3
                shared = count, self.points(count), [self.target(count) for _ in range(targets)]
            elif self.chance(0.3):
                shared = *shared[:2], [self.target(count) for _ in range(targets)]
            primitives.append(self.primitive(mode, *shared))
        mesh: dict[str, Any] = {"primitives": primitives}
        if targets and self.chance(0.7):
            mesh["weights"] = self.weights(targets)
        if self.chance(0.5):
            mesh["name"] = f"mesh {self.number(0, 9)}"
        return mesh

    def target(self, count):
        return {"POSITION": self.points(count)} if self.chance(0.8) else {"NORMAL": self.points(count)}

    def weights(self, count):
        return [float(self.rng.normal()) if self.chance(0.6) else 0 for _ in range(count)]

    def primitive(self, mode, count, positions, targets):
        primitive: dict[str, Any] = {"attributes": {"POSITION": positions, "_MORE": 0}}
        if mode != 4 or self.chance(0.3):
            primitive["mode"] = mode
        if self.chance(0.75):
            corners = 3 * self.number(1, 8) if mode == 4 else self.number(3, 20)
            code = [5121, 5123, 5125][self.number(0 if count < 256 else 1, 3)]
            indices = self.rng.integers(0, min(count, 255 if code == 5121 else count), (corners, 1)).tolist()
            if mode == 5 and self.chance(0.5):  # strips are joined by corners that are named twice
                k = self.number(1, corners)
                indices[k] = indices[k - 1]
            primitive["indices"] = self.accessor([tuple(row) for row in indices], code, "SCALAR", packed=True)
        if targets:
            primitive["targets"] = targets
        if self.chance(0.1):
            primitive["extensions"] = {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}}
            self.tree["extensionsUsed"] = ["KHR_draco_mesh_compression"]
        return primitive

    # nodes

    def nodes(self):
        count = self.number(30, 60) if self.chance(0.05) else self.number(1, 12)
        chain = self.chance(0.5)
        names = [0, *(1 + self.rng.permutation(count - 1)).tolist()]  # parents may come after their children
        nodes = [{} for _ in range(count)]
        parents = [-1] * count
        for k in range(count):
            node = nodes[names[k]]
            if k and self.chance(0.8):
                parents[k] = k - 1 if chain else self.number(0, k)
                nodes[names[parents[k]]].setdefault("children", []).append(names[k])
            node |= self.transform(gentle=count > 12)
            if k == 0 or self.chance(0.6):
                node["mesh"] = 0 if k == 0 else self.number(0, len(self.tree["meshes"]))
                self.instance(node)
            if k and self.chance(0.05):
                node.setdefault("extensions", {})["KHR_node_visibility"] = {"visible": self.chance(0.5)}
            if self.chance(0.5):
                node["name"] = f"node {'é' if self.chance(0.3) else 'e'}"
        self.tree["nodes"] = nodes
        roots = [names[k] for k in range(count) if parents[k] < 0]
        kind = self.number(0, 4)
        if kind:
            scenes = [{"nodes": [roots[0], *(root for root in roots[1:] if self.chance(0.7))]}]
            if kind == 2:
                scenes.insert(0, {"nodes": roots[1:]} if roots[1:] else {})
                self.tree["scene"] = 1
            elif kind == 3:
                scenes.append({})
                self.tree["scene"] = 0
            self.tree["scenes"] = scenes

    def transform(self, gentle):
        """A node's own transform; gentle: such that many of them in a row do not grow without bounds."""
        kind = self.number(0, 4)
        if kind == 0:
            return {}
        if kind == 1:
            matrix = self.rng.normal(size=(4, 4)) * (0.5 if gentle else 2.0)
            matrix[:, 3] = (0, 0, 0, 1)
            if self.chance(0.2):
                matrix[2, :3] = matrix[1, :3]  # flattens exactly
            return {"matrix": matrix.ravel().tolist()}
        node = {}
        if self.chance(0.6):
            node["translation"] = [self.number(-5, 5), *self.rng.normal(size=2).tolist()]
        if self.turns and (kind == 2 or self.chance(0.2)):
            node["rotation"] = (self.rng.normal(size=4) * 10.0 ** self.number(-3, 3)).tolist()
        if self.chance(0.6):
            scale = self.rng.uniform(0.5, 1.5, 3) * self.rng.choice([-1, 1], 3)
            node["scale"] = (scale * (self.rng.random(3) > 0.05)).tolist()
        return node

    def instance(self, node):
        targets = max(len(each.get("targets", [])) for each in self.tree["meshes"][node["mesh"]]["primitives"])
        if targets and self.chance(0.4):
            node["weights"] = self.weights(targets)
        if not self.chance(0.1):
            return
        count = self.number(1, 5)
        columns = {
            "TRANSLATION": lambda: self.accessor(self.rng.normal(size=(count, 3)).tolist(), 5126, "VEC3"),
            "ROTATION": lambda: self.quaternions(count),
            "SCALE": lambda: self.accessor(self.rng.uniform(-2, 2, (count, 3)).tolist(), 5126, "VEC3"),
        }
        chosen = [key for key in columns if self.chance(0.6) and (self.turns or key != "ROTATION")] or ["TRANSLATION"]
        node["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": {key: columns[key]() for key in chosen}}}

    def quaternions(self, count):
        if self.chance(0.5):
            return self.accessor(self.rng.normal(size=(count, 4)).tolist(), 5126, "VEC4")
        return self.accessor(self.rng.integers(1, 32767, (count, 4)).tolist(), 5122, "VEC4", normalized=True)

    def ornaments(self):
        """What has no bearing on triangles."""
        more = {
            "materials": [{"name": "red", "extras": {"a": [None, True, {"b": []}]}}],
            "images": [{"uri": "not/there.png"}],
            "cameras": [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}],
            "animations": [{"channels": [], "samplers": []}],
            "extensionsRequired": ["KHR_mesh_quantization", "KHR_texture_transform"],
            "extras": 7,
        }
        self.tree |= {key: value for key, value in more.items() if self.chance(0.2)}
