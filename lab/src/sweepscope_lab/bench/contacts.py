"""Contacts, compared with coal's `collide`, which lists a contact for each pair of faces: one process, one thread.

Answers are checked first: a box has the four corners that are known, bodies are in contact for us if they are for coal, and all
contacts of a rough ball lie on both surfaces. coal gets a mesh for the floor and its own box or ball for the mover.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Box, Mesh, Pose, Scene, Sphere, SweepscopeError, Translate

from ..scenes import bumpy_ball, hills
from .rows import Row, best_in_turns, peer

_SINK = 1e-4  # coal reports contacts of bodies that overlap a little
_MOST = 10_000  # contacts of coal


def _floor(cells: int) -> Mesh:
    """Return a flat floor of two triangles a cell, 10 by 10."""
    lines = np.linspace(-5.0, 5.0, cells + 1)
    x, y = np.meshgrid(lines, lines)
    number = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    a, b, c, d = (part.ravel() for part in (number[:-1, :-1], number[:-1, 1:], number[1:, 1:], number[1:, :-1]))
    faces = np.concatenate((np.column_stack((a, b, c)), np.column_stack((a, c, d))))
    return Mesh(np.column_stack((x.ravel(), y.ravel(), np.zeros(x.size))), faces)


def _coal_mesh(coal: Any, mesh: Mesh) -> Any:
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(mesh.faces), len(mesh.vertices))
    model.addVertices(np.asfortranarray(mesh.vertices))
    model.addTriangles(np.asfortranarray(mesh.faces.astype(np.int32)))
    model.endModel()
    return model


class _Coal:
    """coal's contacts of a mover with a floor."""

    def __init__(self, coal: Any, mover: Any, floor: Any) -> None:
        self._coal, self._mover, self._floor = coal, mover, floor
        self._request = coal.CollisionRequest(coal.CONTACT, _MOST)
        self._home = coal.Transform3s()

    def contacts(self, pose: NDArray[np.float64]) -> int:
        """Return how many there are."""
        result = self._coal.CollisionResult()
        there = self._coal.Transform3s(pose[:3, :3], pose[:3, 3])
        self._coal.collide(self._mover, there, self._floor, self._home, self._request, result)
        return int(result.numContacts())


def _row(
    name: str,
    scene: Scene,
    body: Body,
    poses: list[NDArray[np.float64]],
    margin: float,
    bar: str,
    rival: _Coal | None,
    check: Callable[[NDArray[np.float64]], None],
    repeats: int,
) -> Row:
    """Return a row of the table. check: of a pose at which the body is."""
    ours, theirs = [], []
    for pose in poses:
        body.pose = pose
        check(pose)
        ours.append(len(scene.contacts(body, margin=margin)))
        theirs.append(0 if rival is None else rival.contacts(pose))
        if rival is not None and (ours[-1] > 0) != (theirs[-1] > 0):
            raise SweepscopeError(f"contacts: {ours[-1]} here, {theirs[-1]} of coal")

    def work() -> None:
        for pose in poses:
            body.pose = pose
            scene.contacts(body, margin=margin)

    works: dict[str, Callable[[], object]] = {"ours": work}
    if rival is not None:
        works["coal"] = lambda: [rival.contacts(pose) for pose in poses]
    times = best_in_turns(works, repeats)
    peers = {} if rival is None else {"coal": times["coal"] / len(poses)}
    note = f"{np.mean(ours):.1f} contacts on average" + ("" if rival is None else f", {np.mean(theirs):.1f} of coal")
    return Row(name, times["ours"] / len(poses), bar, peers, note)


def _box_rows(coal: Any, repeats: int) -> list[Row]:
    rng = np.random.default_rng(1)
    rows = []
    floor = _floor(100)
    model = _coal_mesh(coal, floor)
    spots = [(*rng.uniform(-4, 4, 2), rng.uniform(0, 7)) for _ in range(20)]
    for name, sink, margin in (("box at rest", 0.0, 1e-3), ("box, a little deep", _SINK, 1e-3)):
        scene = Scene()
        scene.add(floor)
        body = scene.add(Box((1.0, 1.0, 1.0)))

        def check(pose: NDArray[np.float64], scene: Scene = scene, body: Body = body, sink: float = sink) -> None:
            corners = np.array([(x, y, -0.5) for x in (-0.5, 0.5) for y in (-0.5, 0.5)]) @ pose[:3, :3].T + pose[:3, 3]
            found = scene.contacts(body, margin=1e-3)
            far = np.linalg.norm(found.point[:, None] - corners, axis=2)
            if far.shape != (4, 4) or far.min(axis=0).max() > 1e-9 or np.abs(found.gap + sink).max() > 1e-9:
                raise SweepscopeError(f"contacts of a box are not its corners: {found}")

        poses = [Pose.from_axis_angle((x, y, 0.5 - sink), (0, 0, 1), angle=turn) for x, y, turn in spots]
        rival = _Coal(coal, coal.Box(1.0, 1.0, 1.0), model) if sink else None
        rows.append(_row(f"{name}, floor of 20,000 triangles", scene, body, poses, margin, "1 ms", rival, check, repeats))
    scene = Scene()
    scene.add(floor)
    ball = scene.add(Sphere(0.5))
    poses = [Pose.from_axis_angle((x, y, 0.5 - _SINK), (0, 0, 1), angle=turn) for x, y, turn in spots]

    def check_ball(_pose: NDArray[np.float64]) -> None:
        found = scene.contacts(ball, margin=1e-3)
        if len(found) != 1 or abs(found.gap[0] + _SINK) > 1e-9:
            raise SweepscopeError(f"a ball has not one contact: {found}")

    rival = _Coal(coal, coal.Sphere(0.5), model)
    rows.append(_row("ball, a little deep, the same floor", scene, ball, poses, 1e-3, "1 ms", rival, check_ball, repeats))
    return rows


def _ball_row(coal: Any, repeats: int) -> Row:
    """A rough ball on hills, as deep as the margin allows."""
    rng = np.random.default_rng(2)
    ground, rough = hills(159), bumpy_ball(72, 71)
    scene = Scene()
    scene.add(ground)
    ball = scene.add(rough, (0.0, 0.0, 60.0))
    margin = 1e-3 * float(np.ptp(rough.vertices))
    poses = []
    for place in rng.uniform(-20.0, 20.0, (20, 2)):
        ball.pose = (*place, 60.0)
        hit = scene.sweep(ball, Translate((0.0, 0.0, -100.0)))
        if hit is not None:
            poses.append(Translate((0.0, 0.0, -0.1 * margin)).at() @ hit.pose)

    def check(_pose: NDArray[np.float64]) -> None:
        found = scene.contacts(ball, margin=margin)
        if not found or np.abs(found.point - found.other_point - found.gap[:, None] * found.normal).max() > 1e-6 * margin:
            raise SweepscopeError(f"contacts of a rough ball are not on both surfaces: {found}")

    rival = _Coal(coal, _coal_mesh(coal, rough), _coal_mesh(coal, ground))
    name = f"{len(rough.faces):,} on {len(ground.faces):,} triangles, a little deep"
    return _row(name, scene, ball, poses, margin, "1 ms", rival, check, repeats)


def measure(repeats: int, say: Callable[[str], object]) -> list[Row]:
    """Run everything and return the rows; `say` gets a line of text as work proceeds."""
    coal = peer("coal")
    say("a box and a ball on a floor ...")
    rows = _box_rows(coal, repeats)
    say("a rough ball on hills ...")
    return [*rows, _ball_row(coal, repeats)]
