"""Capsules of the plane against each other by the thesis' distance of two segments (Yamamoto 2023, 2.9.5).

The results are those of `compared_volumes`. The thesis does not say how it tests two capsules; its own distance is one way, and
the one that its test of a fan and a capsule takes twice.
"""

from ._jit import kernel
from .fan_published import segment_segment_sq


@kernel
def pairs_capsules_2d(p0, p1, radii, q0, q1, other_radii, out):
    """Write whether capsules (n, 2), (n, 2), (n,) meet."""
    for i in range(len(out)):
        reach = radii[i] + other_radii[i]
        first, second = ((p0[i, 0], p0[i, 1]), (p1[i, 0], p1[i, 1])), ((q0[i, 0], q0[i, 1]), (q1[i, 0], q1[i, 1]))
        out[i] = segment_segment_sq(first[0], first[1], second[0], second[1]) <= reach * reach


@kernel
def one_capsules_2d(p0, p1, radii, q0, q1, other_radii, out):
    """Write whether one capsule meets capsules (n, 2), (n, 2), (n,)."""
    start, end = (p0[0, 0], p0[0, 1]), (p1[0, 0], p1[0, 1])
    for i in range(len(out)):
        reach = radii[0] + other_radii[i]
        out[i] = segment_segment_sq(start, end, (q0[i, 0], q0[i, 1]), (q1[i, 0], q1[i, 1])) <= reach * reach
