"""Readings of depth images from several sources, against the exact sweep and against each other.

One scene is drawn by the radar, by `Scene.look`, by a plain renderer (`reference/raster.py`), and by others that a caller
gives. All images go through `read_images`. Sampled readings of one view look along the same rays, so they have one answer up
to the depths' resolution, and none is shorter than the exact travel. Bounds are never longer. So the exact travel is between
the two: a sampled miss or a longer travel is explained by the size of the pixels if bounds of the same view do not miss it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Hit, Mesh, Scene, Translate, View
from sweepscope.radar import ImageReading, Radar, RadarReading, depths_from_buffer, read_images
from sweepscope.results import Method

from ..reference import raster
from ..reference.vectors import random_direction, random_rotation
from ..scenes.targets import star
from ..scenes.touching import pose_of

_Array = NDArray[np.float64]
_Ids = NDArray[np.int64]
Renderer = Callable[[_Array, _Ids, View, tuple[int, int], _Array | None], tuple[_Array, _Ids]]
"""Draws triangles as `raster.draw` does."""

MOVERS = ("box", "ball", "star", "L", "plate")
_COUNT = 6
_PIXELS = (12, 40)  # least and most along a side
_SMALL = 1e-9  # of the scene's size: rounding
_BITS = 16


@dataclass(frozen=True, slots=True)
class ImageVerdict:
    """What was found about the reading of one source in one scene."""

    source: str
    method: Method
    seed: int
    exact: bool
    """The exact sweep hits."""
    hit: bool
    hidden: int
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class _Case:
    """A mover among obstacles, and what the radar of each method reads."""

    seed: int
    scene: Scene
    mover: Body
    others: list[Body]
    motion: Translate
    exact: Hit | None
    readings: dict[Method, RadarReading]
    size: float

    @property
    def travel(self) -> float:
        """Exact free travel [length], infinite if the motion is free."""
        return math.inf if self.exact is None else self.exact.travel


def judge_images(seed: int, renderers: dict[str, Renderer] | None = None, error: float = 0.0) -> list[ImageVerdict]:
    """Read one random scene from images of all sources.

    renderers: more of them, by name; they sample centers of pixels. error: the most that their depths are off [length].
    """
    case = _case(seed)
    found = _from_radar(case) + _from_looks(case)
    found += _from_renderer(case, "plain", raster.draw, 0.0)
    for name, renderer in (renderers or {}).items():
        found += _from_renderer(case, name, renderer, error)
    return [*found, _from_bounds(case)]


def _case(seed: int) -> _Case:
    """Return a random case: boxes and balls ahead of the mover, beside it and in its notches; nothing overlaps."""
    rng = np.random.default_rng((seed, 32))
    scene = Scene()
    mover = scene.add(_shape(MOVERS[seed % len(MOVERS)], rng), pose_of(random_rotation(rng), rng.normal(size=3)), name="mover")
    toward = random_direction(rng)
    distance = float(rng.uniform(0.3, 3.0))
    others: list[Body] = []
    while len(others) < _COUNT:
        size = rng.uniform(0.15, 0.6)
        shape = Mesh.box(2.0 * size * rng.uniform(0.3, 1.0, 3)) if rng.random() < 0.7 else Mesh.sphere(size, rows=7, sections=8)
        place = mover.pose[:3, 3] + rng.uniform(-1.0, distance + 1.0) * toward + 1.1 * rng.normal(size=3)
        body = scene.add(shape, pose_of(random_rotation(rng), place))
        if scene.sweep(mover, Translate((0.0, 0.0, 0.0)), resting="hit") is not None:
            scene.remove(body)
        else:
            others.append(body)
    motion = Translate(distance * toward)
    pixels = int(rng.integers(_PIXELS[0], _PIXELS[1] + 1)), int(rng.integers(_PIXELS[0], _PIXELS[1] + 1))
    methods: tuple[Method, ...] = ("sampled", "bounding", "published")
    readings: dict[Method, RadarReading] = {
        method: Radar(scene, mover, pixels=pixels, method=method).probe(motion) for method in methods
    }
    size = float(np.ptp(np.concatenate([body.bounds for body in scene]), axis=0).max())
    return _Case(seed, scene, mover, others, motion, scene.sweep(mover, motion), readings, size)


def _shape(kind: str, rng: np.random.Generator) -> Mesh:
    a, b, c = rng.uniform(0.5, 1.5, 3).tolist()
    if kind == "box":
        return Mesh.box((a, b, c))
    if kind == "ball":
        return Mesh.sphere(0.5 + 0.5 * a, rows=9, sections=10)
    if kind == "star":
        shape = star().parts[0][1]
        assert isinstance(shape, Mesh)
        return Mesh(0.01 * shape.vertices, shape.faces)
    if kind == "L":
        upright, arm = Mesh.box((0.4, 0.4, 2.0)), Mesh.box((0.8 + a, 0.4, 0.4))
        faces = np.concatenate((upright.faces, arm.faces + len(upright.vertices)))
        return Mesh(np.concatenate((upright.vertices, arm.vertices + (0.2 + 0.5 * a, 0.0, 0.8))), faces)
    return Mesh.box((1.0 + a, 1.0 + b, 0.05))


def _read(
    case: _Case, method: Method, ranges: _Array, masks: _Array, ids: _Ids | None = None, depth_error: float = 0.0
) -> ImageReading:
    """Read images that have the view of the radar of a method."""
    view = case.readings[method].view
    rows, columns = ranges.shape
    assert isinstance(view, View)
    return read_images(
        ranges,
        masks,
        depth=view.depth,
        distance=case.motion.length,
        pixel_size=(view.width / columns, view.height / rows),
        ids=ids,
        method=method,
        depth_error=depth_error,
    )


def _from_radar(case: _Case) -> list[ImageVerdict]:
    """Read the radar's own images: the same reading, up to the rounding of M."""
    found = []
    for method, radar in case.readings.items():
        if radar.lead is None:
            # Nothing is ahead, so there is no mask.
            found.append(_verdict(case, "radar", method, None))
            continue
        reading = _read(case, method, radar.range, radar.mask, radar.ids.astype(np.int64))
        found.append(_verdict(case, "radar", method, reading))
        if not (radar.overlapping or (radar.hit and len(radar.pixels) == 0)):
            found[-1].wrong.extend(_differences(case, method, reading))
    return found


def _from_looks(case: _Case) -> list[ImageVerdict]:
    """Read images of `Scene.look`, which begin at the mover's rear."""
    found = []
    for method, radar in case.readings.items():
        view, bounding = radar.view, method == "bounding"
        assert isinstance(view, View)
        pixels = radar.range.shape[1], radar.range.shape[0]
        ahead = case.scene.look(view, pixels=pixels, bounding=bounding, ignore=[case.mover])
        back = case.scene.look(view.reversed(), pixels=pixels, bounding=bounding, ignore=case.others)
        reading = _read(case, method, ahead.depth, back.depth[:, ::-1], ahead.ids.astype(np.int64))
        found.append(_verdict(case, "look", method, reading))
        if method == "published":
            found[-1].wrong.extend(_differences(case, method, reading))
    return found


def _from_renderer(case: _Case, name: str, renderer: Renderer, error: float) -> list[ImageVerdict]:
    """Read sampled images of another renderer: from the mover's front and its rear, and stored in 32 and in 16 bits."""
    view = case.readings["sampled"].view
    assert isinstance(view, View)
    pixels = case.readings["sampled"].range.shape[1], case.readings["sampled"].range.shape[0]
    mine, owners = _triangles([case.mover])
    masks = renderer(mine, owners, view.reversed(), pixels, None)[0][:, ::-1]
    obstacles = _triangles(case.others)
    lead = np.where(masks < view.depth, view.depth - masks, 0.0)
    front, front_ids = renderer(*obstacles, view, pixels, lead)
    rear, rear_ids = renderer(*obstacles, view, pixels, None)
    found = []

    def add(source: str, method: Method, reading: ImageReading, same: bool) -> None:
        found.append(_verdict(case, f"{name}, {source}", method, reading))
        if same:
            found[-1].wrong.extend(_differences(case, method, reading))

    add("front", "sampled", _read(case, "sampled", front, masks, front_ids, error), same=True)
    reading = _read(case, "sampled", rear, masks, rear_ids, error)
    add("rear", "sampled", reading, same=reading.hidden == 0)
    add("rear", "published", _read(case, "published", rear, masks, rear_ids, error), same=True)
    most = 2**_BITS - 1
    stored = [np.round(image / view.depth * most).astype(np.uint16) for image in (front, masks)]
    # A depth that rounds to that of the far side is lost: a contact at the very end, which the resolution explains.
    ranges, back = (depths_from_buffer(each, depth=view.depth) for each in stored)
    add(f"{_BITS} bits", "sampled", _read(case, "sampled", ranges, back, front_ids, error + 0.5 * view.depth / most), same=True)
    stored = [(1.0 - image / view.depth).astype(np.float32) for image in (front, masks)]
    ranges, back = (depths_from_buffer(each, depth=view.depth, reversed_z=True) for each in stored)
    add("reversed-Z", "sampled", _read(case, "sampled", ranges, back, front_ids, error + 2.0**-24 * view.depth), same=True)
    return found


def _from_bounds(case: _Case) -> ImageVerdict:
    """Read bounds of the plain renderer."""
    radar = case.readings["bounding"]
    view = radar.view
    assert isinstance(view, View)
    pixels = radar.range.shape[1], radar.range.shape[0]
    mine, _ = _triangles([case.mover])
    others, _ = _triangles(case.others)
    masks = raster.bound(mine, view.reversed(), pixels)[0][:, ::-1]
    rear = raster.bound(mine, view, pixels)[0]
    ranges, _ = raster.bound(others, view, pixels, rear)
    return _verdict(case, "plain, bounds", "bounding", _read(case, "bounding", ranges, masks))


def _triangles(bodies: list[Body]) -> tuple[_Array, _Ids]:
    """Return all triangles of bodies, world, and the id of the body of each."""
    places = [(body.vertices @ body.pose[:3, :3].T + body.pose[:3, 3])[body.shape.faces] for body in bodies]
    return np.concatenate(places), np.repeat([body.id for body in bodies], [len(each) for each in places])


def _verdict(case: _Case, source: str, method: Method, reading: ImageReading | None) -> ImageVerdict:
    """Return the verdict on a reading against the exact sweep; None: nothing was ahead."""
    hit = reading is not None and reading.hit
    hidden = 0 if reading is None else reading.hidden
    travel = reading.travel if reading is not None and reading.hit else math.inf
    found = ImageVerdict(source, method, case.seed, case.exact is not None, hit, hidden)
    slack = _SMALL * case.size + (0.0 if reading is None else reading.resolution)
    if method == "bounding" and travel > case.travel + slack:
        found.wrong.append(f"bound {travel:.9g} is longer than the exact {case.travel:.9g}")
    if method == "sampled" and travel < case.travel - slack and travel < case.motion.length - slack:
        found.wrong.append(f"sampled {travel:.9g} is shorter than the exact {case.travel:.9g}")
    return found


def _differences(case: _Case, method: Method, reading: ImageReading) -> list[str]:
    """Return how a reading differs from the radar's own, beyond what the depths explain."""
    radar = case.readings[method]
    slack = _SMALL * case.size + reading.resolution
    wrong = []
    if radar.hit != reading.hit and abs(min(radar.travel, reading.travel) - case.motion.length) > slack:
        wrong.append(f"hit is {reading.hit}, the radar's {radar.hit}")
    elif radar.hit and reading.hit:
        if abs(radar.travel - reading.travel) > slack:
            wrong.append(f"travel is {reading.travel:.9g}, the radar's {radar.travel:.9g}")
        if radar.obstacles and radar.obstacles[0].id not in reading.obstacles:
            wrong.append(f"obstacles are {reading.obstacles}, the radar's {[body.id for body in radar.obstacles]}")
        if reading.resolution == 0.0:
            wrong += _places(radar, reading, slack)
    return wrong


def _places(radar: RadarReading, reading: ImageReading, slack: float) -> list[str]:
    """Return how pixels, center and normal differ."""
    view = radar.view
    assert isinstance(view, View)
    if not np.array_equal(radar.pixels, reading.pixels):
        return [f"{len(reading.pixels)} pixels in contact, the radar's {len(radar.pixels)}"]
    if len(radar.pixels) == 0:
        return []
    wrong = []
    center = np.array(view.eye) + reading.center @ view.frame
    if np.abs(center - radar.center).max() > slack:
        wrong.append(f"center is {center.tolist()}, the radar's {radar.center.tolist()}")
    normal = reading.normal @ view.frame
    # Where pixels say nothing, the radar knows the face; three pixels nearly in a line enlarge the rounding of depths.
    if np.isfinite(normal).all() and np.abs(normal - radar.normal).max() > 1e-4:
        wrong.append(f"normal is {normal.tolist()}, the radar's {radar.normal.tolist()}")
    return wrong


@dataclass(frozen=True, slots=True)
class ImageTally:
    """Sums over the readings of a source by a method."""

    source: str
    method: str
    cases: int
    exact: int
    """How many the exact sweep hits."""
    same: int
    """Readings that hit exactly if the sweep does."""
    missed: int
    """Hits of the sweep that the reading does not have."""
    alarms: int
    """Hits that the sweep does not have."""
    hidden: int
    """Readings with pixels at which something behind the leading surface hides what is ahead."""
    wrong: int


def tally_images(verdicts: Iterable[ImageVerdict]) -> list[ImageTally]:
    """Return a row for each source and method."""
    rows: dict[tuple[str, str], list[ImageVerdict]] = {}
    for each in verdicts:
        rows.setdefault((each.source, each.method), []).append(each)
    return [
        ImageTally(
            source,
            method,
            len(own),
            sum(each.exact for each in own),
            sum(each.exact == each.hit for each in own),
            sum(each.exact and not each.hit for each in own),
            sum(each.hit and not each.exact for each in own),
            sum(each.hidden > 0 for each in own),
            sum(bool(each.wrong) for each in own),
        )
        for (source, method), own in rows.items()
    ]
