"""A robot as arrays: what kernels take. See `kernels.robot.layout` for their columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels import layout as shapes_at
from ..kernels._memory import table_of
from ..kernels.robot import layout as at
from ..queries.rows import make_ready
from .chain import place_of, pose_of

if TYPE_CHECKING:
    from ..world.body import Entry
    from ..world.filters import Filters
    from ..world.store import Store
    from ..world.world import World
    from .tree import LinkTree

_ROUNDED = 1e-14


class Arguments(NamedTuple):
    """The first arguments of kernels: `kernel(*arguments.all, ...)`. It keeps the arrays alive."""

    table: NDArray[np.int64]
    rest: tuple[Any, ...]
    """Boxes of the world, its hierarchy, and the number of its rows."""
    arrays: tuple[Any, ...]

    @property
    def all(self) -> tuple[Any, ...]:
        """Return them as a tuple."""
        return self.table, *self.rest


class Model:
    """A robot and the world around it, as kernels take them. It holds until its robot or ignored pairs change.

    `refresh` brings it up to date with the rest of the scene.
    """

    __slots__ = (
        "_arrays",
        "_geometry",
        "_owner",
        "_revision",
        "_root",
        "_stamp",
        "_tree",
        "_versions",
        "chain",
        "entries",
        "filters",
        "rest",
        "rows",
        "size",
        "table",
        "world",
    )

    def __init__(self, tree: LinkTree) -> None:
        self._tree, self._stamp = tree, _stamp(tree)
        self.chain = tree.chain()
        self.entries: list[Entry] = tree.entries(tree.links.values())
        """Bodies of the robot, in the order of pieces."""
        self.filters = tree.store.filters
        self.size = 0.0
        """Diagonal of a box around the robot with all joints at 0, or at the limit nearest to it [length]."""
        self.rows = np.array([entry.row for entry in self.entries], np.int64)
        self._revision, self._geometry, self._root = -1, None, None
        self.world: World = None  # type: ignore[assignment]  # `refresh` follows
        self._versions: list[int] = []

    def holds(self) -> bool:
        """True if neither the robot nor ignored pairs have changed."""
        return self._stamp == _stamp(self._tree)

    def refresh(self) -> None:
        """Make all shapes ready, and list the arrays of kernels anew if anything in the scene has changed."""
        with self._tree.store.arena.lock:
            self._refresh(self._tree.store)

    def _refresh(self, store: Store) -> None:
        if store.surfaces.refresh():
            store.surfaces.make_whole()
        arena = store.arena
        if self._tree.root is not self._root:
            self._root = self._tree.root
            self.chain.set_root(self._root)
        if (
            self._revision == store.revision
            and not arena.pending
            and self._geometry is arena.geometry
            and self.world is store.world()
        ):
            return
        revision = store.revision
        world = store.world()
        if arena.pending:
            world = make_ready(store, np.flatnonzero(world.boxes[0, : world.rows] <= world.boxes[3, : world.rows]).tolist())
        shapes = world.bodies[: world.rows, shapes_at.SHAPE]
        old = shapes[arena.geometry.shape_ints[shapes, shapes_at.GROUPED] == 0]
        used = [entry.shape_row for entry in store.entries.values()] if len(old) else []
        geometry, groups = arena.grouped(used)
        world = store.world()
        versions = [entry.version for entry in self.entries]
        if versions != self._versions or self._geometry is not geometry or self.world is not world:
            self._versions = versions
            self._list(world, groups)
        self.rest = (*world[3:4], *store.hierarchy(), world.rows)
        self._revision, self._geometry, self.world = revision, geometry, world

    def without(self, ignored: list[int]) -> Arguments:
        """Return the first arguments of kernels, with some body rows hidden."""
        if not ignored:
            return Arguments(self.table, self.rest, self._arrays)
        owner = self._owner.copy()
        owner[ignored] = at.HIDDEN
        arrays = (*self._arrays[:-2], owner, self._arrays[-1])
        return Arguments(table_of(arrays), self.rest, arrays)

    def link_of_rows(self) -> tuple[tuple[str, ...], NDArray[np.int64]]:
        """Return the names of all links, and for each body row, and one more, the link that it belongs to; -1 if to none."""
        links = np.full(len(self._owner) + 1, -1, np.int64)
        tree = self._tree
        for link, k in self.chain.links.items():
            for entry, _ in tree.pieces[link]:
                links[entry.row] = k
        return tuple(link.name for link in self.chain.links), links

    def _list(self, world: World, groups: NDArray[np.float64]) -> None:
        """Write the arrays of pieces and pairs, and list all arrays."""
        chain, filters = self.chain, self.filters
        pieces, reals = self._pieces(world)
        ignored, begins, counts = filters.ignored_of_each(self.rows, [])
        pieces[:, at.SKIP], pieces[:, at.SKIPS] = begins, counts
        owner = np.full(world.rows, at.OBSTACLE, np.int64)
        owner[self.rows] = np.arange(len(self.rows))
        params = np.array([self._tree.store.tolerance])
        arrays = (
            *world.geometry,
            groups.reshape(-1),
            world.bodies,
            world.poses,
            chain.ints,
            chain.reals,
            chain.paths.reshape(-1),
            pieces,
            reals,
            pairs_of(filters, world, pieces, self.rows, chain.paths),
            ignored,
            owner,
            params,
        )
        self._arrays, self._owner = arrays, owner
        self.table = table_of(arrays)

    def _pieces(self, world: World) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the rows of pieces."""
        ints, reals = np.zeros((len(self.entries), at.PIECE_INTS), np.int64), np.zeros((len(self.entries), at.PIECE_REALS))
        tree, geometry, n = self._tree, world.geometry, 0
        home = self.chain.poses(np.clip(np.zeros((1, len(self.chain.low))), self.chain.low, self.chain.high), np.eye(4))[0]
        low, high = np.full(3, np.inf), np.full(3, -np.inf)
        for link, k in self.chain.links.items():
            joint = int(self.chain.carriers[k])
            for entry, local in tree.pieces[link]:
                s = entry.shape_row
                ints[n, at.ROW], ints[n, at.SHAPE], ints[n, at.JOINT] = entry.row, s, joint
                place = pose_of(self.chain.locals[k]) @ local
                place[:3, 3] += place[:3, :3] @ geometry.shape_reals[s, shapes_at.CENTER : shapes_at.CENTER + 3]
                reals[n, at.LOCAL : at.MIDDLE] = place_of(place)
                middle, ball = ball_of(geometry, s)
                reals[n, at.MIDDLE : at.BALL], reals[n, at.BALL] = middle, ball
                center = place[:3, :3] @ middle + place[:3, 3]
                reals[n, at.OFF_AXIS], reals[n, at.OFF_ORIGIN] = np.hypot(*center[:2]), np.linalg.norm(center)
                there = home[k] @ local
                there = (
                    there[:3, :3] @ (geometry.shape_reals[s, shapes_at.CENTER : shapes_at.CENTER + 3] + middle) + there[:3, 3]
                )
                low, high = np.minimum(low, there - ball), np.maximum(high, there + ball)
                n += 1
        self.size = float(np.linalg.norm(high - low)) if n else 0.0
        return ints, reals


def model_of(tree: LinkTree) -> Model:
    """Return the arrays of a robot, up to date."""
    model = tree.model
    if model is None or not model.holds():
        model = tree.model = Model(tree)
    model.refresh()
    return model


def pairs_of(
    filters: Filters,
    world: World,
    pieces: NDArray[np.int64],
    rows: NDArray[np.int64],
    paths: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return the pairs of pieces that joints move relative to each other, and that do not ignore each other.

    rows: their body rows. paths: for each joint the rows of those that carry it.
    """
    first, second = np.triu_indices(len(pieces), 1)
    one, other = pieces[first, at.JOINT], pieces[second, at.JOINT]
    faces = world.geometry.shape_ints[pieces[:, at.SHAPE], shapes_at.FACES] > 0
    bodies = world.bodies[rows]
    group, mask = bodies[:, shapes_at.GROUP], bodies[:, shapes_at.IGNORES]
    kept = (one != other) & faces[first] & faces[second] & ((mask[second] >> group[first]) & 1 == 0)
    first, second = first[kept], second[kept]
    kept = filters.without_pairs(rows[first], rows[second], world.rows)
    first, second = first[kept], second[kept]
    one, other = paths[pieces[first, at.JOINT]], paths[pieces[second, at.JOINT]]
    # Paths are filled up with row 0, the world.
    shared = np.cumprod((one == other) & (one > 0), axis=1).sum(axis=1)
    return np.ascontiguousarray(np.column_stack((first, second, shared)).astype(np.int64))


def _stamp(tree: LinkTree) -> tuple[Any, ...]:
    return tree.version, tree.store.filters.version


def ball_of(geometry: shapes_at.Geometry, s: int) -> tuple[NDArray[np.float64], float]:
    """Return center and radius of a ball around a shape [length], relative to its center, in its frame."""
    ints, reals = geometry.shape_ints[s], geometry.shape_reals[s]
    if not reals[shapes_at.BOX_LOW] <= reals[shapes_at.BOX_HIGH]:
        return np.zeros(3), 0.0
    middle = 0.5 * (reals[shapes_at.BOX_LOW : shapes_at.BOX_LOW + 3] + reals[shapes_at.BOX_HIGH : shapes_at.BOX_HIGH + 3])
    first = ints[shapes_at.VERTEX]
    away = geometry.vertices[first : first + ints[shapes_at.VERTICES]] - middle
    far = float(np.sqrt(np.square(away).sum(axis=1).max())) + reals[shapes_at.RADIUS]
    return middle, far * (1.0 + _ROUNDED)
