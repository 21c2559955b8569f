"""Kernels for the card: a thread answers a row, with the library's own kernels. Import it after `card()`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numba_cuda  # pyright: ignore[reportMissingImports]
from numba import cuda as numba_for_card
from numba.cuda.core import config  # pyright: ignore[reportMissingImports]

from ..kernels import layout as at
from ..kernels._jit import FOLDER
from ..kernels.base.blocks import BLOCK, LEAF
from ..kernels.base.geometry import geometry_at
from ..kernels.layout import Bodies
from ..kernels.sweep import about_axis, straight
from ..kernels.sweep.plain import Flat, flatten, plain_scratch

THREADS = 128  # of a block
_REGISTERS = 168  # of a thread: fewer are copied to memory more often, more leave fewer threads at once

cuda: Any = numba_for_card  # Numba has types for another version of it
_settings: Any = config
_straight, _about_axis = straight.answer_plain, about_axis.answer_plain
_LEAVES = BLOCK // LEAF


def _on_card(function: Callable[..., Any]) -> Any:
    """Compile a kernel for the card when it is first called, and keep it: the folder's name changes with any kernel source."""
    before = _settings.CACHE_DIR
    _settings.CACHE_DIR = os.path.join(FOLDER.path, f"cuda-{numba_cuda.__version__}")
    try:
        return cuda.jit(cache=True, max_registers=_REGISTERS)(function)
    finally:
        _settings.CACHE_DIR = before


@_on_card
def flatten_shapes(table, owners, points, leaves):
    """Write all faces and boxes of leaves. owners: the shape of each node that is a block; -1: another node."""
    row = cuda.grid(1)
    if row < len(owners) * _LEAVES:
        s = owners[row // _LEAVES]
        if s >= 0:
            geometry = geometry_at(table)
            leaf = row - _LEAVES * geometry.shape_ints[s, at.NODE]
            if leaf * LEAF < geometry.shape_ints[s, at.FACES]:
                flatten(geometry, s, leaf, Flat(points, leaves))


@_on_card
def sweep_straight(
    table, body_ints, poses, boxes, bodies, nodes, ints, points, leaves, movers, stands, ignored_pairs, tolerance, questions,
    answers, undecided,
):  # fmt: skip
    """Answer every question about a translation that a few faces decide; mark the others."""
    row = cuda.grid(1)
    if row < len(questions):
        world = Bodies(geometry_at(table), body_ints, poses, boxes, bodies, nodes, ints)
        undecided[row] = not _straight(
            world, Flat(points, leaves), movers, stands, ignored_pairs, tolerance, questions, row, plain_scratch(), answers
        )


@_on_card
def sweep_about_axis(
    table, body_ints, poses, boxes, bodies, nodes, ints, points, leaves, movers, stands, ignored_pairs, tolerance, questions,
    answers, undecided,
):  # fmt: skip
    """The same for turns and screws."""
    row = cuda.grid(1)
    if row < len(questions):
        world = Bodies(geometry_at(table), body_ints, poses, boxes, bodies, nodes, ints)
        undecided[row] = not _about_axis(
            world, Flat(points, leaves), movers, stands, ignored_pairs, tolerance, questions, row, plain_scratch(), answers
        )
