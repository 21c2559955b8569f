"""A character that walks by sweeps alone: it goes to contact and slides on along what it hit, as in games.

Nothing ever pushes it out of anything: its pose is what the sweeps say.
"""

from __future__ import annotations

import math
import random

from sweepscope import Body, Rotate, Scene, Translate

Vector = tuple[float, float, float]

_SLIDES = 4
_NORMALS = 3
_GRAVITY = 0.01  # [length per frame per frame]
_FASTEST_FALL = -0.4  # [length per frame]
_JUMP = 0.16
_WALK = 0.06
_STEEPEST = 0.5  # a normal whose z is more is ground
_AGAINST = -1e-12  # a step against a normal by less is along it


def dot(a: Vector, b: Vector) -> float:
    """Return the dot product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def along(step: Vector, normals: list[Vector]) -> Vector:
    """Return the part of a step that goes against none of the normals: along one, along the crease of two, or nothing."""
    for n in normals:
        s = dot(step, n)
        slid = (step[0] - s * n[0], step[1] - s * n[1], step[2] - s * n[2])
        if all(m is n or dot(slid, m) >= _AGAINST for m in normals):
            return slid
    for k, n in enumerate(normals):
        for m in normals[:k]:
            x, y, z = n[1] * m[2] - n[2] * m[1], n[2] * m[0] - n[0] * m[2], n[0] * m[1] - n[1] * m[0]
            square = x * x + y * y + z * z
            if square < 1e-16:
                continue
            s = dot(step, (x, y, z)) / square
            slid = (s * x, s * y, s * z)
            if all(dot(slid, other) >= _AGAINST for other in normals):
                return slid
    return (0.0, 0.0, 0.0)


class Walker:
    """A body and what it is doing."""

    def __init__(self, scene: Scene, body: Body, seed: int, half: float) -> None:
        self.scene, self.body, self.half = scene, body, half
        self.hits = self.slides = self.turns = 0
        """Sweeps that hit something, steps along a surface, turns."""
        self._random = random.Random(seed)
        self._heading, self._fall, self._grounded = self._random.uniform(0.0, 6.28), 0.0, False

    def frame(self) -> bool:
        """Walk, fall, jump or turn for one frame. Return whether it moved at all."""
        chance = self._random.random()
        if chance < 0.05:
            return self._turn()
        if chance > 0.97 and self._grounded:
            self._fall = _JUMP
        self._heading += self._random.uniform(-0.2, 0.2)
        x, y, _ = self.body.pose[:3, 3].tolist()
        if max(abs(x), abs(y)) > self.half:
            self._heading = math.atan2(-y, -x)
        self._fall = max(self._fall - _GRAVITY, _FASTEST_FALL)
        return self._step((_WALK * math.cos(self._heading), _WALK * math.sin(self._heading), self._fall))

    def _step(self, left: Vector) -> bool:
        body, normals = self.body, list[Vector]()
        pose, moved = body.pose.copy(), False
        self._grounded = False
        for _ in range(_SLIDES):
            hit = self.scene.sweep(body, Translate(left))
            time = 1.0 if hit is None else hit.time
            if time > 0.0:
                pose[:3, 3] += (time * left[0], time * left[1], time * left[2])
                body.pose = pose
                moved = True
            if hit is None:
                break
            self.hits += 1
            n = tuple(hit.normal.tolist())
            if hit.overlapping or n[0] != n[0]:
                break
            if n[2] > _STEEPEST:
                self._fall, self._grounded = 0.0, True
            elif n[2] < -_STEEPEST:
                self._fall = min(self._fall, 0.0)
            normals = [*normals[1 - _NORMALS :], n]
            rest = 1.0 - time
            left = along((rest * left[0], rest * left[1], rest * left[2]), normals)
            if left == (0.0, 0.0, 0.0):
                break
            self.slides += 1
        return moved

    def _turn(self) -> bool:
        body = self.body
        motion = Rotate((0.0, 0.0, 1.0), self._random.uniform(-0.5, 0.5), body.pose[:3, 3])
        hit = self.scene.sweep(body, motion)
        time = 1.0 if hit is None else hit.time
        self.turns += 1
        self.hits += hit is not None
        if time > 0.0:
            body.pose = motion.at(time) @ body.pose
        return time > 0.0
