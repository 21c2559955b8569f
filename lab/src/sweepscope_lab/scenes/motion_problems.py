"""Problems of motion planning for the Panda, as published with MotionBenchMaker: a start, a goal and obstacles."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Box, Mesh, Scene, SweepscopeError

FINGERS = 0.04
"""Position of the fingers [length]; the problems give more, beyond the joint's limit."""
_COLUMNS = 64
"""Sides of the prism around a cylinder, as for the cylinders of URDF files."""
_NEAR = 3
"""Random edges near the start of a problem."""
_FAR = 0.5
"""Length of the longest of them [radians]."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MotionProblem:
    """A start and a goal among obstacles."""

    name: str
    start: Array
    """Shape (dof,): seven joints, and the fingers."""
    goal: Array
    obstacles: tuple[tuple[str, tuple[float, ...], Array], ...]
    """Kind (box, cylinder), widths or (height, radius) [length], pose (4, 4)."""

    def add_obstacles(self, scene: Scene) -> list[Body]:
        """Add the obstacles to a scene: boxes, and prisms around cylinders."""
        return [scene.add(_shape(kind, sizes), pose, name=f"box {k}") for k, (kind, sizes, pose) in enumerate(self.obstacles)]


def read_problems(path: Path) -> list[MotionProblem]:
    """Read problems from a JSON file: a list of {set, problem, start, goal, obstacles}.

    An obstacle is [kind, dimensions, position, quaternion x y z w]; the dimensions of a cylinder are its height and radius.
    """
    try:
        content = json.loads(Path(path).read_text())
        return [_problem(each) for each in content]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SweepscopeError(f"{path}: cannot be read as motion problems: {error!r}") from error


def problem_motions(problem: MotionProblem, limits: Array, seed: int) -> tuple[Array, Array]:
    """Return starts and ends, shapes (n, dof): start to goal first, then random edges near the start.

    limits: of the joints, shape (dof, 2).
    """
    rng = np.random.default_rng(seed)
    ways = rng.normal(size=(_NEAR, len(problem.start)))
    ways[:, 7:] = 0.0
    ways *= rng.uniform(0.1, 1.0, (_NEAR, 1)) * _FAR / np.linalg.norm(ways, axis=1)[:, None]
    starts = np.clip(np.tile(problem.start, (1 + _NEAR, 1)), *limits.T)
    return starts, np.clip(np.vstack((problem.goal, starts[1:] + ways)), *limits.T)


def _problem(content: dict[str, Any]) -> MotionProblem:
    start, goal = (np.array([*content[end], FINGERS], float) for end in ("start", "goal"))
    obstacles = tuple(
        (kind, tuple(map(float, sizes)), _pose(position, quaternion))
        for kind, sizes, position, quaternion in content["obstacles"]
    )
    for kind, sizes, _ in obstacles:
        if len(sizes) != {"box": 3, "cylinder": 2}.get(kind):
            raise ValueError(f"obstacle {kind!r} of {len(sizes)} dimensions")
    return MotionProblem(f"{content['set']} {content['problem']}", start, goal, obstacles)


def _pose(position: Sequence[float], quaternion: Sequence[float]) -> Array:
    length = float(np.linalg.norm(quaternion))
    if not length > 0.0:
        raise ValueError(f"quaternion {quaternion}")
    x, y, z, w = np.asarray(quaternion, float) / length
    pose = np.eye(4)
    pose[:3, :3] = (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)),
        (2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)),
        (2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)),
    )
    pose[:3, 3] = position
    return pose


def _shape(kind: str, sizes: tuple[float, ...]) -> Box | Mesh:
    if kind == "box":
        return Box(sizes)
    height, radius = sizes
    return Mesh.cylinder(radius / math.cos(math.pi / _COLUMNS), height, sections=_COLUMNS)
