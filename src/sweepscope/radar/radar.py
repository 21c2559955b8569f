"""The Cyber Radar: free travel of a body, read from pictures of what lies ahead. The pixels set the cost."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from copy import copy, deepcopy
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InvalidMotion, InvalidQuery, InvalidType
from ..foreign import as_numpy
from ..motion import Motion, Rotate, Screw, Translate
from ..queries.many import check_run, refit
from ..queries.view import checked_pixels
from ..results.images import METHODS
from ..results.scopes import BACKENDS, Backend, radar_readings
from ..scene import Scene, store_of
from ..threads import WORKERS, Progress, run_rows, spread
from ..world.body import Body

if TYPE_CHECKING:
    from ..results import Method, RadarReading, RadarReadings
    from .masks import Masks
    from .setup import Setup

_PIXEL = 24  # bytes of a reading: range, lead, id and face


class Radar:
    """Looks ahead of a body that translates or rotates; reads from pictures its free travel, the obstacle and the contact.

    mover: one body, or several that move as one. pixels: (columns, rows) of the pictures; may be changed between probes.
    max_size [length]: size the view in two steps as in the paper, from a preset width and height; None: the view fits the mover
    at once. For translations only; may be changed between probes.

    method: how pictures are read. "sampled": gaps at the centers of pixels. "bounding": the smallest gap in every pixel; so
    nothing is missed, and the free travel is a lower bound. "published": exactly as in the paper, with its false alarms and
    misses, to compare with; for translations only.

    backend: "gl" draws the pictures on the graphics card, which keeps the vertices; for translations only.
    """

    __slots__ = ("_masks", "_setup")

    def __init__(
        self,
        scene: Scene,
        mover: Body | Sequence[Body],
        *,
        pixels: tuple[int, int] | int = (100, 100),
        method: Method = "sampled",
        max_size: float | None = None,
        backend: Backend = "cpu",
    ) -> None:
        from .masks import Masks
        from .setup import Setup

        store = store_of(scene)
        _check_method(method)
        _check_size(max_size)
        checks.choice(backend, "backend", BACKENDS)
        movers = tuple(store.check_movers(mover))
        self._setup: Setup = Setup(store, movers, checked_pixels(pixels), method, max_size, backend)
        self._masks: Masks = Masks()

    @property
    def scene(self) -> Scene:
        """The scene."""
        return self._setup.store.scene

    @property
    def movers(self) -> tuple[Body, ...]:
        """The bodies that move."""
        return tuple(mover.body for mover in self._setup.movers)

    @property
    def method(self) -> Method:
        """How pictures are read: "sampled", "bounding" or "published"."""
        return self._setup.method

    @property
    def backend(self) -> Backend:
        """What draws its pictures: "cpu" or "gl"."""
        return self._setup.backend

    @property
    def pixels(self) -> tuple[int, int]:
        """Columns and rows of the pictures."""
        return self._setup.pixels

    @pixels.setter
    def pixels(self, value: tuple[int, int] | int) -> None:
        self._change(pixels=checked_pixels(value))

    @property
    def max_size(self) -> float | None:
        """Preset width and height of the view [length]; None: it fits the mover at once."""
        return self._setup.max_size

    @max_size.setter
    def max_size(self, value: float | None) -> None:
        _check_size(value)
        self._change(max_size=value)

    def _change(self, **options: Any) -> None:
        """Change options; the next probe draws its mask anew."""
        self._setup = replace(self._setup, **options)
        self._masks = type(self._masks)()

    def probe(self, motion: Motion, *, ignore: Iterable[Body] = ()) -> RadarReading:
        """Look along a Translate or a Rotate and return the reading. ignore: bodies to pass through."""
        probe = self.prepare(motion, ignore=ignore)
        probe.draw()
        return probe.read()

    def probe_many(
        self,
        motions: ArrayLike | Iterable[Motion],
        *,
        ignore: Iterable[Body] = (),
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> RadarReadings:
        """Look along many motions in one call, on all cores. `readings[k]` is what a new radar reads along motion k.

        motions: vectors of translations, shape (n, 3) [length], world, or a sequence of motions as `probe` takes them. ignore:
        as in `probe`. A pixel of a reading takes 24 bytes. threads: how many; None for all cores. progress: a function that is
        called from time to time with how many probes are done, and of how many.
        """
        given = _motions(motions)
        for k, motion in enumerate(given):
            self._checked(motion, f"motions[{k}]")
        check_run(threads, progress)
        ignored = _bodies(ignore)
        setup = self._setup
        setup.store.check_ignored(ignored)
        what = f"motions: {checks.amount(len(given), 'reading')} of {self.pixels[0]} x {self.pixels[1]} pixels"
        checks.require_memory(_PIXEL * len(given) * math.prod(self.pixels), what, InvalidQuery)
        readings: list[Any] = [None] * len(given)

        def work(first: int, last: int) -> None:
            for k in range(first, last):
                with checks.prefixed(f"motions[{k}]"):
                    probe = Probe(setup, type(self._masks)(), given[k], ignored)
                    probe.draw()
                    readings[k] = probe.read()

        refit(setup.store)
        # One probe may need another surface of a volume than the next: they are made one after another.
        run_rows(work, len(given), 1 if setup.store.surfaces else threads, progress, 1)
        return radar_readings(readings)

    def prepare(self, motion: Motion, *, ignore: Iterable[Body] = ()) -> Probe:
        """Return a probe that is not drawn yet, for callers with their own threads. Arguments as for `probe`."""
        return self._prepare(motion, _bodies(ignore), "motion")

    def _prepare(self, motion: Any, ignored: tuple[Body, ...], name: str) -> Probe:
        return Probe(self._setup, self._masks, self._checked(motion, name), ignored)

    def __copy__(self) -> Radar:
        """Return another radar of the same movers in the same scene, with masks of its own."""
        other = type(self).__new__(type(self))
        other._setup, other._masks = self._setup, deepcopy(self._masks)  # noqa: SLF001
        return other

    def __repr__(self) -> str:
        names = ", ".join(repr(mover.name) for mover in self._setup.movers)
        columns, rows = self.pixels
        return f"<Radar of {names}: {columns} x {rows} pixels, {self.method}>"

    def _checked(self, motion: Any, name: str) -> Translate | Rotate:
        """Return a motion that this radar accepts, or raise; name: for error messages."""
        for mover in self._setup.movers:
            self._setup.store.check(mover.body, "mover")
        if not isinstance(motion, (Translate, Rotate)):
            if isinstance(motion, Screw):
                raise InvalidMotion(f"{name}: is a Screw; a radar takes a Translate or a Rotate (Scene.sweep follows screws)")
            raise InvalidType(f"{name}: expected a Translate or a Rotate, got {checks.shown(motion)}")
        if motion.length == 0.0:
            raise InvalidMotion(f"{name}: has length zero; a radar needs a direction (Scene.sweep reports overlap)")
        if self.method == "published" and isinstance(motion, Rotate):
            raise InvalidMotion(f"{name}: is a Rotate; method 'published' takes a Translate, as the paper does")
        if self.backend == "gl" and isinstance(motion, Rotate):
            raise InvalidMotion(f'{name}: is a Rotate; backend "gl" draws parallel rays and takes a Translate')
        if self._setup.max_size is not None and isinstance(motion, Rotate):
            size = self._setup.max_size
            raise InvalidQuery(f"max_size is {size:g}; it is for a Translate; the view of a Rotate always fits the mover")
        return motion


class Probe:
    """One look of a radar: prepared when created, then drawn, then read. `draw` may run on any thread."""

    __slots__ = ("_job", "_steps")

    def __init__(self, setup: Setup, masks: Masks, motion: Translate | Rotate, ignored: tuple[Body, ...]) -> None:
        self._steps = _steps(isinstance(motion, Rotate), setup.method)
        self._job = self._steps.prepare(setup, masks, motion, ignored)

    def draw(self) -> None:
        """Draw the pictures."""
        if self._job.setup.backend == "gl":
            from .on_card import draw

            draw(self._job)
        else:
            self._steps.draw(self._job)

    def read(self) -> RadarReading:
        """Return the reading."""
        return self._steps.read(self._job)

    def __copy__(self) -> Probe:
        raise InvalidQuery("a Probe is one look of a radar; prepare another, or copy.deepcopy it with its scene")

    def __reduce__(self) -> tuple[Any, ...]:
        return _probe, (type(self), self._job)


class RadarSet:
    """One radar for each of many movers, probed in one call on all cores. Options as for `Radar`."""

    __slots__ = ("_max_size", "_pixels", "_radars", "_scene")

    def __init__(
        self,
        scene: Scene,
        movers: Iterable[Body | Sequence[Body]],
        *,
        pixels: tuple[int, int] | int = (100, 100),
        method: Method = "sampled",
        max_size: float | None = None,
        backend: Backend = "cpu",
    ) -> None:
        store_of(scene)
        self._pixels = checked_pixels(pixels)
        _check_method(method)
        _check_size(max_size)
        self._max_size = max_size
        checks.choice(backend, "backend", BACKENDS)
        given = checks.items(movers, "movers", "bodies")
        self._scene = scene
        options: dict[str, Any] = {"pixels": pixels, "method": method, "max_size": max_size, "backend": backend}
        self._radars = tuple(Radar(scene, mover, **options) for mover in given)

    @property
    def radars(self) -> tuple[Radar, ...]:
        """The radars, in the order of the movers."""
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

    @property
    def max_size(self) -> float | None:
        """Preset width and height of the views [length], of all radars; None: each fits its mover at once."""
        return self._max_size

    @max_size.setter
    def max_size(self, value: float | None) -> None:
        _check_size(value)
        self._max_size = value
        for radar in self._radars:
            radar.max_size = value

    def __len__(self) -> int:
        return len(self._radars)

    def __copy__(self) -> RadarSet:
        """Return radars of the same movers in the same scene, with masks of their own."""
        other = type(self).__new__(type(self))
        other._scene, other._pixels, other._max_size = self._scene, self._pixels, self._max_size  # noqa: SLF001
        other._radars = tuple(map(copy, self._radars))  # noqa: SLF001
        return other

    def __repr__(self) -> str:
        return f"<RadarSet: {checks.amount(len(self._radars), 'radar')}, {self._pixels[0]} x {self._pixels[1]} pixels>"

    @overload
    def probe(self, motions: Sequence[Motion], *, ignore: Iterable[Body] = ()) -> list[RadarReading]: ...  # type: ignore[overload-overlap]

    @overload
    def probe(self, motions: Sequence[Motion | None], *, ignore: Iterable[Body] = ()) -> list[RadarReading | None]: ...

    def probe(
        self, motions: Sequence[Motion | None], *, ignore: Iterable[Body] = ()
    ) -> list[RadarReading] | list[RadarReading | None]:
        """Look along one motion for each mover, all from the same moment, and return a reading for each.

        A motion that is None gives a reading that is None.
        """
        given = checks.items(motions, "motions", "one for each mover")
        if len(given) != len(self._radars):
            raise InvalidQuery(f"motions: expected {len(self._radars)}, one for each mover, got {len(given)}")
        ignored = _bodies(ignore)
        probes: dict[int, Probe] = {}
        readings: list[RadarReading | None] = [None] * len(given)
        work = [
            (k, radar, motion) for k, (radar, motion) in enumerate(zip(self._radars, given, strict=True)) if motion is not None
        ]
        # Preparing makes surfaces of volumes; if one is too large as a whole, each radar needs another piece of it.
        apart = bool(store_of(self._scene).surfaces)
        if apart:
            for k, radar, motion in work:
                radar._checked(motion, f"motions[{k}]")  # noqa: SLF001  (of one file)
        else:
            # Only drawing gains from threads: all else is Python.
            probes = {k: radar._prepare(motion, ignored, f"motions[{k}]") for k, radar, motion in work}  # noqa: SLF001

        def draw(todo: Iterator[int]) -> None:
            for n in todo:
                k, radar, motion = work[n]
                if apart:
                    readings[k] = radar.probe(motion, ignore=ignored)
                else:
                    probes[k].draw()

        spread(draw, len(work), min(WORKERS, max(1, len(work) // 4)))
        for k, probe in probes.items():
            readings[k] = probe.read()
        return readings


def _probe(kind: type[Probe], job: Any) -> Probe:
    """Return a copied or unpickled probe."""
    probe = kind.__new__(kind)
    probe._job, probe._steps = job, _steps(isinstance(job.motion, Rotate), job.setup.method)  # noqa: SLF001  (a constructor)
    return probe


@cache
def _steps(turning: bool, method: Method) -> Any:
    """Return the module of a probe's steps, imported once: `angular`, `published` or `straight`."""
    if turning:
        from . import angular

        return angular
    if method == "published":
        from . import published

        return published
    from . import straight

    return straight


def _check_method(method: Any) -> None:
    checks.choice(method, "method", METHODS)


def _check_size(max_size: Any) -> None:
    if max_size is not None and checks.length(max_size, "max_size", InvalidQuery) == 0.0:
        raise InvalidQuery("max_size is 0; a view volume must have a size")


def _motions(value: Any) -> list[Any]:
    """Return motions, or translations by vectors of shape (n, 3), as a list."""
    value = as_numpy(value, "motions", InvalidMotion)
    if isinstance(value, np.ndarray) and (value.ndim != 2 or value.shape[1] != 3):
        raise InvalidMotion(f"motions: expected motions, or vectors of shape (n, 3), got shape {value.shape}")
    made = checks.items(value, "motions", "motions, or vectors of shape (n, 3)")
    for k, each in enumerate(made):
        if isinstance(each, (np.ndarray, list, tuple)):
            with checks.prefixed(f"motions[{k}]"):
                made[k] = Translate(each)
    return made


def _bodies(ignore: Any) -> tuple[Body, ...]:
    return tuple(checks.items(ignore, "ignore", "bodies"))
