"""Bounding scopes: for every pixel a bound over its whole cell, so that nothing is missed.

`spots` contains the least depth that anything in the cell may have, `beyond` the greatest. A triangle touches a cell unless one
of its edges or its box separates them. Its depth over the cell is limited by its corners and by its plane there. Everything is
widened by the rounding of the coordinates. Coordinates as in paint.py.
"""

import math

import numpy as np

from .._jit import inline
from ..tolerances import EPS, ROD_MARGIN

INF = math.inf


@inline
def _keep(near, fragments, beyond, far, i, j, low, high, mark):
    """Write what lies between depths low and high in a cell, if it may be in the view. Return 1 if so."""
    if high < near[i, j] or low > far:
        return 0
    beyond[i, j] = max(beyond[i, j], high)
    low = max(low, 0.0)
    if low < fragments[i, j, 0]:
        fragments[i, j, 0] = low
        fragments[i, j, 1] = mark
    return 1


@inline
def _cells(low, high, count, rim):
    """Return the first and the last of `count` cells that a closed range touches; the last is before the first if none.

    What reaches at most `rim` into the first or the last cell from outside does not count.
    """
    if high < rim or low > count - rim:
        return 0, -1
    # Clamped as floats: an integer cannot represent every coordinate.
    return int(max(np.ceil(low) - 1.0, 0.0)), int(min(np.floor(high), count - 1.0))


@inline
def _edge_at(x, y, x0, y0, x1, y1):
    """Return the largest value over the cell about (x, y) of the signed side of edge 0 -> 1."""
    dx = x1 - x0
    dy = y1 - y0
    return dx * (y - y0) - dy * (x - x0) + 0.5 * (abs(dx) + abs(dy))


@inline
def cover_triangle(near, fragments, beyond, begin, far, wide, across, mark, x0, y0, w0, x1, y1, w1, x2, y2, w2):
    """Draw a triangle, segment or point. wide: rounding of a coordinate, in pixels and in depth, and the rim."""
    spread = wide[0]
    deep = wide[1]
    lowest = min(w0, min(w1, w2)) - deep
    highest = max(w0, max(w1, w2)) + deep
    if highest < begin or lowest > far:
        return 0
    left, right = _cells(min(x0, min(x1, x2)) - spread, max(x0, max(x1, x2)) + spread, fragments.shape[1], wide[2] / across[0])
    top, bottom = _cells(min(y0, min(y1, y2)) - spread, max(y0, max(y1, y2)) + spread, fragments.shape[0], wide[2] / across[1])
    area = (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)
    if area < 0.0:
        x1, y1, w1, x2, y2, w2 = x2, y2, w2, x1, y1, w1
        area = -area
    reach = max(abs(x1 - x0), max(abs(x2 - x0), abs(x2 - x1))) + max(abs(y1 - y0), max(abs(y2 - y0), abs(y2 - y1)))
    sloped = area > 0.0
    a = ((w1 - w0) * (y2 - y0) - (w2 - w0) * (y1 - y0)) / area
    c = ((w2 - w0) * (x1 - x0) - (w1 - w0) * (x2 - x0)) / area
    # Effect of rounding on the plane, over the cells that the triangle touches.
    moved = spread + 2.0 * EPS * reach
    tilt = (reach + 2.0) * (2.0 * deep * reach + 4.0 * moved * (highest - lowest + reach * (abs(a) + abs(c)))) / area
    sloped = sloped and tilt < highest - lowest
    lean = 0.5 * (abs(a) + abs(c)) + (abs(a) + abs(c)) * spread + tilt + deep
    side = 2.0 * spread * (reach + 2.0)
    written = 0
    for i in range(top, bottom + 1):
        y = i + 0.5
        for j in range(left, right + 1):
            x = j + 0.5
            if _edge_at(x, y, x0, y0, x1, y1) < -side or _edge_at(x, y, x1, y1, x2, y2) < -side:
                continue
            if _edge_at(x, y, x2, y2, x0, y0) < -side:
                continue
            low = lowest
            high = highest
            if sloped:
                w = w0 + a * (x - x0) + c * (y - y0)
                low = max(low, w - lean)
                high = min(high, w + lean)
            written += _keep(near, fragments, beyond, far, i, j, low, high, mark)
    return written


@inline
def _from_cell(x, j):
    """Return the distance of x from the cell j .. j + 1."""
    return max(max(j - x, x - (j + 1.0)), 0.0)


@inline
def cover_ball(near, fragments, beyond, begin, far, wide, across, mark, x, y, w, r):
    """Draw a ball; across: width and height of a pixel [length]."""
    r = r + wide[1] + wide[0] * max(across[0], across[1])
    if w + r < begin or w - r > far:
        return 0
    left, right = _cells(x - r / across[0], x + r / across[0], fragments.shape[1], wide[2] / across[0])
    top, bottom = _cells(y - r / across[1], y + r / across[1], fragments.shape[0], wide[2] / across[1])
    written = 0
    for i in range(top, bottom + 1):
        v = _from_cell(y, i) * across[1]
        for j in range(left, right + 1):
            u = _from_cell(x, j) * across[0]
            rest = r * r - u * u - v * v
            if rest >= 0.0:
                half = math.sqrt(rest)
                written += _keep(near, fragments, beyond, far, i, j, w - half, w + half, mark)
    return written


@inline
def cover_rod(near, fragments, beyond, begin, far, wide, across, mark, x0, y0, w0, x1, y1, w1, r):
    """Draw all points within r of a segment: in a cell, the part of the segment within r of it, thickened by r."""
    r = r + wide[1] + wide[0] * max(across[0], across[1])
    if max(w0, w1) + r < begin or min(w0, w1) - r > far:
        return 0
    rx = r / across[0]
    ry = r / across[1]
    left, right = _cells(min(x0, x1) - rx, max(x0, x1) + rx, fragments.shape[1], wide[2] / across[0])
    top, bottom = _cells(min(y0, y1) - ry, max(y0, y1) + ry, fragments.shape[0], wide[2] / across[1])
    dx = x1 - x0
    dy = y1 - y0
    written = 0
    for i in range(top, bottom + 1):
        for j in range(left, right + 1):
            # The part of the segment in the cell, which is enlarged by r on every side.
            first = 0.0
            last = 1.0
            if dx != 0.0:
                p = (j - rx - x0) / dx
                q = (j + 1.0 + rx - x0) / dx
                first = max(first, min(p, q) - ROD_MARGIN)
                last = min(last, max(p, q) + ROD_MARGIN)
            if dy != 0.0:
                p = (i - ry - y0) / dy
                q = (i + 1.0 + ry - y0) / dy
                first = max(first, min(p, q) - ROD_MARGIN)
                last = min(last, max(p, q) + ROD_MARGIN)
            if first <= last:
                p = w0 + first * (w1 - w0)
                q = w0 + last * (w1 - w0)
                written += _keep(near, fragments, beyond, far, i, j, min(p, q) - r, max(p, q) + r, mark)
    return written
