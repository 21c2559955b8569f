"""Bad volumes, edits and questions: what was given, what is accepted and where, and the volume is as it was before."""

import re
import tracemalloc

import numpy as np
import pytest

import sweepscope as ss
from sweepscope import Volume, overlap
from sweepscope.errors import InvalidGeometry, InvalidIndex, InvalidPose, InvalidQuery, InvalidType
from sweepscope.shapes.voxel_index import index_of

NAN, INF = float("nan"), float("inf")
GRID = (3, 4, 70)
HUGE = np.broadcast_to(np.uint8(1), (5000, 5000, 5000))  # 116 GiB if it were ever written out


def _with(index, value, dtype=np.float64):
    alpha = np.ones(GRID, dtype)
    alpha[index] = value
    return alpha


def _state(volume):
    """Everything that a volume holds."""
    alpha = None if volume._alpha is None else (volume.alpha.dtype, volume.alpha.tobytes())
    kept = tuple(part.tobytes() for part in index_of(volume))
    return alpha, kept, volume.threshold, volume.version, volume.count, volume.resolution, volume.spacing, volume.origin


BAD_ALPHAS = {
    "NaN": (_with((1, 2, 65), NAN), r"alpha\[1, 2, 65\] is nan"),
    "first of several NaN": (_with((slice(1, 3), 3, 69), NAN), r"alpha\[1, 3, 69\] is nan"),
    "NaN in float32": (_with((0, 0, 0), NAN, np.float32), r"alpha\[0, 0, 0\] is nan"),
    "NaN in half floats": (_with((2, 3, 69), NAN, np.float16), r"alpha\[2, 3, 69\] is nan"),
    "NaN in another byte order": (_with((2, 0, 1), NAN, ">f8"), r"alpha\[2, 0, 1\] is nan"),
    "NaN among infinities": (np.array([[[INF, NAN, -INF]]]), r"alpha\[0, 0, 1\] is nan"),
    "negative NaN": (np.array([[[1.0, -NAN]]]), r"alpha\[0, 0, 1\] is nan"),
    "flat": (np.ones(8), r"alpha: expected .*\(nx, ny, nz\).*\(8,\)"),
    "picture": (np.ones((4, 4)), r"alpha: expected .*\(nx, ny, nz\).*\(4, 4\)"),
    "four axes": (np.ones((2, 2, 2, 1)), r"alpha: expected .*\(nx, ny, nz\).*\(2, 2, 2, 1\)"),
    "number": (1.0, r"alpha: expected .*\(nx, ny, nz\).*\(\)"),
    "None": (None, "alpha: expected .*numbers or booleans"),
    "ragged": ([[[1.0], [1.0, 2.0]]], "alpha: expected .*numbers or booleans"),
    "texts": (np.full((2, 2, 2), "1"), "alpha: expected numbers or booleans, got dtype <U1"),
    "word": ("full", "alpha: expected numbers or booleans, got dtype <U4"),
    "complex": (np.ones((2, 2, 2), complex), "alpha: expected numbers or booleans, got dtype complex128"),
    "objects": (np.full((2, 2, 2), None), "alpha: expected numbers or booleans, got dtype object"),
    "dates": (np.zeros((2, 2, 2), "M8[s]"), "alpha: expected numbers or booleans, got dtype datetime64"),
    "records": (np.zeros((2, 2, 2), "f8,f8"), "alpha: expected numbers or booleans, got dtype"),
    "masked": (np.ma.masked_less(np.arange(8.0).reshape(2, 2, 2), 3.0), "alpha: .*masked"),
}


@pytest.mark.parametrize("case", BAD_ALPHAS)
def test_bad_alpha(case):
    alpha, message = BAD_ALPHAS[case]
    error = InvalidType if case in ("None", "texts", "word", "complex", "objects", "dates", "records") else InvalidGeometry
    for keep in (True, False):
        with pytest.raises(error, match=message):
            Volume(alpha, keep_alpha=keep)


BAD_OPTIONS = {
    "no spacing": ({"spacing": 0.0}, r"spacing is 0\.0; .*greater than 0"),
    "negative spacing": ({"spacing": -0.5}, r"spacing is -0\.5; .*greater than 0"),
    "negative zero": ({"spacing": -0.0}, r"spacing is -0\.0; .*greater than 0"),
    "NaN spacing": ({"spacing": NAN}, "spacing is nan; .*finite"),
    "infinite spacing": ({"spacing": INF}, "spacing is inf; .*finite"),
    "spacing too large": ({"spacing": 1e300}, r"spacing is 1e\+300; .*1e\+50"),
    "one of 3": ({"spacing": (1.0, 0.0, 1.0)}, r"spacing\[1\] is 0\.0; .*greater than 0"),
    "last of 3": ({"spacing": np.array((1.0, 1.0, -2.0))}, r"spacing\[2\] is -2\.0; .*greater than 0"),
    "NaN of 3": ({"spacing": (1.0, NAN, 1.0)}, r"spacing\[1\] is nan; .*finite"),
    "two spacings": ({"spacing": (1.0, 1.0)}, r"spacing: expected .*three numbers, got \(1\.0, 1\.0\)"),
    "four spacings": ({"spacing": np.ones(4)}, "spacing: expected .*three numbers"),
    "spacings in rows": ({"spacing": np.ones((1, 3))}, "spacing: expected .*three numbers"),
    "spacing in words": ({"spacing": "1"}, "spacing: expected .*number.* got '1'"),
    "no spacing at all": ({"spacing": None}, "spacing: expected .*number.* got None"),
    "true spacing": ({"spacing": True}, "spacing: expected .*number.* got True"),
    "complex spacing": ({"spacing": 1j}, "spacing: expected .*number.* got 1j"),
    "NaN origin": ({"origin": (0.0, NAN, 0.0)}, r"origin\[1\] is nan"),
    "infinite origin": ({"origin": np.array((0.0, 0.0, -INF))}, r"origin\[2\] is -inf"),
    "one origin": ({"origin": 1.0}, r"origin: expected three numbers, got 1\.0"),
    "two origins": ({"origin": (1.0, 2.0)}, r"origin: expected three numbers, got \(1\.0, 2\.0\)"),
    "NaN threshold": ({"threshold": NAN}, "threshold is nan; .*finite"),
    "infinite threshold": ({"threshold": INF}, "threshold is inf; .*finite"),
    "threshold in words": ({"threshold": "half"}, "threshold: expected a number, got 'half'"),
    "no threshold": ({"threshold": None}, "threshold: expected a number, got None"),
    "three thresholds": ({"threshold": (0.0, 0.0, 0.0)}, "threshold: expected a number, got"),
    "perhaps inclusive": ({"inclusive": 1}, "inclusive is 1; accepted: True, False"),
    "perhaps kept": ({"keep_alpha": "yes"}, "keep_alpha is 'yes'; accepted: True, False"),
}


@pytest.mark.parametrize("case", BAD_OPTIONS)
def test_bad_options(case):
    options, message = BAD_OPTIONS[case]
    error = (
        InvalidType
        if re.search("(words|no .* at all|true|complex|one origin|no threshold|three|perhaps)", case)
        else InvalidGeometry
    )
    with pytest.raises(error, match=message):
        Volume(np.ones((2, 2, 2)), **options)


BAD_EDITS = {
    "NaN": (np.s_[1, 2, 3], NAN, "values.* is nan"),
    "NaN among others": (np.s_[0, 0:2, 1:4], np.array(((1.0, 1.0, 1.0), (1.0, NAN, NAN))), r"values\[1, 1\] is nan"),
    "NaN under a mask": (np.ones(GRID, bool), np.where(np.arange(840) < 800, 1.0, NAN), r"values\[800\] is nan"),
    "NaN for a stepped slice": (np.s_[::2, 0, 0], (1.0, NAN), r"values\[1\] is nan"),
    "NaN for no voxel": (np.s_[1:1], NAN, "values.* is nan"),
    "voxel beyond x": (np.s_[3, 0, 0], 1.0, "3 .*axis 0.* 3 voxels"),
    "voxel beyond y": (np.s_[0, 4, 0], 1.0, "4 .*axis 1.* 4 voxels"),
    "voxel beyond z": (np.s_[0, 0, 70], 1.0, "70 .*axis 2.* 70 voxels"),
    "voxel before x": (np.s_[-4, 0, 0], 1.0, "-4 .*axis 0.* 3 voxels"),
    "voxel before z": (np.s_[0, 0, -71], 1.0, "-71 .*axis 2.* 70 voxels"),
    "far beyond": (np.s_[0, 0, 10**30], 1.0, "1000000000000000000000000000000 .*axis 2.* 70 voxels"),
    "block beyond x": (np.s_[1:4], 1.0, "4 .*axis 0.* 3 voxels"),
    "block beyond z": (np.s_[0, 0, 60:71], 1.0, "71 .*axis 2.* 70 voxels"),
    "block before y": (np.s_[0, -5:2], 1.0, "-5 .*axis 1.* 4 voxels"),
    "stepped beyond z": (np.s_[0, 0, 0:72:2], 1.0, "72 .*axis 2.* 70 voxels"),
    "beyond after dots": (np.s_[..., 70], 1.0, "70 .*axis 2.* 70 voxels"),
    "one of places beyond": (([0, 1], [0, 4], [0, 0]), 1.0, "4 .*axis 1.* 4 voxels"),
    "place beyond signs": ((np.array([2**64 - 1], np.uint64), [0], [0]), 1.0, "18446744073709551615 .*axis 0.* 3 voxels"),
    "four indices": (np.s_[0, 0, 0, 0], 1.0, "at most 3 indices, got 4"),
    "no step": (np.s_[::0], 1.0, "step is 0"),
    "half a step": (np.s_[::0.5], 1.0, r"step is 0\.5"),
    "half a voxel": (np.s_[0, 0.5, 0], 1.0, r"0\.5"),
    "half a slice": (np.s_[0:1.5], 1.0, r"axis 0: expected a whole number, got 1\.5"),
    "name": ("alpha", 1.0, "'alpha'.*accepted"),
    "None": (None, 1.0, "None.*accepted"),
    "new axis": (np.s_[0, None], 1.0, "None.*accepted"),
    "truth": (True, 1.0, "True.*accepted"),
    "more values": (np.s_[0:2, 0:2, 0:2], np.ones((3, 2, 2)), r"values: expected shape \(2, 2, 2\).* got \(3, 2, 2\)"),
    "fewer values": (np.s_[0], np.ones(69), r"values: expected shape \(4, 70\).* got \(69,\)"),
    "values for a voxel": (np.s_[0, 0, 0], np.ones(2), r"values: expected shape \(\).* got \(2,\)"),
    "more axes": (np.s_[0, 0, 0:2], np.ones((2, 2)), r"values: expected shape \(2,\).* got \(2, 2\)"),
    "more for a stepped slice": (np.s_[::2, 0, 0], np.ones(3), r"values: expected shape \(2,\).* got \(3,\)"),
    "more for a mask": (np.arange(840).reshape(GRID) < 5, np.ones(6), r"values: expected shape \(5,\).* got \(6,\)"),
    "smaller mask": (np.ones((3, 4, 69), bool), 1.0, r"mask: expected shape \(3, 4, 70\), got \(3, 4, 69\)"),
    "mask of lines": (np.ones((3, 4), bool), 1.0, r"mask: expected shape \(3, 4, 70\), got \(3, 4\)"),
    "turned mask": (np.ones((70, 4, 3), bool), 1.0, r"mask: expected shape \(3, 4, 70\), got \(70, 4, 3\)"),
    "mask of one truth": (np.array(True), 1.0, r"mask: expected shape \(3, 4, 70\), got \(\)"),
    "words": (np.s_[0], "full", "values: expected numbers or booleans, got dtype <U4"),
    "complex": (np.s_[0], 1j, "values: expected numbers or booleans, got dtype complex128"),
    "no values": (np.s_[0], None, "values: expected .*numbers or booleans"),
    "ragged": (np.s_[0], [[1.0], [1.0, 2.0]], "values: expected .*numbers or booleans"),
    "masked": (np.s_[0, 0, 0:2], np.ma.masked_less([1.0, 3.0], 2.0), "values: .*masked"),
}


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("case", BAD_EDITS)
def test_bad_edit(case, keep, rng):
    key, values, message = BAD_EDITS[case]
    error = InvalidGeometry if message.startswith("values") else InvalidIndex
    error = InvalidType if case in ("words", "complex", "no values") else error
    volume = Volume(rng.random(GRID), 0.5, origin=(1.0, 2.0, 3.0), threshold=0.5, keep_alpha=keep)
    volume[0, 0, 0] = 1.0
    before = _state(volume)
    with pytest.raises(error, match=message):
        volume[key] = values
    assert _state(volume) == before


MISFITS = {
    "300 into bytes": (np.uint8, 300, r"values.*300.*uint8"),
    "-1 into bytes": (np.uint8, -1, r"values.*-1.*uint8"),
    "half into bytes": (np.uint8, 0.5, r"values.*0\.5.*uint8"),
    "half into truths": (np.bool_, 0.5, r"values.*0\.5.*bool"),
    "two into truths": (np.bool_, 2, r"values.*2.*bool"),
    "infinity into whole numbers": (np.int16, INF, r"values.*inf.*int16"),
    "much into whole numbers": (np.int64, 1e30, r"values.*1e\+30.*int64"),
    "much into half the digits": (np.float32, 1e300, r"values.*1e\+300.*float32"),
    "more than digits": (np.float32, 2**24 + 1, r"values.*16777217.*float32"),
}


@pytest.mark.parametrize("case", MISFITS)
def test_values_that_do_not_fit(case):
    dtype, value, message = MISFITS[case]
    volume = Volume(np.ones(GRID, dtype))
    before = _state(volume)
    with pytest.raises(InvalidGeometry, match=message):
        volume[1, 2, 3] = value
    # The index of the first of several that do not fit.
    values = np.ones((2, 5), np.asarray(value).dtype)
    values[1, 3:] = value
    with pytest.raises(InvalidGeometry, match=message.replace("values", r"values\[1, 3\]")):
        volume[0:2, 1, 4:9] = values
    with pytest.raises(InvalidGeometry, match=message.replace("values", r"values\[8\]")):
        volume[np.arange(840).reshape(GRID) < 10] = values.ravel()
    assert _state(volume) == before
    assert volume.alpha.dtype == dtype


def test_values_that_fit():
    """Other dtypes are welcome if nothing is lost; floats are rounded to floats."""
    for dtype in (np.uint8, np.int16, np.float32, np.float64):
        volume = Volume(np.zeros(GRID, dtype))
        for value in (1, 1.0, True, np.float32(1.0), np.int64(1), np.uint8(1)):
            volume[...] = 0
            volume[1, 2, 3] = value
            assert volume.count == 1
            assert volume[1, 2, 3] == 1
            assert volume.alpha.dtype == dtype
    truths = Volume(np.zeros(GRID, bool))
    truths[0, 0, 0:3] = (1, 0, 1.0)
    assert truths.count == 2
    rounded = Volume(np.zeros(GRID, np.float32))
    rounded[0, 0, 0] = 0.1
    assert rounded[0, 0, 0] == np.float32(0.1)


def test_a_hundred_gibibytes_are_refused_before_any_is_asked_for():
    volume = Volume(np.ones(GRID))
    before = _state(volume)
    tracemalloc.start()
    try:
        for keep in (True, False):
            with pytest.raises(
                InvalidGeometry, match=r"alpha: 5000 x 5000 x 5000 .*125,000,000,000 voxels.* at most 2,147,483,647"
            ):
                Volume(HUGE, keep_alpha=keep)
        with pytest.raises(InvalidGeometry, match=r"alpha: .* voxels.* at most"):
            Volume(np.broadcast_to(1.0, (2**16, 2**15, 1)))
        # Not so large that writing it out would hurt; it would be seen.
        with pytest.raises(InvalidGeometry, match=r"values: expected shape \(3, 4, 70\).* got \(300, 300, 300\)"):
            volume[:] = np.broadcast_to(np.uint8(1), (300, 300, 300))
        with pytest.raises(InvalidIndex, match=r"mask: expected shape \(3, 4, 70\), got \(5000, 5000, 5000\)"):
            volume[HUGE.view(bool)] = 1.0
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2**20
    assert _state(volume) == before


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_whole_numbers_too_long_for_a_float(dtype):
    volume = Volume(np.zeros((1, 1, 2), dtype))
    for value in (2**53 + 1, 2**63 - 1, 2**64 - 1):
        with pytest.raises(InvalidGeometry, match=rf"values\[1\] is {value}, which does not fit"):
            volume[0, 0] = np.array([1, value], np.uint64)
    volume[0, 0] = [2**24, 2**60]
    assert volume.alpha.tolist() == [[[2**24, 2**60]]]


@pytest.mark.parametrize("shape", [(0, 1, 2**40), (0, 2**62, 1), (2**25, 0, 0)])
def test_an_axis_too_long_although_there_is_nothing(shape):
    with pytest.raises(InvalidGeometry, match="at most 16,777,216"):
        Volume(np.zeros(shape, np.bool_))


def test_alpha_is_read_only():
    volume = Volume(np.ones(GRID))
    with pytest.raises(ValueError, match="read-only"):
        volume.alpha[0, 0, 0] = 0.0
    volume[0:2][0, 0, 0] = 0.0  # a copy
    for name in ("alpha", "occupied", "resolution", "spacing", "origin", "count", "extent", "planes", "lines", "version"):
        with pytest.raises(AttributeError):
            setattr(volume, name, None)
    assert volume.count == 840
    bits = Volume(np.ones(GRID), keep_alpha=False)
    with pytest.raises(InvalidGeometry, match=r"alpha: .*not stored.*keep_alpha=False"):
        _ = bits.alpha


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (NAN, "threshold is nan; .*finite"),
        (-INF, "threshold is -inf; .*finite"),
        ("0", "threshold: expected a number, got '0'"),
        (None, "threshold: expected a number, got None"),
        (True, "threshold: expected a number, got True"),
    ],
)
def test_bad_threshold(value, message):
    volume = Volume(np.ones(GRID), threshold=0.5)
    before = _state(volume)
    with pytest.raises(InvalidType if value in ("0", None, True) else InvalidGeometry, match=message):
        volume.threshold = value
    with pytest.raises(InvalidGeometry, match="threshold: expected a number"):
        volume.threshold = np.ones(2)
    assert _state(volume) == before


def test_threshold_of_bits_is_fixed():
    volume = Volume(np.ones(GRID), threshold=0.5, keep_alpha=False)
    before = _state(volume)
    with pytest.raises(InvalidGeometry, match=r"threshold: .*not stored.*keep_alpha=False"):
        volume.threshold = 0.25
    assert _state(volume) == before


@pytest.mark.parametrize("shape", [(0, 0, 0), (3, 0, 2), (3, 4, 70)])
def test_empty_volumes_collide_with_nothing(shape):
    empty, full = Volume(np.zeros(shape)), Volume(np.ones(GRID))
    turned = ss.Rotate((1, 2, 3), 0.5).at()
    for pose in (None, (0.5, 0.0, 0.0), (1.0, 2.0, -3.0), turned):
        for sense in ("centers", "cubes"):
            for a, b in ((empty, full), (full, empty), (empty, empty)):
                hit = overlap(a, b, pose, sense=sense)
                assert not hit
                assert hit.count == 0
                assert hit.voxels.shape == (0, 3)
                assert not hit.region.any()
                assert np.isnan(hit.center).all()
                assert np.isnan(hit.normal).all()


ONE, OTHER = Volume(np.ones((2, 3, 4))), Volume(np.ones((3, 3, 3)), 0.5)
BAD_QUESTIONS = {
    "an array for a": ((np.ones((2, 2, 2)), OTHER), {}, InvalidType, r"a: expected .*Volume.*, got "),
    "nothing for b": ((ONE, None), {}, InvalidType, r"b: expected .*Volume.*, got None"),
    "another sense": ((ONE, OTHER), {"sense": "corners"}, InvalidQuery, r"sense is 'corners'; accepted: 'centers', 'cubes'"),
    "no sense": ((ONE, OTHER), {"sense": None}, InvalidType, r"sense is None; accepted: 'centers', 'cubes'"),
    "senses": ((ONE, OTHER), {"sense": ["cubes"]}, InvalidType, r"sense is \['cubes'\]; accepted"),
    "another cull": ((ONE, OTHER), {"culls": ("box", "rows")}, InvalidQuery, r"culls\[1\] is 'rows'; accepted: 'box', 'planes', 'lines'"),
    "a number of culls": ((ONE, OTHER), {"culls": 3}, InvalidType, "culls.* 3"),
    "a cull without brackets": ((ONE, OTHER), {"culls": "lines"}, InvalidType, "culls.*'lines'"),
    "no culls at all": ((ONE, OTHER), {"culls": None}, InvalidType, "culls.*None"),
    "NaN pose": ((ONE, OTHER, (0.0, NAN, 0.0)), {}, InvalidPose, r"pose\[1, 3\] is nan"),
    "infinite pose": ((ONE, OTHER, np.diag((1.0, 1.0, 1.0, INF))), {}, InvalidPose, r"pose\[3, 3\] is inf"),
    "turn without place": ((ONE, OTHER, np.eye(3)), {}, InvalidPose, r"pose: expected shape \(4, 4\), \(3, 4\) or \(3,\), got \(3, 3\)"),
    "two numbers": ((ONE, OTHER, (1.0, 2.0)), {}, InvalidPose, r"pose: expected shape \(4, 4\), \(3, 4\) or \(3,\), got \(2,\)"),
    "far beyond": ((ONE, OTHER, (0.0, 1e60, 0.0)), {}, InvalidPose, r"pose\[1, 3\] is 1e\+60; .*at most 1e\+50"),
    "beyond floats": ((ONE, ONE, (10**400, 0, 0)), {}, InvalidPose, "pose"),
    "truths": ((ONE, ONE, (True, False, True)), {}, InvalidType, "pose: .*numbers, got dtype bool"),
    "scaled": ((ONE, OTHER, np.diag((2.0, 2.0, 2.0, 1.0))), {}, InvalidPose, "pose: .*not a rotation"),
    "mirrored": ((ONE, OTHER, np.diag((1.0, 1.0, -1.0, 1.0))), {}, InvalidPose, "pose: .*mirrors"),
    "words": ((ONE, OTHER, "here"), {}, InvalidType, "pose: expected a 4x4 or 3x4 matrix, or three numbers"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_QUESTIONS)
def test_bad_question(case):
    arguments, options, error, message = BAD_QUESTIONS[case]
    with pytest.raises(error, match=message):
        overlap(*arguments, **options)
