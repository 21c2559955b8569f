"""Slots: one row for each body that takes part in a query, movers first. Names are columns."""

from .straight import PLACE

# slot_ints
BODY = 0  # its body row; -1: empty, takes no part
SHAPE = 1
NODES = 2  # first row of its chart boxes
SLOT_INTS = 3

# slots: first the placement in the chart, then
WIDE = PLACE  # radius + slack: how far its bounds are widened
SLACK = PLACE + 1  # rounding of its coordinates in the chart
THICK = PLACE + 2  # its radius; for a mover also the margin
REACH = PLACE + 3  # for an obstacle: the part of the travel that can matter, until every mover is past it
SLOT_REALS = PLACE + 4
