"""Shapes that are drawn but are not in the scene, each with a switch: fans, boxes around motions, swept space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidQuery, InvalidType
from ..shapes import Shape
from .bodies import label_of
from .colors import Rgb
from .display import display_of
from .instances import Instances
from .stage import PageStage, from_client


class Overlay:
    """A shape at one pose or at many, and its switch."""

    def __init__(
        self, stage: PageStage, name: str, shape: Shape, poses: Sequence[ArrayLike], color: Rgb, visible: bool
    ) -> None:
        if not isinstance(shape, Shape):
            raise InvalidType(f"overlay {name!r}: expected a Shape, got {checks.shown(shape)}")
        shown = display_of(shape)
        if shown.kind != "mesh":
            raise InvalidQuery(f"overlay {name!r}: {shape!r} has no triangles to draw")
        places: list[NDArray[np.float64]] = [checks.pose(pose, f"overlay {name!r}: pose {k}") for k, pose in enumerate(poses)]
        if not places:
            raise InvalidQuery(f"overlay {name!r}: poses are empty; give at least one")
        self._name, self._stage = name, stage
        opacities = [0.3 if len(places) == 1 else 0.15] * len(places)
        drawn = Instances(
            stage.server, f"/overlays/{label_of(name)}", shown, places, color, opacities, closed=False, visible=visible
        )
        self._handle = drawn.handle

    def add_switch(self) -> None:
        """Add the switch to the panel that is being made."""
        switch = self._stage.server.gui.add_checkbox(self._name, self._handle.visible)

        def switched(event: Any) -> None:
            if from_client(event):
                self._handle.visible = switch.value

        switch.on_update(switched)
