"""First contact of two faces thickened by a radius: advancement on a convex function.

While a face moves straight, its distance from another is a convex function of travel: its tangent lies below it. Stepping to
where the tangent reaches the radius is therefore never late, and converges as Newton's method does. The steps start at the
lower bound of `sharp.stretch`. Grazing contact converges more slowly; each step at least halves what is left.
"""

import math

from ._jit import step
from .chart import carry_face
from .closest import closest
from .tolerances import MOST_STEPS

INF = math.inf


@step
def advance(mover, mover_rank, obstacle, obstacle_rank, thick, slack, start, limit):
    """Return (travel, normal u, v, w) at which the distance comes down to thick + slack; infinite if not before limit.

    The faces must be further apart than that at `start`. The normal points from the obstacle to the mover.
    """
    t = start
    nu = 0.0
    nv = 0.0
    nw = -1.0
    reach = thick + slack
    for _ in range(MOST_STEPS):
        gap_sq, p, q, _, _ = closest(carry_face((), t, mover), mover_rank, obstacle, obstacle_rank)
        gap = math.sqrt(gap_sq)
        if gap > 0.0:
            nu = (p[0] - q[0]) / gap
            nv = (p[1] - q[1]) / gap
            nw = (p[2] - q[2]) / gap
        if gap <= reach:
            return t, nu, nv, nw
        if nw >= 0.0:
            return INF, nu, nv, nw
        # Aim at the middle of the slack, so that rounding cannot keep the last step just outside it.
        t += (gap - thick - 0.5 * slack) / -nw
        if t >= limit:
            return INF, nu, nv, nw
    return t, nu, nv, nw
