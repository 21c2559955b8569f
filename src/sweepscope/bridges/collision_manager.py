"""CollisionManager: the names of `trimesh.collision.CollisionManager`, backed by a Scene."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal, NoReturn, TypeAlias, TypeVar, overload

from .. import checks
from ..errors import InvalidType
from ..motion import Translate
from ..scene import Scene
from ..shapes.given import ShapeLike, shape_of

if TYPE_CHECKING:
    from ..motion import Motion
    from ..results import Hit
    from ..world.body import Body

_STILL = Translate((0.0, 0.0, 0.0))
_Name = TypeVar("_Name", str, tuple[str, str])
_Answer: TypeAlias = "bool | tuple[bool, set[_Name]] | tuple[bool, list[Hit]] | tuple[bool, set[_Name], list[Hit]]"


class CollisionManager:
    """Named objects, and whether they collide: the methods of trimesh's class of this name, without python-fcl; and `sweep`.

    Colliding is overlapping by more than the scene's tolerance; objects that only touch do not collide. A closed mesh is solid,
    so what lies wholly inside it collides, also if the mesh is not convex. With `return_data` the list holds a `Hit` for each
    pair, with point, normal and features; there is no depth.

    A manager changes with its `scene`, the Scene that holds the objects as bodies, and the other way round.
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
    ) -> tuple[bool, list[Hit]]: ...

    @overload
    def in_collision_single(
        self,
        mesh: ShapeLike,
        transform: checks.PoseLike | None = None,
        *,
        return_names: Literal[True],
        return_data: Literal[True],
    ) -> tuple[bool, set[str], list[Hit]]: ...

    def in_collision_single(
        self, mesh: ShapeLike, transform: checks.PoseLike | None = None, return_names: bool = False, return_data: bool = False
    ) -> _Answer[str]:
        """Tell whether another object collides with any of these: a bool.

        Or a tuple: the bool, then the set of names if `return_names`, then the list of hits if `return_data`; their mover is
        the other object. It is in the scene while this is asked, so ask it from one thread. If you ask often, make its shape
        once, with `Mesh.from_object`.
        """
        every = return_names or return_data
        hits = self._single(mesh, transform, every)
        return _answer(hits, {hit.obstacle.name for hit in hits}, return_names, return_data)

    @overload
    def in_collision_internal(self, return_names: Literal[False] = False, return_data: Literal[False] = False) -> bool: ...

    @overload
    def in_collision_internal(
        self, return_names: Literal[True], return_data: Literal[False] = False
    ) -> tuple[bool, set[tuple[str, str]]]: ...

    @overload
    def in_collision_internal(
        self, return_names: Literal[False] = False, *, return_data: Literal[True]
    ) -> tuple[bool, list[Hit]]: ...

    @overload
    def in_collision_internal(
        self, return_names: Literal[True], return_data: Literal[True]
    ) -> tuple[bool, set[tuple[str, str]], list[Hit]]: ...

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> _Answer[tuple[str, str]]:
        """Tell whether any two of these objects collide: a bool.

        Or a tuple: the bool, then the set of pairs of names, each in alphabetical order, if `return_names`, then the list of
        hits if `return_data`. Pairs that the scene ignores are left out.
        """
        hits = []
        partners: dict[Body, list[Body]] = {body: [] for body in self._scene}
        for body, known in partners.items():
            for hit in _contacts(self._scene, body, known):
                hits.append(hit)
                partners[hit.obstacle].append(body)
                if not (return_names or return_data):
                    return True
        pairs = {(min(names), max(names)) for names in ((hit.mover.name, hit.obstacle.name) for hit in hits)}
        return _answer(hits, pairs, return_names, return_data)

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
    ) -> tuple[bool, list[Hit]]: ...

    @overload
    def in_collision_other(
        self, other_manager: CollisionManager, return_names: Literal[True], return_data: Literal[True]
    ) -> tuple[bool, set[tuple[str, str]], list[Hit]]: ...

    def in_collision_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> _Answer[tuple[str, str]]:
        """Tell whether any object of this manager collides with any of another: a bool.

        Or a tuple: the bool, then the set of pairs of names, the first from this manager, if `return_names`, then the list of
        hits if `return_data`.
        """
        if not isinstance(other_manager, CollisionManager):
            raise InvalidType(f"other_manager: expected a CollisionManager, got {checks.shown(other_manager)}")
        hits, pairs = [], set()
        for body in other_manager.scene.bodies:
            found = self._single(body.shape, body.pose, return_names or return_data)
            hits += found
            pairs |= {(hit.obstacle.name, body.name) for hit in found}
            if hits and not (return_names or return_data):
                break
        return _answer(hits, pairs, return_names, return_data)

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

    def __getattr__(self, name: str) -> NoReturn:
        """Say what to use instead of the methods that are not here."""
        hint = ""
        if name.startswith("min_distance_"):
            hint = "; distances are not known here: ask whether one is kept, scene.sweep(body, motion, margin=distance)"
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}")

    def __repr__(self) -> str:
        return f"<CollisionManager: {len(self._scene)} objects>"

    def _body(self, name: str) -> Body:
        return self._scene[checks.text(name, "name")]

    def _single(self, mesh: ShapeLike, transform: checks.PoseLike | None, every: bool) -> list[Hit]:
        """Return the hits of another object with these; only the first if not `every`."""
        body = self._scene.add(shape_of(mesh, "mesh"), checks.pose(transform, "transform"))
        try:
            contacts = _contacts(self._scene, body, [])
            return list(contacts) if every else [hit for hit, _ in zip(contacts, range(1), strict=False)]
        finally:
            self._scene.remove(body)


def _contacts(scene: Scene, body: Body, known: list[Body]) -> Iterator[Hit]:
    """Yield a hit for each body that a body overlaps now, but those that are known to."""
    ignored = list(known)
    while (hit := scene.sweep(body, _STILL, ignore=ignored)) is not None:
        ignored.append(hit.obstacle)
        if hit.overlapping:
            yield hit


def _answer(hits: list[Hit], names: set[_Name], return_names: bool, return_data: bool) -> _Answer[_Name]:
    """Return an answer in the form that was asked for."""
    found = bool(hits)
    if return_names:
        return (found, names, hits) if return_data else (found, names)
    return (found, hits) if return_data else found
