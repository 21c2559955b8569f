"""Smaller bodies: a closed mesh whose faces all lie a little further in.

Scaling about a middle is not enough: where a mesh is not star-shaped, scaling moves some faces outwards. Here each vertex moves
in a direction that leads behind the planes of all its faces, so that each face ends behind its own plane, and near each edge
and vertex the new surface is inside the old one, whether that is convex there or not, if the shift is small beside the
features. Where no such direction exists (a saddle that is too steep), the vertex stays: the body is then not smaller there,
but nowhere larger.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from sweepscope import Mesh

Array = NDArray[np.float64]

_ROUNDS = 300
_LEAST = 0.05  # of the length of a shift: how far behind each plane it must lead


def inward(mesh: Mesh) -> Array | None:
    """Return a direction for each vertex, shape (n, 3), at most 1 long, that leads into the body; 0 where there is none.

    None if the mesh is not closed with all its faces turned one way, so that nothing says where in is.
    """
    places, label = np.unique(mesh.vertices, axis=0, return_inverse=True)
    faces = label.reshape(-1)[mesh.faces]
    faces = faces[(faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])]
    edges = Counter(map(tuple, np.concatenate((faces[:, :2], faces[:, 1:], faces[:, ::-2])).tolist()))
    if not edges or any(count != 1 or edges[b, a] != 1 for (a, b), count in list(edges.items())):
        return None
    a, b, c = (places[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    part = _parts(faces, len(places))[faces[:, 0]]
    volumes = np.bincount(part, np.einsum("ij,ij->i", a, np.cross(b, c)), len(places))
    normals *= np.sign(volumes[part])[:, None]
    area = np.linalg.norm(normals, axis=1)
    flat = area <= 1e-12 * float(np.ptp(places, axis=0).max()) ** 2
    unit = normals[~flat] / area[~flat][:, None]
    return _behind(unit, faces[~flat], len(places))[label.reshape(-1)]


def _parts(faces: NDArray[np.integer], count: int) -> NDArray[np.integer]:
    """Return a number for each vertex, equal where faces connect them."""
    part = np.arange(count)
    while True:
        least = part[faces].min(axis=1)
        after = part.copy()
        for k in range(3):
            np.minimum.at(after, faces[:, k], least)
        after = after[after]
        if np.array_equal(after, part):
            return part
        part = after


def _behind(normals: Array, faces: NDArray[np.integer], count: int) -> Array:
    """Return for each vertex a direction behind the planes of its faces, found by turning away from the worst of them."""
    vertex, normal = faces.ravel(), np.repeat(normals, 3, axis=0)
    order = np.argsort(vertex, kind="stable")
    vertex, normal = vertex[order], normal[order]
    used, begins = np.unique(vertex, return_index=True)
    ahead = -np.add.reduceat(normal, begins) if len(used) else np.zeros((0, 3))
    row = np.repeat(np.arange(len(used)), np.diff(np.append(begins, len(vertex))))
    good = np.zeros(len(used), bool)
    for _ in range(_ROUNDS):
        front = np.einsum("ij,ij->i", normal, ahead[row])
        worst = np.maximum.reduceat(front, begins) if len(used) else np.zeros(0)
        good = worst < -_LEAST * np.linalg.norm(ahead, axis=1)
        if good.all():
            break
        # The first of the worst faces of each vertex that is not yet good.
        corner = np.flatnonzero((front == worst[row]) & ~good[row])
        some, first = np.unique(row[corner], return_index=True)
        ahead[some] -= normal[corner[first]]
    shift = np.zeros((count, 3))
    shift[used[good]] = ahead[good] / np.linalg.norm(ahead[good], axis=1)[:, None]
    return shift
