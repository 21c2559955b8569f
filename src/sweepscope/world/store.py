"""The store: all data of a scene. Bodies with their rows, geometry and filters; and checks of arguments that are bodies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidGeometry, InvalidQuery, InvalidType, NotFound
from ..kernels import layout
from ..shapes import Shape, Volume
from ..shapes.base import is_padded
from ..shapes.given import can_deform
from .body import Body, Entry, adopt, entry_of, movable
from .filters import Filters
from .hierarchy import NO_HIERARCHY, Hierarchy, updated
from .identity import SceneIdentity, new_identity
from .surfaces import Surfaces
from .world import World, body_kernels, no_boxes

if TYPE_CHECKING:
    from ..scene import Scene

_COARSEST = 100.0
_MANY = 16  # bodies; the poses of so many are faster read as one array
_FEW = 16  # body rows that are made at least
_MOST_UNUSED = 2  # times as many body rows as bodies: those of removed bodies are then given up


class Packed(NamedTuple):
    """All that a scene holds, for its copies and pickles: shapes and plain values, no entries, no rows of the arena.

    One item for each body, in the order in which they were added.
    """

    identity: SceneIdentity
    tolerance: float
    next: int
    """Id of the next body."""
    rows: int
    """Number of body rows, those of removed bodies included."""
    ids: list[int]
    keys: list[bytes]
    names: list[str]
    groups: list[str]
    body_rows: list[int]
    versions: list[int]
    shapes: list[Shape]
    poses: NDArray[np.float64]
    """Shape (n, 4, 4)."""
    deformed: dict[int, NDArray[np.float64]]
    """By id: vertices of deformed bodies, shape (k, 3) [length], local."""
    parted: list[bool]
    """Whether the parts of its geometry are known."""
    filters: tuple[Any, ...]
    volumes: list[Any]


class Store:
    """All data of a scene. `Scene` is the public interface; queries use the store."""

    __slots__ = (
        "__weakref__",
        "_boxes",
        "_changed",
        "_hierarchy",
        "_ints",
        "_next",
        "_poses",
        "_world",
        "arena",
        "entries",
        "filters",
        "identity",
        "names",
        "padded",
        "removed",
        "revision",
        "robots",
        "rows",
        "scene",
        "surfaces",
        "tolerance",
    )

    def __init__(self, scene: Any, tolerance: float, source: SceneIdentity | None = None) -> None:
        from .arena import Arena

        self.scene: Scene = scene
        """None if a query made the store for itself."""
        self.identity = new_identity(self, source)
        self.tolerance = tolerance
        """Contact tolerance [length]; below 0 is the default."""
        self.arena = Arena()
        self.filters = Filters()
        self.surfaces = Surfaces(self)
        self.entries: dict[int, Entry] = {}
        """By id, in the order in which they were added."""
        self.names: dict[str, Entry] = {}
        self.robots: dict[str, Any] = {}
        """Robots that have links, by name. They hold bodies of the scene; a copy of the scene alone has none."""
        self.padded: set[Entry] = set()
        """Bodies of triangles with a radius, which views cannot draw."""
        self.rows: list[Entry | None] = []
        """In the order in which they were added, so that it does not matter what was removed before; None: removed."""
        self._ints = np.zeros((_FEW, layout.BODY_INTS), np.int64)
        self._poses = np.zeros((_FEW, layout.POSE))
        self._boxes = no_boxes(_FEW)
        self._next = 0
        self.revision = 0
        """Number of changes of bodies so far; an entry has that of its last change."""
        self.removed = 0
        """Revision at which a body was last removed."""
        self._changed: set[int] = set()  # body rows whose boxes may differ from those in the hierarchy
        self._hierarchy = NO_HIERARCHY
        self._world: World | None = None  # the last that was made; arrays and rows decide whether it holds

    def packed(self) -> Packed:
        """Return all that it holds, for a copy of the scene."""
        entries = list(self.entries.values())
        return Packed(
            identity=self.identity,
            tolerance=self.tolerance,
            next=self._next,
            rows=len(self.rows),
            ids=[entry.id for entry in entries],
            keys=[entry.key for entry in entries],
            names=[entry.name for entry in entries],
            groups=[entry.group for entry in entries],
            body_rows=[entry.row for entry in entries],
            versions=[entry.version for entry in entries],
            shapes=[entry.shape for entry in entries],
            poses=np.array([entry.pose for entry in entries]).reshape(-1, 4, 4),
            deformed={entry.id: self.arena.vertices(entry.shape_row) for entry in entries if entry.deformed},
            parted=[self.arena.knows_parts(entry.shape_row) for entry in entries],
            filters=self.filters.packed(),
            volumes=self.surfaces.packed(),
        )

    def fill(self, packed: Packed) -> None:
        """Take over what another store packed; this one is new and empty. Bodies keep ids, rows and versions."""
        self.filters.fill(*packed.filters)
        self._next = packed.next
        self.rows += [None] * packed.rows
        while len(self._ints) < packed.rows:
            self._grow()
        columns = zip(packed.ids, packed.names, packed.shapes, packed.poses, packed.groups, strict=True)
        others = zip(packed.keys, packed.body_rows, packed.versions, strict=True)
        for (number, name, shape, pose, group), (key, row, version) in zip(columns, others, strict=True):
            entry = Entry(self, number, name, shape, checks.fixed(pose.copy()), group)
            entry.key = key
            entry.shape_row = self.arena.share(shape)
            self.entries[number] = self.names[name] = entry
            self._enter(entry, row, self.filters.group(group))
            self.put(entry, entry.pose)
            if number in packed.deformed:
                self.put_vertices([entry], entry.rows, packed.deformed[number])
            entry.version = version
            if key in packed.identity.waiting:
                adopt(entry, packed.identity.waiting.pop(key))
        self.surfaces.fill(packed.volumes)
        for number, parted in zip(packed.ids, packed.parted, strict=True):
            if parted:
                self.arena.find_parts(self.entries[number].shape_row)
        packed.identity.arrived = self

    def world(self) -> World:
        """Return all bodies at their current poses."""
        world = self._world
        if world is None or world.geometry is not self.arena.geometry or world.rows != len(self.rows):
            world = World(self.arena.geometry, self._ints, self._poses, self._boxes, len(self.rows))
            self._world = world
        return world

    def poses_of(self, entries: Sequence[Entry]) -> tuple[NDArray[np.float64], ...]:
        """Return the poses of bodies, shape (4, 4) each, read-only."""
        if len(entries) < _MANY:
            return tuple([entry.pose for entry in entries])
        return tuple(checks.fixed(self.world().matrices(np.array([entry.row for entry in entries]))))

    def hierarchy(self) -> Hierarchy:
        """Return the hierarchy over the boxes of `world()`, up to date. Call `surfaces.refresh` first.

        Several threads may call it at once. As with boxes, the arrays change in place when bodies change.
        """
        if self._changed:
            with self.arena.lock:
                if self._changed:  # else another thread was faster
                    self._hierarchy = updated(self._hierarchy, self._boxes, len(self.rows), self._changed)
                    self._changed.clear()  # last: from now on other threads rely on it
        return self._hierarchy

    def hierarchy_of(self, world: World) -> Hierarchy:
        """Return the hierarchy over the boxes of a world: only that of the scene as it is has one."""
        if world.boxes is not self._boxes:
            return NO_HIERARCHY
        return self.hierarchy() if self._changed else self._hierarchy

    def entry(self, row: int) -> Entry:
        """Return the entry of a body row."""
        found = self.rows[row]
        assert found is not None
        return found

    def add(self, shape: Shape, pose: NDArray[np.float64], name: str | None, group: str) -> Entry:
        """Add a shape at a checked pose; the array is not copied."""
        if name is not None:
            name = self.check_name(name)
        entry = self.enter(shape, pose, name, group, self.check_group(group))
        self.put(entry, pose)
        return entry

    def enter(self, shape: Shape, pose: NDArray[np.float64], name: str | None, group: str, number: int) -> Entry:
        """Return the entry of a new body, all checked. `put` writes its pose. number: of its group."""
        if name is None:
            name = self.free_name(f"{type(shape).__name__.lower()} {self._next}")
        entry = Entry(self, self._next, name, shape, pose, str(group))
        entry.shape_row = self.arena.share(shape)
        self._next += 1
        self.entries[entry.id] = entry
        self.names[name] = entry
        self.surfaces.enter(entry)
        self._enter(entry, self._new_row(), number)
        self._revise(entry)
        return entry

    def remove(self, entry: Entry) -> None:
        """Remove a body. Its last pose stays known."""
        entry.known_pose = entry.pose
        self.revision += 1
        self.removed = self.revision
        self._boxes[:, entry.row] = no_boxes(1)[:, 0]
        self._changed.add(entry.row)
        self.surfaces.leave(entry)
        self.padded.discard(entry)
        self.arena.release(entry.shape_row)
        self.filters.forget(entry.row)
        self.rows[entry.row] = None
        del self.entries[entry.id]
        del self.names[entry.name]
        entry.store = None

    def put(self, entry: Entry, pose: NDArray[np.float64]) -> None:
        """Move a body to a checked pose; the array is not copied."""
        body_kernels().put_body(self._poses, self._boxes, entry.row, self.arena.geometry.shape_reals, entry.shape_row, pose)
        entry.known_pose = checks.fixed(pose)
        self._revise(entry)

    def put_many(self, entries: Sequence[Entry], rows: NDArray[np.int64], poses: NDArray[np.float64]) -> None:
        """Move bodies, given with their body rows, to checked poses, shape (n, 4, 4)."""
        reals = self.arena.geometry.shape_reals
        body_kernels().put_bodies(self._poses, self._boxes, rows, reals, self._ints, poses)
        self._changed.update(rows.tolist())
        self.revision += 1
        for entry in entries:
            entry.known_pose = None
            entry.revision = self.revision

    def move(self, entry: Entry, value: checks.PoseLike) -> None:
        """Move a body to a pose that is not checked yet."""
        pose = checks.loose_pose(value)
        movable(entry)  # again: the conversion may run code that removes or attaches the body
        if not body_kernels().move_body(
            self._poses, self._boxes, entry.row, self.arena.geometry.shape_reals, entry.shape_row, pose, checks.LARGEST
        ):
            self.put(entry, checks.given_pose(value))  # raises, and says what is wrong
            return
        entry.known_pose = checks.fixed(pose)
        self._revise(entry)

    def reshape(self, entry: Entry, shape: Shape) -> None:
        """Give a body a new shape."""
        shape_row = self.arena.share(shape)
        self.surfaces.leave(entry)
        self.arena.release(entry.shape_row)
        entry.shape_row, entry.shape, entry.deformed = shape_row, shape, False
        self._note_padding(entry)
        entry.volume = shape if isinstance(shape, Volume) else None
        entry.version += 1
        self.surfaces.enter(entry)
        self.place(entry)
        self._revise(entry)

    def deform(self, entry: Entry, vertices: ArrayLike) -> None:
        """Give a body new vertices, the same number as before."""
        check_live(entry, "")
        places = sound_points(vertices, "vertices")
        entry.home()  # again: the conversion may run code that removes or changes the body
        check_live(entry, "")
        check_count(entry, len(places), "vertices")
        self.put_vertices([entry], entry.rows, places)

    def put_vertices(self, entries: Sequence[Entry], rows: NDArray[np.int64], places: NDArray[np.float64]) -> None:
        """Give bodies new vertices. rows: their body rows. places: of the first, then of the second, ..., all checked."""
        arena = self.arena
        for entry in entries:
            if not entry.deformed:
                entry.shape_row = arena.own(entry.shape_row, entry.shape.vertices)
                self._ints[entry.row, layout.SHAPE] = entry.shape_row
                entry.deformed = True
            entry.version += 1
            arena.wait_for(entry.shape_row)
            self._revise(entry)
        vertices, listed, starts, _, _, _, ints, reals, _, _ = arena.geometry
        body_kernels().deform_bodies(vertices, listed, starts, ints, reals, self._ints, self._poses, self._boxes, rows, places)

    def volume_versions(self) -> tuple[int, ...]:
        """Return the number of edits of each volume."""
        return tuple(entry.volume.version for entry in self.entries.values() if entry.volume is not None)

    def _revise(self, entry: Entry) -> None:
        """Count a change of a body."""
        self.revision += 1
        entry.revision = self.revision
        self._changed.add(entry.row)

    def place(self, entry: Entry) -> None:
        """Bring the arrays that kernels take up to date with a body's shape."""
        self._ints[entry.row, layout.SHAPE] = entry.shape_row
        self._changed.add(entry.row)
        reals = self.arena.geometry.shape_reals
        body_kernels().settle_body(self._poses, self._boxes, entry.row, reals, entry.shape_row)

    def bounds(self, entry: Entry) -> NDArray[np.float64]:
        """Return a body's world box, low and high corner, shape (2, 3); NaN if it is empty."""
        self.surfaces.refresh()
        box = self._boxes[:, entry.row].reshape(2, 3)
        return box.copy() if box[0, 0] <= box[1, 0] else np.full((2, 3), np.nan)

    def set_pair_ignored(self, a: Body, b: Body, ignored: bool) -> None:
        """Set whether two bodies ignore each other."""
        self.filters.set_pair(self.check(a, "a").row, self.check(b, "b").row, ignored)

    def set_groups_ignored(self, a: str, b: str, ignored: bool) -> None:
        """Set whether the bodies of two groups, given by name, ignore each other."""
        self.filters.set_groups(a, b, ignored)
        for entry in self.entries.values():
            self._ints[entry.row, layout.IGNORES] = self.filters.mask(int(self._ints[entry.row, layout.GROUP]))

    def check_name(self, name: Any, argument: str = "name") -> str:
        """Return a name for a new body, or raise if it is not a str or is taken."""
        if checks.text(name, argument) in self.names:
            raise InvalidQuery(f"{argument}: {checks.shown(name)} is taken; names are unique within a scene")
        return str(name)

    def check_group(self, group: Any) -> int:
        """Return the number of a group, or raise if it is not a str or one too many."""
        return self.filters.group(checks.text(group, "group"))

    def check(self, body: Any, name: str) -> Entry:
        """Return the entry of a body of this scene."""
        if not isinstance(body, Body):
            hint = f"; scene[{checks.shown(body)}] is one" if isinstance(body, str) and body in self.names else ""
            raise InvalidType(f"{name}: expected a Body of this scene, got {checks.shown(body)}{hint}")
        entry = entry_of(body)
        if entry.store is not self:
            where = entry.gone if entry.store is None else "is in another scene"
            raise NotFound(f"{name}: {entry} {where}")
        return entry

    def check_movers(self, mover: Body | Sequence[Body], name: str = "mover") -> list[Entry]:
        """Return the entries of a body, or of several that move as one. name: of the argument."""
        if type(mover) is Body:
            return [self.check(mover, name)]
        if not isinstance(mover, (list, tuple)):
            if isinstance(mover, Iterable) and not isinstance(mover, (str, bytes, Body)):
                given = checks.shown(mover)
                raise InvalidType(f"{name}: expected a Body of this scene, or a list or tuple of them, got {given}")
            return [self.check(mover, name)]
        if not mover:
            raise InvalidQuery(f"{name}: expected a body or several, got an empty list")
        movers = [self.check(each, f"{name}[{k}]") for k, each in enumerate(mover)]
        if len({entry.id for entry in movers}) < len(movers):
            raise InvalidQuery(f"{name}: the same body is given twice")
        return movers

    def check_ignored(self, ignore: Iterable[Body]) -> list[int]:
        """Return the body rows that a query ignores."""
        if type(ignore) is tuple and not ignore:
            return []
        return [self.check(each, f"ignore[{k}]").row for k, each in enumerate(checks.items(ignore, "ignore", "bodies"))]

    def check_drawn(self, ignored: list[int]) -> None:
        """Raise if a view shows a body that it cannot draw; ignored: body rows."""
        for entry in self.padded:
            if entry.row not in ignored:
                raise InvalidQuery(
                    f"{entry} has triangles with a radius (padding), which views and radars cannot draw; "
                    "accepted: a PinholeCamera, the body in ignore, or no padding"
                )

    def without_padding(self, geometry: layout.Geometry) -> layout.Geometry:
        """Return a geometry in which triangles have no radius, as pictures draw them."""
        reals = geometry.shape_reals.copy()
        reals[[entry.shape_row for entry in self.padded], layout.RADIUS] = 0.0
        return geometry._replace(shape_reals=reals)

    def _note_padding(self, entry: Entry) -> None:
        (self.padded.add if is_padded(entry.shape) else self.padded.discard)(entry)

    def check_tolerance(self, rows: Any) -> None:
        """Raise if the tolerance is not small beside the movers: everything would touch."""
        if self.tolerance <= 0.0:
            return
        size = self.world().size_of(rows)
        if 0.0 < size < _COARSEST * self.tolerance:
            raise InvalidQuery(
                f"tolerance is {self.tolerance:g}, but the mover measures {size:.3g}; accepted: up to 1/{_COARSEST:.0f} of that"
            )

    def check_tolerance_of_each(self, rows: NDArray[np.int64]) -> None:
        """Raise if the tolerance is not small beside each of some bodies."""
        if self.tolerance <= 0.0:
            return
        sizes = self.world().sizes_of(rows)
        for k in np.flatnonzero((sizes > 0.0) & (sizes < _COARSEST * self.tolerance))[:1].tolist():
            raise InvalidQuery(
                f"tolerance is {self.tolerance:g}, but {self.entry(int(rows[k]))} measures {sizes[k]:.3g}; "
                f"accepted: up to 1/{_COARSEST:.0f} of that, or the body in ignore"
            )

    def free_name(self, base: str) -> str:
        """Return a name that no body has: `base`, or `base` with a number."""
        return self.free_names([base])[0]

    def free_names(self, bases: Iterable[str]) -> list[str]:
        """Return names that no body has, all different: each of `bases`, or that with a number."""
        taken: set[str] = set()
        following: dict[str, int] = {}  # so that a thousand equal names do not count from 2 each
        names = []
        for base in bases:
            name, number = base, following.get(base, 2)
            while name in self.names or name in taken:
                name, number = f"{base} ({number})", number + 1
            following[base] = number
            taken.add(name)
            names.append(name)
        return names

    def _new_row(self) -> int:
        """Return a new body row, behind all others."""
        if len(self.rows) > _MOST_UNUSED * (len(self.entries) + _FEW):
            self._close_gaps()
        self.rows.append(None)
        if len(self.rows) > len(self._ints):
            self._grow()
        return len(self.rows) - 1

    def _close_gaps(self) -> None:
        """Number the body rows anew, without those of removed bodies. The order stays."""
        used = [row for row, entry in enumerate(self.rows) if entry is not None]
        # New arrays: a world that was handed out before keeps its own. The hierarchy has the old rows.
        self._hierarchy = NO_HIERARCHY
        self._changed = set(range(len(used)))
        self._boxes = np.concatenate((self._boxes[:, used], no_boxes(_FEW)), axis=1)
        self._ints = np.concatenate((self._ints[used], np.zeros((_FEW, layout.BODY_INTS), np.int64)))
        self._poses = np.concatenate((self._poses[used], np.zeros((_FEW, layout.POSE))))
        self.filters.renumber({row: number for number, row in enumerate(used)})
        self.rows = [self.rows[row] for row in used]
        for row, entry in enumerate(self.rows):
            if entry is not None:
                entry.row, entry.rows = row, np.array([row])

    def _grow(self) -> None:
        """Make room for twice as many bodies."""
        self._boxes = np.concatenate((self._boxes, no_boxes(len(self._ints))), axis=1)
        self._ints = np.concatenate((self._ints, np.zeros_like(self._ints)))
        self._poses = np.concatenate((self._poses, np.zeros_like(self._poses)))

    def _enter(self, entry: Entry, row: int, group: int) -> None:
        """Give a body a row, and write it there."""
        entry.row = row
        self.rows[row] = entry
        self._note_padding(entry)
        entry.rows = np.array([row])
        self._ints[entry.row, layout.ID] = entry.id
        self._ints[entry.row, layout.GROUP] = group
        self._ints[entry.row, layout.IGNORES] = self.filters.mask(group)
        self._ints[entry.row, layout.SHAPE] = entry.shape_row


def check_live(entry: Entry, name: str) -> None:
    """Raise if a body cannot deform. name: what the message begins with."""
    if not can_deform(entry.shape):
        raise InvalidGeometry(
            f"{name}{entry} is a {type(entry.shape).__name__}; only a Mesh or a PointCloud can deform"
            + ("; edit the volume itself: volume[...] = values" if isinstance(entry.shape, Volume) else "")
        )


def check_count(entry: Entry, count: int, name: str) -> None:
    """Raise if a body does not have this number of vertices."""
    if count != len(entry.shape.vertices):
        raise InvalidGeometry(
            f"{name}: {entry} has {len(entry.shape.vertices)}, got {count}; assign .shape to change the number"
        )


def sound_points(value: ArrayLike, name: str) -> NDArray[np.float64]:
    """Return value as an (n, 3) float64 array of finite points, not copied if it is one already."""
    if isinstance(value, np.ndarray) and value.dtype == np.float64 and not isinstance(value, np.ma.MaskedArray):
        plain = np.asarray(value)
        usual = plain.ndim == 2 and plain.shape[1] == 3 and plain.flags.c_contiguous
        if usual and body_kernels().unsound(plain, checks.LARGEST) < 0:
            return plain
    return checks.points(value, name, InvalidGeometry)


def rows_of(entries: Sequence[Entry]) -> NDArray[np.int64]:
    """Return the body rows of entries."""
    return entries[0].rows if len(entries) == 1 else np.array([entry.row for entry in entries], np.int64)
