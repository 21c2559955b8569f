"""Films of simulations: at most 100 frames of a run, evenly spread."""

from __future__ import annotations

_MOST = 100


def filmed(frame: int, frames: int) -> bool:
    """Return whether a frame of a run of so many is in its film."""
    return frame % -(-frames // _MOST) == 0
