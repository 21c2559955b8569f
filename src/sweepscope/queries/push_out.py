"""A way out of an overlap: the shortest straight motion that is found.

Along a direction the way out is found backwards: the mover is put where it is free, and swept in. What is left of the way at
the first contact is the exit, exact for this direction. So every exit is an answer of the sweep, and it is checked that nothing
overlaps there.

Which directions? For convex bodies the depth is known (`convex_axes`), with the direction. It is a lower bound for all motions:
a motion of that length which leads out of everything is the shortest. Otherwise many directions are tried: ways out of convex
pairs, normals of faces and of contacts, axes, and their least combinations; then directions around the best one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidQuery
from ..motion import Translate, frame_of
from ..results import Hit, PushOutResult
from ..world.store import rows_of
from ..world.surfaces import PAST, corners_of
from .convex_axes import Convex, convex_of, ways_out
from .overlap_in_scene import first_overlap
from .sweep import contact_in

if TYPE_CHECKING:
    from ..world.body import Body, Entry
    from ..world.store import Store
    from ..world.world import World

Floats = NDArray[np.float64]

_MOST_OVERLAPS = 32  # whose faces, axes and ways out are tried
_AXES_OF_A_PAIR = 12  # ways out of a convex pair that are tried
_MOST_AXES = 4096  # of a convex pair that are looked through for different ones
_COMBINED_PAIRS = 4  # the deepest convex pairs, whose ways out are combined
_COMBINED_WAYS = {2: 6, 3: 3}  # ways out of each that are combined in twos and in threes
_COMBINED_CONTACTS = 6  # contacts of the shortest ways that are combined
_MOST_NORMALS = 200  # of a body's faces
_COARSE = 0.05  # normals of faces that differ by less are one, if there are too many
_FINE = 1e-7  # directions that differ by less are one
_WIDER = 4.0  # how much farther to look if no way out was found
_HALVINGS = 5  # of a way, to find a shorter one
_NUDGES = 4  # how often an exit that rounding has put inside is moved out
_TURNS = (0.5, 0.25, 0.12, 0.06, 0.03, 0.015, 0.008, 0.004, 0.002, 0.001)  # radians around the best direction
_SPIRAL = 100  # directions all around
_AROUND = 6  # directions at each of these angles
_MOST_STEPS = 4  # by one of these angles
_MOST_ROUNDS = 12  # of contact normals
_MOST_IN_THE_WAY = 16  # bodies that are met on a way out
_SPREAD = np.array([each for each in product((-1.0, 0.0, 1.0), repeat=3) if any(each)])


@dataclass(frozen=True, slots=True)
class _Exit:
    """A way out: where it ends, and the contact there."""

    vector: Floats
    """Shape (3,) [length], world."""
    normal: Floats
    """Of the contact at its end: unit, shape (3,), world; NaN if there is none."""

    @property
    def length(self) -> float:
        return float(np.linalg.norm(self.vector))


@dataclass(frozen=True, slots=True)
class _Overlap:
    """A mover and an obstacle that overlap at the start."""

    mover: Entry
    obstacle: Entry
    axes: Floats
    """Ways out of the pair alone if both are convex, shortest first: unit, shape (a, 3), world."""
    lengths: Floats
    """Their lengths [length], shape (a,); empty if the pair is not convex."""


def push_out(store: Store, mover: Body | Sequence[Body], *, margin: float, ignore: Iterable[Body]) -> PushOutResult | None:
    """Answer `Scene.push_out`."""
    movers = store.check_movers(mover)
    gap = checks.length(margin, "margin", InvalidQuery)
    rows = rows_of(movers)
    ignored_pairs = store.filters.ignored_pairs(rows, store.check_ignored(ignore))
    store.check_tolerance(rows)
    return way_out(store, movers, gap, ignored_pairs)


def way_out(store: Store, movers: list[Entry], margin: float, ignored_pairs: NDArray[np.int64]) -> PushOutResult | None:
    """Answer it with checked arguments."""
    bodies = tuple(mover.body for mover in movers)
    search = _Search(store, movers, margin, ignored_pairs)
    if not search.overlaps:
        return PushOutResult(Translate((0.0, 0.0, 0.0)), True, (), bodies)
    found = search.shortest()
    if found is None:
        return None
    obstacles = dict.fromkeys(overlap.obstacle.body for overlap in search.overlaps)
    exact = found.length <= search.bound + search.touch
    return PushOutResult(Translate(found.vector), exact, tuple(obstacles), bodies)


class _Search:
    """One question: where the movers are, what they overlap, and the best way out so far."""

    def __init__(self, store: Store, movers: list[Entry], margin: float, ignored_pairs: NDArray[np.int64]) -> None:
        self.store, self.movers, self.margin, self.ignored_pairs = store, movers, margin, ignored_pairs
        self.rows = rows_of(movers)
        self.volumes = store.surfaces.refresh()
        self.start = store.world()
        self.low, self.high = self.start.box_of(self.rows)
        self.empty = not self.low[0] <= self.high[0]
        self.touch = 0.0 if self.empty else self.start.tolerance_of(self.rows, store.tolerance, margin)
        self._reach(0.0)
        self._known: dict[int, Convex | None] = {}
        self.overlaps = list(self._overlaps())
        self.start = store.world()  # again: the parts of shapes may have been worked out meanwhile
        self.inside = [overlap.obstacle.row for overlap in self.overlaps]
        self.halvings = _HALVINGS if any(not len(each.lengths) for each in self.overlaps) else 0
        self.bound = max((float(each.lengths[0]) for each in self.overlaps if len(each.lengths)), default=0.0)
        self.best: _Exit | None = None
        self._left = self.start  # with the obstacles that overlap only
        self.contacts: list[_Exit] = []
        self.tried: set[tuple[int, int, int]] = set()

    def shortest(self) -> _Exit | None:
        """Return the shortest way out that is found; None if there is none."""
        size = float(np.linalg.norm(self.high - self.low)) + self.margin + self.touch
        self._try_all(self._convex_ways(), self.bound + size, halvings=0)
        if self._is_shortest():
            return self.best
        limit, farthest = size, self._farthest()
        while True:
            self._try_all(self._directions(), limit, self.halvings)
            if self.best is not None or limit >= farthest:
                break
            limit = min(_WIDER * limit, farthest)
            self.tried.clear()
        if self.best is not None:
            self._refine()
        return self.best

    def _is_shortest(self) -> bool:
        return self.best is not None and self.best.length <= self.bound + self.touch

    def _overlaps(self) -> Iterator[_Overlap]:
        """Yield all pairs that overlap at the start."""
        ignored_pairs = self.ignored_pairs
        while not self.empty:
            found = first_overlap(self.store, self.start, self.movers, self.margin, ignored_pairs)
            if found is None:
                return
            ignored_pairs = np.concatenate((ignored_pairs, np.array([found], np.int64)))
            yield self._overlap(*map(self.store.entry, found))

    def _overlap(self, mover: Entry, obstacle: Entry) -> _Overlap:
        one = self._convex(mover)
        two = None if one is None else self._convex(obstacle)
        ways = None if one is None or two is None else ways_out(one, two, self.margin)
        axes, lengths = (np.zeros((0, 3)), np.zeros(0)) if ways is None else ways
        return _Overlap(mover, obstacle, axes, lengths)

    def _convex(self, entry: Entry) -> Convex | None:
        """Return a body as a convex one, relative to the first mover; None if it is not."""
        if entry.row not in self._known:
            self._known[entry.row] = convex_of(self.store, entry, self.movers[0].pose[:3, 3])
        return self._known[entry.row]

    def _reach(self, far: float) -> None:
        """Give volumes the surface that movers can reach when they go this far."""
        if self.volumes and not self.empty:
            wide = far + self.margin + PAST * self.touch
            self.store.surfaces.make_reached(corners_of(self.low, self.high), wide, self.movers)
            self.start = self.store.world()

    def _farthest(self) -> float:
        """Return a distance [length] at which the movers are beyond all bodies, whatever the direction."""
        low, high = self.start.box_of(np.arange(self.start.rows))
        apart = np.linalg.norm(np.maximum(high - self.low, self.high - low))
        return float(apart) + 2.0 * self.margin + PAST * self.touch

    def _contact(self, world: World, motion: Translate, ignored_pairs: NDArray[np.int64]) -> Hit | None:
        """Return the first contact in a world in which the movers are elsewhere, as a sweep of the scene would."""
        return contact_in(self.store, world, self.movers, motion, self.margin, ignored_pairs)

    def _at(self, world: World, shift: Floats) -> World:
        """Return a world in which the movers are elsewhere."""
        at = Translate(shift).at()
        return world.moved({mover.row: at @ mover.pose for mover in self.movers})

    def _from(self, world: World, shift: Floats, motion: Translate) -> Hit | None:
        """Return the first contact of a motion that starts elsewhere."""
        return self._contact(self._at(world, shift), motion, self.ignored_pairs)

    def _overlapping(self, world: World, shift: Floats) -> Entry | None:
        """Return a body that the movers overlap elsewhere."""
        found = first_overlap(self.store, self._at(world, shift), self.movers, self.margin, self.ignored_pairs)
        return None if found is None else self.store.entry(found[1])

    def _only(self, rows: Iterable[int]) -> World:
        """Return the world at the start with these obstacles only."""
        others = np.ones(self.start.rows, np.bool_)
        others[[*rows, *self.rows.tolist()]] = False
        return self.start.hiding(np.flatnonzero(others))

    def _try_all(self, directions: Iterable[Floats], limit: float, halvings: int) -> None:
        """Try directions, each up to the best length so far, at first up to a limit [length]."""
        self._reach(limit if self.best is None else self.best.length)
        self._left = self._only(self.inside)
        for direction in directions:
            self._try(direction, limit, halvings)
            if self._is_shortest():
                return

    def _try(self, direction: Floats, limit: float, halvings: int) -> None:
        """Look for an exit along a direction that is shorter than the best."""
        size = float(np.linalg.norm(direction))
        if not size > 0.0:
            return
        unit = direction / size
        key = tuple(np.round(unit / _FINE).astype(np.int64).tolist())
        if key in self.tried:
            return
        self.tried.add(key)
        limit = limit if self.best is None else min(limit, self.best.length)
        found = self._exit(unit, limit, halvings)
        if found is None:
            return
        self.contacts.append(found)
        if self.best is None or found.length < self.best.length:
            self.best = found

    def _exit(self, unit: Floats, limit: float, halvings: int) -> _Exit | None:
        """Return the way out along a unit vector, at most `limit` long.

        It comes in from where it is out of all that it overlaps at the start. If something else is where it ends, that counts
        too. Shorter ways may end in a room or in a hole, not in a convex body: halves of the way are tried, a number of times.
        """
        found = self._exit_from(unit, limit)
        length = limit if found is None else found.length
        for _ in range(halvings):
            length *= 0.5
            if self._overlapping(self.start, length * unit) is None:
                nearer = self._checked(unit, *self._back(self.start, length, unit))
                if isinstance(nearer, _Exit):
                    found, length = nearer, min(length, nearer.length)
        return found

    def _exit_from(self, unit: Floats, limit: float) -> _Exit | None:
        """Return the way out along a unit vector if it comes in from `limit`."""
        inside, known = list(self.inside), self._left
        for _ in range(_MOST_IN_THE_WAY):
            if self._overlapping(known, limit * unit) is not None:
                return None
            found = self._checked(unit, *self._back(known, limit, unit))
            if isinstance(found, _Exit):
                return found
            if found is None or found.row in inside:
                return None
            inside.append(found.row)
            known = self._only(inside) if len(inside) < len(self.inside) + _MOST_IN_THE_WAY - 1 else self.start
        return None

    def _back(self, world: World, length: float, unit: Floats) -> tuple[float, Floats]:
        """Return how far out the first contact is, coming in from `length`, and its normal."""
        hit = self._from(world, length * unit, Translate(-length * unit))
        if hit is None:
            # It sinks in by a tolerance or two, which a sweep along a surface may pass.
            return min(2.0 * self.touch, length), np.full(3, np.nan)
        return length - hit.travel, hit.normal

    def _checked(self, unit: Floats, length: float, normal: Floats) -> _Exit | Entry | None:
        """Return an exit if all is free there. If not, return what is in the way; None if rounding cannot be overcome."""
        there = None
        for k in range(_NUDGES):
            # Coming in ends at contact; rounding may have put it in by a hair.
            vector = (length + (2.0**k - 1.0) * self.touch) * unit
            there = self._overlapping(self.start, vector)
            if there is None:
                return _Exit(vector, normal)
        return there

    def _convex_pairs(self) -> list[_Overlap]:
        """Return the pairs of convex bodies, the deepest first."""
        return sorted((each for each in self.overlaps if len(each.lengths)), key=lambda each: -each.lengths[0])

    def _convex_ways(self) -> Iterator[Floats]:
        """Yield the shortest ways out of convex pairs: that of the deepest may lead out of all."""
        for pair in self._convex_pairs():
            yield pair.axes[0]

    def _directions(self) -> Iterator[Floats]:
        """Yield directions that may lead out, the likely ones first."""
        ways = [_different_ways(pair) for pair in self._convex_pairs()[:_MOST_OVERLAPS]]
        for some in ways:
            yield from (unit for unit, _ in some)
        for count, most in _COMBINED_WAYS.items():
            for chosen in combinations(ways[:_COMBINED_PAIRS], count):
                for each in product(*(some[:most] for some in chosen)):
                    yield from _least(each)
        middle = 0.5 * (self.low + self.high)
        likely = self.overlaps[:_MOST_OVERLAPS]
        for overlap in likely:
            box = self.start.box_of([overlap.obstacle.row])
            yield middle - 0.5 * (box[0] + box[1])
            for entry in (overlap.obstacle, overlap.mover):
                yield from entry.pose[:3, :3].T
                yield from -entry.pose[:3, :3].T
        for overlap in likely:
            if not len(overlap.lengths):
                yield from self._face_normals(overlap.obstacle, self.low, self.high)
                yield from self._face_normals(overlap.mover, *self.start.box_of([overlap.obstacle.row]))
        yield from _SPREAD

    def _face_normals(self, entry: Entry, low: Floats, high: Floats) -> Iterator[Floats]:
        """Yield normals, both signs, of a body's faces that reach into a world box, large faces first."""
        shape = entry.shape
        if entry.volume is not None or shape.radius > 0.0:
            return  # axes of its pose are tried
        local = self.store.arena.vertices(entry.shape_row) if entry.deformed else shape.vertices
        corners = (local @ entry.pose[:3, :3].T + entry.pose[:3, 3])[shape.faces]
        wide = self.margin + self.touch
        near = (corners.min(axis=1) <= high + wide).all(axis=1) & (corners.max(axis=1) >= low - wide).all(axis=1)
        corners = corners[near]
        crossed = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        size = np.linalg.norm(crossed, axis=1)
        normals = (crossed / np.where(size > 0.0, size, 1.0)[:, None])[np.argsort(-size, kind="stable")]
        for grain in (_FINE, _COARSE):
            first = np.unique(np.round(normals / grain), axis=0, return_index=True)[1]
            normals = normals[np.sort(first)]
            if len(normals) <= _MOST_NORMALS:
                break
        for normal in normals[:_MOST_NORMALS]:
            yield normal
            yield -normal

    def _refine(self) -> None:
        """Make the best way shorter: by directions all around, contact normals, their combinations, and small turns."""
        self._try_all(_all_around(), math.inf, 0)
        for _ in range(_MOST_ROUNDS):
            before = self.best
            self._try_all(list(self._contact_ways()), math.inf, 0)
            if self.best is before or self._is_shortest():
                break
        for angle in _TURNS:
            for _ in range(_MOST_STEPS):
                before = self.best
                self._try_all(list(self._around(angle)), math.inf, 0)
                if self.best is before or self._is_shortest():
                    break

    def _contact_ways(self) -> Iterator[Floats]:
        """Yield the least motions beyond the contact planes of the shortest ways, singly, in pairs and in threes."""
        ways = sorted((each for each in self.contacts if np.isfinite(each.normal).all()), key=lambda each: each.length)
        planes = [(each.normal, float(each.vector @ each.normal)) for each in ways[:_COMBINED_CONTACTS]]
        for count in (1, 2, 3):
            for chosen in combinations(planes, count):
                yield from _least(chosen)

    def _around(self, angle: float) -> Iterator[Floats]:
        """Yield directions at an angle to the best one."""
        assert self.best is not None
        unit = self.best.vector / self.best.length
        first, second = frame_of(*unit.tolist())[:6].reshape(2, 3)
        for k in range(_AROUND):
            turn = 2.0 * math.pi * k / _AROUND
            yield math.cos(angle) * unit + math.sin(angle) * (math.cos(turn) * first + math.sin(turn) * second)


def _all_around() -> Iterator[Floats]:
    """Yield directions spread evenly over the sphere, on a spiral."""
    for k in range(_SPIRAL):
        z = 1.0 - (2.0 * k + 1.0) / _SPIRAL
        wide, turn = math.sqrt(1.0 - z * z), k * math.pi * (3.0 - math.sqrt(5.0))
        yield np.array((wide * math.cos(turn), wide * math.sin(turn), z))


def _different_ways(pair: _Overlap) -> list[tuple[Floats, float]]:
    """Return the shortest ways out of a convex pair, each direction once: unit vectors and lengths."""
    some = pair.axes[:_MOST_AXES]
    first = np.sort(np.unique(np.round(some / _FINE), axis=0, return_index=True)[1])[:_AXES_OF_A_PAIR]
    return [(some[k], float(pair.lengths[k])) for k in first]


def _least(ways: Sequence[tuple[Floats, float]]) -> Iterator[Floats]:
    """Yield the shortest vector that goes a given length along each of some unit vectors; none if those are dependent."""
    units, lengths = np.array([unit for unit, _ in ways]), np.array([length for _, length in ways])
    if len(ways) == 1:
        yield units[0]
    elif np.linalg.matrix_rank(units, tol=1e-6) == len(ways):
        yield np.array(np.linalg.lstsq(units, lengths, rcond=None)[0], np.float64)
