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


class Bodies(NamedTuple):
    """All bodies of a world."""

    geometry: Geometry
    body_ints: NDArray[np.int64]
    poses: NDArray[np.float64]
    boxes: NDArray[np.float64]
    rows: int  # in use
    nodes: NDArray[np.float64]  # of their hierarchy: see `base.hierarchy`
    ints: NDArray[np.int64]


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
POINTS = 14  # 1: all its faces are points
OFFSET = 15  # MOST_LEVELS + 1 columns: where each level starts among its nodes
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

# ints of a hierarchy: the first number; all others are known to `base.hierarchy`
HIERARCHY_LEVELS = 0  # how many levels; 0: there is no hierarchy, every body is tested

# questions: one row each. Rows of bodies and counts are whole numbers, exact in float64.
MOTION = 0  # 11 columns: the unit direction 3 of a translation, or the orbit of a turn
TRAVEL = 11  # length of a translation, angle of a turn
MARGIN = 12
MOVER = 13  # where its movers begin in the list of movers
MOVERS = 14  # how many move as one
RESTING = 15  # 1: resting counts as a hit
STAND = 16  # the pose of its first mover in the list of poses; -1: the movers are where they are
IGNORED = 17  # where its pairs begin in the list of ignored pairs
IGNOREDS = 18  # how many there are
QUESTION = 19

# answers: one row each
STATUS = 0
HIT_MOVER = 1  # body row; -1 if free
HIT_OBSTACLE = 2
FEATURES = 3  # for each side the face, the feature and three vertices, 5 columns; all -1 if free or nested
HIT_TRAVEL = 13  # infinite if free
POINT = 14  # 3 columns, world; NaN if free
NORMAL = 17  # 3 columns, world; NaN if free or nested
ANSWER = 20
