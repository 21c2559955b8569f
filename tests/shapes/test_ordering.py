"""The order of faces and their blocks, against twins written from the definition."""

import numpy as np
import pytest

from sweepscope import threads
from sweepscope.kernels.base.blocks import BLOCK, LEAF
from sweepscope.shapes import ordering


def fixed(array):
    """As shapes give their arrays: read-only."""
    same = np.ascontiguousarray(array)[...]
    same.setflags(write=False)
    return same


def ordered(vertices, faces):
    return ordering.ordered(fixed(vertices), fixed(faces))


def cut(faces, order, count):
    return ordering.cut(fixed(faces), order, count)


def _clouds(rng):
    """Vertices and faces of every kind: nasty places, few and many faces."""
    for count in (0, 1, 3, 4, 5, 8, 9, 33, 1000):
        vertices = rng.normal(size=(max(1, count), 3))
        yield vertices, rng.integers(0, len(vertices), (count, 3))
    faces = rng.integers(0, 700, (900, 3))
    yield np.zeros((700, 3)), faces
    yield np.repeat(np.arange(700.0), 3).reshape(-1, 3), faces
    yield rng.integers(0, 3, (700, 3)).astype(float), faces
    yield rng.normal(size=(700, 3)) * (1e50 / 6, 1e-300, 1.0), faces
    yield np.where(rng.random((700, 3)) < 0.5, -0.0, 0.0), faces
    yield np.concatenate((rng.normal(size=(699, 3)), [(1e50, 0.0, 0.0)])), faces
    yield rng.normal(size=(700, 3)), np.zeros((900, 3), int)


def _cases(rng):
    return [(vertices, faces.astype(np.int32)) for vertices, faces in _clouds(rng)]


def _check_halves(centers, lo, hi):
    """Assert that a run is halved along its longest side, and so are its halves."""
    if hi - lo <= LEAF:
        return
    half = LEAF
    while half * 2 < hi - lo:
        half *= 2
    here = centers[lo:hi]
    axis = np.argmax(here.max(axis=0) - here.min(axis=0))
    assert here[:half, axis].max() <= here[half:, axis].min()
    _check_halves(centers, lo, lo + half)
    _check_halves(centers, lo + half, hi)


def test_runs_are_halved_along_their_longest_side(rng):
    for vertices, faces in _cases(rng):
        order = ordered(vertices, faces)
        assert sorted(order.tolist()) == list(range(len(faces)))
        corners = vertices[faces[order]]
        _check_halves(0.5 * corners.min(axis=1) + 0.5 * corners.max(axis=1), 0, len(faces))


def test_blocks_list_their_vertices_by_first_use(rng):
    for vertices, faces in _cases(rng):
        order = rng.permutation(len(faces)).astype(np.int32)
        listed, starts, corners, used = cut(faces, order, len(vertices))
        begins = [0]
        for begin in range(0, len(faces), BLOCK):
            block = faces[order[begin : begin + BLOCK]]
            own = list(dict.fromkeys(block.ravel().tolist()))
            assert listed[begins[-1] : begins[-1] + len(own)].tolist() == own
            assert np.array_equal(np.array(own)[corners[begin : begin + BLOCK]], block)
            begins.append(begins[-1] + len(own))
        assert starts.tolist() == begins
        assert len(listed) == begins[-1]
        assert np.flatnonzero(used).tolist() == sorted(set(faces.ravel().tolist()))


def test_vertices_that_meet_in_the_blocks_table(rng):
    # All 96 vertices of a block have one place in its table: numbers whose product with the constant begins alike.
    numbers = np.arange(1 << 17)
    alike = numbers[(numbers * 2654435769 & 0xFFFFFFFF) >> 24 == 255][: 3 * BLOCK]
    faces = rng.permutation(np.repeat(alike, 2)).reshape(-1, 3).astype(np.int32)
    order = np.arange(len(faces), dtype=np.int32)
    listed, starts, corners, _ = cut(faces, order, 1 << 17)
    assert np.array_equal(listed[starts[order // BLOCK][:, None] + corners], faces)


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_any_number_of_threads_gives_the_same(rng, monkeypatch, workers):
    vertices = rng.normal(size=(20_000, 3))
    faces = rng.integers(0, len(vertices), (70_050, 3)).astype(np.int32)
    order = ordered(vertices, faces)
    blocks = cut(faces, order, len(vertices))
    monkeypatch.setattr(ordering, "WORKERS", workers)
    monkeypatch.setattr(threads, "WORKERS", workers)
    monkeypatch.setattr(ordering, "_ALONE", 4096)
    assert np.array_equal(ordered(vertices, faces), order)
    for mine, before in zip(cut(faces, order, len(vertices)), blocks, strict=True):
        assert np.array_equal(mine, before)
