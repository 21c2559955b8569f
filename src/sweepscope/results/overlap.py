"""Results of overlap tests of volumes."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidQuery
from ..renderers import Drawable, renderer_for
from .numbers import plain

if TYPE_CHECKING:
    from os import PathLike

    from numpy.typing import ArrayLike

    from ..drawing.picture import Picture
    from ..shapes import Volume


class _Grid(NamedTuple):
    """What an overlap keeps of a volume when it is copied or pickled."""

    origin: tuple[float, float, float]
    spacing: tuple[float, float, float]
    resolution: tuple[int, int, int]
    version: int


class OverlapResult(Drawable, ABC):
    """Result of an overlap test of two volumes: true or false. Details are computed when they are first read.

    Voxels are those of the first volume; coordinates are in its frame. If a volume changes after the test, details that were
    not read before raise InvalidQuery. A copy or a pickle holds all details, and not the volumes.
    """

    __slots__ = ("_culls", "_found", "_known", "_remainders", "_versions", "_volumes")

    _volumes: tuple[Volume, Volume]  # two _Grid once copied
    _versions: tuple[int, int]
    _culls: int
    _found: bool
    _known: tuple[NDArray[np.int64], NDArray[np.float64]] | None
    _remainders: dict[int, int]

    def _set(self, a: Volume, b: Volume, culls: int, found: bool) -> None:
        self._volumes = (a, b)
        self._versions = (a.version, b.version)
        self._culls = culls
        self._found = found
        self._known = None
        self._remainders = {}  # by culls, how many voxels of the first volume they leave, as far as known

    @abstractmethod
    def _find(self, places: NDArray[np.int64]) -> tuple[int, NDArray[np.float64]]:
        """Fill `places` with shared voxels, as many as fit; return their total number, and the slope for the normal."""

    @abstractmethod
    def _remaining(self, culls: int) -> int:
        """Return how many voxels of the first volume these culls leave."""

    @abstractmethod
    def _towards(self) -> NDArray[np.float64]:
        """Return the vector from the middle of the second volume's box to that of the first's [length]."""

    @property
    @abstractmethod
    def pose(self) -> NDArray[np.float64]:
        """Pose of the second volume in the frame of the first, shape (4, 4). A copy or a pickle has none and raises."""

    @property
    def volumes(self) -> tuple[Volume, Volume]:
        """The two volumes. A copy or a pickle has none and raises InvalidQuery."""
        return self._volumes

    def picture(
        self,
        path: str | PathLike[str] | None = None,
        *,
        eye: ArrayLike | None = None,
        target: ArrayLike | None = None,
        up: ArrayLike | None = None,
        size: tuple[int, int] = (800, 600),
        dark: bool = False,
        names: tuple[str, str] = ("first", "second"),
    ) -> Picture:
        """Draw both volumes as glass and the voxels that overlap in red, in the frame of the first.

        names: what the legend calls the volumes. Other arguments: as in `Scene.picture`.
        """
        return renderer_for("overlap")(self, path, eye=eye, target=target, up=up, size=size, dark=dark, names=names)

    def __reduce__(self) -> tuple[Any, ...]:
        if self._versions == tuple(volume.version for volume in self._volumes):
            self._details()
            _ = self.removed
        grids = tuple(_Grid(each.origin, each.spacing, each.resolution, each.version) for each in self._volumes)
        return _copied, (grids, self._versions, self._culls, self._found, self._known, self._remainders)

    def __bool__(self) -> bool:
        return self._found

    @property
    def voxels(self) -> NDArray[np.int64]:
        """Indices into the first volume, shape (n, 3), in the order of its memory, read-only."""
        return self._details()[0]

    @property
    def count(self) -> int:
        """Number of voxels of the first volume that overlap."""
        return len(self.voxels)

    @property
    def region(self) -> NDArray[np.int64]:
        """Lowest index and one past the highest of these voxels, shape (2, 3); zeros without overlap."""
        if not self.count:
            return np.zeros((2, 3), np.int64)
        return np.stack((self.voxels.min(axis=0), self.voxels.max(axis=0) + 1))

    @property
    def center(self) -> NDArray[np.float64]:
        """Mean of the centers of these voxels [length], shape (3,); NaN without overlap."""
        if not self.count:
            return np.full(3, np.nan)
        first = self._volumes[0]
        return first.origin + (self.voxels.mean(axis=0) + 0.5) * first.spacing

    @property
    def normal(self) -> NDArray[np.float64]:
        """Unit, from the second towards the first, shape (3,), read-only: the direction to separate them; NaN without overlap.

        It is the gradient of occupancy where they overlap. If that is zero, it points from the middle of the second's box to
        that of the first's; if that is zero too, along the shortest side of the region.
        """
        return self._details()[1]

    @property
    def removed(self) -> dict[str, int]:
        """Number of voxels of the first volume that each cull removed, in order: "box", "planes", "lines", if used."""
        counts, left, used = {}, math.prod(self._volumes[0].resolution), 0
        for n, name in enumerate(("box", "planes", "lines")):
            if self._culls >> n & 1:
                used |= 1 << n
                if used not in self._remainders:
                    self._check()
                    self._remainders[used] = self._remaining(used)
                counts[name], left = left - self._remainders[used], self._remainders[used]
        return counts

    @property
    def tested(self) -> int:
        """Number of voxels of the first volume that are left to test after the culls."""
        return math.prod(self._volumes[0].resolution) - sum(self.removed.values())

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, which `json.dumps` takes: how many voxels overlap and where, and what the culls removed.

        region, center and normal are None without overlap.
        """
        return {
            "overlap": bool(self),
            "count": self.count,
            "region": self.region.tolist() if self else None,
            "center": plain(self.center),
            "normal": plain(self.normal),
            "voxels": math.prod(map(int, self._volumes[0].resolution)),
            "removed": {name: int(count) for name, count in self.removed.items()},
            "tested": int(self.tested),
        }

    def _check(self) -> None:
        for name, volume, version in zip("ab", self._volumes, self._versions, strict=True):
            if volume.version != version:
                raise InvalidQuery(f"overlap: volume {name} has changed since the test; call overlap again")

    def _details(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        if self._known is None:
            self._check()
            count, slope = self._find(np.empty((0, 3), np.int64)) if self._found else (0, np.zeros(3))
            places = np.empty((count, 3), np.int64)
            if count:
                self._find(places)
            places.setflags(write=False)
            a = self._volumes[0]
            towards = (slope, count / min(a.spacing)), (self._towards(), float(np.ptp(a.bounds, axis=0).max()))
            normal = _unit(towards, places) if count else np.full(3, np.nan)
            normal.setflags(write=False)
            self._known = places, normal
        return self._known

    def __repr__(self) -> str:
        if self._known is None:
            return f"<OverlapResult: {self._found}>"
        return f"<OverlapResult: {self._found}, {len(self._known[0])} voxels>"


class _Copied(OverlapResult):
    """A copied or unpickled overlap. What it does not know it cannot find: `_check` has said so before that is asked."""

    __slots__ = ()

    @property
    def pose(self) -> NDArray[np.float64]:
        """Raises: the volumes stayed behind."""
        raise InvalidQuery("overlap: a copy holds no volumes, so it has no pose")

    @property
    def volumes(self) -> tuple[Volume, Volume]:
        """Raises: the volumes stayed behind."""
        raise InvalidQuery("overlap: a copy holds no volumes; call overlap again")

    def _find(self, places: NDArray[np.int64]) -> tuple[int, NDArray[np.float64]]:
        raise AssertionError

    def _remaining(self, culls: int) -> int:
        raise AssertionError

    def _towards(self) -> NDArray[np.float64]:
        raise AssertionError


def _copied(grids: Any, versions: Any, culls: int, found: bool, known: Any, lefts: dict[int, int]) -> OverlapResult:
    """Return a copied or unpickled overlap."""
    overlap = _Copied()
    overlap._volumes, overlap._versions, overlap._culls, overlap._found = grids, versions, culls, found  # noqa: SLF001
    for array in known or ():
        array.setflags(write=False)
    overlap._known, overlap._remainders = known, lefts  # noqa: SLF001  (a constructor)
    return overlap


def _unit(towards: Iterable[tuple[NDArray[np.float64], float]], voxels: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the first of these vectors that is long enough beside its scale, as a unit vector; else the shortest side."""
    for direction, scale in towards:
        size = float(np.linalg.norm(direction))
        if size > 1e-9 * scale:
            return direction / size
    thin = np.zeros(3)
    thin[np.argmin(np.ptp(voxels, axis=0))] = 1.0
    return thin
