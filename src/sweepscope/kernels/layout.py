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
GROUPED = 15  # 1: its groups are newer than its vertices; see `base.groups`
OFFSET = 16  # MOST_LEVELS + 1 columns: where each level starts among its nodes
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
ONLY = 19  # 1 + the body row of the only obstacle that counts; 0: all count
QUESTION = 20

# questions about distances: one row each
NEAR_MOVER = 0  # where its movers begin in the list of movers
NEAR_MOVERS = 1  # how many there are
NEAR_STAND = 2  # the pose of its first mover in the list of poses; -1: the movers are where they are
NEAR_TARGETS = 3  # how many of the listed targets are asked for; -1: all bodies that are not ignored
NEAR_LIMIT = 4  # bodies that are farther away do not count
NEAR_MOST = 5  # how many bodies, at most, are answered
NEAR_IGNORED = 6  # where its pairs begin in the list of ignored pairs
NEAR_IGNOREDS = 7  # how many there are
NEAR_THOROUGH = 8  # 1: tell how bodies overlap
NEAR_QUESTION = 9

# their answers: NEAR_MOST rows each, nearest first
NEAR_STATUS = 0  # FREE, HIT (they touch), OVERLAP or how they do; -1: no body
NEAR_ONE = 1  # body row of the mover
NEAR_OTHER = 2  # body row of the other
NEAR_FEATURES = 3  # as FEATURES
NEAR_GAP = 13
NEAR_POINT = 14  # 3 columns, world: on the mover
NEAR_OTHER_POINT = 17  # 3 columns, world: on the other
NEAR_NORMAL = 20  # 3 columns, world: from the other towards the mover; NaN if they meet
NEAR_ANSWER = 23

# contacts: MOST_CONTACTS rows for each pair of bodies, patch by patch
CONTACT_PATCH = 0  # which patch of its pair
CONTACT_GAP = 1
CONTACT_POINT = 2  # 3 columns, relative to the position of the first body: on the first
CONTACT_OTHER_POINT = 5  # 3 columns, likewise: on the second
CONTACT_NORMAL = 8  # 3 columns, world: from the second towards the first
CONTACT_FEATURES = 11  # as FEATURES
CONTACT = 21
MOST_PATCHES = 16  # of a pair of bodies
PATCH_CONTACTS = 4
MOST_CONTACTS = MOST_PATCHES * PATCH_CONTACTS

# what is known of such a pair: one row each
PAIR_STATUS = 0  # FREE, HIT (they touch), OVERLAP; -1: they are farther apart than was asked for
PAIR_CONTACTS = 1  # how many contacts there are
PAIR_ROW = 2

# answers about points: one row each
POINT_DISTANCE = 0  # negative inside; infinite without a body; NaN if it cannot be decided
POINT_NEAREST = 1  # 3 columns, world: the nearest point of the surface
POINT_NORMAL = 4  # 3 columns, world: the gradient of the distance
POINT_BODY = 7  # body row; -1 without a body
POINT_FACE = 8
POINT_FEATURE = 9  # as in `base.closest`
POINT_ANSWER = 10

# answers: one row each
STATUS = 0
HIT_MOVER = 1  # body row; -1 if free
HIT_OBSTACLE = 2
FEATURES = 3  # for each side the face, the feature and three vertices, 5 columns; all -1 if free or nested
HIT_TRAVEL = 13  # infinite if free
POINT = 14  # 3 columns, world; NaN if free
NORMAL = 17  # 3 columns, world; NaN if free or nested
ANSWER = 20

# contacts whose gradient is asked for: one row each
HIT_CONTACT_NORMAL = 0  # 3 columns, world; NaN if there is none
HIT_CONTACT_POINT = 3  # 3 columns, world
HIT_CONTACT_TIME = 6
HIT_CONTACT_TURN = 7  # 0: a translation; else the sign of a turn: its axis as it was given is so many times that of the orbit
HIT_CONTACT_MOTION = 8  # 11 columns: the vector 3 of a translation, or the orbit of a turn
HIT_CONTACT_SHAPES = 19  # 2 columns: of mover and obstacle
HIT_CONTACT_OVERLAP = 21  # 1: they overlap at the start
HIT_CONTACT_VERTEX = 22  # the first vertex of the mover's feature, counted from the shape's first; -1: its place follows
HIT_CONTACT_PLACE = 23  # 3 columns, local
HIT_CONTACT_START = 26  # 12 columns: the first three rows of the mover's pose at the start
HIT_CONTACT_OTHER = 38  # 12 columns: of the obstacle's pose
HIT_CONTACT = 50

# their gradients: one row each
GRADIENT_STATUS = 0  # see `contact.gradient`
GRADIENT_MOVER = 1  # 6 columns
GRADIENT_OBSTACLE = 7  # 6 columns
GRADIENT_VECTOR = 13  # 3 columns
GRADIENT_AXIS = 16  # 3 columns
GRADIENT_ANGLE = 19
GRADIENT_SLIDE = 20
GRADIENT_ABOUT = 21  # 3 columns
GRADIENT = 24
