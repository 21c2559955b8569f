"""`Hit.gradient`: derivatives of the time of contact, against differences of sweeps and against formulas."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest
from sweepscope_lab.verify.gradients import judge_gradient, tally_gradients

import sweepscope as ss
from sweepscope.errors import InvalidQuery, NotFound
from sweepscope.results import HitGradient

_DOWN = ss.Translate((0, 0, -5))


def _on_floor(shape: ss.Shape, pose: object, motion: ss.Motion = _DOWN, **options: float) -> HitGradient:
    scene = ss.Scene()
    scene.add(ss.Box((10, 10, 0.2)), (0, 0, -0.1))
    hit = scene.sweep(scene.add(shape, pose), motion, **options)  # type: ignore[arg-type]
    assert hit is not None
    return hit.gradient()


def _tilted(angle: float = 0.4) -> np.ndarray:
    """Return a pose above the floor, one corner of a box lowest."""
    pose = ss.Rotate((1, 2, 0.3), angle).at()
    pose[:3, 3] = 0.3, 0.2, 3.0
    return pose


def test_differences_of_sweeps_agree() -> None:
    verdicts = [judge_gradient(seed) for seed in range(300)]
    rows = tally_gradients(verdicts)
    assert [each for each in verdicts if each.wrong] == []
    hits, compared = sum(row.hits for row in rows), sum(row.compared for row in rows)
    assert compared > 200
    assert compared > 0.97 * hits  # few contacts of bodies at random poses have no gradient, or change their features
    assert sum(row.changed for row in rows) <= 2
    assert len(rows) >= 20  # three motions; meshes and shapes with a radius; with and without a margin


def test_parallel_faces_and_edges_have_none() -> None:
    verdicts = [judge_gradient(seed, aligned=True) for seed in range(300)]
    assert [each for each in verdicts if each.wrong] == []
    reasons = [each.reason for each in verdicts]
    assert reasons.count("parallel") >= 5
    assert reasons.count("") > 150


def test_a_ball_that_falls_on_a_floor() -> None:
    found = _on_floor(ss.Sphere(0.5), (0.3, 0.2, 3.0))  # it meets the floor after 2.5 of 5
    assert found.smooth
    assert found.reason == ""
    assert found.mover == pytest.approx([0, 0, 0.2, 0, 0, 0], abs=1e-14)  # 1 higher: 1 / 5 later; turning it does nothing
    assert found.obstacle == pytest.approx([0, 0, -0.2, -0.2 * 0.2, 0.2 * 0.3, 0], abs=1e-14)
    assert found.vector == pytest.approx([0, 0, 0.1], abs=1e-14)
    for absent in (found.axis, found.about, found.angle, found.slide):
        assert np.isnan(absent).all()
    assert repr(found).startswith("<HitGradient: mover [")
    plain = json.loads(json.dumps(found.as_dict()))
    assert plain["axis"] is None
    assert plain["angle"] is None
    assert plain["vector"] == pytest.approx([0, 0, 0.1])
    with_margin = _on_floor(ss.Sphere(0.5), (0.3, 0.2, 3.0), margin=0.5)
    assert with_margin.vector == pytest.approx([0, 0, 0.08], abs=1e-14)


def test_a_door_that_turns_against_a_post() -> None:
    scene = ss.Scene()
    scene.add(ss.Sphere(0.1), (0, 1, 0), name="post")
    door = scene.add(ss.Box((2, 0.02, 2)), (1, 0.0, 0), name="door")
    turn = ss.Rotate((0, 0, 1), 2.0)
    hit = scene.sweep(door, turn)
    assert hit is not None
    found = hit.gradient()
    assert found.smooth
    assert found.angle == pytest.approx(-hit.time / 2.0)  # a larger angle in the same time: sooner
    # A post that is moved by 0.1 about the hinge is met 0.1 / 2 later.
    assert found.obstacle[0] == pytest.approx(-0.5)
    assert found.axis[2] == pytest.approx(0.0, abs=1e-14)
    assert math.isnan(found.slide)
    assert np.isnan(found.vector).all()
    there = ss.Screw((0, 0, 1), 2.0, slide=0.0)
    screwed = scene.sweep(door, there)
    assert screwed is not None
    assert screwed.gradient().slide == pytest.approx(0.0, abs=1e-12)
    assert screwed.gradient().axis == pytest.approx(found.axis, abs=1e-12)
    back = scene.sweep(door, ss.Rotate((0, 0, -1), -2.0))
    assert back is not None
    assert back.gradient().angle == pytest.approx(hit.time / 2.0)


@pytest.mark.parametrize(
    ("shape", "pose", "motion", "options", "reason"),
    [
        (ss.Box((1, 1, 1)), (0, 0, 3), _DOWN, {}, "parallel"),  # face on face
        (ss.Box((1, 1, 1)), (0, 0, 3), _DOWN, {"margin": 0.1}, "parallel"),
        (ss.Capsule.from_segment((-1, 0, 0), (1, 0, 0), radius=0.2), (0, 0, 3), _DOWN, {}, "parallel"),
        (ss.Box((1, 1, 1)), ss.Rotate((1, 0, 0), 0.5).at() + ss.Translate((0, 0, 3)).at() - np.eye(4), _DOWN, {}, "parallel"),
        (ss.Box((1, 1, 1)), (0, 0, 0.2), _DOWN, {}, "overlapping"),
        (ss.Sphere(0.05), (0, 0, -0.1), _DOWN, {}, "overlapping"),  # inside the floor
        (ss.Sphere(0.5), (0, 0, 0.7), _DOWN, {"margin": 0.4}, "overlapping"),
        (ss.Box((1, 1, 1)), (0, 0, 0.5), _DOWN, {}, "start"),
        (ss.Sphere(0.5), (0, 0, 0.5), _DOWN, {}, "start"),
        (ss.Sphere(0.5), (0, 0, 0.5 + 1e-7), ss.Translate((5, 0, -2e-7)), {}, "grazing"),
        # A corner comes down on an edge of the floor, and on its corner.
        (ss.Box((1, 1, 1)), "edge", _DOWN, {}, "corner"),
        (ss.Box((1, 1, 1)), "corner", _DOWN, {}, "corner"),
    ],
)
def test_contacts_without_a_gradient(
    shape: ss.Shape, pose: object, motion: ss.Motion, options: dict[str, float], reason: str
) -> None:
    if isinstance(pose, str):
        tip = _tilted()
        vertices = np.asarray(shape.vertices) @ tip[:3, :3].T
        lowest = vertices[np.argmin(vertices[:, 2])]
        tip[:3, 3] = np.array((5.0, 0.7 if pose == "edge" else 5.0, 3.0)) - lowest
        pose = tip
    found = _on_floor(shape, pose, motion, **options)
    assert (found.smooth, found.reason) == (False, reason)
    for each in (found.mover, found.obstacle, found.vector, found.axis, found.about, found.angle, found.slide):
        assert np.isnan(each).all()
    assert repr(found) == f"<HitGradient: none, {reason}>"
    assert json.loads(json.dumps(found.as_dict()))["mover"] is None


def test_a_corner_on_the_seam_of_a_flat_face_is_smooth() -> None:
    """The sides of a box are two triangles: a corner may come down exactly on the edge between them."""
    pose = _tilted()
    vertices = np.asarray(ss.Box((1, 1, 1)).vertices) @ pose[:3, :3].T
    lowest = vertices[np.argmin(vertices[:, 2])]
    for place in ((0.0, 0.0), (1.3, 1.3), (1.3, -1.3), (0.4, 1.1)):
        pose[:3, 3] = np.array((*place, 3.0)) - lowest
        found = _on_floor(ss.Box((1, 1, 1)), pose)
        assert found.smooth
        assert found.mover[:3] == pytest.approx([0, 0, 0.2], abs=1e-12)
        assert found.mover[3:] == pytest.approx(0.2 * np.cross(lowest, (0, 0, 1)), abs=1e-12)


def test_all_shapes_have_gradients() -> None:
    tip = _tilted()
    fan_of_voxels = ss.Volume(np.ones((2, 2, 2), np.bool_), spacing=0.3)
    for shape in (ss.Box((1, 1, 1)), ss.Mesh.sphere(0.5), ss.PointCloud([(0, 0, 0), (1, 1, 1)]), fan_of_voxels):
        for margin in (0.0, 0.1):
            found = _on_floor(shape, tip, margin=margin)
            assert found.smooth, (shape, margin, found)
            assert found.mover[:3] == pytest.approx([0, 0, 0.2], abs=1e-9)
    # A volume as the obstacle.
    scene = ss.Scene()
    scene.add(fan_of_voxels, (0.0, 0.0, 0.0))
    hit = scene.sweep(scene.add(ss.Sphere(0.2), (0.31, 0.28, 3.0)), _DOWN)
    assert hit is not None
    assert hit.gradient().mover == pytest.approx([0, 0, 0.2, 0, 0, 0], abs=1e-12)


def test_movers_that_move_as_one_and_links() -> None:
    scene = ss.Scene()
    scene.add(ss.Box((10, 10, 0.2)), (0, 0, -0.1))
    movers = [scene.add(ss.Sphere(0.2), (0, 0, 4)), scene.add(ss.Sphere(0.2), (1, 0, 3))]
    hit = scene.sweep(movers, ss.Rotate((0, 1, 0), 1.5, about=(-2, 0, 3)))
    assert hit is not None
    step = 1e-6
    times = []
    for sign in (1, -1):  # both are moved, as one
        for body in movers:
            body.pose = body.pose + sign * step * np.eye(4)[:, 2:3] @ np.eye(4)[3:4]
        moved = scene.sweep(movers, ss.Rotate((0, 1, 0), 1.5, about=(-2, 0, 3)))
        assert moved is not None
        times.append(moved.time)
        for body in movers:
            body.pose = body.pose - sign * step * np.eye(4)[:, 2:3] @ np.eye(4)[3:4]
    hit = scene.sweep(movers, ss.Rotate((0, 1, 0), 1.5, about=(-2, 0, 3)))
    assert hit is not None
    assert hit.gradient().mover[2] == pytest.approx((times[0] - times[1]) / (2 * step), rel=1e-5)

    robot = ss.Robot(scene, (0, 5, 0.5))
    robot.add("base", ss.Sphere(0.1))
    joint = ss.Joint.revolute("one", (0, 1, 0))
    robot.add("arm", ss.Capsule.from_segment((0, 0, 0), (1, 0, 0), radius=0.1), parent="base", joint=joint)
    found = robot.sweep("one", to=1.5)
    assert found is not None
    assert found.gradient().angle < 0.0
    robot.positions = found.positions
    assert found.gradient().smooth  # the movers may have moved since


def test_rows_of_many_sweeps_have_the_same_gradients() -> None:
    scene = ss.Scene()
    scene.add(ss.Mesh.sphere(1.0, rows=9, sections=9))
    ball = scene.add(ss.Sphere(0.3))
    poses = np.random.default_rng(1).normal(size=(20, 3))
    poses = 4.0 * poses / np.linalg.norm(poses, axis=1)[:, None]
    hits = scene.sweep_many(ball, -2.0 * poses, poses)
    for k in range(20):
        ball.pose = poses[k]
        single = scene.sweep(ball, ss.Translate(-2.0 * poses[k]))
        assert single is not None
        expected = single.gradient()
        row = hits[k]
        assert row is not None
        assert expected.smooth
        assert row.gradient().mover.tobytes() == expected.mover.tobytes()
    found = hits.gradient()
    assert found.mover.shape == (20, 6)
    assert found.reason.tolist() == [""] * 20
    single = hits[7]
    assert single is not None
    for name in ("mover", "obstacle", "vector", "axis", "about"):
        assert getattr(found, name)[7].tobytes() == getattr(single.gradient(), name).tobytes()
    scene.add(ss.Sphere(0.1), (50, 0, 0))
    with pytest.raises(InvalidQuery, match="the scene has changed since this hit was found"):
        hits.gradient()
    row = hits[3]
    assert row is not None
    with pytest.raises(InvalidQuery, match="the scene has changed since this hit was found"):
        row.gradient()


def test_rows_of_any_shape_and_free_ones() -> None:
    scene = ss.Scene()
    scene.add(ss.Box((10, 10, 0.2)), (0, 0, -0.1))
    ball = scene.add(ss.Sphere(0.5), (0, 0, 3))
    motions = ss.Motions([_DOWN, ss.Translate((0, 0, 5)), ss.Screw((0, 1, 0.2), 1.5, slide=0.3, about=(-3, 0, 3))])
    poses = [[(0, 0, 3)], [(0, 0, 0.5)]]
    hits = scene.sweep_many(ball, motions, poses)
    found = hits.gradient()
    assert found.smooth.shape == (2, 3)
    assert found.reason.tolist() == [["", "free", ""], ["start", "free", "start"]]
    assert repr(found) == "<HitGradients: 2 of 6 smooth, shape (2, 3)>"
    assert found.vector[0, 0] == pytest.approx([0, 0, 0.1])
    assert np.isnan(found.slide).tolist() == [[True, True, False], [True, True, True]]
    assert np.isnan(found.mover[:, 1]).all()
    screwed = hits[0, 2]
    assert screwed is not None
    assert found.slide[0, 2] == screwed.gradient().slide
    assert hits[0, 0:0].gradient().mover.shape == (0, 6)
    assert hits[:, :1].gradient().mover[0, 0].tobytes() == found.mover[0, 0].tobytes()
    loaded = ss.Hits(hits.table, hits.names, None)
    with pytest.raises(NotFound):
        loaded.gradient()


def test_what_changed_since_is_said() -> None:
    scene = ss.Scene()
    floor = scene.add(ss.Box((10, 10, 0.2)), name="floor")
    ball = scene.add(ss.Sphere(0.5), (0, 0, 3), name="ball")
    hit = scene.sweep(ball, _DOWN)
    assert hit is not None
    before = hit.gradient()
    ball.pose = hit.pose
    assert hit.gradient().mover.tobytes() == before.mover.tobytes()
    copied, again = pickle.loads(pickle.dumps((scene, hit)))
    assert again.gradient().mover.tobytes() == before.mover.tobytes()
    assert copied is again.mover.scene
    floor.pose = (0, 0, -1)
    with pytest.raises(InvalidQuery, match=r"changed since this hit was found: body 0 \('floor'\) was added, moved or changed"):
        hit.gradient()
    hit = scene.sweep(ball, _DOWN)
    assert hit is not None
    scene.remove(floor)
    with pytest.raises(NotFound):
        hit.gradient()


def test_a_hit_of_several_joints_has_no_motion_to_differentiate() -> None:
    scene = ss.Scene()
    scene.add(ss.Box((0.5, 2, 2)), (1.6, 0, 0))
    robot = ss.Robot(scene)
    robot.add("base", ss.Sphere(0.1))
    rod = ss.Capsule.from_segment((0, 0, 0), (0, 0, 1), radius=0.1)
    robot.add("upper", rod, parent="base", joint=ss.Joint.revolute("one", (0, 1, 0)))
    robot.add("fore", rod, parent="upper", joint=ss.Joint.revolute("two", (0, 1, 0), origin=(0, 0, 1)))
    hit = robot.sweep({"one": 1.2, "two": 0.8})
    assert hit is not None
    with pytest.raises(InvalidQuery, match="hit: it has no motion of its own"):
        hit.gradient()


def test_far_from_the_origin_and_at_any_size() -> None:
    for scale in (1e-6, 1.0, 1e6):
        for away in (0.0, 1e3):
            scene = ss.Scene()
            middle = scale * away * np.ones(3)
            scene.add(ss.Box((10 * scale, 10 * scale, 0.2 * scale)), middle - (0, 0, 0.1 * scale))
            pose = _tilted()
            pose[:3, 3] = middle + scale * pose[:3, 3]
            hit = scene.sweep(scene.add(ss.Box((scale, scale, scale)), pose), ss.Translate((0, 0, -5 * scale)))
            assert hit is not None
            found = hit.gradient()
            assert found.smooth
            assert scale * found.mover[:3] == pytest.approx([0, 0, 0.2], abs=1e-9)


def test_any_tolerance_of_the_scene() -> None:
    for tolerance in (0.0, 1e-12, 1e-4):
        scene = ss.Scene(tolerance=tolerance)
        scene.add(ss.Box((4, 4, 1)), (0.3, 0.2, -0.5))
        hit = scene.sweep(scene.add(ss.Sphere(0.5), (0, 0, 3)), _DOWN)  # it meets the floor at the origin
        assert hit is not None
        assert hit.gradient().mover[2] == pytest.approx(0.2)
