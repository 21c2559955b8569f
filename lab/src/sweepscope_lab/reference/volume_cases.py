"""Pairs of volumes at poses, and edits of volumes, random and difficult: combs, shells, ties, quarter turns, near misses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .vectors import random_rotation, rotation
from .volume import Bools, Voxels, Whole, shared

Array = NDArray[np.float64]
Rng = np.random.Generator
Shape = tuple[int, int, int]

HEIGHTS = (1, 63, 64, 65, 130)
"""Resolutions along z at the limits of 64-bit words."""
QUESTIONS = ("shared", "centers", "cubes", "large")
"""Shared voxels at whole offsets; centers at any pose; whole cubes at any pose; centers of volumes of 64^3."""
_LARGE = 64
_DENSITIES = (0.001, 0.01, 0.1, 0.5, 0.9, 0.99)


@dataclass(frozen=True, slots=True)
class VolumeCase:
    """Two volumes; the pose (4, 4) places b in a's frame. `offset` (3,): of b in a's voxels if whole, else None."""

    question: str
    kind: str
    seed: int
    a: Voxels
    b: Voxels
    pose: Array
    offset: Whole | None


# Contents of a volume: each function takes a shape and returns the occupied voxels.


def blob(rng: Rng, shape: Shape) -> Bools:
    """A few balls that overlap."""
    return _balls(rng, shape) <= 1.0


def shell(rng: Rng, shape: Shape) -> Bools:
    """The outer layer of a few balls."""
    far = _balls(rng, shape)
    return (far <= 1.0) & (far > rng.uniform(0.3, 0.9))


def _balls(rng: Rng, shape: Shape) -> Array:
    """Return squared distances from the nearest of a few centers [radius of that ball], shape (nx, ny, nz)."""
    places = np.stack(np.meshgrid(*(np.arange(n) + 0.5 for n in shape), indexing="ij"), axis=-1)
    far = np.full(shape, np.inf)
    for _ in range(rng.integers(1, 4)):
        middle, radius = rng.uniform(0.2, 0.8, 3) * shape, rng.uniform(0.15, 0.5) * max(min(shape), 3)
        far = np.minimum(far, (((places - middle) / radius) ** 2).sum(axis=-1))
    return far


def noise(rng: Rng, shape: Shape) -> Bools:
    """Random voxels, few or nearly all."""
    return rng.random(shape) < rng.choice(_DENSITIES)


def comb(rng: Rng, shape: Shape) -> Bools:
    """Parallel planes with gaps, joined along one side."""
    held = np.zeros(shape, bool)
    axis, step = rng.integers(3), rng.integers(2, 5)
    np.moveaxis(held, axis, 0)[rng.integers(step) :: step] = True
    np.moveaxis(held, (axis + 1) % 3, 0)[: rng.integers(1, 3)] = True
    return held


def plane(rng: Rng, shape: Shape) -> Bools:
    """One slice, a voxel thick."""
    held = np.zeros(shape, bool)
    axis = rng.integers(3)
    np.moveaxis(held, axis, 0)[rng.integers(shape[axis])] = True
    return held


def single(rng: Rng, shape: Shape) -> Bools:
    """One voxel, often a corner."""
    held = np.zeros(shape, bool)
    held[tuple((0, n - 1, rng.integers(n))[rng.integers(3)] for n in shape)] = True
    return held


def full(rng: Rng, shape: Shape) -> Bools:
    """Every voxel."""
    return np.ones(shape, bool)


def empty(rng: Rng, shape: Shape) -> Bools:
    """No voxel."""
    return np.zeros(shape, bool)


CONTENTS: tuple[Callable[[Rng, Shape], Bools], ...] = (blob, shell, noise, comb, plane, single, full, empty)
_OFTEN = np.array((6, 5, 6, 4, 2, 3, 2, 1)) / 29.0


def contents(rng: Rng, shape: Shape) -> Bools:
    """Return random contents, (nx, ny, nz)."""
    return CONTENTS[rng.choice(len(CONTENTS), p=_OFTEN)](rng, shape)


def resolution(rng: Rng, most: int, tall: float = 0.25) -> Shape:
    """Return a resolution of at most `most` voxels along an axis; with probability `tall`, one of HEIGHTS along z."""
    if rng.random() < tall:
        few = max(2, most // 4)
        return int(rng.integers(1, few)), int(rng.integers(1, few)), int(rng.choice(HEIGHTS))
    nx, ny, nz = rng.integers(max(1, most // 3), most + 1, 3)
    return int(nx), int(ny), int(nz)


def _spacing(rng: Rng) -> Array:
    """Return widths of a voxel, (3,): equal, not exact in binary, or different."""
    widths = rng.choice(3)
    if widths == 0:
        return np.full(3, rng.choice((1.0, 0.1, 1.0 / 3.0, 1e-3, 70.0)))
    if widths == 1:
        return rng.permutation((0.1, 0.25, 0.4))
    return rng.uniform(0.5, 2.0, 3) * 10.0 ** rng.uniform(-2.0, 2.0)


def _origin(rng: Rng, spacing: Array) -> Array:
    """Return a low corner, (3,): at 0, some voxels away, or far away."""
    away = rng.choice((0.0, float(rng.integers(-20, 20)), 1000.0 * rng.normal()))
    return spacing * away * rng.choice((1.0, rng.uniform()), 3)


# Arrangements: each returns a turn (3, 3), and points in voxels of a and of b (3,) that coincide.


def _occupied_index(rng: Rng, occupied: Bools) -> Array:
    """Return the index of an occupied voxel, (3,), or any index if there is none."""
    held = np.argwhere(occupied)
    return (rng.choice(held) if len(held) else rng.integers(0, occupied.shape)).astype(np.float64)


def _small_turn(rng: Rng, angle: float) -> Array:
    x, y, z = rng.normal(size=3)
    return rotation(np.array((x, y, z)) / np.sqrt(x * x + y * y + z * z), angle)


def quarter_turns() -> list[Array]:
    """Return the 24 rotations that map axes to axes, each (3, 3); the first is the identity."""
    signed = [np.eye(3)[list(order)] * signs for order in permutations(range(3)) for signs in product((1.0, -1.0), repeat=3)]
    return [turn for turn in signed if np.linalg.det(turn) > 0.0]


_QUARTERS = quarter_turns()
Arrangement = Callable[[Rng, Voxels, Voxels], tuple[Array, Array, Array]]


def whole(rng: Rng, a: Voxels, b: Voxels) -> tuple[Array, Array, Array]:
    """A whole offset that brings two occupied voxels within a few voxels of each other."""
    apart = rng.integers(-2, 3, 3) * rng.choice((0, 1, 3))
    return np.eye(3), _occupied_index(rng, a.occupied) + apart, _occupied_index(rng, b.occupied)


def beyond(rng: Rng, a: Voxels, b: Voxels) -> tuple[Array, Array, Array]:
    """A whole offset at which the volumes just reach each other, or do not."""
    sizes = np.array((a.occupied.shape, b.occupied.shape))
    at = rng.integers(-sizes[1] + 1, sizes[0])
    axis, past = rng.integers(3), rng.choice((-1, 0, 0, 1, 1000))
    at[axis] = rng.choice((-sizes[1, axis] + 1 - past, sizes[0, axis] - 1 + past))
    return np.eye(3), at.astype(np.float64), np.zeros(3)


def touching(rng: Rng, a: Voxels, b: Voxels) -> tuple[Array, Array, Array]:
    """A whole offset along an axis at which they first share a voxel, or the one before."""
    at = (_occupied_index(rng, a.occupied) - _occupied_index(rng, b.occupied)).astype(np.int64)
    axis, sign = rng.integers(3), rng.choice((-1, 1))
    at[axis] = a.occupied.shape[axis] if sign < 0 else -b.occupied.shape[axis]
    for _ in range(a.occupied.shape[axis] + b.occupied.shape[axis]):
        if len(shared(a.occupied, b.occupied, at)):
            break
        at[axis] += sign
    at[axis] -= sign * rng.integers(2)
    return np.eye(3), at.astype(np.float64), np.zeros(3)


def half(rng: Rng, a: Voxels, b: Voxels) -> tuple[Array, Array, Array]:
    """Half a voxel off along one axis or more: centers lie on faces."""
    return np.eye(3), _occupied_index(rng, a.occupied) + 0.5 * rng.integers(-3, 4, 3), _occupied_index(rng, b.occupied)


def quarter(rng: Rng, a: Voxels, b: Voxels) -> tuple[Array, Array, Array]:
    """Turned about axes by right angles, at whole and half offsets."""
    apart = rng.choice((0.5, 1.0)) * rng.integers(-3, 4, 3)
    return _QUARTERS[rng.integers(len(_QUARTERS))], _occupied_index(rng, a.occupied) + apart, _occupied_index(rng, b.occupied)


def leaning(rng: Rng, a: Voxels, b: Voxels) -> tuple[Array, Array, Array]:
    """Turned very little, or by rounding only."""
    angle = rng.choice((1e-13, 10.0 ** rng.uniform(-5.0, -1.0)))
    turn = _small_turn(rng, angle) @ _QUARTERS[rng.integers(2) * rng.integers(len(_QUARTERS))]
    return turn, _occupied_index(rng, a.occupied) + 0.5 + rng.integers(-2, 3, 3), _occupied_index(rng, b.occupied) + 0.5


def shifted(rng: Rng, a: Voxels, b: Voxels) -> tuple[Array, Array, Array]:
    """Not turned, any offset."""
    return np.eye(3), _occupied_index(rng, a.occupied) + rng.uniform(-2.0, 2.0, 3), _occupied_index(rng, b.occupied)


def rigid(rng: Rng, a: Voxels, b: Voxels) -> tuple[Array, Array, Array]:
    """Any pose that brings two occupied voxels near each other."""
    apart = rng.uniform(-1.0, 1.0, 3) * rng.choice((0.5, 2.0, 6.0))
    return random_rotation(rng), _occupied_index(rng, a.occupied) + 0.5 + apart, _occupied_index(rng, b.occupied) + 0.5


def near_miss(rng: Rng, a: Voxels, b: Voxels) -> tuple[Array, Array, Array]:
    """Any turn; the farthest voxels of the two side by side, a little apart or overlapping."""
    turn, direction = random_rotation(rng), rng.normal(size=3)
    direction /= np.linalg.norm(direction)
    ends = []
    for voxels, toward in ((a, direction), (b, -direction @ turn)):
        held = np.argwhere(voxels.occupied)
        far = held[np.argmax((held * voxels.spacing) @ toward)] if len(held) else np.zeros(3)
        ends.append(far + 0.5)
    gap = rng.uniform(-0.5, 1.6) * 0.5 * (a.spacing.mean() + b.spacing.mean())
    return turn, ends[0] + direction * gap / a.spacing, ends[1]


def around(rng: Rng, a: Voxels, b: Voxels) -> tuple[Array, Array, Array]:
    """Any turn; center near center, at a distance where the boxes may reach each other."""
    direction = rng.normal(size=3)
    sizes = [voxels.spacing * voxels.occupied.shape for voxels in (a, b)]
    far = rng.uniform(0.2, 1.2) * 0.5 * (np.linalg.norm(sizes[0]) + np.linalg.norm(sizes[1]))
    middle = 0.5 * sizes[0] + direction / np.linalg.norm(direction) * far
    return random_rotation(rng), middle / a.spacing, 0.5 * np.array(b.occupied.shape)


ARRANGEMENTS: dict[str, tuple[Arrangement, ...]] = {
    "shared": (whole, beyond, touching),
    "centers": (whole, half, quarter, leaning, shifted, rigid, around, near_miss),
    "cubes": (whole, touching, half, quarter, leaning, shifted, rigid, around, near_miss),
    "large": (leaning, rigid, around, near_miss),
}
"""Arrangements of the volumes for each question."""
_MOST = {"shared": 24, "centers": 24, "cubes": 12}


def make(question: str, seed: int) -> VolumeCase:
    """Return a case; the same arguments give the same case."""
    rng = np.random.default_rng((seed, QUESTIONS.index(question)))
    arrangements = ARRANGEMENTS[question]
    arrange = arrangements[seed % len(arrangements)]
    if question == "large":
        shapes: tuple[Shape, Shape] = (_LARGE, _LARGE, _LARGE), (_LARGE, _LARGE, _LARGE)
    else:
        # Both are often tall: bits then shift from word to word.
        tall = rng.choice((0.1, 0.1, 1.0))
        shapes = resolution(rng, _MOST[question], tall), resolution(rng, _MOST[question], tall)
    spacing = _spacing(rng)
    other = spacing
    if question != "shared" and arrange not in (whole, touching):
        # Equal, in whole ratios (these make ties), or different.
        other = spacing * rng.choice(
            (1.0, 1.0, 1.0, 0.5, 2.0, 3.0, rng.uniform(0.4, 2.5), rng.uniform(0.4, 2.5), 10.0 ** rng.uniform(-1.0, 1.0))
        )
        if arrange in (rigid, shifted) and rng.random() < 0.3:
            other = rng.permutation(other) * rng.uniform(0.7, 1.4, 3)
    a = Voxels(contents(rng, shapes[0]), spacing, _origin(rng, spacing))
    b = Voxels(contents(rng, shapes[1]), other, _origin(rng, other))
    turn, mine, theirs = arrange(rng, a, b)
    pose = np.eye(4)
    pose[:3, :3] = turn
    pose[:3, 3] = a.origin + mine * a.spacing - turn @ (b.origin + theirs * b.spacing)
    offset = (mine - theirs).astype(np.int64) if arrange in (whole, beyond, touching) else None
    return VolumeCase(question, arrange.__name__, seed, a, b, pose, offset)


@dataclass(frozen=True, slots=True)
class Edit:
    """`volume[key] = values`; or, where key is None, `volume.threshold = values`."""

    kind: str
    key: Any
    values: Any


EDITS = ("voxel", "block", "stepped", "line", "plane", "mask", "places", "whole", "nothing", "threshold")
DTYPES = (np.bool_, np.uint8, np.int16, np.float32, np.float64)
_LEVELS = 8  # alphas and thresholds are eighths, so they are often equal


def alphas(rng: Rng, shape: tuple[int, ...], dtype: type) -> NDArray[Any]:
    """Return values for voxels: a random share of them above 0."""
    values = rng.integers(0, _LEVELS + 1, shape) * (rng.random(shape) < rng.choice((0.05, 0.5, 0.95)))
    if np.issubdtype(dtype, np.floating):
        return (values / _LEVELS).astype(dtype)
    return (values > 0) if dtype is np.bool_ else values.astype(dtype)


def threshold(rng: Rng, dtype: type) -> float:
    """Return a threshold that often equals one of the alphas."""
    level = float(rng.integers(-1, _LEVELS))
    return level / _LEVELS if np.issubdtype(dtype, np.floating) else level


def edit(rng: Rng, shape: Shape, dtype: type, kinds: tuple[str, ...] = EDITS) -> Edit:
    """Return an edit of a volume of this shape."""
    kind = str(rng.choice(kinds))
    if kind == "threshold":
        return Edit(kind, None, threshold(rng, dtype))
    key = _key(rng, shape, kind)
    # numpy's own selection gives the shapes of values that fit.
    chosen = np.empty(shape, np.bool_)[key].shape
    fits = [(), chosen]
    if kind in ("block", "stepped", "plane", "whole"):
        fits.append(chosen[1:])
        fits.append(tuple(n if rng.integers(2) else 1 for n in chosen))
    values = alphas(rng, fits[rng.integers(len(fits))], dtype)
    return Edit(kind, key, values if values.ndim else values[()])


def _key(rng: Rng, shape: Shape, kind: str) -> Any:
    match kind:
        case "voxel":
            return tuple(int(rng.integers(-n, n)) for n in shape)
        case "block":
            return tuple(_slice(rng, n) for n in shape)
        case "stepped":
            slices = tuple(_slice(rng, n, int(rng.choice((-3, -2, -1, 2, 3)))) for n in shape)
            return (slices, (slices[0], ...), (..., slices[2]))[rng.choice(3, p=(0.8, 0.1, 0.1))]
        case "line":
            axis = rng.integers(3)
            return tuple(slice(None) if k == axis else int(rng.integers(-n, n)) for k, n in enumerate(shape))
        case "plane":
            at = int(rng.integers(3))
            which = int(rng.integers(-shape[at], shape[at]))
            return (which, (slice(None), which), (..., which))[at]
        case "mask":
            return rng.random(shape) < rng.choice((0.0, 0.02, 0.5, 1.0))
        case "places":
            many = rng.integers(1, 30)
            return tuple(rng.integers(-n, n, many) for n in shape)
        case "whole":
            return (..., slice(None), (slice(None),) * 3)[rng.integers(3)]
        case _:
            return tuple(slice(int(rng.integers(n + 1)), 0) for n in shape)


def _slice(rng: Rng, n: int, step: int = 1) -> slice:
    """Return a slice of an axis, mostly short."""
    low = int(rng.integers(n))
    high = int(min(n, low + rng.choice((1, 2, 8, n))))
    if step > 0:
        return slice(low, high, step)
    return slice(high - 1, low - 1 if low else None, step)
