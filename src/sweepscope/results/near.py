"""Results of distances: how near bodies are, and where."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..immutable import Frozen
from ..leading import Row, Rows, numbers_at
from ..renderers import Pictured
from .hits import Feature, Later
from .numbers import plain

if TYPE_CHECKING:
    from ..world.body import Body

PairKind = Literal["crossing", "inside", "duplicate", "touching", "apart"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PairDistance(Later, Pictured):
    """How near two bodies are, and the nearest point of each. `float(pair)` is the distance.

    Its `picture` shows the scene as it is now, and the line between the two points.
    """

    _drawn_as = "pair_distance"

    distance: float
    """[length]; 0 if they touch or overlap, infinite if one of them is empty. Never larger than the true distance."""
    first: Body
    second: Body
    first_point: NDArray[np.float64]
    """The nearest point of the first body: shape (3,) [length], world. If nested, both are one point of the inner body."""
    second_point: NDArray[np.float64]
    normal: NDArray[np.float64]
    """Unit, from the second towards the first: shape (3,), world. NaN if their surfaces meet, or if nested."""
    features: tuple[Feature, Feature]
    """The features on which the nearest points lie."""
    kind: PairKind
    """crossing: they overlap, and each has something outside the other. inside: one is wholly inside the other. duplicate: each
    is inside the other. touching: they are not farther apart, and not deeper in each other, than the tolerance. apart."""
    inner: Body | None
    """The body that is inside the other; None if the kind is not "inside"."""

    @property
    def overlapping(self) -> bool:
        """True if the two overlap, by more than the tolerance: the kind is "crossing", "inside" or "duplicate"."""
        return self.kind not in ("touching", "apart")

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Make the features. Python calls this only for attributes that are not set yet."""
            if name != "features":
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            make, found = self._later
            object.__setattr__(self, name, make(*found))
            return self.features

    @property
    def bodies(self) -> tuple[Body, Body]:
        """Both bodies."""
        return self.first, self.second

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, which `json.dumps` takes: bodies by name, arrays as lists, None for absent values."""
        absent = self.features[0].kind == "none"
        return {
            "distance": float(self.distance) if np.isfinite(self.distance) else None,
            "first": self.first.name,
            "second": self.second.name,
            "kind": self.kind,
            "inner": None if self.inner is None else self.inner.name,
            "first_point": plain(self.first_point),
            "second_point": plain(self.second_point),
            "normal": plain(self.normal),
            "features": None if absent else [feature.as_dict() for feature in self.features],
        }

    def __float__(self) -> float:
        return float(self.distance)

    def __repr__(self) -> str:
        one, other = self.bodies
        if self.inner is not None:
            one, other = (one, other) if self.inner == one else (other, one)
            return f"<PairDistance: {one.name!r} is inside {other.name!r}>"
        how = {"crossing": "cross", "duplicate": "are duplicates", "touching": "touch"}.get(self.kind)
        return f"<PairDistance: {one.name!r} and {other.name!r} {how or f'are {self.distance:.6g} apart'}>"


_new_pair: Any = PairDistance.__new__
# Setters of the slots: a frozen class has no others, and by name they take longer.
_setters = tuple(
    getattr(PairDistance, name).__set__
    for name in ("distance", "first", "second", "first_point", "second_point", "normal", "kind", "inner", "_later")
)


def pair_distance(*values: Any) -> PairDistance:
    """Return a pair whose features are made when they are first read: distance, bodies, points, normal, kind, inner, later.

    later: a function that returns the features, and its arguments.
    """
    pair = _new_pair(PairDistance)
    for put, value in zip(_setters, values, strict=True):
        put(pair, value)
    return pair


@dataclass(frozen=True, slots=True, eq=False)
class Distances(Frozen):
    """Distances at many poses: the fields of `PairDistance` as arrays of any leading shape; the index of a row selects it.

    Where no body is within the limit, distance is infinite, ids are -1 and numbers NaN; false if that is everywhere.
    """

    distance: NDArray[np.float64]
    """Distance of the nearest body [length], shape (...); 0 if they touch or overlap. Never larger than the true distance."""
    first: NDArray[np.int64]
    """Id of the mover that is nearest to it, shape (...)."""
    second: NDArray[np.int64]
    """Id of the nearest body, shape (...). `scene[id]` is the body."""
    first_point: NDArray[np.float64]
    """The mover's nearest point, shape (..., 3) [length], world."""
    second_point: NDArray[np.float64]
    normal: NDArray[np.float64]
    """Unit, from the second towards the first, shape (..., 3), world; NaN if their surfaces meet."""
    faces: NDArray[np.int32]
    """Faces of both on which the points lie, shape (..., 2); of a volume the index of the voxel, in C order; -1 if nested."""
    kinds: NDArray[np.int8]
    """Kinds of the features, shape (..., 2): 1 vertex, 2 edge, 3 face; 0 if nested; -1 if there is no body."""
    overlapping: NDArray[np.bool_]
    """Whether the two overlap, shape (...)."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Leading shape."""
        return self.distance.shape

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return copies of the arrays by name."""
        return {field.name: np.array(getattr(self, field.name), order="C") for field in fields(self)}

    def __bool__(self) -> bool:
        return bool((self.second >= 0).any())

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("Distances of shape () have no len")
        return self.shape[0]

    def __getitem__(self, key: Row | Rows) -> Distances:
        numbers_at(key, self.shape)  # raises if it is not an index of rows
        return Distances(*[np.asarray(getattr(self, field.name)[key]) for field in fields(self)])

    def __repr__(self) -> str:
        near = self.distance.min() if self.distance.size else np.inf
        return (
            f"<Distances: {int(self.overlapping.sum())} of {self.distance.size} overlap, least {near:.6g}, shape {self.shape}>"
        )
