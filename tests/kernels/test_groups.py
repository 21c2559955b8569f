"""Groups of shapes, and tests of eight boxes at once, against plain loops."""

import numpy as np
import pytest
from numba import njit

from sweepscope import Box, Mesh, PointCloud, Scene, Sphere
from sweepscope.kernels import layout as at
from sweepscope.kernels.base.blocks import BLOCK, FAN, LEAF
from sweepscope.kernels.base.lanes import distance_lanes, entry_lanes
from sweepscope.scene import store_of
from sweepscope.world.body import entry_of


def _soup(count: int, seed: int = 0) -> Mesh:
    rng = np.random.default_rng(seed)
    corners = 10.0 * rng.random((count, 1, 3)) + rng.random((count, 3, 3))
    return Mesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))


def _check(scene: Scene, name: str) -> None:
    """Compare the groups of a body with boxes of its faces, which are cut into leaves anew."""
    store, row = store_of(scene), entry_of(scene[name]).shape_row
    geometry, groups = store.arena.grouped([row])
    ints = geometry.shape_ints[row]
    vertices = geometry.vertices[ints[at.VERTEX] :]
    order = geometry.face_ids[ints[at.FACE] : ints[at.FACE] + ints[at.FACES]]
    corners = vertices[scene[name].shape.faces[order]]
    run, level = LEAF, 0
    while True:
        lows = [corners[k : k + run].min(axis=(0, 1)) for k in range(0, len(corners), run)]
        highs = [corners[k : k + run].max(axis=(0, 1)) for k in range(0, len(corners), run)]
        rows = -(-len(lows) // FAN)
        expected = np.full((rows * FAN, 6), (np.inf,) * 3 + (-np.inf,) * 3)
        expected[: len(lows)] = np.hstack((lows, highs))
        first = ints[at.NODE] + ints[at.OFFSET + level]
        found = groups[first : first + rows].transpose(0, 2, 1).reshape(-1, 6)
        np.testing.assert_array_equal(found, expected)
        if rows == 1:
            break
        run, level = run * FAN, level + 1
    assert level == ints[at.LEVELS] - 1
    assert run <= max(len(corners) * FAN, BLOCK)


@pytest.mark.parametrize("count", [1, 4, 5, 32, 33, 256, 257, 5000])
def test_groups_are_the_boxes_of_their_faces(count: int) -> None:
    scene = Scene()
    scene.add(Box((1.0, 1.0, 1.0)), name="other")
    scene.add(_soup(count), name="soup")
    _check(scene, "soup")
    _check(scene, "other")


def test_groups_follow_changes() -> None:
    scene = Scene()
    for k in range(2):
        scene.add(_soup(300), (0.0, 0.0, k), name=f"soup {k}")
    _check(scene, "soup 0")
    scene["soup 0"].vertices = 2.0 * scene["soup 0"].vertices
    _check(scene, "soup 0")
    _check(scene, "soup 1")
    scene.deform([scene["soup 1"]], [scene["soup 1"].vertices + 1.0])
    _check(scene, "soup 1")
    for k in range(40):  # the arena grows
        scene.add(_soup(500, k), name=f"new {k}")
    _check(scene, "new 39")
    _check(scene, "soup 1")
    for k in range(39):  # and is packed anew
        scene.remove(scene[f"new {k}"])
    _check(scene, "new 39")
    _check(scene, "soup 0")
    scene["soup 0"].shape = _soup(77, 5)
    _check(scene, "soup 0")


def test_groups_are_made_when_they_are_needed() -> None:
    scene = Scene()
    scene.add(_soup(100), name="reached")
    scene.add(PointCloud(np.eye(3)), name="not")
    _check(scene, "reached")
    ints = store_of(scene).arena.geometry.shape_ints
    assert [int(ints[entry_of(body).shape_row, at.GROUPED]) for body in scene] == [1, 0]
    assert len(scene) == 2


def test_a_shape_without_faces_has_no_groups() -> None:
    scene = Scene()
    scene.add(Sphere(1.0))
    scene.add(PointCloud(np.empty((0, 3)), 0.1))
    geometry, groups = store_of(scene).arena.grouped([1, 0])
    assert geometry.shape_ints[1, at.GROUPED] == 1
    assert groups.shape[1:] == (6, FAN)


@njit
def _enter(boxes, row, rows, ray, longest, entries):
    return entry_lanes(boxes, row * 48, rows, ray, longest, entries)


@njit
def _apart(boxes, row, point, limit, squares):
    return distance_lanes(boxes, row * 48, 8, point, limit, squares)


def _boxes(rng: np.random.Generator, count: int) -> np.ndarray:
    boxes = np.empty((count, 6, FAN))
    boxes[:, :3] = rng.integers(-3, 3, (count, 3, FAN))
    boxes[:, 3:] = boxes[:, :3] + rng.integers(0, 3, (count, 3, FAN))
    boxes[::3, :3, 5:], boxes[::3, 3:, 5:] = np.inf, -np.inf
    return boxes


def _numbers(mask: int) -> list[int]:
    return [k for k in range(FAN) if int(mask) >> k & 1]


def test_eight_boxes_and_a_ray() -> None:
    rng = np.random.default_rng(1)
    boxes, entries, met = _boxes(rng, 3000), np.empty(FAN), 0
    for row in range(len(boxes)):
        origin = rng.integers(-4, 5, 3) + 0.5
        direction = rng.integers(-2, 3, 3).astype(float)
        if not direction.any():
            direction[0] = 1.0
        with np.errstate(divide="ignore"):
            inverse = 1.0 / direction
        back = inverse < 0.0
        rows = np.array([8 * (c + 3 * (back[c] ^ side)) for side in (0, 1) for c in range(3)])
        longest = 2.5
        mask = _enter(boxes, row, tuple(rows.tolist()), (*origin, *origin, *inverse), longest, entries)
        for k in range(FAN):
            low, high = boxes[row, :3, k], boxes[row, 3:, k]
            begin, end = 0.0, longest
            for c in range(3):
                if direction[c] == 0.0:
                    begin = begin if low[c] <= origin[c] <= high[c] else np.inf
                else:
                    one, two = sorted(((low[c] - origin[c]) / direction[c], (high[c] - origin[c]) / direction[c]))
                    begin, end = max(begin, one), min(end, two)
            empty = low[0] > high[0]
            assert (k in _numbers(mask)) == (begin <= end and not empty)
            if begin <= end and not empty:
                met += 1
                assert entries[k] == pytest.approx(begin, abs=1e-14)
    assert met > 200


def test_eight_boxes_and_a_point() -> None:
    rng = np.random.default_rng(2)
    boxes, squares, near = _boxes(rng, 300), np.empty(FAN), 0
    for row in range(len(boxes)):
        point = 3.0 * rng.standard_normal(3)
        mask = _apart(boxes, row, tuple(point), 4.0, squares)
        low, high = boxes[row, :3], boxes[row, 3:]
        gaps = np.maximum(np.maximum(low - point[:, None], point[:, None] - high), 0.0)
        expected = np.square(gaps).sum(axis=0)
        np.testing.assert_allclose(squares, expected, rtol=1e-15)
        assert _numbers(mask) == np.flatnonzero(squares <= 4.0).tolist()
        near += len(_numbers(mask))
    assert near > 200


def test_a_ray_along_a_side_meets_the_box() -> None:
    boxes = np.full((1, 6, FAN), np.inf)
    boxes[:, 3:] = -np.inf
    boxes[0, :, 0] = (0.0, 0.0, 0.0, 1.0, 1.0, 1.0)
    entries = np.empty(FAN)
    rows = (0, 8, 16, 24, 32, 40)
    ray = (0.0, 1.0, -2.0) * 2 + (np.inf, np.inf, 1.0)
    assert _enter(boxes, 0, rows, ray, np.inf, entries) == 1
    assert entries[0] == 2.0
