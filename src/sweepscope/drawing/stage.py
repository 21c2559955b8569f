"""Pictures of scenes and robots."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..scene import store_of
from ..world.body import Body
from .arrangement import Placed, arrange
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
        start: Mapping[Body, NDArray[np.float64]] | None = None,
    ) -> None:
        """Check options. start: poses of bodies that are drawn elsewhere than where they are."""
        if path is not None:
            checked_path(path, suffix)
        self.scene, self.path = scene, path
        self.size = checked_size(size)
        self.dark = checks.flag(dark, "dark")
        self.ignore: list[Body] = [] if ignore == () else _bodies(scene, ignore)
        self.given_colors = checked_colors(scene, colors)
        self._where = eye, target, up
        self.frames_itself = eye is None and target is None
        self.arrangement = arrange(scene, self.ignore).moved(start or {})
        self.subject = subject_of(self.arrangement.bodies)

    def camera(self, points: NDArray[np.float64] | None = None) -> Camera:
        """Return the camera. points: what it frames, by default the subject of the scene."""
        return make_camera(*self._where, self.size, self.subject.points if points is None else points)

    def colors(self, usual: dict[int, Rgb] | None = None) -> dict[int, Rgb]:
        """Return the color of each body by id. usual: colors that replace those of the palette."""
        return body_colors(self.arrangement.bodies, self.subject.backdrop, self.dark) | (usual or {}) | self.given_colors

    def paint(self, camera: Camera, usual: dict[int, Rgb] | None = None, ignore: Collection[Body] = ()) -> PaintedImage:
        """Return the image of the scene."""
        shown = self.arrangement.without(ignore) if ignore else self.arrangement
        return paint(shown, camera, self.colors(usual), dark=self.dark, floor=floor_below(self.subject))


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
    from ..robot.robot import tree_of

    tree_of(robot).check_present()
    stage = PictureStage(robot.scene, path, **options)
    return to_picture(stage.paint(stage.camera(points_of(stage.arrangement.only(robot.bodies).bodies))).image, path)


def points_of(bodies: Sequence[Body | Placed]) -> NDArray[np.float64]:
    """Return points around bodies, shape (n, 3), world."""
    return subject_of(bodies).points
