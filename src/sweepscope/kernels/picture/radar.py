"""The Cyber Radar (Yamachi & Shindo 2002, section 3): how far a body may go, read from pictures.

R, the range scope, shows what lies ahead. M, the mask scope, shows where the mover ends, seen back from the far end. R + M -
d is the gap L of every pixel. Here the mask is stored as the depth of the mover's leading surface, measured from its rear, so
that it holds for any distance: M = d - lead.

The paper is corrected in two points. Things behind the leading surface are not in the way, but hide what is: R is therefore
drawn from the leading surface on. And pictures show only surfaces: points all over the leading surface, and pixels that show
the back of a surface, are tested for being inside a closed body. There the gap is zero.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import inline, kernel, step
from ..base.boxes import EMPTY, include
from ..base.inside import INSIDE, inside
from ..statuses import BLIND, HIT, NOTHING, OVERLAP
from ..tolerances import BACK_SAMPLES, INSIDE_SAMPLES
from .paint import BODY_STEP, Images, marked_back, marked_body
from .view import FILLED, FRAME, LEFT, ORIGIN, ORIGIN_REST, RIM, SIZE, draw, unpack, wipe

INF = math.inf


# Phases of a probe. The first two stop at the first fragment.
AHEAD = 0  # is anything ahead?
BLINDNESS = 1  # does the mover show?
MASK = 2
RANGE = 3


@kernel
def extents(geometry, body_ints, poses, boxes, bodies, movers, frame):
    """Return the box (low 3, high 3) of bodies `movers` (body rows) in a frame (9,) about the first one's position."""
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


@inline
def _nearby(geometry, body_ints, boxes, bodies, unseen, movers, touch):
    """Return the body rows of meshes that are, or may be, closed and whose world boxes meet a mover's at the start."""
    ints = geometry.shape_ints
    found = np.empty(bodies, np.int64)
    count = 0
    for b in range(bodies):
        s = body_ints[b, at.SHAPE]
        closed = ints[s, at.PART] < 0 or ints[s, at.SOLID] > 0
        if unseen[b] or not closed or geometry.shape_reals[s, at.RADIUS] > 0.0:
            continue
        meets = False
        for m in movers:
            apart = False
            for r in range(3):
                apart = apart or boxes[at.WORLD_LOW + r, b] > boxes[at.WORLD_HIGH + r, m] + touch
                apart = apart or boxes[at.WORLD_HIGH + r, b] < boxes[at.WORLD_LOW + r, m] - touch
            meets = meets or not apart
        if meets:
            found[count] = b
            count += 1
    return found[:count]


@inline
def _nested(boxes, bodies, unseen, movers):
    """True if the world box of some body is inside a mover's."""
    for b in range(bodies):
        if unseen[b] == 0:
            for m in movers:
                within = boxes[at.WORLD_LOW, b] <= boxes[at.WORLD_HIGH, b]
                for r in range(3):
                    within = within and boxes[at.WORLD_LOW + r, b] >= boxes[at.WORLD_LOW + r, m]
                    within = within and boxes[at.WORLD_HIGH + r, b] <= boxes[at.WORLD_HIGH + r, m]
                if within:
                    return True
    return False


@inline
def _set_up(view, phase, length, far, bounding, touch, rim, lead, back, images):
    """Prepare the images for a phase and return its view."""
    near, fragments = images.near, images.fragments
    rows, columns = near.shape
    turned = view.copy()
    turned[SIZE + 2] = far
    turned[FILLED] = 1.0
    turned[RIM] = rim if phase == AHEAD or phase == RANGE else 0.0  # noqa: SIM109
    if phase == MASK:
        turned[SIZE + 2] = length + touch
        turned[FILLED] = 0.0
        if not bounding:
            # From the far end back. Only the depth axis is reversed, not the columns: that is the paper's mirroring.
            for c in range(3):
                turned[FRAME + 6 + c] = -view[FRAME + 6 + c]
            turned[LEFT + 2] = -(view[LEFT + 2] + length)
    for i in range(rows):
        for j in range(columns):
            near[i, j] = -touch if phase == MASK or phase == BLINDNESS else 0.0  # noqa: SIM109
            if phase == RANGE and lead[i, j] > -INF:
                # Touching is contact. What is behind a mover, or touches its back, does not count, unless it is that thin.
                near[i, j] = min(back[i, j] + touch, lead[i, j] - touch) if bounding else lead[i, j] - touch
            if bounding:
                images.beyond[i, j] = -INF
    wipe(fragments)
    return turned


@inline
def _keep_mask(length, bounding, lead, back, images):
    """Write the movers' leading surface to `lead`, -inf beside them.

    If bounding, also write how far back they reach to `back`.
    """
    fragments, beyond = images.fragments, images.beyond
    rows, columns = lead.shape
    for i in range(rows):
        for j in range(columns):
            lead[i, j] = -INF
            if fragments[i, j, 1] >= 0.0:
                lead[i, j] = beyond[i, j] if bounding else length - fragments[i, j, 0]
                if bounding:
                    back[i, j] = fragments[i, j, 0]


@inline
def _is_inside(geometry, body_ints, poses, b, view, across, i, j, w, touch):
    """True if the place at depth w of pixel (i, j) is inside the closed body b."""
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
    s = body_ints[b, at.SHAPE]
    reals = geometry.shape_reals
    if px < reals[s, at.BOX_LOW] or py < reals[s, at.BOX_LOW + 1] or pz < reals[s, at.BOX_LOW + 2]:
        return False
    if px > reals[s, at.BOX_HIGH] or py > reals[s, at.BOX_HIGH + 1] or pz > reals[s, at.BOX_HIGH + 2]:
        return False
    return inside(geometry, s, px, py, pz, touch) == INSIDE


@step
def _find_overlap(geometry, body_ints, poses, nearby, view, across, touch, lead, fragments):
    """Return whether the leading surface starts inside a body.

    Where a test found that, the range is set to the leading surface.
    """
    rows, columns = lead.shape
    found = False
    covered = 0
    for i in range(rows):
        for j in range(columns):
            covered += lead[i, j] > -INF
    stride = covered // INSIDE_SAMPLES + 1
    for b in nearby:
        tests = 0
        turn = stride // 2
        for i in range(rows):
            for j in range(columns):
                if lead[i, j] == -INF:
                    continue
                mark = fragments[i, j, 1]
                seen = mark >= 0.0 and marked_back(mark) and marked_body(mark) == b and tests < BACK_SAMPLES
                turn += 1
                if not (seen or turn % stride == 0):
                    continue
                tests += seen
                if _is_inside(geometry, body_ints, poses, b, view, across, i, j, lead[i, j], touch):
                    fragments[i, j, 0] = lead[i, j]
                    fragments[i, j, 1] = BODY_STEP * b
                    found = True
    # Round shapes need no test: a back that is seen before the leading surface shows it.
    for i in range(rows):
        for j in range(columns):
            mark = fragments[i, j, 1]
            if mark >= 0.0 and marked_back(mark) and fragments[i, j, 0] <= lead[i, j]:
                found = found or geometry.shape_reals[body_ints[marked_body(mark), at.SHAPE], at.RADIUS] > 0.0
    return found


@kernel
def contacts(depth, lead, ids, above, limit, slack):
    """Return the least gap above `above` and at most `limit`, infinite if there is none, and the pixels (k, 2) near it.

    depth: R. slack: how far above the least gap a pixel may be and still be in contact.
    """
    rows, columns = ids.shape
    least = INF
    for i in range(rows):
        for j in range(columns):
            gap = max(depth[i, j] - lead[i, j], 0.0)  # infinite beside the mover
            if ids[i, j] >= 0 and above < gap < least and gap <= limit:
                least = gap
    if least == INF:
        return least, np.empty((0, 2), np.int64)
    count = 0
    for i in range(rows):
        for j in range(columns):
            count += ids[i, j] >= 0 and above < max(depth[i, j] - lead[i, j], 0.0) <= least + slack
    pixels = np.empty((count, 2), np.int64)
    count = 0
    for i in range(rows):
        for j in range(columns):
            if ids[i, j] >= 0 and above < max(depth[i, j] - lead[i, j], 0.0) <= least + slack:
                pixels[count, 0] = i
                pixels[count, 1] = j
                count += 1
    return least, pixels


@kernel
def probe(
    geometry, body_ints, poses, boxes, bodies, movers, unmoved, unseen, view, distance, length, known, bounding, touch, rim,
    lead, back, near, fragments, depth, ids, faces,
):  # fmt: skip
    """Draw one radar: return (status, drawings, nested).

    Shapes near the movers are ready, unless the pictures are bounding ones. nested: the box of a body that R shows is inside a
    mover's; pictures would not show it. unmoved: bodies that are not movers. unseen: bodies that R leaves out. view: of R.
    lead, and for bounding scopes back (rows, columns): the mask, valid if `known`, otherwise written. near, fragments: room to
    draw in. depth, ids, faces: R, written. rim: what reaches less far into the sides of a bounding view does not count.
    """
    rows, columns = ids.shape
    across = (view[SIZE] / columns, view[SIZE + 1] / rows)
    whole = distance + length
    images = Images(near, fragments, np.empty((rows, columns)) if bounding else np.empty((1, 1)))
    nearby = _nearby(geometry, body_ints, boxes, bodies, unseen, movers, touch)
    nested = _nested(boxes, bodies, unseen, movers)
    drawings = 0
    for phase in range(RANGE if known else AHEAD, RANGE + 1):
        # One call for all phases: the compiler then inlines the drawing once.
        turned = _set_up(view, phase, length, whole + touch, bounding, touch, rim, lead, back, images)
        hidden = unseen if phase == AHEAD or phase == RANGE else unmoved  # noqa: SIM109
        written = draw(geometry, body_ints, poses, boxes, bodies, hidden, turned, bounding, phase < MASK, 0, 1, images)
        if phase == AHEAD and written == 0 and len(nearby) == 0:
            drawings = 1
        elif phase == BLINDNESS:
            if written == 0:
                return BLIND, drawings, False
            if drawings == 1:
                depth[:] = whole
                ids[:] = -1
                faces[:] = -1
                return NOTHING, drawings, nested
        elif phase == MASK:
            drawings += 1
            _keep_mask(length, bounding, lead, back, images)
        elif phase == RANGE:
            drawings += 1
    overlap = not bounding and _find_overlap(geometry, body_ints, poses, nearby, view, across, touch, lead, fragments)
    unpack(geometry, body_ints, fragments, whole, depth, ids, faces)
    return OVERLAP if overlap else HIT, drawings, nested


@kernel
def starts_near(geometry, body_ints, poses, boxes, bodies, movers, unseen, touch):
    """True if a mover may start inside a body that R may show: then M is needed even if R shows nothing."""
    return len(_nearby(geometry, body_ints, boxes, bodies, unseen, movers, touch)) > 0


@kernel
def finish(
    geometry, body_ints, poses, boxes, bodies, movers, unseen, view, far, bounding, touch, lead, fragments, depth, ids, faces
):  # fmt: skip
    """Finish R that was not drawn here: return whether the movers overlap something at the start, and `nested` as `probe`.

    far: depth where nothing is. lead: the mask. fragments: R as drawn. depth, ids, faces: R, written.
    """
    rows, columns = ids.shape
    across = (view[SIZE] / columns, view[SIZE + 1] / rows)
    nearby = _nearby(geometry, body_ints, boxes, bodies, unseen, movers, touch)
    overlap = not bounding and _find_overlap(geometry, body_ints, poses, nearby, view, across, touch, lead, fragments)
    unpack(geometry, body_ints, fragments, far, depth, ids, faces)
    return overlap, _nested(boxes, bodies, unseen, movers)
