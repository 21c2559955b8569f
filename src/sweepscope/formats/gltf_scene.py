"""The scene of a glTF file: which meshes its nodes show, and where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .. import checks
from . import affine
from .affine import IDENTITY, Affine
from .file_reader import FileReader
from .gltf_data import GltfNumbers
from .json_tree import Item, JsonTree

_ROUNDED = 1e-6  # how far the last row of a matrix, rounded to single precision by its writer, may be from 0 0 0 1
_PARTS = ("translation", "rotation", "scale")
_REST = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0))


class Placed(NamedTuple):
    """A mesh at a place."""

    name: str
    where: str
    """The node, for faults."""
    form: int
    """Index in Scene.forms."""
    transform: Affine


class GltfScene:
    """Walks the nodes of a file's scene."""

    def __init__(self, reader: FileReader, tree: JsonTree, numbers: GltfNumbers) -> None:
        self._limits = reader.limits
        self._tree = tree
        self._numbers = numbers
        self.forms: list[tuple[int, tuple[float, ...]]] = []
        """Meshes that are shown, with the weights of their morph targets; none if all weights are 0."""
        self._known: dict[tuple[int, tuple[float, ...] | None], int] = {}
        self.placed: list[Placed] = []
        """Meshes that are shown, parents before children."""
        self.hidden = 0
        """Number of nodes with meshes that are shown as invisible."""
        self.unused = 0
        """Number of nodes with meshes that lie outside of the scene, and of meshes without a node."""
        self._walk()

    def _walk(self) -> None:
        count = self._tree.size("nodes")
        self._check_elements(count, "nodes")
        nodes = [self._tree.at("nodes", index) for index in range(count)]
        parents = _parents(nodes)
        roots = self._roots(parents)
        # A root has no parent and a node at most one, so each is met once, and a circle never.
        stack = [(index, 1, IDENTITY, True) for index in reversed(roots)]
        met = set()
        while stack:
            index, depth, outer, visible = stack.pop()
            node = nodes[index]
            met.add(index)
            if depth > self._limits.max_depth:
                raise node.fault(
                    f"is nested {depth} deep; accepted: up to {self._limits.max_depth}: limits=Limits(max_depth=...)"
                )
            transform = outer.after(_local(node))
            if not transform.finite:
                raise node.fault("its transform, with those of its parents, is not finite")
            visible = visible and _visible(node)
            self._show(node, index, transform, visible=visible)
            stack += [(child, depth + 1, transform, visible) for child in reversed(node.members("children"))]
        if len(met) < count and not self._tree.size("scenes"):
            lost = min(set(range(count)) - met)
            raise nodes[lost].fault("it and its children form a circle; accepted: trees of nodes")
        self.unused = self._outside(nodes, met)

    def _roots(self, parents: list[int | None]) -> list[int]:
        """Return the nodes that the scene begins with; all nodes without a parent if the file has no scenes."""
        chosen = self._tree.root.index("scene", "scenes") or 0
        if not self._tree.size("scenes"):
            return [index for index, parent in enumerate(parents) if parent is None]
        scene = self._tree.at("scenes", chosen)
        roots = scene.indices("nodes", "nodes")
        for k, root in enumerate(roots):
            if parents[root] is not None:
                raise scene.fault(f"nodes[{k}] is {root}, a child of nodes[{parents[root]}]; accepted: nodes without a parent")
        if len(set(roots)) != len(roots):
            raise scene.fault(f"nodes is {checks.shown(roots)}; each may be listed once")
        return roots

    def _show(self, node: Item, index: int, transform: Affine, *, visible: bool) -> None:
        mesh = node.index("mesh", "meshes")
        if mesh is None:
            return
        if not visible:
            self.hidden += 1
            return
        if node.has("skin"):
            raise node.fault("is skinned: bones place its vertices, which is not supported; export it with the skin applied")
        shape = self._tree.at("meshes", mesh)
        form = self._form(node, shape, mesh)
        name = node.text("name") or shape.text("name") or f"node {index}"
        named = name.encode(errors="replace").decode()  # JSON can spell half a character
        for place in self._instances(node, transform):
            self.placed.append(Placed(named, node.where, form, place))

    def _form(self, node: Item, shape: Item, mesh: int) -> int:
        """Return the index of a mesh with a node's weights, if it has any, or its own."""
        own = node.numbers("weights")
        # A mesh's own weights may be many, and be used by many nodes: they are looked at once.
        key = mesh, None if own is None else tuple(own)
        if key not in self._known:
            self._known[key] = len(self.forms)
            weights = own if own is not None else shape.numbers("weights") or []
            self.forms.append((mesh, tuple(weights) if any(weights) else ()))
        return self._known[key]

    def _instances(self, node: Item, transform: Affine) -> Iterator[Affine]:
        """Yield where a node's mesh is shown: once, or as often as EXT_mesh_gpu_instancing says."""
        extension = _extension(node, "EXT_mesh_gpu_instancing")
        if extension is None:
            self._check_elements(len(self.placed) + 1, "instances")
            yield transform
            return
        attributes = extension.child("attributes")
        given = {key: attributes.index(key.upper(), "accessors") for key in _PARTS} if attributes else {}
        counts = {self._numbers.count(index, extension.where) for index in given.values() if index is not None}
        if len(counts) != 1:
            raise extension.fault("expected TRANSLATION, ROTATION or SCALE, all of one count")
        count = counts.pop()
        self._check_elements(len(self.placed) + count, "instances")
        columns = []
        for key, rest in zip(_PARTS, _REST, strict=True):
            index = given[key]
            if index is None:
                columns.append([rest] * count)
            else:
                columns.append(self._numbers.vectors(index, "VEC4" if key == "rotation" else "VEC3", extension.where).tolist())
        for k, (shift, quaternion, scale) in enumerate(zip(*columns, strict=True)):
            place = affine.from_parts(shift, quaternion, scale)
            if place is None:
                raise extension.fault(f"ROTATION of instance {k} is 0 0 0 0; it must have a length")
            place = transform.after(place)
            if not place.finite:
                raise extension.fault(f"the transform of instance {k} is not finite")
            yield place

    def _outside(self, nodes: list[Item], met: set[int]) -> int:
        away = sum(node.has("mesh") for index, node in enumerate(nodes) if index not in met)
        named = {node.index("mesh", "meshes") for node in nodes}
        return away + len(set(range(self._tree.size("meshes"))) - named)

    def _check_elements(self, count: int, what: str) -> None:
        if count > self._limits.max_elements:
            raise self._tree.root.fault(
                f"has {count:,} {what}, or more; accepted: up to {self._limits.max_elements:,}; "
                f"to allow it: limits=Limits(max_elements={count})"
            )


def _parents(nodes: list[Item]) -> list[int | None]:
    """Return the parent of each node; raise if one has two."""
    parents: list[int | None] = [None] * len(nodes)
    for index, node in enumerate(nodes):
        for child in node.indices("children", "nodes"):
            if parents[child] is not None:
                raise node.fault(
                    f"its child nodes[{child}] is a child of nodes[{parents[child]}] already; accepted: one parent"
                )
            parents[child] = index
    return parents


def _local(node: Item) -> Affine:
    """Return a node's own transform."""
    matrix = node.numbers("matrix", 16)
    if matrix is not None:
        both = [key for key in _PARTS if node.has(key)]
        if both:
            raise node.fault(f"has matrix and {both[0]}; accepted: one of them")
        rows = [matrix[k::4] for k in range(4)]
        if max(abs(a - b) for a, b in zip(rows[3], (0.0, 0.0, 0.0, 1.0), strict=True)) > _ROUNDED:
            raise node.fault(f"matrix has the last row {checks.shown(rows[3])}; expected 0 0 0 1")
        return affine.from_rows([*rows[0], *rows[1], *rows[2]])
    if not any(node.has(key) for key in _PARTS):
        return IDENTITY
    shift, quaternion, scale = (node.numbers(key, len(rest)) or rest for key, rest in zip(_PARTS, _REST, strict=True))
    transform = affine.from_parts(shift, quaternion, scale)
    if transform is None:
        raise node.fault("rotation is 0 0 0 0; a quaternion must have a length")
    return transform


def _visible(node: Item) -> bool:
    extension = _extension(node, "KHR_node_visibility")
    return extension is None or extension.flag("visible", True)


def _extension(node: Item, name: str) -> Item | None:
    extensions = node.child("extensions")
    return None if extensions is None else extensions.child(name)
