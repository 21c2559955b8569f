"""Scopes of a turn: finds the bodies, groups of blocks and blocks that the orbits of a view may meet, and draws them.

A view is a ring: radii from the axis across, heights along it down. The mover's crossings with all circles are listed, any
number of them, and sorted once by pixel and angle. Every crossing of an obstacle then finds the nearest of them behind it,
around the circle. The least of those angles is the pixel's gap, whichever arm of the mover it belongs to.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import inline, kernel
from ..base.blocks import BLOCK, FAN
from ..base.bodies import refit_shape
from ..charts.cylinder import place_about, placed
from ..tolerances import EPS, INSERTION_SORTED, ROUNDING
from .arcs import ROOM, cover_ball, cover_rod, cover_triangle
from .circles import (
    ACROSS,
    DOWN,
    GAP,
    LEAD,
    MARK,
    RANGE,
    RHO,
    ROOTS,
    TOP,
    TOUCHED,
    TOUCHED_MARK,
    cross_ball,
    cross_rod,
    cross_triangle,
)
from .paint import BODY_STEP, FACE_STEP, NOBODY, marked_body, marked_face

INF = math.inf

# Columns of a view, after those of `charts.cylinder`.
GRID = 12  # 7 columns: as in circles.py
RIM = 19  # bounding scopes: obstacles that reach less far into the view's sides do not count
VIEW = 20


@inline
def _beside(place, cx, cy, cz, hx, hy, hz, thick, bounds):
    """True if a local box, widened by `thick`, meets no orbit of a view.

    bounds: the view's least and greatest radius and height.
    """
    x, y, z = placed(place, cx, cy, cz)
    tall = abs(place[6]) * hx + abs(place[7]) * hy + abs(place[8]) * hz + thick
    if z - tall > bounds[3] or z + tall < bounds[2]:
        return True
    rho = math.sqrt(x * x + y * y)
    wide = math.sqrt(hx * hx + hy * hy + hz * hz) + thick
    return rho - wide > bounds[1] or rho + wide < bounds[0]


@inline
def _hidden_run(ints, nodes, s, k, place, thick, bounds):
    """Return how many blocks from k on meet no orbit of the view; 0 if block k may. As in view.py."""
    levels = ints[s, at.LEVELS]
    run = FAN ** (levels - 1)
    for up in range(levels):
        if k % run == 0:
            m = ints[s, at.NODE] + ints[s, at.OFFSET + levels - 1 - up] + k // run
            center = nodes[m, 0], nodes[m, 1], nodes[m, 2]
            half = nodes[m, 3], nodes[m, 4], nodes[m, 5]
            if _beside(place, center[0], center[1], center[2], half[0], half[1], half[2], thick, bounds):
                return run
        run //= FAN
    return 0


@kernel
def draw(geometry, body_ints, poses, boxes, bodies, hidden, view, columns, rows, bounding, mode, spans, arcs, fragments):
    """Draw all bodies except the hidden ones, in a mode of circles.py.

    spans (pixels + 1, 2), arcs (n, 3): the mover's crossings. spots (pixels, SPOT): what is nearest to them.
    """
    ints, vertices, listed, corners = geometry.shape_ints, geometry.vertices, geometry.block_vertices, geometry.corners
    block_starts, nodes, reals = geometry.starts, geometry.nodes, geometry.shape_reals
    g = GRID
    whole = (view[g], view[g + 1], view[g + 2], view[g + 3], view[g + 4], view[g + 5], view[g + 6])
    grid = (*whole, 1.0 / whole[ACROSS], 1.0 / whole[DOWN])
    outer = grid[RHO] + columns * grid[ACROSS]
    rim = view[RIM] if mode == RANGE else 0.0
    place = np.empty(12)
    points = np.empty((3, 3 * BLOCK))
    room = np.empty(ROOM)
    roots = np.empty(ROOTS)
    for b in range(bodies):
        if hidden[b] or not boxes[at.WORLD_LOW, b] <= boxes[at.WORLD_HIGH, b]:
            continue
        s = body_ints[b, at.SHAPE]
        place_about(view, poses, b, place)
        r = reals[s, at.RADIUS]
        reach = 0.0
        for c in range(3):
            reach += max(abs(reals[s, at.BOX_LOW + c]), abs(reals[s, at.BOX_HIGH + c]))
        wide = ROUNDING * EPS * (reach + abs(place[9]) + abs(place[10]) + abs(place[11]) + outer + abs(grid[TOP]))
        bounds = (grid[RHO] - wide, outer + wide, grid[TOP] - rows * grid[DOWN] - wide, grid[TOP] + wide)
        thick = r + wide
        low = reals[s, at.BOX_LOW], reals[s, at.BOX_LOW + 1], reals[s, at.BOX_LOW + 2]
        high = reals[s, at.BOX_HIGH], reals[s, at.BOX_HIGH + 1], reals[s, at.BOX_HIGH + 2]
        center = 0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2])
        half = 0.5 * (high[0] - low[0]), 0.5 * (high[1] - low[1]), 0.5 * (high[2] - low[2])
        if _beside(place, center[0], center[1], center[2], half[0], half[1], half[2], thick, bounds):
            continue
        if ints[s, at.DIRTY] == at.DRAWN:
            refit_shape(geometry, s)
        known = ints[s, at.DIRTY] == 0
        count = ints[s, at.FACES]
        blocks = (count + BLOCK - 1) // BLOCK
        # In registers: the compiler does not know that writing points leaves the matrix unchanged.
        xx, xy, xz, x0 = place[0], place[1], place[2], place[9]
        yx, yy, yz, y0 = place[3], place[4], place[5], place[10]
        zx, zy, zz, z0 = place[6], place[7], place[8], place[11]
        first_vertex = ints[s, at.VERTEX]
        first_face = ints[s, at.FACE]
        k = 0
        while k < blocks:
            if known:
                run = _hidden_run(ints, nodes, s, k, place, thick, bounds)
                if run > 0:
                    k += run
                    continue
            here = ints[s, at.LISTED] + block_starts[ints[s, at.START] + k]
            size = block_starts[ints[s, at.START] + k + 1] - block_starts[ints[s, at.START] + k]
            for n in range(size):
                v = first_vertex + listed[here + n]
                p = vertices[v, 0]
                q = vertices[v, 1]
                t = vertices[v, 2]
                points[0, n] = xx * p + xy * q + xz * t + x0
                points[1, n] = yx * p + yy * q + yz * t + y0
                points[2, n] = zx * p + zy * q + zz * t + z0
            for f in range(k * BLOCK, min(count, k * BLOCK + BLOCK)):
                u = corners[first_face + f, 0]
                v = corners[first_face + f, 1]
                w = corners[first_face + f, 2]
                mark = BODY_STEP * b + FACE_STEP * f
                a = points[0, u], points[1, u], points[2, u]
                c = points[0, v], points[1, v], points[2, v]
                e = points[0, w], points[1, w], points[2, w]
                if r == 0.0:
                    if bounding:
                        cover_triangle(mode, columns, rows, mark, grid, wide, rim, a, c, e, room, spans, arcs, fragments)
                    else:
                        cross_triangle(mode, columns, rows, mark, grid, a, c, e, spans, arcs, fragments)
                elif u == v:
                    if bounding:
                        cover_ball(mode, columns, rows, mark, grid, wide, rim, a, r, spans, arcs, fragments)
                    else:
                        cross_ball(mode, columns, rows, mark, grid, a, r, spans, arcs, fragments)
                elif bounding:
                    cover_rod(mode, columns, rows, mark, grid, wide, rim, a, c, r, spans, arcs, fragments)
                else:
                    cross_rod(mode, columns, rows, mark, grid, a, c, r, roots, spans, arcs, fragments)
            k += 1
        if ints[s, at.DIRTY] == at.CHANGED:
            ints[s, at.DIRTY] = at.DRAWN


@kernel
def gather(spans, arcs):
    """Return the listed crossings, (n, 2), sorted by pixel. Write where each pixel's begin and end to spans."""
    count = spans[-1, 0]
    for p in range(len(spans)):
        spans[p, 1] = 0
    for n in range(count):
        spans[int(arcs[n, 2]), 1] += 1
    total = 0
    for p in range(len(spans)):
        spans[p, 0] = total
        total += spans[p, 1]
        spans[p, 1] = spans[p, 0]
    gathered = np.empty((count, 2))
    for n in range(count):
        k = spans[int(arcs[n, 2]), 1]
        spans[int(arcs[n, 2]), 1] += 1
        gathered[k, 0] = arcs[n, 0]
        gathered[k, 1] = arcs[n, 1]
    return gathered


@inline
def _join(arcs, first, last):
    """Sort arcs first .. last - 1 and join those that overlap. Return their new end."""
    order = np.argsort(arcs[first:last, 0])
    sorted_arcs = arcs[first:last][order]
    n = first
    arcs[n] = sorted_arcs[0]
    for k in range(1, len(sorted_arcs)):
        if sorted_arcs[k, 0] <= arcs[n, 1]:
            arcs[n, 1] = max(arcs[n, 1], sorted_arcs[k, 1])
        else:
            n += 1
            arcs[n] = sorted_arcs[k]
    return n + 1


@kernel
def line_up(spans, arcs, bounding):
    """Sort every pixel's list; join arcs that overlap. Return how many remain in all."""
    total = 0
    for p in range(len(spans)):
        first = spans[p, 0]
        last = spans[p, 1]
        if last - first > 1:
            if bounding:
                spans[p, 1] = _join(arcs, first, last)
            elif last - first > INSERTION_SORTED:
                arcs[first:last, 0] = np.sort(arcs[first:last, 0])
            else:
                for k in range(first + 1, last):
                    a = arcs[k, 0]
                    n = k
                    while n > first and arcs[n - 1, 0] > a:
                        arcs[n, 0] = arcs[n - 1, 0]
                        n -= 1
                    arcs[n, 0] = a
        total += spans[p, 1] - first
    return total


@kernel
def blank(fragments):
    """Clear the spots."""
    for p in range(len(fragments)):
        fragments[p, GAP] = INF
        fragments[p, LEAD] = 0.0
        fragments[p, MARK] = NOBODY
        fragments[p, TOUCHED] = 0.0
        fragments[p, TOUCHED_MARK] = NOBODY


@kernel
def finish_picture(geometry, body_ints, spans, arcs, fragments, rear, depth, bounding, pressing, ranges, lead, ids, faces):
    """Write R, the leading surface, ids and faces, each (rows, columns). Return how many pixels touch at the start.

    pressing: what touches is in the way of the mover. Otherwise it is at the mover's back, or slides.
    """
    face_ids, ints = geometry.face_ids, geometry.shape_ints
    rows, columns = ids.shape
    touching = 0
    for i in range(rows):
        for j in range(columns):
            p = i * columns + j
            mark = fragments[p, MARK]
            gap = fragments[p, GAP]
            front = fragments[p, LEAD]
            covered = spans[p, 1] > spans[p, 0]
            if covered and fragments[p, TOUCHED_MARK] >= 0.0:
                touching += 1
                if pressing:
                    mark = fragments[p, TOUCHED_MARK]
                    front = fragments[p, TOUCHED]
                    gap = 0.0
            if mark >= 0.0 and front - rear + gap > depth:
                mark = NOBODY
            if covered and mark < 0.0:
                front = arcs[spans[p, 1] - 1, 1 if bounding else 0]
            lead[i, j] = front - rear if covered else -INF
            ranges[i, j] = depth
            ids[i, j] = -1
            faces[i, j] = -1
            if mark >= 0.0:
                b = marked_body(mark)
                ranges[i, j] = front - rear + gap
                ids[i, j] = body_ints[b, at.ID]
                faces[i, j] = face_ids[ints[body_ints[b, at.SHAPE], at.FACE] + marked_face(mark)]
    return touching
