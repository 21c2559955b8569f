"""Volumes against volumes at any pose: against slow twins, and laws that need none."""

import math
from fractions import Fraction

import numpy as np
import pytest
from sweepscope_lab.reference.vectors import random_rotation
from sweepscope_lab.reference.volume import Found, Voxels, centered, cubes, region, shared
from sweepscope_lab.reference.volume_cases import ARRANGEMENTS, QUESTIONS, contents, make, quarter_turns
from sweepscope_lab.verify.tallies import outside
from sweepscope_lab.verify.volumes import (
    CULLS,
    RATES,
    SUBSETS,
    faults_of,
    judge,
    judge_overlaps,
    reference,
    tally_overlaps,
    volume_of,
)

import sweepscope as ss
from sweepscope import Rotate, Volume, overlap
from sweepscope.errors import InvalidQuery

FUZZ = {"shared": 400, "centers": 600, "cubes": 600, "large": 12}


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS)
def test_every_answer_is_the_twins(question):
    """Yes or no, count, voxels and region, with all culls, none and some, for whole and any other poses."""
    judged = list(judge_overlaps(question, FUZZ[question], seed=1))
    for one in judged:
        assert not one.faults, f"make({question!r}, {one.case.seed}), {one.case.kind}: {one.faults[0]}"
    rows = tally_overlaps(judged)
    assert {row.kind for row in rows} == {"all", *(arrange.__name__ for arrange in ARRANGEMENTS[question])}
    everything = rows[0]
    assert everything.cases == FUZZ[question]
    assert RATES[question][0] < everything.hits / everything.cases < RATES[question][1]
    assert everything.undecided <= 0.01 * everything.cases
    assert everything.open_voxels <= 0.001 * everything.voxels
    for row in rows[1:]:
        assert 0 < row.hits < row.cases or question == "large"


def _decided(question, count, first=0):
    """Cases and volumes in which nothing is too close to call."""
    asked = 0
    for seed in range(first, first + count):
        case = make(question, seed)
        if len(reference(case).open) == 0:
            asked += 1
            yield case, volume_of(case.a, seed), volume_of(case.b, seed + 1)
    assert asked > 0.95 * count


def _same(hit, other):
    assert bool(hit) is bool(other)
    assert hit.count == other.count
    np.testing.assert_array_equal(hit.voxels, other.voxels)
    np.testing.assert_array_equal(hit.region, other.region)


def test_shared_voxels_are_the_same_seen_from_either():
    hits = 0
    for case, a, b in _decided("shared", 200, 10_000):
        for sense in ("centers", "cubes"):
            there = overlap(a, b, case.pose, sense=sense)
            back = overlap(b, a, np.linalg.inv(case.pose), sense=sense)
            assert bool(there) is bool(back)
            assert there.count == back.count
            np.testing.assert_array_equal(there.voxels, back.voxels + case.offset)
            hits += bool(there)
    assert 0.2 < hits / 400 < 0.6


@pytest.mark.parametrize("heights", [(130, 130), (64, 65), (63, 130), (65, 1), (128, 64)])
def test_every_offset_along_z(heights, rng):
    """Words are shifted by any number of bits, up and down, and carried over."""
    hits = asked = 0
    for density in (0.02, 0.5):
        a, b = (rng.random((2, 3, nz)) < density for nz in heights)
        pair = Volume(a), Volume(b)
        for dz in range(-heights[1] - 1, heights[0] + 2):
            offset = np.array((rng.integers(-1, 2), rng.integers(-2, 3), dz))
            hit, right = overlap(*pair, offset), shared(a, b, offset)
            assert bool(hit) is (len(right) > 0), offset
            np.testing.assert_array_equal(hit.voxels, right)
            hits, asked = hits + bool(hit), asked + 1
    assert 0.1 < hits / asked < 0.9


def test_cubes_meet_whichever_is_asked():
    hits = asked = 0
    for case, a, b in _decided("cubes", 300, 20_000):
        back = np.linalg.inv(case.pose)
        if len(cubes(case.b, case.a, back).open):
            continue
        there = overlap(a, b, case.pose, sense="cubes")
        assert bool(there) is bool(overlap(b, a, back, sense="cubes")), case.seed
        hits, asked = hits + bool(there), asked + 1
    assert asked > 280
    assert 0.35 < hits / asked < 0.75


@pytest.mark.slow
@pytest.mark.parametrize("question", ["centers", "cubes"])
def test_moving_both_changes_nothing(question, rng):
    """By a pose for both; and by origins that are put elsewhere, and poses that make up for it."""
    hits = asked = 0
    for case, a, b in _decided(question, 200, 30_000):
        plain = overlap(a, b, case.pose, sense=question)
        both = np.eye(4)
        both[:3, :3], both[:3, 3] = random_rotation(rng), rng.normal(size=3) * a.spacing[0] * 10.0
        moved = overlap(a, b, np.linalg.inv(both) @ (both @ case.pose), sense=question)
        shift = rng.normal(size=3) * np.multiply(a.spacing, 5.0)
        elsewhere = Volume(a.occupied, a.spacing, origin=np.add(a.origin, shift))
        pose = case.pose.copy()
        pose[:3, 3] += shift
        _same(plain, moved)
        _same(plain, overlap(elsewhere, b, pose, sense=question))
        hits, asked = hits + bool(plain), asked + 1
    assert 0.35 < hits / asked < 0.75


@pytest.mark.parametrize("question", ["shared", "centers", "cubes"])
def test_the_unit_of_length_does_not_matter(question):
    sense = "centers" if question == "shared" else question
    for case, a, b in _decided(question, 60, 40_000):
        plain = overlap(a, b, case.pose, sense=sense)
        for scale in (2.0**-60, 2.0**60):
            pose = case.pose.copy()
            pose[:3, 3] *= scale
            sized = [Volume(v.occupied, np.multiply(v.spacing, scale), origin=np.multiply(v.origin, scale)) for v in (a, b)]
            _same(plain, overlap(*sized, pose, sense=sense))


@pytest.mark.slow
@pytest.mark.parametrize("question", ["shared", "centers", "cubes"])
def test_culls_never_change_the_answer(question):
    sense = "centers" if question == "shared" else question
    removed = dict.fromkeys(CULLS, 0)
    for case, a, b in _decided(question, 100, 50_000):
        plain = overlap(a, b, case.pose, sense=sense, culls=())
        assert plain.removed == {}
        assert plain.tested == math.prod(a.resolution)
        for culls in (*SUBSETS, CULLS[::-1], ("lines", "box")):
            some = overlap(a, b, case.pose, sense=sense, culls=culls)
            _same(plain, some)
            assert tuple(some.removed) == tuple(name for name in CULLS if name in culls)
            assert all(many >= 0 for many in some.removed.values())
            assert some.tested + sum(some.removed.values()) == plain.tested
            assert some.tested >= some.count
            if culls == CULLS:
                for name, many in some.removed.items():
                    removed[name] += many
    assert all(removed.values())


def test_fields_agree_with_each_other():
    hits = 0
    for number in range(240):
        question = ("shared", "centers", "cubes")[number % 3]
        case = make(question, 60_000 + number)
        a, b = volume_of(case.a, 0), volume_of(case.b, 0)
        sense = "centers" if question == "shared" else question
        # Each read first, from an answer of its own: none leans on what was read before.
        asked = [overlap(a, b, case.pose, sense=sense) for _ in range(6)]
        hit, count, voxels = bool(asked[0]), asked[1].count, asked[2].voxels
        box, center, normal = asked[3].region, asked[4].center, asked[5].normal
        assert (hit, count) == (len(voxels) > 0, len(voxels))
        assert isinstance(count, int)
        assert voxels.dtype == box.dtype == np.int64
        assert voxels.shape == (count, 3)
        np.testing.assert_array_equal(box, region(voxels))
        assert a.occupied[tuple(voxels.T)].all()
        if not hit:
            assert np.isnan(center).all()
            assert np.isnan(normal).all()
            continue
        hits += 1
        np.testing.assert_allclose(
            center, case.a.centers(voxels).mean(axis=0).astype(float), rtol=1e-12, atol=1e-9 * max(a.spacing)
        )
        assert np.linalg.norm(normal) == pytest.approx(1.0, abs=1e-12)
        for one in asked:
            np.testing.assert_array_equal(one.normal, normal)
            np.testing.assert_array_equal(one.voxels, voxels)
    assert 80 < hits < 180


@pytest.mark.parametrize("sense", ["centers", "cubes"])
@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("shift", [0.0, 0.3])
def test_normal_points_from_b_to_a(sense, axis, side, shift):
    """Two blocks that are a little in each other."""
    a, b = Volume(np.ones((8, 8, 8))), Volume(np.ones((8, 8, 8)))
    place = np.zeros(3)
    place[axis] = side * (6 + shift)
    normal = overlap(a, b, place, sense=sense).normal
    assert normal[axis] == pytest.approx(-side, abs=0.05)


def test_what_was_asked_before_an_edit():
    """An answer stands; what was not read yet can no longer be worked out."""
    for late in ("count", "voxels", "region", "center", "normal", "removed", "tested"):
        for which in range(2):
            pair = Volume(np.ones((4, 4, 4))), Volume(np.ones((4, 4, 4)))
            hit = overlap(*pair, (1.0, 0.0, 0.0))
            pair[which][0, 0, 0] = 1.0  # as it was
            pair[which].threshold = 0.5
            read = overlap(*pair, (1.0, 0.0, 0.0))
            assert read.count == 48
            pair[which][0, 0, 0] = 0.0
            assert bool(hit)
            with pytest.raises(InvalidQuery, match="changed"):
                getattr(hit, late)
            assert read.count == 48
            assert overlap(*pair, (1.0, 0.0, 0.0)).count == 48 - (which == 1)


@pytest.mark.slow
def test_middles_are_in_cubes_too():
    """What is in contact in the sense of middles is so in the sense of cubes."""
    more = 0
    for case, a, b in _decided("centers", 200, 70_000):
        narrow, wide = (overlap(a, b, case.pose, sense=sense) for sense in ("centers", "cubes"))
        assert not set(map(tuple, narrow.voxels.tolist())) - set(map(tuple, wide.voxels.tolist())), case.seed
        more += wide.count > narrow.count
    assert more > 60


def test_cubes_never_miss(rng):
    """A point that lies in a voxel of each, clearly, is in contact."""
    seen = 0
    for case, a, b in _decided("cubes", 100, 80_000):
        held = np.argwhere(a.occupied)
        if len(held) == 0:
            continue
        voxels = rng.choice(held, 500)
        points = case.a.origin + (voxels + rng.uniform(0.001, 0.999, (500, 3))) * case.a.spacing
        within = ((points - case.pose[:3, 3]) @ case.pose[:3, :3] - case.b.origin) / case.b.spacing
        inside = case.b.holds(np.floor(within).astype(np.int64)) & (np.abs(within - np.rint(within)) > 0.001).all(axis=1)
        found = set(map(tuple, overlap(a, b, case.pose, sense="cubes").voxels.tolist()))
        assert set(map(tuple, voxels[inside].tolist())) <= found, case.seed
        seen += int(inside.sum())
    assert seen > 1000


def test_finer_voxels_of_the_same_thing():
    """Cubes cut into eight each meet what the whole ones met."""
    hits = 0
    for case, a, b in _decided("cubes", 60, 90_000):
        fine = [np.repeat(np.repeat(np.repeat(v.occupied, 2, 0), 2, 1), 2, 2) for v in (a, b)]
        halves = [Volume(f, np.divide(v.spacing, 2.0), origin=v.origin) for f, v in zip(fine, (a, b), strict=True)]
        whole = overlap(a, b, case.pose, sense="cubes")
        _same(whole, overlap(a, halves[1], case.pose, sense="cubes"))
        cut = overlap(halves[0], b, case.pose, sense="cubes")
        np.testing.assert_array_equal(np.unique(cut.voxels // 2, axis=0).reshape(-1, 3), whole.voxels)
        hits += bool(whole)
    assert 15 < hits < 50


def test_what_is_known():
    a, b = Volume(np.ones((4, 4, 4))), Volume(np.ones((2, 2, 2)), 0.5, origin=(-0.5, -0.5, -0.5))
    # A unit cube round the origin: its corner is in voxel 0 0 0, whose middle it does not hold.
    assert not overlap(a, b, (-0.3, -0.3, -0.3))
    assert overlap(a, b, (-0.3, -0.3, -0.3), sense="cubes").voxels.tolist() == [[0, 0, 0]]
    # A face at a middle holds it if it is the low one.
    assert overlap(a, b, (1.0, 1.0, 1.0)).voxels.tolist() == [[0, 0, 0]]
    assert overlap(a, b, (1.0, 1.0, 1.0), sense="cubes").count == 8
    assert overlap(a, b, (1.5, 1.5, 1.5)).voxels.tolist() == [[1, 1, 1]]
    assert overlap(a, b, (1.5, 1.5, 1.5), sense="cubes").count == 1
    # Turned by 45 degrees it reaches sqrt(1/2) to each side.
    turned = Rotate((0, 0, 1), math.pi / 4).at()
    turned[:3, 3] = (-0.7, 2.5, 1.5)
    assert overlap(a, b, turned, sense="cubes").voxels.tolist() == [[0, 2, 1]]
    turned[0, 3] = -0.71
    assert not overlap(a, b, turned, sense="cubes")
    turned[0, 3] = 2.0
    assert overlap(a, b, turned, sense="cubes").region.tolist() == [[1, 1, 1], [3, 4, 2]]
    assert overlap(a, b, turned).voxels.tolist() == [[1, 2, 1], [2, 2, 1]]
    # Side by side, edge on edge and corner on corner: a touch is no contact.
    for place in ((4, 0, 0), (0, -4, 0), (0, 4, 4), (4, 4, -4)):
        for sense in ("centers", "cubes"):
            assert not overlap(a, a, place, sense=sense)
    assert overlap(a, a).count == 64
    assert overlap(a, a, (3, 3, 3)).voxels.tolist() == [[3, 3, 3]]


def _exactly(voxels):
    return [[Fraction(float(x)) for x in row] for row in (voxels.spacing, voxels.origin)]


def test_the_twin_of_middles_is_right(rng):
    """Against fractions, at poses and spacings that floats hold exactly."""
    hits = 0
    for number in range(60):
        a, b = (
            Voxels(contents(rng, (3, 4, 5)), rng.choice((0.25, 0.5, 1.0, 2.0), 3), rng.integers(-4, 5, 3) * 0.25)
            for _ in range(2)
        )
        turn = quarter_turns()[number % 24]
        # Middle on middle, or nearly.
        middles = [v.origin + 0.5 * v.spacing * v.occupied.shape for v in (a, b)]
        place = middles[0] - turn @ middles[1] + rng.integers(-4, 5, 3) * 0.125
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = turn, place
        (sa, oa), (sb, ob) = _exactly(a), _exactly(b)
        right = []
        for voxel in np.argwhere(a.occupied).tolist():
            center = [oa[k] + (voxel[k] + Fraction(1, 2)) * sa[k] - Fraction(float(place[k])) for k in range(3)]
            local = [sum(Fraction(int(turn[k, m])) * center[k] for k in range(3)) for m in range(3)]
            cell = [math.floor((local[m] - ob[m]) / sb[m] + Fraction(1, 10**9)) for m in range(3)]
            if all(0 <= cell[m] < b.occupied.shape[m] for m in range(3)) and b.occupied[tuple(cell)]:
                right.append(voxel)
        found = centered(a, b, pose)
        assert found.sure.tolist() == right
        assert len(found.open) == 0
        hits += bool(right)
    assert 10 < hits < 55


def test_bodies(rng):
    scene = ss.Scene()
    one, other = (ss.Volume(contents(rng, (6, 6, 6))) for _ in range(2))
    turn = ss.Rotate((1, 2, 3), 0.7, about=(4, 0, 0)).at()
    first, second = scene.add(one, turn), scene.add(other, turn @ ss.Rotate((0, 0, 1), 0.0).at())
    np.testing.assert_array_equal(ss.overlap(first, second).voxels, ss.overlap(one, other).voxels)
    second.pose = ss.Rotate((0, 1, 0), 0.3).at()
    pose = np.linalg.inv(first.pose) @ second.pose
    np.testing.assert_array_equal(ss.overlap(first, second).voxels, ss.overlap(one, other, pose).voxels)
    ball = scene.add(ss.Sphere(1.0))
    for bad, message in (
        (lambda: ss.overlap(first, second, (1, 0, 0)), "two bodies have their own poses"),
        (lambda: ss.overlap(first, ball), "is a Sphere; expected a Volume"),
    ):
        with pytest.raises(ss.errors.InvalidQuery, match=message):
            bad()
    with pytest.raises(ss.errors.InvalidType, match=r"a: expected a shape, got .*; of bodies: scene.overlaps"):
        ss.overlap(first, other)
    with pytest.raises(ValueError, match="read-only"):
        ss.overlap(first, first).normal[:] = 7.0
    with pytest.raises(ss.errors.NotFound, match="another scene"):
        ss.overlap(first, ss.Scene().add(other))
    scene.remove(second)
    with pytest.raises(ss.errors.NotFound, match="removed"):
        ss.overlap(first, second)


@pytest.mark.parametrize("unit", [1e-11, 1.0, 1e6, 1e12, 1e30])
def test_the_normal_in_any_unit_of_length(unit):
    cube = ss.Volume(np.ones((10, 10, 10)), unit)
    hit = ss.overlap(cube, cube, np.array((4, 1, 0)) * unit)
    assert hit.normal == pytest.approx(ss.overlap(*[ss.Volume(np.ones((10, 10, 10)))] * 2, (4, 1, 0)).normal)


@pytest.mark.parametrize("ratio", [1e6, 1e12, 1e18, 1e20, 1e40])
def test_a_tiny_volume_in_a_huge_voxel(ratio):
    huge, tiny = ss.Volume(np.ones((2, 2, 2)), ratio), ss.Volume(np.ones((3, 3, 3)))
    assert ss.overlap(huge, tiny, (0.7 * ratio,) * 3, sense="cubes").voxels.tolist() == [[0, 0, 0]]
    assert ss.overlap(tiny, huge, (-0.7 * ratio,) * 3, sense="cubes").count == 27


def test_the_twin_of_cubes_is_right(rng):
    """Against intervals where nothing is turned, and against shared voxels."""
    hits = 0
    for _ in range(150):
        a, b = (
            Voxels(contents(rng, (3, 4, 5)), rng.choice((0.25, 0.5, 1.0), 3), rng.integers(-4, 5, 3) * 0.25) for _ in range(2)
        )
        pose = np.eye(4)
        pose[:3, 3] = rng.integers(-6, 7, 3) * 0.125
        mine, theirs = np.argwhere(a.occupied), np.argwhere(b.occupied)
        low, other = a.origin + mine * a.spacing, pose[:3, 3] + b.origin + theirs * b.spacing
        meet = ((low[:, None] < other + b.spacing) & (other < low[:, None] + a.spacing)).all(axis=2).any(axis=1)
        found = cubes(a, b, pose)
        np.testing.assert_array_equal(found.sure, mine[meet])
        hits += bool(meet.any())
    assert 15 < hits < 135
    for seed in range(100):
        case = make("shared", seed)
        right = shared(case.a.occupied, case.b.occupied, case.offset)
        np.testing.assert_array_equal(centered(case.a, case.b, case.pose).sure, right)


def test_the_twins_name_what_is_too_close():
    one = Voxels(np.ones((1, 1, 1), bool), np.ones(3), np.zeros(3))
    for off, middle, cube in (
        (0.5, True, True),
        (0.5 + 1e-12, True, True),
        (0.5 - 1e-12, True, True),
        (0.5 + 3e-8, None, True),
        (0.5 - 3e-8, None, True),
        (0.5 + 3e-7, False, True),
        (0.5 - 3e-7, True, True),
        (1.0, False, False),
        (1.0 - 1e-12, False, False),
        (1.0 - 3e-8, False, None),
        (1.0 - 3e-7, False, True),
    ):
        pose = np.eye(4)
        pose[0, 3] = off
        assert centered(one, one, pose).hit is middle, off
        assert cubes(one, one, pose).hit is cube, off


def test_a_wrong_answer_would_be_seen():
    """The judge is judged: other voxels than the twin's, and shares that say too little, are told."""
    case = next(case for case in (make("centers", seed) for seed in range(100)) if len(reference(case).sure) > 5)
    found = reference(case)
    hit = overlap(volume_of(case.a, 0), volume_of(case.b, 0), case.pose)
    assert not judge(case).faults
    assert not faults_of(hit, case.a, found, CULLS)
    assert faults_of(hit, case.a, Found(found.sure[1:], found.open), CULLS)[0].startswith("0 voxels missed, 1 too many")
    spare = np.argwhere(~case.a.occupied)[:1]
    more = np.concatenate((found.sure, spare))
    assert faults_of(hit, case.a, Found(more, found.open), CULLS)[0].startswith(f"{len(spare)} voxels missed")
    assert not faults_of(hit, case.a, Found(found.sure[1:], found.sure[:1]), CULLS)
    assert faults_of(hit, case.a, found, CULLS[:2])
    assert outside(0.1, 1000, (0.2, 0.6))
    assert outside(0.7, 1000, (0.2, 0.6))
    assert not outside(0.5, 1000, (0.2, 0.6))


def test_the_same_seed_gives_the_same_case():
    for question in QUESTIONS[:3]:
        first, again, other = (make(question, seed) for seed in (5, 5, 5 + len(ARRANGEMENTS[question])))
        np.testing.assert_array_equal(first.a.occupied, again.a.occupied)
        np.testing.assert_array_equal(first.pose, again.pose)
        assert not np.array_equal(first.pose, other.pose)
        assert first.kind == other.kind


@pytest.mark.slow
def test_the_command(run):
    done = run("verify", "volumes", "--cases", 20, check=0)
    assert "wrong: 0;" in done.stdout
    for word in ("shared", "centers", "cubes", "large", "edits", "close", "near_miss", "threshold"):
        assert word in done.stdout
