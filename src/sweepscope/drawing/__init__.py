"""Pictures of scenes and results, drawn by looks: NumPy only, no other library."""

from . import registered as registered  # registers the renderers
from .picture import Picture

__all__ = ["Picture"]
