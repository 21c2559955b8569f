"""Fans: the part of a ring that a rotating box sweeps, and exact times of points and balls that a swinging box hits."""

from .fan import Fan
from .swing import Swing

__all__ = ["Fan", "Swing"]
