"""COLLADA files: random ones, and a slow reader, written from the standard."""

import math
from fractions import Fraction
from xml.etree import ElementTree

SPACES = (" ", "  ", "\n", "\t", " \n ", "\r\n")
NAMESPACE = "http://www.collada.org/2005/11/COLLADASchema"
SURFACES = ("triangles", "polylist", "polygons", "tristrips", "trifans")


def random_file(rng, folder):
    """Write a valid file of random content, and return its path."""
    path = folder / "random.dae"
    path.write_bytes(_DaeWriter(rng).file())
    return path


class _DaeWriter:
    """Writes one random file."""

    def __init__(self, rng):
        self.rng = rng
        self.ids = 0

    def chance(self, share):
        return self.rng.random() < share

    def pick(self, *choices):
        return choices[self.rng.integers(len(choices))]

    def some(self, low, high):
        """A whole number from low to high."""
        return int(self.rng.integers(low, high + 1))

    def new_id(self):
        self.ids += 1
        return self.pick("id", "Node.", "g-", "\u00fc_") + str(self.ids)

    def number(self, value):
        return self.pick(repr, "{:.6g}".format, "{:.3E}".format, "{:+.9f}".format)(float(value))

    def exact(self, value):
        """All digits: rounded positions of a convex polygon may be those of another."""
        return self.pick(repr, "{:.17g}".format, "{:.16E}".format, "{:+.17e}".format)(float(value))

    def text(self, words):
        """Words with any white space between them, and now and then a comment."""
        words = [str(word) for word in words]
        if self.chance(0.7):
            return " ".join(words)
        text = self.pick("", *SPACES)
        for word in words:
            text += word + self.pick(*SPACES)
            if self.chance(0.05):
                text += self.pick("<!-- 7 8 9 -->", "<?pi 7 8 9?>", "<![CDATA[ ]]>")
        return text

    def numbers(self, values):
        return self.text(map(self.number, values))

    def count(self, number):
        return f' count="{number}"' if self.chance(0.9) else ""

    def file(self):
        geometries = [self.geometry() for _ in range(self.some(1, 4))]
        names = [name for name, _ in geometries]
        body = self.asset() + f"<library_geometries>{''.join(text for _, text in geometries)}</library_geometries>"
        if self.chance(0.9):
            shared = []
            for _ in range(self.some(0, 3)):
                name = self.new_id()
                shared.append((name, self.node(names, [each for each, _ in shared], 2, name)))
            body += f"<library_nodes>{''.join(text for _, text in shared)}</library_nodes>"
            nodes = "".join(self.node(names, [each for each, _ in shared], 4) for _ in range(self.some(1, 3)))
            scene = self.new_id()
            other = f'<visual_scene id="{self.new_id()}"><node/></visual_scene>' if self.chance(0.2) else ""
            body += f'<library_visual_scenes><visual_scene id="{scene}">{nodes}</visual_scene>{other}</library_visual_scenes>'
            if other or self.chance(0.8):
                body += f'<scene><instance_visual_scene url="#{scene}"/></scene>'
        return self.rooted(body)

    def rooted(self, body):
        version = self.pick('version="1.4.0"', 'version="1.4.1"', 'version="1.5.0"', "")
        form = self.pick("plain", "default", "default", "prefix")
        if form == "prefix":
            for mark in ("<", "</"):
                body = "".join(
                    mark + "c:" + rest if k and rest[0].isalpha() else mark + rest if k else rest
                    for k, rest in enumerate(body.split(mark))
                )
            text = f'<c:COLLADA xmlns:c="{NAMESPACE}" {version}>{body}</c:COLLADA>'
        else:
            home = f'xmlns="{NAMESPACE}"' if form == "default" else ""
            text = f"<COLLADA {home} {version}>{body}</COLLADA>"
        encoding = self.pick("utf-8", "UTF-8", "ISO-8859-1", None)
        if encoding is None:
            return self.pick(b"", b"\xef\xbb\xbf") + text.encode()
        return f'<?xml version="1.0" encoding="{encoding}"?>\n{text}'.encode(encoding)

    def asset(self):
        unit = self.pick("", "<unit/>", '<unit meter="0.0254" name="inch"/>', '<unit name="m" meter="1"/>')
        return f"<asset>{unit}{self.pick('', '<up_axis>X_UP</up_axis>', '<up_axis> Z_UP </up_axis>')}</asset>"

    def geometry(self):
        """A mesh whose positions lie on an ellipse: corners that follow each other on it make a convex polygon."""
        name = self.new_id()
        count = self.some(3, 12)
        middle, u, v = self.rng.normal(size=(3, 3))
        u /= math.sqrt(u @ u)
        v -= (u @ v) * u
        v *= self.rng.uniform(0.5, 2.0) / math.sqrt(v @ v)
        size = self.pick(1.0, 1e-3, 1e4)
        angles = [2.0 * math.pi * k / count for k in range(count)]
        places = [size * (middle + math.cos(a) * u + math.sin(a) * v) for a in angles]
        sources, positions = self.source(places)
        normals = self.new_id()
        sources += (
            f'<source id="{normals}"><float_array id="{normals}-array" count="3">0 0 1</float_array><technique_common>'
            f'<accessor source="#{normals}-array" count="1" stride="3"><param name="X" type="float"/></accessor>'
            "</technique_common></source>"
        )
        vertices = self.new_id()
        body = "".join(self.primitive(count, vertices, normals) for _ in range(self.some(0, 3)))
        inputs = [f'<input semantic="POSITION" source="#{positions}"/>', f'<input semantic="NORMAL" source="#{normals}"/>']
        listed = f'<vertices id="{vertices}">{"".join(inputs[: self.some(1, 2)])}</vertices>'
        return name, f'<geometry id="{name}" name="any">{self.extra()}<mesh>{sources}{listed}{body}</mesh></geometry>'

    def source(self, places):
        """One or two sources of positions, among other numbers; the id of the one that holds them."""
        offset = self.pick(0, 0, self.some(1, 5))
        order = self.pick("XYZ", "XYZ", "ZXY", "ABC", "")
        before, between, after = (0, 0, 0) if not order or self.chance(0.5) else (self.some(0, 2) for _ in range(3))
        values = list(self.rng.normal(size=offset))
        for place in places:
            given = [place["XYZ".index(each)] for each in order] if order in ("XYZ", "ZXY") else list(place)
            fill = self.rng.normal(size=before + between + after)
            values += [*fill[:before], given[0], *fill[before : before + between], *given[1:], *fill[before + between :]]
        params = '<param type="float"/>' * before + "".join(
            f'<param name="{each}" type="float"/>' + ('<param type="float"/>' * between if k == 0 else "")
            for k, each in enumerate(order)
        )
        name, array = self.new_id(), self.new_id()
        told = f'<float_array id="{array}"{self.count(len(values))}>{self.text(map(self.exact, values))}</float_array>'
        begin = f' offset="{offset}"' if offset or self.chance(0.5) else ""
        accessor = (
            f'<technique_common><accessor source="#{array}" count="{len(places)}" stride="{3 + before + between + after}"'
            f"{begin}>{params}</accessor></technique_common>"
        )
        if self.chance(0.2):
            return f'<source id="{self.new_id()}">{told}</source><source id="{name}">{accessor}</source>', name
        return f'<source id="{name}">{told}{accessor}</source>', name

    def primitive(self, count, vertices, normals):
        """One element of faces or lines."""
        kind = self.pick(*SURFACES, *SURFACES, "lines", "linestrips")
        offset = self.some(0, 2)
        inputs = [f'<input semantic="VERTEX" source="#{vertices}" offset="{offset}"/>']
        stride = offset + 1
        for _ in range(self.some(0, 2)):
            other = self.some(0, 3)
            stride = max(stride, other + 1)
            semantic = self.pick("NORMAL", "TEXCOORD")
            inputs.append(f'<input semantic="{semantic}" source="#{normals}" offset="{other}" set="0"/>')
        self.rng.shuffle(inputs)
        lengths = [self.some(3, min(count, 8)) for _ in range(self.some(0, 4))]
        if kind in ("triangles", "lines"):
            lengths = [3 if kind == "triangles" else 2] * len(lengths)
        if kind == "polylist" and self.chance(0.2):
            lengths += [self.some(0, 2)]
        lists = [self.polygon(count, length) for length in lengths]
        numbers = [[corner if k == offset else self.some(0, 9) for corner in each for k in range(stride)] for each in lists]
        held = self.count(len(lists))
        if kind in ("triangles", "polylist", "lines"):
            body = f"<p>{self.text(x for each in numbers for x in each)}</p>" if lists or self.chance(0.5) else ""
            body = (f"<vcount>{self.text(lengths)}</vcount>" if kind == "polylist" else "") + body
        else:
            body = "".join(f"<p>{self.text(each)}</p>" for each in numbers)
        return f'<{kind} material="none"{held}>{"".join(inputs)}{body}{self.extra()}</{kind}>'

    def polygon(self, count, length):
        """Corners in their order round the ellipse, either way, from any of them on."""
        corners = sorted(self.rng.permutation(count)[:length].tolist())
        start = self.some(0, length)
        corners = corners[start:] + corners[:start]
        return corners[:: self.pick(1, -1)]

    def extra(self):
        return self.pick("", "", "<extra><technique profile='any'><mesh><p>x</p></mesh></technique></extra>")

    def node(self, geometries, shared, depth, name=None):
        """A node with what is below it."""
        inside = "".join(self.move() for _ in range(self.some(0, 3)))
        for _ in range(self.some(0, 2)):
            inside += f'<instance_geometry url="#{self.pick(*geometries)}"><bind_material/></instance_geometry>'
        inside += self.pick("", "", '<instance_camera url="#none"/>', '<instance_light url="other.dae#x"/>')
        if shared and self.chance(0.4):
            inside += f'<instance_node url="#{self.pick(*shared)}"/>'
        if depth > 1:
            inside += "".join(self.node(geometries, shared, depth - 1) for _ in range(self.some(0, 2)))
        told = f' id="{name}"' if name else ""
        return f'<node{told} type="NODE">{inside}{self.extra()}</node>'

    def move(self):
        kind = self.pick("matrix", "translate", "rotate", "scale", "skew", "lookat", "identity")
        numbers = self.rng.normal(size=9).tolist()
        if kind == "identity":
            return self.pick(
                "<matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>", "<translate>0 0 0</translate>", "<scale>1 1 1</scale>"
            )
        if kind == "matrix":
            rows = self.rng.normal(size=12).tolist()
            return f"<matrix>{self.numbers(rows)} 0 0 0 1</matrix>"
        if kind == "rotate":
            values = [*self.pick(numbers[:3], (0, 0, 1), (2, 0, 0)), self.pick(90, -45, 360 * numbers[3], 0)]
        elif kind == "skew":
            values = [
                self.rng.uniform(-30, 30),
                *self.pick(((1, 0, 0), (0, 2, 0)), ((0, 0, 1), (1, 0.5, 0)), ((1, 1, 0), (0, 1, 0))),
            ]
            values = [values[0], *values[1], *values[2]]
        else:
            values = numbers[: 9 if kind == "lookat" else 3]
        return f'<{kind} sid="any">{self.numbers(values)}</{kind}>'


def slow_read(path):
    """The vertices and polygons of a file, all parts one after the other, as lists of tuples."""
    root = ElementTree.fromstring(path.read_bytes())
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    by_id = {element.get("id"): element for element in root.iter() if element.get("id")}
    scene = root.find("scene/instance_visual_scene")
    scenes = root.findall("library_visual_scenes/visual_scene")
    found = []
    if scene is not None or scenes:
        _show(by_id[scene.get("url", "#")[1:]] if scene is not None else scenes[0], _identity(), 1, by_id, found)
    else:
        found = [(geometry, _identity(), 1) for geometry in root.findall("library_geometries/geometry")]
    vertices, faces = [], []
    for geometry, matrix, sign in found:
        places, triangles = _polygons_in(geometry, by_id)
        if triangles:
            begin = len(vertices)
            vertices += [_placed(matrix, place) for place in places]
            turned = [(first, *reversed(rest)) for first, *rest in triangles] if sign < 0 else triangles
            faces += [tuple(begin + corner for corner in triangle) for triangle in turned]
    return vertices, faces


def _show(node, matrix, sign, by_id, found):
    """Collect the geometries below a node, with their matrices."""
    for child in node:
        if child.tag in MOVES:
            values = [float(word) for word in child.text.split()]
            move = MOVES[child.tag](values)
            matrix, sign = _product(matrix, move), sign * _determinant(move)
    for child in node.findall("instance_geometry"):
        found.append((by_id[child.get("url")[1:]], matrix, sign))
    for child in node:
        if child.tag == "node":
            _show(child, matrix, sign, by_id, found)
        elif child.tag == "instance_node":
            _show(by_id[child.get("url")[1:]], matrix, sign, by_id, found)


def _polygons_in(geometry, by_id):
    mesh = geometry.find("mesh")
    position = next(each for each in mesh.find("vertices") if each.get("semantic") == "POSITION")
    accessor = by_id[position.get("source")[1:]].find("technique_common/accessor")
    values = [float(word) for word in by_id[accessor.get("source")[1:]].text.split()]
    stride, offset = int(accessor.get("stride")), int(accessor.get("offset", "0"))
    names = [each.get("name") for each in accessor.findall("param")] or ["X", "Y", "Z"]
    if "X" in names:
        columns = [names.index(name) for name in "XYZ"]
    else:
        columns = [k for k, name in enumerate(names) if name]
    places = []
    for k in range(int(accessor.get("count"))):
        places.append(tuple(values[offset + k * stride + column] for column in columns))
    polygons = []
    for primitive in mesh:
        if primitive.tag in SURFACES:
            for polygon in _polygons_of(primitive):
                if primitive.tag in ("polygons", "polylist"):
                    polygons += [tuple(polygon)] if len(polygon) > 2 else []
                    continue
                for k in range(len(polygon) - 2):
                    if primitive.tag == "tristrips":
                        a, b, c = polygon[k : k + 3]
                        polygons.append((a, c, b) if k % 2 else (a, b, c))
                    else:
                        polygons.append((polygon[0], polygon[k + 1], polygon[k + 2]))
    return places, polygons


def _polygons_of(primitive):
    """The corners of each polygon, strip or fan."""
    inputs = primitive.findall("input")
    stride = 1 + max(int(each.get("offset")) for each in inputs)
    (offset,) = [int(each.get("offset")) for each in inputs if each.get("semantic") == "VERTEX"]
    lists = []
    for p in primitive.findall("p"):
        numbers = [int(word) for word in (p.text or "").split()]
        lists.append([numbers[k] for k in range(len(numbers)) if k % stride == offset])
    if primitive.tag not in ("triangles", "polylist"):
        return lists
    rest = list(lists[0]) if lists else []
    if primitive.tag == "triangles":
        counts = [3] * (len(rest) // 3)
    else:
        counts = [int(word) for word in (primitive.find("vcount").text or "").split()]
    polygons = []
    for count in counts:
        polygons.append(rest[:count])
        rest = rest[count:]
    assert not rest
    return polygons


def _identity():
    return [[float(i == j) for j in range(4)] for i in range(4)]


def _product(a, b):
    return [[math.fsum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def _placed(matrix, place):
    if matrix == _identity():
        return place
    return tuple(math.fsum((*(matrix[i][k] * place[k] for k in range(3)), matrix[i][3])) for i in range(3))


def _determinant(m):
    """Of whole fractions: a product of small numbers is not 0."""
    a, b, c = ([Fraction(x) for x in row[:3]] for row in m[:3])
    return _dot(a, _cross(b, c))


def _cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def _dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def _unit(a):
    size = math.sqrt(_dot(a, a))
    return [x / size for x in a]


def _by_columns(columns, place=(0.0, 0.0, 0.0)):
    """The matrix that maps the axes to three columns, and the origin to a place."""
    return [[*(column[i] for column in columns), place[i]] for i in range(3)] + [[0.0, 0.0, 0.0, 1.0]]


def _rotate(values):
    """A turn, by the quaternion of half the angle."""
    half = math.radians(values[3]) / 2
    w = math.cos(half)
    x, y, z = (each * math.sin(half) for each in _unit(values[:3]))
    return _by_columns(
        (
            (1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
            (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
            (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)),
        )
    )


def _skew(values):
    """Leaves the second axis and what is square to both alone; the first goes along the second to where the angle wants it."""
    a, b = _unit(values[1:4]), _unit(values[4:7])
    normal = _unit(_cross(a, b))
    side = _cross(b, normal)  # square to b, in the plane, on the side of -a
    side = [-x if _dot(side, a) < 0 else x for x in side]
    along, up = _dot(a, b), _dot(a, side)
    new_angle = math.atan2(up, along) - math.radians(values[0])
    moved = [up / math.tan(new_angle) * p + up * q for p, q in zip(b, side, strict=True)]
    # Written in the frame (b, a, normal): b and normal stay, a becomes `moved`.
    frame, image = _by_columns((b, a, normal)), _by_columns((b, moved, normal))
    return _product(image, _inverse(frame))


def _inverse(m):
    """Of a matrix without a translation, by cofactors."""
    rows = [row[:3] for row in m[:3]]
    size = _determinant(m)
    columns = [_cross(rows[1], rows[2]), _cross(rows[2], rows[0]), _cross(rows[0], rows[1])]
    return _by_columns([[x / size for x in column] for column in columns])


def _lookat(values):
    place, at, up = values[:3], values[3:6], values[6:9]
    forward = _unit([b - a for a, b in zip(place, at, strict=True)])
    right = _unit(_cross(forward, up))
    return _by_columns((right, _cross(right, forward), [-x for x in forward]), place)


MOVES = {
    "matrix": lambda v: [v[0:4], v[4:8], v[8:12], v[12:16]],
    "translate": lambda v: _by_columns(((1, 0, 0), (0, 1, 0), (0, 0, 1)), v),
    "scale": lambda v: _by_columns(((v[0], 0, 0), (0, v[1], 0), (0, 0, v[2]))),
    "rotate": _rotate,
    "skew": _skew,
    "lookat": _lookat,
}
