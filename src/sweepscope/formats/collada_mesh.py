"""Read the triangles of a <geometry> in a COLLADA file. Normals, colors and materials are not read."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import checks
from .collada_document import Document
from .file_reader import FileReader
from .polygons import fans, polygons, strips
from .xml import Element

BYTES = 24
"""What a vertex or a face takes [bytes]."""
_ONE = ("triangles", "polylist")  # all their indices are in one <p>
_SURFACES = (*_ONE, "polygons", "tristrips", "trifans")
_LINES = ("lines", "linestrips")
_OTHER = ("brep", "convex_mesh", "spline")


class Surface(NamedTuple):
    """Triangles of a <geometry>, in its own frame."""

    vertices: NDArray[np.float64]
    """Shape (n, 3)."""
    faces: NDArray[np.int64]
    """Shape (m, 3)."""
    left_out: Counter[str]
    """What is not a surface."""

    @property
    def size(self) -> int:
        """What it takes [bytes]."""
        return BYTES * (len(self.vertices) + len(self.faces))


class MeshReader:
    """Reads the geometries of a file, each array of numbers once."""

    def __init__(self, document: Document, reader: FileReader) -> None:
        self._document = document
        self._door = reader
        self._arrays: dict[Element, NDArray[np.float64]] = {}

    def surface(self, geometry: Element) -> Surface:
        """Return the triangles of a <geometry>."""
        mesh = self._document.only(geometry, "mesh")
        if mesh is None:
            other = next((f"a <{child.tag}>" for child in geometry if child.tag in _OTHER), "no <mesh>")
            raise self._document.fault(geometry, f"holds {other}; accepted: a <mesh>; export it as triangles")
        left_out = Counter("sets of lines" for child in mesh if child.tag in _LINES)
        surfaces = [child for child in mesh if child.tag in _SURFACES]
        if not surfaces:
            return Surface(np.empty((0, 3)), np.empty((0, 3), np.int64), left_out)
        vertices = self._positions(mesh)
        faces = [self._triangles(each, mesh, vertices, left_out) for each in surfaces]
        return Surface(vertices, faces[0] if len(faces) == 1 else np.concatenate(faces), left_out)

    def _positions(self, mesh: Element) -> NDArray[np.float64]:
        """Return the positions of a mesh's <vertices>, shape (n, 3)."""
        document = self._document
        vertices = document.only(mesh, "vertices")
        if vertices is None:
            raise document.fault(mesh, "has no <vertices>, which the COLLADA standard requires")
        inputs = [each for each in vertices.findall("input") if each.get("semantic") == "POSITION"]
        if len(inputs) != 1:
            raise document.fault(vertices, f"has {len(inputs)} inputs of POSITION; accepted: one")
        source = document.target(inputs[0], "source", "source", mesh)
        technique = document.only(source, "technique_common")
        accessor = None if technique is None else document.only(technique, "accessor")
        if accessor is None:
            raise document.fault(source, "has no <accessor> in a <technique_common>, which the COLLADA standard requires")
        positions = self._accessed(accessor, source)
        # "not <=" is also true of NaN, which a maximum keeps.
        if positions.size and not np.abs(positions).max() <= checks.LARGEST:
            row = int(np.argwhere(~(np.abs(positions) <= checks.LARGEST))[0, 0])
            place = " ".join(f"{x:g}" for x in positions[row])
            raise document.fault(
                source, f"position {row} is {place}; coordinates must be finite and at most {checks.LARGEST:g} in size"
            )
        return positions

    def _accessed(self, accessor: Element, source: Element) -> NDArray[np.float64]:
        """Return the positions that an <accessor> picks from an array, shape (n, 3)."""
        document = self._document
        values = self._array(document.target(accessor, "source", "float_array", source))
        count = document.whole(accessor, "count")
        offset, stride = document.whole(accessor, "offset", 0), document.whole(accessor, "stride", 1)
        columns = self._columns(accessor, stride)
        if count == 0:
            return np.empty((0, 3))
        last = offset + stride * (count - 1)
        if last + max(columns) >= len(values):
            raise document.fault(
                accessor,
                f"count {count}, offset {offset} and stride {stride} need {last + max(columns) + 1} numbers; "
                f"the <float_array> holds {len(values)}",
            )
        self._door.unfold(BYTES * count, str(document.file))
        return np.stack([values[offset + column : last + column + 1 : stride] for column in columns], axis=1)

    def _columns(self, accessor: Element, stride: int) -> tuple[int, int, int]:
        """Return where x, y and z lie among the `stride` numbers of a position. Params without a name are skipped."""
        params = accessor.findall("param")
        if not params and stride == 3:  # some exporters leave them out
            return 0, 1, 2
        if len(params) > stride:
            raise self._document.fault(accessor, f"has {len(params)} <param>; its stride is {stride}")
        names = [param.get("name", "") for param in params]
        if all(names.count(axis) == 1 for axis in "XYZ"):
            return names.index("X"), names.index("Y"), names.index("Z")
        places = [k for k, name in enumerate(names) if name]
        if len(places) != 3 or len(set(names) - {""}) < 3:
            called = checks.listed(filter(None, names))
            raise self._document.fault(accessor, f"its <param> are called {called}; accepted: X, Y, Z")
        return places[0], places[1], places[2]

    def _array(self, array: Element) -> NDArray[np.float64]:
        if array not in self._arrays:
            values = self._document.floats(array)
            self._document.check_count(array, len(values), "numbers")
            self._arrays[array] = values
        return self._arrays[array]

    def _triangles(
        self, primitive: Element, mesh: Element, vertices: NDArray[np.float64], left_out: Counter[str]
    ) -> NDArray[np.int64]:
        """Return the triangles of an element such as <polylist>, shape (m, 3)."""
        document = self._document
        corners, counts = self._corners(primitive, mesh)
        if len(corners):
            low, high = int(corners.min()), int(corners.max())
            if low < 0 or high >= len(vertices):
                raise document.fault(
                    primitive, f"index {low if low < 0 else high} in <p>; accepted: 0 to {len(vertices) - 1}, its positions"
                )
        if primitive.tag == "triangles":
            if len(corners) % 3:
                raise document.fault(
                    primitive, f"<p> has {checks.amount(len(corners), 'corner')}, which is not a multiple of 3"
                )
            document.check_count(primitive, len(corners) // 3, "triangles")
            self._door.unfold(BYTES * (len(corners) // 3), str(document.file))
            return corners.reshape(-1, 3)
        document.check_count(primitive, len(counts), primitive.tag if primitive.tag != "polylist" else "polygons")
        whole = counts >= 3
        if not whole.all():
            left_out[f"{primitive.tag} of fewer than 3 corners"] += int((~whole).sum())
            corners, counts = corners[np.repeat(whole, counts)], counts[whole]
        self._door.unfold(BYTES * int((counts - 2).sum()), str(document.file))
        if primitive.tag == "tristrips":
            return strips(corners, counts)
        if primitive.tag == "trifans":
            return fans(corners, counts)
        try:
            return polygons(corners, counts, vertices)
        except ValueError as error:
            raise document.fault(primitive, str(error)) from None

    def _corners(self, primitive: Element, mesh: Element) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the indices of positions, and the number of corners of each polygon; of <triangles> all in one."""
        document = self._document
        if primitive.find("ph") is not None:
            raise document.fault(primitive, "holds a <ph>, a polygon with holes; export it as triangles")
        offset, stride = self._layout(primitive, mesh)
        lists = primitive.findall("p")
        if primitive.tag in _ONE and len(lists) > 1:
            raise document.fault(primitive, f"has {len(lists)} <p>; accepted: one")
        indices = [document.wholes(each) for each in lists]
        for each, numbers in zip(lists, indices, strict=True):
            if len(numbers) % stride:
                raise document.fault(
                    each, f"holds {checks.amount(len(numbers), 'number')}, which is not a multiple of {stride}, one per offset"
                )
        corners = np.concatenate([np.empty(0, np.int64), *(each[offset::stride] for each in indices)])
        if primitive.tag == "polylist":
            return corners, self._counts(primitive, len(corners))
        return corners, np.array([len(each) // stride for each in indices], np.int64)

    def _layout(self, primitive: Element, mesh: Element) -> tuple[int, int]:
        """Return where the index of a position lies among those of a corner, and how many those are."""
        document = self._document
        inputs = primitive.findall("input")
        of_positions = [each for each in inputs if each.get("semantic") == "VERTEX"]
        if len(of_positions) != 1 or any(each.get("semantic") == "POSITION" for each in inputs):
            given = checks.listed(each.get("semantic", "none") for each in inputs)
            raise document.fault(
                primitive, f"its inputs are {given}; accepted: one VERTEX, which names the <vertices>, and others"
            )
        document.target(of_positions[0], "source", "vertices", mesh)
        offsets = [document.whole(each, "offset") for each in inputs]
        return document.whole(of_positions[0], "offset"), max(offsets) + 1

    def _counts(self, polylist: Element, corners: int) -> NDArray[np.int64]:
        """Return the numbers of corners of a <polylist>, held against the corners that are there."""
        document = self._document
        element = document.only(polylist, "vcount")
        counts = np.empty(0, np.int64) if element is None else document.wholes(element)
        # Each for itself first: the sum of large ones would overflow.
        bad = np.flatnonzero((counts < 0) | (counts > corners))
        if len(bad):
            raise document.fault(
                polylist, f"number {bad[0]} of <vcount> is {counts[bad[0]]}; accepted: 0 to {corners}, the corners in <p>"
            )
        if counts.sum() != corners:
            raise document.fault(polylist, f"<vcount> asks for {counts.sum()} corners; <p> has {corners}")
        return counts
