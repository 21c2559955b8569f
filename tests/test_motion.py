"""Motions: what a Translate takes and holds."""

import math
import pickle

import numpy as np
import pytest

import sweepscope as ss


def test_every_form_of_a_vector():
    expected = ss.Translate((1.0, -2.0, 2.0))
    assert (expected.vector, expected.length) == ((1.0, -2.0, 2.0), 3.0)
    for given in (
        [1, -2, 2],
        (1, -2.0, 2),
        np.array((1, -2, 2)),
        np.array((1.0, -2.0, 2.0)),
        np.float32((1, -2, 2)),
        (np.int8(1), -2, 2),
    ):
        motion = ss.Translate(given)
        assert motion == expected
        assert hash(motion) == hash(expected)
        assert all(type(x) is float for x in motion.vector)
    assert repr(expected) == "Translate(vector=(1.0, -2.0, 2.0), length=3.0)"
    assert pickle.loads(pickle.dumps(expected)) == expected
    with pytest.raises(AttributeError):
        expected.vector = (0, 0, 0)


@pytest.mark.parametrize(
    "given", [(1, 2), (1, 2, 3, 4), (1, 2, np.nan), (1, 2, np.inf), (1, 2, 10**400), (1, 2, 10**60), np.eye(3)]
)
def test_invalid_vectors(given):
    with pytest.raises(ss.errors.InvalidMotion, match=r"Translate\.vector"):
        ss.Translate(given)


@pytest.mark.parametrize("given", [(1, 2, True), (1, 2, "3"), 5, None, "123", {1, 2, 3}])
def test_vectors_of_a_wrong_type(given):
    with pytest.raises(ss.errors.InvalidType, match=r"Translate\.vector"):
        ss.Translate(given)


def test_directions_are_unit_at_every_size(rng):
    for _ in range(300):
        vector = rng.normal(size=3) * 10.0 ** rng.uniform(-323, 49)
        vector[rng.random(3) < 0.2] = 0.0
        motion = ss.Translate(vector)
        if not np.any(vector):
            assert motion.direction == (0.0, 0.0, 1.0)
            continue
        assert abs(math.hypot(*motion.direction) - 1.0) < 1e-15
        largest = np.abs(vector).max()
        scaled = vector / largest if largest > 1e-300 else vector * 2.0**500 / (largest * 2.0**500)
        np.testing.assert_allclose(np.array(motion.direction) * np.linalg.norm(scaled), scaled, rtol=0, atol=4e-16)
    assert ss.Translate((0, 0, -5e-324)).direction == (0.0, 0.0, -1.0)
