"""Arrangements: bodies of a scene at their poses or at others, as pictures draw them. The scene itself does not change."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..kernels import layout
from ..queries.look import check_count, look_at
from ..scene import store_of
from ..shapes import Shape
from ..shapes.base import is_padded, with_radius
from ..world.body import Body, entry_of
from ..world.store import rows_of

if TYPE_CHECKING:
    from ..queries.view import View
    from ..scene import Scene
    from ..world.store import Store
    from ..world.world import World

_Array = NDArray[np.float64]
_Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A body at a pose. It has what is drawn of a `Body`."""

    body: Body
    shape: Shape
    pose: _Array
    """Local to world, shape (4, 4)."""
    bounds: _Array
    """Lowest and highest corner [length], shape (2, 3), world; NaN if it is empty."""

    @property
    def id(self) -> int:
        """Id of the body."""
        return self.body.id


class Arrangement:
    """Bodies of one scene, each at a pose. A body may be there several times."""

    __slots__ = ("_store", "_world", "bodies")

    def __init__(self, store: Store, world: World, bodies: Sequence[Placed]) -> None:
        """Set the bodies; row k of the world is bodies[k], and its id is k."""
        self._store = store
        self._world = world
        self.bodies = bodies

    def look(self, view: View, pixels: tuple[int, int], hidden: Sequence[int] = ()) -> tuple[_Array, _Ints, _Ints, list[int]]:
        """Look through a view. Return images of depth, of bodies and of faces, and which bodies are visible.

        Bodies are given by their index, -1 where no body is. pixels: columns and rows. hidden: bodies that are left out.
        """
        depth, ids, faces, counts, _ = look_at(self._store, self._world, view, pixels, hidden=hidden)
        return depth, ids, faces, np.flatnonzero(counts).tolist()

    def without(self, bodies: Collection[Body]) -> Arrangement:
        """Return the arrangement without some bodies."""
        left_out = set(bodies)
        return self._kept([k for k, placed in enumerate(self.bodies) if placed.body not in left_out])

    def only(self, bodies: Collection[Body]) -> Arrangement:
        """Return the arrangement of some of the bodies."""
        kept = set(bodies)
        return self._kept([k for k, placed in enumerate(self.bodies) if placed.body in kept])

    def moved(self, poses: Mapping[Body, _Array]) -> Arrangement:
        """Return the arrangement with some bodies at other poses."""
        rows = {k: poses[placed.body] for k, placed in enumerate(self.bodies) if placed.body in poses}
        world, bodies = self._world.moved(rows), list(self.bodies)
        for k, pose in rows.items():
            bodies[k] = replace(bodies[k], pose=pose, bounds=_bounds(world, k))
        return Arrangement(self._store, world, bodies)

    def _kept(self, rows: Sequence[int]) -> Arrangement:
        return Arrangement(self._store, _numbered(self._world, np.array(rows, np.int64)), [self.bodies[k] for k in rows])


def arrange(scene: Scene, ignore: Iterable[Body] = ()) -> Arrangement:
    """Return the bodies of a scene, without some, where they are."""
    left_out = set(ignore)
    bodies = [body for body in scene if body not in left_out]
    return arrange_at(scene, bodies, [body.pose for body in bodies])


def arrange_at(scene: Scene, bodies: Sequence[Body], poses: Sequence[_Array]) -> Arrangement:
    """Return bodies of a scene at poses, world. The same body may be given several times."""
    store = store_of(scene)
    check_count(len(bodies))
    store.surfaces.refresh()
    rows = rows_of([entry_of(body) for body in bodies])
    world = _numbered(store.world(), rows).moved(dict(enumerate(poses)))
    placed = [
        Placed(body, _without_padding(body.shape), pose, _bounds(world, k))
        for k, (body, pose) in enumerate(zip(bodies, poses, strict=True))
    ]
    return Arrangement(store, world, placed)


def _numbered(world: World, rows: NDArray[np.int64]) -> World:
    """Return a world with these bodies only, whose ids are their indices: a body may be there several times."""
    found = world.only(rows)
    found.bodies[:, layout.ID] = np.arange(found.rows)
    return found


def _without_padding(shape: Shape) -> Shape:
    """Return a shape as it is drawn: triangles without their radius."""
    return with_radius(shape, 0.0) if is_padded(shape) else shape


def _bounds(world: World, row: int) -> _Array:
    box = world.boxes[:, row].reshape(2, 3)
    return box if box[0, 0] <= box[1, 0] else np.full((2, 3), np.nan)
