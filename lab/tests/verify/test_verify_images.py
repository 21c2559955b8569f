"""`sweepscope verify images`: true images are right, and images with a usual mistake are found."""

import numpy as np
import pytest
from sweepscope_lab.reference import raster
from sweepscope_lab.verify.images import judge_images, tally_images

import sweepscope as ss

BELOW = 8  # seeds

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def verdicts():
    return [each for seed in range(40) for each in judge_images(seed)]


def test_all_sources_agree(verdicts):
    assert [each for each in verdicts if each.wrong] == []
    rows = {(row.source, row.method): row for row in tally_images(verdicts)}
    assert len(rows) == 12
    for row in rows.values():
        assert row.cases == 40
        # Cases of both kinds, and those that pixels cannot decide.
        assert 12 <= row.exact <= 32
        assert row.same >= 30 or row.method != "sampled"
        assert row.missed == 0 or row.method != "bounding"
    assert rows["plain, rear", "sampled"].hidden >= 4
    assert rows["plain, front", "sampled"].hidden == 0
    assert rows["plain, rear", "published"].alarms > 0


MISTAKES = {
    "columns the other way": lambda depth, ids: (depth[:, ::-1], ids[:, ::-1]),
    "rows from the bottom": lambda depth, ids: (depth[::-1], ids[::-1]),
    "a pixel to the right": lambda depth, ids: (np.roll(depth, 1, axis=1), np.roll(ids, 1, axis=1)),
    "too near": lambda depth, ids: (np.where(ids < 0, depth, depth - 0.01), ids),
    "too far": lambda depth, ids: (np.where(ids < 0, depth, depth + 0.01), ids),
    "other numbers": lambda depth, ids: (depth, np.where(ids < 0, -1, ids + 100)),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_found(mistake):
    """Of images that begin at the mover's front: those of the mover itself are right."""

    def wrong(triangles, owners, view, pixels, begin):
        depth, ids = raster.draw(triangles, owners, view, pixels, begin)
        return (depth, ids) if begin is None else MISTAKES[mistake](depth, ids)

    found = [each for seed in range(BELOW) for each in judge_images(seed, {"wrong": wrong})]
    assert any(each.wrong for each in found if each.source == "wrong, front")
    assert not any(each.wrong for each in found if not each.source.startswith("wrong, "))


def test_the_plain_renderer_draws_what_looks_draw(rng):
    scene = ss.Scene()
    for _ in range(5):
        shape = ss.Mesh(rng.normal(size=(12, 3)), rng.permutation(12).reshape(4, 3))
        scene.add(shape, rng.normal(size=3) + (0, 0, 4))
    view = ss.View((0, 0, -1), (0.1, 0.2, 1), width=5, height=4, depth=9)
    bodies = list(scene)
    triangles = np.concatenate([(body.vertices + body.pose[:3, 3])[body.shape.faces] for body in bodies])
    owners = np.repeat([body.id for body in bodies], 4)
    seen = scene.look(view, pixels=(40, 32))
    depth, ids = raster.draw(triangles, owners, view, (40, 32))
    assert seen.counts.sum() > 300
    assert np.abs(depth - seen.depth).max() < 1e-9
    assert np.array_equal(ids, seen.ids)
    bounds = scene.look(view, pixels=(20, 16), bounding=True)
    least, greatest = raster.bound(triangles, view, (20, 16))
    # The library's bounds are those of a triangle's box and plane in the cell: not always the least, but never more.
    assert (bounds.depth <= least + 1e-9).all()
    assert (np.abs(least - bounds.depth) < 1e-9).mean() > 0.5
    # Bounds of cells of 2 x 2 pixels are below the depths at their centers, and the greatest above.
    shown = depth.reshape(16, 2, 20, 2).min(axis=(1, 3))
    assert (least <= shown + 1e-12).all()
    assert (greatest[shown < view.depth] >= shown[shown < view.depth] - 1e-12).all()
