"""Sweeps as rows: a question is a row of numbers, and so is its answer. Columns are those of `layout`.

One call answers a range of rows. `prepare` comes first: it does all that changes shapes, so that rows only read, and several
threads may answer at once.
"""

import math

from .. import layout as at
from .._jit import cold, inline
from ..base.bodies import finalize_pose, put_pose, refit_shape
from ..base.boxes import EMPTY, include
from ..statuses import FREE, OVERLAP, SHALLOW
from ..tolerances import ALMOST_THERE
from .nested import find_nested
from .reached import meets
from .sweeper import sweeper

NAN = math.nan


@inline
def _stand(shape_reals, body_ints, home, poses, boxes, movers, stands, k):
    """Place movers: the first at pose k of `stands`, the others relative to it as they are at home."""
    first = movers[0]
    put_pose(poses, boxes, first, shape_reals, body_ints[first, at.SHAPE], stands[k])
    for i in range(1, len(movers)):
        m = movers[i]
        for r in range(3):
            x = 0.0
            y = 0.0
            z = 0.0
            for c in range(3):
                x += stands[k, r, c] * home[first, c]
                y += stands[k, r, c] * home[first, 3 + c]
                z += stands[k, r, c] * home[first, 6 + c]
            for c in range(3):
                poses[m, 3 * r + c] = x * home[m, c] + y * home[m, 3 + c] + z * home[m, 6 + c]
            far = x * (home[m, at.PLACE] - home[first, at.PLACE])
            far += y * (home[m, at.PLACE + 1] - home[first, at.PLACE + 1])
            far += z * (home[m, at.PLACE + 2] - home[first, at.PLACE + 2])
            poses[m, at.PLACE + r] = stands[k, r, 3] + far
        finalize_pose(poses, boxes, m, shape_reals, body_ints[m, at.SHAPE])


@inline
def _return_home(home, home_boxes, poses, boxes, movers):
    for m in movers:
        for c in range(at.POSE):
            poses[m, c] = home[m, c]
        for c in range(6):
            boxes[c, m] = home_boxes[c, m]


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


def answerer(chart, contact):
    """Return (`answer`, `prepare`) for sweeps in a chart; see `sweeper` for the arguments."""
    sweep_in, swept_box = sweeper(chart, contact)

    @cold
    def _sinks(geometry, body_ints, poses, boxes, bodies, movers, ignored_pairs, motion, length, touch, free):
        """True if a mover that touches from the inside at the start goes deeper before `free`, until which no surfaces meet.

        A point inside a solid by less than the tolerance crosses no surface when it goes deeper.
        """
        there = poses.copy()
        there_boxes = boxes.copy()
        for time in (0.5 * free, ALMOST_THERE * free):
            for m in movers:
                chart.carry_pose(motion, time * length, poses, m, there)
                finalize_pose(there, there_boxes, m, geometry.shape_reals, body_ints[m, at.SHAPE])
            if find_nested(geometry, body_ints, there, there_boxes, bodies, movers, ignored_pairs, touch)[0] == OVERLAP:
                return True
        return False

    @inline
    def _answer_row(
        geometry, body_ints, poses, boxes, bodies, movers, ignored_pairs, motion, length, margin, tolerance, resting_hits,
        answers, row,
    ):  # fmt: skip
        status, mover, obstacle, t, features, point, normal, may_be_nested, touch = sweep_in(
            geometry, body_ints, poses, boxes, bodies, movers, ignored_pairs, motion, length, margin, tolerance, resting_hits
        )
        none = (NAN, NAN, NAN)
        nothing = (-1, -1, (-1, -1, -1), -1, -1, (-1, -1, -1))
        if may_be_nested:
            how, inner, outer, place = find_nested(geometry, body_ints, poses, boxes, bodies, movers, ignored_pairs, touch)
            inside = how == OVERLAP
            if how == SHALLOW and margin == 0.0 and (status == FREE or t > 0.0):
                free = 1.0 if status == FREE else min(t / length, 1.0)
                inside = resting_hits or _sinks(
                    geometry, body_ints, poses, boxes, bodies, movers, ignored_pairs, motion, length, touch, free
                )
            if inside:
                _write(answers, row, how, inner, outer, nothing, 0.0, place, none)
                return
        if status == FREE:
            _write(answers, row, status, -1, -1, nothing, math.inf, none, none)
        else:
            _write(answers, row, status, mover, obstacle, features, min(t, length), point, normal)

    @inline
    def answer(
        geometry, body_ints, home, home_boxes, bodies, movers, stands, ignored_pairs, tolerance, questions, lo, hi, answers
    ):  # fmt: skip
        """Answer questions lo .. hi: write their rows of `answers`."""
        poses = home
        boxes = home_boxes
        if len(stands) > 0:
            # Rows put movers elsewhere: into copies, as other threads read the world.
            poses = home.copy()
            boxes = home_boxes.copy()
        for row in range(lo, hi):
            first = int(questions[row, at.MOVER])
            mine = movers[first : first + int(questions[row, at.MOVERS])]
            stand = int(questions[row, at.STAND])
            if stand >= 0:
                _stand(geometry.shape_reals, body_ints, home, poses, boxes, mine, stands, stand)
            _answer_row(
                geometry, body_ints, poses, boxes, bodies, mine, ignored_pairs, questions[row], questions[row, at.TRAVEL],
                questions[row, at.MARGIN], tolerance, questions[row, at.RESTING] != 0.0, answers, row,
            )  # fmt: skip
            if stand >= 0:
                _return_home(home, home_boxes, poses, boxes, mine)

    @inline
    def prepare(geometry, body_ints, home, home_boxes, bodies, movers, stands, tolerance, questions, everywhere, wanted):
        """Refit all shapes in reach of the questions. Set wanted[s] for each shape in reach that was not ready.

        everywhere: all shapes are in reach.
        """
        poses = home
        boxes = home_boxes
        if len(stands) > 0:
            poses = home.copy()
            boxes = home_boxes.copy()
        reach = EMPTY
        for row in range(len(questions)):
            first = int(questions[row, at.MOVER])
            mine = movers[first : first + int(questions[row, at.MOVERS])]
            stand = int(questions[row, at.STAND])
            if stand >= 0:
                _stand(geometry.shape_reals, body_ints, home, poses, boxes, mine, stands, stand)
            box = swept_box(
                geometry.shape_reals, body_ints, boxes, mine, questions[row], questions[row, at.TRAVEL],
                questions[row, at.MARGIN], tolerance,
            )  # fmt: skip
            if box[0] <= box[3]:
                reach = include(reach, box[0], box[1], box[2])
                reach = include(reach, box[3], box[4], box[5])
            if stand >= 0:
                _return_home(home, home_boxes, poses, boxes, mine)
        ints = geometry.shape_ints
        for k in range(bodies + len(movers)):
            b = k if k < bodies else movers[k - bodies]
            s = body_ints[b, at.SHAPE]
            if k < bodies and not everywhere and not meets(home_boxes, b, reach, 0.0):
                continue
            if ints[s, at.FACES] > 0 and (ints[s, at.DIRTY] != 0 or ints[s, at.PART] < 0):
                if ints[s, at.DIRTY]:
                    refit_shape(geometry, s)
                wanted[s] = True

    return answer, prepare
