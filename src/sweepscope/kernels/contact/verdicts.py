"""What a judge may return for two faces instead of a travel."""

CROSSING = -1.0  # they overlap at the start
HELD = -3.0  # excused: the whole mover stays above a plane
