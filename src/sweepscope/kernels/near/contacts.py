"""Contacts of pairs of bodies, each reduced to a few. Columns are those of `layout`.

A pair that is farther apart than the margin has none: the walk for the nearest faces decides it. Otherwise the faces within the
margin are listed, places are found among them, and reduced. If no place is as near as the nearest faces, those are added: a
mesh with vertices on the edges of other faces hides some. A pair whose surfaces meet may have no place, or places that do not
show how it overlaps: the caller decides that.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import cold, inline, kernel
from .._memory import INDICES, REALS, entry, local
from ..base.geometry import geometry_at
from ..base.hierarchy import near_bodies
from ..base.walk import FULL
from ..charts.straight import PLACE, to_chart
from ..contact.case import two_poses
from ..statuses import FREE, HIT, OVERLAP
from ..sweep.reached import box_of, may_meet, meets
from ..tolerances import CONTACT_MERGE, LEAST_DIVISOR
from .around import surface_of
from .collect import near_faces
from .manifold import reduce
from .overlap import diagonal_of, overlap_of
from .pair import nearest_faces, place_two, slack_of
from .places import GAP, PLACE_COLUMNS, Task, find_places, put_nearest
from .rows import touch_at

INF = math.inf

_words = entry(np.uint64, 3)
_two_places = local(np.float64, 2, PLACE)


@kernel
def near_pairs(table, body_ints, boxes, bodies, nodes, ints, movers, ignored_pairs, tolerance, margin, rows, pairs):
    """List the pairs of a mover and another body whose boxes are within a margin [length]. Return how many there are.

    If they are more than `pairs` has rows, call it again with a larger one. movers: body rows. rows: room for all bodies.
    """
    geometry = geometry_at(table)
    count = 0
    for k in range(len(movers)):
        m = movers[k]
        if boxes[at.WORLD_LOW, m] > boxes[at.WORLD_HIGH, m]:
            continue
        wide = margin + 2.0 * touch_at(geometry, body_ints[m, at.SHAPE], boxes, m, tolerance)
        box = box_of(boxes, m)
        box = (box[0] - wide, box[1] - wide, box[2] - wide, box[3] + wide, box[4] + wide, box[5] + wide)
        for i in range(near_bodies(nodes, ints, boxes, bodies, box, rows)):
            b = rows[i]
            moves = False
            for j in range(len(movers)):
                moves = moves or movers[j] == b
            if moves or not may_meet(body_ints, ignored_pairs, m, b):
                continue
            if count < len(pairs):
                pairs[count, 0], pairs[count, 1] = m, b
            count += 1
    return count


@inline
def _middle(reals, s, places, side):
    x = 0.5 * (reals[s, at.BOX_LOW] + reals[s, at.BOX_HIGH])
    y = 0.5 * (reals[s, at.BOX_LOW + 1] + reals[s, at.BOX_HIGH + 1])
    z = 0.5 * (reals[s, at.BOX_LOW + 2] + reals[s, at.BOX_HIGH + 2])
    return to_chart(places, side, x, y, z)


@cold
def _overlap(geometry, shapes, poses, a, b, touch, scratch):
    """Return (verdict, whether two bodies overlap)."""
    two = two_poses()
    for c in range(at.POSE):
        two[0, c] = poses[a, c]
        two[1, c] = poses[b, c]
    verdict, how, _, _, _ = overlap_of(geometry, shapes, two, 0.0, touch, False, scratch, 0)
    return verdict, how != FREE


@inline
def _contacts(geometry, words, shapes, places, gap, nearest, reach, touch, slack, merge, scratch, answers):
    """Write the contacts of a pair. Return how many there are; -1: the scratch is too small."""
    verdict, pairs, count, used = near_faces(geometry, shapes, places, reach, scratch, 0)
    if verdict == FULL:
        return -1
    enough, one, used = surface_of(geometry, words, shapes[0], places, 0, pairs, count, scratch, used)
    if not enough:
        return -1
    enough, two, used = surface_of(geometry, words, shapes[1], places, 1, pairs, count, scratch, used)
    if not enough:
        return -1
    number = INDICES(scratch, used, 1)
    used += 1
    room = (len(scratch) - used) // PLACE_COLUMNS
    found = REALS(scratch, used, room, PLACE_COLUMNS)
    reals = geometry.shape_reals
    thick = reals[shapes[0], at.RADIUS] + reals[shapes[1], at.RADIUS]
    a, b = _middle(reals, shapes[0], places, 0), _middle(reals, shapes[1], places, 1)
    aim = (a[0] - b[0], a[1] - b[1], a[2] - b[2])
    task = Task(geometry, places, one, two, reach + thick, touch, slack, aim, found, number)
    find_places(task, pairs, count)
    places_found = number[0]
    if places_found >= room:
        return -1
    if gap + thick > touch:
        least = INF
        for k in range(places_found):
            least = min(least, found[k, GAP])
        if least > gap + thick + touch:
            put_nearest(geometry, shapes, places, nearest[0], nearest[1], found, places_found)
            places_found += 1
    return reduce(geometry, shapes, found, places_found, touch, merge, answers)


@kernel
def answer(table, body_ints, poses, boxes, pairs, tolerance, margin, lo, hi, scratch, answers, known):
    """Answer pairs of bodies lo .. hi: their contacts, and what is known of each pair.

    Return the first pair that needs more scratch; else hi. table: of all shapes, see `base.geometry`.
    """
    geometry = geometry_at(table)
    words = _words(table, 0)
    places = _two_places()
    for row in range(lo, hi):
        a, b = pairs[row, 0], pairs[row, 1]
        shapes = (body_ints[a, at.SHAPE], body_ints[b, at.SHAPE])
        place_two(poses, a, poses, b, places)
        slack = slack_of(geometry, shapes, places)
        one, two = touch_at(geometry, shapes[0], boxes, a, tolerance), touch_at(geometry, shapes[1], boxes, b, tolerance)
        touch = max(min(one, two), max(2.0 * slack, LEAST_DIVISOR))
        reach = margin + touch
        known[row, at.PAIR_STATUS], known[row, at.PAIR_CONTACTS] = -1, 0
        verdict, gap, i, j = nearest_faces(geometry, shapes, places, reach + 2.0 * slack, slack, scratch, 0)
        if verdict == FULL:
            return row
        overlap = False
        if (i >= 0 and gap <= touch) or meets(boxes, b, box_of(boxes, a), touch):
            verdict, overlap = _overlap(geometry, shapes, poses, a, b, max(touch, max(one, two)), scratch)
            if verdict == FULL:
                return row
        if overlap:
            known[row, at.PAIR_STATUS] = OVERLAP
        if i < 0:
            continue
        if not overlap:
            known[row, at.PAIR_STATUS] = HIT if gap <= touch else FREE
        merge = CONTACT_MERGE * min(diagonal_of(geometry, shapes[0]), diagonal_of(geometry, shapes[1])) + touch
        count = _contacts(
            geometry, words, shapes, places, gap, (i, j), reach + slack, touch, slack, merge, scratch, answers[row]
        )  # fmt: skip
        if count < 0:
            return row
        known[row, at.PAIR_CONTACTS] = count
    return hi
