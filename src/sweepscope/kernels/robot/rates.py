"""How fast joints move in a piece of a motion, and how far that can bring the bodies that they carry.

A motion is a polynomial for each number of a configuration, over pieces of time of length 1. In an interval its derivatives are
at most what its Taylor series about the middle gives. A point at distance r from the axis of a joint moves by at most r times
the turn. Its acceleration is at most the sum, over all joints k of the way, of w_k r_k (w_k + 2 sum of w_j) + a_k r_k: w and a
are rates of joints and of those rates, j are the joints between k and the body that it is seen from (Schwarzer, Saha, Latombe
2005, for the first bound). Degenerate cases: joints that do not move count nothing.
"""

import math

import numpy as np

from .._jit import inline, step
from .._memory import local
from .layout import (
    BALL,
    COLUMN,
    CONSTANT,
    DEPTH,
    FACTOR,
    JOINT,
    KIND,
    MOST_DEGREE,
    OFF_AXIS,
    OFF_ORIGIN,
    ORIGIN,
    SLIDES,
    TURNS,
)

RATE = 0  # most change of a joint's value in a unit of time
BEND = 1  # most change of that
SPAN = 2  # most distance of the value from 0
RATES = 3

_series = local(np.float64, MOST_DEGREE + 1)


@inline
def configuration(coefficients, row, degree, u, q):
    """Write the configuration at time u of a piece, whose coefficients begin at a row: constant first."""
    for c in range(len(q)):
        x = coefficients[row + degree, c]
        for i in range(degree - 1, -1, -1):
            x = x * u + coefficients[row + i, c]
        q[c] = x


@step
def set_rates(model, coefficients, row, degree, lo, hi, rates):
    """Write the rates of all joints between two times of a piece."""
    ints, reals = model.joint_ints, model.joint_reals
    middle, half = 0.5 * (lo + hi), 0.5 * (hi - lo)
    series = _series()
    for k in range(len(ints)):
        column = ints[k, COLUMN]
        if column < 0:
            rates[RATE, k] = rates[BEND, k] = 0.0
            rates[SPAN, k] = abs(reals[k, CONSTANT])
            continue
        for i in range(degree + 1):
            series[i] = coefficients[row + i, column]
        for i in range(degree):
            for j in range(degree - 1, i - 1, -1):
                series[j] += middle * series[j + 1]
        rate, bend, power = 0.0, 0.0, 1.0
        for i in range(1, degree + 1):
            rate += i * abs(series[i]) * power
            if i < degree:
                bend += (i + 1) * i * abs(series[i + 1]) * power
            power *= half
        factor = abs(reals[k, FACTOR])
        rates[RATE, k] = factor * rate
        rates[BEND, k] = factor * bend
        rates[SPAN, k] = abs(reals[k, CONSTANT] + reals[k, FACTOR] * series[0]) + factor * rate * half


@step
def set_reach(model, rates, reach):
    """Write how far points of each piece may move in a unit of time, by each joint on the way to it and those beyond."""
    ints, reals, pieces = model.joint_ints, model.joint_reals, model.piece_ints
    most = len(model.paths) // len(ints)
    for k in range(len(pieces)):
        joint = pieces[k, JOINT]
        ball = model.piece_reals[k, BALL]
        axis, origin = model.piece_reals[k, OFF_AXIS] + ball, model.piece_reals[k, OFF_ORIGIN] + ball
        total = 0.0
        depth = ints[joint, DEPTH]
        reach[k, depth] = 0.0
        for d in range(depth - 1, -1, -1):
            row = model.paths[joint * most + d]
            slide = 0.0
            if ints[row, KIND] == TURNS:
                total += rates[RATE, row] * axis
            elif ints[row, KIND] == SLIDES:
                total += rates[RATE, row]
                slide = rates[SPAN, row]
            reach[k, d] = total
            x, y, z = reals[row, ORIGIN + 9], reals[row, ORIGIN + 10], reals[row, ORIGIN + 11]
            axis = math.sqrt(x * x + y * y) + slide + origin
            origin = math.sqrt(x * x + y * y + z * z) + slide + origin


@inline
def _turns_of(model, rates, joint, shared):
    """Return how fast the joints on the way to one, behind the first `shared`, turn together."""
    most = len(model.paths) // len(model.joint_ints)
    total = 0.0
    for d in range(shared, model.joint_ints[joint, DEPTH]):
        row = model.paths[joint * most + d]
        if model.joint_ints[row, KIND] == TURNS:
            total += rates[RATE, row]
    return total


@inline
def stray(model, work, moment, seen_from, k, shared, time):
    """Return how far points of piece k may be from their chords in some time from a moment on, seen from a joint.

    shared: how many joints on the way to both carry both.
    """
    ints, rates, frames = model.joint_ints, work.rates, work.frames
    joints, pieces = len(ints), len(model.piece_ints)
    most = len(model.paths) // joints
    joint = model.piece_ints[k, JOINT]
    row = moment * pieces + k
    x, y, z = work.middles[row, 0], work.middles[row, 1], work.middles[row, 2]
    inner = time * (_turns_of(model, rates, joint, shared) + _turns_of(model, rates, seen_from, shared))
    path, twist, ball = 0.0, 0.0, model.piece_reals[k, BALL]
    own, others = ints[joint, DEPTH] - shared, ints[seen_from, DEPTH] - shared
    for n in range(own + others):
        # From the piece inwards, then outwards to the joint that it is seen from.
        if n < own:
            i = model.paths[joint * most + shared + own - 1 - n]
        else:
            i = model.paths[seen_from * most + shared + n - own]
        change, more = time * rates[RATE, i], time * time * rates[BEND, i]
        if ints[i, KIND] == TURNS:
            f = moment * joints + i
            u, v, w = x - frames[f, 9], y - frames[f, 10], z - frames[f, 11]
            a, b, c = frames[f, 2], frames[f, 5], frames[f, 8]
            p, q, r = b * w - c * v, c * u - a * w, a * v - b * u
            far = math.sqrt(p * p + q * q + r * r) + ball + path
            inner -= change
            twist += far * (change * (change + 2.0 * max(inner, 0.0)) + more)
            path += min(change, 2.0) * far
        elif ints[i, KIND] == SLIDES:
            twist += 2.0 * change * max(inner, 0.0) + more
            path += change
    return 0.125 * twist
