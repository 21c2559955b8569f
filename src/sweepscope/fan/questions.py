"""Tests of fans against other shapes: check the arguments, call the kernels, return the results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks, threads
from ..errors import InvalidPose, InvalidQuery, InvalidType
from ..foreign import as_numpy
from ..kernels.fan import convex, many, pairs
from ..shapes import Shape
from ..shapes.topology import topology_of

if TYPE_CHECKING:
    Answer = bool | NDArray[np.bool_]

_Fan = NDArray[np.float64]  # as kernels take it: see `fan.numbers_of`

_CHUNK = 16_384  # objects that a thread takes at a time
_EDGE = 1e-9  # a ray this near to an edge of a triangle is not used
_FLAT = 1e-9  # largest deviation of the axis from z for tests in the xy plane
# Edges of a box with its corners numbered in binary, and of a prism with five corners below and five above.
_BOX_EDGES = np.array([(k, k | bit) for k in range(8) for bit in (1, 2, 4) if not k & bit], np.int64)
_PRISM_EDGES = np.array([(k + s, (k + 1) % 5 + s) for s in (0, 5) for k in range(5)] + [(k, k + 5) for k in range(5)], np.int64)


def contains(fan: _Fan, points: ArrayLike) -> Answer:
    """Answer `Fan.contains`."""
    given = checks.array(points, "points", "an array of shape (n, 3) or (n, 2)", InvalidQuery)
    if given.ndim in (1, 2) and given.shape[-1] == 2:
        places, one = _lifted(fan, points, "points")
    elif given.ndim not in (1, 2) or (given.size and given.shape[-1] != 3):
        raise InvalidQuery(f"points: expected shape (3,) or (n, 3), or (2,) or (n, 2) in the xy plane, got {given.shape}")
    else:
        places, one = checks.rows(given, 3, "points")
    return _run(many.points, fan, {"points": places}, {}, one)


def hits_circles(fan: _Fan, centers: ArrayLike, radii: ArrayLike) -> Answer:
    """Answer `Fan.hits_circles`: spheres in the fan's own plane."""
    places, one = _lifted(fan, centers, "centers")
    return _run(many.spheres, fan, {"centers": places}, {"radii": radii}, one)


def hits_spheres(fan: _Fan, centers: ArrayLike, radii: ArrayLike) -> Answer:
    """Answer `Fan.hits_spheres`."""
    places, one = checks.rows(centers, 3, "centers")
    return _run(many.spheres, fan, {"centers": places}, {"radii": radii}, one)


def hits_capsules_2d(fan: _Fan, p0: ArrayLike, p1: ArrayLike, radii: ArrayLike) -> Answer:
    """Answer `Fan.hits_capsules_2d`: capsules in the fan's own plane."""
    (starts, one), (ends, _) = _lifted(fan, p0, "p0"), _lifted(fan, p1, "p1")
    return _run(many.capsules, fan, {"p0": starts, "p1": ends}, {"radii": radii}, one)


def hits_capsules(fan: _Fan, p0: ArrayLike, p1: ArrayLike, radii: ArrayLike) -> Answer:
    """Answer `Fan.hits_capsules`."""
    (starts, one), (ends, _) = checks.rows(p0, 3, "p0"), checks.rows(p1, 3, "p1")
    return _run(many.capsules, fan, {"p0": starts, "p1": ends}, {"radii": radii}, one)


def hits_rectangles(fan: _Fan, centers: ArrayLike, sizes: ArrayLike, angles: ArrayLike) -> Answer:
    """Answer `Fan.hits_rectangles`."""
    _need_flat(fan)
    (places, one), (widths, _) = checks.rows(centers, 2, "centers"), checks.rows(sizes, 2, "sizes")
    if len(widths) == 1 != len(places):
        widths = np.repeat(widths, len(places), axis=0)
    turned = checks.column(angles, len(places), "angles")
    checks.refuse_not_finite(turned, "angles")
    if one:
        turned = turned[0]
    turns = {"cos": np.cos(turned), "sin": np.sin(turned)}
    return _run(many.rectangles, fan, {"centers": places, "sizes": widths}, turns, one)


def hits_boxes(fan: _Fan, sizes: ArrayLike, poses: ArrayLike) -> Answer:
    """Answer `Fan.hits_boxes`."""
    widths, one = checks.rows(sizes, 3, "sizes")
    _refuse_negative(widths, "sizes")
    given = checks.array(poses, "poses", "4x4 matrices, or positions of three numbers", InvalidPose)
    single = given.shape in ((4, 4), (3,))
    if given.size == 0 and (one or len(widths) == 0):
        return np.zeros(0, np.bool_)
    if given.ndim not in (1, 2, 3) or given.size == 0:
        raise InvalidQuery(f"poses: expected shape (4, 4), (n, 4, 4), (3,) or (n, 3), got {given.shape}")
    places = np.stack([checks.pose(each, f"poses[{k}]") for k, each in enumerate([poses] if single else given)])
    if len(places) not in (1, len(widths)) and len(widths) != 1:
        raise InvalidQuery(f"poses: got {len(places)} for {len(widths)} sizes; accepted: 1 or {len(widths)}")
    count = max(len(widths), len(places))
    if len(widths) != count:
        widths = np.repeat(widths, count, axis=0)
    if len(places) != count:
        places = np.repeat(places, count, axis=0)
    out = np.empty(count, np.bool_)
    convex.boxes(fan, widths, places, _BOX_EDGES, out)
    return bool(out[0]) if one and single else out


def hits_convex(fan: _Fan, points: ArrayLike | Sequence[ArrayLike]) -> Answer:
    """Answer `Fan.hits_convex`."""
    points = as_numpy(points, "points", InvalidQuery)
    if isinstance(points, np.ndarray) and points.ndim == 2:
        return _hull(fan, points, "points")
    given = checks.items(points, "points", "shape (k, 3), or a list of such arrays")
    if given and np.ndim(given[0]) == 1:
        return _hull(fan, given, "points")
    return np.array([_hull(fan, each, f"points[{k}]") for k, each in enumerate(given)], np.bool_)


def hits_fans(fan: _Fan, others: list[_Fan]) -> NDArray[np.bool_]:
    """Answer `Fan.hits_fans` for several fans."""
    out = np.empty(len(others), np.bool_)
    pairs.fans(fan, np.array(others).reshape(-1, 16), _PRISM_EDGES, out)
    return out


def hits_mesh(fan: _Fan, mesh: Shape, pose: ArrayLike | None) -> bool:
    """Answer `Fan.hits_mesh`."""
    if not isinstance(mesh, Shape) or mesh.radius > 0.0:
        raise InvalidType(
            f"mesh: expected a Mesh or a Box, got {checks.shown(mesh)}; use hits_spheres and hits_capsules for round shapes"
        )
    matrix = checks.pose(pose)
    if mesh.empty:
        return False
    low, high = mesh.bounds
    around = np.eye(4)
    around[:3, 3] = 0.5 * (low + high)
    if not hits_boxes(fan, high - low, matrix @ around):
        return False
    if convex.triangles(fan, mesh.vertices, mesh.faces, matrix):
        return True
    return _encloses(mesh, matrix, fan)


def _encloses(mesh: Shape, matrix: NDArray[np.float64], fan: _Fan) -> bool:
    """True if the fan is inside a closed mesh none of whose faces meets the fan."""
    if mesh.solid is False or mesh.empty or not topology_of(mesh).closed:
        return False
    center, mid, outer = fan[:3], fan[3:6], fan[14]
    place = center + outer * mid
    x, y, z = matrix[:3, :3].T @ (place - matrix[:3, 3])
    if topology_of(mesh).oriented:
        return abs(convex.winding(mesh.vertices, mesh.faces, x, y, z)) > 0.5
    return _odd(mesh.vertices[mesh.faces], np.array((x, y, z)))


def _odd(corners: NDArray[np.float64], place: NDArray[np.float64]) -> bool:
    """True if a ray from a place crosses an odd number of triangles (m, 3, 3); for meshes without consistent orientation."""
    a, u, v = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    crossed = np.zeros(len(corners), np.bool_)
    for direction in np.random.default_rng(0).normal(size=(16, 3)):
        across = np.cross(direction, v)
        turn = np.einsum("ij,ij->i", u, across)
        with np.errstate(divide="ignore", invalid="ignore"):
            s = np.einsum("ij,ij->i", place - a, across) / turn
            upright = np.cross(place - a, u)
            t = upright @ direction / turn
            far = np.einsum("ij,ij->i", v, upright) / turn
            crossed = (far > 0.0) & (s > 0.0) & (t > 0.0) & (s + t < 1.0)
            edge = np.minimum(np.minimum(np.abs(s), np.abs(t)), np.abs(1.0 - s - t))
            sure = ~((edge < _EDGE) & (far > 0.0) & (s > -_EDGE) & (t > -_EDGE) & (s + t < 1.0 + _EDGE))
        if sure.all():
            break
    return bool(crossed.sum() % 2)


def _hull(fan: _Fan, points: Any, name: str) -> bool:
    corners = checks.points(points, name, InvalidQuery)
    return len(corners) > 0 and convex.hull(fan, corners)


def _need_flat(fan: _Fan) -> None:
    if abs(abs(fan[11]) - 1.0) > _FLAT:
        axis = checks.shown(tuple(fan[9:12].tolist()))
        raise InvalidQuery(f"the fan's axis is {axis}; tests in the xy plane need an axis along z (see Fan.flat)")


def _lifted(fan: _Fan, value: ArrayLike, name: str) -> tuple[NDArray[np.float64], bool]:
    """Return points of the xy plane, moved to the plane of the fan, shape (n, 3), and whether it was a single point."""
    _need_flat(fan)
    flat, one = checks.rows(value, 2, name)
    places = np.empty((len(flat), 3))
    places[:, :2] = flat
    places[:, 2] = fan[2]
    return places, one


def _run(
    kernel: Callable[..., bool],
    fan: _Fan,
    rows: dict[str, NDArray[np.float64]],
    columns: Mapping[str, ArrayLike],
    one: bool,
) -> Answer:
    """Call a kernel for all rows, on several threads if there are many; raise for the first number that is not accepted."""
    rows, values, one = checks.matched(rows, columns, one)
    count = len(next(iter(rows.values())))
    out = np.empty(count, np.bool_)
    arrays = (*rows.values(), *values.values())

    def work(shares: Iterator[int]) -> bool:
        accepted = True
        for share in shares:
            last = min((share + 1) * _CHUNK, count)
            accepted &= kernel(fan, *arrays, share * _CHUNK, last, checks.LARGEST, out)
        return accepted

    shares = -(-count // _CHUNK)
    if not all(threads.spread(work, shares, min(threads.WORKERS, shares))):
        _refuse(rows, values)
    return bool(out[0]) if one else out


def _refuse(rows: dict[str, NDArray[np.float64]], columns: dict[str, NDArray[np.float64]]) -> None:
    """Raise for the first number that is not accepted."""
    for name, value in {**rows, **columns}.items():
        checks.refuse_not_finite(value, name)
        if name in ("radii", "sizes"):
            _refuse_negative(value, name)
    names = ", ".join({**rows, **columns})
    raise InvalidQuery(f"{names}: too far from the fan; sums of coordinates must be at most {checks.LARGEST:g}")


def _refuse_negative(value: NDArray[Any], name: str) -> None:
    bad = np.argwhere(~((value >= 0.0) & (value <= checks.LARGEST)))
    if len(bad):
        where = ", ".join(map(str, bad[0]))
        raise InvalidQuery(f"{name}[{where}] is {value[tuple(bad[0])]}; it must be finite and not negative")
