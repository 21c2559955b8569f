"""The arena: a scene's geometry in flat arrays, where the kernels can see all of it in one call.

Shapes that are equal are stored once, however many bodies use them. A body that is given new vertices gets a row of its own.
Space that is given back is reclaimed when it outweighs what is in use.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import checks
from .errors import InvalidGeometry
from .kernels import blocks, bodies, layout, parts
from .shapes import Shape, Volume

Box = tuple[tuple[float, float, float], tuple[float, float, float]]

_NO_POINTS = np.empty((0, 3))
_LITTLE = 1 << 14  # vertices; less waste than this is not worth the tidying
_FAR = 4.0  # a shape further from its origin than this many times its size is moved to its centre


@dataclass(slots=True)
class Layout:
    """How a shape's faces are ordered and cut into blocks. Depends on its faces; worked out once per shape."""

    order: NDArray[np.int32]
    listed: NDArray[np.int32]
    starts: NDArray[np.int32]
    corners: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    levels: int
    used: NDArray[np.int32] | None
    """The vertices that some face uses; None if all are."""
    shape: Shape = field(repr=False)
    box: Box | None = None
    """Its box, where that is not the box of its vertices: of a volume, of which only what is needed has faces."""
    centre: NDArray[np.float64] | None = None
    """Where its vertices are measured from, where that is settled beforehand."""
    _parts: tuple[NDArray[np.int32], NDArray[np.int32], int] | None = None

    @property
    def parts(self) -> tuple[NDArray[np.int32], NDArray[np.int32], int]:
        """(part starts (p + 1,), faces by part in block order (m,), closedness as in kernels.layout.SOLID)."""
        if self._parts is None:
            self._parts = _work_out_parts(self.shape, self.order)
        return self._parts

    @property
    def closed(self) -> bool:
        """True if every edge joins an even number of faces."""
        return self.parts[2] > 0


def layout_of(shape: Shape) -> Layout:
    """Return a shape's layout, worked out at the first call."""
    if shape._layout is None:
        order = blocks.halve(shape.vertices, shape.faces)
        listed, starts, corners = blocks.cut(shape.faces, order, len(shape.vertices))
        offsets = blocks.level_offsets(len(shape.faces))
        levels = int(np.argmax(offsets == offsets[-1]))
        used = np.unique(listed)
        every = None if len(used) == len(shape.vertices) else used
        shape._layout = Layout(order, listed, starts, corners, offsets, levels, every, shape)
    return shape._layout


def _work_out_parts(shape: Shape, order: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32], int]:
    corners = shape.faces[order].astype(np.int64)
    if (corners[:, 1] != corners[:, 2]).any():
        # Files such as STL repeat vertices: equal places are one. Adding 0.0 makes -0.0 equal to 0.0.
        places = np.ascontiguousarray(shape.vertices + 0.0).view([("", np.float64)] * 3).ravel()
        _, same = np.unique(places, return_inverse=True)
        corners = same.astype(np.int64)[corners]
    part, count = parts.parts(corners, len(shape.vertices))
    members = np.argsort(part, kind="stable").astype(np.int32)
    starts = np.zeros(count + 1, np.int32)
    starts[1:] = np.cumsum(np.bincount(part, minlength=count))
    return starts, members, _closedness(corners, len(shape.vertices))


def _closedness(corners: NDArray[np.int64], count: int) -> int:
    """Return 1 if every edge is run through as often one way as the other, 2 if an even number of times, else 0."""
    a, b, c = corners.T
    full = (a != b) & (b != c) & (c != a)
    if not full.any():
        return 0
    start = np.concatenate((a[full], b[full], c[full]))
    end = np.concatenate((b[full], c[full], a[full]))
    edges, edge = np.unique(np.minimum(start, end) * count + np.maximum(start, end), return_inverse=True)
    balance = np.bincount(edge, weights=np.where(start < end, 1.0, -1.0), minlength=len(edges))
    if not balance.any():
        return 1
    return 0 if (np.bincount(edge) % 2).any() else 2


class _Pool:
    """A growable array of rows."""

    __slots__ = ("rows", "used")

    def __init__(self, columns: int, dtype: Any) -> None:
        self.rows: NDArray[Any] = np.empty((16, columns) if columns > 1 else 16, dtype)
        self.used = 0

    def take(self, count: int) -> int:
        """Reserve rows and return the first."""
        first = self.used
        self.used += count
        if self.used > len(self.rows):
            bigger = np.empty((max(self.used, 2 * len(self.rows)), *self.rows.shape[1:]), self.rows.dtype)
            bigger[:first] = self.rows[:first]
            self.rows = bigger
        return first

    def put(self, values: NDArray[Any]) -> int:
        """Append values and return where they start."""
        first = self.take(len(values))
        self.rows[first : first + len(values)] = values
        return first


class Arena:
    """All shapes of one scene. A row is a shape; `geometry` is what kernels take."""

    def __init__(self) -> None:
        self._ints = _Pool(layout.SHAPE_INTS, np.int64)
        self._reals = _Pool(layout.SHAPE_REALS, np.float64)
        self._layouts: list[Layout | None] = []
        self._centres: list[NDArray[np.float64]] = []
        self._uses: list[int] = []
        self._shared: dict[int, int] = {}  # id of a Shape -> its row; the Layout keeps the Shape alive
        self._free: list[int] = []
        self._waste = 0
        self.lock = threading.RLock()  # held by what changes the arena while others may read it
        self._clear()
        self._collect()

    def _clear(self) -> None:
        self._vertices = _Pool(3, np.float64)
        self._listed = _Pool(1, np.int32)
        self._starts = _Pool(1, np.int32)
        self._corners = _Pool(3, np.uint8)
        self._ids = _Pool(1, np.int32)
        self._nodes = _Pool(6, np.float64)
        self._part_starts = _Pool(1, np.int32)
        self._members = _Pool(1, np.int32)

    def _collect(self) -> None:
        self.geometry = layout.Geometry(
            self._vertices.rows,
            self._listed.rows,
            self._starts.rows,
            self._corners.rows,
            self._ids.rows,
            self._nodes.rows,
            self._ints.rows,
            self._reals.rows,
            self._part_starts.rows,
            self._members.rows,
        )

    @property
    def reals(self) -> NDArray[np.float64]:
        """The shapes' real columns, for the kernels that place bodies."""
        return self._reals.rows

    def centre(self, row: int) -> NDArray[np.float64]:
        """Where a row's vertices are measured from [length], shape (3,), local."""
        return self._centres[row]

    def share(self, shape: Shape) -> int:
        """Return the row of a shape, stored at first use."""
        row = self._shared.get(id(shape))
        if row is None:
            if isinstance(shape, Volume):
                from .surface import bare

                row = self._store(bare(shape), _NO_POINTS)
            else:
                row = self._store(layout_of(shape), shape.vertices)
            self._collect()
            self._shared[id(shape)] = row
        self._uses[row] += 1
        return row

    def own(self, row: int, vertices: NDArray[np.float64], box: Box) -> int:
        """Return a row like `row`, used once, with other vertices. `row` itself is given back if it may be reused."""
        plan = self._layouts[row]
        assert plan is not None
        if self._uses[row] == 1 and self._shared.get(id(plan.shape)) != row:
            self._write(row, plan, vertices, box)
            return row
        new = self._store(plan, vertices)
        self._collect()
        self._uses[new] = 1
        self.release(row)
        return new

    def vertices(self, row: int, chosen: Sequence[int] | None = None) -> NDArray[np.float64]:
        """Return a fresh copy of a row's vertices [length], shape (n, 3), local: all, or the chosen ones."""
        ints = self._ints.rows[row]
        first = ints[layout.VERTEX]
        every = self._vertices.rows[first : first + ints[layout.VERTICES]]
        return (every if chosen is None else every[list(chosen)]) + self._centres[row]

    def release(self, row: int) -> None:
        """Give back one use of a row."""
        self._uses[row] -= 1
        if self._uses[row]:
            return
        plan = self._layouts[row]
        assert plan is not None
        if self._shared.get(id(plan.shape)) == row:
            del self._shared[id(plan.shape)]
        self._layouts[row] = None
        self._free.append(row)
        self._discard(row)

    def replace(self, row: int, plan: Layout, vertices: NDArray[np.float64]) -> None:
        """Give a row other faces and vertices. A kernel that runs meanwhile keeps the arrays as they were."""
        with self.lock:
            self._ints.rows = self._ints.rows.copy()
            before = int(self._ints.rows[row, layout.VERTICES])
            self._layouts[row] = plan
            self._put(row, plan, vertices)
            self._collect()
            self._discard(row, before)

    def strip(self, row: int, plan: Layout) -> None:
        """Take the faces off a row; plan: a layout without any. No kernel may be running."""
        ints = self._ints.rows[row]
        before = int(ints[layout.VERTICES])
        self._layouts[row] = plan
        ints[layout.VERTICES] = ints[layout.FACES] = ints[layout.PARTS] = 0
        ints[layout.PART] = -1
        self._write(row, plan, _NO_POINTS)
        self._discard(row, before)

    def _discard(self, row: int, vertices: int | None = None) -> None:
        """Count vertices, by default a row's, as waste; reclaim it when it outweighs what is in use."""
        self._waste += int(self._ints.rows[row, layout.VERTICES]) if vertices is None else vertices
        if self._waste > max(_LITTLE, self._vertices.used // 2):
            self._repack()

    def find_parts(self, row: int) -> None:
        """Work out a row's parts and whether it is closed; the kernels ask for it when they need it.

        Several threads may ask at once, and a kernel that runs meanwhile has the arrays as they were: they are not changed, but
        replaced.
        """
        with self.lock:
            plan = self._layouts[row]
            assert plan is not None
            starts, members, closed = plan.parts
            if self._ints.rows[row, layout.PART] >= 0:
                return
            rows = self._ints.rows.copy()
            ints = rows[row]
            ints[layout.PARTS] = len(starts) - 1
            ints[layout.MEMBER] = self._members.put(members)
            ints[layout.SOLID] = 0 if plan.shape.solid is False else closed
            ints[layout.PART] = self._part_starts.put(starts)
            self._ints.rows = rows
            self._collect()

    def _store(self, plan: Layout, vertices: NDArray[np.float64]) -> int:
        if self._free:
            row = self._free.pop()
            self._layouts[row] = plan
            self._uses[row] = 0
        else:
            row = self._ints.take(1)
            self._reals.take(1)
            self._layouts.append(plan)
            self._uses.append(0)
            self._centres.append(np.zeros(3))
        self._put(row, plan, vertices)
        return row

    def _put(self, row: int, plan: Layout, vertices: NDArray[np.float64]) -> None:
        """Write a row's faces and vertices behind all others."""
        ints = self._ints.rows[row]
        ints[layout.VERTEX] = self._vertices.take(len(vertices))
        ints[layout.VERTICES] = len(vertices)
        ints[layout.FACE] = self._corners.put(plan.corners)
        self._ids.put(plan.order)
        ints[layout.FACES] = len(plan.order)
        ints[layout.LISTED] = self._listed.put(plan.listed)
        ints[layout.START] = self._starts.put(plan.starts)
        ints[layout.NODE] = self._nodes.take(int(plan.offsets[-1]))
        ints[layout.LEVELS] = plan.levels
        ints[layout.PART] = -1
        ints[layout.PARTS] = 0
        ints[layout.MEMBER] = 0
        ints[layout.SOLID] = 0
        ints[layout.OFFSET :] = plan.offsets
        self._reals.rows[row, layout.RADIUS] = plan.shape.radius
        self._write(row, plan, vertices)

    def _write(self, row: int, plan: Layout, vertices: NDArray[np.float64], box: Box | None = None) -> None:
        box = box if plan.box is None else plan.box
        if box is None or plan.used is not None:
            low, high, _ = bodies.extent(vertices if plan.used is None else vertices[plan.used], checks.LARGEST)
        else:
            low, high = box
        centre = centre_of(low, high) if plan.centre is None else plan.centre
        self._centres[row] = centre
        bodies.put_vertices(vertices, self._vertices.rows, self._ints.rows[row, layout.VERTEX], centre)
        self._reals.rows[row, layout.BOX_LOW : layout.BOX_LOW + 3] = low - centre
        self._reals.rows[row, layout.BOX_HIGH : layout.BOX_HIGH + 3] = high - centre
        self._ints.rows[row, layout.DIRTY] = layout.CHANGED

    def _repack(self) -> None:
        live = [(row, plan, self.vertices(row)) for row, plan in enumerate(self._layouts) if plan is not None]
        uses = {row: self._uses[row] for row, _, _ in live}
        free = self._free
        self._waste = 0
        self._clear()
        self._ints.rows = self._ints.rows.copy()
        for row, plan, vertices in live:
            self._free = [row]
            self._store(plan, vertices)
            self._uses[row] = uses[row]
        self._free = free
        self._collect()


def centre_of(low: tuple[float, float, float], high: tuple[float, float, float]) -> NDArray[np.float64]:
    """Return the point that vertices with this box are measured from: the origin, unless they lie far from it."""
    widest = max(b - a for a, b in zip(low, high, strict=True))
    middle = np.array([0.5 * a + 0.5 * b for a, b in zip(low, high, strict=True)])
    if widest < 0.0:  # no vertices at all
        return np.zeros(3)
    far = float(np.abs(middle).max())
    if far <= _FAR * widest:
        return np.zeros(3)
    # Few bits, so that subtracting it is exact for nearly all vertices.
    grain = math.ldexp(1.0, math.frexp(far)[1] - 24)
    return np.round(middle / grain) * grain


def sound_points(value: ArrayLike) -> tuple[NDArray[np.float64], Box]:
    """Return value as an (n, 3) float64 array of sound points, without a copy where it is one already, and their box."""
    if isinstance(value, np.ndarray) and value.dtype == np.float64 and value.flags.c_contiguous:
        plain = np.asarray(value)
        if plain.ndim == 2 and plain.shape[1] == 3:
            low, high, sound = bodies.extent(plain, checks.LARGEST)
            if sound:
                return plain, (low, high)
    places = checks.points(value, "vertices", InvalidGeometry)
    return places, bodies.extent(places, checks.LARGEST)[:2]
