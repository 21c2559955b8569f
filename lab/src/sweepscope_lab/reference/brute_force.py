"""Float64 brute force for large meshes and for thickness: every pair of faces, by features, in NumPy.

Sharp faces (`first_travel`): vertex against face and edge against edge, projected along the motion. For meshes in general
position; degenerate contact belongs to `exact`.
Thick faces (`thick_travel`): the distance of two convex faces is a convex function of travel. Thirds find its least value,
then halving finds where it first falls to the radius.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def _basis(vector: Array) -> Array:
    """Return rows u, v, w with w along vector."""
    w = vector / np.linalg.norm(vector)
    u = np.cross(w, np.eye(3)[np.argmin(np.abs(w))])
    u /= np.linalg.norm(u)
    return np.array((u, np.cross(w, u), w), dtype=np.float64)


def _cross2(a: Array, b: Array) -> Array:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _heights(point: Array, face: Array) -> Array:
    """Return w of faces (k, 3, 3) over points (k, 3); NaN where the point is not over the face."""
    a, e, f = face[:, 0], face[:, 1] - face[:, 0], face[:, 2] - face[:, 0]
    r = point - a
    with np.errstate(divide="ignore", invalid="ignore"):
        area = _cross2(e, f)
        s = _cross2(r, f) / area
        t = _cross2(e, r) / area
        inside = (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0)
        return np.where(inside, a[:, 2] + s * e[:, 2] + t * f[:, 2], np.nan)


def _pair_gaps(mover: Array, obstacle: Array) -> Array:
    """Return the least gap >= 0 of face pairs (k, 3, 3); inf if there is none, or if the obstacle is behind (all gaps < 0)."""
    gaps = []
    for i in range(3):
        gaps.append(_heights(mover[:, i], obstacle) - mover[:, i, 2])
        gaps.append(obstacle[:, i, 2] - _heights(obstacle[:, i], mover))
        a, d = mover[:, i], mover[:, (i + 1) % 3] - mover[:, i]
        for j in range(3):
            b, e = obstacle[:, j], obstacle[:, (j + 1) % 3] - obstacle[:, j]
            with np.errstate(divide="ignore", invalid="ignore"):
                s = _cross2(b - a, e) / _cross2(d, e)
                t = _cross2(b - a, d) / _cross2(d, e)
                meet = (s >= 0.0) & (s <= 1.0) & (t >= 0.0) & (t <= 1.0)
                gaps.append(np.where(meet, b[:, 2] + t * e[:, 2] - a[:, 2] - s * d[:, 2], np.nan))
    table = np.stack(gaps)
    low = np.where(np.isnan(table), np.inf, table).min(axis=0)
    high = np.where(np.isnan(table), -np.inf, table).max(axis=0)
    return np.where(high < 0.0, np.inf, np.maximum(low, 0.0))


def first_travel(movers: Array, obstacles: Array, vector: Array) -> float:
    """Return how far faces (n, 3, 3) move along vector before they meet faces (m, 3, 3); inf if beyond its length."""
    length = float(np.linalg.norm(vector))
    basis = _basis(np.asarray(vector, dtype=np.float64))
    s, o = movers @ basis.T, obstacles @ basis.T
    s_low, s_high, o_low, o_high = s.min(axis=1), s.max(axis=1), o.min(axis=1), o.max(axis=1)
    best = np.inf
    for k in range(len(s)):
        meet = (o_low[:, :2] <= s_high[k, :2]).all(axis=1) & (o_high[:, :2] >= s_low[k, :2]).all(axis=1)
        meet &= (o_high[:, 2] >= s_low[k, 2]) & (o_low[:, 2] - s_high[k, 2] <= min(best, length))
        near = np.flatnonzero(meet)
        if len(near):
            best = min(best, float(_pair_gaps(np.broadcast_to(s[k], (len(near), 3, 3)), o[near]).min()))
    return best if best <= length else np.inf


def _dot(a: Array, b: Array) -> Array:
    return (a * b).sum(axis=-1)


def _point_segment_sq(p: Array, a: Array, b: Array) -> Array:
    d = b - a
    length_sq = np.maximum(_dot(d, d), np.finfo(float).tiny)
    t = np.clip(_dot(p - a, d) / length_sq, 0.0, 1.0)
    r = p - a - t[..., None] * d
    return _dot(r, r)


def face_distance(mover: Array, obstacle: Array) -> Array:
    """Return the distance of face pairs, each (k, 3, 3); repeated corners make segments and points."""
    best = np.full(len(mover), np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        for i in range(3):
            a, b = mover[:, i], mover[:, (i + 1) % 3]
            for j in range(3):
                c, d = obstacle[:, j], obstacle[:, (j + 1) % 3]
                for p, q, r in ((a, c, d), (b, c, d), (c, a, b), (d, a, b)):
                    best = np.minimum(best, _point_segment_sq(p, q, r))
                n = np.cross(b - a, d - c)
                n_sq = _dot(n, n)
                s = _dot(np.cross(c - a, d - c), n) / n_sq
                t = _dot(np.cross(c - a, b - a), n) / n_sq
                inner = (s > 0.0) & (s < 1.0) & (t > 0.0) & (t < 1.0)
                best = np.where(inner, np.minimum(best, _dot(c - a, n) ** 2 / n_sq), best)
        for flat, other in ((obstacle, mover), (mover, obstacle)):
            a, e, f = flat[:, 0], flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0]
            n = np.cross(e, f)
            n_sq = _dot(n, n)
            for i in range(3):
                p, q = other[:, i], other[:, (i + 1) % 3]
                best = np.where(_over(p, a, e, f, n, n_sq), np.minimum(best, _dot(p - a, n) ** 2 / n_sq), best)
                t = _dot(a - p, n) / _dot(q - p, n)
                x = p + t[:, None] * (q - p)
                best = np.where((t >= 0.0) & (t <= 1.0) & _over(x, a, e, f, n, n_sq), 0.0, best)
    return np.sqrt(best)


def _over(p: Array, a: Array, e: Array, f: Array, n: Array, n_sq: Array) -> NDArray[np.bool_]:
    s = _dot(np.cross(p - a, f), n) / n_sq
    t = _dot(np.cross(e, p - a), n) / n_sq
    return (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0)


def thick_travel(mover: Array, obstacle: Array, radius: Array, vector: Array) -> Array:
    """Return how far face pairs (k, 3, 3) move along vectors (k, 3) before their distance is `radius` (k,); inf if never."""
    length = np.linalg.norm(vector, axis=1)
    unit = vector / length[:, None]

    def gap(t: Array) -> Array:
        return face_distance(mover + (t[:, None] * unit)[:, None, :], obstacle) - radius

    low, high = np.zeros_like(length), length.copy()
    for _ in range(120):
        third = (high - low) / 3.0
        left = gap(low + third) <= gap(high - third)
        high = np.where(left, high - third, high)
        low = np.where(left, low, low + third)
    # The end itself may be the nearest point: keep the better of the two.
    middle = 0.5 * (low + high)
    deepest = np.where(gap(length) < gap(middle), length, middle)
    hits = gap(deepest) <= 0.0
    start, end = np.zeros_like(length), deepest
    for _ in range(200):
        middle = 0.5 * (start + end)
        inside = gap(middle) <= 0.0
        end = np.where(inside, middle, end)
        start = np.where(inside, start, middle)
    first = np.where(gap(np.zeros_like(length)) <= 0.0, 0.0, end)
    return np.where(hits | (first == 0.0), first, np.inf)
