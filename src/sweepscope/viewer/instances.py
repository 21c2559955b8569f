"""One mesh at several poses, see-through: browsers draw it in one go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .colors import Rgb
from .display import Display, wxyz_of
from .serving import Server

Array = NDArray[np.float64]


class Instances:
    """A mesh at several poses, world, each with an opacity.

    closed: whether only the outside is drawn; of a see-through surface both sides are drawn one after the other.
    """

    def __init__(
        self,
        server: Server,
        name: str,
        shown: Display,
        poses: Sequence[Array],
        color: Rgb,
        opacities: Sequence[float],
        *,
        closed: bool,
        visible: bool = True,
    ) -> None:
        self.handle: Any = server.scene.add_batched_meshes_simple(
            name,
            shown.vertices,
            shown.faces,
            _turns(poses),
            _places(poses),
            batched_colors=color,
            batched_opacities=np.array(opacities),
            opacity=1.0,
            flat_shading=not shown.round,
            side="front" if closed else "double",
            cast_shadow=False,
            receive_shadow=False,
            lod="off",
            visible=visible,
        )

    def place(self, poses: Sequence[Array]) -> None:
        """Move them to as many poses."""
        self.handle.batched_positions = _places(poses)
        self.handle.batched_wxyzs = _turns(poses)


def _places(poses: Sequence[Array]) -> NDArray[np.float32]:
    return np.array([pose[:3, 3] for pose in poses], np.float32)


def _turns(poses: Sequence[Array]) -> NDArray[np.float32]:
    return np.array([wxyz_of(pose) for pose in poses], np.float32)
