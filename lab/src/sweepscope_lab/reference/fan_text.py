"""The thesis' tests of fans written down from its text, one case at a time (Yamamoto 2023, 2.2 to 2.7, and 2.9).

They share no code with `kernels.fan_published` and follow the text line by line. Only its errata are corrected: the condition
in 2.4, (2.8) and (2.15) with r_c > r, (2.30) clamped, (2.34). Points are arrays; a fan is theta, r, R, h in its own frame.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]
Segment = tuple[Floats, Floats]

NEAR = 1e-9
"""Tolerance of a crossing on the fan's border [length]; 2.3 does not name one."""


# ---- 2.9, the small parts


def segments_cross(e: Floats, f: Floats, g: Floats, h: Floats) -> Floats | None:
    """Return where two segments cross, 2.9.1; None if they do not."""
    s, t = np.linalg.solve(np.column_stack((f - e, g - h)), g - e)  # (2.33)
    return e + s * (f - e) if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0 else None  # (2.35)


def circle_crossings(e: Floats, f: Floats, radius: float) -> list[Floats]:
    """Return where a segment crosses a circle about the origin, 2.9.2 as printed: s is limited to 0..1."""
    v = f - e
    roots = np.roots((v @ v, 2.0 * v @ e, e @ e - radius**2))  # (2.39)
    return [e + max(0.0, min(float(s.real), 1.0)) * v for s in roots if s.imag == 0.0]


def in_rectangle(p: Floats, corners: Floats) -> bool:
    """2.9.3."""
    turns = []
    for e, f in zip(corners, np.roll(corners, -1, axis=0), strict=True):  # (2.40)
        along, out = f - e, p - e
        turns.append(along[0] * out[1] - along[1] * out[0])
    return bool(min(turns) >= 0.0 or max(turns) <= 0.0)


def place(q: Floats, s: Floats, v: Floats) -> float:
    """(2.43)."""
    return float((q - s) @ v / (v @ v))


def point_segment(q: Floats, s: Floats, e: Floats) -> float:
    """Return the distance of a point from a segment, 2.9.4."""
    v = e - s
    return float(np.linalg.norm(q - (s + max(0.0, min(place(q, s, v), 1.0)) * v)))


def segment_segment(c: Floats, d: Floats, e: Floats, f: Floats) -> float:
    """Return the distance of two segments, 2.9.5: (2.47) to (2.53) and the clamping that follows them."""
    vl, vm = d - c, f - e
    tm = (vm @ (e - c) * (vl @ vl) - vl @ (e - c) * (vl @ vm)) / ((vl @ vm) ** 2 - (vl @ vl) * (vm @ vm))
    tl = max(0.0, min(vl @ (e - c + tm * vm) / (vl @ vl), 1.0))
    tm = place(c + tl * vl, e, vm)
    if 0.0 <= tm <= 1.0:
        return float(np.linalg.norm(c + tl * vl - e - tm * vm))
    tm = max(0.0, min(tm, 1.0))
    tl = max(0.0, min(place(e + tm * vm, c, vl), 1.0))
    return float(np.linalg.norm(c + tl * vl - e - tm * vm))


# ---- 2.2 to 2.7, the tests


def sides(theta: float, r: float, far: float) -> tuple[Segment, Segment]:
    """(2.9), (2.10)."""
    g, h = np.array((math.cos(theta), math.sin(theta))), np.array((math.cos(theta), -math.sin(theta)))
    return (r * g, far * g), (r * h, far * h)


def in_angle(theta: float, p: Floats) -> bool:
    """(2.6), (2.7)."""
    return bool(p[0] / math.hypot(*p[:2]) >= math.cos(theta))


def point(theta: float, r: float, far: float, h: float, p: Floats) -> bool:
    """2.2."""
    return bool(abs(p[2]) <= h and r**2 <= p[0] ** 2 + p[1] ** 2 <= far**2 and in_angle(theta, p))


def circle(theta: float, r: float, far: float, p: Floats, rc: float) -> bool:
    """2.4."""
    if in_angle(theta, p):
        return bool(max(0.0, r - rc) ** 2 <= p @ p <= (far + rc) ** 2)
    return min(point_segment(p, *side) for side in sides(theta, r, far)) <= rc


def widest(z: float, h: float, radius: float) -> float:
    """R_m of 2.5, (2.12)."""
    return radius if abs(z) <= h else math.sqrt(max(0.0, radius**2 - (abs(z) - h) ** 2))


def sphere(theta: float, r: float, far: float, h: float, p: Floats, rs: float) -> bool:
    """2.5."""
    return bool(abs(p[2]) <= h + rs) and circle(theta, r, far, p[:2], widest(p[2], h, rs))


def capsule_2d(theta: float, r: float, far: float, s: Floats, e: Floats, rc: float) -> bool:
    """2.6: the ends of all ranges of t are found, and a middle between each two is tested as it stands."""
    v = e - s
    if not v.any():
        return circle(theta, r, far, s, rc)
    ends = [0.0, 1.0]
    for radius in (far + rc, max(0.0, r - rc)):
        roots = np.roots((v @ v, 2.0 * s @ v, s @ s - radius**2))
        ends += [float(root.real) for root in roots if root.imag == 0.0]
    for side in (1.0, -1.0):
        g = np.array((math.cos(theta), side * math.sin(theta)))
        ends.append((s[1] * g[0] - s[0] * g[1]) / (v[0] * g[1] - v[1] * g[0]))  # (2.18), (2.19)
    ends = sorted(t for t in ends if 0.0 <= t <= 1.0)
    for a, b in itertools.pairwise(ends):
        p = s + 0.5 * (a + b) * v
        gz, hz = p[0] * math.sin(theta) - p[1] * math.cos(theta), -p[0] * math.sin(theta) - p[1] * math.cos(theta)
        within = (gz >= 0.0 and hz <= 0.0) if theta < math.pi / 2 else (gz >= 0.0 or hz <= 0.0)  # (2.20)
        if within and max(0.0, r - rc) ** 2 <= p @ p <= (far + rc) ** 2:  # (2.15)
            return True
    return min(segment_segment(s, e, *side) for side in sides(theta, r, far)) <= rc


def capsule(theta: float, r: float, far: float, h: float, s: Floats, e: Floats, rc: float) -> bool:
    """2.7, (2.21) to (2.31)."""
    if s[2] < e[2]:
        s, e = e, s
    if s[2] + rc < -h or e[2] - rc > h:
        return False
    v = e - s
    flat = math.hypot(v[0], v[1])
    wide = rc if s[2] >= -h and e[2] <= h else max(widest(s[2], h, rc), widest(e[2], h, rc))  # (2.22)
    w = rc / -v[2] * flat  # (2.26)
    gz = h + w / math.sqrt(w**2 + rc**2) * rc  # (2.28), (2.29)
    first = s + (min(s[2], max(gz, e[2])) - s[2]) / v[2] * v  # (2.30)
    last = s + (max(e[2], min(-gz, s[2])) - s[2]) / v[2] * v
    j = first + (wide - widest(first[2], h, rc)) / flat * v  # (2.31)
    k = last - (wide - widest(last[2], h, rc)) / flat * v
    return capsule_2d(theta, r, far, j[:2], k[:2], wide)


def crossings(e: Floats, f: Floats, theta: float, r: float, far: float) -> Iterator[Floats]:
    """Yield where a side of a rectangle crosses the fan's segments and circles (2.3)."""
    for g, h in sides(theta, r, far):
        found = segments_cross(e, f, g, h)
        if found is not None:
            yield found
    for radius in (r, far):
        yield from circle_crossings(e, f, radius)


def rectangle(theta: float, r: float, far: float, corners: Floats) -> bool:
    """2.3, corners in turn, shape (4, 2)."""
    for e, f in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        for p in crossings(e, f, theta, r, far):
            rho = math.hypot(*p)
            if r - NEAR <= rho <= far + NEAR and p[0] / rho >= math.cos(theta) - NEAR:
                return True
    middle = np.array((0.5 * (r + far), 0.0))
    return in_rectangle(middle, corners) or point(theta, r, far, math.inf, np.array((*corners[0], 0.0)))
