"""Circle casts, the slow twin of the scopes of a turn: every circle against every face, in world space.

In numpy's long double, with other formulas than the kernels. A circle meets a triangle's plane; then the point is tested
against the triangle. For a rod, the distance from its segment is sampled along the whole circle.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Long = np.longdouble
_TURN = 2 * Long(np.pi) + 2 * Long(1.2246467991473532e-16)  # adds back what float64 cuts off 2 pi


@dataclass(frozen=True)
class Circles:
    """n circles about one axis: centers (n, 3) on it, radii (n,), and the directions (3,) at angle 0 and at a quarter turn."""

    centers: NDArray
    radii: NDArray
    zero: NDArray
    quarter: NDArray

    @classmethod
    def of(cls, about: NDArray, axis: NDArray, zero: NDArray, rho: NDArray, height: NDArray) -> Circles:
        """Return circles of radii rho (n,) at heights (n,) along a unit axis through `about` [length], world."""
        axis, zero = np.asarray(axis, Long), np.asarray(zero, Long)
        centers = np.asarray(about, Long) + np.asarray(height, Long)[:, None] * axis
        return cls(centers, np.asarray(rho, Long), zero, np.cross(axis, zero))

    def at(self, angles: NDArray) -> NDArray:
        """Return points on the circles, (n, 3), each at its angle (n,)."""
        out = np.cos(angles)[:, None] * self.zero + np.sin(angles)[:, None] * self.quarter
        return self.centers + self.radii[:, None] * out


def crossings(corners: NDArray, circles: Circles) -> tuple[NDArray, NDArray]:
    """Return the angles, 0 .. 2 pi, at which circles meet triangles, (n, 2 m), NaN if they do not; and a certainty (n,).

    corners (m, 3, 3) [length], world. The certainty is the least margin: how far a corner's weight, or the cosine of the angle
    at the plane, is from the value where the answer changes.
    """
    count = len(circles.radii)
    found, sure = [], np.full(count, np.inf, Long)
    for a, b, c in np.asarray(corners, Long):
        normal = np.cross(b - a, c - a)
        normal /= np.sqrt(normal @ normal)
        p, q = normal @ circles.zero, normal @ circles.quarter
        lean = np.sqrt(p * p + q * q)
        height = (a - circles.centers) @ normal
        with np.errstate(all="ignore"):
            cosine = height / (circles.radii * lean)
        half = np.arccos(np.where(np.abs(cosine) <= 1, cosine, np.nan))
        sure = np.fmin(sure, np.abs(np.abs(cosine) - 1))
        for angle in (np.arctan2(q, p) - half, np.arctan2(q, p) + half):
            place = circles.at(angle)
            weights = np.stack([np.cross(v - u, place - u) @ normal for u, v in ((b, c), (c, a), (a, b))], axis=1) / (
                np.cross(b - a, c - a) @ normal
            )
            found.append(np.where(weights.min(axis=1) >= 0, np.mod(angle, _TURN), np.nan))
            sure = np.fmin(sure, np.abs(weights).min(axis=1))
    return np.stack(found, axis=1), sure


def ball(center: NDArray, radius: float, circles: Circles) -> NDArray:
    """Return the angles at which circles enter and leave a ball, (n, 2); NaN if they do not."""
    offset = np.asarray(center, Long) - circles.centers
    p, q = offset @ circles.zero, offset @ circles.quarter
    # radii^2 + |offset|^2 - 2 radii (p cos + q sin) = radius^2
    size = np.sqrt(p * p + q * q)
    with np.errstate(all="ignore"):
        cosine = (circles.radii**2 + (offset * offset).sum(axis=1) - Long(radius) ** 2) / (2 * circles.radii * size)
    half = np.arccos(np.where(np.abs(cosine) <= 1, cosine, np.nan))
    middle = np.arctan2(q, p)
    return np.mod(np.stack((middle - half, middle + half), axis=1), _TURN)


def rod(p: NDArray, q: NDArray, radius: float, circles: Circles, samples: int = 720) -> NDArray:
    """Return the angles at which circles cross the surface of a rod (segment, radius), (n, 8); the rest is NaN."""
    p, q = np.asarray(p, Long), np.asarray(q, Long)

    def outside(angles: NDArray, chosen: Circles) -> NDArray:
        place = chosen.at(angles) - p
        share = np.clip(place @ (q - p) / ((q - p) @ (q - p)), 0, 1)
        off = place - share[:, None] * (q - p)
        return np.sqrt((off * off).sum(axis=1)) - Long(radius)

    grid = np.arange(samples + 1) * (_TURN / samples)
    values = np.stack([outside(np.full(len(circles.radii), angle), circles) for angle in grid], axis=1)
    found = np.full((len(circles.radii), 8), np.nan, Long)
    used = np.zeros(len(circles.radii), int)
    row, column = np.nonzero((values[:, :-1] < 0) != (values[:, 1:] < 0))
    chosen = Circles(circles.centers[row], circles.radii[row], circles.zero, circles.quarter)
    low, high, rising = grid[column], grid[column + 1], values[row, column] < 0
    for _ in range(70):
        middle = (low + high) / 2
        after = (outside(middle, chosen) >= 0) == rising
        low, high = np.where(after, low, middle), np.where(after, middle, high)
    for k, angle in zip(row, high, strict=True):
        found[k, used[k]] = angle
        used[k] += 1
    return found


def _packed(angles: NDArray) -> NDArray:
    """Return sorted rows, NaN last, without columns that are all NaN."""
    angles = np.sort(angles, axis=1)
    return angles[:, : int(np.isfinite(angles).sum(axis=1).max(initial=0))]


def least_gap(mover: NDArray, obstacle: NDArray) -> NDArray:
    """Return the least angle (n,) from a mover crossing (n, k) forward to an obstacle crossing (n, m) of the same circle."""
    mover, obstacle = _packed(mover), _packed(obstacle)
    gaps = np.mod(obstacle[:, None, :] - mover[:, :, None], _TURN)
    return np.where(np.isnan(gaps), np.inf, gaps).min(axis=(1, 2), initial=np.inf)
