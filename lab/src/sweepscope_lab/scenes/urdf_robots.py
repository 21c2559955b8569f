"""Real robots: URDF files of the package example-robot-data, among boxes."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Box, Robot, Scene, SweepscopeError

_SHARE = Path("cmeel.prefix") / "share"
_FOLDER = Path("example-robot-data") / "robots"
_KEPT_FREE = 0.35
"""Least distance of a box's center from the axis of the robot's root [share of the robot's reach]."""
_APART = 0.01
"""Least distance of a box from the robot where it stands [share of the robot's reach]."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RobotFiles:
    """A robot of example-robot-data."""

    name: str
    urdf: str
    """Below the folder of robots."""
    srdf: str | None = None
    """Likewise; None if the package has none for it."""
    reach: float = 0.9
    """Half the width of the space in which boxes stand around it [length]."""
    stand: Mapping[str, float] = field(default_factory=dict)
    """Positions of joints in which it is free of itself, where its start is not."""


_TALOS = {
    "arm_left_1_joint": 0.26, "arm_left_2_joint": 0.17, "arm_left_4_joint": -0.53, "arm_right_1_joint": -0.26,
    "arm_right_2_joint": -0.17, "arm_right_4_joint": -0.53, "leg_left_3_joint": -0.41, "leg_left_4_joint": 0.86,
    "leg_left_5_joint": -0.45, "leg_right_3_joint": -0.41, "leg_right_4_joint": 0.86, "leg_right_5_joint": -0.45,
}  # fmt: skip
_KINOVA = {"j2s6s200_joint_2": math.pi, "j2s6s200_joint_3": math.pi, "j2s6s200_joint_5": math.pi}

ROBOTS = {
    each.name: each
    for each in (
        RobotFiles("panda", "panda_description/urdf/panda.urdf", "panda_description/srdf/panda.srdf"),
        RobotFiles("ur5", "ur_description/urdf/ur5_robot.urdf", "ur_description/srdf/ur5.srdf"),
        RobotFiles("talos", "talos_data/robots/talos_reduced.urdf", "talos_data/srdf/talos.srdf", 1.3, _TALOS),
        RobotFiles("g1", "g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf", None, 1.0),
        RobotFiles("xarm7", "xarm_description/urdf/xarm7.urdf", "xarm_description/srdf/xarm7.srdf"),
        RobotFiles("kinova", "kinova_description/robots/kinova.urdf", "kinova_description/srdf/kinova.srdf", 0.9, _KINOVA),
        RobotFiles("z1", "z1_description/urdf/z1.urdf", "z1_description/srdf/z1.srdf", 0.7, {"joint2": 1.2, "joint3": -1.0}),
        RobotFiles("go2", "go2_description/urdf/go2.urdf", "go2_description/srdf/go2.srdf", 0.6),
        RobotFiles("pr2", "pr2_description/urdf/pr2.urdf", "pr2_description/srdf/pr2.srdf", 1.2),
        RobotFiles("baxter", "baxter_description/urdf/baxter.urdf", "baxter_description/srdf/baxter_manipulation.srdf", 1.3),
    )
}
"""The robots of proofs and benchmarks, by name."""


def robots_folder() -> Path:
    """Return the folder of robots of the installed package example-robot-data."""
    for entry in sys.path:
        folder = Path(entry) / _SHARE / _FOLDER
        if folder.is_dir():
            return folder
    raise SweepscopeError("the robots of example-robot-data are not installed: pip install example-robot-data")


def load_robot(files: RobotFiles, scene: Scene | None = None) -> Robot:
    """Return a robot where it stands. The pairs of links that its SRDF disables ignore each other."""
    folder = robots_folder()
    srdf = None if files.srdf is None else folder / files.srdf
    robot = Robot.load(folder / files.urdf, scene, name=files.name, srdf=srdf)
    robot.positions = files.stand
    return robot


def add_boxes(robot: Robot, files: RobotFiles, count: int, seed: int = 0) -> list[Body]:
    """Add boxes around the root, none of which overlaps the robot where it stands, and return them."""
    rng = np.random.default_rng(seed)
    boxes: list[Body] = []
    while len(boxes) < count:
        center = rng.uniform(-files.reach, files.reach, 3)
        center[2] = abs(center[2]) + 0.1 * files.reach
        widths = files.reach * rng.uniform(0.09, 0.28, 3)
        if math.hypot(center[0], center[1]) > _KEPT_FREE * files.reach:
            box = robot.scene.add(Box(widths), center, name=f"box {len(boxes)}")
            if robot.scene.overlaps(box, list(robot.bodies), limit=_APART * files.reach):
                robot.scene.remove(box)
            else:
                boxes.append(box)
    return boxes


def limits_of(robot: Robot) -> Array:
    """Return (lowest, highest) of each actuated joint, shape (dof, 2): half a turn each way for joints without limits.

    Joints that mimic others narrow the limits of those.
    """
    joints = robot.joints
    result = np.array([joints[name].limits for name in robot.actuated_joints], float)
    result[~np.isfinite(result)] = np.broadcast_to((-math.pi, math.pi), result.shape)[~np.isfinite(result)]
    rows = {name: k for k, name in enumerate(robot.actuated_joints)}
    for name, joint in joints.items():
        if joint.mimic is None or joint.kind == "fixed":
            continue
        leader, factor, offset = leader_of(robot, name)
        if factor != 0.0:
            low, high = sorted((limit - offset) / factor for limit in joint.limits)
            row = result[rows[leader]]
            row[:] = max(row[0], low), min(row[1], high)
    return result


def leader_of(robot: Robot, joint: str) -> tuple[str, float, float]:
    """Return the actuated joint that decides the value of a joint, factor and offset: value = factor * its value + offset."""
    factor, offset = 1.0, 0.0
    joints = robot.joints
    while (mimic := joints[joint].mimic) is not None:
        joint, offset = mimic[0], offset + factor * mimic[2]
        factor *= mimic[1]
    return joint, factor, offset


def body_pairs(robot: Robot, obstacles: list[Body]) -> set[frozenset[str]]:
    """Return the pairs of bodies, by name, that the robot tests: movable against each other and not ignored."""
    from sweepscope.robot.robot import tree_of

    tree = tree_of(robot)
    ignored = {frozenset(pair[:2]) for pair in tree.ignored_links()}
    chains = tree.chains(dict.fromkeys(tree.values, 1.0))
    pairs: set[frozenset[str]] = set()
    links = [link for link in robot.links.values() if link.bodies]
    for one, other in itertools.combinations(links, 2):
        if chains[one] != chains[other] and frozenset((one.name, other.name)) not in ignored:
            pairs |= {frozenset((a.name, b.name)) for a in one.bodies for b in other.bodies}
    pairs |= {frozenset((body.name, box.name)) for link in links if chains[link] for body in link.bodies for box in obstacles}
    return pairs
