"""Every number that decides a branch in the kernels, with its unit and its consequence.

Lengths are relative: a kernel multiplies them by the size of the data that they judge. "touch" is the contact tolerance
[length] of `contact_tolerance`; "slack" and "loose" are the rounding [length] of the coordinates of a query.
Numbers of columns, sizes of work arrays and the constants of formulas stay in their files.
"""

import math

# Everywhere.

EPS = 2.220446049250313e-16  # spacing of float64 at 1

# Rounding of one pose, one chart and one projection, in units of EPS times the coordinates that went in. Features are
# widened by this much, so a hit is never missed or late. It is also how early a head-on hit may be reported.
ROUNDING = 16.0

# The same as a share of the coordinates.
GRAIN = ROUNDING * EPS

# Factor on that widening for bounds in float32: its spacing at 1 in units of EPS.
SINGLE_WIDENING = 2.0**29

# Length that is added to it: float32 rounds what is smaller to 0.
SINGLE_LEAST = 1e-37

# Replaces a divisor (a speed, an angular rate) that is 0 [any unit]. The quotient becomes huge, not NaN.
LEAST_DIVISOR = 1e-300

# Contact tolerance as a share of the mover's diagonal: touching shallower than this is contact, deeper is overlap. It
# decides what rests, not when things meet. It is at least so many times the rounding above: what rounding moves must
# still rest.
TOUCH_SIZE = 1e-9
TOUCH_ROUNDING = 4.0
TOUCH_AWAY = 8.0  # the same for the rounding of poses, in units of EPS times the distance from the origin

# Rounding that is more than this share of the mover's diagonal leaves nothing to rest on: touching is then a hit.
LOOSE = 1e-3

# Contact tolerance that is more than this share of the mover's diagonal, because it is far from the origin: the same.
COARSEST = 0.011

# Poses.

# A 3x3 matrix whose rows differ from perpendicular unit vectors by less is a rotation, rounded; more is refused.
RIGID = 1e-3

# A rounded rotation that is off by less is taken as it is; more is replaced by the nearest rotation.
EXACT_ROTATION = 1e-12

# Rounds that find the nearest rotation: from RIGID to less than EPS.
POLAR_ROUNDS = 3

# Most that a number in the last row of a pose may differ from 0 0 0 1.
LAST_ROW = 1e-9

# A shape farther from its origin than this many times its size is stored relative to its center.
FAR_AWAY = 4.0

# base: blocks, nearest points, inside or not.

# Rounds of a selection with the median of three as pivot. After them the range of values is halved instead, which ends.
PIVOT_ROUNDS = 48

# Steps an entry, on average, after which a hash table gives up. A good hash takes less than one.
MOST_PROBES = 16

# Square of the sine of the angle below which two segments are parallel: the search then begins at an end.
SEGMENTS_PARALLEL_SQ = 1e-24

# A ray that passes nearer to an edge is not counted, and another direction is tried: a share of the face's size, or of the
# distances of the edge's ends from the ray (`inside.crossing`). More than rounding does.
RAY_NEAR_EDGE = 1e-14

# Directions that are tried for one point. After them the point is UNSURE.
RAY_TRIES = 6

# The same where nothing but the winding number decides.
MOST_RAY_TRIES = 64

# Square of the sine of a triangle's angle below which its normal has too few digits for the distance of a point.
NEEDLE_SQ = 1e-2

# Square of the height of a triangle as a share of the squares of two sides: at least its rounding.
HEIGHT_ROUNDING = 1e-28

# A face is farther than a bound if the square of its plane's height exceeds the bound by this factor, and by this share of its
# sides and the distance of its corner: more than the rounding of the height, (8 EPS)**2 / 1e-6.
PLANE_FARTHER = 1.000004
PLANE_ROUNDING = 1e-23
# Angle [radians] below which a motion grazes a surface, and features are parallel: the time of contact then has no derivative.
LEAST_ANGLE = 1e-6

# Angle [radians]: flat faces that leave no wider gap around a point surround it. More than rounding does.
GAP_AROUND = 1e-3

# Distance [touch] within which a face counts as being at a contact, and beyond which it rises above a plane there.
AROUND_CONTACT = 4.0

# Faces of a part that are tested for being inside another body: the greatest number. More are sampled.
PART_SAMPLES = 32

# Parts of a body beyond which only those near the other body's box are tested.
MANY_PARTS = 64

# Depth below a face at which its own body is sampled: first share of the face's size, and factor of each further step.
SAMPLE_DEPTH = 0.1

# Depth [touch] at which this sampling ends. A thinner body than that has no inside to test.
LEAST_SAMPLE_DEPTH = 4.0

# ray: rays and moving balls.

# Share of EPS of both products of an edge function, below which their rounding may hide its sign: more than rounding does.
EDGE_DOUBT = 4.0

# charts: bounds in which groups of faces are compared.

# Steepest slope (along / across) for which a patch has a sloped bound; steeper patches have their box alone.
STEEPEST = 20.0

# Angle [radians]: a face that is seen wider from the axis is charted as the whole circle.
WIDEST_FACE = 1.5

# A face nearer to the axis than this many of its widening is charted as the whole circle.
AXIS_WIDENINGS = 2.0

# A box that comes nearer to the axis than this share of its side is charted as the whole circle.
NEAR_AXIS = 1e-3

# Tangent of an angle below which the tangent itself bounds the angle; above it the arc tangent is computed.
SMALL_TANGENT = 0.25

# Factor on that arc tangent, more than its rounding: the bound stays a bound.
ARC_TANGENT_MARGIN = 1.000000000001

# Sine of the angle below which two edges are too parallel to span a useful plane; for `predict` its square.
EDGES_PARALLEL = 1e-8
EDGES_PARALLEL_SQ = 1e-16

# Longest step [radians] with a plane that two edges span.
SPANNED_STEP = 1.0

# Rounds in which such a step is made longer, and the least factor by which one must make it longer for the next to be tried.
SPANNED_ROUNDS = 5
SPANNED_GAIN = 1.25

# contact: two faces, and whether their contact counts.

# Steps of two thick faces that move straight. Each at least halves what is left, so 2**-64 of the gap remains.
STRAIGHT_STEPS = 64

# Slope of a distance below which rounding hides whether it falls or grows: more than the root of EPS.
LEVEL = 1e-7

# Steps that find the lowest place of a convex function: each leaves two thirds, and half in the search for a crossing.
LOWEST_STEPS = 60

# Steps of two faces about an axis. A bound, not a budget: a dozen is usual.
TURN_STEPS = 100000

# Path [gap left] below which a step is not better than what speed alone allows. The direction between faces that nearly touch
# has few digits; planes along their edges are then tried.
NO_PROGRESS = 2.0

# Steps until smaller bodies meet: ten are usual. After them they count as meeting.
MEET_STEPS = 1000

# Planes that are tried as the support of a whole mover before it counts as having none.
MOST_SUPPORTS = 4

# Bodies that press are made less and less small, by this factor, so many times, down to so many [slack].
SMALLER_STEP = 4.0
MOST_SMALLER = 40
LEAST_SMALLER = 16.0

# Factor on the way back from meetings of smaller bodies to where they press: the result is early rather than late. The least
# factor by which steps on that way become shorter: that of depth that grows as the fourth power of the travel, or less.
LEAD_BACK = 1.5
SLOWEST_LEAD = 1.4

# Distance [touch] beyond which what touched has left. What comes back then lands, which is a hit.
HAS_LEFT = 2.0

# Distance [touch] that a point may move across a plane and still count as sliding along it.
HAS_SLID = 4.0

# Depth [touch] that a motion may end with and be free. Ways out of neighboring contacts differ by WAY_DOUBT: faces that are
# moved apart along them are widened by as much, so that nothing passes between faces that are moved in different directions.
FREE_DEPTH = 1.001
WAY_DOUBT = 0.002

# The same for motions that turn, whose faces are not widened.
TURN_DEPTH = FREE_DEPTH + 2.0 * WAY_DOUBT

# Depth [touch] that is an overlap at the start. A free motion never ends with it, whatever rounding does.
OVERLAP_DEPTH = 1.01

# Depth [touch] up to which a contact that does not become deeper along the way out is harmless. It is more than an overlap,
# because the way out is not the shortest one where several faces meet.
PARTING_DEPTH = 2.0

# Depth [touch] that a motion adds to a contact at most if all faces around must be clear, and the least speed against the way
# out [share] with which it does: a way out at a corner has few digits.
SINKS_A_LITTLE = 4.0
PRESSES = 1e-3

# Distance [touch] from a contact within which a face continues another, and the cosine of the angle between two faces above
# which one does.
WAY_AROUND = 16.0
CONTINUES = 0.8

# A way out whose cosine with a normal of the two faces is nearer to 1 than this is that normal.
NEARLY_EXACT = 1e-5

# A face with a radius that meets a point with the speed v [share] goes radius * v * v / 2 deeper. If that is half of this many
# [touch], it surely sinks in.
SURELY_SINKS = 8.0

# Path [touch] after the first contact at which the way out of it is looked for: then the faces lie over each other, not side
# by side.
WAY_LATER = 16.0

# Depth [touch] by which bodies are made smaller to find the way out of a contact, and the share of the shortest edge at a
# vertex by which that vertex moves at most.
WAY_DEPTH = 4.0
INWARD_SHARE = 0.25

# Share of 1 by which a move of 1 behind a plane may fall short of it: more than rounding does.
INWARD_MARGIN = 1e-6

# Longest move of a vertex of a body that is made smaller by 1: an edge or a tip that is sharper stays, and contact counts.
MOST_INWARD = 4096.0

# Depth [touch] inside a body at which it is tested that a vertex moved inwards, and at least TOUCH_SIZE of the body. A thinner
# body is not made smaller.
INWARD_DEPTH = 2.0

# Distance [touch] from a contact at which it is tested on which side of a sheet the other body is.
SIDE_LOOK = 256.0

# Share of the distance from a sheet that a point must be above or below it to be on a side. Less is beyond its border.
SIDE_SHARE = 0.1

# Distance [slack] within which it is unknown on which side of a common plane the mover is. Contact that a sweep reports is
# more than this on the near side.
SIDE_UNKNOWN = 0.1

# Distance [touch] that a mover must reach above a plane to be above it.
CLEARLY_ABOVE = 16.0

# Share of the fastest speed: rates that differ by less are equal. The first place of equals is reported.
EQUAL_RATES = 1e-9

# Directions are equal if their cosine is nearer to 1 than this.
EQUAL_DIRECTIONS = 1e-9

# predict: pairs of moving bodies.

# Steps of one pair of bodies. A bound, not a budget: ten to a hundred are usual. After them the pair counts as meeting.
PREDICT_STEPS = 400000

# Distance that counts as contact, as a share of the smaller body's size: at least this.
PREDICT_TOUCH = 1e-12

# A step that moves groups less far than this share of the larger group's size is not worth it: the group is opened.
STEP_WORTH = 0.03

# Angle [radians] of both turns together below which windows of time are halved no further, and the most halvings.
NARROW_WINDOW = 0.6
WINDOW_HALVINGS = 6

# Angle [radians] beyond a full turn that is still searched: more than rounding does.
PERIOD_MARGIN = 1e-9

# Contact this many EPS past the end of the horizon counts.
PAST_END = 4.0

# Longest step [radians of both turns together]: bounds of bends hold for that long.
LONGEST_SPAN = 0.5

# Share of that step for a plane that rolls along two edges: its bound grows faster.
ROLL_SHARE = 0.25

# Square of the sine below which edges of two boxes are too parallel for an axis across both. Other axes then separate.
BOX_EDGES_PARALLEL_SQ = 1e-6

# A body whose middle is nearer to its axis than this share of its lever has no direction: any is taken.
MIDDLE_ON_AXIS = 1e-12

# A unit axis with a first coordinate below this is far enough from x to be crossed with it.
FAR_FROM_X = 0.6

# Share of the reach that is added to it: more than any default tolerance.
REACH_MARGIN = 1e-6

# fan: fans, and boxes that swing.

# Things nearer to a fan than this share of its size touch it. More than rounding does, less than matters.
FAN_TOUCH = 1e-12

# Steps to the least of a convex function along a segment. What is undecided after them is a hit.
ARC_STEPS = 60

# Pieces of a segment that may wait to be halved. One more would be a hit.
ARC_PIECES = 64

# The same for pieces of a fan against a fan, and how many are tested in all before it is a hit.
FAN_PIECES = 128
FAN_BUDGET = 400_000

# Widest first piece of a fan [radians], and the excess in pieces that needs no further one.
FIRST_PIECE = 0.5 * math.pi
FIRST_PIECE_MARGIN = 1e-9

# A coordinate of a unit ray is at least this, never 0: a ray along an edge then counts as inside.
LEVEL_RAY = 1e-200

# Share of the greatest distance within which a face touches the axis.
FACE_ON_AXIS = 1e-13

# Directions [radians] nearer than this are one, when it is decided whether they are opposite to a third.
ONE_DIRECTION = 1e-9

# A shape nearer to the axis than this many times its rounding has no known angles: it takes the whole circle.
UNKNOWN_ANGLES = 4.0

# Widening [loose] of the planes that an entered point must be between, and of those at the start. The planes that are
# entered are widened by one: what enters is then also inside.
CHECKED_LOOSE = 2.0
START_LOOSE = 3.0

# Steps of a ball against a tilted box: 3 are usual, 85 were the most in half a million grazes. What is that near after so
# many is contact.
TILTED_STEPS = 10_000

# Angles [radians] nearer than this are one crossing of a plane.
ONE_CROSSING = 1e-13

# picture: images of depth.

# Columns [pixels] from which on a face is drawn in spans.
SPAN_COLUMNS = 3

# A face is drawn in spans only if its area is more than 1 / this of its box's diagonal, squared.
SLIVER = 64.0

# Doubt about the ends of a span, in EPS times the coordinates; and the most doubt [pixels] with which spans are used.
SPAN_DOUBT = 8.0
MOST_SPAN_DOUBT = 0.25

# Share of a rod that is added at both ends of the part near a cell: more than rounding does.
ROD_MARGIN = 1e-9

# Image rows and columns: what lies nearer to a pixel's center is judged by the center's own coordinates.
NEAR_CENTER = 1e-9

# Share of a rod's size: where its barrel meets its balls, within this both are used.
ROD_SEAM = 1e-9

# Halvings of the circle at first, and at most, when a circle meets a barrel. A piece that is undecided after them is a miss.
FIRST_HALVINGS = 3
ROOT_HALVINGS = 40

# Newton's steps to one such root.
ROOT_STEPS = 60

# Crossings of one circle beyond which they are not sorted by insertion.
INSERTION_SORTED = 24

# Balls in the chain that holds a rod: the greatest number. A longer chain has wider balls.
MOST_BALLS = 256

# Share of a rod's length by which its chain is denser than it must be.
CHAIN_MARGIN = 1e-9

# Equal parts of the circle in which the widest gap is searched.
GAP_BINS = 4096

# Points of a surface that are tested for being inside something, the greatest number; and more where a back is seen.
INSIDE_SAMPLES = 144
BACK_SAMPLES = 64

# Share of a pixel's size: no surface counts as flatter than this.
FLATTEST = 1e-7

# Determinant, in pixels to the fourth, below which the pixels lie in a line and no plane is fitted.
FIT_SPREAD = 1e-9

# voxel: volumes.

# A center nearer than this [voxels] below a face belongs to the voxel above it. Faces nearer than this along a ray are one.
TIE = 1e-9

# Widening [voxels] of what is compared as a whole: far more than rounding and ties.
VOXEL_MARGIN = 1e-6

# Widening [voxels] of a cube's own reach: more than rounding.
CUBE_MARGIN = 1e-9

# Lines that drift apart by less than this [voxels per voxel] are compared as words.
NEARLY_ALIGNED = 0.05

# A word is tested voxel by voxel if it has this many times more places than voxels.
WORD_HOLES = 1.8

# Longest run [voxels], for lines that never leave a cell.
LONGEST_RUN = 1e9

# Words of bundles beyond which testing them costs more than testing the brick itself.
MOST_BUNDLES = 48

# If more than one in so many bundles may share something, whole rows are faster.
ROW_BUNDLES = 4

# Share of the sizes and distances that the reach of a motion into a volume is widened by: more than rounding does.
VOLUME_ROUNDING = 1e-12

# What is left of a ray's light when nothing behind can be seen any more: a fortieth of a step of 8-bit colors.
UNSEEN = 1e-4

# Rate of a voxel that is fully opaque: after any length that floats resolve, nothing is left.
SOLID = 1e300

# files: numbers, and polygons that are cut into triangles.

# Share of the remainder of a quotient: far more than its rounding.
NUMBER_DOUBT = 1e-13

# Share of the square of a polygon's size: a triangle of no more area is flat, whichever way it turns. More than rounding does.
POLYGON_FLAT = 1e-12

# Share of the square of a polygon's size: one of no more area may cross itself, because its coordinates were rounded.
POLYGON_SLIVER = 1e-5

# Corners looked at while ears are cut off, for all polygons of a file: about a second. More are refused.
POLYGON_STEPS = 300_000_000


def contact_tolerance(asked: float, size: float, away: float) -> float:
    """Return the contact tolerance [length]: the one formula, for kernels (`base.bodies.touch_of`) and for Python.

    asked: the scene's tolerance; below 0 it is the default, a share of `size` [length]: the movers' diagonal and the margin.
    away [length]: the farthest coordinate from the origin. It is rounded, and what rounding moves must still touch.
    """
    touch = asked if asked >= 0.0 else TOUCH_SIZE * size
    return max(touch, TOUCH_AWAY * EPS * away)


ALMOST_THERE = 0.999
"""Share of a free motion after which a mover that touches from the inside is looked at: at its end it may be in contact."""

# Hierarchy of bodies.

# World boxes that are longer than this times the median length of all get groups of their own. It decides speed only.
LARGE_BOX = 8.0

# near: contacts.

# Sine of the angle by which the edges at a vertex, or the faces at an edge, may rise towards the other body and the place still
# be one of contact: a box that is tilted a little rests on all its lower corners.
CONTACT_TILT = 0.1

# The same where a place must be the nearest one, to rounding.
CONTACT_EXACT = 1e-6

# Square of the sine below which two edges do not cross: the places at their ends count instead.
CONTACT_CROSSING_SQ = 1e-12

# Square of the sine between two normals below which faces are in one plane: no contact lies at an edge between them.
CONTACT_FLAT_SQ = 1e-18

# Share of a face or an edge by which a place may lie beyond its border: more than rounding does.
CONTACT_SEAM = 1e-12

# Cosine of the angle between two normals above which their contacts are in one patch.
CONTACT_PATCH = 0.95

# Share of the smaller body's diagonal within which two contacts are one, and share of a patch's length by which a contact must
# widen it to be kept.
CONTACT_MERGE = 1e-6
CONTACT_WIDENS = 1e-3

# Share of the larger one within which two lengths are equal. Of contacts that are equally far, the deeper one is kept.
CONTACT_EQUAL = 1e-6

# robot: free or not, and motions of joints.

# Two faces clearly go through each other if an edge ends farther than this share of the bodies' sizes on both sides of the
# other face, and passes it farther inside than this share of its height. Less is decided by the test of the sweep.
CLEARLY_THROUGH = 1e-6
CLEARLY_INSIDE = 1e-6

# A hit of joints is followed until its bodies are so near, as a share of the ball around one of them. It is also how early a
# head-on hit of several joints is reported.
MOTION_HIT = 1e-12

# Square of the gap of two faces, as a share of the squares of their edges, below which the direction from one to the other is
# too inexact to separate them. Planes along two of their edges are tried then.
MOTION_EDGES_SQ = 1e-12
