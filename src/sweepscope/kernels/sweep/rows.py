"""Sweeps as rows: a question is a row of numbers, and so is its answer. Columns are those of `layout`.

One call answers a range of rows. `prepare` comes first: it does all that changes shapes, so that rows only read, and several
threads may answer at once.
"""

import math

import numpy as np

from .. import layout as at
from .._jit import cold, inline
from ..base.bodies import finalize_pose, refit_shape
from ..base.boxes import EMPTY, include
from ..statuses import FREE, FULL_SCRATCH, OVERLAP, SHALLOW
from ..tolerances import ALMOST_THERE
from .movers import movers_at_home, movers_scratch, new_movers, put_movers
from .nested import find_nested
from .plain import plain_sweeper
from .reached import meets
from .sweeper import sweeper

NAN = math.nan

_NONE = (NAN, NAN, NAN)
_NOTHING = (-1, -1, (-1, -1, -1), -1, -1, (-1, -1, -1))


@inline
def _write(answers, row, status, mover, obstacle, features, travel, point, normal):
    answers[row, at.STATUS] = status
    answers[row, at.HIT_MOVER] = mover
    answers[row, at.HIT_OBSTACLE] = obstacle
    column = at.FEATURES
    answers[row, column] = features[0]
    answers[row, column + 1] = features[1]
    answers[row, column + 5] = features[3]
    answers[row, column + 6] = features[4]
    for c in range(3):
        answers[row, column + 2 + c] = features[2][c]
        answers[row, column + 7 + c] = features[5][c]
        answers[row, at.POINT + c] = point[c]
        answers[row, at.NORMAL + c] = normal[c]
    answers[row, at.HIT_TRAVEL] = travel


@inline
def _movers_of(geometry, body_ints, poses, boxes, all_movers, stands, question, scratch):
    """Return the movers of a question, where they start. They take the beginning of the scratch."""
    first = int(question[at.MOVER])
    mine = all_movers[first : first + int(question[at.MOVERS])]
    movers = movers_at_home(body_ints, poses, boxes, mine, scratch, 0)
    stand = int(question[at.STAND])
    if stand >= 0:
        put_movers(geometry.shape_reals, poses, movers, stands[stand])
    return movers


@inline
def _nested(world, movers, reached, ignored_pairs, touch):
    return find_nested(world.geometry, world.body_ints, world.poses, world.boxes, movers, reached, ignored_pairs, touch)


def answerer(chart, contact):
    """Return (`answer`, `prepare`, `reach`, `answer_plain`) for sweeps in a chart; see `sweeper` for the arguments."""
    sweeps = sweeper(chart, contact)
    sweep_in, swept_box, obstacles_in_reach = sweeps.sweep_in, sweeps.swept_box, sweeps.obstacles_in_reach
    sweep_plain = plain_sweeper(chart, contact, sweeps)

    @cold
    def _sinks(world, movers, scratch, used, reached, ignored_pairs, motion, length, touch, free):
        """True if a mover that touches from the inside at the start goes deeper before `free`, until which no surfaces meet.

        A point inside a solid by less than the tolerance crosses no surface when it goes deeper.
        """
        there = new_movers(movers.rows, scratch, used)
        for time in (0.5 * free, ALMOST_THERE * free):
            for k in range(len(movers.rows)):
                chart.carry_pose(motion, time * length, movers.poses, k, there.poses)
                there.shapes[k] = movers.shapes[k]
                finalize_pose(there.poses, there.boxes, k, world.geometry.shape_reals, movers.shapes[k])
            if (
                find_nested(world.geometry, world.body_ints, world.poses, world.boxes, there, reached, ignored_pairs, touch)[0]
                == OVERLAP
            ):
                return True
        return False

    @inline
    def _answer_row(world, movers, ignored_pairs, question, tolerance, scratch, answers, row):
        """Answer one question. Return False if the scratch is too small."""
        motion, length, margin = question, question[at.TRAVEL], question[at.MARGIN]
        resting_hits = question[at.RESTING] != 0.0
        only = int(question[at.ONLY]) - 1
        used = movers_scratch(len(movers.rows))
        status, mover, obstacle, t, features, point, normal, may_be_nested, touch, reached = sweep_in(
            world, movers, ignored_pairs, motion, length, margin, tolerance, resting_hits, only, scratch, 2 * used
        )
        if status == FULL_SCRATCH:
            return False
        if may_be_nested:
            how, inner, outer, place = find_nested(
                world.geometry, world.body_ints, world.poses, world.boxes, movers, reached, ignored_pairs, touch
            )
            inside = how == OVERLAP
            if how == SHALLOW and margin == 0.0 and (status == FREE or t > 0.0):
                free = 1.0 if status == FREE else min(t / length, 1.0)
                inside = resting_hits or _sinks(
                    world, movers, scratch, used, reached, ignored_pairs, motion, length, touch, free
                )
            if inside:
                _write(answers, row, how, inner, outer, _NOTHING, 0.0, place, _NONE)
                return True
        if status == FREE:
            _write(answers, row, status, -1, -1, _NOTHING, math.inf, _NONE, _NONE)
        else:
            _write(answers, row, status, mover, obstacle, features, min(t, length), point, normal)
        return True

    @inline
    def answer(world, all_movers, stands, all_ignored, tolerance, questions, lo, hi, scratch, answers):
        """Answer questions lo .. hi: write their rows of `answers`. Return the first that needs more scratch; else hi."""
        for row in range(lo, hi):
            question = questions[row]
            if len(scratch) < 2 * movers_scratch(int(question[at.MOVERS])):
                return row
            movers = _movers_of(
                world.geometry, world.body_ints, world.poses, world.boxes, all_movers, stands, question, scratch
            )
            first = int(question[at.IGNORED])
            ignored_pairs = all_ignored[first : first + int(question[at.IGNOREDS])]
            if not _answer_row(world, movers, ignored_pairs, question, tolerance, scratch, answers, row):
                return row
        return hi

    @inline
    def answer_plain(world, flat, all_movers, stands, all_ignored, tolerance, questions, row, scratch, answers):
        """Answer a question about one mover as `answer` does, with a scratch of PLAIN_SCRATCH; return False if it cannot."""
        question = questions[row]
        if question[at.MOVERS] != 1.0:
            return False
        movers = _movers_of(world.geometry, world.body_ints, world.poses, world.boxes, all_movers, stands, question, scratch)
        first = int(question[at.IGNORED])
        ignored_pairs = all_ignored[first : first + int(question[at.IGNOREDS])]
        length = question[at.TRAVEL]
        status, mover, obstacle, t, features, point, normal, may_be_nested, touch, reached = sweep_plain(
            world, flat, movers, ignored_pairs, question, length, question[at.MARGIN], tolerance,
            question[at.RESTING] != 0.0, int(question[at.ONLY]) - 1, scratch, movers_scratch(1),
        )  # fmt: skip
        if status == FULL_SCRATCH:
            return False
        if may_be_nested and _nested(world, movers, reached, ignored_pairs, touch)[0] != FREE:
            return False
        if status == FREE:
            _write(answers, row, status, -1, -1, _NOTHING, math.inf, _NONE, _NONE)
        else:
            _write(answers, row, status, mover, obstacle, features, min(t, length), point, normal)
        return True

    @inline
    def prepare(geometry, body_ints, poses, boxes, bodies, all_movers, stands, tolerance, questions, everywhere, wanted):
        """Refit all shapes in reach of the questions. Set wanted[s] for each shape in reach that was not ready.

        everywhere: all shapes are in reach.
        """
        most = 0.0
        for row in range(len(questions)):
            most = max(most, questions[row, at.MOVERS])
        scratch = np.empty(movers_scratch(int(most)))
        reach = EMPTY
        for row in range(0 if everywhere else len(questions)):
            question = questions[row]
            movers = _movers_of(geometry, body_ints, poses, boxes, all_movers, stands, question, scratch)
            box = swept_box(
                geometry.shape_reals, movers, question, question[at.TRAVEL], question[at.MARGIN], tolerance
            )  # fmt: skip
            if box[0] <= box[3]:
                reach = include(reach, box[0], box[1], box[2])
                reach = include(reach, box[3], box[4], box[5])
        ints = geometry.shape_ints
        for k in range(bodies + len(all_movers)):
            b = k if k < bodies else all_movers[k - bodies]
            s = body_ints[b, at.SHAPE]
            # A removed body has an empty box, and its shape is no longer there.
            if boxes[at.WORLD_LOW, b] > boxes[at.WORLD_HIGH, b] or (
                k < bodies and not everywhere and not meets(boxes, b, reach, 0.0)
            ):
                continue
            if ints[s, at.FACES] > 0 and (ints[s, at.DIRTY] != 0 or ints[s, at.PART] < 0):
                if ints[s, at.DIRTY]:
                    refit_shape(geometry, s)
                wanted[s] = True

    @inline
    def reach(world, all_movers, ignored_pairs, tolerance, question, found):
        """List the body rows of the obstacles that a question may reach, in order; return how many.

        -1: they are more than `found` holds.
        """
        scratch = np.empty(movers_scratch(int(question[at.MOVERS])))
        stands = np.empty((0, 4, 4))
        movers = _movers_of(world.geometry, world.body_ints, world.poses, world.boxes, all_movers, stands, question, scratch)
        return obstacles_in_reach(
            world, movers, ignored_pairs, question, question[at.TRAVEL], question[at.MARGIN], tolerance, found
        )

    return answer, prepare, reach, answer_plain
