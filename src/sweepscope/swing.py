"""Swing: exactly what a turning box sweeps, and when it gets where."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import checks
from .errors import InvalidGeometry, InvalidPose, InvalidQuery
from .motion import Rotate, frame_of
from .shapes import Box

_PARALLEL = 1e-12
"""Directions that differ by less are the same, rounded: the difference is added to what counts as touching."""


class Swing:
    """A box that turns by `angle` [radians], right-handed about `axis` through the point `about` [length], world.

    box: a Box; pose: where it is at the start, 4x4 or a position, in any pose to the axis. The angle may be negative, and more
    than a full turn. Questions take one thing or many. Times are those of the first contact, as shares of the motion, 0 .. 1:
    0 if they touch at the start, NaN if never. Touching is contact. An answer is never late; at the time it gives, things are
    less apart than 1e-12 of the sizes and coordinates involved. `Scene.sweep(body, swing.motion, resting="hit")` gives the same
    for shapes of every kind.
    """

    __slots__ = ("_box", "_motion", "_numbers", "_pose", "_upright")

    def __init__(
        self, box: Box, pose: ArrayLike | None, axis: ArrayLike, angle: float, about: ArrayLike = (0.0, 0.0, 0.0)
    ) -> None:
        if not isinstance(box, Box):
            raise InvalidGeometry(f"Swing.box: expected a Box, got {checks.shown(box)}; Scene.sweep takes every shape")
        if hasattr(pose, "pose"):
            raise InvalidPose(f"Swing.pose: expected a 4x4 matrix or three numbers, got {checks.shown(pose)}; give its .pose")
        self._box = box
        self._pose = checks.fixed(checks.pose(pose, "Swing.pose"))
        self._motion = Rotate.__new__(Rotate)
        self._motion._set("Swing", axis, angle, 0.0, about)
        self._numbers, self._upright = _describe(box.bounds[1], self._pose, self._motion)

    @property
    def box(self) -> Box:
        """What turns."""
        return self._box

    @property
    def pose(self) -> NDArray[np.float64]:
        """Where the box is at the start: local to world, shape (4, 4), read-only."""
        return self._pose

    @property
    def motion(self) -> Rotate:
        """How it turns, for `Scene.sweep`."""
        return self._motion

    @property
    def upright(self) -> bool:
        """True if the axis is parallel to an edge of the box: balls and rods have closed forms then."""
        return self._upright

    def contains(self, points: ArrayLike) -> Any:
        """Return whether points, (3,) or (n, 3) [length], world, are swept: bool, or shape (n,)."""
        return _met(self.times(points))

    def times(self, points: ArrayLike) -> Any:
        """Return when points, (3,) or (n, 3) [length], world, are first met: float, or shape (n,); NaN for never."""
        from .kernels.swing import point_times

        places, one = _places(points, "points")
        times = np.empty(len(places))
        point_times(places, self._numbers, times)
        return float(times[0]) if one else times

    def hits_spheres(self, centres: ArrayLike, radii: ArrayLike) -> Any:
        """Return whether spheres are met: bool, or shape (n,). See `sphere_times`."""
        return _met(self.sphere_times(centres, radii))

    def sphere_times(self, centres: ArrayLike, radii: ArrayLike) -> Any:
        """Return when spheres are first met: float, or shape (n,); NaN for never.

        centres: (3,) or (n, 3) [length], world; radii: one for all, or (n,) [length]. In closed form if the swing is `upright`,
        by certain steps if not.
        """
        places, one = _places(centres, "centres")
        (places,), thick, one = _paired([places], radii, one)
        times = np.empty(len(places))
        if self._upright:
            from .kernels.swing import ball_times

            ball_times(places, thick, self._numbers, times)
        else:
            from .kernels.swing_tilted import tilted_ball_times

            tilted_ball_times(places, thick, self._numbers, times)
        return float(times[0]) if one else times

    def hits_capsules(self, p0: ArrayLike, p1: ArrayLike, radii: ArrayLike) -> Any:
        """Return whether capsules are met: bool, or shape (n,). See `capsule_times`."""
        return _met(self.capsule_times(p0, p1, radii))

    def capsule_times(self, p0: ArrayLike, p1: ArrayLike, radii: ArrayLike) -> Any:
        """Return when capsules are first met: float, or shape (n,); NaN for never.

        p0, p1: where they begin and end, (3,) or (n, 3) [length], world; radii: one for all, or (n,) [length]. The swing must
        be `upright`, and every capsule parallel or square to the axis: others have no closed form; Scene.sweep answers them.
        """
        starts, one_0 = _places(p0, "p0")
        ends, one_1 = _places(p1, "p1")
        if len(starts) != len(ends):
            if not (one_0 or one_1):
                raise InvalidQuery(f"p0 and p1: expected as many of each, got {len(starts)} and {len(ends)}")
            starts, ends = (np.ascontiguousarray(each) for each in np.broadcast_arrays(starts, ends))
        (starts, ends), thick, one = _paired([starts, ends], radii, one_0 and one_1)
        upright = self._lies(starts, ends)
        times = np.empty(len(starts))
        from .kernels.swing import rod_times

        rod_times(starts, ends, thick, upright, self._numbers, times)
        return float(times[0]) if one else times

    def _lies(self, starts: NDArray[np.float64], ends: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which capsules are parallel to the axis, shape (n,); raise if one is neither that nor square to it."""
        instead = "Scene.sweep(body, swing.motion) answers every capsule"
        if not self._upright:
            raise InvalidQuery(f"capsules: no edge of the box is parallel to the axis, so there is no closed form; {instead}")
        axis, about = np.array(self._motion.axis), np.array(self._motion.about)
        along = (ends - starts) @ axis
        rise = np.abs(along)
        off = np.linalg.norm(ends - starts - along[:, None] * axis, axis=1)
        # Ends are rounded where they are, which may be far from the axis.
        arms, places = (np.abs(starts - at).sum(axis=1) + np.abs(ends - at).sum(axis=1) for at in (about, 0.0))
        limit = _PARALLEL * arms + 4.0 * np.finfo(float).eps * places
        upright = (off <= limit) & ((off <= rise) | (rise > limit))
        bad = np.flatnonzero(~upright & (rise > limit))
        if len(bad):
            k = int(bad[0])
            lean = math.degrees(math.atan2(off[k], rise[k]))
            raise InvalidQuery(
                f"capsule {k} leans {lean:.6g} degrees from the axis; accepted: parallel (0) or square (90) to it; {instead}"
            )
        return upright

    def __repr__(self) -> str:
        size = " x ".join(f"{2.0 * half:g}" for half in self._box.bounds[1])
        return f"<Swing: box {size}, {math.degrees(self._motion.angle):g} degrees about {self._motion.axis}>"


def _describe(half: NDArray[np.float64], pose: NDArray[np.float64], motion: Rotate) -> tuple[NDArray[np.float64], bool]:
    """Return the numbers that kernels know a swing by, and whether the axis is parallel to an edge of the box."""
    from .kernels import swing as layout

    axis = motion.orbit[:3]  # looks so that the turn is forwards
    turn = pose[:3, :3]
    k = int(np.argmax(np.abs(axis @ turn)))
    i, j = (k + 1) % 3, (k + 2) % 3
    if axis @ turn[:, k] < 0.0:
        i, j = j, i
    order = [i, j, k]
    across = turn[:, i] - (axis @ turn[:, i]) * axis
    across /= np.linalg.norm(across)
    frame = np.stack((across, np.cross(axis, across), axis))
    # The box's third axis may look down: it has two like sides.
    lean = float(np.abs(np.abs(frame @ turn[:, order]) - np.eye(3)).max())
    upright = lean <= _PARALLEL
    offset = pose[:3, 3] - np.array(motion.about)
    if upright:
        axes, half, middle = np.eye(3), half[order], frame @ offset
    else:
        frame = frame_of(*axis).reshape(3, 3)
        axes, middle, lean = turn.T @ frame.T, turn.T @ offset, 0.0
    numbers = np.empty(layout.NUMBERS)
    rate = layout.ROUNDING + 2.0 * lean
    numbers[layout.ABOUT : layout.FRAME] = motion.about
    numbers[layout.FRAME : layout.AXES] = frame.ravel()
    numbers[layout.AXES : layout.MIDDLE] = axes.ravel()
    numbers[layout.MIDDLE : layout.HALF] = middle
    numbers[layout.HALF : layout.ANGLE] = half
    numbers[layout.ANGLE] = motion.length
    numbers[layout.LOOSE] = rate * (np.abs(offset).sum() + half.sum())
    numbers[layout.LOOSE_RATE] = rate
    return checks.fixed(numbers), upright


def _met(times: Any) -> Any:
    return not math.isnan(times) if isinstance(times, float) else ~np.isnan(times)


def _places(value: ArrayLike, name: str) -> tuple[NDArray[np.float64], bool]:
    """Return places as (n, 3), and whether one was given as (3,)."""
    given = checks.array(value, name, "an array of shape (3,) or (n, 3)", InvalidQuery)
    if given.shape == (3,):
        return np.array([checks.vector(np.asarray(given), name, InvalidQuery)]), True
    if given.ndim == 1 and given.size:
        raise InvalidQuery(f"{name}: expected shape (3,) or (n, 3), got {given.shape}")
    return checks.points(value, name, InvalidQuery), False


def _paired(
    places: list[NDArray[np.float64]], radii: ArrayLike, one: bool
) -> tuple[list[NDArray[np.float64]], NDArray[np.float64], bool]:
    """Return places and radii as many as each other, and whether the question was about one thing."""
    given = checks.array(radii, "radii", "a number or an array of shape (n,)", InvalidQuery)
    if given.ndim > 1:
        raise InvalidQuery(f"radii: expected a number or shape (n,), got {given.shape}")
    count = len(places[0])
    if given.ndim == 0:
        return places, np.full(count, checks.length(given, "radii", InvalidQuery)), one
    bad = np.flatnonzero(~((given >= 0.0) & (given <= checks.LARGEST)))
    if len(bad):
        worst = int(bad[0])
        raise InvalidQuery(f"radii[{worst}] is {given[worst]}; it must be finite, not negative and at most {checks.LARGEST:g}")
    thick = np.ascontiguousarray(given, np.float64)
    if len(thick) == count:
        return places, thick, False
    if one:
        return [np.repeat(each, len(thick), axis=0) for each in places], thick, False
    raise InvalidQuery(f"radii: expected a number or {count} of them, got {len(thick)}")
