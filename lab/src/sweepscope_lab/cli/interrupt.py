"""Ctrl-C ends a run between two frames."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator


def until_interrupted(frames: Iterable[int]) -> Iterator[int]:
    """Yield frames until Ctrl-C is pressed; a second Ctrl-C interrupts as usual.

    An exception is not enough: raised while a kernel returns its answer, it becomes a SystemError.
    """
    pressed = False

    def note(*_: object) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, note)
    try:
        for frame in frames:
            if pressed:
                break
            yield frame
    finally:
        signal.signal(signal.SIGINT, before)
