"""Hits: the answers of many sweeps as one structured array, a row for each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from os import PathLike
from typing import Any, ClassVar, Self, overload

import numpy as np
from numpy.typing import NDArray

from .. import leading
from ..errors import InvalidGeometry, NotFound
from ..formats.arrays import Archive, Header, Member, write_archive
from ..formats.file_reader import FileReader, Limits
from ..leading import Row, Rows
from .gradient import HitGradients
from .hits import Hit

KINDS = ("none", "vertex", "edge", "face")
"""Kinds of features; their numbers in a table count the vertices."""
HIT_ROW = np.dtype(
    [
        ("time", np.float64),
        ("travel", np.float64),
        ("obstacle", np.int64),
        ("mover", np.int64),
        ("point", np.float64, (3,)),
        ("normal", np.float64, (3,)),
        ("faces", np.int32, (2,)),
        ("vertices", np.int32, (2, 3)),
        ("voxels", np.int32, (2, 3)),
        ("kinds", np.int8, (2,)),
        ("overlapping", np.bool_),
    ],
    align=True,
)
_NAMES = HIT_ROW.names or ()
_TEXT = "hits.json"
_FORMAT, _VERSION = "sweepscope hits", 1
_TIMES = 32  # bytes that a byte of JSON may take in memory


class Hits:
    """Answers of many sweeps: the fields of `Hit` as arrays of any leading shape. True if there is any hit.

    `hits[i]` is the Hit that a single sweep returns, or None if that motion is free; where i selects several rows, it is Hits.
    Rows are views of `table`. Where a motion is free, time is 1, travel the whole motion, numbers are NaN and indices -1.
    """

    __slots__ = ("_hit_of", "_rows", "names", "table")

    dtype: ClassVar[np.dtype[Any]] = HIT_ROW
    """Of `table`."""
    table: NDArray[Any]
    """All fields, one structured array."""
    names: dict[int, str]
    """Names of the bodies in the table, by id."""

    def __init__(
        self,
        table: NDArray[Any],
        names: dict[int, str],
        hit_of: Callable[[int, Any], Hit] | None,
        rows: NDArray[np.int64] | None = None,
    ):
        """hit_of: makes the Hit of a row, given its number and its record. rows: these numbers, if not all in order."""
        self.table = table
        self.names = names
        self._hit_of = hit_of
        self._rows = rows

    @classmethod
    def load(cls, path: str | PathLike[str], *, limits: Limits | None = None) -> Self:
        """Read hits that `save` wrote: the arrays and names. Without its scene, a row does not make a `Hit`.

        limits: how large the file may be, and what it unpacks to; None for the usual ones.
        """
        reader = FileReader(limits)
        file, content = reader.read(path, (".npz",), "hits")
        archive = Archive(file, content, reader)
        missing = [name for name in (_TEXT, *(f"{name}.npy" for name in _NAMES)) if name not in archive.members]
        if missing:
            raise InvalidGeometry(f"{file}: does not hold hits: it has no {missing[0]}")
        names = _names_in(str(file), archive.text(_TEXT, _TIMES))
        shape: tuple[int, ...] | None = None
        columns = {}
        for name in _NAMES:
            columns[name] = column = archive.array(name, _check_of(name))
            lead = column.shape[: column.ndim - len(HIT_ROW[name].shape)]
            if shape is not None and lead != shape:
                raise InvalidGeometry(f"{file}: its array {name} has leading shape {lead}, others have {shape}")
            shape = lead
        table = np.zeros(shape or (), HIT_ROW)
        for name, column in columns.items():
            table[name] = column
        return cls(table, names, None)

    def save(self, path: str | PathLike[str]) -> None:
        """Write them to an .npz file, which `numpy.load` reads too: the arrays of `to_dict`, and names of bodies."""
        text = {"format": _FORMAT, "version": _VERSION, "names": {str(number): name for number, name in self.names.items()}}
        members = [Member(f"{name}.npy", self.table[name], name in ("voxels", "kinds", "overlapping")) for name in _NAMES]
        write_archive(path, [Member(_TEXT, json.dumps(text).encode("ascii"), packed=True), *members])

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return copies of the arrays by name."""
        return {name: np.array(self.table[name], order="C") for name in _NAMES}

    @property
    def shape(self) -> tuple[int, ...]:
        """Leading shape."""
        return self.table.shape

    @property
    def free(self) -> NDArray[np.bool_]:
        """Whether each motion is free, shape (...)."""
        return self.table["mover"] < 0

    def _field(self, name: str) -> NDArray[Any]:
        """Return a view that cannot be written: a row with other ids would have no bodies."""
        field = self.table[name]
        field.flags.writeable = False
        return field

    @property
    def time(self) -> NDArray[np.float64]:
        """Fraction of the motion, 0 .. 1, shape (...); 1 if free."""
        return self._field("time")

    @property
    def travel(self) -> NDArray[np.float64]:
        """How far the mover can move, shape (...): [length] for a translation, [radians] for a turn."""
        return self._field("travel")

    @property
    def obstacle(self) -> NDArray[np.int64]:
        """Id of the body that was hit, shape (...); -1 if free. `scene[id]` is the body."""
        return self._field("obstacle")

    @property
    def mover(self) -> NDArray[np.int64]:
        """Id of the mover that hit it, shape (...); -1 if free."""
        return self._field("mover")

    @property
    def point(self) -> NDArray[np.float64]:
        """Contact points [length], shape (..., 3), world; NaN if free."""
        return self._field("point")

    @property
    def normal(self) -> NDArray[np.float64]:
        """Unit, from the obstacle towards the mover, shape (..., 3), world; NaN if free or one is wholly inside."""
        return self._field("normal")

    @property
    def overlapping(self) -> NDArray[np.bool_]:
        """Whether the two overlap at the start, shape (...)."""
        return self._field("overlapping")

    @property
    def kinds(self) -> NDArray[np.int8]:
        """Features of mover and obstacle, shape (..., 2): 1 vertex, 2 edge, 3 face, 0 if one is wholly inside; -1 if free."""
        return self._field("kinds")

    @property
    def faces(self) -> NDArray[np.int32]:
        """Faces of mover and obstacle that have the features, shape (..., 2); -1 if there is none."""
        return self._field("faces")

    @property
    def vertices(self) -> NDArray[np.int32]:
        """Vertices of the features of mover and obstacle, shape (..., 2, 3); -1 where there are fewer."""
        return self._field("vertices")

    @property
    def voxels(self) -> NDArray[np.int32]:
        """Voxels (i, j, k) that touch, of mover and obstacle, shape (..., 2, 3); -1 if it is not a volume."""
        return self._field("voxels")

    def gradient(self) -> HitGradients:
        """Return the derivatives of `time` of each row, with the bits of `Hit.gradient`; NaN where a motion is free.

        It raises as `Hit.gradient` does, if the scene has changed. See docs/gradient.md.
        """
        from .differentiate import gradients_of

        rows = (self[index] for index in np.ndindex(self.shape))
        return gradients_of([row for row in rows if not isinstance(row, Hits)], self.shape)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("Hits of shape () have no len")
        return self.shape[0]

    def __bool__(self) -> bool:
        return not bool(self.free.all())

    # For type checkers an index of whole numbers is that of a row, as it is for a table with one axis.
    @overload
    def __getitem__(self, key: Row) -> Hit | None: ...  # type: ignore[overload-overlap]
    @overload
    def __getitem__(self, key: Rows) -> Hits: ...

    def __getitem__(self, key: Any) -> Any:
        chosen = leading.numbers_at(key, self.shape)
        if not isinstance(chosen, int):
            rows = chosen if self._rows is None else self._rows.reshape(-1)[chosen]
            return Hits(self.table[key], self.names, self._hit_of, rows)
        index = np.unravel_index(chosen, self.shape) if self.shape else ()
        record = self.table[index]
        if record["mover"] < 0:
            return None
        if self._hit_of is None:
            raise NotFound("these hits were loaded without their scene, so a row has no bodies; use the arrays")
        return self._hit_of(chosen if self._rows is None else int(self._rows[index]), record)

    def __iter__(self) -> Iterator[Hit | Hits | None]:
        return (self[k] for k in range(len(self)))

    def __repr__(self) -> str:
        return f"<Hits: {int((~self.free).sum())} of {self.table.size} motions hit, shape {self.shape}>"


def _check_of(name: str) -> Callable[[Header, str], None]:
    """Return a check of a saved array."""
    field = HIT_ROW[name]

    def check(header: Header, what: str) -> None:
        if header.dtype != field.base:
            raise InvalidGeometry(f"{what} has dtype {header.dtype}; expected {field.base}")
        if header.shape[len(header.shape) - len(field.shape) :] != field.shape:
            raise InvalidGeometry(f"{what} has shape {header.shape}; expected (..., {str(field.shape)[1:-1].rstrip(',')})")

    return check


def _names_in(file: str, text: bytes) -> dict[int, str]:
    try:
        found = json.loads(text)
        if found["format"] == _FORMAT and found["version"] == _VERSION:
            return {int(number): str(name) for number, name in found["names"].items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        pass
    raise InvalidGeometry(f"{file}: {_TEXT} does not say format {_FORMAT!r}, version {_VERSION}, and names")
