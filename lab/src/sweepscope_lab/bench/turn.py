"""Turning sweeps, compared with rapier3d's nonlinear cast: the same meshes and half turn, one process, one thread.

Answers are checked first with python-fcl's static mesh test: apart just before the contact, touching just after; without
contact, apart at all samples. rapier3d computes in float32 and may miss: we note how well it agrees and count its errors. It
takes seconds per query, so each is run once, and its time is processor time, which a busy machine does not change.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Mesh, Rotate, Scene, SweepscopeError, Translate

from ..scenes import bumpy_ball
from .rows import Row, best, fcl_model, peer, rapier_mesh, rapier_world

_MOTION = Rotate((0.0, 0.0, 1.0), math.pi)
_TRIALS = 6
_CLOSE = 1e-5  # contact is checked this far before and after [radians]
_FLOAT32 = 1e-3  # rapier3d is right up to this difference [radians]
_ROUNDS = 10  # repeats of a short measurement (1 or 2 ms), times those asked for
_SAMPLES = 300  # poses checked of a turn without contact


@dataclass(slots=True)
class Trial:
    """A mover, an obstacle at one place, and the free travel [radians]; inf if nothing is hit."""

    scene: Scene
    body: Body
    mover: Mesh
    obstacle: Mesh
    place: NDArray[np.float64]
    travel: float = np.inf

    def sweep(self) -> float:
        """Return the free travel [radians], inf if nothing is hit."""
        hit = self.scene.sweep(self.body, _MOTION)
        return np.inf if hit is None else hit.travel


def make_trials(rows: int, columns: int) -> list[Trial]:
    """Return trials of a long bumpy blade beside the axis and a bumpy ball at random places on its path."""
    ball = bumpy_ball(rows, columns, 4.0, seed=3)
    blade = Mesh(ball.vertices * (3.0, 0.4, 0.4) + (14.0, 0.0, 0.0), ball.faces)
    obstacle = bumpy_ball(rows, columns, 3.0, seed=5)
    rng = np.random.default_rng(1)
    found = []
    for _ in range(_TRIALS):
        bearing, away, height = rng.uniform(1.0, 2.5), rng.uniform(8.0, 22.0), rng.uniform(-2.5, 2.5)
        place = np.array((away * math.cos(bearing), away * math.sin(bearing), height))
        scene = Scene()
        scene.add(obstacle, place)
        trial = Trial(scene, scene.add(blade), blade, obstacle, place)
        trial.travel = trial.sweep()
        found.append(trial)
    return found


class _FclPair:
    """python-fcl's static test of a trial's meshes."""

    def __init__(self, fcl: Any, trial: Trial) -> None:
        self._fcl = fcl
        self._mover, self._obstacle = fcl_model(fcl, trial.mover), fcl_model(fcl, trial.obstacle)
        self._place = fcl.Transform(trial.place)

    def touching(self, angle: float) -> bool:
        """Return whether the surfaces touch after a turn by `angle` [radians]."""
        c, s = math.cos(angle), math.sin(angle)
        turned = self._fcl.Transform(np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))), np.zeros(3))
        first = self._fcl.CollisionObject(self._mover, turned)
        second = self._fcl.CollisionObject(self._obstacle, self._place)
        return self._fcl.collide(first, second, self._fcl.CollisionRequest(), self._fcl.CollisionResult()) > 0


def _check(fcl: Any, trials: Sequence[Trial]) -> str:
    """Check the answers with static tests; raise if one is wrong."""
    for k, trial in enumerate(trials):
        static = _FclPair(fcl, trial)
        if np.isinf(trial.travel):
            touched = [angle for angle in np.linspace(0.0, math.pi, _SAMPLES) if static.touching(float(angle))]
            if touched:
                raise SweepscopeError(f"trial {k}: the sweep finds no contact, python-fcl does at {touched[0]:.6f} radians")
            continue
        if static.touching(trial.travel - _CLOSE):
            raise SweepscopeError(f"trial {k}: python-fcl finds contact {_CLOSE:g} radians before {trial.travel:.9f}")
        if not static.touching(trial.travel + _CLOSE):
            raise SweepscopeError(f"trial {k}: python-fcl finds no contact {_CLOSE:g} radians after {trial.travel:.9f}")
    hits = int(sum(np.isfinite(trial.travel) for trial in trials))
    return f"{hits} of {len(trials)} hit, all confirmed by python-fcl's static test {_CLOSE:g} radians before and after"


class _RapierTurn:
    """rapier3d's nonlinear cast of a trial."""

    def __init__(self, rapier: Any, trial: Trial) -> None:
        self._rapier = rapier
        mover, obstacle = trial.mover, trial.obstacle
        collider = rapier_mesh(rapier.Collider.trimesh, obstacle.vertices + trial.place, obstacle.faces)
        self._world = rapier_world(rapier, (collider,))
        self._shape = rapier_mesh(rapier.SharedShape.trimesh, mover.vertices, mover.faces)
        still, turn = rapier.Vec3(0.0, 0.0, 0.0), rapier.Vec3(0.0, 0.0, math.pi)
        self._motion = rapier.NonlinearRigidMotion(rapier.Isometry3.identity(), still, still, turn)

    def cast(self) -> float:
        """Return the free travel [radians], inf if nothing is hit."""
        options = self._rapier.ShapeCastOptions()
        found = self._world.query_pipeline.cast_shape_nonlinear(self._motion, self._shape, options, 0.0, 1.0)
        return found[1].time_of_impact * math.pi if found else np.inf


def _with_rapier(rapier: Any, trials: Sequence[Trial]) -> tuple[float, str]:
    """Return the mean processor time of a nonlinear cast [s], run once per trial, and a note on its answers."""
    taken, off, wrong = 0.0, 0.0, 0
    for trial in trials:
        rival = _RapierTurn(rapier, trial)
        begin = time.process_time()
        travel = rival.cast()
        taken += time.process_time() - begin
        same = travel == trial.travel or abs(travel - trial.travel) < _FLOAT32
        wrong += not same
        if same and np.isfinite(travel):
            off = max(off, abs(travel - trial.travel))
    return taken / len(trials), f"rapier3d, asked once on {len(trials)}: equal to {off:.0e} radians, wrong on {wrong}"


def _ours(trials: Sequence[Trial], repeats: int) -> float:
    """Return the mean time of a sweep [s]."""
    return best(lambda: [trial.sweep() for trial in trials], _ROUNDS * repeats) / len(trials)


def _straight(trial: Trial) -> Callable[[], object]:
    """Return the straight sweep to the same contact: along the tangent there, as long as the path of that point."""
    hit = trial.scene.sweep(trial.body, _MOTION)
    if hit is None:
        raise SweepscopeError("a straight sweep to the same contact needs a turn that hits")
    arm = math.hypot(hit.point[0], hit.point[1])
    tangent = np.array((-hit.point[1], hit.point[0], 0.0)) / arm
    start = _MOTION.at(hit.time)
    start[:3, 3] -= tangent * arm * hit.travel
    scene = Scene()
    scene.add(trial.obstacle, trial.place)
    body = scene.add(trial.mover, start)
    motion = Translate(tangent * arm * _MOTION.length)
    straight = scene.sweep(body, motion)
    if straight is None or straight.overlapping:
        raise SweepscopeError("the straight sweep does not reach the contact of the turn")
    return lambda: scene.sweep(body, motion)


def measure(repeats: int, say: Callable[[str], object]) -> list[Row]:
    """Run everything and return the rows; `say` gets a line of text as work proceeds."""
    rapier, fcl = peer("rapier3d"), peer("fcl")
    say("1,250 on 1,250 triangles ...")
    small = make_trials(26, 25)
    note = _check(fcl, small)
    theirs, compared = _with_rapier(rapier, small)
    rows = [Row(_name(small), _ours(small, repeats), "2,000 x", {"rapier3d": theirs}, f"{note}; {compared}")]
    say("10,082 on 10,082 triangles; rapier3d takes 10 to 20 seconds a query ...")
    middle = make_trials(72, 71)
    note = _check(fcl, middle)
    hits = [trial for trial in middle if np.isfinite(trial.travel)]
    theirs, compared = _with_rapier(rapier, hits[:1])
    rows.append(
        Row(f"{_name(middle)}, one place", _ours(hits[:1], repeats), "8,000 x", {"rapier3d": theirs}, f"{note}; {compared}")
    )
    say("50,244 on 50,244 triangles ...")
    large = make_trials(160, 158)
    note = _check(fcl, large)
    middle_time, large_time = _ours(middle, repeats), _ours(large, repeats)
    ratio = f"{large_time / middle_time:.2f} x the time of 10,082 ({1e3 * middle_time:.2f} ms)"
    rows.append(Row(_name(large), large_time, "2.5 x the time", note=f"{ratio}; {note}"))
    say("turns and translations ...")
    walks = [_straight(trial) for trial in hits]
    turn_time = _ours(hits, repeats)
    straight_time = best(lambda: [walk() for walk in walks], _ROUNDS * repeats) / len(walks)
    ratio = f"{turn_time / straight_time:.2f} x the time of straight sweeps to the same contacts ({1e3 * straight_time:.2f} ms)"
    rows.append(Row(f"{_name(middle)}, those that hit", turn_time, "3 x the time", note=ratio))
    return rows


def _name(trials: Sequence[Trial]) -> str:
    return f"{len(trials[0].mover.faces):,} on {len(trials[0].obstacle.faces):,} triangles, half a turn"
