"""Checks of arguments that all public functions share. They return plain numbers and arrays."""

import math
import operator
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import InvalidGeometry, InvalidPose, InvalidQuery, InvalidType, SweepscopeError
from .foreign import HasMatrix, as_numpy, is_array
from .kernels.base.formulas import nearest_rotation, off_rotation
from .kernels.tolerances import EXACT_ROTATION, LAST_ROW, RIGID

LARGEST = 1e50
"""Largest coordinate [length] for which no intermediate product overflows."""
MOST_VOXELS = 2**31 - 1
MOST_ALONG = 2**24
"""Most voxels along an axis."""
NARROWEST = 1e-40
"""Smallest width of a voxel [length]."""

PoseLike = ArrayLike | HasMatrix
"""A 4x4 or 3x4 matrix, three numbers for a position, or a rotation or rigid transform that has `as_matrix` (scipy)."""

_FLOAT64 = np.dtype(np.float64)
_THREE = (3,)
_FOUR_FOUR = (4, 4)
_ONE_POSE = ((3,), (4, 4), (3, 4))
_A_POSE = "a 4x4 or 3x4 matrix, or three numbers"
_LAST = (0.0, 0.0, 0.0, 1.0)
_EYE = np.eye(4)


def shown(value: Any) -> str:
    """Return a value as a short text, for an error message."""
    try:
        text = " ".join(repr(_plain(value)).split())
    except Exception:  # another library's repr may raise anything
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def _plain(value: Any) -> Any:
    """Return a value with numpy scalars as Python's own: 'b', not np.str_('b')."""
    if isinstance(value, np.generic):
        plain = value.item()
        return str(value) if isinstance(plain, np.generic) else plain
    if type(value) in (list, tuple):
        return type(value)(map(_plain, value))
    if type(value) is dict:
        return {_plain(key): _plain(each) for key, each in value.items()}
    return value


def array(value: Any, name: str, expected: str, error: type[SweepscopeError]) -> NDArray[Any]:
    """Return value as an array of real numbers, or raise: InvalidType, or `error` for rows that differ; expected: a text."""
    if "number" not in expected:
        expected += " of numbers"
    given = value if type(value) is np.ndarray else _converted(value, name, expected, error)
    if given.size == 0:
        return np.zeros(given.shape)
    if given.dtype.kind not in "fiu":
        too_large = given.dtype.kind == "O" and all(type(each) is int for each in given.flat)
        raise (error if too_large else InvalidType)(f"{name}: expected {expected}, got dtype {given.dtype}")
    if isinstance(value, np.ma.MaskedArray) and value.mask.any():
        raise error(f"{name}: has masked entries; fill or drop them first")
    return given


def _converted(value: Any, name: str, expected: str, error: type[SweepscopeError]) -> NDArray[Any]:
    """Return value as an array of any kind; arrays of other libraries too."""
    given = as_numpy(value, name, error)
    try:
        return np.asarray(given)
    except Exception:  # rows of different lengths; another library's conversion may raise anything
        raise error(f"{name}: expected {expected}, got {shown(value)}") from None


def points(value: ArrayLike, name: str, error: type[SweepscopeError]) -> NDArray[np.float64]:
    """Return value as a fresh (n, 3) float64 array of finite points, or raise `error` that names the first bad number."""
    places = any_points(value, name, error)
    # "not <=" is also true of NaN, which a minimum and a maximum keep.
    if places.size and not (places.min() >= -LARGEST and places.max() <= LARGEST):
        row, column = np.argwhere(~(np.abs(places) <= LARGEST))[0]
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
    """Return value as a float, or raise: `error` for an array of a wrong shape. A str and a bool are not numbers."""
    if type(value) is float or type(value) is int:
        return _as_float(value, name, error)
    if isinstance(value, (np.floating, np.integer)) or (is_array(value) and not isinstance(value, np.generic)):
        given = array(value, name, "a number", error)
        if given.shape == ():
            return _as_float(given, name, error)
        raise error(f"{name}: expected a number, got {shown(value)}")
    raise InvalidType(f"{name}: expected a number, got {shown(value)}")


def _as_float(value: Any, name: str, error: type[SweepscopeError]) -> float:
    try:
        return float(value)
    except OverflowError:
        raise error(f"{name} is {shown(value)}; it must be at most {LARGEST:g} in size") from None


def plain_vector(value: Any) -> tuple[float, float, float] | None:
    """Return three numbers in a common form as three floats: the short path of `vector`. None: not known to be fine."""
    if type(value) is tuple or type(value) is list:
        if len(value) != 3:
            return None
        x, y, z = value
    elif type(value) is np.ndarray and value.dtype is _FLOAT64 and value.shape == _THREE:
        x, y, z = value.tolist()
    else:
        return None
    if not (type(x) is type(y) is type(z) is float):
        for each in (x, y, z):
            if type(each) is not float and type(each) is not int:
                return None
        # Whole numbers may be too large for a float: they are compared first.
        if not (-LARGEST <= x <= LARGEST and -LARGEST <= y <= LARGEST and -LARGEST <= z <= LARGEST):
            return None
        return float(x), float(y), float(z)
    # NaN compares false.
    if -LARGEST <= x <= LARGEST and -LARGEST <= y <= LARGEST and -LARGEST <= z <= LARGEST:
        return x, y, z
    return None


def vector(value: ArrayLike, name: str, error: type[SweepscopeError]) -> tuple[float, float, float]:
    """Return value as three finite floats, or raise: InvalidType, or `error` for a wrong count or size."""
    plain = plain_vector(value)
    if plain is not None:
        return plain
    given: Any = as_numpy(value, name, error)
    several = isinstance(given, (list, tuple, np.ndarray))
    if not several or (given.shape != _THREE if isinstance(given, np.ndarray) else len(given) != 3):
        raise (error if several else InvalidType)(f"{name}: expected three numbers, got {shown(value)}")
    x, y, z = (number(v, f"{name}[{k}]", error) for k, v in enumerate(given))
    for k, v in enumerate((x, y, z)):
        if not abs(v) <= LARGEST:
            raise error(f"{name}[{k}] is {v}; it must be finite and at most {LARGEST:g} in size")
    return x, y, z


def direction(value: ArrayLike, name: str, error: type[SweepscopeError]) -> tuple[float, float, float]:
    """Return value as three finite floats that are not all zero, or raise `error` with its name."""
    x, y, z = vector(value, name, error)
    if x == y == z == 0.0:
        raise error(f"{name} is 0 0 0; it must have a direction")
    return x, y, z


def length(value: Any, name: str, error: type[SweepscopeError]) -> float:
    """Return value as a finite float >= 0, or raise `error` with its name."""
    if type(value) is float and 0.0 <= value <= LARGEST:
        return value
    size = number(value, name, error)
    if not 0.0 <= size <= LARGEST:
        raise error(f"{name} is {size}; it must be finite, not negative and at most {LARGEST:g}")
    return size


def above_zero(value: Any, name: str, error: type[SweepscopeError], what: str = "a length") -> float:
    """Return value as a finite float > 0, or raise `error` with its name. what: it is, for the message."""
    size = number(value, name, error)
    if not 0.0 < size <= LARGEST:
        raise error(f"{name} is {size}; accepted: {what} above 0, at most {LARGEST:g}")
    return size


def pose(value: PoseLike | None, name: str = "pose") -> NDArray[np.float64]:
    """Return value as a fresh rigid (4, 4) matrix. None means the identity; three numbers are a position."""
    matrix = np.eye(4)
    if value is None:
        return matrix
    if hasattr(value, "pose"):
        raise InvalidType(f"{name}: expected {_A_POSE}, got {shown(value)}; give its .pose")
    given = array(as_matrices(value, name), name, _A_POSE, InvalidPose)
    if given.shape == (3,):
        matrix[:3, 3] = given
    elif given.shape == (4, 4):
        matrix[:] = given
    elif given.shape == (3, 4):
        matrix[:3] = given
    else:
        raise InvalidPose(f"{name}: expected shape (4, 4), (3, 4) or (3,), got {given.shape}{_pose_call(given.shape)}")
    # "not <=" is also true of NaN.
    if not np.abs(matrix).max() <= LARGEST:
        row, column = np.argwhere(~(np.abs(matrix) <= LARGEST))[0]
        raise InvalidPose(f"{name}[{row}, {column}] is {matrix[row, column]}; it must be finite and at most {LARGEST:g}")
    if given.shape == (3,):
        return matrix
    if max(map(abs, map(operator.sub, matrix[3].tolist(), _LAST))) > LAST_ROW:
        raise InvalidPose(f"{name}: the last row must be 0 0 0 1, got {matrix[3].tolist()}")
    matrix[3] = _LAST
    turn = matrix[:3, :3].ravel().tolist()
    off, mirrored = off_rotation(*turn)
    if off > RIGID:
        raise InvalidPose(
            f"{name}: its 3x3 part is not a rotation (off by {off:.3g}): apply scale and shear to the vertices instead"
        )
    if mirrored:
        raise InvalidPose(f"{name}: its 3x3 part mirrors (determinant -1): mirror the vertices instead")
    if off > EXACT_ROTATION:
        matrix[:3, :3] = np.reshape(nearest_rotation(*turn), (3, 3))
    return matrix


def _pose_call(shape: tuple[int, ...]) -> str:
    """Return the end of a message: the call that makes a pose of an array that is not one; empty if there is none."""
    if shape == (3, 3):
        return "; a rotation: Pose.from_rotation(position, rotation)"
    if shape == (7,):
        return '; position and quaternion: Pose.from_numbers(numbers, order="xyz xyzw"), or another order'
    if shape == (4,):
        return "; a quaternion: Pose.from_quaternion(position, xyzw=...), or wxyz=..."
    return ""


def as_matrices(value: Any, name: str) -> Any:
    """Return a rotation or a rigid transform of another library, or several, as 4x4 matrices; anything else as it is."""
    if type(value) is np.ndarray or not hasattr(type(value), "as_matrix"):
        return value
    given = array(value.as_matrix(), name, "a rotation", InvalidPose)
    if given.shape[-2:] != (3, 3):
        return given
    matrices = np.zeros((*given.shape[:-2], 4, 4))
    matrices[..., :3, :3], matrices[..., 3, 3] = given, 1.0
    return matrices


def given_pose(value: PoseLike, name: str = "pose") -> NDArray[np.float64]:
    """As `pose`, but None is an error."""
    if value is None:
        raise InvalidType(f"{name}: expected {_A_POSE}, got None")
    return pose(value, name)


def loose_pose(value: PoseLike, name: str = "pose") -> NDArray[np.float64]:
    """Return value as a fresh (4, 4) matrix; a matrix in the common form is not checked: kernels check it as they write it."""
    if type(value) is np.ndarray and value.dtype is _FLOAT64 and value.shape == _FOUR_FOUR:
        return value.copy()
    place = plain_vector(value)
    if place is None:
        return given_pose(value, name)
    matrix = _EYE.copy()
    matrix[0, 3], matrix[1, 3], matrix[2, 3] = place
    return matrix


def loose_poses(value: Any, count: int, name: str = "poses") -> NDArray[np.float64]:
    """Return `count` poses, or one for all, as a fresh (count, 4, 4) array; not all are checked: kernels check them.

    value: an array (n, 4, 4) or (n, 3, 4) of matrices, or (n, 3) of positions; several of what `pose` accepts; or one of those.
    """
    expected = "a pose for each, shape (n, 4, 4), (n, 3, 4) or (n, 3), or one for all"
    if value is None or isinstance(value, (str, Mapping)):
        raise InvalidType(f"{name}: expected {expected}, got {shown(value)}")
    given = as_numpy(as_matrices(value, name), name, InvalidPose)
    if not isinstance(given, np.ndarray):
        each = items(given, name, expected)
        given = _as_array(each)
        if given is None:
            given = [given_pose(one, f"{name}[{k}]") for k, one in enumerate(each)]
    given = array(given, name, expected, InvalidPose)
    shape = given.shape
    if shape not in _ONE_POSE:
        if given.size and shape[1:] not in _ONE_POSE:
            raise InvalidPose(f"{name}: expected {expected}, got {shape}{_pose_call(shape[1:])}")
        if len(given) != count:
            raise InvalidPose(
                f"{name}: got {len(given)} for {amount(count, 'body', 'bodies')}; give one for each, or one for all"
            )
    matrices = np.empty((count, 4, 4))
    if shape in _ONE_POSE:
        matrices[:] = pose(given, name)
    elif shape[1:] == (3,):
        matrices[:] = _EYE
        matrices[:, :3, 3] = given
    elif count:
        matrices[:, 3] = _LAST
        matrices[:, : shape[1]] = given
    return matrices


def _as_array(each: list[Any]) -> NDArray[Any] | None:
    """Return poses of one kind as one array; None if they differ, or are no poses: they are then checked one by one."""
    try:
        given = np.asarray(each)
    except Exception:  # a matrix and a position; another library's conversion may raise anything
        return None
    shaped = given.shape in _ONE_POSE or given.shape[1:] in _ONE_POSE or not each
    return given if given.dtype.kind in "fiu" and shaped else None


def choice(value: Any, name: str, accepted: tuple[str, ...]) -> str:
    """Return value if it is one of the accepted words."""
    if isinstance(value, str) and value in accepted:
        return str(value)
    error = InvalidQuery if isinstance(value, str) else InvalidType
    raise error(f"{name} is {shown(value)}; accepted: {', '.join(map(repr, accepted))}")


def whole(value: Any, name: str, error: type[SweepscopeError], low: int, high: int | None = None) -> int:
    """Return value if it is a whole number from `low` to `high`, or raise: InvalidType, or `error` if it is out of range."""
    right = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if right and low <= value and (high is None or value <= high):
        return int(value)
    top = "" if high is None else f" to {high}"
    raise (error if right else InvalidType)(f"{name} is {shown(value)}; accepted: a whole number from {low}{top}")


def text(value: Any, name: str) -> str:
    """Return value if it is a str."""
    if not isinstance(value, str):
        raise InvalidType(f"{name}: expected a str, got {shown(value)}")
    return str(value)


def file_path(value: Any, name: str = "path") -> Path:
    """Return value as a Path."""
    if not isinstance(value, (str, os.PathLike)):
        raise InvalidType(f"{name}: expected a str or a Path, got {shown(value)}")
    return Path(value)


def flag(value: Any, name: str) -> bool:
    """Return value if it is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise InvalidType(f"{name} is {shown(value)}; accepted: True, False")
    return bool(value)


@contextmanager
def prefixed(text: str) -> Iterator[None]:
    """Put a text before the message of an error that is raised inside; its class stays."""
    try:
        yield
    except SweepscopeError as error:
        raise type(error)(f"{text}: {error}") from error.__cause__


def require_memory(size: int, what: str, error: type[SweepscopeError]) -> None:
    """Raise `error` if `what` needs more memory, `size` [bytes], than the machine has."""
    try:
        most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # this system does not report it
        return
    if size > most:
        raise error(f"{what}: needs {size / 2**30:.3g} GiB, this machine has {most / 2**30:.3g} GiB")


def fixed(array: NDArray[np.float64]) -> NDArray[np.float64]:
    """Make an array read-only and return it: a write would have no effect, so it must raise."""
    array.setflags(write=False)
    return array


def listed(names: Iterable[str]) -> str:
    """Return names as a text, for an error message."""
    given = list(names)
    text = ", ".join(map(shown, given[:12])) + (f" and {len(given) - 12} more" if len(given) > 12 else "")
    return text or "none"


def amount(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: "1 body", "2 bodies". plural: by default noun + "s"."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def items(value: Any, name: str, expected: str) -> list[Any]:
    """Return the items of an iterable, or raise InvalidType with the text `expected`."""
    try:
        if not isinstance(value, (str, bytes)):  # not a list of letters
            return list(value)
    except TypeError:
        pass
    # A body instead of bodies; None, a str or a number is something else.
    alone = value is not None and not isinstance(value, (str, bytes, int, float, np.generic))
    hint = "; put a single one into a list: [...]" if alone else ""
    raise InvalidType(f"{name}: expected {expected}, got {shown(value)}{hint}")


def resolution(shape: tuple[int, ...], name: str) -> tuple[int, int, int]:
    """Return the shape of a grid, or raise if it has too many voxels."""
    voxels = math.prod(int(n) for n in shape)
    if voxels > MOST_VOXELS:
        grid = " x ".join(f"{n}" for n in shape)
        raise InvalidGeometry(f"{name}: {grid} are {voxels:,} voxels; a volume has at most {MOST_VOXELS:,}")
    for axis, n in enumerate(shape):
        if n > MOST_ALONG:
            raise InvalidGeometry(f"{name}: has {n:,} voxels along axis {axis}; at most {MOST_ALONG:,}")
    return int(shape[0]), int(shape[1]), int(shape[2])


def spacing(value: ArrayLike) -> tuple[float, float, float]:
    """Return one length, or three, as three lengths above 0."""
    value = as_numpy(value, "spacing", InvalidGeometry)
    single = np.ndim(value) == 0 if isinstance(value, np.ndarray) else not isinstance(value, (list, tuple))
    if single:
        x, y, z = (number(value, "spacing", InvalidGeometry),) * 3
    else:
        x, y, z = vector(
            tuple(value) if isinstance(value, np.ndarray) and value.ndim == 1 else value, "spacing", InvalidGeometry
        )
    for k, width in enumerate((x, y, z)):
        if not NARROWEST <= width <= LARGEST:
            name = "spacing" if single else f"spacing[{k}]"
            raise InvalidGeometry(
                f"{name} is {width}; it must be finite and greater than 0; accepted: {NARROWEST:g} to {LARGEST:g}"
            )
    return x, y, z


def rows(value: ArrayLike, width: int, name: str) -> tuple[NDArray[np.float64], bool]:
    """Return one row (width,) or many (n, width) as (n, width) float64, and whether it was a single row.

    An array that has this form already is not copied. Numbers may be NaN or infinite.
    """
    given = array(value, name, f"an array of shape (n, {width})", InvalidQuery)
    if given.shape == (width,):
        return _for_kernels(given).reshape(1, width), True
    if given.ndim == 2 and given.shape[1] == width:
        return _for_kernels(given), False
    if given.size == 0 and given.ndim <= 2:
        return np.zeros((0, width)), False
    raise InvalidQuery(f"{name}: expected shape ({width},) or (n, {width}), got {given.shape}")


def _for_kernels(given: NDArray[Any]) -> NDArray[np.float64]:
    """Return an array as kernels are compiled for it: float64, contiguous, not read-only. It is copied only if it is not so."""
    plain = np.ascontiguousarray(given, np.float64)
    return plain if plain.flags.writeable else plain.copy()


def refuse_not_finite(value: NDArray[np.float64], name: str, *, one: bool = False) -> None:
    """Raise InvalidQuery for the first number that is not finite or too large. one: the row was given without an index."""
    bad = np.argwhere(~(np.abs(value) <= LARGEST))
    if len(bad):
        where = ", ".join(map(str, bad[0][1:] if one else bad[0]))
        raise InvalidQuery(f"{name}[{where}] is {value[tuple(bad[0])]}; it must be finite and at most {LARGEST:g} in size")


def column(value: ArrayLike, count: int, name: str) -> NDArray[np.float64]:
    """Return one number for each of `count` objects, shape (count,); a single number is repeated."""
    given = array(value, name, "one number, or an array of shape (n,)", InvalidQuery)
    if given.shape == ():
        return np.full(count, float(given))
    if given.shape != (count,):
        raise InvalidQuery(f"{name}: expected one number, or {count}, got shape {given.shape}")
    return _for_kernels(given)


Rows = dict[str, NDArray[np.float64]]


def matched(places: Rows, columns: Mapping[str, ArrayLike], one: bool) -> tuple[Rows, Rows, bool]:
    """Return rows of points and columns of numbers, all of one length, and whether they describe a single object.

    one: whether every point was given alone. One point with several numbers describes several objects.
    """
    counts = {name: len(value) for name, value in places.items()}
    first, count = next(iter(counts.items()))
    for name, other in counts.items():
        if other != count:
            raise InvalidQuery(f"{name}: got {other} for {count} {first}; give one for each")
    if one:
        longest = max((np.size(value) for value in columns.values() if np.ndim(value) == 1), default=1)
        one, count = all(np.ndim(value) == 0 for value in columns.values()), longest
        if longest != 1:
            places = {name: np.repeat(value, longest, axis=0) for name, value in places.items()}
    return places, {name: column(value, count, name) for name, value in columns.items()}, one
