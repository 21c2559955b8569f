"""Scene: the bodies, and the public queries. Each query calls its own file in `queries`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import checks
from .errors import InvalidQuery, InvalidType, NotFound
from .foreign import parts_of, trimesh_module
from .renderers import PageOptions, Pictured, PictureOptions, renderer_for
from .shapes import Shape
from .shapes.given import ShapeLike, shape_of
from .shapes.placements import Placements
from .world.body import Body, entry_of
from .world.store import Packed, Store

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import trimesh

    from .formats.file_reader import Limits
    from .motion import Motion
    from .motions import Motions
    from .queries.camera import PinholeCamera
    from .queries.view import View
    from .results import (
        Contacts,
        Distances,
        Hit,
        Hits,
        LookResult,
        LookResults,
        PairContact,
        PairDepth,
        PairDistance,
        PointDistances,
        PushOutResult,
        RayCrossings,
        RayHits,
        SlideResult,
        SweepAllResult,
    )
    from .results.scopes import Backend
    from .robot.robot import Robot
    from .threads import Progress
    from .viewer.page import Page
    from .world.body import Entry


_Any = TypeVar("_Any", bound="Scene")


class Scene(Pictured):
    """A set of bodies, and queries about them.

    tolerance [length]: contact shallower than this is touching, deeper contact is overlap (see docs/conventions.md). The
    default, None, is 1e-9 of the mover's size; use more for rounded data (float32: about 1e-6 of the size).

    `copy.copy`, `copy.deepcopy` and `pickle` make an independent scene that answers to the bit as this one: docs/travel.md.
    So do `save` and `load`, by a file that others can read: docs/scene_files.md.
    """

    __slots__ = ("__weakref__", "_store")

    _drawn_as = "scene"

    def __init__(self, tolerance: float | None = None) -> None:
        self._store = Store(self, _tolerance(tolerance))

    @classmethod
    def load(cls, path: str | PathLike[str], *, limits: Limits | None = None) -> Self:
        """Read a scene that `save` wrote, with its robots: `scene.robots`.

        limits: how large the file may be, and what it unpacks to; None for the usual ones.
        """
        from .saved.scene import Loaded

        loaded = Loaded(path, limits)
        scene = _filled(cls, loaded.packed)
        loaded.finish(store_of(scene))
        return scene

    @classmethod
    def from_trimesh(cls, scene: trimesh.Scene, *, tolerance: float | None = None) -> Self:
        """Return the scene of a `trimesh.Scene`: a body for each node with geometry, with the node's name and pose.

        Nodes of one geometry share a shape. Scale, shear and mirror of a node go into its vertices.
        """
        made = cls(tolerance=tolerance)
        placements = Placements(lambda geometry, name: shape_of(geometry, f"node {name!r}"))
        for part in parts_of(scene):
            shape, pose = placements.place(part.geometry, part.name, part.matrix)
            made.add(shape, pose, name=part.name)
        return made

    def to_trimesh(self) -> trimesh.Scene:
        """Return it for trimesh, which must be installed: a node for each body, with its name and pose.

        Bodies of one shape share a geometry. Shapes are as `Shape.to_trimesh` makes them.
        """
        made = trimesh_module().Scene()
        known: dict[Shape, str] = {}
        for body in self.bodies:
            shape = body.shape
            if shape in known:
                made.graph.update(frame_to=body.name, matrix=body.pose, geometry=known[shape])
            else:
                known[shape] = body.name
                made.add_geometry(shape.to_trimesh(), body.name, body.name, transform=body.pose)
        return made

    def save(self, path: str | PathLike[str]) -> None:
        """Write all of it to an .npz file: bodies, shapes, groups, what ignores what, robots. See docs/scene_files.md.

        The file is replaced whole, or not at all.
        """
        from .saved.scene import save

        save(self._store, path)

    def add(self, shape: ShapeLike, pose: checks.PoseLike | None = None, *, name: str | None = None, group: str = "") -> Body:
        """Add a shape at a pose (4x4 local to world, or a position). Return its body.

        A mesh or a cloud of trimesh, Open3D or PyVista is added as `Mesh.from_object` and `PointCloud.from_object` make it.
        """
        return self._store.add(shape_of(shape, "shape"), checks.pose(pose), name, group).body

    def add_file(
        self,
        path: str | PathLike[str],
        pose: checks.PoseLike | None = None,
        *,
        name: str | None = None,
        group: str = "",
        scale: float = 1.0,
        solid: bool | None = None,
        limits: Limits | None = None,
    ) -> list[Body]:
        """Add a mesh file with a body for each of its parts. Return the bodies, in the order of the file.

        Parts are the nodes of glTF and COLLADA files, and the objects or groups of OBJ files; other formats have one part.
        Nodes that show the same mesh share a shape. pose: of the file's frame in the world. Lengths are multiplied by `scale`.
        Scale, shear and mirror of a node go into its vertices.

        Names come from the file; a number is added to those that are taken. name: if given, the bodies are called "name/part",
        or "name" if there is only one part. solid, limits: as in `Mesh.load`. If anything is wrong, nothing is added.
        """
        from .io.parts import load_parts, names_of
        from .world.bulk import add_many

        parts = load_parts(path, scale=scale, solid=solid, limits=limits)
        if name is not None:
            self._store.check_name(name)
        base = checks.pose(pose)
        names = self._store.free_names(names_of(parts, path, name))
        return add_many(self._store, [part.shape for part in parts], [base @ part.pose for part in parts], names, group)

    def add_many(
        self,
        shapes: ShapeLike | Iterable[ShapeLike],
        poses: checks.PoseLike | Iterable[checks.PoseLike] | None = None,
        *,
        names: Iterable[str] | None = None,
        group: str = "",
    ) -> list[Body]:
        """Add many shapes at once. Return their bodies, in the same order.

        shapes: one for each body, or one that all bodies share. poses: as in `move`; by default all are at the origin. names:
        one for each. If anything is wrong, nothing is added.
        """
        from .world.bulk import add_many

        return add_many(self._store, shapes, poses, names, group)

    def move(self, bodies: Iterable[Body], poses: checks.PoseLike | Iterable[checks.PoseLike]) -> None:
        """Give many bodies new poses at once, as `body.pose = pose` does for each.

        poses: one for each body, shape (n, 4, 4), or positions, shape (n, 3); or one pose for all. If anything is wrong, no
        body moves.
        """
        from .world.bulk import move

        move(self._store, bodies, poses)

    def deform(self, bodies: Iterable[Body], vertices: ArrayLike | Iterable[ArrayLike]) -> None:
        """Give many bodies new vertices at once, as `body.vertices = vertices` does for each.

        vertices [length], local: an array of shape (k, 3) for each body, or one of shape (n, k, 3) for n bodies of k vertices.
        If anything is wrong, no body changes.
        """
        from .world.bulk import deform

        deform(self._store, bodies, vertices)

    def remove(self, body: Body) -> None:
        """Remove a body from the scene. Its id is not used again."""
        entry = self._store.check(body, "body")
        if entry.holder:
            raise InvalidQuery(f"body {entry.name!r} is a part of robot {entry.holder!r}: remove the robot, or detach the body")
        self._store.remove(entry)

    def ignore(self, a: Body, b: Body) -> None:
        """Let two bodies pass through each other."""
        self._store.set_pair_ignored(a, b, True)

    def unignore(self, a: Body, b: Body) -> None:
        """Undo `ignore`."""
        self._store.set_pair_ignored(a, b, False)

    def ignore_groups(self, a: str, b: str) -> None:
        """Let the bodies of two groups, given by name, pass through each other; both may be the same group."""
        self._store.set_groups_ignored(a, b, True)

    def unignore_groups(self, a: str, b: str) -> None:
        """Undo `ignore_groups`."""
        self._store.set_groups_ignored(a, b, False)

    def sweep(
        self,
        mover: Body | Sequence[Body],
        motion: Motion,
        *,
        margin: float = 0.0,
        resting: Literal["free", "hit"] = "free",
        ignore: Iterable[Body] = (),
    ) -> Hit | None:
        """Return the first contact of a mover with the rest of the scene; None if the motion is free.

        mover: one body, or several that move as one. motion: a Translate, Rotate or Screw. Screw.between(body.pose, target)
        moves a body to any other pose. The scene does not change.

        margin [length]: the distance that the mover must keep. resting: whether surfaces that touch and do not approach count
        as contact ("hit") or not ("free", the default: a box slides on its floor). ignore: bodies to pass through.
        """
        return _sweep()(self._store, mover, motion, margin=margin, resting=resting, ignore=ignore)

    def sweep_all(
        self,
        mover: Body | Sequence[Body],
        motion: Motion,
        *,
        margin: float = 0.0,
        resting: Literal["free", "hit"] = "free",
        ignore: Iterable[Body] = (),
    ) -> SweepAllResult:
        """Return the first contact with each body on the way, as if the others were absent, and when it is left again.

        The contacts come soonest first; the first is that of `sweep`, and each is what `sweep` returns if all other bodies are
        ignored. The mover passes through everything. The scene does not change. Arguments: as in `sweep`.
        See docs/sweep_all.md.
        """
        from .queries.sweep_all import sweep_all

        return sweep_all(self._store, mover, motion, margin=margin, resting=resting, ignore=ignore)

    def overlap_many(
        self,
        mover: Body | Sequence[Body],
        poses: checks.PoseLike | Iterable[checks.PoseLike],
        *,
        ignore: Iterable[Body] = (),
        threads: int | None = None,
        progress: Progress | None = None,
        out: NDArray[np.bool_] | None = None,
        executor: Executor | None = None,
    ) -> NDArray[np.bool_]:
        """Return at which of many poses a mover would overlap the rest of the scene, shape (...), on all cores.

        True: deeper than the mover's tolerance in another body, or one is inside the other; a sweep from there is `overlapping`
        at 0. What only touches does not overlap. The scene does not change. mover, ignore: as in `sweep`; several move as one.

        poses: of the mover, or of the first of several, shape (..., 4, 4), or positions (..., 3) [length], world; they are read
        in pieces. threads: how many; None for all cores. progress: a function that is called from time to time with how many
        poses are done, and of how many. out: an array of dtype bool to write into, for example a memory map. executor: as in
        `sweep_many`.
        """
        from .queries.overlap_in_scene import overlap_in_scene

        return overlap_in_scene(
            self._store, mover, poses, ignore=ignore, threads=threads, progress=progress, out=out, executor=executor
        )

    def sweep_many(
        self,
        mover: Body | Sequence[Body] | NDArray[np.object_],
        motions: Motions | Motion | Sequence[Motion] | ArrayLike,
        poses: ArrayLike | None = None,
        *,
        margin: float = 0.0,
        resting: Literal["free", "hit"] = "free",
        ignore: Iterable[Body] = (),
        threads: int | None = None,
        progress: Progress | None = None,
        out: NDArray[np.void] | None = None,
        executor: Executor | None = None,
        device: Literal["cpu", "cuda"] = "cpu",
    ) -> Hits:
        """Return the first contacts of many sweeps, a row for each: to the bit those of `sweep`. See docs/sweep_many.md.

        motions: Motions, one motion, a sequence of motions, or vectors (..., 3) [length] of translations, world. mover: one
        body; a list or tuple of bodies that move as one, as in `sweep`; or a NumPy array of bodies, one for each row. poses:
        where the first mover starts, (..., 4, 4) or (..., 3); others keep their place relative to it. None: where they are.
        Leading shapes are broadcast. The scene does not change, and must not change meanwhile.

        margin, resting, ignore: as in `sweep`. threads: most of them, by default all cores. progress: called with the number of
        rows that are done and of all. out: an array of dtype `Hits.dtype`, such as a memory map, that gets the table.

        executor: a `concurrent.futures.Executor` whose workers answer, such as a ProcessPoolExecutor or that of a Dask client;
        each on one thread, or `threads`. The scene is pickled for them once. See docs/scaling.md.

        device: "cuda" answers on an NVIDIA card (extra `cuda`): the same contacts to 1e-12 of the scene's size; of faces that
        are met at once it may name others. See docs/gpu.md.
        """
        from .queries.sweep_many import sweep_many

        return sweep_many(
            self._store,
            mover,
            motions,
            poses,
            margin=margin,
            resting=resting,
            ignore=ignore,
            threads=threads,
            progress=progress,
            out=out,
            executor=executor,
            device=device,
        )

    def slide(
        self,
        mover: Body | Sequence[Body],
        vector: ArrayLike,
        *,
        margin: float = 0.0,
        legs: int = 8,
        ignore: Iterable[Body] = (),
        push_out: bool = False,
    ) -> SlideResult:
        """Move by up to `vector`; at a contact, go on along what was hit, as a character along a wall. Return the path.

        vector [length], shape (3,), world. At every contact what presses into the surfaces there is lost: the rest goes along
        the plane, along the crease of two planes, and stops in a corner of three. The scene does not change.

        mover, margin, ignore: as in `sweep`. legs: most straight legs, 1 to 1000. push_out: a mover that overlaps something at
        the start leaves it first, as `push_out` tells; without, it stays where it is.
        """
        from .queries.slide import slide

        return slide(self._store, mover, vector, margin=margin, legs=legs, ignore=ignore, push_out=push_out)

    def push_out(
        self, mover: Body | Sequence[Body], *, margin: float = 0.0, ignore: Iterable[Body] = ()
    ) -> PushOutResult | None:
        """Return the shortest straight motion found that leads a mover out of all that it overlaps; None if there is none.

        Its length is 0 if nothing overlaps. `exact` tells whether it is proven to be the shortest. The motion passes through
        what is in its way; where it ends, the mover overlaps nothing. The scene does not change.

        mover, margin, ignore: as in `sweep`.
        """
        from .queries.push_out import push_out

        return push_out(self._store, mover, margin=margin, ignore=ignore)

    def predict(
        self, motions: Mapping[Body, Motion], horizon: float, *, margin: float = 0.0, ignore: Iterable[Body] = ()
    ) -> list[PairContact]:
        """Move bodies all at once and return the pairs that will meet, each with its first contact, soonest first.

        motions: the motion of each body in one unit of time (a second, a frame), a Rotate, Screw or Translate; it goes on at
        constant speed. All other bodies stand still. horizon [time]: how far to look ahead, in the same unit.

        Bodies do not stop at a contact: each pair is reported as if no other body existed. Pairs that touch or overlap already
        meet at time 0, even if they would part. margin [length]: bodies this near count as in contact. ignore: bodies to
        leave out.
        """
        from .queries.predict import predict

        return predict(self._store, motions, horizon, margin=margin, ignore=ignore)

    def distance(self, a: Body | Sequence[Body], b: Body | Sequence[Body]) -> PairDistance:
        """Return how near two bodies are, with the nearest point of each: 0 if they touch or overlap.

        a, b: a body, or a list or tuple of several; the nearest two of them are found. Also of bodies that ignore each other.
        The distance is never larger than the true one, and less by rounding only. See docs/distance.md.
        """
        from .queries.distance import distance

        return distance(self._store, a, b)

    def nearest(
        self, body: Body | Sequence[Body], *, limit: float = math.inf, k: int = 1, ignore: Iterable[Body] = ()
    ) -> list[PairDistance]:
        """Return the k bodies that are nearest to a body, nearest first, if they are within a limit [length].

        body: one, or a list or tuple of several; of each other body the distance to the nearest of them counts. Bodies that
        ignore it are left out. ignore: bodies to leave out. See docs/distance.md.
        """
        from .queries.distance import nearest

        return nearest(self._store, body, limit=limit, k=k, ignore=ignore)

    def distance_many(
        self,
        mover: Body | Sequence[Body],
        poses: checks.PoseLike | Iterable[checks.PoseLike],
        others: Body | Sequence[Body] | None = None,
        *,
        limit: float = math.inf,
        ignore: Iterable[Body] = (),
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Distances:
        """Return how far a mover is from the nearest body at each of many poses, on all cores. The scene does not change.

        poses: as in `overlap_many`. others: a body or several that count; None: all, without those that the mover ignores and
        `ignore`. limit [length]: bodies that are farther away do not count; a small one saves time. mover: one, or several that
        move as one. threads, progress: as in `overlap_many`.
        """
        from .queries.distance import distance_many

        return distance_many(self._store, mover, poses, others, limit=limit, ignore=ignore, threads=threads, progress=progress)

    def overlaps(
        self,
        bodies: Body | Sequence[Body] | None = None,
        others: Body | Sequence[Body] | None = None,
        *,
        limit: float | None = None,
        ignore: Iterable[Body] = (),
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> list[PairDistance]:
        """Return all pairs of bodies that overlap now, on all cores: a clash test. See docs/overlaps.md.

        bodies: only pairs of which one is among these; a body, or a list or tuple of several. others: only pairs of which the
        other is among these. None: all. Pairs that ignore each other are left out. ignore: bodies to leave out.

        limit [length]: also pairs that are not farther apart than this; 0: also pairs that touch. None: only what overlaps.
        Each pair is there once; `first` was added before `second`. They are in the order in which the bodies were added.
        threads, progress: as in `overlap_many`; progress counts pairs whose boxes are near.
        """
        from .queries.overlaps import overlaps

        return overlaps(self._store, bodies, others, limit=limit, ignore=ignore, threads=threads, progress=progress)

    def contacts(
        self,
        body: Body | Sequence[Body],
        others: Body | Sequence[Body] | None = None,
        *,
        margin: float = 0.0,
        ignore: Iterable[Body] = (),
    ) -> Contacts:
        """Return where a body touches others or is within a margin [length] of them, reduced to what a physics solver needs.

        At most four contacts for each area of contact, at its corners, with the points on both, normal and gap; the nearest
        first. Bodies that overlap have negative gaps. body: one, or a list or tuple of several; contacts among these are left
        out. others: only contacts with these; None: with all. ignore: bodies to leave out. See docs/contacts.md.
        """
        from .queries.contacts import contacts

        return contacts(self._store, body, others, margin=margin, ignore=ignore)

    def signed_distance(
        self,
        points: ArrayLike,
        bodies: Body | Sequence[Body] | None = None,
        *,
        radius: ArrayLike = 0.0,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> PointDistances:
        """Return how far points are from the surface of bodies, on all cores: negative inside.

        points [length], shape (..., 3), world. bodies: a body, or a list or tuple of several; None: all. Of several the nearest
        counts, and inside several that which the point is deepest in. A mesh must be closed. radius [length]: makes the points
        balls, one for all or one each; their distance is that of their centers minus the radius. threads, progress: as in
        `overlap_many`. See docs/signed_distance.md.
        """
        from .queries.signed_distance import signed_distance

        return signed_distance(
            self._store, points, bodies, signed=True, radius=radius, threads=threads, progress=progress
        )  # fmt: skip

    def surface_distance(
        self,
        points: ArrayLike,
        bodies: Body | Sequence[Body] | None = None,
        *,
        radius: ArrayLike = 0.0,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> PointDistances:
        """Return how far points are from the faces of bodies, which may be open: as `signed_distance`, but never negative.

        The inside of a mesh does not count. It is 0 within the radius of a Sphere, Capsule or PointCloud.
        """
        from .queries.signed_distance import signed_distance

        return signed_distance(
            self._store, points, bodies, signed=False, radius=radius, threads=threads, progress=progress
        )  # fmt: skip

    def depth(self, a: Body, b: Body) -> PairDepth:
        """Return the depth of two convex bodies that overlap: the length of the shortest straight motion of `a` out of `b`.

        0 if they do not overlap by more than the tolerance. Also of bodies that ignore each other. Convex are a Box, Sphere and
        Capsule, a PointCloud of one point, and closed convex meshes; for others there is no exact depth, and an error says why.
        See docs/depth.md.
        """
        from .queries.depth import depth

        return depth(self._store, a, b)

    def depth_along(self, a: Body, b: Body, direction: ArrayLike) -> PairDepth:
        """Return how far `a` must move along a direction, world, until it is clear of `b`, however far it goes on.

        0 if they do not overlap by more than the tolerance. All shapes. Also of bodies that ignore each other. See
        docs/depth.md.
        """
        from .queries.depth import depth_along

        return depth_along(self._store, a, b, direction)

    def cast(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        length: float = math.inf,
        radius: float = 0.0,
        ignore: Iterable[Body] = (),
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> RayHits:
        """Return what rays meet first, as arrays: distance, body, face, point, normal. See docs/cast.md.

        origins, directions [length], shape (..., 3), world: leading shapes are broadcast. Directions may have any length above
        0. Rays see surfaces: one that begins inside a closed mesh meets it from inside. A ray never slips between faces that
        share an edge or a vertex.

        length [length]: how far rays go. radius [length]: of a ball that moves along each ray; the distance is then where it
        first touches, 0 if it does at the start. ignore: bodies to leave out. threads, progress: as in `overlap_many`.
        """
        from .queries.cast import cast

        return cast(
            self._store, origins, directions, length=length, radius=radius, ignore=ignore, threads=threads, progress=progress
        )

    def cast_all(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        length: float = math.inf,
        radius: float = 0.0,
        ignore: Iterable[Body] = (),
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> RayCrossings:
        """Return all faces that rays meet, nearest first; `result[row]` has those of a ray. Arguments as in `cast`.

        A ray through an edge or a vertex meets all faces there. With a radius, of the ball or of the body, each face is
        reported where the ball first touches it. See docs/cast.md.
        """
        from .queries.cast import cast_all

        return cast_all(
            self._store, origins, directions, length=length, radius=radius, ignore=ignore, threads=threads, progress=progress
        )

    def look(
        self,
        view: View | PinholeCamera,
        pixels: tuple[int, int] | int | None = None,
        *,
        bounding: bool = False,
        ignore: Iterable[Body] = (),
        backend: Backend = "cpu",
    ) -> LookResult:
        """Look through a box of parallel rays, or a camera. Return the visible bodies, their distances and the pictures.

        pixels: (columns, rows) of a View, by default (64, 64); a camera has its own. bounding, for a View: each pixel holds
        a lower bound of the depths in its cell instead of the depth at its center, so thin objects are not missed. ignore:
        bodies to leave out. backend, for a View: "gl" draws on the graphics card, which keeps the vertices.
        """
        from .queries.look import look

        return look(self._store, view, pixels=pixels, bounding=bounding, ignore=ignore, backend=backend)

    def look_many(
        self,
        views: Iterable[View],
        pixels: tuple[int, int] | int = (64, 64),
        *,
        bounding: bool = False,
        ignore: Iterable[Body] = (),
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> LookResults:
        """Look through many views in one call, on all cores. Return the pictures; `results[k]` is what `look` returns.

        pixels, bounding, ignore: as in `look`, for all views. A pixel takes 16 bytes. threads: how many; None for all cores.
        progress: a function that is called from time to time with how many looks are done, and of how many.
        """
        from .queries.look_many import look_many

        return look_many(
            self._store, views, pixels=pixels, bounding=bounding, ignore=ignore, threads=threads, progress=progress
        )

    def search(
        self,
        body: Body,
        view: View,
        pixels: tuple[int, int] | int = (64, 64),
        *,
        axis: ArrayLike = (0.0, 0.0, 1.0),
        step: float | None = None,
    ) -> LookResult | None:
        """Turn a view about an axis through its eye until it sees a body. Return that look; None after one full turn.

        axis: right-handed. step [radians]: angle between looks; by default the far ends of two views lie side by side.
        """
        from .queries.look import search

        return search(self._store, body, view, axis=axis, step=step, pixels=pixels)

    def animate(
        self,
        mover: Body | Sequence[Body],
        motion: Motion,
        path: str | PathLike[str],
        *,
        frames: int = 48,
        seconds: float = 3.0,
        size: tuple[int, int] = (480, 360),
        stop_at_contact: bool = True,
        **options: Unpack[PictureOptions],
    ) -> None:
        """Write an animated GIF of a motion; it needs Pillow. The scene does not change.

        mover, motion: as in `sweep`. path: *.gif. frames: how many pictures. seconds: how long the motion takes; the last
        picture stays for a second. stop_at_contact: whether the motion ends at the first contact, with its mark. ignore: bodies
        to pass through, which are not drawn. Other arguments: as in `picture`.
        """
        pace = {"frames": frames, "seconds": seconds, "stop_at_contact": stop_at_contact}
        renderer_for("animate_motion")(self, mover, motion, path, size=size, **pace, **options)

    def show(
        self, mover: Body | Sequence[Body] | None = None, motion: Motion | None = None, **options: Unpack[PageOptions]
    ) -> Page:
        """Show the scene on a page in the browser, and return the page at once: docs/viewer.md.

        mover, motion: the question to begin with. options: docs/viewer.md.
        """
        return renderer_for("page")(self, mover, motion, **options)

    @property
    def tolerance(self) -> float | None:
        """Contact tolerance [length]; None is the default."""
        return None if self._store.tolerance < 0.0 else self._store.tolerance

    @tolerance.setter
    def tolerance(self, value: float | None) -> None:
        self._store.tolerance = _tolerance(value)

    @property
    def bodies(self) -> tuple[Body, ...]:
        """All bodies, in the order in which they were added."""
        return tuple(entry.body for entry in self._store.entries.values())

    @property
    def robots(self) -> dict[str, Robot]:
        """Robots by name, in the order in which their first links were added."""
        return dict(self._store.robots)

    def __len__(self) -> int:
        return len(self._store.entries)

    def __bool__(self) -> bool:
        return True  # also without bodies

    def __iter__(self) -> Iterator[Body]:
        return iter(self.bodies)

    def __contains__(self, body: Body | str | int) -> bool:
        """Return whether a body is in the scene; also by name or id."""
        if isinstance(body, Body):
            return entry_of(body).store is self._store
        return self._find(body) is not None

    def __getitem__(self, key: str | int) -> Body:
        """Return a body by name or id."""
        found = self._find(key)
        if found is None:
            raise NotFound(f"no body {checks.shown(key)} in this scene; it has {checks.listed(self._store.names)}")
        return found.body

    def _find(self, key: str | int) -> Entry | None:
        """Return the entry of a name or an id; None if there is no such body."""
        if isinstance(key, str):
            return self._store.names.get(key)
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            return self._store.entries.get(int(key))
        raise InvalidType(f"expected the name or the id of a body, got {checks.shown(key)}")

    def __copy__(self) -> Scene:
        return deepcopy(self)

    def __reduce__(self) -> tuple[Any, ...]:
        # With what a subclass keeps.
        return _filled, (type(self), self._store.packed()), getattr(self, "__dict__", None)

    def __repr__(self) -> str:
        return f"<Scene: {checks.amount(len(self), 'body', 'bodies')}>"


def _filled(kind: type[_Any], packed: Packed) -> _Any:
    """Return a copied or unpickled scene."""
    scene = kind.__new__(kind)
    scene._store = Store(scene, packed.tolerance, packed.identity)  # noqa: SLF001  (a constructor)
    scene._store.fill(packed)  # noqa: SLF001
    return scene


@cache
def _sweep() -> Any:
    """Return the sweep, imported once: a sweep takes microseconds, and an import statement one of them."""
    from .queries.sweep import sweep

    return sweep


def store_of(scene: Any) -> Store:
    """Return the store of a scene, for code that implements queries."""
    if not isinstance(scene, Scene):
        raise InvalidType(f"scene: expected a Scene, got {checks.shown(scene)}")
    return scene._store  # noqa: SLF001  (the only access from a scene to its store)


def _tolerance(value: float | None) -> float:
    return -1.0 if value is None else checks.length(value, "tolerance", InvalidQuery)
