"""Sweeps on the card: rows that a few faces decide are answered there, the others are named and asked again."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GraphicsFailed
from ..kernels import layout as at
from .card import card, launch
from .scene import SceneOnCard

_FEWEST = 1 << 12  # rows: if the card has no memory for so many, it has none for the scene


def ask_on_card(scene: SceneOnCard, straight: bool, *given: Any) -> None:
    """Start to answer questions. given: arrays on the card, as the kernels take them behind those of the scene."""
    from . import kernels

    launch(kernels.sweep_straight if straight else kernels.sweep_about_axis, len(given[-1]), *scene.arguments, *given)


def answer_on_card(
    scene: SceneOnCard,
    straight: bool,
    movers: NDArray[np.int64],
    stands: NDArray[np.float64],
    ignored_pairs: NDArray[np.int64],
    tolerance: float,
    questions: NDArray[np.float64],
    answers: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Write the answers of questions; return the rows that need more than a few faces: the processor must answer them.

    A card without memory for all rows at once gets them in parts.
    """
    arrays = card().arrays
    shared = *map(arrays.asarray, (movers, stands, ignored_pairs)), tolerance
    rest: list[NDArray[np.int64]] = []
    done, size = 0, len(questions)
    while done < len(questions):
        last = min(done + size, len(questions))
        try:
            asked = arrays.asarray(questions[done:last])
            found = arrays.empty((last - done, at.ANSWER))
            undecided = arrays.empty(last - done, np.bool_)
            ask_on_card(scene, straight, *shared, asked, found, undecided)
            answers[done:last] = found.get()
            rest.append(done + np.flatnonzero(undecided.get()))
        except arrays.cuda.memory.OutOfMemoryError as reason:
            arrays.get_default_memory_pool().free_all_blocks()
            if size <= _FEWEST:
                raise GraphicsFailed(f"the card has too little memory for {size} rows ({reason})") from reason
            size = max(_FEWEST, size // 2)
            continue
        done = last
    return np.concatenate(rest) if rest else np.empty(0, np.int64)
