"""Writes the questions of many rows, and copies their answers to a table. Kernels do it, so that threads run side by side."""

from .. import layout as at
from .._jit import kernel
from ..statuses import FREE, OVERLAP

_FEATURE = 5  # columns of the feature of one side: face, code, three vertices


@kernel
def write_questions(paths, lengths, order, ignored, margin, resting, movers, own, standing, questions):
    """Write questions in an order: question k is about row order[k].

    paths (n, 11), lengths (n,): of the motions. ignored: for each row, or one for all, which ignored pairs it has: the first,
    how many. movers: how many move as one. own: each row has its own mover. standing: each row has its own start.
    """
    for k in range(len(questions)):
        row = order[k]
        for c in range(at.TRAVEL):
            questions[k, c] = paths[row, c]
        questions[k, at.TRAVEL] = lengths[row]
        questions[k, at.MARGIN] = margin
        questions[k, at.MOVER] = row if own else 0
        questions[k, at.MOVERS] = movers
        questions[k, at.RESTING] = resting
        questions[k, at.STAND] = row if standing else -1
        mine = row if len(ignored) > 1 else 0
        questions[k, at.IGNORED] = ignored[mine, 0]
        questions[k, at.IGNOREDS] = ignored[mine, 1]
        questions[k, at.ONLY] = 0


@kernel
def write_answers(
    answers, questions, places, ids, seen, time, travel, obstacle, mover, point, normal, faces, vertices, voxels, kinds,
    overlapping,
):  # fmt: skip
    """Write answer k to row places[k] of a table, field by field.

    ids: of body rows, and of the row -1. seen: marks the body rows in the answers. A feature's code is 0..2 for a vertex, 3..5
    for an edge, 6 for the face, -1 for none; in the table its kind is the number of its vertices.
    """
    for k in range(len(answers)):
        row = places[k]
        length = questions[k, at.TRAVEL]
        free = answers[k, at.STATUS] == FREE
        far = length if free else answers[k, at.HIT_TRAVEL]
        travel[row] = far
        time[row] = 1.0 if free else (far / length if far > 0.0 else 0.0)
        one = int(answers[k, at.HIT_MOVER])
        other = int(answers[k, at.HIT_OBSTACLE])
        mover[row] = ids[one]
        obstacle[row] = ids[other]
        seen[one] = True
        seen[other] = True
        overlapping[row] = answers[k, at.STATUS] == OVERLAP
        for c in range(3):
            point[row, c] = answers[k, at.POINT + c]
            normal[row, c] = answers[k, at.NORMAL + c]
        for side in range(2):
            first = at.FEATURES + _FEATURE * side
            code = int(answers[k, first + 1])
            count = 0
            if code >= 0:
                count = 1 if code < 3 else 2 if code < 6 else 3
            faces[row, side] = int(answers[k, first])
            kinds[row, side] = -1 if free else count
            for c in range(3):
                vertices[row, side, c] = -1
                voxels[row, side, c] = -1
            for c in range(count):
                corner = c if count == 3 else (code + c) % 3
                vertices[row, side, c] = int(answers[k, first + 2 + corner])
