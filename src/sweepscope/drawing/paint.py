"""Paint: shaded images of bodies, made by looks from the camera and from the light.

A look has 2 x 2 rays in each pixel. Most pixels lie within one smooth surface and are shaded once. Pixels with an edge are
shaded at all four rays and averaged. So edges are smooth at little extra cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidQuery
from ..shapes import Volume
from ..world.surfaces import corners_of
from .arrangement import Arrangement, Placed
from .camera import Camera
from .coplanar import order_by_size, smaller_of_pairs
from .effects import blur, hollows
from .normals import NormalCache, face_normals, normals_at
from .palette import GRAY, Ink, Rgb
from .shadows import Shadows
from .thin import thicken

if TYPE_CHECKING:
    from ..queries.view import View

_Floats = NDArray[np.floating[Any]]
_Ints = NDArray[np.int64]

LIGHT = (-0.45, 0.74, -0.50)
"""Direction to the light: right, up and ahead in the picture."""
_CREASE = 0.9  # cosine: faces of one pixel that meet at a sharper angle make an edge
_REACH = 0.06  # width of hollows that are darkened, relative to the picture's height
_EQUAL = 1e-9  # difference of two equal depths, relative to the depth of the view
_DOT = 1.6  # pixels: radius of points and lines
_COARSE = 3  # pixels along each side that share one shadow value on the shadow floor
_LARGEST = 1e30  # of a scene [length]: points are float32
_SHADOW = 0.24  # darkness of shadows on the shadow floor


@dataclass(slots=True, eq=False)
class Layer:
    """Result of a look with 2 x 2 rays in each pixel; depths are from the middle of the camera's window."""

    depth: NDArray[np.float64]
    ids: NDArray[np.int32]
    """Keys of `bodies`, -1 where no body is."""
    faces: NDArray[np.int32]
    bodies: dict[int, Placed]


@dataclass(slots=True, eq=False)
class PaintedImage:
    """A painted image and its depths."""

    image: _Floats
    """Colors 0 to 1, shape (rows, columns, 3)."""
    depth: NDArray[np.float64]
    """Depth of the nearest body in each pixel, from the middle of the window [length], shape (rows, columns); infinite where
    no body is."""
    cover: _Floats
    """Fraction of each pixel that shows a body, 0 to 1, shape (rows, columns)."""


def render_layer(shown: Arrangement, camera: Camera) -> Layer:
    """Look at bodies with a camera. Points and segments without a radius are thickened, so that they are visible."""
    columns, rows = camera.size
    near, far = depth_range(shown.bodies, camera.frame[2], camera.origin)
    near = max(near, camera.near)
    if max(camera.height, abs(near), abs(far)) > _LARGEST and near <= far:
        raise InvalidQuery(f"picture: the scene is {max(camera.height, far - near):.3g} large; accepted: up to {_LARGEST:g}")
    if not near <= far:
        return Layer(np.full((2 * rows, 2 * columns), np.inf), *_empty_ids(2 * rows, 2 * columns), {})
    room = 0.01 * (far - near) + camera.pixel
    near = max(near - room, camera.near)
    view = camera.view(near, far + room)
    depth, ids, faces, seen = shown.look(view, (2 * columns, 2 * rows))
    # Pictures are large: the arrays of the result are reused, not copied.
    layer = Layer(depth, ids, faces, {k: shown.bodies[k] for k in seen})
    layer.depth += near
    layer.depth[layer.ids < 0] = np.inf
    _prefer_smaller(layer, shown, camera.frame[2], view, near)
    thick = thicken(shown.bodies, _DOT * camera.pixel)
    if thick is not None:
        _add(layer, thick, camera, len(shown.bodies))
    return layer


def _prefer_smaller(layer: Layer, shown: Arrangement, ahead: NDArray[np.float64], view: View, near: float) -> None:
    """Show the smaller of two bodies where their faces are coplanar; the layer is changed."""
    chosen = smaller_of_pairs(shown.bodies, ahead)
    if not chosen:
        return
    table = np.append(order_by_size(shown.bodies), len(shown.bodies))  # the last is for -1, where no body is
    rows, columns = layer.ids.shape
    while chosen:
        kept = set(chosen)
        hidden = [k for k, body in enumerate(shown.bodies) if body not in kept]
        depth, ids, faces, seen = shown.look(view, (columns, rows), hidden)
        depth += near
        same = (ids >= 0) & (depth <= layer.depth + _EQUAL * view.depth) & (table[ids] < table[layer.ids])
        layer.ids[same], layer.faces[same], layer.depth[same] = ids[same], faces[same], depth[same]
        layer.bodies |= {k: shown.bodies[k] for k in seen}
        chosen = smaller_of_pairs(chosen, ahead)


def _add(layer: Layer, thick: Arrangement, camera: Camera, first: int) -> None:
    """Add thickened bodies to a layer, where they are nearer; their ids begin at `first`."""
    part = camera.crop(np.concatenate([corners_of(*body.bounds) for body in thick.bodies]))
    if part is None:
        return
    small, (rows, columns) = part
    other = render_layer(thick, small)
    fine = slice(2 * rows.start, 2 * rows.stop), slice(2 * columns.start, 2 * columns.stop)
    nearer = other.depth < layer.depth[fine]
    layer.depth[fine][nearer], layer.faces[fine][nearer] = other.depth[nearer], other.faces[nearer]
    layer.ids[fine][nearer] = other.ids[nearer] + first
    layer.bodies |= {first + number: body for number, body in other.bodies.items()}


def _empty_ids(rows: int, columns: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    return np.full((rows, columns), -1, np.int32), np.full((rows, columns), -1, np.int32)


def depth_range(
    bodies: Iterable[Placed], along: NDArray[np.float64], origin: NDArray[np.float64] | float
) -> tuple[float, float]:
    """Return the smallest and largest coordinate of bodies along a direction [length]; infinite without bodies."""
    boxes = [body.bounds for body in bodies]
    boxes = [box for box in boxes if np.isfinite(box).all()]
    if not boxes:
        return np.inf, -np.inf
    flat = np.concatenate([corners_of(box[0], box[1]) for box in boxes]) - origin
    places = flat @ along
    return float(places.min()), float(places.max())


def paint(
    shown: Arrangement,
    camera: Camera,
    colors: Mapping[int, Rgb],
    *,
    dark: bool = False,
    floor: float | None = None,
    shadows: bool = True,
) -> PaintedImage:
    """Return an image of bodies. colors: by id of the body; floor: height of a plane that only shows shadows [length]."""
    layer = render_layer(shown, camera)
    ink = Ink(dark)
    columns, rows = camera.size
    paper = paper_of(camera, ink)
    whole, mixed = _classify_pixels(layer)
    cover = _coverage(layer.ids >= 0)
    four = _subpixels(layer.depth)
    depth = np.minimum(np.minimum(four[0], four[1]), np.minimum(four[2], four[3]))
    samples = _Samples(layer, camera, whole, mixed)
    light = np.array(LIGHT) @ camera.frame
    light /= np.linalg.norm(light)
    cast = None
    falls = floor is not None and camera.frame[2, 2] < -0.05
    if shadows and len(samples.points):
        catcher = _floor_points(camera, floor) if falls and floor is not None else np.empty((0, 3), np.float32)
        depths = depth_range(shown.bodies, -light, 0.0)
        cast = Shadows(shown, light, samples.points, camera.origin, _map_pixels(camera), depths)
        if len(catcher) and cover.min() < 1.0:
            darker = cast.at(catcher, taps=2, apart=5.0).reshape(-(-rows // _COARSE), -(-columns // _COARSE))
            soft = darker.repeat(_COARSE, axis=0).repeat(_COARSE, axis=1)[:rows, :columns]
            for axis in (0, 1, 0, 1):
                soft = blur(soft, max(2, rows // 120), axis)
            paper *= 1.0 - (0.55 if dark else _SHADOW) * soft[..., None]
    image = paper
    hollow = hollows(depth, _REACH * camera.height, camera.pixel)
    shaded = samples.shade(camera, colors, light, cast, hollow)
    first = int(whole.sum())
    image[whole] = shaded[:first]
    if samples.mixed.size:
        four = np.repeat(paper[mixed][:, None], 4, axis=1)
        four[samples.inside] = shaded[first:]
        image[mixed] = four.mean(axis=1)
    lines = _coverage(_outlines(layer, camera.pixel))
    creases = np.float32(0.16) * samples.creased
    strength = np.maximum(np.float32(0.75) * lines, creases)[..., None]
    image = image * (1.0 - strength) + ink.line * strength
    return PaintedImage(image.astype(np.float32), depth, cover)


def _subpixels(fine: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Return the four rays of each pixel, shape (rows, columns) each."""
    return fine[::2, ::2], fine[::2, 1::2], fine[1::2, ::2], fine[1::2, 1::2]


def _coverage(fine: NDArray[np.bool_]) -> _Floats:
    """Return the fraction of rays in each pixel, 0 to 1, shape (rows, columns)."""
    one, two, three, four = (each.view(np.uint8) for each in _subpixels(fine))
    return (one + two + three + four) * np.float32(0.25)


def _map_pixels(camera: Camera) -> int:
    return min(2048, int(1.4 * max(camera.size)))


def paper_of(camera: Camera, ink: Ink) -> _Floats:
    """Return the background of a picture, shape (rows, columns, 3)."""
    columns, rows = camera.size
    share = np.linspace(0.0, 1.0, rows, dtype=np.float32)[:, None, None]
    return np.repeat(ink.paper * (1.0 - share) + ink.paper_low * share, columns, axis=1)


def _classify_pixels(layer: Layer) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which pixels lie within one body, and which contain an edge."""
    first, *others = _subpixels(layer.ids)
    same = (first == others[0]) & (first == others[1]) & (first == others[2])
    return same & (first >= 0), ~same


class _Samples:
    """Points to shade: one in each pixel within a surface, and up to four in each pixel with an edge."""

    def __init__(self, layer: Layer, camera: Camera, whole: NDArray[np.bool_], mixed: NDArray[np.bool_]) -> None:
        """Split further: pixels with a crease become mixed. `whole` and `mixed` are changed."""
        self._layer = layer
        table, starts = _face_table(layer)
        faces = layer.faces + starts[layer.ids]
        self.creased = np.zeros(whole.shape, np.float32)
        parts = faces[::2, ::2], faces[1::2, 1::2], faces[::2, 1::2], faces[1::2, ::2]
        for one, other in ((parts[0], parts[1]), (parts[2], parts[3])):
            fragments = np.flatnonzero((whole & (one != other)).ravel())
            if len(fragments):
                cosine = np.einsum("nk,nk->n", table[one.ravel()[fragments]], table[other.ravel()[fragments]])
                self.creased.ravel()[fragments[cosine < _CREASE]] = 1.0
        sharp = self.creased > 0.0
        whole &= ~sharp
        mixed |= sharp
        self.mixed = np.flatnonzero(mixed)
        columns = camera.size[0]
        row, column = np.nonzero(whole)
        ids, depth, faces = layer.ids, layer.depth, layer.faces
        four = depth[2 * row, 2 * column], depth[2 * row, 2 * column + 1], depth[2 * row + 1, 2 * column]
        deep = 0.25 * (four[0] + four[1] + four[2] + depth[2 * row + 1, 2 * column + 1])
        fine_row = (2 * (self.mixed // columns))[:, None] + np.array((0, 0, 1, 1))
        fine_column = (2 * (self.mixed % columns))[:, None] + np.array((0, 1, 0, 1))
        found = ids[fine_row, fine_column]
        self.inside = found >= 0
        fine_row, fine_column = fine_row[self.inside], fine_column[self.inside]
        self.ids = np.concatenate((ids[2 * row, 2 * column], found[self.inside]))
        self.faces = np.concatenate((faces[2 * row, 2 * column], faces[fine_row, fine_column]))
        rows_all = np.concatenate((row + 0.5, 0.5 * fine_row + 0.25))
        columns_all = np.concatenate((column + 0.5, 0.5 * fine_column + 0.25))
        self.pixel_spots = np.concatenate((row * columns + column, (fine_row // 2) * columns + fine_column // 2))
        deep = np.concatenate((deep, depth[fine_row, fine_column]))
        right = (columns_all - 0.5 * columns) * camera.pixel
        up = (0.5 * camera.size[1] - rows_all) * camera.pixel
        self.points = (np.stack((right, up, deep), axis=1) @ camera.frame).astype(np.float32)

    def shade(
        self,
        camera: Camera,
        colors: Mapping[int, Rgb],
        light: NDArray[np.float64],
        cast: Shadows | None,
        hollow: _Floats,
    ) -> _Floats:
        """Return the colors of the points, shape (n, 3)."""
        if not len(self.points):
            return np.zeros((0, 3), np.float32)
        normals = np.empty(self.points.shape, np.float32)
        base = np.empty(self.points.shape, np.float32)
        order = np.argsort(self.ids, kind="stable")
        numbers, starts = np.unique(self.ids[order], return_index=True)
        cache = NormalCache()
        for k, chosen in enumerate(np.split(order, starts[1:])):
            body = self._layer.bodies[int(numbers[k])]
            normals[chosen] = normals_at(body, self.faces[chosen], self.points[chosen], camera.origin, cache)
            base[chosen] = colors.get(body.id, GRAY)
        frame = camera.frame.astype(np.float32)
        away = -frame[2]
        facing = normals @ away
        # An open surface may be visible from behind; a smoothed normal may point away at a low angle.
        backs = facing < -0.35
        normals[backs] *= -1.0
        facing[backs] *= -1.0
        off = np.minimum(facing, 0.0)
        normals -= off[:, None] * away
        facing = np.clip(facing, 0.0, 1.0)
        towards = light.astype(np.float32)
        open_ = np.float32(1.0) if cast is None else 1.0 - cast.at(self.points, normals)
        direct = np.maximum(normals @ towards, 0.0) * open_
        half = towards + away
        half /= np.linalg.norm(half)
        shine = np.maximum(normals @ half, 0.0) ** 32 * open_
        sky = 0.5 + 0.5 * (normals @ frame[1])
        edge = (1.0 - facing) ** 3
        open_sky = 1.0 - np.float32(0.45) * hollow.ravel()[self.pixel_spots]
        aside = np.maximum(normals @ frame[0], 0.0)
        shade = ((0.48 + 0.26 * sky + 0.12 * aside) * open_sky + 0.42 * direct) * (1.0 - 0.15 * edge)
        return (base * shade[:, None] + (0.13 * shine)[:, None]).astype(np.float32)


def _face_table(layer: Layer) -> tuple[_Floats, _Ints]:
    """Return unit normals of all faces of visible bodies, local, and the index of the first face of each id.

    Volumes and round bodies have no creases: their faces get one common normal.
    """
    starts = np.zeros(max(layer.bodies, default=-1) + 2, np.int64)  # the last is for -1, where no body is
    parts, count = [np.zeros((1, 3), np.float32)], 1
    for number, body in layer.bodies.items():
        shape = body.shape
        if isinstance(shape, Volume) or shape.radius > 0.0:
            total = int(np.prod(shape.resolution)) if isinstance(shape, Volume) else len(shape.faces)
            starts[number] = count
            parts.append(np.broadcast_to(np.array((0.0, 0.0, 1.0), np.float32), (total, 3)))
        else:
            starts[number] = count
            parts.append(face_normals(shape))
        count += len(parts[-1])
    starts[-1] = 1
    return np.concatenate(parts), starts


def _floor_points(camera: Camera, height: float) -> _Floats:
    """Return where rays of every third pixel meet the plane z = height, from the camera's middle, shape (n, 3)."""
    columns, rows = camera.size
    row, column = np.indices((-(-rows // _COARSE), -(-columns // _COARSE))).reshape(2, -1) * _COARSE + 0.5 * _COARSE
    right = (column - 0.5 * columns) * camera.pixel
    up = (0.5 * rows - row) * camera.pixel
    start = right[:, None] * camera.frame[0] + up[:, None] * camera.frame[1]
    ahead = camera.frame[2]
    deep = (height - camera.origin[2] - start[:, 2]) / ahead[2]
    return (start + deep[:, None] * ahead).astype(np.float32)


def _outlines(layer: Layer, pixel: float) -> NDArray[np.bool_]:
    """Return which rays are at the edge of a body in front of another or of the background."""
    ids, depth = layer.ids, layer.depth
    edges = np.zeros(ids.shape, bool)
    step = 1.5 * pixel
    for one, other in (
        ((slice(1, None), slice(None)), (slice(None, -1), slice(None))),
        ((slice(None), slice(1, None)), (slice(None), slice(None, -1))),
    ):
        apart = ids[one] != ids[other]
        first, second = depth[one], depth[other]
        edges[one] |= apart & (second > first + step)
        edges[other] |= apart & (first > second + step)
    return edges
