"""Poses, vertices and boxes of bodies and shapes, checked and written into the scene's arrays."""

import math

from .. import layout as at
from .._jit import inline, kernel
from ..tolerances import EXACT_ROTATION, LAST_ROW, RIGID, contact_tolerance
from .blocks import refit
from .boxes import EMPTY, include
from .formulas import measured_from, nearest_rotation, off_rotation

INF = math.inf

touch_of = inline(contact_tolerance)
_off_rotation = inline(off_rotation)
_nearest_rotation = inline(nearest_rotation)
_measured_from = inline(measured_from)


@kernel
def extent(points):
    """Return the box of points (n, 3): low 3, high 3."""
    box = EMPTY
    for i in range(len(points)):
        box = include(box, points[i, 0], points[i, 1], points[i, 2])
    return box[:3], box[3:]


@kernel
def unsound(points, largest):
    """Return the index of the first point (n, 3) that is not finite or has a coordinate above `largest` in size; -1 if none."""
    numbers = points.reshape(points.size)
    bad = False
    for i in range(len(numbers)):
        # NaN compares false. No branches: the compiler tests several numbers at once.
        bad |= not (abs(numbers[i]) <= largest)
    if bad:
        for i in range(len(numbers)):
            if not (abs(numbers[i]) <= largest):
                return i // 3
    return -1


@kernel
def put_vertices(given, out, v0, center):
    """Copy vertices, less the center, to out[v0:]."""
    cx = center[0]
    cy = center[1]
    cz = center[2]
    for i in range(len(given)):
        out[v0 + i, 0] = given[i, 0] - cx
        out[v0 + i, 1] = given[i, 1] - cy
        out[v0 + i, 2] = given[i, 2] - cz


@inline
def exact_product(a, b):
    """Return a * b and its rounding error (Dekker 1971)."""
    product = a * b
    t = 134217729.0 * a
    a_high = t - (t - a)
    a_low = a - a_high
    t = 134217729.0 * b
    b_high = t - (t - b)
    b_low = b - b_high
    return product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)


@inline
def _exact_sum(a, b):
    """Return a + b and its rounding error (Knuth)."""
    total = a + b
    b_part = total - a
    return total, (a - (total - b_part)) + (b - b_part)


@inline
def finalize_pose(poses, boxes, b, shape_reals, s):
    """Write the position of the center of body b's shape, and its world box, from its rotation and place.

    The position is stored with its rounding error, so that bodies far from the origin lose no digits. An empty shape has an
    empty box.
    """
    empty = shape_reals[s, at.BOX_LOW] > shape_reals[s, at.BOX_HIGH]
    for r in range(3):
        middle = poses[b, at.PLACE + r]
        rest = 0.0
        half = shape_reals[s, at.RADIUS]
        for c in range(3):
            turned = poses[b, at.ROTATION + 3 * r + c]
            product, lost = exact_product(turned, shape_reals[s, at.CENTER + c])
            middle, lost_too = _exact_sum(middle, product)
            rest += lost + lost_too
        poses[b, at.POSITION + r] = middle
        poses[b, at.POSITION_REST + r] = rest
        for c in range(3):
            turned = poses[b, at.ROTATION + 3 * r + c]
            low = shape_reals[s, at.BOX_LOW + c]
            high = shape_reals[s, at.BOX_HIGH + c]
            middle += turned * (0.5 * low + 0.5 * high)
            half += abs(turned) * (0.5 * high - 0.5 * low)
        boxes[at.WORLD_LOW + r, b] = INF if empty else middle - half
        boxes[at.WORLD_HIGH + r, b] = -INF if empty else middle + half


@inline
def put_pose(poses, boxes, b, shape_reals, s, pose):
    """Write body b's pose and box."""
    for r in range(3):
        for c in range(3):
            poses[b, at.ROTATION + 3 * r + c] = pose[r, c]
        poses[b, at.PLACE + r] = pose[r, 3]
    finalize_pose(poses, boxes, b, shape_reals, s)


@inline
def _made_rigid(pose, largest):
    """Return whether a matrix (4, 4) is a pose. A rotation that is rounded becomes the nearest exact one, in place."""
    for r in range(4):
        for c in range(4):
            # NaN compares false.
            if not (abs(pose[r, c]) <= largest):
                return False
    last = max(max(abs(pose[3, 0]), abs(pose[3, 1])), max(abs(pose[3, 2]), abs(pose[3, 3] - 1.0)))
    if last > LAST_ROW:
        return False
    a, b, c = pose[0, 0], pose[0, 1], pose[0, 2]
    d, e, f = pose[1, 0], pose[1, 1], pose[1, 2]
    g, h, i = pose[2, 0], pose[2, 1], pose[2, 2]
    off, mirrored = _off_rotation(a, b, c, d, e, f, g, h, i)
    if off > RIGID or mirrored:
        return False
    if off > EXACT_ROTATION:
        a, b, c, d, e, f, g, h, i = _nearest_rotation(a, b, c, d, e, f, g, h, i)
        pose[0, 0], pose[0, 1], pose[0, 2] = a, b, c
        pose[1, 0], pose[1, 1], pose[1, 2] = d, e, f
        pose[2, 0], pose[2, 1], pose[2, 2] = g, h, i
    pose[3, 0] = pose[3, 1] = pose[3, 2] = 0.0
    pose[3, 3] = 1.0
    return True


@kernel
def put_body(poses, boxes, b, shape_reals, s, pose):
    """Write body b's pose, shape (4, 4), and its world box."""
    put_pose(poses, boxes, b, shape_reals, s, pose)


@kernel
def settle_body(poses, boxes, b, shape_reals, s):
    """Bring body b's position and world box up to date with its shape."""
    finalize_pose(poses, boxes, b, shape_reals, s)


@kernel
def move_body(poses, boxes, b, shape_reals, s, pose, largest):
    """As `put_body`, for a matrix that is not checked yet. Return False and write nothing if it is not a pose."""
    if not _made_rigid(pose, largest):
        return False
    put_pose(poses, boxes, b, shape_reals, s, pose)
    return True


@kernel
def first_not_rigid(matrices, largest):
    """Return the first of matrices (n, 4, 4) that is not a pose, -1 if all are. Rounded rotations become exact, in place."""
    for k in range(len(matrices)):
        if not _made_rigid(matrices[k], largest):
            return k
    return -1


@kernel
def put_bodies(poses, boxes, rows, shape_reals, body_ints, matrices):
    """Write poses, shape (n, 4, 4), and world boxes of several bodies."""
    for k in range(len(rows)):
        put_pose(poses, boxes, rows[k], shape_reals, body_ints[rows[k], at.SHAPE], matrices[k])


@inline
def _box_of_used(given, g0, block_vertices, starts, shape_ints, s):
    """Return the box of those of the vertices given[g0:] of shape s that its faces use."""
    box = EMPTY
    if shape_ints[s, at.FACES] == 0:
        return box
    first = shape_ints[s, at.LISTED]
    blocks = shape_ints[s, at.OFFSET + 1]
    for q in range(first, first + starts[shape_ints[s, at.START] + blocks]):
        i = g0 + block_vertices[q]
        box = include(box, given[i, 0], given[i, 1], given[i, 2])
    return box


@kernel
def deform_bodies(vertices, block_vertices, starts, shape_ints, shape_reals, body_ints, poses, boxes, rows, given):
    """Give bodies new vertices: `given` holds those of the first body, then those of the second, and so on, all sound.

    No two bodies have the same shape row. Boxes of nodes are not brought up to date: that waits for the first question.
    """
    g0 = 0
    for k in range(len(rows)):
        s = body_ints[rows[k], at.SHAPE]
        v0 = shape_ints[s, at.VERTEX]
        count = shape_ints[s, at.VERTICES]
        box = EMPTY
        for i in range(count):
            x = given[g0 + i, 0]
            y = given[g0 + i, 1]
            z = given[g0 + i, 2]
            box = include(box, x, y, z)
            vertices[v0 + i, 0] = x
            vertices[v0 + i, 1] = y
            vertices[v0 + i, 2] = z
        if shape_ints[s, at.UNUSED]:
            box = _box_of_used(given, g0, block_vertices, starts, shape_ints, s)
        cx, cy, cz = _measured_from(box[:3], box[3:])
        if cx != 0.0 or cy != 0.0 or cz != 0.0:
            for i in range(v0, v0 + count):
                vertices[i, 0] -= cx
                vertices[i, 1] -= cy
                vertices[i, 2] -= cz
        shape_reals[s, at.CENTER] = cx
        shape_reals[s, at.CENTER + 1] = cy
        shape_reals[s, at.CENTER + 2] = cz
        shape_reals[s, at.BOX_LOW] = box[0] - cx
        shape_reals[s, at.BOX_LOW + 1] = box[1] - cy
        shape_reals[s, at.BOX_LOW + 2] = box[2] - cz
        shape_reals[s, at.BOX_HIGH] = box[3] - cx
        shape_reals[s, at.BOX_HIGH + 1] = box[4] - cy
        shape_reals[s, at.BOX_HIGH + 2] = box[5] - cz
        shape_ints[s, at.DIRTY] = at.CHANGED
        shape_ints[s, at.GROUPED] = 0
        finalize_pose(poses, boxes, rows[k], shape_reals, s)
        g0 += count


@inline
def refit_shape(geometry, s):
    """Bring the boxes of shape s up to date with its vertices."""
    ints = geometry.shape_ints
    refit(
        geometry.vertices,
        ints[s, at.VERTEX],
        geometry.block_vertices,
        ints[s, at.LISTED],
        geometry.starts,
        ints[s, at.START],
        geometry.nodes,
        ints[s, at.NODE],
        ints[s, at.OFFSET :],
        ints[s, at.LEVELS],
    )
    ints[s, at.DIRTY] = 0


@kernel
def refit_bodies(geometry, body_ints, poses, boxes, bodies):
    """Bring the boxes of all bodies' shapes up to date with their vertices."""
    for b in range(bodies):
        s = body_ints[b, at.SHAPE]
        used = boxes[at.WORLD_LOW, b] <= boxes[at.WORLD_HIGH, b]  # else it has no faces, or is removed
        if used and geometry.shape_ints[s, at.DIRTY] != 0:
            refit_shape(geometry, s)
