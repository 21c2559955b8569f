"""The first value that a kernel returns. After ASK, `call_kernel` (world.py) finds the parts of the shape and calls again."""

FREE = 0
HIT = 1
OVERLAP = 2  # at the start they cross, or one is inside the other
ASK = 3  # the kernel needs the parts of a shape (second value), which are not known yet
SHALLOW = 4  # touching from the inside
BLIND = 5  # the mover covers no pixel's center
NOTHING = 6  # nothing in the view: no mask was drawn
