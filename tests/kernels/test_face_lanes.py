"""Four faces at once: a face that is near is never left out, needles and faces without area included."""

from fractions import Fraction

import numpy as np
from numba import njit
from sweepscope_lab.reference.point_distance import exact_square

from sweepscope.kernels.base.face_lanes import near_faces

GROUPS = 120


@njit
def masks(vertices, listed, corners, points, limits, found):
    for k in range(len(points)):
        row = np.int64(4 * k)
        p = (points[k, 0], points[k, 1], points[k, 2])
        found[k] = near_faces(vertices, listed, corners, np.int64(0), 12 * row // 4, row, row + 3, p, limits[k])


def exact(point):
    return [Fraction(float(x)) for x in point]


def faces_of(rng):
    """Four faces: usual ones, needles, caps, segments and points."""
    corners = rng.normal(size=(4, 3, 3))
    for k, kind in enumerate(rng.integers(0, 5, 4)):
        thin = 10.0 ** -rng.uniform(0, 15)
        if kind == 1:
            corners[k, 1] = corners[k, 0] + thin * rng.normal(size=3)
        elif kind == 2:
            corners[k, 1] = 0.6 * corners[k, 0] + 0.4 * corners[k, 2] + thin * rng.normal(size=3)
        elif kind == 3:
            corners[k, 2] = corners[k, 1]
        elif kind == 4 and rng.random() < 0.3:
            corners[k, 1:] = corners[k, 0]
    return corners


def test_a_near_face_is_never_left_out(rng):
    corners = np.array([faces_of(rng) for _ in range(GROUPS)])
    vertices = corners.reshape(-1, 3)
    listed = np.arange(len(vertices), dtype=np.int32)
    numbers = np.tile(np.arange(12, dtype=np.uint8).reshape(4, 3), (GROUPS, 1))
    # Over the faces, from far away to very near.
    share = rng.dirichlet((1, 1, 1), GROUPS)
    on = (share[:, :, None] * corners[:, 0]).sum(axis=1)
    points = on + rng.normal(size=(GROUPS, 3)) * 10.0 ** -rng.uniform(-1, 12, (GROUPS, 1))
    squares = np.array(
        [
            [float(exact_square(exact(p), [exact(c) for c in face])) for face in four]
            for p, four in zip(points, corners, strict=True)
        ]
    )
    left_out = kept = 0
    for k in range(4):
        limits = (np.sqrt(squares[:, k]) + 1e-14) ** 2  # as a search does: the limit includes rounding
        found = np.zeros(GROUPS, np.int64)
        masks(vertices, listed, numbers, points, limits, found)
        near = (found[:, None] >> np.arange(4)) & 1
        assert near[squares <= limits[:, None]].all()
        far = squares > 1.1 * limits[:, None] + 1e-20
        left_out += int((near[far] == 0).sum())
        kept += int(near[far].sum())
    assert left_out > kept  # also where most faces are thin, of which it keeps more


def test_behind_the_last_face_it_is_repeated():
    vertices = np.array([(0.0, 0, 0), (1, 0, 0), (0, 1, 0)])
    found = np.zeros(1, np.int64)
    corners = np.zeros((5, 3), np.uint8)
    corners[0] = 0, 1, 2

    @njit
    def ask(vertices, listed, corners, found):
        found[0] = near_faces(
            vertices, listed, corners, np.int64(0), np.int64(0), np.int64(0), np.int64(0), (0.2, 0.2, 1.0), 1.5
        )

    ask(vertices, np.arange(3, dtype=np.int32), corners, found)
    assert found[0] == 15
