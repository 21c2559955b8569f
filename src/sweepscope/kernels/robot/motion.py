"""Where a robot that moves all its joints meets something first, or whether it meets anything.

The motion is divided until each pair of bodies is proved to stay apart in each interval (`passing`). Pairs that are not are
tested again in both halves. Where two faces that cannot be separated are nearer than the accuracy at the begin of an interval,
that is a hit: everything before is proved. A first contact is searched in the order of time. Whether there is any is searched
with long intervals first, and with a test at the middle of each: a collision there ends the search.

Pairs that are nearer than the accuracy from the start on are followed alone until they have separated. They are hit if they
overlap meanwhile by more than the accuracy: `_depart`. Schwarzer, Saha, Latombe (2005) for the bisection.
Degenerate cases: bodies inside others have no faces that meet; they are found at the start. Error: the accuracy.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from .. import layout as at
from .._jit import cold, inline, step
from .._memory import INDICES, REALS
from ..base.closest import closest
from ..base.faces import local_face, rank_of
from ..base.hierarchy import near_bodies
from ..base.walk import FULL, NEXT
from ..statuses import FREE, HIT, OVERLAP
from ..tolerances import GRAIN, MOTION_HIT
from .apart import APART, first_near, placed, relate, relation_space
from .free import is_idle
from .layout import ALONE, BALL, DEPTH, JOINT, OBSTACLE, ONE, OTHER, SHAPE, SHARED
from .passing import LONG, NEAR, STAYS_APART, stay_apart
from .rates import configuration, set_rates, set_reach, stray
from .work import (
    ENDLESS,
    MOMENTS,
    ball_beside,
    balls_apart,
    is_nested,
    may_hit,
    overlaps,
    place_all,
    thickness,
    touch_at,
)

INF = math.inf
Array = np.ndarray[Any, Any]

# Pairs of bodies that may meet: the first stands still, or is a piece too; the second is a piece that moves.
FIRST = 0  # body row, or piece
SECOND = 1  # piece
DEEP = 2  # how many joints carry both; -1: the first is a body of the world
_STATE = 3
PAIR = 4
FAR = -1
_USUAL = 0
_DEPARTING = 1  # nearer than the accuracy at the start
_STANDING = 2  # they stand still

# Pairs that are asked in an interval, and two faces of each that were not separated before; -1: none.
ASKED = 3

# Intervals
_LO = 0
_HI = 1
_BEGIN = 2  # where its pairs begin
_COUNT = 3
INTERVAL = 4

_VISITS = 6.0  # a proof may take so many steps,
_MORE_VISITS = 16.0  # and so many divided by the square of the interval's length: it grows faster than the work is spread
_COARSE = 0.1  # a proof is not tried if points may be so many radii of their ball away from their chords
_AHEAD = 64.0  # a hit is followed for so many times the least time in which its bodies could touch
_MOST_JUMPS = 16  # of a hit that is followed
_LEFT = 0.001  # share of a gap that a jump leaves
_GLANCE = 0.25  # the rate of a gap is measured over so many times the least time in which it could close
_MOST_STEPS = 1 << 16  # of a pair that departs

NOTHING = (FREE, 1.0, np.int64(-1), np.int64(-1), np.int64(-1), 0.0)
"""No hit: status, time, pair, face, face, gap."""


class Motion(NamedTuple):
    """Polynomials of a configuration: pieces of length 1, each with degree + 1 rows of coefficients, constant first."""

    coefficients: Array
    row: int  # of the first piece
    degree: int
    pieces: int


class Search(NamedTuple):
    """What is asked, and where the answer is worked out."""

    boxes: Array  # of the world
    motion: Motion
    margin: float
    accuracy: float
    resting_hits: bool
    first: bool  # the first contact is asked for, not only whether there is one
    pairs: Array
    asked: Array
    intervals: Array


@inline
def place_at(model, work, motion, moment, time, piece):
    """Write where the robot is at a time in a piece, as one of the moments."""
    rows = motion.degree + 1
    configuration(motion.coefficients, motion.row + piece * rows, motion.degree, time - piece, work.q)
    place_all(model, work, moment)
    work.times[moment] = time


@inline
def _moment_of(model, work, motion, time, piece, kept, other):
    """Return the moment of a time; if there is none, write it, not over two others."""
    free = 0
    for m in range(MOMENTS):
        if work.times[m] == time:
            return m
        if m not in (kept, other):
            free = m
    place_at(model, work, motion, free, time, piece)
    return free


@inline
def _set_piece(model, work, motion, piece):
    """Write rates and reach of a whole piece."""
    rows = motion.degree + 1
    set_rates(model, motion.coefficients, motion.row + piece * rows, motion.degree, 0.0, 1.0, work.rates)
    set_reach(model, work.rates, work.reach)


@inline
def shapes_of(model, pairs, k):
    a, b = pairs[k, FIRST], pairs[k, SECOND]
    s = model.body_ints[a, at.SHAPE] if pairs[k, DEEP] < 0 else model.piece_ints[a, SHAPE]
    return s, model.piece_ints[b, SHAPE]


@inline
def _speed(work, pairs, k):
    """Return how much nearer the bodies of a pair may come in a unit of time."""
    deep = pairs[k, DEEP]
    if deep < 0:
        return work.reach[pairs[k, SECOND], 0]
    return work.reach[pairs[k, FIRST], deep] + work.reach[pairs[k, SECOND], deep]


@inline
def _ball_gap(model, search, work, k, moment):
    """Return how far the ball of a pair's second body is from that of the first, or from the box of a body of the world."""
    a, b = search.pairs[k, FIRST], search.pairs[k, SECOND]
    row = moment * len(model.piece_ints)
    x, y, z = work.middles[row + b, 0], work.middles[row + b, 1], work.middles[row + b, 2]
    if search.pairs[k, DEEP] < 0:
        boxes = search.boxes
        x = max(max(boxes[0, a] - x, x - boxes[3, a]), 0.0)
        y = max(max(boxes[1, a] - y, y - boxes[4, a]), 0.0)
        z = max(max(boxes[2, a] - z, z - boxes[5, a]), 0.0)
        return math.sqrt(x * x + y * y + z * z) - model.piece_reals[b, BALL]
    x, y, z = x - work.middles[row + a, 0], y - work.middles[row + a, 1], z - work.middles[row + a, 2]
    return math.sqrt(x * x + y * y + z * z) - model.piece_reals[a, BALL] - model.piece_reals[b, BALL]


@inline
def _settle(model, search, work, k, lo, hi, time, i, j, budget):
    """Return (status, face, face): whether a pair stays apart between two moments that are some time apart.

    status: FAR if even their balls do; else as in `passing`.
    """
    a, b, deep = search.pairs[k, FIRST], search.pairs[k, SECOND], search.pairs[k, DEEP]
    gap = _ball_gap(model, search, work, k, lo) + _ball_gap(model, search, work, k, hi)
    if gap > (2.0 * search.margin + _speed(work, search.pairs, k) * time) * (1.0 + GRAIN):
        return FAR, i, j
    pieces = len(model.piece_ints)
    s, t = shapes_of(model, search.pairs, k)
    seen_from = np.int64(0) if deep < 0 else model.piece_ints[a, JOINT]
    far = stray(model, work, lo, seen_from, b, max(deep, 0), time)
    ball = model.piece_reals[b, BALL]  # 0 for a point: its share says nothing
    if ball > search.accuracy and far > _COARSE * ball and budget < ENDLESS:
        return LONG, i, j
    wide = thickness(model, s, t) + search.margin + far
    if deep < 0:
        return stay_apart(
            model.geometry, model.groups, s, model.poses, a, a, t, work.places, lo * pieces + b, hi * pieces + b, wide, i, j,
            budget,
        )  # fmt: skip
    return stay_apart(
        model.geometry, model.groups, s, work.places, lo * pieces + a, hi * pieces + a, t, work.places, lo * pieces + b,
        hi * pieces + b, wide, i, j, budget,
    )  # fmt: skip


@inline
def places_of(model, work, pairs, k, moment):
    """Return the arrays and rows in which the places of a pair are at a moment."""
    pieces = len(model.piece_ints)
    if pairs[k, DEEP] < 0:
        return model.poses, pairs[k, FIRST], work.places, moment * pieces + pairs[k, SECOND]
    return work.places, moment * pieces + pairs[k, FIRST], work.places, moment * pieces + pairs[k, SECOND]


@step
def _gap_of_faces(model, search, work, k, moment, i, j):
    """Return how far two faces of a pair are apart at a moment, less radii and margin."""
    ints, corners = model.geometry.shape_ints, model.geometry.corners
    s, t = shapes_of(model, search.pairs, k)
    ones, a, others, b = places_of(model, work, search.pairs, k, moment)
    m = relation_space()
    relate(ones, a, others, b, m, 0)
    f = placed(m, local_face(model.geometry, s, i - ints[s, at.FACE]))
    g = local_face(model.geometry, t, j - ints[t, at.FACE])
    gap_sq = closest(f, rank_of(corners, i), g, rank_of(corners, j))[0]
    return max(math.sqrt(gap_sq) - thickness(model, s, t) - search.margin, 0.0)


@inline
def touch_of_pair(model, search, work, k, moment):
    """Return the contact tolerance [length] of a pair."""
    b = search.pairs[k, SECOND]
    return touch_at(model, work, moment * len(model.piece_ints) + b, b, search.margin)


@step
def _overlap_at(model, search, work, k, moment, scratch, used):
    """Return (verdict, FREE or OVERLAP) of a pair at a moment."""
    s, t = shapes_of(model, search.pairs, k)
    ones, a, others, b = places_of(model, work, search.pairs, k, moment)
    touch = touch_of_pair(model, search, work, k, moment)
    return overlaps(model, s, ones, a, t, others, b, search.margin, touch, scratch, used)


@step
def near_at(model, search, work, k, moment, wide):
    """Return (square of the gap of two faces, face, face) of a pair that is within `wide`, see `apart`."""
    s, t = shapes_of(model, search.pairs, k)
    ones, a, others, b = places_of(model, work, search.pairs, k, moment)
    wide += thickness(model, s, t) + search.margin
    return first_near(model.geometry, model.groups, s, ones, a, t, others, b, wide, ENDLESS)


@step
def _nested_at(model, search, work, k, moment):
    """True if one body of a pair whose faces are apart is inside the other."""
    s, t = shapes_of(model, search.pairs, k)
    ones, a, others, b = places_of(model, work, search.pairs, k, moment)
    return is_nested(model, s, ones, a, t, others, b, touch_of_pair(model, search, work, k, moment))


@step
def _look(model, search, work, begin, end, moment, scratch, used):
    """Return (verdict, pair): the first of some asked pairs that overlaps at a moment; -1 if none does."""
    for n in range(begin, end):
        k = search.asked[n, 0]
        if search.pairs[k, _STATE] == _DEPARTING or _ball_gap(model, search, work, k, moment) > search.margin:
            continue
        verdict, how = _overlap_at(model, search, work, k, moment, scratch, used)
        if verdict == FULL or how != FREE:
            return verdict, k
    return NEXT, np.int64(-1)


@step
def find(model, search, work, count, only, begin, until, scratch, used):
    """Return (verdict, (status, time, pair, face, face, gap)) of the first `count` pairs, or of one, between two times.

    Pairs that are nearer than the accuracy at time 0, and come as near again, are marked and not followed. verdict FULL: the
    scratch is too small.
    """
    motion, asked, intervals, pairs = search.motion, search.asked, search.intervals, search.pairs
    if len(asked) < 2 * count + 2 or len(intervals) < motion.pieces + 2:
        return FULL, NOTHING
    top = 0
    for k in range(count):
        if only < 0 or k == only:
            asked[top, 0] = k
            asked[top, 1] = asked[top, 2] = -1
            top += 1
    tail = 0
    last = min(motion.pieces, math.ceil(until)) - 1
    for n in range(int(begin), last + 1):
        piece = last + int(begin) - n if search.first else n
        intervals[tail, _LO], intervals[tail, _HI] = max(begin, float(piece)), min(piece + 1.0, until)
        intervals[tail, _BEGIN], intervals[tail, _COUNT] = 0.0, float(top)
        tail += 1
    head, current = 0, -1
    while head < tail:
        if search.first:
            tail -= 1
            n = tail
        else:
            n = head
            head += 1
        lo, hi, first_asked, asks = intervals[n, _LO], intervals[n, _HI], int(intervals[n, _BEGIN]), int(intervals[n, _COUNT])
        if search.first:
            top = first_asked + asks
        if lo >= until:
            continue
        piece = int(lo)
        if piece != current:
            _set_piece(model, work, motion, piece)
            current = piece
        if motion.degree > 1:
            row = motion.row + piece * (motion.degree + 1)
            set_rates(model, motion.coefficients, row, motion.degree, lo - piece, hi - piece, work.rates)
        time = hi - lo
        middle = 0.5 * (lo + hi)
        shortest = middle in (lo, hi)
        start = _moment_of(model, work, motion, lo, piece, -1, -1)
        end = _moment_of(model, work, motion, hi, piece, start, -1)
        budget = ENDLESS if shortest else int(min(_VISITS + _MORE_VISITS / (time * time), 1e9))
        if len(asked) < top + asks:
            return FULL, NOTHING
        begun = top
        for m in range(first_asked, first_asked + asks):
            k = asked[m, 0]
            if only < 0 and pairs[k, _STATE] != _USUAL:
                continue
            status, i, j = _settle(model, search, work, k, start, end, time, asked[m, 1], asked[m, 2], budget)
            if status == STAYS_APART and lo == 0.0 and _nested_at(model, search, work, k, start):
                return NEXT, (OVERLAP, 0.0, np.int64(k), np.int64(-1), np.int64(-1), 0.0)
            if status in (FAR, STAYS_APART):
                continue
            if status == NEAR:
                gap = _gap_of_faces(model, search, work, k, start, i, j)
                if gap <= search.accuracy or shortest:
                    early = lo == 0.0
                    if lo > 0.0 and only < 0:
                        begin_moment = _moment_of(model, work, motion, 0.0, 0, start, end)
                        early = near_at(model, search, work, k, begin_moment, search.accuracy)[0] != APART
                    if not early or only >= 0:
                        return NEXT, (HIT, lo, np.int64(k), i, j, gap)
                    pairs[k, _STATE] = _DEPARTING
                    continue
            asked[top, 0], asked[top, 1], asked[top, 2] = k, i, j
            top += 1
        if top == begun:
            continue
        if not search.first:
            verdict, k = _look(
                model, search, work, begun, top, _moment_of(model, work, motion, middle, piece, start, end), scratch, used
            )
            if verdict == FULL:
                return FULL, NOTHING
            if k >= 0:
                return NEXT, (HIT, middle, np.int64(k), np.int64(-1), np.int64(-1), 0.0)
        if tail + 2 > len(intervals):
            return FULL, NOTHING
        for side in range(2):
            # Of a stack the last is taken first.
            early = (side == 1) == search.first
            intervals[tail, _LO] = lo if early else middle
            intervals[tail, _HI] = middle if early else hi
            intervals[tail, _BEGIN], intervals[tail, _COUNT] = float(begun), float(top - begun)
            tail += 1
    return NEXT, NOTHING


@inline
def _stays_outside(model, search, work, k, time):
    """True if no two faces of a pair come deeper into each other than the contact tolerance, from moment 0 to moment 1.

    time: how long that takes.
    """
    touch = touch_of_pair(model, search, work, k, 0)
    a, b, deep = search.pairs[k, FIRST], search.pairs[k, SECOND], search.pairs[k, DEEP]
    seen_from = np.int64(0) if deep < 0 else model.piece_ints[a, JOINT]
    far = stray(model, work, 0, seen_from, b, max(deep, 0), time)
    if far > 0.5 * touch:
        return False
    s, t = shapes_of(model, search.pairs, k)
    wide = thickness(model, s, t) + search.margin + far - touch
    ones, a0, others, b0 = places_of(model, work, search.pairs, k, 0)
    _, a1, _, b1 = places_of(model, work, search.pairs, k, 1)
    none = np.int64(-1)
    status, _, _ = stay_apart(
        model.geometry, model.groups, s, ones, a0, a1, t, others, b0, b1, wide, none, none, ENDLESS
    )  # fmt: skip
    return status == STAYS_APART


@inline
def _cannot_overlap(model, search, k):
    """True if a pair has points without a radius: whether they overlap does not tell that they passed through a surface."""
    s, t = shapes_of(model, search.pairs, k)
    ints = model.geometry.shape_ints
    return (ints[s, at.POINTS] == 1 or ints[t, at.POINTS] == 1) and thickness(model, s, t) + search.margin == 0.0


@cold
def _depart(model, search, work, k, until, scratch, used):
    """Follow a pair that is nearer than the accuracy at the start until it is not: return (verdict, answer, time).

    answer: as of `find`, if it overlaps meanwhile. time: from then on the pair may be asked as any other. A step ends where the
    two do not overlap. It moves no point by more than half of the accuracy, or it is proved that no faces come into each other
    meanwhile. Steps grow as long as that succeeds.
    """
    motion, time, current, wish = search.motion, 0.0, -1, 0.0
    place_at(model, work, motion, 0, 0.0, 0)
    verdict, how = _overlap_at(model, search, work, k, 0, scratch, used)
    if verdict == FULL:
        return FULL, NOTHING, time
    gap_sq, i, j = near_at(model, search, work, k, 0, search.accuracy)
    s, t = shapes_of(model, search.pairs, k)
    gap = max(math.sqrt(max(gap_sq, 0.0)) - thickness(model, s, t) - search.margin, 0.0)
    if how != FREE:
        return NEXT, (OVERLAP, 0.0, np.int64(k), i, j, 0.0), time
    if search.resting_hits and gap <= touch_of_pair(model, search, work, k, 0):
        return NEXT, (HIT, 0.0, np.int64(k), i, j, gap), time
    proved = _cannot_overlap(model, search, k)
    for _ in range(_MOST_STEPS):
        if time >= until or gap_sq == APART:
            return NEXT, NOTHING, time
        piece = int(time)
        if piece != current:
            _set_piece(model, work, motion, piece)
            current = piece
        speed = _speed(work, search.pairs, k)
        short, rest = 0.5 * search.accuracy, piece + 1.0 - time
        short = rest if speed * rest <= short else short / speed
        length = min(max(wish, short), rest)
        after = min(time + length, piece + 1.0)
        place_at(model, work, motion, 1, after, piece)
        is_short = length <= short
        outside = (is_short and not proved) or _stays_outside(model, search, work, k, length)
        if outside:
            verdict, how = _overlap_at(model, search, work, k, 1, scratch, used)
            if verdict == FULL:
                return FULL, NOTHING, time
            outside = how == FREE
        if not outside and not is_short:
            wish = 0.5 * length
            continue
        if not outside or after == time:
            # The faces that meet need not be those that were near all the time.
            least = -min(4.0 * touch_of_pair(model, search, work, k, 1), thickness(model, s, t) + search.margin)
            met, f, g = near_at(model, search, work, k, 1, least)
            if met != APART:
                i, j = f, g
            return NEXT, (HIT, time, np.int64(k), i, j, speed * (after - time)), time
        gap_sq, i, j = near_at(model, search, work, k, 1, search.accuracy)
        gap = max(math.sqrt(max(gap_sq, 0.0)) - thickness(model, s, t) - search.margin, 0.0)
        place_at(model, work, motion, 0, after, piece)
        time, wish = after, 2.0 * length
    return NEXT, (HIT, time, np.int64(k), i, j, gap), time


@step
def _jump(model, search, work, count, only, best, scratch, used):
    """Return (verdict, answer): a hit, followed in jumps to where its two faces meet if they go on as at the begin of each.

    All pairs are proved to stay apart on the way. A hit whose gap is above the accuracy: it does not come nearer like that.
    """
    _, time, k, i, j, gap = best
    motion = search.motion
    s, t = shapes_of(model, search.pairs, k)
    for _ in range(_MOST_JUMPS):
        piece = min(int(time), motion.pieces - 1)
        if gap <= search.accuracy or time >= motion.pieces:
            break
        _set_piece(model, work, motion, piece)
        least = gap / _speed(work, search.pairs, k)
        glance = min(_GLANCE * least, piece + 1.0 - time)
        place_at(model, work, motion, 0, time + glance, piece)
        closed = gap - _gap_of_faces(model, search, work, k, 0, i, j)
        left = max(0.5 * search.accuracy, _LEFT * gap)
        if (gap - left) * glance >= _AHEAD * least * closed:
            break
        after = min(time + (gap - left) * glance / closed, float(motion.pieces))
        if after <= time:
            break
        verdict, answer = find(model, search, work, count, only, time, after, scratch, used)
        if verdict == FULL or answer[0] != FREE:
            return verdict, answer
        place_at(model, work, motion, 0, after, min(int(after), motion.pieces - 1))
        gap_sq, f, g = near_at(model, search, work, k, 0, 4.0 * left)
        if gap_sq == APART:
            break
        time, i, j = after, f, g
        gap = max(math.sqrt(gap_sq) - thickness(model, s, t) - search.margin, 0.0)
    return NEXT, (HIT, time, k, i, j, gap)


@step
def _closer(model, search, work, count, only, best, scratch, used):
    """Return (verdict, answer): a hit, followed a little further: until its bodies are far nearer, or to where others meet.

    Bodies that do not come nearer in the time in which they could touch stay a hit where they were found. only: as in `find`.
    """
    if not search.first or best[0] != HIT or best[5] == 0.0:
        return NEXT, best
    size = model.piece_reals[search.pairs[best[2], SECOND], BALL]
    fine = min(MOTION_HIT * size, search.accuracy)
    finer = Search(search.boxes, search.motion, search.margin, fine, False, True, search.pairs, search.asked, search.intervals)
    if best[3] >= 0:
        verdict, answer = _jump(model, finer, work, count, only, best, scratch, used)
        if verdict == FULL or answer[5] <= fine or answer[2] != best[2]:
            return verdict, answer
    time, k = best[1], best[2]
    _set_piece(model, work, search.motion, min(int(time), search.motion.pieces - 1))
    speed = _speed(work, search.pairs, k)
    until = min(time + _AHEAD * (best[5] + fine) / speed, float(search.motion.pieces))
    verdict, answer = find(model, finer, work, count, only, time, until, scratch, used)
    return verdict, answer if verdict == FULL or answer[0] != FREE else best


@step
def first_contact(model, search, work, count, scratch, used):
    """Return (verdict, answer) as `find`, of all pairs, those included that are near each other at the start."""
    pieces = float(search.motion.pieces)
    for k in range(count):
        if search.pairs[k, _STATE] == _STANDING:
            # Where they are does not depend on the time.
            moment = _moment_of(model, work, search.motion, 0.0, 0, -1, -1)
            verdict, how = _overlap_at(model, search, work, k, moment, scratch, used)
            if verdict == FULL or how != FREE:
                return verdict, (OVERLAP, 0.0, np.int64(k), np.int64(-1), np.int64(-1), 0.0)
            if search.resting_hits:
                touch = touch_of_pair(model, search, work, k, moment)
                gap_sq, i, j = near_at(model, search, work, k, moment, touch)
                if gap_sq != APART:
                    return NEXT, (HIT, 0.0, np.int64(k), i, j, 0.0)
    verdict, best = find(model, search, work, count, -1, 0.0, pieces, scratch, used)
    if verdict != FULL:
        verdict, best = _closer(model, search, work, count, -1, best, scratch, used)
    if verdict == FULL:
        return FULL, NOTHING
    for k in range(count):
        if search.pairs[k, _STATE] != _DEPARTING or (best[0] != FREE and not search.first) or best[0] == OVERLAP:
            continue
        until = pieces if best[0] == FREE else best[1]
        verdict, answer, time = _depart(model, search, work, k, until, scratch, used)
        for m in range(MOMENTS):
            work.times[m] = math.nan
        if verdict != FULL and answer[0] == FREE and time < until:
            verdict, answer = find(model, search, work, count, k, time, until, scratch, used)
            if verdict != FULL:
                verdict, answer = _closer(model, search, work, count, k, answer, scratch, used)
        if verdict == FULL:
            return FULL, NOTHING
        if answer[0] != FREE and (answer[0] == OVERLAP or best[0] == FREE or answer[1] < best[1]):
            best = answer
    return NEXT, best


@inline
def _add_pair(pairs, count, one, other, deep, state):
    """Write a pair to row `count`, if there is room."""
    if count < len(pairs):
        pairs[count, FIRST], pairs[count, SECOND], pairs[count, DEEP], pairs[count, _STATE] = one, other, deep, state
    return count + 1


@inline
def _include_ball(model, work, moment, k, half, ways):
    """Extend the box of piece k by where its ball may be half of the way from a moment."""
    row, wide = moment * len(model.piece_ints) + k, model.piece_reals[k, BALL] + half
    for c in range(3):
        ways[k, c] = min(ways[k, c], work.middles[row, c] - wide)
        ways[k, 3 + c] = max(ways[k, 3 + c], work.middles[row, c] + wide)


@step
def _measure_ways(model, work, motion, ways, most):
    """Write, for each piece, a box around its whole way, and how far it may move by each joint and those beyond."""
    pieces = len(model.piece_ints)
    for k in range(pieces):
        for c in range(3):
            ways[k, c], ways[k, 3 + c] = INF, -INF
        for d in range(most.shape[1]):
            most[k, d] = 0.0
    for n in range(motion.pieces):
        _set_piece(model, work, motion, n)
        place_at(model, work, motion, 0, float(n), n)
        place_at(model, work, motion, 1, n + 1.0, n)
        for k in range(pieces):
            for d in range(model.joint_ints[model.piece_ints[k, JOINT], DEPTH] + 1):
                most[k, d] = max(most[k, d], work.reach[k, d])
            _include_ball(model, work, 0, k, 0.5 * work.reach[k, 0], ways)
            _include_ball(model, work, 1, k, 0.5 * work.reach[k, 0], ways)


@inline
def stands_still(motion):
    """True if nothing moves at all."""
    rows = motion.degree + 1
    for r in range(motion.row, motion.row + motion.pieces * rows):
        if (r - motion.row) % rows != 0:
            for c in range(motion.coefficients.shape[1]):
                if motion.coefficients[r, c] != 0.0:
                    return False
    return True


@step
def list_pairs(model, boxes, nodes, ints, bodies, motion, margin, whole, work, pairs, scratch, used):
    """Write the pairs that may meet on the way. Return how many there are; `pairs` may be too short for them.

    whole: those that stand still relative to each other too. -1: the scratch is too small.
    """
    pieces, joint_ints = model.piece_ints, model.joint_ints
    depth = len(model.paths) // len(joint_ints)
    if len(scratch) < used + len(pieces) * (7 + depth):
        return -1
    ways = REALS(scratch, used, len(pieces), 6)
    most = REALS(scratch, used + 6 * len(pieces), len(pieces), depth + 1)
    used += len(pieces) * (7 + depth)
    near = INDICES(scratch, used, len(scratch) - used)
    _measure_ways(model, work, motion, ways, most)
    one_way = motion.pieces == 1
    count = 0
    for p in range(len(model.pairs)):
        a, b, deep = model.pairs[p, ONE], model.pairs[p, OTHER], model.pairs[p, SHARED]
        speed = most[a, deep] + most[b, deep]
        # In one piece of time the places of its begin are those of moment 0.
        if (one_way and balls_apart(model, work, 0, a, b, margin + speed)) or is_idle(model, a) or is_idle(model, b):
            continue
        if speed == 0.0:
            if whole:
                count = _add_pair(pairs, count, a, b, deep, _STANDING)
        elif most[b, deep] > 0.0:
            count = _add_pair(pairs, count, a, b, deep, _USUAL)
        else:
            count = _add_pair(pairs, count, b, a, deep, _USUAL)
    for k in range(len(pieces)):
        if is_idle(model, k) or pieces[k, ALONE] == 1 or (most[k, 0] == 0.0 and not whole):
            continue
        wide = margin + GRAIN * (margin + max(abs(ways[k, 0]), abs(ways[k, 3])))
        wide += GRAIN * (max(abs(ways[k, 1]), abs(ways[k, 4])) + max(abs(ways[k, 2]), abs(ways[k, 5])))
        box = (ways[k, 0] - wide, ways[k, 1] - wide, ways[k, 2] - wide, ways[k, 3] + wide, ways[k, 4] + wide, ways[k, 5] + wide)
        found = near_bodies(nodes, ints, boxes, bodies, box, near)
        if found > len(near):
            return -1
        state = _USUAL if most[k, 0] > 0.0 else _STANDING
        for n in range(found):
            b = near[n]
            if model.owner[b] != OBSTACLE or (one_way and ball_beside(model, work, k, k, boxes, b, margin + most[k, 0])):
                continue
            if may_hit(model, k, b):
                count = _add_pair(pairs, count, b, k, -1, state)
    return count
