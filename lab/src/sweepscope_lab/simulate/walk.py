"""A character that walks by slides and sweeps alone: it goes to contact and on along what it hit, as in games.

Nothing ever pushes it out of anything: its pose is what the sweeps say.
"""

from __future__ import annotations

import math
import random

from sweepscope import Body, Rotate, Scene

_LEGS = 4
_GRAVITY = 0.01  # [length per frame per frame]
_FASTEST_FALL = -0.4  # [length per frame]
_JUMP = 0.16
_WALK = 0.06
_STEEPEST = 0.5  # a normal whose z is more is ground


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

    def _step(self, step: tuple[float, float, float]) -> bool:
        body = self.body
        slide = self.scene.slide(body, step, legs=_LEGS)
        self.hits += len(slide.hits)
        self.slides += len(slide.legs) - 1
        self._grounded = False
        for hit in slide.hits:
            up = hit.normal[2]
            if up > _STEEPEST:
                self._fall, self._grounded = 0.0, True
            elif up < -_STEEPEST:
                self._fall = min(self._fall, 0.0)
        if slide.travel > 0.0:
            body.pose = slide.moved.at() @ body.pose
        return slide.travel > 0.0

    def _turn(self) -> bool:
        body = self.body
        motion = Rotate((0.0, 0.0, 1.0), self._random.uniform(-0.5, 0.5), about=body.pose[:3, 3])
        hit = self.scene.sweep(body, motion)
        time = 1.0 if hit is None else hit.time
        self.turns += 1
        self.hits += hit is not None
        if time > 0.0:
            body.pose = motion.at(time) @ body.pose
        return time > 0.0
