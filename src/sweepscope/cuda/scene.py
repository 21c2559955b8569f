"""A scene on the card: its arrays, uploaded once, and again what has changed."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ..kernels import layout as at
from ..kernels.base.blocks import BLOCK, LEAF
from .card import card, launch

if TYPE_CHECKING:
    from ..world.hierarchy import Hierarchy
    from ..world.store import Store
    from ..world.world import World

_LEAVES = BLOCK // LEAF

_scenes: WeakKeyDictionary[Store, SceneOnCard] = WeakKeyDictionary()
_lock = threading.Lock()  # several threads may ask about one scene


class Stamp(NamedTuple):
    """What tells whether a scene has changed. Its geometry is another object after new shapes, and is compared by identity."""

    geometry: int
    shapes: list[tuple[int, int]]
    """Each body, and how often its shape was changed."""
    bodies: tuple[int, int]
    """How often bodies, and what ignores what, were changed."""


def stamp_of(store: Store, world: World) -> Stamp:
    """Return the stamp of a scene."""
    shapes = [(entry.id, entry.version) for entry in store.entries.values()]
    return Stamp(id(world.geometry), shapes, (store.revision, store.filters.version))


class SceneOnCard:
    """Arrays of a scene in the card's memory. `scene_on_card` returns it, up to date."""

    def __init__(self) -> None:
        self._stamp: Stamp | None = None
        self._host: Any = None  # the geometry of the stamp: while it is kept, no other has its identity
        self._geometry: list[Any] = []
        self._world: tuple[Any, ...] = ()
        self._table: Any = None
        self._flat: tuple[Any, ...] = ()

    def update(self, store: Store, world: World, hierarchy: Hierarchy) -> None:
        """Upload what has changed. All shapes are ready."""
        stamp, known = stamp_of(store, world), self._stamp
        if stamp == known:
            return
        self._stamp = None  # until all is uploaded
        if known is None or stamp[:2] != known[:2]:
            self._upload_shapes(world)
            self._host = world.geometry
        put = card().arrays.asarray
        self._world = put(world.bodies), put(world.poses), put(world.boxes), world.rows, *map(put, hierarchy)
        card().arrays.cuda.get_current_stream().synchronize()  # other streams may ask next
        self._stamp = stamp

    def _upload_shapes(self, world: World) -> None:
        from . import kernels

        arrays, geometry = card().arrays, world.geometry
        nodes = len(geometry.nodes)
        owners = np.full(nodes, -1)
        shown = world.boxes[0, : world.rows] <= world.boxes[3, : world.rows]
        for shape in np.unique(world.bodies[: world.rows, at.SHAPE][shown]).tolist():
            first = geometry.shape_ints[shape, at.NODE]
            owners[first : first + -(-geometry.shape_ints[shape, at.FACES] // BLOCK)] = shape
        self._geometry = [arrays.asarray(array) for array in geometry]
        self._table = arrays.asarray([(array.data.ptr, len(array)) for array in self._geometry], dtype=np.int64)
        self._flat = arrays.zeros((3 * BLOCK * nodes, 3)), arrays.zeros((_LEAVES * nodes, 6))
        launch(kernels.flatten_shapes, nodes * _LEAVES, self._table, arrays.asarray(owners), *self._flat)

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The first arguments of every kernel."""
        return self._table, *self._world, *self._flat


def scene_on_card(store: Store, world: World, hierarchy: Hierarchy) -> SceneOnCard:
    """Return a scene on the card, up to date."""
    with _lock:
        found = _scenes.get(store)
        if found is None:
            found = _scenes[store] = SceneOnCard()
        found.update(store, world, hierarchy)
        return found
