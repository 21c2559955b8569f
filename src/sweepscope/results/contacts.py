"""Results of contacts: where bodies touch, or are near, reduced to a few places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..immutable import Frozen
from ..renderers import Pictured
from .numbers import plain

if TYPE_CHECKING:
    from ..scene import Scene
    from ..world.body import Body
    from .hits import Feature


@dataclass(frozen=True, slots=True, eq=False)
class ContactPatch(Frozen):
    """Up to four contacts of two bodies, with similar normals: those of one area of contact. The nearest comes first."""

    body: Body
    """The body that was asked for."""
    other: Body
    overlapping: bool
    """True if the two bodies overlap, by more than the tolerance: here or elsewhere."""
    points: NDArray[np.float64]
    """On the surface of `body`: shape (k, 3) [length], world."""
    other_points: NDArray[np.float64]
    """On the surface of `other`: shape (k, 3) [length], world. points - other_points is gaps * normals."""
    normals: NDArray[np.float64]
    """Unit, from `other` towards `body`: shape (k, 3), world. NaN if the bodies overlap and no way out was found."""
    gaps: NDArray[np.float64]
    """Distances of the points [length], shape (k,). Negative where the bodies overlap: how far `body` must move along the
    normal until the two features touch. NaN if the normal is."""
    features: tuple[tuple[Feature, Feature], ...]
    """For each contact the features of `body` and of `other` on which the points lie."""

    @property
    def normal(self) -> NDArray[np.float64]:
        """Normal of the first contact, the nearest: shape (3,)."""
        return self.normals[0].copy()

    @property
    def gap(self) -> float:
        """The least of the gaps [length]."""
        return float(self.gaps[0])

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, which `json.dumps` takes: bodies by name, arrays as lists, None for absent values."""
        return {
            "body": self.body.name,
            "other": self.other.name,
            "overlapping": bool(self.overlapping),
            "contacts": [
                {
                    "point": plain(point),
                    "other_point": plain(other),
                    "normal": plain(normal),
                    "gap": None if np.isnan(gap) else float(gap),
                    "features": None if pair[0].kind == "none" else [feature.as_dict() for feature in pair],
                }
                for point, other, normal, gap, pair in zip(
                    self.points, self.other_points, self.normals, self.gaps, self.features, strict=True
                )
            ],
        }

    def __len__(self) -> int:
        return len(self.gaps)

    def __repr__(self) -> str:
        number = f"{len(self)} contact{'s' if len(self) > 1 else ''}"
        return f"<ContactPatch: {self.body.name!r} on {self.other.name!r}, {number}, least gap {self.gap:.6g}>"


@dataclass(frozen=True, slots=True, eq=False)
class Contacts(Frozen, Pictured):
    """Contacts of a body, or of several, with all others, one row for each; patch by patch, those with the least gap first.

    False if there are none. `patches` are the same contacts, grouped. Its `picture` shows the scene as it is now, with the
    contacts and their normals.
    """

    _drawn_as = "contacts"

    patches: tuple[ContactPatch, ...]
    """Areas of contact, those with the least gap first."""
    body: NDArray[np.int64]
    """Id of the body that was asked for, shape (n,). `scene[id]` is the body."""
    other: NDArray[np.int64]
    """Id of the other body, shape (n,)."""
    patch: NDArray[np.int64]
    """Index of the patch, shape (n,)."""
    point: NDArray[np.float64]
    """On the surface of the body: shape (n, 3) [length], world."""
    other_point: NDArray[np.float64]
    """On the surface of the other: shape (n, 3) [length], world."""
    normal: NDArray[np.float64]
    """Unit, from the other towards the body: shape (n, 3), world."""
    gap: NDArray[np.float64]
    """Distance of the two points [length], shape (n,); negative where the bodies overlap: see `ContactPatch.gaps`."""
    overlapping: NDArray[np.bool_]
    """Whether the two bodies overlap, by more than the tolerance: shape (n,)."""
    scene: Scene
    """The scene of the bodies."""

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return copies of the arrays by name."""
        arrays = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value.copy() for name, value in arrays.items() if isinstance(value, np.ndarray)}

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, which `json.dumps` takes."""
        return {"patches": [patch.as_dict() for patch in self.patches]}

    def __iter__(self) -> Iterator[ContactPatch]:
        return iter(self.patches)

    def __len__(self) -> int:
        return len(self.gap)

    def __repr__(self) -> str:
        if not len(self):
            return "<Contacts: none>"
        bodies = len(np.unique(self.other))
        return f"<Contacts: {len(self)} in {len(self.patches)} patches with {bodies} bodies, least gap {self.gap.min():.6g}>"
