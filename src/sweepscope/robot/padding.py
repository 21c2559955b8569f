"""Padding and scale of links: shapes that are larger than the file says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from .. import checks
from ..errors import InvalidGeometry, InvalidQuery, NotFound
from ..shapes import Mesh, Shape
from ..shapes.base import with_radius, with_vertices
from .urdf import LinkPart


def padded(
    parts: Sequence[LinkPart], padding: float | Mapping[str, float], scale: float | Mapping[str, float]
) -> list[LinkPart]:
    """Return links with larger shapes; padding [length] and scale: one number, or numbers by name of the link."""
    links = [part.name for part in parts]
    wide = _by_link(padding, "padding", 0.0, links)
    factors = _by_link(scale, "scale", 1.0, links)
    for name, factor in factors.items():
        if factor == 0.0:
            raise InvalidQuery(f"scale of link {name!r} is 0; it must be above 0")
    made: dict[tuple[int, float, float], Shape] = {}  # links go on sharing shapes

    def enlarged(shape: Shape, factor: float, radius: float) -> Shape:
        key = id(shape), factor, radius
        if key not in made:
            made[key] = _padded(_scaled(shape, factor), radius)
        return made[key]

    return [
        replace(part, pieces=[(enlarged(shape, factors[part.name], wide[part.name]), at) for shape, at in part.pieces])
        for part in parts
    ]


def _by_link(value: float | Mapping[str, float], what: str, otherwise: float, links: Sequence[str]) -> dict[str, float]:
    """Return a number for each link."""
    if not isinstance(value, Mapping):
        return dict.fromkeys(links, checks.length(value, what, InvalidQuery))
    for name in value:
        if name not in links:
            raise NotFound(f"{what}: no link {checks.shown(name)}; the robot has {checks.listed(links)}")
    given = {name: checks.length(each, f"{what} of link {name!r}", InvalidQuery) for name, each in value.items()}
    return dict.fromkeys(links, otherwise) | given


def _scaled(shape: Shape, factor: float) -> Shape:
    """Return a shape with another size about its center: the origin of its frame, of a mesh the mean of its vertices."""
    if factor == 1.0:
        return shape
    center = shape.vertices.mean(axis=0) if isinstance(shape, Mesh) and len(shape.vertices) else np.zeros(3)
    with np.errstate(over="ignore"):
        places = checks.points(center + factor * (shape.vertices - center), "scaled vertices", InvalidGeometry)
    return with_radius(with_vertices(shape, places), factor * shape.radius)


def _padded(shape: Shape, radius: float) -> Shape:
    return with_radius(shape, shape.radius + radius) if radius > 0.0 else shape
