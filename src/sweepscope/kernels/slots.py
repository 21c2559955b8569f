"""Slots: one row for each body that takes part in a query, movers first. Which column holds what."""

from .chart import PLACE

# rows, whole numbers
BODY = 0  # row among the scene's bodies; -1: empty, takes no part
SHAPE = 1
NODES = 2  # first row of its chart boxes
BLOCKS = 3  # first entry of its laid out blocks
SLOT_INTS = 4

# slots, reals: the placement in the chart comes first
WIDE = PLACE  # radius + slack: how far its bounds are widened
SLACK = PLACE + 1  # rounding of its coordinates in the chart
THICK = PLACE + 2  # its radius; of a mover the margin too
REACH = PLACE + 3  # of an obstacle: how much of the travel can matter, until every mover is past it
SLOT_REALS = PLACE + 4
