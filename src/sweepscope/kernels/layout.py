"""How a scene lies in memory: which column holds what. The arena writes these arrays, the kernels read them.

Geometry is flat: all shapes of a scene share one array of vertices, one of corners and so on, and a shape is a row of offsets
into them. A body is a shape, a pose and a group. Names are columns; `_` separates the row from the column that it indexes.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MOST_LEVELS = 10  # of nodes: BLOCK * FAN**9 faces, more than any memory holds
BRICK = 8  # voxels along an edge of a brick, in which surfaces of volumes are made


class Geometry(NamedTuple):
    """All shapes of a scene, one after another in each array."""

    vertices: NDArray[np.float64]  # (n, 3), relative to each shape's center
    block_vertices: NDArray[np.int32]  # for each block its vertices, counted from the shape's first
    starts: NDArray[np.int32]  # for each block, and one more: where those begin, counted from the shape's first
    corners: NDArray[np.uint8]  # (m, 3) for each face in block order, counted from the block's first vertex
    face_ids: NDArray[np.int32]  # for each face in block order, its number as the user gave it
    nodes: NDArray[np.float64]  # (k, 6) boxes: center, half widths
    shape_ints: NDArray[np.int64]
    shape_reals: NDArray[np.float64]
    part_starts: NDArray[np.int32]  # for each part, and one more: where its members begin, counted from the shape's first
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
DIRTY = 8  # 0, or the vertices are newer than the nodes: CHANGED, and DRAWN after the first picture
PART = 9  # first entry of its part starts; -1: its parts are not known yet
PARTS = 10
MEMBER = 11  # first entry of its part members
SOLID = 12  # 0 a surface, 1 closed and oriented (winding), 2 closed (parity)
UNUSED = 13  # 1: there are vertices that no face uses; they do not count for its box
OFFSET = 14  # MOST_LEVELS + 1 columns: where each level starts among its nodes
SHAPE_INTS = OFFSET + MOST_LEVELS + 1

CHANGED = 1
DRAWN = 2

# shape_reals
BOX_LOW = 0  # 3 columns, local, radius not included
BOX_HIGH = 3
RADIUS = 6
CENTER = 7  # 3 columns: the origin of its vertices, local
SHAPE_REALS = 10

# body_ints
SHAPE = 0
GROUP = 1
IGNORES = 2  # bit g: this body ignores group g
ID = 3  # its number for the user
BODY_INTS = 4

# poses
ROTATION = 0  # 9 columns, rows of the matrix
POSITION = 9  # 3 columns: of the shape's center, world
POSITION_REST = 12  # 3 columns: rounding error of the position
PLACE = 15  # 3 columns: position of the shape's origin, as it was given
POSE = 18

# body_boxes: rows, so that one coordinate of all bodies is contiguous. A removed or empty body has an empty box.
WORLD_LOW = 0  # 3 rows, radius included
WORLD_HIGH = 3
