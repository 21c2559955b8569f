"""Normals of flush contacts: at contact, the plane square to the reported normal must separate the two convex bodies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sweepscope import Hit, Motion, Scene

from ..reference.contact_shapes import ContactBody
from ..reference.convex_depth import Floats
from ..reference.flush_cases import FlushCase, flush_case
from .contact_bodies import add_body, motion_of
from .contact_verdicts import ContactTally, ContactVerdict
from .tallies import outside

COUNTS = ("hits", "at start", "turns", "pass", "passed")
"""pass: the bodies only slide past each other, which may be called either way, except at the start; passed: those that are
free.
"""
HELD, MISSED, LATE, EARLY, CUTS, ALONG = "held", "missed", "late", "early", "cuts", "along"
WRONGS = (HELD, MISSED, LATE, EARLY, CUTS, ALONG)
"""held: at the start, though they only slide past each other. missed: no hit. late, early: another travel. cuts: the plane of
the normal cuts a body. along: the normal points along the motion.
"""
_SMALL = 1e-9
"""Overlap of the bodies along the normal [sizes], and error of the travel."""


def judge_normals(seed: int) -> ContactVerdict:
    """Judge the case of a seed. `worst` is the overlap of the bodies along the normal [sizes of the mover]."""
    case = flush_case(seed)
    scene = Scene(case.tolerance)
    mover, _ = add_body(scene, case.mover, case.start)
    add_body(scene, case.obstacle, case.place)
    motion = motion_of(case.motion)
    hit = scene.sweep(mover, motion)
    counts = {"hits": int(hit is not None), "at start": int(case.travel == 0.0), "turns": int(motion.turns)}
    counts |= {"pass": int(case.passes), "passed": int(case.passes and hit is None)}
    groups = (
        case.kind,
        "lattice" if case.lattice else "generic",
        "default tolerance" if case.tolerance is None else "wide tolerance",
    )
    verdict = ContactVerdict(seed, case.kind, groups, counts)
    if hit is not None and case.passes and case.travel == 0.0:
        verdict.wrongs.append((HELD, f"{hit}"))
    elif hit is not None:
        _judge(case, motion, hit, verdict)
    elif not case.passes:
        verdict.wrongs.append((MISSED, f"expected a hit after {case.travel:.6g}"))
    return verdict


def _judge(case: FlushCase, motion: Motion, hit: Hit, verdict: ContactVerdict) -> None:
    size = case.mover.size
    text = f"hit after {hit.travel:.9g}, expected {case.travel:.9g}, normal {np.round(hit.normal, 6).tolist()}"
    # A turn that begins in contact at its hinge may sink in by a tolerance before it lands.
    slack = _SMALL * size + (2.0 * (case.tolerance or 0.0) / size if motion.turns else 0.0)
    if abs(hit.travel - case.travel) > slack:
        verdict.wrongs.append((LATE if hit.travel > case.travel else EARLY, text))
        return
    own = _places(case.mover, motion.at(hit.time) @ case.start)
    other = _places(case.obstacle, case.place)
    overlap = float((other @ hit.normal).max() - (own @ hit.normal).min())
    verdict.worst = max(overlap / size, 0.0)
    if not overlap <= (_SMALL + (slack if motion.turns else 0.0)) * size:
        verdict.wrongs.append((CUTS, f"{text}: overlap {overlap:.3g} along it"))
    elif not motion.turns and float(hit.normal @ case.motion.vector) > 1e-9:
        verdict.wrongs.append((ALONG, text))


def _places(body: ContactBody, pose: Floats) -> Floats:
    return body.vertices @ pose[:3, :3].T + pose[:3, 3]


def poor_normals(row: ContactTally) -> Sequence[str]:
    """Return what came up too seldom."""
    hits, early = row.counts["hits"] / row.cases, row.counts["at start"] / row.cases
    found = [f"{hits:.0%} of the cases are hits"] if outside(hits, row.cases, (0.7, 0.99)) else []
    return found + ([f"{early:.0%} touch at the start"] if outside(early, row.cases, (0.1, 0.5)) else [])
