"""Bounding scopes of a turn: for every pixel the arcs that may hold anything of a face, over the whole cell.

A cell is all circles with radii r0 .. r1 at heights z0 .. z1. The plane through the axis and square to its slices cuts a
triangle in two: in each half a slice leads straight away from the axis. The part of a half in a cell is a convex polygon, cut
to the heights, within a ring. Its angle is least and greatest at a corner in the ring, or where an edge meets one of the two
circles. A ball over a cell: its widest disc, at the radius where that is seen widest. A rod is a chain of balls that contains
it.

Cells are widened by the rounding of the coordinates, and arcs by the angle of that rounding at their radius, so nothing is
missed. If a face reaches the axis itself, its half takes half a turn.
"""

import math

import numpy as np

from .._jit import inline, step
from ..charts.cylinder import TURN, wrapped
from ..tolerances import CHAIN_MARGIN, MOST_BALLS
from .circles import ACROSS, DOWN, GAP, LEAD, LIST, MARK, PER_ACROSS, PER_DOWN, REAR, RHO, SEAM, TOP, TOUCH

INF = math.inf

# Rows of the work array: a polygon of at most 8 corners each. Columns: along the normal, along the slices, and z.
HALF = 0
CUT = 1
SPARE = 2
ROOM = (3, 8, 3)


@step
def _offer(p, low, high, mark, slack, rear, spans, arcs, fragments):
    """Store an obstacle's arc, within 0 .. 2 pi, in pixel p if it is the nearest to the mover's."""
    first = spans[p, 0]
    last = spans[p, 1]
    if first == last:
        gap = wrapped(low - rear) if not low < rear < high else 0.0
        if gap < fragments[p, GAP]:
            fragments[p, GAP] = gap
            fragments[p, LEAD] = rear
            fragments[p, MARK] = mark
        return
    for k in range(first, last):
        s0 = arcs[k, 0]
        s1 = arcs[k, 1]
        gap = 0.0
        if low > s1:
            gap = low - s1
        elif high < min(s0 + slack, s1 - slack):
            # All of it is behind the mover, or touches it there, unless the mover is that thin.
            gap = low + TURN - s1
        if gap < fragments[p, GAP]:
            fragments[p, GAP] = gap
            fragments[p, LEAD] = s1
            fragments[p, MARK] = mark


@step
def take_arc(mode, p, low, high, rho, mark, grid, spans, arcs, fragments):
    """Use an arc of pixel p as the mode says. low, high: angles from the chart's x; rho: the cell's greatest radius."""
    width = high - low
    a = wrapped(low - grid[SEAM])
    if width >= TURN:
        a = 0.0
        width = TURN
    b = a + width
    for part in range(2):
        if part == 1:
            if b <= TURN:
                return
            a = 0.0
            b -= TURN
        high = min(b, TURN)
        if mode == LIST:
            n = spans[-1, 0]
            spans[-1, 0] += 1
            if n < len(arcs):
                arcs[n, 0] = a
                arcs[n, 1] = high
                arcs[n, 2] = p
        else:
            _offer(p, a, high, mark, grid[TOUCH] / rho, grid[REAR], spans, arcs, fragments)


@inline
def cells(low, high, count):
    """Return the first and the last of `count` cells that a closed range touches, as floats."""
    return max(np.ceil(low) - 1.0, 0.0), min(np.floor(high), count - 1.0)


@inline
def _ring(grid, columns, j, wide, rim):
    """Return the least and the greatest radius of column j, widened, less the view's rim."""
    low = grid[RHO] + j * grid[ACROSS]
    high = low + grid[ACROSS]
    if j == 0.0 and grid[RHO] > 0.0:
        low += rim
    if j == columns - 1.0:
        high -= rim
    return max(low - wide, 0.0), high + wide


@inline
def _slab(grid, rows, i, wide, rim):
    """Return the least and the greatest height of row i, widened, less the view's rim."""
    high = grid[TOP] - i * grid[DOWN]
    low = high - grid[DOWN]
    if i == 0.0:
        high -= rim
    if i == rows - 1.0:
        low += rim
    return low - wide, high + wide


@step
def _clip(room, source, target, count, column, sign, limit):
    """Write the part of a polygon with sign * coordinate >= limit. Return how many corners remain."""
    remaining = 0
    for k in range(count):
        m = k + 1 if k + 1 < count else 0
        here = sign * room[source, k, column] - limit
        there = sign * room[source, m, column] - limit
        if here >= 0.0:
            for c in range(3):
                room[target, remaining, c] = room[source, k, c]
            remaining += 1
        if (here > 0.0 and there < 0.0) or (here < 0.0 and there > 0.0):
            t = here / (here - there)
            for c in range(3):
                room[target, remaining, c] = room[source, k, c] + t * (room[source, m, c] - room[source, k, c])
            remaining += 1
    return remaining


@inline
def _seen(low, high, n, t, rho):
    """Return the least and the greatest sine of a direction, and the points there, after one more point."""
    sine = n / rho
    if sine < low[0]:
        low = (sine, n, t)
    if sine > high[0]:
        high = (sine, n, t)
    return low, high


@step
def _arc_in_ring(room, count, r0, r1, wide):
    """Return the points (sine, n, t) at the least and the greatest angle of a polygon within a ring; sine infinite: none.

    The polygon lies where t >= 0, so the sine of the angle, n / rho, grows with the angle.
    """
    low = (INF, 0.0, 0.0)
    high = (-INF, 0.0, 0.0)
    for k in range(count):
        m = k + 1 if k + 1 < count else 0
        pn = room[CUT, k, 0]
        pt = room[CUT, k, 1]
        dn = room[CUT, m, 0] - pn
        dt = room[CUT, m, 1] - pt
        rho = math.sqrt(pn * pn + pt * pt)
        if r0 <= rho <= r1:
            if rho <= wide:
                return (-1.0, -1.0, 0.0), (1.0, 1.0, 0.0)
            low, high = _seen(low, high, pn, pt, rho)
        dd = dn * dn + dt * dt
        if dd == 0.0:
            continue
        foot = -(pn * dn + pt * dt) / dd
        size = math.sqrt(dd)
        h = abs(pn * dt - pt * dn) / size
        for circle in range(2):
            r = r0 if circle == 0 else r1
            if h > r or r == 0.0:
                continue
            half = math.sqrt((r - h) * (r + h)) / size
            for side in (-1.0, 1.0):
                s = foot + side * half
                if 0.0 <= s <= 1.0:
                    low, high = _seen(low, high, pn + s * dn, pt + s * dt, r)
    return low, high


@step
def cover_triangle(mode, columns, rows, mark, grid, wide, rim, a, b, c, room, spans, arcs, fragments):
    """Use all arcs of a triangle, segment or point with the corners a, b, c. wide: rounding of a coordinate [length]."""
    nx = (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1])
    ny = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2])
    size = math.hypot(nx, ny)
    if not size > 0.0:
        # A level face: any plane through the axis serves. Take the one across the middle.
        nx = a[1] + b[1] + c[1]
        ny = -(a[0] + b[0] + c[0])
        size = math.hypot(nx, ny)
    nx, ny = (nx / size, ny / size) if size > 0.0 else (1.0, 0.0)
    for side in (-1.0, 1.0):
        tx = -ny * side
        ty = nx * side
        toward = math.atan2(ty, tx)
        # Angles count from t to its left: against the normal, or along it.
        for k in range(3):
            x, y, z = a if k == 0 else (b if k == 1 else c)
            room[SPARE, k, 0] = -side * (x * nx + y * ny)
            room[SPARE, k, 1] = x * tx + y * ty
            room[SPARE, k, 2] = z
        half = _clip(room, SPARE, HALF, 3, 1, 1.0, 0.0)
        if half == 0:
            continue
        bottom = INF
        top = -INF
        for k in range(half):
            bottom = min(bottom, room[HALF, k, 2])
            top = max(top, room[HALF, k, 2])
        i, i_last = cells((grid[TOP] - top - wide) * grid[PER_DOWN], (grid[TOP] - bottom + wide) * grid[PER_DOWN], rows)
        while i <= i_last:
            row = int(i)
            if rim > 0.0:
                # A part in the rim only touches the mover's outline. A face that reaches further in counts as a whole.
                z0, z1 = _slab(grid, rows, i, wide, rim)
                if bottom > z1 or top < z0:
                    i += 1.0
                    continue
            z0, z1 = _slab(grid, rows, i, wide, 0.0)
            i += 1.0
            count = _clip(room, HALF, SPARE, half, 2, 1.0, z0)
            count = _clip(room, SPARE, CUT, count, 2, -1.0, -z1)
            if count == 0:
                continue
            nearest = INF
            farthest = 0.0
            for k in range(count):
                m = k + 1 if k + 1 < count else 0
                pn = room[CUT, k, 0]
                pt = room[CUT, k, 1]
                dn = room[CUT, m, 0] - pn
                dt = room[CUT, m, 1] - pt
                dd = dn * dn + dt * dt
                s = min(max(-(pn * dn + pt * dt) / dd, 0.0), 1.0) if dd > 0.0 else 0.0
                nearest = min(nearest, math.sqrt((pn + s * dn) ** 2 + (pt + s * dt) ** 2))
                farthest = max(farthest, math.sqrt(pn * pn + pt * pt))
            j = (nearest - wide - grid[RHO]) * grid[PER_ACROSS]
            j, j_last = cells(j, (farthest + wide - grid[RHO]) * grid[PER_ACROSS], columns)
            while j <= j_last:
                r0, r1 = _ring(grid, columns, j, wide, rim)
                p = row * columns + int(j)
                beside = rim > 0.0 and (nearest > r1 or farthest < r0)
                r0, r1 = _ring(grid, columns, j, wide, 0.0)
                j += 1.0
                if beside:
                    continue
                low, high = _arc_in_ring(room, count, r0, r1, wide)
                if low[0] == INF:
                    continue
                low_angle = toward + math.atan2(low[1], low[2]) - wide / math.hypot(low[1], low[2])
                high_angle = toward + math.atan2(high[1], high[2]) + wide / math.hypot(high[1], high[2])
                take_arc(mode, p, low_angle, high_angle, r1, mark, grid, spans, arcs, fragments)


@step
def cover_ball(mode, columns, rows, mark, grid, wide, rim, a, r, spans, arcs, fragments):
    """Use all arcs of a ball about a, of radius r."""
    r = r + wide
    center = math.hypot(a[0], a[1])
    middle = math.atan2(a[1], a[0])
    i, i_last = cells((grid[TOP] - a[2] - r) * grid[PER_DOWN], (grid[TOP] - a[2] + r) * grid[PER_DOWN], rows)
    while i <= i_last:
        z0, z1 = _slab(grid, rows, i, wide, rim)
        row = int(i)
        beside = max(z0 - a[2], a[2] - z1) > r
        z0, z1 = _slab(grid, rows, i, wide, 0.0)
        i += 1.0
        if beside:
            continue
        off = max(max(z0 - a[2], a[2] - z1), 0.0)
        disc = math.sqrt((r - off) * (r + off))
        low = (center - disc - wide - grid[RHO]) * grid[PER_ACROSS]
        j, j_last = cells(low, (center + disc + wide - grid[RHO]) * grid[PER_ACROSS], columns)
        while j <= j_last:
            r0, r1 = _ring(grid, columns, j, wide, rim)
            p = row * columns + int(j)
            beside = r1 < center - disc or r0 > center + disc
            r0, r1 = _ring(grid, columns, j, wide, 0.0)
            j += 1.0
            if beside:
                continue
            # Seen from the axis, the disc is widest where its tangents touch it; if the axis is inside, nearest to the axis.
            tangent = math.sqrt((center - disc) * (center + disc)) if center > disc else 0.0
            rho = min(max(tangent, r0), r1)
            share = (disc - (rho - center)) * (disc + (rho - center))
            half = math.pi
            if share < 4.0 * rho * center:
                half = 2.0 * math.asin(math.sqrt(max(share, 0.0) / (4.0 * rho * center))) + wide / rho
            take_arc(mode, p, middle - half, middle + half, r1, mark, grid, spans, arcs, fragments)


@step
def cover_rod(mode, columns, rows, mark, grid, wide, rim, a, b, r, spans, arcs, fragments):
    """Use all arcs of the points within r of the segment from a to b, by balls no further apart than a pixel is wide."""
    dx = b[0] - a[0]
    dy = b[1] - a[1]
    dz = b[2] - a[2]
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    count = int(min(np.ceil(length / min(grid[ACROSS], grid[DOWN])), 1.0 * MOST_BALLS))
    apart = (1.0 + CHAIN_MARGIN) * 0.5 * length / max(count, 1)
    # Every point within r of the segment is that near to one of the middles.
    reach = math.sqrt(r * r + apart * apart)
    for k in range(count + 1):
        t = k / max(count, 1)
        middle = (a[0] + t * dx, a[1] + t * dy, a[2] + t * dz)
        cover_ball(mode, columns, rows, mark, grid, wide, rim, middle, reach, spans, arcs, fragments)
