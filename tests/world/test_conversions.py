"""Conversions of what is given may run any code. If that changes the body, it is as if it had changed before the call."""

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.scene import store_of

BIG = ss.Mesh.box((2, 2, 2)).vertices


class Given:
    """An array of another library, whose first conversion runs code."""

    def __init__(self, act, value):
        self.acts, self.value = [act], value

    def __array__(self, dtype=None, copy=None):
        while self.acts:
            self.acts.pop()()
        return np.array(self.value, dtype=dtype)


class GivenMesh:
    """A mesh of another library."""

    def __init__(self, act):
        self.vertices, self.faces = Given(act, BIG), ss.Mesh.box((2, 2, 2)).faces


@pytest.fixture
def bodies():
    scene = ss.Scene()
    return [scene.add(ss.Mesh.box((1, 1, 1)), (3 * k, 0, 0), name=f"box {k}") for k in range(3)]


def state(scene):
    """Return all that kernels see."""
    world = store_of(scene).world()
    return [each.tobytes() for each in (world.poses, world.boxes, world.bodies, *world.geometry)]


def pose(body, others, act):
    body.pose = Given(act, np.eye(4))


def position(body, others, act):
    body.pose = Given(act, (1, 2, 3))


def vertices(body, others, act):
    body.vertices = Given(act, BIG)


def shape(body, others, act):
    body.shape = GivenMesh(act)


def move(body, others, act):
    body.scene.move([*others, body], Given(act, np.zeros((3, 3))))


def move_by_list(body, others, act):
    body.scene.move([*others, body], [(0, 0, 1), Given(act, (0, 0, 2)), np.eye(4)])


def deform(body, others, act):
    body.scene.deform([*others, body], Given(act, [BIG] * 3))


def deform_by_list(body, others, act):
    body.scene.deform([*others, body], [BIG, Given(act, BIG), BIG])


def deform_by_objects(body, others, act):
    given = np.empty(3, object)
    given[0], given[1], given[2] = BIG, Given(act, BIG), BIG
    body.scene.deform([*others, body], given)


CHANGES = (pose, position, vertices, shape, move, move_by_list, deform, deform_by_list, deform_by_objects)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("again", [False, True], ids=["row unused", "row used again"])
def test_a_body_that_is_removed_meanwhile(bodies, change, again):
    scene, (body, *others) = bodies[0].scene, bodies
    after = []

    def act():
        scene.remove(body)
        if again:
            scene.add(ss.Mesh.box((1, 1, 1)), name="new")
        after.append(state(scene))

    with pytest.raises(ss.errors.NotFound, match=r"body 0 \('box 0'\) was removed from its scene"):
        change(body, others, act)
    assert [state(scene)] == after


@pytest.mark.parametrize("change", [pose, position, move, move_by_list])
def test_a_body_that_is_attached_meanwhile(bodies, change):
    body, *others = bodies
    robot = ss.Robot(body.scene, name="arm")
    robot.add("base")
    with pytest.raises(ss.errors.InvalidPose, match="is a part of robot 'arm'"):
        change(body, others, lambda: robot.attach(body, "base"))
    np.testing.assert_array_equal(body.pose, np.eye(4))


@pytest.mark.parametrize("change", [vertices, deform, deform_by_list, deform_by_objects])
@pytest.mark.parametrize(
    ("shape", "message"), [(ss.Box((1, 1, 1)), "is a Box; only a Mesh"), (ss.Mesh.sphere(1), "has 627, got 8")]
)
def test_a_body_that_gets_another_shape_meanwhile(bodies, change, shape, message):
    body, *others = bodies

    def act():
        body.shape = shape

    with pytest.raises(ss.errors.InvalidGeometry, match=message):
        change(body, others, act)
    assert body.shape is shape
    np.testing.assert_array_equal(others[0].vertices, ss.Mesh.box((1, 1, 1)).vertices)


def test_a_robot_that_is_removed_meanwhile():
    robot = ss.Robot()
    robot.add("base", ss.Box((1, 1, 1)))
    scene = robot.scene

    def act():
        robot.remove()
        scene.add(ss.Sphere(1), name="new")

    robot.pose = Given(act, (1, 2, 3))
    np.testing.assert_array_equal(scene["new"].bounds, [[-1, -1, -1], [1, 1, 1]])
    assert robot.links == {}


def test_a_link_that_is_added_meanwhile():
    robot = ss.Robot()
    robot.add("base")
    joint = ss.Joint.fixed("f")
    given = (ss.Sphere(1), Given(lambda: robot.add("arm", parent="base", joint=joint), (1, 2, 3)))
    with pytest.raises(ss.errors.InvalidRobot, match="link 'arm' exists already"):
        robot.add("arm", given, parent="base", joint=joint)
    assert len(robot.scene) == 0


def test_a_part_of_a_robot_does_not_become_a_volume():
    robot = ss.Robot(name="arm")
    robot.add("base", ss.Box((1, 1, 1)))
    (base,) = robot.links["base"].bodies
    with pytest.raises(
        ss.errors.InvalidGeometry, match=r"shape: body 0 .* is a part of robot 'arm'; a link can carry every shape but"
    ):
        base.shape = ss.Volume(np.ones((2, 2, 2)))
    base.shape = ss.Sphere(1)
