"""Robots from URDF files, every joint to both its ends, against a static check after each of 10,000 steps."""

import math

import numpy as np
import pytest
from sweepscope_lab.reference.robots import STEPS, JointSpec, LinkPiece, RobotQuestion, moving_joints, static_check
from sweepscope_lab.reference.turn_cases import closed
from urdf_arms import write_arm, write_hand

import sweepscope as ss


def question_of(robot, joint, to):
    """What the reference is asked: one joint, and those that follow it, from where the robot is."""
    links = list(robot.links.values())
    number = {link.name: k for k, link in enumerate(links)}
    joint_specs = [JointSpec(-1, "fixed", np.array((0.0, 0.0, 1.0)), np.eye(4))]
    joint_specs += [
        JointSpec(number[link.parent.name], link.joint.kind, np.array(link.joint.axis), link.joint.origin) for link in links[1:]
    ]
    start = np.array([robot.positions.get(link.joint.name, 0.0) if link.joint else 0.0 for link in links])
    end = start.copy()
    for k, link in enumerate(links[1:], 1):
        if link.joint.name == joint:
            end[k] = to
        elif link.joint.mimic is not None and link.joint.mimic[0] == joint:
            end[k] = link.joint.mimic[1] * to + link.joint.mimic[2]
    pieces, names = [], []
    for body in robot.scene.bodies:
        link = robot.link_of(body)
        frame = np.eye(4) if link is None else link.pose
        local = np.linalg.inv(frame) @ body.pose
        corners = (body.vertices @ local[:3, :3].T + local[:3, 3])[body.shape.faces]
        pieces.append(LinkPiece(-1 if link is None else number[link.name], corners, body.shape.radius, closed(body.shape)))
        names.append(body.name)
    still = RobotQuestion(tuple(joint_specs), start, end, tuple(pieces), (), 0.0)
    pairs = [
        (a, b)
        for a in range(len(pieces))
        for b in range(a + 1, len(pieces))
        if any(moving_joints(still, a, b)) and not _joined(links, pieces[a].link, pieces[b].link)
    ]
    return RobotQuestion(tuple(joint_specs), start, end, tuple(pieces), tuple(pairs), 0.0), names


def _joined(links, a, b):
    """Two links that a joint joins, or with nothing but frames between."""
    if -1 in (a, b):
        return False
    for low, high in ((links[a], links[b]), (links[b], links[a])):
        above = low.parent
        while above is not None and not above.bodies and above is not high:
            above = above.parent
        if above is high:
            return True
    return a == b


def scenery(scene, rng, reach, count):
    """Boxes, balls and a mesh about a robot."""
    for k in range(count):
        place = rng.normal(size=3)
        place *= reach * rng.uniform(0.45, 1.0) / np.linalg.norm(place)
        shape = (ss.Box((0.1 * reach,) * 3), ss.Sphere(0.06 * reach), ss.Mesh.sphere(0.07 * reach, rows=6, sections=8))[k % 3]
        scene.add(shape, place)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("write", "geometry", "reach", "put"), [(write_arm, "collision", 1.0, 0.3), (write_hand, "visual", 1.2, 0.2)]
)
def test_every_joint_equals_ten_thousand_static_checks(tmp_path, rng, write, geometry, reach, put):
    path = write(tmp_path / "robot" if write is write_hand else tmp_path)
    hits = asked = own = 0
    for _ in range(3):
        scene = ss.Scene()
        robot = ss.Robot.load(path, scene, geometry=geometry)
        robot.positions = {
            name: float(np.clip(rng.uniform(-put, 2 * put), *joint.limits))
            for name, joint in robot.joints.items()
            if joint.kind == "revolute" and joint.mimic is None
        }
        scenery(scene, rng, reach, 9)
        bodies = list(scene.bodies)
        for body in bodies:  # what is in the way at the start proves nothing
            if robot.link_of(body) is None and scene.sweep(body, ss.Translate((0, 0, 0)), resting="hit") is not None:
                scene.remove(body)
        if robot.overlaps():
            continue
        for name, joint in robot.joints.items():
            if joint.kind == "fixed" or joint.mimic is not None:
                continue
            for end in joint.limits:
                to = math.copysign(2 * math.pi, end) if math.isinf(end) else end
                if to == robot[name]:
                    continue
                hit = robot.sweep(name, to)
                question, names = question_of(robot, name, to)
                walk = static_check(question)
                asked += 1
                # What meets and parts between two steps is reported as a doubt.
                fleeting = hit is not None and math.floor(hit.time * STEPS) in {step for _, step in walk.doubtful}
                if walk.step is None:
                    assert hit is None or fleeting, (name, to)
                    continue
                assert hit is not None, (name, to)
                hits += 1
                own += hit.obstacle_link is not None
                if not fleeting:
                    assert (walk.step - 1) / STEPS - 1e-9 <= hit.time <= walk.step / STEPS + 1e-12, (name, to)
                    assert {hit.mover.name, hit.obstacle.name} in [
                        {names[k] for k in question.pairs[pair]} for pair in walk.pairs
                    ]
    assert asked >= 12
    assert 0.2 * asked <= hits <= 0.95 * asked
    assert own >= 1
