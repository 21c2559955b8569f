"""Arguments in, arrays out: the checks that every public door shares."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import InvalidPose, InvalidQuery, SweepscopeError

LARGEST = 1e50
"""Largest coordinate [length] for which no intermediate product overflows."""

_RIGID = 1e-3  # a matrix this close to a rotation is one, rounded; beyond it is something else


def shown(value: Any) -> str:
    """Return a short text of what was given, for an error message."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def points(value: ArrayLike, name: str, error: type[SweepscopeError]) -> NDArray[np.float64]:
    """Return value as a fresh (n, 3) float64 array of finite points, or raise `error` naming the first bad row."""
    try:
        given = np.asarray(value)
    except ValueError:
        raise error(f"{name}: expected an array of shape (n, 3), got rows of different lengths") from None
    if given.dtype.kind not in "fiub" or given.dtype.kind == "b":
        raise error(f"{name}: expected numbers, got dtype {given.dtype}")
    if given.size == 0:
        return np.zeros((0, 3))
    if given.ndim != 2 or given.shape[1] != 3:
        raise error(f"{name}: expected shape (n, 3), got {given.shape}")
    array = np.array(given, dtype=np.float64, order="C")
    # The negation also catches NaN, which compares false with everything.
    if not (np.abs(array) <= LARGEST).all():
        row, column = np.argwhere(~(np.abs(array) <= LARGEST))[0]
        raise error(
            f"{name}[{row}, {column}] is {array[row, column]}; coordinates must be finite and at most {LARGEST:g} in size"
        )
    return array


def vector(value: ArrayLike, name: str, error: type[SweepscopeError]) -> tuple[float, float, float]:
    """Return value as three finite floats, or raise `error` naming it."""
    if not isinstance(value, (Sequence, np.ndarray)) or len(value) != 3:
        raise error(f"{name}: expected three numbers, got {shown(value)}")
    try:
        x, y, z = (float(v) for v in value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise error(f"{name}: expected three numbers, got {shown(value)}") from None
    for k, v in enumerate((x, y, z)):
        if not abs(v) <= LARGEST:
            raise error(f"{name}[{k}] is {v}; it must be finite and at most {LARGEST:g} in size")
    return x, y, z


def length(value: Any, name: str, error: type[SweepscopeError]) -> float:
    """Return value as a finite float >= 0, or raise `error` naming it."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise error(f"{name}: expected a number, got {shown(value)}") from None
    if not 0.0 <= number <= LARGEST:
        raise error(f"{name} is {number}; it must be finite and not negative")
    return number


def pose(value: ArrayLike | None) -> NDArray[np.float64]:
    """Return value as a fresh rigid (4, 4) matrix. None is the identity, three numbers a position."""
    matrix = np.eye(4)
    if value is None:
        return matrix
    try:
        given = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidPose(f"pose: expected a 4x4 matrix or three numbers, got {shown(value)}") from None
    if given.shape == (3,):
        matrix[:3, 3] = given
    elif given.shape == (4, 4):
        matrix[:] = given
    else:
        raise InvalidPose(f"pose: expected shape (4, 4) or (3,), got {given.shape}")
    if not (np.abs(matrix) <= LARGEST).all():
        row, column = np.argwhere(~(np.abs(matrix) <= LARGEST))[0]
        raise InvalidPose(f"pose[{row}, {column}] is {matrix[row, column]}; it must be finite and at most {LARGEST:g}")
    if given.shape == (3,):
        return matrix
    if not np.array_equal(matrix[3], (0.0, 0.0, 0.0, 1.0)):
        raise InvalidPose(f"pose: the last row must be 0 0 0 1, got {matrix[3].tolist()}")
    turn = matrix[:3, :3]
    off = float(np.abs(turn @ turn.T - np.eye(3)).max())
    if off > _RIGID:
        raise InvalidPose(f"pose: its 3x3 part is not a rotation (off by {off:.3g}): scale and shear belong into the vertices")
    if np.linalg.det(turn) < 0.0:
        raise InvalidPose("pose: its 3x3 part mirrors (determinant -1): mirror the vertices instead")
    if off > 1e-12:
        # Rounded elsewhere: the nearest rotation is what was meant.
        u, _, v = np.linalg.svd(turn)
        matrix[:3, :3] = u @ v
    return matrix


def choice(value: Any, name: str, accepted: tuple[str, ...]) -> str:
    """Return value if it is one of the accepted words."""
    if value not in accepted:
        raise InvalidQuery(f"{name} is {shown(value)}; accepted: {', '.join(map(repr, accepted))}")
    return value


def hypot3(x: float, y: float, z: float) -> float:
    """Length of a vector without overflow or underflow on the way."""
    return math.hypot(x, y, z)
