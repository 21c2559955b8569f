"""Scopes: orthographic pictures of a scene, depth and owner of each pixel, drawn body by body and block by block.

Only what the view volume may contain is opened: bodies by their world boxes, then groups of blocks, then blocks. A shape that
has just changed is drawn as a whole: an update of its boxes would cost about as much as drawing it.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import inline, kernel, step
from ..base.blocks import BLOCK, FAN
from ..base.bodies import refit_shape
from ..tolerances import EPS, ROUNDING
from .cover import cover_ball, cover_rod, cover_triangle
from .paint import BODY_STEP, FACE_STEP, LANES, NOBODY, Images, marked_body, marked_face, paint_ball, paint_rod, paint_triangles

INF = math.inf

# Columns of a view.
ORIGIN = 0  # 3 columns, world
ORIGIN_REST = 3  # 3 columns: rounding error of the origin
FRAME = 6  # 9 columns: unit vectors along an image row, down a column, and into the depth
LEFT = 15  # 3 columns: the corner of pixel (0, 0) and where the view begins, in that frame
SIZE = 18  # 3 columns: width, height, depth
BEGIN = 21  # depth before which nothing counts, for any `near`: 0, or less by a tolerance
FILLED = 22  # 1: a ray that begins inside a round shape meets it at once; 0: where it leaves it
RIM = 23  # bounding scopes: what reaches less far into the view's sides does not count
VIEW = 24


@inline
def _in_view(boxes, bodies, hidden, view):
    """Return the body rows, without hidden bodies, whose world box may meet the view volume's box."""
    low = np.empty(3)
    high = np.empty(3)
    for r in range(3):
        half = 0.0
        middle = view[ORIGIN + r]
        for c in range(3):
            axis = view[FRAME + 3 * c + r]
            middle += axis * (view[LEFT + c] + 0.5 * view[SIZE + c])
            half += abs(axis) * 0.5 * view[SIZE + c]
        half -= view[BEGIN]
        half += ROUNDING * EPS * (half + abs(middle) + abs(view[ORIGIN + r]))
        low[r] = middle - half
        high[r] = middle + half
    # No branches: the compiler tests several bodies at once.
    near = np.empty(bodies, np.uint8)
    for b in range(bodies):
        near[b] = (
            (boxes[at.WORLD_LOW, b] <= high[0])
            & (boxes[at.WORLD_HIGH, b] >= low[0])
            & (boxes[at.WORLD_LOW + 1, b] <= high[1])
            & (boxes[at.WORLD_HIGH + 1, b] >= low[1])
            & (boxes[at.WORLD_LOW + 2, b] <= high[2])
            & (boxes[at.WORLD_HIGH + 2, b] >= low[2])
            & (hidden[b] == 0)
        )
    count = 0
    for b in range(bodies):
        count += near[b]
    seen = np.empty(count, np.int64)
    count = 0
    for b in range(bodies):
        if near[b]:
            seen[count] = b
            count += 1
    return seen


@inline
def _place(view, columns, rows, poses, b, place):
    """Write the matrix (9) and offset (3) that transform body b's local points into image coordinates."""
    x = (poses[b, at.POSITION] - view[ORIGIN]) + (poses[b, at.POSITION_REST] - view[ORIGIN_REST])
    y = (poses[b, at.POSITION + 1] - view[ORIGIN + 1]) + (poses[b, at.POSITION_REST + 1] - view[ORIGIN_REST + 1])
    z = (poses[b, at.POSITION + 2] - view[ORIGIN + 2]) + (poses[b, at.POSITION_REST + 2] - view[ORIGIN_REST + 2])
    for r in range(3):
        fx = view[FRAME + 3 * r]
        fy = view[FRAME + 3 * r + 1]
        fz = view[FRAME + 3 * r + 2]
        scale = 1.0
        if r == 0:
            scale = columns / view[SIZE]
        elif r == 1:
            scale = rows / view[SIZE + 1]
        for c in range(3):
            place[3 * r + c] = (fx * poses[b, c] + fy * poses[b, 3 + c] + fz * poses[b, 6 + c]) * scale
        place[9 + r] = (fx * x + fy * y + fz * z - view[LEFT + r]) * scale


@inline
def _beside(nodes, m, place, row, thick, first, last):
    """True if node m, widened by `thick`, lies outside first .. last in image coordinate `row` (0 x, 1 y, 2 depth)."""
    p = place[3 * row]
    q = place[3 * row + 1]
    r = place[3 * row + 2]
    middle = p * nodes[m, 0] + q * nodes[m, 1] + r * nodes[m, 2] + place[9 + row]
    half = abs(p) * nodes[m, 3] + abs(q) * nodes[m, 4] + abs(r) * nodes[m, 5] + thick
    return middle + half < first or middle - half > last


@inline
def _within(reals, s, place, row, thick, first, last):
    """True if all of shape s, widened by `thick`, lies between first and last in image coordinate `row`."""
    middle = place[9 + row]
    half = thick
    for c in range(3):
        low = reals[s, at.BOX_LOW + c]
        high = reals[s, at.BOX_HIGH + c]
        middle += place[3 * row + c] * 0.5 * (low + high)
        half += abs(place[3 * row + c]) * 0.5 * (high - low)
    return middle - half >= first and middle + half <= last


@inline
def _hidden_run(ints, nodes, s, k, place, thick, columns, rows, begin, far):
    """Return how many blocks from k on are surely outside the view; 0 if block k may show.

    Groups are tested from the largest that begins with block k downwards, so each is tested once in a pass over all blocks.
    """
    levels = ints[s, at.LEVELS]
    run = FAN ** (levels - 1)
    for up in range(levels):
        if k % run == 0:
            m = ints[s, at.NODE] + ints[s, at.OFFSET + levels - 1 - up] + k // run
            if (
                _beside(nodes, m, place, 0, thick[0], 0.0, columns)
                or _beside(nodes, m, place, 1, thick[1], 0.0, rows)
                or _beside(nodes, m, place, 2, thick[2], begin, far)
            ):
                return run
        run //= FAN
    return 0


@step
def draw(geometry, body_ints, poses, boxes, bodies, hidden, view, bounding, stop, part, parts, images):
    """Draw all bodies except the hidden ones. Return how many fragments were written.

    stop: return after the first block with a fragment. part of parts: draw only that share of all blocks.
    """
    ints = geometry.shape_ints
    vertices = geometry.vertices
    near, fragments, beyond = images.near, images.fragments, images.beyond
    rows, columns = near.shape
    begin, far = view[BEGIN], view[SIZE + 2]
    filled = view[FILLED] > 0.0
    across = (view[SIZE] / columns, view[SIZE + 1] / rows)
    place = np.empty(12)
    points = np.empty((3, 3 * BLOCK))
    lanes = np.empty((LANES, BLOCK))
    wanted = np.empty(BLOCK + 1, np.int64)
    # Read from the geometry once: every access counts references, for which threads would wait on each other.
    listed, corners, starts, nodes = geometry.block_vertices, geometry.corners, geometry.starts, geometry.nodes
    reals = geometry.shape_reals
    seen = _in_view(boxes, bodies, hidden, view)
    total = 0
    for b in seen:
        total += (ints[body_ints[b, at.SHAPE], at.FACES] + BLOCK - 1) // BLOCK
    share = total * part // parts
    share_end = total * (part + 1) // parts
    before = 0
    written = 0
    for b in seen:
        s = body_ints[b, at.SHAPE]
        count = ints[s, at.FACES]
        blocks = (count + BLOCK - 1) // BLOCK
        k = max(share - before, 0)
        last = min(share_end - before, blocks)
        before += blocks
        if k >= last:
            continue
        _place(view, columns, rows, poses, b, place)
        r = reals[s, at.RADIUS]
        reach = 0.0
        for c in range(3):
            reach += max(abs(reals[s, at.BOX_LOW + c]), abs(reals[s, at.BOX_HIGH + c]))
        # Rounding of a coordinate, in pixels and in depth.
        deep = ROUNDING * EPS * (reach + abs(place[11]) + far)
        spread = deep / min(across[0], across[1]) + ROUNDING * EPS * (abs(place[9]) + abs(place[10]) + rows + columns)
        wide = (spread, deep, view[RIM])
        thick = (r / across[0] + spread, r / across[1] + spread, r + deep)
        if ints[s, at.DIRTY] == at.DRAWN:
            refit_shape(geometry, s)
        # If a shape is in view as a whole, or its boxes are out of date, its blocks are not tested one by one.
        known = ints[s, at.DIRTY] == 0 and not (
            _within(reals, s, place, 0, thick[0], 0.0, columns)
            and _within(reals, s, place, 1, thick[1], 0.0, rows)
            and _within(reals, s, place, 2, thick[2], begin, far)
        )
        # In registers: the compiler does not know that writing points leaves the matrix unchanged.
        xx, xy, xz, x0 = place[0], place[1], place[2], place[9]
        yx, yy, yz, y0 = place[3], place[4], place[5], place[10]
        wx, wy, wz, w0 = place[6], place[7], place[8], place[11]
        first_vertex = ints[s, at.VERTEX]
        while k < last:
            if known:
                run = _hidden_run(ints, nodes, s, k, place, thick, columns, rows, begin, far)
                if run > 0:
                    k += run
                    continue
            q0 = ints[s, at.LISTED] + starts[ints[s, at.START] + k]
            q1 = ints[s, at.LISTED] + starts[ints[s, at.START] + k + 1]
            for q in range(q0, q1):
                v = first_vertex + listed[q]
                x = vertices[v, 0]
                y = vertices[v, 1]
                z = vertices[v, 2]
                points[0, q - q0] = xx * x + xy * y + xz * z + x0
                points[1, q - q0] = yx * x + yy * y + yz * z + y0
                points[2, q - q0] = wx * x + wy * y + wz * z + w0
            first = k * BLOCK
            size = min(count - first, BLOCK)
            if r == 0.0 and not bounding:
                written += paint_triangles(
                    near, fragments, begin, far, BODY_STEP * b, first, size, corners, ints[s, at.FACE], points, lanes, wanted
                )
            else:
                for f in range(first, first + size):
                    a = corners[ints[s, at.FACE] + f, 0]
                    c = corners[ints[s, at.FACE] + f, 1]
                    e = corners[ints[s, at.FACE] + f, 2]
                    mark = BODY_STEP * b + FACE_STEP * f
                    ax, ay, aw = points[0, a], points[1, a], points[2, a]
                    bx, by, bw = points[0, c], points[1, c], points[2, c]
                    if r == 0.0:
                        cx, cy, cw = points[0, e], points[1, e], points[2, e]
                        written += cover_triangle(
                            near, fragments, beyond, begin, far, wide, across, mark, ax, ay, aw, bx, by, bw, cx, cy, cw
                        )
                    elif a == c:
                        if bounding:
                            written += cover_ball(near, fragments, beyond, begin, far, wide, across, mark, ax, ay, aw, r)
                        else:
                            written += paint_ball(near, fragments, begin, far, across, filled, mark, ax, ay, aw, r)
                    elif bounding:
                        written += cover_rod(near, fragments, beyond, begin, far, wide, across, mark, ax, ay, aw, bx, by, bw, r)
                    else:
                        written += paint_rod(near, fragments, begin, far, across, filled, mark, ax, ay, aw, bx, by, bw, r)
            if stop and written > 0:
                return written
            k += 1
        if ints[s, at.DIRTY] == at.CHANGED and last == blocks:
            ints[s, at.DIRTY] = at.DRAWN
    return written


@kernel
def wipe(fragments):
    """Clear the spots."""
    rows, columns, _ = fragments.shape
    for i in range(rows):
        for j in range(columns):
            fragments[i, j, 0] = INF
            fragments[i, j, 1] = NOBODY


@kernel
def join(fragments, other):
    """Copy what is nearer in another drawing of the same view into the first."""
    rows, columns, _ = fragments.shape
    for i in range(rows):
        for j in range(columns):
            # Of equals the one with the lower mark, which one thread alone would have drawn first.
            w = other[i, j, 0]
            if w < fragments[i, j, 0] or (w == fragments[i, j, 0] and other[i, j, 1] < fragments[i, j, 1]):
                fragments[i, j, 0] = other[i, j, 0]
                fragments[i, j, 1] = other[i, j, 1]


@inline
def unpack(geometry, body_ints, fragments, far, depth, ids, faces):
    """Write images of depth, body ids and faces as the user gave them: `far` and -1 where nothing is."""
    rows, columns = depth.shape
    face_ids = geometry.face_ids
    ints = geometry.shape_ints
    # Neighbors mostly show the same body: its id and its first face are read once.
    body = -1
    number = -1
    first = 0
    for i in range(rows):
        for j in range(columns):
            mark = fragments[i, j, 1]
            if mark < 0.0:
                depth[i, j] = far
                ids[i, j] = -1
                faces[i, j] = -1
            else:
                if marked_body(mark) != body:
                    body = marked_body(mark)
                    number = body_ints[body, at.ID]
                    first = ints[body_ints[body, at.SHAPE], at.FACE]
                depth[i, j] = fragments[i, j, 0]
                ids[i, j] = number
                faces[i, j] = face_ids[first + marked_face(mark)]


@kernel
def finish_picture(geometry, body_ints, bodies, far, fragments):
    """Return the finished picture: (depth, ids, faces), each (rows, columns), and for each body its pixels and nearest depth.

    The last two are indexed by body row.
    """
    rows, columns, _ = fragments.shape
    depth = np.empty((rows, columns))
    ids = np.empty((rows, columns), np.int32)
    faces = np.empty((rows, columns), np.int32)
    counts = np.zeros(bodies, np.int64)
    nearest = np.full(bodies, INF)
    unpack(geometry, body_ints, fragments, far, depth, ids, faces)
    # Pixels of one body in a row are counted in registers.
    body = 0
    count = 0
    near = INF
    for i in range(rows):
        for j in range(columns):
            mark = fragments[i, j, 1]
            if mark >= 0.0:
                if marked_body(mark) != body:
                    counts[body] += count
                    nearest[body] = min(nearest[body], near)
                    body = marked_body(mark)
                    count = 0
                    near = INF
                count += 1
                near = min(near, fragments[i, j, 0])
    if count > 0:
        counts[body] += count
        nearest[body] = min(nearest[body], near)
    return depth, ids, faces, counts, nearest


@kernel
def pictures(
    geometry, body_ints, poses, boxes, bodies, hidden, views, bounding, first, last, near, fragments, depth, ids, faces, seen
):  # fmt: skip
    """Draw pictures first .. last - 1, one for each of `views`, into images of depth, ids and faces, shape (n, rows, columns).

    seen: 1 is written for each body row that one of them shows. near, fragments: room to draw in.
    """
    rows, columns = near.shape
    images = Images(near, fragments, np.empty(near.shape) if bounding else np.empty((1, 1)))
    for k in range(first, last):
        near[:] = 0.0
        images.beyond[:] = 0.0
        wipe(fragments)
        draw(geometry, body_ints, poses, boxes, bodies, hidden, views[k], bounding, False, 0, 1, images)
        unpack(geometry, body_ints, fragments, views[k, SIZE + 2], depth[k], ids[k], faces[k])
        for i in range(rows):
            for j in range(columns):
                mark = fragments[i, j, 1]
                # Written once: threads that write to neighbors all the time would wait on each other.
                if mark >= 0.0 and seen[marked_body(mark)] == 0:
                    seen[marked_body(mark)] = 1


@kernel
def picture(geometry, body_ints, poses, boxes, bodies, hidden, view, bounding, part, parts, near, fragments):
    """Draw one share of a picture into spots."""
    images = Images(near, fragments, np.zeros(near.shape) if bounding else np.zeros((1, 1)))
    draw(geometry, body_ints, poses, boxes, bodies, hidden, view, bounding, False, part, parts, images)
