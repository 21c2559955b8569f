"""Questions of fans: check what is asked, ask the kernels, word the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import checks, threads
from .errors import InvalidGeometry, InvalidPose, InvalidQuery
from .kernels import fan_convex, fan_many, fan_pairs
from .shapes import Fan, Shape

if TYPE_CHECKING:
    Answer = bool | NDArray[np.bool_]

_CHUNK = 16_384  # things a thread takes at a time
_EDGE = 1e-9  # a ray this near to an edge of a triangle is not trusted
_FLAT = 1e-9  # how far an axis may lean from z for questions of the xy plane
# Edges of a box whose corners count in binary, and of a prism with five corners below and five above.
_BOX_EDGES = np.array([(k, k | bit) for k in range(8) for bit in (1, 2, 4) if not k & bit], np.int64)
_PRISM_EDGES = np.array([(k + s, (k + 1) % 5 + s) for s in (0, 5) for k in range(5)] + [(k, k + 5) for k in range(5)], np.int64)


def contains(fan: Fan, points: ArrayLike, method: str) -> Answer:
    """Answer `Fan.contains`."""
    published = _published(method)
    given = checks.array(points, "points", "an array of shape (n, 3) or (n, 2)", InvalidQuery)
    if given.ndim in (1, 2) and given.shape[-1] == 2:
        places, one = _lifted(fan, points, "points")
    elif given.ndim not in (1, 2) or (given.size and given.shape[-1] != 3):
        raise InvalidQuery(f"points: expected shape (3,) or (n, 3), or in the plane (2,) or (n, 2), got {given.shape}")
    else:
        places, one = _rows(given, 3, "points")
    return _asked(fan_many.points, fan, {"points": places}, {}, published, one)


def hits_circles(fan: Fan, centres: ArrayLike, radii: ArrayLike, method: str) -> Answer:
    """Answer `Fan.hits_circles`: balls in the fan's own plane."""
    published = _published(method)
    places, one = _lifted(fan, centres, "centres")
    return _asked(fan_many.spheres, fan, {"centres": places}, {"radii": radii}, published, one)


def hits_spheres(fan: Fan, centres: ArrayLike, radii: ArrayLike, method: str) -> Answer:
    """Answer `Fan.hits_spheres`."""
    published = _published(method)
    places, one = _rows(centres, 3, "centres")
    return _asked(fan_many.spheres, fan, {"centres": places}, {"radii": radii}, published, one)


def hits_capsules_2d(fan: Fan, p0: ArrayLike, p1: ArrayLike, radii: ArrayLike, method: str) -> Answer:
    """Answer `Fan.hits_capsules_2d`: capsules in the fan's own plane."""
    published = _published(method)
    (starts, one), (ends, _) = _lifted(fan, p0, "p0"), _lifted(fan, p1, "p1")
    return _asked(fan_many.capsules, fan, {"p0": starts, "p1": ends}, {"radii": radii}, published, one)


def hits_capsules(fan: Fan, p0: ArrayLike, p1: ArrayLike, radii: ArrayLike, method: str) -> Answer:
    """Answer `Fan.hits_capsules`."""
    published = _published(method)
    (starts, one), (ends, _) = _rows(p0, 3, "p0"), _rows(p1, 3, "p1")
    return _asked(fan_many.capsules, fan, {"p0": starts, "p1": ends}, {"radii": radii}, published, one)


def hits_rectangles(fan: Fan, centres: ArrayLike, sizes: ArrayLike, angles: ArrayLike, method: str) -> Answer:
    """Answer `Fan.hits_rectangles`."""
    published = _published(method)
    _need_flat(fan)
    (places, one), (widths, _) = _rows(centres, 2, "centres"), _rows(sizes, 2, "sizes")
    if len(widths) == 1 != len(places):
        widths = np.repeat(widths, len(places), axis=0)
    turned = _column(angles, len(places), "angles")
    _refuse_unsound(turned, "angles")
    turns = {"cos": np.cos(turned), "sin": np.sin(turned)}
    return _asked(fan_many.rectangles, fan, {"centres": places, "sizes": widths}, turns, published, one)


def hits_boxes(fan: Fan, sizes: ArrayLike, poses: ArrayLike) -> Answer:
    """Answer `Fan.hits_boxes`."""
    widths, one = _rows(sizes, 3, "sizes")
    _refuse_negative(widths, "sizes")
    given = checks.array(poses, "poses", "4x4 matrices or positions", InvalidPose)
    single = given.shape in ((4, 4), (3,))
    if given.size == 0 and (one or len(widths) == 0):
        return np.zeros(0, np.bool_)
    if given.ndim not in (1, 2, 3) or given.size == 0:
        raise InvalidQuery(f"poses: expected shape (4, 4), (n, 4, 4), (3,) or (n, 3), got {given.shape}")
    places = np.stack([checks.pose(each, f"poses[{k}]") for k, each in enumerate([poses] if single else given)])
    if len(places) not in (1, len(widths)) and len(widths) != 1:
        raise InvalidQuery(f"poses: got {len(places)} for {len(widths)} sizes; give one, or as many")
    count = max(len(widths), len(places))
    if len(widths) != count:
        widths = np.repeat(widths, count, axis=0)
    if len(places) != count:
        places = np.repeat(places, count, axis=0)
    out = np.empty(count, np.bool_)
    fan_convex.boxes(fan.numbers, widths, places, _BOX_EDGES, out)
    return bool(out[0]) if one and single else out


def hits_convex(fan: Fan, points: ArrayLike | Sequence[ArrayLike]) -> Answer:
    """Answer `Fan.hits_convex`."""
    if isinstance(points, np.ndarray) and points.ndim == 2:
        return _hull(fan, points, "points")
    try:
        given = list(points)  # type: ignore[arg-type]
    except TypeError:
        raise InvalidQuery(f"points: expected shape (k, 3), or a list of such, got {checks.shown(points)}") from None
    if given and np.ndim(given[0]) == 1:
        return _hull(fan, given, "points")
    return np.array([_hull(fan, each, f"points[{k}]") for k, each in enumerate(given)], np.bool_)


def hits_fans(fan: Fan, others: Fan | Sequence[Fan]) -> Answer:
    """Answer `Fan.hits_fans`."""
    one = isinstance(others, Fan)
    try:
        given = [others] if isinstance(others, Fan) else list(others)
    except TypeError:
        raise InvalidQuery(f"others: expected a Fan, or several, got {checks.shown(others)}") from None
    for k, other in enumerate(given):
        if not isinstance(other, Fan):
            raise InvalidQuery(f"others[{k}]: expected a Fan, got {checks.shown(other)}")
    out = np.empty(len(given), np.bool_)
    fan_pairs.fans(fan.numbers, np.array([other.numbers for other in given]).reshape(-1, 16), _PRISM_EDGES, out)
    return bool(out[0]) if one else out


def hits_mesh(fan: Fan, mesh: Shape, pose: ArrayLike | None) -> bool:
    """Answer `Fan.hits_mesh`."""
    if not isinstance(mesh, Shape) or mesh.radius > 0.0:
        raise InvalidGeometry(
            f"mesh: expected a Mesh or a Box, got {checks.shown(mesh)}; hits_spheres and hits_capsules take round things"
        )
    matrix = checks.pose(pose)
    if mesh.empty:
        return False
    low, high = mesh.bounds
    around = np.eye(4)
    around[:3, 3] = 0.5 * (low + high)
    if not hits_boxes(fan, high - low, matrix @ around):
        return False
    if fan_convex.triangles(fan.numbers, mesh.vertices, mesh.faces, matrix):
        return True
    return _holds(mesh, matrix, fan)


def _holds(mesh: Shape, matrix: NDArray[np.float64], fan: Fan) -> bool:
    """True if a closed mesh has the fan inside; no face of it meets the fan."""
    from .arena import layout_of

    if mesh.solid is False or mesh.empty or not layout_of(mesh).closed:
        return False
    place = np.array(fan.centre) + fan.outer * np.array(fan.mid)
    x, y, z = matrix[:3, :3].T @ (place - matrix[:3, 3])
    if layout_of(mesh).parts[2] == 1:
        return abs(fan_convex.winding(mesh.vertices, mesh.faces, x, y, z)) > 0.5
    return _odd(mesh.vertices[mesh.faces], np.array((x, y, z)))


def _odd(corners: NDArray[np.float64], place: NDArray[np.float64]) -> bool:
    """True if a ray from a place crosses an odd number of triangles (m, 3, 3): what is not wound alike has no winding."""
    a, u, v = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    crossed = np.zeros(len(corners), np.bool_)
    for way in np.random.default_rng(0).normal(size=(16, 3)):
        across = np.cross(way, v)
        turn = np.einsum("ij,ij->i", u, across)
        with np.errstate(divide="ignore", invalid="ignore"):
            s = np.einsum("ij,ij->i", place - a, across) / turn
            upright = np.cross(place - a, u)
            t = upright @ way / turn
            far = np.einsum("ij,ij->i", v, upright) / turn
            crossed = (far > 0.0) & (s > 0.0) & (t > 0.0) & (s + t < 1.0)
            edge = np.minimum(np.minimum(np.abs(s), np.abs(t)), np.abs(1.0 - s - t))
            sure = ~((edge < _EDGE) & (far > 0.0) & (s > -_EDGE) & (t > -_EDGE) & (s + t < 1.0 + _EDGE))
        if sure.all():
            break
    return bool(crossed.sum() % 2)


def _hull(fan: Fan, points: Any, name: str) -> bool:
    corners = checks.points(points, name, InvalidQuery)
    return len(corners) > 0 and fan_convex.hull(fan.numbers, corners)


def _published(method: str) -> bool:
    return checks.choice(method, "method", ("exact", "published")) == "published"


def _need_flat(fan: Fan) -> None:
    if abs(abs(fan.axis[2]) - 1.0) > _FLAT:
        raise InvalidQuery(
            f"this asks in the xy plane, but the fan's axis is {checks.shown(fan.axis)}; it must be along z (see Fan.flat)"
        )


def _rows(value: ArrayLike, width: int, name: str) -> tuple[NDArray[np.float64], bool]:
    """Return value as (n, width) float64, without a copy where it is that already, and whether it was one row alone."""
    given = checks.array(value, name, f"an array of shape (n, {width})", InvalidQuery)
    if given.shape == (width,):
        return np.ascontiguousarray(given, np.float64).reshape(1, width), True
    if given.ndim == 2 and given.shape[1] == width:
        return np.ascontiguousarray(given, np.float64), False
    if given.size == 0 and given.ndim <= 2:
        return np.zeros((0, width)), False
    raise InvalidQuery(f"{name}: expected shape ({width},) or (n, {width}), got {given.shape}")


def _lifted(fan: Fan, value: ArrayLike, name: str) -> tuple[NDArray[np.float64], bool]:
    """Return places of the xy plane, moved to the plane of the fan, shape (n, 3), and whether it was one alone."""
    _need_flat(fan)
    flat, one = _rows(value, 2, name)
    places = np.empty((len(flat), 3))
    places[:, :2] = flat
    places[:, 2] = fan.centre[2]
    return places, one


def _column(value: ArrayLike, count: int, name: str) -> NDArray[np.float64]:
    """Return one number for each of count things, shape (count,)."""
    given = checks.array(value, name, "one number, or an array of shape (n,)", InvalidQuery)
    if given.shape == ():
        return np.full(count, float(given))
    if given.shape != (count,):
        raise InvalidQuery(f"{name}: expected one number, or {count}, got shape {given.shape}")
    return np.ascontiguousarray(given, np.float64)


def _asked(
    kernel: Callable[..., bool],
    fan: Fan,
    rows: dict[str, NDArray[np.float64]],
    columns: Mapping[str, ArrayLike],
    published: bool,
    one: bool,
) -> Answer:
    """Ask a kernel of all rows, by several threads if they are many; say what is wrong with the first that is not sound."""
    counts = {name: len(value) for name, value in rows.items()}
    count = next(iter(counts.values()))
    for name, other in counts.items():
        if other != count:
            first = next(iter(counts))
            raise InvalidQuery(f"{name}: got {other} for {count} {first}; give one for each")
    if one and len(rows) == 1:
        # One place with several radii is as many things.
        longest = max((np.size(value) for value in columns.values() if np.ndim(value) == 1), default=1)
        one, count = longest == 1 and all(np.ndim(value) == 0 for value in columns.values()), longest
        rows = {name: np.repeat(value, longest, axis=0) for name, value in rows.items()} if longest > 1 else rows
    values = {name: _column(value, count, name) for name, value in columns.items()}
    out = np.empty(count, np.bool_)
    arrays = (*rows.values(), *values.values())

    def work(shares: Iterator[int]) -> bool:
        sound = True
        for share in shares:
            last = min((share + 1) * _CHUNK, count)
            sound &= kernel(fan.numbers, *arrays, published, share * _CHUNK, last, checks.LARGEST, out)
        return sound

    shares = -(-count // _CHUNK)
    if not all(threads.spread(work, shares, min(threads.WORKERS, shares))):
        _refuse(rows, values)
    return bool(out[0]) if one else out


def _refuse(rows: dict[str, NDArray[np.float64]], columns: dict[str, NDArray[np.float64]]) -> None:
    """Raise for the first number that is not sound."""
    for name, value in {**rows, **columns}.items():
        _refuse_unsound(value, name)
        if name in ("radii", "sizes"):
            _refuse_negative(value, name)
    raise InvalidQuery(f"{', '.join({**rows, **columns})}: too far from the fan; coordinates add up to over {checks.LARGEST:g}")


def _refuse_unsound(value: NDArray[np.float64], name: str) -> None:
    bad = np.argwhere(~(np.abs(value) <= checks.LARGEST))
    if len(bad):
        where = ", ".join(map(str, bad[0]))
        raise InvalidQuery(
            f"{name}[{where}] is {value[tuple(bad[0])]}; it must be finite and at most {checks.LARGEST:g} in size"
        )


def _refuse_negative(value: NDArray[Any], name: str) -> None:
    bad = np.argwhere(~((value >= 0.0) & (value <= checks.LARGEST)))
    if len(bad):
        where = ", ".join(map(str, bad[0]))
        raise InvalidQuery(f"{name}[{where}] is {value[tuple(bad[0])]}; it must be finite and not negative")
