"""Shaded pictures of bodies: a look through parallel rays, normals, a light, and shadows by a look from the light."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sweepscope import Body, Scene, Shape, Sighting, View

_Array = NDArray[np.float64]

_FINER = 2  # rays along each side of a pixel
_CREASE = 0.75  # cosine: faces that meet at a smaller angle look rounded
PAPER = np.array((0.969, 0.973, 0.980))


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """The camera's directions: unit vectors right, up and ahead as rows, shape (3, 3), world."""

    frame: _Array

    @classmethod
    def towards(cls, ahead: ArrayLike, up: ArrayLike = (0.0, 0.0, 1.0)) -> Camera:
        """Return the camera that looks along `ahead`, with `up` upwards in the picture."""
        forward = np.array(ahead, float)
        forward /= np.linalg.norm(forward)
        right = np.cross(forward, np.array(up, float))
        right /= np.linalg.norm(right)
        return cls(np.array((right, np.cross(right, forward), forward)))

    def flat(self, points: ArrayLike) -> _Array:
        """Return places in the picture [length], shape (..., 2): right and up."""
        return np.asarray(points, float) @ self.frame[:2].T

    def window(self, bodies: Iterable[Body], room: float = 0.04) -> tuple[float, float, float, float]:
        """Return left, right, low and high [length] of a square picture of bodies; room: margin, as a share of its size."""
        spans = [self._span(body) for body in bodies]
        low, high = np.min([span[0] for span in spans], axis=0), np.max([span[1] for span in spans], axis=0)
        middle, half = 0.5 * (low + high)[:2], (0.5 + room) * float((high - low)[:2].max())
        return middle[0] - half, middle[0] + half, middle[1] - half, middle[1] + half

    def view(self, bodies: Iterable[Body], window: tuple[float, float, float, float]) -> View:
        """Return the view through a window, from in front of the nearest body to behind the farthest."""
        spans = [self._span(body) for body in bodies]
        near, far = min(float(span[0][2]) for span in spans), max(float(span[1][2]) for span in spans)
        room = 0.02 * (far - near) + 1.0
        left, right, low, high = window
        eye = np.array((0.5 * (left + right), 0.5 * (low + high), near - room)) @ self.frame
        return View(eye, self.frame[2], right - left, high - low, far - near + 2.0 * room, up=self.frame[1])

    def _span(self, body: Body) -> tuple[_Array, _Array]:
        """Return the lowest and highest coordinates of a body, right, up and ahead, shape (3,) each."""
        seen = (body.vertices @ body.pose[:3, :3].T + body.pose[:3, 3]) @ self.frame.T
        return seen.min(axis=0) - body.shape.radius, seen.max(axis=0) + body.shape.radius


def render(
    scene: Scene,
    camera: Camera,
    window: tuple[float, float, float, float],
    pixels: int,
    colours: Mapping[int, ArrayLike],
    floor: tuple[ArrayLike, ArrayLike] | None = None,
) -> tuple[_Array, Sighting]:
    """Return a picture of a scene, shape (pixels, pixels, 3), 0 to 1, row 0 at the top, and its sighting, with finer pixels.

    colours: of bodies by id; floor: (point, normal) of a plane that shows shadows.
    """
    view = camera.view(scene.bodies, window)
    seen = scene.look(view, _FINER * pixels)
    inside = seen.ids >= 0
    points = seen.points[inside]
    normals = _normals(scene, seen.ids[inside], seen.faces[inside], points)
    away = -camera.frame[2]
    # On a mesh seen at a low angle, a smoothed normal may point away from the camera.
    normals -= np.minimum(normals @ away, 0.0)[:, None] * away
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    light = np.array((-0.42, 0.72, -0.55)) @ camera.frame
    light /= np.linalg.norm(light)
    shadows = _Shadows(scene, light, 2 * pixels)
    numbers, which = np.unique(seen.ids[inside], return_inverse=True)
    base = np.array([colours[int(number)] for number in numbers], float).reshape(-1, 3)[which]
    open_ = 1.0 - shadows.at(points, normals)
    lit = np.maximum(normals @ light, 0.0) * open_
    sky = 0.5 + 0.5 * (normals @ camera.frame[1])
    half = (light + away) / np.linalg.norm(light + away)
    shine = np.maximum(normals @ half, 0.0) ** 36 * open_
    edge = (1.0 - np.clip(normals @ away, 0.0, 1.0)) ** 3
    hollow = 1.0 - 0.45 * _hollows(seen.depth, inside, view.width / seen.depth.shape[1])[inside]
    shade = (0.42 + 0.28 * sky) * hollow + 0.52 * lit
    picture = _paper(view, seen.depth.shape, floor, shadows)
    picture[inside] = base * (shade * (1.0 - 0.2 * edge))[:, None] + 0.18 * shine[:, None]
    picture[_outlines(seen.ids, seen.depth, view.width)] *= 0.62
    coarse = picture.reshape(pixels, _FINER, pixels, _FINER, 3).mean(axis=(1, 3))
    return np.clip(coarse, 0.0, 1.0), seen


def _normals(scene: Scene, ids: NDArray[np.int32], faces: NDArray[np.int32], points: _Array) -> _Array:
    """Return unit normals at seen points, world, shape (n, 3): exact for round bodies, smoothed for meshes."""
    normals = np.zeros(points.shape)
    for number in np.unique(ids):
        body = scene[int(number)]
        chosen = np.flatnonzero(ids == number)
        local = (points[chosen] - body.pose[:3, 3]) @ body.pose[:3, :3]
        corners = body.vertices[body.shape.faces[faces[chosen]]]
        shares = _shares(local, corners)
        if body.shape.radius > 0.0:
            found = local - np.einsum("nk,nkx->nx", shares, corners)
        else:
            found = np.einsum("nk,nkx->nx", shares, _smoothed(body.shape)[faces[chosen]])
        found /= np.maximum(np.linalg.norm(found, axis=1), 1e-300)[:, None]
        normals[chosen] = found @ body.pose[:3, :3].T
    return normals


def _shares(points: _Array, corners: _Array) -> _Array:
    """Return weights of the corners for the nearest place of a triangle, segment or point, shape (n, 3)."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    u, v, w = b - a, c - a, points - a
    uu, uv, vv = (u * u).sum(axis=1), (u * v).sum(axis=1), (v * v).sum(axis=1)
    wu, wv = (w * u).sum(axis=1), (w * v).sum(axis=1)
    area = uu * vv - uv * uv
    flat = area <= 1e-12 * uu * vv  # a segment has its last corner twice
    along = np.clip(wu / np.where(uu > 0.0, uu, 1.0), 0.0, 1.0)
    safe = np.where(flat, 1.0, area)
    second = np.where(flat, along, np.clip((vv * wu - uv * wv) / safe, 0.0, 1.0))
    third = np.where(flat, 0.0, np.clip((uu * wv - uv * wu) / safe, 0.0, 1.0))
    return np.stack((1.0 - second - third, second, third), axis=1)


def _smoothed(shape: Shape) -> _Array:
    """Return normals at the corners of faces, shape (m, 3, 3): means over neighbours without a sharp edge."""
    corners = shape.vertices[shape.faces]
    wide = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    unit = wide / np.maximum(np.linalg.norm(wide, axis=1), 1e-300)[:, None]
    order = np.argsort(shape.faces.ravel(), kind="stable")
    sizes = np.bincount(shape.faces.ravel(), minlength=len(shape.vertices))
    starts = np.cumsum(sizes) - sizes
    mine = np.repeat(order, sizes[shape.faces.ravel()[order]])
    counts = sizes[shape.faces.ravel()[order]]
    offsets = np.arange(len(mine)) - np.repeat(np.cumsum(counts) - counts, counts)
    other = order[starts[shape.faces.ravel()[mine]] + offsets] // 3
    near = (unit[mine // 3] * unit[other]).sum(axis=1) >= _CREASE
    found = np.zeros((3 * len(shape.faces), 3))
    np.add.at(found, mine[near], wide[other[near]])
    found /= np.maximum(np.linalg.norm(found, axis=1), 1e-300)[:, None]
    return found.reshape(-1, 3, 3)


class _Shadows:
    """Shadows: a look from the light."""

    def __init__(self, scene: Scene, light: _Array, pixels: int) -> None:
        camera = Camera.towards(-light, (0.0, 0.0, 1.0) if abs(light[2]) < 0.95 else (0.0, 1.0, 0.0))
        self._view = camera.view(scene.bodies, camera.window(scene.bodies))
        self._depth = scene.look(self._view, pixels).depth
        self._pixel = self._view.width / pixels

    def at(self, points: _Array, normals: _Array | float = 0.0, taps: int = 1, apart: int = 1) -> _Array:
        """Return how dark the shadow is at points, 0 to 1, shape (n,).

        normals: of the surfaces there, if they cast shadows themselves. It is the mean of (2 taps + 1)^2 pixels, `apart` apart.
        """
        view, pixels = self._view, len(self._depth)
        seen = (points + 2.0 * self._pixel * normals - np.array(view.eye)) @ view.frame.T
        column = np.floor((seen[:, 0] / view.width + 0.5) * pixels).astype(np.int64)
        row = np.floor((seen[:, 1] / view.height + 0.5) * pixels).astype(np.int64)
        dark = np.zeros(len(points))
        room = taps * apart
        # Outside of the look, a margin included, there is light.
        covered = np.flatnonzero((np.minimum(row, column) >= -room) & (np.maximum(row, column) < pixels + room))
        nearest = np.pad(np.where(self._depth < view.depth, self._depth, np.inf), 2 * room, constant_values=np.inf)
        wide = nearest.shape[1]
        spots = (row[covered] + 2 * room) * wide + column[covered] + 2 * room
        limit = seen[covered, 2] - self._pixel
        for i in range(-taps, taps + 1):
            for j in range(-taps, taps + 1):
                dark[covered] += nearest.ravel()[spots + apart * (i * wide + j)] < limit
        return dark / (2 * taps + 1) ** 2


def _paper(view: View, shape: tuple[int, ...], floor: tuple[ArrayLike, ArrayLike] | None, shadows: _Shadows) -> _Array:
    """Return the background, with shadows where there is a floor, shape (rows, columns, 3)."""
    picture = np.empty((*shape, 3))
    picture[:] = PAPER
    if floor is not None:
        point, normal = (np.array(each, float) for each in floor)
        coarse = shape[0] // _FINER, shape[1] // _FINER  # soft shadows need fewer rays
        row, column = np.indices(coarse)
        start = view.at(column, row, 0.0, coarse).reshape(-1, 3)
        distance = ((point - start) @ normal) / float(view.frame[2] @ normal)
        dark = shadows.at(start + distance[:, None] * view.frame[2], taps=3, apart=3).reshape(coarse)
        picture *= 1.0 - 0.2 * dark.repeat(_FINER, axis=0).repeat(_FINER, axis=1)[..., None]
    return picture


def _hollows(depth: _Array, inside: NDArray[np.bool_], pixel: float) -> _Array:
    """Return how deep each pixel lies below its surroundings, 0 to 1 (after Luft and others, 2006)."""
    reach = 30.0  # [length]: the width of a finger
    width = max(1, round(reach / pixel / 2.0))
    around, weight = np.where(inside, depth, 0.0), inside.astype(float)  # the background does not count
    for axis in (0, 1):
        for _ in range(2):
            around, weight = _blurred(around, width, axis), _blurred(weight, width, axis)
    mean = around / np.maximum(weight, 1e-9)
    return np.where(inside, np.clip((depth - mean) / reach, 0.0, 1.0), 0.0)


def _blurred(values: _Array, width: int, axis: int) -> _Array:
    """Return means over 2 width + 1 pixels along an axis; 0 outside of the picture."""
    room = [(0, 0), (0, 0)]
    room[axis] = (width + 1, width)
    sums = np.cumsum(np.pad(values, room), axis=axis)
    count = values.shape[axis]
    high = np.take(sums, range(2 * width + 1, 2 * width + 1 + count), axis=axis)
    return (high - np.take(sums, range(count), axis=axis)) / (2 * width + 1)


def _outlines(ids: NDArray[np.int32], depth: _Array, width: float) -> NDArray[np.bool_]:
    """Return pixels at the edge of a body in front of another or of the background, shape (rows, columns)."""
    edges = np.zeros(ids.shape, bool)
    step = 3.0 * width / ids.shape[1]
    for axis in (0, 1):
        for shift in (-1, 1):
            other, far = np.roll(ids, shift, axis), np.roll(depth, shift, axis)
            edges |= (ids >= 0) & (ids != other) & (far > depth + step)
    return edges
