"""Two volumes that change in every frame and collide live (after Volume, 1999): they dissolve where they touch.

A story (scenes/changing.py) gives the volumes as they would be without contact. In every frame

* the volumes are compared with the frame before, and one assignment writes the box around all changes: an edit costs what it
  touches (many small edits, brick by brick, took twice as long);
* `overlap` reports whether, where and how the two touch;
* voxels in contact lose some of their alpha (`feedback`), in both. Ice stays molten; fog and drops flow back in some frames.

So the next edit depends on this frame's answer. Times are of the edits and the queries alone, not of the story.
"""

from __future__ import annotations

import itertools
import math
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import Rotate, Volume, checks, overlap
from sweepscope.errors import InvalidQuery
from sweepscope.results import OverlapResult

from ..scenes.changing import STORIES, StoryFrame
from .bounce import whole

SENSES = ("centers", "cubes")
SMALLEST, LARGEST = 8, 512
"""Fewest and most voxels along a side: with fewer, drops fall through the grid; with more, a story takes gigabytes."""

_FLOWS_BACK = {
    "melting": (0.0, 0.1),
    "dripping": (0.1, 0.1),
    "shuffling": (0.1, 0.1),
}  # alpha that the first and the second regain in a frame


@dataclass(frozen=True, slots=True)
class DissolveSettings:
    """What is simulated. The same settings give the same run, except for its times."""

    story: str = "melting"
    """Name of the story, see `scenes.changing.STORIES`."""
    frames: int = 120
    """Number of frames of the story."""
    size: int = 64
    """Voxels along each side of both grids."""
    seed: int = 0
    """Seed of the story."""
    threshold: float = 0.0
    """A voxel is occupied if its alpha is greater."""
    sense: str = "centers"
    """What counts as contact: "centers" or "cubes", see `overlap`."""
    turn: float = 0.0
    """Turn of the second volume in a frame, about the vertical through its middle [degrees]."""
    feedback: float = 0.5
    """Alpha that voxels in contact lose in a frame; 0: the two pass through each other."""

    def __post_init__(self) -> None:
        checks.choice(self.story, "story", tuple(STORIES))
        checks.choice(self.sense, "sense", SENSES)
        whole(self.frames, "frames", 1, None)
        whole(self.size, "size", SMALLEST, LARGEST)
        whole(self.seed, "seed", 0, None)
        if not 0.0 <= checks.number(self.threshold, "threshold", InvalidQuery) < 1.0:
            raise InvalidQuery(f"threshold is {self.threshold}; accepted: 0 to below 1")
        if not math.isfinite(checks.number(self.turn, "turn", InvalidQuery)):
            raise InvalidQuery(f"turn is {self.turn}; it must be finite")
        if not 0.0 <= checks.number(self.feedback, "feedback", InvalidQuery) <= 1.0:
            raise InvalidQuery(f"feedback is {self.feedback}; accepted: 0 to 1")


@dataclass(frozen=True, slots=True, eq=False)
class DissolveRecord:
    """One frame: what was found, and its times. Lengths are in voxels."""

    frame: int
    colliding: bool
    count: int
    """Voxels of the first volume in contact."""
    region: NDArray[np.int64]
    """Their lowest index and one past the highest, shape (2, 3); zeros if none."""
    center: NDArray[np.float64]
    """Mean of their centers, shape (3,), in the first's frame; NaN if none."""
    normal: NDArray[np.float64]
    """Unit vector from the second towards the first, shape (3,), in the first's frame; NaN if none."""
    first: int
    """Occupied voxels of the first."""
    second: int
    """Occupied voxels of the second."""
    changed: int
    """Voxels of both whose alpha differs from the frame before."""
    written: int
    """Voxels of both that were written: the boxes around all changes."""
    dissolved: int
    """Voxels of both that contact has removed."""
    edit_seconds: float
    """Time of the edits [s]."""
    overlap_seconds: float
    """Time of the yes or no [s]."""
    detail_seconds: float
    """Time of count, region, center and normal [s]; 0 if there is no contact."""


@dataclass(frozen=True, slots=True)
class DissolveSummary:
    """What a run measured."""

    frames: int
    colliding: int
    """Frames with contact."""
    stretches: int
    """Number of times that contact began."""
    first_contact: int
    """Frame of the first contact; -1 if there is none."""
    longest: int
    """Longest contact [frames]."""
    most: int
    """Most voxels in contact in a frame."""
    dissolved: int
    """Most voxels of both that contact had removed in a frame."""
    changed_per_frame: float
    """Voxels of both whose alpha changed; here and below, without the first frame, which has none before it."""
    written_per_frame: float
    """Voxels of both that were written."""
    edit_mean: float
    """Time of a frame's edits [s]."""
    edit_worst: float
    overlap_mean: float
    """Time of a frame's yes or no [s]."""
    overlap_worst: float
    detail_mean: float
    """Time of count, region, center and normal [s], over frames with contact; 0 if there are none."""


class Dissolve:
    """Two live volumes. `step` advances one frame and returns its record; `records` holds all."""

    def __init__(self, settings: DissolveSettings | None = None) -> None:
        self.settings = settings or DissolveSettings()
        _compile(self.settings)
        size = self.settings.size
        self._story = STORIES[self.settings.story](size, self.settings.seed).frames(self.settings.frames)
        nothing = np.zeros((size, size, size), np.float32)
        self.first = Volume(nothing, threshold=self.settings.threshold)
        self.second = Volume(nothing, threshold=self.settings.threshold)
        self.pose = np.eye(4)
        """Pose of the second in the first's frame, with voxels 1 wide, shape (4, 4)."""
        self.records: list[DissolveRecord] = []
        self._worn = (np.zeros_like(nothing), np.zeros_like(nothing))

    @property
    def ended(self) -> bool:
        """Whether the story is over."""
        return len(self.records) == self.settings.frames

    def step(self) -> DissolveRecord:
        """Advance by one frame."""
        if self.ended:
            raise InvalidQuery(f"the story is over: it has {self.settings.frames} frames")
        frame = next(self._story)
        self.pose = self._pose(frame)
        changed = written = dissolved = 0
        edit_seconds = 0.0
        for volume, alpha, worn, back in zip(
            (self.first, self.second), (frame.first, frame.second), self._worn, _FLOWS_BACK[self.settings.story], strict=True
        ):
            would = int(np.count_nonzero(alpha > np.float64(self.settings.threshold)))
            np.maximum(alpha - worn, 0.0, out=alpha)
            np.maximum(worn - np.float32(back), 0.0, out=worn)
            differs = alpha != volume.alpha
            box = region_of(differs)
            values = alpha[box]
            begin = time.perf_counter()
            volume[box] = values
            edit_seconds += time.perf_counter() - begin
            changed += int(np.count_nonzero(differs))
            written += values.size
            dissolved += would - volume.count
        begin = time.perf_counter()
        hit = overlap(self.first, self.second, self.pose, sense=self.settings.sense)
        colliding = bool(hit)
        overlap_seconds = time.perf_counter() - begin
        begin = time.perf_counter()
        details = _details(hit)
        detail_seconds = time.perf_counter() - begin if colliding else 0.0
        record = DissolveRecord(
            len(self.records),
            colliding,
            *details,
            first=self.first.count,
            second=self.second.count,
            changed=changed,
            written=written,
            dissolved=dissolved,
            edit_seconds=edit_seconds,
            overlap_seconds=overlap_seconds,
            detail_seconds=detail_seconds,
        )
        self.records.append(record)
        if colliding:
            self._wear(hit)
        return record

    def summary(self) -> DissolveSummary:
        """Return what was measured so far."""
        records = self.records
        stretches = [len(list(group)) for colliding, group in itertools.groupby(records, lambda r: r.colliding) if colliding]
        later = records[1:] or records
        count = max(len(later), 1)
        details = [record.detail_seconds for record in records if record.colliding]
        return DissolveSummary(
            frames=len(records),
            colliding=sum(stretches),
            stretches=len(stretches),
            first_contact=next((record.frame for record in records if record.colliding), -1),
            longest=max(stretches, default=0),
            most=max((record.count for record in records), default=0),
            dissolved=max((record.dissolved for record in records), default=0),
            changed_per_frame=sum(record.changed for record in later) / count,
            written_per_frame=sum(record.written for record in later) / count,
            edit_mean=sum(record.edit_seconds for record in later) / count,
            edit_worst=max((record.edit_seconds for record in later), default=0.0),
            overlap_mean=sum(record.overlap_seconds for record in later) / count,
            overlap_worst=max((record.overlap_seconds for record in later), default=0.0),
            detail_mean=sum(details) / max(len(details), 1),
        )

    def _pose(self, frame: StoryFrame) -> NDArray[np.float64]:
        """Return the pose of the second: the story's offset, and a turn about its middle."""
        pose = np.eye(4)
        if self.settings.turn:
            middle = 0.5 * self.settings.size
            angle = math.radians(self.settings.turn * len(self.records))
            pose = Rotate((0.0, 0.0, 1.0), angle, about=(middle, middle, 0.0)).at()
        pose[:3, 3] += frame.pose
        return pose

    def _wear(self, hit: OverlapResult) -> None:
        """Let voxels in contact lose some of their alpha, in both; the next frame shows it."""
        if self.settings.feedback == 0.0:
            return
        back = overlap(self.second, self.first, np.linalg.inv(self.pose), sense=self.settings.sense)
        for worn, found in zip(self._worn, (hit, back), strict=True):
            i, j, k = found.voxels.T
            worn[i, j, k] = np.minimum(worn[i, j, k] + np.float32(self.settings.feedback), 1.0)


def run(settings: DissolveSettings | None = None) -> DissolveSummary:
    """Simulate a whole story and return what was measured."""
    dissolve = Dissolve(settings)
    while not dissolve.ended:
        dissolve.step()
    return dissolve.summary()


def region_of(differs: NDArray[np.bool_]) -> tuple[slice, slice, slice]:
    """Return the smallest box, as slices, around all True voxels of (nx, ny, nz); empty if there is none."""
    spans = []
    for others in ((1, 2), (0, 2), (0, 1)):
        planes = np.flatnonzero(differs.any(axis=others))
        spans.append(slice(int(planes[0]), int(planes[-1]) + 1) if len(planes) else slice(0, 0))
    x, y, z = spans
    return x, y, z


def _details(hit: OverlapResult) -> tuple[int, NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    return hit.count, hit.region, hit.center, hit.normal


def _compile(settings: DissolveSettings) -> None:
    """Ask a small query of every kind before the first frame, so that no frame's time includes compiling."""
    small = Volume(np.ones((2, 2, 2), np.float32), threshold=settings.threshold)
    small[:1, :1, :1] = np.zeros((1, 1, 1), np.float32)
    turned = Rotate((0.0, 0.0, 1.0), 0.3).at()
    for pose in (np.eye(4), turned) if settings.turn else (np.eye(4),):
        _details(overlap(small, small, pose, sense=settings.sense))
