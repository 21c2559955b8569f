"""The sweep: which body the movers meet first, after how much travel, with which faces.

Four steps: find the bodies in reach by their world boxes; place each in a slot of the chart's frame; walk pairs of faces; find
the place and the features of the contact. `sweeper` builds this for a chart. There are two: `straight` and `about_axis`.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import inline
from ..base.bodies import touch_of
from ..base.boxes import EMPTY, include
from ..base.faces import local_face, rank_of, vertex_of
from ..charts.slots import BLOCKS, BODY, NODES, REACH, SHAPE, SLACK, SLOT_INTS, SLOT_REALS, THICK, WIDE
from ..charts.straight import face_to_chart
from ..contact.planes import no_planes
from ..contact.sharp import parting
from ..contact.verdicts import AGAIN
from ..statuses import FREE, HIT, OVERLAP
from ..tolerances import COARSEST, EPS, LEAST_DIVISOR, LOOSE, ROUNDING, TOUCH_ROUNDING
from .reached import box_of, mark_near, may_meet, meets
from .walk import walker

INF = math.inf

_NOWHERE = (0.0, 0.0, 0.0)
_NO_FEATURES = (-1, -1, (-1, -1, -1), -1, -1, (-1, -1, -1))


@inline
def _common_box(body_boxes, movers):
    """Return the world box of all movers; it is empty if none has faces."""
    box = EMPTY
    for m in movers:
        if body_boxes[at.WORLD_LOW, m] > body_boxes[at.WORLD_HIGH, m]:
            continue  # a body without faces
        box = include(box, body_boxes[0, m], body_boxes[1, m], body_boxes[2, m])
        box = include(box, body_boxes[3, m], body_boxes[4, m], body_boxes[5, m])
    return box


@inline
def _size(shape_reals, body_ints, movers):
    """Return the diagonal of the largest mover's own box: it is the same however that is turned."""
    largest = 0.0
    for m in movers:
        s = body_ints[m, at.SHAPE]
        wide = 2.0 * shape_reals[s, at.RADIUS]
        x = shape_reals[s, at.BOX_HIGH] - shape_reals[s, at.BOX_LOW] + wide
        y = shape_reals[s, at.BOX_HIGH + 1] - shape_reals[s, at.BOX_LOW + 1] + wide
        z = shape_reals[s, at.BOX_HIGH + 2] - shape_reals[s, at.BOX_LOW + 2] + wide
        if x >= 0.0:
            largest = max(largest, math.sqrt(x * x + y * y + z * z))
    return largest


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
def _room_for(shape_ints, roots, pairs, slot_ints):
    """Write where chart boxes and laid out blocks of each slot begin. Return how many there are of each."""
    total = 0
    blocks = 0
    for k in range(len(slot_ints)):
        slot_ints[k, NODES] = -1
    for r in range(pairs):
        for side in range(2):
            k = roots[r, side]
            if slot_ints[k, NODES] < 0:
                s = slot_ints[k, SHAPE]
                slot_ints[k, NODES] = total
                slot_ints[k, BLOCKS] = blocks
                total += shape_ints[s, at.OFFSET + shape_ints[s, at.LEVELS]]
                blocks += shape_ints[s, at.OFFSET + 1]
    return total, blocks


@inline
def _met_face(geometry, slots, k, s, i):
    """Return face i of shape s in the frame, its rank and its vertices."""
    face = face_to_chart(slots, k, local_face(geometry, s, i))
    vertices = (vertex_of(geometry, s, i, 0), vertex_of(geometry, s, i, 1), vertex_of(geometry, s, i, 2))
    return face, rank_of(geometry.corners, geometry.shape_ints[s, at.FACE] + i), vertices


@inline
def _to_world(frame, u, v, w):
    """Return a vector of the chart's frame in the world."""
    return (
        frame[0] * u + frame[3] * v + frame[6] * w,
        frame[1] * u + frame[4] * v + frame[7] * w,
        frame[2] * u + frame[5] * v + frame[8] * w,
    )


def sweeper(chart, contact):
    """Return the sweep in a chart, and a box of all that it may reach.

    chart: a module of `charts`, `straight` or `helix`. contact: a module of `contact`, `straight` or `about_axis`. Its `judge`
    decides whether two faces meet, and its `place` finds where.
    """
    walk = walker(chart, contact.face_contact)
    place_of = contact.place

    @inline
    def begin_row(shape_reals, body_ints, movers, box, motion, travel, margin, tolerance):
        """Return all that follows from the movers' common box.

        Its middle 3, its diagonal, the size of the largest mover, the tolerance; frame, parameters, travel, fastest speed and
        path in the chart; how far boxes are widened.
        """
        ox = 0.5 * box[0] + 0.5 * box[3]
        oy = 0.5 * box[1] + 0.5 * box[4]
        oz = 0.5 * box[2] + 0.5 * box[5]
        diagonal = math.sqrt((box[3] - box[0]) ** 2 + (box[4] - box[1]) ** 2 + (box[5] - box[2]) ** 2)
        away = max(abs(ox), max(abs(oy), abs(oz)))
        own = _size(shape_reals, body_ints, movers) + margin
        touch = touch_of(tolerance, own, away)
        frame, chart_params, travel, rate, path = chart.begin(motion, travel, ox, oy, oz, 0.5 * diagonal)
        wide = margin + touch + ROUNDING * EPS * (away + diagonal + path)
        return ox, oy, oz, diagonal, own, touch, frame, chart_params, travel, rate, path, wide

    @inline
    def _reached(body_boxes, bodies, movers, motion, travel, box, wide):
        """Return the body rows of all bodies that the motion may reach, and how many. box: of the movers."""
        marks = np.empty(bodies, np.uint8)
        found = np.empty(mark_near(body_boxes, bodies, movers, chart.swept(motion, travel, box), wide, marks), np.int64)
        count = 0
        for b in range(bodies):
            if marks[b]:
                for m in movers:
                    # The common box of one mover is its own box.
                    if len(movers) == 1 or meets(body_boxes, b, chart.swept(motion, travel, box_of(body_boxes, m)), wide):
                        found[count] = b
                        count += 1
                        break
        return found, count

    @inline
    def _touching(geometry, slots, slot_ints, chart_params, frame, origin, found, touch, resting_hits):
        """Return (features, point 3, normal 3), world, of the contact that the walk found."""
        t, a, i, b, j, nu, nv, nw = found
        shape_ints = geometry.shape_ints
        sa = slot_ints[a, SHAPE]
        sb = slot_ints[b, SHAPE]
        mover, mover_rank, mover_vertices = _met_face(geometry, slots, a, sa, i)
        mover = chart.carry_face(chart_params, max(t, 0.0), mover)
        obstacle, obstacle_rank, obstacle_vertices = _met_face(geometry, slots, b, sb, j)
        thick = slots[a, THICK] + slots[b, THICK]
        touch = max(touch, TOUCH_ROUNDING * (slots[a, SLACK] + slots[b, SLACK]))
        gap_sq, p, q, mover_feature, obstacle_feature, normal = place_of(
            geometry, slots, chart_params, max(t, 0.0), (a, b), (sa, sb), mover, mover_rank, obstacle, obstacle_rank, thick,
            touch, (nu, nv, nw),
        )  # fmt: skip
        nu, nv, nw = normal
        if t < 0.0 or (t == 0.0 and resting_hits):
            # In contact at the start: the motion does not show on which side the mover is.
            nu, nv, nw, _ = parting(mover, obstacle, touch)
            if thick > 0.0 and gap_sq > 0.0:
                nu, nv, nw = p[0] - q[0], p[1] - q[1], p[2] - q[2]
        length = math.sqrt(nu * nu + nv * nv + nw * nw)
        nu /= length
        nv /= length
        nw /= length
        radius = geometry.shape_reals[sb, at.RADIUS]
        x, y, z = _to_world(frame, q[0] + radius * nu, q[1] + radius * nv, q[2] + radius * nw)
        features = (
            geometry.face_ids[shape_ints[sa, at.FACE] + i],
            mover_feature,
            mover_vertices,
            geometry.face_ids[shape_ints[sb, at.FACE] + j],
            obstacle_feature,
            obstacle_vertices,
        )
        return features, (origin[0] + x, origin[1] + y, origin[2] + z), _to_world(frame, nu, nv, nw)

    @inline
    def sweep_in(
        geometry, body_ints, poses, body_boxes, bodies, movers, ignored_pairs, motion, travel, margin, tolerance, resting_hits
    ):
        """Sweep the movers (body rows) against all other bodies with body rows below `bodies`.

        Return (status, mover, obstacle, travel, features, point 3, normal 3, boxed, touch). features: for each side the face,
        the feature and the three vertices of the face. Point and normal are in the world. boxed: one body may be inside
        another; call `nested` with the tolerance `touch`. motion, travel: in the form of the chart. tolerance < 0 means the
        default. resting_hits: resting counts as a hit. Shapes in reach are ready: boxes up to date, parts known.
        """
        shape_ints = geometry.shape_ints
        shape_reals = geometry.shape_reals
        box = _common_box(body_boxes, movers)
        if box[0] > box[3]:
            return FREE, -1, -1, INF, _NO_FEATURES, _NOWHERE, _NOWHERE, False, 0.0
        # The movers' common box gives the chart its origin.
        ox, oy, oz, diagonal, own, touch, frame, chart_params, travel, rate, path, wide = begin_row(
            shape_reals, body_ints, movers, box, motion, travel, margin, tolerance
        )
        reached, near = _reached(body_boxes, bodies, movers, motion, travel, box, wide)

        # A slot for each body that takes part, and the pairs that may meet.
        count = len(movers) + near
        slots = np.empty((count, SLOT_REALS))
        slot_ints = np.empty((count, SLOT_INTS), np.int64)
        roots = np.empty((len(movers) * near, 2), np.int64)
        root_boxes = np.empty((count, 6))
        pairs = 0
        slack = 0.0
        for k in range(count):
            b = movers[k] if k < len(movers) else reached[k - len(movers)]
            s = body_ints[b, at.SHAPE]
            if shape_ints[s, at.FACES] == 0:
                slot_ints[k, BODY] = -1
                continue
            slot_ints[k, BODY] = b
            slot_ints[k, SHAPE] = s
            _place(frame, poses, b, ox, oy, oz, slots, k)
            size = 0.0
            offset = 0.0
            for r in range(3):
                size = max(size, max(abs(shape_reals[s, at.BOX_LOW + r]), abs(shape_reals[s, at.BOX_HIGH + r])))
                offset = max(offset, abs(slots[k, 9 + r]))
            slots[k, THICK] = shape_reals[s, at.RADIUS] + (margin if k < len(movers) else 0.0)
            # The path to an obstacle, and with it the rounding, does not depend on how far the motion continues behind it.
            slots[k, REACH] = 0.0
            if k >= len(movers):
                slots[k, REACH] = chart.reach(path, offset + size * 2.0 + diagonal + slots[k, THICK] + margin)
            slots[k, SLACK] = ROUNDING * EPS * (size + offset + slots[k, REACH] + slots[k, THICK])
            slots[k, WIDE] = slots[k, THICK] + slots[k, SLACK]
            slack = max(slack, slots[k, SLACK])
            top = shape_ints[s, at.NODE] + shape_ints[s, at.OFFSET + shape_ints[s, at.LEVELS]] - 1
            chart.node_box(geometry.nodes, top, slots, k, slots[k, WIDE], chart_params, root_boxes, k)
            for a in range(len(movers) if k >= len(movers) else 0):
                if slot_ints[a, BODY] < 0 or not may_meet(body_ints, ignored_pairs, movers[a], b):
                    continue
                if chart.box_gap(root_boxes, a, k, chart_params) <= travel:
                    roots[pairs, 0] = a
                    roots[pairs, 1] = k
                    pairs += 1
        if pairs == 0:
            return FREE, -1, -1, INF, _NO_FEATURES, _NOWHERE, _NOWHERE, False, 0.0

        total, blocks = _room_for(shape_ints, roots, pairs, slot_ints)
        boxes = np.empty((total, 6))
        known = np.zeros(total, np.bool_)
        laid = np.empty(blocks, np.int64)
        for r in range(pairs):
            for side in range(2):
                k = roots[r, side]
                top = (
                    slot_ints[k, NODES]
                    + shape_ints[slot_ints[k, SHAPE], at.OFFSET + shape_ints[slot_ints[k, SHAPE], at.LEVELS]]
                    - 1
                )
                for c in range(6):
                    boxes[top, c] = root_boxes[k, c]
                known[top] = True
        limit = travel + slack / rate + LEAST_DIVISOR  # contact at the very end counts, also of no motion
        # If rounding is not small compared with the movers, no contact can be called resting.
        resting_hits = resting_hits or (diagonal > 0.0 and (slack > LOOSE * (diagonal + margin) or touch > COARSEST * own))
        planes = no_planes(len(movers), count)
        found = (AGAIN, -1, -1, -1, -1, 0.0, 0.0, 0.0)
        while found[0] == AGAIN:
            for k in range(blocks):
                laid[k] = -1
            found = walk(
                geometry, body_ints, poses, slots, slot_ints, roots[:pairs], chart_params, boxes, known, laid, limit, touch,
                resting_hits, planes,
            )  # fmt: skip
        # If surfaces do not cross, one body may still be inside another: `nested` finds out.
        may_be_nested = False
        for r in range(pairs):
            may_be_nested = may_be_nested or meets(
                body_boxes, slot_ints[roots[r, 1], BODY], box_of(body_boxes, slot_ints[roots[r, 0], BODY]), touch
            )
        if found[0] == INF:
            return FREE, -1, -1, INF, _NO_FEATURES, _NOWHERE, _NOWHERE, may_be_nested, touch
        features, point, normal = _touching(
            geometry, slots, slot_ints, chart_params, frame, (ox, oy, oz), found, touch, resting_hits
        )
        t, a, _, b, _, _, _, _ = found
        status = HIT if t >= 0.0 else OVERLAP
        return (
            status,
            slot_ints[a, BODY],
            slot_ints[b, BODY],
            max(t, 0.0),
            features,
            point,
            normal,
            may_be_nested and t >= 0.0,
            touch,
        )

    @inline
    def swept_box(shape_reals, body_ints, body_boxes, movers, motion, travel, margin, tolerance):
        """Return the world box of all that the movers may meet; it is empty if none has faces."""
        box = _common_box(body_boxes, movers)
        if box[0] > box[3]:
            return box
        setup = begin_row(shape_reals, body_ints, movers, box, motion, travel, margin, tolerance)
        wide = setup[11]
        box = chart.swept(motion, setup[8], box)
        return box[0] - wide, box[1] - wide, box[2] - wide, box[3] + wide, box[4] + wide, box[5] + wide

    return sweep_in, swept_box
