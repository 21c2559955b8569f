"""Whether one body is inside another although their surfaces do not cross."""

import numpy as np

from .. import layout as at
from .._jit import cold, inline, kernel
from ..base.inside import holds
from ..contact.case import two_poses
from ..statuses import FREE, OVERLAP, SHALLOW
from ..tolerances import OVERLAP_DEPTH
from .movers import movers_at_home, movers_scratch
from .reached import box_of, may_meet, meets


@inline
def _is_thin(geometry, s, touch):
    """True if shape s has no inside, or none that is worth the tolerance: it may be inside something without crossing it."""
    thin = geometry.shape_ints[s, at.SOLID] == 0
    for r in range(3):
        side = geometry.shape_reals[s, at.BOX_HIGH + r] - geometry.shape_reals[s, at.BOX_LOW + r]
        thin = thin or side <= OVERLAP_DEPTH * touch
    return thin


@cold
def nested_pair(geometry, shapes, poses, touch):
    """Decide whether one of two bodies is inside the other: return (status, point); see `find_nested`.

    shapes, poses (2 rows): of both, whose parts are known.
    """
    shallow = (FREE, (0.0, 0.0, 0.0))
    for inner in range(2):
        if geometry.shape_ints[shapes[1 - inner], at.SOLID] == 0:
            continue
        held, point = holds(geometry, shapes, poses, inner, OVERLAP_DEPTH * touch)
        if held:
            return OVERLAP, point
        s = shapes[inner]
        if shallow[0] == FREE and geometry.shape_reals[s, at.RADIUS] == 0.0 and _is_thin(geometry, s, touch):
            held, point = holds(geometry, shapes, poses, inner, 0.0)
            if held:
                shallow = (SHALLOW, point)
    return shallow


@cold
def find_nested(geometry, body_ints, home, boxes, movers, reached, ignored_pairs, touch):
    """Decide whether a body is inside another at the start: return (status, mover, obstacle, point).

    OVERLAP: deeper than `touch`. SHALLOW: not so, but a body that is thinner than `touch` is inside at all. FREE. reached: the
    body rows of obstacles, at their poses `home`. Their parts, and those of the movers, are known. The sweep handles surfaces
    that cross.
    """
    none = (0.0, 0.0, 0.0)
    shallow = (FREE, -1, -1, none)
    poses = two_poses()
    for k in range(len(movers.rows)):
        m = movers.rows[k]
        for o in reached:
            if not meets(boxes, o, box_of(movers.boxes, k), touch) or not may_meet(body_ints, ignored_pairs, m, o):
                continue
            shapes = (movers.shapes[k], body_ints[o, at.SHAPE])
            for c in range(at.POSE):
                poses[0, c] = movers.poses[k, c]
                poses[1, c] = home[o, c]
            status, point = nested_pair(geometry, shapes, poses, touch)
            if status == OVERLAP:
                return OVERLAP, m, o, point
            if shallow[0] == FREE and status == SHALLOW:
                shallow = (SHALLOW, m, o, point)
    return shallow


@kernel
def nested(geometry, body_ints, poses, boxes, bodies, rows, ignored_pairs, touch):
    """As `find_nested`, for callers in Python: of movers at their poses with all other bodies. rows: of the movers."""
    movers = movers_at_home(body_ints, poses, boxes, rows, np.empty(movers_scratch(len(rows))), 0)
    others = np.empty(bodies, np.int64)
    count = 0
    for b in range(bodies):
        moves = False
        for m in rows:
            moves = moves or m == b
        if not moves:
            others[count] = b
            count += 1
    return find_nested(geometry, body_ints, poses, boxes, movers, others[:count], ignored_pairs, touch)
