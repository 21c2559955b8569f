"""Polygons cut into triangles, checked in whole numbers: the border is the polygon's, the area is its area, nothing overlaps."""

import math
from collections import Counter

import numpy as np
import pytest

from sweepscope.formats.polygons import fans, polygons, strips


def turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def check_cut(points):
    """Cut a simple polygon of whole numbers, in each of three planes, either way round; check it exactly."""
    n = len(points)
    area = sum(turn((0, 0), points[k], points[(k + 1) % n]) for k in range(n))
    for order, plane in ((points, 0), (points[::-1], 1), (points, 2)):
        vertices = np.zeros((n, 3))
        vertices[:, [(plane + 1) % 3, (plane + 2) % 3]] = order
        vertices[:, plane] = vertices[:, (plane + 1) % 3] * 0.25 - vertices[:, (plane + 2) % 3] * 0.5 + 3.0
        faces = polygons(np.arange(n), np.array([n]), vertices).tolist()
        assert len(faces) == n - 2
        areas = [turn(*(order[k] for k in face)) for face in faces]
        signed = area if order is points else -area
        assert sum(areas) == signed
        assert sum(map(abs, areas)) == abs(signed)  # none is turned over, so none overlaps
        edges = Counter((face[k], face[(k + 1) % 3]) for face in faces for k in range(3))
        edges.subtract({(b, a): count for (a, b), count in list(edges.items())})
        border = {edge for edge, count in edges.items() if count > 0}
        assert border == {(k, (k + 1) % n) for k in range(n)}


def test_polygons_around_a_point(rng):
    concave = 0
    for _ in range(400):
        n = int(rng.integers(4, 30))
        angles = np.sort(rng.uniform(0, 2 * math.pi, n))
        if np.max(np.diff(np.concatenate((angles, [angles[0] + 2 * math.pi])))) > 3.0 or np.min(np.diff(angles)) < 0.01:
            continue
        radii = rng.uniform(100, 10_000, n)
        points = [(round(r * math.cos(a)), round(r * math.sin(a))) for a, r in zip(angles, radii, strict=True)]
        points = points[int(rng.integers(n)) :] + points[: int(rng.integers(1))]
        if len(points) > 3:
            turns = [turn(points[k - 2], points[k - 1], points[k]) for k in range(len(points))]
            concave += min(turns) < 0
            if _simple(points):
                check_cut(points)
    assert concave > 150


def _simple(points):
    n = len(points)
    edges = [(points[k], points[(k + 1) % n]) for k in range(n)]
    for i in range(n):
        for j in range(i + 1, n):
            (a, b), (c, d) = edges[i], edges[j]
            if len({a, b, c, d}) == 4 and turn(a, b, c) * turn(a, b, d) <= 0 and turn(c, d, a) * turn(c, d, b) <= 0:
                return False
    return len(set(points)) == n and sum(turn((0, 0), points[k], points[(k + 1) % n]) for k in range(n)) > 0


@pytest.mark.parametrize("start", range(8))
def test_known_shapes(start):
    comb = [(0, 0), (14, 0), *((x, y) for k in range(6, -1, -1) for x, y in ((2 * k + 1, 9), (2 * k, 1))), (0, 1)]
    spiral = [(0, 0), (10, 0), (10, 10), (2, 10), (2, 4), (6, 4), (6, 6), (4, 6), (4, 8), (8, 8), (8, 2), (0, 2)]
    arrow = [(0, 0), (4, 2), (0, 4), (1, 2)]
    straight = [(0, 0), (1, 0), (2, 0), (3, 0), (3, 3), (2, 3), (1, 3), (0, 3), (0, 2), (0, 1)]
    for points in (comb[:-1], spiral, arrow, straight):
        turned = points[start % len(points) :] + points[: start % len(points)]
        check_cut(turned)


def test_a_hole_joined_by_a_slit():
    outline = [(0, 0), (9, 0), (9, 9), (0, 9), (0, 0), (3, 3), (3, 6), (6, 6), (6, 3), (3, 3)]
    vertices = np.array([(x, y, 0.0) for x, y in outline])
    faces = polygons(np.arange(10), np.array([10]), vertices)
    areas = [turn(*(outline[k] for k in face)) for face in faces.tolist()]
    assert min(areas) >= 0
    assert sum(areas) == 2 * (81 - 9)


def test_many_at_once(rng):
    square = np.array(((0.0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)))
    arrow = np.array(((0.0, 0, 0), (4, 2, 0), (0, 4, 0), (1, 2, 0)))
    vertices = np.concatenate((square, arrow, rng.normal(size=(3, 3))))
    faces = polygons(np.arange(11), np.array([4, 4, 3]), vertices)
    assert len(faces) == 5
    assert faces[:2].tolist() == [[0, 1, 2], [0, 2, 3]]
    assert faces[4].tolist() == [8, 9, 10]
    assert {tuple(sorted(face)) for face in faces[2:4].tolist()} == {(4, 5, 7), (5, 6, 7)}


@pytest.mark.parametrize(
    "points",
    [
        [(0, 0), (2, 2), (2, 0), (0, 2)],
        [(0, 0), (3, 3), (3, 0), (0, 1)],
        [(math.cos(4 * math.pi * k / 5), math.sin(4 * math.pi * k / 5)) for k in range(5)],
    ],
)
def test_polygons_that_cross_themselves(points):
    vertices = np.array([(x, y, 1.0) for x, y in points])
    with pytest.raises(ValueError, match=f"polygon 0, of {len(points)} corners, crosses itself; export triangles"):
        polygons(np.arange(len(points)), np.array([len(points)]), vertices)


def test_without_area():
    line = np.array([(k % 5, 0.0, 0.0) for k in range(8)])
    assert len(polygons(np.arange(8), np.array([8]), line)) == 6
    point = np.zeros((5, 3))
    assert len(polygons(np.arange(5), np.array([5]), point)) == 3
    narrow = np.array([(0, 0, 0), (1, 1e-7, 0), (2, -1e-7, 0), (3, 2e-7, 0), (2, 0, 0), (1, 3e-7, 0.0)])
    assert len(polygons(np.arange(6), np.array([6]), narrow)) == 4


def test_too_many_corners():
    angles = np.linspace(0, 2 * math.pi, 60_001)[:-1]
    radii = np.where(np.arange(60_000) % 2, 1.0, 2.0)
    star = np.stack((radii * np.cos(angles), radii * np.sin(angles), 0 * angles), axis=1)
    with pytest.raises(ValueError, match="too many corners"):
        polygons(np.arange(60_000), np.array([60_000]), star)


def test_strips_and_fans():
    corners, counts = np.arange(10, 20), np.array([4, 1, 5])
    assert fans(corners, counts).tolist() == [[10, 11, 12], [10, 12, 13], [15, 16, 17], [15, 17, 18], [15, 18, 19]]
    assert strips(corners, counts).tolist() == [[10, 11, 12], [11, 13, 12], [15, 16, 17], [16, 18, 17], [17, 18, 19]]
    assert strips(np.arange(0), np.arange(0)).shape == (0, 3)
