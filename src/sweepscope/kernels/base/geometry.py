"""All shapes of a scene as one argument: a table of where their arrays are."""

import numpy as np

from .. import layout as at
from .._jit import inline
from .._memory import entry
from ..layout import Geometry

_points = entry(np.float64, 3)
_boxes = entry(np.float64, 6)
_corners = entry(np.uint8, 3)
_numbers = entry(np.int32)
_ints = entry(np.int64, at.SHAPE_INTS)
_reals = entry(np.float64, at.SHAPE_REALS)


@inline
def geometry_at(table):
    """Return the shapes whose arrays a table lists, in the order of Geometry's fields. The caller keeps the arrays alive."""
    return Geometry(
        _points(table, 0),
        _numbers(table, 1),
        _numbers(table, 2),
        _corners(table, 3),
        _numbers(table, 4),
        _boxes(table, 5),
        _ints(table, 6),
        _reals(table, 7),
        _numbers(table, 8),
        _numbers(table, 9),
    )
