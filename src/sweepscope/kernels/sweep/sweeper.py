"""The sweep: which body the movers meet first, after how much travel, with which faces.

Four steps: find the bodies in reach by their world boxes; place each in a slot of the chart's frame; walk pairs of faces; find
the place and the features of the contact. `sweeper` builds this for a chart. There are two: `straight` and `about_axis`. All
memory is taken from the scratch of a worker, from its beginning for each question.
"""

import math
from typing import Any, NamedTuple

from .. import layout as at
from .._jit import inline
from .._memory import INDICES, INTS, REALS, STATES
from ..base.bodies import touch_of
from ..base.boxes import EMPTY, include
from ..base.faces import local_face, rank_of, vertex_of
from ..base.walk import FULL, PAIR, REPEAT, SHAPES, SLOTS
from ..charts.slots import BODY, NODES, REACH, SHAPE, SLACK, SLOT_INTS, SLOT_REALS, THICK, WIDE
from ..charts.straight import face_to_chart
from ..contact.case import Case, Two
from ..contact.planes import PLANE, forget_planes
from ..contact.sharp import parting
from ..statuses import FREE, FULL_SCRATCH, HIT, OVERLAP
from ..tolerances import COARSEST, EPS, LEAST_DIVISOR, LOOSE, ROUNDING, TOUCH_ROUNDING
from .reached import bodies_reached, box_of, may_meet, meets
from .walk import COUNTS, UNSEEN, Task, nothing_found, sweep_walker

INF = math.inf

_NOWHERE = (0.0, 0.0, 0.0)
_NO_FEATURES = (-1, -1, (-1, -1, -1), -1, -1, (-1, -1, -1))


@inline
def common_box(boxes):
    """Return the box of all movers' boxes (6, movers); it is empty if none has faces."""
    box = EMPTY
    for k in range(boxes.shape[1]):
        if boxes[at.WORLD_LOW, k] > boxes[at.WORLD_HIGH, k]:
            continue  # a body without faces
        box = include(box, boxes[0, k], boxes[1, k], boxes[2, k])
        box = include(box, boxes[3, k], boxes[4, k], boxes[5, k])
    return box


@inline
def _size(shape_reals, shapes):
    """Return the diagonal of the largest mover's own box: it is the same however that is turned."""
    largest = 0.0
    for s in shapes:
        wide = 2.0 * shape_reals[s, at.RADIUS]
        x = shape_reals[s, at.BOX_HIGH] - shape_reals[s, at.BOX_LOW] + wide
        y = shape_reals[s, at.BOX_HIGH + 1] - shape_reals[s, at.BOX_LOW + 1] + wide
        z = shape_reals[s, at.BOX_HIGH + 2] - shape_reals[s, at.BOX_LOW + 2] + wide
        if x >= 0.0:
            largest = max(largest, math.sqrt(x * x + y * y + z * z))
    return largest


@inline
def place_body(frame, poses, b, ox, oy, oz, slots, k):
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
def _count_nodes(shape_ints, pairs, slot_ints):
    """Write where chart boxes of each slot begin. Return how many there are."""
    total = 0
    for k in range(len(slot_ints)):
        slot_ints[k, NODES] = -1
    for pair in range(len(pairs)):
        for side in range(2):
            k = pairs[pair, SLOTS + side]
            if slot_ints[k, NODES] < 0:
                s = slot_ints[k, SHAPE]
                slot_ints[k, NODES] = total
                total += shape_ints[s, at.OFFSET + shape_ints[s, at.LEVELS]]
    return total


@inline
def _is_inside_or_free(shape_ints, slots, slot_ints, a, b):
    """True if two bodies that stand still can only overlap by one inside the other: points cross no face."""
    points = shape_ints[slot_ints[a, SHAPE], at.POINTS] | shape_ints[slot_ints[b, SHAPE], at.POINTS]
    return points == 1 and slots[a, THICK] + slots[b, THICK] == 0.0


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


class Sweeper(NamedTuple):
    """The functions of one chart; see `sweeper`."""

    sweep_in: Any
    swept_box: Any
    obstacles_in_reach: Any
    begin_row: Any
    touching: Any
    place_body: Any


def sweeper(chart, contact):
    """Return the sweep in a chart, a box of all that it may reach, the obstacles in that, and two of its steps.

    chart: a module of `charts`, `straight` or `helix`. contact: a module of `contact`, `straight` or `about_axis`. Its
    `face_contact` decides whether two faces meet, and its `place` finds where.
    """
    walk, divide_scratch = sweep_walker(chart, contact.face_contact)
    place_of = contact.place

    @inline
    def begin_row(shape_reals, shapes, box, motion, travel, margin, tolerance):
        """Return all that follows from the movers' common box.

        Its middle 3, its diagonal, the size of the largest mover, the tolerance; frame, parameters, travel, fastest speed and
        path in the chart; how far boxes are widened. shapes: of the movers.
        """
        ox = 0.5 * box[0] + 0.5 * box[3]
        oy = 0.5 * box[1] + 0.5 * box[4]
        oz = 0.5 * box[2] + 0.5 * box[5]
        diagonal = math.sqrt((box[3] - box[0]) ** 2 + (box[4] - box[1]) ** 2 + (box[5] - box[2]) ** 2)
        away = max(abs(ox), max(abs(oy), abs(oz)))
        own = _size(shape_reals, shapes) + margin
        touch = touch_of(tolerance, own, away)
        frame, chart_params, travel, rate, path = chart.begin(motion, travel, ox, oy, oz, 0.5 * diagonal)
        wide = margin + touch + ROUNDING * EPS * (away + diagonal + path)
        return ox, oy, oz, diagonal, own, touch, frame, chart_params, travel, rate, path, wide

    @inline
    def touching(case, frame, origin, found):
        """Return (features, point 3, normal 3), world, of the contact that the walk found."""
        t, pair, i, j, normal, _ = found
        geometry, slots = case.geometry, case.slots
        shape_ints = geometry.shape_ints
        a, b = case.pairs[pair, SLOTS], case.pairs[pair, SLOTS + 1]
        sa, sb = case.pairs[pair, SHAPES], case.pairs[pair, SHAPES + 1]
        mover, mover_rank, mover_vertices = _met_face(geometry, slots, a, sa, i)
        mover = chart.carry_face(case.chart_params, max(t, 0.0), mover)
        obstacle, obstacle_rank, obstacle_vertices = _met_face(geometry, slots, b, sb, j)
        thick = slots[a, THICK] + slots[b, THICK]
        touch = max(case.touch, TOUCH_ROUNDING * (slots[a, SLACK] + slots[b, SLACK]))
        rows = (0, 0, 0)
        two = Two(pair, (a, b), (sa, sb), (mover, obstacle), (mover_rank, obstacle_rank), (i, j), (rows, rows))
        gap_sq, p, q, mover_feature, obstacle_feature, normal = place_of(case, two, max(t, 0.0), mover, thick, touch, normal)
        nu, nv, nw = normal
        if t < 0.0 or (t == 0.0 and case.resting_hits):
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
    def sweep_in(world, movers, ignored_pairs, motion, travel, margin, tolerance, resting_hits, only, scratch, used):
        """Sweep the movers against all other bodies of a world, or against one.

        Return (status, mover, obstacle, travel, features, point 3, normal 3, may be nested, touch, bodies in reach).
        features: for each side the face, the feature and the three vertices of the face. Point and normal are in the world.
        may be nested: one body may be inside another; call `find_nested` with the tolerance `touch`. motion, travel: in the
        form of the chart. tolerance < 0 means the default. resting_hits: resting counts as a hit. only: the only body row that
        counts as an obstacle; -1: all count. Shapes in reach are ready: boxes up to date, parts known. scratch: from `used` on
        it is free. status FULL_SCRATCH: it is too small.
        """
        geometry, body_ints = world.geometry, world.body_ints
        shape_ints = geometry.shape_ints
        shape_reals = geometry.shape_reals
        none = INDICES(scratch, used, 0)
        free = (FREE, -1, -1, INF, _NO_FEATURES, _NOWHERE, _NOWHERE, False, 0.0, none)
        full = (FULL_SCRATCH, -1, -1, INF, _NO_FEATURES, _NOWHERE, _NOWHERE, False, 0.0, none)
        box = common_box(movers.boxes)
        if box[0] > box[3]:
            return free
        # The movers' common box gives the chart its origin.
        ox, oy, oz, diagonal, own, touch, frame, chart_params, travel, rate, path, wide = begin_row(
            shape_reals, movers.shapes, box, motion, travel, margin, tolerance
        )
        reached = INDICES(scratch, used, max(len(scratch) - used, 0))
        near = bodies_reached(world, movers, chart, motion, travel, box, wide, only, reached)
        if near < 0:
            return full
        reached = reached[:near]
        used += near

        # A slot for each body that takes part, and the pairs that may meet.
        moving = len(movers.rows)
        count = moving + near
        if used + count * (SLOT_REALS + SLOT_INTS + 6) + moving * near * PAIR > len(scratch):
            return full
        slots = REALS(scratch, used, count, SLOT_REALS)
        used += count * SLOT_REALS
        slot_ints = INTS(scratch, used, count, SLOT_INTS)
        used += count * SLOT_INTS
        root_boxes = REALS(scratch, used, count, 6)
        used += count * 6
        pairs = INTS(scratch, used, moving * near, PAIR)
        found_pairs = 0
        slack = 0.0  # of bodies that may meet: others do not matter
        for k in range(count):
            b = movers.rows[k] if k < moving else reached[k - moving]
            s = body_ints[b, at.SHAPE]
            if shape_ints[s, at.FACES] == 0:
                slot_ints[k, BODY] = -1
                continue
            slot_ints[k, BODY] = b
            slot_ints[k, SHAPE] = s
            if k < moving:
                place_body(frame, movers.poses, k, ox, oy, oz, slots, k)
            else:
                place_body(frame, world.poses, b, ox, oy, oz, slots, k)
            size = 0.0
            offset = 0.0
            for r in range(3):
                size = max(size, max(abs(shape_reals[s, at.BOX_LOW + r]), abs(shape_reals[s, at.BOX_HIGH + r])))
                offset = max(offset, abs(slots[k, 9 + r]))
            slots[k, THICK] = shape_reals[s, at.RADIUS] + (margin if k < moving else 0.0)
            # The path to an obstacle, and with it the rounding, does not depend on how far the motion continues behind it.
            slots[k, REACH] = 0.0
            if k >= moving:
                slots[k, REACH] = chart.reach(path, offset + size * 2.0 + diagonal + slots[k, THICK] + margin)
            slots[k, SLACK] = ROUNDING * EPS * (size + offset + slots[k, REACH] + slots[k, THICK])
            slots[k, WIDE] = slots[k, THICK] + slots[k, SLACK]
            top = shape_ints[s, at.NODE] + shape_ints[s, at.OFFSET + shape_ints[s, at.LEVELS]] - 1
            chart.node_box(geometry.nodes, top, slots, k, slots[k, WIDE], chart_params, root_boxes, k)
            for a in range(moving if k >= moving else 0):
                if slot_ints[a, BODY] < 0 or not may_meet(body_ints, ignored_pairs, movers.rows[a], b):
                    continue
                if chart.box_gap(root_boxes, a, root_boxes, k, chart_params) <= travel:
                    pairs[found_pairs, SLOTS] = a
                    pairs[found_pairs, SLOTS + 1] = k
                    pairs[found_pairs, SHAPES] = slot_ints[a, SHAPE]
                    pairs[found_pairs, SHAPES + 1] = s
                    found_pairs += 1
                    slack = max(slack, max(slots[a, SLACK], slots[k, SLACK]))
        if found_pairs == 0:
            return free
        # If rounding is not small compared with the movers, no contact can be called resting.
        resting_hits = resting_hits or (diagonal > 0.0 and (slack > LOOSE * (diagonal + margin) or touch > COARSEST * own))
        # If surfaces do not cross, one body may still be inside another: `find_nested` finds out.
        may_be_nested = False
        walked = 0
        for pair in range(found_pairs):
            a, k = pairs[pair, SLOTS], pairs[pair, SLOTS + 1]
            may_be_nested = may_be_nested or meets(world.boxes, slot_ints[k, BODY], box_of(movers.boxes, a), touch)
            if travel > 0.0 or resting_hits or not _is_inside_or_free(shape_ints, slots, slot_ints, a, k):
                for c in range(PAIR):
                    pairs[walked, c] = pairs[pair, c]
                walked += 1
        if walked == 0:
            return FREE, -1, -1, INF, _NO_FEATURES, _NOWHERE, _NOWHERE, may_be_nested, touch, reached
        pairs = pairs[:walked]
        used += walked * PAIR
        total = _count_nodes(shape_ints, pairs, slot_ints)
        if used + walked * PLANE + total * 7 + COUNTS > len(scratch):
            return full
        planes = REALS(scratch, used, walked, PLANE)
        used += walked * PLANE
        forget_planes(planes)
        boxes = REALS(scratch, used, total, 6)
        used += total * 6
        states = STATES(scratch, used, total)
        used += total
        counts = INDICES(scratch, used, COUNTS)
        used += COUNTS
        heap, points, moves, patches, firsts, sizes = divide_scratch(scratch, used)
        limit = travel + slack / rate + LEAST_DIVISOR  # contact at the very end counts, also of no motion
        case = Case(
            geometry, movers.poses, world.poses, slots, slot_ints, pairs, planes, moves, chart_params, touch, limit,
            resting_hits,
        )  # fmt: skip
        task = Task(case, boxes, states, points, patches, firsts, sizes, counts)
        verdict = REPEAT
        found = nothing_found(limit)
        while verdict == REPEAT:
            for k in range(total):
                states[k] = UNSEEN
            counts[0] = counts[1] = 0
            verdict, found = walk(task, shape_ints, pairs, heap, 0.0, nothing_found(limit))
        if verdict == FULL:
            return full
        if found[1] < 0:
            return FREE, -1, -1, INF, _NO_FEATURES, _NOWHERE, _NOWHERE, may_be_nested, touch, reached
        features, point, normal = touching(case, frame, (ox, oy, oz), found)
        t = found[0]
        return (
            HIT if t >= 0.0 else OVERLAP,
            slot_ints[pairs[found[1], SLOTS], BODY],
            slot_ints[pairs[found[1], SLOTS + 1], BODY],
            max(t, 0.0),
            features,
            point,
            normal,
            may_be_nested and t >= 0.0,
            touch,
            reached,
        )

    @inline
    def swept_box(shape_reals, movers, motion, travel, margin, tolerance):
        """Return the world box of all that the movers may meet; it is empty if none has faces."""
        box = common_box(movers.boxes)
        if box[0] > box[3]:
            return box
        setup = begin_row(shape_reals, movers.shapes, box, motion, travel, margin, tolerance)
        wide = setup[11]
        box = chart.swept(motion, setup[8], box)
        return box[0] - wide, box[1] - wide, box[2] - wide, box[3] + wide, box[4] + wide, box[5] + wide

    @inline
    def obstacles_in_reach(world, movers, ignored_pairs, motion, travel, margin, tolerance, found):
        """List the body rows of the obstacles in reach of the motion, in order; return how many, or -1 as `bodies_reached`."""
        box = common_box(movers.boxes)
        if box[0] > box[3]:
            return 0
        setup = begin_row(world.geometry.shape_reals, movers.shapes, box, motion, travel, margin, tolerance)
        near = bodies_reached(world, movers, chart, motion, setup[8], box, setup[11], -1, found)
        count = 0
        for i in range(near):
            b = found[i]
            counts = False
            for m in movers.rows:
                counts = counts or may_meet(world.body_ints, ignored_pairs, m, b)
            if counts:
                found[count] = b
                count += 1
        return count if near >= 0 else near

    return Sweeper(sweep_in, swept_box, obstacles_in_reach, begin_row, touching, place_body)
