"""What the test of two faces takes: the question that they belong to, and the two faces."""

from typing import Any, NamedTuple

import numpy as np

from .. import layout as at
from .._jit import inline
from .._memory import local
from ..base.walk import SLOTS
from ..charts.slots import BODY
from ..layout import Geometry

Array = np.ndarray[Any, Any]


class Case(NamedTuple):
    """One question, laid out in its chart. Movers are the first slots."""

    geometry: Geometry
    mover_poses: Array  # of movers, in the order of their slots
    poses: Array  # of all bodies of the world
    slots: Array
    slot_ints: Array
    pairs: Array  # pairs of bodies that may meet: see `walk`
    planes: Array  # for each pair: see `planes`
    moves: Array  # for each point that is laid out: see `way_out`
    chart_params: Any
    touch: float  # contact tolerance [length]
    limit: float  # travel of the whole motion
    resting_hits: bool  # resting counts as a hit


class Two(NamedTuple):
    """Two faces, the mover's first; each field has one item for each."""

    pair: int  # which row of `Case.pairs`
    slots: tuple[int, int]
    shapes: tuple[int, int]
    faces: tuple[Any, Any]  # in the chart, 9 numbers each
    ranks: tuple[int, int]
    numbers: tuple[int, int]  # in block order
    rows: tuple[Any, Any]  # of their corners among all points that are laid out


two_poses = local(np.float64, 2, at.POSE)


@inline
def poses_of(case, pair, out):
    """Write the poses of the two bodies of a pair to two rows."""
    a = case.pairs[pair, SLOTS]
    b = case.slot_ints[case.pairs[pair, SLOTS + 1], BODY]
    for c in range(at.POSE):
        out[0, c] = case.mover_poses[a, c]
        out[1, c] = case.poses[b, c]
