"""The sweep: which body is met first, after how much travel, by which faces.

Reach: bodies by their world boxes, groups and blocks by their chart boxes, best first; a block that may matter is laid out
in the chart once per query (`_lay_out`): tight patches of the block and of its leaves. Confirm: faces whose patches may meet
before the best contact so far are tested exactly. Nothing whose lower bound is above the best contact is ever opened.

The walk knows the chart only through `chart`, and contact only through `_confirm`.
"""

import math

import numpy as np

from . import layout as at
from ._jit import inline, kernel, step
from .blocks import BLOCK, FAN, LEAF, refit
from .chart import PATCH, PLACE, box_gap, node_box, patch, patch_gap, patch_of_patches, to_chart
from .closest import closest, corner
from .inside import buried, holds
from .sharp import stretch
from .thick import advance
from .tolerances import EPS, ROUNDING, TOUCH_SIZE, TOUCH_TRAVEL
from .touching import above, presses, slides

INF = math.inf

FREE = 0
HIT = 1
OVERLAP = 2  # crossing at the start
WITHIN = 3  # wholly inside at the start
ASK = 4  # the parts of a shape (second value) are needed and not known yet

# verdicts on two faces
_MISS = 0
_MEET = 1
_CROSS = 2
_UNKNOWN = -2.0

_SUPPORTS = 4  # planes tried as a whole mover's support before it is taken to have none

_LEAVES = BLOCK // LEAF
_OPENED = 1 + _LEAVES  # patches of a block: itself, then its leaves

# slots: one row per body in reach. Integers:
_BODY = 0
_SHAPE = 1
_NODES = 2  # first row of its chart boxes
_BLOCKS = 3  # first entry of its laid out blocks
# and reals, after the placement:
_WIDE = PLACE  # radius + slack: how far its bounds are widened
_SLACK = PLACE + 1
_THICK = PLACE + 2
_SLOT_REALS = PLACE + 3


@inline
def _push(heap, n, key, a, na, b, nb):
    """Add a pair of groups (slot and node of each side) to a heap of n rows: key, then the four."""
    i = n
    while i > 0:
        up = (i - 1) >> 1
        if heap[up, 0] <= key:
            break
        for c in range(5):
            heap[i, c] = heap[up, c]
        i = up
    heap[i, 0] = key
    heap[i, 1] = a
    heap[i, 2] = na
    heap[i, 3] = b
    heap[i, 4] = nb


@inline
def _pop(heap, n):
    """Drop the top of a heap, of which n rows remain."""
    i = 0
    key = heap[n, 0]
    while True:
        c = 2 * i + 1
        if c >= n:
            break
        if c + 1 < n and heap[c + 1, 0] < heap[c, 0]:
            c += 1
        if heap[c, 0] >= key:
            break
        for k in range(5):
            heap[i, k] = heap[c, k]
        i = c
    for k in range(5):
        heap[i, k] = heap[n, k]


@step
def _grown(array, used, need):
    if need <= len(array):
        return array
    bigger = np.empty((max(need, 2 * len(array)), array.shape[1]))
    for i in range(used):
        for c in range(array.shape[1]):
            bigger[i, c] = array[i, c]
    return bigger


@inline
def _touches(boxes, a, b, dx, dy, dz, wide):
    """True if body a's world box, stretched by the motion, meets body b's."""
    lo = at.WORLD_LOW
    hi = at.WORLD_HIGH
    if boxes[lo, b] > boxes[hi, a] + max(dx, 0.0) + wide or boxes[hi, b] < boxes[lo, a] + min(dx, 0.0) - wide:
        return False
    if boxes[lo + 1, b] > boxes[hi + 1, a] + max(dy, 0.0) + wide or boxes[hi + 1, b] < boxes[lo + 1, a] + min(dy, 0.0) - wide:
        return False
    return (
        boxes[lo + 2, b] <= boxes[hi + 2, a] + max(dz, 0.0) + wide
        and boxes[hi + 2, b] >= boxes[lo + 2, a] + min(dz, 0.0) - wide
    )


@step
def _reach(boxes, bodies, movers, x0, y0, z0, x1, y1, z1, dx, dy, dz, wide):
    """List the bodies, movers left out, whose world box a mover's may meet on its way."""
    x0 += min(dx, 0.0) - wide
    y0 += min(dy, 0.0) - wide
    z0 += min(dz, 0.0) - wide
    x1 += max(dx, 0.0) + wide
    y1 += max(dy, 0.0) + wide
    z1 += max(dz, 0.0) + wide
    # No branches: the compiler tests several bodies at once.
    near = np.empty(bodies, np.uint8)
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
    reached = np.empty(count, np.int64)
    count = 0
    for b in range(bodies):
        if near[b]:
            for m in movers:
                if _touches(boxes, m, b, dx, dy, dz, wide):
                    reached[count] = b
                    count += 1
                    break
    return reached[:count]


@inline
def _may_meet(body_ints, skips, mover, other):
    if (body_ints[mover, at.IGNORES] >> body_ints[other, at.GROUP]) & 1:
        return False
    free = False
    for k in range(len(skips)):
        free = free or (skips[k, 1] == other and (skips[k, 0] == mover or skips[k, 0] < 0))
    return not free


@step
def _refit(geometry, s):
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


@step
def _lay_out(geometry, s, block, slots, k, points, p0, patches, q0):
    """Lay block `block` of shape s out in the chart: its points from p0 on, its patches from q0 on."""
    vertices = geometry.vertices
    block_vertices = geometry.block_vertices
    starts = geometry.starts
    corners = geometry.corners
    shape_ints = geometry.shape_ints
    v0 = shape_ints[s, at.VERTEX]
    first = shape_ints[s, at.LISTED] + starts[shape_ints[s, at.START] + block]
    last = shape_ints[s, at.LISTED] + starts[shape_ints[s, at.START] + block + 1]
    for q in range(first, last):
        v = v0 + block_vertices[q]
        u, v_, w = to_chart(slots, k, vertices[v, 0], vertices[v, 1], vertices[v, 2])
        points[p0 + q - first, 0] = u
        points[p0 + q - first, 1] = v_
        points[p0 + q - first, 2] = w
    i0 = shape_ints[s, at.FACE] + block * BLOCK
    i1 = min(shape_ints[s, at.FACE] + shape_ints[s, at.FACES], i0 + BLOCK)
    wide = slots[k, _WIDE]
    leaves = (i1 - i0 + LEAF - 1) // LEAF
    nu = 0.0
    nv = 0.0
    nw = 0.0
    for leaf in range(leaves):
        j = i0 + leaf * LEAF
        n = patch(points, p0, corners, j, min(i1, j + LEAF), wide, patches, q0 + 1 + leaf)
        nu += n[0]
        nv += n[1]
        nw += n[2]
    patch_of_patches(points, p0, p0 + last - first, (nu, nv, nw), wide, patches, q0, q0 + 1, q0 + 1 + leaves)


@inline
def _face(points, p0, corners, i):
    a = p0 + corners[i, 0]
    b = p0 + corners[i, 1]
    c = p0 + corners[i, 2]
    return (
        points[a, 0],
        points[a, 1],
        points[a, 2],
        points[b, 0],
        points[b, 1],
        points[b, 2],
        points[c, 0],
        points[c, 1],
        points[c, 2],
    )


@inline
def _rank(corners, i):
    """How many corners of face i differ; segments are stored as (a, b, b), points as (a, a, a)."""
    if corners[i, 1] != corners[i, 2]:
        return 3
    return 2 if corners[i, 0] != corners[i, 1] else 1


@step
def _confirm(mover, mover_rank, obstacle, obstacle_rank, thick, slack, touch, travel, limit, closed):
    """Judge two faces: return (verdict, travel, normal 3, resting, flat, plane 3, lead).

    _MISS; _MEET at a travel before `limit`; _CROSS now. resting: an axis holds them apart all the way, so they may be excused;
    flat, plane, lead: they lie in one plane now and cross it, as `sharp.stretch` says.
    """
    none = (0.0, 0.0, 0.0)
    entry, _, resting, shallow, normal, flat, lead, plane = stretch(mover, obstacle, thick, slack, touch, travel, limit)
    if entry == INF:
        return _MISS, INF, none, False, False, none, 0.0
    if thick <= touch:
        if entry <= 0.0 and not shallow:
            return _CROSS, 0.0, normal, False, False, none, 0.0
        return _MEET, max(entry, 0.0), normal, resting, flat and entry <= 0.0, plane, lead
    # Thick faces have an inside of their own: what an axis holds apart is apart.
    if resting and not closed:
        return _MISS, INF, none, False, False, none, 0.0
    if entry <= 0.0:
        gap_sq, p, q, _, _ = closest(mover, mover_rank, obstacle, obstacle_rank)
        gap = math.sqrt(gap_sq)
        if gap < thick - touch:
            return _CROSS, 0.0, normal, False, False, none, 0.0
        if gap <= thick + slack:
            normal = ((p[0] - q[0]) / gap, (p[1] - q[1]) / gap, (p[2] - q[2]) / gap)
            if closed or normal[2] * travel < -touch:
                return _MEET, 0.0, normal, False, False, none, 0.0
            return _MISS, INF, none, False, False, none, 0.0
    t, nu, nv, nw = advance(mover, mover_rank, obstacle, obstacle_rank, thick, slack, max(entry, 0.0), limit)
    return _MISS if t == INF else _MEET, t, (nu, nv, nw), False, False, none, 0.0


@inline
def _open(nodes, shape_ints, s, level, group, slots, k, boxes, known, base):
    """Make sure that the children of a group (or itself, on level 0) have chart boxes; return their range of nodes."""
    first = shape_ints[s, at.OFFSET + level] + group
    last = first + 1
    if level > 0:
        below = shape_ints[s, at.OFFSET + level - 1]
        first = below + group * FAN
        last = min(shape_ints[s, at.OFFSET + level], first + FAN)
    for m in range(first, last):
        if not known[base + m]:
            node_box(nodes, shape_ints[s, at.NODE] + m, slots, k, slots[k, _WIDE], boxes, base + m)
            known[base + m] = True
    return first, last


@inline
def _level(shape_ints, s, node):
    level = 0
    while shape_ints[s, at.OFFSET + level + 1] <= node:
        level += 1
    return level


@step
def _leaves(patches, mine, other, count, forward, best, out):
    """List the leaves of one laid out block whose patches may meet the other block's before `best`."""
    n = 0
    for leaf in range(count):
        if forward:
            gap = patch_gap(patches, mine + 1 + leaf, patches, other)
        else:
            gap = patch_gap(patches, other, patches, mine + 1 + leaf)
        if gap < best:
            out[n] = leaf
            n += 1
    return n


@inline
def _below(points, first, count, held, a, b):
    """True if points first .. first + count are below the plane that holds mover a above obstacle b."""
    if held[a, b, 3] == -INF:
        return False
    top = -INF
    for p in range(first, first + count):
        top = max(top, held[a, b, 0] * points[p, 0] + held[a, b, 1] * points[p, 1] + held[a, b, 2] * points[p, 2])
    return top <= held[a, b, 3]


@inline
def _face_below(face, held, a, b):
    """True if a face is below the plane that holds mover a above obstacle b."""
    top = -INF
    for k in range(3):
        p = corner(face, k)
        top = max(top, held[a, b, 0] * p[0] + held[a, b, 1] * p[1] + held[a, b, 2] * p[2])
    return top <= held[a, b, 3]


@step
def _walk(geometry, body_ints, poses, slots, rows, movers, roots, boxes, known, laid, travel, limit, touch, closed):
    """Walk pairs of groups, best first. Return (travel, mover slot, face, obstacle slot, face, normal 3).

    Instead of a travel: inf if free, -1 if they cross now, _UNKNOWN if the parts of a shape (second value) are needed.
    """
    starts = geometry.starts
    corners = geometry.corners
    nodes = geometry.nodes
    shape_ints = geometry.shape_ints
    heap = np.empty((max(128, len(roots)), 5))
    n = 0
    for r in range(len(roots)):
        a = roots[r, 0]
        b = roots[r, 1]
        na = shape_ints[rows[a, _SHAPE], at.OFFSET + shape_ints[rows[a, _SHAPE], at.LEVELS]] - 1
        nb = shape_ints[rows[b, _SHAPE], at.OFFSET + shape_ints[rows[b, _SHAPE], at.LEVELS]] - 1
        _push(heap, n, box_gap(boxes, rows[a, _NODES] + na, rows[b, _NODES] + nb), a, na, b, nb)
        n += 1
    points = np.empty((256, 3))
    patches = np.empty((8 * _OPENED, PATCH))
    firsts = np.empty(len(laid), np.int64)  # first point of each laid out block
    block_size = np.empty(len(laid), np.int64)  # and how many
    asked = np.empty((8, BLOCK))  # per face of those, the slot of the body that it was last asked to be inside of
    used = 0
    done = 0
    mine = np.empty((LEAF, PATCH))
    theirs = np.empty((LEAF, PATCH))
    leaves_a = np.empty(_LEAVES, np.int64)
    leaves_b = np.empty(_LEAVES, np.int64)
    # Per mover and obstacle: a plane that the mover stays above (direction, height), and how many were tried.
    held = np.zeros((movers, len(rows), 5))
    for r in range(len(roots)):
        held[roots[r, 0], roots[r, 1], 3] = -INF  # nothing is below this
    best = limit
    found = (INF, -1, -1, -1, -1, 0.0, 0.0, 0.0)
    while n > 0:
        key = heap[0, 0]
        if key >= best:
            break
        a = np.int64(heap[0, 1])
        na = np.int64(heap[0, 2])
        b = np.int64(heap[0, 3])
        nb = np.int64(heap[0, 4])
        n -= 1
        _pop(heap, n)
        sa = rows[a, _SHAPE]
        sb = rows[b, _SHAPE]
        if na >= shape_ints[sa, at.OFFSET + 1] or nb >= shape_ints[sb, at.OFFSET + 1]:
            la = _level(shape_ints, sa, na)
            lb = _level(shape_ints, sb, nb)
            # Open the higher group, or both, so that groups of like level meet.
            a0 = na
            a1 = na + 1
            b0 = nb
            b1 = nb + 1
            if la >= lb:
                ga = na - shape_ints[sa, at.OFFSET + la]
                a0, a1 = _open(nodes, shape_ints, sa, la, ga, slots, a, boxes, known, rows[a, _NODES])
            if lb >= la:
                gb = nb - shape_ints[sb, at.OFFSET + lb]
                b0, b1 = _open(nodes, shape_ints, sb, lb, gb, slots, b, boxes, known, rows[b, _NODES])
            heap = _grown(heap, n, n + FAN * FAN)
            for i in range(a0, a1):
                for j in range(b0, b1):
                    gap = box_gap(boxes, rows[a, _NODES] + i, rows[b, _NODES] + j)
                    if gap < best:
                        _push(heap, n, gap, a, i, b, j)
                        n += 1
            continue
        for side in range(2):
            k = a if side == 0 else b
            block = na if side == 0 else nb
            slot = rows[k, _BLOCKS] + block
            if laid[slot] < 0:
                points = _grown(points, used, used + 3 * BLOCK)
                patches = _grown(patches, done * _OPENED, (done + 1) * _OPENED)
                asked = _grown(asked, done, done + 1)
                for c in range(BLOCK):
                    asked[done, c] = -1.0
                s = rows[k, _SHAPE]
                _lay_out(geometry, s, block, slots, k, points, used, patches, done * _OPENED)
                firsts[done] = used
                block_size[done] = starts[shape_ints[s, at.START] + block + 1] - starts[shape_ints[s, at.START] + block]
                used += block_size[done]
                laid[slot] = done
                done += 1
        at_a = laid[rows[a, _BLOCKS] + na]
        at_b = laid[rows[b, _BLOCKS] + nb]
        qa = at_a * _OPENED
        qb = at_b * _OPENED
        gap = patch_gap(patches, qa, patches, qb)
        if gap >= best or _below(points, firsts[at_b], block_size[at_b], held, a, b):
            continue
        if n > 0 and gap > heap[0, 0] and gap > key:
            # Laid out, the blocks are further apart than others in line: let those go first.
            _push(heap, n, gap, a, na, b, nb)
            n += 1
            continue
        i0 = shape_ints[sa, at.FACE] + na * BLOCK
        j0 = shape_ints[sb, at.FACE] + nb * BLOCK
        i1 = min(shape_ints[sa, at.FACE] + shape_ints[sa, at.FACES], i0 + BLOCK)
        j1 = min(shape_ints[sb, at.FACE] + shape_ints[sb, at.FACES], j0 + BLOCK)
        ma = _leaves(patches, qa, qb, (i1 - i0 + LEAF - 1) // LEAF, True, best, leaves_a)
        mb = _leaves(patches, qb, qa, (j1 - j0 + LEAF - 1) // LEAF, False, best, leaves_b)
        pa = firsts[at_a]
        pb = firsts[at_b]
        thick = slots[a, _THICK] + slots[b, _THICK]
        slack = slots[a, _SLACK] + slots[b, _SLACK]
        for x in range(ma):
            ia = i0 + leaves_a[x] * LEAF
            ib = min(i1, ia + LEAF)
            ready = False
            for y in range(mb):
                if patch_gap(patches, qa + 1 + leaves_a[x], patches, qb + 1 + leaves_b[y]) >= best:
                    continue
                if not ready:
                    for i in range(ia, ib):
                        patch(points, pa, corners, i, i + 1, slots[a, _WIDE], mine, i - ia)
                    ready = True
                ja = j0 + leaves_b[y] * LEAF
                for j in range(ja, min(j1, ja + LEAF)):
                    patch(points, pb, corners, j, j + 1, slots[b, _WIDE], theirs, 0)
                    for i in range(ia, ib):
                        if patch_gap(mine, i - ia, theirs, 0) >= best:
                            continue
                        one = _face(points, pa, corners, i)
                        two = _face(points, pb, corners, j)
                        if _face_below(two, held, a, b):
                            continue
                        ranks = (_rank(corners, i), _rank(corners, j))
                        verdict, t, normal, resting, flat, plane, lead = _confirm(
                            one, ranks[0], two, ranks[1], thick, slack, touch, travel, best, closed
                        )
                        if verdict == _MISS:
                            continue
                        mover_face = i - shape_ints[sa, at.FACE]
                        obstacle_face = j - shape_ints[sb, at.FACE]
                        if verdict == _MEET and (t == 0.0 or resting):
                            # What the bodies make of it depends on whether they are closed.
                            for s in (sa, sb):
                                if shape_ints[s, at.PART] < 0:
                                    return _UNKNOWN, s, -1, -1, -1, 0.0, 0.0, 0.0
                        if verdict == _MEET and t == 0.0 and not flat:
                            # They touch. A face that crosses no other may yet lie inside the other's body.
                            m = rows[a, _BODY]
                            o = rows[b, _BODY]
                            if shape_ints[sb, at.SOLID] and asked[at_a, i - i0] != b:
                                asked[at_a, i - i0] = b
                                if buried(geometry, body_ints, poses, m, o, mover_face, touch):
                                    verdict = _CROSS
                            if shape_ints[sa, at.SOLID] and asked[at_b, j - j0] != a:
                                asked[at_b, j - j0] = a
                                if buried(geometry, body_ints, poses, o, m, obstacle_face, touch):
                                    verdict = _CROSS
                        if verdict == _MEET and not closed:
                            if resting:
                                excused, up, height = slides(
                                    geometry, slots, a, sa, one, ranks[0], b, sb, two, ranks[1], t, touch, travel
                                )
                                if excused:
                                    # A mover that stays wholly above a plane cannot meet what lies below it.
                                    if held[a, b, 4] < _SUPPORTS and above(geometry, sa, slots, a, up, height, touch):
                                        held[a, b, 0] = up[0]
                                        held[a, b, 1] = up[1]
                                        held[a, b, 2] = up[2]
                                        held[a, b, 3] = height + touch
                                    held[a, b, 4] += 1.0
                                    continue
                            if flat:
                                if not presses(geometry, slots, a, sa, b, sb, one, two, plane, lead, slack, touch):
                                    continue
                                normal = plane
                        if verdict == _CROSS:
                            t = -1.0
                        if t < best:
                            best = t
                            found = (t, a, mover_face, b, obstacle_face, normal[0], normal[1], normal[2])
                            if t < 0.0:
                                return found
    return found


@inline
def _placed_face(geometry, slots, k, s, i, shift):
    """Return face i of shape s in the chart, moved along by `shift`, its rank and its vertex indices."""
    vertices = geometry.vertices
    block_vertices = geometry.block_vertices
    corners = geometry.corners
    shape_ints = geometry.shape_ints
    first = shape_ints[s, at.LISTED] + geometry.starts[shape_ints[s, at.START] + i // BLOCK]
    row = shape_ints[s, at.FACE] + i
    v0 = shape_ints[s, at.VERTEX]
    a = block_vertices[first + corners[row, 0]]
    b = block_vertices[first + corners[row, 1]]
    c = block_vertices[first + corners[row, 2]]
    p = to_chart(slots, k, vertices[v0 + a, 0], vertices[v0 + a, 1], vertices[v0 + a, 2])
    q = to_chart(slots, k, vertices[v0 + b, 0], vertices[v0 + b, 1], vertices[v0 + b, 2])
    r = to_chart(slots, k, vertices[v0 + c, 0], vertices[v0 + c, 1], vertices[v0 + c, 2])
    face = (p[0], p[1], p[2] + shift, q[0], q[1], q[2] + shift, r[0], r[1], r[2] + shift)
    return face, _rank(corners, row), a, b, c


@kernel
def sweep(geometry, body_ints, poses, body_boxes, bodies, movers, skips, frame, travel, margin, tolerance, closed):
    """Sweep bodies `movers` (ids) along frame[6:9] by `travel` against all others, of ids below `bodies`.

    Return (status, travel, mover, obstacle, features, point 3, normal 3); features: of each side the face, the feature and the
    face's three vertices. Point and normal are in the world. tolerance < 0 asks for the default; closed: resting counts.
    """
    nodes = geometry.nodes
    shape_ints = geometry.shape_ints
    shape_reals = geometry.shape_reals
    none = (0.0, 0.0, 0.0)
    nothing = (-1, -1, -1)
    lost = (-1, -1, nothing, -1, -1, nothing)
    # The movers' common box gives the chart its origin and the tolerance its measure.
    x0 = INF
    y0 = INF
    z0 = INF
    x1 = -INF
    y1 = -INF
    z1 = -INF
    for m in movers:
        x0 = min(x0, body_boxes[at.WORLD_LOW, m])
        y0 = min(y0, body_boxes[at.WORLD_LOW + 1, m])
        z0 = min(z0, body_boxes[at.WORLD_LOW + 2, m])
        x1 = max(x1, body_boxes[at.WORLD_HIGH, m])
        y1 = max(y1, body_boxes[at.WORLD_HIGH + 1, m])
        z1 = max(z1, body_boxes[at.WORLD_HIGH + 2, m])
    if x0 > x1:  # every mover is empty
        return FREE, INF, -1, -1, lost, none, none
    ox = 0.5 * x0 + 0.5 * x1
    oy = 0.5 * y0 + 0.5 * y1
    oz = 0.5 * z0 + 0.5 * z1
    diagonal = math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2 + (z1 - z0) ** 2)
    touch = tolerance
    if touch < 0.0:
        touch = TOUCH_SIZE * (diagonal + margin) + TOUCH_TRAVEL * travel
    away = max(abs(ox), max(abs(oy), abs(oz)))
    wide = margin + touch + ROUNDING * EPS * (away + diagonal + travel)
    dx = frame[6] * travel
    dy = frame[7] * travel
    dz = frame[8] * travel

    # Bodies in reach, and which mover may meet which.
    reached = _reach(body_boxes, bodies, movers, x0, y0, z0, x1, y1, z1, dx, dy, dz, wide)
    near = len(reached)
    count = len(movers) + near
    slots = np.empty((count, _SLOT_REALS))
    rows = np.empty((count, 4), np.int64)
    roots = np.empty((len(movers) * near, 2), np.int64)
    root_boxes = np.empty((count, 6))
    pairs = 0
    slack = 0.0
    for k in range(count):
        b = movers[k] if k < len(movers) else reached[k - len(movers)]
        s = body_ints[b, at.SHAPE]
        if shape_ints[s, at.FACES] == 0:
            rows[k, _BODY] = -1
            continue
        if shape_ints[s, at.DIRTY]:
            _refit(geometry, s)
        rows[k, _BODY] = b
        rows[k, _SHAPE] = s
        _place(frame, poses, b, ox, oy, oz, slots, k)
        size = 0.0
        offset = 0.0
        for r in range(3):
            size = max(size, max(abs(shape_reals[s, at.BOX_LOW + r]), abs(shape_reals[s, at.BOX_HIGH + r])))
            offset = max(offset, abs(slots[k, 9 + r]))
        slots[k, _THICK] = shape_reals[s, at.RADIUS] + (margin if k < len(movers) else 0.0)
        slots[k, _SLACK] = ROUNDING * EPS * (size + offset + travel + slots[k, _THICK])
        slots[k, _WIDE] = slots[k, _THICK] + slots[k, _SLACK]
        slack = max(slack, slots[k, _SLACK])
        top = shape_ints[s, at.NODE] + shape_ints[s, at.OFFSET + shape_ints[s, at.LEVELS]] - 1
        node_box(nodes, top, slots, k, slots[k, _WIDE], root_boxes, k)
        for a in range(len(movers) if k >= len(movers) else 0):
            if rows[a, _BODY] < 0 or not _may_meet(body_ints, skips, movers[a], b):
                continue
            if box_gap(root_boxes, a, k) <= travel:
                roots[pairs, 0] = a
                roots[pairs, 1] = k
                pairs += 1
    if pairs == 0:
        return FREE, INF, -1, -1, lost, none, none

    # Room for chart boxes and laid out blocks of the bodies that take part.
    total = 0
    blocks = 0
    for k in range(count):
        rows[k, _NODES] = -1
    for r in range(pairs):
        for side in range(2):
            k = roots[r, side]
            if rows[k, _NODES] < 0:
                s = rows[k, _SHAPE]
                rows[k, _NODES] = total
                rows[k, _BLOCKS] = blocks
                total += shape_ints[s, at.OFFSET + shape_ints[s, at.LEVELS]]
                blocks += shape_ints[s, at.OFFSET + 1]
    boxes = np.empty((total, 6))
    known = np.zeros(total, np.bool_)
    laid = np.full(blocks, -1)
    for r in range(pairs):
        for side in range(2):
            k = roots[r, side]
            top = rows[k, _NODES] + shape_ints[rows[k, _SHAPE], at.OFFSET + shape_ints[rows[k, _SHAPE], at.LEVELS]] - 1
            for c in range(6):
                boxes[top, c] = root_boxes[k, c]
            known[top] = True
    limit = travel + slack  # contact at the very end counts
    t, a, i, b, j, nu, nv, nw = _walk(
        geometry, body_ints, poses, slots, rows, len(movers), roots[:pairs], boxes, known, laid, travel, limit, touch, closed
    )
    if t == _UNKNOWN:
        return ASK, 0.0, a, -1, lost, none, none

    # Surfaces that do not cross may still lie one inside the other.
    if t >= 0.0:
        for r in range(pairs):
            m = rows[roots[r, 0], _BODY]
            o = rows[roots[r, 1], _BODY]
            if not _touches(body_boxes, m, o, 0.0, 0.0, 0.0, touch):
                continue
            for s in (body_ints[m, at.SHAPE], body_ints[o, at.SHAPE]):
                if shape_ints[s, at.PART] < 0:
                    return ASK, 0.0, s, -1, lost, none, none
            for side in range(2):
                inner = m if side == 0 else o
                outer = o if side == 0 else m
                if shape_ints[body_ints[outer, at.SHAPE], at.SOLID] == 0:
                    continue
                within, point = holds(geometry, body_ints, poses, inner, outer, touch)
                if within:
                    return WITHIN, 0.0, m, o, lost, point, none
    if t == INF:
        return FREE, INF, -1, -1, lost, none, none

    # Where, and by which features.
    sa = rows[a, _SHAPE]
    sb = rows[b, _SHAPE]
    mover, mover_rank, m0, m1, m2 = _placed_face(geometry, slots, a, sa, i, max(t, 0.0))
    obstacle, obstacle_rank, o0, o1, o2 = _placed_face(geometry, slots, b, sb, j, 0.0)
    _, _, q, mover_feature, obstacle_feature = closest(mover, mover_rank, obstacle, obstacle_rank)
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
        (m0, m1, m2),
        geometry.face_ids[shape_ints[sb, at.FACE] + j],
        obstacle_feature,
        (o0, o1, o2),
    )
    status = HIT if t >= 0.0 else OVERLAP
    return status, max(t, 0.0), rows[a, _BODY], rows[b, _BODY], features, point, normal
