"""Transparent pictures of volumes: along each ray, opacities are put together front to back (Porter & Duff 1984, Levoy 1988).

A voxel of opacity alpha lets 1 - alpha of the light through along one width of a voxel, so (1 - alpha)^l along a way of l
widths. A ray is cut at every voxel face that it crosses, in all volumes at once: each part lies in one voxel of each. Rates of
volumes that lie in each other add up, and their colors are mixed by rate. So a picture is exact up to rounding, whatever the
poses. Colors are lit by the gradient of alpha, one normal for each voxel.

Degenerate cases: a ray in a face belongs to the voxel above it. Faces within TIE of the smallest width are crossed at once, so
that rounding does not decide which of two volumes begins. Alpha 1 is a rate of SOLID, which hides all behind it after any
length; several of them count alike. A ray ends when less than UNSEEN of its light is left, which is also the error of colors.
"""

import math

import numpy as np

from .._jit import inline, kernel, step
from ..tolerances import SOLID, TIE, UNSEEN

_AHEAD, _INSIDE, _DONE = 0, 1, 2  # a volume on the way of a ray


@inline
def _opacity(alpha, sizes, start, i, j, k):
    """Return the opacity of voxel (i, j, k); 0 outside of the grid."""
    if i < 0 or j < 0 or k < 0 or i >= sizes[0] or j >= sizes[1] or k >= sizes[2]:
        return 0.0
    return np.float64(alpha[start + (i * sizes[1] + j) * sizes[2] + k])


@step
def _light(alpha, sizes, start, i, j, k, steps, toward, shades):
    """Return the light on a voxel: shades[0], and up to shades[1] more where alpha grows away from the light.

    steps: 1 / spacing. toward: unit, to the light, along the axes of the grid. Without a gradient half of it is added.
    """
    x = (_opacity(alpha, sizes, start, i - 1, j, k) - _opacity(alpha, sizes, start, i + 1, j, k)) * steps[0]
    y = (_opacity(alpha, sizes, start, i, j - 1, k) - _opacity(alpha, sizes, start, i, j + 1, k)) * steps[1]
    z = (_opacity(alpha, sizes, start, i, j, k - 1) - _opacity(alpha, sizes, start, i, j, k + 1)) * steps[2]
    size = math.sqrt(x * x + y * y + z * z)
    if not size > 0.0:
        return shades[0] + 0.5 * shades[1]
    return shades[0] + shades[1] * max(0.0, (x * toward[0] + y * toward[1] + z * toward[2]) / size)


@inline
def _next_face(place, slope, voxel):
    """Return where a ray leaves a voxel along one axis."""
    if slope > 0.0:
        return (voxel + 1 - place) / slope
    if slope < 0.0:
        return (voxel - place) / slope
    return math.inf


@kernel
def compose(alpha, sizes, starts, steps, rates, colors, toward, shades, corners, slopes, near, first, last, found):
    """Write what rays of rows first..last (exclusive) see: found (rows, columns, 4), color times cover, and cover.

    alpha: opacities of n volumes, 0..1, float32, flat, volume b from starts[b] on. sizes (n, 3): voxels along each axis. steps
    (n, 3): 1 / spacing. rates (n,): voxel widths for a unit of way. colors (n, 3). toward (n, 3): to the light, along the axes
    of the grid. shades: ambient and diffuse light. corners, slopes: indices along a ray are corners[b, :, 0] + row *
    corners[b, :, 1] + column * corners[b, :, 2] + way * slopes[b]; a way of 1 is the smallest width
    of all voxels. near: the way at which rays begin.
    """
    count, columns = len(starts), found.shape[1]
    phases, voxels = np.empty(count, np.int64), np.empty((count, 3), np.int64)
    places, faces, spans = np.empty((count, 3)), np.empty((count, 3)), np.empty((count, 2))
    most = 1
    for b in range(count):
        most += sizes[b, 0] + sizes[b, 1] + sizes[b, 2] + 3
    for row in range(first, last):
        for column in range(columns):
            way = math.inf
            for b in range(count):
                enter, leave = near, math.inf
                for axis in range(3):
                    place = corners[b, axis, 0] + row * corners[b, axis, 1] + column * corners[b, axis, 2]
                    places[b, axis] = place
                    slope = slopes[b, axis]
                    if slope == 0.0:
                        if not 0.0 <= place < sizes[b, axis]:
                            leave = -math.inf
                    else:
                        s, t = -place / slope, (sizes[b, axis] - place) / slope
                        enter, leave = max(enter, min(s, t)), min(leave, max(s, t))
                spans[b, 0], spans[b, 1] = enter, leave
                phases[b] = _AHEAD if enter < leave else _DONE
                if enter < leave:
                    way = min(way, enter)
            red, green, blue, clear = 0.0, 0.0, 0.0, 1.0
            for _ in range(most):
                end = math.inf
                for b in range(count):
                    if phases[b] == _AHEAD:
                        if spans[b, 0] > way + TIE:
                            end = min(end, spans[b, 0])
                            continue
                        phases[b] = _INSIDE
                        for axis in range(3):
                            voxel = math.floor(places[b, axis] + way * slopes[b, axis])
                            voxels[b, axis] = max(0, min(voxel, sizes[b, axis] - 1))
                            faces[b, axis] = _next_face(places[b, axis], slopes[b, axis], voxels[b, axis])
                    if phases[b] == _INSIDE:
                        end = min(end, faces[b, 0], faces[b, 1], faces[b, 2], spans[b, 1])
                if end == math.inf:
                    break
                total, r, g, h = 0.0, 0.0, 0.0, 0.0
                for b in range(count):
                    if phases[b] != _INSIDE:
                        continue
                    i, j, k = voxels[b, 0], voxels[b, 1], voxels[b, 2]
                    opaque = _opacity(alpha, sizes[b], starts[b], i, j, k)
                    if opaque > 0.0:
                        rate = -math.log1p(-opaque) * rates[b] if opaque < 1.0 else SOLID
                        lit = rate * _light(alpha, sizes[b], starts[b], i, j, k, steps[b], toward[b], shades)
                        total += rate
                        r, g, h = r + lit * colors[b, 0], g + lit * colors[b, 1], h + lit * colors[b, 2]
                if total > 0.0 and end > way:
                    left = math.exp(-total * (end - way))
                    share = clear * (1.0 - left) / total
                    red, green, blue = red + share * r, green + share * g, blue + share * h
                    clear *= left
                    if clear < UNSEEN:
                        clear = 0.0
                        break
                for b in range(count):
                    if phases[b] != _INSIDE:
                        continue
                    if end + TIE >= spans[b, 1]:
                        phases[b] = _DONE
                        continue
                    for axis in range(3):
                        if faces[b, axis] <= end + TIE:
                            voxels[b, axis] += 1 if slopes[b, axis] > 0.0 else -1
                            if 0 <= voxels[b, axis] < sizes[b, axis]:
                                faces[b, axis] = _next_face(places[b, axis], slopes[b, axis], voxels[b, axis])
                            else:
                                phases[b] = _DONE
                way = max(way, end)
            found[row, column, 0], found[row, column, 1] = red, green
            found[row, column, 2], found[row, column, 3] = blue, 1.0 - clear
