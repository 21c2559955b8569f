"""Scene and Body: what is where, and the public verbs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import checks
from .errors import InvalidGeometry, InvalidPose, InvalidQuery, UnknownBody
from .shapes import Shape, Volume

if TYPE_CHECKING:
    from .motion import Motion
    from .results import Hit, Meeting, Sighting
    from .scope import View
    from .surface import Kept

MOST_GROUPS = 62


class Body:
    """A shape with a pose in a scene. Made by `Scene.add`."""

    __slots__ = ("_changes", "_group", "_holder", "_id", "_name", "_own", "_pose", "_row", "_scene", "_shape", "_stored")

    def __init__(self, scene: Scene, number: int, name: str, shape: Shape) -> None:
        self._scene: Scene | None = scene
        self._id = number
        self._name = name
        self._shape = shape
        self._pose = checks.fixed(np.eye(4))
        self._group = ""
        self._row = -1  # among the scene's bodies
        self._stored = -1  # row of its geometry in the arena
        self._changes = 0  # how often its geometry was changed
        self._own = False  # its vertices are no longer its shape's
        self._holder = ""  # name of the robot that it is a part of

    @property
    def id(self) -> int:
        """Whole number, stable and never used again."""
        return self._id

    @property
    def name(self) -> str:
        """Unique within its scene."""
        return self._name

    @property
    def group(self) -> str:
        """The name of its group, for `Scene.ignore`; empty if it has none."""
        return self._group

    @property
    def scene(self) -> Scene:
        """The scene that it is in."""
        if self._scene is None:
            raise UnknownBody(f"body {self._id} ({self._name!r}) was removed from its scene")
        return self._scene

    @property
    def pose(self) -> NDArray[np.float64]:
        """Local to world, shape (4, 4), read-only. Assign a 4x4 matrix, or three numbers for a position."""
        return self._pose

    @pose.setter
    def pose(self, value: ArrayLike) -> None:
        scene = self.scene
        if value is None:
            raise InvalidPose("pose: expected a 4x4 matrix or three numbers, got None")
        if self._holder:
            raise InvalidPose(f"pose: body {self._name!r} is a part of robot {self._holder!r}, whose joints and pose put it")
        self._pose = checks.fixed(checks.pose(value))
        scene._place(self)

    @property
    def shape(self) -> Shape:
        """What it is made of, with the vertices it has now. Assign another shape to change the faces too; the pose stays."""
        return self._shape.with_vertices(self.vertices.copy()) if self._own else self._shape

    @shape.setter
    def shape(self, value: Shape) -> None:
        scene = self.scene
        if not isinstance(value, Shape):
            raise InvalidGeometry(f"shape: expected a Shape, got {checks.shown(value)}")
        stored = scene._arena.share(value)
        scene._leave(self)
        scene._arena.release(self._stored)
        self._stored, self._shape, self._own = stored, value, False
        self._changes += 1
        scene._hold(self)
        scene._place(self)

    @property
    def vertices(self) -> NDArray[np.float64]:
        """Vertices [length], shape (n, 3), local, read-only. Assign as many new ones to deform a mesh or a cloud."""
        if not self._own:
            return self._shape.vertices
        return checks.fixed(self.scene._arena.vertices(self._stored))

    @vertices.setter
    def vertices(self, value: ArrayLike) -> None:
        scene = self.scene
        if not self._shape.live:
            raise InvalidGeometry(
                f"body {self._id} ({self._name!r}) is a {type(self._shape).__name__}; only a Mesh or a PointCloud can deform"
                + ("; edit the volume itself: volume[...] = values" if isinstance(self._shape, Volume) else "")
            )
        from .arena import sound_points

        places, box = sound_points(value)
        if len(places) != len(self._shape.vertices):
            raise InvalidGeometry(
                f"vertices: body {self._id} ({self._name!r}) has {len(self._shape.vertices)}, got {len(places)}; "
                "assign .shape to change the faces too"
            )
        self._stored = scene._arena.own(self._stored, places, box)
        self._own = True
        self._changes += 1
        scene._place(self)

    @property
    def bounds(self) -> NDArray[np.float64]:
        """Lowest and highest corner [length], shape (2, 3), world: may be larger than the body where it is turned."""
        return self.scene._bounds(self)

    def __repr__(self) -> str:
        where = "" if self._scene is not None else ", removed"
        return f"<Body {self._id} {self._name!r}: {self._shape!r}{where}>"


class Scene:
    """A set of bodies to ask questions of.

    tolerance [length]: contact shallower than this is touching, deeper is overlap (see docs/conventions.md). The
    default, None, is 1e-9 of the mover's size; raise it for data that was rounded (float32: about 1e-6 of the size).
    """

    __slots__ = (
        "__weakref__",
        "_apart",
        "_arena",
        "_bodies",
        "_boxes",
        "_groups",
        "_ints",
        "_names",
        "_next",
        "_passed",
        "_poses",
        "_rows",
        "_spare",
        "_tolerance",
        "_volumes",
    )

    def __init__(self, tolerance: float | None = None) -> None:
        from .arena import Arena
        from .kernels import layout

        self.tolerance = tolerance
        self._arena = Arena()
        self._ints = np.zeros((16, layout.BODY_INTS), np.int64)
        self._poses = np.zeros((16, layout.POSE))
        self._boxes = _no_boxes(16)
        self._bodies: dict[int, Body] = {}
        self._names: dict[str, Body] = {}
        self._rows: list[Body | None] = []
        self._spare: list[int] = []
        self._next = 0
        self._groups: dict[str, int] = {"": 0}
        self._apart: list[int] = [0]  # per group: bits of the groups that it ignores
        self._passed: dict[int, set[int]] = {}  # by id: ids of those that a body passes through
        self._volumes: dict[int, Kept] = {}  # by row in the arena

    def add(self, shape: Shape, pose: ArrayLike | None = None, *, name: str | None = None, group: str = "") -> Body:
        """Add a shape at a pose (4x4 local to world, or a position) and return its body."""
        if not isinstance(shape, Shape):
            raise InvalidGeometry(
                f"shape: expected a Mesh, Box, Sphere, Capsule, PointCloud, Fan or Volume, got {checks.shown(shape)}"
                + ("; Mesh.of(...) makes a Mesh of it" if hasattr(shape, "faces") else "")
            )
        matrix = checks.pose(pose)
        if name is None:
            name = self._free_name(f"{type(shape).__name__.lower()} {self._next}")
        if not isinstance(name, str):
            raise InvalidQuery(f"name: expected a text, got {checks.shown(name)}")
        if name in self._names:
            raise InvalidQuery(f"name: {name!r} is taken; names are unique within a scene")
        number = self._group_number(group)
        body = Body(self, self._next, name, shape)
        body._pose = checks.fixed(matrix)
        body._group = group
        body._stored = self._arena.share(shape)
        self._next += 1
        self._bodies[body._id] = body
        self._names[name] = body
        self._hold(body)
        self._enter(body, number)
        return body

    def remove(self, body: Body) -> None:
        """Take a body out of the scene. Its id is not used again."""
        self._check(body, "body")
        if body._holder:
            raise InvalidQuery(f"body {body._name!r} is a part of robot {body._holder!r}: remove that, or detach the body")
        self._boxes[:, body._row] = _no_boxes(1)[:, 0]
        self._leave(body)
        self._arena.release(body._stored)
        self._rows[body._row] = None
        self._spare.append(body._row)
        del self._bodies[body._id]
        del self._names[body._name]
        for other in self._passed.pop(body._id, ()):
            self._passed[other].discard(body._id)
        body._scene = None

    def ignore(self, a: Body | str, b: Body | str) -> None:
        """Let two bodies, or two groups given by name, pass through each other."""
        self._set_ignored(a, b, True)

    def heed(self, a: Body | str, b: Body | str) -> None:
        """Undo `ignore`."""
        self._set_ignored(a, b, False)

    def sweep(
        self,
        body: Body | Sequence[Body],
        motion: Motion,
        *,
        margin: float = 0.0,
        resting: str = "free",
        ignore: Iterable[Body] = (),
    ) -> Hit | None:
        """Move a body, or several as one, and return the first contact with the rest of the scene; None when free.

        motion: a Translate, Rotate or Screw. Screw.between(body.pose, target) goes from where a body is to any other pose.

        margin [length]: how far to stay away. resting: whether surfaces that touch and do not approach are contact ("hit")
        or not ("free", the default: a box slides on its floor). ignore: bodies to pass through.
        """
        from .sweep import sweep

        return sweep(self, body, motion, margin=margin, resting=resting, ignore=ignore)

    def predict(
        self, spins: Mapping[Body, Motion], horizon: float, *, margin: float = 0.0, ignore: Iterable[Body] = ()
    ) -> list[Meeting]:
        """Let bodies move all at once and return which pairs will meet, each with its first contact, soonest first.

        spins: how each of them moves in one frame, at constant speed from now on: a Rotate, also a Screw or Translate. The rest
        stands still. horizon [frames]: how far to look ahead; may be a fraction.

        Nobody stops at a meeting: of every pair the first contact is told as if the others were not there. Pairs that touch or
        overlap already meet in 0 frames, whether they would part or not. margin [length]: how near counts as contact. ignore:
        bodies to leave out.
        """
        from .predict import predict

        return predict(self, spins, horizon, margin=margin, ignore=ignore)

    def look(
        self, view: View, pixels: tuple[int, int] | int = (64, 64), *, bounding: bool = False, ignore: Iterable[Body] = ()
    ) -> Sighting:
        """Look through a box of parallel rays and return who is there, how far, and the pictures.

        pixels: (columns, rows). bounding: each pixel holds the least depth anywhere in its cell instead of the depth at its
        centre, so that nothing is too thin to be seen. ignore: bodies to look through.
        """
        from .scope import look

        return look(self, view, pixels=pixels, bounding=bounding, ignore=ignore)

    def search(
        self,
        body: Body | str,
        view: View,
        pixels: tuple[int, int] | int = (64, 64),
        *,
        axis: ArrayLike = (0.0, 0.0, 1.0),
        step: float | None = None,
    ) -> Sighting | None:
        """Turn a view about an axis through its eye, once round, until it sees a body; return that look, None if it never does.

        axis: right-handed. step [radians]: how far to turn between looks; by default views meet side by side at their far ends.
        """
        from .scope import search

        return search(self, body, view, axis=axis, step=step, pixels=pixels)

    @property
    def tolerance(self) -> float | None:
        """Contact tolerance [length]; None is the default."""
        return None if self._tolerance < 0.0 else self._tolerance

    @tolerance.setter
    def tolerance(self, value: float | None) -> None:
        self._tolerance = -1.0 if value is None else checks.length(value, "tolerance", InvalidQuery)

    @property
    def bodies(self) -> tuple[Body, ...]:
        """All bodies, in the order in which they were added."""
        return tuple(self._bodies.values())

    def __len__(self) -> int:
        return len(self._bodies)

    def __bool__(self) -> bool:
        return True  # a scene without bodies is a scene

    def __iter__(self) -> Iterator[Body]:
        return iter(self.bodies)

    def __contains__(self, body: Any) -> bool:
        return isinstance(body, Body) and body._scene is self

    def __getitem__(self, key: str | int) -> Body:
        """Return a body by name or id."""
        found = None
        if isinstance(key, str):
            found = self._names.get(key)
        elif isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            found = self._bodies.get(int(key))
        if found is None:
            raise UnknownBody(
                f"no body {checks.shown(key)} in this scene; it has {', '.join(map(repr, self._names)) or 'none'}"
            )
        return found

    def __repr__(self) -> str:
        return f"<Scene: {len(self._bodies)} bodies>"

    def _free_name(self, wish: str) -> str:
        """Return a name that no body has: the one wished for, or that with a number behind it."""
        name, number = wish, 2
        while name in self._names:
            name, number = f"{wish} ({number})", number + 1
        return name

    def _check(self, body: Any, name: str) -> Body:
        if not isinstance(body, Body):
            raise UnknownBody(f"{name}: expected a Body of this scene, got {checks.shown(body)}")
        if body._scene is None:
            raise UnknownBody(f"{name}: body {body._id} ({body._name!r}) was removed from its scene")
        if body._scene is not self:
            raise UnknownBody(f"{name}: body {body._id} ({body._name!r}) is in another scene")
        return body

    def _check_movers(self, body: Body | Sequence[Body]) -> list[Body]:
        if not isinstance(body, (list, tuple)):
            return [self._check(body, "body")]
        if not body:
            raise InvalidQuery("body: expected a body or several, got an empty list")
        movers = [self._check(each, f"body[{k}]") for k, each in enumerate(body)]
        if len({mover._id for mover in movers}) < len(movers):
            raise InvalidQuery("body: the same body is given twice")
        return movers

    def _check_all(self, bodies: Any, name: str) -> list[Body]:
        if isinstance(bodies, tuple) and not bodies:
            return []
        try:
            given = list(bodies)
        except TypeError:
            raise InvalidQuery(f"{name}: expected bodies, got {checks.shown(bodies)}") from None
        return [self._check(each, f"{name}[{k}]") for k, each in enumerate(given)]

    def _group_number(self, group: str) -> int:
        if not isinstance(group, str):
            raise InvalidQuery(f"group: expected a text, got {checks.shown(group)}")
        if group not in self._groups:
            if len(self._groups) > MOST_GROUPS:
                raise InvalidQuery(f"group {group!r}: a scene has at most {MOST_GROUPS} groups")
            self._groups[group] = len(self._groups)
            self._apart.append(0)
        return self._groups[group]

    def _set_ignored(self, a: Body | str, b: Body | str, ignored: bool) -> None:
        from .kernels import layout

        if isinstance(a, str) and isinstance(b, str):
            for name in (a, b):
                if not name or name not in self._groups:
                    groups = ", ".join(repr(group) for group in self._groups if group) or "none"
                    raise InvalidQuery(f"no group {name!r} in this scene; it has {groups}")
            i, j = self._groups[a], self._groups[b]
            for x, y in ((i, j), (j, i)):
                self._apart[x] = self._apart[x] | (1 << y) if ignored else self._apart[x] & ~(1 << y)
            for body in self._bodies.values():
                self._ints[body._row, layout.IGNORES] = self._apart[self._groups[body._group]]
            return
        if isinstance(a, str) or isinstance(b, str):
            raise InvalidQuery("ignore: give two bodies, or two names of groups")
        first, second = self._check(a, "a")._id, self._check(b, "b")._id
        for one, other in ((first, second), (second, first)):
            if ignored:
                self._passed.setdefault(one, set()).add(other)
            else:
                self._passed.get(one, set()).discard(other)

    def _enter(self, body: Body, group: int) -> None:
        from .kernels import layout

        if self._spare:
            body._row = self._spare.pop()
            self._rows[body._row] = body
        else:
            body._row = len(self._rows)
            self._rows.append(body)
            if body._row == len(self._ints):
                self._ints = np.concatenate((self._ints, np.zeros_like(self._ints)))
                self._poses = np.concatenate((self._poses, np.zeros_like(self._poses)))
                self._boxes = np.concatenate((self._boxes, _no_boxes(body._row)), axis=1)
        self._ints[body._row, layout.ID] = body._id
        self._ints[body._row, layout.GROUP] = group
        self._ints[body._row, layout.IGNORES] = self._apart[group]
        self._place(body)

    def _hold(self, body: Body) -> None:
        """Take note of a body if it is a volume: those may change at any time."""
        if isinstance(body._shape, Volume):
            from .surface import enter

            enter(self, body)

    def _leave(self, body: Body) -> None:
        """Undo `_hold`."""
        if isinstance(body._shape, Volume):
            from .surface import leave

            leave(self, body)

    def _place(self, body: Body) -> None:
        from .kernels import layout
        from .kernels.bodies import put_body

        stored = body._stored
        self._ints[body._row, layout.SHAPE] = stored
        centre = self._arena.centre(stored)
        put_body(self._poses, self._boxes, body._row, self._arena.reals, stored, body._pose, centre)

    def _bounds(self, body: Body) -> NDArray[np.float64]:
        if self._volumes:
            from .surface import refresh

            refresh(self)
        box = self._boxes[:, body._row].reshape(2, 3)
        return box.copy() if box[0, 0] <= box[1, 0] else np.full((2, 3), np.nan)


def _no_boxes(count: int) -> NDArray[np.float64]:
    """Return empty world boxes, shape (6, count): from infinity to minus infinity."""
    return np.repeat((np.inf, -np.inf), 3)[:, None].repeat(count, axis=1)
