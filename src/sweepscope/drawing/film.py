"""Films of a changing scene from a fixed camera, as animated GIF files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..world.body import Body
from .animation import animate, need_pillow
from .arrangement import arrange
from .paint import paint
from .picture import Picture, to_picture
from .stage import PictureStage, points_of

if TYPE_CHECKING:
    from ..scene import Scene
    from .palette import Colors


class Film:
    """Takes a picture of a scene at each call of `see`; the camera is fixed."""

    def __init__(
        self,
        scene: Scene,
        path: Any,
        *,
        around: Sequence[Body] | None = None,
        size: tuple[int, int] = (480, 360),
        colors: Colors | None = None,
        dark: bool = False,
        ignore: Iterable[Body] = (),
    ) -> None:
        """Set up the camera. path: *.gif. around: bodies to frame, by default those of `subject_of`. ignore: not drawn."""
        options = {"eye": None, "target": None, "up": None, "size": size, "colors": colors, "dark": dark, "ignore": ignore}
        self._stage = PictureStage(scene, path, suffix=".gif", **options)
        need_pillow()
        points = self._stage.subject.points if around is None else points_of(around)
        self._camera = self._stage.camera(points)
        self._floor = float(points[:, 2].min()) if len(points) else None
        self._pictures: list[Picture] = []

    def see(self) -> None:
        """Take a picture."""
        stage = self._stage
        shown = arrange(stage.scene, stage.ignore)
        painted = paint(shown, self._camera, stage.colors(), dark=stage.dark, floor=self._floor)
        self._pictures.append(to_picture(painted.image))

    def save(self, seconds: float = 5.0) -> int:
        """Write the file. Return the number of pictures."""
        return animate(self._pictures, self._stage.path, seconds=seconds)
