"""Vertices in the same place, parts and closedness, against twins written from the definition."""

from collections import Counter

import numpy as np
import pytest

import sweepscope as ss
from sweepscope import threads
from sweepscope.kernels.base import weld
from sweepscope.shapes import connected as module
from sweepscope.shapes.connected import welded
from sweepscope.shapes.topology import topology_of


def _labels_twin(points, listed):
    """A dictionary of places; tuples of floats compare -0.0 and 0.0 as equal."""
    numbers = {}
    return [numbers.setdefault(tuple(points[v].tolist()), len(numbers)) for v in listed]


def _parts_twin(shape, order):
    """Starts of the parts, their faces in block order, and whether the surface is closed: sets of faces that grow together."""
    corners = [tuple(face) for face in shape.faces[order].tolist()]
    if any(b != c for _, b, c in corners):
        places = _labels_twin(shape.vertices, range(len(shape.vertices)))
        corners = [tuple(places[v] for v in face) for face in corners]
    groups = []  # (places, faces)
    for k, face in enumerate(corners):
        touching = [group for group in groups if group[0] & set(face)]
        groups = [group for group in groups if not group[0] & set(face)]
        groups.append((set(face).union(*(group[0] for group in touching)), [k]))
        for group in touching:
            groups[-1][1].extend(group[1])
    groups.sort(key=lambda group: min(group[1]))
    members = [k for _, faces in groups for k in sorted(faces)]
    starts = np.cumsum([0, *(len(faces) for _, faces in groups)]).tolist()
    edges = Counter()
    uses = Counter()
    for face in corners:
        if len(set(face)) == 3:
            for a, b in zip(face, (*face[1:], face[0]), strict=True):
                uses[frozenset((a, b))] += 1
                edges[a, b] += 1
    if not uses:
        closed = 0
    elif all(edges[a, b] == edges[b, a] for a, b in list(edges)):
        closed = 1
    else:
        closed = 0 if any(n % 2 for n in uses.values()) else 2
    return starts, members, closed


def _agree(shape):
    plan = topology_of(shape)
    starts, members, closed = plan.parts
    expected = _parts_twin(shape, plan.order)
    assert (starts.tolist(), members.tolist(), closed) == expected
    assert starts.dtype == members.dtype == np.int32
    return len(starts) - 1, closed


def _soup(mesh):
    places = mesh.vertices[mesh.faces].reshape(-1, 3)
    return places, np.arange(len(places)).reshape(-1, 3)


def test_parts_of_random_faces(rng):
    seen = Counter()
    for _ in range(300):
        count, size = rng.integers(1, 25), rng.integers(1, 60)
        # Few places, so that some are repeated, with zeros of both signs, tiny and huge.
        places = rng.choice([-0.0, 0.0, 1.0, -1.0, 1e-300, 1e50, 5e-324], (size, 3))
        parts, closed = _agree(ss.Mesh(places, rng.integers(0, size, (count, 3))))
        seen[min(parts, 3)] += 1
        seen["closed", closed] += 1
    assert min(seen[1], seen[2], seen[3]) >= 10
    assert seen["closed", 0] >= 100


def test_random_faces_that_close(rng):
    seen = Counter()
    for _ in range(200):
        tetrahedra = []
        for _ in range(rng.integers(1, 6)):
            a, b, c, d = rng.permutation(9)[:4]
            faces = np.array([(a, b, c), (a, d, b), (b, d, c), (c, d, a)])
            tetrahedra.append(faces if rng.random() < 0.8 else np.roll(faces, 1, axis=1)[:, ::-1])
        faces = rng.permutation(np.concatenate(tetrahedra))
        kind = rng.integers(4)
        if kind == 1:
            faces[0] = faces[0, ::-1]
        if kind == 2:
            faces = faces[1:]
        if kind == 3:
            faces = np.concatenate((faces, [(faces[0, 0], faces[0, 1], faces[0, 1])]))
        seen[_agree(ss.Mesh(rng.normal(size=(9, 3)), faces))[1]] += 1
    assert min(seen[0], seen[1], seen[2]) >= 20


def test_soups_of_real_shapes(rng):
    for mesh in (ss.Mesh.sphere(1.0, rows=12, sections=11), ss.Mesh.box((1, 2, 3)), ss.Mesh.terrain(rng.normal(size=(9, 9)))):
        places, faces = _soup(mesh)
        shuffled = rng.permutation(len(faces))
        soup = ss.Mesh(np.where(places == 0.0, -places, places), faces[shuffled])
        parts, closed = _agree(soup)
        assert (parts, closed) == (1, topology_of(mesh).parts[2])
        twice = ss.Mesh(np.concatenate((places, places + 10.0)), np.concatenate((faces, faces + len(places))))
        assert _agree(twice) == (2, closed)


def test_special_shapes():
    triangle = np.eye(3)
    assert _agree(ss.Mesh(triangle, [(0, 1, 2)])) == (1, 0)
    assert _agree(ss.Mesh(triangle, [(0, 1, 2), (0, 2, 1)])) == (1, 1)
    assert _agree(ss.Mesh(triangle, [(0, 1, 2), (0, 1, 2)])) == (1, 2)
    assert _agree(ss.Mesh(triangle, [(0, 1, 1), (2, 2, 2)])) == (2, 0)
    assert _agree(ss.Mesh(np.zeros((3, 3)), [(0, 1, 2)])) == (1, 0)  # a triangle of one place has no edges
    assert _agree(ss.Mesh(triangle, np.zeros((0, 3), int))) == (0, 0)
    assert _agree(ss.PointCloud(np.zeros((5, 3)), 1.0)) == (5, 0)  # points are parts, also in one place
    assert _agree(ss.Capsule.from_segment((0, 0, 0), (1, 0, 0), radius=0.5)) == (1, 0)


def _hash_twins(rng, count):
    """Different places with one hash: any x, and the y that undoes what x did to the hash."""
    first = rng.normal(size=8 * count)
    mixed = first.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    second = (mixed ^ (mixed >> np.uint64(29)) ^ np.uint64(12345)).view(np.float64)
    with np.errstate(invalid="ignore"):
        good = np.abs(second) <= 1e50
    return np.stack((first[good], second[good], np.ones(good.sum())), axis=1)[:count]


def test_places_with_one_hash_are_sorted_instead(rng):
    places = _hash_twins(rng, 4000)
    assert len(places) == 4000
    numbers = np.arange(4000, dtype=np.int32)
    room = np.empty(4000, np.int32), np.empty(8192, np.int32)
    assert not weld.weld_bucket(places, numbers, numbers, np.zeros(4000, np.uint32), 0, 4000, *room)
    repeated = np.concatenate((places, places[::-1], places[:7]))
    listed = rng.permutation(len(repeated)).astype(np.int32)
    labels, found = welded(repeated, listed)
    assert found == 4000
    assert labels.tolist() == _labels_twin(repeated, listed)


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_labels_of_large_lists(rng, monkeypatch, workers):
    # Several runs, shares and buckets, with twins near and far, and many in one place.
    monkeypatch.setattr(module, "WORKERS", workers)
    monkeypatch.setattr(threads, "WORKERS", workers)
    monkeypatch.setattr(module, "_SHARE", 2 * weld.RUN)
    points = rng.integers(0, 25, (40_000, 3)).astype(float)
    points[::3] = -0.0
    points[1::7] *= -0.0
    for listed in (np.arange(40_000), rng.integers(0, 40_000, 50_000), np.zeros(0, int), np.zeros(30_000, int)):
        labels, found = welded(points, listed.astype(np.int32))
        expected = _labels_twin(points, listed)
        assert labels.tolist() == expected
        assert found == len(set(expected))
