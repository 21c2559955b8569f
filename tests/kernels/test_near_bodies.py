"""The hierarchy over world boxes finds what a test of every box finds, in the same order."""

import numpy as np
import pytest
from numba import njit

from sweepscope.kernels.base import hierarchy as kernels
from sweepscope.world.hierarchy import FEWEST, NO_HIERARCHY, build


@njit
def near(nodes, ints, boxes, bodies, low, high, found):
    return kernels.near_bodies(nodes, ints, boxes, bodies, (low[0], low[1], low[2], high[0], high[1], high[2]), found)


def by_all(boxes, rows, low, high):
    """The rows of the boxes that meet a box, without empty ones."""
    some = boxes[:, :rows]
    meet = (some[:3] <= high[:, None]).all(axis=0) & (some[3:] >= low[:, None]).all(axis=0)
    return np.flatnonzero(meet & (some[0] <= some[3]))


def check(hierarchy, boxes, rows, rng, questions=20):
    """Compare questions of all sizes; return how many of them found something."""
    useful = 0
    there = boxes[:, :rows][:, np.isfinite(boxes[:, :rows]).all(axis=0)]
    low, high = (there[:3].min(axis=1), there[3:].max(axis=1)) if there.size else (np.zeros(3), np.ones(3))
    found = np.empty(max(rows, 1), np.int64)
    for _ in range(questions):
        middle = rng.uniform(low, high)
        half = (high - low) * rng.choice((0.0, 0.01, 0.1, 0.3, 1.0))
        if there.size and rng.random() < 0.3:
            k = rng.integers(there.shape[1])  # the box of a body, to the bit: touching counts
            middle, half = there[:3, k], np.zeros(3)
        expected = by_all(boxes, rows, middle - half, middle + half)
        count = near(*hierarchy, boxes, rows, middle - half, middle + half, found)
        np.testing.assert_array_equal(found[:count], expected)
        useful += count > 0
    return useful


def random_boxes(rng, rows, kind):
    """Boxes of a kind, with room for more, shape (6, more than rows)."""
    middle = rng.uniform(0, 10, (3, rows))
    half = rng.uniform(0, 0.5, (3, rows))
    if kind == "clusters":
        middle = rng.normal(size=(3, 7))[:, rng.integers(7, size=rows)] * 1e3 + rng.normal(size=(3, rows))
    elif kind == "giants":
        half[:, rng.random(rows) < 0.1] *= 300.0
        half[:2, :1] = 1e9
    elif kind == "one place":
        middle[:], half[:] = 3.0, 0.5
    elif kind == "points":
        half[:] = 0.0
    elif kind == "one far away":
        middle[:, :1] = 1e50
    boxes = np.concatenate((np.concatenate((middle - half, middle + half)), np.full((6, 7), np.nan)), axis=1)
    if kind == "empty":
        boxes[:3, rng.random(rows + 7) < 0.3] = np.inf
        boxes[3:, boxes[0] == np.inf] = -np.inf
    elif kind == "infinite":
        boxes[:3, :3], boxes[3:, :3] = -np.inf, np.inf
        boxes[1, 5:9] = -np.inf
    return boxes


@pytest.mark.parametrize("kind", ["even", "clusters", "giants", "one place", "points", "one far away", "empty", "infinite"])
def test_it_finds_what_a_test_of_every_box_finds(kind, rng):
    useful = 0
    for rows in (0, 1, 7, 8, 9, 63, 64, 65, 300, 1000, 5000):
        boxes = random_boxes(rng, rows, kind)
        hierarchy = build(boxes, rows)
        assert hierarchy.ints[kernels.LEVELS] > 0
        useful += check(hierarchy, boxes, rows, rng)
        check(NO_HIERARCHY, boxes, rows, rng)
    assert useful > 40


def test_the_same_boxes_make_the_same_hierarchy(rng):
    boxes = random_boxes(rng, 3000, "clusters")
    one, other = build(boxes, 3000), build(boxes.copy(), 3000)
    np.testing.assert_array_equal(one.ints, other.ints)
    np.testing.assert_array_equal(one.nodes, other.nodes)


@pytest.mark.parametrize("share", [1, 30, 900])
def test_changed_and_new_boxes_are_found(share, rng):
    rows, most = 1000, 1600
    boxes = random_boxes(rng, most, "even")
    hierarchy = build(boxes, rows)
    useful, kept = 0, 0
    for _ in range(60):
        changed = rng.choice(rows, share, replace=False)
        step = rng.normal(size=(3, share)) * rng.choice((0.01, 3.0))
        boxes[:3, changed] += step
        boxes[3:, changed] += step
        gone = changed[: share // 10]
        boxes[:3, gone], boxes[3:, gone] = np.inf, -np.inf
        more = min(most, rows + int(rng.integers(20)))
        changed, rows = np.concatenate((changed, np.arange(rows, more))), more
        if kernels.update(*hierarchy, boxes, changed):
            kept += 1
        else:
            hierarchy = build(boxes, rows)
        useful += check(hierarchy, boxes, rows, rng, 5)
    assert useful > 60
    assert kept > 5


def test_wear_requests_a_new_hierarchy(rng):
    boxes = random_boxes(rng, 1000, "even")
    hierarchy = build(boxes, 1000)
    assert kernels.update(*hierarchy, boxes, np.arange(1000))  # nothing moved
    assert hierarchy.ints[kernels.WEAR] == 0
    mixed = np.ascontiguousarray(boxes[:, rng.permutation(1000)])
    assert not kernels.update(*hierarchy, mixed, np.arange(1000))


def test_new_bodies_beyond_the_free_places_request_a_new_hierarchy(rng):
    boxes = random_boxes(rng, 3000, "even")
    hierarchy = build(boxes, 1000)
    assert kernels.update(*hierarchy, boxes, np.arange(1000, 1100))
    assert not kernels.update(*hierarchy, boxes, np.arange(1100, 3000))


def test_a_small_array_is_filled_and_the_count_says_how_many_there_are(rng):
    rows = 2 * FEWEST
    boxes = random_boxes(rng, rows, "even")
    for hierarchy in (build(boxes, rows), NO_HIERARCHY):
        for size in (0.5, 20.0):
            low, high = np.full(3, 5.0 - size), np.full(3, 5.0 + size)
            expected = len(by_all(boxes, rows, low, high))
            found = np.full(expected + 1, -7)
            assert near(*hierarchy, boxes, rows, low, high, found[: expected // 2]) == expected
            assert (found[expected // 2 :] == -7).all()
            assert near(*hierarchy, boxes, rows, low, high, found[:expected]) == expected
            assert found[-1] == -7


def test_infinite_questions_find_all_but_empty_boxes(rng):
    boxes = random_boxes(rng, 1000, "empty")
    found = np.empty(1000, np.int64)
    for hierarchy in (build(boxes, 1000), NO_HIERARCHY):
        count = near(*hierarchy, boxes, 1000, np.full(3, -np.inf), np.full(3, np.inf), found)
        np.testing.assert_array_equal(found[:count], np.flatnonzero(boxes[0, :1000] < np.inf))
