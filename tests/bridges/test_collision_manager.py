"""The CollisionManager agrees with trimesh's own, which asks python-fcl, on random boxes and meshes."""

import numpy as np
import pytest
import trimesh

import sweepscope as ss


def random_pose(rng, spread):
    return ss.Pose.from_quaternion(rng.uniform(-spread, spread, 3), xyzw=_unit(rng.normal(size=4)))


def _unit(vector):
    return vector / np.linalg.norm(vector)


@pytest.fixture
def two_boxes():
    manager = ss.bridges.CollisionManager()
    manager.add_object("a", ss.Box((1, 1, 1)))
    manager.add_object("b", ss.Box((1, 1, 1)), ss.Pose.from_object((0.5, 0, 0)))
    return manager


def test_the_forms_of_an_answer(two_boxes):
    assert two_boxes.in_collision_internal() is True
    assert two_boxes.in_collision_internal(return_names=True) == (True, {("a", "b")})
    hit, names, data = two_boxes.in_collision_internal(return_names=True, return_data=True)
    assert hit is True
    assert names == {("a", "b")}
    assert {data[0].mover.name, data[0].obstacle.name} == {"a", "b"}
    two_boxes.set_transform("b", (2, 0, 0))
    assert two_boxes.in_collision_internal() is False
    assert two_boxes.in_collision_internal(return_names=True) == (False, set())
    assert two_boxes.in_collision_internal(return_data=True) == (False, [])
    ball = ss.Sphere(0.6)
    assert two_boxes.in_collision_single(ball, (1, 0, 0), return_names=True) == (True, {"a", "b"})
    assert two_boxes.in_collision_single(ball, (0, 0, 5)) is False
    other = ss.bridges.CollisionManager()
    other.add_object("ball", ball, (3, 0, 0))
    assert two_boxes.in_collision_other(other, return_names=True) == (True, {("b", "ball")})
    assert other.in_collision_other(two_boxes, return_names=True) == (True, {("ball", "b")})
    assert len(two_boxes.scene) == 2
    assert len(other.scene) == 1


def test_touching_is_not_colliding(two_boxes):
    two_boxes.set_transform("b", (1, 0, 0))
    assert two_boxes.in_collision_internal() is False
    two_boxes.set_transform("b", (0.999, 0, 0))
    assert two_boxes.in_collision_internal() is True


def test_inside_is_colliding(two_boxes):
    two_boxes.add_object("b", ss.Box((0.1, 0.1, 0.1)))
    assert len(two_boxes.scene) == 2, "an object of the same name is replaced"
    assert two_boxes.in_collision_internal(return_names=True) == (True, {("a", "b")})


def test_sweep_and_scene(two_boxes):
    two_boxes.set_transform("b", (3, 0, 0))
    hit = two_boxes.sweep("a", ss.Translate((5, 0, 0)))
    assert hit.travel == pytest.approx(2)
    assert hit.obstacle is two_boxes.scene["b"]
    assert two_boxes.sweep("a", ss.Translate((5, 0, 0)), ignore=["b"]) is None
    two_boxes.remove_object("b")
    assert two_boxes.sweep("a", ss.Translate((5, 0, 0))) is None
    shared = ss.bridges.CollisionManager(two_boxes.scene)
    assert repr(shared) == "<CollisionManager: 1 objects>"


def test_pairs_that_the_scene_ignores(two_boxes):
    two_boxes.scene.ignore(two_boxes.scene["a"], two_boxes.scene["b"])
    assert two_boxes.in_collision_internal() is False


def test_errors(two_boxes):
    with pytest.raises(ss.errors.NotFound, match="no body 'c' in this scene; it has 'a', 'b'"):
        two_boxes.remove_object("c")
    with pytest.raises(ss.errors.InvalidType, match="name: expected a str"):
        two_boxes.set_transform(0, (0, 0, 0))
    with pytest.raises(ss.errors.InvalidPose, match="transform: expected shape"):
        two_boxes.add_object("a", ss.Sphere(1), np.eye(3))
    with pytest.raises(ss.errors.InvalidType, match="mesh: expected a Mesh, Box"):
        two_boxes.add_object("a", "sphere")
    assert two_boxes.scene["a"].shape.faces.shape == (12, 3), "a failed call replaces nothing"
    with pytest.raises(ss.errors.InvalidType, match="other_manager: expected a CollisionManager"):
        two_boxes.in_collision_other(two_boxes.scene)
    with pytest.raises(ss.errors.InvalidType, match=r"Scene.from_trimesh\(...\) takes a trimesh.Scene"):
        ss.bridges.CollisionManager("scene")
    with pytest.raises(AttributeError, match="'min_distance_internal'; distances are not known here"):
        _ = two_boxes.min_distance_internal
    assert not hasattr(two_boxes, "min_distance_single")


def meshes(rng, kind):
    """Random convex boxes, or meshes that are not convex: a bent bar and an annulus."""
    if kind == "boxes":
        return trimesh.creation.box(rng.uniform(0.2, 1.5, 3))
    ring = trimesh.creation.annulus(0.4, 0.7, 0.3, sections=12)
    bar = trimesh.util.concatenate(
        [trimesh.creation.box((1.2, 0.2, 0.2)), trimesh.creation.box((0.2, 0.2, 1.2)).apply_translation((0.5, 0, 0.5))]
    )
    return ring if rng.random() < 0.5 else bar


@pytest.mark.bridges
@pytest.mark.parametrize("kind", ["boxes", "meshes"])
def test_answers_are_those_of_trimesh(kind):
    from trimesh.collision import CollisionManager  # it imports python-fcl

    rng = np.random.default_rng(5)
    pairs = agreed = 0
    for _ in range(12):
        theirs, ours = CollisionManager(), ss.bridges.CollisionManager()
        for k in range(8):
            mesh, pose = meshes(rng, kind), random_pose(rng, 1.3)
            theirs.add_object(f"{k}", mesh, pose)
            ours.add_object(f"{k}", mesh, pose)
        both = [each.in_collision_internal(return_names=True) for each in (theirs, ours)]
        assert both[0] == both[1]
        pairs += 28
        agreed += len(both[0][1])
        one, place = meshes(rng, kind), random_pose(rng, 1.3)
        both = [each.in_collision_single(one, place, return_names=True) for each in (theirs, ours)]
        assert both[0] == both[1]
        there, here = CollisionManager(), ss.bridges.CollisionManager()
        for k in range(3):
            mesh, pose = meshes(rng, kind), random_pose(rng, 1.3)
            there.add_object(f"other {k}", mesh, pose)
            here.add_object(f"other {k}", mesh, pose)
        assert theirs.in_collision_other(there, return_names=True) == ours.in_collision_other(here, return_names=True)
        assert theirs.in_collision_internal() == ours.in_collision_internal()
    assert 0.1 * pairs < agreed < 0.9 * pairs, "both answers occur"
