"""Motions as arrays: each row has the bits of the single motion, also for nasty numbers."""

import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.motion import length_of, orbit_of, unit
from sweepscope.motions import paths_of
from sweepscope.queries.sweep import as_swept

COUNT = 10_000
NAN = float("nan")


def bits(*values):
    return np.array(values, np.float64).tobytes()


def nasty_vectors(rng, count, largest=49):
    """Vectors of every size, subnormal ones and zeros among them."""
    vectors = rng.normal(size=(count, 3)) * 10.0 ** rng.uniform(-323, largest, (count, 1))
    vectors[::3] *= 10.0 ** rng.uniform(-20, 0, vectors[::3].shape)
    vectors[rng.random((count, 3)) < 0.2] = 0.0
    vectors[::7] = 10.0 * rng.normal(size=vectors[::7].shape)
    vectors[0], vectors[1], vectors[2] = 0.0, (-0.0, 5e-324, 0.0), (1e50, -1e50, 1e50)
    return vectors


def nasty_numbers(rng, count):
    numbers = rng.normal(size=count) * 10.0 ** rng.uniform(-310, 49, count)
    numbers[::2] = rng.uniform(-7.0, 7.0, numbers[::2].shape)
    special = (0.0, -0.0, np.pi, -np.pi, 2 * np.pi, 5e-324, -5e-324, 1e50, -1e-100, 1e-100)
    numbers[: len(special)] = special
    return rng.permutation(numbers)


def assert_rows(motions, singles):
    """Compare Motions with single ones: fields, and what kernels get."""
    paths, lengths, turning = paths_of(motions, np.arange(len(singles)))
    for k, single in enumerate(singles):
        row = motions[k]
        assert type(row) is type(single)
        assert row == single
        for name in ("vector", "axis", "angle", "slide", "about", "length"):
            if hasattr(single, name):
                assert bits(*np.ravel(getattr(row, name))) == bits(*np.ravel(getattr(single, name))), name
        motion = as_swept(single)
        path = [*motion.direction, *8 * [0.0]] if isinstance(motion, ss.Translate) else orbit_of(motion)
        assert paths[k].tobytes() == bits(*path)
        assert lengths[k].tobytes() == bits(motion.length)
        assert turning[k] == motion.turns


def test_translations(rng):
    vectors = nasty_vectors(rng, COUNT)
    assert_rows(ss.Motions.translate(vectors), [ss.Translate(v) for v in vectors])


def test_rotations(rng):
    axes, angles, places = nasty_vectors(rng, COUNT), nasty_numbers(rng, COUNT), nasty_vectors(rng, COUNT)
    axes[~axes.any(axis=1)] = (0, -1, 0)
    rows = list(zip(axes, angles, places, strict=True))
    assert_rows(ss.Motions.rotate(axes, angles, about=places), [ss.Rotate(a, b, about=c) for a, b, c in rows])


def test_screws(rng):
    axes, angles, places = nasty_vectors(rng, COUNT), nasty_numbers(rng, COUNT), nasty_vectors(rng, COUNT)
    axes[~axes.any(axis=1)] = (0, -1, 0)
    slides = nasty_numbers(rng, COUNT)
    motions = ss.Motions.screw(axes, angles, slide=slides, about=places)
    singles = [ss.Screw(a, b, slide=s, about=c) for a, b, s, c in zip(axes, angles, slides, places, strict=True)]
    assert_rows(motions, singles)
    assert sum(single.turns for single in singles) not in (0, COUNT)


def nasty_turns(rng, count):
    """Rotations: any, tiny, half turns, exact ones."""
    axes = nasty_vectors(rng, count)
    axes[~axes.any(axis=1)] = (0, 0, 1)
    axes[::5] = np.eye(3)[rng.integers(0, 3, len(axes[::5]))]
    angles = rng.uniform(-np.pi, np.pi, count)
    angles[::4] = np.pi - 10.0 ** rng.uniform(-18, -2, len(angles[::4]))
    angles[1::4] = 10.0 ** rng.uniform(-300, -2, len(angles[1::4]))
    angles[2::8] = 0.0
    return np.array([ss.Rotate(axis, angle).at() for axis, angle in zip(axes, angles, strict=True)])


def test_screws_between_poses(rng):
    start, turns = nasty_turns(rng, COUNT), nasty_turns(rng, COUNT)
    start[:, :3, 3] = nasty_vectors(rng, COUNT, 6)
    end = turns @ start
    end[::3] = start[::3]
    end[::2, :3, 3] = nasty_vectors(rng, len(end[::2]), 6)
    singles = [ss.Screw.between(a, b) for a, b in zip(start, end, strict=True)]
    assert_rows(ss.Motions.between(start, end), singles)
    assert COUNT / 4 < sum(single.turns for single in singles) < COUNT
    places = nasty_vectors(rng, 500, 6)
    assert_rows(ss.Motions.between(start[:500], places), [ss.Screw.between(a, b) for a, b in zip(start, places, strict=False)])


def test_lengths_are_accurate(rng):
    for vector in nasty_vectors(rng, 2000).tolist():
        exact = np.linalg.norm(np.array(vector, np.longdouble) * 2.0**200) / 2.0**200
        assert abs(length_of(*vector) - exact) <= 4e-16 * exact + 5e-324
        if any(vector):
            assert abs(np.linalg.norm(unit(*vector)) - 1.0) < 4e-16


def test_mixed_motions(rng):
    singles = []
    for k in range(60):
        axis, about, angle = rng.normal(size=3), rng.normal(size=3), rng.normal()
        turn = ss.Rotate(axis, angle, about=about), ss.Screw(axis, angle, slide=1.0, about=about)
        singles.append((ss.Translate(axis), *turn, ss.Screw.between(np.eye(4), turn[1].at()))[k % 4])
    assert_rows(ss.Motions(singles), singles)
    assert_rows(ss.Motions(singles[::4]), singles[::4])
    assert repr(ss.Motions(singles)) == "<Motions: 15 Translate, 15 Rotate, 30 Screw, shape (60,)>"
    assert repr(ss.Motions(singles[::4])) == "<Motions: Translate, shape (15,)>"
    assert list(ss.Motions(singles)) == singles
    assert len(ss.Motions([])) == 0


def test_shapes_broadcast_and_index(rng):
    axes, angles, slides = rng.normal(size=(4, 1, 3)), rng.normal(size=5), rng.normal(size=(2, 1, 1))
    motions = ss.Motions.screw(axes, angles, slide=slides)
    assert motions.shape == (2, 4, 5)
    assert len(motions) == 2
    assert motions[1, 2, 3] == ss.Screw(axes[2, 0], angles[3], slide=slides[1, 0, 0])
    assert motions[-1, -2, -2] == motions[1, 2, 3]
    assert motions[1].shape == (4, 5)
    assert motions[1][2, 3] == motions[1, 2, 3]
    assert motions[:, ::2, 3].shape == (2, 2)
    assert motions[np.ones((2, 4, 5), bool)].shape == (40,)
    assert [row.shape for row in motions] == [(4, 5), (4, 5)]
    one = ss.Motions.translate((1, 2, 3))
    assert (one.shape, one[()]) == ((), ss.Translate((1, 2, 3)))
    with pytest.raises(TypeError, match="shape"):
        len(one)
    for index in ((2, 0, 0), (0, -5, 0)):
        with pytest.raises(IndexError, match="out of range"):
            motions[index]
    with pytest.raises(IndexError):
        motions[9]


def test_they_do_not_change(rng):
    vectors = rng.normal(size=(5, 3))
    motions = ss.Motions.translate(vectors)
    first = ss.Translate(vectors[0])
    vectors[:] = 0.0
    assert motions[0] == first
    with pytest.raises(FrozenInstanceError):
        motions.shape = (3,)
    twin = pickle.loads(pickle.dumps(motions))
    assert list(twin) == list(motions)
    mixed = ss.Motions([first, ss.Rotate((0, 0, 1), 1.0)])
    assert list(pickle.loads(pickle.dumps(mixed))) == list(mixed)


EYES = np.tile(np.eye(4), (3, 1, 1))
SKEW = EYES.copy()
SKEW[2, 0, 0] = 2.0
BAD = {
    "NaN vector": (lambda: ss.Motions.translate([(0, 0, 1), (0, NAN, 1)]), r"Motions\.vectors\[1, 1\] is nan"),
    "large vector": (lambda: ss.Motions.translate(np.full((2, 2, 3), 1e60)), r"Motions\.vectors\[0, 0, 0\] is 1e\+60"),
    "two numbers": (lambda: ss.Motions.translate([(0, 1)]), r"expected shape \(\.\.\., 3\), got \(1, 2\)"),
    "a number": (lambda: ss.Motions.translate(1.0), r"expected shape \(\.\.\., 3\), got \(\)"),
    "texts": (lambda: ss.Motions.translate("abc"), "of numbers, got dtype"),
    "zero axis": (lambda: ss.Motions.rotate([(0, 0, 1), (0, 0, 0)], 1.0), r"rotate: axis\[1\] is 0 0 0"),
    "NaN angle": (lambda: ss.Motions.rotate((0, 0, 1), [[0.0, NAN]]), r"rotate: angle\[0, 1\] is nan"),
    "flat axis": (lambda: ss.Motions.rotate(1.0, 1.0), r"rotate: axis: expected shape \(\.\.\., 3\)"),
    "NaN about": (lambda: ss.Motions.screw((0, 0, 1), 1.0, slide=0.0, about=(0, 0, NAN)), r"screw: about\[2\] is nan"),
    "N against M": (
        lambda: ss.Motions.screw((0, 0, 1), [1.0, 2.0], slide=[1.0, 2.0, 3.0]),
        r"do not fit together: angle \(2,\), slide \(3,\)",
    ),
    "skew pose": (lambda: ss.Motions.between(np.eye(4), SKEW), r"poses_1\[2\]: its 3x3 part is not a rotation"),
    "quaternions": (lambda: ss.Motions.between(np.zeros((5, 7)), np.eye(4)), r"poses_0: expected poses of shape"),
    "no poses": (lambda: ss.Motions.between(None, np.eye(4)), "poses_0: expected poses"),
    "pairs": (lambda: ss.Motions.between(EYES, EYES[:2]), r"poses_0 \(3,\), .*poses_1 \(2,\)"),
    "no motion": (lambda: ss.Motions([ss.Translate((0, 0, 1)), (0, 0, 1)]), r"motions\[1\]: expected a Translate"),
    "no sequence": (lambda: ss.Motions(ss.Translate((0, 0, 1))), "put a single one into a list"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_motions(case):
    make, message = BAD[case]
    wrong_type = case in ("texts", "no poses", "no motion", "no sequence")
    wrong_pose = case in ("skew pose", "quaternions")
    expected = ss.errors.InvalidType if wrong_type else ss.errors.InvalidPose if wrong_pose else ss.errors.InvalidMotion
    with pytest.raises(expected, match=message):
        make()


def test_a_unit_vector_stays_as_it_is(rng):
    for vector in rng.normal(size=(2000, 3)) * 10.0 ** rng.uniform(-3, 3, (2000, 1)):
        axis = ss.Rotate(vector, 1.0).axis
        assert ss.Rotate(axis, 1.0).axis == axis
        assert tuple(ss.Motions.rotate(axis, 1.0)[()].axis) == axis
