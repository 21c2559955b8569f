"""Which edges leave a mesh open: for errors of questions that need an inside."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..checks import amount
from ..shapes import Shape
from ..shapes.topology import topology_of

_SHOWN = 4  # edges that a message lists


def why_open(shape: Shape) -> str:
    """Return why a shape is not closed, with its first open edges; "" if it is."""
    if topology_of(shape).closed:
        return ""
    edges = open_edges(shape)
    if not len(edges):
        return "it has no triangles"
    listed = ", ".join(f"({a}, {b})" for a, b in edges[:_SHOWN].tolist()) + (", ..." if len(edges) > _SHOWN else "")
    verb = "does" if len(edges) == 1 else "do"
    return f"it is open: {amount(len(edges), 'edge')} {verb} not join an even number of faces, between vertices {listed}"


def open_edges(shape: Shape) -> NDArray[np.int64]:
    """Return the edges that an odd number of triangles have, as pairs of vertices, shape (n, 2), in the order of the faces.

    Vertices in the same place count as one; those are given that a face has.
    """
    labels = np.unique(shape.vertices + 0.0, axis=0, return_inverse=True)[1].reshape(-1)  # + 0.0: -0.0 is 0.0
    own = shape.faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    welded = labels[shape.faces]
    flat = (welded == np.roll(welded, 1, axis=1)).any(axis=1)  # it has no edges
    ends = np.sort(labels[own], axis=1)[~np.repeat(flat, 3)]
    _, first, count = np.unique(ends, axis=0, return_index=True, return_counts=True)
    return own[~np.repeat(flat, 3)][np.sort(first[count % 2 == 1])].astype(np.int64)
