"""A robot arm of six joints among balls."""

from __future__ import annotations

import math

import numpy as np

from ..robot import Joint, Robot
from ..scene import Scene
from ..shapes import Mesh
from .bodies import bumpy_ball

_MEMBERS = ((0.16, 0.25, (0, 0, 1)), (0.11, 0.7, (0, 1, 0)), (0.09, 0.6, (0, 1, 0)), (0.08, 0.25, (0, 0, 1)))
_MEMBERS += ((0.07, 0.2, (0, 1, 0)), (0.05, 0.2, (0, 0, 1)))  # radius, length, axis of the joint that it hangs on


def make_arm(scene: Scene | None = None, *, name: str = "arm", columns: int = 24) -> Robot:
    """Return an upright arm of six revolute joints, "joint 1" .. "joint 6", about 2.2 high [length], links of closed meshes."""
    robot = Robot(scene, name=name)
    robot.add("base", (_member(0.2, 0.1, columns),))
    at, above = 0.3, "base"
    for k, (radius, long, axis) in enumerate(_MEMBERS, 1):
        limits = (-math.pi, math.pi) if axis == (0, 0, 1) else (-2.2, 2.2)
        joint = Joint.revolute(f"joint {k}", axis, (0.0, 0.0, at), limits)
        robot.add(f"link {k}", (_member(radius, long, columns),), parent=above, joint=joint)
        at, above = long, f"link {k}"
    return robot


def arm_among_balls(count: int = 60, seed: int = 0, columns: int = 24) -> Robot:
    """Return such an arm with bumpy balls of 1,000 triangles about it, none of which it touches as it stands."""
    scene = Scene()
    robot = make_arm(scene, columns=columns)
    rng = np.random.default_rng(seed)
    ball = bumpy_ball(26, 20, 0.1)
    while len(scene) < count + len(robot.bodies):
        bearing, away, height = rng.uniform(-math.pi, math.pi), rng.uniform(0.45, 2.0), rng.uniform(0.0, 2.2)
        scene.add(ball, (away * math.cos(bearing), away * math.sin(bearing), height))
    return robot


def _member(radius: float, long: float, columns: int) -> tuple[Mesh, tuple[float, float, float]]:
    """Return a rounded member along z, from the joint that it hangs on to the next."""
    return Mesh.capsule(radius, long, columns // 2, columns), (0.0, 0.0, 0.5 * long)
