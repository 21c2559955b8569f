"""Bodies: a shape with a pose. `Body` is the public object; `Entry` holds its data in the scene."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidGeometry, InvalidPose, NotFound
from ..shapes import Shape, Volume
from ..shapes.base import with_vertices
from ..shapes.given import ShapeLike, shape_of
from .identity import SceneIdentity, new_key, scenes_with

if TYPE_CHECKING:
    import trimesh

    from ..scene import Scene
    from .store import Store


_Reference = tuple[SceneIdentity, bytes, int, str, str, NDArray[np.float64], str]
"""A pickled body: identity of its scene, key, id, name, group, pose, shape as a text."""


class Entry:
    """Data of a body in a scene. Only the store and its parts change it."""

    __slots__ = (
        "body",
        "deformed",
        "group",
        "holder",
        "id",
        "identity",
        "key",
        "known_pose",
        "name",
        "revision",
        "row",
        "rows",
        "shape",
        "shape_row",
        "store",
        "version",
        "volume",
    )

    def __init__(self, store: Store, number: int, name: str, shape: Shape, pose: NDArray[np.float64], group: str) -> None:
        self.store: Store | None = store
        self.identity = store.identity
        self.key = new_key()
        """Tells it from all other bodies, also in other processes; its copies have the same."""
        self.id = number
        self.name = name
        self.shape = shape
        """The shape as given; the vertices of a deformed body are in the arena."""
        self.volume = shape if isinstance(shape, Volume) else None
        """Its shape, if that is a Volume."""
        self.known_pose: NDArray[np.float64] | None = pose
        """Its pose; None if it was moved with others and nobody has asked since."""
        self.group = group
        self.row = -1
        """Body row in the World."""
        self.rows = np.empty(0, np.int64)
        """The same as an array, for kernels that take several."""
        self.shape_row = -1
        """Row of its geometry in the arena."""
        self.version = 0
        """Number of changes of its geometry."""
        self.revision = 0
        """The store's revision at its last change."""
        self.deformed = False
        self.holder = ""
        """Name of the robot that it belongs to; empty if none."""
        self.body = Body(self)

    def home(self) -> Store:
        """Return its store, or raise NotFound if the body was removed."""
        if self.store is None:
            raise NotFound(f"{self} {self.gone}")
        return self.store

    state = "removed"
    """What it is without a store, in a word; `gone` says it in an error message."""
    gone = "was removed from its scene"

    @property
    def shown(self) -> str:
        """Its shape as a text."""
        return repr(self.shape)

    @property
    def pose(self) -> NDArray[np.float64]:
        """Local to world, shape (4, 4), read-only."""
        pose = self.known_pose
        if pose is None:
            pose = self.known_pose = checks.fixed(self.home().world().pose(self.row))
        return pose

    def __str__(self) -> str:
        return f"body {self.id} ({self.name!r})"


class _Absent(Entry):
    """Data of a body that was unpickled without its scene: what its reference holds."""

    __slots__ = ("_shown",)

    def __init__(self, reference: _Reference) -> None:
        self.store = None
        self.identity, self.key, self.id, self.name, self.group, pose, self._shown = reference
        self.known_pose = checks.fixed(pose)
        self.volume, self.deformed, self.holder, self.version = None, False, "", 0
        self.body = Body(self)

    @property
    def shape(self) -> Shape:
        """Raises: the shape stayed with the scene."""
        raise NotFound(f"{self} {self.gone}")

    state = "without its scene"
    gone = "came without its scene, and no scene in this process has it; pickle both together: (scene, body)"

    @property
    def shown(self) -> str:
        """Its shape as a text."""
        return self._shown


class Body:
    """A shape with a pose in a scene. Made by `Scene.add`.

    Copies and pickles of a body are references to it: see docs/travel.md.
    """

    __slots__ = ("_entry",)

    def __init__(self, entry: Entry) -> None:
        self._entry = entry

    @property
    def id(self) -> int:
        """Whole number that never changes and is never reused."""
        return self._entry.id

    @property
    def name(self) -> str:
        """Unique within its scene."""
        return self._entry.name

    @property
    def group(self) -> str:
        """Name of its group, for `Scene.ignore`; empty if none."""
        return self._entry.group

    @property
    def scene(self) -> Scene:
        """The scene that holds it."""
        return self._entry.home().scene

    @property
    def pose(self) -> NDArray[np.float64]:
        """Local to world, shape (4, 4), read-only. Assign a 4x4 or 3x4 matrix, a position, or a scipy transform."""
        return self._entry.pose

    @pose.setter
    def pose(self, value: checks.PoseLike) -> None:
        movable(self._entry).move(self._entry, value)

    @property
    def shape(self) -> Shape:
        """Its shape, with its current vertices. Assign what `Scene.add` takes to change the faces too."""
        shape = self._entry.shape
        return with_vertices(shape, self.vertices.copy()) if self._entry.deformed else shape

    @shape.setter
    def shape(self, value: ShapeLike) -> None:
        entry = self._entry
        entry.home()
        shape = shape_of(value, "shape")
        if entry.holder and isinstance(shape, Volume):
            raise InvalidGeometry(
                f"shape: {entry} is a part of robot {entry.holder!r}; a link can carry every shape but a Volume"
            )
        entry.home().reshape(entry, shape)  # again: conversions of other libraries may run code that removes the body

    @property
    def vertices(self) -> NDArray[np.float64]:
        """Vertices [length], shape (n, 3), local, read-only. Assign the same number of new ones to deform a mesh or a cloud."""
        if not self._entry.deformed:
            return self._entry.shape.vertices
        return checks.fixed(self._entry.home().arena.vertices(self._entry.shape_row))

    @vertices.setter
    def vertices(self, value: ArrayLike) -> None:
        self._entry.home().deform(self._entry, value)

    @property
    def bounds(self) -> NDArray[np.float64]:
        """Lowest and highest corner [length], shape (2, 3), world; larger than the body if that is turned."""
        return self._entry.home().bounds(self._entry)

    def to_trimesh(self) -> trimesh.Trimesh | trimesh.PointCloud:
        """Return its shape for trimesh, which must be installed, at its pose: as `Shape.to_trimesh`."""
        return self.shape.to_trimesh().apply_transform(self.pose)

    def __repr__(self) -> str:
        where = "" if self._entry.store is not None else f", {self._entry.state}"
        return f"<Body {self._entry.id} {self._entry.name!r}: {self._entry.shown}{where}>"

    def __reduce__(self) -> tuple[Any, ...]:
        entry = self._entry
        return _found, (entry.identity, entry.key, entry.id, entry.name, entry.group, entry.pose, entry.shown)


def entries_of(bodies: Iterable[Any], store: Store) -> list[Entry] | None:
    """Return the entries of several bodies; None if one of them is not a body of this store."""
    entries = []
    for body in bodies:
        if type(body) is not Body:
            return None
        entry = body._entry  # noqa: SLF001  (as in entry_of)
        if entry.store is not store:
            return None
        entries.append(entry)
    return entries


def movable(entry: Entry) -> Store:
    """Return the store of a body; raise if it was removed or belongs to a robot."""
    store = entry.home()
    if entry.holder:
        raise held(entry, "pose")
    return store


def held(entry: Entry, name: str) -> InvalidPose:
    """Return the error that a body belongs to a robot."""
    return InvalidPose(f"{name}: body {entry.name!r} is a part of robot {entry.holder!r}, whose joints and pose move it")


def entry_of(body: Body) -> Entry:
    """Return the entry of a body."""
    return body._entry  # noqa: SLF001  (the only access from a body to its entry)


def _found(*reference: *_Reference) -> Body:
    """Return the body that a pickled reference names; without its scene it still has id, name, group and pose."""
    identity, key, number, *_ = reference
    for store in scenes_with(identity) if identity.arrived is None else [identity.arrived]:
        entry = store.entries.get(number)
        if entry is not None and entry.key == key:
            return entry.body
    body = identity.waiting[key] = _Absent(reference).body
    return body


def adopt(entry: Entry, body: Body) -> None:
    """Give an entry a body that came in the same pickle, before its scene."""
    body._entry = entry  # noqa: SLF001  (as above)
    entry.body = body
