"""Groups: for each node of a shape the boxes of the eight groups below it, coordinate by coordinate, for questions of points.

A ray, a moving ball or a point meets one box at a time, so the boxes below a node are tested at once (`lanes.py`): of a node
above level 0 those of its children, of a block those of its leaves of LEAF faces. Row `node` of a shape's groups is (6, FAN):
low sides 3, high sides 3. Lanes without a box have low = inf, high = -inf.

Boxes are exact: made of the vertices, radius not included, and relative to the shape's center as these. They need neither the
nodes nor the parts of a shape. `Arena.grouped` keeps them; they are made when the first question reaches a shape.
"""

from .. import layout as at
from .._jit import inline, kernel
from .blocks import BLOCK, FAN, LEAF
from .boxes import EMPTY, include


@inline
def _put(groups, row, lane, box):
    for c in range(6):
        groups[row, c, lane] = box[c]


@inline
def _box_of(groups, row):
    """Return the box that encloses all boxes of a row, of which some may be empty."""
    x, y, z, u, v, w = EMPTY
    for k in range(FAN):
        x, u = min(x, groups[row, 0, k]), max(u, groups[row, 3, k])
        y, v = min(y, groups[row, 1, k]), max(v, groups[row, 4, k])
        z, w = min(z, groups[row, 2, k]), max(w, groups[row, 5, k])
    return x, y, z, u, v, w


@inline
def _put_leaves(geometry, groups, row, s, block):
    """Write the boxes of the leaves of a block."""
    ints, corners, listed, vertices = geometry.shape_ints, geometry.corners, geometry.block_vertices, geometry.vertices
    first = ints[s, at.LISTED] + geometry.starts[ints[s, at.START] + block]
    v0, f0 = ints[s, at.VERTEX], ints[s, at.FACE]
    last = f0 + ints[s, at.FACES]
    for leaf in range(FAN):
        begin = f0 + block * BLOCK + leaf * LEAF
        box = EMPTY
        for i in range(begin, min(last, begin + LEAF)):
            for k in range(3):
                v = v0 + listed[first + corners[i, k]]
                box = include(box, vertices[v, 0], vertices[v, 1], vertices[v, 2])
        _put(groups, row, leaf, box)


@inline
def _group_shape(geometry, groups, s):
    """Write all groups of shape s."""
    ints = geometry.shape_ints
    n0 = ints[s, at.NODE]
    if ints[s, at.FACES] == 0:
        return
    for block in range(ints[s, at.OFFSET + 1]):
        _put_leaves(geometry, groups, n0 + block, s, block)
    for level in range(1, ints[s, at.LEVELS]):
        below = n0 + ints[s, at.OFFSET + level - 1]
        here = n0 + ints[s, at.OFFSET + level]
        count = here - below
        for k in range(-(-count // FAN)):
            for lane in range(FAN):
                child = FAN * k + lane
                _put(groups, here + k, lane, _box_of(groups, below + child) if child < count else EMPTY)


@kernel
def make_groups(geometry, groups, shapes):
    """Write the groups of some shapes, given by their rows. groups: shape (nodes, 6, FAN)."""
    for s in shapes:
        _group_shape(geometry, groups, s)
