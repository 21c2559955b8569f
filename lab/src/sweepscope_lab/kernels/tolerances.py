"""Numbers that decide a branch in the laboratory's kernels, with unit and consequence. The library has its own."""

# Share of the sizes by which each axis of an OBB test is widened: axes that are nearly parallel need it.
PARALLEL = 1e-12

# Squared length [length^2] that replaces 0, so that nothing is divided by zero.
NO_LENGTH_SQ = 1e-300

# Angle [radians]: a pose nearer to an end of its interval is tested as it stands.
POSE_UNSURE = 1e-7

# Rows of a lattice are cut wider than the fan by this [length, radians]. Every point left is tested as it stands.
ROW_MARGIN = 1e-6

# A row whose distance along the axis changes less than this per step counts as level, and is cut with a margin [length].
LEVEL_ROW = 1e-12
LEVEL_ROW_MARGIN = 1e-9

# The same for its squared distance from the axis [length^2].
AXIAL_ROW = 1e-12
AXIAL_ROW_MARGIN_SQ = 1e-3

# Two faces that meet in a pixel are one surface within this share of the view's depth.
ONE_SURFACE = 1e-9
