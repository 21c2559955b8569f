"""Results of depth images alone, which know nothing of scenes; and what they share with radars."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ..immutable import Immutable, fix_arrays
from ..renderers import Drawable, renderer_for
from .numbers import plain

if TYPE_CHECKING:
    from os import PathLike

    from ..drawing.picture import Picture

Method = Literal["sampled", "bounding", "published"]
METHODS: tuple[Method, ...] = get_args(Method)
"""How a range and a mask are read."""


def mask_of(lead: NDArray[np.float64], depth: float) -> NDArray[np.float64]:
    """Return M of a leading surface, -inf beside the mover, in a view of some depth."""
    return np.where(np.isinf(lead), depth, depth - lead)


def gaps_of(ranges: NDArray[np.float64], lead: NDArray[np.float64], method: Method) -> NDArray[np.float64]:
    """Return L = R + M - d, NaN beside the mover; at least 0 unless published."""
    gap = ranges - lead
    return np.where(np.isinf(lead), np.nan, gap if method == "published" else np.maximum(gap, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class ImageReading(Immutable, Drawable):
    """What two depth images say about a motion: see `sweepscope.radar.read_images`. True if there will be contact.

    Images have shape (rows, columns). Coordinates are those of the view: right, down and ahead [length], from the middle of its
    near side. With a `View`, the world's are `view.eye + place @ view.frame`. Arrays are read-only.
    """

    travel: float
    """Free travel [length]: the smallest gap, or the whole distance if there is no contact."""
    time: float
    """Free travel as a fraction of the distance, 0 .. 1."""
    hit: bool
    """True if there is contact within the distance."""
    center: NDArray[np.float64]
    """Middle of the contact on the obstacle [length], shape (3,), view; NaN without contact."""
    normal: NDArray[np.float64]
    """Unit, from the obstacle towards the mover, shape (3,), view; NaN without contact, or where there are too few pixels."""
    pixels: NDArray[np.int64]
    """Pixels in contact, shape (k, 2): row, column. Those at the smallest gap; for "published" all that the motion reaches."""
    obstacles: tuple[int, ...]
    """Numbers from `ids` at these pixels, the one with most pixels first; () without `ids`."""
    movers: tuple[int, ...]
    """Numbers from `mask_ids` at these pixels, likewise."""
    hidden: int
    """Pixels of the mover where the range ends behind its leading surface: what is ahead there is not known, and not read.
    Fewer than `covered`. 0 unless "sampled": bounds count it as a gap of 0, and the paper as a collision."""
    resolution: float
    """How far the depths of the images may let `travel` be off [length]: twice `depth_error`. Bounds have it subtracted."""
    range: NDArray[np.float64]
    """R: distance from the view's near side to the first surface; `depth` where nothing is."""
    lead: NDArray[np.float64]
    """Distance from the view's near side to the mover's leading surface, -inf beside the mover."""
    depth: float
    """Depth of the view [length]."""
    distance: float
    """Distance that was tested [length]."""
    pixel_size: tuple[float, float]
    """Width and height of a pixel [length]."""
    method: Method
    """How the images were read."""

    _small = (800, 310)

    def __post_init__(self) -> None:
        fix_arrays(self)

    def picture(
        self, path: str | PathLike[str] | None = None, *, size: tuple[int, int] = (1080, 390), dark: bool = False
    ) -> Picture:
        """Draw R, M and L with a scale, the pixels in contact and their center. Save it if a path is given."""
        return renderer_for("image_reading")(self, path, size=size, dark=dark)

    def __bool__(self) -> bool:
        return self.hit

    def __repr__(self) -> str:
        rows, columns = self.range.shape
        found = f"contact after {self.travel:.6g}" if self.hit else "free"
        unseen = f"; ahead of {self.hidden} of {self.covered} pixels of the mover nothing is visible" if self.hidden else ""
        return f"<ImageReading, {columns} x {rows} pixels: {found} of {self.distance:.6g}{unseen}>"

    @property
    def covered(self) -> int:
        """Number of pixels that show the mover."""
        return int((self.lead > -np.inf).sum())

    @property
    def mask(self) -> NDArray[np.float64]:
        """M: distance from the view's far end to the mover; `depth` beside it."""
        return mask_of(self.lead, self.depth)

    @property
    def lookat(self) -> NDArray[np.float64]:
        """L = R + M - d: the gap at every pixel; NaN beside the mover. At least 0, except for "published"."""
        return gaps_of(self.range, self.lead, self.method)

    @property
    def points(self) -> NDArray[np.float64]:
        """Points of the obstacles at the pixels in contact [length], shape (k, 3), view."""
        rows, columns = self.range.shape
        row, column = self.pixels[:, 0], self.pixels[:, 1]
        right = (column + 0.5 - 0.5 * columns) * self.pixel_size[0]
        down = (row + 0.5 - 0.5 * rows) * self.pixel_size[1]
        return np.column_stack((right, down, self.range[row, column]))

    def as_dict(self) -> dict[str, Any]:
        """Return its numbers as plain data, which `json.dumps` takes; no images. time is None without contact."""
        return {
            "hit": bool(self.hit),
            "travel": float(self.travel),
            "time": float(self.time) if self.hit else None,
            "resolution": float(self.resolution),
            "obstacles": list(self.obstacles),
            "movers": list(self.movers),
            "center": plain(self.center),
            "normal": plain(self.normal),
            "hidden": int(self.hidden),
            "method": self.method,
        }
