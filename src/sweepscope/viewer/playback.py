"""The panel of a recording: play, pause, step, and a slider of frames. The scene itself does not change."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidQuery, InvalidType
from ..scene import store_of
from ..shapes import Shape
from ..world.body import Body
from . import words
from .colors import MOTION
from .latest import Latest
from .stage import PageStage, from_client

Array = NDArray[np.float64]

State = Any
"""Of a body in a frame: a pose (4, 4), a position (3,), vertices (n, 3), a Shape, or a pose and one of the last two."""


Frame = dict[Body, tuple[Array | None, Shape | Array | None]]
"""Pose and shape of bodies; None where it does not change."""

_SLOWEST, _FASTEST = 0.1, 1000.0  # frames in a second


class Playback:
    """Shows the frames of a recording."""

    def __init__(self, stage: PageStage) -> None:
        self._stage = stage
        self._frames: list[Frame] = [{}]
        gui = stage.server.gui
        self._words = gui.add_html("")
        self._slider = gui.add_slider("frame", 0, 1, 1, 0)
        self._play = gui.add_button("Play")
        self._steps = gui.add_button_group("step", ("first", "back", "next", "last"))
        self._rate = gui.add_number("frames in a second", 1.0, min=_SLOWEST, max=_FASTEST, step=1.0)
        self._ended = threading.Event()
        self._playing = threading.Event()
        self._show = Latest(self._draw)
        self._slider.on_update(lambda event: self._show() if from_client(event) else None)
        self._play.on_click(lambda _: self._toggle())
        self._steps.on_click(lambda event: self._step(event.target.value))
        self._thread = threading.Thread(target=self._run, name="sweepscope playback", daemon=True)
        self._thread.start()
        stage.closing.append(self.close)

    def load(self, frames: list[Frame], rate: float) -> None:
        """Show this recording, from its first frame; bodies that the last one had moved go back."""
        self._pause()
        with self._stage.lock, self._stage.server.atomic():
            self._stage.bodies.update()
            self._frames = frames
            self._slider.max = max(len(frames) - 1, 1)
            self._slider.value = 0
            self._rate.value = rate
        self._show()

    def close(self) -> None:
        """End the thread that plays."""
        self._ended.set()
        self._playing.set()
        self._thread.join()

    def _toggle(self) -> None:
        if self._playing.is_set():
            self._pause()
            return
        if self._slider.value >= len(self._frames) - 1:
            self._slider.value = 0
        self._play.label = "Pause"
        self._playing.set()

    def _pause(self) -> None:
        self._playing.clear()
        self._play.label = "Play"

    def _step(self, how: str) -> None:
        self._pause()
        here, last = self._slider.value, len(self._frames) - 1
        self._slider.value = {"first": 0, "back": max(here - 1, 0), "next": min(here + 1, last), "last": last}[how]
        self._show()

    def _run(self) -> None:
        while True:
            self._playing.wait()
            if self._ended.is_set():
                return
            if self._slider.value >= len(self._frames) - 1:
                self._pause()
                continue
            self._slider.value += 1
            self._show()
            self._ended.wait(1.0 / max(self._rate.value, _SLOWEST))

    def _draw(self) -> None:
        number = min(self._slider.value, len(self._frames) - 1)
        frame = self._frames[number]
        bodies = self._stage.bodies
        with self._stage.lock, self._stage.server.atomic():
            for body, (pose, shape) in frame.items():
                if shape is not None:
                    bodies.bend(body, shape)
                if pose is not None:
                    bodies.place(body, pose)
            self._words.content = words.table(f"frame {number + 1} of {len(self._frames)}", MOTION, [])


def checked_recording(stage: PageStage, frames: Sequence[Mapping[Body, State]], rate: float) -> tuple[list[Frame], float]:
    """Return frames as poses and shapes, and frames in a second."""
    found = [_checked(stage, frame, k) for k, frame in enumerate(frames)]
    if not found:
        raise InvalidQuery("frames is empty; accepted: a sequence of mappings of bodies to poses")
    speed = checks.number(rate, "rate", InvalidQuery)
    if not _SLOWEST <= speed <= _FASTEST:
        raise InvalidQuery(f"rate is {speed}; accepted: frames in a second, {_SLOWEST:g} to {_FASTEST:g}")
    return found, speed


def _checked(stage: PageStage, frame: Mapping[Body, State], number: int) -> Frame:
    """Return a frame as poses and shapes."""
    if not isinstance(frame, Mapping):
        raise InvalidType(f"frames[{number}]: expected a mapping of bodies to poses, got {checks.shown(frame)}")
    found: Frame = {}
    for body, state in frame.items():
        store_of(stage.scene).check(body, f"frames[{number}]")
        name = f"frames[{number}][{body.name!r}]"
        parts: tuple[Any, ...] = state if isinstance(state, tuple) and len(state) == 2 else (state,)
        pose: Array | None = None
        shape: Shape | Array | None = None
        for part in parts:
            given = None if isinstance(part, Shape) else np.array(part, np.float64)
            if given is None:
                shape = part
            elif given.shape in ((3,), (4, 4)):
                pose = checks.pose(given, name)
            elif given.shape == body.vertices.shape:
                shape = given
            else:
                places = body.vertices.shape
                raise InvalidQuery(
                    f"{name}: has shape {given.shape}; accepted: (4, 4), (3,), {places} for vertices, or a Shape"
                )
        found[body] = pose, shape
    return found
