"""Sampled scopes: what the ray through a pixel's center meets first (Yamachi & Shindo 2002, section 2).

Coordinates are the image's own: x in columns, y in image rows, from its corner, so that pixel (i, j) has its center at
(j + 0.5, i + 0.5); w is the depth [length]. A fragment counts from near[i, j] to `far`, both ends included, and replaces one
that lies deeper. Of equal ones the first drawn stays, so every pixel has one owner.

Watertight: the test on which side of an edge a center lies gives exactly opposite values to the two faces at the edge, and both
take what lies on it. A triangle seen edge-on counts where a ray runs along it. Depth is a weighted mean of the corners', or for
large, well shaped faces that of the plane. Its error is a few EPS times the coordinates times the slope.

A face that is seen from its back is marked: there the ray leaves what it entered before.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit import inline, step
from ..base.blocks import BLOCK
from ..tolerances import EPS, MOST_SPAN_DOUBT, SLIVER, SPAN_COLUMNS, SPAN_DOUBT

INF = math.inf


class Images(NamedTuple):
    """What a drawing reads and writes."""

    near: NDArray[np.float64]  # (rows, columns): the depth from which on things count
    fragments: NDArray[np.float64]  # (rows, columns, 2): depth, infinite where nothing is, and the mark of what is there
    beyond: NDArray[np.float64]  # (rows, columns), bounding scopes only: the greatest depth that anything drawn may have


# A mark is a whole number that a float64 holds exactly: body, face in block order, and whether it is seen from its back.
# Depth and mark are adjacent, so that a fragment touches one line of the cache and not three.
NOBODY = -1.0
BODY_STEP = 4294967296.0  # 2**32, for up to 2**21 bodies
FACE_STEP = 2.0
BACK = 1.0


@inline
def marked_body(mark):
    return int(mark) >> 32


@inline
def marked_face(mark):
    return (int(mark) & 0xFFFFFFFF) >> 1


@inline
def marked_back(mark):
    return int(mark) & 1 == 1


# Rows of the lanes: room for one number of each face of a block.
X = 0  # 3 rows: of the corners
Y = 3
LEFT = 6  # first and last column and image row whose centers are in the face's box
RIGHT = 7
TOP = 8
BOTTOM = 9
KIND = 10
SIDE = 11  # 3 rows: the side of each edge on which a center lies; if all have one sign, they are the corners' weights
WANTED = 14
LANES = 15

# Kinds of faces: their boxes contain no center, one, at most two by two, or more.
NONE = 0.0
SINGLE = 1.0
SMALL = 2.0
LARGE = 3.0


@inline
def first_center(low):
    """Return the first pixel whose center is at `low` or after; low is at least 0.5."""
    k = int(low - 0.5)
    return k + 1 if k < low - 0.5 else k


@inline
def _put(near, fragments, far, i, j, w, mark):
    """Write a fragment if it is in the view and nearer than what is there. Return how many were written."""
    if near[i, j] <= w < fragments[i, j, 0] and w <= far:
        fragments[i, j, 0] = w
        fragments[i, j, 1] = mark
        return 1
    return 0


@inline
def _put_span(near, fragments, far, filled, i, j, enter, leave, mark):
    """Write where a ray enters a solid. If it begins inside: where it leaves, or its begin if solids are filled."""
    if enter >= near[i, j]:
        return _put(near, fragments, far, i, j, enter, mark)
    if filled and leave > near[i, j]:
        return _put(near, fragments, far, i, j, near[i, j], mark + BACK)
    return _put(near, fragments, far, i, j, leave, mark + BACK)


@inline
def _on_edge(x, y, x0, y0, w0, x1, y1, w1):
    """Return the depths at which the ray at (x, y), which is in line with an edge, meets it; (inf, -inf) beside it."""
    if x < min(x0, x1) or x > max(x0, x1) or y < min(y0, y1) or y > max(y0, y1):
        return INF, -INF
    dx = x1 - x0
    dy = y1 - y0
    if dx == 0.0 and dy == 0.0:
        return min(w0, w1), max(w0, w1)
    t = (x - x0) / dx if abs(dx) >= abs(dy) else (y - y0) / dy
    w = (1.0 - t) * w0 + t * w1
    return w, w


@step
def _fill_edge_on(near, fragments, far, i_low, i_high, j_low, j_high, mark, x0, y0, w0, x1, y1, w1, x2, y2, w2):
    """Draw a face seen edge-on, a segment or a point: a ray that lies in it meets it where it enters."""
    written = 0
    for i in range(i_low, i_high + 1):
        y = i + 0.5
        for j in range(j_low, j_high + 1):
            x = j + 0.5
            if (x1 - x) * (y2 - y) != (y1 - y) * (x2 - x) or (x2 - x) * (y0 - y) != (y2 - y) * (x0 - x):
                continue
            if (x0 - x) * (y1 - y) != (y0 - y) * (x1 - x):
                continue
            p = _on_edge(x, y, x0, y0, w0, x1, y1, w1)
            q = _on_edge(x, y, x1, y1, w1, x2, y2, w2)
            r = _on_edge(x, y, x2, y2, w2, x0, y0, w0)
            if max(p[1], max(q[1], r[1])) >= near[i, j]:
                enter = max(min(p[0], min(q[0], r[0])), near[i, j])
                written += _put(near, fragments, far, i, j, enter, mark)
    return written


@inline
def _fill(near, fragments, far, i_low, i_high, j_low, j_high, mark, x0, y0, w0, x1, y1, w1, x2, y2, w2):
    """Draw a triangle of a few pixels, or a sliver: tests every pixel of its box."""
    written = 0
    for i in range(i_low, i_high + 1):
        y = i + 0.5
        v0 = y0 - y
        v1 = y1 - y
        v2 = y2 - y
        for j in range(j_low, j_high + 1):
            x = j + 0.5
            u0 = x0 - x
            u1 = x1 - x
            u2 = x2 - x
            e0 = u1 * v2 - v1 * u2
            e1 = u2 * v0 - v2 * u0
            e2 = u0 * v1 - v0 * u1
            least = min(e0, min(e1, e2))
            most = max(e0, max(e1, e2))
            area = e0 + e1 + e2
            # NaN where the area is zero: never taken.
            w = (e0 * w0 + e1 * w1 + e2 * w2) / area
            if ((least >= 0.0) | (most <= 0.0)) & (near[i, j] <= w) & (w < fragments[i, j, 0]) & (w <= far):
                fragments[i, j, 0] = w
                fragments[i, j, 1] = mark if area < 0.0 else mark + BACK
                written += 1
    return written


@inline
def _holds(x, y, x0, y0, x1, y1, x2, y2):
    """True if (x, y) is in a triangle or on its outline, by the same test as everywhere."""
    e0 = (x1 - x) * (y2 - y) - (y1 - y) * (x2 - x)
    e1 = (x2 - x) * (y0 - y) - (y2 - y) * (x0 - x)
    e2 = (x0 - x) * (y1 - y) - (y0 - y) * (x1 - x)
    return min(e0, min(e1, e2)) >= 0.0 or max(e0, max(e1, e2)) <= 0.0


@inline
def _ordered(x0, y0, x1, y1, x2, y2):
    """Return the corners from the top down."""
    if y1 < y0:
        x0, y0, x1, y1 = x1, y1, x0, y0
    if y2 < y1:
        x1, y1, x2, y2 = x2, y2, x1, y1
    if y1 < y0:
        x0, y0, x1, y1 = x1, y1, x0, y0
    return x0, y0, x1, y1, x2, y2


@inline
def _lean(x0, y0, x1, y1):
    """Return the change of an edge's x with y; 0 for a level edge, which no image row needs."""
    return (x1 - x0) / (y1 - y0) if y1 > y0 else 0.0


@inline
def _fill_spans(
    near, fragments, far, i_low, i_high, j_low, j_high, mark, x0, y0, w0, x1, y1, w1, x2, y2, w2, area, corners, leans, slack
):  # fmt: skip
    """Draw a large triangle by image rows. Only a center within `slack` of the end of a span is in doubt: it is tested.

    corners: from the top down. leans: of the edges from the first to the second, from there to the third, and from the first
    to it.
    """
    a = ((w1 - w0) * (y2 - y0) - (w2 - w0) * (y1 - y0)) / area
    c = ((w2 - w0) * (x1 - x0) - (w1 - w0) * (x2 - x0)) / area
    mark = mark if area < 0.0 else mark + BACK
    xt, yt, xm, ym, _, _ = corners
    written = 0
    for i in range(i_low, i_high + 1):
        y = i + 0.5
        one = xt + (y - yt) * leans[2]
        other = xt + (y - yt) * leans[0] if y <= ym and yt < ym else xm + (y - ym) * leans[1]
        low = min(one, other) - 0.5
        high = max(one, other) - 0.5
        low_sure = max(low + slack, j_low)
        high_sure = min(high - slack, j_high)
        low = max(low - slack, j_low)
        high = min(high + slack, j_high)
        if low > high:
            continue
        first = math.ceil(low)
        last = math.floor(high)
        if first < low_sure and first <= last and not _holds(first + 0.5, y, x0, y0, x1, y1, x2, y2):
            first += 1
        if last > high_sure and first <= last and not _holds(last + 0.5, y, x0, y0, x1, y1, x2, y2):
            last -= 1
        here = w0 + c * (y - y0) + a * (0.5 - x0)
        for j in range(first, last + 1):
            w = here + a * j
            if (near[i, j] <= w) & (w < fragments[i, j, 0]) & (w <= far):
                fragments[i, j, 0] = w
                fragments[i, j, 1] = mark
                written += 1
    return written


@inline
def paint_triangles(near, fragments, begin, far, body_mark, first, count, corners, c0, points, lanes, wanted):
    """Draw faces first .. first + count - 1 of a body with points (3, n). c0: where the shape's corners begin.

    The faces of a block are processed together, step by step and without branches, so that the compiler does several at once.
    In a fine mesh most faces contain the centers of one or two pixels, or none.
    """
    columns = fragments.shape[1] - 1.0
    rows = fragments.shape[0] - 1.0
    for t in range(count):
        a = corners[c0 + first + t, 0]
        c = corners[c0 + first + t, 1]
        e = corners[c0 + first + t, 2]
        lanes[X, t] = points[0, a]
        lanes[X + 1, t] = points[0, c]
        lanes[X + 2, t] = points[0, e]
        lanes[Y, t] = points[1, a]
        lanes[Y + 1, t] = points[1, c]
        lanes[Y + 2, t] = points[1, e]
    for t in range(count, BLOCK):
        # Lanes without a face are computed too: they are placed outside the image.
        for n in range(LEFT):
            lanes[n, t] = -1.0
    for t in range(BLOCK):
        x0 = lanes[X, t]
        x1 = lanes[X + 1, t]
        x2 = lanes[X + 2, t]
        y0 = lanes[Y, t]
        y1 = lanes[Y + 1, t]
        y2 = lanes[Y + 2, t]
        lanes[LEFT, t] = np.ceil(max(min(x0, min(x1, x2)) - 0.5, 0.0))
        lanes[RIGHT, t] = np.floor(min(max(x0, max(x1, x2)) - 0.5, columns))
        lanes[TOP, t] = np.ceil(max(min(y0, min(y1, y2)) - 0.5, 0.0))
        lanes[BOTTOM, t] = np.floor(min(max(y0, max(y1, y2)) - 0.5, rows))
    for t in range(BLOCK):
        across = lanes[RIGHT, t] - lanes[LEFT, t]
        down = lanes[BOTTOM, t] - lanes[TOP, t]
        size = min(max(across, down), 2.0)
        lanes[KIND, t] = size + 1.0 if min(across, down) >= 0.0 else NONE
    # How many faces need the first of their pixels, the one beside it, the one below it, and the one beside and below.
    single = 0
    beside = 0
    below = 0
    both = 0
    large = 0
    for t in range(BLOCK):
        small = lanes[KIND, t] == SMALL
        across = lanes[RIGHT, t] > lanes[LEFT, t]
        down = lanes[BOTTOM, t] > lanes[TOP, t]
        single += (lanes[KIND, t] == SINGLE) | small
        beside += small & across
        below += small & down
        both += small & across & down
        large += lanes[KIND, t] == LARGE
    asked = (single, beside, below, both)
    written = 0
    for corner in range(4):
        if asked[corner] == 0:
            continue
        dj = float(corner & 1)
        di = float(corner >> 1)
        for t in range(BLOCK):
            x = lanes[LEFT, t] + dj + 0.5
            y = lanes[TOP, t] + di + 0.5
            u0 = lanes[X, t] - x
            u1 = lanes[X + 1, t] - x
            u2 = lanes[X + 2, t] - x
            v0 = lanes[Y, t] - y
            v1 = lanes[Y + 1, t] - y
            v2 = lanes[Y + 2, t] - y
            e0 = u1 * v2 - v1 * u2
            e1 = u2 * v0 - v2 * u0
            e2 = u0 * v1 - v0 * u1
            least = min(e0, min(e1, e2))
            most = max(e0, max(e1, e2))
            covered = (least >= 0.0) | (most <= 0.0)
            there = (lanes[LEFT, t] + dj <= lanes[RIGHT, t]) & (lanes[TOP, t] + di <= lanes[BOTTOM, t])
            lanes[SIDE, t] = e0
            lanes[SIDE + 1, t] = e1
            lanes[SIDE + 2, t] = e2
            lanes[WANTED, t] = 1.0 if covered & there & (lanes[KIND, t] <= SMALL) else 0.0
        some = 0
        for t in range(count):
            wanted[some] = t
            some += lanes[WANTED, t] > 0.0
        for n in range(some):
            t = wanted[n]
            mark = body_mark + FACE_STEP * (first + t)
            i = int(lanes[TOP, t] + di)
            j = int(lanes[LEFT, t] + dj)
            w0 = points[2, corners[c0 + first + t, 0]]
            w1 = points[2, corners[c0 + first + t, 1]]
            w2 = points[2, corners[c0 + first + t, 2]]
            e0 = lanes[SIDE, t]
            e1 = lanes[SIDE + 1, t]
            e2 = lanes[SIDE + 2, t]
            area = e0 + e1 + e2
            if area != 0.0:
                w = (e0 * w0 + e1 * w1 + e2 * w2) / area
                written += _put(near, fragments, far, i, j, w, mark if area < 0.0 else mark + BACK)
            else:
                x0, x1, x2 = lanes[X, t], lanes[X + 1, t], lanes[X + 2, t]
                y0, y1, y2 = lanes[Y, t], lanes[Y + 1, t], lanes[Y + 2, t]
                written += _fill_edge_on(near, fragments, far, i, i, j, j, mark, x0, y0, w0, x1, y1, w1, x2, y2, w2)
    if large == 0:
        return written
    some = 0
    for t in range(count):
        wanted[some] = t
        some += lanes[KIND, t] == LARGE
    for n in range(some):
        t = wanted[n]
        mark = body_mark + FACE_STEP * (first + t)
        i = int(lanes[TOP, t])
        j = int(lanes[LEFT, t])
        i_high = int(lanes[BOTTOM, t])
        j_high = int(lanes[RIGHT, t])
        x0, y0, w0 = lanes[X, t], lanes[Y, t], points[2, corners[c0 + first + t, 0]]
        x1, y1, w1 = lanes[X + 1, t], lanes[Y + 1, t], points[2, corners[c0 + first + t, 1]]
        x2, y2, w2 = lanes[X + 2, t], lanes[Y + 2, t], points[2, corners[c0 + first + t, 2]]
        if max(w0, max(w1, w2)) < begin or min(w0, min(w1, w2)) > far:
            continue
        area = (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)
        if area == 0.0:
            written += _fill_edge_on(near, fragments, far, i, i_high, j, j_high, mark, x0, y0, w0, x1, y1, w1, x2, y2, w2)
            continue
        if j_high - j >= SPAN_COLUMNS:
            wide = max(abs(x1 - x0), max(abs(x2 - x0), abs(x2 - x1)))
            tall = max(abs(y1 - y0), max(abs(y2 - y0), abs(y2 - y1)))
            size = abs(x0) + abs(y0) + wide + tall
            corners_down = _ordered(x0, y0, x1, y1, x2, y2)
            xt, yt, xm, ym, xb, yb = corners_down
            leans = (_lean(xt, yt, xm, ym), _lean(xm, ym, xb, yb), _lean(xt, yt, xb, yb))
            steep = max(abs(leans[0]), max(abs(leans[1]), abs(leans[2])))
            slack = SPAN_DOUBT * EPS * size * (1.0 + steep)
            if SLIVER * abs(area) > wide * wide + tall * tall and slack < MOST_SPAN_DOUBT:
                written += _fill_spans(
                    near, fragments, far, i, i_high, j, j_high, mark,
                    x0, y0, w0, x1, y1, w1, x2, y2, w2, area, corners_down, leans, slack,
                )  # fmt: skip
                continue
        written += _fill(near, fragments, far, i, i_high, j, j_high, mark, x0, y0, w0, x1, y1, w1, x2, y2, w2)
    return written


@inline
def paint_ball(near, fragments, begin, far, across, filled, mark, x, y, w, r):
    """Draw a ball about (x, y, w) of radius r [length]; across: width and height of a pixel [length]."""
    x_low = max(x - r / across[0], 0.5)
    x_high = min(x + r / across[0], fragments.shape[1] - 0.5)
    y_low = max(y - r / across[1], 0.5)
    y_high = min(y + r / across[1], fragments.shape[0] - 0.5)
    if x_low > x_high or y_low > y_high or w + r < begin or w - r > far:
        return 0
    written = 0
    for i in range(first_center(y_low), int(y_high - 0.5) + 1):
        v = (i + 0.5 - y) * across[1]
        for j in range(first_center(x_low), int(x_high - 0.5) + 1):
            u = (j + 0.5 - x) * across[0]
            rho = math.sqrt(u * u + v * v)
            if rho <= r:
                half = math.sqrt((r - rho) * (r + rho))
                written += _put_span(near, fragments, far, filled, i, j, w - half, w + half, mark)
    return written


@inline
def _with_ball(enter, leave, u, v, w, r):
    """Return a span joined with that of a ball that is (u, v) away from the ray."""
    rho = math.sqrt(u * u + v * v)
    if rho > r:
        return enter, leave
    half = math.sqrt((r - rho) * (r + rho))
    return min(enter, w - half), max(leave, w + half)


@inline
def paint_rod(near, fragments, begin, far, across, filled, mark, x0, y0, w0, x1, y1, w1, r):
    """Draw all points within r [length] of a segment: two balls and the barrel between them."""
    x_low = max(min(x0, x1) - r / across[0], 0.5)
    x_high = min(max(x0, x1) + r / across[0], fragments.shape[1] - 0.5)
    y_low = max(min(y0, y1) - r / across[1], 0.5)
    y_high = min(max(y0, y1) + r / across[1], fragments.shape[0] - 0.5)
    if x_low > x_high or y_low > y_high or max(w0, w1) + r < begin or min(w0, w1) - r > far:
        return 0
    du = (x1 - x0) * across[0]
    dv = (y1 - y0) * across[1]
    dw = w1 - w0
    size = math.sqrt(du * du + dv * dv)
    written = 0
    for i in range(first_center(y_low), int(y_high - 0.5) + 1):
        v = (i + 0.5 - y0) * across[1]
        for j in range(first_center(x_low), int(x_high - 0.5) + 1):
            u = (j + 0.5 - x0) * across[0]
            enter, leave = _with_ball(INF, -INF, u, v, w0, r)
            enter, leave = _with_ball(enter, leave, u - du, v - dv, w1, r)
            off = abs(u * dv - v * du) / size  # NaN if the rod points along the ray: then only its ends count
            if off <= r:
                along = (u * du + v * dv) / size
                tilt = dw / size
                middle = w0 + tilt * along
                half = math.sqrt((r - off) * (r + off)) * math.sqrt(1.0 + tilt * tilt)
                # The barrel counts only beside the segment, not beyond its ends.
                near_share = (along + tilt * (middle - half - w0)) / (size + tilt * dw)
                far_share = (along + tilt * (middle + half - w0)) / (size + tilt * dw)
                if 0.0 <= near_share <= 1.0:
                    enter = min(enter, middle - half)
                    leave = max(leave, middle - half)
                if 0.0 <= far_share <= 1.0:
                    enter = min(enter, middle + half)
                    leave = max(leave, middle + half)
            if enter <= leave:
                written += _put_span(near, fragments, far, filled, i, j, enter, leave, mark)
    return written
