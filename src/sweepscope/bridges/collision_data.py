"""What a CollisionManager tells about contacts and distances: the names of trimesh's `ContactData` and `DistanceData`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import NotFound
from ..immutable import Frozen

if TYPE_CHECKING:
    from ..results import ContactPatch, PairDistance
    from ..world.body import Body


def _of(name: str, pair: tuple[str, str]) -> int:
    """Return which of two objects has a name."""
    if name not in pair:
        raise NotFound(f"name: no object {checks.shown(name)} here; accepted: {pair[0]!r}, {pair[1]!r}")
    return pair.index(name)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ContactData(Frozen):
    """One contact of two objects that collide."""

    pair: tuple[str, str]
    """Names of both."""
    point: NDArray[np.float64]
    """The middle between the points on both surfaces, shape (3,) [length], world."""
    normal: NDArray[np.float64]
    """Unit, from the second of `pair` towards the first, shape (3,), world. NaN if no way out was found."""
    depth: float
    """How far the first must move along the normal until the two do not overlap [length]. The shortest such way if both are
    convex, else the shortest that was found. NaN if none was."""
    faces: tuple[int, int]
    """Faces of both; -1 for a volume, or if no face is known."""

    @property
    def names(self) -> set[str]:
        """Names of both."""
        return set(self.pair)

    def index(self, name: str) -> int:
        """Return the face of the object of a name."""
        return self.faces[_of(name, self.pair)]

    def __repr__(self) -> str:
        return f"<ContactData: {self.pair[0]!r} and {self.pair[1]!r}, depth {self.depth:.6g}>"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DistanceData(Frozen):
    """Distance of two objects, and the nearest point of each."""

    pair: tuple[str, str]
    """Names of both."""
    distance: float
    """[length]; 0 if they touch. If they collide, minus the depth: see `ContactData.depth`."""
    points: NDArray[np.float64]
    """The nearest point of each, or those of the deepest contact: shape (2, 3) [length], world."""
    faces: tuple[int, int]
    """Faces of both; -1 for a volume, or if no face is known."""

    @property
    def names(self) -> set[str]:
        """Names of both."""
        return set(self.pair)

    def point(self, name: str) -> NDArray[np.float64]:
        """Return the nearest point of the object of a name, shape (3,) [length], world."""
        return self.points[_of(name, self.pair)].copy()

    def index(self, name: str) -> int:
        """Return the face of the object of a name on which its nearest point lies."""
        return self.faces[_of(name, self.pair)]

    def __repr__(self) -> str:
        return f"<DistanceData: {self.pair[0]!r} and {self.pair[1]!r}, {self.distance:.6g} apart>"


def contact_of_patch(patch: ContactPatch, k: int, names: dict[Body, str]) -> ContactData:
    """Return contact k of a patch. names: of bodies that are called otherwise."""
    pair = names.get(patch.body, patch.body.name), names.get(patch.other, patch.other.name)
    point = 0.5 * (patch.points[k] + patch.other_points[k])
    faces = patch.features[k][0].face, patch.features[k][1].face
    normal, depth = patch.normals[k].copy(), -float(patch.gaps[k])
    return ContactData(pair=pair, point=point, normal=normal, depth=depth, faces=faces)


def distance_of_pair(found: PairDistance, names: dict[Body, str]) -> DistanceData:
    """Return the distance of two bodies that do not overlap. names: of bodies that are called otherwise."""
    pair = names.get(found.first, found.first.name), names.get(found.second, found.second.name)
    faces = found.features[0].face, found.features[1].face
    points = np.stack((found.first_point, found.second_point))
    return DistanceData(pair=pair, distance=found.distance, points=points, faces=faces)


def distance_of_contact(found: ContactData) -> DistanceData:
    """Return the depth of a contact as a distance."""
    half = 0.5 * found.depth * found.normal
    points = np.stack((found.point - half, found.point + half))
    return DistanceData(pair=found.pair, distance=-found.depth, points=points, faces=found.faces)
