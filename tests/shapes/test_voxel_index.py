"""A volume's index after any edit equals one built afresh; an edit that fails leaves no trace."""

from itertools import pairwise

import numpy as np
import pytest
from sweepscope_lab.reference.volume import index
from sweepscope_lab.reference.volume_cases import CONTENTS, DTYPES, EDITS, HEIGHTS, alphas, contents, edit, resolution
from sweepscope_lab.verify.volumes import CHANGED, index_faults, judge_edits, tally_edits

from sweepscope import Volume
from sweepscope.errors import InvalidGeometry, InvalidIndex, InvalidQuery, InvalidType
from sweepscope.shapes.voxel_index import index_of


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_after_any_edit_the_index_equals_one_built_afresh(seed):
    done = list(judge_edits(2000, seed))
    for judged in done:
        assert not judged.faults, f"seed {seed}, edit {judged.number}, {judged.edit.kind} {judged.edit.key} of {judged.shape}"
    rows = {row.kind: row for row in tally_edits(done)}
    assert rows.keys() == {"all", *EDITS}
    assert rows["all"].edits == 2000
    assert CHANGED[0] < rows["all"].changed / 2000 < CHANGED[1]
    for kind in EDITS:
        assert rows[kind].edits > 50
        assert (rows[kind].changed == 0) is (kind == "nothing")


@pytest.mark.parametrize("nz", [0, *HEIGHTS, 128, 129])
@pytest.mark.parametrize("make", CONTENTS, ids=lambda make: make.__name__)
def test_built_as_the_twin_builds_it(make, nz, rng):
    for nx, ny in ((1, 1), (5, 3), (2, 17)):
        occupied = make(rng, (nx, ny, nz)) if nz else np.zeros((nx, ny, 0), bool)
        for volume in (Volume(occupied), Volume(occupied * 3.0, threshold=2.5), Volume(occupied, keep_alpha=False)):
            assert not index_faults(volume, occupied)
            assert volume.resolution == (nx, ny, nz)
            assert volume.version == 0


@pytest.mark.parametrize("shape", [(0, 0, 0), (0, 4, 5), (4, 0, 5), (4, 5, 0)])
def test_an_axis_may_have_no_voxels(shape):
    volume = Volume(np.zeros(shape))
    volume[:] = 1.0
    volume[...] = np.zeros(shape)
    volume[np.zeros(shape, bool)] = 1.0
    volume.threshold = -1.0
    assert not index_faults(volume, np.zeros(shape, bool))
    assert volume.empty
    assert np.isnan(volume.bounds).all()
    assert volume.alpha.shape == shape


def test_more_lines_than_a_byte_counts():
    """Planes across z are counted many lines at a time: all must arrive."""
    for shape in ((16, 16, 65), (17, 15, 64), (1, 300, 3), (40, 40, 130)):
        assert not index_faults(Volume(np.ones(shape, bool)), np.ones(shape, bool))


def test_every_voxel_on_and_off_again():
    """The box and the lines follow the first voxel, and fall back when the last is gone."""
    volume, occupied = Volume(np.zeros((3, 2, 67))), np.zeros((3, 2, 67), bool)
    for voxel in np.ndindex(3, 2, 67):
        volume[voxel], occupied[voxel] = 1.0, True
        assert not index_faults(volume, occupied), voxel
        np.testing.assert_array_equal(volume.bounds, volume.extent)
        if sum(voxel) % 3:
            volume[voxel], occupied[voxel] = 0.0, False
            assert not index_faults(volume, occupied), voxel
    for voxel in np.argwhere(occupied)[::-1]:
        volume[tuple(voxel)], occupied[tuple(voxel)] = 0.0, False
        assert not index_faults(volume, occupied), voxel
    assert volume.empty


def test_version_grows_with_every_change_of_occupancy():
    volume = Volume(np.zeros((4, 4, 70)))
    seen = [volume.version]
    for value in (1.0, 0.0, 0.25, -3.0):
        volume[1:3, 2, 60:70] = value
        seen.append(volume.version)
    volume[0, 0, 0] = 0.5
    seen.append(volume.version)
    volume.threshold = 0.5
    seen.append(volume.version)
    volume[np.ones((4, 4, 70), bool)] = 2.0
    seen.append(volume.version)
    assert all(before < after for before, after in pairwise(seen))
    # Other alphas of the same voxels are no change.
    volume[:] = 3.0
    volume.threshold = 1.0
    volume[2:2] = 0.0
    assert volume.version == seen[-1]


@pytest.mark.parametrize("keep", [True, False])
def test_failed_edits_leave_no_trace(keep, rng):
    """Every other edit fails, in one of many ways; what comes of the good ones is the same as without the bad ones."""
    shape = (6, 5, 70)
    alpha = alphas(rng, shape, np.float32)
    volume, alone = Volume(alpha, keep_alpha=keep), Volume(alpha, keep_alpha=keep)
    bad = [
        (np.s_[0:2, 0:2, 0:2], np.full((2, 2, 2), np.nan)),
        (np.s_[0:2, 0:2, 0:2], np.ones((3, 2, 2))),
        (np.s_[6, 0, 0], 1.0),
        (np.s_[0, -6, 0], 1.0),
        (np.s_[0, 0, 60:71], 1.0),
        (np.s_[0, 0, 0, 0], 1.0),
        (np.s_[::0], 1.0),
        (np.s_[0.5], 1.0),
        (np.ones((6, 5, 69), bool), 1.0),
        (np.ones(shape, bool), np.ones(7)),
        (([0, 1], [0, 9], [0, 0]), 1.0),
        (np.s_[1], "full"),
        (np.s_[1], 1j),
        (np.s_[1], [[1.0], [1.0, 2.0]]),
    ]
    kinds = tuple(kind for kind in EDITS if kind != "threshold")
    for number in range(200):
        key, values = bad[number % len(bad)]
        before = (volume.version, *(part.tobytes() for part in index_of(volume)))
        with pytest.raises((InvalidGeometry, InvalidIndex, InvalidType)):
            volume[key] = values
        assert before == (volume.version, *(part.tobytes() for part in index_of(volume)))
        good = edit(rng, shape, np.float32, kinds)
        for each in (volume, alone):
            each[good.key] = good.values
    assert volume.version == alone.version > 50
    np.testing.assert_array_equal(volume[:], alone[:])
    assert not index_faults(volume, alone.occupied)


def test_a_volume_may_be_shifted_and_turned_round_in_place(rng):
    """Values that are a view of the volume's own alpha are read before they are overwritten."""
    for dtype in DTYPES:
        alpha = alphas(rng, (6, 5, 70), dtype)
        volume = Volume(alpha)
        for here, there in (
            (np.s_[1:], np.s_[:-1]),
            (np.s_[:-1], np.s_[1:]),
            (np.s_[:, :, 3:], np.s_[:, :, :-3]),
            (np.s_[:], np.s_[::-1]),
            (np.s_[:, :, ::-1], np.s_[:]),
            (np.s_[::2, 1:4], np.s_[1::2, 0:3]),
        ):
            volume[here] = volume[there]
            alpha[here] = alpha[there].copy()
            np.testing.assert_array_equal(volume.alpha, alpha)
            assert not index_faults(volume, alpha > 0)


def test_threshold_compares_as_numbers_do():
    """A voxel whose alpha is the threshold is not occupied, and rounding to the alphas' dtype does not change that."""
    tenth = np.float32(0.1)  # over 0.1, by 1.5e-9
    volume = Volume(np.full((1, 1, 1), tenth), threshold=0.1)
    assert volume.count == 1
    volume.threshold = float(tenth)
    assert volume.count == 0
    volume.threshold = float(np.nextafter(np.float64(tenth), 0.0))
    assert volume.count == 1
    steps = Volume(np.arange(256, dtype=np.uint8).reshape(1, 1, 256))
    for limit, count in ((0.0, 255), (0.5, 255), (1.0, 254), (254.5, 1), (255.0, 0), (1e30, 0), (-0.5, 256), (-1e30, 256)):
        steps.threshold = limit
        assert steps.count == count
        assert steps.threshold == limit
    signed = Volume(np.arange(-3, 4, dtype=np.int8).reshape(1, 1, 7), threshold=-1.5)
    assert signed.count == 5
    for limit, count in ((-0.5, 2), (0.0, 1), (0.9, 1), (1.0, 0)):
        truths = Volume(np.array([[[True, False]]]), threshold=limit)
        assert truths.count == count
    ends = Volume(np.array([[[np.inf, -np.inf]]]))
    assert ends.occupied.tolist() == [[[True, False]]]


def test_in_place_operations(rng):
    alpha = rng.random((5, 6, 66))
    volume = Volume(alpha, threshold=0.5)
    volume[1:3, 2:, ::2] -= 0.2
    alpha[1:3, 2:, ::2] -= 0.2
    volume[volume.alpha < 0.3] += 0.5
    alpha[alpha < 0.3] += 0.5
    volume[0, 0, 0] *= 2.0
    alpha[0, 0, 0] *= 2.0
    np.testing.assert_array_equal(volume.alpha, alpha)
    assert not index_faults(volume, alpha > 0.5)


def test_places_and_voxels():
    volume = Volume(np.ones((3, 4, 5)), (0.5, 1.0, 2.0), origin=(-1, 0, 10))
    np.testing.assert_array_equal(volume.center_of((1, 2, 3)), (-0.25, 2.5, 17.0))
    voxels = np.argwhere(volume.occupied)
    np.testing.assert_array_equal(volume.voxel_at(volume.center_of(voxels)), voxels)
    np.testing.assert_array_equal(volume.voxel_at((-1.1, 4.0, 10.0)), (-1, 4, 0))
    tenths = Volume(np.zeros((100, 1, 1)), 0.1)
    low = np.zeros((100, 3))
    low[:, 0] = np.arange(100) / 10
    np.testing.assert_array_equal(tenths.voxel_at(low)[:, 0], np.arange(100))
    for bad in ((np.nan, 0, 0), (np.inf, 0, 0), (1e30, 0, 0), None, 1.0, (1, 2), "abc"):
        with pytest.raises(InvalidType if bad in (None, "abc") else InvalidQuery, match="points"):
            volume.voxel_at(bad)
    for bad in (0, [[0], [1], [2]], (1, 2)):
        with pytest.raises(InvalidQuery, match=r"voxels: expected shape \(\.\.\., 3\)"):
            volume.center_of(bad)


def test_bits_alone_are_read_as_alpha_is(rng):
    occupied = rng.random((5, 6, 70)) < 0.5
    volume = Volume(occupied, keep_alpha=False)
    for key in (
        np.s_[1, 2, 3],
        np.s_[1],
        np.s_[1:3, 2],
        np.s_[..., 65:],
        np.s_[::2, :, -1],
        ([0, 4], [1, 1], [69, 0]),
        occupied,
    ):
        np.testing.assert_array_equal(volume[key], occupied[key])
    np.testing.assert_array_equal(list(volume), list(occupied))
    volume[1:3, 2:, 60:70] |= True
    occupied[1:3, 2:, 60:70] |= True
    assert not index_faults(volume, occupied)
    with pytest.raises(ValueError, match="copies only"):
        np.asarray(volume, copy=False)


def test_what_is_handed_out_is_fresh_or_read_only(rng):
    alpha = alphas(rng, (5, 6, 66), np.float64)
    volume = Volume(alpha)
    occupied = alpha > 0.0
    alpha[:] = 7.0  # it was copied
    for taken in (volume.occupied, volume.extent, *volume.planes, *volume.lines, volume[:], volume[1], np.asarray(volume)):
        taken[:] = 1
    assert not index_faults(volume, occupied)
    for kept in (volume.alpha, volume.bounds):
        with pytest.raises(ValueError, match="read-only"):
            kept[:] = 1.0
    assert not index_faults(volume, occupied)
    bits = Volume(occupied, keep_alpha=False)
    np.testing.assert_array_equal(bits[1:3, :, ::2], occupied[1:3, :, ::2])
    assert bits[1, 2, 3] == occupied[1, 2, 3]


def test_bounds_and_memory(rng):
    occupied = contents(rng, (9, 8, 65))
    occupied[2, 3, 4] = True
    volume = Volume(occupied, (0.5, 2.0, 0.1), origin=(1.0, -2.0, 3.0))
    low, high = index(occupied).extent
    np.testing.assert_allclose(volume.bounds[0], (1.0, -2.0, 3.0) + low * (0.5, 2.0, 0.1), rtol=1e-15)
    np.testing.assert_allclose(volume.bounds[1], (1.0, -2.0, 3.0) + high * (0.5, 2.0, 0.1), rtol=1e-15)
    assert volume.spacing == (0.5, 2.0, 0.1)
    assert volume.origin == (1.0, -2.0, 3.0)
    large = Volume(np.broadcast_to(np.bool_(True), (256, 256, 256)), keep_alpha=False)
    assert large.nbytes * 8 <= 2 * 256**3
    assert large.count == 256**3


def test_edits_of_a_volume_of_bits(rng):
    """Any numbers: what counts is whether they are over the threshold."""
    shape = resolution(rng, 12)
    volume, alpha = Volume(np.zeros(shape), threshold=0.25, keep_alpha=False), np.zeros(shape)
    for dtype in (np.float64, np.float32, np.float64):
        for _ in range(50):
            done = edit(rng, shape, dtype, ("block", "voxel", "mask", "plane"))
            volume[done.key] = alpha[done.key] = done.values
            assert not index_faults(volume, alpha > 0.25)
    volume[...] = 1
    assert volume.count == alpha.size
    volume[...] = False
    assert volume.empty
