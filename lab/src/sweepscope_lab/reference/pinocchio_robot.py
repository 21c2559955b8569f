"""The same robot in pinocchio and coal: the same triangles, boxes and pairs of bodies, checked when it is built.

pinocchio reads the same URDF and SRDF by itself. Its meshes are compared with ours, to float32, which its reader stores. Then
it gets our vertices, so that both decide about the same surfaces; cylinders become our prisms of 64 sides. The pairs are all
that move against each other, without those that a joint connects (through links without shapes too) and those of the SRDF.
coal's meshes are surfaces, ours are solid: only we call a body inside a mesh overlapping.

pinocchio tests a configuration in two ways: pair by pair (`computeCollisions` with a model and a configuration), or with a
broad phase, which is faster. Of the broad phases of coal 3.0.3, SaP and DynamicAABBTreeArray miss collisions. Of the others the
naive one, which compares all boxes, is the fastest for these robots.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Box, Capsule, Mesh, Robot, Sphere, SweepscopeError

from ..scenes.urdf_robots import RobotFiles, body_pairs, leader_of, robots_folder

_FLOAT32 = 1e-5
"""Largest difference of two readers' vertices [share of the size]."""
_PLACE = 1e-9
"""Largest difference of two poses [length]."""

Array = NDArray[np.float64]


class PinocchioRobot:
    """A robot with its obstacles as pinocchio's models. A configuration q is ours: `robot.actuated_joints` in order."""

    def __init__(self, robot: Robot, files: RobotFiles, obstacles: Sequence[Body]) -> None:
        """obstacles: all bodies of the scene that are not the robot's; the robot's root is at the world's origin."""
        self._pin, self._coal = import_module("pinocchio"), import_module("coal")
        pin, folder = self._pin, robots_folder()
        path = str(folder / files.urdf)
        self.model = pin.buildModelFromUrdf(path)
        folders = [str(folder), str(folder.parent), str(folder.parent.parent)]
        self.geometry = pin.buildGeomFromUrdf(self.model, path, pin.GeometryType.COLLISION, package_dirs=folders)
        self.names: list[str] = []
        """Names of our bodies in the order of pinocchio's geometries."""
        self._take_shapes(robot)
        for body in obstacles:
            self._add_obstacle(body)
        self._set_pairs(robot, files, path, folder, list(obstacles))
        self.data = self.model.createData()
        self.geometry_data = pin.GeometryData(self.geometry)
        # A broad phase keeps poses in the geometry data that it is made with.
        self._manager = pin.BroadPhaseManager_NaiveCollisionManager(self.model, self.geometry, pin.GeometryData(self.geometry))
        self._columns = _columns(robot, self.model, pin.neutral(self.model))
        self._index = {name: k for k, name in enumerate(self.names)}
        self._robot = robot
        self._check_places(robot)

    def _take_shapes(self, robot: Robot) -> None:
        """Compare pinocchio's shapes with ours and give it ours."""
        counts: dict[str, int] = {}
        for item in self.geometry.geometryObjects:
            link = self.model.frames[item.parentFrame].name
            number = counts.get(link, 0)
            counts[link] = number + 1
            bodies = robot.links[link].bodies
            if number >= len(bodies):
                raise SweepscopeError(f"link {link!r}: pinocchio has {number + 1} shapes or more, sweepscope {len(bodies)}")
            body = bodies[number]
            self._check_shape(item.geometry, body)
            item.geometry = self.model_of(body.shape)
            self.names.append(body.name)
        for link in robot.links.values():
            if len(link.bodies) != counts.get(link.name, 0):
                raise SweepscopeError(
                    f"link {link.name!r}: pinocchio has {counts.get(link.name, 0)} shapes, sweepscope {len(link.bodies)}"
                )

    def _check_shape(self, theirs: Any, body: Body) -> None:
        """Raise unless a shape of pinocchio's is the same as ours."""
        coal, shape = self._coal, body.shape
        if isinstance(theirs, coal.BVHModelBase):
            assert isinstance(shape, Mesh)
            vertices = np.array(theirs.vertices())
            faces = np.array([[theirs.tri_indices(k)[n] for n in range(3)] for k in range(theirs.num_tris)])
            check_same_triangles(vertices[faces], shape.vertices[shape.faces], body.name)
            return
        theirs.computeLocalAABB()
        wide = np.array([theirs.aabb_local.min_, theirs.aabb_local.max_])
        radius = shape.radius
        ours = np.array([shape.vertices.min(axis=0) - radius, shape.vertices.max(axis=0) + radius])
        accepted = 2e-3 if isinstance(theirs, coal.Cylinder) else _FLOAT32
        if np.abs(wide - ours).max() > accepted * np.ptp(ours, axis=0).max():
            raise SweepscopeError(
                f"{body.name}: pinocchio's {type(theirs).__name__} fills {wide.tolist()}, ours {ours.tolist()}"
            )

    def model_of(self, shape: Any) -> Any:
        """Return a shape as coal's."""
        coal = self._coal
        if isinstance(shape, Box):
            return coal.Box(*np.ptp(shape.vertices, axis=0))
        if isinstance(shape, Sphere):
            return coal.Sphere(shape.radius)
        if isinstance(shape, Capsule):
            return coal.Capsule(shape.radius, float(np.ptp(shape.vertices, axis=0).max()))
        model = coal.BVHModelOBBRSS()
        model.beginModel(len(shape.faces), len(shape.vertices))
        model.addVertices(np.asfortranarray(shape.vertices))
        model.addTriangles(np.asfortranarray(shape.faces.astype(np.int32)))
        model.endModel()
        return model

    def _add_obstacle(self, body: Body) -> None:
        pose = body.pose
        place = self._pin.SE3(np.array(pose[:3, :3]), np.array(pose[:3, 3]))
        self.geometry.addGeometryObject(self._pin.GeometryObject(body.name, 0, place, self.model_of(body.shape)))
        self.names.append(body.name)

    def _set_pairs(self, robot: Robot, files: RobotFiles, path: str, folder: Any, obstacles: list[Body]) -> None:
        """Set the pairs to test, and raise unless they are ours."""
        pin, geometry = self._pin, self.geometry
        links = {body.name: link.name for link in robot.links.values() for body in link.bodies}
        joined = neighbors(path)
        geometry.addAllCollisionPairs()
        if files.srdf is not None:
            pin.removeCollisionPairs(self.model, geometry, str(folder / files.srdf), False)
        kept = []
        for pair in geometry.collisionPairs:
            one, other = (links.get(self.names[k]) for k in (pair.first, pair.second))
            if one is None or other is None or frozenset((one, other)) not in joined:
                kept.append((pair.first, pair.second))
        geometry.removeAllCollisionPairs()
        for one, other in kept:
            geometry.addCollisionPair(pin.CollisionPair(one, other))
        theirs, ours = self.pairs(), body_pairs(robot, obstacles)
        if ours != theirs:
            raise SweepscopeError(
                f"{robot.name}: other pairs of bodies: only ours: {_shown(ours - theirs)}; "
                f"only pinocchio's: {_shown(theirs - ours)}"
            )

    def _check_places(self, robot: Robot) -> None:
        """Raise unless both put the bodies of the robot at the same poses."""
        self.place(robot.q)
        for name, pose in zip(self.names, self.geometry_data.oMg, strict=True):
            off = float(np.abs(pose.homogeneous - robot.scene[name].pose).max())
            if off > _PLACE:
                raise SweepscopeError(f"{name}: pinocchio's pose differs by {off:.1e}")

    def rows(self, q: Array) -> Array:
        """Return configurations, shape (..., dof), as pinocchio's, shape (..., nq)."""
        q = np.asarray(q, float)
        neutral, numbers, leaders, factors, offsets, kinds = self._columns
        result = np.tile(neutral, (*q.shape[:-1], 1))
        values = factors * q[..., leaders] + offsets
        single = kinds == 1
        result[..., numbers[single]] = values[..., single]
        result[..., numbers[~single]] = np.cos(values[..., ~single])
        result[..., numbers[~single] + 1] = np.sin(values[..., ~single])
        return result

    def collides(self, row: Array) -> bool:
        """Return whether any pair overlaps at one of pinocchio's configurations, pair by pair; it stops at the first."""
        return self._pin.computeCollisions(self.model, self.data, self.geometry, self.geometry_data, row, True)

    def collides_fast(self, row: Array) -> bool:
        """Return what `collides` returns, by a broad phase."""
        return self._pin.computeCollisions(self.model, self.data, self._manager, row, True)

    def hits(self, q: Array) -> NDArray[np.bool_]:
        """Return whether any pair overlaps at each of our configurations, shape (...), by a broad phase."""
        rows = self.rows(q)
        found = [self.collides_fast(row) for row in rows.reshape(-1, rows.shape[-1])]
        return np.array(found, bool).reshape(rows.shape[:-1])

    def check_broad_phase(self, q: Array) -> None:
        """Raise if the broad phase and tests pair by pair differ at some of our configurations, shape (n, dof)."""
        rows = self.rows(q)
        wrong = [k for k, row in enumerate(rows) if self.collides(row) != self.collides_fast(row)]
        if wrong:
            raise SweepscopeError(f"pinocchio's broad phase is wrong about {q[wrong[0]].tolist()}, and {len(wrong)} in all")

    def pool(self, threads: int) -> Any:
        """Return what `hits_on` needs: models for several threads, with a broad phase."""
        return self._pin.BroadPhaseManagerPool_DynamicAABBTreeCollisionManager(self.model, self.geometry, threads)

    def hits_on(self, pool: Any, threads: int, rows: Array) -> NDArray[np.bool_]:
        """Return what `collides` returns for each of pinocchio's configurations, shape (n, nq), on several threads."""
        found = self._pin.computeCollisionsInParallel(threads, pool, np.asfortranarray(rows.T), True)
        return np.asarray(found, bool).ravel()

    def first_hit(self, start: Array, end: Array, steps: int, until: float = 1.0) -> float:
        """Return the share of a straight motion at which it first collides, NaN if never; tested after each of `steps` steps.

        It uses the broad phase. Shares beyond `until` are not tested. A collision counts if coal's distance of the pair is 0:
        its collision test takes bodies that are up to 1e-6 apart as colliding.
        """
        for k in range(steps + 1):
            share = k / steps
            if share > until:
                break
            q = start + share * (end - start)
            if self.collides_fast(self.rows(q)) and any(self.distance_of(q, *pair) <= 0.0 for pair in self.pairs_hit(q)):
                return share
        return float("nan")

    def walk(self, rows: Array) -> int | None:
        """Return the number of the first of pinocchio's configurations that collides; None if all are free."""
        return next((k for k, row in enumerate(rows) if self.collides(row)), None)

    def walk_fast(self, rows: Array) -> int | None:
        """Return what `walk` returns, by a broad phase."""
        return next((k for k, row in enumerate(rows) if self.collides_fast(row)), None)

    def pairs(self) -> set[frozenset[str]]:
        """Return the pairs of bodies that are tested, by name."""
        return {frozenset((self.names[pair.first], self.names[pair.second])) for pair in self.geometry.collisionPairs}

    def place(self, q: Array) -> None:
        """Put the geometries where a configuration of ours has them."""
        self._pin.updateGeometryPlacements(self.model, self.data, self.geometry, self.geometry_data, self.rows(q))

    def distance(self, q: Array) -> tuple[float, frozenset[str]]:
        """Return the least distance at a configuration of ours [length], 0 or less if a pair overlaps, and its pair."""
        pair = self._pin.computeDistances(self.model, self.data, self.geometry, self.geometry_data, self.rows(q))
        names = self.geometry.collisionPairs[pair]
        return self.geometry_data.distanceResults[pair].min_distance, frozenset(
            (self.names[names.first], self.names[names.second])
        )

    def least_distance(self, row: Array) -> float:
        """Return the least distance of all pairs at one of pinocchio's configurations [length]."""
        pair = self._pin.computeDistances(self.model, self.data, self.geometry, self.geometry_data, row)
        return self.geometry_data.distanceResults[pair].min_distance

    def distance_of(self, q: Array, one: str, other: str) -> float:
        """Return the distance of two bodies, by name, at a configuration of ours [length]; 0 or less if they overlap."""
        self.place(q)
        coal = self._coal
        shapes, places = [], []
        for name in (one, other):
            index = self._index[name]
            pose = self.geometry_data.oMg[index]
            shapes.append(self.geometry.geometryObjects[index].geometry)
            places.append(coal.Transform3s(pose.rotation, pose.translation))
        result = coal.DistanceResult()
        return coal.distance(shapes[0], places[0], shapes[1], places[1], coal.DistanceRequest(True), result)

    def pairs_hit(self, q: Array) -> list[frozenset[str]]:
        """Return all pairs that overlap at a configuration of ours."""
        self._pin.computeCollisions(self.model, self.data, self.geometry, self.geometry_data, self.rows(q), False)
        results = zip(self.geometry_data.collisionResults, self.geometry.collisionPairs, strict=True)
        return [frozenset((self.names[pair.first], self.names[pair.second])) for found, pair in results if found.isCollision()]


def check_same_triangles(theirs: Array, ours: Array, name: str) -> None:
    """Raise unless two lists of triangles, shapes (n, 3, 3) and (m, 3, 3), agree to float32, in any order."""
    if len(theirs) != len(ours):
        raise SweepscopeError(f"{name}: pinocchio has {len(theirs):,} triangles, sweepscope {len(ours):,}")
    size = float(np.ptp(ours.reshape(-1, 3), axis=0).max())
    for one, other in ((theirs.mean(axis=1), ours.mean(axis=1)), (_areas(theirs) / size, _areas(ours) / size)):
        off = float(np.abs(np.sort(one, axis=0) - np.sort(other, axis=0)).max())
        if off > _FLOAT32 * max(size, float(np.abs(ours).max())):
            raise SweepscopeError(f"{name}: pinocchio's triangles differ by {off:.1e}")


def _areas(triangles: Array) -> Array:
    """Return twice the areas, shape (n,)."""
    one, other = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    return np.linalg.norm(np.cross(one, other), axis=1)


def neighbors(path: str) -> set[frozenset[str]]:
    """Return the pairs of links of a URDF file that a joint connects, or several in line with only shapeless links between."""
    root = ElementTree.parse(path).getroot()
    shaped = {link.get("name", "") for link in root.findall("link") if link.find("collision") is not None}
    above = {_link(joint, "child"): _link(joint, "parent") for joint in root.findall("joint")}
    pairs: set[frozenset[str]] = set()
    for link in shaped & set(above):
        parent: str | None = above[link]
        while parent is not None and parent not in shaped:
            parent = above.get(parent)
        if parent is not None:
            pairs.add(frozenset((link, parent)))
    return pairs


def _link(joint: ElementTree.Element, end: str) -> str:
    found = joint.find(end)
    return "" if found is None else found.get("link", "")


def _columns(robot: Robot, model: Any, neutral: Array) -> tuple[Any, ...]:
    """Return what makes pinocchio's configurations: a neutral one; of joints: place, leader, factor, offset, count."""
    rows = {name: k for k, name in enumerate(robot.actuated_joints)}
    table = []
    for name, joint in robot.joints.items():
        if joint.kind == "fixed":
            continue
        theirs = model.joints[model.getJointId(name)]
        leader, factor, offset = leader_of(robot, name)
        table.append((theirs.idx_q, rows[leader], factor, offset, theirs.nq))
    places, leaders, factors, offsets, kinds = (np.array(column) for column in zip(*table, strict=True))
    return np.array(neutral), places.astype(int), leaders.astype(int), factors, offsets, kinds


def _shown(pairs: set[frozenset[str]]) -> str:
    names = sorted(" and ".join(sorted(pair)) for pair in pairs)
    return "none" if not names else "; ".join(names[:5]) + (f"; {len(names)} in all" if len(names) > 5 else "")
