"""Overlap by opacities at or over a threshold, against the words of Hirai, Yamamoto and Takai (1999), section 3.

"If both of the voxels that overlap are at or over a threshold, they are judged to collide. At the moment the threshold is 0."
"""

import numpy as np
import pytest

from sweepscope import Volume, overlap


def collide(a, b, offset, threshold):
    """Return the voxels of a that collide: both at or over the threshold. The paper's words, voxel by voxel."""
    found = []
    for i, j, k in np.ndindex(*a.shape):
        x, y, z = i - offset[0], j - offset[1], k - offset[2]
        beside = not (0 <= x < b.shape[0] and 0 <= y < b.shape[1] and 0 <= z < b.shape[2])
        if not beside and a[i, j, k] >= threshold and b[x, y, z] >= threshold:
            found.append((i, j, k))
    return found


@pytest.mark.parametrize("kind", [np.uint8, np.float32])
def test_at_or_over_is_the_papers_rule(rng, kind):
    hits = 0
    for _ in range(60):
        a, b = (rng.integers(0, 5, rng.integers(2, 6, 3)) for _ in range(2))
        a, b = a.astype(kind), (b * (rng.random() < 0.8)).astype(kind)
        if kind is np.float32:
            a, b = a / kind(3), b / kind(3)
        offset, threshold = rng.integers(-2, 3, 3), float(rng.choice(np.unique(a)))
        mine = collide(a, b, offset, threshold)
        for keep in (True, False):
            one, other = (Volume(alpha, threshold=threshold, inclusive=True, keep_alpha=keep) for alpha in (a, b))
            found = overlap(one, other, offset.astype(float))
            assert bool(found) == bool(mine)
            assert sorted(map(tuple, found.voxels.tolist())) == mine
        hits += bool(mine)
    assert 10 < hits < 55


def test_at_or_over_0_is_everything_and_over_0_is_what_the_paper_draws(rng):
    a, b = rng.integers(0, 2, (2, 4, 5, 6)).astype(np.uint8)
    assert len(collide(a, b, (0, 0, 0), 0)) == overlap(*(Volume(alpha, inclusive=True) for alpha in (a, b))).count == a.size
    # Over 0 is at or over 1 for whole numbers.
    assert len(collide(a, b, (0, 0, 0), 1)) == overlap(Volume(a), Volume(b)).count < a.size


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.7, 0.9])
def test_at_the_threshold_means_as_it_is_stored(kind, threshold):
    alpha = np.full((2, 2, 2), threshold, kind)
    volume = Volume(alpha, threshold=threshold, inclusive=True)
    assert volume.count == 8
    volume[0, 0, 0] = 0.0
    assert volume.count == 7
    volume[0, 0, 0] = threshold
    assert volume.count == 8
    below = Volume(np.nextafter(alpha, kind(0.0)), threshold=threshold, inclusive=True)
    assert below.count == 0
