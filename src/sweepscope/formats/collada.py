"""Read the triangles of a COLLADA file (.dae, 1.4 and 1.5): what its scene shows, every instance at its place.

Positions keep the file's own unit and axes, which `Content` names. What a scene unfolds to is counted before it is built:
nodes may show other nodes, so that a short file can ask for more triangles than fit into any memory.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from .. import checks
from ..errors import InvalidGeometry
from . import numbers
from .affine import IDENTITY, Affine
from .collada_document import Document
from .collada_mesh import MeshReader, Surface
from .collada_moves import moved
from .content import Content, FilePart, Geometry
from .file_reader import FileReader
from .xml import Element, read_xml

_VERSIONS = ("1.4", "1.5")
_AXES = {"X_UP": "X", "Y_UP": "Y", "Z_UP": "Z"}


def read_collada(reader: FileReader, file: Path, content: bytes) -> Content:
    """Return the triangles of a COLLADA file; door: counts what they take."""
    try:
        root = read_xml(content, reader.limits)
    except InvalidGeometry as error:
        raise InvalidGeometry(f"{file}: {error}") from None
    document = Document(file, root)
    if root.tag != "COLLADA":
        raise document.fault(root, "is not COLLADA; expected a <COLLADA>")
    version = root.get("version", _VERSIONS[0])
    if not version.startswith(_VERSIONS):
        raise document.fault(root, f"its version is {checks.shown(version)}; accepted: 1.4 and 1.5; export it anew")
    made = Content(unit=_unit(document), up=_up(document))
    _ColladaBuilder(document, reader, made).build()
    return made


def _unit(document: Document) -> float:
    """Return the length of the file's unit [meters]."""
    unit = document.root.find("asset/unit")
    text = None if unit is None else unit.get("meter")
    if unit is None or text is None:
        return 1.0
    try:
        (meters,) = numbers.floats(text.encode()).tolist()
    except ValueError:
        raise document.fault(unit, f"meter is {checks.shown(text)}; accepted: a number of meters") from None
    if not 0.0 < meters <= checks.LARGEST:
        raise document.fault(unit, f"its unit is {checks.shown(text)} meters; it must be finite and above 0")
    return meters


def _up(document: Document) -> str:
    up = document.root.find("asset/up_axis")
    if up is None:
        return "Y"
    name = (up.text or "").strip()
    if name not in _AXES:
        raise document.fault(up, f"is {checks.shown(name)}; accepted: {', '.join(_AXES)}")
    return _AXES[name]


@dataclass(slots=True, eq=False)
class _Node:
    """A <node> or <visual_scene>, and what it shows."""

    name: str
    moved: Affine
    shown: list[tuple[Element, Element]]
    """Elements <instance_geometry>, with the <geometry> that they show."""
    below: list[Element] = field(default_factory=list)
    """Nodes that it contains, or that it shows by <instance_node>."""
    instances: int = 0
    """Number of nodes and geometries that it unfolds to, itself included; 0 as long as it is not known."""
    height: int = 0
    """Number of nodes from it down to the lowest, itself included."""
    size: int = 0
    """What it unfolds to [bytes]."""


class _ColladaBuilder:
    """Builds the content of a file."""

    def __init__(self, document: Document, reader: FileReader, made: Content) -> None:
        self._document = document
        self._door = reader
        self._made = made
        self._reader = MeshReader(document, reader)
        self._surfaces: dict[Element, Surface] = {}
        self._geometries: dict[Element, Geometry] = {}
        self._nodes: dict[Element, _Node] = {}

    def build(self) -> None:
        """Fill the content."""
        root = self._document.root
        geometries = root.findall("library_geometries/geometry")
        scene = self._scene()
        if scene is None:
            for geometry in geometries:
                self._add(geometry, geometry, IDENTITY, "")
        else:
            self._count(scene)
            known = sum(each.size for each in self._surfaces.values())
            # What is shown once was announced when it was read.
            self._door.unfold(self._nodes[scene].size - known, str(self._document.file))
            self._place(scene)
        self._name_left_out(len(set(geometries) - self._surfaces.keys()))

    def _scene(self) -> Element | None:
        """Return the scene to show; None if the file has none."""
        root = self._document.root
        instance = root.find("scene/instance_visual_scene")
        if instance is not None:
            return self._document.target(instance, "url", "visual_scene")
        scenes = root.findall("library_visual_scenes/visual_scene")
        if len(scenes) > 1:
            raise self._document.fault(root, f"has {len(scenes)} <visual_scene>, and no <scene> that says which one to show")
        return scenes[0] if scenes else None

    def _count(self, scene: Element) -> None:
        """Read what a scene shows, and count what it unfolds to; nodes before those that contain them."""
        waiting = [scene]
        while waiting:
            element = waiting[-1]
            node = self._nodes.get(element)
            if node is None:
                node = self._nodes[element] = self._begun(element)
                for each in node.below:
                    other = self._nodes.get(each)
                    # Known but not counted: it contains this node.
                    if other is not None and other.instances == 0:
                        raise self._document.fault(each, "shows itself, by <instance_node>, in a circle; remove one of them")
                waiting += [each for each in reversed(node.below) if each not in self._nodes]
            else:
                waiting.pop()
                if node.instances == 0:
                    self._sum(element, node)

    def _begun(self, element: Element) -> _Node:
        """Return a node with what it shows itself."""
        document = self._document
        node = _Node(element.get("name") or element.get("id") or "", moved(document, element), [])
        for child in element:
            if child.tag == "node":
                node.below.append(child)
            elif child.tag == "instance_node":
                node.below.append(document.target(child, "url", "node"))
            elif child.tag == "instance_geometry":
                node.shown.append((child, document.target(child, "url", "geometry")))
            elif child.tag == "instance_controller":
                raise document.fault(
                    child, "bends a mesh by a skin or by morphing, which is not supported; export it as plain meshes"
                )
        return node

    def _sum(self, element: Element, node: _Node) -> None:
        """Count what a node unfolds to, from what those below it do."""
        limits, below = self._door.limits, [self._nodes[each] for each in node.below]
        node.instances = 1 + len(node.shown) + sum(each.instances for each in below)
        node.height = 1 + max((each.height for each in below), default=0)
        if node.instances > limits.max_elements:
            raise self._document.fault(
                element,
                f"unfolds to {node.instances} nodes and instances; accepted: up to {limits.max_elements}; "
                f"to allow it: limits=Limits(max_elements={node.instances})",
            )
        if node.height > limits.max_depth:
            raise self._document.fault(
                element,
                f"nodes are nested {node.height} deep; accepted: up to {limits.max_depth}; "
                f"to allow it: limits=Limits(max_depth={node.height})",
            )
        node.size = sum(self._surface(geometry).size for _, geometry in node.shown) + sum(each.size for each in below)

    def _surface(self, geometry: Element) -> Surface:
        if geometry not in self._surfaces:
            self._surfaces[geometry] = self._reader.surface(geometry)
        return self._surfaces[geometry]

    def _place(self, scene: Element) -> None:
        """Add all that a scene shows, in the order of the file."""
        waiting = [(self._nodes[scene], IDENTITY)]
        while waiting:
            node, above = waiting.pop()
            at = above.after(node.moved)
            for instance, geometry in node.shown:
                self._add(instance, geometry, at, node.name)
            waiting += [(self._nodes[each], at) for each in reversed(node.below)]

    def _add(self, instance: Element, geometry: Element, at: Affine, name: str) -> None:
        """Add the triangles of a geometry at a place."""
        vertices, faces, _ = self._surface(geometry)
        if len(faces) == 0:
            return
        known = self._geometries.setdefault(geometry, Geometry(vertices, faces))
        part = FilePart(name or geometry.get("name") or geometry.get("id") or "", known, at)
        if not part.finite:
            raise self._document.fault(instance, "its node moves it to positions that are not finite")
        self._made.parts.append(part)

    def _name_left_out(self, hidden: int) -> None:
        """Say what the content does not hold, by kinds."""
        total = sum((each.left_out for each in self._surfaces.values()), Counter[str]())
        self._made.left_out += [f"{count} {what}" for what, count in total.items()]
        if hidden:
            self._made.left_out.append(f"{hidden} geometries that the scene does not show")
