"""The arena: all geometry of a scene in flat arrays, so that one kernel call can read it.

A shape that several bodies share is stored once. A body with new vertices gets its own row, with vertices and boxes of its own;
rows of one topology share faces, blocks and parts. Unused space is reclaimed when it exceeds the space in use.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels import layout
from ..kernels._memory import table_of
from ..kernels.base import bodies
from ..kernels.base.blocks import FAN
from ..kernels.base.formulas import measured_from
from ..shapes import Shape, Volume
from ..shapes.topology import Topology, topology_of

_NO_POINTS = np.empty((0, 3))
_NO_GROUPS = np.empty((0, 6, FAN))
_LITTLE = 1 << 14  # vertices; less waste than this is not reclaimed


class _Pool:
    """An array of rows that grows."""

    __slots__ = ("rows", "used")

    def __init__(self, columns: int, dtype: Any) -> None:
        self.rows: NDArray[Any] = np.empty((16, columns) if columns > 1 else 16, dtype)
        self.used = 0

    def take(self, count: int) -> int:
        """Reserve rows; return the index of the first."""
        first = self.used
        self.used += count
        if self.used > len(self.rows):
            bigger = np.empty((max(self.used, 2 * len(self.rows)), *self.rows.shape[1:]), self.rows.dtype)
            bigger[:first] = self.rows[:first]
            self.rows = bigger
        return first

    def put(self, values: NDArray[Any]) -> int:
        """Append values; return the index of the first."""
        first = self.take(len(values))
        self.rows[first : first + len(values)] = values
        return first


class Arena:
    """All shapes of one scene, one per row; kernels take `geometry`."""

    def __init__(self) -> None:
        self._ints = _Pool(layout.SHAPE_INTS, np.int64)
        self._reals = _Pool(layout.SHAPE_REALS, np.float64)
        self._plans: list[Topology | None] = []
        self._uses: list[int] = []
        self._shared: dict[int, int] = {}  # id of a Shape -> its row; the Topology keeps the Shape alive
        self._alike: dict[int, list[int]] = {}  # id of a Topology -> the rows that have its faces; they keep it alive
        self._free: list[int] = []
        self._waste = 0
        self.pending: set[int] = set()
        """Rows whose boxes are older than their vertices, or whose parts are not known."""
        self.waited = 0
        """How many questions did not reach the last of them."""
        self.lock = threading.RLock()  # for changes while other threads may read
        self._clear()
        self._collect()
        self._table = self.geometry, table_of(self.geometry)

    def _clear(self) -> None:
        self._vertices = _Pool(3, np.float64)
        self._listed = _Pool(1, np.int32)
        self._starts = _Pool(1, np.int32)
        self._corners = _Pool(3, np.uint8)
        self._ids = _Pool(1, np.int32)
        self._nodes = _Pool(6, np.float64)
        self._part_starts = _Pool(1, np.int32)
        self._members = _Pool(1, np.int32)
        self._groups = _NO_GROUPS

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

    def table_of(self, geometry: layout.Geometry) -> NDArray[np.int64]:
        """Return where the arrays of `geometry` are, as kernels take it; `geometry` must be kept while it is used."""
        known, table = self._table
        if known is not geometry:
            table = table_of(geometry)
            self._table = geometry, table
        return table

    def center(self, row: int) -> NDArray[np.float64]:
        """Return the point that a row's vertices are relative to [length], shape (3,), local."""
        return self._reals.rows[row, layout.CENTER : layout.CENTER + 3].copy()

    def share(self, shape: Shape) -> int:
        """Return the row of a shape; the first call stores it."""
        row = self._shared.get(id(shape))
        if row is None:
            if isinstance(shape, Volume):
                from ..shapes.voxel_surface import no_surface

                row = self._store(no_surface(shape), _NO_POINTS)
            else:
                row = self._store(topology_of(shape), shape.vertices)
            self._collect()
            self._shared[id(shape)] = row
        self._uses[row] += 1
        return row

    def own(self, row: int, vertices: NDArray[np.float64]) -> int:
        """Return a row for one body, with the faces of `row`: `row` itself if it is one body's own already, else a new one.

        vertices: those of the new row, for a start; `deform_bodies` writes them.
        """
        plan = self._plans[row]
        assert plan is not None
        if self._uses[row] == 1:
            if self._shared.get(id(plan.shape)) == row:
                del self._shared[id(plan.shape)]
            return row
        new = self._store(plan, vertices)
        self._collect()
        self._uses[new] = 1
        self.release(row)
        return new

    def vertices(self, row: int) -> NDArray[np.float64]:
        """Return a copy of a row's vertices [length], shape (n, 3), local."""
        ints = self._ints.rows[row]
        first = ints[layout.VERTEX]
        return self._vertices.rows[first : first + ints[layout.VERTICES]] + self.center(row)

    def release(self, row: int) -> None:
        """Count one use of a row less; free it after the last."""
        self._uses[row] -= 1
        if self._uses[row]:
            return
        plan = self._plans[row]
        assert plan is not None
        if self._shared.get(id(plan.shape)) == row:
            del self._shared[id(plan.shape)]
        self._forget(row, plan)
        self._plans[row] = None
        self.pending.discard(row)
        self._free.append(row)
        self._discard(row)

    def replace(self, row: int, plan: Topology, vertices: NDArray[np.float64]) -> None:
        """Give a row new faces and vertices. A kernel that runs meanwhile keeps the old arrays."""
        with self.lock:
            self._ints.rows = self._ints.rows.copy()
            before = int(self._ints.rows[row, layout.VERTICES])
            self._forget(row, self._plans[row])
            self._plans[row] = plan
            self._put(row, plan, vertices)
            self._collect()
            self._discard(row, before)

    def strip(self, row: int, plan: Topology) -> None:
        """Remove the faces of a row; plan: a topology without faces. No kernel may run meanwhile."""
        ints = self._ints.rows[row]
        before = int(ints[layout.VERTICES])
        self._forget(row, self._plans[row])
        self._plans[row] = plan
        self._alike[id(plan)] = [row]
        ints[layout.VERTICES] = ints[layout.FACES] = ints[layout.PARTS] = 0
        ints[layout.PART] = -1
        self._write(row, plan, _NO_POINTS)
        self._discard(row, before)

    def _forget(self, row: int, plan: Topology | None) -> None:
        """Count a row no longer among those that have the faces of a topology."""
        alike = self._alike[id(plan)]
        alike.remove(row)
        if not alike:
            del self._alike[id(plan)]

    def _discard(self, row: int, vertices: int | None = None) -> None:
        """Count vertices, by default a row's, as waste; reclaim the waste when it exceeds the space in use."""
        self._waste += int(self._ints.rows[row, layout.VERTICES]) if vertices is None else vertices
        if self._waste > max(_LITTLE, self._vertices.used // 2):
            self._repack()

    def wait_for(self, row: int) -> None:
        """Count a row among those that questions make ready when they reach it."""
        self.pending.add(row)
        self.waited = 0

    def topology(self, row: int) -> Topology:
        """Return the topology of a row in use."""
        plan = self._plans[row]
        assert plan is not None
        return plan

    def faces(self, row: int) -> int:
        """Return the number of faces of a row."""
        return int(self._ints.rows[row, layout.FACES])

    def knows_parts(self, row: int) -> bool:
        """True if a row's parts were computed."""
        return bool(self._ints.rows[row, layout.PART] >= 0)

    def find_parts(self, row: int) -> None:
        """Compute a row's parts and whether it is closed; kernels request this when they need it.

        Several threads may call it at once. It replaces arrays, so a kernel that runs meanwhile keeps the old ones.
        """
        with self.lock:
            plan = self._plans[row]
            assert plan is not None
            starts, members, closed = plan.parts
            if self._ints.rows[row, layout.PART] >= 0:
                return
            rows = self._ints.rows.copy()
            alike = self._alike[id(plan)]
            rows[alike, layout.PARTS] = len(starts) - 1
            rows[alike, layout.MEMBER] = self._members.put(members)
            rows[alike, layout.SOLID] = 0 if plan.shape.solid is False else closed
            rows[alike, layout.PART] = self._part_starts.put(starts)
            self._ints.rows = rows
            self._collect()

    def grouped(self, rows: Iterable[int] = ()) -> tuple[layout.Geometry, NDArray[np.float64]]:
        """Return all shapes and their groups (`kernels/base/groups.py`), those of some rows up to date with their vertices.

        Several threads may call it at once. Groups of other rows are unknown, unless `layout.GROUPED` is set.
        """
        with self.lock:
            geometry = self.geometry
            if len(self._groups) < len(geometry.nodes):
                # Memory that is not written to is not used, so rows that nobody needs cost nothing.
                groups = np.empty((len(geometry.nodes), *_NO_GROUPS.shape[1:]))
                groups[: len(self._groups)] = self._groups
                self._groups = groups
            old = [row for row in rows if not geometry.shape_ints[row, layout.GROUPED]]
            if old:
                from ..kernels.base.groups import make_groups

                make_groups(geometry, self._groups, np.array(old))
                geometry.shape_ints[old, layout.GROUPED] = 1  # last: from now on other threads rely on it
            return geometry, self._groups

    def _store(self, plan: Topology, vertices: NDArray[np.float64]) -> int:
        if self._free:
            row = self._free.pop()
            self._plans[row] = plan
            self._uses[row] = 0
        else:
            row = self._ints.take(1)
            self._reals.take(1)
            self._plans.append(plan)
            self._uses.append(0)
        self._put(row, plan, vertices)
        return row

    def _put(self, row: int, plan: Topology, vertices: NDArray[np.float64]) -> None:
        """Append a row's vertices to the arrays, and its faces unless a row has them already."""
        ints = self._ints.rows[row]
        alike = self._alike.setdefault(id(plan), [])
        if alike:
            ints[:] = self._ints.rows[alike[0]]
        else:
            self._put_faces(ints, plan)
        alike.append(row)
        ints[layout.VERTEX] = self._vertices.take(len(vertices))
        ints[layout.VERTICES] = len(vertices)
        ints[layout.NODE] = self._nodes.take(int(plan.offsets[-1]))
        self._reals.rows[row, layout.RADIUS] = plan.shape.radius
        self._write(row, plan, vertices)

    def _put_faces(self, ints: NDArray[np.int64], plan: Topology) -> None:
        ints[layout.FACE] = self._corners.put(plan.corners)
        self._ids.put(plan.order)
        ints[layout.FACES] = len(plan.order)
        ints[layout.LISTED] = self._listed.put(plan.listed)
        ints[layout.START] = self._starts.put(plan.starts)
        ints[layout.LEVELS] = plan.levels
        ints[layout.PART] = -1
        ints[layout.PARTS] = 0
        ints[layout.MEMBER] = 0
        ints[layout.SOLID] = 0
        ints[layout.UNUSED] = plan.used is not None
        ints[layout.POINTS] = bool((plan.corners == plan.corners[:, :1]).all())
        ints[layout.OFFSET :] = plan.offsets

    def _write(self, row: int, plan: Topology, vertices: NDArray[np.float64]) -> None:
        if plan.box is None:
            low, high = bodies.extent(vertices if plan.used is None else vertices[plan.used])
        else:
            low, high = plan.box
        center = np.array(measured_from(low, high)) if plan.center is None else plan.center
        self._reals.rows[row, layout.CENTER : layout.CENTER + 3] = center
        bodies.put_vertices(vertices, self._vertices.rows, self._ints.rows[row, layout.VERTEX], center)
        self._reals.rows[row, layout.BOX_LOW : layout.BOX_LOW + 3] = low - center
        self._reals.rows[row, layout.BOX_HIGH : layout.BOX_HIGH + 3] = high - center
        self._ints.rows[row, layout.DIRTY] = layout.CHANGED
        self._ints.rows[row, layout.GROUPED] = 0
        self.wait_for(row)

    def _repack(self) -> None:
        live = [(row, plan, self.vertices(row)) for row, plan in enumerate(self._plans) if plan is not None]
        uses = {row: self._uses[row] for row, _, _ in live}
        free = self._free
        self._waste = 0
        self._alike = {}
        self._clear()
        self._ints.rows = self._ints.rows.copy()
        for row, plan, vertices in live:
            self._free = [row]
            self._store(plan, vertices)
            self._uses[row] = uses[row]
        self._free = free
        self._collect()
