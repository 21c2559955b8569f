"""Overlaps, compared with coal: two large meshes, yes or no; and all pairs of a building, with a limit.

Answers are compared first. Two meshes: with coal's. The building: pairs and distances with coal's `distance` for all pairs
whose boxes are near, found by comparing all boxes; kinds of pairs of upright boxes with their intervals, and of a sample of the
other pairs with all their faces (`reference.overlaps`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Box, Mesh, Rotate, Scene, Shape, SweepscopeError, Translate
from sweepscope.results import PairDistance

from ..reference.overlaps import PlacedBody, relation
from ..scenes import building, bumpy_ball
from .rows import Row, best_in_turns, best_of_rounds, directions, peer

_GAPS = (1e-3, 1e-2, 1e-1, -1e-2)  # of the radius; less than 0: they overlap
_PLACES = 10
_LIMIT = 0.05
_SAMPLE = 400
_EQUAL = 1e-9  # share of the scene

Floats = NDArray[np.float64]


def _model(coal: Any, shape: Shape) -> Any:
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(shape.faces), len(shape.vertices))
    model.addVertices(np.asarray(shape.vertices))
    model.addTriangles(np.asarray(shape.faces))
    model.endModel()
    return model


def _transform(coal: Any, pose: Floats) -> Any:
    return coal.Transform3s(pose[:3, :3], pose[:3, 3])


def _places(one: Mesh, other: Mesh, gap: float) -> list[Floats]:
    """Return poses of the second mesh: it comes in from all around, and stops at a gap along its way."""
    scene = Scene()
    scene.add(one)
    body = scene.add(other)
    poses = []
    for k, way in enumerate(directions(_PLACES, 5.0, seed=1)):
        pose = Rotate((1.0, 2.0, k), 0.3 * k).at()
        pose[:3, 3] = way
        body.pose = pose
        hit = scene.sweep(body, Translate(-way))
        if hit is None:
            raise SweepscopeError("two balls that fly at each other do not meet")
        pose = pose.copy()
        pose[:3, 3] = way * (1.0 - (hit.travel - gap) / 5.0)
        poses.append(pose)
    return poses


def _two_meshes(coal: Any, repeats: int) -> list[Row]:
    one, other = bumpy_ball(72, 71, 1.0, seed=3), bumpy_ball(72, 71, 1.0, seed=5)
    models = _model(coal, one), _model(coal, other)
    request, home = coal.CollisionRequest(), coal.Transform3s()
    rows = []
    for gap in _GAPS:
        poses = _places(one, other, gap)
        scene = Scene()
        obstacle = scene.add(one)
        bodies = [scene.add(other, pose) for pose in poses]
        placed = [_transform(coal, pose) for pose in poses]
        many = Scene()
        many.add(one)
        mover = many.add(other)
        stands = np.array(poses)

        def theirs(where: Any) -> bool:
            result = coal.CollisionResult()
            return coal.collide(models[0], home, models[1], where, request, result) > 0

        found = [bool(scene.overlaps(obstacle, body)) for body in bodies]
        at_poses = many.overlap_many(mover, stands, threads=1)
        if found != [theirs(where) for where in placed] or at_poses.tolist() != found:
            raise SweepscopeError(f"coal and sweepscope disagree whether meshes with a gap of {gap} overlap")
        works: dict[str, Callable[[], object]] = {
            "call": lambda: [scene.overlaps(obstacle, body) for body in bodies],  # noqa: B023
            "rows": lambda: many.overlap_many(mover, stands, threads=1),  # noqa: B023
            "coal": lambda: [theirs(where) for where in placed],  # noqa: B023
        }
        times = best_in_turns(works, repeats)
        each = {name: taken / len(poses) for name, taken in times.items()}
        work = f"overlap of 10,082 and 10,082 triangles, {abs(gap):g} radii {'apart' if gap > 0.0 else 'deep'}"
        note = f"{len(poses)} poses; equal to coal's answers"
        rows.append(Row(f"{work}, overlap_many", each["rows"], "0.5 x", {"coal": each["coal"]}, note))
        rows.append(Row(f"{work}, one call of overlaps", each["call"], "", {"coal": each["coal"]}))
    return rows


def _near_pairs(bodies: tuple[Body, ...], limit: float) -> list[tuple[int, int]]:
    """Return all pairs whose boxes are within a limit, by comparing each box with all others."""
    bounds = np.array([body.bounds for body in bodies])
    pairs = []
    for k in range(len(bodies) - 1):
        low, high = bounds[k, 0] - limit, bounds[k, 1] + limit
        near = (bounds[k + 1 :, 0] <= high).all(axis=1) & (bounds[k + 1 :, 1] >= low).all(axis=1)
        pairs += [(k, int(j)) for j in k + 1 + np.flatnonzero(near)]
    return pairs


def _check_distances(coal: Any, scene: Scene, found: list[PairDistance], limit: float) -> str:
    """Raise unless the pairs within the limit are those of coal, with the same distances; return a note."""
    bodies = scene.bodies
    models = {shape: _model(coal, shape) for shape in {body.shape for body in bodies}}
    placed = [_transform(coal, body.pose) for body in bodies]
    ours = {(pair.first.id, pair.second.id): pair for pair in found}
    near = _near_pairs(bodies, limit + _EQUAL)
    request, off, solid = coal.DistanceRequest(), 0.0, 0
    for one, other in near:
        result = coal.DistanceResult()
        gap = coal.distance(models[bodies[one].shape], placed[one], models[bodies[other].shape], placed[other], request, result)
        pair = ours.pop((one, other), None)
        if pair is None:
            if gap < limit - _EQUAL:
                raise SweepscopeError(f"{bodies[one]} and {bodies[other]} are {gap} apart, and not on the list")
        elif pair.overlapping and gap > 0.0:
            solid += 1  # nested: coal's meshes have no inside
        else:
            off = max(off, abs(max(gap, 0.0) - pair.distance))
    if ours or off > _EQUAL * float(np.ptp([body.bounds for body in bodies])):
        raise SweepscopeError(f"{len(ours)} pairs are not those of coal; distances differ by up to {off:.1e}")
    return f"{len(near):,} pairs of near boxes compared with coal: equal to {off:.0e}; {solid} nested"


def _check_kinds(found: list[PairDistance]) -> str:
    """Raise if a kind is not that of the twin, for all pairs of upright boxes and for some others; return a note."""
    boxes, others = [], []
    for pair in found:
        upright = all(isinstance(body.shape, Box) and (body.pose[:3, :3] == np.eye(3)).all() for body in pair.bodies)
        (boxes if upright else others).append(pair)
    for pair in boxes:
        (low, high), (other_low, other_high) = (body.bounds for body in pair.bodies)
        deep = float(np.minimum(high - other_low, other_high - low).min())
        if pair.overlapping != (deep > 1e-6):
            raise SweepscopeError(f"{pair}: the boxes are {deep} deep in each other")
    others = [pair for pair in others if pair.kind != "touching"]
    for k in np.random.default_rng(0).permutation(len(others))[:_SAMPLE]:
        pair = others[k]
        expected = relation(*(_placed(body) for body in pair.bodies)).kind
        if expected != pair.kind and not (pair.kind == "duplicate" and expected == "crossing"):
            raise SweepscopeError(f"{pair}: expected {expected}")
    return f"kinds of {len(boxes):,} pairs of boxes and {min(_SAMPLE, len(others))} other pairs checked"


def _placed(body: Body) -> PlacedBody:
    vertices = body.shape.vertices @ body.pose[:3, :3].T + body.pose[:3, 3]
    return PlacedBody(vertices[body.shape.faces], body.shape.radius, True)


def _building(coal: Any, repeats: int, say: Callable[[str], None]) -> list[Row]:
    scene = building()
    count = len(scene)
    found = scene.overlaps(limit=_LIMIT)
    say(f"comparing {len(found):,} pairs of a building with coal's ...")
    notes = f"{_check_distances(coal, scene, found, _LIMIT)}; {_check_kinds(found)}"
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in sorted(Counter(pair.kind for pair in found).items()))
    works: dict[str, Callable[[], object]] = {
        "limit": lambda: scene.overlaps(limit=_LIMIT),
        "overlap": scene.overlaps,
        "coal": _coal_clashes(coal, scene, _LIMIT),
    }
    times = best_of_rounds(works, max(1, repeats))
    peers = {"coal": times["coal"]}
    notes += "; coal: without finding the pairs of near boxes"
    return [
        Row(f"all pairs of {count:,} bodies within {_LIMIT} m", times["limit"], "under 1 s", peers, f"{kinds}; {notes}"),
        Row(f"all pairs of {count:,} bodies that overlap", times["overlap"], "", {}),
    ]


def _coal_clashes(coal: Any, scene: Scene, limit: float) -> Callable[[], int]:
    """Return a function that counts the pairs within a limit by coal's distance of each pair of near boxes, which are given."""
    bodies = scene.bodies
    models = {shape: _model(coal, shape) for shape in {body.shape for body in bodies}}
    placed = [_transform(coal, body.pose) for body in bodies]
    pairs = [(models[bodies[i].shape], placed[i], models[bodies[j].shape], placed[j]) for i, j in _near_pairs(bodies, limit)]
    request = coal.DistanceRequest()

    def count() -> int:
        return sum(coal.distance(*pair, request, coal.DistanceResult()) <= limit for pair in pairs)

    return count


def measure(repeats: int, say: Callable[[str], None]) -> list[Row]:
    """Check the answers, then measure; return the lines of the table."""
    coal = peer("coal")
    say("10,082 on 10,082 triangles ...")
    rows = _two_meshes(coal, repeats)
    return rows + _building(coal, repeats, say)
