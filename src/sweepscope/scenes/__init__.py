"""Scenes that demo, tests and benchmarks share. Each builder returns fresh objects and depends on its arguments alone."""

from .bodies import bumpy_ball, hills, hook, nut, peg, ring, scattered_balls, wall
from .worlds import WORLDS, World

__all__ = [
    "WORLDS",
    "World",
    "bumpy_ball",
    "hills",
    "hook",
    "nut",
    "peg",
    "ring",
    "scattered_balls",
    "wall",
]
