"""The Cyber Radar (Yamachi & Shindo 2002, section 3): how far a body may go, read off pictures.

R, the range scope, shows what lies ahead; M, the mask scope, where the mover ends, looking back from the far end; R + M - d is
the gap L of every pixel. Here the mask is kept as the depth of the mover's leading surface, measured from its rear, so that it
holds for any distance: M = d - lead.

Two points where the paper is mended. Things behind the leading surface are not in the way, but hide what is: R is therefore
drawn from the leading surface on. And if the first surface ahead is one that leaves a closed body, the leading surface
is inside that body: the gap is zero.
"""

import math

import numpy as np

from . import layout as at
from ._jit import kernel, once, step
from .boxes import EMPTY, include
from .inside import INSIDE, inside
from .paint import Images, marked_back, marked_body
from .scope import FRAME, LEFT, ORIGIN, ORIGIN_REST, SIZE, draw, unpack, wipe

INF = math.inf
NAN = math.nan

FREE = 0
HIT = 1
OVERLAP = 2  # the leading surface is inside something
ASK = 3  # the parts of a shape are needed and not known yet
BLIND = 4  # the mover covers no pixel's centre
NOTHING = 5  # nothing in the view: no mask was drawn


@kernel
def extents(geometry, body_ints, poses, movers, frame):
    """Return the box (low 3, high 3) of bodies `movers` in a frame (9,) about the first one's position."""
    ints = geometry.shape_ints
    vertices = geometry.vertices
    listed = geometry.block_vertices
    box = EMPTY
    o = movers[0]
    for b in movers:
        s = body_ints[b, at.SHAPE]
        r = geometry.shape_reals[s, at.RADIUS]
        x = (poses[b, at.POSITION] - poses[o, at.POSITION]) + (poses[b, at.POSITION_REST] - poses[o, at.POSITION_REST])
        y = poses[b, at.POSITION + 1] - poses[o, at.POSITION + 1]
        y += poses[b, at.POSITION_REST + 1] - poses[o, at.POSITION_REST + 1]
        z = poses[b, at.POSITION + 2] - poses[o, at.POSITION + 2]
        z += poses[b, at.POSITION_REST + 2] - poses[o, at.POSITION_REST + 2]
        blocks = ints[s, at.OFFSET + 1] if ints[s, at.FACES] > 0 else 0
        for q in range(geometry.starts[ints[s, at.START] + blocks]):
            v = ints[s, at.VERTEX] + listed[ints[s, at.LISTED] + q]
            p = vertices[v, 0]
            q_ = vertices[v, 1]
            t = vertices[v, 2]
            wx = poses[b, 0] * p + poses[b, 1] * q_ + poses[b, 2] * t + x
            wy = poses[b, 3] * p + poses[b, 4] * q_ + poses[b, 5] * t + y
            wz = poses[b, 6] * p + poses[b, 7] * q_ + poses[b, 8] * t + z
            u = frame[0] * wx + frame[1] * wy + frame[2] * wz
            v_ = frame[3] * wx + frame[4] * wy + frame[5] * wz
            w = frame[6] * wx + frame[7] * wy + frame[8] * wz
            box = include(box, u - r, v_ - r, w - r)
            box = include(box, u + r, v_ + r, w + r)
    return box


@once
def _clear(images, near):
    """Make images ready to draw, everything before `near` left out."""
    rows, columns = images.near.shape
    for i in range(rows):
        for j in range(columns):
            images.near[i, j] = near
    wipe(images.spots)


@once
def _draw_mask(geometry, body_ints, poses, boxes, bodies, hidden, view, length, bounding, touch, lead, images):
    """Draw the movers and write their leading surface to `lead`, -inf beside them; return how many pixels they cover.

    images.near is left ready for the range scope: what counts begins there.
    """
    near, spots, beyond = images.near, images.spots, images.beyond
    rows, columns = near.shape
    turned = view.copy()
    turned[SIZE + 2] = length
    if not bounding:
        # From the far end back. Only the depth axis is turned round, not the columns: that is the paper's mirroring.
        for c in range(3):
            turned[FRAME + 6 + c] = -view[FRAME + 6 + c]
        turned[LEFT + 2] = -(view[LEFT + 2] + length)
    _clear(images, -touch)
    if bounding:
        for i in range(rows):
            for j in range(columns):
                beyond[i, j] = -INF
    turned[SIZE + 2] = length + touch
    draw(geometry, body_ints, poses, boxes, bodies, hidden, turned, bounding, False, 0, 1, images)
    covered = 0
    for i in range(rows):
        for j in range(columns):
            near[i, j] = 0.0
            lead[i, j] = -INF
            if spots[i, j, 1] >= 0.0:
                covered += 1
                if bounding:
                    lead[i, j] = beyond[i, j]
                    near[i, j] = spots[i, j, 0] - touch
                else:
                    lead[i, j] = length - spots[i, j, 0]
                    near[i, j] = lead[i, j] - touch
    return covered


@once
def _is_inside(geometry, body_ints, poses, b, view, across, i, j, w, touch):
    """True if the place at depth w of pixel (i, j) is inside body b, a closed one."""
    u = view[LEFT] + (j + 0.5) * across[0]
    v = view[LEFT + 1] + (i + 0.5) * across[1]
    w = view[LEFT + 2] + w
    x = view[FRAME] * u + view[FRAME + 3] * v + view[FRAME + 6] * w
    y = view[FRAME + 1] * u + view[FRAME + 4] * v + view[FRAME + 7] * w
    z = view[FRAME + 2] * u + view[FRAME + 5] * v + view[FRAME + 8] * w
    x += (view[ORIGIN] - poses[b, at.POSITION]) + (view[ORIGIN_REST] - poses[b, at.POSITION_REST])
    y += (view[ORIGIN + 1] - poses[b, at.POSITION + 1]) + (view[ORIGIN_REST + 1] - poses[b, at.POSITION_REST + 1])
    z += (view[ORIGIN + 2] - poses[b, at.POSITION + 2]) + (view[ORIGIN_REST + 2] - poses[b, at.POSITION_REST + 2])
    px = poses[b, 0] * x + poses[b, 3] * y + poses[b, 6] * z
    py = poses[b, 1] * x + poses[b, 4] * y + poses[b, 7] * z
    pz = poses[b, 2] * x + poses[b, 5] * y + poses[b, 8] * z
    return inside(geometry, body_ints[b, at.SHAPE], px, py, pz, touch) == INSIDE


UNKNOWN = 0
NO = 1
YES = 2


@step
def _find_overlap(geometry, body_ints, poses, bodies, view, across, touch, lead, spots):
    """Pull what the leading surface is inside of up to it. Return (status, shape): ASK for its parts, OVERLAP or FREE.

    A closed body whose surface is left before it was entered may also be one that is turned inside out: of each body
    one place is asked exactly.
    """
    ints = geometry.shape_ints
    rows, columns = lead.shape
    verdicts = np.zeros(bodies, np.uint8)
    status = FREE
    for i in range(rows):
        for j in range(columns):
            mark = spots[i, j, 1]
            if mark < 0.0 or not marked_back(mark) or lead[i, j] == -INF:
                continue
            b = marked_body(mark)
            s = body_ints[b, at.SHAPE]
            if verdicts[b] == UNKNOWN:
                if geometry.shape_reals[s, at.RADIUS] > 0.0:
                    verdicts[b] = YES
                elif ints[s, at.PART] < 0:
                    return ASK, s
                else:
                    solid = ints[s, at.SOLID] > 0
                    held = solid and _is_inside(geometry, body_ints, poses, b, view, across, i, j, lead[i, j], touch)
                    verdicts[b] = YES if held else NO
            if verdicts[b] == YES:
                spots[i, j, 0] = lead[i, j]
                status = OVERLAP
    return status, -1


@once
def _boxed(geometry, body_ints, boxes, bodies, unseen, movers):
    """True if some mover's world box is within that of a body that is closed, or may be."""
    ints = geometry.shape_ints
    for b in range(bodies):
        if unseen[b]:
            continue
        s = body_ints[b, at.SHAPE]
        if ints[s, at.PART] >= 0 and ints[s, at.SOLID] == 0:
            continue
        for m in movers:
            if (
                boxes[at.WORLD_LOW, b] <= boxes[at.WORLD_LOW, m]
                and boxes[at.WORLD_HIGH, b] >= boxes[at.WORLD_HIGH, m]
                and boxes[at.WORLD_LOW + 1, b] <= boxes[at.WORLD_LOW + 1, m]
                and boxes[at.WORLD_HIGH + 1, b] >= boxes[at.WORLD_HIGH + 1, m]
                and boxes[at.WORLD_LOW + 2, b] <= boxes[at.WORLD_LOW + 2, m]
                and boxes[at.WORLD_HIGH + 2, b] >= boxes[at.WORLD_HIGH + 2, m]
            ):
                return True
    return False


@kernel
def probe(
    geometry, body_ints, poses, boxes, bodies, movers, unmoved, unseen, view, distance, length, known, bounding, touch, slack,
    lead, near, spots, scopes, ids, faces,
):  # fmt: skip
    """Draw and read one radar: (status, shape to ask about, drawings, least gap, pixels in contact (k, 2), boxed).

    boxed: the movers' box is within that of a body that may be closed: ask `within` if nothing was hit.
    unmoved: bodies that are not movers; unseen: what R leaves out. view: of R. lead, near (rows, columns): the mask, valid if
    `known`, otherwise written. spots (rows, columns, 2): room to draw in. scopes (3, rows, columns): R, M and L to write; ids
    and faces: of R. slack: how far above the least gap a pixel may be and still be in contact.
    """
    rows, columns = ids.shape
    across = (view[SIZE] / columns, view[SIZE + 1] / rows)
    whole = distance + length
    beyond = np.empty((rows, columns)) if bounding else np.empty((1, 1))
    images = Images(near, spots, beyond)
    none = np.empty((0, 2), np.int64)
    boxed = _boxed(geometry, body_ints, boxes, bodies, unseen, movers)
    wide = view.copy()
    wide[SIZE + 2] = whole + touch
    drawings = 0
    if not known:
        _clear(images, 0.0)
        if draw(geometry, body_ints, poses, boxes, bodies, unseen, wide, bounding, True, 0, 1, images) == 0:
            unpack(geometry, body_ints, spots, whole, scopes[0], ids, faces)
            for i in range(rows):
                for j in range(columns):
                    scopes[1, i, j] = NAN
                    scopes[2, i, j] = NAN
            return NOTHING, -1, 1, INF, none, boxed
        drawings += 1
        covered = _draw_mask(geometry, body_ints, poses, boxes, bodies, unmoved, view, length, bounding, touch, lead, images)
        if covered == 0:
            return BLIND, -1, drawings, INF, none, boxed
    wipe(spots)
    draw(geometry, body_ints, poses, boxes, bodies, unseen, wide, bounding, False, 0, 1, images)
    drawings += 1
    status = FREE
    if not bounding:
        status, ask = _find_overlap(geometry, body_ints, poses, bodies, view, across, touch, lead, spots)
        if status == ASK:
            return ASK, ask, drawings, INF, none, boxed
    unpack(geometry, body_ints, spots, whole, scopes[0], ids, faces)
    least = INF
    for i in range(rows):
        for j in range(columns):
            if lead[i, j] == -INF:
                scopes[1, i, j] = whole
                scopes[2, i, j] = NAN
                continue
            scopes[1, i, j] = whole - lead[i, j]
            gap = max(scopes[0, i, j] - lead[i, j], 0.0)
            scopes[2, i, j] = gap
            if ids[i, j] >= 0 and gap < least:
                least = gap
    if least > distance + touch:
        return FREE, -1, drawings, least, none, boxed
    count = 0
    for i in range(rows):
        for j in range(columns):
            count += ids[i, j] >= 0 and scopes[2, i, j] <= least + slack
    pixels = np.empty((count, 2), np.int64)
    count = 0
    for i in range(rows):
        for j in range(columns):
            if ids[i, j] >= 0 and scopes[2, i, j] <= least + slack:
                pixels[count, 0] = i
                pixels[count, 1] = j
                count += 1
    return OVERLAP if status == OVERLAP else HIT, -1, drawings, least, pixels, boxed
