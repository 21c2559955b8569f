"""Readings of depth images: the free travel of a mover from a range and a mask, whoever drew them.

R, the range, shows what lies ahead, seen from the near side of a box of parallel rays. M, the mask, shows the mover alone, seen
back from the far side. R + M - d is the gap at a pixel, d the depth of the box (Yamachi & Shindo 2002, section 3.1). A `Radar`
draws both and reads them here; `read_images` takes them from anywhere.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidQuery, InvalidType
from ..kernels.tolerances import TOUCH_SIZE
from ..results.images import METHODS, ImageReading, Method
from .three_pixels import normal_of

CONTACT = 1e-6  # gaps that differ by less than this fraction of the mover's size are one contact
_ROUNDING = 1e-6  # of the depth: a mask may be nearer than the distance by this much, as stored in 32 bits
_MOST_BITS = 32
_LARGEST_ID = np.iinfo(np.int32).max

_Floats = NDArray[np.float64]
_Pixels = NDArray[np.int64]


class ImageContact(NamedTuple):
    """The contact that images show."""

    travel: float
    """Least gap; infinite if the motion is free."""
    pixels: _Pixels
    """Pixels in contact, shape (k, 2), sorted. Published: possibly none, if nothing is at the pixels that collide."""
    place: tuple[float, float, float]
    """Center: column, row, depth; NaN without pixels."""
    normal: tuple[float, float, float]
    """Unit, along columns, rows and depth, towards the mover; NaN if there are too few pixels."""


_NAN = (math.nan, math.nan, math.nan)


def least_gap(
    ranges: _Floats,
    lead: _Floats,
    ids: NDArray[np.int32],
    *,
    distance: float,
    touch: float,
    slack: float,
    method: Method,
    above: float = -1.0,
) -> tuple[float, _Pixels]:
    """Return the least gap within a distance, infinite if there is none, and the pixels in contact, shape (k, 2).

    ranges: R, as it counts. lead: the mover's leading surface, -inf beside the mover. ids: -1 where R shows nothing. touch:
    how much a gap may exceed the distance. slack: how much it may exceed the least gap and still be in contact. above: gaps up
    to this are left out. All in one unit, [length] or [radians].
    """
    if method != "published":
        from ..kernels.picture.radar import contacts  # not before it is needed: importing kernels takes a second

        return contacts(ranges, lead, ids, above, distance + touch, slack)
    gaps = ranges - lead  # L, infinite where it is eliminated
    least = float(gaps.min())
    if not least <= distance:
        return math.inf, np.empty((0, 2), np.int64)
    # Which pixels collide is said in the later paper alone: those with S < D.
    return max(least, 0.0), np.argwhere((gaps < distance) & (ids >= 0))


def contact_in(
    ranges: _Floats,
    lead: _Floats,
    ids: NDArray[np.int32],
    across: tuple[float, float],
    *,
    distance: float,
    touch: float,
    slack: float,
    method: Method,
    above: float = -1.0,
) -> ImageContact:
    """Return the contact that images along parallel rays show. across: width and height of a pixel; others as `least_gap`."""
    travel, pixels = least_gap(ranges, lead, ids, distance=distance, touch=touch, slack=slack, method=method, above=above)
    if len(pixels) == 0:
        return ImageContact(travel, pixels, _NAN, _NAN)
    from ..kernels.picture.contact_area import contact

    place, normal = contact(ranges, lead, ids, pixels, across)
    if method == "published":
        gaps = np.where(ids >= 0, ranges - lead, np.inf)
        x, y, z = normal_of(ranges, gaps, pixels, across).tolist()
        normal = x, y, z
    return ImageContact(travel, pixels, place, normal)


def read_images(
    range_image: ArrayLike,
    mask_image: ArrayLike,
    *,
    depth: float,
    distance: float,
    pixel_size: tuple[float, float] | float,
    ids: ArrayLike | None = None,
    mask_ids: ArrayLike | None = None,
    method: Method = "sampled",
    depth_error: float = 0.0,
) -> ImageReading:
    """Return what two depth images say about a motion along their rays: how far the mover may go, what it meets and where.

    Both images have shape (rows, columns) and show one box of parallel rays. Row 0 is at the top, column 0 at the left, as seen
    in the direction of the motion, in both images; a pixel's depth is that at its center.

    range_image: distance from the near side of the box, which is at or behind the mover's rear, to the first surface that is
    not the mover's. mask_image: distance from the far side back to the mover alone; an image drawn from there has its columns
    reversed, so pass `image[:, ::-1]`. Both [length]; `depth` or more where nothing is.

    depth: of the box [length]. distance: how far to test [length]; the box must reach that far ahead of the mover. pixel_size:
    width and height of a pixel, or one number for both [length].

    ids: what the range shows, whole numbers from 0, shape (rows, columns); ignored where it shows nothing. mask_ids: the same
    of the mask, for movers of several parts.

    method: how the images are read, as by a `Radar`. "sampled" raises if the range ends behind the mover's leading surface at
    all of its pixels: then nothing ahead is visible. "bounding" takes images that hold, in each pixel, no more than the least
    depth anywhere in its cell, such as those of `scene.look(..., bounding=True)`. "published": by the paper, with its false
    alarms and misses.

    depth_error: the most that a stored depth is off [length]; 0 for exact depths.
    """
    checks.choice(method, "method", METHODS)
    depth = checks.above_zero(depth, "depth", InvalidQuery)
    distance = checks.above_zero(distance, "distance", InvalidQuery)
    error = checks.length(depth_error, "depth_error", InvalidQuery)
    across = _pixel_size(pixel_size)
    ranges, masks = _depths(range_image, "range_image", depth), _depths(mask_image, "mask_image", depth)
    if ranges.shape != masks.shape:
        raise InvalidQuery(f"mask_image: has shape {masks.shape}, range_image {ranges.shape}; accepted: the same shape")
    shown, covered = ranges < depth, masks < depth
    numbers, parts = _numbers(ids, "ids", shown), _numbers(mask_ids, "mask_ids", covered)
    if method != "published" and not covered.any():
        raise InvalidQuery("mask_image: shows no mover; accepted: more pixels, or a view of the mover")
    resolution = 2.0 * error
    nearest = float(masks.min())
    if nearest < distance - resolution - _ROUNDING * depth:
        row, column = np.unravel_index(masks.argmin(), masks.shape)
        raise InvalidQuery(
            f"distance is {distance:g}, but mask_image[{row}, {column}] is {nearest:.6g}: the view ends there, that far ahead "
            "of the mover; accepted: at most the least of the mask, or a deeper view"
        )
    lead = np.where(covered, depth - masks, -np.inf)
    rows, columns = ranges.shape
    size = math.hypot(columns * across[0], rows * across[1], depth - distance)
    touch = TOUCH_SIZE * size
    owners = np.where(shown, 0 if numbers is None else numbers, -1).astype(np.int32)
    seen, hidden = ranges, 0
    if method == "bounding":
        seen = np.where(shown, np.maximum(ranges - resolution, 0.0), ranges)
    elif method == "sampled":
        behind = (owners >= 0) & covered & (ranges < lead - touch - resolution)
        hidden = int(behind.sum())
        if hidden == covered.sum():
            raise InvalidQuery(
                f"range_image: ends behind the mover's leading surface at all {hidden} pixels of the mover, so nothing ahead "
                "is visible: it may show the mover, or what is behind it, or a buffer is not converted (depths_from_buffer); "
                "accepted: lengths to the first surface that is not the mover's, from its rear on"
            )
        owners[behind] = -1
    found = contact_in(
        seen, lead, owners, across, distance=distance, touch=touch, slack=CONTACT * size + resolution, method=method
    )
    hit = found.travel < math.inf
    travel = min(found.travel, distance)
    column, row, deep = found.place
    return ImageReading(
        travel=travel,
        time=travel / distance,
        hit=hit,
        center=np.array(((column + 0.5 - 0.5 * columns) * across[0], (row + 0.5 - 0.5 * rows) * across[1], deep)),
        normal=np.array(found.normal) + 0.0,  # no -0.0
        pixels=found.pixels,
        obstacles=_most_first(numbers, found.pixels),
        movers=_most_first(parts, found.pixels),
        hidden=hidden,
        resolution=resolution,
        range=ranges,
        lead=lead,
        depth=depth,
        distance=distance,
        pixel_size=across,
        method=method,
    )


def depths_from_buffer(
    buffer: ArrayLike, *, depth: float, bits: int | None = None, reversed_z: bool = False
) -> NDArray[np.float64]:
    """Return the contents of a depth buffer as distances from the near plane [length], float64, of the same shape.

    The projection is orthographic, so that stored values are linear in the distance: 0 at the near plane, the largest at the
    far plane. depth: from the near plane to the far plane [length]. An untouched pixel is exactly `depth`.

    buffer: floating-point numbers from 0 to 1, or whole numbers of n bits. bits: n; None: all bits of an unsigned type.
    reversed_z: 0 is at the far plane.
    """
    far = checks.above_zero(depth, "depth", InvalidQuery)
    checks.flag(reversed_z, "reversed_z")
    given = checks.array(buffer, "buffer", "an array", InvalidQuery)
    if given.dtype.kind == "f":
        if bits is not None:
            raise InvalidQuery(
                f"bits is {checks.shown(bits)}, but buffer has dtype {given.dtype}; accepted: whole numbers with bits"
            )
        most = 1.0
    else:
        if bits is None and given.dtype.kind == "i":
            raise InvalidQuery(f"buffer: has dtype {given.dtype}; accepted: an unsigned type, or give bits")
        held = 8 * given.dtype.itemsize - (given.dtype.kind == "i")
        width = held if bits is None else checks.whole(bits, "bits", InvalidQuery, 1, _MOST_BITS)
        if width > held:
            raise InvalidQuery(
                f"bits is {width}, but buffer has dtype {given.dtype}; accepted: at most {held}, or a wider type"
            )
        most = float(2**width - 1)
    wrong = ~((given >= 0) & (given <= most))
    if wrong.any():
        place = tuple(int(k) for k in np.argwhere(wrong)[0])
        raise InvalidQuery(f"buffer{list(place)} is {given[place]}; accepted: 0 to {most:.10g}")
    share = given.astype(np.float64) / most
    return far * (1.0 - share if reversed_z else share)


def _pixel_size(value: Any) -> tuple[float, float]:
    """Return the width and height of a pixel [length]."""
    if not (isinstance(value, (tuple, list)) or (isinstance(value, np.ndarray) and value.ndim == 1)):
        size = checks.above_zero(value, "pixel_size", InvalidQuery)
        return size, size
    if len(value) != 2:
        raise InvalidQuery(f"pixel_size: expected width and height, or one number, got {checks.shown(value)}")
    width, height = (checks.above_zero(each, f"pixel_size[{k}]", InvalidQuery) for k, each in enumerate(value))
    return width, height


def _depths(value: Any, name: str, depth: float) -> _Floats:
    """Return an image of depths, float64, `depth` where nothing is."""
    given = checks.array(value, name, "an image of shape (rows, columns)", InvalidQuery)
    if given.ndim != 2 or given.size == 0:
        raise InvalidQuery(f"{name}: expected an image of shape (rows, columns), got shape {given.shape}")
    wrong = ~(given >= -_ROUNDING * depth)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise InvalidQuery(f"{name}[{row}, {column}] is {given[row, column]}; accepted: 0 or more; {depth:g} where nothing is")
    images = given.astype(np.float64)
    return np.ascontiguousarray(np.where(images >= _stored(depth, given), depth, np.maximum(images, 0.0)))


def _stored(depth: float, image: NDArray[Any]) -> float:
    """Return what `depth` is in an image: in 32 bits 0.7 is a little less, also if the image was made one of 64 bits since."""
    if image.dtype.kind != "f":
        return depth
    own = image.dtype.type
    stored = float(own(min(depth, float(np.finfo(own).max))))
    greatest = float(image.max())
    for kind in (np.float32, np.float16):
        rounded = depth <= float(np.finfo(kind).max) and greatest == float(kind(depth)) < stored
        if rounded and (image.astype(kind) == image).all():
            return greatest
    return stored


def _numbers(value: Any, name: str, shown: NDArray[np.bool_]) -> NDArray[np.int32] | None:
    """Return an image of whole numbers, checked where something is shown."""
    if value is None:
        return None
    given = checks.array(value, name, "an image of whole numbers", InvalidQuery)
    if given.dtype.kind not in "iu":
        raise InvalidType(f"{name}: expected an image of whole numbers, got dtype {given.dtype}")
    if given.shape != shown.shape:
        raise InvalidQuery(f"{name}: has shape {given.shape}, the images {shown.shape}; accepted: the same shape")
    wrong = shown & ((given < 0) | (given > _LARGEST_ID))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise InvalidQuery(
            f"{name}[{row}, {column}] is {given[row, column]}; accepted: 0 to {_LARGEST_ID} where the depth is less than that "
            "of the view: something is there. Store the view's depth, or infinity, where nothing is"
        )
    return np.ascontiguousarray(np.where(shown, given, -1), np.int32)


def _most_first(numbers: NDArray[np.int32] | None, pixels: _Pixels) -> tuple[int, ...]:
    """Return the numbers at some pixels, the one with most pixels first."""
    if numbers is None or len(pixels) == 0:
        return ()
    found, counts = np.unique(numbers[pixels[:, 0], pixels[:, 1]], return_counts=True)
    return tuple(found[np.argsort(-counts, kind="stable")].tolist())
