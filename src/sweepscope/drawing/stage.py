"""Pictures of scenes and robots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..scene import store_of
from ..world.body import Body
from .camera import Camera, checked_size, make_camera
from .framing import Subject, subject_of
from .paint import PaintedImage, paint
from .palette import Rgb, body_colors, checked_colors
from .picture import Picture, checked_path, to_picture

if TYPE_CHECKING:
    from ..robot.robot import Robot
    from ..scene import Scene


class PictureStage:
    """The options of a picture, checked before anything is drawn."""

    def __init__(
        self,
        scene: Scene,
        path: Any,
        *,
        size: Any,
        eye: Any = None,
        target: Any = None,
        up: Any = None,
        colors: Any = None,
        dark: Any = False,
        ignore: Any = (),
        suffix: str = ".png",
    ) -> None:
        if path is not None:
            checked_path(path, suffix)
        self.scene, self.path = scene, path
        self.size = checked_size(size)
        self.dark = checks.flag(dark, "dark")
        self.ignore: list[Body] = [] if ignore == () else _bodies(scene, ignore)
        self.given_colors = checked_colors(scene, colors)
        self._where = eye, target, up
        self.frames_itself = eye is None and target is None
        hidden = set(self.ignore)
        self.bodies = [body for body in scene if body not in hidden]
        self.subject = subject_of(self.bodies)

    def camera(self, points: NDArray[np.float64] | None = None) -> Camera:
        """Return the camera. points: what it frames, by default the subject of the scene."""
        return make_camera(*self._where, self.size, self.subject.points if points is None else points)

    def colors(self, usual: dict[int, Rgb] | None = None) -> dict[int, Rgb]:
        """Return the color of each body by id. usual: colors that replace those of the palette."""
        return body_colors(self.bodies, self.subject.backdrop, self.dark) | (usual or {}) | self.given_colors

    def paint(self, camera: Camera, usual: dict[int, Rgb] | None = None, ignore: Iterable[Body] = ()) -> PaintedImage:
        """Return the image of the scene."""
        colors = self.colors(usual)
        hidden = [*self.ignore, *ignore]
        return paint(self.scene, camera, colors, dark=self.dark, ignore=hidden, floor=floor_below(self.subject))


def _bodies(scene: Scene, ignore: Any) -> list[Body]:
    """Return bodies that are not drawn, checked."""
    bodies = checks.items(ignore, "ignore", "bodies")
    store_of(scene).check_ignored(bodies)
    return bodies


def floor_below(subject: Subject) -> float | None:
    """Return the height of the shadow floor, below all framed points [length]; None if there are none."""
    return float(subject.points[:, 2].min()) if len(subject.points) else None


def picture_of_scene(scene: Scene, path: Any, **options: Any) -> Picture:
    """Draw `Scene.picture`."""
    stage = PictureStage(scene, path, **options)
    return to_picture(stage.paint(stage.camera()).image, path)


def picture_of_robot(robot: Robot, path: Any, **options: Any) -> Picture:
    """Draw `Robot.picture`."""
    stage = PictureStage(robot.scene, path, **options)
    hidden = set(stage.ignore)
    return to_picture(stage.paint(stage.camera(points_of([b for b in robot.bodies if b not in hidden]))).image, path)


def points_of(bodies: Sequence[Body]) -> NDArray[np.float64]:
    """Return points around bodies, shape (n, 3), world."""
    return subject_of(bodies).points
