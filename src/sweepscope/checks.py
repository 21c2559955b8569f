"""Arguments in, arrays out: the checks that every public door shares."""

import operator
import os
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import InvalidPose, InvalidQuery, SweepscopeError

LARGEST = 1e50
"""Largest coordinate [length] for which no intermediate product overflows."""

_LAST = (0.0, 0.0, 0.0, 1.0)
_RIGID = 1e-3  # a matrix this close to a rotation is one, rounded; beyond it is something else


def shown(value: Any) -> str:
    """Return a short text of what was given, for an error message."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # whatever a foreign object's repr raises
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def array(value: Any, name: str, expected: str, error: type[SweepscopeError]) -> NDArray[Any]:
    """Return value as an array of real numbers, or raise `error` saying what was expected."""
    try:
        given = np.asarray(value)
    except Exception:  # ragged rows, and whatever a foreign object's conversion raises
        raise error(f"{name}: expected {expected}, got {shown(value)}") from None
    if given.size == 0:
        return np.zeros(given.shape)
    if given.dtype.kind not in "fiu":
        raise error(f"{name}: expected {expected} of numbers, got dtype {given.dtype}")
    if isinstance(value, np.ma.MaskedArray) and value.mask.any():
        raise error(f"{name}: has masked entries; fill or drop them first")
    return given


def points(value: ArrayLike, name: str, error: type[SweepscopeError]) -> NDArray[np.float64]:
    """Return value as a fresh (n, 3) float64 array of finite points, or raise `error` naming the first bad row."""
    places = any_points(value, name, error)
    # The negation also catches NaN, which compares false with everything.
    bad = ~(np.abs(places) <= LARGEST)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise error(
            f"{name}[{row}, {column}] is {places[row, column]}; coordinates must be finite and at most {LARGEST:g} in size"
        )
    return places


def any_points(value: ArrayLike, name: str, error: type[SweepscopeError]) -> NDArray[np.float64]:
    """Return value as a fresh (n, 3) float64 array, finite or not."""
    given = array(value, name, "an array of shape (n, 3)", error)
    if given.size == 0:
        return np.zeros((0, 3))
    if given.ndim != 2 or given.shape[1] != 3:
        raise error(f"{name}: expected shape (n, 3), got {given.shape}")
    return np.array(given, dtype=np.float64, order="C")


def number(value: Any, name: str, error: type[SweepscopeError]) -> float:
    """Return value as a float, or raise `error`. Texts and truth values are not numbers."""
    if type(value) is float or type(value) is int:
        return _as_float(value, name, error)
    if isinstance(value, (np.floating, np.integer)) or (isinstance(value, np.ndarray) and value.shape == ()):
        return _as_float(array(value, name, "a number", error), name, error)
    raise error(f"{name}: expected a number, got {shown(value)}")


def _as_float(value: Any, name: str, error: type[SweepscopeError]) -> float:
    try:
        return float(value)
    except OverflowError:
        raise error(f"{name} is {shown(value)}; it must be at most {LARGEST:g} in size") from None


def vector(value: ArrayLike, name: str, error: type[SweepscopeError]) -> tuple[float, float, float]:
    """Return value as three finite floats, or raise `error` naming it."""
    three = value.shape == (3,) if isinstance(value, np.ndarray) else isinstance(value, (list, tuple)) and len(value) == 3
    if not three:
        raise error(f"{name}: expected three numbers, got {shown(value)}")
    x, y, z = (number(v, f"{name}[{k}]", error) for k, v in enumerate(value))  # type: ignore[arg-type]
    for k, v in enumerate((x, y, z)):
        if not abs(v) <= LARGEST:
            raise error(f"{name}[{k}] is {v}; it must be finite and at most {LARGEST:g} in size")
    return x, y, z


def length(value: Any, name: str, error: type[SweepscopeError]) -> float:
    """Return value as a finite float >= 0, or raise `error` naming it."""
    size = number(value, name, error)
    if not 0.0 <= size <= LARGEST:
        raise error(f"{name} is {size}; it must be finite, not negative and at most {LARGEST:g}")
    return size


def pose(value: ArrayLike | None, name: str = "pose") -> NDArray[np.float64]:
    """Return value as a fresh rigid (4, 4) matrix. None is the identity, three numbers a position."""
    matrix = np.eye(4)
    if value is None:
        return matrix
    given = array(value, name, "a 4x4 matrix or three numbers", InvalidPose)
    if given.shape == (3,):
        matrix[:3, 3] = given
    elif given.shape == (4, 4):
        matrix[:] = given
    else:
        raise InvalidPose(f"{name}: expected shape (4, 4) or (3,), got {given.shape}")
    # The negation also catches NaN, which compares false with everything.
    if not np.abs(matrix).max() <= LARGEST:
        row, column = np.argwhere(~(np.abs(matrix) <= LARGEST))[0]
        raise InvalidPose(f"{name}[{row}, {column}] is {matrix[row, column]}; it must be finite and at most {LARGEST:g}")
    if given.shape == (3,):
        return matrix
    if max(map(abs, map(operator.sub, matrix[3].tolist(), _LAST))) > 1e-9:
        raise InvalidPose(f"{name}: the last row must be 0 0 0 1, got {matrix[3].tolist()}")
    matrix[3] = _LAST
    off, mirrored = _off(matrix)
    if off > _RIGID:
        raise InvalidPose(
            f"{name}: its 3x3 part is not a rotation (off by {off:.3g}): scale and shear belong into the vertices"
        )
    if mirrored:
        raise InvalidPose(f"{name}: its 3x3 part mirrors (determinant -1): mirror the vertices instead")
    if off > 1e-12:
        # Rounded elsewhere: the nearest rotation is what was meant.
        u, _, v = np.linalg.svd(matrix[:3, :3])
        matrix[:3, :3] = u @ v
    return matrix


def _off(matrix: NDArray[np.float64]) -> tuple[float, bool]:
    """Return by how much the rows of a matrix's 3x3 part fail to be square unit vectors, and whether it mirrors.

    By hand: numpy takes ten times as long over nine numbers.
    """
    (a, b, c, _), (d, e, f, _), (g, h, i, _), _ = matrix.tolist()
    off = max(
        abs(a * a + b * b + c * c - 1.0),
        abs(d * d + e * e + f * f - 1.0),
        abs(g * g + h * h + i * i - 1.0),
        abs(a * d + b * e + c * f),
        abs(a * g + b * h + c * i),
        abs(d * g + e * h + f * i),
    )
    return off, a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0.0


def choice(value: Any, name: str, accepted: tuple[str, ...]) -> str:
    """Return value if it is one of the accepted words."""
    if not isinstance(value, str) or value not in accepted:
        raise InvalidQuery(f"{name} is {shown(value)}; accepted: {', '.join(map(repr, accepted))}")
    return value


def flag(value: Any, name: str) -> bool:
    """Return value if it is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise InvalidQuery(f"{name} is {shown(value)}; accepted: True, False")
    return bool(value)


def room(size: int, what: str, error: type[SweepscopeError]) -> None:
    """Refuse to ask for more memory [bytes] than the machine has."""
    try:
        most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # a system that does not say
        return
    if size > most:
        raise error(f"{what}: needs {size / 2**30:.3g} GiB, this machine has {most / 2**30:.3g} GiB")


def fixed(array: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the array, read-only: writing into it would change nothing, and must say so."""
    array.setflags(write=False)
    return array


def listed(names: Iterable[str]) -> str:
    """Return names for a message."""
    given = list(names)
    shown = ", ".join(map(repr, given[:12])) + (f" and {len(given) - 12} more" if len(given) > 12 else "")
    return shown or "none"
