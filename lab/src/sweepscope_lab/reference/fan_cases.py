"""Cases for fans, many at once: fans of every difficult kind, and things placed against each of their features.

A thing just touches a feature (an arc, a side, a rim, a corner) from outside. Then it is shifted off contact, to either side,
by nothing, by rounding, by little or by much. Some things are anywhere. What else of the fan a thing meets is random.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Rng = np.random.Generator

EACH = 64
"""Cases for each fan."""
OFFS = (0.0, 1e-12, -1e-12, 1e-8, -1e-8, 1e-6, -1e-6, 1e-3, -1e-3)
"""Distance from contact, as a share of the size."""

FANS = (
    "plain",
    "cake",
    "no angle",
    "tiny angle",
    "right angle",
    "over a right angle",
    "nearly full",
    "full",
    "shell",
    "thin shell",
    "narrow ring",
    "no height",
    "low",
    "tall",
    "no width",
)
FEATURES = (
    "anywhere",
    "outer arc",
    "inner arc",
    "side",
    "top",
    "outer rim",
    "inner rim",
    "side edge",
    "upright edge",
    "corner",
    "axis",
)
FLAT_FEATURES = ("anywhere", "outer arc", "inner arc", "side", "upright edge", "axis")
COAXIAL = "coaxial"
AROUND = "around"


@dataclass(frozen=True, slots=True)
class FanCases:
    """n cases, EACH for a fan; the things are in `data`, by name, in the world's frame."""

    question: str
    fans: dict[str, Array]
    """Arguments of Fan by name: center, axis, mid (m, 3), half_angle, inner, outer, half_thickness (m,)."""
    fan_kinds: NDArray[np.intp]
    """Which of FANS each fan is, (m,)."""
    kinds: tuple[str, ...]
    """Features that things are placed against."""
    kind: NDArray[np.intp]
    """Which of `kinds`, (n,)."""
    data: dict[str, Array]
    sizes: Array
    """The largest length of each case; coordinates count for a hundredth [length], (n,)."""


@dataclass(frozen=True, slots=True)
class _FanPerCase:
    """Fans repeated for each of their cases; all (n,) except the frame (n, 3, 3), whose rows are its directions."""

    angle: Array
    inner: Array
    outer: Array
    high: Array
    center: Array
    frame: Array

    @property
    def size(self) -> Array:
        return np.maximum(self.outer, self.high)

    def world(self, places: Array) -> Array:
        """Return points (n, 3) of the frames in world coordinates."""
        return self.center + self.turn(places)

    def turn(self, directions: Array) -> Array:
        """Return directions (n, 3) of the frames in world coordinates."""
        return np.einsum("nij,ni->nj", self.frame, directions)


def _one_of(rng: Rng, count: int, *choices: Array | float) -> Array:
    """Return one of the choices for each of `count`."""
    return np.choose(rng.integers(len(choices), size=count), [np.broadcast_to(choice, count) for choice in choices])


def _log_uniform(rng: Rng, count: int, low: float, high: float) -> Array:
    return 10.0 ** rng.uniform(low, high, count)


def _numbers(rng: Rng, kind: NDArray[np.signedinteger], outer: Array) -> tuple[Array, Array, Array, Array]:
    """Return half-angle, inner radius, outer radius and half height of fans of these kinds, (m,) each."""
    count = len(kind)
    is_kind = {name: kind == k for k, name in enumerate(FANS)}
    angle = np.where(rng.random(count) < 0.25, rng.choice((0.0, 0.5, 1.0), count) * np.pi, rng.uniform(0.02, np.pi, count))
    inner = np.where(rng.random(count) < 0.2, 0.0, rng.random(count)) * outer
    high = outer * np.where(rng.random(count) < 0.2, _log_uniform(rng, count, -3, 1), rng.uniform(0.05, 1.0, count))
    angle[is_kind["no angle"]] = 0.0
    angle = np.where(is_kind["tiny angle"], _log_uniform(rng, count, -9, -3), angle)
    angle[is_kind["right angle"]] = np.pi / 2.0
    angle = np.where(is_kind["over a right angle"], np.pi / 2.0 * (1.0 + _log_uniform(rng, count, -15, -3)), angle)
    angle = np.where(is_kind["nearly full"], np.pi - _log_uniform(rng, count, -12, -2), angle)
    angle[is_kind["full"]] = np.pi
    inner[is_kind["cake"]] = 0.0
    inner = np.where(is_kind["shell"], outer, inner)
    inner = np.where(is_kind["thin shell"], outer * (1.0 - 1e-9), inner)
    inner = np.where(is_kind["narrow ring"], outer * rng.uniform(0.9, 0.999, count), inner)
    high[is_kind["no height"]] = 0.0
    high = np.where(is_kind["low"], outer * _log_uniform(rng, count, -9, -3), high)
    high = np.where(is_kind["tall"], outer * _log_uniform(rng, count, 1, 3), high)
    outer, inner = np.where(is_kind["no width"], 0.0, outer), np.where(is_kind["no width"], 0.0, inner)
    return angle, inner, outer, high


def _units(rng: Rng, count: int, wide: int = 3) -> Array:
    directions = rng.normal(size=(count, wide))
    return directions / np.linalg.norm(directions, axis=1, keepdims=True)


def _square_to(rng: Rng, directions: Array) -> Array:
    """Return random unit directions square to unit directions (n, 3)."""
    other = np.cross(directions, _units(rng, len(directions)))
    return other / np.linalg.norm(other, axis=1, keepdims=True)


def _frames(rng: Rng, count: int) -> Array:
    """Return right-handed frames (n, 3, 3), rows are directions: most random, some along the axes."""
    first = _units(rng, count)
    second = _square_to(rng, first)
    frames = np.stack((first, second, np.cross(first, second)), axis=1)
    plain = np.eye(3)[np.array(((0, 1, 2), (1, 2, 0), (2, 0, 1)))[rng.integers(3, size=count)]]
    return np.where((rng.random(count) < 0.3)[:, None, None], plain, frames)


def _flat_frames(rng: Rng, count: int) -> Array:
    """Return right-handed frames (n, 3, 3) whose last direction is the world's z, up or down."""
    angle = np.where(rng.random(count) < 0.3, rng.integers(4, size=count) * np.pi / 2.0, rng.uniform(-np.pi, np.pi, count))
    up = np.where(rng.random(count) < 0.7, 1.0, -1.0)
    zero = np.zeros(count)
    mid = np.stack((np.cos(angle), np.sin(angle), zero), axis=1)
    side = np.stack((-up * np.sin(angle), up * np.cos(angle), zero), axis=1)
    return np.stack((mid, side, np.stack((zero, zero, up), axis=1)), axis=1)


def _feature(rng: Rng, fan: _FanPerCase, names: tuple[str, ...], kind: NDArray[np.intp]) -> tuple[Array, Array]:
    """Return points (n, 3) on features of fans and outward directions (n, 3) there, in the fans' frames."""
    count = len(kind)
    side = rng.choice((-1.0, 1.0), count)
    up = rng.choice((-1.0, 1.0), count)
    phi = np.where(rng.random(count) < 0.2, 0.0, rng.uniform(-1.0, 1.0, count)) * fan.angle
    rho = fan.inner + rng.random(count) * (fan.outer - fan.inner)
    z = rng.uniform(-1.0, 1.0, count) * fan.high
    weights = rng.random((3, count))  # of the directions outward, upward, sideways where several are possible
    radial = np.where(rng.random(count) < 0.5, 1.0, -1.0)

    def named(*some: str) -> NDArray[np.bool_]:
        return np.isin(kind, [names.index(name) for name in some if name in names])

    outer, inner = named("outer arc", "outer rim"), named("inner arc", "inner rim")
    ends = named("upright edge", "corner")
    at_side, at_top = named("side", "side edge") | ends, named("top", "outer rim", "inner rim", "side edge", "corner")
    rho = np.where(outer | (ends & (radial > 0)), fan.outer, np.where(inner | (ends & (radial < 0)), fan.inner, rho))
    rho = np.where(named("axis"), 0.0, rho)
    phi = np.where(at_side, side * fan.angle, phi)
    z = np.where(at_top, up * fan.high, z)
    out = np.where(outer, 1.0, np.where(inner, -1.0, np.where(ends, radial, 0.0)))
    anyhow = named("anywhere", "axis")
    c, s = np.cos(phi), np.sin(phi)
    zero = np.zeros(count)
    outward = (
        (out * weights[0])[:, None] * np.stack((c, s, zero), axis=1)
        + (at_side * side * weights[2])[:, None] * np.stack((-s, c, zero), axis=1)
        + (at_top * up * weights[1])[:, None] * np.array((0.0, 0.0, 1.0))
    )
    flat = "top" not in names
    free = np.pad(_units(rng, count, 2), ((0, 0), (0, 1))) if flat else _units(rng, count)
    outward = np.where(anyhow[:, None], free, outward)
    place = np.stack((rho * c, rho * s, zero if flat else z), axis=1)
    spread = rng.uniform(-1.6, 1.6, (count, 3)) * np.stack((fan.outer, fan.outer, zero if flat else fan.high), axis=1)
    place = np.where(named("anywhere")[:, None], spread, place)
    return place, outward / np.linalg.norm(outward, axis=1, keepdims=True)


def _lengths(rng: Rng, fan: _FanPerCase) -> Array:
    """Return sizes of things for fans, (n,): similar, much smaller or larger, and 0."""
    count = len(fan.size)
    share = rng.random(count)
    alike, far = _log_uniform(rng, count, -2, 1), _log_uniform(rng, count, -6, 3)
    return fan.size * np.where(share < 0.8, alike, np.where(share < 0.95, far, 0.0))


@dataclass(frozen=True, slots=True)
class _Placement:
    """Where things go, in the fans' frames: points (n, 3), outward directions (n, 3), shares of the size off contact (n,)."""

    fan: _FanPerCase
    place: Array
    outward: Array
    off: Array

    def away(self, reach: Array) -> Array:
        """Return points off contact (n, 3) for things that reach (n,) inward from there."""
        size = np.maximum(self.fan.size, reach)
        return self.place + (reach + self.off * size)[:, None] * self.outward


def _points(rng: Rng, spot: _Placement, flat: bool) -> tuple[dict[str, Array], Array]:
    return {"points": spot.away(np.zeros(len(spot.off)))}, spot.fan.size


def _balls(rng: Rng, spot: _Placement, flat: bool) -> tuple[dict[str, Array], Array]:
    radii = _lengths(rng, spot.fan)
    # Some balls just fill the hole.
    radii = np.where(rng.random(len(radii)) < 0.05, spot.fan.inner * (1.0 + spot.off), radii)
    return {"centers": spot.away(radii), "radii": radii}, np.maximum(spot.fan.size, radii)


def _rods(rng: Rng, spot: _Placement, flat: bool) -> tuple[dict[str, Array], Array]:
    count = len(spot.off)
    radii, long = _lengths(rng, spot.fan), _lengths(rng, spot.fan)
    rho = np.maximum(np.hypot(spot.place[:, 0], spot.place[:, 1]), np.finfo(float).tiny)
    round_it = np.stack((-spot.place[:, 1] / rho, spot.place[:, 0] / rho, 0.0 * rho), axis=1)
    level = np.pad(_units(rng, count, 2), ((0, 0), (0, 1)))
    if flat:
        across = np.cross(spot.outward, (0.0, 0.0, 1.0))
        directions = np.stack((across, round_it, level))
    else:
        upright = np.broadcast_to(np.array((0.0, 0.0, 1.0)), (count, 3))
        directions = np.stack((_square_to(rng, spot.outward), round_it, level, upright, _units(rng, count)))
    along = directions[rng.integers(len(directions), size=count), np.arange(count)]
    lean = np.sum(along * spot.outward, axis=1)
    along = np.where(lean < 0.0, -1.0, 1.0)[:, None] * along
    # A rod square to the outward direction may touch with any of its points, otherwise with its end.
    begin = np.where(np.abs(lean) < 1e-9, rng.random(count) * rng.integers(2, size=count), 0.0)
    begin = np.where(rng.random(count) < 0.1, rng.random(count), begin)
    p0 = spot.away(radii) - (begin * long)[:, None] * along
    p1 = np.where((long == 0.0)[:, None], p0, p0 + long[:, None] * along)
    swap = (rng.random(count) < 0.5)[:, None]
    data = {"p0": np.where(swap, p1, p0), "p1": np.where(swap, p0, p1), "radii": radii}
    return data, np.maximum(spot.fan.size, radii + long)


def _frames_of_things(rng: Rng, spot: _Placement, flat: bool) -> Array:
    """Return frames (n, 3, 3) of things, rows are directions: random, the fan's, or the first row outward."""
    count = len(spot.off)
    third = np.broadcast_to(np.array((0.0, 0.0, 1.0)), (count, 3)) if flat else _square_to(rng, spot.outward)
    lined = np.stack((spot.outward, np.cross(third, spot.outward), third), axis=1)
    if flat:
        angle = rng.uniform(-np.pi, np.pi, count)
        c, s, o, e = np.cos(angle), np.sin(angle), np.zeros(count), np.ones(count)
        free = np.stack((np.stack((c, s, o), axis=1), np.stack((-s, c, o), axis=1), np.stack((o, o, e), axis=1)), axis=1)
    else:
        free = _frames(rng, count)
    frames = np.stack((free, np.broadcast_to(np.eye(3), (count, 3, 3)), lined))
    if not flat:
        first = np.cross(third, _square_to(rng, third))
        frames = np.concatenate((frames, np.stack((third, first, np.cross(third, first)), axis=1)[None]))
    return frames[rng.integers(len(frames), size=count), np.arange(count)]


def _boxes(rng: Rng, spot: _Placement, flat: bool) -> tuple[dict[str, Array], Array]:
    count = len(spot.off)
    halves = np.stack([_lengths(rng, spot.fan) for _ in range(3)], axis=1)
    if flat:
        halves[:, 2] = 0.0
    frames = _frames_of_things(rng, spot, flat)
    lean = np.einsum("nij,nj->ni", frames, spot.outward)
    # The corner, or any point of the edge or face, that is first along the outward direction.
    first = np.where(np.abs(lean) < 1e-9, rng.uniform(-1.0, 1.0, (count, 3)), -np.sign(lean))
    center = spot.away(np.zeros(count)) - np.einsum("ni,nij->nj", first * halves, frames)
    data = {"sizes": 2.0 * halves, "centers": center, "frames": frames}
    return data, np.maximum(spot.fan.size, 2.0 * np.linalg.norm(halves, axis=1))


CORNERS = 12
"""Most corners of a hull; a hull with fewer repeats the first."""


def _hulls(rng: Rng, spot: _Placement, flat: bool) -> tuple[dict[str, Array], Array]:
    count = len(spot.off)
    long = _lengths(rng, spot.fan)
    many = rng.choice((1, 2, 3, 4, 5, 6, 8, CORNERS), count)
    points = rng.normal(size=(count, CORNERS, 3))
    ball = rng.random(count) < 0.3
    points[ball] /= np.linalg.norm(points[ball], axis=2, keepdims=True)
    thin = rng.random(count)
    points[thin < 0.15, :, 2] *= 1e-3
    points[thin < 0.1, :, 2] = 0.0
    points[thin < 0.03, :, 1] = 0.0
    points = np.einsum("nki,nij->nkj", long[:, None, None] * points, _frames_of_things(rng, spot, flat))
    lean = np.einsum("nkj,nj->nk", points, spot.outward)
    # Some lie flat on the feature: the lowest three corners get one height.
    order = np.sort(lean, axis=1)
    flat_up_to = np.where(rng.random(count) < 0.3, order[:, 2], -np.inf)
    drop = np.where(lean <= flat_up_to[:, None], lean - order[:, :1], 0.0)
    points = points - drop[:, :, None] * spot.outward[:, None]
    points = np.where((np.arange(CORNERS) < many[:, None])[:, :, None], points, points[:, :1])
    lean = np.einsum("nkj,nj->nk", points, spot.outward)
    first = points[np.arange(count), np.argmin(lean, axis=1)]
    points = points + (spot.away(np.zeros(count)) - first)[:, None]
    return {"corners": points, "many": many.astype(float)}, np.maximum(spot.fan.size, 4.0 * long)


def _other_fans(rng: Rng, spot: _Placement, flat: bool) -> tuple[dict[str, Array], Array]:
    fan, count = spot.fan, len(spot.off)
    outer = np.maximum(_lengths(rng, fan), 1e-6 * fan.size)
    angle, inner, outer, high = _numbers(rng, rng.integers(len(FANS), size=count), outer)
    other = _FanPerCase(angle, inner, outer, high, fan.center, fan.frame)
    place, outward = _feature(rng, other, FEATURES, rng.integers(1, len(FEATURES), size=count))
    # Turned so that its outward direction is opposite to that of the first, and by a random angle about it.
    a, b = _square_to(rng, outward), _square_to(rng, spot.outward)
    from_frame = np.stack((outward, a, np.cross(outward, a)), axis=1)
    to_frame = np.stack((-spot.outward, b, np.cross(-spot.outward, b)), axis=1)
    turn = np.einsum("nki,nkj->nij", from_frame, to_frame)  # rows: new directions of the other fan
    center = spot.away(np.zeros(count)) - np.einsum("ni,nij->nj", place, turn)
    data = {"half_angle": angle, "inner": inner, "outer": outer, "half_thickness": high, "centers": center, "frames": turn}
    return data, np.maximum(fan.size, np.maximum(outer, high))


def _coaxial(rng: Rng, spot: _Placement, data: dict[str, Array], mine: NDArray[np.bool_]) -> None:
    """Put some of the other fans on the same axis: one inside the hole of the other, beside it, or above it."""
    fan, count = spot.fan, len(spot.off)
    shift = spot.off * np.maximum(fan.size, np.maximum(data["outer"], data["half_thickness"]))
    how = rng.integers(4, size=count)
    outer = np.where(how == 0, np.maximum(fan.inner - shift, 0.0), data["outer"])
    inner = np.where(how == 1, np.maximum(fan.outer + shift, 0.0), np.minimum(data["inner"], outer))
    outer = np.maximum(outer, inner)
    gap = np.where(how == 2, fan.angle + data["half_angle"] + spot.off, rng.uniform(-np.pi, np.pi, count))
    height = np.where(how == 3, fan.high + data["half_thickness"] + shift, rng.uniform(-1.0, 1.0, count) * fan.high)
    height[rng.random(count) < 0.3] = 0.0
    aside = np.where(rng.random(count) < 0.3, 1e-7, 0.0)[:, None] * fan.size[:, None] * rng.normal(size=(count, 2))
    c, s, o = np.cos(gap), np.sin(gap), np.zeros(count)
    up = rng.choice((-1.0, 1.0), count)
    turn = np.stack((np.stack((c, s, o), axis=1), np.stack((-up * s, up * c, o), axis=1), np.stack((o, o, up), axis=1)), axis=1)
    data["outer"] = np.where(mine, outer, data["outer"])
    data["inner"] = np.where(mine, inner, data["inner"])
    data["centers"] = np.where(mine[:, None], np.concatenate((aside, height[:, None]), axis=1), data["centers"])
    data["frames"] = np.where(mine[:, None, None], turn, data["frames"])


_TETRA = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))
_OCTA = ((0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 1), (5, 2, 1), (5, 3, 2), (5, 4, 3), (5, 1, 4))
_CUBE = (
    (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
    (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
)  # fmt: skip
MESHES: tuple[tuple[str, int, tuple[tuple[int, int, int], ...], bool], ...] = (
    ("triangle", 3, ((0, 1, 2),), False),
    ("three triangles", 9, ((0, 1, 2), (3, 4, 5), (6, 7, 8)), False),
    ("tetrahedron", 4, _TETRA, True),
    ("octahedron", 6, _OCTA, True),
    ("box", 8, _CUBE, True),
)
"""Name, number of vertices, faces, whether the mesh is closed."""
VERTICES = 9
SHARED = 4
"""Number of consecutive cases that share a mesh, each at its own place."""


def _meshes(rng: Rng, spot: _Placement, flat: bool) -> tuple[dict[str, Array], Array]:
    """A mesh for SHARED consecutive cases of a fan, each at its own place."""
    count = len(spot.off)
    few = count // SHARED
    which = rng.integers(len(MESHES), size=few)
    vertices = rng.normal(size=(few, VERTICES, 3))
    directions = np.array(
        ((0, 0, 1), (1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 0), (0, 0, 0)), float
    )
    box = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)] + [(0, 0, 0)], float)
    # An octahedron does not cross itself if each corner stays on its own half-axis, a box if it is only stretched.
    vertices = np.where((which == 3)[:, None, None], directions * np.abs(vertices), vertices)
    vertices = np.where((which == 4)[:, None, None], box * np.abs(vertices[:, :1]), vertices)
    part = rng.random(few)
    # A tetrahedron's faces point outward if its volume is positive.
    a, b, c, d = (vertices[:, k] for k in range(4))
    mirrored = (which == 2) & (np.einsum("ni,ni->n", np.cross(b - a, c - a), d - a) < 0.0)
    vertices[mirrored] *= -1.0
    flat_ones = (part < 0.1) & (which < 2)
    vertices[flat_ones, :, 2] = 0.0
    size = np.maximum(_lengths(rng, spot.fan)[::SHARED], 1e-6 * spot.fan.size[::SHARED])
    vertices *= size[:, None, None]
    frames = _frames_of_things(rng, spot, flat)
    each = np.repeat(np.arange(few), SHARED)
    counts = np.array([many for _, many, _, _ in MESHES])[which][each]
    own = np.einsum("nki,nij->nkj", vertices[each], frames)
    lean = np.einsum("nkj,nj->nk", own, spot.outward)
    lean = np.where(np.arange(VERTICES) < counts[:, None], lean, np.inf)
    first = own[np.arange(count), np.argmin(lean, axis=1)]
    data = {
        "vertices": vertices[each],
        "which": which[each].astype(float),
        "centers": spot.away(np.zeros(count)) - first,
        "frames": frames,
    }
    return data, np.maximum(spot.fan.size, 4.0 * size[each])


def _around(rng: Rng, spot: _Placement, data: dict[str, Array], mine: NDArray[np.bool_]) -> None:
    """Put some meshes around the middle of a fan, or of its hole."""
    fan = spot.fan
    middle = np.where(rng.random(len(mine)) < 0.5, 0.5 * (fan.inner + fan.outer), 0.0)
    place = np.stack((middle, 0.0 * middle, 0.0 * middle), axis=1)
    data["centers"] = np.where(mine[:, None], place, data["centers"])


Maker = Callable[[Rng, _Placement, bool], tuple[dict[str, Array], Array]]
QUESTIONS: dict[str, tuple[Maker, bool]] = {
    "points": (_points, False),
    "circles": (_balls, True),
    "rectangles": (_boxes, True),
    "capsules_2d": (_rods, True),
    "spheres": (_balls, False),
    "capsules": (_rods, False),
    "boxes": (_boxes, False),
    "convex": (_hulls, False),
    "fans": (_other_fans, False),
    "mesh": (_meshes, False),
}
"""The function that makes the things of a question, and whether the question is in the plane."""


def make(question: str, fans: int, seed: int) -> FanCases:
    """Return EACH cases for each of `fans` fans; the same arguments give the same cases."""
    rng = np.random.default_rng((seed, list(QUESTIONS).index(question)))
    maker, flat = QUESTIONS[question]
    names = FLAT_FEATURES if flat else FEATURES
    kinds = names + ((COAXIAL,) if question == "fans" else (AROUND,) if question == "mesh" else ())
    fan_kinds = (np.arange(fans) + seed) % len(FANS)
    scale = _one_of(rng, fans, 1.0, _log_uniform(rng, fans, -3, 3), rng.uniform(0.5, 2.0, fans))
    angle, inner, outer, high = _numbers(rng, fan_kinds, scale)
    far = _one_of(rng, fans, 0.0, rng.random(fans), 3.0, 1e3)
    frame = _flat_frames(rng, fans) if flat else _frames(rng, fans)
    center = (far * np.maximum(outer, high))[:, None] * rng.uniform(-1.0, 1.0, (fans, 3))
    if flat:
        center[:, 2] = 0.0
    each = np.repeat(np.arange(fans), EACH)
    fan = _FanPerCase(angle[each], inner[each], outer[each], high[each], center[each], frame[each])
    kind = rng.integers(len(kinds), size=len(each))
    special = kind == len(names)
    place, outward = _feature(rng, fan, names, np.where(special, 0, kind))
    off = np.where(rng.random(len(each)) < 0.7, rng.choice(OFFS, len(each)), rng.uniform(-0.3, 0.3, len(each)))
    spot = _Placement(fan, place, outward, off)
    data, sizes = maker(rng, spot, flat)
    if question == "fans":
        _coaxial(rng, spot, data, special)
        sizes = np.maximum(sizes, data["outer"])
    elif question == "mesh":
        _around(rng, spot, data, special)
    data = _to_world(fan, data)
    places = [data[name] for name in ("points", "centers", "p0", "p1") if name in data]
    places += [data["corners"].reshape(len(each), -1)] if "corners" in data else []
    coordinates = np.max([np.abs(place).max(axis=1) for place in (fan.center, *places)], axis=0)
    arguments = {
        "center": center,
        "axis": frame[:, 2],
        "mid": frame[:, 0],
        "half_angle": angle,
        "inner": inner,
        "outer": outer,
        "half_thickness": high,
    }
    return FanCases(question, arguments, fan_kinds, kinds, kind, data, sizes + 0.01 * coordinates)


def _to_world(fan: _FanPerCase, data: dict[str, Array]) -> dict[str, Array]:
    """Return data from the fans' frames in world coordinates."""
    out = dict(data)
    for name in ("points", "centers", "p0", "p1"):
        if name in data:
            out[name] = fan.world(data[name])
    if "corners" in data:
        out["corners"] = fan.center[:, None] + np.einsum("nij,nki->nkj", fan.frame, data["corners"])
    if "frames" in data:
        out["frames"] = np.einsum("nki,nij->nkj", data["frames"], fan.frame)
    return out
