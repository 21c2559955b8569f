"""--view of the laboratory's commands: recordings and swings on a page in the browser."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from sweepscope import Body, Box, Mesh, PointCloud, Scene, Volume
from sweepscope.errors import InvalidGeometry
from sweepscope.fan import Fan

from ..compared import VARIANTS, Speculative
from ..scenes.swinging import SwingScene

_MOST_FRAMES = 1000  # of a recording; of longer runs every second, third, ... frame is kept
_SWEPT = 40  # poses that stand for the swept space


class Recording:
    """Keeps where the bodies of a scene were in each frame of a run. frames: how many there will be."""

    def __init__(self, scene: Scene, frames: int) -> None:
        self._scene = scene
        self._every = max(1, -(-frames // _MOST_FRAMES))
        self._count = 0
        self._frames: list[dict[Body, Any]] = []
        self._shapes: dict[Body, Any] = {}
        self.see()

    def see(self) -> None:
        """Keep a frame."""
        if self._count % self._every == 0:
            self._frames.append({body: self._state(body) for body in self._scene.bodies})
        self._count += 1

    def _state(self, body: Body) -> Any:
        shape = body.shape
        if isinstance(shape, Volume):
            old = self._shapes.get(body)
            if old is None or old.version != shape.version:
                self._shapes[body] = shape.copy()
            return body.pose, self._shapes[body]
        if not isinstance(shape, (Mesh, PointCloud)):
            return body.pose
        old = self._shapes.setdefault(body, shape.vertices)
        if not np.array_equal(old, shape.vertices):
            self._shapes[body] = shape.vertices
        return body.pose, self._shapes[body]

    def show(self) -> None:
        """Show the recording on a page until Ctrl-C."""
        from sweepscope.cli.view import serve

        page = self._scene.show()
        page.play(self._frames)
        serve(page)


def show_swing(case: SwingScene) -> None:
    """Show a swing, the space that it sweeps, and what other methods take for it, until Ctrl-C."""
    from sweepscope.cli.view import serve

    scene = Scene()
    mover = scene.add(case.mover, case.pose, name=case.title)
    for target in case.targets:
        scene.add(target.shape, target.pose, name=target.name)
    page = scene.show(mover, case.motion, resting="hit")
    box, pose = case.box_and_pose()
    motion: dict[str, Any] = {"axis": case.motion.axis, "angle": case.motion.angle, "about": case.motion.about}
    swept = [case.motion.at(share) @ case.pose for share in np.linspace(0.0, 1.0, _SWEPT).tolist()]
    page.overlay("swept space", case.mover, swept)
    page.overlay("enclosing fan", Fan.enclosing(case.mover, case.pose, **motion), [np.eye(4)], color=1, visible=False)
    with suppress(InvalidGeometry):  # the published fan needs the pose of the thesis
        page.overlay("published fan", Fan.from_swing(box, pose, **motion), [np.eye(4)], color=2, visible=False)
    for k, name in enumerate(VARIANTS):
        around = Speculative(box, pose, **motion, variant=name)
        middle = 0.5 * (around.low + around.high)
        page.overlay(f"speculative {name}", Box(around.high - around.low), [middle], color=3 + k, visible=False)
    serve(page)
