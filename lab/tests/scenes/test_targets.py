"""Things to grasp: closed, of a size with the hand, and the soft one changes little by little."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
import trimesh
from sweepscope_lab.scenes.hand import SIZE
from sweepscope_lab.scenes.targets import SOFT_FRAMES, TARGETS, GraspTarget

from sweepscope import Mesh, Scene, Translate

ALL = [pytest.param(make(), id=name) for name, make in TARGETS.items()]
SOFT = [target for target in (make() for make in TARGETS.values()) if target.changes is not None]


def _volume(vertices: np.ndarray, faces: np.ndarray) -> float:
    """Return the signed volume within a mesh: above 0 if it is not inside out."""
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    return float((np.cross(a, b) * c).sum()) / 6.0


def test_there_is_one_of_each_kind() -> None:
    assert {"box", "ball", "cylinder", "cone", "torus", "mug", "blob", "chain", "soft"} <= set(TARGETS)
    assert {make().name for make in TARGETS.values()} == set(TARGETS)
    assert len(SOFT) == 1


@pytest.mark.parametrize("target", ALL)
def test_parts_are_closed_and_look_outwards(target: GraspTarget) -> None:
    names = [name for name, _, _ in target.parts]
    assert len(set(names)) == len(names)
    for _, shape, pose in target.parts:
        assert isinstance(shape, Mesh)
        assert shape.closed
        assert 100 <= len(shape.faces) <= 1500
        solid = trimesh.Trimesh(shape.vertices, shape.faces, process=False)
        assert solid.is_watertight
        assert solid.is_winding_consistent
        assert _volume(shape.vertices, shape.faces) > 1e4
        assert float(solid.area_faces.min()) > 1.0  # no slivers
        assert pose.shape == (4, 4)


@pytest.mark.parametrize("target", ALL)
def test_they_are_about_the_origin_and_of_a_size_with_the_hand(target: GraspTarget) -> None:
    places = np.concatenate([shape.vertices @ pose[:3, :3].T + pose[:3, 3] for _, shape, pose in target.parts])
    low, high = places.min(axis=0), places.max(axis=0)
    assert np.all(low < 0.0)
    assert np.all(high > 0.0)
    if target.name == "block":
        np.testing.assert_allclose(high - low, (300.0, 800.0, 500.0))  # the paper's target: W 300, D 800, H 500
        return
    assert 150.0 <= float((high - low).max()) <= 300.0
    assert float((high - low).min()) > 0.15 * SIZE
    assert float(np.abs(0.5 * (low + high)).max()) < 0.1 * SIZE


@pytest.mark.parametrize("target", ALL)
def test_every_builder_makes_the_same_thing_again_of_fresh_arrays(target: GraspTarget) -> None:
    again = TARGETS[target.name]()
    for (name, shape, pose), (other, same, there) in zip(target.parts, again.parts, strict=True):
        assert name == other
        np.testing.assert_array_equal(shape.vertices, same.vertices)
        np.testing.assert_array_equal(shape.faces, same.faces)
        np.testing.assert_array_equal(pose, there)


def test_links_of_the_chain_hang_in_each_other_and_do_not_touch() -> None:
    scene = Scene()
    first, second, third = (scene.add(shape, pose, name=name) for name, shape, pose in TARGETS["chain"]().parts)
    for body in (first, second, third):
        assert scene.sweep(body, Translate((0, 0, 0)), resting="hit") is None
    # They cannot part: whichever way one is pulled, it is caught.
    ways = [(math.cos(t), math.sin(t), 0.0) for t in np.linspace(0.0, 2.0 * math.pi, 8, endpoint=False)] + [(0.0, 0.0, 1.0)]
    for way in ways:
        hit = scene.sweep(third, Translate(400.0 * np.array(way)))
        assert hit is not None
        assert hit.obstacle is second
        assert hit.travel < 80.0


def test_one_can_reach_into_the_mug_and_its_handle_is_fast() -> None:
    scene = Scene()
    parts = {name: scene.add(shape, pose, name=name) for name, shape, pose in TARGETS["mug"]().parts}
    finger = scene.add(Mesh.sphere(20.0), (0.0, 0.0, 200.0))
    hit = scene.sweep(finger, Translate((0.0, 0.0, -300.0)), ignore=[parts["mug handle"]])
    assert hit is not None
    assert hit.point[2] == pytest.approx(-78.0, abs=0.1)
    fast = scene.sweep(parts["mug handle"], Translate((0, 0, 0)), ignore=[finger])
    assert fast is not None
    assert fast.overlapping
    # No part of the handle comes through the wall.
    handle = parts["mug handle"].vertices
    assert np.hypot(handle[:, 0], handle[:, 1]).min() > 66.0


@pytest.mark.parametrize("target", SOFT, ids=lambda target: target.name)
def test_the_soft_one_changes_smoothly_and_comes_to_rest(target: GraspTarget) -> None:
    assert target.changes is not None
    ((name, shape, _),) = target.parts
    before, moved, speeds = shape.vertices, [], []
    np.testing.assert_array_equal(target.changes(0)[name], before)
    for frame in range(SOFT_FRAMES + 20):
        changed = target.changes(frame)
        assert list(changed) == [name]
        vertices = changed[name]
        speeds.append(vertices - before)
        moved.append(float(np.linalg.norm(vertices - before, axis=1).max()))
        before = vertices
        assert vertices.shape == shape.vertices.shape
        # All stay on their rays from the origin, outside: faces keep their order, so that none go through each other.
        size = np.linalg.norm(vertices, axis=1)
        rays = shape.vertices / np.linalg.norm(shape.vertices, axis=1)[:, None]
        np.testing.assert_allclose(vertices, size[:, None] * rays, atol=1e-9)
        assert 60.0 < size.min() <= size.max() < 150.0
        assert _volume(vertices, shape.faces) > 0.5 * _volume(shape.vertices, shape.faces)
    assert max(moved) < 2.0
    assert max(moved[1:SOFT_FRAMES]) > 0.5  # it does change
    assert moved[SOFT_FRAMES + 1 :] == [0.0] * 19  # and rests
    jerks = [np.abs(a - b).max() for a, b in pairwise(speeds[1:])]
    assert max(jerks) < 0.5
    last = target.changes(SOFT_FRAMES)[name]
    assert float(np.linalg.norm(last - shape.vertices, axis=1).max()) > 5.0  # another shape than at first
