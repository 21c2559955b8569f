"""What a judge may say of two faces instead of a travel."""

CROSSING = -1.0  # they overlap at the start
UNKNOWN = -2.0  # whether a body is closed must be known first
HELD = -3.0  # excused, by a plane that the mover stays above as a whole
AGAIN = -4.0  # to be walked again, with the planes found
