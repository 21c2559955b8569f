"""Contact center and normal from the pixels in contact: our answer to section 3.2 of Yamachi and Shindo (2002).

Three or more pixels: the centroid of their convex hull, and the plane through three of its corners. One or two, or all in a
line: their middle, and a plane fitted to what lies around them. It is fitted to both surfaces, the obstacle's and the mover's,
and a flatter surface has more weight: where a corner meets a face, the face decides. A surface that ends beside the pixel has
its edge there, and no weight against one that continues.
"""

import math

import numpy as np

from .._jit import inline, kernel, step
from ..tolerances import FIT_SPREAD, FLATTEST

INF = math.inf
NAN = math.nan


@inline
def _turn(pixels, a, b, c):
    """Return twice the signed area of three pixels: its sign is the sense of their turn, 0 in a line."""
    di = pixels[b, 0] - pixels[a, 0]
    dj = pixels[b, 1] - pixels[a, 1]
    return di * (pixels[c, 1] - pixels[a, 1]) - dj * (pixels[c, 0] - pixels[a, 0])


@step
def _hull(pixels):
    """Return the corners of the convex hull of pixels sorted by image row and column (Andrew 1979), in order around it."""
    n = len(pixels)
    corners = np.empty(2 * n + 1, np.int64)
    k = 0
    for p in range(n):
        while k >= 2 and _turn(pixels, corners[k - 2], corners[k - 1], p) <= 0:
            k -= 1
        corners[k] = p
        k += 1
    lower = k + 1
    for back in range(n - 1):
        p = n - 2 - back
        while k >= lower and _turn(pixels, corners[k - 2], corners[k - 1], p) <= 0:
            k -= 1
        corners[k] = p
        k += 1
    return corners[: max(k - 1, 1)]


@step
def _fit(surface, lead, owners, i, j, owner, across):
    """Fit a plane to a surface about pixel (i, j): return (slope along columns, along image rows, squared misfit).

    NaN if it is not possible. Only pixels of the same owner count.
    """
    rows, columns = surface.shape
    n = 0.0
    su = sv = sw = suu = suv = svv = suw = svw = sww = 0.0
    for p in range(max(i - 1, 0), min(i + 2, rows)):
        for q in range(max(j - 1, 0), min(j + 2, columns)):
            if owners[p, q] != owner or lead[p, q] == -INF:
                continue
            u = (q - j) * across[0]
            v = (p - i) * across[1]
            w = surface[p, q] - surface[i, j]
            n += 1.0
            su += u
            sv += v
            sw += w
            suu += u * u
            suv += u * v
            svv += v * v
            suw += u * w
            svw += v * w
            sww += w * w
    suu -= su * su / n
    suv -= su * sv / n
    svv -= sv * sv / n
    suw -= su * sw / n
    svw -= sv * sw / n
    sww -= sw * sw / n
    det = suu * svv - suv * suv
    if not det > FIT_SPREAD * (across[0] * across[1]) ** 2:
        return NAN, NAN, NAN
    a = (suw * svv - svw * suv) / det
    b = (svw * suu - suw * suv) / det
    return a, b, max(sww - a * suw - b * svw, 0.0)


@step
def _ends(lead, owners, i, j, owner):
    """Return whether the obstacle ends, and whether the mover does, among the eight pixels around (i, j)."""
    rows, columns = owners.shape
    obstacle = False
    mover = False
    for p in range(i - 1, i + 2):
        for q in range(j - 1, j + 2):
            if p < 0 or q < 0 or p >= rows or q >= columns or lead[p, q] == -INF:
                mover = True
            elif owners[p, q] != owner:
                obstacle = True
    return obstacle, mover


@kernel
def contact(depth, lead, owners, pixels, across):
    """Return the center (column, image row, depth) and the normal (columns, image rows, depth) of a contact.

    The normal points towards the mover; it is NaN if there is too little to fit a plane to. depth: R. lead: the mover's leading
    surface, -inf beside it. pixels (k, 2): those in contact, sorted. across: width and height of a pixel [length].
    """
    k = len(pixels)
    hull = _hull(pixels)
    whole = 0.0
    column = row = deep = 0.0
    for n in range(1, len(hull) - 1):
        area = float(abs(_turn(pixels, hull[0], hull[n], hull[n + 1])))
        whole += area
        for m in (hull[0], hull[n], hull[n + 1]):
            row += area * pixels[m, 0] / 3.0
            column += area * pixels[m, 1] / 3.0
            deep += area * depth[pixels[m, 0], pixels[m, 1]] / 3.0
    if whole > 0.0:
        # The largest of the triangles that share the hull's first corner.
        best = 0
        second = hull[1]
        third = hull[1]
        for n in range(1, len(hull)):
            for m in range(n + 1, len(hull)):
                area = abs(_turn(pixels, hull[0], hull[n], hull[m]))
                if area > best:
                    best = area
                    second = hull[n]
                    third = hull[m]
        first = hull[0]
        u0 = (pixels[second, 1] - pixels[first, 1]) * across[0]
        v0 = (pixels[second, 0] - pixels[first, 0]) * across[1]
        u1 = (pixels[third, 1] - pixels[first, 1]) * across[0]
        v1 = (pixels[third, 0] - pixels[first, 0]) * across[1]
        w = depth[pixels[first, 0], pixels[first, 1]]
        w0 = depth[pixels[second, 0], pixels[second, 1]] - w
        w1 = depth[pixels[third, 0], pixels[third, 1]] - w
        det = u0 * v1 - v0 * u1
        a = (w0 * v1 - w1 * v0) / det
        b = (w1 * u0 - w0 * u1) / det
        column /= whole
        row /= whole
        deep /= whole
    else:
        # In a line, or only one: they are sorted, so the middle of the first and the last.
        i0, j0 = pixels[0]
        i1, j1 = pixels[k - 1]
        row = 0.5 * (i0 + i1)
        column = 0.5 * (j0 + j1)
        deep = 0.5 * (depth[i0, j0] + depth[i1, j1])
        i, j = pixels[k // 2]
        owner = owners[i, j]
        a, b, rough = _fit(depth, lead, owners, i, j, owner, across)
        c, d, mover_rough = _fit(lead, lead, owners, i, j, owner, across)
        obstacle_ends, mover_ends = _ends(lead, owners, i, j, owner)
        # No surface counts as flatter than this. An edge is as rough as a slope of one.
        flat = (FLATTEST * (across[0] + across[1])) ** 2
        edge = (across[0] + across[1]) ** 2
        rough += flat + (edge if obstacle_ends else 0.0)
        mover_rough += flat + (edge if mover_ends else 0.0)
        share = rough / (rough + mover_rough)
        a += share * (c - a)
        b += share * (d - b)
    size = math.sqrt(a * a + b * b + 1.0)
    return (column, row, deep), (a / size, b / size, -1.0 / size)
