"""The third paper's experiment, cut short: the published kernels against NumPy, and what must hold whatever the machine."""

import csv
import math
from dataclasses import replace

import numpy as np
import pytest
from sweepscope_lab.cli.papers import run_papers
from sweepscope_lab.kernels import lines_published as published
from sweepscope_lab.papers import volume
from sweepscope_lab.papers.volume_frames import Costs, Pair, Step, change, shared
from sweepscope_lab.papers.volume_pictures import camera_of, hazes_of, plot_pair

from sweepscope import SweepscopeError, Volume, overlap
from sweepscope.drawing.palette import BODIES
from sweepscope.drawing.volumes import haze_of, rays_through

pytestmark = pytest.mark.slow


def quiet(_line):
    pass


class Kept:
    """A volume of any shape, with the index that the kernels keep up."""

    def __init__(self, alpha, threshold):
        self.alpha, self.threshold = alpha.copy(), threshold
        self.counts = np.empty(sum(alpha.shape) + 6, np.int64)
        self.spans = np.empty((alpha.shape[0] * alpha.shape[1], 2), np.int16)
        published.index(self.alpha.ravel(), alpha.shape, threshold, self.counts, self.spans)

    def change_to(self, new):
        """Return the voxels whose occupancy changes, and how many of them enter; write alpha."""
        was, now = self.alpha > self.threshold, new > self.threshold
        entered, left = np.argwhere(now & ~was), np.argwhere(was & ~now)
        self.alpha[:] = new
        return np.concatenate((entered, left)).astype(np.int32), len(entered)

    def same_as(self, other):
        return np.array_equal(self.counts, other.counts) and np.array_equal(self.spans, other.spans)

    def expected(self):
        """Return counts and spans by NumPy alone."""
        filled = self.alpha > self.threshold
        nz = filled.shape[2]
        planes = [filled.sum(axis=tuple({0, 1, 2} - {axis})) for axis in range(3)]
        held = [np.flatnonzero(plane) for plane in planes]
        low, high = ([k[0] if len(k) else 0 for k in held], [k[-1] + 1 if len(k) else 0 for k in held])
        some = filled.any(axis=2)
        zmin = np.where(some, filled.argmax(axis=2), nz)
        zmax = np.where(some, nz - 1 - filled[:, :, ::-1].argmax(axis=2), -1)
        return np.concatenate((*planes, low, high)), np.stack((zmin.ravel(), zmax.ravel()), axis=1)


def keep(a, changed_a, b, changed_b, lines):
    """Bring both up to date by one of the two methods."""
    if lines:
        published.keep_lines(
            a.alpha.ravel(), *changed_a, a.alpha.shape, a.counts, a.spans,
            b.alpha.ravel(), *changed_b, b.alpha.shape, b.counts, b.spans, a.threshold,
        )  # fmt: skip
    else:
        published.keep_planes(*changed_a, a.alpha.shape, a.counts, *changed_b, b.alpha.shape, b.counts)


def meet(a, b, offset):
    """Return the answers of both methods."""
    live = np.empty((3, max(a.alpha.shape) + 1), np.int64)
    planes = published.meet_planes(
        a.alpha.ravel(), a.alpha.shape, a.counts, b.alpha.ravel(), b.alpha.shape, b.counts, offset, a.threshold, live
    )
    lines = published.meet_lines(
        a.alpha.ravel(), a.alpha.shape, a.counts, a.spans,
        b.alpha.ravel(), b.alpha.shape, b.counts, b.spans, offset, a.threshold, live,
    )  # fmt: skip
    return planes, lines


def overlapping(a, b, offset):
    """Return by NumPy which voxels of a are occupied in both, shape of a."""
    filled = np.zeros(a.alpha.shape, np.bool_)
    for place in np.argwhere(b.alpha > b.threshold) + offset:
        if (place >= 0).all() and (place < a.alpha.shape).all():
            filled[tuple(place)] = True
    return filled & (a.alpha > a.threshold)


def draw(rng, shape, dtype):
    """Return alpha with as much in it as may be: mostly little, so that there are hits and misses, now and then nothing."""
    alpha = rng.integers(1, 256, shape) * (rng.random(shape) < rng.choice((0.0, 0.01, 0.1, 0.4)))
    return alpha.astype(dtype)


@pytest.mark.parametrize(("dtype", "threshold"), [(np.uint8, 0), (np.uint8, 100), (np.float32, 0.0)])
def test_index_afresh_is_numpys(rng, dtype, threshold):
    for _ in range(60):
        kept = Kept(draw(rng, rng.integers(1, 9, 3), dtype), threshold)
        counts, spans = kept.expected()
        assert np.array_equal(kept.counts, counts)
        assert np.array_equal(kept.spans, spans)


def test_index_kept_up_is_the_one_built_afresh(rng):
    shapes = (7, 5, 9), (4, 8, 6)
    first, second = (Kept(draw(rng, shape, np.uint8), 40) for shape in shapes)
    emptied = 0
    for _ in range(400):
        news = []
        for kept in (first, second):
            new = kept.alpha.copy()
            if rng.random() < 0.1:
                new = draw(rng, new.shape, np.uint8)
            else:  # runs along z, which are ends of lines more often than single voxels
                for _ in range(rng.integers(1, 12)):
                    x, y, z = (int(rng.integers(size)) for size in new.shape)
                    new[x, y, z : z + int(rng.integers(1, 5))] = rng.choice((0, 0, 30, 200))
            news.append(new)
        before = first.spans.copy(), second.spans.copy()
        changed = [kept.change_to(new) for kept, new in zip((first, second), news, strict=True)]
        keep(first, changed[0], second, changed[1], lines=True)
        for kept, spans in zip((first, second), before, strict=True):
            assert kept.same_as(Kept(kept.alpha, kept.threshold))
            emptied += np.count_nonzero((spans[:, 1] >= 0) & (kept.spans[:, 1] < 0))
    assert emptied > 100


def test_planes_are_kept_up_without_lines(rng):
    for _ in range(50):
        first, second = (Kept(draw(rng, (6, 7, 8), np.uint8), 0) for _ in range(2))
        changed = [kept.change_to(draw(rng, (6, 7, 8), np.uint8)) for kept in (first, second)]
        spans = first.spans.copy()
        keep(first, changed[0], second, changed[1], lines=False)
        assert np.array_equal(first.counts, Kept(first.alpha, 0).counts)
        assert np.array_equal(second.counts, Kept(second.alpha, 0).counts)
        assert np.array_equal(first.spans, spans)


def test_both_methods_give_numpys_answer(rng):
    hits, misses = 0, 0
    for _ in range(2_000):
        first, second = (Kept(draw(rng, rng.integers(2, 14, 3), np.uint8), 0) for _ in range(2))
        offset = tuple(int(d) for d in rng.integers(-4, 5, 3))
        truth = bool(overlapping(first, second, offset).any())
        assert meet(first, second, offset) == (truth, truth)
        assert shared(first.alpha, second.alpha, offset) == truth
        hits += truth
        misses += not truth and bool(first.alpha.any() and second.alpha.any())
    assert hits > 200
    assert misses > 200


def test_each_cull_removes_what_it_should(rng):
    live = np.empty((3, 12), np.int64)
    used = np.zeros(4, np.int64)
    for _ in range(200):
        shape = (8, 9, 10)
        first, second = (Kept(draw(rng, shape, np.uint8), 0) for _ in range(2))
        offset = tuple(int(d) for d in rng.integers(-4, 5, 3))
        found = published.removed(shape, first.counts, first.spans, shape, second.counts, second.spans, offset, live)
        # By NumPy: which voxels of the first each cull leaves, one voxel at a time.
        a, b = first.alpha > 0, second.alpha > 0
        places = np.indices(shape).reshape(3, -1).T
        there = places - offset
        inside = ((there >= 0) & (there < shape)).all(axis=1)
        clipped = np.where(inside[:, None], there, 0)
        box_and_pose, planed, lined = inside.copy(), inside.copy(), inside.copy()
        for filled, at in ((a, places), (b, clipped)):
            for axis in range(3):
                plane = filled.any(axis=tuple({0, 1, 2} - {axis}))
                held = np.flatnonzero(plane)
                low, high = (held[0], held[-1]) if len(held) else (1, 0)
                box_and_pose &= (at[:, axis] >= low) & (at[:, axis] <= high)
                planed &= plane[at[:, axis]]
            below = np.maximum.accumulate(filled, axis=2) & np.maximum.accumulate(filled[:, :, ::-1], axis=2)[:, :, ::-1]
            lined &= below[tuple(at.T)]
        lined &= planed
        counts = [len(places), box_and_pose.sum(), planed.sum(), lined.sum()]
        assert found == (counts[0] - counts[1], counts[1] - counts[2], counts[2] - counts[3], counts[3])
        used += np.array(found) > 0
    assert used.min() > 40


def test_changes_are_found(rng):
    for _ in range(40):
        old = draw(rng, (6, 6, 6), np.uint8)
        new = np.where(rng.random(old.shape) < 0.1, draw(rng, old.shape, np.uint8), old)
        found = change(old, new)
        entered, left = np.argwhere((new > 0) & (old == 0)), np.argwhere((new == 0) & (old > 0))
        assert found.voxels[: found.entered].tolist() == entered.tolist()
        assert found.voxels[found.entered :].tolist() == left.tolist()
        outside = np.ones(old.shape, np.bool_)
        outside[found.region] = False
        assert np.array_equal(old[outside], new[outside])
    same = change(old, old)
    assert (len(same.voxels), same.region) == (0, (slice(0, 0),) * 3)


def test_answers_that_differ_are_not_timed():
    after = np.zeros((8, 8, 8), np.uint8)
    after[2:4, 2:4, 2:4] = 9
    pair = Pair(Step(1, (np.zeros_like(after), after), (after, after), np.zeros(3, np.int64)))
    assert pair.checked("two cubes")
    pair._library[0][...] = 0  # as if the library had lost it; only the listed voxels are written again
    pair._changes = [replace(one, region=(slice(0, 0),) * 3) for one in pair._changes]
    pair._edits = [(where, np.zeros_like(values)) for where, values in pair._edits]
    with pytest.raises(SweepscopeError, match="two cubes: answers differ"):
        pair.checked("two cubes")


def test_stories_are_told_in_steps_of_one_frame():
    story = volume.story_of(2, 16)
    told = list(volume.steps(story, [3, 4, 9]))
    assert [one.frame for one in told] == [3, 4, 9]
    assert told[1].before is told[0].after
    for one in told:
        for k, alphas in ((one.frame - 1, one.before), (one.frame, one.after)):
            frame = story.at(k / volume.FRAMES)
            for alpha, floats in zip(alphas, (frame.first, frame.second), strict=True):
                assert alpha.dtype == np.uint8
                assert np.array_equal(alpha > 0, floats > 0.0)
    assert volume.spread(volume.FRAMES - 1) == list(range(1, volume.FRAMES))
    assert len(volume.spread(10)) == 10


@pytest.fixture(scope="module")
def frames():
    return [row for data in volume.DATA for row in volume.measure(quiet, data, 32, volume.spread(30), 1)]


def test_the_data_are_as_the_experiment_needs_them(frames):
    # The two must touch in some frames and not in others, and what boxes and planes leave must be a good part of the grid.
    for data, least in ((1, 0.15), (2, 0.08)):
        mine = [row for row in frames if row.data == data]
        touching = sum(row.touching for row in mine)
        assert 4 <= touching <= len(mine) - 4
        mean = volume.means(mine)[0].costs
        assert mean.after_planes > least
        assert mean.lines > 0.95 * mean.after_planes
        assert 10.0 < mean.changed < 2_000.0


def test_means_and_shares_add_up(frames):
    for row in frames:
        assert row.costs.box + row.costs.planes + row.costs.lines + row.costs.tested == pytest.approx(1.0)
        assert not row.touching or row.costs.tested > 0.0
    rows = {(row.data, row.part): row for row in volume.means(frames)}
    assert set(rows) == {(data, part) for data in volume.DATA for part in volume.PARTS}
    for data in volume.DATA:
        whole, apart, touching = (rows[data, part] for part in volume.PARTS)
        assert whole.frames == apart.frames + touching.frames == 30
        both = apart.frames * apart.costs.by_lines + touching.frames * touching.costs.by_lines
        assert whole.frames * whole.costs.by_lines == pytest.approx(both)
        assert math.isnan(whole.published)


def test_planes_remove_work_where_stacks_have_gaps():
    rows = {(row.data, row.part): row for row in volume.measure_culls(quiet, 40, 1, 32)}
    assert {data for data, _ in rows} == set(volume.PAIRS)
    for row in rows.values():
        assert sum(row.shares) == pytest.approx(1.0)
        assert min(row.seconds) > 0.0
    # Of what the box leaves, planes remove most of the stacks and little of the paper's two data.
    for data, (least, most) in {1: (0.0, 0.3), 2: (0.0, 0.3), volume.PLATES: (0.7, 1.0)}.items():
        _, planes, lines, left = rows[data, "apart"].shares
        assert least <= planes / (planes + lines + left) <= most
    assert 5 <= rows[volume.PLATES, "touching"].frames <= 35


def test_growth_is_the_power_of_n():
    def costs(n, power):
        return Costs(n, *(1e-9 * n**power,) * 8, 0.5, 0.0, 0.5, 0.0)

    rows = [volume.Mean(1, n, "all", 5, costs(n, 2.5)) for n in (16, 32, 64)]
    assert volume.exponents(rows)[1, "by_planes"] == pytest.approx(2.5)
    assert math.isnan(volume.exponents(rows[:1])[1, "by_lines"])
    assert rows[2].published == 3.0
    assert rows[0].costs.ratio == 1.0


def test_run_papers_writes_tables_and_figures(tmp_path, capsys):
    assert run_papers("volume", tmp_path / "new", "tiny") == 0
    shown = capsys.readouterr().out
    assert "Table 1" in shown
    assert "1.05, 0.35 ms" in shown
    for name, least in (("table1", 6), ("sizes", 6), ("culls", 12), ("frames", 60), ("cull_times", 6)):
        with (tmp_path / "new" / f"volume_{name}.csv").open() as file:
            rows = list(csv.DictReader(file))
        assert len(rows) >= least
        for row in rows:
            numbers = [float(value) for key, value in row.items() if key not in ("name", "part", "touching", "published ratio")]
            assert np.isfinite(numbers).all()
            assert min(numbers) >= 0.0
    for name in ("table1", "sizes", "culls", "frames", "worth", "fig2", "fig8", "fig9", "plates"):
        picture = (tmp_path / "new" / f"volume_{name}.png").read_bytes()
        assert picture[:8] == b"\x89PNG\r\n\x1a\n"
        assert len(picture) > 10_000


def test_what_collides_is_red(tmp_path):
    """Figs. 8 and 9: two volumes apart, and the same two where they share voxels; transparent on the left, opaque on the right."""
    alpha = np.zeros((12, 12, 12), np.uint8)
    alpha[2:9, 2:9, 2:9] = 200
    red = []
    for offset in ((7, 0, 0), (5, 0, 0)):
        file = tmp_path / "pair.png"
        pixels = plot_pair("a pair", (alpha, alpha), np.array(offset), file).pixels.astype(float)
        assert file.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
        strong = (pixels[..., 0] > 110) & (pixels[..., 0] > 2.0 * pixels[..., 1]) & (pixels[..., 0] > 2.0 * pixels[..., 2])
        half = pixels.shape[1] // 2
        red.append((int(strong[:, :half].sum()), int(strong[:, half:].sum())))
    assert red[0] == (0, 0)
    assert min(red[1]) > 200


def test_shared_voxels_are_drawn_once_and_hide_as_much_as_both():
    rng = np.random.default_rng(3)
    alphas = [(rng.integers(0, 255, (6, 6, 6)) * (rng.random((6, 6, 6)) < 0.5)).astype(np.uint8) for _ in range(2)]
    found = overlap(Volume(alphas[0]), Volume(alphas[1]), (2.0, 1.0, 0.0))
    assert found.count > 5
    apart = [haze_of(found.volumes[0], BODIES[0]), haze_of(found.volumes[1], BODIES[1], found.pose)]
    camera = camera_of([found], (24, 24))
    covers = [rays_through(hazes, camera)[..., 3] for hazes in (apart, hazes_of(found))]
    assert np.allclose(*covers, atol=2e-4)
    first, second, red = hazes_of(found)
    assert first.alpha.astype(bool).sum() + red.alpha.astype(bool).sum() == found.volumes[0].count
    assert second.alpha.astype(bool).sum() + red.alpha.astype(bool).sum() == found.volumes[1].count
