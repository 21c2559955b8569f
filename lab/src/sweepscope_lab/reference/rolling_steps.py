"""The rolling paper's steps from its text alone (Yamachi & Shindo, about 2003, sections 2 and 3), ray by ray.

A second implementation of `simulate/straight_radars.py` and `simulate/foresight.py` for two radars: it shares no code with them
and knows triangles only. Slow: every pixel is a ray against every triangle.

The paper leaves open the size of the view (here the body above the axis, and what it can reach), the formula of a pixel's angle
(`rule`), and which two places of a collision are the ends of the next axis (here those farthest apart in the picture). `behind`
and `rim` are ours; "hit" and 0 are the paper's.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PaperRadar:
    """What one of the two radars reads."""

    allowed: _Array
    """Angle of each pixel [radians], shape (rows, columns); NaN where none is allowed or forbidden."""
    places: _Array
    """Where each pixel's ray meets the ground [length], shape (rows, columns, 3); NaN where it does not."""
    size: tuple[float, float]
    """Width and height of the picture [length]."""

    @property
    def angle(self) -> float:
        """The least angle [radians]; infinity if there is none."""
        return min((a for a in self.allowed.ravel().tolist() if not math.isnan(a)), default=math.inf)

    def collisions(self, limit: float) -> list[tuple[int, int]]:
        """Return row and column of all pixels that allow at most the detection limit [radians]."""
        rows, columns = self.allowed.shape
        return [(i, j) for i in range(rows) for j in range(columns) if self.allowed[i, j] <= limit]

    def apart(self, p: tuple[int, int], q: tuple[int, int]) -> float:
        """Return the distance of two pixels in the picture [length]."""
        rows, columns = self.allowed.shape
        return math.hypot((p[0] - q[0]) * self.size[1] / rows, (p[1] - q[1]) * self.size[0] / columns)

    def ends(self, limit: float) -> list[tuple[int, int]]:
        """Return the two collision pixels that are farthest apart; fewer if there are not two."""
        pixels = self.collisions(limit)
        return list(max(itertools.combinations(pixels, 2), key=lambda pair: self.apart(*pair), default=pixels))


@dataclass(frozen=True, slots=True, eq=False)
class PaperTurn:
    """Where the steps end."""

    turned: float
    """[radians]"""
    detected: int
    """Which radar found the collision, 0 or 1; -1 if the whole turn is free."""
    radar: PaperRadar | None
    """What that radar reads there."""
    looks: int
    """How often both radars looked."""


def paper_steps(
    body: _Array,
    ground: _Array,
    axis: _Array,
    about: _Array,
    center: _Array,
    *,
    angle: float,
    limit: float,
    step: float,
    pixels: tuple[int, int],
    rule: str = "row",
    behind: str = "hit",
    rim: float = 0.0,
) -> PaperTurn:
    """Turn a body by `angle` [radians] at most, in steps, until a radar reads the limit or less.

    body (m, 3, 3), ground (n, 3, 3): triangles [length], world. axis: unit; about: a point on it; center: of mass. limit, step
    [radians]. pixels: (columns, rows).
    """
    turned, looks = 0.0, 0
    while turned < angle:
        most = min(step, angle - turned)
        now, middle = (_turned(points, axis, about, turned) for points in (body, center))
        both = [
            paper_radar(now, ground, axis, about, middle, second, most, pixels, rule=rule, behind=behind, rim=rim)
            for second in (False, True)
        ]
        looks += 1
        angle1, angle2 = (math.inf if radar is None else radar.angle for radar in both)
        if min(angle1, angle2) <= min(limit, most):
            detected = 0 if angle1 <= angle2 else 1
            return PaperTurn(turned, detected, both[detected], looks)
        turned += min(most, angle1, angle2)
    return PaperTurn(angle, -1, None, looks)


def paper_radar(
    body: _Array,
    ground: _Array,
    axis: _Array,
    about: _Array,
    center: _Array,
    second: bool,
    angle: float,
    pixels: tuple[int, int],
    *,
    rule: str = "row",
    behind: str = "hit",
    rim: float = 0.0,
) -> PaperRadar | None:
    """Read one radar, the first or the opposite one; None if no part of the body is above the axis. As `paper_steps`."""
    up = center - about
    up = up - axis * (axis @ up)
    up = up / math.sqrt(up @ up) * (-1.0 if second else 1.0)
    ahead = np.cross(axis, up)
    corners = body.reshape(-1, 3) - about
    along, above, forward = corners @ axis, corners @ up, corners @ ahead
    width, top = along.max() - along.min(), above.max()
    if top <= 0.0:
        return None
    start, end = forward.min(), forward.max() + top * math.tan(angle)
    d = end - start
    columns, rows = pixels
    allowed = np.full((rows, columns), math.nan)
    places = np.full((rows, columns, 3), math.nan)
    for row, column in itertools.product(range(rows), range(columns)):
        y = top * (rows - row - 0.5) / rows
        # Columns go to the right of who looks ahead, and that is against the axis' cross product with up.
        x = along.min() + width * (column + 0.5) / columns
        if np.cross(ahead, up) @ axis < 0.0:
            x = along.max() - width * (column + 0.5) / columns
        at = about + x * axis + y * up + start * ahead
        seen = min(first_on_ray(at, ahead, ground), d)  # R
        mask = min(first_on_ray(at + d * ahead, -ahead, body), d)  # M
        if seen < d:
            places[row, column] = at + seen * ahead
        if d in (seen, mask) or y < rim:
            continue  # nothing met, no sensor object, or too near to the axis
        gap = seen + mask - d  # L
        if behind == "skip" and gap < -max(width / columns, top / rows):
            continue
        gap = max(gap, 0.0)
        s = end - mask  # the leading surface, from the axis
        if rule == "row":
            allowed[row, column] = math.atan(gap / y)
        elif rule == "arm":
            allowed[row, column] = math.atan(gap / math.sqrt(y * y + s * s))
        else:
            allowed[row, column] = math.atan((s + gap) / y) - math.atan(s / y)
    return PaperRadar(allowed, places, (float(width), float(top)))


def first_on_ray(start: _Array, toward: _Array, triangles: _Array) -> float:
    """Return the distance along a ray to the first of triangles (m, 3, 3), by planes and three side tests; infinity if none."""
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    normals = np.cross(b - a, c - a)
    speed = normals @ toward
    with np.errstate(divide="ignore", invalid="ignore"):
        far = ((a - start) * normals).sum(axis=1) / speed
        places = start + far[:, None] * toward
        inside = np.ones(len(triangles), bool)
        for p, q in ((a, b), (b, c), (c, a)):
            inside &= (np.cross(q - p, places - p) * normals).sum(axis=1) >= 0.0
    far = far[inside & (speed != 0.0) & (far >= 0.0)]
    return float(far.min()) if len(far) else math.inf


def _turned(points: _Array, axis: _Array, about: _Array, angle: float) -> _Array:
    """Return points (..., 3) turned about an axis (Rodrigues)."""
    arms = points - about
    still = (arms @ axis)[..., None] * axis
    return about + still + math.cos(angle) * (arms - still) + math.sin(angle) * np.cross(axis, arms)
