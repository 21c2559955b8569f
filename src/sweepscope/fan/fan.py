"""Fan: a thick sector of a ring, the space that a swinging box sweeps. It is a box in cylindrical coordinates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidGeometry, InvalidType
from ..motion import UNIT, frame_of, rotation, unit
from ..shapes.base import Shape
from ..shapes.solids import Box

if TYPE_CHECKING:
    Answer = bool | NDArray[np.bool_]

_COLUMNS = 128  # facets of a full ring: they lie up to 0.03 % of the radius outside
_SQUARE = 1e-6  # largest error of directions that must be perpendicular, or parallel [radians]


class Fan(Shape):
    """All points within `half_thickness` of a plane, `inner` to `outer` from the center, `half_angle` to either side of `mid`.

    center [length], axis (perpendicular to the plane) and mid (a direction in the plane): three numbers each, local.
    half_angle [radians]: 0 to pi. inner, outer and half_thickness [length]. With the center at the origin, axis z and mid x:
    {|z| <= half_thickness, inner <= rho <= outer, |phi| <= half_angle}.

    Its tests take one object and return a bool, or many and return an array of shape (n,). Touching is a hit. All coordinates
    are in the fan's own frame. As a body in a scene it is a mesh of facets that enclose it.
    """

    _caches: ClassVar[tuple[str, ...]] = (*Shape._caches, "_facets")  # noqa: SLF001  (of its base)
    __slots__ = ("_axis", "_center", "_facets", "_half_angle", "_half_thickness", "_inner", "_mid", "_numbers", "_outer")

    def __init__(
        self,
        center: ArrayLike,
        axis: ArrayLike,
        *,
        mid: ArrayLike,
        half_angle: float,
        inner: float,
        outer: float,
        half_thickness: float,
    ) -> None:
        place = checks.vector(center, "Fan.center", InvalidGeometry)
        up = unit(*checks.direction(axis, "Fan.axis", InvalidGeometry))
        along = unit(*checks.direction(mid, "Fan.mid", InvalidGeometry))
        off = sum(a * b for a, b in zip(up, along, strict=True))
        if abs(off) > _SQUARE:
            raise InvalidGeometry(
                f"Fan.mid: {checks.shown(along)} is not perpendicular to the axis {checks.shown(up)} (cosine {off:.3g}); "
                "give a direction in the plane of the fan"
            )
        # A rounded direction: take the nearest one in the plane.
        along = unit(*(m - off * a for a, m in zip(up, along, strict=True)))
        theta = checks.number(half_angle, "Fan.half_angle", InvalidGeometry)
        if not 0.0 <= theta <= math.pi + 1e-6:  # pi in single precision is a little more
            raise InvalidGeometry(f"Fan.half_angle is {theta}; accepted: 0 to pi (radians)")
        near = checks.length(inner, "Fan.inner", InvalidGeometry)
        far = checks.length(outer, "Fan.outer", InvalidGeometry)
        if near > far:
            raise InvalidGeometry(f"Fan.inner is {near}, more than Fan.outer, {far}")
        thick = checks.length(half_thickness, "Fan.half_thickness", InvalidGeometry)
        self._set(place, up, along, min(theta, math.pi), near, far, thick)

    def _set(
        self,
        center: tuple[float, float, float],
        axis: tuple[float, float, float],
        mid: tuple[float, float, float],
        half_angle: float,
        inner: float,
        outer: float,
        half_thickness: float,
    ) -> None:
        (ux, uy, uz), (ax, ay, az) = axis, mid
        across = (uy * az - uz * ay, uz * ax - ux * az, ux * ay - uy * ax)
        self._center, self._axis, self._mid = center, axis, mid
        self._half_angle, self._inner, self._outer, self._half_thickness = half_angle, inner, outer, half_thickness
        self._numbers = checks.fixed(np.array((*center, *mid, *across, *axis, half_angle, inner, outer, half_thickness)))
        self._radius, self._solid, self._topology, self._bounds = 0.0, True, None, None
        self._facets: tuple[NDArray[np.float64], NDArray[np.int32]] | None = None  # made when first read

    @classmethod
    def flat(cls, center: ArrayLike, mid: ArrayLike, *, half_angle: float, inner: float, outer: float) -> Fan:
        """Return a fan in the xy plane, for tests in two dimensions: center and mid are two numbers each."""
        x, y = _pair(center, "Fan.center")
        u, v = _pair(mid, "Fan.mid")
        frame = {"center": (x, y, 0.0), "axis": (0.0, 0.0, 1.0), "mid": (u, v, 0.0)}
        return cls(**frame, half_angle=half_angle, inner=inner, outer=outer, half_thickness=0.0)

    @classmethod
    def from_swing(cls, box: Box, pose: ArrayLike, *, axis: ArrayLike, angle: float, about: ArrayLike = (0.0, 0.0, 0.0)) -> Fan:
        """Return the thesis' fan of a box that turns by `angle` [radians], right-handed about `axis` through `about`.

        One edge of the box must be parallel to the axis, another must point at it, and the axis must not cross the inside. The
        fan leaves out the box's width along the motion, so it misses some swept points: `enclosing` does not.
        """
        if not isinstance(box, Box):
            raise InvalidType(f"box: expected a Box, got {checks.shown(box)}; Fan.enclosing takes any shape")
        turn = rotation("Fan.from_swing", axis, angle, about)
        matrix = checks.pose(pose)
        up = np.array(turn.axis)
        widths = box.bounds[1] - box.bounds[0]
        arm = matrix[:3, 3] - np.array(turn.about)
        height = float(arm @ up)
        arm -= height * up
        reach = float(np.linalg.norm(arm))
        if reach == 0.0:
            raise InvalidGeometry("from_swing: the axis passes through the box's center; Fan.enclosing takes any pose")
        edges = matrix[:3, :3].T  # rows: the box's axes
        tall, long = int(np.argmax(np.abs(edges @ up))), int(np.argmax(np.abs(edges @ arm)))
        leans = float(np.linalg.norm(np.cross(edges[tall], up))), float(np.linalg.norm(np.cross(edges[long], arm))) / reach
        if max(leans) > _SQUARE:
            raise InvalidGeometry(
                "from_swing: one edge of the box must be parallel to the axis and another point at it; "
                "Fan.enclosing takes any pose"
            )
        half = 0.5 * float(widths[long])
        if reach < half * (1.0 - 1e-12):
            raise InvalidGeometry(
                f"from_swing: the axis is {reach:g} from the box's center; accepted: at least {half:g}, half its width; "
                "Fan.enclosing takes any pose"
            )
        fan = cls.__new__(cls)
        mid = _about(up, arm / reach, 0.5 * turn.angle)
        place = np.array(turn.about) + height * up
        theta = min(0.5 * abs(turn.angle), math.pi)
        fan._set(_three(place), turn.axis, mid, theta, max(0.0, reach - half), reach + half, 0.5 * float(widths[tall]))  # noqa: SLF001
        return fan

    @classmethod
    def enclosing(
        cls, shape: Shape, pose: ArrayLike, *, axis: ArrayLike, angle: float, about: ArrayLike = (0.0, 0.0, 0.0)
    ) -> Fan:
        """Return the smallest fan about an axis that encloses all that a shape sweeps.

        The shape turns by `angle` [radians], right-handed about `axis` through `about`. Any shape and pose is accepted.
        """
        from ..kernels.fan.enclosing import lie

        if not isinstance(shape, Shape):
            raise InvalidType(f"shape: expected a Mesh, Box, Sphere, Capsule, PointCloud or Fan, got {checks.shown(shape)}")
        if shape.empty:
            raise InvalidGeometry(f"shape: {shape!r} has no faces, so it sweeps nothing")
        turn = rotation("Fan.enclosing", axis, angle, about)
        matrix = checks.pose(pose)
        up = np.array(turn.axis)
        origin = np.array(turn.about)
        origin += float((matrix[:3, 3] - origin) @ up) * up  # near the shape, so that no digits are lost
        start = frame_of(*turn.axis)
        frame = np.concatenate((origin, start, np.zeros(4)))
        near, far, low, high, begin, extent = lie(shape.vertices, shape.faces, shape.radius, matrix, frame)
        mid = _about(up, start[:3], begin + 0.5 * (extent + turn.angle))
        fan = cls.__new__(cls)
        place = origin + 0.5 * (low + high) * up
        theta = min(0.5 * (extent + abs(turn.angle)), math.pi)
        fan._set(_three(place), turn.axis, mid, theta, max(0.0, min(near, far)), far, 0.5 * (high - low))  # noqa: SLF001
        return fan

    @property
    def center(self) -> tuple[float, float, float]:
        """Point where the axis crosses the middle plane of the fan [length]."""
        return self._center

    @property
    def axis(self) -> tuple[float, float, float]:
        """Unit vector perpendicular to the fan's plane."""
        return self._axis

    @property
    def mid(self) -> tuple[float, float, float]:
        """Unit vector from the center through the middle of the fan."""
        return self._mid

    @property
    def half_angle(self) -> float:
        """Angle of the fan to either side of mid [radians], 0 to pi."""
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
        """Extent of the fan to either side of its plane [length]."""
        return self._half_thickness

    @property
    def volume(self) -> float:
        """Volume of the fan [length^3]."""
        return 2.0 * self._half_thickness * self._half_angle * (self._outer + self._inner) * (self._outer - self._inner)

    @property
    def vertices(self) -> NDArray[np.float64]:
        """Corners of the facets that enclose it [length], shape (n, 3), read-only."""
        return self._create()[0]

    @property
    def faces(self) -> NDArray[np.int32]:
        """The facets: indices into vertices, shape (m, 3), read-only."""
        return self._create()[1]

    def contains(self, points: ArrayLike) -> Answer:
        """Return which points, shape (3,) or (n, 3), are in the fan; shape (2,) or (n, 2): points of the xy plane."""
        from .questions import contains

        return contains(self._numbers, points)

    def hits_circles(self, centers: ArrayLike, radii: ArrayLike) -> Answer:
        """Return which filled circles of the xy plane meet the fan: centers (2,) or (n, 2), radii one or (n,) [length]."""
        from .questions import hits_circles

        return hits_circles(self._numbers, centers, radii)

    def hits_rectangles(self, centers: ArrayLike, sizes: ArrayLike, angles: ArrayLike) -> Answer:
        """Return which rectangles of the xy plane meet the fan.

        centers, and sizes (full widths): (2,) or (n, 2) [length]; angles [radians]: from the x axis to the first width.
        """
        from .questions import hits_rectangles

        return hits_rectangles(self._numbers, centers, sizes, angles)

    def hits_capsules_2d(self, p0: ArrayLike, p1: ArrayLike, radii: ArrayLike) -> Answer:
        """Return which capsules of the xy plane, from p0 to p1, (2,) or (n, 2), meet the fan."""
        from .questions import hits_capsules_2d

        return hits_capsules_2d(self._numbers, p0, p1, radii)

    def hits_spheres(self, centers: ArrayLike, radii: ArrayLike) -> Answer:
        """Return which spheres meet the fan: centers (3,) or (n, 3), radii one or (n,) [length]."""
        from .questions import hits_spheres

        return hits_spheres(self._numbers, centers, radii)

    def hits_capsules(self, p0: ArrayLike, p1: ArrayLike, radii: ArrayLike) -> Answer:
        """Return which capsules from p0 to p1, (3,) or (n, 3), meet the fan."""
        from .questions import hits_capsules

        return hits_capsules(self._numbers, p0, p1, radii)

    def hits_boxes(self, sizes: ArrayLike, poses: ArrayLike) -> Answer:
        """Return which boxes meet the fan: full widths (3,) or (n, 3) [length]; poses (4, 4) or (n, 4, 4), or positions."""
        from .questions import hits_boxes

        return hits_boxes(self._numbers, sizes, poses)

    def hits_convex(self, points: ArrayLike | Sequence[ArrayLike]) -> Answer:
        """Return whether the convex hull of points, shape (k, 3), meets the fan; for a list of hulls, which of them do."""
        from .questions import hits_convex

        return hits_convex(self._numbers, points)

    def hits_fans(self, others: Fan | Sequence[Fan]) -> Answer:
        """Return whether another fan meets this one; for several fans, which of them do."""
        from .questions import hits_fans

        if isinstance(others, Fan):
            return bool(hits_fans(self._numbers, [numbers_of(others)])[0])
        given = checks.items(others, "others", "a Fan, or several")
        for k, other in enumerate(given):
            if not isinstance(other, Fan):
                raise InvalidType(f"others[{k}]: expected a Fan, got {checks.shown(other)}")
        return hits_fans(self._numbers, [numbers_of(other) for other in given])

    def hits_mesh(self, mesh: Shape, pose: ArrayLike | None = None) -> bool:
        """Return whether a mesh or a box at a pose meets the fan; a closed one also if the fan is inside it."""
        from .questions import hits_mesh

        return hits_mesh(self._numbers, mesh, pose)

    def __repr__(self) -> str:
        return (
            f"<Fan: {math.degrees(2.0 * self._half_angle):.6g} degrees, {self._inner:g} to {self._outer:g} from "
            f"{self._center}, {2.0 * self._half_thickness:g} thick>"
        )

    def _create(self) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        if self._facets is None:
            self._facets = self._make_facets()
        return self._facets

    def _make_facets(self) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        whole = self._half_angle >= math.pi
        columns = max(3 if whole else 1, math.ceil(self._half_angle * _COLUMNS / math.pi))
        angle = np.linspace(-self._half_angle, self._half_angle, columns + 1)[: columns if whole else None]
        # Tangents outside, chords inside: the facets enclose the fan.
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
        # Kernels are compiled for arrays in this order.
        faces = np.ascontiguousarray(np.concatenate((corners[:, [0, 2, 1]], corners[:, [0, 3, 2]])), np.int32)
        faces.setflags(write=False)
        return checks.fixed(np.ascontiguousarray(vertices)), faces


def _pair(value: ArrayLike, name: str) -> tuple[float, float]:
    given = checks.array(value, name, "two numbers", InvalidGeometry)
    if given.shape != (2,):
        raise InvalidGeometry(f"{name}: expected two numbers, got {checks.shown(value)}")
    return float(given[0]), float(given[1])


def numbers_of(fan: Fan) -> NDArray[np.float64]:
    """Return a fan as kernels take it, shape (16,), read-only.

    Center, mid, axis x mid, axis (3 each), half angle, inner, outer, half thickness.
    """
    return fan._numbers  # noqa: SLF001  (the only access to it, for code that implements queries)


def exact_fan(
    center: ArrayLike, axis: ArrayLike, mid: ArrayLike, half_angle: float, inner: float, outer: float, half_thickness: float
) -> Fan:
    """Return a fan of the numbers of another, for files: directions of length 1 are taken as they are, not rounded again."""
    fan = Fan(center, axis, mid=mid, half_angle=half_angle, inner=inner, outer=outer, half_thickness=half_thickness)
    up, along = _three(np.array(axis, np.float64)), _three(np.array(mid, np.float64))
    if np.abs(np.subtract((up, along), (fan.axis, fan.mid))).max() <= UNIT:
        fan._set(fan.center, up, along, fan.half_angle, fan.inner, fan.outer, fan.half_thickness)  # noqa: SLF001  (a constructor)
    return fan


def _about(axis: NDArray[np.float64], vector: NDArray[np.float64], angle: float) -> tuple[float, float, float]:
    """Return a unit vector that is perpendicular to the axis, turned about it (2.2)."""
    return unit(*map(float, math.cos(angle) * vector + math.sin(angle) * np.cross(axis, vector)))


def _three(vector: NDArray[np.float64]) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])
