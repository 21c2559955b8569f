"""Shapes as a description and arrays, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry
from ..fan.fan import Fan, exact_fan
from ..formats.arrays import Check
from ..formats.scene import expecting
from ..formats.volumes import check_alpha, check_bits
from ..shapes import Box, Capsule, Mesh, PointCloud, Shape, Sphere, Volume
from ..shapes.base import with_radius
from ..shapes.volume import arrays_of, volume_of_bits
from .fields import Fields, whole

Put = Callable[[str, NDArray[Any]], str]
"""Stores an array; returns the name that it is stored by."""
Take = Callable[[Any, str, Check], NDArray[Any]]
"""Returns an array by its name; gets the place that names it, and a check."""

POINTS = expecting((None, 3), "f")
_FACES = expecting((None, 3), "iu")
_FAN = ("center", "axis", "mid", "half_angle", "inner", "outer", "half_thickness")


def describe(shape: Shape, put: Put) -> dict[str, Any]:
    """Return a shape as plain values; its arrays are put aside."""
    # A subclass may mean anything, and would come back as another class.
    found = _WAYS.get(type(shape))
    if found is None:
        kinds = ", ".join(each.__name__ for each in _WAYS)
        raise InvalidGeometry(f"{checks.shown(shape)} cannot be saved; accepted: {kinds}")
    said, _ = found
    described = {"kind": type(shape).__name__.lower(), **said(shape, put)}
    if not isinstance(shape, (Volume, Mesh, PointCloud)):
        _check_same(shape, described)
    return described


def restore(fields: Fields, take: Take) -> Shape:
    """Return the shape of a description."""
    kind = fields.text("kind")
    for each, (_, made) in _WAYS.items():
        if kind == each.__name__.lower():
            return made(fields, take)
    kinds = ", ".join(repr(each.__name__.lower()) for each in _WAYS)
    raise InvalidGeometry(f"{fields.place('kind')} is {checks.shown(kind)}; accepted: {kinds}")


def _check_same(shape: Shape, described: dict[str, Any]) -> None:
    """Raise if a solid was given other vertices than its numbers say."""
    again = restore(Fields(described, "shape"), _no_arrays)
    if again.vertices.tobytes() != shape.vertices.tobytes():
        raise InvalidGeometry(f"{checks.shown(shape)} has other vertices than a {type(shape).__name__}; make it a Mesh")


def _no_arrays(name: Any, where: str, check: Check) -> NDArray[Any]:
    raise InvalidGeometry(f"{where}: a solid has no arrays")


def _radius_to_dict(shape: Shape) -> dict[str, float]:
    """Return the radius of a box or a mesh with padding; nothing if it has none."""
    return {"radius": shape.radius} if shape.radius > 0.0 else {}


def _with_radius(shape: Shape, fields: Fields) -> Shape:
    radius = checks.length(fields.value("radius", 0.0), fields.place("radius"), InvalidGeometry)
    return with_radius(shape, radius) if radius > 0.0 else shape


def _box_to_dict(box: Shape, put: Put) -> dict[str, Any]:
    return {"size": (2.0 * box.vertices[-1]).tolist(), **_radius_to_dict(box)}


def _box_from_dict(fields: Fields, take: Take) -> Shape:
    return _with_radius(Box(fields.value("size")), fields)


def _sphere_to_dict(sphere: Shape, put: Put) -> dict[str, Any]:
    return {"radius": sphere.radius}


def _sphere_from_dict(fields: Fields, take: Take) -> Shape:
    return Sphere(fields.value("radius"))


def _capsule_to_dict(capsule: Shape, put: Put) -> dict[str, Any]:
    p0, p1 = capsule.vertices.tolist()
    return {"p0": p0, "p1": p1, "radius": capsule.radius}


def _capsule_from_dict(fields: Fields, take: Take) -> Shape:
    return Capsule.from_segment(fields.value("p0"), fields.value("p1"), radius=fields.value("radius"))


def _cloud_to_dict(cloud: Shape, put: Put) -> dict[str, Any]:
    return {"points": put("points", cloud.vertices), "radius": cloud.radius}


def _cloud_from_dict(fields: Fields, take: Take) -> Shape:
    return PointCloud(take(fields.value("points"), fields.place("points"), POINTS), fields.value("radius"))


def _mesh_to_dict(mesh: Shape, put: Put) -> dict[str, Any]:
    if mesh.solid and not (isinstance(mesh, Mesh) and mesh.closed):
        raise InvalidGeometry(f"{checks.shown(mesh)} is solid=True, but open: new vertices opened an edge")
    arrays = {"vertices": put("vertices", mesh.vertices), "faces": put("faces", mesh.faces)}
    return {**arrays, "solid": mesh.solid, **_radius_to_dict(mesh)}


def _mesh_from_dict(fields: Fields, take: Take) -> Shape:
    vertices = take(fields.value("vertices"), fields.place("vertices"), POINTS)
    faces = take(fields.value("faces"), fields.place("faces"), _FACES)
    return _with_radius(Mesh(vertices, faces, solid=fields.value("solid", None)), fields)


def _fan_to_dict(fan: Shape, put: Put) -> dict[str, Any]:
    return {name: getattr(fan, name) for name in _FAN}


def _fan_from_dict(fields: Fields, take: Take) -> Shape:
    return exact_fan(*(fields.value(name) for name in _FAN))


def _volume_to_dict(volume: Shape, put: Put) -> dict[str, Any]:
    assert isinstance(volume, Volume)
    described: dict[str, Any] = {name: put(name, array) for name, array in arrays_of(volume).items()}
    if "bits" in described:
        described["resolution"] = volume.resolution
    if volume.inclusive:
        described["inclusive"] = True
    return {**described, "spacing": volume.spacing, "origin": volume.origin, "threshold": volume.threshold}


def _volume_from_dict(fields: Fields, take: Take) -> Shape:
    grid = {name: fields.value(name) for name in ("spacing", "origin", "threshold")}
    closed = fields.value("inclusive", False)
    if "bits" in fields:
        words = take(fields.value("bits"), fields.place("bits"), check_bits)
        sizes = [whole(n, fields.place("resolution"), checks.MOST_ALONG + 1) for n in fields.items("resolution")]
        return volume_of_bits(words, np.array(sizes, np.int64), **grid, inclusive=closed)
    return Volume(take(fields.value("alpha"), fields.place("alpha"), check_alpha), **grid, inclusive=closed)


_WAYS: dict[type[Shape], tuple[Callable[[Any, Put], dict[str, Any]], Callable[[Fields, Take], Shape]]] = {
    Box: (_box_to_dict, _box_from_dict),
    Sphere: (_sphere_to_dict, _sphere_from_dict),
    Capsule: (_capsule_to_dict, _capsule_from_dict),
    PointCloud: (_cloud_to_dict, _cloud_from_dict),
    Mesh: (_mesh_to_dict, _mesh_from_dict),
    Fan: (_fan_to_dict, _fan_from_dict),
    Volume: (_volume_to_dict, _volume_from_dict),
}
