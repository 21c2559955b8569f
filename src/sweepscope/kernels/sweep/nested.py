"""Whether one body is inside another although their surfaces do not cross."""

from .. import layout as at
from .._jit import cold, inline, kernel
from ..base.bodies import refit_shape
from ..base.inside import holds
from ..statuses import ASK, FREE, OVERLAP, SHALLOW
from ..tolerances import OVERLAP_DEPTH
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
def find_nested(geometry, body_ints, poses, body_boxes, bodies, movers, ignored_pairs, touch):
    """Decide whether a body is inside another at the start: return (status, mover, obstacle, point).

    OVERLAP: deeper than `touch`. SHALLOW: not so, but a body that is thinner than `touch` is inside at all. FREE. ASK: the
    parts of a shape (second value) are needed. The sweep handles surfaces that cross.
    """
    none = (0.0, 0.0, 0.0)
    ints = geometry.shape_ints
    shallow = (FREE, -1, -1, none)
    for m in movers:
        for o in range(bodies):
            moves = False
            for k in range(len(movers)):
                moves = moves or movers[k] == o
            if moves or not meets(body_boxes, o, box_of(body_boxes, m), touch) or not may_meet(body_ints, ignored_pairs, m, o):
                continue
            for side in range(2):
                s = body_ints[m if side == 0 else o, at.SHAPE]
                if ints[s, at.PART] < 0:
                    return ASK, s, -1, none
                if ints[s, at.DIRTY]:
                    refit_shape(geometry, s)
            for side in range(2):
                inner = m if side == 0 else o
                outer = o if side == 0 else m
                if ints[body_ints[outer, at.SHAPE], at.SOLID] == 0:
                    continue
                held, point = holds(geometry, body_ints, poses, inner, outer, OVERLAP_DEPTH * touch)
                if held:
                    return OVERLAP, m, o, point
                s = body_ints[inner, at.SHAPE]
                if shallow[0] == FREE and geometry.shape_reals[s, at.RADIUS] == 0.0 and _is_thin(geometry, s, touch):
                    held, point = holds(geometry, body_ints, poses, inner, outer, 0.0)
                    if held:
                        shallow = (SHALLOW, m, o, point)
    return shallow


@kernel
def nested(geometry, body_ints, poses, body_boxes, bodies, movers, ignored_pairs, touch):
    """As `find_nested`, for callers in Python."""
    return find_nested(geometry, body_ints, poses, body_boxes, bodies, movers, ignored_pairs, touch)
