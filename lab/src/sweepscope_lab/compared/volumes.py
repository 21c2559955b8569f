"""Bounding volumes against bounding volumes: circles, spheres, capsules, AABBs and OBBs, in 2D and 3D.

Input: arrays. Output: booleans, shape (n,): volume i of the first side against volume i of the second, or one volume of the
first side (arrays of length 1) against all of the second. Touching is a hit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sweepscope import checks
from sweepscope.errors import InvalidQuery

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


def circles_meet(centers: ArrayLike, radii: ArrayLike, others: ArrayLike, other_radii: ArrayLike) -> Bools:
    """Return which circles meet: centers (n, 2), radii (n,) [length] of both."""
    from ..kernels import compared_volumes as kernels

    first = _rows((centers, "centers", (2,)), (radii, "radii", ()))
    second = _rows((others, "others", (2,)), (other_radii, "other_radii", ()))
    _check_sizes((first[1], "radii"), (second[1], "other_radii"))
    return _run(kernels.pairs_circles, kernels.one_circles, first, second)


def spheres_meet(centers: ArrayLike, radii: ArrayLike, others: ArrayLike, other_radii: ArrayLike) -> Bools:
    """Return which spheres meet: centers (n, 3), radii (n,) [length] of both."""
    from ..kernels import compared_volumes as kernels

    first = _rows((centers, "centers", (3,)), (radii, "radii", ()))
    second = _rows((others, "others", (3,)), (other_radii, "other_radii", ()))
    _check_sizes((first[1], "radii"), (second[1], "other_radii"))
    return _run(kernels.pairs_spheres, kernels.one_spheres, first, second)


def capsules_meet(
    p0: ArrayLike, p1: ArrayLike, radii: ArrayLike, q0: ArrayLike, q1: ArrayLike, other_radii: ArrayLike
) -> Bools:
    """Return which capsules meet: ends (n, 3), or (n, 2) in the plane, and radii (n,) [length] of both."""
    from ..kernels import compared_wide

    flat = _is_flat(p0, "p0")
    shape = (2,) if flat else (3,)
    first = _rows((p0, "p0", shape), (p1, "p1", shape), (radii, "radii", ()))
    second = _rows((q0, "q0", shape), (q1, "q1", shape), (other_radii, "other_radii", ()))
    _check_sizes((first[2], "radii"), (second[2], "other_radii"))
    if flat:
        return _run(compared_wide.pairs_capsules_2d, compared_wide.one_capsules_2d, first, second)
    return _run(compared_wide.pairs_capsules, compared_wide.one_capsules, first, second)


def aabbs_meet(low: ArrayLike, high: ArrayLike, other_low: ArrayLike, other_high: ArrayLike) -> Bools:
    """Return which axis-aligned boxes meet: lowest and highest corners (n, 3), or (n, 2) in the plane [length]."""
    from ..kernels import compared_volumes as kernels

    flat = _is_flat(low, "low")
    shape = (2,) if flat else (3,)
    first = _rows((low, "low", shape), (high, "high", shape))
    second = _rows((other_low, "other_low", shape), (other_high, "other_high", shape))
    _check_sizes((first[1] - first[0], "high - low"), (second[1] - second[0], "other_high - other_low"))
    if flat:
        return _run(kernels.pairs_aabbs_2d, kernels.one_aabbs_2d, first, second)
    return _run(kernels.pairs_aabbs, kernels.one_aabbs, first, second)


def rectangles_meet(
    centers: ArrayLike,
    sizes: ArrayLike,
    angles: ArrayLike,
    others: ArrayLike,
    other_sizes: ArrayLike,
    other_angles: ArrayLike,
) -> Bools:
    """Return which rectangles (OBBs in the plane) meet: centers (n, 2), full widths (n, 2) [length], angles (n,) [radians]."""
    from ..kernels import compared_wide

    first = _rows((centers, "centers", (2,)), (sizes, "sizes", (2,)), (angles, "angles", ()))
    second = _rows((others, "others", (2,)), (other_sizes, "other_sizes", (2,)), (other_angles, "other_angles", ()))
    _check_sizes((first[1], "sizes"), (second[1], "other_sizes"))
    for side in (first, second):
        side[2] = np.column_stack((np.cos(side[2]), np.sin(side[2])))
    return _run(compared_wide.pairs_obbs_2d, compared_wide.one_obbs_2d, first, second)


def obbs_meet(sizes: ArrayLike, poses: ArrayLike, other_sizes: ArrayLike, other_poses: ArrayLike) -> Bools:
    """Return which boxes (OBBs) meet: full widths (n, 3) [length], rigid poses (n, 4, 4) of both."""
    from ..kernels import compared_volumes as kernels

    first = _rows((sizes, "sizes", (3,)), (poses, "poses", (4, 4)))
    second = _rows((other_sizes, "other_sizes", (3,)), (other_poses, "other_poses", (4, 4)))
    _check_sizes((first[0], "sizes"), (second[0], "other_sizes"))
    for side, name in ((first, "poses"), (second, "other_poses")):
        _make_rigid(side[1], name)
    return _run(kernels.pairs_obbs, kernels.one_obbs, first, second)


def _is_flat(value: ArrayLike, name: str) -> bool:
    """Return whether an array has points in the plane."""
    given = checks.array(value, name, "an array of shape (n, 3) or (n, 2)", InvalidQuery)
    if given.ndim != 2 or given.shape[1] not in (2, 3):
        raise InvalidQuery(f"{name}: expected shape (n, 3) or (n, 2), got {given.shape}")
    return given.shape[1] == 2


def _rows(*columns: tuple[ArrayLike, str, tuple[int, ...]]) -> list[Floats]:
    """Return arrays with equal numbers of rows, finite; each column gives the shape of one row."""
    arrays: list[Floats] = []
    for value, name, shape in columns:
        expected = f"shape ({', '.join(('n', *map(str, shape)))}{'' if shape else ','})"
        given = checks.array(value, name, f"an array of {expected}", InvalidQuery)
        if given.shape[1:] != shape or given.ndim == 0:
            raise InvalidQuery(f"{name}: expected {expected}, got {given.shape}")
        if arrays and len(given) != len(arrays[0]):
            raise InvalidQuery(f"{name}: expected {len(arrays[0])} rows, as many as {columns[0][1]} has, got {len(given)}")
        rows = np.array(given, np.float64, order="C")
        bad = ~(np.abs(rows) <= checks.LARGEST)
        if bad.any():
            at = tuple(map(int, np.argwhere(bad)[0]))
            place = ", ".join(map(str, at))
            raise InvalidQuery(f"{name}[{place}] is {rows[at]}; it must be finite and at most {checks.LARGEST:g} in size")
        arrays.append(rows)
    return arrays


def _check_sizes(*given: tuple[Floats, str]) -> None:
    """Raise if a radius or a width is negative."""
    for sizes, name in given:
        bad = sizes < 0.0
        if bad.any():
            at = tuple(map(int, np.argwhere(bad)[0]))
            raise InvalidQuery(f"{name}[{', '.join(map(str, at))}] is {sizes[at]}; it must not be negative")


def _make_rigid(poses: Floats, name: str) -> None:
    """Replace rounded poses by rigid ones; raise for the first that is not a pose."""
    turns = poses[:, :3, :3]
    off = np.abs(turns @ turns.transpose(0, 2, 1) - np.eye(3)).max(axis=(1, 2), initial=0.0)
    bad = (off > 1e-9) | (np.linalg.det(turns) < 0.0) | (np.abs(poses[:, 3] - (0.0, 0.0, 0.0, 1.0)).max(axis=1) > 1e-9)
    for k in np.flatnonzero(bad):
        poses[k] = checks.pose(poses[k], f"{name}[{k}]")


def _run(pairs: Any, one: Any, first: list[Floats], second: list[Floats]) -> Bools:
    """Run the kernel for pairs, or the kernel for one against many."""
    count = len(second[0])
    out = np.zeros(count, np.bool_)
    if len(first[0]) == count:
        pairs(*first, *second, out)
    elif len(first[0]) == 1:
        one(*first, *second, out)
    else:
        raise InvalidQuery(f"expected as many volumes on both sides, or one first; got {len(first[0])} and {count}")
    return out
