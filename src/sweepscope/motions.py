"""Motions: many motions as arrays. Each row has the bits of the single Translate, Rotate or Screw."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import checks, leading
from .errors import InvalidMotion, InvalidType
from .immutable import Immutable
from .leading import Row, Rows, Shape
from .motion import LONGEST, NO_TURN, Motion, Rotate, Screw, Translate, Turn, axes, lengths_of, orbit_of, turns_between, units
from .pose_rows import PoseRows

_KINDS = (Translate, Rotate, Screw)
_TRANSLATE, _ROTATE, _SCREW = range(3)

# Columns of a turn. Of a translation among turns, the first three are its vector.
_AXIS, _ANGLE, _SLIDE, _ABOUT, _POINT, _ARM = slice(0, 3), 3, 4, slice(5, 8), slice(8, 11), slice(11, 14)
_TURN = 14
_ORIGIN = (0.0, 0.0, 0.0)


@dataclass(frozen=True, init=False, slots=True, eq=False, repr=False)
class Motions(Immutable):
    """Many motions, as arrays of any leading shape. `motions[i]` is a single motion, or Motions where i selects several.

    Made of a sequence of motions, which may be of different kinds, or by a class method. Arrays are copied, except
    translations in a memory map: do not change that file.
    """

    shape: tuple[int, ...]
    """Leading shape."""
    _kinds: int | NDArray[np.uint8]  # index into _KINDS, one for all or one for each
    _columns: NDArray[Any]  # one row for each: vectors (n, 3) if all are translations, else (n, _TURN)

    def __init__(self, motions: Sequence[Motion]):
        given = checks.items(motions, "motions", "a sequence of motions")
        for k, motion in enumerate(given):
            if not isinstance(motion, (Translate, Turn)):
                raise InvalidType(f"motions[{k}]: expected a Translate, Rotate or Screw, got {checks.shown(motion)}")
        kinds = np.array([_KINDS.index(type(motion)) for motion in given], np.uint8)
        columns = np.array([_row(motion) for motion in given]).reshape(-1, _TURN)
        if not kinds.any():
            self._put(_TRANSLATE, np.ascontiguousarray(columns[:, :3]), kinds.shape)
        else:
            self._put(kinds, columns, kinds.shape)

    @classmethod
    def translate(cls, vectors: ArrayLike) -> Motions:
        """Return translations by vectors, shape (..., 3) [length], world."""
        return translations(vectors, "Motions.vectors")

    @classmethod
    def rotate(cls, axis: ArrayLike, angle: ArrayLike, *, about: ArrayLike = _ORIGIN) -> Motions:
        """Return rotations: axis (..., 3), angle (...) [radians], about (..., 3) [length], world; they are broadcast."""
        return _turns(_ROTATE, axis, angle, 0.0, about)

    @classmethod
    def screw(cls, axis: ArrayLike, angle: ArrayLike, *, slide: ArrayLike, about: ArrayLike = _ORIGIN) -> Motions:
        """Return screws: as `rotate`, and slide (...) [length]."""
        return _turns(_SCREW, axis, angle, slide, about)

    @classmethod
    def between(cls, poses_0: ArrayLike, poses_1: ArrayLike) -> Motions:
        """Return the screws that move a body from poses_0 to poses_1, each (..., 4, 4), (..., 3, 4) or (..., 3)."""
        names = "Motions.poses_0", "Motions.poses_1"
        start, end = PoseRows(poses_0, names[0]), PoseRows(poses_1, names[1])
        shape = leading.common({names[0]: start.shape, names[1]: end.shape}, InvalidMotion)
        rows = np.arange(math.prod(shape))
        first, last = (poses.take(leading.picker(poses.shape, shape)(rows)) for poses in (start, end))
        return _made(_SCREW, _screws(first, last), shape)

    def _put(self, kinds: int | NDArray[np.uint8], columns: NDArray[Any], shape: Shape) -> None:
        for name, value in (("_kinds", kinds), ("_columns", columns), ("shape", shape)):
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("Motions of shape () have no len")
        return self.shape[0]

    # For type checkers an index of whole numbers is that of a row, as it is for motions with one axis.
    @overload
    def __getitem__(self, key: Row) -> Translate | Rotate | Screw: ...  # type: ignore[overload-overlap]
    @overload
    def __getitem__(self, key: Rows) -> Motions: ...

    def __getitem__(self, key: Any) -> Any:
        rows = leading.numbers_at(key, self.shape)
        return self._single(rows) if isinstance(rows, int) else part_of(self, rows)

    def __iter__(self) -> Iterator[Translate | Rotate | Screw]:
        return (self[k] for k in range(len(self)))

    def _single(self, row: int) -> Translate | Rotate | Screw:
        numbers = self._columns[row].astype(np.float64).tolist()
        kind: Any = _KINDS[self._kinds if isinstance(self._kinds, int) else int(self._kinds[row])]
        if kind is Translate:
            return Translate(numbers[:3])
        turn = kind.__new__(kind)
        axis, about, point, arm = (tuple(numbers[part]) for part in (_AXIS, _ABOUT, _POINT, _ARM))
        turn._set(axis, numbers[_ANGLE], numbers[_SLIDE], about, point, arm)  # noqa: SLF001  (a constructor)
        return turn

    def __repr__(self) -> str:
        if isinstance(self._kinds, int):
            return f"<Motions: {_KINDS[self._kinds].__name__}, shape {self.shape}>"
        counts = zip(_KINDS, np.bincount(self._kinds, minlength=3).tolist(), strict=True)
        return f"<Motions: {', '.join(f'{n} {kind.__name__}' for kind, n in counts if n)}, shape {self.shape}>"


def _made(kinds: int | NDArray[np.uint8], columns: NDArray[Any], shape: Shape) -> Motions:
    motions = Motions.__new__(Motions)
    motions._put(kinds, columns, shape)  # noqa: SLF001  (a constructor)
    return motions


def single(motion: Translate | Turn) -> Motions:
    """Return one motion as Motions of shape ()."""
    one = Motions([motion])
    return _made(one._kinds, one._columns, ())  # noqa: SLF001  (a constructor)


def translations(vectors: ArrayLike, name: str) -> Motions:
    """As `Motions.translate`, with error messages that begin with `name`."""
    given = checks.array(vectors, name, "an array of shape (..., 3)", InvalidMotion)
    if given.shape == (0,):
        given = given.reshape(0, 3)
    if given.ndim == 0 or given.shape[-1] != 3:
        raise InvalidMotion(f"{name}: expected shape (..., 3), got {given.shape}")
    shape = given.shape[:-1]
    rows = leading.kept(given, vectors).reshape(-1, 3)
    leading.refuse_not_finite(rows, shape, name, InvalidMotion)
    return _made(_TRANSLATE, rows, shape)


def part_of(motions: Motions, rows: NDArray[np.int64]) -> Motions:
    """Return the motions with these row numbers, of any shape, copied."""
    kinds, flat = motions._kinds, rows.reshape(-1)  # noqa: SLF001  (a constructor)
    columns = np.array(motions._columns[flat])  # noqa: SLF001
    return _made(kinds if isinstance(kinds, int) else kinds[flat], columns, rows.shape)


def paths_of(motions: Motions, rows: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
    """Return some rows as kernels take them.

    Paths (n, 11): the unit direction and zeros of a straight motion, the orbit of a turn, as `orbit_of`. Lengths (n,).
    Which ones turn (n,).
    """
    kinds, columns = motions._kinds, motions._columns[rows]  # noqa: SLF001  (the only access, for queries)
    columns = np.asarray(columns, np.float64)
    paths = np.zeros((len(rows), 11))
    if isinstance(kinds, int) and kinds == _TRANSLATE:
        paths[:, :3] = units(columns)
        return paths, lengths_of(columns), np.zeros(len(rows), np.bool_)
    axis, angle, slide = columns[:, _AXIS], columns[:, _ANGLE], columns[:, _SLIDE]
    sign = np.where(angle < 0.0, -1.0, 1.0)
    paths[:, :3] = sign[:, None] * axis
    paths[:, 3:6], paths[:, 6:9] = columns[:, _ARM], columns[:, _POINT]
    lengths = paths[:, 9] = np.abs(angle)
    paths[:, 10] = sign * slide
    turning = lengths * LONGEST > np.abs(slide)
    vectors = slide[:, None] * axis
    if not isinstance(kinds, int):
        plain = kinds[rows] == _TRANSLATE
        turning &= ~plain
        vectors[plain] = axis[plain]
    straight = np.flatnonzero(~turning)
    paths[straight] = 0.0
    paths[straight, :3] = units(vectors[straight])
    lengths = lengths.copy()
    lengths[straight] = lengths_of(vectors[straight])
    return paths, lengths, turning


def _row(motion: Translate | Turn) -> tuple[float, ...]:
    """Return a motion as columns."""
    if isinstance(motion, Translate):
        return (*motion.vector, *(_TURN - 3) * (0.0,))
    orbit = orbit_of(motion).tolist()
    return (*motion.axis, motion.angle, motion.slide, *motion.about, *orbit[6:9], *orbit[3:6])


def _turns(kind: int, axis: ArrayLike, angle: ArrayLike, slide: ArrayLike, about: ArrayLike) -> Motions:
    name = f"Motions.{_KINDS[kind].__name__.lower()}"
    given = {"axis": axis, "angle": angle, "slide": slide, "about": about}
    found: dict[str, NDArray[np.float64]] = {}
    for what, value in given.items():
        width = 3 if what in ("axis", "about") else 1
        expected = "an array of shape (..., 3)" if width == 3 else "an array of numbers"
        numbers = checks.array(value, f"{name}: {what}", expected, InvalidMotion).astype(np.float64)
        if width == 3 and (numbers.ndim == 0 or numbers.shape[-1] != 3):
            raise InvalidMotion(f"{name}: {what}: expected shape (..., 3), got {numbers.shape}")
        found[what] = numbers if width == 3 else numbers[..., None]
        shape = found[what].shape[:-1]
        rows = found[what].reshape(-1, 3) if width == 3 else found[what].reshape(-1)
        leading.refuse_not_finite(rows, shape, f"{name}: {what}", InvalidMotion)
        if what == "axis" and not np.all(some := rows.any(axis=1)):
            where = leading.place(int(np.argmin(some)), shape)
            raise InvalidMotion(f"{name}: axis{where} is 0 0 0; it must have a direction")
    shape = leading.common({what: numbers.shape[:-1] for what, numbers in found.items()}, InvalidMotion)
    columns = np.zeros((*shape, _TURN))
    columns[..., _AXIS] = axes(found["axis"].reshape(-1, 3)).reshape(found["axis"].shape)
    columns[..., _ANGLE], columns[..., _SLIDE] = found["angle"][..., 0], found["slide"][..., 0]
    columns[..., _ABOUT] = columns[..., _POINT] = found["about"]
    return _made(kind, columns.reshape(-1, _TURN), shape)


def _screws(start: NDArray[np.float64], end: NDArray[np.float64]) -> NDArray[np.float64]:
    """As `screw_between`, to the bit, for poses (n, 4, 4); return columns."""
    columns = np.zeros((len(start), _TURN))
    axis, angle = axis_angles(turns_between(start, end))
    point = start[:, :3, 3]
    moved = end[:, :3, 3] - point
    columns[:, _POINT] = point
    still = angle <= NO_TURN
    sizes = lengths_of(moved[still])
    columns[still, _AXIS] = axes(moved[still])
    columns[still, _SLIDE] = sizes
    columns[still, _ABOUT] = point[still]
    (x, y, z), angle, (mx, my, mz) = axis[~still].T, angle[~still], moved[~still].T
    slide = x * mx + y * my + z * mz
    mx, my, mz = mx - slide * x, my - slide * y, mz - slide * z
    # Python's functions, not numpy's: those may differ in the last bit.
    out = 0.5 / np.array(list(map(math.tan, (0.5 * angle).tolist())))
    lever = np.empty((len(angle), 3))
    lever[:, 0] = -0.5 * mx - out * (y * mz - z * my)
    lever[:, 1] = -0.5 * my - out * (z * mx - x * mz)
    lever[:, 2] = -0.5 * mz - out * (x * my - y * mx)
    columns[~still, _AXIS], columns[~still, _ANGLE], columns[~still, _SLIDE] = axis[~still], angle, slide
    columns[~still, _ABOUT] = point[~still] - lever
    columns[~still, _ARM] = lever
    return columns


def axis_angles(turns: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return unit axes (n, 3) and angles (n,) of rotations (n, 3, 3): as for a single one."""
    m = turns.transpose(1, 2, 0)
    parts = np.stack(
        (
            1.0 + m[0, 0] + m[1, 1] + m[2, 2],
            1.0 + m[0, 0] - m[1, 1] - m[2, 2],
            1.0 - m[0, 0] + m[1, 1] - m[2, 2],
            1.0 - m[0, 0] - m[1, 1] + m[2, 2],
        )
    )
    skew = (m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1])
    a, b, c = m[0, 1] + m[1, 0], m[2, 0] + m[0, 2], m[1, 2] + m[2, 1]
    choices = np.stack(
        [
            np.stack(quaternion)
            for quaternion in (
                (parts[0], *skew),
                (skew[0], parts[1], a, b),
                (skew[1], a, parts[2], c),
                (skew[2], b, c, parts[3]),
            )
        ]
    )
    quaternion = choices[np.argmax(parts, axis=0), :, np.arange(len(turns))]
    quaternion[quaternion[:, 0] < 0.0] *= -1.0
    vectors = quaternion[:, 1:]
    sines = lengths_of(vectors)
    angles = 2.0 * np.array(list(map(math.atan2, sines.tolist(), quaternion[:, 0].tolist())))
    return axes(vectors), angles
