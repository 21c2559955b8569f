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
    assert all(contact.names == {"a", "b"} for contact in data)
    assert [contact.depth for contact in data] == pytest.approx([0.5] * 4)
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


def test_contact_data(two_boxes):
    two_boxes.set_transform("b", (0.9, 0, 0))
    hit, data = two_boxes.in_collision_internal(return_data=True)
    assert hit
    assert len(data) == 4
    for contact in data:
        assert contact.depth == pytest.approx(0.1)
        assert contact.normal == pytest.approx((-1, 0, 0)), "from the second towards the first"
        assert np.abs(contact.point) == pytest.approx((0.45, 0.5, 0.5))
        assert 0 <= contact.index("a") < 12
        assert 0 <= contact.index("b") < 12
    hit, names, data = two_boxes.in_collision_single(ss.Sphere(0.2), (0, 0, 0.6), return_names=True, return_data=True)
    assert names == {"a"}
    assert data[0].names == {"a", "__external"}
    assert data[0].depth == pytest.approx(0.1)
    assert data[0].normal == pytest.approx((0, 0, 1))
    assert repr(data[0]) == "<ContactData: '__external' and 'a', depth 0.1>"


def test_depth_does_not_depend_on_how_a_mesh_is_divided():
    manager = ss.bridges.CollisionManager()
    coarse = trimesh.creation.box((2, 2, 2))
    fine = coarse.subdivide().subdivide().subdivide()
    for name, mesh in (("coarse", coarse), ("fine", fine)):
        manager.add_object("a", mesh)
        depths = [each.depth for each in manager.in_collision_single(coarse, (0.5, 0.2, 0.1), return_data=True)[1]]
        assert depths == pytest.approx([1.5] * len(depths)), name


def test_distances():
    manager, other = ss.bridges.CollisionManager(), ss.bridges.CollisionManager()
    box = ss.Box((1, 1, 1))
    assert manager.min_distance_single(box) == np.inf
    assert manager.min_distance_single(box, return_name=True, return_data=True) == (np.inf, None, None)
    assert manager.min_distance_internal(return_names=True) == (np.inf, None)
    assert manager.min_distance_other(other, return_data=True) == (np.inf, None)
    manager.add_object("a", box, (5, 0, 0))
    assert manager.min_distance_internal() == np.inf, "one object"
    assert manager.min_distance_single(box) == pytest.approx(4)
    distance, name, data = manager.min_distance_single(box, return_name=True, return_data=True)
    assert name == "a"
    assert distance == data.distance
    assert np.linalg.norm(data.point("a") - data.point("__external")) == pytest.approx(4)
    assert data.names == {"a", "__external"}
    assert 0 <= data.index("a") < 12
    assert repr(data).startswith("<DistanceData: '__external' and 'a', 4 apart>")
    manager.add_object("b", box, (-5, 0, 0))
    assert manager.min_distance_single(box, (-1, 0, 0), return_name=True) == (pytest.approx(3), "b")
    assert manager.min_distance_internal(return_names=True) == (pytest.approx(9), ("a", "b"))
    manager.add_object("c", box, (-3, 0, 0))
    assert manager.min_distance_internal("a", return_names=True) == (pytest.approx(7), ("a", "c"))
    assert manager.min_distance_internal(return_names=True) == (pytest.approx(1), ("b", "c"))
    other.add_object("b", box)
    distance, names, data = manager.min_distance_other(other, return_names=True, return_data=True)
    assert (distance, names) == (pytest.approx(2), ("c", "b"))
    assert data.distance == distance
    assert len(manager.scene) == 3


def test_a_distance_of_what_collides_is_minus_its_depth():
    manager = ss.bridges.CollisionManager()
    box = ss.Box((1, 1, 1))
    manager.add_object("a", box)
    manager.add_object("b", box, (3, 0, 0))
    assert manager.min_distance_single(box, (0.75, 0, 0)) == pytest.approx(-0.25)
    assert manager.min_distance_single(box, (1, 0, 0)) == 0.0, "touching"
    distance, data = manager.min_distance_single(box, (0, 0.9, 0), return_data=True)
    assert distance == pytest.approx(-0.1)
    assert data.point("a")[1] == pytest.approx(0.5)
    assert data.point("__external")[1] == pytest.approx(0.4)
    manager.set_transform("b", (0.6, 0, 0))
    assert manager.min_distance_internal(return_names=True) == (pytest.approx(-0.4), ("a", "b"))


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
    with pytest.raises(ss.errors.InvalidType, match="other_manager: expected a CollisionManager"):
        two_boxes.min_distance_other(None)
    with pytest.raises(ss.errors.NotFound, match="no body 'c' in this scene"):
        two_boxes.min_distance_internal("c")
    contact = two_boxes.in_collision_internal(return_data=True)[1][0]
    with pytest.raises(ss.errors.NotFound, match="name: no object 'c' here; accepted: 'a', 'b'"):
        contact.index("c")
    assert len(two_boxes.scene) == 2


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
    pairs = agreed = apart = 0
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
        if not both[0][0]:
            apart += 1
            assert ours.min_distance_single(one, place) == pytest.approx(theirs.min_distance_single(one, place), abs=1e-5)
    assert 0.1 * pairs < agreed < 0.9 * pairs, "both answers occur"
    assert apart > 0
