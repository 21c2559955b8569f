"""Scenes that demo, tests and benchmarks share. Each builder returns new objects and depends only on its arguments."""

from .bodies import bumpy_ball, hills, hook, nut, peg, ring, scattered_balls, wall
from .building import building
from .known_answers import KNOWN_ANSWERS, KnownAnswer

__all__ = [
    "KNOWN_ANSWERS",
    "KnownAnswer",
    "building",
    "bumpy_ball",
    "hills",
    "hook",
    "nut",
    "peg",
    "ring",
    "scattered_balls",
    "wall",
]
