"""A fan by the thesis' own tests (Yamamoto 2023, 2.2 to 2.7), with their errata corrected: `kernels.fan_published`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sweepscope import checks
from sweepscope.fan import Fan
from sweepscope.fan.fan import numbers_of

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


class PublishedFan:
    """A fan whose questions are answered by the tests of the thesis. Touching is a hit.

    Its 3D capsule test encloses the capsule, so it may report false hits. Questions are those of `Fan`; they take arrays of
    things and return arrays. Those of the plane need a fan about z.
    """

    def __init__(self, fan: Fan) -> None:
        self.fan = fan
        self._numbers = numbers_of(fan)

    def contains(self, points: ArrayLike) -> Bools:
        """Return which points (n, 3) are in the fan, shape (n,) (2.2)."""
        from ..kernels.fan_published_many import points as kernel

        return self._asked(kernel, _rows(points, 3, "points"))

    def hits_circles(self, centers: ArrayLike, radii: ArrayLike) -> Bools:
        """Return which circles of the xy plane meet the fan, shape (n,): centers (n, 2), radii one or (n,) (2.4)."""
        return self.hits_spheres(self._lifted(centers, "centers"), radii)

    def hits_rectangles(self, centers: ArrayLike, sizes: ArrayLike, angles: ArrayLike) -> Bools:
        """Return which rectangles of the xy plane meet the fan, shape (n,): centers, full widths (n, 2), angles (n,) (2.3)."""
        from ..kernels.fan_published_many import rectangles as kernel

        places = _rows(centers, 2, "centers")
        turned = checks.column(angles, len(places), "angles")
        return self._asked(kernel, places, _rows(sizes, 2, "sizes"), np.cos(turned), np.sin(turned))

    def hits_capsules_2d(self, p0: ArrayLike, p1: ArrayLike, radii: ArrayLike) -> Bools:
        """Return which capsules of the xy plane meet the fan, shape (n,): ends (n, 2), radii one or (n,) (2.6)."""
        return self.hits_capsules(self._lifted(p0, "p0"), self._lifted(p1, "p1"), radii)

    def hits_spheres(self, centers: ArrayLike, radii: ArrayLike) -> Bools:
        """Return which spheres meet the fan, shape (n,): centers (n, 3), radii one or (n,) (2.5)."""
        from ..kernels.fan_published_many import spheres as kernel

        places = _rows(centers, 3, "centers")
        return self._asked(kernel, places, checks.column(radii, len(places), "radii"))

    def hits_capsules(self, p0: ArrayLike, p1: ArrayLike, radii: ArrayLike) -> Bools:
        """Return which capsules meet the fan, shape (n,): ends (n, 3), radii one or (n,) (2.7)."""
        from ..kernels.fan_published_many import capsules as kernel

        starts = _rows(p0, 3, "p0")
        return self._asked(kernel, starts, _rows(p1, 3, "p1"), checks.column(radii, len(starts), "radii"))

    def capsules_of_plane(self, p0: ArrayLike, p1: ArrayLike, radii: ArrayLike) -> Floats:
        """Return what `hits_capsules` tests instead (2.22 to 2.31), in the fan's frame, shape (n, 5): plane ends, radius.

        The radius is -1 for a capsule that does not reach the slab.
        """
        from ..kernels.fan_published_many import capsules_of_plane as kernel

        into = self._numbers[3:12].reshape(3, 3)
        ends = [
            np.ascontiguousarray((_rows(end, 3, name) - self._numbers[:3]) @ into.T) for end, name in ((p0, "p0"), (p1, "p1"))
        ]
        out = np.empty((len(ends[0]), 5))
        kernel(self.fan.half_thickness, *ends, checks.column(radii, len(ends[0]), "radii"), out)
        return out

    def _lifted(self, flat: ArrayLike, name: str) -> Floats:
        """Return points of the xy plane, moved to the plane of the fan, shape (n, 3)."""
        places = _rows(flat, 2, name)
        return np.column_stack((places, np.full(len(places), self.fan.center[2])))

    def _asked(self, kernel: Callable[..., None], *arrays: Floats) -> Bools:
        out = np.zeros(len(arrays[0]), np.bool_)
        kernel(self._numbers, *arrays, out)
        return out


def _rows(value: ArrayLike, width: int, name: str) -> Floats:
    return checks.rows(value, width, name)[0]
