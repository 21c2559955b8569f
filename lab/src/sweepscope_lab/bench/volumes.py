"""Volumes, compared with NumPy and rapier3d: overlap at whole offsets and at any pose, edits, memory.

Answers are compared first: with NumPy on the same voxels, with brute force that moves every center through the pose, and with
rapier3d, which cannot edit its voxels and builds them again (from points that are ready before the clock starts).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Mesh, Rotate, SweepscopeError, Volume, overlap

from .rows import Row, best, peer, rapier_world

Bools = NDArray[np.bool_]
Array = NDArray[np.float64]

_SIZES = (64, 256, 512)
_BARS = {64: "5 x", 256: "60 x", 512: "100 x"}
_EDITS = 2000
_BLOCK = 8  # voxels along each side of an edit
_FRAMES = 20
_POSES = 500


def _ball(n: int, center: float | Array, radius: float) -> Bools:
    """Return a ball in a grid of n^3; all in voxels."""
    x, y, z = np.ogrid[:n, :n, :n]
    a, b, c = np.broadcast_to(center, 3)
    return (x + 0.5 - a) ** 2 + (y + 0.5 - b) ** 2 + (z + 0.5 - c) ** 2 < radius * radius


def _corner_balls(n: int) -> tuple[Bools, Bools]:
    """Return two balls in opposite corners that touch on the diagonal: their grids overlap nearly completely."""
    radius = n * np.sqrt(3.0) / (2.0 + 2.0 * np.sqrt(3.0))
    return _ball(n, radius, radius), _ball(n, n - radius, radius)


def _filling_balls(n: int) -> tuple[Bools, Bools]:
    ball = _ball(n, 0.5 * n, 0.5 * n)
    return ball, ball


def _combs(n: int) -> tuple[Bools, Bools]:
    """Return teeth of two voxels along z, slanted across x and y, and the gaps between them."""
    x, y, _ = np.ogrid[:n, :n, :n]
    teeth = np.ascontiguousarray(np.broadcast_to((x + y) // 2 % 2 == 0, (n, n, n)))
    return teeth, ~teeth


def _checkers(n: int) -> tuple[Bools, Bools]:
    """Return every other voxel, and the others."""
    x, y, z = np.ogrid[:n, :n, :n]
    board = (x + y + z) % 2 == 0
    return board, ~board


def _ball_in_shell(n: int) -> tuple[Bools, Bools]:
    """Return a ball and a shell around it, a little over two voxels apart: every line of the shell spans the ball."""
    return _ball(n, 0.5 * n, 0.4 * n), _ball(n, 0.5 * n, 0.5 * n) & ~_ball(n, 0.5 * n, 0.4 * n + 4.0)


def _slices(n: int, offset: tuple[int, int, int]) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """Return where two grids of n^3 overlap, the second moved by an offset: slices of the first, of the second."""
    one = tuple(slice(max(0, d), min(n, n + d)) for d in offset)
    return one, tuple(slice(part.start - d, part.stop - d) for part, d in zip(one, offset, strict=True))


def _whole_row(name: str, pair: tuple[Bools, Bools], offset: tuple[int, int, int], bar: str, repeats: int) -> Row:
    """Time two volumes that share no voxel, and NumPy on the slices where their grids overlap."""
    first, second = pair
    n = len(first)
    here, there = _slices(n, offset)
    a, b = (Volume(alpha, keep_alpha=False) for alpha in pair)
    place = np.array(offset, np.float64)
    if np.any(first[here] & second[there]) or overlap(a, b, place):
        raise SweepscopeError(f"{name}, {n}^3: the two share a voxel; this benchmark needs two that do not")
    for steps in np.ndindex(3, 3, 3):
        moved = tuple(int(d) + step - 1 for d, step in zip(offset, steps, strict=True))
        here_too, there_too = _slices(n, (moved[0], moved[1], moved[2]))
        if bool(overlap(a, b, np.array(moved, np.float64))) != bool(np.any(first[here_too] & second[there_too])):
            raise SweepscopeError(f"{name}, {n}^3: NumPy and sweepscope differ at {moved}")
    rounds = max(repeats, 3) * (100 if n <= 64 else 10 if n <= 256 else 3)
    ours = best(lambda: overlap(a, b, place), max(rounds, 20))
    theirs = best(lambda: np.any(first[here] & second[there]), rounds)
    return Row(f"{n}^3 on {n}^3, {name}, no overlap", ours, bar, {"NumPy": theirs}, "27 offsets equal to NumPy's")


def _whole_rows(repeats: int) -> Iterator[Row]:
    for n in _SIZES:
        yield _whole_row("balls nearly touching", _corner_balls(n), (1, 1, 1), _BARS[n], repeats)
    for n in _SIZES:
        apart = _first_free(n)
        yield _whole_row("balls that fill their grids", _filling_balls(n), (apart, apart, apart), "", repeats)
        yield _whole_row("a ball in a shell", _ball_in_shell(n), (1, 1, 1), "", repeats)
        yield _whole_row("interlocking combs", _combs(n), (0, 0, 0), "", repeats)
        yield _whole_row("a checkerboard and its complement", _checkers(n), (0, 0, 0), "", repeats)


def _first_free(n: int) -> int:
    """Return the first step along the diagonal at which two balls that fill their grids share no voxel."""
    ball = _ball(n, 0.5 * n, 0.5 * n)
    d = int(n / np.sqrt(3.0)) - 3
    while np.any(ball[d:, d:, d:] & ball[: n - d, : n - d, : n - d]):
        d += 1
    return d


def _edit_rows(repeats: int) -> list[Row]:
    """Time edits at random places, alternately in a small and a large volume."""
    rng = np.random.default_rng(5)
    values = (rng.random((16, _BLOCK, _BLOCK, _BLOCK)) < 0.5).astype(np.float32)
    sizes = (64, 512)
    volumes = [Volume(_ball(n, 0.5 * n, 0.45 * n).astype(np.float32)) for n in sizes]
    places = [rng.integers(0, n - _BLOCK + 1, (_EDITS, 3)).tolist() for n in sizes]

    def work(volume: Volume, places: list[list[int]]) -> None:
        for count, (i, j, k) in enumerate(places):
            volume[i : i + _BLOCK, j : j + _BLOCK, k : k + _BLOCK] = values[count % 16]

    few, many = np.inf, np.inf
    for _ in range(max(repeats, 3)):
        few = min(few, best(lambda: work(volumes[0], places[0]), 1) / _EDITS)
        many = min(many, best(lambda: work(volumes[1], places[1]), 1) / _EDITS)
    for n, volume in zip(sizes, volumes, strict=True):
        fresh = Volume(volume.alpha, keep_alpha=False)
        if volume.count != fresh.count or not np.array_equal(volume.lines, fresh.lines):
            raise SweepscopeError(f"the index of {n}^3 after edits differs from one built from scratch")
    note = f"{many / few:.2f} x the time in 64^3; the index equals one built from scratch"
    return [
        Row(f"edit of {_BLOCK}^3 voxels in 64^3", few, ""),
        Row(f"edit of {_BLOCK}^3 voxels in 512^3", many, "1.5 x the time in 64^3", note=note),
    ]


def _frame_row(repeats: int) -> Row:
    """Time one change and one test per frame, by rapier3d and by us."""
    rapier = peer("rapier3d")
    n, apart = 64, _first_free(64) + 1
    first, second = _filling_balls(n)
    a, b = Volume(first), Volume(second)
    place = np.array((apart, apart, apart), np.float64)
    # A lump between the balls appears and disappears; in between, lumps at random places of the first do.
    rng = np.random.default_rng(6)
    edits: list[tuple[tuple[slice, ...], bool]] = []
    for frame in range(_FRAMES):
        lump = (apart + n) // 2 - _BLOCK // 2
        low = (lump, lump, lump) if frame % 4 < 2 else rng.integers(n // 4, n // 2, 3).tolist()
        edits.append((tuple(slice(k, k + _BLOCK) for k in low), frame % 4 == 0))
    unit = rapier.Vec3(1.0, 1.0, 1.0)
    world = rapier_world(rapier, (rapier.Collider.voxels_from_points(unit, np.argwhere(second) + 0.5 + place),))
    still = rapier.Isometry3.from_translation(0.0, 0.0, 0.0)
    clouds, our_answers, their_answers = [], [], []

    def theirs(points: Array) -> bool:
        found: list[Any] = []
        shape = rapier.SharedShape.voxels_from_points(unit, points)
        world.query_pipeline.intersect_shape(still, shape, lambda handle: bool(found.append(handle)))
        return bool(found)

    for where, value in edits:
        a[where] = value
        our_answers.append(bool(overlap(a, b, place)))
        clouds.append(np.argwhere(a.occupied) + 0.5)
        their_answers.append(theirs(clouds[-1]))
    if our_answers != their_answers or len(set(our_answers)) != 2:
        raise SweepscopeError(f"a change and a test: sweepscope says {our_answers}, rapier3d {their_answers}")

    def all_ours() -> None:
        for where, value in edits:
            a[where] = value
            bool(overlap(a, b, place))

    taken = best(all_ours, max(repeats, 3) * 10) / _FRAMES
    rebuilt = best(lambda: [theirs(points) for points in clouds], repeats) / _FRAMES
    note = f"{sum(our_answers)} of {_FRAMES} frames overlap, as rapier3d says; it cannot edit and builds again"
    return Row(f"a change of {_BLOCK}^3 and a test, 64^3", taken, "300 x", {"rapier3d": rebuilt}, note)


@dataclass(frozen=True, slots=True)
class _VolumePair:
    """Two volumes in 64^3, and the range of random poses of the second."""

    name: str
    first: Bools
    second: Bools
    apart: tuple[float, float]
    """Least and greatest distance between the middles of their grids [voxels]."""
    turn: float = np.pi
    """Greatest turn of the second, about any axis [radians]."""


def _pairs() -> Iterator[_VolumePair]:
    n = 64
    rng = np.random.default_rng(7)
    ball = _ball(n, 0.5 * n, 0.5 * n)
    yield _VolumePair("balls", ball, ball, (0.97 * n, 1.03 * n))
    place = np.moveaxis(np.indices((n, n, n)), 0, -1) / n
    blobs = []
    for _ in range(2):
        waves, shifts = 6.0 * rng.normal(size=(6, 3)), rng.uniform(0.0, 2.0 * np.pi, 6)
        blobs.append(np.cos(place @ waves.T + shifts).sum(axis=3) > 1.2)
    yield _VolumePair("blobs", blobs[0], blobs[1], (0.5 * n, 1.3 * n))
    shell, core = ball & ~_ball(n, 0.5 * n, 0.45 * n), _ball(n, 0.5 * n, 0.4 * n)
    yield _VolumePair("a ball in a shell", core, shell, (0.0, 0.08 * n))
    yield _VolumePair("a shell round a ball", shell, core, (0.0, 0.08 * n))
    x, y, z = np.ogrid[:n, :n, :n]
    yield _VolumePair("half a grid each", x + y + z < 1.45 * n, x + y + z > 1.55 * n, (0.0, 0.02 * n), 0.05)
    sheets = (x + y + z) % 14
    yield _VolumePair("slanted sheets between sheets", sheets < 5, (sheets >= 7) & (sheets < 12), (0.0, 0.02 * n), 0.005)
    noise = rng.random((2, n, n, n)) < 0.001
    yield _VolumePair("noise", noise[0], noise[1], (0.0, 0.9 * n))


def _pose(rng: np.random.Generator, pair: _VolumePair) -> Array:
    """Return a random pose of the second in the first's frame: turned about its middle, then moved."""
    axis, direction = (v / np.linalg.norm(v) for v in rng.normal(size=(2, 3)))
    pose = Rotate(axis, rng.uniform(0.0, pair.turn)).at()
    middle = np.full(3, 0.5 * len(pair.first))
    pose[:3, 3] = middle + rng.uniform(*pair.apart) * direction - pose[:3, :3] @ middle
    return pose


def _brute_force(centers: Array, second: Bools, pose: Array) -> bool:
    """Return whether a center of the first is in an occupied voxel of the second: every center is tested."""
    places = (centers - pose[:3, 3]) @ pose[:3, :3]
    index = np.floor(places + 1e-9).astype(np.int64)
    inside = ((index >= 0) & (index < second.shape)).all(axis=1)
    return bool(second[tuple(index[inside].T)].any())


def _posed_rows(repeats: int) -> list[Row]:
    """Time random poses: the slowest of many, each the best of a few calls."""
    rows = []
    rng = np.random.default_rng(8)
    for pair in _pairs():
        a, b = Volume(pair.first, keep_alpha=False), Volume(pair.second, keep_alpha=False)
        centers: Array = np.argwhere(pair.first).astype(np.float64) + 0.5
        times, hits = [], 0
        for _ in range(_POSES):
            pose = _pose(rng, pair)
            answer = bool(overlap(a, b, pose))
            if answer != _brute_force(centers, pair.second, pose):
                raise SweepscopeError(f"{pair.name}: sweepscope says {answer} at {pose.tolist()}, brute force does not")
            hits += answer
            times.append(best(lambda a=a, b=b, pose=pose: overlap(a, b, pose), 2 * max(repeats, 3)))
        note = f"{1e6 * float(np.mean(times)):.1f} us on average; {hits} of {_POSES} overlap, each as by brute force"
        rows.append(Row(f"any pose, 64^3 on 64^3, {pair.name}: the worst of {_POSES}", max(times), "300 us", note=note))
    return rows


def _memory_row(repeats: int) -> Row:
    mesh = Mesh.sphere(1.0, rows=101, sections=50)
    volume = Volume.from_mesh(mesh, 2.0 / 512, resolution=(512, 512, 512), keep_alpha=False)
    bits = 8.0 * volume.nbytes / 512**3
    taken = best(lambda: Volume.from_mesh(mesh, 2.0 / 512, resolution=(512, 512, 512), keep_alpha=False), repeats)
    work = f"512^3 filled from {len(mesh.faces):,} triangles, keep_alpha=False"
    return Row(work, taken, "at most 2 bits a voxel", note=f"{bits:.3f} bits a voxel")


def measure(repeats: int, say: Callable[[str], object]) -> list[Row]:
    """Run everything and return the rows; `say` gets a line of text as work proceeds."""
    say("whole offsets ...")
    rows = list(_whole_rows(repeats))
    say("edits ...")
    rows += _edit_rows(repeats)
    rows.append(_frame_row(repeats))
    say("poses ...")
    rows += _posed_rows(repeats)
    rows.append(_memory_row(repeats))
    return rows
