"""A scene on the card: its arrays, uploaded once, and again what has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
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


class SceneOnCard:
    """Arrays of a scene in the card's memory. `scene_on_card` returns it, up to date."""

    def __init__(self) -> None:
        self._shapes: Any = None  # what tells whether shapes have changed
        self._geometry: list[Any] = []
        self._revision = -1
        self._world: tuple[Any, ...] = ()
        self._table: Any = None
        self._flat: tuple[Any, ...] = ()

    def update(self, store: Store, world: World, hierarchy: Hierarchy) -> None:
        """Upload what has changed. All shapes are ready."""
        shapes = world.geometry, [(entry.id, entry.version) for entry in store.entries.values()]
        changed = self._shapes is None or self._shapes[0] is not shapes[0] or self._shapes[1] != shapes[1]
        if changed:
            self._upload_shapes(world)
            self._shapes = shapes
        if changed or self._revision != store.revision:
            put = card().arrays.asarray
            self._world = put(world.bodies), put(world.poses), put(world.boxes), world.rows, *map(put, hierarchy)
            self._revision = store.revision

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
    found = _scenes.get(store)
    if found is None:
        found = _scenes[store] = SceneOnCard()
    found.update(store, world, hierarchy)
    return found
