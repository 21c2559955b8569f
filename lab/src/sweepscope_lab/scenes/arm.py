"""A robot arm of six joints among balls."""

from __future__ import annotations

import math

import numpy as np

from sweepscope import Joint, Mesh, Robot, Scene

from .bodies import bumpy_ball

_LINKS = ((0.16, 0.25, (0, 0, 1)), (0.11, 0.7, (0, 1, 0)), (0.09, 0.6, (0, 1, 0)), (0.08, 0.25, (0, 0, 1)))
_LINKS += ((0.07, 0.2, (0, 1, 0)), (0.05, 0.2, (0, 0, 1)))  # radius, length, axis of its joint


def make_arm(scene: Scene | None = None, *, name: str = "arm", columns: int = 24) -> Robot:
    """Return an upright arm of six revolute joints, "joint 1" .. "joint 6", about 2.2 high [length], with closed meshes."""
    robot = Robot(scene, name=name)
    robot.add("base", (_link_part(0.2, 0.1, columns),))
    height, parent = 0.3, "base"
    for k, (radius, long, axis) in enumerate(_LINKS, 1):
        limits = (-math.pi, math.pi) if axis == (0, 0, 1) else (-2.2, 2.2)
        joint = Joint.revolute(f"joint {k}", axis, origin=(0.0, 0.0, height), limits=limits)
        robot.add(f"link {k}", (_link_part(radius, long, columns),), parent=parent, joint=joint)
        height, parent = long, f"link {k}"
    return robot


def arm_among_balls(count: int = 60, seed: int = 0, columns: int = 24) -> Robot:
    """Return that arm among bumpy balls of 1,000 triangles; it touches none of them at its start."""
    scene = Scene()
    robot = make_arm(scene, columns=columns)
    rng = np.random.default_rng(seed)
    ball = bumpy_ball(26, 20, 0.1)
    while len(scene) < count + len(robot.bodies):
        bearing, away, height = rng.uniform(-math.pi, math.pi), rng.uniform(0.45, 2.0), rng.uniform(0.0, 2.2)
        scene.add(ball, (away * math.cos(bearing), away * math.sin(bearing), height))
    return robot


def _link_part(radius: float, long: float, columns: int) -> tuple[Mesh, tuple[float, float, float]]:
    """Return a capsule along z, from the link's joint to the next, and its place."""
    return Mesh.capsule(radius, long, rows=columns // 2, sections=columns), (0.0, 0.0, 0.5 * long)
