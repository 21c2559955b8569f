"""How a scene lies in memory: which column holds what. The arena writes these arrays, the kernels read them.

Geometry is flat: one array of vertices, one of corners and so on for all shapes of a scene; a shape is a row of offsets into
them. A body is a shape, a pose and a group. Names are columns; `_` separates the row from the column it indexes.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .blocks import MOST_LEVELS


class Geometry(NamedTuple):
    """All shapes of a scene, one after another in each array."""

    vertices: NDArray[np.float64]  # (n, 3), measured from each shape's centre
    block_vertices: NDArray[np.int32]  # per block, the vertices that it uses, counted from the shape's first
    starts: NDArray[np.int32]  # per block and one more, where those begin, counted from the shape's first
    corners: NDArray[np.uint8]  # (m, 3) per face in block order, counted from the block's first
    face_ids: NDArray[np.int32]  # per face in block order, its number as given
    nodes: NDArray[np.float64]  # (k, 6) boxes: centre, half widths
    shape_ints: NDArray[np.int64]
    shape_reals: NDArray[np.float64]
    part_starts: NDArray[np.int32]  # per part and one more, where its members begin, counted from the shape's first
    members: NDArray[np.int32]  # faces in block order, part by part


# shape_ints
VERTEX = 0  # first vertex
VERTICES = 1  # how many
FACE = 2  # first face, in block order
FACES = 3
LISTED = 4  # first entry of its block vertices
START = 5  # first entry of its block starts
NODE = 6  # first node
LEVELS = 7  # levels of nodes
DIRTY = 8  # 0, or vertices are newer than the nodes: CHANGED, and DRAWN once they have been looked at
PART = 9  # first entry of its part starts; -1: parts not worked out yet
PARTS = 10
MEMBER = 11  # first entry of its part members
SOLID = 12  # 0 a surface, 1 closed and oriented (winding), 2 closed (parity)
OFFSET = 13  # MOST_LEVELS + 1 columns: where each level starts among its nodes
SHAPE_INTS = OFFSET + MOST_LEVELS + 1

CHANGED = 1
DRAWN = 2

# shape_reals
BOX_LOW = 0  # 3 columns, local, radius not included
BOX_HIGH = 3
RADIUS = 6
SHAPE_REALS = 7

# body_ints
SHAPE = 0
GROUP = 1
IGNORES = 2  # bit g: does not meet group g
ID = 3  # the number by which it is known outside
BODY_INTS = 4

# poses
ROTATION = 0  # 9 columns, rows of the matrix
POSITION = 9  # 3 columns: of the shape's centre, world
POSITION_REST = 12  # 3 columns: what the position lost in rounding
POSE = 15

# body_boxes: rows, so that one coordinate of all bodies lies together; a body that is gone or empty has an empty box
WORLD_LOW = 0  # 3 rows, radius included
WORLD_HIGH = 3
