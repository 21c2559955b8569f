"""Is a point that is clear of the surface inside a closed shape? The kernel counts signed crossings of a ray.

As `base.inside`, which also tells what lies on the surface; here eight boxes are tested at once (`base.groups`), and the ray is
repeated in other directions until it is clear of every edge.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import inline, step
from .._memory import local
from ..base.blocks import FAN, LEAF
from ..base.faces import local_face
from ..base.inside import INSIDE, OUTSIDE, UNSURE, crossing, direction
from ..base.lanes import entry_lanes
from ..layout import MOST_LEVELS
from ..tolerances import MOST_RAY_TRIES

INF = math.inf
_ROW = 6 * FAN  # numbers of a row of groups

_levels = local(np.int64, (MOST_LEVELS + 1) * FAN)
_nodes = local(np.int64, (MOST_LEVELS + 1) * FAN)
_entries = local(np.float64, FAN)


@inline
def _side(along, c):
    """Return where the sides of boxes along axis c begin at which a ray enters, and at which it leaves."""
    return (c * FAN, (3 + c) * FAN) if along >= 0.0 else ((3 + c) * FAN, c * FAN)


@step
def _count(geometry, groups, s, p, k):
    """Return (whether ray k from p is clear of all edges, sum of signed crossings, number of crossings)."""
    ints = geometry.shape_ints
    n0 = ints[s, at.NODE]
    d = direction(k)
    g = direction(k + MOST_RAY_TRIES)
    dot = d[0] * g[0] + d[1] * g[1] + d[2] * g[2]
    g = (g[0] - dot * d[0], g[1] - dot * d[1], g[2] - dot * d[2])
    size = math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
    g = (g[0] / size, g[1] / size, g[2] / size)
    h = (d[1] * g[2] - d[2] * g[1], d[2] * g[0] - d[0] * g[2], d[0] * g[1] - d[1] * g[0])
    x, y, z = _side(d[0], 0), _side(d[1], 1), _side(d[2], 2)
    rows = (x[0], y[0], z[0], x[1], y[1], z[1])
    ray = (p[0], p[1], p[2], p[0], p[1], p[2], 1.0 / d[0], 1.0 / d[1], 1.0 / d[2])
    winding, crossings = 0, 0
    levels, nodes, entries = _levels(), _nodes(), _entries()
    levels[0], nodes[0] = ints[s, at.LEVELS] - 1, 0
    depth = 1
    while depth > 0:
        depth -= 1
        level, node = levels[depth], nodes[depth]
        if level >= 0:
            # Row of the node's groups, and how many nodes are below it.
            first = (n0 + ints[s, at.OFFSET + level] + node) * _ROW
            mask = np.int64(entry_lanes(groups, first, rows, ray, INF, entries))
            for lane in range(FAN):
                if (mask >> lane) & 1:
                    levels[depth], nodes[depth] = level - 1, FAN * node + lane
                    depth += 1
            continue
        for i in range(LEAF * node, min(ints[s, at.FACES], LEAF * node + LEAF)):
            f = local_face(geometry, s, i)
            a = (f[0] - p[0], f[1] - p[1], f[2] - p[2])
            b = (f[3] - p[0], f[4] - p[1], f[5] - p[2])
            c = (f[6] - p[0], f[7] - p[1], f[8] - p[2])
            found = crossing(a, b, c, d, g, h, 0.0, True)
            if found >= 2:
                return False, 0, 0
            winding += found
            crossings += abs(found)
    return True, winding, crossings


@step
def winding_inside(geometry, groups, s, p):
    """Return where the local point p is relative to closed shape s, if it is not on the surface: OUTSIDE, INSIDE, or UNSURE."""
    for k in range(MOST_RAY_TRIES):
        clear, winding, crossings = _count(geometry, groups, s, p, k)
        if clear:
            odd = winding != 0 if geometry.shape_ints[s, at.SOLID] == 1 else crossings % 2 == 1
            return INSIDE if odd else OUTSIDE
    return UNSURE
