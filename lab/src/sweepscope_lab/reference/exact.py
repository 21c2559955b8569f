"""First contact of faces in a translation, in rational arithmetic: a linear programme, solved by trying every basis.

A point of the mover is sum a_i S_i, one of the obstacle sum b_j O_j (weights >= 0 that add up to 1). They meet at time t if
and only if sum a_i S_i + t v = sum b_j O_j. The least t >= 0 with a solution is at a basic solution: as many unknowns as
there are independent equations, the others 0. A pair of faces has at most 21 choices; each is solved exactly.
Nothing is degenerate here: points, segments, coplanar and parallel faces are all the same programme.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Point = tuple[Fraction, Fraction, Fraction]
Face = Sequence[Point]  # one, two or three corners


def exact_points(vertices: NDArray[np.float64], pose: NDArray[np.float64] | None = None) -> list[Point]:
    """Return float64 vertices (n, 3), moved by a float64 pose, as exact rationals."""
    local = [tuple(Fraction(float(x)) for x in row) for row in vertices]
    if pose is None:
        return local  # type: ignore[return-value]
    rows = [[Fraction(float(x)) for x in row] for row in pose[:3]]
    return [tuple(r[0] * x + r[1] * y + r[2] * z + r[3] for r in rows) for x, y, z in local]  # type: ignore[misc]


def exact_faces(points: Sequence[Point], faces: NDArray[np.int32]) -> list[Face]:
    """Return each face's different corners."""
    return [[points[i] for i in dict.fromkeys(int(i) for i in face)] for face in faces]


def _reduced(rows: list[list[Fraction]]) -> list[list[Fraction]] | None:
    """Return independent equations equal to rows (coefficients, then right side); None if there is a contradiction."""
    width = len(rows[0]) - 1
    kept: list[list[Fraction]] = []
    rest = [row[:] for row in rows]
    for column in range(width):
        pivot = next((row for row in rest if row[column]), None)
        if pivot is None:
            continue
        rest.remove(pivot)
        for row in rest:
            if row[column]:
                factor = row[column] / pivot[column]
                for k in range(column, width + 1):
                    row[k] -= factor * pivot[k]
        kept.append(pivot)
    return None if any(row[width] for row in rest) else kept


def _solved(rows: list[list[Fraction]], columns: Sequence[int]) -> list[Fraction] | None:
    """Return the values of the chosen unknowns, all others 0; None if they are not determined."""
    n = len(columns)
    square = [[row[c] for c in columns] + [row[-1]] for row in rows]
    for i in range(n):
        pivot = next((k for k in range(i, n) if square[k][i]), None)
        if pivot is None:
            return None
        square[i], square[pivot] = square[pivot], square[i]
        for k in range(n):
            if k != i and square[k][i]:
                factor = square[k][i] / square[i][i]
                for c in range(i, n + 1):
                    square[k][c] -= factor * square[i][c]
    return [square[i][n] / square[i][i] for i in range(n)]


def face_time(mover: Face, obstacle: Face, vector: Point) -> Fraction | None:
    """Return the least time in [0, 1] at which two faces meet, the first moving by time * vector; None if they never meet."""
    zero, one = Fraction(0), Fraction(1)
    rows = [[vector[r], *(p[r] for p in mover), *(-p[r] for p in obstacle), zero] for r in range(3)]
    rows.append([zero, *([one] * len(mover)), *([zero] * len(obstacle)), one])
    rows.append([zero, *([zero] * len(mover)), *([one] * len(obstacle)), one])
    equations = _reduced(rows)
    if equations is None:
        return None
    best: Fraction | None = None
    for columns in combinations(range(len(rows[0]) - 1), len(equations)):
        values = _solved(equations, columns)
        if values is None or any(value < 0 for value in values):
            continue
        time = values[0] if columns[0] == 0 else zero
        if best is None or time < best:
            best = time
    return best if best is not None and best <= 1 else None


def _apart(mover: Face, obstacle: Face, vector: Point) -> bool:
    """True if the box of the moving face's path and the box of the other face do not meet: a quick, exact test."""
    for r in range(3):
        low, high = min(p[r] for p in mover), max(p[r] for p in mover)
        if min(p[r] for p in obstacle) > high + max(vector[r], 0) or max(p[r] for p in obstacle) < low + min(vector[r], 0):
            return True
    return False


def first_time(movers: Iterable[Face], obstacles: Sequence[Face], vector: Sequence[float]) -> Fraction | None:
    """Return the least time in [0, 1] at which any two faces meet; None if none meet. Touching counts."""
    motion: Point = tuple(Fraction(float(x)) for x in vector)  # type: ignore[assignment]
    best: Fraction | None = None
    for mover in movers:
        for obstacle in obstacles:
            if _apart(mover, obstacle, motion):
                continue
            time = face_time(mover, obstacle, motion)
            if time is not None and (best is None or time < best):
                best = time
    return best
