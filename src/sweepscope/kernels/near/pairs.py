"""All pairs of bodies that overlap, touch or are nearer than a limit, among all bodies of a world.

`gather` lists the pairs whose world boxes are near, by the hierarchy of bodies. `answer` decides a range of them; several
threads may do it at once. The tolerance of a pair is that of its larger body, so it does not matter which comes first.

A distance is reduced by its rounding error, so it is never larger than the true one.
"""

import numpy as np

from .. import layout as at
from .._jit import inline, kernel
from .._memory import INDICES, local
from ..base.geometry import geometry_at
from ..base.hierarchy import near_bodies
from ..base.walk import FULL
from ..charts.straight import PLACE
from ..contact.case import two_poses
from ..statuses import FREE, HIT, SHALLOW
from ..sweep.nested import nested_pair
from ..tolerances import GRAIN
from .overlap import overlap_of
from .pair import nearest_faces, nearest_points, place_two, slack_of
from .rows import NONE, NOTHING, insert, point_in_world, touch_at

_two_places = local(np.float64, 2, PLACE)


@kernel
def gather(table, body_ints, boxes, bodies, nodes, ints, tolerance, firsts, sides, limit, done, scratch, pairs):
    """Write the pairs whose boxes are within `limit` [length], lower row first, from pairs[0] on.

    firsts: body rows. sides: for each body row, bit 0 if it is one of them, bit 1 if it may be the other of a pair; 0: it takes
    no part. limit < 0: boxes must meet. done: how many of `firsts` are done. Return (how many are done now, number of pairs):
    if not all are done, take the pairs, make the arrays larger and go on from there.
    """
    geometry = geometry_at(table)
    most = 0.0
    if limit >= 0.0:
        for b in range(bodies):
            if boxes[at.WORLD_LOW, b] <= boxes[at.WORLD_HIGH, b]:
                most = max(most, touch_at(geometry, body_ints[b, at.SHAPE], boxes, b, tolerance))
    count = 0
    found = INDICES(scratch, 0, len(scratch))
    for i in range(done, len(firsts)):
        b = firsts[i]
        if boxes[at.WORLD_LOW, b] > boxes[at.WORLD_HIGH, b]:
            continue
        far = 0.0
        for c in range(6):
            far = max(far, abs(boxes[c, b]))
        wide = max(limit, 0.0) + most
        wide += GRAIN * (far + wide)
        box = (
            boxes[0, b] - wide,
            boxes[1, b] - wide,
            boxes[2, b] - wide,
            boxes[3, b] + wide,
            boxes[4, b] + wide,
            boxes[5, b] + wide,
        )
        near = near_bodies(nodes, ints, boxes, bodies, box, found)
        if near > len(found) or count + near > len(pairs):
            return i, count
        for k in range(near):
            o = found[k]
            both = sides[b] == 3 and sides[o] == 3  # then it is found from both sides
            if o == b or sides[o] & 2 == 0 or (both and o < b):
                continue
            if (body_ints[b, at.IGNORES] >> body_ints[o, at.GROUP]) & 1:
                continue
            pairs[count, 0] = min(b, o)
            pairs[count, 1] = max(b, o)
            count += 1
    return len(firsts), count


@inline
def _answer_pair(world, a, b, tolerance, limit, scratch, answers, row):
    """Answer one pair of body rows. Return False if the scratch is too small."""
    geometry, poses = world.geometry, world.poses
    shapes = (world.body_ints[a, at.SHAPE], world.body_ints[b, at.SHAPE])
    touch = max(
        touch_at(geometry, shapes[0], world.boxes, a, tolerance), touch_at(geometry, shapes[1], world.boxes, b, tolerance)
    )
    two = two_poses()
    for c in range(at.POSE):
        two[0, c] = poses[a, c]
        two[1, c] = poses[b, c]
    answers[row, at.NEAR_STATUS] = -1
    verdict, how, i, j, point = overlap_of(geometry, shapes, two, 0.0, touch, True, scratch, 0)
    if verdict == FULL:
        return False
    if how != FREE and i < 0:
        insert(answers, row, 0, 1, 0.0, b, a, how, NOTHING, (point, point, NONE))
        return True
    if how == FREE and limit < 0.0:
        return True
    places = _two_places()
    place_two(poses, a, poses, b, places)
    slack = slack_of(geometry, shapes, places)
    gap = 0.0
    if how == FREE:
        worst = max(limit, touch)
        # A body exactly at the limit counts, whatever the rounding.
        verdict, gap, i, j = nearest_faces(geometry, shapes, places, worst + 4.0 * slack, slack, scratch, 0)
        if verdict == FULL:
            return False
        gap = max(0.0, gap - 2.0 * slack)
        if i < 0 or gap > worst:
            return True
        if gap <= touch:
            how = HIT
            if nested_pair(geometry, shapes, two, touch)[0] == SHALLOW:
                gap = 0.0
    features, p, q, normal = nearest_points(geometry, shapes, places, i, j)
    points = (point_in_world(p, poses, a), point_in_world(q, poses, a), normal)
    insert(answers, row, 0, 1, gap, b, a, how, features, points)
    return True


@kernel
def answer(table, body_ints, poses, boxes, bodies, nodes, ints, tolerance, limit, pairs, lo, hi, scratch, answers):
    """Answer pairs lo .. hi: write their rows of `answers`, see `layout`; status -1: they are farther apart.

    limit [length]: below 0, only pairs that overlap count. Return the first pair that needs more scratch; else hi.
    """
    world = at.Bodies(geometry_at(table), body_ints, poses, boxes, bodies, nodes, ints)
    for k in range(lo, hi):
        if not _answer_pair(world, pairs[k, 0], pairs[k, 1], tolerance, limit, scratch, answers, k):
            return k
    return hi
