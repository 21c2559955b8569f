"""COLLADA files: the triangles that a slow reader of our own finds, and a clear message for every fault."""

import re

import numpy as np
import pytest
from sweepscope_lab.reference.files.dae import random_file

from sweepscope.errors import InvalidGeometry
from sweepscope.formats.collada import read_collada
from sweepscope.formats.file_reader import FileReader, Limits

SOURCE = """<source id="s"><float_array id="a" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common>
<accessor source="#a" count="4" stride="3"><param name="X"/><param name="Y"/><param name="Z"/></accessor></technique_common></source>"""
VERTICES = '<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>'
INPUT = '<input semantic="VERTEX" source="#v" offset="0"/>'
FACES = f'<triangles count="2">{INPUT}<p>0 1 2 1 3 2</p></triangles>'
SCENE = '<library_visual_scenes><visual_scene id="scene"><node><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>'
SHOWN = '<scene><instance_visual_scene url="#scene"/></scene>'


def mesh(faces=FACES, source=SOURCE, vertices=VERTICES):
    return f'<library_geometries><geometry id="g"><mesh>{source}{vertices}{faces}</mesh></geometry></library_geometries>'


def file(body=None, asset="", scene=SCENE + SHOWN):
    return f'<?xml version="1.0"?>\n<COLLADA version="1.4.1"><asset>{asset}</asset>{mesh() if body is None else body}{scene}</COLLADA>'


def nodes(inside):
    return SCENE.replace('<node><instance_geometry url="#g"/></node>', inside) + SHOWN


def read(folder, text, limits=None):
    path = folder / "a.dae"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    reader = FileReader(limits)
    return read_collada(reader, *reader.read(path, (".dae",), "mesh"))


def test_unit_axis_and_names(tmp_path):
    """They are told, not applied; positions are those of the file, to the bit."""
    plain = read(tmp_path, file())
    assert (plain.unit, plain.up, plain.left_out) == (1.0, "Y", [])
    (part,) = read(tmp_path, file(asset="<unit meter='0.01'/><up_axis>Z_UP</up_axis>")).parts
    assert part.vertices.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert part.faces.tolist() == [[0, 1, 2], [1, 3, 2]]
    assert (part.vertices.dtype, part.faces.dtype, part.name) == (np.float64, np.int64, "g")
    scaled = read(
        tmp_path,
        file(
            asset="<unit meter='0.01'/><up_axis>Z_UP</up_axis>",
            scene=nodes('<node name="n" id="i"><instance_geometry url="#g"/></node>'),
        ),
    )
    assert (scaled.unit, scaled.up, scaled.parts[0].name) == (0.01, "Z", "n")


def test_left_out(tmp_path):
    """Lines, polygons that are none, and what the scene does not show. Cameras and lights need no word."""
    faces = (
        f'<lines count="1">{INPUT}<p>0 1</p></lines><polylist count="2">{INPUT}<vcount>3 2</vcount><p>0 1 2 0 1</p></polylist>'
    )
    other = mesh().replace('"g"', '"hidden"').removeprefix("<library_geometries>").removesuffix("</library_geometries>")
    body = mesh(faces).replace("</library_geometries>", other + "</library_geometries>")
    shown = '<node><instance_camera url="#c"/><instance_light url="#l"/><instance_geometry url="#g"/></node>'
    content = read(tmp_path, file(body, scene=nodes(shown)))
    assert content.left_out == [
        "1 sets of lines",
        "1 polylist of fewer than 3 corners",
        "1 geometries that the scene does not show",
    ]
    assert [len(part.faces) for part in content.parts] == [1]


def test_files_without_a_scene(tmp_path):
    """Every geometry once, if nothing is said of any scene; the only scene, if it is not chosen."""
    assert len(read(tmp_path, file(scene="")).parts) == 1
    assert len(read(tmp_path, file(scene=SCENE)).parts) == 1
    assert len(read(tmp_path, file(scene="<scene/>")).parts) == 1
    assert read(tmp_path, file(scene=nodes(""))).parts == []
    two = SCENE.replace("</visual_scene>", '</visual_scene><visual_scene id="other"/>')
    with pytest.raises(InvalidGeometry, match=r"has 2 <visual_scene>, and no <scene> that says which one to show"):
        read(tmp_path, file(scene=two))


def test_mirrors_turn_faces_round(tmp_path):
    for scale, order in (("1 1 -1", [0, 2, 1]), ("-1e-200 -1e-200 -1e-200", [0, 2, 1]), ("-1 1 -1", [0, 1, 2])):
        (part,) = read(tmp_path, file(scene=nodes(f'<node><scale>{scale}</scale><instance_geometry url="#g"/></node>'))).parts
        assert part.faces[0].tolist() == order
        assert part.vertices[3].tolist() == [0.0, 0.0, float(scale.split()[2])]


ACCESSOR = '<accessor source="#a" count="4" stride="3">'
FAULTS = {
    "another root": ("<sdf/>", "line 1: <sdf>: is not COLLADA; expected a <COLLADA>"),
    "old": (file().replace("1.4.1", "1.3.0"), "its version is '1.3.0'; accepted: 1.4 and 1.5"),
    "not closed": (file()[:-3], "not well-formed XML"),
    "unit 0": (file(asset='<unit meter="0"/>'), "line 2: <unit>: its unit is '0' meters; it must be finite and above 0"),
    "unit endless": (file(asset='<unit meter="1e999"/>'), "its unit is '1e999' meters"),
    "unit word": (file(asset='<unit meter="inch"/>'), "meter is 'inch'; accepted: a number of meters"),
    "two units": (file(asset='<unit meter="1 2"/>'), "meter is '1 2'; accepted: a number of meters"),
    "axis": (file(asset="<up_axis>UP</up_axis>"), "<up_axis>: is 'UP'; accepted: X_UP, Y_UP, Z_UP"),
    "no mesh": (file(mesh().replace("mesh>", "match>")), "<geometry id='g'>: holds no <mesh>; accepted: a <mesh>; export it as triangles"),
    "spline": (file(mesh().replace("mesh>", "spline>")), "holds a <spline>; accepted: a <mesh>"),
    "brep": (file(mesh().replace("mesh>", "brep>")), "holds a <brep>; accepted: a <mesh>"),
    "hull": (file(mesh().replace("mesh>", "convex_mesh>")), "holds a <convex_mesh>"),
    "no vertices": (file(mesh(vertices="")), "<mesh>: has no <vertices>, which the COLLADA standard requires"),
    "no position": (file(mesh(vertices='<vertices id="v"/>')), "<vertices id='v'>: has 0 inputs of POSITION; accepted: one"),
    "two vertices": (file(mesh(vertices=VERTICES * 2)), "has 2 <vertices>; accepted: one"),
    "source elsewhere": (file(mesh(vertices=VERTICES.replace("#s", "b.dae#s"))), "source is 'b.dae#s'; accepted: #ID of a <source> in the same file"),
    "no such source": (file(mesh(vertices=VERTICES.replace("#s", "#z"))), "source is '#z', but no <source> has this id"),
    "two sources": (file(mesh(source=SOURCE + SOURCE)), "source is '#s', the id of 2 <source>, on lines 2, 3"),
    "no accessor": (file(mesh(source=SOURCE.replace("accessor", "access"))), "<source id='s'>: has no <accessor>"),
    "no array": (file(mesh(source=SOURCE.replace('id="a"', 'id="b"'))), "source is '#a', but no <float_array> has this id"),
    "array of words": (file(mesh(source=SOURCE.replace("0 0 0 1", "0 zero 0 1", 1))), "<float_array id='a'>: expected numbers with white space between: "),
    "array count": (file(mesh(source=SOURCE.replace('"12"', '"13"'))), "line 2: <float_array id='a'>: its count is 13, but it holds 12 numbers"),
    "array count word": (file(mesh(source=SOURCE.replace('"12"', '"x"'))), "count is 'x'; accepted: whole numbers from 0"),
    "no count": (file(mesh(source=SOURCE.replace('count="4" ', ""))), "<accessor>: has no count, which the COLLADA standard requires"),
    "count": (file(mesh(source=SOURCE.replace('"4"', '"5"'))), "count 5, offset 0 and stride 3 need 15 numbers; the <float_array> holds 12"),
    "count of a lot": (file(mesh(source=SOURCE.replace('"4"', '"999999999999"'))), "count 999999999999, offset 0 and stride 3 need 2999999999997"),
    "count negative": (file(mesh(source=SOURCE.replace('"4"', '"-4"'))), "count is '-4'; accepted: whole numbers from 0"),
    "offset": (file(mesh(source=SOURCE.replace('"4"', '"4" offset="1"'))), "count 4, offset 1 and stride 3 need 13 numbers"),
    "stride": (file(mesh(source=SOURCE.replace('"3"', '"2"'))), "has 3 <param>; its stride is 2"),
    "two axes": (file(mesh(source=SOURCE.replace('name="Z"', ""))), "its <param> are called 'X', 'Y'; accepted: X, Y, Z"),
    "no params": (file(mesh(source=re.sub("<param.*?/>", "", SOURCE).replace('"3"', '"1"'))), "its <param> are called none; accepted: X, Y, Z"),
    "nan": (file(mesh(source=SOURCE.replace("0 0 0 1", "0 0 0 nan", 1))), "nan"),
    "inf": (file(mesh(source=SOURCE.replace("0 1</f", "0 1e999</f", 1))), "<source id='s'>: position 3 is 0 0 inf; coordinates must be finite and at most 1e+50 in size"),
    "index": (file(mesh(FACES.replace("3", "4"))), "<triangles>: index 4 in <p>; accepted: 0 to 3, its positions"),
    "index below 0": (file(mesh(FACES.replace("3", "-1"))), "index -1 in <p>; accepted: 0 to 3"),
    "index of a lot": (file(mesh(FACES.replace("3", "9" * 30))), "<p>: expected whole numbers with white space between"),
    "index broken": (file(mesh(FACES.replace("3", "3.5"))), "<p>: expected whole numbers with white space between"),
    "not triangles": (file(mesh(FACES.replace("3 ", ""))), "<triangles>: <p> has 5 corners, which is not a multiple of 3"),
    "other count": (file(mesh(FACES.replace('"2"', '"7"'))), "<triangles>: its count is 7, but it holds 2 triangles"),
    "two lists": (file(mesh(FACES.replace("</p>", "</p><p/>"))), "has 2 <p>; accepted: one"),
    "position": (file(mesh(FACES.replace("VERTEX", "POSITION").replace("#v", "#s"))), "its inputs are 'POSITION'; accepted: one VERTEX, which names the <vertices>"),
    "position too": (file(mesh(FACES.replace("<p>", '<input semantic="POSITION" source="#s" offset="0"/><p>'))), "its inputs are 'VERTEX', 'POSITION'"),
    "no input": (file(mesh(FACES.replace(INPUT, ""))), "its inputs are none; accepted: one VERTEX"),
    "vertex of a source": (file(mesh(FACES.replace("#v", "#s"))), "source is '#s', but no <vertices> has this id"),
    "no offset": (file(mesh(FACES.replace(' offset="0"', ""))), "<input>: has no offset, which the COLLADA standard requires"),
    "far offset": (file(mesh(FACES.replace('offset="0"', 'offset="999999999999999"'))), "holds 6 numbers, which is not a multiple of 1000000000000000"),
    "holes": (file(mesh(f'<polygons count="1">{INPUT}<ph><p>0 1 2</p><h>0 1 2</h></ph></polygons>')), "<polygons>: holds a <ph>, a polygon with holes; export it as triangles"),
    "polygons": (file(mesh(f'<polygons count="2">{INPUT}<p>0 1 2</p></polygons>')), "<polygons>: its count is 2, but it holds 1 polygons"),
    "strips": (file(mesh(f'<tristrips count="2">{INPUT}<p>0 1 2</p></tristrips>')), "its count is 2, but it holds 1 tristrips"),
    "fan index": (file(mesh(f'<trifans count="1">{INPUT}<p>0 1 9</p></trifans>')), "<trifans>: index 9 in <p>"),
    "vcount": (file(mesh(f'<polylist count="1">{INPUT}<vcount>3</vcount><p>0 1 2 3</p></polylist>')), "<polylist>: <vcount> asks for 3 corners; <p> has 4"),
    "two of one name": (file(mesh(source=SOURCE.replace('<param name="Y"/>', '<param name="Z"/>'))), "its <param> are called 'X', 'Z', 'Z'; accepted: X, Y, Z"),
    "vcount of a lot": (file(mesh(f'<polylist count="1">{INPUT}<vcount>999999999</vcount><p>0 1 2</p></polylist>')), "number 0 of <vcount> is 999999999; accepted: 0 to 3, the corners in <p>"),
    "vcount wraps": (file(mesh(f'<polylist>{INPUT}<vcount>{2**52} {2**52} {2**52} {2**52} 3</vcount><p>0 1 2</p></polylist>')), "number 0 of <vcount> is 4503599627370496"),
    "vcount negative": (file(mesh(f'<polylist>{INPUT}<vcount>4 -1</vcount><p>0 1 2</p></polylist>')), "number 0 of <vcount> is 4"),
    "polylist count": (file(mesh(f'<polylist count="5">{INPUT}<vcount>3</vcount><p>0 1 2</p></polylist>')), "its count is 5, but it holds 1 polygons"),
    "no vcount": (file(mesh(f'<polylist count="1">{INPUT}<p>0 1 2</p></polylist>')), "<vcount> asks for 0 corners; <p> has 3"),
    "no such scene": (file(scene=SHOWN), "<instance_visual_scene>: url is '#scene', but no <visual_scene> has this id"),
    "no url": (file(scene=SCENE + "<scene><instance_visual_scene/></scene>"), "has no url"),
    "scene elsewhere": (file(scene=SCENE + SHOWN.replace("#", "b.dae#")), "url is 'b.dae#scene'; accepted: #ID of a <visual_scene> in the same file"),
    "no such geometry": (file(scene=nodes('<node><instance_geometry url="#z"/></node>')), "url is '#z', but no <geometry> has this id"),
    "geometry elsewhere": (file(scene=nodes('<node><instance_geometry url="http://a/b.dae#g"/></node>')), "accepted: #ID of a <geometry> in the same file"),
    "twins": (file(mesh() + mesh()), "url is '#g', the id of 2 <geometry>, on lines 2, 3"),
    "skin": (file(scene=nodes('<node><instance_controller url="#c"/></node>')), "<instance_controller>: bends a mesh by a skin or by morphing, which is not supported"),
    "no such node": (file(scene=nodes('<node><instance_node url="#z"/></node>')), "url is '#z', but no <node> has this id"),
    "circle of one": (file(scene=nodes('<node id="n"><instance_node url="#n"/></node>')), "<node id='n'>: shows itself, by <instance_node>, in a circle"),
    "circle": (file(scene=nodes('<node id="n"><node><instance_node url="#m"/></node></node><node id="m"><instance_node url="#n"/></node>')), "shows itself, by <instance_node>, in a circle"),
    "matrix of 12": (file(scene=nodes("<node><matrix>1 0 0 0 0 1 0 0 0 0 1 0</matrix></node>")), "<matrix>: holds 12 numbers; accepted: 16"),
    "matrix of words": (file(scene=nodes("<node><matrix>one</matrix></node>")), "<matrix>: expected numbers"),
    "projection": (file(scene=nodes("<node><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 1</matrix></node>")), "<matrix>: its last row is 0 0 1 1; accepted: 0 0 0 1"),
    "translated away": (file(scene=nodes("<node><translate>0 1e999 0</translate></node>")), "<translate>: numbers must be finite and at most 1e+50 in size"),
    "turned about nothing": (file(scene=nodes("<node><rotate>0 0 0 90</rotate></node>")), "turns by 90 degrees about the axis 0 0 0; give it a direction"),
    "skewed too far": (file(scene=nodes("<node><skew>90 1 0 0 0 1 0</skew></node>")), "skews by 90 degrees; accepted: more than -90 and less than 90"),
    "skewed along itself": (file(scene=nodes("<node><skew>10 1 0 0 2 0 0</skew></node>")), "axes with an angle between"),
    "looks at itself": (file(scene=nodes("<node><lookat>1 2 3 1 2 3 0 0 1</lookat></node>")), "<lookat>: looks at its own place"),
    "scaled away": (file(scene=nodes("<node><scale>1e50 1 1</scale>" * 8 + '<node><instance_geometry url="#g"/></node>' + "</node>" * 8)), "<instance_geometry>: its node moves it to positions that are not finite"),
}  # fmt: skip


@pytest.mark.parametrize("case", FAULTS)
def test_faults(tmp_path, case):
    text, message = FAULTS[case]
    with pytest.raises(InvalidGeometry, match=re.escape(message)) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'a.dae'}: ")


def doubling(levels):
    """Nodes that each show the one before twice."""
    text = '<node id="n0"><instance_geometry url="#g"/></node>'
    for k in range(1, levels + 1):
        text += f'<node id="n{k}">' + f'<instance_node url="#n{k - 1}"/>' * 2 + "</node>"
    library = f"<library_nodes>{text}</library_nodes>"
    return file(scene=library + nodes(f'<node><instance_node url="#n{levels}"/></node>'))


def test_what_unfolds_is_counted_first(tmp_path):
    content = read(tmp_path, doubling(5))
    assert len(content.parts) == 32
    with pytest.raises(
        InvalidGeometry,
        match=r"<node id='n[0-9]+'>: unfolds to [0-9]+ nodes and instances; accepted: up to 200000; to allow it: limits=",
    ):
        read(tmp_path, doubling(50))
    with pytest.raises(InvalidGeometry, match=r"nodes are nested 65 deep; accepted: up to 64"):
        read(tmp_path, doubling(70), Limits(max_elements=10**30))
    long = "".join(f'<node id="n{k}"><instance_node url="#n{k + 1}"/></node>' for k in range(20_000))
    library = f'<library_nodes>{long}<node id="n20000"/></library_nodes>'
    with pytest.raises(InvalidGeometry, match=r"nodes are nested 65 deep"):
        read(tmp_path, file(scene=library + nodes('<node><instance_node url="#n0"/></node>')))
    with pytest.raises(
        InvalidGeometry,
        match=r"would decode to 147,456 bytes; accepted: up to [\d,]+; to allow it: limits=Limits\(max_decoded_bytes=147456\)",
    ):
        read(tmp_path, doubling(10), Limits(max_decoded_bytes=1000))
    assert len(read(tmp_path, doubling(10), Limits(max_decoded_bytes=147456)).parts) == 1024


def test_arrays_that_many_geometries_share_are_counted(tmp_path):
    numbers = "0 " * 30_000
    array = f'<source id="all"><float_array id="a" count="30000">{numbers}</float_array></source>'
    one = SOURCE.replace(SOURCE[SOURCE.index("<float") : SOURCE.index("<technique")], "").replace('"4"', '"10000"')
    inside = "".join(
        f'<geometry id="g{k}"><mesh>{array if k == 0 else ""}{one}{VERTICES}{FACES}</mesh></geometry>' for k in range(60)
    )
    text = file(f"<library_geometries>{inside}</library_geometries>", scene="")
    with pytest.raises(InvalidGeometry, match="would decode to"):
        read(tmp_path, text, Limits(max_decoded_bytes=1000))
    assert len(read(tmp_path, text).parts) == 60


WORDS = [
    "",
    "nan",
    "-1",
    "0",
    "#",
    "#v",
    "#s",
    "1e400",
    "999999999",
    "<p>",
    "</node>",
    "<node>",
    "&",
    "<!DOCTYPE",
    "\0",
    "\u00fc",
    "x",
    "inf",
    "  ",
]


@pytest.mark.slow
def test_any_damage(tmp_path, rng):
    """Cut, doubled, swapped or overwritten anywhere: a result, or our error; both happen."""
    read_well, refused = 0, []
    for k in range(1500):
        if k % 5 == 0:
            whole = random_file(rng, tmp_path).read_bytes().decode("latin-1")
        text = whole
        for _ in range(rng.integers(1, 4)):
            spans = [found.span() for found in re.finditer(r'(?<=")[^"<>]*(?=")|(?<=>)[^<]+|\b\d+\b', text)]
            if rng.random() < 0.6 and spans:
                begin, end = spans[rng.integers(len(spans))]
                other = spans[rng.integers(len(spans))]
                new = text[slice(*other)] if rng.random() < 0.5 else str(rng.choice(WORDS))
            else:
                begin = int(rng.integers(len(text)))
                end = begin + int(rng.integers(0, 40))
                new = str(rng.choice(WORDS)) if rng.random() < 0.5 else text[begin:end] * 2
            text = text[:begin] + new + text[end:]
        try:
            content = read(tmp_path, text.encode("latin-1"))
            vertices, faces = content.merged()
            assert np.isfinite(vertices).all()
            assert faces.size == 0 or 0 <= faces.min() <= faces.max() < len(vertices)
            read_well += 1
        except InvalidGeometry as error:
            refused.append(str(error))
    assert all(text.startswith(str(tmp_path / "a.dae")) for text in refused)
    assert read_well >= 100
    assert len({re.sub(r".*line \d+: |\d+", "", text)[:40] for text in refused}) >= 30
