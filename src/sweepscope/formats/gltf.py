"""Read triangles of glTF 2.0, .gltf and .glb: https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html.

Triangles of the scene that a viewer would show, at their places, one part per node and instance. On purpose:

* Primitives of a mesh that name the same positions share them. Positions of which there are more than faces have corners are
  cut down to those that faces use: a file may hold one list of vertices for thousands of meshes.
* A triangle of a strip that names a vertex twice only leads from one piece of the strip to the next. It is left out: it would
  be a segment that things collide with.
* What would change the surface and is not understood raises: compressed data, skins, unknown extensions that the file requires.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry
from .affine import IDENTITY
from .content import Content, FilePart, Geometry
from .file_reader import FileReader
from .glb import unpacked
from .gltf_data import GltfNumbers
from .gltf_scene import GltfScene
from .json_tree import Item, JsonTree
from .polygons import fans, strips

_HARMLESS = (  # beginnings of the names of extensions that leave triangles as they are
    *("KHR_materials_", "KHR_texture_", "KHR_lights_", "KHR_xmp", "KHR_animation_pointer", "KHR_node_selectability"),
    *("KHR_node_hoverability", "EXT_texture_", "EXT_lights_", "EXT_mesh_features", "EXT_instance_features"),
    *("EXT_structural_metadata", "MSFT_texture_", "MSFT_packing_", "ADOBE_materials_", "NV_materials_"),
)
_KNOWN = ("KHR_mesh_quantization", "KHR_node_visibility", "EXT_mesh_gpu_instancing")
_DRACO = "KHR_draco_mesh_compression"
_VERSION = re.compile(r"2\.[0-9]{1,9}")
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_OTHERS = {0: "points", 1: "lines", 2: "lines", 3: "lines"}
_ROW = 24  # a vertex or a face in memory [bytes]


@dataclass(frozen=True, slots=True)
class _Primitive:
    """A list, a strip or a fan of triangles."""

    where: str
    mode: int
    positions: int
    indices: int | None
    """Accessor of the corners; None if the positions are the corners."""
    targets: tuple[int | None, ...]
    """Accessors of the displacements of the morph targets; None for one that moves nothing."""
    vertices: int
    faces: int


@dataclass(slots=True)
class _Cluster:
    """Primitives of a mesh that share their vertices, and the weighted displacements of these."""

    moves: list[tuple[float, int]]
    primitives: list[_Primitive] = field(default_factory=list)

    @property
    def cut(self) -> bool:
        """True if there are certainly vertices that no face uses."""
        return self.primitives[0].vertices > 3 * self._faces

    @property
    def size(self) -> int:
        """What it takes in memory [bytes]; displacements count, as reading them takes time."""
        vertices = min(self.primitives[0].vertices, 3 * self._faces)
        return _ROW * (vertices * (1 + len(self.moves)) + self._faces)

    @property
    def _faces(self) -> int:
        return sum(each.faces for each in self.primitives)


_Shape = tuple[NDArray[np.float64], NDArray[np.int64]]


def read_gltf(reader: FileReader, file: Path, content: bytes) -> Content:
    """Return the triangles of a file's scene. Vertices are in meters, Y is up."""
    try:
        return _Reader(reader, file, content).read()
    except MemoryError:
        raise InvalidGeometry(f"{file}: does not fit into memory") from None


class _Reader:
    def __init__(self, reader: FileReader, file: Path, content: bytes) -> None:
        binary = None
        if content.startswith(b"glTF") or file.suffix.lower() == ".glb":
            try:
                content, binary = unpacked(content)
            except ValueError as error:
                raise InvalidGeometry(f"{file}: {error}") from None
        self._door = reader
        self._file = file
        self._tree = JsonTree(reader, file, content)
        _check_version(self._tree.root)
        _check_extensions(self._tree.root)
        self._numbers = GltfNumbers(reader, self._tree, binary)
        self._primitives: dict[int, list[_Primitive]] = {}
        self._left_out: Counter[tuple[str, str]] = Counter()

    def read(self) -> Content:
        """Return all parts, and what is left out."""
        scene = GltfScene(self._door, self._tree, self._numbers)
        parts = self._parts(scene)
        self._left_out["mesh that the scene does not show", "meshes that the scene does not show"] = scene.unused
        self._left_out["hidden mesh", "hidden meshes"] = scene.hidden
        self._left_out["animation", "animations"] = self._tree.size("animations")
        left_out = [f"{n} {one if n == 1 else many}" for (one, many), n in self._left_out.items() if n]
        if not parts:
            there = f"; left out: {', '.join(left_out)}" if left_out else ""
            raise InvalidGeometry(f"{self._file}: holds no triangles in its scene{there}")
        return Content(parts, left_out, unit=1.0, up="Y")

    def _surfaces(self, mesh: int) -> Iterator[_Primitive]:
        """Yield the primitives of a mesh that have triangles."""
        holder = self._tree.at("meshes", mesh)
        if not holder.has("primitives"):
            raise holder.fault("has no primitives")
        for item in holder.children("primitives"):
            mode = item.whole("mode", _TRIANGLES)
            if mode > _FAN:
                raise item.fault(f"mode is {mode}; accepted: 0 to 6")
            attributes = item.child("attributes")
            if attributes is None:
                raise item.fault("has no attributes")
            positions = attributes.index("POSITION", "accessors")
            if mode in _OTHERS:
                self._left_out[f"primitive of {_OTHERS[mode]}", f"primitives of {_OTHERS[mode]}"] += 1
            elif positions is None:
                self._left_out["primitive without positions", "primitives without positions"] += 1
            else:
                primitive = self._primitive(item, mode, positions)
                if primitive.faces:
                    yield primitive

    def _primitive(self, item: Item, mode: int, positions: int) -> _Primitive:
        indices = item.index("indices", "accessors")
        targets = tuple(target.index("POSITION", "accessors") for target in item.children("targets"))
        extensions = item.child("extensions")
        if extensions is not None and extensions.has(_DRACO):
            needed = [positions] if indices is None else [positions, indices]
            if not all(self._numbers.has_data(index, item.where) for index in needed):
                raise item.fault(f"is compressed by {_DRACO} and has no other data; export it without")
        vertices = self._numbers.count(positions, item.where)
        corners = vertices if indices is None else self._numbers.count(indices, item.where)
        if mode == _TRIANGLES and corners % 3:
            raise item.fault(f"has {corners} corners; triangles need three each")
        if mode != _TRIANGLES and corners < 3:
            raise item.fault(f"has {corners} corners; a strip or a fan needs at least 3")
        faces = corners // 3 if mode == _TRIANGLES else corners - 2
        return _Primitive(item.where, mode, positions, indices, targets, vertices, faces)

    def _parts(self, scene: GltfScene) -> list[FilePart]:
        """Return the parts that have faces. Each form of a mesh is read once."""
        uses = Counter(each.form for each in scene.placed)
        clusters = {}
        for form, count in uses.items():
            mesh, weights = scene.forms[form]
            clusters[form] = self._clusters(mesh, weights)
            size = sum(each.size for each in clusters[form])
            self._door.unfold(size * (count + (count > 1)), f"{self._file}: meshes[{mesh}], shown {count:,} x,")
        shapes: dict[int, Geometry] = {}
        parts = []
        for each in scene.placed:
            if each.form not in shapes:
                shapes[each.form] = Geometry(*_joined([self._shape(cluster) for cluster in clusters[each.form]]))
            part = FilePart(each.name, shapes[each.form], each.transform)
            if each.transform.rows != IDENTITY.rows and not part.finite:
                raise InvalidGeometry(f"{self._file}: {each.where}: its transform takes vertices beyond finite numbers")
            if len(part.geometry.faces):
                parts.append(part)
        return parts

    def _clusters(self, mesh: int, weights: tuple[float, ...]) -> list[_Cluster]:
        if mesh not in self._primitives:
            self._primitives[mesh] = list(self._surfaces(mesh))
        clusters: dict[tuple[int, tuple[int | None, ...]], _Cluster] = {}
        for each in self._primitives[mesh]:
            if weights and len(weights) != len(each.targets):
                raise InvalidGeometry(f"{self._file}: {each.where}: has {len(each.targets)} targets for {len(weights)} weights")
            key = each.positions, each.targets if weights else ()
            if key not in clusters:
                moves = [(w, target) for w, target in zip(weights, each.targets, strict=False) if w and target is not None]
                clusters[key] = _Cluster(moves)
            clusters[key].primitives.append(each)
        return list(clusters.values())

    def _shape(self, cluster: _Cluster) -> _Shape:
        first = cluster.primitives[0]
        lists = [self._faces(each) for each in cluster.primitives]
        faces = lists[0] if len(lists) == 1 else np.concatenate(lists)
        used = None
        if cluster.cut:
            used, places = np.unique(faces, return_inverse=True)
            faces = places.reshape(-1, 3).astype(np.int64, copy=False)
        vertices = self._numbers.vectors(first.positions, "VEC3", first.where, used)
        for weight, target in cluster.moves:
            count = self._numbers.count(target, first.where)
            if count != first.vertices:
                raise InvalidGeometry(
                    f"{self._file}: {first.where}: a target has {count} positions for {first.vertices} vertices"
                )
            with np.errstate(over="ignore", invalid="ignore"):
                vertices += weight * self._numbers.vectors(target, "VEC3", first.where, used)
        if cluster.moves and not np.isfinite(vertices).all():
            raise InvalidGeometry(f"{self._file}: {first.where}: its weighted targets take vertices beyond finite numbers")
        return vertices, faces

    def _faces(self, primitive: _Primitive) -> NDArray[np.int64]:
        if primitive.indices is None:
            corners = np.arange(primitive.vertices, dtype=np.int64)
        else:
            corners = self._numbers.corners(primitive.indices, primitive.vertices, primitive.where).astype(np.int64)
        if primitive.mode == _TRIANGLES:
            return corners.reshape(-1, 3)
        counts = np.array([len(corners)])
        if primitive.mode == _FAN:
            return fans(corners, counts)
        faces = strips(corners, counts)
        a, b, c = faces.T
        return faces[(a != b) & (b != c) & (c != a)]


def _joined(shapes: list[_Shape]) -> _Shape:
    if len(shapes) == 1:
        return shapes[0]
    begins = np.cumsum([0, *(len(vertices) for vertices, _ in shapes)])
    vertices = np.concatenate([np.empty((0, 3)), *(vertices for vertices, _ in shapes)])
    faces = [faces + begin for (_, faces), begin in zip(shapes, begins, strict=False)]
    return vertices, np.concatenate([np.empty((0, 3), np.int64), *faces])


def _check_version(root: Item) -> None:
    asset = root.child("asset")
    version = asset.text("version") if asset else None
    if asset is None or version is None:
        raise root.fault("has no asset.version; is it glTF? Accepted: version 2")
    if not _VERSION.fullmatch(version):
        raise root.fault(f"is glTF {checks.shown(version)}; accepted: version 2: export it as glTF 2.0")
    least = asset.text("minVersion")
    if least not in (None, "2.0"):
        raise root.fault(f"asset.minVersion is {checks.shown(least)}; accepted: '2.0'")


def _check_extensions(root: Item) -> None:
    for name in root.members("extensionsRequired"):
        if type(name) is not str or not (name.startswith(_HARMLESS) or name in _KNOWN):
            raise root.fault(f"requires {checks.shown(name)}, which is not supported; export it without")
