"""The fan: what a swinging box sweeps, a sector of a ring with a thickness. A box in the cylindrical chart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidGeometry
from ..motion import Rotate, frame_of, unit
from .base import Shape
from .solids import Box

if TYPE_CHECKING:
    Answer = bool | NDArray[np.bool_]

_COLUMNS = 128  # facets of a full ring: they stand out by 0.03 % of the radius
_SQUARE = 1e-6  # by how much two directions may fail to be square, or parallel [radians]


class Fan(Shape):
    """All points within `half_thickness` of a plane, `inner` to `outer` from the centre, `half_angle` to either side of `mid`.

    centre [length], axis (square to the plane) and mid (a direction in it): three numbers each, local. half_angle [radians]: 0
    to pi. inner, outer and half_thickness [length]. With the centre at the origin, axis z and mid x:
    {|z| <= half_thickness, inner <= rho <= outer, |phi| <= half_angle}.

    Its questions take one thing or many and answer with one bool or an array of them, shape (n,). Touching is a hit.
    Coordinates are those in which the fan is given. As a body in a scene it has facets, which enclose it.
    """

    __slots__ = ("_axis", "_centre", "_facets", "_half_angle", "_half_thickness", "_inner", "_mid", "_numbers", "_outer")

    def __init__(
        self,
        centre: ArrayLike,
        axis: ArrayLike,
        mid: ArrayLike,
        half_angle: float,
        inner: float,
        outer: float,
        half_thickness: float,
    ) -> None:
        place = checks.vector(centre, "Fan.centre", InvalidGeometry)
        up = _direction(axis, "Fan.axis")
        along = _direction(mid, "Fan.mid")
        off = sum(a * b for a, b in zip(up, along, strict=True))
        if abs(off) > _SQUARE:
            raise InvalidGeometry(
                f"Fan.mid: {checks.shown(along)} is not square to the axis {checks.shown(up)} (cosine {off:.3g}); give a "
                "direction in the plane of the fan"
            )
        # Rounded elsewhere: the nearest direction in the plane is what was meant.
        along = unit(*(m - off * a for a, m in zip(up, along, strict=True)))
        theta = checks.number(half_angle, "Fan.half_angle", InvalidGeometry)
        if not 0.0 <= theta <= math.pi + 1e-6:  # pi, rounded to single precision, is a little more
            raise InvalidGeometry(f"Fan.half_angle is {theta}; accepted: 0 to pi (radians)")
        near = checks.length(inner, "Fan.inner", InvalidGeometry)
        far = checks.length(outer, "Fan.outer", InvalidGeometry)
        if near > far:
            raise InvalidGeometry(f"Fan.inner is {near}, more than Fan.outer, {far}")
        thick = checks.length(half_thickness, "Fan.half_thickness", InvalidGeometry)
        self._keep(place, up, along, min(theta, math.pi), near, far, thick)

    def _keep(
        self,
        centre: tuple[float, float, float],
        axis: tuple[float, float, float],
        mid: tuple[float, float, float],
        half_angle: float,
        inner: float,
        outer: float,
        half_thickness: float,
    ) -> None:
        (ux, uy, uz), (ax, ay, az) = axis, mid
        across = (uy * az - uz * ay, uz * ax - ux * az, ux * ay - uy * ax)
        self._centre, self._axis, self._mid = centre, axis, mid
        self._half_angle, self._inner, self._outer, self._half_thickness = half_angle, inner, outer, half_thickness
        self._numbers = checks.fixed(np.array((*centre, *mid, *across, *axis, half_angle, inner, outer, half_thickness)))
        self._radius, self._solid, self._layout, self._bounds = 0.0, True, None, None
        self._facets: tuple[NDArray[np.float64], NDArray[np.int32]] | None = None  # made when first asked for

    @classmethod
    def flat(cls, centre: ArrayLike, mid: ArrayLike, half_angle: float, inner: float, outer: float) -> Fan:
        """Return a fan of the xy plane, for the questions in two dimensions: centre and mid are two numbers each."""
        x, y = _pair(centre, "Fan.centre")
        u, v = _pair(mid, "Fan.mid")
        return cls((x, y, 0.0), (0.0, 0.0, 1.0), (u, v, 0.0), half_angle, inner, outer, 0.0)

    @classmethod
    def of_swing(cls, box: Box, pose: ArrayLike, axis: ArrayLike, angle: float, about: ArrayLike = (0.0, 0.0, 0.0)) -> Fan:
        """Return the fan of a box that turns by `angle` [radians], right-handed about `axis` through `about`, as published.

        One edge of the box must be along the axis, another point at it, and the axis must not run through the inside. The box's
        width along the motion is left out, so that the fan misses some of what is swept: `enclosing` does not.
        """
        if not isinstance(box, Box):
            raise InvalidGeometry(f"box: expected a Box, got {checks.shown(box)}; Fan.enclosing takes any shape")
        turn = _turn("Fan.of_swing", axis, angle, about)
        matrix = checks.pose(pose)
        up = np.array(turn.axis)
        widths = box.bounds[1] - box.bounds[0]
        arm = matrix[:3, 3] - np.array(turn.about)
        height = float(arm @ up)
        arm -= height * up
        reach = float(np.linalg.norm(arm))
        if reach == 0.0:
            raise InvalidGeometry("of_swing: the axis runs through the box's centre; Fan.enclosing takes any pose")
        edges = matrix[:3, :3].T  # rows: the box's axes
        tall, long = int(np.argmax(np.abs(edges @ up))), int(np.argmax(np.abs(edges @ arm)))
        leans = float(np.linalg.norm(np.cross(edges[tall], up))), float(np.linalg.norm(np.cross(edges[long], arm))) / reach
        if max(leans) > _SQUARE:
            raise InvalidGeometry(
                "of_swing: one edge of the box must be along the axis and another point at it; Fan.enclosing takes any pose"
            )
        half = 0.5 * float(widths[long])
        if reach < half * (1.0 - 1e-12):
            raise InvalidGeometry(
                f"of_swing: the axis runs through the box, {reach:g} from the centre, {half:g} deep; Fan.enclosing may"
            )
        fan = cls.__new__(cls)
        mid = _about(up, arm / reach, 0.5 * turn.angle)
        place = np.array(turn.about) + height * up
        theta = min(0.5 * abs(turn.angle), math.pi)
        fan._keep(_three(place), turn.axis, mid, theta, max(0.0, reach - half), reach + half, 0.5 * float(widths[tall]))
        return fan

    @classmethod
    def enclosing(cls, shape: Shape, pose: ArrayLike, axis: ArrayLike, angle: float, about: ArrayLike = (0.0, 0.0, 0.0)) -> Fan:
        """Return a fan that holds all that any shape sweeps as it turns by `angle` [radians] about `axis` through `about`.

        It is the box of the cylindrical chart: nothing is missed, in any pose, and no fan about this axis is smaller.
        """
        from ..kernels.enclosing import lie

        if not isinstance(shape, Shape):
            raise InvalidGeometry(f"shape: expected a Mesh, Box, Sphere, Capsule, PointCloud or Fan, got {checks.shown(shape)}")
        if shape.empty:
            raise InvalidGeometry(f"shape: {shape!r} has no faces, so it sweeps nothing")
        turn = _turn("Fan.enclosing", axis, angle, about)
        matrix = checks.pose(pose)
        up = np.array(turn.axis)
        origin = np.array(turn.about)
        origin += float((matrix[:3, 3] - origin) @ up) * up  # next to the shape, so that no digits are lost
        start = frame_of(*turn.axis)
        frame = np.concatenate((origin, start, np.zeros(4)))
        near, far, low, high, begin, extent = lie(shape.vertices, shape.faces, shape.radius, matrix, frame)
        mid = _about(up, start[:3], begin + 0.5 * (extent + turn.angle))
        fan = cls.__new__(cls)
        place = origin + 0.5 * (low + high) * up
        theta = min(0.5 * (extent + abs(turn.angle)), math.pi)
        fan._keep(_three(place), turn.axis, mid, theta, max(0.0, min(near, far)), far, 0.5 * (high - low))
        return fan

    @property
    def centre(self) -> tuple[float, float, float]:
        """Where the axis crosses the plane in the middle of the fan [length]."""
        return self._centre

    @property
    def axis(self) -> tuple[float, float, float]:
        """Unit vector square to the fan's plane."""
        return self._axis

    @property
    def mid(self) -> tuple[float, float, float]:
        """Unit vector from the centre through the middle of the fan."""
        return self._mid

    @property
    def half_angle(self) -> float:
        """How far the fan reaches to either side of mid [radians], 0 to pi."""
        return self._half_angle

    @property
    def inner(self) -> float:
        """Least distance from the axis [length]."""
        return self._inner

    @property
    def outer(self) -> float:
        """Greatest distance from the axis [length]."""
        return self._outer

    @property
    def half_thickness(self) -> float:
        """How far the fan reaches to either side of its plane [length]."""
        return self._half_thickness

    @property
    def numbers(self) -> NDArray[np.float64]:
        """All of it as kernels take it, shape (16,), read-only: centre, mid, axis x mid, axis, half angle, inner, outer, half
        thickness.
        """  # noqa: D205
        return self._numbers

    @property
    def volume(self) -> float:
        """How much space it takes [length^3]."""
        return 2.0 * self._half_thickness * self._half_angle * (self._outer + self._inner) * (self._outer - self._inner)

    @property
    def vertices(self) -> NDArray[np.float64]:
        """Corners of the facets that enclose it [length], shape (n, 3), read-only."""
        return self._made()[0]

    @property
    def faces(self) -> NDArray[np.int32]:
        """The facets: indices into vertices, shape (m, 3), read-only."""
        return self._made()[1]

    def contains(self, points: ArrayLike, *, method: str = "exact") -> Answer:
        """Say which points, shape (3,) or (n, 3), are in the fan; or (2,), (n, 2), those of the xy plane.

        method: "exact", or "published" for the thesis' test, here and below.
        """
        from ..fans import contains

        return contains(self, points, method)

    def hits_circles(self, centres: ArrayLike, radii: ArrayLike, *, method: str = "exact") -> Answer:
        """Say which circles (filled) of the xy plane meet the fan: centres (2,) or (n, 2), radii one or (n,) [length]."""
        from ..fans import hits_circles

        return hits_circles(self, centres, radii, method)

    def hits_rectangles(self, centres: ArrayLike, sizes: ArrayLike, angles: ArrayLike, *, method: str = "exact") -> Answer:
        """Say which rectangles of the xy plane meet the fan.

        centres (2,) or (n, 2), sizes likewise: full widths [length]; angles [radians]: of the first width from the x axis.
        """
        from ..fans import hits_rectangles

        return hits_rectangles(self, centres, sizes, angles, method)

    def hits_capsules_2d(self, p0: ArrayLike, p1: ArrayLike, radii: ArrayLike, *, method: str = "exact") -> Answer:
        """Say which capsules of the xy plane, from p0 to p1, (2,) or (n, 2), meet the fan."""
        from ..fans import hits_capsules_2d

        return hits_capsules_2d(self, p0, p1, radii, method)

    def hits_spheres(self, centres: ArrayLike, radii: ArrayLike, *, method: str = "exact") -> Answer:
        """Say which balls meet the fan: centres (3,) or (n, 3), radii one or (n,) [length]."""
        from ..fans import hits_spheres

        return hits_spheres(self, centres, radii, method)

    def hits_capsules(self, p0: ArrayLike, p1: ArrayLike, radii: ArrayLike, *, method: str = "exact") -> Answer:
        """Say which capsules from p0 to p1, (3,) or (n, 3), meet the fan.

        The published test encloses what it asks about: it may report hits that are not there.
        """
        from ..fans import hits_capsules

        return hits_capsules(self, p0, p1, radii, method)

    def hits_boxes(self, sizes: ArrayLike, poses: ArrayLike) -> Answer:
        """Say which boxes meet the fan: full widths (3,) or (n, 3) [length]; poses (4, 4) or (n, 4, 4), or positions."""
        from ..fans import hits_boxes

        return hits_boxes(self, sizes, poses)

    def hits_convex(self, points: ArrayLike | Sequence[ArrayLike]) -> Answer:
        """Say whether the convex hull of points, shape (k, 3), meets the fan; or which of several hulls, given as a list."""
        from ..fans import hits_convex

        return hits_convex(self, points)

    def hits_fans(self, others: Fan | Sequence[Fan]) -> Answer:
        """Say whether another fan meets this one, or which of several."""
        from ..fans import hits_fans

        return hits_fans(self, others)

    def hits_mesh(self, mesh: Shape, pose: ArrayLike | None = None) -> bool:
        """Say whether a mesh (or a box) at a pose meets the fan; a closed one also if the fan is inside it."""
        from ..fans import hits_mesh

        return hits_mesh(self, mesh, pose)

    def __repr__(self) -> str:
        return (
            f"<Fan: {math.degrees(2.0 * self._half_angle):.6g} degrees, {self._inner:g} to {self._outer:g} from "
            f"{self._centre}, {2.0 * self._half_thickness:g} thick>"
        )

    def _made(self) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        if self._facets is None:
            self._facets = self._make_facets()
        return self._facets

    def _make_facets(self) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        whole = self._half_angle >= math.pi
        columns = max(3 if whole else 1, math.ceil(self._half_angle * _COLUMNS / math.pi))
        angle = np.linspace(-self._half_angle, self._half_angle, columns + 1)[: columns if whole else None]
        # Tangents outside, chords inside: the facets hold all of the fan.
        out = self._outer / math.cos(self._half_angle / columns)
        mid, across, axis = (self._numbers[k : k + 3] for k in (3, 6, 9))
        ray = np.cos(angle)[:, None] * mid + np.sin(angle)[:, None] * across
        lift = self._half_thickness * axis
        rings = [rho * ray + side * lift + self._numbers[:3] for side in (-1.0, 1.0) for rho in (self._inner, out)]
        vertices = np.stack(rings, axis=1).reshape(-1, 3)  # four to a ray: inner and outer below, inner and outer above
        here = 4 * np.arange(columns)
        there = 4 * ((np.arange(columns) + 1) % len(angle))
        sides = [(0, 1, 3, 2), (1, 5, 7, 3), (5, 4, 6, 7), (4, 0, 2, 6)]  # below, outside, above, inside
        corner = {0: here, 1: here + 1, 4: here + 2, 5: here + 3, 2: there, 3: there + 1, 6: there + 2, 7: there + 3}
        quads = [np.stack([corner[k] for k in side], axis=1) for side in sides]
        if not whole:
            last = 4 * columns
            quads += [np.array([(0, 2, 3, 1)]), np.array([(last, last + 1, last + 3, last + 2)])]
        corners = np.concatenate(quads)
        faces = np.concatenate((corners[:, [0, 2, 1]], corners[:, [0, 3, 2]])).astype(np.int32)
        faces.setflags(write=False)
        return checks.fixed(np.ascontiguousarray(vertices)), faces


def _direction(value: ArrayLike, name: str) -> tuple[float, float, float]:
    x, y, z = checks.vector(value, name, InvalidGeometry)
    if x == y == z == 0.0:
        raise InvalidGeometry(f"{name} is 0 0 0; it must have a direction")
    return unit(x, y, z)


def _pair(value: ArrayLike, name: str) -> tuple[float, float]:
    given = checks.array(value, name, "two numbers", InvalidGeometry)
    if given.shape != (2,):
        raise InvalidGeometry(f"{name}: expected two numbers, got {checks.shown(value)}")
    return float(given[0]), float(given[1])


def _turn(name: str, axis: ArrayLike, angle: float, about: ArrayLike) -> Rotate:
    """Return a turn whose errors speak of what was asked for."""
    turn = Rotate.__new__(Rotate)
    turn._set(name, axis, angle, 0.0, about)
    return turn


def _about(axis: NDArray[np.float64], vector: NDArray[np.float64], angle: float) -> tuple[float, float, float]:
    """Return a unit vector square to the axis, turned about it (2.2)."""
    return unit(*map(float, math.cos(angle) * vector + math.sin(angle) * np.cross(axis, vector)))


def _three(vector: NDArray[np.float64]) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])
