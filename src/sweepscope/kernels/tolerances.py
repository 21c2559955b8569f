"""Every number that decides a branch, with its unit and what follows from it.

All of them are relative: they are multiplied by the size of the data they judge.
"""

EPS = 2.220446049250313e-16  # spacing of float64 at 1

# Rounding of one pose, one chart and one projection, in units of EPS times the coordinates that went in. Features are
# widened by this much, so a hit is never missed or late; it also is how early a head-on hit may be reported.
ROUNDING = 16.0

# Contact tolerance as a share of the mover's diagonal: touching shallower than this is contact, deeper is overlap. It
# decides what rests, not when things meet. It is never less than so many times the rounding above: what rounding moves
# must still rest.
TOUCH_SIZE = 1e-9
TOUCH_ROUNDING = 4.0
TOUCH_AWAY = 8.0  # the same for the rounding of poses, in units of EPS times the distance from the origin

# Rounding that is more than this share of the mover's diagonal leaves nothing to rest on: touching is then a hit.
LOOSE = 1e-3

# Steepest slope (along / across) for which a patch keeps a sloped bound; steeper patches keep their box alone.
STEEPEST = 20.0

# Advancement stops after this many steps; each at least halves what is left, so 2**-64 of the gap remains.
MOST_STEPS = 64

# Things nearer to a fan than this share of its size touch it. More than rounding does, less than matters.
FAN_TOUCH = 1e-12
