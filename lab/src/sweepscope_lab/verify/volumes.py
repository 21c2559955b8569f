"""Compare `overlap`, and a volume's index after edits, with slow twins, case by case, and count wrong answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import SweepscopeError, Volume, overlap
from sweepscope.results import OverlapResult
from sweepscope.shapes.voxel_index import index_of

from ..reference.volume import Found, Voxels, centered, cubes, index, region, shared
from ..reference.volume_cases import DTYPES, EDITS, Edit, VolumeCase, alphas, contents, edit, make, resolution, threshold
from .tallies import tally

CULLS = ("box", "planes", "lines")
SUBSETS = tuple(some for many in range(4) for some in combinations(CULLS, many))
"""All sets of culls."""
SENSES = {"shared": ("centers", "cubes"), "centers": ("centers",), "cubes": ("cubes",), "large": ("centers",)}
"""The senses in which each question is asked."""
RATES = {"shared": (0.25, 0.55), "centers": (0.35, 0.65), "cubes": (0.35, 0.65), "large": (0.4, 0.8)}
"""Accepted share of hits; cases that hit less or more often prove little."""
CHANGED = (0.3, 0.95)
"""The same for edits: the share that changes occupied voxels."""
EDITS_EACH = 250
_KEPT_BITS = tuple(kind for kind in EDITS if kind != "threshold")


@dataclass(frozen=True, slots=True)
class JudgedOverlap:
    """A case and what is wrong with its answers."""

    case: VolumeCase
    found: Found
    """The reference's answer."""
    faults: tuple[str, ...]
    """Each wrong answer in words, with its sense and culls."""


def volume_of(voxels: Voxels, seed: int) -> Volume:
    """Return a volume of these voxels, by seed: of booleans, of numbers, above a threshold, of bits only."""
    step, corner = voxels.spacing, voxels.origin
    match seed % 4:
        case 0:
            return Volume(voxels.occupied, step, origin=corner)
        case 1:
            return Volume(np.where(voxels.occupied, np.float32(0.75), np.float32(0.5)), step, origin=corner, threshold=0.5)
        case 2:
            return Volume(voxels.occupied.astype(np.uint8), step, origin=corner, keep_alpha=False)
        case _:
            return Volume(np.where(voxels.occupied, 2.0, -1.0), step, origin=corner)


def reference(case: VolumeCase) -> Found:
    """Return the slow twin's answer."""
    if case.question == "shared" and case.offset is not None:
        voxels = shared(case.a.occupied, case.b.occupied, case.offset)
        return Found(voxels, voxels[:0])
    return (cubes if case.question == "cubes" else centered)(case.a, case.b, case.pose)


def judge(case: VolumeCase) -> JudgedOverlap:
    """Ask a case in each sense with every set of culls, and compare each answer with the reference."""
    a, b = volume_of(case.a, case.seed), volume_of(case.b, case.seed // 4)
    found = reference(case)
    faults = []
    for sense in SENSES[case.question]:
        for culls in SUBSETS:
            hit = overlap(a, b, case.pose, sense=sense, culls=culls)
            faults += [f"{sense}, culls {culls}: {fault}" for fault in faults_of(hit, case.a, found, culls)]
    return JudgedOverlap(case, found, tuple(faults))


def faults_of(hit: OverlapResult, a: Voxels, found: Found, culls: tuple[str, ...]) -> list[str]:
    """Return the faults of an answer, in words; for voxels too close to call both answers are accepted."""
    faults = []
    answer, count, voxels = bool(hit), hit.count, hit.voxels
    sizes = a.occupied.shape
    named, sure, either = (np.ravel_multi_index(tuple(some.T), sizes) for some in (voxels, found.sure, found.open))
    missed, excess = np.setdiff1d(sure, named), np.setdiff1d(named, np.union1d(sure, either))
    if len(missed) or len(excess):
        first = np.unravel_index(np.concatenate((missed, excess))[0], sizes)
        faults.append(f"{len(missed)} voxels missed, {len(excess)} too many, first {tuple(map(int, first))}")
    if (np.diff(named) <= 0).any():
        faults.append("voxels are not in C order")
    if answer is not (len(voxels) > 0):
        faults.append(f"the answer is {answer}, with {len(voxels)} voxels")
    if count != len(voxels):
        faults.append(f"count is {count}, with {len(voxels)} voxels")
    if not np.array_equal(hit.region, region(voxels)):
        faults.append(f"region is {hit.region.tolist()}, not {region(voxels).tolist()}")
    if tuple(hit.removed) != culls or sum(hit.removed.values()) + hit.tested != a.occupied.size or hit.tested < count:
        faults.append(f"removed {hit.removed} and tested {hit.tested} of {a.occupied.size} voxels, {count} in contact")
    return faults


def judge_overlaps(question: str, count: int, seed: int = 0) -> Iterator[JudgedOverlap]:
    """Judge `count` cases of a question."""
    for number in range(count):
        yield judge(make(question, seed * 1_000_000 + number))


@dataclass(slots=True)
class OverlapTally:
    """Counts for cases of one kind."""

    kind: str
    cases: int = 0
    hits: int = 0
    voxels: int = 0
    """Voxels in contact, by the reference."""
    open_voxels: int = 0
    """Voxels too close to call: both answers are accepted."""
    undecided: int = 0
    """Cases whose yes or no is too close to call."""
    wrong: int = 0

    def add(self, judged: JudgedOverlap) -> None:
        """Count a case."""
        self.cases += 1
        self.hits += judged.found.hit is True
        self.voxels += len(judged.found.sure)
        self.open_voxels += len(judged.found.open)
        self.undecided += judged.found.hit is None
        self.wrong += bool(judged.faults)


def tally_overlaps(chunks: Iterable[JudgedOverlap]) -> list[OverlapTally]:
    """Return a row for all, and one for each arrangement of the volumes."""
    return tally(OverlapTally, ((kind, judged) for judged in chunks for kind in ("all", judged.case.kind)))


def wording(judged: JudgedOverlap) -> str:
    """Return a wrong case in words, so that it can be repeated."""
    case = judged.case
    sizes = [" x ".join(map(str, voxels.occupied.shape)) for voxels in (case.a, case.b)]
    return f"make({case.question!r}, {case.seed}), {case.kind}, {sizes[0]} on {sizes[1]}: " + "\n  ".join(judged.faults[:4])


@dataclass(frozen=True, slots=True)
class JudgedEdit:
    """A volume after an edit."""

    edit: Edit
    number: int
    """Number of the edit in the run, and the volume's shape below, so that it can be repeated."""
    shape: tuple[int, int, int]
    changed: bool
    """Whether the edit changed occupied voxels."""
    faults: tuple[str, ...]
    """Names of the volume's parts that are wrong."""


def judge_edits(count: int, seed: int = 0) -> Iterator[JudgedEdit]:
    """Edit volumes `count` times, EDITS_EACH times each; after each edit compare the index with a new one.

    Also compare whether the volume then overlaps another, at a whole offset.
    """
    for start in range(0, count, EDITS_EACH):
        rng = np.random.default_rng((seed, start))
        dtype = DTYPES[rng.integers(len(DTYPES))]
        shape = resolution(rng, 24)
        alpha, limit, keep = alphas(rng, shape, dtype), threshold(rng, dtype), bool(rng.integers(4))
        volume = Volume(alpha, threshold=limit, keep_alpha=keep)
        occupied = alpha > limit
        other = contents(rng, resolution(rng, 24))
        still = Volume(other)
        for number in range(start, min(start + EDITS_EACH, count)):
            done = edit(rng, shape, dtype, EDITS if keep else _KEPT_BITS)
            version = volume.version
            faults = []
            try:
                if done.key is None:
                    limit = volume.threshold = done.values
                else:
                    volume[done.key] = done.values
                    alpha[done.key] = done.values
            except SweepscopeError as error:
                faults.append(f"refused ({error})")
            now = alpha > limit
            changed = not np.array_equal(now, occupied)
            faults += index_faults(volume, now)
            if keep and not np.array_equal(volume.alpha, alpha):
                faults.append("alpha")
            if volume.version <= version if changed else volume.version < version:
                faults.append(f"version {version} -> {volume.version}")
            offset = rng.integers(1 - np.array(other.shape), shape)
            if bool(overlap(volume, still, offset)) is not (len(shared(now, other, offset)) > 0):
                faults.append(f"overlap at {offset.tolist()}")
            occupied = now
            yield JudgedEdit(done, number, shape, changed, tuple(faults))


def index_faults(volume: Volume, occupied: NDArray[np.bool_]) -> list[str]:
    """Return the names of the volume's parts that differ from a new index."""
    fresh = index(occupied)
    pairs: list[tuple[str, Any, Any]] = [
        ("bits", index_of(volume).bits, fresh.bits),
        ("bundles", index_of(volume).bundles, fresh.bundles),
        ("occupied", volume.occupied, occupied),
        ("extent", volume.extent, fresh.extent),
        ("count", volume.count, fresh.count),
        ("empty", volume.empty, fresh.count == 0),
    ]
    pairs += zip(("lowest of lines", "highest of lines"), volume.lines, fresh.lines, strict=True)
    pairs += zip(("planes across x", "planes across y", "planes across z"), volume.planes, fresh.planes, strict=True)
    return [name for name, kept, right in pairs if not np.array_equal(kept, right)]


@dataclass(slots=True)
class EditTally:
    """Counts for edits of one kind."""

    kind: str
    edits: int = 0
    changed: int = 0
    wrong: int = 0

    def add(self, judged: JudgedEdit) -> None:
        """Count an edit."""
        self.edits += 1
        self.changed += judged.changed
        self.wrong += bool(judged.faults)


def tally_edits(edits: Iterable[JudgedEdit]) -> list[EditTally]:
    """Return a row for all, and one for each kind of edit."""
    return tally(EditTally, ((kind, judged) for judged in edits for kind in ("all", judged.edit.kind)))
