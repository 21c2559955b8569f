"""Faces as nine numbers, read from a scene's geometry. Face i counts in block order from its shape's first."""

from .. import layout as at
from .._jit import inline
from .blocks import BLOCK


@inline
def vertex_of(geometry, s, i, k):
    """Return corner k of face i of shape s, counted among the shape's own vertices."""
    ints = geometry.shape_ints
    first = ints[s, at.LISTED] + geometry.starts[ints[s, at.START] + i // BLOCK]
    return geometry.block_vertices[first + geometry.corners[ints[s, at.FACE] + i, k]]


@inline
def local_face(geometry, s, i):
    """Return face i of shape s in the shape's own frame."""
    v = geometry.vertices
    first = geometry.shape_ints[s, at.VERTEX]
    a = first + vertex_of(geometry, s, i, 0)
    b = first + vertex_of(geometry, s, i, 1)
    c = first + vertex_of(geometry, s, i, 2)
    return v[a, 0], v[a, 1], v[a, 2], v[b, 0], v[b, 1], v[b, 2], v[c, 0], v[c, 1], v[c, 2]


@inline
def rows_of(p0, corners, row):
    """Return the rows of a face's corners among the points of a laid out block that start at p0."""
    return p0 + corners[row, 0], p0 + corners[row, 1], p0 + corners[row, 2]


@inline
def placed_face(points, p0, corners, row):
    """Return a face of a laid out block whose points start at p0. row: the face's row in the scene's corners."""
    a, b, c = rows_of(p0, corners, row)
    return (
        points[a, 0],
        points[a, 1],
        points[a, 2],
        points[b, 0],
        points[b, 1],
        points[b, 2],
        points[c, 0],
        points[c, 1],
        points[c, 2],
    )


@inline
def rank_of(corners, row):
    """Return how many corners of a face differ. Segments are stored as (a, b, b), points as (a, a, a)."""
    if corners[row, 1] != corners[row, 2]:
        return 3
    return 2 if corners[row, 0] != corners[row, 1] else 1
