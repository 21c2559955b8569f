"""The Cyber Radar: how far a body may go, read off pictures of what lies ahead, at a cost you choose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

from . import checks
from .errors import InvalidMotion, InvalidQuery
from .motion import Motion, Rotate, Screw, Translate
from .scene import Body, Scene
from .scope import checked_pixels
from .threads import WORKERS, spread

if TYPE_CHECKING:
    from .angular import Sheaf
    from .probe import Mask
    from .results import Reading


class Radar:
    """Looks where a body is going, straight or round, and reads from pictures how far it may go, what it will meet and where.

    body: one, or several that move as one. pixels: (columns, rows) of the pictures; may be changed between probes.
    bounding: bound the gap over the whole of every pixel instead of sampling it at its centre: nothing is missed then, and the
    free travel is a lower bound. max_size [length]: size the view in two steps as the paper does, from a preset width and
    height; by default it fits the body at once. For translations only.
    """

    __slots__ = ("_bounding", "_mask", "_max_size", "_movers", "_pixels", "_scene", "_sheaf")

    def __init__(
        self,
        scene: Scene,
        body: Body | Sequence[Body],
        pixels: tuple[int, int] | int = (100, 100),
        *,
        bounding: bool = False,
        max_size: float | None = None,
    ) -> None:
        _check_options(scene, pixels, bounding, max_size)
        self._scene = scene
        self._movers = tuple(scene._check_movers(body))
        self._bounding = bounding
        self._max_size = max_size
        self._mask: Mask | None = None
        self._sheaf: Sheaf | None = None
        self.pixels = pixels

    @property
    def scene(self) -> Scene:
        """Where it looks."""
        return self._scene

    @property
    def bodies(self) -> tuple[Body, ...]:
        """What moves."""
        return self._movers

    @property
    def bounding(self) -> bool:
        """True if it bounds gaps instead of sampling them."""
        return self._bounding

    @property
    def pixels(self) -> tuple[int, int]:
        """Columns and rows of the pictures."""
        return self._pixels

    @pixels.setter
    def pixels(self, value: tuple[int, int] | int) -> None:
        self._pixels = checked_pixels(value)
        self._mask = None
        self._sheaf = None

    def probe(self, motion: Motion, *, ignore: Iterable[Body] = ()) -> Reading:
        """Look along a Translate or a Rotate and return what there is to read. ignore: bodies to pass through."""
        return _read(self, *_checked(self, motion, ignore))

    def __repr__(self) -> str:
        names = ", ".join(repr(body.name) for body in self._movers)
        kind = "bounding" if self._bounding else "sampled"
        return f"<Radar of {names}: {self._pixels[0]} x {self._pixels[1]} pixels, {kind}>"


class RadarSet:
    """A radar for each of many bodies of a scene, read in one call and on all cores. Options as for `Radar`."""

    __slots__ = ("_pixels", "_radars", "_scene")

    def __init__(
        self,
        scene: Scene,
        bodies: Iterable[Body | Sequence[Body]],
        pixels: tuple[int, int] | int = (100, 100),
        *,
        bounding: bool = False,
        max_size: float | None = None,
    ) -> None:
        _check_options(scene, pixels, bounding, max_size)
        try:
            given = list(bodies)
        except TypeError:
            raise InvalidQuery(f"bodies: expected bodies, got {checks.shown(bodies)}") from None
        self._scene = scene
        self._pixels = checked_pixels(pixels)
        self._radars = tuple(Radar(scene, body, pixels, bounding=bounding, max_size=max_size) for body in given)

    @property
    def radars(self) -> tuple[Radar, ...]:
        """The single ones, in the order of the bodies."""
        return self._radars

    @property
    def pixels(self) -> tuple[int, int]:
        """Columns and rows of the pictures, of all radars."""
        return self._pixels

    @pixels.setter
    def pixels(self, value: tuple[int, int] | int) -> None:
        self._pixels = checked_pixels(value)
        for radar in self._radars:
            radar.pixels = value

    def __len__(self) -> int:
        return len(self._radars)

    def __repr__(self) -> str:
        return f"<RadarSet: {len(self._radars)} radars, {self._pixels[0]} x {self._pixels[1]} pixels>"

    @overload
    def probe(self, motions: Sequence[Motion], *, ignore: Iterable[Body] = ()) -> list[Reading]: ...  # type: ignore[overload-overlap]

    @overload
    def probe(self, motions: Sequence[Motion | None], *, ignore: Iterable[Body] = ()) -> list[Reading | None]: ...

    def probe(self, motions: Sequence[Motion | None], *, ignore: Iterable[Body] = ()) -> Any:
        """Look along one motion for each body, all from the same moment, and return a reading for each.

        Where a motion is None that radar does not look, and its reading is None.
        """
        try:
            given = list(motions)
        except TypeError:
            raise InvalidQuery(f"motions: expected one for each body, got {checks.shown(motions)}") from None
        if len(given) != len(self._radars):
            raise InvalidQuery(f"motions: expected {len(self._radars)}, one for each body, got {len(given)}")
        passed = tuple(self._scene._check_all(ignore, "ignore"))
        work = [
            (k, radar, *_checked(radar, motion, passed, f"motions[{k}]"))
            for k, (radar, motion) in enumerate(zip(self._radars, given, strict=True))
            if motion is not None
        ]
        readings: list[Reading | None] = [None] * len(given)

        from .probe import draw, prepare, told

        # All but the drawing is Python, which threads would only wait for.
        # Volumes get their surfaces while one prepares; each radar may need another piece of one that is too large for all.
        together = [] if self._scene._volumes else work
        jobs = {k: prepare(radar, motion, ignored) for k, radar, motion, ignored in together if isinstance(motion, Translate)}

        def read(todo: Iterator[int]) -> None:
            for n in todo:
                k, radar, motion, ignored = work[n]
                if k in jobs:
                    draw(jobs[k])
                else:
                    readings[k] = _read(radar, motion, ignored)

        spread(read, len(work), min(WORKERS, max(1, len(work) // 4)))
        for k, job in jobs.items():
            readings[k] = told(job)
        return readings


def _check_options(scene: Any, pixels: Any, bounding: Any, max_size: Any) -> None:
    if not isinstance(scene, Scene):
        raise InvalidQuery(f"scene: expected a Scene, got {checks.shown(scene)}")
    checked_pixels(pixels)
    checks.flag(bounding, "bounding")
    if max_size is not None and checks.length(max_size, "max_size", InvalidQuery) == 0.0:
        raise InvalidQuery("max_size is 0; a view volume must have a size")


def _checked(radar: Radar, motion: Any, ignore: Any, name: str = "motion") -> tuple[Translate | Rotate, tuple[Body, ...]]:
    """Check a question before anything is drawn."""
    scene = radar._scene
    for body in radar._movers:
        scene._check(body, "body")
    if isinstance(motion, Screw):
        raise InvalidMotion(f"{name}: is a Screw; a radar takes a Translate or a Rotate (Scene.sweep follows screws)")
    if not isinstance(motion, (Translate, Rotate)):
        raise InvalidMotion(f"{name}: expected a Translate or a Rotate, got {checks.shown(motion)}")
    if motion.length == 0.0:
        raise InvalidMotion(f"{name}: is of length zero; a radar needs a direction to look in (Scene.sweep tells of overlap)")
    if isinstance(motion, Rotate) and radar._max_size is not None:
        raise InvalidQuery(f"max_size is {radar._max_size:g}; it is for a Translate, views of a Rotate fit by themselves")
    return motion, tuple(scene._check_all(ignore, "ignore"))


def _read(radar: Radar, motion: Translate | Rotate, ignore: tuple[Body, ...]) -> Reading:
    """Answer a question that has been checked."""
    if isinstance(motion, Rotate):
        from .angular import probe_turn

        return probe_turn(radar, motion, ignore)
    from .probe import probe

    return probe(radar, motion, ignore)
