"""Bodies: a shape with a pose. `Body` is the public object; `Entry` holds its data in the scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidGeometry, InvalidPose, UnknownBody
from ..shapes import Shape, Volume

if TYPE_CHECKING:
    from ..scene import Scene
    from .store import Store


class Entry:
    """Data of a body in a scene. Only the store and its parts change it."""

    __slots__ = (
        "body",
        "deformed",
        "group",
        "holder",
        "id",
        "name",
        "pose",
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
        self.id = number
        self.name = name
        self.shape = shape
        """The shape as given; the vertices of a deformed body are in the arena."""
        self.volume = shape if isinstance(shape, Volume) else None
        """Its shape, if that is a Volume."""
        self.pose = pose
        self.group = group
        self.row = -1
        """Body row in the World."""
        self.rows = np.empty(0, np.int64)
        """The same as an array, for kernels that take several."""
        self.shape_row = -1
        """Row of its geometry in the arena."""
        self.version = 0
        """Number of changes of its geometry."""
        self.deformed = False
        self.holder = ""
        """Name of the robot that it belongs to; empty if none."""
        self.body = Body(self)

    def home(self) -> Store:
        """Return its store, or raise UnknownBody if the body was removed."""
        if self.store is None:
            raise UnknownBody(f"{self} was removed from its scene")
        return self.store

    def __str__(self) -> str:
        return f"body {self.id} ({self.name!r})"


class Body:
    """A shape with a pose in a scene. Made by `Scene.add`."""

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
        """Local to world, shape (4, 4), read-only. Assign a 4x4 matrix, or three numbers for a position."""
        return self._entry.pose

    @pose.setter
    def pose(self, value: ArrayLike) -> None:
        entry = self._entry
        store = entry.home()
        if value is not None and entry.holder:
            raise InvalidPose(f"pose: body {entry.name!r} is a part of robot {entry.holder!r}, whose joints and pose move it")
        store.put(entry, checks.given_pose(value))

    @property
    def shape(self) -> Shape:
        """Its shape, with its current vertices. Assign another shape to change the faces too; the pose stays."""
        shape = self._entry.shape
        return shape.with_vertices(self.vertices.copy()) if self._entry.deformed else shape

    @shape.setter
    def shape(self, value: Shape) -> None:
        store = self._entry.home()
        if not isinstance(value, Shape):
            raise InvalidGeometry(f"shape: expected a Shape, got {checks.shown(value)}")
        store.reshape(self._entry, value)

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

    def __repr__(self) -> str:
        where = "" if self._entry.store is not None else ", removed"
        return f"<Body {self._entry.id} {self._entry.name!r}: {self._entry.shape!r}{where}>"


def entry_of(body: Body) -> Entry:
    """Return the entry of a body."""
    return body._entry  # noqa: SLF001  (the only access from a body to its entry)
