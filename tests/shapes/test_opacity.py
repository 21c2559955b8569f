"""All voxels packed at once: every dtype and layout, in pieces."""

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.shapes import opacity


@pytest.fixture(params=[1 << 18, 700, 64, 1])
def pieces(request, monkeypatch):
    """Pieces that hold the volume, or cut it in planes, lines or less."""
    monkeypatch.setattr(opacity, "_PIECE", request.param)


@pytest.mark.parametrize("kind", [np.bool_, np.int8, np.uint16, np.int64, np.float16, np.float32, np.float64, ">f4"])
def test_bits_and_copy(rng, pieces, kind):
    alpha = (rng.integers(-3, 4, (9, 11, 70)) * (rng.random((9, 11, 1)) < 0.5)).astype(kind)
    alpha[4:6] = 0
    for given in (alpha, np.asfortranarray(alpha), alpha[::-1, ::2, 1::3]):
        volume = ss.Volume(given, threshold=0.5)
        assert np.array_equal(volume.occupied, given.astype(np.float64) > 0.5)
        assert np.array_equal(volume.alpha, given)
        assert volume.alpha.dtype == given.dtype.newbyteorder("=")
        assert not np.shares_memory(volume.alpha, given)
        assert volume.count == np.count_nonzero(given.astype(np.float64) > 0.5)
        volume.threshold = -1.0
        assert np.array_equal(volume.occupied, given.astype(np.float64) > -1.0)


@pytest.mark.parametrize("kind", [np.bool_, np.int8, np.uint16, np.int64, np.float16, np.float32, np.float64, ">f4"])
def test_at_or_over_the_threshold(rng, pieces, kind):
    """Thresholds that equal values, lie between them, and that the dtype cannot hold."""
    alpha = rng.integers(0, 4, (5, 6, 70)).astype(kind)
    alpha[2] = 0
    given = alpha.astype(np.float64)
    third = float(np.float32(1.0) / np.float32(3.0))
    if np.dtype(kind).kind == "f":
        alpha[3] = alpha[3] * np.asarray(1.0 / 3.0, kind)
        given = alpha.astype(np.float64)
    for keep in (True, False):
        for threshold in (-1.0, 0.0, 0.1, third, 1.0 / 3.0, 1.0, 1.5, 2.0, 3.0, 4.0, 1e300, -1e300):
            volume = ss.Volume(alpha, threshold=threshold, inclusive=True, keep_alpha=keep)
            assert volume.inclusive
            stored = threshold
            if np.dtype(kind).kind == "f":
                with np.errstate(over="ignore"):
                    stored = float(np.asarray(threshold).astype(kind))
            assert np.array_equal(volume.occupied, given >= stored), threshold
            volume[1:3, 2:4] = alpha[2:4, 2:4]
            assert np.array_equal(volume.occupied[1:3, 2:4], given[2:4, 2:4] >= stored), threshold
    volume = ss.Volume(alpha, threshold=3.0, inclusive=True)
    volume.threshold = 2.0
    assert np.array_equal(volume.occupied, given >= 2.0)
    assert ss.Volume(alpha, inclusive=True).count == alpha.size  # at or over 0: empty space too
    assert not ss.Volume(alpha).inclusive


def test_minus_zero_is_kept(pieces):
    alpha = np.zeros((3, 4, 5))
    alpha[1, 2, 3] = -0.0
    assert np.array_equal(np.signbit(ss.Volume(alpha).alpha), np.signbit(alpha))


def test_nan_is_named_wherever_it_is(rng, pieces):
    for _ in range(10):
        alpha = rng.normal(size=(5, 6, 7)).astype(np.float32)
        place = tuple(rng.integers(0, alpha.shape).tolist())
        alpha[place] = np.nan
        with pytest.raises(ss.errors.InvalidGeometry, match=r"alpha\[{}, {}, {}\] is nan".format(*place)):
            ss.Volume(alpha)
