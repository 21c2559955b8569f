"""Objects of other libraries, as plain arrays. They are known by attributes, or by the module of their class: none is imported.

Arrays (PyTorch, CuPy, JAX, pandas, Open3D), triangles and points (trimesh, Open3D, PyVista), scenes (trimesh).
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidGeometry, InvalidType, MissingPackage, SweepscopeError

_CONVERTS = ("__array__", "__array_interface__", "__dlpack__")


class HasMatrix(Protocol):
    """A rotation or a rigid transform of another library: scipy's Rotation and RigidTransform, and classes like them."""

    def as_matrix(self) -> Any:
        """Return the matrix, shape (3, 3) or (4, 4)."""
        ...


class HasVertices(Protocol):
    """A mesh or a cloud of trimesh, a mesh of Open3D, or an object of any class with `vertices` and `faces`."""

    @property
    def vertices(self) -> Any:
        """Shape (n, 3)."""
        ...


class HasPoints(Protocol):
    """A mesh or a cloud of PyVista, a cloud of Open3D."""

    @property
    def points(self) -> Any:
        """Shape (n, 3)."""
        ...


class HasVertexMap(Protocol):
    """A mesh of Open3D's tensors."""

    @property
    def vertex(self) -> Any:
        """Tensors by name, among them positions."""
        ...


class HasPointMap(Protocol):
    """A cloud of Open3D's tensors."""

    @property
    def point(self) -> Any:
        """Tensors by name, among them positions."""
        ...


class HasIntrinsics(Protocol):
    """A camera of Open3D."""

    @property
    def intrinsic_matrix(self) -> Any:
        """Shape (3, 3)."""
        ...


MeshLike = HasVertices | HasPoints | HasVertexMap
"""A mesh of trimesh, Open3D or PyVista, or an object with `vertices` and `faces`."""
CloudLike = HasVertices | HasPoints | HasPointMap
"""A cloud of trimesh, Open3D or PyVista."""


class ForeignPart(NamedTuple):
    """A body of another library's scene."""

    name: str
    geometry: Any
    """A mesh or a cloud of that library."""
    matrix: NDArray[np.float64]
    """From the frame of the geometry to that of the scene, affine, shape (4, 4)."""


def library(value: Any) -> str:
    """Return the name of the library that an object's class, or a base of it, comes from: "torch"; "" if it is unknown."""
    known = ("torch", "cupy", "trimesh", "open3d", "pyvista", "toppra", "ruckig")
    roots = (kind.__module__.partition(".")[0] for kind in type(value).__mro__)
    return next((root for root in roots if root in known), "")


def is_array(value: Any) -> bool:
    """True if an object offers itself as an array: a tensor, a column of a table."""
    kind = type(value)
    return any(hasattr(kind, name) for name in _CONVERTS)


def as_numpy(value: Any, name: str, error: type[SweepscopeError]) -> Any:
    """Return another library's array as a NumPy array; anything else as it is.

    Raise `error` if it is not in the memory of the CPU, or cannot be converted: it says what to call first.
    """
    if isinstance(value, (np.ndarray, list, tuple)) or not is_array(value):
        return value
    kind = type(value)
    origin = library(value)
    first = ""
    if origin == "cupy":
        first = "it is on a GPU; call .get() first"
    elif origin in ("torch", "open3d"):
        where = str(value.device)
        if not where.lower().startswith("cpu"):
            first = f"it is on the device {where}; call .cpu() first"
        elif getattr(value, "requires_grad", False):
            first = "it requires a gradient, which stops here; call .detach() first"
    if first:
        raise error(f"{name}: got a {origin} {kind.__name__}; {first}")
    try:
        return value.numpy() if origin == "open3d" else np.asarray(value)
    except Exception as why:  # another library may raise anything: sparse, or of a dtype that NumPy has not
        said = str(why).partition("\n")[0]
        raise error(f"{name}: a {kind.__name__} cannot be made a NumPy array: {said}") from None


def triangles_of(value: Any, name: str) -> tuple[Any, Any] | None:
    """Return vertices and faces of another library's mesh, as it holds them; None if it is not a mesh."""
    if _is_scene(value):
        raise InvalidType(f"{name}: a trimesh.Scene holds several bodies; Scene.from_trimesh(...) makes a scene of it")
    origin = library(value)
    if origin == "pyvista":
        return _pyvista_triangles(value, name)
    if origin == "open3d" and hasattr(value, "triangle"):
        if "positions" not in value.vertex or "indices" not in value.triangle:
            return np.zeros((0, 3)), np.zeros((0, 3), np.int64)
        return value.vertex["positions"], value.triangle["indices"]
    corners = "triangles" if origin == "open3d" else "faces"
    if hasattr(value, "vertices") and hasattr(value, corners):
        return value.vertices, getattr(value, corners)
    return None


def points_of(value: Any) -> Any:
    """Return the points of another library's cloud, as it holds them; None if it is not a cloud: a mesh, or anything else."""
    origin = library(value)
    if origin == "trimesh" and hasattr(value, "vertices") and not hasattr(value, "faces") and not hasattr(value, "entities"):
        return value.vertices
    if origin == "pyvista" and _is_surface(value):
        return None if len(value.faces) or len(value.lines) or len(value.strips) else value.points
    if origin == "open3d" and hasattr(value, "point"):
        # A mesh has no `point`; line sets have both.
        return None if hasattr(value, "line") else value.point["positions"] if "positions" in value.point else np.zeros((0, 3))
    if origin == "open3d" and hasattr(value, "points") and not hasattr(value, "lines"):
        return value.points
    return None


def camera_of(value: Any) -> Any:
    """Return the 3x3 matrix of another library's camera (Open3D's PinholeCameraIntrinsic); anything else as it is."""
    return value.intrinsic_matrix if library(value) == "open3d" and hasattr(value, "intrinsic_matrix") else value


def parts_of(value: Any) -> list[ForeignPart]:
    """Return the bodies of a trimesh.Scene: one for each node that holds geometry, with the name of the node."""
    if not _is_scene(value):
        raise InvalidType(f"expected a trimesh.Scene, got a {type(value).__name__}; scene.add(...) takes a single mesh")
    parts = []
    for node in value.graph.nodes_geometry:
        matrix, geometry = value.graph[node]
        parts.append(ForeignPart(str(node), value.geometry[geometry], np.array(matrix, np.float64)))
    return parts


def trimesh_module() -> Any:
    """Return the module trimesh, or raise the error that says how to install it."""
    try:
        import trimesh
    except ImportError:
        raise MissingPackage("to_trimesh needs trimesh: pip install trimesh", name="trimesh") from None
    return trimesh


def _is_scene(value: Any) -> bool:
    return library(value) == "trimesh" and hasattr(value, "graph") and hasattr(value, "geometry")


def _pyvista_triangles(value: Any, name: str) -> tuple[Any, Any] | None:
    if not _is_surface(value):
        raise InvalidType(f"{name}: a pyvista {type(value).__name__} is not a surface; call .extract_surface() first")
    faces = np.asarray(value.faces)  # 3, a, b, c, 3, a, b, c, ...
    if not len(faces) and not len(value.strips):
        return None
    if len(value.strips) or len(faces) % 4 or (faces[::4] != 3).any():
        raise InvalidGeometry(f"{name}: this pyvista {type(value).__name__} is not all triangles; call .triangulate() first")
    return value.points, faces.reshape(-1, 4)[:, 1:]


def _is_surface(value: Any) -> bool:
    """True if an object of PyVista is a PolyData: points, lines, polygons."""
    return any(kind.__name__ == "PolyData" for kind in type(value).__mro__)
