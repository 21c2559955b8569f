"""Runs of motions of bodies in contact: free ones end no deeper than a tolerance, and from there all that separates is free.

The depth is the true one: how far the mover would have to move out (reference/convex_depth.py). Each run begins at a known
depth below the tolerance. After a free motion the mover is moved to its end, after a hit to the contact or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from sweepscope import Body, Hit, Motion, Scene, Translate

from ..reference.contact_cases import ContactScene, contact_scene, thin
from ..reference.contact_motions import ContactMotion, any_motion, short_motion
from ..reference.contact_nearness import Nearness, deepest_share, is_face_normal, nearness
from .contact_bodies import add_body, motion_of
from .contact_verdicts import ContactTally, ContactVerdict
from .tallies import outside

Trace = Callable[[Scene, Body, Motion, Hit | None], None]

MOTIONS = 10
"""Of a run."""
ALLOWED = 1.01
"""Greatest depth after a free motion [tolerances]: one, and what rounding adds."""
_MOMENTS = 3
_AGAIN = 0.2
"""Share of runs in which one motion, shorter than the tolerance, is asked again and again."""
COUNTS = ("motions", "touch", "free", "unclear", "partings", "slides")
"""motions: of all runs; touch: begin in contact; unclear: the oracle does not know the depth; partings: motions that separate;
slides: motions along a face that touches.
"""
DEEP_END, DEEP_WAY, DEEP_HIT, HELD, FROZEN, SLIDE_HELD = "deep end", "deep way", "deep hit", "held", "frozen", "slide held"
WRONGS = (DEEP_END, DEEP_WAY, DEEP_HIT, HELD, FROZEN, SLIDE_HELD)
"""What may be wrong.

deep end, deep way: a free motion ends too deep, or is too deep on its way.
deep hit: the mover is too deep before a hit.
held: a motion that separates is a hit.
frozen: the same, from a place between 1 and 1.01 tolerances deep, or deeper than the tolerance because a turn has made that
smaller; free motions have led there.
slide held: a motion along a face that touches is a hit.
"""
_FREE, _TOUCH = (0.4, 0.9), (0.4, 0.95)
"""Accepted shares of motions that are free, and that begin in contact."""


def judge_depth(seed: int, trace: Trace | None = None) -> ContactVerdict:
    """Run the motions of a seed. `worst` is the greatest depth after a free motion [tolerances].

    trace: called with the scene, the mover (where it is), the motion and the answer of every sweep.
    """
    return _Runner(contact_scene(seed), trace).run()


def poor_depth(row: ContactTally) -> Sequence[str]:
    """Return which motions came up too seldom or too often."""
    motions = row.counts["motions"]
    shares = {"free": _FREE, "touch": _TOUCH}
    return [
        f"{row.counts[name] / motions:.0%} of the motions are {name}"
        for name, accepted in shares.items()
        if outside(row.counts[name] / motions, motions, accepted)
    ]


def _groups(case: ContactScene) -> tuple[str, ...]:
    names = [f"{case.mover.name} on ...", f"... on {case.obstacle.name}", "lattice" if case.lattice else "generic"]
    names.append("default tolerance" if case.tolerance is None else "wide tolerance")
    if case.mover.angle < 90.0:
        names.append(f"half angle {case.mover.angle:05.2f}")
    if thin(case):
        names.append("thinner than 4 tolerances")
    return tuple(names)


class _Runner:
    """The state of a run: the pose of the mover."""

    def __init__(self, case: ContactScene, trace: Trace | None) -> None:
        self._case = case
        self._trace = trace
        self._verdict = ContactVerdict(case.seed, case.kind, _groups(case), dict.fromkeys(COUNTS, 0))
        self._scene = Scene(case.tolerance)
        self._mover, self._offset = add_body(self._scene, case.mover, case.start)
        add_body(self._scene, case.obstacle, case.place)
        self._pose = case.start
        self._again: ContactMotion | None = None
        self._rng = np.random.default_rng((case.seed, 12))

    def run(self) -> ContactVerdict:
        """Make all motions."""
        near = nearness(self._case, self._pose[None])
        self._ask_partings(0, near)
        if self._rng.random() < _AGAIN:
            self._again = short_motion(self._case, self._pose, near.nearest(0)[1], self._rng)
        for number in range(1, MOTIONS + 1):
            gap, axis = near.nearest(0)
            self._move(number, self._again or any_motion(self._case, self._pose, gap, axis, self._rng), gap)
            near = nearness(self._case, self._pose[None])
            if not near.known[0]:  # back from the border of a height field
                self._pose = self._case.start
                near = nearness(self._case, self._pose[None])
            elif near.depths[0] > ALLOWED * self._case.tau:
                near = self._pull_out(near)
            else:
                self._ask_partings(number, near)
        return self._verdict

    def _move(self, number: int, chosen: ContactMotion, gap: float) -> None:
        """Ask for a motion, judge the depths on the way, and move the mover."""
        case, verdict, counts = self._case, self._verdict, self._verdict.counts
        tau = case.tau
        motion = motion_of(chosen)
        hit = self._ask(motion)
        counts["motions"] += 1
        counts["touch"] += abs(gap) <= tau
        counts["free"] += hit is None
        share = 1.0 if hit is None else hit.time
        times = [*(np.sort(self._rng.random(_MOMENTS)) * share).tolist(), share]
        if chosen.about is None and case.obstacle.field is None:
            times[0] = deepest_share(case, self._pose, chosen.vector, share)
        poses = np.array([motion.at(time) @ self._pose for time in times])
        near = nearness(case, poses)
        depths = np.where(near.known, near.depths, 0.0) / tau
        counts["unclear"] += bool((~near.known | ((near.most > ALLOWED * tau) & (depths <= ALLOWED))).any())
        text = f"motion {number}, {chosen.name} by {motion.length / tau:.3g} from {-gap / tau:.3g} deep"
        deepest = int(depths.argmax())
        if hit is None:
            verdict.worst = max(verdict.worst, float(depths[-1]))
            if depths[-1] > ALLOWED:
                self._wrong(DEEP_END, f"{text}: {depths[-1]:.4g} deep")
            elif depths[deepest] > ALLOWED:
                self._wrong(DEEP_WAY, f"{text}: {depths[deepest]:.4g} deep at time {times[deepest]:.3g}")
        elif depths[deepest] > ALLOWED:
            self._wrong(DEEP_HIT, f"{text}: {depths[deepest]:.4g} deep before the hit at time {hit.time:.4g}")
        if hit is None or (depths[-1] <= ALLOWED and self._rng.random() < 0.7):
            self._pose = poses[-1]

    def _ask(self, motion: Motion) -> Hit | None:
        self._mover.pose = self._pose @ self._offset
        hit = self._scene.sweep(self._mover, motion)
        if self._trace is not None:
            self._trace(self._scene, self._mover, motion, hit)
        return hit

    def _ask_partings(self, number: int, near: Nearness) -> None:
        """Ask motions that separate, or slide along a face, from the pose reached."""
        case, counts, rng = self._case, self._verdict.counts, self._rng
        tau, size = case.tau, case.mover.size
        distance, axis = near.nearest(0)
        if distance > tau or near.most[0] > ALLOWED * tau:
            return
        text = f"after motion {number}, {-distance / tau:.4g} deep"
        for way in near.ways_out(0, rng):
            length = size * float(10.0 ** rng.uniform(-3.0, 0.0)) if rng.random() < 0.7 else tau * rng.uniform(0.1, 10.0)
            counts["partings"] += 1
            hit = self._ask(Translate(length * way))
            if hit is not None:
                self._wrong(
                    HELD if near.most[0] <= tau else FROZEN, f"{text}, way out by {length / tau:.3g} at {way @ axis:.3g}: {hit}"
                )
        along = near.way_along(0, rng)
        if along is not None and near.most[0] <= tau and is_face_normal(case, self._pose, axis):
            counts["slides"] += 1
            length = size * float(10.0 ** rng.uniform(-3.0, 0.0))
            hit = self._ask(Translate(length * along))
            if hit is not None:
                self._wrong(SLIDE_HELD, f"{text}, slide by {length / tau:.3g}: {hit}")

    def _pull_out(self, near: Nearness) -> Nearness:
        """Move the mover out of what it is too deep in, so that the run can go on."""
        for _ in range(4):
            distance, axis = near.nearest(0)
            if distance >= 0.0:
                break
            self._pose = self._pose.copy()
            self._pose[:3, 3] -= distance * axis
            near = nearness(self._case, self._pose[None])
        if near.depths[0] <= self._case.tau:
            return near
        self._pose = self._case.start
        return nearness(self._case, self._pose[None])

    def _wrong(self, what: str, text: str) -> None:
        self._verdict.wrongs.append((what, text))
