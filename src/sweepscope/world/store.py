"""The store: all data of a scene. Bodies with their rows, geometry and filters; and checks of arguments that are bodies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidGeometry, InvalidQuery, UnknownBody
from ..kernels import layout
from ..shapes import Shape, Volume
from .body import Body, Entry, entry_of
from .filters import Filters
from .surfaces import Surfaces
from .world import World, body_writer, no_boxes

if TYPE_CHECKING:
    from ..scene import Scene

_COARSEST = 100.0


class Store:
    """All data of a scene. `Scene` is the public interface; queries use the store."""

    __slots__ = (
        "_boxes",
        "_ints",
        "_next",
        "_poses",
        "_spare",
        "_world",
        "arena",
        "entries",
        "filters",
        "names",
        "rows",
        "scene",
        "surfaces",
        "tolerance",
    )

    def __init__(self, scene: Scene, tolerance: float) -> None:
        from .arena import Arena

        self.scene = scene
        self.tolerance = tolerance
        """Contact tolerance [length]; below 0 is the default."""
        self.arena = Arena()
        self.filters = Filters()
        self.surfaces = Surfaces(self)
        self.entries: dict[int, Entry] = {}
        """By id, in the order in which they were added."""
        self.names: dict[str, Entry] = {}
        self.rows: list[Entry | None] = []
        self._ints = np.zeros((16, layout.BODY_INTS), np.int64)
        self._poses = np.zeros((16, layout.POSE))
        self._boxes = no_boxes(16)
        self._spare: list[int] = []
        self._next = 0
        self._world: World | None = None  # the last that was made; arrays and rows decide whether it holds

    def world(self) -> World:
        """Return all bodies at their current poses."""
        world = self._world
        if world is None or world.geometry is not self.arena.geometry or world.rows != len(self.rows):
            world = World(self.arena.geometry, self._ints, self._poses, self._boxes, len(self.rows))
            self._world = world
        return world

    def entry(self, row: int) -> Entry:
        """Return the entry of a body row."""
        found = self.rows[row]
        assert found is not None
        return found

    def add(self, shape: Shape, pose: NDArray[np.float64], name: str | None, group: str) -> Entry:
        """Add a shape at a checked pose."""
        if name is None:
            name = self.free_name(f"{type(shape).__name__.lower()} {self._next}")
        name = self.check_name(name)
        if not isinstance(group, str):
            raise InvalidQuery(f"group: expected a text, got {checks.shown(group)}")
        group = str(group)
        number = self.filters.group(group)
        entry = Entry(self, self._next, name, shape, checks.fixed(pose), group)
        entry.shape_row = self.arena.share(shape)
        self._next += 1
        self.entries[entry.id] = entry
        self.names[name] = entry
        self.surfaces.enter(entry)
        self._enter(entry, number)
        return entry

    def remove(self, entry: Entry) -> None:
        """Remove a body."""
        self._boxes[:, entry.row] = no_boxes(1)[:, 0]
        self.surfaces.leave(entry)
        self.arena.release(entry.shape_row)
        self.filters.forget(entry.row)
        self.rows[entry.row] = None
        self._spare.append(entry.row)
        del self.entries[entry.id]
        del self.names[entry.name]
        entry.store = None

    def put(self, entry: Entry, pose: NDArray[np.float64]) -> None:
        """Move a body to a checked pose; the array is not copied."""
        entry.pose = checks.fixed(pose)
        self.place(entry)

    def reshape(self, entry: Entry, shape: Shape) -> None:
        """Give a body a new shape."""
        shape_row = self.arena.share(shape)
        self.surfaces.leave(entry)
        self.arena.release(entry.shape_row)
        entry.shape_row, entry.shape, entry.deformed = shape_row, shape, False
        entry.volume = shape if isinstance(shape, Volume) else None
        entry.version += 1
        self.surfaces.enter(entry)
        self.place(entry)

    def deform(self, entry: Entry, vertices: ArrayLike) -> None:
        """Give a body new vertices, the same number as before."""
        from .arena import finite_points

        if not entry.shape.live:
            raise InvalidGeometry(
                f"{entry} is a {type(entry.shape).__name__}; only a Mesh or a PointCloud can deform"
                + ("; edit the volume itself: volume[...] = values" if isinstance(entry.shape, Volume) else "")
            )
        places, box = finite_points(vertices)
        if len(places) != len(entry.shape.vertices):
            raise InvalidGeometry(
                f"vertices: {entry} has {len(entry.shape.vertices)}, got {len(places)}; assign .shape to change the number"
            )
        entry.shape_row = self.arena.own(entry.shape_row, places, box)
        entry.deformed = True
        entry.version += 1
        self.place(entry)

    def place(self, entry: Entry) -> None:
        """Write a body's shape, pose and box into the arrays that kernels take."""
        self._ints[entry.row, layout.SHAPE] = entry.shape_row
        body_writer()(self._poses, self._boxes, entry.row, self.arena.geometry.shape_reals, entry.shape_row, entry.pose)

    def bounds(self, entry: Entry) -> NDArray[np.float64]:
        """Return a body's world box, low and high corner, shape (2, 3); NaN if it is empty."""
        self.surfaces.refresh()
        box = self._boxes[:, entry.row].reshape(2, 3)
        return box.copy() if box[0, 0] <= box[1, 0] else np.full((2, 3), np.nan)

    def set_ignored(self, a: Body | str, b: Body | str, ignored: bool) -> None:
        """Set whether two bodies, or two groups given by name, ignore each other."""
        if isinstance(a, str) and isinstance(b, str):
            self.filters.set_groups(a, b, ignored)
            for entry in self.entries.values():
                self._ints[entry.row, layout.IGNORES] = self.filters.mask(int(self._ints[entry.row, layout.GROUP]))
            return
        if isinstance(a, str) or isinstance(b, str):
            raise InvalidQuery("ignore: got a body and a group; accepted: two bodies, or two names of groups")
        self.filters.set_pair(self.check(a, "a").row, self.check(b, "b").row, ignored)

    def check_name(self, name: Any) -> str:
        """Return a name for a new body, or raise if it is not a text or is taken."""
        if not isinstance(name, str):
            raise InvalidQuery(f"name: expected a text, got {checks.shown(name)}")
        if name in self.names:
            raise InvalidQuery(f"name: {checks.shown(name)} is taken; names are unique within a scene")
        return str(name)

    def check(self, body: Any, name: str) -> Entry:
        """Return the entry of a body of this scene."""
        if not isinstance(body, Body):
            raise UnknownBody(f"{name}: expected a Body of this scene, got {checks.shown(body)}")
        entry = entry_of(body)
        if entry.store is not self:
            where = "was removed from its scene" if entry.store is None else "is in another scene"
            raise UnknownBody(f"{name}: {entry} {where}")
        return entry

    def check_movers(self, mover: Body | Sequence[Body]) -> list[Entry]:
        """Return the entries of a body, or of several that move as one."""
        if not isinstance(mover, (list, tuple)):
            return [self.check(mover, "mover")]
        if not mover:
            raise InvalidQuery("mover: expected a body or several, got an empty list")
        movers = [self.check(each, f"mover[{k}]") for k, each in enumerate(mover)]
        if len({entry.id for entry in movers}) < len(movers):
            raise InvalidQuery("mover: the same body is given twice")
        return movers

    def check_ignored(self, ignore: Iterable[Body]) -> list[int]:
        """Return the body rows that a query ignores."""
        return [self.check(each, f"ignore[{k}]").row for k, each in enumerate(checks.items(ignore, "ignore", "bodies"))]

    def check_tolerance(self, rows: Any) -> None:
        """Raise if the tolerance is not small beside the movers: everything would touch."""
        if self.tolerance <= 0.0:
            return
        low, high = self.world().box_of(rows)
        size = float(np.linalg.norm(high - low))
        if 0.0 < size < _COARSEST * self.tolerance:
            raise InvalidQuery(
                f"tolerance is {self.tolerance:g}, but the mover measures {size:.3g}; accepted: up to 1/{_COARSEST:.0f} of that"
            )

    def free_name(self, base: str) -> str:
        """Return a name that no body has: `base`, or `base` with a number."""
        name, number = base, 2
        while name in self.names:
            name, number = f"{base} ({number})", number + 1
        return name

    def _enter(self, entry: Entry, group: int) -> None:
        if self._spare:
            entry.row = self._spare.pop()
            self.rows[entry.row] = entry
        else:
            entry.row = len(self.rows)
            self.rows.append(entry)
            if entry.row == len(self._ints):
                self._ints = np.concatenate((self._ints, np.zeros_like(self._ints)))
                self._poses = np.concatenate((self._poses, np.zeros_like(self._poses)))
                self._boxes = np.concatenate((self._boxes, no_boxes(entry.row)), axis=1)
        entry.rows = np.array([entry.row])
        self._ints[entry.row, layout.ID] = entry.id
        self._ints[entry.row, layout.GROUP] = group
        self._ints[entry.row, layout.IGNORES] = self.filters.mask(group)
        self.place(entry)


def rows_of(entries: Sequence[Entry]) -> NDArray[np.int64]:
    """Return the body rows of entries."""
    return entries[0].rows if len(entries) == 1 else np.array([entry.row for entry in entries], np.int64)
