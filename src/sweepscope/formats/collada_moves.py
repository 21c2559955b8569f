"""The transforms of nodes in a COLLADA file."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .affine import IDENTITY, Affine, from_rows
from .collada_document import Document
from .xml import Element

_Matrix = NDArray[np.float64]


def moved(document: Document, node: Element) -> Affine:
    """Return the product of a node's transforms, in the order of the file."""
    moves = [_MOVES[child.tag](document, child) for child in node if child.tag in _MOVES]
    total = IDENTITY
    for matrix in moves:
        total = total.after(from_rows(matrix[:3].ravel().tolist()))
    return total


def _matrix(document: Document, element: Element) -> _Matrix:
    values = document.some(element, 16).reshape(4, 4)
    if not np.array_equal(values[3], (0.0, 0.0, 0.0, 1.0)):
        row = " ".join(f"{x:g}" for x in values[3])
        raise document.fault(element, f"its last row is {row}; accepted: 0 0 0 1")
    return values


def _translate(document: Document, element: Element) -> _Matrix:
    matrix = np.eye(4)
    matrix[:3, 3] = document.some(element, 3)
    return matrix


def _scale(document: Document, element: Element) -> _Matrix:
    return np.diag([*document.some(element, 3), 1.0])


def _rotate(document: Document, element: Element) -> _Matrix:
    x, y, z, degrees = document.some(element, 4).tolist()
    size = math.hypot(x, y, z)
    if size == 0.0:
        if degrees == 0.0:
            return np.eye(4)
        raise document.fault(element, f"turns by {degrees:g} degrees about the axis 0 0 0; give it a direction")
    x, y, z = x / size, y / size, z / size
    cross = np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))
    angle = math.radians(degrees)
    return _linear(np.eye(3) + math.sin(angle) * cross + 2.0 * math.sin(0.5 * angle) ** 2 * (cross @ cross))


def _skew(document: Document, element: Element) -> _Matrix:
    """Return the shear along the second axis that turns the first one towards it by an angle, as in RenderMan."""
    values = document.some(element, 7)
    first, second = _unit(values[1:4]), _unit(values[4:7])
    between = math.atan2(float(np.linalg.norm(np.cross(first, second))), float(first @ second))
    angle = math.radians(values[0])
    # A share of a right angle, not 0: axes that only rounding parts have no plane in common.
    if not min(between, math.pi - between) > 1e-9 or not between - math.pi < angle < between:
        low, high = math.degrees(between) - 180.0, math.degrees(between)
        raise document.fault(
            element,
            f"skews by {values[0]:g} degrees; accepted: more than {low:g} and less than {high:g}, axes with an angle between",
        )
    across = _unit(first - (first @ second) * second)
    slope = 1.0 / math.tan(between - angle) - 1.0 / math.tan(between)
    return _linear(np.eye(3) + slope * np.outer(second, across))


def _lookat(document: Document, element: Element) -> _Matrix:
    """Return the pose at a place, looking along -z at a point; y is the direction that is up, as far as it can be."""
    place, at, up = document.some(element, 9).reshape(3, 3)
    back = _unit(place - at)
    right = _unit(np.cross(up, back))
    if not back.any() or not right.any():
        raise document.fault(element, "looks at its own place or along its up direction; give three that differ")
    matrix = _linear(np.stack((right, np.cross(back, right), back), axis=1))
    matrix[:3, 3] = place
    return matrix


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a vector of length 1; 0 stays 0."""
    size = math.hypot(*vector.tolist())
    return vector / size if size > 0.0 else np.zeros(3)


def _linear(turn: NDArray[np.float64]) -> _Matrix:
    matrix = np.eye(4)
    matrix[:3, :3] = turn
    return matrix


_MOVES = {
    "matrix": _matrix,
    "translate": _translate,
    "rotate": _rotate,
    "scale": _scale,
    "skew": _skew,
    "lookat": _lookat,
}
