"""How accurate is a radar? The first paper has no table of it. Here both kinds of radar are compared with the exact sweep.

Near a first contact the gap of two smooth bodies grows with the square of the distance from it, that of a corner on a face
linearly: so the error of a sampled travel should fall with the second and the first power of the pixel size. A bounding radar
includes the slope of both surfaces over a whole pixel, so its error falls with the first power and is on the safe side.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Box, Mesh, Scene, Shape, Sphere, Translate, View
from sweepscope.radar import Radar, RadarReading

from .radar import Say

PIXELS = (8, 16, 25, 50, 100, 200, 400)
KINDS = ("ball on ball", "box on box", "1,250 triangles", "box on rod")
"""Smooth contact; corners and edges; the paper's own kind of ball; an obstacle thinner than most pixels."""

_ROUNDING = 1e-9  # of the mover's size: smaller errors come from rounding, not from the method


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Radars of one resolution against the exact sweep, over pairs that meet. Errors: (read - exact) / mover's size."""

    kind: str
    pixels: int
    bounding: bool
    pairs: int
    missed: int
    """Hits that the radar did not predict."""
    mean: float
    """Mean size of the error."""
    p95: float
    """The 95th percentile of the error's size."""
    least: float
    """The smallest error with its sign: below zero is too early."""
    most: float
    """The largest error with its sign: above zero is too late."""
    common: float
    """Mean size over the pairs that no resolution missed; it gives the order of convergence."""
    judged: int
    """Sampled hits whose contact pixel and its four neighbors all show both surfaces."""
    within: int
    """How many of those err by at most one pixel's slope, see `slope_bound`."""
    bracketed: int
    """How often bounding <= exact <= sampled, up to rounding; for a miss, sampled is infinite."""

    @property
    def worst(self) -> float:
        """The largest size of an error."""
        return max(-self.least, self.most)


def measure_accuracy(
    say: Say, pairs: int = 60, *, pixels: Sequence[int] = PIXELS, kinds: Iterable[str] = KINDS, seed: int = 0
) -> list[Accuracy]:
    """Compare radars of several resolutions, sampled and bounding, with the exact sweep on random pairs that meet."""
    rows = []
    for kind in kinds:
        say(f"accuracy: {kind} ...")
        cases = [_pair(kind, np.random.default_rng((seed, KINDS.index(kind), k))) for k in range(pairs)]
        rows += _rows(kind, pixels, np.array([[_compare(case, n) for case in cases] for n in pixels], np.float64))
    return rows


@dataclass(frozen=True, slots=True)
class _Case:
    scene: Scene
    mover: Body
    motion: Translate
    exact: float
    point: NDArray[np.float64]
    size: float


def _pair(kind: str, rng: np.random.Generator) -> _Case:
    """Return two convex bodies at random poses; the first will hit the second."""
    while True:
        one, other = _shapes(kind, rng)
        toward = rng.normal(size=3)
        aside = np.cross(toward, rng.normal(size=3))
        toward, aside = toward / np.linalg.norm(toward), aside / np.linalg.norm(aside)
        sizes = [float(np.linalg.norm(shape.bounds[1] - shape.bounds[0])) for shape in (one, other)]
        scene = Scene()
        mover = scene.add(one, _random_pose(rng))
        pose = _random_pose(rng)
        # Far enough to be apart, with a random offset up to a grazing contact.
        pose[:3, 3] = sum(sizes) * toward + 0.5 * sum(sizes) * math.sqrt(rng.uniform()) * aside
        scene.add(other, pose)
        motion = Translate(2.0 * sum(sizes) * toward)
        hit = scene.sweep(mover, motion)
        if hit is not None:
            return _Case(scene, mover, motion, hit.travel, hit.point, float((one.bounds[1] - one.bounds[0]).max()))


def _shapes(kind: str, rng: np.random.Generator) -> tuple[Shape, Shape]:
    a, b = rng.uniform(0.5, 1.5, 2)
    if kind == "ball on ball":
        return Sphere(a), Sphere(b)
    if kind == "box on box":
        return Box(rng.uniform(0.5, 1.5, 3)), Box(rng.uniform(0.5, 1.5, 3))
    if kind == "1,250 triangles":
        return Mesh.sphere(a), Mesh.sphere(b)
    return Box(rng.uniform(0.5, 1.5, 3)), Box((0.02, 0.02, 2.0 * b))


def _random_pose(rng: np.random.Generator) -> NDArray[np.float64]:
    pose = np.eye(4)
    turn, stretch = np.linalg.qr(rng.normal(size=(3, 3)))
    turn *= np.sign(np.diag(stretch))
    pose[:3, :3] = turn if np.linalg.det(turn) > 0.0 else -turn
    return pose


def slope_bound(reading: RadarReading, point: NDArray[np.float64]) -> float:
    """Return one pixel's slope [length] at a contact: the largest error of a sampled travel; NaN if unknown.

    At the pixel that holds the contact it is half the larger step of L to the left or right, plus half the larger step up or
    down. L, the gap of two convex bodies, is a convex function over the picture: from the pixel's center to any place in the
    pixel, at most half a pixel away in both directions, it cannot fall by more. It is unknown where the pixel or one of its
    four neighbors does not show both bodies.
    """
    view, (rows, columns) = reading.view, reading.lookat.shape
    assert isinstance(view, View)
    u, v, _ = view.frame @ (point - view.eye)
    i = min(max(math.floor((v / view.height + 0.5) * rows), 0), rows - 1)
    j = min(max(math.floor((u / view.width + 0.5) * columns), 0), columns - 1)
    if not (0 < i < rows - 1 and 0 < j < columns - 1):
        return math.nan
    gap = np.where(reading.ids >= 0, reading.lookat, math.nan)
    down = max(abs(gap[i, j] - gap[i - 1, j]), abs(gap[i + 1, j] - gap[i, j]))
    across = max(abs(gap[i, j] - gap[i, j - 1]), abs(gap[i, j + 1] - gap[i, j]))
    around = (gap[i - 1, j], gap[i + 1, j], gap[i, j - 1], gap[i, j + 1])
    return float(0.5 * (down + across)) if np.isfinite(around).all() else math.nan


def _compare(case: _Case, pixels: int) -> tuple[float, float, bool, bool, bool]:
    """Return the errors of the sampled and the bounding radar (NaN: missed); slope known; error within it; bracketed."""
    sampled = Radar(case.scene, case.mover, pixels=pixels).probe(case.motion)
    bounding = Radar(case.scene, case.mover, pixels=pixels, method="bounding").probe(case.motion)
    above, below = ((found.travel - case.exact) / case.size if found.hit else math.nan for found in (sampled, bounding))
    bound = slope_bound(sampled, case.point) / case.size if sampled.hit else math.nan
    within = above <= bound + _ROUNDING
    bracketed = below <= _ROUNDING and (not sampled.hit or above >= -_ROUNDING)
    return above, below, math.isfinite(bound), within, bracketed


def _rows(kind: str, pixels: Sequence[int], found: NDArray[np.float64]) -> list[Accuracy]:
    """Sum up what `_compare` found, shape (resolutions, pairs, 5)."""
    common = np.isfinite(found[:, :, 0]).all(axis=0)
    rows = []
    for n, each in zip(pixels, found, strict=True):
        for bounding in (False, True):
            error = each[:, int(bounding)]
            hits = error[np.isfinite(error)]
            judged, within, bracketed = each[:, 2:].sum(axis=0).astype(int).tolist()
            rows.append(
                Accuracy(
                    kind=kind,
                    pixels=n,
                    bounding=bounding,
                    pairs=len(error),
                    missed=len(error) - len(hits),
                    mean=float(np.abs(hits).mean()) if len(hits) else math.nan,
                    p95=float(np.percentile(np.abs(hits), 95.0)) if len(hits) else math.nan,
                    least=float(hits.min()) if len(hits) else math.nan,
                    most=float(hits.max()) if len(hits) else math.nan,
                    common=float(np.abs(error[common]).mean()) if common.any() else math.nan,
                    judged=0 if bounding else judged,
                    within=0 if bounding else within,
                    bracketed=bracketed,
                )
            )
    return rows


def orders(rows: Sequence[Accuracy]) -> dict[tuple[str, bool], float]:
    """Return by (kind, bounding) the order of convergence: the slope of log mean error against log pixel size."""
    found = {}
    for key in dict.fromkeys((row.kind, row.bounding) for row in rows):
        mine = [(row.pixels, row.common) for row in rows if (row.kind, row.bounding) == key and row.common > 0.0]
        if len(mine) > 1:
            pixels, mean = np.array(mine).T
            found[key] = float(np.polyfit(-np.log(pixels), np.log(mean), 1)[0])
    return found
