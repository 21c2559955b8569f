"""The first value that a kernel returns, and the status of a row of answers."""

FREE = 0
HIT = 1
OVERLAP = 2  # at the start they cross, or one is inside the other
FULL_SCRATCH = 3  # the row needs more scratch, and is not answered
SHALLOW = 4  # touching from the inside
BLIND = 5  # the mover covers no pixel's center
NOTHING = 6  # nothing in the view: no mask was drawn

# How two bodies overlap, where that is asked for.
CROSSES = 7  # each has something outside the other
FIRST_INSIDE = 8
SECOND_INSIDE = 9
SAME = 10  # each is inside the other
