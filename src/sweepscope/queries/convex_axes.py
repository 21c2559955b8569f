"""Depth of two convex bodies: the length of the shortest translation that ends their overlap.

Two convex polytopes overlap on every axis. The least overlap of their shadows is the depth, and it lies on an axis that is
normal to a face of one of them, or to an edge of each (facets of the Minkowski difference). An edge of each counts only if the
arcs between the normals beside them cross on the unit sphere, which large meshes use to leave most pairs of edges out. Balls,
capsules and a margin add a radius; if only the radius overlaps, axes from corner to corner and from corner to edge count too.

Error: about 1e-15 of the coordinates. A shadow on any axis overlaps at least by the depth, so extra axes change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..checks import amount
from ..shapes.topology import topology_of
from .closed import why_open

if TYPE_CHECKING:
    from ..world.body import Entry
    from ..world.store import Store

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

_MOST_PLANES = 4000  # of faces of a mesh that is tested for being convex
_FEW_FACES = 16  # of a large mesh that are tested before all others: most meshes that are not convex end there
_MOST_PAIRS = 4_000_000  # pairs of edges, or of corners, that are looked at
_FEW_PAIRS = 4096  # pairs of edges that are all taken as axes
_BULGE = 1e-9  # a share of the size: what stands out of a face by less lies in it, as the default tolerance is
_FLAT = 1e-12  # a share of the size, or a sine: what is less is rounding
_ONE_PLANE = 1e-11  # faces whose normals, and heights as a share of the size, differ by less lie in one plane
_ROWS = 1 << 20  # numbers in a piece of work, to bound the memory


@dataclass(frozen=True, slots=True)
class Convex:
    """A convex body in the world, relative to some origin: the hull of its vertices, thickened by a radius."""

    vertices: Floats
    """Shape (n, 3) [length]."""
    normals: Floats
    """Unit, outward, of its faces, shape (f, 3)."""
    edges: Whole
    """Ends of its edges, shape (e, 2)."""
    beside: Whole
    """The two faces beside each edge, as indices of normals, shape (e, 2); none for a segment."""
    radius: float


def convex_of(store: Store, entry: Entry, origin: Floats) -> Convex | None:
    """Return a body as a convex one, relative to an origin, world; None if it is not known to be convex."""
    found = find_convex(store, entry, origin)
    return found if isinstance(found, Convex) else None


def find_convex(store: Store, entry: Entry, origin: Floats) -> Convex | str:
    """Return a body as a convex one, relative to an origin, world; a text that tells why it is not known to be convex."""
    shape = entry.shape
    if entry.volume is not None:
        return "it is a volume"
    if shape.solid is False:
        return "it is a surface without an inside (solid=False)"
    if shape.empty:
        return "it is empty"
    local = store.arena.vertices(entry.shape_row) if entry.deformed else shape.vertices
    found = _core(local, shape.faces, shape.radius)
    if found is None:
        if shape.radius > 0.0:
            return f"it has {amount(len(shape.faces), 'face')} with a radius; one point or one segment is convex"
        if not topology_of(shape).oriented:
            return why_open(shape) or "its faces are not oriented alike"
        found = _solid(local, shape.faces)
    if isinstance(found, str):
        return found
    turn = entry.pose[:3, :3].T
    places = found.vertices @ turn + (entry.pose[:3, 3] - origin)
    return Convex(places, found.normals @ turn, found.edges, found.beside, found.radius)


def _core(places: Floats, faces: NDArray[np.int32], radius: float) -> Convex | None:
    """Return a point or a segment with a radius; None if the shape is something else."""
    if len(faces) > 1:
        return None
    ends = np.unique(faces)
    if len(ends) > 2:
        return None
    edges = np.array([(0, 1)][: len(ends) - 1], np.int64).reshape(-1, 2)
    return Convex(places[ends], np.zeros((0, 3)), edges, np.zeros((0, 2), np.int64), radius)


def _solid(places: Floats, faces: NDArray[np.int32]) -> Convex | str:
    """Return the solid within a closed mesh with oriented faces; why not, if it is not convex or has no volume.

    Faces in one plane count as one, so the division of a mesh does not matter.
    """
    mark = np.zeros(len(places), np.bool_)
    mark[faces] = True
    used = np.flatnonzero(mark)
    corners = places[used]
    middle = corners.mean(axis=0)
    corners -= middle
    size = float(np.abs(corners).max())
    if len(faces) > _MOST_PLANES and (wrong := _on_both_sides(places - middle, used, faces, _BULGE * size)):
        return wrong
    a, b, c = (places[faces[:, k]] - middle for k in range(3))
    crossed = np.cross(b - a, c - a)
    twice = np.linalg.norm(crossed, axis=1)
    volume = float((a * crossed).sum()) / 6.0
    if abs(volume) <= _FLAT * size**3:
        return "it has no volume"
    if twice.min() <= _FLAT * size * size:
        return f"face {int(twice.argmin())} has no area"
    normals = np.copysign(1.0, volume) * crossed / twice[:, None]
    heights = (normals * a).sum(axis=1)

    def bulging(some: Whole) -> str:
        """Return which vertex is above one of some faces; "" if there is none."""
        above = corners @ normals[some].T - heights[some]
        if above.max() <= _BULGE * size:
            return ""
        vertex, face = np.unravel_index(int(above.argmax()), above.shape)
        return f"vertex {used[vertex]} is {above.max():.3g} above the plane of face {some[face]}"

    largest = np.argsort(-twice, kind="stable")
    # The largest face of a plane has the most exact normal, so it comes first.
    keys = np.round(np.column_stack((normals, heights / size))[largest] / _ONE_PLANE)
    _, kept, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    planes, plane_of = largest[kept], np.empty(len(faces), np.int64)
    plane_of[largest] = which.reshape(-1)
    if len(planes) > _MOST_PLANES:
        return f"its faces lie in {len(planes)} planes; up to {_MOST_PLANES} are tested"
    step = max(_ROWS // len(corners), 1)
    for begin in range(0, len(planes), step):
        wrong = bulging(planes[begin : begin + step])
        if wrong:
            return wrong
    # Files such as STL repeat vertices.
    _, first, labels = np.unique(corners, axis=0, return_index=True, return_inverse=True)
    numbers = np.zeros(len(places), np.int64)
    numbers[used] = labels.reshape(-1)
    sides = np.sort(numbers[faces][:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    edges, owner, count = np.unique(sides, axis=0, return_inverse=True, return_counts=True)
    if not (count == 2).all():
        return "an edge joins more than two faces"
    beside = np.argsort(owner.reshape(-1), kind="stable").reshape(-1, 2) // 3
    bent = np.linalg.norm(np.cross(normals[beside[:, 0]], normals[beside[:, 1]]), axis=1) > _FLAT
    beside = plane_of[beside]
    bent &= beside[:, 0] != beside[:, 1]
    ends, numbers = np.unique(edges[bent], return_inverse=True)
    return Convex(places[used[first[ends]]], normals[planes], numbers.reshape(-1, 2), beside[bent], 0.0)


def _on_both_sides(places: Floats, used: Whole, faces: NDArray[np.int32], least: float) -> str:
    """Return which vertices are on both sides of one of a few faces, by more than `least`; "" if there are none."""
    for face in range(0, len(faces), -(-len(faces) // _FEW_FACES)):
        a, b, c = places[faces[face]]
        normal = np.cross(b - a, c - a)
        twice = float(np.linalg.norm(normal))
        if twice == 0.0:
            continue
        heights = (places[used] - a) @ (normal / twice)
        if heights.max() > least and heights.min() < -least:
            above, below = used[[heights.argmax(), heights.argmin()]].tolist()
            return f"vertices {above} and {below} are on both sides of the plane of face {face}"
    return ""


def ways_out(mover: Convex, obstacle: Convex, margin: float) -> tuple[Floats, Floats] | None:
    """Return unit axes from the obstacle to the mover, shape (a, 3), and how far to go along each [length], shape (a,).

    Sorted: the first one is the depth. None if the bodies have too many edges.
    """
    radius = mover.radius + obstacle.radius + margin
    crossed = _across_edges(mover, obstacle)
    if crossed is None:
        return None
    flat = np.zeros((0, 3))
    if not len(mover.normals) and not len(obstacle.normals):
        # Points and segments may lie in one line: then what is square to it counts.
        flat = _square_to(np.concatenate((_along(mover), _along(obstacle))))
    axes = np.concatenate((obstacle.normals, -mover.normals, crossed, -crossed, flat))
    deep = _overlaps(mover, obstacle, axes)
    if radius > 0.0 and deep.min() <= 0.0:
        # The cores do not overlap: the nearest points of the two decide.
        between = _between(mover, obstacle)
        if between is None:
            return None
        axes = np.concatenate((axes, between))
        deep = np.concatenate((deep, _overlaps(mover, obstacle, between)))
    order = np.argsort(deep, kind="stable")
    return axes[order], deep[order] + radius


def _overlaps(mover: Convex, obstacle: Convex, axes: Floats) -> Floats:
    """Return how far the shadow of the mover reaches below the top of the obstacle's, on each axis."""
    deep = np.empty(len(axes))
    step = max(_ROWS // (len(mover.vertices) + len(obstacle.vertices)), 1)
    for begin in range(0, len(axes), step):
        some = axes[begin : begin + step].T
        deep[begin : begin + step] = (obstacle.vertices @ some).max(axis=0) - (mover.vertices @ some).min(axis=0)
    return deep


def _across_edges(mover: Convex, obstacle: Convex) -> Floats | None:
    """Return unit axes normal to an edge of each; None if there are too many."""
    count = len(mover.edges) * len(obstacle.edges)
    if count > _MOST_PAIRS:
        return None
    a, b = _along(mover), _along(obstacle)
    first, second = np.divmod(np.arange(count), max(len(b), 1))
    if count > _FEW_PAIRS and len(mover.beside) and len(obstacle.beside):
        chosen = list(_arcs_that_cross(mover, obstacle, a, b))
        first, second = (np.concatenate([pairs[k] for pairs in chosen]) for k in range(2))
    one, two = a[first], b[second]
    axes = np.cross(one, two)
    sine = np.linalg.norm(axes, axis=1)
    skew = sine > _FLAT
    one, axes = one[skew], axes[skew] / sine[skew, None]
    # Rounding leaves a part along the edges, which nearly parallel edges make large.
    axes -= one * (one * axes).sum(axis=1, keepdims=True)
    return axes / np.linalg.norm(axes, axis=1, keepdims=True)


def _arcs_that_cross(mover: Convex, obstacle: Convex, a: Floats, b: Floats) -> Iterator[tuple[Whole, Whole]]:
    """Yield pairs of edges whose arcs of normals may cross on the unit sphere. a, b: directions of the edges.

    Arcs that just touch are kept, and so are those that cross on opposite sides of the sphere: extra axes do no harm.
    """
    own = mover.normals[mover.beside]
    other = obstacle.normals[obstacle.beside]
    step = max(_ROWS // len(b), 1)
    for begin in range(0, len(a), step):
        some = slice(begin, begin + step)
        # On which side of an arc's plane, whose normal is the edge, the ends of the other arc are.
        c, d = a[some] @ other[:, 0].T, a[some] @ other[:, 1].T
        e, f = own[some, 0] @ b.T, own[some, 1] @ b.T
        crossing = (c * d <= _FLAT) & (e * f <= _FLAT)
        first, second = np.nonzero(crossing)
        yield first + begin, second


def _between(mover: Convex, obstacle: Convex) -> Floats | None:
    """Return unit axes from corners to corners and, square to the edges, between corners and edges; None if too many."""
    rows = len(mover.vertices) * len(obstacle.vertices)
    rows += len(mover.edges) * len(obstacle.vertices) + len(mover.vertices) * len(obstacle.edges)
    if rows * (len(mover.vertices) + len(obstacle.vertices)) > 64 * _MOST_PAIRS:
        return None
    arms = [(mover.vertices[:, None] - obstacle.vertices).reshape(-1, 3)]
    for one, two, sign in ((mover, obstacle, 1.0), (obstacle, mover, -1.0)):
        along = _along(two)
        arm = one.vertices[:, None] - two.vertices[two.edges[:, 0]]
        arms.append((sign * (arm - along * (arm * along).sum(axis=2, keepdims=True))).reshape(-1, 3))
    axes = np.concatenate(arms)
    size = np.linalg.norm(axes, axis=1)
    apart = size > _FLAT * size.max(initial=0.0)
    return axes[apart] / size[apart, None]


def _square_to(along: Floats) -> Floats:
    """Return unit vectors, both signs, that span the plane square to each direction; those of space if there is none."""
    if not along.any():
        return np.concatenate((np.eye(3), -np.eye(3)))
    axes = np.concatenate([np.cross(each, np.eye(3)[np.argmin(np.abs(each))])[None] for each in along if each.any()])
    axes = np.concatenate((axes, np.cross(along[along.any(axis=1)], axes)))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    return np.concatenate((axes, -axes))


def _along(body: Convex) -> Floats:
    """Return unit directions of the edges, shape (e, 3)."""
    along = body.vertices[body.edges[:, 1]] - body.vertices[body.edges[:, 0]]
    size = np.linalg.norm(along, axis=1, keepdims=True)
    return along / np.where(size > 0.0, size, 1.0)
