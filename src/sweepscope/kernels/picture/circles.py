"""Circles about an axis against faces: the angles at which an orbit crosses a surface (DESIGN: the cylindrical chart).

Coordinates are the chart's: z along the axis, x and y across it. Pixel (i, j) is the circle of radius rho_j at height z_i. A
triangle is cut at z_i, and the segment that remains meets the circle twice at most. So does a ball, in closed form. A rod meets
it up to eight times: at its balls in closed form, and at the barrel between them where a trigonometric polynomial of degree two
is zero, found by certified halving.

Watertight: both faces at an edge compute the point of the cut from the edge's lower corner, and the point's own squared
radius decides on which side of a circle it lies. A circle through the edge of two faces therefore crosses one of them, or
both. A level face at exactly the height of a circle shows by its outline. Error of an angle: a few EPS times the coordinates,
divided by the circle's radius and by the sine at which it meets the surface.
"""

import math

import numpy as np

from .._jit import inline, step
from ..charts.cylinder import TURN, distance_to_axis, wrapped
from ..tolerances import EPS, FIRST_HALVINGS, NEAR_CENTER, ROD_SEAM, ROOT_HALVINGS, ROOT_STEPS

# Modes: what to do with a crossing.
LIST = 0  # a crossing of the mover: list it
RANGE = 1  # a crossing of an obstacle: measure how far behind it the mover is

# Columns of the grid: a tuple, so that it stays in registers.
RHO = 0  # radius at the left side of column 0
ACROSS = 1  # width of a column [length]
TOP = 2  # height of the upper side of row 0
DOWN = 3  # height of a row [length]
SEAM = 4  # where the circle is cut open: angles count from there
REAR = 5  # of the mover, counted from the seam
TOUCH = 6  # surfaces nearer than this [length] touch
PER_ACROSS = 7  # columns and image rows per unit of length
PER_DOWN = 8

# Columns of the spots, one row per pixel: what lies nearest ahead, and what touches.
GAP = 0  # angle from the mover's surface to the obstacle's; infinite if there is none
LEAD = 1  # angle of that surface of the mover, counted from the seam
MARK = 2  # of the obstacle, as in paint.py
TOUCHED = 3  # angle of the mover's surface that touches something
TOUCHED_MARK = 4
FRAGMENT = 5

ROOTS = 16


@step
def take(mode, p, angle, rho, mark, grid, spans, arcs, fragments):
    """Use a crossing of pixel p's circle as the mode says. angle: from the chart's x.

    LIST: arcs (n, 3) take angle and pixel, one after another. The last entry of spans counts them, even if there is no room
    left. RANGE: spans (pixels + 1, 2) give where each pixel's angles begin and end in arcs[:, 0], sorted.
    """
    a = wrapped(angle - grid[SEAM])
    if mode == LIST:
        n = spans[-1, 0]
        spans[-1, 0] += 1
        if n < len(arcs):
            arcs[n, 0] = a
            arcs[n, 2] = p
        return
    first = spans[p, 0]
    count = spans[p, 1] - first
    if count == 0:
        gap = wrapped(a - grid[REAR])
        if gap < fragments[p, GAP]:
            fragments[p, GAP] = gap
            fragments[p, LEAD] = grid[REAR]
            fragments[p, MARK] = mark
        return
    slack = grid[TOUCH] / rho
    low = 0
    high = count
    while low < high:
        middle = (low + high) >> 1
        if arcs[first + middle, 0] < a - slack:
            low = middle + 1
        else:
            high = middle
    # A touch decides nothing yet: it may be at the mover's back. Both are stored: what touches, and what is clear ahead.
    if low < count and arcs[first + low, 0] <= a + slack:
        fragments[p, TOUCHED] = arcs[first + low, 0]
        fragments[p, TOUCHED_MARK] = mark
    elif arcs[first, 0] + TURN <= a + slack:
        fragments[p, TOUCHED] = arcs[first, 0]
        fragments[p, TOUCHED_MARK] = mark
    for back in range(1, count + 1):
        k = low - back
        s = arcs[first + k, 0] if k >= 0 else arcs[first + k + count, 0] - TURN
        gap = a - s
        if gap > slack:
            if gap < fragments[p, GAP]:
                fragments[p, GAP] = gap
                fragments[p, LEAD] = s if k >= 0 else s + TURN
                fragments[p, MARK] = mark
            return
        fragments[p, TOUCHED] = s if k >= 0 else s + TURN
        fragments[p, TOUCHED_MARK] = mark
    if fragments[p, GAP] > TURN:
        fragments[p, GAP] = TURN
        fragments[p, LEAD] = arcs[first, 0]
        fragments[p, MARK] = mark


@inline
def first_index(low):
    """Return the first image row or column whose center is not before `low`; as a float, not clamped above."""
    return max(np.ceil(low - 0.5 - NEAR_CENTER), 0.0)


@inline
def last_index(high, count):
    """Return the last image row or column whose center is not beyond `high`; below 0 if there is none."""
    return min(np.floor(high - 0.5 + NEAR_CENTER), count - 1.0)


@inline
def _cross_segment(mode, columns, i, mark, grid, px, py, qx, qy, spans, arcs, fragments):
    """Find where the circles of image row i cross the segment from p to q, both at the height of that row."""
    pp = px * px + py * py
    qq = qx * qx + qy * qy
    j_last = last_index((math.sqrt(max(pp, qq)) - grid[RHO]) * grid[PER_ACROSS], columns)
    if j_last < 0.0:
        return
    dx = qx - px
    dy = qy - py
    dd = dx * dx + dy * dy
    foot = -(px * dx + py * dy) / dd if dd > 0.0 else 0.0
    between = 0.0 < foot < 1.0
    size = math.sqrt(dd)
    h = abs(px * dy - py * dx) / size if dd > 0.0 else math.sqrt(pp)
    low = h if between else math.sqrt(min(pp, qq))
    j = first_index((low - grid[RHO]) * grid[PER_ACROSS])
    while j <= j_last:
        rho = grid[RHO] + (j + 0.5) * grid[ACROSS]
        p = i * columns + int(j)
        j += 1.0
        at_p = pp - rho * rho
        at_q = qq - rho * rho
        dips = between and h < rho
        # From p to q: into the circle, and out of it.
        enters = at_p >= 0.0 and (at_q <= 0.0 or dips)
        leaves = at_q >= 0.0 and (at_p <= 0.0 or dips)
        if not (enters or leaves):
            continue
        half = math.sqrt(max((rho - h) * (rho + h), 0.0)) / size if dd > 0.0 else 0.0
        for side in range(2):
            if enters if side == 0 else leaves:
                t = min(max(foot - half if side == 0 else foot + half, 0.0), 1.0)
                angle = math.atan2(py + t * dy, px + t * dx)
                take(mode, p, angle, rho, mark, grid, spans, arcs, fragments)


@inline
def _at_height(a, b, z):
    """Return the point of the edge from corner a up to corner b at height z."""
    if z == b[2]:
        return b[0], b[1]
    t = (z - a[2]) / (b[2] - a[2])
    return a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])


@inline
def cross_triangle(mode, columns, rows, mark, grid, a, b, c, spans, arcs, fragments):
    """Find where all circles cross a triangle with the corners a, b, c (x, y, z). A segment or a point has no area."""
    if b[2] < a[2]:
        a, b = b, a
    if c[2] < b[2]:
        b, c = c, b
    if b[2] < a[2]:
        a, b = b, a
    i = first_index((grid[TOP] - c[2]) * grid[PER_DOWN])
    i_last = last_index((grid[TOP] - a[2]) * grid[PER_DOWN], rows)
    level = a[2] == c[2]
    while i <= i_last:
        z = grid[TOP] - (i + 0.5) * grid[DOWN]
        row = int(i)
        i += 1.0
        if z < a[2] or z > c[2]:
            continue
        for edge in range(3 if level else 1):
            if level:
                (px, py, _), (qx, qy, _) = (a, b) if edge == 0 else ((b, c) if edge == 1 else (c, a))
            else:
                px, py = _at_height(a, c, z)
                qx, qy = _at_height(a, b, z) if z <= b[2] else _at_height(b, c, z)
            _cross_segment(mode, columns, row, mark, grid, px, py, qx, qy, spans, arcs, fragments)


@step
def ball_half(rho, z, center, height, r):
    """Return half the angle of a circle that a ball covers, 0 or more; -1 if it misses, 4 if the whole circle is inside.

    center: the ball's distance from the axis.
    """
    off = abs(z - height)
    if off > r:
        return -1.0
    disc = math.sqrt((r - off) * (r + off))
    apart = rho - center
    share = (disc - apart) * (disc + apart)
    if share < 0.0:
        return -1.0
    # The squared sine of half of it: exact even if the circle just enters the ball.
    if share >= 4.0 * rho * center:
        return 4.0
    return 2.0 * math.asin(math.sqrt(share / (4.0 * rho * center)))


@step
def cross_ball(mode, columns, rows, mark, grid, a, r, spans, arcs, fragments):
    """Find where all circles cross a ball about a, of radius r."""
    center = math.hypot(a[0], a[1])
    middle = math.atan2(a[1], a[0])
    i = first_index((grid[TOP] - a[2] - r) * grid[PER_DOWN])
    i_last = last_index((grid[TOP] - a[2] + r) * grid[PER_DOWN], rows)
    j_first = first_index((center - r - grid[RHO]) * grid[PER_ACROSS])
    j_last = last_index((center + r - grid[RHO]) * grid[PER_ACROSS], columns)
    while i <= i_last:
        z = grid[TOP] - (i + 0.5) * grid[DOWN]
        j = j_first
        while j <= j_last:
            rho = grid[RHO] + (j + 0.5) * grid[ACROSS]
            p = int(i) * columns + int(j)
            j += 1.0
            half = ball_half(rho, z, center, a[2], r)
            if 0.0 <= half < 4.0:
                take(mode, p, middle - half, rho, mark, grid, spans, arcs, fragments)
                take(mode, p, middle + half, rho, mark, grid, spans, arcs, fragments)
        i += 1.0


@inline
def _barrel(rho, lean, m, f, r, turn):
    """Return how far a circle's point is outside an endless cylinder (squared distance less r squared), and its slope."""
    sine = rho * math.sin(turn)
    cosine = rho * math.cos(turn)
    side = sine - f
    rise = lean * cosine - m
    return side * side + rise * rise - r * r, 2.0 * (side * cosine - lean * rise * sine)


@step
def barrel_roots(rho, lean, m, f, r, roots):
    """Write the angles (up to ROOTS) at which a circle crosses an endless cylinder. Return how many there are.

    In the plane across the cylinder the circle is an ellipse (lean * rho * cos, rho * sin) and the cylinder a disc of radius r
    about (m, f). The angle is halved until a piece surely has no root, or surely rises or falls as a whole, by a bound of the
    second derivative. A piece that is undecided after 40 halvings is a graze: it counts as a miss.
    """
    bend = 2.0 * rho * ((1.0 - lean * lean) * rho + abs(f) + abs(lean * m))
    level = FIRST_HALVINGS
    k = 0
    found = 0
    while k < 1 << level:
        half = 0.5 * TURN / (1 << level)
        middle = (2 * k + 1) * half
        value, slope = _barrel(rho, lean, m, f, r, middle)
        none = abs(value) > abs(slope) * half + 0.5 * bend * half * half
        steady = abs(slope) > bend * half
        if not none and not steady and level < ROOT_HALVINGS:
            level += 1
            k *= 2
            continue
        if not none and steady and found < ROOTS:
            low = middle - half
            high = middle + half
            rising = slope > 0.0
            at_low = _barrel(rho, lean, m, f, r, low)[0]
            at_high = _barrel(rho, lean, m, f, r, high)[0]
            if (at_low <= 0.0 <= at_high) if rising else (at_low >= 0.0 >= at_high):
                # Newton's steps, limited to the interval.
                for _ in range(ROOT_STEPS):
                    if abs(value) <= abs(slope) * EPS * TURN:
                        break
                    if (value > 0.0) == rising:
                        high = middle
                    else:
                        low = middle
                    middle -= value / slope
                    if not low < middle < high:
                        middle = 0.5 * (low + high)
                    value, slope = _barrel(rho, lean, m, f, r, middle)
                roots[found] = middle
                found += 1
        k += 1
        while level > FIRST_HALVINGS and k % 2 == 0:
            k //= 2
            level -= 1
    return found


@step
def cross_rod(mode, columns, rows, mark, grid, a, b, r, roots, spans, arcs, fragments):
    """Find where all circles cross the points within r of the segment from a to b. roots: room for ROOTS angles."""
    ux = b[0] - a[0]
    uy = b[1] - a[1]
    uz = b[2] - a[2]
    length = math.sqrt(ux * ux + uy * uy + uz * uz)
    if length == 0.0:
        cross_ball(mode, columns, rows, mark, grid, a, r, spans, arcs, fragments)
        return
    ux /= length
    uy /= length
    uz /= length
    level = math.hypot(ux, uy)
    # e: the direction in which the rod leans, across the axis; f: square to it.
    ex, ey = (ux / level, uy / level) if level > 0.0 else (1.0, 0.0)
    lean_to = math.atan2(ey, ex)
    ae = a[0] * ex + a[1] * ey
    af = a[1] * ex - a[0] * ey
    slack = ROD_SEAM * (length + r)
    a_center, a_middle = math.hypot(a[0], a[1]), math.atan2(a[1], a[0])
    b_center, b_middle = math.hypot(b[0], b[1]), math.atan2(b[1], b[0])
    i = first_index((grid[TOP] - max(a[2], b[2]) - r) * grid[PER_DOWN])
    i_last = last_index((grid[TOP] - min(a[2], b[2]) + r) * grid[PER_DOWN], rows)
    j_first = first_index((distance_to_axis(a, b) - r - grid[RHO]) * grid[PER_ACROSS])
    j_last = last_index((max(a_center, b_center) + r - grid[RHO]) * grid[PER_ACROSS], columns)
    while i <= i_last:
        z = grid[TOP] - (i + 0.5) * grid[DOWN]
        rise = uz * (z - a[2])
        j = j_first
        while j <= j_last:
            rho = grid[RHO] + (j + 0.5) * grid[ACROSS]
            p = int(i) * columns + int(j)
            j += 1.0
            for end in range(2):
                center, middle, height = (a_center, a_middle, a[2]) if end == 0 else (b_center, b_middle, b[2])
                half = ball_half(rho, z, center, height, r)
                if not 0.0 <= half < 4.0:
                    continue
                for side in (-1.0, 1.0):
                    angle = middle + side * half
                    along = level * (rho * math.cos(angle - lean_to) - ae) + rise
                    if (along <= slack) if end == 0 else (along >= length - slack):
                        take(mode, p, angle, rho, mark, grid, spans, arcs, fragments)
            found = barrel_roots(rho, uz, uz * ae + level * (z - a[2]), af, r, roots)
            for n in range(found):
                along = level * (rho * math.cos(roots[n]) - ae) + rise
                if -slack <= along <= length + slack:
                    take(mode, p, roots[n] + lean_to, rho, mark, grid, spans, arcs, fragments)
        i += 1.0
