"""CollisionManager: the names of `trimesh.collision.CollisionManager`, backed by a Scene."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar, overload

from .. import checks
from ..errors import InvalidType
from ..scene import Scene
from ..shapes.given import ShapeLike, shape_of
from .collision_data import ContactData, DistanceData, contact_of_patch, distance_of_contact, distance_of_pair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..motion import Motion
    from ..results import Hit
    from ..world.body import Body

_EXTERNAL = "__external"  # what trimesh calls the object that is not in the manager
_Name = TypeVar("_Name", str, tuple[str, str])
_Answer: TypeAlias = (
    "bool | tuple[bool, set[_Name]] | tuple[bool, list[ContactData]] | tuple[bool, set[_Name], list[ContactData]]"
)
_Distance: TypeAlias = (
    "float | tuple[float, _Name | None] | tuple[float, DistanceData | None] | tuple[float, _Name | None, DistanceData | None]"
)


class CollisionManager:
    """Named objects, whether they collide and how far apart they are: the methods of trimesh's class, without python-fcl.

    Colliding is overlapping by more than the scene's tolerance; objects that only touch do not collide. A closed mesh is solid,
    so objects inside it collide, also if the mesh is not convex. What a method returns depends on its arguments, as in trimesh.

    A manager changes with its `scene`, the Scene that holds the objects as bodies, and the other way round. Methods that take
    an object which is not in the manager add it to the scene while they run: call them from one thread.
    """

    __slots__ = ("_scene",)

    def __init__(self, scene: Scene | None = None) -> None:
        if scene is not None and not isinstance(scene, Scene):
            raise InvalidType(
                f"scene: expected a Scene, got {checks.shown(scene)}; Scene.from_trimesh(...) takes a trimesh.Scene"
            )
        self._scene = Scene() if scene is None else scene

    @property
    def scene(self) -> Scene:
        """The scene that holds the objects, each as a body of the same name: all other questions are asked there."""
        return self._scene

    def add_object(self, name: str, mesh: ShapeLike, transform: checks.PoseLike | None = None) -> Body:
        """Add an object, or replace the one of this name. mesh: whatever `Scene.add` takes. Return its body."""
        shape, pose = shape_of(mesh, "mesh"), checks.pose(transform, "transform")
        if any(body.name == name for body in self._scene):
            self._scene.remove(self._scene[name])
        return self._scene.add(shape, pose, name=name)

    def remove_object(self, name: str) -> None:
        """Remove an object."""
        self._scene.remove(self._body(name))

    def set_transform(self, name: str, transform: checks.PoseLike) -> None:
        """Move an object to a pose."""
        self._body(name).pose = transform

    @overload
    def in_collision_single(
        self,
        mesh: ShapeLike,
        transform: checks.PoseLike | None = None,
        *,
        return_names: Literal[False] = False,
        return_data: Literal[False] = False,
    ) -> bool: ...

    @overload
    def in_collision_single(
        self,
        mesh: ShapeLike,
        transform: checks.PoseLike | None = None,
        *,
        return_names: Literal[True],
        return_data: Literal[False] = False,
    ) -> tuple[bool, set[str]]: ...

    @overload
    def in_collision_single(
        self,
        mesh: ShapeLike,
        transform: checks.PoseLike | None = None,
        *,
        return_names: Literal[False] = False,
        return_data: Literal[True],
    ) -> tuple[bool, list[ContactData]]: ...

    @overload
    def in_collision_single(
        self,
        mesh: ShapeLike,
        transform: checks.PoseLike | None = None,
        *,
        return_names: Literal[True],
        return_data: Literal[True],
    ) -> tuple[bool, set[str], list[ContactData]]: ...

    def in_collision_single(
        self, mesh: ShapeLike, transform: checks.PoseLike | None = None, return_names: bool = False, return_data: bool = False
    ) -> _Answer[str]:
        """Tell whether another object collides with any of these: a bool.

        Or a tuple: the bool, then the set of names if `return_names`, then a list of ContactData if `return_data`, in which the
        other object is called "__external". If you ask often, make its shape once, with `Mesh.from_object`.
        """
        with self._with_object(mesh, transform) as body:
            pairs = self._overlaps([body])
            data = self._contacts(pairs, {body: _EXTERNAL}) if return_data else []
        return _answer({other.name for _, other in pairs}, data, return_names, return_data)

    @overload
    def in_collision_internal(self, return_names: Literal[False] = False, return_data: Literal[False] = False) -> bool: ...

    @overload
    def in_collision_internal(
        self, return_names: Literal[True], return_data: Literal[False] = False
    ) -> tuple[bool, set[tuple[str, str]]]: ...

    @overload
    def in_collision_internal(
        self, return_names: Literal[False] = False, *, return_data: Literal[True]
    ) -> tuple[bool, list[ContactData]]: ...

    @overload
    def in_collision_internal(
        self, return_names: Literal[True], return_data: Literal[True]
    ) -> tuple[bool, set[tuple[str, str]], list[ContactData]]: ...

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> _Answer[tuple[str, str]]:
        """Tell whether any two of these objects collide: a bool.

        Or a tuple: the bool, then the set of pairs of names, each in alphabetical order, if `return_names`, then a list of
        ContactData if `return_data`. Pairs that the scene ignores are left out.
        """
        pairs = self._overlaps(None)
        data = self._contacts(pairs, {}) if return_data else []
        return _answer({_sorted(one.name, two.name) for one, two in pairs}, data, return_names, return_data)

    @overload
    def in_collision_other(
        self, other_manager: CollisionManager, return_names: Literal[False] = False, return_data: Literal[False] = False
    ) -> bool: ...

    @overload
    def in_collision_other(
        self, other_manager: CollisionManager, return_names: Literal[True], return_data: Literal[False] = False
    ) -> tuple[bool, set[tuple[str, str]]]: ...

    @overload
    def in_collision_other(
        self, other_manager: CollisionManager, return_names: Literal[False] = False, *, return_data: Literal[True]
    ) -> tuple[bool, list[ContactData]]: ...

    @overload
    def in_collision_other(
        self, other_manager: CollisionManager, return_names: Literal[True], return_data: Literal[True]
    ) -> tuple[bool, set[tuple[str, str]], list[ContactData]]: ...

    def in_collision_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> _Answer[tuple[str, str]]:
        """Tell whether any object of this manager collides with any of another: a bool.

        Or a tuple: the bool, then the set of pairs of names, the first from this manager, if `return_names`, then a list of
        ContactData if `return_data`.
        """
        with self._with_objects_of(other_manager) as names:
            pairs = self._overlaps(list(names))
            found = {(mine.name, names[body]) for body, mine in pairs}
            data = self._contacts(pairs, names) if return_data else []
        return _answer(found, data, return_names, return_data)

    @overload
    def min_distance_single(
        self,
        mesh: ShapeLike,
        transform: checks.PoseLike | None = None,
        *,
        return_name: Literal[False] = False,
        return_data: Literal[False] = False,
    ) -> float: ...

    @overload
    def min_distance_single(
        self,
        mesh: ShapeLike,
        transform: checks.PoseLike | None = None,
        *,
        return_name: Literal[True],
        return_data: Literal[False] = False,
    ) -> tuple[float, str | None]: ...

    @overload
    def min_distance_single(
        self,
        mesh: ShapeLike,
        transform: checks.PoseLike | None = None,
        *,
        return_name: Literal[False] = False,
        return_data: Literal[True],
    ) -> tuple[float, DistanceData | None]: ...

    @overload
    def min_distance_single(
        self,
        mesh: ShapeLike,
        transform: checks.PoseLike | None = None,
        *,
        return_name: Literal[True],
        return_data: Literal[True],
    ) -> tuple[float, str | None, DistanceData | None]: ...

    def min_distance_single(
        self, mesh: ShapeLike, transform: checks.PoseLike | None = None, return_name: bool = False, return_data: bool = False
    ) -> _Distance[str]:
        """Return how far another object is from the nearest of these [length]: a float, negative if it collides.

        Then it is minus the depth of the deepest: see `DistanceData.distance`. Or a tuple: the distance, then the name of the
        nearest if `return_name`, then DistanceData if `return_data`, in which the other object is called "__external". Without
        objects the distance is infinite, name and data are None.
        """
        with self._with_object(mesh, transform) as body:
            data = self._nearest([body], None, {body: _EXTERNAL})
            name = None if data is None else next(name for name in data.pair if name != _EXTERNAL)
        return _distance(name, data, return_name, return_data)

    @overload
    def min_distance_internal(
        self, name: str | None = None, *, return_names: Literal[False] = False, return_data: Literal[False] = False
    ) -> float: ...

    @overload
    def min_distance_internal(
        self, name: str | None = None, *, return_names: Literal[True], return_data: Literal[False] = False
    ) -> tuple[float, tuple[str, str] | None]: ...

    @overload
    def min_distance_internal(
        self, name: str | None = None, *, return_names: Literal[False] = False, return_data: Literal[True]
    ) -> tuple[float, DistanceData | None]: ...

    @overload
    def min_distance_internal(
        self, name: str | None = None, *, return_names: Literal[True], return_data: Literal[True]
    ) -> tuple[float, tuple[str, str] | None, DistanceData | None]: ...

    def min_distance_internal(
        self, name: str | None = None, return_names: bool = False, return_data: bool = False
    ) -> _Distance[tuple[str, str]]:
        """Return the least distance of two of these objects, or of one, given by name, from all others [length].

        Negative, and None without two objects, as in `min_distance_single`. Names are in alphabetical order. Pairs that the
        scene ignores are left out.
        """
        data = self._nearest(None if name is None else [self._body(name)], None, {})
        return _distance(None if data is None else _sorted(*data.pair), data, return_names, return_data)

    @overload
    def min_distance_other(
        self, other_manager: CollisionManager, *, return_names: Literal[False] = False, return_data: Literal[False] = False
    ) -> float: ...

    @overload
    def min_distance_other(
        self, other_manager: CollisionManager, *, return_names: Literal[True], return_data: Literal[False] = False
    ) -> tuple[float, tuple[str, str] | None]: ...

    @overload
    def min_distance_other(
        self, other_manager: CollisionManager, *, return_names: Literal[False] = False, return_data: Literal[True]
    ) -> tuple[float, DistanceData | None]: ...

    @overload
    def min_distance_other(
        self, other_manager: CollisionManager, *, return_names: Literal[True], return_data: Literal[True]
    ) -> tuple[float, tuple[str, str] | None, DistanceData | None]: ...

    def min_distance_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> _Distance[tuple[str, str]]:
        """Return the least distance of an object of this manager from one of another [length].

        Negative, and None without objects, as in `min_distance_single`. The first name is from this manager.
        """
        with self._with_objects_of(other_manager) as theirs:
            mine = [body for body in self._scene if body not in theirs]
            data = self._nearest(list(theirs), mine, theirs) if theirs and mine else None
        names = None if data is None else (data.pair[1], data.pair[0])
        return _distance(names, data, return_names, return_data)

    def sweep(
        self,
        name: str,
        motion: Motion,
        *,
        margin: float = 0.0,
        resting: Literal["free", "hit"] = "free",
        ignore: Iterable[str] = (),
    ) -> Hit | None:
        """Return the first contact of an object that moves, None if the motion is free: `Scene.sweep`, with names."""
        left_out = [self._body(each) for each in checks.items(ignore, "ignore", "names of objects")]
        return self._scene.sweep(self._body(name), motion, margin=margin, resting=resting, ignore=left_out)

    def __repr__(self) -> str:
        return f"<CollisionManager: {len(self._scene)} objects>"

    def _body(self, name: str) -> Body:
        return self._scene[checks.text(name, "name")]

    @contextmanager
    def _with_object(self, mesh: ShapeLike, transform: checks.PoseLike | None) -> Iterator[Body]:
        """Add an object for a while."""
        body = self._scene.add(shape_of(mesh, "mesh"), checks.pose(transform, "transform"))
        try:
            yield body
        finally:
            self._scene.remove(body)

    @contextmanager
    def _with_objects_of(self, manager: CollisionManager) -> Iterator[dict[Body, str]]:
        """Add the objects of another manager for a while: their bodies here, and their names there."""
        if not isinstance(manager, CollisionManager):
            raise InvalidType(f"other_manager: expected a CollisionManager, got {checks.shown(manager)}")
        theirs = manager.scene.bodies
        bodies = [self._scene.add(body.shape, body.pose) for body in theirs]
        try:
            yield {body: their.name for body, their in zip(bodies, theirs, strict=True)}
        finally:
            for body in bodies:
                self._scene.remove(body)

    def _overlaps(self, bodies: Sequence[Body] | None) -> list[tuple[Body, Body]]:
        """Return pairs that overlap: one of some bodies and one of all others; or any two, if None."""
        if bodies is None:
            return [pair.bodies for pair in self._scene.overlaps()]
        rest = [body for body in self._scene if body not in bodies]
        if not bodies or not rest:
            return []
        pairs = self._scene.overlaps(bodies, rest)
        return [(pair.second, pair.first) if pair.second in bodies else pair.bodies for pair in pairs]

    def _contacts(self, pairs: list[tuple[Body, Body]], names: dict[Body, str]) -> list[ContactData]:
        """Return the contacts of pairs that overlap. names: of bodies that have another name there."""
        partners: dict[Body, list[Body]] = {}
        for one, two in pairs:
            partners.setdefault(one, []).append(two)
        patches = [
            patch for one, others in partners.items() for patch in self._scene.contacts(one, others) if patch.overlapping
        ]
        return [contact_of_patch(patch, k, names) for patch in patches for k in range(len(patch))]

    def _nearest(self, bodies: list[Body] | None, others: list[Body] | None, names: dict[Body, str]) -> DistanceData | None:
        """Return the least distance between some bodies and others, by default all; None if there are no such pairs."""
        deepest = self._deepest(self._overlaps(bodies), names)
        if deepest is not None:
            return deepest
        if bodies is not None and others is not None:
            found = [self._scene.distance(bodies, others)]
        else:
            found, limit = [], math.inf
            for body in self._scene.bodies if bodies is None else bodies:
                nearest = self._scene.nearest(body, limit=limit)
                limit = min([limit, *(pair.distance for pair in nearest)])
                found += nearest
        return min((distance_of_pair(pair, names) for pair in found), key=lambda data: data.distance, default=None)

    def _deepest(self, pairs: list[tuple[Body, Body]], names: dict[Body, str]) -> DistanceData | None:
        """Return the deepest contact of pairs that overlap, as a negative distance; None if there are no pairs."""
        data = self._contacts(pairs, names)
        return distance_of_contact(max(data, key=lambda contact: contact.depth)) if data else None


def _sorted(one: str, two: str) -> tuple[str, str]:
    return (one, two) if one <= two else (two, one)


def _answer(names: set[_Name], data: list[ContactData], return_names: bool, return_data: bool) -> _Answer[_Name]:
    """Return an answer in the form that was asked for."""
    found = bool(names)
    if return_names:
        return (found, names, data) if return_data else (found, names)
    return (found, data) if return_data else found


def _distance(name: _Name | None, data: DistanceData | None, return_names: bool, return_data: bool) -> _Distance[_Name]:
    """Return a distance in the form that was asked for."""
    distance = math.inf if data is None else data.distance
    if return_names:
        return (distance, name, data) if return_data else (distance, name)
    return (distance, data) if return_data else distance
