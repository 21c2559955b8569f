"""The Panda of example-robot-data among obstacles: as a Robot, and for pinocchio and coal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sweepscope import Box, Mesh, Pose, Robot, Scene, SweepscopeError
from sweepscope.robot.robot import tree_of

from .rows import peer

ARM = tuple(f"panda_joint{k}" for k in range(1, 8))
FINGERS = ("panda_finger_joint1", "panda_finger_joint2")
_SIDES = 64
Obstacle = tuple[str, Sequence[float], Sequence[float], Sequence[float]]
"""Kind, dimensions, position, quaternion x y z w. A box has three widths, a cylinder height and radius [length]."""


def obstacle_shape(kind: str, dimensions: Sequence[float]) -> Box | Mesh:
    """Return the shape of an obstacle; a cylinder is a prism of 64 sides around it, as in a URDF file."""
    if kind == "box":
        return Box(tuple(dimensions))
    height, radius = dimensions
    return Mesh.cylinder(radius / math.cos(math.pi / _SIDES), height, sections=_SIDES)


def panda_among(obstacles: Sequence[Obstacle], robots: Path, fingers: float = 0.04) -> Robot:
    """Return the Panda in a scene of obstacles, with the pairs of its SRDF ignored. fingers: their position [m]."""
    scene = Scene()
    for k, (kind, dimensions, position, quaternion) in enumerate(obstacles):
        pose = Pose.from_quaternion(position, xyzw=quaternion)
        scene.add(obstacle_shape(kind, dimensions), pose, name=f"{kind} {k}")
    folder = robots / "panda_description"
    robot = Robot.load(
        folder / "urdf/panda.urdf", scene, srdf=folder / "srdf/panda.srdf", packages={"example-robot-data": robots.parent}
    )
    robot.positions = dict.fromkeys(FINGERS, fingers)
    return robot


class PinocchioArm:
    """Static tests of the same arm and obstacles by pinocchio and coal: what a planner samples.

    Its links have the meshes and boxes of the same URDF file. Boxes and cylinders are coal's own, the forms in which it is
    fastest; the robot has a prism around each cylinder, larger by up to 0.12 % of the radius. It tests the pairs of links that
    the robot tests, and every link with every obstacle. Its broad phase is the fastest of those of coal that find all
    collisions, about ten times as fast as tests pair by pair.
    """

    def __init__(self, robot: Robot, obstacles: Sequence[Obstacle], robots: Path) -> None:
        pin, coal = peer("pinocchio"), peer("coal")
        file = str(robots / "panda_description/urdf/panda.urdf")
        model = pin.buildModelFromUrdf(file)
        folders = [str(robots.parents[1]), str(robots)]
        geometry = pin.buildGeomFromUrdf(model, file, pin.GeometryType.COLLISION, package_dirs=folders)
        links = [model.frames[each.parentFrame].name for each in geometry.geometryObjects]
        for k, (kind, dimensions, position, quaternion) in enumerate(obstacles):
            matrix = Pose.from_quaternion(position, xyzw=quaternion)
            place = pin.SE3(np.ascontiguousarray(matrix[:3, :3]), np.ascontiguousarray(matrix[:3, 3]))
            shape = coal.Box(*dimensions) if kind == "box" else coal.Cylinder(dimensions[1], dimensions[0])
            geometry.addGeometryObject(pin.GeometryObject(f"obstacle {k}", 0, place, shape))
        tested = _tested_pairs(robot)
        for b in range(geometry.ngeoms):
            for a in range(min(b, len(links))):
                if b >= len(links) or frozenset((links[a], links[b])) in tested:
                    geometry.addCollisionPair(pin.CollisionPair(a, b))
        self.pairs = len(geometry.collisionPairs)
        """Number of pairs that are tested."""
        self._collide, self._model, self._geometry = pin.computeCollisions, model, geometry
        self._data, self._results = model.createData(), pin.GeometryData(geometry)
        self._broad_phase = pin.BroadPhaseManager_NaiveCollisionManager(model, geometry, pin.GeometryData(geometry))
        self._q = pin.neutral(model)
        for name in FINGERS:
            self._q[model.joints[model.getJointId(name)].idx_q] = robot[name]
        indices = [model.joints[model.getJointId(name)].idx_q for name in ARM]
        if indices != list(range(7)):
            raise SweepscopeError(f"pinocchio numbers the joints of the arm {indices}; expected 0 to 6")

    def collides(self, q: NDArray[np.float64] | Sequence[float]) -> bool:
        """Return whether the arm touches something at a configuration, shape (7,) [radians]."""
        self._q[:7] = q
        return bool(self._collide(self._model, self._data, self._broad_phase, self._q, True))

    def collides_by_pairs(self, q: NDArray[np.float64] | Sequence[float]) -> bool:
        """Return what `collides` returns, by tests pair by pair."""
        self._q[:7] = q
        return bool(self._collide(self._model, self._data, self._geometry, self._results, self._q, True))


def _tested_pairs(robot: Robot) -> set[frozenset[str]]:
    """Return the pairs of links that may collide: not ignored, and some joint moves one relative to the other."""
    tree = tree_of(robot)
    chains = tree.chains(tree.values)
    links = [link for link in tree.links.values() if tree.pieces[link]]
    return {
        frozenset((a.name, b.name))
        for k, a in enumerate(links)
        for b in links[:k]
        if frozenset((a, b)) not in tree.ignored and chains[a] != chains[b]
    }
