"""Hierarchy over the world boxes of many bodies: finds those that meet a box without testing every body.

Bodies are in block order (`blocks.py`): halved again and again, so that runs of FAN**k bodies are neighbors in space. A group
is FAN consecutive boxes, stored coordinate by coordinate, so that they are tested at once (`lanes.py`). Level 0 contains the
boxes of the bodies; each box of a higher level encloses one group of the level below. There are no pointers.

A body that changes keeps its place: its group and those above are refitted. A new body takes a free place behind all others.
Both make groups larger than necessary. `update` counts this as wear and returns False when building anew is cheaper.

Degenerate input: boxes that are large beside most others (a floor) are in groups of their own, behind the others. Equal
centers are split by position. Empty boxes are never found; they and free places are stored as low = inf, high = -inf.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import inline, kernel, step
from ..tolerances import LARGE_BOX
from .blocks import FAN, select
from .lanes import meeting_lanes

INF = math.inf
_LARGEST = 1.7976931348623157e308
_LOG_FAN = 3
_MOST_LEVELS = 8  # a mask of FAN = LANES bits for each level fits one 64-bit integer
_SPARE = 16.0  # free places, times the square root of the number of bodies: balances building against searching them
_SHARE = 16  # if more than one of so many bodies is found, all are tested in order, which is faster than sorting

# ints
LEVELS = at.HIERARCHY_LEVELS
TAKEN = 1  # places that are taken
WEAR = 2
BODIES = 3  # number of bodies when it was built
SPARE = 4  # free places when it was built
GROUPS = 5  # _MOST_LEVELS + 1 columns: where the groups of each level begin
PLACES = GROUPS + _MOST_LEVELS + 1  # body row of each place, -1 if free; then the place of each body row, -1 if none


@inline
def _meets(boxes, b, box):
    """True if body b's world box meets a box."""
    met = True
    for r in range(3):
        met &= (boxes[at.WORLD_LOW + r, b] <= box[3 + r]) & (boxes[at.WORLD_HIGH + r, b] >= box[r])
    return met


@inline
def _group_mask(nodes, ints, level, group, box):
    """Return a mask: bit k is set if box k of a group of a level meets a box."""
    return meeting_lanes(nodes, (ints[GROUPS + level] + group) * 6 * FAN, FAN, box)


@inline
def lowest(mask):
    """Return the number of the lowest bit that is set in a mask of FAN bits."""
    bit = mask & (~mask + np.uint64(1))
    return (
        np.int64((bit & np.uint64(0xAA)) != 0)
        + 2 * np.int64((bit & np.uint64(0xCC)) != 0)
        + 4 * np.int64((bit & np.uint64(0xF0)) != 0)
    )


@inline
def _scan(boxes, bodies, box, found):
    """Write the body rows whose box meets a box to `found`, as many as it holds, by testing all. Return how many meet."""
    count = 0
    whole = bodies - bodies % FAN
    for b in range(0, whole, FAN):
        mask = meeting_lanes(boxes, b, boxes.shape[1], box)
        while mask:
            if count < len(found):
                found[count] = b + lowest(mask)
            count += 1
            mask &= mask - np.uint64(1)
    for b in range(whole, bodies):
        if _meets(boxes, b, box):
            if count < len(found):
                found[count] = b
            count += 1
    return count


@inline
def _descend(nodes, ints, box, found):
    """As `_scan`, by the hierarchy, in no particular order."""
    levels = ints[LEVELS]
    count = 0
    level = levels - 1
    group = 0  # number of the group within its level; FAN * group + k is a group of the level below, or a place
    masks = _group_mask(nodes, ints, level, group, box)  # of the group and, in higher bits, of those above it
    while level < levels:
        if masks & np.uint64(0xFF) == 0:
            level += 1
            group >>= _LOG_FAN
            masks >>= np.uint64(FAN)
            continue
        group = FAN * group + lowest(masks)
        masks &= masks - np.uint64(1)
        if level > 0:
            level -= 1
            masks = (masks << np.uint64(FAN)) | _group_mask(nodes, ints, level, group, box)
        else:
            if count < len(found):
                found[count] = ints[PLACES + group]
            count += 1
            group >>= _LOG_FAN
    return count


@inline
def _sort(found, count):
    """Sort found[:count], in place (Shell 1959, steps of Knuth)."""
    gap = 1
    while 3 * gap + 1 < count:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, count):
            row = found[i]
            while i >= gap and found[i - gap] > row:
                found[i] = found[i - gap]
                i -= gap
            found[i] = row
        gap //= 3


@step
def near_bodies(nodes, ints, boxes, bodies, box, found):
    """Write to `found` the body rows below `bodies` whose world box meets `box`, low 3, high 3, in ascending order.

    Return how many there are. If they are more than len(found), its content is undefined: call again with a larger array.
    nodes, ints: a hierarchy over `boxes`; without one every body is tested. Bodies with empty boxes are not found.
    """
    # Infinity would meet the empty boxes.
    box = (
        max(box[0], -_LARGEST),
        max(box[1], -_LARGEST),
        max(box[2], -_LARGEST),
        min(box[3], _LARGEST),
        min(box[4], _LARGEST),
        min(box[5], _LARGEST),
    )
    if ints[LEVELS] > 0:
        count = _descend(nodes, ints, box, found)
        if _SHARE * count <= bodies:
            _sort(found, min(count, len(found)))
            return count
    return _scan(boxes, bodies, box, found)


@inline
def _length(boxes, b):
    """Return the longest side of a box."""
    return max(max(boxes[3, b] - boxes[0, b], boxes[4, b] - boxes[1, b]), boxes[5, b] - boxes[2, b])


@kernel
def measure(boxes, bodies, centers, order):
    """Write the centers of all boxes that are not empty, and their body rows as the order to begin with: large boxes last.

    Return how many are not large, and how many there are.
    """
    count = 0
    for b in range(bodies):
        if boxes[at.WORLD_LOW, b] <= boxes[at.WORLD_HIGH, b]:
            centers[count, 0] = _length(boxes, b)
            count += 1
    if count == 0:
        return 0, 0
    select(centers, order, 0, count - 1, count >> 1, 0)
    limit = LARGE_BOX * centers[count >> 1, 0]
    small = 0
    large = count
    for b in range(bodies):
        if boxes[at.WORLD_LOW, b] > boxes[at.WORLD_HIGH, b]:
            continue
        if _length(boxes, b) > limit:
            large -= 1
            i = large
        else:
            i = small
            small += 1
        order[i] = b
        for r in range(3):
            # The middle of an infinite box may be no number.
            middle = 0.5 * boxes[at.WORLD_LOW + r, b] + 0.5 * boxes[at.WORLD_HIGH + r, b]
            centers[i, r] = middle if abs(middle) <= _LARGEST else 0.0
    return small, count


def places_of(small: int, count: int) -> tuple[int, int]:
    """Return the place of the first large box, and the number of places that are taken, gaps included.

    Large boxes begin with a run of their own, FAN**k places, as long as they can fill.
    """
    if small == count:
        return small, -(-small // FAN) * FAN
    run = FAN
    while run * FAN <= count - small:
        run *= FAN
    first = -(-small // run) * run
    return first, -(-(first + count - small) // FAN) * FAN


def empty_hierarchy(bodies: int, taken: int, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the arrays of a hierarchy for `fill`; none if it would have too many levels. rows: number of body rows."""
    spare = int(_SPARE * math.sqrt(bodies + 1.0))
    begins = [0]
    groups = -(-(taken + spare) // FAN)
    places = groups * FAN
    while True:
        begins.append(begins[-1] + groups)
        if groups == 1:
            break
        groups = -(-groups // FAN)
    if len(begins) > _MOST_LEVELS + 1:
        return np.empty((0, 6, FAN)), np.zeros(1, np.int64)
    nodes = np.empty((begins[-1], 6, FAN))
    nodes[:, :3], nodes[:, 3:] = INF, -INF
    ints = np.full(PLACES + places + rows + spare, -1, np.int64)
    ints[:PLACES] = 0
    ints[[LEVELS, TAKEN, WEAR, BODIES, SPARE]] = len(begins) - 1, taken, 0, bodies, spare
    ints[GROUPS : GROUPS + len(begins)] = begins
    return nodes, ints


@inline
def _put(nodes, ints, boxes, b, place):
    """Write the box of body row b to its place."""
    group = place >> _LOG_FAN
    k = place & (FAN - 1)
    for c in range(6):
        nodes[group, c, k] = boxes[c, b]


@inline
def _refit(nodes, ints, level, group):
    """Bring the box that encloses a group of a level, in the level above, up to date. Return whether it changed."""
    g = ints[GROUPS + level] + group
    up = ints[GROUPS + level + 1] + (group >> _LOG_FAN)
    slot = group & (FAN - 1)
    changed = False
    for r in range(3):
        low = INF
        high = -INF
        for k in range(FAN):
            low = min(low, nodes[g, r, k])
            high = max(high, nodes[g, 3 + r, k])
        changed |= (nodes[up, r, slot] != low) | (nodes[up, 3 + r, slot] != high)
        nodes[up, r, slot] = low
        nodes[up, 3 + r, slot] = high
    return changed


@inline
def _refit_all(nodes, ints):
    for level in range(ints[LEVELS] - 1):
        for group in range(ints[GROUPS + level + 1] - ints[GROUPS + level]):
            _refit(nodes, ints, level, group)


@kernel
def fill(nodes, ints, boxes, order, small, count, first):
    """Write bodies in their order: the first `small` of them from place 0 on, the others, up to `count`, from `first` on."""
    rows = PLACES + FAN * ints[GROUPS + 1]
    for i in range(count):
        place = i if i < small else first + i - small
        ints[PLACES + place] = order[i]
        ints[rows + order[i]] = place
        _put(nodes, ints, boxes, order[i], place)
    _refit_all(nodes, ints)


@inline
def _wear(nodes, ints, boxes, b, place):
    """Return how much the new box of body row b wears the group at its place: more than 1 if it is far from its neighbors."""
    group = place >> _LOG_FAN
    up = ints[GROUPS + 1] + (group >> _LOG_FAN)
    slot = group & (FAN - 1)
    out = 0.0
    size = 0.0
    for r in range(3):
        low = nodes[up, r, slot]
        high = nodes[up, 3 + r, slot]
        out = max(out, max(low - boxes[r, b], boxes[3 + r, b] - high))
        size = max(size, high - low)
    if out <= 0.0:
        return 0
    return 1 if out <= size else 1 + ints[BODIES] // ints[SPARE]


@kernel
def update(nodes, ints, boxes, changed):
    """Bring the hierarchy up to date with the boxes of changed body rows, also new ones.

    Return whether it remains good enough. If not, it may be wrong: build a new one.
    """
    rows = PLACES + FAN * ints[GROUPS + 1]
    levels = ints[LEVELS]
    singly = len(changed) * levels < ints[GROUPS + levels]
    for b in changed:
        if b >= len(ints) - rows:
            return False
        place = ints[rows + b]
        if place >= 0:
            ints[WEAR] += _wear(nodes, ints, boxes, b, place)
        else:
            if boxes[at.WORLD_LOW, b] > boxes[at.WORLD_HIGH, b]:
                continue
            place = ints[TAKEN]
            if PLACES + place == rows:
                return False
            ints[TAKEN] += 1
            ints[PLACES + place] = b
            ints[rows + b] = place
        _put(nodes, ints, boxes, b, place)
        group = place >> _LOG_FAN
        level = 0
        while singly and level < levels - 1 and _refit(nodes, ints, level, group):
            group >>= _LOG_FAN
            level += 1
    if not singly:
        _refit_all(nodes, ints)
    return ints[WEAR] <= ints[BODIES]
