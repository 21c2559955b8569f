"""Fans against convex things and triangles. Cut by the planes of the two faces, a thing is a convex polygon along the axis.

The corners of the cut are the corners between the planes and the places where edges cross them. Their hull, seen along the
axis, is tested against the sector (`sector.meets_polygon`). If the edges of points are unknown, every pair may be an edge.
"""

import math

import numpy as np

from .._jit import inline, kernel, step
from ..tolerances import GRAIN
from .fan import fan_of, frame_of, slack_of, to_frame
from .sector import meets_polygon

INF = math.inf
ROOM = 64  # corners of the cut of a thing with up to 16 edges
_SPARE = 8


@inline
def _before(points, k, x, y):
    return points[k, 0] < x or (points[k, 0] == x and points[k, 1] < y)


@step
def _sort(points, count):
    """Sort points by x, then y (Shell's sort)."""
    gap = 1
    while gap < count:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, count):
            x, y = points[k, 0], points[k, 1]
            j = k
            while j >= gap and not _before(points, j - gap, x, y):
                points[j, 0] = points[j - gap, 0]
                points[j, 1] = points[j - gap, 1]
                j -= gap
            points[j, 0] = x
            points[j, 1] = y
        gap //= 3


@inline
def _add(hull, n, floor, x, y):
    """Append a corner, and remove the corners before it that do not turn left there. Return how many there are."""
    while n >= floor + 2:
        ax, ay = hull[n - 2, 0], hull[n - 2, 1]
        bx, by = hull[n - 1, 0], hull[n - 1, 1]
        if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0.0:
            break
        n -= 1
    hull[n, 0] = x
    hull[n, 1] = y
    return n + 1


@step
def hull_of(points, count, hull):
    """Write the corners of the hull of points into `hull`, in order (Andrew 1979). Return how many."""
    _sort(points, count)
    n = 0
    for k in range(count):
        n = _add(hull, n, 0, points[k, 0], points[k, 1])
    floor = n - 1
    for k in range(count - 2, -1, -1):
        n = _add(hull, n, floor, points[k, 0], points[k, 1])
    return n - 1 if n > 1 else n


@inline
def crossing(points, n, a, b, c, u, v, w, height):
    """Add the place where the edge (a, b, c)..(u, v, w) crosses the plane z = height, if any. Return how many points."""
    low, high = c - height, w - height
    if (low < 0.0 and high > 0.0) or (low > 0.0 and high < 0.0):
        t = low / (low - high)
        points[n, 0] = a + t * (u - a)
        points[n, 1] = b + t * (v - b)
        return n + 1
    return n


@inline
def cut(corners, count, edges, edge_count, h, points):
    """Write the part of a convex thing between z = -h and z = h, seen along z, into points. Return how many."""
    n = 0
    for k in range(count):
        if abs(corners[k, 2]) <= h:
            points[n, 0] = corners[k, 0]
            points[n, 1] = corners[k, 1]
            n += 1
    for k in range(edge_count):
        i, j = edges[k, 0], edges[k, 1]
        a, b, c = corners[i, 0], corners[i, 1], corners[i, 2]
        u, v, w = corners[j, 0], corners[j, 1], corners[j, 2]
        n = crossing(points, n, a, b, c, u, v, w, h)
        n = crossing(points, n, a, b, c, u, v, w, -h)
    return n


@step
def meets_solid(sector, h, corners, count, edges, edge_count, slack, points, hull, spare, other):
    """True if a fan meets a convex thing given by corners, in the fan's frame, and edges."""
    least, most, near_sq = INF, -INF, 0.0
    for k in range(count):
        x, y, z = corners[k, 0], corners[k, 1], corners[k, 2]
        least = min(least, z)
        most = max(most, z)
        near_sq = max(near_sq, x * x + y * y)
    if least > h + slack or most < -h - slack or near_sq < max(0.0, sector[2] - slack) ** 2:
        return False
    n = cut(corners, count, edges, edge_count, h + slack, points)
    if n == 0:
        return False
    n = hull_of(points, n, hull)
    return meets_polygon(sector, hull, n, spare, other, slack)


@inline
def buffers():
    """Return room for `meets_solid`: (points, hull, spare, other)."""
    return (
        np.empty((ROOM, 2)),
        np.empty((2 * ROOM, 2)),
        np.empty((2 * ROOM + _SPARE, 2)),
        np.empty((2 * ROOM + _SPARE, 2)),
    )


@kernel
def boxes(numbers, sizes, poses, edges, out):
    """Write whether boxes of full widths `sizes` at `poses` (n, 4, 4) meet the fan."""
    frame = frame_of(numbers)
    sector, h = fan_of(numbers[12], numbers[13], numbers[14], numbers[15])
    touch = slack_of(numbers)
    corners = np.empty((8, 3))
    points, hull, spare, other = buffers()
    for i in range(len(sizes)):
        a, b, c = 0.5 * sizes[i, 0], 0.5 * sizes[i, 1], 0.5 * sizes[i, 2]
        for k in range(8):
            x = a if k & 4 else -a
            y = b if k & 2 else -b
            z = c if k & 1 else -c
            px = poses[i, 0, 0] * x + poses[i, 0, 1] * y + poses[i, 0, 2] * z + poses[i, 0, 3]
            py = poses[i, 1, 0] * x + poses[i, 1, 1] * y + poses[i, 1, 2] * z + poses[i, 1, 3]
            pz = poses[i, 2, 0] * x + poses[i, 2, 1] * y + poses[i, 2, 2] * z + poses[i, 2, 3]
            corners[k, 0], corners[k, 1], corners[k, 2] = to_frame(frame, px, py, pz)
        slack = touch + GRAIN * (a + b + c)
        out[i] = meets_solid(sector, h, corners, 8, edges, len(edges), slack, points, hull, spare, other)


@kernel
def hull(numbers, given):
    """True if the hull of points, shape (k, 3), meets the fan."""
    frame = frame_of(numbers)
    sector, h = fan_of(numbers[12], numbers[13], numbers[14], numbers[15])
    count = len(given)
    corners = np.empty((count, 3))
    widest = 0.0
    for k in range(count):
        corners[k, 0], corners[k, 1], corners[k, 2] = to_frame(frame, given[k, 0], given[k, 1], given[k, 2])
        widest = max(widest, abs(corners[k, 0]) + abs(corners[k, 1]) + abs(corners[k, 2]))
    slack = slack_of(numbers) + GRAIN * widest
    # A cut of the hull has at most as many corners as the hull has edges: with twice that there is always room.
    most = 16 * count + ROOM
    points = np.empty((most, 2))
    turn = np.empty((2 * most, 2))
    n = 0
    for k in range(count):
        if abs(corners[k, 2]) <= h + slack:
            points[n, 0] = corners[k, 0]
            points[n, 1] = corners[k, 1]
            n += 1
    for i in range(count):
        for j in range(i):
            for side in range(2):
                height = h + slack if side == 0 else -h - slack
                n = crossing(
                    points, n, corners[i, 0], corners[i, 1], corners[i, 2], corners[j, 0], corners[j, 1], corners[j, 2], height
                )
            if n + 2 > most:
                n = hull_of(points, n, turn)
                for k in range(n):
                    points[k, 0] = turn[k, 0]
                    points[k, 1] = turn[k, 1]
    if n == 0:
        return False
    n = hull_of(points, n, turn)
    return meets_polygon(sector, turn, n, np.empty((n + _SPARE, 2)), np.empty((n + _SPARE, 2)), slack)


@inline
def _clip_plane(a, count, into, sign, height):
    """Write the part of a convex polygon in space with sign z <= height. Return how many corners remain."""
    remaining = 0
    for k in range(count):
        j = k + 1 if k + 1 < count else 0
        low, high = height - sign * a[k, 2], height - sign * a[j, 2]
        if low >= 0.0:
            into[remaining, 0], into[remaining, 1], into[remaining, 2] = a[k, 0], a[k, 1], a[k, 2]
            remaining += 1
        if (low > 0.0 and high < 0.0) or (low < 0.0 and high > 0.0):
            t = low / (low - high)
            for m in range(3):
                into[remaining, m] = a[k, m] + t * (a[j, m] - a[k, m])
            remaining += 1
    return remaining


@kernel
def triangles(numbers, vertices, faces, matrix):
    """True if some face of vertices placed by a matrix (4, 4) meets the fan."""
    frame = frame_of(numbers)
    sector, h = fan_of(numbers[12], numbers[13], numbers[14], numbers[15])
    placed = np.empty(vertices.shape)
    rounded = abs(matrix[0, 3]) + abs(matrix[1, 3]) + abs(matrix[2, 3])
    for k in range(len(vertices)):
        x, y, z = vertices[k, 0], vertices[k, 1], vertices[k, 2]
        rounded = max(rounded, abs(x) + abs(y) + abs(z))
        px = matrix[0, 0] * x + matrix[0, 1] * y + matrix[0, 2] * z + matrix[0, 3]
        py = matrix[1, 0] * x + matrix[1, 1] * y + matrix[1, 2] * z + matrix[1, 3]
        pz = matrix[2, 0] * x + matrix[2, 1] * y + matrix[2, 2] * z + matrix[2, 3]
        placed[k, 0], placed[k, 1], placed[k, 2] = to_frame(frame, px, py, pz)
    touch = slack_of(numbers) + GRAIN * rounded
    first = np.empty((8, 3))
    second = np.empty((8, 3))
    flat = np.empty((8, 2))
    spare = np.empty((16, 2))
    other = np.empty((16, 2))
    r, far = sector[2], sector[3]
    for f in range(len(faces)):
        least, most = INF, -INF
        near_sq = 0.0
        x_low, x_high, y_low, y_high = INF, -INF, INF, -INF
        for k in range(3):
            v = faces[f, k]
            x, y, z = placed[v, 0], placed[v, 1], placed[v, 2]
            first[k, 0], first[k, 1], first[k, 2] = x, y, z
            least = min(least, z)
            most = max(most, z)
            near_sq = max(near_sq, x * x + y * y)
            x_low, x_high = min(x_low, x), max(x_high, x)
            y_low, y_high = min(y_low, y), max(y_high, y)
        slack = touch + GRAIN * (x_high - x_low + y_high - y_low + most - least)
        wide = far + slack
        if least > h + slack or most < -h - slack or x_low > wide or x_high < -wide or y_low > wide or y_high < -wide:
            continue
        if near_sq < max(0.0, r - slack) ** 2:
            continue
        n = _clip_plane(first, 3, second, 1.0, h + slack)
        n = _clip_plane(second, n, first, -1.0, h + slack)
        for k in range(n):
            flat[k, 0] = first[k, 0]
            flat[k, 1] = first[k, 1]
        if n > 0 and meets_polygon(sector, flat, n, spare, other, slack):
            return True
    return False


@kernel
def winding(vertices, faces, x, y, z):
    """Return how often a closed surface winds around a point (van Oosterom & Strackee 1983); about 0 outside."""
    total = 0.0
    for f in range(len(faces)):
        a, b, c = faces[f, 0], faces[f, 1], faces[f, 2]
        ax, ay, az = vertices[a, 0] - x, vertices[a, 1] - y, vertices[a, 2] - z
        bx, by, bz = vertices[b, 0] - x, vertices[b, 1] - y, vertices[b, 2] - z
        cx, cy, cz = vertices[c, 0] - x, vertices[c, 1] - y, vertices[c, 2] - z
        la = math.sqrt(ax * ax + ay * ay + az * az)
        lb = math.sqrt(bx * bx + by * by + bz * bz)
        lc = math.sqrt(cx * cx + cy * cy + cz * cz)
        volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
        flat = la * lb * lc + (ax * bx + ay * by + az * bz) * lc
        flat += (bx * cx + by * cy + bz * cz) * la + (cx * ax + cy * ay + cz * az) * lb
        total += 2.0 * math.atan2(volume, flat)
    return total / (4.0 * math.pi)
