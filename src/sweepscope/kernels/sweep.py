"""The sweep: which body is met first, after how much travel, by which faces.

Bodies in reach by their world boxes; a slot for each, placed in the chart's frame; the walk; then where and by which features
they touch. `sweeper` makes that for a chart; `sweep` is the straight one, `turn` (in its own file) the one about an axis.
`within` tells of bodies whose surfaces do not cross whether one is inside the other.
"""

import math

import numpy as np

from . import chart as straight
from . import layout as at
from ._jit import inline, kernel, once
from .bodies import refit_shape
from .boxes import EMPTY, include
from .faces import local_face, rank_of, vertex_of
from .inside import holds
from .judge import judge
from .planes import no_planes
from .sharp import parting
from .slots import BLOCKS, BODY, NODES, REACH, SHAPE, SLACK, SLOT_INTS, SLOT_REALS, THICK, WIDE
from .tolerances import EPS, LOOSE, ROUNDING, TOUCH_AWAY, TOUCH_SIZE
from .verdicts import AGAIN, UNKNOWN
from .walk import walker

INF = math.inf

FREE = 0
HIT = 1
OVERLAP = 2  # crossing at the start
ASK = 3  # the parts of a shape (third value) are needed and not known yet
SHALLOW = 4  # touching from the inside


@inline
def _meets(boxes, b, box, wide):
    """True if body b's world box meets a box."""
    lo = at.WORLD_LOW
    hi = at.WORLD_HIGH
    if boxes[lo, b] > box[3] + wide or boxes[hi, b] < box[0] - wide:
        return False
    if boxes[lo + 1, b] > box[4] + wide or boxes[hi + 1, b] < box[1] - wide:
        return False
    return boxes[lo + 2, b] <= box[5] + wide and boxes[hi + 2, b] >= box[2] - wide


@inline
def _box_of(boxes, b):
    """Return body b's world box."""
    return boxes[0, b], boxes[1, b], boxes[2, b], boxes[3, b], boxes[4, b], boxes[5, b]


@inline
def _near(boxes, bodies, movers, box, wide, near):
    """Mark in `near` the bodies, movers left out, whose world box meets a box; return how many."""
    x0 = box[0] - wide
    y0 = box[1] - wide
    z0 = box[2] - wide
    x1 = box[3] + wide
    y1 = box[4] + wide
    z1 = box[5] + wide
    # No branches: the compiler tests several bodies at once.
    for b in range(bodies):
        near[b] = (
            (boxes[at.WORLD_LOW, b] <= x1)
            & (boxes[at.WORLD_HIGH, b] >= x0)
            & (boxes[at.WORLD_LOW + 1, b] <= y1)
            & (boxes[at.WORLD_HIGH + 1, b] >= y0)
            & (boxes[at.WORLD_LOW + 2, b] <= z1)
            & (boxes[at.WORLD_HIGH + 2, b] >= z0)
        )
    for m in movers:
        near[m] = 0
    count = 0
    for b in range(bodies):
        count += near[b]
    return count


@inline
def _may_meet(body_ints, skips, mover, other):
    if (body_ints[mover, at.IGNORES] >> body_ints[other, at.GROUP]) & 1:
        return False
    free = False
    for k in range(len(skips)):
        free = free or (skips[k, 1] == other and (skips[k, 0] == mover or skips[k, 0] < 0))
    return not free


@inline
def _place(frame, poses, b, ox, oy, oz, slots, k):
    """Write the placement of body b in the chart with axes `frame` and origin (ox, oy, oz) to slots[k]."""
    x = (poses[b, at.POSITION] - ox) + poses[b, at.POSITION_REST]
    y = (poses[b, at.POSITION + 1] - oy) + poses[b, at.POSITION_REST + 1]
    z = (poses[b, at.POSITION + 2] - oz) + poses[b, at.POSITION_REST + 2]
    for r in range(3):
        fx = frame[3 * r]
        fy = frame[3 * r + 1]
        fz = frame[3 * r + 2]
        for c in range(3):
            slots[k, 3 * r + c] = fx * poses[b, c] + fy * poses[b, 3 + c] + fz * poses[b, 6 + c]
        slots[k, 9 + r] = fx * x + fy * y + fz * z


@inline
def _met_face(geometry, slots, k, s, i):
    """Return face i of shape s in the frame, its rank and its vertices."""
    f = local_face(geometry, s, i)
    p = straight.to_chart(slots, k, f[0], f[1], f[2])
    q = straight.to_chart(slots, k, f[3], f[4], f[5])
    r = straight.to_chart(slots, k, f[6], f[7], f[8])
    face = (p[0], p[1], p[2], q[0], q[1], q[2], r[0], r[1], r[2])
    vertices = (vertex_of(geometry, s, i, 0), vertex_of(geometry, s, i, 1), vertex_of(geometry, s, i, 2))
    return face, rank_of(geometry.corners, geometry.shape_ints[s, at.FACE] + i), vertices


def sweeper(chart, judge):
    """Return the sweep in a chart (a module: `chart` or `helix`) where `judge` tells of two faces whether they meet."""
    walk = walker(chart, judge)

    @once
    def sweep_in(geometry, body_ints, poses, body_boxes, bodies, movers, skips, motion, travel, margin, tolerance, closed):
        """Sweep bodies `movers` (ids) against all others, of ids below `bodies`; motion, travel: as the chart knows them.

        Return (status, travel, mover, obstacle, features, point 3, normal 3, boxed, touch); boxed: bodies may be inside each
        other, ask `within`, with this tolerance. features: of each side the face, the feature and the
        face's three vertices. Point and normal are in the world. tolerance < 0 asks for the default; closed: resting counts.
        """
        nodes = geometry.nodes
        shape_ints = geometry.shape_ints
        shape_reals = geometry.shape_reals
        none = (0.0, 0.0, 0.0)
        nothing = (-1, -1, -1)
        lost = (-1, -1, nothing, -1, -1, nothing)
        # The movers' common box gives the chart its origin and the tolerance its measure.
        box = EMPTY
        has_faces = False
        for m in movers:
            if body_boxes[at.WORLD_LOW, m] > body_boxes[at.WORLD_HIGH, m]:
                continue  # an empty one has an empty box
            has_faces = True
            box = include(box, body_boxes[0, m], body_boxes[1, m], body_boxes[2, m])
            box = include(box, body_boxes[3, m], body_boxes[4, m], body_boxes[5, m])
        if not has_faces:
            return FREE, INF, -1, -1, lost, none, none, False, 0.0
        ox = 0.5 * box[0] + 0.5 * box[3]
        oy = 0.5 * box[1] + 0.5 * box[4]
        oz = 0.5 * box[2] + 0.5 * box[5]
        diagonal = math.sqrt((box[3] - box[0]) ** 2 + (box[4] - box[1]) ** 2 + (box[5] - box[2]) ** 2)
        away = max(abs(ox), max(abs(oy), abs(oz)))
        touch = tolerance if tolerance >= 0.0 else TOUCH_SIZE * (diagonal + margin)
        touch = max(touch, TOUCH_AWAY * EPS * away)
        frame, way, travel, rate, path = chart.begin(motion, travel, ox, oy, oz, 0.5 * diagonal)
        wide = margin + touch + ROUNDING * EPS * (away + diagonal + path)

        # Bodies in reach, and which mover may meet which.
        marks = np.empty(bodies, np.uint8)
        reached = np.empty(_near(body_boxes, bodies, movers, chart.swept(motion, travel, box), wide, marks), np.int64)
        near = 0
        for b in range(bodies):
            if marks[b]:
                for m in movers:
                    # Of one mover the common box is its own.
                    if len(movers) == 1 or _meets(body_boxes, b, chart.swept(motion, travel, _box_of(body_boxes, m)), wide):
                        reached[near] = b
                        near += 1
                        break
        count = len(movers) + near
        slots = np.empty((count, SLOT_REALS))
        rows = np.empty((count, SLOT_INTS), np.int64)
        roots = np.empty((len(movers) * near, 2), np.int64)
        root_boxes = np.empty((count, 6))
        pairs = 0
        slack = 0.0
        for k in range(count):
            b = movers[k] if k < len(movers) else reached[k - len(movers)]
            s = body_ints[b, at.SHAPE]
            if shape_ints[s, at.FACES] == 0:
                rows[k, BODY] = -1
                continue
            if shape_ints[s, at.DIRTY]:
                refit_shape(geometry, s)
            rows[k, BODY] = b
            rows[k, SHAPE] = s
            _place(frame, poses, b, ox, oy, oz, slots, k)
            size = 0.0
            offset = 0.0
            for r in range(3):
                size = max(size, max(abs(shape_reals[s, at.BOX_LOW + r]), abs(shape_reals[s, at.BOX_HIGH + r])))
                offset = max(offset, abs(slots[k, 9 + r]))
            slots[k, THICK] = shape_reals[s, at.RADIUS] + (margin if k < len(movers) else 0.0)
            # How far the way to it is, and with it the rounding, does not depend on how far the motion goes on behind it.
            slots[k, REACH] = 0.0
            if k >= len(movers):
                slots[k, REACH] = chart.reach(path, offset + size * 2.0 + diagonal + slots[k, THICK] + margin)
            slots[k, SLACK] = ROUNDING * EPS * (size + offset + slots[k, REACH] + slots[k, THICK])
            slots[k, WIDE] = slots[k, THICK] + slots[k, SLACK]
            slack = max(slack, slots[k, SLACK])
            top = shape_ints[s, at.NODE] + shape_ints[s, at.OFFSET + shape_ints[s, at.LEVELS]] - 1
            chart.node_box(nodes, top, slots, k, slots[k, WIDE], way, root_boxes, k)
            for a in range(len(movers) if k >= len(movers) else 0):
                if rows[a, BODY] < 0 or not _may_meet(body_ints, skips, movers[a], b):
                    continue
                if chart.box_gap(root_boxes, a, k, way) <= travel:
                    roots[pairs, 0] = a
                    roots[pairs, 1] = k
                    pairs += 1
        if pairs == 0:
            return FREE, INF, -1, -1, lost, none, none, False, 0.0

        # Room for chart boxes and laid out blocks of the bodies that take part.
        total = 0
        blocks = 0
        for k in range(count):
            rows[k, NODES] = -1
        for r in range(pairs):
            for side in range(2):
                k = roots[r, side]
                if rows[k, NODES] < 0:
                    s = rows[k, SHAPE]
                    rows[k, NODES] = total
                    rows[k, BLOCKS] = blocks
                    total += shape_ints[s, at.OFFSET + shape_ints[s, at.LEVELS]]
                    blocks += shape_ints[s, at.OFFSET + 1]
        boxes = np.empty((total, 6))
        known = np.zeros(total, np.bool_)
        laid = np.empty(blocks, np.int64)
        for r in range(pairs):
            for side in range(2):
                k = roots[r, side]
                top = rows[k, NODES] + shape_ints[rows[k, SHAPE], at.OFFSET + shape_ints[rows[k, SHAPE], at.LEVELS]] - 1
                for c in range(6):
                    boxes[top, c] = root_boxes[k, c]
                known[top] = True
        limit = travel + slack / rate  # contact at the very end counts
        # Where rounding is no longer small beside the movers, nothing can be said to rest.
        closed = closed or (diagonal > 0.0 and slack > LOOSE * (diagonal + margin))
        held = no_planes(len(movers), count)
        t, a, i, b, j, nu, nv, nw = AGAIN, -1, -1, -1, -1, 0.0, 0.0, 0.0
        while t == AGAIN:
            for k in range(blocks):
                laid[k] = -1
            t, a, i, b, j, nu, nv, nw = walk(
                geometry, body_ints, poses, slots, rows, roots[:pairs], way, boxes, known, laid, limit, touch, closed, held
            )
        if t == UNKNOWN:
            return ASK, 0.0, a, -1, lost, none, none, False, 0.0
        # Surfaces that do not cross may still lie one inside the other: `within` tells.
        boxed = False
        for r in range(pairs):
            boxed = boxed or _meets(body_boxes, rows[roots[r, 1], BODY], _box_of(body_boxes, rows[roots[r, 0], BODY]), touch)
        if t == INF:
            return FREE, INF, -1, -1, lost, none, none, boxed, touch

        # Where, and by which features.
        sa = rows[a, SHAPE]
        sb = rows[b, SHAPE]
        mover, mover_rank, mover_vertices = _met_face(geometry, slots, a, sa, i)
        mover = chart.carry_face(way, max(t, 0.0), mover)
        obstacle, obstacle_rank, obstacle_vertices = _met_face(geometry, slots, b, sb, j)
        thick = slots[a, THICK] + slots[b, THICK]
        gap_sq, p, q, mover_feature, obstacle_feature, normal = chart.contact(
            geometry, slots, way, max(t, 0.0), a, sa, mover, mover_rank, b, sb, obstacle, obstacle_rank, thick, touch,
            (nu, nv, nw),
        )  # fmt: skip
        nu, nv, nw = normal
        if t < 0.0 or (t == 0.0 and closed):
            # In contact at the start: the motion says nothing about where the one is, seen from the other.
            nu, nv, nw, _ = parting(mover, obstacle, touch)
            if thick > 0.0 and gap_sq > 0.0:
                nu, nv, nw = p[0] - q[0], p[1] - q[1], p[2] - q[2]
        length = math.sqrt(nu * nu + nv * nv + nw * nw)
        nu /= length
        nv /= length
        nw /= length
        radius = shape_reals[sb, at.RADIUS]
        u = q[0] + radius * nu
        v = q[1] + radius * nv
        w = q[2] + radius * nw
        point = (
            ox + (frame[0] * u + frame[3] * v + frame[6] * w),
            oy + (frame[1] * u + frame[4] * v + frame[7] * w),
            oz + (frame[2] * u + frame[5] * v + frame[8] * w),
        )
        normal = (
            frame[0] * nu + frame[3] * nv + frame[6] * nw,
            frame[1] * nu + frame[4] * nv + frame[7] * nw,
            frame[2] * nu + frame[5] * nv + frame[8] * nw,
        )
        features = (
            geometry.face_ids[shape_ints[sa, at.FACE] + i],
            mover_feature,
            mover_vertices,
            geometry.face_ids[shape_ints[sb, at.FACE] + j],
            obstacle_feature,
            obstacle_vertices,
        )
        status = HIT if t >= 0.0 else OVERLAP
        return status, max(t, 0.0), rows[a, BODY], rows[b, BODY], features, point, normal, boxed and t >= 0.0, touch

    return sweep_in


_sweep = sweeper(straight, judge)


@kernel
def sweep(geometry, body_ints, poses, body_boxes, bodies, movers, skips, frame, travel, margin, tolerance, closed):
    """Sweep bodies along frame[6:9] by `travel`. Arguments and answer as of `sweep_in`."""
    return _sweep(geometry, body_ints, poses, body_boxes, bodies, movers, skips, frame, travel, margin, tolerance, closed)


@kernel
def within(geometry, body_ints, poses, body_boxes, bodies, movers, skips, touch):
    """Say whether a body is inside another at the start: (status, mover, obstacle, point).

    OVERLAP deeper than `touch`; SHALLOW if that is not so but something without a volume of its own is inside at all; FREE; or
    ASK if the parts of a shape (second value) are needed. Surfaces that cross are the sweep's affair.
    """
    none = (0.0, 0.0, 0.0)
    ints = geometry.shape_ints
    shallow = (FREE, -1, -1, none)
    for m in movers:
        for o in range(bodies):
            moves = False
            for k in range(len(movers)):
                moves = moves or movers[k] == o
            if moves or not _meets(body_boxes, o, _box_of(body_boxes, m), touch) or not _may_meet(body_ints, skips, m, o):
                continue
            for side in range(2):
                s = body_ints[m if side == 0 else o, at.SHAPE]
                if ints[s, at.PART] < 0:
                    return ASK, s, -1, none
                if ints[s, at.DIRTY]:
                    refit_shape(geometry, s)
            for side in range(2):
                inner = m if side == 0 else o
                outer = o if side == 0 else m
                if ints[body_ints[outer, at.SHAPE], at.SOLID] == 0:
                    continue
                held, point = holds(geometry, body_ints, poses, inner, outer, touch)
                if held:
                    return OVERLAP, m, o, point
                s = body_ints[inner, at.SHAPE]
                if shallow[0] == FREE and ints[s, at.SOLID] == 0 and geometry.shape_reals[s, at.RADIUS] == 0.0:
                    held, point = holds(geometry, body_ints, poses, inner, outer, 0.0)
                    if held:
                        shallow = (SHALLOW, m, o, point)
    return shallow
