"""Is a point inside a closed shape? The kernel counts signed crossings of a ray.

A ray that passes too near to an edge does not count; another direction is tried. In a shape that is closed and oriented, a
point is inside if the winding number is not zero. In one that is only closed, it is inside if the crossings are odd.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import cold, inline, step
from .._memory import local
from ..tolerances import GRAIN, LEAST_SAMPLE_DEPTH, MANY_PARTS, PART_SAMPLES, RAY_NEAR_EDGE, RAY_TRIES, SAMPLE_DEPTH
from .blocks import BLOCK, FAN, MOST_LEVELS
from .closest import closest
from .faces import local_face

OUTSIDE = 0
INSIDE = 1
ON = 2  # nearer to the surface than the tolerance
UNSURE = 3  # every ray came too near to an edge

SPLIT = 134217729.0  # 2**27 + 1: halves of a float64 have 26 digits each

_stack_of_groups = local(np.int64, MOST_LEVELS * FAN, 2)
_one_index = local(np.int64, 1)


@inline
def direction(k):
    """Return unit vector k of a series that stays away from axes, diagonals and its other members."""
    a = 0.7 + 2.399963229728653 * k
    z = 0.31 + 0.53 * math.sin(1.7 * k)
    r = math.sqrt(1.0 - z * z)
    return r * math.cos(a), r * math.sin(a), z


@inline
def _ray_misses(nodes, m, x, y, z, d, wide):
    """True if the ray from (x, y, z) cannot meet node m's box widened by `wide`."""
    cx = nodes[m, 0] - x
    cy = nodes[m, 1] - y
    cz = nodes[m, 2] - z
    hx = nodes[m, 3] + wide
    hy = nodes[m, 4] + wide
    hz = nodes[m, 5] + wide
    if cx * d[0] + cy * d[1] + cz * d[2] + abs(d[0]) * hx + abs(d[1]) * hy + abs(d[2]) * hz < 0.0:
        return True
    if abs(cy * d[2] - cz * d[1]) > hy * abs(d[2]) + hz * abs(d[1]):
        return True
    if abs(cz * d[0] - cx * d[2]) > hz * abs(d[0]) + hx * abs(d[2]):
        return True
    return abs(cx * d[1] - cy * d[0]) > hx * abs(d[1]) + hy * abs(d[0])


@inline
def _product(a, b):
    """Return a product and its rounding error (Dekker 1971)."""
    p = a * b
    t = SPLIT * a
    high = t - (t - a)
    low = a - high
    t = SPLIT * b
    other = t - (t - b)
    rest = b - other
    return p, ((high * other - p) + high * rest + low * other) + low * rest


@inline
def _sum(a, b):
    """Return a sum and its rounding error (Knuth)."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


@inline
def _minor_times(a, b, c, d, z):
    """Return (a d - b c) z in two parts, to twice the digits."""
    p, p_rest = _product(a, d)
    q, q_rest = _product(b, c)
    s, s_rest = _sum(p, -q)
    s_rest += p_rest - q_rest
    m, m_rest = _product(s, z)
    return m, m_rest + s_rest * z


@cold
def _sure_volume(a0, a1, ad, b0, b1, bd, c0, c1, cd):
    """Return the determinant of three triples to twice the digits: its sign decides on which side of a needle a point is."""
    x, x_rest = _minor_times(b0, b1, c0, c1, ad)
    y, y_rest = _minor_times(c0, c1, a0, a1, bd)
    z, z_rest = _minor_times(a0, a1, b0, b1, cd)
    s, s_rest = _sum(x, y)
    t, t_rest = _sum(s, z)
    return t + (s_rest + t_rest + x_rest + y_rest + z_rest)


@inline
def crossing(a, b, c, d, g, h, touch, sharp):
    """Return +1 or -1 for a crossing ahead, 0 for none, 2 if the ray is too near to an edge, 3 if the point is on the face.

    a, b, c: corners relative to the point. d: unit, along the ray. g, h: unit, square to it and to each other. sharp: only what
    may be rounding is too near to an edge; else a share of the face's size is, so that a point on an edge or a corner is never
    taken for one beside it.

    Faces that share a corner round it alike, so a ray that is clear of all edges counts right, whatever the rounding.
    """
    a0 = a[0] * g[0] + a[1] * g[1] + a[2] * g[2]
    a1 = a[0] * h[0] + a[1] * h[1] + a[2] * h[2]
    b0 = b[0] * g[0] + b[1] * g[1] + b[2] * g[2]
    b1 = b[0] * h[0] + b[1] * h[1] + b[2] * h[2]
    c0 = c[0] * g[0] + c[1] * g[1] + c[2] * g[2]
    c1 = c[0] * h[0] + c[1] * h[1] + c[2] * h[2]
    ea = b0 * c1 - b1 * c0
    eb = c0 * a1 - c1 * a0
    ec = a0 * b1 - a1 * b0
    size = max(max(abs(a0), abs(a1)), max(max(abs(b0), abs(b1)), max(abs(c0), abs(c1))))
    # A face that the ray clearly misses does not disturb the count, even if it is thin.
    wide = RAY_NEAR_EDGE * size
    if (
        min(a0, min(b0, c0)) > wide
        or max(a0, max(b0, c0)) < -wide
        or min(a1, min(b1, c1)) > wide
        or max(a1, max(b1, c1)) < -wide
    ):
        return 0
    # How much rounding may turn each edge about the ray.
    ma, mb, mc = size, size, size
    if sharp:
        ma, mb, mc = max(abs(a0), abs(a1)), max(abs(b0), abs(b1)), max(abs(c0), abs(c1))
    na, nb, nc = RAY_NEAR_EDGE * mb * mc, RAY_NEAR_EDGE * mc * ma, RAY_NEAR_EDGE * ma * mb
    if (ea < -na or eb < -nb or ec < -nc) and (ea > na or eb > nb or ec > nc):
        return 0
    ad = a[0] * d[0] + a[1] * d[1] + a[2] * d[2]
    bd = b[0] * d[0] + b[1] * d[1] + b[2] * d[2]
    cd = c[0] * d[0] + c[1] * d[1] + c[2] * d[2]
    if max(ad, max(bd, cd)) < -touch:
        return 0
    left = ea > na and eb > nb and ec > nc
    if not left and not (ea < -na and eb < -nb and ec < -nc):
        return 2
    volume = ea * ad + eb * bd + ec * cd
    if abs(volume) <= GRAIN * size * size * max(abs(ad), max(abs(bd), abs(cd))):
        volume = _sure_volume(a0, a1, ad, b0, b1, bd, c0, c1, cd)
    depth = volume / (ea + eb + ec)
    if abs(depth) <= touch:
        return 3
    if depth < 0.0:
        return 0
    return 1 if left else -1


@inline
def _off(a, b, c, x):
    """Return how far x is from the range of three numbers."""
    return max(min(a, min(b, c)) - x, x - max(a, max(b, c)))


@step
def faces_near(geometry, s, p, wide, found):
    """List the faces of shape s that are nearer than `wide` to the local point p, as many as `found` holds. Return how many."""
    ints = geometry.shape_ints
    nodes = geometry.nodes
    here = (p[0], p[1], p[2], p[0], p[1], p[2], p[0], p[1], p[2])
    stack = _stack_of_groups()
    stack[0, 0] = ints[s, at.LEVELS] - 1
    stack[0, 1] = 0
    depth = 1
    count = 0
    while depth > 0:
        depth -= 1
        level = stack[depth, 0]
        group = stack[depth, 1]
        m = ints[s, at.NODE] + ints[s, at.OFFSET + level] + group
        off = max(abs(nodes[m, 0] - p[0]) - nodes[m, 3], abs(nodes[m, 1] - p[1]) - nodes[m, 4])
        if max(off, abs(nodes[m, 2] - p[2]) - nodes[m, 5]) > wide:
            continue
        if level > 0:
            below = ints[s, at.OFFSET + level] - ints[s, at.OFFSET + level - 1]
            for child in range(group * FAN, min(below, group * FAN + FAN)):
                stack[depth, 0] = level - 1
                stack[depth, 1] = child
                depth += 1
            continue
        for i in range(group * BLOCK, min(ints[s, at.FACES], group * BLOCK + BLOCK)):
            f = local_face(geometry, s, i)
            off = max(_off(f[0], f[3], f[6], p[0]), max(_off(f[1], f[4], f[7], p[1]), _off(f[2], f[5], f[8], p[2])))
            if off <= wide and closest(here, 1, f, 3)[0] <= wide * wide:
                found[count] = i
                count += 1
                if count == len(found):
                    return count
    return count


@inline
def _is_on(geometry, s, x, y, z, touch):
    return faces_near(geometry, s, (x, y, z), touch, _one_index()) > 0


@step
def inside(geometry, s, x, y, z, touch):
    """Return where the local point (x, y, z) is relative to closed shape s: OUTSIDE, INSIDE, ON its surface, or UNSURE."""
    shape_ints = geometry.shape_ints
    n0 = shape_ints[s, at.NODE]
    count = shape_ints[s, at.FACES]
    stack = _stack_of_groups()
    for k in range(RAY_TRIES):
        d = direction(k)
        g = direction(k + 40)
        dot = d[0] * g[0] + d[1] * g[1] + d[2] * g[2]
        g = (g[0] - dot * d[0], g[1] - dot * d[1], g[2] - dot * d[2])
        h = (d[1] * g[2] - d[2] * g[1], d[2] * g[0] - d[0] * g[2], d[0] * g[1] - d[1] * g[0])
        winding = 0
        crossings = 0
        clear = True
        stack[0, 0] = shape_ints[s, at.LEVELS] - 1
        stack[0, 1] = 0
        depth = 1
        while depth > 0 and clear:
            depth -= 1
            level = stack[depth, 0]
            group = stack[depth, 1]
            if _ray_misses(geometry.nodes, n0 + shape_ints[s, at.OFFSET + level] + group, x, y, z, d, touch):
                continue
            if level > 0:
                below = shape_ints[s, at.OFFSET + level] - shape_ints[s, at.OFFSET + level - 1]
                for child in range(group * FAN, min(below, group * FAN + FAN)):
                    stack[depth, 0] = level - 1
                    stack[depth, 1] = child
                    depth += 1
                continue
            for i in range(group * BLOCK, min(count, group * BLOCK + BLOCK)):
                f = local_face(geometry, s, i)
                a = (f[0] - x, f[1] - y, f[2] - z)
                b = (f[3] - x, f[4] - y, f[5] - z)
                c = (f[6] - x, f[7] - y, f[8] - z)
                found = crossing(a, b, c, d, g, h, touch, False)
                if found == 3:
                    return ON
                if found == 2:
                    clear = False
                    break
                winding += found
                crossings += abs(found)
        if clear:
            odd = winding != 0 if shape_ints[s, at.SOLID] == 1 else crossings % 2 == 1
            if not odd:
                return OUTSIDE
            return ON if _is_on(geometry, s, x, y, z, touch) else INSIDE
    return ON if _is_on(geometry, s, x, y, z, touch) else UNSURE


@inline
def _to_world(poses, b, x, y, z):
    wx = poses[b, 0] * x + poses[b, 1] * y + poses[b, 2] * z + poses[b, at.POSITION]
    wy = poses[b, 3] * x + poses[b, 4] * y + poses[b, 5] * z + poses[b, at.POSITION + 1]
    wz = poses[b, 6] * x + poses[b, 7] * y + poses[b, 8] * z + poses[b, at.POSITION + 2]
    return wx, wy, wz


@inline
def across(poses, a, b, x, y, z):
    """Return a point local to body a in the frame of body b. Positions are subtracted first, so that no digits are lost."""
    r = poses
    tx = (r[a, at.POSITION] - r[b, at.POSITION]) + (r[a, at.POSITION_REST] - r[b, at.POSITION_REST])
    ty = (r[a, at.POSITION + 1] - r[b, at.POSITION + 1]) + (r[a, at.POSITION_REST + 1] - r[b, at.POSITION_REST + 1])
    tz = (r[a, at.POSITION + 2] - r[b, at.POSITION + 2]) + (r[a, at.POSITION_REST + 2] - r[b, at.POSITION_REST + 2])
    wx = r[a, 0] * x + r[a, 1] * y + r[a, 2] * z + tx
    wy = r[a, 3] * x + r[a, 4] * y + r[a, 5] * z + ty
    wz = r[a, 6] * x + r[a, 7] * y + r[a, 8] * z + tz
    lx = r[b, 0] * wx + r[b, 3] * wy + r[b, 6] * wz
    ly = r[b, 1] * wx + r[b, 4] * wy + r[b, 7] * wz
    lz = r[b, 2] * wx + r[b, 5] * wy + r[b, 8] * wz
    return lx, ly, lz


@inline
def is_boxed(shape_reals, s, x, y, z, touch):
    """True if the local point (x, y, z) is in the box of shape s, widened by `touch`."""
    lo = at.BOX_LOW
    hi = at.BOX_HIGH
    if x < shape_reals[s, lo] - touch or x > shape_reals[s, hi] + touch:
        return False
    if y < shape_reals[s, lo + 1] - touch or y > shape_reals[s, hi + 1] + touch:
        return False
    return shape_reals[s, lo + 2] - touch <= z <= shape_reals[s, hi + 2] + touch


@inline
def middle_of(f):
    """Return the middle of a face."""
    return (f[0] + f[3] + f[6]) / 3.0, (f[1] + f[4] + f[7]) / 3.0, (f[2] + f[5] + f[8]) / 3.0


@step
def _buried(geometry, shapes, poses, inner, i, touch):
    """True if the middle of face i (in block order) of one of two bodies is inside the other, which is closed."""
    s = shapes[inner]
    outer = 1 - inner
    x, y, z = middle_of(local_face(geometry, s, i))
    x, y, z = across(poses, inner, outer, x, y, z)
    t = shapes[outer]
    return is_boxed(geometry.shape_reals, t, x, y, z, 0.0) and inside(geometry, t, x, y, z, touch) == INSIDE


@inline
def one_buried(geometry, shapes, poses, numbers, touch):
    """True if one of two touching faces lies inside the other's closed body although it crosses none of its faces.

    shapes, poses (2 rows), numbers (in block order): of each side.
    """
    for side in range(2):
        if geometry.shape_ints[shapes[1 - side], at.SOLID] and _buried(geometry, shapes, poses, side, numbers[side], touch):
            return True
    return False


@inline
def _node_boxed(geometry, m, poses, a, b, t, touch):
    """True if node m of body a, carried into body b, may meet the box of b's shape t."""
    nodes = geometry.nodes
    reals = geometry.shape_reals
    middle = across(poses, a, b, nodes[m, 0], nodes[m, 1], nodes[m, 2])
    for r in range(3):
        half = touch
        for c in range(3):
            turn = poses[b, r] * poses[a, c] + poses[b, 3 + r] * poses[a, 3 + c] + poses[b, 6 + r] * poses[a, 6 + c]
            half += abs(turn) * nodes[m, 3 + c]
        if middle[r] + half < reals[t, at.BOX_LOW + r] or middle[r] - half > reals[t, at.BOX_HIGH + r]:
            return False
    return True


@step
def _holds_one_of_many(geometry, shapes, poses, inner, touch):
    """As `holds`, for a body of very many parts (a cloud): tests only what is near the outer body's box."""
    ints = geometry.shape_ints
    outer = 1 - inner
    s = shapes[inner]
    t = shapes[outer]
    stack = _stack_of_groups()
    stack[0, 0] = ints[s, at.LEVELS] - 1
    stack[0, 1] = 0
    depth = 1
    while depth > 0:
        depth -= 1
        level = stack[depth, 0]
        group = stack[depth, 1]
        m = ints[s, at.NODE] + ints[s, at.OFFSET + level] + group
        if not _node_boxed(geometry, m, poses, inner, outer, t, touch):
            continue
        if level > 0:
            below = ints[s, at.OFFSET + level] - ints[s, at.OFFSET + level - 1]
            for child in range(group * FAN, min(below, group * FAN + FAN)):
                stack[depth, 0] = level - 1
                stack[depth, 1] = child
                depth += 1
            continue
        for i in range(group * BLOCK, min(ints[s, at.FACES], group * BLOCK + BLOCK)):
            f = local_face(geometry, s, i)
            x, y, z = across(poses, inner, outer, f[0], f[1], f[2])
            if is_boxed(geometry.shape_reals, t, x, y, z, touch) and inside(geometry, t, x, y, z, touch) == INSIDE:
                return True, _to_world(poses, inner, f[0], f[1], f[2])
    return False, (0.0, 0.0, 0.0)


@step
def holds(geometry, shapes, poses, inner, touch):
    """Return (True, world point) if some part of one of two bodies begins inside the other, which is closed; else (False, 0s).

    shapes, poses (2 rows): of both. inner: 0 or 1.

    The walk handles parts whose surfaces cross. For a part whose corners all lie on the outer surface (two equal boxes), points
    just inside its own faces are tested; for one without an inside, the middles of its faces.
    """
    shape_ints = geometry.shape_ints
    part_starts = geometry.part_starts
    outer = 1 - inner
    s = shapes[inner]
    t = shapes[outer]
    if shape_ints[s, at.PARTS] > MANY_PARTS:
        return _holds_one_of_many(geometry, shapes, poses, inner, touch)
    for part in range(shape_ints[s, at.PARTS]):
        first = shape_ints[s, at.MEMBER] + part_starts[shape_ints[s, at.PART] + part]
        last = shape_ints[s, at.MEMBER] + part_starts[shape_ints[s, at.PART] + part + 1]
        step = max(1, (last - first) // PART_SAMPLES)
        verdict = UNSURE
        for q in range(first, last, step):
            f = local_face(geometry, s, geometry.members[q])
            for place in ((f[0], f[1], f[2]), middle_of(f)):
                x, y, z = across(poses, inner, outer, place[0], place[1], place[2])
                verdict = OUTSIDE
                if is_boxed(geometry.shape_reals, t, x, y, z, touch):
                    verdict = inside(geometry, t, x, y, z, touch)
                    # A copy that is moved by less than the tolerance has corners just outside: they do not decide.
                    if verdict == OUTSIDE and _is_on(geometry, t, x, y, z, touch):
                        verdict = ON
                if verdict == INSIDE:
                    return True, _to_world(poses, inner, place[0], place[1], place[2])
                # A corner that lies in the surface may be taken for one outside.
                if shape_ints[s, at.SOLID] != 0:
                    break
            if verdict == OUTSIDE:
                break
        if verdict == OUTSIDE or shape_ints[s, at.SOLID] == 0:
            continue
        for q in range(first, last, step):
            f = local_face(geometry, s, geometry.members[q])
            ex = f[3] - f[0]
            ey = f[4] - f[1]
            ez = f[5] - f[2]
            fx = f[6] - f[0]
            fy = f[7] - f[1]
            fz = f[8] - f[2]
            nx = ey * fz - ez * fy
            ny = ez * fx - ex * fz
            nz = ex * fy - ey * fx
            area = math.sqrt(nx * nx + ny * ny + nz * nz)
            if area == 0.0:
                continue
            # The inside may be on either side (a cavity, a mesh turned inside out) and thin: try both, ever closer.
            depth = SAMPLE_DEPTH * math.sqrt(area)
            while depth > LEAST_SAMPLE_DEPTH * touch and verdict != OUTSIDE:
                for side in (-1.0, 1.0):
                    x, y, z = middle_of(f)
                    x += side * depth * nx / area
                    y += side * depth * ny / area
                    z += side * depth * nz / area
                    if inside(geometry, s, x, y, z, touch) != INSIDE:
                        continue
                    ox, oy, oz = across(poses, inner, outer, x, y, z)
                    verdict = inside(geometry, t, ox, oy, oz, touch)
                    if verdict == INSIDE:
                        return True, _to_world(poses, inner, x, y, z)
                depth *= SAMPLE_DEPTH
            if verdict == OUTSIDE:
                break
    return False, (0.0, 0.0, 0.0)
