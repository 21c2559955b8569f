"""Swing: the exact space that a turning box sweeps, and the times at which it reaches points, spheres and capsules."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidQuery, InvalidType
from ..immutable import Immutable
from ..motion import Rotate, frame_of, orbit_of, rotation
from ..shapes import Box

if TYPE_CHECKING:
    from .fan import Answer

    Times = float | NDArray[np.float64]

_PARALLEL = 1e-12
"""Directions that differ by less are equal, rounded; the difference is added to the tolerance."""


class Swing(Immutable):
    """A box that turns by `angle` [radians], right-handed about `axis` through the point `about` [length], world.

    box: a Box. pose: of the box at the start, 4x4 or a position; any pose is accepted. The angle may be negative, and more than
    a full turn. Methods take one object or many. Times are fractions of the motion up to first contact, 0 .. 1: 0 if they touch
    at the start, NaN if never. Touching is contact. A time is never late; at that time the gap is less than 1e-12 of the sizes
    and coordinates involved. `Scene.sweep(body, swing.motion, resting="hit")` gives the same for all shapes.
    """

    __slots__ = ("_box", "_motion", "_numbers", "_pose", "_upright")

    def __init__(
        self, box: Box, pose: ArrayLike | None, *, axis: ArrayLike, angle: float, about: ArrayLike = (0.0, 0.0, 0.0)
    ) -> None:
        if not isinstance(box, Box):
            raise InvalidType(f"Swing.box: expected a Box, got {checks.shown(box)}; Scene.sweep takes every shape")
        self._box = box
        self._pose = checks.fixed(checks.pose(pose, "Swing.pose"))
        self._motion = rotation("Swing", axis, angle, about)
        self._numbers, self._upright = _describe(box.bounds[1], self._pose, self._motion)

    @property
    def box(self) -> Box:
        """The box that turns."""
        return self._box

    @property
    def pose(self) -> NDArray[np.float64]:
        """Pose of the box at the start: local to world, shape (4, 4), read-only."""
        return self._pose

    @property
    def motion(self) -> Rotate:
        """The motion, for `Scene.sweep`."""
        return self._motion

    @property
    def upright(self) -> bool:
        """True if the axis is parallel to an edge of the box: spheres and capsules then have closed forms."""
        return self._upright

    def contains(self, points: ArrayLike) -> Answer:
        """Return whether points, (3,) or (n, 3) [length], world, are swept: bool, or shape (n,)."""
        return _is_hit(self.times(points))

    def times(self, points: ArrayLike) -> Times:
        """Return when the box first reaches points, (3,) or (n, 3) [length], world: float, or shape (n,); NaN for never."""
        from ..kernels.fan.swing import point_times

        places, one = checks.rows(points, 3, "points")
        checks.refuse_not_finite(places, "points", one=one)
        times = np.empty(len(places))
        point_times(places, self._numbers, times)
        return float(times[0]) if one else times

    def hits_spheres(self, centers: ArrayLike, radii: ArrayLike) -> Answer:
        """Return whether the box hits spheres: bool, or shape (n,). See `sphere_times`."""
        return _is_hit(self.sphere_times(centers, radii))

    def sphere_times(self, centers: ArrayLike, radii: ArrayLike) -> Times:
        """Return when the box first hits spheres: float, or shape (n,); NaN for never.

        centers: (3,) or (n, 3) [length], world; radii: one for all, or (n,) [length]. Uses a closed form if the swing is
        `upright`, else conservative steps.
        """
        given, one = checks.rows(centers, 3, "centers")
        (places,), thick, one = _paired({"centers": given}, radii, one)
        times = np.empty(len(places))
        if self._upright:
            from ..kernels.fan.swing import ball_times

            ball_times(places, thick, self._numbers, times)
        else:
            from ..kernels.fan.swing_tilted import tilted_ball_times

            tilted_ball_times(places, thick, self._numbers, times)
        return float(times[0]) if one else times

    def hits_capsules(self, p0: ArrayLike, p1: ArrayLike, radii: ArrayLike) -> Answer:
        """Return whether the box hits capsules: bool, or shape (n,). See `capsule_times`."""
        return _is_hit(self.capsule_times(p0, p1, radii))

    def capsule_times(self, p0: ArrayLike, p1: ArrayLike, radii: ArrayLike) -> Times:
        """Return when the box first hits capsules: float, or shape (n,); NaN for never.

        p0, p1: ends of the segments, (3,) or (n, 3) [length], world; radii: one for all, or (n,) [length]. The swing must be
        `upright`, and every capsule parallel or perpendicular to the axis: others have no closed form; use Scene.sweep.
        """
        (starts, one_0), (ends, one_1) = checks.rows(p0, 3, "p0"), checks.rows(p1, 3, "p1")
        if one_0 != one_1:
            starts, ends = (np.ascontiguousarray(each) for each in np.broadcast_arrays(starts, ends))
        (starts, ends), thick, one = _paired({"p0": starts, "p1": ends}, radii, one_0 and one_1)
        upright = self._parallel(starts, ends)
        times = np.empty(len(starts))
        from ..kernels.fan.swing import rod_times

        rod_times(starts, ends, thick, upright, self._numbers, times)
        return float(times[0]) if one else times

    def _parallel(self, starts: NDArray[np.float64], ends: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which capsules are parallel to the axis, shape (n,); raise if one is neither parallel nor perpendicular."""
        instead = "Scene.sweep(body, swing.motion) takes every capsule"
        if not self._upright:
            raise InvalidQuery(f"capsules: no edge of the box is parallel to the axis, so there is no closed form; {instead}")
        axis, about = np.array(self._motion.axis), np.array(self._motion.about)
        along = (ends - starts) @ axis
        rise = np.abs(along)
        off = np.linalg.norm(ends - starts - along[:, None] * axis, axis=1)
        # Rounding errors of the ends grow with their distance from the origin.
        arms, places = (np.abs(starts - at).sum(axis=1) + np.abs(ends - at).sum(axis=1) for at in (about, 0.0))
        limit = _PARALLEL * arms + 4.0 * np.finfo(float).eps * places
        upright = (off <= limit) & ((off <= rise) | (rise > limit))
        bad = np.flatnonzero(~upright & (rise > limit))
        if len(bad):
            k = int(bad[0])
            lean = math.degrees(math.atan2(off[k], rise[k]))
            raise InvalidQuery(
                f"capsule {k} leans {lean:.6g} degrees from the axis; accepted: 0 (parallel) or 90 (perpendicular); {instead}"
            )
        return upright

    def __repr__(self) -> str:
        size = " x ".join(f"{2.0 * half:g}" for half in self._box.bounds[1])
        return f"<Swing: box {size}, {math.degrees(self._motion.angle):g} degrees about {self._motion.axis}>"


def _describe(half: NDArray[np.float64], pose: NDArray[np.float64], motion: Rotate) -> tuple[NDArray[np.float64], bool]:
    """Return a swing as kernels take it, and whether the axis is parallel to an edge of the box."""
    from ..kernels.fan import swing as layout
    from ..kernels.tolerances import GRAIN

    axis = orbit_of(motion)[:3]  # reversed if the angle is negative
    turn = pose[:3, :3]
    k = int(np.argmax(np.abs(axis @ turn)))
    i, j = (k + 1) % 3, (k + 2) % 3
    if axis @ turn[:, k] < 0.0:
        i, j = j, i
    order = [i, j, k]
    across = turn[:, i] - (axis @ turn[:, i]) * axis
    across /= np.linalg.norm(across)
    frame = np.stack((across, np.cross(axis, across), axis))
    # The box's third axis may point down: both ends are alike.
    lean = float(np.abs(np.abs(frame @ turn[:, order]) - np.eye(3)).max())
    upright = lean <= _PARALLEL
    offset = pose[:3, 3] - np.array(motion.about)
    if upright:
        axes, half, middle = np.eye(3), half[order], frame @ offset
    else:
        frame = frame_of(*axis).reshape(3, 3)
        axes, middle, lean = turn.T @ frame.T, turn.T @ offset, 0.0
    numbers = np.empty(layout.NUMBERS)
    rate = GRAIN + 2.0 * lean
    numbers[layout.ABOUT : layout.FRAME] = motion.about
    numbers[layout.FRAME : layout.AXES] = frame.ravel()
    numbers[layout.AXES : layout.MIDDLE] = axes.ravel()
    numbers[layout.MIDDLE : layout.HALF] = middle
    numbers[layout.HALF : layout.ANGLE] = half
    numbers[layout.ANGLE] = motion.length
    numbers[layout.LOOSE] = rate * (np.abs(offset).sum() + half.sum())
    numbers[layout.LOOSE_RATE] = rate
    return checks.fixed(numbers), upright


def _is_hit(times: Times) -> Answer:
    return not math.isnan(times) if isinstance(times, float) else ~np.isnan(times)


def _paired(places: checks.Rows, radii: ArrayLike, one: bool) -> tuple[list[NDArray[np.float64]], NDArray[np.float64], bool]:
    """Return checked points and radii, the same number of each, and whether they describe a single object."""
    for name, value in places.items():
        checks.refuse_not_finite(value, name, one=one)
    rows, columns, one = checks.matched(places, {"radii": radii}, one)
    thick = columns["radii"]
    bad = np.flatnonzero(~((thick >= 0.0) & (thick <= checks.LARGEST)))
    if len(bad):
        worst = int(bad[0])
        name = "radii" if np.ndim(radii) == 0 else f"radii[{worst}]"
        raise InvalidQuery(f"{name} is {thick[worst]}; it must be finite, not negative and at most {checks.LARGEST:g}")
    return list(rows.values()), thick, one
